"""The one record of an evaluation: what was read and how, every number, every difference.

All families share it. What only one of them has (curves, strata, cases) are its parts, whose
records the family declares: `Artifact[variant parts, system parts, whole parts]` is the type that
a file of that family is read as.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType, field

from assay.showing import counted, inert, named, shortened

__all__ = [
    "SCHEMA_VERSION",
    "Against",
    "Artifact",
    "Board",
    "Delta",
    "Described",
    "Engine",
    "Group",
    "Input",
    "Interval",
    "NoParts",
    "Number",
    "Numbers",
    "Pair",
    "Points",
    "Record",
    "Reference",
    "Resampling",
    "Scalar",
    "Slice",
    "System",
    "Tool",
    "Variant",
    "encode",
    "fault",
    "shape_fault",
]

SCHEMA_VERSION = "2"
Number = float | None
"""null where undefined; the reason stands beside it"""
Interval = tuple[float, float] | None
Numbers = list[Number]
Fact = str | bool | int | float | None | list[str | float | None] | dict[str, str | float | None]
"""a convention, or something said about an input or a system"""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A JSON object whose keys come in the order of its fields."""


class Points(Record, frozen=True, kw_only=True):
    """Lists side by side, with an entry per point."""


class NoParts(Record, frozen=True, kw_only=True):
    """The parts of what has none."""


class Tool(Record, frozen=True, kw_only=True):
    """What computed the numbers."""

    name: str
    version: str
    kernels: Literal["compiled", "numpy"]


class Engine(Record, frozen=True, kw_only=True):
    """What took the rows apart and counted them, before any number was computed."""

    name: str
    """memory, or the engine that read or reduced the input"""
    version: str | None = None


class Resampling(Record, frozen=True, kw_only=True):
    """How the intervals came about."""

    unit: str
    n_units: int
    n_resamples: int
    seed: int
    stream: Literal["legacy", "counter"]
    level: float
    method: str
    """`auto`: as each number says"""


class Described(Record, frozen=True, kw_only=True):
    """What a metric is called and which way is better, told once for all its numbers."""

    title: str
    better: Literal["lower", "higher"] | None


class Scalar(Record, frozen=True, kw_only=True):
    """One number with its error bar."""

    value: Number
    reason: str | None
    """why the value is null"""
    interval: Interval
    interval_reason: str | None
    """why the interval is null"""
    standard_error: Number
    n_undefined: int
    """resamples on which the number is undefined; they are in no interval"""
    exact_interval: Interval = None
    """Clopper-Pearson, where the number is a share of independent units"""
    at_worst: Number = None
    """the number if everything that was not answered had gone wrong; null where all was answered"""
    at_worst_interval: Interval = None
    interval_method: str | UnsetType | None = UNSET
    """how the interval was read, where that is not the same for all numbers"""
    middle: Number | UnsetType = UNSET
    """the truth at which a number that noise can only raise is as often too high as too low"""
    percentile_interval: Interval | UnsetType = UNSET
    """where an earlier program wrote that one, and ours is another"""
    options: dict[str, str | int | float | None]
    exact: bool = True
    """false where rows were merged on the way, so that the value is known up to its bracket"""
    bracket: Interval = None
    """where the exact value lies for certain, if it is not exact"""


class Delta(Record, frozen=True, kw_only=True):
    """A paired difference, right minus left, on shared resamples."""

    left: Number
    right: Number
    delta: Number
    reason: str | None
    interval: Interval
    interval_reason: str | None
    standard_error: Number
    p_value: Number
    p_holm: Number
    """corrected for all pairs that are compared in the same number"""
    n_undefined: int
    word: Literal["better", "worse", "differs"] | None = None
    """what the difference means for the right side"""
    word_reason: str | None = None
    """why there is no word"""
    detectable: Number = None
    """the difference that would have shown 8 times in 10; null without a standard error"""
    interval_method: str | UnsetType | None = UNSET
    test: str | UnsetType | None = UNSET
    """how the p-value came about, where it is not that of the percentile interval"""
    percentile_interval: Interval | UnsetType = UNSET
    """where an earlier program wrote that one, and ours is another"""


class Input(Record, frozen=True, kw_only=True):
    """One file that was read, and as what."""

    role: str
    path: str
    sha256: str | None
    format: str
    n_rows: int
    mode: str | None = None
    """which experiment of a run; null for other files, as are the next two"""
    run_id: str | None = None
    git_commit: str | None = None
    counts: dict[str, int] = field(default_factory=dict)
    about: dict[str, Fact] = field(default_factory=dict)


