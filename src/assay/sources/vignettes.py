"""Vignettes, gold labels and cases of bias: JSON lists, JSON lines, or objects that hold a list."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import ArtifactError, ColumnError
from assay.showing import counted, quoted
from assay.sources.content import Content, decoded_json, decoded_text, is_object, json_lines, load
from assay.sources.generation_files import Spelling, is_table, rows_of_table

if TYPE_CHECKING:
    from assay.sources.generations import BiasGeneration

LINES = (".jsonl", ".ndjson")
BIAS_LISTS = ("cases", "vignettes", "data")
"""under which a file may hold its cases of bias"""
OPTIONS = ("options", "choices")
"""under which a vignette may hold the options of its question"""
AS_OPTIONS = 'as in {"A": "Aspirin", "B": "Ibuprofen"}, or in columns option_a, option_b, ...'
_COLUMN = re.compile(r"(opt(?:ion)?|op|choice|ans(?:wer)?|ending)[ _.-]?([a-z]|\d)", re.IGNORECASE)
"""how fields with one option each are called"""
_AROUND = "()[].:- \t"
"""what stands around a letter"""
LONGEST_CELL = 100_000
OPTION_LETTERS, OPTION_TEXTS = ("label", "key", "letter", "id"), ("text", "value", "content")
LABEL_KEYS = (
    *("label", "gold_label", "gold_diagnosis_label", "gold_diagnosis", "diagnosis", "gold"),
    *("gold_answer", "answer"),
)
"""under which an entry of a label file may hold its label"""
ANYTHING = msgspec.json.Decoder(Any)
SHAPE = "a JSON list of objects, JSON lines, an object with such a list, CSV or Parquet"
AS_THEY_ARE = Spelling()


@dataclass(frozen=True, slots=True)
class Vignette:
    """One case that a model reasons about."""

    id: str
    gold_answer: str | None
    gold_reasoning: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    """everything else, such as a persona or a source"""
    options: Mapping[str, str] | None = None
    """the options of its question by letter, where it has its own"""


@dataclass(frozen=True, slots=True)
class Vignettes:
    """A file of vignettes."""

    path: str
    sha256: str
    rows: tuple[Vignette, ...]

    def clusters(self, column: str | None) -> tuple[list[str], str]:
        """Return the cluster of each vignette, itself unless a field is named, and the unit."""
        if column is None:
            return [each.id for each in self.rows], "vignette"
        missing = [each.id for each in self.rows if each.fields.get(column) is None]
        if missing:
            vignettes = counted(len(self.rows), "vignette has", "vignettes have")
            msg = (
                f"{self.path}: {len(missing)} of {vignettes} no `{column}`,"
                f" the first is {quoted(missing[0])}"
            )
            raise ColumnError(msg, hint=_found_fields(self.rows))
        return [str(each.fields[column]) for each in self.rows], column


def _found_fields(rows: Sequence[Vignette]) -> str:
    names = dict.fromkeys(name for each in rows for name in each.fields)
    return f"the fields are {', '.join(names)}" if names else "vignettes have no other fields"


@dataclass(frozen=True, slots=True)
class BiasCase:
    """One case that tempts a model into a biased answer."""

    id: str
    feature: str
    label: str


def read_vignettes(path: str, spelling: Spelling = AS_THEY_ARE) -> Vignettes:
    """Read vignettes: id, gold_answer, gold_reasoning and whatever else they hold."""
    content = load(path)
    found = entries(content, "vignettes", "data", "samples", spelling=spelling)
    own = [_options(each, f"{path}, vignette {number + 1}") for number, each in enumerate(found)]
    chosen = [(_gold(each), o) for each, o in zip(found, own, strict=True) if o is not None]
    # Where all are numbers and one is no text of an option, they are places, texts or not.
    placed = not all(_is_option(*each) for each in chosen) and all(_is_number(e) for e, _ in chosen)
    rows = [
        _vignette(each, options, f"{path}, vignette {number + 1}", placed=placed)
        for number, (each, options) in enumerate(zip(found, own, strict=True))
    ]
    if not rows:
        raise ArtifactError(f"{path} holds no vignettes", hint=f"vignettes are {SHAPE}")
    _check_once(content, [each.id for each in rows], "vignette")
    return Vignettes(path, content.sha256, tuple(rows))


def _options(found: dict[str, Any], place: str) -> dict[str, str] | None:
    """Return the options of a vignette: a field of them, or fields that are called A, B, ..."""
    key = next((each for each in OPTIONS if found.get(each) is not None), OPTIONS[0])
    held = found.get(key)
    if held is None and {*ascii_uppercase[:2]} <= found.keys():
        held = {each: found[each] for each in ascii_uppercase if found.get(each) is not None}
    return read_options(_of_columns(found) if held is None else held, f"{place}: `{key}`")


def _of_columns(found: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return options whose fields are called alike and by their letters or numbers, in order.

    Examples
    --------
    >>> _of_columns({"option_b": "no", "option_a": "yes", "option_c": None, "answer": "A"})
    {'A': 'yes', 'B': 'no'}
    """
    by_stem: dict[str, dict[str, Any]] = {}
    for name, value in found.items():
        if named := _COLUMN.fullmatch(name.strip()):
            by_stem.setdefault(named[1].lower(), {})[named[2].upper()] = value
    for own in by_stem.values():
        if any({*both} <= own.keys() for both in ("AB", "01", "12")):
            return {each: own[each] for each in sorted(own) if own[each] is not None}
    return None


