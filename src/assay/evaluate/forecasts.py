"""From a table and the names of its columns to outcomes and the probabilities stated for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from assay.columns import SUM_TOLERANCE
from assay.errors import ColumnError, UsageError
from assay.evaluate.groups import Partition, partition
from assay.metrics.calibration.conventions import TwoClasses
from assay.showing import counted
from assay.sources.cells import EMPTY_WORDS
from assay.sources.table import Label, Table, class_label

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array, Indices
    from assay.sources.items import Participant, Source

    Mask: TypeAlias = NDArray[np.bool_]

__all__ = ["CalibrationColumns", "Forecast", "Forecasts", "MissingRows", "forecasts"]

MissingRows = Literal["error", "drop"]
FLAGS = ("false", "true")
TRUTHS = ({0: 0.0, 1: 1.0}, {"false": 0.0, "true": 1.0})
"""Labels of an outcome that need no explanation."""
BINARY = 2
SHOWN = 3
MOST_SMALL_GROUPS = 20
"""Beyond so many, groups must hold two rows on the average."""


@dataclass(frozen=True, slots=True)
class CalibrationColumns:
    """Which columns of a table hold the outcome and the probabilities stated for it."""

    y_true: str
    y_score: tuple[str, ...] = ()
    """each is the probability of the positive outcome, as one system states it"""
    y_prob: tuple[tuple[str, ...], ...] = ()
    """each is the probabilities of all classes: one column per class, or one column of lists"""
    classes: tuple[Label, ...] | None = None
    """the classes in the order of the probabilities"""
    positive: Label | None = None
    """the label that counts as 1, where labels are not 0 and 1"""
    cluster: str | None = None
    group: str | None = None
    """the column of groups that have numbers of their own"""
    missing: MissingRows = "error"
    sum_tolerance: float = SUM_TOLERANCE
    """how far probabilities may be from 1 in sum; within it they are divided by their sum"""

    def __post_init__(self) -> None:
        """Refuse roles that do not fit together."""
        if not self.y_score and not self.y_prob:
            msg = "no column of scores was named"
            raise UsageError(msg, hint="--y-score names a probability, --y-prob those of classes")
        if self.y_score and self.y_prob:
            msg = "scores of one outcome and probabilities of classes were named together"
            raise UsageError(msg, hint="give either --y-score or --y-prob")
        if not 0 <= self.sum_tolerance < 1:
            msg = f"the tolerance must be from 0 to below 1, found {self.sum_tolerance:g}"
            raise UsageError(msg)

    def names(self) -> tuple[str, ...]:
        """Return every column that is read, the truth first."""
        wide = [name for names in self.y_prob for name in names]
        parts = [each for each in (self.cluster, self.group) if each is not None]
        return tuple(dict.fromkeys([self.y_true, *self.y_score, *wide, *parts]))

    def no_outcome(self) -> frozenset[str]:
        """Return the words for an empty outcome: where labels are free, one may be called none."""
        if self.positive is not None:
            return frozenset({""})
        columns = self.y_prob[0] if self.y_prob and len(self.y_prob[0]) > 1 else ()
        labels = columns if self.classes is None else self.classes
        return EMPTY_WORDS - {str(label).lower() for label in labels}

    def stated(self) -> tuple[str, ...]:
        """Return the columns of probabilities."""
        return tuple(
            dict.fromkeys([*self.y_score, *(name for each in self.y_prob for name in each)])
        )


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """What one system stated, and what came true."""

    name: str
    given: tuple[str, ...]
    """the columns, or the confidence function"""
    columns: Mapping[str, Array]


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """All systems of one input, on the same rows."""

    source: Source
    systems: tuple[Forecast, ...]
    cluster: Indices
    clusters: Sequence[Participant]
    unit: str
    """what a cluster is: `row` where none were named and every row is its own"""
    outcome: str
    """what comes true or not, in words"""
    n_read: int
    n_unscored: int
    n_abstained: int = 0
    classes: tuple[Label, ...] = ()
    """those of a choice between several; an outcome that comes true or not has none"""
    two_classes: bool = False
    """whether probabilities of two classes were given"""
    groups: Partition | None = None
    notes: tuple[str, ...] = ()

    @property
    def clustered(self) -> bool:
        """Say whether rows belong together."""
        return self.unit != "row"

    @property
    def n_rows(self) -> int:
        """The rows that are scored."""
        return int(self.cluster.size)

    def select(self, clusters: Sequence[Participant]) -> Forecasts:
        """Keep the rows of some clusters, which become the clusters."""
        wanted = {each: number for number, each in enumerate(clusters)}
        place = np.array([wanted.get(each, -1) for each in self.clusters], np.int64)
        rows = place[self.cluster] >= 0
        systems = tuple(
            replace(each, columns={name: column[rows] for name, column in each.columns.items()})
            for each in self.systems
        )
        cluster = place[self.cluster][rows]
        groups = None if self.groups is None else replace(self.groups, code=self.groups.code[rows])
        return replace(
            self, systems=systems, cluster=cluster, clusters=tuple(clusters), groups=groups
        )


def empty_rows(table: Table, names: CalibrationColumns) -> Mask:
    """Return which rows lack a truth or a probability."""
    table.rows(*names.names())
    empty = empty_cells(table, names, names.y_true)
    for name in names.stated():
        empty = empty | empty_cells(table, names, name)
    return empty


def empty_cells(table: Table, names: CalibrationColumns, name: str) -> Mask:
    """Return which cells of a column are empty; a word for it may be a label of the outcome."""
    return table.empty(name, words=names.no_outcome() if name == names.y_true else EMPTY_WORDS)


def forecasts(
    table: Table,
    names: CalibrationColumns,
    *,
    dropped: Mask,
    two_classes: TwoClasses = "positive",
) -> Forecasts:
    """Read outcomes and probabilities, without the rows that are dropped."""
    n_read = table.rows(*names.names())
    if dropped.all():
        msg = f"{table.source.path} has no row with both a truth and a probability"
        raise ColumnError(msg, hint="fill the columns in, or name others")
    kept = table.keep(~dropped) if dropped.any() else table
    cluster, clusters = kept.clusters(names.cluster)
    if names.cluster is None:
        n_rows = int((~dropped).sum())
        cluster, clusters = np.arange(n_rows), range(n_rows)
    read = _binary(kept, names) if names.y_score else _multiclass(kept, names, two_classes)
    return Forecasts(
        source=table.source,
        systems=read.systems,
        cluster=cluster,
        clusters=clusters,
        unit="row" if names.cluster is None else "cluster",
        outcome=read.outcome,
        n_read=n_read,
        n_unscored=int(dropped.sum()),
        classes=read.classes,
        two_classes=read.two_classes,
        groups=_groups(kept, names.group),
        notes=read.notes,
    )


def _groups(table: Table, column: str | None) -> Partition | None:
    if column is None:
        return None
    groups = partition(table, column)
    n_groups, n_rows = len(groups.names), groups.code.size
    if n_groups > max(MOST_SMALL_GROUPS, n_rows // 2):
        msg = f"{table.source.path}: `{column}` makes {n_groups} groups of {n_rows} rows"
        raise ColumnError(msg, hint="a group holds many rows; --cluster takes ids")
    return groups


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """What the columns say."""

    systems: tuple[Forecast, ...]
    outcome: str
    classes: tuple[Label, ...] = ()
    two_classes: bool = False
    notes: tuple[str, ...] = ()


def _binary(table: Table, names: CalibrationColumns) -> _Read:
    correct = _outcome(table, names)
    systems = tuple(
        Forecast(name, (name,), {"correct": correct, "probability": _scores(table, name)})
        for name in names.y_score
    )
    return _Read(systems, f"{names.y_true} is {1 if names.positive is None else names.positive}")


def _outcome(table: Table, names: CalibrationColumns) -> Array:
    codes, labels = table.codes(names.y_true)
    meaning = _meaning(table, names, labels)
    if len(labels) == 1:
        msg = f"{table.source.path}: `{names.y_true}` is {labels[0]} in every row ({codes.size:,})"
        raise ColumnError(msg, hint="calibration is about outcomes that differ: both must occur")
    outcome: Array = np.array([meaning[label] for label in labels])[codes]
    return outcome


def _meaning(
    table: Table, names: CalibrationColumns, labels: Sequence[Label]
) -> Mapping[Label, float]:
    """Return which label is 1."""
    where, shown = f"{table.source.path}: `{names.y_true}`", _examples(labels)
    if len(labels) > BINARY:
        msg = f"{where} holds {len(labels)} labels ({shown}) where an outcome has two"
        raise ColumnError(msg, hint="--y-prob takes the probabilities of several classes")
    if names.positive is not None:
        if names.positive not in labels:
            msg = f"{where} never holds the positive label {names.positive}, found {shown}"
            raise ColumnError(msg, hint="--positive names the label that the score is about")
        return {label: float(label == names.positive) for label in labels}
    for known in TRUTHS:
        spelled = {label: label.lower() if type(label) is str else label for label in labels}
        if set(spelled.values()) <= set(known):
            return {label: known[each] for label, each in spelled.items()}  # type: ignore[index]  # no label is None here
    msg = f"{where} must hold 0 and 1, or true and false, found {shown}"
    raise ColumnError(msg, hint="--positive LABEL says which label the score is about")


def _examples(labels: Sequence[Label]) -> str:
    shown = ", ".join(str(each) for each in labels[:SHOWN])
    return f"{shown}, ..." if len(labels) > SHOWN else shown


def _scores(table: Table, name: str) -> Array:
    values = table.numbers(name)
    _check_range(table, name, values)
    return values


def _check_range(table: Table, name: str, values: Array) -> None:
    outside = ((values < 0) | (values > 1)).reshape(len(values), -1)
    if outside.any():
        row = int(np.argmax(outside.any(axis=1)))
        found = values.reshape(len(values), -1)[row][outside[row]][0]
        msg = (
            f"{table.source.path}, {table.place(row)}: `{name}` must be from 0 to 1, found"
            f" {found:g} ({int(outside.any(axis=1).sum())} of {counted(len(values), 'row')})"
        )
        raise ColumnError(msg, hint="a logit, a percentage or a rank is not a probability")


def _multiclass(table: Table, names: CalibrationColumns, two_classes: TwoClasses) -> _Read:
    stated = [(columns, _probabilities(table, columns)) for columns in names.y_prob]
    classes = _classes(table, names, stated[0][1].shape[1])
    label = _class_codes(table, names, classes)
    positive = _positive(names, classes, two_classes)
    systems, notes = [], []
    for columns, values in stated:
        probabilities, n_rescaled = _rescaled(table, columns, values, names)
        if probabilities.shape[1] != len(classes):
            msg = (
                f"{table.source.path}: {_spelled(columns)} hold {probabilities.shape[1]}"
                f" probabilities per row where there are {len(classes)} classes"
            )
            raise ColumnError(msg, hint="every system needs one probability per class")
        name = columns[0] if len(columns) == 1 else f"{columns[0]}..{columns[-1]}"
        if positive is not None:
            # As it stands: the column alone has the same numbers.
            systems.append(Forecast(name, columns, _one(positive, label, values)))
            continue
        if n_rescaled:
            rows = counted(n_rescaled, "row")
            notes.append(f"the probabilities of {rows} of {name} were divided by their sum")
        systems.append(Forecast(name, columns, _top(label, probabilities)))
    binary = len(classes) == BINARY
    if positive is None:
        outcome = f"the class {names.y_true}" + ", the more probable of two" * binary
        return _Read(tuple(systems), outcome, classes, binary, tuple(notes))
    outcome = f"{names.y_true} is {classes[positive]}, of the classes {_examples(classes)}"
    return _Read(tuple(systems), outcome, two_classes=True)


def _positive(
    names: CalibrationColumns, classes: Sequence[Label], two_classes: TwoClasses
) -> int | None:
    """Return the class whose probability is read, None where it is that of the top label."""
    if len(classes) == BINARY and two_classes == "positive":
        if names.positive is None:
            return 1
        if names.positive in classes:
            return classes.index(names.positive)
        msg = f"the positive label {names.positive} is not among the classes {_examples(classes)}"
        raise UsageError(msg, hint="--positive names one of the two classes")
    if names.positive is not None:
        msg = "a positive label was named where the most probable class is read"
        raise UsageError(msg, hint="--positive goes with --y-score, or with two classes")
    return None


def _one(positive: int, label: Array, probabilities: Array) -> dict[str, Array]:
    """Take one of two classes as the outcome."""
    return {
        "correct": (label == positive).astype(np.float64),
        "probability": np.ascontiguousarray(probabilities[:, positive]),
    }


def _top(label: Array, probabilities: Array) -> dict[str, Array]:
    """Add the top label: its probability, and whether it is right; the first of equals is top."""
    top = probabilities.argmax(axis=1)
    return {
        "correct": (top == label).astype(np.float64),
        "probability": probabilities[np.arange(top.size), top],
        "label": label,
        "probabilities": probabilities,
    }


def _probabilities(table: Table, columns: tuple[str, ...]) -> Array:
    values = table.wide(columns)
    if values.shape[1] < BINARY:
        msg = f"{table.source.path}: `{columns[0]}` holds one probability per row"
        raise ColumnError(msg, hint="--y-score takes the probability of one outcome")
    _check_range(table, columns[0] if len(columns) == 1 else ",".join(columns), values)
    return values


def _rescaled(
    table: Table, columns: tuple[str, ...], values: Array, names: CalibrationColumns
) -> tuple[Array, int]:
    """Return probabilities that sum to 1, and in how many rows they nearly did."""
    sums = values.sum(axis=1)
    off = np.abs(sums - 1)
    refused = off > names.sum_tolerance
    if refused.any():
        row = int(np.argmax(refused))
        msg = (
            f"{table.source.path}, {table.place(row)}: the probabilities of {_spelled(columns)}"
            f" must sum to 1, found {sums[row]:g} ({int(refused.sum())} of"
            f" {counted(sums.size, 'row is', 'rows are')} off by more than {names.sum_tolerance:g})"
        )
        hint = "--sum-tolerance allows for rounding; unnormalized scores are not probabilities"
        raise ColumnError(msg, hint=hint)
    nearly = off > SUM_TOLERANCE
    if not nearly.any():
        return values, 0
    return np.where(nearly[:, None], values / sums[:, None], values), int(nearly.sum())


def _spelled(columns: Sequence[str]) -> str:
    if len(columns) <= SHOWN:
        return ", ".join(f"`{each}`" for each in columns)
    return f"`{columns[0]}` to `{columns[-1]}`"


def _classes(table: Table, names: CalibrationColumns, n_classes: int) -> tuple[Label, ...]:
    """Return the classes in the order of the probabilities."""
    columns = names.y_prob[0]
    if names.classes is not None:
        classes = names.classes
    elif len(columns) > 1:
        classes = tuple(map(_class_named, columns))
    elif n_classes == BINARY and set(table.codes(names.y_true)[1]) <= set(FLAGS):
        classes = FLAGS
    else:
        classes = tuple(range(n_classes))
    if len(set(classes)) < len(classes):
        msg = "a class is named twice"
        raise UsageError(msg, hint="--classes lists every class once")
    if len(classes) != n_classes:
        msg = (
            f"{table.source.path}: {_spelled(columns)} hold {n_classes} probabilities per row where"
            f" there are {len(classes)} classes ({_examples(classes)})"
        )
        raise ColumnError(msg, hint="--classes lists the classes in the order of the columns")
    return classes


def _class_named(column: str) -> Label:
    label = class_label(column)
    return column if label is None else label


def _class_codes(table: Table, names: CalibrationColumns, classes: tuple[Label, ...]) -> Array:
    codes, labels = table.codes(names.y_true)
    unknown = [number for number, each in enumerate(labels) if each not in classes]
    if unknown:
        count = int(np.isin(codes, unknown).sum())
        where = f"in `{names.y_true}`"
        found = counted(codes.size, f"label {where} is", f"labels {where} are")
        msg = (
            f"{table.source.path}: {count} of {found} not among"
            f" the classes {_examples(classes)}: {_examples([labels[each] for each in unknown])}"
        )
        hint = "--classes A,B,C, or `labels` in Python, names them in the order of the columns"
        raise ColumnError(msg, hint=hint)
    if len(labels) == 1:
        msg = f"{table.source.path}: `{names.y_true}` is {labels[0]} in every row ({codes.size:,})"
        raise ColumnError(msg, hint="calibration is about outcomes that differ: two must occur")
    place = np.array([classes.index(each) for each in labels], np.float64)
    label: Array = place[codes]
    return label
