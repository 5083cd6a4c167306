"""The journal: what is in it counts, what was cut off does not, and one run at a time."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ArtifactError, OutputError, UsageError
from assay.produce import journal as module
from assay.produce.calls import Call, Reply
from assay.produce.journal import Journal

IDENTITY = {"model": "m", "modes": ("cot", "direct"), "seed": 42, "hashes": {"data": "1"}}
CALL = Call("a/1", "chat/completions", {"seed": 1})


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the disk: hundreds of journals are opened and closed here."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.journal.jsonl"


def reply(key: str = "a/1", **changes) -> Reply:
    made = Reply(
        key=key,
        request_hash=CALL.request_hash,
        status=200,
        body=b'{"choices":[{"body":"x","start":1}],"body":{"body":2}}',
        error=None,
        attempts=2,
        latency=0.25,
        seed=1,
        usage={"prompt_tokens": 3},
    )
    return replace(made, **changes)


FAILED = reply("a/2", status=None, body=None, error='no "answer",\n"body":', usage=None, seed=None)


def test_a_reply_comes_back_as_it_was_written_also_in_the_next_start(path):
    with Journal(path, IDENTITY) as journal:
        assert journal.get("a/1") is None
        assert not journal.has(CALL)
        journal.append(reply())
        journal.append(FAILED)
        assert (journal.get("a/1"), journal.get("a/2")) == (reply(), FAILED)
    with Journal(path, IDENTITY) as journal:
        assert (journal.get("a/1"), journal.get("a/2")) == (reply(), FAILED)
        assert journal.has(CALL)
        assert (len(journal), journal.n_failed, journal.attempts) == (2, 1, 4)


@given(
    key=st.text(min_size=1).filter(lambda text: text.isprintable()),
    error=st.none() | st.text(),
    seed=st.none() | st.integers(-(2**62), 2**62),
)
def test_any_key_and_error_come_back(tmp_path_factory, key, error, seed):
    path = tmp_path_factory.mktemp("j") / "j"
    written = reply(key, error=error, seed=seed)
    for _ in range(2):
        with Journal(path, IDENTITY) as journal:
            journal.append(written)
            assert journal.get(key) == written
            assert len(journal) == 1


def test_a_line_cut_short_anywhere_is_dropped_and_the_rest_counts(path, tmp_path):
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
        before = path.stat().st_size
        journal.append(FAILED)
    whole = path.read_bytes()
    for end in range(before, len(whole)):
        cut = tmp_path / "cut"
        cut.write_bytes(whole[:end])
        with Journal(cut, IDENTITY) as journal:
            assert (len(journal), journal.get("a/1")) == (1, reply())
            journal.append(FAILED)
        with Journal(cut, IDENTITY) as journal:
            assert (len(journal), journal.get("a/2")) == (2, FAILED)


def test_a_header_cut_short_anywhere_is_written_anew(path):
    with Journal(path, IDENTITY):
        pass
    header = path.read_bytes().splitlines(keepends=True)[0]
    for end in range(len(header)):
        path.write_bytes(header[:end])
        with Journal(path, IDENTITY) as journal:
            journal.append(reply())
            assert journal.get("a/1") == reply()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"model": "n"}, r'`model` was "m" and is "n"'),
        ({"modes": ("cot",)}, r'`modes` was \["cot","direct"\] and is \["cot"\]'),
        ({"extra": 1}, "`extra` was absent and is 1"),
        ({"hashes": {"data": "2", "task": "1"}}, r'`hashes.data` was "1" and is "2"'),
        ({"seed": None}, "`seed` was 42 and is absent"),
        ({"model": "x" * 500}, r'is "x{59}\.\.\.$'),
    ],
)
def test_the_journal_of_another_run_is_refused_with_what_differs(path, changed, words):
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
    before = path.read_bytes()
    with pytest.raises(UsageError, match=words):
        Journal(path, {**IDENTITY, **changed})
    assert path.read_bytes() == before


def test_the_same_call_with_another_request_is_refused(path):
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
        other = replace(CALL, body={"seed": 2})
        with pytest.raises(UsageError, match="'a/1' was made before with another request"):
            journal.has(other)


def test_two_runs_cannot_share_a_journal(path):
    with Journal(path, IDENTITY), pytest.raises(UsageError, match="in use by another run"):
        Journal(path, IDENTITY)
    with Journal(path, IDENTITY):
        pass


@pytest.mark.parametrize(
    "content",
    [
        b"some text\n",
        b"some text",
        b"some text\nwithout end",
        b'{"experiments": []}\n',
        b'{"journal":"assay run","version":99,"started":1.0,"identity":{}}\n',
        b'{"journal":"diary","version":1,"started":1.0,"identity":{}}\n',
        b"\x00" * 64 + b"\n",
    ],
)
def test_a_file_that_is_no_journal_is_refused_and_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(ArtifactError, match=r"is not a journal|is a journal of version"):
        Journal(path, IDENTITY)
    assert path.read_bytes() == content


def test_damage_in_the_middle_is_refused_with_its_place(path):
    with Journal(path, IDENTITY) as journal:
        place = path.stat().st_size
        journal.append(reply())
        journal.append(FAILED)
    data = path.read_bytes()
    path.write_bytes(data[: place + 4] + b"\x00" + data[place + 5 :])
    with pytest.raises(ArtifactError, match=f"damaged at byte {place}"):
        Journal(path, IDENTITY)


def test_damage_in_a_body_is_found_when_it_is_read(path):
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
    path.write_bytes(path.read_bytes().replace(b'"choices"', b'"cho\x01ces"'))
    with Journal(path, IDENTITY) as journal, pytest.raises(ArtifactError, match="is damaged"):
        journal.get("a/1")


def test_a_full_disk_leaves_only_whole_lines(path, monkeypatch):
    real = os.write

    def full(descriptor: int, data: memoryview) -> int:
        if len(data) < 50:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data[: len(data) // 2])

    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
        before = path.read_bytes()
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(OutputError, match=r"cannot write .*: no space left on device"):
            journal.append(FAILED)
        monkeypatch.undo()
        assert path.read_bytes() == before
        journal.append(FAILED)
    with Journal(path, IDENTITY) as journal:
        assert journal.get("a/2") == FAILED


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").touch()
    for bad in (tmp_path, tmp_path / "file" / "below"):
        with pytest.raises(OutputError, match=r"cannot write .*: (is a|not a) directory|exists"):
            Journal(bad, IDENTITY)


def test_failed_calls_can_be_made_again_and_the_last_reply_counts(path):
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
        journal.append(FAILED)
        journal.forget_failed()
        assert (len(journal), journal.n_failed, journal.get("a/2")) == (1, 0, None)
        journal.append(reply("a/2"))
    with Journal(path, IDENTITY) as journal:
        assert (journal.n_failed, journal.get("a/2")) == (0, reply("a/2"))


def test_the_time_of_all_starts_is_kept_without_the_pauses(path, monkeypatch):
    clock = [1000.0]
    monkeypatch.setattr(module, "time", lambda: clock[0])
    for start, seconds in ((1000.0, 5.0), (9000.0, 7.0), (20_000.0, 0.0)):
        clock[0] = start
        with Journal(path, IDENTITY) as journal:
            if seconds:
                clock[0] += seconds
                journal.append(reply(f"a/{start}"))
    with Journal(path, IDENTITY) as journal:
        assert (journal.started, journal.seconds) == (1000.0, 12.0)


def test_what_was_written_is_synced_once(path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
        journal.sync()
        journal.sync()
        assert len(synced) == 1
        journal.append(FAILED)
    assert len(synced) == 2


def broken(*_: object) -> None:
    raise OSError(errno.EIO, "Input/output error")


def test_a_disk_that_does_not_keep_what_is_written_is_one_sentence(path, monkeypatch):
    with Journal(path, IDENTITY) as journal:
        monkeypatch.setattr(os, "fsync", broken)
        with pytest.raises(OutputError, match=r"cannot write .*: input/output error"):
            journal.sync()


def test_a_disk_that_cannot_lock_is_one_sentence(path, monkeypatch):
    monkeypatch.setattr(module, "_lock", broken)
    with pytest.raises(OutputError, match=r"cannot lock .*: input/output error"):
        Journal(path, IDENTITY)


def test_a_journal_that_is_removed_is_gone(path):
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
        journal.remove()
    assert not path.exists()
    assert path.parent.exists()


def test_a_folder_that_was_made_for_a_removed_journal_goes_with_it(tmp_path):
    for other in ((), ("kept",)):
        path = tmp_path / "made" / "deep" / "journal"
        with Journal(path, IDENTITY) as journal:
            for name in other:
                (path.parent / name).touch()
            journal.remove()
        assert (tmp_path / "made").exists() == bool(other)


def test_a_journal_is_a_regular_file():
    with pytest.raises(OutputError, match="cannot write /dev/zero: it is not a regular file"):
        Journal(Path("/dev/zero"), IDENTITY)


def test_a_line_with_a_key_twice_is_damaged(path):
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
    path.write_bytes(path.read_bytes().replace(b'"status":200', b'"status":200,"status":500'))
    with pytest.raises(ArtifactError, match="damaged at byte"):
        Journal(path, IDENTITY)


def test_what_a_server_wrote_twice_is_no_damage(path):
    twice = reply(body=b'{"a":1,"a":2}')
    with Journal(path, IDENTITY) as journal:
        journal.append(twice)
    with Journal(path, IDENTITY) as journal:
        assert journal.get("a/1") == twice
