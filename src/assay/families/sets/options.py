"""What may be chosen about sets: their columns, their levels, their conventions."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Any

from assay.errors import UsageError
from assay.families.choices import (
    CODE_OR_PRINTED,
    ClaimedLevel,
    Cluster,
    Group,
    Item,
    Missing,
    Preset,
    Truth,
    refuse_repeated,
)
from assay.metrics.intervals.spans import Formula
from assay.options import Presets, at_least, option, option_record, recorded, settings

PRESETS: Presets = MappingProxyType({"default": {}, "mapie": {}, "printed": {"formula": "printed"}})


@option_record()
class SetColumns:
    """Which columns hold what.

    A set is one column of lists of labels or of flags (rows, classes) or (rows, classes, levels),
    or one column of flags per class. With one level every set is a system; with several, each
    system has a set per level.
    """

    y: Truth
    set: tuple[tuple[str, ...], ...] = option(
        (),
        "A column of lists of labels, an array of flags (rows, classes) or (rows, classes,"
        " levels), or one column of flags per class. Repeat it for further levels or systems.",
        column=True,
        metavar="COLUMN[,COLUMN...]",
    )
    classes: tuple[int | str, ...] = option(
        (),
        "The classes in their order.",
        commas=True,
        metavar="NAME,...",
        shown="the names of the flag columns, or the labels",
    )
    cluster: Cluster = None
    group: Group = None
    item: Item = None
    missing: Missing = "error"

    def __post_init__(self) -> None:
        """Refuse classes that are named twice, and no sets at all."""
        if not self.set or not all(self.set):
            found = "found a set without columns" if self.set else "found no sets"
            raise UsageError(found, hint="`set` names their column, or one per class")
        if len({*self.classes}) < len(self.classes):
            msg = f"`classes` names a class twice in {','.join(map(str, self.classes))}"
            raise UsageError(msg, hint="name each class once, in the order of the flags")


@option_record(PRESETS)
class SetOptions:
    """The conventions of an evaluation of sets; all of them go on record."""

    level: ClaimedLevel = (0.9,)
    n_groups: int | None = option(
        None, "How many strata of sizes.", ("--groups",), check=at_least(1), shown="one per size"
    )
    formula: Annotated[Formula, CODE_OR_PRINTED] = "code"
    preset: Preset = "default"

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        refuse_repeated(self, "level")

    def settings(self, level: float) -> dict[str, Any]:
        """Return the options of metrics by name at a level; a tuple is a grid."""
        return {**settings(self), "level": level}

    def conventions(self) -> dict[str, Any]:
        """Return every choice under its name, and what is always so in words."""
        return {
            **recorded(self),
            "coverage_test": "two-sided, of the level",
            "p_value": "two-sided, inverted percentile bootstrap",
        }
