"""Many systems in order: groups that cannot be told apart, and every system as the reference."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest

import assay
from assay.inference import holm
from assay.stored import fault

WRONG = (0.03, 0.06, 0.30, 0.33, 0.80)
"""how often a system is wrong"""


@cache
def made(n_systems: int = 5, resamples: int = 400, n_rows: int = 200) -> Any:
    """Make systems of which the first two, the next two and the last are alike."""
    random = np.random.default_rng(3)
    draw, confidence = random.random((2, n_rows))
    losses = {
        f"s{number}": (draw < share).astype(float) for number, share in enumerate(WRONG[:n_systems])
    }
    # Given the worst first, so that the order is not that of the input.
    names = [*losses][::-1]
    result = assay.evaluate(
        "selective",
        loss={name: losses[name] for name in names},
        confidence=dict.fromkeys(names, confidence),
        cluster=np.arange(n_rows) // 2,
        n_resamples=resamples,
    )
    return result.artifact


def named(artifact: Any, numbers: list[int]) -> list[str]:
    return [artifact.systems[each].name for each in numbers]


def test_groups_are_a_leader_and_all_that_cannot_be_told_from_it() -> None:
    artifact = made()
    board = artifact.board
    assert named(artifact, board.order) == ["s0", "s1", "s2", "s3", "s4"]
    found = [named(artifact, group.members) for group in board.groups]
    assert found == [["s0", "s1"], ["s2", "s3"], ["s4"]]
    assert named(artifact, [group.leader for group in board.groups]) == ["s0", "s2", "s4"]
    assert (board.label, board.better) == ("augrc_at_coverage@common", "lower")
    assert board.unranked == {}


def test_every_system_is_a_reference_corrected_for_its_own_comparisons() -> None:
    board = made().board
    assert [each.system for each in board.references] == board.order
    for reference in board.references:
        assert [each.system for each in reference.others] == [
            n for n in board.order if n != reference.system
        ]
        p = [each.delta.p_value for each in reference.others]
        assert [each.delta.p_holm for each in reference.others] == pytest.approx([*holm(p)])


def test_a_difference_seen_from_the_other_side_is_its_mirror() -> None:
    board = made().board
    seen = {
        (one.system, each.system): each.delta for one in board.references for each in one.others
    }
    opposite = {"better": "worse", "worse": "better", None: None}
    for (left, right), delta in seen.items():
        back = seen[right, left]
        assert back.delta == -delta.delta
        assert back.interval == pytest.approx([-end for end in delta.interval[::-1]])
        assert back.p_value == delta.p_value
        # Holm is over the comparisons of each reference, so only clear words are both ways alike.
        if delta.p_holm < 0.05 and back.p_holm < 0.05:
            assert back.word == opposite[delta.word]


def test_what_could_have_been_seen_is_the_largest_of_the_first_group() -> None:
    board = made().board
    lead = next(each for each in board.references if each.system == board.groups[0].leader)
    known = [e.delta.detectable for e in lead.others if e.system in board.groups[0].members]
    assert board.detectable == max(known)


def test_three_systems_have_no_board() -> None:
    assert made(3, 0).board is msgspec.UNSET


def test_without_resamples_there_are_no_groups_and_no_words() -> None:
    board = made(4, 0).board
    assert board.groups == []
    assert board.detectable is None
    assert {each.delta.word for one in board.references for each in one.others} == {None}


def test_below_six_clusters_nothing_can_be_told_apart() -> None:
    board = made(5, 100, 10).board
    assert [len(group.members) for group in board.groups] == [5]
    assert all(each.delta.interval is None for one in board.references for each in one.others)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"order": [0, 0, 1, 2, 3]}, "`board.order` does not hold every system once"),
        ({"groups": []}, None),
        ({"label": "none"}, "lacks the number of `board`"),
        ({"unranked": {"0": "why"}}, "`board.groups` do not hold every ranked system once"),
    ],
)
def test_a_board_that_was_edited_is_refused(change: dict[str, Any], words: str | None) -> None:
    artifact = made()
    edited = msgspec.structs.replace(
        artifact, board=msgspec.structs.replace(artifact.board, **change)
    )
    found = fault(edited)
    assert found is None if words is None else words in str(found)
