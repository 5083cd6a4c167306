"""Text from outside: what leaves is printable, short enough, and one part of a path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.showing import LONGEST_FILE_NAME, counted, file_name, inert, quoted, shortened

texts = st.text(st.characters(), max_size=300)


@given(texts, st.integers(1, 80))
def test_a_shortened_text_is_a_start_of_it(text, most):
    short = shortened(text, most)
    assert len(short) <= most
    assert short == text or text.startswith(short.removesuffix("…"))


def test_a_family_of_emoji_is_cut_whole():
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    assert shortened(family * 3, 9) == f"{family}…"
    assert shortened("e\N{COMBINING ACUTE ACCENT}" * 4, 4) == "e\N{COMBINING ACUTE ACCENT}…"


@given(st.one_of(texts, st.integers(), st.lists(texts, max_size=3)))
def test_a_quoted_value_is_printable_and_short(value):
    assert quoted(value).isprintable()
    assert len(quoted(value)) <= 60


def test_an_integer_beyond_what_python_writes_is_quoted_in_words():
    assert quoted(10**10_000) == "a number with thousands of digits"


@given(texts)
def test_inert_text_is_printable_and_plain_text_stays(text):
    assert inert(text).isprintable()
    assert inert(inert(text)) == inert(text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gpt-4.1 mini", "gpt-4.1 mini"),
        ("модель", "модель"),
        ("a/b", "a%2Fb"),
        ("a%2Fb", "a%252Fb"),
        ("a\\b", "a%5Cb"),
        (".hidden", "%2Ehidden"),
        ("ends.", "ends%2E"),
        ("a\x1bb", "a%1Bb"),
        ("NUL", "%4EUL"),
        ("com1.json", "%63om1.json"),
        ("\ud800", "%ED%A0%80"),
    ],
)
def test_names_as_parts_of_a_path(name, expected):
    assert file_name(name) == expected


@given(st.lists(texts, min_size=2, max_size=2, unique=True))
def test_encoded_names_differ_as_before_and_stay_in_their_folder(names):
    one, other = map(file_name, names)
    assert one != other
    assert not set("/\\:\0") & set(one + other)
    assert one not in {".", ".."}
    assert len(one.encode()) <= LONGEST_FILE_NAME


def test_one_thing_is_counted_without_an_s():
    assert [counted(n, "participant") for n in (0, 1, 2)] == [
        "0 participants",
        "1 participant",
        "2 participants",
    ]
    assert counted(1, "class", "classes") == "1 class"
    assert counted(12345, "vignette") == "12,345 vignettes"
