"""Docstrings as plain text: formulas in signs that a terminal has."""

from __future__ import annotations

import inspect
import re
from typing import Any

__all__ = ["paragraphs", "plain", "sections"]

SIGNS = {
    ",": " ",
    ";": " ",
    "#": "#",
    "{": "{",
    "}": "}",
    "quad": " ",
    "qquad": "  ",
    "cdot": "·",
    "dots": "...",
    "ell": "\N{SCRIPT SMALL L}",
    "Delta": "\N{GREEK CAPITAL LETTER DELTA}",
    "alpha": "\N{GREEK SMALL LETTER ALPHA}",
    "eta": "\N{GREEK SMALL LETTER ETA}",
    "sigma": "\N{GREEK SMALL LETTER SIGMA}",
    "int": "∫",
    "sum": "Σ",
    "in": "∈",
    "cap": "∩",
    "sim": "~",
    "infty": "∞",
    "lceil": "⌈",
    "rceil": "⌉",
    "ge": "≥",
    "le": "≤",
    **dict.fromkeys(("left", "right", "bigl", "bigr", "Bigl", "Bigr"), ""),
}
COMMAND = re.compile(r"\\([A-Za-z]+|.)")
ACCENTS = {"bar": "\N{COMBINING MACRON}", "hat": "\N{COMBINING CIRCUMFLEX ACCENT}"}
FRACTION = re.compile(r"\\frac\{([^{}]*)\}\s*\{([^{}]*)\}\s?")
BRACES = {r"\{": "\x01", r"\}": "\x02"}
"""braces that are shown, while braces that group are looked for"""
REWRITES = (
    (re.compile(r"\\lceil "), "⌈"),
    (re.compile(r" \\rceil"), "⌉"),
    (re.compile(r"\\(?:text|mathrm|mathbf|operatorname)\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\mathbf ?(\w)"), r"\1"),
    (re.compile(r"\\(max|min|exp|log)(?![A-Za-z])"), r"\1"),
    (re.compile(r"\\t?frac(\w)(\w)"), r"\1/\2"),
    (re.compile(r"\\tfrac\{"), r"\\frac{"),
    (re.compile(r"\\sqrt\{([^{}]*)\}"), r"√(\1)"),
    (re.compile(r"([_^])\{(\w+)\}"), r"\1\2"),
    (re.compile(r"([_^])\{([^{}]*)\}"), r"\1(\2)"),
)
ACCENTED = re.compile(r"\\(bar|hat)(?:\{(\w)\}| ?(\w))")
COMPOUND = re.compile(r"[ +]")
INLINE = re.compile(r":math:`([^`]*)`")
HEAD = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
DISPLAYED = ".. math::"


def sections(documented: Any) -> dict[str, str]:
    """Cut a docstring, after its first line, into the text and the sections under their heads.

    Examples
    --------
    >>> list(sections(sections))
    ['Text', 'Examples']
    """
    _, _, body = (inspect.getdoc(documented) or "").partition("\n")
    text, *headed = HEAD.split(body)
    return {
        "Text": text.strip(),
        **dict(zip(headed[::2], map(str.strip, headed[1::2]), strict=True)),
    }


def paragraphs(text: str) -> list[tuple[str, str]]:
    """Return the paragraphs of a text in plain signs, with their kind: `formula`, `meaning`."""
    blocks = [" ".join(block.split()) for block in text.split("\n\n") if block.strip()]
    return [
        ("formula", _formula(block.removeprefix(DISPLAYED)))
        if block.startswith(DISPLAYED)
        else ("meaning", plain(block))
        for block in blocks
    ]


def plain(text: str) -> str:
    r"""Take the markup out of a sentence.

    Examples
    --------
    >>> plain(r"``step`` counts :math:`\frac{1}{N}\sum_{k=1}^{K} r_k`")
    'step counts 1/N Σ_(k=1)^K r_k'
    """
    text = INLINE.sub(lambda found: _formula(found[1]), text)
    return text.replace("``", "").replace("`", "").replace("*all*", "all")


def _formula(tex: str) -> str:
    """Rewrite from the innermost braces outwards, then name by name."""
    for shown, kept in BRACES.items():
        tex = tex.replace(shown, kept)
    before = ""
    while before != tex:
        before = tex
        tex = ACCENTED.sub(lambda found: (found[2] or found[3]) + ACCENTS[found[1]], tex)
        for pattern, form in REWRITES:
            tex = pattern.sub(form, tex)
        tex = FRACTION.sub(lambda found: f"{_part(found[1])}/{_part(found[2])} ", tex)
    for shown, kept in BRACES.items():
        tex = tex.replace(kept, shown)
    named = COMMAND.sub(lambda found: SIGNS.get(found[1], found[0]), tex)
    return named.replace(" )", ")").strip()


def _part(of_fraction: str) -> str:
    return f"({of_fraction})" if COMPOUND.search(of_fraction) else of_fraction
