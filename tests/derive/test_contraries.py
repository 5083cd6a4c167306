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