class Slice(Record, frozen=True, kw_only=True):
    """Some of the rows, with all numbers on these rows alone."""

    label: str
    n_rows: int
    counts: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, Scalar]


VariantParts = TypeVar("VariantParts")
SystemParts = TypeVar("SystemParts")
WholeParts = TypeVar("WholeParts")


class Variant(Record, Generic[VariantParts], frozen=True, kw_only=True):
    """All numbers of one system under one variant (a confidence, a level, a reading)."""

    n_rows: int
    counts: dict[str, int] = field(default_factory=dict)
    about: dict[str, Fact] = field(default_factory=dict)
    numbers: dict[str, Scalar]
    parts: VariantParts
    slices: list[Slice] = field(default_factory=list)


class System(Record, Generic[VariantParts, SystemParts], frozen=True, kw_only=True):
    """One system; the variant with the empty name holds numbers that no variant changes."""

    name: str
    input: int
    about: dict[str, Fact] = field(default_factory=dict)
    variants: dict[str, Variant[VariantParts]]
    parts: SystemParts


class Pair(Record, frozen=True, kw_only=True):
    """Two systems: every difference, right minus left, by variant."""

    left: int
    right: int
    counts: dict[str, int] = field(default_factory=dict)
    deltas: dict[str, dict[str, Delta]]


class Against(Record, frozen=True, kw_only=True):
    """One system minus the reference."""

    system: int
    delta: Delta


class Reference(Record, frozen=True, kw_only=True):
    """A system that all others are compared with; p-values are corrected for these comparisons."""

    system: int
    others: list[Against]
    """the best first"""


class Group(Record, frozen=True, kw_only=True):
    """The best of those that no earlier group has, and all that cannot be told from it."""

    leader: int
    members: list[int]
    """the leader among them, the best first"""


class Board(Record, frozen=True, kw_only=True):
    """Systems in the order of one number, from four on, and which cannot be told apart."""

    variant: str
    label: str
    better: Literal["lower", "higher"]
    order: list[int]
    """the best first; those that are not ranked come last"""
    unranked: dict[str, str]
    """systems by number that are in no group, each with the reason"""
    groups: list[Group]
    """empty where no resamples were asked for"""
    references: list[Reference]
    detectable: Number
    """what would have shown 8 times in 10 between the first leader and any member of its group"""


class Artifact(Record, Generic[VariantParts, SystemParts, WholeParts], frozen=True, kw_only=True):
    """An evaluation of one or several systems."""

    kind: str
    schema_version: str = SCHEMA_VERSION
    tool: Tool
    engine: Engine = Engine(name="memory")
    created_at: str
    command: str | None = None
    """what makes it again; null where a program asked, not a command"""
    inputs: list[Input]
    conventions: dict[str, Fact]
    resampling: Resampling
    warnings: list[str]
    metrics: dict[str, Described]
    """by name, as labels begin"""
    systems: list[System[VariantParts, SystemParts]]
    pairs: list[Pair]
    board: Board | UnsetType = UNSET
    """from four systems on"""
    parts: WholeParts


