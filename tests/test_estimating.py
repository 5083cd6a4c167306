"""One number with its interval, of our metrics and of functions that users bring."""

from __future__ import annotations

import importlib
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.metrics import roc_auc_score

from assay.errors import ColumnError, UsageError
from assay.estimating import compare, estimate
from assay.inference import Draw, Plan, bootstrap
from assay.inference import estimate as interval_of
from assay.metrics import brier, ece, ks_p_value, silent_bias_rate
from assay.registry import METRICS

RANDOM = np.random.default_rng(3)
N = 60
P = RANDOM.random(N)
Y = (RANDOM.random(N) < P).astype(int)
WHO = np.arange(N) // 6
FEW = {"n_resamples": 200, "threads": 1}


def squared(y, p, weight):
    return np.average((np.asarray(y) - np.asarray(p)) ** 2, weights=weight)


def squared_without_weight(y, p):
    return float(np.mean((np.asarray(y) - np.asarray(p)) ** 2))


def test_a_metric_and_the_users_own_weighted_function_agree():
    plain = {**FEW, "ci_method": "percentile"}
    ours = estimate(brier, Y, P, cluster=WHO, **plain)
    own = estimate(squared, Y, P, cluster=WHO, **plain)
    assert own.value == pytest.approx(ours.value, abs=1e-12)
    assert (own.low, own.high) == pytest.approx((ours.low, ours.high), abs=1e-12)
    assert ours.n == N
    assert ours.how.startswith("0.95 percentile interval from 200 resamples of 10 clusters")


def test_a_function_without_weight_is_given_the_rows_that_were_drawn():
    ours = estimate(brier, Y, P, cluster=WHO, **FEW, ci_method="expanded")
    own = estimate(squared_without_weight, Y, P, cluster=WHO, **FEW)
    assert (own.low, own.high) == pytest.approx((ours.low, ours.high), abs=1e-12)
    assert own.how.endswith("it was called with the rows of every resample")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_sample_weight_is_a_weight_and_what_cannot_be_computed_is_counted():
    found = estimate(roc_auc_score, Y[:6], P[:6], n_resamples=500)
    assert 0 < found.n_undefined < 500
    assert found.value == roc_auc_score(Y[:6], P[:6])


def test_a_fault_of_the_function_on_the_data_itself_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        estimate(lambda y: len(y) / 0, Y, n_resamples=10)


def test_only_the_metric_that_is_asked_for_is_computed(monkeypatch):
    for name in METRICS:
        if name != "ece":
            monkeypatch.setitem(METRICS, name, None)
    assert estimate(ece, Y, P, n_bins=5, **FEW).value == pytest.approx(ece(Y, P, n_bins=5))


def test_a_metric_may_be_named_and_take_its_columns_by_name():
    by_name = estimate("ece", y_true=Y, y_prob=P, n_bins=5.0, **FEW)
    assert by_name.value == pytest.approx(ece(Y, P, n_bins=5))


def test_frames_lists_and_flags_are_columns():
    found = [
        estimate(brier, y, p, cluster=who, **FEW)
        for y, p, who in [
            (Y, P, WHO),
            (Y.astype(bool), list(P), [str(each) for each in WHO]),
            (pd.Series(Y), pd.Series(P), pd.Series(WHO)),
        ]
    ]
    assert len({(each.value, each.low, each.high) for each in found}) == 1


def test_a_p_value_has_a_value_and_a_reason_for_no_interval():
    found = estimate(ks_p_value, Y, P, **FEW)
    assert 0 <= found.value <= 1
    assert np.isnan(found.low)
    assert "not resampled" in found.reason


def test_an_undefined_number_has_its_reason():
    found = estimate(silent_bias_rate, biased=[0, 0], silent=[0, 0], **FEW)
    assert np.isnan(found.value)
    assert found.reason == METRICS["silent_bias_rate"].undefined


def test_without_resamples_there_is_no_interval():
    found = estimate(brier, Y, P, n_resamples=0)
    assert np.isnan(found.low)
    assert found.how == "60 rows, no resamples"


def test_two_systems_are_compared_on_the_same_resamples():
    scores = {"old": P, "new": P * 0.5 + 0.25, "same": P}
    found = compare(brier, Y, scores, cluster=WHO, **FEW)
    assert [*found] == ["old", "new", "same"]
    assert len(found) == 3
    first, second = found.pairs
    assert first.value == pytest.approx(found["new"].value - found["old"].value)
    assert (second.value, second.p_value) == (0.0, 1.0)
    assert second.reason is not None
    assert first.p_holm >= first.p_value
    by_hand = _difference(P, P * 0.5 + 0.25)
    assert (first.low, first.high) == (by_hand.low, by_hand.high)


