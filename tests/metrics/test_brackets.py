"""Brackets of merged rows hold whatever the order, the ties and the binning were."""

from __future__ import annotations

import numpy as np
import pytest

from assay.columns import Resamples
from assay.metrics.calibration import merged as of_calibration
from assay.metrics.selective import merged as of_selective
from assay.registry import METRICS
from assay.score import Rows, requests

SETTINGS = {
    "coverage": (0.1, 0.5, 0.9),
    "risk_target": (0.05, 0.3),
    "area_coverage": 0.4,
    "loss_range": 2.0,
}


def weighted(columns, size):
    weight = Resamples(np.ones((1, 1)), np.zeros(size.size, np.int64), size, ())
    return Rows(columns, weight)


def binned(score, draw):
    """Cut sorted scores at random places, never through equal ones."""
    distinct = np.unique(score)
    cuts = np.sort(
        draw.choice(distinct, draw.integers(0, min(6, distinct.size) + 1), replace=False)
    )
    return np.searchsorted(cuts, score, side="right")


def exact_of(request, columns):
    names = {*request.metric.columns, *request.metric.optional} & {*columns}
    return float(
        request.metric.function(**{name: columns[name] for name in names}, **request.options)
    )


def check(bracket, columns, rows, family, skipped=()):
    for request in requests([*rows.columns], SETTINGS, family=family):
        if request.metric.name in skipped or request.metric.name == "failure_rate":
            continue
        value = exact_of(request, columns)
        found = bracket(request.metric, request.options, rows.columns, rows.weight)
        if found is None:
            merged = exact_of(request, {**rows.columns, "weight": rows.weight.size})
            assert merged == pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True), request.label
        elif not np.isnan(value):
            assert found[0] <= value <= found[1], (request.label, found, value)


def selective_case(seed):
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 60))
    confidence = draw.random(n) if seed % 2 else draw.integers(0, 12, n) / 11
    loss = [draw.integers(0, 2, n) * 1.0, draw.integers(0, 4, n) / 2, draw.random(n)][seed % 3]
    if seed % 5 == 0:  # the order that a bracket must reach: by loss within bins, either way
        order = np.argsort(confidence)
        loss[order] = np.sort(loss)[:: 1 if seed % 2 else -1]
    return confidence, loss, (draw.random(n) < 0.9).astype(np.float64), binned(confidence, draw)


@pytest.mark.parametrize("first", range(0, 120, 60))
def test_selective_brackets_hold_on_any_binning(first):
    for seed in range(first, first + 60):
        confidence, loss, answered, place = selective_case(seed)
        keys, at = np.unique(np.stack([place, loss, answered]), axis=1, return_inverse=True)
        size = np.bincount(at.ravel()).astype(np.float64)
        bins = keys[0].astype(np.int64)
        low, high = np.full((2, place.max() + 1), np.nan)
        np.fmin.at(low, place, confidence)
        np.fmax.at(high, place, confidence)
        rows = weighted(
            {
                "loss": keys[1],
                "answered": keys[2],
                "confidence": low[bins],
                "lowest": low[bins],
                "highest": high[bins],
            },
            size,
        )
        columns = {"loss": loss, "answered": answered, "confidence": confidence}
        check(of_selective.bracket, columns, rows, "selective", THRESHOLDS)


LOST = tuple(
    name
    for name, each in METRICS.items()
    if each.family == "calibration" and name not in of_calibration.BINNED | of_calibration.BOUNDED
)
THRESHOLDS = tuple(name for name in METRICS if name.endswith("_at_threshold"))


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_calibration_brackets_hold_on_any_binning(first):
    for seed in range(first, first + 40):
        draw = np.random.default_rng(seed)
        n = int(draw.integers(2, 60))
        stated = draw.random(n) ** draw.integers(1, 4)
        right = (draw.random(n) < (stated if seed % 3 else 1 - stated)).astype(np.float64)
        if seed % 5 == 0:
            right = np.sort(right)[:: 1 if seed % 2 else -1][np.argsort(np.argsort(stated))]
        # Nothing is merged across the edges of bins, as engines see to.
        place = binned(stated, draw) * 10 + np.minimum((stated * 10).astype(np.int64), 9)
        keys, at = np.unique(np.stack([place, right]), axis=1, return_inverse=True)
        at = at.ravel()
        groups = range(keys.shape[1])
        rows = weighted(
            {
                "correct": keys[1],
                "probability": np.array([stated[at == each].mean() for each in groups]),
                "lowest": np.array([stated[at == each].min() for each in groups]),
                "highest": np.array([stated[at == each].max() for each in groups]),
                "cell": keys[0],
            },
            np.bincount(at).astype(np.float64),
        )
        columns = {"correct": right, "probability": stated}
        check(of_calibration.bracket, columns, rows, "calibration", LOST)


