"""Prediction sets: whether they hold the truth as often as they claim, and how large they are."""

from __future__ import annotations

from functools import partial

from assay.families.choices import TABLES
from assay.families.coverage.parts import curve_parts
from assay.families.coverage.read_back import faults, upgraded
from assay.families.family import Family
from assay.families.reducing import set_reduction
from assay.families.sets.inputs import prepare
from assay.families.sets.options import SetColumns, SetOptions
from assay.families.sets.parts import SetsArtifact, cases, parts, whole_parts

__all__ = ["FAMILY"]

FAMILY = Family(
    name="sets",
    title="Prediction sets",
    question="Whether prediction sets cover what they claim, how large they are, where they fail.",
    help="TABLE is CSV, JSON lines, Parquet, .npz or .npy (all also .gz), or - for standard input."
    " With one level, several tables or sets are compared, each with the first; with several"
    " levels, each system has one set per level.",
    examples="""\
assay sets table.csv --y label --set classes
assay sets table.csv --y label --set cat,dog,bird --level 0.9
assay sets arrays.npz --y y --set sets --classes cat,dog,bird --level 0.8,0.9
assay sets old.jsonl new.jsonl --y label --set classes --cluster person""",
    roles=(TABLES,),
    options=SetOptions,
    columns=SetColumns,
    prepare=prepare,
    reduction=set_reduction,
    artifact=SetsArtifact,
    axis="level",
    parts=parts,
    cases=cases,
    system_parts=curve_parts,
    faults=faults,
    whole_parts=whole_parts,
    upgrade=partial(
        upgraded,
        counts=(),
        parts=("sizes", "least_size", "classes", "least_class", "groups", "least_group"),
    ),
    shown=(("set_coverage", "covered", "percent"), ("set_size", "mean size", "number")),
)
