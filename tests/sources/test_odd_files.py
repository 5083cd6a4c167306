"""Tables as strangers write them: the right numbers or one sentence, by whichever reader."""

from __future__ import annotations

import gzip
import io
import json
import re
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay.derive.signals import State
from assay.errors import AssayError
from assay.sources import table, table_files
from assay.sources.column import joined, typed
from assay.sources.formats import json_lines
from assay.sources.table import read_table

RIGHT = ([0.5, 0.25, 1.0], [1, 0, 1])
PLAIN = b"y,p,who\n1,0.5,01\n0,0.25,02\n1,1,02\n"
LINES = b'{"y": 1, "p": 0.5}\n{"y": 0, "p": 0.25}\n{"y": 1, "p": 1}\n'


def parquet(**columns):
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


READ = {
    "semicolons.csv": b"y;p;who\n1;0,5;01\n0;0,25;02\n1;1;02\n",
    "tabs.tsv": PLAIN.replace(b",", b"\t"),
    "bars.csv": PLAIN.replace(b",", b"|"),
    "mark.csv": b"\xef\xbb\xbf" + PLAIN,
    "crlf.csv": PLAIN.replace(b"\n", b"\r\n"),
    "cr.csv": PLAIN.replace(b"\n", b"\r"),
    "both_ends.csv": PLAIN.replace(b"\n", b"\r\n", 2),
    "no_end.csv": PLAIN[:-1],
    "blanks.csv": PLAIN.replace(b",", b" , "),
    "quoted.csv": b'"y","p","who"\n"1","0.5","a"\n"0","0.25","b ""c"",\nd"\n"1","1","e"\n',
    "blank_then_quote.csv": b'"y", "p", "who"\n"1", "0.5", "a"\n"0", "0.25", "b"\n"1", "1", "c"\n',
    "exponents.csv": b"y,p\n1,5e-1\n0,.25\n1,+1E0\n",
    "spelled_whole.csv": b"y,p\n1.0,0.5\n0.0,0.25\n1.0,1.000\n",
    "commas_behind_rows.csv": b"y,p\n1,0.5,\n0,0.25,,\n1,1\n",
    "commas_everywhere.csv": PLAIN.replace(b"\n", b",\n"),
    "columns_without_name.csv": b",y,p,\n0,1,0.5,x\n1,0,0.25,x\n2,1,1,x\n",
    "empty_lines.csv": PLAIN.replace(b"\n", b"\n\n") + b"  \n",
    "packed.csv.gz": gzip.compress(PLAIN),
    "packed_without_a_name.csv": gzip.compress(PLAIN),
    "lines.jsonl": LINES,
    "lines_crlf.jsonl": b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n\r\n"),
    "lines_nested.jsonl": LINES.replace(b"}", b', "z": {"a": [1, null]}}'),
    "lines_late_key.jsonl": LINES.replace(b" 1}", b' 1, "late": true}'),
    "numbers.parquet": parquet(y=pa.array([1, 0, 1], pa.int8()), p=[0.5, 0.25, 1.0]),
    "decimals.parquet": parquet(y=[1, 0, 1], p=pa.array([*map(Decimal, ("0.5", "0.25", "1"))])),
    "codes.parquet": parquet(y=pa.array([1, 0, 1]).dictionary_encode(), p=[0.5, 0.25, 1.0]),
}
NO_NUMBER = "`p` must be a finite number, found"
REFUSED = {
    "utf16.csv": (PLAIN.decode().encode("utf-16"), "not UTF-8 text", "UTF-16"),
    "utf16_without_mark.csv": (PLAIN.decode().encode("utf-16-le"), "bytes of 0", "UTF-16"),
    "latin1.csv": (PLAIN + b"1,1,\xe9\n", "byte 0xe9 at offset 38", "Latin-1"),
    "sheet.csv": (b"PK\x03\x04\xd4" + PLAIN, "not UTF-8", "starts like a spreadsheet"),
    "columns.csv": (b"PAR1\xd4" + PLAIN, "not UTF-8", r"give it the name \.parquet"),
    "underscore.csv": (PLAIN + b"1,1_0,03\n", f"line 5: {NO_NUMBER} the text '1_0'", "fill"),
    "percent.csv": (PLAIN + b"1,50%,03\n", f"line 5: {NO_NUMBER} the text '50%'", "fill"),
    "comma.csv": (PLAIN + b'1,"0,5",03\n', f"line 5: {NO_NUMBER} the text '0,5'", "decimal commas"),
    "flag.csv": (PLAIN + b"1,true,03\n", f"line 5: {NO_NUMBER} the text 'true'", "true is not 1"),
    "short.csv": (PLAIN + b"1,1\n", "line 5: found 2 cells where the header has 3", "quotes"),
    "long.csv": (PLAIN + b"1,1,03,4\n", "line 5: found 4 cells where the header has 3", "quotes"),
    "comment.csv": (b"# made today\n" + PLAIN, "line 2: found 3 cells", "lines of comments"),
    "comments.csv": (PLAIN + b"# half\n" + PLAIN, "line 5: found 1 cell", "lines of comments"),
    "twice.csv": (b"y,p,p\n1,1,1\n", "names the column 'p' twice", "must differ"),
    "header.csv": (b"y,p,who\n", "has no rows", "the rows follow it"),
    "nothing.csv": (b"", "is empty or has no header line", "names the columns"),
    "separator_line.csv": (b"sep=;\ny;p\n1;0,5\n0;1\n1;1\n", "has no column `y`", "sep="),
    "nothing.jsonl": (b"\n", "has no rows", "needs a `y`"),
    "cut.jsonl": (LINES[:-4], "line 3 is not valid JSON", "cut short"),
    "word.jsonl": (LINES + b'{"y": 1, "p": NaN}', "line 4 holds the token NaN", "null"),
    "text.jsonl": (LINES + b'{"y": 1, "p": "1"}', f"line 4: {NO_NUMBER} the text '1'", "fill"),
    "absent.jsonl": (b"\n" + LINES + b'{"y": 1}', f"line 5: {NO_NUMBER} nothing", "fill"),
    "list.jsonl": (LINES + b'{"y": 1, "p": [1]}', f"line 4: {NO_NUMBER} an array", "fill"),
    "long_number.jsonl": (LINES + b'{"y": 1, "p": 1%s}' % (b"0" * 400), "beyond 64 bits", "fill"),
    "same_key.jsonl": (LINES + b'{"y": 1, "y": 1}', "line 4 has the key 'y' twice", "one of the"),
    "one_line.jsonl": (LINES.replace(b"\n", b" "), "line 1 is not valid JSON", "cut short"),
    "array.jsonl": (b"[%s]" % LINES.strip().replace(b"\n", b","), "got 'array'", r"jq -c '\.\[\]'"),
    "numbers.json": (b"[1, 2]", r"got 'int' - at '\$\[0\]'", "one list of JSON objects"),
    "same_key.json": (b'[{"y": 1, "p": 1}, {"y": 1, "p": 1, "p": 0}]', "the key 'p' twice", "one"),
    "absent.json": (b'[{"y": 1, "p": 1}, {"y": 1}]', f"row 1: {NO_NUMBER} nothing", "fill"),
    "no_rows.json": (b"[]", "has no rows", "needs a `y`"),
    "wide.json": (b'{"y": [1, 0], "p": [1, 0]}', "line 1: `y` must be a number or a text", "one"),
    "no_rows.parquet": (parquet(y=[], p=[]), "has no rows", "a row for each case"),
    "null.parquet": (parquet(y=[1, 1], p=[0.5, None]), f"row 1: {NO_NUMBER} null", "fill"),
}


