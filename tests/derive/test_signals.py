"""Cells become numbers and states, and are named in few words."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from assay.derive.signals import State, found, signal


def test_each_kind_of_cell_has_its_state():
    cells = [1, 0.5, None, False, np.float32(2), np.int64(3), np.bool_(1), "1", {}, State.MISSING]
    given = signal(cells)
    number, null, missing, boolean, other = State
    expected = [number, number, null, boolean, number, number, boolean, other, other, missing]
    assert given.state.tolist() == expected
    np.testing.assert_array_equal(given.value, [1, 0.5, np.nan, 0, 2, 3, 1, *[np.nan] * 3])


def test_no_cells_are_no_rows():
    assert signal([]).value.shape == signal([]).state.shape == (0,)


def test_a_number_too_large_for_a_float_is_infinite():
    assert signal([10**400, 1, None]).value.tolist()[:2] == [np.inf, 1.0]
    assert signal([-(10**400)]).value.tolist() == [-np.inf]


def test_nulls_among_numbers_are_told_from_nan():
    given = signal([10**400, None, float("nan"), 0.5])
    assert given.state.tolist() == [State.NUMBER, State.NULL, State.NUMBER, State.NUMBER]
    np.testing.assert_array_equal(given.value, [np.inf, np.nan, np.nan, 0.5])


def test_rows_are_taken_in_the_order_given():
    taken = signal([1, None, 3]).take(np.array([2, 1]))
    assert taken.state.tolist() == [State.NUMBER, State.NULL]
    assert taken.value[0] == 3


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (State.MISSING, "nothing"),
        (float("nan"), "NaN"),
        (float("inf"), "inf"),
        (10**30, "a number beyond 64 bits"),
        (-3, "-3"),
        ("x" * 90, f"the text '{'x' * 57}…'"),
        ("\ud800\n", r"the text '\ud800\n'"),
    ],
)
def test_what_was_found_is_short_and_printable(cell, words):
    assert found(cell) == words


def test_exact_numbers_of_python_are_numbers():
    given = signal([Decimal("0.5"), Fraction(1, 4), np.float32(2), Decimal("sNaN"), 1 + 0j])
    assert given.value.tolist()[:3] == [0.5, 0.25, 2.0]
    assert np.isnan(given.value[3:]).all()
    assert given.state.tolist() == [0, 0, 0, 0, State.OTHER]
    assert signal([Decimal("0.5"), Decimal("1e999")]).value.tolist() == [0.5, np.inf]
