"""What may be chosen about calibration, and which columns or confidences are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assay.columns import SUM_TOLERANCE
from assay.errors import UsageError
from assay.evaluate.calibration_options import CALIBRATION_PRESETS as PRESETS
from assay.evaluate.calibration_options import ECE_BIAS, CalibrationOptions
from assay.sources.cells import EMPTY_WORDS

if TYPE_CHECKING:
    from assay.sources.table import Label

__all__ = ["ECE_BIAS", "PRESETS", "CalibrationColumns", "CalibrationOptions"]

OF_TABLES = ("y_true", "y_score", "y_prob", "classes", "positive", "cluster", "group")
TABLES_TAKE = "a table takes `y_true` and `y_score` or `y_prob`"


@dataclass(frozen=True, slots=True)
class CalibrationColumns:
    """Where outcomes and the probabilities stated for them stand: in tables, or in runs."""

    y_true: str = ""
    y_score: tuple[str, ...] = ()
    """each is the probability of the positive outcome, as one system states it"""
    y_prob: tuple[tuple[str, ...], ...] = ()
    """each is the probabilities of all classes: one column per class, or one column of lists"""
    classes: tuple[Label, ...] | None = None
    """the classes in the order of the probabilities"""
    positive: Label | None = None
    """the label that counts as 1, where labels are not 0 and 1"""
    cluster: str | None = None
    group: str | None = None
    """the column of groups that have numbers of their own"""
    missing: Literal["error", "drop"] = "error"
    sum_tolerance: float = SUM_TOLERANCE
    """how far probabilities may be from 1 in sum; within it they are divided by their sum"""
    mode: tuple[str, ...] = ()
    """of runs: one for all, or one each; an empty one is that of a run with one experiment"""
    confidence: tuple[str, ...] = ()
    """of runs: each is taken as the probability that the answer is right"""

    def __post_init__(self) -> None:
        """Refuse roles that do not fit together."""
        if self.y_score and self.y_prob:
            msg = "scores of one outcome and probabilities of classes were named together"
            raise UsageError(msg, hint="give either `y_score` or `y_prob`")
        if not 0 <= self.sum_tolerance < 1:
            msg = f"the tolerance must be from 0 to below 1, found {self.sum_tolerance:g}"
            raise UsageError(msg)

    def check_table(self, path: str, options: CalibrationOptions) -> None:
        """Refuse what is about runs, and a table of which nothing is named."""
        if self.mode or self.confidence or options.calibration is not None:
            msg = f"`mode`, `confidence` and `calibration` are about runs, and {path} is a table"
            raise UsageError(msg, hint=TABLES_TAKE)
        if not self.y_true:
            msg = f"{path} is a table, and `y_true` does not say which column is the outcome"
            raise UsageError(msg, hint=TABLES_TAKE)
        if not self.stated():
            msg = "no column of scores was named"
            raise UsageError(msg, hint="`y_score` names a probability, `y_prob` those of classes")

    def check_run(self) -> None:
        """Refuse what is about tables."""
        for name in OF_TABLES:
            if getattr(self, name) not in (None, "", ()):
                msg = f"`{name}` is about columns of a table, and this input is a run"
                raise UsageError(msg, hint="a run takes `mode` and `confidence`")

    def names(self) -> tuple[str, ...]:
        """Return every column that is read, the truth first."""
        parts = filter(None, (self.cluster, self.group))
        return tuple(dict.fromkeys([self.y_true, *self.stated(), *parts]))

    def stated(self) -> tuple[str, ...]:
        """Return the columns of probabilities."""
        wide = (name for names in self.y_prob for name in names)
        return tuple(dict.fromkeys([*self.y_score, *wide]))

    def empty_words(self, name: str) -> frozenset[str]:
        """Return the words for an empty cell: where labels are free, one may be called none."""
        if name != self.y_true:
            return EMPTY_WORDS
        if self.positive is not None:
            return frozenset({""})
        columns = self.y_prob[0] if self.y_prob and len(self.y_prob[0]) > 1 else ()
        labels = columns if self.classes is None else self.classes
        return EMPTY_WORDS - {str(label).lower() for label in labels}
