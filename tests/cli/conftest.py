"""The command as a user runs it, in a folder with the bundled run as run.json."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.cli import main
from assay.demo import DEMO_PATH

RESAMPLES = ("--bootstrap-resamples", "50")


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


Assay = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    (tmp_path / "run.json").write_bytes(DEMO_PATH.read_bytes())
    return tmp_path


@pytest.fixture
def assay(folder: Path, capfd: pytest.CaptureFixture[str]) -> Assay:
    """Run a command in this process."""

    def run(*arguments: object) -> Done:
        with pytest.raises(SystemExit) as ended:
            main([str(each) for each in arguments])
        out, err = capfd.readouterr()
        code = ended.value.code
        return Done(code if code is not None else 0, out, err)  # type: ignore[arg-type]

    return run


@pytest.fixture
def selective(assay: Assay) -> Assay:
    """Run `assay selective` on few resamples."""
    return lambda *arguments: assay("selective", *RESAMPLES, *arguments)


@pytest.fixture
def process(folder: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run a command in a process of its own."""

    def run(
        *arguments: object, stdin: bytes = b"", **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "assay", *map(str, arguments)]
        environment = {**os.environ, **environment}
        return subprocess.run(
            command, input=stdin, capture_output=True, env=environment, check=False
        )

    return run


@pytest.fixture
def changed(folder: Path) -> Callable[[Callable[[dict[str, Any]], Any]], str]:
    """Write the bundled run once more, changed in one place."""

    def write(change: Callable[[dict[str, Any]], Any]) -> str:
        run = json.loads((folder / "run.json").read_bytes())
        change(run)
        (folder / "changed.json").write_text(json.dumps(run))
        return "changed.json"

    return write


@pytest.fixture
def table(folder: Path) -> str:
    """Write a small item table."""
    rows = [
        {
            "participant": who,
            "item": item,
            "prediction": "" if (who + item) % 5 == 0 else (who * item) % 4,
            "truth": (who + item) % 4,
            "confidence": (who * 7 + item * 3) % 11 / 10,
        }
        for who in range(1, 9)
        for item in range(1, 4)
    ]
    with (folder / "table.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return "table.csv"
