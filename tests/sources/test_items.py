"""Plain item tables: what each format may hold, and how it is refused."""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay.derive.signals import State
from assay.errors import ArtifactError, ColumnError, UsageError
from assay.sources import TableColumns, read_run
from assay.sources.items import PHQ8_ITEMS
from tests.sources.run_files import experiment, person, run, write

CSV = """participant,item,prediction,truth,confidence,note
10,b,2,1,0.5,fine
9,a,,3,0.25,
9,b,1.5,3,,
"""


def csv(tmp_path, text: str, **columns):
    path = write(tmp_path, text.encode(), "items.csv")
    return read_run(path, columns=TableColumns(**columns))


def lines(tmp_path, text: str):
    return read_run(write(tmp_path, text.encode(), "items.jsonl"))


def test_a_csv_table_becomes_sorted_rows(tmp_path):
    table = csv(tmp_path, CSV)
    assert table.participants == (9, 10)
    assert table.items == ("a", "b")
    assert table.cluster.tolist() == [0, 0, 1]
    assert table.item.tolist() == [0, 1, 1]
    assert table.truth.tolist() == [3, 3, 1]
    assert table.answered.tolist() == [False, True, True]
    np.testing.assert_array_equal(table.prediction, [np.nan, 1.5, 2])
    assert (table.source.format, table.source.mode, table.scale) == ("csv", None, None)
    assert len(table.source.sha256) == 64


def test_all_other_columns_are_signals(tmp_path):
    signals = csv(tmp_path, CSV).signals
    assert list(signals) == ["confidence", "note"]
    np.testing.assert_array_equal(signals["confidence"].value, [0.25, np.nan, 0.5])
    assert signals["confidence"].state.tolist() == [State.NUMBER, State.NULL, State.NUMBER]
    assert signals["note"].state.tolist() == [State.NULL, State.NULL, State.OTHER]


@pytest.mark.parametrize("empty", ["", " ", "null", "NA", "n/a", "NaN", "nan", "None"])
def test_the_usual_spellings_of_empty_are_an_abstention_or_unscored(tmp_path, empty):
    text = f"participant,item,prediction,truth\n1,a,{empty},2\n1,b,1,{empty}\n"
    table = csv(tmp_path, text)
    assert table.answered.tolist() == [False]
    assert (table.n_rows, table.n_unscored, table.unscored) == (1, 1, ())


def test_a_participant_without_any_truth_is_unscored(tmp_path):
    table = csv(tmp_path, "participant,prediction,truth\n1,1,\n2,1,1\n1,2,\n")
    assert (table.participants, table.unscored, table.n_unscored) == ((2,), (1,), 2)
    assert table.cluster.tolist() == [0]


def test_nan_is_an_empty_signal_and_infinity_stays_visible(tmp_path):
    signals = csv(tmp_path, "participant,prediction,truth,s\n1,1,1,nan\n1,1,1,inf\n").signals
    np.testing.assert_array_equal(signals["s"].value, [np.nan, np.inf])
    assert signals["s"].state.tolist() == [State.NULL, State.NUMBER]


def test_rows_without_an_item_column_are_numbered_within_the_participant(tmp_path):
    table = csv(tmp_path, "participant,prediction,truth\n2,1,1\n1,2,2\n2,3,3\n")
    assert table.items == ("1", "2")
    assert table.item.tolist() == [0, 0, 1]
    assert table.truth.tolist() == [2, 1, 3]


def test_items_are_ordered_as_numbers_or_as_text_or_as_in_a_run(tmp_path):
    def items(*names: str) -> tuple[str, ...]:
        rows = "".join(f"1,{name},1,1\n" for name in names)
        return csv(tmp_path, "participant,item,prediction,truth\n" + rows).items

    assert items("10", "9") == ("9", "10")
    assert items("q10", "q9") == ("q10", "q9")
    assert items("Sleep", "NoInterest", "Moving") == ("NoInterest", "Sleep", "Moving")
    assert items("Sleep", "Mood", "Moving") == ("Mood", "Moving", "Sleep")


