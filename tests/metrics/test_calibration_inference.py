"""Calibration metrics under resampling, and p-values under calibrated scores."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

import assay
from assay.columns import Resamples
from assay.inference import Plan, bootstrap, estimate, flip_p_value
from assay.metrics import calibration
from assay.metrics.calibration import monte_carlo_p_value
from assay.registry import METRICS
from assay.score import Rows, requests, statistic
from bench.coverage.designs import MORE_ALIKE
from bench.coverage.designs import calibration as alike_within

SCORES = {
    "uniform": lambda generator, n: generator.random(n),
    "five levels": lambda generator, n: generator.choice([0.1, 0.3, 0.5, 0.7, 0.9], n),
    "one level": lambda _, n: np.full(n, 0.7),
    "sure": lambda generator, n: generator.choice([0.8, 0.9, 0.95, 0.99, 1.0], n),
    "rare": lambda generator, n: generator.beta(1, 30, n),
    "at both ends": lambda generator, n: generator.beta(0.5, 0.5, n),
}
P_VALUES = (
    "ks_p_value",
    "kuiper_p_value",
    "spiegelhalter_p_value",
    "spiegelhalter_two_sided_p_value",
)
LEVEL = 0.05


# Resampling


def clustered(n_clusters=40, n_items=6, seed=0):
    generator = np.random.default_rng(seed)
    lean = np.repeat(generator.normal(scale=0.7, size=n_clusters), n_items)
    probability = 1 / (1 + np.exp(-lean - generator.normal(size=lean.size)))
    correct = (generator.random(lean.size) < probability**1.3).astype(float)
    cluster = np.repeat(np.arange(n_clusters), n_items)
    weight = Resamples(np.ones((1, n_clusters)), cluster, np.ones(cluster.size), ())
    return Rows({"correct": correct, "probability": np.round(probability, 3)}, weight)


def drawn(rows, plan, **settings):
    asked = [each for each in requests(tuple(rows.columns), settings) if each.metric.interval]
    chosen = [each for each in asked if each.metric.family == "calibration"]
    found = bootstrap(
        [statistic(each, rows) for each in chosen],
        plan,
        n_clusters=rows.weight.counts.shape[1],
        n_rows=rows.weight.cluster.size,
    )
    return {each.label: found.of(row) for row, each in enumerate(chosen)}


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    "settings", [{}, {"strategy": "quantile"}, {"strategy": "scores"}, {"smoothing": "relplot"}]
)
def test_block_size_and_threads_change_no_digit(settings):
    rows = clustered()
    whole = drawn(rows, Plan(n_resamples=30), **settings)
    assert {"ece", "brier", "smooth_ece", "ks_calibration"} <= whole.keys()
    for values, threads in ((1, 1), (700, 1), (2_000, 2)):
        parts = drawn(rows, Plan(n_resamples=30, block_values=values, threads=threads), **settings)
        for label, replicate in whole.items():
            np.testing.assert_array_equal(
                parts[label].distribution, replicate.distribution, err_msg=label
            )


def test_point_of_a_bootstrap_is_the_number_itself():
    rows = clustered()
    for label, replicate in drawn(rows, Plan(n_resamples=5)).items():
        alone = METRICS[label].function(**rows.columns)
        assert replicate.point == pytest.approx(alone, rel=1e-11, abs=1e-12), label


def test_resamples_of_clusters_are_repeated_rows():
    rows = clustered(n_clusters=7)
    counts = np.array([[2.0, 0, 1, 1, 3, 0, 0]])
    times = counts[0, rows.weight.cluster].astype(int)
    repeated = {name: np.repeat(column, times) for name, column in rows.columns.items()}
    for metric in METRICS.values():
        if metric.columns == ("correct", "probability"):
            carrier = Resamples(counts, rows.weight.cluster, rows.weight.size, (1,))
            found = metric.function(**rows.columns, weight=carrier)[0]
            wanted = metric.function(**repeated)
            assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12, nan_ok=True), metric.name


def test_noise_lifts_the_error_of_calibrated_scores_and_the_debiased_one_less():
    generator = np.random.default_rng(3)
    plug_in, debiased, root, debiased_root = np.zeros((4, 300))
    for number in range(300):
        probability = generator.random(200)
        correct = generator.random(200) < probability
        plug_in[number] = calibration.ece(correct, probability)
        debiased[number] = calibration.debiased_ece(correct, probability)
        root[number] = calibration.rms_calibration_error(correct, probability) ** 2
        debiased_root[number] = (
            calibration.debiased_rms_calibration_error(correct, probability) ** 2
        )
    assert debiased.mean() < 0.65 * plug_in.mean()
    assert debiased_root.mean() < 0.35 * root.mean()


def test_gaps_beyond_the_noise_are_left_as_they_are():
    generator = np.random.default_rng(4)
    probability = generator.uniform(0.6, 0.9, 2_000)
    correct = generator.random(2_000) < probability - 0.3
    plug_in = calibration.ece(correct, probability)
    assert calibration.debiased_ece(correct, probability) == pytest.approx(plug_in, rel=1e-6)


# p-values of calibrated scores


def rejections(kind, n, n_samples, seed):
    """Return how often each test rejects calibrated scores, and how often it is undefined."""
    generator = np.random.default_rng(seed)
    probability = SCORES[kind](generator, n)
    rejected = dict.fromkeys(P_VALUES, 0)
    for _ in range(n_samples):
        correct = (generator.random(n) < probability).astype(float)
        for name in P_VALUES:
            rejected[name] += METRICS[name].function(correct, probability, law="checked") <= LEVEL
    return {name: count / n_samples for name, count in rejected.items()}


def assert_honest(found, n_samples):
    most = LEVEL + 3.5 * math.sqrt(LEVEL * (1 - LEVEL) / n_samples)
    for name, share in found.items():
        assert share <= most, (name, share)


@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("n", [50, 500])
def test_calibrated_scores_are_rejected_at_most_as_often_as_stated(kind, n):
    assert_honest(rejections(kind, n, 150, seed=n), 150)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("n", [50, 500, 5_000])
def test_calibrated_scores_are_rejected_at_most_as_often_as_stated_in_the_long_run(kind, n):
    n_samples = 20_000 if n < 5_000 else 4_000
    assert_honest(rejections(kind, n, n_samples, seed=n + 1), n_samples)


def test_bare_limit_law_of_spiegelhalter_rejects_too_often_at_fifty_rows():
    generator = np.random.default_rng(11)
    probability = SCORES["rare"](generator, 50)
    outcomes = (generator.random((20_000, 50)) < probability).astype(float)
    shares = {}
    for law in ("limit", "checked"):
        p_values = [
            calibration.spiegelhalter_p_value(correct, probability, law=law)
            for correct in outcomes[:4_000]
        ]
        shares[law] = np.mean(np.array(p_values) <= LEVEL)
    assert shares["limit"] > 0.058
    assert shares["checked"] <= 0.058


def test_next_to_no_chance_leaves_the_limit_laws_undefined():
    probability = np.full(50, 0.01)
    correct = np.zeros(50)
    for name in P_VALUES:
        assert math.isnan(METRICS[name].function(correct, probability, law="checked")), name
        assert METRICS[name].function(correct, probability, law="limit") > 0
    assert "limit law" in METRICS["ks_p_value"].undefined


def test_rounding_does_not_decide_whether_a_limit_law_holds():
    probability = np.full(8, 0.5)
    for order in (np.ones(8), np.array([1 / 3] * 3 + [7.0])):
        share = 8 * order / order.sum()
        p_value = calibration.ks_p_value(
            np.ones(order.size), probability[: order.size], weight=share
        )
        assert p_value == pytest.approx(calibration.ks_p_value(np.ones(8), probability))


def test_corrected_tail_of_one_score_is_close_to_the_exact_one():
    from scipy.stats import binom

    for n, p in ((20, 0.1), (60, 0.2), (200, 0.05)):
        for right in range(int(n * p) + 1, int(n * p) + 6):
            correct = np.arange(n) < right
            found = calibration.spiegelhalter_p_value(correct, np.full(n, p), law="checked")
            exact = binom.sf(right - 1, n, p)
            assert found == pytest.approx(exact, rel=0.1, abs=2e-3) or found > exact


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ks_calibration", "spiegelhalter_z", "ece"])
def test_redrawn_p_values_reject_at_their_nominal_rate(name):
    generator = np.random.default_rng(12)
    probability = generator.random(60)
    p_values = np.array(
        [
            monte_carlo_p_value(
                generator.random(60) < probability,
                probability,
                statistic=name,
                n_draws=199,
                seed=seed,
            ).p_value
            for seed in range(3_000)
        ]
    )
    error = 3.5 * math.sqrt(LEVEL * (1 - LEVEL) / 3_000)
    assert (p_values <= LEVEL).mean() == pytest.approx(LEVEL, abs=error)


@pytest.mark.slow
def test_intervals_of_the_brier_score_cover_its_mean():
    samples = (clustered(n_clusters=60, seed=10_000 + each).columns for each in range(2_000))
    mean = np.mean([calibration.brier(**columns) for columns in samples])
    plan, covered = Plan(n_resamples=400), 0
    for seed in range(200):
        interval = estimate(drawn(clustered(n_clusters=60, seed=seed), plan)["brier"], plan)
        covered += interval.low <= mean <= interval.high
    assert covered >= 0.90 * 200


# Signs of clusters

THREE = np.array([0, 0, 1, 1, 2, 2])
OUTCOMES, SCORED = [1, 1, 0, 0, 1, 0], [0.6, 0.6, 0.6, 0.6, 0.2, 0.2]


def turned(name: str, outcomes, scores, cluster, **options) -> float:
    n_clusters = int(np.max(cluster)) + 1
    weight = Resamples(np.ones((1, n_clusters)), np.asarray(cluster), np.ones(len(cluster)), ())
    made = METRICS[name].flipped(outcomes, scores, weight=weight, **options)
    return flip_p_value(made, n_clusters, len(cluster), seed=7).p_value


def test_three_clusters_turn_in_all_eight_ways():
    # Differences by cluster: at 0.2 the third adds 0.6; at 0.6 the first adds 0.8, the second -1.2.
    # Walks (third, first, second) reach 0.6, then 0.6 + 0.8 - 1.2: at most 0.6 from 0, range 0.6.
    walks = [
        np.array([0.6 * c, 0.6 * c + 0.8 * a - 1.2 * b])
        for a in (1, -1)
        for b in (1, -1)
        for c in (1, -1)
    ]
    far = [np.abs(walk).max() >= 0.6 - 1e-9 for walk in walks]
    assert turned("ks_p_value", OUTCOMES, SCORED, THREE) == np.mean(far)
    ranges = [max(walk.max(), 0) - min(walk.min(), 0) for walk in walks]
    assert turned("kuiper_p_value", OUTCOMES, SCORED, THREE) == np.mean(np.array(ranges) >= 0.6)


def test_the_sum_of_spiegelhalter_is_studentized_and_the_sample_corrected_for_skewness():
    # Each difference times 1 - 2 p, which is -0.2 and 0.6.
    moved = np.array([-0.2 * 0.8, 0.2 * 1.2, 0.6 * 0.6])
    t = [stats.ttest_1samp(moved * signs, 0).statistic for signs in product((1, -1), repeat=3)]
    lean = stats.skew(moved) / np.sqrt(3)
    own = t[0] + lean * t[0] ** 2 / 3 + lean**2 * t[0] ** 3 / 27 + lean / 6
    every = np.array([own, *t[1:]])
    above = np.mean(every >= own)
    assert turned("spiegelhalter_p_value", OUTCOMES, SCORED, THREE, tail="upper") == above
    below = np.mean(every <= own)
    assert turned("spiegelhalter_p_value", OUTCOMES, SCORED, THREE, tail="lower") == below
    both = np.mean(np.abs(every) >= abs(own))
    assert turned("spiegelhalter_two_sided_p_value", OUTCOMES, SCORED, THREE) == both


def test_a_sum_of_spiegelhalter_to_which_clusters_add_alike_is_as_far_out_as_can_be():
    alike = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.9, 0.8, 0.9, 0.8]
    assert turned("spiegelhalter_p_value", *alike, [0, 0, 1, 1, 2, 2], tail="upper") == 1 / 8
    half = [1, 0], [0.5, 0.5]
    assert turned("spiegelhalter_two_sided_p_value", *half, [0, 1]) == 1


def test_statistics_that_break_ties_by_row_have_no_signs():
    weight = Resamples(np.ones((1, 3)), THREE, np.ones(6), ())
    options = {"weight": weight, "ties": "stable"}
    assert METRICS["ks_p_value"].flipped(OUTCOMES, SCORED, **options) is None
    assert METRICS["kuiper_p_value"].flipped(OUTCOMES, SCORED, **options) is None


def test_tests_of_clusters_reject_calibrated_scores_as_often_as_they_say():
    n, of, rejected, by_law = 24, 100, dict.fromkeys(P_VALUES, 0), 0
    cluster = np.repeat(np.arange(n), 8)
    for seed in range(of):
        columns = alike_within(np.random.default_rng([5, seed]), n, slope=1.0, rho=MORE_ALIKE)
        for name in P_VALUES:
            rejected[name] += turned(name, *columns.values(), cluster) <= LEVEL
        by_law += calibration.ks_p_value(*columns.values()) <= LEVEL
    assert by_law >= 15
    assert all(1 <= count <= 12 for count in rejected.values()), rejected


def test_many_clusters_turn_at_random_from_the_seed():
    rows = clustered()
    made = METRICS["ks_p_value"].flipped(**rows.columns, weight=rows.weight)
    one, again, other = (flip_p_value(made, 40, 240, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.n_flips == 1_999
    assert (one.seed, other.seed) == (1, 2)
    assert flip_p_value(made, 40, 10**9, seed=1).n_flips == 199


def test_bins_of_one_score_leave_nothing_within_them() -> None:
    score = np.tile([0.1, 0.3, 0.5, 0.7, 0.9], 30)
    right = (np.random.default_rng(1).random(150) < score**2).astype(float)
    found = assay.estimate("brier_within_bins", right, score, n_resamples=50)
    assert (found.value, found.reason is None) == (0.0, False)
