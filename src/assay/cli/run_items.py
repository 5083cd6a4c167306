"""`assay run items`: score every item of a questionnaire for every participant."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_type_hints

import click

from assay.cli.options import (
    AT_LEAST_ONE,
    NOT_NEGATIVE,
    WHOLE,
    choice,
    chosen_fields,
    option,
    with_options,
)
from assay.cli.run_arguments import (
    EXTRA_BODY,
    KEYS,
    LIMITS,
    SERVER,
    WRITING,
    folder_names,
    json_object,
    models_of,
    servers,
)
from assay.cli.run_work import Places, Planned, carry_out
from assay.produce.item_calls import ItemsRequest, items_job
from assay.produce.probe import Wish

EXAMPLES = """\
\b
Examples:
  assay run items --data interviews.jsonl --base-url http://127.0.0.1:8080/v1 \\
    --model llama --output run.json
  assay run items --data interviews/ --base-url http://127.0.0.1:11434/v1 \\
    --model llama --consistency-samples 5 --output run.json
  assay run items --data interviews.jsonl --base-url https://models.example/v1 \\
    --model large --mode few_shot --references scored.jsonl \\
    --embedding-model small --api-key-env MODELS_KEY --output run.json"""
_TYPES = get_type_hints(ItemsRequest)
_USUAL = {name: each.default for name, each in ItemsRequest.__dataclass_fields__.items()}
READ = ("data", "task", "references", "api_key_file", "embedding_api_key_file", "price_file")
"""options that name files to read"""


def _field(flag: str, meaning: str, **settings: Any) -> Any:
    """Declare an option whose default is that of the field of the same name."""
    name = flag[2:].replace("-", "_")
    return option(flag, name, meaning, _USUAL[name], **settings)


QUESTIONS = (
    click.option(
        "--data",
        required=True,
        metavar="FILE|FOLDER",
        help="Transcripts: JSON lines, or a folder with one .txt file per participant.",
    ),
    option("--task", "task", "The questionnaire, a YAML or JSON file.", "PHQ-8", metavar="FILE"),
    click.option(
        "--item", "items", multiple=True, metavar="NAME", help="Only this item; may be repeated."
    ),
    _field("--mode", "Without or with scored examples in the prompt.", type=choice(_TYPES["mode"])),
    _field(
        "--items-per-call",
        "One item per call, each with its own token signals, or all at once.",
        type=choice(_TYPES["items_per_call"]),
    ),
)
SAMPLING = (
    _field("--seed", "Seed of the first call of each item; samples count up.", type=WHOLE),
    _field("--temperature", "Temperature of the scored answer.", type=float),
    option("--max-tokens", "max_tokens", "Longest answer.", "as the task says", type=WHOLE),
    _field(
        "--top-logprobs",
        "Alternatives per token; 0 asks for no token signals.",
        type=NOT_NEGATIVE,
    ),
    _field(
        "--consistency-samples",
        "Further calls per item for the consistency signals.",
        type=NOT_NEGATIVE,
        metavar="K",
    ),
    _field("--consistency-temperature", "Temperature of these calls.", type=float),
    _field(
        "--prediction",
        "Score of the greedy call, or mode of the samples.",
        type=choice(_TYPES["prediction"]),
    ),
    click.option(
        "--without",
        multiple=True,
        type=choice(Wish),
        help="Go on where the server lacks this; its signals are null with the reason.",
    ),
    EXTRA_BODY,
    _field("--probe-tokens", "Longest answer while the server is probed.", type=WHOLE),
)
REFERENCES = (
    click.option("--references", metavar="FILE", help="Scored passages for few_shot, JSON lines."),
    _field("--n-references", "Examples per item.", type=AT_LEAST_ONE),
    _field("--min-similarity", "Least cosine similarity of an example.", type=float),
    click.option("--embedding-model", metavar="NAME", help="The model of the embeddings."),
    option(
        "--embedding-base-url",
        "embedding_base_url",
        "The server of the embeddings.",
        "--base-url",
        metavar="URL",
    ),
    option(
        "--embedding-extra-body",
        "embedding_extra_body",
        "Keys for the body of every call for embeddings.",
        "--extra-body",
        callback=json_object,
        metavar="JSON",
    ),
    click.option(
        "--embedding-api-key-env",
        metavar="NAME",
        help="The variable of its key, where it is another server.",
    ),
    click.option("--embedding-api-key-file", metavar="FILE", help="The file of its key, likewise."),
)
OUTPUT = click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="The run file; prompts and the journal go beside it.",
)


@click.command("items", epilog=EXAMPLES)
@with_options(QUESTIONS, SERVER, KEYS, SAMPLING, REFERENCES, LIMITS, [OUTPUT], WRITING)
def command(output: Path, **chosen: Any) -> None:
    """Score every item of a questionnaire for every participant, with every signal.

    Each score comes with its evidence, the confidence the model states, token probabilities,
    agreement between samples and similarities of examples: a run file for `assay selective` and
    `assay calibration`. What a server does not return is null with a reason.
    """
    endpoints = servers(chosen)
    named = {server: endpoint.base_url for server, endpoint in endpoints.items()}
    chosen |= {"base_url": named["chat"], "embedding_base_url": named["embedding"]}
    request = chosen_fields(ItemsRequest, chosen)
    models = models_of(chosen)
    jobs = {model: items_job(ItemsRequest(**request, model=model)) for model in models}
    stem = output.with_suffix("") if output.suffix == ".json" else output
    stems = dict.fromkeys(models, stem)
    if len(models) > 1:
        names = folder_names(models)
        stems = {model: stem.parent / f"{stem.name}.{names[model]}" for model in models}

    def places(model: str) -> Places:
        name = stems[model].name
        return Places(
            journal=chosen["journal"] or stem.parent / f"{stem.name}.journal.jsonl",
            files={
                "run.json": output if len(models) == 1 else stem.parent / f"{name}.json",
                "prompts.jsonl.gz": stem.parent / f"{name}.prompts.jsonl.gz",
            },
            inputs=[chosen[each] for each in READ if chosen[each]],
        )

    carry_out([Planned(model, jobs[model], places(model)) for model in jobs], endpoints, chosen)
