"""The slow definitions of the verdict metrics and of the quotation modes: loops and fractions.

Written from the texts that define them. Nothing here imports the package.
"""

from __future__ import annotations

import math
import re
import unicodedata
from fractions import Fraction
from itertools import combinations_with_replacement


def average_precision(positive: list[bool], score: list[float], times: list[int]) -> float:
    """Step sum over the distinct scores from the highest down, ties together."""
    cases = list(zip(positive, score, times, strict=True))
    n_positive = sum(n for is_positive, _, n in cases if is_positive)
    n_all = sum(times)
    if n_positive in {0, n_all}:
        return math.nan
    area, recall = Fraction(0), Fraction(0)
    for cut in sorted(set(score), reverse=True):
        called = sum(n for _, each, n in cases if each >= cut)
        found = sum(n for is_positive, each, n in cases if is_positive and each >= cut)
        if called:
            reached = Fraction(found, n_positive)
            area += (reached - recall) * Fraction(found, called)
            recall = reached
    return float(area)


def ordinal_auprc(verdict: list[int], score: list[float], times: list[int]) -> float:
    """Mean over the steps with cases on both sides."""
    steps = [
        average_precision([each >= step for each in verdict], score, times)
        for step in range(1, max(verdict, default=0) + 1)
    ]
    defined = [Fraction(each) for each in steps if not math.isnan(each)]
    return float(sum(defined) / len(defined)) if defined else math.nan


def class_scores(true: list[int], given: list[int], verdict: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of one verdict; NaN where a denominator is 0."""
    pairs = list(zip(true, given, strict=True))
    hit = sum(one == other == verdict for one, other in pairs)
    wrongly = sum(other == verdict != one for one, other in pairs)
    missed = sum(one == verdict != other for one, other in pairs)
    return (
        _share(hit, hit + wrongly),
        _share(hit, hit + missed),
        _share(2 * hit, 2 * hit + wrongly + missed),
    )


def macro_f1(true: list[int], given: list[int]) -> float:
    """Mean F1 of the verdicts that occur on either side."""
    occurring = set(true) | set(given)
    f1 = [Fraction(class_scores(true, given, verdict)[2]) for verdict in occurring]
    return float(sum(f1) / len(f1)) if f1 else math.nan


def macro_f1_unanswered(
    true: list[int], given: list[int | None], n_verdicts: int, *, worst: bool
) -> float:
    """Mean F1 where None was given for some: a miss, at worst a false alarm of all others too."""
    n = max([*true, *(each for each in given if each is not None), n_verdicts - 1]) + 1
    f1 = []
    for verdict in range(n):
        hit = wrongly = missed = 0
        for one, other in zip(true, given, strict=True):
            hit += one == other == verdict
            missed += one == verdict != other
            wrongly += verdict != one and (other == verdict or (other is None and worst))
        if hit + wrongly + missed:
            f1.append(Fraction(2 * hit, 2 * hit + wrongly + missed))
    return float(sum(f1) / len(f1)) if f1 else math.nan


def ordinal_auprc_at_worst(verdict: list[int], score: list[float | None]) -> float:
    """Mean over the steps; a case without score stands alone where it does most harm.

    Before all if it is not positive; else after all, or just before some of the others.
    """
    known = sorted({own for own in score if own is not None})
    gaps = [-1e9, *(own + 0.25 for own in known)]
    areas = []
    for step in range(1, max(verdict, default=0) + 1):
        positive = [one >= step for one in verdict]
        lost = [at for at, own in enumerate(score) if own is None and positive[at]]
        tied = any(
            sum(wanted and own == each for wanted, own in zip(positive, score, strict=True)) > 1
            for each in known
        )
        found = []
        for chosen in combinations_with_replacement(gaps if tied else [-1e9], len(lost)):
            # Far beyond all scores, and no two of them at one place.
            alone = {at: chosen[n] - 1e-3 * n for n, at in enumerate(lost)}
            places = [
                alone.get(at, 1e9 + at) if own is None else own for at, own in enumerate(score)
            ]
            found.append(average_precision(positive, places, [1] * len(verdict)))
        areas += [] if math.isnan(found[0]) else [Fraction(min(found))]
    return float(sum(areas) / len(areas)) if areas else math.nan


def _share(part: int, total: int) -> float:
    return part / total if total else math.nan


SINGLE = set("\u2018\u2019\u201a\u201b\u2032\u2035\u02bc`\u00b4")
DOUBLE = set("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f")
DASHES = set("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58")
INVISIBLE = set("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u180e")


def normalized(text: str) -> str:
    """Compatibility form, visible characters, straight marks, no case, single spaces."""
    for _ in range(2):
        kept = []
        for each in unicodedata.normalize("NFKC", text):
            if each in SINGLE:
                kept.append("'")
            elif each in DOUBLE:
                kept.append('"')
            elif each in DASHES:
                kept.append("-")
            elif each not in INVISIBLE:
                kept.append(each)
        text = "".join(kept).casefold()
    text = "".join(each for each in unicodedata.normalize("NFKC", text) if each not in INVISIBLE)
    return " ".join(text.split())


def in_order(parts: list[str], text: str) -> bool:
    """Say whether the parts can be laid out one behind the other, by trying all places."""
    places = [[at for at in range(len(text)) if text.startswith(part, at)] for part in parts]
    if not all(places):
        return False
    found = [[at] for at in places[0]]
    for number, of_part in enumerate(places[1:]):
        size = len(parts[number])
        found = [[*row, at] for row in found for at in of_part if at >= row[-1] + size]
    return bool(found)


def word_shares(quoted: list[str], source: list[str]) -> bool:
    """Say whether four of five distinct words are held, of three or more."""
    distinct = set(quoted)
    return len(distinct) >= 3 and Fraction(
        sum(word in source for word in distinct), len(distinct)
    ) >= Fraction(4, 5)


def reference_accepts(quoted: str, source: str) -> bool:
    """The three stages of the reference program, from their description."""
    text, held = (" ".join(each.lower().split()) for each in (quoted, source))
    if not text.replace(".", "").replace("\u2026", "").strip() or not held:
        return False
    if text in held:
        return True
    segments = _long(re.split(r"(?<=[.!?])\s+", quoted)) or _long(quoted.split("..."))
    places = []
    for segment in segments or _long([quoted]):
        ways = [segment, segment.rstrip(".,!?;:")]
        places.append(next((held.index(each) for each in ways if each in held), None))
    found = [each for each in places if each is not None]
    rising = found == sorted(set(found))
    if places and Fraction(len(found), len(places)) >= Fraction(4, 5) and rising:
        return True
    return word_shares(text.split(), held.split())


def _long(parts: list[str]) -> list[str]:
    spaced = [" ".join(each.lower().split()) for each in parts]
    return [each for each in spaced if len(each) >= 10]
