"""What a figure will draw: working points, their bands, the oracle's and the hull's points."""

from __future__ import annotations

import numpy as np
import pytest

from assay.inference import Plan
from tests import oracles
from tests.families.selective import examples
from tests.families.selective.examples import alike, evaluated, only_variant

BANDS = ("coverage", "selective_risk", "generalized_risk")


@pytest.fixture(scope="module")
def long_curve():
    given = examples.table(8, participants=range(1000), n_items=6, levels=10**9)
    return given, only_variant(evaluated(given, plan=Plan(n_resamples=50)))


@pytest.mark.parametrize(("preset", "reading"), [("plateau", "plateau"), ("item-step", "step")])
def test_the_points_are_those_of_the_slow_definition(engine, preset, reading):
    given = examples.table(31)
    curve = only_variant(evaluated(given, preset=preset))["curve"]
    points = oracles.curve(oracles.rows(**examples.columns(given)), reading=reading)
    for name in (*BANDS, "threshold"):
        assert alike(curve[name], [float(getattr(point, name)) for point in points])
    assert curve["n_accepted"] == [float(point.k) for point in points]


def test_a_band_is_the_interval_of_the_curve_at_its_threshold(engine):
    given, plan = examples.table(33), Plan(n_resamples=40, seed=5)
    curve = only_variant(evaluated(given, plan=plan))["curve"]
    people = examples.groups(given)
    for point, threshold in enumerate(curve["threshold"]):

        def accepted(rows, threshold=threshold):
            taken = [row for row in rows if row.answered and row.confidence >= threshold]
            return sum(row.loss for row in taken) / len(taken) if taken else None

        replicates = oracles.bootstrap(people, accepted, n_resamples=40, seed=5)
        interval = oracles.percentile_interval(replicates)
        found = [curve[f"selective_risk_{end}"][point] for end in ("low", "high")]
        assert alike(found, [interval.low, interval.high])
    assert curve["n_resamples"] == 40


def test_bands_bracket_the_curve(long_curve):
    _, variant = long_curve
    curve = variant["curve"]
    for name in BANDS:
        low, value, high = (
            np.array(curve[key], dtype=float) for key in (f"{name}_low", name, f"{name}_high")
        )
        assert (low <= high)[~np.isnan(low)].all()
        assert ((low <= value) & (value <= high)).mean() > 0.9


def test_a_point_whose_resamples_all_agree_has_no_band():
    given = examples.table(2, answering=1.1)
    curve = only_variant(evaluated(given))["curve"]
    assert curve["coverage"][-1] == 1.0
    assert curve["coverage_low"][-1] is curve["coverage_high"][-1] is None
    assert curve["selective_risk_low"][-1] is not None


def test_long_curves_are_thinned_and_say_so(long_curve):
    given, variant = long_curve
    curve = variant["curve"]
    n_points = int(given.answered.sum())
    assert n_points > 4000
    for points in (curve, curve["oracle"]):
        assert points["thinning"] == {
            "n_points": n_points,
            "n_kept": 2000,
            "rule": "points at evenly spaced positions, the first and the last among them",
        }
        assert len(points["coverage"]) == len(points["selective_risk"]) == 2000
        assert np.all(np.diff(points["coverage"]) > 0)
    assert curve["coverage"][0] == 1 / 6000
    assert curve["coverage"][-1] == variant["cmax"]
    assert len(curve["selective_risk_low"]) == len(curve["threshold"]) == 2000


def test_thinning_changes_no_number(long_curve):
    given, variant = long_curve
    assert variant["curve"]["selective_risk"][-1] == variant["metrics"]["risk"]["value"]
    whole = np.flatnonzero(given.answered).size
    assert variant["curve"]["n_accepted"][-1] == whole


def test_short_curves_are_complete():
    curve = only_variant(evaluated(examples.table()))["curve"]
    n_points = len(curve["coverage"])
    assert curve["thinning"] == {"n_points": n_points, "n_kept": n_points, "rule": "all points"}


@pytest.mark.parametrize("seed", range(5))
def test_the_hull_points_integrate_to_the_achievable_area(seed):
    variant = only_variant(evaluated(examples.table(seed, n_items=6, levels=20)))
    hull = variant["curve"]["hull"]
    coverage = np.array([0.0, *hull["coverage"]])
    risk = np.array([hull["selective_risk"][0], *hull["selective_risk"]])
    assert np.trapezoid(risk, coverage) == pytest.approx(variant["aurc_achievable"], abs=1e-12)
    assert set(hull["coverage"]) <= set(variant["curve"]["coverage"])
    slopes = np.diff(risk[1:]) / np.diff(coverage[1:])
    assert np.all(np.diff(slopes) > 0)


@pytest.mark.parametrize(("preset", "reading"), [("plateau", "trapezoid"), ("item-step", "step")])
def test_the_oracle_points_integrate_to_the_optimal_areas(preset, reading):
    variant = only_variant(evaluated(examples.table(6, n_items=6), preset=preset))
    oracle = variant["curve"]["oracle"]
    n = 7 * 6
    areas = {}
    for name, at_zero in (("selective_risk", oracle["selective_risk"][0]), ("generalized_risk", 0)):
        if reading == "step":
            areas[name] = sum(oracle[name]) / n
        else:
            areas[name] = np.trapezoid([at_zero, *oracle[name]], [0.0, *oracle["coverage"]])
    assert areas["selective_risk"] == pytest.approx(variant["aurc_optimal"], abs=1e-12)
    assert areas["generalized_risk"] == pytest.approx(variant["augrc_optimal"], abs=1e-12)


def test_the_oracle_never_risks_more_than_the_system():
    variant = only_variant(evaluated(examples.table(6, n_items=6)))
    oracle, curve = variant["curve"]["oracle"], variant["curve"]
    at = dict(zip(oracle["coverage"], oracle["generalized_risk"], strict=True))
    for coverage, risk in zip(curve["coverage"], curve["generalized_risk"], strict=True):
        assert at[coverage] <= risk + 1e-12
