"""`assay demo`: the bundled synthetic run, end to end."""

from __future__ import annotations

import click

from assay import artifacts
from assay.cli.inputs import evaluated
from assay.cli.options import available_cores
from assay.cli.outputs import FOLDER, check_place, now, stamp, write
from assay.cli.printing import print_summary, talk
from assay.demo import DEMO_PATH
from assay.evaluate import SelectiveOptions
from assay.inference import Plan
from assay.table import TableColumns

__all__ = ["command"]

CONFIDENCE = "llm,verbalized,token_msp,consistency,hybrid_consistency"
MODES = ("zero_shot", "few_shot")
WHAT = "The data are synthetic: made by a program, about nobody. Only the form is real."
NEXT = """\
Wrote {path}

Next:
  assay explain augrc
  assay selective --input {run} --mode few_shot
  assay selective --input YOUR_RUN.json --mode YOUR_MODE"""

EXAMPLES = """\
\b
Examples:
  assay demo"""


@click.command("demo", epilog=EXAMPLES)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(quiet: bool) -> None:
    """Evaluate the bundled synthetic run: two modes, five confidences, one comparison."""
    path = FOLDER / "demo.json"
    check_place(path)
    talk(f"{WHAT}\n", quiet=quiet)
    artifact = evaluated(
        [(str(DEMO_PATH), mode) for mode in MODES],
        SelectiveOptions(confidence=CONFIDENCE),
        TableColumns(),
        Plan(threads=available_cores()),
        created_at=stamp(now()),
        quiet=quiet,
    )
    write(artifacts.encode(artifact), path)
    if not quiet:
        print_summary(artifact, detail="short")
    talk("\n" + NEXT.format(path=path, run=DEMO_PATH), quiet=quiet)
