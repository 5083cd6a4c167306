"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import copy
import pickle
import re
from importlib import import_module
from pathlib import Path

import pytest

import assay.derive
from assay.derive import patterns

MODULES = sorted(each.stem for each in Path(assay.derive.__path__[0]).glob("[a-z]*.py"))


def test_a_pattern_is_what_the_compiled_one_is() -> None:
    late = patterns.compile("(low|poor) mood", patterns.IGNORECASE)
    made = re.compile("(low|poor) mood", re.IGNORECASE)
    assert (late.pattern, late.flags, late.groups) == (made.pattern, made.flags, made.groups)
    assert late.sub("x", "Low mood, poor MOOD") == "x, x"
    assert [each.span() for each in late.finditer("low mood")] == [(0, 8)]


@pytest.mark.parametrize("name", MODULES)
def test_every_pattern_can_be_compiled(name) -> None:
    for each in vars(import_module(f"assay.derive.{name}")).values():
        if isinstance(getattr(each, "pattern", None), str):
            assert each.groups == re.compile(each.pattern, each.flags).groups


def test_a_pattern_can_be_copied_and_stored() -> None:
    late = patterns.compile("(low|poor) mood", patterns.IGNORECASE)
    assert copy.deepcopy(late).search("LOW MOOD")
    assert late.search("poor mood")
    for each in (copy.copy(late), copy.deepcopy(late), pickle.loads(pickle.dumps(late))):  # noqa: S301 - it was stored right here
        assert (each.pattern, each.flags) == (late.pattern, late.flags)
        assert each.fullmatch("low mood")


def test_what_looks_at_an_object_compiles_no_pattern() -> None:
    late = patterns.compile("(broken")
    assert not hasattr(late, "__array__")
    with pytest.raises(re.error):
        late.search("broken")
