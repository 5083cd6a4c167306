"""Two systems side by side: on which cases, and what of it may be judged in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.errors import ArtifactError
from assay.families.verdicts.cases import Case, Frame, is_long
from assay.families.verdicts.columns import Judged

__all__ = ["MACRO_F1", "bars", "compared_cases", "silence"]

LETTERS = 10
"""a quotation of fewer letters and digits may stand in any text"""
MACRO_F1 = "macro_f1"
"""what many systems are put in order by"""
SHORT = (
    f"it is not better without quotations of fewer than {LETTERS} letters, which many texts hold"
)
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
    """Say which word a side does not earn: that of quotations which are valid for being short."""
    telling = [_telling_share(side, frame.options.snippets) for side in (left, right)]

    def barred(_: str, label: str, side: int) -> str | None:
        earned = label != "snippet_validity" or (telling[1] - telling[0]) * side > 0
        return None if earned else SHORT

    return barred


def _telling_share(side: Judged, mode: str) -> float:
    """Return the share of all quotations that are valid, and long enough to say whence they are."""
    quoted = [(q.snippet, q.checked.valid) for c in side.cases for q in c.quotations if q.checked]
    valid = sum(mode in modes and is_long(snippet, LETTERS) for snippet, modes in quoted)
    return valid / max(1, len(quoted))
