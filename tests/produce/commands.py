"""`assay run` as a user writes it, and what it leaves behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.produce.model_server import ModelServer

TIMES = ("timestamp", "finished_at", "attempts", "total_duration_seconds")
ITEMS = ("NoInterest", "Sleep")


def items(server: ModelServer, *more: object, output: str = "run.json") -> list[str]:
    """Return the arguments of a run of 4 participants, 2 items and 2 samples."""
    options = ["--data", "people.jsonl", "--base-url", server.base_url, "--model", "m"]
    options += [word for item in ITEMS for word in ("--item", item)]
    options += ["--consistency-samples", "2", "--output", output]
    return ["run", "items", *options, *map(str, more)]


N_CALLS = 4 * 2 * 3


def started(arguments: list[str], **environment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "assay", *arguments]
    environment = {**os.environ, **environment}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe)


def run_file(path: str = "run.json") -> dict[str, Any]:
    """Read a run file without what may differ between two runs."""

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: timeless(each) for name, each in value.items() if name not in TIMES}
        return [timeless(each) for each in value] if isinstance(value, list) else value

    return timeless(json.loads(Path(path).read_text()))


def participants(path: str = "run.json") -> dict[str, dict[str, Any]]:
    [experiment] = run_file(path)["experiments"]
    return {each["participant_id"]: each for each in experiment["results"]["results"]}


def journaled(path: str = "run.journal.jsonl") -> dict[str, str]:
    """Return the requests of a journal by key; a line without its end does not count."""
    if not Path(path).exists():
        return {}
    whole, _, _ = Path(path).read_bytes().rpartition(b"\n")
    lines = [json.loads(line) for line in whole.splitlines()]
    return {line["key"]: line["request"] for line in lines if "key" in line}


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def generations(server: ModelServer, *more: str) -> list[str]:
    options = ["--vignettes", "cases.json", "--base-url", server.base_url, "--model", "m"]
    return ["run", "generations", *options, "--output", "results/m", *more]
