"""What can be computed: metrics and confidence functions, each registered by one decorator.

The decorators build a description from the function itself; what users call also checks options.
Library, command line, inference, artifact, docs and contract tests read the description.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial, wraps
from numbers import Real
from types import FunctionType, MappingProxyType, SimpleNamespace
from typing import Any, Literal, TypeVar, get_args, get_type_hints

from assay.columns import COLUMNS, Resamples
from assay.errors import UsageError
from assay.options import Choice, Option, coerced, given_twice, unknown_option
from assay.showing import quoted

OWN = "assay.metrics."
BETTER = "lower", "higher"
UNKNOWN_COLUMN = (
    "assay.COLUMNS holds all columns, as correct, probability or loss; options need a default"
)
NO_NUMBER = "the function gave no number"
"""the reason where a metric declares none"""
Function = TypeVar("Function", bound=Callable[..., Any])
Declared = bool | Mapping[str, str]
"""True, False, or true only where options have these values."""
Kind = Literal[
    "area",
    "heavy mean",
    "ranking",
    "share",
    "ratio",
    "jump",
    "peak",
    "quantile",
    "minimum",
    "norm",
    "none",
]
"""what decides which interval covers: an area under a curve or a smooth mean; a
mean of few large values; a ranking, skewed near 1; a share or a plain mean; a ratio of two numbers
of which the lower may be near 0; a value that jumps; one that noise lowers near its most; one of a
rank; the least of several; a norm of
signed gaps, which noise can only raise; one without a fixed truth"""


Signed = Callable[[Any], Any]
"""a test statistic, larger where less is expected, by the signs of clusters (draws, clusters)"""


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """The signed gaps that a norm is taken of, each a ratio of two sums over rows."""

    sums: Any
    """(resamples, gaps)"""
    weights: Any
    """the denominators, (resamples, gaps)"""
    norm: Callable[[Any], Any]
    """of gaps along the last axis"""
    dense: bool = False
    """there are many, which make sense only together, and their norm is slow"""


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Where a quantile stands among the rows."""

    share: float
    """of the rows that may not exceed it, as it was asked for"""
    up_to: float
    """share of the rows that do not"""
    error: float
    """standard error of that share, over clusters"""
    n: float
    """rows"""
    at: Callable[[float], float]
    """the quantile of any share"""


@dataclass(frozen=True, slots=True, eq=False)
class Metric:
    """One number: how to compute it, what it needs, how to read it."""

    name: str
    family: str
    title: str
    function: Callable[..., Any]
    columns: tuple[str, ...]
    """required columns"""
    optional: tuple[str, ...]
    """columns with a default; `weight` is always among them"""
    options: Mapping[str, Any]
    """the remaining parameters with their defaults"""
    better: Literal["lower", "higher"] | None
    bounds: tuple[float, float]
    losses: float | None
    """the most that it can be where all losses are 0 or 1, of what grows with them"""
    undefined: str
    """the reason to give when the number is NaN"""
    copies: Declared
    """weights must be whole numbers: the reading counts item by item"""
    ordered: Declared
    """ties are broken by row order, so that rows may not be shuffled or merged"""
    extensive: bool
    """the number grows with the rows, as a test statistic does: scaling weights changes it"""
    interval: bool
    """resampling says something about it; not so for p-values"""
    kind: Kind
    """which interval is read where that is left open"""
    no_interval: str
    """of kind `none`: why there is none"""
    covers: str
    """what its interval covers in simulation, where that is less than it says"""
    gaps: Callable[..., Gaps | Ranks] | None
    """of a norm, or what noise raises as it does one: the gaps, as a function of the same columns
    and options; of a quantile: where it stands"""
    flipped: Callable[..., Signed | None] | None
    """of a test: its statistic by the signs of clusters, as a function of the same columns and
    options; None where these have none"""
    paired: bool
    """the number is itself a difference of two answers to the same case: 0 is none"""
    turned: bool
    """resamples repeat the bias that the number takes out, so percentiles are turned around"""
    reference: float | None
    """the number that the reference program gives where this one is undefined"""
    common: Mapping[str, str]
    """option -> metric: in a comparison the option also takes the smallest value of that metric"""
    counterparts: tuple[str, ...]
    """metrics that worsen where this one improves by saying less: better only if none is worse"""
    batched: bool
    """its weight may be many resamples at once; an ordinary function takes one at a time"""

    @property
    def checked(self) -> Callable[..., Any]:
        """The function as users call it."""
        return _checked(self)

    def holds(self, declared: Literal["copies", "ordered"], **options: Any) -> bool:
        """Say whether a declaration applies under these options."""
        conditions = getattr(self, declared)
        chosen = {**self.options, **options}
        if isinstance(conditions, bool):
            return conditions
        return all(chosen[name] == value for name, value in conditions.items())


METRICS: dict[str, Metric] = {}


