"""Grounded verdicts: what is measured, each case in a process of its own.

Ranking and labels against scikit-learn on a million cases; quotations against documents of about
2 kB, half of them altered so that they are not in their document as they stand.
"""

from __future__ import annotations

import random
import re
import resource
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.columns import Resamples
from assay.derive.policies import Policy, Value, ordinal, value_of
from assay.derive.snippets import Quotation, check_quotations, checked_against
from assay.inference import Plan, bootstrap, estimate
from assay.metrics import verdicts as family
from assay.score import Rows, requests, statistic
from bench.measure import Ratio, least_seconds

Array = NDArray[np.float64]
CASES_AT_ONCE = 1_000_000
LEAST_PART, LEAST_WORDS, ENOUGH = 10, 3, 0.8
N_DOCUMENTS, PER_CASE, N_SNIPPETS = 10_000, 100, 100_000
SEVEN = (
    "ordinal_auprc",
    "macro_f1",
    "evidence_precision",
    "evidence_recall",
    "snippet_validity",
    "judgement_accuracy",
    "verdict_consistency",
)


def verdict_table(n: int = CASES_AT_ONCE) -> tuple[Array, Array, Array]:
    """Return true verdicts, rank scores that tell something about them, and given verdicts."""
    rng = np.random.default_rng(7)
    true = rng.integers(0, 3, n).astype(np.float64)
    score = np.round(true + 1.5 * rng.normal(size=n), 6)
    return true, score, np.clip(true + rng.integers(-1, 2, n), 0, 2)


def timed(function: Callable[[], float]) -> dict[str, Any]:
    """Time one number."""
    return {"value": float(function()), "seconds": least_seconds(function)}


def ours_auprc() -> dict[str, Any]:
    """Time the mean over both steps."""
    true, score, _ = verdict_table()
    return timed(lambda: family.ordinal_auprc(true, score))  # type: ignore[arg-type,return-value]  # one weight, one number


def sklearn_auprc() -> dict[str, Any]:
    """Time both steps."""
    from sklearn.metrics import average_precision_score  # noqa: PLC0415 - not in our memory

    true, score, _ = verdict_table()
    steps = (1, 2)
    return timed(lambda: float(np.mean([average_precision_score(true >= t, score) for t in steps])))


def ours_f1() -> dict[str, Any]:
    """Time macro F1."""
    true, _, given = verdict_table()
    return timed(lambda: family.macro_f1(true, given))  # type: ignore[arg-type,return-value]  # one weight, one number


def sklearn_f1() -> dict[str, Any]:
    """Time macro F1 of whole numbers, which scikit-learn prefers."""
    from sklearn.metrics import f1_score  # noqa: PLC0415 - not in our memory

    true, _, given = (column.astype(np.int64) for column in verdict_table())
    return timed(lambda: float(f1_score(true, given, average="macro", zero_division=0)))


def seven(n_cases: int = 100, *, n_resamples: int = 10_000) -> dict[str, Any]:
    """Time all seven metrics on cluster resamples of the cases, draws and intervals included."""
    true, score, given = verdict_table(n_cases)
    rng = np.random.default_rng(11)
    counts: dict[str, Array] = {}
    for total, part in (
        ("n_gold", "n_matched"),
        ("n_snippets", "n_valid"),
        ("n_judged", "n_judged_right"),
        ("n_ruled", "n_consistent"),
    ):
        counts[total] = rng.integers(0, 6, n_cases).astype(np.float64)
        counts[part] = rng.binomial(counts[total].astype(np.int64), 0.7).astype(np.float64)
    counts["n_claimed"] = counts["n_matched"] + rng.integers(0, 3, n_cases)
    columns = {"verdict_true": true, "rank_score": score, "verdict_given": given, **counts}
    weight = Resamples(np.ones((1, n_cases)), np.arange(n_cases), np.ones(n_cases), ())
    rows = Rows(columns, weight)
    asked = [each for each in requests(tuple(columns), {}) if each.metric.name in SEVEN]
    statistics = [statistic(each, rows) for each in asked]
    plan = Plan(n_resamples=n_resamples)

    def run() -> Any:
        drawn = bootstrap(statistics, plan, n_clusters=n_cases, n_rows=n_cases)
        return [estimate(drawn.of(row), plan) for row in range(len(statistics))]

    return {"seconds": least_seconds(run, 3), "n_scalars": len(statistics)}


def library() -> dict[str, dict[str, str]]:
    """Return documents of about 2 kB, a hundred per case, of words that are rare and common."""
    rng = random.Random(5)  # noqa: S311 - no secret
    words = [f"{'abcdefghij'[n % 10]}{n:x}{'klmnop'[n % 6]}" for n in range(20_000)]
    weights = [1 / (rank + 5) for rank in range(len(words))]
    texts = [rng.choices(words, weights, k=360) for _ in range(N_DOCUMENTS)]
    cases: dict[str, dict[str, str]] = {}
    for number, text in enumerate(texts):
        case = cases.setdefault(f"case{number // PER_CASE}", {})
        case[f"r{number}"] = ". ".join(
            " ".join(text[first : first + 12]).capitalize() for first in range(0, len(text), 12)
        )
    return cases


