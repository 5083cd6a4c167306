"""Which participants are compared, and what is said about the others."""

from __future__ import annotations

import pytest

from assay.errors import ColumnError
from tests.families.selective import examples
from tests.families.selective.examples import evaluated, only_variant
from tests.item_tables import items_from_arrays

COUNTS = (
    "participants_left_only",
    "participants_right_only",
    "overlap_total",
    "overlap_included",
    "failed_left",
    "failed_right",
)


STATES = ("total", "included", "failed", "unscored")


def counts(artifact) -> list[int]:
    return [artifact["comparison"][name] for name in COUNTS]


def test_participants_that_failed_on_one_side_are_in_neither_sides_numbers():
    left = examples.table(1, failed=[101])
    right = examples.table(2, failed=[102, 103])
    artifact = evaluated(left, right)
    assert counts(artifact) == [0, 0, 7, 4, 1, 2]
    population = artifact["population"]
    assert [population[f"participants_{state}"] for state in STATES] == [7, 4, 3, 0]
    assert [each["population"]["participants_included"] for each in artifact["inputs"]] == [6, 5]
    kept = [104, 105, 106, 107]
    for number, table in enumerate((left, right)):
        alone = only_variant(evaluated(table.select(kept)))
        assert alone["aurc_full"] == only_variant(artifact, number)["aurc_full"]
        assert alone["curve"] == only_variant(artifact, number)["curve"]


def test_the_intersection_must_be_asked_for():
    left = examples.table(1, participants=[1, 2, 3, 4])
    right = examples.table(2, participants=[3, 4, 5])
    with pytest.raises(
        ColumnError,
        match=r"different participants: 2 only in arrays \(such as 1\), 1 only in .* as 5\)",
    ) as caught:
        evaluated(left, right)
    assert "`intersection_only`" in caught.value.hint
    artifact = evaluated(left, right, intersection_only=True)
    assert artifact["comparison"]["intersection_only"] is True
    assert counts(artifact) == [2, 1, 2, 2, 0, 0]
    assert artifact["resampling"]["n_units"] == 2


def test_the_population_of_an_intersection_is_that_of_the_shared_participants():
    left = examples.table(1, participants=[1, 2, 3, 4], failed=[1, 2])
    right = examples.table(2, participants=[2, 3, 4, 5], failed=[3, 5])
    population = evaluated(left, right, intersection_only=True)["population"]
    assert [population[f"participants_{state}"] for state in STATES] == [3, 1, 2, 0]


def test_items_and_cmax_of_a_pair_are_given_per_input_and_for_what_both_reach():
    values = {"participant": [1, 1, 2, 2, 3, 3], "truth": [0] * 6, "confidence": [1] * 6}
    left = items_from_arrays(**values, prediction=[1, 0, 1, None, 1, 1])
    right = items_from_arrays(
        **values, prediction=[1, None, None, None, 1, 1], success=[1, 1, 1, 1, 0, 0]
    )
    artifact = evaluated(left, right)
    names = ("participants_included", "participants_failed", "items_total", "items_predicted")
    both = [each["analysed"] for each in artifact["inputs"]]
    assert [[each[name] for name in names] for each in both] == [[2, 1, 4, 3], [2, 1, 4, 1]]
    assert [each["cmax"] for each in both] == [0.75, 0.25]
    assert [each["population"]["items_predicted"] for each in artifact["inputs"]] == [5, 1]
    for first, second in ((left, right), (right, left)):
        population = evaluated(first, second)["population"]
        assert [population[name] for name in (*names, "cmax")] == [2, 1, 4, 1, 0.25]
    assert "analysed" not in evaluated(left)["inputs"][0]


def test_failures_of_a_pair_are_counted_among_the_participants_both_inputs_have():
    left = examples.table(1, participants=[1, 2, 3, 4, 5], failed=[1, 2])
    right = examples.table(2, participants=[2, 3, 4, 5, 6], failed=[3, 6])
    artifact = evaluated(left, right, intersection_only=True)
    assert counts(artifact) == [1, 1, 4, 2, 1, 1]
    (pair,) = artifact["comparison"]["pairs"]
    assert (pair["failed_left"], pair["failed_right"]) == (1, 1)
    assert [each["value"] for each in artifact["failure_rate"]] == [0.25, 0.25]


def test_a_failed_participant_is_one_the_run_is_about():
    left = examples.table(1, participants=[1, 2, 3], failed=[3])
    right = examples.table(2, participants=[1, 2])
    with pytest.raises(ColumnError, match=r"1 only in arrays \(such as 3\)"):
        evaluated(left, right)


def test_the_same_failures_on_both_sides_leave_everything_else():
    sides = [examples.table(seed, failed=[101, 107]) for seed in (1, 2)]
    assert counts(evaluated(*sides)) == [0, 0, 7, 5, 2, 2]


def test_failure_rates_in_an_intersection_are_over_the_shared_participants():
    left = examples.table(1, participants=[1, 2, 3, 4], failed=[1, 3])
    right = examples.table(2, participants=[2, 3, 4, 5])
    artifact = evaluated(left, right, intersection_only=True)
    assert [each["value"] for each in artifact["failure_rate"]] == [1 / 3, 0.0]


def test_every_input_must_be_about_the_participants_of_the_first():
    tables = [examples.table(seed) for seed in (1, 2)]
    other = examples.table(3, participants=range(101, 107))
    with pytest.raises(ColumnError, match=r"1 only in arrays \(such as 107\)"):
        evaluated(*tables, other)


def test_three_inputs_are_restricted_to_what_all_succeeded_on():
    tables = [
        examples.table(seed, failed=failed) for seed, failed in ((1, [101]), (2, []), (3, [102]))
    ]
    artifact = evaluated(*tables)
    assert artifact["resampling"]["n_units"] == 5
    pairs = artifact["comparison"]["pairs"]
    assert [pair["overlap_included"] for pair in pairs] == [6, 5]


def test_sides_must_have_the_same_items():
    left = items_from_arrays(participant=[1, 2], prediction=[1, 0], truth=[1, 1], confidence=[1, 2])
    right = items_from_arrays(
        participant=[1, 1, 2], prediction=[1, 0, 2], truth=[1, 1, 1], confidence=[1, 2, 3]
    )
    told = "participant 1, item 2 has the truth 1, and arrays has no row with a truth"
    with pytest.raises(ColumnError, match=told) as caught:
        evaluated(left, right, intersection_only=True)
    assert "compared by their place" in caught.value.hint


def test_text_ids_work_as_numbers_do():
    numbers = examples.table(1, failed=[102])
    named = items_from_arrays(
        participant=["a", "a", "b"], prediction=[1, 2, 0], truth=[1, 1, 1], confidence=[1, 2, 3]
    )
    assert evaluated(named, named)["resampling"]["n_units"] == 2
    with pytest.raises(ColumnError, match="different participants"):
        evaluated(numbers, named)


def test_a_confidence_that_one_side_lacks_is_not_compared():
    values = {"participant": [1, 2], "prediction": [1, 0], "truth": [1, 1]}
    left = items_from_arrays(**values, signals={"token_msp": [0.1, 0.2]}, confidence=[1, 2])
    right = items_from_arrays(**values, confidence=[1, 2])
    artifact = evaluated(left, right, confidence="all")
    assert list(artifact["confidence_variants"]["token_msp"]) == ["input_0"]
    assert list(artifact["confidence_variants"]["confidence"]) == ["input_0", "input_1"]
    assert list(artifact["comparison"]["deltas"]) == ["confidence"]
