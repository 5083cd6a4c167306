"""Rows added up by bin: both forms follow the comparison with every edge."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engines import FORMS


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(("n_rows", "n_bins"), [(0, 3), (1, 1), (7, 2), (70_001, 10), (999, 49)])
def test_rows_are_added_up_in_the_bin_that_comparisons_give(form, closed, n_rows, n_bins):
    generator = np.random.default_rng(n_rows)
    edges = np.linspace(0, 1, n_bins + 1)
    score = np.where(
        generator.random(n_rows) < 0.5, generator.random(n_rows), generator.choice(edges, n_rows)
    )
    outcome = (generator.random(n_rows) < 0.5).astype(float)
    side = "left" if closed else "right"
    place = np.clip(np.searchsorted(edges, score, side=side) - 1, 0, n_bins - 1)
    wanted = [
        np.bincount(place, weights=each, minlength=n_bins)
        for each in (np.ones(n_rows), outcome, score)
    ]
    edges[0], edges[-1] = -np.inf, np.inf
    found = form.binned_sums(outcome, score, edges, closed=closed)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
