"""An artifact as a piece of a notebook: the first screen of its page.

No script, nothing from elsewhere; every text is escaped, and the style holds for this piece alone.
"""

from __future__ import annotations

from html import escape
from importlib.util import find_spec
from typing import Any

from assay.report.page.bounds import bounded
from assay.report.page.chapters import opening
from assay.report.presenters import summary
from assay.showing import inert, shortened

__all__ = ["snippet"]

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


def snippet(artifact: Any) -> str:
    """Show an artifact as HTML; without the package that fills templates in, as its title."""
    cut = bounded(artifact)
    if find_spec("jinja2") is None:
        return f"<p><strong>{_text(summary(cut).title)}</strong></p>"
    from assay.report.page.rendering import fragment, style_of_first  # noqa: PLC0415 - as said

    style = f".assay-first{{{COLOURS};{SCREENS}{style_of_first()}}}"
    return f'<div class="assay-first"><style>{style}</style>{fragment(opening(cut))}</div>'


def _text(text: str) -> str:
    return escape(shortened(inert(" ".join(text.split())), 200), quote=True)
