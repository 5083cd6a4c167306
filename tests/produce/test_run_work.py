"""What is seen of a run while it runs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from assay.cli import run_work
from assay.cli.run_work import call_progress
from assay.errors import ServerError
from assay.produce.calls import Made
from assay.produce.limits import Wait
from assay.produce.session import Tally


def test_nothing_is_shown_when_it_is_not_wanted(capsys):
    with call_progress(10, shown=False) as hear:
        hear(Tally(made=3))
    assert capsys.readouterr().err == ""


def test_without_a_terminal_there_is_a_line_a_minute(capsys, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(run_work, "monotonic", lambda: clock[0])
    with call_progress(1000, shown=True) as hear:
        for made in range(1, 181):
            clock[0] += 1
            hear(Tally(made=made, kept=100, failed=2, prompt_tokens=10 * made))
    assert capsys.readouterr().err.splitlines() == [
        "160 of 1,000 calls, 60 per minute, 2 failed, 600 tokens, 14 min left",
        "220 of 1,000 calls, 60 per minute, 2 failed, 1,200 tokens, 13 min left",
        "280 of 1,000 calls, 60 per minute, 2 failed, 1,800 tokens, 12 min left",
    ]


def test_without_a_terminal_the_first_wait_is_said_at_once_and_then_a_line_a_minute(
    capsys, monkeypatch
):
    clock = [100.0]
    monkeypatch.setattr(run_work, "monotonic", lambda: clock[0])
    with call_progress(1000, shown=True) as hear:
        for made in range(1, 181):
            clock[0] += 1
            hear(Tally(made=made, wait=Wait(1.04, 32) if made % 2 else None))
    assert capsys.readouterr().err.splitlines() == [
        "1 of 1,000 calls, the server has no room: waiting 1 s, up to 32 calls at a time then",
        "61 of 1,000 calls, the server has no room: waiting 1 s, up to 32 calls at a time then",
        "121 of 1,000 calls, the server has no room: waiting 1 s, up to 32 calls at a time then",
    ]


def test_more_calls_than_were_planned_are_counted_as_they_come(capsys, monkeypatch):
    monkeypatch.setattr(run_work, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(run_work, "monotonic", lambda: 100.0)
    with call_progress(10, shown=True) as hear:
        hear(Tally(kept=13))
        hear(Tally(kept=13, wait=Wait(0.3, 1)))
    no_room = "the server has no room: waiting a moment, up to 1 call at a time then"
    assert capsys.readouterr().err.splitlines() == [
        "13 of 13 calls, 0 failed, 0 tokens",
        f"13 of 13 calls, {no_room}",
    ]


SCRIPT = """
import time
from assay.cli.run_work import call_progress
from assay.produce.limits import Wait
from assay.produce.session import Tally
with call_progress(40, shown=True) as hear:
    for made in range(1, 21):
        time.sleep(0.05)
        hear(Tally(made=made, failed=1, completion_tokens=100 * made))
    hear(Tally(made=20, wait=Wait(7.0, 3)))
    time.sleep(0.3)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_on_a_terminal_a_bar_shows_rate_failures_tokens_and_time_left():
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "110"}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT], stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # the other side is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    for word in (b"/40", b" per minute", b"1 failed", b" tokens", b" s left", b"waiting 7 s"):
        assert word in shown


@pytest.mark.parametrize(("n_failed", "share"), [(29, 0.29), (7, 0.07), (1, 0.01), (57, 0.57)])
def test_just_the_share_that_may_fail_is_no_error_and_one_more_is(n_failed, share):
    run_work._judge(Made({}, {"participants": 100, "failed": n_failed}, None), 0, share)
    with pytest.raises(ServerError, match=f"{n_failed + 1} of 100 participants failed, more than"):
        run_work._judge(Made({}, {"participants": 100, "failed": n_failed + 1}, None), 0, share)
