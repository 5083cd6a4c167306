"""What can be computed: metrics and confidence functions, each registered by one decorator.

The decorators build a description from the function itself and return the function unchanged.
Library, command line, inference, artifact, docs and contract tests read the description.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from assay.columns import COLUMNS
from assay.errors import UsageError

__all__ = ["CONFIDENCE", "METRICS", "ConfidenceFunction", "Metric", "confidence", "metric"]

Function = TypeVar("Function", bound=Callable[..., Any])
Declared = bool | Mapping[str, str]
"""True, False, or true only where options have these values."""


@dataclass(frozen=True, slots=True)
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
    turned: bool
    """resamples repeat the bias that the number takes out, so percentiles are turned around"""
    reference: float | None
    """the number that the reference program gives where this one is undefined"""
    common: Mapping[str, str]
    """option -> metric: in a comparison the option also takes the smallest value of that metric"""

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
    undefined: str = "",
    copies: Declared = False,
    ordered: Declared = False,
    extensive: bool = False,
    interval: bool = True,
    turned: bool = False,
    reference: float | None = None,
    common: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Function], Function]:
    """Register a weighted function of columns as a metric of the family it is defined in."""

    def register(function: Function) -> Function:
        name = function.__name__
        parameters = inspect.signature(function).parameters.values()
        known = [each for each in parameters if each.name in COLUMNS]
        options = {each.name: each.default for each in parameters if each.name not in COLUMNS}
        unwired = [each for each, default in options.items() if default is inspect.Parameter.empty]
        if unwired:
            msg = f"metric {name} asks for {unwired[0]!r}, which is not in the vocabulary"
            raise UsageError(msg, hint="add the column to COLUMNS, or give the option a default")
        if "weight" not in [each.name for each in known]:
            msg = f"metric {name} takes no weight, so it can have no interval"
            raise UsageError(msg)
        required = [each.name for each in known if each.default is inspect.Parameter.empty]
        _add(
            METRICS,
            name,
            Metric(
                name=name,
                family=function.__module__.removeprefix("assay.metrics.").partition(".")[0],
                title=_title(function),
                function=function,
                columns=tuple(required),
                optional=tuple(each.name for each in known if each.name not in required),
                options=MappingProxyType(options),
                better=better,
                bounds=bounds,
                undefined=undefined,
                copies=copies,
                ordered=ordered,
                extensive=extensive,
                interval=interval,
                turned=turned,
                reference=reference,
                common=common,
            ),
        )
        return function

    return register


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


def _title(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0].rstrip(".")


def _add(registered: dict[str, Any], name: str, entry: Any) -> None:
    if name in registered:
        msg = f"{name!r} is registered twice"
        raise UsageError(msg)
    registered[name] = entry
