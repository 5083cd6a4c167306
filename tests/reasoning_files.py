"""Small files of generations, written by hand so that every number can be counted."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay import pipeline
from assay.artifact import Artifact, System, Variant
from assay.families.family import Family, Given
from assay.families.reasoning import BIAS_ALONE, FAMILY
from assay.families.reasoning.options import ROLES, ReasoningColumns, ReasoningOptions
from assay.families.reasoning.seed_files import (
    BiasWritten,
    Extracted,
    Written,
    bias_in_folder,
    evaluate_in_folder,
    extract_in_folder,
)
from assay.inference import Plan

PLAN = Plan(n_resamples=50, method="percentile")
"""of few vignettes, which have no interval by default"""
WHEN = "2026-01-02T03:04:05Z"
GOLD = {
    "a": "Schizophrenia",
    "b": "Bipolar Disorder",
    "c": "Schizophrenia",
    "d": "Bipolar Disorder",
}
STEPS = ("Voices comment on what is done.", "Nobody else is present in the room.")
CHAIN = "REASONING: {} DIAGNOSIS: {}"
REASONED = (
    "Voices comment on what is done. Nobody else is present in the room. The sleep is short and"
    " restless on most nights."
)
REFUSAL = "I'm sorry, but I cannot diagnose you."


def row(name: str, mode: str, text: str | None, **more: Any) -> dict[str, Any]:
    return {"id": name, "mode": mode, "output_text": text, "status": "ok", **more}


ONE = [
    row("a", "cot", CHAIN.format(REASONED, "Schizophrenia")),
    row("a", "direct", "Bipolar disorder"),
    row("b", "cot", CHAIN.format(REASONED, "bipolar")),
    row("b", "direct", "Diagnosis: Bipolar Disorder"),
    row("c", "cot", REFUSAL),
    row("c", "direct", "Schizophrenia."),
    row("d", "cot", CHAIN.format(REASONED, "schizophrenia")),
    row("d", "direct", "Schizophrenia"),
]
"""Without the refused pair c: 2 of 3 right after reasoning (a, b), 1 of 3 at once (b)."""
TWO = [
    row("a", "cot", "Schizophrenia"),
    row("a", "direct", "Schizophrenia"),
    row("b", "cot", "Schizophrenia"),
    row("b", "direct", "Bipolar"),
    row("c", "cot", "Schizophrenia"),
    row("c", "direct", "", status="error"),
    row("d", "cot", ""),
]
"""Pairs a and b: 1 of 2 right after reasoning, 2 of 2 at once; c failed, d lacks a mode."""


def lines(rows: list[Any]) -> str:
    return "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in rows)


@dataclass(frozen=True)
class Files:
    """Which files to read, as a user names them."""

    generations: tuple[str, ...] = ()
    vignettes: str | None = None
    gold_labels: str | None = None
    labels: str | None = None
    refusal_rules: str | None = None
    extracted: tuple[str, ...] = ()
    bias_generations: tuple[str, ...] = ()
    bias_cases: str | None = None
    cluster: str | None = None
    skip_broken: bool = False
    skip_unlabelled: bool = False

    def sources(self) -> dict[str, list[str]]:
        held = {role.name: getattr(self, role.name) for role in ROLES}
        return {
            name: [each] if isinstance(each, str) else list(each or ())
            for name, each in held.items()
        }


def made(root: Path, **models: list[Any]) -> Files:
    """Write generations, vignettes and labels below a folder."""
    for name, rows in (models or {"one": ONE, "two": TWO}).items():
        folder = root / "results" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "study_a_generations.jsonl").write_text(lines(rows), encoding="utf-8")
    vignettes = [
        {
            "id": name,
            "gold_answer": f"A paragraph that no answer repeats, about {label}. " * 3,
            "gold_reasoning": list(STEPS) if name != "d" else [],
            "persona": "p" if name in {"a", "b"} else "q",
        }
        for name, label in GOLD.items()
    ]
    (root / "vignettes.json").write_text(json.dumps(vignettes), encoding="utf-8")
    (root / "labels.json").write_text(json.dumps(GOLD), encoding="utf-8")
    return Files(
        generations=(str(root / "results"),),
        vignettes=str(root / "vignettes.json"),
        gold_labels=str(root / "labels.json"),
    )


def asked(files: Files, plan: Plan = PLAN, **options: Any) -> Given:
    """Return what the files are to the pipeline."""
    chosen = ReasoningOptions(
        skip_broken=files.skip_broken, skip_unlabelled=files.skip_unlabelled, **options
    )
    return Given(files.sources(), chosen, plan, ReasoningColumns(cluster=files.cluster))


def evaluate(given: Given, family: Family = FAMILY) -> Artifact[Any, Any, Any]:
    return pipeline.evaluate(family, given, created_at=WHEN)


def reason(given: Given, output: Path, *, force: bool = False) -> Written:
    """Do all stages in a folder."""
    return evaluate_in_folder(given, output, evaluate, force=force)


def extract(given: Given, output: Path) -> Extracted:
    return extract_in_folder(given, output)


def count_bias(given: Given, output: Path) -> BiasWritten:
    return bias_in_folder(given, output, lambda each: evaluate(each, BIAS_ALONE))


def model(artifact: Artifact[Any, Any, Any], which: int | str = 0) -> System[Any, Any]:
    """Return a system by its place or its name."""
    names = [each.name for each in artifact.systems]
    return artifact.systems[which if isinstance(which, int) else names.index(which)]


def chosen(system: System[Any, Any]) -> Variant[Any]:
    """Return a system under the convention that was chosen."""
    return next(iter(system.variants.values()))


def numbers(artifact: Artifact[Any, Any, Any], which: int | str = 0) -> dict[str, Any]:
    """Return all numbers of a system, those of bias among them."""
    held = model(artifact, which).variants.values()
    return {label: each for variant in held for label, each in variant.numbers.items()}


def deltas(artifact: Artifact[Any, Any, Any], pair: int = 0) -> dict[str, Any]:
    """Return all differences of a pair."""
    held = artifact.pairs[pair].deltas.values()
    return {label: each for found in held for label, each in found.items()}
