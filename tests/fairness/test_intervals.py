"""No interval looks better by being infinite, and no part of it by what the whole costs."""

from __future__ import annotations

import re

import numpy as np
import pytest

from assay import evaluate
from assay.report.page import page
from assay.report.presenters import summary
from assay.report.tables import tables

LEVEL = "0.90"
N = 200
PLAN = {"n_resamples": 300, "seed": 3}
GENERATOR = np.random.default_rng(8)
Y = GENERATOR.normal(0, 1, N)
WIDTH = GENERATOR.uniform(1, 3, N)
LOW, UP = -WIDTH, WIDTH
MISSED = (Y < LOW) | (UP < Y)


def ways():
    """Return twins whose misses were turned into something else, by what that is."""
    return {
        "infinite above": (LOW, np.where(MISSED, np.inf, UP)),
        "infinite on both sides": (
            np.where(MISSED, -np.inf, LOW),
            np.where(MISSED, np.inf, UP),
        ),
        "one infinite": (LOW, np.where(np.arange(N) == np.argmax(MISSED), np.inf, UP)),
        "all infinite": (np.full(N, -np.inf), np.full(N, np.inf)),
        "very wide": (np.where(MISSED, -1e6, LOW), np.where(MISSED, 1e6, UP)),
        "collapsed": (np.where(MISSED, 0.0, LOW), np.where(MISSED, 0.0, UP)),
    }


def compared(left, right):
    bounds = {"one": left, "other": right}
    return evaluate(
        "intervals",
        y=Y,
        low={name: each[0] for name, each in bounds.items()},
        up={name: each[1] for name, each in bounds.items()},
        **PLAN,
    )


def winners(found, word):
    pair = found.pairs[0].variants[LEVEL]
    return {label.partition("@")[0] for label in pair if pair[label].word == word}


@pytest.mark.parametrize("way", list(ways()))
def test_a_twin_whose_misses_became_something_else_is_never_better(way):
    twin = ways()[way]
    assert winners(compared((LOW, UP), twin), "better") == set()
    assert winners(compared(twin, (LOW, UP)), "worse") == set()


@pytest.mark.parametrize("way", [each for each in ways() if "infinite" in each])
def test_the_finite_side_wins_in_the_wholes_and_nobody_in_their_parts(way):
    found = compared((LOW, UP), ways()[way])
    assert winners(found, "worse") == {"winkler", "interval_width"}
    assert found.pairs[0].variants[LEVEL]["winkler"].value == np.inf
    assert found["other"]["winkler"].value == np.inf
    assert "∞" in repr(found)
    back = compared(ways()[way], (LOW, UP))
    assert winners(back, "better") == {"winkler", "interval_width"}
    assert back.pairs[0].variants[LEVEL]["interval_width"].value == -np.inf


def test_infinite_is_shown_and_said_wherever_numbers_are():
    found = compared((LOW, UP), ways()["one infinite"])
    for shown in (
        *(tables(summary(found.artifact), kind) for kind in ("md", "csv")),
        page([found.artifact]),
    ):
        text = shown if isinstance(shown, str) else shown.decode()
        assert "∞" in text
    text = re.sub(r"<[^>]*>", "", page([found.artifact]).decode())
    assert "other is wider, bad: ∞: one side is infinite." in text
    assert re.search(r"∞\s+worse\s*infinite", text)


def test_bounds_near_the_largest_float_are_compared_without_a_warning():
    twin = (np.where(MISSED, -8e307, LOW), np.where(MISSED, 8e307, UP))
    assert not winners(compared((LOW, UP), twin), "better")


def test_identical_intervals_have_no_word_and_narrower_ones_that_cover_are_better():
    same = compared((LOW, UP), (LOW, UP)).pairs[0].variants[LEVEL]
    assert {each.word for each in same.values()} == {None}
    both = ways()["all infinite"]
    assert winners(compared(both, both), "better") == set()
    # Both sides cover every truth; one does so with half the width.
    wide = (Y - WIDTH, Y + WIDTH)
    near = (Y - WIDTH / 2, Y + WIDTH / 2)
    assert {"interval_width", "winkler"} <= winners(compared(wide, near), "better")


def test_a_side_that_lacks_the_rows_it_misses_is_not_better():
    holes = np.where(MISSED, np.nan, LOW + 0.2)
    roles = {"y": Y, "missing": "drop", **PLAN}
    for order in (("whole", "holes"), ("holes", "whole")):
        low = {name: {"whole": LOW, "holes": holes}[name] for name in order}
        up = {name: {"whole": UP, "holes": UP - 0.2}[name] for name in order}
        found = evaluate("intervals", low=low, up=up, **roles)
        assert found.pairs[0].variants[LEVEL]["interval_width"].value != 0
        assert winners(found, "better" if order[1] == "holes" else "worse") == set()


def test_a_side_without_holes_may_be_better_where_the_other_has_some():
    low = {"holes": np.where(np.arange(N) < 3, np.nan, LOW), "whole": LOW + 0.001 * WIDTH}
    found = evaluate(
        "intervals", y=Y, low=low, up={"holes": UP, "whole": UP}, missing="drop", **PLAN
    )
    assert "interval_width" in winners(found, "better")


def test_a_side_that_lacks_rows_is_not_better_than_an_infinite_one_either():
    low = {"infinite": LOW, "holes": np.where(MISSED, np.nan, LOW)}
    up = {"infinite": np.where(np.arange(N) == np.argmin(MISSED), np.inf, UP), "holes": UP}
    found = evaluate("intervals", y=Y, low=low, up=up, missing="drop", **PLAN)
    assert winners(found, "better") == set()
