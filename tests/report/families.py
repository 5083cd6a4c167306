"""One small artifact of every kind, made by the commands, and hostile copies of them."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from assay import families, stored
from assay.artifact import Artifact
from assay.cli import main
from assay.report.page import page

RESAMPLES = ("--bootstrap-resamples", "60")
DATA = files("assay") / "data"
RUN = str(DATA / "demo_run.json")
VERDICTS, REASONING = DATA / "verdicts", DATA / "reasoning"
COMMANDS: dict[str, tuple[str, ...]] = {
    "selective": (
        "selective",
        "--input",
        RUN,
        "--mode",
        "few_shot",
        "--confidence",
        "verbalized,token_msp",
    ),
    "selective-comparison": (
        *("selective", "--input", RUN, "--mode", "zero_shot"),
        *("--input", RUN, "--mode", "few_shot", "--confidence", "llm"),
    ),
    "calibration": (
        "calibration",
        "scores.csv",
        "--y-true",
        "y",
        "--y-score",
        "p",
        "--y-score",
        "q",
    ),
    "calibrator": ("calibrate", "--input", RUN, "--mode", "few_shot", "--method", "temperature"),
    "intervals": (
        *("intervals", "claims.csv", "--y", "y", "--low", "low", "--up", "up"),
        *("--low", "low2", "--up", "up2", "--group", "site"),
    ),
    "sets": ("sets", "claims.csv", "--y", "label", "--set", "a,b,c", "--classes", "a,b,c"),
    "verdicts": (
        *("verdicts", "--results", str(VERDICTS / "direct.json")),
        *("--results", str(VERDICTS / "checked.json")),
        *("--ground-truth", str(VERDICTS / "ground_truth.json")),
        *("--reviews", str(VERDICTS / "reviews.jsonl")),
    ),
    "reasoning": (
        *("reasoning", "--generations", str(REASONING / "results")),
        *("--vignettes", str(REASONING / "vignettes.json")),
        *("--gold-labels", str(REASONING / "gold_labels.json")),
        *("--bias-cases", str(REASONING / "bias_cases.json")),
    ),
}
KINDS = tuple(COMMANDS)


@cache
def made(kind: str) -> Any:
    """Make an artifact as a user does."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(folder)
        words = [str(folder / each) if each.endswith(".csv") else each for each in COMMANDS[kind]]
        resamples = () if kind == "calibrator" else RESAMPLES
        output = folder / ("results" if kind == "reasoning" else "artifact.json")
        with suppress(SystemExit):
            main([*words, *resamples, "--output", str(output), "--quiet"])
        found = output / "reasoning.json" if kind == "reasoning" else output
        text = found.read_bytes().replace(str(folder).encode(), b"data")
        return stored.decode(text.replace(str(DATA).encode(), b"data"))


def shape_of(artifact: Any) -> Any:
    """Return the type that an artifact is read as, with the parts of its family."""
    if isinstance(artifact, Artifact):
        return families.named(artifact.kind).artifact
    return type(artifact)


@cache
def shown(kind: str) -> bytes:
    """Return the page of an artifact, made once per process."""
    return page([made(kind)])


