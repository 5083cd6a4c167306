"""Options as a stranger gives them: sensible, absurd, repeated, contradictory."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import click

from assay.cli import command as assay_command
from tests.fuzz.examples import Example
from tests.fuzz.hostile import TEXTS

WHOLE = (
    *(
        "0",
        "1",
        "2",
        "3",
        "5",
        "-1",
        "7",
        "42",
        "",
        "1.5",
        "1e3",
        "two",
        " 3",
        "0x10",
        "\uff11",
        "1_0",
    ),
    *(str(2**31), str(2**63), str(2**64), "9" * 30, "9" * 5000, "-" + "9" * 30),
)
WORK = {"bootstrap-resamples", "draws", "consistency-samples", "show-prompts"}
"""options whose value is an amount of work: what a machine could still do is not asked for"""
MOST_WORK = 100
DECIMAL = (
    *(
        "0",
        "1",
        "0.5",
        "0.9",
        "0.05",
        "-1",
        "2",
        "100",
        "",
        "nan",
        "inf",
        "-inf",
        "1e308",
        "5e-324",
    ),
    *("1e400", "half", "0,5", "0.1,0.9", ",", "0.5,", "0.999999999999", "1e-12"),
)
SEVERAL = (
    *("", ",", ",,", "a", "a,b", "a,a", "0", "0,1", "0.5,0.5", "1,0", "default", "all", "all,all"),
    *("0.1,0.2", "nan", "0.2,x", "a, b", " a", "-", "aurc", "llm", "verbalized,llm", "0,3", "3,0"),
    *("1e308", "1,1", "0,0", "abs", "x" * 300, ",".join("abcdefgh"), "9" * 30),
)
OUTPUTS = (
    *("o.json", "deep/er/o.json", ".", "", "..", "../o.json", "loop", "dangling"),
    *("o", "o.html", "x" * 300, "y/" * 200 + "o", "\u00e9.json", "\x1b[31m.json", "-", "--help"),
    *("\udcff.json", " ", "out", "loop/o.json", "a:b.json", "=o.json", "<b>.json"),
)
INPUTS = ("-", "nowhere.json", "", ".", "/dev/null", "loop", "dangling", "x" * 300, "\udcff")
LINKS = {"loop": "loop", "dangling": "nowhere/at/all"}
"""links that lie beside the files: one points to itself, one to nothing"""
READ = {
    *(
        "input",
        "calibration",
        "results",
        "ground-truth",
        "reviews",
        "sources",
        "policy",
        "generations",
    ),
    *("vignettes", "gold-labels", "labels", "refusal-rules", "extracted", "bias-generations"),
    *("bias-cases", "data", "task", "references", "api-key-file", "embedding-api-key-file"),
}
WRITTEN = {"output", "html", "results-output", "tables", "journal"}
ASKING = {"base-url", "embedding-base-url"}
"""nothing is asked over the net, whatever the address"""


@cache
def parameters(command: str) -> tuple[click.Option, ...]:
    """Return the options of a command."""
    found: click.Command = assay_command
    context = click.Context(assay_command)
    for word in command.split():
        if isinstance(found, click.Group):
            found = found.get_command(context, word) or found
    return tuple(each for each in found.params if isinstance(each, click.Option))


def flag_of(option: click.Option) -> str:
    """Return the longest spelling, without dashes."""
    return max(option.opts, key=len).lstrip("-")


def options_changed(example: Example, chance: Random) -> Example:
    """Give one to four options any values."""
    added = _added(example, chance, absurd=True)
    words = [*example.arguments, *added]
    if chance.random() < 0.15 and example.arguments:
        del words[chance.randrange(len(words))]
    if chance.random() < 0.1:
        words += chance.choice((example.arguments, ("--help",), ("--no-such-option",), ("extra",)))
    return replace(example, arguments=tuple(words))


def options_chosen(example: Example, chance: Random) -> Example:
    """Give one to four options that take one of several words one of these words."""
    return replace(example, arguments=(*example.arguments, *_added(example, chance, absurd=False)))


def _added(example: Example, chance: Random, *, absurd: bool) -> list[str]:
    known = [
        each
        for each in parameters(example.command)
        if flag_of(each) not in {*ASKING, "dry-run"}
        and (absurd or each.is_flag or isinstance(each.type, click.Choice))
        # A page takes long to draw; it is the business of the command report.
        and (flag_of(each) != "html" or chance.random() < 0.05)
    ]
    if not known:
        return []
    chosen = [chance.choice(known) for _ in range(chance.choice((1, 1, 2, 4)))]
    if example.command.startswith("run ") and "--dry-run" not in example.arguments:
        return ["--dry-run", *(word for each in chosen for word in _given(each, chance, absurd))]
    return [word for each in chosen for word in _given(each, chance, absurd)]


def _given(option: click.Option, chance: Random, absurd: bool) -> list[str]:
    flag = chance.choice(option.opts)
    if option.is_flag:
        return [flag]
    return [flag, chance.choice(_values(option, absurd=absurd))]


def _values(option: click.Option, *, absurd: bool) -> tuple[str, ...]:
    name, kind = flag_of(option), option.type
    if isinstance(kind, click.Choice):
        words = tuple(map(str, kind.choices))
        return (*words, *words, *words, words[0].upper(), "", "nothing") if absurd else words
    if name in WRITTEN:
        return OUTPUTS
    if name in READ:
        return (*INPUTS, *TEXTS[:10])
    if isinstance(kind, click.types.IntParamType) or name in WORK:
        return tuple(each for each in WHOLE if not _too_much(name, each))
    if isinstance(kind, click.types.FloatParamType):
        return DECIMAL
    return (*SEVERAL, *SEVERAL, *TEXTS)


def _too_much(name: str, value: str) -> bool:
    return name in WORK and value.isdecimal() and MOST_WORK < int(value[:40]) <= 10**6
