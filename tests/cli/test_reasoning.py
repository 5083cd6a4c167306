"""`assay reasoning`, `assay extract` and `assay bias` as a user runs them."""

from __future__ import annotations

import json
import shlex
from importlib import import_module
from pathlib import Path

import click
import jsonschema
import pytest

from assay import stored
from assay.cli import command
from assay.demo import REASONING_FOLDER as EXAMPLE_FOLDER
from tests.reasoning_files import ONE, TWO, lines, made, row

FEW = ("--bootstrap-resamples", "40")


@pytest.fixture
def files(folder):
    made(folder)
    return folder


@pytest.fixture
def reasoning(assay, files):
    """Run `assay reasoning` on few resamples."""
    given = ("--generations", "results", "--vignettes", "vignettes.json")
    return lambda *more: assay("reasoning", *given, "--gold-labels", "labels.json", *FEW, *more)


def test_files_are_found_by_what_they_are_and_by_the_names_of_an_earlier_program(reasoning, files):
    before = reasoning("--output", "earlier").out
    for each in Path("results").glob("*/study_a_generations.jsonl"):
        each.rename(each.with_name("generations.jsonl"))
    assert reasoning("--output", "now").out == before


def test_the_table_of_features_is_short_unless_all_is_asked_for(reasoning, files):
    words = ["black", "white", "male", "female", "old", "young"]
    cases = [{"id": each, "bias_feature": each, "bias_label": "Schizophrenia"} for each in words]
    (files / "bias.json").write_text(json.dumps(cases))
    rows = [row(each, "bias", "Schizophrenia.") for each in words]
    (files / "results/one/bias_generations.jsonl").write_text(lines(rows))
    given = ("--bias-cases", "bias.json", "--output", "out")
    shown = [reasoning(*given, *more).out.splitlines() for more in ((), ("--full",))]
    found = [[line for line in each if line.split(" ")[0] in words] for each in shown]
    assert [len(each) for each in found] == [4, 6]


def test_one_command_does_all_and_says_where_everything_is(reasoning, files):
    done = reasoning("--output", "out")
    assert done.code == 0
    assert done.out.startswith("Reasoning: one, two\n")
    assert "wrote 8 files into out, reasoning.json among them" in done.err
    artifact = json.loads((files / "out" / "reasoning.json").read_bytes())
    jsonschema.Draft202012Validator(json.loads(stored.schema())).validate(artifact)
    assert artifact["command"] == (
        "assay reasoning --generations results --vignettes vignettes.json --gold-labels labels.json"
        " --bootstrap-resamples 40"
    )
    for path in ("metric-results/one_metrics.json", "processed/study_a_extracted/two"):
        assert (files / "out" / path).exists()


def test_the_usual_place_is_in_the_folder_of_results(reasoning, files):
    assert reasoning("--quiet").out == ""
    assert (files / "assay-out" / "reasoning" / "reasoning.json").exists()


def test_a_second_run_says_what_is_up_to_date_and_force_does_it_again(reasoning):
    reasoning("--output", "out")
    again = reasoning("--output", "out")
    assert "up to date: extract one\nup to date: extract two\nup to date: metrics" in again.err
    assert "wrote" not in again.err
    assert again.out.startswith("Reasoning: one, two")
    assert "wrote 8 files" in reasoning("--output", "out", "--force").err


def test_the_same_request_leaves_the_same_bytes(reasoning, files):
    reasoning("--output", "1")
    reasoning("--output", "2", "--threads", "2")
    first, second = (json.loads((files / n / "reasoning.json").read_bytes()) for n in "12")
    second["command"] = first["command"]
    assert first == second


def test_json_prints_the_artifact_and_format_its_tables(reasoning, files):
    done = reasoning("--output", "out", "--json")
    assert done.out.encode() == (files / "out" / "reasoning.json").read_bytes()
    tables = reasoning("--output", "out", "--format", "csv", "--quiet").out
    assert "faithfulness_gap" in tables
    both = reasoning("--output", "out", "--json", "--format", "md")
    assert both.code == 2
    assert "choose one" in both.err


def test_generations_may_be_folders_files_or_arguments(assay, files):
    given = ("--vignettes", "vignettes.json", "--gold-labels", "labels.json", *FEW)
    paths = ["results/one", "results/two/study_a_generations.jsonl"]
    ways = [
        ("--generations", paths[0], "--generations", paths[1]),
        ("--generations", *paths),
        paths,
    ]
    for number, way in enumerate(ways):
        done = assay("reasoning", *given, "--output", f"o{number}", *way)
        assert done.code == 0, done.err
        assert done.out.startswith("Reasoning: one, two\n")


