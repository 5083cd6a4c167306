"""Systems and groups that are called as tables are: every view has the same tables as ever."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest

from assay import evaluate
from assay.report.page import page
from assay.report.presenters import summary
from assay.report.tables import table_names, tables

N = 48
RNG = np.random.default_rng(0)
Y, P, LABEL = RNG.normal(size=N), RNG.uniform(size=N), RNG.integers(0, 2, N)
ILL = np.array(["flu", "cold", "gout"])[RNG.integers(0, 3, N)]
CASES = [f"case {number}" for number in range(N)]
PLAIN = ("first", "second", "third")
CALLED = [
    ("Population", "Numbers", "Groups of a"),
    ("Confidence llm", "few_shot minus zero_shot", "Reliability of x"),
    ("A", "a", "b minus a"),
]
ROLES = {
    "calibration": lambda each: {"y_true": LABEL, "y_prob": each(lambda n: P**n), "n_bins": 3},
    "intervals": lambda each: {"y": Y, "low": each(lambda n: -P - n), "up": each(lambda n: P + n)},
    "sets": lambda each: {"y": LABEL, "set": each(lambda n: np.c_[P**n > 0.3, P < 0.6])},
    "selective": lambda each: {"loss": each(lambda n: np.abs(Y) ** n), "confidence": P},
    "verdicts": lambda each: {
        "case": CASES,
        "truth": LABEL,
        "verdict": each(lambda n: (P**n > 0.5).astype(int)),
    },
    "reasoning": lambda each: {
        "case": CASES,
        "truth": ILL,
        "answer_cot": each(lambda n: np.roll(ILL, n)),
        "answer_early": each(lambda n: np.where(P**n > 0.5, "flu", ILL)),
    },
}


def shapes(family, names):
    """Count what every view shows."""
    roles = ROLES[family](lambda make: {name: make(n) for n, name in enumerate(names, 1)})
    group = [names[number % 3] for number in range(N)]
    found = evaluate(family, **roles, group=group, n_resamples=10).artifact
    whole = summary(found)
    rows = [*csv.reader(io.StringIO(tables(whole, "csv", "full")))]
    latex = tables(whole, "tex", "full")
    shown = page([found]).decode()
    return {
        "roles": [each.role for each in whole.sections],
        "named": len(table_names(whole)),
        "cells": [len(row) for row in rows],
        "markdown": tables(whole, "md", "full").count("\n|"),
        "labels": (latex.count(r"\begin{table}"), len({*re.findall(r"\\label\{.*?\}", latex)})),
        "page": [shown.count(f"<{tag}") for tag in ("table", "tr", "td", "th", "figure", "h3")],
    }


@pytest.mark.parametrize("family", list(ROLES))
def test_names_that_look_like_titles_lose_nothing(family):
    plain = shapes(family, PLAIN)
    assert plain["labels"][0] == plain["labels"][1]
    assert plain["page"][0] > 0
    for names in CALLED:
        assert shapes(family, names) == plain
