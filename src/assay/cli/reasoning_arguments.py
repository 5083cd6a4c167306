"""What `assay reasoning`, `assay extract` and `assay bias` read, and where results go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.arguments import RESAMPLING
from assay.cli.options import Decorator, choice, chosen_fields
from assay.cli.outputs import FOLDER
from assay.evaluate.reasoning.inputs import ReasoningFiles
from assay.evaluate.reasoning.options import Gold, ReasoningOptions
from assay.inference import Plan
from assay.threads import available_cores

__all__ = [
    "BIAS",
    "FORCE",
    "GENERATIONS",
    "GOLD",
    "LABELS",
    "RESAMPLING",
    "SKIPPING",
    "SKIP_BROKEN",
    "files_of",
    "folder_option",
    "options_of",
    "plan_of",
]


def _file(flag: str, meaning: str, **settings: Any) -> Decorator:
    return click.option(flag, metavar="FILE", help=meaning, **settings)


GENERATIONS: tuple[Decorator, ...] = (
    click.option(
        "--generations",
        multiple=True,
        metavar="DIR|FILE",
        help="A folder of model folders (MODEL/study_a_generations.jsonl), a model folder, or a"
        " file of JSON lines; all also .gz. More of them may follow as arguments.",
    ),
    click.argument("more", nargs=-1, metavar="[DIR|FILE]..."),
)
GOLD: tuple[Decorator, ...] = (
    _file("--vignettes", "id, gold_answer, gold_reasoning of each vignette: JSON, JSON lines."),
    _file("--gold-labels", "The gold label of each vignette by its id; else gold_answer is gold."),
    click.option(
        "--gold",
        type=choice(Gold),
        help="Compare with labels or with gold answers. [default: labels where there are some]",
    ),
    click.option(
        "--cluster",
        metavar="FIELD",
        help="A field of the vignettes (persona, source) that is resampled as a whole.",
    ),
)
LABELS: tuple[Decorator, ...] = (
    _file(
        "--labels",
        "The closed set with aliases and abbreviations: YAML, JSON. [default: the gold that occurs,"
        " with the shipped names of diagnoses]",
    ),
    _file("--refusal-rules", "Rules of refusals: YAML, JSON. [default: the shipped ones]"),
    click.option(
        "--extracted",
        multiple=True,
        metavar="DIR|FILE",
        help="What another program has extracted, for the reading `stored`. [default:"
        " processed/study_a_extracted beside the folder of results]",
    ),
)
BIAS: tuple[Decorator, ...] = (
    click.option(
        "--bias-generations",
        multiple=True,
        metavar="DIR|FILE",
        help="Outputs for cases of bias. [default: MODEL/study_a_bias_generations.jsonl beside the"
        " generations]",
    ),
    _file("--bias-cases", "id, bias_feature, bias_label of each case; else rows must hold them."),
)
SKIP_BROKEN = click.option(
    "--skip-broken", is_flag=True, help="Leave broken lines out, and count them."
)
SKIPPING: tuple[Decorator, ...] = (
    SKIP_BROKEN,
    click.option(
        "--skip-unlabelled", is_flag=True, help="Leave vignettes without gold out, and count them."
    ),
)
FORCE = click.option(
    "--force", is_flag=True, help="Do every stage again, and replace files of other programs."
)


def folder_option(what: str) -> Decorator:
    """Return the option that says where files go."""
    return click.option(
        "--output",
        type=click.Path(path_type=Path, file_okay=True),
        default=FOLDER / "reasoning",
        show_default=True,
        metavar="DIR",
        help=f"The folder of {what}.",
    )


def files_of(chosen: dict[str, Any]) -> ReasoningFiles:
    """Return which files to read."""
    given = chosen_fields(ReasoningFiles, chosen)
    given["generations"] = (*chosen.get("generations", ()), *chosen.get("more", ()))
    given["broken"] = "skip" if chosen.get("skip_broken") else "refuse"
    given["unlabelled"] = "skip" if chosen.get("skip_unlabelled") else "refuse"
    return ReasoningFiles(**given)


def options_of(chosen: dict[str, Any]) -> ReasoningOptions:
    """Return the conventions."""
    fields = chosen_fields(ReasoningOptions, chosen)
    return ReasoningOptions.of(chosen.get("preset") or "default", **fields)


def plan_of(chosen: dict[str, Any]) -> Plan:
    """Return how to resample."""
    return Plan(**{"threads": available_cores(), **chosen_fields(Plan, chosen)})
