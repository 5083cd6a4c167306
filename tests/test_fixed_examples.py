"""The examples of `make test` are the same on every machine, whatever ran before."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.internal.cache import LRUCache
from hypothesis.internal.conjecture import providers

from tests.conftest import PROFILE

pytestmark = pytest.mark.skipif(PROFILE != "fixed", reason="`make soak` searches at random")


def examples(monkeypatch):
    """Return what a process draws that has drawn nothing yet."""
    monkeypatch.setattr(providers, "CONSTANTS_CACHE", LRUCache(1024))
    seen = []

    @settings(max_examples=50)
    @given(st.lists(st.integers() | st.text(max_size=9)))
    def collect(value):
        seen.append(value)

    collect()
    return seen


def test_examples_do_not_depend_on_what_is_loaded(tmp_path, monkeypatch):
    before = examples(monkeypatch)
    for number in range(50):
        module = ModuleType(f"telling_{number}")
        module.__file__ = str(tmp_path / f"{module.__name__}.py")
        told = [f"TOLD = {10**9 + 7919 * number + n}, 'told {number} {n}'\n" for n in range(40)]
        Path(module.__file__).write_text("".join(told))
        monkeypatch.setitem(sys.modules, module.__name__, module)
    assert examples(monkeypatch) == before


def test_a_second_run_draws_the_same(monkeypatch):
    assert examples(monkeypatch) == examples(monkeypatch)
