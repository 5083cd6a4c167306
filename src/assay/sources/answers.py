"""What a result says: its verdict, rank score, evidences, rule and stated score, however malformed.

Nothing is compared here and nothing is refused: a part that is not what it should be is left as it
was found, for the comparison to count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any, Literal

import msgspec
import numpy as np

from assay.derive.spellings import key_of

State = Literal["structured", "unstructured", "failed", "missing"]
Failures = Literal["error", "error-key"]
AMOS = "amos"
BESIDE = "evidence stands beside parsed, not in it"
RANK_SCORE = "rank score"
SCORE_KEYS = ("FINAL_RISK_SCORE", "RISK_SCORE", "SCORE")
NO_INCIDENT = ("", "none")


@dataclass(frozen=True, slots=True)
class Answer:
    """One result as it was found."""

    case: str
    name: str | None
    state: State
    structured: bool
    """whether evidences can be read"""
    verdict: object
    """as given, None where there is none"""
    inner_verdict: object
    """the one beside the evidences, which may be another"""
    risk_score: float | None
    evidences: object
    """a list where the system wrote one"""
    rule: str | None
    stated_score: float | None
    malformed: tuple[str, ...] = ()
    """parts of the frame that are not what they should be"""


def missing(case: str) -> Answer:
    """Return the answer of a system that gave none."""
    return Answer(
        case=case,
        name=None,
        state="missing",
        structured=False,
        verdict=None,
        inner_verdict=None,
        risk_score=None,
        evidences=None,
        rule=None,
        stated_score=None,
    )


def answer_of(case: str, row: Mapping[str, Any], *, method: str, failures: Failures) -> Answer:
    """Read one result; `method` decides how, and `failures` which results are failed ones."""
    parsed = extracted(row) if method.strip().lower() == AMOS else row.get("parsed")
    named = row.get("name")
    faults: list[str] = []
    fields = parsed if isinstance(parsed, dict) else {}
    if not isinstance(parsed, dict | None):
        faults.append("parsed is not an object")
    evidences, score = key_of(fields, "evidences"), key_of(row, "rank_score")
    if evidences not in fields and row.get(key_of(row, "evidences")):
        faults.append(BESIDE)
    justification = fields.get("justification")
    if not isinstance(justification, dict | None):
        faults.append("justification is not an object")
    reasons = justification if isinstance(justification, dict) else {}
    verdict = row.get("verdict")
    # Under the convention of the reference the one that is parsed counts for extractions alone.
    looks_inside = failures != "error-key" or parsed is not row.get("parsed")
    state = _state(row, failures, has_evidences=evidences in fields)
    return Answer(
        case=case,
        name=named if isinstance(named, str) else None,
        state=state,
        # The reference leaves failed results in the numbers about evidence.
        structured=evidences in fields and (state != "failed" or failures == "error-key"),
        verdict=fields.get("verdict") if verdict is None and looks_inside else verdict,
        inner_verdict=fields.get("verdict"),
        risk_score=_number(row.get(score), RANK_SCORE, faults),
        evidences=fields.get(evidences),
        rule=_text(reasons.get("triggered_rule"), faults),
        stated_score=_stated(reasons.get("scoring_trace"), faults),
        malformed=tuple(faults),
    )


def _state(row: Mapping[str, Any], failures: Failures, *, has_evidences: bool) -> State:
    failed = "error" in row if failures == "error-key" else row.get("error") is not None
    if failed:
        return "failed"
    return "structured" if has_evidences else "unstructured"


def _number(value: object, what: str, faults: list[str]) -> float | None:
    if value is None:
        return None
    # A number of NumPy in an array of no dimension is one too.
    found = value.item() if isinstance(value, np.ndarray) and not value.ndim else value
    if not isinstance(found, bool) and isinstance(found, Real | Decimal):
        try:
            number = float(found)
        except (OverflowError, ValueError):
            number = math.nan
        if math.isfinite(number):
            return number
    faults.append(f"{what} is not a number")
    return None


def _text(value: object, faults: list[str]) -> str | None:
    if isinstance(value, str):
        return value
    if value is not None:
        faults.append("triggered_rule is not a text")
    return None


def _stated(trace: object, faults: list[str]) -> float | None:
    if isinstance(trace, dict):
        return _number(trace.get("total_score"), "total_score", faults)
    if trace is not None:
        faults.append("scoring_trace is not an object")
    return None


def extracted(row: Mapping[str, Any]) -> object:
    """Read the response of a system that extracts fields source by source.

    A response that is not such an object leaves what was parsed.
    """
    response = row.get("response")
    found: object = response
    if isinstance(response, str):
        try:
            found = msgspec.json.decode(response.encode(errors="replace"))
        except (msgspec.DecodeError, RecursionError):
            return row.get("parsed")
    if not isinstance(found, dict) or not ({"_extractions", "VERDICT"} & found.keys()):
        return row.get("parsed")
    namespace = found.get("_namespace")
    held = {**namespace, **found} if isinstance(namespace, dict) else found
    score = next((held[key] for key in SCORE_KEYS if held.get(key) is not None), None)
    verdict = row.get("verdict")
    return {
        "verdict": found.get("VERDICT") if verdict is None else verdict,
        "evidences": evidences_of_extractions(found.get("_extractions")),
        "justification": {"scoring_trace": {"total_score": score}},
    }


def evidences_of_extractions(extractions: object) -> object:
    """Return the evidences in extractions: relevant ones that report something.

    What is not a list is returned as it is, and a part that is not an object stays, so that both
    are counted as malformed.
    """
    if not isinstance(extractions, list):
        return [] if extractions is None else extractions
    evidences: list[object] = []
    for number, found in enumerate(extractions, start=1):
        if not isinstance(found, dict):
            evidences.append(found)
            continue
        severity = found.get("INCIDENT_SEVERITY")
        if found.get("is_relevant") is not True or severity is None:
            continue
        if isinstance(severity, str) and severity.strip().lower() in NO_INCIDENT:
            continue
        evidences += _evidences(found, f"E{number}", severity)
    return evidences


def _evidences(found: Mapping[str, Any], name: str, severity: object) -> list[dict[str, Any]]:
    source = {"review_id": found.get("review_id")}
    quoted = {"snippet": found["snippet"]} if "snippet" in found else {}
    rows: list[dict[str, Any]] = [
        {
            "evidence_id": name,
            **source,
            "field": "INCIDENT_SEVERITY",
            "judgement": severity,
            **quoted,
        }
    ]
    assurance = found.get("ASSURANCE_CLAIM")
    if assurance is not None:
        claimed = _claimed(assurance)
        field = {"evidence_id": f"{name}_AC", "field": "ASSURANCE_CLAIM", "judgement": claimed}
        rows.append({**source, **field})
    response = found.get("STAFF_RESPONSE")
    if response:
        field = {"evidence_id": f"{name}_SR", "field": "STAFF_RESPONSE", "judgement": response}
        rows.append({**source, **field})
    return rows


def _claimed(assurance: object) -> object:
    return ("true" if assurance else "false") if isinstance(assurance, bool) else assurance
