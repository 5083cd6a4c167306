"""A sheet of what was read from texts, to be corrected by hand and read back as truth.

A row is an output: what was read, and in `state` and `answer` the same, to be corrected. What
stands there when the sheet comes back is taken for true. Where rows are marked in `checked`, only
these count.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.derive.labels import spelled
from assay.errors import ArtifactError
from assay.showing import counted, quoted
from assay.sources.content import decoded_text, fault, load

if TYPE_CHECKING:
    from assay.derive.labels import LabelSet
    from assay.sources.outputs import ExtractedRow

STATES = ("answered", "none", "outside", "undecided", "refused", "failed")
NAMED = ("answered", "outside")
"""states in which the answer counts, too"""
COLUMNS = ("model", "id", "mode", "text", "method", "read_state", "read_answer")
TRUTH = ("state", "answer", "checked")
HEAD, TAIL = 600, 1800
"""characters of the beginning and of the end of a text that are shown"""
FORMULA = ("=", "+", "-", "@", "'")
"""signs with which a cell would be a formula in a spreadsheet"""
SHOWN = 8
SPREADSHEETS = (".xlsx", ".xls", ".ods", ".numbers")
"""names of files that only a spreadsheet writes"""
TRACE = 200
"""letters and digits that tell texts apart"""
NO_SHEET = "it is no sheet that --review wrote; name a file that is not there to have one written"
HINT = f"`state` is one of {', '.join(STATES)}; `answer` is a label where the state is answered"
Labels = Callable[[str], "LabelSet"]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One output as it was read, or as a person says it should be."""

    state: str
    answer: str


