"""Selective prediction over typed records, one per PHQ-8 item of a participant.

The reading is that of the specification these names come from: items are accepted one by one
(confidence descending, then participant, then item, both ascending), areas are sums of steps, and
the risk at a coverage is that of exactly ceil(c N) items. `area="trapezoid"` accepts equal
confidences together and joins the working points by straight lines. The lower convex hull is that
of these working points under either reading.

Areas of an all-abstained list are 0.0; a number that is undefined is None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias

import numpy as np

from assay.columns import Array, Resamples
from assay.derive.losses import loss_range, losses
from assay.errors import ColumnError, UsageError
from assay.inference import Draw, Plan, Replicate, Statistic, bootstrap, estimate, p_value
from assay.metrics.selective import risk_coverage_curve
from assay.metrics.selective.curve import Area
from assay.score import Rows, requests, statistic
from assay.showing import inert, quoted

__all__ = [
    "BootstrapDeltaResult",
    "BootstrapResult",
    "CurvePoint",
    "ItemPrediction",
    "bootstrap_by_participant",
    "compute_augrc",
    "compute_augrc_at_coverage",
    "compute_augrc_optimal",
    "compute_aurc",
    "compute_aurc_achievable",
    "compute_aurc_at_coverage",
    "compute_aurc_optimal",
    "compute_cmax",
    "compute_eaugrc",
    "compute_eaurc",
    "compute_risk_at_coverage",
    "compute_risk_coverage_curve",
    "paired_bootstrap_delta_by_participant",
]

Loss = Literal["abs", "abs_norm"]
Options: TypeAlias = Mapping[str, float]
NO_OPTIONS: Options = MappingProxyType({})

SCALE = (0.0, 3.0)


@dataclass(frozen=True, slots=True)
class ItemPrediction:
    """One item of one participant; `pred` is None where the system abstained."""

    participant_id: int
    """a text will do where all ids are texts"""
    item_index: int
    pred: int | None
    gt: int
    confidence: float

    def __post_init__(self) -> None:
        """Refuse what is no id, no score on the scale, no number."""
        if not _is_whole(self.participant_id) and not _is_text(self.participant_id):
            msg = f"`participant_id` must be a whole number, found {quoted(self.participant_id)}"
            raise ColumnError(msg)
        if not _is_whole(self.item_index):
            self._refuse("item_index", "a whole number")
        if self.pred is not None and not _is_score(self.pred):
            self._refuse("pred", "a whole number from 0 to 3, or None")
        if not _is_score(self.gt):
            self._refuse("gt", "a whole number from 0 to 3")
        if not _is_number(self.confidence) and not (self.pred is None and self.confidence is None):
            self._refuse("confidence", "a number that a double can hold")

    def _refuse(self, name: str, needs: str) -> NoReturn:
        msg = (
            f"participant {inert(str(self.participant_id))}, item {quoted(self.item_index)}:"
            f" `{name}` must be {needs}, found {quoted(getattr(self, name))}"
        )
        raise ColumnError(msg)


def _is_number(value: Any) -> bool:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _is_whole(value: Any) -> bool:
    return _is_number(value) and float(value).is_integer()


def _is_score(value: Any) -> bool:
    return _is_whole(value) and SCALE[0] <= value <= SCALE[1]


def _is_text(value: Any) -> bool:
    return type(value) is str


Items: TypeAlias = Sequence[ItemPrediction]
Measure: TypeAlias = str | Callable[[Items], float | None]
"""The name of a selective metric, or a function of records."""


class CurvePoint(NamedTuple):
    """What is covered and risked once k items are accepted."""

    coverage: float
    risk: float
    joint_risk: float


def compute_risk_coverage_curve(
    items: Items, *, loss: Loss, area: Area = "step"
) -> list[CurvePoint]:
    """Return the working points as the threshold falls; none when all items are abstained.

    Examples
    --------
    >>> items = [ItemPrediction(1, 0, 2, 2, 0.9), ItemPrediction(1, 1, 3, 0, 0.5)]
    >>> compute_risk_coverage_curve(items, loss="abs")[1]
    CurvePoint(coverage=1.0, risk=1.5, joint_risk=1.5)
    """
    curve = risk_coverage_curve(**_columns(_ordered(items), loss), area=area)
    points = (curve.coverage, curve.selective_risk, curve.generalized_risk)
    return [CurvePoint(*point) for point in zip(*(each.tolist() for each in points), strict=True)]


def compute_cmax(items: Items) -> float:
    """Return the share of all items that is predicted."""
    return _number("cmax", items, "abs")


def compute_aurc(items: Items, *, loss: Loss, area: Area = "step") -> float:
    """Return the area under the risk-coverage curve.

    Examples
    --------
    >>> items = [ItemPrediction(1, 0, 3, 0, 0.9), ItemPrediction(1, 1, None, 0, 0.0)]
    >>> compute_aurc(items, loss="abs_norm")
    0.5
    """
    return _number("aurc", items, loss, area)


def compute_augrc(items: Items, *, loss: Loss = "abs_norm", area: Area = "step") -> float:
    """Return the area under the generalized (joint) risk-coverage curve."""
    return _number("augrc", items, loss, area)


def compute_aurc_at_coverage(
    items: Items, *, max_coverage: float, loss: Loss, area: Area = "step"
) -> float:
    """Return the AURC up to a coverage, or up to Cmax where that comes first."""
    return _number("aurc_at_coverage", items, loss, area, {"area_coverage": max_coverage})


def compute_augrc_at_coverage(
    items: Items, *, max_coverage: float, loss: Loss = "abs_norm", area: Area = "step"
) -> float:
    """Return the AUGRC up to a coverage, or up to Cmax where that comes first."""
    return _number("augrc_at_coverage", items, loss, area, {"area_coverage": max_coverage})


def compute_risk_at_coverage(
    items: Items, *, target_coverage: float, loss: Loss, area: Area = "step"
) -> float | None:
    """Return the risk at a matched coverage (MAE@coverage); None beyond Cmax."""
    options = {"coverage": target_coverage}
    return _nullable(_number("risk_at_coverage", items, loss, area, options))


def compute_aurc_optimal(items: Items, *, loss: Loss, area: Area = "step") -> float:
    """Return the AURC under a perfect ranking."""
    return _number("aurc_optimal", items, loss, area)


def compute_augrc_optimal(items: Items, *, loss: Loss = "abs_norm", area: Area = "step") -> float:
    """Return the AUGRC under a perfect ranking."""
    return _number("augrc_optimal", items, loss, area)


def compute_eaurc(items: Items, *, loss: Loss, area: Area = "step") -> float:
    """Return the AURC above the optimal one."""
    return _number("eaurc", items, loss, area)


def compute_eaugrc(items: Items, *, loss: Loss = "abs_norm", area: Area = "step") -> float:
    """Return the AUGRC above the optimal one."""
    return _number("eaugrc", items, loss, area)


def compute_aurc_achievable(items: Items, *, loss: Loss) -> float:
    """Return the area under the lower convex hull of the plateau working points."""
    return _number("aurc_achievable", items, loss)


def _number(
    metric: str, items: Items, loss: Loss, area: Area = "step", options: Options = NO_OPTIONS
) -> float:
    people = _people(items)
    value = _statistic(people, metric, loss, area, options)
    return float(np.asarray(value(Draw(np.ones((1, len(people)))))).item())


def _ordered(items: Items) -> list[ItemPrediction]:
    items = list(items)
    texts = [_is_text(each.participant_id) for each in items]
    if any(texts) and not all(texts):
        text, number = (items[texts.index(kind)].participant_id for kind in (True, False))
        msg = f"participants are both texts ({quoted(text)}) and numbers ({quoted(number)})"
        raise ColumnError(msg, hint="make all ids numbers or all of them texts")
    return sorted(items, key=lambda each: (each.participant_id, each.item_index))


def _columns(items: Items, loss: Loss) -> dict[str, Array]:
    missing = float("nan")
    prediction = np.array([missing if each.pred is None else each.pred for each in items], float)
    truth = np.array([each.gt for each in items], float)
    return {
        "loss": losses(loss, prediction, truth, scale=SCALE),
        "confidence": np.array([each.confidence for each in items], float),
        "answered": np.isfinite(prediction).astype(float),
    }


def _nullable(value: float) -> float | None:
    return None if np.isnan(value) else value


@dataclass(frozen=True, slots=True)
class BootstrapResult:
    """A number, and what resampling participants says about it."""

    point_estimate: float | None
    ci95: tuple[float, float] | None
    standard_error: float | None
    n_resamples: int
    drop_rate: float
    """the share of resamples on which the number is undefined; they are in no interval"""
    seed: int
    reason: str | None
    """why there is no interval"""


@dataclass(frozen=True, slots=True)
class BootstrapDeltaResult:
    """A paired difference, right minus left, and what resampling participants says about it."""

    point_estimate: float | None
    ci95: tuple[float, float] | None
    standard_error: float | None
    p_value: float | None
    """two-sided; 1 for identical systems"""
    n_resamples: int
    drop_rate: float
    seed: int
    reason: str | None


def bootstrap_by_participant(
    items: Items,
    metric: Measure,
    *,
    seed: int,
    n_resamples: int = 10_000,
    loss: Loss = "abs_norm",
    area: Area = "step",
    options: Options = NO_OPTIONS,
) -> BootstrapResult:
    """Resample participants, all their items with them, and read the interval of a number.

    Parameters
    ----------
    items
        The records of all participants.
    metric
        The name of a selective metric, which is fast and takes `loss`, `area` and its further
        `options`; or a function of records, which is called once per resample with the records in
        the order of participants and items.
    seed, n_resamples
        The draws: `RandomState(seed)`, one call for P integers below P per resample.
    loss, area, options
        The conventions of a metric given by name, such as `{"coverage": 0.3}`.

    Examples
    --------
    >>> items = [ItemPrediction(person, 0, person % 2, 0, 1.0) for person in range(9)]
    >>> bootstrap_by_participant(items, "risk", seed=42, n_resamples=200, loss="abs").ci95
    (0.111, 0.778)
    """
    plan = Plan(n_resamples=n_resamples, seed=seed, method="percentile")
    people = _people(items)
    (replicate,) = _replicates([_statistic(people, metric, loss, area, options)], people, plan)
    found = estimate(replicate, plan)
    return BootstrapResult(
        point_estimate=_nullable(found.value),
        ci95=None if found.reason else (found.low, found.high),
        standard_error=_nullable(found.standard_error),
        n_resamples=n_resamples,
        drop_rate=found.n_undefined / max(1, n_resamples),
        seed=seed,
        reason=found.reason,
    )


def paired_bootstrap_delta_by_participant(
    left: Items,
    right: Items,
    metric: Measure,
    *,
    seed: int,
    n_resamples: int = 10_000,
    loss: Loss = "abs_norm",
    area: Area = "step",
    options: Options = NO_OPTIONS,
) -> BootstrapDeltaResult:
    """Compare two systems on the same resamples of the same participants, right minus left.

    The parameters are those of `bootstrap_by_participant`.

    Examples
    --------
    >>> left = [ItemPrediction(person, 0, person % 2, 0, 1.0) for person in range(9)]
    >>> found = paired_bootstrap_delta_by_participant(left, left, "aurc", seed=42, n_resamples=99)
    >>> found.point_estimate, found.p_value
    (0.0, 1.0)
    """
    plan = Plan(n_resamples=n_resamples, seed=seed, method="percentile")
    sides = [_people(left), _people(right)]
    _check_same(*sides)
    statistics = [_statistic(people, metric, loss, area, options) for people in sides]
    one, other = _replicates(statistics, sides[0], plan)
    found = estimate(other - one, plan)
    return BootstrapDeltaResult(
        point_estimate=_nullable(found.value),
        ci95=None if found.reason else (found.low, found.high),
        standard_error=_nullable(found.standard_error),
        p_value=_nullable(p_value(other - one)),
        n_resamples=n_resamples,
        drop_rate=found.n_undefined / max(1, n_resamples),
        seed=seed,
        reason=found.reason,
    )


People: TypeAlias = dict[int, list[ItemPrediction]]


def _check_repetition(people: People) -> None:
    """Refuse an item that a participant has twice, which a resample may and a sample may not."""
    for who, their in people.items():
        for one, other in pairwise(their):
            if one.item_index == other.item_index:
                msg = f"participant {inert(str(who))} has item {one.item_index} twice"
                raise ColumnError(msg, hint="one record per participant and item")


def _people(items: Items) -> People:
    by_person = groupby(_ordered(items), key=lambda each: each.participant_id)
    return {person: list(their) for person, their in by_person}


def _check_same(left: People, right: People) -> None:
    differing = sorted(left.keys() ^ right.keys(), key=str)
    if differing:
        side = "left" if differing[0] in left else "right"
        msg = (
            f"both sides must be about the same participants, and {len(differing)} are on one side"
            f" only (such as {inert(str(differing[0]))}, {side})"
        )
        raise ColumnError(msg, hint="keep the participants that both systems succeeded on")


def _replicates(statistics: Sequence[Statistic], people: People, plan: Plan) -> list[Replicate]:
    if not people:
        msg = "there are no items, so there is no participant to draw"
        raise ColumnError(msg)
    _check_repetition(people)
    n_rows = sum(map(len, people.values()))
    drawn = bootstrap(statistics, plan, n_clusters=len(people), n_rows=n_rows)
    return [drawn.of(row) for row in range(len(statistics))]


def _statistic(
    people: People, metric: Measure, loss: Loss, area: Area, options: Options
) -> Statistic:
    if callable(metric):
        return _looped(people, metric)
    largest = loss_range(loss, SCALE)
    rows, settings = _rows(people, loss), {"area": area, "loss_range": largest, **options}
    asked = {each.label: each for each in requests(tuple(rows.columns), settings)}
    if metric not in asked:
        msg = f"there is no metric {quoted(metric)} of items"
        raise UsageError(msg, hint=f"the metrics are {', '.join(sorted(asked))}")
    known = asked[metric].options
    for option in options:
        if option not in known:
            msg = f"metric {metric} has no option {quoted(option)}"
            raise UsageError(msg, hint=f"its options are {', '.join(known) or 'none'}")
    return statistic(asked[metric], rows)


def _rows(people: People, loss: Loss) -> Rows:
    sizes = [len(their) for their in people.values()]
    cluster = np.repeat(np.arange(len(people)), sizes)
    weight = Resamples(np.ones((1, len(people))), cluster, np.ones(cluster.size), ())
    items = [item for their in people.values() for item in their]
    return Rows(_columns(items, loss), weight)


def _looped(people: People, function: Callable[[Items], float | None]) -> Statistic:
    """Call a function of records once per resample."""

    def value(counts: Array) -> float:
        drawn = zip(counts.tolist(), people.values(), strict=True)
        found = function([item for count, their in drawn for item in their * int(count)])
        return float("nan") if found is None else found

    return lambda draw: np.array([value(counts) for counts in draw.counts])
