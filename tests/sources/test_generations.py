"""Generations line by line: what counts, what is broken, and how much memory it takes."""

from __future__ import annotations

import gzip
import hashlib
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ArtifactError
from assay.sources import content
from assay.sources.generations import (
    BiasGeneration,
    Generation,
    StoredExtraction,
    generations,
    index_rows,
)


def written(tmp_path, *lines, name="g.jsonl", end=b"\n"):
    path = tmp_path / name
    data = [each if type(each) is bytes else json.dumps(each).encode() for each in lines]
    path.write_bytes(end.join(data) + end)
    return str(path)


def row(name=1, mode="cot", text="x", **more):
    return {"id": name, "mode": mode, "output_text": text, **more}


def test_the_last_row_of_an_id_and_mode_counts_and_the_others_are_counted(tmp_path):
    path = written(tmp_path, row(text="old"), row(mode="direct"), row(text="new"), row("1"))
    index = index_rows(path, Generation)
    assert index.lines == {("1", "cot"): 4, ("1", "direct"): 2}
    assert index.n_duplicates == 2
    found = [(name, mode, each.output_text) for name, mode, each in generations(index, Generation)]
    assert found == [("1", "direct", "x"), ("1", "cot", "x")]


def test_blank_lines_are_counted_and_windows_line_ends_and_byte_order_marks_do_no_harm(tmp_path):
    path = written(tmp_path, b"\xef\xbb\xbf" + json.dumps(row()).encode(), b"", b"  ", end=b"\r\n")
    index = index_rows(path, Generation)
    assert (index.n_lines, index.n_blank, len(index.lines)) == (3, 2, 1)


def test_the_last_line_needs_no_line_end(tmp_path):
    path = tmp_path / "g.jsonl"
    path.write_bytes(json.dumps(row()).encode())
    assert len(index_rows(str(path), Generation).lines) == 1


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"{bad", "object keys must be strings"),
        (b'{"id": 1}', "missing required field 'mode'"),
        (b'{"mode": "cot"}', "object missing required field 'id'"),
        (b'{"id": null, "mode": "cot"}', r"expected 'int | str', got 'null'"),
        (b'{"id": 1, "mode": [2]}', "expected 'bool | float | str', got 'array'"),
        (b'{"id": 1, "mode": "cot", "status": 5}', r"expected 'str | null', got 'int'"),
        (b'"text"', "expected 'object', got 'str'"),
        (
            b'{"id": 1, "mode": "cot", "output_text": "\xff"}',
            "not UTF-8 text: byte 0xff at offset 41",
        ),
        (b'{"id": 1, "mode": "cot", "loss": NaN}', "invalid"),
        (b"[" * 100_000, "."),
    ],
)
def test_a_broken_line_is_refused_with_its_number_or_skipped_and_counted(tmp_path, line, fault):
    path = written(tmp_path, row(), line, row(2))
    with pytest.raises(ArtifactError, match=rf"g.jsonl, line 2 is broken: .*{fault}") as caught:
        index_rows(path, Generation)
    assert "`skip_broken`" in caught.value.hint
    index = index_rows(path, Generation, broken="skip")
    assert (index.n_broken, index.first_broken, len(index.lines)) == (1, (2,), 2)


@pytest.mark.parametrize("lacking", ["id", "mode"])
def test_a_file_whose_first_row_calls_a_field_otherwise_names_the_fields_it_has(tmp_path, lacking):
    other = row()
    other["case"] = other.pop(lacking)
    path = written(tmp_path, other)
    with pytest.raises(ArtifactError, match=rf"line 1 has no `{lacking}`; its fields are .*case"):
        index_rows(path, Generation)
    with pytest.raises(ArtifactError, match=rf"no `{lacking}`") as caught:
        index_rows(path, Generation)
    assert f"`field` {lacking}=" in caught.value.hint


def test_of_many_broken_lines_the_first_three_are_named(tmp_path):
    index = index_rows(written(tmp_path, *[b"{"] * 5, row()), Generation, broken="skip")
    assert (index.n_broken, index.first_broken) == (5, (1, 2, 3))


