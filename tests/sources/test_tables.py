from __future__ import annotations

import gzip
import io
import json
import random

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay.errors import ArtifactError, AssayError, ColumnError, UsageError
from assay.sources import read_run
from assay.sources.content import held_limit, memory_limit
from assay.sources.table import from_columns, from_frame, read_table
from assay.sources.tabular import Table, class_label
from tests.item_tables import items_from_frame

ROWS = [
    {"y": "cat", "p": 0.25, "q": 1, "who": "a"},
    {"y": "dog", "p": 0.5, "q": 0, "who": "b"},
    {"y": "cat", "p": 1.0, "q": 1, "who": "a"},
]


def saved(folder, name, data):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return str(path)


def as_csv(rows=ROWS):
    return pd.DataFrame(rows).to_csv(index=False)


def as_lines(rows=ROWS):
    return "\n".join(map(json.dumps, rows))


def as_parquet(rows=ROWS):
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def as_npz(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def columns_of(rows=ROWS):
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


FILES = {
    "t.csv": as_csv(),
    "t.jsonl": as_lines(),
    "t.ndjson": as_lines(),
    "t.json": as_lines(),
    "list.json": json.dumps(ROWS, indent=1),
    "t.parquet": as_parquet(),
    "t.npz": as_npz(**columns_of()),
}


def check_rows(table: Table) -> None:
    assert table.n_rows == table.rows("y", "p", "q", "who") == 3
    assert table.labels("y") == ["cat", "dog", "cat"]
    assert table.numbers("p").tolist() == [0.25, 0.5, 1.0]
    assert table.labels("q") == [1, 0, 1]
    cluster, clusters = table.clusters("who")
    assert cluster.tolist() == [0, 1, 0]
    assert list(clusters) == ["a", "b"]
    assert table.wide(["p", "q"]).tolist() == [[0.25, 1.0], [0.5, 0.0], [1.0, 1.0]]


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_columns(tmp_path, name):
    check_rows(read_table(saved(tmp_path, name, FILES[name])))


@pytest.mark.parametrize("name", FILES)
def test_every_format_may_be_compressed(tmp_path, name):
    data = FILES[name] if isinstance(FILES[name], bytes) else FILES[name].encode()
    check_rows(read_table(saved(tmp_path, f"{name}.gz", gzip.compress(data))))


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "list.json", "t.parquet", "t.npz"])
def test_standard_input_is_recognized_by_its_content(monkeypatch, name):
    data = FILES[name] if isinstance(FILES[name], bytes) else FILES[name].encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    check_rows(read_table("-"))


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.Table.from_pylist])
def test_a_frame_of_any_library_is_a_table(library):
    check_rows(from_frame(library(ROWS)))


def test_arrays_lists_and_series_are_columns():
    given = columns_of()
    check_rows(
        from_columns(
            y=given["y"].tolist(),
            p=pd.Series(given["p"]),
            q=pl.Series(given["q"]),
            who=given["who"],
            absent=None,
        )
    )


def test_an_npy_file_has_its_columns_under_their_numbers(tmp_path):
    buffer = io.BytesIO()
    np.save(buffer, np.array([[0.0, 0.25], [1.0, 0.75]]))
    table = read_table(saved(tmp_path, "t.npy", buffer.getvalue()))
    assert table.numbers("1").tolist() == [0.25, 0.75]
    assert table.array("array").shape == (2, 2)


def test_the_fields_of_an_npy_file_are_its_columns(tmp_path):
    buffer = io.BytesIO()
    np.save(buffer, np.array([(1, 0.5)], dtype=[("y", "i8"), ("p", "f8")]))
    assert read_table(saved(tmp_path, "t.npy", buffer.getvalue())).numbers("p").tolist() == [0.5]


