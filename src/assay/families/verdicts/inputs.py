"""From results, ground truth, sources and a policy to systems that are scored and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.artifact import Input
from assay.columns import COLUMNS, Array
from assay.derive.snippets import MODES
from assay.derive.spellings import Renaming, renaming_of
from assay.errors import ArtifactError, UsageError
from assay.families.arranging import Arranged, Systems, in_one_table, system_names
from assay.families.family import (
    FEWEST_RANKED,
    Given,
    Named,
    Pairing,
    Prepared,
    Subject,
    ranked_by,
)
from assay.families.verdicts.counts import SHARES, bars, caveats, counts, silence, why_not_derived
from assay.families.verdicts.judged import (
    Case,
    Frame,
    Judged,
    cases_of,
    columns_by_field,
    judged,
    labels_of,
    lost_cases,
    n_valid,
)
from assay.score import Rows, requests
from assay.showing import told_apart
from assay.sources.policy import (
    check_answered,
    check_overlap,
    check_reviews,
    check_truths,
    k_for,
    policy_for,
)
from assay.sources.row_tables import partition
from assay.sources.table import read_table
from assay.sources.tabular import Table
from assay.sources.verdict_tables import case_ids, results_in, truth_in
from assay.sources.verdicts import Results, read_ground_truth, read_results, read_reviews

if TYPE_CHECKING:
    from assay.families.verdicts.options import VerdictColumns, VerdictOptions
    from assay.sources.policy import PolicySource
    from assay.sources.verdicts import GroundTruth, Reviews

READERS: dict[str, Callable[[str, Renaming], Any]] = {
    "results": read_results,
    "ground_truth": read_ground_truth,
    "sources": read_reviews,
    # A policy may be a name as well as a file, and the files may say which it is.
    "policy": lambda path, _: path,
}
"""role: how a path is read, with keys of the caller's own"""
BREAKDOWN = "breakdown"
"""the table of what only parts read: quotations by mode, judgements by field"""
CHOSEN_STEPS = "chosen steps"
FEWEST_SCORED = {"null": 1, "reference": 2}
"""cases that macro F1 needs"""
ONCE_PER_CASE = ("verdict_consistency", "evidence_consistency")
"""shares that count each case once at most, so that their exact interval is known"""
MACRO_F1 = "macro_f1"
"""what many systems are put in order by"""


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
    """What parts are made of: what was read, and every system held against the truth of it."""

    frame: Frame
    files: Files
    systems: Sequence[Judged]


def prepare(given: Given) -> Prepared:
    """Read files that belong together; a system is one file of results, a row is a case."""
    files = _read(given)
    given = replace(given, options=_spelled(given.options, files))
    check_overlap(files.results, files.truth)
    policy = files.policy.policy
    k = k_for(given.options.k, files.results, files.truth, policy)
    frame = Frame(policy, files.truth, files.reviews, given.options, k)
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
        warnings=list(caveats(frame, files, systems, n_lost, given.cases)),
        context=Judgements(frame, files, systems),
        pairings=pairings,
        ranked=ranked_by(MACRO_F1, "", board),
    )


def _read(given: Given) -> Files:
    """Read what is a path, as tables where columns are named; the rest was read already."""
    found = {role: list(given.sources.get(role) or ()) for role in READERS}
    names = given.names
    tabled = given.columns is not None and bool(given.columns.verdict)
    if tabled and not isinstance(next(iter(found["results"]), None), Results):
        found["results"], truth, names = _read_tables(given)
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
            hint = "several systems are several `results` about one truth"
            if role == "ground_truth" and not found[role]:
                hint = f"`ground_truth` names its file, or `truth` a column; {hint}"
            raise UsageError(msg, hint=hint)


def _check_fit(files: Files, frame: Frame, answered: Sequence[Sequence[Case]]) -> int:
    """Refuse what does not fit together; return how many sources of the truth are not known."""
    if frame.options.not_answered != "leave-out":
        check_truths(frame.truth, frame.policy, frame.options.spelling)
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


def _spelled(options: VerdictOptions, files: Files) -> VerdictOptions:
    """Repair no spelling under `reference` where a bare scale is all that names the verdicts."""
    named = any((files.truth.policy_id, *(each.text("policy_id") for each in files.results)))
    chosen = (options.preset, options.spelling)
    if options.scale and not named and chosen == ("reference", "reference"):
        return replace(options, spelling="as-written")
    return options


def _text(path: str) -> str:
    """Spell a file name that is not UTF-8 so that it can be written down."""
    return path.encode(errors="backslashreplace").decode()