def _difference(old, new):
    """Resample both metrics with the pieces that everything is made of."""
    from assay.columns import Resamples

    rows = Resamples(np.ones((1, 10)), WHO, np.ones(N), ())
    metric = METRICS["brier"].function

    def number(p):
        def value(draw: Draw):
            return metric(Y, p, weight=draw.of(rows))

        return value

    drawn = bootstrap([number(old), number(new)], Plan(200), n_clusters=10, n_rows=N)
    return interval_of(drawn.of(1) - drawn.of(0), Plan(200))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: estimate("ecee", Y, P), "there is no metric 'ecee'"),
        (lambda: estimate(brier, Y, P, n_resamples="many"), "`n_resamples` must be a whole"),
        (
            lambda: estimate(brier, Y, P, ci_method="BCa"),
            "`ci_method` must be one of auto, percentile",
        ),
        (lambda: estimate(brier, Y), "brier cannot be called so: missing a required argument"),
        (lambda: estimate(brier, Y, P, bins=3), "there is no option 'bins'"),
        (lambda: estimate(lambda: 1.0), "found no column"),
        (lambda: compare(brier, Y, P), "found no systems to compare"),
        (lambda: compare(brier, Y, {}), "found a mapping without systems"),
        (
            lambda: compare(squared, {"a": Y}, {"b": P}),
            "one mapping names a and another b",
        ),
        (lambda: compare(brier, Y, {"a": P, "b": P})["c"], "there is no system 'c'"),
        (lambda: compare(brier, Y, {"": P, "b": P}), "a system has a blank name"),
        (lambda: compare(brier, Y, {1: P, "1": P}), "two systems are called '1'"),
        (lambda: compare(brier, Y, {"\xe9": P, "e\u0301": P}), "two systems are called '\xe9'"),
        (lambda: compare(brier, Y, {"\ud800": P}), r"called '\ud800', which holds half a"),
        (lambda: compare(ece, Y, P, seed={"a": 1, "b": 2}), "on the same resamples, found several"),
        (lambda: estimate(np.mean, {1, 2, 3}), "found no column"),
    ],
)
def test_what_cannot_be_done_is_refused(call, message):
    with pytest.raises(UsageError) as refused:
        call()
    assert message in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize(
    ("word", "meant"),
    [("n_boot", "n_resamples"), ("random_state", "seed"), ("weights", "weight")],
)
def test_words_of_other_packages_are_known(word, meant):
    with pytest.raises(UsageError, match=f"there is no option '{word}'") as refused:
        estimate(brier, Y, P, **{word: 1})
    assert refused.value.hint == f"it is called `{meant}` here"


def test_lengths_must_fit():
    with pytest.raises(ColumnError, match="`weight` has 1 row where the columns have 60"):
        estimate(brier, Y, P, weight=2)
    with pytest.raises(ColumnError, match="`cluster` has 3 rows where the columns have 60"):
        estimate(brier, Y, P, cluster=[1, 2, 3])
    with pytest.raises(ColumnError, match="'b' has 59 rows where 'a' has 60"):
        compare(squared_without_weight, {"a": Y, "b": Y[1:]}, {"a": P, "b": P[1:]}, n_resamples=9)


def test_estimates_show_themselves():
    shown = repr(estimate(brier, Y, P, cluster=WHO, **FEW))
    assert shown.splitlines()[0].count("[") == 1
    both = repr(compare(brier, Y, {"a": P, "b": 1 - P}, **FEW))
    assert "b - a: " in both
    assert "p = " in both


# Differences by swaps, and tests that know clusters


def test_differences_are_tested_by_swapping_systems_within_clusters() -> None:
    # Four clusters: the second system is nearer in three of them, by 1, 2 and 4, and farther by 3.
    near = np.array([-1.0, -2.0, 3.0, -4.0])
    both = {"a": np.zeros(8), "b": np.repeat(near, 2)}
    cluster = np.repeat(np.arange(4), 2)
    found = compare(mean_of, both, cluster=cluster, n_resamples=2_000).pairs[0]
    signs = np.array(list(product([-1, 1], repeat=4)))
    sums = np.abs(signs @ near)
    exact = (sums > 4).mean() + (sums == 4).mean() / 2
    assert found.test == "swap"
    assert abs(found.p_value - exact) < 0.06
    again = compare(mean_of, both, cluster=cluster, n_resamples=2_000).pairs[0]
    assert again.p_value == found.p_value


