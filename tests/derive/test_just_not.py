"""Denials that end with a not and want nothing after it, and ends that do."""

from __future__ import annotations

import pytest

from assay.derive.answers import ReadingRules, read_answer
from assay.derive.labels import LabelSet
from assay.sources.labels import shipped_rules

YES_NO = ReadingRules(shipped_rules(), LabelSet.of(["yes", "no"]), "announced")


@pytest.mark.parametrize(
    "text",
    [
        "Definitely not",
        "absolutely not",
        "Of course not",
        "Probably not",
        "Most likely not",
        "**Certainly not**",
        "Clearly not\n",
    ],
)
def test_a_denial_without_a_full_stop_is_no(text):
    found = read_answer(text, YES_NO)
    assert (found.state, found.answer) == ("answered", "no")


@pytest.mark.parametrize(
    "text",
    [
        "The roof is definitely not",
        "It would be fair, but certainly not",
        "The roof holds, and yet it is most likely not",
        "The owner should not",
    ],
)
def test_a_sentence_that_ends_with_a_not_has_broken_off(text):
    assert read_answer(text, YES_NO).method == "cut_off"
