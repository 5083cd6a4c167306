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
YES_NO, PAPER, RIGHT = ["Yes", "No"], ["accept", "reject"], ["Correct", "Incorrect"]
FACTS = ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]


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
    ("labels", "text", "answer"),
    [
        (YES_NO, "final_answer: None\n\nreasoning: It gives no number.\n\ncorrect: no", "No"),
        (YES_NO, "final answer: Yes\nreasoning: The key says no.\nis_correct: no\nsure: 9", "No"),
        (YES_NO, "**answer:** 7\n**reasoning:** the same\n**correct:** yes", "Yes"),
        (YES_NO, "(2) NO: No fault is found.", "No"),
        (YES_NO, "1. Yes, the lock is missing.", "Yes"),
        (YES_NO, "True, the text calls it a lake.", "Yes"),
        (YES_NO, "Incorrect. It is a river.", "No"),
        (YES_NO, "Answer: Y", "Yes"),
        (YES_NO, "N - nobody signed it.", "No"),
        (YES_NO, "Y\n\nExplanation: both parties signed.", "Yes"),
        (YES_NO, "I'd have to say no on this one.", "No"),
        (YES_NO, "I doubt it.", "No"),
        (YES_NO, "It's a no from me.", "No"),
        (YES_NO, "I can't be sure, but probably yes.", "Yes"),
        (YES_NO, "Hard no.", "No"),
        (YES_NO, "All that was found points to yes.", "Yes"),
        (YES_NO, "Per the minutes, she wasn't.", "No"),
        (["True", "False"], "Fiction.", "False"),
        (FACTS, "The claim is contradicted by the second page.", "REFUTES"),
        (FACTS, "The evidence backs up the claim.", "SUPPORTS"),
        (["entailment", "neutral", "contradiction"], "The hypothesis may be true.", "neutral"),
        (["Assistant A", "Assistant B"], "B is better.", "Assistant B"),
        (["Reply 1", "Reply 2", "Tie"], "Both are bad.", "Tie"),
        (["Reply 1", "Reply 2", "Tie"], "They are about the same.", "Tie"),
        (YES_NO, "That is quite likely.", "Yes"),
        (YES_NO, "It is possible for a goat to climb a tree.", "Yes"),
        (YES_NO, "It is not possible to fold this map twelve times.", "No"),
        (YES_NO, "Looked at closely, the claim does not hold up.", "No"),
        (YES_NO, "Yup, that works.", "Yes"),
        (["True", "False"], "Answer: T", "True"),
        (["True", "False", "Unknown"], "F", "False"),
        (FACTS, "I don't have enough evidence to check this.", "NOT ENOUGH INFO"),
        (FACTS, "From these lines I cannot verify who built the bridge.", "NOT ENOUGH INFO"),
        (FACTS, "The text is unrelated to the claim.", "NOT ENOUGH INFO"),
        (RIGHT, "The reference answer is Oslo. I'd consider this correct.", "Correct"),
        (RIGHT, "The expected answer is 12. The pupil wrote 21. This is incorrect.", "Incorrect"),
        (
            YES_NO,
            "He is of age but has no seat here. So he does not qualify.\n\nConfidence: 90%",
            "No",
        ),
        (YES_NO, "The claim fails.\n**Certainty:** high", "No"),
        (
            RELEVANT,
            "Query: how to prune figs\nPassage: when to mow\nIt is no help. Irrelevant.",
            "irrelevant",
        ),
    ],
)
def test_lines_letters_and_other_words_give_the_verdict_beside_what_is_repeated(
    labels, text, answer
) -> None:
    assert read(labels, text) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text", "states"),
    [
        (RELEVANT, "The relevance of the page is low.", {"failed", "outside", "undecided"}),
        (
            COHERENT,
            "There are problems with the coherence of the tale.",
            {"failed", "outside", "undecided"},
        ),
        (
            CONSISTENT,
            "The summary consists of three sentences.",
            {"failed", "outside", "undecided"},
        ),
        (
            OPEN,
            "Let me assess the vulnerability of this parser.",
            {"failed", "outside", "undecided"},
        ),
        (["informed", "uninformed"], "The information is old.", {"failed", "outside", "undecided"}),
        (YES_NO, "No one knows.", {"undecided"}),
        (YES_NO, "I would not say yes.", {"undecided", "failed", "outside"}),
        (YES_NO, "This is too delicate for me to judge.", {"refused"}),
        (YES_NO, "Nobody really knows.", {"undecided"}),
        (YES_NO, "There is no definitive answer to it.", {"undecided"}),
        (YES_NO, "It is not possible to say without the deed.", {"undecided"}),
        (YES_NO, "I have to say no to this request.", {"refused"}),
        (YES_NO, "N-acetylcysteine", {"outside"}),
        (YES_NO, "F. Foster wrote the book.", {"outside"}),
    ],
)
def test_measures_what_nobody_knows_what_is_declined_and_names_are_no_answer(
    labels, text, states
) -> None:
    assert read(labels, text)[0] in states


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (["low", "medium", "high"], "My rating stands.\nCertainty: high", ("answered", "high")),
        (YES_NO, "Some consider it wrong, and others call it right.", ("failed", None)),
        (
            YES_NO,
            "Yes.\n\nQuestion: Is it late?\nPassage: The sun is up.\nNo.",
            ("answered", "Yes"),
        ),
        (RIGHT, "I would not call this correct.", ("answered", "Incorrect")),
    ],
)
def test_a_level_that_is_asked_for_and_another_question_are_told_from_these(
    labels, text, expected
) -> None:
    assert read(labels, text) == expected
