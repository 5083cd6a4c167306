"""The reliability table and the p-values by redrawing."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy.stats import binomtest

from assay.errors import ColumnError, UsageError
from assay.metrics import calibration
from assay.metrics.calibration import monte_carlo_p_value, reliability_table

CORRECT = np.array([0, 1, 0, 1, 1, 0, 1, 1])
PROBABILITY = np.array([0.1, 0.1, 0.3, 0.6, 0.6, 0.6, 0.95, 1.0])
STATISTICS = {
    "ks_calibration": calibration.ks_calibration,
    "kuiper_calibration": calibration.kuiper_calibration,
    "spiegelhalter_z": calibration.spiegelhalter_z,
    "spiegelhalter_two_sided": lambda *given: abs(calibration.spiegelhalter_z(*given)),
    "ece": calibration.ece,
}


# The table


def test_table_says_of_every_bin_what_it_holds():
    table = reliability_table(CORRECT, PROBABILITY, n_bins=4)
    assert table.low.tolist() == [0, 0.25, 0.5, 0.75]
    assert table.high.tolist() == [0.25, 0.5, 0.75, 1]
    assert table.count.tolist() == [2, 1, 3, 2]
    np.testing.assert_allclose(table.mean_probability, [0.1, 0.3, 0.6, 0.975])
    np.testing.assert_allclose(table.accuracy, [0.5, 0, 2 / 3, 1])
    assert (table.level, table.interval) == (0.95, "wilson")


def test_table_cannot_be_changed():
    table = reliability_table(CORRECT, PROBABILITY)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign"):
        table.level = 0.9


@pytest.mark.parametrize(
    ("interval", "theirs"), [("wilson", "wilson"), ("clopper-pearson", "exact")]
)
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_intervals_of_bins_are_those_of_scipy(interval, theirs, level):
    table = reliability_table(CORRECT, PROBABILITY, n_bins=4, interval=interval, level=level)
    right = np.rint(table.accuracy * table.count).astype(int)
    for each, k in enumerate(right):
        test = binomtest(int(k), int(table.count[each])).proportion_ci(level, method=theirs)
        assert table.interval_low[each] == pytest.approx(test.low, abs=1e-12)
        assert table.interval_high[each] == pytest.approx(test.high, abs=1e-12)


@pytest.mark.parametrize("interval", ["wilson", "clopper-pearson"])
def test_empty_bin_has_edges_and_nothing_else(interval):
    table = reliability_table([1], [0.9], n_bins=2, interval=interval)
    assert table.count.tolist() == [0, 1]
    for column in (table.mean_probability, table.accuracy, table.interval_low, table.interval_high):
        assert np.isnan(column).tolist() == [True, False]
    assert not np.isnan(table.low).any()


def test_bins_of_equal_mass_begin_and_end_at_their_scores():
    table = reliability_table(CORRECT, PROBABILITY, n_bins=3, strategy="quantile")
    assert table.count.tolist() == [3, 3, 2]
    assert table.low.tolist() == [0.1, 0.6, 0.95]
    assert table.high.tolist() == [0.3, 0.6, 1.0]


def test_every_distinct_score_may_be_a_bin():
    table = reliability_table(CORRECT, PROBABILITY, strategy="scores", n_bins=2)
    assert table.low.tolist() == table.high.tolist() == [0.1, 0.3, 0.6, 0.95, 1.0]
    assert table.count.tolist() == [2, 1, 3, 1, 1]


def test_bins_of_mapie_have_their_own_ends():
    table = reliability_table(CORRECT, PROBABILITY, strategy="mapie-uniform", n_bins=3)
    assert table.low.tolist() == [0, 0, 0.5]
    assert table.high.tolist() == [0, 0.5, 1]
    assert table.count.tolist() == [0, 3, 5]
    table = reliability_table(CORRECT, PROBABILITY, strategy="mapie-quantile", n_bins=3)
    assert table.count.tolist() == [2, 4, 2]


def test_weight_of_a_table_is_copies_of_its_rows():
    copies = np.array([1, 0, 3, 2, 0, 1, 1, 2])
    for strategy in ("uniform", "quantile", "scores", "mapie-quantile"):
        one = reliability_table(CORRECT, PROBABILITY, weight=copies, strategy=strategy, n_bins=3)
        other = reliability_table(
            np.repeat(CORRECT, copies), np.repeat(PROBABILITY, copies), strategy=strategy, n_bins=3
        )
        for column in ("low", "high", "accuracy", "interval_low"):
            mine, theirs = getattr(one, column), getattr(other, column)
            kept = one.count > 0
            np.testing.assert_allclose(mine[kept], theirs[other.count > 0])


def test_table_adds_up_to_the_error():
    table = reliability_table(CORRECT, PROBABILITY, n_bins=3)
    gaps = np.nan_to_num(np.abs(table.accuracy - table.mean_probability))
    assert calibration.ece(CORRECT, PROBABILITY, n_bins=3) == pytest.approx(
        (table.count * gaps).sum() / table.count.sum()
    )


# Redrawn outcomes


@pytest.mark.parametrize("statistic", STATISTICS)
def test_redrawn_p_value_is_the_share_of_outcomes_that_look_as_bad(statistic):
    correct, probability = np.array([1, 1, 1, 0, 0]), np.array([0.2, 0.2, 0.6, 0.6, 0.8])
    function = STATISTICS[statistic]
    observed = function(correct, probability)
    exact = 0.0
    for code in range(32):
        outcome = np.array([code >> bit & 1 for bit in range(5)])
        chance = np.prod(np.where(outcome, probability, 1 - probability))
        exact += chance * (function(outcome, probability) >= observed - 1e-12)
    found = monte_carlo_p_value(correct, probability, statistic=statistic, n_draws=20_000)
    assert found.p_value == pytest.approx(exact, abs=5 * found.standard_error)
    assert (found.statistic, found.n_draws, found.seed) == (statistic, 20_000, 42)


def test_seed_decides_the_draws_and_blocks_do_not(monkeypatch):
    generator = np.random.default_rng(1)
    probability = generator.random(300)
    correct = generator.random(300) < probability
    one = monte_carlo_p_value(correct, probability, n_draws=500, seed=7)
    assert monte_carlo_p_value(correct, probability, n_draws=500, seed=7) == one
    assert monte_carlo_p_value(correct, probability, n_draws=500, seed=8) != one
    monkeypatch.setitem(monte_carlo_p_value.__globals__, "VALUES_AT_ONCE", 1_000)
    assert monte_carlo_p_value(correct, probability, n_draws=500, seed=7) == one


@pytest.mark.parametrize("strategy", ["uniform", "quantile", "scores", "mapie-array-split"])
def test_redrawn_error_uses_the_bins_of_the_scores(strategy):
    found = monte_carlo_p_value(
        [1] * 8, PROBABILITY, statistic="ece", strategy=strategy, n_bins=3, n_draws=99
    )
    assert 0 < found.p_value <= 1


def test_weight_of_redrawn_rows_is_copies():
    copies = np.array([1, 0, 3, 2, 0, 1, 1, 2])
    one = monte_carlo_p_value(CORRECT, PROBABILITY, weight=copies, n_draws=200)
    other = monte_carlo_p_value(
        np.repeat(CORRECT, copies), np.repeat(PROBABILITY, copies), n_draws=200
    )
    assert one == other
    with pytest.raises(ColumnError, match="`weight` must be whole numbers for redrawn outcomes"):
        monte_carlo_p_value(CORRECT, PROBABILITY, weight=copies / 2)


@pytest.mark.parametrize("probability", [[0.0, 1.0], []])
def test_nothing_to_redraw_is_undefined(probability):
    found = monte_carlo_p_value([0] * len(probability), probability)
    assert math.isnan(found.p_value)
    assert math.isnan(found.standard_error)


def test_no_draws_and_more_than_ten_million_are_refused():
    with pytest.raises(UsageError, match="at most 10,000,000, found 1000000000000"):
        monte_carlo_p_value([1, 0], [0.5, 0.5], n_draws=10**12)
    with pytest.raises(UsageError, match="`n_draws` must be at least 1, found 0"):
        monte_carlo_p_value([0, 1], [0.5, 0.5], n_draws=0)
