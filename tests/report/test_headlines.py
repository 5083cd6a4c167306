"""What a page says first: the number, its interval, and "cannot tell" where that is so."""

from __future__ import annotations

import re

import msgspec
import pytest

from assay.display.blocks import Sketch
from assay.display.numbers import excludes, held
from assay.inference import Plan
from assay.report.page import page
from assay.report.presenters import summary, words_of
from tests.families.selective import examples
from tests.report.families import KINDS, made, shape_of
from tests.report.views import blocks_of
from tests.selective_artifacts import evaluate


def headline(artifact):
    return tuple(words_of(artifact).headline(artifact))


def phrases(artifact):
    """Return everything that the first screen says in sentences."""
    first = words_of(artifact).first(artifact)
    said = [*first.answer, *first.seen]
    return [*said, *(each for remark in first.also for each in remark.phrases)]


def told(artifact):
    """Return the sentences with the marks that stand in them."""
    found = (f"[{each.mark}]" * bool(each.mark) + each.text for each in phrases(artifact))
    return "".join(found).replace("\N{NO-BREAK SPACE}", " ").replace("\N{MINUS SIGN}", "-")


def changed(record, **fields):
    return msgspec.structs.replace(record, **fields)


def test_the_weakest_part_is_named_as_in_the_figures():
    intervals = made("intervals")
    second = intervals.systems[1]
    ((key, level),) = second.variants.items()
    weak = changed(level.parts.least_size, name="3", coverage=0.6, interval=(0.5, 0.7), n=30)
    for parts, named in (
        (changed(level.parts, least_size=weak, least_group=None), "part 3 by width"),
        (changed(level.parts, least_group=changed(weak, name="z")), "group z"),
    ):
        record = changed(second, variants={key: changed(level, parts=parts)})
        found = told(changed(intervals, systems=[record], pairs=[]))
        assert f"Least in {named}: 60.0 % (50.0 to 70.0)." in found
        several = told(changed(intervals, systems=[record, intervals.systems[0]], pairs=[]))
        end = "60.0 % (50.0 to 70.0), 30 rows, against a promise of 90 %."
        assert f"low2:up2 covers least in {named}: {end}" in several


def test_advice_is_what_was_seen_and_what_to_do():
    advice = made("verdicts").systems[0].parts.diagnosis[0]
    cause = f"{advice.cause[:1].upper()}{advice.cause[1:]}; {advice.next_step}."
    artifact = changed(made("verdicts"), systems=made("verdicts").systems[:1], pairs=[])
    assert f"direct: {advice.symptom}. {cause}" in told(artifact)


def test_an_interval_excludes_what_lies_outside_if_it_holds_its_own_number():
    assert [excludes(each, 0.5) for each in (None, (0.4, 0.5), (0.6, 0.7), (0.1, 0.2))] == [
        0,
        0,
        1,
        -1,
    ]
    assert held(0.5, (0.5, 0.5)) == (0.5, 0.5)
    assert held(None, (0.0, 1.0)) is held(0.5, None) is held(0.5, (0.6, 0.7)) is None


@pytest.mark.parametrize("kind", KINDS)
def test_every_family_says_something_with_a_number_in_it(kind):
    said = headline(made(kind)) if kind == "calibrator" else phrases(made(kind))
    assert any(character.isdigit() for each in said for character in each.text)


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
    artifact = made("selective-comparison")

    def with_auroc(*both):
        systems = [
            with_number(changed(artifact, systems=[each]), "error_auroc", lambda _, own=own: own)
            for each, own in zip(artifact.systems, both, strict=True)
        ]
        return told(changed(artifact, systems=[each for of in systems for each in of.systems]))

    above, below = (0.7, (0.6, 0.8)), (0.4, (0.3, 0.45))
    assert "better than chance: zero_shot 70.0 % (60.0 to 80.0)" in with_auroc(above, above)
    assert "worse than chance: zero_shot 40.0 % (30.0 to 45.0)" in with_auroc(below, below)
    assert "not told from chance: " in with_auroc((0.55, (0.45, 0.6)), (0.7, None))
    assert "not alike: " in with_auroc(above, below)
    assert "sorts right from wrong" not in with_auroc((None, None), (None, None))


def test_coverage_is_told_against_the_claim():
    artifact = made("sets")
    (system,) = artifact.systems
    ((key, level),) = system.variants.items()

    def with_gap(coverage, gap, interval):
        test = changed(level.parts.coverage, coverage=coverage, gap=gap, gap_interval=interval)
        variants = {key: changed(level, parts=changed(level.parts, coverage=test))}
        return told(changed(artifact, systems=[changed(system, variants=variants)]))

    assert "keeps 80.0 %" in with_gap(0.8, -0.1, (-0.15, -0.05))
    assert ": [bad]too low." in with_gap(0.8, -0.1, (-0.15, -0.05))
    assert ": [fact]more than promised." in with_gap(0.97, 0.07, (0.05, 0.09))
    assert ": [good]keeps what it promises." in with_gap(0.9, 0.0, (-0.02, 0.02))
    assert ": [open]cannot be told from 90 rows." in with_gap(0.9, 0.0, None)


