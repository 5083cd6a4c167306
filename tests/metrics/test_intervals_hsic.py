"""HSIC without n x n matrices, against the definition, MAPIE, and its null distribution."""

from __future__ import annotations

import math
import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mapie.metrics import regression as mapie

from assay.columns import Resamples
from assay.errors import UsageError
from assay.inference import Plan, bootstrap, flip_p_value
from assay.metrics.intervals import dependence, hsic, hsic_p_value
from assay.metrics.intervals.gauss import (
    CELLS_AT_ONCE,
    ROWS_AT_ONCE,
    SERIES_REACH,
    TAYLOR_REACH,
    features_of,
    near_of,
)
from tests import conformal_oracles as oracle

ROUNDING_OF_THE_DEFINITION = 1e-14
"""What the sum over all pairs loses, relative to the sum of the absolute terms."""


def table_of(widths, hits):
    """Intervals of these widths that start at 0; a value that is not covered lies below."""
    up = np.asarray(widths, dtype=float)
    return np.where(hits, 0.0, -1.0), np.zeros(up.size), up


def rows_of(table):
    return list(zip(*(column.tolist() for column in table), strict=True))


def pair_scale(table, size):
    """Sum |v_i v_j| K_ij: what rounding is relative to."""
    truth, _, up = table
    deviation = np.abs((truth == 0) - (truth == 0).mean())
    kernel = np.exp(-np.minimum((up[:, None] - up) ** 2 / size, 700.0))
    return float(deviation @ kernel @ deviation)


@st.composite
def adversarial(draw):
    """Widths that tie, that tail off heavily, that are constant, far away or tiny."""
    n = draw(st.integers(2, 40))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    widths = draw(
        st.sampled_from(
            [
                rng.uniform(0, 10, n),
                np.exp(4 * rng.normal(size=n)),
                1e3 * np.abs(rng.standard_cauchy(n)),
                rng.integers(1, 4, n).astype(float),
                np.full(n, 2.5),
                1e12 + np.floor(50 * rng.random(n)),
                1 + 1e-7 * rng.random(n),
                rng.uniform(0, 0.4, n),
                np.append(rng.random(n - 1), 1e15),
                10.0 ** rng.integers(-8, 18, n),
            ]
        )
    )
    hits = draw(st.sampled_from([rng.random(n) < 0.5, rng.random(n) < 0.9, np.ones(n, bool)]))
    size = draw(st.sampled_from((1e-12, 1e-4, 0.03, 1.0, 37.0, 1e6, 1e14)))
    return table_of(widths, hits), size


# The definition


@given(adversarial(), st.sampled_from((0.1, 1.0, 50.0)))
def test_trace_equals_the_definition(drawn, coverage_size):
    table, size = drawn
    wanted = oracle.hsic_trace(rows_of(table), size, coverage_size)
    options = {"kernel_width": size, "kernel_coverage": coverage_size, "formula": "printed"}
    floor = ROUNDING_OF_THE_DEFINITION * pair_scale(table, size)
    for weight in (None, np.ones(table[0].size)):
        found = hsic(*table, weight=weight, **options)
        assert found == pytest.approx(wanted, rel=1e-9, abs=floor)
        assert found >= 0


@given(adversarial())
def test_trace_equals_the_product_of_four_matrices(drawn):
    table, size = drawn
    wanted = oracle.hsic_trace_of_matrices(rows_of(table), size, 1.0)
    found = hsic(*table, kernel_width=size, formula="printed")
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12 * table[0].size)


@given(adversarial(), st.integers(0, 10**6))
def test_weighted_trace_is_that_of_the_copies(drawn, seed):
    table, size = drawn
    times = np.random.default_rng(seed).integers(0, 4, (3, table[0].size))
    times[:, :2] += 1
    found = hsic(*table, weight=times, kernel_width=size, formula="printed")
    for value, copies in zip(found, times, strict=True):
        written_out = tuple(np.repeat(column, copies) for column in table)
        wanted = oracle.hsic_trace(rows_of(written_out), size, 1.0)
        floor = ROUNDING_OF_THE_DEFINITION * pair_scale(written_out, size)
        assert value == pytest.approx(wanted, rel=1e-9, abs=floor)


