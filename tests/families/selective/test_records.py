"""The artifact: complete, strict, ordered, and described by its schema."""

from __future__ import annotations

import json
from importlib.metadata import version

import jsonschema
import pytest

from assay import _kernels as kernels
from assay import stored
from assay.demo import DEMO_PATH
from assay.errors import ColumnError
from assay.inference import Plan
from assay.registry import METRICS
from assay.sources import read_run
from tests.families.selective import examples
from tests.families.selective.examples import evaluated, only_variant
from tests.item_tables import items_from_arrays
from tests.selective_artifacts import WHEN, strict

MODES = ("zero_shot", "few_shot")
SCHEMA = json.loads(stored.schema())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture(scope="module")
def single():
    given = read_run(DEMO_PATH, mode="few_shot")
    return evaluated(given, loss="abs", coverage_grid=(0.1, 0.5), plan=Plan(n_resamples=30))


@pytest.fixture(scope="module")
def paired():
    tables = [read_run(DEMO_PATH, mode=mode) for mode in MODES]
    return evaluated(*tables, loss="abs", coverage_grid=(0.1, 0.9), plan=Plan(n_resamples=30))


def test_one_system_has_every_key_of_the_documented_example(single):
    assert single["schema_version"] == "2"
    assert single["created_at"] == WHEN
    assert {"path", "run_id", "git_commit", "mode"} <= single["inputs"][0].keys()
    assert {
        "participants_included",
        "participants_failed",
        "participants_total",
        "items_total",
        "items_predicted",
        "cmax",
    } <= single["population"].keys()
    assert {"name", "definition", "raw_multiplier"} <= single["loss"].keys()
    assert list(single["confidence_variants"]) == ["llm", "total_evidence"]
    variant = single["confidence_variants"]["llm"]
    assert {
        "cmax",
        "aurc_full",
        "augrc_full",
        "aurc_at_coverage",
        "augrc_at_coverage",
        "mae_grid",
        "bootstrap",
    } <= variant.keys()
    assert variant["mae_grid"]["0.10"].keys() == {"requested", "achieved", "value"}
    assert {"cmax", "aurc_full"} <= variant["bootstrap"]["ci95"].keys()
    assert single["comparison"] == {
        "enabled": False,
        "intersection_only": False,
        "deltas": None,
        **dict.fromkeys(
            (
                "participants_left_only",
                "participants_right_only",
                "overlap_total",
                "overlap_included",
                "failed_left",
                "failed_right",
            )
        ),
        "pairs": [],
    }


def test_one_system_has_every_key_of_the_reference_program(single):
    variant = single["confidence_variants"]["llm"]
    assert {
        "aurc_at_c",
        "augrc_at_c",
        "mae_at_coverage",
        "aurc_optimal",
        "augrc_optimal",
        "eaurc",
        "eaugrc",
        "aurc_achievable",
        "interpretation",
        "bootstrap",
        "curve",
    } <= variant.keys()
    assert variant["bootstrap"].keys() == {"seed", "n_resamples", "ci95", "drop_rate"}
    assert {"coverage", "selective_risk", "generalized_risk", "threshold"} <= (
        variant["curve"].keys()
    )
    assert variant["aurc_at_c"].keys() == {"requested", "used", "value"}


def test_both_spellings_hold_the_same_numbers(single):
    for variant in single["confidence_variants"].values():
        value = {label: scalar["value"] for label, scalar in variant["metrics"].items()}
        assert variant["aurc_full"] == value["aurc"]
        assert variant["augrc_full"] == value["augrc"]
        for name in ("cmax", "aurc_optimal", "augrc_optimal", "eaurc", "eaugrc", "aurc_achievable"):
            assert variant[name] == value[name]
        for name in ("aurc", "augrc"):
            assert variant[f"{name}_at_coverage"] == value[f"{name}_at_coverage"]
            assert variant[f"{name}_at_c"]["value"] == value[f"{name}_at_coverage"]
        assert variant["mae_grid"] == variant["mae_at_coverage"]
        for at, point in variant["mae_grid"].items():
            assert point["requested"] == float(at)
            assert point["value"] == value[f"risk_at_coverage@{at}"]
            assert point["achieved"] == value[f"achieved_coverage@{at}"]
        assert variant["interpretation"] == {
            "aurc_gap_pct": value["aurc_gap_pct"],
            "augrc_gap_pct": value["augrc_gap_pct"],
            "achievable_gain_pct": value["aurc_achievable_gain_pct"],
        }


