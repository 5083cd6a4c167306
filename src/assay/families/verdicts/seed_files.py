"""Files beside the artifact: results with their evaluation, and cases and quotations as CSV.

A results file is written again with its evaluation in it, under the keys that programs around it
know: `evaluation_metrics`, the same numbers with the counts behind them under
`evaluation_metrics_full`, and on request the composite `unified_scores`, which is deprecated.

In CSV a text that a spreadsheet would take for a formula (it starts with = + - @, wide forms of
these, or white space before one of them) gets an apostrophe in front, and what is not printable is
spelled out: a line break becomes a backslash and an n.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.artifact import Number, encode
from assay.errors import UsageError
from assay.families.family import Evaluated, Given, SideFiles
from assay.families.verdicts.cases import CaseRow, SnippetRow
from assay.families.verdicts.parts import SEVEN, JudgedField, VerdictsArtifact, VerdictSystem
from assay.options import option, option_record
from assay.score import spelled
from assay.showing import in_spreadsheet, inert

if TYPE_CHECKING:
    from assay.families.verdicts.inputs import Judgements
    from assay.sources.verdicts import Results

Json = dict[str, Any]
DEPRECATED = "deprecated: a composite of unlike numbers; use evaluation_metrics"
PROCESS_WEIGHTS = {
    "incident_precision": 0.35,
    "severity_accuracy": 0.30,
    "modifier_accuracy": 0.15,
    "verdict_support_rate": 0.15,
    "snippet_validity": 0.05,
}
"""of the deprecated composite; what is undefined is left out and the rest scaled up"""


def results_file(system: VerdictSystem, results: Results, *, preset: str, composite: bool) -> Json:
    """Return a results file with its evaluation; what else it held stays as it was."""
    found = {
        "evaluation_metrics": evaluation_metrics(system, preset),
        "evaluation_metrics_full": full_metrics(system),
    }
    if composite:
        found["unified_scores"] = composite_scores(system)
    kept = {key: value for key, value in results.about.items() if key != "unified_scores"}
    return {**kept, **found, "results": [*results.written]}


def _value(system: VerdictSystem, label: str) -> Number:
    number = system.numbers.get(label)
    return None if number is None else number.value


def _seven(system: VerdictSystem) -> Json:
    """Return the seven numbers; the areas over all steps go by a short name."""
    return {
        "auprc" if label == "ordinal_auprc" else label: _value(system, label) for label in SEVEN
    }


def evaluation_metrics(system: VerdictSystem, preset: str) -> Json:
    """Return the seven numbers and their populations, the reference's under its preset."""
    found = system.first.counts
    names = ("n_samples", "n_structured", "n_with_gt", "n_scored")
    scored = {"n_with_gt": found["n_scored"]} if preset == "reference" else {}
    return {**_seven(system), **{name: found[name] for name in names}, **scored}


def full_metrics(system: VerdictSystem) -> Json:
    """Return the seven numbers with the counts behind them."""
    counts = system.parts.counted
    precision, recall = counts["evidence_precision"], counts["evidence_recall"]
    snippets, judged = counts["snippet_validity"], counts["judgement_accuracy"]
    evidence = {
        "total_claimed": precision.denominator,
        "total_matched": precision.numerator or 0,
        "total_gt_evidence": recall.denominator,
        "total_snippets": snippets.denominator,
        "valid_snippets": snippets.numerator or 0,
    }
    steps = {
        step_key(each.name): _value(system, f"threshold_auprc@{spelled(each.threshold)}")
        for each in system.parts.thresholds
    }
    details: Json = {
        "auprc_metrics": {**steps, "ordinal_auprc": _value(system, "ordinal_auprc")},
        "evidence_details": evidence,
        # The same once more, as later programs call it.
        "incident_details": evidence,
        "judgement_details": {
            "correct": judged.numerator or 0,
            "total": judged.denominator,
            "per_field": _per_field(system.parts.fields),
        },
        "consistency_details": _consistency(system),
    }
    return {**_seven(system), "details": details}


def _consistency(system: VerdictSystem) -> Json:
    counts = system.first.counts
    return {
        "consistent": counts["n_consistent"],
        "total": counts["n_ruled"],
        "skipped_no_rule": counts["n_without_rule"],
        "per_sample": [
            {
                "business_id": each.case,
                "method_verdict": each.verdict,
                "rule_verdict": each.rule_verdict,
                "is_consistent": each.rule_consistent,
            }
            for each in system.parts.cases
            if each.rule_consistent is not None
        ],
    }


def _per_field(fields: list[JudgedField]) -> Json:
    """Count by field, whether it is judged as a finding, a modifier, or both."""
    right: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for each in fields:
        right[each.field] += each.n_right
        judged[each.field] += each.n_judged
    return {
        name: {"correct": right[name], "total": n, "accuracy": right[name] / n if n else None}
        for name, n in judged.items()
    }


