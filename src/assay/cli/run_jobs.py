"""`assay run items` and `assay run generations`: what they are asked."""

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
    joined_names,
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
from assay.produce.generations import FILES, GenerationsRequest, generations_job
from assay.produce.item_calls import ItemsRequest, items_job
from assay.produce.probe import Wish

ITEMS_EXAMPLES = """\
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
_OF_ITEMS = {name: each.default for name, each in ItemsRequest.__dataclass_fields__.items()}
ITEMS_READ = ("data", "task", "references", "api_key_file", "embedding_api_key_file", "price_file")
"""options that name files to read"""


def _field(flag: str, meaning: str, **settings: Any) -> Any:
    """Declare an option whose default is that of the field of the same name."""
    name = flag[2:].replace("-", "_")
    return option(flag, name, meaning, _OF_ITEMS[name], **settings)


TRANSCRIPTS = (
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
SCORING = (
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
RUN_FILE = click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="The run file; prompts and the journal go beside it.",
)


@click.command("items", epilog=ITEMS_EXAMPLES)
@with_options(TRANSCRIPTS, SERVER, KEYS, SCORING, REFERENCES, LIMITS, [RUN_FILE], WRITING)
def _items(output: Path, **chosen: Any) -> None:
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
            inputs=[chosen[each] for each in ITEMS_READ if chosen[each]],
        )

    carry_out([Planned(model, jobs[model], places(model)) for model in jobs], endpoints, chosen)


GENERATIONS_EXAMPLES = """\
\b
Examples:
  assay run generations --vignettes vignettes.json --base-url http://127.0.0.1:8080/v1 \\
    --model llama --output results/llama
  assay run generations --vignettes vignettes.json --bias-cases cases.json \\
    --modes cot,direct,bias --base-url https://models.example/v1 --model large \\
    --api-key-env MODELS_KEY --output results/large"""
_OF_GENERATIONS: dict[str, Any] = {
    name: each.default for name, each in GenerationsRequest.__dataclass_fields__.items()
}
GENERATIONS_READ = ("vignettes", "task", "bias_cases", "api_key_file", "price_file")
"""options that name files to read"""
VIGNETTES = (
    click.option(
        "--vignettes", required=True, metavar="FILE", help="Cases: a JSON list or JSON lines."
    ),
    option("--task", "task", "Prompts, a YAML or JSON file.", "as shipped", metavar="FILE"),
    option(
        "--modes",
        "modes",
        "How to ask: cot, direct, bias.",
        ",".join(_OF_GENERATIONS["modes"]),
        multiple=True,
        callback=joined_names,
        metavar="MODE,...",
    ),
    click.option("--bias-cases", metavar="FILE", help="Cases for the mode bias, if separate."),
)
WRITTEN = (
    option("--seed", "seed", "Seed of every call.", _OF_GENERATIONS["seed"], type=WHOLE),
    option(
        "--temperature", "temperature", "Temperature.", _OF_GENERATIONS["temperature"], type=float
    ),
    option("--max-tokens", "max_tokens", "Longest answer.", "as the task says", type=WHOLE),
    EXTRA_BODY,
    option(
        "--probe-tokens",
        "probe_tokens",
        "Longest answer while the server is probed.",
        _OF_GENERATIONS["probe_tokens"],
        type=WHOLE,
    ),
)
FOLDER = click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where the generations, the prompts and the journal go.",
)


@click.command("generations", epilog=GENERATIONS_EXAMPLES)
@with_options(VIGNETTES, SERVER, KEYS, WRITTEN, LIMITS, [FOLDER], WRITING)
def _generations(output: Path, **chosen: Any) -> None:
    """Ask about every vignette, with reasoning first, directly, and under bias.

    The folder holds the raw generations that `assay reasoning` evaluates.
    """
    endpoints = servers(chosen)
    chosen["base_url"] = endpoints["chat"].base_url
    if chosen["modes"] is not None:
        modes = (each.strip() for each in chosen["modes"].split(","))
        chosen["modes"] = tuple(dict.fromkeys(each for each in modes if each))
    request = chosen_fields(GenerationsRequest, chosen)
    models = models_of(chosen)
    jobs = {model: generations_job(GenerationsRequest(**request, model=model)) for model in models}
    names = folder_names(models) if len(models) > 1 else dict.fromkeys(models, "")
    planned = [
        Planned(
            model,
            job,
            Places(
                journal=chosen["journal"] or output / "journal.jsonl",
                files={name: output / names[model] / name for name in FILES},
                inputs=[chosen[each] for each in GENERATIONS_READ if chosen[each]],
            ),
        )
        for model, job in jobs.items()
    ]
    carry_out(planned, endpoints, chosen)


COMMANDS = {each.name: each for each in (_items, _generations)}
