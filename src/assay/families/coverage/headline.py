"""What an evaluation of intervals or sets says, in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

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
from assay.families.coverage.strata_tables import GROUPS, Kind
from assay.showing import counted

if TYPE_CHECKING:
    from assay.artifact import Artifact
    from assay.families.coverage.parts import CoverageTest

__all__ = ["headline"]

COMPARED = {"interval_width": "mean width", "winkler": "Winkler score", "set_size": "mean size"}
COVERED: Ends = {
    -1: (": too few, more is promised than kept.", "bad"),
    0: (": cannot tell it from the claim, as it should be.", "good"),
    1: (": more than claimed, so they could be smaller.", "plain"),
    2: ("; without an interval, cannot tell from the claim.", "open"),
}


def headline(
    artifact: Artifact[Any, Any, Any], what: str, kinds: Sequence[Kind]
) -> Iterator[Statement]:
    """Say whether coverage is what is claimed, where it fails, and who is narrower."""
    for system in artifact.systems:
        for variant in system.variants.values():
            yield _coverage(named(system.name), what, variant.parts.coverage)
            yield from _weakest(named(system.name), variant.parts, kinds)
    for pair in artifact.pairs:
        left, right = (named(artifact.systems[side].name) for side in (pair.left, pair.right))
        for key, deltas in pair.deltas.items():
            for label, meaning in COMPARED.items():
                if label in deltas:
                    about = f"{meaning} at level {key}"
                    yield difference(deltas[label], (left, right), about)


def _coverage(name: str, what: str, test: CoverageTest) -> Statement:
    told = (
        f"{name}: {what} that claim to cover {level(test.nominal)} cover"
        f" {share(test.coverage, test.interval)} of {counted(test.n, 'row')}"
    )
    return by_side(told, test.gap, test.gap_interval, 0.0, COVERED)


def _weakest(name: str, parts: Any, kinds: Sequence[Kind]) -> Iterator[Statement]:
    """Name the stratum whose coverage lies below the claim, if one can be told to do so."""
    for kind in (kinds[0], GROUPS, *kinds[1:]):
        least, nominal = getattr(parts, kind.least), parts.coverage.nominal
        if least is not None and excludes(held(least.coverage, least.interval), nominal) < 0:
            yield Statement(
                f"{name}: least is covered in {kind.called.format(named(least.name))},"
                f" {share(least.coverage, least.interval)} of {counted(least.n, 'row')} against the"
                f" claim of {level(nominal)}.",
                "bad",
            )
