"""Two systems side by side: on which cases, and what of it may be judged in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from statistics import fmean

from assay.errors import ArtifactError
from assay.families.verdicts.cases import Case, Frame, is_long, share_judged_right
from assay.families.verdicts.columns import Judged

__all__ = ["MACRO_F1", "bars", "compared_cases", "silence"]

LETTERS = 10
"""a quotation of fewer letters and digits may stand in any text"""
MACRO_F1 = "macro_f1"
"""what many systems are put in order by"""
SHORT = (
    "it is not better on the sources that both quote, without quotations of fewer than"
    f" {LETTERS} letters, which many texts hold"
)
HEDGED = "it is not better by whole words, where a judgement that names several is none"
UNLIKE = "one side is ranked by scores and the other by its verdicts"
LEFT_OUT = "cases that were not answered are left out, so failing may pay"


def compared_cases(left: Sequence[Case], right: Sequence[Case], frame: Frame) -> tuple[int, ...]:
    """Return the cases that two systems are compared on."""
    if frame.options.not_answered != "leave-out":
        return tuple(row for row, case in enumerate(left) if case.has_truth)
    both = enumerate(zip(left, right, strict=True))
    there = "missing"
    kept = [r for r, (a, b) in both if (a.answer.state == there) == (b.answer.state == there)]
    if not any(left[row].has_truth and left[row].answer.state != there for row in kept):
        msg = "two systems have no case with ground truth in common, so they cannot be compared"
        raise ArtifactError(msg, hint="`not_answered` wrong compares them on all cases")
    return tuple(kept)


def silence(left: Judged, right: Judged, frame: Frame) -> Callable[[str, str], str | None]:
    """Say which numbers failing may raise under the options, and which are not alike."""
    asked = [each for side in (left, right) for each in side.cases if each.true is not None]
    ranked = [s for side in (left, right) for s in side.scores if s is not None]
    left_out = frame.options.not_answered == "leave-out" and len(ranked) < len(asked)
    unread = frame.options.recall_over != "all" and any(not c.answer.structured for c in asked)

    unlike = len({left.ranked_by, right.ranked_by} - {"nothing"}) > 1

    def silent(_: str, label: str) -> str | None:
        if left_out:
            return LEFT_OUT
        if unlike and label.startswith(("ordinal_auprc", "threshold_auprc")):
            return UNLIKE
        return LEFT_OUT if unread and label == "evidence_recall" else None

    return silent


def bars(left: Judged, right: Judged, frame: Frame) -> Callable[[str, str, int], str | None]:
    """Say which word a side does not earn: of other quotations, or of hedged judgements."""
    known = {"snippet_validity": (_leading_quotations, SHORT)}
    if frame.options.matching != "words":
        known["judgement_accuracy"] = (_leading_judgements, HEDGED)

    @cache
    def lead(label: str) -> float:
        return known[label][0](left.cases, right.cases, frame)

    def barred(_: str, label: str, side: int) -> str | None:
        return known[label][1] if label in known and lead(label) * side <= 0 else None

    return barred


def _leading_quotations(left: Sequence[Case], right: Sequence[Case], frame: Frame) -> float:
    """Return how much more of what the right side quotes is valid, source by source.

    On sources that both quote, if there are some: neither to quote what is easy more often nor to
    quote less is a gain.
    """
    sides = [_telling(cases, frame) for cases in (left, right)]
    shared = sides[0].keys() & sides[1].keys()
    shares = [[side[key] for key in shared or side] for side in sides]
    return fmean(shares[1] or [0.0]) - fmean(shares[0] or [0.0])


def _telling(cases: Sequence[Case], frame: Frame) -> dict[tuple[str, object], float]:
    """Return by source the share of its quotations that are valid, and say whence they are."""
    found: dict[tuple[str, object], list[bool]] = defaultdict(list)
    for case in cases:
        for each in case.quotations:
            if each.checked:
                valid = frame.options.snippets in each.checked.valid
                told = valid and is_long(each.snippet, LETTERS)
                found[case.answer.case, each.claim.review_id].append(told)
    return {key: fmean(of) for key, of in found.items()}


def _leading_judgements(left: Sequence[Case], right: Sequence[Case], frame: Frame) -> float:
    return share_judged_right(right, frame) - share_judged_right(left, frame)
