"""Choices put in an order, options set aside together, statements called right by their numbers."""
# ruff: noqa: E501 - texts of models as they are

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from tests.reasoning_texts import rules

CASKS = LabelSet.of_options(["oak", "larch", "chestnut", "tin"])
FIVE = LabelSet.of_options(["wax", "tar", "pitch", "glue", "felt"])
CELLARS = LabelSet.of(["dry", "damp", "flooded"])
NUMBERED = LabelSet.of_options(["I only", "II only", "I and II only", "I, II, and III"])
TRUTHS = LabelSet.of_options(["True, True", "False, False", "True, False", "False, True"])
DEEDS = LabelSet.of_options(
    ["Wrong, Wrong", "Wrong, Not wrong", "Not wrong, Wrong", "Not wrong, Not wrong"]
)
BOTH = LabelSet.of_options(["more rain", "less sun", "Both A and B", "Neither A nor B"])
ALL = LabelSet.of_options(["hoops", "staves", "lids", "All of the above"])
SPEEDS = LabelSet.of_options(["12 m/s", "24 m/s", "36 m/s"])


def answer(labels: LabelSet, text: str) -> str | None:
    found = read_announced(text, Choices.of(labels), rules())
    return found.answer if found.state == "answered" else found.state


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (CASKS, "First Choice: D\nSecond Choice: A\nThird Choice: B", "D"),
        (CASKS, "1st choice: B\n2nd choice: A\n3rd choice: C", "B"),
        (CASKS, "First choice: B. larch\nSecond choice: A. oak\nThird choice: D. tin", "B"),
        (CASKS, "First choice: (B), second choice: (C), third choice: (A)", "B"),
        (CASKS, "Top choice: C\nRunner-up: B", "C"),
        (CASKS, "**Best answer:** B\n**Second best:** A", "B"),
        (CASKS, "My first choice would be C, and my second choice would be A.", "C"),
        (CASKS, "Rank 1: B\nRank 2: A\nRank 3: D\nRank 4: C", "B"),
        (CASKS, "G1: B\nP1: 0.7\nG2: C\nP2: 0.2", "B"),
        (
            CASKS,
            "First choice: C\nExplanation: it bends.\n\nSecond choice: B\nExplanation: it lasts.",
            "C",
        ),
        (CELLARS, "Top pick: damp\nAlternative pick: dry", "damp"),
        (CELLARS, "Erste Wahl: dry\nZweite Wahl: damp", "dry"),
        (CASKS, "First choice: C\nSecond choice: B\n\nFinal answer: B", "B"),
        (
            CASKS,
            "First choice: A looks right, but larch lasts. Second choice: B is the answer.",
            "B",
        ),
        (
            CASKS,
            "First choice: A is out. Second choice: B is correct. Third choice: C is out. Fourth choice: D is out.",
            "B",
        ),
        (FIVE, "Among A through E, the answer is most likely E.", "E"),
        (FIVE, "Among A through E, the answer is most likely D.", "D"),
    ],
)
def test_the_first_of_an_order_counts(labels, text, expected) -> None:
    assert answer(labels, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("So we can eliminate A, C, and D.", "B"),
        ("Options A, B and D can be ruled out, leaving C.", "C"),
        ("Tin rusts. (A), (B) and (D) are all wrong.", "C"),
        ("A and C are incorrect.", "undecided"),
        ("We cannot eliminate A, C, and D.", "undecided"),
        ("A, B and C are right.", "undecided"),
        ("A: False\nB: True\nC: False\nD: False", "B"),
        ("A. oak - No\nB. larch - Yes\nC. chestnut - No\nD. tin - No", "B"),
        ("A: The cask is of oak.", "A"),
    ],
)
def test_what_is_left_of_options_that_are_set_aside_together(text, expected) -> None:
    assert answer(CASKS, text) == expected


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (NUMBERED, "I and II are true but III is not.", "C"),
        (NUMBERED, "Statements I and II are correct. III is false.", "C"),
        (NUMBERED, "All three statements are correct.", "D"),
        (NUMBERED, "I and II", "C"),
        (NUMBERED, "Only I is true.", "A"),
        (NUMBERED, "I is false, III is false, and II is true.", "B"),
        (NUMBERED, "I am right and you are wrong about the casks here.", "failed"),
        (NUMBERED, "II and III are correct.", "outside"),
        (TRUTHS, "Statement 1: True. Statement 2: Not true.", "C"),
        (TRUTHS, "Neither statement is true.", "B"),
        (TRUTHS, "The first statement is false, and the second one is true.", "D"),
        (DEEDS, "Scenario 1 is wrong; Scenario 2 is not wrong.", "B"),
        (DEEDS, "Neither scenario is morally wrong.", "D"),
        (DEEDS, "Both scenarios are clearly morally wrong.", "A"),
        (
            DEEDS,
            "In Scenario 1, he does something clearly morally wrong. In Scenario 2, he does nothing that is clearly morally wrong.",
            "B",
        ),
        (
            DEEDS,
            "In Scenario 1, he does not do anything that is wrong. In Scenario 2, he does something that is clearly wrong.",
            "C",
        ),
        (DEEDS, "Scenario 1 is wrong.", "outside"),
    ],
)
def test_statements_are_read_by_what_is_said_of_each(labels, text, expected) -> None:
    assert answer(labels, text) == expected


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (BOTH, "A and B", "C"),
        (BOTH, "Neither A nor B is right.", "D"),
        (BOTH, "B is right.", "B"),
        (ALL, "A, B, and C", "D"),
        (ALL, "All of them.", "D"),
        (ALL, "A and B", "undecided"),
        (CASKS, "A, B, and C", "undecided"),
        (
            SPEEDS,
            "Since none of the given options match 31 m/s, there may be an error in the problem.",
            "none",
        ),
        (SPEEDS, "Since none of the options match 31 m/s, the closest one is C.", "C"),
    ],
)
def test_several_are_the_option_that_says_so(labels, text, expected) -> None:
    assert answer(labels, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B\n------\nContext:\nA", "B"),
        (
            "The final answer is B.\n\nThe correct option is: B\n------\nContext:\nA cask of tin",
            "B",
        ),
        ("B\n***\nPassage: Larch grows in the hills.\nAnswer: A", "B"),
        ("Let us see.\n---\nContext: casks are of larch.\nAnswer: B", "B"),
    ],
)
def test_what_is_below_a_line_across_the_page_is_another_question(text, expected) -> None:
    assert answer(CASKS, text) == expected
