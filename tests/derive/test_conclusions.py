"""Verdicts that follow from evidence: points, counts, bonuses, age, K, and what is not known."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.conclusions import (
    conclude,
    conclude_from_truth,
    depends_on_k,
    fractional_year,
    scores_agree,
)
from assay.derive.evidence import claims_of, incidents_of
from assay.derive.policies import (
    Bonus,
    Count,
    Field,
    Modifier,
    Policy,
    Recency,
    Threshold,
    Value,
    risk_scale,
)
from assay.derive.rules import parse_rule
from assay.sources.policy import read_policy

SEVERITY, STAFF = "INCIDENT_SEVERITY", "STAFF_RESPONSE"
POINTS = {"none": 0, "mild": 2, "moderate": 5, "severe": 15}
RISK = Policy(
    id="risk",
    verdicts=("Low Risk", "High Risk", "Critical Risk"),
    fields=(
        Field(
            SEVERITY,
            tuple(Value(name, points=points) for name, points in POINTS.items()),
            neutral=("none",),
        ),
        Field("ASSURANCE_CLAIM", (Value("true"), Value("false"))),
        Field(STAFF, (Value("dismissive", ("rude",)), Value("kind"))),
        Field("ACCOUNT_TYPE", (Value("firsthand"), Value("hearsay"))),
    ),
    modifiers=(
        Modifier("False assurance", "ASSURANCE_CLAIM", ("true",), 5),
        Modifier("Dismissive staff", STAFF, ("dismissive",), 3),
    ),
    only={"ACCOUNT_TYPE": ("firsthand",)},
    thresholds=(Threshold("CRITICAL", 8, {25: 12, 50: 6}), Threshold("HIGH", 4, {25: 2, 50: 3})),
    rules=tuple(
        map(
            parse_rule,
            (
                "SCORE >= CRITICAL -> Critical Risk",
                "SCORE >= HIGH -> High Risk",
                "else -> Low Risk",
            ),
        )
    ),
)
CUISINE = Bonus("High-risk cuisine", "categories", ("Thai", "Vietnamese"), 2)
RECENT = replace(RISK, recency=Recency(2022, ((2, 1.0), (3, 0.5)), 0.25))
WITH_CUISINE = replace(RISK, bonuses=(CUISINE,))


def cited(*judgements):
    """Return claims of (source, field, judgement)."""
    keys = ("review_id", "field", "judgement")
    return claims_of([dict(zip(keys, each, strict=True)) for each in judgements])


def severities(*values):
    return cited(*((f"r{at}", SEVERITY, value) for at, value in enumerate(values)))


# The example of the seed


@pytest.mark.parametrize(
    ("claims", "score", "verdict"),
    [
        (cited(("a", SEVERITY, "moderate"), ("a", "ASSURANCE_CLAIM", "true")), 10, "Critical Risk"),
        (severities("mild", "mild"), 4, "High Risk"),
        (severities("mild"), 2, "Low Risk"),
        (cited(), 0, "Low Risk"),
        (severities("severe", "none"), 15, "Critical Risk"),
        (cited(("a", SEVERITY, "mild"), ("a", STAFF, "rude")), 5, "High Risk"),
    ],
)
def test_points_add_up_to_the_verdict(claims, score, verdict):
    derived = conclude(claims, RISK)
    assert (derived.score, derived.verdict, derived.reason) == (score, verdict, None)


def test_rule_and_points_behind_a_verdict_are_named():
    derived = conclude(cited(("a", SEVERITY, "severe"), ("b", SEVERITY, "mild")), RISK)
    assert derived.rule == "SCORE >= CRITICAL -> Critical Risk"
    assert derived.points == {"a": 15, "b": 2}
    assert derived.counts == {"CRITICAL": 8, "HIGH": 4, "N_EVIDENCE": 2}


def test_modifiers_count_only_where_there_is_an_incident():
    assert conclude(cited(("a", STAFF, "rude")), RISK).score == 0
    assert conclude(cited(("a", SEVERITY, "none"), ("a", STAFF, "rude")), RISK).score == 0


def test_modifiers_count_for_the_source_they_are_cited_from():
    claims = cited(("a", SEVERITY, "mild"), ("b", STAFF, "rude"))
    assert conclude(claims, RISK).score == 2


def test_sources_that_the_policy_leaves_out_do_not_count():
    claims = cited(("a", SEVERITY, "severe"), ("a", "ACCOUNT_TYPE", "hearsay"))
    assert conclude(claims, RISK).score == 0
    claims = cited(("a", SEVERITY, "severe"), ("a", "ACCOUNT_TYPE", "firsthand"))
    assert conclude(claims, RISK).score == 15


def test_unreadable_judgements_have_no_points():
    assert conclude(severities("terrible", "mild or severe"), RISK).score == 0


def test_thresholds_depend_on_k():
    claims = severities("mild", "moderate")
    verdicts = [conclude(claims, RISK, k=k).verdict for k in (25, 50, 200, None)]
    assert verdicts == ["High Risk", "Critical Risk", "High Risk", "High Risk"]


@given(st.lists(st.sampled_from(sorted(POINTS)), max_size=8))
def test_verdict_is_that_of_the_sum_of_points(values):
    total = sum(POINTS[value] for value in values)
    expected = "Critical Risk" if total >= 8 else "High Risk" if total >= 4 else "Low Risk"
    derived = conclude(severities(*values), RISK)
    assert (derived.score, derived.verdict) == (total, expected)


# Properties of the case


@pytest.mark.parametrize(
    ("categories", "score"),
    [
        ("Thai, Noodles", 4),
        (["Vietnamese"], 4),
        ("thai", 4),
        ("Italian", 2),
        ("Thailand", 2),
        ("", 2),
        ([], 2),
        (7, 2),
    ],
)
def test_property_of_the_case_adds_once(categories, score):
    derived = conclude(severities("mild"), WITH_CUISINE, attributes={"categories": categories})
    assert derived.score == score


def test_unknown_property_is_no_matter_where_it_changes_nothing():
    derived = conclude(severities("severe"), WITH_CUISINE)
    assert (derived.verdict, derived.score, derived.reason) == ("Critical Risk", None, None)
    derived = conclude(severities("mild"), WITH_CUISINE)
    assert derived.verdict is None
    assert derived.reason == "a property of the case that adds points is not known"


def test_unknown_property_without_points_is_known_enough():
    policy = replace(RISK, bonuses=(replace(CUISINE, points=0.0),))
    assert conclude(severities("mild"), policy).score == 2


# Age


def test_old_sources_count_less():
    claims = severities("severe", "severe", "severe")
    years = {"r0": 2021.0, "r1": 2019.2, "r2": 2012.0}
    derived = conclude(claims, RECENT, years=years)
    assert derived.score == 15 * (1 + 0.5 + 0.25)
    assert derived.points == {"r0": 15, "r1": 7.5, "r2": 3.75}


def test_source_without_a_date_leaves_the_verdict_open_unless_it_has_no_points():
    assert conclude(severities("none"), RECENT).verdict == "Low Risk"
    derived = conclude(severities("mild"), RECENT, years={})
    assert derived.verdict is None
    assert derived.reason == "the date of 'r0' is not known, and the policy weighs by age"


@pytest.mark.parametrize(
    ("date", "year"),
    [
        (2021, 2021.0),
        (2021.5, 2021.5),
        ("2021", 2021.0),
        ("2021-01-01", 2021.0),
        (" 2020-12-31 23:59:59", 2020 + 365 / 365.25),
        ("2021-01-01T00:00:00Z", 2021.0),
        ("2021-13-01", None),
        ("0", None),
        ("yesterday", None),
        (None, None),
        (True, None),
        (float("nan"), None),
        (float("inf"), None),
        pytest.param(10**400, None, id="huge"),
        pytest.param("9" * 40, None, id="long"),
    ],
)
def test_dates_are_read_as_years(date, year):
    assert fractional_year(date) == year


# Counts and K


COUNTED = Policy(
    id="counted",
    verdicts=("Not Recommended", "Acceptable", "Recommended"),
    fields=(
        Field("OUTCOME", (Value("ruined"), Value("perfect"))),
        Field("LIGHT", (Value("candles"), Value("harsh"))),
    ),
    counts=(
        Count("N_NEGATIVE", (("OUTCOME", ("ruined",)),)),
        Count("N_BOTH", (("OUTCOME", ("perfect",)), ("LIGHT", ("candles",)))),
    ),
    rules=tuple(
        map(
            parse_rule,
            (
                "N_BOTH >= 1 -> Recommended",
                "N_NEGATIVE >= 1 -> Not Recommended",
                "else -> Acceptable",
            ),
        )
    ),
)


@pytest.mark.parametrize(
    ("judgements", "verdict"),
    [
        ([("a", "OUTCOME", "ruined")], "Not Recommended"),
        ([("a", "OUTCOME", "perfect"), ("a", "LIGHT", "candles")], "Recommended"),
        ([("a", "OUTCOME", "perfect"), ("b", "LIGHT", "candles")], "Acceptable"),
        ([("a", "OUTCOME", "perfect")], "Acceptable"),
        ([], "Acceptable"),
    ],
)
def test_counts_are_of_sources_for_which_every_field_fits(judgements, verdict):
    derived = conclude(cited(*judgements), COUNTED)
    assert (derived.verdict, derived.score) == (verdict, None)


def test_rules_may_ask_for_k_only_where_it_is_known():
    rules = (parse_rule("2 * N_NEGATIVE >= K -> Not Recommended"), parse_rule("else -> Acceptable"))
    policy = replace(COUNTED, rules=rules)
    claims = cited(("a", "OUTCOME", "ruined"))
    assert conclude(claims, policy, k=2).verdict == "Not Recommended"
    assert conclude(claims, policy, k=3).verdict == "Acceptable"
    assert conclude(claims, policy).reason == "the rules ask for K, and K is not known"


def test_policy_without_rules_derives_nothing():
    assert conclude(cited(), risk_scale()).reason == "the policy has no rules"


def test_rules_that_leave_a_case_open_derive_nothing():
    policy = replace(COUNTED, rules=COUNTED.rules[:2])
    assert conclude(cited(), policy).reason == "no rule applies"


# From the truth


def test_truth_gives_its_own_verdict():
    truth = incidents_of(
        [
            {"review_id": "a", "severity_value": "mild", "modifiers": ["dismissive staff", "?"]},
            {"review_id": "b", "severity_value": "mild"},
            {"review_id": "c"},
        ]
    )
    derived = conclude_from_truth(truth, RISK)
    assert derived.points == {"a": 5, "b": 2, "c": 0}
    assert derived.verdict == "High Risk"


def test_scores_agree_but_for_rounding():
    assert scores_agree(7.125, 7.13)
    assert not scores_agree(7.0, 7.02)


@pytest.mark.parametrize(("name", "depends"), [("G1_allergy_V2", False), ("G1_allergy_V3", True)])
def test_a_policy_says_whether_the_number_of_sources_decides(name, depends):
    assert depends_on_k(read_policy(name).policy) is depends
