"""What must hold however a command ends."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema

from assay import stored
from tests.fuzz.running import Done

REFUSED = re.compile(r"error: ([^\n]+)\n(?:\nhint: ([^\n]+)\n)?")
LONGEST = 1200
"""characters of a message: a sentence, however long what it is about"""
INTERNALS = re.compile(r"Traceback \(most|object at 0x|<class '|numpy\.|np\.float64\(")
ACTED_ON = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
"""categories of characters that a terminal does not just show"""
FORMULA = tuple("=+@\uff1d\uff0b\uff20\t\r")
REASONS = (
    *((name, "reason") for name in ("value", "delta", "coverage", "silent_bias_rate")),
    ("interval", "interval_reason"),
)
"""numbers of artifacts, and where it stands why they are null"""
IDS = {"id", "participant_id", "business_id"}
"""keys of what may be listed in any order"""
EPHEMERAL = {
    *("sha256", "path", "command", "created_at", "format", "source", "trained_at", "key", "files"),
    *("name", "inputs", "lines", "blank_lines"),
}
"""what an artifact says about its files and not about what is in them"""
OF_A_FILE = re.compile(r"^(?:-|[\w.-]+\.\w+): ")
"""how a warning begins that is about one file, or standard input"""


def faults(ended: Done, *, thorough: bool = False) -> list[str]:
    """Return everything that is not as it must be; `thorough` also asks the JSON Schema."""
    if ended.raised is not None:
        return [f"a traceback: {_last_line(ended.raised)}"]
    found = [f"a warning: {each}" for each in ended.warned]
    found += [f"{name} is gone" for name in ended.lost]
    found += _screen(ended.out, "standard output") + _screen(ended.err, "standard error")
    if ended.code in {1, 2}:
        return found + _refusal(ended)
    if ended.code != 0:
        return [*found, f"the exit code {ended.code!r}"]
    if ended.out.startswith(b"{"):
        found += _json_faults("standard output", ended.out, thorough=thorough)
    for name, data in ended.written.items():
        found += _file(name, data, thorough=thorough)
    return found


def _last_line(text: str) -> str:
    lines = text.rstrip().splitlines()
    frames = [line.strip() for line in lines if line.lstrip().startswith("File ")]
    return f"{lines[-1][:300]} ({frames[-1] if frames else ''})"


def _screen(data: bytes, where: str) -> list[str]:
    """Look for what a terminal acts on instead of showing; JSON spells out what it must itself."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return [f"{where} is not UTF-8: {error}"]
    if text.startswith(("{", "[")):
        seen = {each for each in set(text) if each < " " and each != "\n"}
    else:
        seen = {
            each for each in set(text) if each != "\n" and unicodedata.category(each) in ACTED_ON
        }
    return [f"{where} holds {sorted(map(ascii, seen))}"] if seen else []


def _refusal(ended: Done) -> list[str]:
    found = []
    match = REFUSED.search(ended.err.decode(errors="replace"))
    if match is None or match.end() != len(ended.err.decode(errors="replace")):
        return [f"no sentence and hint on standard error: {ended.err[:200]!r}"]
    message, hint = match.groups()
    if hint is None:
        found.append(f"no hint: {message[:200]}")
    if len(message) > LONGEST or len(hint or "") > LONGEST:
        found.append(f"a message of {len(message)} and a hint of {len(hint or '')} characters")
    if INTERNALS.search(message + (hint or "")):
        found.append(f"a message about the inside: {message[:200]}")
    if ended.out:
        found.append(f"refused, and printed {ended.out[:80]!r}")
    if ended.written:
        found.append(f"refused, and wrote {sorted(ended.written)}")
    return found


def _file(name: str, data: bytes, *, thorough: bool) -> list[str]:
    if "/.assay-" in f"/{name}" or name.endswith("/"):
        return [f"{name} was left behind"]
    if name.endswith(".jsonl"):
        return [each for line in data.split(b"\n") if line for each in _json_faults(name, line)]
    if not data:
        return [f"{name} is empty"]
    if name.endswith((".svg", ".html")):
        return _markup(name, data)
    if name.endswith(".csv"):
        return _csv_faults(name, data)
    return _json_faults(name, data, thorough=thorough) if data[:1] == b"{" else []


