"""Files that DuckDB joins row by row are compared as tables in memory are."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay.errors import ColumnError, UsageError

N_PEOPLE, N_ITEMS = 30, 8
ASKED: dict[str, dict[str, Any]] = {
    "selective": {
        "participant": "pid",
        "item": "question",
        "prediction": "answer",
        "truth": "truth",
        "confidence": "conf",
        "loss": "abs",
        "group": "kind",
    },
    "calibration": {"y_true": "y", "y_prob": "p", "cluster": "pid", "item": "question"},
    "intervals": {
        "y": "t",
        "low": "low",
        "up": "up",
        "cluster": "pid",
        "item": "question",
        "group": "kind",
    },
    "sets": {"y": "kind", "set": "said", "cluster": "pid", "item": "question"},
}
WRITERS = {
    "csv": lambda frame, path: (
        frame.with_columns(
            said=pl.col("said").list.eval(pl.format('"{}"', pl.element())).list.join(", ")
        )
        .with_columns(said=pl.format("[{}]", pl.col("said")))
        .write_csv(path)
    ),
    "jsonl": lambda frame, path: frame.write_ndjson(path),
    "parquet": lambda frame, path: frame.write_parquet(path),
}


def made(seed, n_people=N_PEOPLE, n_items=N_ITEMS):
    """Return rows whose truths do not depend on the seed, in an order that does."""
    rows, own = np.random.default_rng(1), np.random.default_rng(seed)
    n = n_people * n_items
    t = rows.normal(size=n).round(2)
    low = t - own.integers(-2, 9, n) / 8
    said = [own.choice(["a", "b", "c"], own.integers(0, 3), replace=False) for _ in range(n)]
    frame = pl.DataFrame(
        {
            "pid": np.arange(n_people).repeat(n_items),
            "question": np.tile(np.arange(n_items), n_people),
            "y": rows.integers(0, 2, n),
            "truth": rows.integers(0, 4, n),
            "t": t,
            "kind": rows.choice(["a", "b"], n),
            "p": own.integers(1, 10, n) / 10,
            "answer": [None if each > 3 else int(each) for each in own.integers(0, 5, n)],
            "conf": own.integers(0, 6, n) / 8,
            "fine": own.random(n),
            "low": low,
            "up": low + own.integers(0, 12, n) / 8,
            "said": [[*map(str, each)] for each in said],
        }
    )
    return frame.sample(fraction=1, shuffle=True, seed=seed)


def compared(frames, folder, family, form="parquet", engine="duckdb", **more):
    paths = []
    for name, frame in zip("abc", frames, strict=False):
        ordered = frame.sort("pid", "question") if engine == "memory" else frame
        paths.append(str(folder / f"{name}.{form}"))
        WRITERS[form](ordered, paths[-1])
    asked = {"n_resamples": 40, "engine": engine, **ASKED[family], **more}
    return assay.evaluate(family, paths, **asked).artifact


def deltas(artifact):
    return {
        (pair.right, variant, label): delta
        for pair in artifact.pairs
        for variant, of in pair.deltas.items()
        for label, delta in of.items()
        if delta.delta is not None
    }


def ends(delta):
    return delta.interval or ()


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("family", ASKED)
def test_files_are_compared_as_in_memory_whatever_their_order(tmp_path, family, form):
    frames = [made(2), made(3)]
    memory = compared(frames, tmp_path, family, form, "memory")
    found = compared(frames, tmp_path, family, form)
    assert found.engine.name == "duckdb"
    assert [each.path for each in found.inputs] == [each.path for each in memory.inputs]
    assert [each.n_rows for each in found.inputs] == [N_PEOPLE * N_ITEMS] * 2
    assert found.inputs[0].sha256 != found.inputs[1].sha256
    assert found.resampling == memory.resampling
    assert found.pairs[0].counts == memory.pairs[0].counts
    expected = deltas(memory)
    assert deltas(found).keys() <= expected.keys()
    # What sums of widths do not tell has no difference either.
    missing = expected.keys() - deltas(found).keys()
    lacking = {label.partition("@")[0] for _, _, label in missing}
    assert lacking <= {"hsic", "size_stratified_coverage", "width_quantile"}
    for key, own in deltas(found).items():
        assert own.delta == pytest.approx(expected[key].delta, rel=1e-12, abs=1e-12)
        assert ends(own) == pytest.approx(ends(expected[key]), rel=1e-10, abs=1e-12)
        assert (own.word, own.word_reason) == (expected[key].word, expected[key].word_reason)


def test_three_files_and_buckets_of_clusters_are_joined_too(tmp_path):
    frames = [made(seed, n_people=4200, n_items=2) for seed in (2, 3, 4)]
    found = compared(frames, tmp_path, "calibration")
    assert found.resampling.unit == "1024 hash buckets of pid (4,200 clusters)"
    assert {right for right, _, _ in deltas(found)} == {1, 2}
    alone = compared(frames[:1], tmp_path, "calibration")
    both, own = (each.systems[0].variants[""].numbers for each in (found, alone))
    assert both.keys() == own.keys()
    for label, number in own.items():
        assert both[label].value == pytest.approx(number.value, rel=1e-12)


def test_merged_probabilities_of_two_files_are_in_brackets_that_hold(tmp_path):
    frames = [made(seed, n_people=1000, n_items=9) for seed in (2, 3)]
    asked = {"y_prob": "fine", "n_resamples": 0}
    memory, found = (
        compared(frames, tmp_path, "calibration", engine=engine, **asked)
        for engine in ("memory", "duckdb")
    )
    n_merged = 0
    for one, other in zip(memory.systems, found.systems, strict=True):
        exact, merged = one.variants[""].numbers, other.variants[""].numbers
        for label in merged:
            bracket = merged[label].bracket
            if bracket is not None:
                n_merged += 1
                assert bracket[0] <= exact[label].value <= bracket[1]
    assert n_merged >= 4


ONE = (pl.col("pid") == 3) & (pl.col("question") == 2)
KEPT_OUT = {
    r"b.parquet lacks 1 row, such as that of `pid` 3, `question` 2\n": lambda f: f.filter(~ONE),
    r"b.parquet has 2 rows of `pid` 3, `question` 2\n": lambda f: pl.concat([f, f.filter(ONE)]),
    "`pid` holds texts in one file and none in another": lambda f: f.cast({"pid": pl.String}),
    r"(do not both have|has no column) `question`": lambda f: f.drop("question"),
}


@pytest.mark.parametrize("message", KEPT_OUT)
@pytest.mark.parametrize("family", ASKED)
def test_rows_that_are_not_in_both_files_are_refused(tmp_path, family, message):
    with pytest.raises(ColumnError, match=message):
        compared([made(2), KEPT_OUT[message](made(3))], tmp_path, family)


@pytest.mark.parametrize(
    ("family", "column", "value", "message"),
    [
        ("selective", "truth", pl.lit(9), "has the truth 9"),
        ("calibration", "y", 1 - pl.col("y"), "the truth is [01] where"),
        ("intervals", "t", pl.lit(77.0), "`t` differs in 1 row of"),
        ("sets", "kind", pl.lit("c"), "b.parquet, a row of kind 'c', said .*, pid 3: `kind` is"),
    ],
)
def test_truths_that_differ_are_refused(tmp_path, family, column, value, message):
    other = pl.when(ONE).then(value).otherwise(pl.col(column)).alias(column)
    with pytest.raises(ColumnError, match=message):
        compared([made(2), made(3).with_columns(other)], tmp_path, family)


def test_rows_without_items_are_refused_unless_clusters_tell_them_apart(tmp_path):
    frames = [made(2), made(3)]
    with pytest.raises(ColumnError, match=r"has 8 rows of `pid` \d+\n"):
        compared(frames, tmp_path, "calibration", item=None)
    with pytest.raises(UsageError, match="nothing that tells them apart"):
        compared(frames, tmp_path, "calibration", item=None, cluster=None, n_resamples=0)
    single = [frame.filter(pl.col("question") == 0) for frame in frames]
    with_item = compared(single, tmp_path, "calibration")
    assert deltas(compared(single, tmp_path, "calibration", item=None)) == deltas(with_item)


def test_files_of_two_kinds_are_refused(tmp_path):
    for form, frame in zip(("csv", "parquet"), (made(2), made(3)), strict=True):
        WRITERS[form](frame, str(tmp_path / f"t.{form}"))
    both = [str(tmp_path / f"t.{form}") for form in ("csv", "parquet")]
    with pytest.raises(UsageError, match="cannot be joined outside of memory"):
        assay.evaluate("calibration", both, engine="duckdb", **ASKED["calibration"])


def test_a_folder_is_joined_with_a_file(tmp_path):
    frame = made(2)
    (tmp_path / "a").mkdir()
    for start, end in itertools.pairwise([0, 50, 51, len(frame)]):
        frame[start:end].write_parquet(tmp_path / "a" / f"{start:03}.parquet")
    made(3).write_parquet(tmp_path / "b.parquet")
    paths = [str(tmp_path / "a"), str(tmp_path / "b.parquet")]
    asked = {"n_resamples": 40, "engine": "duckdb", **ASKED["sets"]}
    found = assay.evaluate("sets", paths, **asked).artifact
    assert deltas(found) == deltas(compared([frame, made(3)], tmp_path, "sets"))


def test_right_answers_are_counted_by_rows_where_one_stands_for_several(tmp_path):
    """One kind of row stands for twelve: whom it favours gives more right answers."""
    kinds = [("a", 0.8, 0.1, 12), ("a", 0.1, 0.7, 1), ("a", 0.2, 0.6, 1), ("b", 0.9, 0.1, 3)]
    rows = [
        (n, y, a, b)
        for n in range(30)
        for place, (y, a, b, times) in enumerate(kinds)
        for _ in range(times + (n * place) % 3)
    ]
    frame = pl.DataFrame(rows, ["pid", "y", "one", "two"], orient="row").with_columns(
        one_b=1 - pl.col("one"), two_b=1 - pl.col("two")
    )
    frame.write_parquet(tmp_path / "t.parquet")
    asked = {"y_true": "y", "y_prob": [["one", "one_b"], ["two", "two_b"]], "classes": ["a", "b"]}
    asked |= {"two_classes": "top-label", "cluster": "pid", "n_resamples": 40}
    path = str(tmp_path / "t.parquet")
    memory, found = (
        assay.evaluate("calibration", path, engine=engine, **asked).artifact
        for engine in ("memory", "duckdb")
    )
    told = [
        {key: (each.word, each.word_reason) for key, each in deltas(of).items()}
        for of in (memory, found)
    ]
    assert told[0] == told[1]
    assert "the side it favours gives fewer right answers" in {why for _, why in told[0].values()}
