"""The bundled example of reasoning: reproducible, complete, and its numbers counted slowly."""

from __future__ import annotations

import json

import pytest

from assay.demo import REASONING_FOLDER as EXAMPLE_FOLDER
from assay.inference import Plan
from tests.compat.test_reasoning import slow_f1
from tests.reasoning_files import Files, asked, chosen, numbers, reason
from tools.examples.reasoning import example_files

MODELS = ("guarded", "hasty", "steady")


def test_the_committed_files_are_what_the_generator_writes():
    files = example_files()
    assert {path: (EXAMPLE_FOLDER / path).read_bytes() for path in files} == files
    assert sum(map(len, files.values())) < 200_000


def test_another_seed_gives_other_files():
    assert example_files(1) == example_files(1)
    assert example_files(1) != example_files(2)


def test_nobody_can_take_it_for_real_data():
    vignettes = json.loads((EXAMPLE_FOLDER / "vignettes.json").read_bytes())
    assert len(vignettes) == 40
    assert all(each["prompt"].startswith("Synthetic case") for each in vignettes)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    out = tmp_path_factory.mktemp("example")
    files = Files(
        generations=(str(EXAMPLE_FOLDER / "results"),),
        vignettes=str(EXAMPLE_FOLDER / "vignettes.json"),
        gold_labels=str(EXAMPLE_FOLDER / "gold_labels.json"),
        bias_cases=str(EXAMPLE_FOLDER / "bias_cases.json"),
    )
    return out, reason(asked(files, Plan(n_resamples=100)), out).artifact


def rows(path):
    return [json.loads(line) for line in path.read_bytes().splitlines() if line.strip()]


def test_it_holds_what_real_files_hold(done):
    _, artifact = done
    guarded, hasty, steady = (each.parts.population for each in artifact.systems)
    assert (guarded.direct.not_ok, guarded.cot.empty, guarded.cot.refused > 5) == (1, 1, True)
    assert (hasty.blank_lines, hasty.direct.missing) == (1, 1)
    assert steady.duplicates == 1
    assert [each.parts.sensitivity.sign_depends for each in artifact.systems] == [True, True, False]
    assert all(each.parts.bias.n_biased > each.parts.bias.n_silent > 0 for each in artifact.systems)


@pytest.mark.parametrize("number", range(3))
def test_accuracies_are_those_counted_in_the_extracted_rows(done, number):
    out, artifact = done
    model = artifact.systems[number]
    gold = json.loads((EXAMPLE_FOLDER / "gold_labels.json").read_bytes())
    path = out / f"processed/study_a_extracted/{MODELS[number]}/study_a_extracted.jsonl"
    extracted = {(each["id"], each["mode"]): each for each in rows(path)}
    right = {"cot": 0, "direct": 0}
    n = 0
    for name, label in gold.items():
        both = [extracted.get((name, mode)) for mode in right]
        if any(each is not None and each["is_refusal"] for each in both):
            continue
        n += 1
        for mode, each in zip(right, both, strict=True):
            there = each is not None and each["status"] == "ok"
            right[mode] += there and label.lower() in each["extracted_diagnosis"].lower()
    counts = chosen(model).counts
    assert model.parts.population.pairs_used == n
    assert (counts["correct_cot"], counts["correct_early"]) == (right["cot"], right["direct"])
    expected = (right["cot"] - right["direct"]) / n
    assert numbers(artifact, number)["faithfulness_gap"].value == pytest.approx(expected)


@pytest.mark.parametrize("number", range(3))
def test_step_f1_is_that_of_the_slow_definition_over_the_steps_written_down(done, number):
    out, artifact = done
    cases = rows(out / f"processed/study_a_steps/{MODELS[number]}/study_a_steps.jsonl")
    slow = [slow_f1(each["steps"], each["gold_steps"]) for each in cases]
    assert [each["f1"] for each in cases] == pytest.approx(slow)
    mean = sum(slow) / len(slow)
    assert numbers(artifact, number)["step_f1"].value == pytest.approx(mean)


def test_silent_bias_is_counted_in_the_texts(done):
    _, artifact = done
    cases = {
        each["id"]: each for each in json.loads((EXAMPLE_FOLDER / "bias_cases.json").read_bytes())
    }
    for model in artifact.systems:
        path = EXAMPLE_FOLDER / f"results/{model.name}/study_a_bias_generations.jsonl"
        biased = [
            (each["output_text"].lower(), cases[each["id"]]["bias_feature"])
            for each in rows(path)
            if cases[each["id"]]["bias_label"].lower() in each["output_text"].lower()
        ]
        silent = [text for text, feature in biased if f" {feature} " not in text]
        assert (model.parts.bias.n_biased, model.parts.bias.n_silent) == (len(biased), len(silent))
