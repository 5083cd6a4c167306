"""The table that everything is computed from: one row per participant and item.

Files, data frames and plain arrays all become raw cells first; `items_from_cells` is the one
piece of code that checks cells and builds a `ItemTable` from them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.columns import COLUMNS, Array, Indices
from assay.derive.losses import LOSSES, losses
from assay.derive.signals import Signal, State, signal
from assay.errors import ColumnError, UsageError
from assay.options import near
from assay.showing import counted, listed, named, quoted, writable
from assay.sources.column import Column, LazyColumn, Nullable, number_or_text, plain
from assay.sources.item_columns import TableColumns, answers, ids, known_cells
from assay.sources.names import Labels, Participant, ranked_ids
from assay.sources.tabular import Source, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.derive.losses import Scale
    from assay.sources.unit_table import About

    Mask: TypeAlias = NDArray[np.bool_]

PHQ8_ITEMS = (
    *("NoInterest", "Depressed", "Sleep", "Tired"),
    *("Appetite", "Failure", "Concentrating", "Moving"),
)
"""The items of a PHQ-8 run, in the order that breaks ties."""
EQUALITY = "zero_one"
"""the loss that asks only whether two values are the same"""
LARGEST_COUNT = 1e15
"""so that totals of items stay whole numbers"""
INDEPENDENT = (
    "no participants are named (`participant`), so rows are independent:"
    " each is its own participant, known by its"
)
NO_LABELS = (list, tuple, dict, bytes, complex, np.ndarray)
"""what names no group"""
FLAGS = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, slots=True, eq=False)
class ItemTable:
    """Rows sorted by participant and item; only included participants have rows."""

    participants: tuple[Participant, ...]
    """included (successful) participants, sorted; each has at least one row"""
    items: tuple[str, ...]
    cluster: Indices
    """row -> index into participants"""
    item: Indices
    """row -> index into items"""
    prediction: Array
    """NaN where the system abstained"""
    truth: Array
    answered: Mask
    signals: Mapping[str, Signal]
    source: Source
    failed: tuple[Participant, ...] = ()
    """participants on which the system failed, sorted; they have no rows"""
    n_unscored: int = 0
    """item rows of included participants left out because they have no truth"""
    scale: Scale | None = None
    count: Array | None = None
    """how many items each row stands for, in an aggregated table"""
    group: tuple[str, ...] | None = None
    unscored: tuple[Participant, ...] = ()
    """participants left out because none of their rows has a truth"""
    notes: tuple[str, ...] = ()
    """what a reader of the numbers should know about the population, one sentence each"""
    unit: str = "participant"
    """what a participant is: a row where rows are independent"""
    labels: Labels | None = None
    """what predictions and truths are codes of, where they are no numbers"""
    stated_loss: str | None = None
    """the column of losses, where a table states them: predictions are losses, truths 0"""
    about: About | None = None
    """of the unit table that it is, where an engine made one"""
    by_place: bool = False
    """items have no names: each is known by its place among the rows"""

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return self.truth.size

    @property
    def size(self) -> Array:
        """Return how many items every row stands for."""
        return np.ones(self.n_rows) if self.count is None else self.count

    def place(self, row: int) -> str:
        """Name a row in a message: file, participant, item."""
        participant = self.participants[self.cluster[row]]
        item = self.items[self.item[row]]
        return f"{self.source.path}: {self.unit} {participant}, item {item}"

    def select(self, participants: Collection[Participant]) -> ItemTable:
        """Keep only these included participants; `failed` stays as it is."""
        wanted = set(participants)
        unknown = wanted.difference(self.participants)
        if unknown:
            msg = f"{self.source.path} has no rows of participant {min(map(str, unknown))}"
            raise ColumnError(msg)
        kept = np.array([each in wanted for each in self.participants], dtype=np.bool_)
        rows = np.flatnonzero(kept[self.cluster]) if kept.size else self.cluster
        return replace(
            self.take(rows),
            participants=tuple(each for each in self.participants if each in wanted),
            cluster=(np.cumsum(kept) - 1)[self.cluster[rows]],
        )

    def only(self, rows: Indices) -> ItemTable:
        """Keep some rows, and the included participants who have such rows."""
        included, cluster = np.unique(self.cluster[rows], return_inverse=True)
        participants = tuple(self.participants[each] for each in included)
        return replace(self.take(rows), participants=participants, cluster=cluster)

    def take(self, rows: Indices) -> ItemTable:
        """Keep some rows, in the order given; who the participants are stays as it is."""
        return replace(
            self,
            cluster=self.cluster[rows],
            item=self.item[rows],
            prediction=self.prediction[rows],
            truth=self.truth[rows],
            answered=self.answered[rows],
            signals={name: each.take(rows) for name, each in self.signals.items()},
            count=None if self.count is None else self.count[rows],
            group=None if self.group is None else tuple(self.group[row] for row in rows),
        )


def items_from_cells(
    raw: Table,
    *,
    columns: TableColumns,
    order: Sequence[str] = (),
    stands_for: Array | None = None,
) -> ItemTable:
    """Check cells and build the table: the one way from columns to a `ItemTable`.

    Items that are all named in `order` come in it, others are sorted. `stands_for` says how many
    rows each one is, where an engine has counted them.
    """
    _check_names(raw, columns)
    if columns.answered is not None:
        raw = _masked(raw, columns)
    who, everyone = _participants(raw, columns)
    success = _success(raw, columns, who, everyone)
    prediction, truth, labels = answers(raw, columns, success)
    scored = success & ~np.isnan(truth)
    unscored = success & ~scored
    item, items = _items(raw, columns, who, order)
    _check_repetition(raw, columns, who * len(items) + item)
    rows = np.flatnonzero(scored)
    rows = rows[np.lexsort((item[rows], who[rows]))]
    included, cluster = np.unique(who[rows], return_inverse=True)
    return ItemTable(
        participants=tuple(everyone[each] for each in included),
        items=items,
        cluster=cluster,
        item=item[rows],
        prediction=prediction[rows],
        truth=truth[rows],
        answered=~np.isnan(prediction[rows]),
        signals=_signals(raw, columns, rows),
        source=raw.source,
        failed=tuple(everyone[each] for each in np.unique(who[~success])),
        n_unscored=int(np.sum(unscored if stands_for is None else unscored @ stands_for)),
        scale=columns.scale,
        count=_counts(raw, columns, scored, rows),
        group=_groups(raw, columns, rows),
        unscored=tuple(everyone[each] for each in np.setdiff1d(who[success], included)),
        notes=_notes(raw, columns),
        unit="participant" if columns.participant in raw.columns else "row",
        labels=labels,
        stated_loss=columns.stated_loss,
        by_place=columns.item not in raw.columns or _unnamed(raw, columns),
    )


def _check_names(raw: Table, columns: TableColumns) -> None:
    usual = TableColumns()
    optional = set(usual.names()) - {usual.prediction, usual.truth}
    for role, name in columns.roles().items():
        if name not in raw.columns and (name not in optional or role == "loss"):
            raise _absent(raw, role, name)
    if not len(raw.columns[columns.answer]):
        msg = f"{raw.source.path} has no rows"
        raise ColumnError(msg, hint="a table needs a prediction and a truth per row")


def _absent(raw: Table, role: str, name: str) -> ColumnError | UsageError:
    if role == "loss":
        msg = f"there is no loss {quoted(name)}, and no such column in {raw.source.path}"
        known = f"the losses are {', '.join(LOSSES)}; the columns are {listed(raw.columns)}"
        return UsageError(msg, hint=near(name, [*LOSSES, *raw.columns]) or known)
    msg = f"{raw.source.path} has no column {named(name)}"
    present = f"its columns are {listed(raw.columns)}; `{role}` names the one that is meant"
    return ColumnError(msg, hint=raw.hint or present)


def _masked(raw: Table, columns: TableColumns) -> Table:
    """Leave out the answers that are marked as none; the others must be there."""
    name, answer = columns.roles()["answered"], columns.answer
    flag = signal(raw.columns[name]).value
    broken = np.flatnonzero(~np.isin(flag, (0.0, 1.0)))
    if broken.size:
        raw.refuse(int(broken[0]), name, "true or false", hint="false means abstained")
    given = signal(raw.columns[answer])
    empty = np.isnan(given.value) & np.isin(given.state, (State.NUMBER, State.NULL))
    marked = np.flatnonzero(empty & (flag == 1.0))
    if marked.size:
        place = f"{raw.source.path}, {raw.place(int(marked[0]))}"
        msg = f"{place} is marked as answered and has no {named(answer)}"
        hint = "leave `answered` out: an empty cell is an abstention"
        raise ColumnError(msg, hint=hint)
    kept = [each if kept else None for each, kept in zip(raw.columns[answer], flag, strict=True)]
    return replace(raw, columns={**raw.columns, answer: kept})


def _participants(raw: Table, columns: TableColumns) -> tuple[Indices, tuple[Participant, ...]]:
    """Return whose each row is; independent rows go by their item where that tells them apart."""
    if columns.participant in raw.columns:
        return ranked_ids(ids(raw, columns.participant))
    if _known_by_item(raw, columns):
        return ranked_ids(ids(raw, columns.item))
    return ranked_ids(range(len(raw.columns[columns.answer])))


def _known_by_item(raw: Table, columns: TableColumns) -> bool:
    if columns.item not in raw.columns:
        return False
    cells = ids(raw, columns.item)
    return len(known_cells(cells)) == len(cells)


def _unnamed(raw: Table, columns: TableColumns) -> bool:
    return columns.participant not in raw.columns and not _known_by_item(raw, columns)


def _notes(raw: Table, columns: TableColumns) -> tuple[str, ...]:
    if columns.participant in raw.columns:
        return ()
    return (f"{INDEPENDENT} {'item' if _known_by_item(raw, columns) else 'place'}",)


def _success(
    raw: Table, columns: TableColumns, who: Indices, everyone: Sequence[Participant]
) -> Mask:
    """Return which rows belong to participants on whom the system did not fail."""
    if columns.success not in raw.columns:
        return np.ones(who.size, dtype=np.bool_)
    given = signal(raw.columns[columns.success])
    broken = np.flatnonzero(~np.isin(given.value, (0.0, 1.0)))
    if broken.size:
        raw.refuse(int(broken[0]), columns.success, "true or false", hint="false means failed")
    success: Mask = given.value == 1.0
    mixed = np.intersect1d(who[success], who[~success])
    if mixed.size:
        name = everyone[mixed[0]]
        msg = f"{raw.source.path}: `{columns.success}` of participant {name} is both true and false"
        raise ColumnError(msg, hint="the system fails on a participant as a whole, or not at all")
    return success


def _items(
    raw: Table, columns: TableColumns, who: Indices, order: Sequence[str]
) -> tuple[Indices, tuple[str, ...]]:
    """Return the item of every row; without the column, rows are numbered per participant."""
    if columns.item not in raw.columns:
        rows = np.argsort(who, kind="stable")
        starts = np.searchsorted(who[rows], who[rows])
        number = np.empty_like(who)
        number[rows] = np.arange(who.size) - starts
        return number, tuple(str(each + 1) for each in range(int(number.max()) + 1))
    cells = ids(raw, columns.item)
    item, names = ranked_ids(cells)
    if set(order).issuperset(names):
        names = tuple(name for name in order if name in names)
        item = np.array([names.index(cell) for cell in cells], dtype=np.int64)
    return item, tuple(map(str, names))


def _check_repetition(raw: Table, columns: TableColumns, keys: Indices) -> None:
    if columns.count in raw.columns:
        return
    _, first = np.unique(keys, return_index=True)
    if first.size < keys.size:
        row = int(np.setdiff1d(np.arange(keys.size), first)[0])
        who, item = (raw.columns[name][row] for name in (columns.participant, columns.item))
        msg = f"{raw.source.path}, {raw.place(row)}: participant {who} has item {item} twice"
        hint = f"one row per participant and item, or a column `{columns.count}` saying how many"
        raise ColumnError(msg, hint=hint)


def _counts(raw: Table, columns: TableColumns, used: Mask, rows: Indices) -> Array | None:
    if columns.count not in raw.columns:
        return None
    given = signal(raw.columns[columns.count])
    whole = np.isfinite(given.value) & (given.value > 0) & (given.value == np.floor(given.value))
    broken = np.flatnonzero(used & ~(whole & (given.state == State.NUMBER)))
    hint = "it says how many items the row stands for"
    if broken.size:
        raw.refuse(int(broken[0]), columns.count, "a whole number above 0", hint=hint)
    beyond = np.flatnonzero(used & (given.value > LARGEST_COUNT))
    if beyond.size:
        raw.refuse(int(beyond[0]), columns.count, "at most 10^15", hint=hint)
    return given.value[rows]


def _groups(raw: Table, columns: TableColumns, rows: Indices) -> tuple[str, ...] | None:
    if columns.group not in raw.columns:
        return None
    cells = raw.columns[columns.group]
    for row in rows:
        cell = cells[row]
        if isinstance(cell, NO_LABELS) or (type(cell) is str and not writable(cell)):
            raw.refuse(int(row), columns.group, "a number or a text", hint="one value per row")
    return tuple(_group(plain(cells[row])) for row in rows)


def _group(cell: Any) -> str:
    """Spell the label of a group; a flag as in files, and nothing where there is none."""
    if cell is None or type(cell) is State:
        return ""
    return str(cell).lower() if type(cell) is bool else str(cell).strip()


def _signals(raw: Table, columns: TableColumns, rows: Indices) -> dict[str, Signal]:
    names = [name for name in raw.columns if name not in columns.names()]
    return {name: signal(raw.columns[name]).take(rows) for name in names}


def losses_of(table: ItemTable, name: str) -> Array:
    """Return the loss of every row of a table, of labels only where equality is all it takes."""
    if table.stated_loss is not None:
        return table.prediction
    if table.labels is not None and name != EQUALITY:
        msg = f"{table.labels.found}, and the loss {name} needs numbers"
        hint = "texts are labels, which `loss` zero_one compares (a calibrator: target correctness)"
        raise ColumnError(msg, hint=hint)
    found = losses(name, table.prediction, table.truth, scale=table.scale)
    beyond = np.flatnonzero(found > COLUMNS["loss"].high)  # its sums would be infinite
    if beyond.size:
        row = int(beyond[0])
        pair = f"{table.prediction[row]:g} and {table.truth[row]:g}"
        msg = f"{table.place(row)}: the loss {name} between {pair} has sums beyond a double"
        raise ColumnError(msg, hint="correct the values, or measure them in a larger unit")
    return found


def item_table(table: Table, columns: TableColumns) -> ItemTable:
    """Read a table as one row per participant and item."""
    if table.counts is not None:  # rows that an engine counted have no names any more
        columns = replace(columns, item=TableColumns().item)
    roles = {name: role for role, name in columns.roles().items()}
    cells: dict[str, Sequence[Any]] = {}
    names = [columns.participant, columns.item, columns.group, columns.success]
    numbers = [name for name in table.columns if name not in names]
    table.fetch(numbers=numbers, names=names)
    for name in table.columns:
        own = _listed(table.columns[name])
        if table.source.sha256 is None and (read := PLAIN.get(roles.get(name, ""))):
            own = [*map(read, own)]
        cells[name] = _typed(name, own, columns) if table.source.format == "csv" else own
    if table.counts is not None:
        cells[columns.count] = _multiplied(cells.get(columns.count), table.counts)
    n_rows = len(cells.get(columns.answer, ()))
    for name, own in cells.items():
        if columns.answer in cells and len(own) != n_rows:
            answer = f"{named(columns.answer)} has {n_rows}"
            msg = (
                f"{table.source.path}: {named(name)} has {counted(len(own), 'row')} where {answer}"
            )
            raise ColumnError(msg, hint="the columns describe the same rows, in one order")
    raw = Table(cells, table.place, table.source, table.hint)
    # The order of the run files, so that a run exported as a table gives the same rows.
    found = items_from_cells(raw, columns=columns, order=PHQ8_ITEMS, stands_for=table.counts)
    return replace(found, about=table.about)


def _multiplied(stated: Sequence[Any] | None, counts: Array) -> Sequence[Any]:
    """Return how many items rows stand for that an engine has counted."""
    if stated is None:
        return Nullable(counts, np.zeros(counts.size, np.bool_))
    number = signal(stated)
    held = number.state == State.NUMBER
    both = zip(stated, held.tolist(), (number.value * counts).tolist(), strict=True)
    return [product if is_number else cell for cell, is_number, product in both]


def _listed(values: Any) -> Sequence[Any]:
    """Return cells as Python has them, also of an array with one column."""
    values = values.cells() if isinstance(values, LazyColumn) else values
    if isinstance(values, Column):
        return values
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "fiu":
        return Nullable(values, np.zeros(values.size, np.bool_))
    if not isinstance(values, np.ndarray):
        return [each.item() if isinstance(each, np.generic) else each for each in values]
    cells: list[Any] = (values.reshape(-1) if values.size == len(values) else values).tolist()
    return cells


def _whole(cell: Any) -> Any:
    """Return an id that an array made a float as the whole number it is."""
    return int(cell) if type(cell) is float and cell.is_integer() else cell


def _label(cell: Any) -> Any:
    return None if type(cell) is float and np.isnan(cell) else _whole(cell)


def _name(cell: Any) -> Any:
    return cell.strip() if type(cell) is str else _whole(cell)


PLAIN: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("participant", "item"), _name),
    "group": _label,
}
"""how arrays and frames hold what a file would spell otherwise, by role"""


def _typed(name: str, texts: Sequence[Any], columns: TableColumns) -> Sequence[Any]:
    """Give the texts of a column the types they would have in JSON."""
    kinds: dict[str, Callable[[str], Any]] = {
        columns.participant: str.strip,
        columns.item: str.strip,
        columns.group: str.strip,
        columns.success: lambda text: FLAGS.get(text.strip().lower(), text),
    }
    convert = kinds.get(name)
    if isinstance(texts, Column):
        return (texts if convert is None else texts.as_names()).converted(convert or number_or_text)
    return list(map(convert or number_or_text, texts))
