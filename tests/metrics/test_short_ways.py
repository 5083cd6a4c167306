"""Numbers of rows that all count once take a short way: the same as with a weight of 1 for each.

A plain weight of ones goes the long way, or at least another one, so that both are held together.
"""

from __future__ import annotations

import numpy as np
import pytest

from assay import _kernels as kernels
from assay.columns import Resamples
from assay.errors import ColumnError
from assay.inference import Draw
from assay.metrics import calibration, intervals, selective, verdicts
from assay.metrics.calibration import cumulative_differences
from assay.registry import METRICS
from assay.score import Request, Rows, statistic
from assay.sources.row_tables import places

N = 400
DRAW = np.random.default_rng(17)
SCORE = DRAW.integers(0, 40, N) / 40
CORRECT = (DRAW.random(N) < SCORE).astype(float)
TRUTH = DRAW.normal(size=N).round(1)
LOW = (TRUTH - DRAW.random(N) + 0.1).round(1)
UP = LOW + DRAW.integers(0, 20, N) / 10
STATED = DRAW.dirichlet(np.ones(4), N)
STATED[:50] = 0.25
LABEL = DRAW.integers(0, 4, N).astype(float)
VERDICT, GIVEN = DRAW.integers(0, 3, (2, N)).astype(float)
RANK = DRAW.integers(0, 50, N) / 8

CASES = {
    "aurc": (selective.aurc, (1 - CORRECT, SCORE), {}),
    "coverage": (intervals.interval_coverage, (TRUTH, LOW, UP), {}),
    "width": (intervals.interval_width, (TRUTH, LOW, UP), {}),
    "winkler": (intervals.winkler, (TRUTH, LOW, UP), {}),
    "winkler, printed": (intervals.winkler, (TRUTH, LOW, UP), {"formula": "printed"}),
    "cwc": (intervals.cwc, (TRUTH, LOW, UP), {}),
    "cwc, swap": (intervals.cwc, (TRUTH, LOW, UP), {"crossed": "swap"}),
    "top label": (calibration.top_label_ece, (LABEL, STATED), {}),
    "top label, right": (calibration.top_label_ece, (LABEL, STATED), {"closed": "right"}),
    "top label, all": (calibration.top_label_ece, (LABEL, STATED), {"labels": "all"}),
    "top label, exact": (calibration.top_label_ece, (LABEL, STATED), {"strategy": "uniform-exact"}),
    "macro F1": (verdicts.macro_f1, (VERDICT, GIVEN), {}),
    "macro F1, all": (verdicts.macro_f1, (VERDICT, GIVEN), {"classes": "all", "n_verdicts": 5}),
    "recall": (verdicts.class_recall, (VERDICT, GIVEN), {"verdict": 2}),
    "auprc": (verdicts.ordinal_auprc, (VERDICT, RANK), {}),
    "auprc, low": (verdicts.ordinal_auprc, (VERDICT, RANK), {"positive": "low"}),
    "auprc, first two": (verdicts.ordinal_auprc, (VERDICT, RANK), {"steps": "first-two"}),
    "auprc, worst": (verdicts.ordinal_auprc, (VERDICT, RANK), {"unanswered_as": "worst"}),
}
every_case = pytest.mark.parametrize(("metric", "columns", "options"), CASES.values(), ids=CASES)


@every_case
@pytest.mark.parametrize("rows", [slice(0, 1), slice(0, 2), slice(0, 60), slice(None)])
def test_short_and_long_way_agree(metric, columns, options, rows):
    given = [each[rows] for each in columns]
    wanted = metric(*given, weight=np.ones((1, len(given[0]))), **options)[0]
    for weight in (None, np.ones(len(given[0])), Resamples.of(None, n_rows=len(given[0]))):
        assert metric(*given, weight=weight, **options) == pytest.approx(
            wanted, rel=1e-12, nan_ok=True
        )


@every_case
def test_rows_that_are_all_alike(metric, columns, options):
    given = [np.repeat(each[:1], 9, axis=0) for each in columns]
    wanted = metric(*given, weight=np.ones((1, 9)), **options)[0]
    assert metric(*given, **options) == pytest.approx(wanted, rel=1e-12, nan_ok=True)


