"""A folder of artifacts as one page: a trend of one number, and every run in a row."""

from __future__ import annotations

from pathlib import Path

from assay.report.index.layout import index_of
from assay.report.packages import require_packages

__all__ = ["index_page"]


def index_page(folder: Path) -> bytes:
    """Show a folder of artifacts as one page that needs nothing else."""
    require_packages()
    from assay.report.page.rendering import rendered_index  # noqa: PLC0415 - once it can be drawn

    return rendered_index(index_of(folder))
