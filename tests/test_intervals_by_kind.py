"""Intervals by kind of number: against formulas by hand, and what is said where there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import assay
from assay.columns import Resamples
from assay.inference import (
    Deviations,
    Draw,
    Plan,
    Quantity,
    Replicate,
    automatic,
    bootstrap,
    deciding,
    deviations,
    estimate,
    expanded_p_value,
    interval_of,
    method_of,
    of_difference,
    p_value,
    swap_p_value,
    swapped,
)
from assay.inference.estimates import NO_WIDTH
from assay.inference.rules import estimated, interval_methods, inverted, with_gaps
from assay.metrics import calibration
from assay.registry import METRICS, Gaps
from assay.shares import shown_share

G = 12
RNG = np.random.default_rng(5)
VALUES = RNG.exponential(size=G)


def mean(draw: Draw) -> np.ndarray:
    return draw.counts @ VALUES / draw.counts.sum(-1)


def drawn(method: str, n: int = 400, n_clusters: int = G, **plan) -> tuple[Replicate, Plan]:
    chosen = Plan(n_resamples=n, seed=3, method=method, **plan)
    made = bootstrap([mean], chosen, n_clusters=n_clusters, n_rows=n_clusters, methods=[method])
    return made.of(0), chosen


def test_student_t_over_the_jackknife_is_that_of_a_mean() -> None:
    replicate, plan = drawn("jackknife-t")
    found = estimate(replicate, plan)
    wanted = stats.t.interval(0.95, G - 1, VALUES.mean(), stats.sem(VALUES))
    assert (found.low, found.high) == pytest.approx(wanted)
    assert found.method == "jackknife-t"
    cut = estimate(replicate, plan, bounds=(VALUES.mean() - 0.01, VALUES.mean() + 0.01))
    assert (cut.low, cut.high) == pytest.approx((VALUES.mean() - 0.01, VALUES.mean() + 0.01))


def test_halls_t_undoes_the_cubic_transformation() -> None:
    replicate, plan = drawn("hall-t")
    found = estimate(replicate, plan)
    error, root = stats.sem(VALUES), np.sqrt(G)
    skewness = stats.skew(VALUES)

    def transformed(t: float) -> float:
        return (
            t + skewness * t**2 / (3 * root) + skewness**2 * t**3 / (27 * G) + skewness / (6 * root)
        )

    tails = stats.t.ppf([0.975, 0.025], G - 1)
    ends = [(VALUES.mean() - end) / error for end in (found.low, found.high)]
    assert [transformed(each) for each in ends] == pytest.approx(list(tails))
    even = Replicate(0.0, np.linspace(-1, 1, 400), np.array([-1.0, 1.0]), n_clusters=2)
    plain = estimate(even, replace(plan, method="jackknife-t"))
    assert (estimate(even, plan).low, estimate(even, plan).high) == (plain.low, plain.high)


def test_bootstrap_t_has_an_error_bar_in_every_resample() -> None:
    replicate, plan = drawn("bootstrap-t")
    t = (replicate.distribution - VALUES.mean()) / replicate.errors
    high, low = np.quantile(t, [0.025, 0.975])
    error = stats.sem(VALUES)
    found = estimate(replicate, plan)
    wanted = VALUES.mean() - low * error, VALUES.mean() - high * error
    assert (found.low, found.high) == pytest.approx(wanted)


def test_error_bars_of_resamples_follow_from_what_pairs_of_clusters_move() -> None:
    replicate, plan = drawn("bootstrap-t", n=5)
    apart = VALUES - VALUES.mean()
    slope = -(apart[:, None] + apart) / ((G - 1) * (G - 2))
    np.fill_diagonal(slope, apart / (G + 1) - apart / (G - 1))
    stream = np.random.RandomState(3)
    for found in replicate.errors:
        counts = np.bincount(stream.randint(0, G, G), minlength=G)
        moves = apart / (G - 1) + slope @ (counts - 1)
        own = np.repeat(moves, counts)
        assert found == pytest.approx(np.sqrt(own.var() * (G - 1)))
    assert estimate(replicate, plan).method == "bootstrap-t"


def test_resamples_without_the_cluster_that_decides_have_no_error_bar_of_nothing() -> None:
    # A third of the resamples lack the only cluster with an error: their error bar is 0, and they
    # are as far from the number as it is from 0, in units of three tenths of its own error bar.
    errs = np.eye(1, G)[0]
    plan = Plan(n_resamples=400, seed=3, method="bootstrap-t")
    made = bootstrap([lambda draw: draw.counts @ errs / G], plan, n_clusters=G, n_rows=G).of(0)
    found = estimate(made, plan, bounds=(0.0, np.inf))
    assert (found.low, found.high) == (0.0, pytest.approx((1 + 1 / 0.3) / G))
    # By itself the rule takes what knows the skewness, where one cluster decides.
    chosen = automatic(made, plan, Quantity("area", (0.0, np.inf)))
    assert (chosen.method, chosen.high > found.high) == ("hall-t", True)
    some = np.where(np.arange(400) < 60, np.nan, made.errors)
    undefined = estimate(replace(made, errors=some), plan)
    assert "too many resamples have no error bar" in undefined.reason


def test_expanded_percentiles_have_the_tails_of_student_t() -> None:
    replicate, plan = drawn("expanded")
    share = stats.norm.cdf(np.sqrt(G / (G - 1)) * stats.t.ppf([0.025, 0.975], G - 1))
    found = estimate(replicate, plan)
    assert (found.low, found.high) == pytest.approx(np.quantile(replicate.distribution, share))
    unknown = estimate(replace(replicate, n_clusters=0), plan)
    percentile = estimate(replicate, replace(plan, method="percentile"))
    assert (unknown.low, unknown.high) == pytest.approx((percentile.low, percentile.high))
    assert estimate(replicate, replace(plan, method="auto")) == found


def test_the_least_of_several_reaches_to_where_its_resamples_are_mirrored() -> None:
    low = Replicate(0.5, np.linspace(0.1, 0.5, 400), np.linspace(0.49, 0.51, G), n_clusters=G)
    plan = Plan(n_resamples=400, method="jackknife-t or basic")
    around = estimate(low, replace(plan, method="jackknife-t"))
    expanded = estimate(low, replace(plan, method="expanded"))
    found = estimate(low, plan)
    assert found.low == around.low
    assert found.high == pytest.approx(2 * 0.5 - expanded.low - (0.3 - 0.5))
    raised = replace(low, distribution=1 - low.distribution)
    found, expanded = estimate(raised, plan), estimate(raised, replace(plan, method="expanded"))
    assert (found.low, found.high) == (pytest.approx(2 * 0.5 - expanded.high), around.high)
    assert "needs the number without each" in estimate(replace(low, jackknife=None), plan).reason


@pytest.mark.parametrize("narrow", ["bootstrap-t", "expanded"])
def test_what_few_clusters_tell_little_of_reaches_as_far_as_bca(narrow: str) -> None:
    replicate, plan = drawn("bootstrap-t or bca-t")
    # Skewness to the other side, so that one end of each lies further out.
    turned = replace(replicate, jackknife=2 * replicate.point - replicate.jackknife)
    for each in (replicate, turned):
        one, other = (estimate(each, replace(plan, method=of)) for of in (narrow, "bca-t"))
        both = estimate(each, replace(plan, method=f"{narrow} or bca-t"))
        assert (both.low, both.high) == (min(one.low, other.low), max(one.high, other.high))
    assert (both.low, both.high) != (one.low, one.high)
    # Where BCa is undefined the other stands alone, also with resamples that are undefined.
    gone = np.where(np.arange(400) < 20, np.nan, replicate.distribution)
    beside = replace(replicate, distribution=np.maximum(gone, replicate.point + 0.01))
    one, both = (estimate(beside, replace(plan, method=each)) for each in (narrow, both.method))
    assert (one.low, one.high, one.n_undefined) == (both.low, both.high, 20)


def test_what_is_at_its_most_reaches_as_far_up_as_down() -> None:
    # Half of the clusters are right: no resample lies above the most that it can be, a quarter.
    right = np.tile([0.0, 1.0], 10)
    plan = Plan(n_resamples=400, seed=3, method="auto")
    found = assay.estimate("brier_uncertainty", right, np.full(20, 0.5), n_resamples=400)
    assert (found.value, found.high, "expanded or basic" in found.how) == (0.25, 0.25, True)
    below = Replicate(0.2, np.linspace(0.1, 0.22, 400), n_clusters=20)
    peak = automatic(below, plan, Quantity("peak", (0.0, 0.25)))
    plain = estimate(below, plan, method="expanded")
    assert (peak.low, peak.high) == (plain.low, pytest.approx(min(0.25, 0.4 - plain.low)))


REFUSED = {
    "no jackknife": ({"jackknife": None}, "needs the number without each participant"),
    "undefined without one": ({"jackknife": np.full(G, np.nan)}, "one of them is undefined"),
    "nobody matters": ({"jackknife": np.ones(G)}, "no single participant changes the number"),
    "no errors": ({"errors": None}, "needs an error bar within each resample"),
    "errors of nothing": ({"errors": np.full(400, np.nan)}, "too many resamples have no error bar"),
}


@pytest.mark.parametrize(("changed", "reason"), REFUSED.values(), ids=REFUSED)
def test_bootstrap_t_says_what_it_lacks(changed, reason: str) -> None:
    replicate, plan = drawn("bootstrap-t")
    found = estimate(replace(replicate, **changed), plan)
    assert reason in found.reason
    assert found.method is None
    by_rule = automatic(replace(replicate, **changed), plan, Quantity("area"))
    assert by_rule.method == "expanded"


def test_above_5000_clusters_groups_are_left_out() -> None:
    values = np.arange(6_000.0)
    plan = Plan(n_resamples=2, method="hall-t")
    made = bootstrap(
        [lambda draw: draw.counts @ values / draw.counts.sum(-1)],
        plan,
        n_clusters=6_000,
        n_rows=6_000,
        methods=["hall-t"],
    )
    assert made.jackknife.shape == (1, 1_000)
    assert made.jackknife[0, 0] == pytest.approx(
        np.delete(values, np.arange(0, 6_000, 1_000)).mean()
    )
    assert method_of("area", 6_000) == method_of("ranking", 6_000) == "expanded"


def test_kinds_have_their_methods() -> None:
    metrics = [METRICS[name] for name in ("aurc", "winkler", "cmax", "worst_class_coverage")]
    assert interval_methods(metrics, Plan(method="auto"), 41) == [
        *("bootstrap-t or bca-t", "hall-t", "expanded", "jackknife-t or basic")
    ]
    assert interval_methods(metrics, Plan(method="bca"), 41) == ["bca"] * 4
    assert method_of("ranking", 41) == method_of("area", 200) == "bca-t"


REPLICATE, AUTO = drawn("auto")
SILENT = {
    "no truth": (REPLICATE, Quantity("none", no_interval="why"), "why"),
    "few": (
        replace(REPLICATE, n_clusters=5),
        Quantity(unit="participant"),
        "fewer than 6 participants: resampling cannot tell",
    ),
    "a column of the user's": (
        replace(REPLICATE, n_clusters=5),
        Quantity(unit="who"),
        "fewer than 6 clusters: resampling cannot tell",
    ),
    "no error": (
        Replicate(0.0, np.zeros(400), n_clusters=41),
        Quantity("area", (0.0, 1.0), flawless=0.0, unit="participant"),
        "no error was seen: with 41 participants fewer than 7 % of them make one",
    ),
    "all agree": (
        Replicate(1.0, np.ones(400), n_clusters=41),
        Quantity("share", (0.0, 1.0), unit="row"),
        "all agree: with 41 rows fewer than 7 % of them differ",
    ),
    "few are concerned": (
        Replicate(1.0, np.ones(400), n_clusters=41, n_concerned=5),
        Quantity("share", (0.0, 1.0), unit="participant"),
        "it concerns 5 participants, which are too few to tell",
    ),
    "few are wrong": (
        replace(REPLICATE, n_clusters=41),
        Quantity("area", (0.0, 1.0), flawless=0.0, unit="participant", n_wrong=5),
        "only 5 participants have an error, which is too few to tell",
    ),
    "one is wrong, beyond what counts": (
        Replicate(0.1, np.full(400, 0.1), n_clusters=41),
        Quantity("area", (0.0, 1.0), flawless=0.0, unit="row", n_wrong=1),
        "only 1 row has an error, which is too few to tell",
    ),
    "nobody has it alone": (
        Replicate(1.0, np.ones(400), n_clusters=41, n_concerned=0),
        Quantity("ranking", (0.0, 1.0), unit="participant"),
        "all resamples give the same number, so resampling cannot show its uncertainty",
    ),
    "constant": (
        Replicate(0.3, np.full(400, 0.3), n_clusters=41),
        Quantity("share", (0.0, 1.0)),
        "all resamples give the same number, so resampling cannot show its uncertainty",
    ),
    "undefined": (replace(REPLICATE, point=np.nan), Quantity(), "the number itself is undefined"),
    "no gaps": (REPLICATE, Quantity("norm"), "all gaps are 0, so there is nothing to invert"),
    "gaps of 0": (
        replace(
            REPLICATE, deviations=Deviations(np.zeros(2), np.ones((9, 2)), lambda gap: gap.sum(-1))
        ),
        Quantity("norm"),
        "all gaps are 0, so there is nothing to invert",
    ),
    "gaps of rounding": (
        replace(
            REPLICATE,
            deviations=Deviations(np.full(2, 1e-17), np.ones((9, 2)), lambda gap: gap.sum(-1)),
        ),
        Quantity("norm"),
        "all gaps are 0, so there is nothing to invert",
    ),
    "smaller than chance": (
        replace(
            REPLICATE,
            deviations=Deviations(np.full(2, 0.01), np.ones((9, 2)), lambda gap: gap.sum(-1)),
        ),
        Quantity("norm"),
        "it is smaller than chance alone makes it where the truth is 0: no truth fits",
    ),
    "a selection": (
        replace(REPLICATE, distribution=np.where(np.arange(400) < 60, np.nan, np.arange(400.0))),
        Quantity("jump"),
        "it is undefined on 15 % of the resamples, and the others are a selection",
    ),
    "without noise": (
        replace(
            REPLICATE, deviations=Deviations(np.ones(1), np.zeros((9, 1)), lambda gap: gap[..., 0])
        ),
        Quantity("norm", (0.0, 1.0)),
        "nearly all resamples give the same number, so their interval has no width",
    ),
}


@pytest.mark.parametrize(("replicate", "number", "reason"), SILENT.values(), ids=SILENT)
def test_where_no_method_is_honest_there_is_a_reason(replicate, number, reason: str) -> None:
    found = automatic(replicate, AUTO, number)
    assert found.reason == reason
    assert np.isnan([found.low, found.high, found.standard_error]).all()
    assert found.method is None


@pytest.mark.parametrize("n_wrong", [1, 5, 6])
def test_an_area_needs_errors_of_six_participants(n_wrong: int) -> None:
    person, item = np.repeat(np.arange(20), 3), np.tile(np.arange(3), 20)
    sure = RNG.random(60)
    # Who is wrong on all three items is one participant; what is held back costs nothing.
    prediction = np.where(person < n_wrong, 1.0, 0.0)
    prediction[(person == 19) & (item == 0)] = 1.0
    answered = (person != 19) | (item != 0)
    rows = {"participant": person, "item": item, "truth": np.zeros(60), "confidence": sure}
    rows |= {"prediction": np.where(answered, prediction, np.nan)}
    asked = {"loss": "zero_one", "n_resamples": 200}
    found = assay.evaluate("selective", systems={"who": rows}, **asked)
    loss = (prediction > 0).astype(float)
    alone = assay.estimate("risk", loss, sure, answered=answered, cluster=person, n_resamples=200)
    told = "no reason" if n_wrong == 6 else "which is too few to tell"
    for name in ("aurc", "risk", "risk_at_coverage@0.30", "eaugrc"):
        assert told in (found["who"][name].record.interval_reason or "no reason")
    assert told in (alone.reason or "no reason")
    # Where there is no interval, nothing is said of its being too short; others are as they were.
    warned = " ".join(found.artifact.warnings)
    assert "decide aurc" not in warned or n_wrong == 6
    assert found["who"]["cmax"].record.interval
    plain = assay.evaluate("selective", systems={"who": rows}, ci_method="percentile", **asked)
    assert plain["who"]["aurc"].record.interval


def test_who_is_shown_only_with_six_errors_has_a_lower_end_that_knows_it() -> None:
    # Among samples with six errors or more, at any rate of errors, one in forty is too high.
    for n, share in [(20, 0.05), (20, 0.14), (20, 0.4), (41, 0.1), (200, 0.03), (200, 0.3)]:
        counts = np.arange(6, n + 1)
        chance = stats.binom.pmf(counts, n, share) / stats.binom.sf(5, n, share)
        above = [shown_share(int(k), n, 6, 0.025) > share for k in counts]
        assert chance[above].sum() <= 0.025 + 1e-9


@pytest.mark.parametrize(("n_wrong", "method"), [(6, "few errors"), (12, "bootstrap-t or bca-t")])
def test_an_area_of_few_errors_reaches_down_to_what_they_allow(n_wrong: int, method: str) -> None:
    replicate, plan = drawn("bootstrap-t or bca-t")
    wanted = replace(plan, method="auto")
    area = Quantity("area", (0.0, np.inf), flawless=0.0)
    free, found = (automatic(replicate, wanted, replace(area, n_wrong=n)) for n in (None, n_wrong))
    assert free.method == "bootstrap-t or bca-t"
    assert (found.low == 0, found.high, found.method) == (n_wrong == 6, free.high, method)
    # What is better higher has no errors that could be fewer.
    ranked = replace(area, flawless=1.0, n_wrong=n_wrong)
    assert automatic(replicate, wanted, ranked) == free


def test_what_an_earlier_program_keeps_is_kept() -> None:
    same = Replicate(0.5, np.full(400, 0.5), n_clusters=41)
    kept = automatic(same, replace(AUTO, without_width="keep"), Quantity())
    assert (kept.low, kept.high) == (0.5, 0.5)


def test_a_difference_is_never_read_by_bca() -> None:
    replicate, plan = drawn("bca")
    expanded = estimate(replicate, replace(plan, method="expanded"))
    assert of_difference(replicate, plan, "row") == expanded
    assert of_difference(replicate, replace(plan, method="auto"), "row") == expanded
    plain = replace(plan, method="percentile")
    assert of_difference(replicate, plain, "row") == estimate(replicate, plain)
    assert interval_of(replicate, replace(plan, method="auto")) == expanded
    assert interval_of(replicate, plain) == estimate(replicate, plain)


def test_bca_takes_what_rounding_alone_moves_as_tied() -> None:
    point, jackknife = 0.1 + 0.2, np.linspace(0.2, 0.4, G)
    exact = np.concatenate([np.full(200, point), np.linspace(0.2, 0.5, 200)])
    rounded = np.concatenate([np.full(200, 0.3), np.linspace(0.2, 0.5, 200)])
    plan = Plan(n_resamples=400, method="bca")
    one, other = (estimate(Replicate(point, each, jackknife), plan) for each in (exact, rounded))
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)


# Shares of cases


def test_a_share_of_cases_is_read_by_its_binomial_test() -> None:
    answers = np.repeat([1.0, 0.0, np.nan], [5, 36, 4])

    def share(draw: Draw) -> np.ndarray:
        known = ~np.isnan(answers)
        return draw.counts @ np.nan_to_num(answers) / (draw.counts @ known)

    made = bootstrap([share], AUTO, n_clusters=45, n_rows=45, methods=["expanded"]).of(0)
    found = automatic(made, AUTO, Quantity("share", (0.0, 1.0)))
    assert found.method == "mid-p"
    # At the ends 5 of 41 is so far out, half of its own chance counted.
    chances = [
        stats.binom.sf(5, 41, end) + stats.binom.pmf(5, 41, end) / 2
        for end in (found.low, found.high)
    ]
    assert chances == pytest.approx([0.025, 0.975])
    assert automatic(made, AUTO, Quantity("jump", (0.0, 1.0))).method == "expanded"
    # What is taken off a share is taken off its ends.
    moved = replace(
        made,
        point=made.point - 0.9,
        distribution=made.distribution - 0.9,
        jackknife=made.jackknife - 0.9,
    )
    gap = automatic(moved, AUTO, Quantity("share", (-1.0, 1.0)))
    assert (gap.low, gap.high) == pytest.approx((found.low - 0.9, found.high - 0.9))
    assert automatic(moved, AUTO, Quantity("share")).method == "expanded"


def test_a_share_of_rows_of_clusters_is_no_share_of_cases() -> None:
    right = np.array([2.0, 1, 0, 2, 1, 2, 0, 1])

    def share(draw: Draw) -> np.ndarray:
        return draw.counts @ right / (2 * draw.counts.sum(-1))

    made = bootstrap([share], AUTO, n_clusters=8, n_rows=16, methods=["expanded"]).of(0)
    number = Quantity("share", (0.0, 1.0))
    assert automatic(made, AUTO, number).method == "expanded"
    for without in (None, np.full(8, np.nan), np.ones(3), np.zeros(8)):
        unknown = replace(made, jackknife=without)
        assert automatic(unknown, AUTO, number).method == "expanded"


# Quantiles


def quantile(width: np.ndarray, share: float, **given) -> assay.Estimate:
    at = np.zeros(width.size)
    asked = {"share": share, "n_resamples": 400, **given}
    return assay.estimate("width_quantile", at, at - width / 2, at + width / 2, **asked)


def test_a_quantile_of_single_rows_lies_between_ranks_that_are_too_far_out() -> None:
    found = quantile(np.arange(1.0, 201.0), 0.9)
    # So many independent rows has the share, with the tails of Student's t and one row less.
    n = 199 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 199)) ** 2
    for rank, share in ((found.high, 0.9), (200 - found.low, 0.1)):
        chances = [
            stats.beta.cdf(share, k, n - k + 1) + stats.beta.cdf(share, k + 1, n - k)
            for k in (n * (rank - 1) / 200, n * rank / 200)
        ]
        assert chances[0] > 2 * 0.025 >= chances[1]
    assert "ranks interval" in found.how


def test_a_quantile_of_clusters_is_as_wide_as_that_of_fewer_rows() -> None:
    width = np.repeat(np.arange(1.0, 101.0), 4)
    same = quantile(width, 0.5, cluster=np.repeat(np.arange(100), 4))
    alone = quantile(np.arange(1.0, 101.0), 0.5)
    assert (same.low, same.high) == (alone.low, alone.high)


FEW = {
    "few rows beyond": (np.arange(1.0, 21.0), 0.95, "too few rows lie beyond it to tell"),
    "the largest": (np.arange(1.0, 201.0), 1.0, "too few rows lie beyond it to tell"),
    "infinite ones": (
        np.append(np.arange(1.0, 100.0), [np.inf] * 7),
        0.89,
        "it is infinite or beyond the range of a double",
    ),
    "one of nearly all": (
        np.append(np.ones(80), np.arange(2.0, 22.0)),
        0.5,
        "all resamples give the same number, so resampling cannot show its uncertainty",
    ),
    "one of most": (np.append(np.ones(62), np.arange(2.0, 40.0)), 0.5, NO_WIDTH),
}


@pytest.mark.parametrize(("width", "share", "reason"), FEW.values(), ids=FEW)
def test_a_quantile_without_rows_on_both_sides_has_no_interval(width, share, reason) -> None:
    assert quantile(width, share).reason == reason


def test_a_quantile_whose_ranks_hold_one_width_has_no_interval() -> None:
    # A few of these 60 resamples have another median; by ranks it is 1 at both ends.
    found = quantile(np.append(np.ones(60), np.arange(2.0, 42.0)), 0.5, n_resamples=60, seed=4)
    assert (found.value, found.reason) == (1.0, NO_WIDTH)


def test_a_quantile_among_equal_widths_is_read_where_their_share_has_noise() -> None:
    # Nine in ten are 1 wide, the others 2: the share of those up to 2 is known without noise.
    found = quantile(np.append(np.ones(90), np.full(10, 2.0)), 0.92)
    assert (found.value, found.low, found.high) == (2.0, 1.0, 2.0)


# Norms


def test_an_inverted_norm_of_one_gap_is_the_interval_of_its_distance_from_0() -> None:
    noise = stats.norm.ppf((np.arange(999) + 0.5) / 999)[:, None] * 0.1
    plan = Plan(n_resamples=999)
    far = inverted(Deviations(np.array([1.0]), noise, lambda gap: np.abs(gap).sum(-1)), plan, 10**9)
    assert (far.low, far.high) == pytest.approx((1 - 0.196, 1 + 0.196), abs=2e-3)
    assert far.middle == pytest.approx(1.0, abs=2e-3)
    near = inverted(
        Deviations(np.array([0.01]), noise, lambda gap: np.abs(gap).sum(-1)), plan, 10**9
    )
    assert (near.low, near.middle) == (0.0, 0.0)
    assert near.high == pytest.approx(0.153, abs=2e-3)
    dense = Deviations(np.array([1.0]), noise, lambda gap: np.abs(gap).sum(-1), dense=True)
    straight = inverted(dense, plan, 10**9)
    assert (straight.low, straight.high) == pytest.approx((far.low, far.high), abs=2e-3)
    wide = replace(dense, gap=np.array([0.1]))
    assert inverted(wide, plan, 10**9).high == pytest.approx(0.296, abs=2e-2)


def test_resolution_reaches_as_far_as_inversion() -> None:
    score = np.linspace(0.03, 0.97, 20)
    right = (score > 0.5).astype(float)
    right[[3, 15]] = 1 - right[[3, 15]]
    found = assay.estimate("brier_resolution", right, score, n_resamples=400)
    around = assay.estimate(
        "brier_resolution", right, score, n_resamples=400, ci_method="jackknife-t or basic"
    )
    assert "widest interval" in found.how
    assert found.low < around.low < around.high <= found.high
    # Twelve rows in a bin tell more than two: nothing is to be gained there.
    every = assay.estimate("brier_resolution", RIGHT, SCORE, n_resamples=400)
    assert "jackknife-t or basic interval" in every.how


def test_the_upper_end_of_a_smooth_error_reaches_as_far_as_student_t() -> None:
    wide = replace(REPLICATE, jackknife=REPLICATE.point + 0.4 * np.sin(np.arange(G)))
    behind = Deviations(np.array([0.3]), np.zeros((9, 1)), lambda gap: gap[..., 0], dense=True)
    around = estimate(wide, replace(AUTO, method="jackknife-t"))
    found = automatic(replace(wide, deviations=behind), AUTO, Quantity("norm"))
    assert (found.low, found.high) == (pytest.approx(0.3, abs=1e-3), around.high)
    bounded = automatic(replace(wide, deviations=behind), AUTO, Quantity("norm", (0.0, 1.0)))
    assert (bounded.high, bounded.method) == (1.0, "inversion")
    unknown = automatic(replace(wide, deviations=behind, jackknife=None), AUTO, Quantity("norm"))
    assert "no width" in unknown.reason


def test_small_gaps_go_first() -> None:
    still = Deviations(np.array([0.4, -0.1]), np.zeros((9, 2)), lambda gap: np.abs(gap).max(-1))
    found = inverted(still, Plan(n_resamples=9), 41)
    assert (found.low, found.high) == pytest.approx((0.4, 0.4), abs=1e-3)


def test_a_gap_of_few_clusters_may_be_noise_itself() -> None:
    right, score = np.array([1.0, 0, 1, 1, 0, 1, 0, 1]), np.linspace(0.05, 0.95, 8)
    weight = Resamples(np.ones((1, 8)), np.arange(8), np.ones(8), ())
    made = deviations(
        lambda draw: METRICS["max_calibration_error"].gaps(right, score, weight=draw.of(weight)),
        Plan(n_resamples=200),
        n_clusters=8,
        n_rows=8,
    )
    assert (made.moved.std(0) > 0.5 * np.abs(made.gap)).all()
    found = assay.estimate("max_calibration_error", right, score, n_resamples=400)
    assert (found.low, found.high, found.reason) == (0.0, 1.0, None)


WHO = np.repeat(np.arange(G), 10)
SCORE = RNG.random(WHO.size)
RIGHT = (RNG.random(WHO.size) < SCORE**2).astype(float)
LABEL = RNG.integers(0, 3, WHO.size).astype(float)
STATED = RNG.dirichlet(np.ones(3), WHO.size)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ece", {}),
        ("ece", {"strategy": "quantile"}),
        ("ece", {"strategy": "scores"}),
        ("ece", {"strategy": "mapie-quantile"}),
        ("rms_calibration_error", {}),
        ("max_calibration_error", {}),
        ("brier_reliability", {}),
        ("brier_resolution", {}),
        ("smooth_ece", {}),
        ("class_wise_ece", {}),
        ("top_label_ece", {}),
        ("top_label_ece", {"labels": "all"}),
    ],
)
def test_gaps_have_the_number_as_their_norm_and_move_with_the_clusters(name, options) -> None:
    metric = METRICS[name]
    wide = "label" in metric.columns
    columns = (LABEL, STATED) if wide else (RIGHT, SCORE)
    weight = Resamples(np.ones((1, G)), WHO, np.ones(WHO.size), ())
    made = deviations(
        lambda draw: metric.gaps(*columns, **options, weight=draw.of(weight)),
        Plan(n_resamples=40, block_values=64),
        n_clusters=G,
        n_rows=WHO.size,
    )
    value = getattr(calibration, name)(*columns, **options)
    assert float(made.norm(made.gap)) == pytest.approx(value, abs=1e-9)
    assert made.moved.shape == (40, made.gap.size)
    assert np.abs(made.moved).max() > 0


def test_gaps_are_drawn_only_where_the_interval_needs_them() -> None:
    weight = Resamples(np.ones((1, G)), np.arange(G), np.ones(G), ())

    def gaps(draw: Draw) -> Gaps:
        return Gaps(draw.counts @ (VALUES - 1)[:, None], draw.counts.sum(-1)[:, None], np.sum)

    assert with_gaps(REPLICATE, gaps, weight, AUTO).deviations is not None
    for plan in (replace(AUTO, method="bca"), replace(AUTO, n_resamples=0)):
        assert with_gaps(REPLICATE, gaps, weight, plan).deviations is None
    assert with_gaps(REPLICATE, None, weight, AUTO) is REPLICATE


def test_the_least_of_several_shares_is_a_share() -> None:
    near = Replicate(0.95, np.linspace(0.7, 1.0, 400), np.linspace(0.93, 0.97, G), n_clusters=G)
    least = METRICS["size_stratified_coverage"]
    assert estimated(least, near, AUTO, "row").high == 1.0
    summed = replace(
        near, point=2.95, jackknife=near.jackknife + 2, distribution=near.distribution + 2
    )
    assert estimated(least, summed, AUTO, "row").high > 3.0


def test_a_norm_has_its_middle_and_other_methods_have_bounds() -> None:
    noise = RNG.normal(size=(400, 1)) * 0.1
    behind = Deviations(np.array([0.3]), noise, lambda gap: np.abs(gap).sum(-1))
    found = estimated(METRICS["ece"], replace(REPLICATE, deviations=behind), AUTO, "row")
    assert (found.method, 0 <= found.low < found.middle < found.high) == ("inversion", True)
    turned = replace(AUTO, method="percentile")
    one = Replicate(0.0, np.linspace(0.1, 0.3, 400), n_clusters=G)
    assert "no width" in estimated(METRICS["debiased_ece"], one, turned, "row").reason
    two = Replicate(0.2, np.linspace(0.1, 0.3, 400), n_clusters=G)
    assert estimated(METRICS["debiased_ece"], two, turned, "row").low == pytest.approx(0.105)
    assert estimated(METRICS["ece"], two, turned, "row").method == "percentile"


# Tests


def test_who_decides_is_counted() -> None:
    alike = Replicate(0.0, np.zeros(1), np.tile([1.0, -1.0], 8))
    assert deciding(alike) == pytest.approx(16)
    alone = Replicate(0.0, np.zeros(1), np.append(np.zeros(200), 1.0))
    assert deciding(alone) == pytest.approx(1, abs=0.02)
    for without in (None, np.zeros(0), np.ones(4), np.array([np.nan, 1.0])):
        assert np.isnan(deciding(Replicate(0.0, np.zeros(1), without)))


def test_the_expanded_p_value_is_that_of_the_expanded_interval() -> None:
    replicate, plan = drawn("expanded", n=4_000)
    low = estimate(replicate, plan).low
    moved = Replicate(replicate.point - low, replicate.distribution - low, n_clusters=G)
    assert expanded_p_value(moved) == pytest.approx(0.05, abs=2e-3)
    assert expanded_p_value(replace(moved, n_clusters=0)) == p_value(moved)


def test_swaps_by_hand() -> None:
    assert np.isnan(swap_p_value(np.nan, np.ones(9)))
    assert np.isnan(swap_p_value(1.0, np.full(9, np.nan)))
    assert swap_p_value(2.0, np.array([1.0, np.nan, -3.0])) == (1 + 1 / 2) / 3
    assert swap_p_value(0.3, np.array([0.1 + 0.2])) == (0 + 2 / 2) / 2


def test_swapped_systems_are_the_two_halves_of_every_cluster() -> None:
    both = np.concatenate([VALUES, VALUES + 1])
    plan = Plan(n_resamples=50, seed=1)
    (found,) = swapped([lambda draw: draw.counts @ both / G], plan, n_clusters=G, n_rows=2 * G)
    steps = found * G
    assert np.abs(steps - np.round(steps)).max() < 1e-9
    assert set(np.round(steps).astype(int) % 2) == {G % 2}
    again = replace(plan, block_values=1, threads=2)
    (other,) = swapped([lambda draw: draw.counts @ both / G], again, n_clusters=G, n_rows=2 * G)
    assert other == pytest.approx(found)


def test_swaps_that_are_not_remembered_are_the_same(monkeypatch) -> None:
    both, plan = np.concatenate([VALUES, VALUES + 1]), Plan(n_resamples=50, seed=1)
    statistics = [lambda draw: draw.counts @ both / G]
    kept = swapped(statistics, plan, n_clusters=G, n_rows=2 * G)
    monkeypatch.setattr("assay.inference.resampling.MOST_KEPT", 0)
    assert (swapped(statistics, plan, n_clusters=G, n_rows=2 * G) == kept).all()


def test_bca_with_the_tails_of_student_t_is_wider_and_identical_systems_have_p_one() -> None:
    replicate, plan = drawn("bca-t")
    narrow, wide = estimate(replicate, replace(plan, method="bca")), estimate(replicate, plan)
    assert wide.low < narrow.low < narrow.high < wide.high
    assert swap_p_value(0.0, np.array([0.0, 1.0])) == 1.0


NONE_OF = {"no error": (0.0, (0.0, 1 - 0.025 ** (1 / 8))), "all": (1.0, (0.025 ** (1 / 8), 1.0))}


@pytest.mark.parametrize(("value", "ends"), NONE_OF.values(), ids=NONE_OF)
def test_a_share_of_all_or_none_has_the_exact_bound_of_the_clusters_it_concerns(
    value: float, ends: tuple[float, float]
) -> None:
    # Of ten clusters with two rows each, eight have a row that counts.
    counts_for = np.repeat([1.0] * 8 + [0.0] * 2, 2)
    cluster = np.repeat(np.arange(10), 2)

    def share(draw: Draw) -> np.ndarray:
        of = (draw.counts[:, cluster] * counts_for).sum(-1)
        return np.divide(value * of, of, out=np.full(of.shape, np.nan), where=of > 0)

    plan = Plan(n_resamples=200, method="auto")
    made = bootstrap([share, mean_of_ten], plan, n_clusters=10, n_rows=20).of(0)
    assert made.n_concerned == 8
    found = automatic(made, plan, Quantity("share", (0.0, 1.0)))
    assert found.method == "exact"
    assert (found.low, found.high) == pytest.approx(ends)
    assert automatic(made, plan, Quantity("jump", (0.0, 1.0))).reason.startswith("all agree")
    assert interval_of(made, plan, bounds=(0.0, 1.0)).method == "exact"
    assert interval_of(made, plan).reason.startswith("all resamples")


def mean_of_ten(draw: Draw) -> np.ndarray:
    return draw.counts @ np.arange(10.0)


def test_who_is_concerned_is_not_asked_of_very_many() -> None:
    plan = Plan(n_resamples=2, method="auto")
    made = bootstrap(
        [lambda draw: np.ones(len(draw.counts))],
        plan,
        n_clusters=6_000,
        n_rows=6_000,
        methods=["hall-t"],
    )
    assert made.of(0).n_concerned is None
