"""The cluster bootstrap as a plain Python loop: what the benchmarks measure against.

Rows are objects and a replicate is a new list of rows, sorted and walked again. Two
shapes: `seed_api_loop` is the written one, a bootstrap around one `compute_...` function
of the rows per scalar, each from the same seed; `seed_loop` draws once, walks the curve
once per replicate and reads every scalar off it. Same numbers. Nothing is slower than its
shape makes it: rows are grouped once, sorting and summing are built in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import itemgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Loss = Literal["abs", "abs_norm"]
Scalars = dict[str, float | None]
Replicates = dict[str, list[float | None]]
Pair = tuple[float, float]

GRID = ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9")
SHARES = [(f"mae@{float(c):.2f}", *Fraction(c).as_integer_ratio()) for c in GRID]
AREA_COVERAGE = 0.5
RISK_TARGET = 0.2
RISK_SLACK = 1e-12
HULL_TOLERANCE = 1e-10
SCALE = 3


@dataclass(frozen=True, slots=True)
class ItemPrediction:
    """One item of one participant; `pred` is None where the system abstained."""

    participant_id: int
    item_index: int
    pred: int | None
    gt: int
    confidence: float


Compute = Callable[[Sequence[ItemPrediction]], float | None]


@dataclass(frozen=True, slots=True)
class Columns:
    """The same rows as arrays, sorted by participant and item."""

    participant: NDArray[np.int64]
    item: NDArray[np.int64]
    prediction: NDArray[np.float64]
    truth: NDArray[np.float64]
    confidence: NDArray[np.float64]
    answered: NDArray[np.bool_]

    @property
    def loss(self) -> NDArray[np.float64]:
        """Absolute error over the scale's range, 0 where the system abstained."""
        return np.where(self.answered, np.abs(self.prediction - self.truth) / SCALE, 0.0)


@dataclass(frozen=True, slots=True)
class Curve:
    """The answered rows in the order of their confidence, and their working points."""

    n: int
    pairs: list[Pair]
    k: list[int]
    coverage: list[float]
    risk: list[float]
    joint: list[float]


def synthetic(
    participants: int,
    items: int,
    kind: Literal["discrete", "continuous"] = "discrete",
    seed: int = 0,
) -> Columns:
    """Made-up rows: about 65 % answered, participants differ, confidence tells errors a little."""
    rng = np.random.default_rng(seed)
    effect = rng.normal(0.0, 0.6, participants).repeat(items)
    rows = participants * items
    truth = rng.integers(0, SCALE + 1, rows)
    difficulty = effect + rng.normal(0.0, 1.0, rows)
    miss = np.clip(np.floor(1.6 * np.abs(difficulty + rng.normal(0.0, 0.5, rows))), 0, SCALE)
    signed = miss * rng.choice(np.array([-1, 1]), rows)
    guess = np.clip(truth + signed, 0, SCALE)
    answered = rng.normal(0.0, 1.0, rows) + 0.3 * effect < 0.4
    signal = 1.0 / (1.0 + np.exp(np.abs(difficulty) + rng.normal(0.0, 0.7, rows) - 1.0))
    return Columns(
        participant=np.arange(participants).repeat(items),
        item=np.tile(np.arange(items), participants),
        prediction=np.where(answered, guess, np.nan),
        truth=truth.astype(np.float64),
        confidence=np.floor(signal * 7) if kind == "discrete" else signal,
        answered=answered,
    )


def item_predictions(columns: Columns) -> list[ItemPrediction]:
    """The rows of some columns, one object each."""
    return [
        ItemPrediction(participant, item, int(guess) if there else None, int(truth), confidence)
        for participant, item, guess, truth, confidence, there in zip(
            columns.participant.tolist(),
            columns.item.tolist(),
            columns.prediction.tolist(),
            columns.truth.tolist(),
            columns.confidence.tolist(),
            columns.answered.tolist(),
            strict=True,
        )
    ]


