"""What a family declares: its options, how inputs become subjects, what its parts are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from assay.artifact import NoParts, Scalar

if TYPE_CHECKING:
    from assay.artifact import Content, Described, Input, System, Variant
    from assay.display.first import Form
    from assay.families.arranging import Arrangement
    from assay.families.case_sheet import CaseSheet
    from assay.inference import Plan, Replicate, Test
    from assay.score import Request, Rows
    from assay.sources.unit_table import Reduction

Undefined = Literal["null", "reference"]
FEWEST_RANKED = 4
"""so many systems are put in order"""
Key = tuple[int, str]
"""a subject by its place, and the label of a number"""


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """Rows of one system that numbers are computed of."""

    system: int
    rows: Rows
    variant: str = ""
    slice: str | None = None
    """which of the rows, None: all; every slice is resampled on its own"""
    table: str = ""
    """subjects of one variant and table share their resamples, so that differences are paired"""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """options of metrics by name; a tuple is a grid"""
    only: Collection[str] | None = None
    """the labels that are wanted, where not all are"""
    listed: bool = True
    """its numbers are shown; otherwise only parts or pairs read them"""
    worst: int | None = None
    """the place of the same rows with everything that was not answered gone wrong, not listed"""
    beside: int | None = None
    """the place of the other side of a pair on the rows of `worst`; None: as it is compared"""
    counts: Mapping[str, int] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    exact: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """numbers that are shares of independent units: how many, of how many"""
    undefined: Undefined = "null"
    """`reference` gives undefined numbers the value that the reference program has for them"""
    nothing: str | None = None
    """why there is nothing to compute numbers from, where that is so"""
    infinite: bool = False
    """some of its rows are, so that numbers may be: these are worse than any finite one"""
    dependent: str | None = None
    """why tests that take rows as independent have no value, where that is so"""
    withheld: Mapping[str, str] = field(default_factory=dict)
    """metrics that have no value where an engine reduced the rows, and why"""
    bracket: Callable[..., tuple[float, float] | None] = lambda *_, **__: None
    """where a number lies for certain, if rows were merged that it tells apart: of a metric, its
    options, columns and weight"""
    flips: bool = False
    """clusters are named, so tests that can turn the signs of whole clusters"""
    keep_width: bool = False
    """intervals without width are kept, as an earlier program does"""

    def certain(self, asked: Request) -> tuple[float, float] | None:
        """Return where a number lies for certain; None where it is exact."""
        rows = self.rows
        return self.bracket(
            asked.metric, asked.options, rows.columns, rows.weight, common=asked.common
        )

    @property
    def drawn_with(self) -> tuple[Any, ...]:
        """What subjects have in common that are resampled together.

        Slices are drawn system by system: each has clusters of its own.
        """
        n_clusters = self.rows.weight.counts.shape[1]
        system = None if self.slice is None else self.system
        return self.variant, self.slice, self.table, n_clusters, system

    def is_of(self, system: int) -> bool:
        """Say whether its numbers are those of a system: shown, and not of a slice."""
        return self.system == system and self.listed and self.slice is None


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """Two systems to be compared, and on which of the subjects."""

    left: int
    right: int
    counts: Mapping[str, int] = field(default_factory=dict)
    subjects: Sequence[tuple[int, int]] | None = None
    """left and right, by place; None: those that are listed, variant by variant"""
    silent: Callable[[str, str], str | None] = lambda *_: None
    """why a number of a variant gets no word in this pair, where that is so"""
    barred: Callable[[str, str, int], str | None] = lambda *_: None
    """why no word about a number may favour a side, the left (-1) or the right (1)"""
    confirmed: Callable[[str, str], tuple[str, str] | None] = lambda *_: None
    """the number that must differ as clearly and to the same side, and what to say if it is not"""


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that no word may favour a side for which has more of it."""

    lead: float
    """how much more the right side has"""
    why: str
    labels: Collection[str] | None = None
    """numbers that it bends; None: all"""


def barred(bars: Iterable[Bar], label: str, side: int) -> str | None:
    """Say why no word about a number may favour a side, where that is so."""
    of = (each for each in bars if each.labels is None or label in each.labels)
    return next((each.why for each in of if each.lead * side > 0), None)


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """What systems are put in order by where there are many, and how any two are compared."""

    label: str
    variant: str
    pairing: Callable[[int, int], Pairing]
    """of two systems, the left one first; its subjects are there already"""
    unranked: Callable[[int, Variant[Any]], str | None] = lambda *_: None
    """why a system is not put in order, where that is so: its number and what is shown of it"""


def ranked_by(label: str, variant: str, pairings: Sequence[Pairing]) -> Ranked | None:
    """Put systems in order by a number, where any two of them were laid side by side."""
    known = {(each.left, each.right): each for each in pairings}
    return Ranked(label, variant, lambda *two: known[two]) if known else None


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A system before it has numbers."""

    name: str
    input: int = 0
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Everything that was read and derived, before anything is computed."""

    inputs: Sequence[Input]
    systems: Sequence[Named]
    subjects: Sequence[Subject]
    unit: str
    n_units: int
    conventions: Mapping[str, Any]
    warnings: Sequence[str] = ()
    context: Any = None
    """what parts are made of"""
    pairings: Sequence[Pairing] | None = None
    """None: every system against the first"""
    ranked: Ranked | None = None
    """how systems are put in order from four on; None: they have no number in common"""
    percentiles: bool = False
    """an earlier program wrote percentile intervals, which are kept beside ours"""


