"""From results, ground truth, sources and a policy to systems whose cases can be scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifact import Input
from assay.columns import COLUMNS
from assay.derive.policies import normalised_verdict
from assay.derive.snippets import MODES
from assay.derive.spellings import Renaming, renaming_of
from assay.errors import ArtifactError, UsageError
from assay.families.family import (
    FEWEST_RANKED,
    Given,
    Named,
    Pairing,
    Prepared,
    Subject,
    ranked_by,
)
from assay.families.verdicts.cases import OFF_SCALE, Case, Frame, cases_of, lost_cases
from assay.families.verdicts.columns import (
    Judged,
    columns_by_field,
    judged,
    labels_of,
    n_valid,
    positive_end,
)
from assay.families.verdicts.counts import BY, SHARES, counts, why_not_derived
from assay.families.verdicts.pairing import MACRO_F1, bars, compared_cases, silence
from assay.families.verdicts.scale import (
    SHOWN,
    check_answered,
    check_reviews,
    check_truths,
    examples,
    k_for,
    policy_for,
    spelled_as_named,
)
from assay.families.verdicts.tables import read_tables
from assay.score import Rows, requests
from assay.showing import counted, quoted, told_apart
from assay.sources.answers import BESIDE, RANK_SCORE
from assay.sources.verdicts import Results, read_ground_truth, read_results, read_reviews

if TYPE_CHECKING:
    from assay.artifact import Content
    from assay.sources.policy import PolicySource
    from assay.sources.verdicts import GroundTruth, Reviews

__all__ = ["BREAKDOWN", "READERS", "Files", "Judgements", "prepare", "truth_faults"]

READERS: Mapping[str, Callable[[str, Renaming], Any]] = MappingProxyType(
    {
        "results": read_results,
        "ground_truth": read_ground_truth,
        "sources": read_reviews,
        # A policy may be a name as well as a file, and the files may say which it is.
        "policy": lambda path, _: path,
    }
)
"""role: how a path is read, with keys of the caller's own"""
BREAKDOWN = "breakdown"
"""the table of what only parts read: quotations by mode, judgements by field"""
CHOSEN_STEPS = "chosen steps"
FEWEST_SCORED: Mapping[str, int] = MappingProxyType({"null": 1, "reference": 2})
"""cases that macro F1 needs"""
COUNTED: Mapping[str, str] = MappingProxyType(
    {
        "wrong": "each a miss of its true verdict and of the lowest rank",
        "leave-out": "left out of macro F1 and AUPRC",
    }
)
RANKED: Mapping[str, str] = MappingProxyType(
    {"wrong": "ranked last", "leave-out": "left out of AUPRC", "refuse": "ranked last"}
)
BUNDLED = "bundled: "
EXPECTED = "a finding has source_id, field and value"
UNTOLD: Mapping[str, str] = MappingProxyType(
    {
        "truth": "in no number that needs it",
        "all": "whose claims count against evidence precision",
    }
)
"""where results without ground truth are counted"""
ANSWER = 'expected: {"parsed": {"evidence": [...]}}'
UNREADABLE = f"{RANK_SCORE} is not a number"
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
    given = replace(given, options=spelled_as_named(given.options, files.results, files.truth))
    _check_overlap(files.results, files.truth)
    policy = files.policy.policy
    k = k_for(given.options.k, files.results, files.truth, policy)
    frame = Frame.of(policy, files.truth, files.reviews, given.options, k=k)
    cases = sorted(set(files.truth.cases).union(*(each.cases for each in files.results)))
    answered = [cases_of(each, frame, cases) for each in files.results]
    n_lost = _check_fit(files, frame, answered)
    clusters, groups = (labels_of(files.results, role, cases) for role in ("cluster", "group"))
    systems = [judged(each, frame, clusters) for each in answered]
    subjects: list[Subject] = []
    for number, each in enumerate(systems):
        subjects += _scored(number, each, frame, len(subjects))
        subjects += _sliced(number, each, frame, groups)
    for number, each in enumerate(systems):
        subjects += _broken_down(number, each)
    n_systems = len(systems)
    every = [*combinations(range(n_systems), 2)] if n_systems >= FEWEST_RANKED else []
    pairings = _pairings(systems, frame, subjects, [(0, n) for n in range(1, n_systems)])
    board = _pairings(systems, frame, subjects, every, (MACRO_F1,))
    return Prepared(
        inputs=list(_inputs(files)),
        systems=[
            Named(name, number, {key: file.text(key) for key in ("run_id", "method", "model")})
            for number, (name, file) in enumerate(zip(files.names, files.results, strict=True))
        ],
        subjects=subjects,
        unit=given.columns.cluster if clusters else "case",
        n_units=len({*clusters}) if clusters else len(cases),
        conventions=given.options.conventions(),
        warnings=list(_caveats(frame, systems, files, n_lost, given.cases)),
        context=Judgements(frame, files.policy, systems, files.results),
        pairings=pairings,
        ranked=ranked_by(MACRO_F1, "", board),
    )


