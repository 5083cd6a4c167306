"""Verdicts by a word of the same kind, by a line that judges, or behind a number."""

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from tests.reasoning_texts import rules

RELEVANT, COHERENT = ["relevant", "irrelevant"], ["coherent", "incoherent"]
CONSISTENT, BIASED = ["consistent", "inconsistent"], ["biased", "unbiased"]
OPEN, LOW = ["vulnerable", "not vulnerable"], ["depressed", "not depressed"]
YES_NO, PAPER = ["Yes", "No"], ["accept", "reject"]


def read(labels, text):
    found = read_announced(text, Choices.of(LabelSet.of(labels)), rules())
    return found.state, found.answer


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (RELEVANT, "The page is of direct relevance to what is asked.", "relevant"),
        (RELEVANT, "It has no relevance to roses.", "irrelevant"),
        (COHERENT, "The tale lacks coherence.", "incoherent"),
        (CONSISTENT, "There are several inconsistencies with the source.", "inconsistent"),
        (BIASED, "The notice shows a plain bias against the young.", "biased"),
        (BIASED, "I find no bias in it.", "unbiased"),
        (OPEN, "This parser has two vulnerabilities.", "vulnerable"),
        (OPEN, "Vulnerabilities: none.", "not vulnerable"),
        (OPEN, "A vulnerability could not be found.", "not vulnerable"),
        (LOW, "The diary shows no signs of depression.", "not depressed"),
        (["sincere", "sarcastic"], "The toast is full of sarcasm.", "sarcastic"),
        (PAPER, "I recommend that it be rejected.", "reject"),
        (PAPER, "In this form the paper cannot be accepted.", "reject"),
        (["granted", "denied"], "I would say: denying the motion is right.", "denied"),
        ([*YES_NO, "N/A"], "Not applicable, since no rent is due.", "N/A"),
    ],
)
def test_a_word_of_the_same_kind_is_the_member(labels, text, answer) -> None:
    assert read(labels, text) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (RELEVANT, "The relevance of the page is low."),
        (COHERENT, "There are problems with the coherence of the tale."),
        (CONSISTENT, "The summary consists of three sentences."),
        (OPEN, "Let me assess the vulnerability of this parser."),
        (["informed", "uninformed"], "The information is old."),
    ],
)
def test_what_measures_a_quality_does_not_affirm_it(labels, text) -> None:
    assert read(labels, text)[0] != "answered"


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (YES_NO, "final_answer: None\n\nreasoning: It gives no number.\n\ncorrect: no", "No"),
        (YES_NO, "final answer: Yes\nreasoning: The key says no.\nis_correct: no\nsure: 9", "No"),
        (YES_NO, "**answer:** 7\n**reasoning:** the same\n**correct:** yes", "Yes"),
        (YES_NO, "(2) NO: No fault is found.", "No"),
        (YES_NO, "1. Yes, the lock is missing.", "Yes"),
        (YES_NO, "True, the text calls it a lake.", "Yes"),
        (YES_NO, "Incorrect. It is a river.", "No"),
    ],
)
def test_a_line_that_judges_and_a_word_behind_a_number_are_the_verdict(
    labels, text, answer
) -> None:
    assert read(labels, text) == ("answered", answer)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("True friends would help.", "failed"),
        ("Wrong way round, I should say. Let me begin again.", "failed"),
    ],
)
def test_a_first_word_that_goes_on_is_no_verdict(text, state) -> None:
    assert read(YES_NO, text)[0] != "answered" or state == "answered"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: Y", "Yes"),
        ("N - nobody signed it.", "No"),
        ("Y\n\nExplanation: both parties signed.", "Yes"),
        ("I'd have to say no on this one.", "No"),
        ("I doubt it.", "No"),
        ("That is quite likely.", "Yes"),
        ("It is possible for a goat to climb a tree.", "Yes"),
        ("It is not possible to fold this map twelve times.", "No"),
        ("Looked at closely, the claim does not hold up.", "No"),
        ("Yup, that works.", "Yes"),
    ],
)
def test_yes_and_no_are_said_by_a_letter_and_in_other_words(text, answer) -> None:
    assert read(YES_NO, text) == ("answered", answer)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("No one knows.", "undecided"),
        ("Nobody really knows.", "undecided"),
        ("There is no definitive answer to it.", "undecided"),
        ("It is not possible to say without the deed.", "undecided"),
        ("I have to say no to this request.", "refused"),
        ("N-acetylcysteine", "outside"),
        ("F. Foster wrote the book.", "outside"),
    ],
)
def test_what_nobody_knows_what_is_declined_and_letters_of_names_are_no_answer(text, state) -> None:
    assert read(YES_NO, text)[0] == state


FACTS = ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (["True", "False"], "Answer: T", "True"),
        (["True", "False", "Unknown"], "F", "False"),
        (FACTS, "I don't have enough evidence to check this.", "NOT ENOUGH INFO"),
        (FACTS, "From these lines I cannot verify who built the bridge.", "NOT ENOUGH INFO"),
        (FACTS, "The text is unrelated to the claim.", "NOT ENOUGH INFO"),
    ],
)
def test_a_letter_for_the_truth_and_what_cannot_be_checked(labels, text, answer) -> None:
    assert read(labels, text) == ("answered", answer)
