"""Sets that ask whether one thing is there, names in part, and what is too little to answer."""

from __future__ import annotations

import pytest

from tests.derive.test_announced import read

ROT, SAFE, LEAK = ["rotten", "not rotten"], ["safe", "unsafe"], ["leak", "no leak"]
CASKS = ["Empty", "Oak cask", "Oak barrel", "Leaking barrel"]
ILLS = ["Panic Disorder", "Major Depressive Disorder", "Generalized Anxiety Disorder"]
CLAIM = ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (ROT, "Rotten: No", "not rotten"),
        (ROT, "**Rotten:** no\n\nThe staves are firm.", "not rotten"),
        (ROT, "The staves are firm and dry.\n\nRotten? No.", "not rotten"),
        (ROT, "Rotten: Yes\nThe staves are soft.", "rotten"),
        (SAFE, "Safe: no\nThe lid is loose.", "unsafe"),
        (SAFE, "Safe: yes", "safe"),
        (LEAK, "Leak: No", "no leak"),
        (LEAK, "Yes", "leak"),
        (LEAK, "Yes, water drips from the tap.", "leak"),
        (LEAK, "No. The floor below the tap is dry, and it was dry a week ago as well.", "no leak"),
        (ROT, "No", "not rotten"),
    ],
)
def test_no_is_said_of_the_thing_that_is_asked_for(labels, text, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (SAFE, "Yes"),
        (SAFE, "No"),
        (["rotten", "sound"], "No"),
        (["rotten", "not rotten", "unknown"], "Yes and no, it is hard to see what"),
    ],
)
def test_yes_and_no_alone_say_nothing_of_a_set_that_asks_for_either(labels, text) -> None:
    assert read(text, labels).state != "answered"


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (CASKS, "Leaking", "Leaking barrel"),
        (CASKS, '{"label": "leaking"}', "Leaking barrel"),
        (ILLS, "Panic", "Panic Disorder"),
        (ILLS, "Major depressive", "Major Depressive Disorder"),
    ],
)
def test_what_no_other_member_has_names_one_in_part(labels, text, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text"), [(CASKS, "Oak"), (CASKS, "Barrel"), (CASKS, "Cracked"), (ILLS, "Anxiety")]
)
def test_what_others_have_or_leaves_a_word_of_its_own_out_names_none(labels, text) -> None:
    assert read(text, labels).state == "outside"


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (ILLS, "There isn't enough information to name an illness.", None),
        (ILLS, "There is too little detail here.", None),
        (CLAIM, "Not sufficient information.", "NOT ENOUGH INFO"),
        (CLAIM, "There isn't enough data to check the claim.", "NOT ENOUGH INFO"),
        (ILLS, "Although there is not enough detail, it is panic disorder.", "Panic Disorder"),
    ],
)
def test_too_little_to_go_by_is_no_answer_unless_a_member_says_so(labels, text, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == ("answered" if answer else "failed", answer)
