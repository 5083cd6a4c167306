"""Literals and initials looked for in a text: both forms give what a loop over all places gives."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay._kernels.literal_form import Literals
from tests.engines import FORMS

ALPHABET = "ab1 .-\u00e9\u75c7\U0001f600\ud800"
names = st.text(st.sampled_from("ab1 \u00e9\u75c7"), min_size=1, max_size=4)
texts = st.text(st.sampled_from(ALPHABET), max_size=40)


def by_hand(text, literals, edges):
    found = []
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            for number, literal in enumerate(literals):
                if text[start:end] == literal:
                    sides = [text[start - 1 : start] if start else "", text[end : end + 1]]
                    beside = "".join(
                        s for s, edge in zip(sides, edges[number], strict=True) if edge
                    )
                    glued = any(sign.isascii() and sign.isalnum() for sign in beside)
                    found.append(
                        (start, end, number, 1 if glued else 0 if beside.isascii() else -1)
                    )
    return found


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(data=st.data())
def test_literals_stand_where_a_loop_finds_them(form, data) -> None:
    literals = data.draw(st.lists(names, max_size=6, unique=True))
    n = len(literals)
    edges = data.draw(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=n, max_size=n))
    text = data.draw(texts)
    assert form.literal_places(text, Literals(literals, edges)) == by_hand(text, literals, edges)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ""),
        ("of a major depressive-disorder, and more", ".mddm"),
        ("the12345 x_y2k of 4444", "t..4"),
        ("\x00abcd\x7fabcd", "aa"),
    ],
)
def test_initials_are_those_of_longer_words(form, text, wanted) -> None:
    assert form.initials(text) == wanted


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(text=st.text(st.sampled_from("  a\u00e9\n"), max_size=30))
def test_of_spaces_in_a_row_one_stays(form, text) -> None:
    single, places, skipped = form.single_spaced(text)
    assert single == re.sub("  +", " ", text)
    gaps = [*re.finditer("  +", text)]
    counts = [len(each[0]) - 1 for each in gaps]
    assert skipped == [sum(counts[:n]) for n in range(len(gaps) + 1)]
    before = zip(gaps, skipped, strict=False)
    assert places == [each.start() - up_to for each, up_to in before]


@given(text=st.text(st.sampled_from("ofandthe 1_-\n"), max_size=30))
def test_initials_are_the_same_in_both_forms(text) -> None:
    assert len({form.initials(text) for form in FORMS.values()}) == 1


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(words=st.lists(st.text(st.sampled_from("abz09"), min_size=1, max_size=3), max_size=2000))
def test_distinct_words_are_what_stands_between_other_signs(form, words) -> None:
    text = " ".join(words).replace(" ", ". ", 1)
    assert form.distinct_words(f"{text}_\x7f") == frozenset(words)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(data=st.data())
def test_a_text_holds_a_literal_where_one_has_a_place(form, data) -> None:
    literals = data.draw(st.lists(names, max_size=6, unique=True))
    sought = Literals(literals, [(False, False)] * len(literals))
    text = data.draw(texts)
    assert form.holds_literal(text, sought) is bool(form.literal_places(text, sought))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(text=st.text(st.sampled_from("abA1_ .\u00e9\U0001f600"), max_size=30))
def test_a_lone_letter_touches_no_letter_and_no_digit_of_ascii(form, text) -> None:
    sides = [(each, f" {text}"[at], f"{text} "[at + 1]) for at, each in enumerate(text)]
    alone = [
        at
        for at, (each, *beside) in enumerate(sides)
        if each in "abA" and not {*beside} & {*"abA1"}
    ]
    assert form.lone_letters(text) == alone
