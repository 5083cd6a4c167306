"""Reasoning: what is measured, each case in a process of its own.

"as defined" is the definition run in plain Python: every pair of steps is normalized and compared
as sets of words.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from assay.columns import Resamples
from assay.derive.answers import ReadingRules, is_correct, read_answer
from assay.derive.judging import Judge
from assay.derive.labels import LabelSet
from assay.derive.steps import match_steps, reasoning_steps
from assay.derive.text import complexity, format_noise, verbosity
from assay.families.reasoning.options import ReasoningOptions
from assay.inference import Plan, bootstrap, estimate
from assay.score import Rows, requests, statistic
from assay.sources.labels import shipped_labels, shipped_rules
from bench.measure import Ratio, least_seconds
from tests.derive.test_hostile_text import TEXTS, measure, read
from tests.reasoning_oracles import step_f1

Case = tuple[list[str], list[str]]
N_CASES, N_STEPS = 10_000, 10
N_MODELS, N_VIGNETTES = 10, 300
WORTH_COMPARING = 0.05
"""seconds; of less, the growth is noise"""
WORDS = [
    "the",
    "patient",
    "reports",
    "low",
    "mood",
    "and",
    "poor",
    "sleep",
    "since",
    "march",
    "which",
    "suggests",
    "a",
    "depressive",
    "episode",
    "with",
    "anxiety",
    "but",
    "no",
    "mania",
    "or",
    "psychosis",
    "was",
    "seen",
    "in",
    "the",
    "clinical",
    "interview",
    "therefore",
    "we",
    "weigh",
    "duration",
    "impairment",
    "history",
    "family",
    "work",
    "appetite",
    "energy",
    "guilt",
    "focus",
    "worry",
    "trauma",
    "and",
    "stress",
]
DIAGNOSES = ("Major Depressive Disorder", "Generalized Anxiety Disorder", "PTSD", "Schizophrenia")


def step_cases() -> list[Case]:
    """Return cases of 10 steps and 10 gold steps; some steps repeat a gold step with gaps."""
    draw = random.Random(7)  # noqa: S311 - data for timing
    vocabulary = [
        "".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 9)))
        for _ in range(2000)
    ]

    def sentence() -> str:
        return " ".join(draw.choices(vocabulary, k=draw.randint(8, 20))).capitalize() + "."

    def near(step: str) -> str:
        kept = " ".join(word for word in step.split() if draw.random() < 0.85)
        return kept if draw.random() < 0.6 else sentence()

    cases = []
    for _ in range(N_CASES):
        gold = [sentence() for _ in range(N_STEPS)]
        cases.append((draw.sample([near(step) for step in gold], N_STEPS), gold))
    return cases


def ours_steps(assignment: str = "greedy") -> dict[str, Any]:
    """Time our Step-F1."""
    cases = step_cases()
    value = float(match_steps(cases, assignment=assignment).f1.mean())  # type: ignore[arg-type]  # a literal
    seconds = least_seconds(lambda: match_steps(cases, assignment=assignment))  # type: ignore[arg-type]  # as above
    return {"seconds": seconds, "value": value}


def defined_steps() -> dict[str, Any]:
    """Time the definition."""
    cases = step_cases()
    found: list[float] = []
    seconds = least_seconds(lambda: found.append(sum(step_f1(*case) for case in cases)), 1)
    return {"seconds": seconds, "value": found[0] / N_CASES}


def output(draw: random.Random) -> str:
    """Return an output of 1 to 10 kB: a think block, reasoning in sentences, an answer."""
    n = draw.randint(80, 800)
    thought = " ".join(draw.choices(WORDS, k=n))
    sentences = (" ".join(draw.choices(WORDS, k=12)).capitalize() for _ in range(n // 12))
    answer = draw.choice(DIAGNOSES)
    return f"<think>{thought}</think>\n\nREASONING: {'. '.join(sentences)}.\nDIAGNOSIS: {answer}"


def outputs() -> list[str]:
    """Return what ten models wrote about 300 vignettes in two modes."""
    draw = random.Random(11)  # noqa: S311 - data for timing
    return [output(draw) for _ in range(2 * N_MODELS * N_VIGNETTES)]


def extraction() -> dict[str, Any]:
    """Time the reading and measuring of all outputs, under two readings."""
    labels = LabelSet.of(["Major Depressive Disorder", "PTSD"], known=shipped_labels())
    closed = ReadingRules(shipped_rules(), labels)
    heuristic = ReadingRules(shipped_rules(), labels, "heuristic")
    texts = outputs()

    def run() -> int:
        n_right = 0
        for text in texts:
            answer = read_answer(text, closed).answer
            n_right += answer is not None and is_correct(answer, "PTSD", labels)
            read_answer(text, heuristic)
            is_correct(text, "PTSD", labels, boundaries="verbatim")
            verbosity(text), format_noise(text), complexity(text)
            reasoning_steps(text)
        return n_right

    return {"seconds": least_seconds(run, 2), "aim": 5.0}


def judging() -> dict[str, Any]:
    """Time one pass over the same outputs under every reading that there is."""
    labels = LabelSet.of(DIAGNOSES, known=shipped_labels())
    judge, texts = Judge(labels, shipped_rules(), ReasoningOptions().texts), outputs()

    def run() -> int:
        return sum(judge.read(text).state == "answered" for text in texts)

    return {"seconds": least_seconds(run, 2), "value": run() / len(texts)}


def metrics() -> dict[str, Any]:
    """Time all metrics of ten models with 10,000 resamples of the vignettes."""
    draw = np.random.default_rng(3)
    n, plan = N_VIGNETTES, Plan(n_resamples=10_000)
    weight = Resamples(np.ones((1, n)), np.arange(n), np.ones(n), ())
    names = ("correct_cot", "correct_early", "refused_cot", "refused_early", "failed_cot")
    names += ("failed_early", "biased", "silent")
    n_scalars = 0

    def run() -> None:
        nonlocal n_scalars
        n_scalars = 0
        for _ in range(N_MODELS):
            columns = {name: 1.0 * (draw.random(n) < 0.4) for name in names}
            columns |= {name: draw.integers(5, 9, n) * 1.0 for name in ("n_steps", "n_gold_steps")}
            columns |= {"n_matched_steps": draw.integers(0, 5, n) * 1.0}
            columns |= {name: draw.random(n) for name in ("verbosity", "format_noise")}
            columns |= {"complexity": draw.random(n), "n_words": draw.integers(9, 900, n) * 1.0}
            rows = Rows(columns, weight)
            asked = [x for x in requests(tuple(columns), {}) if x.metric.family == "reasoning"]
            chosen = [statistic(x, rows) for x in asked if x.metric.interval]
            drawn = bootstrap(chosen, plan, n_clusters=n, n_rows=n)
            n_scalars += len([estimate(drawn.of(row), plan) for row in range(len(chosen))])

    return {"seconds": least_seconds(run, 2), "n_scalars": n_scalars, "aim": 5.0}


def command() -> dict[str, Any]:
    """Time the whole command on files of the real shape, startup included."""
    draw = random.Random(5)  # noqa: S311 - data for timing
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        ids = [f"a_{number:03d}" for number in range(N_VIGNETTES)]
        vignettes = [
            {
                "id": each,
                "gold_answer": draw.choice(DIAGNOSES),
                "gold_reasoning": [" ".join(draw.choices(WORDS, k=12)) for _ in range(8)],
            }
            for each in ids
        ]
        (root / "vignettes.json").write_text(json.dumps(vignettes))
        for model in range(N_MODELS):
            path = root / "results" / f"model-{model}" / "study_a_generations.jsonl"
            path.parent.mkdir(parents=True)
            rows = (
                {"id": each, "mode": mode, "status": "ok", "output_text": output(draw)}
                for each in ids
                for mode in ("cot", "direct")
            )
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        given = ["--generations", f"{root}/results", "--vignettes", f"{root}/vignettes.json"]
        seconds = []
        for repeat in range(2):
            asked = [*given, "--output", f"{root}/out{repeat}"]
            start = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "assay", "reasoning", *asked],
                check=True,
                capture_output=True,
            )
            seconds.append(time.perf_counter() - start)
    return {"seconds": min(seconds), "aim": 4.0}


def hostile() -> dict[str, Any]:
    """Time texts made to be slow; `growth` is that of the worst one when four times as long."""
    works = [(work, made) for work in (read, measure) for made in TEXTS.values()]
    whole, quarter = (
        [_best(work, made, length) for work, made in works] for length in (100_000, 25_000)
    )
    pairs = [pair for pair in zip(whole, quarter, strict=True) if pair[0] > WORTH_COMPARING]
    return {"seconds": sum(whole), "growth": max((a / b for a, b in pairs), default=0)}


def _best(work: Callable[[str], None], made: Callable[[int], str], length: int) -> float:
    # A space in front makes another text of it, so that nothing is remembered.
    texts = iter([" " * n + made(length) for n in range(3)])
    return least_seconds(lambda: work(next(texts)), 3)


SHAPE = f"{N_CASES:,} cases x {N_STEPS} x {N_STEPS}"
OURS = f"ours Step-F1, {SHAPE}"
DEFINED = f"Step-F1 as defined, {SHAPE}"
CASES: dict[str, Callable[[], dict[str, Any]]] = {
    OURS: ours_steps,
    f"{OURS} (numpy)": ours_steps,
    f"{OURS}, optimal": lambda: ours_steps("optimal"),
    DEFINED: defined_steps,
    "reading 6,000 outputs of 1 to 10 kB": extraction,
    "the same 6,000 outputs under every reading": judging,
    "all metrics of 10 models x 300, 10,000 resamples": metrics,
    "assay reasoning, 10 models x 300 x 2 outputs": command,
    "texts made to be slow, 100 kB each": hostile,
}
RATIOS = [
    Ratio("Step-F1 as defined", OURS, DEFINED, 100),
    Ratio("Step-F1 as defined (numpy)", f"{OURS} (numpy)", DEFINED, 15),
]
