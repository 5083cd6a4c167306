"""Run files: one object whose `experiments` hold participants by mode."""

from __future__ import annotations

from assay.sources.content import Content, holds_run
from assay.sources.formats import Format
from assay.sources.items import ItemTable
from assay.sources.run import run_of

__all__ = ["FORMAT"]


def _holds(content: Content) -> bool:
    return content.data.lstrip()[:1] == b"{" and holds_run(content.data)


def _read(content: Content, *, mode: str | None, signals: frozenset[str] | None) -> ItemTable:
    return run_of(content, mode=mode, signals=signals)


FORMAT = Format("run", (".json", ".jsonl", ".ndjson"), _holds, _read, gives="items")
