"""Files in neutral words, in those of other programs and under keys of one's own."""

from __future__ import annotations

import json

import pytest
from msgspec import to_builtins

from assay import pipeline
from assay.errors import UsageError
from assay.families.family import Given
from assay.families.verdicts import FAMILY
from assay.families.verdicts.options import VerdictOptions
from assay.inference import Plan
from assay.library import evaluate
from tests.families.verdict_files import (
    NO_PLAN,
    evaluated,
    evidence,
    incident,
    result,
    sources,
    system,
    truth,
)

TEXTS = {"a": {"r1": "The soup was cold. It was late."}, "b": {"r2": "Fine."}}
ROWS = [
    result("a", "High Risk", evidence("r1", "mild", snippet="It was too late"), risk=3),
    result("b", "Low Risk", evidence("r9", "severe", snippet="Fine."), risk=1),
]
TRUTH = {"a": truth("High Risk", incident("r1", "mild")), "b": truth("Low Risk")}
NEUTRAL = {
    "business_id": "case_id",
    "review_id": "source_id",
    "incidents": "findings",
    "severity_field": "field",
    "severity_value": "value",
    "judgement": "value",
    "risk_score": "rank_score",
    "evidences": "evidence",
    "snippet": "quotation",
    "restaurants": "cases",
    "reviews": "sources",
}
OWN = {"case_id": "contract_id", "source_id": "clause", "findings": "defects"}
MAP = ["contract_id=case_id", "clause=source_id", "defects=findings"]


