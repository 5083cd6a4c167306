"""Reasoning: whether chains of thought are what answers rest on."""

from __future__ import annotations

from dataclasses import replace

from assay.artifact import Artifact, NoParts
from assay.families.family import Family, no_parts
from assay.families.reasoning.bias import BiasParts
from assay.families.reasoning.inputs import GAP, prepare, prepare_bias
from assay.families.reasoning.options import ROLES, ReasoningOptions
from assay.families.reasoning.parts import (
    ReasoningArtifact,
    bias_alone,
    fault,
    system_parts,
    warnings,
    whole_parts,
)
from assay.families.reasoning.version1 import upgrade

__all__ = ["BIAS_ALONE", "FAMILY"]

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
    prepare=prepare,
    artifact=ReasoningArtifact,
    axis="reading",
    system_parts=system_parts,
    whole_parts=whole_parts,
    warnings=warnings,
    upgrade=upgrade,
    fault=fault,
    shown=("accuracy_cot", "accuracy_early", GAP, "step_f1", "silent_bias_rate"),
)

BIAS_ALONE = replace(
    FAMILY,
    prepare=prepare_bias,
    artifact=Artifact[NoParts, BiasParts, NoParts],
    axis=None,
    system_parts=bias_alone,
    whole_parts=no_parts,
    warnings=lambda *_: (),
    fault=lambda _: None,
    shown=("bias_rate", "silent_bias_rate"),
)
"""the cases of bias without anything else; no artifact is kept of it"""
