"""What may be chosen about a selective evaluation, and which columns or experiments are read."""

from __future__ import annotations

from math import inf
from types import MappingProxyType
from typing import Annotated, Any

from assay.derive.confidence import Missing, TotalEvidence
from assay.derive.losses import LOSSES
from assay.errors import UsageError
from assay.families.choices import SHARE, Preset
from assay.families.family import Role, Undefined
from assay.metrics.selective.curve import Area
from assay.options import Check, Option, Presets, option_record, recorded
from assay.sources.item_columns import TableColumns

__all__ = ["PRESETS", "RUNS", "RunColumns", "SelectiveOptions"]

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
COST = Check("a loss of at least 0", lambda target: 0 <= target < inf)


@option_record()
class RunColumns(TableColumns):
    """What is read: the columns of item tables, the experiments of runs, losses, confidences."""

    loss: Annotated[
        str,
        Option(
            f"What an answer costs: {', '.join(LOSSES)}, or the column of a plain table that says"
            " so.",
            column=True,
            metavar="NAME",
        ),
    ] = "abs_norm"
    confidence: Annotated[
        tuple[str, ...],
        Option(
            "Rank answers by: default, all, or names separated by commas, also of columns of plain"
            " tables; `assay metrics` lists them.",
            column=True,
            commas=True,
            metavar="NAME,...",
            shown="default",
        ),
    ] = ("default",)
    mode: Annotated[
        tuple[str, ...],
        Option(
            "Which experiment of a run: one for all inputs, or one per input in their order.",
            metavar="TEXT",
        ),
    ] = ()
    """an empty one is none"""

    @property
    def stated_loss(self) -> str | None:
        """The column that says what every answer costs, where no loss is computed."""
        return None if self.loss in LOSSES else self.loss


@option_record(PRESETS)
class SelectiveOptions:
    """The conventions of a selective evaluation; all of them go on record."""

    area: Annotated[Area, Option("Plateaus joined by lines, or row by row.")] = "trapezoid"
    area_coverage: Annotated[float, Option("Where areas are cut.", check=SHARE)] = 0.5
    coverage_grid: Annotated[
        tuple[float, ...], Option("Coverages of MAE@coverage.", check=SHARE, metric="coverage")
    ] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    risk_target: Annotated[tuple[float, ...], Option("Risks of coverage_at_risk.", check=COST)] = (
        0.2,
    )
    threshold: Annotated[
        tuple[float, ...],
        Option(
            "Operating points to report: answers of at least this confidence are accepted.",
            shown="none",
        ),
    ] = ()
    missing: Annotated[
        Missing, Option("Refuse absent signals, or fill in as the reference does.")
    ] = "error"
    total_evidence: Annotated[
        TotalEvidence, Option("What the confidence total_evidence means.")
    ] = "llm"
    undefined: Annotated[
        Undefined, Option("Write undefined numbers as null, or as the reference does.")
    ] = "null"
    preset: Preset = "plateau"
    intersection_only: Annotated[
        bool, Option("Compare on the participants and items that all inputs share.")
    ] = False
    strict: Annotated[
        bool,
        Option(
            "Refuse a calibrator that was fitted on participants of an input, or does not say on"
            " which.",
            recorded=False,
        ),
    ] = False

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
