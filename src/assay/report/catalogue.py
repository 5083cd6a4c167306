"""What is registered, as pages: everything in a list, and one entry explained.

All of it is read from the definition: the docstring, the signature, the decorator.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from difflib import get_close_matches
from math import isfinite
from typing import Any, get_args

from assay import metrics
from assay.columns import COLUMNS
from assay.derive.confidence import ALIASES
from assay.derive.confidence_functions import OPERATIONS
from assay.derive.variants import SECONDARY
from assay.display.blocks import Line, Summary, facts
from assay.display.numbers import arrow
from assay.errors import UsageError
from assay.registry import CONFIDENCE, METRICS, ConfidenceFunction, Metric
from assay.report.formula import paragraphs, plain, sections
from assay.showing import quoted

__all__ = ["explanation", "listing", "records"]

GRAMMAR = f"{SECONDARY}A+B:{'|'.join(OPERATIONS)}"


def listing() -> Summary:
    """List every metric by family, and every confidence function."""
    families = dict.fromkeys(metric.family for metric in METRICS.values())
    found = [facts("key", _family(family), f"Metrics: {family}") for family in families]
    functions = [(each.name, plain(each.title)) for each in CONFIDENCE.values()]
    aliases = [(name, plain(alias.reason)) for name, alias in ALIASES.items()]
    combined = [(GRAMMAR, "two of them combined")]
    confidence = facts("key", [*functions, *aliases, *combined], "Confidence functions")
    title = "What Assay computes; assay explain NAME says more"
    return Summary(title, sections=(*found, confidence))


def _family(family: str) -> Iterator[Line]:
    for metric in METRICS.values():
        if metric.family == family:
            yield f"{metric.name} {arrow(metric.better)}".strip(), plain(metric.title)


def records() -> dict[str, list[dict[str, Any]]]:
    """Return the same list as plain data."""
    return {
        "metrics": [
            {
                "family": each.family,
                "name": each.name,
                "better": each.better,
                "title": plain(each.title),
                "columns": list(each.columns),
                "options": dict(each.options),
                "bounds": [end if isfinite(end) else None for end in each.bounds],
            }
            for each in METRICS.values()
        ],
        "confidence": [
            {"name": each.name, "title": plain(each.title), "signals": list(each.signals)}
            for each in CONFIDENCE.values()
        ],
    }


def explanation(name: str) -> Summary:
    """Explain one name."""
    if name in METRICS:
        metric = METRICS[name]
        return _page(name, plain(metric.title), _metric(metric), metric.function)
    if name in CONFIDENCE:
        function = CONFIDENCE[name]
        return _page(name, plain(function.title), _confidence(function), function.function)
    if name in ALIASES:
        return Summary(name, (plain(ALIASES[name].reason),), (facts("key", _alias(name)),))
    msg = f"there is no metric and no confidence function called {quoted(name)}"
    near = get_close_matches(name, [*METRICS, *CONFIDENCE, *ALIASES])
    hint = f"perhaps {' or '.join(near)}" if near else "`assay metrics` lists all names"
    raise UsageError(msg, hint=hint)


def _page(name: str, title: str, lines: Iterator[Line], function: Any) -> Summary:
    parts = sections(function)
    sources = [
        (word, text)
        for word, head in (("note", "Notes"), ("reference", "References"))
        for _, text in paragraphs(parts.get(head, ""))
    ]
    example = facts("key", [("", parts.get("Examples", "none"))], "Example")
    return Summary(name, (title,), (facts("key", [*lines, *sources]), example))


def _metric(metric: Metric) -> Iterator[Line]:
    yield "family", metric.family
    better = metric.better or "neither; it describes"
    yield "better", f"{better} {arrow(metric.better)}".strip()
    yield "range", f"{_end(metric.bounds[0])} to {_end(metric.bounds[1])}"
    yield "undefined", metric.undefined or "never"
    yield from paragraphs(sections(metric.function)["Text"])
    yield from _family_words(metric.family)
    for column in (*metric.columns, *metric.optional):
        optional = " (optional)" if column in metric.optional else ""
        yield f"column {column}", f"{COLUMNS[column].meaning}{optional}"
    for option, default in metric.options.items():
        yield f"option {option}", f"{_choices(metric, option)}default {default}"


def _family_words(family: str) -> Iterator[Line]:
    """Say what the signs of the formulas of a family mean."""
    module = getattr(metrics, family, None)
    if module is not None:
        yield from (("terms", text) for _, text in paragraphs(sections(module)["Text"]))


def _choices(metric: Metric, option: str) -> str:
    hint = inspect.get_annotations(metric.function, eval_str=False)[option]
    choices = get_args(metric.function.__globals__.get(hint))
    return f"{' or '.join(choices)}, " if choices else ""


def _end(bound: float) -> str:
    return f"{bound:g}".replace("inf", "infinity")


def _confidence(function: ConfidenceFunction) -> Iterator[Line]:
    yield from paragraphs(sections(function.function)["Text"])
    for signal in function.signals:
        yield f"signal {signal}", COLUMNS[signal].meaning


def _alias(name: str) -> Iterator[Line]:
    for reading, function in ALIASES[name].readings.items():
        signals = " + ".join(inspect.signature(function).parameters)
        yield f"--total-evidence {reading}", signals
