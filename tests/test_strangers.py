"""What people bring who never saw the code: odd values, names, spellings and declarations."""

from __future__ import annotations

import html
from datetime import time
from decimal import Decimal
from enum import StrEnum
from io import StringIO
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay
from assay.errors import ArtifactError, AssayError, ColumnError, UsageError
from assay.metrics import brier, ece

N = 24
P = np.linspace(0.05, 0.95, N)
Y = np.tile([0, 1, 1], N // 3)
NONE = {"n_resamples": 0}
OTHERS = {
    "calibration": {"y_true": Y, "y_prob": P},
    "selective": {"loss": 1.0 * Y, "confidence": P},
    "intervals": {"y": P, "low": P - 1, "up": P + 1, "level": 0.9},
    "sets": {"y": Y, "set": [[0, 1]] * N},
    "verdicts": {"truth": Y, "verdict": Y, "scale": ("0", "1")},
    "reasoning": {"truth": Y, "answer_cot": Y, "answer_early": Y},
}

# Spellings


def test_two_spellings_of_one_thing_are_refused():
    with pytest.raises(UsageError, match="`y_prob` and `y_score` are one thing"):
        assay.evaluate("calibration", y_true=Y, y_prob=P, y_score=P)
    with pytest.raises(UsageError, match="`n_bins` and `bins` are one thing"):
        assay.evaluate("calibration", y_true=Y, y_prob=P, n_bins=5, bins=6)
    with pytest.raises(UsageError, match="`level` and `ci_level` are one thing"):
        assay.estimate(brier, Y, P, ci_level=0.9, level=0.8)
    with pytest.raises(UsageError, match="`weight` and `sample_weight` are one thing"):
        brier(Y, P, weight=np.ones(N), sample_weight=P)
    with pytest.raises(UsageError, match="`y_prob` and `y_score` are one thing"):
        assay.evaluate("calibration", y_true=Y, systems={"a": {"y_prob": P, "y_score": P}})
    assert assay.evaluate("calibration", y_true=Y, y_prob=P, y_score=None, **NONE).systems


def test_the_method_of_verdicts_is_no_kind_of_error_bars():
    with pytest.raises(UsageError, match=r"`method` must be .*, found 'bca'") as caught:
        assay.evaluate("verdicts", **OTHERS["verdicts"], method="bca")
    assert caught.value.hint == "the kind of the error bars is `ci_method`"
    found = assay.evaluate("verdicts", **OTHERS["verdicts"], ci_method="bca", n_resamples=20)
    assert found.artifact.resampling.method == "bca"


def test_metrics_understand_the_roles_of_their_families():
    found = assay.estimate("interval_coverage", y=P, low=P - 1, up=P + 1, **NONE)
    assert found.value == assay.metrics.interval_coverage(y=P, low=P - 1, up=P + 1) == 1


def test_labels_are_the_classes_where_there_are_classes():
    with pytest.raises(UsageError) as caught:
        assay.evaluate("sets", **OTHERS["sets"], labels=["0", "1"])
    assert caught.value.hint == "it is called `classes` here"


# Names of systems


def test_a_system_is_found_by_its_name_as_it_is_written():
    two = {1: P, 2: P[::-1]}
    found = assay.evaluate("calibration", y_true=Y, y_prob=two, **NONE)
    assert found[1]["ece"].value == found["1"]["ece"].value
    assert (1 in found, 3 in found, found.get(3)) == (True, False, None)
    compared = assay.compare(ece, Y, two, **NONE)
    assert [*compared] == ["1", "2"]
    assert compared[2].value == compared["2"].value
    assert ("1" in compared, 3 in compared, compared.get("c")) == (True, False, None)
    assert (compared.pairs[0].left, compared.pairs[0].right) == ("1", "2")


def test_a_number_that_every_system_has_is_asked_of_one():
    found = assay.evaluate("calibration", y_true=Y, y_prob={"a": P, "b": P}, **NONE)
    with pytest.raises(UsageError, match="there is no system or number 'ece'") as caught:
        found["ece"]
    assert caught.value.hint == "each has its own, as in ['a']['ece']"
    two = np.c_[P, P]
    found = assay.evaluate("intervals", y=P, low=two - 1, up=two + 1, level=(0.8, 0.9), **NONE)
    with pytest.raises(UsageError) as caught:
        found["interval_coverage"]
    assert caught.value.hint == "each has its own, as in ['0.80']['interval_coverage']"


def test_no_sign_of_a_name_acts_on_the_terminal():
    found = assay.evaluate("calibration", y_true=Y, y_prob={"\x1b[31m": P, "b": P}, **NONE)
    for shown in (repr(found), repr(found.pairs), repr(found["\x1b[31m"])):
        assert "\x1b" not in shown


# Values


@pytest.mark.parametrize("nothing", [pd.NA, pd.NaT, None, np.nan])
def test_what_pandas_has_for_nothing_is_nothing(nothing):
    with pytest.raises(ColumnError, match="`probability` must be finite, found nan at row 0"):
        brier(Y, [nothing, *P[1:]])
    given = [nothing, *map(str, Y[1:])]
    for values in (given, np.array(given, dtype=object)):
        found = assay.evaluate("verdicts", truth=Y, verdict=values, scale=("0", "1"), **NONE)
        assert found.artifact.systems[0].variants[""].about is not None
        assert found["macro_f1"].value < 1
    with pytest.raises(ColumnError, match=r"`cluster` must be .*, found (null|NaN)"):
        assay.evaluate("calibration", y_true=Y, y_prob=P, cluster=[nothing, *map(str, Y[1:])])


@pytest.mark.parametrize("family", OTHERS)
@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA, " "])
def test_rows_without_a_group_are_a_group_in_every_family(family, nothing, tmp_path):
    group = [nothing] * 6 + ["10"] * 9 + ["9"] * 9
    found = assay.evaluate(family, **OTHERS[family], group=group, **NONE)
    again = assay.evaluate(family, **OTHERS[family], group=["z"] * 6 + group[6:], **NONE)
    assert "(none)" in found.to_html(tmp_path / "page.html").read_text()
    frame, other = found.to_frame(), again.to_frame()
    assert {*frame.group} == {*other.group.replace("z", "(none)")}
    mine, theirs = frame[frame.group == "(none)"], other[other.group == "z"]
    assert mine.value.round(12).tolist() == pytest.approx(theirs.value.round(12), nan_ok=True)


