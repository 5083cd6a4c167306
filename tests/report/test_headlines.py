"""What a headline says: the number, its interval, and "cannot tell" where that is so."""

from __future__ import annotations

import re

import msgspec
import pytest

from assay.artifact import Delta, Scalar
from assay.display.blocks import Sketch
from assay.display.numbers import excludes
from assay.display.statement import (
    Statement,
    difference,
    held,
    named,
    number,
    percentage,
    point_share,
    share,
)
from assay.inference import Plan
from assay.report.page import page
from assay.report.presenters import summary, words_of
from tests.families.selective import examples
from tests.report.families import KINDS, made, shape_of
from tests.report.views import blocks_of
from tests.selective_artifacts import evaluate


def headline(artifact):
    return tuple(words_of(artifact).headline(artifact))


SCALAR = Scalar(
    options={},
    value=0.25,
    reason=None,
    interval=(0.2, 0.3),
    interval_reason=None,
    standard_error=0.02,
    n_undefined=0,
)
DELTA = Delta(
    left=0.3,
    right=0.25,
    delta=-0.05,
    reason=None,
    interval=(-0.08, -0.02),
    interval_reason=None,
    standard_error=0.015,
    p_value=0.01,
    p_holm=0.01,
    n_undefined=0,
)


def changed(record, **fields):
    return msgspec.structs.replace(record, **fields)


@pytest.mark.parametrize(
    ("delta", "word", "tone", "end"),
    [
        (
            changed(DELTA, interval=(-0.05, -0.05)),
            None,
            "open",
            "-0.050 [-0.050, -0.050], an interval without width: cannot tell.",
        ),
        (
            DELTA,
            "better",
            "good",
            "-0.050 [-0.080, -0.020]. The interval excludes 0: new is better.",
        ),
        (
            changed(DELTA, interval=(0.02, 0.08), delta=0.05),
            "worse",
            "bad",
            "+0.050 [0.020, 0.080]. The interval excludes 0: new is worse.",
        ),
        (
            DELTA,
            "worse",
            "bad",
            "-0.050 [-0.080, -0.020]. The interval excludes 0: new is worse.",
        ),
        (
            DELTA,
            "differs",
            "plain",
            "-0.050 [-0.080, -0.020]. The interval excludes 0: they differ.",
        ),
        (
            changed(DELTA, interval=(-0.08, 0.0)),
            None,
            "open",
            "-0.050 [-0.080, 0.000]. The interval holds 0: cannot tell which is better.",
        ),
        (
            changed(DELTA, word_reason="one failed more often"),
            None,
            "open",
            "-0.050 [-0.080, -0.020]. One failed more often: cannot tell which is better.",
        ),
        (
            changed(DELTA, delta=None, interval=None, reason="minus infinite"),
            "better",
            "good",
            "\N{MINUS SIGN}∞, one side is infinite: new is better.",
        ),
        (
            changed(DELTA, interval=None, interval_reason="one participant"),
            None,
            "open",
            "-0.050, without an interval (one participant): cannot tell.",
        ),
        (
            changed(DELTA, delta=None, reason="nothing is answered"),
            None,
            "open",
            "the difference is undefined (nothing is answered).",
        ),
    ],
)
def test_a_difference_is_told_with_what_can_be_known(delta, word, tone, end):
    found = difference(changed(delta, word=word), ("old", "new"), "risk")
    assert found == Statement(f"new against old, risk: {end}", tone)


def test_a_difference_of_shares_is_told_in_percentage_points():
    better = changed(DELTA, word="better")
    found = difference(better, ("old", "new"), "recall", of_shares=True)
    end = "-5.0 points [-8.0, -2.0]. The interval excludes 0: new is better."
    assert found == Statement(f"new against old, recall: {end}", "good")
    assert point_share(0.184, None) == "+18.4 points"
    assert point_share(None, None) == "undefined"


@pytest.mark.parametrize(
    ("most", "others"), [(0, "one more confidence"), (-1, "2 more confidences")]
)
def test_what_is_left_to_the_tables_is_counted(monkeypatch, most, others):
    monkeypatch.setattr("assay.families.selective.words.MOST_CONFIDENCES", most)
    said = f"few_shot against zero_shot: differences under {others} are in the tables."
    assert said in told(made("selective-comparison"))


