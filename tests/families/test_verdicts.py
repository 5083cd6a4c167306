"""Verdicts on the one pipeline: edge inputs, version 1, side files, what is registered."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import stored
from assay.artifact import encode
from assay.derive.policies import Policy
from assay.errors import ArtifactError, UsageError
from assay.families.family import Given
from assay.families.verdicts import FAMILY
from assay.families.verdicts.counts import COUNTS, DERIVED
from assay.families.verdicts.inputs import READERS
from assay.families.verdicts.options import PRESETS, VerdictOptions
from assay.families.verdicts.seed_files import results_file
from assay.inference import Plan
from assay.pipeline import evaluate
from assay.registry import METRICS, metric
from assay.report.page import page
from assay.report.presenters import summary
from assay.report.tables import tables
from assay.sources.policy import PolicySource, scale_policy
from assay.stored import fault as whole_fault
from tests.families.verdict_files import evidence, incident, result, sources, truth
from tests.golden import commands
from tests.golden.test_golden import settled
from tests.report.views import printed

SCALE = ("Low Risk", "High Risk", "Critical Risk")
DRAWN = Plan(n_resamples=25)
FILES = {
    "results": ["direct.json"],
    "ground_truth": ["ground_truth.json"],
    "sources": ["reviews.jsonl"],
}
PAIR = {**FILES, "results": ["direct.json", "checked.json"]}


def house(read, plan=DRAWN, preset="default", **options):
    """Evaluate on the pipeline."""
    chosen = VerdictOptions(preset=preset, **options)
    return evaluate(FAMILY, Given(read, chosen, plan), created_at="")


def upgraded(old):
    """Return an artifact of version 1 as version 2, checked by its records, as plain JSON."""
    return plain(msgspec.convert(FAMILY.upgrade(old), FAMILY.artifact))


def plain(artifact):
    return json.loads(encode(artifact))


def whole(read, plan=DRAWN, preset="default", **options):
    """Evaluate, and see that everything fits together and can be written and taken back."""
    found = house(read, plan, preset, **options)
    assert (whole_fault(found), [*FAMILY.faults(found)]) == (None, [])
    assert stored.decode(stored.encode(found)) == found
    for system, results in zip(found.systems, read["results"], strict=True):
        again = json.loads(encode(results_file(system, results, preset=preset, composite=True)))
        assert again["results"] == [*results.cases.values()]
    return found


def test_an_artifact_of_version_1_is_read_with_everything_in_it():
    path = commands.VERSION_1 / "verdicts_pair.json.gz"
    old = json.loads(gzip.decompress(path.read_bytes()))
    read = stored.read_artifact(str(path))
    assert plain(read) == upgraded(old)
    with commands.inputs():
        new = house(PAIR, Plan(n_resamples=50, seed=7, method="percentile"))
    expected = plain(read)["systems"]
    found = plain(new)["systems"]
    for old, own in zip(expected, found, strict=True):
        # Passages and an advice that came later, and words that were said of one domain.
        own["parts"]["audit"] = [{**each, "nearest": None} for each in own["parts"]["audit"]]
        own["parts"]["diagnosis"] = [
            each for each in own["parts"]["diagnosis"] if each["symptom"] != "low macro F1"
        ]
        for label, counted in old["parts"]["counted"].items():
            told = own["parts"]["counted"][label]
            counted |= {"what": told["what"], "population": told["population"]}
        numbers = own["variants"][""]["numbers"]
        # Numbers that came later, and a convention that some were given.
        own["variants"][""]["numbers"] = {
            label: {**numbers[label], "options": number["options"]}
            for label, number in old["variants"][""]["numbers"].items()
        }
    assert settled(expected, found) == expected


def several(n=6):
    """Return three systems that miss other cases each; the last answers in texts and errors."""
    cases = {str(i): truth(SCALE[i % 3], incident("r1"), incident("r2")) for i in range(n)}
    first = [result(str(i), SCALE[i % 2], evidence("r1"), risk=i) for i in range(n - 1)]
    second = [result(str(i), SCALE[i % 3], evidence("r2"), risk=i) for i in range(1, n)]
    third = [{"business_id": str(i), "response": "?"} for i in range(n - 2)]
    third += [{"business_id": str(n - 2), "error": "timeout"}, result("other", "High Risk")]
    return (first, second, third), cases


STEPS = PolicySource(Policy(id="p", verdicts=("1", "2", "3", "4"), steps=(1, 3)), "here", "")
ROUND = [str(n % 4 + 1) for n in range(8)]
QUOTED = {"a": {"r1": "The soup was cold.", "r2": "Fine."}, "b": {"r1": "Good."}}
EDGES = {
    "one case": lambda: sources([result("a")], {"a": truth()}),
    "nothing scored": lambda: sources([{"business_id": "a", "response": "?"}], {"a": truth()}),
    "only errors": lambda: sources([{"business_id": "a", "error": "x"}], {"a": truth()}),
    "three systems": lambda: sources(*several()),
    "two files that are the same": lambda: sources(([result("a")],) * 2, {"a": truth()}),
    "no rules": lambda: sources(*several(), policy="risk"),
    "quotations": lambda: sources(
        [
            result("a", "High Risk", evidence("r1", snippet="soup was"), evidence("r9")),
            result("b", "Low Risk", evidence("r1", "severe", snippet="soup was"), risk=3),
            result("c", "Low Risk", evidence(None, snippet="nowhere"), rule="else -> Low Risk"),
        ],
        {case: truth("Low Risk", incident("r1")) for case in "abc"},
        QUOTED,
    ),
    "some steps of a scale": lambda: sources(
        tuple(
            [result(str(n), ROUND[n - late], risk=(n * 5 + late) % 7) for n in range(late, 8)]
            for late in (0, 1)
        ),
        {str(n): truth(verdict) for n, verdict in enumerate(ROUND)},
        policy=STEPS,
    ),
    "a scale of two": lambda: sources(
        [result("a", "no", risk=1), result("b", "yes")],
        {"a": truth("no"), "b": truth("yes")},
        policy=scale_policy(["no", "yes"]),
    ),
}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("plan", [DRAWN, Plan(n_resamples=0)], ids=["drawn", "not drawn"])
@pytest.mark.parametrize("edge", EDGES)
def test_edge_inputs_give_a_whole_artifact(edge, plan, preset):
    read = EDGES[edge]()
    found = whole(read, plan, preset)
    assert len(found.systems) == len(read["results"])
    assert len(found.pairs) == len(read["results"]) - 1
    drawn = [n.interval for s in found.systems for n in s.variants[""].numbers.values()]
    assert plan.n_resamples or not any(drawn)


@pytest.mark.parametrize(
    "chosen",
    [
        {"positive": "low"},
        {"recall_over": "structured", "judged_over": "all"},
        {"classes": "all", "k": 50},
        {"rank_scores": "mixed", "snippets": "words", "not_answered": "leave-out"},
    ],
)
def test_every_choice_is_on_record(chosen):
    plan = Plan(n_resamples=25, method="bca", level=0.8)
    found = whole(EDGES["three systems"](), plan, **chosen)
    assert {name: found.conventions[name] for name in chosen} == chosen
    assert (found.resampling.method, found.resampling.level) == ("bca", 0.8)


@pytest.mark.parametrize("preset", PRESETS)
@given(data=st.data())
def test_random_inputs_give_a_whole_artifact(preset, data):
    ids = [str(number) for number in range(data.draw(st.integers(2, 7)))]
    reviews = st.sampled_from(["r1", "r2", "r3"])
    verdict = st.sampled_from([*SCALE, "critical risk", None])

    def answers():
        return [
            result(
                case,
                data.draw(verdict),
                *(evidence(each) for each in data.draw(st.lists(reviews, max_size=2))),
                rule=data.draw(st.sampled_from([None, "else -> Low Risk"])),
                risk=data.draw(st.none() | st.integers(0, 9)),
            )
            for case in [ids[0], *data.draw(st.sets(st.sampled_from(ids[1:])))]
        ]

    cases = {
        case: truth(data.draw(st.sampled_from(SCALE)), incident(data.draw(reviews))) for case in ids
    }
    found = whole(sources((answers(), answers()), cases), Plan(n_resamples=5), preset)
    for system in found.systems:
        for number in system.variants[""].numbers.values():
            assert (number.value is None) == (number.reason is not None)
            assert number.value is None or 0 <= number.value <= 1


def test_pairs_are_on_all_cases_that_were_asked():
    cases = {str(i): truth("High Risk", incident("r1")) for i in range(4)}
    left = [result(str(i), "High Risk", evidence("r1")) for i in range(3)]
    right = [result(str(i), "High Risk", evidence("r1" if i else "x")) for i in range(2)]
    found = house(sources((left, right), cases))
    (pair,) = found.pairs
    recall = pair.deltas[""]["evidence_recall"]
    assert pair.counts == {"n_common": 4}
    assert (recall.left, recall.right) == (3 / 4, 1 / 4)
    assert found.systems[0].variants[""].numbers["evidence_recall"].value == 3 / 4
    # Left out: case 2 was answered by one of them, case 3 by none.
    (pair,) = house(sources((left, right), cases), not_answered="leave-out").pairs
    assert (pair.deltas[""]["evidence_recall"].left, pair.counts["n_common"]) == (2 / 3, 3)
    words = {(each.word, each.word_reason) for each in pair.deltas[""].values()}
    assert words == {(None, "cases that were not answered are left out, so failing may pay")}


def test_a_third_file_changes_nothing_between_the_first_two():
    (first, second, third), cases = several()
    two, three = (house(sources(rows, cases)) for rows in ((first, second), (first, second, third)))
    for label, of_two in two.pairs[0].deltas[""].items():
        of_three = three.pairs[0].deltas[""][label]
        for each in ("left", "right", "delta", "interval", "p_value"):
            assert getattr(of_two, each) == getattr(of_three, each), label


def test_numbers_by_verdict_are_compared_too():
    cases = {str(i): truth("High Risk" if i < 3 else "Low Risk") for i in range(4)}
    left = [result(str(i), "High Risk" if i < 1 else "Low Risk") for i in range(4)]
    right = [result(str(i), "High Risk" if i < 2 else "Low Risk") for i in range(4)]
    (pair,) = house(sources((left, right), cases)).pairs
    recall = pair.deltas[""]["class_recall@1.00"]
    assert (recall.left, recall.right) == (1 / 3, 2 / 3)
    assert recall.delta == pytest.approx(1 / 3)


def test_some_steps_make_one_area_of_merged_verdicts():
    """The one step asks for 3 against 1 and 2; over the whole scale 2 is not above 1."""
    policy = PolicySource(Policy(id="p", verdicts=("1", "2", "3"), steps=(2,)), "here", "")
    rows = [result(str(n), str(n + 1), risk=risk) for n, risk in enumerate((2, 1, 3))]
    cases = {str(n): truth(str(n + 1)) for n in range(3)}
    found = house(sources((rows, rows), cases, policy=policy))
    assert found.systems[0].variants[""].numbers["ordinal_auprc"].value == 1.0
    assert found.pairs[0].deltas[""]["ordinal_auprc"].right == 1.0


def test_the_counts_are_the_ones_that_are_explained():
    rows = [
        result("a", "High Risk", evidence("r1"), rule="SCORE >= 3 -> High Risk", risk=2),
        {"business_id": "b", "response": "?"},
        {"business_id": "c", "error": "timeout"},
        result("x"),
    ]
    cases = {case: truth("Low Risk", incident("r1")) for case in "abcd"}
    variant = house(sources(rows, cases)).systems[0].variants[""]
    assert [*variant.counts] == [*COUNTS, *DERIVED]
    page = Path("docs/verdicts.md").read_text(encoding="utf-8")
    assert [name for name in variant.counts if f"| `{name}` | results " not in page] == [
        *("n_asked", "n_answered", "n_failed", "n_unscored", "n_samples", "n_missing"),
    ]
    assert [name for name in variant.counts if f"| `{name}` |" not in page] == []
    expected = {"n_asked": 4, "n_answered": 1, "n_failed": 3, "n_unscored": 1}
    expected |= {"n_samples": 4, "n_structured": 2, "n_unstructured": 1, "n_error": 1}
    expected |= {"n_with_gt": 3, "n_without_gt": 1, "n_missing": 1, "n_scored": 1, "n_ranked": 1}
    expected |= {"n_without_verdict": 1, "n_ruled": 1, "n_consistent": 1, "n_without_rule": 1}
    assert {name: variant.counts[name] for name in expected} == expected
    assert (variant.n_rows, variant.about["ranked_by"]) == (5, "rank_score")
    plain_scale = house(sources(rows, cases, policy="risk")).systems[0].variants[""]
    assert [*plain_scale.counts] == [*COUNTS]
    assert plain_scale.about["not_derived"] == "the policy risk has no rules"


def test_a_metric_that_is_registered_is_seen_everywhere():
    def unmatched_share(n_claimed, n_matched, *, weight=None):
        """Share of claims that the truth does not have."""
        drawn = weight.rows()
        return 1 - drawn @ n_matched / (drawn @ n_claimed)

    unmatched_share.__module__ = "assay.metrics.verdicts.unmatched"
    kept = dict(METRICS)
    try:
        metric(better="lower", bounds=(0.0, 1.0))(unmatched_share)
        cases = {case: truth("Low Risk", incident("r1")) for case in "abc"}
        left = [result(case, "Low Risk", evidence("r1"), evidence("r2")) for case in "abc"]
        right = [result(case, "Low Risk", evidence("r1")) for case in "abc"]
        found = house(sources((left, right), cases))
        said = summary(found)
    finally:
        METRICS.clear()
        METRICS.update(kept)
    assert found.metrics["unmatched_share"].title == "Share of claims that the truth does not have"
    assert [s.variants[""].numbers["unmatched_share"].value for s in found.systems] == [0.5, 0.0]
    assert found.pairs[0].deltas[""]["unmatched_share"].delta == -0.5
    assert stored.decode(encode(found)) == found
    assert "unmatched_share" not in printed(said)
    full = printed(said, detail="full")
    both, difference = [line for line in full.splitlines() if line.startswith("unmatched_share ")]
    assert "-0.5000" in both
    assert "0.5000" in difference
    assert "unmatched_share,lower,r1.json,0.0000" in tables(said, "csv", "full")
    assert page([found]).count(b"unmatched_share") > 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda s: s["parts"]["confusion"].pop(), "parts.confusion` is not a table of 3 by 3"),
        (lambda s: s["parts"]["counted"].pop("macro_f1"), "parts.counted` lacks `macro_f1`"),
        (lambda s: s["variants"][""]["counts"].pop("n_derived"), "counts` lacks `n_derived`"),
        (lambda s: s["variants"][""]["about"].clear(), "about` lacks `ranked_by`"),
        (lambda s: s["variants"][""]["numbers"].pop("macro_f1"), "numbers` lacks `macro_f1`"),
        (
            lambda s: s["variants"][""]["numbers"].pop("threshold_auprc@1.00"),
            "numbers` lacks `threshold_auprc@1.00`",
        ),
        (
            lambda s: s["variants"][""]["numbers"].pop("class_f1@2.00"),
            "numbers` lacks `class_f1@2.00`",
        ),
        (lambda s: s["variants"].update(x=s["variants"].pop("")), "other names than the empty"),
        (lambda s: s["parts"]["snippets"]["modes"].clear(), "modes` lacks `normalized`"),
        (
            lambda s: s["parts"]["thresholds"][0]["curve"]["score"].append(0.0),
            "has 4 of `score` and 3 points of `recall`",
        ),
    ],
)
def test_an_edited_artifact_that_does_not_fit_together_is_refused(tmp_path, change, said):
    rows = [result(case, SCALE[n], risk=n) for n, case in enumerate("abc")]
    cases = {case: truth(SCALE[n]) for n, case in enumerate("abc")}
    held = plain(house(sources(rows, cases, {case: {"r1": "x"} for case in "abc"})))
    change(held["systems"][0])
    path = tmp_path / "a.json"
    path.write_text(json.dumps(held))
    with pytest.raises(ArtifactError, match="does not fit together") as error:
        stored.read_artifact(str(path))
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ({"results": []}, "there are no results to evaluate"),
        ({"ground_truth": []}, "found 0 of `ground_truth` where one is needed"),
        ({"ground_truth": ["a.json"] * 2}, "found 2 of `ground_truth` where one is needed"),
        ({"sources": [None] * 2}, "found 2 of `sources` where one at most can be used"),
    ],
)
def test_a_role_has_as_many_files_as_it_can_use(roles, said):
    read = sources([result("a")], {"a": truth()})
    given_roles = {role: [read["results"][0] for _ in of] for role, of in roles.items()}
    with pytest.raises(UsageError) as error:
        house({**read, **given_roles})
    assert said in str(error.value)


def test_a_file_name_that_is_not_utf_8_can_be_written_down():
    read = sources([result("a")], {"a": truth()})
    named = replace(read["results"][0], path="x/\udce4.json")
    found = plain(house({**read, "results": [named]}))
    assert found["systems"][0]["name"] == "\\udce4.json"
    assert found["inputs"][0]["path"] == "x/\\udce4.json"


def test_files_and_systems_without_a_common_case_are_refused():
    read = sources(([result("a")], [result("b")]), {"a": truth(), "b": truth()})
    with pytest.raises(ArtifactError, match="no case with ground truth in common"):
        house(read, not_answered="leave-out")
    assert house(read).pairs[0].counts == {"n_common": 2}
    with pytest.raises(ArtifactError, match=r"r0\.json and truth\.json have no case in common"):
        house(sources([result("a")], {"b": truth()}))


def test_names_of_the_caller_are_the_names_of_the_systems():
    read = sources(([result("a")], [result("a")]), {"a": truth()})
    chosen = Given(read, VerdictOptions(), DRAWN, names=["old", "new"])
    found = evaluate(FAMILY, chosen, created_at="")
    assert [each.name for each in found.systems] == ["old", "new"]


def test_every_file_that_is_read_has_a_role():
    assert [role.name for role in FAMILY.roles] == [*READERS]
    assert [role.name for role in FAMILY.roles if role.required] == ["results", "ground_truth"]