@pytest.mark.parametrize("family", OTHERS)
def test_names_of_columns_need_data(family):
    named = {role: "c" for role, each in OTHERS[family].items() if role not in {"level", "scale"}}
    chosen = {role: each for role, each in OTHERS[family].items() if role in {"level", "scale"}}
    with pytest.raises(UsageError, match="must hold one value per row, found 'c'") as caught:
        assay.evaluate(family, **named, **chosen)
    assert caught.value.hint == "names are those of columns of `data`"


def test_an_array_without_columns_states_no_probabilities():
    with pytest.raises(ColumnError, match=r"`y_prob` has the shape \(24, 0\)"):
        assay.evaluate("calibration", y_true=Y, y_prob=np.empty((N, 0)))


def test_several_verdicts_of_a_frame_are_called_as_their_columns():
    frame = pl.DataFrame({"t": Y, "a": Y, "b": Y[::-1]})
    found = assay.evaluate(
        "verdicts", data=frame, truth="t", verdict=["a", "b"], scale=("0", "1"), **NONE
    )
    assert found.systems == ["a", "b"]
    assert found["a"]["macro_f1"].value == 1 > found["b"]["macro_f1"].value


@pytest.mark.parametrize("values", [np.c_[P, P], np.c_[P, P].tolist()])
def test_selective_columns_hold_one_value_per_row(values):
    with pytest.raises(UsageError, match=r"`confidence` must hold one value per row"):
        assay.evaluate("selective", loss=1.0 * Y, confidence=np.asarray(values))
    found = assay.evaluate("selective", loss=1.0 * Y, confidence=P[:, None], **NONE)
    assert found["aurc"].value == assay.metrics.aurc(1.0 * Y, P)


@pytest.mark.parametrize("family", OTHERS)
def test_a_cluster_is_called_so_in_every_family(family):
    with pytest.raises(ColumnError, match=r"`cluster` must be a whole number .*, found true"):
        assay.evaluate(family, **OTHERS[family], cluster=np.full(N, fill_value=True))


