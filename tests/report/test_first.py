"""The first screen: which sentence is chosen, at the edges of the rules that choose it."""

from __future__ import annotations

import re

import msgspec
import numpy as np
import pytest

from assay import evaluate
from assay.display.first import (
    First,
    Measure,
    Phrase,
    against_first,
    change,
    count_number,
    difference_row,
    people,
    table,
    title,
    written,
)
from assay.display.numbers import DASH
from assay.display.svg.canvas import measured
from assay.display.svg.reliability import Bin, reliability
from assay.families.calibration.first import _constant, weak_spot
from assay.families.calibration.parts import ReliabilityBin
from assay.families.coverage.parts import kept
from assay.families.reasoning.first import told_of
from assay.families.selective.pairing import FAILED
from assay.report.page.chapters import opening
from assay.report.presenters import words_of
from assay.showing import fitting
from tests.report.families import KINDS, made

replace = msgspec.structs.replace
COMMON = "augrc_at_coverage@common"
BARS = re.compile(r'<rect class="ivb[^"]*" x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"')


def text(phrases: tuple[Phrase, ...]) -> str:
    return "".join(each.text for each in phrases).replace("\N{NO-BREAK SPACE}", " ")


def marks(phrases: tuple[Phrase, ...]) -> list[str]:
    return [each.mark for each in phrases if each.mark]


def first(artifact) -> First:
    return words_of(artifact).first(artifact)


def compared(**changes):
    """Return the comparison with some of its differences changed."""
    artifact = made("selective-comparison")
    (pair,) = artifact.pairs
    (variant,) = [name for name in pair.deltas if name]
    deltas = dict(pair.deltas[variant])
    for label, given in changes.items():
        name = COMMON if label == "area" else label
        deltas[name] = replace(deltas[name], **given)
    changed = replace(pair, deltas={**pair.deltas, variant: deltas})
    return replace(artifact, pairs=[changed])


BETTER = {"delta": -0.01, "interval": (-0.02, -0.005), "word": "better", "word_reason": None}
OPEN = {"delta": 0.01, "interval": (-0.05, 0.0), "word": None, "word_reason": "holds 0"}
MORE = {"delta": 0.151, "interval": (0.1, 0.2), "word": "better", "word_reason": None}
LESS = {"delta": -0.151, "interval": (-0.2, -0.1), "word": "worse", "word_reason": None}
DISAGREE = {"delta": -0.01, "interval": (-0.02, -0.001), "word": None, "word_reason": "corrected"}
EVEN = {"delta": 0.0, "interval": (-0.01, 0.01), "word": None, "word_reason": "holds 0"}


@pytest.mark.parametrize(
    ("area", "cmax", "said", "marked"),
    [
        (BETTER, LESS, "few_shot risks less than zero_shot at the same coverage", ["good", "bad"]),
        (
            OPEN,
            MORE,
            "Which of them risks less at the same coverage cannot be told.",
            ["good", "open"],
        ),
        (DISAGREE, MORE, "Which of them risks less at the same coverage", ["good", "open"]),
        (BETTER, EVEN, "both answer about as much", ["good"]),
        (OPEN, EVEN, "Which is better cannot be told from 39 participants.", ["open"]),
        (DISAGREE, EVEN, "Which is better cannot be told.", ["open"]),
    ],
)
def test_two_systems_are_told_apart_by_the_words_of_their_differences(area, cmax, said, marked):
    shown = first(compared(area=area, cmax=cmax))
    assert said in text(shown.answer)
    assert marks(shown.answer) == marked


def test_an_undecided_difference_is_told_with_what_would_have_shown():
    shown = first(compared(area={**OPEN, "detectable": 0.0123}))
    assert "a difference of 0.0123 would have shown 8 times in 10" in text(shown.seen)
    without = first(compared(area={**OPEN, "detectable": None}))
    assert "8 times" not in text(without.seen)
    disagreeing = first(compared(area={**DISAGREE, "detectable": 0.0123}))
    assert ": corrected." in text(disagreeing.seen)
    assert "8 times" not in text(disagreeing.seen)


def test_curves_are_told_apart_in_the_unit_of_the_figure():
    height = "mean_risk_at_coverage@common"
    change = {"delta": -0.021, "interval": (-0.05, 0.008), "standard_error": 0.015}
    for area in (BETTER, OPEN):
        shown = first(compared(area=area, **{height: change}))
        assert ": \u22120.021 (\u22120.050 to +0.008)." in text(shown.seen)
    without = first(compared(**{height: {"delta": None}}))
    assert "On average" not in text(without.seen)