def _read(given: Given) -> Files:
    """Read what is a path, as tables where columns are named; the rest was read already."""
    found = {role: list(given.sources.get(role) or ()) for role in READERS}
    names = given.names
    tabled = given.columns is not None and bool(given.columns.verdict)
    if tabled and not isinstance(next(iter(found["results"]), None), Results):
        found["results"], truth, names = read_tables(given)
        found["ground_truth"] += truth
    renaming = renaming_of(given.options.map)
    for role, read in READERS.items():
        paths = found[role]
        found[role] = [read(each, renaming) if isinstance(each, str) else each for each in paths]
    renaming.check()
    _check_roles(found)
    results, (truth,) = found["results"], found["ground_truth"]
    policy, reviews = (next(iter(found[role]), None) for role in ("policy", "sources"))
    source = policy_for(policy, given.options.scale, results, truth)
    if tabled:
        # No evidence is given, so no verdict can follow from it.
        source = replace(source, policy=replace(source.policy, rules=()))
    names = names or told_apart([_text(each.path) for each in results])
    return Files(results, truth, reviews, source, names)


def _check_roles(found: Mapping[str, Sequence[Any]]) -> None:
    if not found["results"]:
        raise UsageError("there are no results to evaluate", hint="`results` names a file")
    for each in found["results"]:
        if not isinstance(each, Results):
            msg = "a table was given, and no column of verdicts"
            raise UsageError(msg, hint="`verdict` names it, `truth` the one of true verdicts")
    for role, fewest in (("ground_truth", 1), ("sources", 0), ("policy", 0)):
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


def _check_fit(files: Files, frame: Frame, answered: Sequence[Sequence[Case]]) -> int:
    """Refuse what does not fit together; return how many sources of the truth are not known."""
    check_truths(frame.truth, frame.policy, frame.options)
    if frame.options.not_answered == "refuse":
        for file, cases in zip(files.results, answered, strict=True):
            check_answered(file.path, lost_cases(cases), sum(c.true is not None for c in cases))
    if frame.reviews is None:
        return 0
    named = {case: sorted(each.reviews) for case, each in frame.incidents.items()}
    cited = {
        file.path: {each.answer.case: sorted(each.claims.reviews) for each in cases}
        for file, cases in zip(files.results, answered, strict=True)
    }
    refused = frame.options.unknown_sources == "refuse"
    return check_reviews(frame.truth, frame.reviews, named, cited, refused=refused)


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
        read.append(("sources", reviews, "sources", len(reviews.texts)))
    read.append(("policy", policy, "policy", len(policy.policy.verdicts)))
    for role, file, layout, n in read:
        path, sha256 = _text(file.path), file.sha256 or None
        yield Input(role=role, path=path, sha256=sha256, format=layout, n_rows=n)


def _scored(number: int, system: Judged, frame: Frame, first: int) -> list[Subject]:
    """Return all cases, and once more where a policy cuts its scale at some steps only.

    Where something was asked and not answered, the same at worst comes after these; `first` is the
    place of the first.
    """
    policy, options, columns = frame.policy, frame.options, system.columns
    once = {label: SHARES[label] for label in ONCE_PER_CASE}
    shares = {
        label: (int(columns[part].sum()), int(columns[whole].sum()))
        for label, (part, whole, _) in once.items()
        if whole in columns and columns[whole].any()
    }
    about = {
        "ranked_by": system.ranked_by,
        "not_derived": why_not_derived(system.cases, policy),
    }
    found = [
        Subject(
            number,
            Rows(columns, system.weight),
            settings=_settings(frame),
            counts=counts(system, policy),
            about=about,
            exact=shares if system.independent else {},
            undefined=options.undefined,
        )
    ]
    if len(policy.ordinals) < len(policy.verdicts) - 1:
        found.append(_chosen_steps(number, system, frame))
    if not _is_short(system):
        return found
    n = len(found)
    twins = [replace(each, worst=first + n + at) for at, each in enumerate(found)]
    worst = {**found[0].settings, "unanswered_as": "worst"}
    only = _fragile(frame)
    return [
        *twins,
        *(replace(s, settings=worst, only=s.only or only, listed=False, exact={}) for s in found),
    ]