@every_case
def test_a_row_without_weight_is_as_if_it_were_not_there(metric, columns, options):
    there = DRAW.random(N) < 0.6
    wanted = metric(*(each[there] for each in columns), **options)
    found = metric(*columns, weight=there.astype(float), **options)
    assert found == pytest.approx(wanted, rel=1e-12)


@every_case
def test_layout_does_not_matter(metric, columns, options):
    wanted = metric(*columns, **options)
    every_other = [np.repeat(each, 2, axis=0)[::2] for each in columns]
    turned = [np.asfortranarray(each[::-1])[::-1] for each in columns]
    assert metric(*every_other, **options) == wanted
    assert metric(*turned, **options) == wanted


@every_case
def test_types_do_not_matter(metric, columns, options):
    halves = [np.round(each * 8) / 8 if each.ndim == 1 else each > 0.5 for each in columns]
    if columns[-1].ndim > 1:
        halves[1] = np.eye(4)[np.argmax(columns[1], axis=-1)]
    wanted = metric(*halves, **options)
    assert metric(*(each.astype(np.float32) for each in halves), **options) == wanted
    assert metric(*(each.tolist() for each in halves), **options) == wanted
    whole = [np.round(each) for each in halves]
    found = metric(*(each.astype(np.int32) for each in whole), **options)
    assert found == metric(*whole, **options)


@every_case
@pytest.mark.parametrize("strange", [np.nan, np.inf])
def test_what_is_refused_is_refused_with_the_same_words(metric, columns, options, strange):
    for place in range(len(columns)):
        broken = [each.copy() for each in columns]
        broken[place].reshape(N, -1)[5, 0] = strange
        said = []
        for weight in (None, np.ones((1, N))):
            try:
                said.append(str(metric(*broken, weight=weight, **options)))
            except ColumnError as error:
                said.append(str(error))
        assert said[0] == said[1].strip("[]") or "must" not in said[0]
        if np.isnan(strange):
            assert "must" in said[0]


@every_case
def test_columns_of_different_lengths_are_refused(metric, columns, options):
    with pytest.raises(ColumnError, match="rows where the other columns have"):
        metric(columns[0], *(each[:-1] for each in columns[1:]), **options)


def test_crossed_and_infinite_intervals_take_the_long_way():
    with pytest.raises(ColumnError, match="must not be above `up`, found 2 and 1 at row 1"):
        intervals.interval_width([1, 1], [0, 2], [2, 1])
    with pytest.raises(ColumnError, match="must not be above `up`"):
        intervals.interval_width([1, 1], [0, 2], [2, 1], weight=[1, 1])
    assert intervals.interval_width([1, 1], [0, 2], [2, 1], crossed="swap") == 1.5
    assert intervals.interval_coverage([1, 1], [0, 2], [2, 1], crossed="empty") == 0.5
    assert intervals.interval_width([1, 1], [0, 0], [2, np.inf]) == np.inf
    assert intervals.interval_width([1, 1], [0, 0], [2, np.inf], weight=[1, 0]) == 2
    huge = 1.5e308
    assert intervals.interval_width([0, 0], [-huge, 0], [0, huge]) == huge
    assert intervals.winkler([0, 0], [-huge, 0], [0, huge], weight=[1, 1]) == huge


def test_intervals_without_any_weight_are_undefined():
    for metric in (intervals.interval_coverage, intervals.cwc, intervals.winkler):
        assert np.isnan(metric([1, 2], [0, 1], [2, 3], weight=[0, 0]))


def test_long_scales_take_the_long_way():
    true, given = np.arange(40.0), np.arange(40.0)[::-1]
    for metric in (verdicts.macro_f1, verdicts.ordinal_auprc):
        wanted = metric(true, given, weight=np.ones((1, 40)))[0]
        assert metric(true, given) == pytest.approx(wanted, rel=1e-12)
    true, given = true * 3, given * 3
    wanted = verdicts.ordinal_auprc(true, given, weight=np.ones((1, 40)))[0]
    assert verdicts.ordinal_auprc(true, given) == pytest.approx(wanted, rel=1e-12)


