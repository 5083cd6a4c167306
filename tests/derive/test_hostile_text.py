"""Texts made to be slow: four times the text takes four times the time, whatever it repeats."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from assay.derive.answers import is_correct, read_answer
from assay.derive.bias import read_bias
from assay.derive.steps import match_steps, reasoning_steps
from assay.derive.text import complexity, format_noise, normalize_text, split_thought, verbosity
from tests.reasoning_texts import psychiatry, readings

LENGTH, MEGABYTE = 100_000, 1_000_000
SOON = 0.1
"""seconds; even a square of so little is bearable for a megabyte, and too short to be compared"""
GROWTH = 9.0
"""a square grows sixteenfold, a line fourfold: room for a busy machine on both sides"""

REPEATED = [
    *("<think>", "</think>", "<", " ", ":", "diagnosis:", "no GAD, ", "- GAD\n", "I cannot "),
    *("I cannot x x x x ", "consult a ", "major ", "\u201c", "\u201e", '"', "```", ". "),
    *("\n>", "> ", "\u0130", "e\u0301", "\u200f\u05d0", "\U0001f600", "\ud800"),
]


def repeated(part: str, length: int) -> str:
    return (part * (length // len(part) + 1))[:length]


TEXTS: dict[str, Callable[[int], str]] = {
    **{repr(part): lambda length, part=part: repeated(part, length) for part in REPEATED},
    "one gap": lambda length: "major" + " " * length + "x",
    "one word": lambda length: "i cannot " + "x" * length,
    "many gaps": lambda length: repeated("i cannot" + " " * 2000, length),
    "open quotations": lambda length: repeated('"' + "a" * 50, length),
    "many signs": lambda length: repeated("".join(map(chr, range(0x2000, 0x3000))), length),
}


def read(text: str) -> None:
    for name in ("closed set, asserted mentions", "heuristic, reference order"):
        assert read_answer(text, readings()[name]).outcome in {"answered", "refused", "failed"}
    is_correct(text, "generalized anxiety disorder", psychiatry())
    read_bias(text, feature="black", label="GAD", text="split")


def measure(text: str) -> None:
    assert verbosity(text) >= 0
    assert 0 <= format_noise(text) <= 1
    complexity(text)
    normalize_text(text)
    split_thought(text, think="reference")
    steps = reasoning_steps(text, min_characters=0)
    match_steps([(steps, ["low mood and poor sleep"] * 10)])


def seconds(work: Callable[[str], None], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start


def grows_like_a_line(work: Callable[[str], None], made: Callable[[int], str]) -> bool:
    """Say whether four times the text takes far less than 16 times the time of the processor."""
    if seconds(work, made(LENGTH)) < SOON:
        return True
    # A space in front makes another text of it, so that nothing is remembered.
    whole = min(seconds(work, " " * n + made(LENGTH)) for n in (1, 2))
    quarter = min(seconds(work, " " * n + made(LENGTH // 4)) for n in (1, 2))
    return whole < GROWTH * quarter


@pytest.mark.parametrize("work", [read, measure])
@pytest.mark.parametrize("made", TEXTS.values(), ids=TEXTS)
def test_four_times_the_text_takes_about_four_times_the_time(work, made) -> None:
    assert grows_like_a_line(work, made)


@pytest.mark.parametrize("name", ["'<think>'", "'I cannot '", "'. '", "one gap", "many signs"])
def test_a_megabyte_is_read_and_measured(name) -> None:
    text = TEXTS[name](MEGABYTE)
    read(text)
    measure(text)


def test_what_grows_like_a_square_is_noticed() -> None:
    def square(text: str) -> None:
        for at in range(0, len(text), 20):
            sum(map(ord, text[at::20]))

    assert not grows_like_a_line(square, lambda length: "a" * length)
