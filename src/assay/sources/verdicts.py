"""Results of systems that judge cases, their ground truth and the sources they quote.

What a model wrote is kept as it is found, however malformed: only the frame of a file must be
what it says, and what became of the rest is counted where it is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from numbers import Integral
from typing import Any

import msgspec

from assay.derive.spellings import SPELLINGS, Renaming, key_of
from assay.errors import ArtifactError
from assay.showing import listed, quoted
from assay.sources.content import Content, decoded_json, is_object, load

Object = dict[str, Any]
CASE_KEYS = SPELLINGS["case_id"]
RESULT_KEYS = ("results", "per_sample_results")
ANSWER_KEYS = frozenset(
    {"parsed", "response", "error", *SPELLINGS["rank_score"], *SPELLINGS["evidences"]}
)
AS_IT_IS = Renaming()
SHOWN = 3
MARK = "\ufdd0"
"""a code that stands for no character, and so in no text"""
NO_TEXT = "the answer holds a character that cannot be read"
ESCAPES = re.compile(
    r"(\\[^u]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
"""pairs of escapes that are one character, and halves of such a pair"""
BAD_ASCII = re.compile(rb"\\u[dD][89a-fA-F]|[\x00-\x08\x0b\x0c\x0e-\x1f]")
BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
RESULTS_HINT = (
    "results are a list of objects with case_id and parsed, alone, as JSON lines or under the key"
    " results"
)
TRUTH_HINT = (
    "ground truth is an object with cases, each with its ground_truth of verdict and findings"
)
FINDINGS_HINT = (
    "findings are what is true of the sources: objects with source_id, field and value, perhaps"
    " modifiers"
)
SOURCES_HINT = (
    "sources are an object of case_id, source_id and text, or lines with these three keys"
)


@dataclass(frozen=True, slots=True)
class Results:
    """What one system answered, case by case, as it was written."""

    path: str
    sha256: str | None
    format: str
    cases: Mapping[str, Object]
    """by case id, in the order of the file"""
    about: Object
    """what stands beside the results: run_id, policy_id, method, model, k and more"""
    written: Sequence[Object]
    """the results under the keys that the file has for them"""
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """by role, the cluster and the group of every case, where a table names them"""

    def text(self, key: str) -> str | None:
        """Return what the file says about itself under a key, if it is text."""
        found = self.about.get(key)
        return found if isinstance(found, str) and found.strip() else None

    @property
    def k(self) -> int | None:
        """How many sources a case has."""
        return _k(self.about)


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """What is true of every case: its verdict, and the findings in its sources."""

    path: str
    sha256: str | None
    cases: Mapping[str, Object]
    """verdict, score, findings (as `incidents`), name and categories by case id"""
    policy_id: str | None = None
    k: int | None = None


@dataclass(frozen=True, slots=True)
class Reviews:
    """The texts that can be quoted, by case and source."""

    path: str
    sha256: str | None
    texts: Mapping[str, Mapping[str, str]]
    dates: Mapping[str, Mapping[str, str]]
    """where the file has them"""


def read_results(path: str, renaming: Renaming = AS_IT_IS) -> Results:
    """Read what a system answered; an answer with a character that is none has failed."""
    content = load(path)
    readable = _marked(content.data)
    found = _decoded(replace(content, data=readable), RESULTS_HINT)
    if readable != content.data:
        found = _failed(found, renaming)
        if MARK in msgspec.json.encode(found).decode():
            # It stands in no answer, so the file as it is says what is wrong.
            found = _decoded(content, RESULTS_HINT)
    return results_of(found, path=content.path, sha256=content.sha256, renaming=renaming)


def _marked(data: bytes) -> bytes:
    """Put a mark that JSON can hold where a character is none: half a pair, a byte, a control."""
    if data.isascii() and not BAD_ASCII.search(data):
        return data
    text = data.decode(errors="surrogateescape")
    text = ESCAPES.sub(lambda found: found[1] or MARK, text)
    return BAD.sub(MARK, text).encode()


def _failed(found: object, renaming: Renaming) -> Any:
    """Turn every result that holds a mark into a failed one, wherever results stand."""
    if isinstance(found, list):
        return [_failed_row(row, renaming) for row in found]
    if isinstance(found, dict):
        names = {key: renaming.names.get(key, key) for key in found}
        held = {key: found[key] for key in found if names[key] in RESULT_KEYS}
        return {**found, **{key: _failed(each, renaming) for key, each in held.items()}}
    return found


def _failed_row(row: object, renaming: Renaming) -> object:
    if not isinstance(row, dict) or MARK not in msgspec.json.encode(row).decode():
        return row
    kept = {key for key in row if renaming.names.get(key, key) in {*CASE_KEYS, "business"}}
    return {key: row[key] for key in row if key in kept} | {"error": NO_TEXT}


def read_ground_truth(path: str, renaming: Renaming = AS_IT_IS) -> GroundTruth:
    """Read what is true."""
    content = load(path)
    found = renaming(_decoded(content, TRUTH_HINT))
    return ground_truth_of(found, path=content.path, sha256=content.sha256)


def read_reviews(path: str, renaming: Renaming = AS_IT_IS) -> Reviews:
    """Read the texts that can be quoted."""
    content = load(path)
    found = renaming(_decoded(content, SOURCES_HINT))
    return reviews_of(found, path=content.path, sha256=content.sha256)


def _decoded(content: Content, hint: str) -> Object | list[Any]:
    """Return JSON as one object or list, or JSON lines as a list."""
    whole = msgspec.json.Decoder(type=dict[str, Any] | list[Any])
    data = content.data.strip()
    first, _, rest = data.partition(b"\n")
    if rest.strip() and first.strip().startswith(b"{") and is_object(first):
        line = msgspec.json.Decoder(type=dict[str, Any])
        return [
            decoded_json(line, each, place=f"{content.path}, line {number}", hint=hint)
            for number, each in enumerate(content.data.splitlines(), start=1)
            if each.strip()
        ]
    found: Object | list[Any] = decoded_json(whole, content.data, place=content.path, hint=hint)
    return found


def results_of(
    given: object, *, path: str, sha256: str | None = None, renaming: Renaming = AS_IT_IS
) -> Results:
    """See what JSON holds as the results of a system."""
    about: Object = {}
    found = renaming(given)
    listed: object = found
    layout = "list"
    if isinstance(found, dict):
        layout = next((key for key in RESULT_KEYS if isinstance(found.get(key), list)), "")
        if not layout:
            listed = _one_result(found, path)
        else:
            listed = found[layout]
            about = {key: value for key, value in found.items() if key not in RESULT_KEYS}
            about = {**_object(found.get("metadata")), **about}
    if not isinstance(listed, list):
        raise ArtifactError(f"{path} holds no list of results", hint=RESULTS_HINT)
    rows = list(_rows(listed, path, "result", RESULTS_HINT))
    if not rows:
        msg = f"{path} holds no results: its list is empty"
        raise ArtifactError(msg, hint="run the system first, or name another file")
    _check_results(rows, path)
    written = _written(given, layout, renaming)
    return Results(path, sha256, layout or "list", _by_case(rows, path, "result"), about, written)


def _written(given: Any, layout: str, renaming: Renaming) -> Sequence[Object]:
    """Return the results as they were before any key was renamed."""
    if isinstance(given, list):
        return given
    holders = [key for key in given if renaming.names.get(key, key) == layout]
    return given[holders[0]] if holders else [given]


def _one_result(found: Object, path: str) -> list[Any]:
    """Take an object for a file of one line, or say what it is instead."""
    if key := next((each for each in SPELLINGS["cases"] if each in found), None):
        msg = f"{path} is a ground-truth file (it has the key {key}) and was given as results"
        raise ArtifactError(msg, hint="`results` takes what a system answered")
    if "kind" in found and "schema_version" in found:
        msg = f"{path} is an artifact of the kind {quoted(found['kind'])} and was given as results"
        raise ArtifactError(msg, hint="`results` takes what a system answered")
    if any(key in found for key in CASE_KEYS):
        return [found]
    keys = listed(islice(found, SHOWN)) if found else "no key"
    msg = f"{path} has no list of results: no key {' or '.join(RESULT_KEYS)}, found {keys}"
    raise ArtifactError(msg, hint=RESULTS_HINT)


def _check_results(rows: list[tuple[str, Object, str]], path: str) -> None:
    """Refuse lists of something else: no row holds anything that a system answers."""
    if any("ground_truth" in row for _, row, _ in rows):
        msg = f"{path} holds ground truth and was given as results"
        raise ArtifactError(msg, hint="`results` takes what a system answered")
    if not any(ANSWER_KEYS & row.keys() or "verdict" in row for _, row, _ in rows):
        keys = listed(islice(rows[0][1], SHOWN))
        msg = f"{path} holds no answers: no result has parsed, response, verdict or error,"
        raise ArtifactError(f"{msg} found {keys}", hint=RESULTS_HINT)


def _rows(listed: list[Any], path: str, what: str, hint: str) -> Iterator[tuple[str, Object, str]]:
    for number, row in enumerate(listed, start=1):
        place = f"{path}, {what} {number}"
        if not isinstance(row, dict):
            found = _kind(row)
            raise ArtifactError(f"{place} must be an object, found {found}", hint=hint)
        yield _case_id(row, place, hint), row, place


def _case_id(row: Object, place: str, hint: str) -> str:
    for holder in (row, _object(row.get("business"))):
        if holder.get(key := key_of(holder, "case_id")) is not None:
            return _id(holder, key, place, hint)
    names = dict.fromkeys(["case_id", *CASE_KEYS])
    msg = f"{place} names no case: none of {', '.join(names)}"
    raise ArtifactError(msg, hint=hint)


def _id(holder: Object, key: str, place: str, hint: str) -> str:
    """Return an id as text; a whole number is one too."""
    found = holder.get(key)
    if isinstance(found, str) and found:
        return found
    if not isinstance(found, bool) and isinstance(found, Integral):
        return str(found)
    msg = f"{place}: `{key}` must be a text that is not empty, found {_kind(found)}"
    raise ArtifactError(msg, hint=hint)


def _by_case(rows: list[tuple[str, Object, str]], path: str, what: str) -> dict[str, Object]:
    cases: dict[str, Object] = {}
    again: list[str] = []
    for case, row, _ in rows:
        if case in cases:
            again.append(case)
        cases.setdefault(case, row)
    if again:
        shown = ", ".join(quoted(case) for case in islice(dict.fromkeys(again), SHOWN))
        msg = f"{path} has more than one {what} of a case, {len(again)} too many: {shown}"
        raise ArtifactError(msg, hint=f"one {what} per case; keep one of them")
    return cases


def ground_truth_of(found: object, *, path: str, sha256: str | None = None) -> GroundTruth:
    """See what JSON holds as the ground truth."""
    about = found if isinstance(found, dict) else {}
    if any(isinstance(about.get(key), list) for key in RESULT_KEYS):
        msg = f"{path} holds the results of a system and was given as ground truth"
        raise ArtifactError(msg, hint=TRUTH_HINT)
    holder: object = about.get(key_of(about, "cases"), found)
    if isinstance(holder, dict):
        rows = [(str(case), row, f"{path}, case {quoted(case)}") for case, row in holder.items()]
    elif isinstance(holder, list):
        rows = list(_rows(holder, path, "case", TRUTH_HINT))
        if any(row.keys() & {"parsed", "response"} for _, row, _ in rows):
            msg = f"{path} holds the results of a system and was given as ground truth"
            raise ArtifactError(msg, hint=TRUTH_HINT)
        if any(key in row for key in SPELLINGS["source_id"] for _, row, _ in rows):
            msg = f"{path} holds sources and was given as ground truth"
            raise ArtifactError(msg, hint=TRUTH_HINT)
        _by_case(rows, path, "ground truth")
    else:
        raise ArtifactError(f"{path} has no cases: it holds no object of them", hint=TRUTH_HINT)
    if not rows:
        raise ArtifactError(f"{path} has no cases: their object is empty", hint=TRUTH_HINT)
    policy = about.get("policy_id")
    return GroundTruth(
        path=path,
        sha256=sha256,
        cases={case: _truth(row, place) for case, row, place in rows},
        policy_id=policy if isinstance(policy, str) and policy.strip() else None,
        k=_k(about),
    )


def _truth(row: object, place: str) -> Object:
    """Return what is true of one case; a bare text is its verdict."""
    if isinstance(row, str):
        return {"verdict": row, "incidents": []}
    if not isinstance(row, dict):
        # A list is rather that of all cases, under a key of its own.
        hint = f"{TRUTH_HINT}; `map` reads another key as cases"
        hint = hint if isinstance(row, list) else TRUTH_HINT
        raise ArtifactError(f"{place} must be an object, found {_kind(row)}", hint=hint)
    within = row.get("ground_truth")
    truth = within if isinstance(within, dict) else row
    if not isinstance(truth.get("verdict"), str) or not truth["verdict"].strip():
        found = _kind(truth.get("verdict"))
        msg = f"{place}: `verdict` must be a text that is not empty, found {found}"
        raise ArtifactError(msg, hint=TRUTH_HINT)
    key = key_of(truth, "findings")
    if truth.get(key) is None:
        _check_lists({**row, **truth}, place)
    kept = truth[key] if truth.get(key) is not None else []
    if not isinstance(kept, list):
        msg = f"{place}: `{key}` must be a list, found {_kind(kept)}"
        raise ArtifactError(msg, hint=TRUTH_HINT)
    for number, finding in enumerate(kept, start=1):
        _check_finding(finding, f"{place}, finding {number}")
    beside = {key: row[key] for key in ("name", "categories", "n_reviews") if key in row}
    return {**beside, **truth, "incidents": kept}


def _check_lists(truth: Object, place: str) -> None:
    """Refuse findings under another name: without them no claim could be right."""
    for key, found in truth.items():
        known = key in SPELLINGS["sources"]
        if not known and isinstance(found, list) and any(map(_object, found)):
            msg = f"{place} has no `findings`, found {quoted(key)}, a list of objects"
            raise ArtifactError(msg, hint=FINDINGS_HINT)


def _check_finding(finding: object, place: str) -> None:
    if not isinstance(finding, dict):
        msg = f"{place} must be an object, found {_kind(finding)}"
        raise ArtifactError(msg, hint=TRUTH_HINT)
    _id(finding, key_of(finding, "source_id"), place, FINDINGS_HINT)


def reviews_of(found: object, *, path: str, sha256: str | None = None) -> Reviews:
    """See what JSON holds as sources."""
    held = _Texts()
    if isinstance(found, dict):
        held.mapped(found, path)
    elif isinstance(found, list):
        for case, row, place in _rows(found, path, "row", SOURCES_HINT):
            held.row(case, row, place)
    if not any(held.texts.values()):
        raise ArtifactError(f"{path} holds no source", hint=SOURCES_HINT)
    return Reviews(path, sha256, held.texts, held.dates)


@dataclass(frozen=True, slots=True)
class _Texts:
    """Sources as they are met, by case."""

    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    dates: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, case: str, review: str, row: object, place: str) -> None:
        text, date = _review(row, place)
        known = self.texts.setdefault(case, {})
        if known.get(review, text) != text:
            msg = f"{place}: source {quoted(review)} of case {quoted(case)} has two texts"
            raise ArtifactError(msg, hint="one text per source; remove the other")
        known[review] = text
        if date is not None:
            self.dates.setdefault(case, {})[review] = date

    def mapped(self, found: Object, path: str) -> None:
        if "policy_id" in found and any(key in found for key in SPELLINGS["cases"]):
            msg = f"{path} is a ground-truth file and was given as sources"
            raise ArtifactError(msg, hint=SOURCES_HINT)
        if any(isinstance(found.get(key), list) for key in RESULT_KEYS):
            msg = f"{path} holds the results of a system and was given as sources"
            raise ArtifactError(msg, hint=SOURCES_HINT)
        holder = found.get("reviews_data", found.get("sources", found))
        if any(key in found for key in CASE_KEYS):
            self.row(_case_id(found, path, SOURCES_HINT), found, f"{path}, row 1")
            return
        for case, reviews in _object(holder).items():
            self.of_case(case, reviews, f"{path}, case {quoted(case)}")

    def row(self, case: str, row: Object, place: str) -> None:
        within, key = (key_of(row, name) for name in ("sources", "source_id"))
        if within in row:
            self.of_case(case, row[within], place)
        elif key in row:
            self.add(case, _id(row, key, place, SOURCES_HINT), row, place)
        else:
            msg = f"{place} has neither sources nor source_id and text"
            raise ArtifactError(msg, hint=SOURCES_HINT)

    def of_case(self, case: str, reviews: object, place: str) -> None:
        self.texts.setdefault(case, {})
        if isinstance(reviews, dict):
            for review, text in reviews.items():
                name = _id({"source_id": review}, "source_id", place, SOURCES_HINT)
                self.add(case, name, text, place)
        elif isinstance(reviews, list):
            for number, row in enumerate(reviews, start=1):
                where = f"{place}, source {number}"
                if not isinstance(row, dict):
                    msg = f"{where} must be an object, found {_kind(row)}"
                    raise ArtifactError(msg, hint=SOURCES_HINT)
                name = _id(row, key_of(row, "source_id"), where, SOURCES_HINT)
                self.add(case, name, row, where)
        else:
            msg = f"{place} must hold sources by id or in a list, found {_kind(reviews)}"
            raise ArtifactError(msg, hint=SOURCES_HINT)


def _review(row: object, place: str) -> tuple[str, str | None]:
    """Return the text of a source, and its date where there is one."""
    text = row.get("text") if isinstance(row, dict) else row
    if not isinstance(text, str):
        msg = f"{place}: `text` must be a text, found {_kind(text)}"
        raise ArtifactError(msg, hint=SOURCES_HINT)
    date = row.get("date") if isinstance(row, dict) else None
    return text, date if isinstance(date, str) else None


def _object(value: object) -> Object:
    return value if isinstance(value, dict) else {}


def _k(about: Object) -> int | None:
    found = about.get("k")
    if isinstance(found, bool) or not isinstance(found, Integral) or found <= 0:
        return None
    return int(found)


KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def _kind(value: object) -> str:
    return "an empty text" if value == "" else KINDS.get(type(value), type(value).__name__)
