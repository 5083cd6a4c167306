"""The names of an earlier program, over ours."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from assay.compat import verdicts
from assay.demo import VERDICTS_FOLDER as EXAMPLE_FOLDER
from assay.errors import ArtifactError, UsageError
from tests.families.verdict_files import evidence, incident, result, truth

TEXTS = {"a": {"r1": "The soup was cold.", "r2": "Fine."}}
RESULTS = [
    result(
        "a",
        "critical_risk",
        evidence("r1", "severe", snippet="the soup was cold"),
        evidence("r2", "mild", snippet="made up"),
        rule="SCORE >= 8 → Critical Risk",
    ),
    {"business_id": "b", "verdict": "Low Risk", "parsed": None},
]
TRUTH = {
    "a": truth("Critical Risk", incident("r1", "severe")),
    "b": truth("Low Risk", incident("r9")),
}
VERDICTS = {"a": "Critical Risk", "b": "Low Risk"}


def test_the_documented_call_gives_the_seven_their_populations_and_details():
    found = verdicts.compute_evaluation_metrics(
        results=RESULTS,
        gt_data=TRUTH,
        gt_verdicts=VERDICTS,
        method="direct",
        reviews_data=TEXTS,
        policy_id="G1_allergy_V2",
    )
    assert {key: value for key, value in found.items() if key != "details"} == {
        "auprc": 1.0,
        "macro_f1": 1.0,
        "evidence_precision": 0.5,
        "evidence_recall": 0.5,
        "snippet_validity": 0.5,
        "judgement_accuracy": 1.0,
        "verdict_consistency": 1.0,
        "n_samples": 2,
        "n_structured": 1,
        "n_with_gt": 2,
        "n_scored": 2,
    }
    details = found["details"]
    assert details["auprc_metrics"] == {
        "auprc_ge_high": 1.0,
        "auprc_ge_critical": 1.0,
        "ordinal_auprc": 1.0,
    }
    assert details["evidence_details"] == details["incident_details"]
    assert details["evidence_details"]["total_claimed"] == 2


def test_it_agrees_with_the_command_on_the_example():
    files = {path.name: path.read_text(encoding="utf-8") for path in EXAMPLE_FOLDER.iterdir()}
    cases = json.loads(files["ground_truth.json"])["restaurants"]
    texts: dict[str, dict[str, str]] = {}
    for line in files["reviews.jsonl"].splitlines():
        row = json.loads(line)
        texts.setdefault(row["business_id"], {})[row["review_id"]] = row["text"]
    asked = {
        "results": json.loads(files["direct.json"])["results"],
        "gt_data": {case: row["ground_truth"] for case, row in cases.items()},
        "gt_verdicts": {case: row["ground_truth"]["verdict"] for case, row in cases.items()},
        "reviews_data": texts,
        "policy_id": "G1_allergy_V2",
    }
    found = verdicts.compute_evaluation_metrics(**asked)
    assert (found["evidence_precision"], found["evidence_recall"]) == (30 / 45, 30 / 53)
    reference = verdicts.compute_evaluation_metrics(**asked, preset="reference")
    assert (reference["evidence_recall"], reference["judgement_accuracy"]) == (30 / 47, 33 / 54)
    unified = verdicts.compute_unified_metrics(**asked)
    assert unified["note"].startswith("deprecated")
    assert unified["consistency_score"] == 100.0


def test_without_a_policy_the_scale_is_the_three_risk_words():
    found = verdicts.compute_evaluation_metrics(RESULTS, TRUTH, VERDICTS)
    assert found["n_scored"] == 2
    assert found["snippet_validity"] is None
    with pytest.raises(ArtifactError, match="not on the scale Low Risk, High Risk, Critical Risk"):
        verdicts.compute_evaluation_metrics(RESULTS, {"a": truth("Fair Value")})
    with pytest.raises(UsageError, match="there is no policy named 'X9'"):
        verdicts.compute_evaluation_metrics(RESULTS, TRUTH, policy_id="X9")


def test_verdicts_alone_are_a_truth_without_incidents():
    found = verdicts.compute_evaluation_metrics(RESULTS, {}, VERDICTS)
    assert (found["macro_f1"], found["evidence_recall"]) == (1.0, None)
    assert found["evidence_precision"] == 0.0


def test_ordinal_auprc_is_the_mean_of_the_defined_steps():
    true, scores = np.array([0, 1, 2, 3, 1]), np.array([0.1, 0.9, 0.3, 0.8, 0.2])
    found = verdicts.compute_ordinal_auprc(true, scores)
    areas = [average_precision_score(true >= step, scores) for step in (1, 2, 3)]
    assert list(found) == [
        "auprc_ge_high",
        "auprc_ge_critical",
        "auprc_ge_3",
        "ordinal_auprc",
        "n_samples",
    ]
    assert [found[key] for key in list(found)[:3]] == pytest.approx(areas)
    assert found["ordinal_auprc"] == pytest.approx(np.mean(areas))
    assert verdicts.compute_ordinal_auprc([1, 1], [1, 2]) == {
        "ordinal_auprc": None,
        "n_samples": 2,
    }


def test_evidence_validity_lists_every_structured_sample():
    found = verdicts.compute_evidence_validity([*RESULTS, result("c")], TRUTH, TEXTS)
    assert (found["evidence_precision"], found["snippet_validity"]) == (0.5, 0.5)
    assert found["samples_with_no_claims"] == 1
    assert found["per_sample"][0] == {
        "business_id": "a",
        "claimed": 2,
        "matched": 1,
        "gt_evidence": 1,
        "snippets": 2,
        "valid_snippets": 1,
    }


def test_judgement_accuracy_comes_with_its_counts():
    value, details = verdicts.compute_judgement_accuracy(RESULTS, TRUTH)
    assert value == 1.0
    assert details == {
        "correct": 1,
        "total": 1,
        "per_field": {"INCIDENT_SEVERITY": {"correct": 1, "total": 1, "accuracy": 1.0}},
    }


def test_the_reference_keeps_fields_apart_as_the_truth_and_the_method_write_them():
    named = {"field": "severity", "judgement": "Moderate incident"}
    assured = {"field": "assurance_of_safety", "judgement": "none given"}
    claimed = {"field": "Assurance_Claim", "judgement": "yes"}
    rows = [
        result(
            "a",
            "Low Risk",
            *({"review_id": "r1", **each} for each in (named, assured)),
            *({"review_id": "r2", **each} for each in (named, assured, claimed)),
        )
    ]
    found = {
        "a": truth(
            "Low Risk",
            incident("r1", "moderate", modifiers=["False assurance"]),
            incident("r2", "mild", modifiers=["False assurance"]),
            incident("r3", "mild", modifiers=[]),
        )
    }
    value, details = verdicts.compute_judgement_accuracy(rows, found, preset="reference")
    # r1: severity right, assurance (none given) wrong; r2: severity wrong, the claim (yes) right,
    # and nobody asks for the other assurance; r3 is missed.
    assert details == {
        "correct": 2,
        "total": 5,
        "per_field": {
            "INCIDENT_SEVERITY": {"correct": 1, "total": 3, "accuracy": 1 / 3},
            "ASSURANCE_OF_SAFETY": {"correct": 0, "total": 1, "accuracy": 0.0},
            "ASSURANCE_CLAIM": {"correct": 1, "total": 1, "accuracy": 1.0},
        },
    }
    assert value == 2 / 5


def test_without_a_policy_the_reference_repairs_no_spelling():
    rows = [
        result("a", "low_risk", rule="else → Low Risk"),
        result("b", "`Low Risk` ", rule="else → low risk"),
        result("c", "Low Risk", rule="else -> 'Low Risk'"),
    ]
    cases = {case: truth("Low Risk") for case in "abc"}
    bare = verdicts.compute_evaluation_metrics(rows, cases, preset="reference")
    assert (bare["n_scored"], bare["verdict_consistency"]) == (2, 1 / 3)
    named = verdicts.compute_evaluation_metrics(
        rows, cases, policy_id="G1_allergy_V2", preset="reference"
    )
    assert (named["n_scored"], named["verdict_consistency"]) == (3, 1.0)
    alone = verdicts.compute_verdict_consistency_enhanced(rows, preset="reference")[0]
    assert alone == 1 / 3
    assert verdicts.compute_verdict_consistency_enhanced(rows)[0] == 1.0


def test_the_reference_counts_quotations_and_claims_as_the_program_does():
    review = "We were seated late. The soup was cold and nobody cared, really."
    quotations = {
        "The soup was cold": True,
        "seated late nobody cared, really. soup": True,
        "seated late nobody cared really soup": False,
        "We were seated late. Nope. The soup was cold!": True,
        "late! cold!": False,
        "...": False,
        " ": False,
    }
    rows = [
        result("a", "Low Risk", *(evidence("r1", snippet=each) for each in quotations)),
        result("x", "Low Risk", evidence("r1")),
    ]
    found = verdicts.compute_evidence_validity(
        rows, {"a": truth("Low Risk", incident("r1"))}, {"a": {"r1": review}}, preset="reference"
    )
    assert (found["valid_snippets"], found["total_snippets"]) == (3, 7)
    assert (found["total_matched"], found["total_claimed"]) == (1, 2)
    assert found["evidence_precision"] == 1 / 2


def test_the_reference_takes_what_is_not_said_as_an_empty_text():
    said = [
        {"review_id": "r1", "judgement": "severe"},
        {"review_id": "r2", "field": "STAFF_RESPONSE"},
        {"review_id": "r3", "field": "INCIDENT_SEVERITY", "judgement": None},
    ]
    rows = [{"business_id": "a", "parsed": {"verdict": "High Risk", "evidences": said}}]
    findings = [
        {**incident("r1", "severe"), "modifiers": []},
        {**incident("r2", "mild"), "modifiers": []},
        {**incident("r3", "mild"), "modifiers": []},
    ]
    asked = {"results": rows, "gt_data": {"a": truth("High Risk", *findings)}}
    found = verdicts.compute_evaluation_metrics(**asked, preset="reference")
    # A field without a name is a part of every name, a judgement without words claims nothing.
    assert found["details"]["judgement_details"]["per_field"] == {
        "INCIDENT_SEVERITY": {"correct": 1, "total": 3, "accuracy": 1 / 3},
        "STAFF_RESPONSE": {"correct": 1, "total": 1, "accuracy": 1.0},
    }
    # The verdict is the one beside what was parsed, and those that are scored have ground truth.
    assert (found["macro_f1"], found["n_with_gt"]) == (0.0, 0)
    ours = verdicts.compute_evaluation_metrics(**asked)
    assert (ours["macro_f1"], ours["n_with_gt"], ours["judgement_accuracy"]) == (1.0, 1, 0.0)


def test_consistency_needs_no_truth():
    rows = [*RESULTS, result("c", "Low Risk", rule="SCORE >= 4 -> High Risk")]
    value, details = verdicts.compute_verdict_consistency_enhanced(rows, "G1_allergy_V2")
    assert value == 1 / 2
    assert (details["consistent"], details["total"], details["skipped_no_rule"]) == (1, 2, 1)
    assert details["per_sample"][1] == {
        "business_id": "c",
        "method_verdict": "Low Risk",
        "rule_verdict": "High Risk",
        "is_consistent": False,
    }
    assert verdicts.compute_verdict_consistency_enhanced([result("a")])[0] is None


def test_extractions_are_read_as_the_command_reads_them():
    extraction = {"review_id": "r1", "is_relevant": True, "INCIDENT_SEVERITY": "mild"}
    row = {"business_id": "a", "response": {"VERDICT": "Low Risk", "_extractions": [extraction]}}
    parsed = verdicts.normalize_amos_output(row)["parsed"]
    assert parsed["verdict"] == "Low Risk"
    assert parsed["evidences"] == [
        {
            "evidence_id": "E1",
            "review_id": "r1",
            "field": "INCIDENT_SEVERITY",
            "judgement": "mild",
        }
    ]
    found = verdicts.compute_evaluation_metrics([row], {"a": truth()}, method="amos")
    assert found["n_structured"] == 1


def test_the_signatures_are_the_documented_ones():
    names = {
        "compute_evaluation_metrics": "results gt_data gt_verdicts method reviews_data policy_id",
        "compute_ordinal_auprc": "y_true_ordinal y_scores",
        "compute_evidence_validity": "results gt_data reviews_data",
        "compute_judgement_accuracy": "results gt_data",
        "compute_verdict_consistency_enhanced": "results policy_id",
    }
    for name, parameters in names.items():
        found = inspect.signature(getattr(verdicts, name)).parameters
        assert [each for each in found if each != "preset"] == parameters.split()


def test_scores_that_cannot_be_read_are_counted():
    rows = [{"business_id": "a", "verdict": "Low Risk", "risk_score": "3"}]
    found = verdicts.compute_evaluation_metrics(
        rows, {"a": {"verdict": "Low Risk", "incidents": []}}
    )
    assert found["details"]["malformed"] == {"rank score is not a number": 1}
