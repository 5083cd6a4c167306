"""What intervals have beside their numbers: coverage against the level, widths, strata."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifact import Artifact, NoParts, Numbers, Points, Record
from assay.families.coverage.parts import (
    CoverageTest,
    CurveParts,
    Strata,
    Stratum,
    case_sheet,
    claim_at,
    coverage_test,
    least_covered,
    part_records,
    sample_of,
    strata_by_size,
    stratum_records,
)
from assay.metrics.intervals.spans import spans_of, totals
from assay.metrics.intervals.width import size_strata, width_at
from assay.rounding import ROUNDING
from assay.showing import counted

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.families.case_sheet import CaseSheet
    from assay.families.coverage.inputs import Claim
    from assay.families.family import Evaluated
    from assay.families.intervals.options import IntervalOptions

ONE_WIDTH = "all intervals have the same width"
SPLIT = "size strata cut through equal widths, in an order that depends on that of the rows"
WIDTH_SHARES = np.arange(101) / 100


class WidthDistribution(Points, frozen=True, kw_only=True):
    """How wide intervals are: the width that a share of them does not exceed."""

    share: list[float]
    width: Numbers
    """as width_quantile reads it; null where it is infinite"""


NO_WIDTHS = WidthDistribution(share=[], width=[])
"""of intervals that were reduced to sums"""


class IntervalParts(Record, frozen=True, kw_only=True):
    """What the intervals of one level have beside their numbers."""

    coverage: CoverageTest
    widths: WidthDistribution
    sizes: list[Stratum]
    """by rising width, as size_stratified_coverage cuts them"""
    least_size: Stratum | None
    """the size with the smallest coverage, the first of several"""
    groups: list[Stratum]
    least_group: Stratum | None


IntervalsArtifact = Artifact[IntervalParts, CurveParts, NoParts]


def parts(evaluated: Evaluated, place: int) -> IntervalParts:
    """Write down what belongs to one system at one level."""
    sample = sample_of(evaluated)
    reduced = sample.about is not None
    sizes = [] if reduced else stratum_records(evaluated, _size_strata(evaluated, place))
    groups = part_records(evaluated, place, sample.groups)
    return IntervalParts(
        coverage=coverage_test(evaluated, place),
        widths=NO_WIDTHS if reduced else _widths(claim_at(evaluated, place), evaluated.options),
        sizes=sizes,
        least_size=least_covered(sizes),
        groups=groups,
        least_group=least_covered(groups),
    )


def _widths(claim: Claim, options: IntervalOptions) -> WidthDistribution:
    """Read how wide the intervals are at every hundredth of the rows, and the least width."""
    sums = totals(**claim.columns, weight=None, crossed=options.crossed)
    # Shares of rows are products that may end just above a whole number, which asks for one more.
    rank = np.maximum(1.0, WIDTH_SHARES * claim.covered.size * (1 - ROUNDING))
    return WidthDistribution(
        share=WIDTH_SHARES.tolist(),
        width=[float(each) if np.isfinite(each) else None for each in width_at(sums, rank)],
    )


def _size_strata(evaluated: Evaluated, place: int) -> Strata:
    options: IntervalOptions = evaluated.options
    cut = partial(
        size_strata,
        **claim_at(evaluated, place).columns,
        n_groups=options.n_groups,
        ties=options.ties,
        crossed=options.crossed,
    )
    strata = strata_by_size(cut, sample_of(evaluated).weight)
    # Those without rows are left out, and the others numbered.
    kept = [int(stratum) for stratum in np.flatnonzero(strata.n)]
    return Strata(
        strata.n[kept],
        strata.covered[kept],
        [strata.coverage[stratum] for stratum in kept],
        [str(number + 1) for number in range(len(kept))],
        [strata.ends[stratum] for stratum in kept],
    )


def cases(evaluated: Evaluated, _: Any) -> CaseSheet:
    """Say which intervals miss the truth, and by how much."""
    crossed = evaluated.options.crossed

    def spans(claim: Claim) -> tuple[str, Array, Array | None]:
        truth, low, up = (claim.columns[name] for name in ("truth", "low", "up"))
        with np.errstate(over="ignore"):
            off = np.maximum(np.maximum(low - truth, truth - up), 0.0)
        width = spans_of(truth, low, up, crossed).width
        return "width", width, np.where(claim.covered, 0.0, off)

    def write(claim: Claim, row: int) -> str:
        low, up = (float(claim.columns[name][row]) for name in ("low", "up"))
        return f"{low:.6g} to {up:.6g}"

    return case_sheet(
        evaluated, write, lambda claim, row: float(claim.columns["truth"][row]), spans
    )


def warnings(evaluated: Evaluated, artifact: Artifact[Any, Any, Any]) -> Iterator[str]:
    """Say what is odd about the intervals of each system and level."""
    for place, subject in enumerate(evaluated.subjects):
        system = artifact.systems[subject.system]
        n_strata = len(system.variants[subject.variant].parts.sizes)
        claim = claim_at(evaluated, place)
        n_rows, reduced = sample_of(evaluated).n_rows, sample_of(evaluated).about is not None
        strata = evaluated.options.n_groups if reduced else n_strata
        for said in _level_warnings(claim, n_rows, strata, evaluated.options):
            yield f"{system.name} at level {subject.variant}: {said}"


def _level_warnings(claim: Claim, n: int, n_strata: int, options: IntervalOptions) -> Iterator[str]:
    crossed = claim.counts["n_crossed"]
    if crossed:
        intervals = counted(n, "interval has", "intervals have")
        yield f"{crossed} of {intervals} crossed bounds, read as `crossed` {options.crossed}"
    if claim.infinite is not None:
        yield claim.infinite
    if n > 1 and claim.one_size:
        strata = SPLIT if options.ties == "mapie" else "there is one size stratum"
        yield f"{ONE_WIDTH}, so {strata}"
    elif n > 1 and n_strata < options.n_groups:
        few = n < options.n_groups
        cause = f"there are {counted(n, 'row')}" if few else "equal widths stay together"
        yield f"{cause}, so there are {n_strata} of {options.n_groups} size strata"