CHOICES = [
    ("--reading", ["closed-set", "literal", "heuristic"], "reading"),
    ("--step-block", ["think-first", "markers-else-whole", "markers"], "step_block"),
    ("--refusals", ["exclude", "wrong", "ignore"], "refusals"),
    ("--threshold", ["0.6", "0.75"], "threshold"),
    ("--min-tokens", ["20", "5"], "min_tokens"),
    ("--min-characters", ["20", "0"], "min_characters"),
    ("--matching", ["greedy", "optimal"], "matching"),
    ("--preset", ["default", "seed", "reference"], "preset"),
    ("--mentions", ["all", "asserted"], "mentions"),
    ("--refusal-order", ["refusal-first", "reference"], "refusal_order"),
]


@pytest.mark.parametrize(("flag", "values", "name"), CHOICES)
def test_every_convention_can_be_chosen_and_is_on_record(reasoning, flag, values, name):
    for value in values:
        done = reasoning("--output", "out", "--json", flag, value)
        assert done.code == 0, done.err
        assert str(json.loads(done.out)["conventions"][name]) == value


def test_a_page_is_written_on_request(reasoning, files, monkeypatch):
    pages = import_module("assay.report.page")
    monkeypatch.setattr(pages, "page", lambda shown: f"page of {len(shown[0].systems)}".encode())
    done = reasoning("--output", "out", "--html", "page.html")
    assert done.code == 0, done.err
    assert (files / "page.html").read_text(encoding="utf-8") == "page of 2"
    assert "\nwrote page.html\nholds texts of the input (4 vignettes)" in done.err


@pytest.mark.parametrize("name", ["reasoning", "extract", "bias"])
def test_every_flag_is_explained_on_the_page(name):
    page = (Path(__file__).parents[2] / "docs" / "reasoning.md").read_text(encoding="utf-8")
    flags = [
        flag
        for each in command.get_command(None, name).params
        if isinstance(each, click.Option)
        for flag in each.opts
    ]
    assert [flag for flag in flags if f"`{flag}" not in page] == []


def test_extract_alone_writes_the_extracted_rows(assay, files):
    done = assay(
        "extract", "--generations", "results", "--gold-labels", "labels.json", "--output", "out"
    )
    assert done.code == 0
    assert "opening" in done.out
    assert "diagnosis" in done.out
    path = "out/processed/study_a_extracted/one/study_a_extracted.jsonl"
    assert f"wrote {path}" in done.err
    assert len((files / path).read_bytes().splitlines()) == len(ONE)
    again = assay(
        "extract", "results", "--gold-labels", "labels.json", "--output", "out", "--quiet"
    )
    assert (again.out, again.err) == ("", "")


