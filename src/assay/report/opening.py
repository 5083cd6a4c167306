"""Artifacts from files, to be shown: `assay report` and `assay figures` open them here alike."""

from __future__ import annotations

from dataclasses import dataclass

from assay.artifacts import Artifact, read_artifact
from assay.errors import ArtifactError, AssayError
from assay.report.figures import Figure, figures
from assay.report.packages import missing_packages
from assay.report.page.bounds import bounded
from assay.report.page.sections import section
from assay.showing import inert, shortened

__all__ = ["Opened", "opened"]

LONGEST = 120


@dataclass(frozen=True, slots=True)
class Opened:
    """An artifact with texts of bounded length, and its figures."""

    artifact: Artifact
    figures: list[Figure]
    """none where the packages that draw are missing"""


def opened(path: str) -> Opened:
    """Read an artifact, and refuse one that cannot be shown.

    Shape and wholeness are looked at by the reader. A file may still have been edited so that it
    lacks a number that belongs to its kind; whether it does is seen by laying everything out.
    """
    artifact = read_artifact(path)
    try:
        shown = bounded(artifact)
        drawn = [] if missing_packages() else figures(shown)
        section(shown, (), 1)
    except AssayError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever an editor has made of a file
        why = shortened(inert(f"{type(error).__name__} {error}"), LONGEST)
        msg = f"{path} does not hold all that an artifact of its kind does ({why})"
        raise ArtifactError(msg, hint="it may have been edited; make it again") from None
    return Opened(shown, drawn)
