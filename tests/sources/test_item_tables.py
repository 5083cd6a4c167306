"""Tables from frames and arrays: the same checks and the same rows as from a file."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.signals import State
from assay.errors import ColumnError, UsageError
from assay.sources import read_run
from assay.sources.items import ItemTable
from assay.sources.names import canonical_ids
from tests.item_tables import items_from_arrays, items_from_frame

DATA: dict[str, list[Any]] = {
    "participant": ["p2", "p2", "p1", "p3", "p4"],
    "item": ["b", "a", "b", "a", "a"],
    "prediction": [2.0, None, 1.5, 4.0, None],
    "truth": [1, 3, 3, None, 0],
    "confidence": [0.5, None, 0.25, 1.0, 0.0],
    "note": ["x", None, "y", "z", None],
    "group": ["g", "h", "g", "h", "g"],
    "success": [True, True, True, True, False],
}


def same(one: ItemTable, other: ItemTable) -> None:
    for field in fields(ItemTable):
        if field.name not in {"source", "signals"}:
            np.testing.assert_equal(getattr(one, field.name), getattr(other, field.name))
    assert list(one.signals) == list(other.signals)
    for name, signal in one.signals.items():
        np.testing.assert_array_equal(signal.value, other.signals[name].value)
        np.testing.assert_array_equal(signal.state, other.signals[name].state)


def as_csv(tmp_path, data: dict[str, list[Any]]) -> ItemTable:
    rows = zip(*data.values(), strict=True)
    text = [",".join("" if cell is None else str(cell) for cell in row) for row in rows]
    path = tmp_path / "items.csv"
    path.write_text("\n".join((",".join(data), *text)))
    return read_run(path)


def without_nones(data: dict[str, list[Any]]) -> dict[str, list[Any]]:
    numeric = ("prediction", "truth", "confidence")
    return data | {
        name: [np.nan if cell is None else cell for cell in data[name]] for name in numeric
    }


FRAMES = {
    "pandas": lambda data: pd.DataFrame(without_nones(data)),
    "pandas nullable": lambda data: pd.DataFrame(data).convert_dtypes(),
    "pandas object": lambda data: pd.DataFrame(data, dtype=object),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


@pytest.mark.parametrize("library", FRAMES)
def test_a_frame_of_any_library_gives_the_table_of_the_csv_file(tmp_path, library):
    table = items_from_frame(FRAMES[library](DATA))
    same(table, as_csv(tmp_path, DATA))
    assert (table.source.path, table.source.format) == ("data", "frame")
    assert table.participants == ("p1", "p2")
    assert (table.failed, table.unscored, table.n_unscored) == (("p4",), ("p3",), 1)


def test_arrays_give_the_table_of_the_frame():
    arrays = {name: DATA[name] for name in DATA if name != "note"}
    table = items_from_arrays(**arrays, signals={"note": DATA["note"]})
    expected = items_from_frame(pl.DataFrame(DATA).select(*sorted(DATA)))
    for name in ("participants", "items", "group", "failed", "unscored"):
        assert getattr(table, name) == getattr(expected, name)
    for name in ("cluster", "item", "prediction", "truth", "answered"):
        np.testing.assert_array_equal(getattr(table, name), getattr(expected, name))
    assert set(table.signals) == {"confidence", "note"}


def chunked(values: list[Any]) -> pa.ChunkedArray:
    return pa.chunked_array([values])


@pytest.mark.parametrize("make", [list, np.array, pd.Series, pl.Series, chunked])
def test_arrays_may_be_of_any_kind(make):
    table = items_from_arrays(
        participant=make([2, 1]),
        prediction=make([1.0, float("nan")]),
        truth=make([1, 2]),
        count=make([1, 3]),
        success=make([True, True]),
    )
    assert table.participants == (1, 2)
    assert table.answered.tolist() == [False, True]
    assert table.count is not None
    assert table.count.tolist() == [3, 1]


def test_numpy_scalars_in_a_list_are_numbers():
    table = items_from_arrays(
        participant=[np.int64(3)], prediction=[np.float32(1)], truth=[np.int8(2)]
    )
    assert (table.participants, table.truth.tolist()) == ((3,), [2.0])


def test_answered_hides_predictions():
    table = items_from_arrays(
        participant=[1, 1], prediction=[1, 2], truth=[1, 1], answered=[True, False]
    )
    assert table.answered.tolist() == [True, False]
    assert np.isnan(table.prediction[1])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answered": [1, 1]}, "row 1 is marked as answered and has no `prediction`"),
        ({"answered": [1]}, "`answered` has 1 row where `prediction` has 2"),
        ({"answered": [0, 2]}, "row 1: `answered` must be true or false, found 2"),
        ({"confidence": [1]}, "`confidence` has 1 row where `prediction` has 2"),
        ({"signals": {"s": [1, 2, 3]}}, "`s` has 3 rows where `prediction` has 2"),
        ({"prediction": [True, None]}, "arrays, row 0: `prediction` must be .* found true"),
        ({"prediction": [np.inf, None]}, "row 0: `prediction` must be a finite number"),
        ({"truth": [[1], [2]]}, "row 0: `truth` must be .* found an array"),
        ({"participant": [1.5, 2.0]}, "row 0: `cluster` must be a whole number"),
        (
            {"participant": [1, "b"]},
            "row 1: .* a whole number as in the rows above, found the text",
        ),
        (
            {"participant": ["a", 1]},
            "row 1: `cluster` must be a text as in the rows above, found 1",
        ),
        ({"participant": [1, 10**18]}, "row 1: `cluster` must be a whole number below"),
        ({"truth": [10**400, 2]}, "row 0: `truth` must be .* found a number beyond 64 bits"),
        (
            {"prediction": ["b", None]},
            "row 0: `prediction` must be .*, as in `truth`, found the text",
        ),
        (
            {"truth": ["b", "c"]},
            "row 0: `truth` must be .*, as in `prediction`, found the text 'b'",
        ),
        ({"truth": ["", 1]}, "row 0: `truth` must be a finite number or empty, found the text ''"),
        ({"item": ["a", "a"]}, "row 1: participant 1 has item a twice"),
        ({"count": [1, -1]}, "row 1: `count` must be a whole number above 0, found -1"),
        ({"count": [1, 10**16]}, "row 1: `count` must be at most 10.15, found 10000000000000000"),
        ({"scale": (0, 1)}, "row 1: `truth` must be from 0 to 1, found 2"),
    ],
)
def test_bad_arrays_are_refused(changes, message):
    arrays = {"participant": [1, 1], "prediction": [1, None], "truth": [1, 2]}
    with pytest.raises(ColumnError, match=message):
        items_from_arrays(**(arrays | changes))


LABELS: dict[str, list[Any]] = {
    "participant": [1, 1, 2, 2],
    "prediction": ["cat", None, "dog", "cat"],
    "truth": ["cat", "dog", "cat", None],
}


@pytest.mark.parametrize("library", ["csv", "arrays", *FRAMES])
def test_texts_are_labels_in_every_form_of_a_table(tmp_path, library):
    if library == "csv":
        table = as_csv(tmp_path, LABELS)
    elif library == "arrays":
        table = items_from_arrays(**LABELS)
    else:
        makers = FRAMES | {"pandas": pd.DataFrame}
        table = items_from_frame(makers[library](LABELS))
    names = table.labels.names
    told = [None if np.isnan(code) else names[int(code)] for code in table.prediction]
    assert told == ["cat", None, "dog"]
    assert [names[int(code)] for code in table.truth] == ["cat", "dog", "cat"]
    assert table.answered.tolist() == [True, False, True]
    assert table.n_unscored == 1


def test_a_categorical_column_holds_labels():
    column = pd.Categorical(["cat", "dog", None])
    table = items_from_frame(pd.DataFrame({"prediction": column, "truth": ["cat", "cat", "cat"]}))
    assert table.prediction.tolist()[:2] == [0.0, 1.0]
    assert table.truth.tolist() == [0.0, 0.0, 0.0]


def test_numbers_and_texts_are_never_the_same_label_and_whole_numbers_are_numbers(tmp_path):
    (tmp_path / "t.csv").write_text("prediction,truth\n2,2.0\n2.0,two\ncat, cat\n1e0,1\n")
    table = read_run(tmp_path / "t.csv")
    assert (table.prediction == table.truth).tolist() == [True, False, True, True]
    assert set(table.labels.names) == {2.0, "two", "cat", 1.0}
    mixed = items_from_arrays(prediction=["2", "cat"], truth=[2, "cat"])
    assert (mixed.prediction == mixed.truth).tolist() == [False, True]
    assert mixed.labels.found == "arrays, row 0: `prediction` is the text '2'"


def test_a_column_of_numbers_has_no_labels(tmp_path):
    (tmp_path / "t.csv").write_text("prediction,truth\n2,2.0\n,1\n")
    table = read_run(tmp_path / "t.csv")
    assert (table.labels, table.truth.tolist()) == (None, [2.0, 1.0])


def test_with_a_scale_a_text_is_no_score():
    with pytest.raises(ColumnError, match="row 0: `truth` must be a finite number") as caught:
        items_from_arrays(prediction=["cat"], truth=["cat"], scale=(0, 3))
    assert "leave `scale` out" in caught.value.hint


def test_rows_without_participants_are_independent_and_said_to_be(tmp_path):
    table = items_from_arrays(prediction=[1, None, 2], truth=[1, 0, 2], confidence=[1, 2, 3])
    assert (table.participants, table.unit) == ((0, 1, 2), "row")
    note = "no participants are named (`participant`), so rows are independent"
    assert table.notes == (f"{note}: each is its own participant, known by its place",)
    assert table.place(2) == "arrays: row 2, item 1"
    (tmp_path / "t.csv").write_text("item,prediction,truth\nq2,1,1\nq1,0,1\n")
    named = read_run(tmp_path / "t.csv")
    assert (named.participants, named.truth.tolist()) == (("q1", "q2"), [1.0, 1.0])
    assert named.notes == (f"{note}: each is its own participant, known by its item",)
    (tmp_path / "t.csv").write_text("item,prediction,truth\nq1,1,1\nq1,0,1\n")
    assert read_run(tmp_path / "t.csv").participants == (0, 1)


def test_a_repeated_item_is_allowed_with_counts():
    table = items_from_arrays(
        participant=[1, 1], item=["a", "a"], prediction=[1, 2], truth=[1, 1], count=[5, 2]
    )
    assert table.count is not None
    assert table.count.tolist() == [5, 2]


@pytest.mark.parametrize("frame", [{1, 2}, [1, 2], object()])
def test_what_is_not_a_frame_is_refused(frame):
    with pytest.raises(UsageError, match="data is not a data frame that can be read"):
        items_from_frame(frame)


def test_what_is_lazy_is_computed():
    assert (
        items_from_frame(pl.LazyFrame(DATA)).n_rows == items_from_frame(pl.DataFrame(DATA)).n_rows
    )


def test_columns_of_a_frame_may_have_other_names():
    frame = pl.DataFrame({"who": [1], "guess": [2], "gold": [3], "weight": [2], "site": ["x"]})
    names = {"participant": "who", "prediction": "guess", "truth": "gold"}
    table = items_from_frame(frame, **names, count="weight", group="site", scale=(0, 3))
    assert (table.group, table.scale, table.truth.tolist()) == (("x",), (0, 3), [3.0])
    with pytest.raises(ColumnError, match="data has no column `prediction`"):
        items_from_frame(frame)
    with pytest.raises(ColumnError, match="data has no column `person`"):
        items_from_frame(frame, **names | {"participant": "person"})


def test_nan_and_null_signals_differ_where_the_library_knows_both():
    frame = pl.DataFrame({"participant": [1], "prediction": [1], "truth": [1], "s": [np.nan]})
    assert items_from_frame(frame).signals["s"].state.tolist() == [State.NUMBER]


def test_select_keeps_participants_and_renumbers_them():
    table = items_from_arrays(
        participant=[1, 2, 2, 3],
        prediction=[1, 2, 3, None],
        truth=[1, 1, 1, 1],
        confidence=[1, 2, 3, 4],
        group=["a", "b", "c", "d"],
        count=[1, 2, 3, 4],
    )
    part = table.select({3, 2})
    assert part.participants == (2, 3)
    assert part.cluster.tolist() == [0, 0, 1]
    assert part.answered.tolist() == [True, True, False]
    assert part.signals["confidence"].value.tolist() == [2, 3, 4]
    assert part.group == ("b", "c", "d")
    assert part.count is not None
    assert part.count.tolist() == [2, 3, 4]
    same(table.select(table.participants), table)
    empty = part.select(())
    assert (empty.n_rows, empty.participants) == (0, ())
    assert empty.select(()).n_rows == 0


def test_select_refuses_a_participant_without_rows():
    table = items_from_arrays(participant=[1], prediction=[1], truth=[1])
    with pytest.raises(ColumnError, match="arrays has no rows of participant 9"):
        table.select({1, 9})


def test_a_row_is_named_by_participant_and_item():
    table = items_from_arrays(participant=[7], item=["Sleep"], prediction=[1], truth=[1])
    assert table.place(0) == "arrays: participant 7, item Sleep"


ids = st.lists(st.integers(-200, 200) | st.text("0123456789-aä", min_size=1), min_size=1)


@given(ids)
def test_ids_are_all_numbers_or_all_text(given_ids):
    made = canonical_ids(given_ids)
    assert {type(each) for each in made} in ({int}, {str})
    assert [str(each) for each in made] == [str(each) for each in given_ids]


@given(st.permutations(range(5)))
def test_the_order_of_rows_in_a_file_does_not_matter(order):
    shuffled = {name: [cells[row] for row in order] for name, cells in DATA.items()}
    same(items_from_frame(pl.DataFrame(shuffled)), items_from_frame(pl.DataFrame(DATA)))


def test_a_single_value_is_no_column() -> None:
    with pytest.raises(ColumnError, match="`truth` must hold one value per row, found 3"):
        items_from_arrays(participant=[1], prediction=[1], truth=3)


@pytest.mark.parametrize("role", ["prediction", "truth", "count"])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_true_is_no_number_in_a_frame(frame, role) -> None:
    columns = {"participant": [1, 2], "prediction": [1, 2], "truth": [1, 2], role: [True, False]}
    with pytest.raises(ColumnError, match=f"`{role}` must be .*, found true"):
        items_from_frame(frame(columns))


def test_a_signal_longer_than_a_double_is_infinite_without_a_warning() -> None:
    long = np.array(["1e4000"], dtype=np.longdouble)
    table = items_from_arrays(participant=[1], prediction=[1], truth=[1], confidence=long)
    assert table.signals["confidence"].value.tolist() == [np.inf]
