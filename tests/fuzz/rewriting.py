"""The same inputs in other clothes: nothing that is computed from them may change."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from tests.fuzz.checks import IDS
from tests.fuzz.examples import Example, packed
from tests.fuzz.formats import TABLES, header, parsed, suffix_of, written, zipped
from tests.fuzz.running import Asked

MARK = b"\xef\xbb\xbf"
TABULAR = ("selective", "calibration", "calibrate", "intervals", "sets")
"""the commands that read tables of any format"""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """An example in other clothes."""

    asked: Asked
    how: str
    exact: bool
    """whether numbers must be equal to the last bit; a sum in another order need not be"""


def rewritten(example: Example, chance: Random) -> Rewritten:
    """Rewrite one file in one of the ways that its format allows."""
    names = [name for name in sorted(example.files) if _ways(example, name)]
    if not names:
        return Rewritten(example.asked, "as it is", exact=True)
    name = chance.choice(names)
    how, change = chance.choice([*_ways(example, name).items()])
    asked = change(example, name, chance)
    return Rewritten(asked, f"{name}: {how}", exact=how != "rows")


Way = Callable[[Example, str, Random], Asked]


def _ways(example: Example, name: str) -> dict[str, Way]:
    """Return what may be done to a file without changing what it says."""
    suffix = suffix_of(name)
    if name.endswith(".gz") or suffix == ".txt":
        return {}
    ways = {"gzip": _in_place(lambda data, _, __: zipped(data)), **WAYS[suffix]}
    if example.command in {"report", "figures"}:
        del ways["keys"]  # what comes first is shown first
    if name in example.by_id:
        ways["rows"] = _in_place(_shuffled_rows)
    if example.command in TABULAR and suffix in TABLES:
        ways |= {"columns": _in_place(_shuffled_columns), "standard input": _as_stdin}
        ways |= {f"as {other}": _as_format(other) for other in TABLES if other != suffix}
    return ways


def _in_place(change: Callable[[bytes, str, Random], bytes]) -> Way:
    def way(example: Example, name: str, chance: Random) -> Asked:
        new = change(example.files[name], suffix_of(name), chance)
        return replace(example.asked, files={**example.files, name: new})

    return way


def _as_format(suffix: str) -> Way:
    def way(example: Example, name: str, _: Random) -> Asked:
        new = f"{name.partition('.')[0]}{suffix}"
        value = parsed(example.files[name], suffix_of(name))
        typed = _typed(value) if suffix_of(name) == ".csv" else value
        files = {each: data for each, data in example.files.items() if each != name}
        words = tuple(new if word == name else word for word in example.asked.arguments)
        return replace(example.asked, arguments=words, files={**files, new: packed(typed, new)})

    return way


def _typed(rows: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Read cells as a program does that knows numbers from texts."""
    return [{name: _value(text) for name, text in row.items()} for row in rows]


def _value(text: str) -> Any:
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def _as_stdin(example: Example, name: str, _: Random) -> Asked:
    words = tuple("-" if word == name else word for word in example.asked.arguments)
    data = example.files[name]
    files = {each: kept for each, kept in example.files.items() if each != name}
    return replace(example.asked, arguments=words, files=files, stdin=data)


def _spaced(data: bytes, _: str, __: Random) -> bytes:
    return json.dumps(json.loads(data), indent=3).replace("\n", "\r\n ").encode() + b"\n\n"


def _shuffled_keys(data: bytes, suffix: str, chance: Random) -> bytes:
    return written(_shuffled(parsed(data, suffix), chance), suffix)


def _shuffled(value: Any, chance: Random) -> Any:
    if isinstance(value, dict):
        keys = chance.sample([*value], len(value))
        return {key: _shuffled(value[key], chance) for key in keys}
    return [_shuffled(each, chance) for each in value] if isinstance(value, list) else value


def _shuffled_rows(data: bytes, suffix: str, chance: Random) -> bytes:
    return written(_reordered(parsed(data, suffix), chance, rows=suffix in TABLES), suffix)


def _reordered(value: Any, chance: Random, *, rows: bool = False) -> Any:
    """Shuffle rows, and inside a JSON value the lists of what has an id."""
    if isinstance(value, dict):
        return {key: _reordered(part, chance) for key, part in value.items()}
    if not isinstance(value, list):
        return value
    has_ids = all(isinstance(each, dict) and each.keys() & IDS for each in value)
    return (
        chance.sample(value, len(value))
        if rows or has_ids
        else [_reordered(each, chance) for each in value]
    )


def _shuffled_columns(data: bytes, suffix: str, chance: Random) -> bytes:
    rows = parsed(data, suffix)
    names = chance.sample(header(rows), len(header(rows)))
    return written([{name: row[name] for name in names} for row in rows], suffix)


def _quoted(data: bytes, _: str, __: Random) -> bytes:
    file = io.StringIO(newline="")
    rows = csv.reader(io.StringIO(data.decode(), newline=""))
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return file.getvalue().encode()


def _reordered_arrays(data: bytes, suffix: str, _: Random) -> bytes:
    arrays = parsed(data, suffix)
    file = io.BytesIO()
    np.savez_compressed(file, **{name: arrays[name] for name in reversed(arrays)})
    return file.getvalue()


TEXT = {
    "mark": _in_place(lambda data, _, __: MARK + data),
    "end": _in_place(lambda data, _, __: data.rstrip(b"\n")),
}
LINES = {**TEXT, "crlf": _in_place(lambda data, _, __: data.replace(b"\n", b"\r\n"))}
KEYS = {"keys": _in_place(_shuffled_keys)}
WAYS: dict[str, dict[str, Way]] = {
    ".json": {**TEXT, **KEYS, "space": _in_place(_spaced)},
    ".jsonl": {
        **LINES,
        **KEYS,
        "blank lines": _in_place(lambda data, _, __: data.replace(b"\n", b"\n\n")),
    },
    ".csv": {**LINES, "quotes": _in_place(_quoted)},
    ".yaml": {
        **LINES,
        "comment": _in_place(lambda data, _, __: b"# one\n" + data + b"\n# more\n"),
        "as .json": _as_format(".json"),
    },
    ".npz": {"order": _in_place(_reordered_arrays)},
    ".npy": {},
    ".parquet": {},
}
"""by format"""
