"""Texts made to be slow are read with a bounded amount of work, whatever they repeat."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from assay.derive.answers import (
    OUTCOMES,
    ReadingRules,
    announced_answer,
    is_correct,
    read_answer,
)
from assay.derive.bias import read_bias
from assay.derive.labels import LabelSet
from assay.derive.steps import match_steps, reasoning_steps
from assay.derive.text import complexity, format_noise, normalize_text, split_thought, verbosity
from tests.reasoning_texts import psychiatry, readings, rules

LENGTH, LONG = 20_000, 200_000
MOST_WORK = 5.0
"""seconds of the processor, a hard limit: such a text takes a tenth of one, its square far more;
how the time grows is measured by `make bench`, on longer texts"""

REPEATED = [
    *("<think>", "</think>", "<", " ", ":", "diagnosis:", "no GAD, ", "- GAD\n", "I cannot "),
    *("I cannot x x x x ", "consult a ", "major ", "\u201c", "\u201e", '"', "```", ". "),
    *(
        "the answer is ",
        "answer: ",
        "(A) ",
        "A\n",
        "\\boxed{",
        "####",
        "\nQ: ",
        "yes and no ",
        "GAD or ",
    ),
    *(
        "<|channel|>",
        "<content>",
        "GAD is not ",
        "so GAD (",
        "I choose ",
        "**",
        "\u7b54\u6848",
        "{",
        "wait ",
    ),
    *("8 hours ", "\n>", "> ", "\u0130", "e\u0301", "\u200f\u05d0", "\U0001f600", "\ud800"),
]


ANNOUNCED = [
    ReadingRules(rules(), labels, "announced")
    for labels in (
        psychiatry(),
        LabelSet.of_options(["GAD", "3", "a combination", "both A and B"]),
        LabelSet.of(["Yes", "No"]),
        LabelSet.of(["8 hours", "9 hours"]),
    )
]


def repeated(part: str, length: int) -> str:
    return (part * (length // len(part) + 1))[:length]


TEXTS: dict[str, Callable[[int], str]] = {
    **{repr(part): lambda length, part=part: repeated(part, length) for part in REPEATED},
    "one gap": lambda length: "major" + " " * length + "x",
    "one word": lambda length: "i cannot " + "x" * length,
    "many gaps": lambda length: repeated("i cannot" + " " * 2000, length),
    "many lines": lambda length: "GAD" + "\n" * length + "PTSD",
    "capitals": lambda length: "A" * length + " is the likely diagnosis",
    "open brackets": lambda length: "(" * length + "* GAD",
    "open quotations": lambda length: repeated('"' + "a" * 50, length),
    "instruction": lambda length: "Answer with yes or no" + "*" * length + "x",
    "another name": lambda length: "GAD aka " + "'" * length + " x PTSD",
    "many signs": lambda length: repeated("".join(map(chr, range(0x2000, 0x3000))), length),
}


def read(text: str) -> None:
    for name in ("closed set, asserted mentions", "heuristic, reference order"):
        assert read_answer(text, readings()[name]).outcome in {"answered", "refused", "failed"}
    for how in ANNOUNCED:
        assert announced_answer(text, how).state in OUTCOMES
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


class TooMuchWorkError(Exception):
    """The limit was reached."""


@contextmanager
def limited(seconds: float = MOST_WORK) -> Iterator[None]:
    """Stop after so much work of this process, however busy the machine is."""

    def stop(*_: object) -> None:
        raise TooMuchWorkError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("work", [read, measure])
@pytest.mark.parametrize("made", TEXTS.values(), ids=TEXTS)
def test_a_long_text_is_a_bounded_amount_of_work(work, made) -> None:
    with limited():
        work(made(LENGTH))


@pytest.mark.parametrize("name", ["'<think>'", "'I cannot '", "'. '", "one gap", "many signs"])
def test_a_very_long_text_is_read_and_measured(name) -> None:
    text = TEXTS[name](LONG)
    with limited(3 * MOST_WORK):
        read(text)
        measure(text)


def test_many_names_in_one_sentence_are_a_bounded_amount_of_work() -> None:
    with limited():
        assert announced_answer(repeated("8 hours ", LONG), ANNOUNCED[-1]).answer == "8 hours"


def test_what_never_ends_is_stopped() -> None:
    with pytest.raises(TooMuchWorkError), limited(0.01):
        re.search(r"(a|a)*b", "a" * 64)
