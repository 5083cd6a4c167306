"""A run of seven results under the preset `reference`, every number worked out by hand.

What the program does is told on the page of definitions; each result is there for one part of it.
"""

from __future__ import annotations

import pytest

from assay.compat.verdicts import compute_evaluation_metrics, compute_evidence_validity
from tests.families.verdict_files import evidence, incident, result, truth

TEXTS = {
    "a": {"r1": "The soup was cold. My lips went numb after the sauce.", "r2": "Nice place."},
    "b": {"r3": "They swore it was safe, then I was sick all night."},
    "c": {"r4": "Fine."},
}
ROWS = [
    result(
        "a",
        "critical_risk",
        # of two judgements of a field the later one counts, which names severe
        evidence("r1", "mildly severe", snippet="my lips went  NUMB"),
        # curly marks stay on their words, so that two of four are in the source
        evidence("r1", "severe case", snippet="\u201cThe soup was cold\u201d"),
        # no such source: claimed, quoted, and neither right
        evidence("r9", "mild", snippet="The soup was cold."),
        rule="SCORE >= 8 \u2192 Critical Risk",
        risk=9,
    ),
    result(
        "b",
        # without a score it is ranked by its place times 5
        "High Risk",
        {"review_id": "r3", "field": "severity", "judgement": "moderate", "snippet": "..."},
        # six of seven words are in the source, `safe` is not: there it is `safe,`
        {
            "review_id": "r3",
            "field": "assurance_of_safety",
            "judgement": "no assurance",
            "snippet": "They swore it was safe then was sick",
        },
        rule="HIGH",
    ),
    # the key is there, so it is out of verdicts and logic, and in evidence and judgements
    {**result("c", "Low Risk", rule="else -> High Risk", risk=0), "error": None},
    # not structured: its finding is in no denominator, its verdict is
    {"business_id": "d", "verdict": "Low Risk", "risk_score": 1, "parsed": None},
    # no truth: its claim stays in precision
    result("e", "Low Risk", evidence("r7")),
    # off the scale, and an empty object is not structured
    {"business_id": "f", "verdict": "very risky", "risk_score": 8, "parsed": {}},
    {"business_id": "g", "verdict": "`Low Risk`", "risk_score": 6, "parsed": None},
]
TRUTH = {
    "a": truth("Critical Risk", incident("r1", "severe")),
    "b": truth("High Risk", incident("r3", "moderate", modifiers=["False assurance"])),
    "c": truth("Low Risk", incident("r4", "mild")),
    "d": truth("High Risk", incident("r5", "mild")),
    "f": truth("Low Risk"),
    "g": truth("Low Risk"),
}
# a, g, b, d by their scores 9, 6, 5, 1: at least high are all but g, critical is a
AT_LEAST_HIGH = (1 / 1 + 2 / 3 + 3 / 4) / 3
# one of two that are called low is; of two that are high one is found; a is critical
MACRO_F1 = (2 / 3 + 2 / 3 + 1) / 3


def test_every_number_of_the_reference_is_the_one_worked_out_by_hand():
    found = compute_evaluation_metrics(
        ROWS, TRUTH, reviews_data=TEXTS, policy_id="G1_allergy_V2", preset="reference"
    )
    details = found["details"]
    assert {name: found[name] for name in ("n_samples", "n_structured", "n_scored")} == {
        "n_samples": 7,
        "n_structured": 4,
        "n_scored": 4,
    }
    assert found["auprc"] == pytest.approx((AT_LEAST_HIGH + 1) / 2, abs=1e-15)
    assert found["macro_f1"] == pytest.approx(MACRO_F1, abs=1e-15)
    # r1 and r3 of r1, r9, r3, r7; of the findings of a, b and c
    assert (found["evidence_precision"], found["evidence_recall"]) == (2 / 4, 2 / 3)
    assert found["snippet_validity"] == 2 / 5
    # severe, moderate and the assurance, of these and the finding of c that is missed
    assert found["judgement_accuracy"] == 3 / 4
    assert details["judgement_details"]["per_field"] == {
        "INCIDENT_SEVERITY": {"correct": 2, "total": 3, "accuracy": 2 / 3},
        "ASSURANCE_OF_SAFETY": {"correct": 1, "total": 1, "accuracy": 1.0},
    }
    assert found["verdict_consistency"] == 1.0
    logic = details["consistency_details"]
    # b states a rule without an arrow; d, e, f and g state none
    assert (logic["consistent"], logic["total"], logic["skipped_no_rule"]) == (1, 1, 5)


def test_without_a_policy_id_a_spelling_with_an_underscore_is_none():
    found = compute_evaluation_metrics(ROWS, TRUTH, reviews_data=TEXTS, preset="reference")
    # a is gone: g, b and d by 6, 5, 1, of which the last two are high; nothing is critical
    assert found["n_scored"] == 3
    assert found["auprc"] == pytest.approx((1 / 2 + 2 / 3) / 2, abs=1e-15)
    assert found["macro_f1"] == pytest.approx((2 / 3 + 2 / 3) / 2, abs=1e-15)
    assert found["verdict_consistency"] == 0.0


def test_the_default_asks_for_every_case_and_says_so():
    """c is answered there, e and f count as the page of verdicts tells."""
    found = compute_evaluation_metrics(
        ROWS, TRUTH, reviews_data=TEXTS, policy_id="G1_allergy_V2", preset="default"
    )
    # claims of e, which has no truth, are in no number: r1 and r3 of r1, r9 and r3
    assert found["evidence_precision"] == 2 / 3
    # and the finding of d counts as missed
    assert found["evidence_recall"] == 2 / 4
    # a miss of low for f: a, b and g are right, c too; d is called low
    low, high = 2 * 2 / (2 * 2 + 1 + 1), 2 * 1 / (2 * 1 + 1)
    assert found["macro_f1"] == pytest.approx((low + high + 1) / 3, abs=1e-15)


SOURCE = "We came late. The bread was warm, the soup was cold and the wine was fine."


@pytest.mark.parametrize(
    ("quotation", "valid"),
    [
        ("THE BREAD  was warm,", True),
        # two segments, in their order, and one under ten characters that is dropped
        ("The bread was warm! Oh no. the wine was fine?", True),
        ("the wine was fine? Oh no. The bread WAS WARM!", False),
        ("the wine was fine! We came by bus. It was warm there.", False),
        ("The bread was warm, the soup was cold! Yes. and the wine was fine.", True),
        ("and the wine was fine. The bread was warm, the soup", True),
        # all segments are short
        ("Late! Cold! Fine!", False),
        # words are what stands between white space
        ("bread warm late cold wine", False),
        ("bread warm, late cold wine", True),
        ("warm, bread", False),
        ("", None),
        (" . .. \u2026 ", False),
        ("...", False),
    ],
)
def test_a_quotation_is_valid_as_the_program_has_it(quotation, valid):
    rows = [result("a", "Low Risk", evidence("r1", snippet=quotation))]
    found = compute_evidence_validity(
        rows, {"a": truth("Low Risk")}, {"a": {"r1": SOURCE}}, preset="reference"
    )
    expected = None if valid is None else float(valid)
    assert found["snippet_validity"] == expected
