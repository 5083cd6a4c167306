"""What may be chosen about an evaluation of verdicts; all of it goes on record."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Literal

from assay.derive.evidence import Comparison, Denominator
from assay.derive.policies import Spelling
from assay.derive.snippets import Mode
from assay.errors import UsageError
from assay.evaluate.presets import Presets, with_preset
from assay.evaluate.scoring import Undefined
from assay.metrics.verdicts.classes import Classes
from assay.metrics.verdicts.ranking import Positive, Steps
from assay.sources.answers import Failures

__all__ = [
    "VERDICT_PRESETS",
    "OutsideScale",
    "PrecisionOver",
    "RankScores",
    "RecallOver",
    "UnknownReviews",
    "VerdictOptions",
]

PrecisionOver = Literal["truth", "all"]
RecallOver = Literal["all", "results", "structured"]
RankScores = Literal["own-scale", "mixed"]
OutsideScale = Literal["refuse", "leave-out"]
UnknownReviews = Literal["refuse", "count"]


@dataclass(frozen=True, slots=True)
class VerdictOptions:
    """The conventions of an evaluation of verdicts."""

    snippets: Mode = "normalized"
    precision_over: PrecisionOver = "truth"
    """claims of structured results with ground truth, or of all of them, where none can be right"""
    recall_over: RecallOver = "all"
    """ground truth of all cases, of cases with a result, or of structured results only"""
    judged_over: Denominator = "matched"
    """incidents whose review is cited, or all incidents of structured results"""
    matching: Comparison = "words"
    """fields and values by whole words and the policy's synonyms, or as the reference does"""
    spelling: Spelling = "lenient"
    rank_scores: RankScores = "own-scale"
    """cases without a score are left out where others have one, or ranked by verdict among them"""
    classes: Classes = "occurring"
    steps: Steps = "all"
    positive: Positive | None = None
    """the end of the scale that thresholds look for; the policy says so by default"""
    failures: Failures = "error"
    """a result failed where `error` is not null, or where the key is there at all"""
    outside_scale: OutsideScale = "refuse"
    unknown_reviews: UnknownReviews = "refuse"
    """what to do about ground truth in reviews that the reviews file does not have"""
    undefined: Undefined = "null"
    method: str | None = None
    """how answers are read; `amos` takes them from extractions; the files say so by default"""
    k: int | None = None
    """how many reviews a case has, for thresholds that depend on it; the files say so by default"""
    preset: str = "default"

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        if self.k is not None and self.k < 1:
            msg = f"`k` must be at least 1, found {self.k}"
            raise UsageError(msg, hint="it says how many reviews a case has")

    @classmethod
    def of(cls, preset: str, **chosen: Any) -> VerdictOptions:
        """Take a preset and what was chosen beside it; None means not chosen."""
        return cls(**with_preset(VERDICT_PRESETS, preset, chosen))

    def conventions(self) -> dict[str, Any]:
        """Return every choice under its name, and what is always so in words."""
        chosen = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            **chosen,
            "evidence": "sets of review ids per case, pooled over cases",
            "auprc": "step sum, equal scores together, mean of the defined thresholds",
            "zero_division": "undefined; F1 of a class that is given or true and never both is 0",
            "p_value": "two-sided, inverted percentile bootstrap",
        }


VERDICT_PRESETS: Presets = MappingProxyType(
    {
        "default": {},
        "reference": {
            "snippets": "reference",
            "precision_over": "all",
            "recall_over": "structured",
            "judged_over": "all",
            "matching": "reference",
            "spelling": "reference",
            "rank_scores": "mixed",
            "steps": "first-two",
            "failures": "error-key",
            "outside_scale": "leave-out",
            "unknown_reviews": "count",
            "undefined": "reference",
        },
    }
)