def write_tables(folder: Path) -> None:
    """Write the tables that some of the commands read."""
    chance = random.Random(5)  # noqa: S311 - made-up data
    with (folder / "scores.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["y", "p", "q"])
        for _ in range(120):
            p = chance.random()
            writer.writerow([int(chance.random() < p), p, min(0.99, max(0.01, 1.8 * p - 0.4))])
    with (folder / "claims.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["y", "low", "up", "low2", "up2", "site", "label", "a", "b", "c"])
        for row in range(90):
            y, middle = chance.gauss(0, 1), chance.gauss(0, 0.6)
            label = chance.choice("abc")
            flags = [int(each == label or chance.random() < 0.4) for each in "abc"]
            wide = [middle - 1.7, middle + 1.7, middle - 1.2, middle + 1.3]
            writer.writerow([y, *wide, "xyz"[row % 3], label, *flags])


HOSTILE = (
    "<script>window.pwned = 1</script>",
    "</script><script>window.pwned = 1</script>",
    '"><img src=x onerror="window.pwned = 1">',
    "' onmouseover='window.pwned = 1",
    "javascript:window.pwned = 1//",
    "<!--<script>]]><svg/onload=window.pwned=1>",
    "</style></title></textarea><b>bold</b>",
    "{{ 7 * 7 }}{% include 'x' %}${window.pwned = 1}",
    "a\x00b\x07\x1b[31mred\x7f\x85",
    "\u202egpj.exe\u2066\u200f\u061c",
    "\u2028\u2029\ufeff\u00ad",
    "=HYPERLINK(1)|!A0",
    "e" + "\u0301" * 400,
    "W" * 5_000,
    "data:text/html,<script>window.pwned = 1</script>",
    "datum.x;window.pwned=1//",
)
"""texts that want to be more than text"""
NAMES = frozenset({"kind", "schema_version", "metric"})
MEGABYTE = "<b onclick=window.pwned=1>" + "m" * 1_000_000


@cache
def hostile(kind: str, number: int) -> Any:
    """Return an artifact whose texts are hostile, wherever any text may stand."""
    data = msgspec.to_builtins(made(kind))
    texts = [HOSTILE[(number + place) % len(HOSTILE)] for place in range(len(HOSTILE))]
    for place, path in _free_places(kind):
        _fill(data, path, texts[place % len(texts)])
    return msgspec.convert(data, shape_of(made(kind)))


@cache
def whole_page(*, of_hostile: bool = False) -> bytes:
    """Return a page with an artifact of every kind, made once per process."""
    every = enumerate(KINDS)
    return page([hostile(kind, place) if of_hostile else made(kind) for place, kind in every])


@cache
def endless(kind: str) -> Any:
    """Return an artifact with a megabyte of text in each of a few places."""
    data = msgspec.to_builtins(made(kind))
    for place, path in _free_places(kind):
        if place % 5 == 0:
            _fill(data, path, MEGABYTE, once=True)
    return msgspec.convert(data, shape_of(made(kind)))


@cache
def _free_places(kind: str) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return the places where any text may stand, numbered among all places."""
    data = msgspec.to_builtins(made(kind))
    places = enumerate(sorted(_places(data).items()))
    return tuple((at, path) for at, (path, example) in places if _free(data, example, kind))


def _places(value: Any, path: tuple[Any, ...] = ()) -> dict[tuple[str, ...], tuple[Any, ...]]:
    """Return the places of texts: lists counted as one place, with one of their elements."""
    if isinstance(value, str):
        return {tuple("*" if isinstance(each, int) else each for each in path): path}
    found: dict[tuple[str, ...], tuple[Any, ...]] = {}
    for key, each in _inside(value):
        for place, example in _places(each, (*path, key)).items():
            found.setdefault(place, example)
    return found


def _inside(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list | tuple):
        yield from enumerate(value)


def _free(data: Any, path: tuple[Any, ...], kind: str) -> bool:
    """Say whether any text may stand there.

    Words of a closed list may not change, nor names by which a part of the file is found.
    """
    if path[-1] in NAMES or path[-2:] == ("snippets", "mode"):
        return False
    inner = data
    for each in path[:-1]:
        inner = inner[each]
    before, inner[path[-1]] = inner[path[-1]], "any text"
    try:
        msgspec.convert(data, shape_of(made(kind)))
    except msgspec.ValidationError:
        return False
    else:
        return True
    finally:
        inner[path[-1]] = before


def _fill(value: Any, place: tuple[str, ...], text: str, *, once: bool = False) -> None:
    """Write a text to every element of a place, numbered so that names stay apart."""
    key, *rest = place
    keys = list(range(len(value))) if key == "*" and isinstance(value, list | tuple) else [key]
    for number, each in enumerate(keys[:1] if once else keys):
        if isinstance(value, dict) and each not in value:
            continue
        if rest:
            _fill(value[each], tuple(rest), text, once=once)
        elif isinstance(value[each], str):
            value[each] = f"{text}{number}" if number else text
