"""Run files of a questionnaire system: one object whose `experiments` hold participants by mode.

The items are those of the PHQ-8, scored from 0 to 3, unless `provenance` names `items` and `scale`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec.structs import astuple

from assay._kernels import json_cells
from assay.columns import COLUMNS
from assay.derive.signals import Signal, State, found, signal
from assay.errors import ArtifactError, ColumnError, UsageError
from assay.showing import listed, quoted, shortened
from assay.sources.content import Content, check_text, decoded_json, holds_run
from assay.sources.formats import Format
from assay.sources.items import PHQ8_ITEMS, ItemTable
from assay.sources.names import ID_NEEDS, Participant, ranked_ids, usable_id
from assay.sources.run_cells import WAY, Asked, Cells, NotPlainError, paths, points
from assay.sources.tabular import Source

if TYPE_CHECKING:
    from assay.columns import Array

RUN_SHAPE = (
    "a run file holds `experiments`, a list of objects with `provenance` and `results`;"
    " item tables are read from .csv, .jsonl and .parquet"
)
SIGNALS_SHAPE = "`item_signals` holds one object per item, with one number or null per signal"
PHQ8_SCALE = (0, 3)
MOST_SCORES = 1000
LONGEST_LIST = 200
"""characters of a list of items in a message"""
UNREADABLE = re.compile(r'["\\\x00-\x1f\ud800-\udfff]')
"""what the decoder does not take in the name of a key that it looks for"""
ANYTHING = msgspec.json.Decoder(Any)
NO_OBJECT = {b"": State.MISSING, b"null": None}
PARTIAL = "the run was stopped before every participant was asked: these are those who were"
SIGNALS = frozenset(name for name, column in COLUMNS.items() if column.signal)


class Provenance(msgspec.Struct):
    """What was asked for."""

    mode: str | None = None
    items: list[str] | None = None
    scale: tuple[int, int] | None = None


class Results(msgspec.Struct):
    """What came out; the participants stay undecoded until their mode is chosen."""

    results: msgspec.Raw
    mode: str | None = None


class Experiment(msgspec.Struct):
    """One mode of a run."""

    results: Results
    provenance: Provenance | None = None

    def modes(self) -> tuple[str, ...]:
        """Return the names this experiment goes by, the results' own first."""
        provenance = self.provenance.mode if self.provenance else None
        return tuple(mode for mode in (self.results.mode, provenance) if mode and mode.strip())


class Metadata(msgspec.Struct):
    """What identifies the run."""

    run_id: str | None = None
    git_commit: str | None = None
    partial: Any = None
    """what stopped the run before everybody was asked"""


class Run(msgspec.Struct):
    """The parts of a run file that are needed."""

    experiments: list[Experiment]
    run_metadata: Metadata | None = None


RUN = msgspec.json.Decoder(Run)


class Person(msgspec.Struct, gc=False):
    """One participant as stored; everything is checked here and not by the decoder."""

    participant_id: Any = State.MISSING
    success: Any = State.MISSING
    predicted_items: msgspec.Raw = msgspec.Raw(b"")
    ground_truth_items: msgspec.Raw = msgspec.Raw(b"")
    item_signals: msgspec.Raw = msgspec.Raw(b"")


@dataclass(frozen=True, slots=True)
class Included(Asked):
    """The participants with rows, in their order."""

    ids: tuple[Participant, ...]
    people: Sequence[Person]


def run_of(content: Content, *, mode: str | None, signals: frozenset[str] | None) -> ItemTable:
    """Read one mode of a run file; `signals` limits which signals are converted.

    What most files hold is read in one pass. Only where that fails is it taken apart step by
    step, which names what is at fault.
    """
    names = tuple(sorted(SIGNALS if signals is None else signals))
    try:
        return _at_once(content, mode, names)
    except (NotPlainError, ArtifactError):
        return _by_step(content, mode, names)