def mean_of(x, weight):
    return float(np.average(x, weights=weight))


def test_alike_systems_have_p_1_and_holm_is_over_all_that_is_compared() -> None:
    rng = np.random.default_rng(2)
    first, third = rng.normal(size=(2, 24))
    systems = {"a": first, "b": first, "c": third + 2}
    found = compare(mean_of, systems, n_resamples=200).pairs
    assert (found[0].p_value, found[0].p_holm) == (1.0, 1.0)
    assert found[1].p_holm == 2 * found[1].p_value
    plain = compare(mean_of, systems, n_resamples=200, ci_method="percentile").pairs
    assert {each.test for each in plain} == {"percentile"}


def test_what_cannot_be_swapped_is_tested_by_its_percentiles() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=30)
    pairs = compare(power_mean, x, power={"a": 1, "b": 3}, n_resamples=100).pairs
    assert pairs[0].test == "expanded percentile"
    columns = {name: pa.array(x + shift) for name, shift in (("a", 0.0), ("b", 1.0))}
    assert compare(of_column, columns, n_resamples=100).pairs[0].test == "expanded percentile"
    wide = {"a": np.ones((30, 2)), "b": np.ones((30, 3))}
    assert compare(of_wide, wide, n_resamples=100).pairs[0].test == "expanded percentile"
    undefined = compare(lambda x, weight: np.nan, {"a": x, "b": x}, n_resamples=100).pairs[0]  # noqa: ARG005
    assert undefined.test is None


def power_mean(x, weight, power=1):
    return float(np.average(x**power, weights=weight))


def of_column(x, weight):
    return float(np.average(x.to_numpy(), weights=weight))


def of_wide(x, weight):
    return float(np.average(np.asarray(x).sum(1), weights=weight))


def test_tests_of_calibration_turn_the_signs_of_clusters_that_are_named() -> None:
    y, p, who = [1, 1, 0, 0, 1, 0], [0.6, 0.6, 0.6, 0.6, 0.2, 0.2], [0, 0, 1, 1, 2, 2]
    found = estimate("ks_p_value", y, p, cluster=who, law="limit")
    assert "sign flips" not in found.how
    many = [[*y] * 4, [*p] * 4, [at + 3 * n for n in range(4) for at in who]]
    found = estimate("ks_p_value", *many[:2], cluster=many[2])
    assert found.how == "1,999 sign flips of clusters (12 clusters), seed 42"
    assert found == estimate("ks_p_value", *many[:2], cluster=many[2])
    assert estimate("ks_p_value", *many[:2]).how == "24 rows, no resamples"
    assert "sign" not in estimate("ks_p_value", *many[:2], cluster=many[2], ties="stable").how


def test_names_of_systems_are_shown_without_signs_that_a_terminal_acts_on():
    found = repr(compare("brier", Y, {"\x1b[31m": P, "b": P}, n_resamples=0))
    assert "\x1b" not in found
    assert "b - \\x1b[31m: 0" in found


def test_means_of_losses_of_0_and_1_have_intervals_that_end_at_1() -> None:
    cluster, confidence = np.repeat(np.arange(8), 3), np.tile([0.9, 0.5, 0.1], 8)
    loss = np.ones(24)
    loss[:2] = 0
    how = {"cluster": cluster, "n_resamples": 200}
    assert estimate("risk", loss, confidence, **how).high == 1
    assert estimate("augrc", loss=loss.tolist(), confidence=confidence, **how).high == 0.5
    assert estimate("risk", loss, confidence, **how, ci_method="basic").high == 1
    # A loss of 2 may be one of any size.
    assert estimate("risk", 2 * loss, confidence, **how).high > 2
    all_wrong = estimate("risk", np.ones(24), confidence, **how)
    assert all_wrong.reason == "all agree: with 8 clusters fewer than 31 % of them differ"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_functions_are_given_the_series_that_the_user_gave(library) -> None:
    series = importlib.import_module(library).Series
    rng = np.random.default_rng(3)
    x, other = rng.normal(size=30), rng.normal(size=30)
    plain = compare(lambda x: float(np.mean(x)), {"a": x, "b": other}, n_resamples=50)
    found = compare(lambda x: x.mean(), {"a": series(x), "b": series(other)}, n_resamples=50)
    assert [found[name].low for name in "ab"] == pytest.approx([plain[name].low for name in "ab"])
    assert (found.pairs[0].test, found.pairs[0].p_value) == ("swap", plain.pairs[0].p_value)
    assert estimate(lambda x: x.mean(), series(x), n_resamples=50).low == found["a"].low


