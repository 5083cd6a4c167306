"""`assay verdicts`: what went wrong where a system judges, cites and quotes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.artifacts import encode
from assay.cli.options import chosen_fields, with_options
from assay.cli.outputs import write
from assay.cli.printing import talk
from assay.cli.progress import progress_bar
from assay.cli.results import Results, result_options
from assay.cli.verdict_arguments import INPUTS, OTHER_OUTPUTS, RESAMPLED
from assay.cli.verdict_conventions import CONVENTIONS
from assay.evaluate.verdicts import (
    VerdictOptions,
    evaluate_verdicts,
    results_file,
    scale_policy,
)
from assay.inference import Plan
from assay.moments import now, stamp
from assay.report.families.verdicts.tables import cases_table, snippets_table
from assay.sources.verdicts import read_ground_truth, read_results, read_reviews
from assay.threads import available_cores

if TYPE_CHECKING:
    from assay.artifacts import VerdictsArtifact
    from assay.sources.policy import PolicySource
    from assay.sources.verdicts import Results as Answers

__all__ = ["command"]

EXAMPLES = """\
\b
Examples:
  assay verdicts --results results.json --ground-truth truth.json
  assay verdicts --results results.json --ground-truth truth.json --reviews reviews.jsonl
  assay verdicts --results old.json --results new.json --ground-truth truth.json
  assay verdicts --results results.jsonl --ground-truth truth.json --policy my_policy.yaml
  assay verdicts --results results.json --ground-truth truth.json --tables audit"""
TABLES = {"cases.csv": cases_table, "snippets.csv": snippets_table}


@click.command("verdicts", epilog=EXAMPLES)
@with_options(INPUTS, CONVENTIONS, RESAMPLED, OTHER_OUTPUTS, result_options("verdicts"))
def command(
    results: tuple[str, ...],
    ground_truth: str,
    reviews: str | None,
    results_output: tuple[Path, ...],
    tables: Path | None,
    composite: bool,
    **chosen: Any,
) -> None:
    """Seven numbers about systems that give verdicts with cited evidence and quotations.

    Ranking, labels, evidence, quotations, judgements and logic are counted apart, each with an
    interval over cases. A policy names the scale of verdicts, the words for evidence and the rules
    by which a verdict follows from it.
    """
    shown = Results.asked("verdicts", chosen)
    if composite and not results_output:
        raise click.UsageError("--unified-scores goes into --results-output, which was not given")
    others = _other_places(results, results_output, tables)
    read = [*results, ground_truth, *filter(None, [reviews, chosen["policy"]])]
    if read.count("-") > 1:
        raise click.UsageError("standard input can be read once, so - may be given once")
    shown.check(read, others)
    moment = now()
    options = VerdictOptions.of(
        chosen["preset"] or "default", **chosen_fields(VerdictOptions, chosen)
    )
    plan = Plan(**{"threads": available_cores(), **chosen_fields(Plan, chosen)})
    answers = [read_results(path) for path in results]
    with progress_bar(None, shown=not shown.quiet) as progress:
        artifact = evaluate_verdicts(
            answers,
            read_ground_truth(ground_truth),
            None if reviews is None else read_reviews(reviews),
            policy=_policy(chosen),
            options=options,
            plan=plan,
            created_at=stamp(moment),
            progress=progress,
        )
    files = _other_files(artifact, answers, len(results_output), composite=composite)
    shown.conclude(artifact, moment)
    for place, data in zip(others, [*files, *_tables(artifact, tables)], strict=True):
        write(data, place)
        talk(f"wrote {place}", quiet=shown.quiet)


def _policy(chosen: dict[str, Any]) -> str | PolicySource | None:
    """Return the policy that was named, or the scale that was given instead of one."""
    if chosen["scale"] is None:
        policy: str | None = chosen["policy"]
        return policy
    if chosen["policy"] is not None:
        raise click.UsageError("--policy and --scale both say what the verdicts are; give one")
    return scale_policy(chosen["scale"].split(","))


def _other_places(
    results: Sequence[str], results_output: Sequence[Path], tables: Path | None
) -> list[Path]:
    """Return where all but the artifact and its page goes."""
    if results_output and len(results_output) != len(results):
        msg = f"found {len(results)} --results and {len(results_output)} --results-output"
        raise click.UsageError(f"{msg}; give one of these per --results, or none")
    return [*results_output, *([tables / name for name in TABLES] if tables else [])]


def _other_files(
    artifact: VerdictsArtifact, answers: Sequence[Answers], n: int, *, composite: bool
) -> list[bytes]:
    """Return each results file with its evaluation."""
    return [
        encode(results_file(system, each, composite=composite))
        for system, each in zip(artifact.systems[:n], answers[:n], strict=True)
    ]


def _tables(artifact: VerdictsArtifact, folder: Path | None) -> list[bytes]:
    return [table(artifact) for table in TABLES.values()] if folder else []
