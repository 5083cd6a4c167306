"""Inputs changed in a way that may make them wrong: in their bytes, structure, values or words."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from tests.fuzz.examples import Example
from tests.fuzz.formats import AGAIN, parsed, suffix_of, written, zipped
from tests.fuzz.hostile import NUMBERS, OTHERS, TEXTS

Holder = dict[Any, Any] | list[Any]
BROKEN = (
    b"\0",
    b"\xff",
    b"\xe9",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xfe\xff",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"\r",
    b"\n",
    b'"',
    b",",
    b"}",
    b"[",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"\xe2\x80\xa8",
    b"\x1b[2J",
    b"&a *a",
    b": - ",
)


def changed_file(
    example: Example, chance: Random, change: Callable[[bytes, str], bytes]
) -> Example:
    """Change one file of an example, inside its compression most of the time."""
    if not example.files:
        return example
    name = chance.choice(sorted(example.files))
    data = example.files[name]
    if name.endswith(".gz") and chance.random() < 0.7:
        new = zipped(change(gzip.decompress(data), name))
    else:
        new = change(data, name if not name.endswith(".gz") else "")
    return replace(example, files={**example.files, name: new})


def bytes_changed(example: Example, chance: Random) -> Example:
    """Flip, cut, insert, repeat or swap bytes, one to three times."""

    def change(data: bytes, _: str) -> bytes:
        for _ in range(chance.choice((1, 1, 2, 3))):
            data = chance.choice(BYTE_CHANGES)(data, chance)
        return data

    return changed_file(example, chance, change)


def _flip(data: bytes, chance: Random) -> bytes:
    if not data:
        return data
    where = chance.randrange(len(data))
    return data[:where] + bytes([data[where] ^ (1 << chance.randrange(8))]) + data[where + 1 :]


def _cut(data: bytes, chance: Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _gap(data: bytes, chance: Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    return data[:start] + data[start + chance.choice((1, 1, 2, 10, 200)) :]


def _insert(data: bytes, chance: Random) -> bytes:
    where = chance.choice((0, len(data), chance.randrange(len(data) + 1)))
    return data[:where] + chance.choice(BROKEN) + data[where:]


def _overwrite(data: bytes, chance: Random) -> bytes:
    where, new = chance.randrange(len(data) + 1), chance.choice(BROKEN)
    return data[:where] + new + data[where + len(new) :]


def _repeat(data: bytes, chance: Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    end = start + chance.choice((1, 20, 400))
    return data[:end] + data[start:end] * chance.choice((1, 3)) + data[end:]


def _latin(data: bytes, chance: Random) -> bytes:
    where = chance.randrange(len(data) + 1)
    return data[:where] + "é".encode("latin-1") + data[where:]


def _wider(data: bytes, chance: Random) -> bytes:
    return data.decode("latin-1").encode(chance.choice(("utf-16", "utf-16-le", "utf-32")))


BYTE_CHANGES = (_flip, _flip, _cut, _gap, _insert, _overwrite, _repeat, _latin, _wider)


def places(value: Any, into: list[tuple[Holder, Any]] | None = None) -> list[tuple[Holder, Any]]:
    """Return where every value inside a value stands: what holds it, and its key there."""
    found = [] if into is None else into
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in [*inner]:
        found.append((value, key))
        if isinstance(part, dict | list) and part:
            places(part, found)
    return found


def _place(value: Any, chance: Random) -> tuple[Holder, Any] | None:
    """Choose a place; where a value is one of many alike, their number does not matter much."""
    if not isinstance(value, dict | list) or not value:
        return None
    holder: Holder = value
    while True:
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        key = chance.choice(list(keys))
        part = holder[key]
        if not isinstance(part, dict | list) or not part or chance.random() < 0.15:
            return holder, key
        holder = part


def structure_changed(example: Example, chance: Random) -> Example:
    """Drop, rename, double, nest, empty or move parts of a file."""
    return changed_file(example, chance, lambda data, name: _restructured(data, name, chance))


def _restructured(data: bytes, name: str, chance: Random) -> bytes:
    return _edited(data, name, chance, _restructure, ARRAY_SHAPES)


def values_changed(example: Example, chance: Random) -> Example:
    """Put other values, of the same kind or another, where values stand."""
    return changed_file(
        example,
        chance,
        lambda data, name: _edited(data, name, chance, _revalue, ARRAY_VALUES),
    )


def _edited(
    data: bytes,
    name: str,
    chance: Random,
    edit: Callable[[Any, Random], None],
    array_edits: tuple[Callable[[np.ndarray, Random], np.ndarray], ...],
) -> bytes:
    suffix = suffix_of(name)
    if suffix in {"", ".txt"}:
        return _insert(data, chance)
    value = parsed(data, suffix)
    if suffix in {".npz", ".npy"}:
        value = _arrays_edited(value, chance, array_edits)
    else:
        # An object of one key keeps a value that is replaced as a whole.
        whole = {"whole": value}
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            edit(whole if chance.random() < 0.02 else whole["whole"], chance)
            if "whole" not in whole:
                return b""
        value = whole["whole"]
    return written(value, suffix, ascii_only=chance.random() < 0.5)


def _restructure(value: Any, chance: Random) -> None:
    place = _place(value, chance)
    if place is None:
        return
    holder, key = place
    action = chance.choice(("drop", "rename", "double", "nest", "empty", "move", "repeat", "key"))
    if action == "drop":
        del holder[key]
    elif action == "nest":
        holder[key] = chance.choice((lambda it: [it], lambda it: {"x": it}, lambda it: [it, it]))(
            holder[key]
        )
    elif action == "empty":
        holder[key] = type(holder[key])()
    elif action == "move":
        other = _place(value, chance)
        if other:
            there, where = other
            there[where], holder[key] = deepcopy(holder[key]), deepcopy(there[where])
    elif isinstance(holder, list):
        holder.insert(chance.randrange(len(holder) + 1), deepcopy(holder[key]))
    else:
        _rekeyed(holder, key, action, chance)


def _rekeyed(holder: dict[Any, Any], key: Any, action: str, chance: Random) -> None:
    """Rename a key in its place, write it twice, or add one that is not known."""
    if action in {"double", "repeat"}:
        holder[f"{AGAIN}{key}"] = deepcopy(holder[key])
        return
    new = chance.choice((str(key).upper(), f"{key} ", f"{key}_", *TEXTS[:20], "id", "value"))
    if action == "key":
        holder[new] = chance.choice(OTHERS)
        return
    pairs = [(new if each == key else each, part) for each, part in holder.items()]
    holder.clear()
    holder.update(pairs)


def _revalue(value: Any, chance: Random) -> None:
    place = _place(value, chance)
    if place is None:
        return
    holder, key = place
    old = holder[key]
    alike = isinstance(old, int | float) and chance.random() < 0.6
    pool = NUMBERS if alike else chance.choice((NUMBERS, OTHERS, OTHERS, TEXTS))
    new = chance.choice(pool)
    if alike and abs(old) < 1e300 and chance.random() < 0.3:
        new = chance.choice((-old, old + 1, old / 2, old * 1e3, int(old), str(old), bool(old)))
    holder[key] = deepcopy(new)


def _arrays_edited(
    arrays: dict[str, np.ndarray],
    chance: Random,
    edits: tuple[Callable[[np.ndarray, Random], np.ndarray], ...],
) -> dict[str, np.ndarray]:
    name = chance.choice(sorted(arrays))
    if edits is ARRAY_SHAPES and len(arrays) > 1 and chance.random() < 0.2:
        return {each: array for each, array in arrays.items() if each != name}
    if edits is ARRAY_SHAPES and chance.random() < 0.1:
        return {**arrays, chance.choice(("extra", *TEXTS[:10])): arrays[name]}
    with np.errstate(all="ignore"):
        return {**arrays, name: chance.choice(edits)(arrays[name], chance)}


def _structured(array: np.ndarray, _: Random) -> np.ndarray:
    flat = array.reshape(-1)
    return np.array([(each, each) for each in flat.tolist()], dtype=[("0", "O"), ("1", "O")])


def _fields(array: np.ndarray, _: Random) -> np.ndarray:
    flat = array.astype(float).reshape(-1) if array.dtype.kind in "fiub" else np.zeros(len(array))
    return np.rec.fromarrays([flat, flat], names="0,array")


ARRAY_SHAPES: tuple[Callable[[np.ndarray, Random], np.ndarray], ...] = (
    lambda array, _: array[:-1],
    lambda array, _: array[:0],
    lambda array, _: array[:1],
    lambda array, _: array.reshape(-1),
    lambda array, _: array[..., None],
    lambda array, _: array[None],
    lambda array, _: array.T,
    lambda array, _: array.reshape(-1)[0],
    lambda array, _: np.concatenate([array, array]),
    lambda array, _: array.astype("S8"),
    lambda array, _: array.astype("U8"),
    lambda array, _: array.astype(object),
    lambda array, _: np.zeros(len(array), "V8"),
    lambda array, _: np.zeros(len(array), "M8[s]"),
    lambda array, _: np.zeros(array.shape, "c16"),
    lambda array, _: np.zeros((len(array), 0)),
    _structured,
    _fields,
)


def _with(array: np.ndarray, chance: Random, value: float) -> np.ndarray:
    if array.dtype.kind not in "fiub" or not array.size:
        return array
    changed = array.astype(float).reshape(-1)
    changed[chance.randrange(changed.size)] = value
    return changed.reshape(array.shape)


def _number(array: np.ndarray, chance: Random) -> np.ndarray:
    plain = [each for each in NUMBERS if isinstance(each, float) or abs(_size(each)) < 2**62]
    return _with(array, chance, float(chance.choice(plain)))


def _size(value: Any) -> int:
    return value if isinstance(value, int) else 2**62


def _numeric(array: np.ndarray) -> np.ndarray:
    return array if array.dtype.kind in "fiub" else np.arange(array.size).reshape(array.shape)


ARRAY_VALUES: tuple[Callable[[np.ndarray, Random], np.ndarray], ...] = (
    _number,
    _number,
    _number,
    lambda array, _: _numeric(array).astype("f4"),
    lambda array, _: _numeric(array).astype("f2"),
    lambda array, _: _numeric(array).astype("i1"),
    lambda array, _: _numeric(array).astype("u8"),
    lambda array, _: _numeric(array).astype(">f8"),
    lambda array, _: _numeric(array).astype(bool),
    lambda array, _: _numeric(array) * np.nan,
    lambda array, _: _numeric(array) * 0,
    lambda array, _: _numeric(array) + 1e300,
)


def given(text: str) -> str:
    """Spell a text as a system can give it to a program: no NUL, and only what bytes stand for."""
    return text.replace("\0", "").encode(errors="surrogatepass").decode(errors="surrogateescape")


def words_changed(example: Example, chance: Random) -> Example:
    """Put a hostile text through a door: everywhere a name is used, or in one place only."""
    text = chance.choice(TEXTS)
    door = chance.choice((_name_everywhere, _name_everywhere, _file_name, _one_text, _one_key))
    changed = door(example, text, chance)
    return changed if changed is not example else _argument(example, text, chance)


def _argument(example: Example, text: str, chance: Random) -> Example:
    """Replace one word of the command line, or add one."""
    words = list(example.arguments)
    values = [n for n, word in enumerate(words) if not word.startswith("--")]
    if values and chance.random() < 0.7:
        words[chance.choice(values)] = text
    else:
        words.append(text)
    return replace(example, arguments=tuple(words))


def _file_name(example: Example, text: str, chance: Random) -> Example:
    """Give a file that is named on the command line a hostile name with the same ending."""
    named = [name for name in sorted(example.files) if name in example.arguments]
    stem = given(text).replace("/", "_")[:60]
    if not named or not stem.strip("."):
        return example
    old = chance.choice(named)
    new = stem + "".join(part for part in ("." + old.partition(".")[2],) if part)
    files = {(new if name == old else name): data for name, data in example.files.items()}
    words = tuple(new if word == old else word for word in example.arguments)
    return replace(example, files=files, arguments=words)


def _known_words(example: Example) -> list[str]:
    """Return the words of the command line that also stand in the files: names of columns, ids."""
    texts = b"\0".join(example.files.values())
    words = [part for word in example.arguments for part in word.split(",")]
    return sorted({word for word in words if word.isidentifier() and word.encode() in texts})


def _leaves(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    if isinstance(value, list):
        return [leaf for part in value for leaf in _leaves(part)]
    return []


def _name_everywhere(example: Example, text: str, chance: Random) -> Example:
    """Rename a column, an id, a label or a mode in every file and on the command line."""
    trees = {
        name: parsed(data, suffix_of(name))
        for name, data in example.files.items()
        if suffix_of(name) in {".json", ".jsonl", ".csv", ".yaml", ".parquet"}
        and not name.endswith(".gz")
    }
    short = {leaf for tree in trees.values() for leaf in _leaves(tree) if 0 < len(leaf) < 40}
    known = _known_words(example)
    pool = known if known and chance.random() < 0.5 else sorted(short)
    if not pool:
        return example
    old = chance.choice(pool)
    files = {
        name: written(_renamed(tree, old, text), suffix_of(name), ascii_only=chance.random() < 0.5)
        for name, tree in trees.items()
    }
    words = tuple(
        ",".join(text if part == old else part for part in word.split(","))
        for word in example.arguments
    )
    return replace(example, files={**example.files, **files}, arguments=words)


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {_renamed(key, old, new): _renamed(part, old, new) for key, part in value.items()}
    if isinstance(value, list):
        return [_renamed(part, old, new) for part in value]
    return new if value == old else value


def _one_text(example: Example, text: str, chance: Random) -> Example:
    def change(data: bytes, name: str) -> bytes:
        def put(value: Any, _: Random) -> None:
            spots = [(h, k) for h, k in places(value) if isinstance(h[k], str)] if value else []
            if spots:
                holder, key = chance.choice(spots)
                holder[key] = text

        return _edited(data, name, chance, put, ARRAY_VALUES)

    return changed_file(example, chance, change)


def _one_key(example: Example, text: str, chance: Random) -> Example:
    def change(data: bytes, name: str) -> bytes:
        def put(value: Any, _: Random) -> None:
            rows = value if isinstance(value, list) else [value]
            for each in rows:
                if isinstance(each, dict):
                    each[text] = text

        return _edited(data, name, chance, put, ARRAY_SHAPES)

    return changed_file(example, chance, change)
