"""Policies from files: those that come along, those of a user, and what is refused."""

from __future__ import annotations

import json

import pytest

from assay.derive.conclusions import conclude
from assay.derive.evidence import claims_of
from assay.derive.policies import ordinal
from assay.errors import ArtifactError, UsageError
from assay.sources.policy import bundled_policy, known_policies, read_policy

MINIMAL = {
    "policy": "mine",
    "title": "Mine",
    "verdicts": ["Bad", "Good"],
    "direction": {"low": "bad", "high": "good"},
}
RISK = ("Low Risk", "High Risk", "Critical Risk")
QUALITY = ("Needs Improvement", "Satisfactory", "Excellent")


def written(tmp_path, name="policy.json", **parts):
    path = tmp_path / name
    path.write_text(json.dumps({**MINIMAL, **parts}))
    return str(path)


# Those that come along


@pytest.mark.parametrize("name", known_policies())
def test_bundled_policy_is_sound_and_carries_its_name(name):
    found = read_policy(name)
    assert found.policy.id == name
    assert found.path == f"bundled: {name}"
    assert len(found.sha256) == 64
    assert found.policy.adverse in found.policy.verdicts


@pytest.mark.parametrize(
    ("name", "verdicts"),
    [
        ("G1_hygiene_V2", RISK),
        ("G2_business_V3", ("Not Recommended", "Acceptable", "Recommended")),
        ("G3_price_worth_V4", ("Poor Value", "Fair Value", "Good Value")),
        ("G3_hidden_costs_V1", RISK),
        ("G3_time_value_V2", ("Not Worth Waiting", "Worth Waiting", "Definitely Worth Waiting")),
        ("G4_server_V1", QUALITY),
        ("G5_capacity_V1", QUALITY),
        ("G6_uniqueness_V1", ("Generic", "Differentiated", "Highly Unique")),
        ("G6_comparison_V2", ("Weaker", "Comparable", "Stronger")),
        ("G6_loyalty_V2", ("Low Loyalty", "Moderate Loyalty", "High Loyalty")),
        ("T1P4", RISK),
        ("T2P7", ("Poor Value", "Fair Value", "Good Value")),
        ("T3P1", QUALITY),
        ("T4P2", QUALITY),
        ("T5P3", QUALITY),
        ("g1_ALLERGY_v0", RISK),
    ],
)
def test_every_topic_has_its_own_scale(name, verdicts):
    policy = read_policy(name).policy
    assert policy.verdicts == verdicts
    assert policy.id == name
    assert policy.rules == ()


def test_four_and_more_policies_are_complete_and_differ():
    complete = [read_policy(name).policy for name in known_policies()]
    complete = [policy for policy in complete if policy.rules]
    assert {policy.id for policy in complete} == {
        "G1_allergy_V2",
        "G1_allergy_V3",
        "G1_allergy_V4",
        "G2_romance_V1",
        "G2_romance_V2",
        "G3_price_worth_V2",
        "G6_uniqueness_V2",
        "T1P1",
    }
    assert len({policy.verdicts for policy in complete}) == 4
    assert {policy.scored for policy in complete} == {True, False}


def cited(*judgements):
    keys = ("review_id", "field", "judgement")
    return claims_of([dict(zip(keys, each, strict=True)) for each in judgements])


def severities(*values):
    return cited(*((f"r{at}", "incident_severity", value) for at, value in enumerate(values)))


def test_points_of_the_seed_give_its_verdicts():
    policy = read_policy("G1_allergy_V2").policy
    both = cited(("a", "INCIDENT_SEVERITY", "Moderate incident"), ("a", "ASSURANCE_CLAIM", "true"))
    assert conclude(both, policy).score == 10
    assert conclude(both, policy).verdict == "Critical Risk"
    assert conclude(severities("mild", "mild"), policy).verdict == "High Risk"
    assert conclude(severities("mild"), policy).verdict == "Low Risk"
    dismissed = cited(("a", "SEVERITY", "severe"), ("a", "STAFF_RESPONSE", "dismissive"))
    assert conclude(dismissed, policy).score == 18


