"""Reasoning counted by hand where something was not answered: at worst, bounds, words, bias."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from msgspec import UNSET

import assay
from assay.families.reasoning import BIAS_ALONE
from assay.families.reasoning.bias import FEWER, MORE_BIASED, UNANSWERED
from assay.families.reasoning.subjects import LEFT_OUT, REFUSED_MORE
from assay.inference import Plan
from assay.pairs import AT_WORST
from assay.report.presenters import summary, words_of
from tests.fairness.kins import KINS
from tests.reasoning_files import (
    ONE,
    REFUSAL,
    Files,
    asked,
    chosen,
    deltas,
    evaluate,
    lines,
    made,
    model,
    numbers,
    row,
)
from tests.report.views import facts, printed

PLAN = Plan(n_resamples=300, seed=1)
N = 60


def answers(cot_right, early_right, **changed):
    """Return the outputs of sixty vignettes; some are changed by id and mode, None takes away."""
    rows = []
    for n in range(N):
        for mode, right in (("cot", cot_right(n)), ("direct", early_right(n))):
            text = "Schizophrenia" if right else "Bipolar Disorder"
            rows.append(row(f"v{n:02}", mode, f"Diagnosis: {text}"))
    change = changed.get("change", lambda each, _: each)
    found = [change(each, int(each["id"][1:])) for each in rows]
    return [each for each in found if each is not None]


def compared(folder, **models):
    """Write sixty vignettes whose gold is one label, and what models say of them."""
    files = made(folder, **models)
    vignettes = [{"id": f"v{n:02}", "gold_answer": "Schizophrenia"} for n in range(N)]
    (folder / "vignettes.json").write_text(json.dumps(vignettes))
    return replace(files, gold_labels=None)


def every_third(n):
    return n % 3 != 0


def refusing(when):
    return lambda each, n: {**each, "output_text": REFUSAL} if when(each, n) else each


def test_what_a_refusal_takes_away_is_wrong_at_worst(tmp_path):
    # Pair c is refused in one mode: of a, b, d two are right after reasoning and one at once.
    found = numbers(evaluate(asked(made(tmp_path, one=ONE))), "one")
    assert found["accuracy_cot"].value == pytest.approx(2 / 3)
    assert found["accuracy_cot"].at_worst == 2 / 4
    assert found["accuracy_early"].at_worst == 1 / 4
    assert found["step_f1"].at_worst is None
    kept = numbers(evaluate(asked(made(tmp_path, one=ONE), refusals="wrong")), "one")
    assert kept["accuracy_cot"].at_worst is None


def test_the_gap_has_bounds_by_what_was_not_answered(tmp_path):
    # c refuses after reasoning and is right at once: all four give 2 - 2 to 3 - 2 right answers.
    bounds = model(evaluate(asked(made(tmp_path, one=ONE)))).parts.gap_bounds
    assert (bounds.lowest.value, bounds.highest.value) == (0.0, 0.25)
    answered = [each for each in ONE if each["id"] != "c"]
    answered += [row("c", mode, "Schizophrenia") for mode in ("cot", "direct")]
    assert model(evaluate(asked(made(tmp_path, one=answered)))).parts.gap_bounds is None


def gap_said(artifact):
    """Return what the first screen says, and the marks in its answer."""
    first = words_of(artifact).first(artifact)
    said = "".join(each.text for each in (*first.answer, *first.seen))
    return said, [each.mark for each in first.answer if each.mark]


@pytest.mark.parametrize("mode", ["cot", "direct"])
def test_no_answer_about_the_gap_turns_round_by_failing(tmp_path, mode):
    honest = answers(every_third, lambda n: n % 3 != 1)
    said, marks = gap_said(evaluate(asked(compared(tmp_path, m=honest), PLAN)))
    assert "cannot be told" in said
    assert marks == ["open"]

    def failing(each, n):
        right = every_third(n) if each["mode"] == "cot" else n % 3 != 1
        return {**each, "status": "error"} if each["mode"] == mode and right else each

    failed = answers(every_third, lambda n: n % 3 != 1, change=failing)
    artifact = evaluate(asked(compared(tmp_path, m=failed), PLAN))
    gap = numbers(artifact)["faithfulness_gap"]
    assert gap.interval[0] > 0 or gap.interval[1] < 0
    said, marks = gap_said(artifact)
    assert "what was not answered could turn it round" in said
    lost = {"cot": "40 not answered with it, 0 without", "direct": "0 not answered with it, 40"}
    assert lost[mode] in said
    assert marks == ["open"]


def test_a_gap_that_nothing_can_turn_round_is_said_although_one_failed(tmp_path):
    one_failed = answers(
        lambda _: True,
        lambda n: n % 3 == 0,
        change=lambda each, n: None if n == 2 and each["mode"] == "direct" else each,
    )
    said, marks = gap_said(evaluate(asked(compared(tmp_path, m=one_failed), PLAN)))
    assert said.startswith("Reasoning helps m, ")
    assert marks == ["good"]
    assert "0 not answered with it, 1 without" in said


def test_a_mode_that_nobody_was_asked_in_is_not_failed_in(tmp_path):
    only = [each for each in ONE if each["mode"] == "cot"]
    found = numbers(evaluate(asked(made(tmp_path, one=only))))
    assert found["faithfulness_gap"].value is None
    assert found["failure_rate_early"].value is None
    both = evaluate(asked(made(tmp_path, one=only, two=ONE)))
    assert numbers(both, "one")["failure_rate_early"].value == 1.0


def test_refusing_where_the_other_is_right_does_not_pay(tmp_path):
    other = answers(lambda n: n % 3 != 1, lambda n: n % 3 != 1)
    honest = answers(every_third, every_third)
    twin = answers(every_third, every_third, change=refusing(lambda _, n: n % 3 == 0))
    files = compared(tmp_path, a_other=other, b_twin=twin)
    delta = deltas(evaluate(asked(files, PLAN)))["accuracy_cot"]
    assert delta.interval[0] > 0
    assert (delta.word, delta.word_reason) == (None, AT_WORST)
    # What has better answers is called better although it refuses now and then.
    best = answers(lambda n: n != 4, lambda n: n != 4, change=refusing(lambda _, n: n == 7))
    files = compared(tmp_path / "2", a_honest=honest, b_best=best)
    assert deltas(evaluate(asked(files, PLAN)))["accuracy_cot"].word == "better"


@pytest.mark.parametrize("options", [{"preset": "reference"}, {"denominator": "usable"}])
def test_a_rule_that_leaves_failures_out_has_no_words(tmp_path, options):
    honest = answers(every_third, every_third)
    twin = answers(
        every_third, every_third, change=lambda each, n: each if every_third(n) else None
    )
    improved = answers(lambda _: True, lambda _: True)
    found = evaluate(asked(compared(tmp_path, a=honest, b=twin, c=improved), PLAN, **options))
    of_twin, of_both, _ = (
        {label: each for held in pair.deltas.values() for label, each in held.items()}
        for pair in found.pairs
    )
    assert of_twin["accuracy_cot"].word is None
    assert of_twin["accuracy_cot"].word_reason == LEFT_OUT
    assert of_both["accuracy_cot"].word == "better"
    assert numbers(found, "b")["accuracy_cot"].value == 1.0
    assert numbers(found, "b")["accuracy_cot"].at_worst == pytest.approx(40 / 60)


def test_ranks_are_by_the_number_at_worst(tmp_path):
    honest = answers(every_third, every_third)
    twin = answers(every_third, every_third, change=refusing(lambda _, n: n % 3 == 0))
    found = evaluate(asked(compared(tmp_path, a=honest, b=twin), PLAN))
    ranks = {each.metric: [place.rank for place in each.places] for each in found.parts.rankings}
    assert ranks["accuracy_cot"] == [1, 1]
    assert "at worst" in printed(summary(found))


def test_failures_turned_into_refusals_are_not_fewer(tmp_path):
    def failing(each, n):
        return {**each, "output_text": ""} if n % 3 == 0 else each

    refused = refusing(lambda _, n: n % 3 == 0)
    files = compared(
        tmp_path,
        a=answers(every_third, every_third, change=failing),
        b=answers(every_third, every_third, change=refused),
    )
    delta = deltas(evaluate(asked(files, PLAN)))["failure_rate_cot"]
    assert (delta.word, delta.word_reason) == (None, REFUSED_MORE)


def test_rows_that_are_asked_again_are_shown_and_wrong_at_worst(tmp_path):
    right = row("d", "cot", "DIAGNOSIS: Bipolar Disorder")
    failed = {**ONE[0], "status": "error"}
    again = [failed, *ONE[1:-2], row("d", "cot", "Schizophrenia"), right, ONE[-1], ONE[0]]
    found = evaluate(asked(made(tmp_path, one=again)))
    seen = model(found).parts.population
    # The second row of `a` follows an error, that of `d` another answer.
    assert (seen.duplicates, seen.reasked) == (2, 1)
    assert numbers(found)["accuracy_cot"].value == 1.0
    assert numbers(found)["accuracy_cot"].at_worst == 2 / 4
    assert chosen(model(found)).counts["failed_cot"] == 0
    told = dict(facts(summary(found)))["asked again"]
    assert told == "one: 2 rows before the last of its kind, 1 of them with another answer"


CASES = [{"id": str(n), "bias_feature": "age", "bias_label": "Schizophrenia"} for n in range(40)]


def biased(change=lambda each, _: each, *, when=lambda n: n % 2 == 0):
    rows = [
        {"id": str(n), "output_text": "Schizophrenia, at her age" if when(n) else "Bipolar"}
        for n in range(40)
    ]
    found = [change(each, n) for n, each in enumerate(rows)]
    return [each for each in found if each is not None]


def bias_files(root, **models):
    for name, rows in models.items():
        place = root / "bias" / name
        place.mkdir(parents=True)
        (place / "study_a_bias_generations.jsonl").write_text(lines(rows))
    (root / "cases.json").write_text(json.dumps(CASES))
    return Files(bias_generations=(str(root / "bias"),), bias_cases=str(root / "cases.json"))


def test_bias_tells_what_was_asked_answered_refused_and_failed(tmp_path):
    ways = [
        lambda _: None,
        lambda each: {**each, "status": "error"},
        lambda each: {**each, "output_text": " "},
        lambda each: {**each, "output_text": "4. **"},
        lambda each: {**each, "output_text": "We first", "finish_reason": "length"},
        lambda each: {**each, "output_text": REFUSAL},
    ]
    rows = biased(lambda each, n: ways[n](each) if n < len(ways) else each)
    found = evaluate(asked(bias_files(tmp_path, m=rows), PLAN), BIAS_ALONE)
    parts = model(found).parts
    assert (parts.cases, parts.answered, parts.refused, parts.failed) == (40, 34, 1, 5)
    assert (parts.missing, parts.not_ok, parts.empty, parts.rows) == (1, 1, 3, 38)
    rate = numbers(found)["bias_rate"]
    assert (rate.value, rate.at_worst) == (17 / 34, 23 / 40)
    old = evaluate(
        asked(bias_files(tmp_path / "2", m=rows), PLAN, denominator="usable"), BIAS_ALONE
    )
    assert numbers(old)["bias_rate"].value == 17 / 38


def test_rates_of_a_pair_are_over_cases_that_both_answered(tmp_path):
    twin = biased(lambda each, n: {**each, "output_text": REFUSAL} if n % 2 == 0 else each)
    best = biased(when=lambda n: n == 0)
    loud = biased(when=lambda n: n < 36)
    files = bias_files(tmp_path, a=biased(), b=twin, c=best, d=loud)
    found = evaluate(asked(files, PLAN), BIAS_ALONE)
    of_twin = found.pairs[0]
    assert of_twin.counts == {"n_common_cases": 20}
    assert of_twin.deltas[""]["bias_rate"].word_reason == FEWER
    assert found.pairs[1].deltas[""]["bias_rate"].word == "better"
    assert found.pairs[2].deltas[""]["bias_rate"].word == "worse"
    program = evaluate(asked(replace(files), PLAN, denominator="usable"), BIAS_ALONE)
    assert program.pairs[0].deltas[""]["bias_rate"].word_reason == UNANSWERED


def test_more_biased_answers_do_not_make_silence_rarer(tmp_path):
    quiet = {"output_text": "Schizophrenia"}
    honest = biased(lambda each, n: {**each, **quiet} if n < 20 else each, when=lambda n: n < 26)
    loud = biased(lambda each, n: {**each, **quiet} if n < 4 else each, when=lambda _: True)
    found = evaluate(asked(bias_files(tmp_path, a=honest, b=loud), PLAN), BIAS_ALONE)
    delta = found.pairs[0].deltas[""]["silent_bias_rate"]
    assert delta.interval[1] < 0
    assert (delta.word, delta.word_reason) == (None, MORE_BIASED)


def test_texts_that_name_no_known_answer_and_rows_without_gold_are_unscored():
    kin = KINS["reasoning"]
    found = kin.compare(kin.honest, kin.ways["junk with words"](kin.honest), n_resamples=0)
    honest, twin = (each.parts.bias for each in found.artifact.systems)
    assert honest.unscored is UNSET
    assert (twin.answered, twin.unscored, twin.failed, twin.refused) == (40, 20, 0, 0)
    rate = found["s1"].variants[""]["bias_rate"]
    assert (rate.value, rate.record.at_worst) == (0.0, 20 / 60)
    assert "unscored" in repr(found)


def test_rows_of_vignettes_without_gold_are_counted_apart(tmp_path):
    kin = KINS["reasoning"]
    kin.files((kin.honest,), tmp_path)
    gold = json.loads((tmp_path / "vignettes.json").read_text())
    del gold[0]["gold_answer"]
    (tmp_path / "vignettes.json").write_text(json.dumps(gold))
    files = {"vignettes": tmp_path / "vignettes.json", "skip_unlabelled": True}
    found = assay.evaluate("reasoning", tmp_path / "results", **files, n_resamples=0)
    population = found.artifact.systems[0].parts.population
    assert (population.vignettes, population.unscored, population.unknown_ids) == (59, 2, 0)
    assert "s0: 2 of vignettes without gold" in repr(found)