def _vignette(
    found: dict[str, Any], options: Mapping[str, str] | None, place: str, *, placed: bool
) -> Vignette:
    return Vignette(
        _id(found, place),
        _gold_of(found, options, place, placed=placed),
        _steps(found.get("gold_reasoning"), place),
        {k: v for k, v in found.items() if k not in {"id", "gold_answer", "gold_reasoning"}},
        options,
    )


def _gold(found: dict[str, Any]) -> Any:
    """Return the gold answer; a list of one is that."""
    gold = found.get("gold_answer")
    return gold[0] if isinstance(gold, list) and len(gold) == 1 else gold


def _is_option(gold: Any, options: Mapping[str, str]) -> bool:
    """Say whether a gold answer is no number, or the letter or text of an option."""
    return not _is_number(gold) or str(gold).strip() in {*options, *options.values()}


def _is_number(gold: Any) -> bool:
    return isinstance(gold, int | float) or (isinstance(gold, str) and gold.strip().isdecimal())


def _gold_of(
    found: dict[str, Any], options: Mapping[str, str] | None, place: str, *, placed: bool
) -> str | None:
    """Return the gold answer; a number among options is a text of one, else its place from 0."""
    gold = _gold(found)
    if options is None or isinstance(gold, bool) or not isinstance(gold, int | float | str):
        return _text({"gold_answer": gold}, "gold_answer", place)
    said = str(gold).strip()
    if not placed and (isinstance(gold, str) or _is_option(gold, options)):
        return said if said in options.values() else _letter_of(said, options) or None
    if said not in map(str, range(len(options))):
        msg = f"{place}: `gold_answer` is {said}, and there are {len(options)} options"
        raise ArtifactError(msg, hint="a number is the text of an option, or its place from 0")
    return [*options][int(said)]


def _letter_of(said: str, options: Mapping[str, str]) -> str:
    """Return the letter of "(B)", "B." and, where that is its text, "B. Ibuprofen", else all."""
    for key, text in options.items():
        before = said.removesuffix(text) if text else said
        if key in {said.strip(_AROUND), before.strip(_AROUND) if before != said else ""}:
            return key
    return said


