"""The selective metrics against their slow definitions, by hand, and against other libraries."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from sklearn.metrics import roc_auc_score

from assay.columns import Resamples, Scratch
from assay.errors import UsageError
from assay.metrics import selective
from assay.metrics.selective import hull_points, risk_coverage_curve
from assay.registry import METRICS
from tests import oracles
from tests.engines import FORMS, under
from tests.strategies import clusters, copies, tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.strategies import Columns

F = Fraction
COLUMNS = ("loss", "confidence", "answered")
READINGS = {"trapezoid": "plateau", "step": "step"}
GRID = ("0.05", "0.1", "0.25", "0.3", "0.5", "0.55", "0.75", "0.9", "1")
TARGETS = (0.0, 0.05, 0.2, 0.25, 0.3, 0.35, 0.5, 0.7, 1.0)

pytestmark = pytest.mark.usefixtures("engine")


def build(table: Columns) -> list[oracles.Row]:
    return oracles.rows(
        table["loss"], table["confidence"], table.get("answered"), table.get("weight")
    )


def assert_equal(found: float, wanted: Fraction | None) -> None:
    if wanted is None:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(float(wanted), rel=1e-12, abs=1e-12)


# Against the slow definitions

WITH_READING: dict[str, Callable[..., Fraction | None]] = {
    "aurc": oracles.aurc,
    "augrc": oracles.augrc,
    "naurc": oracles.naurc,
    "naugrc": oracles.naugrc,
    "aurc_optimal": oracles.aurc_optimal,
    "augrc_optimal": oracles.augrc_optimal,
    "eaurc": oracles.eaurc,
    "eaugrc": oracles.eaugrc,
    "aurc_gap_pct": oracles.aurc_gap_percent,
    "augrc_gap_pct": oracles.augrc_gap_percent,
}
WITHOUT_READING: dict[str, Callable[..., Fraction | None]] = {
    "cmax": oracles.cmax,
    "risk": lambda rows: _mean(oracles.accepted(rows)),
    "error_auroc": oracles.auroc_errors,
    "aurc_achievable": oracles.aurc_achievable,
    "aurc_achievable_gain_pct": oracles.achievable_gain_percent,
    "coverage_at_threshold": lambda rows: oracles.coverage_at_threshold(rows, 0.5),
    "risk_at_threshold": lambda rows: oracles.risk_at_threshold(rows, 0.5),
    "generalized_risk_at_threshold": lambda rows: oracles.generalized_risk_at_threshold(rows, 0.5),
}
BY_OPTION: dict[str, tuple[Callable[..., Fraction | None], str, tuple[object, ...]]] = {
    "aurc_at_coverage": (oracles.aurc_at, "area_coverage", GRID),
    "augrc_at_coverage": (oracles.augrc_at, "area_coverage", GRID),
    "mean_risk_at_coverage": (oracles.mean_risk_at, "area_coverage", GRID),
    "risk_at_coverage": (oracles.risk_at_coverage, "coverage", GRID),
    "achieved_coverage": (oracles.achieved_coverage, "coverage", GRID),
    "coverage_at_risk": (oracles.coverage_at_risk, "risk_target", TARGETS),
    "augrc_normalized": (oracles.augrc_normalized, "loss_range", (1, 3.0, 0.5)),
}


def _mean(rows: list[oracles.Row]) -> Fraction | None:
    lost = sum((row.loss * row.copies for row in rows), F(0))
    return lost / oracles.size(rows) if oracles.size(rows) else None


def called(name: str, table: Columns, **options) -> float:
    metric = METRICS[name]
    names = (*metric.columns, *metric.optional)
    return metric.function(**{each: table[each] for each in names if each in table}, **options)


def test_every_selective_metric_has_an_oracle() -> None:
    known = {*WITH_READING, *WITHOUT_READING, *BY_OPTION, "failure_rate"}
    assert known == {name for name, each in METRICS.items() if each.family == "selective"}


@pytest.mark.parametrize("area", READINGS)
@pytest.mark.parametrize("name", WITH_READING)
@given(table=tables(COLUMNS, weight="copies", min_rows=0))
def test_areas_equal_their_oracles(name: str, area: str, table: Columns) -> None:
    wanted = WITH_READING[name](build(table), reading=READINGS[area])
    assert_equal(called(name, table, area=area), wanted)


@pytest.mark.parametrize("area", READINGS)
@pytest.mark.parametrize("name", BY_OPTION)
@given(data=st.data())
def test_points_and_parts_equal_their_oracles(name: str, area: str, data: st.DataObject) -> None:
    table = data.draw(tables(COLUMNS, weight="copies", min_rows=0))
    oracle, option, values = BY_OPTION[name]
    value = data.draw(st.sampled_from(values))
    wanted = oracle(build(table), value, reading=READINGS[area])
    assert_equal(called(name, table, area=area, **{option: float(value)}), wanted)


@pytest.mark.parametrize("name", WITHOUT_READING)
@given(table=tables(COLUMNS, weight="copies", min_rows=0))
def test_other_metrics_equal_their_oracles(
    name: str, monkeypatch: pytest.MonkeyPatch, table: Columns
) -> None:
    # Ours is the hull itself, not the hull up to the reference's tolerance.
    monkeypatch.setattr(oracles, "HULL_TOLERANCE", F(0))
    assert_equal(called(name, table), WITHOUT_READING[name](build(table)))


@pytest.mark.parametrize(
    "name", ["coverage_at_threshold", "risk_at_threshold", "generalized_risk_at_threshold"]
)
@given(data=st.data())
def test_operating_points_equal_their_oracles_at_any_threshold(
    name: str, data: st.DataObject
) -> None:
    table = data.draw(tables(COLUMNS, weight="copies", min_rows=0))
    held = [float(each) for each in table["confidence"] if np.isfinite(each)]
    value = data.draw(st.sampled_from([*held, -np.inf, np.inf]) | st.floats(-2, 2))
    wanted = getattr(oracles, name)(build(table), value)
    assert_equal(called(name, table, threshold=value), wanted)


@given(table=tables(COLUMNS, weight="copies"))
def test_tolerance_of_the_reference_moves_the_hull_by_less_than_1e_8(table: Columns) -> None:
    found = called("aurc_achievable", table)
    assert found == pytest.approx(float(oracles.aurc_achievable(build(table))), abs=1e-8)


@given(table=tables(COLUMNS, weight="positive"))
def test_any_positive_weights_equal_the_oracle_in_the_plateau_reading(table: Columns) -> None:
    rows = build(table)
    for name in ("aurc", "augrc", "naurc", "naugrc"):
        assert_equal(called(name, table), WITH_READING[name](rows))
    assert_equal(called("cmax", table), oracles.cmax(rows))
    assert_equal(called("error_auroc", table), oracles.auroc_errors(rows))


@given(table=tables(("failed",), weight="copies", min_rows=0))
def test_failure_rate_equals_its_oracle(table: Columns) -> None:
    wanted = oracles.failure_rate(table["failed"].tolist(), table["weight"].tolist())
    assert_equal(selective.failure_rate(**table), wanted)


@pytest.mark.parametrize("area", READINGS)
@given(table=tables(COLUMNS))
def test_curve_equals_the_slow_curve(area: str, table: Columns) -> None:
    curve = risk_coverage_curve(**table, area=area)
    points = oracles.curve(build(table), reading=READINGS[area])
    assert curve.threshold.tolist() == [point.threshold for point in points]
    for found, wanted in (
        (curve.coverage, [point.coverage for point in points]),
        (curve.selective_risk, [point.selective_risk for point in points]),
        (curve.generalized_risk, [point.generalized_risk for point in points]),
    ):
        assert found == pytest.approx([float(value) for value in wanted], rel=1e-12, abs=1e-12)


@given(table=tables(COLUMNS))
def test_hull_points_span_the_achievable_area(table: Columns) -> None:
    curve = risk_coverage_curve(**table)
    kept = hull_points(curve)
    x, y = curve.coverage[kept], curve.selective_risk[kept]
    area = trapezoid(np.append(y[:1], y), np.append(0.0, x)) if kept else 0.0
    assert selective.aurc_achievable(**table) == pytest.approx(area, abs=1e-12)
    slopes = np.diff(y) / np.diff(x)
    assert (np.diff(slopes) > 0).all()


# By hand

SMALL = {"loss": [0, 1, 1, 7], "confidence": [0.9, 0.9, 0.4, 0.4], "answered": [1, 1, 1, 0]}
ONE_ABOVE_NINE = {"loss": [0] + [1] * 9, "confidence": [0.9] + [0.1] * 9}
FALLING = {"loss": [1, 0, 0, 0], "confidence": [4, 3, 2, 1]}

BY_HAND = [
    # (0, 1/2) (1/2, 1/2) (3/4, 2/3): 1/4 + 1/4 * 7/12
    ("aurc", {}, SMALL, F(19, 48)),
    ("aurc", {"area": "step"}, SMALL, F(7, 24)),
    ("aurc", {}, ONE_ABOVE_NINE, F(81, 200)),
    # (0, 0) (1/2, 1/4) (3/4, 1/2): 1/16 + 3/32
    ("augrc", {}, SMALL, F(5, 32)),
    ("augrc", {"area": "step"}, SMALL, F(3, 16)),
    ("augrc", {}, ONE_ABOVE_NINE, F(81, 200)),
    ("augrc_normalized", {"loss_range": 4.0}, SMALL, F(5, 128)),
    ("augrc_normalized", {"loss_range": 0.5, "area": "step"}, SMALL, F(3, 8)),
    ("naurc", {}, SMALL, F(19, 36)),
    ("naurc", {"area": "step"}, SMALL, F(7, 18)),
    ("naugrc", {}, SMALL, F(5, 24)),
    ("naugrc", {"area": "step"}, SMALL, F(1, 4)),
    # up to 5/8 the line from (1/2, 1/2) to (3/4, 2/3) is at 7/12
    ("aurc_at_coverage", {"area_coverage": 0.625}, SMALL, F(1, 4) + F(1, 8) * F(13, 24)),
    ("aurc_at_coverage", {"area_coverage": 0.25}, SMALL, F(1, 8)),
    ("aurc_at_coverage", {"area_coverage": 0.625, "area": "step"}, SMALL, F(5, 24)),
    ("augrc_at_coverage", {"area_coverage": 0.25}, SMALL, F(1, 64)),
    ("augrc_at_coverage", {"area_coverage": 0.625}, SMALL, F(1, 16) + F(1, 8) * F(5, 16)),
    ("augrc_at_coverage", {"area_coverage": 0.625, "area": "step"}, SMALL, F(1, 8)),
    ("mean_risk_at_coverage", {"area_coverage": 0.25}, SMALL, F(1, 2)),
    ("mean_risk_at_coverage", {"area_coverage": 0.625}, SMALL, F(2, 5) + F(1, 5) * F(13, 24)),
    ("mean_risk_at_coverage", {"area_coverage": 0.625, "area": "step"}, SMALL, F(1, 3)),
    # 0, 1/2, 2/3 at quarters: (0 + 1/4) / 4 + (1/4 + 1/3) / 4
    ("aurc_optimal", {}, SMALL, F(5, 24)),
    ("aurc_optimal", {"area": "step"}, SMALL, F(7, 24)),
    ("augrc_optimal", {}, SMALL, F(1, 8)),
    ("augrc_optimal", {"area": "step"}, SMALL, F(3, 16)),
    ("eaurc", {}, SMALL, F(3, 16)),
    ("eaurc", {"area": "step"}, SMALL, F(0)),
    ("eaugrc", {}, SMALL, F(1, 32)),
    ("eaugrc", {"area": "step"}, FALLING, F(3, 16)),
    ("aurc_gap_pct", {}, SMALL, F(90)),
    ("augrc_gap_pct", {}, SMALL, F(25)),
    # Risks 0, 1/2, 1/3, 1/4: the hull keeps (1/4, 0) and (1, 1/4); AURC is 23/96
    ("aurc_achievable", {}, {"loss": [0, 1, 0, 0], "confidence": [4, 3, 2, 1]}, F(3, 32)),
    ("aurc_achievable", {}, FALLING, F(1, 4) + F(3, 16) + F(5, 48) + F(7, 96)),
    (
        "aurc_achievable_gain_pct",
        {},
        {"loss": [0, 1, 0, 0], "confidence": [4, 3, 2, 1]},
        F(1400, 23),
    ),
    ("cmax", {}, SMALL, F(3, 4)),
    ("cmax", {}, {**SMALL, "weight": [1, 1, 1, 5]}, F(3, 8)),
    ("risk", {}, SMALL, F(2, 3)),
    ("risk", {}, {**SMALL, "weight": [4, 1, 0, 9]}, F(1, 5)),
    ("risk_at_coverage", {"coverage": 0.1}, SMALL, F(1, 2)),
    ("risk_at_coverage", {"coverage": 0.51}, SMALL, F(2, 3)),
    ("risk_at_coverage", {"coverage": 0.1, "area": "step"}, SMALL, F(0)),
    ("risk_at_coverage", {"coverage": 0.76}, SMALL, None),
    ("achieved_coverage", {"coverage": 0.1}, SMALL, F(1, 2)),
    ("achieved_coverage", {"coverage": 0.3, "area": "step"}, SMALL, F(1, 2)),
    ("achieved_coverage", {"coverage": 0.76, "area": "step"}, SMALL, None),
    ("coverage_at_risk", {"risk_target": 0.5}, SMALL, F(1, 2)),
    ("coverage_at_risk", {"risk_target": 0.6, "area": "step"}, SMALL, F(1, 2)),
    ("coverage_at_risk", {"risk_target": 0.49}, SMALL, None),
    # Right at 3, 1; wrong at 2, 1: wins 2 + 0, one tie: (2 + 1/2) / 4
    ("error_auroc", {}, {"loss": [0, 0, 2, 1], "confidence": [3, 1, 2, 1]}, F(5, 8)),
    ("error_auroc", {}, ONE_ABOVE_NINE, F(1)),
    ("failure_rate", {}, {"failed": [1, 0, 0]}, F(1, 3)),
    ("failure_rate", {}, {"failed": [1, 0], "weight": [1, 3]}, F(1, 4)),
]


@pytest.mark.parametrize(
    ("name", "options", "table", "wanted"),
    BY_HAND,
    ids=[f"{number}-{case[0]}" for number, case in enumerate(BY_HAND)],
)
def test_value_computed_by_hand(name: str, options, table, wanted: Fraction | None) -> None:
    assert_equal(called(name, table, **options), wanted)


# Twenty rows with ties, 0 and 1, on which programs are known to disagree
CONFIDENCE = [0, 0.1, 0.1, 0.2, 0.3, 0.3, 0.5, 0.5, 0.5, 0.6]
CONFIDENCE += [0.7, 0.7, 0.8, 0.9, 0.9, 0.9, 1, 1, 1, 1]
CORRECT = [0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1]
TWENTY = {"loss": [1 - right for right in CORRECT], "confidence": CONFIDENCE}
REVERSED = {name: column[::-1] for name, column in TWENTY.items()}


@pytest.mark.parametrize(
    ("name", "area", "forward", "backward"),
    [
        ("aurc", "trapezoid", 0.3123, 0.3123),
        ("augrc", "trapezoid", 0.17375, 0.17375),
        ("aurc", "step", 0.2954, 0.3235),
        ("augrc", "step", 0.1825, 0.1875),
    ],
)
def test_twenty_rows_that_programs_disagree_on(
    name: str, area: str, forward: float, backward: float
) -> None:
    assert called(name, TWENTY, area=area) == pytest.approx(forward, abs=5e-5)
    assert called(name, REVERSED, area=area) == pytest.approx(backward, abs=5e-5)


def test_twenty_rows_to_the_last_digit() -> None:
    assert called("augrc", TWENTY) == 0.17375
    assert called("augrc", TWENTY, area="step") == 0.1825
    assert called("augrc", REVERSED, area="step") == 0.1875
    exact = oracles.aurc(build(TWENTY))
    assert called("aurc", TWENTY) == pytest.approx(float(exact), rel=1e-15)
    exact = oracles.aurc(build(REVERSED), reading="step")
    assert called("aurc", REVERSED, area="step") == pytest.approx(float(exact), rel=1e-15)


# Cases that the definitions fix by word

UNDEFINED_WITHOUT_ANSWERS = ("naurc", "naugrc", "risk", "risk_at_coverage", "achieved_coverage")
UNDEFINED_WITHOUT_ANSWERS += ("coverage_at_risk", "error_auroc", "aurc_gap_pct", "augrc_gap_pct")
UNDEFINED_WITHOUT_ANSWERS += ("risk_at_threshold", "mean_risk_at_coverage")
UNDEFINED_WITHOUT_ANSWERS += ("aurc_achievable_gain_pct",)


@pytest.mark.parametrize("name", [*WITH_READING, *WITHOUT_READING, *BY_OPTION])
@pytest.mark.parametrize(
    "table",
    [
        {"loss": [5, np.nan], "confidence": [np.nan, np.inf], "answered": [0, 0]},
        {"loss": [1, 0], "confidence": [2, 1], "answered": [1, 0], "weight": [0, 3]},
        {"loss": [1, 0], "confidence": [2, 1], "answered": [1, 1], "weight": [0, 0]},
        {"loss": [], "confidence": [], "answered": []},
    ],
    ids=["all abstained", "answers without weight", "no weight at all", "no rows"],
)
def test_without_answers_areas_are_zero_and_the_rest_undefined(name: str, table) -> None:
    areas = READINGS if "area" in METRICS[name].options else [None]
    for area in areas:
        found = called(name, table, **({"area": area} if area else {}))
        if name in UNDEFINED_WITHOUT_ANSWERS:
            assert np.isnan(found)
        else:
            assert found == 0.0


def test_failure_rate_without_participants_is_undefined() -> None:
    assert np.isnan(selective.failure_rate(failed=[]))
    assert np.isnan(selective.failure_rate(failed=[1, 0], weight=[0, 0]))


@pytest.mark.parametrize("area", READINGS)
@pytest.mark.parametrize("n_abstained", [0, 1, 7])
def test_one_answer_has_area_of_its_risk_times_one_nth(area: str, n_abstained: int) -> None:
    n = 1 + n_abstained
    table = {
        "loss": [0.75] + [9] * n_abstained,
        "confidence": [0.5] * n,
        "answered": [1] + [0] * n_abstained,
    }
    assert called("aurc", table, area=area) == 0.75 / n
    assert called("cmax", table) == 1 / n
    assert called("risk_at_coverage", table, area=area, coverage=1 / n) == 0.75
    assert called("achieved_coverage", table, area=area, coverage=0.5 / n) == 1 / n
    # One step of height 0.75/N against the triangle up to it
    wanted = 0.75 / n**2 / (2 if area == "trapezoid" else 1)
    assert called("augrc", table, area=area) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize("losses", [[1, 0, 0, 1], [0, 0, 1, 1], [1, 1, 0, 0], [2, 0, 1, 0]])
def test_all_tied_has_the_error_rate_and_half_of_it(losses: list[int]) -> None:
    table = {"loss": losses, "confidence": [0.3] * 4}
    assert called("aurc", table) == np.mean(losses)
    assert called("augrc", table) == np.mean(losses) / 2
    for name in ("aurc_achievable", "risk_at_coverage", "risk"):
        assert called(name, table) == np.mean(losses)
    assert called("error_auroc", table) == 0.5


@pytest.mark.parametrize("area", READINGS)
@pytest.mark.parametrize("n", [1, 2, 3, 10, 99])
def test_always_right_is_zero_everywhere(area: str, n: int) -> None:
    table = {"loss": [0] * n, "confidence": range(n)}
    for name in ("aurc", "augrc", "naurc", "naugrc", "aurc_optimal", "eaurc", "eaugrc"):
        assert called(name, table, area=area) == 0.0
    assert called("coverage_at_risk", table, area=area, risk_target=0.0) == 1.0
    for name in ("aurc_gap_pct", "augrc_gap_pct", "aurc_achievable_gain_pct", "error_auroc"):
        assert np.isnan(called(name, table))


@pytest.mark.parametrize("n", [1, 2, 3, 10, 99])
def test_always_wrong_has_augrc_one_half(n: int) -> None:
    table = {"loss": [1] * n, "confidence": range(n)}
    assert called("augrc", table) == pytest.approx(0.5, rel=1e-15)
    assert called("aurc", table) == pytest.approx(1.0, rel=1e-15)
    # By steps each of n items adds k/n: (n + 1) / (2 n)
    assert called("augrc", table, area="step") == pytest.approx((n + 1) / (2 * n), rel=1e-15)
    assert np.isnan(called("error_auroc", table))
    assert np.isnan(called("coverage_at_risk", table, risk_target=0.5))


def test_one_right_answer_above_nine_tied_wrong_ones_beats_the_optimum() -> None:
    harmonic = sum(F(1, k) for k in range(1, 11))
    optimum = (10 - harmonic - F(9, 20)) / 10
    assert_equal(called("aurc_optimal", ONE_ABOVE_NINE), optimum)
    assert_equal(called("eaurc", ONE_ABOVE_NINE), F(81, 200) - optimum)
    assert called("eaurc", ONE_ABOVE_NINE) == pytest.approx(-0.257, abs=5e-4)
    assert called("eaugrc", ONE_ABOVE_NINE) == 0.0
    assert called("eaurc", ONE_ABOVE_NINE, area="step") == 0.0


@pytest.mark.parametrize("area", READINGS)
@given(data=st.data())
def test_perfect_ranking_has_no_excess_at_all(area: str, data: st.DataObject) -> None:
    table = data.draw(tables(("loss", "answered")))
    order = np.argsort(table["loss"], kind="stable")
    table["confidence"] = np.empty(order.size)
    table["confidence"][order] = -np.arange(order.size) / 3
    assert called("eaurc", table, area=area) == 0.0
    assert called("eaugrc", table, area=area) == 0.0


@given(data=st.data())
def test_excess_is_never_negative_without_ties_or_by_steps(data: st.DataObject) -> None:
    table = data.draw(tables(COLUMNS))
    assert called("eaurc", table, area="step") >= 0.0
    assert called("eaugrc", table, area="step") >= 0.0
    assert called("eaugrc", table) >= 0.0
    n = table["loss"].size
    table["confidence"] = np.array(data.draw(st.permutations(range(n))), dtype=float)
    assert called("eaurc", table) >= 0.0


def test_top_ten_of_a_hundred_are_ten() -> None:
    table = {"loss": [0] * 10 + [1] * 90, "confidence": range(100, 0, -1)}
    for area in READINGS:
        assert called("risk_at_coverage", table, coverage=0.1, area=area) == 0.0
        assert called("coverage_at_risk", table, risk_target=0.0, area=area) == 0.1


def test_risk_equal_to_the_target_counts_however_it_is_written() -> None:
    for n in (10, 1000, 10_000):
        for loss in (0.1, 0.2, 0.3, 1 / 3, 0.7):
            table = {"loss": np.full(n, loss), "confidence": -np.arange(n)}
            assert called("coverage_at_risk", table, risk_target=loss) == 1.0
    # 13 right, then wrong ones: 7 of 20 are 0.35, although 0.35 * 13 / 0.65 is below 7 in binary
    table = {"loss": [0, 1], "confidence": [2, 1], "weight": [13, 9]}
    assert called("coverage_at_risk", table, risk_target=0.35, area="step") == 20 / 22


@pytest.mark.parametrize("target", [tenth / 20 for tenth in range(21)])
def test_copies_of_a_row_stop_where_its_rows_would(target: float) -> None:
    for right in (1, 4, 7, 13, 26, 39):
        counted = {"loss": [0, 1, 0], "confidence": [3, 2, 1], "weight": [right, 30, 2]}
        found = called("coverage_at_risk", counted, risk_target=target, area="step")
        wanted = oracles.coverage_at_risk(build(counted), target, reading="step")
        assert_equal(found, wanted)


def test_nonmonotone_curve_gives_the_largest_admissible_coverage() -> None:
    # Risks 0, 1/2, 1/3, 1/4, 2/5: at 0.35 the curve has left and come back
    table = {"loss": [0, 1, 0, 0, 1], "confidence": [5, 4, 3, 2, 1]}
    for area in READINGS:
        assert called("coverage_at_risk", table, risk_target=0.35, area=area) == 0.8
        assert called("coverage_at_risk", table, risk_target=0.24, area=area) == 0.2
        assert called("coverage_at_risk", table, risk_target=0.4, area=area) == 1.0


def test_nearly_equal_confidences_are_two_points() -> None:
    assert risk_coverage_curve([0, 1], [0.1 + 0.2, 0.3]).threshold.tolist() == [0.1 + 0.2, 0.3]
    assert risk_coverage_curve([0, 1], [0.0, -0.0]).threshold.size == 1


def test_confidences_may_be_as_large_as_floats_are() -> None:
    assert called("aurc", {"loss": [1, 0], "confidence": [1e308, -1e308]}) == 0.875
    assert called("error_auroc", {"loss": [1, 0], "confidence": [1e308, -1e308]}) == 0.0


@pytest.mark.parametrize("area", READINGS)
@pytest.mark.parametrize("bad", [0.0, -0.1, 1.0000001, np.nan, np.inf])
@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("risk_at_coverage", "coverage"),
        ("achieved_coverage", "coverage"),
        ("aurc_at_coverage", "area_coverage"),
        ("augrc_at_coverage", "area_coverage"),
        ("mean_risk_at_coverage", "area_coverage"),
    ],
)
def test_coverage_outside_zero_to_one_is_refused(
    name: str, option: str, bad: float, area: str
) -> None:
    with pytest.raises(UsageError, match=f"`{option}` must be above 0 and at most 1, found"):
        called(name, SMALL, area=area, **{option: bad})


# Coverages are decimals of people, not of binary


@pytest.mark.parametrize("engine", ["numpy"], indirect=True)
def test_coverage_k_of_n_is_k_rows() -> None:
    for n in (*range(1, 151), *range(175, 401, 25)):
        curve = risk_coverage_curve(np.zeros(n), -np.arange(n))
        found = [curve.matched(k / n, "trapezoid")[0][0] for k in range(1, n + 1)]
        assert found == list(range(1, n + 1))


@pytest.mark.parametrize("area", READINGS)
def test_achieved_coverage_is_the_one_asked_for(area: str) -> None:
    for n in (*range(1, 32), 49, 100):
        table = {"loss": np.zeros(n), "confidence": -np.arange(n)}
        for k in range(1, n + 1):
            assert called("achieved_coverage", table, coverage=k / n, area=area) == k / n


@pytest.mark.parametrize("area", READINGS)
@pytest.mark.parametrize(("coverage", "n"), [(0.55, 100), (0.07, 100), (0.14, 50)])
def test_coverage_as_typed_is_met_exactly(coverage: float, n: int, area: str) -> None:
    table = {"loss": np.arange(n), "confidence": -np.arange(n)}
    assert called("achieved_coverage", table, coverage=coverage, area=area) == coverage
    k = round(coverage * n)
    assert called("risk_at_coverage", table, coverage=coverage, area=area) == (k - 1) / 2


def test_full_coverage_is_reached_whatever_the_weights_add_up_to() -> None:
    n = 1000
    table = {"loss": np.arange(n) % 2, "confidence": -np.arange(n)}
    for weight in (0.1, 0.3, 0.7, 1e-3):
        weighted = {**table, "weight": np.full(n, weight)}
        assert called("risk_at_coverage", weighted, coverage=1.0) == pytest.approx(0.5, rel=1e-12)
        assert called("achieved_coverage", weighted, coverage=0.5) == pytest.approx(0.5, rel=1e-12)


# Algebra


@given(table=tables(COLUMNS))
def test_monotone_transform_of_confidence_changes_nothing(table: Columns) -> None:
    ranks = np.unique(table["confidence"], return_inverse=True)[1]
    other = {**table, "confidence": np.exp(ranks.astype(float)) - 100}
    for name in (*WITH_READING, *WITHOUT_READING, *BY_OPTION):
        for options in ({"area": area} for area in READINGS if "area" in METRICS[name].options):
            np.testing.assert_equal(called(name, other, **options), called(name, table, **options))


@given(table=tables(COLUMNS))
def test_abstaining_once_more_lowers_coverage_and_never_raises_augrc(table: Columns) -> None:
    more = {name: np.append(column, 0) for name, column in table.items()}
    if table["answered"].any():
        assert called("cmax", more) < called("cmax", table)
    for area in READINGS:
        assert called("augrc", more, area=area) <= called("augrc", table, area=area)


@pytest.mark.parametrize("area", READINGS)
@given(table=tables(COLUMNS))
def test_truncation_is_monotone_and_full_at_one(area: str, table: Columns) -> None:
    for part, full in (("aurc_at_coverage", "aurc"), ("augrc_at_coverage", "augrc")):
        assert called(part, table, area=area, area_coverage=1.0) == called(full, table, area=area)
        parts = [called(part, table, area=area, area_coverage=c / 20) for c in range(1, 21)]
        assert (np.diff(parts) >= -1e-15).all()
        assert parts[-1] == called(full, table, area=area)


@pytest.mark.parametrize("area", READINGS)
@given(table=tables(COLUMNS, weight="copies"))
def test_joint_risk_is_coverage_times_risk(area: str, table: Columns) -> None:
    curve = risk_coverage_curve(**table, area=area)
    reached = curve.accepted[0] > 0
    product = curve.coverage[reached] * curve.selective_risk[reached]
    assert curve.generalized_risk[reached] == pytest.approx(product, rel=1e-14)
    assert np.isnan(curve.selective_risk[~reached]).all()


@given(table=tables(COLUMNS))
def test_areas_equal_scipys_trapezoids_over_the_augmented_curve(table: Columns) -> None:
    curve = risk_coverage_curve(**table)
    coverage = np.append(0.0, curve.coverage)
    risk = np.append(curve.selective_risk[:1], curve.selective_risk)
    area = trapezoid(risk, coverage) if risk.size else 0.0
    assert called("aurc", table) == pytest.approx(area, abs=1e-12)
    joint = trapezoid(np.append(0.0, curve.generalized_risk), coverage)
    assert called("augrc", table) == pytest.approx(joint, abs=1e-12)


@given(table=tables(("loss", "confidence"), weight="positive", min_rows=2))
def test_error_auroc_is_scikit_learns(table: Columns) -> None:
    # Theirs takes the class to detect as 1 and has no abstentions; one class only is an error.
    right = table["loss"] == 0
    found = called("error_auroc", table)
    if right.all() or not right.any():
        assert np.isnan(found)
    else:
        wanted = roc_auc_score(right, table["confidence"], sample_weight=table["weight"])
        assert found == pytest.approx(wanted, abs=1e-12)


@given(table=tables(COLUMNS))
def test_doubling_every_row_changes_no_plateau_number(table: Columns) -> None:
    doubled = {name: np.repeat(column, 2) for name, column in table.items()}
    for name in ("aurc", "augrc", "aurc_achievable", "risk", "cmax", "error_auroc"):
        found, wanted = called(name, doubled), called(name, table)
        assert found == pytest.approx(wanted, rel=1e-12, nan_ok=True)


# Ties by steps, as rows stand


def test_ties_are_broken_by_row_order_in_the_step_reading_alone() -> None:
    first, last = {"loss": [1, 0], "confidence": [1, 1]}, {"loss": [0, 1], "confidence": [1, 1]}
    assert called("aurc", first, area="step") == 0.75
    assert called("aurc", last, area="step") == 0.25
    assert called("risk_at_coverage", first, area="step", coverage=0.5) == 1.0
    assert called("coverage_at_risk", last, area="step", risk_target=0.0) == 0.5
    assert called("aurc", first) == called("aurc", last) == 0.5


@given(data=st.data())
def test_untied_rows_may_stand_in_any_order_in_the_step_reading(data: st.DataObject) -> None:
    table = data.draw(tables(("loss", "answered")))
    n = table["loss"].size
    table["confidence"] = np.array(data.draw(st.permutations(range(n))), dtype=float)
    order = np.array(data.draw(st.permutations(range(n))), dtype=int)
    shuffled = {name: column[order] for name, column in table.items()}
    for name in WITH_READING:
        found, wanted = called(name, shuffled, area="step"), called(name, table, area="step")
        assert found == pytest.approx(wanted, rel=1e-10, abs=1e-12, nan_ok=True)


# Aggregated tables and shared work


@given(data=st.data())
def test_aggregated_rows_with_counts_equal_their_rows_in_the_plateau_reading(
    data: st.DataObject,
) -> None:
    table = data.draw(tables(COLUMNS))
    n = table["loss"].size
    cluster = data.draw(clusters(n))
    rows = np.column_stack([cluster, *(table[name] for name in COLUMNS)])
    distinct, count = np.unique(rows, axis=0, return_counts=True)
    merged = dict(zip(COLUMNS, distinct[:, 1:].T, strict=True))
    counts = np.array([data.draw(copies(int(cluster.max()) + 1)) for _ in range(3)])
    whole = Resamples(counts, cluster, np.ones(n), (3,))
    counted = Resamples(counts, distinct[:, 0].astype(int), count.astype(float), (3,))
    for name in (*WITH_READING, *WITHOUT_READING, *BY_OPTION):
        found = called(name, {**merged, "weight": counted})
        wanted = called(name, {**table, "weight": whole})
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


def test_coverage_per_resample_is_read_afresh_for_every_array() -> None:
    table = {"loss": [0, 1, 0, 1], "confidence": [4, 3, 2, 1]}
    table = {name: np.array(column, dtype=float) for name, column in table.items()}
    weight = Resamples(np.ones((2, 4)), np.arange(4), np.ones(4), (2,))
    for percent in range(1, 101):
        ends = np.array([percent / 100, 1.0])
        found = selective.aurc_at_coverage(**table, weight=weight, area_coverage=ends)
        wanted = [selective.aurc_at_coverage(**table, area_coverage=end) for end in ends]
        assert found.tolist() == wanted


def test_curve_is_made_once_per_block_and_ranked_once_per_table(monkeypatch) -> None:
    from assay import _kernels as kernels

    made = []
    accumulate = kernels.accumulate
    monkeypatch.setattr(kernels, "accumulate", lambda *given: (made.append(1), accumulate(*given)))
    table = {name: np.array(TWENTY[name], dtype=float) for name in TWENTY}
    weight = Resamples(np.ones((3, 20)), np.arange(20), np.ones(20), (3,))
    for name in ("aurc", "augrc", "naurc", "risk", "cmax", "aurc_achievable", "risk_at_coverage"):
        called(name, {**table, "weight": weight})
    assert len(made) == 1
    called("aurc", {**table, "weight": weight.block(np.ones((2, 20)), Scratch())})
    assert len(made) == 2
    assert len(weight.plans) == 2  # the ranking, and the sizes of the clusters


def test_engines_agree_on_every_number_of_a_large_table() -> None:
    draw = np.random.default_rng(8)
    n, n_clusters = 2_000, 250
    table = {
        "loss": draw.choice([0, 1 / 3, 2 / 3, 1], n),
        "confidence": draw.choice(np.linspace(0, 1, 700), n),
        "answered": (draw.random(n) < 0.7).astype(float),
    }
    counts = draw.integers(0, 4, (9, n_clusters)).astype(float)
    cluster = np.sort(draw.integers(0, n_clusters, n))
    for name in (*WITH_READING, *WITHOUT_READING, *BY_OPTION):
        for area in READINGS if "area" in METRICS[name].options else [None]:
            options = {"area": area} if area else {}
            values = []
            for engine in FORMS:
                with under(engine):
                    weight = Resamples(counts, cluster, np.ones(n), (9,))
                    values.append(called(name, {**table, "weight": weight}, **options))
            np.testing.assert_allclose(values[0], values[-1], rtol=1e-11, atol=1e-12)
