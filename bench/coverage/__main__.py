"""`python -m bench.coverage`: simulate every design and write the tables of docs/coverage.md.

`--replications N` (1,000 unless told), `--clusters 20,41,200:400` (of 200 clusters only 400
replications, but twice as many for tests of one system), `--designs WORD,...` (those whose name
holds a word), `--minutes N` stops beginning new cells after that time, `--jobs N` simulates so many
cells at once, `--output FILE`. What was simulated is kept as JSON (`--kept FILE`), and another run
of the same code goes on from there; after a change of code that decides an interval or a sample
everything is simulated anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from bench.coverage.designs import DESIGNS, Design
from bench.coverage.page import SEED, page
from bench.coverage.simulate import covered, null_rejected, rejected, truths

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "coverage.md"
DECIDING = (
    *("bench/coverage/designs.py", "bench/coverage/simulate.py", "src/assay/inference/*.py"),
    *("src/assay/metrics/**/*.py", "src/assay/numbers.py", "src/assay/pairs.py"),
    *("src/assay/replicates.py", "src/assay/score.py", "src/assay/shares.py"),
)
KEPT = Path("assay-out") / "coverage.json"
TIMES = {"intervals": 1, "tests": 1, "nulls": 2}
"""replications where there are fewer than usual: tests of one system are coarser"""
Cell = tuple[Design, int, int, str]
"""a design, clusters, replications, and what is looked at"""
PAIRED = {
    "selective, counts": ("aurc", "augrc", "eaurc", "cmax", "risk", "risk_at_coverage@0.30"),
    "calibration, overconfident": ("ece", "brier", "nll"),
    "calibration, four classes": ("top_label_ece", "multiclass_brier"),
    "intervals": ("interval_coverage", "winkler"),
    "sets": ("set_coverage", "worst_class_coverage"),
    "verdicts": ("macro_f1", "ordinal_auprc"),
    "reasoning": ("faithfulness_gap", "step_f1", "refusal_rate_cot"),
}
"""numbers whose differences are tested, by design"""


def main() -> None:
    """Simulate what is asked for, cell by cell, and write the page."""
    asked = _arguments()
    kept: dict[str, Any] = json.loads(asked.kept.read_bytes()) if asked.kept.exists() else {}
    cells_of = _code()
    if kept.get("code") != cells_of:
        kept = {"code": cells_of}
    until, most = time.time() + 60 * asked.minutes, asked.replications
    sizes = [each.partition(":") for each in asked.clusters.split(",")]
    cells = [
        (design, int(size), round(design.share * min(most, TIMES[what] * int(few or most))), what)
        for what in ("intervals", "tests", "nulls")
        for size, _, few in sizes
        for design in DESIGNS
        if any(word in design.name for word in asked.designs.split(","))
    ]
    # What is slow comes last, so that a run that is cut short has all the rest.
    left = [
        cell
        for cell in sorted(cells, key=lambda cell: -cell[0].share)
        if _named(cell) not in kept and _looked_at(cell[0], cell[3])
    ]
    with ProcessPoolExecutor(asked.jobs) as pool:
        for name, found in pool.map(partial(_cell, until), left):
            if found:
                kept[name] = found
                asked.kept.parent.mkdir(parents=True, exist_ok=True)
                asked.kept.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    cells_of = kept.pop("code")
    asked.output.write_text(page(kept, cells_of), encoding="utf-8")


def _code() -> str:
    """Tell the code apart that decides what a cell holds."""
    files = [path for place in DECIDING for path in sorted(ROOT.glob(place))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def _named(cell: Cell) -> str:
    design, n_clusters, _, what = cell
    return f"{what}; {design.name}; {n_clusters}"


def _looked_at(design: Design, what: str) -> bool:
    if what == "intervals":
        return not _only_tests(design)
    return bool(design.nulls if what == "nulls" else PAIRED.get(design.name))


def _cell(until: float, cell: Cell) -> tuple[str, dict[str, Any]]:
    """Simulate one cell, unless the time is over."""
    design, n_clusters, n, what = cell
    found: dict[str, Any] = {}
    if time.time() > until:
        pass
    elif what == "nulls":
        found = dict(null_rejected(design, n_clusters, n))
    elif what == "tests":
        found = dict(rejected(design, PAIRED[design.name], n_clusters, n))
    else:
        truth = truths(design, design.only)
        held = covered(design, truth, n_clusters, n, seed=SEED)
        found = {label: asdict(each) for label, each in held.items()}
    return _named(cell), found


def _only_tests(design: Design) -> bool:
    """Say whether a design is there for tests alone: all of its numbers are those of another."""
    return bool(design.nulls) and not design.zero


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.coverage", description=__doc__)
    parser.add_argument("--replications", type=int, default=1_000)
    parser.add_argument("--clusters", default="41,20,200:400")
    parser.add_argument("--designs", default="")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, default=PAGE)
    parser.add_argument("--kept", type=Path, default=KEPT)
    return parser.parse_args()


if __name__ == "__main__":
    # One core: a simulation in the background must not slow down everything else.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
