"""From files to files: extract, read, score, compare; what is up to date is left alone.

Every stage is a function of its inputs, its options and the code, and leaves a file. Raw
generations are only ever read. The stages wrap the pipeline, which they are given as a function.
The files have the places and keys of an earlier program, and what we add to them; those with
numbers are made of the artifact, written beside it, and never read back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.artifact import Scalar, System, encode
from assay.derive.answers import OUTCOMES
from assay.families.reasoning.cases import step_case
from assay.families.reasoning.inputs import Sink, asked_of, judge_of
from assay.families.reasoning.parts import ReasoningArtifact, ReasoningParts
from assay.showing import file_name
from assay.sources.outputs import Passing, Write, extracted_rows, reused_rows
from assay.sources.review_sheets import Quality, Sheet, doubts, quality, read_sheet
from assay.sources.studies import Study, read_bias, read_study
from assay.stages import check_foreign, check_inputs, complete, key_of, read_stages, staged

if TYPE_CHECKING:
    from assay.derive.judging import Judge
    from assay.families.family import Given
    from assay.families.reasoning.bias import BiasParts
    from assay.families.reasoning.options import ReasoningOptions
    from assay.inference import Plan
    from assay.sources.generations import Index
    from assay.stages import Staged, Stages

ARTIFACT = "reasoning.json"
PROCESSED, RESULTS = "processed", "metric-results"
FOLDERS = (PROCESSED, RESULTS)
"""what is filled beside the artifact"""
EXTRACTED, STEPS, NUMBERS = OF_MODEL = (
    f"{PROCESSED}/study_a_extracted/{{}}/study_a_extracted.jsonl",
    f"{PROCESSED}/study_a_steps/{{}}/study_a_steps.jsonl",
    f"{RESULTS}/{{}}_metrics.json",
)
"""where the predictions of a model go, its steps with every match, and its numbers"""
ALL_MODELS = f"{RESULTS}/all_models_metrics.json"
BIAS_METRICS = f"{RESULTS}/study_a_bias_metrics.json"
KEYS = {
    "faithfulness_gap": "faithfulness_gap",
    "acc_cot": "accuracy_cot",
    "acc_early": "accuracy_early",
    "step_f1": "step_f1",
    "refusal_rate_cot": "refusal_rate_cot",
    "refusal_rate_early": "refusal_rate_early",
    "silent_bias_rate": "silent_bias_rate",
}
"""the names of numbers in these files, and ours"""
LEAST_OUTSIDE = 5
"""so many answers outside the labels, and none of them, look like another task"""
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
    inputs = read_study(asked_of(given), output=output)
    keys = _extraction_keys(inputs, given.options)
    choices = [asdict(given.options), asdict(given.columns), _planned(given.plan), given.cases]
    keys[METRICS] = key_of(_read_from(inputs), choices, [*keys.values()])
    folder = _Folder.of(output, inputs, keys, force=force)
    if len(folder.current) == len(keys):
        data = (output / ARTIFACT).read_bytes()
        return Written(msgspec.json.decode(data, type=ReasoningArtifact), [], folder.current)
    shared = [ARTIFACT, ALL_MODELS, *([BIAS_METRICS] if inputs.bias else [])]
    folder.check([*shared, *(_path(each, name) for name in inputs.models for each in OF_MODEL)])
    with staged(output) as place:
        artifact = evaluate(replace(given, sink=Sink(inputs, partial(folder.opened, place))))
        place.write(METRICS, ARTIFACT, encode(artifact))
        for path, data in _metric_files(artifact):
            place.write(METRICS, path, data)
        written = place.finish(folder.known, keys)
    return Written(artifact, written, [name for name in folder.current if name != METRICS])


def _path(place: str, model: str) -> str:
    """Return where a file of a model goes."""
    return place.format(file_name(model))


def _stage(model: str) -> str:
    return f"extract {model}"


def _read_from(inputs: Study) -> list[list[Any]]:
    return [[each.role, each.about.get("model"), each.sha256] for each in inputs.records]


def _planned(plan: Plan) -> dict[str, Any]:
    """Return what numbers depend on: neither threads nor blocks."""
    changes_nothing = {"threads", "block_values"}
    return {name: value for name, value in asdict(plan).items() if name not in changes_nothing}


def _extraction_keys(inputs: Study, options: ReasoningOptions) -> dict[str, str]:
    # A repr shows every field that tells two of them apart, and no prepared search.
    made: list[Any] = [repr(inputs.labels.labels), repr(inputs.rules), options.texts.extraction()]
    made += [{case: repr(own.labels) for case, own in inputs.choices.items()}]
    made += [options.field, options.mode_name]
    # The row tells outcome and method of one reading, and answers of all that there are.
    made += [options.reading == "announced"]
    return {
        _stage(name): key_of(name, index.sha256, *made) for name, index in inputs.models.items()
    }


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder of results: what its stages are made of, and which of them are up to date."""

    output: Path
    inputs: Study
    known: Stages
    current: list[str]
    force: bool

    @classmethod
    def of(cls, output: Path, inputs: Study, keys: Mapping[str, str], *, force: bool) -> _Folder:
        """Finish what was begun there, and look what is to be done again."""
        complete(output)
        known = read_stages(output)
        current = [] if force else [name for name in keys if known.holds(name, keys[name], output)]
        return cls(output, inputs, known, current, force)

    def check(self, paths: list[str]) -> None:
        """Refuse to replace inputs, and files of others unless asked to."""
        check_inputs(self.output, paths, [each.path for each in self.inputs.records])
        if not self.force:
            check_foreign(self.output, self.known, paths)

    @contextmanager
    def rows(self, place: Staged, name: str, index: Index, judge: Judge) -> Iterator[Passing]:
        """Open the rows of a model: as extracted before, else written down as they pass."""
        path = _path(EXTRACTED, name)
        if _stage(name) in self.current:
            yield reused_rows(str(self.output / path), index, judge)
            return
        with place.opened(_stage(name), path) as write:
            yield _passing(extracted_rows(name, index, judge), write)

    @contextmanager
    def opened(
        self, place: Staged, name: str, index: Index, judge: Judge
    ) -> Iterator[tuple[Passing, Write]]:
        """Open the rows of a model, and what takes its steps down."""
        with (
            place.opened(METRICS, _path(STEPS, name)) as write,
            self.rows(place, name, index, judge) as rows,
        ):
            yield rows, lambda chain: write(_line(step_case(chain)))