def quotations(cases: dict[str, dict[str, str]]) -> list[Quotation]:
    """Quote: half exactly; of the rest some with other case, some from elsewhere, some changed."""
    rng = random.Random(6)  # noqa: S311 - no secret
    places = [(case, name) for case, texts in cases.items() for name in texts]
    drawn = []
    for number in range(N_SNIPPETS):
        case, name = places[number % len(places)]
        kind = rng.randrange(10)
        source = places[rng.randrange(len(places))] if kind == 7 else (case, name)
        text = cases[source[0]][source[1]]
        first = rng.randrange(max(1, len(text) - 120))
        snippet = text[first : first + 100]
        if kind in {5, 6}:
            snippet = f"\u201c{snippet.upper()}\u201d"
        elif kind in {8, 9}:
            words = snippet.split()
            rng.shuffle(words)
            snippet = " ".join(words)
        drawn.append(Quotation(case, name, snippet))
    return drawn


def peak_megabytes() -> float:
    """Return the most memory that the process held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def all_modes() -> dict[str, Any]:
    """Time every mode, with the search for misattributed quotations in all documents."""
    cases = library()
    quoted = quotations(cases)
    before = peak_megabytes()
    found: list[Any] = []
    seconds = least_seconds(lambda: found.append(check_quotations(quoted, cases)), 2)
    statuses = [each.status for each in found[0]]
    assert statuses.count("exact") >= 0.45 * N_SNIPPETS
    assert statuses.count("misattributed") >= 0.09 * N_SNIPPETS
    return {"seconds": seconds, "peak_megabytes": peak_megabytes() - before}


def as_the_program(quoted: str, source: str) -> bool:
    """Accept what the reference accepts, in plain words: a part, parts in order, most words."""
    quoted, source = " ".join(quoted.lower().split()), " ".join(source.lower().split())
    if quoted in source:
        return True
    parts = [part for part in re.split(r"(?<=[.!?])\s+", quoted) if len(part) >= LEAST_PART]
    places = [source.find(part) for part in parts or [quoted]]
    found = [place for place in places if place >= 0]
    in_order = all(one < other for one, other in pairwise(found))
    if len(found) >= ENOUGH * len(places) and in_order:
        return True
    words = set(quoted.split())
    return len(words) >= LEAST_WORDS and len(words & set(source.split())) >= ENOUGH * len(words)


def one_mode_as_the_program() -> dict[str, Any]:
    """Time one mode, quotation by quotation."""
    cases = library()
    quoted = quotations(cases)

    def run() -> int:
        return sum(as_the_program(e.snippet, cases[e.case][e.document]) for e in quoted)

    return {"seconds": least_seconds(run, 2)}


N_MARKS, N_SEGMENTS, N_SYNONYMS = 400_000, 100_000, 200_000


def hostile(work: Callable[[], object]) -> Callable[[], dict[str, Any]]:
    """Return what times an input made to be slow."""
    return lambda: {"seconds": least_seconds(work, 1), "aim": 5.0}


def many_marks() -> object:
    """Take quotation marks off a word."""
    half = '"' * (N_MARKS // 2)
    return checked_against(f"{half}word{half}", "a word")


def many_segments() -> object:
    """Look for every segment in a document that has them all."""
    segments = [f"this is segment {number}" for number in range(N_SEGMENTS)]
    return checked_against(". ".join(segments), " zzz ".join(segments))


def many_synonyms() -> object:
    """Read judgements and verdicts by long lists of synonyms."""
    names = tuple(f"synonym {number}" for number in range(N_SYNONYMS))
    values = (Value("mild", names), Value("severe"))
    policy = Policy("p", ("Low", "High"), verdict_synonyms=dict.fromkeys(names, "Low"))
    read = [value_of(f"it is {name} here", values) for name in names[:5_000]]
    return read, [ordinal(name, policy) for name in names[:5_000]]


CASES = {
    "ours ordinal AUPRC, 1e6 cases": ours_auprc,
    "scikit-learn AUPRC at both steps, 1e6 cases": sklearn_auprc,
    "ours macro F1, 1e6 cases": ours_f1,
    "scikit-learn macro F1, 1e6 cases": sklearn_f1,
    "10,000 resamples of 100 cases, all seven": lambda: {**seven(), "aim": 1.0},
    "100,000 quotations in 10,000 documents, all modes": lambda: {**all_modes(), "aim": 2.0},
    "the same, one mode as the program has it": one_mode_as_the_program,
    "a quotation in 400,000 quotation marks": hostile(many_marks),
    "a quotation of 100,000 segments": hostile(many_segments),
    "10,000 judgements and verdicts by 200,000 synonyms": hostile(many_synonyms),
}

RATIOS = [
    Ratio(
        "scikit-learn, AUPRC at 1e6 cases",
        "ours ordinal AUPRC, 1e6 cases",
        "scikit-learn AUPRC at both steps, 1e6 cases",
        5,
    ),
    Ratio(
        "scikit-learn, macro F1 at 1e6 cases",
        "ours macro F1, 1e6 cases",
        "scikit-learn macro F1, 1e6 cases",
        20,
    ),
    Ratio(
        "the program's one mode, 100,000 quotations in all modes",
        "100,000 quotations in 10,000 documents, all modes",
        "the same, one mode as the program has it",
        3,
    ),
]
