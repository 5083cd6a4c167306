"""What may be chosen about intervals: their columns, their levels, their conventions."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Any

from assay.errors import UsageError
from assay.families.choices import (
    CODE_OR_PRINTED,
    SHARE,
    ClaimedLevel,
    Cluster,
    Group,
    Item,
    Missing,
    Preset,
    Truth,
    refuse_repeated,
)
from assay.metrics.intervals.spans import Crossed, Formula
from assay.metrics.intervals.width import USUAL_GROUPS, Ties
from assay.options import Check, Presets, at_least, option, option_record, recorded, settings

PRESETS: Presets = MappingProxyType(
    {
        "default": {},
        "mapie": {"crossed": "mapie", "ties": "mapie"},
        "printed": {"formula": "printed"},
    }
)
POSITIVE = Check("a positive number", lambda size: 0.0 < size < float("inf"))


@option_record()
class IntervalColumns:
    """Which columns hold what: pairs of bounds, or arrays of intervals.

    With one level every pair is a system; with several, each system has a pair per level.
    """

    y: Truth
    low: tuple[str, ...] = option(
        (),
        "The lower bounds. Repeat it, with `up`, for further levels or systems.",
        column=True,
        levels=True,
    )
    up: tuple[str, ...] = option((), "The upper bounds.", column=True, levels=True)
    interval: tuple[str, ...] = option(
        (),
        "Both bounds in one array (rows, 2) or (rows, 2, levels), or in one list per row.",
        column=True,
    )
    cluster: Cluster = None
    group: Group = None
    item: Item = None
    missing: Missing = "error"

    def __post_init__(self) -> None:
        """Refuse bounds that have no partner."""
        if len(self.low) != len(self.up):
            msg = f"found {len(self.low)} lower and {len(self.up)} upper bounds"
            raise UsageError(msg, hint="every `low` needs its `up`, in the same order")
        if bool(self.low) == bool(self.interval):
            found = "both pairs of bounds and arrays of intervals" if self.low else "no bounds"
            raise UsageError(f"found {found}", hint="give `low` and `up`, or `interval`")


@option_record(PRESETS)
class IntervalOptions:
    """The conventions of an evaluation of intervals; all of them go on record."""

    level: ClaimedLevel = (0.9,)
    eta: float = option(30.0, "How hard cwc punishes coverage off the level.")
    n_groups: int = option(
        USUAL_GROUPS, "How many strata of sizes.", ("--groups",), check=at_least(1)
    )
    kernel_size: tuple[float, float] = option(
        (1.0, 1.0),
        "Kernel sizes of hsic, for widths and for coverage.",
        check=POSITIVE,
        hint="1,1 is customary: squared units of the width, then of 0 and 1",
        metavar="WIDTHS,COVERAGE",
    )
    width_share: tuple[float, ...] = option(
        (0.05, 0.25, 0.5, 0.75, 0.95), "Shares of width_quantile.", check=SHARE, metric="share"
    )
    crossed: Crossed = option("refuse", "What bounds mean whose lower one is above the upper one.")
    ties: Ties = option("together", "Whether equal widths may lie in two size strata.")
    formula: Annotated[Formula, CODE_OR_PRINTED] = "code"
    preset: Preset = "default"

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        refuse_repeated(self, "level", "width_share")

    def settings(self, level: float) -> dict[str, Any]:
        """Return the options of metrics by name at a level; a tuple is a grid."""
        width, coverage = self.kernel_size
        kernels = {"kernel_width": width, "kernel_coverage": coverage}
        return {**settings(self), "level": level, **kernels}

    def conventions(self) -> dict[str, Any]:
        """Return every choice under its name, and what is always so in words."""
        return {
            **recorded(self),
            "bounds": "both inclusive",
            "coverage_test": "two-sided, of the level",
            "p_value": "two-sided, inverted percentile bootstrap",
        }