def test_the_length_scale_of_probabilities_next_to_one_is_in_its_bracket():
    for seed in range(40):
        draw = np.random.default_rng(seed)
        stated = np.sort(1 - draw.random(400) * 1e-9 * 10.0 ** -draw.integers(0, 6, 400))
        cells = np.array_split(stated, 7)
        rows = weighted(
            {
                "correct": np.ones(7),
                "probability": np.array([each.mean() for each in cells]),
                "lowest": np.array([each.min() for each in cells]),
                "highest": np.array([each.max() for each in cells]),
                "cell": np.arange(7.0),
            },
            np.array([each.size for each in cells], np.float64),
        )
        metric = METRICS["length_scale"]
        low, high = of_calibration.bracket(metric, {}, rows.columns, rows.weight)
        assert low <= float(metric.function(np.ones(400), stated)) <= high


def test_a_gap_in_percent_beside_no_cost_has_no_ends():
    columns = {
        "loss": np.zeros(2),
        "answered": np.ones(2),
        "confidence": np.array([0.2, 0.7]),
        "lowest": np.array([0.2, 0.7]),
        "highest": np.array([0.6, 0.9]),
    }
    rows = weighted(columns, np.array([3.0, 2.0]))
    found = [
        of_selective.bracket(METRICS[name], {"area": "trapezoid"}, rows.columns, rows.weight)
        for name in ("eaurc", "aurc_gap_pct")
    ]
    assert found == [None, None]


def test_the_bracket_of_augrc_is_attained():
    loss = np.array([1.0, 1.0, 0.0, 0.0])
    confidence = np.array([0.9, 0.8, 0.7, 0.6])
    rows = weighted(
        {
            "loss": np.array([0.0, 1.0]),
            "answered": np.ones(2),
            "confidence": np.full(2, 0.6),
            "lowest": np.full(2, 0.6),
            "highest": np.full(2, 0.9),
        },
        np.array([2.0, 2.0]),
    )
    (request,) = (
        each for each in requests([*rows.columns], {}, family="selective") if each.label == "augrc"
    )
    low, high = of_selective.bracket(request.metric, request.options, rows.columns, rows.weight)
    assert high == pytest.approx(METRICS["augrc"].function(loss, confidence))
    assert low == pytest.approx(METRICS["augrc"].function(loss[::-1].copy(), confidence))


def test_what_merged_rows_do_not_tell_is_withheld():
    ends = {"lowest": np.zeros(1), "highest": np.ones(1)}
    assert of_selective.withheld({}) == {}
    assert of_calibration.withheld({}) == {}
    assert of_selective.withheld(ends) == {}  # the place of every number of ours is known
    added_up = of_selective.withheld({**ends, "loss_highest": np.ones(1)})
    assert {*added_up} == {*of_selective.LOST}
    assert set(of_calibration.withheld(ends)) == {*LOST}


def of_two_losses(*losses):
    """Two merged rows between the same confidences."""
    ends = {"lowest": np.full(2, 0.6), "highest": np.full(2, 0.9)}
    columns = {"loss": np.array(losses), "answered": np.ones(2), "confidence": np.full(2, 0.6)}
    return weighted({**columns, **ends}, np.array([2.0, 2.0]))


def test_up_to_a_coverage_of_another_system_only_the_upper_end_is_known():
    rows, metric = of_two_losses(0.0, 1.0), METRICS["augrc_at_coverage"]
    whole, cut = (
        of_selective.bracket(metric, {"area_coverage": at}, rows.columns, rows.weight, common=both)
        for at, both in ((1.0, False), (0.5, True))
    )
    assert cut[0] == pytest.approx(0.0, abs=1e-9)
    assert cut[1] == whole[1]


def test_where_every_order_gives_the_same_a_number_is_exact():
    rows = of_two_losses(0.0, 0.0)
    read = {"area_coverage": 1.0, "area": "trapezoid"}
    assert of_selective.bracket(METRICS["aurc"], read, rows.columns, rows.weight) is None
