"""The command `assay`: parse, call, print. A subcommand is imported when it is used."""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from collections.abc import Sequence

TYPE_CHECKING = False
INTERRUPTED = 130

try:
    from collections import ChainMap
    from contextlib import suppress
    from importlib import import_module

    import click

    from assay import files
    from assay.errors import AssayError
    from assay.families import SUMMARIES, named
    from assay.showing import inert, shortened
except KeyboardInterrupt:  # these imports are most of what a command does before it parses
    if sys.stderr is not None:
        sys.stderr.write("interrupted: nothing was written\n")
    raise SystemExit(INTERRUPTED) from None
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main"]

OTHERS = {
    "calibrate": "Fit a calibrator on a run, for its confidences or those of another.",
    "run": "Ask a model, and write the files that the other commands evaluate.",
    "report": "Show artifacts as one page: words, figures and tables.",
    "figures": "Draw the figures of an artifact as SVG, PNG or PDF files.",
    "extract": "Extract the answers from generations against a closed set.",
    "bias": "How often answers follow a bias, and how often silently.",
    "policy": "Check a policy of verdicts against a ground truth.",
    "finish": "Evaluate unit tables, in which an engine has reduced rows.",
    "metrics": "List the metrics.",
    "explain": "Explain a metric or a confidence function.",
    "demo": "Evaluate the bundled synthetic run.",
    "schema": "Print the JSON Schema of the artifacts.",
}
COMMANDS = ChainMap(OTHERS, SUMMARIES)
"""those of families first"""
WITHOUT_FILES = frozenset({"run", "policy", "demo", "metrics", "explain", "schema"})
"""commands that read no file, or whose own commands do"""
GROUPS = frozenset({"run", "policy"})
"""commands that have commands of their own"""
SHARED = {
    **dict.fromkeys(("reasoning", "extract", "bias"), "reasoning"),
    **dict.fromkeys(("report", "figures"), "report"),
    **dict.fromkeys(("metrics", "explain", "schema"), "catalogue"),
    "finish": "evaluating",
}
"""the modules that hold several commands"""
LIMIT = ("`memory_limit`", "--memory-limit")
"""an option of all commands that read, as the library calls it, and as they do"""
OF_STREAMS = {errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.ENXIO}
"""what goes wrong with a stream: files, which have names, and sockets are seen to elsewhere"""
LONGEST_WORD = 255
"""characters of a message without a space: a file name is not longer"""


class _Commands(click.Group):
    """Subcommands by name, so that help about all of them imports none."""

    def list_commands(self, _: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found: click.Command
        if name in SHARED:
            found = import_module(f"assay.cli.{SHARED[name]}").COMMANDS[name]
        elif name in SUMMARIES:
            found = import_module("assay.cli.evaluating").command_of(name)
        else:
            found = import_module(f"assay.cli.{name}").command
        if name in WITHOUT_FILES:
            return found
        from assay.cli.options import with_engine, with_memory_limit  # noqa: PLC0415 - help reads no file

        if name in SUMMARIES and named(name).reduction is not None:
            with_engine(found)
        return with_memory_limit(found)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(f"assay {import_module('assay').__version__}")
        context.exit()


START = """\
\b
Start here:
  assay demo
  assay selective --input run.json --mode few_shot
  assay explain aurc"""


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=START,
    invoke_without_command=True,
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def command(context: click.Context) -> None:
    """Tell whether to believe a model, with error bars."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _spare_work() -> None:
    """Leave out what costs time of the processor and brings nothing here."""
    # No command multiplies large matrices: the threads for that need not wait for work awake.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    # Hardly anything refers to itself, which is all that has to be looked for.
    gc.set_threshold(50_000, 20, 100)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit: 0, or 1 after an error, 2 after misuse, 130 after Ctrl-C."""
    _open_closed_streams()
    _spell_out()
    _spare_work()
    files.written.clear()
    try:
        code = command.main(arguments, prog_name="assay", standalone_mode=False)
        sys.stdout.flush()
    except AssayError as error:
        hint = (error.hint or "").replace(*LIMIT)
        _complain(_brief(error.message), hint or _usage(_command_path(arguments)))
        code = 1
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "assay"
        _complain(_brief(error.format_message()), _usage(path))
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        names = ", ".join(map(str, files.written))
        _say(f"interrupted: {f'only {names} was written' if names else 'nothing was written'}")
        code = INTERRUPTED
    except OSError as error:
        _name(error)
        code = 1
    sys.exit(code)


def _open_closed_streams() -> None:
    """Lead what was closed to nowhere, before a file that is opened takes its place."""
    streams = {"stdin": "r", "stdout": "w", "stderr": "w"}
    for name, mode in streams.items():
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8"))


def _spell_out() -> None:
    """Write what standard output has no letters for as their numbers, as standard error does."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _command_path(arguments: Sequence[str] | None) -> str:
    """Return the command that was started, as a user writes it."""
    words = sys.argv[1:] if arguments is None else arguments
    return " ".join(["assay", *words[: 2 if words[0] in GROUPS else 1]])


def _usage(path: str) -> str:
    return f"{path} --help shows how it is used"


def _brief(message: str) -> str:
    """Cut the long words of a message, which are what was given; its own are short."""
    return " ".join(shortened(word, LONGEST_WORD) for word in message.split(" "))


def _complain(message: str, hint: str | None) -> None:
    _say(f"error: {inert(message)}")
    if hint is not None:
        _say(f"\nhint: {inert(hint)}")


def _say(text: str) -> None:
    with suppress(OSError):  # nobody listens; the exit code says the same
        click.echo(text, err=True)


def _name(error: OSError) -> None:
    """Say what could not be done; a reader of standard output who has left needs no words."""
    reason = (error.strerror or str(error)).lower()
    if error.filename is not None:
        long = error.errno == errno.ENAMETOOLONG
        _complain(
            _brief(f"{error.filename}: {reason}"),
            "most systems take names of 255 bytes at most" if long else None,
        )
        return
    if error.errno in OF_STREAMS:
        # What is still buffered must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        reason = f"cannot write to standard output: {reason}"
    if error.errno != errno.EPIPE:
        _complain(reason, None)
