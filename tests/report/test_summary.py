from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from assay.artifact import Scalar
from assay.display.blocks import Cell, Grid, Row
from assay.display.numbers import Numbers, read, sweeps
from assay.families.selective.systems import systems
from assay.inference import Plan
from assay.report.layout import Marks
from assay.report.presenters import summary as summarize
from assay.sources.tabular import Source
from tests.item_tables import items_from_arrays
from tests.report.views import facts, grids
from tests.selective_artifacts import evaluate

WHEN = "2026-01-01T00:00:00Z"


def table(shift=0, *, answer=True):
    who = [number for number in range(8) for _ in range(3)]
    truth = [(3 * n) % 4 for n in range(24)]
    guess = [(5 * n + shift) % 4 if answer and n % 5 else None for n in range(24)]
    confidence = [(7 * n + shift) % 6 / 5 for n in range(24)]
    signals = {"double": [2 * each for each in confidence], "other": [n % 3 for n in range(24)]}
    return items_from_arrays(
        participant=who,
        prediction=guess,
        truth=truth,
        confidence=confidence,
        signals=signals,
        scale=(0, 3),
    )


def artifact(*tables, confidence="confidence", n_resamples=100, **options):
    return evaluate(tables, plan=Plan(n_resamples=n_resamples), confidence=confidence, **options)


def numbers_of(found, confidence="confidence"):
    return found.systems[0].variants[confidence].numbers


def scalar(value=0.5, **fields):
    usual = {
        "options": {},
        "reason": None,
        "interval": (0.25, 0.75),
        "interval_reason": None,
        "standard_error": 0.12,
        "n_undefined": 0,
    }
    return Scalar(value=value, **usual | fields)


def test_a_number_is_shown_to_two_digits_of_its_standard_error():
    assert Numbers({}, resampled=True).scalars([scalar()]) == (Cell("0.50", "[0.25, 0.75]"),)


def test_an_undefined_number_is_a_dash_with_its_reason_in_a_note():
    number = scalar(None, reason="nothing is answered", interval=None)
    cell = Cell("–", notes=("nothing is answered",))  # noqa: RUF001 - the dash is the point
    assert Numbers({}, resampled=True).scalars([number]) == (cell,)
    marks = Marks([Grid("", "", ("x",), (Row("r", (cell,)),))])
    assert (marks.of(cell), marks.lines) == ("¹", (("¹", "nothing is answered"),))


def test_a_missing_interval_is_explained_unless_none_was_asked_for():
    number = scalar(interval=None, interval_reason="all resamples give the same number")
    (explained,) = Numbers({}, resampled=True).scalars([number])
    assert explained.notes == ("all resamples give the same number",)
    assert Numbers({}, resampled=False).scalars([number])[0].notes == ()


def test_resamples_that_are_undefined_are_marked():
    (cell,) = Numbers({}, resampled=True).scalars([scalar(n_undefined=3)])
    assert (cell.beside, len(cell.notes)) == ("[0.25, 0.75]", 1)
    assert cell.notes[0].startswith("undefined on some resamples")


def test_confidences_with_the_same_numbers_are_shown_once():
    found = artifact(table(), confidence="confidence,double")
    assert list(systems(found).confidences) == ["confidence = double"]
    assert "Confidence confidence = double" in grids(summarize(found))


def test_one_confidence_shows_every_number_of_the_artifact():
    found = artifact(table())
    labels = {row.label for grid in grids(summarize(found)).values() for row in grid.rows}
    metrics = numbers_of(found)
    assert {label for label in metrics if "@" not in label} <= labels


def test_several_confidences_show_what_they_share_once_and_say_how_to_see_the_rest():
    summary = summarize(artifact(table(), confidence="confidence,other"))
    shared = [row.label for row in grids(summary)["Under every confidence"].rows]
    assert {"cmax", "risk", "aurc_optimal"} <= set(shared)
    assert any(word == "more" and "--full" in text for word, text in facts(summary))


def test_the_full_summary_has_all_numbers_of_each_confidence():
    summary = summarize(artifact(table(), confidence="confidence,other"))
    assert {"Confidence", "Confidence other"} <= grids(summary, "full").keys()
    assert not {"Confidence", "Confidence other"} & grids(summary).keys()


def test_the_population_keeps_the_states_apart():
    rows = grids(summarize(artifact(table())))["Population"].rows
    shown = {row.label.strip(): row.cells[0] for row in rows}
    assert shown["participants"] == Cell("8")
    assert shown["failed"] == Cell("0", "(0.0%)")
    assert shown["answered"] == Cell("19", "(79.2%)")
    assert shown["abstained"] == Cell("5", "(20.8%)")
    assert shown["of these, nothing answered"] == Cell("0", "(0.0%)")


def test_a_system_that_answers_nothing_is_shown_with_dashes():
    summary = summarize(artifact(table(answer=False)))
    rows = {row.label: row for row in grids(summary)["Confidence"].rows}
    assert rows["cmax"].cells[0].text.startswith("0.000")
    assert rows["risk"].cells[0].text.startswith("\N{EN DASH}")
    assert any(text == "nothing is answered" for _, text in facts(summary))


