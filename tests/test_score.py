"""Which numbers are computed of a table, under which labels, and as which statistics."""

from __future__ import annotations

import numpy as np
import pytest

from assay.columns import Resamples
from assay.errors import UsageError
from assay.inference import Draw, Plan, bootstrap
from assay.metrics import selective
from assay.registry import METRICS
from assay.score import Request, Rows, common_requests, requests, spelled, statistic

ITEMS = ("loss", "confidence", "answered")
LOSS = np.array([0, 1, 0, 1, 0, 0.0])
CONFIDENCE = np.array([6, 5, 4, 3, 2, 1.0])
CLUSTER = np.array([0, 0, 1, 1, 2, 2])
COUNTS = np.array([[1, 1, 1], [2, 0, 1], [0, 0, 3.0]])


def rows(answered, *, size=None) -> Rows:
    weight = Resamples(np.ones((1, 3)), CLUSTER, np.ones(6) if size is None else size, ())
    columns = {"loss": LOSS, "confidence": CONFIDENCE, "answered": np.array(answered, dtype=float)}
    return Rows(columns, weight)


def asked(name: str, **settings) -> Request:
    [found] = [each for each in requests(ITEMS, settings) if each.metric.name == name]
    return found


def test_metrics_apply_where_their_columns_are() -> None:
    items = {each.metric.name for each in requests(ITEMS, {})}
    people = {each.metric.name for each in requests(("failed",), {})}
    assert people == {"failure_rate"}
    assert items == {name for name, each in METRICS.items() if each.family == "selective"} - people
    assert requests((), {}) == ()
    without = {each.metric.name for each in requests(("loss", "answered"), {})}
    assert without == {name for name, each in METRICS.items() if each.columns == ("loss",)}


def test_labels_are_names_unless_an_option_is_swept() -> None:
    labels = [each.label for each in requests(ITEMS, {"coverage": 0.3})]
    assert "risk_at_coverage" in labels
    assert len(labels) == len(set(labels))
    grid = requests(ITEMS, {"coverage": (0.1, 0.25, 0.125)})
    found = {each.label: each.options["coverage"] for each in grid if "coverage" in each.options}
    assert found == {
        "risk_at_coverage@0.10": 0.1,
        "risk_at_coverage@0.25": 0.25,
        "risk_at_coverage@0.125": 0.125,
        "achieved_coverage@0.10": 0.1,
        "achieved_coverage@0.25": 0.25,
        "achieved_coverage@0.125": 0.125,
    }


def test_grid_of_one_value_is_still_in_the_label() -> None:
    assert asked("coverage_at_risk", risk_target=(0.2,)).label == "coverage_at_risk@0.20"


def test_empty_grid_asks_for_nothing() -> None:
    names = {each.metric.name for each in requests(ITEMS, {"coverage": ()})}
    assert "risk_at_coverage" not in names
    assert "aurc" in names


def test_setting_reaches_every_metric_with_that_option_and_no_other() -> None:
    for each in requests(ITEMS, {"area": "step", "nonsense": 1}):
        assert each.options == {**each.metric.options, **each.options}
        assert each.options.get("area", "step") == "step"
        assert "nonsense" not in each.options
        assert each.options.keys() == each.metric.options.keys()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.10"),
        (1.0, "1.00"),
        (0.55, "0.55"),
        (0.125, "0.125"),
        (1 / 3, repr(1 / 3)),
        (1, "1.00"),
    ],
)
def test_grid_values_are_spelled_without_loss(value: float, text: str) -> None:
    assert spelled(value) == text
    assert float(spelled(value)) == value


# Statistics


def test_statistic_is_the_metric_on_the_draws() -> None:
    answered = [1, 1, 1, 1, 0, 1]
    found = statistic(asked("aurc", area="step"), rows(answered))(Draw(COUNTS))
    wanted = selective.aurc(
        LOSS, CONFIDENCE, answered=answered, weight=COUNTS[:, CLUSTER], area="step"
    )
    np.testing.assert_array_equal(found, wanted)