def test_a_line_that_is_too_long_is_broken_and_the_next_one_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(content, "LONGEST_LINE", 100)
    path = written(tmp_path, row(), row(2, text="y" * 500), row(3))
    with pytest.raises(ArtifactError, match="line 2 is broken: it has more than 100 bytes"):
        index_rows(path, Generation)
    index = index_rows(path, Generation, broken="skip")
    assert [name for name, _ in index.lines] == ["1", "3"]
    assert index.n_lines == 3


@pytest.mark.parametrize("mode", ["COT", " cot ", "Cot"])
def test_modes_are_read_in_any_case(tmp_path, mode):
    assert index_rows(written(tmp_path, row(mode=mode)), Generation).lines == {("1", "cot"): 1}


def test_early_is_another_name_of_direct_and_unknown_modes_are_counted(tmp_path):
    modes = ("early", "cot", "vision", "vision", "a", "b", "c")
    index = index_rows(written(tmp_path, *[row(mode=each) for each in modes]), Generation)
    assert index.lines == {("1", "direct"): 1, ("1", "cot"): 2}
    assert (index.n_unknown_modes, index.first_unknown_modes) == (5, ("vision", "a", "b"))


def test_rows_for_cases_of_bias_have_no_mode(tmp_path):
    path = written(tmp_path, {"id": "b", "output_text": "x"}, {"id": "b", "mode": "cot"})
    index = index_rows(path, BiasGeneration)
    assert (index.lines, index.n_duplicates) == ({("b", ""): 2}, 1)


def test_stored_extractions_are_read(tmp_path):
    path = written(tmp_path, row(extracted_diagnosis="flu", is_refusal=True))
    ((_, _, found),) = generations(index_rows(path, StoredExtraction), StoredExtraction)
    assert (found.extracted_diagnosis, found.is_refusal) == ("flu", True)


def test_names_of_models_are_collected_up_to_two(tmp_path):
    path = written(tmp_path, *[row(n, model_name=f"m{n % 3}") for n in range(6)])
    assert index_rows(path, Generation).model_names == ("m0", "m1")


def test_gzip_is_recognized_by_its_bytes_and_the_hash_is_of_what_is_stored(tmp_path):
    path = tmp_path / "g.jsonl"
    path.write_bytes(gzip.compress(json.dumps(row()).encode() + b"\n"))
    index = index_rows(str(path), Generation)
    assert len(index.lines) == 1
    assert index.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_cut_gzip_file_is_refused(tmp_path):
    path = tmp_path / "g.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(row()).encode() * 50)[:-9])
    with pytest.raises(ArtifactError, match="cannot be read: Compressed file ended"):
        index_rows(str(path), Generation)


def test_a_file_that_changes_between_the_passes_is_refused(tmp_path):
    path = written(tmp_path, row(text="one"))
    index = index_rows(path, Generation)
    written(tmp_path, row(text="two"))
    with pytest.raises(ArtifactError, match=r"g.jsonl changed while it was read"):
        list(generations(index, Generation))
    written(tmp_path, b"{", row())
    with pytest.raises(ArtifactError, match=r"g.jsonl changed while it was read"):
        list(generations(index, Generation))


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(ArtifactError, match="'nowhere' cannot be read: No such file"):
        index_rows("nowhere", Generation)


def test_memory_is_bounded_by_the_longest_line_whatever_the_file_holds(tmp_path):
    path = tmp_path / "g.jsonl"
    line = json.dumps(row(text="y" * 100_000)).encode() + b"\n"
    path.write_bytes(line * 300)
    tracemalloc.start()
    index = index_rows(str(path), Generation)
    assert sum(len(each.output_text) for _, _, each in generations(index, Generation)) == 100_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert index.n_duplicates == 299
    assert peak < 5_000_000


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_no_bytes_raise_anything_but_our_error(tmp_path, lines):
    path = tmp_path / "fuzz.jsonl"
    path.write_bytes(b"\n".join([*lines, json.dumps(row()).encode()]))
    for kind in (Generation, StoredExtraction, BiasGeneration):
        try:
            index = index_rows(str(path), kind, broken="skip")
        except ArtifactError:
            continue
        assert len(list(generations(index, kind))) == len(index.lines)