def test_differences_have_the_older_names_too_where_earlier_programs_look(paired):
    for deltas in paired["comparison"]["deltas"].values():
        assert deltas["aurc_full"] == deltas["aurc"]
        assert deltas["augrc_full"] == deltas["augrc"]
        assert {"delta", "ci95"} <= deltas["cmax"].keys()
    (pair,) = paired["comparison"]["pairs"]
    assert "aurc_full" not in pair["deltas"]["llm"]


def test_the_older_intervals_are_percentiles_whatever_those_of_the_numbers_are(single):
    variant = single["confidence_variants"]["llm"]
    metrics, bootstrap = variant["metrics"], variant["bootstrap"]
    named = {"aurc_full": "aurc", "augrc_at_c": "augrc_at_coverage", "eaurc": "eaurc"}
    for old, ours in named.items():
        assert bootstrap["ci95"][old] == metrics[ours]["percentile_interval"]
        assert bootstrap["ci95"][old] != metrics[ours]["interval"]
        assert bootstrap["drop_rate"][old] == metrics[ours]["n_undefined"] / 30
    risks = {
        at: metrics[f"risk_at_coverage@{at}"]["percentile_interval"] for at in ("0.10", "0.50")
    }
    assert bootstrap["ci95"]["mae_at_coverage"] == risks
    assert (bootstrap["seed"], bootstrap["n_resamples"]) == (42, 30)


def test_intervals_of_another_level_are_not_called_95():
    artifact = evaluated(examples.table(), examples.table(1), plan=Plan(n_resamples=20, level=0.8))
    variant = only_variant(artifact, 0)
    assert variant["bootstrap"]["ci95"] == {}
    assert variant["metrics"]["aurc"]["interval"] is not None
    (deltas,) = artifact["comparison"]["deltas"].values()
    assert deltas["aurc"]["interval"] is not None
    assert deltas["aurc"]["ci95"] is None
    assert artifact["resampling"]["level"] == 0.8


def test_truncation_says_how_far_the_curve_went():
    given = examples.table(4, answering=0.4)
    variant = only_variant(evaluated(given, area_coverage=0.9))
    assert variant["aurc_at_c"] == {
        "requested": 0.9,
        "used": variant["cmax"],
        "value": variant["aurc_full"],
    }


def test_every_applicable_metric_is_in_the_artifact(single):
    found = {
        scalar["metric"] for scalar in single["confidence_variants"]["llm"]["metrics"].values()
    }
    columns = {"loss", "confidence", "answered"}
    known = {name for name, each in METRICS.items() if columns.issuperset(each.columns)}
    asked_for = {name for name in known if "threshold" in METRICS[name].options}
    assert known - asked_for <= found
    assert not asked_for & found
    assert single["failure_rate"][0]["metric"] == "failure_rate"


def test_operating_points_are_in_the_artifact_where_thresholds_are_given():
    variant = only_variant(evaluated(examples.table(), threshold=(0.5, 0.25)))
    for name in ("coverage_at_threshold", "risk_at_threshold", "generalized_risk_at_threshold"):
        for at in ("0.50", "0.25"):
            assert variant["metrics"][f"{name}@{at}"]["options"] == {"threshold": float(at)}


def test_a_curve_hands_over_what_it_does_not_accept(single):
    curve = single["confidence_variants"]["llm"]["curve"]
    total = single["population"]["items_total"]
    both = zip(curve["n_accepted"], curve["n_handed_over"], strict=True)
    assert {accepted + handed for accepted, handed in both} == {total}


def test_a_comparison_keeps_the_numbers_of_each_side(paired):
    assert paired["kind"] == "selective"
    assert list(paired["confidence_variants"]["llm"]) == ["input_0", "input_1"]
    assert [each["mode"] for each in paired["inputs"]] == list(MODES)
    assert [each["population"]["participants_included"] for each in paired["inputs"]] == [39, 40]
    assert paired["population"]["participants_included"] == 39
    assert {
        "enabled",
        "intersection_only",
        "deltas",
        "participants_left_only",
        "participants_right_only",
        "overlap_total",
        "overlap_included",
        "failed_left",
        "failed_right",
    } <= paired["comparison"].keys()


