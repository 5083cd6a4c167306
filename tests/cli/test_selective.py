from __future__ import annotations

import gzip
import json
import os
import shlex
from pathlib import Path

import jsonschema
import pytest

from assay.cli.evaluating import command_of
from assay.families.selective.options import PRESETS
from tests.selective_artifacts import flat

RUN = ("--input", "run.json")
FEW = (*RUN, "--mode", "few_shot")
PAIR = (*RUN, "--mode", "zero_shot", *FEW)


def load(path):
    return flat(json.loads(path.read_bytes()))


def test_the_documented_command_for_one_mode_works(assay, folder):
    done = assay(
        *shlex.split(
            "selective --input run.json --mode few_shot --loss abs"
            " --bootstrap-resamples 100 --seed 42"
        )
    )
    assert done.code == 0
    artifact = load(folder / "assay-out" / "selective_20260101T000000Z.json")
    assert artifact["kind"] == "selective"
    assert artifact["loss"]["name"] == "abs"
    assert artifact["created_at"] == "2026-01-01T00:00:00Z"
    assert [each["mode"] for each in artifact["inputs"]] == ["few_shot"]
    assert list(artifact["confidence_variants"]) == ["llm", "total_evidence"]


def test_the_documented_command_for_two_modes_compares_right_minus_left(selective, folder):
    done = selective(*PAIR, "--loss", "abs", "--seed", "42", "--output", "pair.json")
    assert done.code == 0
    artifact = load(folder / "pair.json")
    assert artifact["comparison"]["enabled"] is True
    delta = artifact["comparison"]["deltas"]["llm"]["aurc"]
    assert delta["delta"] == delta["right"] - delta["left"]
    assert "few_shot minus zero_shot" in done.out


def test_what_is_not_given_has_the_documented_default(selective, folder):
    selective(*FEW, "--output", "a.json")
    artifact = load(folder / "a.json")
    conventions, resampling = artifact["conventions"], artifact["resampling"]
    assert conventions["loss"] == "abs_norm"
    assert conventions["area"] == "trapezoid"
    assert conventions["area_coverage"] == 0.5
    assert conventions["coverage_grid"] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert conventions["preset"] == "plateau"
    assert (resampling["seed"], resampling["level"]) == (42, 0.95)
    assert (resampling["method"], resampling["stream"]) == ("auto", "legacy")


def test_ten_thousand_resamples_are_the_default(assay, folder):
    assay("selective", *FEW, "--confidence", "llm", "--output", "a.json", "--quiet")
    assert load(folder / "a.json")["resampling"]["n_resamples"] == 10_000


def test_options_reach_the_artifact(selective, folder):
    done = selective(
        *FEW,
        *("--confidence", "token_msp,llm", "--confidence", "consistency"),
        *("--area", "step", "--area-coverage", "0.25", "--coverage-grid", "0.25,0.5"),
        *("--coverage-grid", "0.75", "--risk-target", "0.1,0.3", "--level", "0.9"),
        *("--interval", "basic", "--stream", "counter", "--undefined", "reference"),
        *("--missing", "reference", "--total-evidence", "llm+keyword", "--output", "a.json"),
    )
    assert done.code == 0
    artifact = load(folder / "a.json")
    conventions, resampling = artifact["conventions"], artifact["resampling"]
    assert list(artifact["confidence_variants"]) == ["token_msp", "llm", "consistency"]
    assert (conventions["area"], conventions["area_coverage"]) == ("step", 0.25)
    assert conventions["coverage_grid"] == [0.25, 0.5, 0.75]
    assert conventions["risk_target"] == [0.1, 0.3]
    assert (conventions["undefined"], conventions["missing"]) == ("reference", "reference")
    assert conventions["total_evidence"] == "llm+keyword"
    assert (resampling["method"], resampling["stream"]) == ("basic", "counter")
    assert resampling["level"] == 0.9


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_sets_its_options(selective, folder, preset):
    options = ("--confidence", "llm", "--preset", preset, "--output", "a.json")
    assert selective(*FEW, *options).code == 0
    conventions = load(folder / "a.json")["conventions"]
    assert {**conventions, **PRESETS[preset], "preset": preset} == conventions


def test_what_is_given_wins_over_the_preset(selective, folder):
    options = ("--confidence", "llm", "--preset", "item-step", "--area", "trapezoid")
    selective(*FEW, *options, "--output", "a.json")
    conventions = load(folder / "a.json")["conventions"]
    assert (conventions["preset"], conventions["area"]) == ("item-step", "trapezoid")


