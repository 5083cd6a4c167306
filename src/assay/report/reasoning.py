"""Reasoning as words and tables, from its artifact alone.

Who was asked comes first, then the numbers of every model, the gap under every reading of texts,
bias by feature, the ranking, and the differences between models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from assay.artifacts import Delta
from assay.artifacts.reasoning import (
    BiasFeature,
    BiasRecord,
    ReadingGap,
    ReasoningArtifact,
    ReasoningModel,
    ReasoningPair,
)
from assay.report.numbers import DASH, Notes, arrow
from assay.report.view import Block, Cell, Facts, Grid, Row, Summary
from assay.report.wording import count, fixed, level, superscript
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.evaluate.reasoning.pipeline import Extracted
    from assay.inference import Plan

__all__ = ["summarize_bias", "summarize_extraction", "summarize_reasoning"]

SHOWN = ("reading", "gold", "refusals", "denominator", "step_block", "matching", "threshold")
MOST_PAIRS = 10
"""Of more pairs of models than these, only those with the smallest p-values are shown."""
MOST_IDS = 5
COMPARED = ("faithfulness_gap", "accuracy_cot", "accuracy_early", "step_f1")
HEADLINE = "faithfulness_gap"
PLACES = 3


def summarize_reasoning(artifact: ReasoningArtifact) -> Summary:
    """Say what an artifact of reasoning holds."""
    notes = Notes(resampled=artifact.resampling.n_resamples > 0)
    names = [inert(model.name) for model in artifact.models]
    blocks: list[Block] = [Facts(tuple(_facts(artifact))), _population(artifact)]
    blocks += _numbers(artifact, notes)
    blocks += _readings(artifact, notes)
    blocks += _bias_grids({name: model.bias for name, model in _named(artifact)}, notes)
    blocks += _ranking(artifact, names)
    blocks += _differences(artifact, names, notes)
    return Summary(
        f"Reasoning: {', '.join(names)}", (*blocks, Facts(tuple(_legend(artifact, notes))))
    )


def _named(artifact: ReasoningArtifact) -> list[tuple[str, ReasoningModel]]:
    return [(inert(model.name), model) for model in artifact.models]


def _facts(artifact: ReasoningArtifact) -> Iterator[tuple[str, str]]:
    for given in artifact.inputs:
        if given.model is None:
            yield given.role, inert(f"{given.path}, sha256 {given.sha256[:12]}")
    n_files = sum(given.model is not None for given in artifact.inputs)
    yield "models", f"{count(len(artifact.models))}, from {counted(n_files, 'file')}"
    plan, chosen = artifact.resampling, artifact.conventions
    clusters = plan.unit != "vignette"
    unit = f" in {counted(plan.n_units, 'cluster')} ({inert(plan.unit)})" if clusters else ""
    yield "vignettes", f"{count(artifact.n_vignettes)}{unit}"
    yield "labels", _labels(artifact.labels)
    yield (
        "reading",
        inert(", ".join(f"{name.replace('_', ' ')} {_plain(chosen[name])}" for name in SHOWN)),
    )
    resampled = (
        f"{level(plan.level)} {plan.method}, {counted(plan.n_resamples, 'resample')} of"
        f" {counted(plan.n_units, 'cluster' if clusters else 'vignette')}, seed {plan.seed},"
        f" {plan.stream} stream"
    )
    yield "intervals", resampled if plan.n_resamples else "none, no resamples were asked for"
    yield "computed by", f"assay {artifact.tool.version}, {artifact.tool.engine} engine"
    yield from (("missing", line) for model in artifact.models for line in _missing(model))
    yield from (("read as", line) for model in artifact.models for line in _states(model))
    yield from (("warning", inert(warning)) for warning in artifact.warnings)


def _missing(model: ReasoningModel) -> Iterator[str]:
    """Say which vignettes a model has no output for."""
    for mode, found in (("cot", model.population.cot), ("direct", model.population.direct)):
        if found.missing:
            shown = found.missing_ids[:MOST_IDS]
            more = ", ..." if found.missing > len(shown) else ""
            yield inert(f"{model.name}, {mode}: {count(found.missing)} ({', '.join(shown)}{more})")


def _states(model: ReasoningModel) -> Iterator[str]:
    """Say how many answers are none or outside the labels, and how many texts are undecided."""
    for mode, found in (("cot", model.population.cot), ("direct", model.population.direct)):
        states = (("none", found.none), ("outside", found.outside), ("undecided", found.undecided))
        shown = [f"{name} {count(n)}" for name, n in states if n]
        if shown:
            yield inert(f"{model.name}, {mode}: {', '.join(shown)}")


def _labels(labels: Sequence[str]) -> str:
    shown = [inert(each if len(each) < 40 else f"{each[:36]} ...") for each in labels[:6]]  # noqa: PLR2004 - one line
    more = ", ..." if len(labels) > len(shown) else ""
    return f"{count(len(labels))}: {', '.join(shown)}{more}"


def _plain(value: object) -> str:
    return f"{value:g}" if type(value) is float else str(value)


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
    for name, model in _named(artifact):
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
        rows.append(Row(name, tuple(map(Cell, cells))))
    return Grid("Population", "", headings, tuple(rows))


def _numbers(artifact: ReasoningArtifact, notes: Notes) -> Iterator[Grid]:
    """Show all numbers, a row per number and a column per model."""
    labels = list(artifact.models[0].metrics)
    rows = []
    for label in labels:
        numbers = [model.metrics[label] for model in artifact.models]
        cells = (
            tuple(notes.test(each) for each in numbers)
            if label.endswith("p_value")
            else notes.scalars(numbers)
        )
        rows.append(Row(label, cells, arrow=arrow(numbers[0].better)))
    headings = tuple(name for name, _ in _named(artifact))
    yield Grid("Numbers", "", headings, tuple(rows))


def _readings(artifact: ReasoningArtifact, notes: Notes) -> Iterator[Grid]:
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
        rows.append(Row(f"{inert(name)}{' *' if chosen else ''}", _gaps(found, notes)))
    if n_empty:
        nothing = (Cell("", "nothing right"),) * len(by_name)
        rows.append(Row(f"{count(n_empty)} other readings", nothing))
    signs = ["depends" if each.sensitivity.sign_depends else "the same" for each in artifact.models]
    rows.append(Row("sign over all readings", tuple(Cell("", each) for each in signs)))
    headings = tuple(name for name, _ in _named(artifact))
    title = "Faithfulness gap under every reading of the texts"
    yield Grid(title, "reading, gold, refusals", headings, tuple(rows))


def _gaps(found: Sequence[ReadingGap | None], notes: Notes) -> tuple[Cell, ...]:
    cells = iter(notes.scalars([each.gap for each in found if each is not None]))
    return tuple(Cell(DASH) if each is None else next(cells) for each in found)


def _bias_grids(records: dict[str, BiasRecord | None], notes: Notes) -> Iterator[Grid]:
    """Show biased answers by model, then by feature."""
    known = {name: each for name, each in records.items() if each is not None}
    if not known:
        return
    rows = []
    for name, each in known.items():
        rates = [each.metrics["bias_rate"], each.metrics["silent_bias_rate"]]
        other = "split" if each.reading == "whole" else "whole"
        cells = [*(notes.scalars([rate])[0] for rate in rates)]
        rows.append(
            Row(
                name,
                (
                    *map(Cell, (count(each.rows), count(each.n_biased), count(each.n_silent))),
                    *cells,
                    notes.scalars([each.readings[other]["silent_bias_rate"]])[0],
                ),
            )
        )
    reading = next(iter(known.values())).reading
    other = "split" if reading == "whole" else "whole"
    headings = ("n", "biased", "silent", "bias rate ↓", "silent bias ↓", f"read {other}")
    yield Grid(f"Bias, {reading} text", "", headings, tuple(rows))
    features = {name: each.features for name, each in known.items() if len(each.features) > 1}
    if features:
        yield _features(features)


def _features(records: dict[str, list[BiasFeature]]) -> Grid:
    rows: list[Row] = []
    for name, features in records.items():
        if len(records) > 1:
            rows.append(Row(name))
        rows += [
            Row(
                inert(each.feature),
                (
                    Cell(count(each.n)),
                    Cell(count(each.n_biased)),
                    Cell(count(each.n_silent)),
                    _share(each),
                ),
                indented=len(records) > 1,
            )
            for each in features
        ]
    title = "Silent bias by feature (clopper-pearson intervals)"
    return Grid(title, "", ("n", "biased", "silent", "silent bias ↓"), tuple(rows))


def _share(feature: BiasFeature) -> Cell:
    if feature.silent_bias_rate is None or feature.interval is None:
        return Cell(DASH)
    ends = ", ".join(fixed(end, PLACES) for end in feature.interval)
    return Cell(fixed(feature.silent_bias_rate, PLACES), f"[{ends}]")


def _ranking(artifact: ReasoningArtifact, names: Sequence[str]) -> Iterator[Grid]:
    for ranking in artifact.rankings:
        if ranking.metric != HEADLINE:
            continue
        rows = [
            Row(
                names[place.model],
                (
                    Cell(DASH if place.value is None else str(place.rank)),
                    Cell("" if place.rank_interval is None else _ranks(place.rank_interval)),
                    Cell(DASH if place.value is None else fixed(place.value, PLACES)),
                ),
            )
            for place in ranking.places
        ]
        title = f"Ranking by {ranking.metric}"
        yield Grid(title, "", ("rank", "rank on resamples", ranking.metric), tuple(rows))


def _ranks(ends: tuple[int, int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _differences(artifact: ReasoningArtifact, names: Sequence[str], notes: Notes) -> Iterator[Grid]:
    """Show the differences between models, metric by metric."""
    corrected = len(artifact.pairs) > 1
    headings = ("common", "difference", "p", *(["p (Holm)"] * corrected), "")
    for metric in COMPARED:
        pairs = [each for each in artifact.pairs if metric in each.deltas]
        shown = _worth_showing(pairs, metric)
        few = f", the {len(shown)} clearest of {counted(len(pairs), 'pair')}" * (
            len(shown) < len(pairs)
        )
        rows = [
            Row(
                f"{names[pair.right]} minus {names[pair.left]}",
                (_common(pair, metric), *_delta(pair.deltas[metric], notes, corrected=corrected)),
            )
            for pair in shown
        ]
        if rows:
            direction = arrow(pairs[0].deltas[metric].better)
            title = f"Differences in {metric} {direction}".rstrip() + few
            yield Grid(title, "", headings, tuple(rows))


def _common(pair: ReasoningPair, metric: str) -> Cell:
    return Cell(count(pair.n_common_stepped if metric.startswith("step") else pair.n_common))


def _worth_showing(pairs: Sequence[ReasoningPair], metric: str) -> list[ReasoningPair]:
    """Return all pairs, or of many those with the smallest p-values; the artifact holds all."""
    if len(pairs) <= MOST_PAIRS:
        return list(pairs)
    found = {id(pair): pair.deltas[metric].p_value for pair in pairs}
    certain = [pair for pair in pairs if found[id(pair)] is not None]
    return sorted(certain, key=lambda pair: found[id(pair)] or 0.0)[:MOST_PAIRS]


def _delta(delta: Delta, notes: Notes, *, corrected: bool) -> tuple[Cell, ...]:
    holm = [notes.p_value(delta.p_holm)] * corrected
    return notes.delta(delta), notes.p_value(delta.p_value), *holm, notes.reading(delta)


def summarize_bias(records: Mapping[str, BiasRecord], plan: Plan) -> Summary:
    """Say how often models follow a bias, and how often silently."""
    notes = Notes(resampled=plan.n_resamples > 0)
    named = {inert(name): each for name, each in records.items()}
    lines = [("↓", "lower is better")]
    blocks = [*_bias_grids(dict(named), notes)]
    if plan.n_resamples:
        lines.append(("[low, high]", f"{level(plan.level)} interval"))
    lines += [(superscript(number), reason) for reason, number in notes.reasons.items()]
    return Summary(f"Bias: {', '.join(named)}", (*blocks, Facts(tuple(lines))))


def summarize_extraction(done: Extracted) -> Summary:
    """Say what extraction found, model by model."""
    facts = [("labels", _labels(done.labels))]
    facts += [("warning", inert(warning)) for warning in done.warnings]
    return Summary(
        f"Extraction: {', '.join(map(inert, done.outcomes))}",
        (
            Facts(tuple(facts)),
            _counts("Outcomes", done.outcomes),
            _counts("How answers were found", done.methods),
        ),
    )


def _counts(title: str, found: Mapping[str, Mapping[str, int]]) -> Grid:
    kinds = list(dict.fromkeys(kind for counts in found.values() for kind in counts))
    rows = [
        Row(kind, tuple(Cell(count(counts.get(kind, 0))) for counts in found.values()))
        for kind in sorted(kinds, key=lambda each: -sum(c.get(each, 0) for c in found.values()))
    ]
    return Grid(title, "", tuple(map(inert, found)), tuple(rows))


def _legend(artifact: ReasoningArtifact, notes: Notes) -> Iterator[tuple[str, str]]:
    plan = artifact.resampling
    yield "↓ ↑", "lower is better, higher is better"
    yield "gap", "accuracy with the chain of thought minus accuracy without it (direct, early)"
    yield "*", "the reading that all other numbers are of"
    if plan.n_resamples:
        yield "[low, high]", f"{level(plan.level)} interval"
    if plan.n_resamples and artifact.pairs:
        yield "better, worse, differs", "the interval of the difference excludes 0"
    for reason, number in notes.reasons.items():
        yield superscript(number), reason
