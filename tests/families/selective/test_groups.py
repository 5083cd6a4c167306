"""A group's numbers are those of a table that holds only this group."""

from __future__ import annotations

import numpy as np
import pytest

from assay.inference import Plan
from assay.sources.items import ItemTable
from tests.item_tables import items_from_arrays
from tests.selective_artifacts import evaluate, flat


def table(*, grouped: bool, only: str | None = None) -> ItemTable:
    rng = np.random.default_rng(5)
    participant = np.repeat(np.arange(1, 13), 4)
    group = np.where(participant % 3 == 0, "north", "south")
    truth = rng.integers(0, 4, participant.size)
    prediction = np.where(
        rng.random(truth.size) < 0.3, np.nan, (truth + rng.integers(0, 2, 48)) % 4
    )
    confidence = rng.integers(0, 5, truth.size) / 4
    kept = group == only if only else np.ones(truth.size, dtype=bool)
    return items_from_arrays(
        participant=participant[kept],
        prediction=prediction[kept],
        truth=truth[kept],
        confidence=confidence[kept],
        group=group[kept] if grouped else None,
        scale=(0, 3),
    )


def evaluated(given: ItemTable, **options):
    return flat(evaluate([given], plan=Plan(n_resamples=60), **options))


@pytest.mark.parametrize("label", ["north", "south"])
def test_a_group_has_the_numbers_of_its_own_table(label):
    groups = evaluated(table(grouped=True))["groups"]
    (record,) = [each for each in groups if each["label"] == label]
    alone = evaluated(table(grouped=False, only=label))
    own, population = alone["confidence_variants"]["confidence"], alone["population"]
    assert record["confidence_variants"]["confidence"] == own["metrics"]
    assert record["participants"] == population["participants_included"]
    for count in ("items_total", "items_predicted"):
        assert record[count] == population[count]


def test_without_a_group_column_there_are_no_groups():
    assert evaluated(table(grouped=False))["groups"] == []


def test_a_group_keeps_only_the_participants_who_have_rows_in_it():
    groups = {each["label"]: each for each in evaluated(table(grouped=True))["groups"]}
    assert {label: each["participants"] for label, each in groups.items()} == {
        "north": 4,
        "south": 8,
    }


def test_a_group_in_which_nothing_is_answered_has_the_confidences_of_the_table():
    found = items_from_arrays(
        participant=[1, 2, 3, 4],
        prediction=[1, 2, 0, None],
        truth=[1, 1, 0, 2],
        confidence=[0.2, 0.9, 0.4, 0.1],
        group=["a", "a", "a", "b"],
        scale=(0, 3),
    )
    whole = evaluated(found, confidence="all")
    assert [[*each["confidence_variants"]] for each in whole["groups"]] == [["confidence"]] * 2
    assert [*whole["confidence_variants"]] == ["confidence"]
