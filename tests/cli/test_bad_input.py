"""Bad input gets one sentence and a hint, exit code 1, and nothing is written."""

from __future__ import annotations

import pytest

from assay.errors import OutputError

FEW = ("--mode", "few_shot")


def person(run, number=0, mode=1):
    return run["experiments"][mode]["results"]["results"][number]


@pytest.fixture
def refused(selective, folder):
    """Run a command that must fail, and return its two sentences."""

    def run(*arguments, code=1):
        before = sorted(folder.rglob("*"))
        done = selective(*arguments)
        assert (done.code, done.out) == (code, "")
        assert sorted(folder.rglob("*")) == before
        error, _, hint = done.err.rstrip("\n").partition("\n\nhint: ")
        assert error.startswith("error: ")
        assert "\n" not in error + hint
        return error.removeprefix("error: "), hint

    return run


def test_a_file_that_is_not_there(refused):
    error, hint = refused("--input", "nowhere.json")
    assert error == "'nowhere.json' cannot be read: No such file or directory"
    assert hint == "check the spelling; - is standard input"


def test_a_file_that_is_not_json(refused, folder):
    (folder / "bad.json").write_text("hello")
    error, hint = refused("--input", "bad.json")
    assert error.startswith("bad.json is not valid JSON: ")
    assert hint == "the file may be cut short, or not be JSON at all"


def test_a_nan_token(refused, folder):
    text = (folder / "run.json").read_text()
    (folder / "bad.json").write_text(text.replace("null", "NaN", 1))
    error, hint = refused("--input", "bad.json", *FEW)
    assert "holds the token NaN at byte" in error
    assert hint == "write null where there is no number"


def test_a_wrong_shape(refused, changed):
    path = changed(lambda run: run.update(experiments={}))
    error, _ = refused("--input", path, *FEW)
    assert error.startswith("changed.json does not have the shape it needs: ")


def test_a_missing_item(refused, changed):
    path = changed(lambda run: person(run, 2)["predicted_items"].pop("Sleep"))
    error, hint = refused("--input", path, *FEW)
    assert "`predicted_items` lacks the item Sleep" in error
    assert "participant 9003" in error
    assert hint.startswith("the items are NoInterest, ")


def test_an_extra_item(refused, changed):
    path = changed(lambda run: person(run, 2)["ground_truth_items"].update(Extra=1))
    error, _ = refused("--input", path, *FEW)
    assert "`ground_truth_items` has an item too many" in error


def test_a_participant_who_occurs_twice(refused, changed):
    path = changed(lambda run: person(run, 2).update(participant_id=9002))
    error, hint = refused("--input", path, *FEW)
    assert error.endswith("participant 9002 occurs 2 times")
    assert hint == "each participant may occur once per mode"


def test_a_prediction_out_of_range(refused, changed):
    path = changed(lambda run: person(run, 2)["predicted_items"].update(Sleep=4))
    error, _ = refused("--input", path, *FEW)
    assert "participant 9003" in error
    assert "Sleep" in error
    assert "4" in error


def test_a_mode_that_does_not_exist_lists_those_that_do(refused):
    error, hint = refused("--input", "run.json", "--mode", "none")
    assert error == "run.json has no mode 'none'"
    assert hint == "its modes are zero_shot, few_shot"


def test_several_modes_and_none_chosen(refused):
    error, hint = refused("--input", "run.json")
    assert error == "run.json holds 2 experiments and no mode was chosen"
    assert hint == "choose one with --mode; the modes are zero_shot, few_shot"


def test_different_participants_need_the_intersection(refused, selective, changed):
    path = changed(lambda run: person(run, 3).update(participant_id=77))
    inputs = ("--input", "run.json", "--input", path, *FEW)
    error, hint = refused(*inputs)
    assert error == (
        "the inputs are about different participants: 1 only in run.json (few_shot)"
        " (such as 9004), 1 only in changed.json (few_shot) (such as 77)"
    )
    assert hint == "--intersection-only compares the participants they share"
    done = selective(*inputs, "--intersection-only")
    assert done.code == 0
    assert "1 participant only in run.json, 1 only in changed.json: left out" in done.out


