"""Verdicts on a page and as tables: every number is that of the artifact."""

from __future__ import annotations

import csv
import io
import os
from functools import cache
from pathlib import Path

import msgspec
import pytest

from assay.artifact import Tool
from assay.demo import VERDICTS_FOLDER as EXAMPLE_FOLDER
from assay.display.numbers import DASH
from assay.families.verdicts.seed_files import cases_table, snippets_table
from assay.library import evaluate
from assay.report.page import page
from assay.report.presenters import summary
from tests.families.verdict_files import evaluated, evidence, result, truth
from tests.report.views import facts, grids, printed

SNAPSHOTS = Path(__file__).parent / "snapshots"
CASES = {
    "verdicts": (("direct.json",), 100),
    "verdicts_compared": (("direct.json", "checked.json"), 80),
}


@cache
def example(names, n_resamples=200):
    artifact = evaluate(
        "verdicts",
        [EXAMPLE_FOLDER / name for name in names],
        ground_truth=EXAMPLE_FOLDER / "ground_truth.json",
        reviews=EXAMPLE_FOLDER / "reviews.jsonl",
        n_resamples=n_resamples,
    ).artifact
    # The place, the version and the engine are not what these tests are about.
    inputs = [
        msgspec.structs.replace(each, path=Path(each.path).name, sha256=None)
        for each in artifact.inputs
    ]
    tool = Tool(name="assay", version="0", kernels="compiled")
    return msgspec.structs.replace(artifact, inputs=inputs, tool=tool)


def shown(artifact, width=100):
    return printed(summary(artifact), width)


@pytest.mark.parametrize("name", CASES)
def test_the_summary_is_the_same_to_the_byte(name):
    """ASSAY_SNAPSHOTS=write renews the files."""
    names, width = CASES[name]
    text = shown(example(names), width)
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("ASSAY_SNAPSHOTS") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize("name", CASES)
def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(name, width):
    lines = shown(example(CASES[name][0]), width).splitlines()
    assert max(map(len, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []


def test_the_seven_stand_first_with_counts_and_intervals():
    artifact = example(("direct.json",))
    first = next(iter(grids(summary(artifact)).values()))
    assert [row.label for row in first.rows] == [
        "AUPRC",
        "Macro F1",
        "Evidence Precision",
        "Evidence Recall",
        "Snippet Validity",
        "Judgement Accuracy",
        "Verdict Consistency",
        "Evidence-to-Verdict",
    ]
    number = artifact.systems[0].variants[""].numbers["evidence_recall"]
    low, high = number.interval
    assert first.rows[3].cells[0].text == f"{100 * number.value:.1f}%"
    assert first.rows[3].cells[0].beside == f"[{100 * low:.1f}%, {100 * high:.1f}%]"
    assert first.rows[3].cells[1].text == "30/53 true sources claimed"


def test_differences_are_in_percentage_points_as_the_numbers_are_in_percent():
    artifact = example(("direct.json", "checked.json"))
    [grid] = [each for title, each in grids(summary(artifact)).items() if "minus" in title]
    assert grid.headings[0] == "points"
    shown_points = {row.label: row.cells[0] for row in grid.rows}
    # 40 of 47 claims are true in one, 30 of 45 in the other: 85.1 % minus 66.7 %
    assert shown_points["Evidence Precision"].text == "+18.4"
    low, high = artifact.pairs[0].deltas[""]["evidence_precision"].interval
    assert shown_points["Evidence Precision"].beside == f"[{100 * low:+.1f}, {100 * high:+.1f}]"
    # one of the 40 cases was not answered by the first, and comes last there
    assert shown_points["AUPRC"].text == "-9.6"


def test_an_undefined_difference_is_a_dash_with_its_reason():
    rows = [result("a"), result("b")]
    text = shown(evaluated((rows, rows), {"a": truth(), "b": truth()}))
    assert f"Evidence Recall     ↑  {DASH}" in text


def test_an_undefined_number_is_a_dash_with_its_reason():
    text = shown(evaluated([result("a")], {"a": truth()}))
    (line,) = [each for each in text.splitlines() if each.startswith("Evidence Precision")]
    assert line.split()[2].startswith(DASH)
    assert "nothing is cited" in text


def test_what_a_model_wrote_cannot_act_on_the_terminal():
    evil = "\x1b]0;evil\x07[red]"
    rows = [result(evil, "Low Risk", evidence(evil, evil, snippet=evil))]
    artifact = evaluated(rows, {evil: truth()}, {evil: {evil: "x"}})
    text = shown(artifact)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\\x1b]0;evil\\x07[red]" in text
    for table in (cases_table(artifact), snippets_table(artifact)):
        assert b"\x1b" not in table


def test_long_names_are_cut():
    artifact = evaluated([result("x" * 200, "High Risk")], {"x" * 200: truth()})
    assert "x" * 37 + "..." in shown(artifact)
    assert "x" * 41 not in shown(artifact).partition("The worst")[2]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", " =", "\uff1d"])
def test_a_text_that_starts_like_a_formula_gets_an_apostrophe(start):
    rows = [result("a", "Low Risk", evidence("r1", snippet=f"{start}1+1"))]
    artifact = evaluated(rows, {"a": truth()}, {"a": {"r1": "x"}})
    (row,) = csv.DictReader(io.StringIO(snippets_table(artifact).decode()))
    assert row["snippet"].startswith("'")
    assert row["valid"] == "false"
    assert row["found_in"] == ""


def test_a_negative_number_stays_a_number():
    artifact = evaluated([result("a", "Low Risk")], {"a": truth("High Risk")})
    (row,) = csv.DictReader(io.StringIO(cases_table(artifact).decode()))
    assert row["steps"] == "-1"


def test_one_case_is_one_on_the_page():
    shown_page = page([evaluated([result("a", "High Risk")], {"a": truth()})]).decode()
    assert "The one case of this file is listed below" in shown_page
    assert " 1 cases" not in shown_page


def test_facts_say_what_was_left_out():
    rows = [result("a", risk=1), result("b"), {"business_id": "c", "error": "x"}]
    artifact = evaluated(rows, {case: truth() for case in "abcd"})
    lines = dict(facts(summary(artifact)))
    assert lines["population"] == (
        "r0.json: 4 cases asked, 2 answered, 2 failed, 3 results, 2 structured, 1 with an error,"
        " 1 missing, 1 without rank score, 2 scored, 1 ranked by rank score"
    )


def test_quotations_that_could_not_be_checked_are_named():
    rows = [
        result("a", "Low Risk", evidence("r1", snippet="x y z"), evidence("r9", snippet="x")),
        result("b", "Low Risk", evidence("r1", snippet="x y z")),
    ]
    text = shown(evaluated(rows, {"a": truth(), "b": truth()}, {"a": {"r1": "x y z"}}))
    assert "1 from sources that do not exist" in text
    assert "1 of cases without sources, not counted" in text


def test_a_field_that_is_always_right_says_why_it_has_no_interval():
    text = shown(example(("direct.json",)))
    assert "STAFF_RESPONSE      5       5     100.0% ¹" in text
    assert "¹                     it concerns 4 cases, which are too few to tell" in text
