"""What is registered, as pages: everything in a list, and one entry explained.

All of it is read from the definition: the docstring, the signature, the decorator.
Formulas in it are shown in signs that a terminal has.
"""

from __future__ import annotations

import inspect
import re
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
from assay.showing import quoted

GRAMMAR = f"{SECONDARY}A+B:{'|'.join(OPERATIONS)}"
SIGNS = {
    ",": " ",
    ";": " ",
    "#": "#",
    "{": "{",
    "}": "}",
    "quad": " ",
    "qquad": "  ",
    "cdot": "·",
    "dots": "...",
    "ell": "\N{SCRIPT SMALL L}",
    "Delta": "\N{GREEK CAPITAL LETTER DELTA}",
    "alpha": "\N{GREEK SMALL LETTER ALPHA}",
    "eta": "\N{GREEK SMALL LETTER ETA}",
    "sigma": "\N{GREEK SMALL LETTER SIGMA}",
    "int": "∫",
    "sum": "Σ",
    "in": "∈",
    "cap": "∩",
    "sim": "~",
    "infty": "∞",
    "lceil": "⌈",
    "rceil": "⌉",
    "ge": "≥",
    "le": "≤",
    **dict.fromkeys(("left", "right", "bigl", "bigr", "Bigl", "Bigr"), ""),
}
COMMAND = re.compile(r"\\([A-Za-z]+|.)")
ACCENTS = {"bar": "\N{COMBINING MACRON}", "hat": "\N{COMBINING CIRCUMFLEX ACCENT}"}
FRACTION = re.compile(r"\\frac\{([^{}]*)\}\s*\{([^{}]*)\}\s?")
BRACES = {r"\{": "\x01", r"\}": "\x02"}
"""braces that are shown, while braces that group are looked for"""
REWRITES = (
    (re.compile(r"\\lceil "), "⌈"),
    (re.compile(r" \\rceil"), "⌉"),
    (re.compile(r"\\(?:text|mathrm|mathbf|operatorname)\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\mathbf ?(\w)"), r"\1"),
    (re.compile(r"\\(max|min|exp|log)(?![A-Za-z])"), r"\1"),
    (re.compile(r"\\t?frac(\w)(\w)"), r"\1/\2"),
    (re.compile(r"\\tfrac\{"), r"\\frac{"),
    (re.compile(r"\\sqrt\{([^{}]*)\}"), r"√(\1)"),
    (re.compile(r"([_^])\{(\w+)\}"), r"\1\2"),
    (re.compile(r"([_^])\{([^{}]*)\}"), r"\1(\2)"),
)
ACCENTED = re.compile(r"\\(bar|hat)(?:\{(\w)\}| ?(\w))")
COMPOUND = re.compile(r"[ +]")
INLINE = re.compile(r":math:`([^`]*)`")
HEAD = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
DISPLAYED = ".. math::"


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


def sections(documented: Any) -> dict[str, str]:
    """Cut a docstring, after its first line, into the text and the sections under their heads.

    Examples
    --------
    >>> list(sections(sections))
    ['Text', 'Examples']
    """
    _, _, body = (inspect.getdoc(documented) or "").partition("\n")
    text, *headed = HEAD.split(body)
    return {
        "Text": text.strip(),
        **dict(zip(headed[::2], map(str.strip, headed[1::2]), strict=True)),
    }


def paragraphs(text: str) -> list[tuple[str, str]]:
    """Return the paragraphs of a text in plain signs, with their kind: `formula`, `meaning`."""
    blocks = [" ".join(block.split()) for block in text.split("\n\n") if block.strip()]
    return [
        ("formula", _formula(block.removeprefix(DISPLAYED)))
        if block.startswith(DISPLAYED)
        else ("meaning", plain(block))
        for block in blocks
    ]


def plain(text: str) -> str:
    r"""Take the markup out of a sentence.

    Examples
    --------
    >>> plain(r"``step`` counts :math:`\frac{1}{N}\sum_{k=1}^{K} r_k`")
    'step counts 1/N Σ_(k=1)^K r_k'
    """
    text = INLINE.sub(lambda found: _formula(found[1]), text)
    return text.replace("``", "").replace("`", "").replace("*all*", "all")


def _formula(tex: str) -> str:
    """Rewrite from the innermost braces outwards, then name by name."""
    for shown, kept in BRACES.items():
        tex = tex.replace(shown, kept)
    before = ""
    while before != tex:
        before = tex
        tex = ACCENTED.sub(lambda found: (found[2] or found[3]) + ACCENTS[found[1]], tex)
        for pattern, form in REWRITES:
            tex = pattern.sub(form, tex)
        tex = FRACTION.sub(lambda found: f"{_part(found[1])}/{_part(found[2])} ", tex)
    for shown, kept in BRACES.items():
        tex = tex.replace(kept, shown)
    named = COMMAND.sub(lambda found: SIGNS.get(found[1], found[0]), tex)
    return named.replace(" )", ")").strip()


def _part(of_fraction: str) -> str:
    return f"({of_fraction})" if COMPOUND.search(of_fraction) else of_fraction