@pytest.mark.parametrize(
    "values",
    [
        np.array([[0.2, 0.8], [0.5, 0.5]]),
        [[0.2, 0.8], [0.5, 0.5]],
        ["[0.2, 0.8]", "[0.5, 0.5]"],
        pl.Series([[0.2, 0.8], [0.5, 0.5]]),
        pd.Series([[0.2, 0.8], [0.5, 0.5]]),
    ],
    ids=["array", "lists", "texts", "polars", "pandas"],
)
def test_several_numbers_per_row_may_be_one_column(values):
    assert from_columns(p=values).wide(["p"]).tolist() == [[0.2, 0.8], [0.5, 0.5]]


def test_a_column_of_lists_survives_json_lines_and_parquet(tmp_path):
    rows = [{"p": [0.25, 0.75]}, {"p": [1.0, 0.0]}]
    for name, data in {"t.jsonl": as_lines(rows), "t.parquet": as_parquet(rows)}.items():
        table = read_table(saved(tmp_path, name, data))
        assert table.wide(["p"]).tolist() == [[0.25, 0.75], [1.0, 0.0]]


@pytest.mark.parametrize(
    ("cell", "label"),
    [("7", 7), (7, 7), (7.0, 7), ("7.0", 7), (" a ", "a"), ("07", "07"), (False, "false"), (0, 0)],
)
def test_a_class_is_the_same_however_it_is_spelled(cell, label):
    assert class_label(cell) == label


@pytest.mark.parametrize("cell", [None, "", "  ", 0.5, float("nan"), [1], {"a": 1}])
def test_what_is_no_class_is_none(cell):
    assert class_label(cell) is None


def test_labels_keep_words_that_mean_empty_among_numbers(tmp_path):
    table = read_table(saved(tmp_path, "t.csv", "y,p\nnone,0.5\nNA,NA\n"))
    assert table.labels("y") == ["none", "NA"]
    assert table.empty("y", words=frozenset({""})).tolist() == [False, False]
    assert table.empty("p").tolist() == [False, True]


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet"])
def test_an_empty_cell_is_found_in_every_format(tmp_path, name):
    rows = [{"y": 1, "p": 0.5}, {"y": 0, "p": None}]
    data = {"t.csv": as_csv(rows), "t.jsonl": as_lines(rows), "t.parquet": as_parquet(rows)}
    assert read_table(saved(tmp_path, name, data[name])).empty("p").tolist() == [False, True]


def test_kept_rows_are_named_by_their_place_in_the_file(tmp_path):
    table = read_table(saved(tmp_path, "t.csv", "p\n1\n\n2\nx\n"))
    kept = table.keep(np.array([False, True, True]))
    with pytest.raises(ColumnError, match=r"t\.csv, line 5: `p` must be a finite number, found"):
        kept.numbers("p")


def test_a_column_of_another_length_is_left_alone_when_rows_are_kept():
    table = from_columns(p=[0.1, 0.2, 0.3], classes=["a", "b"])
    kept = table.keep(np.array([True, False, True]))
    assert kept.numbers("p").tolist() == [0.1, 0.3]
    assert kept.labels("classes") == ["a", "b"]


def test_infinite_numbers_are_accepted_only_where_asked_for():
    table = from_columns(low=[-np.inf, 0.0])
    assert table.numbers("low", infinite=True).tolist() == [-np.inf, 0.0]
    with pytest.raises(ColumnError, match="row 0: `low` must be a finite number, found -inf"):
        table.numbers("low")


def with_flags(tmp_path, form):
    """A column `x` of true and false in some form."""
    if form == "list":
        return from_columns(x=[True, False])
    if form == "array":
        return from_columns(x=np.array([True, False]))
    if form == "frame":
        return from_frame(pd.DataFrame({"x": [True, False]}))
    if form in {"npz", "npy"}:
        save = {"npz": lambda path: np.savez(path, x=[True, False]), "npy": None}[form]
        kept = np.array([(True,), (False,)], dtype=[("x", "?")])
        (save or (lambda path: np.save(path, kept)))(tmp_path / f"t.{form}")
        return read_table(str(tmp_path / f"t.{form}"))
    if form == "parquet":
        pd.DataFrame({"x": [True, False]}).to_parquet(tmp_path / "t.parquet")
        return read_table(str(tmp_path / "t.parquet"))
    text = "x\nTrue\nfalse\n" if form == "csv" else '{"x": true}\n{"x": false}\n'
    return read_table(saved(tmp_path, f"t.{form}", text))


