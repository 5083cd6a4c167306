"""The options that `assay run items` and `assay run generations` share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import msgspec

from assay.cli.options import (
    ABOVE_ZERO,
    AT_LEAST_ONE,
    NOT_NEGATIVE,
    SHARE,
    Decorator,
    option,
)
from assay.cli.writing import talk
from assay.errors import UsageError
from assay.produce.calls import Server
from assay.produce.endpoints import Endpoint, endpoint, read_header, read_key, unencrypted
from assay.produce.limits import Limits, read_prices
from assay.showing import quoted
from assay.sources.content import repeated_key

_USUAL = Limits()
DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)(s|m|h)?")
UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
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


def json_object(
    _: click.Context, __: click.Parameter, value: str | None
) -> Mapping[str, Any] | None:
    """Read a JSON object."""
    if value is None:
        return None
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
        help="The server, up to what stands before /chat/completions; a query may follow.",
    ),
    click.option(
        "--model",
        "models",
        required=True,
        multiple=True,
        metavar="NAME",
        help="The model to ask for; several are asked one after the other.",
    ),
    click.option(
        "--header",
        "headers",
        multiple=True,
        metavar="NAME:VALUE",
        help="Sent with every call; NAME:env:VARIABLE takes the value from the environment.",
    ),
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
    help="Keys for the body of every call; null takes one out.",
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
        type=ABOVE_ZERO,
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
        "--stop-tokens",
        "tokens",
        "Stop when so many tokens are used, in and out; counted over all starts.",
        "no limit",
        type=AT_LEAST_ONE,
    ),
    option(
        "--stop-cost",
        "cost",
        "Stop when so much is spent at the given prices; counted over all starts.",
        "no limit",
        type=ABOVE_ZERO,
    ),
    click.option(
        "--price",
        "given_prices",
        multiple=True,
        metavar="IN,OUT",
        help="Price of a million tokens in and out; MODEL=IN,OUT for one of several.",
    ),
    click.option("--prices", "price_file", metavar="FILE", help="Prices by model, YAML or JSON."),
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
        "--reuse",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="JOURNAL",
        help="Take over what another run was answered to the same questions; may be repeated.",
    ),
    click.option(
        "--fail-above",
        type=SHARE,
        default=0.05,
        show_default=True,
        metavar="SHARE",
        help="End with an error, after writing, where a larger share has failed.",
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
    names = ("concurrency", "per_minute", "seconds", "call_seconds", "attempts", "tokens", "cost")
    embedding = (chosen.get("embedding_model"),)
    also = [each for each in embedding if each is not None]
    prices = read_prices(chosen["given_prices"], chosen["price_file"], models_of(chosen), also)
    given = {name: chosen[name] for name in names if chosen[name] is not None}
    return Limits(**given, prices=prices)


def models_of(chosen: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the models to ask, each once."""
    return tuple(dict.fromkeys(chosen["models"]))


def folder_names(models: Sequence[str]) -> dict[str, str]:
    """Return names for files of several models, which differ and hold nothing but plain letters.

    Examples
    --------
    >>> folder_names(["small", "meta/large:8b"])
    {'small': 'small', 'meta/large:8b': 'meta-large-8b'}
    """
    names = {model: UNSAFE.sub("-", model).strip(".-") for model in models}
    for model, name in names.items():
        if not name or list(names.values()).count(name) > 1:
            msg = f"the model {quoted(model)} has no file name of its own beside the others"
            raise UsageError(msg, hint="ask it in a command of its own, with another --output")
    return names


SURROGATE = re.compile("[\ud800-\udfff]")
"""stands for a byte of an argument that is not UTF-8"""


def servers(chosen: Mapping[str, Any]) -> dict[Server, Endpoint]:
    """Return the servers with their keys; warn where what is sent can be read on its way."""
    _check_texts(chosen)
    key = read_key(chosen["api_key_env"], chosen["api_key_file"], usual="ASSAY_API_KEY")
    headers = dict(map(read_header, chosen["headers"]))
    if key is not None and "authorization" in headers:
        msg = "a key is given, and --header sets authorization as well"
        raise UsageError(msg, hint="give one of them")
    chat = endpoint(chosen["base_url"], key, headers)
    found: dict[Server, Endpoint] = {"chat": chat}
    if "embedding_model" in chosen:
        found["embedding"] = _embedding(chat, chosen)
    for base_url in dict.fromkeys(each.base_url for each in found.values()):
        if unencrypted(base_url):
            talk(
                f"warning: {base_url} is not encrypted: texts and keys can be read on the way",
                quiet=False,
            )
    return found


def _embedding(chat: Endpoint, chosen: Mapping[str, Any]) -> Endpoint:
    """Return the server of the embeddings; the key of the other goes there only if it is it."""
    variable, file = chosen["embedding_api_key_env"], chosen["embedding_api_key_file"]
    own = read_key(variable, file, usual="ASSAY_EMBEDDING_API_KEY")
    if chosen["embedding_base_url"] is None:
        return replace(chat, key=chat.key if own is None else own)
    other = endpoint(chosen["embedding_base_url"], own)
    if own is None and _origin(other) == _origin(chat):
        return replace(other, key=chat.key, headers=chat.headers)
    return other


def _origin(server: Endpoint) -> tuple[str, str | None, int | None]:
    parts = urlsplit(server.base_url)
    return parts.scheme, parts.hostname, parts.port


def _check_texts(chosen: Mapping[str, Any]) -> None:
    """Refuse bytes that are not text: nothing that is sent or written down can hold them."""
    for name, value in chosen.items():
        texts = value if type(value) is tuple else (value,)
        if any(type(text) is str and SURROGATE.search(text) for text in texts):
            shown = {"models": "model", "headers": "header"}.get(name, name.replace("_", "-"))
            msg = f"what was given for {shown} is not UTF-8 text"
            raise click.UsageError(msg)
