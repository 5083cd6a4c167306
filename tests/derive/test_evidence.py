"""Evidence against the truth: matches, judgements, and everything that is malformed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.evidence import (
    Claims,
    EvidenceCounts,
    FieldCounts,
    claims_of,
    evidence_counts,
    incidents_of,
    judgement_counts,
    judgements_by_review,
    known_values,
)
from assay.derive.policies import Field, Modifier, Policy, Value

SEVERITY = "INCIDENT_SEVERITY"
POLICY = Policy(
    id="p",
    verdicts=("Low", "High"),
    fields=(
        Field(SEVERITY, tuple(map(Value, ("none", "mild", "moderate", "severe"))), ("SEVERITY",)),
        Field("PRICE", (Value("good_value", ("good deal",)), Value("ripoff"))),
        Field("NOISE", (Value("loud", ("deafening",)), Value("quiet"))),
    ),
    modifiers=(Modifier("Loud music", "NOISE", ("loud",)),),
)


def evidence(review_id="a", field=SEVERITY, judgement="mild", **more):
    return {"review_id": review_id, "field": field, "judgement": judgement, **more}


def incident(review_id="a", value="mild", field=SEVERITY, **more):
    return {"review_id": review_id, "severity_field": field, "severity_value": value, **more}


def judged(evidences, incidents, **options):
    counts = judgement_counts(claims_of(evidences), incidents_of(incidents), **options)
    return {(each.kind, each.field): (each.n_right, each.n_judged) for each in counts}


def right_of(evidences, incidents, **options):
    counts = judged(evidences, incidents, **options).values()
    return sum(right for right, _ in counts), sum(n for _, n in counts)


# What an answer holds


@pytest.mark.parametrize(
    ("evidences", "malformed"),
    [
        (None, {"evidences is null": 1}),
        ("r1", {"evidences is not a list": 1}),
        ({"review_id": "a"}, {"evidences is not a list": 1}),
        ([None, 3, "r1", ["a"]], {"evidence is not an object": 4}),
        ([evidence(review_id=None)], {"review_id is missing": 1}),
        ([{"field": SEVERITY, "judgement": "mild"}], {"source_id is missing": 1}),
        ([evidence(review_id="  ")], {"review_id is empty": 1}),
        ([evidence(review_id=True)], {"review_id is not a text": 1}),
        ([evidence(review_id={"a": 1})], {"review_id is not a text": 1}),
        ([evidence(field=None)], {"field is null": 1}),
        ([evidence(field="")], {"field is empty": 1}),
        ([evidence(field="   ")], {"field is empty": 1}),
        ([evidence(field=["x"])], {"field is not a text": 1}),
        ([{"review_id": "a"}], {"field is null": 1, "value is null": 1}),
        ([evidence(judgement=None)], {"judgement is null": 1}),
        ([evidence(judgement=True)], {"judgement is a boolean": 1}),
        ([evidence(judgement=2)], {"judgement is a number": 1}),
        ([evidence(judgement=0.5)], {"judgement is a number": 1}),
        ([evidence(judgement="")], {"judgement is empty": 1}),
        ([evidence(judgement={"value": "mild"})], {"judgement is not a text": 1}),
        ([evidence(snippet=7)], {"snippet is not a text": 1}),
        ([evidence(snippet=None), evidence(snippet=" ")], {}),
        ([], {}),
    ],
)
def test_what_is_malformed_is_counted_by_kind(evidences, malformed):
    assert dict(claims_of(evidences).malformed) == malformed


@pytest.mark.parametrize(
    "broken",
    [
        {"field": ""},
        {"field": None},
        {"field": 3},
        {"judgement": None},
        {"judgement": True},
        {"judgement": ""},
        {"review_id": None},
    ],
)
@pytest.mark.parametrize("comparison", ["words", "reference"])
def test_malformed_evidence_never_judges_rightly(broken, comparison):
    found = right_of([evidence(**broken)], [incident()], comparison=comparison, denominator="all")
    # To the reference a field without a name is a part of every name.
    assert found == (int(comparison == "reference" and broken == {"field": ""}), 1)


def test_malformed_evidence_still_cites_its_source():
    claims = claims_of([evidence(field="", judgement=None)])
    assert evidence_counts(claims, incidents_of([incident()])) == EvidenceCounts(1, 1, 1)


def test_numbers_are_ids_too():
    assert claims_of([evidence(review_id=12)]).reviews == {"12"}
    assert incidents_of([incident(review_id=12)]).reviews == {"12"}


def test_snippets_are_kept_as_they_are():
    [claim] = claims_of([evidence(snippet=" so good ")]).items
    assert claim.snippet == " so good "
    assert claim.number == 0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=4) | st.just("a"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["review_id", "field", "judgement", "snippet", "modifiers", "severity_value"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(json_values, json_values, st.sampled_from([None, POLICY]))
def test_nothing_that_json_can_hold_is_a_crash(evidences, incidents, policy):
    claims, truth = claims_of(evidences), incidents_of(incidents, policy)
    json.dumps(dict(claims.malformed))
    counts = evidence_counts(claims, truth)
    assert 0 <= counts.n_matched <= min(counts.n_claimed, counts.n_gold)
    for comparison in ("words", "reference"):
        for denominator in ("matched", "all"):
            found = judgement_counts(
                claims, truth, policy, comparison=comparison, denominator=denominator
            )
            assert all(0 <= each.n_right <= each.n_judged for each in found)


# What the truth holds


def test_what_the_truth_says_beside_the_value_is_kept_by_field():
    told = incident(account_type="firsthand", noise="loud", recency_weight=0.5, quote="x")
    found = incidents_of([told], POLICY)
    [only] = found.items
    assert dict(only.beside) == {"NOISE": "loud"}
    assert (only.weight, only.written) == (0.5, "INCIDENT_SEVERITY")
    assert dict(found.malformed) == {"'quote' is not read": 1}
    unknown = incidents_of([incident(field="harm")], POLICY)
    assert dict(unknown.malformed) == {"the policy has no field 'harm'": 1}
    assert unknown.items[0].written == "HARM"
    foreign = incidents_of([incident(value="awful")], POLICY)
    assert dict(foreign.malformed) == {f"'{SEVERITY}' has a value that the policy does not have": 1}
    for weight in (True, 2, -0.1, "1", None):
        [only] = incidents_of([incident(recency_weight=weight)]).items
        assert only.weight is None


@pytest.mark.parametrize(
    ("incidents", "malformed"),
    [
        (None, {}),
        ("none", {"findings is not a list": 1}),
        ([3], {"finding is not an object": 1}),
        ([{"severity_value": "mild"}], {"source_id is missing": 1}),
        ([{"review_id": "a"}], {"finding has no value": 1}),
        ([incident(value=3)], {"severity_value is a number": 1}),
        ([incident(value=["mild"])], {"severity_value is not a text": 1}),
        ([incident(value="  ")], {"finding has no value": 1}),
        (
            [{"review_id": "a", "value": "capped"}],
            {"finding has a value and no field, so INCIDENT_SEVERITY is taken": 1},
        ),
        (
            [{"source_id": "a", "field": "TERM", "severity_field": "LIABILITY", "value": "long"}],
            {"severity_field and field differ, the first is taken": 1},
        ),
        ([{"source_id": "a", "field": "TERM", "severity_field": "term", "value": "long"}], {}),
    ],
)
def test_malformed_truth_is_counted_too(incidents, malformed):
    assert dict(incidents_of(incidents).malformed) == malformed


def test_old_truth_has_no_field_and_calls_its_value_severity():
    [old] = incidents_of([{"review_id": "a", "severity": "mild"}]).items
    assert (old.field, old.value, old.modifiers) == (SEVERITY, "mild", None)
    [new] = incidents_of([incident(field="severity", modifiers=["x", 3])], POLICY).items
    assert (new.field, new.modifiers) == (SEVERITY, frozenset({"x", "3"}))


# Sources


def test_sources_are_counted_once_however_often_they_are_cited():
    claims = claims_of([evidence("a"), evidence("a", "X"), evidence("b"), evidence("z")])
    truth = incidents_of([incident("a"), incident("a", "severe"), incident("c")])
    assert evidence_counts(claims, truth) == EvidenceCounts(n_claimed=3, n_matched=1, n_gold=2)


ids = st.lists(st.sampled_from("abcdef"), max_size=6)


@given(ids, ids)
def test_precision_and_recall_swap_when_claims_and_truth_swap(cited, named):
    one = evidence_counts(
        claims_of([evidence(each) for each in cited]),
        incidents_of([incident(each) for each in named]),
    )
    other = evidence_counts(
        claims_of([evidence(each) for each in named]),
        incidents_of([incident(each) for each in cited]),
    )
    assert (one.n_claimed, one.n_gold, one.n_matched) == (
        other.n_gold,
        other.n_claimed,
        other.n_matched,
    )


@given(st.permutations(range(4)))
def test_order_of_evidences_with_different_sources_does_not_matter(order):
    evidences = [
        evidence(name, judgement=value) for name, value in zip("abcd", "wxyz", strict=True)
    ]
    shuffled = [evidences[at] for at in order]
    truth = [incident("a", "w"), incident("b", "q"), incident("e", "z")]
    assert judged(shuffled, truth) == judged(evidences, truth)


# Judgements by words


@pytest.mark.parametrize(
    ("judgement", "value", "right"),
    [
        ("moderate incident", "moderate", True),
        ("MODERATE", "moderate", True),
        ("moderately bad", "moderate", False),
        ("not severe", "severe", False),
        ("mildly severe", "mild", False),
        ("mild or moderate", "mild", False),
        ("severe", "mild", False),
    ],
)
def test_severities_are_compared_by_whole_words(judgement, value, right):
    found = right_of([evidence(judgement=judgement)], [incident(value=value)], policy=POLICY)
    assert found == (int(right), 1)


def test_underscores_case_and_synonyms_do_not_matter():
    truth = [incident(value="good_value", field="price")]
    for judgement in ("good value", "Good_Value", "a good deal"):
        assert right_of([evidence(field="Price", judgement=judgement)], truth, policy=POLICY) == (
            (1, 1)
        )


def test_field_is_matched_by_its_names_and_never_by_a_part_of_them():
    assert right_of([evidence(field="severity")], [incident()], policy=POLICY) == (1, 1)
    assert right_of([evidence(field="severity")], [incident()]) == (0, 1)
    assert right_of([evidence(field="INCIDENT")], [incident()], policy=POLICY) == (0, 1)
    assert right_of([evidence(field="incident severity")], [incident()]) == (1, 1)


def test_without_a_policy_the_values_are_those_that_the_truth_uses():
    evidences = [evidence("a", judgement="quite mild"), evidence("b", judgement="Wild!")]
    truth = [incident("a", "mild"), incident("b", "wild")]
    assert right_of(evidences, truth) == (2, 2)


def test_values_of_all_cases_can_be_given():
    truth = incidents_of([incident("a", "mild")])
    other = incidents_of([incident("z", "severe")])
    claims = claims_of([evidence(judgement="mild, not to say severe")])
    [alone] = judgement_counts(claims, truth)
    [among] = judgement_counts(claims, truth, values=known_values([truth, other]))
    assert (alone.n_right, among.n_right) == (1, 0)


def test_field_that_no_value_is_known_of_is_compared_as_text():
    counts = judgement_counts(
        claims_of([evidence(judgement="So-So")]), incidents_of([incident(value="so so")]), values={}
    )
    assert counts == (FieldCounts(SEVERITY, "finding", 1, 1),)


def test_later_judgement_of_the_same_field_counts():
    evidences = [evidence(judgement="severe"), evidence(field="incident severity")]
    assert right_of(evidences, [incident()]) == (1, 1)
    assert judgements_by_review(claims_of(evidences)) == {"a": {SEVERITY: "mild"}}


def test_source_cited_without_a_judgement_of_the_field_is_judged_wrongly():
    assert right_of([evidence(field="NOISE")], [incident()]) == (0, 1)


def test_incident_without_a_value_is_never_right():
    assert right_of([evidence()], [{"review_id": "a"}]) == (0, 1)


def test_missed_incidents_count_only_under_all():
    evidences = [evidence("a")]
    truth = [incident("a"), incident("b"), incident("c", "severe")]
    assert right_of(evidences, truth) == (1, 1)
    assert right_of(evidences, truth, denominator="all") == (1, 3)


def test_fields_are_counted_apart():
    evidences = [evidence("a"), evidence("b", "price", "ripoff")]
    truth = [incident("a"), incident("b", "good_value", "PRICE")]
    assert judged(evidences, truth, policy=POLICY) == {
        ("finding", SEVERITY): (1, 1),
        ("finding", "PRICE"): (0, 1),
    }


# Modifiers


@pytest.mark.parametrize(
    ("field", "judgement", "listed", "right"),
    [
        ("ASSURANCE_CLAIM", "true", ["False assurance"], True),
        ("ASSURANCE_CLAIM", "true", [], False),
        ("ASSURANCE_OF_SAFETY", "yes", ["False assurance"], True),
        ("ASSURANCE_CLAIM", "no assurance", [], True),
        ("ASSURANCE_CLAIM", "false", [], True),
        ("ASSURANCE_CLAIM", "false", ["false assurance"], False),
        ("STAFF_RESPONSE", "dismissive", ["Dismissive staff"], True),
        ("STAFF_RESPONSE", "rude", ["Dismissive staff"], True),
        ("STAFF_RESPONSE", "helpful", ["Dismissive staff"], False),
        ("STAFF_RESPONSE", "whatever", [], True),
    ],
)
def test_modifiers_are_compared_where_the_system_judges_them(field, judgement, listed, right):
    found = judged(
        [evidence(), evidence(field=field, judgement=judgement)], [incident(modifiers=listed)]
    )
    name = "STAFF_RESPONSE" if field == "STAFF_RESPONSE" else "ASSURANCE_CLAIM"
    assert found == {("finding", SEVERITY): (1, 1), ("modifier", name): (int(right), 1)}


def test_modifiers_count_only_where_the_truth_lists_them():
    evidences = [evidence(), evidence(field="STAFF_RESPONSE", judgement="rude")]
    assert judged(evidences, [incident()]) == {("finding", SEVERITY): (1, 1)}
    assert judged(evidences[:1], [incident(modifiers=[])]) == {("finding", SEVERITY): (1, 1)}


def test_modifiers_of_a_policy_replace_the_usual_ones():
    evidences = [evidence(), evidence(field="noise", judgement="deafening")]
    evidences += [evidence(field="STAFF_RESPONSE", judgement="rude")]
    truth = [incident(modifiers=["loud music"])]
    assert judged(evidences, truth, policy=POLICY) == {
        ("finding", SEVERITY): (1, 1),
        ("modifier", "NOISE"): (1, 1),
    }


def test_modifier_of_a_policy_without_words_is_never_claimed():
    policy = Policy("p", ("Low", "High"), modifiers=(Modifier("Loud music", "NOISE", ("loud",)),))
    evidences = [evidence(field="NOISE", judgement="loud")]
    found = judged(evidences, [incident(modifiers=["Loud music"])], policy=policy)
    assert found["modifier", "NOISE"] == (0, 1)


# As the reference reads


@pytest.mark.parametrize(
    ("judgement", "value", "right"),
    [
        ("moderate incident", "moderate", True),
        ("mildly severe", "mild", True),
        ("not severe", "severe", True),
        (" OK ", "ok", True),
        ("good value", "good_value", False),
    ],
)
def test_reference_compares_parts_of_words(judgement, value, right):
    found = right_of(
        [evidence(judgement=judgement)], [incident(value=value)], comparison="reference"
    )
    assert found == (int(right), 1)


def test_reference_matches_fields_of_which_one_contains_the_other():
    for field in ("severity", "INCIDENT", "the incident_severity level"):
        found = right_of([evidence(field=field)], [incident()], comparison="reference")
        assert found == (1, 1)
    assert right_of([evidence(field="NOISE")], [incident()], comparison="reference") == (0, 1)


def test_reference_prefers_the_field_of_the_same_name():
    evidences = [evidence(field="severity", judgement="severe"), evidence()]
    assert right_of(evidences, [incident()], comparison="reference") == (1, 1)


@pytest.mark.parametrize(
    ("field", "judgement", "listed", "right"),
    [
        ("ASSURANCE_CLAIM", "no assurance", ["False assurance"], True),
        ("assurance_of_safety", "Detected", ["False assurance"], True),
        ("STAFF_RESPONSE", "not bad", [], False),
        ("STAFF_RESPONSE", "kind", [], True),
    ],
)
def test_reference_finds_modifiers_in_parts_of_words(field, judgement, listed, right):
    evidences = [evidence(), evidence(field=field, judgement=judgement)]
    found = judged(evidences, [incident(modifiers=listed)], comparison="reference")
    [(_, name)] = [key for key in found if key[0] == "modifier"]
    assert found["modifier", name] == (int(right), 1)


def test_reference_has_no_judgements_of_sources_that_are_not_cited():
    found = judged([], [incident(modifiers=[])], comparison="reference", denominator="all")
    assert found == {("finding", SEVERITY): (0, 1)}


def test_no_evidence_is_no_claim():
    assert claims_of([]) == Claims((), {})
