"""What may be chosen about intervals and sets: their columns, their levels, their conventions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from assay.columns import proportion
from assay.errors import UsageError
from assay.evaluate.presets import Presets, with_preset
from assay.metrics.intervals.spans import Crossed, Formula
from assay.metrics.intervals.strata import USUAL_GROUPS, Ties

__all__ = [
    "INTERVAL_PRESETS",
    "SET_PRESETS",
    "IntervalColumns",
    "IntervalOptions",
    "SetColumns",
    "SetOptions",
]


@dataclass(frozen=True, slots=True)
class IntervalColumns:
    """Which columns hold what: pairs of bounds, or arrays of intervals.

    With one level every pair is a system; with several, each system has a pair per level.
    """

    y: str
    low: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    interval: tuple[str, ...] = ()
    """arrays (rows, 2) or (rows, 2, levels), lower bounds first"""
    cluster: str | None = None
    group: str | None = None

    def __post_init__(self) -> None:
        """Refuse bounds that have no partner."""
        if len(self.low) != len(self.up):
            msg = f"found {len(self.low)} lower and {len(self.up)} upper bounds"
            raise UsageError(msg, hint="every --low needs its --up, in the same order")
        if bool(self.low) == bool(self.interval):
            found = "both pairs of bounds and arrays of intervals" if self.low else "no bounds"
            raise UsageError(f"found {found}", hint="give --low and --up, or --interval")


@dataclass(frozen=True, slots=True)
class SetColumns:
    """Which columns hold what.

    A set is one column of lists of labels or of flags (rows, classes) or (rows, classes, levels),
    or one column of flags per class. With one level every set is a system; with several, each
    system has a set per level.
    """

    y: str
    sets: tuple[tuple[str, ...], ...]
    classes: tuple[str, ...] | None = None
    """the order of the classes; without it the names of the flag columns, or the labels found"""
    cluster: str | None = None
    group: str | None = None

    def __post_init__(self) -> None:
        """Refuse classes that are named twice, and no sets at all."""
        if not self.sets or not all(self.sets):
            found = "found a set without columns" if self.sets else "found no sets"
            raise UsageError(found, hint="--set names their column, or one per class")
        if self.classes is not None and len(set(self.classes)) < len(self.classes):
            msg = f"`classes` names a class twice in {','.join(self.classes)}"
            raise UsageError(msg, hint="name each class once, in the order of the flags")


@dataclass(frozen=True, slots=True)
class IntervalOptions:
    """The conventions of an evaluation of intervals; all of them go on record."""

    level: tuple[float, ...] = (0.9,)
    formula: Formula = "code"
    crossed: Crossed = "refuse"
    ties: Ties = "together"
    eta: float = 30.0
    n_groups: int = USUAL_GROUPS
    kernel_size: tuple[float, float] = (1.0, 1.0)
    width_share: tuple[float, ...] = (0.05, 0.25, 0.5, 0.75, 0.95)
    preset: str = "default"

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        _check_levels(self.level)
        _check_strata(self.n_groups)
        for share in self.width_share:
            proportion("width_share", share)
        if not all(0.0 < size < float("inf") for size in self.kernel_size):
            sizes = ",".join(f"{size:g}" for size in self.kernel_size)
            msg = f"`kernel_size` must be two positive numbers, found {sizes}"
            raise UsageError(
                msg, hint="1,1 is customary: squared units of the width, then of 0 and 1"
            )

    @classmethod
    def of(cls, preset: str, **chosen: Any) -> IntervalOptions:
        """Take a preset and what was chosen beside it; None means not chosen."""
        return cls(**with_preset(INTERVAL_PRESETS, preset, chosen))

    def settings(self, level: float) -> dict[str, Any]:
        """Return the options of metrics by name at a level; a tuple is a grid."""
        return {
            "level": level,
            "formula": self.formula,
            "crossed": self.crossed,
            "ties": self.ties,
            "eta": self.eta,
            "n_groups": self.n_groups,
            "share": self.width_share,
            "kernel_width": self.kernel_size[0],
            "kernel_coverage": self.kernel_size[1],
        }

    def conventions(self) -> dict[str, Any]:
        """Return every choice under its name, and what is always so in words."""
        return {
            **_listed(self),
            "bounds": "both inclusive",
            "coverage_test": "two-sided, of the level",
            "p_value": "two-sided, inverted percentile bootstrap",
        }


@dataclass(frozen=True, slots=True)
class SetOptions:
    """The conventions of an evaluation of sets; all of them go on record."""

    level: tuple[float, ...] = (0.9,)
    formula: Formula = "code"
    n_groups: int | None = None
    """how many strata of sizes; None makes every size one"""
    preset: str = "default"

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        _check_levels(self.level)
        _check_strata(self.n_groups)

    @classmethod
    def of(cls, preset: str, **chosen: Any) -> SetOptions:
        """Take a preset and what was chosen beside it; None means not chosen."""
        return cls(**with_preset(SET_PRESETS, preset, chosen))

    def settings(self, level: float) -> dict[str, Any]:
        """Return the options of metrics by name at a level; a tuple is a grid."""
        return {"level": level, "formula": self.formula, "n_groups": self.n_groups}

    def conventions(self) -> dict[str, Any]:
        """Return every choice under its name, and what is always so in words."""
        return {
            **_listed(self),
            "coverage_test": "two-sided, of the level",
            "p_value": "two-sided, inverted percentile bootstrap",
        }


INTERVAL_PRESETS: Presets = MappingProxyType(
    {
        "default": {},
        "mapie": {"crossed": "mapie", "ties": "mapie"},
        "printed": {"formula": "printed"},
    }
)
SET_PRESETS: Presets = MappingProxyType(
    {"default": {}, "mapie": {}, "printed": {"formula": "printed"}}
)


def _listed(options: IntervalOptions | SetOptions) -> dict[str, Any]:
    chosen = {field.name: getattr(options, field.name) for field in fields(options)}
    return {name: list(v) if type(v) is tuple else v for name, v in chosen.items()}


def _check_levels(levels: Sequence[float]) -> None:
    for level in levels:
        if not 0.0 < level < 1.0:
            msg = f"`level` must lie between 0 and 1, found {level:g}"
            raise UsageError(msg, hint="0.9 claims that 90 percent of the truths are covered")
    if len(set(levels)) < len(levels) or not levels:
        msg = "`level` names a level twice" if levels else "there is no level"
        raise UsageError(msg, hint="one level per interval or set, as in --level 0.8,0.9")


def _check_strata(n_groups: int | None) -> None:
    if n_groups is not None and n_groups < 1:
        msg = f"`n_groups` must be at least 1, found {n_groups}"
        raise UsageError(msg, hint="it says into how many strata of sizes the rows are cut")