def test_cuisine_and_k_matter_in_the_next_version():
    policy = read_policy("G1_allergy_V3").policy
    thai, italian = {"categories": "Thai, Bars"}, {"categories": "Italian"}
    mild = severities("mild")
    assert conclude(mild, policy, attributes=thai).score == 4
    assert conclude(mild, policy, attributes=thai).verdict == "High Risk"
    assert conclude(mild, policy, attributes=italian).verdict == "Low Risk"
    assert conclude(mild, policy, attributes=italian, k=25).verdict == "High Risk"
    assert conclude(severities("moderate", "mild"), policy, attributes=italian, k=25).score == 7
    verdicts = [
        conclude(severities("moderate", "mild"), policy, attributes=italian, k=k).verdict
        for k in (25, 50, 100, 200)
    ]
    assert verdicts == ["High Risk", "Critical Risk", "Critical Risk", "High Risk"]


@pytest.mark.parametrize("name", ["G1_allergy_V3", "G1_allergy_V4"])
def test_cuisine_adds_nothing_without_an_incident(name):
    policy = read_policy(name).policy
    about = {"k": 25, "years": {"r0": 2021.0}}
    for cuisine in ({"categories": "Thai"}, {}):
        for none in (severities(), severities("none")):
            derived = conclude(none, policy, attributes=cuisine, **about)
            assert (derived.score, derived.verdict) == (0, "Low Risk")
    told = cited(("r0", "INCIDENT_SEVERITY", "severe"), ("r0", "ACCOUNT_TYPE", "secondhand"))
    assert conclude(told, policy, attributes={"categories": "Thai"}, **about).score == 0
    for cuisine in ("Chinese, Bars", "Asian Fusion", "Pan Asian"):
        derived = conclude(severities("mild"), policy, attributes={"categories": cuisine}, **about)
        assert derived.score == 4


def test_age_matters_in_the_version_after_it():
    policy = read_policy("G1_allergy_V4").policy
    about = {"attributes": {"categories": ""}, "years": {"r0": 2021.0, "r1": 2019.5, "r2": 2015.0}}
    derived = conclude(severities("moderate", "moderate", "severe"), policy, **about)
    assert derived.score == 5 + 2.5 + 3.75
    assert derived.verdict == "Critical Risk"


def judged(n, field, value):
    return [(f"{field} {value} {at}", field, value) for at in range(n)]


# field, value, K = 25, 50, 100, any other: from how many reviews on a verdict applies
REACHED = {
    "G2_romance_V1": {
        "Recommended": [
            ("AMBIANCE_QUALITY", "excellent", (4, 7, 12, 20)),
            ("DATE_OUTCOME", "positive", (15, 30, 55, 100)),
            ("NOISE_LEVEL", "quiet", (4, 6, 10, 15)),
            ("NOISE_LEVEL", "intimate", (4, 6, 10, 15)),
        ],
        "Not Recommended": [
            ("NOISE_LEVEL", "loud", (4, 7, 12, 20)),
            ("LIGHTING_QUALITY", "harsh", (3, 5, 9, 15)),
            ("DATE_OUTCOME", "negative", (8, 15, 28, 50)),
        ],
        "Acceptable": [],
    },
    "G2_romance_V2": {
        "Recommended": [
            ("AMBIANCE_QUALITY", "excellent", (5, 9, 14, 20)),
            ("DATE_OUTCOME", "positive", (16, 33, 58, 100)),
            ("NOISE_LEVEL", "quiet", (5, 8, 12, 15)),
            ("DATE_OUTCOME", "memorable", (2, 3, 4, 5)),
            ("SERVICE_STYLE", "romantic", (2, 3, 4, 5)),
        ],
        "Not Recommended": [
            ("NOISE_LEVEL", "loud", (4, 8, 13, 20)),
            ("LIGHTING_QUALITY", "harsh", (3, 6, 10, 15)),
            ("DATE_OUTCOME", "negative", (8, 16, 28, 50)),
            ("SERVICE_STYLE", "rushed", (3, 5, 7, 10)),
        ],
        "Acceptable": [],
    },
    "G3_price_worth_V2": {
        "Good Value": [
            ("QUALITY_FOR_PRICE", "excellent", (9, 18, 35, 70)),
            ("PORTION_SIZE", "generous", (4, 8, 15, 30)),
            ("PRICE_PERCEPTION", "steal", (1, 2, 3, 5)),
        ],
        "Poor Value": [
            ("PRICE_PERCEPTION", "overpriced", (40, 40, 40, 40)),
            ("PORTION_SIZE", "small", (10, 10, 10, 10)),
            ("PRICE_PERCEPTION", "ripoff", (5, 5, 5, 5)),
            ("PORTION_SIZE", "tiny", (5, 5, 5, 5)),
        ],
        "Fair Value": [],
    },
    "G6_uniqueness_V2": {
        "Highly Unique": [
            ("DIFFERENTIATION_LEVEL", "one_of_a_kind", (4, 8, 18, 45)),
            ("SIGNATURE_ITEM", "true", (18, 38, 78, 150)),
            ("MEMORABILITY", "unforgettable", (4, 8, 18, 45)),
            ("MEMORABILITY", "memorable", (22, 44, 90, 175)),
            ("DIFFERENTIATION_LEVEL", "unique", (21, 42, 85, 160)),
        ],
        "Generic": [
            ("DIFFERENTIATION_LEVEL", "generic", (8, 14, 26, 40)),
            ("UNIQUE_ASPECT", "none", (8, 14, 26, 40)),
            ("MEMORABILITY", "forgettable", (7, 12, 24, 35)),
            ("MEMORABILITY", "average", (10, 18, 34, 50)),
        ],
        "Differentiated": [],
    },
}
KS = (25, 50, 100, 200)


