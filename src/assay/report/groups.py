"""Groups side by side: how large each is, and a few of its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.artifacts import Scalar
from assay.report.details import heading, unswept
from assay.report.numbers import Notes
from assay.report.overview import FIRST
from assay.report.systems import Artifact, Systems
from assay.report.view import Cell, Grid, Row
from assay.report.wording import count
from assay.showing import inert

__all__ = ["Part", "group_blocks", "group_grid", "group_name"]

SIZES = ("participants", "items", "answered")


@dataclass(frozen=True, slots=True)
class Part:
    """One group: its name, its sizes and its numbers."""

    label: str
    sizes: tuple[int, ...]
    numbers: Mapping[str, Scalar]


def group_blocks(artifact: Artifact, seen: Systems, notes: Notes) -> Iterator[Grid]:
    """Show a few numbers of every group; the artifact holds them all."""
    for number, system in enumerate(seen.names):
        groups = [group for group in artifact.groups if group.input == number]
        for name in groups[0].confidence_variants if groups else ():
            parts = [
                Part(
                    each.label,
                    (each.participants, each.items_total, each.items_predicted),
                    each.confidence_variants[name],
                )
                for each in groups
            ]
            labels = [label for label in FIRST if label in unswept(parts[0].numbers)]
            yield group_grid(f"{system} by group, {inert(name)}", SIZES, parts, labels, notes)


def group_grid(
    title: str, sizes: Sequence[str], parts: Sequence[Part], labels: Sequence[str], notes: Notes
) -> Grid:
    """Show groups as rows, their sizes and some numbers as columns."""
    columns = [notes.scalars([part.numbers[label] for part in parts]) for label in labels]
    rows = tuple(
        Row(group_name(part), (*(Cell(count(each)) for each in part.sizes), *cells))
        for part, cells in zip(parts, zip(*columns, strict=True), strict=True)
    )
    headings = (*sizes, *(heading(parts[0].numbers[label]) for label in labels))
    return Grid(title, "group", headings, rows)


def group_name(part: Part) -> str:
    """Name a group, also one without a name."""
    return inert(part.label) or "(none)"
