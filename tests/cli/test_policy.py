"""`assay policy check`: how many true verdicts follow from the rules, and which do not."""

from __future__ import annotations

import json

import pytest

from assay.demo import VERDICTS_FOLDER
from assay.derive.policies import Policy
from assay.sources.policy import known_policies, read_policy

TRUTH = str(VERDICTS_FOLDER / "ground_truth.json")
CRITICAL = "SCORE >= CRITICAL -> Critical Risk"
SEVERE = {"source_id": "s1", "field": "incident_severity", "value": "severe"}


def bundled(name) -> Policy:
    return read_policy(name).policy


@pytest.fixture
def check(assay, folder):
    """Write a ground truth of these cases, and check a policy against it."""

    def run(policy, cases, *arguments, **about):
        (folder / "truth.json").write_text(json.dumps({**about, "cases": cases}))
        return assay("policy", "check", policy, "--ground-truth", "truth.json", *arguments)

    return run


def test_all_verdicts_of_the_example_follow_from_its_policy(assay):
    done = assay("policy", "check", "G1_allergy_V2", "--ground-truth", TRUTH)
    assert done.code == 0
    assert "40 of 40 true verdicts follow from the rules" in done.out
    assert "do not follow" not in done.out


def test_those_that_do_not_follow_are_listed(check):
    cases = {
        "a": {"verdict": "Low Risk", "findings": []},
        "b": {"verdict": "Low Risk", "findings": [SEVERE]},
        "c": {"verdict": "Awful", "findings": []},
    }
    done = check("G1_allergy_V2", cases)
    assert done.code == 0
    assert "1 of 3 true verdicts follow from the rules" in done.out
    for line in (
        f"b     Low Risk  Critical Risk  {CRITICAL} (SCORE = 15)",
        "c     Awful     Low Risk       else -> Low Risk (SCORE = 0)",
    ):
        assert line in done.out
    found = json.loads(check("G1_allergy_V2", cases, "--json").out)
    assert (found["n_cases"], found["n_following"]) == (3, 1)
    assert [(each["case"], each["derived"], each["reason"]) for each in found["differing"]] == [
        (
            "b",
            "Critical Risk",
            f"the rule '{CRITICAL}' leads to 'Critical Risk' at a score of 15",
        ),
        ("c", "Low Risk", "'Awful' is not on the scale"),
    ]


@pytest.mark.parametrize("name", [each for each in known_policies() if bundled(each).rules])
def test_every_bundled_policy_with_rules_is_checked(check, name):
    last = bundled(name).rules[-1].verdict
    other = next(each for each in bundled(name).verdicts if each != last)
    cases = {"quiet": {"verdict": last, "categories": ""}, "x": {"verdict": other}}
    done = check(name, cases, "--k", "50", "--json")
    found = json.loads(done.out)
    assert (found["policy"]["id"], found["k"], found["n_following"]) == (name, 50, 1)
    assert [each["case"] for each in found["differing"]] == ["x"]


@pytest.mark.parametrize("name", [each for each in known_policies() if not bundled(each).rules])
def test_a_scale_has_no_rules_to_follow_from(check, name):
    done = check(name, {"a": {"verdict": "x"}})
    assert (done.code, done.out) == (1, "")
    assert f"the policy '{name}' has no rules, so no verdict follows from them" in done.err


@pytest.mark.parametrize("name", ["G1_alergy_V2", "G1_allergy_V22", "G1_allergy"])
def test_a_misspelt_policy_is_refused_with_the_nearest_names(assay, check, name):
    done = check(name, {"a": {"verdict": "Low Risk"}})
    assert done.code == 1
    assert f"there is no policy named '{name}'" in done.err
    assert "the nearest are G1_allergy_V" in done.err
    results = str(VERDICTS_FOLDER / "direct.json")
    done = assay("verdicts", results, "--ground-truth", TRUTH, "--policy", name)
    assert done.code == 1
    assert "the nearest are G1_allergy_V" in done.err


def test_ages_come_from_the_sources_and_keys_may_be_ones_own(check, folder):
    severe = {"clause": "s1", "field": "incident_severity", "value": "severe"}
    cases = {"a": {"verdict": "Critical Risk", "findings": [severe], "categories": "Italian"}}
    done = check("G1_allergy_V4", cases, "--map", "clause=source_id", k=200)
    assert "0 of 1 true verdict follows from the rules" in done.out
    assert "the date of 's1' is not known" in done.out
    sources = [{"case_id": "a", "clause": "s1", "text": "...", "date": "2021-06-01"}]
    (folder / "sources.json").write_text(json.dumps(sources))
    arguments = ("--sources", "sources.json", "--map", "clause=source_id")
    done = check("G1_allergy_V4", cases, *arguments, k=200)
    assert "1 of 1 true verdict follows from the rules" in done.out


def test_what_the_truth_leaves_open_is_said(check):
    cases = {"a": {"verdict": "Low Risk", "findings": [{"source_id": "s1", "level": 3}]}}
    done = check("G1_allergy_V2", cases, policy_id="other")
    assert "it says that it is about other" in done.out
    assert "'level' is not read (1), finding has no value (1)" in done.out
    none = check("G1_allergy_V2", {"a": {"verdict": "Low Risk"}})
    assert "no finding says anything about INCIDENT_SEVERITY" in none.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--map", "clause"), 1, "--map must be a key of the files"),
        (("--map", "clause=source_id"), 1, "--map names the key 'clause', which none of the files"),
        (("--k", "0"), 2, "0 is below 1"),
    ],
)
def test_misuse_is_named_as_the_command_spells_it(check, arguments, code, said):
    done = check("G1_allergy_V2", {"a": {"verdict": "Low Risk"}}, *arguments)
    assert done.code == code
    assert said in done.err
