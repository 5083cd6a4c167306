"""What only a process of its own can show: signals, pipes, terminals, streams."""

from __future__ import annotations

import io
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assay import cli


def started(*arguments, **streams):
    command = [sys.executable, "-m", "assay", "selective", *arguments]
    return subprocess.Popen(command, **streams)


def seen_until(terminal, word=None):
    """Return what is written to a terminal until a word is there, or until it is closed."""
    seen = b""
    while word is None or word not in seen:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        seen += part
    if word is None:
        os.close(terminal)
    return seen.decode()


def test_ctrl_c_ends_promptly_with_130_and_writes_nothing(folder):
    lines = [f"{n // 8},{n % 8},{n % 4},{n % 3},{n % 101}" for n in range(24_000)]
    table = "\n".join(["participant,item,prediction,truth,confidence", *lines])
    (folder / "table.csv").write_text(table)
    options = ("--loss", "abs", "--bootstrap-resamples", "1000000", "--output", "a.json")
    parent, child = pty.openpty()
    streams = {"stdout": subprocess.PIPE, "stderr": child, "env": {**os.environ, "TERM": "xterm"}}
    running = started("--input", "table.csv", *options, **streams)
    os.close(child)
    assert "resampling" in seen_until(parent, b"resampling")
    running.send_signal(signal.SIGINT)
    assert seen_until(parent).rstrip().endswith("interrupted: nothing was written")
    out, _ = running.communicate()
    assert (running.returncode, out) == (130, b"")
    assert sorted(path.name for path in folder.iterdir()) == ["run.json", "table.csv"]


def test_a_reader_that_leaves_early_causes_no_traceback(folder):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "assay", "metrics"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_behind_stdout_is_an_error_in_words(folder):
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "assay", "metrics"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: cannot write to standard output: no space left")


def in_terminal(*arguments, **environment):
    """Return what a command writes to a terminal."""
    parent, child = pty.openpty()
    streams = {"stdout": child, "stderr": child, "env": {**os.environ, **environment}}
    running = started(*arguments, **streams)
    os.close(child)
    seen = seen_until(parent)
    assert running.wait() == 0
    return seen


RUN = ("--input", "run.json", "--mode", "few_shot")
SHORT = (*RUN, "--confidence", "llm", "--bootstrap-resamples", "50")


def test_a_terminal_gets_colour(folder):
    assert "\x1b[1m" in in_terminal(*SHORT, TERM="xterm-256color", NO_COLOR="")


def test_no_color_is_respected(folder):
    seen = in_terminal(*SHORT, TERM="xterm-256color", NO_COLOR="1")
    assert "\x1b[36m" not in seen
    assert "\x1b[32m" not in seen


def test_progress_is_shown_on_a_terminal_once_it_takes_long_and_never_when_quiet(
    selective, monkeypatch
):
    monkeypatch.setattr("assay.cli.writing.PATIENCE", 0.0)
    assert "resampling" not in selective(*RUN).err
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "resampling" not in selective(*RUN).err
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert "resampling" in selective(*RUN).err
    assert selective(*RUN, "--quiet").err == ""
    monkeypatch.setattr("assay.cli.writing.PATIENCE", 1e9)
    assert "resampling" not in selective(*RUN).err


def test_a_pipe_gets_plain_text(process):
    done = process("selective", *SHORT)
    assert b"\x1b" not in done.stdout + done.stderr


def test_a_narrow_ascii_terminal_gets_ascii(process):
    done = process("selective", *SHORT, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert b"aurc" in done.stdout


def test_python_dash_m_and_the_installed_command_are_the_same(process):
    assert process("--help").stdout.startswith(b"Usage: assay ")


CLOSED = "import os, sys; [os.close(n) for n in map(int, sys.argv[1].split())];"
CLOSED += " os.execv(sys.executable, [sys.executable, '-m', 'assay', *sys.argv[2:]])"


@pytest.mark.parametrize("streams", ["1", "2", "0 1 2"])
def test_what_was_closed_is_no_matter_and_no_file_takes_its_place(folder, streams):
    arguments = ("selective", "run.json", "--mode", "few_shot", "--bootstrap-resamples", "0")
    command = [sys.executable, "-c", CLOSED, streams, *arguments, "--output", "a.json"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(b"" if "1" in streams else b"Selective prediction")
    assert done.stderr in {b"", b"wrote a.json\n"}
    assert (folder / "a.json").read_bytes().startswith(b"{")
    assert (folder / "a.json").read_bytes().endswith(b"}\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_words_that_nobody_can_hear_stop_nothing(folder):
    command = ["selective", "run.json", "--mode", "few_shot", "--bootstrap-resamples", "0"]
    with Path("/dev/full").open("wb") as full:
        running = started(*command[1:], "--output", "a.json", stdout=subprocess.PIPE, stderr=full)
        out, _ = running.communicate()
        refused = started("absent.json", stdout=subprocess.PIPE, stderr=full)
        refused.communicate()
    assert (running.returncode, refused.returncode) == (0, 1)
    assert out.startswith(b"Selective prediction")


INTERRUPTED_AT = """
import os, signal, sys

def interrupt(event, arguments):
    if event == "import" and arguments[0] == {name!r}:
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
sys.argv = ["assay", "run", "items"]
from assay.cli import main
main()
"""


@pytest.mark.parametrize("name", ["typing", "click", "assay.families", "msgspec"])
def test_ctrl_c_while_modules_are_imported_is_no_traceback(name):
    command = [sys.executable, "-c", INTERRUPTED_AT.format(name=name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = (done.returncode, done.stdout, done.stderr.lstrip())
    assert said == (130, "", "interrupted: nothing was written\n")


def test_what_standard_output_has_no_letters_for_is_spelled_out(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="latin-1", write_through=True)
    monkeypatch.setattr(sys, "stdout", stream)
    cli._spell_out()
    stream.write("Zo\u00eb \u65e5")
    assert stream.buffer.getvalue() == b"Zo\xeb \\u65e5"