@dataclass(frozen=True, slots=True, eq=False)
class Evaluated:
    """What was asked of every subject, and what came out on the sample and its resamples."""

    prepared: Prepared
    options: Any
    plan: Plan
    asked: Mapping[int, Mapping[str, Request]]
    """by subject and label"""
    replicates: Mapping[Key, Replicate]
    tested: dict[tuple[Key, Key], Test] = field(default_factory=dict)
    """differences that were tested, so that none is tested again"""

    @property
    def subjects(self) -> Sequence[Subject]:
        """What was evaluated."""
        return self.prepared.subjects

    def worst_key(self, key: Key) -> Key | None:
        """Return where a number is if everything that was not answered had gone wrong."""
        worst = self.subjects[key[0]].worst
        return (worst, key[1]) if worst is not None and (worst, key[1]) in self.replicates else None

    def at_worst(self, key: Key) -> Replicate | None:
        """Return a number if everything that was not answered had gone wrong, if something was."""
        worst = self.worst_key(key)
        return None if worst is None else self.replicates[worst]

    def beside(self, key: Key, other: Key) -> Key:
        """Return what the number at worst of one side of a pair is compared with."""
        place = self.subjects[key[0]].beside
        return other if place is None else (place, other[1])

    def plan_of(self, key: Key) -> Plan:
        """Return how the interval of a number is read."""
        read = self.asked[key[0]][key[1]].metric.interval
        keep = read and self.subjects[key[0]].keep_width
        return replace(self.plan, without_width="keep") if keep else self.plan

    def found(self, system: int, variant: str) -> list[int]:
        """Return the places of the listed subjects of a system under a variant, slices apart."""
        return [
            place
            for place, subject in enumerate(self.subjects)
            if subject.is_of(system) and subject.variant == variant
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What is to be evaluated: sources by role, and what was chosen about them."""

    sources: Mapping[str, Sequence[Any]]
    """by role: paths, or tables that are in memory"""
    options: Any
    plan: Plan
    columns: Any = None
    """which columns hold what, where sources are tables"""
    names: Sequence[str] = ()
    """of the systems, where the caller has names for them"""
    sink: Any = None
    """what takes rows down while `prepare` reads them, where files are written of these"""
    cases: Content = "texts"
    """what the artifact keeps of cases"""


@dataclass(frozen=True, slots=True)
class Role:
    """Files that are read as one thing: tables, results, the ground truth."""

    name: str
    help: str
    metavar: str = "FILE"
    flags: tuple[str, ...] = ()
    """none: the name"""
    many: bool = False
    required: bool = False
    positional: bool = False
    """they may also follow the command as arguments"""
    aliases: tuple[str, ...] = ()
    """other names that the library takes"""


@dataclass(frozen=True, slots=True, eq=False)
class SideFiles:
    """Files that are written beside the artifact where they are asked for."""

    options: type[Any]
    """an option record that says which, and where they go"""
    places: Callable[[Any, Given], Sequence[Path]]
    contents: Callable[[Any, Evaluated, Any], Sequence[bytes]]
    """in the order of the places"""


def no_parts(*_: Any) -> NoParts:
    """Return the parts of what has none."""
    return NoParts()


def no_cases(*_: Any) -> str:
    """Say why nothing is known case by case of a family that does not tell of its cases."""
    return "nothing is told of its cases one by one"


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """One kind of evaluation: everything that commands, library and report need to know of it."""

    name: str
    title: str
    """what it is called where results are shown"""
    question: str
    """what it answers: the first line of its help"""
    help: str
    examples: str
    roles: tuple[Role, ...]
    """the files it reads; the first are the systems"""
    options: type[Any]
    """its option record"""
    prepare: Callable[[Given], Prepared]
    artifact: Any
    """its records: Artifact[parts of a variant, of a system, of the whole]"""
    columns: type[Any] | None = None
    """the option record that says which columns of tables hold what"""
    arrange: Arrangement | None = None
    """columns that Python users hand over as tables; None: side by side in one"""
    table_per_system: bool = False
    """every system has a table of its own, also where several stand in one file"""
    reduction: Callable[[Given, Sequence[Any], Sequence[str]], Reduction] | None = None
    """what an engine makes of tables, of the columns that there are; None: all rows are needed"""
    axis: str | None = None
    """what variants are, in a word"""
    parts: Callable[[Evaluated, int], Any] = no_parts
    """of a variant: the place of its subject"""
    system_parts: Callable[[Evaluated, int, Mapping[str, Variant[Any]]], Any] = no_parts
    """of a system: its number, and its variants by name, which hold their numbers and parts"""
    whole_parts: Callable[[Evaluated], Any] = no_parts
    cases: Callable[[Evaluated, Sequence[System[Any, Any]]], CaseSheet | str] = no_cases
    """what became of every case, or why that is not known; the systems hold numbers and parts"""
    without_texts: Callable[[Any, Content], Any] = lambda parts, _: parts
    """the parts of a system with ids alone, or with no cases at all"""
    amend: Callable[[Evaluated, int, dict[str, Scalar]], dict[str, Scalar]] | None = None
    """numbers of one subject once more, where a family knows better"""
    described: Callable[[Any], Mapping[str, Described]] = lambda _: {}
    """by name, what numbers are under the options that `amend` adds or computes in another way"""
    warnings: Callable[[Evaluated, Any], Iterable[str]] = lambda *_: ()
    """of the artifact without them"""
    upgrade: Callable[[dict[str, Any]], dict[str, Any]] = dict
    """version 1 of its artifact as version 2, both as plain JSON"""
    faults: Callable[[Any], Iterable[str]] = lambda _: ()
    """what does not fit together in its parts"""
    seed_keys: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    """what an earlier program wrote, by its keys at the top of the file: made of the artifact,
    written beside it, and never read back"""
    shown: tuple[tuple[str, str, Form], ...] = ()
    """numbers that an index of many files shows, in few words; the first is the one of the trend"""
    side_files: SideFiles | None = None
