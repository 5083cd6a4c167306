"""Where results go: no result replaces another, or an input, whatever a path looks like."""

from __future__ import annotations

import json
import os

import pytest

from assay.cli import writing
from assay.cli.writing import same_place
from assay.demo import DEMO_PATH
from tests.reasoning_files import made

ONE = ("selective", "--input", "run.json", "--mode", "few_shot", "--bootstrap-resamples", "0")


@pytest.fixture
def refused(assay, folder):
    """Run a command that must be refused before it writes anything."""

    def run(*arguments):
        before = sorted(os.walk(folder))
        done = assay(*arguments)
        assert (done.code, done.out) == (1, "")
        assert sorted(os.walk(folder)) == before
        return done.err.splitlines()[0]

    return run


@pytest.mark.parametrize(
    "other", ["one.html", "./one.html", "rr/../one.html", "link.html", "folder/one.html"]
)
def test_an_artifact_and_its_page_are_not_one_file(refused, folder, other):
    (folder / "link.html").symlink_to("one.html")
    (folder / "folder").symlink_to(".")
    error = refused(*ONE, "--html", "one.html", "--output", other)
    assert error.endswith("is written too, and they would be one file")


def test_two_names_of_one_file_are_one_place(refused, folder):
    (folder / "a").write_text("")
    (folder / "b").hardlink_to(folder / "a")
    error = refused(*ONE, "--html", "a", "--output", "b")
    assert error == "error: cannot write a: b is written too, and they would be one file"


def test_a_result_cannot_be_the_folder_of_another(refused):
    error = refused(*ONE, "--output", "x", "--html", "x/page.html")
    assert error == "error: cannot write x/page.html: x is written too, and they would be one file"


def test_case_tells_places_apart_only_where_the_file_system_does(folder, monkeypatch):
    assert not same_place(folder / "One", folder / "one")
    monkeypatch.setattr(writing, "_probe", lambda _: True)
    assert same_place(folder / "One", folder / "one")
    assert same_place(folder / "\N{LATIN SMALL LETTER E WITH ACUTE}", folder / "e\u0301")


@pytest.mark.parametrize("option", ["--output", "--html"])
@pytest.mark.parametrize("place", ["run.json", "a/../run.json", "link", "hard"])
def test_an_input_is_never_replaced(refused, folder, option, place):
    (folder / "link").symlink_to("run.json")
    (folder / "hard").hardlink_to(folder / "run.json")
    assert refused(*ONE, option, place).endswith("it is one of the inputs")


LOOPED = {
    "selective": (*ONE, "--output", "loop"),
    "page": (*ONE, "--html", "loop"),
    "folder": (*ONE, "--output", "loop/a.json"),
    "report": ("report", "run.json", "--output", "loop"),
    "calibrate": ("calibrate", "--input", "run.json", "--mode", "few_shot", "--output", "loop"),
    "reasoning": ("reasoning", "results", "--vignettes", "vignettes.json", "--output", "loop"),
    "reasoning page": ("reasoning", "results", "--vignettes", "vignettes.json", "--html", "loop"),
    "extract": ("extract", "results", "--output", "loop"),
    "bias": ("bias", "results", "--output", "loop"),
    "verdicts": (
        *("verdicts", "--results", "run.json", "--ground-truth", "run.json"),
        *("--results-output", "loop"),
    ),
    "tables": (
        *("verdicts", "--results", "run.json", "--ground-truth", "run.json"),
        *("--tables", "loop"),
    ),
}


@pytest.mark.parametrize("arguments", LOOPED.values(), ids=LOOPED)
def test_a_link_that_leads_back_to_itself_is_refused_in_words(refused, folder, arguments):
    made(folder)
    (folder / "loop").symlink_to("other")
    (folder / "other").symlink_to("loop")
    assert "leads back to itself" in refused(*arguments)


def test_a_link_that_leads_to_nothing_yet_is_written_through(assay, folder):
    (folder / "link.json").symlink_to("made/there.json")
    assert assay(*ONE, "--output", "link.json", "--quiet").code == 0
    assert (folder / "link.json").is_symlink()
    assert json.loads((folder / "made" / "there.json").read_bytes())["kind"] == "selective"


def test_a_page_never_takes_the_place_of_a_stamped_artifact(assay, folder):
    stamped = "assay-out/selective_20260101T000000Z.json"
    done = assay(*ONE, "--html", stamped, "--quiet")
    assert done.code == 0
    assert (folder / stamped).read_bytes().startswith(b"<!doctype html>")
    second = folder / "assay-out" / "selective_20260101T000000Z-2.json"
    assert json.loads(second.read_bytes())["kind"] == "selective"


@pytest.mark.parametrize(
    "place", ["out/reasoning.json", "out/stages.json", "out/metric-results/a.html", "out/processed"]
)
def test_the_page_of_reasoning_stays_out_of_its_files(refused, folder, place):
    made(folder)
    given = ("reasoning", "results", "--vignettes", "vignettes.json", "--output", "out")
    assert refused(*given, "--html", place).endswith("they would be one file")


@pytest.mark.parametrize("place", ["vignettes.json", "results/one/study_a_generations.jsonl"])
def test_the_page_of_reasoning_replaces_no_input(refused, folder, place):
    made(folder)
    error = refused("reasoning", "results", "--vignettes", "vignettes.json", "--html", place)
    assert error == f"error: cannot write {place}: it is one of the inputs"


def test_even_force_does_not_replace_what_is_read(refused, folder):
    made(folder)
    stored = folder / "out" / "processed" / "study_a_extracted"
    for name in ("one", "two"):
        (stored / name).mkdir(parents=True)
        text = (folder / "results" / name / "study_a_generations.jsonl").read_text()
        answered = text.replace('"output_text"', '"extracted_diagnosis"')
        (stored / name / "study_a_extracted.jsonl").write_text(answered)
    given = ("reasoning", "results", "--vignettes", "vignettes.json", "--output", "out")
    error = refused(*given, "--extracted", "out/processed/study_a_extracted", "--force")
    assert error.endswith("study_a_extracted.jsonl: it is one of the inputs")


def test_figures_leave_the_artifact_alone(assay, folder):
    assay(*ONE, "--output", "risk-coverage.svg", "--quiet")
    before = (folder / "risk-coverage.svg").read_bytes()
    done = assay("figures", "risk-coverage.svg", "--output", "x/..")
    assert done.code == 1
    assert "it is one of the inputs" in done.err
    assert (folder / "risk-coverage.svg").read_bytes() == before


def test_a_policy_is_an_input_too(refused, folder):
    (folder / "p.yaml").write_bytes(DEMO_PATH.read_bytes())
    given = ("verdicts", "--results", "run.json", "--ground-truth", "run.json")
    error = refused(*given, "--policy", "p.yaml", "--results-output", "p.yaml")
    assert error == "error: cannot write p.yaml: it is one of the inputs"


@pytest.mark.parametrize("flag", ["--output", "--html"])
def test_a_dash_is_no_name_of_a_result(refused, flag):
    said = refused(*ONE, flag, "-")
    assert said == (
        "error: cannot write -: - stands for standard output, to which --json and --format print,"
        " and for no file"
    )
