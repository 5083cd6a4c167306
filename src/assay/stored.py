"""Artifacts from files and bytes: any family, both versions, nothing unknown or at odds in them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any, cast

import msgspec
from msgspec import UNSET

from assay import families
from assay.artifact import SCHEMA_VERSION, STATES, Artifact, Board, Points, Slice, Variant, runnable
from assay.artifact import encode as encode_record
from assay.calibrators.files import CalibratorArtifact, model_fault
from assay.errors import ArtifactError
from assay.families.read_back import kernels_named
from assay.showing import counted, inert, named, quoted, shortened
from assay.sources.content import decoded_json, holds_run, load

AnyArtifact = Artifact[Any, Any, Any]
CALIBRATOR = "calibrator"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
BESIDE = {"description": "as an earlier program spells what this file holds; never read back"}
SHAPE = "an artifact is what `assay selective`, `assay calibration` and the like write"
LARGEST = 2**63


class _Header(msgspec.Struct):
    """What tells whether the rest can be read; everything else is ignored."""

    kind: str | None = None
    schema_version: str | None = None
    command: str | None = None


def read_artifact(path: str) -> Any:
    """Read an artifact of any kind, or say why it is none and how to make one."""
    data = load(path).data
    header = decoded_json(msgspec.json.Decoder(_Header), data, place=path, hint=SHAPE)
    _check_kind(path, header, data)
    _check_version(path, header)
    hint = f"it may have been edited; make it again{_by(header)}"
    reader = cast("msgspec.json.Decoder[AnyArtifact]", _Reader(header))
    artifact = decoded_json(reader, data, place=path, hint=hint)
    wrong = _fault(artifact)
    if wrong is not None:
        raise ArtifactError(f"{path} does not fit together: {wrong}", hint=hint)
    return artifact


def _fault(artifact: AnyArtifact | CalibratorArtifact) -> str | None:
    """Return what does not fit together, in words, or None."""
    if isinstance(artifact, CalibratorArtifact):
        return shape_fault(artifact) or model_fault(artifact)
    return fault(artifact) or next(iter(families.named(artifact.kind).faults(artifact)), None)


def encode(artifact: AnyArtifact | CalibratorArtifact) -> bytes:
    """Write an artifact, and beside it what an earlier program of its family wrote."""
    if isinstance(artifact, CalibratorArtifact):
        return encode_record(artifact)
    every = ((name, getattr(artifact, name)) for name in artifact.__struct_fields__)
    own = {name: value for name, value in every if value is not UNSET}
    beside = families.named(artifact.kind).seed_keys
    return encode_record(own | {key: written(artifact) for key, written in beside.items()})


def decode(data: bytes) -> Any:
    """Take an artifact back from what `encode` wrote, or an earlier version of it."""
    return _Reader(msgspec.json.decode(data, type=_Header)).decode(data)


class _Reader:
    """A decoder of one kind and version."""

    def __init__(self, header: _Header) -> None:
        self._header = header

    def decode(self, data: bytes) -> Any:
        data = _kernels_named(data)
        if self._header.kind == CALIBRATOR:
            return msgspec.json.decode(data, type=CalibratorArtifact)
        family = families.of_kind(self._header.kind or "")
        if self._header.schema_version == SCHEMA_VERSION:
            return _decoder(family.name).decode(_without(family.seed_keys, data))
        try:
            upgraded = family.upgrade(msgspec.json.decode(data))
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            # An upgrade takes what it knows to be there; a file that was edited may lack it.
            missing = f"lacks {error}" if isinstance(error, KeyError) else "has another shape"
            raise msgspec.ValidationError(f"Version 1 of this kind {missing}") from None
        found: AnyArtifact = msgspec.convert(upgraded, family.artifact)
        return found


def _kernels_named(data: bytes) -> bytes:
    """Name the kernels of a file of this version, or of a calibrator, as files do now."""
    held = msgspec.json.decode(data)
    tool = held.get("tool")
    renamed = kernels_named(tool)
    return data if renamed is tool else msgspec.json.encode({**held, "tool": renamed})


def _without(keys: Collection[str], data: bytes) -> bytes:
    """Leave out what is written for readers of an earlier program."""
    if not keys:
        return data
    held = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    return msgspec.json.encode({key: each for key, each in held.items() if key not in keys})


@cache
def _decoder(family: str) -> msgspec.json.Decoder[AnyArtifact]:
    return msgspec.json.Decoder(families.named(family).artifact)


def kinds() -> dict[str, str]:
    """Return every kind of artifact, and the command that writes it."""
    return {**families.kinds(), CALIBRATOR: "calibrate"}


def _check_kind(path: str, header: _Header, data: bytes) -> None:
    known = kinds()
    if header.kind in known:
        return
    if header.kind is None and holds_run(data):
        hint = f"evaluate it first: assay selective --input {path} --mode MODE"
        raise ArtifactError(f"{path} is a run, not an artifact", hint=hint)
    if header.kind is None:
        raise ArtifactError(f"{path} has no `kind`, so it is not an artifact", hint=SHAPE)
    msg = f"{path} is of the kind {quoted(header.kind)}"
    raise ArtifactError(msg, hint=f"the kinds are {', '.join(known)}")


def _check_version(path: str, header: _Header) -> None:
    version = header.schema_version
    if version in {"1", SCHEMA_VERSION} and (version == "1" or header.kind != CALIBRATOR):
        return
    said = "no schema version" if version is None else f"the schema version {quoted(version)}"
    msg = f"{path} has {said}, and only '1' and {SCHEMA_VERSION!r} can be read"
    if version is not None and version.isdecimal() and int(version) > int(SCHEMA_VERSION):
        hint = "a newer assay wrote it: update with pip install --upgrade assay"
        raise ArtifactError(msg, hint=hint)
    command = runnable(header.command) or f"assay {kinds()[header.kind or '']} ..."
    raise ArtifactError(msg, hint=f"make it again from its inputs: {command}")


def _by(header: _Header) -> str:
    command = runnable(header.command)
    return f": {command}" if command else ""


def schema() -> bytes:
    """Return the JSON Schema of every artifact."""
    types = {name: families.named(name).artifact for name in families.NAMES}
    types[CALIBRATOR] = CalibratorArtifact
    references, records = msgspec.json.schema_components(
        types.values(), ref_template="#/$defs/{name}"
    )
    for name, reference in zip(families.NAMES, references, strict=False):
        own = records[reference["$ref"].rpartition("/")[2]]
        own["properties"] |= dict.fromkeys(families.named(name).seed_keys, BESIDE)
    kinds = [
        {"allOf": [reference, {"properties": {"kind": {"const": name}}}]}
        for name, reference in zip(types, references, strict=True)
    ]
    described = {"$schema": DIALECT, "anyOf": kinds, "$defs": records}
    return msgspec.json.format(msgspec.json.encode(described), indent=1) + b"\n"


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
        for state in sorted({*STATES} - {*side.counts}):
            yield f"`cases.sides.{number}.counts` lacks `{state}`"
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
