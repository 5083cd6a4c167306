"""The two forms of every hot loop against each other, and the loops against exact arithmetic."""

from __future__ import annotations

import itertools
import os
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import digamma

from assay import _kernels as kernels
from assay._kernels import numpy_form
from tests.engines import FORMS, KERNELS

SCALE = 1e-12
SEEDS = range(6)
AREAS = ("trapezoid_areas", "step_areas")

needs_both = pytest.mark.skipif("compiled" not in FORMS, reason="the C module was not built")


def test_compiled_module_is_there_where_it_is_required() -> None:
    if os.environ.get("ASSAY_REQUIRE_COMPILED"):
        assert "compiled" in FORMS, "ASSAY_REQUIRE_COMPILED is set and the C module is missing"


def test_both_forms_offer_every_kernel() -> None:
    assert kernels.ENGINE in FORMS
    for form in FORMS.values():
        for name in KERNELS:
            assert callable(getattr(form, name))


@needs_both
def test_engine_in_use_is_the_compiled_one_unless_refused() -> None:
    refused = os.environ.get("ASSAY_ENGINE") == "numpy"
    assert (kernels.ENGINE == "numpy") is refused
    assert kernels.hull_area is FORMS[kernels.ENGINE].hull_area


def cells(seed: int, *, n_resamples: int = 13, n_points: int = 20, whole: bool = True):
    """Return what `accumulate` takes: counts with zeros in them, points of one to four cells."""
    draw = np.random.default_rng(seed)
    n_clusters = 7
    counts = draw.integers(0, 4, (n_resamples, n_clusters)).astype(float)
    if not whole:
        counts *= draw.random((n_resamples, n_clusters))
    counts[0] = 0.0
    start = np.append(0, np.cumsum(draw.integers(1, 5, n_points)))
    cluster = draw.integers(0, n_clusters, start[-1])
    size = draw.integers(1, 4, start[-1]).astype(float)
    loss = size * draw.choice([0.0, 1 / 3, 2 / 3, 1.0, 2.5], start[-1])
    return counts, start, cluster, size, loss


def accumulated(form, counts, start, cluster, size, loss):
    accepted, lost = np.full((2, len(counts), start.size - 1), np.nan)
    form.accumulate(counts, start, cluster, size, loss, accepted, lost)
    return accepted, lost


def curves(seed: int, *, whole: bool = True):
    return accumulated(numpy_form, *cells(seed, whole=whole))


def adversarial():
    """Yield (name, accepted, lost): few points, empty points at any place, large counts."""
    yield "no points", np.zeros((3, 0)), np.zeros((3, 0))
    yield "no resamples", np.zeros((0, 4)), np.zeros((0, 4))
    yield "one point", np.array([[5.0]]), np.array([[2.0]])
    yield "one empty point", np.array([[0.0]]), np.array([[0.0]])
    yield "nothing accepted", np.zeros((2, 5)), np.zeros((2, 5))
    yield "leading empty points", np.array([[0, 0, 0, 2.0, 3]]), np.array([[0, 0, 0, 1.0, 1]])
    yield "inner empty points", np.array([[1, 1, 1, 4.0, 4]]), np.array([[1, 1, 1, 2.0, 2]])
    yield "nothing lost", np.arange(1.0, 9)[None], np.zeros((1, 8))
    yield "straight line", np.arange(1.0, 60)[None], np.arange(1.0, 60)[None] ** 2 / 60
    yield "falling risk", np.arange(1.0, 60)[None], np.ones((1, 59))
    k = np.arange(1.0, 60)[None]
    yield "saw", k, np.cumsum(np.arange(59) % 2)[None].astype(float)
    huge = 1e9 * k
    yield "huge counts", huge, huge * np.linspace(0.9, 0.1, 59)
    wide = np.cumsum(np.logspace(0, 12, 13).astype(np.int64))[None].astype(float)
    yield "very unequal counts", wide, wide * np.linspace(0.0, 1.0, 13)


