"""Cases that matter, and what changed between two sides: chosen and counted here, once for all.

Every kind of case gets its share of the budget: each change of each pair, failures, the surest
errors and the costliest ones of each side come first, one of each kind in turn, then abstentions
and what went right. So a change that is rare is shown in full, and none is lost behind a common
one. Counts are of all cases, whatever is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from assay.artifact import STATES, Answer, Artifact, Case, Cases, Content, Pair, Side, Transitions
from assay.families.case_sheet import ABSTAINED, FAILED, RIGHT, WRONG, Answers, CaseSheet, cut
from assay.inference import holm
from assay.metrics.reasoning.answers import mcnemar_p_value

if TYPE_CHECKING:
    from assay.columns import Array, Indices
    from assay.families.family import Family

MOST_CASES, FEWEST_CASES, MOST_ANSWERS = 200, 20, 1_200
"""cases that are kept: so many, and fewer where each has many answers"""
MOST_CHANGES = 24
"""pairs whose changes get a share of their own"""
MOST_SYSTEMS = 24
"""of more systems than these, only the pairs that are compared say what changed"""
LONGEST_NAME = 200
MOST_LETTERS = 150_000
"""of all sources that cases are about"""
RULE = (
    "a share for every change of every pair, for failures, and for the surest and the costliest"
    " errors of every side; then abstentions and the rest"
)
WITHIN = "the one among the numbers counts what was not answered as wrong"
NOBODY = "no case is answered by both"


def to_keep(
    family: Family, artifact: Artifact[Any, Any, Any], content: Content
) -> Artifact[Any, Any, Any]:
    """Leave texts or all cases out of the parts of an artifact, where that was asked for."""
    if content == "texts":
        return artifact
    hushed = [
        replace(each, parts=family.without_texts(each.parts, content)) for each in artifact.systems
    ]
    return replace(artifact, systems=hushed)


def with_transitions(pairs: Sequence[Pair], sheet: CaseSheet | str) -> list[Pair]:
    """Say of every pair what changed, with p-values that hold together."""
    if isinstance(sheet, str):
        return [*pairs]
    sides = [[sheet.side_of(each) for each in (pair.left, pair.right)] for pair in pairs]
    found = [_transitions(sheet, *each, why=sheet.dependent) for each in sides]
    known = [number for number, each in enumerate(found) if each.p_value is not None]
    together = dict(zip(known, holm([_p(found[n]) for n in known]), strict=True))
    return [
        replace(pair, transitions=replace(each, p_holm=together.get(number)))
        for number, (pair, each) in enumerate(zip(pairs, found, strict=True))
    ]


def _p(found: Transitions) -> float:
    return np.nan if found.p_value is None else found.p_value


def _transitions(sheet: CaseSheet, left: int, right: int, *, why: str | None) -> Transitions:
    one, other = sheet.sides[left].state, sheet.sides[right].state
    both = (one >= 0) & (other >= 0)
    cells = one[both].astype(np.int64) * len(STATES) + other[both]
    size = None if sheet.size is None else sheet.size[both]
    counts = np.bincount(cells, weights=size, minlength=len(STATES) ** 2).astype(np.int64)
    table = counts.reshape(len(STATES), len(STATES))
    answered = table[: WRONG + 1, : WRONG + 1]
    reason = why or (None if answered.sum() else NOBODY)
    return Transitions(
        left=left,
        right=right,
        matrix=table.tolist(),
        left_sums=table.sum(axis=1).tolist(),
        right_sums=table.sum(axis=0).tolist(),
        n=int(table.sum()),
        right_to_wrong=int(table[RIGHT, WRONG]),
        wrong_to_right=int(table[WRONG, RIGHT]),
        newly_abstained=int(table[: WRONG + 1, ABSTAINED].sum()),
        newly_failed=int(table[:FAILED, FAILED].sum()),
        n_answered=int(answered.sum()),
        p_value=None if reason else _mcnemar(answered),
        p_holm=None,
        p_reason=reason,
    )


def _mcnemar(answered: Indices) -> float:
    """Return the p-value of a table of two by two, whose rows are the left side."""
    left, right = np.indices(answered.shape).reshape(2, -1) == RIGHT
    found: Any = mcnemar_p_value(correct_cot=right, correct_early=left, weight=answered.ravel())
    return float(found)


def cases(sheet: CaseSheet | str, pairs: Sequence[Pair], content: Content) -> Cases:
    """Write down the cases that matter, within the budget."""
    if isinstance(sheet, str):
        empty: list[Any] = []
        return Cases(
            content=content,
            unit="case",
            n=0,
            budget=0,
            rule=RULE,
            texts=False,
            reason=sheet,
            sides=empty,
            within=empty,
            kept=empty,
        )
    within = [_transitions(sheet, *each, why=WITHIN) for each in sheet.within]
    told = [pair.transitions for pair in pairs if pair.transitions is not None]
    between = _between(sheet, pairs, told)
    every = (*within, *told, *(between or ()))
    changes = [(each.left, each.right) for each in every][:MOST_CHANGES]
    budget = max(FEWEST_CASES, min(MOST_CASES, MOST_ANSWERS // len(sheet.sides)))
    chosen = [] if content == "none" else _chosen(sheet, changes, budget)
    kept = [*_within_room(_written(sheet, int(row), content) for row in chosen)]
    return Cases(
        content=content,
        unit=sheet.unit,
        n=int(sheet.n if sheet.size is None else sheet.size.sum()),
        budget=budget,
        rule=RULE,
        texts=any(
            _holds_texts(each, sheet, int(row)) for each, row in zip(kept, chosen, strict=True)
        ),
        reason=None,
        sides=[_side(each, sheet.size) for each in sheet.sides],
        within=within,
        between=between,
        kept=kept,
    )


def _within_room(kept: Iterable[Case]) -> Iterator[Case]:
    """Leave sources out where those of earlier cases fill what a file has room for."""
    room = MOST_LETTERS
    for case in kept:
        room -= sum(len(each.text) for each in case.sources)
        yield case if room >= 0 or not case.sources else replace(case, sources=[])


def _between(
    sheet: CaseSheet, pairs: Sequence[Pair], told: Sequence[Transitions]
) -> list[Transitions] | UnsetType:
    """Say what changed between systems that are no pair of their own, so that all are told."""
    systems = sorted({side.system for side in sheet.sides})
    known = {frozenset((pair.left, pair.right)) for pair in pairs}
    others = [two for two in combinations(systems, 2) if frozenset(two) not in known]
    if not others or len(systems) > MOST_SYSTEMS:
        return UNSET
    found = [_transitions(sheet, *map(sheet.side_of, two), why=sheet.dependent) for two in others]
    tested = [each for each in (*found, *told) if each.p_value is not None]
    together = dict(zip(map(id, tested), holm([*map(_p, tested)]), strict=True))
    return [replace(each, p_holm=together.get(id(each))) for each in found]


def _side(side: Answers, size: Array | None) -> Side:
    known = side.state >= 0
    weights = None if size is None else size[known]
    counts = np.bincount(side.state[known], weights=weights, minlength=len(STATES))
    return Side(
        name=side.name,
        system=side.system,
        counts={state: int(n) for state, n in zip(STATES, counts, strict=True)},
    )


def _chosen(sheet: CaseSheet, changes: Sequence[tuple[int, int]], budget: int) -> list[int]:
    """Return the cases that are kept, in the order in which they are shown."""
    place: dict[int, tuple[int, int]] = {}
    for tier, rows in _kinds(sheet, changes, budget):
        for at, row in enumerate(rows.tolist()):
            place[row] = min(place.get(row, (tier, at)), (tier, at))
    kept = sorted(place, key=lambda row: (place[row], row))[:budget]
    return sorted(kept, key=lambda row: _shown_at(sheet, changes, row))


def _kinds(
    sheet: CaseSheet, changes: Sequence[tuple[int, int]], budget: int
) -> Iterator[tuple[int, Indices]]:
    """Yield every kind of case with its first rows; 0 comes before 1."""
    for left, right in changes:
        one, other = sheet.sides[left], sheet.sides[right]
        moved = (one.state >= 0) & (other.state >= 0) & (one.state != other.state)
        for before in range(len(STATES)):
            for after in range(len(STATES)):
                cell = moved & (one.state == before) & (other.state == after)
                yield 0, _first(cell, (other.loss, other.sure), budget)
    for side in sheet.sides:
        yield 0, _first(side.state == FAILED, (), budget)
        for order in ((side.sure, side.loss), (side.loss, side.sure)):
            yield 0, _first(side.state == WRONG, order, budget)
        for state in (ABSTAINED, RIGHT, *range(-1, 0)):
            yield 1, _first(side.state == state, (), budget)


def _first(mask: Any, orders: Sequence[Array | None], most: int) -> Indices:
    """Return the first rows of a kind, by falling values of columns, then as they stand."""
    rows: Indices = np.flatnonzero(mask)
    columns = [np.nan_to_num(-each, nan=np.inf) for each in orders if each is not None]
    if columns and rows.size > most:
        # Only the rows that can be among the first are sorted.
        bound = np.partition(columns[0][rows], most - 1)[most - 1]
        rows = rows[columns[0][rows] <= bound]
    if columns and rows.size:
        rows = rows[np.lexsort([rows, *(each[rows] for each in columns[::-1])])]
    return rows[:most]


def _shown_at(sheet: CaseSheet, changes: Sequence[tuple[int, int]], row: int) -> tuple[Any, ...]:
    """Order cases by what changed first, then by what went wrong, then as they stand."""
    left, right = changes[0] if changes else (0, 0)
    before, after = (int(sheet.sides[side].state[row]) for side in (left, right))
    moved = before != after and min(before, after) >= 0
    kind = [(RIGHT, WRONG), (WRONG, RIGHT)]
    if moved:
        known = kind.index((before, after)) if (before, after) in kind else 2 + (FAILED - after)
        group: tuple[int, ...] = (0, known)
    else:
        group = (1, -after if after in {WRONG, FAILED} else 1 + after % len(STATES))
    losses = [_value(side.loss, row) for side in (sheet.sides[right], sheet.sides[left])]
    return (*group, *losses, _value(sheet.sides[right].sure, row), row)


def _value(column: Array | None, row: int) -> float:
    return 0.0 if column is None or np.isnan(column[row]) else -float(column[row])


def _written(sheet: CaseSheet, row: int, content: Content) -> Case:
    case = sheet.identify(row)
    size = 1 if sheet.size is None else int(sheet.size[row])
    answers = [_answer(side, row, content) for side in sheet.sides]
    name, truth = case.name, case.truth
    if isinstance(truth, str):
        truth = None if content == "ids" and sheet.free(row) else cut(truth)
    return replace(
        case,
        id=cut(case.id, LONGEST_NAME),
        name=cut(name, LONGEST_NAME) if name and content == "texts" else None,
        truth=truth,
        n=size,
        sources=case.sources if content == "texts" else [],
        answers=answers,
    )


def _answer(side: Answers, row: int, content: Content) -> Answer | None:
    code = int(side.state[row])
    if code < -1:
        return None
    answer = replace(side.write(row), state=STATES[code] if code >= 0 else None)
    if isinstance(answer.answer, str):
        hidden = content == "ids" and side.free(row)
        answer = replace(answer, answer=None if hidden else cut(answer.answer))
    return answer if content == "texts" else replace(answer, texts=[])


def _holds_texts(case: Case, sheet: CaseSheet, row: int) -> bool:
    own = zip(case.answers, sheet.sides, strict=True)
    told = bool(case.sources) or (case.truth is not None and sheet.free(row))
    return told or any(
        answer is not None
        and (bool(answer.texts) or (answer.answer is not None and side.free(row)))
        for answer, side in own
    )
