from __future__ import annotations

import numpy as np
import pytest

from assay.library import evaluate
from assay.report.presenters import summary
from tests.report.views import grids, printed

GENERATOR = np.random.default_rng(5)
P = GENERATOR.random(80).round(2)
Y = (GENERATOR.random(80) < P).astype(int)
WIDE = GENERATOR.dirichlet([1, 1, 1], 80)
TESTS = "How often calibrated probabilities would look as bad"
LABEL = WIDE.argmax(1)


def artifact(y_true, y_prob, n_resamples=40):
    given = {"y_true": y_true, "y_prob": y_prob, "n_resamples": n_resamples}
    return evaluate("calibration", **given).artifact


def test_every_number_is_shown_with_its_debiased_form_right_below():
    given = artifact(Y, P)
    tables = grids(summary(given))
    shown = [row.label for row in tables["Numbers"].rows]
    tests = [
        row.label for row in tables["How often calibrated probabilities would look as bad"].rows
    ]
    assert sorted([*shown, *tests]) == sorted(given.systems[0].variants[""].numbers)
    assert all(label.endswith("p_value") for label in tests)
    assert shown[shown.index("ece") + 1] == "debiased_ece"


def test_one_reliability_table_lists_every_bin():
    table = grids(summary(artifact(Y, P)))["Reliability"]
    assert len(table.rows) == 10
    assert table.headings == ("rows", "mean confidence", "accuracy", "gap")


def test_more_than_two_systems_show_all_their_tables_only_in_full():
    given = artifact(Y, {"a": P, "b": P, "c": P})
    short, full = (grids(summary(given), each) for each in ("short", "full"))
    assert [title for title in short if "Reliability" in title] == [
        "Reliability of a",
        "Reliability of b",
    ]
    assert "Reliability of c" in full


def test_classes_have_their_own_numbers_and_counts():
    shown = grids(summary(artifact(LABEL, WIDE)), "full")
    assert "Numbers over all classes" in shown
    assert "Numbers of the top label" in shown
    assert [row.label for row in shown["Classes"].rows] == ["0", "1", "2"]


def test_an_empty_bin_has_dashes():
    table = grids(summary(artifact(Y, P / 2)))["Reliability"]
    assert [cell.text for cell in table.rows[-1].cells] == ["0", "\N{EN DASH}", "\N{EN DASH}", ""]


def test_differences_say_which_system_is_better():
    given = artifact(Y, {"bad": 1 - P, "good": P})
    table = grids(summary(given))["good minus bad"]
    brier = next(row for row in table.rows if row.label == "brier")
    assert brier.cells[-1].text == "better"


@pytest.mark.parametrize("n_resamples", [0, 40])
def test_without_resamples_no_interval_is_promised(n_resamples):
    said = printed(summary(artifact(Y, P, n_resamples=n_resamples)))
    assert ("none, no resamples were asked for" in said) == (n_resamples == 0)
    assert ("[low, high]" in said) == (n_resamples > 0)


def test_names_cannot_steer_the_terminal():
    said = printed(summary(artifact(Y, {"a\x1b[31m": P, "b": P})))
    assert "\x1b" not in said
