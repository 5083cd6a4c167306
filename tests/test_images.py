"""The pictures in the README are those that the program draws now."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
spec = importlib.util.spec_from_file_location("images", ROOT / "tools" / "images.py")
images = importlib.util.module_from_spec(spec)
spec.loader.exec_module(images)


@pytest.mark.parametrize("name", images.PICTURES)
def test_a_picture_is_current(name):
    assert not images.is_stale(name), "run python tools/images.py"


def test_the_readme_shows_pictures_that_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = {name for name in images.PICTURES if f"docs/images/{name}" in text}
    assert {"risk-coverage.svg", "risk-coverage-dark.svg"} <= shown
    assert all((images.FOLDER / name).stat().st_size < 60_000 for name in images.PICTURES)
