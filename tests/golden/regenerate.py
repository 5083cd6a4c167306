"""Write the golden artifacts and the shipped JSON Schema anew, after a change that is meant.

    python -m tests.golden.regenerate

Read the difference before committing it: numbers must differ by less than 1e-12 and nothing else
may differ unless the change says so.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from assay import stored
from assay.artifact import Engine, Tool
from assay.families.choices import planned
from assay.inference import Plan
from assay.sources import TableColumns, read_run
from assay.sources.items import ItemTable
from tests.selective_artifacts import WHEN, evaluate

HERE = Path(__file__).parent
SCHEMA = HERE.parents[1] / "src" / "assay" / "schemas" / "artifacts.schema.json"
RUN, PLAIN = "two_modes.json", "plain.csv"
GRID = (0.1, 0.55, 0.9)
PLAN = Plan(n_resamples=200, seed=42, method="percentile")
"""of artifacts of an earlier version"""
ANY_TOOL = Tool(name="assay", version="any", kernels="numpy")
ANY_ENGINE = Engine(name="memory")
"""Stands in every golden artifact, whatever wrote it."""

CASES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "few_shot.json": (
        ("few_shot",),
        {"preset": "plateau", "confidence": "llm,secondary:token_msp+llm:average"},
    ),
    "comparison.json": (("zero_shot", "few_shot"), {"preset": "reference", "confidence": "llm"}),
    "plain_plateau.json": (("",), {"preset": "plateau", "loss": "squared"}),
    "plain_item_step.json": (("",), {"preset": "item-step", "loss": "abs"}),
}
"""artifact: modes of the run file (an empty one is the plain table), options"""


def golden(name: str) -> bytes:
    """Compute one golden artifact."""
    modes, options = CASES[name]
    tables = [table_of(mode) for mode in modes]
    plan = planned(SimpleNamespace(**options), {"n_resamples": 200})
    found = evaluate(tables, plan=plan, created_at=WHEN, **options, coverage_grid=GRID)
    return stored.encode(msgspec.structs.replace(found, tool=ANY_TOOL, engine=ANY_ENGINE))


def table_of(mode: str) -> ItemTable:
    name = RUN if mode else PLAIN
    scale = TableColumns(scale=(0.0, 10.0))
    table = read_run(HERE / name, mode=mode or None, columns=scale)
    return replace(table, source=replace(table.source, path=name))


def main() -> None:
    """Write every file."""
    for name in CASES:
        (HERE / "expected" / name).write_bytes(golden(name))
    SCHEMA.write_bytes(stored.schema())


if __name__ == "__main__":
    main()