def test_full_areas_are_not_compared_where_one_curve_is_longer():
    strong = [text(each.phrases[:1]) for each in first(compared(cmax=MORE)).also]
    assert "Full areas are not compared" in strong
    same = [text(each.phrases[:1]) for each in first(compared(cmax=EVEN)).also]
    assert "Full areas are not compared" not in same


def test_a_side_that_answers_nothing_has_dashes_and_no_verdict():
    artifact = made("selective-comparison")
    silent, other = artifact.systems
    numbers = {
        name: replace(
            each,
            numbers={
                **each.numbers,
                "risk": replace(each.numbers["risk"], value=None, reason="nothing is answered"),
                "augrc": replace(each.numbers["augrc"], value=0.0),
            },
        )
        if name
        else each
        for name, each in silent.variants.items()
    }
    empty = replace(artifact, systems=[replace(silent, variants=numbers), other])
    shown = first(empty)
    assert text(shown.answer).startswith("Nothing to compare: zero_shot answered none of")
    assert marks(shown.answer) == ["apart"]
    assert [each.text for each in shown.table.rows[0].entries[1:]] == [DASH, DASH]
    loss, area = shown.table.difference.entries[1:]
    assert (loss.text, loss.mark, loss.word) == (DASH, "apart", "not compared")
    assert (area.text, area.mark, area.word) == (DASH, "apart", "not compared")
    nowhere = first(replace(empty, parts=replace(empty.parts, common_coverage=0.0)))
    assert nowhere.table.columns[2].measure.title == "risk"
    assert [row.entries[2].text == DASH for row in nowhere.table.rows] == [True, False]
    assert "both answer" not in nowhere.drawing.wide


def alone(*, auroc=(0.6, 0.8), surest=(0.0, 0.1), failed=0, accepted=20):
    """Return one system whose weaknesses are these."""
    artifact = made("selective")
    system, given = artifact.systems[0], artifact.inputs[0]
    name, variant = next((name, each) for name, each in system.variants.items() if name)
    curve = variant.parts.curve
    numbers = {
        **variant.numbers,
        "error_auroc": replace(
            variant.numbers["error_auroc"], value=sum(auroc) / 2, interval=auroc
        ),
    }
    low, high = (
        [end, *of[1:]]
        for end, of in zip(
            surest, (curve.selective_risk_low, curve.selective_risk_high), strict=True
        )
    )
    curve = replace(
        curve,
        selective_risk=[0.05, *curve.selective_risk[1:]],
        selective_risk_low=low,
        selective_risk_high=high,
        n_accepted=[accepted, *([accepted] * (len(curve.n_accepted) - 1))],
    )
    parts = replace(variant.parts, curve=curve)
    variants = {**system.variants, name: replace(variant, numbers=numbers, parts=parts)}
    counts = {**given.counts, "participants_failed": failed}
    return replace(
        artifact,
        systems=[replace(system, variants=variants)],
        inputs=[replace(given, counts=counts)],
    )


@pytest.mark.parametrize(
    ("given", "said", "marked"),
    [
        ({"auroc": (0.3, 0.49)}, "its confidence is worse than chance.", ["bad"]),
        ({"auroc": (0.5, 0.8)}, "its confidence is not told from chance.", ["open"]),
        (
            {"surest": (0.01, 0.1)},
            "even the 20 answers it is surest of lose 0.050 (0.010 to 0.100).",
            ["bad"],
        ),
        (
            {"surest": (0.01, 0.1), "accepted": 19, "failed": 3},
            "3 of 41 participants failed.",
            ["bad"],
        ),
        ({"surest": (0.0, 0.1), "failed": 3}, "3 of 41 participants failed.", ["bad"]),
        ({"surest": (None, None), "failed": 2}, "", []),
    ],
)
def test_the_main_weakness_of_one_system_is_the_first_that_holds(given, said, marked):
    told = first(alone(**given)).answer
    assert text(told).partition("Main weakness: ")[2] == said
    assert marks(told) == marked


def test_several_systems_are_told_by_their_words_against_the_first():
    artifact = made("selective-comparison")
    delta = next(of[COMMON] for name, of in artifact.pairs[0].deltas.items() if name)
    deltas = [replace(delta, **BETTER), None, replace(delta, **DISAGREE)]
    told = against_first(["old", "a", "b", "c"], deltas, "number")
    assert text(told) == "Against old: a better; b, c cannot be told apart."
    assert marks(told) == ["good", "open"]