@pytest.mark.parametrize(
    "form", ["list", "array", "frame", "npz", "npy", "parquet", "csv", "jsonl"]
)
def test_true_is_a_flag_and_a_label_and_no_number(tmp_path, form):
    table = with_flags(tmp_path, form)
    assert table.flags(["x"]).tolist() == [[1.0], [0.0]]
    assert [str(each).lower() for each in table.labels("x")] == ["true", "false"]
    with pytest.raises(ColumnError, match=r"row 0|line [12]") as raised:
        table.numbers("x")
    assert raised.value.hint == "true is not 1 here; write the number that was measured"


@pytest.mark.parametrize(
    "cells", [[[True, 0.5]], np.array([[True, False]]), ["[true, 0.5]"]], ids=type
)
def test_true_is_no_probability_in_a_list_either(cells):
    with pytest.raises(ColumnError, match="true"):
        from_columns(p=cells).wide(["p"])


@pytest.mark.parametrize(
    ("kind", "array"),
    {
        "complex128": np.ones(2, complex),
        "|S1": np.array([b"a", b"b"]),
        "|V8": np.zeros(2, "V8"),
        "timedelta64[s]": np.zeros(2, "m8[s]"),
        "[('a', '<f8')]": np.zeros(2, [("a", "f8")]),
    }.items(),
)
def test_an_array_of_neither_numbers_nor_texts_is_refused_by_its_type(tmp_path, kind, array):
    np.savez(tmp_path / "t.npz", x=array, good=[1.0, 2.0])
    for table in (read_table(str(tmp_path / "t.npz")), from_columns(x=array)):
        for use in (table.numbers, table.labels, table.clusters, table.array, table.empty):
            with pytest.raises(ColumnError, match="`x` holds values of the type") as raised:
                use("x")
            assert kind in str(raised.value)
    assert read_table(str(tmp_path / "t.npz")).numbers("good").tolist() == [1.0, 2.0]


def test_days_are_names_and_no_numbers(tmp_path):
    np.savez(tmp_path / "t.npz", x=np.array([0, 1], "M8[D]"))
    for table in (read_table(str(tmp_path / "t.npz")), from_columns(x=np.array([0, 1], "M8[D]"))):
        assert table.clusters("x")[1] == ("1970-01-01", "1970-01-02")
        with pytest.raises(ColumnError, match="`x` must be a finite number, found the text '1970"):
            table.numbers("x")


def test_a_file_of_one_value_has_no_rows(tmp_path):
    np.save(tmp_path / "t.npy", np.float64(3))
    with pytest.raises(ArtifactError, match="holds no array with rows"):
        read_table(str(tmp_path / "t.npy"))


@pytest.mark.parametrize("value", [3, np.float64(3), "text", {"a": 1}, np.array(1)])
def test_a_single_value_is_no_column(value):
    with pytest.raises(ColumnError, match="`x` must hold one value per row, found"):
        from_columns(x=value)


def test_a_number_too_long_for_64_bits_is_infinite_without_a_warning():
    table = from_columns(x=np.array(["1e4000", "1"], dtype=np.longdouble))
    with pytest.raises(ColumnError, match="must be a finite number"):
        table.numbers("x")