@pytest.fixture(params=["below the size", "above it", "without the engine"])
def reader(request, monkeypatch):
    if request.param == "above it":
        monkeypatch.setattr(table_files, "LARGE", 0)
    if request.param == "without the engine":
        for module in (table, table_files):
            monkeypatch.setattr(module, "engine_is_here", lambda: False)


def numbers_of(path):
    read = read_table(str(path), numbers=["p"], names=["y"])
    read.rows("y", "p")
    codes, labels = read.codes("y")
    return read.numbers("p").tolist(), [labels[code] for code in codes]


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("name", READ)
def test_an_odd_file_has_the_numbers_of_the_plain_one(tmp_path, name):
    (tmp_path / name).write_bytes(READ[name])
    assert numbers_of(tmp_path / name) == RIGHT


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_read_is_refused_with_its_place(tmp_path, name):
    data, words, hint = REFUSED[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(AssayError, match=words) as refused:
        numbers_of(tmp_path / name)
    assert str(tmp_path / name) in str(refused.value)
    assert re.search(hint, str(refused.value.hint))


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(
    ("second", "words"),
    [
        (parquet(y=[1], p=[1.0], z=[1]), "does not have the columns of"),
        (parquet(y=[1]), "does not have the columns of"),
    ],
)
def test_parquet_files_of_one_table_have_the_same_columns(tmp_path, second, words):
    (tmp_path / "a.parquet").write_bytes(parquet(y=[1, 0], p=[0.5, 0.25]))
    (tmp_path / "b.parquet").write_bytes(second)
    with pytest.raises(AssayError, match=words):
        read_table(str(tmp_path))


def test_numbers_and_texts_in_parquet_files_of_one_table_are_refused(tmp_path):
    (tmp_path / "a.parquet").write_bytes(parquet(y=[1, 0], p=[0.5, 0.25]))
    (tmp_path / "b.parquet").write_bytes(parquet(p=["1"], y=[1.0]))
    with pytest.raises(AssayError, match=r"b\.parquet: `p` holds values of the type varchar where"):
        read_table(str(tmp_path))


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_files_of_one_table_may_order_their_columns_differently(tmp_path, kind):
    first, second = {"y": [1, 0], "p": [0.5, 0.25]}, {"p": [1.0], "y": [1]}
    for name, columns in (("a", first), ("b", second)):
        rows = "\n".join(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))
        data = f"{','.join(columns)}\n{rows}\n".encode() if kind == "csv" else parquet(**columns)
        (tmp_path / f"{name}.{kind}").write_bytes(data)
    assert numbers_of(tmp_path) == RIGHT


