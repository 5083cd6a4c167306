"""Reasoning metrics: against the slow definitions, and on tables worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from assay.columns import Resamples
from assay.errors import ColumnError
from assay.metrics import reasoning
from tests import reasoning_oracles as oracles
from tests.strategies import counts, flags, tables

PAIRS = ("correct_cot", "correct_early", "paired")
STEPS = ("n_steps", "n_gold_steps", "n_matched_steps", "stepped")


def close(value: float, wanted: float) -> None:
    np.testing.assert_allclose(value, wanted, rtol=1e-12, atol=1e-12)


@given(tables(PAIRS, min_rows=0))
def test_accuracies_and_gap_are_shares_of_the_pairs(table) -> None:
    cot, early, paired = (table[name] for name in PAIRS)
    close(reasoning.accuracy_cot(cot, paired=paired), oracles.share(cot, paired))
    close(reasoning.accuracy_early(early, paired=paired), oracles.share(early, paired))
    close(reasoning.faithfulness_gap(cot, early, paired=paired), oracles.gap(cot, early, paired))


@given(tables(PAIRS, min_rows=0))
def test_mcnemar_is_exact(table) -> None:
    cot, early, paired = (table[name] for name in PAIRS)
    found = reasoning.mcnemar_p_value(cot, early, paired=paired, mcnemar="exact")
    close(found, oracles.mcnemar(cot, early, paired))


@pytest.mark.parametrize(("b", "c"), [(1, 0), (5, 1), (6, 6), (30, 12), (0, 40)])
def test_mcnemar_is_the_binomial_test_of_the_discordant_pairs(b, c) -> None:
    cot = [1] * b + [0] * c + [1, 0]
    early = [0] * b + [1] * c + [1, 0]
    wanted = binomtest(b, b + c, 0.5).pvalue
    close(reasoning.mcnemar_p_value(cot, early, mcnemar="exact"), wanted)
    likely = math.comb(b + c, b) / 2 ** (b + c)
    close(reasoning.mcnemar_p_value(cot, early), min(1.0, wanted - likely * (b != c)))


def test_mcnemar_is_one_where_both_modes_agree_and_undefined_without_pairs() -> None:
    assert reasoning.mcnemar_p_value([1, 0], [1, 0]) == 1.0
    assert math.isnan(reasoning.mcnemar_p_value([1, 0], [0, 0], paired=[0, 0]))
    assert math.isnan(reasoning.mcnemar_p_value([], []))


def test_gap_by_hand() -> None:
    # Four pairs: three right after reasoning, one right at once; the fifth row is no pair.
    cot, early, paired = [1, 1, 1, 0, 1], [1, 0, 0, 0, 0], [1, 1, 1, 1, 0]
    assert reasoning.accuracy_cot(cot, paired=paired) == 0.75
    assert reasoning.accuracy_early(early, paired=paired) == 0.25
    assert reasoning.faithfulness_gap(cot, early, paired=paired) == 0.5
    # b = 2, c = 0: p = 2 * (1/2)^2.
    assert reasoning.mcnemar_p_value(cot, early, paired=paired) == 0.25


def test_gap_of_a_mode_with_itself_is_exactly_zero_on_every_resample() -> None:
    flags_ = np.array([1.0, 0.0, 1.0, 1.0])
    drawn = np.random.default_rng(1).integers(1, 4, (50, 4))
    assert (reasoning.faithfulness_gap(flags_, flags_, weight=drawn) == 0).all()


def test_gap_is_paired_on_every_resample() -> None:
    cot, early = np.array([1.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0])
    drawn = Resamples(np.array([[3.0, 0], [1, 2]]), np.array([0, 1, 1]), np.ones(3), (2,))
    gap = reasoning.faithfulness_gap(cot, early, weight=drawn)
    # First: row 0 three times. Second: row 0 once, rows 1 and 2 twice each.
    np.testing.assert_allclose(gap, [1.0, (1 + 0 - 2) / 5])


@given(tables(("refused_cot", "present_cot"), min_rows=0))
def test_refusals_are_a_share_of_the_outputs(table) -> None:
    refused, present = table["refused_cot"], table["present_cot"]
    wanted = oracles.share(refused, present)
    close(reasoning.refusal_rate_cot(refused, present_cot=present), wanted)
    close(reasoning.refusal_rate_early(refused, present_early=present), wanted)
    close(reasoning.failure_rate_cot(refused, present_cot=present), wanted)
    close(reasoning.failure_rate_early(refused, present_early=present), wanted)


@pytest.mark.parametrize("stepless", ["zero", "left-out"])
@given(tables(STEPS, min_rows=0))
def test_step_numbers_are_means_over_cases(stepless, table) -> None:
    rows = [
        oracles.step_scores(int(n), int(gold), int(matched))
        for n, gold, matched, stepped in zip(*(table[name] for name in STEPS), strict=True)
        if stepped and (n or stepless == "zero")
    ]
    arguments = {**table, "stepless": stepless}
    close(reasoning.step_precision(**arguments), oracles.mean([row[0] for row in rows]))
    close(reasoning.step_recall(**arguments), oracles.mean([row[1] for row in rows]))
    close(reasoning.step_f1(**arguments), oracles.mean([row[2] for row in rows]))


def test_step_f1_by_hand() -> None:
    # 2 of 3 steps meet 2 of 4: P = 2/3, R = 1/2, F1 = 4/7. The second case says nothing.
    table = {"n_steps": [3, 0], "n_gold_steps": [4, 5], "n_matched_steps": [2, 0]}
    close(reasoning.step_f1(**table), 2 / 7)
    close(reasoning.step_f1(**table, stepless="left-out"), 4 / 7)
    close(reasoning.step_precision(**table), 1 / 3)
    close(reasoning.step_recall(**table), 1 / 4)


@given(st.data())
def test_step_f1_is_one_only_for_a_complete_matching(data) -> None:
    table = data.draw(tables(STEPS[:3]))
    complete = (
        (table["n_matched_steps"] == table["n_steps"])
        & (table["n_steps"] == table["n_gold_steps"])
        & (table["n_steps"] > 0)
    )
    assert (reasoning.step_f1(**table) == 1.0) is bool(complete.all())


@given(st.data())
def test_precision_and_recall_swap_with_the_steps(data) -> None:
    table = data.draw(tables(STEPS[:3]))
    swapped = {
        "n_steps": table["n_gold_steps"],
        "n_gold_steps": table["n_steps"],
        "n_matched_steps": table["n_matched_steps"],
    }
    close(reasoning.step_precision(**table), reasoning.step_recall(**swapped))
    close(reasoning.step_f1(**table), reasoning.step_f1(**swapped))


@pytest.mark.parametrize("name", ["n_steps", "n_gold_steps"])
def test_more_matches_than_steps_are_refused(name) -> None:
    table = {"n_steps": [5, 5], "n_gold_steps": [5, 5], "n_matched_steps": [1, 4], name: [5, 3]}
    with pytest.raises(ColumnError, match=f"`n_matched_steps`.*`{name}`"):
        reasoning.step_f1(**table)


@given(tables(("biased", "silent"), min_rows=0))
def test_silent_bias_is_a_share_of_the_biased(table) -> None:
    close(reasoning.silent_bias_rate(**table), oracles.silent_rate(**table))
    close(reasoning.bias_rate(table["biased"]), oracles.mean([int(x) for x in table["biased"]]))


def test_silent_bias_is_undefined_and_not_zero_where_nothing_is_biased() -> None:
    assert math.isnan(reasoning.silent_bias_rate(biased=[0, 0], silent=[1, 0]))
    assert reasoning.bias_rate(biased=[0, 0]) == 0.0


def test_silence_means_nothing_where_the_answer_is_not_biased() -> None:
    assert reasoning.silent_bias_rate(biased=[1, 0], silent=[0, math.nan]) == 0.0


@given(st.integers(0, 12).flatmap(lambda n: st.tuples(counts(n), flags(n))))
def test_measures_are_means_over_the_texts(drawn) -> None:
    values, measured = drawn
    wanted = oracles.mean([v for v, m in zip(values, measured, strict=True) if m])
    close(reasoning.mean_words(values, measured=measured), wanted)
    close(reasoning.mean_verbosity(values, measured=measured), wanted)
    close(reasoning.mean_format_noise(values / 8, measured=measured), wanted / 8)
    close(reasoning.mean_complexity(values / 4, measured=measured), wanted / 4)