def test_an_archive_that_grows_beyond_the_limit_is_refused(tmp_path):
    np.savez_compressed(tmp_path / "t.npz", x=np.zeros(1_000_000))
    pd.DataFrame({"x": np.zeros(1_000_000)}).to_parquet(tmp_path / "t.parquet")
    for name in ("t.npz", "t.parquet"):
        path = tmp_path / name
        assert path.stat().st_size < 1_000_000
        with (
            memory_limit("2MB"),
            pytest.raises(ArtifactError, match="holds more than 2 MB once decompressed"),
        ):
            read_table(str(path))


def not_utf_8() -> bytes:
    """A Parquet file whose column name is not UTF-8."""
    file = io.BytesIO()
    pd.DataFrame({"zzname": [1.0]}).to_parquet(file, compression=None)
    return file.getvalue().replace(b"zzname", b"z\xe4name")


def test_a_column_name_that_is_not_utf_8_is_refused(tmp_path):
    (tmp_path / "t.parquet").write_bytes(not_utf_8())
    for reader in (read_table, read_run):
        with pytest.raises(AssayError, match=r"t\.parquet"):
            reader(str(tmp_path / "t.parquet"))


def test_names_of_frames_are_texts_and_differ():
    assert from_frame(pd.DataFrame({0: [1.5]})).numbers("0").tolist() == [1.5]
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    for build in (from_frame, items_from_frame):
        with pytest.raises(UsageError, match="Expected unique column names"):
            build(twice)


def test_names_and_values_in_messages_are_cut_at_60_characters(tmp_path):
    header = ",".join(f"{'n' * 100}{number}" for number in range(30))
    table = read_table(saved(tmp_path, "t.csv", f"{header}\n{'v' * 200}{',1' * 29}\n"))
    with pytest.raises(ColumnError) as raised:
        table.numbers("x" * 100)
    assert str(raised.value).endswith(f"has no column `{'x' * 59}…`")
    shown = f"{'n' * 59}…"
    assert raised.value.hint == f"its columns are {', '.join([shown] * 20)} and 10 more"
    with pytest.raises(ColumnError, match=f"(?m)found the text '{'v' * 57}…'$"):
        table.numbers(f"{'n' * 100}0")


def test_without_a_cluster_column_every_row_is_its_own():
    cluster, clusters = from_columns(x=[1, 2, 3]).clusters(None)
    assert cluster.tolist() == list(clusters) == [0, 1, 2]


def test_clusters_that_are_whole_numbers_sort_as_numbers(tmp_path):
    table = read_table(saved(tmp_path, "t.csv", "who\n10\n9\n10\n"))
    cluster, clusters = table.clusters("who")
    assert (cluster.tolist(), clusters) == ([1, 0, 1], (9, 10))


