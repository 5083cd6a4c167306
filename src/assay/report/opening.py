"""Artifacts from files, to be shown: `assay report` and `assay figures` open them here alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.report.figures import Figure, figures
from assay.report.page.bounds import bounded
from assay.stored import encode, read_artifact

__all__ = ["Opened", "opened"]


@dataclass(frozen=True, slots=True)
class Opened:
    """An artifact with texts of bounded length."""

    artifact: Any
    file: bytes
    """as it is written, with texts of any length"""

    @property
    def figures(self) -> list[Figure]:
        """Everything it has a figure for."""
        return figures(self.artifact)


def opened(path: str) -> Opened:
    """Read an artifact; its reader refuses one that does not hold what is shown of its kind."""
    artifact = read_artifact(path)
    return Opened(bounded(artifact), encode(artifact))