def encode(record: msgspec.Struct | Mapping[str, Any]) -> bytes:
    """Write a record as strict, indented JSON with a final newline."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


LARGEST = 2**63
Path = tuple[str, ...]


def fault(artifact: Artifact[Any, Any, Any]) -> str | None:
    """Return the first thing that does not fit together, in words, or None.

    What a program writes fits. A file that was edited may have the right shape and still name
    what is not in it; whoever shows an artifact relies on this having been looked at.
    """
    return next(_faults(artifact), None)


def shape_fault(record: msgspec.Struct) -> str | None:
    """Return the first value in a record that no program of ours writes, in words, or None."""
    return next((said for part in _inside(record, ()) for said in _misshapen(*part)), None)


def _faults(artifact: Artifact[Any, Any, Any]) -> Iterator[str]:
    for name in ("inputs", "systems"):
        if not getattr(artifact, name):
            yield f"`{name}` is empty"
    for number, system in enumerate(artifact.systems):
        yield from _outside(system.input, artifact.inputs, ("systems", str(number), "input"))
        if not system.variants:
            yield f"`systems.{number}.variants` is empty"
    for number, pair in enumerate(artifact.pairs):
        for side in ("left", "right"):
            place = ("pairs", str(number), side)
            yield from _outside(getattr(pair, side), artifact.systems, place)
    yield from _board_faults(artifact)
    yield from _unknown_metrics(artifact)
    yield from _unlike(artifact)
    for part, path in _inside(artifact, ()):
        yield from _misshapen(part, path)


def _board_faults(artifact: Artifact[Any, Any, Any]) -> Iterator[str]:
    """Look for systems of the board that are none, twice or lacking, and for numbers they lack."""
    board = artifact.board
    if not isinstance(board, Board):
        return
    every = [*range(len(artifact.systems))]
    if sorted(board.order) != every:
        yield "`board.order` does not hold every system once"
    grouped = sorted(each for group in board.groups for each in group.members)
    ranked = [each for each in every if str(each) not in board.unranked]
    if board.groups and grouped != ranked:
        yield "`board.groups` do not hold every ranked system once"
    for group in board.groups:
        if group.leader not in group.members:
            yield "a leader is not in its group in `board.groups`"
    for each in board.references:
        others = sorted(one.system for one in each.others)
        if each.system not in every or others != [one for one in every if one != each.system]:
            yield f"`board.references` of {each.system} do not hold every other system once"
    for system in artifact.systems:
        if board.label not in getattr(system.variants.get(board.variant), "numbers", {}):
            yield f"{named(system.name)} lacks the number of `board`"


def _outside(place: int, known: Collection[Any], path: Path) -> Iterator[str]:
    if not 0 <= place < len(known):
        yield f"{_at(*path)} is {place}, and there are {len(known)}, counted from 0"


def _unknown_metrics(artifact: Artifact[Any, Any, Any]) -> Iterator[str]:
    """Look for numbers, of slices and of pairs too, that nothing is said about."""
    held: dict[Path, Collection[str]] = {}
    for number, system in enumerate(artifact.systems):
        for name, variant in system.variants.items():
            path: Path = ("systems", str(number), "variants", name)
            held[*path, "numbers"] = variant.numbers
            held |= {(*path, "slices", each.label): each.numbers for each in variant.slices}
    for number, pair in enumerate(artifact.pairs):
        held |= {("pairs", str(number), "deltas", name): of for name, of in pair.deltas.items()}
    for path, labels in held.items():
        for label in labels:
            if label.partition("@")[0] not in artifact.metrics:
                yield f"{_at(*path, label)} is not among `metrics`"


def _unlike(artifact: Artifact[Any, Any, Any]) -> Iterator[str]:
    """Look for systems that do not have the same numbers under a variant that they share."""
    first: dict[str, tuple[Path, Collection[str]]] = {}
    for number, system in enumerate(artifact.systems):
        for name, variant in system.variants.items():
            path: Path = ("systems", str(number), "variants", name)
            yield from _differing(first.setdefault(name, (path, variant.numbers)), path, variant)
            for piece in variant.slices:
                held = (*path, "slices", piece.label)
                one = (held, variant.slices[0].numbers)
                yield from _differing(one, held, piece)


def _differing(
    first: tuple[Path, Collection[str]], path: Path, held: Variant[Any] | Slice
) -> Iterator[str]:
    for label in sorted({*held.numbers} ^ {*first[1]}):
        one, other = (path, first[0]) if label in held.numbers else (first[0], path)
        yield f"{_at(*one)} has {named(label)}, and {_at(*other)} has not"


def _inside(value: Any, path: Path) -> Iterator[tuple[Any, Path]]:
    """Yield everything inside, with where it stands."""
    yield value, path
    members: Iterable[tuple[Any, Any]] = ()
    match value:
        case msgspec.Struct():
            members = ((name, getattr(value, name)) for name in value.__struct_fields__)
        case dict():
            members = value.items()
        case list() | tuple():
            members = enumerate(value)
    for name, member in members:
        yield from _inside(member, (*path, str(name)))


def _misshapen(part: Any, path: Path) -> Iterator[str]:
    match part:
        case bool():
            return
        case int() if abs(part) >= LARGEST:
            yield f"{_at(*path)} is a number with more than 18 digits"
        case float() if not math.isfinite(part):
            yield f"{_at(*path)} is not a finite number"
        case Points():
            yield from _unequal(part, path)


def _unequal(part: Points, path: Path) -> Iterator[str]:
    lists = {
        name: values
        for name in part.__struct_fields__
        if isinstance(values := getattr(part, name), list)
    }
    first = next(iter(lists))
    for name, values in lists.items():
        if len(values) != len(lists[first]):
            points = counted(len(values), "point")
            yield f"{_at(*path)} has {len(lists[first])} of `{first}` and {points} of `{name}`"


def _at(*path: str) -> str:
    return f"`{'.'.join(shortened(inert(name)) for name in path)}`"
