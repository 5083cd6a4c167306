"""Cases that were asked and not answered: what they count, and that failing never pays at worst."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.errors import UsageError
from assay.metrics.verdicts import (
    class_f1,
    class_precision,
    class_recall,
    confusion_table,
    macro_f1,
    ordinal_auprc,
    precision_recall_curve,
    threshold_auprc,
)
from tests import verdict_oracles as slow

N_VERDICTS = 3
N_TABLES = 600


def drawn(seed):
    """Return a random table of verdicts and scores, and which of its cases are wrong."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(2, 12))
    true = draw.integers(0, N_VERDICTS, n)
    given = np.where(draw.random(n) < 0.5, true, draw.integers(0, N_VERDICTS, n))
    score = draw.integers(0, 5, n) + given
    silent = (given != true) & (draw.random(n) < 0.7)
    return true, given, score.astype(float), silent


def classes(true, given, silent, **options):
    return macro_f1(
        true,
        np.where(silent, np.nan, given),
        scored=~silent,
        asked=np.ones(true.size),
        n_verdicts=N_VERDICTS,
        **options,
    )


def ranks(true, score, silent, **options):
    return ordinal_auprc(
        true,
        np.where(silent, np.nan, score),
        ranked=~silent,
        asked=np.ones(true.size),
        **options,
    )


def same(one, other):
    return (math.isnan(one) and math.isnan(other)) or one == pytest.approx(other, abs=1e-12)


def test_both_readings_are_the_slow_definitions():
    for seed in range(300):
        true, given, score, silent = drawn(seed)
        told = [None if s else int(g) for g, s in zip(given, silent, strict=True)]
        for how in ("miss", "worst"):
            expected = slow.macro_f1_unanswered(
                true.tolist(), told, N_VERDICTS, worst=how == "worst"
            )
            assert same(classes(true, given, silent, unanswered_as=how), expected)
        last = np.where(silent, -1.0, score)
        expected = slow.ordinal_auprc(true.tolist(), last.tolist(), [1] * true.size)
        assert same(ranks(true, score, silent), expected)
        told = [None if s else float(x) for x, s in zip(score, silent, strict=True)]
        expected = slow.ordinal_auprc_at_worst(true.tolist(), told)
        assert same(ranks(true, score, silent, unanswered_as="worst"), expected)


def test_wrong_verdicts_that_are_held_back_pay_as_misses_and_never_at_worst():
    n_paid = {"miss": 0, "worst": 0}
    for seed in range(N_TABLES):
        true, given, _, silent = drawn(seed)
        before = macro_f1(true, given)
        for how in n_paid:
            n_paid[how] += classes(true, given, silent, unanswered_as=how) > before + 1e-12
    assert n_paid["miss"] > N_TABLES / 2
    assert n_paid["worst"] == 0


def test_wrong_verdicts_that_are_held_back_never_pay_in_one_class_at_worst():
    for seed in range(300):
        true, given, _, silent = drawn(seed)
        told = {"scored": ~silent, "asked": np.ones(true.size), "unanswered_as": "worst"}
        for number in (class_precision, class_recall, class_f1):
            for verdict in range(N_VERDICTS):
                before = number(true, given, verdict=verdict)
                # Undefined before: there was nothing to be raised.
                assert not number(true, given, **told, verdict=verdict) > before + 1e-12


def test_scores_that_are_held_back_never_pay_at_worst():
    for seed in range(2 * N_TABLES):
        true, _, tied, _ = drawn(seed)
        draw = np.random.default_rng(seed)
        silent, score = draw.random(true.size) < 0.4, tied + 0.5 * draw.random(true.size)
        for each in (score, tied):
            after = ranks(true, each, silent, unanswered_as="worst")
            assert not after > ordinal_auprc(true, each) + 1e-12


