"""Grounded verdicts: the worst cases, advice, comparisons, and what is true of any input."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import stored
from assay.families.family import Given
from assay.families.verdicts import FAMILY
from assay.families.verdicts.counts import COUNTED
from assay.families.verdicts.options import VerdictOptions
from assay.inference import Plan
from assay.pipeline import evaluate
from assay.sources.verdicts import ground_truth_of, results_of
from tests.families.verdict_files import (
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


def test_badness_counts_each_fault_once():
    rows = [
        result(
            "a",
            "Low Risk",  # two steps off
            evidence("r1", "severe", snippet="made up"),  # judged wrongly, quoted wrongly
            evidence("r9"),  # not in the truth
            rule="SCORE >= 8 → Critical Risk",  # not the verdict, nor is what the evidence gives
        ),
        result("b"),
    ]
    cases = {"a": truth("Critical Risk", incident("r1"), incident("r2")), "b": truth()}
    texts = {"a": {"r1": "x", "r2": "y"}, "b": {}}
    worst, best = system(rows, cases, texts).parts.cases
    assert worst.badness == 2 + 1 + 1 + 1 + 1 + 1 + 1
    assert (worst.steps, worst.n_missed, worst.n_invalid) == (-2, 1, 1)
    assert (worst.rule_consistent, worst.evidence_agrees) == (False, False)
    assert (worst.badness_rank, best.badness_rank, best.badness) == (1, 2, 0)


def test_advice_is_given_where_the_interval_leaves_no_doubt():
    n = 60
    rows = [
        result(
            str(i),
            "Critical Risk" if i % 2 else "High Risk",
            evidence("x"),
            risk=i % 2 + i / 1000,
        )
        for i in range(n)
    ]
    cases = {str(i): truth("High Risk" if i % 2 else "Low Risk", incident("r")) for i in range(n)}
    found = system(rows, cases, plan=Plan(n_resamples=200))
    assert [each.symptom for each in found.parts.diagnosis] == [
        "high AUPRC, low macro F1",
        "low evidence precision",
        "low evidence recall",
        "low evidence-to-verdict consistency",
    ]
    assert found.parts.diagnosis[0].metrics == ["ordinal_auprc", "macro_f1"]
    few = system(rows[:1], {"0": cases["0"]}, plan=Plan(n_resamples=200))
    assert values(few)["evidence_precision"] == 0.0
    assert few.parts.diagnosis == []


def test_low_order_with_high_labels_and_low_both_are_told_apart():
    n = 200
    cases = {str(i): truth("High Risk" if i % 2 else "Low Risk") for i in range(n)}
    labels = [result(str(i), cases[str(i)]["verdict"], risk=-(i % 2)) for i in range(n)]
    (found,) = system(labels, cases, policy="G1", plan=Plan(n_resamples=100)).parts.diagnosis
    assert found.symptom == "low AUPRC, high macro F1"
    wrong = [result(str(i), "Low Risk" if i % 2 else "High Risk", risk=-(i % 2)) for i in range(n)]
    (found,) = system(wrong, cases, policy="G1", plan=Plan(n_resamples=100)).parts.diagnosis
    assert found.symptom == "low AUPRC, low macro F1"


@pytest.mark.parametrize(
    ("snippet", "cause"),
    [
        ("Made up from beginning to end", "quotations are invented"),
        ("another review holds this one", "from another source than the one named"),
        ("The soup ... staff were kind", "copied loosely"),
    ],
)
def test_bad_quotations_are_told_apart_by_where_they_are_from(snippet, cause):
    texts = {
        str(i): {"r1": "The soup. The staff were kind.", "r2": "Another review holds this one."}
        for i in range(40)
    }
    rows = [result(str(i), "Low Risk", evidence("r1", snippet=snippet)) for i in range(40)]
    found = system(rows, {str(i): truth() for i in range(40)}, texts, plan=Plan(n_resamples=20))
    (advice,) = [each for each in found.parts.diagnosis if each.symptom == "low snippet validity"]
    assert cause in advice.cause


def test_many_unreadable_answers_are_the_first_thing_to_fix():
    rows = [{"business_id": str(i), "response": "?"} for i in range(20)]
    found = system(rows, {str(i): truth() for i in range(20)})
    assert found.parts.diagnosis[0].symptom == "20 of 20 results failed or are unstructured"


def test_errors_are_counted_in_words():
    rows = [{"case_id": each, "error": "timeout"} for each in "ab"]
    found = evaluated(([*rows, result("c")],), {each: truth() for each in "abc"})
    assert found.warnings[0].startswith("r0.json: 2 of 3 cases not answered (2 errors), ")


def test_systems_are_compared_case_by_case():
    cases = {str(i): truth("High Risk", incident("r1"), incident("r2")) for i in range(10)}
    left = [result(str(i), "High Risk", evidence("r1")) for i in range(10)]
    right = [result(str(i), "High Risk", evidence("r1"), evidence("r2")) for i in range(10)]
    found = evaluated((left, right, left), cases, plan=Plan(n_resamples=50))
    assert [(each.left, each.right, each.counts["n_common"]) for each in found.pairs] == [
        (0, 1, 10),
        (0, 2, 10),
    ]
    better, same = found.pairs
    assert better.deltas[""]["evidence_recall"].delta == 0.5
    assert better.deltas[""]["evidence_recall"].p_holm == pytest.approx(2 * 0.5 / 51)
    assert same.deltas[""]["evidence_recall"].delta == 0.0
    assert better.deltas[""]["snippet_validity"].delta is None
    assert list(better.deltas[""]) == list(numbers(found.systems[0]))


def test_two_files_of_one_name_are_told_by_their_folders():
    rows = [result("a")]
    read = {
        "results": [results_of(rows, path=path) for path in ("x/r.json", "y/r.json")],
        "ground_truth": [ground_truth_of({"a": truth()}, path="truth.json")],
        "policy": ["G1"],
    }
    found = evaluate(FAMILY, Given(read, VerdictOptions(), Plan(n_resamples=0)), created_at="")
    assert [each.name for each in found.systems] == ["x/r.json", "y/r.json"]


def test_a_case_without_truth_that_another_system_answers_is_missing_nowhere():
    left = [result("a"), result("b")]
    found = evaluated((left, [*left[:1], result("x")]), {"a": truth(), "b": truth()})
    assert [counts(each)["n_missing"] for each in found.systems] == [0, 1]
    assert [counts(each)["n_without_gt"] for each in found.systems] == [0, 1]
    assert found.warnings == [
        f"r1.json: 1 of 2 cases not answered (1 missing), {COUNTED['wrong']}",
        "r1.json: ground truth without a result: 1 case, whose evidence counts as missed",
        "r1.json: 1 result without ground truth, in no number that needs it",
    ]


@pytest.mark.parametrize("preset", ["default", "reference"])
@given(data=st.data())
def test_the_order_of_cases_does_not_matter(data, preset):
    scale = ("Low Risk", "High Risk", "Critical Risk")
    n = data.draw(st.integers(2, 8))
    rows = [
        result(
            str(i),
            data.draw(st.sampled_from(scale)),
            *[evidence(f"r{data.draw(st.integers(0, 3))}") for _ in range(2)],
            risk=data.draw(st.none() | st.integers(0, 3)),
        )
        for i in range(n)
    ]
    cases = {
        str(i): truth(data.draw(st.sampled_from(scale)), incident(f"r{i % 3}")) for i in range(n)
    }
    order = data.draw(st.permutations(range(n)))
    shuffled = {str(i): cases[str(i)] for i in order}
    straight = evaluated(rows, cases, preset=preset, plan=Plan(n_resamples=5))
    mixed = evaluated([rows[i] for i in order], shuffled, preset=preset, plan=Plan(n_resamples=5))
    assert msgspec.json.encode(mixed.systems) == msgspec.json.encode(straight.systems)


ids = st.lists(st.sampled_from(["r1", "r2", "r3"]), max_size=3, unique=True)


@given(cited=st.lists(ids, min_size=1, max_size=4), named=st.lists(ids, min_size=4, max_size=4))
def test_precision_and_recall_swap_when_claims_and_truth_swap(cited, named):
    def both(claims, gold):
        rows = [result(str(i), "Low Risk", *map(evidence, each)) for i, each in enumerate(claims)]
        cases = {str(i): truth("Low Risk", *map(incident, each)) for i, each in enumerate(gold)}
        found = values(system(rows, cases))
        return found["evidence_precision"], found["evidence_recall"]

    named = named[: len(cited)]
    assert both(cited, named) == both(named, cited)[::-1]


KEYS = ("evidences", "review_id", "field", "judgement", "snippet", "verdict", "justification")
KEYS += ("triggered_rule", "scoring_trace", "total_score")
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", "r1", "mild", "Low Risk", "else -> Low Risk", "INCIDENT_SEVERITY"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("preset", ["default", "reference"])
@given(parsed=json_values, verdict=json_values, risk=json_values, error=json_values)
def test_whatever_a_model_wrote_there_is_an_artifact(preset, parsed, verdict, risk, error):
    rows = [
        {"business_id": "a", "parsed": parsed, "verdict": verdict, "risk_score": risk},
        {"business_id": "b", "parsed": {"evidences": parsed, "justification": parsed}},
        {"business_id": "c", "parsed": {"evidences": [parsed]}, "error": error},
    ]
    texts = {"a": {"r1": "mild"}, "b": {"r1": "mild"}, "c": {"r1": ""}}
    found = evaluated(
        rows,
        {case: truth("Low Risk", incident("r1")) for case in "abc"},
        texts,
        preset=preset,
        not_answered="leave-out",
        unknown_sources="count",
        plan=Plan(n_resamples=3),
    )
    assert stored.decode(stored.encode(found)) == found
    for system_ in found.systems:
        assert counts(system_)["n_samples"] == 3
        for number in numbers(system_).values():
            assert number.value is None or 0 <= number.value <= 1
