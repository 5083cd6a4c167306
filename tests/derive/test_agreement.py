"""How far samples agree, against a count by hand."""

from __future__ import annotations

from collections import Counter
from statistics import pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.agreement import agreement, settled

SAMPLES = st.lists(st.none() | st.integers(-2, 3), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("samples", "score", "count"),
    [
        ([1], 1, 1),
        ([None], None, 1),
        ([2, 2, None, None], None, 2),
        ([3, 1, 3, 1], 1, 2),
        ([0, -1], -1, 1),
        ([3, 2, 3], 3, 2),
    ],
)
def test_the_most_frequent_wins_then_an_abstention_then_the_smallest(samples, score, count):
    found = agreement(samples)
    assert (found.score, found.count) == (score, count)


def test_fewer_than_two_scores_have_no_spread():
    assert agreement([None, 3]).spread == 0.0
    assert agreement([0, 3]).spread == 1.5


@given(SAMPLES)
def test_the_shares_are_those_of_a_count(samples):
    found = agreement(samples)
    counts = Counter(samples)
    assert found.count == max(counts.values())
    assert found.share == found.count / len(samples)
    assert found.abstained == counts[None] / len(samples)
    scores = [each for each in samples if each is not None]
    assert found.spread == pytest.approx(pstdev(scores) if len(scores) > 1 else 0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("samples", "number"),
    [([2, 1, 1], 1), ([2, 1], 1), ([1, 2], 0), ([3, 1, 2], 0), ([0, None, None, 0], 1)],
)
def test_the_answer_is_the_first_with_the_modal_score_if_half_agree(samples, number):
    assert settled(samples) == number
