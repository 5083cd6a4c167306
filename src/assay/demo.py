"""Where the bundled examples are: synthetic, all of it, and written by tools/examples."""

from __future__ import annotations

from pathlib import Path

_DATA = Path(__file__).parent / "data"
DEMO_PATH = _DATA / "demo_run.json"
VERDICTS_FOLDER = _DATA / "verdicts"
REASONING_FOLDER = _DATA / "reasoning"
