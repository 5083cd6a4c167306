"""Selective prediction: what a system risks on the items it chooses to answer."""

from __future__ import annotations

from assay.families.choices import CALIBRATOR
from assay.families.family import Family
from assay.families.reducing import selective_reduction
from assay.families.selective.cases import cases
from assay.families.selective.inputs import arrange, prepare
from assay.families.selective.options import RUNS, RunColumns, SelectiveOptions
from assay.families.selective.parts import (
    SelectiveArtifact,
    parts,
    system_parts,
    whole_parts,
)
from assay.families.selective.read_back import faults, upgrade
from assay.families.selective.seed_files import SEED_KEYS

__all__ = ["FAMILY"]

FAMILY = Family(
    name="selective",
    title="Selective prediction",
    question="Risk-coverage numbers of systems that may abstain, each with an interval.",
    help="One input is summarized; several are compared, each with the first, on the participants"
    " that all of them answered without failure.",
    examples="""\
assay selective run.json --mode few_shot
assay selective run.json run.json --mode zero_shot --mode few_shot --loss abs
assay selective table.csv --scale 0,3 --confidence all
assay selective losses.csv --loss cost --confidence stated,margin --cluster person
assay selective run.json --mode few_shot --json --quiet""",
    roles=(RUNS, CALIBRATOR),
    options=SelectiveOptions,
    columns=RunColumns,
    prepare=prepare,
    reduction=selective_reduction,
    artifact=SelectiveArtifact,
    arrange=arrange,
    table_per_system=True,
    axis="confidence",
    parts=parts,
    system_parts=system_parts,
    whole_parts=whole_parts,
    cases=cases,
    upgrade=upgrade,
    faults=faults,
    seed_keys=SEED_KEYS,
    shown=(
        ("risk", "loss of its answers", "number"),
        ("mean_risk_at_coverage", "mean loss of the surest", "number"),
        ("cmax", "answers", "percent"),
    ),
)
