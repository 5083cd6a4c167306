"""Reasoning on a page: every number is that of the artifact."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assay import stored
from assay.demo import REASONING_FOLDER
from assay.display.numbers import DASH
from assay.families.reasoning import BIAS_ALONE
from assay.families.reasoning.words import summarize_bias, summarize_extraction
from assay.inference import Plan
from assay.report.presenters import summary
from tests.golden.reasoning import EXPECTED
from tests.reasoning_files import ONE, TWO, Files, asked, evaluate, extract, made, model
from tests.report import views
from tests.report.views import printed as shown

SNAPSHOT = Path(__file__).parent / "snapshots" / "reasoning.txt"


@pytest.fixture(scope="module")
def golden():
    data = (EXPECTED / "reasoning.json").read_bytes()
    return stored.decode(data)


@pytest.fixture
def artifact(tmp_path):
    return evaluate(asked(made(tmp_path)))


def grids(artifact):
    return views.grids(summary(artifact))


def facts(artifact):
    return views.facts(summary(artifact))


def test_the_summary_is_this(golden):
    """Write it anew with `python -m tests.report.test_reasoning` when a difference is meant."""
    assert shown(summary(golden)) == SNAPSHOT.read_text(encoding="utf-8")


def test_population_counts_stand_beside_every_model(artifact):
    one, two = grids(artifact)["Population"].rows
    assert [cell.text for cell in one.cells] == [
        "3",
        "4",
        "3, 4",
        "1, 0",
        "0, 0",
        "0, 0",
        "0, 0",
        "3",
    ]
    assert [cell.text for cell in two.cells][2:7] == ["3, 2", "0, 0", "1, 0", "0, 1", "0, 1"]


def test_the_chosen_reading_is_marked_and_readings_without_a_right_answer_are_one_line(artifact):
    rows = grids(artifact)["Faithfulness gap under every reading of the texts"].rows
    labels = [row.label for row in rows]
    assert labels[0] == "announced, labels, exclude *"
    assert "literal, labels, ignore" in labels
    assert labels[-2:] == ["10 other readings", "sign over all readings"]
    assert rows[0].cells[0].text == "0.33"
    assert rows[0].cells[1].text == "0.00"


def test_differences_name_both_models_and_the_vignettes_they_share(artifact):
    (row,) = grids(artifact)["Differences in faithfulness_gap"].rows
    assert row.label == "two minus one"
    assert (row.cells[0].text, row.cells[1].text) == ("3", "-0.67")


def test_of_many_pairs_the_clearest_are_shown_and_the_title_says_so(tmp_path):
    models = {f"m{n}": ONE if n % 2 else TWO for n in range(6)}
    found = grids(evaluate(asked(made(tmp_path, **models))))
    title = "Differences in accuracy_cot, the 10 clearest of 15 pairs"
    assert len(found[title].rows) == 10


def test_warnings_and_clusters_are_said(golden):
    lines = facts(golden)
    assert any(
        word == "warning" and "depends on how texts are read" in text for word, text in lines
    )
    assert "clusters (persona)" in dict(lines)["vignettes"]


def test_vignettes_without_an_output_are_named(artifact, tmp_path):
    assert dict(facts(artifact))["missing"] == "two, direct: 1 (d)"
    few = evaluate(asked(made(tmp_path, one=ONE[:1])))
    assert ("missing", "one, direct: 4 (a, b, c, d)") in facts(few)


def test_bias_is_shown_by_model_and_by_feature(golden):
    found = grids(golden)
    bias = model(golden).parts.bias
    row = found["Bias, whole text"].rows[0]
    assert [cell.text for cell in row.cells][:3] == [
        str(bias.rows),
        str(bias.n_biased),
        str(bias.n_silent),
    ]
    features = found["Silent bias by feature (clopper-pearson intervals)"].rows
    assert features[0].label == "guarded"
    assert features[1].indented
    undefined = [row for row in features if row.cells and row.cells[1].text == "0"]
    assert all(row.cells[3].text == DASH for row in undefined)


def test_one_model_has_no_ranking_and_no_differences(tmp_path):
    found = grids(evaluate(asked(made(tmp_path, one=ONE))))
    assert not any(title.startswith(("Ranking", "Differences", "Bias")) for title in found)


def test_without_resamples_no_interval_is_explained(tmp_path):
    found = evaluate(asked(made(tmp_path), Plan(n_resamples=0)))
    assert dict(facts(found))["intervals"] == "none, no resamples were asked for"
    assert "[low, high]" not in dict(facts(found))


def test_the_summary_of_extraction_counts_outcomes_and_methods(tmp_path):
    done = extract(asked(made(tmp_path)), tmp_path / "out")
    text = shown(summarize_extraction(done))
    assert "Extraction: one, two" in text
    assert "opening" in text


@pytest.mark.parametrize("n_resamples", [0, 20])
def test_bias_alone_has_a_summary(n_resamples):
    files = Files(
        bias_generations=(str(REASONING_FOLDER / "results"),),
        bias_cases=str(REASONING_FOLDER / "bias_cases.json"),
    )
    found = evaluate(asked(files, Plan(n_resamples=n_resamples)), BIAS_ALONE)
    text = shown(summarize_bias(found))
    assert text.startswith("Bias: guarded, hasty, steady\n")
    assert ("95% interval" in text) == (n_resamples > 0)


def test_escape_sequences_in_names_do_not_reach_the_terminal(artifact):
    hostile = msgspec.structs.replace(model(artifact), name="a\x1b[31m")
    changed = msgspec.structs.replace(
        artifact, systems=[hostile, model(artifact, 1)], warnings=["\x1b"]
    )
    assert "\x1b" not in shown(summary(changed))


@pytest.mark.parametrize("width", [60, 80, 200])
def test_lines_fit_the_terminal(golden, width):
    assert max(map(len, shown(summary(golden), width).splitlines())) <= width


if __name__ == "__main__":
    kept = stored.decode((EXPECTED / "reasoning.json").read_bytes())
    SNAPSHOT.write_text(shown(summary(kept)), encoding="utf-8")
