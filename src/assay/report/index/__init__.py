"""A folder of artifacts as one page: a trend of one number, and every run in a row."""

from __future__ import annotations

from contextlib import suppress
from os.path import relpath
from pathlib import Path

from assay.report.index.layout import index_of
from assay.report.presenters import require_packages

__all__ = ["index_page"]


def index_page(folder: Path, place: Path | None = None) -> bytes:
    """Show a folder of artifacts as one page that needs nothing else."""
    require_packages()
    from assay.report.page.rendering import rendered_index  # noqa: PLC0415 - once it can be drawn

    return rendered_index(index_of(folder, _from(place, folder)))


def _from(place: Path | None, folder: Path) -> str:
    """Return how a page reaches the folder; nothing where the page stands in it."""
    if place is None:
        return ""
    with suppress(ValueError):  # another drive
        way = relpath(folder.resolve(), place.resolve().parent)
        return "" if way == "." else f"{Path(way).as_posix()}/"
    return ""
