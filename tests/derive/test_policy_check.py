"""Whether true verdicts follow from the incidents of the truth: counts, and those that do not."""

from __future__ import annotations

import json

import pytest

from assay.demo import VERDICTS_FOLDER
from assay.derive.policies import Count, Field, Policy, Value, risk_scale
from assay.derive.policy_check import check_policy
from assay.derive.rules import parse_rule
from assay.errors import UsageError
from assay.sources.policy import known_policies, read_policy
from assay.sources.verdicts import ground_truth_of


def policy(name):
    return read_policy(name).policy


def mild(review, **other):
    return {
        "review_id": review,
        "severity_field": "incident_severity",
        "severity_value": "mild",
    } | other


def case(verdict, *incidents, **other):
    return {"verdict": verdict, "incidents": list(incidents), "categories": "Italian", **other}


def test_those_that_do_not_follow_are_listed_with_the_rule_that_leads_elsewhere():
    found = check_policy(
        policy("G1_allergy_V3"),
        {
            "a": case("low_risk", mild("r1")),
            "b": case("High Risk", mild("r1"), mild("r2")),
            "c": case("Critical Risk", mild("r1"), categories="Thai, Bars"),
            "d": case("Low Risk", categories="Chinese"),
            "e": case("Risky"),
        },
        k=200,
    )
    assert (found.n_cases, found.n_following, found.not_judged) == (5, 3, ())
    assert [(each.case, each.verdict, each.derived.verdict) for each in found.differing] == [
        ("c", "Critical Risk", "High Risk"),
        ("e", "Risky", "Low Risk"),
    ]
    assert [each.reason for each in found.differing] == [
        "the rule 'SCORE >= HIGH -> High Risk' leads to 'High Risk' at a score of 4",
        "'Risky' is not on the scale",
    ]


def test_counts_that_no_rule_asks_for_ask_for_nothing():
    rules = tuple(map(parse_rule, ("N_LOUD >= 1 -> High", "else -> Low")))
    counts = (Count("N_LOUD", (("NOISE", ("loud",)),)), Count("N_HOT", (("HEAT", ("hot",)),)))
    fields = (Field("NOISE", (Value("loud"),)), Field("HEAT", (Value("hot"),)))
    checked = Policy("p", ("Low", "High"), fields=fields, counts=counts, rules=rules)
    assert check_policy(checked, {"a": {"verdict": "Low"}}).not_judged == ("NOISE",)


def test_k_decides_where_thresholds_depend_on_it():
    truth = {"a": case("High Risk", mild("r1"))}
    assert check_policy(policy("G1_allergy_V3"), truth, k=25).n_following == 1
    assert check_policy(policy("G1_allergy_V3"), truth, k=200).n_following == 0


def test_age_counts_by_dates_else_by_the_weights_of_the_truth():
    severe = {**mild("r1"), "severity_value": "severe"}
    weighed, unknown = {**severe, "recency_weight": 0.25}, {**severe, "recency_weight": "old"}
    check = policy("G1_allergy_V4")
    assert check_policy(check, {"a": case("Low Risk", weighed)}, k=200).n_following == 1
    # 15 points in full, by the date of the review
    dated = check_policy(
        check, {"a": case("Critical Risk", weighed)}, k=200, years={"a": {"r1": 2021.5}}
    )
    assert dated.n_following == 1
    [differing] = check_policy(check, {"a": case("Low Risk", unknown)}, k=200).differing
    assert differing.reason.startswith("the date of 'r1' is not known")
    assert differing.derived.verdict is None


def test_accounts_that_are_not_firsthand_do_not_count():
    severe = {**mild("r1"), "severity_value": "severe"}
    told = {"a": case("Low Risk", severe | {"account_type": "secondhand"})}
    own = {"a": case("Critical Risk", severe | {"account_type": "firsthand"})}
    assert check_policy(policy("T1P1"), told).n_following == 1
    assert check_policy(policy("T1P1"), own).n_following == 1


def test_fields_that_the_truth_says_nothing_about_are_named():
    steal = {"review_id": "r1", "severity_field": "price_perception", "severity_value": "steal"}
    truth = {"a": case("Good Value", steal), "b": case("Good Value")}
    found = check_policy(policy("G3_price_worth_V2"), truth, k=25)
    assert found.not_judged == ("QUALITY_FOR_PRICE", "PORTION_SIZE")
    [differing] = found.differing
    assert differing.reason == "the rule 'else -> Fair Value' leads to 'Fair Value'"
    assert check_policy(policy("G1_allergy_V2"), {"a": case("Low Risk")}).not_judged == (
        "INCIDENT_SEVERITY",
    )


def test_all_verdicts_of_the_bundled_example_follow_from_its_policy():
    read = json.loads((VERDICTS_FOLDER / "ground_truth.json").read_bytes())
    truth = ground_truth_of(read, path="truth")
    found = check_policy(policy(truth.policy_id), truth.cases, k=truth.k)
    assert (found.n_following, found.n_cases, found.differing) == (40, 40, ())


@pytest.mark.parametrize("name", known_policies())
def test_a_case_without_incidents_gets_the_verdict_of_the_last_rule(name):
    checked = policy(name)
    if not checked.rules:
        with pytest.raises(UsageError, match="has no rules, so no verdict follows"):
            check_policy(checked, {"a": {"verdict": "x"}})
        return
    last = checked.rules[-1]
    assert last.condition is None
    assert check_policy(checked, {"a": {"verdict": last.verdict}}, k=50).n_following == 1


def test_a_scale_alone_is_refused():
    with pytest.raises(UsageError, match="the policy 'risk' has no rules"):
        check_policy(risk_scale(), {})
