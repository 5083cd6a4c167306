"""Kernels that add everything up in one pass: both forms against each other and plain sums."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest

from assay.columns import Resamples
from assay.metrics import macro_f1, ordinal_auprc, top_label_ece
from tests.engines import FORMS
from tests.kernels.test_plateaus import SHAPES

each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
EDGES = np.array([-np.inf, 0.25, 0.5, 0.75, np.inf])


@each_form
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_order_rises_and_keeps_equal_scores_as_they_come(form, shape):
    score = shape(np.random.default_rng(5))
    assert form.rising_order(score).tolist() == np.argsort(score, kind="stable").tolist()


@each_form
def test_order_has_nan_last_and_takes_any_layout(form):
    score = np.array([np.nan, 2.0, -np.nan, -np.inf, 2.0, np.inf, -0.0, 0.0])
    assert form.rising_order(score).tolist() == [3, 6, 7, 1, 4, 5, 0, 2]
    wide = np.array([[3.0, 9.0], [1.0, 9.0], [2.0, 9.0]])
    assert form.rising_order(wide[:, 0]).tolist() == [1, 2, 0]
    assert form.rising_order(np.array([3, 1, 2], dtype=np.float32)).tolist() == [1, 2, 0]


# Intervals


def spans(n: int, seed: int = 0) -> tuple[np.ndarray, ...]:
    draw = np.random.default_rng(seed)
    low = draw.normal(size=n).round(1)
    up = low + draw.random(n).round(1)
    return draw.normal(size=n).round(1), low, up, draw.integers(0, 3, n).astype(float)


@each_form
@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 4_097, 40_000])
@pytest.mark.parametrize("weighted", [False, True])
def test_intervals_are_added_up_as_written(form, n: int, weighted: bool):
    truth, low, up, copies = spans(n)
    drawn = copies if weighted else np.ones(n)
    found = form.span_sums(truth, low, up, copies if weighted else None)
    rows = (
        (low <= truth) & (truth <= up),
        up - low,
        np.maximum(low - truth, 0),
        np.maximum(truth - up, 0),
        np.ones(n),
    )
    wanted = [fsum(drawn * each) for each in rows]
    np.testing.assert_allclose(found[:5], wanted, rtol=1e-13, atol=1e-13)
    seen = truth[drawn > 0]
    assert found[5:].tolist() == [seen.min(initial=np.inf), seen.max(initial=-np.inf), 0.0]


@each_form
@pytest.mark.parametrize(
    "row",
    [
        (np.nan, 0.0, 1.0),
        (0.5, np.nan, 1.0),
        (0.5, 0.0, np.nan),
        (np.inf, 0.0, 1.0),
        (0.5, -np.inf, 1.0),
        (0.5, 0.0, np.inf),
        (0.5, 1.0, 0.0),
        (0.5, np.inf, np.inf),
        (0.0, -1e308, 1e308),
    ],
)
@pytest.mark.parametrize("place", [0, 10, 12])
def test_a_row_that_is_crossed_or_not_finite_is_counted(form, row, place: int):
    truth, low, up, _ = spans(13)
    truth[place], low[place], up[place] = row
    assert form.span_sums(truth, low, up, None)[7] == 1


@each_form
def test_intervals_of_any_layout(form):
    truth, low, up, copies = spans(50)
    wanted = form.span_sums(truth, low, up, copies)
    table = np.stack([truth, low, up, copies], axis=1)
    assert form.span_sums(*table.T).tolist() == wanted.tolist()


# Top labels


def labelled(n: int, n_classes: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    stated = draw.dirichlet(np.ones(n_classes), n)
    stated[: n // 3] = 1 / n_classes  # ties: the first is the largest
    return draw.integers(0, n_classes, n).astype(float), stated


@each_form
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(("n", "n_classes"), [(1, 1), (1, 3), (300, 2), (300, 4), (70_000, 3)])
def test_top_labels_are_added_up_by_class_and_bin(form, closed, n: int, n_classes: int):
    label, stated = labelled(n, n_classes)
    sums = form.top_label_sums(label, stated, EDGES, closed=closed, tolerance=1e-6)
    top, largest = stated.argmax(-1), stated.max(-1)
    place = np.searchsorted(EDGES, largest, side="left" if closed else "right") - 1
    for each in range(n_classes):
        for number in range(4):
            rows = (top == each) & (place == number)
            wanted = rows.sum(), (label[rows] == each).sum(), fsum(largest[rows])
            np.testing.assert_allclose(sums[each, number], wanted, rtol=1e-12)


@each_form
@pytest.mark.parametrize("row", [(0.5, 0.4), (1.5, -0.5), (np.nan, 0.5), (np.inf, 0.0)])
def test_top_labels_that_are_no_probabilities_are_left_to_the_long_way(form, row):
    label, stated = labelled(9, 2)
    stated[4] = row
    assert form.top_label_sums(label, stated, EDGES, closed=False, tolerance=1e-6) is None


@each_form
@pytest.mark.parametrize("label", [2.0, -1.0, 0.5, np.nan])
def test_labels_that_are_no_class_are_left_to_the_long_way(form, label: float):
    labels, stated = labelled(9, 2)
    labels[7] = label
    assert form.top_label_sums(labels, stated, EDGES, closed=False, tolerance=1e-6) is None


# Verdicts


@each_form
def test_pairs_of_verdicts_are_counted_up_to_the_highest(form):
    draw = np.random.default_rng(2)
    true, given = draw.integers(0, 5, (2, 1_001))
    found = form.verdict_pairs(true.astype(float), given.astype(np.float32), 16)
    wanted = [[((true == t) & (given == g)).sum() for g in range(5)] for t in range(5)]
    assert found.tolist() == wanted
    assert form.verdict_pairs(np.zeros(0), np.zeros(0), 16).shape == (0, 0)


@each_form
@pytest.mark.parametrize("strange", [-1.0, 0.5, 16.0, np.nan, np.inf, 1e300])
def test_what_is_no_verdict_is_not_counted(form, strange: float):
    for pair in ([1.0, strange, 0.0], [0.0, 1.0, 2.0]), ([0.0, 1.0, 2.0], [1.0, strange, 0.0]):
        assert form.verdict_pairs(*map(np.array, pair), 16) is None


@each_form
@pytest.mark.parametrize("levels", [1, 3, 1_000])
@pytest.mark.parametrize("n", [0, 1, 2, 500])
def test_precisions_are_those_of_every_distinct_score(form, n: int, levels: int):
    draw = np.random.default_rng(n + levels)
    score, verdict = draw.integers(0, levels, n) / 7, draw.integers(0, 4, n).astype(float)
    found, area = form.step_precisions(score, verdict, 3)
    for step in (1, 2, 3):
        positive = verdict >= step
        sums = []
        for level in np.unique(score[positive]):
            called = score >= level
            gained = (positive & (score == level)).sum()
            sums.append(gained * positive[called].mean())
        assert found[step] == positive.sum()
        assert area[step] == pytest.approx(fsum(sums), rel=1e-12, abs=1e-15)
    assert (found[0], area[0]) == (0.0, 0.0)


# One weight for every row


@each_form
def test_a_weight_is_so_many_copies(form):
    draw = np.random.default_rng(9)
    copies = draw.integers(0, 4, 400)
    label, stated = labelled(400, 3)
    score, verdict = draw.integers(0, 30, 400) / 7, draw.integers(0, 4, 400).astype(float)
    how = {"closed": True, "tolerance": 1e-6}
    for found, wanted in (
        (
            form.top_label_sums(label, stated, EDGES, copies * 1.0, **how),
            form.top_label_sums(label.repeat(copies), stated.repeat(copies, axis=0), EDGES, **how),
        ),
        (
            form.verdict_pairs(verdict, label, 16, copies * 1.0),
            form.verdict_pairs(verdict.repeat(copies), label.repeat(copies), 16),
        ),
        (
            form.step_precisions(score, verdict, 3, copies * 1.0),
            form.step_precisions(score.repeat(copies), verdict.repeat(copies), 3),
        ),
    ):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("weight", ["fractions", "with zeros", "clusters"])
def test_metrics_under_one_weight_are_those_of_the_long_way(weight: str):
    draw = np.random.default_rng(4)
    label, stated = labelled(300, 3)
    verdict, score = draw.integers(0, 3, 300), draw.integers(0, 40, 300)
    drawn = draw.random(300)
    if weight == "with zeros":
        drawn[verdict == 2] = 0.0
    given = drawn
    if weight == "clusters":
        given = Resamples(drawn[None, :10], np.arange(300) % 10, np.ones(300), ())
        drawn = given.rows()
    for number, columns in (
        (top_label_ece, (label, stated)),
        (macro_f1, (verdict, label)),
        (ordinal_auprc, (verdict, score)),
        (lambda *of, weight: ordinal_auprc(*of, weight=weight, positive="low"), (verdict, score)),
    ):
        found, (long, _) = number(*columns, weight=given), number(*columns, weight=[drawn, drawn])
        assert isinstance(found, float)
        assert found == pytest.approx(long, rel=1e-12)


def test_metrics_under_no_weight_at_all_are_undefined():
    label, stated = labelled(30, 3)
    nothing = np.zeros(30)
    assert np.isnan(top_label_ece(label, stated, weight=nothing))
    assert np.isnan(macro_f1(label, label, weight=nothing))
    assert np.isnan(ordinal_auprc(label, label, weight=nothing))