def step_key(name: str) -> str:
    """Return the key of a step of the scale.

    Examples
    --------
    >>> step_key(">= High Risk"), step_key("<= Poor Value")
    ('auprc_ge_high', 'auprc_le_poor_value')
    """
    side, _, verdict = name.partition(" ")
    words = verdict.lower().removesuffix(" risk").split()
    return "_".join(["auprc", "ge" if side == ">=" else "le", *words])


def composite_scores(system: VerdictSystem) -> Json:
    """Return the three scores of an earlier program; a composite, and deprecated."""
    components = {
        "incident_precision": _value(system, "evidence_precision"),
        "severity_accuracy": _accuracy(system.parts.fields, "finding"),
        "modifier_accuracy": _accuracy(system.parts.fields, "modifier"),
        "verdict_support_rate": _value(system, "evidence_consistency"),
        "snippet_validity": _value(system, "snippet_validity"),
    }
    defined = {name: value for name, value in components.items() if value is not None}
    weight = sum(PROCESS_WEIGHTS[name] for name in defined)
    total = sum(PROCESS_WEIGHTS[name] * value for name, value in defined.items())
    logic = _value(system, "verdict_consistency")
    return {
        "note": DEPRECATED,
        "auprc": _value(system, "ordinal_auprc"),
        "process_score": 100 * total / weight if defined else None,
        "consistency_score": None if logic is None else 100 * logic,
        "components": components,
    }


def _accuracy(fields: list[JudgedField], kind: str) -> Number:
    chosen = [each for each in fields if each.kind == kind]
    n = sum(each.n_judged for each in chosen)
    return sum(each.n_right for each in chosen) / n if n else None


@option_record()
class VerdictFiles:
    """Which files are written beside the artifact."""

    results_output: tuple[str, ...] = option(
        (),
        "Write a results file again with its evaluation in it; one per RESULTS, in order.",
        metavar="FILE",
    )
    unified_scores: bool = option(
        False, "Also put the deprecated unified_scores into `results_output`."
    )
    tables: str | None = option(
        None,
        "Write cases.csv and snippets.csv, one line per case and per quotation.",
        metavar="FOLDER",
    )

    def __post_init__(self) -> None:
        """Refuse scores that have no file to go to."""
        if self.unified_scores and not self.results_output:
            msg = "`unified_scores` goes into `results_output`, which was not given"
            raise UsageError(msg, hint="`results_output` names a file")


def cases_table(artifact: VerdictsArtifact) -> bytes:
    """Write one line per system and case, the worst cases of each system first."""
    rows = (
        (system.name, case)
        for system in artifact.systems
        for case in sorted(system.parts.cases, key=lambda each: each.badness_rank)
    )
    return _table(CaseRow, rows)


def snippets_table(artifact: VerdictsArtifact) -> bytes:
    """Write one line per system and quotation, in the order of the results."""
    rows = ((system.name, row) for system in artifact.systems for row in system.parts.audit)
    return _table(SnippetRow, rows)


def _table(record: type[msgspec.Struct], rows: Iterable[tuple[str, CaseRow | SnippetRow]]) -> bytes:
    names = [field.name for field in msgspec.structs.fields(record)]
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["system", *names])
    for system, row in rows:
        values: Sequence[object] = [system, *(getattr(row, name) for name in names)]
        writer.writerow([_cell(value) for value in values])
    return stream.getvalue().encode()


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return in_spreadsheet(inert(value)) if isinstance(value, str) else value


TABLES = {"cases.csv": cases_table, "snippets.csv": snippets_table}


def _places(chosen: VerdictFiles, given: Given) -> list[Path]:
    n_results, n_outputs = len(given.sources["results"]), len(chosen.results_output)
    if n_outputs not in {0, n_results}:
        msg = f"found {n_results} `results` and {n_outputs} `results_output`"
        raise UsageError(msg, hint="give one of these per `results`, or none")
    folder = chosen.tables
    tables = [] if folder is None else [Path(folder) / name for name in TABLES]
    return [*map(Path, chosen.results_output), *tables]


def _contents(
    chosen: VerdictFiles, evaluated: Evaluated, artifact: VerdictsArtifact
) -> list[bytes]:
    context: Judgements = evaluated.prepared.context
    preset = evaluated.options.preset
    found = [
        encode(results_file(system, file, preset=preset, composite=chosen.unified_scores))
        for system, file in zip(artifact.systems, context.files.results, strict=True)
    ]
    tables = [] if chosen.tables is None else [table(artifact) for table in TABLES.values()]
    return [*(found if chosen.results_output else []), *tables]


SIDE_FILES = SideFiles(VerdictFiles, _places, _contents)