def answered_pairs(items: Sequence[ItemPrediction], loss: Loss) -> list[Pair]:
    """(confidence, loss) of every item with a prediction."""
    if loss == "abs":
        return [(i.confidence, float(abs(i.pred - i.gt))) for i in items if i.pred is not None]
    return [(i.confidence, abs(i.pred - i.gt) / SCALE) for i in items if i.pred is not None]


def compute_curve(items: Sequence[ItemPrediction], *, loss: Loss) -> Curve:
    """Working points at distinct confidences."""
    pairs = sorted(answered_pairs(items, loss), key=itemgetter(0), reverse=True)
    n, total, last = len(items), 0.0, len(pairs)
    k, coverage, risk, joint = [], [], [], []
    for position, (confidence, one) in enumerate(pairs, 1):
        total += one
        if position < last and pairs[position][0] == confidence:
            continue
        k.append(position)
        coverage.append(position / n)
        risk.append(total / position)
        joint.append(total / n)
    return Curve(n, pairs, k, coverage, risk, joint)


def trapezoid(x: list[float], y: list[float], start: float) -> float:
    """Area under the polyline that begins at (0, start)."""
    area, x0, y0 = 0.0, 0.0, start
    for x1, y1 in zip(x, y, strict=True):
        area += (x1 - x0) * (y0 + y1)
        x0, y0 = x1, y1
    return area / 2


def truncated(x: list[float], y: list[float], start: float, end: float) -> float:
    """The same area up to `end`, the last segment interpolated."""
    area, x0, y0 = 0.0, 0.0, start
    for x1, y1 in zip(x, y, strict=True):
        if x1 > end:
            return (area + (end - x0) * (2 * y0 + (y1 - y0) * (end - x0) / (x1 - x0))) / 2
        area += (x1 - x0) * (y0 + y1)
        x0, y0 = x1, y1
    return area / 2


def optimal_areas(pairs: list[Pair], n: int) -> tuple[float, float]:
    """AURC and AUGRC when the items come in the order of their loss, each its own point."""
    if not pairs:
        return 0.0, 0.0
    sums = list(accumulate(sorted([one for _, one in pairs])))
    risks = [total / k for k, total in enumerate(sums, 1)]
    aurc = (sum(risks) + (risks[0] - risks[-1]) / 2) / n
    return aurc, (sum(sums) - sums[-1] / 2) / n / n


def achievable_area(coverage: list[float], risk: list[float]) -> float:
    """AURC of the lower hull of the working points."""
    x: list[float] = []
    y: list[float] = []
    for x2, y2 in zip(coverage, risk, strict=True):
        while len(x) > 1:
            x0, y0 = x[-2], y[-2]
            if (x[-1] - x0) * (y2 - y0) - (y[-1] - y0) * (x2 - x0) > HULL_TOLERANCE:
                break
            x.pop()
            y.pop()
        x.append(x2)
        y.append(y2)
    return trapezoid(x, y, y[0]) if y else 0.0


def risk_at_coverage(curve: Curve, above: int, under: int) -> float | None:
    """Selective risk of the first working point reaching the coverage above / under."""
    wanted = above * curve.n
    for k, risk in zip(curve.k, curve.risk, strict=True):
        if k * under >= wanted:
            return risk
    return None


def achieved_coverage(curve: Curve, above: int, under: int) -> float | None:
    """Coverage of the first working point reaching the coverage above / under."""
    wanted = above * curve.n
    for k, coverage in zip(curve.k, curve.coverage, strict=True):
        if k * under >= wanted:
            return coverage
    return None


def mean_risk(curve: Curve) -> float | None:
    """Selective risk at Cmax."""
    return curve.risk[-1] if curve.k else None


