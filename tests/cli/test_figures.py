"""`assay figures` as a user runs it, and tables in place of the summary."""

from __future__ import annotations

import csv
import io
import json
import shlex

import pytest

from assay.cli.report import COMMANDS as OWN
from assay.report import presenters

SHORT = ("--bootstrap-resamples", "50", "--quiet")


@pytest.fixture
def made(assay, folder):
    done = assay(
        *("selective", "--input", "run.json", "--mode", "few_shot", "--confidence", "llm"),
        *("--output", "a.json", *SHORT),
    )
    assert done.code == 0
    return folder


def test_figures_are_written_into_a_folder_one_file_per_format(assay, made):
    done = assay("figures", "a.json", "--format", "svg", "--format", "pdf", "--output", "out")
    names = [
        "generalized-risk.pdf",
        "generalized-risk.svg",
        "risk-coverage.pdf",
        "risk-coverage.svg",
    ]
    assert done.code == 0
    assert done.out == ""
    assert sorted(each.name for each in (made / "out").iterdir()) == names
    assert sorted(done.err.splitlines()) == [f"wrote out/{name}" for name in names]


def test_figures_go_beside_other_results_by_default(assay, made):
    assert assay("figures", "a.json", "--only", "risk-coverage", "--quiet").err == ""
    path = made / "assay-out" / "figures" / "risk-coverage.svg"
    assert path.read_bytes().startswith(b"<svg ")


def test_the_style_and_the_width_are_those_asked_for(assay, made):
    chosen = ("--style", "paper", "--width", "333", "--only", "risk-coverage", "--output", "out")
    assay("figures", "a.json", *chosen)
    svg = (made / "out" / "risk-coverage.svg").read_text()
    assert 'width="333"' in svg
    assert "<title" not in svg


def test_figures_can_be_listed(assay, made):
    done = assay("figures", "a.json", "--list")
    assert done.code == 0
    assert done.out.splitlines() == [
        "Figures",
        "",
        "risk-coverage     Risk against coverage",
        "generalized-risk  Generalized risk against coverage",
    ]
    assert not (made / "assay-out").exists()


def test_the_same_command_writes_the_same_bytes(assay, made):
    for place in ("one", "two"):
        assay("figures", "a.json", "--format", "png", "--output", place, "--only", "risk-coverage")
    one, two = ((made / place / "risk-coverage.png").read_bytes() for place in ("one", "two"))
    assert one == two


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["a.json", "--only", "roc"], 1, "error: a.json has no figure 'roc'"),
        (["run.json"], 1, "error: run.json is a run, not an artifact"),
        (["none.json"], 1, "error: 'none.json' cannot be read: No such file"),
        (["a.json", "--output", "a.json"], 2, "error: Invalid value for '--output'"),
        (["a.json", "--width", "3"], 2, "error: Invalid value for '--width'"),
        (["a.json", "--format", "gif"], 2, "error: Invalid value for '--format'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(assay, made, arguments, code, message):
    done = assay("figures", *arguments)
    assert done.code == code
    assert done.err.startswith(message), done.err
    assert done.out == ""
    assert sorted(each.name for each in made.iterdir()) == ["a.json", "run.json"]


def test_an_unknown_figure_is_answered_with_those_there_are(assay, made):
    done = assay("figures", "a.json", "--only", "roc")
    assert done.err.splitlines()[-1] == "hint: its figures are risk-coverage, generalized-risk"


def test_a_calibrator_has_no_figure_and_says_so(assay, folder):
    fitting = ("--input", "run.json", "--mode", "few_shot", "--output", "c.json", "--quiet")
    assert assay("calibrate", *fitting).code == 0
    assert assay("figures", "c.json").err.startswith("error: there is no figure for c.json")


def test_the_examples_of_the_help_run(assay, made):
    (made / "assay-out").mkdir()
    (made / "a.json").rename(made / "assay-out" / "demo.json")
    run = ("--input", "run.json", "--mode", "few_shot", "--confidence", "verbalized")
    assert assay("calibration", *run, "--output", "artifact.json", *SHORT).code == 0
    _, _, text = OWN["figures"].epilog.partition("Examples:\n")
    for example in text.splitlines():
        assert assay(*shlex.split(example)[1:]).code == 0, example


def test_missing_packages_are_named(assay, made, monkeypatch):
    monkeypatch.setattr(
        presenters, "find_spec", lambda name: None if name == "jinja2" else object()
    )
    done = assay("figures", "a.json")
    assert done.code == 1
    assert "need packages that are not installed: jinja2" in done.err


RUN = ("--input", "run.json", "--mode", "few_shot")
COMMANDS = {
    "selective": ("selective", *RUN, "--confidence", "llm", *SHORT),
    "calibration": ("calibration", *RUN, "--confidence", "verbalized", *SHORT),
    "calibrate": ("calibrate", *RUN, "--output", "c.json", "--quiet"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_evaluating_command_prints_tables_in_a_format(assay, folder, name):
    command = COMMANDS[name]
    markdown = assay(*command, "--format", "md")
    assert (markdown.code, markdown.err) == (0, "")
    assert markdown.out.startswith("## ")
    assert "|:--|--:|" in markdown.out
    latex = assay(*command, "--format", "tex").out
    assert latex.count("\\begin{tabular}") == latex.count("\\bottomrule") >= 1
    header, *rows = csv.reader(io.StringIO(assay(*command, "--format", "csv").out))
    assert header == ["table", "row", "better", "column", "value", "low", "high", "note"]
    assert {len(row) for row in rows} == {8}


def test_the_demo_prints_tables_in_a_format(assay, folder):
    done = assay("demo", "--quiet", "--format", "md")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("## ")


def test_tables_hold_the_numbers_of_the_artifact(assay, folder):
    done = assay(*COMMANDS["selective"], "--output", "a.json", "--format", "csv")
    (system,) = json.loads((folder / "a.json").read_bytes())["systems"]
    numbers = system["variants"]["llm"]["numbers"]
    rows = {row["row"]: row for row in csv.DictReader(io.StringIO(done.out)) if row["low"]}
    assert float(rows["aurc"]["value"]) == pytest.approx(numbers["aurc"]["value"], abs=5e-5)
    assert float(rows["aurc"]["low"]) == pytest.approx(numbers["aurc"]["interval"][0], abs=5e-5)
    assert rows["aurc"]["better"] == "lower"


def test_one_thing_is_printed_at_a_time(assay, folder):
    done = assay(*COMMANDS["selective"], "--json", "--format", "md")
    assert done.code == 2
    assert done.err.startswith("error: --json and --format both say what to print")
