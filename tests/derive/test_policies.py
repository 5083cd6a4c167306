"""What texts mean under a policy: verdicts, fields, values, rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive import policies
from assay.derive.policies import (
    Field,
    Policy,
    Recency,
    Threshold,
    Value,
    bare_verdict,
    field_of,
    normalised_verdict,
    ordinal,
    plain,
    risk_scale,
    rule_verdict,
    value_of,
)
from tests.derive.test_hostile_text import limited

RISK = risk_scale()
TABLE = Policy(
    id="table",
    verdicts=("Not Worth Waiting", "Worth Waiting"),
    positive="low",
    verdict_synonyms={"skip it": "Not Worth Waiting"},
    fields=(Field("WAIT_TIME", (Value("long"),), synonyms=("WAITING", "time to wait")),),
)
SEVERITY = (
    Value("none", ("no reaction", "no incident")),
    Value("mild", ("minor",)),
    Value("moderate"),
    Value("severe", ("life threatening",)),
)


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("Low Risk", "Low Risk"),
        (" 'Low Risk' ", "Low Risk"),
        ('"`Low Risk`"', "Low Risk"),
        ("low_risk", "Low Risk"),
        ("LOW RISK", "Low Risk"),
        ("low-risk", "Low Risk"),
        ("low  risk", "Low Risk"),
        ("risky", "risky"),
        ("''", None),
        ("  ", None),
        (None, None),
        (3, "3"),
        (True, "True"),
    ],
)
def test_verdicts_are_spelled_as_the_scale_spells_them(verdict, expected):
    assert normalised_verdict(verdict, RISK) == expected


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [("low_risk", "Low Risk"), ("low-risk", "low-risk"), ("low  risk", "low  risk")],
)
def test_reference_repairs_case_and_underscores_only(verdict, expected):
    assert normalised_verdict(verdict, RISK, spelling="reference") == expected


def test_synonyms_of_a_policy_are_verdicts_in_the_lenient_spelling_only():
    assert normalised_verdict("Skip-it", TABLE) == "Not Worth Waiting"
    assert normalised_verdict("skip it", TABLE, spelling="reference") == "skip it"


def test_without_a_policy_a_verdict_is_only_made_bare():
    assert normalised_verdict("'low_risk'", None) == "low_risk"
    assert bare_verdict("'") is None


@pytest.mark.parametrize(
    ("verdict", "position"),
    [("Low Risk", 0), ("critical_risk", 2), ("Excellent", None), (None, None)],
)
def test_ordinals_count_from_the_low_end(verdict, position):
    assert ordinal(verdict, RISK) == position


@pytest.mark.parametrize(
    ("rule", "verdict"),
    [
        ("SCORE >= 5 → Critical Risk", "Critical Risk"),
        ("SCORE >= 5 -> critical_risk", "Critical Risk"),
        ("else → Low Risk", "Low Risk"),
        ("a -> b → low_risk", "Low Risk"),
        ("SCORE >= 5 → 'High Risk'", "High Risk"),
        ("SCORE >= 5 → ", None),
        ("CRITICAL", None),
        (None, None),
        (7, None),
    ],
)
def test_rule_names_the_verdict_after_its_last_arrow(rule, verdict):
    assert rule_verdict(rule, RISK) == verdict


def test_steps_of_the_scale_are_named_from_the_positive_end():
    assert RISK.ordinals == (1, 2)
    assert [RISK.step_name(step) for step in RISK.ordinals] == [">= High Risk", ">= Critical Risk"]
    assert TABLE.step_name(1) == "<= Not Worth Waiting"
    assert Policy("p", ("a", "b", "c"), steps=(2,)).ordinals == (2,)


@pytest.mark.parametrize("text", ["wait_time", "Wait-Time", " WAITING", "Time to  wait"])
def test_fields_have_several_names(text):
    assert field_of(text, TABLE) == "WAIT_TIME"


def test_unknown_field_is_its_text_in_capitals():
    assert field_of("Noise level", TABLE) == "NOISE_LEVEL"
    assert field_of("noise_level", None) == "NOISE_LEVEL"


@pytest.mark.parametrize(
    ("judgement", "value"),
    [
        ("moderate", "moderate"),
        ("Moderate incident", "moderate"),
        ("moderate_incident", "moderate"),
        ("it was SEVERE!", "severe"),
        ("life-threatening", "severe"),
        ("mildly severe", "severe"),
        ("not severe", None),
        ("wasn't severe", None),
        ("wasn\u2019t really severe", None),
        ("not severe, rather mild", "mild"),
        ("mild or severe", None),
        ("severe, very severe", "severe"),
        ("no reaction", "none"),
        ("none", "none"),
        ("there was no reaction at all", "none"),
        ("severely", None),
        ("", None),
        ("?", None),
    ],
)
def test_value_is_named_in_whole_words_or_not_at_all(judgement, value):
    assert value_of(judgement, SEVERITY) == value


def test_field_without_values_names_none():
    assert value_of("mild", ()) is None


@given(
    st.sampled_from([value.name for value in SEVERITY]), st.sampled_from(["  {}", "{}.", "A {}"])
)
def test_every_value_is_found_in_its_name(name, around):
    assert value_of(around.format(name.upper()), SEVERITY) == name


def test_weights_fall_with_age():
    recency = Recency(2022, ((2, 1.0), (3, 0.5)), 0.25)
    ages = {2023: 1.0, 2021: 1.0, 2020: 1.0, 2019.5: 0.5, 2019: 0.5, 2018.9: 0.25, 1990: 0.25}
    assert {year: recency.weight(year) for year in ages} == ages


def test_thresholds_depend_on_k_where_they_are_said_to():
    critical = Threshold("CRITICAL", 8, {25: 12, 50: 6})
    assert [critical.at(k) for k in (25, 50, 200, None)] == [12, 6, 8, 8]


def test_long_texts_are_spelled_plainly_too():
    assert plain("A_" * 200) == plain("a " * 200)


def test_a_sign_before_a_number_or_alone_is_no_hyphen():
    signed = ["-1", "-.5", "level -2", "-", "+", "covid-19", "A-", "--low--risk"]
    plainly = ["-1", "-.5", "level -2", "-", "+", "covid 19", "a", "low risk"]
    assert [plain(each) for each in signed] == plainly


def test_plain_spelling_is_its_own_plain_spelling():
    assert plain("GOOD__value") == plain(plain("GOOD__value")) == "good value"


N_SYNONYMS = 20_000
"""reading them anew for each of a thousand texts would be twenty million of them"""


def test_long_lists_of_synonyms_are_a_bounded_amount_of_work():
    names = tuple(f"synonym {number}" for number in range(N_SYNONYMS))
    values = (Value("mild", names), Value("severe"))
    policy = Policy("p", ("Low", "High"), verdict_synonyms=dict.fromkeys(names, "Low"))
    with limited():
        assert {value_of(f"it is {name} here", values) for name in names[:1000]} == {"mild"}
        assert {ordinal(name, policy) for name in names[:1000]} == {0}


def test_values_are_remembered_by_what_they_are(monkeypatch):
    monkeypatch.setattr(policies, "MOST_KEPT", 2)
    for number in range(5):
        values = (Value(f"value{number}"), Value("other"))
        assert value_of(f"Value{number}!", values) == f"value{number}"
        assert value_of("value9", values) is None


def test_nothing_is_repaired_as_written():
    scale = risk_scale()
    assert normalised_verdict("low_risk", scale, spelling="as-written") == "low_risk"
    assert normalised_verdict(" `Low Risk` ", scale, spelling="as-written") == "Low Risk"
    assert rule_verdict("else -> low_risk", scale, spelling="as-written") == "low_risk"
