"""The slow definitions of reasoning metrics, from the seed's text: loops, sets and fractions.

Nothing here imports what it checks.
"""

from __future__ import annotations

import math
import re
import unicodedata
from fractions import Fraction
from itertools import permutations


def mean(values: list) -> float:
    return float(sum(map(Fraction, values)) / len(values)) if values else math.nan


def share(flags, population) -> float:
    """The share of a flag among the rows that count."""
    return mean([int(flag) for flag, counts in zip(flags, population, strict=True) if counts])


def gap(cot, early, paired) -> float:
    rows = [(int(c), int(e)) for c, e, p in zip(cot, early, paired, strict=True) if p]
    if not rows:
        return math.nan
    right_cot = Fraction(sum(c for c, _ in rows), len(rows))
    right_early = Fraction(sum(e for _, e in rows), len(rows))
    return float(right_cot - right_early)


def mcnemar(cot, early, paired) -> float:
    rows = [(bool(c), bool(e)) for c, e, p in zip(cot, early, paired, strict=True) if p]
    if not rows:
        return math.nan
    only_cot, only_early = rows.count((True, False)), rows.count((False, True))
    n = only_cot + only_early
    tail = sum(math.comb(n, k) for k in range(min(only_cot, only_early) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))


def step_scores(n, gold, matched) -> tuple[Fraction, Fraction, Fraction]:
    """Precision, recall and F1 of one case as the seed computes them."""
    precision = Fraction(matched, n) if n else Fraction(0)
    recall = Fraction(matched, gold) if gold else Fraction(0)
    if precision + recall == 0:
        return precision, recall, Fraction(0)
    return precision, recall, 2 * precision * recall / (precision + recall)


def silent_rate(biased, silent) -> float:
    return share(silent, biased)


def normalize_text(text: str) -> str:
    text = unicodedata.normalize("NFKD", text)
    text = text.lower()
    text = re.sub(r"[^\w\s-]", " ", text)
    text = re.sub(r"\s+", " ", text)
    return text.strip()


def token_overlap(one: str, other: str) -> float:
    a, b = set(normalize_text(one).split()), set(normalize_text(other).split())
    if not a or not b:
        return 0.0
    return 2 * len(a & b) / (len(a) + len(b))


def greedy_matches(steps: list[str], gold: list[str], threshold: float) -> list[tuple[int, int]]:
    """Every step takes its best gold step; later claimants of the same gold text are dropped."""
    claims = []
    for place, step in enumerate(steps):
        best, most = None, 0.0
        for other, gold_step in enumerate(gold):
            overlap = token_overlap(step, gold_step)
            if overlap >= threshold and overlap > most:
                best, most = other, overlap
        if best is not None:
            claims.append((place, best))
    kept, texts = [], set()
    for place, best in claims:
        text = normalize_text(gold[best])
        if text not in texts:
            texts.add(text)
            kept.append((place, best))
    return kept


def step_f1(steps: list[str], gold: list[str], threshold: float = 0.6) -> float:
    matched = len(greedy_matches(steps, gold, threshold))
    return float(step_scores(len(steps), len(gold), matched)[2])


def most_matches(steps: list[str], gold: list[str], threshold: float) -> tuple[int, float]:
    """The most pairs that one-to-one matching allows, and their largest sum of overlaps."""
    width = max(len(steps), len(gold))
    best = (0, 0.0)
    for order in permutations(range(width), len(steps)):
        overlaps = [
            token_overlap(step, gold[place])
            for step, place in zip(steps, order, strict=True)
            if place < len(gold)
        ]
        met = [each for each in overlaps if each >= threshold and each > 0]
        best = max(best, (len(met), math.fsum(met)))
    return best


def between_markers_else_whole(text: str) -> str:
    lower = text.lower()
    start, end = lower.find("reasoning:"), lower.find("diagnosis:")
    if start >= 0 and end >= 0 and start < end:
        return text[start + len("reasoning:") : end]
    return text


def steps_of(block: str) -> list[str]:
    if len(block.split()) < 20:
        return []
    return [each.strip() for each in re.split(r"[.!?]\s+", block) if len(each.strip()) > 20]