def _by_step(content: Content, mode: str | None, names: tuple[str, ...]) -> ItemTable:
    run = decoded_json(RUN, content.data, place=content.path, hint=RUN_SHAPE)
    chosen = _chosen(run.experiments, mode, content.path)
    asked = _asked(chosen, content, names)
    people = _people(chosen.results.results, asked.place)
    ranks, ids = _ranked(people, asked.place)
    ordered = [people[index] for index in np.argsort(ranks)]
    success = [_succeeded(each, asked.place, who) for each, who in zip(ordered, ids, strict=True)]
    included = Included(
        place=asked.place,
        items=asked.items,
        scale=asked.scale,
        names=asked.names,
        ids=tuple(compress(ids, success)),
        people=list(compress(ordered, success)),
    )
    return _table(
        asked,
        _source(content, run, mode or next(iter(chosen.modes()), None)),
        participants=included.ids,
        failed=tuple(who for who, good in zip(ids, success, strict=True) if not good),
        prediction=_scores(included, "predicted_items", nullable=True),
        truth=_scores(included, "ground_truth_items", nullable=False),
        signals=_signals(included),
        notes=_notes(sum(each.success is State.MISSING for each in people), run),
    )


def _asked(chosen: Experiment, content: Content, names: tuple[str, ...]) -> Asked:
    place = ", mode ".join((content.path, *map(shortened, chosen.modes()[:1])))
    provenance = chosen.provenance or Provenance()
    return Asked(place, _items(provenance, place), _scale(provenance, place), names)


def _table(asked: Asked, source: Source, *, prediction: Array, **columns: Any) -> ItemTable:
    n_people, n_items = len(columns["participants"]), len(asked.items)
    return ItemTable(
        items=asked.items,
        cluster=np.repeat(np.arange(n_people), n_items),
        item=np.tile(np.arange(n_items), n_people),
        prediction=prediction,
        answered=~np.isnan(prediction),
        source=source,
        scale=(float(asked.scale[0]), float(asked.scale[1])),
        **columns,
    )


def _source(content: Content, run: Run, mode: str | None) -> Source:
    metadata = run.run_metadata or Metadata()
    return Source(
        path=content.path,
        sha256=content.sha256,
        format="run",
        mode=mode,
        run_id=metadata.run_id,
        git_commit=metadata.git_commit,
        modes=_all_modes(run.experiments),
    )


def _items(provenance: Provenance, place: str) -> tuple[str, ...]:
    """Return the items of a run, which must differ."""
    items = tuple(PHQ8_ITEMS if provenance.items is None else provenance.items)
    if not items or len(set(items)) < len(items):
        msg = f"{place}: `items` must name at least one item, and each once"
        raise ArtifactError(msg, hint="without `items` in `provenance` they are those of the PHQ-8")
    return items


def _scale(provenance: Provenance, place: str) -> tuple[int, int]:
    low, high = PHQ8_SCALE if provenance.scale is None else provenance.scale
    if not low < high < low + MOST_SCORES:
        msg = f"{place}: `scale` must be two whole numbers, the lower first, found {low} and {high}"
        raise ArtifactError(msg, hint="as in [0, 3]")
    return low, high


def _all_modes(experiments: Iterable[Experiment]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mode for each in experiments for mode in each.modes()))


def _chosen(experiments: Sequence[Experiment], mode: str | None, path: str) -> Experiment:
    matching = [each for each in experiments if mode is None or mode in each.modes()]
    if len(matching) == 1:
        return matching[0]
    if not experiments:
        msg = f"{path} holds no experiments"
        raise ArtifactError(msg, hint="`experiments` needs one object per mode")
    modes = listed(_all_modes(experiments))
    if not matching:
        msg = f"{path} has no mode {quoted(mode)}"
        raise UsageError(msg, hint=f"its modes are {modes}")
    if mode is None:
        msg = f"{path} holds {len(experiments)} experiments and no mode was chosen"
        raise UsageError(msg, hint=f"choose one with `mode`; the modes are {modes}")
    msg = f"{path} holds {len(matching)} experiments with mode {quoted(mode)}; one can be meant"
    raise ArtifactError(msg, hint="keep one of them, or give each its own mode")