def test_a_positive_case_before_a_tie_can_do_more_harm_than_at_the_end():
    """Ten others, a positive case, then two positive ones that are tied."""
    true = np.array([0] * 10 + [1, 1, 1])
    score = np.array([9.0] * 10 + [5.0, 1.0, 1.0])
    silent = np.arange(13) == 10
    found = ranks(true, score, silent, unanswered_as="worst")
    assert found == pytest.approx(ordinal_auprc(true, score))
    assert found == pytest.approx((1 / 11 + 2 * 3 / 13) / 3)


def test_a_low_positive_end_is_the_mirror_image():
    for seed in range(100):
        true, _, score, silent = drawn(seed)
        high = threshold_auprc(
            N_VERDICTS - 1 - true,
            -score,
            ranked=~silent,
            asked=np.ones(true.size),
            threshold=1,
            unanswered_as="worst",
        )
        low = threshold_auprc(
            true,
            score,
            ranked=~silent,
            asked=np.ones(true.size),
            positive="low",
            threshold=N_VERDICTS - 1,
            unanswered_as="worst",
        )
        assert same(high, low)


def test_three_cases_by_hand():
    # One right, two wrong; the wrong ones held back.
    true, given = np.array([0, 1, 1]), np.array([0, 0, 1])
    silent = np.array([False, True, False])
    assert macro_f1(true, given) == pytest.approx((2 / 3 + 2 / 3) / 2)
    assert classes(true, given, silent) == pytest.approx((1 + 2 / 3) / 2)
    # A miss of 1 and a false alarm of 0 and 2: F1 2/3, 2/3 and 0.
    assert classes(true, given, silent, unanswered_as="worst") == pytest.approx(4 / 9)
    table = confusion_table(true, given, scored=~silent, asked=[1, 1, 1], n_verdicts=3)
    assert table.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert table.unanswered.tolist() == [0, 1, 0]
    assert table.support.tolist() == [1, 2, 0]


def test_ranking_by_hand():
    true, score = np.array([1, 0, 1, 0]), np.array([4.0, 3.0, 2.0, 1.0])
    lost = np.array([True, True, False, False])
    # 2 (right), 1 (wrong), then both others together: 1/2 of 1/1 and 1/2 of 2/4.
    assert ranks(true, score, lost) == pytest.approx(0.75)
    # Wrong one, 2, 1, and the right one last: 1/2 of 1/2 and 1/2 of 2/4.
    assert ranks(true, score, lost, unanswered_as="worst") == pytest.approx(0.5)
    # Nothing is ranked: both others first, then the two one by one: (1/3 + 2/4) / 2.
    nothing = np.ones(4, dtype=bool)
    assert ranks(true, score, nothing, unanswered_as="worst") == pytest.approx(5 / 12)
    curve = precision_recall_curve(true, score, ranked=~lost, asked=np.ones(4))
    assert math.isnan(curve.score[-1])
    assert curve.recall.tolist() == [0.5, 0.5, 1.0]


def test_many_cases_at_worst_are_added_up_as_one_by_one():
    n = 150
    true = np.arange(2 * n) % 2
    silent = np.arange(2 * n) >= 100
    score = np.where(silent, np.nan, true + np.arange(2 * n) / 1000)
    found = ordinal_auprc(true, score, ranked=~silent, asked=np.ones(2 * n), unanswered_as="worst")
    told = [None if s else float(x) for x, s in zip(score, silent, strict=True)]
    assert found == pytest.approx(slow.ordinal_auprc_at_worst(true.tolist(), told), rel=1e-12)


def test_without_what_was_asked_only_scored_cases_count():
    true, given, score = [0, 1, 1], [0, 0, 1], [1.0, 2.0, 3.0]
    flags = [1, 0, 1]
    for how in ("miss", "worst"):
        assert macro_f1(true, given, scored=flags, unanswered_as=how) == 1.0
    for how in ("last", "worst"):
        assert ordinal_auprc(true, score, ranked=flags, unanswered_as=how) == 1.0


def test_positions_beyond_every_scale_are_refused():
    with pytest.raises(UsageError, match="`verdict` must be below 1000, found 5000"):
        class_f1([0], [0], verdict=5000)
