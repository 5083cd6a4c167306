"""What may be chosen about an evaluation, and the bundles of choices that have a name."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from assay.columns import proportion
from assay.derive.confidence import Missing, TotalEvidence
from assay.errors import UsageError
from assay.evaluate.presets import Presets, with_preset
from assay.evaluate.scoring import Undefined
from assay.metrics.selective.curve import Area

if TYPE_CHECKING:
    from assay.calibrators.applied import AppliedCalibrator

__all__ = ["PRESETS", "SelectiveOptions"]


@dataclass(frozen=True, slots=True)
class SelectiveOptions:
    """The conventions of a selective evaluation; all of them go on record."""

    confidence: str = "default"
    loss: str = "abs_norm"
    area: Area = "trapezoid"
    area_coverage: float = 0.5
    coverage_grid: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    risk_target: tuple[float, ...] = (0.2,)
    threshold: tuple[float, ...] = ()
    """operating points to report beside the curve"""
    missing: Missing = "error"
    total_evidence: TotalEvidence = "llm"
    undefined: Undefined = "null"
    preset: str = "plateau"
    intersection_only: bool = False
    calibration: AppliedCalibrator | None = None
    """behind the calibrated confidences; it has a record of its own"""

    def __post_init__(self) -> None:
        """Refuse coverages and targets that mean nothing."""
        proportion("area_coverage", self.area_coverage)
        for coverage in self.coverage_grid:
            proportion("coverage_grid", coverage)
        for target in self.risk_target:
            if not 0 <= target < float("inf"):
                msg = f"`risk_target` must be a loss of at least 0, found {target:g}"
                raise UsageError(msg)
        for threshold in self.threshold:
            if isnan(threshold):
                raise UsageError("`threshold` must be a confidence, found nan")
        for name in ("coverage_grid", "risk_target", "threshold"):
            values = getattr(self, name)
            if len(set(values)) < len(values):
                msg = f"`{name}` names a value twice"
                raise UsageError(msg)

    @classmethod
    def of(cls, preset: str, **chosen: Any) -> SelectiveOptions:
        """Take a preset and what was chosen beside it; None means not chosen."""
        return cls(**with_preset(PRESETS, preset, chosen))

    def settings(self) -> dict[str, Any]:
        """Return the options of metrics by name; a tuple is a grid."""
        return {
            "area": self.area,
            "area_coverage": self.area_coverage,
            "coverage": self.coverage_grid,
            "risk_target": self.risk_target,
            "threshold": self.threshold,
        }

    def conventions(self) -> dict[str, Any]:
        """Return every choice under its name, and what the area implies in words."""
        named = [field.name for field in fields(self) if field.name != "calibration"]
        chosen = {name: getattr(self, name) for name in named}
        by_item = self.area == "step"
        return {
            **{name: list(v) if isinstance(v, tuple) else v for name, v in chosen.items()},
            "ties": "row order (participant, item)" if by_item else "plateau",
            "matched_coverage": "ceil" if by_item else "reach",
            "optimum": "by rising loss, without plateaus",
            "achievable": "lower convex hull of the plateau working points",
            "p_value": "two-sided, inverted percentile bootstrap",
        }


PRESETS: Presets = MappingProxyType(
    {
        "plateau": {},
        "item-step": {"area": "step"},
        "reference": {"missing": "reference", "undefined": "reference"},
    }
)
