"""Prediction intervals: whether they cover what they claim, how wide they are, where they fail."""

from __future__ import annotations

from functools import partial

from assay.families.choices import TABLES
from assay.families.coverage.parts import curve_parts
from assay.families.coverage.read_back import faults, upgraded
from assay.families.family import Family
from assay.families.intervals.inputs import prepare
from assay.families.intervals.options import IntervalColumns, IntervalOptions
from assay.families.intervals.parts import IntervalsArtifact, cases, parts, warnings
from assay.families.reducing import interval_reduction

__all__ = ["FAMILY"]

FAMILY = Family(
    name="intervals",
    title="Prediction intervals",
    question="Whether prediction intervals cover what they claim, how wide they are, where they"
    " fail.",
    help="TABLE is CSV, JSON lines, Parquet, .npz or .npy (all also .gz), or - for standard input."
    " With one level, several tables or pairs of bounds are compared, each with the first; with"
    " several levels, each system has one pair per level.",
    examples="""\
assay intervals table.csv --y truth --low low --up up
assay intervals table.csv --y truth --low low80 --up up80 \\
                --low low95 --up up95 --level 0.8,0.95
assay intervals table.csv --y truth --low old_low --up old_up \\
                --low new_low --up new_up --cluster person
assay intervals arrays.npz --y y --interval intervals --level 0.8,0.9
assay intervals old.csv new.csv --y truth --low low --up up --group site""",
    roles=(TABLES,),
    options=IntervalOptions,
    columns=IntervalColumns,
    prepare=prepare,
    reduction=interval_reduction,
    artifact=IntervalsArtifact,
    axis="level",
    parts=parts,
    cases=cases,
    system_parts=curve_parts,
    faults=faults,
    warnings=warnings,
    upgrade=partial(
        upgraded,
        counts=("n_crossed", "n_unbounded"),
        parts=("widths", "sizes", "least_size", "groups", "least_group"),
    ),
    shown=(("interval_coverage", "covered", "percent"), ("winkler", "Winkler", "number")),
)