def test_what_a_function_gives_must_be_one_number_and_weights_no_less_than_0() -> None:
    with pytest.raises(UsageError, match=r"the function must give one number, found \(1, 2\)"):
        estimate(lambda x: (1, 2), [1.0, 2.0], n_resamples=0)  # noqa: ARG005 - any column
    with pytest.raises(ColumnError, match="`weight` must be at least 0, found -1 at row 1"):
        estimate("brier", [1, 0], [0.5, 0.5], weight=[1, -1], n_resamples=0)
    with pytest.raises(UsageError, match="a metric must be a function or the name of one"):
        estimate(None, [1, 0], [0.5, 0.5])


def test_a_metric_with_options_of_its_own_is_still_that_metric() -> None:
    y, p = [1, 0, 1, 1, 0, 1, 1, 0], [0.9, 0.2, 0.6, 0.7, 0.4, 0.3, 0.8, 0.1]
    found = estimate(partial(ece, n_bins=5), y, p, n_resamples=50)
    assert found == estimate(ece, y, p, n_bins=5, n_resamples=50)


def test_systems_may_be_numbered() -> None:
    assert "2 - 1: " in repr(compare(brier, [1, 0], {1: [0.5, 0.2], 2: [0.6, 0.2]}, n_resamples=0))


def test_what_can_be_read_once_is_a_column_of_all_systems() -> None:
    few = {"n_resamples": 50}
    assert estimate(brier, iter(Y), map(float, P), **few) == estimate(brier, Y, P, **few)
    assert estimate(np.mean, dict(enumerate(P)).values(), **few) == estimate(np.mean, P, **few)
    shared = compare(brier, iter(Y), {"a": iter(P), "b": iter(P**2)}, **few)
    assert shared == compare(brier, Y, {"a": P, "b": P**2}, **few)


def test_rows_of_lists_and_of_tables_are_drawn_like_others() -> None:
    lists = [[1], [1, 2], [1, 2, 3]] * 8
    lengths = [len(each) for each in lists]
    plain = estimate(np.mean, lengths, n_resamples=50)
    found = estimate(lambda each: np.mean([len(one) for one in each]), lists, n_resamples=50)
    table = importlib.import_module("pyarrow").table({"n": lengths})
    read = estimate(lambda rows: rows["n"].to_numpy().mean(), table, n_resamples=50)
    assert found == plain
    assert read == plain


def test_a_function_is_not_called_without_rows() -> None:
    def mean(x):
        assert len(x)
        return float(np.mean(x))

    none = estimate(mean, [], n_resamples=20)
    assert (np.isnan(none.value), none.reason) == (True, "there is no row")
    assert estimate(mean, [3.0], n_resamples=20).value == 3.0


@pytest.mark.parametrize("given", ["1.5", 10**400, np.timedelta64(1, "s"), 1j, [[1], [1, 2]]])
def test_what_only_looks_like_a_number_is_none(given) -> None:
    with pytest.raises(UsageError, match="the function must give one number, found"):
        estimate(lambda x: given, [1.0, 2.0], n_resamples=0)  # noqa: ARG005 - any column
    masked = estimate(lambda x: np.ma.masked, [1.0, 2.0], n_resamples=0)  # noqa: ARG005 - as above
    assert np.isnan(masked.value)


def test_two_p_values_differ_without_an_interval_for_the_reason_that_each_has_none() -> None:
    found = compare("spiegelhalter_p_value", Y, {"a": P, "b": P**2})
    assert found.pairs[0].reason == found["a"].reason == "a p-value is computed once, not resampled"


def test_long_names_are_cut_where_they_are_shown_and_stay_apart() -> None:
    names = [f"{'x' * 5000}{end}" for end in ("old", "new")]
    found = compare(brier, Y, dict.fromkeys(names, P), n_resamples=0)
    lines = repr(found).splitlines()
    assert max(map(len, lines)) < 120
    assert lines[0].partition(": ")[0] != lines[1].partition(": ")[0]
    assert found[names[1]].value == found[names[0]].value