def _sliced(
    number: int, system: Judged, frame: Frame, groups: Sequence[str] | None
) -> Iterator[Subject]:
    """Yield the cases of every group, looked at by themselves."""
    for label in sorted({*(groups or ())}):
        rows = [row for row, each in enumerate(groups or ()) if each == label]
        for each in _scored(number, system.among(rows), frame, 0):
            if each.listed:
                yield replace(each, slice=label, worst=None)


def _settings(frame: Frame) -> dict[str, Any]:
    policy, options = frame.policy, frame.options
    return {
        "positive": positive_end(frame),
        "steps": options.steps,
        "threshold": policy.ordinals,
        "classes": options.classes,
        "n_verdicts": len(policy.verdicts),
        "fewest": FEWEST_SCORED[options.undefined],
        "verdict": tuple(range(len(policy.verdicts))),
    }


def _chosen_steps(number: int, system: Judged, frame: Frame) -> Subject:
    # Verdicts that no chosen step tells apart are one verdict there. This number takes the place
    # of the one over the whole scale, being listed after it.
    columns = system.columns
    merged = np.sum([columns["verdict_true"] >= step for step in frame.policy.ordinals], axis=0)
    names = ("asked", "scored", "ranked", "rank_score")
    ranked = {name: columns[name] for name in names if name in columns}
    rows = Rows({**ranked, "verdict_true": merged.astype(float)}, system.weight)
    return Subject(
        number, rows, table=CHOSEN_STEPS, settings=_settings(frame), only=("ordinal_auprc",)
    )


def _is_short(system: Judged) -> bool:
    """Say whether something that was asked is not answered, or not ranked."""
    columns = system.columns
    there = columns["scored"] * columns["ranked"]
    return bool((columns.get("asked", there) > there).any())


def _fragile(frame: Frame) -> list[str]:
    """Return the numbers that depend on what is made of cases without an answer."""
    settings = _settings(frame)
    return [
        request.label
        for request in requests(tuple(COLUMNS), settings, family="verdicts")
        if "unanswered_as" in request.options
    ]


def _broken_down(number: int, system: Judged) -> Iterator[Subject]:
    """Yield the quotations under every mode, and the judgements of every field."""
    weight = system.weight
    for mode in MODES:
        valid = np.array([n_valid(each, mode) for each in system.cases], dtype=np.float64)
        columns = {"n_snippets": system.columns["n_snippets"], "n_valid": valid}
        yield _breakdown(number, Rows(columns, weight), "snippet_validity", mode=mode)
    for (kind, field), columns in columns_by_field(system.cases).items():
        rows = Rows(columns, weight)
        yield _breakdown(number, rows, "judgement_accuracy", kind=kind, field=field)


def _breakdown(number: int, rows: Rows, label: str, **about: str) -> Subject:
    return Subject(number, rows, table=BREAKDOWN, only=(label,), listed=False, about=about)


def _pairings(
    systems: Sequence[Judged],
    frame: Frame,
    subjects: list[Subject],
    wanted: Sequence[tuple[int, int]],
    only: Sequence[str] | None = None,
) -> list[Pairing]:
    """Compare two systems on the cases of the ground truth, all of which were asked.

    Where cases that are not answered are left out, on those that both sides have, or neither. Where
    these are not all cases, numbers on them are subjects of their own, which are added.
    """
    places: dict[tuple[int, tuple[int, ...]], int] = {}
    found = []
    for left, right in wanted:
        kept = compared_cases(systems[left].cases, systems[right].cases, frame)
        counts = {"n_common": sum(systems[left].cases[row].has_truth for row in kept)}
        sides = systems[left], systems[right]
        pairing = Pairing(
            left, right, counts, silent=silence(*sides, frame), barred=bars(*sides, frame)
        )
        if len(kept) == len(systems[left].cases):
            found.append(pairing)
            continue
        for number in (left, right):
            if (number, kept) not in places:
                places[number, kept] = len(subjects)
                own = _scored(number, systems[number].among([*kept]), frame, len(subjects))
                subjects += [replace(each, listed=False, only=only or each.only) for each in own]
        n = 1 + (len(frame.policy.ordinals) < len(frame.policy.verdicts) - 1)
        both = [(places[left, kept] + nth, places[right, kept] + nth) for nth in range(n)]
        found.append(replace(pairing, subjects=both))
    return found


