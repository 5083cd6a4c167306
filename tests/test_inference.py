"""The bootstrap against the plain loop, its intervals against scipy, and what it refuses to say."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from assay.columns import Resamples
from assay.errors import UsageError
from assay.inference import (
    Draw,
    Plan,
    Replicate,
    bands,
    bootstrap,
    detectable,
    estimate,
    holm,
    p_value,
    quantiles,
)
from assay.inference.resampling import ABREAST
from assay.metrics import selective
from tests import oracles

if TYPE_CHECKING:
    from collections.abc import Callable

N_CLUSTERS, N_ITEMS = 6, 4
N_ROWS = N_CLUSTERS * N_ITEMS
PLAN = Plan(n_resamples=60, seed=7, method="percentile")


def table(seed: int = 3) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(seed)
    return {
        "loss": draw.choice([0.0, 1 / 3, 2 / 3, 1.0], N_ROWS),
        "confidence": draw.choice([0.1, 0.2, 0.4, 0.7, 0.9], N_ROWS),
        "answered": (draw.random(N_ROWS) < 0.7).astype(float),
    }


CLUSTER = np.repeat(np.arange(N_CLUSTERS), N_ITEMS)
TABLE = table()


def clustered(cluster=CLUSTER) -> Resamples:
    return Resamples(np.ones((1, cluster.max() + 1)), cluster, np.ones(cluster.size), ())


def metric(name: str, columns=TABLE, rows: Resamples | None = None, **options):
    function, weight = getattr(selective, name), rows or clustered()
    if "optimal" in name:
        columns = {key: columns[key] for key in ("loss", "answered")}
    return lambda draw: function(**columns, weight=draw.of(weight), **options)


def run(*statistics, plan: Plan = PLAN, **options):
    chosen = {"n_clusters": N_CLUSTERS, "n_rows": N_ROWS, **options}
    return bootstrap(statistics, plan, **chosen)


def mean_of(values) -> Callable[[Draw], np.ndarray]:
    return lambda draw: draw.counts @ values / draw.counts.sum(-1)


# Against the plain loop

LOOPED = {
    "aurc": ("aurc", {}, oracles.aurc),
    "aurc by steps": ("aurc", {"area": "step"}, lambda t: oracles.aurc(t, reading="step")),
    "augrc": ("augrc", {}, oracles.augrc),
    "naugrc": ("naugrc", {}, oracles.naugrc),
    "cmax": ("cmax", {}, oracles.cmax),
    "excess": ("eaurc", {}, oracles.eaurc),
    "optimum": ("augrc_optimal", {}, oracles.augrc_optimal),
    "achievable": ("aurc_achievable", {}, oracles.aurc_achievable),
    "truncated": (
        "aurc_at_coverage",
        {"area_coverage": 0.3},
        lambda t: oracles.aurc_at(t, "0.3"),
    ),
    "often undefined": (
        "risk_at_coverage",
        {"coverage": 0.5},
        lambda t: oracles.risk_at_coverage(t, "0.5"),
    ),
    "auroc": ("error_auroc", {}, oracles.auroc_errors),
}


def groups(columns=TABLE) -> dict[int, list[oracles.Row]]:
    rows = oracles.rows(columns["loss"], columns["confidence"], columns["answered"])
    return {number: rows[number * N_ITEMS : (number + 1) * N_ITEMS] for number in range(N_CLUSTERS)}


@pytest.mark.parametrize("case", LOOPED.values(), ids=LOOPED)
def test_bootstrap_equals_the_plain_loop(case, engine) -> None:
    name, options, oracle = case
    found = run(metric(name, **options)).of(0)
    wanted = oracles.bootstrap(groups(), oracle, n_resamples=60, seed=7)
    values = [np.nan if value is None else float(value) for value in wanted]
    np.testing.assert_allclose(found.distribution, values, rtol=1e-12, atol=1e-13)
    interval = oracles.percentile_interval(wanted)
    read = estimate(found, PLAN)
    assert (read.low, read.high) == pytest.approx((interval.low, interval.high), abs=1e-12)
    assert read.n_undefined == interval.undefined
    assert read.standard_error == pytest.approx(np.nanstd(values, ddof=1), rel=1e-9)


def test_paired_difference_equals_the_plain_loop(engine) -> None:
    other = table(4)
    made = run(metric("aurc"), metric("aurc", other))
    found = made.of(1) - made.of(0)
    wanted = oracles.paired_bootstrap(groups(), groups(other), oracles.aurc, n_resamples=60, seed=7)
    np.testing.assert_allclose(found.distribution, [float(w) for w in wanted], atol=1e-13)
    assert found.point == made.point[1] - made.point[0]


# Neither memory nor threads decide a digit


@pytest.mark.parametrize("stream", ["legacy", "counter"])
def test_result_depends_on_neither_block_nor_threads(stream: str, engine) -> None:
    names = ("aurc", "augrc", "eaurc", "aurc_achievable", "risk_at_coverage", "error_auroc")
    wanted = None
    for block_values in (1, N_ROWS * 7, 1 << 18):
        for threads in (1, 2, 3):
            plan = Plan(
                n_resamples=50,
                seed=1,
                stream=stream,
                threads=threads,
                block_values=block_values,
                method="bca",
            )
            made = run(*(metric(name) for name in names), plan=plan)
            if wanted is None:
                wanted = made
            for one, other in (
                (made.point, wanted.point),
                (made.distribution, wanted.distribution),
                (made.jackknife, wanted.jackknife),
            ):
                np.testing.assert_array_equal(one, other)


def test_statistic_of_few_points_sees_larger_blocks_and_the_same_draws() -> None:
    seen: list[int] = []

    def counting(draw: Draw) -> np.ndarray:
        seen.append(draw.counts.shape[0])
        return draw.counts[:, 0]

    run(counting, plan=Plan(n_resamples=60, block_values=N_ROWS))
    assert max(seen) == ABREAST  # as many as kernels take side by side, where one fits
    seen.clear()
    plan = Plan(n_resamples=60, block_values=N_ROWS // 2)
    by_rows = run(counting, plan=plan)
    assert set(seen) == {1}
    seen.clear()
    by_points = run(counting, plan=plan, n_points=1)
    assert max(seen) > 1
    np.testing.assert_array_equal(by_rows.distribution, by_points.distribution)


@pytest.mark.parametrize("n", [0, 1, 2, 99, 100, 101])
@pytest.mark.parametrize("threads", [1, 2])
def test_resamples_done_are_those_asked_for(n: int, threads: int) -> None:
    heard: list[int] = []
    plan = Plan(n_resamples=n, threads=threads, block_values=10 * N_ROWS)
    made = run(metric("aurc"), metric("cmax"), plan=plan, progress=heard.append)
    assert made.distribution.shape == (2, n)
    assert not np.isnan(made.distribution).any()
    assert sum(heard) == n


def test_streams_differ_and_seeds_differ() -> None:
    made = [
        run(metric("aurc"), plan=Plan(n_resamples=50, seed=seed, stream=stream)).distribution
        for seed in (1, 2)
        for stream in ("legacy", "counter")
    ]
    for i, one in enumerate(made):
        for other in made[i + 1 :]:
            assert (one != other).any()


def test_same_seed_gives_the_same_digits_and_a_longer_run_begins_alike() -> None:
    for stream in ("legacy", "counter"):
        short = run(metric("aurc"), plan=Plan(n_resamples=30, stream=stream))
        long = run(metric("aurc"), plan=Plan(n_resamples=90, stream=stream))
        np.testing.assert_array_equal(short.distribution, long.distribution[:, :30])


def test_error_inside_a_statistic_comes_out() -> None:
    def broken(draw: Draw) -> float:
        if draw.counts.shape[0] > 1:
            message = "no such number"
            raise ArithmeticError(message)
        return 0.0

    with pytest.raises(ArithmeticError, match="no such number"):
        run(broken, plan=Plan(n_resamples=30, threads=2))


def test_bootstrap_without_clusters_ends(engine) -> None:
    nothing = {name: column[:0] for name, column in TABLE.items()}
    rows = Resamples(np.ones((1, 0)), CLUSTER[:0], np.ones(0), ())
    for stream in ("legacy", "counter"):
        plan = Plan(n_resamples=5, stream=stream, method="bca")
        statistics = metric("aurc", nothing, rows), metric("risk", nothing, rows)
        made = run(*statistics, plan=plan, n_clusters=0, n_rows=0)
        np.testing.assert_array_equal(made.distribution, [[0.0] * 5, [np.nan] * 5])
        assert "same number" in estimate(made.of(0), plan).reason


# Differences


def test_difference_of_a_run_with_itself_is_exactly_zero_with_p_one(engine) -> None:
    made = run(metric("aurc"), metric("aurc"))
    same = made.of(1) - made.of(0)
    assert same.point == 0.0
    assert (same.distribution == 0.0).all()
    assert p_value(same) == 1.0
    assert estimate(same, PLAN).reason is not None


def test_same_risk_in_another_order_is_no_difference() -> None:
    other = {**TABLE, "confidence": -TABLE["confidence"]}
    made = run(metric("risk"), metric("risk", other))
    assert p_value(made.of(1) - made.of(0)) == 1.0
    assert set((made.of(1) - made.of(0)).distribution) == {0.0}


def test_undefined_on_either_side_is_undefined() -> None:
    one = Replicate(1.0, np.array([1.0, np.nan, 3.0, 4.0]))
    other = Replicate(0.5, np.array([0.0, 1.0, np.nan, 1.0]))
    np.testing.assert_array_equal((one - other).distribution, [1.0, np.nan, np.nan, 3.0])
    assert (one - other).jackknife is None
    assert np.isnan((one - Replicate(np.nan, np.zeros(4))).point)
    assert estimate(one - other, Plan(n_resamples=4)).n_undefined == 2


def test_difference_keeps_the_jackknife_of_both_or_none() -> None:
    one = Replicate(1.0, np.zeros(2), np.array([1.0, 2.0]))
    other = Replicate(1.0, np.zeros(2), np.array([0.5, 0.5]))
    assert (one - other).jackknife.tolist() == [0.5, 1.5]
    assert (one - Replicate(1.0, np.zeros(2))).jackknife is None


def test_paired_error_is_below_the_unpaired_one_when_systems_agree() -> None:
    draw = np.random.default_rng(0)
    hard = draw.random(40)
    one, other = hard + 0.1 * draw.random(40), hard + 0.1 * draw.random(40)
    plan = Plan(n_resamples=500)
    made = run(mean_of(one), mean_of(other), plan=plan, n_clusters=40, n_rows=40)
    paired = estimate(made.of(1) - made.of(0), plan).standard_error
    apart = np.hypot(*(estimate(made.of(row), plan).standard_error for row in (0, 1)))
    assert paired < 0.2 * apart


# Intervals


def test_standard_error_of_a_mean_is_the_known_one() -> None:
    values = np.random.default_rng(1).exponential(size=50)
    plan = Plan(n_resamples=20_000)
    made = run(mean_of(values), plan=plan, n_clusters=50, n_rows=50).of(0)
    known = values.std() / np.sqrt(50)
    assert made.point == values.mean()
    assert estimate(made, plan).standard_error == pytest.approx(known, rel=0.02)


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("seed", range(4))
def test_intervals_equal_scipys_on_the_same_resamples(method: str, level: float, seed: int) -> None:
    values = np.random.default_rng(seed).exponential(size=23)
    plan = Plan(n_resamples=999, method=method, level=level)
    made = run(mean_of(values), plan=plan, n_clusters=23, n_rows=23).of(0)
    theirs = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=0,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=made.distribution),
        method="BCa" if method == "bca" else method,
        confidence_level=level,
    )
    found = estimate(made, plan)
    assert (found.low, found.high) == pytest.approx(tuple(theirs.confidence_interval), rel=1e-9)
    assert found.standard_error == pytest.approx(theirs.standard_error, rel=1e-12)


def test_jackknife_leaves_out_every_cluster_once() -> None:
    values = np.array([1.0, 2.0, 6.0])
    plan = Plan(n_resamples=5, method="bca", block_values=2)
    made = run(mean_of(values), plan=plan, n_clusters=3, n_rows=3)
    assert made.jackknife.tolist() == [[4.0, 3.5, 1.5]]
    assert made.of(0).jackknife.tolist() == [4.0, 3.5, 1.5]
    assert run(mean_of(values), n_clusters=3, n_rows=3).jackknife is None


def replicate(values, point: float = 0.5, jackknife=None) -> Replicate:
    return Replicate(point, np.asarray(values, dtype=float), jackknife)


NOTHING_TO_SAY = [
    (0, replicate([]), "percentile", "no resamples were asked for"),
    (3, replicate([1, 2, 3], np.nan), "percentile", "the number itself is undefined"),
    (3, replicate([np.nan] * 3), "percentile", "fewer than two resamples are defined"),
    (3, replicate([1, np.nan, np.nan]), "percentile", "fewer than two resamples are defined"),
    (3, replicate([2, 2, np.nan]), "percentile", "all resamples give the same number"),
    (3, replicate([0, 0, 0]), "basic", "all resamples give the same number"),
    (3, replicate([0.3, 0.1 + 0.2, 0.3]), "percentile", "all resamples give the same number"),
    (100, replicate([0] * 99 + [1]), "percentile", "nearly all resamples give the same number"),
    (3, replicate([0, 1, 2]), "bca", "BCa needs the number without each participant"),
    (
        3,
        replicate([0, 1, 2], jackknife=np.array([1, np.nan])),
        "bca",
        "BCa needs the number without each participant",
    ),
    (3, replicate([0, 1, 2], jackknife=np.ones(4)), "bca", "no single participant changes it"),
    (3, replicate([0, 1, 2], jackknife=np.ones(0)), "bca", "no single participant changes it"),
    (
        3,
        replicate([0, 1, 2], 9.0, np.array([1.0, 2.0])),
        "bca",
        "all resamples lie on one side of the number",
    ),
    (
        3,
        replicate([0, 1, 2], -9.0, np.array([1.0, 2.0])),
        "bca",
        "all resamples lie on one side of the number",
    ),
]


@pytest.mark.parametrize(("n", "given_", "method", "reason"), NOTHING_TO_SAY)
def test_no_interval_is_given_without_a_reason_to(
    n: int, given_: Replicate, method: str, reason: str
) -> None:
    found = estimate(given_, Plan(n_resamples=n, method=method))
    assert np.isnan([found.low, found.high, found.standard_error]).all()
    assert found.value is given_.point
    said = found.reason.replace("changes the number", "changes it")
    assert reason in said


def test_one_cluster_gives_no_interval(engine) -> None:
    rows = clustered(np.zeros(N_ROWS, dtype=np.int64))
    for method in ("percentile", "basic", "bca"):
        plan = Plan(n_resamples=20, method=method)
        made = run(metric("aurc", rows=rows), plan=plan, n_clusters=1)
        found = estimate(made.of(0), plan)
        assert found.value == selective.aurc(**TABLE)
        assert found.reason == (
            "all resamples give the same number, so resampling cannot show its uncertainty"
        )


@pytest.mark.parametrize("loss", [0.0, 0.1, 1 / 3, 0.7])
def test_constant_losses_give_no_interval_whatever_the_rounding(loss: float, engine) -> None:
    columns = {**TABLE, "loss": np.full(N_ROWS, loss), "answered": np.ones(N_ROWS)}
    names = ("aurc", "risk", "eaurc", "eaugrc", "naurc", "aurc_achievable")
    made = run(*(metric(name, columns) for name in names))
    for row in range(len(names)):
        found = estimate(made.of(row), PLAN)
        assert found.reason is not None
        assert "same number" in found.reason


def test_nothing_predicted_has_defined_outcomes(engine) -> None:
    columns = {**TABLE, "answered": np.zeros(N_ROWS)}
    made = run(metric("aurc", columns), metric("risk", columns), metric("error_auroc", columns))
    areas, risk, auroc = (estimate(made.of(row), PLAN) for row in range(3))
    assert areas.value == 0.0
    assert areas.n_undefined == 0
    assert "same number" in areas.reason
    for undefined in (risk, auroc):
        assert np.isnan(undefined.value)
        assert undefined.n_undefined == PLAN.n_resamples
        assert undefined.reason == "the number itself is undefined"


def test_undefined_resamples_are_counted_and_left_out() -> None:
    found = estimate(replicate([np.nan, 1, 2, 3, np.nan, 4, 5]), Plan(n_resamples=7))
    assert found.n_undefined == 2
    assert (found.low, found.high) == pytest.approx((1.1, 4.9))
    assert found.standard_error == pytest.approx(np.sqrt(2.5))
    assert found.reason is None


@pytest.mark.parametrize(
    ("drawn", "ends"),
    [
        ([0.5] * 60, (0.5, 0.5)),
        ([0.25] * 60, (0.25, 0.25)),
        ([np.nan] * 59 + [0.25], (0.5, 0.5)),
        ([np.nan] * 60, (0.5, 0.5)),
    ],
)
def test_an_interval_without_width_can_be_kept_as_an_earlier_program_does(drawn, ends) -> None:
    replicate = Replicate(0.5, np.array(drawn))
    assert estimate(replicate, PLAN).reason is not None
    found = estimate(replicate, replace(PLAN, without_width="keep"))
    assert (found.low, found.high, found.reason) == (*ends, None)
    assert found.standard_error == 0.0
    undefined = estimate(Replicate(np.nan, np.array(drawn)), replace(PLAN, without_width="keep"))
    assert undefined.reason == "the number itself is undefined"


def test_basic_interval_mirrors_the_percentile_one() -> None:
    given_ = replicate([1, 2, 3, 4, 5], 2.0)
    low, high = (estimate(given_, Plan(n_resamples=5)).low, estimate(given_, Plan()).high)
    found = estimate(given_, Plan(n_resamples=5, method="basic"))
    assert (found.low, found.high) == (4.0 - high, 4.0 - low)


def test_bca_is_refused_above_5000_clusters_with_a_way_out() -> None:
    plan = Plan(n_resamples=10, method="bca")
    with pytest.raises(UsageError, match=r"refused above 5,000 participants \(found 5,001\)") as e:
        run(mean_of(np.ones(5001)), plan=plan, n_clusters=5001, n_rows=5001)
    assert "percentile" in e.value.hint


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"n_resamples": -1}, "must be from 0 to 1,000,000, found -1"),
        ({"level": 0.0}, "`level` must be above 0 and below 1, found 0"),
        ({"level": 1.0}, "`level` must be above 0 and below 1, found 1"),
        ({"level": 95.0}, "`level` must be above 0 and below 1, found 95"),
        ({"level": float("nan")}, "`level` must be a number, found nan"),
        ({"seed": -1}, "`seed` must be from 0 to 4,294,967,295, found -1"),
        ({"seed": 2**32}, "`seed` must be from 0 to 4,294,967,295"),
        ({"threads": 0}, "`threads` must be at least 1, found 0"),
    ],
)
def test_plan_refuses_what_cannot_be_done(chosen, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Plan(**chosen)


# p-values


@pytest.mark.parametrize(
    ("distribution", "point", "wanted"),
    [
        (np.zeros(99), 0.0, 1.0),
        (np.ones(99), 1.0, 0.02),
        (-np.ones(9), -1.0, 0.2),
        ([-1, 1, 2, 3], 1.0, 2 * 2 / 5),
        ([-1, 0, 2, 3], 1.0, 1.0),
        ([-1, 1, np.nan, 2, 3, np.nan], 1.0, 2 * 2 / 5),
        ([1, 2], 1.0, 2 / 3),
    ],
)
def test_p_value_counted_by_hand(distribution, point: float, wanted: float) -> None:
    given_ = Replicate(point, np.asarray(distribution, dtype=float))
    assert p_value(given_) == pytest.approx(wanted, rel=1e-15)
    mirrored = Replicate(-point, -given_.distribution)
    assert p_value(mirrored) == p_value(given_)


def test_p_value_is_undefined_where_the_difference_is() -> None:
    assert np.isnan(p_value(Replicate(1.0, np.zeros(0))))
    assert np.isnan(p_value(Replicate(1.0, np.full(5, np.nan))))
    assert np.isnan(p_value(Replicate(np.nan, np.ones(5))))


def test_holm_by_hand() -> None:
    # Sorted 0.01 0.02 0.03 0.04 times 4 3 2 1 is 0.04 0.06 0.06 0.04, and may not fall
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([0.2]) == [0.2]
    assert holm([]) == []


def test_holm_leaves_undefined_comparisons_out() -> None:
    found = holm([np.nan, 0.01, 0.04])
    assert np.isnan(found[0])
    assert found[1:] == [0.02, 0.04]


# Bands


def test_bands_are_the_quantiles_of_the_first_resamples() -> None:
    slopes = np.arange(1.0, 6.0)

    def points(draw: Draw) -> list[np.ndarray]:
        mean = draw.counts @ slopes[:, None] / 5
        return [mean * np.array([1.0, 2.0, 0.0]), -mean * np.ones(3)]

    plan = Plan(n_resamples=200, level=0.9, block_values=5)
    n, intervals = bands(points, plan, n_clusters=5, n_rows=5, n_points=3)
    assert n == 200
    drawn = oracles.draws(5, n_resamples=200, seed=42)
    means = np.array([slopes[draw].mean() for draw in drawn])
    low, high = np.quantile(means, [0.05, 0.95])
    np.testing.assert_allclose(intervals[0][0], [low, 2 * low, np.nan], rtol=1e-12)
    np.testing.assert_allclose(intervals[0][1], [high, 2 * high, np.nan], rtol=1e-12)
    np.testing.assert_allclose(intervals[1][0], -high * np.ones(3), rtol=1e-12)


def test_bands_leave_undefined_resamples_out_point_by_point() -> None:
    def points(draw: Draw) -> list[np.ndarray]:
        first = draw.counts[:, :1]
        sometimes = np.where(first > 1, np.nan, first)
        return [np.concatenate([first, sometimes, np.full_like(first, np.nan)], axis=1)]

    plan = Plan(n_resamples=100, level=0.5)
    _, [(low, high)] = bands(points, plan, n_clusters=4, n_rows=4, n_points=3)
    counts = np.array(
        [draw.count(0) for draw in oracles.draws(4, n_resamples=100, seed=42)], dtype=float
    )
    assert (low[0], high[0]) == tuple(np.quantile(counts, [0.25, 0.75]))
    assert (low[1], high[1]) == tuple(np.quantile(counts[counts <= 1], [0.25, 0.75]))
    assert np.isnan([low[2], high[2]]).all()


def test_bands_of_long_curves_use_fewer_resamples_and_say_how_many() -> None:
    def points(draw: Draw) -> list[np.ndarray]:
        return [np.zeros((draw.counts.shape[0], 1000))]

    options = {"n_clusters": 3, "n_rows": 3, "n_points": 1000}
    assert bands(points, Plan(n_resamples=5000), **options)[0] == 1000
    assert bands(points, Plan(n_resamples=300), **options)[0] == 300
    n, [(low, high)] = bands(points, Plan(n_resamples=0), **options)
    assert n == 0
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_bands_of_a_curve_without_points_are_empty() -> None:
    _, [(low, high)] = bands(
        lambda draw: [np.zeros((draw.counts.shape[0], 0))],
        Plan(n_resamples=10),
        n_clusters=3,
        n_rows=3,
        n_points=0,
    )
    assert low.shape == high.shape == (0,)


@given(
    hnp.arrays(float, st.tuples(st.integers(1, 3), st.integers(1, 40)), elements=st.floats(-9, 9)),
    st.lists(st.floats(0, 1), min_size=1, max_size=3).map(np.array),
)
def test_quantiles_are_numpys_to_the_digit(values, shares) -> None:
    wanted = np.moveaxis(np.quantile(values, shares, axis=-1), 0, -1)
    np.testing.assert_array_equal(quantiles(values, shares), wanted)


# Simulations


def simulated(draw, n_clusters: int = 30, n_items: int = 8):
    """Return right and wrong answers of people who differ: the items of one are alike."""
    ability = draw.beta(1, 1, n_clusters)
    return (draw.random((n_clusters, n_items)) < ability[:, None]).astype(float)


def covers(values, plan: Plan) -> bool:
    made = run(mean_of(values), plan=plan, n_clusters=values.size, n_rows=values.size)
    found = estimate(made.of(0), plan)
    return found.low <= 0.5 <= found.high


@pytest.mark.slow
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_of_clusters_cover_and_those_of_rows_do_not(method: str) -> None:
    draw = np.random.default_rng(2024)
    plan = Plan(n_resamples=400, method=method)
    answers = [simulated(draw) for _ in range(600)]
    by_cluster = np.mean([covers(each.mean(1), plan) for each in answers])
    by_row = np.mean([covers(each.ravel(), plan) for each in answers])
    assert 0.92 <= by_cluster <= 0.975
    assert by_row < 0.85


@pytest.mark.slow
def test_p_values_of_equal_systems_have_their_nominal_size() -> None:
    draw = np.random.default_rng(5)
    plan = Plan(n_resamples=400)
    found = []
    for _ in range(600):
        ability = draw.beta(1, 1, 40)[:, None]
        one, other = ((draw.random((40, 8)) < ability).mean(1) for _ in range(2))
        made = run(mean_of(one), mean_of(other), plan=plan, n_clusters=40, n_rows=40)
        found.append(p_value(made.of(1) - made.of(0)))
    assert 0.025 <= np.mean(np.array(found) <= 0.05) <= 0.08
    assert 0.42 <= np.mean(np.array(found) <= 0.5) <= 0.58


def test_more_resamples_than_fit_into_memory_are_refused():
    with pytest.raises(UsageError, match="from 0 to 1,000,000, found 1000000000000"):
        Plan(n_resamples=10**12)


@pytest.mark.parametrize("unit", [1.0, 2.0**1020, 2.0**-1020, 2.0**600])
@pytest.mark.parametrize("method", ["percentile", "basic"])
def test_intervals_of_very_large_and_small_numbers_are_those_in_other_units(unit, method):
    drawn = np.array([1.0, 1.25, 1.5, 1.75, 2.0])
    plan = Plan(n_resamples=5, method=method)
    usual = estimate(Replicate(1.5, drawn), plan)
    found = estimate(Replicate(1.5 * unit, drawn * unit), plan)
    assert (found.low, found.high) == (usual.low * unit, usual.high * unit)
    assert found.standard_error == usual.standard_error * unit > 0


def test_infinite_resamples_are_counted_and_an_end_beyond_a_double_has_a_reason():
    drawn = np.array([1.0, 2.0, 3.0, np.inf, np.nan])
    found = estimate(Replicate(2.0, drawn), Plan(n_resamples=5))
    assert (found.n_undefined, found.reason) == (2, None)
    assert found.low < found.high < 3.0
    basic = Plan(n_resamples=3, method="basic")
    found = estimate(Replicate(1.7e308, np.array([0.0, 1e308, 1.7e308])), basic)
    assert found.reason == "it is infinite or beyond the range of a double"
    assert np.isnan(found.high)


def test_what_would_have_shown_is_2_8_standard_errors():
    assert detectable(1.0, 0.95) == pytest.approx(2.8016, abs=1e-4)
    assert detectable(0.0, 0.95) != detectable(0.0, 0.95), "not a number without a spread"
