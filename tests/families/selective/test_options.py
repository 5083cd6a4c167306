"""Choices: what they are by default, under a preset, and which make no sense."""

from __future__ import annotations

import pytest

from assay.errors import UsageError
from assay.families.selective.options import PRESETS, RunColumns, SelectiveOptions
from tests.families.selective import examples


def test_the_defaults_are_those_of_the_plateau_preset():
    assert SelectiveOptions() == SelectiveOptions(preset="plateau")
    assert RunColumns().loss == "abs_norm"
    assert SelectiveOptions().coverage_grid == tuple(each / 10 for each in range(1, 10))


def test_a_choice_beats_its_preset_and_none_is_no_choice():
    chosen = SelectiveOptions(preset="reference", undefined="null", area=None)
    assert (chosen.undefined, chosen.area, chosen.missing) == ("null", "trapezoid", "reference")
    assert RunColumns(loss=None).loss == "abs_norm"
    assert chosen.preset == "reference"


def test_an_unknown_preset_lists_the_known_ones():
    known = ", ".join(PRESETS)
    with pytest.raises(UsageError, match=f"`preset` must be one of {known}, found 'mapy'"):
        SelectiveOptions(preset="mapy")


@pytest.mark.parametrize("coverage", [0.0, -0.1, 1.1, float("nan")])
def test_a_coverage_lies_above_0_and_at_most_at_1(coverage):
    needs = "(above 0 and at most 1|a number)"
    with pytest.raises(UsageError, match=f"`area_coverage` must be {needs}, found"):
        SelectiveOptions(area_coverage=coverage)
    with pytest.raises(UsageError, match=f"`coverage_grid` must be {needs}, found"):
        SelectiveOptions(coverage_grid=(0.5, coverage))


@pytest.mark.parametrize("target", [-0.1, float("inf"), float("nan")])
def test_a_risk_target_is_a_loss(target):
    with pytest.raises(UsageError, match=r"`risk_target` must be a (loss of at least 0|number)"):
        SelectiveOptions(risk_target=(target,))


@pytest.mark.parametrize("name", ["coverage_grid", "risk_target"])
def test_a_grid_names_no_value_twice(name):
    with pytest.raises(UsageError, match=f"`{name}` names a value twice"):
        SelectiveOptions(**{name: (0.5, 0.5)})


def test_the_presets_give_the_readings_they_promise():
    given = examples.table(5)
    found = {
        preset: examples.only_variant(examples.evaluated(given, preset=preset))
        for preset in PRESETS
    }
    assert found["plateau"]["aurc_full"] == found["reference"]["aurc_full"]
    assert found["plateau"]["aurc_full"] != found["item-step"]["aurc_full"]
    assert len(found["item-step"]["curve"]["coverage"]) == given.answered.sum()


def test_both_readings_agree_on_a_single_prediction():
    given = examples.items_from_arrays(
        participant=[1, 1, 1], prediction=[None, 2, None], truth=[0, 0, 0], confidence=[0, 1, 0]
    )
    variants = [
        examples.only_variant(examples.evaluated(given, preset=preset))
        for preset in ("plateau", "item-step")
    ]
    assert [each["aurc_full"] for each in variants] == [pytest.approx(2 / 3)] * 2
    assert variants[0]["mae_at_coverage"] == variants[1]["mae_at_coverage"]


def test_grid_values_are_spelled_with_the_digits_they_need():
    artifact = examples.evaluated(examples.table(), coverage_grid=(0.5, 0.125))
    assert list(examples.only_variant(artifact)["mae_grid"]) == ["0.50", "0.125"]
