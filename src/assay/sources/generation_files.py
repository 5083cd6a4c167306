"""Which models there are, from which files, and generations that are spelled otherwise.

A model's name becomes the name of files, encoded where a path would give its signs a meaning; a
folder whose name is encoded so is one of the model with the plain name.

A JSON list, CSV, Parquet, standard input, and rows whose fields are called otherwise, are written
once as JSON lines under the usual names into a folder that goes when the program ends; from there
they are read like any other file.
"""

from __future__ import annotations

import csv
import gzip
import io
import tempfile
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

import msgspec

from assay.errors import ArtifactError, UsageError
from assay.showing import file_name, quoted
from assay.sources.content import (
    BYTE_ORDER_MARK,
    Content,
    decoded_json,
    decoded_text,
    load,
    repeated_key,
)
from assay.sources.formats.comma_separated import csv_numbered, csv_reader, separator_of
from assay.sources.formats.parquet import parquet_frame
from assay.sources.row_fields import reason_in

FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "id": "id",
        "mode": "mode",
        "text": "output_text",
        "status": "status",
        "model": "model_name",
        "prompt": "prompt",
        "reasoning": "reasoning",
        "finish_reason": "finish_reason",
        "options": "options",
        "gold": "gold_answer",
        "steps": "gold_reasoning",
        "feature": "bias_feature",
        "label": "bias_label",
    }
)
"""what a field may be mapped to, and what it is called in files"""
MODES: Mapping[str, str] = MappingProxyType({"cot": "cot", "direct": "direct", "early": "direct"})
"""how a mode may be spelled, in any case"""
TEXT = FIELDS["text"]
HOLDS_TEXT = (
    *("choices", "candidates", "outputs", "message", "content", "parts", "text", "output_text"),
    "generated_text",
)
"""fields of an answer of a server under which its text is, the outer ones first"""
ANSWERS = ("assistant", "model", "ai")
"""roles of a model in a list of messages"""
THOUGHTS = ("thinking", "reasoning")
LISTS = ("generations", "outputs", "rows", "data", "samples")
"""under which an object may hold its rows"""
TABLES = (".csv", ".tsv")
PARQUET = b"PAR1"
LONGEST_CELL = 1 << 26
SHAPE = "rows are JSON lines, a JSON list of objects, CSV or Parquet"
NONE = "no "
"""how what stands for a field that is left out begins, as no field does that is looked for"""
_numbers = count()
GENERATIONS = "generations.jsonl"
BIAS = "bias_generations.jsonl"
EXTRACTED = "extracted.jsonl"
OF_SEED = "study_a_"
"""how the names of the same files of an earlier program begin"""
USUAL = frozenset({GENERATIONS, BIAS, EXTRACTED})
"""file names that say nothing about the model: the folder names it"""
SUFFIXES = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
JSON = (".json",)
"""in a folder without other files of models"""
RESERVED = frozenset({"all_models", "study_a_bias"})
"""names whose files would be those of all models together"""


@dataclass(frozen=True, slots=True)
class Spelling:
    """What fields and modes are called in the files that were given."""

    fields: Mapping[str, str] = field(default_factory=dict)
    """by the name in the files: ours; what is mapped to no name is left out"""
    modes: Mapping[str, str] = field(default_factory=dict)
    """by the mode in the files: ours; the empty one is that of rows without one"""
    met: set[str] = field(default_factory=set, compare=False, repr=False)
    """the fields that were found in one of the files"""

    @classmethod
    def of(cls, fields: Sequence[str] = (), modes: Sequence[str] = ()) -> Spelling:
        """Read what was given as OURS=THEIRS.

        Examples
        --------
        >>> Spelling.of(["text=response"], ["cot=think"])
        Spelling(fields={'response': 'output_text'}, modes={'think': 'cot'})
        """
        ours = {**{name: name for name in FIELDS.values()}, **FIELDS}
        named = {theirs or f"{NONE}{own}": own for own, theirs in _pairs("field", fields, ours)}
        spelled = _pairs("mode_name", modes, MODES)
        return cls(named, {theirs.lower(): own for own, theirs in spelled})

    def renamed(self, rows: Iterable[Any]) -> list[Any]:
        """Return rows of a file under our names; other rows, which are broken, stay as they are.

        A field that is mapped wins over one of that name, in files that have it.
        """
        listed = [*rows]
        objects = [each for each in listed if isinstance(each, dict)]
        there = {n for n in self.fields if any(_inside(e, n) is not None for e in objects)}
        self.met.update(there)
        fields = {n: own for n, own in self.fields.items() if n in there or n.startswith(NONE)}
        if not fields:
            return listed
        return [_renamed(each, fields) if isinstance(each, dict) else each for each in listed]


