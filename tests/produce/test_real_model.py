"""From a transcript and from vignettes to evaluated files, against a real model over HTTP.

Nothing here expects a good answer: a model of 135 million parameters is no clinician.
"""

from __future__ import annotations

import gzip
import json

import pytest
from click.testing import CliRunner

from assay.cli import command as program
from assay.produce.tasks import prompt_hash
from tests.produce.real_model import MODEL, running

pytestmark = pytest.mark.llm

TRANSCRIPT = "I wake at three every night. Some days I am exhausted."
PERSON = {
    "participant_id": "p001",
    "transcript": TRANSCRIPT,
    "ground_truth_items": {"Sleep": 2, "Tired": 1},
}
REFERENCES = [
    {"id": "r1", "text": "I lie awake every night.", "scores": {"Sleep": 2}},
    {"id": "r2", "text": "I am worn out most afternoons.", "scores": {"Tired": 2}},
    {"id": "own", "text": TRANSCRIPT, "scores": {"Sleep": 2}, "participant_id": "p001"},
]
TASK = """\
task: items
name: nights
title: sleep and tiredness
scale: [{score: 0, means: never}, {score: 1, means: some days}, {score: 2, means: every day}]
items:
  - {key: Sleep, title: sleep, question: "How often is sleep bad?", keywords: [sleep, wake]}
  - {key: Tired, title: tiredness, question: "How often tired?"}
max_tokens: 120
max_quotes: 1
max_quote_length: 12
prompts:
  system: Score it.
  item: |
    {transcript}
    {references}{question}
    {scale}
    {{"evidence":["night"],"score":1,"confidence":3}}
  all_items: "{transcript} {questions}"
  references: "Examples:\\n{examples}\\n"
  example: "{text} Score: {score}"
"""
REPEATABLE = ("--concurrency", 1, "--probe-tokens", 5, "--extra-body", '{"cache_prompt": false}')
"""what is computed together, or was kept from before, rounds differently"""
NUMBERS = (
    "token_msp",
    "token_pe",
    "token_energy",
    "score_token_msp",
    "score_token_pe",
    "score_token_energy",
    "consistency_modal_confidence",
    "consistency_score_std",
    "consistency_na_rate",
    "retrieval_similarity_mean",
    "retrieval_similarity_max",
)


@pytest.fixture(scope="module")
def base_url():
    with running() as url:
        yield url


def assay(*arguments):
    return CliRunner().invoke(program, [str(each) for each in arguments])


def lines(path, records):
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def run_items(tmp_path, base_url, name, *options, code=0):
    data = lines(tmp_path / "data.jsonl", [PERSON])
    task = tmp_path / "task.yaml"
    task.write_text(TASK, encoding="utf-8")
    output = tmp_path / f"{name}.json"
    result = assay(
        *("run", "items", "--data", data, "--task", task, "--base-url", base_url),
        *("--model", MODEL, "--output", output, *options),
    )
    assert result.exit_code == code, result.output
    experiment = json.loads(output.read_bytes())["experiments"][0]
    return experiment["provenance"], experiment["results"]["results"][0]


def few_shot(tmp_path, base_url, name, *options):
    references = lines(tmp_path / "references.jsonl", REFERENCES)
    shown = ("--references", references, "--n-references", 1, "--embedding-model", MODEL)
    sampled = ("--consistency-samples", 2, "--consistency-temperature", 0.8, *REPEATABLE)
    return run_items(tmp_path, base_url, name, "--mode", "few_shot", *shown, *sampled, *options)