@pytest.mark.parametrize(
    ("most", "others"),
    [(2, "One more comparison is in the tables."), (1, "2 more comparisons are in the tables.")],
)
def test_comparisons_left_to_the_tables_are_counted(monkeypatch, most, others):
    monkeypatch.setattr("assay.families.reasoning.words.MOST_COMPARED", most)
    assert others in told(made("reasoning"))


def test_the_weakest_part_is_named_as_in_the_figures():
    intervals = made("intervals")
    second = intervals.systems[1]
    ((key, level),) = second.variants.items()
    weak = changed(level.parts.least_size, name="3", coverage=0.6, interval=(0.5, 0.7), n=30)
    parts = changed(level.parts, least_size=weak, least_group=changed(weak, name="z"))
    record = changed(second, variants={key: changed(level, parts=parts)})
    found = told(changed(intervals, systems=[record], pairs=[]))
    end = "60.0% [50.0%, 70.0%] of 30 rows against the claim of 90%."
    assert f"low2:up2: least is covered in part 3 by width, {end}" in found
    assert f"low2:up2: least is covered in group z, {end}" in found


def test_advice_is_one_sentence_and_what_to_do():
    found = told(made("verdicts"))
    assert (
        "direct.json: low evidence precision: evidence is cited that the ground truth does not"
        " have. Next: "
    ) in found
    assert "macro F1: " in found


def test_numbers_come_with_intervals_and_reasons():
    assert number(SCALAR) == "0.250 [0.200, 0.300]"
    assert percentage(SCALAR) == "25.0% [20.0%, 30.0%]"
    assert number(changed(SCALAR, interval=None)) == "0.250"
    undefined = changed(SCALAR, value=None, reason="nothing is answered")
    assert number(undefined) == percentage(undefined) == "undefined (nothing is answered)"
    assert share(None, None) == "undefined"
    assert [excludes(each, 0.5) for each in (None, (0.4, 0.5), (0.6, 0.7), (0.1, 0.2))] == [
        0,
        0,
        1,
        -1,
    ]
    assert named("x\n" * 100) == "x\\n" * 19 + "x\\…"


@pytest.mark.parametrize("kind", KINDS)
def test_every_family_says_something_with_a_number_in_it(kind):
    found = headline(made(kind))
    assert found
    assert any(character.isdigit() for each in found for character in each.text)


def told(artifact):
    return " ".join(f"[{each.tone}] {each.text}" for each in headline(artifact))


def with_number(artifact, label, chosen):
    """Give the one system another number under every confidence."""
    (system,) = artifact.systems
    variants = dict(system.variants)
    for name, each in system.variants.items():
        if name:
            value, interval = chosen(name)
            number = changed(each.numbers[label], value=value, interval=interval)
            variants[name] = changed(each, numbers={**each.numbers, label: number})
    return changed(artifact, systems=[changed(system, variants=variants)])


def test_a_confidence_is_compared_with_chance():
    artifact = made("selective")

    def with_auroc(value, interval):
        return told(with_number(artifact, "error_auroc", lambda _: (value, interval)))

    assert "70.0% [60.0%, 80.0%] of the time: better than chance" in with_auroc(0.7, (0.6, 0.8))
    assert "40.0% [30.0%, 45.0%] of the time: worse than chance" in with_auroc(0.4, (0.3, 0.45))
    assert "[open] few_shot: verbalized" in with_auroc(0.55, (0.45, 0.6))
    assert "without an interval, cannot tell from chance" in with_auroc(0.7, None)
    assert "wrong one: undefined" in with_auroc(None, None)


def test_overlapping_confidences_cannot_be_told_apart():
    artifact = made("selective")
    apart = {"verbalized": (0.01, (0.009, 0.011)), "token_msp": (0.05, (0.04, 0.06))}

    def with_areas(areas):
        return told(with_number(artifact, "augrc", areas.get))

    assert "[good] few_shot: of 2 confidences verbalized has the lowest AUGRC" in with_areas(apart)
    together = apart | {"token_msp": (0.05, (0.005, 0.06))}
    assert "cannot tell it from token_msp: intervals overlap" in with_areas(together)
    assert "cannot tell it from" in with_areas(apart | {"token_msp": (0.05, None)})


