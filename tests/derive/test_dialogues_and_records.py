"""Texts that go on with a dialogue they were given before they label it, and records in a row."""

from __future__ import annotations

import pytest

from tests.derive.test_announced import read

MOODS = ["anger", "fear", "joy", "calm"]
YES_NO = ["Yes", "No"]
COLOURS = {"A": "red", "B": "blue"}
TURNS = "User: The lamp went out.\n\nAI: Is there a candle?\n\nUser: No.\n\nAI: Then wait."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f"{TURNS}\n\nLabel: Fear\nReason: It is dark.", "fear"),
        (f"Shall we look together?\n\n{TURNS}\n\nLabel: Fear\n\nReason: It is dark.", "fear"),
        (f"You can do it.\n\n{TURNS}\n\n**Classification:** calm", "calm"),
        (f'Is that so?\n\n{TURNS} {{"label": "joy", "reason": "It', "joy"),
        (
            f'Go on.\n\n{TURNS}\n\nOutput:\n{{"label": "anger"}}\n\nUser: {{"label": "joy"}}',
            "anger",
        ),
        (f"Label: joy\n\n{TURNS}\n\nLabel: fear", "joy"),
    ],
)
def test_a_label_below_a_dialogue_that_was_gone_on_with_counts(text, answer) -> None:
    found = read(text, MOODS)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (MOODS, TURNS),
        (MOODS, f"Shall we look together?\n\n{TURNS}"),
        (MOODS, "Which lamp?\n\nUser: The red one.\n\nLabel: joy"),
        (MOODS, f"Which lamp?\n\n{TURNS}\n\nText: It rained at last.\nLabel: joy"),
        (MOODS, f"Which lamp?\n\nQuestion: How does he feel?\n{TURNS}\nLabel: joy"),
        (COLOURS, "Which lamp?\n\nUser: Choose.\nA) tin\nB) lead\n\nAI: A\n\nLabel: B"),
        (YES_NO, "Can you send the picture?\n\nUser: Here it is.\n\nAssistant: Yes, it is red."),
    ],
)
def test_what_is_made_up_behind_a_question_back_does_not(labels, text) -> None:
    assert read(text, labels).state == "failed"


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ('{"label": "joy"} {"label": "joy"} {"label": "jo', "answered", "joy"),
        ('{"label": "joy"} {"label": "fear"}', "undecided", None),
        ('{"label": "joy"} {"label": "fear"} {"label": "calm", "reason": "so', "failed", None),
        ('[{"label": "joy", "line": 1},\n{"label": "fear", "line": 2},\n{"', "failed", None),
        ('{"label": "joy", "reason": "it is {bright}"}', "answered", "joy"),
        ('{"label": "joy"}\n\nThe writer sings {loudly} and', "answered", "joy"),
    ],
)
def test_records_in_a_row_that_differ_are_no_choice_and_cut_off_where_they_end(
    text, state, answer
) -> None:
    found = read(text, MOODS)
    assert (found.state, found.answer) == (state, answer)


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (YES_NO, '{"is_rotten": true, "confidence": 0.9}', "answered", "Yes"),
        (YES_NO, '{"leak": false}', "answered", "No"),
        (YES_NO, '{"leak": false, "rust": true}', "undecided", None),
        (YES_NO, '{"leak": false, "answer": "yes"}', "answered", "Yes"),
        (MOODS, '{"label": null, "reason": "no joy and no fear"}', "failed", None),
        (MOODS, '{"label": null, "second_label": "joy"}', "answered", "joy"),
        (
            MOODS,
            '[{"mood": "joy", "probability": 0.2}, {"mood": "fear", "probability": 0.7}]',
            "answered",
            "fear",
        ),
        (MOODS, '{"mood": "joy", "score": 0.5}, {"mood": "fear", "score": 0.5}', "undecided", None),
        (MOODS, '[{"mood": "joy"}, {"mood": "fear", "probability": 0.7}]', "undecided", None),
        (["no hazard", "low hazard"], '{"hazard": "none"}', "answered", "no hazard"),
        (
            ["no hazard", "low hazard"],
            '{"rust": "none", "hazard": "low"}',
            "answered",
            "low hazard",
        ),
    ],
)
def test_records_answer_by_what_is_true_and_by_the_greatest_share(
    labels, text, state, answer
) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == (state, answer)