def test_a_run_written_as_a_table_gives_the_same_rows(tmp_path):
    whole = read_run(write(tmp_path, run(experiment(person(12), person(7)))))
    rows = [
        f"{whole.participants[whole.cluster[row]]},{whole.items[whole.item[row]]},"
        f"{'' if not whole.answered[row] else whole.prediction[row]},{whole.truth[row]}\n"
        for row in reversed(range(whole.n_rows))
    ]
    table = csv(tmp_path, "participant,item,prediction,truth\n" + "".join(rows), scale=(0, 3))
    assert (table.participants, table.items) == (whole.participants, PHQ8_ITEMS)
    for name in ("cluster", "item", "prediction", "truth", "answered"):
        np.testing.assert_array_equal(getattr(table, name), getattr(whole, name))
    assert table.scale == whole.scale


def test_count_group_and_success_are_taken_when_they_are_there(tmp_path):
    text = (
        "participant,prediction,truth,count,group,success\n"
        "1,1,1,3,old,true\n1,1,1,2,,TRUE\n2,,,,new,false\n3,1,2,1,new,1\n"
    )
    table = csv(tmp_path, text)
    assert table.count is not None
    assert table.count.tolist() == [3, 2, 1]
    assert table.group == ("old", "", "new")
    assert (table.participants, table.failed, table.n_unscored) == ((1, 3), (2,), 0)


def test_columns_may_have_other_names(tmp_path):
    text = "who,guess,gold,n,item\n1,1,2,4,x\n"
    table = csv(tmp_path, text, participant="who", prediction="guess", truth="gold", count="n")
    assert table.count is not None
    assert (table.truth.tolist(), table.count.tolist(), table.items) == ([2.0], [4.0], ("x",))


def test_a_byte_order_mark_blank_lines_and_quotes_are_read(tmp_path):
    text = '\ufeffparticipant,prediction,truth,note\r\n\r\n1,1,2,"a, ""b""\nc"\r\n\n'
    assert csv(tmp_path, text).n_rows == 1


def test_an_index_column_without_a_name_is_left_out(tmp_path):
    assert not csv(tmp_path, ",participant,prediction,truth\n0,1,1,2\n").signals


HEAD = "participant,item,prediction,truth\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "1,a,two,1\n", "items.csv, line 2: `prediction` must be a finite number or empty"),
        (HEAD + "1,a,1,x\n1,b,1,y\n", "line 2: `truth` must be .* found the text 'x'"),
        (HEAD + "1,a,inf,1\n", "`prediction` must be a finite number or empty, found inf"),
        (HEAD + "1,a,1,-Infinity\n", "`truth` must be a finite number or empty, found -inf"),
        (HEAD + "1,a,1_000,1\n", "found the text '1_000'"),
        (HEAD + "1,a,1,1\n,b,1,1\n", "line 3: `participant` must be a whole number .* or a text"),
        (HEAD + "1,a,1,1\n1,,1,1\n", "line 3: `item` must be .* found the text ''"),
        (HEAD + "1,a,1,1\n1,a,2,1\n", "line 3: participant 1 has item a twice"),
        (HEAD, "items.csv has no rows"),
        ("participant,item,prediction\n1,a,1\n", "items.csv has no column `truth`"),
        ("participant,prediction,truth,count\n1,1,1,0\n", "`count` must be a whole number above 0"),
        ("participant,prediction,truth,count\n1,1,1,1.5\n", "`count` must be .* found 1.5"),
        ("participant,prediction,truth,count\n1,1,1,\n", "`count` must be .* found null"),
        ("participant,prediction,truth,success\n1,1,1,maybe\n", "`success` must be true or false"),
        (
            "participant,prediction,truth,success\n1,1,1,true\n1,1,1,false\n",
            "`success` of participant 1 is both true and false",
        ),
    ],
)
def test_bad_cells_are_refused_by_line_and_column(tmp_path, text, message):
    with pytest.raises(ColumnError, match=message):
        csv(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "items.csv is empty or has no header line"),
        (HEAD + "1,a,1\n", "items.csv, line 2: found 3 cells where the header has 4"),
        (HEAD + "1,a,1,1,1\n", "found 5 cells where the header has 4"),
        ("a,b,a\n", "the header names the column 'a' twice"),
        (HEAD + '1,"a"b,1,1\n', "items.csv, line 2: not valid CSV"),
        (HEAD + '1,"a,1,1\n', "not valid CSV: unexpected end of data"),
        (HEAD + "1,a,1," + "1" * 200_000 + "\n", "not valid CSV: field larger than field limit"),
    ],
)
def test_what_is_not_csv_is_refused_by_line(tmp_path, text, message):
    with pytest.raises(ArtifactError, match=message):
        csv(tmp_path, text)


