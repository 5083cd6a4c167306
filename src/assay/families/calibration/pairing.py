"""Pairs of forecasts: which rows are the same, and what those of one side would cost at worst."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.columns import Resamples
from assay.errors import ColumnError
from assay.families.family import Pairing, Subject
from assay.score import Rows
from assay.showing import counted, inert
from assay.sources.row_tables import chosen

if TYPE_CHECKING:
    from assay.columns import Array, Indices
    from assay.sources.forecasts import Forecast, Forecasts

LOSSES = ("brier", "nll", "multiclass_brier", "multiclass_nll")
"""means over rows whose largest value is known, so that a row that is lacking has a worst case"""
LACKING = "one side lacks rows that the other has"
PROPER = ("multiclass_brier", "multiclass_nll")
"""losses whose truth is not what the side itself answered"""
CONSTANT = "the side it favours states one probability for all rows, which tells none of them apart"
FEWER_RIGHT = "the side it favours gives fewer right answers"


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """What one system scored: which rows, of which clusters."""

    key: Indices
    cluster: Indices
    columns: Mapping[str, Array]
    size: Array
    """how many rows each one stands for"""

    def take(self, rows: Indices) -> _Side:
        """Keep some rows, in the order given."""
        columns = {name: of[rows] for name, of in self.columns.items()}
        return _Side(self.key[rows], self.cluster[rows], columns, self.size[rows])

    def __add__(self, more: _Side) -> _Side:
        columns = {n: np.concatenate([of, more.columns[n]]) for n, of in self.columns.items()}
        cluster = np.concatenate([self.cluster, more.cluster])
        size = np.concatenate([self.size, more.size])
        return _Side(np.concatenate([self.key, more.key]), cluster, columns, size)

    def with_worst(self, lacking: _Side) -> _Side:
        """Add rows that only the other side scored, as if they had gone as wrong as can be."""
        return self + replace(lacking, columns=_at_worst(lacking.columns))


def _at_worst(columns: Mapping[str, Array]) -> dict[str, Array]:
    """State with certainty what did not come true."""
    n_rows = columns["correct"].size
    worst = {"correct": np.zeros(n_rows), "probability": np.ones(n_rows)}
    if "label" in columns:
        label, stated = columns["label"], np.zeros_like(columns["probabilities"])
        stated[np.arange(n_rows), (label.astype(np.int64) + 1) % stated.shape[1]] = 1.0
        worst |= {"label": label, "probabilities": stated}
    return worst


def paired(
    asked: Sequence[Forecasts],
    shared: Sequence[Forecasts],
    subjects: list[Subject],
    settings: Mapping[str, Any],
    wanted: Iterable[tuple[int, int]],
    only: Collection[str] | None = None,
) -> Iterator[Pairing]:
    """Compare systems pair by pair; what that takes joins the subjects.

    `shared` are the inputs on the clusters that all of them have, as `subjects` has them.
    """
    for other in asked[1:]:
        _check_truths(asked[0], other)
    sides, listed = _sides(asked), _sides(shared)
    for left, right in wanted:
        pair = _Pair.of(sides[left], sides[right])
        if not pair.common[0].key.size:
            inputs = [given for given in asked for _ in given.systems]
            names = (inert(inputs[n].source.path) for n in (left, right))
            msg = f"no row is scored in both {' and '.join(names)}"
            raise ColumnError(msg, hint="differences are over rows that both sides scored")
        whole = all(
            np.array_equal(each.key, pair.common[0].key) for each in (listed[left], listed[right])
        )
        if whole and pair.complete:
            yield Pairing(left, right, pair.counts(), barred=pair.barred)
        else:
            yield pair.pairing((left, right), subjects, settings, only)


def _sides(inputs: Sequence[Forecasts]) -> list[_Side]:
    every = dict.fromkeys(name for given in inputs if given.clustered for name in given.clusters)
    names = {name: number for number, name in enumerate(every)}
    return [_side(given, system, names) for given in inputs for system in given.systems]


def _side(given: Forecasts, system: Forecast, names: Mapping[Any, int]) -> _Side:
    key = chosen(given.key, system.rows)
    size = chosen(given.size, system.rows)
    if not given.clustered:
        return _Side(key, key, system.columns, size)
    number = np.array([names[each] for each in given.clusters], np.int64)
    return _Side(key, number[given.cluster[system.rows]], system.columns, size)


def _check_truths(first: Forecasts, other: Forecasts) -> None:
    """Refuse inputs that have the same row with another truth."""
    _, at_first, at_other = np.intersect1d(first.key, other.key, True, True)  # noqa: FBT003 - both are flags
    differing = np.flatnonzero(first.truth[at_first] != other.truth[at_other])
    if differing.size:
        row = differing[np.argmin(at_other[differing])]
        told = [
            _outcome(given, given.truth[at[row]])
            for given, at in ((other, at_other), (first, at_first))
        ]
        msg = (
            f"{other.where(int(at_other[row]))}: the truth is {told[0]} where"
            f" {first.where(int(at_first[row]))} has {told[1]}"
            f" ({counted(differing.size, 'such row')})"
        )
        raise ColumnError(msg, hint="a difference is over the same rows with the same truths")


def _outcome(given: Forecasts, truth: Any) -> str:
    classes = given.outcome.classes
    shown = classes[int(truth)] if classes else truth
    return f"{shown:g}" if isinstance(shown, float) else inert(str(shown))


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two systems: what both scored, in one order, and what only one of them did."""

    common: tuple[_Side, _Side]
    alone: tuple[_Side, _Side]

    @classmethod
    def of(cls, left: _Side, right: _Side) -> _Pair:
        """Find the rows that both scored."""
        _, at_left, at_right = np.intersect1d(left.key, right.key, True, True)  # noqa: FBT003
        common = left.take(at_left), right.take(at_right)
        alone = (
            left.take(np.flatnonzero(~np.isin(left.key, right.key))),
            right.take(np.flatnonzero(~np.isin(right.key, left.key))),
        )
        return cls(common, alone)

    @property
    def complete(self) -> bool:
        """Say whether neither side lacks a row."""
        return not any(each.key.size for each in self.alone)

    def counts(self) -> dict[str, int]:
        """Count the rows of both and of one side."""
        every = (self.common[0], *self.alone)
        names = ("n_common", "n_only_left", "n_only_right")
        return {name: int(each.size.sum()) for name, each in zip(names, every, strict=True)}

    def pairing(
        self,
        two: tuple[int, int],
        subjects: list[Subject],
        settings: Mapping[str, Any],
        only: Collection[str] | None,
    ) -> Pairing:
        """Add what is compared to the subjects: both sides, and each at its worst."""
        clusters = np.unique(np.concatenate([each.cluster for each in (*self.common, *self.alone)]))
        sides = []
        table = f"{'pair' if only is None else 'board'} {two[0]} {two[1]}"
        for side, system in enumerate(two):
            own, lacking, others = self.common[side], self.alone[1 - side], self.common[1 - side]
            worst: dict[str, int] = {}
            if lacking.key.size:
                # The other side keeps the rows that are lacking: it may have been right there.
                worst = {"worst": len(subjects), "beside": len(subjects) + 1}
                for n, each in (
                    (system, own.with_worst(lacking)),
                    (sum(two) - system, others + lacking),
                ):
                    rows = _rows(each, clusters)
                    losses = LOSSES if only is None else [*{*LOSSES} & {*only}]
                    subjects.append(_subject(n, table, rows, settings, only=losses))
            sides.append(len(subjects))
            subjects.append(
                _subject(system, table, _rows(own, clusters), settings, only=only, **worst)
            )
        complete = self.complete
        return Pairing(
            *two,
            self.counts(),
            [(sides[0], sides[1])],
            lambda _, label: None if complete or label in LOSSES else LACKING,
            self.barred,
        )

    def barred(self, _: str, label: str, side: int) -> str | None:
        """Favour no constant but by its losses, and no doubt about answers that are rightly in it.

        A constant is calibrated where it is the base rate. Where the outcome is whether a side's
        own answer is right, to be wrong and to say so is calibrated, and that is no gain.
        """
        own, other = self.common[side > 0], self.common[side < 0]
        if label not in LOSSES and np.ptp(own.columns["probability"]) == 0:
            return CONSTANT
        right, others = (each.columns["correct"] @ each.size for each in (own, other))
        fewer = right < others
        return FEWER_RIGHT if fewer and label not in PROPER else None


def _rows(side: _Side, clusters: Indices) -> Rows:
    cluster = np.searchsorted(clusters, side.cluster)
    weight = Resamples(np.ones((1, clusters.size)), cluster, side.size, ())
    return Rows(side.columns, weight)


def _subject(
    system: int, table: str, rows: Rows, settings: Mapping[str, Any], **more: Any
) -> Subject:
    return Subject(system, rows, table=table, settings=settings, listed=False, **more)
