"""The prompts of a run, each once, under its hash."""

from __future__ import annotations

import gzip
import io

import msgspec

from assay.produce.prompts import Messages, prompt_hash

__all__ = ["PROMPTS_NAME", "PromptFile"]

PROMPTS_NAME = "prompts.jsonl.gz"


class PromptFile:
    """Collects prompts, compressed as they come: they repeat the transcript again and again."""

    def __init__(self) -> None:
        """Start empty."""
        self._seen: set[str] = set()
        self._bytes = io.BytesIO()
        # Without the time, so that the same prompts make the same file.
        self._file = gzip.GzipFile("", "wb", fileobj=self._bytes, mtime=0)

    def add(self, messages: Messages) -> str:
        """Store a prompt, unless it is there, and return its hash."""
        name = prompt_hash(messages)
        if name not in self._seen:
            self._seen.add(name)
            line = {"sha256": name, "messages": messages}
            self._file.write(msgspec.json.encode(line) + b"\n")
        return name

    def finished(self) -> bytes:
        """Return the file."""
        self._file.close()
        return self._bytes.getvalue()
