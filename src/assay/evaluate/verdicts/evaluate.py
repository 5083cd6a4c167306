"""From files of answers, ground truth and reviews to an artifact, in a straight line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import PurePath
from typing import TYPE_CHECKING

from assay import _kernels as kernels
from assay.artifacts import Tool
from assay.artifacts.verdicts import VerdictPair, VerdictsArtifact
from assay.errors import ArtifactError, UsageError
from assay.evaluate.scalars import deltas
from assay.evaluate.scoring import Scored
from assay.evaluate.verdicts.cases import Case, Frame, cases_of
from assay.evaluate.verdicts.counted import metric_counts
from assay.evaluate.verdicts.numbers import VARIANT, System, numbers, system_of
from assay.evaluate.verdicts.options import VerdictOptions
from assay.evaluate.verdicts.provenance import (
    caveats,
    gold_record,
    inputs_of,
    policy_record,
    resampling_record,
)
from assay.evaluate.verdicts.records import Evaluated, system_record
from assay.evaluate.verdicts.scale import check_reviews, check_verdicts, k_for, policy_for
from assay.inference import Plan
from assay.showing import quoted

if TYPE_CHECKING:
    from assay.sources.policy import PolicySource
    from assay.sources.verdicts import GroundTruth, Results, Reviews

__all__ = ["evaluate_verdicts", "system_names"]


def evaluate_verdicts(  # noqa: PLR0913 - files, and what was chosen about them
    results: Sequence[Results],
    truth: GroundTruth,
    reviews: Reviews | None = None,
    *,
    policy: str | PolicySource | None = None,
    options: VerdictOptions | None = None,
    plan: Plan | None = None,
    created_at: str = "",
    progress: Callable[[int], None] = lambda _: None,
) -> VerdictsArtifact:
    """Evaluate systems that give verdicts with evidence and quotations, paired by case.

    `policy` is the name of a bundled one, a path, or one that was read; without it the files say
    which. `progress` hears how many resamples are done.
    """
    options, plan = options or VerdictOptions(), plan or Plan()
    source = policy_for(policy, results, truth)
    _check_overlap(results, truth)
    k = k_for(options.k, results, truth, source.policy)
    frame = Frame.of(source.policy, truth, reviews, options, k=k)
    ids = sorted(set(truth.cases).union(*(each.cases for each in results)))
    answered = [cases_of(each, frame, ids) for each in results]
    n_lost = _check(results, frame, answered)
    systems = [system_of(cases, source.policy, options) for cases in answered]
    found = numbers(systems, source.policy, options, plan, progress=progress)
    names = system_names([each.path for each in results])
    evaluated = Evaluated(frame, results, names, systems, found, plan)
    return VerdictsArtifact(
        tool=Tool(name="assay", version=version("assay"), engine=kernels.ENGINE),
        created_at=created_at,
        inputs=inputs_of(results, truth, reviews, source),
        conventions=options.conventions(),
        policy=policy_record(source, frame),
        gold=gold_record(frame),
        resampling=resampling_record(plan, len(ids)),
        warnings=list(caveats(frame, systems, names, n_lost, source)),
        systems=[system_record(evaluated, number) for number in range(len(results))],
        pairs=_pairs(evaluated, progress) if len(results) > 1 else [],
    )


def system_names(paths: Sequence[str]) -> list[str]:
    """Name systems by their files, or by number where two files have one name."""
    names = [PurePath(path).name for path in paths]
    if len(set(names)) == len(names):
        return names
    return [f"input {number}" for number in range(len(paths))]


def _check_overlap(results: Sequence[Results], truth: GroundTruth) -> None:
    if not results:
        raise UsageError("there are no results to evaluate", hint="--results names a file")
    for each in results:
        if not truth.cases.keys() & each.cases.keys():
            one, other = next(iter(each.cases)), next(iter(truth.cases))
            msg = (
                f"{each.path} and {truth.path} have no case in common: the first is {quoted(one)}"
                f" in one and {quoted(other)} in the other"
            )
            raise ArtifactError(msg, hint="do the two files belong together?")
    if not set(truth.cases).intersection(*(each.cases for each in results)):
        paths = ", ".join(each.path for each in results)
        msg = f"no case with ground truth is in all of {paths}, so they cannot be compared"
        raise ArtifactError(msg, hint="systems are compared on the cases that all of them answer")


def _check(results: Sequence[Results], frame: Frame, answered: Sequence[Sequence[Case]]) -> int:
    """Refuse what does not fit together; return how many reviews of the truth are not known."""
    by_path = {each.path: cases for each, cases in zip(results, answered, strict=True)}
    given = {
        path: [
            (each.answer.case, each.answer.verdict)
            for each in cases
            if each.answer.state != "failed"
        ]
        for path, cases in by_path.items()
    }
    check_verdicts(results, frame.truth, frame.policy, frame.options, given)
    if frame.reviews is None:
        return 0
    named = {case: sorted(each.reviews) for case, each in frame.incidents.items()}
    cited = {
        path: {each.answer.case: sorted(each.claims.reviews) for each in cases}
        for path, cases in by_path.items()
    }
    refused = frame.options.unknown_reviews == "refuse"
    return check_reviews(frame.truth, frame.reviews, named, cited, refused=refused)


def _pairs(result: Evaluated, progress: Callable[[int], None]) -> list[VerdictPair]:
    """Write down every system against the first, on the cases that all of them answer or none."""
    there = [[each.answer.state != "missing" for each in s.cases] for s in result.systems]
    n_answering = [sum(row) for row in zip(*there, strict=True)]
    kept = [row for row, n in enumerate(n_answering) if n in {0, len(there)}]
    found = result.scored
    if len(kept) < len(n_answering):
        systems = [_only(each, kept) for each in result.systems]
        frame = result.frame
        found = numbers(systems, frame.policy, frame.options, result.plan, progress=progress)
    labels = metric_counts(result.systems[0], result.frame)
    keys = [(number, VARIANT, each) for number in range(len(there)) for each in labels]
    compared = Scored({key: found.asked[key] for key in keys}, found.replicates)
    return [
        VerdictPair(
            left=0,
            right=right,
            n_common=n_answering.count(len(there)),
            deltas=deltas(compared, VARIANT, right, result.plan),
        )
        for right in range(1, len(result.systems))
    ]


def _only(system: System, rows: Sequence[int]) -> System:
    columns = {name: values[rows] for name, values in system.columns.items()}
    return System([system.cases[row] for row in rows], columns, system.ranked_by)
