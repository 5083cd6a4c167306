from __future__ import annotations

import re

import numpy as np
import pytest

from assay.derive.sets import (
    class_order,
    included_classes,
    included_flags,
    label_codes,
    label_text,
    listed_labels,
)
from assay.errors import ColumnError, UsageError


def place(row):
    return f"t.csv, line {row + 2}"


ASK = {"name": "s", "place": place}


@pytest.mark.parametrize(
    ("label", "text"),
    [(1, "1"), (1.0, "1"), ("1", "1"), (" b ", "b"), (0.5, "0.5"), (-2.0, "-2"), (True, "true")],
)
def test_a_class_is_the_same_however_it_is_spelled(label, text):
    assert label_text(label) == text


def test_classes_are_ordered_as_numbers_or_else_as_texts():
    assert class_order(["10", "-1", "9"]) == ("-1", "9", "10")
    assert class_order(["10", "b", "9"]) == ("10", "9", "b")


def test_labels_become_the_place_of_their_class():
    assert label_codes(["b", "a", "b"], ("a", "b", "c"), **ASK).tolist() == [1, 0, 1]


def test_a_label_outside_the_classes_is_refused_with_its_place_and_how_many_there_are():
    message = "t.csv, line 3: `s` holds 'x', which is not one of the classes (2 such rows)"
    with pytest.raises(ColumnError, match=re.escape(message)) as caught:
        label_codes(["a", "x", "y"], ("a", "b"), **ASK)
    assert caught.value.hint == "the classes are a, b; `classes` names them in their order"


def test_of_many_classes_only_some_are_named():
    with pytest.raises(ColumnError, match="which is not one of the classes") as caught:
        label_codes(["x"], [str(each) for each in range(100)], **ASK)
    assert "6, 7 and 92 more;" in str(caught.value.hint)


def test_a_negative_class_does_not_count_from_the_end():
    with pytest.raises(ColumnError, match="holds '-1', which is not one of the classes"):
        label_codes([-1], ("0", "1"), **ASK)


def test_lists_arrays_json_texts_and_sets_are_sets():
    cells = [["a"], ("b",), np.array(["a", "b"]), '["a", 1]', "[]", {"b", "a"}, frozenset()]
    lists = [["a"], ["b"], ["a", "b"], ["a", 1], [], ["a", "b"], []]
    assert listed_labels(cells, **ASK) == lists


@pytest.mark.parametrize(
    "cell", ["a;b", "", None, 1.0, "{}", "3", "[1", "[" * 100_000, ["a", None], [["a"]]]
)
def test_what_is_no_list_is_refused_with_its_place(cell):
    message = "t.csv, line 3: `s` must be a list of labels, found"
    with pytest.raises(ColumnError, match=re.escape(message)) as caught:
        listed_labels([[], cell], **ASK)
    assert "JSON list" in str(caught.value.hint)
    assert len(caught.value.message) < 200


def test_lists_of_labels_become_flags_in_the_order_of_the_classes():
    found = included_classes([["b"], [], ["a", "c", "a"]], ("c", "b", "a"), **ASK)
    assert found.tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 1]]


def test_a_listed_label_outside_the_classes_is_refused_with_its_place():
    message = "t.csv, line 2: `s` holds 'x', which is not one of the classes"
    with pytest.raises(ColumnError, match=re.escape(message)):
        included_classes([["a", "x"]], ("a", "b"), **ASK)


def test_flags_of_three_axes_are_taken_apart_by_level():
    flags = np.array([[[True, False], [False, True]], [[True, True], [True, False]]])
    first, second = included_flags(flags, **ASK)
    assert first.tolist() == [[1, 0], [1, 1]]
    assert second.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("found", [0.5, 2.0, np.nan])
def test_a_flag_that_is_neither_true_nor_false_is_refused(found):
    message = f"t.csv, line 3: `s` must be true or false, found {found:g}"
    with pytest.raises(ColumnError, match=re.escape(message)):
        included_flags(np.array([[1.0, 0.0], [1.0, found]]), **ASK)


@pytest.mark.parametrize("shape", [(3,), (2, 0), (1, 1, 1, 1)])
def test_flags_of_other_shapes_are_refused(shape):
    with pytest.raises(UsageError, match=re.escape(f"found {shape}")):
        included_flags(np.zeros(shape), **ASK)