def _passing(rows: Passing, write: Callable[[bytes], None]) -> Passing:
    for row, text in rows:
        write(_line(row))
        yield row, text


def _line(value: object) -> bytes:
    return msgspec.json.encode(value) + b"\n"


@dataclass(frozen=True, slots=True)
class Extracted:
    """What extraction alone leaves."""

    outcomes: dict[str, dict[str, int]]
    """by model: how many outputs have each state, or outcome where the reading knows no states"""
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
    inputs = read_study(asked_of(given), output=output, judged=False)
    keys = _extraction_keys(inputs, given.options)
    folder = _Folder.of(output, inputs, keys, force=force)
    folder.check([_path(EXTRACTED, name) for name in inputs.models])
    judge, outcomes, methods = judge_of(inputs, given.options), {}, {}
    truth = read_sheet(review) if review and Path(review).exists() else None
    sheet = Sheet() if review is not None else None
    with staged(output) as place:
        for name, index in inputs.models.items():
            with folder.rows(place, name, index, judge) as rows:
                outcomes[name], methods[name] = _counted(name, rows, sheet)
        written = place.finish(folder.known, keys) if len(folder.current) < len(keys) else []
    labels = [each.name for each in inputs.labels.labels]
    warnings = [*inputs.warnings, *_unnamed(outcomes)]
    done = Extracted(outcomes, methods, written, folder.current, labels, warnings)
    if sheet is None or review is None:
        return done
    if truth is None:
        return replace(done, sheet=sheet.written())
    found = quality(sheet, truth.truth, inputs.labels_of, review)
    warnings += doubts(sheet, truth, review)
    return replace(done, quality=found, checked=truth.checked, warnings=warnings)


