"""Documents that people write: read in their shape, or refused in one sentence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from assay.errors import ArtifactError
from assay.sources.documents import LARGEST, read_document

if TYPE_CHECKING:
    from pathlib import Path


class Note(msgspec.Struct, forbid_unknown_fields=True):
    """A shape to read into."""

    title: str
    points: dict[str, int] = {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("note.yaml", "title: x\npoints: {mild: 2}\n"),
        ("note.yml", "title: 'x'\npoints:\n  mild: 2\n"),
        ("note.json", json.dumps({"title": "x", "points": {"mild": 2}})),
    ],
)
def test_yaml_and_json_give_the_same_document(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    note, content = read_document(tmp_path / name, Note)
    assert note == Note("x", {"mild": 2})
    assert content.path == str(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("n.yaml", "title: &a x\npoints: *a\n", "line 2: references .* are not read"),
        ("n.yaml", "title: x\ntitle: y\n", "line 2: the key 'title' stands twice"),
        ("n.yaml", "? [1, 2]\n: x\n", "not valid YAML at line 1: found unhashable key"),
        ("n.yaml", "title: !!python/object/apply:os.getcwd []\n", "could not determine a constr"),
        ("n.yaml", "title: [x\n", "not valid YAML at line 2"),
        ("n.yaml", "- " * 100_000, "nested too deeply"),
        ("n.yaml", "title: 3\n", "expected 'str', got 'int' - at '\\$.title'"),
        ("n.yaml", "title: x\ncolour: red\n", "object contains unknown field 'colour'"),
        ("n.yaml", "", "expected 'object', got 'null'"),
        ("n.yaml", "title: 2020-13-45\n", "line 1: '2020-13-45' cannot be read as a date"),
        ("n.yaml", "points: " + "7" * 10_000, "'7{57}…' cannot be read as a whole number"),
        ("n.yaml", "points: 0x" + "f" * 9_000, "cannot be read as a whole number"),
        ("n.yaml", 'title: "\\ud800"\n', r"'\\ud800' cannot be read as a text"),
        ("n.yaml", '"\\udfff": x\n', r"'\\udfff' cannot be read as a text"),
        ("n.yaml", "title: !!bool x\n", "'x' cannot be read as bool"),
        ("n.yaml", "title: !!timestamp x\n", "'x' cannot be read as a date"),
        ("n.yaml", "!!map x\n", "expected a mapping node, but found scalar"),
        ("n.yaml", f"{'k' * 99}: 1\n" * 2, "line 2: the key 'k{57}…' stands twice"),
        ("n.yaml", f"{'k' * 99}: 1\n", "unknown field 'k{59}…'"),
        ("n.json", '{"title": "x", "title": "y"}', "n.json has the key 'title' twice"),
        ("n.json", "{", "n.json is not valid JSON"),
        ("n.json", "", "n.json is empty"),
        ("n.json", "[" * 100_000, "n.json is nested too deeply"),
    ],
)
def test_what_is_not_such_a_document_is_refused(
    tmp_path: Path, name: str, text: str, fault: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ArtifactError, match=fault):
        read_document(tmp_path / name, Note)


def test_no_document_is_longer_than_people_write(tmp_path: Path) -> None:
    (tmp_path / "n.yaml").write_text("#" * (LARGEST + 1))
    with pytest.raises(ArtifactError, match="more than the 5,000,000 read here") as refused:
        read_document(tmp_path / "n.yaml", Note)
    assert refused.value.hint == "as JSON it may have 50,000,000"
    (tmp_path / "n.json").write_text('{"title": "x"}' + " " * LARGEST)
    assert read_document(tmp_path / "n.json", Note)[0].title == "x"


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "n.json").write_bytes(b'{"title": "\xff"}')
    with pytest.raises(ArtifactError, match="not UTF-8 text: byte 0xff at offset 11"):
        read_document(tmp_path / "n.json", Note)
