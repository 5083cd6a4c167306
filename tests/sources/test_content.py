"""Where bytes come from: files, standard input, gzip."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay.errors import ArtifactError
from assay.sources import read_run
from tests.sources.run_files import experiment, person, run, write

RUN = json.dumps(run(experiment(person()))).encode()
CSV = b"participant,prediction,truth\n1,1,2\n"
LINES = b'{"participant": 1, "prediction": 1, "truth": 2}\n'


def parquet() -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({"participant": [1], "prediction": [1], "truth": [2]}), file)
    return file.getvalue()


CONTENTS = {"run": RUN, "csv": CSV, "jsonl": LINES, "parquet": parquet()}


class Standard(io.TextIOWrapper):
    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize("name", CONTENTS)
def test_standard_input_is_recognized_by_content(monkeypatch, name, compress):
    stored = compress(CONTENTS[name])
    monkeypatch.setattr(sys, "stdin", Standard(stored))
    source = read_run("-").source
    assert (source.path, source.format) == ("-", name)
    assert source.sha256 == hashlib.sha256(stored).hexdigest()


@pytest.mark.parametrize(
    ("suffix", "name"),
    [(".json", "run"), (".csv", "csv"), (".jsonl", "jsonl"), (".parquet", "parquet")],
)
def test_a_compressed_file_is_read_and_hashed_as_stored(tmp_path, suffix, name):
    stored = gzip.compress(CONTENTS[name])
    source = read_run(write(tmp_path, stored, f"x{suffix}.gz")).source
    assert source.format == name
    assert source.sha256 == hashlib.sha256(stored).hexdigest()


def test_a_suffix_is_read_in_any_case(tmp_path):
    assert read_run(write(tmp_path, CSV, "ITEMS.CSV")).n_rows == 1


def test_empty_standard_input_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Standard(b""))
    with pytest.raises(ArtifactError, match="- is empty or has no header line"):
        read_run("-")


@pytest.mark.parametrize("cut", [slice(0, 20), slice(0, -3), slice(0, -9)])
def test_a_corrupted_gzip_file_is_refused_in_one_sentence(tmp_path, cut):
    path = write(tmp_path, gzip.compress(RUN)[cut], "run.json.gz")
    with pytest.raises(ArtifactError, match="starts like a gzip file and cannot be decompressed"):
        read_run(path)


def test_a_changed_gzip_file_is_refused(tmp_path):
    stored = bytearray(gzip.compress(RUN))
    stored[30] ^= 0xFF
    with pytest.raises(ArtifactError, match="cannot be decompressed"):
        read_run(write(tmp_path, bytes(stored), "run.json.gz"))


@pytest.mark.parametrize(
    ("name", "message"),
    [("absent.json", "cannot be read: No such file"), ("", "holds no table")],
)
def test_a_path_that_cannot_be_read_is_refused(tmp_path, name, message):
    with pytest.raises(ArtifactError, match=message):
        read_run(tmp_path / name)


def test_a_path_no_system_can_have_is_refused():
    with pytest.raises(ArtifactError, match="cannot be read: embedded null byte"):
        read_run("a\0b.json")


def test_an_unknown_name_lists_the_formats(tmp_path):
    with pytest.raises(ArtifactError, match="has a name that tells no format") as caught:
        read_run(write(tmp_path, CSV, "items.txt"))
    assert ".csv, .tsv, .json, .jsonl, .ndjson, .npz, .npy, .parquet, each" in caught.value.hint


def test_a_path_may_be_text(tmp_path):
    assert read_run(str(write(tmp_path, CSV, "items.csv"))).n_rows == 1
