"""Set metrics against their definitions, MAPIE and values worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mapie.metrics import classification as mapie

from assay.columns import Resamples
from assay.errors import ColumnError, UsageError
from assay.inference import Plan, bootstrap
from assay.metrics.sets import (
    class_coverage,
    empty_set_rate,
    set_coverage,
    set_coverage_gap,
    set_coverage_p_value,
    set_group_coverage,
    set_size,
    set_size_strata,
    set_size_stratified_coverage,
    singleton_accuracy,
    singleton_rate,
    worst_class_coverage,
)
from tests import conformal_oracles as oracle
from tests.strategies import N_CLASSES, tables

LABEL = [0, 1, 2, 1]
INCLUDED = [[1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 0, 1]]

set_tables = tables(("label", "included"))


def rows_of(table):
    sets = [set(np.flatnonzero(row).tolist()) for row in table["included"]]
    return list(zip(table["label"].astype(int).tolist(), sets, strict=True))


# Values worked out by hand


def test_four_rows_by_hand():
    assert set_coverage(LABEL, INCLUDED) == 0.5
    assert set_coverage_gap(LABEL, INCLUDED, level=0.75) == -0.25
    assert set_size(LABEL, INCLUDED) == 1.25
    assert empty_set_rate(LABEL, INCLUDED) == 0.25
    assert singleton_rate(LABEL, INCLUDED) == 0.25
    assert singleton_accuracy(LABEL, INCLUDED) == 1.0
    assert worst_class_coverage(LABEL, INCLUDED) == 0.0
    assert set_size_stratified_coverage(LABEL, INCLUDED) == 0.0
    assert set_size_stratified_coverage(LABEL, INCLUDED, formula="printed") == 1.5


def test_tables_list_every_size_and_every_class():
    sizes = set_size_strata(LABEL, INCLUDED)
    assert sizes.narrowest.tolist() == sizes.widest.tolist() == [0, 1, 2, 3]
    assert sizes.n.tolist() == [1, 1, 2, 0]
    assert sizes.covered.tolist() == [0, 1, 1, 0]
    assert sizes.least == 0
    classes = class_coverage(LABEL, INCLUDED)
    assert classes.n.tolist() == [1, 2, 1]
    assert classes.coverage.tolist() == [1.0, 0.5, 0.0]
    assert classes.least == 2


def test_absent_classes_are_listed_and_left_out_of_the_worst():
    classes = class_coverage([0, 0, 2], [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
    assert classes.n.tolist() == [2, 0, 1, 0]
    assert np.isnan(classes.coverage).tolist() == [False, True, False, True]
    assert worst_class_coverage([0, 0, 2], [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]) == 0.5


def test_class_that_a_resample_leaves_out_does_not_count():
    found = worst_class_coverage([0, 1], [[1, 0], [1, 0]], weight=[[1, 1], [3, 0], [0, 0]])
    np.testing.assert_array_equal(found, [0.0, 1.0, np.nan])


def test_singletons_that_do_not_occur_have_no_accuracy():
    assert math.isnan(singleton_accuracy([0, 1], [[1, 1], [0, 0]]))


def test_groups_of_the_user_are_counted_and_empty_ones_listed():
    table = set_group_coverage(LABEL, INCLUDED, group=[0, 1, 1, 1], n_groups=3)
    assert table.n.tolist() == [1, 3, 0]
    assert table.covered.tolist() == [1, 1, 0]
    assert table.least == 1


# The slow definitions


@given(set_tables, st.sampled_from((0.5, 0.9)))
def test_metrics_equal_their_definitions(table, level):
    rows = rows_of(table)
    assert set_coverage(**table) == pytest.approx(oracle.set_coverage(rows), rel=1e-12)
    gap = oracle.set_coverage(rows) - level
    assert set_coverage_gap(**table, level=level) == pytest.approx(gap, rel=1e-12, abs=1e-15)
    assert set_size(**table) == pytest.approx(oracle.set_size(rows), rel=1e-12)
    assert worst_class_coverage(**table) == oracle.least(oracle.by(rows, lambda label, _: label))
    by_size = oracle.by(rows, lambda _, held: len(held))
    assert set_size_stratified_coverage(**table) == oracle.least(by_size)
    total = math.fsum(hits / n for n, hits in by_size.values())
    printed = set_size_stratified_coverage(**table, formula="printed")
    assert printed == pytest.approx(total, rel=1e-12)
    sizes = [len(held) for _, held in rows]
    assert empty_set_rate(**table) == sizes.count(0) / len(sizes)
    assert singleton_rate(**table) == sizes.count(1) / len(sizes)
    if 1 in sizes:
        n, hits = by_size[1]
        assert singleton_accuracy(**table) == hits / n


@given(set_tables, st.integers(1, N_CLASSES + 1))
def test_ranges_of_sizes_are_nearly_equal_and_hold_every_row(table, n_groups):
    ranges = oracle.parts(list(range(N_CLASSES + 1)), n_groups)
    group = {size: k for k, part in enumerate(ranges) for size in part}
    wanted = oracle.by(rows_of(table), lambda _, held: group[len(held)])
    found = set_size_strata(**table, n_groups=n_groups)
    assert found.narrowest.tolist() == [part[0] for part in ranges]
    assert found.widest.tolist() == [part[-1] for part in ranges]
    for k in range(n_groups):
        assert (found.n[k], found.covered[k]) == wanted.get(k, (0, 0))


@given(st.integers(1, 30), st.data(), st.sampled_from((0.5, 0.9)))
def test_p_value_is_the_exact_binomial_tail(n, data, level):
    k = data.draw(st.integers(0, n))
    included = np.repeat([[1, 0], [0, 1]], [k, n - k], axis=0)
    below, above = oracle.binomial_tails(k, n, Fraction(level))
    wanted = {"less": below, "greater": above, "two-sided": min(1, 2 * min(below, above))}
    for alternative, p in wanted.items():
        options = {"level": level, "alternative": alternative}
        found = set_coverage_p_value(np.zeros(n), included, **options)
        assert found == pytest.approx(float(p), rel=1e-9, abs=1e-300)


# MAPIE 1.6


@pytest.mark.parametrize("n_classes", [2, 3, 10])
@pytest.mark.parametrize("seed", range(4))
def test_metrics_are_those_of_mapie(n_classes, seed):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, n_classes, 300)
    included = rng.random((300, n_classes)) < (0.3, 0.6, 0.9, 0.5)[seed]
    sets = included[:, :, None]
    theirs = mapie.classification_coverage_score(label, sets)[0]
    assert set_coverage(label, included) == pytest.approx(theirs, rel=1e-9)
    theirs = mapie.classification_mean_width_score(sets)[0]
    assert set_size(label, included) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value encountered")
@pytest.mark.parametrize("n_groups", [None, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_size_strata_are_those_of_mapie(seed, n_groups):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 6, 400)
    included = rng.random((400, 6)) < rng.random((400, 1))
    sets = included[:, :, None]
    with np.errstate(invalid="ignore"):
        theirs = mapie.classification_ssc(label, sets, num_bins=n_groups)[0]
        worst = mapie.classification_ssc_score(label, sets, num_bins=n_groups)[0]
    found = set_size_strata(label, included, n_groups=n_groups)
    np.testing.assert_allclose(found.coverage, theirs, rtol=1e-9)
    score = set_size_stratified_coverage(label, included, n_groups=n_groups)
    assert score == pytest.approx(worst, rel=1e-9)


# Refusals


def test_label_outside_the_classes_is_refused_with_its_row():
    with pytest.raises(ColumnError, match=r"below 2, the number of classes.*found 2 at row 1 \(1"):
        set_coverage([0, 2], [[1, 0], [1, 0]])


def test_negative_label_does_not_count_from_the_end():
    with pytest.raises(ColumnError, match="`label` must be at least 0, found -1 at row 0"):
        set_coverage([-1, 0], [[1, 0], [1, 0]])


@pytest.mark.parametrize("n_groups", [0, 4])
def test_more_groups_than_sizes_are_refused(n_groups):
    with pytest.raises(UsageError, match="`n_groups` must be a whole number from 1 to 3"):
        set_size_strata([0, 1], [[1, 0], [1, 0]], n_groups=n_groups)


@pytest.mark.parametrize("level", [0.0, 1.0, math.nan])
def test_level_outside_the_open_unit_interval_is_refused(level):
    for function in (set_coverage_gap, set_coverage_p_value):
        with pytest.raises(UsageError, match=r"`level` must (be a number|lie between 0 and 1)"):
            function(LABEL, INCLUDED, level=level)


# Under resampling


def test_digits_depend_on_neither_the_block_nor_the_threads():
    rng = np.random.default_rng(0)
    label, included = rng.integers(0, 4, 240), rng.random((240, 4)) < 0.5
    carrier = Resamples(np.ones((1, 40)), np.repeat(np.arange(40), 6), np.ones(240), ())
    for function in (set_size, worst_class_coverage, set_size_stratified_coverage):
        found = [
            bootstrap(
                [lambda draw, f=function: f(label, included, weight=draw.of(carrier))],
                plan,
                n_clusters=40,
                n_rows=240,
            ).distribution
            for plan in (Plan(n_resamples=51), Plan(n_resamples=51, block_values=1, threads=2))
        ]
        np.testing.assert_array_equal(found[0], found[1])
