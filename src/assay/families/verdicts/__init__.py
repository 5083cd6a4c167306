"""Grounded verdicts: whether a system judges, cites and quotes as the truth has it."""

from __future__ import annotations

from assay.families.family import Family
from assay.families.verdicts.cases import case_sheet, without_texts
from assay.families.verdicts.inputs import arrange, prepare
from assay.families.verdicts.options import ROLES, VerdictColumns, VerdictOptions
from assay.families.verdicts.parts import VerdictsArtifact, system_parts, whole_parts
from assay.families.verdicts.read_back import faults, upgraded
from assay.families.verdicts.seed_files import SIDE_FILES

__all__ = ["FAMILY"]

FAMILY = Family(
    name="verdicts",
    title="Grounded verdicts",
    question="Seven numbers about systems that give verdicts with cited evidence and quotations.",
    help="Ranking, labels, evidence, quotations, judgements and logic are counted apart, each with"
    " an interval over cases. A policy names the scale of verdicts, the words for evidence and the"
    " rules by which a verdict follows from it.",
    examples="""\
assay verdicts --results results.json --ground-truth truth.json
assay verdicts --results results.json --ground-truth truth.json --sources reviews.jsonl
assay verdicts --results old.json --results new.json --ground-truth truth.json
assay verdicts --results results.jsonl --ground-truth truth.json --policy my_policy.yaml
assay verdicts --results results.json --ground-truth truth.json --tables audit""",
    roles=ROLES,
    options=VerdictOptions,
    columns=VerdictColumns,
    arrange=arrange,
    prepare=prepare,
    artifact=VerdictsArtifact,
    system_parts=system_parts,
    whole_parts=whole_parts,
    cases=case_sheet,
    without_texts=without_texts,
    upgrade=upgraded,
    faults=faults,
    side_files=SIDE_FILES,
    shown=(("macro_f1", "macro F1", "percent"), ("evidence_recall", "evidence", "percent")),
)
