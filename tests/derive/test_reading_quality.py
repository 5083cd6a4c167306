"""How well readings do on labelled texts of ours, and that the docs say so."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from assay.derive.answers import read_answer
from tests.reasoning_texts import (
    labelled_texts,
    psychiatry,
    quality,
    quality_table,
    readings,
)

DOCS = Path(__file__).parents[2] / "docs" / "reasoning.md"


def test_texts_are_many_distinct_and_of_three_languages() -> None:
    texts = labelled_texts()
    assert len(texts) >= 200
    assert len({each.text for each in texts}) == len(texts)
    assert Counter(each.language for each in texts).keys() == {"en", "de", "fr"}
    outcomes = Counter(each.outcome for each in texts)
    assert min(outcomes[each] for each in ("answered", "refused", "failed")) >= 10
    assert {each.outcome for each in texts} == {"answered", "refused", "failed"}


def test_labels_of_the_texts_fit_together() -> None:
    for each in labelled_texts():
        assert (each.answer is not None) is (each.outcome == "answered"), each.id
    inside = [x for x in labelled_texts() if x.answer and psychiatry().named(x.answer)]
    assert len(inside) >= 100


@pytest.mark.parametrize(
    ("part", "reading", "refusals", "answers"),
    [
        ("rules", "announced", (0.97, 0.97), (0.97, 0.97)),
        ("fresh", "announced", (0.95, 0.95), (0.95, 0.95)),
        ("rules", "closed set", (1.0, 0.95), (0.80, 0.80)),
        ("rules", "closed set, asserted mentions", (1.0, 0.95), (0.95, 0.95)),
        ("rules", "heuristic", (1.0, 0.95), (0.95, 0.90)),
        ("fresh", "closed set", (1.0, 0.70), (0.75, 0.85)),
        ("fresh", "closed set, asserted mentions", (1.0, 0.70), (0.90, 0.95)),
    ],
)
def test_readings_do_no_worse_than_they_did(part, reading, refusals, answers) -> None:
    found = quality(readings()[reading], part)
    assert found.n_rightly_called_refused >= refusals[0] * found.n_called_refused
    assert found.n_rightly_called_refused >= refusals[1] * found.n_refused
    assert found.n_rightly_read >= answers[0] * found.n_read
    assert found.n_rightly_read >= answers[1] * found.n_answered


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    chosen = [each for each in labelled_texts() if each.kind in kinds]
    return pytest.mark.parametrize("each", chosen, ids=[each.id for each in chosen])


@of_kind("short refusal")
def test_short_refusals_are_no_answers(each) -> None:
    found = read_answer(each.text, readings()["closed set"])
    assert found.answer is None
    assert found.outcome == "refused" or each.part == "fresh"


@of_kind("disclaimer after", "Hinweis danach", "réserve après")
def test_disclaimers_after_an_answer_are_no_refusals(each) -> None:
    found = read_answer(each.text, readings()["closed set"])
    assert (found.outcome, found.answer) == ("answered", each.answer)


@pytest.mark.parametrize("part", ["rules", "fresh"])
def test_docs_state_the_measured_precision_and_recall(part) -> None:
    assert quality_table(part) in DOCS.read_text(encoding="utf-8")
