"""Servers that behave and misbehave, and retries that do not wait."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from functools import cache

import pytest
import stamina

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
    with stamina.set_testing(True, attempts=100, cap=True):
        yield


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Let everything that asks a model go by a clock that can be put forward."""
    clock = Clock()
    monkeypatch.setattr(asyncio.events, "new_event_loop", clock.new_loop)
    for name in PATIENT:
        monkeypatch.setattr(f"assay.produce.{name}.monotonic", clock.now)
    return clock