def _caveats(
    frame: Frame, systems: Sequence[Judged], files: Files, n_lost: int, content: Content
) -> Iterator[str]:
    """Say what a reader of the numbers must know and could overlook."""
    yield from _not_understood(frame, systems, files.policy)
    claims = (case.claims.items for system in systems for case in system.cases)
    if frame.reviews is None and any(claims):
        yield "no sources were given, so no quotation is checked"
    if n_lost:
        truth = "of the ground truth"
        found = counted(n_lost, f"finding {truth} is", f"findings {truth} are")
        yield f"{found} in sources that do not exist"
    if len({each.ranked_by for each in systems}) > 1:
        told = [f"{n} by {BY[s.ranked_by]}" for n, s in zip(files.names, systems, strict=True)]
        yield f"systems are ranked by different means, so AUPRC says little: {', '.join(told)}"
    if len(systems[0].cases) == 1:
        yield "there is one case, so resampling shows no uncertainty"
    for name, system in zip(files.names, systems, strict=True):
        for said in chain(_system_caveats(system, frame), _off_scale(system.cases, content)):
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
    yield from _unanswered(system, frame)
    if n := sum(each.missed for each in system.cases):
        word = "counts as missed" if frame.options.recall_over == "all" else "is not counted"
        yield f"ground truth without a result: {counted(n, 'case')}, whose evidence {word}"
    answered = [each for each in system.cases if each.answer.state != "missing"]
    if n := sum(not each.has_truth for each in answered):
        where = UNTOLD[frame.options.precision_over]
        yield f"{counted(n, 'result')} without ground truth, {where}"
    if system.ranked_by == "mixed":
        yield "rank scores and verdicts are ranked together, on different scales"
    if n := sum(each.malformed[UNREADABLE] for each in system.cases):
        scores = counted(n, "rank score is", "rank scores are")
        yield f"{scores} not a number and {'ranks' if n == 1 else 'rank'} nothing"
    if n := sum(each.malformed[BESIDE] for each in system.cases):
        where = "have their evidence beside `parsed`, where it is not read"
        results = counted(n, "result")
        yield f"{results} {where if n > 1 else where.replace('have their', 'has its')}; {ANSWER}"
    if n := sum(_contradicts(each, frame) for each in system.cases):
        yield f"{counted(n, 'result')} with two different verdicts; the outer one counts"


def _unanswered(system: Judged, frame: Frame) -> Iterator[str]:
    """Say how many cases are not answered or not ranked, and what that counts."""
    lost = lost_cases(system.cases)
    n_asked = sum(each.true is not None for each in system.cases)
    if lost:
        reasons = Counter(each.lost_by for each in system.cases if each.outcome == "failed")
        told = ", ".join(
            counted(n, "error") if why == "error" else f"{n} {why}" for why, n in reasons.items()
        )
        what = COUNTED[frame.options.not_answered]
        yield f"{len(lost)} of {counted(n_asked, 'case')} not answered ({told}), {what}"
    if n := sum(c.scored and s is None for c, s in zip(system.cases, system.scores, strict=True)):
        where = RANKED[frame.options.not_answered]
        yield f"{counted(n, 'case')} without a rank score where others have one, {where}"


def _off_scale(cases: Sequence[Case], content: Content) -> Iterator[str]:
    """Show verdicts that are not on the scale, or whose they are where texts are not kept."""
    off = [
        (str(each.verdict), each.answer.case)
        for each in cases
        if each.outcome == "failed" and each.lost_by == OFF_SCALE
    ]
    if off and content == "texts":
        yield f"verdicts that are not on the scale: {examples(off)}"
    elif off and content == "ids":
        ids = ", ".join(quoted(case) for _, case in off[:SHOWN])
        yield f"verdicts that are not on the scale are those of {ids}"


def _contradicts(case: Case, frame: Frame) -> bool:
    inner = normalised_verdict(
        case.answer.inner_verdict, frame.policy, spelling=frame.options.spelling
    )
    return inner is not None and inner != case.verdict
