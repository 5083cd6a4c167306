"""Choices put in an order, options set aside together, statements by number, quantities."""
# ruff: noqa: E501, RUF001 - texts of models as they are

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
WORKS = LabelSet.of_options(["4.5 × 10^3 J", "9.0 × 10^3 J", "1.8 × 10^4 J", "3.6 × 10^4 J"])
MASSES = LabelSet.of_options(["0.5 kg", "50 g", "5 kg", "5 g"])
POWERS = LabelSet.of_options(["3.2 × 10⁻⁵", "3.2 × 10⁻⁶", "1.6 × 10⁻⁵", "3.2 × 10⁵"])
CHARGES = LabelSet.of_options(["1.6E-19 C", "3.2E-19 C", "4.8E-19 C", "6.4E-19 C"])
ORDERS = LabelSet.of(["A", "B", "C", "D", "E"])
DUTIES = LabelSet.of_options(
    [
        "The toll raised the price of larch.",
        "The toll lowered the price of larch.",
        "The toll had no effect on the price of larch.",
        "The toll was repealed before it had any effect.",
    ]
)
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


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (WORKS, "W = 9000 J", "B"),
        (WORKS, "The work done is therefore 4.5 kJ.", "A"),
        (WORKS, "about 3.6 · 10^4 joules", "D"),
        (WORKS, r"\boxed{18\ \text{kJ}}", "C"),
        (WORKS, r"$W = 3.6\times10^{4}\,\text{J}$", "D"),
        (WORKS, "The answer is 0.018 MJ.", "C"),
        (WORKS, "9,000", "B"),
        (WORKS, "W = 27 kJ", "outside"),
        (WORKS, "The answer: 18000 N", "outside"),
        (MASSES, "500 g", "A"),
        (MASSES, "The mass is 0.05 kg.", "B"),
        (MASSES, "m = 5000 g", "C"),
        (POWERS, "3.2 × 10^-5", "A"),
        (POWERS, "x = 3.2e-6", "B"),
        (POWERS, "The answer is 0.000016", "C"),
        (POWERS, "320000", "D"),
        (CHARGES, "The charge is 3.2 × 10^-19 C.", "B"),
        (CHARGES, r"so the charge is 1.6 × 10^{-19}\,C", "A"),
        (CHARGES, "So it is C.", "C"),
        (LabelSet.of(["1.5e-3", "1.5e-4"]), "0.0015", "1.5e-3"),
    ],
)
def test_a_quantity_is_the_same_in_any_notation(labels, text, expected) -> None:
    assert answer(labels, text) == expected


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (
            ORDERS,
            "(A) violates rule 1. (B) violates rule 2. (C) violates rule 3. (D) violates rule 4.",
            "E",
        ),
        (
            ORDERS,
            "(A) and (B) are out. (C) could be so but need not be. (D) is contradicted. (E) must be true.",
            "E",
        ),
        (ORDERS, "Answer choice (E) must be true.", "E"),
        (ORDERS, "(E) must be wrong.", "undecided"),
        (
            ORDERS,
            "(A) Irrelevant. (B) Opposite. (C) Correct. (D) Out of scope. (E) Too extreme.",
            "C",
        ),
        (ORDERS, "Between B and D, D is better supported by the ledger.", "D"),
        (ORDERS, "Between B and D there is little to choose.", "undecided"),
        (
            CASKS,
            "(B)\n\nThe following are multiple choice questions (with answers) about tar.\n\nTar is\n(A) thick\n(B) thin\nAnswer: (A)",
            "B",
        ),
        (CASKS, "The following are multiple choice questions.\n\nAnswer: (A)", "A"),
        (DUTIES, "The toll lowered larch prices.", "B"),
        (DUTIES, "The toll was high.", "outside"),
    ],
)
def test_options_that_break_a_condition_and_the_one_whose_words_are_all_there(
    labels, text, expected
) -> None:
    assert answer(labels, text) == expected


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (CASKS, "A: 5%\nB: 85%\nC: 5%\nD: 5%", "B"),
        (CASKS, "A: 0.05, B: 0.85, C: 0.05, D: 0.05", "B"),
        (CASKS, "P(A)=0.1, P(B)=0.7, P(C)=0.1, P(D)=0.1", "B"),
        (CASKS, "A. oak: 10%\nB. larch: 80%\nC. chestnut: 5%\nD. tin: 5%", "B"),
        (CASKS, "Probabilities:\nA - 0.1\nB - 0.2\nC - 0.3\nD - 0.4", "D"),
        (CASKS, "A. 25%\nB. 25%\nC. 25%\nD. 25%", "undecided"),
        (CASKS, "A: 5%\nB: 85%\nC: 5%\nD: 5%\n\nAnswer: C", "C"),
        (LabelSet.of_options(["10", "20", "30", "40"]), "A. 10\nB. 20\nC. 30\nD. 40", "failed"),
        (CASKS, "The 4th option", "D"),
        (CASKS, "(B) Question: Which wood floats? A. oak B. tin Answer: A", "B"),
        (CASKS, "Let us see. Question: Which wood is it? Answer: B", "B"),
    ],
)
def test_shares_of_all_options_and_a_question_in_the_same_line(labels, text, expected) -> None:
    assert answer(labels, text) == expected


