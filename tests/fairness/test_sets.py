"""What sets that say nothing gain: size is read against coverage, and coverage against size."""

from __future__ import annotations

import numpy as np
import pytest

from assay import evaluate

N = 200
GENERATOR = np.random.default_rng(4)
LABEL = GENERATOR.integers(0, 3, N)
HELD = np.eye(3, dtype=bool)[np.where(GENERATOR.random(N) < 0.8, LABEL, (LABEL + 1) % 3)]
MISSED = ~HELD[np.arange(N), LABEL]
LARGE = {"set_size_stratified_coverage", "worst_class_coverage"}


def ways():
    """Return twins whose misses were turned into sets that say nothing."""
    missed = MISSED[:, None]
    return {
        "empty": HELD & ~missed,
        "all empty": np.zeros_like(HELD),
        "all classes": HELD | missed,
        "all of all classes": np.ones_like(HELD),
    }


def compared(left, right):
    found = evaluate("sets", y=LABEL, set={"one": left, "other": right}, n_resamples=300, seed=3)
    return found.pairs[0].variants["0.90"]


@pytest.mark.parametrize("way", list(ways()))
def test_sets_that_say_nothing_gain_nothing(way):
    pair = compared(HELD, ways()[way])
    better = {label for label in pair if pair[label].word == "better"}
    assert better == set()
    assert pair["set_coverage"].value < 0 or pair["set_size"].value > 0 or way == "empty"


def test_identical_sets_have_no_word_and_sets_that_hit_more_often_have():
    assert {each.word for each in compared(HELD, HELD).values()} == {None}
    right = np.eye(3, dtype=bool)[LABEL]
    pair = compared(HELD, right)
    better = {label for label in pair if pair[label].word == "better"}
    assert better == LARGE | {"singleton_accuracy"}


def test_sets_that_are_smaller_and_never_empty_are_better():
    larger = HELD | (np.eye(3, dtype=bool)[(LABEL + 2) % 3] & (np.arange(N) % 2 == 0)[:, None])
    assert compared(larger, HELD)["set_size"].word == "better"
    emptied = compared(HELD, ways()["empty"])["set_size"]
    assert emptied.high < 0
    assert "that hold no class at all is higher on the side that would be" in emptied.word_reason


def test_sets_that_are_left_out_where_they_miss_gain_nothing():
    holes = np.where(MISSED[:, None], np.nan, HELD)
    for order in (("whole", "holes"), ("holes", "whole")):
        sets = {name: {"whole": HELD | MISSED[:, None], "holes": holes}[name] for name in order}
        found = evaluate("sets", y=LABEL, set=sets, missing="drop", n_resamples=300, seed=3)
        pair = found.pairs[0].variants["0.90"]
        favour = "better" if order[1] == "holes" else "worse"
        assert {label for label in pair if pair[label].word == favour} == set()
