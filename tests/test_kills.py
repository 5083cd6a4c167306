"""What a killed command leaves: nothing torn, nothing stray, and the same command goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from assay import files
from assay.cli import writing as command_places
from assay.errors import OutputError
from assay.surroundings import now
from tests import kills
from tests.produce.model_server import ModelServer

ONE_OF_EACH_KIND = (
    "stamped",
    "verdicts",
    "report",
    "reasoning",
    "reasoning after extract",
    "bias",
    "items",
    "generations",
)
"""ways to write: a file under its time, two, a new folder, into an old one, beside a journal"""


def wrong(most: int, *names: str) -> dict[str, list[str]]:
    with ModelServer() as server:
        command = [sys.executable, "-m", "tests.kills", server.base_url, str(most), *names]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_killed_before_some_file_operations_every_command_leaves_all_or_nothing_and_goes_on():
    assert wrong(2, *ONE_OF_EACH_KIND) == {name: [] for name in ONE_OF_EACH_KIND}


@pytest.mark.slow
def test_killed_before_any_file_operation_every_command_leaves_all_or_nothing_and_goes_on():
    assert wrong(1000) == {name: [] for name in kills.CASES}


def test_what_a_killed_process_left_is_removed_and_what_another_still_writes_is_not(tmp_path):
    (tmp_path / ".assay-0123abcd.part").write_text("half")
    (tmp_path / ".assay-89abcdef.part" / "a").mkdir(parents=True)
    (tmp_path / ".assay-settings").write_text("somebody's")
    with files.waiting_file(tmp_path) as (_, one), files.waiting_folder(tmp_path) as two:
        files.write(b"whole", tmp_path / "a")
        assert {*tmp_path.iterdir()} == {
            one,
            two,
            *map(tmp_path.joinpath, ("a", ".assay-settings")),
        }
    assert sorted(each.name for each in tmp_path.iterdir()) == [".assay-settings", "a"]


def test_a_file_system_without_locks_and_links_is_written_to_as_well(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(files.fcntl, "flock", refuse)
    monkeypatch.setattr(os, "link", refuse)
    (tmp_path / ".assay-0123abcd.part").write_text("of somebody who may still live")
    assert files.write_new(b"1", tmp_path / "a")
    assert not files.write_new(b"2", tmp_path / "a")
    assert sorted(each.name for each in tmp_path.iterdir()) == [".assay-0123abcd.part", "a"]


def test_stamped_files_never_replace_one_another_and_a_link_is_written_through(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    moment = now()
    places = [command_places.write_stamped(b"%d" % n, moment, family="selective") for n in range(3)]
    assert [place.read_bytes() for place in places] == [b"0", b"1", b"2"]
    (tmp_path / "link").symlink_to("target")
    files.write(b"through", tmp_path / "link")
    assert (tmp_path / "target").read_bytes() == b"through"
    with pytest.raises(OutputError, match=r"cannot write .*: file exists"):
        files.write(b"", tmp_path / "target" / "below")