def read_options(found: Any, place: str) -> dict[str, str] | None:
    """Return options by letter: of a mapping, a list of texts or of objects, or lists side by side.

    Examples
    --------
    >>> read_options(["-3", 3], "here"), read_options({"label": ["A"], "text": ["x"]}, "here")
    ({'A': '-3', 'B': '3'}, {'A': 'x'})
    """
    if isinstance(found, str) and found.lstrip()[:1] in {"{", "["}:
        found = _in_a_cell(found)
    if isinstance(found, dict) and isinstance(found.get("text"), list):
        labels = next((found[k] for k in OPTION_LETTERS if isinstance(found.get(k), list)), None)
        found = dict(zip(labels, found["text"], strict=False)) if labels else found["text"]
    if isinstance(found, list):
        found = _of_list(found)
    if found is None:
        return None
    if not isinstance(found, dict) or not found:
        shown = f"a list of {len(found)}" if isinstance(found, list) else _shown(found)
        most = len(ascii_uppercase)
        msg = f"{place} must be a mapping from letters to texts or a list of at most {most}"
        msg = f"{msg}, found {shown}"
        raise ArtifactError(msg, hint=AS_OPTIONS)
    options = {str(key).strip(): value for key, value in found.items() if value is not None}
    for key, value in options.items():
        if not key or isinstance(value, dict | list):
            msg = f"{place}: the option {quoted(key)} must be a text, found {_shown(value)}"
            raise ArtifactError(msg, hint=AS_OPTIONS)
    return {key: str(value).strip() for key, value in options.items()}


def _in_a_cell(found: str) -> Any:
    """Return what a cell of a table holds: JSON, or how Python writes several texts."""
    with suppress(msgspec.DecodeError, RecursionError):
        return msgspec.json.decode(found)
    with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        held = ast.literal_eval(found) if len(found) < LONGEST_CELL else None
        # An array of texts reads as a list of one, in which all are glued together.
        if isinstance(held, dict | list) and len(held) > 1:
            return held
    return found


def _of_list(found: list[Any]) -> Any:
    """Return a list of options by letter, if it can be one."""
    if len(found) > len(ascii_uppercase) or not found:
        return found
    if not all(isinstance(each, dict) for each in found):
        return dict(zip(ascii_uppercase, found, strict=False))
    texts = [next((each[k] for k in OPTION_TEXTS if k in each), each) for each in found]
    letters = [
        next((each[k] for k in OPTION_LETTERS if k in each), ascii_uppercase[place])
        for place, each in enumerate(found)
    ]
    return dict(zip(map(str, letters), texts, strict=True))


def _steps(found: Any, place: str) -> tuple[str, ...]:
    """Return the gold steps; a text has one per line."""
    steps = found.splitlines() if isinstance(found, str) else found or ()
    if not isinstance(steps, list | tuple) or not all(isinstance(each, str) for each in steps):
        msg = f"{place}: `gold_reasoning` must be a list of texts, found {_shown(found)}"
        raise ArtifactError(msg, hint="one text per step, in any order")
    return tuple(each for each in steps if each.strip())


def read_gold_labels(path: str, spelling: Spelling = AS_THEY_ARE) -> tuple[dict[str, str], Content]:
    """Read labels by id: an object of them, or entries with an id and a label."""
    content = load(path)
    found = _parsed(content)
    if isinstance(found, dict) and len(found) == 1:
        inner = next(iter(found.values()))
        found = inner if isinstance(inner, dict | list) else found
    if isinstance(found, dict) and isinstance(found.get("labels"), dict | list):
        found = found["labels"]
    if isinstance(found, dict):
        pairs = [(each, _label(value, f"{path}, {quoted(each)}")) for each, value in found.items()]
    else:
        pairs = [
            (_id(each, f"{path}, entry {n + 1}"), _label(each, f"{path}, entry {n + 1}"))
            for n, each in enumerate(spelling.renamed(_checked(content, found)))
        ]
    _check_once(content, [each for each, _ in pairs], "label")
    return {each: label for each, label in pairs if label}, content


def _label(found: Any, place: str) -> str:
    if isinstance(found, str):
        return found.strip()
    if found is None:
        return ""
    if isinstance(found, dict):
        for key in LABEL_KEYS:
            if isinstance(found.get(key), str):
                return str(found[key]).strip()
    fields = f" with {', '.join(found)}" if isinstance(found, dict) else ""
    msg = f"{place} holds no label, found {_shown(found)}{fields}"
    raise ArtifactError(msg, hint=f"labels are texts, by id or under {', '.join(LABEL_KEYS)}")


