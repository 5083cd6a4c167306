"""`assay run`: ask a model, and write the files that the other commands evaluate."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "items": "Score every item of a questionnaire for every participant.",
    "generations": "Ask about vignettes, with reasoning and without.",
}
EPILOG = """\
\b
Both commands can be stopped at any point: the same command goes on where it stopped.
Keys come from the environment (ASSAY_API_KEY, or --api-key-env) or from a file.

\b
Examples:
  assay run items --data interviews.jsonl --base-url http://127.0.0.1:8080/v1 \\
    --model llama --output run.json
  assay run generations --vignettes vignettes.json --modes cot,direct \\
    --base-url http://127.0.0.1:8080/v1 --model llama --output results/llama"""


class _Jobs(click.Group):
    """The two jobs by name, so that help about both imports neither."""

    def list_commands(self, _: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        from assay.cli.options import with_memory_limit  # noqa: PLC0415 - help reads no file

        return with_memory_limit(import_module("assay.cli.run_jobs").COMMANDS[name])

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command("run", cls=_Jobs, epilog=EPILOG, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Ask a model behind an OpenAI-compatible server, safely resumable."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