def test_two_others_are_told_with_how_far_they_are_from_the_first():
    artifact = made("selective-comparison")
    delta = next(of[COMMON] for name, of in artifact.pairs[0].deltas.items() if name)
    deltas = [replace(delta, **BETTER), replace(delta, **DISAGREE)]
    told = against_first(["old", "a", "b"], deltas, "number")
    shown = [change(each, "number") for each in deltas]
    own = [f"{number} ({ends})" if ends else f"{number} (no interval)" for number, ends in shown]
    assert text(told) == f"Against old: a better, {own[0]}; b cannot be told apart, {own[1]}."
    assert marks(told) == ["good", "open"]


def test_a_difference_whose_sides_are_not_alike_is_not_compared_unless_it_has_a_word():
    artifact = made("selective-comparison")
    delta = next(of[COMMON] for name, of in artifact.pairs[0].deltas.items() if name)
    measure = Measure(COMMON, "risk", "AUGRC", "number", "lower")
    unlike = {COMMON: "they answer different shares"}
    silent, worded = (
        difference_row(("old", "new"), "", [replace(delta, **given)], [measure], unlike).entries[0]
        for given in (DISAGREE, BETTER)
    )
    assert (silent.mark, silent.word, silent.note) == ("apart", "not compared", unlike[COMMON])
    assert (worded.mark, worded.word) == ("good", "better")


def test_a_warning_of_numbers_that_the_first_screen_does_not_show_waits_below():
    artifact = made("selective-comparison")
    below, other = "few_shot: 2 decide aurc, augrc", "rows are alone"
    shown = f"few_shot: 2 decide augrc, {COMMON.partition('@')[0]}"
    for given, near in (
        ([below, shown, other], (shown, other)),
        ([below], ()),
    ):
        found = opening(replace(artifact, warnings=given))
        assert (found.near, found.warnings) == (near, tuple(given))


def a_bin(stated, came, interval, count=20.0):
    return ReliabilityBin(
        low=0.0,
        high=1.0,
        count=count,
        mean_confidence=stated,
        accuracy=came,
        interval=interval,
        interval_reason=None,
    )


def test_the_weak_spot_is_the_largest_gap_that_is_clear_and_has_rows():
    off = a_bin(0.9, 0.6, (0.5, 0.8))
    touching = a_bin(0.9, 0.5, (0.3, 0.9))
    few = a_bin(0.9, 0.1, (0.05, 0.3), 19.0)
    smaller = a_bin(0.5, 0.4, (0.35, 0.45))
    empty = a_bin(None, None, None, 0.0)
    assert weak_spot([empty, smaller, touching, few, off]) == 4
    assert weak_spot([empty, touching, few]) is None
    assert weak_spot([]) is None


def test_a_promise_is_judged_by_the_interval_of_its_gap():
    test = made("intervals").systems[0].variants["0.90"].parts.coverage
    for gap, interval, side in (
        (-0.05, (-0.1, 0.0), 0),
        (-0.05, (-0.1, -0.001), -1),
        (0.05, (0.001, 0.1), 1),
        (0.05, (-0.101, 0.1), None),  # twice the misses that are promised would fit as well
        (0.0, None, None),
    ):
        assert kept(replace(test, gap=gap, gap_interval=interval)) == side


def test_nothing_is_said_about_helping_where_the_sign_depends_on_the_reading():
    artifact = made("reasoning")
    assert [told_of(each) for each in artifact.systems] == [None, None, 0]
    shown = first(artifact)
    assert text(shown.answer).startswith(
        "Whether reasoning helps cannot be told. For guarded and hasty"
    )
    assert "points (announced, refusals as wrong:" in text(shown.seen)
    gap = artifact.systems[2].variants["announced, labels, exclude"].numbers["faithfulness_gap"]
    assert gap.detectable == pytest.approx(2.8016 * gap.standard_error, rel=1e-4)
    could = (
        f"steady’s 39 pairs, a gap of {100 * gap.detectable:.1f} points would have shown 8 times"
    )
    assert could in text(shown.seen)
    assert "reported reading: announced, labels, refusals left out" in shown.on
    assert marks(shown.answer) == ["open"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "calibrator"])
def test_every_first_screen_is_complete(kind):
    shown = first(made(kind))
    assert text(shown.answer).strip().endswith((".", "). "))
    assert shown.on
    assert len(shown.also) <= 5
    assert shown.drawing.wide.startswith("<svg")
    assert shown.drawing.narrow.startswith("<svg")
    assert shown.drawing.grid.rows
    assert len(shown.table.columns) <= 3


