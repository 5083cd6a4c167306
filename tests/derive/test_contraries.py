"""What is the contrary of a member is not the member, though most of its words are there."""

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from tests.reasoning_texts import rules

ORGANS = {"A": "Acute pancreatitis", "B": "Gastric ulcer", "C": "Myocardial infarction"}


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (ORGANS, "Chronic pancreatitis", "outside", "Chronic pancreatitis"),
        (ORGANS, "Pancreatitis that is acute", "answered", "A"),
        (ORGANS, "This is acute on chronic pancreatitis.", "answered", "A"),
        (["hate", "not hate"], "No hate", "answered", "not hate"),
        (["hate", "neutral"], "No hate", "answered", "neutral"),
    ],
)
def test_the_contrary_of_a_member_is_another_answer(labels, text, state, answer) -> None:
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    found = read_announced(text, Choices.of(members), rules())
    assert (found.state, found.answer) == (state, answer)


CIVIL, CLEAN, SOUND = ["rude", "not rude"], ["clean", "unclean"], ["sound", "unsound"]
STEPS = ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (CIVIL, "There is nothing rude about the letter.", "not rude"),
        (CIVIL, "It was not really rude at all.", "not rude"),
        (CIVIL, "I don't think it's rude.", "not rude"),
        (CIVIL, "The guest does not find anything rude in it.", "not rude"),
        (CIVIL, "That is hardly rude.", "not rude"),
        (CIVIL, "I wouldn't call the remark rude.", "not rude"),
        (CLEAN, "Nothing unclean was found in the well.", "clean"),
        (CLEAN, "The well is anything but clean.", "unclean"),
        (SOUND, "The beam is far from being sound.", "unsound"),
        ({"A": "Sound", "B": "Unsound"}, "It is not inherently unsound.", "A"),
        (CIVIL, "It is not only rude, it is vulgar.", "rude"),
        (CIVIL, "Nothing could be more rude than this.", "rude"),
        (CIVIL, "I don't doubt that it is rude.", "rude"),
        (CIVIL, "There is nothing rude in the first line, but the second one is rude.", "rude"),
        (CIVIL, "He was tired, and nothing excuses it: it is rude.", "rude"),
        (CLEAN, "The well is neither clean nor unclean.", None),
    ],
)
def test_a_member_that_is_denied_is_the_one_that_says_so(labels, text, answer) -> None:
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    assert read_announced(text, Choices.of(members), rules()).answer == answer


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("A scarecrow has no mood, so I cannot place it on a scale from 1 to 5.", "refused", None),
        (
            "I have no mood, therefore a rating from 1 (low) to 5 (high) is beyond me.",
            "failed",
            None,
        ),
        ("On a scale of 1 (never) to 5 (always), I would say 2.", "answered", "2"),
        ("Rating (1-5): 4", "answered", "4"),
        ("Between 3 and 4, I would choose 4.", "answered", "4"),
        ("My rating went from 3 to 4.", "answered", "4"),
    ],
)
def test_the_ends_of_a_scale_are_no_rating(text, state, answer) -> None:
    found = read_announced(text, Choices.of(LabelSet.of(STEPS)), rules())
    assert (found.state, found.answer) == (state, answer)