def arrange(
    record: type[Any], systems: Systems, data: Table | None, _: Mapping[str, str]
) -> Arranged:
    """See the columns of every system as its results; systems need not have the same cases."""
    parts: list[tuple[Table, VerdictColumns]] = []
    for name, own in systems.items():
        made = in_one_table(record, {name: own}, data)
        path = name or _verdict_columns(made.columns)[0]
        source = replace(made.tables[0].source, path=path)
        parts.append((replace(made.tables[0], source=source), made.columns))
    results = [each for part in parts for each in _results(*part)]
    names = parts[0][1].verdict
    if [*systems] == [""] and len(names) > 1:
        results = [replace(each, path=own) for each, own in zip(results, names, strict=True)]
    truth = [replace(each, path="truth") for each in _truth(parts)]
    return Arranged(tuple(results), parts[0][1], {"ground_truth": truth} if truth else {})


def _read_tables(given: Given) -> tuple[list[Results], list[GroundTruth], list[str]]:
    """Read files that are tables: results, the truth where they hold it, and names of systems."""
    columns: VerdictColumns = given.columns
    tables = [
        each if isinstance(each, Table) else read_table(each) for each in given.sources["results"]
    ]
    results = [each for table in tables for each in _results(table, columns)]
    names = system_names(tables, columns.verdict, given.names)
    return results, _truth([(each, columns) for each in tables]), [n for own in names for n in own]


def _results(table: Table, columns: VerdictColumns) -> Iterator[Results]:
    verdicts = _verdict_columns(columns)
    others = filter(None, (columns.case, columns.truth, columns.cluster, columns.group))
    table.rows(*verdicts, *columns.score, *others)
    cases, labels = case_ids(table, columns.case), {}
    if columns.cluster is not None:
        code, names = table.clusters(columns.cluster)
        labels["cluster"] = [str(names[each]) for each in code]
    if columns.group is not None:
        groups = partition(table, columns.group)
        labels["group"] = [str(groups.names[each]) for each in groups.code]
    return results_in(table, cases, verdicts, columns.score, labels)


def _truth(parts: Sequence[tuple[Table, VerdictColumns]]) -> list[GroundTruth]:
    return truth_in([(t, case_ids(t, own.case), own.truth) for t, own in parts if own.truth])


def _verdict_columns(columns: VerdictColumns) -> tuple[str, ...]:
    if not columns.verdict:
        msg = "no column of verdicts was given"
        raise UsageError(msg, hint="`verdict` names it, `truth` the one of true verdicts")
    return columns.verdict


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
    once = {label: SHARES[label][:2] for label in ONCE_PER_CASE}
    shares = {
        label: (int(columns[part].sum()), int(columns[whole].sum()))
        for label, (part, whole) in once.items()
        if whole in columns and columns[whole].any()
    }
    found = [
        Subject(
            number,
            Rows(columns, system.weight),
            settings=_settings(frame),
            counts=counts(system, policy),
            about={
                "ranked_by": system.ranked_by,
                "not_derived": why_not_derived(system.cases, policy),
            },
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
    asked = requests(tuple(COLUMNS), found[0].settings, family="verdicts")
    fragile = [each.label for each in asked if "unanswered_as" in each.options]
    worst: dict[str, Any] = {"settings": {**found[0].settings, "unanswered_as": "worst"}}
    worst |= {"listed": False, "exact": {}}
    return [*twins, *(replace(each, only=each.only or fragile, **worst) for each in found)]


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
        "positive": frame.positive,
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


def _broken_down(number: int, system: Judged) -> Iterator[Subject]:
    """Yield the quotations under every mode, and the judgements of every field."""

    def subject(columns: Mapping[str, Array], label: str, **about: str) -> Subject:
        rows = Rows(columns, system.weight)
        return Subject(number, rows, table=BREAKDOWN, only=(label,), listed=False, about=about)

    for mode in MODES:
        valid = np.array([n_valid(each, mode) for each in system.cases], dtype=np.float64)
        columns = {"n_snippets": system.columns["n_snippets"], "n_valid": valid}
        yield subject(columns, "snippet_validity", mode=mode)
    for (kind, field), judged_of in columns_by_field(system.cases).items():
        yield subject(judged_of, "judgement_accuracy", kind=kind, field=field)


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
        kept = _compared_cases(systems[left].cases, systems[right].cases, frame)
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


def _compared_cases(left: Sequence[Case], right: Sequence[Case], frame: Frame) -> tuple[int, ...]:
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