def test_cases_that_are_not_scored_or_ranked_are_left_out_of_the_short_way():
    there = (np.arange(N) % 3 > 0).astype(float)
    rows = there > 0
    wanted = verdicts.ordinal_auprc(VERDICT[rows], RANK[rows])
    assert verdicts.ordinal_auprc(VERDICT, RANK, scored=there) == wanted
    assert verdicts.ordinal_auprc(VERDICT, RANK, ranked=there) == wanted


def test_many_bins_and_other_bins_take_the_long_way():
    for options in ({"n_bins": 1_000_000}, {"strategy": "quantile"}):
        wanted = calibration.top_label_ece(LABEL, STATED, weight=np.ones((1, N)), **options)[0]
        assert calibration.top_label_ece(LABEL, STATED, **options) == pytest.approx(wanted)


@pytest.mark.parametrize("ties", ["group", "stable", "mapie"])
@pytest.mark.parametrize("rows", [slice(0, 1), slice(0, 9), slice(None)])
def test_cumulative_differences_with_and_without_a_weight(ties: str, rows: slice):
    correct, score = CORRECT[rows], SCORE[rows]
    found = cumulative_differences(correct, score, ties=ties)
    wanted = cumulative_differences(correct, score, weight=np.ones(correct.size), ties=ties)
    for each in ("share", "score", "difference"):
        np.testing.assert_allclose(getattr(found, each), getattr(wanted, each), atol=1e-15)
    assert not np.signbit(found.score[1:]).any()


def test_cumulative_differences_of_no_row_are_the_start():
    found = cumulative_differences([], [])
    assert (found.share.tolist(), found.difference.tolist()) == ([0.0], [0.0])


def test_two_numbers_of_one_weight_share_what_was_sorted(monkeypatch):
    sort, n_sorted = kernels.plateaus, []
    monkeypatch.setattr(kernels, "plateaus", lambda *each: n_sorted.append(1) or sort(*each))
    weight, loss = Resamples.of(None, n_rows=N), 1 - CORRECT
    numbers = [metric(loss, SCORE, weight=weight) for metric in (selective.aurc, selective.augrc)]
    assert len(n_sorted) == 1
    assert numbers == [metric(loss, SCORE) for metric in (selective.aurc, selective.augrc)]


def test_clusters_that_do_not_come_in_order_are_sorted_as_before():
    cluster = DRAW.integers(0, 20, N)
    order = np.argsort(cluster, kind="stable")
    counts = DRAW.integers(0, 3, (4, 20)).astype(float)
    mixed = Resamples(counts, cluster, np.ones(N), (4,))
    tidy = Resamples(counts, cluster[order], np.ones(N), (4,))
    found = calibration.ece(CORRECT, SCORE, weight=mixed, strategy="scores")
    wanted = calibration.ece(CORRECT[order], SCORE[order], weight=tidy, strategy="scores")
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


POOLED = [name for name, each in METRICS.items() if each.columns == ("correct", "probability")]


@pytest.mark.parametrize("name", POOLED)
@pytest.mark.parametrize("rows", [slice(0, 2), slice(None)])
def test_rows_of_one_cluster_have_the_numbers_of_rows_that_are_clusters(name, rows):
    given = {"correct": CORRECT[rows], "probability": SCORE[rows]}
    n = given["correct"].size
    every = Resamples(np.ones((1, n)), np.arange(n), np.ones(n), (1,))
    pooled = Resamples(np.ones((1, 1)), np.zeros(n, np.int64), np.ones(n), ())
    asked = Request(name, METRICS[name], METRICS[name].options)
    wanted = METRICS[name].function(**given, weight=every, **asked.options)[0]
    found = statistic(asked, Rows(given, pooled))(Draw(np.ones((1, 1)), shape=()))
    assert float(found) == pytest.approx(float(wanted), rel=1e-12, abs=1e-15, nan_ok=True)


def test_places_are_one_array_that_nobody_can_change():
    first = places(5)
    assert places(5) is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1
