"""Task files: what ships is sound, and what is not is refused with its place."""

from __future__ import annotations

import copy
import json

import pytest
import yaml

from assay.errors import ArtifactError
from assay.produce.tasks import (
    TASKS,
    all_items_messages,
    filled,
    item_messages,
    names,
    prompt_hash,
    read_generation_task,
    read_item_task,
)
from assay.sources.items import PHQ8_ITEMS

SHIPPED = yaml.safe_load((TASKS / "phq8.yaml").read_text(encoding="utf-8"))
VIGNETTES = yaml.safe_load((TASKS / "vignettes.yaml").read_text(encoding="utf-8"))
TASK, _ = read_item_task()


def test_the_shipped_questionnaire_has_the_items_and_scale_of_a_run_file():
    assert tuple(item.key for item in TASK.items) == PHQ8_ITEMS
    assert TASK.scores == (0, 1, 2, 3)
    assert all(item.keywords for item in TASK.items)


def test_a_task_may_be_json_as_well_and_is_known_by_its_bytes(tmp_path):
    path = tmp_path / "task.json"
    path.write_text(json.dumps(SHIPPED), encoding="utf-8")
    task, sha256 = read_item_task(str(path))
    assert task == TASK
    assert len(sha256) == 64


def changed(tmp_path, document, place, value):
    document = copy.deepcopy(document)
    *parents, last = place
    inner = document
    for each in parents:
        inner = inner[each]
    inner[last] = value
    path = tmp_path / "task.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (["items"], [], "has no `items`"),
        (["items", 0, "key"], "../up", "must be a letter, then letters"),
        (["items", 0, "key"], "Sleep", "the item Sleep stands 2 times"),
        (["items", 0, "hint"], "x", "unknown field 'hint'"),
        (["scale"], [], "needs at least two scores"),
        (["scale", 0, "score"], 5, "must list whole scores one after the other"),
        (["scale", 0, "score"], "0", "expected 'int', got 'str'"),
        (["max_tokens"], 0, "`max_tokens` must be at least 1, found 0"),
        (["max_quotes"], -1, "`max_quotes` must be at least 1"),
        (["inference", 0, "type"], "impact", "names a type twice"),
        (["prompts", "item"], "{transcript} {question} {mood}", "asks for {mood}"),
        (["prompts", "item"], "{transcript}", "does not use {question}"),
        (["prompts", "system"], "for {title}", "`prompts.system` asks for {title}"),
        (["prompts", "example"], "{text}", "does not use {score}"),
        (["task"], "generations", "invalid enum value 'generations'"),
    ],
)
def test_a_questionnaire_that_is_not_sound_is_refused(tmp_path, place, value, reason):
    with pytest.raises(ArtifactError, match=reason):
        read_item_task(changed(tmp_path, SHIPPED, place, value))


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (["modes"], {}, "has no `modes`"),
        (["modes", "cot", "user"], "no place", "`modes.cot.user` does not use {vignette}"),
        (["modes", "cot", "system"], "{vignette}", "`modes.cot.system` asks for {vignette}"),
        (["modes", "cot", "max_tokens"], 0, "`modes.cot.max_tokens` must be at least 1"),
        (["modes", "slow"], {"user": "{vignette}"}, "invalid enum value 'slow'"),
    ],
)
def test_ways_to_ask_that_are_not_sound_are_refused(tmp_path, place, value, reason):
    with pytest.raises(ArtifactError, match=reason):
        read_generation_task(changed(tmp_path, VIGNETTES, place, value))


def test_what_is_put_into_a_template_is_not_read_as_one():
    transcript = "{question} {0} {__class__} {references} %s $x {{title}}"
    content = item_messages(TASK, TASK.items[2], transcript)[1]["content"]
    assert f"Interview:\n{transcript}\n" in content


def test_only_names_are_places():
    assert names('{"score": 1} {Score} {a.b} {a!r} {0} {} {a_b}') == {"a_b"}
    assert filled('{"score": 1} {a}', {"a": "{b}"}) == '{"score": 1} {b}'


def test_a_prompt_without_examples_is_that_of_zero_shot_and_one_with_them_is_not():
    item = TASK.items[2]
    plain = item_messages(TASK, item, "P: I wake at three.")
    assert item_messages(TASK, item, "P: I wake at three.", []) == plain
    shown = item_messages(TASK, item, "P: I wake at three.", [("I lie awake.", "Sleep", 3)])
    assert "Passage: I lie awake.\n" in shown[1]["content"]
    assert "Score: 3 (nearly every day, twelve or more)\n" in shown[1]["content"]
    assert "Passage:" not in plain[1]["content"]
    assert prompt_hash(shown) != prompt_hash(plain)


def test_the_prompt_for_all_items_names_each_question_and_key():
    content = all_items_messages(TASK, TASK.items, "P: I wake.")[1]["content"]
    assert all(item.question in content and f'"{item.key}"' in content for item in TASK.items)


def test_the_same_prompt_has_the_same_hash_in_every_start():
    messages = [{"role": "user", "content": "é"}]
    assert prompt_hash(messages).startswith("62bf034827be")


def test_a_template_without_system_text_has_one_message():
    task, _ = read_item_task()
    assert [each["role"] for each in item_messages(task, task.items[0], "x")] == ["system", "user"]