def test_coverage_is_told_against_the_claim():
    artifact = made("sets")
    (system,) = artifact.systems
    ((key, level),) = system.variants.items()

    def with_gap(coverage, gap, interval):
        test = changed(level.parts.coverage, coverage=coverage, gap=gap, gap_interval=interval)
        variants = {key: changed(level, parts=changed(level.parts, coverage=test))}
        return told(changed(artifact, systems=[changed(system, variants=variants)]))

    assert "[bad]" in with_gap(0.8, -0.1, (-0.15, -0.05))
    assert "too few, more is promised than kept" in with_gap(0.8, -0.1, (-0.15, -0.05))
    assert "more than claimed" in with_gap(0.97, 0.07, (0.05, 0.09))
    assert "cannot tell it from the claim" in with_gap(0.9, 0.0, (-0.02, 0.02))
    assert "without an interval" in with_gap(0.9, 0.0, None)


def test_calibration_is_told_by_a_test_and_an_offset():
    artifact = made("calibration")
    first = artifact.systems[0]

    def with_numbers(**values):
        variant = first.variants[""]
        numbers = variant.numbers | {
            name: changed(variant.numbers[name], value=value, interval=interval)
            for name, (value, interval) in values.items()
        }
        variants = {"": changed(variant, numbers=numbers)}
        return told(changed(artifact, systems=[changed(first, variants=variants)], pairs=[]))

    other = "spiegelhalter_two_sided_p_value"
    assert "with p = 0.300: cannot tell them from calibrated" in with_numbers(
        kuiper_p_value=(0.3, None), **{other: (0.4, None)}
    )
    assert (
        "with p = 0.300 by Kuiper's test, and by Spiegelhalter's test p = 0.005:"
        " the tests disagree."
    ) in with_numbers(kuiper_p_value=(0.3, None), **{other: (0.005, None)})
    assert "with p < 0.001: they are not calibrated (at 95%)" in with_numbers(
        kuiper_p_value=(0.0001, None)
    )
    assert "no test applies" in with_numbers(kuiper_p_value=(None, None))
    assert "it is too sure" in with_numbers(cumulative_difference=(-0.1, (-0.2, -0.05)))
    assert "it is not sure enough" in with_numbers(cumulative_difference=(0.1, (0.05, 0.2)))
    assert "is undefined" in with_numbers(cumulative_difference=(None, None))


def test_a_calibrator_without_intervals_cannot_be_told_from_chance():
    artifact = made("calibrator")
    assert list(headline(artifact))[-1].tone == "open"
    quality = changed(artifact.metrics.out_of_fold, nll=None, ece=None, mae=None)
    nothing = changed(artifact, metrics=changed(artifact.metrics, out_of_fold=quality))
    (only,) = headline(nothing)
    assert only.text == "There is no quality out of fold, so cannot tell whether it helps."
    before = changed(artifact.metrics.before, nll=0.9, ece=artifact.metrics.out_of_fold.ece)
    compared = changed(artifact, metrics=changed(artifact.metrics, before=before))
    first, second, _ = headline(compared)
    assert "the negative log-likelihood falls from 0.900" in first.text
    assert "the expected calibration error stays from" in second.text


def test_a_gap_is_told_with_its_sign():
    artifact = made("reasoning")
    first = artifact.systems[0]
    (name, variant), *_ = first.variants.items()

    def with_gap(value, interval):
        gap = changed(variant.numbers["faithfulness_gap"], value=value, interval=interval)
        numbers = {**variant.numbers, "faithfulness_gap": gap}
        variants = {name: changed(variant, numbers=numbers)}
        system = changed(first, variants=variants, parts=changed(first.parts, gap_bounds=bounds))
        return told(changed(artifact, systems=[system], pairs=[]))

    bounds = first.parts.gap_bounds
    assert "what was not answered could turn it round" in with_gap(0.2, (0.1, 0.3))
    bounds = None
    assert "the chain of thought helps" in with_gap(0.2, (0.1, 0.3))
    assert "the chain of thought harms" in with_gap(-0.2, (-0.3, -0.1))
    assert "cannot tell whether it helps" in with_gap(0.0, (-0.1, 0.1))
    assert "cannot tell whether it changes answers" in with_gap(0.1, None)


