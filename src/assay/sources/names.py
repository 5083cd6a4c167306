"""What tells participants, items and labels apart: ids that compare, and codes of labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.showing import writable

if TYPE_CHECKING:
    from assay.columns import Array, Indices

Participant = int | str

WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,17}")
LARGEST_ID = 10**18
ID_NEEDS = "a whole number below 10^18 or a text"


def canonical_ids(ids: Sequence[Participant]) -> list[Participant]:
    """Make ids comparable: all whole numbers, or else all text.

    Examples
    --------
    >>> canonical_ids([12, "7"]), canonical_ids([12, "P7"]), canonical_ids(["07"])
    ([12, 7], ['12', 'P7'], ['07'])
    """
    if set(map(type, ids)) == {int} and max(map(abs, ids)) < LARGEST_ID:  # type: ignore[arg-type]  # whole numbers
        return list(ids)
    spelled = [str(each) for each in ids]
    if all(map(WHOLE_NUMBER.fullmatch, spelled)):
        return [int(each) for each in spelled]
    return list(spelled)


def ranked_ids(ids: Sequence[Participant]) -> tuple[Indices, tuple[Participant, ...]]:
    """Return each id's rank among the distinct ids, and these in their order."""
    encoded: Callable[[], tuple[list[Participant], Indices]] | None = getattr(ids, "encoded", None)
    if encoded is not None:  # a column of a large file, whose distinct ids are known
        held, code = encoded()
        ranks_of_held, every = ranked_ids(held)
        return ranks_of_held[code], every
    distinct = list(dict.fromkeys(ids))
    comparable = canonical_ids(distinct)
    ordered: list[Any] = sorted(set(comparable))
    rank = {each: number for number, each in enumerate(ordered)}
    ranks = {raw: rank[each] for raw, each in zip(distinct, comparable, strict=True)}
    return np.fromiter(map(ranks.__getitem__, ids), np.int64, len(ids)), tuple(ordered)


def usable_id(value: object) -> bool:
    """Say whether a value may identify a participant: a whole number or a text."""
    if type(value) is int:
        return abs(value) < LARGEST_ID
    return type(value) is str and value != "" and writable(value)


@dataclass(frozen=True, slots=True)
class Labels:
    """What predictions and truths are where some of them are texts: codes of these labels."""

    names: tuple[float | str, ...]
    """by code; a number and a text are never the same label"""
    found: str
    """where the first text stands, and what it is"""


def label_codes(
    *columns: Sequence[float | str | None],
) -> tuple[list[Array], tuple[float | str, ...]]:
    """Number the labels of columns, NaN where there is none; texts come without outer spaces.

    Examples
    --------
    >>> codes, names = label_codes(["cat", 2.0, None], [" cat", 2.0, "2"])
    >>> [each.tolist() for each in codes], names
    ([[0.0, 1.0, nan], [0.0, 1.0, 2.0]], ('cat', 2.0, '2'))
    """
    bare = [[each.strip() if type(each) is str else each for each in cells] for cells in columns]
    every = dict.fromkeys(each for cells in bare for each in cells if each is not None)
    place: dict[Any, float] = {each: number for number, each in enumerate(every)}
    codes = [np.array([place.get(each, np.nan) for each in cells], float) for cells in bare]
    return codes, tuple(every)