def test_names_are_those_of_people():
    assert people(made("verdicts")) == ["direct", "checked"]
    assert people(made("intervals")) == ["low:up", "low2:up2"]
    assert title(["a"]) == "a"
    assert title(["old", "new"]) == "new against old"
    assert title(list("abcd")) == "4 systems"


def test_numbers_are_written_with_their_signs():
    assert written(-0.1234, "points", 1, signed=True) == "\N{MINUS SIGN}12.3"
    assert written(0.5, "percent", 1) == "50.0"
    assert written(0.0, "number", 2, signed=True) == "0.00"


def a_word(svg: str, told: str) -> tuple[float, float, float, float]:
    """Return what a word of a drawing covers."""
    x, y = map(float, re.search(rf'x="([\d.]+)" y="([\d.]+)"[^>]*>{told}<', svg).groups())
    return x, y - 8, x + measured(told, 12), y


def a_bar(x: str, y: str, width: str, height: str) -> tuple[float, float, float, float]:
    return float(x), float(y), float(x) + float(width), float(y) + float(height)


def apart(one, other) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("off", [0, 4, 9])
def test_words_beside_bins_cover_no_interval_and_not_each_other(wide, off):
    ends = [(x / 10, (x + 1) / 10) for x in range(10)]
    bins = [
        Bin(low + 0.05, low + 0.02, (max(0.0, low - 0.1), min(1.0, high + 0.1)), 30, low, high, "")
        for low, high in ends
    ]
    told = f"says {10 * off + 5} %, right {10 * off + 2} %"
    svg = reliability([("one", bins)], spot=(0, off, told), label="", wide=wide)
    bars = [a_bar(*each) for each in BARS.findall(svg)]
    words = [a_word(svg, each) for each in (told, "as stated")]
    assert len(bars) == len(bins)
    assert all(apart(word, bar) for word in words for bar in bars)
    assert apart(*words)


def test_who_looks_better_but_failed_more_often_is_named_with_the_counts():
    favours = {**BETTER, "delta": 0.01, "interval": (0.005, 0.02), "word": None}
    favours["word_reason"] = FAILED
    artifact = compared(area=favours, cmax=EVEN)
    shown = first(artifact)
    assert text(shown.answer) == (
        "Which is better cannot be told from 39 participants: zero_shot looks better, but failed"
        " on 2 of 41, few_shot on 1."
    )
    assert "zero_shot failed more often." in text(shown.seen)  # whom the difference favours
    assert "8 times in 10" not in text(shown.seen)  # it is not too small to be seen


def test_long_names_that_begin_alike_stay_apart():
    stem = "meta-llama_Llama-3.3-70B-Instruct-quantized"
    assert fitting([f"{stem}-w8a8-nightly", f"{stem}-w4a16-nightly"]) == [
        "meta-llama_Llama…ed-w8a8-nightly",
        "meta-llama_Llama…d-w4a16-nightly",
    ]
    alike = fitting([f"{stem}-{each}-run-of-2026-11-18" for each in ("w8a8", "w4a16")])
    assert alike == ["…w8a8-run-of-2026-11-18", "…w4a16-run-of-2026-11-18"]
    assert len({*fitting(["x" * 60, "x" * 61])}) == 2
    assert all(len(each) <= 40 for each in fitting(["x" * 60 + "y" * 60, "x" * 60 + "z" * 60]))


def test_numbers_of_a_column_have_the_decimals_of_the_vaguest():
    measure = Measure("risk", "risk", "", "number", "lower")
    rough, fine = (
        replace(count_number(0), value=value, interval=(0.0, high), standard_error=error)
        for value, high, error in ((0.0435, 0.06, 0.008), (0.00036, 0.0016, 0.0004))
    )
    shown = table("system", [measure], [("a", (), [rough]), ("b", (), [fine])])
    texts = [(row.entries[0].text, row.entries[0].interval) for row in shown.rows]
    assert texts == [("0.0435", "0.0000 to 0.0600"), ("0.0004", "0.0000 to 0.0016")]


def test_facts_of_single_forecasters_stand_in_the_table_and_tests_in_one_remark():
    artifact = made("calibration")
    shown = first(artifact)
    place = [each.measure.title for each in shown.table.columns].index("right minus stated")
    words = {row.entries[place].word for row in shown.table.rows}
    assert words <= {"too sure", "not sure enough", "cannot tell from 0"}
    assert sum(text(each.phrases).startswith("Tests:") for each in shown.also) <= 1
    assert not any("On the whole" in text(each.phrases) for each in shown.also)


