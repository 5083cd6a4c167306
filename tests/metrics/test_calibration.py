"""The calibration metrics against their slow definitions and by hand."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import ColumnError, UsageError
from assay.metrics import calibration
from assay.metrics.calibration import (
    Bins,
    cumulative_differences,
    ks_cdf,
    kuiper_cdf,
    reliability_table,
)
from assay.metrics.calibration.bins import bin_of
from assay.registry import METRICS
from tests import calibration_oracles as oracles
from tests.strategies import class_probabilities, copies, labels, tables

pytestmark = pytest.mark.usefixtures("engine")

BINARY = ("correct", "probability")
CUTS = list(product(("uniform", "uniform-exact", "quantile", "scores"), ("left", "right")))
binary_tables = tables(BINARY, weight="copies")


def close(found, wanted):
    assert found == pytest.approx(float(wanted), rel=1e-9, abs=1e-12)


# Over bins


@pytest.mark.parametrize(("strategy", "closed"), CUTS)
@given(table=binary_tables, n_bins=st.sampled_from((1, 2, 3, 7, 10, 15)))
def test_errors_over_bins_follow_their_definitions(strategy, closed, table, n_bins):
    options = {"n_bins": n_bins, "strategy": strategy, "closed": closed}
    rows = oracles.rows(**table)
    bins = oracles.cut(rows, n_bins, strategy, closed)
    close(calibration.ece(**table, **options), oracles.ece(rows, bins))
    close(calibration.max_calibration_error(**table, **options), oracles.max_error(bins))
    wanted = math.sqrt(oracles.reliability(rows, bins))
    close(calibration.rms_calibration_error(**table, **options), wanted)
    wanted = math.sqrt(oracles.debiased_square(rows, bins))
    found = calibration.debiased_rms_calibration_error(**table, **options)
    assert found == pytest.approx(wanted, abs=1e-7)


@settings(max_examples=15)
@given(table=binary_tables, n_bins=st.sampled_from((1, 3, 10)))
def test_debiased_ece_takes_off_the_bias_of_the_plug_in(table, n_bins):
    rows = oracles.rows(**table)
    wanted = oracles.debiased_ece(rows, oracles.cut(rows, n_bins, "uniform", "left"))
    assert calibration.debiased_ece(**table, n_bins=n_bins) == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize(("strategy", "closed"), CUTS)
@given(table=binary_tables)
def test_parts_of_the_brier_score_follow_their_definitions_and_add_up(strategy, closed, table):
    options = {"strategy": strategy, "closed": closed, "n_bins": 4}
    rows = oracles.rows(**table)
    bins = oracles.cut(rows, 4, strategy, closed)
    parts = {
        "brier_reliability": oracles.reliability(rows, bins),
        "brier_resolution": oracles.resolution(rows, bins),
        "brier_within_bins": oracles.within_bins(rows, bins),
    }
    found = {name: METRICS[name].function(**table, **options) for name in parts}
    for name, wanted in parts.items():
        close(found[name], wanted)
    uncertainty = calibration.brier_uncertainty(**table)
    close(uncertainty, oracles.uncertainty(rows))
    whole = found["brier_reliability"] - found["brier_resolution"] + uncertainty
    close(whole + found["brier_within_bins"], oracles.brier(rows))
    if strategy == "scores":
        assert found["brier_within_bins"] == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("n_bins", [1, 2, 3, 7, 10, 15, 49, 50, 100, 1000])
@pytest.mark.parametrize("closed", ["left", "right"])
@pytest.mark.parametrize("strategy", ["uniform", "uniform-exact"])
def test_scores_at_and_beside_every_edge_fall_where_a_comparison_puts_them(
    n_bins, closed, strategy
):
    edges = np.linspace(0, 1, n_bins + 1)
    if strategy == "uniform-exact":
        edges = np.arange(n_bins + 1) / n_bins
    beside = [np.nextafter(edges, 2), np.nextafter(edges, -1), edges, np.arange(1001) / 1000]
    scores = np.clip(np.concatenate(beside), 0, 1)
    side = "right" if closed == "left" else "left"
    wanted = np.clip(np.searchsorted(edges, scores, side=side) - 1, 0, n_bins - 1)
    np.testing.assert_array_equal(bin_of(scores, Bins(n_bins, strategy, closed)), wanted)


@pytest.mark.parametrize("n_bins", [1, 2, 5, 10, 50])
def test_edges_of_mapie_fall_where_digitize_puts_them(n_bins):
    edges = np.linspace(0, 1, n_bins)
    beside = [np.nextafter(edges, 2), np.nextafter(edges, -1), edges, np.arange(101) / 100]
    scores = np.clip(np.concatenate(beside), 0, 1)
    wanted = np.digitize(scores, edges, right=True)
    np.testing.assert_array_equal(bin_of(scores, Bins(n_bins, "mapie-uniform")), wanted)


def test_decimal_edges_differ_from_rounded_ones_in_the_last_bit():
    correct, probability = [1, 0], [0.3, 0.35]
    assert calibration.ece(correct, probability) == pytest.approx((0.7 + 0.35) / 2)
    exact = calibration.ece(correct, probability, strategy="uniform-exact")
    assert exact == pytest.approx((0.7 - 0.35) / 2)


def test_equal_mass_keeps_ties_together_where_their_first_or_last_row_lies():
    probability = [0.1, 0.2, 0.2, 0.2, 0.3, 0.4]
    first = reliability_table([0] * 6, probability, n_bins=3, strategy="quantile")
    last = reliability_table([0] * 6, probability, n_bins=3, strategy="quantile", closed="right")
    assert first.count.tolist() == [4, 0, 2]
    assert last.count.tolist() == [1, 3, 2]


@pytest.mark.parametrize("name", ["ece", "max_calibration_error", "brier_reliability"])
def test_no_bin_at_all_and_more_than_a_million_are_refused(name):
    with pytest.raises(UsageError, match="`n_bins` must be at most 1,000,000, found 1000000000"):
        METRICS[name].function([0, 1], [0.5, 0.5], n_bins=10**9)
    with pytest.raises(UsageError, match="`n_bins` must be at least 1, found 0"):
        METRICS[name].function([0, 1], [0.5, 0.5], n_bins=0)


# Proper scores


@given(table=binary_tables, clip=st.sampled_from((1e-6, 1e-15, 0.01)))
def test_proper_scores_follow_their_definitions(table, clip):
    rows = oracles.rows(**table)
    close(calibration.brier(**table), oracles.brier(rows))
    close(calibration.nll(**table, clip=clip), oracles.nll(rows, clip))


def test_wrong_certainty_costs_what_the_clip_leaves():
    assert calibration.nll([0], [1.0]) == pytest.approx(-math.log(1e-6), rel=1e-9)
    assert calibration.nll([0], [1.0], clip=0.0) == math.inf
    assert calibration.nll([1], [1.0], clip=0.0) == 0.0
    assert calibration.multiclass_nll([1], [[1.0, 0.0]], clip=0.0) == math.inf


@pytest.mark.parametrize("clip", [-0.1, 0.5, math.nan])
def test_clip_that_leaves_nothing_is_refused(clip):
    wanted = r"`clip` must be (a number|at least 0 and below 0\.5), found"
    with pytest.raises(UsageError, match=wanted):
        calibration.nll([0, 1], [0.5, 0.5], clip=clip)


# Cumulative differences


@given(table=binary_tables)
def test_walk_and_its_extremes_follow_their_definitions(table):
    rows = oracles.rows(**table)
    points, spread = oracles.walk(rows), oracles.variance(rows)
    total = oracles.size(rows)
    found = cumulative_differences(**table)
    kept = np.append(True, np.diff(found.share) > 0)
    wanted = [float(each / total) for each in points]
    np.testing.assert_allclose(found.difference[kept], wanted, atol=1e-12)
    close(calibration.cumulative_difference(**table), points[-1] / total)
    close(calibration.length_scale(**table), math.sqrt(spread) / float(total))
    by_row = oracles.walk_by_row(rows)
    for ties, path in (("group", points), ("stable", by_row)):
        if not spread:
            assert math.isnan(calibration.ks_calibration(**table, ties=ties))
            continue
        close(calibration.ks_calibration(**table, ties=ties), oracles.ks(path, spread))
        for start in ("zero", "mapie", "printed"):
            found = calibration.kuiper_calibration(**table, ties=ties, start=start)
            assert found == pytest.approx(oracles.kuiper(path, spread, start), abs=1e-9)


@given(table=tables(BINARY))
def test_rows_without_weight_walk_as_those_with_one(table):
    weight = np.ones(len(table["correct"]))
    for start in ("zero", "mapie", "printed"):
        bare = calibration.kuiper_calibration(**table, start=start)
        weighted = calibration.kuiper_calibration(**table, weight=weight[None], start=start)[0]
        assert bare == pytest.approx(weighted, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("decimals", [1, 3, 9])
@pytest.mark.parametrize("bend", [1.0, 1.5])
def test_walk_sorted_in_parts_is_the_walk_sorted_as_a_whole(decimals, bend):
    generator = np.random.default_rng(decimals)
    probability = np.round(generator.random(60_000), decimals)
    correct = generator.random(60_000) < probability**bend
    score, first = np.unique(np.sort(probability), return_index=True)
    order = np.argsort(probability, kind="stable")
    gaps = (correct - probability)[order].cumsum()
    walk = gaps[np.append(first[1:], 60_000) - 1]
    assert walk.size == score.size
    scale = math.sqrt((probability * (1 - probability)).sum())
    ranges = {
        "zero": max(walk.max(), 0) - min(walk.min(), 0),
        "mapie": walk.max() - walk.min(),
        "printed": np.abs(walk).max() - np.abs(walk).min(),
    }
    found = calibration.ks_calibration(correct, probability)
    assert found == pytest.approx(np.abs(walk).max() / scale, rel=1e-12)
    for start, wanted in ranges.items():
        found = calibration.kuiper_calibration(correct, probability, start=start)
        assert found == pytest.approx(wanted / scale, rel=1e-12)


@given(table=binary_tables)
def test_spiegelhalter_follows_its_definition(table):
    wanted = oracles.spiegelhalter(oracles.rows(**table))
    found = calibration.spiegelhalter_z(**table)
    if wanted is None:
        assert math.isnan(found)
    else:
        close(found, wanted)


def test_hand_computed_walk():
    walk = cumulative_differences([1, 0, 0, 1], [0.75, 0.25, 0.5, 0.25])
    assert walk.difference.tolist() == [0, 0.125, 0, 0.0625]
    scale = math.sqrt(0.25 + 3 * 0.1875)
    assert calibration.ks_calibration([1, 0, 0, 1], [0.75, 0.25, 0.5, 0.25]) == 0.5 / scale
    assert calibration.kuiper_calibration([1, 0, 0, 1], [0.75, 0.25, 0.5, 0.25]) == 0.5 / scale


# Limit laws


@pytest.mark.parametrize("x", [0.2, 0.5, 0.99, 1.0, 1.01, 1.5, 2.2414, 3.0, 5.0])
def test_laws_are_their_series_on_both_sides_of_the_change(x):
    assert float(ks_cdf(x)) == pytest.approx(oracles.ks_law(x), abs=1e-12)
    assert float(kuiper_cdf(x)) == pytest.approx(oracles.kuiper_law(x), abs=1e-12)


def test_laws_have_their_known_values_and_ends():
    assert float(ks_cdf(1.0)) == pytest.approx(0.37078, abs=5e-6)
    assert float(kuiper_cdf(1.0)) == pytest.approx(0.06336, abs=5e-6)
    for law in (ks_cdf, kuiper_cdf):
        assert law(0.0) == 0.0
        assert law([1e-300, 50.0]).tolist() == [0.0, 1.0]
        assert np.isnan(law(math.nan))
        assert (np.diff(law(np.linspace(0, 6, 1001))) >= -1e-15).all()


def test_far_tails_keep_their_digits():
    found = calibration.ks_p_value([1] * 400, [0.5] * 400, law="limit")
    assert found == pytest.approx(4 * 2.75362411860623e-89, rel=1e-9)


# Smooth error


@settings(max_examples=5)
@given(table=tables(BINARY, weight="copies", max_rows=8))
def test_smooth_error_is_the_fixed_point_of_its_definition(table):
    wanted = oracles.smooth_ece(oracles.rows(**table))
    assert calibration.smooth_ece(**table) == pytest.approx(
        wanted, abs=2.1e-3 if wanted < 3e-3 else 2e-5
    )


def test_smooth_error_of_a_constant_is_its_gap():
    assert calibration.smooth_ece([1, 0], [0.9, 0.9]) == pytest.approx(0.4, abs=1e-9)


def test_smooth_error_below_the_grid_is_what_the_narrowest_kernel_leaves():
    correct, probability = [1] * 999 + [0], [0.9995] * 1000
    found = calibration.smooth_ece(correct, probability)
    assert found == pytest.approx(0.0005, abs=1e-9)
    assert calibration.smooth_ece([0, 1], [0.0, 1.0]) == 0.0


# Several classes


@given(st.data())
def test_errors_of_several_classes_follow_their_definitions(data):
    n = data.draw(st.integers(1, 12))
    stated, label = data.draw(class_probabilities(n)), data.draw(labels(n))
    weight = data.draw(copies(n))

    def bins(table):
        return oracles.cut(table, 10, "uniform", "left")

    for among in ("predicted", "all"):
        wanted = oracles.top_label_ece(label, stated.tolist(), weight, bins, among)
        close(calibration.top_label_ece(label, stated, weight=weight, labels=among), wanted)
    by_class = [calibration.ece(label == k, stated[:, k], weight=weight) for k in range(3)]
    close(calibration.class_wise_ece(label, stated, weight=weight), np.mean(by_class))
    hot = np.eye(3)[label.astype(int)]
    close(
        calibration.multiclass_brier(label, stated, weight=weight),
        np.average(((hot - stated) ** 2).sum(-1), weights=weight),
    )
    surprise = -np.log(np.clip((hot * stated).sum(-1), 1e-6, 1 - 1e-6))
    wanted = np.average(surprise, weights=weight)
    close(calibration.multiclass_nll(label, stated, weight=weight), wanted)


@pytest.mark.parametrize(
    "name", ["top_label_ece", "class_wise_ece", "multiclass_brier", "multiclass_nll"]
)
@pytest.mark.parametrize("weight", [None, [1, 2]])
def test_label_that_is_no_class_is_refused_with_its_row(name, weight):
    message = r"`label` must be below 2, the number of classes .* found 2 at row 1 \(1 of 2 rows\)"
    with pytest.raises(ColumnError, match=message):
        METRICS[name].function([0, 2], [[0.5, 0.5], [0.5, 0.5]], weight=weight)


def test_probabilities_that_do_not_sum_to_one_are_refused_and_counted():
    with pytest.raises(ColumnError, match=r"sum to 1 .* found 0\.9 at row 0 \(1 of 2 rows"):
        calibration.multiclass_brier([0, 1], [[0.5, 0.4], [0.5, 0.5]])


def test_two_classes_have_twice_the_binary_brier_score_and_the_same_likelihood():
    correct, probability = np.array([0, 1, 1, 0]), np.array([0.2, 0.7, 0.4, 0.9])
    both = np.stack([1 - probability, probability], axis=-1)
    twice = 2 * calibration.brier(correct, probability)
    close(calibration.multiclass_brier(correct, both), twice)
    close(calibration.multiclass_nll(correct, both), calibration.nll(correct, probability))