def test_labels_of_columns_may_be_numbers_or_several_texts():
    wanted = assay.evaluate("calibration", y_true=Y, y_prob=P, **NONE)["brier"].value
    numbered = pd.DataFrame(np.c_[Y, P, P[::-1]])
    found = assay.evaluate("calibration", data=numbered, y_true=0, y_prob=1, **NONE)
    assert (found.systems, found["brier"].value) == (["1"], wanted)
    years = pd.DataFrame(np.c_[Y, P], columns=np.array([2020, 2021]))
    given = {"y_true": years.columns[0], "y_prob": years.columns[1]}
    assert assay.evaluate("calibration", data=years, **given, **NONE)["brier"].value == wanted
    two = {"a": 1, "b": 2}
    found = assay.evaluate("calibration", data=numbered, y_true=0, y_prob=two, **NONE)
    assert found["a"]["brier"].value == wanted
    levels = pd.DataFrame({("y", "x"): Y, ("p", "x"): P})
    given = {"y_true": ("y", "x"), "y_prob": ("p", "x")}
    assert assay.evaluate("calibration", data=levels, **given, **NONE)["brier"].value == wanted
    by_role = {"a": {"y_true": 0, "y_prob": 1}}
    found = assay.evaluate("calibration", data={0: Y, 1: P}, systems=by_role, **NONE)
    assert found["brier"].value == wanted


def test_a_tuple_of_lists_is_no_label_of_a_column():
    numbered = pd.DataFrame(np.c_[Y, P])
    with pytest.raises(ColumnError, match="`y_prob` has 1 row"):
        assay.evaluate("calibration", data=numbered, y_true=0, y_prob=([0.5] * N,))


def test_verdicts_without_a_truth_say_how_to_give_it():
    with pytest.raises(UsageError, match="found 0 of `ground_truth`") as caught:
        assay.evaluate("verdicts", verdict=["a", "b"], scale=("a", "b"))
    assert caught.value.hint.startswith("`ground_truth` names its file, or `truth` a column; ")


# Columns of other shapes and kinds


SPLIT = {"cluster": np.repeat(np.arange(8), 3), "group": np.tile([1, 2], 12)}
ALL_ROLES = [
    (family, role)
    for family, given in OTHERS.items()
    for role in [*given, *SPLIT]
    if role not in {"level", "scale"}
]


@pytest.mark.parametrize(("family", "role"), [each for each in ALL_ROLES if each[1] != "set"])
def test_decimals_and_an_array_of_one_column_are_columns(family, role):
    given = {**OTHERS[family], **SPLIT, **NONE}
    wanted = assay.evaluate(family, **given).to_frame()
    plain = np.asarray(given[role])
    decimals = [Decimal(repr(each)) for each in plain.tolist()]
    for other in (decimals, np.array(decimals, dtype=object), plain[:, None]):
        assert assay.evaluate(family, **{**given, role: other}).to_frame().equals(wanted)
    if family in {"verdicts", "reasoning", "sets"} and role != "score":
        texts = {**given, role: plain.astype(str)[:, None]}
        assert assay.evaluate(family, **texts).to_frame().equals(wanted)


@pytest.mark.parametrize(("family", "role"), ALL_ROLES)
@pytest.mark.parametrize("value", [np.array(1.0), pl.LazyFrame({"a": P})], ids=["0-d", "lazy"])
def test_what_has_no_rows_is_no_column(family, role, value):
    with pytest.raises(AssayError, match=f"`{role}` must hold one value per row, found"):
        assay.evaluate(family, **{**OTHERS[family], role: value})


def test_columns_that_can_be_read_only_once_are_read_once():
    assert brier(iter(Y), iter(P)) == brier(y_true=iter(Y), y_prob=iter(P)) == brier(Y, P)
    with pytest.raises(ColumnError, match="found a value of the type LazyFrame"):
        brier(Y, pl.LazyFrame({"p": P}))
    with pytest.raises(UsageError, match="found no column"):
        assay.estimate(brier, np.array(1), np.array(0.5))


class Size(StrEnum):
    SMALL = "s"
    LARGE = "l"


KINDS_OF_NAMES = {
    "bins": (pd.cut(P, 2), {"(0.0491, 0.5]", "(0.5, 0.95]"}),
    "months": (pd.period_range("2020", periods=N, freq="D").asfreq("Y"), {"2020"}),
    "ids": ([UUID(int=n % 2) for n in range(N)], {str(UUID(int=n)) for n in range(2)}),
    "times": ([time(1), time(2)] * 12, {"01:00:00", "02:00:00"}),
    "members": ([Size.SMALL, Size.LARGE] * 12, {"s", "l"}),
    "spaces": ([" a", "a "] * 12, {"a"}),
}


