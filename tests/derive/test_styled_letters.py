"""Letters of options in full width, in circles, of emoji and of mathematics."""
# ruff: noqa: RUF001 - these letters are what the tests are about

from __future__ import annotations

import pytest

from assay.derive.answers import ReadingRules, read_answer
from assay.derive.labels import LabelSet
from assay.sources.labels import shipped_rules

EXAM = LabelSet.of_options({"A": "oak", "B": "elm", "C": "yew"})


def read(text: str, labels: LabelSet = EXAM) -> tuple[str | None, str | None]:
    found = read_answer(text, ReadingRules(shipped_rules(), labels, "announced"))
    return found.state, found.answer


@pytest.mark.parametrize(
    "text",
    [
        "Ｂ",
        "（Ｂ）",
        "答案：Ｂ",
        "答えはＢです。",
        "Answer: Ｂ",
        "Oak would be softer, so the answer is 𝐁.",
        "Ⓑ",
        "🅱",
        "The right one is ⓑ.",
        "Ａ is softer. The answer is Ｂ.",
    ],
)
def test_a_letter_of_another_type_is_the_letter(text):
    assert read(text) == ("answered", "B")


def test_the_span_is_that_of_the_letter_as_it_was_written():
    found = read_answer("So the answer is 𝐁.", ReadingRules(shipped_rules(), EXAM, "announced"))
    assert found.span == (17, 18)


@pytest.mark.parametrize("text", ["Ｄ", "Ⓩ", "It is a ＴＶ set."])
def test_other_letters_and_words_are_no_option(text):
    assert read(text)[0] != "answered"


def test_names_with_such_letters_stay_as_they_are():
    labels = LabelSet.of_options({"A": "Ｂ型", "B": "Ａ型"})
    assert read("Ａ型です。", labels) == ("answered", "B")
    assert read("The answer is Ｂ型.", labels) == ("answered", "A")