def read_bias_cases(
    path: str, spelling: Spelling = AS_THEY_ARE
) -> tuple[dict[str, BiasCase], Content]:
    """Read cases of bias: the feature that tempts, and the label of the biased answer."""
    content = load(path)
    cases = {}
    ids = []
    for number, found in enumerate(entries(content, *BIAS_LISTS, spelling=spelling)):
        place = f"{path}, case {number + 1}"
        feature, label = (_text(found, key, place) for key in ("bias_feature", "bias_label"))
        if not feature or not label:
            lacking = "bias_feature" if not feature else "bias_label"
            msg = f"{place} has no `{lacking}`; its fields are {', '.join(found)}"
            own = lacking.removeprefix("bias_")
            raise ArtifactError(msg, hint=f"name its field, as in `field` {own}=biased_{own}")
        case = BiasCase(_id(found, place), feature, label)
        ids.append(case.id)
        cases[case.id] = case
    if not cases:
        raise ArtifactError(f"{path} holds no cases", hint=f"cases are {SHAPE}")
    _check_once(content, ids, "case")
    return cases, content


def inline_case(name: str, row: BiasGeneration) -> BiasCase | None:
    """Return the case that a row names itself, by its fields or in its metadata."""
    more = row.metadata or {}
    feature, label = (
        getattr(row, key) or _told(more.get(key)) for key in ("bias_feature", "bias_label")
    )
    return BiasCase(name, feature, label) if feature and label else None


def _told(raw: msgspec.Raw | None) -> str | None:
    value = None if raw is None else msgspec.json.decode(raw)
    return value if isinstance(value, str) else None


def entries(
    content: Content, *names: str, spelling: Spelling = AS_THEY_ARE
) -> list[dict[str, Any]]:
    """Return the entries of a list, or of the list that an object holds under one of the names.

    An object may also hold one list alone, or entries by their ids.
    """
    found = _parsed(content)
    if isinstance(found, dict):
        lists = [found[name] for name in names if isinstance(found.get(name), list)]
        others = [each for each in found.values() if isinstance(each, list) and each]
        lists += others if not lists and len(others) == 1 else []
        if "id" in found and not isinstance(found["id"], dict):
            found = [found]
        elif lists:
            found = lists[0]
        elif found and all(isinstance(each, dict) for each in found.values()):
            found = [{"id": name, **each} for name, each in found.items()]
    return spelling.renamed(_checked(content, found))


def _checked(content: Content, found: Any) -> list[dict[str, Any]]:
    if not isinstance(found, list):
        msg = f"{content.path} holds {_shown(found)} where a list is needed"
        raise ArtifactError(msg, hint=f"it must be {SHAPE}")
    for number, each in enumerate(found):
        if not isinstance(each, dict):
            msg = f"{content.path}, entry {number + 1} is {_shown(each)}, not an object"
            raise ArtifactError(msg, hint=f"it must be {SHAPE}")
    return found


def _parsed(content: Content) -> Any:
    if is_table(content):
        return [*rows_of_table(content)]
    decoded_text(content)
    first, _, rest = content.data.strip().partition(b"\n")
    if content.suffix in LINES or (rest and is_object(first)):
        lines: Iterable[Any] = json_lines(content, ANYTHING, hint=f"it must be {SHAPE}")
        return [each for each in lines if each is not None]
    return decoded_json(ANYTHING, content.data, place=content.path, hint=f"it must be {SHAPE}")


def _id(found: dict[str, Any], place: str) -> str:
    value = found.get("id")
    value = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        if "id" not in found:
            msg = f"{place} has no `id`; its fields are {', '.join(found)}"
            raise ArtifactError(msg, hint="name its field, as in `field` id=question_id")
        msg = f"{place} has no `id`, found {_shown(value)}"
        raise ArtifactError(msg, hint="an id is a text or a whole number")
    return str(value)


def _text(found: dict[str, Any], key: str, place: str) -> str | None:
    value = found.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        msg = f"{place}: `{key}` must be a text, found {_shown(value)}"
        said = 'write it as it is to be said, as in "yes" or "42", and null where there is none'
        raise ArtifactError(msg, hint=said)
    return value.strip() or None


def _shown(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "a flag", type(None): "null"}
    return kinds.get(type(value), "a number")


def _check_once(content: Content, ids: Sequence[str], what: str) -> None:
    seen: set[str] = set()
    for each in ids:
        if each in seen:
            msg = f"{content.path}: the {what} {quoted(each)} occurs {ids.count(each)} times"
            raise ArtifactError(msg, hint="each id may occur once")
        seen.add(each)
