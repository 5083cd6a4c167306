"""A small part of the simulation behind docs/coverage.md: counts that chance alone fixes."""

from __future__ import annotations

import pytest

from bench.coverage.designs import DESIGNS
from bench.coverage.page import page
from bench.coverage.simulate import covered, rejected, truths

N, CLUSTERS, RESAMPLES = 300, 41, 300
DESIGN = {design.name: design for design in DESIGNS}
TRUTHS = {
    "selective, counts": {"aurc": 0.04754, "eaurc": 0.03403, "cmax": 0.58060, "risk": 0.16300},
    "calibration, overconfident": {"ece": 0.09805, "rms_calibration_error": 0.1066, "nll": 0.6554},
    "calibration, calibrated": {"ece": 0.0, "max_calibration_error": 0.0},
    "intervals": {"interval_coverage": 0.8601, "winkler": 4.7496},
    "sets": {"worst_class_coverage": 0.7295},
}
"""of a quarter of a million clusters"""
LEAST, MOST = 273, 297
"""of 300: 91 to 99 percent, two standard errors beyond 93 and 97; calibrated norms may reach 300"""


@pytest.mark.parametrize("name", TRUTHS)
def test_intervals_of_41_participants_cover(name: str) -> None:
    found = covered(DESIGN[name], TRUTHS[name], CLUSTERS, N, n_resamples=RESAMPLES)
    for label, each in found.items():
        # Where the truth is 0, one in forty is smaller than chance makes it, and has none.
        assert each.n == N if each.truth else 0.94 * N <= each.n < N, label
        most = N if each.truth == 0 else MOST
        assert LEAST <= each.n_covered <= most, (label, each)
        assert each.width < 1.7 * each.spread, (label, each)


def test_p_values_of_swapped_systems_have_their_size() -> None:
    found = rejected(DESIGN["reasoning"], ("step_f1", "faithfulness_gap"), CLUSTERS, N)
    for label, (n, left_out, of) in found.items():
        assert of == N
        assert 5 <= n <= 26, label
        assert 5 <= left_out <= 26, label


def test_the_truth_is_that_of_a_large_sample_and_the_page_shows_what_was_counted() -> None:
    design = DESIGN["reasoning"]
    known = truths(design, ("accuracy_cot",), 10_000)
    assert known["accuracy_cot"] == pytest.approx(0.69, abs=0.01)
    cell = {"n": 300, "n_replications": 310, "n_covered": 270, "truth": 0.5, "width": 1.2}
    shown = page(
        {
            "intervals; reasoning; 41": {
                "accuracy_cot": {**cell, "spread": 1.0, "methods": ["expanded"]},
                "never": {**cell, "n": 0, "spread": 1.0, "methods": []},
            },
            "tests; reasoning; 41": {"step_f1": (12, 9, 300)},
            "nulls; reasoning, no gap; 41": {"mcnemar_p_value": (15, -300, 300)},
        }
    )
    assert "| accuracy_cot | expanded | 0.5 | **90.0 (1.7)**, none 3 | 1.20 |" in shown
    assert "| never | none | 0.5 | none | - |" in shown
    assert "| step_f1 (reasoning) | 4.0 (3.0) of 300 |" in shown
    assert "| mcnemar_p_value (reasoning, no gap) | 5.0 of 300 |" in shown
