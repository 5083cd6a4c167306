"""What does not fit together in an artifact that was edited: places, names, lengths, numbers."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import msgspec

from assay.artifact import STATES, Artifact, Board, Points, Slice, Variant
from assay.showing import counted, inert, named, shortened

__all__ = ["fault", "shape_fault"]

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
    yield from _broken_cases(artifact)
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


def _broken_cases(artifact: Artifact[Any, Any, Any]) -> Iterator[str]:
    """Look for cases and changes whose sides are not there."""
    cases, sides = artifact.cases, artifact.cases.sides if artifact.cases else []
    changes = [
        (f"pairs.{n}.transitions", pair.transitions) for n, pair in enumerate(artifact.pairs)
    ]
    if cases:
        changes += [(f"cases.within.{n}", each) for n, each in enumerate(cases.within)]
        changes += [(f"cases.between.{n}", each) for n, each in enumerate(cases.between or ())]
    for path, each in changes:
        if each is None:
            continue
        for place in (each.left, each.right):
            yield from _outside(place, sides, (path,))
        lists = (each.left_sums, each.right_sums, *each.matrix)
        if len(each.matrix) != len(STATES) or any(len(row) != len(STATES) for row in lists):
            yield f"`{path}` is not a table of {len(STATES)} states"
    for number, side in enumerate(sides):
        yield from _outside(side.system, artifact.systems, ("cases", "sides", str(number)))
    for number, case in enumerate(cases.kept if cases else ()):
        if len(case.answers) != len(sides):
            found = counted(len(case.answers), "answer")
            yield f"`cases.kept.{number}` has {found} of {len(sides)} sides"


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
