"""Words of texts compared, in Python: what the compiled module has to reproduce."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assay.columns import Array, Indices

__all__ = ["lacking_words", "nearest_steps", "step_overlaps"]

_WORDS_ONLY = bytes(
    ord(" ") if chr(each).isascii() and not chr(each).isalnum() and each not in b"_-" else each
    for each in range(256)
)


def lacking_words(text: bytes, read_as: bytes, start: Indices, n_quoted: Indices) -> Indices:
    """Count the distinct words of every quotation, and those that its document lacks.

    Text i is `text[start[i]:start[i + 1]]`. A document stands after its `n_quoted` quotations.
    Words are separated by the bytes that a table of 256 reads as a space; it keeps all others.
    """
    plain = text.translate(read_as)
    texts = (plain[at:end].split(b" ") for at, end in pairwise(start.tolist()))
    counts: list[tuple[int, int]] = []
    for n in n_quoted.tolist():
        *quoted, held = ({*words} - {b""} for words in islice(texts, n + 1))
        counts += [(len(words), len(words - held)) for words in quoted]
    return np.array(counts, dtype=np.int64).reshape(-1, 2)


def step_overlaps(text: bytes, start: Indices, cases: Indices) -> Array:
    """Return the Dice coefficient of every step with every gold step, case by case.

    Text i is `text[start[i]:start[i + 1]]`. A case has `cases[:, 0]` steps, then `cases[:, 1]` gold
    steps. Words are letters, digits, underscores, hyphens and all that is not ASCII, in lower case.
    """
    plain = text.lower().translate(_WORDS_ONLY)
    pieces = pairwise(start.tolist())
    sizes: list[int] = []
    shared: list[int] = []
    for n_steps, n_gold in cases.tolist():
        words = [set(plain[at:end].split()) for at, end in islice(pieces, n_steps + n_gold)]
        gold = words[n_steps:]
        shared += [len(each & other) for each in words[:n_steps] for other in gold]
        sizes += map(len, words)
    case, step, row, place = _pairs(cases)
    begin = (np.cumsum(cases.sum(-1)) - cases.sum(-1))[case]
    size = np.array(sizes, dtype=np.float64)
    both: Array = size[(begin + step)[row]] + size[(begin + cases[case, 0])[row] + place]
    met = 2 * np.array(shared, dtype=np.float64)
    return np.divide(met, both, out=np.zeros_like(met), where=both > 0)


def _pairs(cases: Indices) -> tuple[Indices, Indices, Indices, Indices]:
    """Return the case and number of every step, and the step and gold step of every pair."""
    n_steps, n_gold = cases.T
    case = np.repeat(np.arange(cases.shape[0]), n_steps)
    step = np.arange(case.size) - (np.cumsum(n_steps) - n_steps)[case]
    width = n_gold[case]
    row = np.repeat(np.arange(case.size), width)
    return case, step, row, np.arange(row.size) - (np.cumsum(width) - width)[row]


def nearest_steps(overlaps: Array, cases: Indices, threshold: float) -> tuple[Indices, Indices]:
    """Find the nearest gold step of every step, and whether it is the first to claim it.

    Of equal overlaps the first counts; -1 where no overlap reaches the threshold and exceeds 0.
    """
    case, _, row, place = _pairs(cases)
    most = np.zeros(case.size)
    np.maximum.at(most, row, overlaps)
    met = np.flatnonzero((overlaps == most[row]) & (overlaps >= threshold) & (overlaps > 0))
    steps, at = np.unique(row[met], return_index=True)
    nearest = np.full(case.size, -1)
    nearest[steps] = place[met[at]]
    claimed = case[steps] * (cases[:, 1].max(initial=0) + 1) + nearest[steps]
    kept = np.zeros(case.size, dtype=np.int64)
    kept[steps[np.unique(claimed, return_index=True)[1]]] = 1
    return nearest, kept