@pytest.mark.parametrize("role", ["prediction", "truth"])
def test_a_column_that_is_not_there_names_the_option_that_chooses_it(refused, folder, role):
    header = "participant,prediction,truth".replace(role, "other")
    (folder / "t.csv").write_text(f"{header}\n1,2,3\n")
    error, hint = refused("--input", "t.csv")
    assert error == f"t.csv has no column `{role}`"
    columns = header.replace(",", ", ")
    assert hint == f"its columns are {columns}; --{role} names the one that is meant"
    error, hint = refused("--input", "t.csv", f"--{role}", "x" * 99)
    assert error == f"t.csv has no column `{'x' * 59}…`"


def first_answered(run):
    signals = person(run, 2)["item_signals"]
    return next(
        signals[item]
        for item, given in person(run, 2)["predicted_items"].items()
        if given is not None
    )


@pytest.mark.parametrize(("found", "shown"), [(None, "null"), (1e400, "Infinity")])
def test_a_confidence_that_is_not_a_number(refused, changed, found, shown):
    path = changed(lambda run: first_answered(run).update(llm_evidence_count=found))
    error, _ = refused("--input", path, *FEW)
    assert shown in error


def test_an_absent_signal_names_what_the_file_supports(refused, changed):
    def strip(run):
        for someone in run["experiments"][1]["results"]["results"]:
            for signals in someone["item_signals"].values():
                signals.pop("token_msp", None)

    error, hint = refused("--input", changed(strip), *FEW, "--confidence", "token_msp")
    assert "confidence token_msp needs a usable value of `token_msp`, found no such key" in error
    assert hint.startswith("this input supports --confidence consistency,")
    assert "verbalized" in hint
    assert "token_msp" not in hint


def test_a_refusal_without_a_hint_of_its_own_names_the_help(assay):
    done = assay("selective", "--input", "run.json", *FEW, "--seed", "-1")
    assert done.code == 1
    assert done.err.endswith("found -1\n\nhint: Seed of the resamples.\n")
    job = ("--data", "run.json", "--base-url", "http://127.0.0.1:9", "--model", "m")
    done = assay("run", "items", *job, "--output", "o.json", "--max-tokens", "0")
    assert done.err.endswith("\n\nhint: assay run items --help shows how it is used\n")


def test_a_refusal_does_not_repeat_a_long_name(assay):
    done = assay("selective", "--input", "run.json", *FEW, "--output", "x" * 10_000)
    assert done.err.startswith(f"error: cannot write {'x' * 254}… file name too long\n")


def test_the_name_of_a_file_that_is_too_long_is_cut_and_told(assay):
    done = assay("finish", "x" * 10_000)
    assert (done.code, len(done.err) < 400) == (1, True)
    assert done.err.endswith(
        "file name too long\n\nhint: most systems take names of 255 bytes at most\n"
    )


def test_misuse_does_not_repeat_a_long_word(assay):
    done = assay("metrics", "x" * 10_000)
    assert done.code == 2
    assert done.err == (
        f"error: Got unexpected extra argument ({'x' * 253}…\n\n"
        "hint: assay metrics --help shows how it is used\n"
    )


@pytest.mark.parametrize("coverage", ["0", "1.5", "-0.1", "nan"])
@pytest.mark.parametrize("flag", ["--coverage-grid", "--area-coverage"])
def test_a_coverage_outside_its_range(refused, flag, coverage):
    error, _ = refused("--input", "run.json", *FEW, flag, coverage)
    assert error.startswith(f"{flag} must be ")
    assert f"found {float(coverage):g}" in error.replace(".0", "")


def test_negative_resamples(refused):
    error, hint = refused("--input", "run.json", *FEW, "--bootstrap-resamples", "-1")
    assert error.startswith("--bootstrap-resamples must be ")
    assert error.endswith("found -1")
    assert hint.endswith("0 means no intervals")


