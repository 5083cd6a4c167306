"""The journal: what is in it counts, what was cut off does not, and one run at a time."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ArtifactError, AssayError, OutputError, UsageError
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
        assert [journal.has_failed(key) for key in ("a/1", "a/2", "a/3")] == [False, True, False]
        assert (len(journal), journal.attempts) == (2, 4)


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
        ({"model": "x" * 500}, r'(?m)is "x{59}\.\.\.$'),
    ],
)
def test_the_journal_of_another_run_is_refused_with_what_differs(path, changed, words):
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
    before = path.read_bytes()
    with pytest.raises(UsageError, match=words):
        Journal(path, {**IDENTITY, **changed})
    assert path.read_bytes() == before


def test_the_same_call_with_another_request_is_another_call(path):
    other = replace(CALL, body={"seed": 2})
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
        assert not journal.has(other)
        assert journal.get("a/1") is None
        again = reply(request_hash=other.request_hash, attempts=9)
        journal.append(again)
        assert journal.get("a/1") == again
        assert journal.has(CALL)
        assert journal.get("a/1") == reply()


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
    with pytest.raises(ArtifactError, match=r"is not a journal|is a journal of version") as error:
        Journal(path, IDENTITY)
    assert "--reuse takes over the answers" in error.value.hint
    assert path.read_bytes() == content


def entries(n: int) -> list[Reply]:
    return [reply(f"a/{number}", attempts=1) for number in range(n)]


def calls(n: int) -> list[Call]:
    return [replace(CALL, key=f"a/{number}") for number in range(n)]


def test_a_flipped_bit_costs_the_call_of_its_line_and_nothing_else(path, tmp_path):
    with Journal(path, IDENTITY) as journal:
        for each in entries(4):
            journal.append(each)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    assert len(lines) == 6
    damaged = tmp_path / "damaged"
    for number, (start, end) in enumerate(pairwise(starts)):
        for place in range(start, end):
            flipped = whole[place] ^ (1 << place % 8)
            damaged.write_bytes(whole[:place] + bytes([flipped]) + whole[place + 1 :])
            damaged.chmod(0o600)
            with Journal(damaged, IDENTITY) as journal:
                held = [call.key for call in calls(4) if journal.has(call)]
                # The end of a line may be lost without any loss.
                lost = {f"a/{number - 2}"} if number >= 2 else set()
                assert {f"a/{each}" for each in range(4)} - set(held) <= lost
                assert all(journal.get(each.key) == each for each in entries(4) if each.key in held)
                for each in entries(4):
                    if each.key not in held:
                        journal.append(each)
            with Journal(damaged, IDENTITY) as journal:
                assert [journal.get(each.key) for each in entries(4)] == entries(4)


def test_every_flipped_bit_of_a_line_is_noticed(path, tmp_path):
    with Journal(path, IDENTITY) as journal:
        start = path.stat().st_size
        journal.append(reply())
        end = path.stat().st_size
        journal.append(FAILED)
    whole = path.read_bytes()
    damaged = tmp_path / "damaged"
    for place in range(start, end - 1):
        for bit in range(8):
            changed = bytes([whole[place] ^ (1 << bit)])
            damaged.write_bytes(whole[:place] + changed + whole[place + 1 :])
            with Journal(damaged, IDENTITY) as journal:
                assert journal.get("a/1") is None
                assert journal.get("a/2") == FAILED
                assert journal.damaged >= 1


def test_a_lost_end_of_a_line_loses_neither_line(path):
    with Journal(path, IDENTITY) as journal:
        for each in entries(3):
            journal.append(each)
    data = path.read_bytes()
    place = data.index(b'"a/1"')
    end = data.index(b"\n", place)
    path.write_bytes(data[:end] + b"J" + data[end + 1 :])
    with Journal(path, IDENTITY) as journal:
        assert [journal.get(each.key) for each in entries(3)] == entries(3)
        assert journal.damaged == 0


def test_damage_while_the_run_goes_on_is_found_when_it_is_read(path):
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
        path.write_bytes(path.read_bytes().replace(b'"choices"', b'"cho\x01ces"'))
        with pytest.raises(ArtifactError, match="is damaged at byte"):
            journal.get("a/1")


def old(path: Path, entry: Reply, more: str = "") -> None:
    """Write a journal as it was before lines had checksums."""
    body = entry.body.decode()
    path.write_text(
        '{"journal":"assay run","version":1,"started":5.0,"identity":{"model":"m"}}\n'
        '{"start":7.0,"servers":{}}\n'
        f'{{"key":"{entry.key}","request":"{entry.request_hash}","status":200,"error":null,'
        f'"attempts":2,"latency":0.25,"seed":1,"usage":{{"prompt_tokens":3}},"at":9.0{more},'
        f'"body":{body}}}\n'
    )


def test_a_journal_without_checksums_goes_on(path):
    old(path, reply())
    with Journal(path, {"model": "m"}) as journal:
        assert (journal.get("a/1"), journal.started, journal.seconds) == (reply(), 5.0, 2.0)
        journal.append(FAILED)
    with Journal(path, {"model": "m"}) as journal:
        assert (journal.get("a/1"), journal.get("a/2")) == (reply(), FAILED)


@pytest.mark.parametrize("more", [',"seed":2', ',"sum":"12345678"', "}"])
def test_a_line_without_a_checksum_must_be_flawless(path, more):
    old(path, reply(), more)
    with Journal(path, {"model": "m"}) as journal:
        assert (len(journal), journal.damaged) == (0, 1)


def test_a_run_that_asks_about_more_goes_on_in_its_journal(path):
    growing = {"modes", "hashes.data"}
    more = {**IDENTITY, "modes": ["cot"], "hashes": {"data": "2"}}
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
        started = journal.started
    with Journal(path, more, growing=growing) as journal:
        assert (journal.has(CALL), journal.started) == (True, started)
    with pytest.raises(UsageError, match=r"`modes` was .* and is"):
        Journal(path, IDENTITY)
    with pytest.raises(UsageError, match="`seed` was 42 and is 43"):
        Journal(path, {**more, "seed": 43}, growing=growing)
    with Journal(path, more) as journal:
        assert journal.get("a/1") == reply()


def test_a_journal_to_reuse_that_is_none_leaves_no_journal(path, tmp_path):
    (tmp_path / "text").write_text("no journal\n")
    for name in ("text", "nowhere"):
        with pytest.raises(AssayError) as error:
            Journal(path, IDENTITY, reuse=[tmp_path / name])
        assert error.value.hint == "--reuse takes the journal of another run"
    assert not path.exists()


def test_where_a_journal_cannot_be_written_its_answers_need_not_be_paid_for_again(
    path, monkeypatch
):
    with Journal(path, IDENTITY) as journal:
        journal.append(reply())
        with pytest.raises(UsageError, match="in use by another run") as error:
            Journal(path, IDENTITY)
        assert error.value.hint == f"wait for it; --reuse {path} takes over its answers elsewhere"

    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(OutputError, match="read-only file system") as error:
        Journal(path, IDENTITY)
    assert f"--reuse {path} takes over its answers elsewhere" in error.value.hint


def test_the_answers_of_another_journal_are_taken_over_but_not_its_failures(path, tmp_path):
    other = tmp_path / "other"
    refused = reply("probe/n", error="status 400", body=None)
    with Journal(other, {"model": "n"}) as journal:
        for each in (reply(), replace(FAILED, request_hash=CALL.request_hash), refused):
            journal.append(each)
    before = other.read_bytes()
    asked = [replace(CALL, key=key) for key in ("a/1", "a/2", "probe/n", "a/3")]
    with Journal(path, IDENTITY, reuse=[other, path]) as journal:
        assert [journal.has(each) for each in asked] == [True, False, True, False]
        assert journal.get("a/1") == reply()
        assert journal.spent == {}
    assert other.read_bytes() == before
    other.unlink()
    with Journal(path, IDENTITY) as journal:
        assert (journal.get("a/1"), journal.spent) == (reply(), {})


def test_what_is_reused_must_be_a_journal(path, tmp_path):
    other = tmp_path / "other"
    with pytest.raises(UsageError, match=r"cannot read .*other: no such file"):
        Journal(path, IDENTITY, reuse=[other])
    other.write_text("some text\n")
    with pytest.raises(ArtifactError, match="other is not a journal of a run"):
        Journal(path, IDENTITY, reuse=[other])


def test_tokens_are_counted_by_model_over_all_starts(path):
    used = {"prompt_tokens": 3, "completion_tokens": 2}
    for number in range(2):
        with Journal(path, IDENTITY) as journal:
            journal.append(reply(f"a/{number}", usage=used, model="m"))
            journal.append(reply(f"b/{number}", usage=None, model="n"))
    with Journal(path, IDENTITY) as journal:
        assert journal.spent == {"m": (6, 4), "n": (0, 0)}


def test_a_journal_is_for_its_owner_alone(path):
    with Journal(path, IDENTITY):
        assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)  # as a copy may be
    with Journal(path, IDENTITY):
        assert path.stat().st_mode & 0o777 == 0o600


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
        assert (len(journal), journal.has_failed("a/2"), journal.get("a/2")) == (1, False, None)
        journal.append(reply("a/2"))
    with Journal(path, IDENTITY) as journal:
        assert (journal.has_failed("a/2"), journal.get("a/2")) == (False, reply("a/2"))


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


def test_what_a_server_wrote_twice_is_no_damage(path):
    twice = reply(body=b'{"a":1,"a":2}')
    with Journal(path, IDENTITY) as journal:
        journal.append(twice)
    with Journal(path, IDENTITY) as journal:
        assert journal.get("a/1") == twice