def test_four_rows_by_hand():
    # Deviations 1/4, 1/4, -3/4, 1/4 at widths 1, 1, 1, 3.
    quadratic = 1 / 16 + 1 / 16 - 2 / 16 * math.exp(-4)
    trace = 2 * (1 - math.exp(-1)) * quadratic
    assert hsic([1, 2, 3, 4], [0, 2, 4, 3], [1, 3, 5, 6]) == pytest.approx(math.sqrt(trace) / 3)
    printed = hsic([1, 2, 3, 4], [0, 2, 4, 3], [1, 3, 5, 6], formula="printed")
    assert printed == pytest.approx(trace)


@pytest.mark.parametrize("reach", [0.0, 0.3, TAYLOR_REACH, 0.6, 3.0, SERIES_REACH, 12.1, 1e4])
def test_all_three_forms_agree_with_the_kernel_where_they_meet(reach):
    rng = np.random.default_rng(5)
    width = reach * np.append([0.0, 1.0], rng.random(300))
    value = rng.normal(size=width.size)
    value -= value.mean()
    wanted = value @ np.exp(-((width[:, None] - width) ** 2)) @ value
    [far] = near_of(width, 1.0).quadratic(lambda rows: value[rows][None], 1)
    floor = 1e-13 * np.abs(value).sum() ** 2
    assert far == pytest.approx(wanted, rel=1e-10, abs=floor)
    features = features_of(width, 1.0)
    assert (features is None) == (reach > SERIES_REACH)
    if features is not None:
        [close] = features.quadratic((features.of(width) @ value)[None])
        assert close == pytest.approx(wanted, rel=1e-10, abs=floor)


def test_kernel_felt_by_every_row_is_its_row_sum():
    rng = np.random.default_rng(8)
    width = np.append(30 * rng.random(200), [np.inf, np.inf, 1e20])
    apart = np.subtract.outer(width[:200], width[:200])
    felt = near_of(width, 1.0).potential()
    np.testing.assert_allclose(felt[:200], np.exp(-(apart**2)).sum(0), rtol=1e-12)
    assert felt[200:] == pytest.approx([2.0, 2.0, 1.0])


def test_more_cells_and_more_rows_than_are_looked_at_together():
    rng = np.random.default_rng(6)
    spread = rng.random(3 * CELLS_AT_ONCE) * 4 * CELLS_AT_ONCE
    crowded = np.append(rng.random(2 * ROWS_AT_ONCE + 5), 40.0)
    for width in (spread, crowded):
        value = rng.normal(size=width.size)
        near = near_of(width, 1.0)
        [found] = near.quadratic(lambda rows, value=value: value[rows][None], 1)
        order = np.argsort(width)
        x, v = width[order], value[order]
        last = np.searchsorted(x, x + 7)
        wanted = sum(
            v[i] * (v[i] + 2 * np.exp(-((x[i + 1 : stop] - x[i]) ** 2)) @ v[i + 1 : stop])
            for i, stop in enumerate(last)
        )
        assert found == pytest.approx(wanted, rel=1e-9)


# Edges


def test_twenty_thousand_rows_take_no_square_of_memory():
    rng = np.random.default_rng(13)
    for spread in (1.0, 1e4):
        table = table_of(spread * rng.random(20_000), rng.random(20_000) < 0.9)
        tracemalloc.start()
        found = hsic(*table)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert 0 < found < 0.01
        assert peak < 20e6


def test_one_row_is_undefined_and_two_rows_are_defined():
    assert math.isnan(hsic([0], [0], [1]))
    assert math.isnan(hsic([], [], []))
    assert math.isnan(hsic([0], [0], [1], weight=[1]))
    assert hsic([0], [0], [1], weight=[2]) == 0.0
    trace = 2 * (1 - math.exp(-1)) * (2 - 2 * math.exp(-1)) / 4
    assert hsic([0, 9], [0, 0], [1, 2]) == pytest.approx(math.sqrt(trace))


