"""Artifacts from files, to be shown: `assay report` and `assay figures` open them here alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.report.figures import Figure, figures
from assay.report.page.bounds import bounded
from assay.stored import read_artifact

__all__ = ["Opened", "opened"]


@dataclass(frozen=True, slots=True)
class Opened:
    """An artifact with texts of bounded length."""

    artifact: Any

    @property
    def figures(self) -> list[Figure]:
        """Everything it has a figure for."""
        return figures(self.artifact)


def opened(path: str) -> Opened:
    """Read an artifact; its reader refuses one that does not hold what is shown of its kind."""
    return Opened(bounded(read_artifact(path)))
