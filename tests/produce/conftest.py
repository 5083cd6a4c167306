"""Servers that behave and misbehave, and retries that do not wait."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import stamina

from tests.produce.model_server import ModelServer


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
