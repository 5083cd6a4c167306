"""Steps of reasoning: where the reasoning stands in a text, its sentences, and which steps meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay import _kernels as kernels
from assay.columns import proportion
from assay.derive import patterns as re
from assay.derive.text import has_words, normalize_text, split_thought

if TYPE_CHECKING:
    from assay.columns import Array, Indices

StepBlock = Literal["think-first", "think-closed", "markers-else-whole", "markers"]
"""Where the reasoning stands: see `reasoning_block`."""
Assignment = Literal["greedy", "optimal"]
"""Who gets a gold step that several steps meet: see `match_steps`."""

_REASONING = re.compile(r"reasoning:", re.IGNORECASE | re.ASCII)
_DIAGNOSIS = re.compile(r"diagnosis:", re.IGNORECASE | re.ASCII)
_OPENED = re.compile(r"<think>", re.IGNORECASE | re.ASCII)
_CLOSED = re.compile(r"</think>", re.IGNORECASE | re.ASCII)
_SENTENCE_END = re.compile(r"[.!?]\s+")
Case = tuple[Sequence[str], Sequence[str]]
"""The steps of the model and the gold steps."""


def reasoning_block(text: str, *, block: StepBlock = "think-first") -> str:
    """Return the part of a text that reasons; empty where the convention finds none.

    ``think-first``: the first think block, in any case and closed or not; else what stands between
    the first "reasoning:" and the first "diagnosis:", nothing if they come in the other order;
    else what stands before "diagnosis:"; else the whole text. ``think-closed``: the same, and only
    a block that opens and closes is one. ``markers-else-whole``: between the
    markers if both are there in order, else the whole text. ``markers``: between the markers, else
    nothing.

    Examples
    --------
    >>> reasoning_block("REASONING: low mood. DIAGNOSIS: depression")
    ' low mood. '
    >>> reasoning_block("Diagnosis: flu. Reasoning: fever.")
    ''
    """
    thinks = block.startswith("think")
    if thinks and (thought := _thought(text, closed=block == "think-closed")) is not None:
        return thought
    reasoning, diagnosis = _REASONING.search(text), _DIAGNOSIS.search(text)
    ordered = reasoning and diagnosis and reasoning.start() < diagnosis.start()
    if reasoning and diagnosis and ordered:
        return text[reasoning.end() : diagnosis.start()]
    if block == "markers" or (thinks and reasoning and diagnosis):
        return ""
    if thinks and diagnosis:
        return text[: diagnosis.start()]
    return text


def _thought(text: str, *, closed: bool) -> str | None:
    if not closed:
        return split_thought(text).thought
    opened = _OPENED.search(text)
    closing = _CLOSED.search(text, opened.end()) if opened else None
    return text[opened.end() : closing.start()].strip() if opened and closing else None


def split_steps(block: str, *, min_tokens: int = 20, min_characters: int = 20) -> list[str]:
    """Split reasoning into sentences.

    A block of fewer than `min_tokens` words has no steps; a sentence counts if it is longer than
    `min_characters`. Sentences end at a full stop, exclamation or question mark before white
    space; the last one keeps its mark.

    Examples
    --------
    >>> split_steps("Too short to count. But this one is long enough. And this? No.", min_tokens=3)
    ['But this one is long enough']
    """
    if not has_words(block, min_tokens):
        return []
    pieces = (piece.strip() for piece in _SENTENCE_END.split(block))
    return [piece for piece in pieces if len(piece) > min_characters]


def reasoning_steps(
    text: str, *, block: StepBlock = "think-first", min_tokens: int = 20, min_characters: int = 20
) -> list[str]:
    """Return the steps of the reasoning in a text.

    Examples
    --------
    >>> reasoning_steps("REASONING: mood. DIAGNOSIS: flu")
    []
    """
    return split_steps(
        reasoning_block(text, block=block), min_tokens=min_tokens, min_characters=min_characters
    )


def token_overlap(one: str, other: str) -> float:
    """Return the Dice coefficient of the words of two texts, 0 where one has none.

    Examples
    --------
    >>> token_overlap("low mood and sleep", "low mood")
    0.6667
    """
    words, others = set(normalize_text(one).split()), set(normalize_text(other).split())
    if not words or not others:
        return 0.0
    return 2 * len(words & others) / (len(words) + len(others))


@dataclass(frozen=True, slots=True)
class StepMatch:
    """A step of the model, the gold step that it comes nearest to, and how near."""

    step: int
    gold: int
    overlap: float
    kept: bool
    """False where an earlier step had taken the gold step already"""


@dataclass(frozen=True, slots=True, eq=False)
class StepMatches:
    """Which steps met which gold steps, over many cases."""

    n_steps: Indices
    n_gold_steps: Indices
    n_matched_steps: Indices
    case: Indices
    """the case of every pair listed, rising; the columns below go with it"""
    step: Indices
    gold: Indices
    overlap: Array
    kept: Indices

    @property
    def f1(self) -> Array:
        """Return the F1 of every case; 0 where there are no steps or no gold steps."""
        both = np.maximum(self.n_steps + self.n_gold_steps, 1)
        f1: Array = 2.0 * self.n_matched_steps / both
        return f1

    def of(self, case: int) -> tuple[StepMatch, ...]:
        """Return the pairs of one case, in the order of the model's steps."""
        first, last = np.searchsorted(self.case, [case, case + 1])
        return tuple(
            StepMatch(
                int(self.step[at]), int(self.gold[at]), float(self.overlap[at]), bool(self.kept[at])
            )
            for at in range(first, last)
        )


