"""Every quotation of a system against the review it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.derive.evidence import Claim, Claims
from assay.derive.snippets import Checked, Mode, Quotation, check_quotations
from assay.sources.verdicts import Reviews

__all__ = ["Quoted", "check_all"]

NOWHERE = ""
"""stands for the review of a quotation that names none"""


@dataclass(frozen=True, slots=True)
class Quoted:
    """One quotation and what became of it."""

    claim: Claim
    snippet: str
    checked: Checked | None
    """None where the case has no reviews"""


def check_all(
    claims: Mapping[str, Claims], reviews: Reviews | None, mode: Mode
) -> dict[str, tuple[Quoted, ...]]:
    """Check the quotations of all cases at once.

    One that names no review can be in none, and is counted so; the reference does not count it,
    and counts one of white space only.
    """
    if reviews is None:
        return {}
    quoted = [
        (case, claim, claim.snippet)
        for case, of_case in claims.items()
        for claim in of_case.items
        if claim.snippet is not None
        and (claim.review_id is not None if mode == "reference" else claim.snippet.strip())
    ]
    known = [each for each in quoted if reviews.texts.get(each[0])]
    checked = check_quotations(
        [
            Quotation(case, NOWHERE if claim.review_id is None else claim.review_id, snippet)
            for case, claim, snippet in known
        ],
        reviews.texts,
    )
    found = {
        (case, claim.number): each for (case, claim, _), each in zip(known, checked, strict=True)
    }
    rows: dict[str, list[Quoted]] = {}
    for case, claim, snippet in quoted:
        rows.setdefault(case, []).append(Quoted(claim, snippet, found.get((case, claim.number))))
    return {case: tuple(of_case) for case, of_case in rows.items()}
