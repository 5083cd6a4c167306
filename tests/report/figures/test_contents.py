"""What single figures draw, value by value."""

from __future__ import annotations

import msgspec
import pytest

from assay.display.figures.drawing import labels
from assay.display.figures.figure import Figure
from assay.display.figures.theme import STYLES, config, styled
from assay.report.figures import figures, rendered
from tests.report.figures.examples import artifact, drawn


def shown(name: str, figure: str) -> Figure:
    return next(each for each in drawn(name) if each.name == figure)


def rows(name: str, figure: str, dataset: str) -> list:
    return shown(name, figure).spec["datasets"][dataset]


def test_a_risk_curve_is_the_curve_of_the_artifact_with_its_band():
    curve = artifact("selective").systems[0].variants["llm"].parts.curve
    points = rows("selective", "risk-coverage", "points")
    for field, values in {
        "coverage": curve.coverage,
        "risk": curve.selective_risk,
        "low": curve.selective_risk_low,
        "high": curve.selective_risk_high,
        "threshold": curve.threshold,
        "n": curve.n_accepted,
    }.items():
        assert [point[field] for point in points] == values


def test_a_generalized_curve_has_no_hull_because_that_is_one_of_selective_risks():
    kinds = {row["kind"] for row in rows("selective", "risk-coverage", "limits")}
    assert kinds == {"achievable", "oracle"}
    assert {row["kind"] for row in rows("selective", "generalized-risk", "limits")} == {"oracle"}


def test_the_oracle_is_drawn_once_where_confidences_share_it():
    limits = rows("selective steps", "risk-coverage-by-confidence", "limits")
    assert {row["name"] for row in limits} == {"llm"}


def test_the_truncation_is_marked_at_its_coverage():
    layers = shown("selective", "risk-coverage").spec["layer"]
    marks = [layer["encoding"]["x"] for layer in layers if layer["mark"]["type"] == "rule"]
    assert marks == [{"datum": 0.5}]


def test_steps_are_drawn_as_steps():
    def joined(name: str, figure: str) -> set:
        layers = shown(name, figure).spec["layer"]
        return {each["mark"]["interpolate"] for each in layers if "interpolate" in each["mark"]}

    assert joined("selective steps", "risk-coverage-llm") == {"step-before"}
    assert joined("selective", "risk-coverage") == {"linear"}


def test_confidences_are_ranked_from_the_best_of_the_first_system():
    found = artifact("comparison of confidences").systems[0].variants
    order = [
        *dict.fromkeys(r["row"] for r in rows("comparison of confidences", "ranking-aurc", "rows"))
    ]
    value = {name: found[name].numbers["aurc"].value for name in order}
    assert order == sorted(value, key=value.__getitem__)
    higher = [
        *dict.fromkeys(
            row["row"] for row in rows("comparison of confidences", "ranking-error-auroc", "rows")
        )
    ]
    value = {name: found[name].numbers["error_auroc"].value for name in higher}
    assert higher == sorted(value, key=value.__getitem__, reverse=True)


def test_a_difference_is_read_by_its_word():
    deltas = artifact("comparison").pairs[0].deltas["llm"]
    for row in rows("comparison", "differences", "rows"):
        delta = deltas[row["row"]]
        assert (row["value"], row["low"], row["high"]) == (delta.delta, *delta.interval)
        assert row["reading"] == (delta.word or "cannot tell")


def only(name):
    """Return the first system of an artifact whose family knows no variants."""
    return artifact(name).systems[0].variants[""]


def test_a_reliability_diagram_has_every_bin_with_rows():
    bins = only("calibration").parts.reliability
    shown = rows("calibration", "reliability", "bins")
    filled = [each for each in bins if each.count]
    assert [row["count"] for row in shown] == [each.count for each in filled]
    assert [(row["low"], row["high"]) for row in shown] == [each.interval for each in filled]
    assert [row["happened"] for row in shown] == [each.accuracy for each in filled]