def _at_once(
    content: Content,
    mode: str | None,
    names: tuple[str, ...],
    items: tuple[str, ...] = PHQ8_ITEMS,
) -> ItemTable:
    """Read a run whose participants are all as they should be."""
    if any(map(UNREADABLE.search, (*items, *names))):
        raise NotPlainError
    found = json_cells(content.data, WAY, paths(items, names))
    if found is None:
        raise NotPlainError
    value, state, spans = found
    run = decoded_json(RUN, _without(content.data, spans), place=content.path, hint=RUN_SHAPE)
    chosen = _chosen(run.experiments, mode, content.path)
    asked = _asked(chosen, content, names)
    if asked.items != items:
        return _at_once(content, mode, names, asked.items)
    if len(spans) != len(run.experiments):
        raise NotPlainError
    check_text(content)
    *_, first, last = spans[[each is chosen for each in run.experiments].index(True)]
    cells = Cells(asked, content.data, value[first:last], state[first:last])
    source = _source(content, run, mode or next(iter(chosen.modes()), None))
    return _table(asked, source, **cells.columns(), notes=_notes(cells.n_missing(), run))


def _without(data: bytes, spans: Iterable[tuple[int, ...]]) -> bytes:
    """Return the text of a run with nobody in it."""
    places = [0, *chain.from_iterable(each[:2] for each in spans), len(data)]
    return b"[]".join(data[start:end] for start, end in zip(*[iter(places)] * 2, strict=True))


def _people(stored: msgspec.Raw, place: str) -> list[Person]:
    decoder = msgspec.json.Decoder(list[Person])
    people = decoded_json(decoder, stored, place=f"{place}: `results`", hint=RUN_SHAPE)
    if not people:
        msg = f"{place} holds no participants"
        raise ArtifactError(msg, hint="`results` needs one object per participant")
    return people


def _ranked(people: Sequence[Person], place: str) -> tuple[Any, tuple[Participant, ...]]:
    """Return the rank of every participant and the sorted ids, none of which may repeat."""
    ids = [person.participant_id for person in people]
    for index, each in enumerate(ids):
        if not usable_id(each):
            msg = (
                f"{place}: `participant_id` must be {ID_NEEDS}, found {found(each)} (entry {index})"
            )
            raise ColumnError(msg, hint="every entry of `results` needs its own id")
    ranks, ordered = ranked_ids(ids)
    if len(ordered) < len(ids):
        counts = np.bincount(ranks)
        who = shortened(str(ordered[counts.argmax()]))
        msg = f"{place}: participant {who} occurs {counts.max()} times"
        raise ColumnError(msg, hint="each participant may occur once per mode")
    return ranks, ordered


def _succeeded(person: Person, place: str, who: Participant) -> bool:
    if person.success is State.MISSING:
        return False
    if type(person.success) is not bool:
        where, shown = f"{place}: participant {shortened(str(who))}", found(person.success)
        msg = f"{where}: `success` must be true or false, found {shown}"
        raise ColumnError(msg, hint="false marks a participant on whom the system failed")
    return person.success


def _notes(n_missing: int, run: Run) -> tuple[str, ...]:
    note = f"participants without `success` count as failed: {n_missing}"
    partial = run.run_metadata and run.run_metadata.partial
    return (*((note,) if n_missing else ()), *((PARTIAL,) if partial else ()))