Key = tuple[str, str, str]
"""model, id and mode"""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A sheet that came back."""

    truth: dict[Key, Reviewed]
    """of the outputs that count"""
    checked: bool
    """whether only rows count that were marked"""
    untouched: bool
    """whether no row was marked, nor anything corrected"""
    texts: dict[Key, str]
    """what tells the texts apart"""


@dataclass(slots=True)
class Sheet:
    """Collects what was read, in order."""

    read: dict[Key, Reviewed] = field(default_factory=dict)
    rows: list[list[str]] = field(default_factory=list)
    texts: dict[Key, str] = field(default_factory=dict)

    def take(self, model: str, row: ExtractedRow, text: str) -> None:
        """Take one output that is in order."""
        state = row.outcome if row.state in {None, "limited"} else row.state
        if state is None:
            return
        answer = row.extracted_diagnosis if state in NAMED else ""
        self.read[model, row.id, row.mode] = Reviewed(state, answer)
        self.texts[model, row.id, row.mode] = _trace(text)
        shown = text if len(text) <= HEAD + TAIL else f"{text[:HEAD]} [...] {text[-TAIL:]}"
        cells = [model, row.id, row.mode, shown, row.extraction_method, state, answer]
        self.rows.append([*map(_written, cells), state, _written(answer), ""])

    def written(self) -> bytes:
        """Return the sheet as a file, with a mark by which spreadsheets know its encoding."""
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows([(*COLUMNS, *TRUTH), *self.rows])
        return out.getvalue().encode("utf-8-sig")


def _written(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _trace(text: str) -> str:
    """Return the letters and digits that a text begins with, which no spreadsheet changes."""
    return "".join(filter(str.isalnum, text[:HEAD]))[:TRACE]


def read_sheet(path: str) -> Corrected:
    """Read a sheet back: what is true of which output."""
    text = decoded_text(load(path))
    found = csv.DictReader(io.StringIO(text, newline=""), delimiter=_sign(text), strict=True)
    try:
        listed = [*found]
    except csv.Error as error:
        raise ArtifactError(f"{path} cannot be read: {fault(error)}", hint=HINT) from None
    needed = ("model", "id", "mode", "state", "answer")
    lacking = [name for name in needed if name not in (found.fieldnames or ())]
    if lacking:
        hint = HINT if len(lacking) == 1 else NO_SHEET
        raise ArtifactError(f"{path} has no column `{lacking[0]}`", hint=hint)
    rows, texts = {}, {}
    marked, touched = set(), set()
    for number, row in enumerate(listed, start=2):
        cells = {name: (row.get(name) or "").strip().removeprefix("'") for name in needed}
        key = (cells["model"], cells["id"], cells["mode"])
        state = cells["state"].lower()
        if state not in STATES:
            msg = f"{path}, row {number}: the state is {quoted(cells['state'])}"
            raise ArtifactError(msg, hint=HINT)
        if state in NAMED and not cells["answer"]:
            msg = f"{path}, row {number}: the state is {state}, and there is no answer"
            raise ArtifactError(msg, hint=HINT)
        if key in rows:
            msg = f"{path}, row {number}: {' '.join(map(quoted, key))} stands there twice"
            raise ArtifactError(msg, hint="every output has one row")
        rows[key] = Reviewed(state, cells["answer"])
        if row.get("text"):
            texts[key] = _trace(row["text"].removeprefix("'"))
        read = [(row.get(f"read_{name}") or "").strip() for name in ("state", "answer")]
        if read != [(row[name] or "").strip() for name in ("state", "answer")]:
            touched.add(key)
        if (row.get("checked") or "").strip():
            marked.add(key)
    truth = {key: rows[key] for key in rows if key in marked or not marked}
    return Corrected(truth, bool(marked), not marked | touched, texts)


def _sign(text: str) -> str:
    """Return the sign between the cells, which some programs change when they save a sheet."""
    head = text.partition("\n")[0]
    return max(",;\t", key=head.count)


@dataclass(frozen=True, slots=True)
class Quality:
    """How well a state was read: how often it was, how often it is so, how often both."""

    state: str
    n_read: int
    n_true: int
    n_both: int

    @property
    def precision(self) -> float | None:
        """The share of what was read so that is so."""
        return self.n_both / self.n_read if self.n_read else None

    @property
    def recall(self) -> float | None:
        """The share of what is so that was read so."""
        return self.n_both / self.n_true if self.n_true else None


def doubts(sheet: Sheet, corrected: Corrected, path: str) -> Iterator[str]:
    """Say where a sheet that came back says nothing, or speaks of other texts."""
    if corrected.untouched:
        told = "so far these figures compare what was read with itself"
        yield f"{path}: nothing was corrected, and no row is marked in `checked`: {told}"
    own = {key: text for key, text in corrected.texts.items() if key in corrected.truth}
    n = sum(sheet.texts.get(key, text) != text for key, text in own.items())
    if n:
        has = counted(n, "row has", "rows have")
        yield f"{path}: {has} another text than the generations now"


def quality(sheet: Sheet, truth: dict[Key, Reviewed], labels: Labels, path: str) -> list[Quality]:
    """Compare what was read with what is true, state by state, and the answers of all."""
    unknown = [key for key in truth if key not in sheet.read]
    if unknown:
        msg = f"{path}: there is no output {' '.join(map(quoted, unknown[0]))}"
        hint = "a sheet belongs to the generations it was written for; write a new one"
        raise ArtifactError(msg, hint=hint)
    for key, true in truth.items():
        place = f"{path}: {' '.join(map(quoted, key))}"
        _check_answer(true, sheet.read[key], labels(key[1]), place)
    pairs = [(key[1], sheet.read[key], true) for key, true in truth.items()]
    same = [(read, true, _same(read, true, labels(case))) for case, read, true in pairs]
    found = [_of_state(state, same) for state in STATES]
    right = sum(each.n_both for each in found)
    return [*found, Quality("all", len(same), len(same), right)]


def _check_answer(true: Reviewed, read: Reviewed, labels: LabelSet, place: str) -> None:
    """Refuse an answer that was written by hand and is no label, such as a slip of the pen."""
    if true.state != "answered" or true.answer == read.answer or labels.named(true.answer):
        return
    if read.answer and labels.named(read.answer) is None:
        return  # the options of the row itself, which are not known here
    msg = f"{place} is answered {quoted(true.answer)}, which is none of the labels"
    shown = ", ".join(each.name for each in labels.labels[:SHOWN])
    more = ", ..." if len(labels.labels) > SHOWN else ""
    raise ArtifactError(msg, hint=f"they are {shown}{more}; another answer is `outside`")


def _of_state(state: str, same: Sequence[tuple[Reviewed, Reviewed, bool]]) -> Quality:
    return Quality(
        state,
        sum(read.state == state for read, _, _ in same),
        sum(true.state == state for _, true, _ in same),
        sum(true.state == state and alike for _, true, alike in same),
    )


def _same(read: Reviewed, true: Reviewed, labels: LabelSet) -> bool:
    """Say whether state and answer are the same; another name of a label is the label."""
    if read.state != true.state or read.state not in NAMED:
        return read.state == true.state
    one, other = (_label(each.answer, labels) for each in (read, true))
    return one == other


def _label(answer: str, labels: LabelSet) -> str:
    label = labels.named(answer)
    return spelled(answer) if label is None else label.name
