"""From files to files: extract, read, score, compare; what is up to date is left alone.

Every stage is a function of its inputs, its options and the code, and leaves a file. Raw
generations are only ever read. The stages wrap the pipeline, which they are given as a function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.artifact import encode
from assay.families.reasoning.files import read_bias_inputs, read_inputs
from assay.families.reasoning.inputs import Sink, judge_of
from assay.families.reasoning.models import extracted_rows, reused_rows
from assay.families.reasoning.parts import ReasoningArtifact
from assay.families.reasoning.review import Quality, Sheet, quality, read_sheet
from assay.families.reasoning.seed_files import (
    ARTIFACT,
    BIAS_METRICS,
    extracted_path,
    indented,
    metric_files,
    seed_bias,
    steps_path,
    targets,
)
from assay.families.reasoning.stages import (
    check_foreign,
    check_inputs,
    complete,
    key_of,
    read_stages,
    staged,
)

if TYPE_CHECKING:
    from assay.families.family import Given
    from assay.families.reasoning.files import Inputs
    from assay.families.reasoning.inputs import Passing
    from assay.families.reasoning.judging import Judge
    from assay.families.reasoning.models import Write
    from assay.families.reasoning.options import ReasoningOptions
    from assay.families.reasoning.stages import Staged, Stages
    from assay.inference import Plan
    from assay.sources.generations import Index

__all__ = [
    "BiasWritten",
    "Extracted",
    "Written",
    "bias_in_folder",
    "evaluate_in_folder",
    "extract_in_folder",
]

METRICS, BIAS_STAGE = "metrics", "bias"
Evaluate = Callable[["Given"], Any]
"""gives the artifact of what was given"""


@dataclass(frozen=True, slots=True)
class Written:
    """What an evaluation leaves in a folder."""

    artifact: ReasoningArtifact
    written: list[str]
    """paths within the folder"""
    up_to_date: list[str]
    """stages that were left alone"""


def evaluate_in_folder(
    given: Given, output: Path, evaluate: Evaluate, *, force: bool = False
) -> Written:
    """Evaluate models and write the files of every stage into a folder."""
    inputs = read_inputs(given, output=output)
    keys = _keys(given, inputs)
    known, current = _current(keys, output, force=force)
    if len(current) == len(keys):
        data = (output / ARTIFACT).read_bytes()
        return Written(msgspec.json.decode(data, type=ReasoningArtifact), [], current)
    _check(output, known, targets(inputs.models, bias=bool(inputs.bias)), inputs, force=force)
    with staged(output) as place:
        sink = Sink(inputs, partial(_opened, place, output, current))
        artifact = evaluate(replace(given, sink=sink))
        place.write(METRICS, ARTIFACT, encode(artifact))
        for path, data in metric_files(artifact):
            place.write(METRICS, path, data)
        written = place.finish(known, keys)
    return Written(artifact, written, [name for name in current if name != METRICS])


def _stage(model: str) -> str:
    return f"extract {model}"


def _keys(given: Given, inputs: Inputs) -> dict[str, str]:
    """Return what every stage is made of."""
    keys = _extraction_keys(inputs, given.options)
    choices = [asdict(given.options), _planned(given.plan), given.cases]
    return {**keys, METRICS: key_of(_read_from(inputs), choices, [*keys.values()])}


def _read_from(inputs: Inputs) -> list[list[Any]]:
    return [[each.role, each.about.get("model"), each.sha256] for each in inputs.records]


def _planned(plan: Plan) -> dict[str, Any]:
    """Return what numbers depend on: neither threads nor blocks."""
    changes_nothing = {"threads", "block_values"}
    return {name: value for name, value in asdict(plan).items() if name not in changes_nothing}


def _extraction_keys(inputs: Inputs, options: ReasoningOptions) -> dict[str, str]:
    # A repr shows every field that tells two of them apart, and no prepared search.
    made: list[Any] = [repr(inputs.labels.labels), repr(inputs.rules), options.extraction()]
    made += [{case: repr(own.labels) for case, own in inputs.choices.items()}]
    made += [options.field, options.mode_name]
    # The row tells outcome and method of one reading, and answers of all that there are.
    made += [options.announces, options.reading == "announced"]
    return {
        _stage(name): key_of(name, index.sha256, *made) for name, index in inputs.models.items()
    }


def _current(keys: dict[str, str], output: Path, *, force: bool) -> tuple[Stages, list[str]]:
    """Return the stages of a folder, and which of them are up to date."""
    complete(output)
    known = read_stages(output)
    return known, [] if force else [n for n in keys if known.holds(n, keys[n], output)]


def _check(output: Path, known: Stages, paths: list[str], inputs: Inputs, *, force: bool) -> None:
    check_inputs(output, paths, [each.path for each in inputs.records])
    if not force:
        check_foreign(output, known, paths)


@contextmanager
def _opened(
    place: Staged, output: Path, current: Collection[str], name: str, index: Index, judge: Judge
) -> Iterator[tuple[Passing, Write]]:
    """Open the rows of a model: as they were extracted before, else written down as they pass."""
    with place.opened(METRICS, steps_path(name)) as write_steps:
        if _stage(name) in current:
            yield reused_rows(str(output / extracted_path(name)), index), write_steps
            return
        with place.opened(_stage(name), extracted_path(name)) as write:
            yield _passing(extracted_rows(name, index, judge), write), write_steps


def _passing(rows: Passing, write: Write) -> Passing:
    for row, text in rows:
        write(msgspec.json.encode(row) + b"\n")
        yield row, text


@dataclass(frozen=True, slots=True)
class Extracted:
    """What extraction alone leaves."""

    outcomes: dict[str, dict[str, int]]
    """by model: how many outputs have each outcome"""
    methods: dict[str, dict[str, int]]
    """by model: how often each method found the answer"""
    written: list[str]
    up_to_date: list[str]
    labels: list[str]
    warnings: list[str] = field(default_factory=list)
    sheet: bytes | None = None
    """to be corrected by hand, where one was asked for and there was none"""
    quality: list[Quality] = field(default_factory=list)
    """how well texts were read, by a sheet that was corrected"""
    checked: bool = False
    """whether only rows count that were marked"""


def extract_in_folder(
    given: Given, output: Path, *, force: bool = False, review: str | None = None
) -> Extracted:
    """Extract the answers of every model, and nothing more.

    `review` is a sheet to be corrected by hand: where there is one already, it is read as truth.
    """
    inputs = read_inputs(given, output=output, judged=False)
    keys = _extraction_keys(inputs, given.options)
    known, current = _current(keys, output, force=force)
    _check(output, known, [*map(extracted_path, inputs.models)], inputs, force=force)
    judge, outcomes, methods = judge_of(inputs, given.options), {}, {}
    truth = read_sheet(review) if review and Path(review).exists() else None
    sheet = Sheet()
    with staged(output) as place:
        for name, index in inputs.models.items():
            if _stage(name) in current:
                rows = reused_rows(str(output / extracted_path(name)), index)
                outcomes[name], methods[name] = _counted(_shown(name, rows, sheet, review))
                continue
            with place.opened(_stage(name), extracted_path(name)) as write:
                rows = _passing(extracted_rows(name, index, judge), write)
                outcomes[name], methods[name] = _counted(_shown(name, rows, sheet, review))
        written = place.finish(known, keys) if len(current) < len(keys) else []
    labels = [each.name for each in inputs.labels.labels]
    done = Extracted(outcomes, methods, written, current, labels, [*inputs.warnings])
    if review is None:
        return done
    if truth is None:
        return replace(done, sheet=sheet.written())
    true, marked = truth
    found = quality(sheet, true, inputs.labels_of, review)
    return replace(done, quality=found, checked=marked)


def _shown(model: str, rows: Passing, sheet: Sheet, review: str | None) -> Passing:
    for row, text in rows:
        if review is not None:
            sheet.take(model, row, text)
        yield row, text


def _counted(rows: Passing) -> tuple[dict[str, int], dict[str, int]]:
    outcomes: Counter[str] = Counter()
    methods: Counter[str] = Counter()
    for row, _ in rows:
        outcomes[row.outcome or "not ok"] += 1
        methods[row.extraction_method] += 1
    return dict(outcomes.most_common()), dict(methods.most_common())


@dataclass(frozen=True, slots=True)
class BiasWritten:
    """What the numbers of bias alone leave."""

    artifact: Any
    """of `BIAS_ALONE`; it is shown and not kept"""
    data: bytes
    """the file as written"""
    written: list[str]


def bias_in_folder(
    given: Given, output: Path, evaluate: Evaluate, *, force: bool = False
) -> BiasWritten:
    """Say how often models follow a bias, and write that down."""
    inputs, options = read_bias_inputs(given), given.options
    chosen = [options.bias_text, options.boundaries, _planned(given.plan)]
    keys = {BIAS_STAGE: key_of(_read_from(inputs), chosen)}
    known, current = _current(keys, output, force=force)
    _check(output, known, [BIAS_METRICS], inputs, force=force)
    artifact = evaluate(replace(given, sink=Sink(inputs)))
    data = indented({each.name: seed_bias(each, each.parts) for each in artifact.systems})
    written: list[str] = []
    if not current:
        with staged(output) as place:
            place.write(BIAS_STAGE, BIAS_METRICS, data)
            written = place.finish(known, keys)
    return BiasWritten(artifact, data, written)