def test_cells_of_json_become_arrays_and_stay_what_they_are():
    parts = [[1, 2.0, 0.5], [None, True, "x", State.MISSING], [2**60, 1, -(10**400)]]
    column = joined([*map(typed, parts)])
    cells = [cell for part in parts for cell in part]
    assert [*column] == [column[row] for row in range(10)] == cells
    assert [*map(type, column)] == [*map(type, cells)]
    assert [*column.take(np.array([9, 4, 0]))] == [-(10**400), True, 1]
    assert column.signal().value[[0, 7, 9]].tolist() == [1, 2.0**60, -np.inf]


@pytest.mark.parametrize(
    ("parts", "kind"), [([[1, 2], [3]], "i"), ([[0.5], [1.5]], "f"), ([[[0, 1]], [[2, 0.5]]], "f")]
)
def test_numbers_of_json_end_up_in_plain_arrays(parts, kind):
    column = joined([*map(typed, parts)])
    assert isinstance(column, np.ndarray)
    assert (column.dtype.kind, column.tolist()) == (kind, [cell for part in parts for cell in part])


@pytest.mark.parametrize("cells", [[[0, 1], [1]], [[0, True]], [[0, "1"]], [{"a": 1}], [[], []]])
def test_other_nested_cells_stay_as_they_are(cells):
    assert joined([typed(cells), typed([1])]) == [*cells, 1]


def test_only_the_keys_that_are_asked_for_become_cells(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "PART", 40)
    path = tmp_path / "t.jsonl"
    rows = [{"y": n % 2, "p": n / 8, "text": f"t{n}"} for n in range(8)]
    path.write_text("\n".join(map(json.dumps, rows)))
    read = read_table(str(path), numbers=["p"], names=["y"])
    origin = read.columns["text"].origin
    assert (set(origin.held), origin.n_rows, read.n_rows) == ({"y", "p"}, 8, 8)
    assert read.labels("text") == [f"t{n}" for n in range(8)]
    assert read.numbers("p").tolist() == [n / 8 for n in range(8)]


@pytest.mark.parametrize("key", ["late", 'with "quotes"'])
def test_a_key_that_comes_late_or_needs_escapes_is_a_column(tmp_path, monkeypatch, key):
    monkeypatch.setattr(json_lines, "PART", 1)
    path = tmp_path / "t.jsonl"
    path.write_text('{"y": 1}\n{"y": 2}\n' + json.dumps({"y": 3, key: 4}))
    read = read_table(str(path), names=["y"])
    assert [*read.columns] == ["y", key]
    assert [*read.columns[key]] == [State.MISSING, State.MISSING, 4]