def test_a_bin_without_an_interval_is_hollow_and_says_so():
    found, variant = artifact("calibration"), only("calibration")
    bins = [
        msgspec.structs.replace(each, interval=None, interval_reason="no\x1b spread")
        if number == 0
        else each
        for number, each in enumerate(variant.parts.reliability)
    ]
    parts = msgspec.structs.replace(variant.parts, reliability=bins)
    changed = {"": msgspec.structs.replace(variant, parts=parts)}
    system = msgspec.structs.replace(found.systems[0], variants=changed)
    first, *_ = figures(msgspec.structs.replace(found, systems=[system]))
    assert [row["hollow"] for row in first.spec["datasets"]["bins"]][:2] == [True, False]
    assert "Hollow: bins without an interval (no\\x1b spread)." in first.caption
    svg = rendered(first, "svg").decode()
    assert "hollow: no interval" in svg
    assert "ollow" not in shown("calibration", "reliability").caption
    assert "ollow" not in rendered(shown("calibration", "reliability"), "svg").decode()


def test_the_band_of_cumulative_differences_lies_around_zero():
    walk = only("calibration").parts.cumulative
    steps = rows("calibration", "cumulative-differences", "steps")
    assert [step["difference"] for step in steps] == walk.difference
    assert [step["high"] for step in steps] == walk.band
    assert [-step["low"] for step in steps] == walk.band


def test_empirical_coverage_is_drawn_against_the_nominal_one():
    curves = [each.parts.curve for each in artifact("intervals of two").systems]
    levels = rows("intervals of two", "coverage", "levels")
    assert [row["claimed"] for row in levels] == [*curves[0].nominal, *curves[1].nominal]
    assert [row["found"] for row in levels] == [*curves[0].empirical, *curves[1].empirical]


def test_widths_are_those_of_the_quantiles():
    (level,) = artifact("intervals").systems[0].variants.values()
    widths = rows("intervals", "widths", "widths")
    at = {row["share"]: row["width"] for row in widths}
    assert len(at) == 101
    for share in ("0.05", "0.25", "0.50", "0.75", "0.95"):
        assert at[float(share)] == level.numbers[f"width_quantile@{share}"].value


def test_a_confusion_matrix_has_true_verdicts_as_rows():
    system = artifact("verdicts").systems[0]
    verdicts = artifact("verdicts").parts.policy.verdicts
    cells = {
        (row["true"], row["given"]): row["n"] for row in rows("verdicts", "confusion", "cells")
    }
    for true, counts in zip(verdicts, system.parts.confusion, strict=True):
        assert [cells[true, given] for given in verdicts] == counts


def test_precision_and_recall_are_those_of_each_threshold():
    step = artifact("verdicts").systems[0].parts.thresholds[0]
    points = rows("verdicts", "precision-recall", "points")
    own = [point for point in points if point["name"] == step.name]
    assert [point["precision"] for point in own] == step.curve.precision
    assert [point["recall"] for point in own] == step.curve.recall


def test_a_step_with_cases_on_one_side_only_has_no_curve_and_the_others_keep_their_areas():
    found = artifact("verdicts")
    first = found.systems[0]
    one_sided, *others = first.parts.thresholds
    steps = [msgspec.structs.replace(one_sided, curve=None), *others]
    parts = msgspec.structs.replace(first.parts, thresholds=steps)
    system = msgspec.structs.replace(first, parts=parts)
    (figure,) = [
        each
        for each in figures(msgspec.structs.replace(found, systems=[system]))
        if each.name == "precision-recall"
    ]
    kept = [each.name for each in others]
    assert list(dict.fromkeys(row["name"] for row in figure.spec["datasets"]["points"])) == kept
    area = system.variants[""].numbers["threshold_auprc@2.00"].value
    assert f"{kept[0]} {area:.3f}" in figure.alt


