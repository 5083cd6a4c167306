"""Draw the pictures of the README from the bundled run; with --check, only say what is stale.

A picture holds the digest of what it was drawn from, numbers rounded so that every engine gives the
same one: letters may be measured differently elsewhere, what is drawn may not differ.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from assay.demo import DEMO_PATH
from assay.display.figures.theme import Style, styled
from assay.library import evaluate
from assay.report.figures import Figure, figures, rendered

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
MODES = ("zero_shot", "few_shot")
CONFIDENCE = "llm,verbalized,token_msp,consistency,hybrid_consistency"
PICTURES: dict[str, tuple[str, Style]] = {
    "risk-coverage.svg": ("risk-coverage-hybrid-consistency", "screen"),
    "risk-coverage-dark.svg": ("risk-coverage-hybrid-consistency", "dark"),
    "ranking.svg": ("ranking-aurc", "screen"),
    "ranking-dark.svg": ("ranking-aurc", "dark"),
}
"""file: figure, style"""
DIGEST = re.compile(r"<!-- drawn from ([0-9a-f]{16}) -->")
DIGITS = 6


@cache
def _drawn() -> dict[str, Figure]:
    """Draw the figures of the demo."""
    found = evaluate("selective", [DEMO_PATH] * len(MODES), mode=MODES, confidence=CONFIDENCE)
    return {figure.name: figure for figure in figures(found.artifact)}


def digest(name: str) -> str:
    """Return what identifies the content of a picture."""
    figure, style = PICTURES[name]
    spec = json.dumps(_rounded(styled(_drawn()[figure], style)), sort_keys=True)
    return hashlib.sha256(spec.encode()).hexdigest()[:16]


def _rounded(part: Any) -> Any:
    match part:
        case float():
            return float(f"{part:.{DIGITS}g}")
        case dict():
            return {name: _rounded(each) for name, each in part.items()}
        case list():
            return [_rounded(each) for each in part]
        case _:
            return part


def picture(name: str) -> str:
    """Draw a picture."""
    figure, style = PICTURES[name]
    drawn = rendered(_drawn()[figure], "svg", style=style).decode()
    return f"{drawn}<!-- drawn from {digest(name)} -->\n"


def is_stale(name: str) -> bool:
    """Say whether a picture shows something else than the program draws."""
    path = FOLDER / name
    found = DIGEST.search(path.read_text(encoding="utf-8")) if path.exists() else None
    return found is None or found[1] != digest(name)


def main() -> None:
    """Write the pictures, or name the stale ones and fail."""
    stale = [name for name in PICTURES if is_stale(name)]
    if "--check" in sys.argv[1:]:
        for name in stale:
            print(f"stale: {FOLDER / name}; run python tools/images.py")
        sys.exit(bool(stale))
    FOLDER.mkdir(exist_ok=True)
    for name in stale:
        (FOLDER / name).write_text(picture(name), encoding="utf-8")
        print(f"wrote {FOLDER / name}")


if __name__ == "__main__":
    main()
