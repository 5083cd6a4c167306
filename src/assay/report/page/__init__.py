"""The report as one page that needs nothing else: a pure function of artifacts.

`chapters` lays artifacts out as finished strings, `rendering` writes them into the
template. Same artifacts, same bytes. A notebook shows the first screen alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeVar

import msgspec

from assay.artifact import Artifact
from assay.families import named
from assay.report.figures import Figure, figures
from assay.report.page.chapters import Chapter, Page, chapter, opening
from assay.report.page.rendering import fragment, rendered, style_of_first
from assay.report.presenters import require_packages
from assay.showing import counted
from assay.stored import encode, read_artifact

__all__ = ["Opened", "bounded", "opened", "page", "page_of", "snippet"]

LONGEST = 4_000
"""characters of a text that are kept"""
Shape = TypeVar("Shape")
COLOURS = (
    "--ground:#fff;--panel:#f5f7f9;--ink:#16202a;--soft:#51606e;--line:#d3dae1;--hair:#eceff3;"
    "--accent:#0a5a96;--c0:#0b63a8;--c1:#a84c06;--c2:#431540;--rest:#8391a0;--good:#0a6b4c;"
    "--bad:#ad1640;--warn:#6a5200;--warn-ground:#fcf5dd;--warn-line:#dcbf5a;--on-mark:#fff;"
    "background:#fff;color:var(--ink);padding:12px;max-width:1240px;"
    "font:15px/1.45 'Helvetica Neue',Helvetica,Arial,sans-serif"
)
SCREENS = (
    ".unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
    "[hidden]{display:none!important}button,select,.remarks a{display:none}p,ul,h3,figure{margin:0}"
    ".sub{font-size:13px;color:var(--soft);margin:4px 0 8px}"
    ".on a{color:inherit;text-decoration:none;pointer-events:none}"
    "@media (max-width:1100px){.split,.split.many{grid-template-columns:minmax(0,1fr)}}"
)


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


def bounded(artifact: Shape) -> Shape:
    """Cut every text that is longer than anyone reads, and say how long it was."""
    shape = named(artifact.kind).artifact if isinstance(artifact, Artifact) else type(artifact)
    bounded: Shape = msgspec.convert(_cut(msgspec.to_builtins(artifact)), shape)
    return bounded


def _cut(value: Any) -> Any:
    match value:
        case str():
            return _text(value)
        case dict():
            return {_key(key): _cut(each) for key, each in value.items()}
        case list() | tuple():
            return [_cut(each) for each in value]
        case _:
            return value


def _text(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({counted(len(text), 'character')})"


def _key(key: str) -> str:
    """Cut a name, apart from others that begin alike, and everywhere in the same way."""
    stem, at, option = key.partition("@")
    if len(stem) <= LONGEST:
        return key if len(key) <= 2 * LONGEST else f"{key[: 2 * LONGEST]}…"
    digest = hashlib.sha256(stem.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{_text(stem)} {digest}{at}{option}"


def snippet(artifact: Any) -> str:
    """Show an artifact as HTML; without the package that fills templates in, nothing.

    No script, nothing from elsewhere; every text is escaped, and the style holds for it alone.
    """
    if find_spec("jinja2") is None:
        return ""
    cut = bounded(artifact)
    style = f".assay-first{{{COLOURS};{SCREENS}{style_of_first()}}}"
    return f'<div class="assay-first"><style>{style}</style>{fragment(opening(cut))}</div>'
