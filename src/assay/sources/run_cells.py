"""The participants of a run file, read in one pass where every one of them is as they should be."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from assay.derive.signals import Signal, State
from assay.sources.names import Participant, ranked_ids

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array

TEXT = msgspec.json.Decoder(str)
WAY = ("experiments", None, "results", "results")
GROUPS = ("predicted_items", "ground_truth_items", "item_signals")
INTEGER, OBJECT = 5, 6
"""what `json_cells` tells beside a `State`"""
MOST_EXACT = 2**53


@dataclass(frozen=True, slots=True)
class Asked:
    """What the participants of a mode were asked, where they stand, and which signals are read."""

    place: str
    items: tuple[str, ...]
    scale: tuple[int, int]
    names: tuple[str, ...]


class NotPlainError(Exception):
    """Some participant is not as others are: each is looked at alone, and a fault is named."""


def points(asked: Asked) -> Array:
    """Return the scores of the scale."""
    return np.arange(asked.scale[0], asked.scale[1] + 1, dtype=np.float64)


def paths(items: Sequence[str], names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the columns of a participant: those of `Cells`, in their order."""
    return [
        *(("participant_id",), ("success",), *((group,) for group in GROUPS)),
        *((group, item) for group in GROUPS for item in items),
        *((GROUPS[-1], item, name) for name in names for item in items),
    ]


@dataclass(frozen=True, slots=True)
class Cells:
    """What participants hold, one row each; the columns are those of `paths`."""

    asked: Asked
    data: bytes
    value: Array
    state: NDArray[np.int8]

    def n_missing(self) -> int:
        """Return how many participants do not say whether the system failed."""
        return int((self.state[:, 1] == State.MISSING).sum())

    def columns(self) -> dict[str, Any]:
        """Return the columns of a table; every participant must be as they should be."""
        success, stated = self.value[:, 1] == 1.0, self.state[:, 1]
        order, ids = self._ordered()
        n_items, kept = len(self.asked.items), order[success[order]]
        if not np.isin(stated, (State.BOOLEAN, State.MISSING)).all():
            raise NotPlainError
        whole = self.value[:, 2:5][kept] == n_items
        objects = [*range(2, 5), *range(5 + 2 * n_items, 5 + 3 * n_items)]
        if not whole.all() or (self.state[:, objects][kept] != OBJECT).any():
            raise NotPlainError
        return {
            "participants": tuple(compress(ids, success[order])),
            "failed": tuple(compress(ids, ~success[order])),
            "prediction": self._scores(5, kept, nullable=True),
            "truth": self._scores(5 + n_items, kept, nullable=False),
            "signals": self._signals(kept),
        }

    def _ordered(self) -> tuple[NDArray[np.intp], list[Participant]]:
        value, state = self.value[:, 0], self.state[:, 0]
        if value.size and (state == INTEGER).all():
            ids = value.astype(np.int64)
            order = np.argsort(ids)
            if (np.diff(ids[order]) == 0).any() or np.abs(value).max() >= MOST_EXACT:
                raise NotPlainError
            return order, ids[order].tolist()
        each = [self._id(*each) for each in zip(value.tolist(), state.tolist(), strict=True)]
        ranks, ordered = ranked_ids(each)
        if len(ordered) < max(len(each), 1):
            raise NotPlainError
        return np.argsort(ranks), list(ordered)

    def _id(self, value: float, state: int) -> Participant:
        if state == INTEGER and abs(value) < MOST_EXACT:
            return int(value)
        text = ""
        if state == State.OTHER:
            end = self.data.find(b'"', int(value) + 1)
            with suppress(msgspec.MsgspecError):  # with a quote in it, or no text
                text = TEXT.decode(self.data[int(value) : end + 1])
        if not text:
            raise NotPlainError
        return text

    def _scores(self, first: int, kept: NDArray[np.intp], *, nullable: bool) -> Array:
        columns = slice(first, first + len(self.asked.items))
        value, state = self.value[:, columns][kept].ravel(), self.state[:, columns][kept].ravel()
        number = (state == State.NUMBER) | (state == INTEGER)
        empty = (state == State.NULL) & nullable
        if not (np.isin(value, points(self.asked)) & number | empty).all():
            raise NotPlainError
        return value

    def _signals(self, kept: NDArray[np.intp]) -> dict[str, Signal]:
        n_items, found = len(self.asked.items), {}
        for number, name in enumerate(self.asked.names):
            first = 5 + (3 + number) * n_items
            columns = slice(first, first + n_items)
            state = self.state[:, columns][kept].ravel()
            if (state == State.MISSING).all():
                continue
            value = self.value[:, columns][kept].ravel()
            value[(state == State.OTHER) | (state == OBJECT)] = np.nan
            state[state == INTEGER] = State.NUMBER
            state[state == OBJECT] = State.OTHER
            found[name] = Signal(value, state)
        return found
