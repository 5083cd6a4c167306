"""Turns that the reading of an answer takes where texts of other tests do not lead."""

from __future__ import annotations

import pytest

from assay.derive.answers import ReadingRules, announced_answer
from assay.derive.choices import Choices
from assay.derive.equivalents import said_of_all
from assay.derive.labels import LabelSet
from assay.derive.mentions import fold
from assay.sources.labels import shipped_rules

YES_NO = ["Yes", "No"]
DRUGS = {"A": "Aspirin", "B": "Ibuprofen", "C": "Colchicine"}
INFERRED = ["entailment", "neutral", "contradiction"]
USES = {
    "A": "Send changes to the server",
    "B": "See files of other branches",
    "C": "Mend a message",
}

LISTED = "- Switch.\n- Restore.\n- Create.\n"


def read(text, labels):
    label_set = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    return announced_answer(text, ReadingRules(shipped_rules(), label_set, "announced"))


@pytest.mark.parametrize(
    ("text", "labels", "state", "answer"),
    [
        (
            "The answer is unclear. I cannot provide a yes or no answer without the dates.",
            *(YES_NO, "failed", None),
        ),
        (
            "If you mean the town, the answer is yes. If you mean the county, the answer is yes.",
            *(YES_NO, "answered", "Yes"),
        ),
        (
            "I would rather not choose. If I had to: probably nothing.",
            *(["nothing at all", "something"], "answered", "nothing at all"),
        ),
        (
            "I would rather not choose. If I had to: probably later.",
            *(["nothing at all", "something"], "refused", None),
        ),
        ("Fever and a rash.\n-> not clear.", DRUGS, "failed", None),
        ("This answers the question: a banana.", DRUGS, "outside", "a banana"),
        ("The type of drug in this text is Aspirin.", DRUGS, "answered", "A"),
        ("All of them except B are correct.", DRUGS, "answered", "B"),
        ("The premise speaks of cats.", INFERRED, "outside", "The premise speaks of cats"),
        ("So I say:\nmaybe\n" + "yes\nno\n" * 8, YES_NO, "outside", "maybe"),
        ("He is ill.\nIf the patient has fever", {"A": "flu", "B": "cold"}, "failed", None),
        (
            f"With checkout you can:\n\n{LISTED}\nIn short, a tool for branches.",
            USES,
            "failed",
            None,
        ),
        (
            "All options are correct except for B.",
            {**DRUGS, "D": "All of the above"},
            "answered",
            "B",
        ),
    ],
)
def test_each_turn_leads_where_a_reader_would_go(text, labels, state, answer):
    found = read(text, labels)
    assert (found.state, found.answer) == (state, answer)


@pytest.mark.parametrize(
    ("text", "all_apply"),
    [
        ("All of the options are correct, but not B.", False),
        ("Not all options are correct.", False),
        ("Not all options are correct. All options are correct but C.", False),
        ("So all options are correct.", True),
    ],
)
def test_all_apply_where_none_is_excepted(text, all_apply):
    choices = Choices.of(LabelSet.of_options(DRUGS))
    found = said_of_all(fold(text), choices, 0, len(text))
    assert (found is not None) is all_apply


UNSURE = ["yes", "no", "maybe"]
SHEDS = {"A": "Oil the hinge", "B": "Paint the door", "C": "Fix the roof", "D": "Sweep"}
NOTES = ["included", "not included", "not enough information"]
CRACKS = ["Acute crack", "Rust", "Worn hinge"]


@pytest.mark.parametrize(
    ("text", "labels", "answer"),
    [
        ("Therefore, the answer to the research question is negative.", YES_NO, "No"),
        ("The answer to the question is affirmative: the oak lasted longer.", YES_NO, "Yes"),
        ("The abstract does not say enough to be certain, so: maybe", UNSURE, "maybe"),
        ("It appears so.", YES_NO, "Yes"),
        ("There's not enough information in the note to tell.", NOTES, "not enough information"),
        ("Option B is the priority. A and D can wait, and C would do harm.", SHEDS, "B"),
        ("Top differential: rust, then a worn hinge.", CRACKS, "Rust"),
        ("The most likely diagnosis is a crack.", CRACKS, "Acute crack"),
        ("Crack.", CRACKS, "Acute crack"),
        ("Answer:\nB. Paint the door\nC. Fix the roof would be too much", SHEDS, "B"),
        ("So it is:\n\nB. Paint the door\n\nA. Oil the hinge does not help.", SHEDS, "B"),
        ("B (and C would need more details about the roof)", SHEDS, "B"),
    ],
)
def test_answers_in_other_words_and_beside_others(text, labels, answer) -> None:
    assert (found := read(text, labels)).answer == answer
    assert found.outcome == "answered"


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("It cannot be determined from the abstract.", YES_NO),
        ("This cannot be determined.", UNSURE),
        ("The question cannot be answered with the data at hand.", YES_NO),
        ("The correct answers are:\n\nB. Paint the door\nC. Fix the roof", SHEDS),
        ("The answer would be:\n\na: the hinge\nb: the door", ["a", "b", "c"]),
        ("B and C (I would need more details about the roof to choose).", SHEDS),
        ("a, c (these cannot be told apart without additional information.)", ["a", "b", "c"]),
    ],
)
def test_what_is_left_open_or_said_of_several_is_undecided(text, labels) -> None:
    assert read(text, labels).state == "undecided"


