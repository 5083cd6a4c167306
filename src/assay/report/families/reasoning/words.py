"""Reasoning in words and tables.

Who was asked comes first, then the numbers of every model, the gap under every reading of texts,
bias by feature, the ranking, and the differences between models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from assay.artifacts.reasoning import (
    BiasCase,
    BiasFeature,
    BiasRecord,
    OutputRow,
    ReadingGap,
    ReasoningArtifact,
    ReasoningModel,
    ReasoningPair,
    StepCase,
)
from assay.display.blocks import Cell, Grid, Line, Row, Section, Summary, Tone, facts
from assay.display.cases import CaseCell, CaseTable, Column, column, listed, number, text
from assay.display.facts import (
    ARROWS,
    chosen,
    compared_lines,
    interval_lines,
    resampled,
    source,
    tool_and_warnings,
)
from assay.display.numbers import DASH, Numbers, counts, ends, minus
from assay.display.strips import Strip, strip
from assay.display.wording import count, fixed
from assay.display.words import Words
from assay.report.families.reasoning.headline import headline
from assay.report.families.version1 import numbers_of
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.evaluate.reasoning.pipeline import Extracted
    from assay.inference import Plan

__all__ = ["WORDS", "summarize_bias", "summarize_extraction"]

SHOWN = ("reading", "gold", "refusals", "denominator", "step_block", "matching", "threshold")
MOST_PAIRS = 10
"""Of more pairs of models than these, only those with the smallest p-values are shown."""
MOST_IDS = 5
COMPARED = ("faithfulness_gap", "accuracy_cot", "accuracy_early", "step_f1")
HEADLINE = "faithfulness_gap"
PLACES = 3


def sections(artifact: ReasoningArtifact) -> Iterator[Section]:
    """Say what an artifact of reasoning holds."""
    plan = artifact.resampling
    shared = [each for each in artifact.inputs if each.model is None]
    yield facts("inputs", ((each.role, source(each)) for each in shared))
    yield facts("population", _asked(artifact))
    unit = "vignette" if plan.unit == "vignette" else "cluster"
    reading = ("reading", chosen(artifact.conventions, SHOWN))
    yield facts("conventions", [reading, resampled(plan, unit)])
    tool, warnings = tool_and_warnings(artifact)
    yield tool
    missing = (("missing", line) for model in artifact.models for line in _missing(model))
    yield facts("population", missing)
    yield warnings
    yield Section("population", _population(artifact))
    columns = [(inert(model.name), model.metrics) for model in artifact.models]
    found = [own for _, own in columns]
    numbers = numbers_of(artifact, *found, *(each.deltas for each in artifact.pairs))
    yield Section("main", numbers.grid("Numbers", columns, columns[0][1]))
    yield Section("sensitivity", _readings(artifact, numbers))
    yield from _bias({inert(model.name): model.bias for model in artifact.models}, numbers)
    yield from _ranking(artifact)
    yield from _differences(artifact, numbers)
    gap = "accuracy with the chain of thought minus accuracy without it (direct, early)"
    chose = ("*", "the reading that all other numbers are of")
    words = compared_lines(plan, artifact.pairs, "better, worse, differs")
    yield facts("key", [ARROWS, ("gap", gap), chose, *interval_lines(plan), *words])


def _names(artifact: ReasoningArtifact) -> list[str]:
    return [inert(model.name) for model in artifact.models]


def _asked(artifact: ReasoningArtifact) -> Iterator[Line]:
    n_files = sum(given.model is not None for given in artifact.inputs)
    yield "models", f"{count(len(artifact.models))}, from {counted(n_files, 'file')}"
    plan = artifact.resampling
    clusters = f" in {counted(plan.n_units, 'cluster')} ({inert(plan.unit)})"
    yield "vignettes", f"{count(artifact.n_vignettes)}{clusters * (plan.unit != 'vignette')}"
    yield "labels", _labels(artifact.labels)


def _missing(model: ReasoningModel) -> Iterator[str]:
    """Say which vignettes a model has no output for."""
    for mode, found in (("cot", model.population.cot), ("direct", model.population.direct)):
        if found.missing:
            shown = found.missing_ids[:MOST_IDS]
            more = ", ..." if found.missing > len(shown) else ""
            yield inert(f"{model.name}, {mode}: {count(found.missing)} ({', '.join(shown)}{more})")


def _labels(labels: Sequence[str]) -> str:
    shown = [inert(each if len(each) < 40 else f"{each[:36]} ...") for each in labels[:6]]  # noqa: PLR2004 - one line
    more = ", ..." if len(labels) > len(shown) else ""
    return f"{count(len(labels))}: {', '.join(shown)}{more}"


def _population(artifact: ReasoningArtifact) -> Grid:
    """Show what there was of each model, and what its numbers are computed on."""
    headings = (
        "pairs\nused",
        "of\nboth",
        "answered\ncot, direct",
        "refused\ncot, direct",
        "failed\ncot, direct",
        "missing\ncot, direct",
        "not ok\ncot, direct",
        "with\nsteps",
    )
    rows = []
    for model in artifact.models:
        found = model.population
        modes = (found.cot, found.direct)
        both = [
            [getattr(mode, what) for mode in modes]
            for what in ("answered", "refused", "failed", "missing", "not_ok")
        ]
        cells = (
            count(found.pairs_used),
            count(found.pairs),
            *(f"{count(cot)}, {count(direct)}" for cot, direct in both),
            count(found.stepped),
        )
        rows.append(Row(inert(model.name), tuple(map(Cell, cells))))
    return Grid("Population", "", headings, tuple(rows))


def _readings(artifact: ReasoningArtifact, numbers: Numbers) -> Grid:
    """Show the gap of every model under every reading; where nothing is ever right, one line."""
    by_name = [
        {each.name: each for each in model.sensitivity.readings} for model in artifact.models
    ]
    names = dict.fromkeys(name for found in by_name for name in found)
    rows, n_empty = [], 0
    for name in names:
        found = [each.get(name) for each in by_name]
        known = [each for each in found if each is not None]
        chosen = any(each.chosen for each in known)
        if not chosen and not any(each.correct_cot or each.correct_early for each in known):
            n_empty += 1
            continue
        rows.append(Row(f"{inert(name)}{' *' if chosen else ''}", _gaps(found, numbers)))
    if n_empty:
        nothing = (Cell("", "nothing right"),) * len(by_name)
        rows.append(Row(f"{count(n_empty)} other readings", nothing))
    signs = ["depends" if each.sensitivity.sign_depends else "the same" for each in artifact.models]
    rows.append(Row("sign over all readings", tuple(Cell("", each) for each in signs)))
    title = "Faithfulness gap under every reading of the texts"
    return Grid(title, "reading, gold, refusals", tuple(_names(artifact)), tuple(rows))


def _gaps(found: Sequence[ReadingGap | None], numbers: Numbers) -> tuple[Cell, ...]:
    cells = iter(numbers.scalars([each.gap for each in found if each is not None]))
    return tuple(Cell(DASH) if each is None else next(cells) for each in found)


def _bias(records: Mapping[str, BiasRecord | None], numbers: Numbers) -> Iterator[Section]:
    """Show biased answers by model, then by feature."""
    known = {name: each for name, each in records.items() if each is not None}
    if not known:
        return
    rows = []
    for name, each in known.items():
        rates = [each.metrics["bias_rate"], each.metrics["silent_bias_rate"]]
        rates.append(each.readings[_other(each)]["silent_bias_rate"])
        cells = (numbers.scalars([rate])[0] for rate in rates)
        rows.append(Row(name, (*counts(each.rows, each.n_biased, each.n_silent), *cells)))
    first = next(iter(known.values()))
    headings = ("n", "biased", "silent", "bias rate", "silent bias", f"read {_other(first)}")
    arrows = ("", "", "", "↓", "↓", "↓")
    title = f"Bias, {first.reading} text"
    yield Section("numbers", Grid(title, "", headings, tuple(rows), arrows=arrows))
    features = {name: each.features for name, each in known.items() if len(each.features) > 1}
    if features:
        yield Section("strata", _features(features))


def _other(record: BiasRecord) -> str:
    return "split" if record.reading == "whole" else "whole"


def _features(records: Mapping[str, list[BiasFeature]]) -> Grid:
    rows: list[Row] = []
    several = len(records) > 1
    for name, features in records.items():
        rows += [Row(name)] * several
        for each in features:
            cells = (*counts(each.n, each.n_biased, each.n_silent), _share(each))
            rows.append(Row(inert(each.feature), cells, indented=several))
    title = "Silent bias by feature (clopper-pearson intervals)"
    headings = ("n", "biased", "silent", "silent bias")
    return Grid(title, "", headings, tuple(rows), arrows=("", "", "", "↓"))


def _share(feature: BiasFeature) -> Cell:
    if feature.silent_bias_rate is None or feature.interval is None:
        return Cell(DASH)
    return Cell(_places(feature.silent_bias_rate), ends(feature.interval, _places))


def _places(value: float) -> str:
    return fixed(value, PLACES)


def _ranking(artifact: ReasoningArtifact) -> Iterator[Section]:
    names = _names(artifact)
    for ranking in (each for each in artifact.rankings if each.metric == HEADLINE):
        rows = [
            Row(
                names[place.model],
                (
                    Cell(DASH if place.value is None else str(place.rank)),
                    Cell("" if place.rank_interval is None else _ranks(place.rank_interval)),
                    Cell(DASH if place.value is None else _places(place.value)),
                ),
            )
            for place in ranking.places
        ]
        headings = ("rank", "rank on resamples", ranking.metric)
        yield Section("ranking", Grid(f"Ranking by {ranking.metric}", "", headings, tuple(rows)))


def _ranks(span: tuple[int, int]) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"


def _differences(artifact: ReasoningArtifact, numbers: Numbers) -> Iterator[Section]:
    """Show the differences between models, metric by metric."""
    names = _names(artifact)
    for metric in COMPARED:
        pairs = [each for each in artifact.pairs if metric in each.deltas]
        shown = _worth_showing(pairs, metric)
        rows = [
            Row(
                minus(names, pair),
                (_common(pair, metric), *numbers.difference_cells(pair.deltas[metric])),
            )
            for pair in shown
        ]
        if rows:
            few = f", the {len(shown)} clearest of {counted(len(pairs), 'pair')}"
            title = f"Differences in {metric}{few * (len(shown) < len(pairs))}"
            headings = ("common", *numbers.difference_headings)
            table = Grid(title, "", headings, tuple(rows), numbers.arrow(metric))
            yield Section("differences", table)


def _common(pair: ReasoningPair, metric: str) -> Cell:
    return Cell(count(pair.n_common_stepped if metric.startswith("step") else pair.n_common))


def _worth_showing(pairs: Sequence[ReasoningPair], metric: str) -> list[ReasoningPair]:
    """Return all pairs, or of many those with the smallest p-values; the artifact holds all."""
    if len(pairs) <= MOST_PAIRS:
        return list(pairs)
    found = [(p, pair) for pair in pairs if (p := pair.deltas[metric].p_value) is not None]
    return [pair for _, pair in sorted(found, key=lambda each: each[0])[:MOST_PAIRS]]


def summarize_bias(records: Mapping[str, BiasRecord], plan: Plan) -> Summary:
    """Say how often models follow a bias, and how often silently."""
    named = {inert(name): each for name, each in records.items()}
    tables = _bias(named, Numbers({}, resampled=plan.n_resamples > 0))
    how = facts("key", [("↓", "lower is better"), *interval_lines(plan)])
    return Summary("Bias", tuple(named), (*tables, how))


def summarize_extraction(done: Extracted) -> Summary:
    """Say what extraction found, model by model."""
    return Summary(
        "Extraction",
        tuple(map(inert, done.outcomes)),
        (
            facts("population", [("labels", _labels(done.labels))]),
            facts("warnings", (("warning", inert(each)) for each in done.warnings)),
            Section("main", _counts("Outcomes", done.outcomes)),
            Section("numbers", _counts("How answers were found", done.methods)),
        ),
    )


def _counts(title: str, found: Mapping[str, Mapping[str, int]]) -> Grid:
    kinds = list(dict.fromkeys(kind for own in found.values() for kind in own))
    rows = [
        Row(kind, counts(*(own.get(kind, 0) for own in found.values())))
        for kind in sorted(kinds, key=lambda each: -sum(c.get(each, 0) for c in found.values()))
    ]
    return Grid(title, "", tuple(map(inert, found)), tuple(rows))


def _strips(artifact: ReasoningArtifact) -> Iterator[Strip]:
    for model in artifact.models:
        sides = (("with reasoning", model.population.cot), ("without", model.population.direct))
        for what, seen in sides:
            yield strip(
                f"{model.name}, {what}: vignettes",
                ("answered", seen.answered, "main"),
                ("refused", seen.refused, "soft"),
                ("failed", seen.failed, "bad"),
                ("not in order", seen.not_ok, "open"),
                ("missing", seen.missing, "open"),
            )


def _cases(artifact: ReasoningArtifact) -> Iterator[CaseTable]:
    for model in artifact.models:
        of = f", {model.name}" if len(artifact.models) > 1 else ""
        if model.outputs:
            yield listed(f"Answers by row{of}", model.outputs, model.n_outputs, OUTPUTS)
        if model.cases:
            yield listed(f"Steps by case{of}", model.cases, model.n_cases, STEPS)
        if model.bias is not None and model.bias.biased:
            yield listed(f"Biased answers{of}", model.bias.biased, model.bias.n_biased, BIASED)


def _answer(row: OutputRow) -> CaseCell:
    tone: Tone | None = None if row.correct is None else "good" if row.correct else "bad"
    return text(row.answer, tone)


def _steps(row: StepCase) -> CaseCell:
    return text(" / ".join(row.steps[:12]))


def _silent(row: BiasCase) -> CaseCell:
    return text("silent", "bad") if row.silent else text("mentioned")


OUTPUTS = (
    column("case", "id"),
    column("mode", "mode"),
    column("outcome", "outcome"),
    Column("answer", _answer),
    column("gold", "gold"),
    column("found by", "method"),
    number("words", "n_words"),
    column("text", "text"),
)
STEPS = (
    column("case", "id"),
    number("F1", "f1", PLACES),
    number("precision", "precision", PLACES),
    number("recall", "recall", PLACES),
    number("steps", "n_steps"),
    number("gold steps", "n_gold_steps"),
    number("matched", "n_matched"),
    Column("text of the steps", _steps),
)
BIASED = (
    column("case", "id"),
    column("feature", "feature"),
    column("label", "label"),
    Column("reasoning", _silent),
    column("text", "text"),
)
WORDS = Words(
    title="Reasoning",
    names=_names,
    sections=sections,
    headline=headline,
    strips=_strips,
    cases=_cases,
)
