"""The report as one page that needs nothing else: a pure function of artifacts.

`sections` lays artifacts out as finished strings (`model`), `rendering` writes them into the
template. Same artifacts, same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.artifacts import Artifact
from assay.errors import ArtifactError
from assay.report.figures import figures
from assay.report.packages import require_packages
from assay.report.page.bounds import bounded
from assay.report.page.model import Page, Section
from assay.report.page.rendering import rendered
from assay.report.page.sections import section

__all__ = ["page"]


def page(artifacts: Sequence[Artifact]) -> bytes:
    """Show artifacts, of any families, on one page."""
    require_packages()
    sections = tuple(_section(each, place) for place, each in enumerate(artifacts, 1))
    return rendered(Page(title=_title(sections), sections=sections))


def _section(artifact: Artifact, place: int) -> Section:
    shown = bounded(artifact)
    try:
        return section(shown, figures(shown), place)
    except (IndexError, KeyError) as error:
        # What a program writes fits together; a file that was edited may name what is not in it.
        msg = f"artifact {place} names {error}, which it does not hold"
        raise ArtifactError(msg, hint="it may have been edited; make it again") from None


def _title(sections: Sequence[Section]) -> str:
    families = [*dict.fromkeys(each.family for each in sections)]
    if len(sections) == 1:
        return f"{families[0]}: {sections[0].title}"
    return ", ".join(families)