@pytest.mark.parametrize(
    ("text", "labels", "answer"),
    [
        ("The infection cannot be cured.", YES_NO, "No"),
        ("No, it cannot be determined by eye.", YES_NO, "No"),
        ("crack", ["Acute crack", "Chronic crack"], "crack"),
    ],
)
def test_what_is_denied_or_names_two_members_is_not_taken_so(text, labels, answer) -> None:
    assert read(text, labels).answer == answer


SIZES = ["small", "middling", "large"]
ONE_LEFT = (
    "A. Oil it - not dry.\nB. Paint it - not dry.\nC. Fix the roof - dry work.\n"
    "D. Sweep - not dry.\n\nOnly one of these is a job for today."
)
GATES = ["Broken latch", "Bent frame", "Loose hinge"]


@pytest.mark.parametrize(
    ("text", "labels", "answer"),
    [
        ("My answer would be D, with A as the second choice if it rains.", SHEDS, "D"),
        ("A or C? The rain is near, so C > A.", SHEDS, "C"),
        ("The diagnosis is unlikely to be a bent frame. A loose hinge fits.", GATES, "Loose hinge"),
        ("I cannot diagnose: a broken latch. That is the answer.", GATES, "Broken latch"),
        ('Given that, "maybe" is the most suitable response.', UNSURE, "maybe"),
        ("At 22 this is middling (small: 5-15, middling: 15-30, large: >30).", SIZES, "middling"),
        ("At 35 (large: >30) it is large.", SIZES, "large"),
        (ONE_LEFT, SHEDS, "C"),
    ],
)
def test_what_is_ranked_told_in_a_legend_or_called_unlikely(text, labels, answer) -> None:
    assert (found := read(text, labels)).answer == answer
    assert found.outcome == "answered"


@pytest.mark.parametrize(
    ("text", "labels", "state"),
    [
        ("If A > B, then the roof leaks.", SHEDS, "undecided"),
        ("Unable to diagnose: I'm an AI, please ask a professional.", GATES, "refused"),
        ("I am unable to say which part it is because the photo is missing.", GATES, "failed"),
    ],
)
def test_what_looks_like_an_order_or_an_announcement_is_none(text, labels, state) -> None:
    assert read(text, labels).state == state


@pytest.mark.parametrize(
    ("text", "labels", "answer"),
    [
        ("False. The statement is only true for oak.", ["True", "False"], "False"),
        ("No. The answer would only be yes in winter.", YES_NO, "No"),
        ("The answer is yes only in winter, so here it is no.", YES_NO, "No"),
        ("The answer is not only true but well known. Answer: True", ["True", "False"], "True"),
        ("The statement is true, and only oak was tried.", ["True", "False"], "True"),
        ("B (90%), D (10%)", SHEDS, "B"),
        ("D: 10%, B: 70%, A: 20%", SHEDS, "B"),
        ("A grew by 20% and B by 30%. Answer: C", SHEDS, "C"),
        ("A. Oil the hinge\nB. Paint the door\nC. Fix the roof\nD. Sweep\n\nD", SHEDS, "D"),
        ("Ans) b\n\nIt peels.", SHEDS, "B"),
        ("Not recommended.", YES_NO, "No"),
        ("Positive.", YES_NO, "Yes"),
    ],
)
def test_what_is_said_of_a_part_only_and_of_shares(text, labels, answer) -> None:
    assert (found := read(text, labels)).answer == answer
    assert found.outcome == "answered"


MALADIES = {"A": "Crohn disease", "B": "Oak rot", "C": "Celiac disease", "D": "Rust"}


@pytest.mark.parametrize(
    ("text", "labels", "answer"),
    [
        ("The door sticks. If it sticks, B. If it squeaks, A. Hence B.", SHEDS, "B"),
        (
            "I'm an AI, and this is not professional advice. Here the roof must be fixed.",
            SHEDS,
            "C",
        ),
        ("Unlike oak rot, which spreads, this patient has skip lesions. Crohn's.", MALADIES, "A"),
        ("In contrast to rust, which is dry, this is oak rot.", MALADIES, "B"),
    ],
)
def test_answers_after_cases_disclaimers_and_what_is_unlike_them(text, labels, answer) -> None:
    assert (found := read(text, labels)).answer == answer
    assert found.outcome == "answered"


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("If it sticks, B. If it squeaks, A.", "undecided"),
        ("It depends.\n- If it sticks, B.\n- If it squeaks, A.", "undecided"),
        ("As an AI I can't see the door, so I can't say which is right. Ask a joiner.", "refused"),
    ],
)
def test_cases_with_other_answers_each_are_undecided_and_who_cannot_say_declines(
    text, state
) -> None:
    assert read(text, SHEDS).state == state


@pytest.mark.parametrize(
    "text",
    [
        "Let's go through the options.\n\nOption A: Oil the hinge\nOil slows the rust but",
        "Let's go through the options. Option A would drip. Option C is slow. Option D",
    ],
)
def test_an_option_that_is_gone_through_when_the_text_breaks_off_is_no_answer(text) -> None:
    rules = ReadingRules(shipped_rules(), LabelSet.of_options(SHEDS), "announced")
    assert announced_answer(text, rules, limited=True).state == "failed"