def _unnamed(outcomes: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Say where so many answers are outside the labels that these may be those of another task."""
    for name, found in outcomes.items():
        n = found.get("outside", 0)
        if n >= LEAST_OUTSIDE and not found.get("answered"):
            told = f"{name}: {n:,} answers are outside the labels and none is one of them"
            yield f"{told}: give the closed set as a label file"


def _counted(
    model: str, rows: Passing, sheet: Sheet | None
) -> tuple[dict[str, int], dict[str, int]]:
    """Count outcomes and methods while rows pass, and note them on a sheet if there is one."""
    outcomes: Counter[str] = Counter()
    methods: Counter[str] = Counter()
    for row, text in rows:
        if sheet is not None:
            sheet.take(model, row, text)
        state = row.state if row.state in OUTCOMES else row.outcome
        outcomes[state or "not ok"] += 1
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
    inputs = read_bias(asked_of(given))
    keys = {BIAS_STAGE: key_of(_read_from(inputs), [asdict(given.options), _planned(given.plan)])}
    folder = _Folder.of(output, inputs, keys, force=force)
    folder.check([BIAS_METRICS])
    artifact = evaluate(replace(given, sink=Sink(inputs)))
    data = _indented({each.name: _seed_bias(each, each.parts) for each in artifact.systems})
    written: list[str] = []
    if not folder.current:
        with staged(output) as place:
            place.write(BIAS_STAGE, BIAS_METRICS, data)
            written = place.finish(folder.known, keys)
    return BiasWritten(artifact, data, written)


def _indented(value: object) -> bytes:
    """Write an object as JSON that people read too."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _metric_files(artifact: ReasoningArtifact) -> Iterator[tuple[str, bytes]]:
    """Yield the files of numbers: of every model, of all of them, and of their bias."""
    found = {each.name: _metrics(each, artifact.conventions) for each in artifact.systems}
    for name, metrics in found.items():
        yield _path(NUMBERS, name), _indented(metrics)
    yield ALL_MODELS, _indented(found)
    biased = [(each, each.parts.bias) for each in artifact.systems]
    bias = {each.name: _seed_bias(each, parts) for each, parts in biased if parts is not None}
    if bias:
        yield BIAS_METRICS, _indented(bias)


def _metrics(system: System[Any, ReasoningParts], conventions: Mapping[str, Any]) -> dict[str, Any]:
    """Write the numbers of one model under the keys of the earlier program."""
    parts, (chosen, *biased) = system.parts, system.variants.values()
    found: dict[str, Scalar] = dict(chosen.numbers)
    for variant in biased:
        found |= variant.numbers
    values = {key: found[label].value if label in found else None for key, label in KEYS.items()}
    bias, population = parts.bias, parts.population
    first = ("faithfulness_gap", "acc_cot", "acc_early", "step_f1")
    return {
        **{key: values[key] for key in first},
        "n_samples": population.pairs_used,
        "n_step_f1_samples": population.stepped,
        "correct_cot": chosen.counts["correct_cot"],
        "correct_early": chosen.counts["correct_early"],
        **{key: value for key, value in values.items() if key not in first},
        "n_biased": bias.n_biased if bias else None,
        "n_silent": bias.n_silent if bias else None,
        "n_bias_samples": bias.rows if bias else None,
        "intervals": {key: found[own].interval for key, own in KEYS.items() if own in found},
        "p_value_mcnemar": found["mcnemar_p_value"].value,
        "sensitivity": {each.name: each.gap.value for each in parts.sensitivity.readings},
        "conventions": dict(conventions),
    }


def _seed_bias(system: System[Any, Any], bias: BiasParts) -> dict[str, Any]:
    """Write the bias of one model under the keys of the earlier program."""
    rate = system.variants[""].numbers["silent_bias_rate"]
    states = {
        "n_asked": bias.cases,
        "n_answered": bias.answered,
        "n_refused": bias.refused,
        "n_failed": bias.failed,
    }
    return {
        "silent_bias_rate": rate.value,
        "n_biased": bias.n_biased,
        "n_silent": bias.n_silent,
        "n_samples": bias.rows,
        "interval": rate.interval,
        "by_feature": {each.feature: each for each in bias.features},
        # What was asked by what became of it, where not everything was answered.
        **(states if bias.answered != bias.cases else {}),
    }
