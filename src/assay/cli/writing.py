"""Where commands write: results on standard output, words on standard error, files in their places.

Every place can be written to, and no two things are written to one. Paths are compared by what they
lead to, so that `a/../b`, links and other spellings of a name on a file system that ignores case
are seen for what they are.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Protocol, TextIO

import click
from rich.console import Console

from assay import files
from assay.errors import OutputError
from assay.files import waiting_file
from assay.showing import inert

PLAIN_WIDTH = 100
"""columns where there is no terminal"""
NARROWEST, WIDEST = 20, 10_000
"""columns that COLUMNS may ask for"""
PATIENCE = 1.0
"""seconds before the bar appears"""
HINT = "choose another place with --output"
STANDARD = "- stands for standard output, to which --json and --format print, and for no file"
FOLDERS_HOLD = frozenset({".jsonl", ".ndjson", ".gz", ".txt"})
"""endings of the files that are read where an input is a folder"""
FOLDER = Path("assay-out")


def stdout_console() -> Console:
    """Return standard output, as wide as its terminal."""
    return Console(file=sys.stdout, width=_width(sys.stdout), highlight=False)


def stderr_console() -> Console:
    """Return standard error, as wide as its terminal."""
    return Console(file=sys.stderr, width=_width(sys.stderr))


def _width(stream: TextIO) -> int:
    """Return the width that is asked for, if anything can be read in it, or that of a terminal."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and NARROWEST <= int(asked) <= WIDEST:
        return int(asked)
    if stream.isatty():
        with suppress(OSError, ValueError):
            return os.get_terminal_size(stream.fileno()).columns or PLAIN_WIDTH
    return PLAIN_WIDTH


def print_bytes(data: bytes) -> None:
    """Print bytes as they are."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def talk(*lines: str, quiet: bool) -> None:
    """Say something that is not a result, in lines that hold nothing a terminal acts on."""
    if not quiet:
        with suppress(OSError):  # nobody listens any more, which is no reason to stop
            click.echo("\n".join(map(inert, lines)), err=True)


class Hearing(Protocol):
    """Hears how many resamples are done, and how many there will be where that is known now."""

    def __call__(self, done: int, total: int | None = None) -> None:
        """Hear of resamples that were done just now."""


@contextmanager
def progress_bar(total: int | None = None, *, shown: bool) -> Iterator[Hearing]:
    """Yield what hears of finished resamples; the bar goes to stderr if that is a terminal.

    Without a total the bar only shows that something happens.
    """
    if not shown or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import Progress  # noqa: PLC0415 - only a terminal needs them

    with ExitStack() as stack:
        bar = Progress(console=stderr_console(), transient=True)
        task = bar.add_task("resampling", total=total)
        started, visible = monotonic(), False

        def hear(done: int, total: int | None = None) -> None:
            nonlocal visible
            if total is not None:
                bar.update(task, total=total)
            bar.advance(task, done)
            if not visible and monotonic() - started > PATIENCE:
                visible = True
                stack.enter_context(bar)

        yield hear


Place = tuple[str | int, ...]


def check_places(
    places: Sequence[Path], inputs: Iterable[str] = (), *, folders: Sequence[Path] = ()
) -> None:
    """Refuse, before anything is computed, places of results that get into each other's way.

    Nothing may lie in one of the folders, which are filled with other results.
    """
    read = [*inputs]
    for place in places:
        check_place(place, read)
    for number, place in enumerate(places):
        for other in (*folders, *places[:number]):
            if _in_the_way(other, place):
                msg = f"cannot write {place}: {other} is written too, and they would be one file"
                raise OutputError(msg, hint="give each result a place of its own")


def check_place(path: Path, inputs: Iterable[str] = ()) -> None:
    """Refuse, before anything is computed, a place that cannot be written to."""
    reason = STANDARD if path.parts[:1] == ("-",) else _obstacle(path, inputs)
    if reason is not None:
        raise OutputError(f"cannot write {path}: {reason}", hint=HINT)


def _obstacle(path: Path, inputs: Iterable[str]) -> str | None:
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            return "it is a folder"
        if target.exists() and not target.is_file():
            return "it is not a regular file"
        if target.exists() and any(_read_from(target, each) for each in inputs):
            return "it is one of the inputs"
        lost = next((each for each in (target, *target.parents) if each.is_symlink()), None)
        if lost is not None:
            return f"the link {lost} leads back to itself"
        folder = next(each for each in target.parents if each.exists())
        _probe(folder)
    except (OSError, ValueError) as error:
        return str(getattr(error, "strerror", None) or error).lower()
    return None


def _read_from(path: Path, given: str) -> bool:
    """Say whether a file is an input, or lies among those of an input that is a folder."""
    source = Path(os.path.realpath(given))
    if source.is_dir():
        return path.is_relative_to(source) and path.suffix in FOLDERS_HOLD
    return source.exists() and path.samefile(source)


def same_place(one: Path, other: Path) -> bool:
    """Say whether two paths, which need not exist, lead to one file."""
    return _place(one) == _place(other)


def _in_the_way(one: Path, other: Path) -> bool:
    """Say whether two results would be one file, or one of them the folder of the other."""
    first, second = _place(one), _place(other)
    shorter = min(len(first), len(second))
    return first[:shorter] == second[:shorter]


def _place(path: Path) -> Place:
    """Tell a place by the file or the nearest folder that exists, and the names from there on."""
    target = Path(os.path.realpath(path))
    missing: list[str] = []
    while not target.exists():
        missing.append(target.name)
        target = target.parent
    found = target.stat()
    names = missing[::-1]
    if names and _ignores_case(target):
        names = [unicodedata.normalize("NFC", each).casefold() for each in names]
    return (found.st_dev, found.st_ino, *names)


def _ignores_case(folder: Path) -> bool:
    try:
        return _probe(folder)
    except OSError:
        return False


def _probe(folder: Path) -> bool:
    """Write into a folder, and say whether the file can be found under other letters."""
    with waiting_file(folder) as (_, place):
        return place.with_name(place.name.upper()).exists()


def write(data: bytes, path: Path) -> Path:
    """Write a named file, replacing what is there (behind a link, what it points to)."""
    files.write(data, path)
    return path


def write_stamped(data: bytes, moment: datetime, *, family: str, apart: Path | None = None) -> Path:
    """Write a new file under the time it was made; existing files and one place are left alone."""
    stem = f"{family}_{moment.strftime('%Y%m%dT%H%M%SZ')}"
    free = (path for path in _names(stem) if not (apart and same_place(path, apart)))
    try:
        return next(path for path in free if files.write_new(data, path))
    except OutputError as error:
        raise OutputError(error.message, hint=HINT) from None


def _names(stem: str) -> Iterator[Path]:
    yield FOLDER / f"{stem}.json"
    for number in count(2):
        yield FOLDER / f"{stem}-{number}.json"
