"""Reasoning in its family: goldens and version 1, edges, options, files, the library's doors."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from itertools import count
from pathlib import Path

import msgspec
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import library, stored
from assay.artifact import encode
from assay.errors import ArtifactError, ColumnError, OutputError, UsageError
from assay.families.family import Given
from assay.families.reasoning import FAMILY
from assay.families.reasoning.options import ReasoningColumns, ReasoningOptions
from assay.families.reasoning.seed_files import evaluate_in_folder
from assay.inference import Plan
from assay.registry import METRICS, metric
from assay.report.figures import figures
from assay.report.presenters import summary
from assay.sources.table import from_columns
from assay.stored import fault as whole_fault
from tests.golden import commands
from tests.golden.test_commands import same_machine
from tests.golden.test_golden import settled
from tests.reasoning_files import (
    ONE,
    REFUSAL,
    TWO,
    Files,
    asked,
    count_bias,
    deltas,
    evaluate,
    lines,
    made,
    model,
    numbers,
    reason,
    row,
)
from tests.report.views import printed

DRAWN = Plan(n_resamples=30)
COMPARED_BEFORE = {
    *("accuracy_cot", "accuracy_early", "faithfulness_gap", "step_f1"),
    *("refusal_rate_cot", "refusal_rate_early"),
}
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


def whole(root, files, plan=DRAWN, **options):
    """Evaluate with and without a folder: the same artifact, whole, and the files of the seed."""
    place = root / f"out{next(FOLDERS)}"
    given = asked(files, plan, **options)
    done = reason(given, place)
    new = done.artifact
    assert plain(new) == plain(evaluate(given))
    assert (whole_fault(new), [*FAMILY.faults(new)]) == (None, [])
    assert stored.decode(encode(new)) == new
    assert {*tree(place)} == {*done.written} - {"reasoning.json"}
    printed(summary(new))
    return new


GOLDEN = Plan(n_resamples=50, seed=7)
PERCENTILES = replace(GOLDEN, method="percentile")


def pair_of_the_golden_command(folder, plan=GOLDEN, **options):
    sources, cluster = COMMANDS["reasoning_pair"]
    both = {"vignettes": ["vignettes.json"], "gold_labels": ["gold_labels.json"]}
    given = Given(
        sources | both,
        ReasoningOptions(denominator="usable", **options),
        plan,
        ReasoningColumns(cluster=cluster),
    )
    with commands.inputs():
        return reason(given, folder)


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
    # What was the default then is asked for now: the reading, and the test.
    then = {"reading": "closed-set", "mcnemar": "exact"}
    new = plain(pair_of_the_golden_command(tmp_path, PERCENTILES, **then).artifact)
    expected, found = ([each["variants"] for each in of["systems"]] for of in (plain(read), new))
    for old, own in zip(expected, found, strict=True):
        for name, variant in own.items():
            variant["counts"] = {k: variant["counts"][k] for k in old[name]["counts"]}
            for number in variant["numbers"].values():
                number |= {"at_worst": None, "at_worst_interval": None}
                number.pop("detectable", None)
                number["options"].pop("mcnemar", None)
    assert settled(expected, found) == expected


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
    return replace(files, skip_unlabelled=True)


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
        skip_broken=True,
    ),
    "rows that come twice": lambda root: made(root, m=[*ONE, *ONE[:3]]),
}


@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_evaluated_written_and_shown(edge, tmp_path):
    whole(tmp_path, EDGES[edge](tmp_path / "in"))


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
def test_options_are_taken_and_on_record(options, tmp_path):
    new = whole(tmp_path, with_bias(tmp_path / "in", made(tmp_path / "in")), **options)
    assert {name: new.conventions[name] for name in options} == options


@pytest.mark.parametrize(
    "plan",
    [
        Plan(n_resamples=0),
        Plan(n_resamples=20, method="bca", level=0.8, seed=3),
        Plan(n_resamples=20, method="basic", stream="counter", threads=2),
    ],
)
def test_plans_are_followed(plan, tmp_path):
    new = whole(tmp_path, with_bias(tmp_path / "in", made(tmp_path / "in")), plan)
    assert (new.resampling.n_resamples, new.resampling.method) == (plan.n_resamples, plan.method)
    assert (numbers(new)["faithfulness_gap"].interval is None) == (not plan.n_resamples)


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
def test_any_outputs_are_evaluated_written_and_shown(models, clustered, tmp_path_factory):
    root = tmp_path_factory.mktemp("any")
    files = made(root / "in", **{f"m{number}": rows for number, rows in enumerate(models)})
    whole(root, replace(files, cluster="persona" if clustered else None))


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
    new = evaluate(asked(with_bias(tmp_path, made(tmp_path))))
    for system in new.systems:
        held = {**system.variants["announced, labels, exclude"].numbers}
        held |= system.variants[""].numbers
        assert all(held[name].value is not None for name in extra_metrics)
        assert "spoken_bias" in system.parts.bias.other_readings["split"]
    deltas = {label: d for of in new.pairs[0].deltas.values() for label, d in of.items()}
    ranked = [each.metric for each in new.parts.rankings]
    assert {*extra_metrics} <= {*deltas} & {*ranked} & {*new.metrics}
    shown = printed(summary(new), detail="full")
    for name in extra_metrics:
        assert f"\n{name} " in shown
        assert f"\nRanking by {name} " in shown
        assert f"\nDifferences in {name} " in shown
    # Of what both answer, one is right about a and b with three steps each, two without any.
    assert deltas["right_steps"].left == 3 * 2 / 4
    assert deltas["right_steps"].right == 0.0


def test_pairs_are_about_what_both_have(tmp_path):
    new = evaluate(asked(with_bias(tmp_path, made(tmp_path))))
    (pair,) = new.pairs
    # Texts of both: a and b in both modes, and c after reasoning; d is empty in one of them.
    assert pair.counts == {
        "n_common": 3,
        "n_common_stepped": 3,
        "n_common_outputs": 5,
        "n_common_cases": 2,
    }
    words = pair.deltas["announced, labels, exclude"]["mean_words"]
    assert words.right == pytest.approx((1 + 1 + 1 + 1 + 1) / 5)
    lengths = [len(each["output_text"].split()) for each in ONE[:5]]
    assert words.left == pytest.approx(sum(lengths) / 5)
    silent = pair.deltas[""]["silent_bias_rate"]
    assert (silent.left, silent.right, silent.delta) == (0.5, 0.5, 0.0)


def test_the_chosen_reading_is_the_variant_and_the_others_are_a_table(tmp_path):
    new = evaluate(asked(made(tmp_path), reading="heuristic", refusals="wrong"))
    (system, _) = new.systems
    assert [*system.variants] == ["heuristic, labels, wrong"]
    readings = system.parts.sensitivity.readings
    assert [each.name for each in readings if each.chosen] == ["heuristic, labels, wrong"]
    gap = system.variants["heuristic, labels, wrong"].numbers["faithfulness_gap"]
    assert readings[0].gap == gap


def test_what_is_up_to_date_is_left_alone_and_force_does_it_again(tmp_path):
    given, out = asked(made(tmp_path / "in")), tmp_path / "out"
    first = reason(given, out)
    assert first.up_to_date == []
    files = {each: each.stat().st_mtime_ns for each in out.rglob("*")}
    again = reason(replace(given, plan=replace(given.plan, threads=2)), out)
    assert again.written == []
    assert again.up_to_date == ["extract one", "extract two", "metrics"]
    assert again.artifact == first.artifact
    assert {each: each.stat().st_mtime_ns for each in out.rglob("*")} == files
    forced = reason(given, out, force=True)
    assert (forced.up_to_date, sorted(forced.written)) == ([], sorted(first.written))


def test_another_option_of_scoring_keeps_the_extraction(tmp_path):
    files, out = made(tmp_path / "in"), tmp_path / "out"
    reason(asked(files), out)
    again = reason(asked(files, threshold=0.9), out)
    assert again.up_to_date == ["extract one", "extract two"]
    fresh = reason(asked(files, threshold=0.9), tmp_path / "fresh")
    assert again.artifact == fresh.artifact
    assert tree(out) == tree(tmp_path / "fresh")


def test_files_of_others_are_not_replaced_without_force(tmp_path):
    given, out = asked(made(tmp_path / "in")), tmp_path / "out"
    place = out / "metric-results" / "one_metrics.json"
    place.parent.mkdir(parents=True)
    place.write_text("theirs")
    with pytest.raises(OutputError, match="was not written by this program"):
        reason(given, out)
    assert tree(out) == {"metric-results/one_metrics.json": b"theirs"}
    assert reason(given, out, force=True).written


def test_an_error_leaves_nothing_behind(tmp_path):
    files = made(tmp_path / "in", one=ONE, two=[*TWO, "{"])
    with pytest.raises(ArtifactError, match="line 8 is broken"):
        reason(asked(files), tmp_path / "out")
    assert not (tmp_path / "out").exists()

    def failing(_):
        raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match="no space left on device"):
        evaluate_in_folder(asked(made(tmp_path / "in")), tmp_path / "out", failing)
    assert not (tmp_path / "out").exists()


def test_bias_alone_gives_what_the_whole_gives(tmp_path):
    files = with_bias(tmp_path, made(tmp_path))
    found = reason(asked(files), tmp_path / "whole").artifact
    alone = replace(files, vignettes=None, gold_labels=None)
    done = count_bias(asked(alone), tmp_path / "out")
    path = "metric-results/study_a_bias_metrics.json"
    assert done.data == (tmp_path / "out" / path).read_bytes()
    assert done.data == (tmp_path / "whole" / path).read_bytes()
    for name in ("one", "two"):
        bias = model(done.artifact, name)
        assert (bias.parts, bias.variants[""]) == (
            model(found, name).parts.bias,
            model(found, name).variants[""],
        )
    assert numbers(done.artifact, "one")["bias_rate"].value == 1.0
    assert done.artifact.inputs[done.artifact.systems[1].input].about == {"model": "two"}
    again = count_bias(asked(alone), tmp_path / "out")
    assert (again.written, again.data) == ([], done.data)
    with pytest.raises(UsageError, match="no bias generations were found"):
        count_bias(asked(Files()), tmp_path / "out")


def test_models_are_called_as_the_caller_does(tmp_path):
    files = with_bias(tmp_path, made(tmp_path))
    chosen = {"vignettes": files.vignettes, "gold_labels": files.gold_labels}
    chosen |= {"bias_cases": files.bias_cases, "n_resamples": 0}
    folders = {"new": tmp_path / "results" / "two", "old": str(tmp_path / "results" / "one")}
    found = library.evaluate("reasoning", folders, **chosen)
    assert found.systems == ["new", "old"]
    # Right are a and c with a chain of thought, a and b without; c and d lack an output.
    assert found["new"]["faithfulness_gap"].value == 0.0
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
        ({"reading": "Literal"}, "`reading` must be one of announced, closed-set, literal"),
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


TRUTH = ["a", "b", "a", "b", "a"]
OLD = {"answer_cot": ["a", "b", "a", "a", None], "answer_early": ["a", "a", "b", "a", "a"]}
NEW = {"answer_cot": ["a", "b", "a", "b", "a"], "answer_early": ["b", "b", "a", "b", "b"]}


def test_answers_that_were_read_already_are_evaluated():
    found = library.evaluate("reasoning", truth=TRUTH, **OLD, n_resamples=50)
    assert found["accuracy_cot"].value == 3 / 5
    assert found["accuracy_early"].value == 2 / 5
    assert found["faithfulness_gap"].value == pytest.approx(1 / 5)
    assert found["failure_rate_cot"].value == 1 / 5
    assert "step_f1" not in found.artifact.metrics
    parts = model(found.artifact).parts
    assert (parts.population.pairs_used, parts.population.cot.failed) == (5, 1)
    assert [*parts.outputs[0].readings.values()] == [None]
    assert found.artifact.parts.labels == ["a", "b"]
    assert found.artifact.conventions["reading"] == "given"
    assert stored.decode(encode(found.artifact)) == found.artifact
    assert not [*FAMILY.faults(found.artifact)]
    shown = printed(summary(found.artifact))
    assert shown.startswith("Reasoning: answers\n")
    assert "reading that all other" not in shown
    assert "under every reading" not in shown
    assert [each.name for each in figures(found.artifact)] == ["faithfulness-gap", "accuracies"]


def every_door():
    two = {role: {"old": OLD[role], "new": NEW[role]} for role in OLD}
    yield "mapping of arrays", {"truth": TRUTH, **two}
    yield "systems", {"truth": np.array(TRUTH), "systems": {"old": OLD, "new": NEW}}
    flat = {
        "t": TRUTH,
        **{f"{name} {role}": own[role] for name, own in (("o", OLD), ("n", NEW)) for role in own},
    }
    named = {role: {"old": f"o {role}", "new": f"n {role}"} for role in OLD}
    for frame in (pd.DataFrame(flat), pl.DataFrame(flat), pa.table(flat)):
        yield type(frame).__module__, {"data": frame, "truth": "t", **named}


def test_arrays_and_frames_of_several_systems_give_the_same():
    found = [
        library.evaluate("reasoning", **given, n_resamples=40).artifact for _, given in every_door()
    ]
    kept = ("systems", "pairs", "parts", "metrics", "conventions", "resampling", "warnings")
    first, *others = ([plain(each)[part] for part in kept] for each in found)
    assert all(other == first for other in others)
    assert [each.name for each in found[0].systems] == ["old", "new"]
    gap = deltas(found[0])["faithfulness_gap"]
    assert (gap.left, gap.right) == (pytest.approx(1 / 5), pytest.approx(2 / 5))
    assert found[0].pairs[0].counts == {"n_common": 5}


def test_labels_may_be_numbers_and_cases_have_names_and_clusters():
    answers = {"answer_cot": np.array([1.0, 2.0, np.nan]), "answer_early": [1, 1, "2"]}
    found = library.evaluate(
        "reasoning", truth=[1, 2, 2], case=["x", "y", "z"], cluster=["p", "p", "q"], **answers
    )
    assert found["accuracy_cot"].value == pytest.approx(2 / 3)
    assert found["accuracy_early"].value == pytest.approx(2 / 3)
    assert found["mcnemar_p_value"].reason.startswith("it assumes independent")
    assert (found.artifact.resampling.unit, found.artifact.resampling.n_units) == ("cluster", 2)
    assert {each.id for each in model(found.artifact).parts.outputs} == {"x", "y", "z"}


@pytest.mark.parametrize(
    ("changed", "kind", "fault"),
    [
        ({"truth": None}, UsageError, "`truth` was not given"),
        ({"answer_early": None}, UsageError, "`answer_early` was not given"),
        ({"answer_early": ["a"]}, ColumnError, "`answer_early` has 1 row where `truth` has 5"),
        ({"truth": ["a", None, "a", "b", "a"]}, ColumnError, "`truth` must be a class"),
        ({"case": ["x", "x", "y", "z", "w"]}, ColumnError, "`case` names 'x' in 2 rows"),
        ({"reading": "literal"}, UsageError, "`reading` is about texts"),
        ({"vignettes": "v.json"}, UsageError, "`vignettes` is about texts"),
        ({"threshold": 0.5}, UsageError, "`threshold` is about texts"),
        ({"truth": [], "answer_cot": [], "answer_early": []}, ColumnError, "has no rows"),
    ],
)
def test_answers_that_cannot_be_evaluated_are_refused(changed, kind, fault):
    with pytest.raises(kind, match=fault) as refused:
        library.evaluate("reasoning", **{"truth": TRUTH, **OLD, **changed})
    assert refused.value.hint


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
    held = plain(evaluate(asked(with_bias(tmp_path, made(tmp_path)))))
    EDITS[fault](held)
    path = Path(tmp_path / "edited.json")
    path.write_text(json.dumps(held))
    with pytest.raises(ArtifactError, match="does not fit together") as refused:
        stored.read_artifact(str(path))
    assert fault in str(refused.value)
