"""Which documents may hold a text: many texts looked for at once, by a few rare bytes of each.

A document that holds a text holds every run of bytes of it. So of each text that run is taken which
a sample of the documents has least, and all documents are read once for all of these runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

EIGHT = 8
WIDTHS = (16, EIGHT, 5)
"""bytes of a run: the first that the text has; every text must have the last"""
SAMPLED = 500
"""documents that say which runs are rare"""
SPREAD, SECOND, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(44)
SLOTS = 1 << 20
"""of a table that tells most runs from the wanted ones at once; what the shift leaves"""
BLOCK = 1 << 16
"""bytes that are looked at together"""

Runs = NDArray[np.uint64]
"""the bytes of a run, or a number made of them where they are more than eight"""
Numbers = NDArray[np.int64]


def holders(texts: Sequence[str], documents: Sequence[str]) -> list[Sequence[int]]:
    """Return for each text the numbers of the documents that may hold it, in order.

    Every document that holds a text is among them. A text has five characters or more.

    Examples
    --------
    >>> holders(["cold soup"], ["The cold soup.", "No.", "cold so"])
    [[0]]
    """
    found: list[Sequence[int]] = [()] * len(texts)
    by_width: dict[int, list[int]] = {}
    for row, text in enumerate(texts):
        width = WIDTHS[(len(text) < WIDTHS[0]) + (len(text) < EIGHT)]
        by_width.setdefault(width, []).append(row)
    for width, rows in by_width.items():
        rarest = _rarest([texts[row] for row in rows], documents, width)
        wanted, which = np.unique(rarest, return_inverse=True)
        held = _holding(wanted, documents, width)
        for row, run in zip(rows, which.tolist(), strict=True):
            found[row] = held[run]
    return found


def _rarest(texts: Sequence[str], documents: Sequence[str], width: int) -> Runs:
    """Return of each text the run that a sample of the documents has least, the first of equals."""
    counts = np.zeros(SLOTS, dtype=np.int64)
    for runs, _ in _joined(documents[:: 1 + len(documents) // SAMPLED], width):
        counts += np.bincount(_slots(runs), minlength=SLOTS)
    rarest = []
    for runs, start in _joined(texts, width):
        # How often, then where: the least of both in one.
        keys = (counts[_slots(runs)] << 32) + np.arange(len(runs))
        within = np.column_stack([start[:-1], start[1:] - width + 1]).ravel()
        rarest.append(runs[np.minimum.reduceat(keys, within)[::2] & 0xFFFFFFFF])
    return np.concatenate(rarest)


def _holding(wanted: Runs, documents: Sequence[str], width: int) -> list[Sequence[int]]:
    """Return for each of some distinct, sorted runs the documents that hold it."""
    is_wanted = np.zeros(SLOTS, dtype=bool)
    is_wanted[_slots(wanted)] = True
    pairs, first = [np.empty(0, dtype=np.int64)], 0
    for runs, start in _joined(documents, width):
        places = np.flatnonzero(is_wanted[_slots(runs)])
        met = runs[places]
        run = np.minimum(np.searchsorted(wanted, met), len(wanted) - 1)
        same = wanted[run] == met
        document = first + np.searchsorted(start, places[same], side="right") - 1
        pairs.append(np.unique(run[same] * len(documents) + document))
        first += len(start) - 1
    # A document is in one block, so that no pair comes again.
    both = np.sort(np.concatenate(pairs))
    ends = np.searchsorted(both, np.arange(len(wanted) + 1) * len(documents)).tolist()
    document = (both % max(1, len(documents))).tolist()
    # Most texts are in no document: one empty tuple for all of them is nothing to collect.
    return [document[at:end] if at < end else () for at, end in pairwise(ends)]


def _slots(runs: Runs) -> Numbers:
    slots = runs * SPREAD
    slots >>= SHIFT
    return slots.view(np.int64)


def _joined(texts: Sequence[str], width: int) -> Iterator[tuple[Runs, Numbers]]:
    """Yield the runs at every place of some texts in a row, and where each of these begins."""
    block: list[bytes] = []
    size = 0
    for number, text in enumerate(texts, start=1):
        block.append(text.encode("utf-8", "surrogatepass"))
        size += len(block[-1])
        if size >= BLOCK or number == len(texts):
            joined = b"".join([*block, bytes(WIDTHS[0])])
            yield _runs(joined, size + 1, width), np.cumsum([0, *map(len, block)])
            block, size = [], 0


def _runs(joined: bytes, n: int, width: int) -> Runs:
    """Return the runs at the first places of joined texts."""
    runs: Runs = np.ndarray((n,), "<u8", joined, strides=(1,))
    if width > EIGHT:
        after: Runs = np.ndarray((n,), "<u8", joined, EIGHT, (1,))
        mixed: Runs = runs * SECOND ^ after
        return mixed
    return runs if width == EIGHT else runs & np.uint64((1 << 8 * width) - 1)