def test_without_resamples_there_is_no_word_about_intervals():
    words = dict(facts(summarize(artifact(table(), n_resamples=0))))
    assert words["intervals"] == "none, no resamples were asked for"
    assert "[low, high]" not in words


def test_a_difference_whose_interval_excludes_0_has_a_word_or_says_why_not():
    found = artifact(table(), table(1))
    deltas = {**found.pairs[0].deltas["confidence"], **found.pairs[0].deltas[""]}
    (grid,) = (g for title, g in grids(summarize(found)).items() if " minus " in title)
    for row in grid.rows:
        delta = deltas[row.label]
        excludes = delta.interval is not None and not delta.interval[0] <= 0 <= delta.interval[1]
        said = row.cells[-1]
        assert said.text == (delta.word or "")
        assert said.notes == ((delta.word_reason,) if excludes and not delta.word else ())
        assert excludes or not said.text


@pytest.mark.parametrize("word", ["better", "worse", "differs", None])
@pytest.mark.parametrize("interval", [(-2, -1), (1, 2), (-1, 0), None])
def test_the_word_for_a_difference_is_the_one_on_record(word, interval):
    delta = artifact(table(), table(1)).pairs[0].deltas[""]["failure_rate"]
    assert read(msgspec.structs.replace(delta, interval=interval, word=word)) == (word or "")


def test_more_than_two_systems_show_corrected_p_values():
    summary = summarize(artifact(table(), table(1), table(2)))
    compared = [grid for title, grid in grids(summary).items() if " minus " in title]
    assert [grid.headings for grid in compared] == [("difference", "p", "p (Holm)", "")] * 2


def test_systems_without_mode_and_with_one_path_are_numbered():
    assert systems(artifact(table(), table(1))).names == ("data (1)", "data (2)")


@pytest.mark.parametrize(
    ("sources", "names"),
    [
        ((("a/x.json", "m"), ("a/x.json", "n")), ("m", "n")),
        ((("a/x.json", "m"), ("b/y.json", "m")), ("x.json", "y.json")),
        (
            (("a/x.json", "m"), ("b/x.json", "n"), ("a/y.json", "m")),
            ("x.json m", "x.json n", "y.json m"),
        ),
        ((("a/x.csv", None), ("b/x.csv", None)), ("a/x.csv", "b/x.csv")),
        ((("x.json", "m"), ("x.json", "m")), ("x.json (1)", "x.json (2)")),
    ],
)
def test_a_system_is_named_by_mode_else_file_else_both(sources, names):
    tables = [
        replace(table(shift), source=Source(path, None, "arrays", mode=mode))
        for shift, (path, mode) in enumerate(sources)
    ]
    assert systems(artifact(*tables)).names == names


def test_metrics_on_the_same_grid_are_one_sweep():
    numbers = numbers_of(artifact(table()))
    (sweep,) = sweeps(numbers)
    assert sweep.option == "coverage"
    assert set(sweep.metrics) == {"risk_at_coverage", "achieved_coverage"}
    assert len(sweep.points) == 9


def test_a_grid_of_one_value_is_no_sweep():
    found = artifact(table(), coverage_grid=(0.5,))
    assert sweeps(numbers_of(found)) == ()
    rows = grids(summarize(found))["Confidence"].rows
    assert "risk_at_coverage@0.50" in [row.label for row in rows]


def test_two_grids_are_two_sweeps():
    found = artifact(table(), risk_target=(0.1, 0.2))
    swept = sweeps(numbers_of(found))
    assert [sweep.option for sweep in swept] == ["coverage", "risk_target"]


def test_warnings_are_shown():
    one = items_from_arrays(
        participant=[1, 1], prediction=[0, 1], truth=[0, 2], confidence=[1.0, 2.0], scale=(0, 3)
    )
    assert any(word == "warning" for word, _ in facts(summarize(artifact(one))))


def with_column(name):
    return items_from_arrays(
        participant=[1, 1, 2, 2],
        prediction=[0, 1, 2, 3],
        truth=[0, 2, 2, 1],
        signals={name: [4.0, 3.0, 2.0, 1.0], "both": [1.0, 2.0, 3.0, 4.0]},
        scale=(0, 3),
    )


@pytest.mark.parametrize("detail", ["short", "full"])
def test_a_confidence_that_only_one_system_has_is_shown_for_that_one(detail):
    left, right = with_column("one"), with_column("two")
    each = [artifact(table, confidence=name) for table, name in ((left, "one"), (right, "two"))]
    found = artifact(left, right, confidence="both")
    for pair in found.pairs:
        del pair.deltas["both"]
    own = [
        msgspec.structs.replace(system, variants=alone.systems[0].variants)
        for system, alone in zip(found.systems, each, strict=True)
    ]
    lone = msgspec.structs.replace(found, systems=own)
    titles = list(grids(summarize(lone), detail))
    assert any("data (1)" in title or title == "Confidence one" for title in titles)
    assert any("data (2)" in title or title == "Confidence two" for title in titles)