@given(adversarial())
def test_nothing_to_tell_is_zero_not_a_root_of_rounding(drawn):
    (_, low, up), size = drawn
    assert hsic(np.zeros(up.size), low, up, kernel_width=size) == 0.0
    assert hsic(np.full(up.size, -1.0), low, up, kernel_width=size) == 0.0


def test_constant_widths_are_zero_up_to_rounding():
    table = table_of(np.full(50, 3.3), np.arange(50) % 3 > 0)
    assert hsic(*table) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("reach", [0.2, 5.0, 100.0])
def test_infinite_widths_are_like_each_other_and_unlike_all_others(reach):
    rng = np.random.default_rng(2)
    up = reach * rng.random(40)
    up[::5] = np.inf
    truth, low, _ = table_of(up, rng.random(40) < 0.6)
    far = np.where(np.isinf(up), 1e6, up)
    for weight in (None, rng.integers(0, 3, 40)):
        found = hsic(truth, low, up, weight=weight)
        assert found == pytest.approx(hsic(truth, low, far, weight=weight), rel=1e-9)
    assert hsic_p_value(truth, low, up) == pytest.approx(hsic_p_value(truth, low, far), rel=1e-6)


def test_all_widths_infinite_is_one_width():
    table = table_of([np.inf] * 4, [True, False, True, True])
    assert hsic(*table) == pytest.approx(0.0, abs=1e-9)
    assert math.isnan(hsic_p_value(*table))


def test_smallest_kernel_of_all_tells_all_widths_apart():
    table = table_of([1, 1, 2, 3, 4, 4], [1, 0, 1, 0, 1, 1])
    for number in (hsic, hsic_p_value):
        smallest, small = (number(*table, kernel_width=width) for width in (5e-324, 1e-300))
        # How a matrix product adds up, and so its last bits, depends on the processor.
        assert smallest == pytest.approx(small, rel=1e-12)


@pytest.mark.parametrize("size", [0.0, -1.0, math.inf, math.nan])
def test_kernel_sizes_must_be_positive_numbers(size):
    with pytest.raises(UsageError, match=r"`kernel_width` must be a (positive )?number"):
        hsic([0, 0], [0, 0], [1, 2], kernel_width=size)
    with pytest.raises(UsageError, match=r"`kernel_coverage` must be a (positive )?number"):
        hsic([0, 0], [0, 0], [1, 2], kernel_coverage=size)
    with pytest.raises(UsageError, match=r"`kernel_width` must be a (positive )?number"):
        hsic_p_value([0, 0], [0, 0], [1, 2], kernel_width=size)


# MAPIE 1.6


@pytest.mark.parametrize("sizes", [(1, 1), (0.1, 2), (30, 0.5)])
@pytest.mark.parametrize("seed", range(4))
def test_hsic_is_that_of_mapie(seed, sizes):
    rng = np.random.default_rng(seed)
    truth, low, up = rng.normal(size=(3, 150))
    up += 1 + seed
    theirs = mapie.hsic(truth, np.stack([low, up], axis=1)[:, :, None], sizes)[0]
    options = {"kernel_width": sizes[0], "kernel_coverage": sizes[1], "crossed": "mapie"}
    assert hsic(truth, low, up, **options) == pytest.approx(theirs, rel=1e-9, abs=1e-9)


# Resampling


@pytest.mark.parametrize("spread", [0.1, 5.0, 500.0])
@pytest.mark.parametrize("keep", [0, 1 << 23])
def test_resamples_have_the_same_digits_in_any_block(spread, keep, monkeypatch):
    monkeypatch.setattr("assay.metrics.intervals.dependence.MOST_KEPT", keep)
    monkeypatch.setattr("assay.metrics.intervals.dependence.ROWS_AT_ONCE", 64)
    rng = np.random.default_rng(1)
    truth, low, up = table_of(spread * rng.random(240), rng.random(240) < 0.8)
    cluster = rng.permutation(np.repeat(np.arange(40), 6))
    carrier = Resamples(np.ones((1, 40)), cluster, np.ones(240), ())
    found = [
        bootstrap(
            [lambda draw: hsic(truth, low, up, weight=draw.of(carrier))],
            Plan(n_resamples=60, block_values=values),
            n_clusters=40,
            n_rows=240,
        )
        for values in (1, 240 * 7, 1 << 18)
    ]
    np.testing.assert_array_equal(found[0].distribution, found[1].distribution)
    np.testing.assert_array_equal(found[0].distribution, found[2].distribution)
    assert found[0].point[0] == pytest.approx(hsic(truth, low, up), rel=1e-9)