def _renamed(row: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    gone = {*fields, *fields.values()}
    found = {own: _inside(row, theirs) for theirs, own in fields.items()}
    own = {name: value for name, value in found.items() if value is not None}
    return {**{name: value for name, value in row.items() if name not in gone}, **own}


def _inside(row: Any, name: str) -> Any:
    """Return what a row holds under a name, or step by step under its parts between full stops."""
    if isinstance(row, dict) and name in row:
        return row[name]
    first, _, rest = name.partition(".")
    if isinstance(row, list) and first.isdecimal() and int(first) < len(row):
        return _inside(row[int(first)], rest) if rest else row[int(first)]
    return _inside(row[first], rest) if isinstance(row, dict) and rest and first in row else None


def _pairs(
    option: str, given: Sequence[str], known: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    for each in given:
        ours, sign, theirs = each.partition("=")
        if not sign or ours.strip() not in known:
            names = ", ".join(FIELDS if option == "field" else known)
            msg = f"`{option}` must be NAME=NAME IN THE FILES, found {quoted(each)}"
            raise UsageError(msg, hint=f"the names before the sign are {names}")
        yield known[ours.strip()], theirs.strip()


def lines_of(path: str, spelling: Spelling, *, plain: bool | None = None) -> tuple[str, str | None]:
    """Return where the rows of a file stand as JSON lines, and the hash of the file if elsewhere.

    Plain JSON lines under our names are left where they are; the first row tells whether they are
    `plain`, unless that is known.
    """
    as_given = path != "-" and not spelling.fields and _is_lines(path)
    if as_given and (_is_plain(path, spelling) if plain is None else plain):
        return path, None
    content = load(path)
    lines = []
    listed = [one for each in spelling.renamed(_rows(content)) for one in _by_mode(each, spelling)]
    for number, row in enumerate(listed, start=1):
        if isinstance(row, dict) and not isinstance(row.get(TEXT), str | None):
            row.setdefault(FIELDS["finish_reason"], reason_in(row[TEXT]))
            row[TEXT] = _text_in(row[TEXT], f"{path}, row {number}: the text")
        lines.append(row if isinstance(row, bytes) else msgspec.json.encode(row))
    place = new_place()
    place.write_bytes(b"".join(each + b"\n" for each in lines))
    return str(place), content.sha256


def new_place() -> Path:
    """Return where a file may be written that goes when the program ends."""
    return Path(_folder().name) / f"{next(_numbers)}.jsonl"


def _by_mode(row: Any, spelling: Spelling) -> list[Any]:
    """Return a row for each mode where the texts of both stand side by side, named by the mode."""
    if not isinstance(row, dict) or "mode" in row or TEXT in row:
        return [row]
    spelled = {**MODES, **spelling.modes}
    held = [name for name in row if name.strip().lower() in spelled]
    if len({spelled[name.strip().lower()] for name in held}) < len({*MODES.values()}):
        return [row]
    rest = {name: value for name, value in row.items() if name not in held}
    return [{**rest, "mode": name, TEXT: row[name]} for name in held]


def _is_plain(path: str, spelling: Spelling) -> bool:
    """Say whether the first row of JSON lines has one text as it is; faults are seen later."""
    if not Path(path).is_file():
        return True
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            first = next((line for line in file if line.strip()), b"{}")
            start = first.removeprefix(BYTE_ORDER_MARK).strip()
            if start.startswith((b"[", PARQUET)) or start == b"{":
                return False  # a whole list or object, or a table, whatever it is called
            found = msgspec.json.decode(start)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError):
        return True
    plain = not isinstance(found, dict) or isinstance(found.get(TEXT), str | None)
    return plain and len(_by_mode(found, spelling)) == 1


def _text_in(found: Any, place: str) -> str | None:
    """Return the text in what programs and servers write: messages, parts, a choice, a number."""
    if isinstance(found, dict):
        key = next((key for key in HOLDS_TEXT if key in found), None)
        if key is None:
            inside = ", ".join(map(quoted, list(found)[:5]))
            msg = f"{place} is an object that holds {inside}"
            hint = "name the field inside, as in `field` text=response.answer"
            raise ArtifactError(msg, hint=hint)
        said, thought = _text_in(found[key], place), found.get("reasoning_content")
        return f"<think>{thought}</think>\n{said or ''}" if isinstance(thought, str) else said
    if not isinstance(found, list):
        return found if isinstance(found, str | None) else msgspec.json.encode(found).decode()
    if any(isinstance(each, dict) and "role" in each for each in found):
        found = [each for each in found if isinstance(each, dict) and each.get("role") in ANSWERS]
        return _text_in(found[-1], place) if found else None
    parts = [each for each in found if isinstance(each, dict) and "type" in each]
    if parts and len(parts) == len(found):
        return "".join(filter(None, (_part(each, place) for each in parts)))
    if len(found) > 1:
        msg = f"{place} is a list of {len(found)} where one is needed"
        raise ArtifactError(msg, hint="name one of them, as in `field` text=responses.0")
    return _text_in(found[0], place) if found else None


def _part(part: dict[str, Any], place: str) -> str | None:
    """Return the text of a part of a message, of a thought as one; other parts are no text."""
    for kind in THOUGHTS:
        if isinstance(part.get(kind), str):
            return f"<think>{part[kind]}</think>\n"
    return _text_in(part["text"], place) if "text" in part else None


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="assay-")