TIDES = LabelSet.of_options(["increases", "decreases", "does not change", "cannot be determined"])
PRICES = LabelSet.of_options(
    ["The toll falls.", "The toll rises.", "The toll stays the same.", "It is ambiguous."]
)
TURNS = LabelSet.of_options(["rises", "falls", "first rises, then falls"])
TWO_THINGS = LabelSet.of_options(["The toll rises.", "The rent falls."])


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (TIDES, "The tide goes up.", "A"),
        (TIDES, "It drops.", "B"),
        (TIDES, "It remains constant.", "C"),
        (TIDES, "There is no change.", "C"),
        (TIDES, "It rises as the moon falls.", "A"),
        (PRICES, "The toll will rise.", "B"),
        (PRICES, "Fewer boats come, so the toll drops.", "A"),
        (PRICES, "The toll does not change.", "C"),
        (PRICES, "The effect is ambiguous.", "D"),
        (PRICES, "The toll will not drop.", "outside"),
        (PRICES, "The rent declines.", "outside"),
        (PRICES, "Does the toll go up?", "failed"),
        (TURNS, "It goes up and then drops.", "outside"),
        (TWO_THINGS, "The wage declines.", "outside"),
    ],
)
def test_which_way_something_goes_is_the_option_that_says_so(labels, text, expected) -> None:
    assert answer(labels, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(B). (A) is too soft; (C) is too dear; (D) rusts.", "B"),
        ("B; the rest are wrong.", "B"),
        ("A; so B", "B"),
        ("ans b", "B"),
        ("The answer has to be B, right?", "B"),
        ("Is B right?", "failed"),
        ("I am unable to answer because the image is missing.", "failed"),
        ("The figure was not provided, so I can't answer.", "failed"),
        ("I am unable to answer because it would be unethical.", "refused"),
    ],
)
def test_what_is_said_beside_an_answer_or_in_its_place(text, expected) -> None:
    assert answer(CASKS, text) == expected


@pytest.mark.parametrize(
    "but",
    [
        "No option matches 35 m/s exactly, but 36 m/s is the nearest.",
        "Although no option matches 35 m/s exactly, 36 m/s is the nearest.",
    ],
)
def test_the_nearest_is_the_answer_though_none_is_exact(but) -> None:
    assert answer(SPEEDS, but) == "C"


SEATS = LabelSet.of_options(
    [
        "Ann sits next to Otto.",
        "Carl sits in seat 3.",
        "Dora sits in seat 1.",
        "Ann sits in seat 2.",
    ]
)


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (SEATS, "So Ann sits in seat 2.", "D"),
        (SEATS, "So Ann sits in seat 3.", "outside"),
        (
            SEATS,
            "Carl, who carries the lamp, cannot sit beside Dora, who is the youngest of all. Otto must sit in seat 4, as the ledger says. Since Ann does not sit in the first seat, Dora sits in seat 5. So Ann sits in seat 3.",
            "undecided",
        ),
        (
            SEATS,
            "Carl, who carries the lamp, cannot sit beside Dora, who is the youngest of all. Otto must sit in seat 4, as the ledger says. Since Ann does not sit in the first seat, Dora sits in seat 5. So Ann",
            "failed",
        ),
        (CASKS, "（Ｂ）", "B"),
        (CASKS, "Ⓑ", "B"),
    ],
)
def test_an_option_with_a_number_needs_it_and_a_discussion_may_end_open(
    labels, text, expected
) -> None:
    assert answer(labels, text) == expected
