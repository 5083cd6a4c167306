"""One text under every reading: the short ways of the judge change nothing."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.answers import ReadingRules, is_correct, read_answer
from assay.derive.judging import LONGEST, Judge
from assay.derive.labels import LabelSet
from assay.families.reasoning.options import ReasoningOptions
from assay.sources.labels import shipped_labels, shipped_rules
from tests.reasoning_texts import labelled_texts

LABELS, RULES = LabelSet(shipped_labels()), shipped_rules()
PIECES = (
    "I cannot diagnose you",
    "Please consult a doctor.",
    "Diagnosis: MDD",
    "Final diagnosis:",
    "no evidence of schizophrenia",
    "bipolar",
    '"I cannot say"',
    "<think>",
    "</think>",
    "flu",
    ".\n",
    "but",
)
CHOICES = [
    {},
    {"mentions": "asserted"},
    {"boundaries": "substring", "several": "last"},
    {"refusal_order": "reference"},
    {"boundaries": "verbatim", "several": "first"},
    {"boundaries": "substring", "mentions": "asserted"},
]


@cache
def prepared(options):
    """Return the judge, and every reading by itself."""
    chosen = ReasoningOptions(**dict(options)).texts
    alone = {}
    for reading in ("announced", "closed-set", "heuristic", *chosen.variants):
        changed = dict([chosen.variants[reading]] if reading in chosen.variants else [])
        kind = "closed-set" if changed else reading
        alone[reading] = ReadingRules(RULES, LABELS, kind, **{**chosen.extraction(), **changed})
    return Judge(LABELS, RULES, chosen), alone


def agrees(text, options):
    """Compare with every reading asked for by itself."""
    judge, alone_by = prepared(tuple(options.items()))
    found = judge.read(text)
    for reading, outcome in found.outcomes.items():
        alone = read_answer(text, alone_by[reading])
        assert outcome == alone.outcome, text
        if outcome != "refused":
            assert found.answers[reading] == alone.answer, text


@pytest.mark.parametrize("options", CHOICES, ids=str)
@given(text=st.lists(st.sampled_from(PIECES), max_size=7).map(" ".join))
def test_each_reading_is_what_it_is_alone(options, text):
    agrees(text, options)


@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_each_reading_of_the_labelled_texts_is_what_it_is_alone(options):
    for each in labelled_texts():
        agrees(each.text, options)


@pytest.mark.parametrize("options", CHOICES, ids=str)
@given(text=st.lists(st.sampled_from(PIECES), max_size=7).map(" ".join))
def test_without_tags_the_labels_mentioned_are_those_that_the_text_names(options, text):
    plain = text.replace("<", "").replace(">", "")
    found = prepared(tuple({**options, "boundaries": "words"}.items()))[0].read(plain)
    named = [each.name for each in LABELS.labels if is_correct(plain, each.name, LABELS)]
    assert sorted(found.mentioned) == sorted(named)


def test_a_very_long_answer_is_cut():
    found = Judge(LABELS, RULES, ReasoningOptions().texts).read("xy" * 2500)
    readings = ("announced", "closed-set", "heuristic", *ReasoningOptions().texts.variants)
    assert found.answers == dict.fromkeys(readings, "xy" * (LONGEST // 2))
    assert found.shown == "xy" * (LONGEST // 2)


def test_every_other_choice_is_read_beside_the_one_that_was_made():
    how = ReasoningOptions(reading="closed-set", boundaries="substring").texts
    found = Judge(LABELS, RULES, how).read("It is a cold. Diagnosis: MDD")
    others = ["first", "last", "asserted", "words"]
    assert [*found.answers] == ["announced", "closed-set", "heuristic", *others]
    assert found.shown == found.answers["closed-set"] == "Major Depressive Disorder"


def test_a_case_is_read_by_its_own_options_and_those_of_a_row_come_first():
    choices = {"q1": LabelSet.of_options({"A": "oak", "B": "elm"})}
    judge = Judge(LABELS, RULES, ReasoningOptions().texts, choices)
    text = "The answer is elm."
    assert judge.of_case("q2") is judge
    assert judge.of_case("q1").read(text).answers["announced"] == "B"
    assert judge.of_case("q1", {"A": "elm", "B": "yew"}).read(text).answers["announced"] == "A"
    assert judge.of_case("q1") is judge.of_case("q1")


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, "words"),
        ({"boundaries": "substring"}, "substring"),
        ({"refusal_order": "reference"}, "words"),
        ({"preset": "reference"}, "verbatim"),
    ],
)
def test_the_reference_compares_names_as_they_are_written(options, wanted) -> None:
    assert ReasoningOptions(**options).texts.compared == wanted
