"""Several answers to one question: which one is given most often, and how far they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Score = int | None
"""None is an abstention"""
SETTLED = 0.5


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far samples agree."""

    score: Score
    """the most frequent; an abstention wins ties, then the smallest score"""
    count: int
    """of samples that gave it"""
    share: float
    spread: float
    """the population standard deviation of the scores, 0 with fewer than two"""
    abstained: float
    """the share of samples without a score"""


def agreement(samples: Sequence[Score]) -> Agreement:
    """Return how far samples agree, of which there is at least one.

    Examples
    --------
    >>> agreement([2, 1, None, 2])
    Agreement(score=2, count=2, share=0.5, spread=0.471..., abstained=0.25)
    >>> agreement([3, None, 1]).score is None
    True
    """
    counts = Counter(samples)
    ranked = sorted(counts, key=lambda score: (-counts[score], score is not None, score))
    scores = [score for score in samples if score is not None]
    return Agreement(
        score=ranked[0],
        count=counts[ranked[0]],
        share=counts[ranked[0]] / len(samples),
        spread=float(np.std(scores)) if len(scores) > 1 else 0.0,
        abstained=(len(samples) - len(scores)) / len(samples),
    )


def settled(samples: Sequence[Score]) -> int:
    """Return which sample is the answer: the first with the modal score, if half of them agree.

    Examples
    --------
    >>> settled([1, 2, 2]), settled([1, 2, 3, 0, None])
    (1, 0)
    """
    modal = agreement(samples)
    return list(samples).index(modal.score) if modal.share >= SETTLED else 0
