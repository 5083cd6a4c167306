"""The examples of `make test` are the same on every machine, whatever ran before."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import PROFILE

pytestmark = pytest.mark.skipif(PROFILE != "fixed", reason="`make soak` searches at random")


def examples():
    seen = []

    @settings(max_examples=50)
    @given(st.lists(st.integers() | st.text(max_size=9)))
    def collect(value):
        seen.append(value)

    collect()
    return seen


def test_examples_do_not_depend_on_what_is_loaded(tmp_path, monkeypatch):
    before = examples()
    path = tmp_path / "telling.py"
    path.write_text("NUMBER, TEXT = 918273645546372819, 'a telling text'\n" * 50)
    module = ModuleType("telling")
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, "telling", module)
    assert examples() == before


def test_a_second_run_draws_the_same():
    assert examples() == examples()
