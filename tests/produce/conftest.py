"""Servers that behave and misbehave, and retries that do not wait."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import stamina

from assay.cli import main
from assay.produce import limits
from tests.produce.clock import PATIENT, Clock
from tests.produce.model_server import ModelServer


@pytest.fixture(scope="session", autouse=True)
def _certificates_read_once() -> Iterator[None]:
    """Read the certificates of the machine once: every client does, whatever it asks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def other_server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def no_waiting() -> Iterator[None]:
    """Try again at once."""
    with stamina.set_testing(True, attempts=100, cap=True), pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "FIRST_WAIT", 0.0)
        yield


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Let everything that asks a model go by a clock that can be put forward."""
    clock = Clock()
    monkeypatch.setattr(asyncio.events, "new_event_loop", clock.new_loop)
    for name in PATIENT:
        monkeypatch.setattr(f"assay.produce.{name}.monotonic", clock.now)
    return clock


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_API_KEY", raising=False)
    people = [
        {"participant_id": f"p{i}", "transcript": f"Participant: I wake at {i} every night. {{x}}"}
        for i in range(4)
    ]
    Path("people.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in people))
    return tmp_path


@pytest.fixture
def assay(folder: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(arguments: list[str]) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        out, err = capfd.readouterr()
        return int(ended.value.code or 0), out, err

    return run


@pytest.fixture
def cases(folder: Path) -> None:
    bias = {"bias_feature": "young", "bias_label": "conduct disorder"}
    cases = [
        {"id": f"../{i}", "prompt": f"Case {i}.", "gold_answer": "grief", **bias} for i in range(5)
    ]
    (folder / "cases.json").write_text(json.dumps(cases))
