"""Small files of generations, written by hand so that every number can be counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.evaluate.reasoning.inputs import ReasoningFiles
from assay.evaluate.reasoning.options import ReasoningOptions
from assay.evaluate.reasoning.pipeline import Asked
from assay.inference import Plan

PLAN = Plan(n_resamples=50)
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


def made(root: Path, **models: list[Any]) -> ReasoningFiles:
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
    return ReasoningFiles(
        generations=(str(root / "results"),),
        vignettes=str(root / "vignettes.json"),
        gold_labels=str(root / "labels.json"),
    )


def asked(files: ReasoningFiles, plan: Plan = PLAN, **options: Any) -> Asked:
    return Asked(
        files, ReasoningOptions.of(options.pop("preset", "default"), **options), plan, WHEN
    )