def _markup(name: str, data: bytes) -> list[str]:
    if b"<script>alert" in data or b"<img src=x" in data:
        return [f"{name} holds what was to be shown as code"]
    if name.endswith(".svg"):
        try:
            ET.fromstring(data)  # noqa: S314 - made by us a moment ago
        except ET.ParseError as error:
            return [f"{name} is not well-formed: {error}"]
    return []


def _csv_faults(name: str, data: bytes) -> list[str]:
    rows = csv.reader(io.StringIO(data.decode(), newline=""))
    cells = (cell for row in rows for cell in row)
    bad = [cell for cell in cells if cell.startswith(FORMULA) and not _is_number(cell)]
    return [f"{name} holds the formula {bad[0][:60]!r}"] if bad else []


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _json_faults(name: str, data: bytes, *, thorough: bool = False) -> list[str]:
    try:
        value = json.loads(data, parse_constant=_refuse, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        return [f"{name} is not strict JSON: {error}"]
    if isinstance(value, dict) and "$defs" in value:
        return []
    found = [f"{name}: {each}" for each in _unreasoned(value)]
    if not isinstance(value, dict) or "schema_version" not in value or "kind" not in value:
        return found
    try:
        stored.decode(data)
        if thorough:
            _validator().validate(value)
    except (ValueError, jsonschema.ValidationError) as error:
        found.append(f"{name} is not what the schema says: {str(error)[:200]}")
    return found


def _refuse(token: str) -> None:
    msg = f"the token {token}"
    raise ValueError(msg)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        msg = f"a key stands twice among {keys[:20]}"
        raise ValueError(msg)
    return dict(pairs)


@cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(stored.schema()))


def _unreasoned(value: Any, where: str = "") -> Iterator[str]:
    """Yield every null whose reason is missing, and every reason without a null."""
    if isinstance(value, dict):
        for name, reason in REASONS:
            if name in value and reason in value and (value[name] is None) != bool(value[reason]):
                yield f"{where}.{name} is {value[name]}, its reason {value[reason]!r}"
        for key, part in value.items():
            yield from _unreasoned(part, f"{where}.{key}")
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _unreasoned(part, f"{where}[{number}]")


def results(ended: Done) -> dict[str, Any]:
    """Return what was computed: artifacts and lines as values, other files as they are."""
    if not ended.written:
        printed = ended.out
        return {"standard output": json.loads(printed) if printed[:1] == b"{" else printed}
    return {name: _result(name, data) for name, data in ended.written.items()}


def _result(name: str, data: bytes) -> Any:
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in sorted(data.splitlines())]
    if name.endswith(".json"):
        return json.loads(data)
    return sorted(data.splitlines()) if name.endswith(".csv") else data


def differences(left: Any, right: Any, *, exact: bool, where: str = "") -> Iterator[str]:
    """Yield where two results differ in more than the files they come from."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        for key in {**left, **right}:
            if key in EPHEMERAL:
                continue
            if key not in left or key not in right:
                yield f"{where}.{key} is on one side only"
            else:
                yield from differences(left[key], right[key], exact=exact, where=f"{where}.{key}")
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = zip(_listed(left, exact=exact), _listed(right, exact=exact), strict=True)
        for number, (one, other) in enumerate(pairs):
            yield from differences(one, other, exact=exact, where=f"{where}[{number}]")
    elif not _equal(left, right, exact=exact):
        yield f"{where}: {str(left)[:120]} against {str(right)[:120]}"


def _listed(values: list[Any], *, exact: bool) -> list[Any]:
    """Return rows by their ids where their order is that of the file."""
    if exact or not all(isinstance(each, dict) and each.keys() & IDS for each in values):
        return values
    # Rows that have no id are named by their place.
    placed = [
        {k: v for k, v in each.items() if k != "id" or not str(v).isdigit()} for each in values
    ]
    return sorted(placed, key=json.dumps)


def _equal(left: Any, right: Any, *, exact: bool) -> bool:
    if not exact and isinstance(left, float) and isinstance(right, int | float):
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(left, str) and isinstance(right, str):
        return OF_A_FILE.sub("", left) == OF_A_FILE.sub("", right)
    return bool(left == right)
