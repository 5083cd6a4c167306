"""The report as one page that needs nothing else: a pure function of artifacts.

`chapters` lays artifacts out as finished strings (`model`), `rendering` writes them into the
template. Same artifacts, same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.report.figures import Figure, figures
from assay.report.packages import require_packages
from assay.report.page.bounds import bounded
from assay.report.page.chapters import chapter
from assay.report.page.model import Chapter, Page
from assay.report.page.rendering import rendered
from assay.stored import encode

__all__ = ["page", "page_of"]


def page(artifacts: Sequence[Any]) -> bytes:
    """Show artifacts, of any families, on one page."""
    require_packages()
    files = [encode(each) for each in artifacts]
    shown = [bounded(each) for each in artifacts]
    return page_of([(each, figures(each), file) for each, file in zip(shown, files, strict=True)])


def page_of(shown: Sequence[tuple[Any, Sequence[Figure], bytes]]) -> bytes:
    """Show artifacts whose texts are bounded with their figures, and the files they come from."""
    alone = len(shown) == 1
    chapters = tuple(
        chapter(artifact, drawn, "" if alone else f"s{place}-", file)
        for place, (artifact, drawn, file) in enumerate(shown, 1)
    )
    return rendered(Page(title=_title(chapters), chapters=chapters))


def _title(chapters: Sequence[Chapter]) -> str:
    families = [*dict.fromkeys(each.opening.family for each in chapters)]
    if len(chapters) == 1:
        alone = chapters[0].opening
        return f"{families[0]}: {alone.first.title if alone.first else alone.title}"
    return ", ".join(families)
