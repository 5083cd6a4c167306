"""From results, ground truth, reviews and a policy to systems whose cases can be scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifact import Input
from assay.columns import Resamples
from assay.derive.policies import normalised_verdict
from assay.derive.snippets import MODES
from assay.errors import ArtifactError, UsageError
from assay.families.family import Given, Named, Pairing, Prepared, Subject
from assay.families.verdicts.cases import Case, Frame, cases_of
from assay.families.verdicts.columns import Judged, columns_by_field, judged, n_valid, positive_end
from assay.families.verdicts.counts import SHARES, counts, why_not_derived
from assay.families.verdicts.scale import check_reviews, check_verdicts, k_for, policy_for
from assay.families.verdicts.tables import read_tables
from assay.score import Rows
from assay.showing import counted, quoted
from assay.sources.verdicts import Results, read_ground_truth, read_results, read_reviews

if TYPE_CHECKING:
    from assay.sources.policy import PolicySource
    from assay.sources.verdicts import GroundTruth, Reviews

__all__ = ["BREAKDOWN", "READERS", "Files", "Judgements", "prepare", "truth_faults"]

READERS: Mapping[str, Callable[[str], Any]] = MappingProxyType(
    {
        "results": read_results,
        "ground_truth": read_ground_truth,
        "reviews": read_reviews,
        # A policy may be a name as well as a file, and the files may say which it is.
        "policy": str,
    }
)
"""role: how a path is read"""
BREAKDOWN = "breakdown"
"""the table of what only parts read: quotations by mode, judgements by field"""
CHOSEN_STEPS = "chosen steps"
FEWEST_SCORED: Mapping[str, int] = MappingProxyType({"null": 1, "reference": 2})
"""cases that macro F1 needs"""
BUNDLED = "bundled: "
EXPECTED = "an incident has review_id, severity_field and severity_value"
UNTOLD: Mapping[str, str] = MappingProxyType(
    {
        "truth": "in no number that needs it",
        "all": "whose claims count against evidence precision",
    }
)
"""where results without ground truth are counted"""
UNREADABLE = "risk_score is not a number"
ONCE_PER_CASE = ("verdict_consistency", "evidence_consistency")
"""shares that count each case once at most, so that their exact interval is known"""


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """What was read."""

    results: Sequence[Results]
    truth: GroundTruth
    reviews: Reviews | None
    policy: PolicySource
    names: Sequence[str]
    """of the systems"""


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """What parts are made of: the truth and the policy, and every system held against them."""

    frame: Frame
    policy: PolicySource
    systems: Sequence[Judged]
    results: Sequence[Results]
    """as they were read"""


def prepare(given: Given) -> Prepared:
    """Read files that belong together; a system is one file of results, a row is a case."""
    files = _read(given)
    _check_overlap(files.results, files.truth)
    policy = files.policy.policy
    k = k_for(given.options.k, files.results, files.truth, policy)
    frame = Frame.of(policy, files.truth, files.reviews, given.options, k=k)
    cases = sorted(set(files.truth.cases).union(*(each.cases for each in files.results)))
    answered = [cases_of(each, frame, cases) for each in files.results]
    n_lost = _check_fit(files, frame, answered)
    systems = [judged(each, frame) for each in answered]
    listed = [_listed(number, each, frame) for number, each in enumerate(systems)]
    broken = [part for number, each in enumerate(systems) for part in _broken_down(number, each)]
    subjects = [*(subject for own in listed for subject in own), *broken]
    common, pairings = _pairings(systems, frame, len(subjects))
    return Prepared(
        inputs=list(_inputs(files)),
        systems=[
            Named(name, number, {key: file.text(key) for key in ("run_id", "method", "model")})
            for number, (name, file) in enumerate(zip(files.names, files.results, strict=True))
        ],
        subjects=[*subjects, *common],
        unit="case",
        n_units=len(cases),
        conventions=given.options.conventions(),
        warnings=list(_caveats(frame, systems, files, n_lost)),
        context=Judgements(frame, files.policy, systems, files.results),
        pairings=pairings,
    )


def _read(given: Given) -> Files:
    """Read what is a path, as tables where columns are named; the rest was read already."""
    found = {role: list(given.sources.get(role) or ()) for role in READERS}
    names = given.names
    tabled = given.columns is not None and bool(given.columns.verdict)
    if tabled and not isinstance(next(iter(found["results"]), None), Results):
        found["results"], truth, names = read_tables(given)
        found["ground_truth"] += truth
    for role, read in READERS.items():
        found[role] = [read(each) if isinstance(each, str) else each for each in found[role]]
    _check_roles(found)
    results, (truth,) = found["results"], found["ground_truth"]
    policy, reviews = (next(iter(found[role]), None) for role in ("policy", "reviews"))
    source = policy_for(policy, given.options.scale, results, truth)
    if tabled:
        # No evidence is given, so no verdict can follow from it.
        source = replace(source, policy=replace(source.policy, rules=()))
    names = names or _names([_text(each.path) for each in results])
    return Files(results, truth, reviews, source, names)


def _check_roles(found: Mapping[str, Sequence[Any]]) -> None:
    if not found["results"]:
        raise UsageError("there are no results to evaluate", hint="`results` names a file")
    for each in found["results"]:
        if not isinstance(each, Results):
            msg = "a table was given, and no column of verdicts"
            raise UsageError(msg, hint="`verdict` names it, `truth` the one of true verdicts")
    for role, fewest in (("ground_truth", 1), ("reviews", 0), ("policy", 0)):
        if not fewest <= len(found[role]) <= 1:
            wanted = "one is needed" if fewest else "one at most can be used"
            msg = f"found {len(found[role])} of `{role}` where {wanted}"
            raise UsageError(msg, hint="several systems are several `results` about one truth")


def _check_overlap(results: Sequence[Results], truth: GroundTruth) -> None:
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


def _check_fit(files: Files, frame: Frame, answered: Sequence[Sequence[Case]]) -> int:
    """Refuse what does not fit together; return how many reviews of the truth are not known."""
    given = [
        [(c.answer.case, c.answer.verdict) for c in cases if c.answer.state != "failed"]
        for cases in answered
    ]
    check_verdicts(files.results, frame.truth, frame.policy, frame.options, given)
    if frame.reviews is None:
        return 0
    named = {case: sorted(each.reviews) for case, each in frame.incidents.items()}
    cited = {
        file.path: {each.answer.case: sorted(each.claims.reviews) for each in cases}
        for file, cases in zip(files.results, answered, strict=True)
    }
    refused = frame.options.unknown_reviews == "refuse"
    return check_reviews(frame.truth, frame.reviews, named, cited, refused=refused)


def _names(paths: Sequence[str]) -> list[str]:
    """Name systems by their files, or by number where two files have one name."""
    names = [PurePath(path).name for path in paths]
    if len(set(names)) == len(names):
        return names
    return [f"input {number}" for number in range(len(paths))]


def _text(path: str) -> str:
    """Spell a file name that is not UTF-8 so that it can be written down."""
    return path.encode(errors="backslashreplace").decode()


def _inputs(files: Files) -> Iterator[Input]:
    """List the files; rows are cases, and the verdicts of a policy."""
    truth, reviews, policy = files.truth, files.reviews, files.policy
    read: list[tuple[str, Any, str, int]] = [
        ("results", each, each.format, len(each.cases)) for each in files.results
    ]
    read.append(("ground_truth", truth, "ground truth", len(truth.cases)))
    if reviews is not None:
        read.append(("reviews", reviews, "reviews", len(reviews.texts)))
    read.append(("policy", policy, "policy", len(policy.policy.verdicts)))
    for role, file, layout, n in read:
        path, sha256 = _text(file.path), file.sha256 or None
        yield Input(role=role, path=path, sha256=sha256, format=layout, n_rows=n)


def _listed(number: int, system: Judged, frame: Frame) -> list[Subject]:
    """Return all cases, and once more where a policy cuts its scale at some steps only."""
    policy, options, columns = frame.policy, frame.options, system.columns
    settings = {
        "positive": positive_end(frame),
        "steps": options.steps,
        "threshold": policy.ordinals,
        "classes": options.classes,
        "n_verdicts": len(policy.verdicts),
        "fewest": FEWEST_SCORED[options.undefined],
        "verdict": tuple(range(len(policy.verdicts))),
    }
    once = {label: SHARES[label] for label in ONCE_PER_CASE}
    shares = {
        label: (int(columns[part].sum()), int(columns[whole].sum()))
        for label, (part, whole, _) in once.items()
        if whole in columns and columns[whole].any()
    }
    rows = Rows(columns, _one_row_per_case(system))
    about = {
        "ranked_by": system.ranked_by,
        "not_derived": why_not_derived(system.cases, policy),
    }
    whole = Subject(
        number,
        rows,
        settings=settings,
        counts=counts(system, policy),
        about=about,
        exact=shares,
        undefined=options.undefined,
    )
    if len(policy.ordinals) == len(policy.verdicts) - 1:
        return [whole]
    # Verdicts that no chosen step tells apart are one verdict there. This number takes the place
    # of the one over the whole scale, being listed after it.
    merged = np.sum([columns["verdict_true"] >= step for step in policy.ordinals], axis=0)
    ranked = {name: columns[name] for name in ("scored", "ranked", "rank_score")}
    steps = Rows({**ranked, "verdict_true": merged.astype(float)}, _one_row_per_case(system))
    only = ("ordinal_auprc",)
    return [whole, Subject(number, steps, table=CHOSEN_STEPS, settings=settings, only=only)]


def _broken_down(number: int, system: Judged) -> Iterator[Subject]:
    """Yield the quotations under every mode, and the judgements of every field."""
    weight = _one_row_per_case(system)
    for mode in MODES:
        valid = np.array([n_valid(each, mode) for each in system.cases], dtype=np.float64)
        columns = {"n_snippets": system.columns["n_snippets"], "n_valid": valid}
        yield _breakdown(number, Rows(columns, weight), "snippet_validity", mode=mode)
    for (kind, field), columns in columns_by_field(system.cases).items():
        rows = Rows(columns, weight)
        yield _breakdown(number, rows, "judgement_accuracy", kind=kind, field=field)


def _breakdown(number: int, rows: Rows, label: str, **about: str) -> Subject:
    return Subject(number, rows, table=BREAKDOWN, only=(label,), listed=False, about=about)


def _one_row_per_case(system: Judged) -> Resamples:
    # Each table has its own: what is made of a table is kept with its weight.
    n = len(system.cases)
    return Resamples(np.ones((1, n)), np.arange(n), np.ones(n), ())


def _pairings(
    systems: Sequence[Judged], frame: Frame, n_before: int
) -> tuple[list[Subject], list[Pairing]]:
    """Compare with the first on the cases that all systems answer or none.

    Where that is not all of them, numbers on these cases are subjects of their own, which come
    after `n_before` others.
    """
    there = [[case.answer.state != "missing" for case in each.cases] for each in systems]
    n_answering = [sum(row) for row in zip(*there, strict=True)]
    kept = [row for row, n in enumerate(n_answering) if n in {0, len(systems)}]
    said = {"n_common": n_answering.count(len(systems))}
    others = range(1, len(systems))
    if len(kept) == len(n_answering):
        return [], [Pairing(0, right, said) for right in others]
    common = [_listed(number, each.among(kept), frame) for number, each in enumerate(systems)]
    n = len(common[0])
    places = [[n_before + n * number + nth for nth in range(n)] for number in range(len(systems))]
    return (
        [replace(subject, listed=False) for own in common for subject in own],
        [
            Pairing(0, right, said, list(zip(places[0], places[right], strict=True)))
            for right in others
        ],
    )


def _caveats(frame: Frame, systems: Sequence[Judged], files: Files, n_lost: int) -> Iterator[str]:
    """Say what a reader of the numbers must know and could overlook."""
    yield from _not_understood(frame, systems, files.policy)
    claims = (case.claims.items for system in systems for case in system.cases)
    if frame.reviews is None and any(claims):
        yield "no reviews were given, so no quotation is checked"
    if n_lost:
        truth = "of the ground truth"
        found = counted(n_lost, f"incident {truth} is", f"incidents {truth} are")
        yield f"{found} in reviews that do not exist"
    if len(systems[0].cases) == 1:
        yield "there is one case, so resampling shows no uncertainty"
    for name, system in zip(files.names, systems, strict=True):
        for said in _system_caveats(system, frame):
            yield f"{name}: {said}"


def _not_understood(frame: Frame, systems: Sequence[Judged], source: PolicySource) -> Iterator[str]:
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


def _system_caveats(system: Judged, frame: Frame) -> Iterator[str]:
    if n := sum(each.missed for each in system.cases):
        word = "counts as missed" if frame.options.recall_over == "all" else "is not counted"
        yield f"ground truth without a result: {counted(n, 'case')}, whose evidence {word}"
    answered = [each for each in system.cases if each.answer.state != "missing"]
    if n := sum(not each.has_truth for each in answered):
        where = UNTOLD[frame.options.precision_over]
        yield f"{counted(n, 'result')} without ground truth, {where}"
    if system.ranked_by == "mixed":
        yield "risk scores and verdicts are ranked together, on different scales"
    if n := sum(each.malformed[UNREADABLE] for each in system.cases):
        scores = counted(n, "risk score is", "risk scores are")
        yield f"{scores} not a number and {'ranks' if n == 1 else 'rank'} nothing"
    if n := sum(_contradicts(each, frame) for each in system.cases):
        yield f"{counted(n, 'result')} with two different verdicts; the outer one counts"


def _contradicts(case: Case, frame: Frame) -> bool:
    inner = normalised_verdict(
        case.answer.inner_verdict, frame.policy, spelling=frame.options.spelling
    )
    return inner is not None and inner != case.verdict
