"""Rows of generations in the forms that programs write, and what tells rows apart unread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import ArtifactError
from assay.sources.generation_files import Spelling
from assay.sources.generations import BiasGeneration, Generation, generations, index_rows

PLAIN = ("yes", "no")


def row(mode: object = "cot", text: Any = "yes", **more: Any) -> dict[str, Any]:
    return {"id": "q", "mode": mode, "output_text": text, **more}


def both(**more: Any) -> list[dict[str, Any]]:
    return [row("cot", PLAIN[0], **more), row("direct", PLAIN[1], **more)]


def written(folder: Path, rows: object, name: str = "g.jsonl") -> str:
    path = folder / name
    if isinstance(rows, bytes):
        path.write_bytes(rows)
    elif isinstance(rows, list) and path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    else:
        path.write_text(json.dumps(rows))
    return str(path)


def texts(path: str, spelling: Spelling | None = None) -> list[str]:
    found = index_rows(path, Generation, spelling=spelling)
    return [each.whole for _, _, each in generations(found, Generation)]


@pytest.mark.parametrize(
    "name", ["list.jsonl", "pretty.jsonl", "held.jsonl", "ids.json", "rows_by_id.json"]
)
def test_a_list_or_an_object_is_read_whatever_the_file_is_called(tmp_path, name):
    path = tmp_path / name
    held: Any = both()
    if name == "held.jsonl":
        held = {"rows": both()}
    elif name == "ids.json":
        held = {"q": {"cot": "yes", "direct": "no"}}
    elif name == "rows_by_id.json":
        held = {"a": row(), "b": row("direct", "no")}
        for each in held.values():
            del each["id"]
    path.write_text(json.dumps(held, indent=None if name == "list.jsonl" else 2))
    assert texts(str(path)) == [*PLAIN]


def test_one_row_of_objects_is_no_object_by_ids(tmp_path):
    found = {"asked": {"id": "q"}, "got": {"text": "yes", "mode": "cot"}}
    path = written(tmp_path, found, "g.json")
    fields = ["id=asked.id", "text=got.text", "mode=got.mode"]
    assert texts(path, Spelling.of(fields)) == ["yes"]


@pytest.mark.parametrize("later", [["no"], 5, {"content": "no"}, [{"role": "ai", "content": "no"}]])
def test_later_rows_may_have_their_text_in_another_form_than_the_first(tmp_path, later):
    path = written(tmp_path, [row(), row("direct", later)])
    assert texts(path)[0] == "yes"
    assert texts(path)[1] in {"no", "5"}


@pytest.mark.parametrize(
    ("beside", "thought"),
    [
        ({"reasoning": ["first", {"type": "reasoning.text", "text": "then"}]}, "first\nthen"),
        ({"reasoning_content": [{"thinking": "hm"}]}, "hm"),
        ({"reasoning": {"effort": "high"}}, None),
        ({"reasoning": True, "prompt": [{"role": "user", "content": "Why?"}]}, None),
        ({"prompt": [{"role": "assistant", "content": "So <think>"}]}, ""),
    ],
)
def test_what_stands_beside_a_text_may_be_parts_or_messages_or_settings(tmp_path, beside, thought):
    said = {None: "yes", "": "<think>yes"}.get(thought, f"<think>{thought}</think>\nyes")
    assert texts(written(tmp_path, [row(**beside)])) == [said]


@pytest.mark.parametrize(
    ("reason", "limited"),
    [
        ("length", True),
        ("MAX_TOKENS", True),
        ("FinishReason.MAX_TOKENS", True),
        ("max_output_tokens", True),
        ("model_context_window_exceeded", True),
        (["length"], True),
        ("stop", False),
        ("end_turn", False),
        (0, False),
        (None, False),
    ],
)
def test_a_limit_of_length_is_one_however_a_server_spells_it(tmp_path, reason, limited):
    found = index_rows(written(tmp_path, [row(finish_reason=reason)]), Generation)
    (only,) = generations(found, Generation)
    assert only[2].limited is limited


@pytest.mark.parametrize(
    "answer",
    [
        {"choices": [{"message": {"content": "yes"}, "finish_reason": "length"}]},
        {"content": [{"type": "text", "text": "yes"}], "stop_reason": "max_tokens"},
        {"candidates": [{"content": {"parts": [{"text": "yes"}]}, "finishReason": "MAX_TOKENS"}]},
        {"outputs": [{"text": "yes", "finish_reason": "length"}]},
        {"message": {"content": "yes"}, "done_reason": "length"},
        {"text": "yes", "incomplete_details": {"reason": "max_output_tokens"}},
    ],
)
def test_the_answer_of_a_server_says_itself_why_it_ended(tmp_path, answer):
    for beside, limited in (({}, True), ({"finish_reason": "stop"}, False)):
        found = index_rows(written(tmp_path, [row(text=answer, **beside)]), Generation)
        (only,) = generations(found, Generation)
        assert (only[2].output_text, only[2].limited) == ("yes", limited)


@pytest.mark.parametrize(
    ("named", "modes"),
    [((True, False), ("true", "False")), ((1, 0), ("1", "0")), ((1.0, 0.0), ("1", "0"))],
)
def test_modes_may_be_numbers_or_say_whether_there_was_reasoning(tmp_path, named, modes):
    path = written(tmp_path, [row(named[0]), row(named[1], "no")])
    spelling = Spelling.of((), [f"cot={modes[0]}", f"direct={modes[1]}"])
    assert {*index_rows(path, Generation, spelling=spelling).lines} == {
        ("q", "cot"),
        ("q", "direct"),
    }


def test_two_unknown_modes_are_mapped_one_by_one_and_one_by_its_name(tmp_path):
    with pytest.raises(ArtifactError, match="2 of 2 rows") as caught:
        index_rows(written(tmp_path, [row("Think"), row("Plain")]), Generation)
    assert "`mode_name` cot=think and `mode_name` direct=plain" in caught.value.hint
    with pytest.raises(ArtifactError, match="1 of 2 rows") as caught:
        index_rows(written(tmp_path, [row("cot"), row("Fast")]), Generation)
    assert caught.value.hint.endswith("as in `mode_name` direct=Fast")


def test_rows_of_several_models_do_not_count_as_one_that_was_asked_again(tmp_path):
    path = written(tmp_path, [*both(model="one"), *both(model="two")])
    with pytest.raises(ArtifactError, match=r"2 rows repeat .* `model` differs") as caught:
        index_rows(path, Generation)
    assert "'one' and 'two'" in str(caught.value)
    assert "`field` model=model" in caught.value.hint
    assert len(index_rows(path, Generation, spelling=Spelling.of(["model="])).lines) == 2
    found = index_rows(path, Generation, spelling=Spelling.of(["model=model"]))
    assert found.model_names == ("one", "two")


def test_rows_of_one_model_may_repeat_and_name_it_twice(tmp_path):
    rows = [*both(model="one"), *both(model="one")]
    assert index_rows(written(tmp_path, rows), Generation).n_duplicates == 2
    rows = [*both(model="one", model_name="a"), *both(model="two", model_name="a")]
    assert index_rows(written(tmp_path, rows), Generation).n_duplicates == 2


def test_cases_of_bias_in_two_modes_are_refused(tmp_path):
    with pytest.raises(ArtifactError, match="in the modes 'cot' and 'direct'") as caught:
        index_rows(written(tmp_path, both()), BiasGeneration)
    assert "rows of one mode" in caught.value.hint
    again = [row(), row("COT", "no")]
    assert index_rows(written(tmp_path, again), BiasGeneration).n_duplicates == 1


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ('id,mode,output_text\nq,cot,yes\nq,direct,"no\nr,cot,yes\n', r"line 3: not valid CSV"),
        ("id,mode,output_text\nq,cot\n", r"line 2: found 2 cells where the header has 3"),
        ("id,mode,output_text\nq,cot,yes, it is\n", r"line 2: found 4 cells"),
    ],
)
def test_a_table_with_a_quote_left_open_or_with_cells_missing_is_refused(tmp_path, table, fault):
    with pytest.raises(ArtifactError, match=fault):
        index_rows(written(tmp_path, table.encode(), "g.csv"), Generation)


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (json.dumps(row(text="né"), ensure_ascii=False).encode("latin-1"), "Latin-1"),
        (json.dumps(row()).encode("utf-16"), "UTF-16"),
    ],
)
def test_lines_in_another_encoding_are_told_which_it_seems_to_be(tmp_path, data, hint):
    with pytest.raises(ArtifactError, match="line 1 is broken: not UTF-8") as caught:
        index_rows(written(tmp_path, data), Generation)
    assert hint in caught.value.hint
