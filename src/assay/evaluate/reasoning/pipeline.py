"""From files to files: extract, read, score, compare; what is up to date is left alone.

Every stage is a function of its inputs, its options and the code, and leaves a file. Raw
generations are only ever read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from assay import _kernels as kernels
from assay import artifacts
from assay.artifacts import Resampling, Tool
from assay.artifacts.folders import Staged, read_stages, staged
from assay.artifacts.reasoning import BiasRecord, ExtractedRow, ReasoningArtifact
from assay.errors import UsageError
from assay.evaluate.reasoning.bias import bias_of
from assay.evaluate.reasoning.inputs import Inputs, ReasoningFiles, bias_inputs, read_inputs
from assay.evaluate.reasoning.judging import Judge
from assay.evaluate.reasoning.models import ModelRead, extracted_rows, read_model, reused_rows
from assay.evaluate.reasoning.numbers import numbers_of
from assay.evaluate.reasoning.options import ReasoningOptions
from assay.evaluate.reasoning.records import model_record, sign_warning
from assay.evaluate.reasoning.seed_files import (
    ALL_MODELS,
    ARTIFACT,
    BIAS_METRICS,
    extracted_path,
    indented,
    metrics_path,
    seed_bias,
    seed_metrics,
    steps_path,
)
from assay.evaluate.reasoning.sheets import Sample
from assay.evaluate.reasoning.stages import check_foreign, check_inputs, key_of
from assay.inference import Plan

__all__ = [
    "Asked",
    "BiasDone",
    "Done",
    "Extracted",
    "evaluate",
    "evaluate_bias",
    "evaluate_reasoning",
    "extract_generations",
    "reason",
]

METRICS, BIAS_STAGE = "metrics", "bias"
LONG_GOLD = 100
"""characters; a label is shorter"""
Rows = Iterator[tuple[ExtractedRow, str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be evaluated, and how."""

    files: ReasoningFiles
    options: ReasoningOptions
    plan: Plan
    created_at: str
    command: str | None = None
    progress: Callable[[int], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Done:
    """What a run of the pipeline leaves."""

    artifact: ReasoningArtifact
    written: list[str]
    """paths within the folder"""
    up_to_date: list[str]
    """stages that were left alone"""


def evaluate_reasoning(
    files: ReasoningFiles,
    options: ReasoningOptions | None = None,
    plan: Plan | None = None,
    *,
    created_at: str = "",
    progress: Callable[[int], None] = lambda _: None,
) -> ReasoningArtifact:
    """Evaluate the chains of thought of one or more models, and write nothing."""
    chosen = options or ReasoningOptions(), plan or Plan()
    return evaluate(Asked(files, *chosen, created_at, progress=progress))


def evaluate(asked: Asked) -> ReasoningArtifact:
    """Evaluate models and write nothing."""
    inputs = _inputs(asked, None)
    judge = _judge(inputs, asked.options)
    reads = [
        read_model(name, inputs, asked.options, extracted_rows(name, index, judge))
        for name, index in inputs.models.items()
    ]
    return _evaluated(asked, inputs, reads)


def reason(asked: Asked, output: Path, *, force: bool = False) -> Done:
    """Evaluate models and write the files of every stage into a folder."""
    inputs = _inputs(asked, output)
    known = read_stages(output)
    keys = _keys(asked, inputs)
    current = [] if force else [name for name in keys if known.holds(name, keys[name], output)]
    if len(current) == len(keys):
        data = (output / ARTIFACT).read_bytes()
        return Done(msgspec.json.decode(data, type=ReasoningArtifact), [], current)
    check_inputs(output, _targets(inputs), _read_from(inputs))
    if not force:
        check_foreign(output, known, _targets(inputs))
    with staged(output) as place:
        reads = []
        for name in inputs.models:
            path = output / extracted_path(name) if _stage(name) in current else None
            reads.append(_read(asked, inputs, name, place, path))
        artifact = _evaluated(asked, inputs, reads)
        _write_metrics(place, artifact)
        written = place.finish(known, keys)
    return Done(artifact, written, [name for name in current if name != METRICS])


def _inputs(asked: Asked, output: Path | None) -> Inputs:
    if asked.files.vignettes is None:
        msg = "no vignettes were given, so there is nothing to compare answers with"
        raise UsageError(msg, hint="name them with --vignettes; `assay extract` needs none")
    return read_inputs(asked.files, asked.options, output=output)


def _stage(model: str) -> str:
    return f"extract {model}"


def _keys(asked: Asked, inputs: Inputs) -> dict[str, str]:
    """Return what every stage is made of."""
    keys = _extraction_keys(inputs, asked.options)
    plan = _planned(asked.plan)
    given = [[each.role, each.model, each.sha256] for each in inputs.records]
    choices = [asdict(asked.options), plan, asked.files.cluster, asked.files.unlabelled]
    return {**keys, METRICS: key_of(given, choices, [*keys.values()])}


def _planned(plan: Plan) -> dict[str, Any]:
    """Return what numbers depend on: neither threads nor blocks."""
    changes_nothing = {"threads", "block_values"}
    return {name: value for name, value in asdict(plan).items() if name not in changes_nothing}


def _extraction_keys(inputs: Inputs, options: ReasoningOptions) -> dict[str, str]:
    # A repr shows every field that tells two of them apart, and no prepared search.
    made = [repr(inputs.labels.labels), repr(inputs.rules), options.extraction()]
    return {
        _stage(name): key_of(name, index.sha256, *made) for name, index in inputs.models.items()
    }


def _targets(inputs: Inputs) -> list[str]:
    shared = [ARTIFACT, ALL_MODELS, *([BIAS_METRICS] if inputs.bias else [])]
    of_model = (extracted_path, steps_path, metrics_path)
    return [*shared, *(path(name) for name in inputs.models for path in of_model)]


def _read_from(inputs: Inputs) -> list[str]:
    return [each.path for each in inputs.records]


def _judge(inputs: Inputs, options: ReasoningOptions) -> Judge:
    return Judge(inputs.labels, inputs.rules, options)


def _read(
    asked: Asked, inputs: Inputs, name: str, place: Staged, extracted: Path | None
) -> ModelRead:
    """Read one model, and write what is extracted and its steps."""
    index = inputs.models[name]
    with place.opened(METRICS, steps_path(name)) as write_steps:
        if extracted is not None:
            rows = reused_rows(str(extracted), index)
            return read_model(name, inputs, asked.options, rows, write_steps=write_steps)
        with place.opened(_stage(name), extracted_path(name)) as write:
            rows = _passing(extracted_rows(name, index, _judge(inputs, asked.options)), write)
            return read_model(name, inputs, asked.options, rows, write_steps=write_steps)


def _passing(rows: Rows, write: Callable[[bytes], None]) -> Rows:
    """Write rows down as they pass."""
    for row, text in rows:
        write(msgspec.json.encode(row) + b"\n")
        yield row, text


def _evaluated(asked: Asked, inputs: Inputs, reads: list[ModelRead]) -> ReasoningArtifact:
    options, plan = asked.options, asked.plan
    sample = _sample(asked, inputs)
    conventions = options.readings(inputs.gold, inputs.golds, stored=bool(inputs.stored))
    sheets = [each.sheet for each in reads]
    numbers = numbers_of(sheets, sample, options, conventions, plan, progress=asked.progress)
    bias = bias_of(inputs, options, plan)
    models = [
        model_record(number, read, index, sample, numbers, bias=bias.get(name))
        for number, (read, (name, index)) in enumerate(
            zip(reads, inputs.models.items(), strict=True)
        )
    ]
    signs = [warning for model in models if (warning := sign_warning(model))]
    return ReasoningArtifact(
        tool=Tool(name="assay", version=version("assay"), engine=kernels.ENGINE),
        created_at=asked.created_at,
        command=asked.command,
        inputs=list(inputs.records),
        conventions=options.conventions(inputs.gold),
        resampling=_resampling(plan, sample),
        warnings=[*inputs.warnings, *_doubts(inputs), *signs],
        labels=[each.name for each in inputs.labels.labels],
        n_vignettes=len(sample.ids),
        models=models,
        rankings=numbers.rankings(),
        pairs=numbers.pair_records(),
    )


def _resampling(plan: Plan, sample: Sample) -> Resampling:
    return Resampling(
        unit=sample.unit,
        n_units=sample.weight.counts.shape[1],
        n_resamples=plan.n_resamples,
        seed=plan.seed,
        stream=plan.stream,
        level=plan.level,
        method=plan.method,
    )


def _sample(asked: Asked, inputs: Inputs) -> Sample:
    vignettes = inputs.vignettes
    assert vignettes is not None  # noqa: S101 - checked when they were read
    names, unit = vignettes.clusters(asked.files.cluster)
    cluster = dict(zip((each.id for each in vignettes.rows), names, strict=True))
    return Sample.of(inputs.ids, [cluster[each] for each in inputs.ids], unit)


def _doubts(inputs: Inputs) -> Iterator[str]:
    """Say where what was given cannot mean what it seems to."""
    lengths = sorted(len(gold) for gold in inputs.golds[inputs.gold].values())
    usual = lengths[len(lengths) // 2]
    if inputs.gold == "answer" and usual > LONG_GOLD:
        yield (
            f"gold answers are paragraphs (half of them have {usual} characters or more), which no"
            " answer repeats: give labels with --gold-labels"
        )
    if len(inputs.ids) == 1:
        yield "there is one vignette, so resampling shows no uncertainty"
    unmatched = [name for name in inputs.bias if name not in inputs.models]
    if unmatched:
        yield f"there are bias generations of models without generations: {', '.join(unmatched)}"


def _write_metrics(place: Staged, artifact: ReasoningArtifact) -> None:
    """Write the artifact, and its numbers under the keys and in the places of before."""
    place.write(METRICS, ARTIFACT, artifacts.encode(artifact))
    found = {each.name: seed_metrics(each, artifact.conventions) for each in artifact.models}
    for name, metrics in found.items():
        place.write(METRICS, metrics_path(name), indented(metrics))
    place.write(METRICS, ALL_MODELS, indented(found))
    bias = {each.name: seed_bias(each.bias) for each in artifact.models if each.bias is not None}
    if bias:
        place.write(METRICS, BIAS_METRICS, indented(bias))


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


def extract_generations(
    files: ReasoningFiles, options: ReasoningOptions, output: Path, *, force: bool = False
) -> Extracted:
    """Extract the answers of every model, and nothing more."""
    inputs = read_inputs(files, options, output=output)
    known, keys = read_stages(output), _extraction_keys(inputs, options)
    current = [] if force else [name for name in keys if known.holds(name, keys[name], output)]
    targets = [extracted_path(name) for name in inputs.models]
    check_inputs(output, targets, _read_from(inputs))
    if not force:
        check_foreign(output, known, targets)
    judge, outcomes, methods = _judge(inputs, options), {}, {}
    with staged(output) as place:
        for name, index in inputs.models.items():
            if _stage(name) in current:
                rows = reused_rows(str(output / extracted_path(name)), index)
                outcomes[name], methods[name] = _counted(rows)
                continue
            with place.opened(_stage(name), extracted_path(name)) as write:
                rows = _passing(extracted_rows(name, index, judge), write)
                outcomes[name], methods[name] = _counted(rows)
        written = place.finish(known, keys) if len(current) < len(keys) else []
    labels = [each.name for each in inputs.labels.labels]
    return Extracted(outcomes, methods, written, current, labels, [*inputs.warnings])


def _counted(rows: Rows) -> tuple[dict[str, int], dict[str, int]]:
    outcomes: Counter[str] = Counter()
    methods: Counter[str] = Counter()
    for row, _ in rows:
        outcomes[row.outcome or "not ok"] += 1
        methods[row.extraction_method] += 1
    return dict(outcomes.most_common()), dict(methods.most_common())


@dataclass(frozen=True, slots=True)
class BiasDone:
    """What the numbers of bias alone leave."""

    records: dict[str, BiasRecord]
    data: bytes
    """the file as written"""
    written: list[str]
    warnings: list[str]


def evaluate_bias(
    files: ReasoningFiles,
    options: ReasoningOptions,
    plan: Plan,
    output: Path,
    *,
    force: bool = False,
) -> BiasDone:
    """Say how often models follow a bias, and write that down."""
    inputs = bias_inputs(files)
    known = read_stages(output)
    chosen = [options.bias_text, options.boundaries, _planned(plan)]
    key = key_of([[each.role, each.model, each.sha256] for each in inputs.records], chosen)
    current = not force and known.holds(BIAS_STAGE, key, output)
    check_inputs(output, [BIAS_METRICS], _read_from(inputs))
    if not force:
        check_foreign(output, known, [BIAS_METRICS])
    records = bias_of(inputs, options, plan)
    data = indented({name: seed_bias(each) for name, each in records.items()})
    written: list[str] = []
    if not current:
        with staged(output) as place:
            place.write(BIAS_STAGE, BIAS_METRICS, data)
            written = place.finish(known, {BIAS_STAGE: key})
    return BiasDone(records, data, written, [*inputs.warnings])
