"""Calibration on the pipeline: tables and runs by every door, and what is refused of them."""

from __future__ import annotations

import msgspec
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from assay import stored
from assay.artifact import encode
from assay.display.blocks import Grid
from assay.errors import AssayError, ColumnError, UsageError
from assay.families.calibration import FAMILY
from assay.families.calibration.options import CalibrationColumns, CalibrationOptions
from assay.families.family import Given
from assay.inference import Plan
from assay.library import evaluate as asked
from assay.metrics.calibration import ece
from assay.pipeline import evaluate
from assay.registry import METRICS, metric
from assay.report.page import page
from assay.report.presenters import summary
from assay.report.tables import tables as text_tables
from assay.sources import read_run
from assay.sources.table import from_columns
from tests.families.test_calibration_numbers import LABEL, SHARP, WHO, WIDE, N, P, Y
from tests.golden import commands
from tests.golden.commands import HERE

NOW = "2026-01-02T03:04:05Z"
FEW, NONE = Plan(n_resamples=12, seed=7), Plan(n_resamples=0, seed=7)
SITE = np.where(np.arange(N) % 3 == 0, "b", "a")
RUN = str(HERE / "two_modes.json")


def new(sources, plan=FEW, options=None, calibrators=(), **columns):
    given = Given(
        {"table": sources, "calibration": calibrators},
        options or CalibrationOptions(),
        plan,
        CalibrationColumns(**columns),
    )
    return evaluate(FAMILY, given, created_at=NOW)


def plain(artifact):
    return msgspec.json.decode(encode(artifact))


@pytest.mark.parametrize("name", list(commands.VERSION_1.glob("calibration_*.gz")))
def test_artifacts_of_version_1_are_read_from_files(name):
    artifact = stored.read_artifact(str(name))
    assert artifact.schema_version == "2"
    assert stored.decode(encode(artifact)) == artifact


def of_arrays(y, systems, *, plan=FEW, options=None, **named):
    """Evaluate arrays, each a system under its name."""
    parts = {key: named.pop(key) for key in ("cluster", "group") if key in named}
    table = from_columns(y=y, **systems, **parts)
    roles = {"y_true": "y", "y_prob": tuple((each,) for each in systems)}
    of_parts = {each: each for each in parts}
    return asserted_whole(new([table], plan, options, **roles, **of_parts, **named))


def asserted_whole(found):
    """Check what every artifact promises: reasons where numbers are missing, nothing amiss."""
    assert not [*FAMILY.faults(found)]
    assert stored.decode(encode(found)) == found
    for system in found.systems:
        variant = system.variants[""]
        for piece in (variant, *variant.slices):
            for label, number in piece.numbers.items():
                assert (number.value is None) == (number.reason is not None), label
                assert (number.interval is None) == (number.interval_reason is not None), label
    return found