def test_one_mode_serves_all_inputs(selective, folder):
    (folder / "other.json").write_bytes((folder / "run.json").read_bytes())
    done = selective(*FEW, "--input", "other.json", "--output", "a.json")
    assert done.code == 0
    assert [each["mode"] for each in load(folder / "a.json")["inputs"]] == ["few_shot"] * 2


def test_more_than_two_inputs_are_compared_with_the_first_and_corrected(selective, folder):
    done = selective(*PAIR, *FEW, "--confidence", "llm", "--output", "a.json")
    assert done.code == 0
    pairs = load(folder / "a.json")["comparison"]["pairs"]
    assert [(pair["left"], pair["right"]) for pair in pairs] == [(0, 1), (0, 2)]
    for pair in pairs:
        delta = pair["deltas"]["llm"]["cmax"]
        assert delta["p_holm"] == min(1.0, 2 * delta["p_value"])
    assert "p (Holm)" in done.out


def test_an_input_compared_with_itself_does_not_differ(selective, folder):
    selective(*FEW, *FEW, "--confidence", "llm", "--output", "a.json")
    delta = load(folder / "a.json")["comparison"]["deltas"]["llm"]["aurc"]
    assert (delta["delta"], delta["p_value"]) == (0.0, 1.0)


def test_a_run_may_come_from_standard_input_and_compressed(process, folder):
    data = gzip.compress((folder / "run.json").read_bytes())
    options = ("--mode", "few_shot", "--bootstrap-resamples", "20", "--json")
    done = process("selective", "--input", "-", *options, stdin=data)
    assert done.returncode == 0
    assert json.loads(done.stdout)["inputs"][0]["path"] == "-"


def test_a_missing_signal_on_standard_input_gets_the_same_hint(process, folder):
    data = (folder / "run.json").read_bytes()
    options = ("--mode", "few_shot", "--confidence", "nothing")
    done = process("selective", "--input", "-", *options, stdin=data)
    assert done.returncode == 1
    assert b"hint: this input supports --confidence consistency," in done.stderr


