"""`assay reasoning`, `assay extract` and `assay bias`: the stages of a folder, all or the one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from assay import pipeline
from assay.cli.evaluating import Command, made_command, paths_of
from assay.cli.options import flags_of, given_to, translated
from assay.cli.results import FORMAT, FULL, HTML, QUIET, command_line, holding, show, write_page
from assay.cli.writing import (
    FOLDER,
    check_place,
    check_places,
    print_bytes,
    progress_bar,
    stdout_console,
    talk,
    write,
)
from assay.errors import UsageError
from assay.families.reasoning import BIAS_ALONE, EXTRACTION, FAMILY
from assay.families.reasoning.seed_files import (
    ARTIFACT,
    BIAS_METRICS,
    FOLDERS,
    bias_in_folder,
    evaluate_in_folder,
    extract_in_folder,
)
from assay.families.reasoning.words import summarize_bias, summarize_extraction
from assay.options import option, option_record
from assay.report.console import render
from assay.report.presenters import require_packages
from assay.showing import counted
from assay.sources.review_sheets import SPREADSHEETS
from assay.stages import STAGES
from assay.stored import encode
from assay.surroundings import now, stamp

if TYPE_CHECKING:
    from assay.families.family import Family, Given
    from assay.report.tables import TableFormat


@option_record()
class _Place:
    """Where results go."""

    output: str = option(
        str(FOLDER / "reasoning"),
        "The folder of results: reasoning.json, processed/ and metric-results/.",
        metavar="DIR",
    )
    force: bool = option(False, "Do every stage again, and replace files of other programs.")


PLACE = flags_of(_Place)
JSON = click.option("--json", "as_json", is_flag=True, help="Print the artifact, not a summary.")
REVIEW = click.option(
    "--review",
    metavar="FILE",
    help="A sheet (CSV) of what was read: written to be corrected by hand; where it is there"
    " already, read as truth, to report precision and recall.",
)
SILENT = click.option("--quiet", is_flag=True, help=QUIET)
OF_TEXTS = (
    *("reading", "boundaries", "mentions", "several", "refusal_order"),
    *("field", "mode_name", "skip_broken", "skip_unlabelled"),
)
"""what extraction depends on"""
OF_BIAS = ("bias_text", "boundaries", "field", "mode_name", "skip_broken")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked of a command: what to evaluate, and the folder to fill."""

    given: Given
    output: Path
    force: bool

    @classmethod
    @contextmanager
    def of(cls, made: Command, chosen: Mapping[str, Any]) -> Iterator[_Asked]:
        """Read what was asked for; errors name options as they are spelled here."""
        with translated({**made.spellings(), **PLACE}):
            place = _Place(**given_to(PLACE, chosen))
            yield cls(made.given(chosen), Path(place.output), place.force)


def _evaluated(family: Family, given: Given, *, quiet: bool) -> Any:
    with progress_bar(shown=not quiet) as progress:
        found = pipeline.evaluate(family, given, created_at=stamp(now()), progress=progress)
    return replace(found, command=command_line())


def _reason(
    *,
    html: Path | None,
    as_json: bool,
    table_format: TableFormat | None,
    quiet: bool,
    full: bool,
    **chosen: Any,
) -> None:
    """Do all stages."""
    if as_json and table_format:
        raise click.UsageError("--json and --format both say what to print: choose one")
    with _Asked.of(REASONING, chosen) as asked:
        output = asked.output
        if html is not None:
            require_packages()
        own = [output / ARTIFACT, output / STAGES]
        folders = [output / each for each in FOLDERS]
        check_places([*own, *filter(None, [html])], paths_of(asked.given), folders=folders)
        done = evaluate_in_folder(
            asked.given,
            output,
            lambda given: _evaluated(FAMILY, given, quiet=quiet),
            force=asked.force,
        )
    data = encode(done.artifact)
    if as_json:
        print_bytes(data)
    else:
        show(done.artifact, table_format, quiet=quiet, detail="full" if full else "short")
    for name in done.up_to_date:
        talk(f"up to date: {name}", quiet=quiet)
    if done.written:
        wrote = f"wrote {counted(len(done.written), 'file')} into {output}"
        talk(f"{wrote}, {ARTIFACT} among them", quiet=quiet)
    if html is not None:
        write_page(data, html, quiet=quiet)
    for line in holding(done.artifact):
        talk(line, quiet=quiet)


def _extract(*, quiet: bool, review: str | None, **chosen: Any) -> None:
    """Do the first stage alone."""
    with _Asked.of(EXTRACT, chosen) as asked:
        check_place(asked.output / STAGES)
        if review is not None and Path(review).suffix.lower() in SPREADSHEETS:
            msg = f"--review writes and reads CSV, and {review} is called otherwise"
            raise UsageError(msg, hint="give it a name that ends with .csv")
        if review is not None and not Path(review).exists():
            check_place(Path(review), paths_of(asked.given))
        done = extract_in_folder(asked.given, asked.output, force=asked.force, review=review)
    if review is not None and done.sheet is not None:
        write(done.sheet, Path(review))
        talk(f"wrote {review}: correct `state` and `answer`, and ask again", quiet=quiet)
    if not quiet:
        render(summarize_extraction(done), stdout_console())
    for name in done.up_to_date:
        talk(f"up to date: {name}", quiet=quiet)
    for path in done.written:
        talk(f"wrote {asked.output / path}", quiet=quiet)


def _bias(*, as_json: bool, quiet: bool, **chosen: Any) -> None:
    """Count bias alone."""
    with _Asked.of(BIAS, chosen) as asked:
        place = asked.output / BIAS_METRICS
        check_place(place)
        done = bias_in_folder(
            asked.given,
            asked.output,
            lambda given: _evaluated(BIAS_ALONE, given, quiet=quiet),
            force=asked.force,
        )
    if as_json:
        print_bytes(done.data)
    elif not quiet:
        render(summarize_bias(done.artifact), stdout_console())
    for warning in done.artifact.warnings:
        talk(f"warning: {warning}", quiet=quiet)
    talk(f"{'wrote' if done.written else 'up to date:'} {place}", quiet=quiet)


REASONING = Command.of(FAMILY)
EXTRACT = Command.of(EXTRACTION, only=OF_TEXTS, resampled=False)
BIAS = Command.of(BIAS_ALONE, only=OF_BIAS)
COMMANDS = {
    "reasoning": made_command("reasoning", REASONING, _reason),
    "extract": made_command("extract", EXTRACT, _extract),
    "bias": made_command("bias", BIAS, _bias),
}
for _name, _shown in {
    "reasoning": (FULL, HTML, JSON, FORMAT, SILENT),
    "extract": (REVIEW, SILENT),
    "bias": (JSON, SILENT),
}.items():
    COMMANDS[_name].params += PLACE.values()
    for _add in _shown:
        _add(COMMANDS[_name])
