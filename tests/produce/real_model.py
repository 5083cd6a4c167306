"""A small real model behind llama.cpp's own server, started for the tests that ask it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools import llm_env

SERVER = Path(llm_env.__file__).with_name("llm_server.py")
MODEL = "smollm2-135m-instruct"


@contextmanager
def running() -> Iterator[str]:
    """Start the server on a free port and yield its base URL."""
    if not llm_env.is_ready():
        reason = f"no real model in {llm_env.ENVIRONMENT.name}: run python tools/llm_env.py"
        if os.environ.get("ASSAY_REQUIRE_LLM"):
            pytest.fail(reason)
        pytest.skip(reason)
    # Threads that spin while they wait starve on a shared machine.
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [llm_env.python_of(llm_env.ENVIRONMENT), SERVER],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        try:
            url = process.stdout.readline().strip()
            assert url.startswith("http://127.0.0.1:"), "the server did not start"
            yield url
        finally:
            process.stdin.close()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
