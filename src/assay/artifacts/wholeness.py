"""Whether the parts of an artifact fit together: lists side by side, places, numbers by name.

What a program writes fits. A file that was edited may have the right shape and still name what is
not in it, or lack a number that belongs to its kind, so that this is looked at once, right after
reading. Whoever shows an artifact relies on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import msgspec

from assay.artifacts.intervals import (
    IntervalLevel,
    LevelCurve,
    SetLevel,
    Stratum,
    WidthDistribution,
)
from assay.artifacts.records import Scalar
from assay.calibrators.files import CalibratorArtifact, model_fault
from assay.showing import inert, named, shortened

__all__ = ["fault"]

SIDE_BY_SIDE = (LevelCurve, WidthDistribution)
"""records whose lists have an entry per point"""
REFERENCES = {
    "input": ("inputs",),
    "left": ("systems", "inputs"),
    "right": ("systems", "inputs"),
}
"""fields that hold a place, and the lists that it may be one of: the first that there is"""
FILLED = ("inputs", "systems", "levels")
"""what no artifact is without"""
NUMBERS: dict[type[msgspec.Struct], tuple[str, ...]] = {
    IntervalLevel: ("interval_width",),
}
"""what is always among the `metrics` of a record"""
STRATA = ("sizes", "classes", "groups")
"""into which rows are cut, of which some have rows"""
LARGEST = 2**63
Path = tuple[str, ...]


def fault(artifact: msgspec.Struct) -> str | None:
    """Return the first thing that does not fit, in words, or None."""
    faults = (_faults(part, path, artifact) for part, path in _parts(artifact, ()))
    return next(chain(chain.from_iterable(faults), _of_kind(artifact)), None)


def _parts(value: Any, path: Path) -> Iterator[tuple[Any, Path]]:
    """Yield everything inside, with where it stands."""
    yield value, path
    match value:
        case msgspec.Struct():
            for name in value.__struct_fields__:
                yield from _parts(getattr(value, name), (*path, name))
        case dict():
            for name, each in value.items():
                yield from _parts(each, (*path, name))
        case list() | tuple():
            for place, each in enumerate(value):
                yield from _parts(each, (*path, str(place)))


def _at(*path: str) -> str:
    return f"`{'.'.join(shortened(inert(each)) for each in path)}`"


def _faults(part: Any, path: Path, artifact: msgspec.Struct) -> Iterator[str]:
    match part:
        case bool():
            return
        case int() if abs(part) >= LARGEST:
            yield f"{_at(*path)} is a number with more than 18 digits"
        case int() if path[-1] in REFERENCES:
            yield from _outside(part, path, artifact)
        case float() if path[-2:-1] == ("share",) and not 0 <= part <= 1:
            yield f"{_at(*path)} is {part:g}, which is no share"
        case list() | dict() if path[-1] in FILLED and not part:
            yield f"{_at(*path)} is empty"
        case dict():
            yield from _misnamed(part, path)
        case msgspec.Struct():
            yield from _lacking(part, path)
            yield from _misshapen(part, path)


def _outside(place: int, path: Path, artifact: msgspec.Struct) -> Iterator[str]:
    known = [getattr(artifact, each, None) for each in REFERENCES[path[-1]]]
    lengths = [len(each) for each in known if each is not None]
    if lengths and not 0 <= place < lengths[0]:
        yield f"{_at(*path)} is {place}, and there are {lengths[0]}, counted from 0"


def _misnamed(numbers: Mapping[str, Any], path: Path) -> Iterator[str]:
    """Look for numbers under another name than their own; those of one metric are alike."""
    options: dict[str, set[str]] = {}
    for label, each in numbers.items():
        if not isinstance(each, Scalar):
            return
        if label.partition("@")[0] != each.metric:
            yield f"{_at(*path, label)} is the number {named(each.metric)}"
        if options.setdefault(each.metric, {*each.options}) != {*each.options}:
            yield f"{_at(*path, label)} has other `options` than {named(each.metric)} elsewhere"


def _lacking(part: msgspec.Struct, path: Path) -> Iterator[str]:
    """Look for what is always there."""
    needed = NUMBERS.get(type(part), ())
    yield from _missing(getattr(part, "metrics", {}), needed, (*path, "metrics"))


def _misshapen(part: msgspec.Struct, path: Path) -> Iterator[str]:
    match part:
        case Stratum() if part.n and part.coverage is None:
            yield f"{_at(*path)} has rows and no `coverage`"
        case IntervalLevel() | SetLevel():
            strata = [name for name in STRATA if getattr(part, name, None)]
            empty = [name for name in strata if not any(each.n for each in getattr(part, name))]
            yield from (f"{_at(*path, name)} has no rows" for name in empty)
        case _ if isinstance(part, SIDE_BY_SIDE):
            yield from _unequal(part, path)


def _unequal(part: msgspec.Struct, path: Path) -> Iterator[str]:
    lists = {
        name: len(each)
        for name in part.__struct_fields__
        if isinstance(each := getattr(part, name), list)
    }
    first = next(iter(lists))
    for name, length in lists.items():
        if length != lists[first]:
            yield f"{_at(*path)} has {lists[first]} of `{first}` and {length} of `{name}`"


def _of_kind(artifact: msgspec.Struct) -> Iterator[str]:
    """Look at what only some kinds have."""
    match artifact:
        case CalibratorArtifact():
            found = model_fault(artifact)
            yield from [] if found is None else [found]
    records = _numbered("systems", getattr(artifact, "systems", ()))
    yield from _unlike(_held(records, "metrics"))
    levels = _held(records, "levels")
    yield from _unlike(levels)
    every = {(*path, key): each for path, by in levels.items() for key, each in by.items()}
    yield from _unlike(_held(every, "metrics"))


def _missing(known: Mapping[str, Any], names: Iterable[str], path: Path) -> Iterator[str]:
    yield from (f"{_at(*path)} lacks {named(each)}" for each in names if each not in known)


def _numbered(name: str, records: Iterable[Any], path: Path = ()) -> dict[Path, Any]:
    return {(*path, name, str(number)): each for number, each in enumerate(records)}


def _held(records: Mapping[Path, Any], field: str) -> dict[Path, Mapping[str, Any]]:
    return {
        (*path, field): getattr(each, field)
        for path, each in records.items()
        if hasattr(each, field)
    }


def _unlike(held: Mapping[Path, Collection[str]]) -> Iterator[str]:
    """Look for what stands side by side and does not have the same names."""
    first, reference = next(iter(held.items()), ((), {}))
    for path, own in held.items():
        for each in sorted({*own} ^ {*reference}):
            one, other = (path, first) if each in own else (first, path)
            yield f"{_at(*one)} has {named(each)}, and {_at(*other)} has not"
