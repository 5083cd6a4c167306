"""Write the golden artifacts of grounded verdicts anew, after a change that is meant.

    python -m tests.golden.verdicts

The first eight cases of the bundled example, by the default conventions and by those of the
reference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from assay.artifact import Engine, Tool
from assay.demo import VERDICTS_FOLDER as EXAMPLE_FOLDER
from assay.families.choices import planned
from assay.families.family import Given
from assay.families.verdicts import FAMILY
from assay.families.verdicts.options import VerdictOptions
from assay.pipeline import evaluate
from assay.sources.verdicts import ground_truth_of, results_of, reviews_of
from assay.stored import encode

EXPECTED = Path(__file__).parent / "expected"
WHEN = "2026-01-02T03:04:05Z"
N_CASES = 8
ANY_TOOL = Tool(name="assay", version="any", kernels="numpy")
ANY_ENGINE = Engine(name="memory")
CASES = {
    "verdicts.json": (("direct",), "default"),
    "verdicts_reference.json": (("direct", "checked"), "reference"),
}
"""artifact: systems, preset"""


def golden(name: str) -> bytes:
    """Compute one golden artifact."""
    systems, preset = CASES[name]
    truth, reviews, kept = _first(N_CASES)
    read = {
        "results": [results_of(_results(each, kept), path=f"{each}.json") for each in systems],
        "ground_truth": [ground_truth_of(truth, path="ground_truth.json")],
        "sources": [reviews_of(reviews, path="reviews.jsonl")],
    }
    options = VerdictOptions(preset=preset)
    given = Given(read, options, planned(options, {"n_resamples": 100}))
    found = evaluate(FAMILY, given, created_at=WHEN)
    # The policy is a file of its own, whose wording may change.
    inputs = [msgspec.structs.replace(each, sha256=None) for each in found.inputs]
    return encode(msgspec.structs.replace(found, tool=ANY_TOOL, engine=ANY_ENGINE, inputs=inputs))


def write_inputs(folder: Path, n_cases: int) -> None:
    """Write the first cases as files."""
    truth, reviews, kept = _first(n_cases)
    (folder / "ground_truth.json").write_text(json.dumps(truth), encoding="utf-8")
    lines = "".join(json.dumps(row) + "\n" for row in reviews)
    (folder / "reviews.jsonl").write_text(lines, encoding="utf-8")
    for system in ("direct", "checked"):
        (folder / f"{system}.json").write_text(json.dumps(_results(system, kept)), encoding="utf-8")


def _first(n_cases: int) -> tuple[dict[str, Any], list[dict[str, Any]], list[str]]:
    truth = json.loads((EXAMPLE_FOLDER / "ground_truth.json").read_bytes())
    kept = list(truth["restaurants"])[:n_cases]
    truth["restaurants"] = {case: truth["restaurants"][case] for case in kept}
    lines = (EXAMPLE_FOLDER / "reviews.jsonl").read_text(encoding="utf-8").splitlines()
    rows = map(json.loads, lines)
    return truth, [row for row in rows if row["business_id"] in kept], kept


def _results(system: str, kept: list[str]) -> dict[str, object]:
    content = json.loads((EXAMPLE_FOLDER / f"{system}.json").read_bytes())
    rows = [row for row in content["results"] if row["business_id"] in kept]
    return {**content, "results": rows}


def main() -> None:
    """Write every file."""
    for name in CASES:
        (EXPECTED / name).write_bytes(golden(name))


if __name__ == "__main__":
    main()
