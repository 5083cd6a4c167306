"""Whatever stands in a file, wherever a command takes one: one sentence, a hint, exit code 1."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import threading

import pytest

from assay.calibrators.files import FILE_VERSION
from assay.demo import DEMO_PATH
from assay.demo import REASONING_FOLDER as REASONING
from assay.demo import VERDICTS_FOLDER as VERDICTS

DATA = DEMO_PATH.parent
RUN = "selective --mode few_shot --bootstrap-resamples 20"
JUDGED = "verdicts --bootstrap-resamples 20 --ground-truth ground_truth.json"
REASONED = "reasoning --bootstrap-resamples 20 --output out --generations results"
ASK = "--base-url http://127.0.0.1:9/v1 --model m --output asked --dry-run"
CALIBRATOR = {"method": "temperature_scaling", "version": FILE_VERSION, "temperature": 1.5}
JSON_DOORS = {
    "run.json": f"{RUN} --input",
    "rows.jsonl": "selective --bootstrap-resamples 20 --input",
    "calibrator.json": f"{RUN} --input run.json --confidence verbalized_calibrated --calibration",
    "calibrated run.json": "calibrate --mode few_shot --output c.json --method logistic"
    " --features verbalized_confidence --input",
    "stated run.json": "calibration --mode few_shot --confidence token_msp --input",
    "stated rows.jsonl": "calibration --y-true y --y-score p",
    "interval rows.jsonl": "intervals --y truth --low low --up up",
    "set rows.jsonl": "sets --y truth --set labels",
    "direct.json": f"{JUDGED} --results",
    "ground_truth.json": "verdicts --results direct.json --ground-truth",
    "reviews.jsonl": f"{JUDGED} --results direct.json --reviews",
    "policy.json": f"{JUDGED} --results direct.json --policy",
    "generations.jsonl": "extract --output out",
    "vignettes.json": f"{REASONED} --vignettes",
    "gold_labels.json": f"{REASONED} --vignettes vignettes.json --gold-labels",
    "bias_cases.json": f"{REASONED} --vignettes vignettes.json --bias-generations results"
    " --bias-cases",
    "labels.json": "extract generations.jsonl --output out --labels",
    "compared bias_cases.json": "bias --bias-generations results --output out --bias-cases",
    "artifact.json": "report --output page.html",
    "drawn artifact.json": "figures --output drawn",
    "transcripts.jsonl": f"run items {ASK} --data",
    "references.jsonl": f"run items {ASK} --data transcripts.jsonl --mode few_shot"
    " --embedding-model e --references",
    "task.json": f"run items {ASK} --data transcripts.jsonl --task",
    "asked vignettes.json": f"run generations {ASK} --vignettes",
}
ROW = {"participant": 1, "prediction": 1, "truth": 2, "y": 1, "p": 0.5, "low": 1, "up": 3}


@pytest.fixture
def door(folder, assay):
    """Put a changed file where a command takes it; return the two sentences that come out."""
    for source in (DATA / "run", VERDICTS, REASONING):
        shutil.copytree(source, folder, dirs_exist_ok=True)
    shutil.copy(REASONING / "results/steady/study_a_generations.jsonl", "generations.jsonl")
    made = {
        "rows.jsonl": {**ROW, "labels": [2]},
        "calibrator.json": CALIBRATOR,
        "policy.json": {"policy": "p"},
        "labels.json": {"labels": ["a"]},
        "artifact.json": {"kind": "selective", "schema_version": "1"},
        "task.json": {"task": "items"},
    }
    for name, content in made.items():
        (folder / name).write_text(json.dumps(content))

    def run(name, change):
        whole = (folder / name.rpartition(" ")[2]).read_bytes()
        (folder / f"changed {name}").write_bytes(change(whole))
        before = sorted(folder.rglob("*"))
        done = assay(*JSON_DOORS[name].split(), f"changed {name}")
        assert (done.code, done.out) == (1, ""), done.err
        assert sorted(folder.rglob("*")) == before
        error, _, hint = done.err.rstrip("\n").partition("\n\nhint: ")
        assert "\n" not in error + hint
        return error.removeprefix("error: "), hint

    return run


@pytest.mark.parametrize("name", JSON_DOORS)
def test_a_key_that_stands_twice_is_refused_wherever_json_is_read(door, name):
    error, _ = door(name, lambda data: data.replace(b"{", b'{"zz": 1, "zz": 2, ', 1))
    assert error.startswith(f"changed {name}")
    assert "the key 'zz' twice" in error


NOT_UTF_8 = b'{"zz": "\xe4", '


@pytest.mark.parametrize("name", JSON_DOORS)
def test_text_that_is_not_utf_8_is_refused_wherever_json_is_read(door, name):
    error, _ = door(name, lambda data: data.replace(b"{", NOT_UTF_8, 1))
    assert error.startswith(f"changed {name}")
    assert "0xe4" in error


def test_an_answer_that_is_not_utf_8_has_failed_and_the_others_have_not(assay, folder):
    shutil.copytree(VERDICTS, folder, dirs_exist_ok=True)
    given = JSON_DOORS["direct.json"].split()
    n_failed = []
    for name in ("direct.json", "changed.json"):
        whole = (folder / "direct.json").read_bytes()
        head, row, rest = whole.partition(b'"results": [')
        (folder / "changed.json").write_bytes(head + row + rest.replace(b"{", NOT_UTF_8, 1))
        done = assay(*given, name, "--bootstrap-resamples", "0", "--json", "--quiet")
        assert done.code == 0, done.err
        counts = json.loads(done.out)["systems"][0]["variants"][""]["counts"]
        n_failed.append(counts["n_failed"])
    assert n_failed[1] == n_failed[0] + 1


ENDLESS = {
    **{name: command for name, command in JSON_DOORS.items() if name != "generations.jsonl"},
    "rows.csv": "selective --input",
    "stated rows.npz": "calibration --y-true y --y-score p",
    "policy.yaml": f"{JUDGED} --results direct.json --policy",
}


@pytest.mark.parametrize("command", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_file_is_read_up_to_the_limit_and_refused(door, assay, command):
    done = assay(*command.split(), "/dev/zero", "--memory-limit", "10MB")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "error: /dev/zero holds more than 10 MB, the limit of what is read into memory\n\n"
        "hint: raise the limit with --memory-limit, as in 8GB\n"
    )


def test_a_small_gzip_file_that_holds_much_is_refused_and_read_once_the_limit_allows(assay, folder):
    lines = json.dumps(ROW) + "\n" + " " * 3_000_000
    (folder / "t.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    read = ("selective", "--bootstrap-resamples", "0", "--input", "t.jsonl.gz", "--memory-limit")
    done = assay(*read, "2MB")
    assert done.code == 1
    assert done.err.startswith(
        "error: t.jsonl.gz holds more than 2 MB once decompressed, the limit of what is read"
    )
    for enough in ("0.004GB", "4 mb", "4000000"):
        assert "holds more than" not in assay(*read, enough).err


def test_a_pipe_is_read_like_a_file(assay, folder):
    os.mkfifo("pipe.jsonl")
    rows = "".join(json.dumps({**ROW, "participant": n, "confidence": n}) + "\n" for n in (1, 2))
    writer = threading.Thread(target=(folder / "pipe.jsonl").write_text, args=(rows,))
    writer.start()
    done = assay(
        "selective",
        "--bootstrap-resamples",
        "0",
        "--input",
        "pipe.jsonl",
        "--json",
        "--confidence",
        "confidence",
        "--loss",
        "abs",
    )
    writer.join()
    assert done.code == 0, done.err
    assert json.loads(done.out)["population"]["items_total"] == 2


@pytest.mark.parametrize("size", ["", "0", "lots", "-1GB", "8XB", "1e3", "99999999999TB", "nan"])
def test_a_limit_that_is_no_size_is_misuse(assay, size):
    done = assay("selective", "--input", "run.json", "--memory-limit", size)
    assert done.code == 2
    assert f"{size!r} is not a size, as in 500MB or 8GB" in done.err


def test_generations_are_read_twice_and_so_from_regular_files_only(assay, folder):
    os.mkfifo("g.jsonl")
    descriptor = os.open("g.jsonl", os.O_RDWR)  # so that opening it to read does not wait
    done = assay("extract", "g.jsonl", "--output", "out")
    os.close(descriptor)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: g.jsonl is not a regular file; generations are read twice")


@pytest.mark.parametrize(
    "option",
    [
        "selective --input run.json --bootstrap-resamples",
        "selective --input run.json --seed",
        "selective --input run.json --threads",
        "calibration t.csv --y-true y --y-score p --bins",
        "calibration t.csv --y-true y --y-score p --draws",
        "calibrate --input run.json --method logistic --features a --output c --folds",
        "intervals t.csv --y y --low l --up u --groups",
        "sets t.csv --y y --set s --groups",
        "reasoning --generations g --vignettes v --min-tokens",
        "reasoning --generations g --vignettes v --min-characters",
        "verdicts --results r --ground-truth t --k",
        f"run items {ASK} --data d --max-tokens",
        f"run items {ASK} --data d --attempts",
        f"run items {ASK} --data d --consistency-samples",
        f"run generations {ASK} --vignettes v --seed",
    ],
)
@pytest.mark.parametrize(
    ("number", "said"),
    [
        (str(2**63), "'9223372036854775808' is beyond 64 bits."),
        (str(-(2**64)), "'-18446744073709551616' is beyond 64 bits."),
        ("1" * 5000, f"'{'1' * 57}…' is not a valid integer."),
    ],
    ids=["63", "64", "many"],
)
def test_a_whole_number_beyond_64_bits_is_misuse(assay, option, number, said):
    done = assay(*option.split(), number)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
