"""Hypothesis strategies: one per column name, and tables built from a metric's columns.

Values come from few levels most of the time, because ties, zeros, ones and abstentions
are where definitions part. Every strategy takes the number of rows and is made once for each,
because making one costs more than drawing from it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from assay.columns import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypothesis.strategies import DrawFn, SearchStrategy

Array = NDArray[Any]
WeightKind = Literal["none", "copies", "positive"]
Columns = dict[str, Any]

MAX_ROWS = 14
THIRDS = (0.0, 1 / 3, 2 / 3, 1.0)
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
NEAR = (0.1 + 0.2, 0.3, 0.0, 1.0)
NEGATIVE = (-2.0, -1.0, -0.5, 0.0)
MILLIONTHS = 10**6
N_CLASSES = 3


def _arrays(values: SearchStrategy[Any], n: int, dtype: type) -> SearchStrategy[Any]:
    return st.lists(values, min_size=n, max_size=n).map(lambda drawn: np.array(drawn, dtype=dtype))


def _grains(high: float) -> SearchStrategy[float]:
    # Round grains rather than any float: a loss of 1e-308 tests the compiler, not a metric.
    return st.integers(0, MILLIONTHS).map(lambda grain: grain / MILLIONTHS * high)


@cache
def losses(n: int, *, high: Literal[1, 3] = 3) -> SearchStrategy[Any]:
    """Losses from 0 to `high`: right or wrong, thirds, whole errors, constant, continuous."""
    kinds = [st.sampled_from((0.0, 1.0)), st.sampled_from(THIRDS), _grains(1.0)]
    if high > 1:
        kinds += [st.sampled_from((0.0, 1.0, 2.0, 3.0)), _grains(3.0)]
    constant = st.sampled_from((0.0, 1 / 3, 1.0)).map(lambda one: np.full(n, one))
    return st.one_of(constant, *(_arrays(kind, n, np.float64) for kind in kinds))


@cache
def confidences(n: int) -> SearchStrategy[Any]:
    """Levels, counts of evidence, floats that nearly tie, negatives, constants, continuous."""
    kinds = [
        st.sampled_from(LEVELS),
        st.integers(0, 4).map(float),
        st.sampled_from(NEAR),
        st.sampled_from(NEGATIVE),
        st.floats(0.0, 1.0, allow_subnormal=False),
        st.floats(-5.0, 50.0, allow_subnormal=False),
    ]
    constant = st.sampled_from((0.0, 0.9, 1.0)).map(lambda one: np.full(n, one))
    distinct = st.permutations(range(n)).map(lambda drawn: np.array(drawn, dtype=np.float64) / 7)
    return st.one_of(constant, distinct, *(_arrays(kind, n, np.float64) for kind in kinds))


@cache
def flags(n: int) -> SearchStrategy[Any]:
    """True or false, all of one, or mixed."""
    return st.one_of(
        st.just(np.ones(n, dtype=np.bool_)),
        st.just(np.zeros(n, dtype=np.bool_)),
        _arrays(st.booleans(), n, np.bool_),
        _arrays(st.sampled_from((True, True, True, False)), n, np.bool_),
    )


@cache
def clusters(n: int, *, most: int = 5) -> SearchStrategy[Any]:
    """Participant numbers, sorted, none left out between 0 and the largest."""

    def dense(drawn: Sequence[int]) -> Array:
        names = sorted(set(drawn))
        return np.array(sorted(names.index(one) for one in drawn), dtype=np.int64)

    return st.lists(st.integers(0, most - 1), min_size=n, max_size=n).map(dense)


@cache
def copies(n: int) -> SearchStrategy[Any]:
    """Whole weights, zero among them; at least one row stays."""
    return _arrays(st.sampled_from((0.0, 1.0, 1.0, 2.0, 3.0)), n, np.float64).map(_keep_one)


@cache
def positive_weights(n: int) -> SearchStrategy[Any]:
    """Any positive weights."""
    return _arrays(st.floats(0.125, 8.0), n, np.float64)


def weights(n: int, kind: Literal["copies", "positive"] = "copies") -> SearchStrategy[Any]:
    """Whole numbers with zeros, or any positive numbers."""
    return copies(n) if kind == "copies" else positive_weights(n)


@cache
def weight_batches(
    n: int, kind: Literal["copies", "positive"] = "copies", *, most: int = 4
) -> SearchStrategy[Any]:
    """Several weight vectors, one per row of a (batch, n) array."""
    return st.lists(weights(n, kind), min_size=1, max_size=most).map(np.vstack)


def _keep_one(drawn: Array) -> Array:
    if drawn.size and not drawn.any():
        drawn[0] = 1.0
    return drawn


@cache
def numbers(n: int) -> SearchStrategy[Any]:
    """Values to predict: whole numbers, grains, constants."""
    kinds = [st.integers(-3, 6).map(float), _grains(5.0)]
    constant = st.sampled_from((0.0, 2.0)).map(lambda one: np.full(n, one))
    return st.one_of(constant, *(_arrays(kind, n, np.float64) for kind in kinds))


@cache
def bounds(n: int) -> SearchStrategy[Any]:
    """Bounds of intervals: values like those to predict, some far away, now and then infinite."""
    far = st.sampled_from((-np.inf, -1e6, 0.0, 2.0, 3.0, 1e6, np.inf))
    return st.one_of(numbers(n), _arrays(far, n, np.float64))


@cache
def labels(n: int) -> SearchStrategy[Any]:
    """Classes counted from 0, not always all of them."""
    classes = st.one_of(st.integers(0, N_CLASSES - 1), st.sampled_from((0, N_CLASSES - 1)))
    return _arrays(classes, n, np.float64)


@cache
def class_flags(n: int) -> SearchStrategy[Any]:
    """Prediction sets as one flag per class."""
    return flags(n * N_CLASSES).map(lambda drawn: drawn.reshape(n, N_CLASSES))


@cache
def probabilities(n: int) -> SearchStrategy[Any]:
    """Levels with 0 and 1 among them, tenths on the edges of bins, constants, continuous."""
    tenths = st.integers(0, 10).map(lambda tenth: tenth / 10)
    kinds = [st.sampled_from(LEVELS), st.sampled_from(NEAR), tenths, _grains(1.0)]
    constant = st.sampled_from((0.0, 0.5, 0.9, 1.0)).map(lambda one: np.full(n, one))
    return st.one_of(constant, *(_arrays(kind, n, np.float64) for kind in kinds))


@cache
def class_probabilities(n: int) -> SearchStrategy[Any]:
    """Probabilities of every class: shares of few parts, certainties and ties among them."""

    def shares(drawn: Array) -> Array:
        parts = drawn.reshape(n, N_CLASSES)
        parts[parts.sum(-1) == 0, 0] = 1.0
        return parts / parts.sum(-1, keepdims=True)

    return _arrays(st.integers(0, 4), n * N_CLASSES, np.float64).map(shares)


@cache
def counts(n: int) -> SearchStrategy[Any]:
    """Few things counted, often none."""
    return _arrays(st.sampled_from((0.0, 0.0, 1.0, 2.0, 3.0, 7.0)), n, np.float64)


COLUMN: dict[str, Callable[[int], SearchStrategy[Any]]] = {
    "loss": losses,
    "confidence": confidences,
    "answered": flags,
    "failed": flags,
    "cluster": clusters,
    "weight": copies,
    "truth": numbers,
    "low": bounds,
    "up": bounds,
    "label": labels,
    "included": class_flags,
    "group": labels,
    "correct": flags,
    "probability": probabilities,
    "probabilities": class_probabilities,
    "verdict_true": labels,
    "verdict_given": labels,
    "asked": flags,
    "scored": flags,
    "rank_score": confidences,
    "ranked": flags,
    "n_cases": counts,
    "n_structured": flags,
    "quoted": probabilities,
    "n_findings": counts,
    "n_claimed": counts,
    "n_gold": counts,
    "n_matched": counts,
    "n_snippets": counts,
    "n_valid": counts,
    "n_judged": counts,
    "n_judged_right": counts,
    "n_ruled": counts,
    "n_consistent": counts,
    "n_derived": counts,
    "n_agreeing": counts,
    "paired": flags,
    "correct_cot": flags,
    "correct_early": flags,
    "present_cot": flags,
    "present_early": flags,
    "refused_cot": flags,
    "refused_early": flags,
    "failed_cot": flags,
    "failed_early": flags,
    "stepped": flags,
    "n_steps": counts,
    "n_gold_steps": counts,
    "n_matched_steps": counts,
    "biased": flags,
    "silent": flags,
    "measured": flags,
    "n_words": counts,
    "verbosity": losses,
    "format_noise": probabilities,
    "complexity": losses,
}
"""A strategy per column name; a new column of the vocabulary gets its line here."""


@st.composite
def tables(
    draw: DrawFn,
    columns: tuple[str, ...],
    optional: tuple[str, ...] = (),
    *,
    weight: WeightKind = "none",
    min_rows: int = 1,
    max_rows: int = MAX_ROWS,
    abstained_loss: Literal["number", "nan"] = "number",
) -> Columns:
    """Columns of one length: all required ones, each optional one now and then.

    Parameters
    ----------
    columns, optional
        Column names as the metric declares them.
    weight
        Adds a ``weight`` column of that kind.
    abstained_loss
        ``"nan"`` writes NaN where a table with both columns abstained.
    """
    n = draw(st.integers(min_rows, max_rows))
    chosen = [name for name in optional if name != "weight" and draw(st.booleans())]
    table = {name: draw(COLUMN[name](n)) for name in (*columns, *chosen)}
    if {"low", "up"} <= table.keys():
        low, up = table["low"], table["up"]
        table |= {"low": np.minimum(low, up), "up": np.maximum(low, up)}
    for part in table:
        for total in set(COLUMNS[part].part_of if part in COLUMNS else ()) & table.keys():
            table[part] = np.minimum(table[part], table[total])
    if weight != "none":
        table["weight"] = draw(weights(n, weight))
    if abstained_loss == "nan" and {"loss", "answered"} <= table.keys():
        table["loss"] = np.where(table["answered"], table["loss"], np.nan)
    return table


@st.composite
def unsorted_rows(draw: DrawFn, table: Columns) -> Columns:
    """The same rows in another order."""
    n = len(next(iter(table.values())))
    order = np.array(draw(st.permutations(range(n))), dtype=np.int64)
    return {name: column[order] for name, column in table.items()}
