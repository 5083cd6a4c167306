"""Metrics that people register: what they give, what they declare, where they are seen."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import pytest

import assay
from assay.errors import UsageError
from assay.registry import METRICS, metric
from tests.test_strangers import NONE, OTHERS, P, Y

DECLARED = {"better": "lower", "bounds": (0.0, 1.0), "family": "calibration"}


@pytest.fixture
def registered():
    """Leave the registry as it was."""
    before = dict(METRICS)
    yield
    METRICS.clear()
    METRICS.update(before)


def giving(value, name="mine"):
    def found(correct, probability, *, weight=None):
        """Give what a user's function gave."""
        del correct, probability, weight
        return value

    found.__name__ = name
    return found


# What functions give


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("n_resamples", [0, 20])
@pytest.mark.parametrize(
    "value",
    [np.arange(3.0), 1j, {"a": 1}, "0.3", 10**400],
    ids=["array", "complex", "dict", "text", "huge"],
)
def test_a_registered_metric_that_gives_no_number_is_named(value, n_resamples):
    metric(**DECLARED)(giving(value))
    with pytest.raises(UsageError, match="mine must give one number, found"):
        assay.evaluate("calibration", **OTHERS["calibration"], n_resamples=n_resamples)


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("value", [None, np.nan, pd.NA, np.ma.masked])
def test_a_registered_metric_may_be_undefined(value):
    metric(**DECLARED)(giving(value))
    found = assay.evaluate("calibration", **OTHERS["calibration"], **NONE)["mine"]
    assert np.isnan(found.value)
    assert found.reason == "the function gave no number"
    assert np.isnan(assay.estimate(giving(value), Y, P, **NONE).value)


@pytest.mark.usefixtures("registered")
def test_a_registered_metric_reads_resamples_as_estimate_does():
    def first_row(correct, probability, *, weight=None):
        """Mean probability, where the first row is there."""
        del correct
        if weight[0] == 0:
            msg = "the first row is not there"
            raise ValueError(msg)
        return np.array([np.average(probability, weights=weight)])

    metric(**DECLARED)(first_row)
    given = {"n_resamples": 50, "ci_method": "percentile"}
    found = assay.evaluate("calibration", **OTHERS["calibration"], **given)["first_row"]
    alone = assay.estimate("first_row", Y, P, **given)
    assert (found.value, found.low, found.high) == (alone.value, alone.low, alone.high)
    assert found.record.n_undefined == alone.n_undefined > 0


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("value", [1 + 1e-12, 1.5, -0.1])
def test_a_registered_metric_keeps_to_its_bounds(value):
    metric(**DECLARED)(giving(value))
    if abs(value - 1) < 1e-6:
        assert assay.evaluate("calibration", **OTHERS["calibration"], **NONE)["mine"].value == value
        return
    with pytest.raises(UsageError, match=f"mine gave {value}, outside of its bounds 0 and 1"):
        assay.evaluate("calibration", **OTHERS["calibration"], **NONE)


# What is declared about functions


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"better": "Lower"}, "`better` must be one of lower, higher, None, found 'Lower'"),
        ({"bounds": (1, 0)}, r"`bounds` must be two numbers, the lower one first, found \(1, 0\)"),
        ({"bounds": 1}, "`bounds` must be two numbers, the lower one first, found 1"),
        ({"kind": "mean"}, "`kind` must be one of area, .*, found 'mean'"),
        ({"interval": "no"}, "`interval` must be true or false, found 'no'"),
        ({"family": "calib"}, "metric mine names the family 'calib'"),
    ],
)
def test_what_a_metric_declares_is_checked_where_it_is_declared(declared, said):
    with pytest.raises(UsageError, match=said):
        metric(**{**DECLARED, **declared})(giving(0.5))
    assert "mine" not in METRICS


@pytest.mark.usefixtures("registered")
def test_the_columns_of_a_metric_say_its_family():
    assert assay.metric(better=None, bounds=(0, 1))(giving(0.5)).__name__ in METRICS
    assert METRICS["mine"].family == "calibration"
    found = assay.evaluate("calibration", **OTHERS["calibration"], **NONE)
    assert found["mine"].value == 0.5


@pytest.mark.usefixtures("registered")
def test_a_metric_that_no_family_or_several_could_have_names_one():
    def mine(label, *, weight=None):
        """Mean label."""

    def neither(loss, low, *, weight=None):
        """Of columns that are never together."""

    with pytest.raises(UsageError, match="metric mine names no family") as caught:
        metric(better=None, bounds=(0, 1))(mine)
    assert caught.value.hint == "`family` is one of calibration, sets"
    with pytest.raises(UsageError, match="metric neither names no family"):
        metric(better=None, bounds=(0, 1))(neither)
    with pytest.raises(UsageError, match="mine takes `label`, which is no column of intervals"):
        metric(better=None, bounds=(0, 1), family="intervals")(mine)
    metric(better=None, bounds=(0, 1), family="sets")(mine)
    assert METRICS["mine"].family == "sets"


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("family", OTHERS)
def test_a_metric_that_writes_into_its_columns_changes_no_other_number(family):
    columns = next(each.columns for each in METRICS.values() if each.family == family)
    wanted = assay.evaluate(family, **OTHERS[family], n_resamples=9).to_frame()
    made = {"__name__": __name__}
    exec(f"def mine({columns[0]}, *, weight): {columns[0]}[...] = weight[...] = 2; return 1", made)  # noqa: S102 - a name of ours
    metric(better=None, bounds=(0, 1), family=family)(made["mine"])
    found = assay.evaluate(family, **OTHERS[family], n_resamples=9).to_frame()
    assert "mine" in {*found.metric}
    assert found[found.metric != "mine"].reset_index(drop=True).equals(wanted)


def test_a_function_that_sorts_its_column_leaves_the_users_as_it_is():
    def highest(values, weight):
        values.sort()
        return values[-1] * weight.max() ** 0

    values = P[::-1].copy()
    found = assay.estimate(highest, values, n_resamples=5)
    assert (found.value, values[0]) == (P[-1], P[-1])


@pytest.mark.usefixtures("registered")
def test_bounds_may_be_numbers_of_numpy():
    metric(**{**DECLARED, "bounds": (np.int64(0), np.float32(1))})(giving(0.5))
    assert METRICS["mine"].bounds == (0, 1)


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    "function",
    [functools.partial(giving(0.5)), 3, giving(0.5, "a@b"), giving(0.5, "<lambda>")],
    ids=["partial", "number", "sign", "lambda"],
)
def test_a_metric_needs_a_name_that_can_be_asked_for(function):
    with pytest.raises(UsageError, match="a metric needs a function that has a name"):
        metric(**DECLARED)(function)