def test_a_transcript_becomes_a_run_file_with_every_signal_and_is_evaluated(tmp_path, base_url):
    provenance, person = few_shot(tmp_path, base_url, "run")
    capabilities = provenance["capabilities"]
    returned = ("logprobs", "n", "seed", "seed_varies", "json_schema", "embeddings")
    assert {name: capabilities[name] for name in returned} == dict.fromkeys(returned, True)
    assert capabilities["max_top_logprobs"] == 20
    assert person["success"], person["error"]
    for item, reference in (("Sleep", "r1"), ("Tired", "r2")):
        signals = person["item_signals"][item]
        assert [name for name in NUMBERS if type(signals[name]) is not float] == []
        assert signals["retrieval_references"] == [reference]
        assert len(signals["consistency_samples"]) + signals["consistency_failed"] == 2
        assert 0 < signals["score_token_msp"] <= 1
        assert signals["token_top_k"] == 5
        empty = {name for name, value in signals.items() if value is None}
        assert empty == set(signals["signal_reasons"])

    stored = gzip.decompress((tmp_path / "run.prompts.jsonl.gz").read_bytes()).splitlines()
    prompts = {record["sha256"]: record["messages"] for record in map(json.loads, stored)}
    for item, example in (("Sleep", "every night."), ("Tired", "most afternoons.")):
        name = person["item_answers"][item]["prompt_sha256"]
        assert prompt_hash(prompts[name]) == name
        assert f"{example} Score: 2\n" in prompts[name][1]["content"]

    artifact = tmp_path / "selective.json"
    options = ("--confidence", "all", "--bootstrap-resamples", 20, "--output", artifact)
    result = assay("selective", "--input", tmp_path / "run.json", *options)
    assert result.exit_code == 0, result.output
    assert json.loads(artifact.read_bytes())["population"]["items_total"] == 2

    # The same question with the same seeds, in a run of its own, has the same answer to the bit.
    journal = (tmp_path / "run.journal.jsonl").read_bytes().splitlines(keepends=True)
    probes = tmp_path / "probes.jsonl"
    probes.write_bytes(b"".join(line for line in journal if b'"key":"probe/' in line))
    _, again = few_shot(tmp_path, base_url, "again", "--item", "Sleep", "--reuse", probes)
    assert again["item_signals"]["Sleep"] == person["item_signals"]["Sleep"]
    assert again["item_answers"]["Sleep"] == person["item_answers"]["Sleep"]


def test_a_truncated_answer_is_a_failure_and_not_an_abstention(tmp_path, base_url):
    less = [each for name in ("json_schema", "logprobs", "seed") for each in ("--without", name)]
    options = ("--item", "Sleep", "--max-tokens", 4, *less)
    provenance, person = run_items(tmp_path, base_url, "run", *options, code=1)
    assert provenance["capabilities"]["logprobs"] is None
    assert person["success"] is False
    assert person["error"].startswith("Sleep: truncated: the answer reached the token limit")
    assert person["predicted_items"] == {}


VIGNETTE = {
    "id": "a_001",
    "prompt": "For a year a man has worried about money and health on most days, and is tense.",
    "gold_answer": "generalized anxiety disorder",
    "gold_reasoning": ["The worry has lasted for a year."],
}
GRAMMAR = """\
root ::= ("REASONING: " sentence sentence "\\n")? "DIAGNOSIS: " label
sentence ::= [A-Z] [a-z ]{20,60} ". "
label ::= "generalized anxiety disorder" | "schizophrenia"
"""


def test_vignettes_become_generations_that_are_evaluated(tmp_path, base_url):
    vignettes = tmp_path / "vignettes.json"
    vignettes.write_text(json.dumps([VIGNETTE]), encoding="utf-8")
    folder = tmp_path / MODEL
    result = assay(
        *("run", "generations", "--vignettes", vignettes, "--modes", "cot,direct"),
        *("--base-url", base_url, "--model", MODEL, "--output", folder),
        *("--extra-body", json.dumps({"grammar": GRAMMAR})),
    )
    assert result.exit_code == 0, result.output
    written = (folder / "generations.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in written]
    assert [(row["id"], row["mode"], row["status"]) for row in rows] == [
        ("a_001", "cot", "ok"),
        ("a_001", "direct", "ok"),
    ]
    assert all("DIAGNOSIS: " in row["output_text"] for row in rows)
    result = assay(
        *("reasoning", "--generations", folder, "--vignettes", vignettes),
        *("--output", tmp_path / "reasoning", "--bootstrap-resamples", 20),
    )
    assert result.exit_code == 0, result.output
