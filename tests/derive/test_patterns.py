"""Patterns that are compiled when they are first used."""

from __future__ import annotations

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