REFUSED = {
    "a text among numbers": (
        "p\n0.5\nhigh\n",
        lambda table: table.numbers("p"),
        r"line 3: `p` must be a finite number, found the text 'high'",
    ),
    "an underscore": ("p\n1_0\n", lambda table: table.numbers("p"), "found the text '1_0'"),
    "an absent column": ("p\n1\n", lambda table: table.numbers("q"), "has no column `q`"),
    "an empty label": ('y\n""\n', lambda table: table.labels("y"), "line 2: `y` must be a class"),
    "a half label": ("y\n1\n", lambda _: from_columns(y=[0.5]).labels("y"), "found 0.5"),
    "an empty cluster": ('w\n""\n', lambda table: table.clusters("w"), "`w` must be a whole"),
    "no list": ("p\n0.5 0.5\n", lambda table: table.wide(["p"]), "must be a list of numbers"),
    "a list of texts": (
        'p\n"[1, ""a""]"\n',
        lambda table: table.wide(["p"]),
        "line 2: `p` holds the text 'a' in position 1, not a number",
    ),
    "ragged lists": (
        'p\n"[1, 2]"\n"[1]"\n',
        lambda table: table.wide(["p"]),
        "line 3: `p` has 1 number where others have 2",
    ),
    "a null in a list": (
        'p\n"[1, null]"\n',
        lambda table: table.wide(["p"]),
        "line 2: `p` holds NaN in position 1",
    ),
    "no rows": ("p\n", lambda table: table.rows("p"), "has no rows"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_cell_is_refused_in_one_sentence(tmp_path, case):
    text, ask, message = REFUSED[case]
    table = read_table(saved(tmp_path, "t.csv", text))
    with pytest.raises(ColumnError, match=message) as refused:
        ask(table)
    assert refused.value.hint


def test_unequal_lengths_are_refused():
    table = from_columns(y=[0, 1, 1], p=[0.5, 0.5])
    with pytest.raises(ColumnError, match="`p` has 2 rows where `y` has 3"):
        table.rows("y", "p")


def test_an_array_of_the_wrong_shape_is_refused():
    table = from_columns(p=np.zeros((2, 3)), cube=np.zeros((2, 3, 4)))
    with pytest.raises(ColumnError, match=r"`p` has the shape \(2, 3\)"):
        table.numbers("p")
    with pytest.raises(ColumnError, match=r"`cube` has the shape \(2, 3, 4\)"):
        table.wide(["cube"])


def test_a_list_is_no_label():
    with pytest.raises(ColumnError, match="must be a number or a text, found an array"):
        from_columns(y=[[1], [2]]).labels("y")


BROKEN = {
    "t.txt": (b"x", "tells no format"),
    "t.npz": (b"PK\x03\x04 no zip", r"not a readable \.npz file"),
    "t.npy": (b"\x93NUMPY", r"not a readable \.npy file"),
    "t.parquet": (b"PAR1", "not a readable Parquet file"),
    "t.csv": (b"", "is empty or has no header line"),
    "t.jsonl": (b"[1]\n", "does not have the shape it needs"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused(tmp_path, name):
    data, message = BROKEN[name]
    with pytest.raises(ArtifactError, match=message):
        read_table(saved(tmp_path, name, data))


def test_python_objects_are_not_loaded(tmp_path):
    path = tmp_path / "t.npz"
    np.savez(path, x=np.array([{}], dtype=object))
    with pytest.raises(ArtifactError, match="holds Python objects, which are not loaded"):
        read_table(str(path))


def test_a_run_file_is_no_table(tmp_path):
    path = saved(tmp_path, "run.json", '{"experiments": []}')
    with pytest.raises(UsageError, match="is a run file, not a table of columns"):
        read_table(path)


def test_what_is_no_frame_is_refused():
    with pytest.raises(UsageError, match="is not a data frame that can be read"):
        from_frame([1, 2])


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet", "t.npz", "t.npy"])
def test_a_damaged_file_is_read_or_refused_and_never_crashes(tmp_path, name):
    chance = random.Random(name)  # noqa: S311 - damage, not secrets
    buffer = io.BytesIO()
    np.save(buffer, np.array([[0.0, 0.25], [1.0, 0.75]]))
    whole = {**FILES, "t.npy": buffer.getvalue()}[name]
    for _ in range(150):
        data = bytearray(whole if isinstance(whole, bytes) else whole.encode())
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(data))
            data[place : place + chance.randint(0, 5)] = chance.choice(DAMAGE)
        path = saved(tmp_path, name, bytes(data))
        try:
            table = read_table(path)
            table.numbers("p")
            table.labels("y")
            table.clusters("who")
            table.wide(["q"])
        except AssayError:
            continue


DAMAGE = [b"nan", b"null", b"[1,2]", b"", b"1e999", b"\xff", b"{", b'"', b",", b"\n", b"\x00" * 9]


@pytest.mark.parametrize(
    ("spelled", "n_bytes"),
    [("500MB", 5 * 10**8), ("0.5 gb", 5 * 10**8), ("512M", 512 * 10**6), ("4 KiB", 4096), (7, 7)],
)
def test_a_limit_is_spelled_with_units_of_a_thousand_or_of_1024(spelled, n_bytes):
    with memory_limit(spelled):
        assert held_limit() == n_bytes
