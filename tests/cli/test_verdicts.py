"""`assay verdicts` as a user runs it, on the bundled example and on files that are not right."""

from __future__ import annotations

import csv
import io
import json
import shlex
from importlib.resources import files

import jsonschema
import msgspec
import pytest

from assay import families, stored
from assay.cli.evaluating import command_of
from assay.demo import VERDICTS_FOLDER as EXAMPLE_FOLDER

FAMILY = families.named("verdicts")
NAMES = ("direct.json", "checked.json", "ground_truth.json", "reviews.jsonl")
TRUTH = ("--ground-truth", "ground_truth.json")
ONE = ("--results", "direct.json", *TRUTH)
REVIEWED = (*ONE, "--reviews", "reviews.jsonl")
SEVEN = {
    "auprc": "ordinal_auprc",
    "macro_f1": "macro_f1",
    "evidence_precision": "evidence_precision",
    "evidence_recall": "evidence_recall",
    "snippet_validity": "snippet_validity",
    "judgement_accuracy": "judgement_accuracy",
    "verdict_consistency": "verdict_consistency",
}


@pytest.fixture
def verdicts(assay, folder):
    """Run `assay verdicts` on few resamples, beside the files of the example."""
    for name in NAMES:
        (folder / name).write_bytes((EXAMPLE_FOLDER / name).read_bytes())
    return lambda *arguments: assay("verdicts", "--bootstrap-resamples", "40", *arguments)


@pytest.fixture
def edited(folder, verdicts):
    """Write a file of the example once more, changed in one place."""

    def write(name, change):
        content = json.loads((folder / name).read_bytes())
        changed = change(content)
        (folder / "edited.json").write_text(json.dumps(content if changed is None else changed))
        return "edited.json"

    return write


def artifact(done):
    assert done.code == 0, done.err
    return json.loads(done.out)


