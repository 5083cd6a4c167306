"""Which policy files of verdicts are by, and whether the verdicts and sources in them fit it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from assay.derive.conclusions import depends_on_k
from assay.derive.policies import Policy, Spelling, normalised_verdict, plain
from assay.errors import ArtifactError, UsageError
from assay.showing import counted, inert, quoted
from assay.sources.policy import PolicySource, bundled_policy, known_as, read_policy
from assay.sources.table import class_label
from assay.sources.verdicts import GroundTruth, Results, Reviews

__all__ = [
    "check_answered",
    "check_overlap",
    "check_reviews",
    "check_truths",
    "examples",
    "k_for",
    "policy_for",
    "scale_policy",
]

SHOWN = 3
FEWEST = 2


def scale_policy(verdicts: Sequence[object]) -> PolicySource:
    """See a list of verdicts, from the lowest to the highest, as a policy without rules."""
    names = tuple(each.strip() if isinstance(each, str) else _spelled(each) for each in verdicts)
    distinct = {plain(each) for each in names}
    if len(names) < FEWEST or len(distinct) < len(names) or "" in distinct:
        msg = f"a scale needs at least two different verdicts, found {', '.join(names) or 'none'}"
        hint = "`scale` names them from the lowest to the highest, as in Low Risk, High Risk"
        raise UsageError(msg, hint=hint)
    policy = Policy(
        id="scale", verdicts=names, title="A scale", low_end=names[0], high_end=names[-1]
    )
    return PolicySource(policy, "given as a scale", "")


def _spelled(verdict: object) -> str:
    label = class_label(verdict)
    if label is None:
        msg = f"`scale` must hold texts or whole numbers, found {quoted(verdict)}"
        raise UsageError(msg, hint="name the verdicts as they stand in the data")
    return str(label)


def policy_for(
    chosen: str | PolicySource | None,
    scale: Sequence[object],
    results: Sequence[Results],
    truth: GroundTruth,
) -> PolicySource:
    """Return the policy or scale that was chosen, or the policy that the files are about."""
    if scale and chosen is not None:
        msg = "`policy` and `scale` both say what the verdicts are"
        raise UsageError(msg, hint="give one of them")
    if scale:
        return scale_policy(scale)
    if chosen is not None:
        return read_policy(chosen) if isinstance(chosen, str) else chosen
    named = {each.path: each.text("policy_id") for each in results} | {truth.path: truth.policy_id}
    stated = {path: name for path, name in named.items() if name is not None}
    if not stated and (numbers := _numbers(results, truth)):
        return scale_policy(numbers)
    if not stated:
        msg = f"neither {results[0].path} nor {truth.path} names a policy (policy_id)"
        raise UsageError(msg, hint=_ways_out())
    if differing := _differing(stated):
        one, left, other, right = differing
        msg = f"{one} is about the policy {quoted(left)} and {other} about {quoted(right)}"
        raise UsageError(msg, hint="compare files about one policy, or choose with `policy`")
    path, name = next(iter(stated.items()))
    found = bundled_policy(name)
    if found is None:
        msg = f"{path} is about the policy {quoted(name)}, which is not known"
        raise UsageError(msg, hint=_ways_out(name))
    return found


def _numbers(results: Sequence[Results], truth: GroundTruth) -> list[int]:
    """Return verdicts that are whole numbers in their order; nothing where some are not."""
    rows = [row for each in results for row in each.cases.values()]
    rows += truth.cases.values()
    found = {class_label(row["verdict"]) for row in rows if row.get("verdict") is not None}
    whole = sorted(each for each in found if isinstance(each, int))
    return whole if len(whole) == len(found) else []


def _differing(stated: Mapping[str, object]) -> tuple[str, object, str, object] | None:
    """Return a file and what it says, and one that says something else; None where all agree."""
    one, said = next(iter(stated.items()), ("", None))
    others = ((one, said, path, found) for path, found in stated.items() if found != said)
    return next(others, None)


def k_for(
    chosen: int | None, results: Sequence[Results], truth: GroundTruth, policy: Policy
) -> int | None:
    """Return how many sources a case has: what was chosen, or what the files say."""
    named = {each.path: each.k for each in results} | {truth.path: truth.k}
    stated = {path: k for path, k in named.items() if k is not None}
    if chosen is not None:
        return chosen
    if (differing := _differing(stated)) and depends_on_k(policy):
        one, left, other, right = differing
        msg = f"{one} has K = {left} and {other} K = {right}, on which {policy.id} depends"
        raise UsageError(msg, hint="compare files of one K, or choose with `k`")
    return next(iter(stated.values()), None)


def _ways_out(name: str = "") -> str:
    known = known_as(name)
    return f"`policy` takes a file (.yaml, .json) or a name, {known}; `scale` takes verdicts"


def check_overlap(results: Sequence[Results], truth: GroundTruth) -> None:
    """Refuse results about other cases than the truth."""
    for each in results:
        if not truth.cases.keys() & each.cases.keys():
            one, other = next(iter(each.cases)), next(iter(truth.cases))
            msg = (
                f"{each.path} and {truth.path} have no case in common: the first is {quoted(one)}"
                f" in one and {quoted(other)} in the other"
            )
            raise ArtifactError(msg, hint="do the two files belong together?")


def check_truths(truth: GroundTruth, policy: Policy, spelling: Spelling) -> None:
    """Refuse true verdicts that are not on the scale."""
    outside: list[tuple[str, str]] = []
    for case, row in truth.cases.items():
        name = normalised_verdict(row["verdict"], policy, spelling=spelling)
        if name is not None and name not in policy.verdicts:
            outside.append((name, case))
    if outside:
        scale = inert(", ".join(policy.verdicts))
        of = counted(len(truth.cases), "true verdict is", "true verdicts are")
        msg = f"{truth.path}: {len(outside)} of {of} not on the scale {scale}:"
        hint = f"is {policy.id} the right policy? `policy` or `scale` choose another"
        raise ArtifactError(f"{msg} {examples(outside)}", hint=hint)


def check_answered(path: str, lost: Sequence[tuple[str, str]], n_asked: int) -> None:
    """Refuse a file in which cases are not answered; `lost` is why, and which."""
    if lost:
        cases = counted(n_asked, "case of the ground truth is", "cases of the ground truth are")
        msg = f"{path}: {len(lost)} of {cases} not answered: {examples(lost)}"
        hint = "`not_answered` wrong counts them as wrong, leave-out leaves them out"
        raise ArtifactError(msg, hint=hint)


def examples(found: Iterable[tuple[str, str]]) -> str:
    """Show the first of what was found, and the cases it was found in."""
    return ", ".join(
        f"{quoted(_short(what))} ({quoted(case)})" for what, case in islice(found, SHOWN)
    )


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."  # noqa: PLR2004 - of a line


def check_reviews(
    truth: GroundTruth,
    reviews: Reviews,
    named: Mapping[str, Iterable[str]],
    cited: Mapping[str, Mapping[str, Iterable[str]]],
    *,
    refused: bool,
) -> int:
    """Refuse sources that do not belong to the rest; return how many that the truth names are not.

    `named` are the sources that the truth names by case, `cited` those that systems cite, by file.
    """
    pairs = [(case, review) for case, ids in named.items() for review in ids]
    lost = [
        (case, review)
        for case, review in pairs
        if case in reviews.texts and review not in reviews.texts[case]
    ]
    if lost and refused:
        shown = ", ".join(f"{quoted(review)} ({quoted(case)})" for case, review in lost[:SHOWN])
        findings = counted(len(pairs), "finding is", "findings are")
        msg = (
            f"{truth.path}: {len(lost)} of {findings} in sources that"
            f" {reviews.path} does not have: {shown}"
        )
        hint = "do the two files belong together? `unknown_sources` count goes on and counts them"
        raise ArtifactError(msg, hint=hint)
    for path, by_case in cited.items() if refused else ():
        _check_cited(path, by_case, reviews)
    return len(lost)


def _check_cited(path: str, cited: Mapping[str, Iterable[str]], reviews: Reviews) -> None:
    """Refuse sources of which a system cites none: they are others than it was shown."""
    pairs = [(case, review) for case, ids in cited.items() for review in ids]
    known = any(review in reviews.texts.get(case, {}) for case, review in pairs)
    if pairs and not known:
        case, review = pairs[0]
        what = counted(len(pairs), "source that it cites", "sources that it cites")
        msg = (
            f"{path}: none of {what} is in {reviews.path}, the"
            f" first being {quoted(_short(review))} ({quoted(case)})"
        )
        hint = "do the two files belong together? `unknown_sources` count goes on and counts them"
        raise ArtifactError(msg, hint=hint)
