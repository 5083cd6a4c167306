"""What the columns of an item table are called, and its ids, predictions and truths."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.columns import COLUMNS
from assay.derive.losses import Scale
from assay.derive.signals import State, found, signal
from assay.errors import UsageError
from assay.options import Option, option, option_record
from assay.showing import quoted
from assay.sources.names import ID_NEEDS, Labels, Participant, label_codes, usable_id

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array
    from assay.sources.tabular import Table

    Mask: TypeAlias = NDArray[np.bool_]

NEEDS = "a finite number or empty"
WITHOUT_SCALE = "texts are labels, which have no scale: leave `scale` out, or correct the value"
HINT = "an empty prediction is an abstention, an empty truth leaves the row unscored"


def _of_tables(meaning: str, *flags: str) -> Option:
    return Option(f"Plain tables: the column of {meaning}.", flags, column=True)


@option_record()
class TableColumns:
    """What the columns of a plain item table are called, and the scale they are on.

    All columns that are not named here are signals. `participant`, `item`, `count`, `group` and
    `success` are optional under these names; a name given in their place must exist. Without
    participants rows are independent: each is its own.
    """

    participant: str = option(
        "participant",
        _of_tables(
            "participant ids (without it rows are independent)", "--participant", "--cluster"
        ),
    )
    item: str = option("item", _of_tables("item names"))
    prediction: str = option("prediction", _of_tables("answers (empty: abstained)"))
    truth: str = option("truth", _of_tables("truths (empty: unscored)"))
    answered: str | None = option(None, _of_tables("whether there is an answer (false: abstained)"))
    count: str = option("count", _of_tables("how many items each row stands for"))
    group: str = option("group", _of_tables("group labels"))
    success: str = option("success", _of_tables("success (false: the system failed)"))
    scale: Scale | None = option(
        None,
        "Plain tables: the ends of the scale, needed by the loss abs_norm.",
        metavar="LOW,HIGH",
        hint="the two ends, as in 0,3",
    )

    def __post_init__(self) -> None:
        """Refuse a scale without width and one column in two roles."""
        if self.scale is not None and not -np.inf < self.scale[0] < self.scale[1] < np.inf:
            msg = f"`scale` must be two finite numbers, the lower first, found {self.scale}"
            raise UsageError(msg)
        names = self.names()
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"column {quoted(name)} is named for two different roles")

    @property
    def stated_loss(self) -> str | None:
        """The column that says what every answer costs, where no loss is computed."""
        return None

    @property
    def answer(self) -> str:
        """The column in which an empty cell is an abstention."""
        return self.stated_loss or self.prediction

    def names(self) -> tuple[str, ...]:
        """Return the column names, required ones first."""
        return tuple(self.roles().values())

    def roles(self) -> dict[str, str]:
        """Return the column of every role, required ones first."""
        asked = ("prediction", "truth") if self.stated_loss is None else ()
        others = ("participant", "item", "count", "group", "success", "answered")
        named = {role: getattr(self, role) for role in (*asked, *others)}
        stated = {"loss": self.stated_loss}
        return {role: name for role, name in (stated | named).items() if name is not None}


def known_cells(cells: Sequence[Any]) -> Collection[Any]:
    """Return the distinct cells of a column, or all of them where they cannot be told apart."""
    encoded = getattr(cells, "encoded", None)
    if encoded is not None:
        return encoded()[0]  # type: ignore[no-any-return]  # a list of cells
    return set(cells) if set(map(type, cells)) <= {int, str} else cells


def ids(raw: Table, column: str) -> Sequence[Participant]:
    """Return a column of ids, all numbers or all texts."""
    cells: Any = raw.columns[column]
    distinct = known_cells(cells)
    kinds = set(map(type, distinct))
    if not kinds <= {int, str} or not all(map(usable_id, distinct)):
        row = next(row for row, cell in enumerate(cells) if not usable_id(cell))
        raw.refuse(row, column, ID_NEEDS, hint=f"no row may lack its `{column}`")
    if len(kinds) > 1:
        row = next(row for row, cell in enumerate(cells) if type(cell) is not type(cells[0]))
        needs = "a text" if type(cells[0]) is str else "a whole number"
        hint = "make all ids numbers or all of them texts"
        raw.refuse(row, column, f"{needs} as in the rows above", hint=hint)
    checked: Sequence[Participant] = cells
    return checked


def answers(raw: Table, columns: TableColumns, success: Mask) -> tuple[Array, Array, Labels | None]:
    """Return predictions and truths, NaN where empty: numbers, or codes where some are texts.

    Rows that are not used may hold anything: a prediction where the system failed or there is no
    truth, a truth where the system failed.
    """
    if columns.stated_loss is not None:
        return _stated_losses(raw, columns.stated_loss, success), np.zeros(success.size), None
    truth, named = _measured(raw, columns.truth, success, columns.scale)
    scored = success & (named | ~np.isnan(truth))
    prediction, said = _measured(raw, columns.prediction, scored, columns.scale)
    if not (named.any() or said.any()):
        return prediction, truth, None
    answered = scored & ~said & ~np.isnan(prediction)
    sides = {columns.prediction: (said, answered), columns.truth: (named, scored & ~named)}
    _check_kinds(raw, sides)
    codes, names = label_codes(
        *(_labels(raw.columns[name], *kinds) for name, kinds in sides.items())
    )
    return codes[0], codes[1], Labels(names, _first(raw, sides))


def _stated_losses(raw: Table, column: str, success: Mask) -> Array:
    """Return what answers cost, NaN where there is none; true is 1, as an error is."""
    given, most = signal(raw.columns[column]), COLUMNS["loss"].high
    empty = np.isnan(given.value) & np.isin(given.state, (State.NUMBER, State.NULL))
    cost = np.isin(given.state, (State.NUMBER, State.BOOLEAN)) & (given.value >= 0)
    broken = np.flatnonzero(success & ~empty & ~(cost & (given.value <= most)))
    if broken.size:
        needs = f"a loss from 0 to {most:g}, or empty"
        raw.refuse(int(broken[0]), column, needs, hint="an empty loss is an abstention")
    return given.value


Sides: TypeAlias = "dict[str, tuple[Mask, Mask]]"
"""by column, which rows hold a label and which a number"""


def _measured(raw: Table, column: str, used: Mask, scale: Scale | None) -> tuple[Array, Mask]:
    """Return the numbers of a column, NaN where there is none, and which rows hold a label."""
    cells: Any = raw.columns[column]
    given = signal(cells)
    usable = np.isin(given.state, (State.NUMBER, State.NULL)) & ~np.isinf(given.value)
    texts = np.zeros(used.size, dtype=np.bool_)
    if scale is None and not usable.all():
        said = [type(cell) is str and cell.strip() != "" for cell in cells]
        texts = used & ((given.state == State.BOOLEAN) | said)
    broken = np.flatnonzero(used & ~usable & ~texts)
    if broken.size:
        row = int(broken[0])
        labelled = scale is not None and type(cells[row]) is str
        raw.refuse(row, column, NEEDS, hint=WITHOUT_SCALE if labelled else HINT)
    if scale is not None:
        outside = np.flatnonzero(used & ((given.value < scale[0]) | (given.value > scale[1])))
        if outside.size:
            needs = f"from {scale[0]:g} to {scale[1]:g}"
            raw.refuse(int(outside[0]), column, needs, hint="correct the value or the scale")
    return given.value, texts


def _check_kinds(raw: Table, sides: Sides) -> None:
    """Refuse texts on one side and numbers on the other: no answer could be right."""
    kinds = {name: [each.any() for each in both] for name, both in sides.items()}
    (one, own), (other, theirs) = kinds.items()
    if not any(own) or any(a and b for a, b in zip(own, theirs, strict=True)):
        return
    text, number = (one, other) if own[0] else (other, one)
    row = int(np.argmax(sides[text][0]))
    hint = "labels are texts in both columns, or numbers in both"
    raw.refuse(row, text, f"{NEEDS}, as in `{number}`", hint=hint)


def _labels(cells: Any, texts: Mask, numbers: Mask) -> list[float | str | None]:
    both = zip(cells, texts.tolist(), numbers.tolist(), strict=True)
    # A flag is the label that a file would spell.
    return [
        (cell if type(cell) is str else str(cell).lower())
        if text
        else float(cell)
        if number
        else None
        for cell, text, number in both
    ]


def _first(raw: Table, sides: Sides) -> str:
    """Say where the first text stands."""
    rows = [(int(np.argmax(texts)), name) for name, (texts, _) in sides.items() if texts.any()]
    row, name = min(rows, key=lambda each: each[0])
    where = f"{raw.source.path}, {raw.place(row)}"
    return f"{where}: `{name}` is {found(raw.columns[name][row])}"