def _scores(included: Included, key: str, *, nullable: bool) -> Array:
    """Return the scores of all items, NaN where null; each must be on the scale."""
    cells = [
        cell
        for who, person in zip(included.ids, included.people, strict=True)
        for cell in _item_cells(_any(getattr(person, key), key, included, who), key, included, who)
    ]
    given = signal(cells)
    on_scale = np.isin(given.value, points(included)) & (given.state == State.NUMBER)
    usable = on_scale | (given.state == State.NULL) if nullable else on_scale
    if not usable.all():
        row = int(np.argmin(usable))
        (low, high), n_items = included.scale, len(included.items)
        who, item = str(included.ids[row // n_items]), included.items[row % n_items]
        msg = (
            f"{included.place}: participant {shortened(who)}, item {shortened(item)}: `{key}`"
            f" must be {'null or ' * nullable}a whole number from {low} to {high},"
            f" found {found(cells[row])}"
        )
        raise ColumnError(msg, hint=f"items are scored from {low} to {high}; null is an abstention")
    return given.value


def _by_item(items: Sequence[str], kind: Any) -> Any:
    """Return the shape of an object with items and no other key; None if it has none."""
    if any(map(UNREADABLE.search, items)):
        return None
    fields = [f"item_{number}" for number in range(len(items))]
    return msgspec.defstruct(
        "Items",
        [(each, kind) for each in fields],
        rename=dict(zip(fields, items, strict=True)),
        forbid_unknown_fields=True,
        gc=False,
    )


def _any(stored: msgspec.Raw, key: str, included: Included, who: Participant) -> Any:
    """Decode whatever a participant has under a key."""
    place = f"{included.place}: participant {shortened(str(who))}: `{key}`"
    return decoded_json(ANYTHING, stored, place=place, hint=RUN_SHAPE) if stored else State.MISSING


def _item_cells(items: Any, key: str, included: Included, who: Participant) -> Sequence[Any]:
    if type(items) is dict and items.keys() == set(included.items):
        return [items[item] for item in included.items]
    place = f"{included.place}: participant {shortened(str(who))}"
    raise _wrong_items(items, key, included.items, place)


def _wrong_items(items: Any, key: str, wanted: Sequence[str], place: str) -> ColumnError:
    hint = f"the items are {listed(wanted)}; a participant without them needs success false"
    if type(items) is not dict:
        return ColumnError(f"{place}: `{key}` must be an object, found {found(items)}", hint=hint)
    absent = [item for item in wanted if item not in items]
    extra = [quoted(item) for item in items if item not in wanted]
    faults = [f"lacks the item{'s' * (len(absent) > 1)} {_listed(absent)}"] if absent else []
    if extra:
        number = "an item" if len(extra) == 1 else f"{len(extra)} items"
        faults.append(f"has {number} too many, {_listed(extra)}")
    return ColumnError(f"{place}: `{key}` {' and '.join(faults)}", hint=hint)


def _listed(names: Sequence[str]) -> str:
    return shortened(", ".join(names), LONGEST_LIST)


def _signals(included: Included) -> dict[str, Signal]:
    """Return the signals that occur at all; a key absent from an item is missing there."""
    for name in included.names:
        if UNREADABLE.search(name):
            msg = f"{quoted(name)} cannot be the name of a signal"
            raise UsageError(msg, hint="names hold no quotes, backslashes and control characters")
    shape = _by_name(included.names)
    stored = list(chain.from_iterable(_stored_signals(included, shape)))
    columns = {
        name: signal(list(map(attrgetter(field), stored)))
        for name, field in zip(included.names, shape.__struct_fields__, strict=True)
    }
    return {name: each for name, each in columns.items() if (each.state != State.MISSING).any()}


def _by_name(names: Sequence[str]) -> Any:
    """Return the shape of the signals of one item."""
    fields = [f"signal_{number}" for number in range(len(names))]
    return msgspec.defstruct(
        "Signals",
        [(field, Any, State.MISSING) for field in fields],
        rename=dict(zip(fields, names, strict=True)),
        gc=False,
    )


def _stored_signals(included: Included, shape: Any) -> Iterator[Sequence[Any]]:
    """Yield the signals of every participant by item: of all items, and of no others."""
    whole = _by_item(included.items, shape)
    decode = None if whole is None else msgspec.json.Decoder(whole).decode
    for who, person in zip(included.ids, included.people, strict=True):
        try:
            items: Sequence[Any] = astuple(decode(person.item_signals)) if decode else ()
        except msgspec.MsgspecError:
            items = ()
        if not items:
            place = f"{included.place}: participant {shortened(str(who))}"
            stored = _item_by_item(person, shape, place=place)
            items = _item_cells(stored, "item_signals", included, who)
        yield items


def _item_by_item(person: Person, shape: Any, *, place: str) -> Any:
    """Decode signals one item at a time, so that a refusal names the item."""
    if bytes(person.item_signals).strip() in NO_OBJECT:
        return NO_OBJECT[bytes(person.item_signals).strip()]
    stored = decoded_json(
        msgspec.json.Decoder(dict[str, msgspec.Raw]),
        person.item_signals,
        place=f"{place}: `item_signals`",
        hint=SIGNALS_SHAPE,
    )
    decoder = msgspec.json.Decoder(shape)
    return {
        item: decoded_json(
            decoder,
            each,
            place=f"{place}, item {shortened(item)}: `item_signals`",
            hint=SIGNALS_SHAPE,
        )
        for item, each in stored.items()
    }


def _holds(content: Content) -> bool:
    return content.data.lstrip()[:1] == b"{" and holds_run(content.data)


FORMAT = Format("run", (".json", ".jsonl", ".ndjson"), _holds, run_of, gives="items")
