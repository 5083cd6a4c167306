"""Rows of intervals or sets one by one: which are covered, and how an answer looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from assay.artifact import Answer, Case
from assay.families.case_sheet import Answers, CaseSheet, finite, right_or_wrong

if TYPE_CHECKING:
    from assay.columns import Array
    from assay.families.coverage import Claim, Claims
    from assay.families.family import Evaluated, Named

__all__ = ["case_sheet"]


def case_sheet(
    evaluated: Evaluated,
    write: Callable[[Claim, int], str],
    truth: Callable[[Claim, int], str | float],
    size: Callable[[Claim], tuple[str, Array, Array | None]],
) -> CaseSheet:
    """Say which rows are covered at the level that was named first, and how an answer looks.

    `size` says how large every interval or set is, what that is called, and how far off it is
    where that is known.
    """
    context: Claims = evaluated.prepared.context
    sample, systems = context.sample, [levels for _, levels in context.systems]

    def answers(number: int, named: Named, levels: Sequence[Claim]) -> Answers:
        word, large, loss = size(levels[0])
        others = {f"at {level}": own.covered for level, own in zip(at, levels, strict=True)}

        def written(row: int) -> Answer:
            told = {name: "covered" if own[row] else "missed" for name, own in others.items()}
            off = None if loss is None else finite(loss[row])
            facts: dict[str, Any] = {word: finite(large[row]), **told}
            return Answer(state=None, answer=write(levels[0], row), loss=off, facts=facts)

        others.pop(f"at {at[0]}")
        return Answers(
            named.name, number, right_or_wrong(levels[0].covered), written, sure=-large, loss=loss
        )

    def identify(row: int) -> Case:
        group, names = sample.groups, sample.clusters
        return Case(
            id=str(row + 1) if sample.items is None else sample.items[row],
            cluster=None if names is None else str(names[sample.weight.cluster[row]]),
            group=None if group is None else group.names[group.code[row]],
            truth=truth(systems[0][0], row),
            answers=[],
        )

    at = evaluated.options.level
    sides = [answers(number, *each) for number, each in enumerate(context.systems)]
    dependent = None if sample.independent else "rows of one cluster are alike"
    return CaseSheet("row", sides, identify, dependent=dependent)
