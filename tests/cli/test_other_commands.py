from __future__ import annotations

import json
import shlex
from functools import partial

import click
import jsonschema
import polars as pl
import pytest
from pyarrow.parquet import write_table

from assay import families, unit_table
from assay.cli import COMMANDS, command, demo
from assay.derive.confidence import ALIASES
from assay.metrics import selective
from assay.registry import CONFIDENCE, METRICS, metric


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_with_examples(assay, name):
    done = assay(name, "--help")
    assert done.code == 0
    assert f"assay {name}" in done.out.partition("Examples:")[2]


OWN_FILES = {
    "selective",
    "calibration",
    "calibrate",
    "intervals",
    "sets",
    "verdicts",
    "reasoning",
    "extract",
    "bias",
    "figures",
    "run",
    "report",
    "policy",
}
"""commands whose examples need files, which their own tests write"""


def small_examples():
    names = [name for name in COMMANDS if name not in OWN_FILES]
    texts = [command.get_command(None, name).epilog for name in names]
    lines = [line for text in texts for line in text.partition("Examples:\n")[2].splitlines()]
    return [line.partition(">")[0].strip() for line in lines]


@pytest.fixture
def units(folder):
    """Write the unit tables that examples name: a whole table, and two parts of it."""
    rows = pl.LazyFrame({"y": [1, 0, 1, 0], "p": [0.9, 0.2, 0.6, 0.4], "who": [1, 1, 2, 2]})
    parts = {"units": rows, "monday": rows.head(2), "tuesday": rows.tail(2)}
    asked = {"y_true": "y", "y_prob": "p", "cluster": "who", "n_bins": 2, "n_resamples": 20}
    for name, part in parts.items():
        write_table(unit_table(part, **asked), folder / f"{name}.parquet")


@pytest.fixture
def short_demo(monkeypatch):
    """Let the demo draw few resamples: one test sees it whole."""
    monkeypatch.setattr(demo, "Plan", partial(demo.Plan, n_resamples=20))


@pytest.mark.usefixtures("units", "short_demo")
@pytest.mark.parametrize("example", small_examples())
def test_the_examples_of_the_help_run(assay, example):
    assert assay(*shlex.split(example)[1:]).code == 0


def test_without_a_command_the_help_is_shown(assay):
    assert assay().out == assay("--help").out


def test_the_version_is_shown(assay):
    assert assay("--version").out == "assay 0.1.0\n"


def test_the_list_names_every_metric_and_confidence_function(assay):
    out = assay("metrics").out
    for name in (*METRICS, *CONFIDENCE, *ALIASES, "secondary:A+B:average|product"):
        assert f"\n{name} " in out


def test_the_list_as_json_holds_the_same_names(assay):
    listed = json.loads(assay("metrics", "--json").out)
    assert [each["name"] for each in listed["metrics"]] == list(METRICS)
    assert [each["name"] for each in listed["confidence"]] == list(CONFIDENCE)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_explained(assay, name):
    out = assay("explain", name).out
    assert out.startswith(f"{name}: ")
    for word in ("formula ", "better ", "range ", "undefined ", "reference ", ">>> "):
        assert word in out
    assert "\\" not in out
    for column in METRICS[name].columns:
        assert f"column {column}" in out
    for option in METRICS[name].options:
        assert f"option {option}" in out


@pytest.mark.parametrize("name", [*CONFIDENCE, *ALIASES])
def test_every_confidence_function_is_explained(assay, name):
    done = assay("explain", name)
    assert done.out.startswith(f"{name}: ")
    for signal in CONFIDENCE[name].signals if name in CONFIDENCE else ():
        assert f"signal {signal}" in done.out


def test_an_explanation_shows_formula_choices_and_meaning(assay):
    out = assay("explain", "aurc").out
    assert "\u222b_0^(C_max) r(c) dc," in out
    assert "trapezoid or step, default trapezoid" in out
    assert "what an answer costs; 0 is a right answer" in out


def test_a_name_that_does_not_exist_suggests_one_that_does(assay):
    done = assay("explain", "aurk")
    assert done.code == 1
    assert done.err.startswith("error: there is no metric and no confidence function called 'aurk'")
    assert "hint: perhaps aurc" in done.err


def test_a_name_like_no_other_points_to_the_list(assay):
    assert "hint: `assay metrics` lists all names" in assay("explain", "zzzz").err


def test_a_metric_that_is_registered_appears_everywhere(assay, folder):
    name = "answered_share"

    def answered_share(loss, confidence, *, answered=None, weight=None):
        """Share of rows answered, once more.

        .. math:: K / N

        References
        ----------
        None.

        Examples
        --------
        >>> 1 + 1
        2
        """
        return selective.cmax(loss, confidence, answered=answered, weight=weight)

    metric(better="higher", bounds=(0.0, 1.0), family="selective")(answered_share)
    try:
        assert f"\n{name} " in assay("metrics").out
        assert "formula" in assay("explain", name).out
        options = ("--mode", "few_shot", "--bootstrap-resamples", "50", "--output", "a.json")
        assert f"\n{name} " in assay("selective", "--input", "run.json", *options).out
        (system,) = json.loads((folder / "a.json").read_bytes())["systems"]
        numbers = system["variants"]["llm"]["numbers"]
        assert numbers[name]["interval"] == numbers["cmax"]["interval"]
    finally:
        METRICS.pop(name)


def test_the_schema_is_a_schema(assay):
    jsonschema.Draft202012Validator.check_schema(json.loads(assay("schema").out))


def test_the_demo_compares_two_modes_says_it_is_synthetic_and_where_the_artifact_is(assay, folder):
    done = assay("demo")
    assert done.code == 0
    assert "synthetic" in done.err
    assert "wrote assay-out/demo.json" in done.err
    assert "few_shot minus zero_shot" in done.out
    artifact = json.loads((folder / "assay-out" / "demo.json").read_bytes())
    assert artifact["population"]["participants_total"] == 41
    assert len(artifact["confidence_variants"]) == 5


@pytest.mark.usefixtures("short_demo")
def test_a_quiet_demo_prints_nothing(assay):
    done = assay("demo", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.parametrize("columns", ["0", "1", "-3", "wide", "9" * 30])
def test_a_width_in_which_nothing_can_be_read_is_not_taken(assay, monkeypatch, columns):
    shown = assay("metrics").out
    monkeypatch.setenv("COLUMNS", columns)
    assert assay("metrics").out == shown


def test_who_interrupts_is_told_what_was_written(assay, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    command = ("selective", "run.json", "--mode", "few_shot", "--bootstrap-resamples", "0")
    monkeypatch.setattr("assay.cli.results.show", interrupt)
    done = assay(*command, "--output", "a.json")
    assert done.code == 130
    assert done.err.splitlines()[-1] == "interrupted: only a.json was written"
    monkeypatch.setattr("assay.pipeline.outcome", interrupt)
    said = assay(*command, "--output", "a.json").err.splitlines()
    assert said[-1] == "interrupted: nothing was written"


def test_what_the_system_refuses_is_named_for_what_it_is(assay, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied", "/somewhere")

    monkeypatch.setattr("assay.cli.catalogue.listing", refuse)
    assert assay("metrics").err == "error: /somewhere: permission denied\n"


@pytest.mark.parametrize("name", [*families.NAMES, "extract", "bias", "calibrate"])
def test_inputs_follow_a_command_or_its_input_flag(name):
    parameters = command.get_command(click.Context(command), name).params
    assert [each for each in parameters if isinstance(each, click.Argument)]
    assert "--input" in {flag for each in parameters for flag in each.opts}