def metric(  # noqa: PLR0913 - one parameter per thing a metric may declare
    *,
    better: Literal["lower", "higher"] | None,
    bounds: tuple[float, float],
    losses: float | None = None,
    undefined: str = "",
    copies: Declared = False,
    ordered: Declared = False,
    extensive: bool = False,
    interval: bool = True,
    kind: Kind = "share",
    no_interval: str = "",
    covers: str = "",
    gaps: Callable[..., Gaps | Ranks] | None = None,
    flipped: Callable[..., Signed | None] | None = None,
    paired: bool = False,
    turned: bool = False,
    reference: float | None = None,
    common: Mapping[str, str] = MappingProxyType({}),
    counterparts: tuple[str, ...] = (),
    family: str | None = None,
) -> Callable[[Function], Function]:
    """Register a weighted function of columns as a metric of a family: that of its package.

    A function from elsewhere names its `family`, unless its columns say which, and takes one weight
    per row; those of this package take many resamples at once.
    """

    def register(function: Function) -> Function:
        name, module = _named(function), str(function.__module__)
        _check_declared(name, better=better, bounds=bounds, kind=kind, interval=interval)
        required, optional, options = _signature(function)
        home = _home(name, module, family, required)
        _add(
            METRICS,
            name,
            Metric(
                name=name,
                family=home,
                title=_title(function),
                function=function,
                columns=required,
                optional=optional,
                options=MappingProxyType(options),
                better=better,
                bounds=bounds,
                losses=losses,
                undefined=undefined,
                copies=copies,
                ordered=ordered,
                extensive=extensive,
                interval=interval,
                kind=kind,
                no_interval=no_interval,
                covers=covers,
                gaps=gaps,
                flipped=flipped,
                paired=paired,
                turned=turned,
                reference=reference,
                common=common,
                counterparts=counterparts,
                batched=module.startswith(OWN),
            ),
        )
        return METRICS[name].checked  # type: ignore[return-value]  # called in the same way

    return register


def _named(function: Any) -> str:
    """Return the name of a function, by which its number will be known."""
    name = getattr(function, "__name__", None)
    if not callable(function) or not isinstance(name, str) or not name.isidentifier():
        msg = f"a metric needs a function that has a name, found {quoted(function)}"
        raise UsageError(msg, hint="write `def`, with columns as parameters")
    return name


def _check_declared(name: str, **declared: Any) -> None:
    """Refuse declarations that intervals and tables could not read."""
    bounds = declared["bounds"]
    needs: dict[str, tuple[bool, str]] = {
        "better": (declared["better"] in (*BETTER, None), "one of lower, higher, None"),
        "bounds": (
            isinstance(bounds, tuple | list)
            and [isinstance(each, Real) for each in bounds] == [True, True]
            and bounds[0] < bounds[1],
            "two numbers, the lower one first",
        ),
        "kind": (declared["kind"] in get_args(Kind), f"one of {', '.join(get_args(Kind))}"),
        "interval": (isinstance(declared["interval"], bool), "true or false"),
    }
    for word, (holds, needed) in needs.items():
        if not holds:
            msg = f"metric {name}: `{word}` must be {needed}, found {quoted(declared[word])}"
            raise UsageError(msg)


def _home(name: str, module: str, family: str | None, required: Sequence[str]) -> str:
    """Return the family of a metric: that of its package, one that is named, or its columns'."""
    if family is None and module.startswith(OWN):
        return module.removeprefix(OWN).partition(".")[0]
    columns: dict[str, set[str]] = {}
    for each in METRICS.values():
        if each.batched:
            columns.setdefault(each.family, set()).update(each.columns, each.optional)
    fitting = [each for each, own in columns.items() if {*required} <= own]
    if family is None and len(fitting) == 1:
        return fitting[0]
    if family in fitting or (family is not None and not columns):
        return family
    what = f"names the family {quoted(family)}, and there is none"
    if family is None:
        what = "names no family"
    elif family in columns:
        lacks = next(each for each in required if each not in columns[family])
        what = f"takes `{lacks}`, which is no column of {family}"
    hint = f"`family` is one of {', '.join(fitting or columns)}"
    raise UsageError(f"metric {name} {what}", hint=hint)


def _signature(function: Function) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, Any]]:
    """Return the columns that a function needs, those it may have, and its options."""
    parameters = inspect.signature(function).parameters.values()
    known = [each for each in parameters if each.name in COLUMNS]
    options = {each.name: each.default for each in parameters if each.name not in COLUMNS}
    unwired = [each for each, default in options.items() if default is inspect.Parameter.empty]
    if unwired:
        msg = f"metric {function.__name__} asks for {unwired[0]!r}, which is not in the vocabulary"
        raise UsageError(msg, hint=UNKNOWN_COLUMN)
    if "weight" not in [each.name for each in known]:
        msg = f"metric {function.__name__} takes no weight, so it can have no interval"
        raise UsageError(msg, hint="a parameter called `weight` is given one value per row")
    needed = (each for each in known if each.default is inspect.Parameter.empty)
    required = tuple(each.name for each in needed if each.name != "weight")
    optional = tuple(each.name for each in known if each.name not in required)
    return required, optional, options