def test_extract_counts_every_state_of_what_texts_do(assay, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = {"none": "None of the above.", "outside": "Gout", "answered": "Flu.", "failed": "---"}
    rows = [{"id": name, "mode": "cot", "output_text": text} for name, text in said.items()]
    Path("g.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    Path("labels.txt").write_text("Flu\nCold\n")
    done = assay("extract", "g.jsonl", "--labels", "labels.txt", "--output", "out")
    shown = done.out.partition("Outcomes")[2].partition("How answers")[0]
    assert sorted(line.split() for line in shown.splitlines()[3:] if line) == sorted(
        [name, "1"] for name in said
    )


def test_bias_alone_writes_its_numbers(assay, folder):
    given = (
        "bias",
        str(EXAMPLE_FOLDER / "results"),
        "--bias-cases",
        str(EXAMPLE_FOLDER / "bias_cases.json"),
    )
    done = assay(*given, "--output", "out", *FEW)
    assert done.code == 0
    assert done.out.startswith("Bias: guarded, hasty, steady\n")
    assert "wrote out/metric-results/study_a_bias_metrics.json" in done.err
    found = json.loads((folder / "out/metric-results/study_a_bias_metrics.json").read_bytes())
    assert found["hasty"]["n_biased"] >= found["hasty"]["n_silent"] > 0
    again = assay(*given, "--output", "out", *FEW, "--json")
    assert json.loads(again.out) == found
    assert "up to date" in again.err


def test_bias_without_generations_is_refused(assay, folder):
    done = assay("bias", "--output", "out")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: no bias generations were found")


def examples(name):
    epilog = command.get_command(None, name).epilog
    return [line.strip() for line in epilog.partition("Examples:\n")[2].splitlines()]


@pytest.fixture
def example_files(files):
    """Write what the examples of the help name."""
    for name, text in {
        "gold_labels.json": (files / "labels.json").read_text(),
        "v.json": (files / "vignettes.json").read_text(),
        "v.jsonl": (files / "vignettes.json").read_text().replace("\n", ""),
        "labels.yaml": "labels: [Schizophrenia, Bipolar Disorder]\n",
        "answers.jsonl": lines(ONE),
        "bias_cases.json": json.dumps([{"id": "1", "bias_feature": "age", "bias_label": "x"}]),
    }.items():
        (files / name).write_text(text)
    (files / "v.jsonl").write_text(
        "\n".join(json.dumps(each) for each in json.loads((files / "vignettes.json").read_text()))
    )
    for name, rows in {"a": ONE, "b": TWO}.items():
        made(files, **{name: rows})
    for name in ("a", "b", "one", "two"):
        place = files / "results" / name / "study_a_bias_generations.jsonl"
        place.write_text(
            lines([{"id": "1", "output_text": "x", "bias_feature": "age", "bias_label": "x"}])
        )
    return files


@pytest.mark.parametrize(
    "example", [*examples("reasoning"), *examples("extract"), *examples("bias")]
)
def test_the_examples_of_the_help_run(assay, example_files, example):
    words = shlex.split(example)[1:]
    few = FEW if words[0] != "extract" else ()
    done = assay(*words, *few)
    assert done.code == 0, done.err


def test_bias_takes_only_options_that_matter_to_it():
    names = {each.name for each in command.get_command(None, "bias").params}
    assert "bias_text" in names
    assert not {"vignettes", "threshold", "reading"} & names


class TestBadInput:
    """One sentence and a hint, exit code 1, and nothing written."""

    @pytest.fixture
    def refused(self, reasoning, files):
        def run(*arguments):
            before = sorted(files.rglob("*"))
            done = reasoning(*arguments)
            assert (done.code, done.out) == (1, "")
            assert sorted(files.rglob("*")) == before
            error, _, hint = done.err.rstrip("\n").partition("\n\nhint: ")
            assert error.startswith("error: ")
            assert hint
            assert "\n" not in error + hint
            return error.removeprefix("error: "), hint

        return run

    def test_an_unknown_label(self, refused, files):
        (files / "set.yaml").write_text("labels: [Schizophrenia]\n")
        error, hint = refused("--labels", "set.yaml")
        assert error == "the gold label 'Bipolar Disorder' of 'b' is not in set.yaml"
        assert hint.startswith("add it there")

    def test_a_vignette_without_gold(self, refused, files):
        (files / "labels.json").write_text('{"a": "Schizophrenia", "b": "Schizophrenia"}')
        error, hint = refused()
        assert error == "vignettes.json: 2 of 4 vignettes have no gold label ('c', 'd')"
        assert "--skip-unlabelled" in hint

    def test_ids_that_match_nothing(self, refused, files):
        made(files, one=[row(f"x{n}", "cot", "t") for n in range(9)])
        error, _ = refused()
        assert error.endswith("it has 'x0', 'x1', 'x2', where there are 'a', 'b', 'c'")

    def test_a_model_folder_without_files(self, refused, files):
        (files / "results" / "empty").mkdir()
        error, hint = refused()
        assert error == "the model folder results/empty holds no generations.jsonl"
        assert "one by one" in hint

    def test_a_broken_line(self, refused, files):
        made(files, one=[*ONE, "{"])
        error, hint = refused()
        assert error.startswith("results/one/study_a_generations.jsonl, line 9 is broken: ")
        assert "--skip-broken" in hint

    def test_a_file_that_is_not_there(self, refused):
        error, _ = refused("--generations", "nowhere.jsonl")
        assert error == "'nowhere.jsonl' cannot be read: No such file or directory"

    def test_a_folder_that_cannot_be_written(self, refused, files):
        (files / "taken").write_text("")
        error, hint = refused("--output", "taken")
        assert error.startswith("cannot write taken/reasoning.json: ")
        assert "--output" in hint

    def test_two_files_of_one_model(self, refused):
        error, _ = refused("--generations", "results/one")
        assert "are both of the model 'one'" in error

    def test_a_cluster_that_is_not_there(self, refused):
        error, hint = refused("--cluster", "source")
        assert "have no `source`" in error
        assert hint == "the fields are persona"

    @pytest.mark.parametrize(
        "arguments", [("--threshold", "0"), ("--min-tokens", "-3"), ("--level", "2")]
    )
    def test_options_that_mean_nothing(self, refused, arguments):
        refused(*arguments)


def test_skipping_is_said_and_counted(reasoning, files):
    made(files, one=[*ONE, "{", "", row("a", "sideways", "x")])
    done = reasoning("--skip-broken", "--output", "out")
    assert done.code == 0
    assert "one: left out 1 broken line (line 9); left out 1 row of other modes" in done.out


HOSTILE = [
    row("a", "cot", "<THINK>" + "word " * 100 + "</think>Schizophrenia"),
    row("a", "direct", "🙂" * 50 + " Schizophrenia"),
    row("b", "cot", "<think>" + "never closed " * 30),
    row("b", "direct", "\u202eredrosid ralopiB\u202c Bipolar Disorder"),
    row("c", "cot", "DIAGNOSIS: Schizophrenia REASONING: " + "inverted markers here. " * 10),
    row("c", "direct", "\x1b[31m Schizophrenia \x1b[0m\x00"),
    row("d", "cot", "x" * 1_000_000),
    row("d", "direct", "a. " * 200_000 + "Bipolar"),
]


def test_hostile_texts_are_read_and_nothing_of_them_reaches_the_terminal(reasoning, files):
    made(files, one=HOSTILE)
    done = reasoning("--output", "out")
    assert done.code == 0
    assert "\x1b" not in done.out
    artifact = json.loads((files / "out" / "reasoning.json").read_bytes())
    outputs = {
        (each["id"], each["mode"]): each for each in artifact["systems"][0]["parts"]["outputs"]
    }
    assert outputs["a", "cot"]["answer"] == "Schizophrenia"
    assert outputs["b", "cot"]["outcome"] == "failed"
    assert outputs["b", "direct"]["answer"] == "Bipolar Disorder"
    assert outputs["c", "direct"]["answer"] == "Schizophrenia"
    assert len(outputs["d", "cot"]["text"]) < 300
    assert (files / "out" / "reasoning.json").stat().st_size < 400_000


def test_the_bundled_example_is_evaluated_as_make_demo_does(assay, folder):
    place = Path(EXAMPLE_FOLDER)
    done = assay(
        "reasoning",
        "--generations",
        place / "results",
        "--vignettes",
        place / "vignettes.json",
        "--gold-labels",
        place / "gold_labels.json",
        "--bias-cases",
        place / "bias_cases.json",
        *FEW,
    )
    assert done.code == 0
    assert done.out.startswith("Reasoning: guarded, hasty, steady\n")
    assert "guarded: whether reasoning helps depends on how texts are read" in done.out


NAMED = ["meta-llama/Llama-3-8B", "llama3:8b", ".hidden", "CON", "../../evil"]


def test_a_model_may_have_any_name_and_its_files_stay_in_the_folder(assay, files):
    for place, name in enumerate(NAMED):
        rows = [row(*each[:3], model_name=name) for each in _rows(files)]
        (files / f"{place}.jsonl").write_text(lines(rows))
    given = ("--vignettes", "vignettes.json", "--gold-labels", "labels.json", *FEW)
    paths = [f"{place}.jsonl" for place in range(len(NAMED))]
    done = assay("reasoning", *paths, *given, "--output", "out")
    assert done.code == 0
    artifact = json.loads((files / "out" / "reasoning.json").read_bytes())
    assert sorted(each["name"] for each in artifact["systems"]) == sorted(NAMED)
    every = json.loads((files / "out" / "metric-results" / "all_models_metrics.json").read_bytes())
    assert sorted(every) == sorted(NAMED)
    encoded = sorted(each.name for each in (files / "out/processed/study_a_extracted").iterdir())
    assert encoded == [
        *("%2E.%2F..%2Fevil", "%2Ehidden", "%43ON"),
        *("llama3%3A8b", "meta-llama%2FLlama-3-8B"),
    ]
    # A folder with an encoded name is one of the model with the plain name.
    stored = ("--extracted", "out/processed/study_a_extracted", "--preset", "default")
    again = assay("reasoning", *paths, *given, *stored, "--json", "--output", "other")
    roles = [each for each in json.loads(again.out)["inputs"] if each["role"] == "extracted"]
    assert sorted(each["about"]["model"] for each in roles) == sorted(NAMED)


def _rows(files):
    text = (files / "results" / "one" / "study_a_generations.jsonl").read_text()
    found = [json.loads(line) for line in text.splitlines()]
    return [(each["id"], each["mode"], each["output_text"]) for each in found]
