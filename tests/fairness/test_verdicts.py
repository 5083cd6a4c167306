"""Nobody looks better by failing: verdicts whose wrong cases fail in every way there is."""

from __future__ import annotations

import copy
from functools import cache

import pytest

import assay
from assay.families.family import Given
from assay.families.verdicts import FAMILY
from assay.families.verdicts.options import VerdictOptions
from assay.inference import Plan
from assay.pipeline import evaluate
from tests.families.verdict_files import evidence, incident, result, sources, truth

SCALE = ("Low Risk", "High Risk", "Critical Risk")
N_CASES = 60
PLAN = Plan(n_resamples=200, seed=1)
TEXT = "The soup was cold and the waiter was rude to us."


def is_wrong(number):
    """Every fourth case is wrong in everything: verdict, evidence, quotation, judgement, rule."""
    return number % 4 == 0


def case(number, *, wrong):
    true = SCALE[number % 3]
    given = SCALE[(number + 1) % 3] if wrong else true
    ruled = true if wrong else given
    cited = evidence(
        "r1",
        "severe" if wrong else "mild",
        snippet="nobody ever wrote this" if wrong else "soup was cold",
    )
    more = [evidence("r2", snippet="all of it is invented")] if wrong else []
    risk = SCALE.index(given) + (number % 7) / 10
    return result(str(number), given, cited, *more, rule=f"SCORE -> {ruled}", risk=risk)


def honest():
    return [case(number, wrong=is_wrong(number)) for number in range(N_CASES)]


def truths():
    return {str(n): truth(SCALE[n % 3], incident("r1")) for n in range(N_CASES)}


def turned(change):
    """Return a twin whose wrong cases are changed; None takes a case away."""
    rows = copy.deepcopy(honest())
    found = [change(row) if is_wrong(int(row["business_id"])) else row for row in rows]
    return [row for row in found if row is not None]


def without(*names):
    def change(row):
        for each in row["parsed"]["evidences"]:
            for name in names:
                each.pop(name, None)
        return row

    return change


def with_parsed(**changed):
    return lambda row: {**row, "parsed": {**row["parsed"], **changed}}


def quoting(snippet):
    def change(row):
        for each in row["parsed"]["evidences"]:
            each["snippet"] = snippet
        return row

    return change


WAYS = {
    "an error": lambda row: {"business_id": row["business_id"], "error": "timeout"},
    "an error beside the answer": lambda row: {**row, "error": "timeout"},
    "no result": lambda _: None,
    "nothing readable": lambda row: {"business_id": row["business_id"], "response": "?"},
    "no verdict": lambda row: {**row, "verdict": None},
    "a verdict that is off the scale": lambda row: {**row, "verdict": "who knows"},
    "no score": lambda row: {**row, "risk_score": None},
    "a score that is not a number": lambda row: {**row, "risk_score": "high"},
    "no quotation": without("snippet"),
    "no judgement": without("judgement"),
    "no rule": with_parsed(justification={}),
    "no evidence": with_parsed(evidences=[]),
    "a quotation of one letter": quoting("o"),
    "all of these": lambda row: {"business_id": row["business_id"], "verdict": "?", "parsed": {}},
}
MEANT = {
    # Claims that are all wrong are not made: precision against recall, which stays.
    ("no evidence", "evidence_precision"),
}


@cache
def base():
    return honest()


def compared(rows, *, first=None, **options):
    texts = {str(n): {"r1": TEXT, "r2": "Fine."} for n in range(N_CASES)}
    read = sources((first or base(), rows), truths(), texts, policy="G1_allergy_V2")
    found = evaluate(FAMILY, Given(read, VerdictOptions(**options), PLAN), created_at="")
    return found.pairs[0].deltas[""]


def better(deltas):
    return {label for label, delta in deltas.items() if delta.word == "better"}


@pytest.mark.parametrize("way", WAYS)
def test_a_failing_twin_is_better_in_nothing(way):
    rows = turned(WAYS[way])
    found = better(compared(rows))
    assert {each for each in found if (way, each) not in MEANT} == set()
    # Nor is the honest one worse where the twin comes first.
    turned_round = compared(base(), first=rows)
    worse = {label for label, delta in turned_round.items() if delta.word == "worse"}
    assert {each for each in worse if (way, each) not in MEANT} == set()


@pytest.mark.parametrize("way", ["an error", "no result", "no verdict", "nothing readable"])
@pytest.mark.parametrize("options", [{"preset": "reference"}, {"not_answered": "leave-out"}])
def test_what_leaves_failures_out_has_no_words(way, options):
    deltas = compared(turned(WAYS[way]), **options)
    assert {delta.word for delta in deltas.values()} == {None}


def test_answering_nothing_and_one_thing_are_better_in_nothing():
    nothing = [{"business_id": str(n), "error": "x"} for n in range(N_CASES)]
    assert better(compared(nothing)) == set()
    one = [{**row, "verdict": SCALE[2], "risk_score": 1} for row in honest()]
    assert better(compared(one)) == set()


def test_identical_systems_get_no_word():
    assert {delta.word for delta in compared(honest()).values()} == {None}


def test_a_truly_improved_system_is_better():
    right = [case(number, wrong=False) for number in range(N_CASES)]
    found = better(compared(right))
    assert found >= {
        *("ordinal_auprc", "macro_f1", "evidence_precision", "snippet_validity"),
        *("judgement_accuracy", "verdict_consistency"),
    }
    assert {delta.word for delta in compared(base(), first=right).values()} >= {"worse"}


def test_an_improved_system_that_fails_now_and_then_is_still_better():
    right = [case(number, wrong=False) for number in range(N_CASES)]
    right[0] = {"business_id": "0", "error": "timeout"}
    assert {"macro_f1", "class_f1@2.00"} <= better(compared(right))


def test_columns_without_any_verdict_are_asked_all_the_same():
    true = [SCALE[n % 3] for n in range(30)]
    given = {"some": [*true[:-3], *true[:3]], "none": [None] * 30}
    found = assay.evaluate(
        "verdicts", truth=true, verdict=given, policy="G1_allergy_V2", n_resamples=50
    )
    assert found["none"]["macro_f1"].value == 0
    assert {each.word for each in found.pairs[0].variants[""].values()} == {None, "worse"}
