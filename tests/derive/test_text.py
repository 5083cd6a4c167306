"""Texts taken apart and measured."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.text import (
    Thought,
    beyond_ascii,
    complexity,
    format_noise,
    has_words,
    n_words,
    normalize_text,
    said,
    split_thought,
    verbosity,
    whole_output,
)
from tests import reasoning_oracles as oracles


@given(st.text())
def test_normalization_is_the_one_of_the_seed(text) -> None:
    assert normalize_text(text) == oracles.normalize_text(text)


@given(st.text())
def test_normalization_is_idempotent(text) -> None:
    once = normalize_text(text)
    assert normalize_text(once) == once


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Low MOOD; (two weeks)!", "low mood two weeks"),
        ("naïve café", "nai ve cafe"),
        ("patient's", "patient s"),
        ("well-being snake_case", "well-being snake_case"),
        ("ﬁne ²", "fine 2"),
        ("a\u00a0b\tc\n", "a b c"),
        ("", ""),
        ("!?", ""),
    ],
)
def test_normalization_by_hand(text, wanted) -> None:
    assert normalize_text(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("no block", Thought("no block", None, closed=True)),
        ("<think>a</think>b", Thought("b", "a", closed=True)),
        ("<THINK>a</Think>b", Thought("b", "a", closed=True)),
        ("<thinking>a</thinking>b", Thought("b", "a", closed=True)),
        ("<think >a</think\n>b", Thought("b", "a", closed=True)),
        ("x<think>a", Thought("x", "a", closed=False)),
        ("a</think>b", Thought("b", "a", closed=True)),
        ("<think>a<think>b</think>c", Thought("c", "a<think>b", closed=True)),
        ("<think>a</think>b<think>c</think>d", Thought("bd", "a", closed=True)),
        ("<think>a</think>b<think>c", Thought("b", "a", closed=False)),
        ("<think></think>b", Thought("b", "", closed=True)),
        ("<think>a</think><content>b</CONTENT>", Thought("b", "a", closed=True)),
        ("<think>a</think>b</think>", Thought("b", "a", closed=True)),
        ("<think>a</think>b</think>c", Thought("c", "a", closed=True)),
        ("<think>a<content>b</content>", Thought("b", "a", closed=True)),
        ("[THINK]a[/THINK]b", Thought("b", "a", closed=True)),
        ("\u25c1think\u25b7a\u25c1/think\u25b7b", Thought("b", "a", closed=True)),
        ("<|begin_of_thought|>a<|end_of_thought|>b", Thought("b", "a", closed=True)),
        ("<reasoning>a</reasoning>b", Thought("b", "a", closed=True)),
        ("<|channel>thought\na<channel|>b", Thought("b", "a", closed=True)),
        ("<|channel>thought\na", Thought("", "a", closed=False)),
        ("<analysis>a</analysis>b", Thought("b", "a", closed=True)),
        ("<think>a</think><reflection>b</reflection>c", Thought("c", "a", closed=True)),
        ("<analysis>a</analysis>", Thought("<analysis>a</analysis>", None, closed=True)),
        (
            "<think>a <answer>b</answer>",
            Thought("<answer>b</answer>", "a", closed=True),
        ),
        (
            "<|channel|>analysis<|message|>a<|end|><|channel|>final<|message|>b",
            Thought("b", "a<|end|>", closed=True),
        ),
        ("<|channel|>analysis<|message|>a", Thought("", "a", closed=False)),
        ("<|channel|>odd", Thought("", "<|channel|>odd", closed=False)),
        ("analysisaassistantfinalb", Thought("b", "a", closed=True)),
        ("<thinker>a", Thought("<thinker>a", None, closed=True)),
        ("", Thought("", None, closed=True)),
    ],
)
def test_think_blocks_are_taken_out(text, wanted) -> None:
    assert split_thought(text) == wanted
    assert said(text) == wanted.said


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<think>a</think>b<think>c</think>d", Thought("bd", "a", closed=True)),
        ("<THINK>a</THINK>b", Thought("<THINK>a</THINK>b", None, closed=True)),
        ("<think>a", Thought("<think>a", None, closed=True)),
        ("a</think>b", Thought("a</think>b", None, closed=True)),
    ],
)
def test_reference_takes_out_closed_blocks_in_small_letters_only(text, wanted) -> None:
    assert split_thought(text, think="reference") == wanted


@given(st.text(st.sampled_from("ab<>/ ")), st.sampled_from(["<think>", "</think>", "<THINK>"]))
def test_nothing_said_holds_a_whole_block(text, tag) -> None:
    parts = split_thought(text + tag + text)
    assert "<think>" not in parts.said.lower()
    assert "</think>" not in parts.said.lower()
    assert parts.thought is not None


def test_verbosity_counts_words_and_think_blocks() -> None:
    assert n_words("<think>a b</think> c") == 3
    assert n_words("a\u2003b") == 2
    assert verbosity("") == 0.0
    assert verbosity("a " * 99) == 2.0


def test_format_noise_is_the_share_beyond_ascii() -> None:
    assert format_noise("plain") == 0.0
    assert format_noise("ä😀ab") == 0.5
    assert format_noise("\ud800a") == 0.5  # half a surrogate pair, as broken JSON holds it
    assert math.isnan(format_noise(""))


def test_complexity_by_hand() -> None:
    # 50 words, 2 lines, nothing else: 50/250 + 0.5 * 2/25.
    assert complexity("word " * 25 + "\n\n" + "word " * 25) == pytest.approx(0.2 + 0.04)
    # One of ten characters is not ASCII, but Latin: 5 * 0.1.
    assert complexity("abcdefghé ") == pytest.approx(1 / 250 + 0.02 + 5 / 9)
    # A think block adds a quarter; its words count, its lines do not.
    assert complexity("<think>a\nb</think>c") == pytest.approx(2 / 250 + 0.02 + 0.25)
    # Thought only: nothing is said, so there are no lines and no shares.
    assert complexity("<think>дом") == pytest.approx(1 / 250 + 0.25)
    # Two of four letters are not Latin.
    assert complexity("ab дй") == pytest.approx(2 / 250 + 0.02 + 1.0 + 1.0)
    # Signs that are no letters have no script.
    assert complexity("abcdefghi→") == pytest.approx(1 / 250 + 0.02 + 0.5)


@pytest.mark.parametrize("text", ["<think>a</think>b", "<THINK>a", "a</think>b"])
def test_complexity_of_the_reference_asks_for_a_tag_of_a_thought_alone(text) -> None:
    words = len(text.split())
    assert complexity(text, think="reference") == pytest.approx(words / 250 + 0.02 + 0.25)
    # What is not taken out of the text has lines and letters of its own.
    assert complexity("<THINK>\n日本", think="reference") > complexity("<THINK>\n日本") + 0.25
    assert complexity("[THINK]a", think="reference") == pytest.approx(1 / 250 + 0.02)


def test_complexity_is_at_most_three_and_undefined_for_nothing() -> None:
    assert complexity("<think>x</think>" + "дом дом\n" * 500) == 3.0
    assert math.isnan(complexity(" \n"))


@given(st.text())
def test_complexity_lies_between_zero_and_three(text) -> None:
    mark = complexity(text)
    assert math.isnan(mark) or 0.0 <= mark <= 3.0


@given(st.text(st.characters() | st.sampled_from(" \t\n\x1c\x85\xa0\u2003\u3000ab"), max_size=30))
def test_words_are_what_white_space_separates(text) -> None:
    n = len(text.split())
    assert n_words(text) == n
    assert [has_words(text, each) for each in range(n + 3)] == [each <= n for each in range(n + 3)]


@given(st.text(max_size=20))
def test_what_lies_beyond_ascii_is_found_in_order(text) -> None:
    assert beyond_ascii(text) == "".join(sign for sign in text if ord(sign) > 127)


def test_noise_is_a_share_without_rounding() -> None:
    assert format_noise("ab…") == 1 / 3


@pytest.mark.parametrize(
    ("text", "beside", "wanted"),
    [
        ("b", {"reasoning": "a"}, "<think>a</think>\nb"),
        ("<think>c</think>b", {"reasoning": "a"}, "<think>c</think>b"),
        ("b", {"reasoning": " "}, "b"),
        ("a, so", {"prompt": "Why?\n<think>\n"}, "<think>a, so"),
        ("<think>a", {"prompt": "Why?\n<think>"}, "<think>a"),
        ("a</think>b", {"prompt": "<thinking>"}, "<think>a</think>b"),
        ("b", {"prompt": "Why?"}, "b"),
        ("b", {}, "b"),
    ],
)
def test_a_thought_beside_the_text_is_put_before_it(text, beside, wanted) -> None:
    assert whole_output(text, **beside) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("## Thinking\n\nIs it oak? Or elm?\n\n## Final Response\n\nIt is oak.", "It is oak."),
        ("**Thought Process:**\nElm?\n\n**Final Answer**\nB", "B"),
        ("<|im_start|>think\nElm? No.\n<|im_start|>answer\nOak", "Oak"),
        ("Elm? No.\n<|im_start|>answer\nOak", "Oak"),
        ("<|im_start|>think\nElm? No.", ""),
    ],
)
def test_thoughts_below_a_heading_or_between_marks_of_a_turn_are_none_of_what_is_said(
    text: str, said: str
) -> None:
    assert split_thought(text).said == said


@pytest.mark.parametrize(
    "text",
    [
        "## Thinking\n\nIs it oak? The answer is B",
        "## Reasoning\n\nElm is out.\n\n## Final Answer\n\nB",
        "Thinking about it, oak.\n\n## Answer\nB",
    ],
)
def test_what_has_no_such_headings_is_said(text: str) -> None:
    assert split_thought(text).said == text