def test_rows_of_text_keep_their_height_however_wide_a_figure_is():
    ranking = shown("comparison of confidences", "ranking-aurc")
    curve = shown("comparison", "risk-coverage")
    heights = [styled(ranking, "screen", width=width)["height"] for width in (300, 900)]
    assert heights == [{"step": 46.0, "for": "position"}] * 2
    assert [styled(curve, "screen", width=width)["height"] for width in (320, 960)] == [200, 600]


def test_quotations_are_counted_by_status():
    statuses = artifact("verdicts").systems[0].parts.snippets.statuses
    shown = {row["kind"]: row["n"] for row in rows("verdicts", "quotations", "counts")}
    assert shown == {kind: n for kind, n in statuses.items() if n or kind != "unchecked"}


def test_the_gap_shows_the_chosen_reading_and_ticks_of_the_others():
    (row,) = rows("reasoning of one", "faithfulness-gap", "rows")
    assert (row["value"], row["low"], row["high"]) == (0.125, 0.0, 0.1875)
    (other,) = rows("reasoning of one", "faithfulness-gap", "others")
    assert (other["name"], other["value"]) == ("loose", -0.25)
    assert "The sign depends on the reading" in shown("reasoning of one", "faithfulness-gap").alt


def test_silent_bias_without_biased_answers_has_no_dot_and_says_so():
    first, second = rows("reasoning of one", "silent-bias", "rows")
    assert (first["row"], first["value"], first["text"]) == (
        "age",
        0.75,
        "0.750 [0.188, 0.938]  n 4",
    )
    assert (second["row"], second["value"], second["text"]) == ("race", None, "\N{EN DASH}  n 0")


@pytest.mark.parametrize(
    ("name", "figure", "words"),
    [
        ("selective", "risk-coverage", "AURC: zero_shot 0.0"),
        ("comparison", "differences", "few_shot minus zero_shot, aurc: "),
        ("calibration", "reliability", "ECE: p 0."),
        ("intervals", "coverage", "table.csv covers 0."),
        ("sets", "set-sizes", "Mean size 1."),
        ("verdicts", "confusion", "27 of 39 verdicts are right."),
        ("reasoning", "silent-bias", "model 0, age: 75.0% of 4 biased."),
    ],
)
def test_the_words_for_a_figure_tell_its_key_number(name, figure, words):
    assert words in shown(name, figure).alt


HOSTILE = [
    "<script>alert(1)</script>",
    "</svg><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "a\x00b\x1b[31m",
    "\u202egnp.exe",
    "x" * 1_000_000,
    "x" * 999_999 + "y",
    "datum.n === 1 || signal",
]


def test_hostile_names_are_short_printable_and_distinct():
    found = labels(HOSTILE)
    assert len({*found}) == len(HOSTILE)
    assert all(each.isprintable() and len(each) <= 48 for each in found)


@pytest.mark.parametrize("name", ["calibration of two", "verdicts of two", "reasoning"])
def test_hostile_names_are_drawn_as_text(name):
    both = HOSTILE[1] + HOSTILE[0], HOSTILE[3] + HOSTILE[4] + HOSTILE[6]
    for figure in figures(_renamed(artifact(name), *both)):
        svg = rendered(figure, "svg").decode()
        assert "<script" not in svg
        assert "<img" not in svg
        assert "\x00" not in svg
        assert len(svg) < 300_000


def _renamed(found, *names):
    renamed = [
        msgspec.structs.replace(each, name=name)
        for each, name in zip(found.systems, names, strict=True)
    ]
    return msgspec.structs.replace(found, systems=renamed)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("style", STYLES)
def test_lines_stand_out_from_the_ground_and_text_even_more(style):
    look = config(style)
    ground = look["background"] if look["background"] != "transparent" else "#161B22"
    assert all(_contrast(each, ground) >= 3 for each in look["range"]["category"])
    for text in (look["axis"]["labelColor"], look["style"]["note"]["color"]):
        assert _contrast(text, ground) >= 4.5
    ink = look["style"]["cell"]["color"]
    assert all(_contrast(ink, each) >= 4.5 for each in look["range"]["heatmap"])