@pytest.mark.parametrize(
    ("flag", "value", "said"),
    [("--level", "1", "level"), ("--seed", "-1", "seed"), ("--threads", "-1", "threads")],
)
def test_other_numbers_out_of_range(refused, flag, value, said):
    error, _ = refused("--input", "run.json", *FEW, flag, value)
    assert said in error
    assert f"found {value}" in error


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        (".", "it is a folder"),
        ("/dev/null", "it is not a regular file"),
        ("run.json", "it is one of the inputs"),
        ("run.json/a.json", "not a directory"),
        ("/proc/nowhere/a.json", "no such file or directory"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_read(refused, place, reason):
    error, hint = refused("--input", "run.json", *FEW, "--output", place)
    assert error == f"cannot write {place}: {reason}"
    assert hint == "choose another place with --output"


def test_a_default_place_that_cannot_be_written(refused, folder):
    (folder / "assay-out").write_text("in the way")
    error, _ = refused("--input", "run.json", *FEW)
    assert error == "cannot write assay-out/selective_TIME.json: not a directory"


def test_a_time_that_is_no_time(refused, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    error, _ = refused("--input", "run.json", *FEW)
    assert error == "SOURCE_DATE_EPOCH must be seconds since 1970, found 'yesterday'"


def test_what_a_terminal_would_act_on_is_spelled_out(refused):
    error, _ = refused("--input", "[red]\x1b[31m\n\u202ename.json")
    assert r"[red]\x1b[31m\n\u202ename.json" in error


def test_names_from_a_file_are_printed_inert(selective, changed):
    mode = "[red]\x1b[31mm\u00e9"

    def rename(run):
        run["experiments"][1]["provenance"]["mode"] = mode
        run["experiments"][1]["results"]["mode"] = mode

    done = selective("--input", changed(rename), "--mode", mode)
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "Selective prediction: [red]\\x1b[31mm\u00e9\n" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no table was given"),
        (("--input", "run.json", "--area", "steps"), "'steps' is not one of"),
        (("--input", "run.json", "--coverage-grid", "0.1;0.2"), "separated by commas"),
        (("--input", "run.json", "--scale", "3"), "'3' is not two numbers"),
        (("--input", "run.json", "--seed", "x"), "'x' is not a valid integer"),
        (("--input", "-", "--input", "-"), "so - may be given once"),
        (("--inptu", "run.json"), "No such option '--inptu'"),
    ],
)
def test_misuse_exits_with_2_and_points_to_the_help(refused, arguments, said):
    error, hint = refused(*arguments, code=2)
    assert said in error
    assert hint == "assay selective --help shows how it is used"


def test_a_loss_that_is_none_and_modes_that_do_not_fit(refused):
    error, hint = refused("--input", "run.json", *FEW, "--loss", "huber")
    assert error == "there is no loss 'huber'"
    assert hint == "the losses are abs, abs_norm, squared, zero_one"
    error, hint = refused(*(("--input", "run.json") * 3), "--mode", "x", "--mode", "y")
    assert error == "found 3 inputs and 2 modes"
    assert hint.startswith("give no mode, one for all inputs, or one per input")


def test_a_command_that_does_not_exist(assay):
    done = assay("selectiv")
    assert done.code == 2
    assert done.err.startswith("error: No such command 'selectiv'")


def test_a_file_that_cannot_be_finished_leaves_nothing_behind(refused, folder, monkeypatch):
    (folder / "assay-out").mkdir()

    def full(data, path):
        msg = f"cannot write {path}: no space left on device"
        raise OutputError(msg)

    monkeypatch.setattr("assay.files.write_new", full)
    error, _ = refused("--input", "run.json", *FEW)
    assert error.endswith("no space left on device")


def test_no_thread_is_no_number_of_threads(refused):
    error, _ = refused("run.json", "--mode", "few_shot", "--threads", "0")
    assert error == "--threads must be at least 1, found 0"