def test_undecodable_text_is_refused_with_its_offset(tmp_path):
    path = write(tmp_path, b"participant\nM\xfcller\n", "items.csv")
    with pytest.raises(ArtifactError, match="not UTF-8 text: byte 0xfc at offset 13"):
        read_run(path)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_another_separator_is_read_from_the_header(tmp_path, separator):
    found, usual = csv(tmp_path, CSV.replace(",", separator)), csv(tmp_path, CSV)
    assert found.prediction.tolist() == pytest.approx(usual.prediction.tolist(), nan_ok=True)
    assert (found.participants, found.items) == (usual.participants, usual.items)


def test_values_off_a_given_scale_are_refused(tmp_path):
    text = HEAD + "1,a,4,1\n"
    with pytest.raises(ColumnError, match="line 2: `prediction` must be from 0 to 3, found 4"):
        csv(tmp_path, text, scale=(0, 3))
    assert csv(tmp_path, text).n_rows == 1


@pytest.mark.parametrize("scale", [(3, 0), (1, 1), (0, float("inf"))])
def test_a_scale_needs_two_ends(scale):
    with pytest.raises(UsageError, match="two finite numbers, the lower first"):
        TableColumns(scale=scale)


@pytest.mark.parametrize("scale", [(float("nan"), 1), (0, "3"), (0, 1, 2), 3])
def test_a_scale_is_two_numbers(scale):
    with pytest.raises(UsageError, match=r"`scale` must be (a number|2 values), found"):
        TableColumns(scale=scale)


def test_a_column_has_one_role():
    with pytest.raises(UsageError, match="column 'x' is named for two different roles"):
        TableColumns(truth="x", prediction="x")


def test_a_column_asked_for_by_name_must_exist(tmp_path):
    with pytest.raises(ColumnError, match="has no column `question`") as caught:
        csv(tmp_path, CSV, item="question")
    assert "its columns are participant, item, prediction" in caught.value.hint


def test_a_column_of_participants_asked_for_by_name_must_exist(tmp_path):
    text = CSV.replace("participant,", "who,")
    with pytest.raises(ColumnError, match="has no column `person`"):
        csv(tmp_path, text, participant="person")
    assert csv(tmp_path, text, participant="who").unit == "participant"
    assert csv(tmp_path, text).unit == "row"


def test_an_item_table_has_no_modes(tmp_path):
    path = write(tmp_path, CSV.encode(), "items.csv")
    with pytest.raises(UsageError, match="is an item table and has no modes"):
        read_run(path, mode="few_shot")


def test_json_lines_keep_types_and_missing_keys(tmp_path):
    table = lines(
        tmp_path,
        '{"participant": "p", "prediction": 1, "truth": 2, "s": true}\n\n'
        '{"participant": "p", "prediction": null, "truth": 2, "s": "x"}\n'
        '  {"participant": "p", "prediction": null, "truth": null}\n'
        '{"participant": "p", "prediction": 3, "truth": 0.5, "t": 1}\n',
    )
    assert table.source.format == "jsonl"
    assert (table.items, table.n_unscored) == (("1", "2", "3", "4"), 1)
    assert table.answered.tolist() == [True, False, True]
    assert table.signals["s"].state.tolist() == [State.BOOLEAN, State.OTHER, State.MISSING]
    assert table.signals["t"].state.tolist() == [State.MISSING, State.MISSING, State.NUMBER]


def test_a_group_label_may_be_any_value(tmp_path):
    row = '{"participant": 1, "prediction": 1, "truth": 2, "group": %s}\n'
    labels = ("2", "null", '"a"')
    table = lines(
        tmp_path, "".join(row % label for label in labels) + row.replace(', "group": %s', "")
    )
    assert table.group == ("2", "", "a", "")


