"""The oracles against arithmetic done by hand, and the benchmark loops against the oracles."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import peers, seed_loop
from tests import oracles
from tests.strategies import tables, unsorted_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.strategies import Columns

F = Fraction
COLUMNS = ("loss", "confidence", "answered")
CONFIDENCE = [0, 0.1, 0.1, 0.2, 0.3, 0.3, 0.5, 0.5, 0.5, 0.6]
CONFIDENCE += [0.7, 0.7, 0.8, 0.9, 0.9, 0.9, 1, 1, 1, 1]
CORRECT = [0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1]
TWENTY = oracles.rows([1 - right for right in CORRECT], CONFIDENCE)
ONE_ABOVE_NINE = oracles.rows([0] + [1] * 9, [0.9] + [0.1] * 9)
NOTHING = oracles.rows([0, 0, 0], [0.1, 0.2, 0.3], [False] * 3)

ORACLE: dict[str, Callable[[list[oracles.Row]], Fraction | None]] = {
    "cmax": oracles.cmax,
    "aurc": oracles.aurc,
    "augrc": oracles.augrc,
    "augrc_normalized": lambda table: oracles.augrc_normalized(table, 1),
    "naurc": oracles.naurc,
    "naugrc": oracles.naugrc,
    "aurc_optimal": oracles.aurc_optimal,
    "augrc_optimal": oracles.augrc_optimal,
    "eaurc": oracles.eaurc,
    "eaugrc": oracles.eaugrc,
    "aurc_gap_pct": oracles.aurc_gap_percent,
    "augrc_gap_pct": oracles.augrc_gap_percent,
    "aurc_achievable": oracles.aurc_achievable,
    "achievable_gain_pct": oracles.achievable_gain_percent,
    "aurc_at_c": lambda table: oracles.aurc_at(table, 0.5),
    "augrc_at_c": lambda table: oracles.augrc_at(table, 0.5),
    "coverage_at_risk": lambda table: oracles.coverage_at_risk(table, 0.2),
    "auroc_errors": oracles.auroc_errors,
}


def risk(table):
    points = oracles.curve(table)
    return points[-1].selective_risk if points else None


def achieved(coverage):
    return lambda table: oracles.achieved_coverage(table, coverage)


def at(coverage: str) -> Callable[[list[oracles.Row]], Fraction | None]:
    return lambda table: oracles.risk_at_coverage(table, coverage)


ORACLE |= {f"mae@{tenth / 10:.2f}": at(f"0.{tenth}") for tenth in range(1, 10)}
ORACLE["risk"] = risk
ORACLE |= {f"achieved mae@{tenth / 10:.2f}": achieved(f"0.{tenth}") for tenth in range(1, 10)}


def build(table: Columns) -> list[oracles.Row]:
    copies = table.get("weight")
    return oracles.rows(table["loss"], table["confidence"], table.get("answered"), copies)


# Twenty rows with ties, 0 and 1. From the top (k accepted, errors among them):
# 1: 4, 1   .9: 7, 2   .8: 8, 2   .7: 10, 3   .6: 11, 3
# .5: 14, 5   .3: 16, 6   .2: 17, 7   .1: 19, 8   0: 20, 9


def test_twenty_rows_have_ten_working_points() -> None:
    points = oracles.plateau_curve(TWENTY)
    assert [int(p.k) for p in points] == [4, 7, 8, 10, 11, 14, 16, 17, 19, 20]
    assert [p.generalized_risk * 20 for p in points] == [1, 2, 2, 3, 3, 5, 6, 7, 8, 9]
    assert [p.threshold for p in points] == [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.2, 0.1, 0]
    assert points[2].selective_risk == F(2, 8)


def test_twenty_rows_augrc_by_trapezoid() -> None:
    # Widths times twice the mean height, in units of 1/400 and halves:
    # 4*1 + 3*3 + 1*4 + 2*5 + 1*6 + 3*8 + 2*11 + 1*13 + 2*15 + 1*17 = 139; 139/2/400
    assert oracles.augrc(TWENTY) == F(139, 800)
    assert float(oracles.augrc(TWENTY)) == 0.17375


def test_twenty_rows_aurc_by_trapezoid() -> None:
    # 4 * 1/4, then widths times the sum of neighbouring risks over 2, all over 20
    risk = [F(1, 4), F(2, 7), F(2, 8), F(3, 10), F(3, 11), F(5, 14), F(6, 16), F(7, 17)]
    risk += [F(8, 19), F(9, 20)]
    width = [3, 1, 2, 1, 3, 2, 1, 2, 1]
    middle = sum(w * (a + b) / 2 for w, a, b in zip(width, risk[:-1], risk[1:], strict=True))
    assert oracles.aurc(TWENTY) == (1 + middle) / 20
    assert round(float(oracles.aurc(TWENTY)), 4) == 0.3123


def test_twenty_rows_by_steps_depend_on_the_row_order() -> None:
    backwards = TWENTY[::-1]
    assert round(float(oracles.aurc(TWENTY, reading="step")), 4) == 0.2954
    assert round(float(oracles.aurc(backwards, reading="step")), 4) == 0.3235
    assert float(oracles.augrc(TWENTY, reading="step")) == 0.1825
    assert float(oracles.augrc(backwards, reading="step")) == 0.1875
    assert oracles.aurc(backwards) == oracles.aurc(TWENTY)


def test_one_right_item_above_nine_tied_wrong_ones_beats_the_optimum() -> None:
    # (0, 0) (1/10, 0) (1, 9/10): 9/10 * 9/20 = 0.405
    assert oracles.aurc(ONE_ABOVE_NINE) == F(81, 200)
    # Risks (k-1)/k: (sum of them, the last one half) / 10 = (9 - (H10 - 1) - 9/20) / 10
    harmonic = sum(F(1, k) for k in range(1, 11))
    assert oracles.aurc_optimal(ONE_ABOVE_NINE) == (10 - harmonic - F(9, 20)) / 10
    assert round(float(oracles.aurc_optimal(ONE_ABOVE_NINE)), 3) == 0.662
    assert round(float(oracles.eaurc(ONE_ABOVE_NINE)), 3) == -0.257
    assert oracles.eaugrc(ONE_ABOVE_NINE) == 0
    assert oracles.auroc_errors(ONE_ABOVE_NINE) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_always_wrong_has_augrc_one_half(n: int) -> None:
    table = oracles.rows([1] * n, range(n))
    assert oracles.augrc(table) == F(1, 2)
    assert oracles.aurc(table) == 1
    assert oracles.augrc_gap_percent(table) == 0
    assert oracles.auroc_errors(table) is None


def test_always_right_is_zero_and_percentages_are_undefined() -> None:
    table = oracles.rows([0] * 4, range(4))
    assert oracles.aurc(table) == oracles.augrc(table) == oracles.aurc_achievable(table) == 0
    assert oracles.aurc_gap_percent(table) is None
    assert oracles.augrc_gap_percent(table) is None
    assert oracles.achievable_gain_percent(table) is None
    assert oracles.coverage_at_risk(table, 0) == 1


def test_all_tied_gives_the_error_rate_and_half_of_it() -> None:
    table = oracles.rows([0, 1, 1, 0, 1], [0.5] * 5)
    assert oracles.aurc(table) == F(3, 5)
    assert oracles.augrc(table) == F(3, 10)
    assert oracles.auroc_errors(table) is not None
    assert oracles.auroc_errors(table) == F(1, 2)


def test_nothing_answered_has_zero_areas_and_no_ratios() -> None:
    for name in ("cmax", "aurc", "augrc", "aurc_optimal", "eaurc", "aurc_achievable", "aurc_at_c"):
        assert ORACLE[name](NOTHING) == 0
    for name in ("naurc", "naugrc", "mae@0.10", "coverage_at_risk", "auroc_errors"):
        assert ORACLE[name](NOTHING) is None
    assert oracles.aurc(NOTHING, reading="step") == 0
    assert oracles.risk_at_coverage(NOTHING, "0.1", reading="step") is None
    assert oracles.cmax([]) == oracles.aurc([]) == 0


def test_one_answer_among_four_counts_the_abstentions() -> None:
    # One item with loss 2 of N = 4: area 2 * 1/4 under both readings, AUGRC a triangle or a step
    table = oracles.rows([0, 2, 0, 0], [0.9, 0.1, 0.5, 0.5], [False, True, False, False])
    assert oracles.cmax(table) == F(1, 4)
    assert oracles.aurc(table) == oracles.aurc(table, reading="step") == F(1, 2)
    assert oracles.augrc(table) == F(1, 16)
    assert oracles.augrc(table, reading="step") == F(1, 8)
    assert oracles.naurc(table) == 2
    assert oracles.augrc_normalized(table, 3) == F(1, 48)
    assert oracles.risk_at_coverage(table, "0.25", reading="step") == 2
    assert oracles.risk_at_coverage(table, "0.26", reading="step") is None


# Two plateaus of N = 4: losses 0, 1 at 0.9; loss 1 at 0.5; one abstained.
# Working points (1/2, 1/2, 1/4) and (3/4, 2/3, 1/2).
SMALL = oracles.rows([0, 1, 1, 0], [0.9, 0.9, 0.5, 0.1], [True, True, True, False])


def test_truncation_interpolates_the_last_segment() -> None:
    # At 5/8 the risk is (1/2 + 2/3)/2 = 7/12: 1/4 + 1/8 * (1/2 + 7/12)/2 = 1/4 + 13/192
    assert oracles.aurc_at(SMALL, "0.625") == F(61, 192)
    # AUGRC: triangle 1/2 * 1/4 / 2 = 1/16, then 1/8 * (1/4 + 3/8)/2 = 5/128
    assert oracles.augrc_at(SMALL, "0.625") == F(13, 128)
    assert oracles.aurc_at(SMALL, "0.25") == F(1, 8)
    assert oracles.used_coverage(SMALL, "0.9") == F(3, 4)
    assert oracles.aurc_at(SMALL, 1.0) == oracles.aurc_at(SMALL, "0.9") == oracles.aurc(SMALL)


def test_step_truncation_takes_a_fraction_of_the_last_step() -> None:
    # x = 0.625 * 4 = 2.5 items: (0 + 1/2 + 1/2 * 2/3) / 4 and (0 + 1/4 + 1/2 * 1/2) / 4
    assert oracles.aurc_at(SMALL, "0.625", reading="step") == F(5, 24)
    assert oracles.augrc_at(SMALL, "0.625", reading="step") == F(1, 8)
    assert oracles.aurc_at(SMALL, 1.0, reading="step") == oracles.aurc(SMALL, reading="step")
    # Risks 0, 1/2 and 2/3, each a quarter wide
    assert oracles.aurc(SMALL, reading="step") == F(7, 24)


def test_matched_coverage_reads_the_first_point_that_reaches_it() -> None:
    assert oracles.risk_at_coverage(SMALL, "0.1") == F(1, 2)
    assert oracles.achieved_coverage(SMALL, "0.1") == F(1, 2)
    assert oracles.risk_at_coverage(SMALL, "0.51") == F(2, 3)
    assert oracles.risk_at_coverage(SMALL, "0.75") == F(2, 3)
    assert oracles.risk_at_coverage(SMALL, "0.76") is None
    assert oracles.risk_at_coverage(SMALL, "0.1", reading="step") == 0


@pytest.mark.parametrize(("coverage", "n"), [(0.55, 100), (0.07, 100), (0.14, 50)])
def test_typed_coverages_are_decimals(coverage: float, n: int) -> None:
    table = oracles.rows([0] * n, range(n))
    assert oracles.achieved_coverage(table, coverage) == oracles.typed(coverage)
    assert oracles.achieved_coverage(table, coverage, reading="step") == oracles.typed(coverage)


def test_coverage_at_risk_takes_the_largest_admissible_coverage() -> None:
    # Risks 0, 1/2, 1/3, 1/4, 2/5: at 0.35 the curve has left and come back
    table = oracles.rows([0, 1, 0, 0, 1], [5, 4, 3, 2, 1])
    assert oracles.coverage_at_risk(table, 0.35) == F(4, 5)
    assert oracles.coverage_at_risk(table, 0.25) == F(4, 5)
    assert oracles.coverage_at_risk(table, 0.24) == F(1, 5)
    assert oracles.coverage_at_risk(oracles.rows([1, 1], [2, 1]), 0.5) is None
    assert oracles.coverage_at_risk(oracles.rows([0, 1, 1, 1], [4, 3, 2, 1]), 0.05) == F(1, 4)


def test_risk_equal_to_the_target_counts_in_decimals() -> None:
    assert oracles.coverage_at_risk(oracles.rows([0.2], [1]), 0.2) == 1
    assert oracles.coverage_at_risk(oracles.rows([1, 1, 1] + [0] * 7, [1] * 10), 0.3) == 1


def test_optimum_follows_every_item_and_keeps_abstentions() -> None:
    # Losses 0, 1, 1 of N = 4: risks 0, 1/2, 2/3: (0/2 + 1/2 + 2/3 / 2) / 4 plus 0 at the start
    assert oracles.aurc_optimal(SMALL) == F(5, 24)
    # Sums 0, 1, 2: (0 + 1 + 2/2) / 16
    assert oracles.augrc_optimal(SMALL) == F(1, 8)
    # Plateau AURC 1/4 + 1/4 * 7/12 = 19/48; excess 9/48; gap 90 percent
    assert oracles.eaurc(SMALL) == F(3, 16)
    assert oracles.aurc_gap_percent(SMALL) == 90
    assert oracles.aurc_optimal(SMALL, reading="step") == F(7, 24)
    assert oracles.eaurc(SMALL, reading="step") == 0


def test_achievable_drops_points_above_the_hull() -> None:
    # Risks 0, 1/2, 1/3, 1/4 at quarters: the hull keeps (1/4, 0) and (1, 1/4)
    table = oracles.rows([0, 1, 0, 0], [4, 3, 2, 1])
    assert oracles.aurc_achievable(table) == F(3, 4) * F(1, 8)
    # AURC (1/4 + 5/12 + 7/24) / 4 = 23/96; gain (23 - 9) / 23
    assert oracles.aurc(table) == F(23, 96)
    assert oracles.achievable_gain_percent(table) == F(1400, 23)


def test_hull_starts_at_the_first_working_point() -> None:
    # Falling risks 1, 1/2, 1/3: nothing to drop, and the start is held at 1
    table = oracles.rows([1, 0, 0], [3, 2, 1])
    assert oracles.aurc_achievable(table) == oracles.aurc(table)


def test_hull_drops_what_is_collinear_within_the_tolerance() -> None:
    line = [(F(0), F(0)), (F(1), F(1)), (F(2), F(2)), (F(3), F(4))]
    assert oracles.lower_hull(line) == [line[0], line[2], line[3]]
    bent = [(F(0), F(0)), (F(1), F(-1, 10**11)), (F(2), F(0))]
    assert oracles.lower_hull(bent) == [bent[0], bent[2]]


def test_auroc_counts_pairs_and_halves_ties() -> None:
    # Right at 3, 1; wrong at 2, 1: wins 2 + 0, one tie: (2 + 1/2) / 4
    table = oracles.rows([0, 0, 2, 1, 1], [3, 1, 2, 1, 9], [True] * 4 + [False])
    assert oracles.auroc_errors(table) == F(5, 8)


def test_failure_rate_is_a_share_of_participants() -> None:
    assert oracles.failure_rate([True, False, False]) == F(1, 3)
    assert oracles.failure_rate([True, False], [1, 3]) == F(1, 4)
    assert oracles.failure_rate([]) is None


def test_nearly_equal_confidences_are_two_points() -> None:
    assert len(oracles.plateau_curve(oracles.rows([0, 1], [0.1 + 0.2, 0.3]))) == 2


def test_fractional_copies_cannot_be_laid_out() -> None:
    table = oracles.rows([1], [1], copies=[F(1, 2)])
    assert oracles.aurc(table) == 1
    with pytest.raises(ValueError, match="1/2 copies"):
        oracles.aurc_optimal(table)


@given(tables(COLUMNS, weight="copies"))
def test_copies_equal_rows_written_out(table: Columns) -> None:
    counted = build(table)
    for name, oracle in ORACLE.items():
        assert oracle(counted) == oracle(oracles.expand(counted)), name


@given(st.data())
def test_row_order_does_not_matter_to_plateaus(data: st.DataObject) -> None:
    table = data.draw(tables(COLUMNS))
    shuffled = data.draw(unsorted_rows(table))
    for name, oracle in ORACLE.items():
        assert oracle(build(table)) == oracle(build(shuffled)), name


@given(tables(COLUMNS, abstained_loss="nan"))
def test_no_ranking_beats_the_optimal_augrc(table: Columns) -> None:
    assert oracles.eaugrc(build(table)) >= 0
    assert oracles.eaurc(build(table), reading="step") >= 0
    assert oracles.aurc_achievable(build(table)) <= oracles.aurc(build(table)) + F(1, 10**9)


# Bootstrap


def groups_of(columns: seed_loop.Columns) -> dict[int, list[oracles.Row]]:
    table = oracles.rows(columns.loss, columns.confidence, columns.answered)
    groups: dict[int, list[oracles.Row]] = {}
    for name, row in zip(columns.participant.tolist(), table, strict=True):
        groups.setdefault(name, []).append(row)
    return groups


def test_draws_are_the_legacy_stream() -> None:
    # What randint of the legacy generator gives for seed 42, written down once
    assert oracles.draws(5, n_resamples=2, seed=42) == [[3, 4, 2, 4, 4], [1, 2, 2, 2, 4]]


def test_resample_keeps_participant_order_and_puts_copies_together() -> None:
    one, two, three = oracles.rows([1, 2, 3], [1, 1, 1])
    groups = {20: [three], 3: [one, two]}
    assert oracles.resample(groups, [1, 0]) == [one, two, three]
    assert oracles.resample(groups, [0, 0]) == [one, one, two, two]


def test_identical_sides_have_zero_deltas() -> None:
    groups = groups_of(seed_loop.synthetic(4, 3, "discrete", 5))
    deltas = oracles.paired_bootstrap(groups, groups, oracles.aurc, n_resamples=8, seed=1)
    assert deltas == [0] * 8
    with pytest.raises(ValueError, match="same participants"):
        oracles.paired_bootstrap(groups, {}, oracles.aurc, n_resamples=8, seed=1)


def test_percentiles_are_linear_and_undefined_replicates_counted() -> None:
    # 0..100 without gaps: the 2.5th percentile lies half way between 2 and 3
    replicates = [None, *(F(value) for value in range(101)), None]
    assert oracles.percentile_interval(replicates) == oracles.Interval(2.5, 97.5, 2)
    assert oracles.percentile_interval(replicates, level=0.9) == oracles.Interval(5.0, 95.0, 2)
    assert oracles.percentile_interval([F(1), None]) is None


# The benchmark's loops


def assert_close(found: float | None, wanted: Fraction | None, name: str) -> None:
    if wanted is None:
        assert found is None, name
    else:
        assert found == pytest.approx(float(wanted), rel=1e-11, abs=1e-12), name


@pytest.mark.parametrize("kind", ["discrete", "continuous"])
@pytest.mark.parametrize("loop", [seed_loop.seed_loop, seed_loop.seed_api_loop])
def test_plain_loops_equal_the_oracles(
    loop: Callable[..., seed_loop.Replicates], kind: str
) -> None:
    columns = seed_loop.synthetic(6, 4, "discrete" if kind == "discrete" else "continuous", 3)
    found = loop(seed_loop.item_predictions(columns), n_resamples=12, seed=7)
    assert found.keys() == ORACLE.keys()
    for name, oracle in ORACLE.items():
        wanted = oracles.bootstrap(groups_of(columns), oracle, n_resamples=12, seed=7)
        for one, other in zip(found[name], wanted, strict=True):
            assert_close(one, other, name)


@given(tables(COLUMNS))
def test_loop_scalars_equal_the_oracles(table: Columns) -> None:
    error = np.minimum(np.round(table["loss"]), 3)
    items = [
        seed_loop.ItemPrediction(1, index, 3 - int(one) if there else None, 3, float(confidence))
        for index, (one, confidence, there) in enumerate(
            zip(error, table["confidence"], table["answered"], strict=True)
        )
    ]
    rows = oracles.rows(error / 3, table["confidence"], table["answered"])
    apart = seed_loop.compute_functions("abs_norm")
    for name, value in seed_loop.compute_scalars(items).items():
        assert_close(value, ORACLE[name](rows), name)
        assert_close(apart[name](items), ORACLE[name](rows), name)


@pytest.mark.parametrize("kind", ["discrete", "continuous"])
@pytest.mark.parametrize("form", ["presorted", "sorting"])
def test_scipy_peer_equals_the_oracle(form: peers.Form, kind: str) -> None:
    columns = seed_loop.synthetic(5, 3, "discrete" if kind == "discrete" else "continuous", 4)
    groups = groups_of(columns)
    peer = peers.scipy_aurc(columns, 40, 42, form=form)
    wanted = oracles.bootstrap(groups, oracles.aurc, n_resamples=40, seed=42)
    interval = oracles.percentile_interval(wanted)
    assert interval is not None
    assert peer.distribution == pytest.approx([float(one or 0) for one in wanted], abs=1e-12)
    assert peer.interval == pytest.approx((interval.low, interval.high), abs=1e-12)
    assert peer.value == pytest.approx(
        float(oracles.aurc(list(chain(*groups.values())))), abs=1e-12
    )


def test_scipy_peer_survives_a_draw_of_abstainers() -> None:
    columns = seed_loop.synthetic(2, 2, "discrete", 0)
    columns.answered[:] = [True, True, False, False]
    columns.prediction[:] = [0.0, 1.0, np.nan, np.nan]
    columns.truth[:] = [3.0, 1.0, 0.0, 0.0]
    wanted = oracles.bootstrap(groups_of(columns), oracles.aurc, n_resamples=20, seed=0)
    assert F(0) in wanted
    for form in peers.STATISTICS:
        found = peers.scipy_aurc(columns, 20, 0, form=form).distribution
        assert found == pytest.approx([float(one or 0) for one in wanted], abs=1e-12)
