"""Long rankings that are swept over and not written out: the same digits as written out."""

from __future__ import annotations

import numpy as np
import pytest

from assay import _kernels as kernels
from assay.columns import Resamples
from assay.metrics import selective
from assay.metrics.selective import curve as curves
from tests.engines import FORMS

TILE = FORMS["numpy"].TILE
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
needs_both = pytest.mark.skipif("compiled" not in FORMS, reason="the C module was not built")


def ranked(n_points: int, *, seed: int = 0, n_resamples: int = 11, kind: str = "random"):
    """Return counts and cells: points of one to three cells, some clusters hardly ever drawn."""
    draw = np.random.default_rng(seed)
    n_clusters = 30
    counts = draw.integers(0, 3, (n_resamples, n_clusters)).astype(float)
    counts[0] = 0.0
    counts[-1, 1:] = 0.0
    start = np.append(0, np.cumsum(draw.integers(1, 4, n_points)))
    size = draw.integers(1, 3, start[-1]).astype(float)
    losses = {
        "random": draw.choice([0.0, 1 / 3, 2 / 3, 1.0, 2.5], start[-1]),
        "none": np.zeros(start[-1]),
        "equal": np.full(start[-1], 1 / 3),
        "rising": np.linspace(0, 1, start[-1]) ** 2,
        "falling": np.linspace(1, 0, start[-1]),
    }
    cells = start, draw.integers(0, n_clusters, start[-1]), size, size * losses[kind]
    return counts, cells


def slopes(cells, steep: float = 1e-3):
    """Return any slope for each tile: none may change what is read."""
    return np.linspace(-steep, steep, -(-(cells[0].size - 1) // TILE))


def written_out(form, counts, cells):
    sums = np.empty((2, len(counts), cells[0].size - 1))
    form.accumulate(counts, *cells, *sums)
    return sums


@needs_both
@pytest.mark.parametrize("n_points", [0, 1, TILE - 1, TILE, TILE + 1, 5 * TILE + 3])
@pytest.mark.parametrize("n_resamples", [1, 7, 8, 9])
def test_forms_sweep_alike(n_points: int, n_resamples: int):
    counts, cells = ranked(n_points, n_resamples=n_resamples)
    found, wanted = (form.sweep(counts, cells, slopes(cells)) for form in FORMS.values())
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-15)


@each_form
@pytest.mark.parametrize("kind", ["random", "none", "equal", "rising", "falling"])
@pytest.mark.parametrize("n_points", [1, TILE, 9 * TILE + 5])
@pytest.mark.parametrize("steep", [0.0, 1e-3, 1.0])
def test_what_is_read_is_what_would_be_written_out(form, kind: str, n_points: int, steep: float):
    counts, cells = ranked(n_points, kind=kind, seed=n_points)
    accepted, lost = written_out(form, counts, cells)
    slope = slopes(cells, steep)
    tiles = form.sweep(counts, cells, slope)
    last = accepted[:, -1]
    for upto in (0 * last, 0.013 * last, 0.4 * last, accepted[:, n_points // 2], last, last + 9):
        found = form.swept_to(counts, cells, tiles, upto)
        point = kernels.first_reaching(accepted, upto)
        there = np.flatnonzero(point < n_points)
        assert found[0, there].tolist() == accepted[there, point[there]].tolist()
        assert found[1, there].tolist() == lost[there, point[there]].tolist()
        assert np.isnan(np.delete(found[:2], there, axis=1)).all()
        areas = form.trapezoid_areas(accepted, lost, upto)
        assert found[2:].tolist() == [each.tolist() for each in areas]
    for total in (last, last + 100):
        hull = form.swept_hull(counts, cells, tiles, slope, total)
        np.testing.assert_allclose(hull, kernels.hull_area(accepted, lost, total), rtol=1e-12)


@each_form
@pytest.mark.parametrize("count", [0.5, -1.0, 256.0, np.nan])
def test_counts_that_are_no_small_whole_numbers_are_not_swept(form, count: float):
    counts, cells = ranked(10)
    counts[3, 2] = count
    assert form.sweep(counts, cells, slopes(cells)) is None


@pytest.mark.parametrize("weight", ["whole", "fractions"])
def test_metrics_of_a_long_ranking_do_not_depend_on_the_sweep(monkeypatch, weight: str):
    draw = np.random.default_rng(8)
    n = 2 * curves.SWEPT_FROM
    loss, confidence = draw.choice([0.0, 0.5, 1.0], n), draw.random(n)
    answered = (draw.random(n) < 0.9).astype(float)
    counts = draw.integers(0, 4, (3, n // 4)) / (1 if weight == "whole" else 3)
    columns = loss, confidence
    options = [
        (selective.aurc, {}),
        (selective.augrc, {}),
        (selective.aurc_at_coverage, {"area_coverage": 0.6}),
        (selective.aurc_achievable, {}),
        (selective.cmax, {}),
        (selective.risk_at_coverage, {"coverage": 0.3}),
        (selective.coverage_at_risk, {"risk_target": 0.5}),
        (selective.risk_at_threshold, {"threshold": 0.5}),
    ]
    if weight == "whole":
        step = {"area": "step"}
        options += [(selective.aurc, step), (selective.risk_at_coverage, step | {"coverage": 0.3})]

    def every() -> list[list[float]]:
        rows = Resamples(counts, np.arange(n) % (n // 4), np.ones(n), (3,))
        return [
            np.asarray(metric(*columns, answered=answered, weight=rows, **more)).tolist()
            for metric, more in options
        ]

    swept = every()
    monkeypatch.setattr(curves, "SWEPT_FROM", n + 1)
    np.testing.assert_array_equal(swept, every())
