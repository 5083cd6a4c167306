"""Whether the parts of an artifact fit together: lists side by side, places that parts refer to.

What a program writes fits. A file that was edited may have the right shape and still name what is
not in it, so that this is looked at once, right after reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec

from assay.artifacts.calibration import CumulativeDifferences
from assay.artifacts.intervals import LevelCurve, WidthDistribution
from assay.artifacts.reasoning import StepHistogram
from assay.artifacts.selective import Curve, Limits
from assay.artifacts.verdicts import PrecisionRecall
from assay.showing import counted

__all__ = ["fault"]

SIDE_BY_SIDE = (
    *(Curve, Limits, CumulativeDifferences, LevelCurve, WidthDistribution),
    PrecisionRecall,
)
"""records whose lists have an entry per point"""
REFERENCES = {
    "input": ("inputs",),
    "left": ("systems", "models", "inputs"),
    "right": ("systems", "models", "inputs"),
    "model": ("models",),
}
"""fields that hold a place, and the lists that it may be one of: the first that there is"""
FILLED = ("inputs", "systems", "models", "levels", "confidence_variants")
"""what no artifact is without"""
LARGEST = 2**63
Path = tuple[str, ...]


def fault(artifact: msgspec.Struct) -> str | None:
    """Return the first thing that does not fit, in words, or None."""
    faults = (_faults(part, path, artifact) for part, path in _parts(artifact, ()))
    return next(chain.from_iterable(faults), None)


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


def _faults(part: Any, path: Path, artifact: msgspec.Struct) -> Iterator[str]:
    where = ".".join(path)
    match part:
        case bool():
            return
        case int() if abs(part) >= LARGEST:
            yield f"`{where}` is a number with more than 18 digits"
        case int() if path[-1] in REFERENCES:
            yield from _outside(part, path, artifact)
        case list() | dict() if path[-1] in FILLED and not part:
            yield f"`{where}` is empty"
        case StepHistogram() if len(part.edges) != len(part.counts) + 1:
            found = counted(len(part.counts), "count"), counted(len(part.edges), "edge")
            yield f"`{where}` has {found[0]} between {found[1]}"
        case msgspec.Struct() if isinstance(part, SIDE_BY_SIDE):
            yield from _unequal(part, where)


def _outside(place: int, path: Path, artifact: msgspec.Struct) -> Iterator[str]:
    known = [getattr(artifact, each, None) for each in REFERENCES[path[-1]]]
    lengths = [len(each) for each in known if each is not None]
    if lengths and not 0 <= place < lengths[0]:
        yield f"`{'.'.join(path)}` is {place}, and there are {lengths[0]}, counted from 0"


def _unequal(part: msgspec.Struct, where: str) -> Iterator[str]:
    lists = {
        name: len(each)
        for name in part.__struct_fields__
        if isinstance(each := getattr(part, name), list)
    }
    first = next(iter(lists))
    for name, length in lists.items():
        if length != lists[first]:
            yield f"`{where}` has {lists[first]} of `{first}` and {length} of `{name}`"
