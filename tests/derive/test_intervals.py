from __future__ import annotations

import re

import numpy as np
import pytest

from assay.derive.intervals import (
    bounds_by_level,
    crossed_rows,
    refuse_crossed,
    refuse_missing,
    unbounded_rows,
)
from assay.errors import ColumnError, UsageError


def place(row):
    return f"t.csv, line {row + 2}"


def test_two_axes_are_one_level():
    [(low, up)] = bounds_by_level(np.array([[0, 1], [2, 5], [3, 3]]), name="t")
    assert low.tolist() == [0, 2, 3]
    assert up.tolist() == [1, 5, 3]
    assert low.dtype == np.float64


def test_three_axes_are_a_pair_of_bounds_per_level():
    given = np.arange(12.0).reshape(3, 2, 2)
    levels = bounds_by_level(given, name="t")
    assert len(levels) == 2
    for number, (low, up) in enumerate(levels):
        assert low.tolist() == given[:, 0, number].tolist()
        assert up.tolist() == given[:, 1, number].tolist()
        assert low.flags.c_contiguous


@pytest.mark.parametrize("shape", [(3,), (3, 3), (3, 1, 2), (3, 2, 0), (0, 2), (2, 2, 2, 2)])
def test_other_shapes_are_refused_with_the_shape_found(shape):
    wanted = f"i must have the shape (rows, 2) or (rows, 2, levels), found {shape}"
    with pytest.raises(UsageError, match=re.escape(wanted)) as caught:
        bounds_by_level(np.zeros(shape), name="i")
    assert caught.value.hint == "lower bounds first, upper bounds second"


def test_bounds_are_crossed_where_the_lower_one_is_above():
    low, up = np.array([0.0, 2.0, 1.0]), np.array([1.0, 1.0, 1.0])
    assert crossed_rows(low, up).tolist() == [False, True, False]


def test_crossed_bounds_are_refused_with_place_names_values_and_count():
    low, up = np.array([0.0, 2.0, 9.0]), np.array([1.0, 1.5, 1.0])
    message = "t.csv, line 3: the bounds in `a` and `b` are crossed, 2 is above 1.5 (2 of 3 rows)"
    with pytest.raises(ColumnError, match=re.escape(message)) as caught:
        refuse_crossed(low, up, names=("a", "b"), place=place)
    assert "`crossed` swap" in str(caught.value.hint)
    assert "`crossed` empty" in str(caught.value.hint)


def test_bounds_that_touch_are_not_crossed():
    refuse_crossed(np.array([1.0]), np.array([1.0]), names=("a", "b"), place=place)


def test_a_missing_bound_is_refused_with_its_place():
    message = "t.csv, line 3: `a` must be a number, found NaN (1 of 2 rows)"
    with pytest.raises(ColumnError, match=re.escape(message)) as caught:
        refuse_missing(np.array([0.0, np.nan]), name="a", place=place)
    assert "infinite bound" in str(caught.value.hint)


def test_infinite_bounds_are_not_missing_and_are_counted_as_unbounded():
    low, up = np.array([-np.inf, 0.0, -np.inf]), np.array([0.0, 1.0, np.inf])
    refuse_missing(low, name="a", place=place)
    assert unbounded_rows(low, up).tolist() == [True, False, True]
