"""Which interval a number gets: one rule for each kind of number, chosen by simulation.

What the rules cover is measured by `bench/coverage` and written to `docs/coverage.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from assay.inference.estimates import ALL_SAME, BEYOND, NO_WIDTH, Estimate, estimate, t_tails
from assay.inference.resampling import MOST_JACKKNIFE_CLUSTERS, Draw, deviations
from assay.registry import Ranks
from assay.rounding import ROUNDING, difference
from assay.shares import exact_interval, mid_p_interval, ranks_around, shown_share
from assay.showing import counted

if TYPE_CHECKING:
    from assay.columns import Array, Resamples
    from assay.inference.planning import IntervalMethod, Plan
    from assay.inference.resampling import Deviations, Replicate
    from assay.registry import Gaps, Kind, Metric

FEWEST_CLUSTERS = 6
MOST_STUDENTIZED_CLUSTERS = 100
"""above that many, leaving each out of each resample costs much and adds little"""
FEW_DECIDE = 4.0
"""effective number of clusters below which intervals of all methods are too short"""
ONE_DECIDES = 2.0
"""below which the tails of resamples know too little, and skewness tells more"""
PLAIN = frozenset({"percentile", "basic"})
"""methods of earlier programs, whose p-values are kept too"""
UNSEEN = 0.05
"""chance of seeing none of what is said to be rarer than the bound"""
INVERSION = "inversion"
UNITS = {"participant": "participants", "row": "rows", "case": "cases", "vignette": "cases"}
"""several of what is resampled; a column of the user's holds clusters"""
EXACT, MID_P, RANKS = "exact", "mid-p", "ranks"
FEW_ERRORS = "few errors"
"""as others of its kind, and down to what so few clusters with an error allow"""
WIDEST = "widest"
"""of what is read around the number and of inversion"""
FEW_BEYOND = "too few rows lie beyond it to tell"
CONCERNS_FEW = "it concerns {} {}, which are too few to tell"
FEW_WRONG = "only {} an error, which is too few to tell"
CANNOT_TELL = "fewer than {} {}: resampling cannot tell"
SELECTED = "it is undefined on {:.0f} % of the resamples, and the others are a selection"
MOST_UNDEFINED = 0.1
"""of the resamples, above which those on which a number is defined tell little of it"""
NO_GAPS = "all gaps are 0, so there is nothing to invert"
BELOW_CHANCE = "it is smaller than chance alone makes it where the truth is 0: no truth fits"


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a rule knows of a number."""

    kind: Kind = "share"
    bounds: tuple[float, float] = (-np.inf, np.inf)
    no_interval: str = ""
    """of kind `none`: why"""
    flawless: float | None = None
    """the value that it has where nothing is wrong"""
    unit: str = "cluster"
    """what is resampled"""
    n_wrong: int | None = None
    """of an area or a risk of losses: clusters that have any; None: it is none"""

    @property
    def units(self) -> str:
        """Several of what is resampled, in a word."""
        return UNITS.get(self.unit, "clusters")

    @property
    def few_wrong(self) -> bool:
        """Say whether there are losses, of too few clusters to tell how they vary."""
        return self.n_wrong is not None and 0 < self.n_wrong < FEWEST_CLUSTERS


def method_of(kind: Kind, n_clusters: int) -> IntervalMethod:
    """Return how intervals of this kind of number are read.

    Examples
    --------
    >>> method_of("area", 41), method_of("area", 200), method_of("share", 41)
    ('bootstrap-t or bca-t', 'bca-t', 'expanded')
    """
    if kind == "heavy mean":
        return "hall-t"
    if kind in {"minimum", "peak"}:
        return "jackknife-t or basic" if kind == "minimum" else "expanded or basic"
    if kind == "area" and n_clusters <= MOST_STUDENTIZED_CLUSTERS:
        return "bootstrap-t or bca-t"
    if n_clusters > MOST_JACKKNIFE_CLUSTERS:
        return "expanded"
    skewed: dict[str, IntervalMethod] = {"area": "bca-t", "ranking": "bca-t"}
    return skewed.get(kind, "expanded or bca-t" if kind == "ratio" else "expanded")


def automatic(replicate: Replicate, plan: Plan, number: Quantity) -> Estimate:
    """Read the interval of a number by the rule of its kind, or say why there is none."""
    if plan.without_width == "keep":
        return estimate(replicate, plan, method="percentile")
    found = _by_kind(replicate, plan, number)
    k, n = number.n_wrong, replicate.n_clusters
    if found.reason is not None or not k or number.flawless is None or number.flawless > 0:
        return found
    # That six clusters have an error is asked for, and makes samples with more of them a selection.
    least = shown_share(k, n, FEWEST_CLUSTERS, (1 - plan.level) / 2) * n / k * found.value
    return replace(found, low=least, method=FEW_ERRORS) if least < found.low else found


def _by_kind(replicate: Replicate, plan: Plan, number: Quantity) -> Estimate:
    rules_out = number.kind == "none" or replicate.n_clusters < FEWEST_CLUSTERS
    method = _chosen(replicate, number)
    if method is not None and not rules_out and not number.few_wrong:
        found = estimate(replicate, plan, method=method, bounds=number.bounds)
        if found.reason is None and not _selected(found, replicate):
            return _widest(replicate, plan, number, found)
    # Where a method is undefined, percentiles are read further out, and the record says so.
    plain = estimate(replicate, plan, method="expanded")
    seen = None if rules_out else _seen(replicate, number)
    if seen is not None and plain.reason in {None, ALL_SAME, NO_WIDTH}:
        alike = plain.reason == ALL_SAME
        k, n, less = seen
        low, high = (exact_interval if alike else mid_p_interval)(k, n, plan.level)
        name = EXACT if alike else MID_P
        return replace(plain, low=low - less, high=high - less, reason=None, method=name)
    reason = _none(replicate, plain, number)
    if reason is not None:
        return _without(plain, reason)
    if number.kind == "quantile" and replicate.ranks is not None:
        return _ranked(replicate, replicate.ranks, plan, plain)
    read = _inverted if number.kind == "norm" else _widest
    return read(replicate, plan, number, plain)


def _chosen(replicate: Replicate, number: Quantity) -> IntervalMethod | None:
    """Return how this very number is read; None where percentiles are but a last resort."""
    if number.kind in {"share", "jump", "quantile", "norm"}:
        return None
    one = number.kind == "area" and deciding(replicate) < ONE_DECIDES
    return "hall-t" if one else method_of(number.kind, replicate.n_clusters)


def _selected(found: Estimate, replicate: Replicate) -> bool:
    return found.n_undefined > MOST_UNDEFINED * replicate.distribution.size


def interval_of(
    replicate: Replicate,
    plan: Plan,
    unit: str = "cluster",
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> Estimate:
    """Read the interval of a number of which only this is known: a plain share or mean."""
    if plan.method == "auto":
        return automatic(replicate, plan, Quantity(bounds=bounds, unit=unit))
    return estimate(replicate, plan)


def of_difference(difference: Replicate, plan: Plan, unit: str) -> Estimate:
    """Read the interval of a paired difference: percentiles, expanded unless asked for plain.

    Methods that follow the skewness of a single number reject far too often here.
    """
    if plan.method in PLAIN:
        return estimate(difference, plan)
    return automatic(difference, plan, Quantity(unit=unit))


def _seen(replicate: Replicate, number: Quantity) -> tuple[int, int, float] | None:
    """Return of how many clusters that a share concerns it holds, and what is taken off it.

    None where it is not a share of clusters. It is one where all or none of the rows are like that:
    the share of rows cannot be farther off than that of clusters with any row that is. And where
    each cluster is, or is not, or does not count, as leaving it out tells.
    """
    if number.kind != "share" or number.bounds not in {(0.0, 1.0), (-1.0, 1.0)}:
        return None
    n = replicate.n_concerned
    if replicate.point in number.bounds and number.bounds[0] == 0 and n is not None:
        return (n if replicate.point else 0, n, 0.0) if n >= FEWEST_CLUSTERS else None
    without = replicate.jackknife
    if without is None or without.size != replicate.n_clusters or not np.isfinite(without).all():
        return None
    moved = difference(without, replicate.point)
    k, n = int((moved < 0).sum()), int((moved != 0).sum())
    if not 0 < k < n:
        return None
    left = np.where(moved < 0, (k - 1) / (n - 1), np.where(moved > 0, k / (n - 1), k / n))
    less = float(difference(k / n, replicate.point))
    return None if difference(without + less, left).any() else (k, n, less)


def _none(replicate: Replicate, plain: Estimate, number: Quantity) -> str | None:
    """Say why a number has no interval, whatever the method."""
    if plain.reason is not None and plain.reason not in {ALL_SAME, NO_WIDTH}:
        return plain.reason
    if number.kind == "none":
        return number.no_interval
    if replicate.n_clusters < FEWEST_CLUSTERS:
        return CANNOT_TELL.format(FEWEST_CLUSTERS, number.units)
    if plain.reason is None and _selected(plain, replicate):
        return SELECTED.format(100 * plain.n_undefined / replicate.distribution.size)
    # A number that no cluster has alone, as of pairs of them, is not one of so many clusters.
    counts = replicate.n_concerned != 0
    if plain.reason == ALL_SAME and replicate.point in number.bounds and counts:
        return _all_alike(replicate, number)
    return _few_wrong(number) if number.few_wrong else plain.reason


def _few_wrong(number: Quantity) -> str:
    one, several = f"{number.units.removesuffix('s')} has", f"{number.units} have"
    return FEW_WRONG.format(counted(number.n_wrong or 0, one, several))


def _all_alike(replicate: Replicate, number: Quantity) -> str:
    """Say what follows from all clusters being alike."""
    n = replicate.n_clusters if replicate.n_concerned is None else replicate.n_concerned
    if n < FEWEST_CLUSTERS:
        return CONCERNS_FEW.format(n, number.units)
    return _bound(n, number, flawless=replicate.point == number.flawless)


def _bound(n_clusters: int, number: Quantity, *, flawless: bool) -> str:
    """Say what follows from having seen no error at all (the rule of three)."""
    most = 100 * (1 - UNSEEN ** (1 / n_clusters))
    seen, rest = ("no error was seen", "make one") if flawless else ("all agree", "differ")
    return f"{seen}: with {n_clusters:,} {number.units} fewer than {most:.2g} % of them {rest}"


def _inverted(replicate: Replicate, plan: Plan, number: Quantity, plain: Estimate) -> Estimate:
    behind = replicate.deviations
    found = None if behind is None else inverted(behind, plan, replicate.n_clusters)
    if found is None:
        return _without(plain, NO_GAPS)
    if not found.high > 0:
        return _without(plain, BELOW_CHANCE)
    low, high = max(found.low, number.bounds[0]), min(found.high, number.bounds[1])
    if behind is not None and behind.dense:
        # Many gaps have a straight path, and noise is part of its direction: it ends too early.
        around = estimate(replicate, plan, method="jackknife-t", bounds=number.bounds)
        high = high if around.reason else max(high, around.high)
    if not difference(high, low) > 0:
        return _without(plain, NO_WIDTH)
    return replace(plain, low=low, high=high, method=INVERSION, middle=found.middle)


def _widest(replicate: Replicate, plan: Plan, number: Quantity, found: Estimate) -> Estimate:
    """Reach as far as inversion, where what noise raises like a norm has gaps behind it."""
    if replicate.deviations is None:
        return found
    norm = _inverted(replicate, plan, number, found)
    if norm.reason is not None or (found.low <= norm.low and norm.high <= found.high):
        return found
    low, high = min(found.low, norm.low), max(found.high, norm.high)
    return replace(found, low=low, high=high, method=WIDEST)


def _ranked(replicate: Replicate, stands: Ranks, plan: Plan, plain: Estimate) -> Estimate:
    """Take the quantiles of the shares that noise leaves open (Woodruff 1952), by mid-p."""
    from scipy.special import ndtri  # noqa: PLC0415 - 0.2 s that only this needs

    # As many independent rows would tell as much, with the tails of Student's t; not more than all.
    stretch = t_tails(plan, replicate.n_clusters)[1] / ndtri((1 + plan.level) / 2)
    noise = max((stretch * stands.error) ** 2, stands.up_to * (1 - stands.up_to) / stands.n)
    n = stands.up_to * (1 - stands.up_to) / noise if noise else 0.0
    beyond = min(stands.share, 1 - stands.share) * stands.n
    shares = ranks_around(stands.share, n, plan.level) if beyond >= FEWEST_CLUSTERS else None
    if shares is None:
        return _without(plain, FEW_BEYOND)
    # Ranks are whole numbers: the lower one is rounded down, as the upper is up.
    low, high = stands.at(shares[0] - 1 / stands.n), stands.at(shares[1])
    if not np.isfinite([low, high]).all():
        return _without(plain, BEYOND)
    if not difference(high, low) > 0:
        return _without(plain, NO_WIDTH)
    return replace(plain, low=low, high=high, method=RANKS)


def _without(found: Estimate, reason: str) -> Estimate:
    """Return a number without its interval."""
    nothing = np.nan
    return replace(
        found, low=nothing, high=nothing, standard_error=nothing, reason=reason, method=None
    )


def deciding(replicate: Replicate) -> float:
    """Return how many clusters decide a number: (sum d^2)^2 / sum d^4 of what each moves it by.

    As many as there are where all move it alike, 1 where one alone does; NaN where none does.
    """
    without = replicate.jackknife
    if without is None or not without.size or not np.isfinite(without).all():
        return float("nan")
    with np.errstate(over="ignore", invalid="ignore"):  # of widths near the largest float
        moved = np.abs(difference(without.mean(), without))
    if not 0 < moved.max() < np.inf:
        return float("nan")
    square = np.square(moved / moved.max())
    return float(square.sum() ** 2 / np.square(square).sum())


def interval_methods(metrics: Sequence[Metric], plan: Plan, n_clusters: int) -> list[str]:
    """Return how the interval of every number is read."""
    if plan.method != "auto":
        return [plan.method] * len(metrics)
    return [method_of(metric.kind, n_clusters) for metric in metrics]


def with_gaps(
    replicate: Replicate,
    gaps: Callable[[Draw], Gaps | Ranks] | None,
    weight: Resamples,
    plan: Plan,
) -> Replicate:
    """Add how resamples move the gaps that a number is a norm of, or where a quantile stands."""
    inverts = plan.method == "auto" and plan.n_resamples and np.isfinite(replicate.point)
    if gaps is None or not inverts:
        return replicate
    n_clusters, n_rows = int(weight.counts.shape[1]), int(weight.cluster.size)
    stands = gaps(Draw(np.ones((1, n_clusters))))
    if isinstance(stands, Ranks):
        return replace(replicate, ranks=stands)
    signed = cast("Callable[[Draw], Gaps]", gaps)
    moved = deviations(signed, plan, n_clusters=n_clusters, n_rows=n_rows)
    return replace(replicate, deviations=moved)


def estimated(
    metric: Metric, replicate: Replicate, plan: Plan, unit: str, n_wrong: int | None = None
) -> Estimate:
    """Read the interval as the metric needs it, within its bounds where it was turned around."""
    if plan.method == "auto":
        number = replace(_quantity(metric, unit, replicate.point), n_wrong=n_wrong)
        return automatic(replicate, plan, number)
    if not metric.turned or plan.method != "percentile":
        return estimate(replicate, plan, bounds=metric.bounds)
    found = estimate(replicate, plan, method="basic")
    low, high = max(found.low, metric.bounds[0]), min(found.high, metric.bounds[1])
    if found.reason is None and low >= high:
        return replace(found, low=np.nan, high=np.nan, reason=NO_WIDTH)
    return replace(found, low=low, high=high)


def _quantity(metric: Metric, unit: str, point: float) -> Quantity:
    low, high = metric.bounds
    ends = {"lower": low, "higher": high, None: None}
    # The least of several shares is a share, also where the sum of them may be asked for.
    bounds = low, min(high, 1.0) if metric.kind == "minimum" and point <= 1 else high
    return Quantity(metric.kind, bounds, metric.no_interval, ends[metric.better], unit)


STEPS = 11
"""halvings of a part of the path: ends are exact to a two-thousandth of it"""
KNOWN = np.linspace(0.0, 2.0, 9)
FARTHEST = 64.0
"""times the gaps as they are; no path leads further out"""


@dataclass(frozen=True, slots=True)
class Inverted:
    """Both ends and the middle."""

    low: float
    high: float
    middle: float


def inverted(found: Deviations, plan: Plan, n_clusters: int) -> Inverted | None:
    """Invert the test of a norm; None where all gaps are 0 up to rounding."""
    from scipy.special import ndtri  # noqa: PLC0415 - 0.2 s that only this needs

    if not np.abs(found.gap).max(initial=0.0) > ROUNDING * np.abs(found.moved).max(initial=0.0):
        return None
    tail = (1 - plan.level) / 2
    stretch = t_tails(plan, n_clusters)[1] / -ndtri(tail)
    path = _Path(found, found.moved * stretch)
    places = [path.where(share) for share in (1 - tail, tail, 0.5)]
    return Inverted(*(float(found.norm(path.gaps(place))) for place in places))


class _Path:
    """Gaps from none (0) to those that were found (1) and beyond.

    A number that noise can only raise is a norm of signed gaps (those of bins), which resampling
    moves without bias. From the gaps as they are a path leads to no gaps at all, the small ones
    going first (all in proportion where they are many), and outwards in proportion. The ends of
    the interval are the norms on the path at which the number that was found would be as far out
    as the level says, the middle where it is as often too high as too low.
    """

    def __init__(self, found: Deviations, noise: Array) -> None:
        self.found = found
        self.noise = noise
        self.largest = float(np.abs(found.gap).max())
        self.observed = float(found.norm(found.gap))
        # A slow norm is computed at a few places of the straight path; it is smooth in between.
        self.known = (
            np.array([found.norm(found.gap * place + noise) for place in KNOWN])
            if found.dense
            else None
        )

    def gaps(self, place: float) -> Array:
        """Return the gaps at a place: the small ones go first, all grow in proportion."""
        if place >= 1 or self.found.dense:
            return self.found.gap * place
        kept = np.maximum(np.abs(self.found.gap) - (1 - place) * self.largest, 0.0)
        return np.sign(self.found.gap) * kept

    def below(self, place: float) -> float:
        """Return how often the number would be at most what was found, if this were the truth."""
        return float((self._norms(place) <= self.observed).mean())

    def _norms(self, place: float) -> Array:
        if self.known is None or place >= KNOWN[-1]:
            return self.found.norm(self.gaps(place) + self.noise)
        after = int(np.searchsorted(KNOWN, place, side="right"))
        part = (place - KNOWN[after - 1]) / (KNOWN[after] - KNOWN[after - 1])
        between: Array = (1 - part) * self.known[after - 1] + part * self.known[after]
        return between

    def where(self, share: float) -> float:
        """Return the place at which the number is so often below what was found, 0 if nowhere."""
        if self.below(0.0) <= share:
            return 0.0
        low, high = 0.0, 1.0
        while self.below(high) > share and high < FARTHEST:
            low, high = high, 2 * high
        for _ in range(STEPS):
            half = (low + high) / 2
            if self.below(half) > share:
                low = half
            else:
                high = half
        return (low + high) / 2
