"""Answers in another spelling, yes and no in other words, and what an elimination leaves."""

from __future__ import annotations

import pytest

from assay.derive.agreeing import agreed, yes_or_no
from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.equivalents import both_of, equivalent, listed_members
from assay.derive.labels import Label, LabelSet
from assay.derive.mentions import fold
from assay.derive.naming import Passage
from assay.derive.ranked import left_over
from assay.derive.refusals import RefusalRules

YES_NO = Choices.of(LabelSet.of(["Yes", "No"]))
PARTS = Choices.of(LabelSet.of_options(["1/2", "-3", "20%", "24", "two thirds", "1,200"]))
MINDS = Choices.of(LabelSet.of(["Borderline Personality Disorder", "Bipolar I Disorder"]))
STATEMENTS = Choices.of(LabelSet.of_options(["I only", "II only", "I and II only"]))


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("0.5", "A"),
        (".5", "A"),
        ("\\dfrac{1}{2}", "A"),
        ("a half", "A"),
        ("minus three", "B"),
        ("\u22123.0", "B"),
        ("20 percent", "C"),
        ("twenty-four", "D"),
        ("2/3", "E"),
        ("1200", "F"),
        ("50%", "A"),
        ("0.2", "C"),
        ("1/5", "C"),
        ("12", None),
        ("2/1", None),
        ("20", None),
        ("3", None),
        ("twenty twenty", None),
        ("five six", None),
        ("no number", None),
        ("1/0", None),
        ("x" * 61, None),
    ],
)
def test_a_number_is_the_option_of_the_same_value(answer, label) -> None:
    assert equivalent(answer, PARTS) == label


@pytest.mark.parametrize(
    ("answer", "choices", "label"),
    [
        ("Borderline PD", MINDS, "Borderline Personality Disorder"),
        ("bpd", MINDS, "Borderline Personality Disorder"),
        ("Bipolar 1 disorder", MINDS, "Bipolar I Disorder"),
        ("Borderline XY", MINDS, None),
        ("Borderline P", MINDS, None),
        ("...", MINDS, None),
        ("Only II", STATEMENTS, "B"),
        ("both I and II", STATEMENTS, "C"),
    ],
)
def test_a_shortened_name_is_the_member_that_it_shortens(answer, choices, label) -> None:
    assert equivalent(answer, choices) == label


def test_two_options_are_a_third_one_that_says_so() -> None:
    choices = Choices.of(LabelSet.of_options(["fever", "cough", "rash", "Both A and B"]))
    assert both_of(frozenset("AB"), choices) == "D"
    assert both_of(frozenset("AC"), choices) is None
    assert both_of(frozenset("AB"), MINDS) is None
    found = [
        read_announced(text, choices, RefusalRules(()))
        for text in ("Both fever and cough", "Both cough and rash")
    ]
    assert [(each.state, each.answer) for each in found] == [("answered", "D"), ("undecided", None)]


def test_options_that_are_only_listed_are_counted() -> None:
    choices = Choices.of(LabelSet.of_options(["12", "18"]))
    assert [listed_members(each, choices) for each in ("(A) 12 (B) 18", "B 18", "B 18 fits")] == [
        2,
        1,
        0,
    ]
    found = [read_announced(each, choices, RefusalRules(())) for each in ("A. 12 B. 18", "A. 12")]
    assert (found[0].state, found[0].rule) == ("failed", "echo")
    assert found[1].answer == "A"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Absolutely not.", "No"),
        ("Of course!", "Yes"),
        ("They arrived at ten and the meeting began at eleven, so they did.", "Yes"),
        ("They arrived at ten and the meeting began at nine, so they did not.", "No"),
        ("It snowed all night and the pass is closed. Therefore they cannot cross.", "No"),
        ("He walked three steps north and then south. So he returns to the start.", "Yes"),
        ("Twelve is smaller than ten plus five, and the claim that it is larger is wrong.", "No"),
        ("Twelve is larger than ten, and this means that the statement is accurate.", "Yes"),
        ("All of these sources support an affirmative answer here.", "Yes"),
        ("Taken together they would be answered in the negative by most.", "No"),
        ("All that was found so far shows that the claim may be true.", None),
        ("All that was found so far shows that the claim is an old one.", None),
        ("The lake is deep and cold in winter and in summer as well.", None),
        ("Therefore more studies with more people are needed to say anything.", None),
        (" ".join(["So", *["word"] * 45]), None),
        ("Green.", None),
    ],
)
def test_yes_and_no_are_read_in_other_words(text, answer) -> None:
    found = agreed(Passage(fold(text), YES_NO), len(text.split()))
    assert (found and found.answer) == answer


def test_other_sets_know_no_yes_and_no() -> None:
    assert agreed(Passage(fold("Absolutely not."), MINDS), 2) is None
    assert yes_or_no("negative", MINDS) is None
    assert [yes_or_no(each, YES_NO) for each in ("negative", "affirmative", "blue")] == [
        "No",
        "Yes",
        None,
    ]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Choice A is incorrect. Choice C is wrong.", "B"),
        ("Choice A is incorrect. Choice B fits.", None),
        ("Option D is wrong. Option A is incorrect.", None),
    ],
)
def test_the_option_that_is_left_over_is_the_answer(text, answer) -> None:
    choices = Choices.of(LabelSet.of_options(["flu", "cold", "mumps"]))
    found = left_over(Passage(fold(text), choices))
    assert (found and found.answer) == answer


def test_the_only_option_there_is_is_not_left_over() -> None:
    choices = Choices.of(LabelSet.of_options(["flu"]))
    assert left_over(Passage(fold("Sand and wind."), choices)) is None


def test_names_are_looked_for_where_they_may_be() -> None:
    assert Label("ptsd").may_be_in("a PTSD case")
    assert not Label("ptsd", (" ",)).may_be_in("a case")
    assert Label("ptsd").may_be_in("na\u00efve")


GOAT = ["I sell the goat at the fair.", "I keep the goat in the barn.", "I lend it to a friend."]
FEARS = ["Fear of the dark", "Fear of heights", "Fear of dogs"]
TIED = ["Bipolar I Disorder", "Panic Disorder"]


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (GOAT, "Keep the goat.", "answered", GOAT[1]),
        (GOAT, "I keep the goat.", "answered", GOAT[1]),
        (GOAT, "sell the goat at the fair", "answered", GOAT[0]),
        (GOAT, "I would sell it at the fair, since it eats too much.", "answered", GOAT[0]),
        (GOAT, "barn", "answered", GOAT[1]),
        (GOAT, "I would not sell the goat.", "failed", None),
        (GOAT, "I do not know what to do with the goat.", "failed", None),
        (GOAT, "I eat the goat.", "failed", None),
        (GOAT, "If it rains I keep the goat, else I sell it.", "failed", None),
        (GOAT, "I'm sorry, but I cannot answer that.", "refused", None),
        (FEARS, "dogs", "answered", FEARS[2]),
        (FEARS, "Fear of spiders", "outside", "Fear of spiders"),
        (TIED, "Bipolar disorder, type I", "answered", TIED[0]),
    ],
)
def test_a_part_of_a_sentence_is_the_member_that_has_it_alone(labels, text, state, answer) -> None:
    found = read_announced(text, Choices.of(LabelSet.of(labels)), RefusalRules(()))
    assert (found.state, found.answer) == (state, answer)