def _is_lines(path: str) -> bool:
    name = path.lower().removesuffix(".gz")
    return not name.endswith((".json", ".parquet", *TABLES))


def _rows(content: Content) -> Iterable[dict[str, Any] | bytes]:
    """Return the rows; of JSON lines also those that are blank or broken, as they are."""
    if is_table(content) or content.data.lstrip()[:1] not in {b"[", b"{"}:
        return rows_of_table(content)
    return _of_json(content)


def is_table(content: Content) -> bool:
    """Say whether a file is CSV or Parquet."""
    return content.suffix in TABLES or content.data.startswith(PARQUET)


def rows_of_table(content: Content) -> Iterable[dict[str, Any]]:
    """Return the rows of a table; an empty cell is none."""
    if not content.data.startswith(PARQUET):
        return _of_table(content)
    records = parquet_frame(content).to_pylist()
    return [{name: v for name, v in row.items() if v is not None} for row in records]


def _of_json(content: Content) -> Iterable[dict[str, Any] | bytes]:
    try:
        found = msgspec.json.decode(content.data)
        repeated = repeated_key(content.data)
    except (msgspec.DecodeError, RecursionError):
        if content.data.lstrip().startswith(b"["):
            return decoded_json(
                msgspec.json.Decoder(), content.data, place=content.path, hint=SHAPE
            )
        return _of_lines(content)
    if repeated:
        msg = f"{content.path} has the key {quoted(repeated[0])} twice"
        raise ArtifactError(msg, hint="only one of the two can be meant; remove the other")
    if isinstance(found, dict):
        lists = [found[name] for name in LISTS if isinstance(found.get(name), list)]
        others = [each for each in found.values() if _is_rows(each)]
        only = others[0] if len(others) == 1 and "id" not in found else _by_id(found)
        found = lists[0] if lists else only
    for number, each in enumerate(found, start=1):
        if not isinstance(each, dict):
            msg = f"{content.path}, row {number} is not an object"
            raise ArtifactError(msg, hint=SHAPE)
    return list(found)


