"""Turns of reading that hardly any text takes: what they leave alone, and what they give."""

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.figures import last_value
from assay.derive.inferring import which_way
from assay.derive.judging import Judge
from assay.derive.labels import Label, LabelSet
from assay.derive.mentions import fold
from assay.derive.naming import Announcement, Passage
from assay.derive.ranked import ranked
from assay.derive.results import main_value
from assay.derive.written_numbers import in_figures
from assay.errors import UsageError
from assay.families.reasoning.options import ReasoningOptions
from tests.reasoning_texts import rules

OUTPUTS, YES_NO = ["Output (a)", "Output (b)"], ["Yes", "No"]
WITH_TIE, LEVELS = [*OUTPUTS, "Tie"], [*"12345"]
COLOURS = {"A": "red", "B": "blue", "C": "green", "D": "black"}
WAYS = {"A": "increases", "B": "decreases", "C": "does not change"}


def choices_of(labels) -> Choices:
    options = isinstance(labels, dict)
    return Choices.of(LabelSet.of_options(labels) if options else LabelSet.of(labels))


def read(text, labels):
    found = read_announced(text, choices_of(labels), rules())
    return found.state, found.answer


@pytest.mark.parametrize(
    ("text", "labels", "state", "answer"),
    [
        ("Output (c) was not given. Output (b) is better.", OUTPUTS, "answered", "Output (b)"),
        ("They are equally good. In terms of length, one is shorter.", WITH_TIE, "answered", "Tie"),
        ("They are equally good, it seems. Output (b) wins.", WITH_TIE, "answered", "Output (b)"),
        ("They are equally good, but short.", WITH_TIE, "undecided", None),
        ("Both outputs are good, Output (a) too.", WITH_TIE, "answered", "Output (a)"),
        ("Both outputs are wrong?", WITH_TIE, "failed", None),
        ("Their answer: 5\ncorrect: unsure", YES_NO, "outside", "5"),
        ("The answer would be about 5 C or thereabouts", COLOURS, "failed", None),
        ("It may be between 2 and 9.", LEVELS, "undecided", None),
        ("1. Yes 2. No", YES_NO, "answered", "No"),
        ("Unknown is the thing here.", ["Ann", "Bob", "Unknown"], "answered", "Unknown"),
        ("It may well be so if D > A.", COLOURS, "undecided", None),
    ],
)
def test_what_only_looks_like_an_answer_is_none(text, labels, state, answer) -> None:
    assert read(text, labels) == (state, answer)


@pytest.mark.parametrize("labels", [YES_NO, ["True", "False"], ["yes", "no", "unknown"]])
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("I think it is true.", 0),
        ("Well, surely yes", 0),
        ("Perhaps yes", 0),
        ("I would say that this is correct.", 0),
        ("I think no.", 1),
        ("I believe that's false.", 1),
        ("Most likely not.", 1),
        ("In my opinion, no", 1),
        ("No way.", 1),
        ("I'm sorry, but the statement is false.", 1),
        ("Sorry, but that's not correct.", 1),
        ("Unfortunately, it is true.", 0),
    ],
)
def test_who_thinks_so_and_how_likely_it_is_changes_no_answer(text, labels, place) -> None:
    assert read(text, labels) == ("answered", labels[place])


@pytest.mark.parametrize("text", ["I think.", "Well.", "I think it is a matter of taste."])
def test_who_thinks_nothing_has_not_answered(text) -> None:
    assert read(text, YES_NO)[0] != "answered"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I don't think I can agree with that.", "Disagree"),
        ("We do not believe that we agree with this claim.", "Disagree"),
        ("I don't think I could disagree with that.", "Agree"),
    ],
)
def test_who_does_not_think_that_they_agree_takes_the_other_side(text, answer) -> None:
    assert read(text, ["Agree", "Disagree"])[1] == answer


def test_a_value_behind_a_sign_of_equality_may_be_yes() -> None:
    assert last_value(Passage(fold("so 5 > 3 = yes"), choices_of(YES_NO))).answer == "Yes"


def test_a_question_goes_no_way_and_an_order_that_is_supposed_puts_nothing_first() -> None:
    assert which_way(Passage(fold("The tide goes up?"), choices_of(WAYS))) is None
    assert which_way(Passage(fold("The tide goes up."), choices_of(WAYS))).answer == "A"
    assert ranked(Passage(fold("It is so if D > A."), choices_of(COLOURS))) is None
    assert ranked(Passage(fold("It is D > A."), choices_of(COLOURS))).answer == "D"
    assert ranked(Passage(fold("It is Z > Y."), choices_of(COLOURS))) is None


def test_a_condition_has_no_value() -> None:
    passage = Passage(fold("If it takes 18 hours for 9 coopers."), choices_of(["9", "18"]))
    assert main_value(passage, Announcement(25, 26, "answered", "9")) is None


@pytest.mark.parametrize(
    ("text", "labels", "expected"),
    [
        ("12.000 thousand", ["12000", "7"], "12000 thousand"),
        ("1万2万", ["10000", "7"], "1万2万"),
    ],
)
def test_a_number_is_written_anew_once_and_as_one(text, labels, expected) -> None:
    assert in_figures(text, choices_of(labels)).text == expected


def test_a_place_within_a_number_is_that_of_the_number() -> None:
    assert in_figures("70 000 $", choices_of(["70000"])).own((2, 3)) == (0, 6)


def test_letters_are_read_as_words_where_names_count_anywhere() -> None:
    judge = Judge(LabelSet.of_options({"A": "oak", "B": "elm"}), rules(), ReasoningOptions().texts)
    for text, anywhere in (("Oaken beams, so B it is.", "A"), ("So B it is, by far.", "B")):
        found = judge.read(text).answers
        assert (found["closed-set"], found["substring"]) == ("B", anywhere)


def test_a_label_that_stands_there_twice_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'flu' stands there twice"):
        LabelSet((Label("Flu"), Label("flu")))


@pytest.mark.parametrize(
    "labels", [["9" * 5000, "5", "6"], ["٣" * 5000, "5", "6"], ["¹", "²", "³"]]
)
@pytest.mark.parametrize("text", ["It is 5-7.", "5", "So it comes to 12.", "9" * 5000, "Level ²"])
def test_numbers_that_are_no_steps_of_a_scale_are_read_as_others(text, labels) -> None:
    assert read(text, labels)[0] in {"answered", "outside", "undecided", "failed"}
    assert read(labels[0], labels) == ("answered", labels[0])
