"""What may be chosen about a calibration evaluation, and the bundles that have a name."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from assay.errors import UsageError
from assay.evaluate.presets import Presets, with_preset
from assay.metrics.calibration.bins import Bins, checked_count
from assay.metrics.calibration.conventions import (
    Closed,
    Law,
    PValue,
    Smoothing,
    Start,
    Strategy,
    Ties,
    TopLabels,
    TwoClasses,
)
from assay.metrics.calibration.montecarlo import MOST_DRAWS
from assay.metrics.calibration.scores import CLIP, SKLEARN_CLIP

if TYPE_CHECKING:
    from assay.calibrators.applied import AppliedCalibrator
    from assay.evaluate.forecasts import Forecasts
    from assay.inference import Plan

__all__ = ["CALIBRATION_PRESETS", "CalibrationOptions"]

ECE_BIAS = (
    "noise can only raise a binned error, and resampling adds noise of its own: the percentile"
    " interval of the plug-in ece lies too high. Read debiased_ece beside it, whose interval is"
    " turned around (basic) where percentiles are asked for"
)


@dataclass(frozen=True, slots=True)
class CalibrationOptions:
    """The conventions of a calibration evaluation; all of them go on record."""

    n_bins: int = 10
    strategy: Strategy = "uniform"
    closed: Closed = "left"
    ties: Ties = "group"
    start: Start = "zero"
    labels: TopLabels = "predicted"
    two_classes: TwoClasses = "positive"
    clip: float = CLIP
    """how near to 0 and 1 a probability may come in a likelihood"""
    smoothing: Smoothing = "exact"
    law: Law = "checked"
    p_value: PValue = "asymptotic"
    n_draws: int = 9_999
    """how often outcomes are redrawn for a Monte Carlo p-value"""
    preset: str = "default"
    intersection_only: bool = False
    calibration: AppliedCalibrator | None = None
    """the calibrator behind the calibrated confidences of a run"""

    def __post_init__(self) -> None:
        """Refuse what is no number of bins or no clip, and draws that do not fit the statistic."""
        self.bins()
        if not 0 < self.clip < 0.5:  # noqa: PLR2004 - at one half nothing is left
            msg = f"the clip must be above 0 and below 0.5, found {self.clip:g}"
            raise UsageError(msg, hint="an infinite likelihood has no place in a file")
        if self.n_draws < 1:
            msg = f"the number of draws must be at least 1, found {self.n_draws}"
            raise UsageError(msg, hint="9999 draws give p-values in steps of 0.0001")
        checked_count("n_draws", self.n_draws, MOST_DRAWS)
        if self.p_value == "monte-carlo" and (self.ties, self.start) != ("group", "zero"):
            msg = (
                "Monte Carlo p-values take tied scores as one step and the range with its start,"
                f" found ties {self.ties} and start {self.start}"
            )
            raise UsageError(msg, hint="use --p-value asymptotic with these conventions")

    @classmethod
    def of(cls, preset: str, **chosen: Any) -> CalibrationOptions:
        """Take a preset and what was chosen beside it; None means not chosen."""
        return cls(**with_preset(CALIBRATION_PRESETS, preset, chosen))

    def bins(self) -> Bins:
        """Return how scores are cut."""
        return Bins(self.n_bins, self.strategy, self.closed)

    def settings(self, plan: Plan) -> dict[str, Any]:
        """Return the options of metrics by name."""
        return {**self._chosen(), "seed": plan.seed}

    def conventions(self, given: Forecasts) -> dict[str, Any]:
        """Return every choice under its name, and what follows from it in words."""
        return {
            **self._chosen(),
            "outcome": given.outcome,
            "classes": [str(each) for each in given.classes] or None,
            "two_classes": self.two_classes if given.two_classes else None,
            "top_label": "first of equal probabilities" if given.classes else None,
            "ece_bias": ECE_BIAS,
            "differences": "two-sided, inverted percentile bootstrap; Holm over the systems",
        }

    def _chosen(self) -> dict[str, Any]:
        names = [field.name for field in fields(self) if field.name != "calibration"]
        return {name: getattr(self, name) for name in names}


CALIBRATION_PRESETS: Presets = MappingProxyType(
    {
        "default": {},
        "mapie": {
            "n_bins": 50,
            "strategy": "mapie-uniform",
            "ties": "mapie",
            "start": "mapie",
            "law": "limit",
            "two_classes": "top-label",
        },
        "scikit-learn": {"n_bins": 5, "closed": "right", "clip": SKLEARN_CLIP},
    }
)
