"""Rows accepted from the highest score down: both forms against exact sums, score by score."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest

from tests.engines import FORMS

SHAPES = {
    "none": lambda g: g.random(0),
    "one": lambda g: g.random(1),
    "all equal": lambda _: np.full(40, 0.25),
    "few values": lambda g: g.integers(0, 11, 5_000) / 10,
    "more values than slots": lambda g: g.integers(0, 3_000, 20_000) / 7,
    "continuous": lambda g: g.random(20_000),
    "both signs, many sizes": lambda g: g.normal(size=5_000) * 10.0 ** g.integers(-300, 300, 5_000),
    "both zeros": lambda g: np.append(
        g.choice([0.0, -0.0, 1.0, -1.0], 3_000), g.normal(size=2_000)
    ),
    "neighbouring doubles": lambda g: 1 + g.integers(0, 2_000, 9_000) * np.finfo(float).eps,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_equal_scores_are_one_point_and_sums_run_from_the_highest_down(form, shape):
    generator = np.random.default_rng(3)
    score = shape(generator)
    loss = generator.random(score.size)
    threshold, accepted, lost = form.plateaus(score, loss)
    levels = np.unique(score + 0.0)[::-1]
    assert threshold.tolist() == levels.tolist()
    reached = score.size - np.searchsorted(np.sort(score), levels)
    assert accepted.tolist() == reached.tolist()
    shown = [*range(0, levels.size, max(1, levels.size // 50))]
    wanted = [fsum(loss[score >= levels[point]]) for point in shown]
    np.testing.assert_allclose(lost[shown], wanted, rtol=1e-12)
