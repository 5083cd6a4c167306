"""Prediction sets: whether they hold the truth as often as they claim, and how large they are."""

from __future__ import annotations

from functools import partial

from assay.families.coverage import curve_parts, upgraded
from assay.families.family import Family
from assay.families.sets.inputs import prepare
from assay.families.sets.options import PRESETS, SetColumns, SetOptions
from assay.families.sets.parts import SetsArtifact, parts, whole_parts

__all__ = ["FAMILY"]

FAMILY = Family(
    name="sets",
    question="",
    help="",
    examples="",
    options=SetOptions,
    presets=PRESETS,
    columns=SetColumns,
    prepare=prepare,
    artifact=SetsArtifact,
    axis="level",
    parts=parts,
    system_parts=curve_parts,
    whole_parts=whole_parts,
    upgrade=partial(
        upgraded,
        counts=(),
        parts=("sizes", "least_size", "classes", "least_class", "groups", "least_group"),
    ),
)
