"""Outcomes and the probabilities stated for them; a run's confidences are such probabilities."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.derive.confidence import confidence_column, known_names
from assay.derive.losses import losses
from assay.errors import AssayError, ColumnError, UsageError
from assay.sources.row_tables import ones, together

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array, Indices
    from assay.derive.variants import Calibration
    from assay.sources.items import ItemTable
    from assay.sources.names import Participant
    from assay.sources.row_tables import Partition
    from assay.sources.tabular import Label, Source
    from assay.sources.unit_table import About

DIFFER = "calibration is about outcomes that differ: two must occur"


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """What one system stated, and what came true."""

    name: str
    given: tuple[str, ...]
    """the columns, or the confidence function"""
    columns: Mapping[str, Array]
    rows: Indices
    """which rows of the input it scored; its columns hold these"""

    def take(self, chosen: Indices, rows: Indices) -> Forecast:
        """Keep some of what was scored, which are these rows of the input."""
        return replace(
            self, columns={name: of[chosen] for name, of in self.columns.items()}, rows=rows
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes true or not."""

    words: str
    classes: tuple[Label, ...] = ()
    """those of a choice between several; an outcome that comes true or not has none"""
    two_classes: bool = False
    """whether probabilities of two classes were given"""
    of_answers: bool = False
    """it is that an answer is right, so that the probability is how sure the answer is"""


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """All systems of one input, and the rows that one of them or more scored."""

    source: Source
    outcome: Outcome
    systems: Sequence[Forecast]
    key: NDArray[Any]
    """which row it is; rows of two inputs that have the same are compared"""
    truth: NDArray[Any]
    where: Callable[[int], str]
    """names a row in a message"""
    cluster: Indices
    clusters: Sequence[Participant]
    unit: str
    """what a cluster is: `row` where none were named and every row is its own"""
    n_read: int
    counts: Mapping[str, int]
    """of rows that were read and are not scored"""
    identify: Callable[[int], tuple[str, str | None]]
    """names a row, and its cluster where there is one"""
    groups: Partition | None = None
    notes: Sequence[str] = ()
    counts_of: Array | None = None
    """how many rows each one stands for; None: one"""
    about: About | None = None
    """of the unit table that it is, where an engine made one"""

    @property
    def clustered(self) -> bool:
        """Say whether rows belong together."""
        return self.unit != "row"

    @property
    def size(self) -> Array:
        """How many rows each one stands for."""
        return ones(self.cluster.size) if self.counts_of is None else self.counts_of

    @property
    def n_rows(self) -> int:
        """The rows that are scored."""
        return int(self.size.sum())

    def select(self, clusters: Sequence[Participant]) -> Forecasts:
        """Keep the rows of some clusters, which become the clusters."""
        wanted = {cluster: number for number, cluster in enumerate(clusters)}
        place = np.array([wanted.get(cluster, -1) for cluster in self.clusters], np.int64)
        code = place[self.cluster]
        rows = code >= 0
        place = np.cumsum(rows) - 1
        systems = [
            each.take(np.flatnonzero(rows[each.rows]), place[each.rows[rows[each.rows]]])
            for each in self.systems
        ]
        kept, where, identify = np.flatnonzero(rows), self.where, self.identify
        return replace(
            self,
            systems=systems,
            key=self.key[kept],
            truth=self.truth[kept],
            where=lambda row: where(int(kept[row])),
            identify=lambda row: identify(int(kept[row])),
            cluster=code[kept],
            clusters=tuple(clusters),
            groups=self.groups and replace(self.groups, code=self.groups.code[kept]),
            counts_of=None if self.counts_of is None else self.counts_of[kept],
        )


def keyed(inputs: Sequence[Forecasts]) -> list[Forecasts]:
    """Number the rows of inputs so that the same row has the same number in all of them."""
    number: dict[Hashable, int] = {}
    return [
        each
        if each.key.dtype != object  # the places of rows, which are numbers already
        else replace(each, key=np.array([number.setdefault(k, len(number)) for k in each.key]))
        for each in inputs
    ]


def of_run(
    table: ItemTable, confidences: Sequence[str], calibration: Calibration | None
) -> Forecasts:
    """Take every confidence of the answered items as the probability that the answer is right."""
    rows = np.flatnonzero(table.answered)
    if not rows.size:
        msg = f"{table.source.path} has no answered items, so there is nothing to calibrate"
        raise ColumnError(msg, hint="abstentions state no probability")
    if not confidences:
        msg = f"{table.source.path} is a run, and no confidence was chosen"
        raise UsageError(msg, hint=_choice(table, calibration))
    wrong = losses("zero_one", table.prediction, table.truth, scale=table.scale)
    correct = (wrong[rows] == 0).astype(np.float64)
    if np.unique(correct).size == 1:
        word = "right" if correct[0] else "wrong"
        msg = f"{table.source.path}: every answer is {word} ({rows.size:,})"
        raise ColumnError(msg, hint=DIFFER)
    stated = {name: _stated(table, name, calibration) for name in dict.fromkeys(confidences)}
    return Forecasts(
        source=table.source,
        outcome=Outcome("the answer is right (error 0), on answered items", of_answers=True),
        systems=[
            Forecast(
                name, (name,), {"correct": correct, "probability": values}, np.arange(rows.size)
            )
            for name, values in stated.items()
        ],
        key=together(
            [table.participants[each] for each in table.cluster[rows]],
            [table.items[each] for each in table.item[rows]],
        ),
        truth=_truth(table)[rows],
        where=lambda row: table.place(int(rows[row])),
        identify=lambda row: _named(table, int(rows[row])),
        cluster=table.cluster[rows],
        clusters=table.participants,
        unit="participant",
        n_read=table.n_rows + table.n_unscored,
        counts={
            "n_unscored": table.n_unscored,
            "n_abstained": table.n_rows - rows.size,
            "n_failed": len(table.failed),
        },
    )


def _named(table: ItemTable, row: int) -> tuple[str, str]:
    """Name an item and whose it is."""
    who = str(table.participants[table.cluster[row]])
    return f"{who} {table.items[table.item[row]]}", who


def _truth(table: ItemTable) -> NDArray[Any]:
    if table.labels is None:
        return table.truth
    return np.array([table.labels.names[int(code)] for code in table.truth], object)


def _stated(table: ItemTable, name: str, calibration: Calibration | None) -> Array:
    values = _confidence(table, name, calibration)
    outside = (values < 0) | (values > 1)
    if outside.any():
        msg = (
            f"{table.source.path}: the confidence {name} is no probability: it is"
            f" {values[outside][0]:g} on an answered item ({int(outside.sum())} of {values.size}"
            " are outside [0, 1])"
        )
        raise ColumnError(msg, hint=_choice(table, calibration))
    return values


def _confidence(table: ItemTable, name: str, calibration: Calibration | None) -> Array:
    values = confidence_column(
        name,
        table.signals,
        table.answered,
        missing="error",
        calibration=calibration,
        where=table.place,
        source=table.source.path,
    )
    return values[table.answered]


def _choice(table: ItemTable, calibration: Calibration | None) -> str:
    usable = ", ".join(_usable(table, calibration)) or "none"
    return f"in [0, 1] on every answered item of this input: {usable}"


def _usable(table: ItemTable, calibration: Calibration | None) -> Iterator[str]:
    for name in known_names():
        try:
            values = _confidence(table, name, calibration)
        except AssayError:
            continue
        if ((values >= 0) & (values <= 1)).all():
            yield name
