"""What an evaluation of verdicts is about: its files, its policy, its truth, and its caveats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assay.artifacts import Resampling
from assay.artifacts.verdicts import GoldRecord, PolicyRecord, VerdictInput
from assay.derive.policies import normalised_verdict
from assay.evaluate.verdicts.numbers import positive_end
from assay.showing import counted

if TYPE_CHECKING:
    from assay.evaluate.verdicts.cases import Case, Frame
    from assay.evaluate.verdicts.numbers import System
    from assay.inference import Plan
    from assay.sources.policy import PolicySource
    from assay.sources.verdicts import GroundTruth, Results, Reviews

__all__ = [
    "caveats",
    "gold_record",
    "inputs_of",
    "policy_record",
    "resampling_record",
    "truth_faults",
]

BUNDLED = "bundled: "
EXPECTED = "an incident has review_id, severity_field and severity_value"
PLACES = {
    "truth": "in no number that needs it",
    "all": "whose claims count against evidence precision",
}
UNREADABLE = "risk_score is not a number"


def inputs_of(
    results: Sequence[Results], truth: GroundTruth, reviews: Reviews | None, source: PolicySource
) -> list[VerdictInput]:
    """List the files that were read."""
    found = [
        VerdictInput(
            role="results",
            path=_text(each.path),
            sha256=each.sha256,
            format=each.format,
            n_cases=len(each.cases),
        )
        for each in results
    ]
    found.append(
        VerdictInput(
            role="ground_truth",
            path=_text(truth.path),
            sha256=truth.sha256,
            format="ground truth",
            n_cases=len(truth.cases),
        )
    )
    if reviews is not None:
        found.append(
            VerdictInput(
                role="reviews",
                path=_text(reviews.path),
                sha256=reviews.sha256,
                format="reviews",
                n_cases=len(reviews.texts),
            )
        )
    found.append(
        VerdictInput(
            role="policy",
            path=_text(source.path),
            sha256=source.sha256 or None,
            format="policy",
            n_cases=len(source.policy.verdicts),
        )
    )
    return found


def _text(path: str) -> str:
    """Spell a file name that is not UTF-8 so that it can be written down."""
    return path.encode(errors="backslashreplace").decode()


def policy_record(source: PolicySource, frame: Frame) -> PolicyRecord:
    """Write down the policy."""
    policy = source.policy
    positive = positive_end(policy, frame.options)
    return PolicyRecord(
        id=policy.id,
        source=_text(source.path),
        title=policy.title,
        verdicts=list(policy.verdicts),
        low_end=policy.low_end,
        high_end=policy.high_end,
        positive=positive,
        adverse=policy.adverse,
        thresholds=[policy.step_name(step, positive) for step in policy.ordinals],
        k=frame.k,
        rules=[rule.text for rule in policy.rules],
    )


def gold_record(frame: Frame) -> GoldRecord:
    """Write down the ground truth."""
    names = [
        normalised_verdict(row["verdict"], frame.policy, spelling=frame.options.spelling)
        for row in frame.truth.cases.values()
    ]
    return GoldRecord(
        n_cases=len(names),
        n_evidence=sum(len(each.reviews) for each in frame.incidents.values()),
        n_incidents=sum(len(each.items) for each in frame.incidents.values()),
        support={verdict: names.count(verdict) for verdict in frame.policy.verdicts},
    )


def resampling_record(plan: Plan, n_cases: int) -> Resampling:
    """Write down how cases are resampled."""
    return Resampling(
        unit="case",
        n_units=n_cases,
        n_resamples=plan.n_resamples,
        seed=plan.seed,
        stream=plan.stream,
        level=plan.level,
        method=plan.method,
    )


def caveats(
    frame: Frame,
    systems: Sequence[System],
    names: Sequence[str],
    n_lost: int,
    source: PolicySource,
) -> Iterator[str]:
    """Say what a reader of the numbers must know and could overlook."""
    yield from _not_understood(frame, systems, source)
    if frame.reviews is None:
        yield "no reviews were given, so no quotation is checked"
    if n_lost:
        truth = "of the ground truth"
        found = counted(n_lost, f"incident {truth} is", f"incidents {truth} are")
        yield f"{found} in reviews that do not exist"
    if len(systems[0].cases) == 1:
        yield "there is one case, so resampling shows no uncertainty"
    for name, system in zip(names, systems, strict=True):
        answered = [each for each in system.cases if each.answer.state != "missing"]
        if n := sum(each.missed for each in system.cases):
            word = "counts as missed" if frame.options.recall_over == "all" else "is not counted"
            cases = counted(n, "case")
            yield f"{name}: ground truth without a result: {cases}, whose evidence {word}"
        if n := sum(not each.has_truth for each in answered):
            where = PLACES[frame.options.precision_over]
            yield f"{name}: {counted(n, 'result')} without ground truth, {where}"
        if system.ranked_by == "mixed":
            yield f"{name}: risk scores and verdicts are ranked together, on different scales"
        if n := sum(each.malformed[UNREADABLE] for each in system.cases):
            scores = counted(n, "risk score is", "risk scores are")
            yield f"{name}: {scores} not a number and {'ranks' if n == 1 else 'rank'} nothing"
        if n := sum(_contradicts(each, frame) for each in system.cases):
            results = counted(n, "result")
            yield f"{name}: {results} with two different verdicts; the outer one counts"


def _not_understood(frame: Frame, systems: Sequence[System], source: PolicySource) -> Iterator[str]:
    """Say what policy and ground truth leave open, which is no fault of a system."""
    policy, scale = frame.policy.id, source.path.removeprefix(BUNDLED)
    if source.path.startswith(BUNDLED) and scale != policy:
        yield f"the rules of {policy} are not known here: it is judged by the scale of {scale}"
    if faults := truth_faults(frame):
        shown = ", ".join(f"{what} ({n})" for what, n in faults.items())
        yield f"not all of the ground truth is understood: {shown}; {EXPECTED}"
    named = any(each.reviews for each in frame.incidents.values())
    cited = any(case.claims.reviews for system in systems for case in system.cases)
    if cited and not named:
        yield f"the ground truth names no evidence, so no claim can be right; {EXPECTED}"


def truth_faults(frame: Frame) -> Counter[str]:
    """Count by its kind what is not as it should be in the ground truth."""
    total: Counter[str] = Counter()
    for each in frame.incidents.values():
        total.update(each.malformed)
    return total


def _contradicts(case: Case, frame: Frame) -> bool:
    inner = normalised_verdict(
        case.answer.inner_verdict, frame.policy, spelling=frame.options.spelling
    )
    return inner is not None and inner != case.verdict
