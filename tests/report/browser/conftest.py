"""A headless Chromium, the one of this machine; where none is, these tests say so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""no service of the browser's own reaches for the network"""


DRAW_ALL = """async (look) => {
  document.querySelectorAll("details").forEach((each) => (each.open = true));
  for (const each of document.querySelectorAll("[data-figure]")) {
    while (each.dataset.look !== look) {
      each.scrollIntoView({ block: "center", behavior: "instant" });
      await new Promise(requestAnimationFrame);
    }
  }
}"""
"""a figure is drawn when it comes into view, and those above it move it as they are drawn"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Start the browser for its tests; while it runs, nothing else can run an event loop here."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        reason = f"no browser: none of {', '.join(NAMES)} is installed"
        if os.environ.get("ASSAY_REQUIRE_BROWSER"):
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        launched = started.chromium.launch(executable_path=program, args=QUIET)
        yield launched
        launched.close()


@dataclass
class Opened:
    """A page, and everything it complained of or asked the network for."""

    page: Any
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def draw_all(self, look: str = "light") -> int:
        """Bring one figure after the other into view, and return how many are drawn."""
        self.page.evaluate(DRAW_ALL, look)
        return self.page.locator("[data-figure].drawn svg.marks").count()

    def draw(self, which: str, look: str = "light") -> Any:
        """Bring the first figure of some into view, and return it once it is drawn."""
        figure = self.page.locator(which).first
        figure.scroll_into_view_if_needed()
        figure.locator(f"xpath=self::*[@data-look='{look}']").wait_for()
        return figure

    def overflow(self) -> int:
        """Return by how much the page is wider than its window."""
        return self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Open bytes as a page from disk."""
    contexts = []

    def show(data: bytes, *, width: int = 1200, dark: bool = False, script: bool = True) -> Opened:
        path = tmp_path / f"page{len(contexts)}.html"
        path.write_bytes(data)
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            accept_downloads=False,
        )
        contexts.append(context)
        shown = Opened(context.new_page())
        shown.page.on("console", lambda each: shown.faults.append(f"{each.type}: {each.text}"))
        shown.page.on("pageerror", lambda each: shown.faults.append(str(each)))
        shown.page.on("dialog", lambda each: shown.faults.append(each.message))
        shown.page.on("request", lambda each: shown.requests.append(each.url[:60]))
        shown.page.goto(path.as_uri())
        if script:
            shown.page.wait_for_selector("html[data-ready]")
        return shown

    yield show
    for context in contexts:
        context.close()
