"""Results of systems that judge cases, their ground truth and the reviews they quote.

What a model wrote is kept as it is found, however malformed: only the frame of a file must be
what it says, and what became of the rest is counted where it is compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from numbers import Integral
from typing import Any

import msgspec

from assay.errors import ArtifactError
from assay.showing import listed, quoted
from assay.sources.content import Content, decoded_json, is_object, load

__all__ = [
    "GroundTruth",
    "Results",
    "Reviews",
    "ground_truth_of",
    "read_ground_truth",
    "read_results",
    "read_reviews",
    "results_of",
    "reviews_of",
]

Object = dict[str, Any]
CASE_KEYS = ("business_id", "case_id", "sample_id")
RESULT_KEYS = ("results", "per_sample_results")
ANSWER_KEYS = frozenset({"parsed", "response", "risk_score", "error", "evidences"})
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
    "results are a list of objects with business_id and parsed, alone, as JSON lines or under the"
    " key results"
)
TRUTH_HINT = (
    "ground truth is an object with restaurants, each with its ground_truth of verdict and"
    " incidents"
)
INCIDENTS_HINT = (
    "`incidents` are what is true of the reviews: objects with review_id, severity_field and"
    " severity_value, perhaps modifiers"
)
REVIEWS_HINT = (
    "reviews are an object of business_id, review_id and text, or lines with these three keys"
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

    def text(self, key: str) -> str | None:
        """Return what the file says about itself under a key, if it is text."""
        found = self.about.get(key)
        return found if isinstance(found, str) and found.strip() else None

    @property
    def k(self) -> int | None:
        """How many reviews a case has."""
        return _k(self.about)


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """What is true of every case: its verdict, and the incidents in its reviews."""

    path: str
    sha256: str | None
    cases: Mapping[str, Object]
    """verdict, score, incidents, name and categories by case id"""
    policy_id: str | None = None
    k: int | None = None


@dataclass(frozen=True, slots=True)
class Reviews:
    """The texts that can be quoted, by case and review."""

    path: str
    sha256: str | None
    texts: Mapping[str, Mapping[str, str]]
    dates: Mapping[str, Mapping[str, str]]
    """where the file has them"""


def read_results(path: str) -> Results:
    """Read what a system answered; an answer with a character that is none has failed."""
    content = load(path)
    readable = _marked(content.data)
    found = _decoded(replace(content, data=readable), RESULTS_HINT)
    if readable != content.data:
        found = _failed(found)
        if MARK in msgspec.json.encode(found).decode():
            # It stands in no answer, so there is none that it could fail.
            _decoded(content, RESULTS_HINT)
    return results_of(found, path=content.path, sha256=content.sha256)


def _marked(data: bytes) -> bytes:
    """Put a mark that JSON can hold where a character is none: half a pair, a byte, a control."""
    if data.isascii() and not BAD_ASCII.search(data):
        return data
    text = data.decode(errors="surrogateescape")
    text = ESCAPES.sub(lambda found: found[1] or MARK, text)
    return BAD.sub(MARK, text).encode()


def _failed(found: object) -> Any:
    """Turn every result that holds a mark into a failed one, wherever results stand."""
    if isinstance(found, list):
        return [_failed_row(row) for row in found]
    if isinstance(found, dict):
        return {k: _failed(v) if k in RESULT_KEYS else v for k, v in found.items()}
    return found


def _failed_row(row: object) -> object:
    if not isinstance(row, dict) or MARK not in msgspec.json.encode(row).decode():
        return row
    return {key: row[key] for key in (*CASE_KEYS, "business") if key in row} | {"error": NO_TEXT}


def read_ground_truth(path: str) -> GroundTruth:
    """Read what is true."""
    content = load(path)
    found = _decoded(content, TRUTH_HINT)
    return ground_truth_of(found, path=content.path, sha256=content.sha256)


def read_reviews(path: str) -> Reviews:
    """Read the texts that can be quoted."""
    content = load(path)
    return reviews_of(_decoded(content, REVIEWS_HINT), path=content.path, sha256=content.sha256)


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


def results_of(found: object, *, path: str, sha256: str | None = None) -> Results:
    """See what JSON holds as the results of a system."""
    about: Object = {}
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
    return Results(path, sha256, layout or "list", _by_case(rows, path, "result"), about)


def _one_result(found: Object, path: str) -> list[Any]:
    """Take an object for a file of one line, or say what it is instead."""
    if "restaurants" in found:
        msg = f"{path} is a ground-truth file (it has the key restaurants) and was given as results"
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
        for key in CASE_KEYS:
            if holder.get(key) is not None:
                return _id(holder, key, place, hint)
    msg = f"{place} names no case: none of {', '.join(CASE_KEYS)}"
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
    holder: object = about.get("restaurants", about.get("cases", found))
    if isinstance(holder, dict):
        rows = [(str(case), row, f"{path}, case {quoted(case)}") for case, row in holder.items()]
    elif isinstance(holder, list):
        rows = list(_rows(holder, path, "case", TRUTH_HINT))
        if any(row.keys() & {"parsed", "response"} for _, row, _ in rows):
            msg = f"{path} holds the results of a system and was given as ground truth"
            raise ArtifactError(msg, hint=TRUTH_HINT)
        if any("review_id" in row for _, row, _ in rows):
            msg = f"{path} holds reviews and was given as ground truth"
            raise ArtifactError(msg, hint=TRUTH_HINT)
        _by_case(rows, path, "ground truth")
    else:
        raise ArtifactError(f"{path} has no cases: no object restaurants", hint=TRUTH_HINT)
    if not rows:
        raise ArtifactError(f"{path} has no cases: restaurants is empty", hint=TRUTH_HINT)
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
        raise ArtifactError(f"{place} must be an object, found {_kind(row)}", hint=TRUTH_HINT)
    within = row.get("ground_truth")
    truth = within if isinstance(within, dict) else row
    if not isinstance(truth.get("verdict"), str) or not truth["verdict"].strip():
        found = _kind(truth.get("verdict"))
        msg = f"{place}: `verdict` must be a text that is not empty, found {found}"
        raise ArtifactError(msg, hint=TRUTH_HINT)
    incidents = truth.get("incidents")
    if incidents is None:
        _check_lists({**row, **truth}, place)
    kept = incidents if incidents is not None else []
    if not isinstance(kept, list):
        msg = f"{place}: `incidents` must be a list, found {_kind(kept)}"
        raise ArtifactError(msg, hint=TRUTH_HINT)
    for number, incident in enumerate(kept, start=1):
        _check_incident(incident, f"{place}, incident {number}")
    beside = {key: row[key] for key in ("name", "categories", "n_reviews") if key in row}
    return {**beside, **truth, "incidents": kept}


def _check_lists(truth: Object, place: str) -> None:
    """Refuse incidents under another name: without them no claim could be right."""
    for key, found in truth.items():
        if key != "reviews" and isinstance(found, list) and any(map(_object, found)):
            msg = f"{place} has no `incidents`, found {quoted(key)}, a list of objects"
            raise ArtifactError(msg, hint=INCIDENTS_HINT)


def _check_incident(incident: object, place: str) -> None:
    if not isinstance(incident, dict):
        msg = f"{place} must be an object, found {_kind(incident)}"
        raise ArtifactError(msg, hint=TRUTH_HINT)
    _id(incident, "review_id", place, TRUTH_HINT)


def reviews_of(found: object, *, path: str, sha256: str | None = None) -> Reviews:
    """See what JSON holds as reviews."""
    texts: dict[str, dict[str, str]] = {}
    dates: dict[str, dict[str, str]] = {}

    def add(case: str, review: str, row: object, place: str) -> None:
        text, date = _review(row, place)
        known = texts.setdefault(case, {})
        if known.get(review, text) != text:
            msg = f"{place}: review {quoted(review)} of case {quoted(case)} has two texts"
            raise ArtifactError(msg, hint="one text per review; remove the other")
        known[review] = text
        if date is not None:
            dates.setdefault(case, {})[review] = date

    if isinstance(found, dict):
        _mapped(found, path, add, texts)
    elif isinstance(found, list):
        for case, row, place in _rows(found, path, "row", REVIEWS_HINT):
            _row_of_reviews(case, row, place, add, texts)
    if not any(texts.values()):
        raise ArtifactError(f"{path} holds no review", hint=REVIEWS_HINT)
    return Reviews(path, sha256, texts, dates)


Add = Callable[[str, str, object, str], None]


def _mapped(found: Object, path: str, add: Add, texts: dict[str, dict[str, str]]) -> None:
    if "restaurants" in found and "policy_id" in found:
        msg = f"{path} is a ground-truth file and was given as reviews"
        raise ArtifactError(msg, hint=REVIEWS_HINT)
    if any(isinstance(found.get(key), list) for key in RESULT_KEYS):
        msg = f"{path} holds the results of a system and was given as reviews"
        raise ArtifactError(msg, hint=REVIEWS_HINT)
    holder = found.get("reviews_data", found)
    if any(key in found for key in CASE_KEYS):
        case = _case_id(found, path, REVIEWS_HINT)
        _row_of_reviews(case, found, f"{path}, row 1", add, texts)
        return
    for case, reviews in _object(holder).items():
        _reviews_of_case(case, reviews, f"{path}, case {quoted(case)}", add, texts)


def _row_of_reviews(
    case: str, row: Object, place: str, add: Add, texts: dict[str, dict[str, str]]
) -> None:
    if "reviews" in row:
        _reviews_of_case(case, row["reviews"], place, add, texts)
    elif "review_id" in row:
        add(case, _id(row, "review_id", place, REVIEWS_HINT), row, place)
    else:
        msg = f"{place} has neither reviews nor review_id and text"
        raise ArtifactError(msg, hint=REVIEWS_HINT)


def _reviews_of_case(
    case: str, reviews: object, place: str, add: Add, texts: dict[str, dict[str, str]]
) -> None:
    texts.setdefault(case, {})
    if isinstance(reviews, dict):
        for review, text in reviews.items():
            add(case, _id({"review_id": review}, "review_id", place, REVIEWS_HINT), text, place)
    elif isinstance(reviews, list):
        for number, row in enumerate(reviews, start=1):
            where = f"{place}, review {number}"
            if not isinstance(row, dict):
                msg = f"{where} must be an object, found {_kind(row)}"
                raise ArtifactError(msg, hint=REVIEWS_HINT)
            add(case, _id(row, "review_id", where, REVIEWS_HINT), row, where)
    else:
        msg = f"{place} must hold reviews by id or in a list, found {_kind(reviews)}"
        raise ArtifactError(msg, hint=REVIEWS_HINT)


def _review(row: object, place: str) -> tuple[str, str | None]:
    """Return the text of a review, and its date where there is one."""
    text = row.get("text") if isinstance(row, dict) else row
    if not isinstance(text, str):
        msg = f"{place}: `text` must be a text, found {_kind(text)}"
        raise ArtifactError(msg, hint=REVIEWS_HINT)
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