RANDOM = [pytest.param(*curves(seed), id=f"random {seed}") for seed in SEEDS]
FRACTIONAL = [pytest.param(*curves(seed, whole=False), id=f"fractional {seed}") for seed in SEEDS]
EDGES = [pytest.param(accepted, lost, id=name) for name, accepted, lost in adversarial()]
any_curve = pytest.mark.parametrize(("accepted", "lost"), [*RANDOM, *FRACTIONAL, *EDGES])
whole_curve = pytest.mark.parametrize(("accepted", "lost"), [*RANDOM, *EDGES])


def ends(accepted) -> dict[str, np.ndarray]:
    """Return where to stop: before, at, between and beyond the points, per resample."""
    last = accepted[:, -1] if accepted.shape[1] else np.zeros(len(accepted))
    middle = accepted[:, accepted.shape[1] // 2] if accepted.shape[1] else last
    return {
        "nowhere": np.zeros(len(accepted)),
        "inside": 0.37 * last,
        "just started": np.minimum(0.25, last),
        "at a point": middle,
        "a little after a point": middle + 0.5 * (last - middle),
        "at the end": last,
        "beyond": last + 10,
    }


def assert_close(found, wanted, scale=1.0) -> None:
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    largest = np.abs(wanted).max(initial=0.0) * scale
    np.testing.assert_allclose(found, wanted, rtol=0, atol=SCALE * largest)


def assert_forms_agree(name: str, *arguments, scale: float = 1.0) -> None:
    found = getattr(FORMS["compiled"], name)(*arguments)
    wanted = getattr(numpy_form, name)(*arguments)
    for one, other in zip(np.atleast_2d(found), np.atleast_2d(wanted), strict=True):
        assert_close(one, other, scale)


@needs_both
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("whole", [True, False])
def test_forms_accumulate_alike(seed: int, whole: bool) -> None:
    arguments = cells(seed, whole=whole)
    found = accumulated(FORMS["compiled"], *arguments)
    for one, other in zip(found, accumulated(numpy_form, *arguments), strict=True):
        assert_close(one, other)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("n_resamples", [0, 1, 3, 4, 5, 8, 9])
def test_accumulate_is_a_running_sum(form, n_resamples: int) -> None:
    counts, start, cluster, size, loss = cells(3, n_resamples=max(1, n_resamples))
    counts = counts[:n_resamples]
    accepted, lost = accumulated(form, counts, start, cluster, size, loss)
    for r, drawn in enumerate(counts):
        for m in range(start.size - 1):
            upto = slice(0, start[m + 1])
            assert accepted[r, m] == sum(drawn[cluster[upto]] * size[upto])
            wanted = sum(drawn[cluster[upto]] * loss[upto])
            assert lost[r, m] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("n_resamples", [0, 1, 4, 7])
def test_one_quantity_given_twice_is_added_up_as_two_are(form, n_resamples: int) -> None:
    counts, start, cluster, _, loss = cells(3, n_resamples=max(1, n_resamples))
    arguments = counts[:n_resamples], start, cluster, loss
    twice, other = accumulated(form, *arguments, loss)
    wanted, _ = accumulated(form, *arguments, loss.copy())
    np.testing.assert_array_equal(twice, wanted)
    np.testing.assert_array_equal(other, wanted)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_accumulate_without_points_or_rows(form) -> None:
    nothing = np.zeros(0, dtype=np.int64)
    accepted, lost = accumulated(
        form, np.ones((3, 2)), np.zeros(1, dtype=np.int64), nothing, np.zeros(0), np.zeros(0)
    )
    assert accepted.shape == lost.shape == (3, 0)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_blocks_larger_than_the_working_space_are_cut(form, monkeypatch) -> None:
    arguments = cells(1)
    wanted = accumulated(form, *arguments)
    monkeypatch.setattr(numpy_form, "_CELLS_AT_ONCE", 2)
    np.testing.assert_array_equal(accumulated(form, *arguments), wanted)


@needs_both
@any_curve
def test_forms_agree_on_trapezoids(accepted, lost) -> None:
    for upto in ends(accepted).values():
        assert_forms_agree("trapezoid_areas", accepted, lost, upto)


@needs_both
@whole_curve
def test_forms_agree_on_steps(accepted, lost) -> None:
    for upto in ends(accepted).values():
        assert_forms_agree("step_areas", accepted, lost, upto)


@needs_both
@any_curve
def test_forms_agree_on_hulls(accepted, lost) -> None:
    last = accepted[:, -1] if accepted.shape[1] else np.zeros(len(accepted))
    for total in (last, last + 3, np.maximum(last, 1.0) * 7):
        assert_forms_agree("hull_area", accepted, lost, total)


@needs_both
@pytest.mark.parametrize("seed", SEEDS)
def test_forms_agree_on_long_ragged_hulls(seed: int) -> None:
    draw = np.random.default_rng(seed)
    accepted = np.cumsum(draw.integers(0, 3, (9, 800)), axis=1).astype(float)
    step = np.diff(accepted, prepend=0.0, axis=1)
    lost = np.cumsum(step * draw.choice([0.0, 1 / 3, 2 / 3, 1.0], (9, 800)), axis=1)
    assert_forms_agree("hull_area", accepted, lost, accepted[:, -1] + 50)


@needs_both
@any_curve
def test_forms_find_the_same_points(accepted, lost) -> None:
    for needed in ends(accepted).values():
        assert_forms_agree("first_reaching", accepted, needed)
    for target in (0.0, 0.1, 1 / 3, 0.5, 1.0, 9.0):
        assert_forms_agree("last_within", accepted, lost, target)


# Each form against the definition in exact fractions


def exact_trapezoids(accepted, lost, upto) -> tuple[Fraction, Fraction]:
    k0 = s0 = selective = generalized = Fraction(0)
    risk0 = None
    end = Fraction(upto)
    for k1, s1 in zip(map(Fraction, accepted), map(Fraction, lost), strict=True):
        if k1 > k0 and k0 < end:
            risk1 = s1 / k1
            risk0 = risk1 if risk0 is None else risk0
            width = min(k1, end) - k0
            part = width / (k1 - k0)
            selective += width * (risk0 + part * (risk1 - risk0) / 2)
            generalized += width * (s0 + part * (s1 - s0) / 2)
            k0, s0, risk0 = k1, s1, risk1
    return selective, generalized


def exact_steps(accepted, lost, upto) -> tuple[Fraction, Fraction]:
    k0, s0 = Fraction(0), Fraction(0)
    selective = generalized = Fraction(0)
    end = Fraction(upto)
    for k1, s1 in zip(map(Fraction, accepted), map(Fraction, lost), strict=True):
        for copy in range(1, int(k1 - k0) + 1):
            taken = s0 + copy * (s1 - s0) / (k1 - k0)
            part = min(Fraction(1), max(Fraction(0), end - (k0 + copy - 1)))
            selective += part * taken / (k0 + copy)
            generalized += part * taken
        k0, s0 = k1, s1
    return selective, generalized


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(
    ("kernel", "exact"),
    [("trapezoid_areas", exact_trapezoids), ("step_areas", exact_steps)],
    ids=AREAS,
)
@pytest.mark.parametrize("seed", SEEDS[:3])
def test_areas_equal_their_exact_sums(form, kernel, exact, seed: int) -> None:
    accepted, lost = curves(seed)
    for upto in ends(accepted).values():
        found = getattr(form, kernel)(accepted, lost, upto)
        wanted = [exact(*case) for case in zip(accepted, lost, upto, strict=True)]
        for one, other in zip(found, np.array(wanted, dtype=float).T, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_area_up_to_nowhere_is_exactly_zero(form) -> None:
    accepted, lost = curves(0)
    for kernel in AREAS:
        areas = getattr(form, kernel)(accepted, lost, np.zeros(len(accepted)))
        np.testing.assert_array_equal(areas, np.zeros((2, len(accepted))))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_long_runs_of_copies_are_summed_in_closed_form(form) -> None:
    # A million right answers, then a million wrong ones: risks 0, then (k - 10**6) / k
    million = 10**6
    accepted = np.array([[million, 2 * million]], dtype=float)
    lost = np.array([[0, million]], dtype=float)
    selective, generalized = form.step_areas(accepted, lost, accepted[:, -1])
    harmonic = digamma(2 * million + 1) - digamma(million + 1)
    assert selective[0] == pytest.approx(million - million * harmonic, rel=1e-10)
    assert generalized[0] == million * (million + 1) / 2


@pytest.mark.parametrize(
    ("low", "high"),
    [
        *[(0, 0), (0, 1), (0, 5), (3, 3), (0, 31), (0, 32), (0, 33), (31, 33), (32, 32), (5, 400)],
        *[(32, 33), (32, 1000), (999, 1007), (1000, 5000), (4999, 5000)],
    ],
)
def test_harmonic_sums_equal_exact_fractions(low: int, high: int) -> None:
    wanted = float(sum(Fraction(1, j) for j in range(low + 1, high + 1)))
    found = numpy_form.harmonic_between(np.array([float(low)]), np.array([float(high)]))[0]
    assert found == pytest.approx(wanted, rel=1e-13, abs=1e-17)


@pytest.mark.parametrize("low", [0, 7, 100, 10**4, 10**7])
@pytest.mark.parametrize("n", [1, 30, 10**3, 10**6, 10**9])
def test_harmonic_sums_equal_differences_of_digamma(low: int, n: int) -> None:
    found = numpy_form.harmonic_between(np.array([float(low)]), np.array([float(low + n)]))[0]
    wanted = digamma(low + n + 1.0) - digamma(low + 1.0)
    # The difference of two large digammas cancels; only its absolute error is known.
    assert found == pytest.approx(wanted, rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_hull_is_exact_without_a_tolerance(form) -> None:
    # Risks 0, 1/2, 1/3, 1/4: the hull keeps the first point and the last
    accepted, lost = np.array([[1.0, 2, 3, 4]]), np.array([[0.0, 1, 1, 1]])
    assert form.hull_area(accepted, lost, np.array([4.0]))[0] == 3 * 0.25 / 2
    # The line from (1, 0) to (4, 0.75) is dented by 1e-7 at 2, so its point at 3 is above the hull
    lost = np.array([[0.0, 2 * (0.25 - 1e-7), 1.5, 3.0]])
    found = form.hull_area(accepted, lost, np.array([4.0]))[0]
    risk = lost[0] / accepted[0]
    assert found == pytest.approx(risk[1] / 2 + risk[1] + risk[3], rel=1e-14)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_points_are_found_by_hand(form) -> None:
    accepted, lost = np.array([[0.0, 2, 2, 5]]), np.array([[0.0, 1, 1, 4]])
    reached = [form.first_reaching(accepted, np.array([needed]))[0] for needed in (0, 1, 2, 3, 6)]
    assert reached == [0, 1, 1, 3, 4]
    within = [form.last_within(accepted, lost, target)[0] for target in (0.4, 0.5, 0.79, 0.8)]
    assert within == [-1, 2, 2, 3]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("loss", [0.1, 0.2, 0.3, 1 / 3, 0.7])
@pytest.mark.parametrize("weight", [1.0, 0.1, 0.7])
def test_risk_equal_to_the_target_is_within_it_however_many_rows_are_added_up(
    form, loss: float, weight: float
) -> None:
    accepted = np.cumsum(np.full((1, 20_000), weight), axis=1)
    lost = np.cumsum(np.full((1, 20_000), weight * loss), axis=1)
    assert form.last_within(accepted, lost, loss)[0] == 19_999
    assert form.last_within(accepted, lost, loss * (1 - 1e-9))[0] == -1


# Draws


@needs_both
@pytest.mark.parametrize("seed", [0, 1, 42, 2**32 - 1, 2**63 + 5])
@pytest.mark.parametrize("n_clusters", [1, 2, 7, 41, 1000])
def test_forms_draw_the_same_counters(seed: int, n_clusters: int) -> None:
    for first in (0, 3, 2**40):
        found = FORMS["compiled"].counter_counts(seed, first, 5, n_clusters)
        wanted = numpy_form.counter_counts(seed, first, 5, n_clusters)
        np.testing.assert_array_equal(found, wanted)
        assert (found.sum(-1) == n_clusters).all()


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_counter_draws_do_not_depend_on_the_block(form) -> None:
    whole = form.counter_counts(7, 0, 20, 9)
    parts = [form.counter_counts(7, first, 4, 9) for first in range(0, 20, 4)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    assert (form.counter_counts(8, 0, 20, 9) != whole).any()
    assert form.counter_counts(7, 0, 0, 9).shape == (0, 9)


def test_counter_draws_are_uniform_and_independent() -> None:
    n_clusters, n_resamples = 10, 20_000
    counts = numpy_form.counter_counts(42, 0, n_resamples, n_clusters)
    expected = n_resamples
    chi_square = ((counts.sum(0) - expected) ** 2 / expected).sum()
    assert chi_square < 27.9  # the 0.999 quantile with 9 degrees of freedom
    # A count is binomial(10, 1/10); counts of two clusters have covariance -10/100
    assert counts.var(0) == pytest.approx(np.full(10, 0.9), abs=0.04)
    off = np.cov(counts.T)[~np.eye(10, dtype=bool)]
    assert off == pytest.approx(np.full(90, -0.1), abs=0.04)
    # Neighbouring replicates share nothing
    lagged = (counts[1:] * counts[:-1]).mean() - 1
    assert abs(lagged) < 0.01


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("seed", [0, 42, 123_456_789, 2**32 - 1])
@pytest.mark.parametrize("n_clusters", [1, 2, 5, 41, 64, 1000])
def test_legacy_draws_are_those_of_the_legacy_generator(form, seed: int, n_clusters: int) -> None:
    state = form.LegacyState(seed)
    blocks = [form.legacy_counts(state, n, n_clusters) for n in (1, 0, 3, 17)]
    stream = np.random.RandomState(seed)
    for found in np.concatenate(blocks):
        drawn = stream.randint(0, n_clusters, size=n_clusters)
        np.testing.assert_array_equal(found, np.bincount(drawn, minlength=n_clusters))


@pytest.mark.parametrize("n_points", [11, 1001, 2001])
@pytest.mark.parametrize("n_cosines", [1, 5, 10, 256])
def test_smoothed_areas_are_those_of_plain_sums_of_cosines(engine, n_points, n_cosines) -> None:
    draw = np.random.default_rng(n_points + n_cosines)
    n_cosines = min(n_cosines, n_points - 1)
    cosines = draw.normal(size=(7, n_cosines)) / np.arange(1, n_cosines + 1)
    bandwidth = np.array([0.004, 0.0125, 0.02, 0.05, 0.2, 0.7, 1.0])
    found = FORMS[engine].smoothed_areas(cosines, bandwidth, n_points)
    points = np.linspace(0, 1, n_points)
    for row, width, area in zip(cosines, bandwidth, found, strict=True):
        height = sum(
            (2 if k else 1)
            * c
            * np.exp(-((np.pi * width * k) ** 2) / 2)
            * np.cos(np.pi * k * points)
            for k, c in enumerate(row)
        )
        parts = [
            (abs(a) + abs(b)) / 2 if a * b >= 0 else (a * a + b * b) / (abs(a) + abs(b)) / 2
            for a, b in itertools.pairwise(height)
        ]
        assert area == pytest.approx(sum(parts) / (n_points - 1), rel=1e-11, abs=1e-14)


def test_smoothed_areas_of_nothing_are_none(engine) -> None:
    assert FORMS[engine].smoothed_areas(np.zeros((0, 4)), np.zeros(0), 1001).shape == (0,)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_what_rounding_makes_and_what_is_infinite_is_no_difference(form) -> None:
    left = np.array([[1.0, 0.1 + 0.2, np.inf, np.nan, 1e308], [-0.0, 5.0, 1.0, 1.0, 0.5]])
    right = np.array([[0.5, 0.3, np.inf, 1.0, -1e308], [0.0, -np.inf, 1.0 + 1e-11, -1.0, np.nan]])
    gap = 1.0 - (1.0 + 1e-11)
    expected = [[0.5, 0.0, np.nan, np.nan, np.inf], [0.0, np.nan, gap, 2.0, np.nan]]
    found = form.differences(left, right)
    assert found.tobytes() == np.array(expected).tobytes()
    assert form.differences(left[:0], right[:0]).shape == (0, 5)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_values_of_other_lengths_have_no_difference(form) -> None:
    with pytest.raises(ValueError, match="shape"):
        form.differences(np.zeros(8), np.zeros(2))
