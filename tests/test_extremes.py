"""Every metric at the ends of the range: what is null says why, and nothing warns or overflows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from assay.columns import COLUMNS, Resamples
from assay.families.family import Evaluated, Named, Prepared, Subject
from assay.inference import Plan, bootstrap, testing
from assay.numbers import scalar
from assay.pairs import Difference, Judged, pairs
from assay.pairs import delta as written_delta
from assay.registry import METRICS
from assay.score import Request, Rows, statistic

NO_TEST = testing.Test(1.0, None)
PLAN = Plan(n_resamples=6)
FAR, NEAR = 1e308, 5e-324
SMALL = {"label": 2.0, "group": 2.0, "verdict_true": 2.0, "verdict_given": 2.0}


def column(name, kind, n):
    """Fill a column with its largest or smallest values, or both in turn."""
    about = COLUMNS[name]
    if about.sums_to_one:
        return np.tile([NEAR, 1 - NEAR, 0.0], (n, 1)) if kind == "both" else np.full((n, 3), 1 / 3)
    least, most = max(about.low, -FAR), min(about.high, FAR)
    least, most = {"low": (-FAR, -NEAR), "up": (NEAR, FAR)}.get(name, (least, most))
    if about.whole:
        most = min(most, SMALL.get(name, 2.0**50))
    elif least == 0 and not about.part_of:
        least = NEAR
    flat = {"least": np.full(n, least), "most": np.full(n, most)}
    values = flat.get(kind, np.where(np.arange(n) % 2, most, least))
    return np.repeat(values[:, None], 3, axis=1) if about.wide else values


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_what_is_null_at_the_ends_of_the_range_says_why(metric):
    names = [name for name in (*metric.columns, *metric.optional) if name != "weight"]
    for kind, (n, size) in product(("least", "most", "both"), ((1, 1.0), (5, 1.0), (4, 0.0))):
        table = {name: column(name, kind, n) for name in names}
        rows = Rows(table, Resamples(np.ones((1, n)), np.arange(n), np.full(n, size), ()))
        request = Request(metric.name, metric, dict(metric.options))
        drawn = bootstrap([statistic(request, rows)], PLAN, n_clusters=n, n_rows=n).of(0)
        left, right = keys = [(place, metric.name) for place in (0, 1)]
        subjects = [Subject(place, rows) for place in (0, 1)]
        prepared = Prepared([], [Named("a"), Named("b")], subjects, "row", n, {})
        asked = {place: {metric.name: request} for place in (0, 1)}
        evaluated = Evaluated(prepared, None, PLAN, asked, dict.fromkeys(keys, drawn))
        found = scalar(evaluated, left)
        apart = Difference.of(evaluated, left, right)
        delta = written_delta(evaluated, apart, (NO_TEST, 1.0), Judged(None, None))
        for pair in pairs(evaluated):
            assert all(each.word is None for of in pair.deltas.values() for each in of.values())
        assert (found.value is None) == bool(found.reason)
        assert found.interval is not None or found.interval_reason
        assert (delta.delta is None) == bool(delta.reason)
        assert found.interval is None or np.isfinite(found.interval).all()