# The test of independence


def _moments_seen(table, size):
    """Return the mean and the variance that a p-value is read from."""
    seen = {}

    def spy(*given):
        seen["moments"] = permuted(*given)
        return seen["moments"]

    permuted = dependence._permuted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dependence, "_permuted", spy)
        hsic_p_value(*table, kernel_width=size)
    return seen["moments"]


@pytest.mark.parametrize("size", [1e4, 1.0, 1e-3])
@pytest.mark.parametrize("n_covered", [1, 3, 4])
def test_moments_are_those_over_all_permutations(size, n_covered):
    rng = np.random.default_rng(4)
    table = table_of(3 * rng.random(6), np.arange(6) < n_covered)
    drawn = np.array(oracle.permuted_kernel_sums(rows_of(table), size))
    assert _moments_seen(table, size) == pytest.approx((drawn.mean(), drawn.var()), rel=1e-7)


def test_dependence_is_found_and_its_absence_is_not():
    rng = np.random.default_rng(9)
    widths = 4 * rng.random(300)
    assert hsic_p_value(*table_of(widths, rng.random(300) < widths / 4)) < 1e-10
    assert hsic_p_value(*table_of(widths, rng.random(300) < 0.8)) > 0.05
    far = 100 * widths
    assert hsic_p_value(*table_of(far, rng.random(300) < widths / 4), kernel_width=1e4) < 1e-10


@pytest.mark.parametrize(
    ("widths", "hits"),
    [
        ([1, 2, 3], [1, 0, 1]),
        ([1, 2, 3, 4], [1, 1, 1, 1]),
        ([2, 2, 2, 2], [1, 0, 1, 1]),
        ([], []),
    ],
    ids=["three rows", "all covered", "constant widths", "no rows"],
)
def test_p_value_is_undefined_where_there_is_nothing_to_permute(widths, hits):
    assert math.isnan(hsic_p_value(*table_of(widths, np.array(hits, dtype=bool))))


def test_p_value_of_a_weight_is_that_of_its_copies():
    rng = np.random.default_rng(10)
    table = table_of(rng.random(30) * 5, rng.random(30) < 0.6)
    times = rng.integers(0, 3, 30)
    written_out = tuple(np.repeat(column, times) for column in table)
    assert hsic_p_value(*table, weight=times) == pytest.approx(hsic_p_value(*written_out))


# The order of the rows


NEARLY_EQUAL = {
    "equal": np.full(24, 2.5),
    "one apart": np.append(np.full(23, 1.0), 3.0),
    "one far apart": np.append(np.full(23, 1.0), 300.0),
    "two values": np.repeat([1.0, 2.0], 12),
    "rounding": 1 + 2e-16 * np.arange(24),
    "above rounding": 1 + 1e-12 * np.arange(24.0) ** 2,
    "near": 1 + 1e-7 * np.arange(24.0) ** 2,
    "even": np.arange(24) / 7,
    "heavy": np.exp(np.arange(24.0)),
    "infinite": np.append(np.arange(22) / 30, [np.inf, np.inf]),
}