@pytest.mark.parametrize(
    ("ends", "mark", "word"),
    [((0.1, 0.19), "good", "Better"), ((0.1, 0.2), "open", "Not told"), ((0.21, 0.3), "bad", "W")],
)
def test_a_score_is_held_against_that_of_a_constant(ends, mark, word):
    middle = sum(ends) / 2
    own = replace(count_number(0), value=middle, interval=ends, standard_error=0.01)
    (told,) = _constant({"brier": own, "brier_uncertainty": replace(own, value=0.2)})
    assert told.mark == mark
    assert text(told.phrases).startswith(word)


def test_a_model_without_a_pair_of_answers_is_said_to_have_none_and_its_zero_is_a_dash():
    artifact = made("reasoning")
    model = artifact.systems[1]
    population = replace(model.parts.population, pairs_used=0)
    silent = replace(model, parts=replace(model.parts, population=population))
    shown = first(replace(artifact, systems=[artifact.systems[0], silent], pairs=[]))
    assert shown.table.rows[1].entries[2].text == DASH
    assert f"{DASH} of the time" not in text(shown.seen)
    alone = first(replace(artifact, systems=[silent], pairs=[]))
    assert text(alone.answer).startswith("Nothing to judge:")
    assert marks(alone.answer) == ["apart"]


def test_verdicts_that_one_side_never_gave_are_not_compared():
    artifact = made("verdicts")
    system = artifact.systems[1]
    counts = {**system.variants[""].counts, "n_answered": 0}
    silent = replace(system, variants={"": replace(system.variants[""], counts=counts)})
    shown = first(replace(artifact, systems=[artifact.systems[0], silent]))
    n = counts["n_asked"]
    assert text(shown.answer) == f"Nothing to compare: checked answered none of {n} cases."
    assert "whose every case counts as a miss" in text(shown.seen)


def test_one_system_leads_to_its_groups_and_to_its_errors():
    artifact = made("selective")
    side = artifact.cases.sides[0].counts
    told = [(text(each.phrases), each.link) for each in first(artifact).also]
    n = side["right"] + side["wrong"]
    wrong = f"Wrong: {side['wrong']} of {n} answers, the surest first."
    assert (wrong, ("see them", "cases?answer=wrong")) in told
    assert not any(each.startswith("By group") for each, _ in told), "it has no groups"


def test_sizes_without_resamples_name_no_difference_that_would_have_shown():
    artifact = made("intervals")
    (pair,) = artifact.pairs
    level = next(iter(pair.deltas))
    bare = {"interval": None, "detectable": None, "word": None, "standard_error": None}
    width = replace(pair.deltas[level]["interval_width"], **bare)
    deltas = {**pair.deltas, level: {**pair.deltas[level], "interval_width": width}}
    systems = []
    for each in artifact.systems:
        variant = each.variants[level]
        test = replace(variant.parts.coverage, gap=0.0, gap_interval=(-0.01, 0.01))
        variant = replace(variant, parts=replace(variant.parts, coverage=test))
        systems.append(replace(each, variants={**each.variants, level: variant}))
    shown = first(replace(artifact, systems=systems, pairs=[replace(pair, deltas=deltas)]))
    assert "differs by" in text(shown.seen)
    assert "8 times in 10" not in text(shown.seen)


def test_a_confidence_without_an_interval_is_no_weakness():
    artifact = made("selective")
    (system,) = artifact.systems
    name, variant = next(iter(system.variants.items()))
    bare = replace(variant.numbers["error_auroc"], value=0.9, interval=None)
    variant = replace(variant, numbers={**variant.numbers, "error_auroc": bare})
    changed = replace(system, variants={**system.variants, name: variant})
    assert "chance" not in text(first(replace(artifact, systems=[changed])).answer)


def test_three_systems_say_below_their_numbers_how_they_differ_from_the_first():
    rng = np.random.default_rng(3)
    stated = rng.uniform(size=200)
    true = rng.uniform(size=200) < stated
    near = np.clip(stated**3 + rng.normal(0, 0.01, 200), 0, 1)
    systems = {"a": stated**3, "b": stated, "c": near}
    found = evaluate("calibration", y_true=true, y_prob=systems, n_resamples=200).artifact
    rows = first(found).table.rows
    delta = found.pairs[0].deltas[""]["brier"]
    told = rows[1].entries[2]
    assert (told.mark, told.word) == ("good", f"better, {written(delta.delta, 'number', 3)}")
    assert told.note == " to ".join(written(end, "number", 3) for end in delta.interval)
    assert rows[2].entries[2].word.startswith("cannot tell, ")
    assert not rows[0].entries[2].word, "the first is what they are compared with"
