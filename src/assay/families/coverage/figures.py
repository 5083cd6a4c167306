"""The figures that intervals and sets share: coverage, and where it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.display.changes import query
from assay.display.figures import drawing as draw
from assay.display.figures.figure import Figure, file_name
from assay.display.figures.forests import Share, differences, share_forest
from assay.display.figures.lines import claimed_figure
from assay.display.first import people
from assay.display.numbers import minus
from assay.display.wording import count, fixed, level
from assay.families.coverage.first import rows_of
from assay.families.coverage.words import least_covered

if TYPE_CHECKING:
    from assay.artifact import Artifact, Variant
    from assay.families.coverage.parts import CoverageCurve, Stratum

    Levelled = Artifact[Any, Any, Any]
    Levels = Mapping[str, Variant[Any]]
    """by system, all of the same level"""

MOST_STRATA = 20
SHARE = "Share of truths that are covered"
COMPARED = ("interval_coverage", "interval_width", "winkler", "set_coverage", "set_size")
COVERED = "Coverage against what is claimed"


@dataclass(frozen=True, slots=True)
class Drawn:
    """One way to tell strata apart, as a figure shows it."""

    what: str
    strata: str
    """where they stand in the parts"""
    called: Callable[[Stratum], str]
    alone: Callable[[Stratum], str] | None = None
    """how a stratum is called where there is one system"""


LevelFigures = Callable[["Levels", str], Iterator[Figure]]


def coverage_figures(
    artifact: Levelled, kinds: Sequence[Drawn], more: LevelFigures = lambda *_: iter(())
) -> Iterator[Figure]:
    """Draw coverage and its strata, level by level, and what a family has more of each level."""
    names = draw.labels([each.name for each in artifact.systems])
    keys = [*artifact.systems[0].variants]
    yield _claimed(artifact, names, one=len(keys) == 1)
    for number, key in enumerate(keys):
        own: Levels = {
            name: each.variants[key] for name, each in zip(names, artifact.systems, strict=True)
        }
        where = f", level {key}" if len(keys) > 1 else ""
        # Cases are those of the level that was named first.
        sides = dict(zip(names, people(artifact), strict=True)) if number == 0 else {}
        for each in (*_strata(own, kinds, where, sides), *more(own, where)):
            yield replace(each, main=number == 0)


def _claimed(artifact: Levelled, names: Sequence[str], *, one: bool) -> Figure:
    systems = dict(zip(names, artifact.systems, strict=True))
    tests = {
        name: [each.parts.coverage for each in own.variants.values()]
        for name, own in systems.items()
    }
    first = next(iter(tests.values()))[0]
    shown = any(test.interval for own in tests.values() for test in own)
    bars = f" Bars: {level(artifact.resampling.level)} {first.method} intervals." if shown else ""
    line = "Dashed: what is claimed; below it more is promised than kept."
    if one:
        shares = {
            (name, name): Share(test.coverage, test.interval, test.n)
            for name, (test,) in tests.items()
        }
        spec = share_forest(shares, SHARE, at=first.nominal)
    else:
        levels = [row for name, own in systems.items() for row in _levels(name, own.parts.curve)]
        spec = claimed_figure(levels, [*systems])
    said = [
        f"{name} covers {fixed(test.coverage, 3)} at level {test.nominal:g}"
        for name, own in tests.items()
        for test in own
    ]
    return Figure(
        name="coverage",
        title=COVERED,
        caption=f"{line}{bars}",
        alt=f"{COVERED}: {', '.join(said)}.",
        spec=spec,
    )


def _strata(
    own: Levels, kinds: Sequence[Drawn], where: str, sides: Mapping[str, str]
) -> Iterator[Figure]:
    for kind in (*kinds, Drawn("group", "groups", name_of)):
        what, called = kind.what, (len(own) == 1 and kind.alone) or kind.called
        strata: dict[str, list[Stratum]] = {
            name: getattr(each.parts, kind.strata) for name, each in own.items()
        }
        if not any(strata.values()):
            continue
        shown = {name: least_covered(each, MOST_STRATA) for name, each in strata.items()}
        filled = [(name, each) for name, some in shown.items() for each in some if each.n]
        shares = {
            (called(each), name): Share(each.coverage, each.interval, each.n)
            for name, each in filled
        }
        leads = {
            (called(each), name): query(
                system=sides[name], answer="wrong", **rows_of(kind.strata, each)
            )
            for name, each in filled
            if name in sides
        }
        worst = min(
            (each for each in shares.items() if each[1].value is not None),
            key=lambda each: each[1].value or 0.0,
        )
        nominal = next(iter(own.values())).parts.coverage.nominal
        yield Figure(
            name=file_name("coverage-by", what, where),
            title=f"Coverage by {what}{where}",
            caption=f"Dashed: what is claimed, {nominal:g}. {_cut(strata, shown)}".strip(),
            alt=f"Coverage by {what}{where}. Least covered: {worst[0][0]}"
            f" {fixed(worst[1].value or 0.0, 3)} of {count(worst[1].n)}.",
            spec=share_forest(shares, SHARE, at=nominal),
            go=partial(_led, leads),
        )


def _led(leads: Mapping[tuple[str, str], str], row: Mapping[str, Any]) -> str:
    """Return the filters of the rows that are missed in a part."""
    return leads.get((row["row"], row["name"]), "")


def name_of(stratum: Stratum) -> str:
    """Return the name of a stratum, also of one without."""
    return draw.labels([stratum.name])[0] or "(none)"


def _cut(strata: Mapping[str, Sequence[Stratum]], shown: Mapping[str, Sequence[Stratum]]) -> str:
    total = max(map(len, strata.values()))
    left = max(map(len, shown.values()))
    return "" if left == total else f"The {left} least covered of {count(total)}."


def difference_figures(artifact: Levelled) -> Iterator[Figure]:
    """Draw the differences of some numbers, level by level."""
    names = draw.labels([each.name for each in artifact.systems])
    for number, label in enumerate(COMPARED):
        found = {
            (f"level {key}", minus(names, pair)): (deltas[label], artifact.metrics[label].better)
            for pair in artifact.pairs
            for key, deltas in pair.deltas.items()
            if label in deltas
        }
        if found:
            yield differences(found, label, main=number == 0)


def _levels(name: str, curve: CoverageCurve) -> Iterator[draw.Row]:
    ends = zip(curve.empirical_low, curve.empirical_high, strict=True)
    for claimed, found, (low, high) in zip(curve.nominal, curve.empirical, ends, strict=True):
        interval = None if low is None or high is None else (low, high)
        yield {"name": name, "claimed": claimed, "found": found, **draw.ended(interval, 3)}
