"""The vocabulary, the only array check, and the weight that carries resamples."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.columns import COLUMNS, Resamples, Scratch, columns, length, proportion, whole
from assay.errors import ColumnError, UsageError
from tests.strategies import clusters, weight_batches

# The check


def test_columns_come_back_as_floats_in_the_order_asked_for() -> None:
    weight, answered, loss = columns(weight=None, answered=[True, False], loss=[1, 2])
    assert weight.tolist() == [1.0, 1.0]
    assert answered.tolist() == [1.0, 0.0]
    assert loss.tolist() == [1.0, 0.0]
    assert {each.dtype for each in (weight, answered, loss)} == {np.dtype(np.float64)}


FLAGS = [
    [True, False],
    np.array([True, False]),
    [True, 0.5],
    np.array([True, 0.5], dtype=object),
    [np.True_, 1.0],
]


@pytest.mark.parametrize("values", FLAGS, ids=range(5))
@pytest.mark.parametrize("name", ["loss", "confidence", "probability", "truth", "low", "n_words"])
def test_true_is_no_number_in_a_measured_column(name, values) -> None:
    with pytest.raises(ColumnError, match=f"`{name}` must hold numbers, found true or false"):
        columns(**{name: values})


@pytest.mark.parametrize("values", [[True, False], np.array([True, False]), [np.True_, 0]])
@pytest.mark.parametrize("name", ["correct", "answered", "failed", "biased"])
def test_true_is_1_in_a_column_of_flags(name, values) -> None:
    assert columns(**{name: values})[0].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("kind", ["c16", "M8[D]", "m8[s]", "V8"])
def test_an_array_that_would_be_cast_in_silence_is_refused(kind) -> None:
    with pytest.raises(ColumnError, match="`loss` must hold numbers, found values of the type"):
        columns(loss=np.zeros(2, kind))


def test_a_number_longer_than_a_double_is_infinite_without_a_warning() -> None:
    with pytest.raises(ColumnError, match="`loss` must be finite, found inf at row 0"):
        columns(loss=np.array(["1e4000"], dtype=np.longdouble))


def test_column_is_free_where_its_flag_is_off() -> None:
    loss, _ = columns(loss=[0.5, np.nan, -np.inf, -3], answered=[1, 0, 0, 0])
    assert loss.tolist() == [0.5, 0.0, 0.0, 0.0]
    with pytest.raises(ColumnError, match="`loss` must be finite, found nan at row 1"):
        columns(loss=[0.5, np.nan], answered=[1, 1])
    with pytest.raises(ColumnError, match="`loss` must be finite"):
        columns(loss=[0.5, np.nan])


def test_given_arrays_are_not_written_to() -> None:
    loss = np.array([1.0, np.nan])
    loss.setflags(write=False)
    columns(loss=loss, answered=[1, 0])
    assert np.isnan(loss[1])


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"loss": [0, -1, -2]}, "`loss` must be at least 0, found -1 at row 1 (2 of 3 values)"),
        ({"answered": [0, 2]}, "`answered` must be at most 1, found 2 at row 1 (1 of 2 values)"),
        ({"answered": [0, 0.5]}, "`answered` must be a whole number, found 0.5 at row 1"),
        ({"answered": [0, -1]}, "`answered` must be at least 0, found -1 at row 1"),
        ({"failed": [np.inf]}, "`failed` must be finite, found inf at row 0"),
        ({"weight": [1, -1], "loss": [1, 1]}, "`weight` must be at least 0, found -1 at row 1"),
        ({"weight": [[1, 1], [1, -1]], "loss": [1, 1]}, "`weight` must be at least 0, found -1"),
        ({"loss": [1, 2], "confidence": [1]}, "`confidence` has 1 row where the other columns"),
        ({"loss": [1, 2], "weight": [1] * 3}, "`weight` has 3 rows where the other columns have 2"),
        ({"loss": ["a"]}, "`loss` must hold numbers, found 'a'"),
        ({"loss": [{1}]}, "`loss` must hold numbers, found a value of the type set"),
        ({"loss": [[1], [1, 2]]}, "`loss` must hold numbers, found lists, or lists of several"),
        ({"loss": [[1], [1, 2]]}, "`loss` must hold numbers"),
        ({"loss": object()}, "`loss` must hold numbers"),
        ({"loss": [10**400]}, "`loss` must hold numbers, found a number that no double holds"),
        ({"loss": 1.0}, "`loss` must have one value per row, found 0 axes"),
        ({"loss": [[1.0, 2.0]]}, "`loss` must have one value per row, found 2 axes"),
        ({"loss": None, "confidence": [1]}, "`loss` is missing: what an answer costs"),
        ({"loss": None, "confidence": None}, "no column of `loss`, `confidence` was given"),
        ({"weight": [1, 2]}, "no column of `weight` was given"),
    ],
)
def test_bad_column_is_named_with_what_was_found(given_, message: str) -> None:
    with pytest.raises(ColumnError, match=re.escape(message)):
        columns(**given_)


def test_row_of_a_bad_weight_is_a_row_of_the_table() -> None:
    with pytest.raises(ColumnError, match=r"found -1 at row 1 \(1 of 6 values\)"):
        columns(loss=[1, 1], weight=[[1, 1], [1, 1], [1, -1]])


def test_wide_columns_have_several_values_per_row() -> None:
    probabilities, included = columns(
        probabilities=[[0.25, 0.75], [1, 0], [0.5, 0.5]], included=[[1, 0], [1, 1], [0, 0]]
    )
    assert probabilities.shape == included.shape == (3, 2)
    assert length(probabilities=probabilities) == 3


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"probabilities": [0.5, 0.5]}, "must have one value per row and class, found 1 axes"),
        ({"probabilities": [[0.5, 0.4], [1, 0]]}, "must sum to 1 in every row, found 0.9 at row 0"),
        ({"probabilities": [[1, 0], [2, -1]]}, "must be at least 0, found -1 at row 1"),
        ({"included": [[0, 1], [1, 1], [1, 2]]}, "must be at most 1, found 2 at row 2"),
        (
            {"included": [[0, 1]], "loss": [1, 2]},
            "`loss` has 2 rows where the other columns have 1",
        ),
    ],
)
def test_bad_wide_column_is_named_with_its_row(given_, message: str) -> None:
    with pytest.raises(ColumnError, match=re.escape(message)):
        columns(**given_)


def test_views_iterators_and_columns_of_lists_are_columns() -> None:
    loss, confidence = columns(loss={"a": 1, "b": 2}.values(), confidence=iter([0.5, 0.25]))
    assert (loss.tolist(), confidence.tolist()) == ([1, 2], [0.5, 0.25])
    nested = np.array([None, None], dtype=object)
    nested[:] = [[0.25, 0.75], [1.0, 0.0]]
    [probabilities] = columns(probabilities=nested)
    assert probabilities.tolist() == [[0.25, 0.75], [1, 0]]


def test_bounds_may_be_infinite_and_never_undefined() -> None:
    [low] = columns(low=[-np.inf, 0.0])
    assert low.tolist() == [-np.inf, 0.0]
    with pytest.raises(ColumnError, match="`low` must be a number, found nan at row 1"):
        columns(low=[0.0, np.nan])


def test_length_is_that_of_the_first_column_given() -> None:
    assert length(answered=None, weight=[1], loss=[1, 2, 3]) == 3
    assert length(loss=[]) == 0


def test_every_column_says_what_it_means_and_names_a_known_flag() -> None:
    for column in COLUMNS.values():
        assert column.meaning
        assert column.low < column.high
        assert column.where is None or COLUMNS[column.where].whole
        assert not (column.signal and column.default is not None)


@pytest.mark.parametrize("value", [1e-9, 0.5, 1.0])
def test_proportion_returns_what_lies_in_it(value: float) -> None:
    assert proportion("coverage", value) == value


@pytest.mark.parametrize("value", [0.0, -1.0, 1.0001, np.nan, np.inf])
def test_proportion_refuses_the_rest(value: float) -> None:
    with pytest.raises(UsageError, match="`coverage` must be above 0 and at most 1, found"):
        proportion("coverage", value)


# The carrier


def test_any_weight_is_resamples_of_rows() -> None:
    for weight, shape in (
        (None, ()),
        ([1, 2, 3], ()),
        (np.ones((4, 3)), (4,)),
        (np.ones((2, 5, 3)), (2, 5)),
        (np.ones((0, 3)), (0,)),
    ):
        found = Resamples.of(weight, n_rows=3)
        assert found.shape == shape
        assert found.rows().shape == (*shape, 3)
        np.testing.assert_array_equal(found.rows(), np.ones(3) if weight is None else weight)
        assert found.total().size == np.prod(shape, dtype=int)


def test_batch_of_weights_of_no_rows_keeps_its_shape() -> None:
    assert Resamples.of(np.ones((4, 0)), n_rows=0).rows().shape == (4, 0)
    assert Resamples.of(None, n_rows=0).total().tolist() == [0.0]


def test_carrier_passes_through_if_its_rows_fit() -> None:
    carrier = Resamples.of([1, 2], n_rows=2)
    assert Resamples.of(carrier, n_rows=2) is carrier
    loss, weight = columns(loss=[1, 1], weight=carrier)
    assert weight.tolist() == [1.0, 2.0]
    assert loss.size == 2
    with pytest.raises(ColumnError, match="`weight` has 2 rows where the columns have 3"):
        Resamples.of(carrier, n_rows=3)


@given(st.data())
def test_rows_and_totals_follow_the_counts_of_their_clusters(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 9))
    cluster = data.draw(clusters(n))
    size = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), dtype=float)
    counts = data.draw(weight_batches(int(cluster.max()) + 1))
    carrier = Resamples(counts, cluster, size, (len(counts),))
    wanted = [[row[c] * s for c, s in zip(cluster, size, strict=True)] for row in counts]
    assert carrier.rows().tolist() == wanted
    assert carrier.total().tolist() == [sum(row) for row in wanted]


def test_plans_are_made_once_per_table_and_curves_once_per_block() -> None:
    made: list[str] = []

    def build(column, resamples: Resamples) -> int:
        made.append("built")
        return len(made)

    column = [1.0]
    carrier = Resamples.of(None, n_rows=1)
    other = carrier.block(np.ones((2, 1)), Scratch())
    assert carrier.plan(build, column) == other.plan(build, column) == 1
    assert carrier.curve(build, column) == carrier.curve(build, column) == 2
    assert other.curve(build, column) == 3
    assert carrier.plan(build, [1.0]) == 4
    assert other.shape == (2,)


def test_columns_that_a_plan_was_made_of_stay_alive() -> None:
    carrier = Resamples.of(None, n_rows=1)
    found = [carrier.plan(lambda column, _: column[0], [number]) for number in range(50)]
    assert found == list(range(50))

    def first(column, _: Resamples) -> int:
        return column[0]

    assert [carrier.plan(first, [number]) for number in range(50)] == list(range(50))


def test_scratch_hands_out_apart_and_reuses_after_it_is_emptied() -> None:
    scratch = Scratch()
    one, other = scratch.take((2, 3)), scratch.take((4,))
    one[:], other[:] = 1.0, 2.0
    assert one.shape == (2, 3)
    assert (one == 1.0).all()
    scratch.empty()
    again, larger = scratch.take((3, 2)), scratch.take((9, 9))
    assert np.shares_memory(again, one)
    assert larger.shape == (9, 9)
    assert scratch.take((0, 5)).shape == (0, 5)


def test_whole_refuses_fractions_in_counts_and_in_sizes() -> None:
    whole(Resamples.of([1, 2], n_rows=2), "the step reading")
    for weight in (
        Resamples.of([1, 0.25], n_rows=2),
        Resamples(np.ones((1, 1)), np.zeros(2, dtype=int), np.array([1.0, 0.25]), ()),
    ):
        message = "`weight` must be whole numbers for the step reading, found 0.25"
        with pytest.raises(ColumnError, match=message) as caught:
            whole(weight, "the step reading")
        assert "copies" in caught.value.hint


def test_losses_whose_sums_are_beyond_a_double_are_refused():
    with pytest.raises(
        ColumnError, match=r"`loss` must be at most 1e\+290, found 1e\+308 at row 1"
    ):
        columns(loss=[0, 1e308])
