"""`assay calibrate`, and `assay selective` with what it wrote."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from assay.cli import main
from assay.derive.signals import State
from tests.test_calibrator_files import FRAME, IDENTITY, ISOTONIC, LOGISTIC, SCALAR, STATED

FEW = ("--input", "run.json", "--mode", "few_shot")
CAL = ("--output", "cal.json")


@pytest.fixture
def halves(folder):
    """The bundled run cut into two runs without common participants."""
    run = json.loads((folder / "run.json").read_bytes())
    for name, odd in (("train.json", 1), ("test.json", 0)):
        cut = json.loads(json.dumps(run))
        for experiment in cut["experiments"]:
            people = experiment["results"]["results"]
            kept = [each for each in people if each["participant_id"] % 2 == odd]
            experiment["results"]["results"] = kept
        cut["run_metadata"]["run_id"] = name[:4]
        (folder / name).write_text(json.dumps(cut))
    return folder


@pytest.fixture
def calibrate(assay):
    def run(*arguments):
        return assay("calibrate", *arguments)

    return run


def load(path: Path):
    return json.loads(path.read_bytes())


def test_the_documented_commands_fit_and_apply(assay, halves):
    done = assay(
        *shlex.split(
            "calibrate --input train.json --mode few_shot --method logistic"
            " --features verbalized_confidence,retrieval_similarity_mean"
            " --target correctness --output cal.json"
        )
    )
    assert (done.code, done.err) == (0, "wrote cal.json\n")
    assert "out of fold" in done.out
    file = load(halves / "cal.json")
    assert (file["kind"], file["method"], file["schema_version"]) == ("calibrator", "logistic", "1")
    assert file["training_metadata"]["run_id"] == "trai"
    assert file["created_at"] == "2026-01-01T00:00:00Z"
    done = assay(
        *shlex.split(
            "selective --input test.json --mode few_shot --confidence calibrated"
            " --calibration cal.json --strict --bootstrap-resamples 20 --output a.json"
        )
    )
    assert (done.code, done.err) == (0, "wrote a.json\n")
    artifact = load(halves / "a.json")
    assert artifact["parts"]["calibration"]["participants_shared"] == [0]
    assert artifact["parts"]["calibration"]["calibrator"] == "logistic"
    assert artifact["warnings"] == []


@pytest.mark.parametrize(
    ("method", "features", "confidence"),
    [
        ("temperature", "verbalized", "verbalized_calibrated"),
        ("temperature", "token_msp", "calibrated:token_msp"),
        ("isotonic", "verbalized", "verbalized_calibrated"),
        ("isotonic", "verbalized", "calibrated"),
        ("isotonic", "confidence:token_pe", "calibrated:token_pe"),
        ("isotonic", "token_msp", "calibrated:token_msp"),
        ("platt", "token_energy", "calibrated"),
        ("linear", "token_msp,consistency_score_std", "calibrated"),
    ],
)
def test_every_method_is_fitted_and_applied(
    calibrate, selective, halves, method, features, confidence
):
    done = calibrate(
        "--input", "train.json", "--mode", "few_shot", "--method", method,
        "--features", features, *CAL, "--quiet",
    )  # fmt: skip
    assert (done.code, done.out, done.err) == (0, "", "")
    assert load(halves / "cal.json")["calibrator"] == method
    done = selective(
        "--input", "test.json", "--mode", "few_shot", "--calibration", "cal.json",
        "--confidence", confidence, "--strict", "--output", "a.json",
    )  # fmt: skip
    assert done.code == 0, done.err
    (variant,) = load(halves / "a.json")["confidence_variants"]
    assert variant == confidence


def test_the_default_is_the_temperature_of_the_stated_confidence(calibrate, folder):
    assert calibrate(*FEW, *CAL).code == 0
    file = load(folder / "cal.json")
    assert (file["calibrator"], file["features"], file["target"]) == (
        "temperature",
        ["verbalized"],
        "correctness",
    )
    assert file["temperature"] == file["model"]["temperature"]
    assert file["fitted_on"]["n_samples"] == file["training_metadata"]["n_samples"] == 204
    seen = file["training_metadata"]
    assert (seen["seed"], seen["n_folds"], seen["missing"]) == (42, 5, "error")
    assert seen["participants"] == sorted(seen["participants"])


def test_answers_without_a_stated_confidence_are_left_out_and_shown(calibrate, changed):
    def forget(run):
        person = next(
            each for each in run["experiments"][1]["results"]["results"] if each["success"]
        )
        for stored in person["item_signals"].values():
            stored["verbalized_confidence"] = None

    done = calibrate("--input", changed(forget), "--mode", "few_shot", *CAL)
    assert done.code == 0
    assert "answers without a stated confidence" in done.out


def test_json_prints_the_file(calibrate, folder):
    done = calibrate(*FEW, *CAL, "--json", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out.encode() == (folder / "cal.json").read_bytes()


def test_a_plain_table_can_be_calibrated(calibrate, selective, folder, table):
    fit = ("--input", table, "--method", "isotonic", "--features", "confidence")
    assert calibrate(*fit, "--target", "loss", "--scale", "0,3", *CAL).code == 0
    done = selective(
        "--input", table, "--scale", "0,3", "--confidence", "calibrated:confidence",
        "--calibration", "cal.json",
    )  # fmt: skip
    assert done.code == 0
    assert "was fitted on 8 of the 8 participants of input 0" in done.err
    refused = calibrate(*fit, "--target", "loss", *CAL)
    assert refused.code == 1
    assert "--scale" in refused.err or "scale" in refused.err


def test_the_same_run_warns_on_stderr_and_in_the_artifact_and_strict_refuses(
    calibrate, selective, folder
):
    calibrate(*FEW, *CAL, "--quiet")
    asked = (*FEW, "--confidence", "verbalized_calibrated", "--calibration", "cal.json")
    done = selective(*asked, "--json")
    assert done.code == 0
    sentence = "the calibrator cal.json was fitted on 39 of the 40 participants of input 0"
    assert done.err.startswith(f"warning: {sentence}")
    assert json.loads(done.out)["warnings"][0].startswith(sentence)
    assert "".join(selective(*asked, "--output", "b.json").out.split()).count("flatterit") == 1
    refused = selective(*asked, "--strict", "--output", "c.json")
    assert refused.code == 1
    assert sentence in refused.err
    assert "hint: fit it on other participants" in refused.err
    assert not (folder / "c.json").exists()


def write(folder, content):
    (folder / "cal.json").write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "confidence"),
    [
        (STATED, "verbalized_calibrated"),
        ({**SCALAR, "model": {"temperature": 2.0}}, "calibrated:token_msp"),
        (LOGISTIC, "calibrated"),
        ({**LOGISTIC, "method": "platt"}, "calibrated"),
        ({**LOGISTIC, "target": "loss", "model": IDENTITY}, "calibrated"),
        (ISOTONIC, "calibrated"),
        (ISOTONIC, "calibrated:token_msp"),
    ],
)
def test_files_of_earlier_programs_are_applied_and_say_nothing_of_their_participants(
    selective, folder, content, confidence
):
    write(folder, content)
    asked = (*FEW, "--calibration", "cal.json", "--confidence", confidence)
    done = selective(*asked, "--output", "a.json")
    assert done.code == 0
    assert "does not say on whom it was fitted" in done.err
    assert load(folder / "a.json")["parts"]["calibration"]["participants_shared"] == [None]
    assert selective(*asked, "--strict").code == 1


def test_the_run_of_an_earlier_file_is_recognized(selective, folder):
    write(folder, {**STATED, "fitted_on": {**STATED["fitted_on"], "run_id": "demo0000"}})
    asked = ("--calibration", "cal.json", "--confidence", "verbalized_calibrated")
    assert "was fitted on the run demo0000 of input 0" in selective(*FEW, *asked).err


def test_the_reference_applies_an_isotonic_calibrator_to_any_scalar(selective, folder):
    write(folder, {**ISOTONIC, "features": ["verbalized_confidence"]})
    asked = (*FEW, "--calibration", "cal.json", "--confidence", "verbalized_calibrated")
    refused = selective(*asked)
    assert refused.code == 1
    assert "cal.json was fitted on `verbalized_confidence`" in refused.err
    assert selective(*asked, "--missing", "reference").code == 0
    assert selective(*asked, "--preset", "reference").code == 0


def test_two_modes_are_compared_under_one_calibrator(calibrate, selective, halves):
    calibrate("--input", "train.json", "--mode", "few_shot", *CAL)
    done = selective(
        "--input", "test.json", "--mode", "zero_shot", "--input", "test.json", "--mode",
        "few_shot", "--calibration", "cal.json", "--confidence", "verbalized_calibrated,llm",
        "--output", "a.json",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert load(halves / "a.json")["parts"]["calibration"]["participants_shared"] == [0, 0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--method isotonic --features token_msp,token_pe", "isotonic takes exactly one feature"),
        ("--method platt --features token_msp,token_pe", "platt takes exactly one feature"),
        ("--target loss", "a temperature scales the probability of being right"),
        ("--method linear --target correctness", "a linear calibrator predicts a loss"),
        ("--features verbalized_confidence", "needs a feature from 0 to 1"),
        ("--method logistic --features nothing", "usable value of `nothing`, found no such key"),
        ("--features confidence:nothing", "'nothing', which is not a confidence function"),
        ("--folds 1", "--folds must be at least 2"),
        ("--seed -1", "--seed must be at least 0"),
        ("--mode one_shot", "run.json has no mode 'one_shot'"),
    ],
)
def test_what_does_not_fit_is_one_sentence_and_nothing_is_written(
    calibrate, folder, arguments, sentence
):
    done = calibrate(*FEW, *CAL, *shlex.split(arguments))
    assert done.code == 1
    assert sentence in done.err
    assert done.err.startswith("error: ")
    assert done.err.count("\n") <= 3
    assert not (folder / "cal.json").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--method beta", "'beta' is not one of"),
        ("--target total", "'total' is not one of"),
    ],
)
def test_misuse_ends_with_2(calibrate, folder, arguments, sentence):
    done = calibrate(*FEW, *CAL, *shlex.split(arguments))
    assert done.code == 2
    assert sentence in done.err


@pytest.mark.parametrize(
    ("arguments", "method", "features"),
    [
        ("", "temperature_scaling", ["verbalized"]),
        (
            "--method logistic --features verbalized_confidence,retrieval_similarity_mean",
            "logistic",
            ["verbalized_confidence", "retrieval_similarity_mean"],
        ),
    ],
)
def test_the_training_commands_of_the_earlier_program_run_as_printed(
    calibrate, folder, arguments, method, features
):
    (folder / "data" / "outputs").mkdir(parents=True)
    (folder / "run.json").rename(folder / "data" / "outputs" / "train_run.json")
    given = "--input data/outputs/train_run.json --mode few_shot"
    done = calibrate(*shlex.split(f"{given} {arguments}"))
    place = "assay-out/calibrator_20260101T000000Z.json"
    assert (done.code, done.err) == (0, f"wrote {place}\n")
    file = load(folder / place)
    assert (file["method"], file["features"]) == (method, features)


def test_a_default_calibrator_file_is_never_overwritten(calibrate, folder):
    for _ in range(2):
        assert calibrate(*FEW, "--quiet").code == 0
    assert len(list((folder / "assay-out").iterdir())) == 2


def test_the_name_of_a_feature_that_is_not_there_is_cut_in_message_and_hint(calibrate):
    few = ("--input", "run.json", "--mode", "few_shot", "--method", "platt")
    failed = calibrate(*few, "--features", "x" * 10_000)
    assert failed.code == 1
    assert "hint: --missing reference takes 0 where there is no `xxx" in failed.err
    assert len(failed.err) < 600


@pytest.mark.parametrize(
    ("value", "missing", "words"),
    [
        (None, "error", "found null"),
        (State.MISSING, "error", "found no such key"),
        (None, "reference", None),
        (State.MISSING, "reference", None),
        (True, "error", "found true"),
        (True, "reference", "found true"),
        ("0.5", "reference", "found something that is not a number"),
    ],
)
def test_a_feature_that_is_not_there_is_refused_with_the_option_that_fills_it_in(
    calibrate, selective, changed, value, missing, words
):
    def change(run):
        for person in run["experiments"][1]["results"]["results"]:
            for stored in person["item_signals"].values():
                stored["token_msp"] = value
                if value is State.MISSING:
                    del stored["token_msp"]

    path = changed(change)
    few = ("--mode", "few_shot")
    asked = ("--method", "logistic", "--features", "llm_evidence_count,token_msp", *CAL)
    assert calibrate("--input", "run.json", *few, *asked, "--quiet").code == 0
    fitted = calibrate("--input", path, *few, *asked, "--missing", missing)
    applied = selective(
        "--input", path, *few, "--confidence", "calibrated", "--calibration", "cal.json",
        "--missing", missing, "--quiet",
    )  # fmt: skip
    for done in (fitted, applied):
        assert done.code == (1 if words else 0)
        assert (words or "") in done.err
        filled = "--missing reference takes 0 where there is no `token_msp`"
        assert (filled in done.err) == (missing == "error" and value in (None, State.MISSING))


def test_output_may_not_be_the_input(calibrate, folder):
    before = (folder / "run.json").read_bytes()
    assert "it is one of the inputs" in calibrate(*FEW, "--output", "run.json").err
    assert (folder / "run.json").read_bytes() == before


def test_the_calibrator_may_not_be_overwritten_by_its_use(calibrate, selective, folder):
    calibrate(*FEW, *CAL, "--quiet")
    asked = (*FEW, "--calibration", "cal.json", "--confidence", "verbalized_calibrated")
    assert "it is one of the inputs" in selective(*asked, *CAL).err


@pytest.mark.parametrize(
    ("content", "arguments", "sentence"),
    [
        ({**ISOTONIC, "method": "beta"}, "--confidence calibrated", "`method` is 'beta'"),
        ({**STATED, "schema_version": "9"}, "--confidence calibrated", "is '9', and only '1'"),
        ({**ISOTONIC, "features": ["a", "b"]}, "--confidence calibrated", "must name 1"),
        (STATED, "--confidence calibrated", "cal.json is a temperature"),
        (LOGISTIC, "--confidence verbalized_calibrated", "is a logistic calibrator"),
        (LOGISTIC, "--confidence calibrated:token_msp", "is a logistic calibrator"),
        (STATED, "--confidence calibrated:token_msp", "was fitted on `verbalized`"),
        (STATED, "--confidence llm", "no confidence uses the calibrator cal.json"),
        (FRAME, "--confidence calibrated", "missing required field 'method'"),
    ],
)
def test_a_calibrator_that_does_not_fit_is_one_sentence_and_a_hint(
    selective, folder, content, arguments, sentence
):
    write(folder, content)
    done = selective(*FEW, "--calibration", "cal.json", *shlex.split(arguments))
    assert done.code == 1
    assert sentence in done.err
    assert "hint: " in done.err
    assert not (folder / "assay-out").exists()


def test_calibrated_names_without_a_calibrator_say_what_is_missing(selective, folder):
    done = selective(*FEW, "--confidence", "calibrated")
    assert done.code == 1
    assert "needs a calibrator" in done.err
    strict = selective(*FEW, "--strict")
    assert strict.code == 1
    assert "--strict is about a calibrator, and there is no --calibration" in strict.err
    assert "cannot be read" in selective(*FEW, "--calibration", "none.json").err


def test_fitting_a_temperature_loads_no_scikit_learn(process, folder):
    code = process("calibrate", *FEW, *CAL, PYTHONPROFILEIMPORTTIME="1")
    assert code.returncode == 0
    assert b"sklearn" not in code.stderr


def test_help_shows_examples(capsys):
    with pytest.raises(SystemExit):
        main(["calibrate", "--help"])
    assert "assay calibrate train.json --mode few_shot" in capsys.readouterr().out


def test_a_run_is_named_as_an_argument_or_by_the_flag_and_only_one(assay, folder):
    chosen = ("--mode", "few_shot", "--features", "token_msp", "--output")
    assert assay("calibrate", "run.json", *chosen, "a.json").code == 0
    assert assay("calibrate", "--input", "run.json", *chosen, "b.json").code == 0
    one, other = (json.loads((folder / name).read_bytes()) for name in ("a.json", "b.json"))
    assert one["model"] == other["model"]
    for given in ((), ("run.json", "--input", "run.json")):
        done = assay("calibrate", *given, *chosen, "c.json")
        assert done.code == 2
        assert f"one run is needed to fit a calibrator on, found {len(given) - bool(given)}" in (
            done.err
        )
        assert not (folder / "c.json").exists()
