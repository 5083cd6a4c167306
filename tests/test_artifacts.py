"""Files are written whole or not at all, and the shipped schema is the one in force."""

from __future__ import annotations

import json
import os
import stat
from importlib.resources import files

import jsonschema
import pytest

import assay.files
from assay import stored
from assay.errors import OutputError
from tests.families.selective import examples


def names(folder) -> list[str]:
    return [each.name for each in folder.iterdir()]


def test_the_shipped_schema_is_current():
    """Run `python -m tests.golden.regenerate` after a change of the artifact."""
    shipped = files("assay") / "schemas" / "artifacts.schema.json"
    assert shipped.read_bytes() == stored.schema()


def test_the_schema_is_a_schema():
    schema = json.loads(stored.schema())
    assert schema["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$id"]
    jsonschema.Draft202012Validator.check_schema(schema)


def test_an_artifact_can_be_read_back_whole():
    for tables in ([examples.table()], [examples.table(), examples.table(1)]):
        data = examples.encoded(*tables)
        assert stored.encode(stored.decode(data)) == data


def test_the_text_is_strict_indented_json_with_a_final_newline():
    data = examples.encoded(examples.table(answering=0.0))
    assert data.endswith(b"}\n")
    assert b"\n " in data
    assert examples.strict(data)["kind"] == "selective"


def test_missing_folders_are_made(tmp_path):
    path = tmp_path / "new" / "folder" / "artifact.json"
    assay.files.write(b"{}\n", path)
    assert path.read_bytes() == b"{}\n"


def test_an_existing_file_is_replaced(tmp_path):
    path = tmp_path / "artifact.json"
    path.write_bytes(b"old and longer")
    assay.files.write(b"new", path)
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["artifact.json"]


def test_others_may_read_the_file_as_far_as_the_umask_lets_them(tmp_path):
    path = tmp_path / "artifact.json"
    before = os.umask(0o027)
    try:
        assay.files.write(b"{}", path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_failure_half_way_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "artifact.json"
    path.write_bytes(b"old")

    def full(place, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OutputError, match=r"cannot write .*artifact.json: no space left") as caught:
        assay.files.write(b"new", path)
    assert caught.value.hint == "choose another place"
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["artifact.json"]


def test_an_interruption_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupted(place, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt, match=r"^$"):
        assay.files.write(b"new", tmp_path / "artifact.json")
    assert names(tmp_path) == []


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "taken").write_bytes(b"")
    with pytest.raises(OutputError, match=r"cannot write .*taken/artifact.json: "):
        assay.files.write(b"{}", tmp_path / "taken" / "artifact.json")


def test_a_folder_in_place_of_the_file_is_refused(tmp_path):
    (tmp_path / "artifact.json").mkdir()
    with pytest.raises(OutputError, match=r"cannot write .*artifact.json: is a directory"):
        assay.files.write(b"{}", tmp_path / "artifact.json")
    assert names(tmp_path) == ["artifact.json"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_folder_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="permission denied"):
        assay.files.write(b"{}", tmp_path / "artifact.json")


def test_a_folder_that_cannot_be_written_to_is_refused(monkeypatch, tmp_path):
    def refused(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(OutputError, match=r"cannot write .*artifact.json: permission denied"):
        assay.files.write(b"{}", tmp_path / "artifact.json")
    assert names(tmp_path) == []


def test_what_a_killed_process_left_is_removed_and_what_is_being_written_stays(tmp_path):
    (tmp_path / ".assay-00000000.part").write_bytes(b"left")
    (tmp_path / ".assay-ffffffff.part").mkdir()
    with assay.files.waiting_file(tmp_path) as (_, place):
        (tmp_path / ".assay-zz.part").write_bytes(b"not ours")
        assay.files.sweep(tmp_path)
        assert set(names(tmp_path)) == {place.name, ".assay-zz.part"}
    assert names(tmp_path) == [".assay-zz.part"]