def _by_id(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows that an object holds by their ids, which have fields in common."""
    rows = [*found.values()]
    if "id" in found or not rows or not all(isinstance(each, dict) for each in rows):
        return [found]
    alike = {*rows[0]}.intersection(*rows)
    return [{"id": name, **row} for name, row in found.items()] if alike else [found]


def _is_rows(found: Any) -> bool:
    return isinstance(found, list) and bool(found) and all(isinstance(e, dict) for e in found)


def _of_lines(content: Content) -> Iterator[dict[str, Any] | bytes]:
    for line in content.data.removesuffix(b"\n").split(b"\n"):
        try:
            found = msgspec.json.decode(line, type=dict[str, Any])
            yield line if repeated_key(line) else found
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            yield line


def _of_table(content: Content) -> Iterator[dict[str, Any]]:
    text = decoded_text(content)
    separator = "\t" if content.suffix == ".tsv" else separator_of(text.partition("\n")[0])
    usual = csv.field_size_limit(LONGEST_CELL)
    try:
        reader = csv_reader(io.StringIO(text, newline=""), separator)
        rows = csv_numbered(content.path, reader, separator)
        _, head = next(rows)
        for _, row in rows:
            yield {name: value for name, value in zip(head, row, strict=True) if name and value}
    finally:
        csv.field_size_limit(usual)


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file, and the name of the model as its place tells it."""

    path: str
    name: str
    sure: bool
    """whether the folder names the model; else rows may know better"""


def find_files(given: Sequence[str], usual: str) -> list[ModelFile]:
    """Return the file of every model: the files given, and those of the folders given."""
    found = [each for path in given for each in _found(Path(path), usual)]
    if not found:
        raise UsageError("no generations were given", hint=f"name a folder or a file like {usual}")
    return found


def _found(path: Path, usual: str) -> list[ModelFile]:
    if str(path) == "-":
        return [ModelFile("-", "stdin", sure=False)]
    try:
        if not path.is_dir():
            return [_file(path, usual)]
        own = _usual_file(path, usual)
        if own is not None:
            return [_file(own, usual)]
        folders = sorted(
            each for each in path.iterdir() if each.is_dir() and not each.name.startswith(".")
        )
        loose = _loose(path, SUFFIXES) or _loose(path, JSON)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        msg = f"{str(path)!r} cannot be read: {reason}"
        raise ArtifactError(msg, hint="check the spelling") from None
    if folders:
        return [_of_folder(each, usual) for each in folders]
    if loose:
        return [_file(each, usual) for each in loose]
    msg = f"{path} holds neither model folders nor {usual}"
    raise ArtifactError(msg, hint=f"expected {path}/MODEL/{usual}")


def _loose(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    return sorted(e for e in folder.iterdir() if e.name.removesuffix(".gz").endswith(suffixes))


def _usual_file(folder: Path, usual: str) -> Path | None:
    for name in (usual, f"{usual}.gz", f"{OF_SEED}{usual}", f"{OF_SEED}{usual}.gz"):
        if (folder / name).is_file():
            return folder / name
    return None


def _of_folder(folder: Path, usual: str) -> ModelFile:
    own = _usual_file(folder, usual)
    if own is not None:
        return _file(own, usual)
    found = _loose(folder, (*SUFFIXES, *JSON)) if usual == GENERATIONS else []
    others = [e for e in found if e.name.removesuffix(".gz").removeprefix(OF_SEED) not in USUAL]
    if len(others) == 1:
        return ModelFile(str(others[0]), folder.absolute().name, sure=True)
    msg = f"the model folder {folder} holds no {usual}"
    msg += f", found {', '.join(each.name for each in others)}" if others else ""
    raise ArtifactError(msg, hint="remove it, or name the files to read one by one")


def _file(path: Path, usual: str) -> ModelFile:
    plain = path.name.removesuffix(".gz")
    if plain == usual or plain.removeprefix(OF_SEED) in USUAL:
        return ModelFile(str(path), path.absolute().parent.name, sure=True)
    return ModelFile(str(path), plain.rpartition(".")[0] or plain, sure=False)


def named(file: ModelFile, stated: Sequence[str]) -> str:
    """Return the name of a model: its folder's, else the one its rows state, else the file's.

    Where a folder has the encoded form of a name, it is the name that counts.
    """
    if file.sure or not stated:
        return checked_name(_displayed(file.name, stated), file.path)
    if len(stated) > 1:
        msg = (
            f"{file.path} holds rows of several models, {quoted(stated[0])} and"
            f" {quoted(stated[1])} among them"
        )
        raise ArtifactError(msg, hint="write one file per model, as in MODEL/" + GENERATIONS)
    return checked_name(stated[0], file.path)


def _displayed(name: str, stated: Sequence[str]) -> str:
    """Return the name that a folder's name is the encoded form of: a long one is in the rows."""
    return next((each for each in (*stated, unquote(name)) if file_name(each) == name), name)


def checked_name(name: str, path: str) -> str:
    """Refuse a name that is none, or would lead to the files of all models together."""
    reason = _reason(name)
    if reason is not None:
        msg = f"{path}: the model name {quoted(name)} {reason}"
        raise ArtifactError(msg, hint="rename the folder, the file, or `model_name` in its rows")
    return name


def _reason(name: str) -> str | None:
    if not name.strip() or name != name.strip():
        return "is empty or has white space around it"
    if any(unicodedata.category(each) in {"Cc", "Cs", "Zl", "Zp"} for each in name):
        return "holds a control character"
    if name.lower() in RESERVED:
        return "stands for all models together"
    return None


def check_distinct(names: Iterable[tuple[str, str]]) -> None:
    """Refuse two files of one model; names that differ in case only are one on some systems."""
    seen: dict[str, str] = {}
    for name, path in names:
        place = unicodedata.normalize("NFC", file_name(name)).casefold()
        if place in seen:
            msg = f"{seen[place]} and {path} are both of the model {quoted(name)}"
            raise UsageError(msg, hint="give each model a folder or a file name of its own")
        seen[place] = path
