"""Many systems in order: by what they risk up to the coverage that all of them reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from functools import cache
from typing import TYPE_CHECKING

from assay.families.family import FEWEST_RANKED, Pairing, Ranked, Subject
from assay.families.selective.judging import Judging, answered_share
from assay.families.selective.parts import PAIR_COUNTS
from assay.metrics.selective.points import NOTHING_ANSWERED
from assay.sources.matching import lost_items
from assay.sources.participants import overlap

if TYPE_CHECKING:
    from assay.families.selective.options import SelectiveOptions
    from assay.sources.items import ItemTable

__all__ = ["judged_counts", "ranking"]

LABEL = "augrc_at_coverage@common"


def ranking(
    tables: Sequence[ItemTable],
    subjects: Sequence[Subject],
    confidences: Sequence[str],
    options: SelectiveOptions,
) -> Ranked | None:
    """Take the first confidence that all have, on the items that all share."""
    listed = [
        {each.variant: n for n, each in enumerate(subjects) if each.is_of(system)}
        for system in range(len(tables))
    ]
    shared = [name for name in confidences if all(name in own for own in listed)]
    if not shared or len(tables) < FEWEST_RANKED:
        return None
    places = [own[shared[0]] for own in listed]
    rows = [subjects[place].rows for place in places]
    shares = [answered_share(each) if each.weight.size.size else 0.0 for each in rows]
    reached = min([each for each in shares if each] or [0.0])

    @cache
    def pairing(left: int, right: int) -> Pairing:
        counts, lost = judged_counts(tables[left], tables[right], options)
        judging = Judging(
            {shared[0]: rows[left]},
            {shared[0]: rows[right]},
            (counts["failed_left"], counts["failed_right"]),
            options.area_coverage,
            {**counts, **lost},
            reached,
        )
        mute = NOTHING_ANSWERED if not all((shares[left], shares[right])) else None
        sides = [(places[left], places[right])]
        return Pairing(
            *(left, right, counts, sides),
            lambda variant, label: mute or judging.silent(variant, label),
            judging.barred,
        )

    return Ranked(LABEL, shared[0], pairing, lambda _, variant: variant.numbers["risk"].reason)


def judged_counts(
    left: ItemTable, right: ItemTable, options: SelectiveOptions
) -> tuple[dict[str, int], dict[str, int]]:
    """Count whom two tables share, and what of them was left out."""
    lost = lost_items(left, right) if options.intersection_only else {}
    return _overlap(left, right), dict(lost)


def _overlap(left: ItemTable, right: ItemTable) -> dict[str, int]:
    """Count the participants of two tables, by the names that a pair has for them."""
    found: tuple[int, ...] = astuple(overlap(left, right))
    return dict(zip(PAIR_COUNTS, found, strict=True))