def coverage_at_risk(curve: Curve) -> float | None:
    """The largest coverage whose selective risk is at most the target."""
    limit = RISK_TARGET + RISK_SLACK
    for coverage, risk in zip(reversed(curve.coverage), reversed(curve.risk), strict=True):
        if risk <= limit:
            return coverage
    return None


def auroc_errors(curve: Curve) -> float | None:
    """The chance that a right answer is more confident than a wrong one, ties half."""
    right = wrong = start = 0
    above = 0.0
    for end in curve.k:
        missed = sum([one > 0 for _, one in curve.pairs[start:end]])
        hit = end - start - missed
        above += missed * (right + hit / 2)
        right += hit
        wrong += missed
        start = end
    return above / (right * wrong) if right and wrong else None


def gap(area: float, optimum: float) -> float | None:
    """Excess in percent of the optimum, undefined for an optimum of 0."""
    return (area - optimum) / optimum * 100 if optimum else None


def gain(area: float, achievable: float) -> float | None:
    """What the hull saves in percent of the area, undefined for an area of 0."""
    return (area - achievable) / area * 100 if area else None


def full_aurc(curve: Curve) -> float:
    """AURC over [0, Cmax]."""
    return trapezoid(curve.coverage, curve.risk, curve.risk[0]) if curve.k else 0.0


def full_augrc(curve: Curve) -> float:
    """AUGRC over [0, Cmax]."""
    return trapezoid(curve.coverage, curve.joint, 0.0)


def truncated_aurc(curve: Curve) -> float:
    """AURC up to the area coverage."""
    start = curve.risk[0] if curve.k else 0.0
    return truncated(curve.coverage, curve.risk, start, AREA_COVERAGE)


def truncated_augrc(curve: Curve) -> float:
    """AUGRC up to the area coverage."""
    return truncated(curve.coverage, curve.joint, 0.0, AREA_COVERAGE)


def compute_scalars(items: Sequence[ItemPrediction], *, loss: Loss = "abs_norm") -> Scalars:
    """Every reported scalar of one list of rows, from one curve."""
    curve = compute_curve(items, loss=loss)
    cmax = curve.coverage[-1] if curve.k else 0.0
    aurc, augrc = full_aurc(curve), full_augrc(curve)
    best_aurc, best_augrc = optimal_areas(curve.pairs, curve.n)
    achievable = achievable_area(curve.coverage, curve.risk)
    return {
        "cmax": cmax,
        "aurc": aurc,
        "augrc": augrc,
        "augrc_normalized": augrc / SCALE if loss == "abs" else augrc,
        "naurc": aurc / cmax if cmax else None,
        "naugrc": augrc / cmax if cmax else None,
        "aurc_optimal": best_aurc,
        "augrc_optimal": best_augrc,
        "eaurc": aurc - best_aurc,
        "eaugrc": augrc - best_augrc,
        "aurc_gap_pct": gap(aurc, best_aurc),
        "augrc_gap_pct": gap(augrc, best_augrc),
        "aurc_achievable": achievable,
        "achievable_gain_pct": gain(aurc, achievable),
        "aurc_at_c": truncated_aurc(curve),
        "augrc_at_c": truncated_augrc(curve),
        "coverage_at_risk": coverage_at_risk(curve),
        "auroc_errors": auroc_errors(curve),
        "risk": mean_risk(curve),
        **{name: risk_at_coverage(curve, above, under) for name, above, under in SHARES},
        **{
            f"achieved {name}": achieved_coverage(curve, above, under)
            for name, above, under in SHARES
        },
    }


Read = Callable[[Curve], float | None]


def share_reader(read: Callable[[Curve, int, int], float | None], above: int, under: int) -> Read:
    """What is read at one coverage of the grid, as a function of the curve."""
    return lambda curve: read(curve, above, under)