def test_statistics_of_one_table_share_one_curve_per_block() -> None:
    table, draw = rows(np.ones(6)), Draw(COUNTS)
    for name in ("aurc", "augrc", "cmax", "risk"):
        statistic(asked(name), table)(draw)
    assert len(draw.of(table.weight).curves) == 2  # and the weight of all rows


def test_optional_columns_may_be_absent() -> None:
    table = Rows({"loss": LOSS, "confidence": CONFIDENCE}, rows(np.ones(6)).weight)
    assert statistic(asked("cmax"), table)(Draw(COUNTS)).tolist() == [1.0, 1.0, 1.0]


# Cut at a common coverage


def test_comparison_adds_areas_up_to_the_smallest_cmax() -> None:
    added = common_requests(requests(ITEMS, {}))
    cut = ("aurc_at_coverage", "augrc_at_coverage", "mean_risk_at_coverage")
    assert {each.label for each in added} == {f"{name}@common" for name in cut}
    assert all(each.common for each in added)
    assert common_requests(requests(("failed",), {})) == ()


@pytest.mark.parametrize("area", ["trapezoid", "step"])
def test_common_area_ends_at_the_smallest_cmax_of_each_resample(area: str) -> None:
    one, other = [1, 1, 1, 1, 1, 0], [1, 0, 1, 0, 1, 1]
    systems = rows(one), rows(other)
    weight = COUNTS[:, CLUSTER]
    ends = np.minimum(
        *(
            selective.cmax(LOSS, CONFIDENCE, answered=answered, weight=weight)
            for answered in (one, other)
        )
    )
    assert len(set(ends)) > 1
    for request in common_requests(requests(ITEMS, {"area": area})):
        for system, answered in zip(systems, (one, other), strict=True):
            found = statistic(request, system, compared=systems)(Draw(COUNTS))
            wanted = [
                request.metric.function(
                    LOSS, CONFIDENCE, answered=answered, weight=w, area=area, area_coverage=end
                )
                for w, end in zip(weight, ends, strict=True)
            ]
            np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_common_area_beside_a_system_that_answers_nothing_is_zero_and_its_mean_undefined() -> None:
    systems = rows(np.ones(6)), rows(np.zeros(6))
    for request in common_requests(requests(ITEMS, {})):
        mean = request.metric.name == "mean_risk_at_coverage"
        for system in systems:
            found = statistic(request, system, compared=systems)(Draw(COUNTS))
            np.testing.assert_array_equal(found, np.full(3, np.nan if mean else 0.0))


# Rows that stand for several items


def test_counted_rows_are_refused_where_their_order_would_decide() -> None:
    table = rows(np.ones(6), size=np.array([1, 1, 2, 1, 1, 1.0]))
    for each in requests(ITEMS, {"area": "step"}):
        if each.metric.holds("ordered", **each.options):
            message = f"{each.metric.name} breaks ties by row order here"
            with pytest.raises(UsageError, match=message) as caught:
                statistic(each, table)
            assert "trapezoid" in caught.value.hint


def test_counted_rows_are_welcome_where_order_does_not_matter() -> None:
    size = np.array([1, 1, 2, 1, 1, 3.0])
    table = rows(np.ones(6), size=size)
    plan = Plan(n_resamples=20)
    asked_for = requests(ITEMS, {})
    counted = bootstrap([statistic(r, table) for r in asked_for], plan, n_clusters=3, n_rows=6)
    times = size.astype(int)
    weight = Resamples(np.ones((1, 3)), np.repeat(CLUSTER, times), np.ones(times.sum()), ())
    out = {name: np.repeat(column, times) for name, column in table.columns.items()}
    whole = bootstrap(
        [statistic(r, Rows(out, weight)) for r in asked_for], plan, n_clusters=3, n_rows=9
    )
    np.testing.assert_allclose(counted.point, whole.point, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(counted.distribution, whole.distribution, rtol=1e-10, atol=1e-12)
