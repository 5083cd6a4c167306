"""Texts that look like what a rule of reading is for, and are not."""

from __future__ import annotations

import pytest

from tests.derive.test_announced import read

YES_NO, SIDES = ["Yes", "No"], ["Agree", "Disagree"]
MINDS = ["Major Depressive Disorder", "Bipolar Disorder", "Schizophrenia"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("There is no doubt that the cask leaks.", "Yes"),
        ("There is no reason to doubt that the cooper can mend it.", "Yes"),
        ("It cannot be denied that tar keeps out the rain.", "Yes"),
        ("Nobody doubts that the oak is old.", "Yes"),
        ("Nothing prevents him from selling the cask.", "Yes"),
        ("The tar is not only cheap but also tight.", "Yes"),
        ("There is no evidence to the contrary, and the oak holds in winter.", "Yes"),
        ("No doubt.", "Yes"),
        ("No hay duda de que el barril gotea.", "Yes"),
        ("Es besteht kein Zweifel, dass das Fass hält.", "Yes"),
        ("Il n'y a pas de doute que le tonneau fuit.", "Yes"),
        ("Thus, there is no doubt that the cooper can mend the cask.", "Yes"),
        ("There is no doubt that the cask does not leak.", "No"),
        ("You should never fill this cask, since it leaks.", "No"),
        ("Tar does not keep out the rain.", "No"),
        ("Since the oak is old, the cask does not hold.", "No"),
        ("It is cheap, but it cannot be sold.", "No"),
        ("It is not unusual that a cask leaks.", None),
        ("It cannot be ruled out that the cask leaks.", None),
        ("Oak serves for casks and does not cost much.", None),
        ("The cask leaks even if nobody fills it.", None),
        ("The cooper, who is not young, mends the cask.", None),
        ("The cooper is unable to see, so a new one is sought.", None),
        ("If he does not pay, he is fined.", None),
        ("You should never worry about that, since the oak is safe.", None),
    ],
)
def test_a_denial_counts_where_it_denies_what_is_said(text, answer) -> None:
    found = read(text, YES_NO)
    assert (found.answer if found.state == "answered" else None) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I cannot disagree with the statement.", "Agree"),
        ("I can't agree with the statement.", "Disagree"),
        ("I can't disagree more.", "Disagree"),
        ("I neither agree nor disagree.", None),
    ],
)
def test_who_cannot_disagree_agrees(text, answer) -> None:
    assert read(text, SIDES).answer == answer


def test_a_list_from_the_least_likely_on_does_not_begin_with_the_answer() -> None:
    listed = "1. Bipolar Disorder\n2. Schizophrenia"
    assert read(f"Ranked from most to least likely:\n{listed}", MINDS).answer == "Bipolar Disorder"
    assert read(f"Ranked from least to most likely:\n{listed}", MINDS).state == "undecided"


def test_a_heading_of_what_was_given_is_no_answer() -> None:
    assert read("Next step: tar\n\nReasoning: It is cheap.", MINDS).answer == "tar"
    assert (
        read(
            f"Patient: a cooper\n\nReasoning: {'He is old and works with oak all day. ' * 9}", MINDS
        ).answer
        is None
    )


def test_a_text_of_one_long_word_is_read_without_a_search_from_each_letter() -> None:
    assert read(f"So it is {'tar' * 30_000} B", {"A": "oak", "B": "pine"}).answer == "B"


@pytest.mark.parametrize(
    "text",
    [
        "The premise does not contradict the hypothesis.",
        "The premise doesn't entail the hypothesis.",
        "The premise neither entails nor contradicts the hypothesis.",
    ],
)
def test_a_relation_that_is_denied_is_not_the_answer(text) -> None:
    found = read(text, ["entailment", "contradiction", "neutral"])
    assert (found.state, found.answer) == ("undecided", None)


WARES = {"A": "Tar", "B": "Wax", "C": "Oil", "D": "Paint"}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer to question 1 is oil.", "C"),
        ("Answer to 1: oil", "C"),
        ("The choice at stage 2 is oil.", "C"),
        ("The choice is oil since the stage is 2.", "C"),
        ("The answer is in chapter 2.", None),
        ("The answer was found on day 3.", None),
        ("The number of casks is 3.", None),
        ("Number 2 is right.", "B"),
        ("The correct option is 2.", "B"),
        ("The right answer is number 3", "C"),
    ],
)
def test_a_number_that_counts_something_else_is_no_option(text, answer) -> None:
    found = read(text, WARES)
    assert (found.answer if found.state == "answered" else None) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I agree that it is safe.", "Yes"),
        ("I do not agree that it is safe.", "No"),
        ("I agree that it is not safe.", None),
        ("I agree, it is not safe.", None),
        ("I do not agree that it is unsafe.", None),
    ],
)
def test_who_agrees_with_a_denial_says_neither_yes_nor_no(text, answer) -> None:
    assert read(text, YES_NO).answer == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("There is no doubt that this is Schizophrenia.", "Schizophrenia"),
        ("Nobody doubts that this is Schizophrenia.", "Schizophrenia"),
        (
            "There is no doubt that this is not Schizophrenia but Bipolar Disorder.",
            "Bipolar Disorder",
        ),
    ],
)
def test_what_is_not_doubted_is_not_denied(text, answer) -> None:
    assert read(text, MINDS).answer == answer


def test_who_supports_no_one_supports_no_target() -> None:
    target = ["favor", "against", "none"]
    assert read("The author supports the ban.", target).answer == "favor"
    assert read("The author supports no one.", target).answer != "favor"
