"""Losses: each formula by hand, and what it needs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.losses import LOSSES, loss_range, losses, raw_multiplier
from assay.errors import UsageError

PREDICTION, TRUTH = [3.0, 1.0, 0.0, np.nan], [1.0, 1.0, 3.0, 2.0]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("abs", [2.0, 0.0, 3.0, np.nan]),
        ("abs_norm", [2 / 3, 0.0, 1.0, np.nan]),
        ("squared", [4.0, 0.0, 9.0, np.nan]),
        ("zero_one", [1.0, 0.0, 1.0, np.nan]),
    ],
)
def test_a_loss_is_its_formula_and_undefined_where_abstained(name, expected):
    np.testing.assert_array_equal(losses(name, PREDICTION, TRUTH, scale=(0, 3)), expected)


def test_only_the_normalized_loss_needs_the_scale():
    for name in LOSSES.keys() - {"abs_norm"}:
        assert losses(name, [1.0], [1.0]).tolist() == [0.0]
    with pytest.raises(UsageError, match="loss abs_norm needs the two ends of the scale"):
        losses("abs_norm", [1.0], [1.0])


def test_an_unknown_loss_lists_the_losses():
    with pytest.raises(UsageError, match="there is no loss 'mae'") as caught:
        losses("mae", [1.0], [1.0])
    assert caught.value.hint == "the losses are abs, abs_norm, squared, zero_one"


@given(st.sampled_from(sorted(LOSSES)), st.floats(-5, 5), st.floats(0.5, 5), st.data())
def test_a_loss_lies_between_zero_and_its_range(name, low, width, data):
    scale = (low, low + width)
    inside = st.floats(*scale)
    loss = losses(name, [data.draw(inside)], [data.draw(inside)], scale=scale)[0]
    largest = loss_range(name, scale)
    assert largest is not None
    assert 0.0 <= loss <= largest * (1 + 1e-12)
    assert losses(name, [scale[0]], [scale[1]], scale=scale)[0] == pytest.approx(largest)


def test_the_multiplier_leads_back_to_the_unit_of_the_scale():
    assert raw_multiplier("abs_norm", (0, 3)) == 3
    assert {raw_multiplier(name, None) for name in ("abs", "squared", "zero_one")} == {1.0}


def test_a_range_is_unknown_without_a_scale_only_where_it_depends_on_one():
    unknown = {name for name in LOSSES if loss_range(name, None) is None}
    assert unknown == {"abs", "squared"}
