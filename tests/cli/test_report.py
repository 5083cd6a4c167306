"""`assay report`, and --html on the commands that evaluate."""

from __future__ import annotations

import shlex
import sys

import pytest

from assay.cli import COMMANDS
from assay.cli.report import COMMANDS as OWN
from tests.cli.conftest import RESAMPLES

EVALUATING = (
    "selective",
    "calibration",
    "calibrate",
    "intervals",
    "sets",
    "verdicts",
    "reasoning",
    "demo",
)


@pytest.fixture
def artifact(selective):
    assert (
        selective("--input", "run.json", "--mode", "few_shot", "--output", "a.json", "--quiet").code
        == 0
    )
    return "a.json"


def test_a_page_is_written_and_nothing_is_printed_on_standard_output(assay, folder, artifact):
    done = assay("report", artifact, "-o", "r.html")
    assert (done.code, done.out, done.err) == (0, "", "wrote r.html\n")
    assert (folder / "r.html").read_bytes().startswith(b"<!doctype html>")
    assert assay("report", artifact, "--quiet").err == ""
    assert (folder / "assay-out" / "report.html").exists()


def test_the_examples_of_the_help_run(assay, folder, artifact):
    (folder / "assay-out").mkdir()
    names = ("assay-out/demo.json", "selective.json", "calibration.json", "intervals.json")
    for name in names:
        (folder / name).write_bytes((folder / artifact).read_bytes())
    for example in OWN["report"].epilog.partition("Examples:\n")[2].splitlines():
        (folder / "report.html").unlink(missing_ok=True)
        assert assay(*shlex.split(example)[1:]).code == 0, example
        assert (folder / "report.html").exists() == ("report.html" in example)


def test_html_gives_the_bytes_that_report_gives(assay, selective, folder, artifact):
    flags = ("--input", "run.json", "--mode", "few_shot")
    done = selective(*flags, "--output", "b.json", "--html", "b.html")
    assert done.code == 0
    assert done.err == "wrote b.json\nwrote b.html\n"
    assert (folder / "b.json").read_bytes() == (folder / "a.json").read_bytes()
    assay("report", artifact, "-o", "a.html")
    assert (folder / "a.html").read_bytes() == (folder / "b.html").read_bytes()


@pytest.mark.parametrize("name", EVALUATING)
def test_every_evaluating_command_offers_html(assay, name):
    assert name in COMMANDS
    assert "--html FILE" in assay(name, "--help").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run.json",), "error: run.json is a run, not an artifact"),
        (("none.json",), "error: 'none.json' cannot be read"),
        (("a.json", "-o", "a.json"), "error: cannot write a.json: it is one of the inputs"),
        (("a.json", "-o", "."), "error: cannot write .: it is a folder"),
    ],
)
def test_what_cannot_be_shown_gives_one_sentence_and_no_file(
    assay, folder, artifact, arguments, message
):
    before = sorted(folder.iterdir())
    done = assay("report", *arguments)
    assert done.code == 1
    assert done.err.startswith(message)
    assert "Traceback" not in done.err
    assert sorted(folder.iterdir()) == before


def test_no_artifact_is_misuse(assay):
    assert assay("report").code == 2
    done = assay("report", "-", "-")
    assert done.code == 2
    assert "standard input can be read once" in done.err


def test_a_page_and_an_artifact_need_two_places(selective):
    done = selective("--input", "run.json", "--mode", "few_shot", "--output", "x", "--html", "./x")
    assert done.code == 1
    assert "cannot write x: x is written too, and they would be one file" in done.err


def test_missing_packages_are_named_before_anything_is_computed(selective, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    done = selective("--input", "run.json", "--mode", "few_shot", "--html", "x.html")
    assert done.code == 1
    assert done.err.startswith(
        "error: pages and figures need packages that are not installed: jinja2"
    )
    assert "pip install 'assay[report]'" in done.err
    assert not (folder / "assay-out").exists()


def test_an_operating_point_that_is_asked_for_is_reported(selective):
    flags = ("--input", "run.json", "--mode", "few_shot", "--confidence")
    one = selective(*flags, "verbalized", "--threshold", "0.7").out
    assert "risk_at_threshold@0.70" in one
    several = selective(*flags, "verbalized,llm", "--threshold", "0.7,0.5").out
    assert "coverage_at_threshold" in several
    refused = selective(*flags, "llm", "--threshold", "nan")
    assert refused.code == 1
    assert "--threshold must be a number, found nan" in refused.err


def test_the_command_of_a_slider_reports_the_same_point(assay, folder, artifact):
    import json
    import shlex

    from assay.report.presenters import words_of
    from assay.stored import read_artifact

    found = read_artifact(artifact)
    choice = words_of(found).operating(found).choices[0]
    point = choice.points[-2]
    words = shlex.split(choice.command + point.command)
    assert words[0] == "assay"
    done = assay(*words[1:], "--json", "--quiet")
    assert done.code == 0
    variant = next(iter(json.loads(done.out)["systems"][0]["variants"].values()))
    found = next(v for k, v in variant["numbers"].items() if k.startswith("risk_at_threshold@"))
    # The page has six digits of what is drawn.
    assert found["value"] == pytest.approx(point.at["risk"], rel=1e-5)
    assert found["interval"] == pytest.approx([point.at["low"], point.at["high"]], rel=1e-5)
    assert RESAMPLES[1] in words


def test_the_tables_of_an_artifact_are_printed_as_its_command_prints_them(selective, assay, folder):
    given = ("--input", "run.json", "--mode", "few_shot", "--output", "a.json", "--quiet")
    for form in ("md", "tex", "csv"):
        printed = selective(*given, "--format", form)
        again = assay("report", "a.json", "--format", form)
        assert (again.code, again.err) == (0, "")
        assert again.out == printed.out
    assert assay("report", "a.json", "--format", form, "-o", "a.csv").err == "wrote a.csv\n"
    assert (folder / "a.csv").read_text() == again.out


def test_one_table_is_printed_by_its_name_and_an_unknown_name_lists_them(selective, assay):
    selective("--input", "run.json", "--mode", "few_shot", "--output", "a.json", "--quiet")
    done = assay("report", "a.json", "--format", "tex", "--table", "population")
    assert done.out.count("\\begin{table}") == 1
    assert "\\label{tab:population}" in done.out
    both = assay("report", "a.json", "a.json", "--format", "tex", "--table", "population")
    assert "\\label{tab:population-2}" in both.out
    none = assay("report", "a.json", "--format", "md", "--table", "nix")
    assert none.code == 1
    assert "error: there is no table 'nix'\n\nhint: the tables are population, " in none.err
    assert assay("report", "a.json", "--table", "population").code == 2


def test_the_demo_goes_where_it_is_asked_to(assay, folder):
    done = assay("demo", "--output", "my place/d.json")
    assert done.code == 0
    assert (folder / "my place" / "d.json").exists()
    assert not (folder / "assay-out").exists()
    assert "assay report 'my place/d.json' -o report.html" in done.err