@pytest.mark.parametrize("plan", [FEW, NONE])
@pytest.mark.parametrize("seed", range(4))
def test_random_rows_clusters_and_groups_give_the_numbers_of_the_metric(seed, plan):
    generator, n = np.random.default_rng(seed), 12 + 9 * seed
    scores = {f"s{k}": generator.beta(1, 1 + k, n).round(seed + 1) for k in range(1 + seed % 3)}
    y = (generator.random(n) < 0.4).astype(int)
    y[:2] = 0, 1
    cluster, group = generator.integers(0, max(2, n // 4), n), generator.integers(0, 3, n)
    bins = {"n_bins": 3 + seed, "strategy": ("uniform", "quantile")[seed % 2]}
    for parts in ({"cluster": cluster, "group": group}, {}):
        options = CalibrationOptions(**bins)
        found = of_arrays(y, scores, plan=plan, options=options, **parts)
        for system, values in zip(found.systems, scores.values(), strict=True):
            variant = system.variants[""]
            assert variant.numbers["ece"].value == pytest.approx(ece(y, values, **bins))
            for piece in variant.slices:
                own = group == int(piece.label)
                assert piece.numbers["ece"].value == pytest.approx(ece(y[own], values[own], **bins))


@pytest.mark.parametrize("method", ["basic", "bca"])
def test_methods_and_streams_of_the_plan_are_taken(method):
    plan = Plan(n_resamples=12, method=method, stream="counter", level=0.8, threads=2)
    found = of_arrays(Y, {"p": P, "q": SHARP}, plan=plan, cluster=WHO, group=SITE)
    assert (found.resampling.method, found.resampling.stream) == (method, "counter")
    other = of_arrays(Y, {"p": P, "q": SHARP}, plan=FEW, cluster=WHO, group=SITE)
    one, two = (each.systems[1].variants[""].numbers["brier"] for each in (found, other))
    assert (one.value, one.interval == two.interval) == (two.value, False)


def test_several_classes_say_what_is_over_them():
    rough = {"a": WIDE.round(2), "b": WIDE[:, ::-1]}
    found = of_arrays(LABEL, rough, group=SITE, cluster=WHO, sum_tolerance=0.05)
    parts = found.systems[0].variants[""].parts
    assert [each.label for each in parts.classes] == ["0", "1", "2"]
    assert {"multiclass_brier"} <= {*parts.over_classes} < {*found.metrics}
    assert "of a were divided by their sum" in found.warnings[0]


@pytest.mark.parametrize("two_classes", ["positive", "top-label"])
def test_two_columns_are_one_outcome_or_a_choice(two_classes):
    both, options = np.column_stack([1 - P, P]), CalibrationOptions(two_classes=two_classes)
    found = of_arrays(Y, {"both": both}, options=options)
    alone = new([from_columns(y=Y, both=P)], y_true="y", y_prob="both")
    same = found.systems[0].variants[""].numbers == alone.systems[0].variants[""].numbers
    assert same == (two_classes == "positive")


def test_edge_rows_have_numbers_or_reasons():
    hard = (P > 0.5).astype(float)
    redrawn = CalibrationOptions(p_value="monte-carlo", n_draws=19)
    where = np.where(np.arange(N) == 5, "alone", np.where(Y == 1, "right", "wrong"))
    of_arrays(Y, {"hard": hard, "p": P}, options=redrawn, group=where)
    of_arrays([0, 1] * 10, {"p": [0.9] * 20, "q": [0.1] * 20})
    of_arrays(Y, {"p": P}, cluster=[1] * N)
    asserted_whole(
        of_arrays([0, 1, 1], {"p": [0.2, 0.2, 0.7]}, options=CalibrationOptions(n_bins=3))
    )
    asserted_whole(
        of_arrays(Y, {"p": P, "same": P}, cluster=np.arange(N), plan=Plan(n_resamples=1))
    )
    holes = np.where(np.arange(N) % 10, P, np.nan)
    of_arrays(Y, {"p": holes, "q": P}, missing="drop", cluster=WHO)
    of_arrays(np.where(Y, "spam", "none"), {"p": P}, positive="spam")


def test_monte_carlo_p_values_are_described_as_what_they_are():
    options = CalibrationOptions(p_value="monte-carlo", n_draws=19)
    found = of_arrays(Y, {"p": P}, options=options, plan=NONE)
    assert found.metrics["ece_p_value"].title.endswith("so large a value of ece")
    assert found.metrics["ks_p_value"].title.startswith("Share of redrawn outcomes")
    plain_title = new([from_columns(y=Y, p=P)], NONE, y_true="y", y_prob="p").metrics
    assert "ece_p_value" not in plain_title
    assert not plain_title["ks_p_value"].title.startswith("Share")


def of_files(*tables, intersection_only=False, **columns):
    options = CalibrationOptions(n_bins=4, intersection_only=intersection_only)
    return asserted_whole(new(tables, FEW, options, **columns))


def test_several_tables_are_paired_by_place_or_by_cluster():
    holes = np.where(np.arange(N) == 7, np.nan, SHARP)
    one, other = from_columns(y=Y, p=P, who=WHO), from_columns(y=Y, p=holes, who=WHO)
    found = of_files(one, other, y_true="y", y_prob="p", missing="drop")
    assert [each.name for each in found.systems] == ["data (1)", "data (2)"]
    assert found.pairs[0].counts == {"n_common": N - 1, "n_only_left": 1, "n_only_right": 0}
    with pytest.raises(ColumnError, match=r"the truth is [01] where .* has [01] \(\d+ such rows\)"):
        of_files(one, from_columns(y=1 - Y, p=holes), y_true="y", y_prob="p", missing="drop")
    fewer = from_columns(y=Y[8:], p=SHARP[8:], q=P[8:], who=WHO[8:], site=SITE[8:])
    both = from_columns(y=Y, p=P, q=SHARP, who=WHO, site=SITE)
    found = of_files(
        *(both, fewer),
        y_true="y",
        y_prob=(("p",), ("q",)),
        cluster="who",
        group="site",
        intersection_only=True,
    )
    assert [each.name for each in found.systems][2:] == ["data (2) p", "data (2) q"]
    assert found.resampling.n_units == N // 4 - 2


@pytest.fixture(scope="module")
def calibrator(tmp_path_factory):
    path = tmp_path_factory.mktemp("fitted") / "c.json"
    words = ("--input", RUN, "--mode", "zero_shot", "--method", "temperature")
    commands.printed(
        *("calibrate", *words, "--features", "token_msp", "--output", str(path), "--quiet")
    )
    return str(path)


def test_calibrated_confidences_of_runs_come_with_their_calibrator(calibrator):
    names, bins = ("calibrated:token_msp", "token_msp"), CalibrationOptions(n_bins=5)
    run = {"mode": "few_shot", "confidence": names}
    by_path, by_table = (
        asserted_whole(new([source], FEW, bins, [calibrator], **run))
        for source in (RUN, read_run(RUN, mode="few_shot"))
    )
    assert by_path == by_table
    assert by_path.parts.calibration.calibrator == "temperature"
    assert by_path.warnings[-1] == by_path.parts.calibration.warnings[-1]
    alone = new([RUN], FEW, bins, mode="few_shot", confidence="token_msp")
    assert by_path.systems[1].variants[""].numbers == alone.systems[0].variants[""].numbers
    found = asked("calibration", RUN, calibration=calibrator, n_bins=5, n_resamples=0, **run)
    assert found.systems == [*names]
    with pytest.raises(UsageError, match="was fitted on") as refused:
        asked("calibration", RUN, calibration=calibrator, strict=True, **run)
    assert "leave `strict` out" in refused.value.hint


def test_a_calibrator_that_nothing_uses_is_refused(calibrator):
    with pytest.raises(UsageError, match="no confidence uses the calibrator"):
        new([RUN], NONE, None, [calibrator], mode="few_shot", confidence="token_msp")
    with pytest.raises(UsageError, match="found 2 calibrators, and one is applied"):
        new([RUN], NONE, None, [calibrator] * 2, mode="few_shot", confidence="calibrated")
    with pytest.raises(UsageError, match="`mode`, `confidence` and `calibration` are about runs"):
        new([TABLE], NONE, None, [calibrator], **SCORE)
    strict = CalibrationOptions(strict=True)
    for sources, columns in (([RUN], {"mode": "few_shot", "confidence": "llm"}), ([TABLE], SCORE)):
        with pytest.raises(UsageError, match="`strict` is about a calibrator"):
            new(sources, NONE, strict, **columns)


TABLE = from_columns(
    y=Y, p=P, wide=WIDE, label=LABEL, both=np.column_stack([1 - P, P]), id=np.arange(N)
)
SCORE = {"y_true": "y", "y_prob": "p"}
REFUSED = {
    "nothing named": ({}, "is a table, and `y_true` does not say"),
    "no scores": ({"y_true": "y"}, "`y_prob` names no column of probabilities"),
    "a mode": ({**SCORE, "mode": ("few_shot",)}, "are about runs, and data is a table"),
    "one and several": (
        {"y_true": "label", "y_prob": (("p",), ("wide",))},
        "some systems have one probability per row",
    ),
    "a tolerance": (
        {**SCORE, "sum_tolerance": 1},
        "must be from 0 to below 1, found 1",
    ),
    "ids": ({**SCORE, "group": "id"}, r"`id` makes \d+ groups of 240 rows"),
    "an empty label": ({**SCORE, "positive": " "}, "a whole number or a text, found ' '"),
    "no such label": ({**SCORE, "positive": 2}, "never holds the positive label 2"),
    "labels": ({**SCORE, "y_true": "label"}, r"holds 3 labels \(.*\) where an outcome has two"),
    "a class twice": (
        {"y_true": "y", "y_prob": (("both",),), "classes": ("0", 0)},
        "a class is named twice",
    ),
    "classes": (
        {"y_true": "label", "y_prob": (("wide",),), "classes": (0, 1)},
        r"hold 3 probabilities per row where there are 2 classes \(0, 1\)",
    ),
    "widths": (
        {"y_true": "label", "y_prob": (("wide",), ("both",))},
        r"`both` hold 2 probabilities per row where there are 3 classes \(0, 1, 2\)",
    ),
    "positive of classes": (
        {"y_true": "label", "y_prob": (("wide",),), "positive": 1},
        "where the most probable class is read",
    ),
    "positive of two": (
        {"y_true": "y", "y_prob": (("both",),), "positive": 7},
        "the positive label 7 is not among the classes 0, 1",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_a_table_is_refused(case):
    columns, message = REFUSED[case]
    with pytest.raises(AssayError, match=message) as refused:
        new([TABLE], NONE, **columns)
    assert "--" not in f"{refused.value} {refused.value.hint}"


UNFIT = {
    "empty": ({"y": Y, "p": np.where(Y, P, np.nan)}, "`p` is empty or NaN"),
    "all empty": ({"y": Y, "p": [None] * N}, "no row with both a truth and a probability"),
    "outside": ({"y": Y, "p": P + 1}, r"row \d+: `p` must be from 0 to 1, found"),
    "one outcome": ({"y": Y * 0, "p": P}, r"`y` is 0 in every row \(240\)"),
    "words": ({"y": SITE, "p": P}, "must hold 0 and 1, or true and false, found"),
    "few rows": ({"y": [0, 1], "p": [0.1, 0.2]}, "has 2 rows for 10 bins"),
    "lengths": ({"y": Y[1:], "p": P}, "`p` has 240 rows where `y` has 239"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_rows_that_state_no_probability_are_refused(case):
    columns, message = UNFIT[case]
    missing = "drop" if case == "all empty" else "error"
    with pytest.raises(ColumnError, match=message) as refused:
        new([from_columns(**columns)], NONE, **SCORE, missing=missing)
    assert "--" not in f"{refused.value} {refused.value.hint}"


def test_probabilities_that_are_none_or_of_no_known_class_are_refused():
    with pytest.raises(ColumnError, match=r"must sum to 1, found 0\.9 \(240 of 240 rows"):
        new([from_columns(y=LABEL, p=WIDE * 0.9)], NONE, y_true="y", y_prob=(("p",),))
    with pytest.raises(ColumnError, match="240 of 240 labels in `y` are not among the classes"):
        new([from_columns(y=LABEL + 5, p=WIDE)], NONE, y_true="y", y_prob=(("p",),))


def test_tables_that_are_not_about_the_same_rows_are_refused():
    one, short = from_columns(y=Y, p=P, who=WHO), from_columns(y=Y[8:], p=P[8:], who=WHO[8:])
    with pytest.raises(ColumnError, match="has 232 rows where data has 240"):
        new([one, short], NONE, **SCORE)
    with pytest.raises(ColumnError, match=r"differ in 2 clusters \(such as 0\)"):
        new([one, short], NONE, **SCORE, cluster="who")
    apart = from_columns(y=Y, p=P, who=WHO + 1000)
    with pytest.raises(ColumnError, match="differ in 120 clusters") as refused:
        new([one, apart], NONE, CalibrationOptions(intersection_only=True), **SCORE, cluster="who")
    assert refused.value.hint == "no cluster is in all inputs"


def test_what_does_not_fit_a_run_is_refused():
    with pytest.raises(UsageError, match="`positive` is about columns of a table"):
        new([RUN], NONE, mode="few_shot", confidence="token_msp", positive=0)
    with pytest.raises(UsageError, match="is a run, and no confidence was chosen") as refused:
        new([RUN], NONE, mode=("few_shot",))
    assert "token_msp" in refused.value.hint
    assert "llm" not in refused.value.hint
    with pytest.raises(ColumnError, match="the confidence llm is no probability: it is"):
        new([RUN], NONE, mode=("few_shot",), confidence=("llm",))
    with pytest.raises(UsageError, match="found 1 run and 2 modes"):
        new([RUN], NONE, mode=("few_shot", "zero_shot"), confidence=("token_msp",))
    with pytest.raises(UsageError, match="runs and tables were given together"):
        new([RUN, TABLE], NONE, **SCORE)


def edited(change):
    artifact = of_arrays(Y, {"p": P}, plan=NONE, group=SITE)
    found = plain(artifact)
    change(found, found["systems"][0]["variants"][""])
    return next(iter(FAMILY.faults(msgspec.convert(found, FAMILY.artifact))), None)


EDITED = {
    "nothing": (lambda *_: None, None),
    "a convention": (lambda a, _: a["conventions"].pop("ties"), "`conventions` lack `ties`"),
    "no number": (
        lambda a, _: a["conventions"].update(n_bins="ten"),
        "`conventions.n_bins` is not a number",
    ),
    "an input": (lambda a, _: a["inputs"].append(a["inputs"][0]), "no system is of `inputs.1`"),
    "a variant": (
        lambda a, v: a["systems"][0]["variants"].update({"0.90": v}),
        "`systems.0` has variants, of which this kind has none",
    ),
    "a number": (
        lambda _, v: v["slices"][1]["numbers"].pop("brier"),
        "`systems.0` has numbers without `brier`",
    ),
    "a unit": (
        lambda a, _: a["resampling"].update(unit="cluster"),
        "`systems.0` has slices that do not fit `resampling.unit`",
    ),
    "an edge": (
        lambda _, v: v["parts"]["reliability"][3].update(low=None),
        "`systems.0` has a bin with an accuracy and no edges",
    ),
}


@pytest.mark.parametrize("case", EDITED)
def test_what_was_edited_out_of_an_artifact_is_found(case):
    change, said = EDITED[case]
    assert edited(change) == said


def test_a_metric_is_seen_everywhere_by_being_registered():
    @metric(better="lower", bounds=(0.0, 1.0), family="calibration")
    def mean_gap(correct, probability, *, weight=None):
        """Mean distance of outcome and probability."""
        return float(np.average(np.abs(correct - probability), weights=weight))

    try:
        found = asked("calibration", y_true=Y, y_prob={"a": P, "b": SHARP}, n_resamples=12)
    finally:
        METRICS.pop("mean_gap")
    assert found["a"]["mean_gap"].value == pytest.approx(np.abs(Y - P).mean())
    assert found["a"]["mean_gap"].low < found["a"]["mean_gap"].high
    difference = np.abs(Y - SHARP).mean() - np.abs(Y - P).mean()
    assert found.pairs[0]["mean_gap"].value == pytest.approx(difference)
    told = summary(found.artifact)
    tables = [block for block in (each.block for each in told.sections) if isinstance(block, Grid)]
    shown = [table.title for table in tables if "mean_gap" in [row.label for row in table.rows]]
    assert shown == ["Numbers", "b minus a"]
    assert "mean_gap" in text_tables(told, "csv", "full")
    assert b"mean_gap" in page([found.artifact])


FRAME = {"y": Y, "p": P, "q": SHARP, "label": LABEL, **{f"c{k}": WIDE[:, k] for k in range(3)}}
CLASSES = ("c0", "c1", "c2")
NAMED = {"classes": (0, 1, 2), "n_resamples": 0}


@pytest.mark.parametrize("given", ["arrays", "pandas", "polars", "pyarrow", "file"])
def test_every_door_takes_one_system_several_and_those_of_classes(given, tmp_path):
    (tmp_path / "t.csv").write_text(pd.DataFrame(FRAME).to_csv(index=False))
    make = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
    source, frame = (), {}
    if given == "file":
        source = (tmp_path / "t.csv",)
    elif given != "arrays":
        frame = {"data": make[given](FRAME)}

    def held(name):
        return FRAME[name] if given == "arrays" else name

    def door(truth, y_prob, **more):
        return asked("calibration", *source, y_true=held(truth), y_prob=y_prob, **frame, **more)

    brier = {name: ((Y - FRAME[name]) ** 2).mean() for name in ("p", "q")}
    assert door("y", held("p"), n_resamples=0)["brier"].value == pytest.approx(brier["p"])
    two = {"old": held("p"), "new": held("q")}
    for found in (
        door("y", two, n_resamples=0),
        asked(
            "calibration",
            *source,
            y_true=held("y"),
            systems={name: {"y_prob": of} for name, of in two.items()},
            n_resamples=0,
            **frame,
        ),
    ):
        assert found.systems == ["old", "new"]
        assert found["new"]["brier"].value == pytest.approx(brier["q"])
        assert found.pairs[0]["brier"].value == pytest.approx(brier["q"] - brier["p"])
    wanted = ((WIDE - np.eye(3)[LABEL]) ** 2).sum(axis=1).mean()
    for several in (CLASSES, [*CLASSES], {"all": CLASSES, "turned": [*reversed(CLASSES)]}):
        stated = several if given != "arrays" else WIDE
        found = door("label", stated, **NAMED)
        assert found[found.systems[0]]["multiclass_brier"].value == pytest.approx(wanted)
        assert len(found.systems) == (2 if stated is several and type(several) is dict else 1)


def test_names_of_files_are_names_of_systems(tmp_path):
    for name in ("a", "b"):
        pd.DataFrame(FRAME).to_csv(tmp_path / f"{name}.csv", index=False)
    files = {"new": tmp_path / "b.csv", "old": tmp_path / "a.csv"}
    found = asked("calibration", files, y_true="y", y_prob="p", n_resamples=0)
    assert found.systems == ["new", "old"]
    both = {"y_prob": (("p",), ("q",)), "n_resamples": 0}
    assert asked("calibration", files, y_true="y", **both).systems == [
        *("new p", "new q", "old p", "old q"),
    ]
