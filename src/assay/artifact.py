"""The one record of an evaluation: what was read and how, every number, every difference.

All families share it. What only one of them has (curves, strata, cases) are its parts, whose
records the family declares: `Artifact[variant parts, system parts, whole parts]` is the type that
a file of that family is read as. An artifact may come from anywhere: the command on record in it is
offered only where it runs this program and nothing else.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, get_args

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType, field

if TYPE_CHECKING:
    from assay.columns import Indices

__all__ = [
    "SCHEMA_VERSION",
    "STATES",
    "Against",
    "Answer",
    "Artifact",
    "Board",
    "Case",
    "Cases",
    "Content",
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
    "Passage",
    "Points",
    "Record",
    "Reference",
    "Resampling",
    "Scalar",
    "Side",
    "Slice",
    "State",
    "System",
    "Tool",
    "Transitions",
    "Variant",
    "encode",
    "runnable",
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
    covers: str | UnsetType = UNSET
    """what its intervals cover in simulation, where that is less than they say"""


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
    detectable: Number | UnsetType = UNSET
    """of a number that is itself a paired difference: what would have shown 8 times in 10"""
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

    @property
    def first(self) -> Variant[VariantParts]:
        """Its only variant, or the one that was chosen."""
        return next(iter(self.variants.values()))

    @property
    def numbers(self) -> dict[str, Scalar]:
        """The numbers of that variant."""
        return self.first.numbers


State = Literal["right", "wrong", "abstained", "failed"]
STATES: tuple[State, ...] = get_args(State)
"""what becomes of a case, in the order of matrices"""
Content = Literal["texts", "ids", "none"]
"""what is kept of cases: all, all but texts of the input, or counts alone"""


class Transitions(Record, frozen=True, kw_only=True):
    """What became of cases on both sides: rows are the left one's STATES, columns the right's."""

    left: int
    right: int
    """sides of the cases"""
    matrix: list[list[int]]
    left_sums: list[int]
    right_sums: list[int]
    n: int
    """cases that both sides were asked, whatever became of them"""
    right_to_wrong: int
    wrong_to_right: int
    """with the one before McNemar's cells: both sides answered"""
    newly_abstained: int
    """where the left side answered"""
    newly_failed: int
    n_answered: int
    """by both"""
    p_value: Number
    """McNemar's, mid-p"""
    p_holm: Number
    """corrected for all pairs"""
    p_reason: str | None
    """why there is no p-value"""


class Pair(Record, frozen=True, kw_only=True):
    """Two systems: every difference, right minus left, by variant."""

    left: int
    right: int
    counts: dict[str, int] = field(default_factory=dict)
    deltas: dict[str, dict[str, Delta]]
    transitions: Transitions | None = None
    """null where cases are not known one by one, and in earlier files"""


class Passage(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A text of an answer or of its source, cut where it is long."""

    text: str
    source: str | None = None
    holds: bool | None = None
    """whether it is what it claims to be; null where that was not looked at"""
    note: str | None = None


class Answer(Record, frozen=True, kw_only=True, omit_defaults=True):
    """What one side made of a case."""

    state: State | None
    """null where it cannot be said, as without a truth"""
    answer: str | float | None = None
    confidence: Number = None
    loss: Number = None
    facts: dict[str, str | float | None] = field(default_factory=dict)
    against: list[str] = field(default_factory=list)
    """which of the facts contradict the answer"""
    texts: list[Passage] = field(default_factory=list)


class Case(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One case, and what became of it on every side; null where a side was not asked."""

    id: str
    name: str | None = None
    cluster: str | None = None
    item: str | None = None
    """which of the items of its cluster it is, where clusters have several that have names"""
    group: str | None = None
    truth: str | float | None = None
    n: int = 1
    """how many it stands for"""
    sources: list[Passage] = field(default_factory=list)
    """texts that answers are about, the first of them"""
    answers: list[Answer | None]


class Side(Record, frozen=True, kw_only=True):
    """A system, or a system in one of its modes."""

    name: str
    system: int
    counts: dict[State, int]
    """all of its cases that can be scored, by what became of them"""


class Cases(Record, frozen=True, kw_only=True):
    """The cases that matter, within a budget; counts are of all cases."""

    content: Content
    unit: str
    """what a case is, in a word"""
    n: int
    budget: int
    """the most cases that are kept"""
    rule: str
    """which are kept"""
    texts: bool
    """whether the file holds texts of the input"""
    reason: str | None
    """why there are no cases, where there are none"""
    sides: list[Side]
    within: list[Transitions]
    """between two sides of one system; those of two systems stand with their pair"""
    between: list[Transitions] | UnsetType = UNSET
    """of the systems whose numbers are not compared as a pair, from three on; p-values are
    corrected for all pairs there are"""
    kept: list[Case]


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
    behind: dict[str, str] = {}
    """systems by number that stand behind one whose number is worse, each with the reason"""
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
    cases: Cases | None = None
    parts: WholeParts


def encode(record: msgspec.Struct | Mapping[str, Any]) -> bytes:
    """Write a record as strict, indented JSON with a final newline."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


PROGRAM = "assay"


def runnable(command: str | None) -> str:
    """Return a recorded command if a shell would run this program and nothing else, else nothing.

    Readers copy it into a terminal, so that one with anything but plain words is not offered.

    Examples
    --------
    >>> runnable("assay selective --input 'my run.json'")
    "assay selective --input 'my run.json'"
    >>> runnable("assay selective; rm -r x"), runnable("rm -r x"), runnable(None)
    ('', '', '')
    """
    try:
        words = shlex.split(command or "")
    except ValueError:
        return ""
    plain = words[:1] == [PROGRAM] and shlex.join(words) == command and command.isprintable()
    return command if plain and command else ""


MOST_POINTS = 2_000
THINNED = "points at evenly spaced positions, the first and the last among them"


class Thinning(Record, frozen=True, kw_only=True):
    """How many points of a curve are kept."""

    n_points: int
    n_kept: int
    rule: str


def kept_points(n_points: int) -> Indices:
    """Return which points of a curve to keep: all, or 2,000 at evenly spaced positions."""
    even = np.linspace(0, max(0, n_points - 1), min(n_points, MOST_POINTS))
    return np.unique(np.rint(even).astype(np.int64))


def thinning(n_points: int, kept: Indices) -> Thinning:
    """Say how many points of a curve are kept, and which."""
    rule = "all points" if kept.size == n_points else THINNED
    return Thinning(n_points=n_points, n_kept=kept.size, rule=rule)
