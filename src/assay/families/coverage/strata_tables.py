"""What intervals and sets have in common, and the strata in which their coverage may fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.display.blocks import Cell, Grid, Role, Row, Section
from assay.display.numbers import DASH, counts, ends
from assay.display.wording import count, decimals, fixed
from assay.showing import inert

if TYPE_CHECKING:
    from assay.artifact import System
    from assay.families.coverage.parts import Stratum

__all__ = [
    "GROUPS",
    "Kind",
    "least_covered",
    "places",
    "rows_of",
    "size_range",
    "strata_sections",
]

SHARE_PLACES = 3
MOST_STRATA = 12
"""Of more strata than these, only the least covered are shown."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to tell strata apart: what it is called, and where its strata stand in the parts."""

    what: str
    strata: str
    least: str
    called: str
    """one of its strata in a sentence"""
    sized: bool = False
    """whether it is shown from where to where sizes reach"""


GROUPS = Kind("group", "groups", "least_group", "group {}")


def rows_of(strata: str, stratum: Stratum) -> dict[str, str | float | None]:
    """Return the filters that leave the rows of a part: its group, its sizes, or its class."""
    if strata == GROUPS.strata:
        return {"group": stratum.name}
    if strata == "sizes":
        return {"from": stratum.size_low, "to": stratum.size_high}
    return {"truth": stratum.name}


def places(value: float) -> str:
    """Write a coverage."""
    return fixed(value, SHARE_PLACES)


def strata_sections(
    system: System[Any, Any], kinds: Sequence[Kind], *, several: bool
) -> Iterator[Section]:
    """Show coverage by stratum, level by level."""
    name = inert(system.name)
    for key, variant in system.variants.items():
        where = [f"level {key}"] * (len(system.variants) > 1) + [name] * several
        for kind in (*kinds, GROUPS):
            strata = getattr(variant.parts, kind.strata)
            if not strata:
                continue
            title = ", ".join([f"Coverage by {kind.what}", *where])
            least = getattr(variant.parts, kind.least)
            table = _grid(title, kind.what.split()[-1], strata, least, sized=kind.sized)
            role: Role = "groups" if kind is GROUPS else "strata"
            yield Section(role, table, system=name, variant=key)


def _grid(
    title: str, corner: str, strata: Sequence[Stratum], least: Stratum | None, *, sized: bool
) -> Grid:
    shown = least_covered(strata, MOST_STRATA)
    few = f", the {len(shown)} least covered of {count(len(strata))}"
    rows = [
        Row(
            inert(each.name),
            (
                *([Cell(size_range(each))] if sized else []),
                *counts(each.n, each.n_covered),
                Cell(DASH if each.coverage is None else places(each.coverage), _ends(each)),
                Cell("least", tone="plain") if each == least else Cell(""),
            ),
        )
        for each in shown
    ]
    headings = (*(["from, to"] if sized else []), "n", "covered", "coverage", "")
    return Grid(title + few * (len(shown) < len(strata)), corner, headings, tuple(rows))


def _ends(stratum: Stratum) -> str:
    return "" if stratum.coverage is None else ends(stratum.interval, places)


def least_covered(strata: Sequence[Stratum], most: int) -> Sequence[Stratum]:
    """Return all strata, or of many the few that cover least; the artifact holds all of them."""
    if len(strata) <= most:
        return strata
    filled = [each for each in strata if each.coverage is not None]
    return sorted(filled, key=lambda each: each.coverage or 0.0)[:most]


def size_range(stratum: Stratum) -> str:
    """Say from where to where the widths of a stratum reach."""
    low, high = stratum.size_low, stratum.size_high
    if low is None:
        return "infinite" if stratum.n else ""
    digits = decimals(low if high is None else high, None)
    return f"{fixed(low, digits)} to {'infinity' if high is None else fixed(high, digits)}"