def test_quotations_are_told_to_stand_in_their_sources_only_if_all_do():
    artifact = made("verdicts")
    first = artifact.systems[0]
    unadvised = changed(first, parts=changed(first.parts, diagnosis=[]))

    def with_validity(value, interval):
        own = first.variants[""]
        valid = changed(own.numbers["snippet_validity"], value=value, interval=interval)
        variant = changed(own, numbers={**own.numbers, "snippet_validity": valid})
        system = changed(unadvised, variants={"": variant})
        return told(changed(artifact, systems=[system], pairs=[]))

    assert "all of them stand in their sources" in with_validity(1.0, None)
    assert "some do not stand where they are said to" in with_validity(0.5, (0.4, 0.6))
    assert "cannot tell from all" in with_validity(0.9, (0.8, 1.0))
    assert "[open]" in with_validity(None, None)
    without = changed(first, parts=changed(first.parts, snippets=None, diagnosis=[]))
    assert "quotations" not in told(changed(artifact, systems=[without], pairs=[]))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"answering": 0.0}, "nothing is answered"),
        (
            {"failed": range(101, 108)},
            "the system failed on every participant, so there are no items",
        ),
    ],
)
def test_without_an_answer_the_headline_the_sketch_and_the_page_say_why(given, why):
    table = examples.table(**given)
    artifact = evaluate([table], plan=Plan(n_resamples=5), **examples.USUAL)
    (statement,) = headline(artifact)
    assert statement == Statement(f"arrays has no answer to judge: {why}.", "bad")
    (sketch,) = [each for each in blocks_of(summary(artifact)) if isinstance(each, Sketch)]
    assert [line[2] for line in sketch.lines] == [why]
    shown = page([artifact]).decode()
    assert "to judge:</b>" in shown
    assert f"Its loss is undefined, not 0: {why}." in shown


ABOVE = changed(SCALAR, value=0.033, interval=(0.034, 0.082), standard_error=0.01)


def test_no_number_is_told_with_an_interval_that_does_not_hold_it():
    assert number(ABOVE) == "0.033 (no interval: its resamples lie above it)"
    assert percentage(ABOVE) == "3.3% (no interval: its resamples lie above it)"
    assert share(0.9, (0.1, 0.2)) == "90.0% (no interval: its resamples lie below it)"
    assert point_share(0.1, (0.2, 0.3)) == (
        "+10.0 points (no interval: its resamples lie above it)"
    )
    outside = difference(changed(DELTA, delta=-0.1), ("old", "new"), "risk")
    assert outside == Statement(
        "new against old, risk: -0.100, and its resamples lie elsewhere: cannot tell.", "open"
    )
    assert held(0.5, (0.5, 0.5)) == (0.5, 0.5)
    assert held(None, (0.0, 1.0)) is held(0.5, None) is held(0.5, (0.6, 0.7)) is None


@pytest.mark.parametrize("kind", KINDS)
def test_no_headline_prints_a_number_outside_the_brackets_behind_it(kind):
    for side in (-10.0, 10.0):
        data = msgspec.to_builtins(made(kind))
        _moved(data, side)
        for statement in headline(msgspec.convert(data, shape_of(made(kind)))):
            for value, low, high in re.findall(SHOWN, statement.text):
                assert float(low) <= float(value) <= float(high), statement.text


SHOWN = r"([-+]?[\d.]+)(?:%| points)? \[([-+]?[\d.]+)%?, ([-+]?[\d.]+)%?\]"


def _moved(part, side):
    """Move every interval away from its number."""
    if isinstance(part, dict):
        for name in ("interval", "gap_interval"):
            if isinstance(part.get(name), list | tuple):
                part[name] = [end + side for end in part[name]]
        for each in part.values():
            _moved(each, side)
    elif isinstance(part, list):
        for each in part:
            _moved(each, side)
