"""Rows that lack a truth, bounds or sets: refused, or dropped of all systems alike and counted."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from assay.cli import main
from assay.errors import ColumnError, UsageError
from assay.library import evaluate
from assay.report.page import page

FRAME = pd.DataFrame(
    {
        "depth": [1.0, 2.0, np.nan, 4.0, 5.0, 6.0, 7.5, 3.0],
        "floor": [0.0, 1.0, 1.0, 3.0, np.nan, 5.0, 5.0, 2.0],
        "roof": [2.0, 3.0, 3.0, 5.0, 6.0, 7.0, 6.0, 4.0],
        "floor b": [0.0, np.nan, 1.0, 3.0, 4.0, 5.0, 5.0, 2.5],
        "roof b": [3.0, 3.0, 3.0, 6.0, 6.0, 8.0, 8.0, np.inf],
        "well": ["a", "a", "b", "b", "c", "c", "d", "d"],
    }
)
BOUNDS = {"y": "depth", "low": "floor", "up": "roof"}
BOTH = {"y": "depth", "low": ("floor", "floor b"), "up": ("roof", "roof b")}
COUNTS = {"n_common": 5, "n_only_left": 1, "n_only_right": 1}


def intervals(frame=FRAME, **given):
    return evaluate("intervals", data=frame, **{"n_resamples": 20, **given})


def numbers(found):
    return json.loads(json.dumps(found.to_frame().to_numpy().tolist()))


@pytest.mark.parametrize("columns", [BOUNDS, BOTH])
@pytest.mark.parametrize("more", [{}, {"cluster": "well"}, {"group": "well"}])
def test_what_is_dropped_is_as_if_it_had_never_been_there(columns, more):
    lacking = ["depth", "floor", "floor b"][: 3 if columns is BOTH else 2]
    whole = FRAME.dropna(subset=lacking)
    dropped = intervals(**columns, **more, missing="drop")
    assert numbers(dropped) == numbers(intervals(whole, **columns, **more))
    (given,) = dropped.artifact.inputs
    assert (given.n_rows, given.counts) == (8, {"n_unscored": 8 - len(whole)})
    assert whole.shape[0] < 8


def test_rows_that_lack_something_are_refused_and_the_hint_says_what_to_do():
    with pytest.raises(ColumnError, match="row 2: `depth` must be a finite number") as caught:
        intervals(**BOUNDS)
    assert "`missing` drop" in caught.value.hint
    with pytest.raises(UsageError, match="`missing` must be one of error, drop"):
        intervals(**BOUNDS, missing="reference")


def test_nothing_is_left_where_every_row_lacks_something():
    with pytest.raises(ColumnError, match="no row with a truth"):
        intervals(FRAME.assign(depth=np.nan), **BOUNDS, missing="drop")


def test_a_pair_is_over_the_same_rows_and_says_who_lacks_which():
    found = intervals(**BOTH, missing="drop").artifact
    assert {each.variants["0.90"].n_rows for each in found.systems} == {5}
    assert found.pairs[0].counts == COUNTS
    told = " ".join(str(intervals(**BOTH, missing="drop")).split())
    assert "3 of 8 rows: without a truth" in told
    assert "5 rows that both scored, 1 only by floor:roof, 1 only by floor b:roof b" in told
    assert b"3 unscored" in page([found])


def test_two_tables_lack_rows_together_and_must_have_as_many(tmp_path):
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    FRAME.to_csv(one, index=False)
    FRAME.assign(depth=FRAME["depth"].where(FRAME.index != 7)).to_csv(other, index=False)
    columns = {**BOUNDS, "missing": "drop", "n_resamples": 0}
    found = evaluate("intervals", [str(one), str(other)], **columns).artifact
    assert found.pairs[0].counts == {"n_common": 5, "n_only_left": 1, "n_only_right": 0}
    FRAME[:6].to_csv(other, index=False)
    with pytest.raises(ColumnError, match=r"has 6 rows where .* has 8"):
        evaluate("intervals", [str(one), str(other)], **columns)


def test_cases_keep_the_place_that_they_have_in_the_table():
    cases = intervals(**BOUNDS, missing="drop", n_resamples=0).artifact.cases
    kept = {each.id for each in cases.kept}
    assert kept <= {"1", "2", "4", "6", "7", "8"}
    assert "7" in kept


def test_arrays_of_intervals_and_of_levels_lack_a_row_where_any_bound_is_nan():
    bounds = FRAME[["floor", "roof"]].to_numpy()
    truth = FRAME["depth"].to_numpy()
    found = evaluate("intervals", y=truth, interval=bounds, missing="drop", n_resamples=0)
    assert found.artifact.inputs[0].counts == {"n_unscored": 2}
    low, up = FRAME[["floor", "floor b"]].to_numpy(), FRAME[["roof", "roof b"]].to_numpy()
    claimed = {"low": low, "up": up, "level": (0.5, 0.9)}
    found = evaluate("intervals", y=truth, **claimed, missing="drop", n_resamples=0)
    assert found.artifact.inputs[0].counts == {"n_unscored": 3}


SETS = 'kind,guess,site\noak,"[""oak""]",1\nnone,"[""none"",""oak""]",1\n,"[""oak""]",2\noak,,2\n'
SETS += 'none,"[]",3\n'


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_sets_are_dropped_alike_in_memory_and_outside_of_it(tmp_path, engine):
    table = tmp_path / "trees.csv"
    table.write_text(SETS, encoding="utf-8")
    found = evaluate(
        *("sets", str(table)),
        y="kind",
        set="guess",
        cluster="site",
        missing="drop",
        n_resamples=20,
        engine=engine,
    )
    assert found["set_coverage"].value == pytest.approx(2 / 3)
    assert found.artifact.parts.classes == ["none", "oak"]
    (given,) = found.artifact.inputs
    assert (given.n_rows, given.counts) == (5, {"n_unscored": 2})


def test_flags_that_are_lacking_drop_the_row_for_all_sets():
    flags = np.array([[1, 0], [0, 1], [np.nan, 1], [1, 1]])
    sets = {"some": flags, "all": np.nan_to_num(flags)}
    found = evaluate("sets", y=[0, 1, 1, 0], set=sets, missing="drop", n_resamples=0).artifact
    assert found.pairs[0].counts == {"n_common": 3, "n_only_left": 0, "n_only_right": 1}


def test_an_engine_that_reduces_intervals_to_sums_drops_no_rows(tmp_path):
    table = tmp_path / "wells.csv"
    FRAME.to_csv(table, index=False)
    columns = {**BOUNDS, "cluster": "well", "missing": "drop", "engine": "duckdb"}
    with pytest.raises(UsageError, match="an engine reduces intervals to sums"):
        evaluate("intervals", str(table), **columns, n_resamples=20)


def test_the_command_takes_it_too(tmp_path, capsys):
    table = tmp_path / "wells.csv"
    FRAME.to_csv(table, index=False)
    words = ["intervals", str(table), "--y", "depth", "--low", "floor", "--up", "roof"]
    words += ["--missing", "drop", "--bootstrap-resamples", "0"]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--output", str(tmp_path / "a.json")])
    assert not ended.value.code
    assert "2 of 8 rows" in capsys.readouterr().out
