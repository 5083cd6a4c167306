"""The options that `assay run items` and `assay run generations` share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import msgspec

from assay.cli.options import AT_LEAST_ONE, NOT_NEGATIVE, Decorator, option
from assay.produce.limits import Limits
from assay.showing import quoted
from assay.sources.repeated_keys import repeated_key

__all__ = ["EXTRA_BODY", "KEYS", "LIMITS", "SERVER", "WRITING", "limits_of"]

_USUAL = Limits()
DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)(s|m|h)?")
UNITS = {None: 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def duration(_: click.Context, __: click.Parameter, value: str | None) -> float | None:
    """Read a length of time, as in 90, 90s, 15m or 2h."""
    if value is None:
        return None
    match = DURATION.fullmatch(value.strip())
    seconds = float(match[1]) * UNITS[match[2]] if match else 0.0
    if not 0 < seconds < float("inf"):
        msg = f"{quoted(value)} is not a length of time, as in 90s, 15m or 2h"
        raise click.BadParameter(msg)
    return seconds


def json_object(_: click.Context, __: click.Parameter, value: str | None) -> Mapping[str, Any]:
    """Read a JSON object."""
    if value is None:
        return {}
    try:
        found = msgspec.json.decode(value, type=dict[str, Any])
        repeated = repeated_key(value.encode())
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        msg = f"{quoted(value)} is not a JSON object, as in '{{\"top_k\": 1}}'"
        raise click.BadParameter(msg) from None
    if repeated:
        raise click.BadParameter(f"it has the key {quoted(repeated[0])} twice")
    return found


SERVER: tuple[Decorator, ...] = (
    click.option(
        "--base-url",
        required=True,
        metavar="URL",
        help="The server, up to what stands before /chat/completions.",
    ),
    click.option("--model", required=True, metavar="NAME", help="The model to ask for."),
)
KEYS: tuple[Decorator, ...] = (
    click.option(
        "--api-key-env",
        metavar="NAME",
        help="The environment variable that holds the key. [default: ASSAY_API_KEY, if it is set]",
    ),
    click.option(
        "--api-key-file",
        metavar="FILE",
        help="A file that holds the key, instead of a variable.",
    ),
)
EXTRA_BODY = click.option(
    "--extra-body",
    callback=json_object,
    metavar="JSON",
    help="Keys for the body of every question; null takes one out.",
)
LIMITS: tuple[Decorator, ...] = (
    option(
        "--concurrency",
        "concurrency",
        "Calls in flight at a time.",
        _USUAL.concurrency,
        type=AT_LEAST_ONE,
    ),
    option(
        "--calls-per-minute",
        "per_minute",
        "Requests started per minute, at most.",
        "no limit",
        type=click.FloatRange(min=0, min_open=True),
    ),
    option(
        "--time-limit",
        "seconds",
        "When to stop, as in 90s, 15m or 2h; the same command goes on.",
        "no limit",
        callback=duration,
        metavar="TIME",
    ),
    option(
        "--call-timeout",
        "call_seconds",
        "How long one answer may take.",
        f"{_USUAL.call_seconds:g}s",
        callback=duration,
        metavar="TIME",
    ),
    option(
        "--attempts",
        "attempts",
        "Attempts per call while the server is busy or away.",
        _USUAL.attempts,
        type=AT_LEAST_ONE,
    ),
)
WRITING: tuple[Decorator, ...] = (
    click.option(
        "--journal",
        type=click.Path(path_type=Path),
        help="Where replies are kept as they come. [default: beside the output]",
    ),
    click.option(
        "--retry-failed", is_flag=True, help="Make calls again that failed in an earlier start."
    ),
    click.option(
        "--dry-run", is_flag=True, help="Show prompts, calls and tokens; ask and write nothing."
    ),
    click.option(
        "--show-prompts",
        "n_shown",
        type=NOT_NEGATIVE,
        default=3,
        show_default=True,
        help="How many prompts --dry-run shows.",
    ),
    click.option("--quiet", is_flag=True, help="Print nothing but errors and warnings."),
)


def limits_of(chosen: Mapping[str, Any]) -> Limits:
    """Return how the servers may be asked."""
    names = ("concurrency", "per_minute", "seconds", "call_seconds", "attempts")
    return Limits(**{name: chosen[name] for name in names if chosen[name] is not None})
