"""Interval metrics against their definitions, MAPIE, scoringrules and values worked out by hand."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import scoringrules
from hypothesis import given
from hypothesis import strategies as st
from mapie.metrics import regression as mapie
from scipy.stats import binom, binomtest

from assay.columns import Resamples
from assay.errors import ColumnError, UsageError
from assay.inference import Plan, bootstrap, estimate
from assay.metrics.intervals import (
    coverage_p_value,
    cwc,
    cwc_coverage_term,
    cwc_width_term,
    group_coverage,
    hsic_p_value,
    interval_coverage,
    interval_coverage_gap,
    interval_width,
    size_strata,
    size_stratified_coverage,
    width_quantile,
    winkler,
    winkler_over,
    winkler_under,
    winkler_width,
)
from tests import conformal_oracles as oracle
from tests.strategies import copies, tables

TRUTH, LOW, UP = [1, 2, 3, 4], [0, 2, 4, 3], [1, 3, 5, 6]
SPANS = ("truth", "low", "up")
finite_tables = tables(SPANS).filter(lambda t: np.isfinite([t["low"], t["up"]]).all())


def rows_of(table):
    return list(zip(*(table[name].tolist() for name in SPANS), strict=True))


def crossed_table(draw_seed: int, n: int, *, decimals: int | None = None):
    rng = np.random.default_rng(draw_seed)
    truth, low, up = rng.normal(size=(3, n))
    up += 1.0
    if decimals is not None:
        truth, low, up = (np.round(each, decimals) for each in (truth, low, up))
    return truth, low, up


def shaped_for_mapie(low, up):
    return np.stack([low, up], axis=1)[:, :, None]


# Values worked out by hand


def test_four_rows_by_hand():
    assert interval_coverage(TRUTH, LOW, UP) == 0.75
    assert interval_coverage_gap(TRUTH, LOW, UP, level=0.5) == 0.25
    assert interval_width(TRUTH, LOW, UP) == 1.5
    assert winkler(TRUTH, LOW, UP, level=0.5) == 1.5 + 4 * 1 / 4
    assert winkler_under(TRUTH, LOW, UP, level=0.5) == 1.0
    assert winkler_over(TRUTH, LOW, UP, level=0.5) == 0.0
    assert winkler(TRUTH, LOW, UP, level=0.5, formula="printed") == 1.5 + 4 * 1
    assert cwc(TRUTH, LOW, UP, level=0.75) == 1 - 1.5 / 3
    assert cwc(TRUTH, LOW, UP, level=0.75, formula="printed") == 1 - 1.5
    assert cwc_coverage_term(TRUTH, LOW, UP, level=0.5, eta=16) == math.exp(-1)


def test_bounds_are_inclusive():
    assert interval_coverage([1.0, 2.0], [1.0, 0.0], [3.0, 2.0]) == 1.0


def test_width_quantile_is_a_width_that_occurs():
    widths = [1, 2, 3, 4, 5]
    zeros = [0] * 5
    assert width_quantile(zeros, zeros, widths) == 3
    assert width_quantile(zeros, zeros, widths, share=1.0) == 5
    assert width_quantile(zeros, zeros, widths, share=0.2) == 1
    assert width_quantile(zeros, zeros, widths, share=0.21) == 2
    assert width_quantile(zeros, zeros, widths, weight=[0, 0, 1, 0, 9]) == 5


def test_share_that_is_a_whole_number_of_rows_takes_that_many():
    for n in range(1, 120):
        zeros, widths = np.zeros(n), np.arange(1.0, n + 1)
        for k in range(1, n + 1):
            assert width_quantile(zeros, zeros, widths, share=k / n) == k


# The slow definitions


@given(finite_tables, st.sampled_from((0.5, 0.8, 0.9)))
def test_sums_equal_their_definitions(table, level):
    rows = rows_of(table)
    close = {"rel": 1e-12, "abs": 1e-12}
    assert interval_coverage(**table) == pytest.approx(oracle.coverage(rows), **close)
    gap = interval_coverage_gap(**table, level=level)
    assert gap == pytest.approx(oracle.coverage(rows) - level, **close)
    assert interval_width(**table) == pytest.approx(oracle.width(rows), **close)
    parts = [f(**table) for f in (winkler_width,)]
    parts += [f(**table, level=level) for f in (winkler_under, winkler_over)]
    assert parts == pytest.approx(oracle.winkler_parts(rows, level), **close)
    assert winkler(**table, level=level) == pytest.approx(sum(parts), **close)
    printed = winkler(**table, level=level, formula="printed")
    assert printed == pytest.approx(oracle.winkler_printed(rows, level), **close)


@given(finite_tables, st.sampled_from((0.5, 0.9)), st.sampled_from((0.0, 1.0, 30.0)))
def test_cwc_equals_its_definition_and_its_parts_multiply(table, level, eta):
    rows = rows_of(table)
    found = cwc(**table, level=level, eta=eta)
    parts = cwc_width_term(**table) * cwc_coverage_term(**table, level=level, eta=eta)
    if np.ptp(table["truth"]) == 0:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(oracle.cwc(rows, level, eta), rel=1e-12, abs=1e-12)
        assert found == parts
    printed = cwc(**table, level=level, eta=eta, formula="printed")
    assert printed == pytest.approx(oracle.cwc(rows, level, eta, raw=True), rel=1e-12, abs=1e-12)


@given(finite_tables, st.integers(1, 5))
def test_size_strata_equal_their_definition_weighted_or_not(table, n_groups):
    n_groups = min(n_groups, max(3, len(table["truth"])))
    groups = oracle.size_strata(rows_of(table), n_groups)
    for weight in (None, np.ones(len(table["truth"]))):
        found = size_strata(**table, weight=weight, n_groups=n_groups)
        assert found.n.tolist() == [n for n, _ in groups]
        assert found.covered.tolist() == [hits for _, hits in groups]
        smallest = min(hits / n for n, hits in groups if n)
        options = {"weight": weight, "n_groups": n_groups}
        assert size_stratified_coverage(**table, **options) == smallest
        total = math.fsum(hits / n for n, hits in groups if n)
        printed = size_stratified_coverage(**table, **options, formula="printed")
        assert printed == pytest.approx(total, rel=1e-12)


@given(st.data())
def test_strata_of_a_weight_are_those_of_its_copies(data):
    table = data.draw(finite_tables)
    times = data.draw(copies(len(table["truth"])))
    found = size_strata(**table, weight=times)
    written_out = {name: np.repeat(each, times.astype(int)) for name, each in table.items()}
    wanted = size_strata(**written_out)
    for name in ("n", "covered", "narrowest", "widest"):
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))


@given(finite_tables, st.sampled_from((0.1, 0.25, 0.5, 0.9, 1.0)))
def test_width_quantile_equals_its_definition_weighted_or_not(table, share):
    wanted = oracle.quantile(rows_of(table), Fraction(share).limit_denominator(100))
    for weight in (None, np.ones(len(table["truth"]))):
        assert width_quantile(**table, share=share, weight=weight) == wanted


# Winkler: algebra, and an independent package


@given(finite_tables, st.sampled_from((0.5, 0.8, 0.9)))
def test_winkler_is_at_least_the_mean_width_and_equal_only_if_all_is_covered(table, level):
    score, wide = winkler(**table, level=level), interval_width(**table)
    if interval_coverage(**table) == 1:
        assert score == wide
    else:
        assert score > wide


@given(finite_tables, st.sampled_from((0.5, 0.8, 0.95)))
def test_winkler_is_the_interval_score_of_scoringrules(table, level):
    theirs = scoringrules.interval_score(table["truth"], table["low"], table["up"], 1 - level)
    assert winkler(**table, level=level) == pytest.approx(theirs.mean(), rel=1e-9, abs=1e-12)


# MAPIE 1.6

MAPIE = {"crossed": "mapie"}


@pytest.mark.parametrize("decimals", [None, 1, 0])
@pytest.mark.parametrize("n", [2, 7, 60, 1_000])
@pytest.mark.parametrize("seed", range(3))
def test_metrics_are_those_of_mapie_crossed_bounds_and_ties_included(n, decimals, seed):
    truth, low, up = crossed_table(seed, n, decimals=decimals)
    intervals = shaped_for_mapie(low, up)
    found = {
        interval_coverage(truth, low, up, **MAPIE): mapie.regression_coverage_score(
            truth, intervals
        )[0],
        interval_width(truth, low, up, **MAPIE): mapie.regression_mean_width_score(intervals)[0],
    }
    for level in (0.5, 0.9, 0.95):
        own = winkler(truth, low, up, level=level, **MAPIE)
        found[own] = mapie.regression_mwi_score(truth, intervals, level)
        if np.ptp(truth) > 0:
            for eta in (0.0, 30.0):
                own = cwc(truth, low, up, level=level, eta=eta, **MAPIE)
                found[own] = mapie.coverage_width_based(truth, low, up, eta, level)
    for own, theirs in found.items():
        assert own == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "decimals"), [(30, None), (30, 1), (1_000, None), (1_000, 1), (1_000, 0)]
)
@pytest.mark.parametrize("n_groups", [1, 2, 3, 5])
def test_size_strata_are_those_of_mapie_unstable_ties_included(n, decimals, n_groups):
    truth, low, up = crossed_table(n, n, decimals=decimals)
    intervals = shaped_for_mapie(low, up)
    theirs = mapie.regression_ssc(truth, intervals, num_bins=n_groups)[0]
    options = {"n_groups": n_groups, "ties": "mapie", **MAPIE}
    for weight in (None, np.ones(n)):
        table = size_strata(truth, low, up, weight=weight, **options)
        np.testing.assert_allclose(table.coverage, theirs, rtol=1e-9)
        score = size_stratified_coverage(truth, low, up, weight=weight, **options)
        assert score == pytest.approx(mapie.regression_ssc_score(truth, intervals, n_groups)[0])


# Crossed bounds: one rule everywhere


def test_crossed_bounds_are_refused_with_the_row_and_the_number_of_rows():
    with pytest.raises(ColumnError, match=r"found 5 and 3 at row 1 \(2 of 3 rows\)"):
        interval_coverage([1, 4, 2], [0, 5, 3], [2, 3, 1])


def test_each_rule_for_crossed_bounds_by_hand():
    # Row 0 lies between its crossed bounds, row 1 above both, row 2 is an ordinary interval.
    truth, low, up = [4, 9, 1], [5, 5, 0], [3, 3, 1]
    found = {
        rule: [
            interval_coverage(truth, low, up, crossed=rule),
            interval_width(truth, low, up, crossed=rule),
            winkler_under(truth, low, up, level=0.5, crossed=rule),
            winkler_over(truth, low, up, level=0.5, crossed=rule),
        ]
        for rule in ("swap", "empty", "mapie")
    }
    assert found["swap"] == pytest.approx([2 / 3, 5 / 3, 0, 4 * 4 / 3])
    assert found["empty"] == pytest.approx([1 / 3, 1 / 3, 4 * 1 / 3, 4 * 7 / 3])
    assert found["mapie"] == pytest.approx([1 / 3, 5 / 3, 0, 4 * 4 / 3])


@given(finite_tables)
def test_rules_for_crossed_bounds_agree_where_none_are_crossed(table):
    for function in (interval_coverage, interval_width, winkler, size_stratified_coverage):
        values = {function(**table, crossed=rule) for rule in ("refuse", "swap", "empty")}
        assert len(values) == 1


# Infinite bounds


def test_infinite_bounds_cover_and_say_that_the_width_is_infinite():
    truth, low, up = [1, 2, 3], [-np.inf, 1, 0], [np.inf, np.inf, 2]
    assert interval_coverage(truth, low, up) == 2 / 3
    assert interval_width(truth, low, up) == np.inf
    assert winkler(truth, low, up) == np.inf
    assert cwc(truth, low, up) == -np.inf
    assert cwc(truth, low, up, eta=1e9) == -np.inf
    assert width_quantile(truth, low, up, share=0.3) == 2.0
    assert width_quantile(truth, low, up) == np.inf
    assert size_stratified_coverage(truth, low, up) == 0.0


def test_resample_without_the_infinite_interval_has_a_finite_width():
    widths = interval_width([0, 0], [0, 0], [1, np.inf], weight=[[1, 0], [0, 1], [2, 0]])
    assert widths.tolist() == [1.0, np.inf, 1.0]


def test_both_bounds_at_one_infinity_cover_nothing_and_are_missed_by_infinity():
    found = {"truth": [0.0], "low": [np.inf], "up": [np.inf]}
    assert interval_coverage(**found) == 0.0
    assert interval_width(**found) == 0.0
    assert winkler(**found) == np.inf


# Degenerate tables


def test_constant_target_leaves_cwc_undefined_and_its_printed_form_defined():
    assert math.isnan(cwc([2, 2], [1, 1], [3, 3]))
    assert math.isnan(cwc([2], [1], [3]))
    assert math.isnan(cwc([], [], []))
    assert cwc([2, 2], [1, 1], [3, 3], formula="printed", eta=0.0) == -1.0


def test_resample_of_equal_targets_leaves_cwc_undefined():
    found = cwc([1, 2], [0, 0], [3, 3], weight=[[1, 1], [2, 0], [0, 0]])
    assert np.isnan(found).tolist() == [False, True, True]


ORDERS = list(itertools.permutations(range(6)))[::37]


@pytest.mark.parametrize("ties", [{}, {"weight": [1] * 6}])
def test_equal_widths_stay_in_one_stratum_whatever_the_order_of_the_rows(ties):
    truth, low, up = np.array([[1, 9, 1, 1, 1, 9], [0] * 6, [2, 2, 2, 2, 2, 3]], dtype=float)
    for order in map(list, ORDERS):
        shuffled = truth[order], low[order], up[order]
        table = size_strata(*shuffled, n_groups=2, **ties)
        assert table.n.tolist() == [5, 1]
        assert table.covered.tolist() == [4, 0]
        assert (table.narrowest.tolist(), table.widest.tolist()) == ([2, 3], [2, 3])
        assert size_stratified_coverage(*shuffled, n_groups=2, **ties) == 0.0


def test_widths_that_differ_by_the_rounding_of_their_bounds_are_one_stratum():
    centre = np.array([100.1, 250.3, 333.3, 298.7, 41.9, 511.3])
    low, up = centre - 0.7, centre + 0.7
    assert 0 < np.ptp(up - low) < 2e-13
    for weight in (None, np.ones(6)):
        table = size_strata(centre, low, up, weight=weight)
        assert table.n.tolist() == [0, 6, 0]
    apart = size_strata(centre, low, up + np.repeat([0, 1e-9], 3), n_groups=2)
    assert apart.n.tolist() == [3, 3]


def test_bounds_of_a_billion_are_told_apart_by_a_millisecond():
    low = np.full(4, 1.6e9)
    table = size_strata(low, low, low + np.array([1.0, 1.001, 1.002, 1.003]), n_groups=4)
    assert table.n.tolist() == [1, 1, 1, 1]


def test_many_strata_are_those_of_the_sorted_rows():
    up = np.random.default_rng(3).permutation(40) + 1.0
    table = size_strata(np.where(up > 30, -1.0, 0.0), np.zeros(40), up, n_groups=20)
    assert table.n.tolist() == [2] * 20
    assert table.coverage.tolist() == [1.0] * 15 + [0.0] * 5
    assert table.widest.tolist() == list(range(2, 41, 2))


def test_a_cut_as_near_to_both_ends_of_equal_widths_goes_behind_them():
    table = size_strata([0, 9, 9, 0], [0] * 4, [1] * 4, n_groups=2)
    assert table.n.tolist() == [4, 0]
    assert table.coverage.tolist()[0] == table.minimum == 0.5
    assert table.least == 0


@pytest.mark.parametrize("weight", [None, [1, 1, 1, 1]])
def test_more_strata_than_rows_are_refused(weight):
    table = [0, 0, 0, 0], [0, 0, 0, 0], [1, 2, 3, 4]
    for function in (size_strata, size_stratified_coverage):
        with pytest.raises(UsageError, match="at most the number of rows, 4, found 10000000"):
            function(*table, weight=weight, n_groups=10_000_000)


def test_empty_groups_are_listed_with_no_rows_and_left_out_of_the_minimum():
    table = size_strata([0, 9], [0, 0], [1, 2])
    assert table.n.tolist() == [1, 1, 0]
    assert np.isnan(table.coverage).tolist() == [False, False, True]
    assert np.isnan(table.narrowest).tolist() == [False, False, True]
    assert table.minimum == 0.0
    assert table.least == 1
    nothing = size_strata([], [], [])
    assert nothing.least == -1
    assert np.isnan(nothing.minimum)
    assert np.isnan(nothing.total)


def test_groups_of_no_weight_have_no_widths():
    carrier = Resamples(np.ones((2, 1)), np.zeros(2, dtype=np.int64), np.zeros(2), (2,))
    table = size_strata([0, 1], [0, 0], [1, 1], weight=carrier, n_groups=2)
    assert table.n.tolist() == [[0, 0], [0, 0]]
    assert np.isnan(table.widest).all()


def test_no_clusters_and_no_resamples_give_arrays_of_that_shape():
    nothing = Resamples(np.ones((2, 0)), np.zeros(0, dtype=np.int64), np.zeros(0), (2,))
    assert np.isnan(interval_width([], [], [], weight=nothing)).all()
    undrawn = Resamples(np.ones((0, 2)), np.arange(2), np.ones(2), (0,))
    for ties in ("together", "mapie"):
        found = size_stratified_coverage([0, 0], [0, 0], [1, 1], weight=undrawn, ties=ties)
        assert found.shape == (0,)


# Groups of the user


@pytest.mark.parametrize("asked", [{"group": [0, 10**15]}, {"group": [0, 1], "n_groups": 10**15}])
def test_groups_beyond_ten_million_are_refused(asked):
    with pytest.raises(ColumnError, match="at most 10,000,000 groups, found 1000000000000"):
        group_coverage([0, 0], [0, 0], [1, 1], **asked)


def test_copies_that_do_not_fit_into_memory_are_refused():
    table = [0] * 4, [0] * 4, [1, 1, 3, 4]
    with pytest.raises(ColumnError, match="must sum to at most 134,217,728 where copies"):
        size_stratified_coverage(*table, weight=[1e15] * 4, ties="mapie")
    with pytest.raises(ColumnError, match=r"found 4e\+15"):
        hsic_p_value(*table, weight=[1e15] * 4)


def test_groups_are_counted_and_empty_ones_listed():
    table = group_coverage(TRUTH, LOW, UP, group=[0, 2, 2, 2], n_groups=5)
    assert table.n.tolist() == [1, 0, 3, 0, 0]
    assert table.coverage[[0, 2]].tolist() == [1.0, pytest.approx(2 / 3)]
    assert table.least == 2
    batch = group_coverage(TRUTH, LOW, UP, group=[0, 2, 2, 2], weight=[[1, 1, 1, 1], [0, 2, 0, 0]])
    assert batch.n.tolist() == [[1, 0, 3], [0, 0, 2]]
    assert batch.least.tolist() == [2, 2]
    assert group_coverage([], [], [], group=[]).n.tolist() == []
    assert group_coverage([], [], [], group=[], n_groups=2).n.tolist() == [0, 0]


def test_group_beyond_their_number_is_refused():
    with pytest.raises(ColumnError, match="`group` must be below 2, the number of groups, found 3"):
        group_coverage([1, 1], [0, 0], [1, 1], group=[0, 3], n_groups=2)


# The binomial test


@given(st.integers(1, 40), st.data(), st.sampled_from((0.5, 0.8, 0.9)))
def test_p_value_is_the_exact_binomial_tail(n, data, level):
    k = data.draw(st.integers(0, n))
    truth = np.append(np.zeros(k), np.full(n - k, 9.0))
    low, up = np.zeros(n), np.ones(n)
    below, above = oracle.binomial_tails(k, n, Fraction(level))
    wanted = {
        "less": below,
        "greater": above,
        "two-sided": min(Fraction(1), 2 * min(below, above)),
    }
    for alternative, p in wanted.items():
        found = coverage_p_value(truth, low, up, level=level, alternative=alternative)
        assert found == pytest.approx(float(p), rel=1e-9, abs=1e-300)
    for alternative in ("less", "greater"):
        theirs = binomtest(k, n, level, alternative=alternative).pvalue
        found = coverage_p_value(truth, low, up, level=level, alternative=alternative)
        assert found == pytest.approx(theirs, rel=1e-9, abs=1e-300)


@given(st.integers(1, 60), st.data())
def test_p_value_is_below_five_percent_where_clopper_pearson_leaves_the_level_out(n, data):
    k = data.draw(st.integers(0, n))
    truth = np.append(np.zeros(k), np.full(n - k, 9.0))
    p = coverage_p_value(truth, np.zeros(n), np.ones(n), level=0.9)
    low, high = binomtest(k, n).proportion_ci(0.95, method="exact")
    assert (p < 0.05) == (not low <= 0.9 <= high)


@pytest.mark.parametrize(("n", "level"), [(10, 0.5), (50, 0.9), (400, 0.95)])
def test_p_value_rejects_at_most_at_its_nominal_rate(n, level):
    hits = np.arange(n + 1)
    truth = np.where(np.arange(n) < hits[:, None], 0.0, 9.0)
    p = np.array([coverage_p_value(row, np.zeros(n), np.ones(n), level=level) for row in truth])
    mass = binom.pmf(hits, n, level)
    for rate in (0.01, 0.05, 0.2):
        assert mass[p < rate].sum() <= rate


@given(st.permutations(range(3)))
def test_names_of_groups_do_not_matter(order):
    group = np.array([0, 1, 1, 2])
    table = group_coverage(TRUTH, LOW, UP, group=group)
    renamed = group_coverage(TRUTH, LOW, UP, group=np.array(order)[group])
    assert renamed.n[list(order)].tolist() == table.n.tolist()
    assert renamed.coverage[list(order)].tolist() == table.coverage.tolist()


# Options


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, 1.5, math.nan])
def test_level_outside_the_open_unit_interval_is_refused(level):
    for function in (interval_coverage_gap, coverage_p_value, winkler, cwc):
        with pytest.raises(UsageError, match=r"`level` must (be a number|lie between 0 and 1)"):
            function(TRUTH, LOW, UP, level=level)


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(UsageError, match="`eta` must be finite and at least 0, found -1"):
        cwc(TRUTH, LOW, UP, eta=-1)
    with pytest.raises(UsageError, match="`n_groups` must be a whole number of at least 1"):
        size_stratified_coverage(TRUTH, LOW, UP, n_groups=0)
    with pytest.raises(UsageError, match="`share` must be above 0 and at most 1, found 0"):
        width_quantile(TRUTH, LOW, UP, share=0.0)


def test_rows_of_a_large_table_are_added_up_in_parts():
    rng = np.random.default_rng(3)
    truth, low, up = rng.normal(size=(3, 100_001))
    low, up = np.minimum(low, up), np.maximum(low, up)
    covered = (low <= truth) & (truth <= up)
    assert interval_coverage(truth, low, up) == pytest.approx(covered.mean(), rel=1e-14)
    assert interval_width(truth, low, up) == pytest.approx((up - low).mean(), rel=1e-13)
    weighted = interval_width(truth, low, up, weight=np.ones(truth.size))
    assert weighted == pytest.approx((up - low).mean(), rel=1e-13)


# Under resampling


def resampled(function, table, cluster, plan, **options):
    carrier = Resamples(np.ones((1, int(cluster.max()) + 1)), cluster, np.ones(cluster.size), ())
    return bootstrap(
        [lambda draw: function(*table, weight=draw.of(carrier), **options)],
        plan,
        n_clusters=carrier.counts.shape[1],
        n_rows=cluster.size,
    )


def test_digits_depend_on_neither_the_block_nor_the_threads():
    truth, low, up = crossed_table(0, 240)
    low, up = np.minimum(low, up), np.maximum(low, up)
    cluster = np.repeat(np.arange(40), 6)
    for function in (interval_width, winkler, cwc, width_quantile, size_stratified_coverage):
        found = [
            resampled(function, (truth, low, up), cluster, plan).distribution
            for plan in (
                Plan(n_resamples=101),
                Plan(n_resamples=101, block_values=1),
                Plan(n_resamples=101, block_values=5_000, threads=2),
            )
        ]
        np.testing.assert_array_equal(found[0], found[1])
        np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.slow
def test_cluster_intervals_of_coverage_cover_the_truth():
    rng = np.random.default_rng(11)
    hits, n_runs, clusters, items = 0, 400, 60, 8
    cluster = np.repeat(np.arange(clusters), items)
    for _ in range(n_runs):
        shift = np.repeat(rng.normal(size=clusters), items)
        truth = shift + rng.normal(size=cluster.size)
        low, up = np.full(cluster.size, -2.0), np.full(cluster.size, 2.0)
        plan = Plan(n_resamples=400, seed=int(rng.integers(2**31)))
        found = estimate(resampled(interval_coverage, (truth, low, up), cluster, plan).of(0), plan)
        hits += found.low <= 0.8427007929 <= found.high
    assert hits / n_runs >= 0.92


@pytest.mark.slow
def test_clopper_pearson_intervals_cover_at_least_as_often_as_they_say():
    from assay.shares import exact_interval

    for n, share in ((20, 0.9), (200, 0.9), (50, 0.5)):
        held = 0.0
        for k in range(n + 1):
            low, high = exact_interval(k, n, 0.95)
            mass = math.comb(n, k) * share**k * (1 - share) ** (n - k)
            held += mass * (low <= share <= high)
        assert held >= 0.95


# Numbers near the end of the range


FAR = 1.5e308
BEYOND = {
    "sum of widths": ([0.0] * 3, [0.0] * 3, [FAR] * 3),
    "a width": ([0.0] * 4, [-FAR, 0, 0, 0], [FAR / 2, 0, 0, 0]),
    "range of truths": ([-FAR, FAR, 0], [-1e308, -1, -1], [1e308, 1, 1]),
}


@pytest.mark.parametrize("weight", ["none", "ones"])
def test_means_are_defined_where_their_sums_are_beyond_a_double(weight):
    def of(function, case):
        table = BEYOND[case]
        given = {} if weight == "none" else {"weight": np.ones(len(table[0]))}
        return function(*table, **given)

    assert of(interval_width, "sum of widths") == FAR
    assert of(winkler, "sum of widths") == of(winkler_width, "sum of widths") == FAR
    assert of(interval_width, "a width") == FAR / 8 * 3
    assert of(cwc_width_term, "range of truths") == pytest.approx(1 - 2 / 9)
    assert of(winkler, "range of truths") == math.inf
    assert of(interval_width, "range of truths") == pytest.approx(1e308 / 3 * 2)


def test_resamples_without_the_rows_beyond_a_double_are_finite():
    truth, low, up = BEYOND["a width"]
    cluster = np.array([0, 0, 1, 1])
    carrier = Resamples(np.array([[1.0, 1.0], [0.0, 2.0], [2.0, 0.0]]), cluster, np.ones(4), (3,))
    found = interval_width(truth, low, up, weight=carrier)
    assert found.tolist() == [FAR / 8 * 3, 0.0, FAR / 4 * 3]
    twice = [FAR, FAR, 1.0, 1.0]
    found = interval_width([0] * 4, [0] * 4, twice, weight=carrier)
    assert found.tolist() == [FAR / 2, 1.0, FAR]


@pytest.mark.parametrize("weight", [None, [], np.ones((2, 0))])
def test_parts_by_row_order_of_no_rows_have_no_coverage(weight):
    nothing: list[float] = []
    found = size_stratified_coverage(nothing, nothing, nothing, weight=weight, ties="mapie")
    assert np.isnan(found).all()


def test_more_parts_by_row_order_than_widths_differ():
    found = size_stratified_coverage([1, 5], [0, 0], [2, 2], n_groups=2, ties="mapie")
    assert found == 0.0