def match_steps(
    cases: Sequence[Case], *, threshold: float = 0.6, assignment: Assignment = "greedy"
) -> StepMatches:
    """Match the steps of the model with gold steps, case by case.

    Two steps meet where the Dice coefficient of their words is at least `threshold`. ``greedy``:
    every step takes the gold step that it overlaps most, the first of equals; of several steps
    that take the same gold step the first keeps it, and the others are not moved to a second
    choice. ``optimal``: as many pairs as one-to-one matching allows, and among those the largest
    sum of overlaps.

    Examples
    --------
    >>> found = match_steps([(["low mood", "poor sleep"], ["poor sleep now", "low mood"])])
    >>> found.n_matched_steps.tolist(), found.of(0)[1]
    ([2], StepMatch(step=1, gold=0, overlap=0.8, kept=True))
    """
    proportion("threshold", threshold)
    text, start, counts = _texts(cases)
    overlaps = kernels.step_overlaps(text, start, counts)
    choose = _optimal if assignment == "optimal" else kernels.nearest_steps
    gold, kept = choose(overlaps, counts, threshold)
    n_steps, n_gold = counts.T
    case = np.repeat(np.arange(counts.shape[0]), n_steps)
    width = n_gold[case]
    begin = np.cumsum(width) - width
    met = np.flatnonzero(gold >= 0)
    return StepMatches(
        n_steps=n_steps,
        n_gold_steps=n_gold,
        n_matched_steps=np.bincount(case[met], kept[met], len(cases)).astype(np.int64),
        case=case[met],
        step=(np.arange(case.size) - (np.cumsum(n_steps) - n_steps)[case])[met],
        gold=gold[met],
        overlap=overlaps[begin[met] + gold[met]],
        kept=kept[met],
    )


def _texts(cases: Sequence[Case]) -> tuple[bytes, Indices, Indices]:
    """Write all steps one after the other: the bytes, where each begins, how many a case has."""
    texts = [*chain.from_iterable(chain.from_iterable(cases))]
    whole = "".join(texts)
    if not whole.isascii():
        # Beyond ASCII a word is what it is after normalization.
        texts = [each if each.isascii() else normalize_text(each) for each in texts]
        written = [each.encode("utf-8", "surrogatepass") for each in texts]
        sizes, text = map(len, written), b"".join(written)
    else:
        sizes, text = map(len, texts), whole.encode("ascii")
    start = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(sizes, np.int64, len(texts)), out=start[1:])
    counts = [len(each) for each in chain.from_iterable(cases)]
    return text, start, np.array(counts, dtype=np.int64).reshape(-1, 2)


def _optimal(overlaps: Array, cases: Indices, threshold: float) -> tuple[Indices, Indices]:
    """Match as many pairs as possible, and among those the nearest."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - heavy to import

    gold = np.full(int(cases[:, 0].sum()), -1)
    first, at = 0, 0
    for n_steps, n_gold in cases.tolist():
        overlap = overlaps[at : at + n_steps * n_gold].reshape(n_steps, n_gold)
        met = (overlap >= threshold) & (overlap > 0)
        # One more pair outweighs any sum of overlaps.
        rows, columns = linear_sum_assignment(met * (min(n_steps, n_gold) + overlap), maximize=True)
        real = met[rows, columns]
        gold[first + rows[real]] = columns[real]
        first, at = first + n_steps, at + n_steps * n_gold
    return gold, (gold >= 0).astype(np.int64)