def spelled(found, names):
    """Return JSON with its keys called otherwise."""
    if isinstance(found, list):
        return [spelled(each, names) for each in found]
    if not isinstance(found, dict):
        return found
    return {names.get(key, key): spelled(each, names) for key, each in found.items()}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write the three files under the names of keys, and evaluate them."""
    monkeypatch.chdir(tmp_path)
    sources = [
        {"business_id": case, "reviews": [{"review_id": name, "text": text}]}
        for case, texts in TEXTS.items()
        for name, text in texts.items()
    ]
    whole = {
        "results.json": {"results": ROWS},
        "truth.json": {"policy_id": "G1_allergy_V2", "restaurants": TRUTH},
        "sources.json": sources,
    }

    def run(*tables, **options):
        for name, content in whole.items():
            for names in tables:
                content = spelled(content, names)  # noqa: PLW2901 - one renaming after the other
            (tmp_path / name).write_text(json.dumps(content))
        read = {"ground_truth": "truth.json", "sources": "sources.json", "n_resamples": 0}
        return evaluate("verdicts", "results.json", **read, **options).artifact

    return run


def test_neutral_keys_and_keys_of_ones_own_give_what_the_seed_spells(files):
    as_seeded, neutral = files(), files(NEUTRAL)
    own = files(NEUTRAL, OWN, map=MAP)
    for found in (neutral, own):
        assert found.systems == as_seeded.systems
        assert found.parts == as_seeded.parts
        assert found.warnings == as_seeded.warnings
    assert as_seeded.systems[0].variants[""].numbers["judgement_accuracy"].value == 1.0
    assert own.conventions == {**as_seeded.conventions, "map": MAP}


def test_a_bare_scale_repairs_no_spelling_under_reference(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        result("a", "high_risk", rule="SCORE >= 4 -> High Risk"),
        result("b", "Low Risk", rule="else -> Low Risk"),
    ]
    asked = {"preset": "reference", "scale": ["Low Risk", "High Risk"], "n_resamples": 0}

    def run(about, **options):
        (tmp_path / "results.json").write_text(json.dumps({"results": rows}))
        (tmp_path / "truth.json").write_text(json.dumps({**about, "restaurants": TRUTH}))
        found = evaluate(
            "verdicts", "results.json", ground_truth="truth.json", **asked, **options
        ).artifact
        variant = found.systems[0].variants[""]
        share = variant.numbers["verdict_consistency"].value
        return found.conventions["spelling"], variant.counts["n_scored"], share

    assert run({}) == ("as-written", 1, 0.5)
    assert run({}, spelling="lenient") == ("lenient", 2, 1.0)
    assert run({"policy_id": "G1_allergy_V2"}) == ("reference", 2, 1.0)


def test_the_texts_may_go_by_their_earlier_name(files):
    files()
    read = {"ground_truth": "truth.json", "reviews": "sources.json", "n_resamples": 0}
    assert evaluate("verdicts", "results.json", **read)["snippet_validity"].value == 0.0


def test_an_absent_quotation_stands_beside_the_nearest_passage(files):
    audit = files().systems[0].parts.audit
    # three of four words are shared; the second names a source that does not exist
    assert [(each.status, each.nearest) for each in audit] == [
        ("absent", "It was late"),
        ("absent", None),
    ]


def test_a_key_that_no_file_holds_is_refused(files):
    with pytest.raises(UsageError, match="`map` names the key 'contract', which none of the files"):
        files(map="contract=case_id")


def test_a_bad_character_fails_its_answer_under_any_key(files, tmp_path):
    files(NEUTRAL, OWN, map=MAP)
    path = tmp_path / "results.json"
    rows = json.loads(path.read_text())["results"]
    rows[0]["parsed"]["evidence"][0]["quotation"] = "\ud83d"
    path.write_text(json.dumps({"answers": rows}))
    read = {"ground_truth": "truth.json", "sources": "sources.json", "n_resamples": 0}
    read |= {"map": [*MAP, "answers=results"], "unknown_sources": "count"}
    found = evaluate("verdicts", "results.json", **read).artifact
    cases = found.systems[0].parts.cases
    assert [(each.case, each.outcome, each.lost_by) for each in cases] == [
        ("a", "failed", "error"),
        ("b", "answered", None),
    ]


def test_systems_that_are_ranked_by_different_means_are_warned_about():
    plain = [{**row, "risk_score": None} for row in ROWS]
    told = "systems are ranked by different means, so AUPRC says little: "
    mixed = evaluated((ROWS, plain), TRUTH).warnings
    assert f"{told}r0.json by rank score, r1.json by verdict" in mixed
    assert not any(told in each for each in evaluated((ROWS, ROWS), TRUTH).warnings)


def test_a_case_of_a_system_without_scores_shows_none():
    plain = [{**row, "risk_score": None} for row in ROWS]
    found = evaluated((ROWS, plain), TRUTH).cases.kept
    shown = {tuple(each.confidence is None for each in case.answers) for case in found}
    assert shown == {(False, True)}


def test_an_order_by_scores_is_neither_better_nor_worse_than_one_by_verdicts():
    cases = {f"{n:02}": truth(("Low Risk", "Critical Risk")[n % 2]) for n in range(30)}
    scored = [{**result(case, "Low Risk"), "risk_score": int(case) % 2} for case in cases]
    plain = [{**row, "risk_score": None} for row in scored]
    plan = Plan(n_resamples=200)
    [pair] = evaluated((scored, plain), cases, plan=plan).pairs
    [same] = evaluated(
        (scored, [{**row, "risk_score": 0} for row in plain]), cases, plan=plan
    ).pairs
    said = [each.deltas[""]["ordinal_auprc"] for each in (pair, same)]
    assert [each.word for each in said] == [None, "worse"]
    assert said[0].word_reason == "one side is ranked by scores and the other by its verdicts"


def test_a_low_macro_f1_alone_has_its_advice():
    # all are of one class, so that there is no order to judge
    cases = {str(n): truth("Low Risk") for n in range(40)}
    wrong = [result(case, "Critical Risk") for case in cases]
    found = system(wrong, cases, plan=Plan(n_resamples=50))
    assert "low macro F1" in [each.symptom for each in found.parts.diagnosis]


def test_one_case_is_counted_in_the_singular():
    counted = system(ROWS[:1], {"a": TRUTH["a"]}).parts.counted
    assert counted["ordinal_auprc"].what == "case, by rank score"
    assert counted["macro_f1"].what == "verdict right"


def test_evidence_beside_the_parsed_answer_is_told_not_blamed_on_the_system():
    flat = {"case_id": "a", "verdict": "High Risk", "evidence": [{"source_id": "r1"}]}
    found = evaluated([flat, ROWS[1]], TRUTH)
    assert found.systems[0].parts.malformed == {"evidence stands beside parsed, not in it": 1}
    assert (
        "r0.json: 1 result has its evidence beside `parsed`, where it is not read; expected:"
        ' {"parsed": {"evidence": [...]}}'
    ) in found.warnings


@pytest.mark.parametrize("content", ["ids", "none"])
def test_no_text_of_a_system_is_kept_where_texts_are_not(content):
    own_words = "made up by it"
    rows = [
        result("a", own_words, evidence("r1", "mild", snippet=own_words), rule=f"x -> {own_words}"),
        result("b", "Low Risk", rule="x -> Low Risk"),
    ]
    given = Given(sources(rows, TRUTH, TEXTS), VerdictOptions(), NO_PLAN, cases=content)
    kept = pipeline.evaluate(FAMILY, given, created_at="")
    assert own_words not in json.dumps(to_builtins(kept))
    if content == "ids":
        assert [each.rule_verdict for each in kept.systems[0].parts.cases] == [None, "Low Risk"]
        own = [each.answers[0].facts.get("its own rule gives") for each in kept.cases.kept]
        assert own == ["nothing on the scale", "Low Risk"]
