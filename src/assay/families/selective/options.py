"""What may be chosen about a selective evaluation, and which columns or experiments are read."""

from __future__ import annotations

from math import inf, isfinite
from types import MappingProxyType
from typing import Any

from assay.derive.confidence import Missing, TotalEvidence
from assay.derive.losses import LOSSES
from assay.errors import UsageError
from assay.families.choices import SHARE, Preset
from assay.families.family import Role, Undefined
from assay.metrics.selective.curve import Area
from assay.options import Check, Presets, option, option_record, recorded
from assay.sources.item_columns import TableColumns

RUNS = Role(
    "table",
    "A run file, an item table (.csv .jsonl .parquet; all also .gz), or - for standard input."
    " Repeat it to compare with the first; the same as a further RUN.",
    metavar="RUN",
    flags=("--input",),
    many=True,
    required=True,
    positional=True,
)
PRESETS: Presets = MappingProxyType(
    {
        "plateau": {},
        "item-step": {"area": "step"},
        "reference": {"missing": "reference", "undefined": "reference"},
    }
)
FINITE = Check("a finite number", isfinite)
COST = Check("a loss of at least 0", lambda target: 0 <= target < inf)


@option_record()
class RunColumns(TableColumns):
    """What is read: the columns of item tables, the experiments of runs, losses, confidences."""

    loss: str = option(
        "abs_norm",
        f"What an answer costs: {', '.join(LOSSES)}, or the column of a plain table that says so.",
        column=True,
        metavar="NAME",
    )
    confidence: tuple[str, ...] = option(
        ("default",),
        "Rank answers by: default, all, or names separated by commas, also of columns of plain"
        " tables; `assay metrics` lists them.",
        column=True,
        commas=True,
        metavar="NAME,...",
        shown="default",
    )
    mode: tuple[str, ...] = option(
        (),
        "Which experiment of a run: one for all inputs, or one per input in their order.",
        metavar="TEXT",
    )
    """an empty one is none"""

    @property
    def stated_loss(self) -> str | None:
        """The column that says what every answer costs, where no loss is computed."""
        return None if self.loss in LOSSES else self.loss


@option_record(PRESETS)
class SelectiveOptions:
    """The conventions of a selective evaluation; all of them go on record."""

    area: Area = option("trapezoid", "Plateaus joined by lines, or row by row.")
    area_coverage: float = option(0.5, "Where areas are cut.", check=SHARE)
    coverage_grid: tuple[float, ...] = option(
        (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
        "Coverages of MAE@coverage.",
        check=SHARE,
        metric="coverage",
    )
    risk_target: tuple[float, ...] = option((0.2,), "Risks of coverage_at_risk.", check=COST)
    threshold: tuple[float, ...] = option(
        (),
        "Operating points to report: answers of at least this confidence are accepted.",
        check=FINITE,
        shown="none",
    )
    missing: Missing = option("error", "Refuse absent signals, or fill in as the reference does.")
    total_evidence: TotalEvidence = option("llm", "What the confidence total_evidence means.")
    undefined: Undefined = option(
        "null", "Write undefined numbers as null, or as the reference does."
    )
    preset: Preset = "plateau"
    intersection_only: bool = option(
        False, "Compare on the participants and items that all inputs share."
    )
    strict: bool = option(
        False,
        "Refuse a calibrator that was fitted on participants of an input, or does not say on"
        " which.",
        recorded=False,
    )

    def __post_init__(self) -> None:
        """Refuse grids that name a value twice."""
        for name in ("coverage_grid", "risk_target", "threshold"):
            values = getattr(self, name)
            if len(set(values)) < len(values):
                raise UsageError(f"`{name}` names a value twice", hint="give each value once")

    def conventions(self) -> dict[str, Any]:
        """Return every choice under its name, and what the area implies in words."""
        by_item = self.area == "step"
        return {
            **recorded(self),
            "ties": "row order (participant, item)" if by_item else "plateau",
            "matched_coverage": "ceil" if by_item else "reach",
            "optimum": "by rising loss, without plateaus",
            "achievable": "lower convex hull of the plateau working points",
            "p_value": "two-sided, inverted percentile bootstrap",
        }
