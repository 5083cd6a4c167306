"""What is said of two things that are compared: which one is better, or that neither is."""

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.comparing import compared
from assay.derive.labels import LabelSet
from tests.reasoning_texts import rules

TWO = ["Response 1", "Response 2"]
TIED = [*TWO, "Tie"]
ARENA = ["model_a", "model_b", "tie", "tie (bothbad)"]
JUDGES = ["Assistant A", "Assistant B", "Tie"]
LETTERS = {"A": "Essay A is better", "B": "Essay B is better", "C": "Tie"}
PARTS = ["Output (a)", "Output (b)"]


def read(labels, text):
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    found = read_announced(text, Choices.of(members), rules())
    return found.state, found.answer


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (TIED, "The two replies are identical.", "Tie"),
        (TIED, "Both responses are equally convincing, and both are short.", "Tie"),
        (TIED, "Neither response is better: each forgets one of the three rivers.", "Tie"),
        (TIED, "Both responses name the wrong king.", "Tie"),
        (JUDGES, "There is no real difference in quality between the two answers.", "Tie"),
        (JUDGES, "Assistant A is better at sums. Assistant B is better at rhymes. A draw.", "Tie"),
        (JUDGES, "I cannot prefer one over the other.", "Tie"),
        (LETTERS, "The essays are evenly matched.", "C"),
        (ARENA, "Both models are on par.", "tie"),
        (ARENA, "Both models fail to return a table.", "tie (bothbad)"),
        (["1", "2", "equal"], "Both summaries are of the same quality.", "equal"),
    ],
)
def test_who_calls_both_equal_answers_with_the_member_for_a_tie(labels, text, answer) -> None:
    assert read(labels, text) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (PARTS, "Output (b) is better.\n\nThe sum in Output (a) is correct, but not asked.", 1),
        (PARTS, "Output (a) is better, since it ends in \\boxed{12} and not in \\boxed{21}.", 0),
        (PARTS, "Output (a) is better in form. So far so good. Output (b) is better.", 1),
        (PARTS, "While Output (a) is better than I feared, Output (b) wins.", 1),
        (JUDGES, "Assistant A's answer is correct, yet Assistant B is preferable.", 1),
        (JUDGES, "Assistant A's reply is more complete than that of Assistant B.", 0),
        (JUDGES, "Assistant B's reply is not as clear as Assistant A's.", 0),
        (JUDGES, "Both assistants are good. The second one has a slight edge.", 1),
        (JUDGES, "Both answers are of good quality. However, Assistant A omits the date.", 1),
        (TIED, "Both are equally long. Response 2 is better, though.", 1),
        (TIED, "They are equally good in style. Only Response 1 is correct.", 0),
        (TWO, "Response 1 scores 6/10 and Response 2 scores 9/10.", 1),
        (TWO, "Marks:\nResponse 1: 8\nResponse 2: 5.5", 0),
        (["1", "2"], "The first summary is more faithful to the source.", 0),
        (["1", "2"], "I would choose the second translation, since it keeps the rhyme.", 1),
    ],
)
def test_the_better_one_is_what_is_called_better_last(labels, text, answer) -> None:
    assert read(labels, text) == ("answered", labels[answer])


@pytest.mark.parametrize(
    ("labels", "text", "state"),
    [
        (TWO, "Both responses are equally good.", "undecided"),
        (TIED, "Response 1 would be better if it cited a source.", "undecided"),
        (TIED, "Response 1 is more polite. Response 2 is more precise.", "undecided"),
        (TIED, "Response 1 is not better than Response 2.", "undecided"),
        (JUDGES, "I cannot say which one is better.", "failed"),
        (TWO, "Response 1: 7\nResponse 2: 7", "undecided"),
        (TWO, "Response 1 lists 12 kings, Response 2 lists 9 of them.", "undecided"),
    ],
)
def test_a_condition_two_strengths_and_a_denial_prefer_nothing(labels, text, state) -> None:
    assert read(labels, text)[0] == state


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (["correct", "incorrect"], "This is incorrect. They wrote \\boxed{9}.", "incorrect"),
        (["Yes", "No"], "No. The sum \\boxed{3} is not the expected \\boxed{5}.", "No"),
    ],
)
def test_a_value_in_a_box_that_is_judged_by_words_is_not_the_answer(labels, text, answer) -> None:
    assert read(labels, text) == ("answered", answer)


def test_a_value_in_a_box_is_the_answer_where_members_are_values_or_none_is_said() -> None:
    assert read(["12", "21"], "We get \\boxed{24}.") == ("outside", "24")
    assert read(["correct", "incorrect"], "We get \\boxed{24}.") == ("outside", "24")


@pytest.mark.parametrize(
    "labels",
    [
        ["A", "B", "C"],
        ["Type 1", "Type 2"],
        ["Yes", "No", "Tie"],
        ["Response 1", "Other"],
        {"A": "up"},
    ],
)
def test_other_sets_compare_nothing(labels) -> None:
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    assert compared(Choices.of(members)) is None
