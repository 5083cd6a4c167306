"""`assay run` as a user writes it, and what it leaves behind."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

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


FORKS = """
import json, os, sys
import httpx2, stamina
import assay.cli.run_jobs, assay.cli.run_jobs
from assay.cli import main

for line in sys.stdin:
    child = os.fork()
    if not child:
        os.dup2(os.open("err.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        main(json.loads(line))
    print(child, flush=True)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    print("ended", flush=True)
    sys.stdin.readline()  # until then no other process gets its number
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""a process with all loaded, whose forks are commands: to load it all for each takes a second"""


class Forks:
    """Commands in processes of their own that start at once, one after the other."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-c", FORKS]
        pipe = subprocess.PIPE
        self._parent = subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0)
        return self

    def __exit__(self, *error: object) -> None:
        self._parent.kill()
        self._parent.communicate()

    def start(self, arguments: list[str]) -> None:
        """Start a command."""
        self._parent.stdin.write(json.dumps(arguments).encode() + b"\n")
        self._child = int(self._parent.stdout.readline())

    def has_ended(self) -> bool:
        return bool(select.select([self._parent.stdout], [], [], 0)[0])

    def kill(self) -> int:
        """Kill the command, should it still run, and return its exit code."""
        os.kill(self._child, signal.SIGKILL)
        assert self._parent.stdout.readline() == b"ended\n"
        self._parent.stdin.write(b"\n")
        return int(self._parent.stdout.readline())


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
