"""`assay policy`: whether a policy is the one that a ground truth was made by."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import AT_LEAST_ONE, identifier, translated, with_memory_limit
from assay.cli.writing import print_bytes, stdout_console
from assay.display.blocks import Cell, Grid, Line, Row, Section, Summary, facts
from assay.display.numbers import DASH
from assay.showing import counted, inert

if TYPE_CHECKING:
    from assay.derive.policy_check import Differing, PolicyCheck
    from assay.sources.policy import PolicySource
    from assay.sources.verdicts import GroundTruth

EXAMPLES = """\
\b
Examples:
  assay policy check G1_allergy_V2 --ground-truth truth.json
  assay policy check my_policy.yaml --ground-truth truth.json --json"""


@click.group("policy", epilog=EXAMPLES, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Look at a policy: its scale, its words for evidence and its rules."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command("check", epilog=EXAMPLES)
@click.argument("policy")
@click.option(
    "--ground-truth", "truth", required=True, metavar="TRUTH", help="True verdicts and findings."
)
@click.option(
    "--sources",
    "--reviews",
    "sources",
    metavar="SOURCES",
    help="The texts with their dates, where the age of a source counts.",
)
@click.option(
    "--k",
    type=AT_LEAST_ONE,
    help="Sources per case, for thresholds by K. [default: what the ground truth says]",
)
@click.option(
    "--map",
    "names",
    multiple=True,
    metavar="THEIRS=OURS",
    help="Read a key of the files as another, as in contract_id=case_id.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(
    *,
    policy: str,
    truth: str,
    sources: str | None,
    k: int | None,
    names: tuple[str, ...],
    as_json: bool,
) -> None:
    """Count the true verdicts that follow from the rules of POLICY, and list those that do not.

    POLICY is the name of a bundled one, or a YAML or JSON file. The verdict of every case is
    derived from the findings of the ground truth, and compared with the true one.
    """
    from assay.derive.conclusions import years_of  # noqa: PLC0415 - help needs no policy
    from assay.derive.policy_check import check_policy  # noqa: PLC0415
    from assay.derive.spellings import renaming_of  # noqa: PLC0415
    from assay.sources.policy import read_policy  # noqa: PLC0415
    from assay.sources.verdicts import read_ground_truth, read_reviews  # noqa: PLC0415

    with translated({identifier(each.opts[0]): each for each in check.params}):
        renaming = renaming_of(names)
        source = read_policy(policy)
        read = read_ground_truth(truth, renaming)
        dates = {} if sources is None else read_reviews(sources, renaming).dates
        renaming.check()
        chosen = read.k if k is None else k
        years = {case: years_of(of_case) for case, of_case in dates.items()}
        found = check_policy(source.policy, read.cases, k=chosen, years=years)
    if as_json:
        record = _record(source, read, found, chosen)
        print_bytes(json.dumps(record, indent=1, ensure_ascii=False).encode() + b"\n")
        return
    from assay.report.console import render  # noqa: PLC0415 - JSON needs no tables

    sections = tuple(_sections(source, read, found, chosen))
    render(Summary("Policy check", (inert(source.policy.id),), sections), stdout_console())


def _record(
    source: PolicySource, truth: GroundTruth, found: PolicyCheck, k: int | None
) -> dict[str, Any]:
    """Return what was found as plain data."""
    return {
        "policy": {"id": source.policy.id, "source": source.path, "sha256": source.sha256},
        "ground_truth": {
            "path": truth.path,
            "sha256": truth.sha256,
            "policy_id": truth.policy_id,
        },
        "k": k,
        "n_cases": found.n_cases,
        "n_following": found.n_following,
        "not_judged": list(found.not_judged),
        "not_understood": dict(found.not_understood),
        "differing": [
            {
                "case": each.case,
                "truth": each.verdict,
                "derived": each.derived.verdict,
                "score": each.derived.score,
                "rule": each.derived.rule,
                "reason": each.reason,
            }
            for each in _by_case(found)
        ],
    }


def _sections(
    source: PolicySource, truth: GroundTruth, found: PolicyCheck, k: int | None
) -> Iterator[Section]:
    yield facts("inputs", _lines(source, truth, found, k))
    if found.differing:
        rows = tuple(
            Row(
                inert(each.case),
                (
                    Cell(inert(each.verdict)),
                    Cell(inert(each.derived.verdict or DASH)),
                    Cell(inert(_why(each))),
                ),
            )
            for each in _by_case(found)
        )
        title = "True verdicts that do not follow"
        yield Section("cases", Grid(title, "case", ("truth", "derived", "why"), rows))


def _by_case(found: PolicyCheck) -> list[Differing]:
    """Return them in an order that does not depend on the file."""
    return sorted(found.differing, key=lambda each: each.case)


def _why(each: Differing) -> str:
    """Return the rule that applies, which says where it leads, or why none does."""
    derived = each.derived
    if derived.rule is None or derived.verdict is None:
        return each.reason
    return derived.rule if derived.score is None else f"{derived.rule} (SCORE = {derived.score:g})"


def _lines(
    source: PolicySource, truth: GroundTruth, found: PolicyCheck, k: int | None
) -> Iterator[Line]:
    yield "policy", inert(f"{source.policy.id}, {source.path}")
    yield "ground truth", inert(truth.path)
    if truth.policy_id not in {None, source.policy.id}:
        yield "", inert(f"it says that it is about {truth.policy_id}")
    yield "K", "not known" if k is None else str(k)
    verdicts = counted(found.n_cases, "true verdict follows", "true verdicts follow")
    yield "result", f"{found.n_following} of {verdicts} from the rules"
    if found.not_judged:
        yield "not judged", inert(f"no finding says anything about {', '.join(found.not_judged)}")
    if found.not_understood:
        shown = ", ".join(f"{what} ({n})" for what, n in sorted(found.not_understood.items()))
        yield "not read", inert(shown)


with_memory_limit(check)
