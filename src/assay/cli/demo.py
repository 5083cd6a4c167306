"""`assay demo`: the bundled synthetic run, end to end."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from assay import pipeline
from assay.cli.results import FORMAT, HTML, Results
from assay.cli.writing import FOLDER, progress_bar, talk
from assay.demo import DEMO_PATH, VERDICTS_FOLDER
from assay.families.family import Given
from assay.families.selective import FAMILY
from assay.families.selective.options import RunColumns
from assay.inference import Plan
from assay.report.tables import TableFormat
from assay.showing import inert
from assay.surroundings import available_cores, now, stamp

CONFIDENCE = ("llm", "verbalized", "token_msp", "consistency", "hybrid_consistency")
MODES = ("zero_shot", "few_shot")
WHAT = "The data are synthetic: made by a program, about nobody. Only the form is real."
NEXT = """\
Next:
  assay report {path} -o report.html
  assay explain augrc
  assay selective {run} --mode few_shot
  assay verdicts --results {verdicts}/direct.json --ground-truth {verdicts}/ground_truth.json
  assay selective YOUR_RUN.json --mode YOUR_MODE"""

PLACE = FOLDER / "demo.json"
EXAMPLES = """\
\b
Examples:
  assay demo
  assay demo --output demo.json --html demo.html"""


@click.command("demo", epilog=EXAMPLES)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=PLACE,
    show_default=True,
    help="Where the artifact goes.",
)
@HTML
@FORMAT
@click.option("--quiet", is_flag=True, help="Print nothing but errors (and --format's tables).")
def command(output: Path, html: Path | None, table_format: TableFormat | None, quiet: bool) -> None:
    """Evaluate the bundled synthetic run: two modes, five confidences, one comparison."""
    moment = now()
    results = Results("demo", output, html, as_json=False, table_format=table_format, quiet=quiet)
    results.check([])
    talk(WHAT, "", quiet=quiet)
    given = Given(
        {"table": [str(DEMO_PATH)] * len(MODES)},
        FAMILY.options(),
        Plan(threads=available_cores()),
        RunColumns(mode=MODES, confidence=CONFIDENCE),
    )
    with progress_bar(shown=not quiet) as progress:
        artifact = pipeline.evaluate(FAMILY, given, created_at=stamp(moment), progress=progress)
    results.conclude(artifact, moment)
    path = shlex.quote(inert(str(output)))
    following = NEXT.format(path=path, run=DEMO_PATH, verdicts=VERDICTS_FOLDER)
    talk("", *following.splitlines(), quiet=quiet)
