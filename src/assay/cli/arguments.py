"""How to resample, as options of the commands that are not made from a family yet."""

from __future__ import annotations

from assay.cli.options import WHOLE, Decorator, choice, option
from assay.inference import IntervalMethod, Plan, Stream

__all__ = ["RESAMPLING"]

_PLAN = Plan()
RESAMPLING: tuple[Decorator, ...] = (
    option(
        "--bootstrap-resamples",
        "n_resamples",
        "Resamples of participants; 0 gives no intervals.",
        _PLAN.n_resamples,
        type=WHOLE,
    ),
    option("--seed", "seed", "Seed of the resamples.", _PLAN.seed, type=WHOLE),
    option("--level", "level", "Level of the intervals.", _PLAN.level, type=float),
    option(
        "--interval", "method", "Kind of the intervals.", _PLAN.method, type=choice(IntervalMethod)
    ),
    option("--stream", "stream", "Where resamples come from.", _PLAN.stream, type=choice(Stream)),
    option("--threads", "threads", "How many at once; changes no number.", "all cores", type=WHOLE),
)
