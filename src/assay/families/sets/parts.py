"""What prediction sets have beside their numbers: coverage by size, by class and by group."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifact import Artifact, Record
from assay.families.coverage.parts import (
    CoverageTest,
    CurveParts,
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
from assay.metrics.sets.strata import set_size_strata
from assay.sources.row_tables import Partition

if TYPE_CHECKING:
    from assay.families.case_sheet import CaseSheet
    from assay.families.coverage.inputs import Claim
    from assay.families.family import Evaluated

MOST_NAMED = 12
"""classes of a set that are named"""


class SetParts(Record, frozen=True, kw_only=True):
    """What the sets of one level have beside their numbers."""

    coverage: CoverageTest
    sizes: list[Stratum]
    """by the number of classes in the set"""
    least_size: Stratum | None
    """the size with the smallest coverage, the first of several"""
    classes: list[Stratum]
    """by the true class"""
    least_class: Stratum | None
    groups: list[Stratum]
    least_group: Stratum | None


class SetClasses(Record, frozen=True, kw_only=True):
    """What all systems are about."""

    classes: list[str]


SetsArtifact = Artifact[SetParts, CurveParts, SetClasses]


def parts(evaluated: Evaluated, place: int) -> SetParts:
    """Write down what belongs to one system at one level."""
    sample, columns = sample_of(evaluated), claim_at(evaluated, place).columns
    cut = partial(set_size_strata, **columns, n_groups=evaluated.options.n_groups)
    by_size = strata_by_size(cut, sample.weight)
    named = [f"{low:g}" if low == high else f"{low:g} to {high:g}" for low, high in by_size.ends]
    sizes = stratum_records(evaluated, replace(by_size, names=named))
    by_class = Partition(columns["label"].astype(np.int64), evaluated.prepared.context.classes)
    classes = part_records(evaluated, place, by_class)
    groups = part_records(evaluated, place, sample.groups)
    return SetParts(
        coverage=coverage_test(evaluated, place),
        sizes=sizes,
        least_size=least_covered(sizes),
        classes=classes,
        least_class=least_covered(classes),
        groups=groups,
        least_group=least_covered(groups),
    )


def cases(evaluated: Evaluated, _: Any) -> CaseSheet:
    """Say which sets lack the true class."""
    classes = evaluated.prepared.context.classes

    def write(claim: Claim, row: int) -> str:
        held = np.flatnonzero(claim.columns["included"][row] > 0)
        named = ", ".join(classes[place] for place in held[:MOST_NAMED])
        more = f" and {held.size - MOST_NAMED} more" if held.size > MOST_NAMED else ""
        return f"{named}{more}" or "the empty set"

    return case_sheet(
        evaluated,
        write,
        lambda claim, row: classes[int(claim.columns["label"][row])],
        lambda claim: ("size", claim.columns["included"].sum(axis=1), None),
    )


def whole_parts(evaluated: Evaluated) -> SetClasses:
    """Name the classes."""
    return SetClasses(classes=list(evaluated.prepared.context.classes))
