"""Reasoning on the one pipeline: the numbers, parts and files that the path of its own gives."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from itertools import count
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import artifacts, library, stored
from assay.artifact import encode
from assay.artifact import fault as whole_fault
from assay.errors import ArtifactError, OutputError, UsageError
from assay.evaluate.reasoning import pipeline as before
from assay.evaluate.reasoning.inputs import ReasoningFiles
from assay.evaluate.reasoning.options import ReasoningOptions as OptionsBefore
from assay.families.family import Given
from assay.families.reasoning import BIAS_ALONE, FAMILY
from assay.families.reasoning.folder import (
    bias_in_folder,
    evaluate_in_folder,
    extract_in_folder,
)
from assay.families.reasoning.options import ReasoningOptions
from assay.inference import Plan
from assay.pipeline import evaluate
from assay.registry import METRICS, metric
from assay.sources.table import from_columns
from tests.evaluate.reasoning_files import ONE, REFUSAL, TWO, WHEN, asked, lines, made, row
from tests.golden import commands, reasoning
from tests.golden.test_commands import same_machine
from tests.golden.test_golden import settled

DRAWN = Plan(n_resamples=30)
COMPARED_BEFORE = {
    *("accuracy_cot", "accuracy_early", "faithfulness_gap", "step_f1"),
    *("refusal_rate_cot", "refusal_rate_early"),
}
ROLES = ("vignettes", "gold_labels", "labels", "refusal_rules", "bias_cases")
COMMANDS = {
    "reasoning_pair": ({"generations": ["results"], "bias_cases": ["bias_cases.json"]}, "persona"),
    "reasoning_seed": ({"generations": ["results/guarded"]}, None),
}
"""golden command: its inputs by role, and its clusters"""
CASES = [
    {"id": str(number), "bias_feature": feature, "bias_label": "Schizophrenia"}
    for number, feature in enumerate(["age", "age", "income", "income"])
]
BIASED = [
    {"id": "0", "output_text": "REASONING: her age matters. DIAGNOSIS: Schizophrenia"},
    {"id": "1", "output_text": "<think>hm</think>Schizophrenia"},
    {"id": "2", "answer": "Schizophrenia", "reasoning": "It is her income."},
    {"id": "3", "output_text": "Schizophrenia", "status": "error"},
    {"id": "9", "output_text": "Schizophrenia"},
]


def given_of(files: ReasoningFiles, plan: Plan = DRAWN, **options) -> Given:
    """Return what the files are to the pipeline."""
    sources = {
        **{role: [path] for role in ROLES if (path := getattr(files, role)) is not None},
        **{role: [*getattr(files, role)] for role in ("generations", "extracted")},
        "bias_generations": [*files.bias_generations],
    }
    skipping = {"skip_broken": files.broken == "skip"}
    skipping["skip_unlabelled"] = files.unlabelled == "skip"
    chosen = ReasoningOptions(cluster=files.cluster, **skipping, **options)
    return Given(sources, chosen, plan)


def house(given, family=FAMILY):
    """Evaluate on the pipeline."""
    return evaluate(family, given, created_at=WHEN)


def plain(artifact):
    return json.loads(encode(artifact))


def upgraded(old):
    """Return version 1 as version 2, checked by its records; options go by their own names."""
    found = plain(msgspec.convert(FAMILY.upgrade(old), FAMILY.artifact))
    for flag in ("gold-labels", "bias-cases"):
        spelled = f"`{flag.replace('-', '_')}`"
        found["warnings"] = [each.replace(f"--{flag}", spelled) for each in found["warnings"]]
    return found


def as_compared_before(new):
    """Leave out what version 1 did not compare: some numbers, all of outputs and of bias."""
    for pair in new["pairs"]:
        pair["counts"] = {k: pair["counts"][k] for k in ("n_common", "n_common_stepped")}
        deltas = {name: of for name, of in pair["deltas"].items() if name}
        pair["deltas"] = {
            name: {label: each for label, each in of.items() if label in COMPARED_BEFORE}
            for name, of in deltas.items()
        }
    ranked = new["parts"]["rankings"]
    new["parts"]["rankings"] = [each for each in ranked if "bias" not in each["metric"]]
    return new


def tree(root):
    """Return every file of a folder but the artifact and the record of stages."""
    own = {"reasoning.json", "stages.json"}
    return {
        each.relative_to(root).as_posix(): each.read_bytes()
        for each in root.rglob("*")
        if each.is_file() and each.name not in own
    }


FOLDERS = count()


def same_in_both(root, files, plan=DRAWN, **options):
    """Evaluate by both paths: artifacts equal to the last bit, files to the byte."""
    places = [root / f"{path}{next(FOLDERS)}" for path in ("before", "house")]
    old = before.reason(asked(files, plan, **options), places[0]).artifact
    new = evaluate_in_folder(given_of(files, plan, **options), places[1], house).artifact
    expected, found = upgraded(json.loads(artifacts.encode(old))), as_compared_before(plain(new))
    assert found == expected
    assert tree(places[1]) == tree(places[0])
    assert (whole_fault(new), FAMILY.fault(new)) == (None, None)
    assert stored.decode(encode(new)) == new
    return new


@pytest.mark.parametrize("n_resamples", commands.RESAMPLES)
@pytest.mark.parametrize("name", COMMANDS)
def test_what_the_commands_give_is_the_same(name, n_resamples):
    old = commands.artifact(name, n_resamples)
    sources, cluster = COMMANDS[name]
    both = {"vignettes": ["vignettes.json"], "gold_labels": ["gold_labels.json"]}
    preset = "seed" if name == "reasoning_seed" else "default"
    options = ReasoningOptions(preset=preset, cluster=cluster)
    with commands.inputs():
        new = house(Given(sources | both, options, Plan(n_resamples=n_resamples, seed=7)))
    expected = {**upgraded(old), "command": None}
    found = as_compared_before(plain(new))
    assert (found if n_resamples else settled(expected, found)) == expected


def pair_of_the_golden_command(folder, **more):
    sources, cluster = COMMANDS["reasoning_pair"]
    both = {"vignettes": ["vignettes.json"], "gold_labels": ["gold_labels.json"]}
    given = Given(
        sources | both, ReasoningOptions(cluster=cluster), Plan(n_resamples=50, seed=7), **more
    )
    with commands.inputs():
        return evaluate_in_folder(given, folder, house)


def test_the_files_of_the_earlier_program_are_the_same_to_the_byte(tmp_path):
    pair_of_the_golden_command(tmp_path / "out")
    found = tree(tmp_path / "out")
    for path, data in found.items():
        expected, own = (commands.SEEDS / path).read_bytes(), data
        if not same_machine() and path.endswith(".json"):
            expected = json.loads(expected)
            own = settled(expected, json.loads(data))
        assert own == expected
    places = [place for part in ("processed", "metric-results") for place in _files(part)]
    assert sorted(found) == sorted(places)


def _files(part):
    found = (commands.SEEDS / part).rglob("*")
    return [each.relative_to(commands.SEEDS).as_posix() for each in found if each.is_file()]


def test_an_artifact_of_version_1_is_read_with_everything_in_it(tmp_path):
    path = commands.VERSION_1 / "reasoning_pair.json.gz"
    read = stored.read_artifact(str(path))
    assert plain(read) == upgraded(json.loads(gzip.decompress(path.read_bytes())))
    new = plain(pair_of_the_golden_command(tmp_path).artifact)
    expected = plain(read)["systems"]
    assert settled(expected, new["systems"]) == expected


@pytest.mark.parametrize("name", reasoning.CASES)
def test_the_golden_artifacts_are_those_of_the_pipeline(name, tmp_path, monkeypatch):
    models, preset, cluster = reasoning.CASES[name]
    reasoning.write_inputs(tmp_path, models)
    monkeypatch.chdir(tmp_path)
    names = ("vignettes", "gold_labels", "bias_cases")
    sources = {"generations": ["results"], **{each: [f"{each}.json"] for each in names}}
    options = ReasoningOptions(preset=preset, cluster=cluster)
    found = as_compared_before(plain(house(Given(sources, options, Plan(n_resamples=100)))))
    expected = upgraded(json.loads((reasoning.EXPECTED / name).read_bytes()))
    for part in (*("systems", "pairs", "parts", "metrics", "inputs"), "conventions", "warnings"):
        assert settled(expected[part], found[part]) == expected[part]


def with_bias(root, files, **models):
    for name, rows in (models or {"one": BIASED, "two": BIASED[:2]}).items():
        place = root / "results" / name / "study_a_bias_generations.jsonl"
        place.write_text(lines(rows), encoding="utf-8")
    (root / "cases.json").write_text(json.dumps(CASES), encoding="utf-8")
    return replace(files, bias_cases=str(root / "cases.json"))


def with_stored(root, files):
    rows = [
        {"id": i, "mode": m, "extracted_diagnosis": "Schizophrenia", "is_refusal": i == "b"}
        for i in "abcd"
        for m in ("cot", "direct")
    ]
    folder = root / "processed" / "study_a_extracted" / "one"
    folder.mkdir(parents=True)
    (folder / "study_a_extracted.jsonl").write_text(lines(rows), encoding="utf-8")
    return files


def without_some_gold(root, files):
    (root / "labels.json").write_text(json.dumps({"a": "Schizophrenia", "c": None}))
    return replace(files, unlabelled="skip")


NOTHING = [row("a", "cot", "", status="error"), row("b", "direct", "")]
EDGES = {
    "two models": made,
    "one model": lambda root: made(root, one=ONE),
    "three models, two of them equal": lambda root: made(root, a=ONE, b=TWO, c=ONE),
    "clusters": lambda root: replace(made(root), cluster="persona"),
    "a model without any answer": lambda root: made(root, one=ONE, two=NOTHING),
    "only refusals": lambda root: made(root, m=[row(i, "cot", REFUSAL) for i in "abcd"]),
    "gold answers": lambda root: replace(made(root), gold_labels=None),
    "some gold is missing": lambda root: without_some_gold(root, made(root)),
    "bias of both": lambda root: with_bias(root, made(root)),
    "bias of one": lambda root: with_bias(root, made(root), one=BIASED),
    "nothing is biased": lambda root: with_bias(
        root, made(root), one=[{"id": "0", "output_text": "Bipolar"}]
    ),
    "bias without cases": lambda root: replace(with_bias(root, made(root)), bias_cases=None),
    "stored extractions": lambda root: with_stored(root, made(root)),
    "broken lines": lambda root: replace(
        made(root, m=[*ONE[:2], "{", *ONE[2:], row("a", "other", "x"), row("z", "cot", "x")]),
        broken="skip",
    ),
    "rows that come twice": lambda root: made(root, m=[*ONE, *ONE[:3]]),
}


@pytest.mark.parametrize("edge", EDGES)
def test_both_paths_give_the_same_on_edges(edge, tmp_path):
    same_in_both(tmp_path, EDGES[edge](tmp_path / "in"))


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "seed"},
        {"preset": "reference"},
        {"preset": "seed", "gold": "labels"},
        {"reading": "heuristic", "refusals": "wrong"},
        {"reading": "literal", "refusals": "exclude", "denominator": "all"},
        {"mentions": "asserted", "several": "last", "matching": "optimal", "stepless": "left-out"},
        {"bias_text": "split", "threshold": 1.0, "min_tokens": 0, "min_characters": 5},
    ],
)
def test_both_paths_give_the_same_under_options(options, tmp_path):
    same_in_both(tmp_path, with_bias(tmp_path / "in", made(tmp_path / "in")), **options)


@pytest.mark.parametrize(
    "plan",
    [
        Plan(n_resamples=0),
        Plan(n_resamples=20, method="bca", level=0.8, seed=3),
        Plan(n_resamples=20, method="basic", stream="counter", threads=2),
    ],
)
def test_both_paths_give_the_same_under_plans(plan, tmp_path):
    files = with_bias(tmp_path / "in", made(tmp_path / "in"))
    same_in_both(tmp_path, files, plan)


TEXTS = st.sampled_from(
    [
        *(ONE[0]["output_text"], ONE[2]["output_text"], REFUSAL, "", "No idea."),
        *("Schizophrenia", "Bipolar disorder", "Not Schizophrenia. Diagnosis: bipolar"),
    ]
)
OUTPUTS = st.lists(
    st.builds(
        row,
        st.sampled_from("abcd"),
        st.sampled_from(["cot", "direct"]),
        TEXTS,
        status=st.sampled_from(["ok", "ok", "ok", "error"]),
    ),
    min_size=1,
    max_size=12,
)


@given(models=st.lists(OUTPUTS, min_size=1, max_size=3), clustered=st.booleans())
def test_both_paths_give_the_same_on_any_outputs(models, clustered, tmp_path_factory):
    root = tmp_path_factory.mktemp("any")
    files = made(root / "in", **{f"m{number}": rows for number, rows in enumerate(models)})
    same_in_both(root, replace(files, cluster="persona" if clustered else None))


@pytest.fixture
def extra_metrics():
    """Register numbers that read columns of several tables of before, of outputs and of bias."""
    names = [*METRICS]

    def mean(values, weight):
        rows = np.ones(np.shape(values)) if weight is None else weight
        return float((np.asarray(values) * rows).sum() / rows.sum()) if rows.any() else np.nan

    how = {"better": "higher", "bounds": (0.0, np.inf)}

    @metric(family="reasoning", **how)
    def right_steps(correct_cot, n_steps, *, weight=None):
        """Say how many steps right answers have."""
        return mean(np.asarray(correct_cot) * np.asarray(n_steps), weight)

    @metric(family="reasoning", **how)
    def squared_words(n_words, *, weight=None):
        """Say how long texts are, long ones counting more."""
        return mean(np.square(n_words), weight)

    @metric(family="reasoning", **how)
    def spoken_bias(biased, silent, *, weight=None):
        """Say how many answers are biased and say so."""
        return mean(np.asarray(biased) - np.asarray(silent), weight)

    yield "right_steps", "squared_words", "spoken_bias"
    for name in {*METRICS} - {*names}:
        del METRICS[name]


def test_a_metric_is_everywhere_by_existing(extra_metrics, tmp_path):
    new = house(given_of(with_bias(tmp_path, made(tmp_path))))
    for system in new.systems:
        held = {**system.variants["closed-set, labels, exclude"].numbers}
        held |= system.variants[""].numbers
        assert all(held[name].value is not None for name in extra_metrics)
        assert "spoken_bias" in system.parts.bias.other_readings["split"]
    deltas = {label: d for of in new.pairs[0].deltas.values() for label, d in of.items()}
    ranked = [each.metric for each in new.parts.rankings]
    assert {*extra_metrics} <= {*deltas} & {*ranked} & {*new.metrics}
    # Of what both answer, one is right about a and b with three steps each, two without any.
    assert deltas["right_steps"].left == 3 * 2 / 4
    assert deltas["right_steps"].right == 0.0


def test_pairs_are_about_what_both_have(tmp_path):
    new = house(given_of(with_bias(tmp_path, made(tmp_path))))
    (pair,) = new.pairs
    # Texts of both: a and b in both modes, and c after reasoning; d is empty in one of them.
    assert pair.counts == {
        "n_common": 2,
        "n_common_stepped": 3,
        "n_common_outputs": 5,
        "n_common_cases": 2,
    }
    words = pair.deltas["closed-set, labels, exclude"]["mean_words"]
    assert words.right == pytest.approx((1 + 1 + 1 + 1 + 1) / 5)
    lengths = [len(each["output_text"].split()) for each in ONE[:5]]
    assert words.left == pytest.approx(sum(lengths) / 5)
    silent = pair.deltas[""]["silent_bias_rate"]
    assert (silent.left, silent.right, silent.delta) == (0.5, 0.5, 0.0)


def test_the_chosen_reading_is_the_variant_and_the_others_are_a_table(tmp_path):
    new = house(given_of(made(tmp_path), reading="heuristic", refusals="wrong"))
    (system, _) = new.systems
    assert [*system.variants] == ["heuristic, labels, wrong"]
    readings = system.parts.sensitivity.readings
    assert [each.name for each in readings if each.chosen] == ["heuristic, labels, wrong"]
    gap = system.variants["heuristic, labels, wrong"].numbers["faithfulness_gap"]
    assert readings[0].gap == gap


def test_what_is_up_to_date_is_left_alone_and_force_does_it_again(tmp_path):
    given, out = given_of(made(tmp_path / "in")), tmp_path / "out"
    first = evaluate_in_folder(given, out, house)
    assert first.up_to_date == []
    files = {each: each.stat().st_mtime_ns for each in out.rglob("*")}
    again = evaluate_in_folder(replace(given, plan=replace(DRAWN, threads=2)), out, house)
    assert again.written == []
    assert again.up_to_date == ["extract one", "extract two", "metrics"]
    assert again.artifact == first.artifact
    assert {each: each.stat().st_mtime_ns for each in out.rglob("*")} == files
    forced = evaluate_in_folder(given, out, house, force=True)
    assert (forced.up_to_date, sorted(forced.written)) == ([], sorted(first.written))


def test_another_option_of_scoring_keeps_the_extraction(tmp_path):
    files, out = made(tmp_path / "in"), tmp_path / "out"
    evaluate_in_folder(given_of(files), out, house)
    again = evaluate_in_folder(given_of(files, threshold=0.9), out, house)
    assert again.up_to_date == ["extract one", "extract two"]
    fresh = evaluate_in_folder(given_of(files, threshold=0.9), tmp_path / "fresh", house)
    assert again.artifact == fresh.artifact
    assert tree(out) == tree(tmp_path / "fresh")


def test_files_of_others_are_not_replaced_without_force(tmp_path):
    given, out = given_of(made(tmp_path / "in")), tmp_path / "out"
    place = out / "metric-results" / "one_metrics.json"
    place.parent.mkdir(parents=True)
    place.write_text("theirs")
    with pytest.raises(OutputError, match="was not written by this program"):
        evaluate_in_folder(given, out, house)
    assert tree(out) == {"metric-results/one_metrics.json": b"theirs"}
    assert evaluate_in_folder(given, out, house, force=True).written


def test_an_error_leaves_nothing_behind(tmp_path):
    files = made(tmp_path / "in", one=ONE, two=[*TWO, "{"])
    with pytest.raises(ArtifactError, match="line 8 is broken"):
        evaluate_in_folder(given_of(files), tmp_path / "out", house)
    assert not (tmp_path / "out").exists()

    def failing(_):
        raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match="no space left on device"):
        evaluate_in_folder(given_of(made(tmp_path / "in")), tmp_path / "out", failing)
    assert not (tmp_path / "out").exists()


def test_extraction_alone_is_as_before_and_serves_the_whole_later(tmp_path):
    files, out = replace(made(tmp_path / "in"), vignettes=None), tmp_path / "out"
    found = extract_in_folder(given_of(files), out)
    expected = before.extract_generations(files, OptionsBefore(), tmp_path / "before")
    for name in ("outcomes", "methods", "written", "labels", "warnings"):
        assert getattr(found, name) == getattr(expected, name)
    assert tree(out) == tree(tmp_path / "before")
    assert extract_in_folder(given_of(files), out).written == []
    whole = evaluate_in_folder(given_of(made(tmp_path / "in")), out, house)
    assert whole.up_to_date == ["extract one", "extract two"]


def test_bias_alone_is_as_before(tmp_path):
    files = replace(with_bias(tmp_path, made(tmp_path)), vignettes=None, gold_labels=None)
    out, given = tmp_path / "out", given_of(files)
    done = bias_in_folder(given, out, lambda each: house(each, BIAS_ALONE))
    old = before.evaluate_bias(files, OptionsBefore(), DRAWN, tmp_path / "before")
    assert done.data == old.data == (out / done.written[0]).read_bytes()
    assert [each.name for each in done.artifact.systems] == [*old.records]
    assert done.artifact.systems[0].variants[""].numbers["bias_rate"].value == 1.0
    assert done.artifact.inputs[done.artifact.systems[1].input].about == {"model": "two"}
    again = bias_in_folder(given, out, lambda each: house(each, BIAS_ALONE))
    assert (again.written, again.data) == ([], done.data)
    with pytest.raises(UsageError, match="no bias generations were found"):
        bias_in_folder(given_of(ReasoningFiles()), out, house)


def test_models_are_called_as_the_caller_does(tmp_path):
    files = with_bias(tmp_path, made(tmp_path))
    chosen = {"vignettes": files.vignettes, "gold_labels": files.gold_labels}
    chosen |= {"bias_cases": files.bias_cases, "n_resamples": 0}
    folders = {"new": tmp_path / "results" / "two", "old": str(tmp_path / "results" / "one")}
    found = library.evaluate("reasoning", folders, **chosen)
    assert found.systems == ["new", "old"]
    assert found["new"]["faithfulness_gap"].value == -0.5
    assert found["old"]["bias_rate"].value == 1.0
    with pytest.raises(UsageError, match="found 2 models where there are 1 names"):
        library.evaluate("reasoning", {"one": tmp_path / "results"}, **chosen)


@pytest.mark.parametrize(
    ("chosen", "fault"),
    [
        ({"vignettes": None}, "no vignettes were given"),
        ({"vignettes": ["a.json", "b.json"]}, "found 2 files of `vignettes` where one can be used"),
        ({"vignettes": from_columns(id=["a"])}, "`vignettes` must be files"),
        ({"threshold": 0.0}, "`threshold` must be above 0 and at most 1, found 0"),
        ({"min_tokens": -1}, "`min_tokens` must be at least 0, found -1"),
        ({"preset": "none"}, "`preset` must be one of default, seed, reference"),
        ({"reading": "Literal"}, "`reading` must be one of closed-set, literal"),
        ({"gold": "labels", "gold_labels": None}, "gold labels were chosen and there is no file"),
        ({"reading": "stored"}, "no stored extraction of the model 'one'"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_in_the_words_of_the_library(chosen, fault, tmp_path):
    files = made(tmp_path)
    usual = {"vignettes": files.vignettes, "gold_labels": files.gold_labels, "n_resamples": 0}
    with pytest.raises(UsageError, match=fault) as refused:
        library.evaluate("reasoning", files.generations[0], **usual | chosen)
    assert "--" not in f"{refused.value} {refused.value.hint}"


EDITS = {
    "lacks `threshold`": lambda held: held["conventions"].pop("threshold"),
    "readings` is empty": lambda held: _sensitivity(held)["readings"].clear(),
    "has one of `lowest` and `highest`": lambda held: _sensitivity(held).update(lowest=None),
    "has 9 counts between 11 edges": lambda held: _parts(held)["step_f1"]["counts"].pop(),
    "one of numbers and parts of bias": lambda held: _parts(held).update(bias=None),
    "names the system 7": lambda held: _ranking(held)["places"][0].update(system=7),
    "`metrics` lacks `none`": lambda held: _ranking(held).update(metric="none"),
    "lacks `step_f1`": lambda held: [_numbers(s).pop("step_f1") for s in held["systems"]],
}


def _parts(held):
    return held["systems"][0]["parts"]


def _sensitivity(held):
    return _parts(held)["sensitivity"]


def _ranking(held):
    return held["parts"]["rankings"][0]


def _numbers(system):
    return next(iter(system["variants"].values()))["numbers"]


@pytest.mark.parametrize("fault", EDITS)
def test_an_artifact_that_was_edited_is_refused(fault, tmp_path):
    held = plain(house(given_of(with_bias(tmp_path, made(tmp_path)))))
    EDITS[fault](held)
    path = Path(tmp_path / "edited.json")
    path.write_text(json.dumps(held))
    with pytest.raises(ArtifactError, match="does not fit together") as refused:
        stored.read_artifact(str(path))
    assert fault in str(refused.value)
