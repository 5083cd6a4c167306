"""What every registered metric promises, at its defaults and under every convention it offers.

A metric that keeps a promise only in part says so on its decorator (`copies`, `ordered`,
`extensive`, `better=None`); no metric is named here. Every value is computed on every engine; how
columns are given is no matter of engines.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay.metrics
from assay.columns import COLUMNS, Resamples, columns
from assay.display.blocks import Grid
from assay.errors import ColumnError
from assay.inference import Plan
from assay.registry import METRICS, Metric
from assay.registry import metric as register
from assay.report.page import page
from assay.report.presenters import summary
from assay.score import requests
from assay.sources.items import ItemTable
from tests.engines import FORMS, under
from tests.item_tables import items_from_arrays
from tests.selective_artifacts import evaluate
from tests.strategies import COLUMN, clusters, copies, tables, unsorted_rows, weight_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.strategies import Columns

TYPES_FOR_CHECKERS_ONLY = dict.fromkeys(("Array", "ArrayLike", "Weight"), object)

ONE = tuple(FORMS)[:1]
ALIKE: dict[tuple[tuple[str, ...], ...], list[Metric]] = {}
for metric in METRICS.values():
    ALIKE.setdefault((metric.columns, metric.optional), []).append(metric)
every_metric = pytest.mark.parametrize(
    "metrics", ALIKE.values(), ids=[",".join(columns) for columns, _ in ALIKE]
)
"""all metrics, those together that take the same columns: a table is drawn once for them"""


def all_metrics(test: Callable[[Metric], None]) -> Callable[[], None]:
    """Run a test that takes no time for all metrics in one go, and name the one that fails."""

    def run() -> None:
        for metric in METRICS.values():
            try:
                test(metric)
            except Exception as error:
                error.add_note(f"the metric is {metric.name}")
                raise

    run.of = test
    return run


def conventions(metric: Metric) -> list[dict[str, str]]:
    """Return the defaults, then each other value of each option that names its values."""
    return _conventions(metric.function)


@cache
def _conventions(function) -> list[dict[str, str]]:
    hints = get_type_hints(function, localns=TYPES_FOR_CHECKERS_ONLY)
    options = inspect.signature(function).parameters
    named = [name for name in options if get_origin(hints.get(name)) is Literal]
    values = [(name, value) for name in named for value in get_args(hints[name])]
    return [{}, *({name: value} for name, value in values if value != options[name].default)]


def under_each(
    metrics: list[Metric], unless: Literal["copies", "ordered"] | None = None
) -> Iterator[tuple[Metric, dict[str, str]]]:
    """Yield every metric with each of its conventions that do not declare something."""
    for metric in metrics:
        for options in conventions(metric):
            if unless is None or not metric.holds(unless, **options):
                yield metric, options


def tables_of(metrics: list[Metric], **chosen) -> st.SearchStrategy[Columns]:
    return tables(metrics[0].columns, metrics[0].optional, **chosen)


def computed(metric: Metric, table: Columns, options: dict[str, str], engines=tuple(FORMS)):
    """Return the values on engines, the engine as the first axis."""
    values = []
    for engine in engines:
        with under(engine):
            values.append(metric.function(**table, **options))
    return np.array(values)


def assert_same(metric: Metric, one: Columns, other: Columns, options: dict[str, str]) -> None:
    """Compare all engines on one table with a single one on the other: so they agree as well."""
    found, wanted = computed(metric, one, options), computed(metric, other, options, ONE)
    wanted = np.broadcast_to(wanted, found.shape)
    about = f"{metric.name} under {options}"
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12, err_msg=about)


def n_rows(table: Columns) -> int:
    return len(next(iter(table.values())))


def selected(table: Columns, rows) -> Columns:
    return {name: column[rows] for name, column in table.items()}


# Rows and weights


@every_metric
@given(st.data())
def test_row_order_does_not_matter(metrics: list[Metric], data: st.DataObject) -> None:
    table = data.draw(tables_of(metrics, weight="copies"))
    shuffled = data.draw(unsorted_rows(table))
    for metric, options in under_each(metrics, unless="ordered"):
        assert_same(metric, shuffled, table, options)


@every_metric
@given(st.data())
def test_unit_weights_are_no_weights(metrics: list[Metric], data: st.DataObject) -> None:
    table = data.draw(tables_of(metrics, min_rows=0))
    for metric, options in under_each(metrics):
        assert_same(metric, {**table, "weight": np.ones(n_rows(table))}, table, options)


@every_metric
@given(st.data())
def test_whole_weight_is_that_many_copies_and_zero_is_absence(
    metrics: list[Metric], data: st.DataObject
) -> None:
    table = data.draw(tables_of(metrics, weight="copies"))
    times = table["weight"].astype(int)
    written_out = {name: np.repeat(column, times, axis=0) for name, column in table.items()}
    del written_out["weight"]
    for metric, options in under_each(metrics):
        assert_same(metric, table, written_out, options)
        assert_same(metric, table, selected(table, times > 0), options)


@every_metric
@given(st.data())
def test_only_the_ratios_of_weights_matter(metrics: list[Metric], data: st.DataObject) -> None:
    table = data.draw(tables_of(metrics, weight="positive"))
    factor = data.draw(st.sampled_from((1 / 3, 0.1, 7.0, 1e-3, 1e6)))
    for metric, options in under_each(metrics, unless="copies"):
        if not metric.extensive:
            assert_same(metric, {**table, "weight": factor * table["weight"]}, table, options)


@all_metrics
def test_fractional_weights_are_refused_where_copies_are_meant(metric: Metric) -> None:
    table = {**whole_table(metric), "weight": np.full(6, 0.5)}
    for options in conventions(metric):
        if metric.holds("copies", **options):
            with pytest.raises(ColumnError, match="`weight` must be whole numbers"):
                metric.function(**table, **options)


@every_metric
@given(st.data())
def test_batch_of_weights_is_a_batch_of_calls(metrics: list[Metric], data: st.DataObject) -> None:
    table = data.draw(tables_of(metrics))
    batch = data.draw(weight_batches(n_rows(table)))
    for metric, options in under_each(metrics):
        found = computed(metric, {**table, "weight": batch}, options)
        single = [computed(metric, {**table, "weight": weight}, options, ONE) for weight in batch]
        wanted = np.broadcast_to(np.array(single).T, found.shape)
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12, err_msg=metric.name)
        cube = computed(metric, {**table, "weight": batch[:, None]}, options)
        np.testing.assert_array_equal(cube, found[..., None], err_msg=metric.name)


@every_metric
@given(st.data())
def test_counts_of_clusters_are_weights_of_rows(metrics: list[Metric], data: st.DataObject) -> None:
    table = data.draw(tables_of(metrics))
    n = n_rows(table)
    cluster = data.draw(clusters(n))
    counts = data.draw(weight_batches(int(cluster.max()) + 1))
    dense = {**table, "weight": counts[:, cluster]}
    for metric, options in under_each(metrics):
        carrier = Resamples(counts, cluster, np.ones(n), (len(counts),))
        assert_same(metric, {**table, "weight": carrier}, dense, options)


@every_metric
@given(st.data())
def test_counted_rows_are_their_copies(metrics: list[Metric], data: st.DataObject) -> None:
    table = data.draw(tables_of(metrics))
    n = n_rows(table)
    size = data.draw(copies(n))
    cluster = data.draw(clusters(n))
    counts = data.draw(weight_batches(int(cluster.max()) + 1))
    times = size.astype(int)
    written_out = {name: np.repeat(column, times, axis=0) for name, column in table.items()}
    for metric, options in under_each(metrics, unless="ordered"):
        counted = Resamples(counts, cluster, size, (len(counts),))
        rows = Resamples(counts, np.repeat(cluster, times), np.ones(times.sum()), counted.shape)
        assert_same(metric, {**table, "weight": counted}, {**written_out, "weight": rows}, options)


# Values


@every_metric
@given(st.data())
def test_result_is_one_float_within_bounds_or_undefined_for_a_reason(
    metrics: list[Metric], data: st.DataObject
) -> None:
    table = data.draw(tables_of(metrics, weight="copies", min_rows=0))
    for metric, options in under_each(metrics):
        low, high = metric.bounds
        assert type(metric.function(**table, **options)) is float, metric.name
        for value in computed(metric, table, options):
            if np.isnan(value):
                assert metric.undefined, metric.name
            else:
                assert low - 1e-12 <= value <= high + 1e-12, metric.name


@every_metric
@given(st.data())
def test_lists_and_read_only_and_single_precision_columns_give_the_same_digits(
    metrics: list[Metric], data: st.DataObject
) -> None:
    table = data.draw(tables_of(metrics, weight="copies", min_rows=0))
    single = {name: column.astype(np.float32) for name, column in table.items()}
    double = {name: column.astype(np.float64) for name, column in single.items()}
    before = {name: column.copy() for name, column in double.items()}
    lists = {name: column.tolist() for name, column in double.items()}
    for column in double.values():
        column.setflags(write=False)
    # A list of no rows cannot say how many classes there are.
    forms = (double, single, lists) if n_rows(table) else (double, single)
    for metric, options in under_each(metrics):
        wanted = computed(metric, before, options, ONE)
        for form in forms:
            found = computed(metric, form, options, ONE)
            np.testing.assert_array_equal(found, wanted, err_msg=metric.name)
    for name, column in double.items():
        np.testing.assert_array_equal(column, before[name])


@every_metric
@given(st.data())
def test_what_stands_where_a_column_is_not_defined_does_not_matter(
    metrics: list[Metric], data: st.DataObject
) -> None:
    columns = metrics[0].columns
    table = data.draw(tables((*columns, *metrics[0].optional)))
    other = dict(table)
    for name in columns:
        flag = COLUMNS[name].where
        if flag is not None:
            other[name] = np.where(table[flag], table[name], np.nan)
    for metric, options in under_each(metrics):
        assert_same(metric, other, table, options)


# The better of two systems: it answers more, errs less, fails less and knows where it errs; its
# intervals and sets are smaller and miss less.
GOOD = {
    "loss": [0, 0, 0, 0, 0, 1],
    "confidence": [6, 5, 4, 3, 2, 1],
    "answered": [1, 1, 1, 1, 1, 1],
    "failed": [0, 0, 0, 0, 0, 1],
    "truth": [1, 2, 3, 4, 5, 6],
    "low": [0.9, 1.9, 2.9, 3.9, 4.9, 5.9],
    "up": [1.1, 2.1, 3.2, 4.2, 5.3, 6.3],
    "label": [0, 1, 2, 0, 1, 2],
    "included": [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "correct": [0, 0, 0, 1, 1, 1],
    "probability": [0.02, 0.03, 0.15, 0.85, 0.97, 0.98],
    "probabilities": [[0.9, 0.1, 0], [0, 1, 0], [0, 0, 1], [0.9, 0, 0.1], [0, 1, 0], [0, 0, 1]],
    "verdict_true": [0, 0, 1, 1, 2, 2],
    "verdict_given": [0, 0, 1, 1, 2, 1],
    "asked": [1, 1, 1, 1, 1, 1],
    "scored": [1, 1, 1, 1, 1, 1],
    "rank_score": [1, 2, 3, 4, 6, 5],
    "ranked": [1, 1, 1, 1, 1, 1],
    "n_cases": [1, 1, 1, 1, 1, 1],
    "n_structured": [1, 1, 1, 1, 1, 1],
    "quoted": [1, 1, 1, 1, 1, 1],
    "n_findings": [3, 3, 3, 3, 3, 3],
    "n_claimed": [4, 4, 4, 4, 4, 4],
    "n_gold": [4, 4, 4, 4, 4, 4],
    "n_matched": [4, 4, 4, 4, 3, 3],
    "n_snippets": [2, 2, 2, 2, 2, 2],
    "n_valid": [2, 2, 2, 2, 2, 1],
    "n_judged": [3, 3, 3, 3, 3, 3],
    "n_judged_right": [3, 3, 3, 3, 2, 2],
    "n_ruled": [1, 1, 1, 1, 1, 1],
    "n_consistent": [1, 1, 1, 1, 1, 1],
    "n_derived": [1, 1, 1, 1, 1, 1],
    "n_agreeing": [1, 1, 1, 1, 1, 1],
    "paired": [1, 1, 1, 1, 1, 1],
    "correct_cot": [1, 1, 1, 1, 1, 0],
    "correct_early": [1, 1, 0, 1, 0, 0],
    "present_cot": [1, 1, 1, 1, 1, 1],
    "present_early": [1, 1, 1, 1, 1, 1],
    "refused_cot": [0, 0, 0, 0, 0, 0],
    "refused_early": [0, 0, 0, 0, 0, 0],
    "failed_cot": [0, 0, 0, 0, 0, 0],
    "failed_early": [0, 0, 0, 0, 0, 0],
    "stepped": [1, 1, 1, 1, 1, 1],
    "n_steps": [4, 4, 4, 4, 4, 4],
    "n_gold_steps": [4, 4, 4, 4, 4, 4],
    "n_matched_steps": [4, 4, 4, 3, 3, 4],
    "biased": [0, 0, 1, 0, 1, 0],
    "silent": [0, 0, 0, 0, 0, 0],
    "measured": [1, 1, 1, 1, 1, 1],
    "n_words": [40, 40, 40, 40, 40, 40],
    "verbosity": [1.6, 1.6, 1.6, 1.6, 1.6, 1.6],
    "format_noise": [0, 0, 0, 0, 0, 0],
    "complexity": [0.2, 0.2, 0.2, 0.2, 0.2, 0.2],
}
BAD = {
    "loss": [0, 1, 1, 0, 1, 0],
    "confidence": [6, 5, 4, 3, 2, 1],
    "answered": [1, 1, 1, 1, 1, 0],
    "failed": [0, 1, 1, 0, 0, 1],
    "truth": [1, 2, 3, 4, 5, 6],
    "low": [0, 3, 0, 1, 3, 8],
    "up": [4, 5, 6, 2, 9, 9.5],
    "label": [0, 1, 2, 0, 1, 2],
    "included": [[0, 1, 0], [0, 1, 0], [0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]],
    "correct": [1, 0, 1, 0, 1, 0],
    "probability": [0.02, 0.02, 0.15, 0.85, 0.98, 0.98],
    "probabilities": [[0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 0.9, 0.1], [1, 0, 0], [0, 0, 1]],
    "verdict_true": [0, 0, 1, 1, 2, 2],
    "verdict_given": [1, 0, 0, 2, 1, 0],
    "asked": [1, 1, 1, 1, 1, 1],
    "scored": [1, 1, 1, 1, 1, 1],
    "rank_score": [6, 5, 1, 2, 3, 4],
    "ranked": [1, 1, 1, 1, 1, 1],
    "n_cases": [1, 1, 1, 1, 1, 1],
    "n_structured": [1, 1, 1, 1, 1, 0],
    "quoted": [1, 1, 1, 1, 0.5, 0],
    "n_findings": [4, 4, 4, 4, 4, 4],
    "n_claimed": [4, 4, 4, 4, 4, 4],
    "n_gold": [4, 4, 4, 4, 4, 4],
    "n_matched": [0, 1, 2, 1, 0, 0],
    "n_snippets": [2, 2, 2, 2, 2, 2],
    "n_valid": [0, 0, 2, 0, 1, 1],
    "n_judged": [3, 3, 3, 3, 3, 3],
    "n_judged_right": [1, 0, 3, 0, 0, 1],
    "n_ruled": [0, 1, 1, 1, 1, 1],
    "n_consistent": [0, 1, 1, 0, 1, 1],
    "n_derived": [0, 1, 1, 1, 1, 1],
    "n_agreeing": [0, 1, 0, 1, 0, 1],
    "paired": [1, 1, 1, 1, 1, 1],
    "correct_cot": [1, 0, 0, 0, 1, 0],
    "correct_early": [1, 0, 0, 1, 0, 0],
    "present_cot": [1, 1, 1, 1, 1, 1],
    "present_early": [1, 1, 1, 1, 1, 1],
    "refused_cot": [1, 0, 0, 0, 0, 0],
    "refused_early": [1, 1, 1, 1, 1, 1],
    "failed_cot": [0, 1, 0, 0, 0, 0],
    "failed_early": [0, 1, 0, 0, 0, 0],
    "stepped": [1, 1, 1, 1, 1, 1],
    "n_steps": [6, 6, 6, 6, 6, 6],
    "n_gold_steps": [4, 4, 4, 4, 4, 4],
    "n_matched_steps": [0, 1, 2, 0, 0, 1],
    "biased": [1, 1, 1, 0, 1, 0],
    "silent": [1, 0, 1, 0, 1, 0],
    "measured": [1, 1, 1, 1, 1, 1],
    "n_words": [900, 900, 900, 900, 900, 900],
    "verbosity": [3, 3, 3, 3, 3, 3],
    "format_noise": [0.2, 0.2, 0.2, 0.2, 0.2, 0.2],
    "complexity": [2, 2, 2, 2, 2, 2],
}


@all_metrics
def test_declared_direction_prefers_the_better_system(metric: Metric) -> None:
    names = [name for name in (*metric.columns, *metric.optional) if name != "weight"]
    for options in conventions(metric):
        good = computed(metric, {name: GOOD[name] for name in names}, options)
        bad = computed(metric, {name: BAD[name] for name in names}, options)
        if metric.better == "lower":
            assert (good < bad).all()
        elif metric.better == "higher":
            assert (good > bad).all()


# Refusals


def whole_table(metric: Metric) -> Columns:
    names = (*metric.columns, *metric.optional)
    return {name: np.array(GOOD.get(name, np.ones(6)), dtype=float) for name in names}


def assert_refused(metric: Metric, table: Columns, message: str) -> None:
    for options in conventions(metric):
        with pytest.raises(ColumnError, match=message):
            metric.function(**table, **options)


@all_metrics
def test_what_is_not_finite_is_refused_by_name(metric: Metric) -> None:
    for name in (*metric.columns, *metric.optional):
        finite = COLUMNS[name].finite
        rule = "finite" if finite else "a number"
        for bad in (np.nan, np.inf, -np.inf) if finite else (np.nan,):
            table = whole_table(metric)
            table[name][2] = bad
            assert_refused(metric, table, f"`{name}` must be {rule}, found {bad:g}")


@all_metrics
def test_wrong_length_is_refused_by_name(metric: Metric) -> None:
    for name in (*metric.columns[1:], *metric.optional):
        table = whole_table(metric)
        table[name] = table[name][:-1]
        assert_refused(metric, table, f"`{name}` has 5 rows where the .*columns have 6")


@all_metrics
def test_single_number_is_refused_by_name(metric: Metric) -> None:
    for name in (*metric.columns, *metric.optional):
        table = {**whole_table(metric), name: 1.0}
        assert_refused(metric, table, f"`{name}` must have one value per row")


@all_metrics
def test_words_are_refused_by_name(metric: Metric) -> None:
    for name in metric.columns:
        table = {**whole_table(metric), name: ["many"] * 6}
        with pytest.raises(ColumnError, match=f"`{name}` must hold numbers"):
            metric.function(**table)


@all_metrics
def test_carrier_of_other_rows_is_refused(metric: Metric) -> None:
    carrier = Resamples(np.ones((1, 1)), np.zeros(5, dtype=np.int64), np.ones(5), ())
    with pytest.raises(ColumnError, match="`weight` has 5 rows where the columns have 6"):
        metric.function(**{**whole_table(metric), "weight": carrier})


# Descriptions


@all_metrics
def test_metric_describes_itself(metric: Metric) -> None:
    text = inspect.getdoc(metric.function) or ""
    assert metric.title == text.splitlines()[0].rstrip(".")
    assert re.search(r"^\.\. math:: \S", text, re.MULTILINE)
    assert re.search(r"^References\n-{10}\n.*\((19|20)\d\d\)", text, re.MULTILINE)
    assert re.search(rf"^Examples\n-{{8}}\n>>> .*\b{metric.name}\(", text, re.MULTILINE)
    named = set().union(*conventions(metric))
    for option in metric.options.keys() - named:
        assert f"`{option}`" in text


@all_metrics
def test_metric_belongs_to_a_family_and_to_the_vocabulary(metric: Metric) -> None:
    families = [module.name for module in pkgutil.iter_modules(assay.metrics.__path__)]
    assert metric.family in families
    assert set(metric.columns) | set(metric.optional) <= COLUMNS.keys()
    assert "weight" in metric.optional
    assert metric.bounds[0] < metric.bounds[1]
    for declared in (metric.copies, metric.ordered):
        assert isinstance(declared, bool) or declared.keys() <= metric.options.keys()
    for option, other in metric.common.items():
        assert option in metric.options
        assert METRICS[other].columns == metric.columns


@all_metrics
def test_every_column_has_a_strategy(metric: Metric) -> None:
    assert {*metric.columns, *metric.optional} <= COLUMN.keys()


def test_every_metric_is_exported_by_its_family() -> None:
    for metric in METRICS.values():
        family = getattr(assay.metrics, metric.family)
        assert getattr(family, metric.name) is metric.checked
        assert getattr(assay.metrics, metric.name) is metric.checked
        assert metric.name in family.__all__


# Adding a metric edits one place


@pytest.fixture
def worst_loss() -> Iterator[Metric]:
    """Register a metric as a family file would, and forget it afterwards."""
    before = dict(METRICS)

    def worst_loss(loss, *, answered=None, weight=None, margin: float = 1.0):
        r"""Largest loss of an answered row.

        .. math:: m \max_i \ell_i

        `margin` is m.

        References
        ----------
        Nobody (2000).

        Examples
        --------
        >>> worst_loss(loss=[0, 2])
        2.0
        """
        loss, answered, weight = columns(loss=loss, answered=answered, weight=weight)
        return margin * (loss * answered * (weight > 0)).max(-1)

    worst_loss.__module__ = "assay.metrics.selective.points"
    register(better="lower", bounds=(0.0, np.inf))(worst_loss)
    yield METRICS["worst_loss"]
    METRICS.clear()
    METRICS.update(before)


def two_tables() -> list[ItemTable]:
    return [
        items_from_arrays(
            participant=[1, 1, 2, 2, 3, 3],
            prediction=prediction,
            truth=[0, 0, 1, 2, 0, 1],
            confidence=[0.9, 0.8, None, 0.7, 0.6, 0.5],
            scale=(0, 3),
        )
        for prediction in ([0, 1, None, 2, 3, 1], [0, 2, None, 2, 0, 1])
    ]


def test_new_metric_is_described_by_its_function_alone(worst_loss: Metric) -> None:
    assert worst_loss.family == "selective"
    assert worst_loss.title == "Largest loss of an answered row"
    assert worst_loss.columns == ("loss",)
    assert worst_loss.optional == ("answered", "weight")
    assert worst_loss.options == {"margin": 1.0}
    assert worst_loss.function(loss=[0, 2]) == 2.0


def test_new_metric_is_requested_wherever_its_columns_are(worst_loss: Metric) -> None:
    asked = requests(("loss", "confidence"), {"margin": (1.0, 2.5)})
    labels = [each.label for each in asked if each.metric is worst_loss]
    assert labels == ["worst_loss@1.00", "worst_loss@2.50"]
    assert not [each for each in requests(("failed",), {}) if each.metric is worst_loss]


def test_new_metric_has_an_interval_and_a_paired_difference_in_the_artifact(
    worst_loss: Metric,
) -> None:
    plan = Plan(n_resamples=50, method="percentile")
    one, other = two_tables()
    single = evaluate([one], plan=plan)
    scalar = single.systems[0].variants["confidence"].numbers["worst_loss"]
    assert scalar.value == 1.0
    assert single.metrics["worst_loss"].title == worst_loss.title
    assert scalar.options == {"margin": 1.0}
    assert scalar.interval == (0.0, 1.0)
    pair = evaluate([one, other], plan=plan)
    [compared] = pair.pairs
    delta = compared.deltas["confidence"]["worst_loss"]
    assert delta.delta == pytest.approx(2 / 3 - 1)
    assert delta.p_value > 0
    grids = [each.block for each in summary(pair).sections if isinstance(each.block, Grid)]
    shown = [grid.title for grid in grids if "worst_loss" in [row.label for row in grid.rows]]
    assert shown == ["Confidence", "arrays (2) minus arrays (1), confidence"]
    assert b"worst_loss" in page([pair])


def test_new_metric_keeps_the_contract(worst_loss: Metric) -> None:
    test_metric_describes_itself.of(worst_loss)
    test_every_column_has_a_strategy.of(worst_loss)
    table = whole_table(worst_loss)
    assert_same(worst_loss, {**table, "weight": 2 * table["weight"]}, table, {})


def test_new_metric_is_listed_and_explained_by_the_command(worst_loss: Metric, capsys) -> None:
    from assay.cli import main

    for arguments in (["metrics"], ["explain", "worst_loss"]):
        with pytest.raises(SystemExit, match=r"^0?$"):
            main(arguments)
        shown = capsys.readouterr().out
        assert "worst_loss" in shown
        assert worst_loss.title in shown


def test_new_metric_is_in_the_catalogue_of_the_docs(worst_loss: Metric) -> None:
    from tools.docs import catalogue

    assert "worst_loss" in catalogue()
    assert worst_loss.title in catalogue()