@pytest.mark.parametrize("family", OTHERS)
@pytest.mark.parametrize("kind", KINDS_OF_NAMES)
def test_what_looks_like_a_name_is_one_in_every_family(family, kind):
    column, names = KINDS_OF_NAMES[kind]
    given = {**OTHERS[family], "cluster": column, "group": column, **NONE}
    found = assay.evaluate(family, **given)
    assert found.artifact.resampling.n_units == len(names)
    parts = [each.parts for each in found.artifact.systems[0].variants.values()]
    strata = {each.name for part in parts for each in getattr(part, "groups", None) or ()}
    assert strata | {*found.to_frame().group} - {""} == names


@pytest.mark.parametrize("package", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_columns_of_a_frame_of_classes_name_them(package):
    classes = np.array(["x", "y", "z"])
    stated = np.random.default_rng(5).dirichlet([1, 1, 1], N)
    truth = classes[np.arange(N) % 3]
    frame = package({name: stated[:, place] for place, name in enumerate(classes)})
    other = package({name: stated[:, list(classes).index(name)] for name in "zxy"})
    wanted = assay.evaluate("calibration", y_true=truth, y_prob=stated, classes=classes, **NONE)
    for given in (frame, other):
        found = assay.evaluate("calibration", y_true=truth, y_prob=given, **NONE)
        one, two = found.to_frame(), wanted.to_frame()
        assert one.metric.tolist() == two.metric.tolist()
        assert one.value.tolist() == pytest.approx(two.value.tolist(), nan_ok=True)
    covered = package({name: stated[:, list(classes).index(name)] > 0.3 for name in "zxy"})
    flags = {"y": truth, "set": stated > 0.3, "classes": classes}
    wanted = assay.evaluate("sets", **flags, **NONE)["set_coverage"].value
    assert assay.evaluate("sets", y=truth, set=covered, **NONE)["set_coverage"].value == wanted


def test_columns_of_a_frame_may_be_classes_in_another_order():
    frame = pd.DataFrame({1: P, 0: 1 - P})
    found = assay.evaluate("calibration", y_true=Y, y_prob=frame, **NONE)
    assert found["brier"].value == brier(Y, P)
    unnamed = pd.DataFrame({"p0": 1 - P, "p1": P})
    found = assay.evaluate("calibration", y_true=Y, y_prob=unnamed, **NONE)
    assert found["brier"].value == brier(Y, P)


def test_true_and_false_are_labels_as_in_files():
    given = {"confidence": P, **NONE}
    flags = {"prediction": P > 0.5, "truth": pd.Series(Y == 1, dtype="boolean")}
    texts = {
        "prediction": np.where(P > 0.5, "true", "false"),
        "truth": np.where(Y, "true", "false"),
    }
    found = assay.evaluate("selective", **flags, **given)
    assert found.artifact.conventions["loss"] == "zero_one"
    assert found.to_frame().equals(assay.evaluate("selective", **texts, **given).to_frame())
    with pytest.raises(ColumnError, match="as in `truth`, found true") as caught:
        assay.evaluate("selective", prediction=[True] * N, truth=Y, **given)
    assert caught.value.hint == "labels are texts in both columns, or numbers in both"


@pytest.mark.parametrize("family", ["calibration", "selective", "intervals", "sets"])
@pytest.mark.parametrize("item", [object(), "\ud800", np.nan, {"a": 1}])
def test_an_item_is_a_name_that_can_be_written_down(family, item):
    with pytest.raises(ColumnError, match="`item` must be a"):
        assay.evaluate(family, **OTHERS[family], item=[item] * N, **NONE)


@pytest.mark.parametrize("group", [["a"], b"a", {"a": 1}, 1j, "\ud800"])
def test_a_group_is_a_number_or_a_text(group):
    with pytest.raises(ColumnError, match="`group` must be a number or a text"):
        assay.evaluate("selective", **OTHERS["selective"], group=[group] * N, **NONE)


def test_what_no_file_could_hold_is_no_probability():
    with pytest.raises(ColumnError, match="`y_prob` must be a finite number"):
        assay.evaluate("calibration", y_true=Y, y_prob=["\ud800"] * N)
    with pytest.raises(ColumnError) as caught:
        assay.evaluate("calibration", y_true=[10**400] * N, y_prob=P)
    assert len(caught.value.message) < 150


@pytest.mark.parametrize("role", ["participant", "cluster"])
def test_a_role_is_called_as_it_was_written(role):
    with pytest.raises(ColumnError, match=f"`{role}` must be a whole number .*, found 1.5"):
        assay.evaluate("selective", **OTHERS["selective"], **{role: [1.5] * N})


# Values that no file could take back


@pytest.mark.parametrize(
    ("family", "chosen", "said"),
    [
        ("selective", {"threshold": np.inf}, "`threshold` must be a finite number, found inf"),
        ("verdicts", {"k": 10**30}, r"`k` must be a whole number below 10\^18"),
        ("sets", {"classes": [{0, 1}]}, "`classes` must be a whole number or a text"),
        ("calibration", {"positive": 0.5}, "`positive` must be a whole number or a text"),
        ("calibration", {"classes": [0, 1]}, "`classes` names the classes of several probabil"),
    ],
)
def test_what_cannot_be_put_on_record_is_refused(family, chosen, said):
    with pytest.raises(UsageError, match=said):
        assay.evaluate(family, **OTHERS[family], **chosen, **NONE)


def test_a_flag_names_a_class_as_tables_spell_it():
    given = {"y_true": Y == 1, "y_prob": P, **NONE}
    wanted = assay.evaluate("calibration", **given, positive="true")
    for positive in (True, np.bool_(1)):
        found = assay.evaluate("calibration", **given, positive=positive)
        assert found.to_frame().equals(wanted.to_frame())


# Without packages


def test_a_notebook_shows_the_summary_where_templates_cannot_be_filled_in(monkeypatch):
    found = assay.evaluate("calibration", y_true=Y, y_prob={"<b>": P, "c": P}, **NONE)
    monkeypatch.setattr("assay.report.page.find_spec", lambda _: None)
    assert found._repr_html_() == f"<pre>{html.escape(repr(found))}</pre>"


def test_a_table_names_the_packages_it_may_come_in(monkeypatch):
    def missing(*_, **__):
        raise ModuleNotFoundError

    found = assay.evaluate("calibration", **OTHERS["calibration"], **NONE)
    monkeypatch.setattr("narwhals.from_dict", missing)
    with pytest.raises(UsageError, match="needs one of pandas, polars, pyarrow, and none"):
        found.to_frame()
    with pytest.raises(UsageError, match="needs polars, which is not installed") as caught:
        found.to_frame("polars")
    assert caught.value.hint == "pip install polars"


# Files, frames and families that are none


@pytest.mark.parametrize("family", [["calibration"], pd.DataFrame({"a": [1]}), {"a": 1}, 3])
def test_a_family_is_named(family):
    with pytest.raises(UsageError, match="there is no family"):
        assay.evaluate(family)


@pytest.mark.parametrize("path", ["", "a" * 5000])
def test_a_path_that_no_file_has_cannot_be_read(path):
    with pytest.raises(ArtifactError, match="cannot be read"):
        assay.evaluate("calibration", path, y_true="y", y_prob="p")


@pytest.mark.parametrize("paths", [[], {}])
def test_no_file_is_none(paths):
    with pytest.raises(UsageError, match="found a value of the type StringIO"):
        assay.evaluate("calibration", StringIO("y,p"), y_true="y", y_prob="p")
    with pytest.raises(UsageError, match="found no file"):
        assay.evaluate("calibration", paths, y_true="y", y_prob="p")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (pd.DataFrame(np.c_[Y, P], columns=["l", "l"]), "Expected unique column names"),
        (pd.Series(P), "it is of the type Series"),
        (np.rec.fromarrays([P], names="l"), "it is of the type recarray"),
        ([{"l": 0.5}], "it is of the type list"),
    ],
    ids=["twice", "series", "records", "list"],
)
def test_data_that_are_no_frame_are_told_in_our_words(data, said):
    with pytest.raises(UsageError, match=said) as caught:
        assay.evaluate("calibration", data=data, y_true="l", y_prob="l")
    assert "narwhals" not in str(caught.value)
    assert "a dictionary of arrays" in caught.value.hint
