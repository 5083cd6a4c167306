"""Artifacts of a folder, as much of each as an index shows: read quickly, trusted with nothing.

Curves, cases and texts are passed over, so that a thousand files take a second or two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from assay.artifact import Interval, Number
from assay.display.first import Form
from assay.errors import ArtifactError
from assay.showing import inert

__all__ = ["Entry", "Unreadable", "artifacts_in"]

MOST_FILES = 5_000
MOST_BYTES = 200_000_000
HEADLINES: dict[str, tuple[tuple[str, str, Form], ...]] = {
    "selective": (("risk", "loss of its answers", "number"), ("cmax", "answers", "percent")),
    "calibration": (("debiased_ece", "mean gap", "points"), ("brier", "Brier score", "number")),
    "intervals": (("interval_coverage", "covered", "percent"), ("winkler", "Winkler", "number")),
    "sets": (("set_coverage", "covered", "percent"), ("set_size", "mean size", "number")),
    "verdicts": (("macro_f1", "macro F1", "percent"), ("evidence_recall", "evidence", "percent")),
    "reasoning": (("faithfulness_gap", "gap", "points"), ("accuracy_cot", "accuracy", "percent")),
}
"""numbers that an index shows, by family; the first is the one of the trend"""


class _Number(msgspec.Struct):
    value: Number = None
    interval: Interval = None
    standard_error: Number = None


class _Variant(msgspec.Struct):
    numbers: dict[str, _Number] = msgspec.field(default_factory=dict)
    n_rows: int = 0


class _System(msgspec.Struct):
    name: str = ""
    variants: dict[str, _Variant] = msgspec.field(default_factory=dict)


class _Delta(msgspec.Struct):
    word: str | None = None
    delta: Number = None
    interval: Interval = None
    standard_error: Number = None


class _Pair(msgspec.Struct):
    left: int = 0
    right: int = 0
    deltas: dict[str, dict[str, _Delta]] = msgspec.field(default_factory=dict)


class _Input(msgspec.Struct):
    sha256: str | None = None
    git_commit: str | None = None
    n_rows: int = 0
    role: str = ""


class _Resampling(msgspec.Struct):
    unit: str = ""
    n_units: int = 0
    level: float = 0.95


class _Slim(msgspec.Struct):
    """An artifact without what an index does not show; unknown fields are passed over."""

    kind: str
    schema_version: str
    created_at: str = ""
    command: str | None = None
    inputs: list[_Input] = msgspec.field(default_factory=list)
    systems: list[_System] = msgspec.field(default_factory=list)
    pairs: list[_Pair] = msgspec.field(default_factory=list)
    resampling: _Resampling = msgspec.field(default_factory=_Resampling)


@dataclass(frozen=True, slots=True)
class Reading:
    """One number of one system."""

    label: str
    title: str
    form: Form
    value: Number
    interval: Interval
    spread: Number


@dataclass(frozen=True, slots=True)
class Entry:
    """One system of one artifact."""

    file: str
    family: str
    system: str
    date: str
    commit: str
    population: str
    """what it was measured on: runs of the same one share a trend"""
    numbers: tuple[Reading, ...]
    pairs: tuple[tuple[str, Any], ...] = field(default=())
    """what it was compared with in the same file, and the difference in the first number"""
    command: str = ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that is no artifact of this version."""

    file: str
    why: str


_DECODER = msgspec.json.Decoder(_Slim)


def artifacts_in(folder: Path) -> Iterator[Entry | Unreadable]:
    """Yield every system of every artifact below a folder, by name of the file."""
    found = sorted(each for each in folder.rglob("*.json") if each.is_file())
    if not found:
        raise ArtifactError(
            f"{folder} holds no artifacts", hint="give a folder with .json artifacts"
        )
    for path in found[:MOST_FILES]:
        name = path.relative_to(folder).as_posix()
        if path.stat().st_size > MOST_BYTES:
            yield Unreadable(name, "too large to be indexed")
            continue
        try:
            slim = _DECODER.decode(path.read_bytes())
        except (msgspec.DecodeError, OSError, RecursionError) as error:
            if _mentions_artifact(path):
                yield Unreadable(name, inert(str(error))[:120])
            continue
        if slim.kind not in HEADLINES:
            continue
        if slim.schema_version != "2":
            yield Unreadable(name, f"version {inert(slim.schema_version)}: make it again")
            continue
        yield from _entries(name, slim)


def _mentions_artifact(path: Path) -> bool:
    """Tell a broken artifact from any other file of a folder."""
    try:
        with path.open("rb") as file:
            return b'"schema_version"' in file.read(2_000)
    except OSError:
        return False


def _entries(name: str, slim: _Slim) -> Iterator[Entry]:
    commits = [each.git_commit for each in slim.inputs if each.git_commit]
    for place, system in enumerate(slim.systems):
        chosen = _numbers(slim.kind, system)
        compared = tuple(
            (slim.systems[pair.left].name, delta)
            for pair in slim.pairs
            if pair.right == place and 0 <= pair.left < len(slim.systems)
            for delta in _delta(slim.kind, pair)
        )
        yield Entry(
            file=name,
            family=slim.kind,
            system=inert(system.name),
            date=inert(slim.created_at)[:10],
            commit=inert(commits[0])[:10] if commits else "",
            population=_population(slim, system),
            numbers=chosen,
            pairs=compared,
            command=slim.command or "",
        )


def _numbers(kind: str, system: _System) -> tuple[Reading, ...]:
    found = []
    for label, title, form in HEADLINES[kind]:
        held = [each.numbers[label] for each in system.variants.values() if label in each.numbers]
        if held:
            number = held[0]
            found.append(
                Reading(label, title, form, number.value, number.interval, number.standard_error)
            )
    return tuple(found)


def _delta(kind: str, pair: _Pair) -> Iterator[_Delta]:
    """Yield the difference of a pair in the first number of its family, if it is there."""
    label = HEADLINES[kind][0][0]
    for of in pair.deltas.values():
        if label in of:
            yield of[label]
            return


def _population(slim: _Slim, system: _System) -> str:
    """Name what was measured: family, units and rows; the same words are the same population."""
    rows = max((each.n_rows for each in system.variants.values()), default=0)
    truths = sorted(each.sha256 or "" for each in slim.inputs if "truth" in each.role)
    apart = f", truth {truths[0][:8]}" if truths and truths[0] else ""
    plan = slim.resampling
    return inert(f"{slim.kind}: {plan.n_units:,} {plan.unit}s, {rows:,} rows{apart}")
