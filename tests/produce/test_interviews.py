"""Transcripts, references and cases are read as people have them, or refused with their place."""

from __future__ import annotations

import json

import pytest

from assay.errors import ArtifactError, AssayError, ColumnError, UsageError
from assay.produce.generations import biased_among, read_biased, read_cases
from assay.produce.interviews import read_interviews, read_references
from assay.produce.signals import Heard, keyword_sentences, spoken
from assay.produce.tasks import read_item_task

TASK, _ = read_item_task()
TRUTH = {item.key: 1 for item in TASK.items}


def lines(tmp_path, *records, name="data.jsonl"):
    path = tmp_path / name
    text = "\n".join(each if type(each) is str else json.dumps(each) for each in records)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_json_lines_hold_transcripts_and_truth(tmp_path):
    path = lines(
        tmp_path,
        {"participant_id": 7, "transcript": "a", "ground_truth_items": TRUTH},
        "",
        {"participant_id": "x/../y", "text": "b", "ground_truth_items": {"Sleep": None}},
    )
    people, sha256 = read_interviews(path, TASK)
    assert [each.participant_id for each in people] == [7, "x/../y"]
    assert [each.transcript for each in people] == ["a", "b"]
    assert [each.truth for each in people] == [TRUTH, {}]
    assert len(sha256) == 64


def test_a_folder_holds_one_text_file_per_participant(tmp_path):
    for name in ("b.txt", "a.TXT", ".hidden.txt", "notes.md"):
        (tmp_path / name).write_text(f"text of {name}", encoding="utf-8")
    people, before = read_interviews(str(tmp_path), TASK)
    assert [(each.participant_id, each.truth) for each in people] == [("a", None), ("b", None)]
    (tmp_path / "b.txt").write_text("changed", encoding="utf-8")
    assert read_interviews(str(tmp_path), TASK)[1] != before


def test_the_scores_of_a_folder_stand_in_a_file_of_their_own(tmp_path):
    (tmp_path / "a.txt").write_text("text", encoding="utf-8")
    truth = tmp_path / "ground_truth.json"
    truth.write_text('{"a": {"Sleep": 2}}', encoding="utf-8")
    (person,), before = read_interviews(str(tmp_path), TASK)
    assert person.truth == {"Sleep": 2}
    truth.write_text('{"a": {"Sleep": 3}}', encoding="utf-8")
    assert read_interviews(str(tmp_path), TASK)[1] != before
    truth.write_text('{"a": {"Sleep": 9}}', encoding="utf-8")
    with pytest.raises(ColumnError, match=r"ground_truth\.json, a: .* from 0 to 3, found 9"):
        read_interviews(str(tmp_path), TASK)
    truth.write_text('{"b": {"Sleep": 1}}', encoding="utf-8")
    with pytest.raises(ColumnError, match=r"has scores of b, who has no \.txt file"):
        read_interviews(str(tmp_path), TASK)
    truth.write_text("[]", encoding="utf-8")
    with pytest.raises(ArtifactError, match=r"ground_truth\.json does not have the shape"):
        read_interviews(str(tmp_path), TASK)


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([], "holds no transcripts"),
        ([{"transcript": "a"}], r"line 1: `participant_id` must be .* found null"),
        ([{"participant_id": True, "transcript": "a"}], "found true"),
        ([{"participant_id": 1}], "line 1: `transcript` must be a text, found null"),
        ([{"participant_id": 1, "transcript": " "}], "the transcript of participant 1 is empty"),
        (
            [{"participant_id": 1, "transcript": "a"}, {"participant_id": "1", "transcript": "b"}],
            "line 2: participant 1 stands already at .* line 1",
        ),
        (
            [{"participant_id": 1, "transcript": "a", "ground_truth_items": {"Mood": 1}}],
            "has the item Mood, which the task does not have",
        ),
        (
            [{"participant_id": 1, "transcript": "a", "ground_truth_items": {"Sleep": 4}}],
            "item Sleep: a whole number from 0 to 3, found 4",
        ),
        (
            [{"participant_id": 1, "transcript": "a", "ground_truth_items": [1]}],
            "`ground_truth_items` must be an object, found an array",
        ),
        (['{"participant_id": 1,'], "line 1 is not valid JSON"),
    ],
)
def test_transcripts_that_are_not_sound_are_refused(tmp_path, records, reason):
    with pytest.raises(AssayError, match=reason):
        read_interviews(lines(tmp_path, *records), TASK)


def test_a_file_of_another_kind_is_refused(tmp_path):
    path = lines(tmp_path, "a,b", name="data.csv")
    with pytest.raises(UsageError, match=r"neither a folder nor a \.jsonl file"):
        read_interviews(path, TASK)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ArtifactError, match="holds no transcripts"):
        read_interviews(str(tmp_path / "empty"), TASK)