def test_calibration_is_told_by_its_tests_and_an_offset():
    artifact = made("calibration")
    first = artifact.systems[0]

    def with_numbers(**values):
        variant = first.variants[""]
        numbers = variant.numbers | {
            name: changed(variant.numbers[name], value=value, interval=interval)
            for name, (value, interval) in values.items()
        }
        variants = {"": changed(variant, numbers=numbers)}
        return changed(artifact, systems=[changed(first, variants=variants)], pairs=[])

    other = "spiegelhalter_two_sided_p_value"

    def tested(kuiper, spiegelhalter):
        given = {"kuiper_p_value": (kuiper, None), other: (spiegelhalter, None)}
        return told(with_numbers(**given))

    ps = "Spiegelhalter p {}, Kuiper p {}"
    assert f"p cannot be told from calibrated ({ps.format('0.400', '0.300')})" in tested(0.3, 0.4)
    assert "p is judged differently: trust the intervals" in tested(0.3, 0.005)
    assert f"p is not calibrated ({ps.format('0.005', '<0.001')})" in tested(0.0001, 0.005)
    assert "Tests:" not in tested(None, None)

    def offset(value, interval):
        shown = words_of(artifact).first(with_numbers(cumulative_difference=(value, interval)))
        return shown.table.rows[0].entries[1]

    assert offset(-0.1, (-0.2, -0.05)).word == "too sure"
    assert offset(0.1, (0.05, 0.2)).word == "not sure enough"
    assert offset(0.1, (-0.05, 0.2)).word == "cannot tell from 0"
    assert not offset(None, None).word


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
        sensitivity = changed(first.parts.sensitivity, sign_depends=False)
        parts = changed(first.parts, gap_bounds=bounds, sensitivity=sensitivity)
        system = changed(first, variants=variants, parts=parts)
        return told(changed(artifact, systems=[system], pairs=[]))

    bounds = first.parts.gap_bounds
    turned = "cannot be told: what was not answered could turn it round."
    assert turned in with_gap(0.2, (0.1, 0.3)).replace("[open]", "")
    assert "8 times in 10" not in with_gap(0.2, (0.1, 0.3))
    bounds = None
    assert "Reasoning helps guarded, [good]+20.0 points" in with_gap(0.2, (0.1, 0.3))
    assert "Reasoning harms guarded, [bad]-20.0 points" in with_gap(-0.2, (-0.3, -0.1))
    assert "[open]cannot be told from" in with_gap(0.0, (-0.1, 0.1))
    assert "[open]cannot be told from" in with_gap(0.1, None)


def test_quotations_are_told_to_stand_in_their_sources_only_if_all_do():
    artifact = made("verdicts")
    first = artifact.systems[0]
    n = first.parts.snippets.n_snippets

    def with_statuses(**statuses):
        snippets = changed(first.parts.snippets, statuses=statuses)
        system = changed(first, parts=changed(first.parts, snippets=snippets, diagnosis=[]))
        return told(changed(artifact, systems=[system], pairs=[]))

    assert "Quotations" not in with_statuses(exact=n)
    lost = f"Quotations not as in their source: 2 absent of direct’s {n}."
    assert lost in with_statuses(exact=n - 2, absent=2)
    without = changed(first, parts=changed(first.parts, snippets=None, diagnosis=[]))
    assert "Quotations" not in told(changed(artifact, systems=[without], pairs=[]))


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
def test_without_an_answer_the_sketch_and_the_page_say_why(given, why):
    table = examples.table(**given)
    artifact = evaluate([table], plan=Plan(n_resamples=5), **examples.USUAL)
    (sketch,) = [each for each in blocks_of(summary(artifact)) if isinstance(each, Sketch)]
    assert [line[2] for line in sketch.lines] == [why]
    shown = page([artifact]).decode()
    assert "to judge:</b>" in shown
    assert f"Its loss is undefined, not 0: {why}." in shown


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_prints_a_number_outside_the_brackets_behind_it(kind):
    for side in (-10.0, 10.0):
        data = msgspec.to_builtins(made(kind))
        _moved(data, side)
        artifact = msgspec.convert(data, shape_of(made(kind)))
        if kind == "calibrator":
            said = " ".join(each.text for each in headline(artifact))
        else:
            said = told(artifact)
        for value, low, high in re.findall(SHOWN, said):
            assert float(low) <= float(value) <= float(high), said


SHOWN = r"([-+]?[\d.]+)(?: ?%| points)? [\[(]([-+]?[\d.]+)%?(?:,| to) ([-+]?[\d.]+)%?[\])]"


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