def lines(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def values(done, number=0):
    found = artifact(done)["systems"][number]["variants"][""]["numbers"]
    return {label: each["value"] for label, each in found.items()}


def test_the_documented_command_writes_an_artifact_and_the_table_of_seven(verdicts, folder):
    done = verdicts(*REVIEWED)
    assert done.code == 0
    written = (folder / "assay-out" / "verdicts_20260101T000000Z.json").read_bytes()
    found = json.loads(written)
    jsonschema.validate(found, msgspec.json.schema(FAMILY.artifact))
    assert stored.decode(written).systems[0].name == "direct.json"
    assert found["command"] == (
        "assay verdicts --results direct.json --ground-truth ground_truth.json"
        " --sources reviews.jsonl --bootstrap-resamples 40"
    )
    for words in (
        "Evaluation metrics (7, and evidence-to-verdict)",
        "AUPRC                 88.5%",
        "30/45 claims in the truth",
        "Average precision by threshold",
        "Judgements by field",
        "Quotations by mode",
        "2 misattributed",
        "low snippet validity",
        "The worst 10 cases",
    ):
        assert words in done.out


@pytest.mark.parametrize(
    "example", command_of("verdicts").epilog.partition("Examples:\n")[2].splitlines()
)
def test_the_examples_of_the_help_run(verdicts, assay, folder, example):
    names = {"results.json": "direct.json", "old.json": "direct.json", "new.json": "checked.json"}
    names |= {"truth.json": "ground_truth.json"}
    for name, source in names.items():
        (folder / name).write_bytes((EXAMPLE_FOLDER / source).read_bytes())
    rows = json.loads((folder / "results.json").read_bytes())["results"]
    (folder / "results.jsonl").write_text("\n".join(map(json.dumps, rows)))
    policy = files("assay").joinpath("data", "policies", "G1_allergy_V2.yaml")
    (folder / "my_policy.yaml").write_bytes(policy.read_bytes())
    done = assay(*shlex.split(example)[1:], "--bootstrap-resamples", "10")
    assert done.code == 0, done.err
    assert "Evaluation metrics (7, and evidence-to-verdict)" in done.out


def test_the_counts_of_the_example_are_those_of_a_plain_count(verdicts, folder):
    found = artifact(verdicts(*REVIEWED, "--json"))["systems"][0]["parts"]["counted"]
    truth = json.loads((folder / "ground_truth.json").read_bytes())["restaurants"]
    claimed = matched = ruled = consistent = right = 0
    for row in json.loads((folder / "direct.json").read_bytes())["results"]:
        true = truth[row["business_id"]]["ground_truth"]
        right += row.get("verdict", "").lower() == true["verdict"].lower()
        if row.get("parsed"):
            cited = {each["review_id"] for each in row["parsed"]["evidences"]}
            claimed += len(cited)
            matched += len(cited & {each["review_id"] for each in true["incidents"]})
            rule = row["parsed"]["justification"]["triggered_rule"]
            ruled += 1
            consistent += rule.endswith(row["parsed"]["verdict"])
    gold = sum(row["ground_truth"]["n_incidents"] for row in truth.values())
    for label, expected in (
        ("macro_f1", (right, 40)),
        ("evidence_precision", (matched, claimed)),
        ("evidence_recall", (matched, gold)),
        ("verdict_consistency", (consistent, ruled)),
    ):
        assert (found[label]["numerator"], found[label]["denominator"]) == expected


def test_shares_are_their_counts(verdicts):
    found = artifact(verdicts(*REVIEWED, "--json"))["systems"][0]
    counts = {
        label: (each["numerator"], each["denominator"])
        for label, each in found["parts"]["counted"].items()
    }
    assert counts == {
        "ordinal_auprc": (None, 40),
        "macro_f1": (27, 40),
        "evidence_precision": (30, 45),
        "evidence_recall": (30, 53),
        "snippet_validity": (29, 44),
        "judgement_accuracy": (33, 37),
        "verdict_consistency": (37, 37),
        "evidence_consistency": (35, 37),
    }
    for label, (part, whole) in counts.items():
        if label not in {"ordinal_auprc", "macro_f1"}:
            assert found["variants"][""]["numbers"][label]["value"] == part / whole


def test_every_number_has_an_interval_and_a_share_of_all_the_exact_one(verdicts):
    metrics = artifact(verdicts(*REVIEWED, "--json"))["systems"][0]["variants"][""]["numbers"]
    assert [label for label, each in metrics.items() if each["interval"] is None] == []
    certain = metrics["verdict_consistency"]
    assert certain["interval"] == [pytest.approx(0.025 ** (1 / 37)), 1.0]
    assert certain["exact_interval"] == certain["interval"]
    assert certain["interval_method"] == "exact"


def test_two_systems_are_compared_paired_by_case(verdicts):
    both = ("--results", "direct.json", "--results", "checked.json", *TRUTH)
    done = verdicts(*both, "--reviews", "reviews.jsonl")
    assert done.code == 0
    assert "checked.json minus direct.json, 40 common cases" in done.out
    assert "Counts, checked.json" in done.out
    (pair,) = artifact(verdicts(*both, "--json"))["pairs"]
    assert pair["deltas"][""]["evidence_recall"]["delta"] == pytest.approx(40 / 53 - 30 / 53)
    assert pair["deltas"][""]["evidence_recall"]["p_value"] is not None


def test_results_may_be_arguments_or_inputs(verdicts):
    by_name = artifact(
        verdicts("--results", "direct.json", "--results", "checked.json", *TRUTH, "--json")
    )
    for given in (
        ("direct.json", "checked.json"),
        ("direct.json", "--input", "checked.json"),
        ("--input", "direct.json", "--results", "checked.json"),
    ):
        found = artifact(verdicts(*given, *TRUTH, "--json"))
        assert {**found, "command": ""} == {**by_name, "command": ""}


def test_every_table_is_printed_on_request(verdicts):
    both = ("direct.json", "checked.json", *TRUTH)
    title = "Each verdict as a class, checked.json"
    assert title not in verdicts(*both).out
    full = verdicts(*both, "--full").out
    assert title in full
    assert "F1, Critical Risk" in full


def test_same_request_same_bytes(verdicts):
    first, second = (verdicts(*REVIEWED, "--json").out for _ in range(2))
    assert first == second
    other = json.loads(verdicts(*REVIEWED, "--json", "--seed", "7").out)
    assert other["systems"][0]["variants"][""]["numbers"]["macro_f1"]["interval"] is not None
    assert other["resampling"]["seed"] == 7


def test_tables_hold_a_line_per_case_and_per_quotation(verdicts, folder):
    assert verdicts(*REVIEWED, "--tables", "audit").code == 0
    cases, quotes = (lines(folder / "audit" / name) for name in ("cases.csv", "snippets.csv"))
    assert len(cases) == 40
    assert [row["badness_rank"] for row in cases[:3]] == ["1", "2", "3"]
    assert len(quotes) == 44
    assert {row["status"] for row in quotes} == {
        "exact",
        "normalized",
        "stitched",
        "misattributed",
        "absent",
    }
    moved = [row for row in quotes if row["status"] == "misattributed"]
    assert all(row["found_in"] and row["found_in"] != row["source_id"] for row in moved)
    # An absent quotation stands beside what its source says instead.
    texts = {
        each["review_id"]: " ".join(each["text"].split())
        for each in map(json.loads, (folder / "reviews.jsonl").read_text().splitlines())
    }
    absent = [row for row in quotes if row["status"] == "absent"]
    assert all(row["nearest"] in texts[row["source_id"]] for row in absent)
    assert [row["nearest"] for row in quotes if row not in absent] == [""] * 36


def test_a_cell_that_a_spreadsheet_would_run_is_made_harmless(verdicts, edited, folder):
    def poison(content):
        evidence = content["results"][0]["parsed"]["evidences"][0]
        evidence["snippet"] = "=HYPERLINK(1)\n,\x1b[31m"
        evidence["field"] = "\t@sum"

    name = edited("direct.json", poison)
    done = verdicts("--results", name, *TRUTH, "--reviews", "reviews.jsonl", "--tables", ".")
    assert done.code == 0
    row = lines(folder / "snippets.csv")[0]
    assert row["snippet"] == "'=HYPERLINK(1)\\n,\\x1b[31m"
    assert row["field"] == "\\t@sum"
    assert "\x1b" not in done.out


def test_the_results_file_is_written_again_with_its_evaluation(verdicts, folder):
    done = verdicts(*REVIEWED, "--results-output", "out.json", "--json")
    numbers = values(done)
    before = json.loads((folder / "direct.json").read_bytes())
    after = json.loads((folder / "out.json").read_bytes())
    assert after["results"] == before["results"]
    assert {key: after[key] for key in before if key != "results"} == {
        key: value for key, value in before.items() if key != "results"
    }
    short, full = after["evaluation_metrics"], after["evaluation_metrics_full"]
    for key, label in SEVEN.items():
        assert short[key] == full[key] == numbers[label]
    populations = {key: short[key] for key in short.keys() - SEVEN.keys()}
    assert populations == {
        "n_samples": 40,
        "n_structured": 37,
        "n_with_gt": 40,
        "n_scored": 39,
    }
    details = full["details"]
    assert details["evidence_details"] == details["incident_details"]
    assert details["evidence_details"] == {
        "total_claimed": 45,
        "total_matched": 30,
        "total_gt_evidence": 53,
        "total_snippets": 44,
        "valid_snippets": 29,
    }
    assert details["judgement_details"]["per_field"]["INCIDENT_SEVERITY"] == {
        "correct": 26,
        "total": 30,
        "accuracy": 26 / 30,
    }
    assert details["consistency_details"]["skipped_no_rule"] == 2
    assert len(details["consistency_details"]["per_sample"]) == 37
    areas = details["auprc_metrics"]
    assert areas["ordinal_auprc"] == pytest.approx(
        (areas["auprc_ge_high"] + areas["auprc_ge_critical"]) / 2
    )
    assert "unified_scores" not in after
    # and what was written can be read again
    assert values(verdicts("--results", "out.json", *REVIEWED[2:], "--json")) == numbers


def test_the_composite_is_written_on_request_and_called_deprecated(verdicts, folder):
    verdicts(*REVIEWED, "--results-output", "out.json", "--unified-scores", "--quiet")
    unified = json.loads((folder / "out.json").read_bytes())["unified_scores"]
    assert unified["note"].startswith("deprecated")
    parts = unified["components"]
    assert parts["incident_precision"] == 30 / 45
    assert parts["severity_accuracy"] == 26 / 30
    assert parts["modifier_accuracy"] == 1.0
    weighted = 0.35 * 30 / 45 + 0.3 * 26 / 30 + 0.15 + 0.15 * 35 / 37 + 0.05 * 29 / 44
    assert unified["process_score"] == pytest.approx(100 * weighted)
    assert unified["consistency_score"] == 100.0
    again = verdicts("--results", "out.json", *TRUTH, "--results-output", "b.json", "--quiet")
    assert again.code == 0
    assert "unified_scores" not in json.loads((folder / "b.json").read_bytes())


def test_json_lines_and_lists_give_the_numbers_of_the_file(verdicts, folder):
    expected = values(verdicts(*ONE, "--json"))
    rows = json.loads((folder / "direct.json").read_bytes())["results"]
    (folder / "r.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "r.json").write_text(json.dumps(rows))
    for name in ("r.jsonl", "r.json"):
        assert values(verdicts("--results", name, *TRUTH, "--json")) == expected


def test_the_reference_preset_takes_the_denominators_of_the_reference(verdicts):
    done = verdicts(*REVIEWED, "--preset", "reference", "--json")
    counts = artifact(done)["systems"][0]["parts"]["counted"]
    assert counts["evidence_recall"]["denominator"] == 47
    assert counts["judgement_accuracy"]["denominator"] == 54
    assert counts["snippet_validity"]["numerator"] == 27
    kept = verdicts(*REVIEWED, "--preset", "reference", "--recall-over", "all", "--json")
    assert artifact(kept)["systems"][0]["parts"]["counted"]["evidence_recall"]["denominator"] == 53
    conventions = artifact(kept)["conventions"]
    assert (conventions["preset"], conventions["recall_over"]) == ("reference", "all")


def test_a_policy_of_ones_own_is_read_from_a_file(verdicts, folder):
    (folder / "mine.yaml").write_text(
        "policy: mine\ntitle: Mine\nverdicts: [Low Risk, High Risk, Critical Risk]\n"
        "direction: {low: calm, high: danger, positive: high}\n"
        "fields:\n  INCIDENT_SEVERITY:\n    values:\n      mild: {points: 1}\n"
        "      moderate: {points: 1}\n      severe: {points: 1}\n"
        "rules:\n  - SCORE >= 2 -> Critical Risk\n  - else -> Low Risk\n"
    )
    done = verdicts(*ONE, "--policy", "mine.yaml")
    assert done.code == 0
    assert "mine, mine.yaml, sha256" in done.out
    assert "the high end (danger)" in done.out
    found = artifact(verdicts(*ONE, "--policy", "mine.yaml", "--json"))
    assert found["parts"]["policy"]["rules"] == ["SCORE >= 2 -> Critical Risk", "else -> Low Risk"]
    assert found["inputs"][-1]["role"] == "policy"


def test_a_scale_may_be_given_instead_of_a_policy(verdicts):
    done = verdicts(*ONE, "--scale", "low risk,high_risk,Critical Risk", "--positive", "low")
    assert done.code == 0
    assert "low risk < high_risk < Critical Risk" in done.out
    assert "the low end (low risk)" in done.out


def test_without_reviews_quotations_are_not_checked_and_that_is_said(verdicts):
    done = verdicts(*ONE)
    assert "no sources were given, so no quotation is checked" in done.out
    assert "nothing is quoted, or no source is known" in done.out
    assert "Quotations by mode" not in done.out


def test_no_resamples_no_intervals(verdicts):
    done = verdicts(*REVIEWED, "--bootstrap-resamples", "0")
    assert done.code == 0
    assert "none, no resamples were asked for" in done.out


def every(change):
    def edit(content):
        for row in content["results"]:
            change(row)

    return edit


BAD = {
    "a ground-truth file given as results": (
        ("--results", "ground_truth.json", *TRUTH),
        "ground_truth.json is a ground-truth file (it has the key restaurants) and was given as",
    ),
    "results given as ground truth": (
        ("--results", "direct.json", "--ground-truth", "checked.json"),
        "checked.json holds the results of a system and was given as ground truth",
    ),
    "ground truth given as reviews": (
        (*ONE, "--reviews", "ground_truth.json"),
        "ground_truth.json is a ground-truth file and was given as sources",
    ),
    "an unknown policy": ((*ONE, "--policy", "G9"), "there is no policy named 'G9'"),
    "a policy of another scale": (
        (*ONE, "--policy", "G2"),
        "40 of 40 true verdicts are not on the scale Not Recommended, Acceptable, Recommended: 'Cr",
    ),
    "a file that is not there": (("--results", "x.json", *TRUTH), "'x.json' cannot be read"),
    "an input as output": ((*ONE, "--output", "direct.json"), "it is one of the inputs"),
    "an input as results output": (
        (*ONE, "--results-output", "direct.json"),
        "cannot write direct.json: it is one of the inputs",
    ),
    "a policy and a scale": (
        (*ONE, "--scale", "a,b", "--policy", "G1"),
        "--policy and --scale both say what the verdicts are",
    ),
    "a scale of one verdict": ((*ONE, "--scale", "x"), "at least two different verdicts"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_and_a_hint_and_nothing_is_written(verdicts, folder, case):
    arguments, sentence = BAD[case]
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = verdicts(*arguments)
    assert done.code == 1
    assert sentence in done.err
    assert done.err.startswith("error: ")
    assert "\nhint: " in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


EDITED = {
    "a case twice": (
        lambda content: content["results"].append(content["results"][4]),
        "edited.json has more than one result of a case, 1 too many: 'kitchen-05'",
        "one result per case",
    ),
    "no results": (
        lambda content: content["results"].clear(),
        "edited.json holds no results: its list is empty",
        "run the system first",
    ),
    "a policy that is not known": (
        lambda content: content.update(policy_id="X1"),
        "edited.json is about the policy 'X1' and ground_truth.json about 'G1_allergy_V2'",
        "--policy",
    ),
    "other cases": (
        every(lambda row: row.update(business_id=f"x{row['business_id']}")),
        "edited.json and ground_truth.json have no case in common",
        "belong together",
    ),
    "reviews that do not exist": (
        every(
            lambda row: [
                each.update(review_id="nowhere")
                for each in (row.get("parsed") or {}).get("evidences", [])
            ]
        ),
        "sources that it cites is in reviews.jsonl, the first being 'nowhere'",
        "belong together",
    ),
}


@pytest.mark.parametrize("case", EDITED)
def test_results_that_do_not_fit_are_refused(verdicts, edited, folder, case):
    change, sentence, hint = EDITED[case]
    name = edited("direct.json", change)
    done = verdicts("--results", name, *TRUTH, "--reviews", "reviews.jsonl")
    assert done.code == 1
    assert sentence in done.err
    assert hint in done.err
    assert not (folder / "assay-out").exists()


def test_an_unknown_policy_is_answered_with_the_known_ones(verdicts):
    done = verdicts(*ONE, "--policy", "G9")
    for name in ("G1_allergy_V2", "G2_romance_V1", "G3_price_worth_V2", "G6_uniqueness_V2", "T5"):
        assert name in done.err


def test_truth_in_reviews_that_do_not_exist_is_refused_or_counted(verdicts, edited, folder):
    rows = [json.loads(line) for line in (folder / "reviews.jsonl").read_text().splitlines()]
    (folder / "few.json").write_text(
        json.dumps([row for row in rows if not row["review_id"].endswith("r3")])
    )
    done = verdicts(*ONE, "--reviews", "few.json")
    assert done.code == 1
    assert "11 of 53 findings are in sources that few.json does not have:" in done.err
    assert verdicts(*ONE, "--reviews", "few.json", "--unknown-reviews", "count").code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((*ONE, "--unified-scores"), "--unified-scores goes into --results-output"),
        (
            (*ONE, "--results-output", "a", "--results-output", "b"),
            "found 1 --results and 2 --results-output",
        ),
        (("--results", "-", "--ground-truth", "-"), "standard input can be read once"),
        (("--results", "direct.json"), "Missing option '--ground-truth'"),
        ((*ONE, "--snippets", "fuzzy"), "'fuzzy' is not one of 'strict', 'normalized'"),
    ],
)
def test_misuse_exits_with_2(verdicts, folder, arguments, sentence):
    done = verdicts(*arguments)
    assert done.code == 2
    assert sentence in done.err
    assert not (folder / "assay-out").exists()
    assert not (folder / "a").exists()


def test_malformed_answers_are_counted_on_the_screen(verdicts, edited):
    def spoil(content):
        content["results"][0]["parsed"]["evidences"] = None
        content["results"][1]["parsed"]["evidences"][0]["judgement"] = True
        content["results"][2]["parsed"] = "none"

    done = verdicts("--results", edited("direct.json", spoil), *TRUTH)
    assert done.code == 0
    shown = " ".join(done.out.split())
    for words in (
        "evidences is null (1)",
        "judgement is a boolean (1)",
        "parsed is not an object (1)",
    ):
        assert words in shown


def test_verdicts_outside_the_scale_are_counted_as_wrong_or_refused(verdicts, folder):
    content = json.loads((folder / "direct.json").read_bytes())
    for row in content["results"]:
        if "error" not in row:
            row["verdict"] = "Medium Risk"
    (folder / "edited.json").write_text(json.dumps(content))
    given = ("--results", "edited.json", "--ground-truth", "ground_truth.json")
    done = verdicts(*given, "--json")
    found = json.loads(done.out)
    assert found["systems"][0]["variants"][""]["numbers"]["macro_f1"]["value"] == 0.0
    said = "direct.json: verdicts that are not on the scale: 'Medium Risk' ('"
    assert [each.replace("edited", "direct")[: len(said)] for each in found["warnings"]].count(said)
    for content in ("ids", "none"):
        kept = verdicts(*given, "--json", "--cases", content).out
        assert "Medium Risk" not in kept
        assert ("verdicts that are not on the scale are those of '" in kept) is (content == "ids")
    for flag in ("--not-answered", "--outside-scale"):
        done = verdicts(*given, flag, "refuse")
        assert done.code == 1
        assert "edited.json: 40 of 40 cases of the ground truth are not answered: '" in done.err
        assert "--not-answered wrong counts them as wrong" in done.err