def test_references_hold_texts_with_scores(tmp_path):
    path = lines(
        tmp_path,
        {"id": "r1", "text": " I lie awake. ", "scores": {"Sleep": 3, "Tired": None}},
        {"text": "Fine.", "scores": {}, "participant_id": 7},
    )
    first, second = read_references(path, TASK)[0]
    assert (first.name, first.text, first.scores) == ("r1", "I lie awake.", {"Sleep": 3})
    assert (second.name, second.participant_id) == ("line 2", 7)


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([], "holds no references"),
        ([{"scores": {}}], "`text` must be a text, found null"),
        ([{"text": "", "scores": {}}], "`text` must be a text"),
        ([{"text": "a"}], "`scores` must be an object, found null"),
        ([{"text": "a", "scores": {"Sleep": 9}}], "item Sleep: a whole number from 0 to 3"),
        ([{"text": "a", "scores": {}, "participant_id": []}], "`participant_id` must be"),
    ],
)
def test_references_that_are_not_sound_are_refused(tmp_path, records, reason):
    with pytest.raises(AssayError, match=reason):
        read_references(lines(tmp_path, *records), TASK)


def test_what_the_interviewer_says_is_not_searched_for_keywords():
    transcript = "Ellie: Trouble with sleep?\nAre you awake?\nAnn: No. I sleep well."
    assert spoken(transcript, ["ellie"]) == "Ann: No. I sleep well."
    assert spoken("No names here: none.\nJust text.", ["ellie"]).startswith("No names")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I sleep badly. I sleep badly.", 1),
        ("I sleep badly! Do I sleep? I SLEEP.", 3),
        ("Sleepy people oversleep.", 0),
        ("No\nenergy", 0),
        ("I have no energy, really no energy.", 1),
    ],
)
def test_keywords_count_once_per_sentence_and_as_whole_words(text, count):
    assert len(keyword_sentences(text, ["sleep", "no energy"])) == count


def test_no_keywords_find_nothing():
    assert keyword_sentences("anything", ["", " "]) == ()


@pytest.mark.parametrize(
    ("quotation", "verbatim"),
    [
        ("I wake at three", True),
        ("i WAKE  at\nthree", True),
        ("I can\u2019t \u201csleep\u201d", True),
        ("I wake at four", False),
        ("", False),
        ("  ", False),
    ],
)
def test_a_quotation_is_verbatim_when_it_stands_in_the_transcript(quotation, verbatim):
    heard = Heard.of('I wake at three. I can\'t "sleep".', interviewers=[])
    assert heard.holds(quotation) is verbatim


def test_vignettes_are_cases_and_some_of_them_tempt(tmp_path):
    path = tmp_path / "v.json"
    tempting = {"id": 2, "prompt": "b", "bias_feature": "age", "bias_label": "dementia"}
    path.write_text(json.dumps([{"id": "a", "text": "A"}, tempting]), encoding="utf-8")
    cases, _ = read_cases(str(path))
    assert [(each.id, each.text) for each in cases] == [("a", "A"), ("2", "b")]
    assert [each.id for each in biased_among(cases, "v")] == ["2"]
    with pytest.raises(UsageError, match="v has no vignette with `bias_feature`"):
        biased_among(cases[:1], "v")


@pytest.mark.parametrize("shape", ["list", "object", "lines"])
def test_cases_of_bias_are_read_with_their_texts(tmp_path, shape):
    case = {"id": "b1", "prompt": "A homeless man.", "bias_feature": "homeless", "bias_label": "x"}
    path = tmp_path / ("c.jsonl" if shape == "lines" else "c.json")
    stored = {
        "list": json.dumps([case, {**case, "id": "b2"}]),
        "object": json.dumps({"cases": [case]}),
        "lines": f"{json.dumps(case)}\n\n{json.dumps({**case, 'id': 'b2'})}\n",
    }
    path.write_text(stored[shape], encoding="utf-8")
    found, _ = read_biased(str(path))
    assert (found[0].id, found[0].text, found[0].bias_label) == ("b1", "A homeless man.", "x")


def test_a_case_whose_id_is_written_as_a_decimal_has_its_text(tmp_path):
    case = {"prompt": "A homeless man.", "bias_feature": "homeless", "bias_label": "x"}
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"cases": [{**case, "id": 2.0}]}), encoding="utf-8")
    (found,), _ = read_biased(str(path))
    assert (found.id, found.text) == ("2", "A homeless man.")


def test_a_case_without_a_text_is_refused(tmp_path):
    path = tmp_path / "v.json"
    path.write_text(json.dumps([{"id": "a", "gold_answer": "x"}]), encoding="utf-8")
    with pytest.raises(ColumnError, match="vignette 'a' has no text to ask about, found null"):
        read_cases(str(path))


def test_a_name_that_is_too_long_is_a_file_that_is_not_there():
    with pytest.raises(ArtifactError, match="cannot be read: File name too long"):
        read_interviews("x" * 300, TASK)
