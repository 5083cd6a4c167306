"""Whatever a file holds, reading it ends in a table or in one sentence, never in a traceback."""

from __future__ import annotations

import gzip
import json
import re
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from assay.derive.confidence import known_names, names, needed_signals, supported
from assay.errors import AssayError
from assay.sources import TableColumns, read_run
from assay.sources.items import ItemTable
from tests.sources.run_files import experiment, failed, person, run

SUFFIXES = (".json", ".jsonl", ".csv", ".json.gz", ".csv.gz", ".parquet")
KEYS = ("participant", "prediction", "truth", "item", "count", "group", "success", "x", "")

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, 1, 2, 3, 2.0, 10**30, -(10**400), 10**18])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)


def outcome(data: bytes, suffix: str, **options: Any) -> ItemTable | AssayError:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"input{suffix}")
        path.write_bytes(data)
        try:
            return read_run(path, **options)
        except AssayError as error:
            return error


def settle(data: bytes, suffix: str, **options: Any) -> None:
    """Read bytes; a refusal must be one printable sentence, a table whole."""
    result = outcome(data, suffix, **options)
    if isinstance(result, AssayError):
        assert re.fullmatch(r"[^\n]{5,600}", result.message), result.message
        assert result.hint
        assert (result.message + result.hint).encode()
    else:
        assert result.truth.size == result.n_rows == result.cluster.size == result.item.size
        assert len(result.participants) == len(set(result.cluster.tolist()))
        supported(result.signals, result.answered)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every value inside a JSON value, itself left out."""
    inner = {dict: dict.items, list: enumerate}.get(type(value), lambda _: ())
    return [
        each for key, part in inner(value) for each in ((*path, key), *places(part, (*path, key)))
    ]


@st.composite
def broken_runs(draw: st.DrawFn) -> Any:
    """Draw a valid run in which a few values are replaced, deleted or doubled."""
    value = json.loads(json.dumps(run(experiment(person(1), failed(2), person("7")))))
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from(places(value)))
        holder = value
        for key in way:
            holder = holder[key]
        action = draw(st.sampled_from(["replace", "delete", "double"]))
        if action == "replace":
            holder[last] = draw(json_values)
        elif action == "delete":
            del holder[last]
        elif type(holder) is list:
            holder.append(holder[last])
        else:
            holder[draw(st.text(max_size=5))] = holder[last]
        if not places(value):
            break
    return value


@given(st.binary(max_size=200), st.sampled_from(SUFFIXES))
def test_any_bytes(data, suffix):
    settle(data, suffix)


@given(json_values, st.sampled_from(SUFFIXES))
def test_any_json(value, suffix):
    settle(json.dumps(value).encode(), suffix)


@given(broken_runs())
def test_a_run_changed_at_random(value):
    settle(json.dumps(value).encode(), ".json")
    settle(json.dumps(value, indent=1).encode(), ".json", mode="few_shot")


@given(st.data())
def test_a_run_whose_bytes_are_cut_or_changed(data):
    whole = json.dumps(run(experiment(person(1), failed(2)))).encode()
    where = data.draw(st.integers(0, len(whole)))
    extra = data.draw(st.binary(max_size=4) | st.sampled_from([b"NaN", b"-Infinity", b"1e999"]))
    settle(whole[:where] + extra, ".json")
    settle(whole[:where] + extra + whole[where:], ".json")
    settle(whole[:where] + extra + whole[where + len(extra) :], ".json")
    settle(gzip.compress(whole)[: where % 400] + extra, ".json.gz")


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), json_values, max_size=7), max_size=4))
def test_any_lines(records):
    settle("\n".join(map(json.dumps, records)).encode(), ".jsonl")


cells = st.sampled_from(["1", "2", "", "NA", "inf", "nan", "true", "0", '"', "a", "1e400", "\0"])


@given(
    st.lists(st.sampled_from(KEYS), min_size=1, max_size=7),
    st.lists(st.lists(cells | st.text(max_size=4), max_size=7), max_size=5),
    st.booleans(),
)
def test_any_csv(header, rows, even):
    header = list(dict.fromkeys(("participant", "prediction", "truth", *header)))
    if even:
        rows = [(row * len(header))[: len(header)] for row in rows if row]
    text = "\n".join(map(",".join, (header, *rows)))
    settle(text.encode("utf-8", "surrogatepass"), ".csv")
    settle(text.encode("utf-8", "surrogatepass"), ".csv", columns=TableColumns(scale=(0, 3)))


@given(st.text("abll:+,secondary_ ", max_size=60) | st.sampled_from(known_names()))
def test_any_selection(selection):
    with suppress(AssayError):
        for name in names(selection):
            needed_signals(name)