@pytest.mark.parametrize("name", REACHED)
def test_a_count_reaches_its_verdict_at_its_threshold_and_not_before(name):
    policy = read_policy(name).policy
    first, second, otherwise = REACHED[name]
    assert conclude(cited(), policy, k=25).verdict == otherwise
    for verdict, conditions in REACHED[name].items():
        for field, value, reached in conditions:
            for k, n in zip(KS, reached, strict=True):
                enough, fewer = judged(n, field, value), judged(n - 1, field, value)
                assert conclude(cited(*enough), policy, k=k).verdict == verdict
                assert conclude(cited(*fewer), policy, k=k).verdict == otherwise
    both = [
        judged(n, *each) for *each, (n, *_) in (REACHED[name][first][0], REACHED[name][second][0])
    ]
    assert conclude(cited(*both[0], *both[1]), policy, k=25).verdict == first


@pytest.mark.parametrize(
    ("name", "claims", "k", "verdict"),
    [
        ("G3_price_worth_V2", judged(1, "price", "a steal"), 25, "Good Value"),
        ("G3_price_worth_V2", judged(50, "price", "good value"), 25, "Fair Value"),
        ("T1P1", [("a", "INCIDENT_SEVERITY", "severe")], None, "Critical Risk"),
        ("T1P1", [("a", "INCIDENT_SEVERITY", "moderate")], None, "High Risk"),
        (
            "T1P1",
            [("a", "INCIDENT_SEVERITY", "severe"), ("a", "ACCOUNT_TYPE", "secondhand")],
            None,
            "Low Risk",
        ),
    ],
)
def test_rules_of_every_policy_apply(name, claims, k, verdict):
    derived = conclude(cited(*claims), read_policy(name).policy, k=k)
    assert (derived.verdict, derived.reason) == (verdict, None)


def test_synonyms_of_verdicts_are_on_the_scale():
    assert ordinal("critical", read_policy("G1_allergy_V2").policy) == 2


# Names that stand for nothing


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("G1_alergy_V2", "G1_allergy_V2"),
        ("G1_allergy", "G1_allergy_V2"),
        ("G1_allergy_V2x", "G1_allergy_V2"),
        ("G3_priceworth_V2", "G3_price_worth_V2"),
        ("g6_uniquness_v2", "G6_uniqueness_V2"),
        ("G2_allergy_V2", "G1_allergy_V2"),
    ],
)
def test_a_misspelt_policy_is_refused_with_the_nearest_names(name, nearest):
    with pytest.raises(UsageError, match=f"there is no policy named '{name}'") as refused:
        read_policy(name)
    assert nearest in refused.value.hint.split("; ")[0]
    assert refused.value.hint.startswith("the nearest ")


