"""A headless Chromium, the one of this machine; where none is, these tests say so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.report.families import shown

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
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

    def figures(self) -> int:
        """Return how many figures can be seen, each in one of its two drawings."""
        return self.page.locator("figure svg.fig:visible").count()

    def violations(self, within: str = "", only: tuple[str, ...] = ()) -> list[str]:
        """Return what axe-core finds wrong in a part of the page, by rule and element.

        Rows of cases and of tables are many and alike: cases are looked at only where their part
        is named, of the rows of a table the first five. Only some rules may be asked for; the
        style sheets are in the page, so that none has to be loaded beforehand.
        """
        self.page.evaluate(AXE)
        alike = [[".caselist"], [".grid tbody tr:nth-child(n+6)"]]
        where = {"include": [within]} if within else {"exclude": alike}
        how: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
        if only:
            how["runOnly"] = {"type": "rule", "values": only}
        found = self.page.evaluate("([where, how]) => axe.run(where, how)", [where, how])
        return [
            f"{each['id']}: {node['target']}"
            for each in found["violations"]
            for node in each["nodes"]
        ]

    def overflow(self) -> int:
        """Return by how much the page is wider than its window."""
        return self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )


@contextmanager
def _showing(browser: Any, folder: Path) -> Iterator[Callable[..., Opened]]:
    """Open bytes as pages from disk, and close them in the end."""
    contexts = []

    def show(
        data: bytes,
        *,
        width: int = 1200,
        dark: bool = False,
        script: bool = True,
        still: bool = True,
        at: str = "",
    ) -> Opened:
        path = folder / f"page{len(contexts)}.html"
        path.write_bytes(data)
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            java_script_enabled=script,
            accept_downloads=True,
        )
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.on("console", lambda each: found.faults.append(f"{each.type}: {each.text}"))
        found.page.on("pageerror", lambda each: found.faults.append(str(each)))
        found.page.on("dialog", lambda each: found.faults.append(each.message))
        found.page.on("request", lambda each: found.requests.append(each.url[:60]))
        found.page.goto(f"{path.as_uri()}{at}")
        if script:
            found.page.wait_for_selector("html[data-ready]")
        return found

    yield show
    for context in contexts:
        context.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Open bytes as a page of one test."""
    with _showing(browser, tmp_path) as show:
        yield show


@pytest.fixture(scope="module")
def used(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """Open a page for all tests that leave it as it was, but for where its slider stands."""
    with _showing(browser, tmp_path_factory.mktemp("used")) as show:
        yield show(shown("selective"))
