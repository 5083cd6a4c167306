"""Groups side by side, one table per system and confidence."""

from __future__ import annotations

from collections.abc import Iterator

from assay.artifacts import Group
from assay.report.details import heading, unswept
from assay.report.numbers import Notes
from assay.report.overview import FIRST
from assay.report.systems import Artifact, Systems
from assay.report.view import Cell, Grid, Row
from assay.report.wording import count
from assay.showing import inert

__all__ = ["group_blocks"]

SIZES = ("participants", "items", "answered")


def group_blocks(artifact: Artifact, seen: Systems, notes: Notes) -> Iterator[Grid]:
    """Show a few numbers of every group; the artifact holds them all."""
    for number, system in enumerate(seen.names):
        groups = [group for group in artifact.groups if group.input == number]
        for name in groups[0].confidence_variants if groups else ():
            yield _grid(f"{system} by group, {inert(name)}", name, groups, notes)


def _grid(title: str, name: str, groups: list[Group], notes: Notes) -> Grid:
    sample = groups[0].confidence_variants[name]
    labels = [label for label in FIRST if label in unswept(sample)]
    columns = [
        notes.scalars([group.confidence_variants[name][label] for group in groups])
        for label in labels
    ]
    rows = tuple(
        Row(inert(group.label) or "(none)", (*_sizes(group), *cells))
        for group, cells in zip(groups, zip(*columns, strict=True), strict=True)
    )
    return Grid(title, "group", (*SIZES, *(heading(sample[label]) for label in labels)), rows)


def _sizes(group: Group) -> tuple[Cell, ...]:
    sizes = group.participants, group.items_total, group.items_predicted
    return tuple(Cell(count(each)) for each in sizes)
