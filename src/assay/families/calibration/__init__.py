"""Calibration: whether probabilities mean what they say."""

from __future__ import annotations

from assay.families.calibration.cases import cases
from assay.families.calibration.inputs import prepare
from assay.families.calibration.options import CalibrationColumns, CalibrationOptions
from assay.families.calibration.parts import (
    CalibrationArtifact,
    amend,
    described,
    parts,
    warnings,
    whole_parts,
)
from assay.families.calibration.read_back import faults, upgraded
from assay.families.choices import CALIBRATOR, TABLES
from assay.families.family import Family
from assay.families.reducing import calibration_reduction

__all__ = ["FAMILY"]

FAMILY = Family(
    name="calibration",
    title="Calibration",
    question="Whether probabilities mean what they say: errors, tests, tables, each with an"
    " interval.",
    help="TABLE is CSV, JSON lines, Parquet, .npz or .npy (all also .gz), a run file, or - for"
    " standard input. Several inputs, score columns or confidences are compared, each with the"
    " first.",
    examples="""\
assay calibration scores.csv --y-true y --y-prob p
assay calibration digits.npz --y-true y --y-prob before --y-prob after
assay calibration old.csv new.csv --y-true y --y-prob p --cluster person
assay calibration run.json --mode few_shot --confidence verbalized,token_msp""",
    roles=(TABLES, CALIBRATOR),
    options=CalibrationOptions,
    columns=CalibrationColumns,
    prepare=prepare,
    reduction=calibration_reduction,
    artifact=CalibrationArtifact,
    parts=parts,
    whole_parts=whole_parts,
    cases=cases,
    amend=amend,
    described=described,
    warnings=warnings,
    upgrade=upgraded,
    faults=faults,
    shown=(("debiased_ece", "mean gap", "points"), ("brier", "Brier score", "number")),
)
