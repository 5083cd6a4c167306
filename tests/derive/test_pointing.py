"""The former and the latter are the two members that were named last, where a text concludes so."""

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from tests.reasoning_texts import rules

ILL, COLOURS = ["Flu", "Cold", "Measles"], {"A": "red", "B": "blue", "C": "green"}


def read(text, labels):
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    found = read_announced(text, Choices.of(members), rules())
    return found.state, found.answer


@pytest.mark.parametrize(
    ("text", "labels", "answer"),
    [
        ("Both flu and measles bring fever, but the latter fits the rash better.", ILL, "Measles"),
        ("It could be flu or a cold. The former is more likely with fever.", ILL, "Flu"),
        ("Flu comes fast, a cold slowly. He fell ill in an hour, so it is the former.", ILL, "Flu"),
        ("Measles was weighed against flu; the latter is the answer.", ILL, "Flu"),
        ("Between (A) and (C), the latter is correct.", COLOURS, "C"),
        ("A cold and flu look alike. The fever points to the latter.", ILL, "Flu"),
    ],
)
def test_what_is_pointed_at_is_the_answer(text, labels, answer) -> None:
    assert read(text, labels) == ("answered", answer)


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("Flu and measles are both possible. The latter would bring a rash.", "undecided", None),
        ("It is flu or a cold. It is not the latter that worries me.", "undecided", None),
        ("It may be flu or a cold. If it is the latter, rest.", "undecided", None),
        ("Answer: flu. Measles and a cold differ: the latter is milder.", "answered", "Flu"),
    ],
)
def test_what_is_only_told_of_one_of_two_is_no_answer(text, state, answer) -> None:
    assert read(text, ILL) == (state, answer)
