"""Intervals and sets on a page: every number is that of the artifact."""

from __future__ import annotations

import numpy as np
import pytest

from assay.display.numbers import DASH
from assay.library import evaluate
from assay.report.presenters import summary
from tests.report import views

N = 60
RNG = np.random.default_rng(4)
Y = RNG.normal(size=N)
WIDTH = RNG.uniform(0.5, 3, N)
WHO = np.arange(N) // 3
SITE = np.where(np.arange(N) % 3, "north", "south")
P = RNG.dirichlet(np.ones(3), N)
LABEL = np.array([RNG.choice(3, p=each) for each in P])
BOUNDS = np.stack([-WIDTH, WIDTH], axis=1)
ASK = {"n_resamples": 20}


def evaluate_intervals(y, interval, **chosen):
    return evaluate("intervals", y=y, interval=interval, **chosen).artifact


def evaluate_sets(y, flags, **chosen):
    return evaluate("sets", y=y, set=flags, **chosen).artifact


def shown(artifact, width=100):
    return views.printed(summary(artifact), width)


def grids(artifact):
    return views.grids(summary(artifact))


def facts(artifact):
    return views.facts(summary(artifact))


def test_the_coverage_table_holds_count_interval_gap_and_p():
    artifact = evaluate_intervals(Y, BOUNDS, **ASK)
    test = artifact.systems[0].variants["0.90"].parts.coverage
    title = "Coverage against the level 0.9 (clopper-pearson intervals, exact binomial test)"
    (row,) = grids(artifact)[title].rows
    assert row.cells[0].text == str(N)
    assert row.cells[1].text == str(test.n_covered)
    assert row.cells[2].text == f"{test.coverage:.3f}"
    assert row.cells[2].beside == f"[{test.interval[0]:.3f}, {test.interval[1]:.3f}]"
    assert row.cells[3].text == f"{test.gap:+.3f}"


@pytest.mark.parametrize(("n_covered", "word"), [(150, "too low"), (200, "too high"), (180, "")])
def test_a_word_says_when_the_interval_leaves_the_level_out(n_covered, word):
    y = np.where(np.arange(200) < n_covered, 0.0, 5.0)
    artifact = evaluate_intervals(y, np.tile([-1.0, 1.0], (200, 1)), **ASK)
    first = next(iter(grids(artifact).values()))
    assert first.rows[0].cells[-1].text == word


def test_levels_are_columns_of_one_system_and_systems_columns_of_one_level():
    by_level = np.stack([BOUNDS * 0.7, BOUNDS], axis=-1)
    levels = evaluate_intervals(Y, by_level, level=(0.8, 0.9), **ASK)
    assert grids(levels)["Numbers"].headings == ("level 0.80", "level 0.90")
    systems = evaluate_intervals(Y, {"a": BOUNDS, "b": BOUNDS * 2}, **ASK)
    assert grids(systems)["Numbers"].headings == ("a", "b")
    both = evaluate_intervals(Y, {"a": by_level, "b": by_level}, level=(0.8, 0.9), **ASK)
    titles = grids(both)
    assert {"Numbers of a", "Numbers of b", "b minus a, level 0.80"} <= titles.keys()
    assert "Coverage by width, level 0.90, b" in titles


def test_the_least_covered_stratum_is_marked_and_empty_ones_are_listed():
    artifact = evaluate_sets(LABEL, P > 0.5, **ASK)
    rows = grids(artifact)["Coverage by size"].rows
    assert [row.label for row in rows] == ["0", "1", "2", "3"]
    assert [row.cells[0].text for row in rows][2:] == ["0", "0"]
    assert [row.cells[-1].text for row in rows].count("least") == 1
    assert rows[3].cells[2].text == DASH


def test_of_many_strata_the_least_covered_are_shown_and_the_title_says_so():
    label = np.arange(120) % 30
    flags = np.ones((120, 30), dtype=bool)
    flags[label == 17, 17] = False
    artifact = evaluate_sets(label, flags, **ASK)
    titles = grids(artifact)
    rows = titles["Coverage by true class, the 12 least covered of 30"].rows
    assert (rows[0].label, rows[0].cells[-1].text) == ("17", "least")
    assert [row.cells[-1].text for row in rows[1:]] == [""] * 11
    sizes = titles["Coverage by size, the 2 least covered of 31"].rows
    assert [row.label for row in sizes] == ["29", "30"]
    assert dict(facts(artifact))["classes"].startswith("30: 0, 1, 2,")


def test_clusters_groups_and_warnings_are_said():
    bounds = BOUNDS.copy()
    bounds[0, 1] = np.inf
    artifact = evaluate_intervals(Y, bounds, cluster=WHO, group=SITE, **ASK)
    lines = dict(facts(artifact))
    assert lines["rows"] == "60 in 20 clusters (cluster)"
    assert "resamples of 20 clusters" in lines["intervals"]
    assert "1 of 60 intervals are unbounded" in lines["warning"]
    assert [row.label for row in grids(artifact)["Coverage by group"].rows] == ["north", "south"]
    assert "to infinity" in shown(artifact)


def test_without_resamples_exact_intervals_are_explained_and_clusters_have_none():
    none = {"n_resamples": 0}
    exact = dict(facts(evaluate_intervals(Y, BOUNDS, **none)))
    assert exact["[low, high]"] == "95% interval"
    assert exact["intervals"] == "none, no resamples were asked for"
    clustered = evaluate_intervals(Y, BOUNDS, cluster=WHO, **none)
    assert "[low, high]" not in dict(facts(clustered))
    assert next(iter(grids(clustered).values())).rows[0].cells[4].text == DASH


def test_differences_have_holms_p_with_three_systems():
    artifact = evaluate_intervals(Y, {"a": BOUNDS, "b": BOUNDS * 2, "c": BOUNDS * 3}, **ASK)
    assert grids(artifact)["c minus a"].headings == ("difference", "p", "p (Holm)", "")


def test_classes_are_named():
    artifact = evaluate_sets(LABEL, P > 0.2, **ASK)
    assert dict(facts(artifact))["classes"] == "3: 0, 1, 2"
    assert "Prediction sets" in shown(artifact)


def test_escape_sequences_in_names_do_not_reach_the_terminal():
    artifact = evaluate_intervals(Y, {"a\x1b[31m": BOUNDS, "b": BOUNDS}, **ASK)
    assert "\x1b[31m" not in shown(artifact)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_lines_fit_the_terminal(width):
    artifact = evaluate_intervals(Y, {"a": BOUNDS, "b": BOUNDS * 2}, group=SITE, **ASK)
    assert max(map(len, shown(artifact, width).splitlines())) <= width
