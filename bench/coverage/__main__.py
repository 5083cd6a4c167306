"""`python -m bench.coverage`: simulate every design and write the tables of docs/coverage.md.

`--replications N` (1,000 unless told), `--clusters 20,41,200:400` (of 200 clusters only 400
replications), `--designs WORD,...` (those whose name holds a word), `--minutes N` stops beginning
new cells after that time, `--output FILE`.
What was simulated is kept beside the page as JSON (`--kept FILE`), and another run adds to it.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.coverage.designs import DESIGNS, Design
from bench.coverage.page import page
from bench.coverage.simulate import covered, null_rejected, rejected, truths

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
KEPT = Path("assay-out") / "coverage.json"
SEED = 20_261
"""of samples on which no rule was chosen"""
PAIRED = {
    "selective, counts": ("aurc", "augrc", "eaurc", "cmax", "risk", "risk_at_coverage@0.30"),
    "calibration, overconfident": ("ece", "brier", "nll"),
    "intervals": ("interval_coverage", "winkler"),
    "verdicts": ("macro_f1", "ordinal_auprc"),
    "reasoning": ("faithfulness_gap", "step_f1", "refusal_rate_cot"),
}
"""numbers whose differences are tested, by design"""


def main() -> None:
    """Simulate what is asked for, cell by cell, and write the page after each."""
    asked = _arguments()
    kept: dict[str, Any] = json.loads(asked.kept.read_bytes()) if asked.kept.exists() else {}
    until = time.monotonic() + 60 * asked.minutes
    known: dict[str, dict[str, float]] = {}
    sizes = [each.partition(":") for each in asked.clusters.split(",")]
    cells = [
        (design, int(size), round(design.share * int(few or asked.replications)), what)
        for size, _, few in sizes
        for design in DESIGNS
        for what in ("intervals", "tests", "nulls")
        if any(word in design.name for word in asked.designs.split(","))
    ]
    # What is slow comes last, so that a run that is cut short has all the rest.
    for design, n_clusters, n, what in sorted(cells, key=lambda cell: -cell[0].share):
        key = f"{what}; {design.name}; {n_clusters}"
        if time.monotonic() > until or key in kept:
            continue
        if what == "intervals" and not _only_tests(design):
            known.setdefault(design.name, truths(design, design.only))
        found = _cell(what, design, n_clusters, n, known)
        if found:
            kept[key] = found
            asked.kept.parent.mkdir(parents=True, exist_ok=True)
            asked.kept.write_text(json.dumps(kept, indent=1), encoding="utf-8")
            asked.output.write_text(page(kept), encoding="utf-8")


def _cell(
    what: str, design: Design, n_clusters: int, n: int, known: dict[str, dict[str, float]]
) -> dict[str, Any]:
    if what == "nulls":
        return dict(null_rejected(design, n_clusters, n)) if design.nulls else {}
    if what == "intervals":
        if _only_tests(design):
            return {}
        found = covered(design, known[design.name], n_clusters, n, seed=SEED)
        return {label: asdict(each) for label, each in found.items()}
    labels = PAIRED.get(design.name, ())
    return dict(rejected(design, labels, n_clusters, n)) if labels else {}


def _only_tests(design: Design) -> bool:
    """Say whether a design is there for tests alone: all of its numbers are those of another."""
    return bool(design.nulls) and not design.zero


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.coverage", description=__doc__)
    parser.add_argument("--replications", type=int, default=1_000)
    parser.add_argument("--clusters", default="41,20,200:400")
    parser.add_argument("--designs", default="")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--output", type=Path, default=PAGE)
    parser.add_argument("--kept", type=Path, default=KEPT)
    return parser.parse_args()


if __name__ == "__main__":
    # One core: a simulation in the background must not slow down everything else.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
