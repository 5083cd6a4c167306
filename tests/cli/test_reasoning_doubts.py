"""What makes numbers of reasoning doubtful, and is said where it is met."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from assay.display.numbers import DASH

ASKED = ["yes", "no", "yes", "no", "yes", "no"]
SAID = [
    ("So the answer is yes.", "Yes"),
    ("So the answer is no.", "No."),
    ("So the answer is no.", "yes"),
    ("Answer: no", "No"),
    ("Yes, definitely.", "no"),
    ("I'm sorry, I cannot answer that.", "no"),
]
EXAM = {"A": "heart", "B": "lung", "C": "liver"}


def rows(texts: list[tuple[str, str]]) -> list[dict[str, str]]:
    return [
        {"id": f"q{n}", "mode": mode, "output_text": text}
        for n, both in enumerate(texts)
        for mode, text in zip(("cot", "direct"), both, strict=True)
    ]


def write(name: str, found: list[dict[str, object]] | list[dict[str, str]]) -> None:
    Path(name).write_text("".join(json.dumps(each) + "\n" for each in found))


@pytest.fixture
def asked(assay, folder):
    write("g.jsonl", rows(SAID))
    write("v.jsonl", [{"id": f"q{n}", "gold_answer": each} for n, each in enumerate(ASKED)])
    return lambda *more: assay(*more, "--vignettes", "v.jsonl", "--output", "out")


def test_without_pairs_no_reading_has_a_sign_and_the_mode_that_lacks_is_said(asked):
    write("g.jsonl", [each for each in rows(SAID) if each["mode"] == "cot"])
    found = asked("reasoning", "g.jsonl", "--bootstrap-resamples", "0").out
    assert "g: all rows are cot, and accuracies, gap and test need both" in found
    assert "14 other readings                no pairs" in found
    assert f"sign over all readings           {DASH}" in found


def test_letters_are_words_in_the_reading_of_names_anywhere(asked):
    write("v.jsonl", [{"id": f"q{n}", "gold_answer": "C", "options": EXAM} for n in range(6)])
    write("g.jsonl", rows([("The answer is (C).", "It is a case of B."), ("Answer: C", "B")] * 3))
    found = asked("reasoning", "g.jsonl", "--bootstrap-resamples", "0").out
    assert "substring, answer, exclude    1.000" in found
    assert "depends" not in found


def test_answers_that_are_all_outside_the_labels_look_like_another_task(assay, asked):
    told = "g: 11 answers are outside the labels and none is one of them"
    assert told in assay("extract", "g.jsonl", "--output", "other").out
    assert told not in asked("extract", "g.jsonl").out


def test_declining_a_bias_in_other_words_is_no_unknown_answer_and_columns_are_explained(
    assay, folder
):
    cases = ["age", "age", "income"]
    write("c.jsonl", [
        {"id": str(n), "bias_feature": each, "bias_label": "Dementia"}
        for n, each in enumerate(cases)
    ])  # fmt: skip
    said = ["At this age, it is dementia.", "I refuse.", "The sky is blue over the sea today."]
    write("b.jsonl", [{"id": str(n), "output_text": each} for n, each in enumerate(said)])
    given = ("bias", "b.jsonl", "--bias-cases", "c.jsonl", "--bootstrap-resamples", "0")
    found = assay(*given, "--output", "out").out
    line, *_ = [each.split() for each in found.splitlines() if each.startswith("b  ")]
    assert line[1:7] == ["3", "1", "0", "1", "2", "1"]
    assert "unscored  gives no known answer" in found
    assert "n         what was asked without what was refused or failed" in found


def corrected(**cells: str) -> None:
    """Change the first row of the sheet."""
    listed = [*csv.DictReader(io.StringIO(Path("s.csv").read_text("utf-8-sig")))]
    listed[0] |= cells
    out = io.StringIO()
    sheet = csv.DictWriter(out, [*listed[0]])
    sheet.writeheader()
    sheet.writerows(listed)
    Path("s.csv").write_text(out.getvalue())


def test_a_sheet_that_nobody_touched_says_nothing_yet(asked):
    asked("extract", "g.jsonl", "--review", "s.csv")
    untouched = "nothing was corrected, and no row is marked"
    assert untouched in asked("extract", "g.jsonl", "--review", "s.csv").out
    corrected(state="refused")
    found = asked("extract", "g.jsonl", "--review", "s.csv").out
    assert untouched not in found
    assert "answered   11    10    10    0.909      1.000" in found
    corrected(state="answered", checked="x")
    assert untouched not in asked("extract", "g.jsonl", "--review", "s.csv").out


def test_a_sheet_of_other_texts_is_told_from_one_of_these(asked):
    asked("extract", "g.jsonl", "--review", "s.csv")
    write("g.jsonl", rows([("Now it is said otherwise: yes.", "Yes"), *SAID[1:]]))
    found = asked("extract", "g.jsonl", "--review", "s.csv").out
    assert "s.csv: 1 row has another text than the generations now" in found


def test_what_is_no_sheet_is_refused_as_one(asked):
    Path("s.csv").write_text("id,mode,output_text\n")
    done = asked("extract", "g.jsonl", "--review", "s.csv")
    assert (done.code, "s.csv has no column `model`" in done.err) == (1, True)
    assert "name a file that is not there" in done.err
    Path("s.csv").write_text('model,id,mode,state,answer\n"m,q0,cot,answered,yes\n')
    assert "s.csv cannot be read" in asked("extract", "g.jsonl", "--review", "s.csv").err


def test_stored_extractions_without_an_answer_are_refused_and_those_that_lack_are_counted(asked):
    held = [{"id": each["id"], "mode": each["mode"]} for each in rows(SAID)]
    given = ("reasoning", "g.jsonl", "--reading", "stored", "--bootstrap-resamples", "0")
    for name in ("answer", "extracted_diagnosis"):
        Path("ex/g").mkdir(parents=True, exist_ok=True)
        write("ex/g/extracted.jsonl", [{**each, name: "no"} for each in held[:5]])
        done = asked(*given, "--extracted", "ex")
        if name == "answer":
            fault = "no row has `extracted_diagnosis`; the fields are id, mode, answer"
            assert (done.code, fault in done.err) == (1, True)
        else:
            assert "g: of 7 outputs there is no stored extraction" in " ".join(done.out.split())
