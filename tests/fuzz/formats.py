"""Files of every format as plain values, and back, also where no program would write them so."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

AGAIN = "\ue000"
"""begins a key that is written without this sign: so a key can stand twice in an object"""
RAW = "\ue001"
"""begins a text that is written as it is, without quotes: so a number can be 1e400"""
TABLES = (".csv", ".jsonl", ".parquet")


def suffix_of(name: str) -> str:
    """Return the ending that tells the format, without .gz."""
    return Path(name.removesuffix(".gz")).suffix


def parsed(data: bytes, suffix: str) -> Any:
    """Take a file apart: a JSON value, a list of rows, a dict of arrays, or text."""
    return PARSED.get(suffix, bytes.decode)(data)


def written(value: Any, suffix: str, *, ascii_only: bool = True) -> bytes:
    """Put a value into the format, as well as the format can hold it."""
    if suffix == ".json":
        return _json(value, ascii_only=ascii_only)
    if suffix == ".jsonl":
        rows = value if isinstance(value, list) else [value]
        return b"".join(_json(each, ascii_only=ascii_only) + b"\n" for each in rows)
    return WRITTEN.get(suffix, _text)(value)


def _text(value: Any) -> bytes:
    return str(value).encode(errors="surrogatepass")


def _from_csv(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def _from_yaml(data: bytes) -> Any:
    import yaml

    return yaml.safe_load(data)


def _from_parquet(data: bytes) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    return pq.read_table(io.BytesIO(data)).to_pylist()


def _from_npz(data: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(data)) as arrays:
        return dict(arrays)


def _json(value: Any, *, ascii_only: bool) -> bytes:
    text = json.dumps(value, ensure_ascii=ascii_only, default=str)
    if ascii_only:
        text = text.replace(r"\ue000", "").replace(r"\ue001", RAW)
    text = re.sub(rf'"{RAW}([^"]*)"', r"\1", text.replace(AGAIN, ""))
    return text.encode(errors="surrogatepass")


def cell(value: Any) -> str:
    """Spell a value as a cell of a table."""
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return json.dumps(value, default=str)
    return str(value).removeprefix(RAW).removeprefix(AGAIN)


def header(rows: Any) -> list[str]:
    """Return the names of the columns, in the order in which they turn up."""
    return list(dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row))


def _csv(rows: Any) -> bytes:
    if not isinstance(rows, list):
        return cell(rows).encode(errors="surrogatepass")
    names = header(rows)
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([name.removeprefix(AGAIN) for name in names])
    for row in rows:
        shown = [cell(row.get(name)) for name in names] if isinstance(row, dict) else [cell(row)]
        writer.writerow(shown)
    return file.getvalue().encode(errors="surrogatepass")


def _yaml(value: Any) -> bytes:
    import yaml

    text = yaml.safe_dump(_dumpable(value), allow_unicode=True, sort_keys=False)
    return re.sub(f"['\"]?(?:{RAW}|\\\\uE001)([^'\"\\n]*)['\"]?", r"\1", text).encode(
        errors="surrogatepass"
    )


def _dumpable(value: Any) -> Any:
    """Leave out what the safe dumper cannot write: surrogates and the mark of doubled keys."""
    if isinstance(value, dict):
        return {_dumpable(key): _dumpable(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_dumpable(each) for each in value]
    if isinstance(value, str):
        return value.replace(AGAIN, "").encode(errors="backslashreplace").decode()
    return value


def _parquet(rows: Any) -> bytes:
    """Write a table; what has no type in common becomes texts, as a careful program would do."""
    import pyarrow as pa

    rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    columns = {name: [row.get(name) for row in rows] for name in header(rows)}
    try:
        return _stored({name: _typed_column(values) for name, values in columns.items()})
    except pa.ArrowException:
        return _stored({name: _text_column(values) for name, values in columns.items()})


def _stored(columns: dict[str, Any]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(pa.table({_dumpable(name): each for name, each in columns.items()}), file)
    return file.getvalue()


def _typed_column(values: list[Any]) -> Any:
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError, UnicodeError):
        return _text_column(values)


def _text_column(values: list[Any]) -> Any:
    import pyarrow as pa

    return pa.array([_dumpable(cell(each)) for each in values], pa.string())


def _npy(value: Any) -> bytes:
    """Save one array, the first of several."""
    array = next(iter(value.values()), np.zeros(0)) if isinstance(value, dict) else value
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def _npz(arrays: dict[str, np.ndarray]) -> bytes:
    """Save arrays; their names are those of files in an archive, without NUL and surrogates."""
    file = io.BytesIO()
    np.savez(file, **{_dumpable(name).replace("\0", ""): each for name, each in arrays.items()})
    return file.getvalue()


def zipped(data: bytes) -> bytes:
    """Compress without a time in the header."""
    return gzip.compress(data, mtime=0)


PARSED: dict[str, Callable[[bytes], Any]] = {
    ".json": json.loads,
    ".jsonl": lambda data: [json.loads(line) for line in data.splitlines()],
    ".csv": _from_csv,
    ".yaml": _from_yaml,
    ".parquet": _from_parquet,
    ".npz": _from_npz,
    ".npy": lambda data: {"array": np.load(io.BytesIO(data))},
}
WRITTEN: dict[str, Callable[[Any], bytes]] = {
    ".csv": _csv,
    ".yaml": _yaml,
    ".parquet": _parquet,
    ".npz": _npz,
    ".npy": _npy,
}
