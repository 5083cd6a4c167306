"""Which models there are, and names of any signs that must not lead anywhere."""

from __future__ import annotations

import pytest

from assay.errors import ArtifactError, UsageError
from assay.showing import file_name
from assay.sources.generation_files import GENERATIONS, ModelFile, check_distinct, find_files, named


def made(root, *paths):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(b"")
    return str(root)


def names(found):
    return [each.name for each in found]


def test_a_folder_of_model_folders_gives_every_model_in_order(tmp_path):
    root = made(tmp_path, f"b/{GENERATIONS}", f"a/{GENERATIONS}.gz", ".git/x", "notes.txt")
    found = find_files([root], GENERATIONS)
    assert names(found) == ["a", "b"]
    assert all(each.sure for each in found)


def test_a_model_folder_or_its_file_gives_one_model(tmp_path):
    made(tmp_path, f"a/{GENERATIONS}")
    for path in (tmp_path / "a", tmp_path / "a" / GENERATIONS):
        assert names(find_files([str(path)], GENERATIONS)) == ["a"]


def test_files_of_other_names_are_models_named_by_their_rows_else_by_the_file(tmp_path):
    root = made(tmp_path, "b.jsonl", "a.jsonl.gz", "readme.md")
    found = find_files([root], GENERATIONS)
    assert [(each.name, each.sure) for each in found] == [("a", False), ("b", False)]
    assert named(found[0], ()) == "a"
    assert named(found[0], ("stated",)) == "stated"
    with pytest.raises(ArtifactError, match="several models, 'one' and 'two' among them"):
        named(found[0], ("one", "two"))


def test_a_folder_names_its_model_whatever_rows_say():
    assert named(ModelFile("x", "folder", sure=True), ("one", "two")) == "folder"


def test_a_model_folder_without_its_file_is_refused(tmp_path):
    root = made(tmp_path, f"a/{GENERATIONS}", "empty/readme.md")
    with pytest.raises(ArtifactError, match=rf"model folder .*empty holds no {GENERATIONS}") as e:
        find_files([root], GENERATIONS)
    assert e.value.hint == "remove it, or name the files to read one by one"


def test_a_folder_with_nothing_to_read_and_no_folder_at_all_are_refused(tmp_path):
    with pytest.raises(ArtifactError, match="holds neither model folders nor"):
        find_files([str(tmp_path)], GENERATIONS)
    with pytest.raises(UsageError, match="no generations were given"):
        find_files([], GENERATIONS)


def test_a_folder_that_cannot_be_looked_into_is_refused(tmp_path, monkeypatch):
    def closed(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(tmp_path), "iterdir", closed)
    with pytest.raises(ArtifactError, match="cannot be read: Permission denied"):
        find_files([str(tmp_path)], GENERATIONS)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "is empty"),
        (" a", "white space around it"),
        ("a\nb", "control character"),
        ("a\x1b[31m", "control character"),
        ("\ud800", "control character"),
        ("all_models", "stands for all models together"),
        ("Study_A_Bias", "stands for all models together"),
    ],
)
def test_a_name_that_is_none_is_refused(name, fault):
    with pytest.raises(ArtifactError, match=fault):
        named(ModelFile("f.jsonl", name, sure=True), ())
    with pytest.raises(ArtifactError, match=fault):
        named(ModelFile("f.jsonl", "fine", sure=False), (name,))


@pytest.mark.parametrize(
    "name",
    [
        *("qwq-32b", "model.v2", "模型", "a b", "deepseek_r1(lmstudio)", "50%"),
        *("meta-llama/Llama-3-8B", "llama3:8b", ".hidden", "..", "a\\b", "CON", "x" * 300),
    ],
)
def test_ordinary_names_are_taken_as_they_are_and_found_again_in_their_folder(name):
    assert named(ModelFile("f.jsonl", "file", sure=False), (name,)) == name
    assert named(ModelFile("f.jsonl", file_name(name), sure=True), (name,)) == name


def test_an_encoded_folder_gives_the_name_back_where_rows_state_none():
    assert (
        named(ModelFile("x", "meta-llama%2FLlama-3-8B", sure=True), ()) == "meta-llama/Llama-3-8B"
    )
    assert named(ModelFile("x", "100%25", sure=True), ()) == "100%"
    assert named(ModelFile("x", "not%2", sure=True), ()) == "not%2"
    assert named(ModelFile("x", "%41", sure=True), ()) == "%41"


def test_two_files_of_one_model_are_refused_even_if_only_case_tells_them_apart():
    check_distinct([("a", "1"), ("b", "2")])
    with pytest.raises(UsageError, match="1 and 2 are both of the model 'A'"):
        check_distinct([("a", "1"), ("A", "2")])