def test_the_source_of_every_number_is_on_record(single):
    (source,) = single["inputs"]
    assert source["path"] == str(DEMO_PATH)
    assert source["format"] == "run"
    assert len(source["sha256"]) == 64
    assert source["git_commit"] == "synthetic"
    assert single["tool"] == {
        "name": "assay",
        "version": version("assay"),
        "kernels": kernels.ENGINE,
    }
    assert single["resampling"]["unit"] == "participant"
    assert single["resampling"]["n_units"] == 40


def test_the_engine_that_ran_is_recorded(engine):
    assert evaluated(examples.table())["tool"]["kernels"] == engine


def test_every_choice_is_recorded():
    conventions = evaluated(examples.table(), preset="item-step")["conventions"]
    assert conventions["preset"] == "item-step"
    assert conventions["area"] == "step"
    assert conventions["ties"] == "row order (participant, item)"
    assert conventions["matched_coverage"] == "ceil"
    assert conventions["coverage_grid"] == list(examples.GRID)
    assert conventions["total_evidence"] == "llm"


def test_the_four_states_are_counted_apart():
    given = items_from_arrays(
        participant=[1, 1, 2, 2, 3, 4],
        item=["a", "b", "a", "b", "a", "a"],
        prediction=[1, None, None, None, 2, 1],
        truth=[1, 2, 0, None, 1, None],
        confidence=[1, 0, 0, 0, 1, 1],
        success=[True, True, True, True, False, True],
    )
    assert evaluated(given)["population"] == {
        "participants_total": 4,
        "participants_included": 2,
        "participants_failed": 1,
        "participants_unscored": 1,
        "participants_without_prediction": 1,
        "items_total": 3,
        "items_predicted": 1,
        "items_abstained": 2,
        "items_unscored": 2,
        "cmax": 1 / 3,
    }


def test_truths_that_differ_between_inputs_are_refused():
    left = items_from_arrays(participant=[1, 2], prediction=[1, 1], truth=[1, 2], confidence=[1, 2])
    right = items_from_arrays(
        participant=[1, 2], prediction=[1, 1], truth=[1, 3], confidence=[1, 2]
    )
    told = "participant 2, item 1 has the truth 3, and arrays has the truth 2"
    with pytest.raises(ColumnError, match=told):
        evaluated(left, right)


@pytest.mark.parametrize("name", ["single", "paired"])
def test_the_artifact_is_valid_under_its_schema(name):
    modes = {"single": ["few_shot"], "paired": MODES}[name]
    tables = [read_run(DEMO_PATH, mode=mode) for mode in modes]
    VALIDATOR.validate(strict(examples.encoded(*tables, plan=Plan(n_resamples=9))))


@pytest.mark.parametrize(
    "plan", [Plan(n_resamples=0), Plan(n_resamples=9, method="bca"), Plan(9, level=0.5)]
)
def test_unusual_artifacts_are_valid_too(plan):
    silent = examples.table(answering=0.0)
    for tables in ([silent], [silent, examples.table(1), examples.table(2)]):
        VALIDATOR.validate(strict(examples.encoded(*tables, plan=plan)))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda artifact: artifact["parts"].pop("loss"), "is not valid"),
        (lambda artifact: artifact.update(extra=1), "is not valid"),
        (
            lambda artifact: artifact["systems"][0]["parts"]["population"].update(items_total="x"),
            "is not valid",
        ),
        (lambda artifact: artifact["tool"].update(kernels="steam"), "is not valid"),
    ],
)
def test_the_schema_refuses_what_is_not_an_artifact(change, complaint):
    artifact = strict(examples.encoded(examples.table()))
    VALIDATOR.validate(artifact)
    change(artifact)
    with pytest.raises(jsonschema.ValidationError, match=complaint):
        VALIDATOR.validate(artifact)


def test_the_same_inputs_give_the_same_bytes_in_the_declared_order():
    given = examples.table()
    data = examples.encoded(given)
    assert data == examples.encoded(given)
    assert list(json.loads(data)) == [
        "kind",
        "schema_version",
        "tool",
        "engine",
        "created_at",
        "command",
        "inputs",
        "conventions",
        "resampling",
        "warnings",
        "metrics",
        "systems",
        "pairs",
        "cases",
        "parts",
        "population",
        "loss",
        "confidence_variants",
        "comparison",
    ]


def test_no_number_is_rounded_on_the_way_to_the_file(single):
    assert json.loads(json.dumps(single)) == single
    assert single["confidence_variants"]["llm"]["cmax"] == single["population"]["cmax"]
    assert single["population"]["cmax"] == single["population"]["items_predicted"] / 320
