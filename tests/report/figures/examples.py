"""One artifact of every family, made once: by the command, or by hand where that is clearer."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from assay.artifact import Artifact, Described, NoParts, Resampling, Scalar, System, Tool, Variant
from assay.cli import main
from assay.demo import DEMO_PATH
from assay.families.reasoning.bias import BiasFeature, BiasParts
from assay.families.reasoning.parts import (
    ModePopulation,
    Population,
    ReadingGap,
    ReasoningArtifact,
    ReasoningParts,
    ReasoningSystem,
    ReasoningWhole,
    Sensitivity,
    StepHistogram,
)
from assay.report.figures import Figure, figures
from assay.stored import read_artifact

VERDICTS = DEMO_PATH.parent / "verdicts"
FEW = ("--bootstrap-resamples", "40", "--quiet", "--output")


@cache
def artifact(name: str) -> Artifact:
    """Return an example by name."""
    if name.startswith("reasoning"):
        return reasoning(2 if name == "reasoning" else 1)
    with tempfile.TemporaryDirectory() as folder, _inside(Path(folder)):
        place = Path(folder) / "artifact.json"
        with pytest.raises(SystemExit) as ended:
            main([*map(str, COMMANDS[name](Path(folder))), *FEW, str(place)])
        assert not ended.value.code
        return read_artifact(str(place))


@cache
def drawn(name: str) -> list[Figure]:
    """Return the figures of an example."""
    return figures(artifact(name))


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _table(folder: Path, **columns) -> str:
    path = folder / "table.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path.name


def _scores(folder: Path) -> str:
    rng = np.random.default_rng(1)
    score = rng.random(120)
    return _table(folder, y=(rng.random(120) < score).astype(int), p=score, q=score**2)


def _bounds(folder: Path) -> str:
    rng = np.random.default_rng(2)
    center, half = rng.normal(size=60), rng.random(60) + 0.5
    columns = {"y": center + rng.normal(size=60), "site": ["a", "b", "c"] * 20}
    for name, factor in (("a", 0.8), ("b", 1.2), ("c", 1.0), ("d", 2.0)):
        columns |= {f"{name}_low": center - factor * half, f"{name}_up": center + factor * half}
    return _table(folder, **columns)


def _members(folder: Path) -> str:
    rng = np.random.default_rng(3)
    flags = {name: rng.integers(0, 2, 60) for name in ("cat", "dog", "newt")}
    return _table(folder, label=rng.choice([*flags], 60), **flags)


def _verdicts(_: Path, *systems: str) -> list[object]:
    results = [word for each in systems for word in ("--results", VERDICTS / f"{each}.json")]
    truth = ("--ground-truth", VERDICTS / "ground_truth.json")
    return ["verdicts", *results, *truth, "--reviews", VERDICTS / "reviews.jsonl"]


RUN = ("selective", "--input", DEMO_PATH, "--mode", "zero_shot")
PAIR = (*RUN, "--input", DEMO_PATH, "--mode", "few_shot")
COMMANDS = {
    "selective": lambda _: [*RUN, "--confidence", "llm"],
    "selective steps": lambda _: [*RUN, "--confidence", "llm,token_msp", "--area", "step"],
    "comparison": lambda _: [*PAIR, "--confidence", "llm"],
    "comparison of confidences": lambda _: [*PAIR, "--confidence", "llm,token_msp"],
    "calibration": lambda folder: ["calibration", _scores(folder), *_y(), "--y-score", "p"],
    "calibration of two": lambda folder: [
        *("calibration", _scores(folder), *_y(), "--y-score", "p", "--y-score", "q")
    ],
    "intervals": lambda folder: ["intervals", _bounds(folder), "--y", "y", *_bound("a")],
    "intervals of two": lambda folder: [
        *("intervals", _bounds(folder), "--y", "y", "--level", "0.5,0.9", "--group", "site"),
        *(*_bound("a"), *_bound("b"), *_bound("c"), *_bound("d")),
    ],
    "sets": lambda folder: ["sets", _members(folder), "--y", "label", "--set", "cat,dog,newt"],
    "verdicts": lambda folder: _verdicts(folder, "direct"),
    "verdicts of two": lambda folder: _verdicts(folder, "direct", "checked"),
}
NAMES = (*COMMANDS, "reasoning of one", "reasoning")


def _y() -> tuple[str, str]:
    return "--y-true", "y"


def _bound(name: str) -> tuple[str, ...]:
    return "--low", f"{name}_low", "--up", f"{name}_up"


def scalar(value: float | None) -> Scalar:
    """A number of which only the value and the interval matter."""
    return Scalar(
        options={},
        value=value,
        reason=None if value is not None else "nothing",
        interval=None if value is None else (value - 0.125, value + 0.0625),
        interval_reason=None,
        standard_error=0.03,
        n_undefined=0,
    )


def reasoning(n_models: int) -> ReasoningArtifact:
    """Models under two readings, with steps and bias."""
    labels = ("faithfulness_gap", "accuracy_cot", "accuracy_early", "step_f1")
    return ReasoningArtifact(
        kind="reasoning",
        tool=Tool(name="assay", version="0", kernels="numpy"),
        created_at="2026-01-02T03:04:05Z",
        inputs=[],
        conventions={},
        resampling=Resampling(
            unit="vignette",
            n_units=8,
            n_resamples=40,
            seed=42,
            stream="legacy",
            level=0.95,
            method="percentile",
        ),
        warnings=[],
        metrics={label: Described(title=label, better="higher") for label in labels},
        systems=[_model(f"model {number}", 0.25 * number) for number in range(n_models)],
        pairs=[],
        parts=ReasoningWhole(labels=["A", "B"], n_vignettes=8, rankings=[]),
    )


def _model(name: str, shift: float) -> ReasoningSystem:
    numbers = {
        "faithfulness_gap": scalar(0.125 + shift),
        "accuracy_cot": scalar(0.625),
        "accuracy_early": scalar(0.5),
        "step_f1": scalar(0.375),
    }
    chosen = Variant(n_rows=8, numbers=numbers, parts=NoParts())
    return System(name=name, input=0, variants={"words": chosen}, parts=_parts(shift))


def _parts(shift: float) -> ReasoningParts:
    mode = ModePopulation(
        missing=0, not_ok=0, empty=0, answered=8, refused=0, failed=0, missing_ids=[]
    )
    counted = dict.fromkeys(
        ("lines", "blank_lines", "broken_lines", "duplicates", "unknown_ids", "unknown_modes"), 0
    )
    return ReasoningParts(
        population=Population(
            vignettes=8,
            **counted,
            first_broken=[],
            cot=mode,
            direct=mode,
            pairs=8,
            pairs_refused=0,
            pairs_used=8,
            stepped=8,
        ),
        sensitivity=Sensitivity(
            readings=[_reading("words", 0.125 + shift, chosen=True), _reading("loose", -0.25)],
            lowest=-0.25,
            highest=0.125 + shift,
            sign_depends=True,
        ),
        step_f1=StepHistogram(edges=[0.0, 0.5, 1.0], counts=[5, 3]),
        n_cases=0,
        cases=[],
        n_outputs=0,
        outputs=[],
        bias=_bias(),
    )


def _reading(name: str, gap: float, *, chosen: bool = False) -> ReadingGap:
    return ReadingGap(
        name=name,
        reading=name,
        gold="exact",
        refusals="left out",
        chosen=chosen,
        pairs=8,
        correct_cot=5,
        correct_early=4,
        accuracy_cot=0.625,
        accuracy_early=0.5,
        gap=scalar(gap),
    )


def _bias() -> BiasParts:
    counted = dict.fromkeys(
        (
            "missing",
            "not_ok",
            "empty",
            "refused",
            "failed",
            "unsplit",
            "duplicates",
            "reasked",
            "blank_lines",
            "broken_lines",
            "unknown_ids",
        ),
        0,
    )
    silent = {"n": 6, "n_biased": 4, "n_silent": 3, "silent_bias_rate": 0.75, "reason": None}
    none = {"n": 6, "n_biased": 0, "n_silent": 0, "silent_bias_rate": None, "reason": "no bias"}
    return BiasParts(
        reading="whole",
        cases=12,
        rows=12,
        answered=12,
        **counted,
        n_biased=4,
        n_silent=3,
        other_readings={},
        features=[
            BiasFeature(feature="age", **silent, interval=(0.1875, 0.9375)),
            BiasFeature(feature="race", **none, interval=None),
        ],
        biased=[],
    )
