"""From tables and the names of their columns to outcomes and the probabilities stated for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.errors import ColumnError, UsageError
from assay.floats import SUM_TOLERANCE
from assay.showing import counted, inert, quoted, shortened
from assay.sources.forecasts import DIFFER, Forecast, Forecasts, Outcome, keyed
from assay.sources.row_tables import check_lengths, chosen, ones, partition, places, row_keys
from assay.sources.tabular import Label, Table, class_label
from assay.sources.unit_files import HIGHEST, LOWEST, POINT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array, Indices
    from assay.families.calibration.options import CalibrationColumns
    from assay.metrics.calibration.bins import TwoClasses
    from assay.sources.row_tables import Partition

    Mask: TypeAlias = NDArray[np.bool_]
    _Given: TypeAlias = Mapping[tuple[str, ...], Array]

FLAGS = ("false", "true")
TRUTHS = ({0: 0.0, 1: 1.0}, {"false": 0.0, "true": 1.0})
"""Labels of an outcome that need no explanation."""
BINARY = 2
BY_PLACE = "without `item` and `cluster`, rows are paired by their place"
SHOWN = 3
MOST_SMALL_GROUPS = 20
"""Beyond so many, groups must hold two rows on the average."""


def of_tables(
    tables: Sequence[Table], columns: CalibrationColumns, two_classes: TwoClasses
) -> list[Forecasts]:
    """Read tables that hold the same columns; rows are paired by item or by their place."""
    columns = _labelled(columns)
    if tables[0].counts is not None:  # rows that an engine counted have no names any more
        columns = replace(columns, item=None)
    dropped = [_unscored(table, columns) for table in tables]
    if columns.cluster is None and columns.item is None:
        check_lengths(tables, [rows.size for rows in dropped], BY_PLACE)
    keys = row_keys(tables, columns.y_true, columns.cluster, columns.item)
    read = [
        _forecasts(table, columns, rows, two_classes, key)
        for table, rows, key in zip(tables, dropped, keys, strict=True)
    ]
    return keyed(read)


def _labelled(columns: CalibrationColumns) -> CalibrationColumns:
    """Spell labels that were named as those of tables are."""
    classes = tuple(map(_label, columns.classes))
    positive = None if columns.positive is None else _label(columns.positive)
    return replace(columns, classes=classes, positive=positive)


def _label(given: Label) -> Label:
    label = class_label(given)
    if label is None:
        msg = f"a label must be a whole number or a text, found {quoted(given)}"
        raise UsageError(msg, hint="`classes` and `positive` name labels of the outcome")
    return label


def _unscored(table: Table, columns: CalibrationColumns) -> Mask:
    """Return which rows lack a truth, or the probabilities of every system."""
    table.rows(*columns.names())
    empty = {name: _empty(table, columns, name) for name in columns.needed()}
    if columns.missing == "error":
        _refuse_empty(table, columns, np.logical_or.reduce([*empty.values()]))
    stated = [np.logical_or.reduce([empty[name] for name in names]) for names in columns.y_prob]
    unscored: Mask = empty[columns.y_true] | np.logical_and.reduce(stated)
    return unscored


def _empty(table: Table, columns: CalibrationColumns, name: str) -> Mask:
    return table.empty(name, words=columns.empty_words(name))


def _refuse_empty(table: Table, columns: CalibrationColumns, empty: Mask) -> None:
    if empty.any():
        row = int(np.argmax(empty))
        name = next(name for name in columns.needed() if _empty(table, columns, name)[row])
        msg = (
            f"{table.where(row)}: `{name}` is empty or NaN"
            f" ({_share(table, empty)} lack a truth or a probability)"
        )
        raise ColumnError(msg, hint="`missing` drop leaves such rows out and counts them")


def _share(table: Table, rows: Mask) -> str:
    """Say how many rows of all these are; one that an engine counted stands for several."""
    size = ones(rows.size) if table.counts is None else table.counts
    return f"{int(size[rows].sum())} of {counted(int(size.sum()), 'row')}"


def _clusters(kept: Table, column: str | None) -> tuple[Indices, Sequence[Any]]:
    """Return the cluster of every row, and their names; without any, every row is one."""
    if column is not None:
        return kept.clusters(column)
    if kept.counts is None:
        return places(kept.n_rows), range(kept.n_rows)
    # Rows that were counted are never drawn, so that they may be as one.
    return np.zeros(kept.n_rows, np.int64), range(int(kept.counts.sum()))


def _forecasts(
    table: Table,
    columns: CalibrationColumns,
    dropped: Mask,
    two_classes: TwoClasses,
    key: NDArray[Any],
) -> Forecasts:
    """Read outcomes and probabilities, without the rows that are dropped."""
    if dropped.all():
        msg = f"{table.source.path} has no row with both a truth and a probability"
        raise ColumnError(msg, hint="fill the columns in, or name others")
    kept = table.keep(~dropped) if dropped.any() else table
    size = ones(dropped.size) if table.counts is None else table.counts
    cluster, clusters = _clusters(kept, columns.cluster)
    stated = _stated(kept, columns, two_classes)
    at = np.flatnonzero(~dropped) if dropped.any() else places(dropped.size)

    def identify(row: int) -> tuple[str, str | None]:
        item = None if columns.item is None else str(kept.cells(columns.item)[row])
        who = None if columns.cluster is None else str(clusters[cluster[row]])
        named = str(int(at[row]) + 1) if item is None else item
        return named if who is None or item is None else f"{who} {item}", who

    return Forecasts(
        source=table.source,
        outcome=stated.outcome,
        systems=[_scored(table, each) for each in stated.systems],
        key=chosen(key, at),
        truth=stated.truth,
        where=kept.where,
        identify=identify,
        cluster=cluster,
        clusters=clusters,
        unit="row" if columns.cluster is None else "cluster",
        n_read=int(size.sum()),
        counts={"n_unscored": int(size[dropped].sum()), "n_abstained": 0},
        groups=None if columns.group is None else _groups(kept, columns.group),
        notes=stated.notes,
        counts_of=None if table.counts is None else chosen(size, at),
        about=table.about,
    )


def _scored(table: Table, system: Forecast) -> Forecast:
    """Leave out the rows of which a system says nothing."""
    unsaid = np.isnan(system.columns["probability"])
    if not unsaid.any():
        return system
    rows = np.flatnonzero(~unsaid)
    if not rows.size:
        msg = f"{table.source.path} has no row with both a truth and a probability of {system.name}"
        raise ColumnError(msg, hint="fill the columns in, or name others")
    return system.take(rows, rows)


def _groups(table: Table, column: str) -> Partition:
    groups = partition(table, column)
    n_groups, n_rows = len(groups.names), groups.code.size
    if n_groups > max(MOST_SMALL_GROUPS, n_rows // 2):
        msg = f"{table.source.path}: `{column}` makes {n_groups} groups of {n_rows} rows"
        raise ColumnError(msg, hint="a group holds many rows; `cluster` takes ids")
    return groups


@dataclass(frozen=True, slots=True, eq=False)
class _Stated:
    """What the columns say."""

    outcome: Outcome
    systems: Sequence[Forecast]
    truth: Array
    notes: Sequence[str] = ()


def _stated(table: Table, columns: CalibrationColumns, two_classes: TwoClasses) -> _Stated:
    """Read one probability per row and system, or those of all classes."""
    given = {names: _probabilities(table, names) for names in columns.y_prob}
    if all(values.shape[1] == 1 for values in given.values()):
        return _binary(table, columns, given)
    return _choice(table, columns, given, two_classes)


def _probabilities(table: Table, names: tuple[str, ...]) -> Array:
    """Return what is stated in a row: of one outcome, or of every class; NaN where nothing is."""
    held = ~np.logical_or.reduce([table.empty(name) for name in names])
    whole = table if held.all() else table.keep(held)
    several = held.any() and (len(names) > 1 or whole.is_wide(names[0]))
    values = whole.wide(names) if several else whole.numbers(names[0])[:, None]
    _check_range(whole, ",".join(names), values)
    if held.all():
        return values
    stated = np.full((held.size, values.shape[1]), np.nan)
    stated[held] = values
    return stated


def _binary(table: Table, columns: CalibrationColumns, given: _Given) -> _Stated:
    """Read an outcome that comes true or not, and its probability in every column."""
    if columns.classes:
        msg = "`classes` names the classes of several probabilities, and `y_prob` states one"
        raise UsageError(msg, hint="`positive` names the label that it is about")
    codes, labels = table.codes(columns.y_true)
    meaning = _meaning(table, columns, labels)
    _refuse_one(table, columns, labels)
    correct: Array = np.array([meaning[label] for label in labels])[codes]
    every = places(correct.size)
    systems = [
        Forecast(
            names[0],
            names,
            {"correct": correct, "probability": values[:, 0], **_ends(table, names[0])},
            every,
        )
        for names, values in given.items()
    ]
    positive = 1 if columns.positive is None else columns.positive
    return _Stated(Outcome(f"{columns.y_true} is {positive}"), systems, correct)


def _ends(table: Table, name: str) -> dict[str, Array]:
    """Return between which probabilities those lie that an engine merged, if it did."""
    if f"{name}{LOWEST}" not in table.columns or table.about is None:
        return {}
    lowest, highest, cell = (table.known(f"{name}{end}") for end in (LOWEST, HIGHEST, POINT))
    return {"lowest": lowest, "highest": highest, "cell": cell}


def _refuse_one(table: Table, columns: CalibrationColumns, labels: Sequence[Label]) -> None:
    if len(labels) == 1:
        n_rows = table.n_rows if table.counts is None else int(table.counts.sum())
        msg = f"{table.source.path}: `{columns.y_true}` is {labels[0]} in every row ({n_rows:,})"
        raise ColumnError(msg, hint=DIFFER)


def _meaning(
    table: Table, columns: CalibrationColumns, labels: Sequence[Label]
) -> Mapping[Label, float]:
    """Return which label is 1."""
    where, shown = f"{table.source.path}: `{columns.y_true}`", _examples(labels)
    if len(labels) > BINARY:
        msg = f"{where} holds {len(labels)} labels ({shown}) where an outcome has two"
        raise ColumnError(msg, hint="`y_prob` takes the probabilities of all classes")
    if columns.positive is not None:
        if columns.positive not in labels:
            msg = f"{where} never holds the positive label {columns.positive}, found {shown}"
            raise ColumnError(msg, hint="`positive` names the label that the score is about")
        return {label: float(label == columns.positive) for label in labels}
    spelled = {label: label.lower() if type(label) is str else label for label in labels}
    for known in TRUTHS:
        if set(spelled.values()) <= set(known):
            return {label: known[each] for label, each in spelled.items()}  # type: ignore[index]  # no label is None here
    msg = f"{where} must hold 0 and 1, or true and false, found {shown}"
    raise ColumnError(msg, hint="`positive` says which label the score is about")


def _examples(labels: Sequence[Label]) -> str:
    shown = ", ".join(shortened(inert(str(label))) for label in labels[:SHOWN])
    return f"{shown}, ..." if len(labels) > SHOWN else shown


def _check_range(table: Table, name: str, values: Array) -> None:
    outside = (values < 0) | (values > 1)
    rows: Mask = np.asarray(outside.any(axis=1))
    if rows.any():
        row = int(np.argmax(rows))
        msg = (
            f"{table.where(row)}: `{name}` must be from 0 to 1, found"
            f" {values[row][outside[row]][0]:g} ({_share(table, rows)})"
        )
        raise ColumnError(msg, hint="a logit, a percentage or a rank is not a probability")


def _choice(
    table: Table, columns: CalibrationColumns, given: _Given, two_classes: TwoClasses
) -> _Stated:
    """Read a choice between classes: its top label, or one class of two as the outcome."""
    wide = {names: values for names, values in given.items() if values.shape[1] > 1}
    names, values = next(iter(wide.items()))
    classes = _classes(table, columns, names, values.shape[1])
    label = _class_codes(table, columns, classes)
    every = places(label.size)
    positive = _positive(columns, classes, two_classes)
    summed = {n: _rescaled(table, n, of, columns.sum_tolerance) for n, of in wide.items()}
    for names, values in wide.items():
        _check_width(table, names, values.shape[1], classes)
    if positive is not None:
        systems = [
            Forecast(_name(names), names, _one(positive, label, values), every)
            for names, values in given.items()
        ]
        words = f"{columns.y_true} is {classes[positive]}, of the classes {_examples(classes)}"
        return _Stated(Outcome(words, two_classes=True), systems, label)
    if len(wide) < len(given):
        msg = "some systems have one probability per row, others those of all classes"
        raise UsageError(msg, hint="compare systems that state the same, or run them one by one")
    systems = [Forecast(_name(n), n, _top(label, of), every) for n, (of, _) in summed.items()]
    notes = [
        f"the probabilities of {counted(n, 'row')} of {_name(names)} were divided by their sum"
        for names, (_, n) in summed.items()
        if n
    ]
    binary = len(classes) == BINARY
    words = f"the class {columns.y_true}" + ", the more probable of two" * binary
    return _Stated(Outcome(words, classes, binary), systems, label, notes)


def _name(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]}..{names[-1]}"


def _positive(
    columns: CalibrationColumns, classes: Sequence[Label], two_classes: TwoClasses
) -> int | None:
    """Return the class whose probability is read, None where it is that of the top label."""
    if len(classes) == BINARY and two_classes == "positive":
        if columns.positive is None:
            return 1
        if columns.positive in classes:
            return classes.index(columns.positive)
        msg = f"the positive label {columns.positive} is not among the classes {_examples(classes)}"
        raise UsageError(msg, hint="`positive` names one of the two classes")
    if columns.positive is not None:
        msg = "a positive label was named where the most probable class is read"
        raise UsageError(
            msg, hint="`positive` goes with the probability of one outcome, or of two classes"
        )
    return None


def _one(positive: int, label: Array, probabilities: Array) -> dict[str, Array]:
    """Take one of two classes as the outcome, its probability as it stands in its column."""
    place = positive if probabilities.shape[1] > 1 else 0
    return {
        "correct": (label == positive).astype(np.float64),
        "probability": np.ascontiguousarray(probabilities[:, place]),
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


def _rescaled(
    table: Table, names: tuple[str, ...], values: Array, tolerance: float
) -> tuple[Array, int]:
    """Return probabilities that sum to 1, and in how many rows they nearly did."""
    sums = values.sum(axis=1)
    off = np.abs(sums - 1)
    refused = off > tolerance
    if refused.any():
        row = int(np.argmax(refused))
        msg = (
            f"{table.where(row)}: the probabilities of {_spelled(names)}"
            f" must sum to 1, found {sums[row]:g} ({int(refused.sum())} of"
            f" {counted(sums.size, 'row is', 'rows are')} off by more than {tolerance:g})"
        )
        hint = "`sum_tolerance` allows for rounding; unnormalized scores are not probabilities"
        raise ColumnError(msg, hint=hint)
    nearly = off > SUM_TOLERANCE
    if not nearly.any():
        return values, 0
    return np.where(nearly[:, None], values / sums[:, None], values), int(nearly.sum())


def _spelled(names: Sequence[str]) -> str:
    if len(names) <= SHOWN:
        return ", ".join(f"`{name}`" for name in names)
    return f"`{names[0]}` to `{names[-1]}`"


def _classes(
    table: Table, columns: CalibrationColumns, names: tuple[str, ...], n_classes: int
) -> tuple[Label, ...]:
    """Return the classes in the order of the probabilities."""
    classes: tuple[Label, ...] = tuple(range(n_classes))
    if columns.classes:
        classes = columns.classes
    elif len(names) > 1:
        classes = tuple(name if (label := class_label(name)) is None else label for name in names)
    elif n_classes == BINARY and set(table.codes(columns.y_true)[1]) <= set(FLAGS):
        classes = FLAGS
    if len(set(classes)) < len(classes):
        raise UsageError("a class is named twice", hint="`classes` lists every class once")
    _check_width(table, names, n_classes, classes)
    return classes


def _check_width(
    table: Table, names: Sequence[str], n_classes: int, classes: Sequence[Label]
) -> None:
    if len(classes) != n_classes:
        msg = (
            f"{table.source.path}: {_spelled(names)} hold {n_classes} probabilities per row where"
            f" there are {len(classes)} classes ({_examples(classes)})"
        )
        raise ColumnError(msg, hint="`classes` lists the classes in the order of the columns")


def _class_codes(table: Table, columns: CalibrationColumns, classes: tuple[Label, ...]) -> Array:
    codes, labels = table.codes(columns.y_true)
    unknown = [number for number, label in enumerate(labels) if label not in classes]
    if unknown:
        where = f"in `{columns.y_true}`"
        found = counted(codes.size, f"label {where} is", f"labels {where} are")
        msg = (
            f"{table.source.path}: {int(np.isin(codes, unknown).sum())} of {found} not among"
            f" the classes {_examples(classes)}: {_examples([labels[n] for n in unknown])}"
        )
        hint = (
            "columns in one list are the classes of one system, which `classes` names in their"
            " order; systems to be compared have a `y_prob` each"
        )
        raise ColumnError(msg, hint=hint)
    _refuse_one(table, columns, labels)
    label: Array = np.array([classes.index(label) for label in labels], np.float64)[codes]
    return label
