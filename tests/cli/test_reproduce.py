"""The command an artifact records: what was given, and only what numbers depend on."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from assay.cli.options import two_numbers
from assay.cli.results import command_line
from assay.stored import read_artifact
from tests.cli.conftest import Assay
from tests.report.families import COMMANDS, RESAMPLES, write_tables


@click.command("score")
@click.argument("files", nargs=-1)
@click.option("--bins", "-b", type=int, default=10)
@click.option("--name", multiple=True)
@click.option("--strict/--lenient", default=False)
@click.option("--scale", callback=two_numbers)
@click.option("--output")
@click.option("--quiet", is_flag=True)
def score(**_: object) -> None:
    click.echo(command_line())


@pytest.mark.parametrize(
    ("given", "recorded"),
    [
        ("", "score"),
        ("a.json b.json", "score a.json b.json"),
        ("-b 5 a.json", "score --bins 5 a.json"),
        ("--output x.json --quiet a.json", "score a.json"),
        ("--name x --name 'y z'", "score --name x --name 'y z'"),
        ("--strict", "score --strict"),
        ("--scale 0,3", "score --scale 0.0,3.0"),
        ("--lenient", "score --lenient"),
    ],
)
def test_the_command_is_what_was_given(given: str, recorded: str) -> None:
    assert CliRunner().invoke(score, given).output == f"{recorded}\n"


def test_a_file_is_recorded_whatever_its_parameter_is_called() -> None:
    @click.command("judge")
    @click.argument("tables", nargs=-1)
    def judge(**_: object) -> None:
        click.echo(command_line())

    assert CliRunner().invoke(judge, ["a.csv", "b.csv"]).output == "judge a.csv b.csv\n"


@pytest.mark.parametrize("kind", [kind for kind in COMMANDS if kind != "reasoning"])
def test_the_recorded_command_gives_the_same_artifact_again(
    assay: Assay, folder: Path, kind: str
) -> None:
    write_tables(folder)
    resamples = () if kind == "calibrator" else RESAMPLES
    assert assay(*COMMANDS[kind], *resamples, "--output", "one.json", "--quiet").code == 0
    first = read_artifact("one.json")
    _, *words = shlex.split(first.command or "")
    assert assay(*words, "--output", "two.json", "--quiet").code == 0
    assert read_artifact("two.json") == first


def test_a_name_that_is_not_utf_8_is_spelled_out() -> None:
    found = CliRunner().invoke(score, ["a\udcffb.json"]).output
    assert found == "score 'a\\udcffb.json'\n"