FROM_CURVE: dict[str, Read] = {
    "aurc": full_aurc,
    "augrc": full_augrc,
    "naurc": lambda curve: full_aurc(curve) / curve.coverage[-1] if curve.k else None,
    "naugrc": lambda curve: full_augrc(curve) / curve.coverage[-1] if curve.k else None,
    "eaurc": lambda curve: full_aurc(curve) - optimal_areas(curve.pairs, curve.n)[0],
    "eaugrc": lambda curve: full_augrc(curve) - optimal_areas(curve.pairs, curve.n)[1],
    "aurc_gap_pct": lambda curve: gap(full_aurc(curve), optimal_areas(curve.pairs, curve.n)[0]),
    "augrc_gap_pct": lambda curve: gap(full_augrc(curve), optimal_areas(curve.pairs, curve.n)[1]),
    "aurc_achievable": lambda curve: achievable_area(curve.coverage, curve.risk),
    "achievable_gain_pct": lambda curve: gain(
        full_aurc(curve), achievable_area(curve.coverage, curve.risk)
    ),
    "aurc_at_c": truncated_aurc,
    "augrc_at_c": truncated_augrc,
    "coverage_at_risk": coverage_at_risk,
    "auroc_errors": auroc_errors,
    "risk": mean_risk,
    **{name: share_reader(risk_at_coverage, above, under) for name, above, under in SHARES},
    **{
        f"achieved {name}": share_reader(achieved_coverage, above, under)
        for name, above, under in SHARES
    },
}


def compute_functions(loss: Loss) -> dict[str, Compute]:
    """One function of the rows per scalar, each computing what it needs and no more."""
    unit = SCALE if loss == "abs" else 1

    def from_curve(read: Callable[[Curve], float | None]) -> Compute:
        return lambda items: read(compute_curve(items, loss=loss))

    def best(items: Sequence[ItemPrediction]) -> tuple[float, float]:
        return optimal_areas(answered_pairs(items, loss), len(items))

    return {
        "cmax": lambda items: sum([i.pred is not None for i in items]) / len(items),
        "augrc_normalized": from_curve(lambda curve: full_augrc(curve) / unit),
        "aurc_optimal": lambda items: best(items)[0],
        "augrc_optimal": lambda items: best(items)[1],
        **{name: from_curve(read) for name, read in FROM_CURVE.items()},
    }


def by_participant(items: Sequence[ItemPrediction]) -> list[list[ItemPrediction]]:
    """The rows of each participant, participants sorted."""
    groups: dict[int, list[ItemPrediction]] = {}
    for item in items:
        groups.setdefault(item.participant_id, []).append(item)
    return [groups[name] for name in sorted(groups)]


def resampled(
    groups: list[list[ItemPrediction]], *, n_resamples: int, seed: int
) -> Iterator[list[ItemPrediction]]:
    """Per replicate all rows of P participants drawn with replacement."""
    stream = np.random.RandomState(seed)
    for _ in range(n_resamples):
        pooled: list[ItemPrediction] = []
        for index in stream.randint(0, len(groups), size=len(groups)).tolist():
            pooled += groups[index]
        yield pooled


def seed_loop(
    items: Sequence[ItemPrediction], *, n_resamples: int, seed: int, loss: Loss = "abs_norm"
) -> Replicates:
    """Every scalar of every replicate: draw once, walk the curve once, read all scalars."""
    groups = by_participant(items)
    out: Replicates = {}
    for pooled in resampled(groups, n_resamples=n_resamples, seed=seed):
        for name, value in compute_scalars(pooled, loss=loss).items():
            out.setdefault(name, []).append(value)
    return out


def seed_api_loop(
    items: Sequence[ItemPrediction], *, n_resamples: int, seed: int, loss: Loss = "abs_norm"
) -> Replicates:
    """The same numbers from one bootstrap per scalar, each starting at the seed again."""
    groups = by_participant(items)
    return {
        name: [compute(pooled) for pooled in resampled(groups, n_resamples=n_resamples, seed=seed)]
        for name, compute in compute_functions(loss).items()
    }
