"""Documents that people write: policies, tasks, label files, as YAML or JSON, read safely.

YAML is read with the safe loader, and more strictly than it asks for: no key twice in a mapping,
and no references to other parts of the document, which can make a short file expand without end.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from assay.errors import ArtifactError
from assay.showing import quoted
from assay.sources.content import Content, decoded_json, decoded_text, fault, load
from assay.sources.formats.comma_separated import separator_of

if TYPE_CHECKING:
    import yaml

LARGEST, LARGEST_JSON = 5_000_000, 50_000_000
"""bytes; a person writes less, and a program JSON, which is read in a moment"""
YAML_SUFFIXES = (".yaml", ".yml")
LINES, TABLES = (".jsonl", ".ndjson"), (".csv", ".tsv")
COLUMN_NAMES = (
    *("label", "labels", "name", "names", "option", "options", "class", "classes"),
    *("category", "categories", "diagnosis", "diagnoses", "gold_label", "gold_answer"),
)
"""what the column of a table of names may be called, which is none of them"""
_IN_A_LIST = re.compile(r"([-*•])\s+(?=\S)|(\d+)[.)]\s+(?=\S)")
"""how a line of a list begins"""
HINT = "YAML (.yaml, .yml) and JSON (.json) documents are read"
PLAIN_LIST = "a plain list of names will do, or for each a name, aliases and abbreviations"
ANYTHING = msgspec.json.Decoder(Any)
BAD_SCALARS = (ValueError, LookupError, AttributeError, OverflowError)
"""what the safe loader raises over a value that is not of its kind, such as the 45th of a month"""
KINDS = {"timestamp": "a date", "int": "a whole number", "float": "a number", "str": "a text"}
Shape = TypeVar("Shape")


def read_document(path: str | os.PathLike[str], shape: type[Shape]) -> tuple[Shape, Content]:
    """Read a YAML or JSON document of a shape, a msgspec structure; return it with its content."""
    content = load(os.fspath(path))
    return shaped(content, shape), content


def read_names(path: str, shape: type[Shape], key: str) -> tuple[Shape, Content]:
    """Read a document whose values are all texts: of a shape, a plain list, or a line for each.

    Nothing in it is a number or a flag: the label `No` is a text in YAML, too. A list is what the
    shape has under the key, and so is an object that has lists of other names by name.
    """
    content = load(path)
    if content.suffix in LINES:
        lines = [line for line in content.data.split(b"\n") if line.strip()]
        content = replace(content, data=b"[" + b",".join(lines) + b"]")
    elif content.suffix not in {*YAML_SUFFIXES, ".json"} and content.data.lstrip()[:1] not in b"[{":
        return msgspec.convert({key: _lines(content)}, shape), content
    return shaped(content, shape, listed=key), content


def _lines(content: Content) -> list[str]:
    """Return the lines with text; of a table the one column, without what it is called."""
    lines = [line for each in decoded_text(content).splitlines() if (line := each.strip())]
    if content.suffix not in TABLES:
        return _unmarked(lines)
    try:
        rows = [*csv.reader(lines, delimiter=separator_of(lines[0]) if lines else ",")]
    except csv.Error as error:
        msg = f"{content.path} cannot be read as names: {fault(error)}"
        raise ArtifactError(msg, hint="a table of names has one short name in each line") from None
    if any(len(row) > 1 for row in rows):
        msg = f"{content.path} has {max(map(len, rows))} columns where names have one"
        raise ArtifactError(msg, hint="write other names of a label into YAML or JSON")
    return [row[0] for at, row in enumerate(rows) if at or row[0].lower() not in COLUMN_NAMES]


def _unmarked(lines: list[str]) -> list[str]:
    """Return the lines of a list without what marks them, where all have one mark or are counted.

    Examples
    --------
    >>> _unmarked(["- flu", "- cold"]), _unmarked(["1. flu", "2. cold"]), _unmarked(["- 3", "3"])
    (['flu', 'cold'], ['flu', 'cold'], ['- 3', '3'])
    """
    marks = [_IN_A_LIST.match(line) for line in lines]
    counted = [str(number) for number in range(1, len(lines) + 1)]
    found = [mark[1] or mark[2] for mark in marks if mark]
    if len(found) > 1 and found in (counted, found[:1] * len(lines)):
        return [line[mark.end() :] for line, mark in zip(lines, marks, strict=True) if mark]
    return lines


def shaped(content: Content, shape: type[Shape], *, listed: str | None = None) -> Shape:
    """Give a document its shape, or say which key is not what it needs.

    With `listed`, every value is a text, and a list is what stands under that key.
    """
    is_yaml = content.suffix in YAML_SUFFIXES
    most = LARGEST if is_yaml else LARGEST_JSON
    if len(content.data) > most:
        msg = f"{content.path} has {len(content.data):,} bytes, more than the {most:,} read here"
        raise ArtifactError(msg, hint=f"as JSON it may have {LARGEST_JSON:,}" if is_yaml else HINT)
    plain = (
        _yaml(content, texts=listed is not None)
        if is_yaml
        else decoded_json(ANYTHING, content.data, place=content.path, hint=HINT)
    )
    if listed and isinstance(plain, list):
        plain = {listed: [str(each) if type(each) in {int, float} else each for each in plain]}
    elif listed and isinstance(plain, dict) and len(plain) > 1 and _are_lists(plain.values()):
        plain = {listed: [{"name": n, "aliases": each or []} for n, each in plain.items()]}
    elif listed and isinstance(plain, dict) and plain and _are_texts(plain.values()):
        name, text = next(iter(plain.items()))
        msg = f"{content.path} has the text {quoted(text)} under {quoted(name)}, where a list of"
        hint = 'as in {"name": ["another name", "AN"]}; gold by id is no label file'
        raise ArtifactError(f"{msg} other names is needed", hint=hint)
    try:
        # A key of JSON is a text even where the shape asks for a number.
        return msgspec.convert(plain, shape, strict=True, str_keys=not is_yaml)
    except (msgspec.ValidationError, RecursionError) as error:
        msg = f"{content.path} does not have the shape it needs: {fault(error)}"
        plain_list = f"; {PLAIN_LIST}" if listed else ""
        raise ArtifactError(msg, hint=_keys(shape) + plain_list) from None


def _are_texts(values: Iterable[Any]) -> bool:
    return all(isinstance(each, str) for each in values)


def _are_lists(values: Iterable[Any]) -> bool:
    return all(isinstance(each, list | None) for each in values)


def _keys(shape: object) -> str:
    """Say which keys a document has; those of some are names."""
    if not isinstance(shape, type) or not issubclass(shape, msgspec.Struct):
        return "the page about this file lists its keys"
    fields = msgspec.structs.fields(shape)
    needed = [each.encode_name for each in fields if each.required]
    other = [each.encode_name for each in fields if not each.required]
    parts = [f"it needs {', '.join(needed)}"] if needed else []
    return " and ".join([*parts, f"may have {', '.join(other)}"] if other else parts)


def _yaml(content: Content, *, texts: bool = False) -> Any:
    import yaml

    text, loader = decoded_text(content), _loader()
    if texts:
        loader.yaml_implicit_resolvers = {}
    try:
        return yaml.load(text, Loader=loader)  # noqa: S506 - a safe loader, made stricter
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" at line {mark.line + 1}" if mark else ""
        problem = fault(getattr(error, "problem", None) or str(error).partition("\n")[0])
        msg = f"{content.path} is not valid YAML{place}: {problem}"
        raise ArtifactError(msg, hint=HINT) from None
    except RecursionError:
        msg = f"{content.path} is nested too deeply to be read"
        raise ArtifactError(msg, hint=HINT) from None


def _shown(value: Any) -> Any:
    """Return a value that can be written down: no half of a character, no endless number."""
    (value if isinstance(value, str) else str(value)).encode()
    return value


def _loader() -> type[yaml.SafeLoader]:
    import yaml

    class Strict(yaml.SafeLoader):
        """The safe loader without references, repeated keys and values that are none."""

        def construct_object(self, node: Any, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 - as the base has it
            if not isinstance(node, yaml.ScalarNode):
                return super().construct_object(node, deep=deep)
            try:
                return _shown(super().construct_object(node, deep=deep))
            except BAD_SCALARS:
                kind = node.tag.rpartition(":")[2]
                problem = f"{quoted(node.value)} cannot be read as {KINDS.get(kind, kind)}"
                raise yaml.constructor.ConstructorError(
                    None, None, problem, node.start_mark
                ) from None

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]  # their stubs
                problem = "references (&name, *name) are not read"
                raise yaml.constructor.ConstructorError(None, None, problem, mark)
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - as the base has it
            seen: set[Hashable] = set()
            for key_node, _ in node.value if isinstance(node, yaml.MappingNode) else ():
                key = self.construct_object(key_node, deep=True)
                if not isinstance(key, Hashable):
                    continue  # the base names the fault
                if key in seen:
                    problem = f"the key {quoted(key)} stands twice"
                    raise yaml.constructor.ConstructorError(
                        None, None, problem, key_node.start_mark
                    )
                seen.add(key)
            return super().construct_mapping(node, deep=deep)

    return Strict
