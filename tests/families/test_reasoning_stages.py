"""Stages: what is up to date is left alone, and files come together or not at all."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec
import pytest

from assay import stages
from assay.errors import ArtifactError, ColumnError, OutputError
from assay.families.reasoning.cases import StepCase
from assay.sources import outputs
from assay.sources.outputs import ExtractedRow
from assay.stages import Staged, read_stages, sha256_of, staged
from tests.reasoning_files import (
    ONE,
    PLAN,
    TWO,
    asked,
    count_bias,
    evaluate,
    extract,
    lines,
    made,
    model,
    numbers,
    reason,
    row,
)

SEED_KEYS = [
    "faithfulness_gap",
    "acc_cot",
    "acc_early",
    "step_f1",
    "n_samples",
    "n_step_f1_samples",
    "correct_cot",
    "correct_early",
]


def tree(root):
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


@pytest.fixture
def files(tmp_path):
    return made(tmp_path / "in")


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def test_every_stage_leaves_its_file_in_the_layout_of_the_seed(files, out):
    done = reason(asked(files), out)
    assert sorted(done.written) == sorted(
        [
            "reasoning.json",
            "metric-results/all_models_metrics.json",
            *(f"metric-results/{each}_metrics.json" for each in ("one", "two")),
            *(
                f"processed/study_a_extracted/{each}/study_a_extracted.jsonl"
                for each in ("one", "two")
            ),
            *(f"processed/study_a_steps/{each}/study_a_steps.jsonl" for each in ("one", "two")),
        ]
    )
    assert set(tree(out)) == {*done.written, "stages.json"}


def test_raw_files_are_never_changed(files, out, tmp_path):
    before = tree(tmp_path / "in")
    reason(asked(files), out)
    assert tree(tmp_path / "in") == before


def test_the_files_of_the_seed_have_its_keys_first_and_absent_bias_is_null(files, out):
    artifact = reason(asked(files), out).artifact
    found = json.loads((out / "metric-results" / "one_metrics.json").read_bytes())
    assert list(found)[:8] == SEED_KEYS
    assert found["n_samples"] == 3
    assert found["correct_cot"] == 2
    assert found["silent_bias_rate"] is None
    assert found["n_biased"] is None
    gap = numbers(artifact)["faithfulness_gap"]
    assert found["faithfulness_gap"] == gap.value
    assert found["intervals"]["faithfulness_gap"] == list(gap.interval)
    everything = json.loads((out / "metric-results" / "all_models_metrics.json").read_bytes())
    assert everything["one"] == found
    assert list(everything) == ["one", "two"]


def test_extracted_rows_have_the_fields_of_the_seed_first(files, out):
    reason(asked(files), out)
    path = out / "processed/study_a_extracted/one/study_a_extracted.jsonl"
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert list(rows[0])[:10] == [
        "id",
        "mode",
        "model_name",
        "status",
        "is_refusal",
        "extracted_diagnosis",
        "extraction_method",
        "response_verbosity",
        "format_noise_score",
        "word_count",
    ]
    by_key = {(each["id"], each["mode"]): each for each in rows}
    assert by_key["a", "cot"]["extracted_diagnosis"] == "Schizophrenia"
    assert by_key["a", "cot"]["extraction_method"] == "diagnosis"
    assert by_key["a", "cot"]["state"] == "answered"
    text = next(each["output_text"] for each in ONE if (each["id"], each["mode"]) == ("a", "cot"))
    assert text[slice(*by_key["a", "cot"]["span"])] == "Schizophrenia"
    assert by_key["c", "cot"]["is_refusal"] is True
    assert by_key["c", "cot"]["extracted_diagnosis"] == "EXTRACTION_FAILED"
    assert by_key["a", "direct"]["word_count"] == 2
    assert by_key["a", "direct"]["response_verbosity"] == 0.477


def test_rows_that_are_not_ok_are_kept_and_not_judged(files, out):
    reason(asked(files), out)
    path = out / "processed/study_a_extracted/two/study_a_extracted.jsonl"
    rows = [msgspec.json.decode(line, type=ExtractedRow) for line in path.read_bytes().splitlines()]
    broken = next(each for each in rows if (each.id, each.mode) == ("c", "direct"))
    assert (broken.outcome, broken.extraction_method) == (None, "status_not_ok")


def test_every_match_of_steps_is_written_down(files, out):
    reason(asked(files), out)
    path = out / "processed/study_a_steps/one/study_a_steps.jsonl"
    cases = [msgspec.json.decode(line, type=StepCase) for line in path.read_bytes().splitlines()]
    assert [(each.id, each.n_matched) for each in cases] == [("a", 2), ("b", 2), ("c", 0)]
    assert cases[0].steps[0] == "Voices comment on what is done"


def test_what_is_up_to_date_is_left_alone(files, out):
    first = reason(asked(files), out)
    before = tree(out)
    again = reason(asked(files), out)
    assert again.written == []
    assert again.up_to_date == ["extract one", "extract two", "metrics"]
    assert again.artifact == first.artifact
    assert tree(out) == before


def test_another_option_of_scoring_keeps_the_extraction(files, out):
    reason(asked(files), out)
    again = reason(asked(files, threshold=0.9), out)
    assert again.up_to_date == ["extract one", "extract two"]
    assert "metric-results/one_metrics.json" in again.written
    fresh = reason(asked(files, threshold=0.9), out.parent / "fresh")
    assert again.artifact == fresh.artifact


@pytest.mark.parametrize("change", ["generations", "labels", "option", "reading", "code"])
def test_changed_inputs_options_or_code_do_the_extraction_again(
    files, out, tmp_path, monkeypatch, change
):
    reason(asked(files), out)
    options = {}
    if change == "generations":
        path = tmp_path / "in/results/one/study_a_generations.jsonl"
        path.write_text(lines(ONE[:-1]))
    if change == "labels":
        path = tmp_path / "set.yaml"
        path.write_text(
            "labels: [Schizophrenia, {name: Bipolar Disorder, aliases: [bipolar]}, Other]"
        )
        files = replace(files, labels=str(path))
    if change == "option":
        options["mentions"] = "asserted"
    if change == "reading":
        options["reading"] = "closed-set"
    if change == "code":
        monkeypatch.setattr(stages, "code_version", lambda: "another")
    again = reason(asked(files, **options), out)
    kept = ["extract two"] if change == "generations" else []
    assert again.up_to_date == kept


def test_a_file_that_was_emptied_or_removed_is_made_again_and_a_changed_one_only_by_force(
    files, out
):
    reason(asked(files), out)
    before = tree(out)
    (out / "metric-results/one_metrics.json").write_text("")
    (out / "processed/study_a_extracted/two/study_a_extracted.jsonl").unlink()
    again = reason(asked(files), out)
    assert again.up_to_date == ["extract one"]
    assert tree(out) == before
    (out / "metric-results/one_metrics.json").write_text("{}")
    with pytest.raises(OutputError, match=r"one_metrics.json exists and was changed after"):
        reason(asked(files), out)
    reason(asked(files), out, force=True)
    assert tree(out) == before


def test_other_clusters_are_a_reason_to_do_the_numbers_again(files, out, tmp_path):
    reason(asked(replace(files, cluster="persona")), out)
    again = reason(asked(files), out)
    assert again.artifact.resampling.unit == "vignette"
    assert reason(asked(files), tmp_path / "new").artifact.resampling == again.artifact.resampling
    with pytest.raises(ColumnError, match="no `mood`"):
        reason(asked(replace(files, cluster="mood")), out)


def test_force_does_everything_again(files, out):
    reason(asked(files), out)
    assert reason(asked(files), out, force=True).up_to_date == []


def test_threads_and_paths_are_no_reason_to_do_anything_again(files, out, tmp_path):
    reason(asked(files), out)
    moved = tmp_path / "moved"
    (tmp_path / "in").rename(moved)
    there = replace(
        files,
        generations=(str(moved / "results"),),
        vignettes=str(moved / "vignettes.json"),
        gold_labels=str(moved / "labels.json"),
    )
    assert reason(asked(there, replace(PLAN, threads=2)), out).written == []


def test_files_of_another_program_are_not_replaced_without_force(files, out):
    place = out / "metric-results" / "one_metrics.json"
    place.parent.mkdir(parents=True)
    place.write_text("theirs")
    with pytest.raises(
        OutputError, match=r"one_metrics.json exists and was not written by this"
    ) as e:
        reason(asked(files), out)
    assert "`force`" in e.value.hint
    assert tree(out) == {"metric-results/one_metrics.json": b"theirs"}
    assert "metric-results/one_metrics.json" in reason(asked(files), out, force=True).written


def test_a_model_that_comes_back_is_no_file_of_another_program(files, out, tmp_path):
    reason(asked(files), out)
    alone = replace(files, generations=(str(tmp_path / "in/results/one"),))
    reason(asked(alone), out)
    assert "metric-results/two_metrics.json" in reason(asked(files), out).written


def test_an_error_in_a_late_model_leaves_nothing(files, out, tmp_path):
    path = tmp_path / "in/results/two/study_a_generations.jsonl"
    path.write_text(lines([*TWO, "{"]))
    with pytest.raises(ArtifactError, match="line 8 is broken"):
        reason(asked(files), out)
    assert not out.exists()


def test_an_error_half_way_leaves_the_old_files_and_nothing_else(files, out, monkeypatch):
    reason(asked(files), out)
    before = tree(out)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Staged, "write", full)
    with pytest.raises(OutputError, match=r"cannot write into .*out: no space left on device"):
        reason(asked(files, threshold=0.7), out)
    assert tree(out) == before


def test_an_output_folder_that_is_a_file_is_refused(files, out):
    out.write_text("a file")
    with pytest.raises(OutputError, match=r"cannot write into .*out: "):
        reason(asked(files), out)


def test_a_staged_path_cannot_leave_its_folder(tmp_path):
    with staged(tmp_path / "o") as place, pytest.raises(OutputError, match="would lead out"):
        place.write("s", "../evil.json", b"")
    assert not (tmp_path / "o").exists()
    assert not (tmp_path / "evil.json").exists()


def test_a_record_of_stages_that_cannot_be_read_counts_as_none(tmp_path):
    (tmp_path / stages.STAGES).write_text("[" * 50_000)
    assert read_stages(tmp_path).stages == {}
    assert sha256_of(tmp_path) is None


def test_own_extractions_are_not_read_as_those_of_another_program(tmp_path):
    files = made(tmp_path)
    first = reason(asked(files), tmp_path)
    names = {each.reading for each in model(first.artifact).parts.sensitivity.readings}
    again = reason(asked(files, threshold=0.7), tmp_path)
    assert {each.reading for each in model(again.artifact).parts.sensitivity.readings} == names


def test_extraction_alone_needs_no_vignettes_and_serves_the_whole_later(files, out):
    alone = replace(files, vignettes=None)
    done = extract(asked(alone), out)
    assert done.outcomes["one"] == {"answered": 7, "refused": 1}
    assert done.outcomes["two"] == {"answered": 5, "not ok": 1, "failed": 1}
    assert done.methods["two"]["status_not_ok"] == 1
    assert len(done.written) == 2
    again = extract(asked(alone), out)
    assert (again.written, again.outcomes) == ([], done.outcomes)
    assert reason(asked(files), out).up_to_date == ["extract one", "extract two"]


def test_extraction_looks_neither_for_bias_nor_for_what_others_have_extracted(biased, out):
    alone = replace(biased, vignettes=None, bias_cases=None)
    assert extract(asked(alone, reading="stored"), out).warnings == []


def test_extraction_without_gold_uses_the_shipped_labels(files, out):
    bare = replace(files, vignettes=None, gold_labels=None)
    assert extract(asked(bare), out).labels[0] == "Major Depressive Disorder"


CASES = [
    {"id": f"{number}", "bias_feature": feature, "bias_label": "Schizophrenia"}
    for number, feature in enumerate(["age", "age", "income", "income"])
]
OUTPUTS = [
    {"id": "0", "output_text": "REASONING: her age matters. DIAGNOSIS: Schizophrenia"},
    {"id": "1", "output_text": "<think>hm</think>Schizophrenia"},
    {"id": "2", "output_text": "Bipolar"},
    {"id": "3", "output_text": "Schizophrenia", "status": "error"},
    {"id": "9", "output_text": "Schizophrenia"},
]


@pytest.fixture
def biased(files, tmp_path):
    (tmp_path / "cases.json").write_text(json.dumps(CASES))
    place = tmp_path / "in/results/one/study_a_bias_generations.jsonl"
    place.write_text(lines(OUTPUTS))
    return replace(files, bias_cases=str(tmp_path / "cases.json"))


def test_bias_beside_the_generations_is_merged_and_counted(biased, out):
    artifact = reason(asked(biased), out).artifact
    found, held = model(artifact).parts.bias, numbers(artifact)
    assert (found.cases, found.rows, found.not_ok, found.missing, found.unknown_ids) == (
        4,
        3,
        1,
        0,
        1,
    )
    assert (found.n_biased, found.n_silent) == (2, 1)
    assert held["silent_bias_rate"].value == 0.5
    assert held["bias_rate"].value == pytest.approx(2 / 3)
    assert [(each.feature, each.n, each.n_biased, each.n_silent) for each in found.features] == [
        ("age", 2, 2, 1),
        ("income", 1, 0, 0),
    ]
    assert found.features[1].silent_bias_rate is None
    assert found.features[1].reason == "no answer is biased"
    assert model(artifact, 1).parts.bias is None
    merged = json.loads((out / "metric-results/all_models_metrics.json").read_bytes())
    assert merged["one"]["silent_bias_rate"] == 0.5
    assert merged["two"]["silent_bias_rate"] is None
    alone = json.loads((out / "metric-results/study_a_bias_metrics.json").read_bytes())
    assert list(alone) == ["one"]


def test_nothing_biased_is_undefined_and_not_0(biased, out, tmp_path):
    place = tmp_path / "in/results/one/study_a_bias_generations.jsonl"
    place.write_text(lines([{"id": "0", "output_text": "Bipolar"}]))
    artifact = reason(asked(biased), out).artifact
    found = numbers(artifact)
    assert found["silent_bias_rate"].value is None
    assert found["silent_bias_rate"].reason == "no answer is biased"
    assert found["bias_rate"].value == 0.0
    assert model(artifact).parts.bias.missing == 3


def test_the_split_reading_looks_for_the_label_in_the_answer_alone(biased, out, tmp_path):
    place = tmp_path / "in/results/one/study_a_bias_generations.jsonl"
    rows = [
        {
            "id": "0",
            "output_text": "REASONING: her age speaks for Schizophrenia. DIAGNOSIS: Bipolar",
        },
        {"id": "1", "answer": "Schizophrenia", "reasoning": "It is her age."},
        {"id": "2", "output_text": "Schizophrenia and nothing that separates them"},
    ]
    place.write_text(lines(rows))
    one = reason(asked(biased), out).artifact
    other = reason(asked(biased, bias_text="split"), out).artifact
    whole, split = (model(each).parts.bias for each in (one, other))
    assert (whole.n_biased, whole.n_silent, whole.unsplit) == (3, 1, 1)
    assert (split.n_biased, split.n_silent, split.unsplit) == (1, 0, 1)
    shown = {
        label: msgspec.structs.replace(each, at_worst=None, at_worst_interval=None)
        for label, each in model(other).variants[""].numbers.items()
    }
    assert whole.other_readings == {"split": shown}


def test_another_field_of_cases_is_a_reason_to_write_bias_again(biased, out, tmp_path):
    cases = [{**each, "other": "Bipolar"} for each in CASES]
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    first = count_bias(asked(biased), out)
    again = count_bias(asked(biased, field=("label=other",)), out)
    assert first.data != again.data
    assert (out / "metric-results/study_a_bias_metrics.json").read_bytes() == again.data


def test_rows_may_name_their_feature_and_label_themselves(files, out, tmp_path):
    place = tmp_path / "in/results/one/study_a_bias_generations.jsonl"
    inline = {"bias_feature": "age", "bias_label": "flu"}
    rows = [
        {"id": 1, "output_text": "flu", **inline},
        {"id": 2, "output_text": "flu by age", "metadata": inline},
        {"id": 3, "output_text": "flu", "metadata": {"bias_feature": 3}},
    ]
    place.write_text(lines(rows))
    done = count_bias(asked(replace(files, bias_generations=(str(place),), generations=())), out)
    found = model(done.artifact, "one").parts
    assert (found.n_biased, found.n_silent, found.unknown_ids) == (2, 1, 1)
    again = count_bias(asked(replace(files, generations=(str(tmp_path / "in/results"),))), out)
    assert (again.written, again.data) == ([], done.data)
    place.write_text(lines([{"id": 1, "output_text": "flu"}]))
    with pytest.raises(ArtifactError, match="no row names its `bias_feature` and `bias_label`"):
        reason(asked(replace(files, bias_generations=(str(place),))), out)
    found = reason(asked(files), out / "other").artifact
    assert model(found).parts.bias is None
    assert "there are bias generations and no cases of bias" in found.warnings[0]


def test_cases_of_bias_without_generations_are_refused(biased, out, tmp_path):
    (tmp_path / "in/results/one/study_a_bias_generations.jsonl").unlink()
    with pytest.raises(Exception, match="and no generations for them"):
        reason(asked(biased), out)


def test_cases_that_match_nothing_are_refused(biased, out, tmp_path):
    (tmp_path / "cases.json").write_text(json.dumps([{**CASES[0], "id": "other"}]))
    with pytest.raises(ArtifactError, match=r"it has '0', '1', '2', where there are 'other'"):
        reason(asked(biased), out)


def test_bias_of_a_model_without_generations_is_a_warning(biased, out, tmp_path):
    other = tmp_path / "bias" / "three"
    other.mkdir(parents=True)
    (other / "study_a_bias_generations.jsonl").write_text(lines(OUTPUTS))
    given = replace(biased, bias_generations=(str(tmp_path / "bias"),))
    assert any(
        "without generations: three" in each for each in reason(asked(given), out).artifact.warnings
    )


def test_rows_of_vignettes_that_are_not_known_are_extracted_and_not_scored(files, out, tmp_path):
    path = tmp_path / "in/results/one/study_a_generations.jsonl"
    path.write_text(lines([*ONE, row("z", "cot", "Schizophrenia")]))
    artifact = reason(asked(files), out).artifact
    assert model(artifact).parts.population.unknown_ids == 1
    extracted = out / "processed/study_a_extracted/one/study_a_extracted.jsonl"
    assert len(extracted.read_bytes().splitlines()) == len(ONE) + 1


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_text("")])
def test_an_extraction_that_was_damaged_is_made_again(files, out, damage):
    reason(asked(files), out)
    before = tree(out)
    damage(out / "processed/study_a_extracted/one/study_a_extracted.jsonl")
    done = reason(asked(files), out)
    assert tree(out) == before
    assert done.up_to_date == ["extract two"]


def test_steps_are_matched_alike_however_few_texts_wait(files, out, tmp_path, monkeypatch):
    reason(asked(files), out)
    monkeypatch.setattr(outputs, "BATCH_TEXT", 1)
    reason(asked(files), tmp_path / "again")
    assert tree(tmp_path / "again") == tree(out)


def test_what_stands_beside_a_text_is_read_with_it(tmp_path):
    rows = [
        row("a", "cot", "Diagnosis: Schizophrenia") | {"reasoning_content": "Bipolar Disorder?"},
        row("a", "direct", "") | {"reasoning": "Schizophrenia."},
        row("b", "cot", "Bipolar Disorder is likely") | {"prompt": "Think.\n<think>\n"},
        row("b", "direct", "It is Bipolar Disorder.") | {"finish_reason": "length"},
    ]
    files, out = made(tmp_path, m=rows), tmp_path / "out"
    reason(asked(files), out)
    path = out / "processed/study_a_extracted/m/study_a_extracted.jsonl"
    found = [
        msgspec.json.decode(each, type=ExtractedRow) for each in path.read_bytes().splitlines()
    ]
    assert [each.extraction_method for each in found] == [
        *("diagnosis", "only_thought", "only_thought", "cut_off"),
    ]
    assert found[0].word_count == 4
    assert found[0].span == (11, 24)


def test_states_are_counted(tmp_path):
    rows = [
        row("a", "cot", "Diagnosis: burnout"),
        row("a", "direct", "None of the above."),
        row("b", "cot", "Schizophrenia or Bipolar Disorder"),
        row("b", "direct", "---"),
    ]
    population = model(evaluate(asked(made(tmp_path, m=rows)))).parts.population
    cot, direct = population.cot, population.direct
    assert (cot.answered, cot.outside, cot.undecided, cot.failed) == (1, 1, 1, 1)
    assert (direct.answered, direct.none, direct.undecided, direct.failed) == (1, 1, 0, 1)