# What users of other packages call columns, and what they are here.
SPELLINGS = {
    "y_true": ("correct", "label", "truth"),
    "y": ("truth", "label"),
    "y_prob": ("probability", "probabilities"),
    "y_score": ("probability", "probabilities"),
    "y_proba": ("probability", "probabilities"),
    "sample_weight": ("weight",),
}


@cache
def _checked(metric: Metric) -> Callable[..., Any]:
    """Return the function as users call it: keywords of others are understood, options checked."""
    call, settle, refuse = metric.function, partial(settled, metric), check_call
    insist, hold = partial(_refuse_nan, metric), _held

    def function(*given: Any, **named: Any) -> Any:
        given = tuple(hold(each) for each in given)
        named = settle(named) if named else named
        try:
            found = call(*given, **named)
        except TypeError:
            refuse(call, given, named)
            raise
        if named:
            insist(named)
        return found

    # With the globals of its module, so that the examples in its docstring are found and run.
    own = FunctionType(
        function.__code__, call.__globals__, call.__name__, closure=function.__closure__
    )
    return wraps(call)(own)


def check_call(
    function: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]
) -> None:
    """Refuse what a function cannot be called with; one that is compiled may not say."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*given, **named)
    except TypeError as error:
        name = getattr(function, "__name__", "the function")
        kinds: dict[bool, list[str]] = {True: [], False: []}
        for each in signature.parameters.values():
            kinds[each.kind is each.KEYWORD_ONLY].append(each.name)
        by_name = f", and by name {', '.join(kinds[True])}" if kinds[True] else ""
        hint = f"it takes {', '.join(kinds[False])}{by_name}"
        raise UsageError(f"{name} cannot be called so: {error}", hint=hint) from None


def settled(metric: Metric, named: Mapping[str, Any], beside: Iterable[str] = ()) -> dict[str, Any]:
    """Return keywords as a metric has them, with options that were checked.

    Names that are taken beside those of the metric may be what was meant by one that is unknown.
    """
    known = (*metric.columns, *metric.optional)
    choices, found, said = _choices(metric), dict[str, Any](), dict[str, str]()
    # Comparisons give one value per resample.
    drawn = isinstance(named.get("weight"), Resamples)
    for word, value in named.items():
        name = next((each for each in SPELLINGS.get(word, ()) if each in known), word)
        if name not in known and name not in metric.options:
            others = [each for each, names in SPELLINGS.items() if {*names} & {*known}]
            raise unknown_option(word, [*known, *metric.options, *beside], others)
        if name in found:
            raise given_twice(said[name], word)
        of_float = name in choices and choices[name].type is float and _is_nan(value)
        checked = name in choices and not of_float and not (drawn and name in metric.common)
        held = coerced(choices[name], value) if checked else _held(value)
        found[name], said[name] = held, word
    return found


def _held(given: Any) -> Any:
    """Return what can be read only once as a list: columns are looked at more than once."""
    return [*given] if isinstance(given, Iterator) else given


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and value != value  # noqa: PLR0124 - NaN alone is so


def _refuse_nan(metric: Metric, named: Mapping[str, Any]) -> None:
    """Refuse NaN as an option after the metric, which may have better words for it."""
    for name, choice in _choices(metric).items():
        if _is_nan(named.get(name)):
            coerced(choice, named[name])


@cache
def _choices(metric: Metric) -> dict[str, Choice]:
    """Return the options of a metric with the types that its function names."""
    found = {}
    for name, default in metric.options.items():
        annotation = metric.function.__annotations__.get(name)
        if isinstance(annotation, str):
            # One value per resample is what comparisons give; a user gives one.
            annotation = annotation.removesuffix(" | Array")
        named = SimpleNamespace(__annotations__={name: annotation})
        try:
            kind = get_type_hints(named, globalns=metric.function.__globals__)[name]
        except NameError:  # of arrays, which only type checkers know
            continue
        found[name] = Choice(name, kind, default, Option(""))
    return found


@dataclass(frozen=True, slots=True)
class ConfidenceFunction:
    """One way to turn stored signals into a confidence."""

    name: str
    title: str
    function: Callable[..., Any]
    signals: tuple[str, ...]


CONFIDENCE: dict[str, ConfidenceFunction] = {}


def confidence(function: Function) -> Function:
    """Register a function of signal columns as a confidence function."""
    name = function.__name__
    signals = tuple(inspect.signature(function).parameters)
    for signal in signals:
        if signal not in COLUMNS or not COLUMNS[signal].signal:
            msg = f"confidence function {name} asks for {signal!r}, which is not a signal"
            raise UsageError(msg, hint="add the signal to COLUMNS")
    _add(CONFIDENCE, name, ConfidenceFunction(name, _title(function), function, signals))
    return function


def all_but(known: Container[str], family: str, why: str) -> dict[str, str]:
    """Return the metrics of a family that are not among the known ones, each with the reason."""
    return {
        name: why
        for name, metric in METRICS.items()
        if metric.family == family and name not in known
    }


def _title(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0].rstrip(".")


def _add(registered: dict[str, Any], name: str, entry: Any) -> None:
    if name in registered:
        msg = f"{name!r} is registered twice"
        raise UsageError(msg)
    registered[name] = entry
