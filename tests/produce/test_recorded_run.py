"""The recorded run of a real model is of the files beside it, and the rest of Assay reads it."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import assay
from assay.cli import command as program
from assay.produce.tasks import prompt_hash

FOLDER = Path(assay.__file__).parent / "data" / "run"
RUN = FOLDER / "smollm2_items.json"
GENERATIONS = FOLDER / "smollm2"


@pytest.fixture(scope="module")
def experiment():
    return json.loads(RUN.read_bytes())["experiments"][0]


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def prompts(path):
    lines = gzip.decompress(path.read_bytes()).splitlines()
    return {record["sha256"]: record["messages"] for record in map(json.loads, lines)}


def test_the_recording_is_of_the_files_beside_it(experiment):
    known = experiment["provenance"]["parameters"]["sha256"]
    assert known["data"] == sha256(FOLDER / "transcripts.jsonl")
    assert known["references"] == sha256(FOLDER / "references.jsonl")
    record = json.loads((GENERATIONS / "run.json").read_bytes())
    assert record["vignettes"]["sha256"] == sha256(FOLDER / "vignettes.json")
    assert record["bias_cases"]["sha256"] == sha256(FOLDER / "bias_cases.json")
    assert record["task"]["sha256"] == sha256(FOLDER / "vignettes_llama.yaml")


def test_the_recording_is_small():
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 300_000


def test_every_answer_names_a_stored_prompt_that_holds_its_transcript(experiment):
    path = FOLDER / "smollm2_items.prompts.jsonl.gz"
    assert experiment["provenance"]["prompts_sha256"] == sha256(path)
    stored = prompts(path)
    assert all(prompt_hash(messages) == name for name, messages in stored.items())
    lines = (FOLDER / "transcripts.jsonl").read_text(encoding="utf-8").splitlines()
    said = {record["participant_id"]: record["transcript"] for record in map(json.loads, lines)}
    for person in experiment["results"]["results"]:
        for answer in person["item_answers"].values():
            content = stored[answer["prompt_sha256"]][-1]["content"]
            assert said[person["participant_id"]] in content


def test_every_null_of_the_recording_has_its_reason(experiment):
    people = [each for each in experiment["results"]["results"] if each["success"]]
    assert people
    for person in people:
        assert len(person["item_signals"]) == 8
        for signals in person["item_signals"].values():
            empty = {name for name, value in signals.items() if value is None}
            assert empty == set(signals["signal_reasons"])


def test_the_recorded_run_is_evaluated_under_every_confidence(tmp_path):
    artifact = tmp_path / "selective.json"
    options = ["--confidence", "all", "--bootstrap-resamples", "50", "--output", str(artifact)]
    result = CliRunner().invoke(program, ["selective", "--input", str(RUN), *options])
    assert result.exit_code == 0, result.output
    population = json.loads(artifact.read_bytes())["population"]
    assert population["participants_total"] == 5


def test_the_recorded_generations_are_evaluated(tmp_path):
    vignettes = ["--vignettes", str(FOLDER / "vignettes.json")]
    output = ["--output", str(tmp_path / "reasoning"), "--bootstrap-resamples", "50"]
    result = CliRunner().invoke(
        program, ["reasoning", "--generations", str(GENERATIONS), *vignettes, *output]
    )
    assert result.exit_code == 0, result.output
