"""Formats are modules of one package: a reader that is put there is found everywhere."""

from __future__ import annotations

import io
import sys

import pytest

import assay
from assay.cli import main
from assay.errors import ArtifactError, UsageError
from assay.sources import formats
from assay.sources.content import Content

READER = '''
"""Tables of tagged lines: a sign, the names of the columns, then cells between bars."""

from assay.sources.column import number_or_text
from assay.sources.tabular import source_of
from assay.sources.formats import Format
from assay.sources.table import (row_place)
from assay.sources.tabular import (Table)

SIGN = b"#tagged"


def _holds(content):
    return content.data.startswith(SIGN)


def _read(content):
    _, names, *rows = [line.split("|") for line in content.data.decode().splitlines()]
    cells = {name: [number_or_text(row[n]) for row in rows] for n, name in enumerate(names)}
    return Table(cells, row_place, source_of(content, FORMAT.name))


FORMAT = Format("tagged", (".tagged",), _holds, _read)
'''
ROWS = [(1, 0.9), (0, 0.2), (1, 0.6), (0, 0.4), (1, 0.8), (1, 0.7)]
TAGGED = "#tagged\ny|confidence|prediction|truth|participant\n" + "".join(
    f"{y}|{p}|{y}|1|p{row // 2}\n" for row, (y, p) in enumerate(ROWS)
)
BRIER = sum((y - p) ** 2 for y, p in ROWS) / len(ROWS)


@pytest.fixture
def tagged(tmp_path, monkeypatch):
    """Put one module into the package of formats; give a file of that format."""
    added = tmp_path / "added"
    added.mkdir()
    (added / "tagged_lines.py").write_text(READER)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(added)])
    formats.formats.cache_clear()
    (tmp_path / "t.tagged").write_text(TAGGED)
    yield tmp_path / "t.tagged"
    formats.formats.cache_clear()
    sys.modules.pop(f"{formats.__name__}.tagged_lines", None)
    vars(formats).pop("tagged_lines", None)


def test_a_reader_is_one_module(tagged, tmp_path, monkeypatch, capsys):
    assert assay.read_table(str(tagged)).numbers("confidence").tolist() == [p for _, p in ROWS]
    keywords = {"y_true": "y", "y_prob": "confidence", "n_bins": 2, "n_resamples": 0}
    found = assay.evaluate("calibration", tagged, **keywords)
    assert found["brier"].value == pytest.approx(BRIER)
    assert found.artifact.inputs[0].format == "tagged"
    items = assay.evaluate("selective", tagged, loss="zero_one", n_resamples=0)
    assert items["failure_rate"].value == 0.0
    place = tmp_path / "a.json"
    flags = ["--y-true", "y", "--y-prob", "confidence", "--bins", "2", "--bootstrap-resamples", "0"]
    stdin = io.TextIOWrapper(io.BytesIO(tagged.read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    for source in (str(tagged), "-"):
        with pytest.raises(SystemExit, match=r"^(0|None)?$"):
            main(["calibration", source, *flags, "--output", str(place)])
        assert "brier" in capsys.readouterr().out
        assert assay.load(place).artifact.inputs[0].format == "tagged"
        assert assay.load(place)["brier"].value == found["brier"].value
    with pytest.raises(ArtifactError, match="tells no format") as caught:
        assay.read_table(str(tmp_path / "added/tagged_lines.py"))
    assert ".tagged" in caught.value.hint


def content(data: bytes, suffix: str = "") -> Content:
    return Content(f"t{suffix}" if suffix else "-", data, "", suffix)


@pytest.mark.parametrize(
    ("data", "suffix", "table", "items"),
    [
        (b'{"experiments": []}', ".json", "run", "run"),
        (b'{"experiments": []}', "", "run", "run"),
        (b'{"a": 1}\n{"a": 2}\n', ".json", "jsonl", "jsonl"),
        (b'{"a": "experiments"}\n{"a": 2}\n', "", "jsonl", "jsonl"),
        (b'{"a": 1}', "", "jsonl", "jsonl"),
        (b"{}", ".json", "jsonl", "run"),
        (b'{\n"a": 1}', ".json", "jsonl", "run"),
        (b"[1]", ".jsonl", "jsonl", "jsonl"),
        (b"[1]", ".ndjson", "jsonl", "jsonl"),
        (b"[1]", "", "json", "json"),
        (b" [{}]", ".json", "json", "json"),
        (b"", "", "csv", "csv"),
        (b"a,b\n1,2\n", "", "csv", "csv"),
        (b'{"a": 1}', ".csv", "csv", "csv"),
        (b"PAR1", "", "parquet", "parquet"),
        (b"PK\x03\x04", "", "numpy", "numpy"),
        (b"\x93NUMPY", "", "numpy", "numpy"),
    ],
)
def test_one_function_tells_formats_by_name_and_content(data, suffix, table, items):
    given = content(data, suffix)
    assert formats.format_of(given).name == table
    assert formats.format_of(given, "items").name == items


def test_a_run_is_no_table_of_columns(tmp_path):
    (tmp_path / "run.json").write_text('{"experiments": []}')
    with pytest.raises(UsageError, match="is a run file, not a table of columns"):
        assay.read_table(str(tmp_path / "run.json"))