def test_json_prints_the_artifact_and_nothing_else(selective, folder):
    done = selective(*FEW, "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["kind"] == "selective"
    assert not (folder / "assay-out").exists()


def test_json_also_writes_the_file_that_is_asked_for(selective, folder):
    done = selective(*FEW, "--json", "--output", "a.json")
    assert done.out == (folder / "a.json").read_text()
    assert done.err == "wrote a.json\n"


@pytest.mark.parametrize("inputs", [FEW, PAIR])
def test_the_artifact_fits_the_schema_that_the_command_prints(assay, selective, inputs):
    schema = json.loads(assay("schema").out)
    jsonschema.validate(json.loads(selective(*inputs, "--json").out), schema)


def test_quiet_prints_nothing_and_still_writes(selective, folder):
    done = selective(*FEW, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert len(list((folder / "assay-out").iterdir())) == 1


def test_the_summary_goes_to_stdout_and_the_place_of_the_artifact_to_stderr(selective):
    done = selective(*FEW)
    assert done.out.startswith("Selective prediction: few_shot\n")
    assert done.err == "wrote assay-out/selective_20260101T000000Z.json\n"


def test_a_default_file_is_never_overwritten(selective, folder):
    for _ in range(3):
        selective(*FEW, "--quiet")
    assert sorted(path.name for path in (folder / "assay-out").iterdir()) == [
        "selective_20260101T000000Z-2.json",
        "selective_20260101T000000Z-3.json",
        "selective_20260101T000000Z.json",
    ]


def test_a_named_file_is_overwritten_and_folders_are_made(selective, folder):
    for seed in (1, 2):
        done = selective(*FEW, "--seed", seed, "--output", "new/folder/a.json")
        assert done.code == 0
    assert load(folder / "new" / "folder" / "a.json")["resampling"]["seed"] == 2
    assert [path.name for path in (folder / "new" / "folder").iterdir()] == ["a.json"]


def test_a_link_keeps_pointing_to_the_file_that_is_overwritten(selective, folder):
    (folder / "target.json").write_text("old")
    (folder / "link.json").symlink_to("target.json")
    selective(*FEW, "--output", "link.json")
    assert (folder / "link.json").is_symlink()
    assert load(folder / "target.json")["kind"] == "selective"


def test_the_same_command_writes_the_same_bytes(selective, folder):
    for name in ("a.json", "b.json"):
        selective(*PAIR, "--output", name)
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()


def test_the_number_of_threads_changes_no_byte(selective, folder):
    for threads in (1, 2, 5):
        selective(*PAIR, "--threads", threads, "--output", f"{threads}.json")
    first = (folder / "1.json").read_bytes()
    assert (folder / "2.json").read_bytes() == first
    assert (folder / "5.json").read_bytes() == first


def test_zero_resamples_give_numbers_without_intervals(selective, folder):
    done = selective(*FEW, "--bootstrap-resamples", 0, "--output", "a.json")
    assert done.code == 0
    assert "none, no resamples were asked for" in done.out
    scalar = load(folder / "a.json")["confidence_variants"]["llm"]["metrics"]["aurc"]
    assert scalar["value"] is not None
    assert scalar["interval"] is None


def test_full_shows_all_numbers_of_every_confidence(selective):
    options = (*FEW, "--confidence", "llm,token_msp")
    short, full = selective(*options), selective(*options, "--full")
    assert "--full shows" in short.out
    rows = [
        [line for line in done.out.splitlines() if line.startswith("naurc ")]
        for done in (short, full)
    ]
    assert [len(each) for each in rows] == [0, 2]
    assert "--full" not in full.out


def test_a_plain_table_may_name_its_columns(selective, folder, table):
    text = (folder / table).read_text().replace("participant,item,prediction", "who,what,guess")
    (folder / "named.csv").write_text(text.replace("truth", "gold", 1))
    names = ("--participant", "who", "--item", "what", "--prediction", "guess", "--truth", "gold")
    done = selective("--input", "named.csv", *names, "--scale", "0,3", "--output", "a.json")
    assert done.code == 0
    artifact = load(folder / "a.json")
    assert artifact["loss"]["scale"] == [0.0, 3.0]
    assert list(artifact["confidence_variants"]) == ["confidence"]


def test_a_file_name_that_is_no_text_is_spelled_out(process, folder):
    name = os.fsencode(folder) + b"/r\xff.json"
    Path(os.fsdecode(name)).write_bytes((folder / "run.json").read_bytes())
    done = process("selective", "--input", os.fsdecode(b"r\xff.json"), *FEW[2:], "--json")
    assert json.loads(done.stdout)["inputs"][0]["path"] == "r\\udcff.json"


LOSSES = "person,cost,stated,margin\n1,0.5,0.9,2\n1,,0.2,1\n2,0,0.8,3\n3,1.5,0.1,0\n"


def test_losses_may_stand_in_a_column_and_inputs_as_arguments(assay, folder):
    (folder / "losses.csv").write_text(LOSSES)
    said = ("--loss", "cost", "--confidence", "stated", "--cluster", "person")
    done = assay(
        "selective", "losses.csv", *said, "--bootstrap-resamples", 20, "--output", "a.json"
    )
    assert done.code == 0
    artifact = load(folder / "a.json")
    assert artifact["loss"]["name"] == "cost"
    assert artifact["loss"]["definition"] == "as the column states it"
    numbers = artifact["confidence_variants"]["stated"]["metrics"]
    assert numbers["cmax"]["value"] == 0.75
    assert numbers["risk"]["value"] == pytest.approx(2 / 3)
    assert artifact["resampling"]["n_units"] == 3


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (("--loss", "cots"), "there is no loss 'cots', and no such column", "did you mean cost?"),
        (("--loss", "cost", "--confidence", "nope"), "no confidence 'nope' in", ""),
        (("--loss", "stated", "--group", "site"), "has no column `site`", "--group names the one"),
        (("--loss", "cost", "--strict"), "--strict is about a calibrator", "--calibration"),
        (("--loss", "cost", "--threshold", "nan"), "--threshold must be a number", ""),
    ],
)
def test_what_does_not_fit_is_refused_in_the_words_of_the_command(
    assay, folder, words, error, hint
):
    (folder / "losses.csv").write_text(LOSSES)
    done = assay("selective", "losses.csv", *words)
    assert done.code == 1
    assert error in done.err
    assert hint in done.err
    assert not (folder / "assay-out").exists()


def examples():
    text = command_of("selective").epilog.partition("Examples:")[2].replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("example", examples())
def test_the_examples_of_the_help_run(assay, folder, table, example):
    (folder / "losses.csv").write_text(LOSSES)
    program, *arguments = shlex.split(example)
    assert program == "assay"
    done = assay(*arguments, "--bootstrap-resamples", "20")
    assert (done.code, "error" in done.err) == (0, False)