@pytest.mark.parametrize("size", [1.0, 1e-4, 1e6])
@pytest.mark.parametrize("widths", NEARLY_EQUAL.values(), ids=NEARLY_EQUAL)
@pytest.mark.parametrize("every", [2, 3])
def test_no_order_of_the_rows_changes_a_digit(widths, size, every):
    rng = np.random.default_rng(14)
    table = table_of(widths, np.arange(24) % every == 0)
    carrier = np.arange(24) // 4
    counts = np.array([[1.0, 2.0, 0.0, 1.0, 3.0, 1.0]])
    found = set()
    for order in (rng.permutation(24) for _ in range(5)):
        shuffled = tuple(column[order] for column in table)
        drawn = Resamples(counts, carrier[order], np.ones(24), ())
        found.add(
            (
                repr(hsic(*shuffled, kernel_width=size)),
                repr(hsic(*shuffled, kernel_width=size, weight=np.ones(24))),
                repr(hsic(*shuffled, kernel_width=size, weight=drawn)),
                repr(hsic_p_value(*shuffled, kernel_width=size)),
                repr(hsic_p_value(*shuffled, kernel_width=size, weight=drawn)),
            )
        )
    assert len(found) == 1


@pytest.mark.parametrize("apart", [2.0, 1e-6, 200.0])
def test_one_other_width_with_half_of_the_rows_covered_has_no_p_value(apart):
    # Whichever half is covered, HSIC is the same.
    widths = np.append(np.full(7, 1.0), 1 + apart)
    assert math.isnan(hsic_p_value(*table_of(widths, np.arange(8) % 2 == 0)))
    assert hsic_p_value(*table_of(widths, np.arange(8) > 1)) > 0


def test_variance_over_all_permutations_is_exact_for_nearly_equal_widths():
    widths = 1 + 1e-6 * np.array([0, 0, 0, 0, 0, 1.0, 1.1])
    table = table_of(widths, [1, 1, 0, 1, 0, 1, 0])
    drawn = np.array(oracle.permuted_kernel_sums(rows_of(table), 1.0))
    seen = _moments_seen(table, 1.0)
    assert seen == pytest.approx((drawn.mean(), drawn.var()), rel=1e-6)


def test_widths_equal_up_to_rounding_are_equal():
    centre = 300.1 + 7.77 * np.arange(50)
    table = centre - np.where(np.arange(50) % 3, 0.0, 1.0), centre - 0.7, centre + 0.7
    assert 0 < np.ptp(table[2] - table[1]) < 2e-13
    assert hsic(*table) == 0.0
    assert hsic(*table, weight=np.ones(50)) == 0.0
    assert math.isnan(hsic_p_value(*table))


@pytest.mark.slow
@pytest.mark.parametrize("n", [40, 200])
@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("spread", ["even", "heavy"])
def test_p_values_reject_at_their_nominal_rate(n, share, spread):
    rng = np.random.default_rng(12)
    rejected, n_runs = 0, 1_500
    for _ in range(n_runs):
        widths = 3 * rng.random(n) if spread == "even" else np.exp(2 * rng.normal(size=n))
        rejected += hsic_p_value(*table_of(widths, rng.random(n) < share)) < 0.05
    assert 0.03 <= rejected / n_runs <= 0.07


def test_the_coverage_of_four_clusters_turns_in_all_sixteen_ways():
    widths = np.array([0.1, 0.4, 0.9, 1.5, 1.6, 2.2, 3.0, 3.1])
    hits, cluster = np.array([0, 1, 0, 1, 1, 1, 1, 0]), np.repeat(np.arange(4), 2)
    weight = Resamples(np.ones((1, 4)), cluster, np.ones(8), ())
    made = dependence.flipped(*table_of(widths, hits), weight=weight)
    centre = np.eye(8) - 1 / 8
    kernel = centre @ np.exp(-((widths[:, None] - widths) ** 2)) @ centre
    signs = np.array(list(product([1.0, -1.0], repeat=4)))
    turned = signs[:, cluster] * (hits - hits.mean())
    wanted = np.einsum("si,ij,sj->s", turned, kernel, turned)
    np.testing.assert_allclose(made(signs), wanted, rtol=1e-9, atol=1e-12)
    found = flip_p_value(made, 4, 8, seed=1)
    assert (found.p_value, found.n_flips) == (np.mean(wanted >= wanted[0] - 1e-9), 16)
