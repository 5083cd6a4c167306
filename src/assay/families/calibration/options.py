"""What may be chosen about calibration, and which columns or confidences are read."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from assay.errors import UsageError
from assay.families.choices import Cluster, Missing, Preset
from assay.floats import SUM_TOLERANCE
from assay.metrics.calibration.bins import (
    MOST_BINS,
    Bins,
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
from assay.options import Check, Presets, at_least, between, option, option_record, settings
from assay.sources.column import EMPTY_WORDS

OF_TABLES = ("y_true", "y_prob", "classes", "positive", "cluster", "group", "item")
TABLES_TAKE = "a table takes `y_true` and `y_prob`"
ECE_BIAS = (
    "noise can only raise a binned error, and resampling adds noise of its own: the percentile"
    " interval of the plug-in ece lies too high. Read debiased_ece beside it, whose interval is"
    " turned around (basic) where percentiles are asked for"
)
PRESETS: Presets = MappingProxyType(
    {
        "default": {},
        "mapie": {
            "n_bins": 50,
            "strategy": "mapie-uniform",
            "ties": "mapie",
            "start": "mapie",
            "law": "limit",
            "p_value": "asymptotic",
            "two_classes": "top-label",
        },
        "scikit-learn": {"n_bins": 5, "closed": "right", "clip": SKLEARN_CLIP},
    }
)
TOLERANCE = Check("from 0 to below 1", lambda value: 0 <= value < 1)


@option_record()
class CalibrationColumns:
    """Where outcomes and the probabilities stated for them stand: in tables, or in runs."""

    y_true: str = option("", "Tables: the outcome or class.", column=True)
    y_prob: tuple[tuple[str, ...], ...] = option(
        (),
        "Tables: the probability of the positive outcome, or the probabilities of all classes:"
        " one column per class, a column of lists or an array of two axes. Repeat it to"
        " compare.",
        ("--y-prob", "--y-score"),
        column=True,
        metavar="COLUMN,...",
    )
    classes: tuple[str | int, ...] = option(
        (),
        "The classes in the order of the probabilities.",
        ("--classes", "--labels"),
        commas=True,
        metavar="A,B,...",
        shown="column names, or 0,1,...",
    )
    positive: str | int | None = option(
        None,
        "The label that counts as 1, if not 1 or true; of two classes, if not the second.",
        ("--positive", "--pos-label"),
        metavar="LABEL",
    )
    cluster: Cluster = None
    item: str | None = option(
        None,
        "Tables: the column that says which row it is, within its cluster: rows of two tables"
        " with the same item are compared.",
        column=True,
        shown="the place of the row",
    )
    group: str | None = option(
        None, "Tables: a column of groups: all numbers in each of them.", column=True
    )
    missing: Missing = "error"
    sum_tolerance: float = option(
        SUM_TOLERANCE, "How far the probabilities of a row may be from 1 in sum.", check=TOLERANCE
    )
    mode: tuple[str, ...] = option(
        (), "Runs: which experiment, one for all inputs or one per input in their order."
    )
    confidence: tuple[str, ...] = option(
        (),
        "Runs: confidences in [0, 1] to take as the probability that the answer is right.",
        commas=True,
    )

    def check_table(self, path: str, calibrators: object) -> None:
        """Refuse what is about runs, and a table of which nothing is named."""
        if self.mode or self.confidence or calibrators:
            msg = f"`mode`, `confidence` and `calibration` are about runs, and {path} is a table"
            raise UsageError(msg, hint=TABLES_TAKE)
        if not self.y_true:
            msg = f"{path} is a table, and `y_true` does not say which column is the outcome"
            raise UsageError(msg, hint=TABLES_TAKE)
        if not self.y_prob or not all(self.y_prob):
            msg = "`y_prob` names no column of probabilities"
            raise UsageError(msg, hint="the probability of the outcome, or those of all classes")

    def check_run(self) -> None:
        """Refuse what is about tables."""
        for name in OF_TABLES:
            if getattr(self, name) not in (None, "", ()):
                msg = f"`{name}` is about columns of a table, and this input is a run"
                raise UsageError(msg, hint="a run takes `mode` and `confidence`")

    def names(self) -> tuple[str, ...]:
        """Return every column that is read, the truth first."""
        return tuple(
            dict.fromkeys(filter(None, [*self.needed(), self.cluster, self.item, self.group]))
        )

    def needed(self) -> tuple[str, ...]:
        """Return the columns that no row may lack: the truth and the probabilities."""
        stated = (name for names in self.y_prob for name in names)
        return tuple(dict.fromkeys([self.y_true, *stated]))

    def empty_words(self, name: str) -> frozenset[str]:
        """Return the words for an empty cell: where labels are free, one may be called none."""
        if name != self.y_true:
            return EMPTY_WORDS
        if self.positive is not None:
            return frozenset({""})
        columns = self.y_prob[0] if len(self.y_prob[0]) > 1 else ()
        return EMPTY_WORDS - {str(label).lower() for label in self.classes or columns}


@option_record(PRESETS)
class CalibrationOptions:
    """The conventions of a calibration evaluation; all of them go on record."""

    n_bins: int = option(10, "How many bins.", ("--bins",), check=at_least(1, MOST_BINS))
    strategy: Strategy = option("uniform", "Where bins end.")
    closed: Closed = option(
        "left", "The end of a bin that belongs to it; the outermost ends always do."
    )
    ties: Ties = option("group", "How equal scores are added up.")
    start: Start = option("zero", "Whether the range of cumulative differences begins at 0.")
    top_labels: TopLabels = option(
        "predicted", "Which labels the top-label error is averaged over.", metric="labels"
    )
    two_classes: TwoClasses = option(
        "positive",
        "Probabilities of two classes: that of the second (or the positive label), or the"
        " larger one.",
    )
    clip: float = option(
        CLIP,
        f"How near to 0 and 1 a probability may come in nll (scikit-learn: {SKLEARN_CLIP!r}).",
        check=between(0, 0.5),
        hint="an infinite likelihood has no place in a file",
    )
    smoothing: Smoothing = option("exact", "How the smooth error is computed.")
    law: Law | None = option(
        None,
        "Whether p-values leave out cases that their limit law does not fit.",
        shown="limit for Spiegelhalter's one-sided p-value, checked for the others",
    )
    p_value: PValue = option(
        "auto",
        "From the limit law, from outcomes redrawn from the scores, or as fits: signs of"
        " clusters that turn where these are named, redrawn outcomes for KS and Kuiper below"
        " 50 distinct scores, else the limit law.",
    )
    n_draws: int = option(
        9_999,
        "Draws behind a Monte Carlo p-value.",
        ("--draws",),
        check=at_least(1, MOST_DRAWS),
        hint="9999 draws give p-values in steps of 0.0001",
    )
    preset: Preset = "default"
    intersection_only: bool = option(
        False, "Compare on the participants or clusters that all inputs share."
    )
    strict: bool = option(
        False,
        "Runs: refuse a calibrator that was fitted on participants of an input, or does not"
        " say on which.",
        recorded=False,
    )

    def __post_init__(self) -> None:
        """Refuse draws that do not fit the statistic."""
        if self.p_value == "monte-carlo" and (self.ties, self.start) != ("group", "zero"):
            msg = (
                "Monte Carlo p-values take tied scores as one step and the range with its start,"
                f" found `ties` {self.ties} and `start` {self.start}"
            )
            raise UsageError(msg, hint="choose `p_value` asymptotic with these conventions")

    @property
    def fitting(self) -> bool:
        """Whether p-values are those that fit the rows, no law being asked for."""
        return self.p_value == "auto" and self.law is None

    def bins(self) -> Bins:
        """Return how scores are cut."""
        return Bins(self.n_bins, self.strategy, self.closed)

    def chosen(self) -> dict[str, Any]:
        """Return the conventions under the names that metrics have for them."""
        unsaid = {"strict", *(["law"] if self.law is None else [])}
        return {name: value for name, value in settings(self).items() if name not in unsaid}
