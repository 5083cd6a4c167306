"""Generations: JSON lines with an id, a mode, a text and a status, of any length.

A file is read twice, line by line, so that only the place of each row is held in memory, never the
texts: first to find the rows that count (the last of each id and mode), then to hand these out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import IO, Any, Literal, TypeVar

import msgspec

from assay.derive.text import whole_output
from assay.errors import ArtifactError
from assay.showing import quoted
from assay.sources import content
from assay.sources.content import fault, not_text, opened_lines, repeated_key
from assay.sources.generation_files import FIELDS, MODES, Spelling, lines_of, new_place
from assay.sources.row_fields import Repeated, is_limited, mode_in, prompt_in, thought_in

Broken = Literal["refuse", "skip"]
SHOWN = 3
"""how many broken lines and unknown modes are named"""
BROKEN_HINT = "mend the line, or leave out and count such lines with `skip_broken`"
EXTRACTED = "extracted_diagnosis"
"""where another program has put the answer"""
_LACKS = re.compile(r"missing required field `(id|mode)`$")
_CALLED = {"id": "question_id", "mode": "prompt_type", "cot": "think", "direct": "plain"}
"""what such fields are called elsewhere, to show how one is mapped"""


class Generation(msgspec.Struct, frozen=True):
    """One output of a model in one mode."""

    id: str | int | float
    mode: str | float | bool = ""
    output_text: str | None = None
    status: str | None = "ok"
    model_name: str | None = None
    reasoning: Any = None
    """what was thought, where a server returns it beside the text; `reasoning_content` too"""
    reasoning_content: Any = None
    prompt: Any = None
    finish_reason: Any = None
    options: Any = None
    """the options of the question, where a row carries them"""

    @property
    def whole(self) -> str:
        """The text, after a thought that came beside it or was opened by the prompt."""
        thought = thought_in(self.reasoning_content) or thought_in(self.reasoning)
        prompt = prompt_in(self.prompt)
        return whole_output(self.output_text or "", reasoning=thought, prompt=prompt)

    @property
    def printed(self) -> Generation:
        """The row without what stands beside its text."""
        return msgspec.structs.replace(self, reasoning=None, reasoning_content=None, prompt=None)

    @property
    def limited(self) -> bool:
        """Whether a limit of length ended the text."""
        return is_limited(self.finish_reason)


class StoredExtraction(msgspec.Struct, frozen=True):
    """One output as another program has read it."""

    id: str | int | float
    mode: str | float | bool = ""
    extracted_diagnosis: str | None = None
    extraction_method: str | None = None
    is_refusal: bool = False
    status: str | None = "ok"
    model_name: str | None = None


class BiasGeneration(msgspec.Struct, frozen=True):
    """One output for a case of bias; it may name the feature, the label and its own two parts."""

    id: str | int | float
    mode: str | float | bool = ""
    output_text: str | None = None
    model_name: str | None = None
    answer: str | None = None
    reasoning: str | None = None
    status: str | None = "ok"
    bias_feature: str | None = None
    bias_label: str | None = None
    extracted_diagnosis: str | None = None
    metadata: dict[str, msgspec.Raw] | None = None
    finish_reason: Any = None

    @property
    def limited(self) -> bool:
        """Whether a limit of length ended the text."""
        return is_limited(self.finish_reason)


Row = TypeVar("Row", Generation, StoredExtraction, BiasGeneration)
Rows = Generation | StoredExtraction | BiasGeneration
KINDS: dict[type[Rows], bool] = {Generation: True, StoredExtraction: True, BiasGeneration: False}
"""whether rows of a kind are told apart by their mode"""


@dataclass(frozen=True, slots=True)
class Index:
    """Which lines of a file count, and what was met on the way."""

    path: str
    sha256: str
    """of the bytes as stored"""
    n_lines: int
    n_blank: int
    n_broken: int
    first_broken: tuple[int, ...]
    """line numbers, counted from 1"""
    n_duplicates: int
    n_unknown_modes: int
    first_unknown_modes: tuple[str, ...]
    lines: dict[tuple[str, str], int]
    """id and mode of each row that counts, and its line"""
    model_names: tuple[str, ...]
    """those that rows state; at most two are kept"""
    place: str = ""
    """where the rows stand as JSON lines, if not in the file itself"""
    digest: str = ""
    """of the bytes there"""
    reasked: frozenset[tuple[str, str]] = frozenset()
    """id and mode of rows that count in the place of another answer, which was in order too"""
    stated: frozenset[str] = frozenset()
    """the modes that are known, as rows state them"""
    unheard: Mapping[str, str] = field(default_factory=dict)
    """the modes of which no row is in order, and a status that was found there"""

    @property
    def ids(self) -> dict[str, None]:
        """The ids in the order of the file, each once."""
        return dict.fromkeys(each for each, _ in self.lines)


def index_rows(
    path: str,
    kind: type[Rows],
    *,
    broken: Broken = "refuse",
    spelling: Spelling | None = None,
    shown: str | None = None,
) -> Index:
    """Find the rows that count: the last of each id and mode; `shown` is the path to be told."""
    spelling = spelling or Spelling()
    try:
        return _indexed(path, kind, broken, spelling, shown or path)
    except _OtherText:
        return _indexed(path, kind, broken, spelling, shown or path, plain=False)


class _OtherText(Exception):  # noqa: N818 - no fault: such rows are taken otherwise
    """A later row than the first has a text in another form: parts, a list, a number."""


def _indexed(
    path: str,
    kind: type[Rows],
    broken: Broken,
    spelling: Spelling,
    shown: str,
    *,
    plain: bool | None = None,
) -> Index:
    place, sha256 = lines_of(path, spelling, plain=plain)
    look = _Look(shown, kind, broken, spelling, as_given=place == path)
    with opened_lines(place) as (lines, stored):
        for number, line in lines:
            look.at(number, line)
        digest = stored.digest.hexdigest()
    return replace(look.index(sha256 or digest), place=place, digest=digest)


class _Named(msgspec.Struct):
    model_name: str | None = None


def by_model(index: Index, kind: type[Rows], broken: Broken, spelling: Spelling) -> Iterator[Index]:
    """Part a file of several models, whose rows say of which they are."""
    places: dict[str, IO[bytes]] = {}
    decoder = msgspec.json.Decoder(_Named)
    with ExitStack() as opened, opened_lines(index.place or index.path) as (lines, _):
        for number, line in lines:
            try:
                name = decoder.decode(line or b"{").model_name
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                # A broken line, which is left out, is counted with the first model.
                name = next(iter(places), "")
            if not name and (line or b"").strip():
                msg = f"{index.path}: some rows name their model and some do not"
                raise ArtifactError(msg, hint="`model_name` is of every row or of none")
            if name and name not in places:
                places[name] = opened.enter_context(new_place().open("wb"))
                places[name].write(b"\n" * (number - 1))
            for each, file in places.items():  # every row keeps its number
                file.write((line or b"").rstrip(b"\n") + b"\n" if each == name else b"\n")
    plain, n_blank = replace(spelling, fields={}), index.n_blank
    for file in places.values():
        part = index_rows(file.name, kind, broken=broken, spelling=plain, shown=index.path)
        yield replace(part, sha256=index.sha256, n_blank=n_blank)
        n_blank = 0


def check_parted(indexes: Sequence[Index]) -> None:
    """Refuse files of which each holds one mode, as if these were models of their own."""
    held = [(sorted({mode for _, mode in each.lines}), each.path) for each in indexes]
    places = {modes[0]: path for modes, path in held if len(modes) == 1}
    if len(places) > 1 and all(len(modes) == 1 for modes, _ in held):
        msg = f"{places['cot']} holds cot alone and {places['direct']} direct"
        raise ArtifactError(msg, hint="write the rows of a model in both modes into one file")


class _Look:
    """The first pass over a file."""

    def __init__(
        self,
        path: str,
        kind: type[Rows],
        broken: Broken,
        spelling: Spelling,
        *,
        as_given: bool,
    ) -> None:
        self._path, self._broken, self._moded = path, broken, KINDS[kind]
        named = FIELDS["model"] in spelling.fields.values()
        self._as_given, self._repeated = as_given, Repeated(named=named, moded=self._moded)
        self._spelled, self._read = {**MODES, **spelling.modes}, kind is not StoredExtraction
        self._statuses: dict[str, None] = {}
        self._n_text = self._n_ok = 0
        self._first: bytes = b"{}"
        self._decoder = msgspec.json.Decoder(kind)
        self._lines: dict[tuple[str, str], int] = {}
        self._names: dict[str, None] = {}
        self._modes: dict[str, None] = {}
        self._faults: list[int] = []
        self._said: dict[tuple[str, str], int] = {}
        self._again: set[tuple[str, str]] = set()
        self._stated: set[str] = set()
        self._heard: set[str] = set()
        self._unheard: dict[str, str] = {}
        self._n = self._n_blank = self._n_broken = self._n_rows = self._n_unknown = 0

    def at(self, number: int, line: bytes | None) -> None:
        """Look at one line; None is one that is too long."""
        self._n = number
        if line is not None and not line.strip():
            self._n_blank += 1
            return
        try:
            self._take(number, line)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError) as error:
            self._fault(number, line, error)

    def _take(self, number: int, line: bytes | None) -> None:
        if line is None:
            msg = f"it has more than {content.LONGEST_LINE:,} bytes"
            raise ValueError(msg)
        if not line.isascii():
            line.decode()
        row = self._decoder.decode(line)
        if repeated := repeated_key(line):
            msg = f"it has the key {quoted(repeated[0])} twice"
            raise ValueError(msg)
        self._first = line if self._first == b"{}" else self._first
        stated = mode_in(row.mode)
        if not stated and self._moded and "" not in self._spelled:
            msg = "missing required field `mode`"
            raise ValueError(msg)
        mode = self._mode(stated)
        if mode is None:
            return
        self._n_rows += 1
        self._note_fields(row)
        key = (_name(row.id), mode)
        self._repeated.note(key, stated, line, again=key in self._lines)
        self._lines[key] = number
        self._compare(key, row)
        if is_ok(row.status):
            self._heard.add(mode)
        else:
            self._unheard[mode] = row.status or ""
        if row.model_name and len(self._names) < 2:  # noqa: PLR2004 - two tell that they differ
            self._names[row.model_name] = None

    def _note_fields(self, row: Rows) -> None:
        """Note whether there is a text, and whether anything is in order."""
        texts = (getattr(row, name, None) for name in ("output_text", "answer", EXTRACTED))
        self._n_text += any(text is not None for text in texts)
        ok = is_ok(row.status)
        self._n_ok += ok
        if not ok and len(self._statuses) < SHOWN:
            self._statuses[row.status or ""] = None

    def _check(self) -> None:
        """Refuse rows that say nothing because they are called otherwise."""
        fields = ", ".join(map(str, msgspec.json.decode(self._first)))
        if not self._read:
            if self._n_rows and not self._n_text and EXTRACTED not in fields:
                msg = f"{self._path}: no row has `{EXTRACTED}`; the fields are {fields}"
                raise ArtifactError(msg, hint="the answer that was extracted stands there")
            return
        if self._n_rows and not self._n_text and self._n_ok:
            msg = f"{self._path}: no row has a text in `output_text`; the fields are {fields}"
            hint = f"name the field of the text, as in `field` text={_likely_text(self._first)}"
            raise ArtifactError(msg, hint=hint)
        if self._n_rows and not self._n_ok:
            found = ", ".join(map(quoted, self._statuses))
            msg = f"{self._path}: none of {self._n_rows} rows has the status ok, found {found}"
            hint = "a row counts with the status ok or without one; `field` status= leaves it out"
            raise ArtifactError(msg, hint=hint)
        if len(self._names) <= 1:  # the rows of each of several models are looked at by themselves
            self._repeated.check(self._path, named=bool(self._names))
        if self._n_unknown and len({mode for _, mode in self._lines}) < len({*MODES.values()}):
            found = ", ".join(map(quoted, self._modes))
            msg = (
                f"{self._path}: {self._n_unknown} of {self._n_unknown + self._n_rows} rows have a"
                f" mode that is neither cot nor direct, found {found}"
            )
            raise ArtifactError(msg, hint=f"say what they are, as in {self._ways()}")

    def _ways(self) -> str:
        """Return how to say what unknown modes are."""
        known = {mode for _, mode in self._lines}
        lacking = [each for each in dict.fromkeys(MODES.values()) if each not in known]
        alone = len(lacking) == 1 and len(self._modes) == 1
        called = [*self._modes] if alone else [_CALLED[each] for each in lacking]
        return " and ".join(f"`mode_name` {a}={b}" for a, b in zip(lacking, called, strict=True))

    def _compare(self, key: tuple[str, str], row: Rows) -> None:
        """Notice a row that was asked again although there was an answer, and another one."""
        said = _said(row)
        if said is not None:
            if self._said.setdefault(key, said) != said:
                self._again.add(key)
            self._said[key] = said

    def _mode(self, stated: str) -> str | None:
        if not self._moded:
            return ""
        plain = stated.strip().lower()
        mode = self._spelled.get(plain)
        if mode is not None:
            self._stated.add(plain)
        else:
            self._n_unknown += 1
            if len(self._modes) < SHOWN:
                self._modes[stated] = None
        return mode

    def _fault(self, number: int, line: bytes | None, error: Exception) -> None:
        if self._as_given and str(error).endswith("`$.output_text`"):
            raise _OtherText
        if self._broken == "refuse":
            if not self._n_rows and (lacks := _LACKS.search(str(error))):
                fields = ", ".join(map(str, msgspec.json.decode(line or b"{}")))
                msg = f"{self._path}, line {number} has no `{lacks[1]}`; its fields are {fields}"
                hint = f"name its field, as in `field` {lacks[1]}={_CALLED[lacks[1]]}"
                hint += "; `mode_name` direct= says what all without one are" * (lacks[1] == "mode")
                raise ArtifactError(msg, hint=hint) from None
            msg = f"{self._path}, line {number} is broken: {fault(error) or 'it cannot be read'}"
            status = "; `field` status= leaves out what says otherwise whether it is in order"
            hint = BROKEN_HINT + status * str(error).endswith("`$.status`")
            if isinstance(error, UnicodeDecodeError) and error.object == line:
                hint = f"{not_text(self._path, error).hint}, or {BROKEN_HINT.partition(' or ')[2]}"
            raise ArtifactError(msg, hint=hint) from None
        self._n_broken += 1
        if len(self._faults) < SHOWN:
            self._faults.append(number)

    def index(self, sha256: str) -> Index:
        """Return what was found."""
        self._check()
        return Index(
            path=self._path,
            sha256=sha256,
            n_lines=self._n,
            n_blank=self._n_blank,
            n_broken=self._n_broken,
            first_broken=tuple(self._faults),
            n_duplicates=self._n_rows - len(self._lines),
            n_unknown_modes=self._n_unknown,
            first_unknown_modes=tuple(self._modes),
            lines=self._lines,
            model_names=tuple(self._names),
            reasked=frozenset(self._again),
            stated=frozenset(self._stated),
            unheard={mode: n for mode, n in self._unheard.items() if mode not in self._heard},
        )


def _name(found: str | float) -> str:
    """Return an id as a text; programs write whole numbers with a point where some are missing."""
    if isinstance(found, float) and found.is_integer():
        return str(int(found))
    return str(found)


def _likely_text(line: bytes) -> str:
    """Return the field of a row that holds most: the text is the longest, as a rule."""
    row = msgspec.json.decode(line)
    own = {name: len(str(row[name])) for name in row if name not in FIELDS.values() and row[name]}
    return max(own, key=own.__getitem__, default="response")


def is_ok(status: str | None) -> bool:
    """Say whether a status is in order; none means that nothing went wrong."""
    return status is None or status.strip().lower() == "ok"


def _said(row: Rows) -> int | None:
    """Return what tells two answers apart; None where there is none."""
    if isinstance(row, StoredExtraction) or not is_ok(row.status):
        return None
    parts = (row.output_text, row.answer) if isinstance(row, BiasGeneration) else (row.output_text,)
    text = "\n".join(filter(None, parts)).strip()
    return hash(text) if text else None


def generations(index: Index, kind: type[Row]) -> Iterator[tuple[str, str, Row]]:
    """Yield the rows that count with their id and mode, in the order of the file."""
    keys = {line: key for key, line in index.lines.items()}
    decoder = msgspec.json.Decoder(kind)
    with opened_lines(index.place or index.path) as (lines, stored):
        for number, line in lines:
            if number in keys:
                name, mode = keys[number]
                yield name, mode, _decoded(decoder, line, index.path)
        if stored.digest.hexdigest() != (index.digest or index.sha256):
            raise _changed(index.path)


def _decoded(decoder: msgspec.json.Decoder[Row], line: bytes | None, path: str) -> Row:
    try:
        return decoder.decode(line or b"")
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _changed(path) from None


def _changed(path: str) -> ArtifactError:
    return ArtifactError(f"{path} changed while it was read", hint="start again when it is whole")
