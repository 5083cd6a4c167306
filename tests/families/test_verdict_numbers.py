"""Grounded verdicts: every number worked out by hand, every malformed answer counted."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score

from assay import stored
from assay.demo import VERDICTS_FOLDER as EXAMPLE_FOLDER
from assay.derive.policies import Policy
from assay.errors import ArtifactError, UsageError
from assay.families.verdicts.options import VerdictOptions
from assay.families.verdicts.seed_files import full_metrics
from assay.inference import Plan
from assay.sources.policy import PolicySource, scale_policy
from assay.sources.verdicts import read_results
from tests.families.verdict_files import (
    areas,
    counts,
    evaluated,
    evidence,
    incident,
    numbers,
    result,
    system,
    truth,
    values,
)
from tools.examples.verdicts import POLICY, example_files

SEVEN = (
    "ordinal_auprc",
    "macro_f1",
    "evidence_precision",
    "evidence_recall",
    "snippet_validity",
    "judgement_accuracy",
    "verdict_consistency",
)


def test_the_seven_come_first_and_each_has_its_counts():
    found = system([result("a")], {"a": truth()})
    assert tuple(found.parts.counted) == (*SEVEN, "evidence_consistency")
    assert found.parts.counted.keys() <= numbers(found).keys()


def test_a_policy_without_rules_gives_the_seven_alone():
    found = system([result("a")], {"a": truth()}, policy="G1")
    assert tuple(found.parts.counted) == SEVEN
    assert "evidence_consistency" not in numbers(found)
    assert "n_derived" not in counts(found)
    assert found.variants[""].about["not_derived"] == "the policy G1 has no rules"


# The example of the specification: perfect order, all labels wrong.
def test_the_order_can_be_perfect_with_every_verdict_wrong():
    given = ["High Risk", "High Risk", "Critical Risk", "Critical Risk"]
    true = ["Low Risk", "Low Risk", "High Risk", "High Risk"]
    rows = [result(str(n), verdict, risk=n + 1) for n, verdict in enumerate(given)]
    found = system(rows, {str(n): truth(verdict) for n, verdict in enumerate(true)})
    assert values(found)["ordinal_auprc"] == 1.0
    assert values(found)["macro_f1"] == 0.0
    high, critical = found.parts.thresholds
    assert (high.name, high.n_positive, high.n_negative) == (">= High Risk", 2, 2)
    assert areas(found)[0].value == 1.0
    assert areas(found)[1].value is None
    assert areas(found)[1].reason == "all ranked cases are on one side of the step"
    assert high.curve is not None
    assert critical.curve is None
    assert found.parts.confusion == [[0, 2, 0], [0, 0, 2], [0, 0, 0]]


def test_auprc_and_f1_are_those_of_scikit_learn():
    rng = np.random.default_rng(3)
    scale = ("Low Risk", "High Risk", "Critical Risk")
    true, given_, risk = rng.integers(0, 3, 60), rng.integers(0, 3, 60), rng.integers(0, 9, 60)
    rows = [result(str(n), scale[given_[n]], risk=int(risk[n])) for n in range(60)]
    found = system(rows, {str(n): truth(scale[true[n]]) for n in range(60)})
    steps = [average_precision_score(true >= step, risk) for step in (1, 2)]
    assert [each.value for each in areas(found)] == pytest.approx(steps, rel=1e-12)
    assert values(found)["ordinal_auprc"] == pytest.approx(np.mean(steps), rel=1e-12)
    expected = f1_score(true, given_, average="macro", zero_division=0)
    assert values(found)["macro_f1"] == pytest.approx(expected, rel=1e-12)
    each = f1_score(true, given_, average=None)
    by_class = [values(found)[f"class_f1@{at}.00"] for at in range(3)]
    assert by_class == pytest.approx(each, rel=1e-12)
    table = np.array(found.parts.confusion)
    assert table.sum(axis=1).tolist() == np.bincount(true).tolist()
    assert table.sum(axis=0).tolist() == np.bincount(given_).tolist()


EVIDENCE_TRUTH = {
    "a": truth("High Risk", incident("r1"), incident("r2"), incident("r2", "severe")),
    "b": truth("Low Risk", incident("r1")),
    "c": truth("Low Risk", incident("r1")),
    "d": truth("Low Risk", incident("r1")),
}
EVIDENCE_RESULTS = [
    result("a", "High Risk", evidence("r1"), evidence("r1"), evidence("r9")),
    {"business_id": "b", "response": "no idea", "parsed": None, "verdict": "Low Risk"},
    {"business_id": "c", "error": "timed out"},
]


def test_unstructured_failed_and_missing_results_stay_in_recall():
    found = system(EVIDENCE_RESULTS, EVIDENCE_TRUTH)
    # a claims r1 and r9, of which r1 is true; r1, r2 of a and one each of b, c, d are to be found
    assert values(found)["evidence_precision"] == 1 / 2
    assert values(found)["evidence_recall"] == 1 / 5
    people = counts(found)
    assert (people["n_samples"], people["n_structured"], people["n_unstructured"]) == (3, 1, 1)
    assert (people["n_error"], people["n_missing"], people["n_with_gt"], people["n_scored"]) == (
        1,
        1,
        3,
        2,
    )


@pytest.mark.parametrize(
    ("over", "expected"), [("all", 1 / 5), ("results", 1 / 4), ("structured", 1 / 2)]
)
def test_whose_truth_recall_counts_is_a_choice(over, expected):
    found = system(EVIDENCE_RESULTS, EVIDENCE_TRUTH, recall_over=over)
    assert values(found)["evidence_recall"] == expected


def test_precision_is_undefined_without_claims_and_recall_without_truth():
    found = system([result("a")], {"a": truth()})
    for label, reason in (
        ("evidence_precision", "nothing is cited"),
        ("evidence_recall", "the truth names no source"),
        ("snippet_validity", "nothing is quoted, or no source is known"),
        ("judgement_accuracy", "no judgement has a truth to compare with"),
        ("verdict_consistency", "no verdict comes with a rule that names one"),
    ):
        assert numbers(found)[label].value is None
        assert numbers(found)[label].reason == reason


def test_the_reference_gives_an_undefined_macro_f1_the_value_0():
    rows, cases = [result("a", None)], {"a": truth()}
    assert values(system(rows, cases))["macro_f1"] == 0.0
    assert values(system(rows, cases, not_answered="leave-out"))["macro_f1"] is None
    assert values(system(rows, cases, preset="reference"))["macro_f1"] == 0.0
    assert values(system(rows, cases, preset="reference"))["ordinal_auprc"] is None


def test_the_reference_gives_macro_f1_of_a_single_case_the_value_0():
    rows, cases = [result("a"), result("b", None)], {"a": truth(), "b": truth()}
    assert values(system(rows, cases, not_answered="leave-out"))["macro_f1"] == 1.0
    # b is a miss: 1 right of 2, none given wrongly; at worst also a false alarm of the other two
    missed = numbers(system(rows, cases))["macro_f1"]
    assert (missed.value, missed.at_worst) == pytest.approx((2 / 3, 2 / 9))
    alone = system(rows, cases, preset="reference")
    assert values(alone)["macro_f1"] == 0.0
    assert counts(alone)["n_scored"] == 1
    two = system([result("a"), result("b")], cases, preset="reference")
    assert values(two)["macro_f1"] == 1.0


def test_judgements_count_on_cited_reviews_or_on_all_as_chosen():
    rows = [result("a", "Low Risk", evidence("r1", "Moderate incident"), evidence("r2", "severe"))]
    cases = {
        "a": truth("Low Risk", incident("r1", "moderate"), incident("r2"), incident("r3", "severe"))
    }
    assert values(system(rows, cases))["judgement_accuracy"] == 1 / 2
    assert values(system(rows, cases, judged_over="all"))["judgement_accuracy"] == 1 / 3
    (field,) = system(rows, cases).parts.fields
    assert (field.field, field.n_judged, field.n_right) == ("INCIDENT_SEVERITY", 2, 1)
    assert field.accuracy == 1 / 2


def test_modifiers_are_a_field_of_their_own():
    staff = {"review_id": "r1", "field": "STAFF_RESPONSE", "judgement": "dismissive"}
    cases = {"a": truth("Low Risk", incident("r1", modifiers=["Dismissive staff"]))}
    found = system([result("a", "Low Risk", evidence("r1"), staff)], cases)
    assert [(each.field, each.kind, each.n_right) for each in found.parts.fields] == [
        ("INCIDENT_SEVERITY", "finding", 1),
        ("STAFF_RESPONSE", "modifier", 1),
    ]


def test_claims_of_cases_without_truth_stay_in_precision_as_chosen():
    rows = [result("a", "Low Risk", evidence("r1")), result("x", "Low Risk", evidence("r1"))]
    cases = {"a": truth("Low Risk", incident("r1"))}
    assert system(rows, cases).parts.counted["evidence_precision"].denominator == 1
    found = system(rows, cases, preset="reference")
    counted = found.parts.counted["evidence_precision"]
    assert (counted.numerator, counted.denominator) == (1, 2)
    assert counted.population == "structured results"
    assert found.parts.counted["evidence_recall"].denominator == 1


def test_a_quotation_of_white_space_counts_only_in_the_reference():
    rows, cases = quoting(" \n", "", "The soup"), {"a": truth()}
    default, reference = (system(rows, cases, TEXTS, preset=each) for each in PRESETS)
    assert [each.parts.snippets.n_snippets for each in (default, reference)] == [1, 2]
    assert [each.parts.snippets.n_empty for each in (default, reference)] == [2, 2]
    assert reference.parts.snippets.n_valid["reference"] == 1


PRESETS = ("default", "reference")
UNDERSTOOD = "; a finding has source_id, field and value"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"review_id": "r0"}, "finding has no value (30)"),
        (
            {"review_id": "r0", "level": "mild", "kind": "harm"},
            "finding has no value (30), 'level' is not read (30), 'kind' is not read (30)",
        ),
        (incident("r0", severity_field="harm"), "the policy has no field 'harm' (30)"),
        (
            incident("r0", "awful"),
            "'incident_severity' has a value that the policy does not have (30)",
        ),
        ({**incident("r0"), "quote": "x"}, "'quote' is not read (30)"),
    ],
)
def test_a_truth_that_is_not_understood_is_said_and_nobody_is_blamed_for_it(found, said):
    rows = [result(str(n), "Low Risk", evidence("r0", "severe")) for n in range(30)]
    cases = {str(n): truth("Low Risk", found) for n in range(30)}
    artifact = evaluated(rows, cases, plan=Plan(n_resamples=50))
    expected = f"not all of the ground truth is understood: {said}{UNDERSTOOD}"
    assert expected in artifact.warnings
    blamed = [each.symptom for each in artifact.systems[0].parts.diagnosis]
    assert "low judgement accuracy" not in blamed
    read = evaluated(rows, {case: truth("Low Risk", incident("r0")) for case in cases})
    assert "low judgement accuracy" in [each.symptom for each in read.systems[0].parts.diagnosis]
    assert not any("understood" in each for each in read.warnings)


def test_a_truth_without_evidence_is_said_where_some_is_cited():
    cases = {"a": truth()}
    said = f"the ground truth names no evidence, so no claim can be right{UNDERSTOOD}"
    found = evaluated([result("a", "Low Risk", evidence("r0"))], cases)
    assert said in found.warnings
    assert "low evidence precision" not in [
        each.symptom for each in found.systems[0].parts.diagnosis
    ]
    assert said not in evaluated([result("a")], cases).warnings


@pytest.mark.parametrize("number", [np.float32, np.float64, np.int16, Decimal, np.array, Fraction])
def test_a_risk_score_is_any_number(number):
    scores = {"a": 3, "b": 2, "c": 1, "d": 0}
    true = dict(zip(scores, ("Critical Risk", "Low Risk", "High Risk", "Low Risk"), strict=True))
    rows = [result(case, "Low Risk", risk=number(score)) for case, score in scores.items()]
    found = system(rows, {case: truth(verdict) for case, verdict in true.items()})
    assert found.variants[""].about["ranked_by"] == "rank_score"
    # at least high: places 1 and 3 of 4; critical: the first
    assert values(found)["ordinal_auprc"] == ((1 + 2 / 3) / 2 + 1) / 2


@pytest.mark.parametrize("value", ["0.7", True, Decimal("NaN"), Decimal("sNaN"), np.inf, 1j, [1]])
def test_a_risk_score_that_cannot_be_read_is_counted_and_said(value):
    rows = [result("a", risk=value), result("b", risk=1.0)]
    found = evaluated(rows, {"a": truth(), "b": truth()})
    assert found.systems[0].parts.malformed == {"rank score is not a number": 1}
    assert "r0.json: 1 rank score is not a number and ranks nothing" in found.warnings


def test_a_published_policy_without_rules_is_said_to_have_none():
    rows, cases = [result("a", "Acceptable")], {"a": truth("Acceptable")}
    found = evaluated(rows, cases, policy="G2_business_V3")
    said = "the rules of G2_business_V3 are not known here: it is judged by the scale of G2"
    assert found.warnings[0] == said
    assert said not in evaluated(rows, cases, policy="G2").warnings


TEXTS = {
    "a": {"r1": "The soup was cold. The staff were kind.", "r2": "Hives after the “curry”."},
    "b": {"r1": "Nothing to report here at all."},
}


def quoting(*snippets, review="r1"):
    return [result("a", "Low Risk", *(evidence(review, snippet=each) for each in snippets))]


ALL = ["strict", "normalized", "multi-span", "words", "reference"]


@pytest.mark.parametrize(
    ("snippet", "status", "valid", "where"),
    [
        ("The soup was cold.", "exact", ALL, None),
        ("THE  SOUP\nwas cold", "normalized", ALL[1:], None),
        ("“The soup was cold”", "normalized", ALL[1:4], None),
        ("The soup ... staff were kind", "stitched", ALL[2:], None),
        ("soup the kind was staff cold", "absent", ["words"], None),
        ("soup the kind. was staff cold.", "absent", ALL[3:], None),
        ("Hives after the 'curry'", "absent", [], None),
        ("Nothing to report here", "misattributed", [], ("r1", "b")),
        ("hives after the “CURRY”", "misattributed", [], ("r2", None)),
        ("Everything was made with peanut oil", "absent", [], None),
    ],
)
def test_a_quotation_has_a_status_and_names_where_it_was_found(snippet, status, valid, where):
    found = system(quoting(snippet), {"a": truth()}, TEXTS)
    (row,) = found.parts.audit
    assert row.status == status
    assert (row.found_in, row.found_in_case) == (where or (None, None))
    assert [name for name, n in found.parts.snippets.statuses.items() if n] == [status]
    assert [mode for mode, n in found.parts.snippets.n_valid.items() if n] == valid
    assert row.strictest == (valid[0] if valid else None)
    assert row.valid is ("normalized" in valid)


def test_all_modes_are_in_the_record_and_the_chosen_one_is_the_metric():
    rows = quoting(
        "The soup was cold.", "THE SOUP was cold", "The soup ... staff were kind", "xyzzy"
    )
    for mode, expected in (("strict", 1 / 4), ("normalized", 2 / 4), ("multi-span", 3 / 4)):
        found = system(rows, {"a": truth()}, TEXTS, snippets=mode)
        assert values(found)["snippet_validity"] == expected
        assert found.parts.snippets.modes[mode].value == expected
        assert set(found.parts.snippets.modes) == {
            "strict",
            "normalized",
            "multi-span",
            "words",
            "reference",
        }


def test_quotations_from_unknown_sources_and_from_nowhere_are_counted_as_absent():
    rows = [
        result(
            "a",
            "Low Risk",
            evidence("r1", snippet="The soup was cold."),
            evidence("r9", snippet="Made up entirely."),
            evidence(None, snippet="The soup was cold."),
        )
    ]
    found = system(rows, {"a": truth()}, TEXTS)
    assert values(found)["snippet_validity"] == 1 / 3
    assert found.parts.snippets.n_unknown_source == 2
    assert [each.note for each in found.parts.audit] == [
        None,
        "the case has no such source",
        "no source is named",
    ]
    assert [each.status for each in found.parts.audit] == ["exact", "absent", "misattributed"]
    reference = system(rows, {"a": truth()}, TEXTS, preset="reference")
    assert values(reference)["snippet_validity"] == 1 / 2


def test_quotations_of_a_case_without_reviews_are_not_counted():
    rows = [
        *quoting("The soup was cold."),
        result("z", "Low Risk", evidence("r1", snippet="x y z")),
    ]
    found = system(rows, {"a": truth(), "z": truth()}, TEXTS)
    assert found.parts.snippets.n_snippets == 1
    assert found.parts.snippets.n_without_source == 1
    assert found.parts.audit[1].status == "unchecked"
    assert found.parts.audit[1].valid is None
    assert found.parts.audit[1].note == "the case has no sources"


def test_a_quotation_that_might_be_in_too_many_reviews_says_so():
    texts = {"a": {f"r{n}": f"the common word number {n}" for n in range(3)}}
    texts |= {str(n): {"r": f"a common word or tw, common word or two {n}"} for n in range(1200)}
    found = system(quoting("a common word or two", review="r0"), {"a": truth()}, texts)
    assert found.parts.audit[0].status == "absent"
    assert found.parts.audit[0].note == "not all sources of other cases were searched"


def test_a_long_quotation_is_cut_in_the_audit_and_checked_whole():
    text = "word " * 200
    found = system(quoting(text), {"a": truth()}, {"a": {"r1": text}})
    assert found.parts.audit[0].status == "exact"
    assert len(found.parts.audit[0].snippet) == 303


def test_rules_without_arrow_verdict_or_result_are_skipped_and_counted():
    rows = [
        result("a", "critical_risk", rule="SCORE >= 8 → Critical Risk"),
        result("b", "High Risk", rule="else -> Low Risk"),
        result("c", "High Risk", rule="CRITICAL"),
        result("d", "High Risk"),
        result("e", None, rule="else → Low Risk"),
        {"business_id": "f", "error": "x", "verdict": "Low Risk"},
    ]
    found = system(rows, {case: truth() for case in "abcdef"})
    assert values(found)["verdict_consistency"] == 1 / 2
    logic = counts(found)
    assert (logic["n_ruled"], logic["n_consistent"], logic["n_without_rule"]) == (2, 1, 2)
    assert (logic["n_without_verdict"], logic["n_error"]) == (1, 1)
    assert numbers(found)["verdict_consistency"].exact_interval == pytest.approx(
        (0.01257912, 0.98742088), rel=1e-5
    )


def test_evidence_score_rule_and_verdict_are_each_held_against_what_the_policy_derives():
    rows = [
        # 5 + 5 points: critical; the score and the rule say so too
        result(
            "a",
            "Critical Risk",
            evidence("r1", "moderate"),
            {"review_id": "r1", "field": "ASSURANCE_CLAIM", "judgement": "true"},
            rule="SCORE >= 8 → Critical Risk",
            score=10,
        ),
        # two mild ones: high by the evidence, low by everything that is stated
        result("b", "Low Risk", evidence("r1"), evidence("r2"), rule="else → Low Risk", score=2),
        # nothing cited: low
        result("c", "Low Risk"),
    ]
    cases = {"a": truth("Critical Risk"), "b": truth("High Risk"), "c": truth("High Risk")}
    found = system(rows, cases)
    assert values(found)["evidence_consistency"] == 2 / 3
    agreed = counts(found)
    assert (agreed["n_derived"], agreed["n_agreeing"], agreed["n_derived_true"]) == (3, 2, 2)
    assert (agreed["n_score_stated"], agreed["n_score_agreeing"]) == (2, 1)
    assert (agreed["n_rule_stated"], agreed["n_rule_agreeing"]) == (2, 1)
    assert [each.derived_verdict for each in found.parts.cases] == [
        "Critical Risk",
        "High Risk",
        "Low Risk",
    ]
    assert [each.derived_score for each in found.parts.cases] == [10.0, 4.0, 0.0]


def test_no_verdict_follows_from_evidence_that_is_not_a_list():
    row = result("a")
    row["parsed"]["evidences"] = None
    found = system([row], {"a": truth()})
    assert counts(found)["n_derived"] == 0
    assert numbers(found)["evidence_consistency"].value is None


def test_the_age_of_a_review_comes_from_the_reviews():
    rows = [result("a", "Low Risk", evidence("r1", "moderate"))]
    cases = {"a": truth("Low Risk", categories=["Cafe"])}
    dated = {"a": [{"review_id": "r1", "text": "x", "date": "2010-01-01"}]}
    found = system(rows, cases, dated, policy="G1_allergy_V4")
    assert found.parts.cases[0].derived_score == 5 * 0.25
    undated = system(rows, cases, policy="G1_allergy_V4")
    assert counts(undated)["n_not_derived"] == 1
    assert "date" in undated.variants[""].about["not_derived"]


MALFORMED = {
    "evidences is null": lambda row: row["parsed"].update(evidences=None),
    "evidences is not a list": lambda row: row["parsed"].update(evidences="r1"),
    "evidence is not an object": lambda row: row["parsed"].update(evidences=["r1"]),
    "judgement is a boolean": lambda row: row["parsed"]["evidences"][0].update(judgement=True),
    "judgement is null": lambda row: row["parsed"]["evidences"][0].update(judgement=None),
    "judgement is a number": lambda row: row["parsed"]["evidences"][0].update(judgement=3),
    "field is null": lambda row: row["parsed"]["evidences"][0].update(field=None),
    "field is empty": lambda row: row["parsed"]["evidences"][0].update(field="  "),
    "source_id is missing": lambda row: row["parsed"]["evidences"][0].pop("review_id"),
    "review_id is not a text": lambda row: row["parsed"]["evidences"][0].update(review_id=[]),
    "snippet is not a text": lambda row: row["parsed"]["evidences"][0].update(snippet=5),
    "parsed is not an object": lambda row: row.update(parsed=["x"]),
    "justification is not an object": lambda row: row["parsed"].update(justification=[1]),
    "triggered_rule is not a text": lambda row: row["parsed"]["justification"].update(
        triggered_rule=4
    ),
    "scoring_trace is not an object": lambda row: row["parsed"]["justification"].update(
        scoring_trace=4
    ),
    "total_score is not a number": lambda row: row["parsed"]["justification"].update(
        scoring_trace={"total_score": "8"}
    ),
    "rank score is not a number": lambda row: row.update(risk_score=True),
}


@pytest.mark.parametrize("preset", ["default", "reference"])
@pytest.mark.parametrize("kind", MALFORMED)
def test_what_is_malformed_is_counted_and_never_matches(kind, preset):
    row = result("a", "Low Risk", evidence("r1"))
    MALFORMED[kind](row)
    found = system([row], {"a": truth("Low Risk", incident("r1"))}, preset=preset)
    assert found.parts.malformed == {kind: 1}
    assert found.parts.cases[0].n_malformed == 1
    if kind.startswith(("judgement", "field")):
        # To the reference a field without a name is a part of every name.
        matches = (kind, preset) == ("field is empty", "reference")
        assert values(found)["judgement_accuracy"] == float(matches)


def test_an_infinite_or_immense_risk_score_is_malformed():
    rows = [result("a", risk=float("inf")), result("b", risk=10**400), result("c", risk=1)]
    found = system(rows, {case: truth() for case in "abc"})
    assert found.parts.malformed == {"rank score is not a number": 2}
    assert counts(found)["n_ranked"] == 1


def test_cases_without_a_score_are_ranked_last_where_others_have_one():
    rows = [result("a", "High Risk", risk=2), result("b"), result("c", risk=1)]
    cases = {"a": truth("High Risk"), "b": truth("High Risk"), "c": truth()}
    found = system(rows, cases)
    people = counts(found)
    assert (people["n_scored"], people["n_ranked"], people["n_without_rank_score"]) == (3, 2, 1)
    assert found.variants[""].about["ranked_by"] == "rank_score"
    # a by 2, c by 1, then b: precision 1 at a, 2/3 at b
    assert values(found)["ordinal_auprc"] == pytest.approx((1 + 2 / 3) / 2)
    assert numbers(found)["ordinal_auprc"].at_worst == pytest.approx((1 + 2 / 3) / 2)
    assert values(system(rows, cases, not_answered="leave-out"))["ordinal_auprc"] == 1.0
    mixed = system(rows, cases, rank_scores="mixed")
    assert (counts(mixed)["n_ranked"], mixed.variants[""].about["ranked_by"]) == (3, "mixed")
    # a by 2, c by 1, b by 5 times 0: precision 1 at a, 2/3 at b
    assert values(mixed)["ordinal_auprc"] == pytest.approx((1 + 2 / 3) / 2)


def test_without_any_score_the_verdict_ranks():
    rows = [result("a", "High Risk"), result("b"), result("c")]
    found = system(rows, {"a": truth("High Risk"), "b": truth("High Risk"), "c": truth()})
    assert found.variants[""].about["ranked_by"] == "verdict"
    assert [each.rank for each in found.parts.cases] == [1, 2, 2]
    assert values(found)["ordinal_auprc"] == pytest.approx((1 + 2 / 3) / 2)
    assert found.parts.diagnosis[-1].symptom == "no result has a rank score"


def test_nothing_scored_is_nothing_ranked():
    found = system([result("a", None)], {"a": truth()})
    assert found.variants[""].about["ranked_by"] == "nothing"
    assert found.parts.cases[0].rank is None


def test_the_low_end_may_be_the_positive_one():
    rows = [result(case, risk=risk) for case, risk in (("a", 1), ("b", 2), ("c", 3))]
    cases = {"a": truth(), "b": truth("High Risk"), "c": truth("High Risk")}
    found = evaluated(rows, cases, positive="low")
    assert found.parts.policy.positive == "low"
    assert found.parts.policy.thresholds == ["<= Low Risk", "<= High Risk"]
    first = found.systems[0].parts.thresholds[0]
    assert (first.name, first.n_positive, first.n_negative) == ("<= Low Risk", 1, 2)
    assert areas(found.systems[0])[0].value == 1.0
    assert [each.rank for each in found.systems[0].parts.cases] == [1, 2, 3]


def test_a_scale_of_any_length_has_a_threshold_at_every_step():
    scale = scale_policy(["1", "2", "3", "4", "5"])
    rows = [result(str(n), str(n + 1), risk=n) for n in range(5)]
    cases = {str(n): truth(str(n + 1)) for n in range(5)}
    found = system(rows, cases, policy=scale)
    assert [each.name for each in found.parts.thresholds] == [">= 2", ">= 3", ">= 4", ">= 5"]
    assert values(found)["ordinal_auprc"] == values(found)["macro_f1"] == 1.0


def test_a_policy_may_cut_its_scale_at_some_steps_only():
    policy = Policy(id="p", verdicts=("1", "2", "3"), steps=(2,))
    rows = [result(str(n), str(n + 1), risk=risk) for n, risk in enumerate((2, 1, 3))]
    cases = {str(n): truth(str(n + 1)) for n in range(3)}
    found = system(rows, cases, policy=PolicySource(policy, "here", ""), plan=Plan(n_resamples=9))
    assert [each.name for each in found.parts.thresholds] == [">= 3"]
    assert values(found)["ordinal_auprc"] == areas(found)[0].value == 1.0
    assert values(found)["macro_f1"] == 1.0


@pytest.mark.parametrize("verdicts", [["a"], ["a", "A"], ["a", " "], []])
def test_a_scale_needs_two_different_verdicts(verdicts):
    with pytest.raises(UsageError, match="at least two different verdicts"):
        scale_policy(verdicts)


def test_results_without_truth_are_in_what_needs_none():
    rows = [
        result("a"),
        result("z", "Low Risk", evidence("r1", snippet="xyz"), rule="else → Low Risk"),
    ]
    found = evaluated(rows, {"a": truth()}, {"z": {"r1": "xyz"}})
    numbers = values(found.systems[0])
    assert numbers["evidence_precision"] is None
    assert (numbers["verdict_consistency"], numbers["snippet_validity"]) == (1.0, 1.0)
    assert counts(found.systems[0])["n_without_gt"] == 1
    assert found.warnings[-1] == (
        "r0.json: 1 result without ground truth, in no number that needs it"
    )


def test_two_verdicts_of_one_result_are_said_so():
    row = result("a", "Low Risk")
    row["parsed"]["verdict"] = "High Risk"
    found = evaluated([row], {"a": truth()})
    assert "r0.json: 1 result with two different verdicts; the outer one counts" in found.warnings


def test_a_verdict_beside_the_evidences_is_the_one_where_there_is_no_other():
    row = result("a", None)
    row["parsed"]["verdict"] = "'low_risk'"
    assert system([row], {"a": truth()}).parts.cases[0].verdict == "Low Risk"


def test_extractions_become_evidences():
    response = {
        "VERDICT": "High Risk",
        "_namespace": {"SCORE": 5},
        "_extractions": [
            {"review_id": "r1", "is_relevant": True, "INCIDENT_SEVERITY": "moderate"}
            | {"ASSURANCE_CLAIM": False, "STAFF_RESPONSE": "dismissive"},
            {"review_id": "r2", "is_relevant": True, "INCIDENT_SEVERITY": "None"},
            {"review_id": "r3", "is_relevant": False, "INCIDENT_SEVERITY": "mild"},
            {"review_id": "r4", "is_relevant": True},
            "not an object",
        ],
    }
    rows = {
        "method": "amos",
        "results": [{"business_id": "a", "response": json.dumps(response), "verdict": None}],
    }
    cases = {"a": truth("High Risk", incident("r1", "moderate", modifiers=["Dismissive staff"]))}
    found = system(rows, cases)
    case = found.parts.cases[0]
    assert (case.verdict, case.n_claimed, case.n_matched) == ("High Risk", 1, 1)
    assert (case.stated_score, case.derived_score) == (5.0, 8.0)
    assert values(found)["judgement_accuracy"] == 1.0
    assert sum(each.n_judged for each in found.parts.fields) == 3
    assert values(found)["verdict_consistency"] is None
    assert found.parts.malformed == {"evidence is not an object": 1}


def test_the_method_may_stand_in_the_result_or_be_given():
    response = {
        "_extractions": [{"review_id": "r1", "is_relevant": True, "INCIDENT_SEVERITY": "x"}]
    }
    row = {"business_id": "a", "response": response, "verdict": "Low Risk"}
    assert counts(system([row], {"a": truth()}))["n_structured"] == 0
    assert counts(system([row], {"a": truth()}, method="AMOS"))["n_structured"] == 1
    assert counts(system([{**row, "method": "amos"}], {"a": truth()}))["n_structured"] == 1


@pytest.mark.parametrize("response", ["no json", "[1]", '{"a": 1}', None, 3])
def test_a_response_without_extractions_leaves_what_was_parsed(response):
    row = {**result("a", "Low Risk", evidence("r1")), "response": response}
    found = system({"method": "amos", "results": [row]}, {"a": truth("Low Risk", incident("r1"))})
    assert values(found)["evidence_recall"] == 1.0


@pytest.mark.parametrize("extractions", [None, 3])
def test_extractions_that_are_no_list_are_no_evidence(extractions):
    response = {"VERDICT": "Low Risk", "_extractions": extractions}
    row = {"business_id": "a", "response": response}
    found = system({"method": "AMOS", "results": [row]}, {"a": truth()})
    assert found.parts.cases[0].verdict == "Low Risk"
    assert found.parts.malformed == ({} if extractions is None else {"evidences is not a list": 1})


def test_a_key_error_is_a_failure_only_for_the_reference():
    rows = [{**result("a", "Low Risk", evidence("r1")), "error": None}]
    cases = {"a": truth("Low Risk", incident("r1"))}
    assert counts(system(rows, cases))["n_error"] == 0
    reference = system(rows, cases, preset="reference")
    assert (counts(reference)["n_error"], counts(reference)["n_scored"]) == (1, 0)
    # which still counts the evidence of failed results
    assert values(reference)["evidence_recall"] == 1.0
    rows[0]["error"] = "timed out"
    assert values(system(rows, cases))["evidence_recall"] == 0.0


def test_spelling_may_be_lenient_or_that_of_the_reference():
    rows, cases = [result("a", "critical-risk")], {"a": truth("Critical Risk")}
    assert counts(system(rows, cases))["n_scored"] == 1
    strict = system(rows, cases, spelling="reference", not_answered="leave-out")
    assert counts(strict)["n_outside_scale"] == 1


def test_an_arrow_that_the_reference_does_not_know_is_no_arrow_for_it():
    rows, cases = [result("a", "High Risk", rule="SCORE >= 4 => High Risk")], {"a": truth()}
    assert values(system(rows, cases))["verdict_consistency"] == 1.0
    assert counts(system(rows, cases, spelling="reference"))["n_without_rule"] == 1


def test_a_field_that_is_severity_and_modifier_is_counted_as_one_in_a_results_file():
    judged = evidence("r1", "true", field="ASSURANCE_CLAIM")
    told = incident("r1", "false", severity_field="ASSURANCE_CLAIM", modifiers=["False assurance"])
    found = system([result("a", "Low Risk", judged)], {"a": truth("Low Risk", told)})
    assert [(each.kind, each.n_right, each.n_judged) for each in found.parts.fields] == [
        ("finding", 0, 1),
        ("modifier", 1, 1),
    ]
    judged_by_field = full_metrics(found)["details"]["judgement_details"]["per_field"]
    assert judged_by_field["ASSURANCE_CLAIM"] == {"correct": 1, "total": 2, "accuracy": 0.5}


def test_matching_may_be_by_words_or_as_the_reference_finds_parts():
    rows = [result("a", "Low Risk", evidence("r1", "not severe"))]
    cases = {"a": truth("Low Risk", incident("r1", "severe"))}
    assert values(system(rows, cases))["judgement_accuracy"] == 0.0
    assert values(system(rows, cases, matching="reference"))["judgement_accuracy"] == 1.0


def test_averaging_over_all_verdicts_counts_those_that_occur_nowhere():
    rows, cases = [result("a"), result("b")], {"a": truth(), "b": truth()}
    assert values(system(rows, cases))["macro_f1"] == 1.0
    assert values(system(rows, cases, classes="all"))["macro_f1"] == 1 / 3


def test_ground_truth_outside_the_scale_is_refused_with_the_scale_and_three_of_them():
    cases = {str(i): truth("Medium Risk") for i in range(5)}
    sentence = (
        r"truth.json: 5 of 5 true verdicts are not on the scale Low Risk, High Risk, Critical"
        r" Risk: 'Medium Risk' \('0'\), 'Medium Risk' \('1'\), 'Medium Risk' \('2'\)(\nhint|\Z)"
    )
    with pytest.raises(ArtifactError, match=sentence):
        evaluated([result("0")], cases)


def test_a_verdict_outside_the_scale_is_wrong_refused_or_left_out():
    rows = [result("a", "x" * 99), result("b")]
    cases = {"a": truth(), "b": truth()}
    with pytest.raises(
        ArtifactError,
        match=r"r0.json: 1 of 2 cases .* are not answered: 'off the scale: x+\.\.\.'",
    ):
        evaluated(rows, cases, not_answered="refuse")
    found = system(rows, cases)
    assert values(found)["macro_f1"] == pytest.approx(2 / 3)
    assert (counts(found)["n_outside_scale"], counts(found)["n_failed"]) == (1, 1)
    assert [(each.outcome, each.lost_by) for each in found.parts.cases] == [
        ("failed", "off the scale"),
        ("answered", None),
    ]
    assert found.parts.unanswered == [1, 0, 0]
    # The option is known by its earlier name too.
    found = system(rows, cases, outside_scale="leave-out")
    assert (counts(found)["n_outside_scale"], counts(found)["n_scored"]) == (1, 1)
    assert values(found)["macro_f1"] == 1.0
    assert found.parts.cases[0].verdict == "x" * 99


def test_files_without_a_common_case_are_refused():
    with pytest.raises(ArtifactError, match=r"no case in common: the first is 'a' .* 'b'"):
        evaluated([result("a")], {"b": truth()})
    with pytest.raises(UsageError, match="no results"):
        evaluated((), {"b": truth()})


def test_truth_in_reviews_that_do_not_exist_is_refused_or_counted():
    rows, cases = (
        [result("a", "Low Risk", evidence("r1"))],
        {"a": truth("Low Risk", incident("r7"))},
    )
    with pytest.raises(ArtifactError, match=r"1 of 1 finding is in .* does not have: 'r7' \('a'\)"):
        evaluated(rows, cases, TEXTS)
    found = evaluated(rows, cases, TEXTS, unknown_sources="count")
    assert found.warnings == [
        "1 finding of the ground truth is in sources that do not exist",
        "there is one case, so resampling shows no uncertainty",
    ]


def test_reviews_of_which_nothing_is_cited_are_the_wrong_ones():
    rows = [result("a", "Low Risk", evidence("elsewhere"))]
    with pytest.raises(ArtifactError, match="none of 1 source that it cites is in reviews"):
        evaluated(rows, {"a": truth()}, TEXTS)
    found = system(rows, {"a": truth()}, TEXTS, unknown_sources="count")
    assert values(found)["evidence_precision"] == 0.0


def test_the_files_say_which_policy_or_must_be_told():
    rows = {"policy_id": "G1_allergy_V2", "results": [result("a")]}
    assert evaluated(rows, {"a": truth()}, policy=None).parts.policy.id == "G1_allergy_V2"
    with pytest.raises(UsageError, match=r"neither r0.json nor truth.json names a policy"):
        evaluated([result("a")], {"a": truth()}, policy=None)
    rows["policy_id"] = "nothing"
    with pytest.raises(UsageError, match="about the policy 'nothing', which is not known") as told:
        evaluated(rows, {"a": truth()}, policy=None)
    assert "G2_romance_V1" in told.value.hint
    other = {"policy_id": "G2", "results": [result("a")]}
    with pytest.raises(UsageError, match=r"about the policy 'nothing' and r1.json about 'G2'"):
        evaluated((rows, other), {"a": truth()}, policy=None)


def test_options_refuse_what_means_nothing():
    with pytest.raises(UsageError, match="`k` must be at least 1, found 0"):
        VerdictOptions(k=0)
    with pytest.raises(UsageError, match="`preset` must be one of default, reference, found 'x'"):
        VerdictOptions(preset="x")
    with pytest.raises(UsageError, match=r"`snippets` must be one of strict, .* found 'fuzzy'"):
        VerdictOptions(snippets="fuzzy")


def test_k_comes_from_the_options_or_else_the_files():
    rows = {"k": 25, "results": [result("a")]}
    assert evaluated(rows, {"a": truth()}).parts.policy.k == 25
    assert evaluated(rows, {"a": truth()}, k=50).parts.policy.k == 50


def test_files_of_several_k_are_refused_only_where_the_policy_depends_on_it():
    rows = ({"k": 25, "results": [result("a")]}, {"k": 50, "results": [result("a")]})
    sentence = "r0.json has K = 25 and r1.json K = 50, on which G1_allergy_V3 depends"
    with pytest.raises(UsageError, match=sentence) as refused:
        evaluated(rows, {"a": truth()}, policy="G1_allergy_V3")
    assert refused.value.hint == "compare files of one K, or choose with `k`"
    assert evaluated(rows, {"a": truth()}, policy="G1_allergy_V3", k=100).parts.policy.k == 100
    assert evaluated(rows, {"a": truth()}).parts.policy.k == 25


def test_fields_beyond_the_hundred_most_judged_are_not_broken_down():
    names = [f"F{n}" for n in range(120)]
    cited = [{"review_id": "r1", "field": name, "judgement": "x"} for name in names]
    gold = [incident("r1", "x") | {"severity_field": name} for name in names]
    found = system([result("a", "Low Risk", *cited)], {"a": truth("Low Risk", *gold)})
    assert len(found.parts.fields) == 100
    assert found.parts.counted["judgement_accuracy"].denominator == 120


def test_the_bundled_example_is_what_its_program_makes():
    stored = {path.name: path.read_bytes() for path in sorted(EXAMPLE_FOLDER.iterdir())}
    assert stored == example_files()


def test_the_truth_of_the_example_follows_from_its_incidents_by_the_policy():
    from assay.derive.conclusions import conclude_from_truth
    from assay.derive.evidence import incidents_of
    from assay.sources.policy import read_policy

    policy = read_policy(POLICY).policy
    cases = json.loads(example_files()["ground_truth.json"])["restaurants"]
    for row in cases.values():
        true = row["ground_truth"]
        derived = conclude_from_truth(incidents_of(true["incidents"], policy), policy)
        assert (derived.verdict, derived.score) == (true["verdict"], true["score"])


def test_an_artifact_of_nothing_defined_is_strict_json():
    found = evaluated([{"business_id": "a", "error": "x"}], {"a": truth()}, TEXTS)
    assert stored.decode(stored.encode(found)) == found


@pytest.mark.parametrize("bad", [b"\\ud83d", b"\\udc00x", b"\xff", b"\x01"])
@pytest.mark.parametrize("lines", [True, False])
def test_a_bad_character_fails_its_answer_and_not_the_file(tmp_path, bad, lines):
    rows = [{"business_id": case, "verdict": "Low Risk", "response": case} for case in "ab"]
    rows[1]["response"] = "\\u pair \\ud83d and \U0001f600"
    text = (
        b"\n".join(json.dumps(row).encode() for row in rows) if lines else json.dumps(rows).encode()
    )
    path = tmp_path / "results.json"
    path.write_bytes(text.replace(b'"response": "a"', b'"response": "a' + bad + b'"'))
    found = read_results(str(path)).cases
    assert found["a"] == {
        "business_id": "a",
        "error": "the answer holds a character that cannot be read",
    }
    assert found["b"] == rows[1]


def test_a_quotation_needs_two_letters_or_as_many_as_are_asked_for():
    texts = {"a": {"r1": "I had a soup."}}
    rows = [result("a", "Low Risk", evidence("r1", snippet="a"), evidence("r1", snippet="a so"))]
    cases = {"a": truth("Low Risk", incident("r1"))}
    shares = {0: 1.0, 1: 1.0, 2: 1 / 2, 3: 1 / 2, 4: 0.0}
    for shortest, share in shares.items():
        found = system(rows, cases, texts, shortest=shortest)
        assert values(found)["snippet_validity"] == share
    found = system(rows, cases, texts).parts
    assert found.snippets.n_valid["normalized"] == 1
    assert [each.note for each in found.audit] == ["too short to be evidence", None]
