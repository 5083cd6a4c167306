"""Reasoning: whether chains of thought are what answers rest on."""

from __future__ import annotations

from dataclasses import replace

from assay.artifact import Artifact, NoParts
from assay.families.family import Family, no_cases, no_parts
from assay.families.reasoning.bias import BiasParts
from assay.families.reasoning.cases import case_sheet, without_texts
from assay.families.reasoning.inputs import prepare, prepare_bias
from assay.families.reasoning.options import ROLES, ReasoningColumns, ReasoningOptions
from assay.families.reasoning.parts import (
    ReasoningArtifact,
    bias_alone,
    system_parts,
    warnings,
    whole_parts,
)
from assay.families.reasoning.read_back import faults, upgraded
from assay.families.reasoning.subjects import GAP

__all__ = ["BIAS_ALONE", "EXTRACTION", "FAMILY"]

FAMILY = Family(
    name="reasoning",
    title="Reasoning",
    question="Whether chains of thought are what answers rest on: gap, steps, silent bias.",
    help="Reads generations in two modes (cot and direct) over vignettes, extracts the answers, and"
    " says how accuracies differ, under every reading of the texts. Raw files are never changed."
    " Stages whose inputs, options and code are the same are not done again.",
    examples="""\
assay reasoning --generations results --vignettes vignettes.json
assay reasoning --generations results --vignettes vignettes.json --gold-labels labels.json
assay reasoning results/a results/b --vignettes v.jsonl --cluster persona
assay reasoning --generations results --vignettes v.json --preset seed --output seed-reading""",
    roles=ROLES,
    options=ReasoningOptions,
    columns=ReasoningColumns,
    prepare=prepare,
    artifact=ReasoningArtifact,
    axis="reading",
    system_parts=system_parts,
    whole_parts=whole_parts,
    cases=case_sheet,
    without_texts=without_texts,
    warnings=warnings,
    upgrade=upgraded,
    faults=faults,
    shown=((GAP, "gap", "points"), ("accuracy_cot", "accuracy", "percent")),
)

BY_NAME = {role.name: role for role in ROLES}
EXTRACTION = replace(
    FAMILY,
    question="Extract the answers from generations against a closed set, with refusals and"
    " failures.",
    help="The closed set is the label file, else the gold that occurs (with `gold_labels` or"
    " `vignettes`), else the shipped list of diagnoses. No output is judged with its own gold.",
    examples="""\
assay extract --generations results --labels labels.yaml --output out
assay extract --generations results --gold-labels gold_labels.json
assay extract answers.jsonl --labels labels.yaml --mentions asserted""",
    roles=tuple(
        map(
            BY_NAME.__getitem__,
            ("generations", "vignettes", "gold_labels", "labels", "refusal_rules"),
        )
    ),
    columns=None,
)
"""the first stage alone: it has no numbers"""
BIAS_ALONE = replace(
    FAMILY,
    question="How often answers follow a bias, and how often the reasoning does not mention it.",
    help="A case names a feature that tempts and the label of the biased answer. Where no answer is"
    " biased the silent rate is undefined, not 0.",
    examples="""\
assay bias --bias-generations results --bias-cases bias_cases.json
assay bias results/a results/b --bias-cases bias_cases.json --bias-text split""",
    roles=(
        replace(
            BY_NAME["bias_generations"], flags=("--bias-generations", "--input"), positional=True
        ),
        BY_NAME["bias_cases"],
    ),
    columns=None,
    prepare=prepare_bias,
    artifact=Artifact[NoParts, BiasParts, NoParts],
    axis=None,
    system_parts=bias_alone,
    whole_parts=no_parts,
    cases=no_cases,
    without_texts=lambda parts, _: parts,
    warnings=lambda *_: (),
    faults=lambda _: (),
)
"""the cases of bias without anything else; no artifact is kept of it"""
