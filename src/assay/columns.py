"""The vocabulary of columns, and the only place where arrays are checked.

A parameter's name is its wiring: the reader fills a column under the name by which a metric
asks for it, and what the name means, which values it may hold and where it is defined stands
here, once, as data.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.errors import ColumnError, UsageError
from assay.floats import check_part, check_sums, floats, refuse
from assay.showing import counted

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

CHECKED_AT_ONCE = 1 << 15
"""How many values are checked at once, so that they stay near the processor."""

Array: TypeAlias = "NDArray[np.float64]"
Indices: TypeAlias = "NDArray[np.int64]"
Weight: TypeAlias = "ArrayLike | Resamples | None"


@dataclass(frozen=True, slots=True)
class Column:
    """What one name means, and which values it may hold."""

    meaning: str
    low: float = -np.inf
    high: float = np.inf
    whole: bool = False
    default: float | None = None
    """The value of every row when the column is not given; None makes the column required."""
    where: str | None = None
    """The flag column on whose rows this one is defined; elsewhere it may hold anything."""
    wide: bool = False
    """Several values per row, (rows, k): one per class."""
    sums_to_one: bool = False
    """The values of a row are the probabilities of all classes."""
    finite: bool = True
    signal: bool = False
    """Stored by the system under test, possibly null, and read only by confidence functions."""
    part_of: tuple[str, ...] = ()
    """Counts that this one is a part of, so that it cannot exceed them."""


def _flag(meaning: str, where: str | None = None) -> Column:
    """Return a column of 0 and 1."""
    return Column(meaning, low=0.0, high=1.0, whole=True, where=where)


def _usual(meaning: str) -> Column:
    """Return a column of 0 and 1, which is 1 where nothing is said."""
    return replace(_flag(meaning), default=1.0)


def _count(meaning: str, where: str | None = None, part_of: tuple[str, ...] = ()) -> Column:
    """Return a column of whole numbers from 0 on."""
    return Column(meaning, low=0.0, whole=True, where=where, part_of=part_of)


def _signal(meaning: str) -> Column:
    """Return a column that the system under test stores."""
    return Column(meaning, signal=True)


COLUMNS: dict[str, Column] = {
    "loss": Column(  # up to where its sums and areas stay within the range of a double
        "what an answer costs; 0 is a right answer", low=0.0, high=1e290, where="answered"
    ),
    "confidence": Column("how sure the system is; only the order counts", where="answered"),
    "failed": _flag("1 where the system failed on the participant"),
    "answered": _usual("1 where the system answered, 0 where it abstained"),
    "correct": _flag("1 where the answer is right"),
    "probability": Column("the probability of being right that was stated", low=0.0, high=1.0),
    "label": _count("the true class, counted from 0"),
    "probabilities": Column(
        "the probability of every class", low=0.0, high=1.0, wide=True, sums_to_one=True
    ),
    "truth": Column("the value that was to be predicted"),
    "low": Column("the lower bound of the interval", finite=False),
    "up": Column("the upper bound of the interval", finite=False),
    "included": Column(
        "1 where the class is in the prediction set", low=0.0, high=1.0, whole=True, wide=True
    ),
    "group": _count("the group of the row, counted from 0"),
    "paired": _usual("1 where both modes gave an output that can be compared"),
    "correct_cot": _flag("1 where the answer after reasoning is right", where="paired"),
    "correct_early": _flag("1 where the direct answer is right", where="paired"),
    "present_cot": _usual("1 where there is an output with reasoning"),
    "present_early": _usual("1 where there is a direct output"),
    "refused_cot": _flag(
        "1 where the output with reasoning refuses to answer", where="present_cot"
    ),
    "refused_early": _flag("1 where the direct output refuses to answer", where="present_early"),
    "failed_cot": _flag(
        "1 where no answer can be read from the output with reasoning", where="present_cot"
    ),
    "failed_early": _flag(
        "1 where no answer can be read from the direct output", where="present_early"
    ),
    "stepped": _usual("1 where there are gold steps to compare with"),
    "n_steps": _count("reasoning steps of the model", where="stepped"),
    "n_gold_steps": _count("gold steps of the reasoning", where="stepped"),
    "n_matched_steps": _count(
        "steps of the model that meet a gold step",
        where="stepped",
        part_of=("n_steps", "n_gold_steps"),
    ),
    "biased": _flag("1 where the answer follows the bias"),
    "silent": _flag("1 where the reasoning does not mention the biasing feature", where="biased"),
    "measured": _usual("1 where there is a text to measure"),
    "n_words": _count("words of the output", where="measured"),
    "verbosity": Column("log10 of the words plus one", low=0.0, where="measured"),
    "format_noise": Column(
        "share of the characters beyond ASCII", low=0.0, high=1.0, where="measured"
    ),
    "complexity": Column(
        "length, lines, symbols and scripts of the output, 0 to 3",
        low=0.0,
        high=3.0,
        where="measured",
    ),
    "verdict_true": _count(
        "position of the true verdict on its scale, counted from 0", where="asked"
    ),
    "verdict_given": _count(
        "position of the verdict that was given, counted from 0", where="scored"
    ),
    "asked": _usual(
        "1 where the case was asked and its true verdict is on the scale; by default `scored`"
    ),
    "scored": _usual("1 where the true and the given verdict are on the scale"),
    "rank_score": Column("what cases are ranked by; high is the high end", where="ranked"),
    "ranked": _usual("1 where there is something to rank a case by"),
    "n_cases": _count("1 where the case was asked or answered"),
    "n_structured": Column(
        "1 where evidence can be read", low=0.0, high=1.0, whole=True, part_of=("n_cases",)
    ),
    "quoted": Column(
        "share of the claims with a quotation, or 0", low=0.0, high=1.0, part_of=("n_cases",)
    ),
    "n_findings": _count("findings that the truth of the case names"),
    "n_claimed": _count("sources of the case that are cited"),
    "n_gold": _count("sources of the case that the truth names"),
    "n_matched": _count("cited sources that the truth names too", part_of=("n_claimed", "n_gold")),
    "n_snippets": _count("quotations of the case"),
    "n_valid": _count("quotations that are in their source", part_of=("n_snippets",)),
    "n_judged": _count("judgements of the case that have a truth"),
    "n_judged_right": _count("judgements that are right", part_of=("n_judged",)),
    "n_ruled": _count("verdicts of the case with a rule that names one", part_of=("n_cases",)),
    "n_consistent": _count("verdicts that are the one of their rule", part_of=("n_ruled",)),
    "n_derived": _count("verdicts that follow from cited evidence", part_of=("n_cases",)),
    "n_agreeing": _count("given verdicts that are the derived one", part_of=("n_derived",)),
    "weight": Column("how often the row counts; a resample is a weight", low=0.0, default=1.0),
    "llm_evidence_count": _signal("quotations extracted for the item"),
    "keyword_evidence_count": _signal("keyword hits added to the evidence"),
    "retrieval_reference_count": _signal("reference examples retrieved"),
    "retrieval_similarity_mean": _signal("mean similarity of the references"),
    "retrieval_similarity_max": _signal("largest similarity of a reference"),
    "verbalized_confidence": _signal("confidence the model states, 1 to 5"),
    "token_msp": _signal("mean probability of the emitted tokens"),
    "token_pe": _signal("mean entropy of the token alternatives, in nats"),
    "token_energy": _signal("mean log-sum-exp of the alternatives' logprobs"),
    "score_token_msp": _signal("probability of the token that is the score"),
    "score_token_pe": _signal("entropy of that token's alternatives, in nats"),
    "score_token_energy": _signal("log-sum-exp of that token's alternatives"),
    "consistency_modal_score": _signal("most frequent score over samples"),
    "consistency_modal_count": _signal("samples that gave the modal score"),
    "consistency_modal_confidence": _signal("share of samples with the modal score"),
    "consistency_score_std": _signal("standard deviation of the sampled scores"),
    "consistency_na_rate": _signal("share of samples that abstained"),
}


class Scratch:
    """Memory that one block of resamples after the other uses, so that it is mapped only once."""

    def __init__(self) -> None:
        """Start with no memory."""
        self._pages: list[Array] = []
        self._n_taken = 0
        self.sums: dict[Any, Any] = {}

    def empty(self) -> None:
        """Give all memory back to the next block."""
        self._n_taken = 0
        self.sums.clear()

    def take(self, shape: tuple[int, ...]) -> Array:
        """Return an uninitialized array."""
        size = math.prod(shape)
        if self._n_taken == len(self._pages):
            self._pages.append(np.empty(size))
        elif self._pages[self._n_taken].size < size:
            self._pages[self._n_taken] = np.empty(size)
        page = self._pages[self._n_taken]
        self._n_taken += 1
        return page[:size].reshape(shape)


@dataclass(frozen=True, slots=True, eq=False)
class Resamples:
    """A block of resamples as one weight: how often each cluster is drawn, and whose each row is.

    Metrics accept it wherever they accept an array of weights. What depends on the rows alone
    (a sort) is kept in `plans` and shared by all blocks of a table; what depends on the block (a
    curve) is kept in `curves` and shared by all metrics that read it.
    """

    counts: Array
    """(resamples, clusters)"""
    cluster: Indices
    """(rows,), an index into the clusters"""
    size: Array
    """(rows,), how many items a row stands for"""
    shape: tuple[int, ...]
    """the leading axes of the weight as it was given; () for a single weight"""
    by_row: bool = False
    """every row is a cluster of its own, in this order, and stands for one item"""
    plans: dict[Any, Any] = field(default_factory=dict)
    curves: dict[Any, Any] = field(default_factory=dict)
    scratch: Scratch = field(default_factory=Scratch)

    @classmethod
    def of(cls, weight: Weight, *, n_rows: int) -> Resamples:
        """See any weight as resamples in which every row is its own cluster."""
        if isinstance(weight, Resamples):
            if weight.cluster.size != n_rows:
                found = counted(weight.cluster.size, "row")
                msg = f"`weight` has {found} where the columns have {n_rows}"
                raise ColumnError(msg)
            return weight
        rows = _checked("weight", weight, n_rows)
        return cls(
            counts=rows.reshape(math.prod(rows.shape[:-1]), n_rows),
            cluster=np.arange(n_rows),
            size=np.ones(n_rows),
            shape=rows.shape[:-1],
            by_row=True,
        )

    @property
    def single(self) -> Array | None:
        """Return the weight of every row where there is one weight; None where there are many."""
        if self.shape:
            return None
        return self.counts[0] if self.by_row else self.rows()

    def block(self, counts: Array, scratch: Scratch) -> Resamples:
        """Return the same rows under other draws."""
        return replace(self, counts=counts, shape=counts.shape[:1], curves={}, scratch=scratch)

    def rows(self) -> Array:
        """Return the weight of every row, (..., rows)."""
        if self.counts.shape == (1, 1):
            once = self.counts[0, 0] == 1
            size = self.size if once else self.counts[0, 0] * self.size
            return size.reshape(*self.shape, self.cluster.size)
        return (self.counts[:, self.cluster] * self.size).reshape(*self.shape, self.cluster.size)

    def total(self) -> Array:
        """Return the weight of all rows together, (resamples,)."""
        total: Array = self.curve(_totals)
        return total

    @property
    def every_row_once(self) -> bool:
        """Say whether this is a single weight under which every row counts once."""
        once: bool = not self.shape and self.curve(_counts_once)
        return once

    def plan(self, build: Callable[..., Any], *arguments: Any) -> Any:
        """Return what `build` makes of the columns, made once per table."""
        return _once(self.plans, build, arguments, self)

    def curve(self, build: Callable[..., Any], *arguments: Any) -> Any:
        """Return what `build` makes of the columns and these draws, made once per block."""
        return _once(self.curves, build, arguments, self)


def _totals(resamples: Resamples) -> Array:
    sizes = resamples.size if resamples.by_row else resamples.plan(_cluster_sizes)
    return np.asarray(resamples.counts @ sizes)


def _cluster_sizes(resamples: Resamples) -> Array:
    n_clusters = resamples.counts.shape[1]
    sizes = np.bincount(resamples.cluster, weights=resamples.size, minlength=n_clusters)
    return sizes.astype(np.float64)


def _counts_once(resamples: Resamples) -> bool:
    return bool((resamples.counts == 1).all() and (resamples.size == 1).all())


def _once(
    memo: dict[Any, Any],
    build: Callable[..., Any],
    arguments: tuple[Any, ...],
    resamples: Resamples,
) -> Any:
    # The arguments are stored with the result, so that their identities stay theirs.
    key = (build, *(each if isinstance(each, str) else id(each) for each in arguments))
    if key not in memo:
        memo[key] = build(*arguments, resamples), arguments
    return memo[key][0]


def columns(**given: ArrayLike | Resamples | None) -> tuple[Array, ...]:
    """Check columns and return them as float arrays of one length, in the order given.

    A column that is None takes its default. A column defined only on the rows of a flag (a loss
    where the system answered) is set to 0 on the others before it is checked.

    Examples
    --------
    >>> loss, answered = columns(loss=[0, float("nan")], answered=[1, 0])
    >>> print(loss, answered)
    [0. 0.] [1. 0.]
    """
    n_rows = length(**given)
    checked: dict[str, Array] = {}
    for name in sorted(given, key=lambda each: COLUMNS[each].where is not None):
        flag = COLUMNS[name].where
        checked[name] = _checked(name, given[name], n_rows, checked.get(flag) if flag else None)
    for name, part in checked.items():
        for total in COLUMNS[name].part_of:
            if total in checked:
                check_part(name, part, total, checked[total])
    return tuple(checked[name] for name in given)


def aligned(**given: ArrayLike) -> tuple[Array, ...]:
    """Return columns as float arrays of one length; what they hold is left to be checked.

    Examples
    --------
    >>> [each.tolist() for each in aligned(truth=[1, 2], low=[0.5, float("nan")])]
    [[1.0, 2.0], [0.5, nan]]
    """
    n_rows = length(**given)
    return tuple(_of_length(name, values, n_rows) for name, values in given.items())


def length(**given: ArrayLike | Resamples | None) -> int:
    """Return the number of rows, which the first column that is given decides."""
    for name, values in given.items():
        if values is not None and name != "weight":
            return _n_rows(name, _as_floats(name, values))
    msg = f"no column of {', '.join(f'`{name}`' for name in given)} was given"
    raise ColumnError(msg)


def _as_floats(name: str, values: Any) -> Array:
    column = COLUMNS[name]
    is_flag = column.whole and (column.low, column.high) == (0.0, 1.0)
    array = floats(name, values, flags=is_flag)
    axes = 2 if COLUMNS[name].wide else 1
    if array.ndim < axes or (array.ndim > axes and name != "weight"):
        needed = "one value per row and class" if COLUMNS[name].wide else "one value per row"
        msg = f"`{name}` must have {needed}, found {array.ndim} axes"
        second = int(array.shape[-1:] > (1,))
        wide = array.ndim > axes == 1
        hint = f"one of its columns, as in p[:, {second}]" if wide else None
        raise ColumnError(msg, hint=hint)
    return array


def _n_rows(name: str, array: Array) -> int:
    return int(array.shape[0 if COLUMNS[name].wide else -1])


def _checked(name: str, values: Any, n_rows: int, flag: Array | None = None) -> Array:
    column = COLUMNS[name]
    if isinstance(values, Resamples):
        return Resamples.of(values, n_rows=n_rows).rows()
    if values is None:
        if column.default is None:
            msg = f"`{name}` is missing: {column.meaning}"
            raise ColumnError(msg)
        return np.full(n_rows, column.default)
    array = _of_length(name, values, n_rows)
    if flag is not None and not flag.all():
        array = np.where(flag > 0, array, 0.0)
    _check_values(name, array)
    return array


def _of_length(name: str, values: Any, n_rows: int) -> Array:
    array = _as_floats(name, values)
    if _n_rows(name, array) != n_rows:
        found = counted(_n_rows(name, array), "row")
        msg = f"`{name}` has {found} where the other columns have {n_rows}"
        raise ColumnError(msg)
    return array


def _sound(column: Column, array: Array) -> bool:
    """Say at once whether all values are as they should be, a cache's worth at a time."""
    values = array.ravel()
    for first in range(0, values.size, CHECKED_AT_ONCE):
        part = values[first : first + CHECKED_AT_ONCE]
        low, high = part.min(), part.max()  # NaN if there is one
        if not (column.low <= low <= high <= column.high):
            return False
        if column.finite and not (-np.inf < low <= high < np.inf):
            return False
        if column.whole and (part != np.floor(part)).any():
            return False
    return True


def _check_values(name: str, array: Array) -> None:
    column = COLUMNS[name]
    if not _sound(column, array):
        refuse(name, array, column)
    if column.sums_to_one:
        check_sums(name, array)


def proportion(name: str, value: float) -> float:
    """Check that an option lies in (0, 1] and return it."""
    if not 0.0 < value <= 1.0:
        msg = f"`{name}` must be above 0 and at most 1, found {value:g}"
        raise UsageError(msg)
    return value


def whole(resamples: Resamples, reading: str) -> None:
    """Refuse weights that are not copies, where a reading counts item by item."""
    for values in (resamples.counts, resamples.size):
        broken = values != np.floor(values)
        if broken.any():
            msg = f"`weight` must be whole numbers for {reading}, found {values[broken][0]:g}"
            raise ColumnError(msg, hint="a weight is read as that many copies of the row")
