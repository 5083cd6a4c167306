"""Reasoning in words and tables.

Who was asked comes first, then the numbers of every model, the gap under every reading of texts,
bias by feature, the ranking, and the differences between models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.display.blocks import Cell, Detail, Grid, Line, Row, Section, Summary, facts
from assay.display.numbers import DASH, Numbers, counts, ends, minus
from assay.display.wording import count, fixed, signed
from assay.display.words import (
    ARROWS,
    Strip,
    Words,
    chosen,
    compared_lines,
    interval_lines,
    resampled,
    source,
    strip,
    system_names,
    tool_and_warnings,
)
from assay.families.reasoning.bias import OTHER_TEXT, BiasFeature, BiasParts
from assay.families.reasoning.cases import case_tables
from assay.families.reasoning.first import first
from assay.families.reasoning.parts import (
    BIAS_NUMBERS,
    ReadingGap,
    ReasoningArtifact,
    ReasoningSystem,
    Sensitivity,
    bias_numbers,
)
from assay.families.reasoning.subjects import GAP
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.artifact import Artifact, Delta, NoParts, Pair, System
    from assay.families.reasoning.parts import ModePopulation
    from assay.families.reasoning.seed_files import Extracted

    Compared = list[tuple[Pair, Delta]]
    """pairs, and their differences in one number"""

SHOWN = ("reading", "gold", "refusals", "denominator", "step_block", "matching", "threshold")
MOST_PAIRS = 10
"""Of more pairs of models than these, only those with the smallest p-values are shown."""
MOST_IDS = 5
UNITS = ("vignette", "case")
"""what is resampled where nothing is clustered"""
FIRST = (GAP, "accuracy_cot", "accuracy_early", "step_f1")
"""differences that are shown before others, which come in full"""
COMMON = {
    **dict.fromkeys((GAP, "accuracy_cot", "accuracy_early"), "n_common"),
    **dict.fromkeys(("step_f1", "step_precision", "step_recall"), "n_common_stepped"),
    **dict.fromkeys(("mean_words", "mean_verbosity"), "n_common_outputs"),
    **dict.fromkeys(("mean_format_noise", "mean_complexity"), "n_common_outputs"),
    **dict.fromkeys(BIAS_NUMBERS, "n_common_cases"),
}
"""what of a pair says on how many cases it is compared in a number"""
PLACES, SHORT, BY_FEATURE = 3, 4, ("n", "biased", "silent", "silent bias")


def sections(artifact: ReasoningArtifact) -> Iterator[Section]:
    """Say what an artifact of reasoning holds."""
    plan = artifact.resampling
    shared = [each for each in artifact.inputs if "model" not in each.about]
    yield facts("inputs", ((each.role.replace("_", " "), source(each)) for each in shared))
    yield facts("population", _asked(artifact))
    unit = plan.unit if plan.unit in UNITS else "cluster"
    reading = ("reading", chosen(artifact.conventions, SHOWN))
    yield facts("conventions", [reading, resampled(plan, unit)])
    tool, warnings = tool_and_warnings(artifact)
    yield tool
    missing = (("missing", line) for line in _by_mode(artifact, _missing))
    states = (("read as", line) for line in _by_mode(artifact, _states))
    more = (line for system in artifact.systems for line in _unanswered(system))
    yield facts("population", [*missing, *states, *more])
    yield warnings
    yield Section("population", _population(artifact))
    columns = [(inert(system.name), system.numbers) for system in artifact.systems]
    numbers = Numbers.of(artifact)
    yield Section("main", numbers.grid("Numbers", columns, columns[0][1]))
    yield from numbers.by_group(artifact, ("accuracy_cot", "accuracy_early", GAP))
    if several := any(len(each.parts.sensitivity.readings) > 1 for each in artifact.systems):
        yield Section("sensitivity", _readings(artifact, numbers))
    yield from _bias({each.name: (each.parts.bias, each) for each in artifact.systems}, numbers)
    yield from _ranking(artifact, numbers)
    yield from _differences(artifact, numbers)
    gap = "accuracy with the chain of thought minus accuracy without it (direct, early)"
    chose = [("*", "the reading that all other numbers are of")] * several
    words = compared_lines(plan, artifact.pairs, "better, worse, differs")
    bias = _of_bias(each.parts.bias for each in artifact.systems)
    yield facts("key", [ARROWS, ("gap", gap), *chose, *bias, *interval_lines(artifact), *words])


def _asked(artifact: ReasoningArtifact) -> Iterator[Line]:
    n_files = len({given.path for given in artifact.inputs if "model" in given.about})
    files = f", from {counted(n_files, 'file')}" if n_files else ""
    yield "models", f"{count(len(artifact.systems))}{files}"
    plan = artifact.resampling
    clusters = f" in {counted(plan.n_units, 'cluster')} ({inert(plan.unit)})"
    yield "vignettes", f"{count(artifact.parts.n_vignettes)}{clusters * (plan.unit not in UNITS)}"
    yield "labels", _labels(artifact.parts.labels)


def _by_mode(
    artifact: ReasoningArtifact, tell: Callable[[ModePopulation], str | None]
) -> Iterator[str]:
    """Say something of every system and mode of which there is something to say."""
    for system in artifact.systems:
        for mode in ("cot", "direct"):
            if told := tell(getattr(system.parts.population, mode)):
                yield inert(f"{system.name}, {mode}: {told}")


def _missing(found: ModePopulation) -> str | None:
    """Say which vignettes there is no output for."""
    shown = found.missing_ids[:MOST_IDS]
    more = ", ..." if found.missing > len(shown) else ""
    return f"{count(found.missing)} ({', '.join(shown)}{more})" if found.missing else None


def _states(found: ModePopulation) -> str:
    """Say how many answers are none or outside the labels, and how many texts are undecided."""
    states = (("none", found.none), ("outside", found.outside), ("undecided", found.undecided))
    return ", ".join(f"{name} {count(n)}" for name, n in states if n)


def _unanswered(system: ReasoningSystem) -> Iterator[Line]:
    """Say how far the gap hangs on what was not answered, and what was asked more than once."""
    bounds, seen = system.parts.gap_bounds, system.parts.population
    ends = [] if bounds is None else [bounds.lowest.value, bounds.highest.value]
    known = [signed(each, PLACES) for each in ends if each is not None]
    if known:
        told = f"from {' to '.join(known)}, by how what was not answered would go"
        yield "gap at worst", inert(f"{system.name}: {told}")
    if seen.unscored:
        yield "unscored", inert(f"{system.name}: {count(seen.unscored)} of vignettes without gold")
    if seen.duplicates:
        again = f"{counted(seen.duplicates, 'row')} before the last of its kind"
        if seen.reasked:
            again += f", {count(seen.reasked)} of them with another answer"
        yield "asked again", inert(f"{system.name}: {again}")


def _labels(labels: Sequence[str]) -> str:
    shown = [inert(each if len(each) < 40 else f"{each[:36]} ...") for each in labels[:6]]  # noqa: PLR2004 - one line
    more = ", ..." if len(labels) > len(shown) else ""
    return f"{count(len(labels))}: {', '.join(shown)}{more}"


def _population(artifact: ReasoningArtifact) -> Grid:
    """Show what there was of each model, and what its numbers are computed on."""
    states = ("answered", "refused", "failed", "missing", "not_ok")
    by_mode = (f"{state.replace('_', ' ')}\ncot, direct" for state in states)
    headings = ("pairs\nused", "of\nboth", *by_mode, "with\nsteps")
    rows = []
    for system in artifact.systems:
        found = system.parts.population
        both = [[count(getattr(mode, s)) for mode in (found.cot, found.direct)] for s in states]
        used = (count(found.pairs_used), count(found.pairs))
        cells = (*used, *map(", ".join, both), count(found.stepped))
        rows.append(Row(inert(system.name), tuple(map(Cell, cells))))
    return Grid("Population", "", headings, tuple(rows))


def _readings(artifact: ReasoningArtifact, numbers: Numbers) -> Grid:
    """Show the gap of every model under every reading; where nothing is ever right, one line."""
    sensitivities = [system.parts.sensitivity for system in artifact.systems]
    by_name = [{each.name: each for each in found.readings} for found in sensitivities]
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
        paired = any(each.pairs for found in by_name for each in found.values())
        nothing = (Cell("", "nothing right" if paired else "no pairs"),) * len(by_name)
        rows.append(Row(f"{count(n_empty)} other readings", nothing))
    signs = tuple(Cell("", _sign(each)) for each in sensitivities)
    rows.append(Row("sign over all readings", signs))
    title = "Faithfulness gap under every reading of the texts"
    return Grid(title, "reading, gold, refusals", tuple(system_names(artifact)), tuple(rows))


def _gaps(found: Sequence[ReadingGap | None], numbers: Numbers) -> tuple[Cell, ...]:
    cells = iter(numbers.scalars([each.gap for each in found if each is not None]))
    return tuple(Cell(DASH) if each is None else next(cells) for each in found)


def _bias(
    systems: Mapping[str, tuple[BiasParts | None, System[NoParts, Any]]], numbers: Numbers
) -> Iterator[Section]:
    """Show biased answers by system, then by feature; numbers beyond the usual ones in full."""
    known = {inert(name): (each, own) for name, (each, own) in systems.items() if each is not None}
    if not known:
        return
    rows = []
    lost = any(each.answered < each.cases for each, _ in known.values())
    unknown = lost and any(each.unscored for each, _ in known.values())
    for name, (each, system) in known.items():
        own, other = bias_numbers(system), each.other_readings[OTHER_TEXT[each.reading]]
        rates = [own["bias_rate"], own["silent_bias_rate"], other["silent_bias_rate"]]
        cells = (numbers.scalars([rate])[0] for rate in rates)
        states = (each.cases, each.refused, each.failed) * lost + (each.unscored or 0,) * unknown
        seen = counts(*states, system.variants[""].n_rows, each.n_biased, each.n_silent)
        rows.append(Row(name, (*seen, *cells)))
    first, first_system = next(iter(known.values()))
    read = f"read {OTHER_TEXT[first.reading]}"
    asked = ("asked", "refused", "failed") * lost + ("unscored",) * unknown
    headings = (*asked, "n", "biased", "silent", "bias rate", "silent bias", read)
    arrows = (*("",) * len(asked), "", "", "", "↓", "↓", "↓")
    title = f"Bias, {first.reading} text"
    yield Section("numbers", Grid(title, "", headings, tuple(rows), arrows=arrows))
    more = [label for label in bias_numbers(first_system) if label not in BIAS_NUMBERS]
    if more:
        columns = [(name, bias_numbers(system)) for name, (_, system) in known.items()]
        table = numbers.grid("More numbers of bias", columns, more)
        yield Section("numbers", table, detail="full")
    features = {name: each.features for name, (each, _) in known.items() if len(each.features) > 1}
    if features:
        yield Section("strata", _features(features))


def _features(records: Mapping[str, list[BiasFeature]]) -> Grid:
    several, many = len(records) > 1, max(map(len, records.values())) > SHORT
    rows: list[Row] = []
    for name, features in records.items():
        rows += [Row(name)] * several
        for place, each in enumerate(sorted(features, key=lambda one: -one.n_silent * many)):
            share = Cell(DASH)
            if each.silent_bias_rate is not None and each.interval is not None:
                share = Cell(_places(each.silent_bias_rate), ends(each.interval, _places))
            cells = (*counts(each.n, each.n_biased, each.n_silent), share)
            kept: Detail = "short" if place < SHORT else "full"
            rows.append(Row(inert(each.feature), cells, indented=several, detail=kept))
    title = "Silent bias by feature (clopper-pearson intervals)" + ", most silent first" * many
    return Grid(title, "", BY_FEATURE, tuple(rows), arrows=("", "", "", "↓"))


def _places(value: float) -> str:
    return fixed(value, PLACES)


def _ranking(artifact: ReasoningArtifact, numbers: Numbers) -> Iterator[Section]:
    """Show the ranking by the gap, and the others in full."""
    names = system_names(artifact)
    held = [{**bias_numbers(each), **each.numbers} for each in artifact.systems]
    for ranking in artifact.parts.rankings:
        metric = ranking.metric
        bounds = [each.parts.gap_bounds for each in artifact.systems]
        worst = [own[metric].at_worst for own in held]
        if metric == GAP:
            worst = [None if each is None else each.lowest.value for each in bounds]
        lost = any(worst[place.system] is not None for place in ranking.places)
        rows = []
        for place in ranking.places:
            value, at_worst = held[place.system][metric].value, worst[place.system]
            rank = Cell(DASH if value is None else str(place.rank))
            drawn = Cell(" to ".join(map(str, dict.fromkeys(place.rank_interval or ()))))
            shown = [_cell(value if at_worst is None else at_worst)] * lost
            rows.append(Row(names[place.system], (rank, drawn, _cell(value), *shown)))
        headings = ("rank", "rank on resamples", metric, *["at worst"] * lost)
        table = Grid(f"Ranking by {metric}", "", headings, tuple(rows), numbers.arrow(metric))
        yield Section("ranking", table, detail="short" if metric == GAP else "full")


def _cell(value: float | None) -> Cell:
    return Cell(DASH if value is None else _places(value))


def _differences(artifact: Artifact[Any, Any, Any], numbers: Numbers) -> Iterator[Section]:
    """Show the differences between systems, metric by metric."""
    names = system_names(artifact)
    found: dict[tuple[str, str], Compared] = {}
    for pair in artifact.pairs:
        for variant, deltas in pair.deltas.items():
            for label, delta in deltas.items():
                found.setdefault((variant, label), []).append((pair, delta))
    first = [key for label in FIRST for key in found if key[1] == label]
    for variant, label in dict.fromkeys([*first, *found]):
        pairs = found[variant, label]
        shown = _worth_showing(pairs)
        rows = []
        for pair, delta in shown:
            n = pair.counts.get(COMMON.get(label, ""))
            common = Cell(DASH if n is None else count(n))
            rows.append(Row(minus(names, pair), (common, *numbers.difference_cells(delta))))
        few = f", the {len(shown)} clearest of {counted(len(pairs), 'pair')}"
        title = f"Differences in {label}{few * (len(shown) < len(pairs))}"
        headings = ("common", *numbers.difference_headings)
        table = Grid(title, "", headings, tuple(rows), numbers.arrow(label))
        detail: Detail = "short" if label in FIRST else "full"
        yield Section("differences", table, variant=variant, detail=detail)


def _worth_showing(pairs: Compared) -> Compared:
    """Return all pairs, or of many those with the smallest p-values; the artifact holds all."""
    if len(pairs) <= MOST_PAIRS:
        return pairs
    known = [(pair, delta) for pair, delta in pairs if delta.p_value is not None]
    return sorted(known, key=lambda each: each[1].p_value or 0.0)[:MOST_PAIRS]


def _of_bias(found: Iterable[BiasParts | None]) -> Iterator[Line]:
    """Say what of the cases of bias is in no rate, or in all, where there is some."""
    known = [each for each in found if each is not None]
    if any(each.unscored for each in known):
        yield "unscored", "gives no known answer: counted as not biased, and as biased at worst"
    if any(each.refused or each.failed for each in known):
        yield "n", "what was asked without what was refused or failed; rates are of these"


def summarize_bias(artifact: Artifact[NoParts, BiasParts, NoParts]) -> Summary:
    """Say how often models follow a bias, and how often silently."""
    systems = {each.name: (each.parts, each) for each in artifact.systems}
    plan, numbers = artifact.resampling, Numbers.of(artifact)
    words = compared_lines(plan, artifact.pairs)
    bias = _of_bias(each.parts for each in artifact.systems)
    how = facts("key", [("↓", "lower is better"), *bias, *interval_lines(artifact), *words])
    again = (
        ("asked again", f"{inert(each.name)}: {counted(each.parts.duplicates, 'row')} repeated")
        for each in artifact.systems
        if each.parts.duplicates
    )
    pairs = (replace(each, detail="short") for each in _differences(artifact, numbers))
    sections = (facts("population", again), *_bias(systems, numbers), *pairs, how)
    return Summary("Bias", tuple(system_names(artifact)), sections)


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
            *([Section("numbers", _quality(done))] if done.quality else ()),
        ),
    )


def _sign(found: Sensitivity) -> str:
    """Say whether the gap has one sign under all readings that find anything right."""
    told = [each for each in found.readings if each.correct_cot or each.correct_early]
    if not told:
        return DASH
    signs = {each.gap.value > 0 for each in told if each.gap.value}
    zero = any(each.gap.value == 0 for each in told)
    if len(signs) > 1:
        return "depends"
    return "the same, or 0" if signs and zero else "the same"


def _quality(done: Extracted) -> Grid:
    """Say how well texts were read, by a sheet that was corrected by hand."""
    rows = []
    for each in done.quality:
        seen = counts(each.n_read, each.n_true, each.n_both)
        rows.append(Row(each.state, (*seen, _cell(each.precision), _cell(each.recall))))
    which = "rows that were checked" if done.checked else "all rows of the sheet"
    headings = ("read", "true", "both", "precision", "recall")
    return Grid(f"Read right, {which}", "state", headings, tuple(rows))


def _counts(title: str, found: Mapping[str, Mapping[str, int]]) -> Grid:
    kinds = list(dict.fromkeys(kind for own in found.values() for kind in own))
    rows = [
        Row(kind, counts(*(own.get(kind, 0) for own in found.values())))
        for kind in sorted(kinds, key=lambda each: -sum(c.get(each, 0) for c in found.values()))
    ]
    return Grid(title, "", tuple(map(inert, found)), tuple(rows))


def _strips(artifact: ReasoningArtifact) -> Iterator[Strip]:
    for system in artifact.systems:
        population = system.parts.population
        sides = (("with reasoning", population.cot), ("without", population.direct))
        for what, seen in sides:
            yield strip(
                f"{system.name}, {what}: vignettes",
                ("answered", seen.answered, "main"),
                ("refused", seen.refused, "soft"),
                ("failed", seen.failed, "bad"),
                ("not in order", seen.not_ok, "open"),
                ("missing", seen.missing, "open"),
            )


WORDS = Words(
    title="Reasoning",
    sections=sections,
    first=first,
    strips=_strips,
    cases=case_tables,
)