@pytest.mark.parametrize("name", ["items.json", "items.jsonl", "items.ndjson"])
@pytest.mark.parametrize("n_rows", [1, 2])
def test_lines_are_told_from_a_run_by_content(tmp_path, name, n_rows):
    line = b'{"participant": %d, "prediction": 1, "truth": 2}\n'
    table = read_run(write(tmp_path, b"".join(line % row for row in range(n_rows)), name))
    assert (table.source.format, table.n_rows) == ("jsonl", n_rows)
    assert read_run(write(tmp_path, run(experiment(person())), name)).source.format == "run"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"participant": 1}\n{"participant"\n', "items.jsonl, line 2 is not valid JSON"),
        ("[1]\n", "items.jsonl, line 1 does not have the shape .* 'object', got 'array'"),
        ('{"participant": 1, "truth": NaN}\n', "line 1 holds the token NaN at byte 28"),
        ('{"a": ' + "[" * 9999, "line 1 is nested too deeply"),
    ],
)
def test_a_broken_line_is_refused_by_number(tmp_path, text, message):
    with pytest.raises(ArtifactError, match=message):
        lines(tmp_path, text)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('"participant": 1, "prediction": "2", "truth": 1', "found the text '2'"),
        ('"participant": 1, "prediction": true, "truth": 1', "found true"),
        ('"participant": 1, "prediction": [], "truth": 1', "found an array"),
        ('"participant": true, "prediction": 1, "truth": 1', "`participant` must .* found true"),
        ('"participant": null, "prediction": 1, "truth": 1', "`participant` must .* found null"),
        ('"participant": 1.0, "prediction": 1, "truth": 1', "`participant` must .* found 1.0"),
        ('"participant": [], "prediction": 1, "truth": 1', "`participant` must .* found an array"),
    ],
)
def test_wrong_types_in_lines_are_refused(tmp_path, row, message):
    with pytest.raises(ColumnError, match=f"line 1: .*{message}"):
        lines(tmp_path, "{" + row + "}\n")


def test_a_key_that_only_some_lines_have_is_not_an_abstention(tmp_path):
    text = '{"participant": 1, "prediction": 1, "truth": 2}\n{"participant": 1, "truth": 2}\n'
    with pytest.raises(ColumnError, match=r"line 2: `prediction` must be .* found nothing"):
        lines(tmp_path, text)


def test_an_empty_file_of_lines_has_no_columns(tmp_path):
    with pytest.raises(ColumnError, match="has no column `prediction`"):
        lines(tmp_path, "\n\n")


def parquet(tmp_path, columns: dict[str, list[object]]):
    path = tmp_path / "items.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def test_parquet_gives_the_table_of_the_same_csv(tmp_path):
    path = parquet(
        tmp_path,
        {
            "participant": [10, 9, 9],
            "item": ["b", "a", "b"],
            "prediction": [2.0, None, 1.5],
            "truth": [1, 3, 3],
            "confidence": [0.5, 0.25, None],
            "note": ["fine", None, None],
        },
    )
    table, expected = read_run(path), csv(tmp_path, CSV)
    assert table.source.format == "parquet"
    assert (table.participants, table.items) == (expected.participants, expected.items)
    for name in ("cluster", "item", "prediction", "truth", "answered"):
        np.testing.assert_array_equal(getattr(table, name), getattr(expected, name))
    for name, signal in expected.signals.items():
        np.testing.assert_array_equal(table.signals[name].value, signal.value)
        np.testing.assert_array_equal(table.signals[name].state, signal.state)


def test_a_broken_parquet_file_is_refused(tmp_path):
    whole = parquet(tmp_path, {"participant": [1]}).read_bytes()
    with pytest.raises(ArtifactError, match=r"cut\.parquet is not a readable Parquet file"):
        read_run(write(tmp_path, whole[: len(whole) // 2], "cut.parquet"))
    with pytest.raises(ColumnError, match="has no column `prediction`"):
        read_run(tmp_path / "items.parquet")


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    path = parquet(tmp_path, {"participant": [1]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match="reading it needs pyarrow") as caught:
        read_run(path)
    assert caught.value.hint == "pip install 'assay[tables]'"