@pytest.mark.parametrize(
    "name", ["", "nope", "G9_x_V1", "T1P", "G1 allergy", "..", "G1\n", "%2e%2e", "G1;ls"]
)
def test_unknown_policy_is_refused_with_the_known_ones(name):
    with pytest.raises(UsageError, match="there is no policy named") as refused:
        read_policy(name)
    assert "G1_allergy_V2" in refused.value.hint
    assert bundled_policy(name) is None


def test_name_with_a_separator_is_a_path():
    with pytest.raises(ArtifactError, match="cannot be read"):
        read_policy("../G1")


# Those of a user


def test_smallest_policy_is_a_scale_with_its_direction(tmp_path):
    found = read_policy(written(tmp_path))
    assert found.policy.verdicts == ("Bad", "Good")
    assert (found.policy.low_end, found.policy.high_end) == ("bad", "good")
    assert (found.policy.positive, found.policy.adverse) == ("high", None)
    assert found.path.endswith("policy.json")


def test_a_policy_without_a_title_has_its_name_and_one_without_a_direction_is_told_the_keys(
    tmp_path,
):
    path = tmp_path / "policy.yaml"
    path.write_text("policy: mine\nverdicts: [Bad, Good]\ndirection: {low: bad, high: good}\n")
    assert read_policy(str(path)).policy.title == "mine"
    path.write_text("policy: mine\nverdicts: [Bad, Good]\n")
    with pytest.raises(ArtifactError, match="missing required field 'direction'") as refused:
        read_policy(str(path))
    assert refused.value.hint.startswith("it needs policy, verdicts, direction and may have title")


def test_yaml_and_json_say_the_same(tmp_path):
    yaml = tmp_path / "policy.yml"
    yaml.write_text(
        "policy: mine\ntitle: Mine\nverdicts: [Bad, Good]\n"
        "direction: {low: bad, high: good, positive: low, adverse: Bad}\n"
        "fields: {SIZE: {values: {small: {points: 1}, large: }}}\n"
        "thresholds: {LIMIT: 3, OTHER: {default: 1, by_k: {25: 2}}}\n"
        "rules: ['SCORE > LIMIT -> Good', else -> Bad]\n"
    )
    json_file = written(
        tmp_path,
        direction={"low": "bad", "high": "good", "positive": "low", "adverse": "Bad"},
        fields={"SIZE": {"values": {"small": {"points": 1}, "large": None}}},
        thresholds={"LIMIT": 3, "OTHER": {"default": 1, "by_k": {"25": 2}}},
        rules=["SCORE > LIMIT -> Good", "else -> Bad"],
    )
    one, other = read_policy(str(yaml)).policy, read_policy(json_file).policy
    assert one.fields == other.fields
    assert one.thresholds == other.thresholds
    assert one.rules == other.rules
    assert one.positive == other.positive == "low"


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"verdicts": "Bad"}, "does not have the shape it needs"),
        ({"surprise": 1}, "unknown field 'surprise'"),
        ({"fields": {"SIZE": {"valeus": {}}}}, "unknown field 'valeus'"),
        ({"direction": {"low": "a", "high": "b", "positive": "up"}}, "does not have the shape"),
        ({"verdicts": ["Bad"]}, "the policy needs at least two verdicts, found 1"),
        ({"rules": ["SCORE >> 3 -> Good"]}, "needs a number, a name or a bracket at character 8"),
        (
            {"thresholds": {"A": {"default": 1, "by_k": {"x": 2}}}},
            "must be by numbers K, found 'x'",
        ),
        ({"rules": ["CRITICAL"]}, "has no arrow with a verdict after it"),
        (
            {"rules": ["else -> Fine"]},
            "the policy has a rule for 'Fine', which is not on its scale",
        ),
        ({"rules": ["N_X >= 1 -> Good"]}, "the policy has a rule that asks for N_X"),
    ],
)
def test_faulty_policy_is_refused_in_one_sentence(tmp_path, parts, message):
    path = written(tmp_path, **parts)
    with pytest.raises(ArtifactError, match=message) as refused:
        read_policy(path)
    assert path in str(refused.value)


def test_yaml_is_never_run(tmp_path):
    path = tmp_path / "policy.yaml"
    path.write_text("policy: !!python/object/apply:os.system ['true']\n")
    with pytest.raises(ArtifactError, match="is not valid YAML"):
        read_policy(str(path))
