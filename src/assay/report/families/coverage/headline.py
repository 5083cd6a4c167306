"""What an evaluation of intervals or sets says, in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator

from assay.artifacts.intervals import CoverageTest, IntervalLevel, SetLevel
from assay.display.statement import (
    Ends,
    Statement,
    by_side,
    difference,
    excludes,
    held,
    named,
    share,
)
from assay.display.wording import level
from assay.report.families.coverage.strata import Levelled, Record
from assay.showing import counted

__all__ = ["headline"]

COMPARED = {"interval_width": "mean width", "winkler": "Winkler score", "set_size": "mean size"}
COVERED: Ends = {
    -1: (": too few, more is promised than kept.", "bad"),
    0: (": cannot tell it from the claim, as it should be.", "good"),
    1: (": more than claimed, so they could be smaller.", "plain"),
    2: ("; without an interval, cannot tell from the claim.", "open"),
}


def headline(artifact: Levelled, what: str) -> Iterator[Statement]:
    """Say whether coverage is what is claimed, where it fails, and who is narrower."""
    for system in artifact.systems:
        for record in system.levels.values():
            yield _coverage(named(system.name), what, record.coverage)
            yield from _weakest(named(system.name), record)
    for pair in artifact.pairs:
        left, right = (named(artifact.systems[side].name) for side in (pair.left, pair.right))
        for key, deltas in pair.deltas.items():
            for label, meaning in COMPARED.items():
                if label in deltas:
                    delta, what = deltas[label], f"{meaning} at level {key}"
                    yield difference(delta, delta.better, (left, right), what)


def _coverage(name: str, what: str, test: CoverageTest) -> Statement:
    told = (
        f"{name}: {what} that claim to cover {level(test.nominal)} cover"
        f" {share(test.coverage, test.interval)} of {counted(test.n, 'row')}"
    )
    return by_side(told, test.gap, test.gap_interval, 0.0, COVERED)


def _weakest(name: str, record: Record) -> Iterator[Statement]:
    """Name the stratum whose coverage lies below the claim, if one can be told to do so."""
    sized = "part {} by width" if isinstance(record, IntervalLevel) else "sets of size {}"
    by = [(sized, record.least_size), ("group {}", record.least_group)]
    by += [("true class {}", record.least_class)] if isinstance(record, SetLevel) else []
    for where, least in by:
        if (
            least is not None
            and excludes(held(least.coverage, least.interval), record.coverage.nominal) < 0
        ):
            yield Statement(
                f"{name}: least is covered in {where.format(named(least.name))},"
                f" {share(least.coverage, least.interval)} of {counted(least.n, 'row')} against the"
                f" claim of {level(record.coverage.nominal)}.",
                "bad",
            )
