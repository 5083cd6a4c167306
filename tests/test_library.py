"""What Python users call: the same numbers from arrays, frames and files, whatever they give."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from assay.errors import ColumnError, UsageError
from assay.library import evaluate, finish, load, unit_table
from assay.metrics import brier
from assay.sources.table import from_columns

ROWS = 40
RANDOM = np.random.default_rng(7)
TRUTH = RANDOM.normal(size=ROWS)
COLUMNS = {
    "y": TRUTH,
    "low": TRUTH - RANDOM.normal(1, 1, ROWS).clip(0.1) + 0.3,
    "up": TRUTH + RANDOM.normal(1, 1, ROWS).clip(0.1) + 0.4,
    "wide": TRUTH + 3,
    "who": np.arange(ROWS) // 4,
    "sex": np.array(["f", "m"])[np.arange(ROWS) % 2],
}
FRAMES = {
    "pandas": pd.DataFrame(COLUMNS),
    "polars": pl.DataFrame(COLUMNS),
    "pyarrow": pa.table(COLUMNS),
    "table": from_columns(**COLUMNS),
}
CHOSEN = {"level": 0.8, "n_resamples": 50}
ROLES = {"y": "y", "low": "low", "up": "up", "cluster": "who", "group": "sex"}


def arrays(**roles):
    return {role: COLUMNS[name] for role, name in roles.items()}


@pytest.fixture(scope="module")
def from_arrays():
    return evaluate("intervals", **arrays(**ROLES), **CHOSEN)


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_gives_what_arrays_give(frame, from_arrays):
    found = evaluate("intervals", data=FRAMES[frame], **ROLES, **CHOSEN)
    assert (
        found.to_frame()
        .drop(columns="system")
        .equals(from_arrays.to_frame().drop(columns="system"))
    )


def test_a_file_gives_what_arrays_give(tmp_path, from_arrays):
    path = tmp_path / "claims.csv"
    pd.DataFrame(COLUMNS).to_csv(path, index=False)
    found = evaluate("intervals", path, **ROLES, **CHOSEN)
    assert found.systems == ["claims.csv"]
    low, high = from_arrays["interval_coverage"].low, from_arrays["interval_coverage"].high
    assert (found["interval_coverage"].low, found["interval_coverage"].high) == (low, high)


@pytest.mark.parametrize("given", ["roles", "systems", "data", "data systems", "file"])
def test_several_systems_are_a_mapping_everywhere(given, tmp_path):
    shared = {"y": "y", "low": "low"}
    ups = {"narrow": "up", "wide": "wide"}
    frame = FRAMES["pandas"]
    path = tmp_path / "claims.csv"
    frame.to_csv(path, index=False)
    calls = {
        "roles": lambda: evaluate(
            "intervals",
            **arrays(**shared),
            up={name: COLUMNS[up] for name, up in ups.items()},
            **CHOSEN,
        ),
        "systems": lambda: evaluate(
            "intervals",
            y=TRUTH,
            systems={n: {"low": COLUMNS["low"], "up": COLUMNS[up]} for n, up in ups.items()},
            **CHOSEN,
        ),
        "data": lambda: evaluate("intervals", data=frame, **shared, up=ups, **CHOSEN),
        "data systems": lambda: evaluate(
            "intervals",
            data=frame,
            y="y",
            systems={n: {"low": "low", "up": up} for n, up in ups.items()},
            **CHOSEN,
        ),
        "file": lambda: evaluate("intervals", str(path), **shared, up=ups, **CHOSEN),
    }
    found = calls[given]()
    assert found.systems == ["narrow", "wide"]
    widths = [found[name]["interval_width"].value for name in found.systems]
    assert widths[0] < widths[1]
    (pair,) = found.pairs
    assert (pair.left, pair.right) == ("narrow", "wide")
    assert pair["interval_width"].value == pytest.approx(widths[1] - widths[0])
    assert pair["interval_width"].low > 0


def test_files_by_name_are_systems(tmp_path):
    for name in ("old", "new"):
        pd.DataFrame(COLUMNS).to_csv(tmp_path / f"{name}.csv", index=False)
    files = {name: tmp_path / f"{name}.csv" for name in ("new", "old")}
    found = evaluate("intervals", files, y="y", low="low", up="up", **CHOSEN)
    assert found.systems == ["new", "old"]


@pytest.mark.parametrize("names", [("", "b"), ("a", "a "), ("\xe9", "e\u0301")])
def test_files_are_named_apart(names):
    with pytest.raises(UsageError, match=r"blank name|two systems are called"):
        evaluate("intervals", dict.fromkeys(names, "t.csv"), y="y", low="low", up="up")


def test_sets_take_lists_of_labels_and_flags():
    labels = evaluate("sets", y=["a", "b", "b"], set=[["a"], ["a", "b"], []], n_resamples=0)
    flags = np.array([[1, 0], [1, 1], [0, 0]], dtype=bool)
    found = evaluate("sets", y=["a", "b", "b"], set=flags, classes=("a", "b"), n_resamples=0)
    assert labels["set_coverage"].value == found["set_coverage"].value == pytest.approx(2 / 3)


def test_a_mapping_names_systems_at_any_number_of_levels():
    low, up = COLUMNS["low"], COLUMNS["up"]
    two = {"low": np.stack([low, low - 1], 1), "up": np.stack([up, up + 1], 1)}
    chosen = {"y": COLUMNS["y"], "level": (0.8, 0.9), "n_resamples": 0}
    with pytest.raises(UsageError, match=r"2 systems \(a, b\) with 2 pairs of bounds for 2 levels"):
        evaluate("intervals", low={"a": low, "b": low}, up={"a": up, "b": up}, **chosen)
    with pytest.raises(UsageError, match=r"`low` of 'a' is 2 columns, of 'b' 1"):
        evaluate("intervals", low={"a": two["low"], "b": low}, up={"a": up, "b": up}, **chosen)
    both = {role: {"a": of, "b": of} for role, of in two.items()}
    found = evaluate("intervals", **both, **chosen)
    assert found.systems == ["a", "b"]
    assert [*found.artifact.systems[1].variants] == ["0.80", "0.90"]


def test_masked_values_are_missing():
    chosen = {"y_true": np.arange(ROWS) % 2, "n_bins": 2, "n_resamples": 0}
    stated = np.ma.array(np.full(ROWS, 0.5), mask=np.arange(ROWS) == 3)
    with pytest.raises(ColumnError, match=r"row 3: `y_prob` is empty or NaN \(1 of 40 rows"):
        evaluate("calibration", y_prob=stated, **chosen)
    with pytest.raises(ColumnError, match=r"`probability` must be finite, found nan at row 3"):
        brier(chosen["y_true"], stated)
    assert brier(chosen["y_true"], np.ma.array(stated.data)) == 0.25


def test_several_levels_are_the_second_axis_of_bounds():
    low = np.column_stack([COLUMNS["low"], COLUMNS["low"] - 1])
    up = np.column_stack([COLUMNS["up"], COLUMNS["up"] + 1])
    found = evaluate("intervals", y=TRUTH, low=low, up=up, level=(0.8, 0.95), n_resamples=0)
    (name,) = found.systems
    assert [*found[name].variants] == ["0.80", "0.95"]
    narrow, wide = (found[name][level]["interval_width"].value for level in ("0.80", "0.95"))
    assert wide == pytest.approx(narrow + 2)


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        (lambda: evaluate("interval", y=[1]), "there is no family 'interval'", "intervals"),
        (lambda: evaluate("zzz"), "there is no family 'zzz'", "the families are selective"),
        (
            lambda: evaluate("intervals", y=[1], low=[0], up=[2], lvel=0.5),
            "there is no option 'lvel'",
            "level",
        ),
        (
            lambda: evaluate("intervals", y=[1], low=[0], up=[2], formula="nope"),
            "`formula` must be one of code, printed, found 'nope'",
            None,
        ),
        (
            lambda: evaluate("intervals", y=[1], low=[0], up=[2], ci_method="BCa"),
            (
                "`ci_method` must be one of auto, percentile, basic, bca, expanded, bca-t,"
                " bootstrap-t, bootstrap-t or bca-t, expanded or bca-t, expanded or basic, hall-t,"
                " jackknife-t, jackknife-t or basic, found 'BCa'"
            ),
            "bca",
        ),
        (
            lambda: evaluate("intervals", y=[1], low={"a": [0]}, up={"b": [2]}),
            "`low` names the systems a, and `up` b",
            "every mapping names the same systems",
        ),
        (
            lambda: evaluate("intervals", y={"a": [1], "b": [2]}, low=[0], up=[2]),
            "`y` differs between systems, which are about the same rows",
            "give it once, for all of them",
        ),
        (
            lambda: evaluate("intervals", systems={"a": [1]}, y=[1]),
            "`systems` must map 'a' to its columns by role, found [1]",
            "as in",
        ),
        (
            lambda: evaluate("intervals", systems={"a": {"lw": [1]}}, y=[1]),
            "there is no option 'lw'",
            "low",
        ),
        (
            lambda: evaluate("intervals", systems={"a": {}}, y=[1], low={"a": [0]}),
            "`systems` was given, and `low` is a mapping as well",
            "name systems in one way",
        ),
        (
            lambda: evaluate("intervals", "a.csv", data=FRAMES["pandas"], y="y"),
            "both a file and `data` were given",
            "give one of them",
        ),
        (lambda: evaluate("intervals", y=[1]), "found no bounds", "give `low` and `up`"),
        (
            lambda: evaluate("intervals", y=[1], low=[0], up=[2], level={"a": 0.8}),
            "`level` must be a number, found {'a': 0.8}",
            "0.9 claims",
        ),
        (
            lambda: evaluate("selective", loss=[0], confidence=[1], mode=np.array(["a", "b"])),
            "`mode` is about runs, and columns were given",
            "leave it out",
        ),
        (
            lambda: evaluate("selective", loss=[0, 1], confidence=[1, 0], mode="few_shot"),
            "`mode` is about runs, and columns were given",
            "leave it out",
        ),
        *(
            (lambda given=given: evaluate("intervals", y=[1], low=[0], up=[2], **given), *said)
            for given, *said in (
                ({"systems": 5}, "`systems` must be a mapping, found 5", "as in"),
                ({"exact": "no"}, "`exact` must be true or false, found 'no'", None),
                ({"master": 5}, "`master` must be a text, found 5", "local[2]"),
                ({"progress": 5}, "`progress` must be a function, found 5", "it is called"),
                (
                    {"engine": np.array([1, 2])},
                    "there is no engine array([1, 2])",
                    "the engines are auto",
                ),
                (
                    {"table": np.array(0.5)},
                    "a file must be named by its path, found a value of the type ndarray",
                    "give columns",
                ),
            )
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_the_choices(call, message, hint):
    with pytest.raises(UsageError) as refused:
        call()
    assert refused.value.message == message
    assert hint is None or hint in refused.value.hint
    assert "--" not in f"{refused.value.message}{refused.value.hint}"


ITEMS = [f"row {number}" for number in range(ROWS)]
NAMED = {
    "calibration": {"y_true": TRUTH > 0, "y_prob": 1 / (1 + np.exp(-TRUTH))},
    "selective": {"loss": TRUTH**2, "confidence": TRUTH},
    "intervals": arrays(y="y", low="low", up="up"),
    "sets": {"y": COLUMNS["sex"], "set": [["f"]] * ROWS},
    "verdicts": {
        "truth": COLUMNS["sex"],
        "verdict": ["f"] * ROWS,
        "score": TRUTH,
        "scale": ("f", "m"),
    },
    "reasoning": {
        "truth": COLUMNS["sex"],
        "answer_cot": ["f"] * ROWS,
        "answer_early": ["m"] * ROWS,
    },
}


@pytest.mark.parametrize("family", NAMED)
def test_every_family_draws_clusters_and_looks_at_groups(family):
    people, half = np.array([f"p{row // 2}" for row in range(ROWS)]), np.arange(ROWS) < ROWS // 2
    groups = np.where(half, "first", "rest")
    found = evaluate(family, **NAMED[family], cluster=people, group=groups, n_resamples=20)
    assert found.artifact.resampling.n_units == len({*people})
    if family in {"intervals", "sets"}:  # whose groups are strata of coverage
        return
    rows = found.to_frame("pandas").set_index(["group", "metric"])["value"]
    columns = {
        role: np.asarray(values)[half] if len(values) == ROWS else values
        for role, values in {**NAMED[family], "cluster": people}.items()
    }
    alone = evaluate(family, **columns, n_resamples=20).to_frame("pandas").set_index("metric")
    # Of participants, failed ones included, there are numbers of the whole alone.
    shared = rows["first"].index.intersection(alone.index)
    assert len(shared) > 3
    assert [*rows["first"][shared]] == pytest.approx([*alone["value"][shared]], nan_ok=True)
    assert {*rows["rest"].index} == {*rows["first"].index}


@pytest.mark.parametrize("family", NAMED)
def test_rows_are_named_by_their_items_in_every_family(family):
    found = evaluate(family, **NAMED[family], item=ITEMS, n_resamples=0)
    kept = [each.id for each in found.artifact.cases.kept]
    assert kept
    assert all(any(name.endswith(item) for item in ITEMS) for name in kept)


@pytest.mark.parametrize("family", ["intervals", "sets"])
def test_tables_whose_items_differ_are_not_about_the_same_rows(family, tmp_path):
    for name, items in (("old", ITEMS), ("new", ITEMS[::-1])):
        table = {**NAMED[family], "item": items}
        sets = {"set": [json.dumps(each) for each in table["set"]]} if "set" in table else {}
        pd.DataFrame({**table, **sets}).to_csv(tmp_path / f"{name}.csv", index=False)
    files = {name: tmp_path / f"{name}.csv" for name in ("old", "new")}
    roles = {role: role for role in NAMED[family]}
    with pytest.raises(ColumnError, match=r"`item` is row 39 where .* has row 0"):
        evaluate(family, files, **roles, item="item", n_resamples=0)


def test_a_result_is_kept_and_taken_back(tmp_path, from_arrays):
    path = from_arrays.save(tmp_path / "kept.json")
    assert load(path).artifact == from_arrays.artifact
    assert json.loads(path.read_text())["schema_version"] == "2"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
def test_what_is_no_file_is_written_into_and_not_replaced(tmp_path, from_arrays):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        from_arrays.save(pipe)
    assert read.result() == from_arrays.save(tmp_path / "kept.json").read_bytes()
    assert pipe.is_fifo()
    assert {each.name for each in tmp_path.iterdir()} == {"pipe", "kept.json"}


def test_results_are_dated_by_the_epoch_that_is_set(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    found = evaluate("intervals", y=[1, 2], low=[0, 0], up=[2, 2], n_resamples=0)
    assert found.artifact.created_at == "1970-01-01T00:00:00Z"


def test_a_frame_of_numbers_has_one_row_per_number_and_system(from_arrays):
    frame = from_arrays.to_frame()
    assert [*frame.columns] == [
        *("system", "variant", "group", "metric", "value", "low", "high", "reason", "n"),
    ]
    assert len(frame) == len(from_arrays.artifact.systems[0].variants["0.80"].numbers)
    assert (frame["n"] == ROWS).all()
    assert isinstance(from_arrays.to_frame("polars"), pl.DataFrame)
    with pytest.raises(UsageError, match="`package` must be one of pandas, polars, pyarrow"):
        from_arrays.to_frame("excel")


def test_names_that_are_not_there_are_refused_with_those_that_are(from_arrays):
    with pytest.raises(UsageError, match="there is no system or number 'covrage'"):
        from_arrays["covrage"]
    with pytest.raises(UsageError) as refused:
        from_arrays["interval_covrage"]
    assert "interval_coverage" in refused.value.hint


@pytest.mark.parametrize("given", [[{"case_id": "a"}], {"a": {"verdict": "x"}}, [3]])
def test_what_is_no_path_is_refused_in_words(given):
    with pytest.raises(UsageError, match="must be named by its path, found a value of the type"):
        evaluate("verdicts", results="results.json", ground_truth=given)


def test_a_frame_in_the_place_of_a_file_is_taken_as_data():
    columns = {"y": [0, 1, 1, 0], "p": [0.2, 0.7, 0.9, 0.4]}
    chosen = {"y_true": "y", "y_prob": "p", "bins": 2, "n_resamples": 0}
    frames = pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns), pl.LazyFrame(columns)
    found = {evaluate("calibration", each, **chosen)["brier"].value for each in frames}
    assert found == {evaluate("calibration", data=frames[0], **chosen)["brier"].value}
    with pytest.raises(UsageError, match="found a value of the type DataFrame") as refused:
        evaluate("calibration", [frames[0], frames[0]], **chosen)
    hint = "one frame goes into `data`, with the columns of every system in it"
    assert refused.value.hint == hint


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_a_path_in_the_place_of_data_is_taken_as_a_file(engine, tmp_path):
    path = tmp_path / "claims.csv"
    pd.DataFrame(COLUMNS).to_csv(path, index=False)
    asked = {"y": "y", "low": "low", "up": "up", "cluster": "who", "engine": engine, **CHOSEN}
    found = evaluate("intervals", data=str(path), **asked)
    assert found.systems == ["claims.csv"]
    assert found.to_frame().equals(evaluate("intervals", path, **asked).to_frame())
    asked.pop("engine")
    assert finish(unit_table(data=path, family="intervals", **asked)).systems == ["claims.csv"]


def _dated(kind):
    days = np.repeat(np.arange("2026-01-01", "2026-01-11", dtype="M8[D]"), 4)
    made = {
        "days": days,
        "nanoseconds": days.astype("M8[ns]"),
        "dates": days.tolist(),
        "pandas": pd.Series(days.astype("M8[ns]")),
        "polars": pl.Series(days),
        "pyarrow": pa.array(days),
        "texts": np.datetime_as_string(days),
    }
    return made[kind]


DATED = ["days", "nanoseconds", "dates", "pandas", "polars", "pyarrow", "texts"]


@pytest.mark.parametrize("kind", DATED)
@pytest.mark.parametrize("family", NAMED)
def test_days_name_clusters_and_groups_in_every_family(family, kind):
    given = {**NAMED[family], "cluster": _dated(kind), "n_resamples": 0}
    found = evaluate(family, **given)
    assert found.artifact.resampling.n_units == 10
    named = {each.cluster for each in found.artifact.cases.kept}
    assert named - {None} <= {f"2026-01-{day:02}" for day in range(1, 11)}
    if family not in {"intervals", "sets"}:
        frame = evaluate(family, **NAMED[family], group=_dated(kind), n_resamples=0).to_frame()
        assert {*frame.group} == {"", *(f"2026-01-{day:02}" for day in range(1, 11))}


def test_times_keep_their_seconds_and_no_time_is_missing():
    times = np.array(["2026-01-01T12:30", "2026-01-01T00:00", "NaT"], "M8[ns]")
    table = from_columns(when=times, seen=pd.Series(times), said=times.astype("M8[us]").tolist())
    for name in table.columns:
        assert [*table.cells(name)] == ["2026-01-01 12:30:00", "2026-01-01", None]
    with pytest.raises(ColumnError, match="`y_prob` must be a finite number, found the text '2026"):
        evaluate("calibration", y_true=[0, 1], y_prob=times[:2], n_resamples=0)


def test_numbers_longer_than_doubles_are_classes_and_probabilities():
    y, p = np.arange(ROWS) % 2, np.linspace(0.1, 0.9, ROWS)
    long = {"y_true": y.astype(np.longdouble), "y_prob": p.astype(np.longdouble)}
    found, plain = (
        evaluate("calibration", **given, n_resamples=0).to_frame()
        for given in (long, {"y_true": y, "y_prob": p})
    )
    assert found.equals(plain)


@pytest.mark.parametrize("role", ["truth", "verdict", "answer_cot"])
def test_a_tuple_of_texts_is_a_column_where_there_is_no_table(role):
    family = "reasoning" if role == "answer_cot" else "verdicts"
    given = {**NAMED[family], "n_resamples": 0}
    found = evaluate(family, **{**given, role: tuple(given[role])}).to_frame()
    assert found.equals(evaluate(family, **given).to_frame())


@pytest.mark.parametrize("family", NAMED)
def test_half_a_character_is_refused_where_it_would_be_written_down(family):
    broken = ["\ud800"] * ROWS
    with pytest.raises(ColumnError, match=r"found the text '\\ud800'"):
        evaluate(family, **NAMED[family], cluster=broken, n_resamples=0)
    main = {"calibration": "y_prob", "selective": "confidence", "intervals": "up"}.get(family)
    if main is not None:
        with pytest.raises(UsageError, match="which holds half a character"):
            evaluate(family, **{**NAMED[family], main: {"\ud800": NAMED[family][main]}})


def test_rows_without_a_group_are_not_all_rows():
    given = {"loss": TRUTH**2, "confidence": TRUTH, "n_resamples": 0}
    found = evaluate("selective", **given, group=[None, "a", True, np.bool_(0)] * (ROWS // 4))
    frame = found.to_frame("pandas")
    whole = frame[frame.metric == "aurc"].set_index("group").n
    assert dict(whole) == {"": 40, "(none)": 10, "a": 10, "true": 10, "false": 10}


@pytest.mark.parametrize("family", NAMED)
def test_a_dictionary_of_arrays_is_a_frame_and_a_file_of_columns_says_the_same(family, tmp_path):
    columns = {role: [*values] for role, values in NAMED[family].items() if len(values) == ROWS}
    options = {role: values for role, values in NAMED[family].items() if role not in columns}
    names = {role: f"the {role}" for role in columns}
    data = {names[role]: values for role, values in columns.items()}
    found = evaluate(family, data=data, **names, **options, n_resamples=0)
    pl.DataFrame(data).write_parquet(tmp_path / "t.parquet")
    read = evaluate(family, tmp_path / "t.parquet", **names, **options, n_resamples=0)
    values = [each.to_frame("polars")["value"].to_list() for each in (found, read)]
    assert values[0] == pytest.approx(values[1], nan_ok=True)


def test_names_and_paths_of_a_wrong_type_are_refused_in_words():
    systems = {"a\x1b[31m": np.full(ROWS, 0.5), "b": np.full(ROWS, 0.4)}
    found = evaluate("calibration", y_true=TRUTH > 0, y_prob=systems, n_resamples=0)
    with pytest.raises(UsageError, match="there is no system or number 'ece'") as refused:
        found["ece"]
    assert "\x1b" not in f"{refused.value.hint}{refused.value.__notes__}"
    for name in (["b"], 5, None):
        with pytest.raises(UsageError, match="there is no system or number"):
            found[name]
        assert name not in found
        assert found.get(name, "none") == "none"
        if name is not None:
            with pytest.raises(UsageError, match="`package` must be one of"):
                found.to_frame(name)
    for call in (found.save, found.to_html, found.figure().save, load):
        with pytest.raises(UsageError, match="named by its path, found a value of the type int"):
            call(5)
        for name in ("", "a\0b.svg", "\ud800.svg"):
            with pytest.raises(UsageError, match="a file must be named by its path, found '"):
                call(name)
    with pytest.raises(UsageError, match="there is no figure '5'"):
        found.figure(5)
