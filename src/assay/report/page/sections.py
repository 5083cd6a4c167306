"""An artifact as a section of the page: the same words and tables as on the console, and more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.artifacts import Artifact
from assay.report.figures import Figure
from assay.report.headlines import headline
from assay.report.page.cases import case_tables
from assay.report.page.model import Section
from assay.report.page.operating import operating
from assay.report.page.pictures import picture
from assay.report.page.populations import strips
from assay.report.page.provenance import every_convention, reproduce
from assay.report.summaries import summary
from assay.report.view import Facts, Grid, Summary

__all__ = ["section"]

POPULATION = "Population"
ABOUT = "Confidence"
"""how a table begins whose followers are about the same"""
ELSEWHERE = re.compile(r"input \d+|warning|more|computed by")
"""lines that stand in another part of the page, or are about the console"""
OPEN = 3
"""so many tables are open from the start"""
LONG = 24
"""rows; a longer table is closed from the start"""


def section(artifact: Artifact, figures: Sequence[Figure], place: int) -> Section:
    """Lay an artifact out."""
    short, full = summary(artifact), summary(artifact, detail="full")
    population, tables = _apart(_grids(short))
    first = tuple(each for each in tables[:OPEN] if len(each.rows) <= LONG)
    every = [*tables, *_apart(_distinct(_grids(full), short))[1]]
    kind, _, names = short.title.partition(": ")
    return Section(
        id=f"s{place}",
        family=kind,
        title=names or kind,
        statements=headline(artifact),
        warnings=tuple(_warnings(short)),
        strips=strips(artifact),
        population=population,
        figures=tuple(picture(each, f"s{place}") for each in figures),
        operating=operating(artifact, f"s{place}"),
        tables=first,
        findings=tuple(each for each in _facts(short) if each.title),
        more=tuple(dict.fromkeys(each for each in every if each not in first)),
        key=_kept(_facts(short)[-1]),
        cases=case_tables(artifact, f"s{place}"),
        conventions=_conventions(short),
        every_convention=every_convention(artifact),
        reproduce=reproduce(artifact),
    )


def _grids(seen: Summary) -> list[Grid]:
    return [block for block in seen.blocks if isinstance(block, Grid)]


def _facts(seen: Summary) -> list[Facts]:
    return [block for block in seen.blocks if isinstance(block, Facts)]


def _apart(grids: Sequence[Grid]) -> tuple[Grid | None, list[Grid]]:
    """Take the counts of who and what out of the tables."""
    counts = [each for each in grids if each.title == POPULATION]
    return next(iter(counts), None), [each for each in grids if each.title != POPULATION]


def _distinct(grids: Sequence[Grid], short: Summary) -> list[Grid]:
    """Name what a table is about where another one has its title."""
    titles = [each.title for each in grids]
    known = _grids(short)
    named: list[Grid] = []
    about = ""
    for each in grids:
        about = each.title if each.title.startswith(ABOUT) else about
        again = titles.count(each.title) > 1 and about and each not in known
        named.append(replace(each, title=f"{each.title}, {_small(about)}") if again else each)
    return named


def _small(title: str) -> str:
    return f"{title[:1].lower()}{title[1:]}"


def _kept(facts: Facts) -> Facts:
    return Facts(tuple(line for line in facts.lines if not ELSEWHERE.fullmatch(line[0])))


def _conventions(seen: Summary) -> Facts:
    untitled = [block for block in _facts(seen)[:-1] if not block.title]
    return _kept(Facts(tuple(line for block in untitled for line in block.lines)))


def _warnings(seen: Summary) -> Iterator[str]:
    for block in _facts(seen):
        yield from (text for word, text in block.lines if word == "warning")
