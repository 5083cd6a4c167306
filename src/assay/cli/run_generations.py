"""`assay run generations`: ask about vignettes, with reasoning and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.options import WHOLE, chosen_fields, joined_names, option, with_options
from assay.cli.run_arguments import (
    EXTRA_BODY,
    KEYS,
    LIMITS,
    SERVER,
    WRITING,
    folder_names,
    models_of,
    servers,
)
from assay.cli.run_work import Places, Planned, carry_out
from assay.produce.generations import FILES, GenerationsRequest, generations_job

EXAMPLES = """\
\b
Examples:
  assay run generations --vignettes vignettes.json --base-url http://127.0.0.1:8080/v1 \\
    --model llama --output results/llama
  assay run generations --vignettes vignettes.json --bias-cases cases.json \\
    --modes cot,direct,bias --base-url https://models.example/v1 --model large \\
    --api-key-env MODELS_KEY --output results/large"""
_USUAL: dict[str, Any] = {
    name: each.default for name, each in GenerationsRequest.__dataclass_fields__.items()
}
READ = ("vignettes", "task", "bias_cases", "api_key_file", "price_file")
"""options that name files to read"""
QUESTIONS = (
    click.option(
        "--vignettes", required=True, metavar="FILE", help="Cases: a JSON list or JSON lines."
    ),
    option("--task", "task", "Prompts, a YAML or JSON file.", "as shipped", metavar="FILE"),
    option(
        "--modes",
        "modes",
        "How to ask: cot, direct, bias.",
        ",".join(_USUAL["modes"]),
        multiple=True,
        callback=joined_names,
        metavar="MODE,...",
    ),
    click.option("--bias-cases", metavar="FILE", help="Cases for the mode bias, if separate."),
)
SAMPLING = (
    option("--seed", "seed", "Seed of every call.", _USUAL["seed"], type=WHOLE),
    option("--temperature", "temperature", "Temperature.", _USUAL["temperature"], type=float),
    option("--max-tokens", "max_tokens", "Longest answer.", "as the task says", type=WHOLE),
    EXTRA_BODY,
    option(
        "--probe-tokens",
        "probe_tokens",
        "Longest answer while the server is probed.",
        _USUAL["probe_tokens"],
        type=WHOLE,
    ),
)
OUTPUT = click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where the generations, the prompts and the journal go.",
)


@click.command("generations", epilog=EXAMPLES)
@with_options(QUESTIONS, SERVER, KEYS, SAMPLING, LIMITS, [OUTPUT], WRITING)
def command(output: Path, **chosen: Any) -> None:
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
                inputs=[chosen[each] for each in READ if chosen[each]],
            ),
        )
        for model, job in jobs.items()
    ]
    carry_out(planned, endpoints, chosen)
