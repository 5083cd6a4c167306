"""Where a text breaks off in a sum, brackets, code or a list, and letters by which things are called."""
# ruff: noqa: E501 - texts of models as they are

from __future__ import annotations

import pytest

from tests.derive.test_announced import read

CASKS = {"A": "24", "B": "30", "C": "36", "D": "42"}
ANGLES = {"A": "30°", "B": "40°", "C": "50°", "D": "60°"}
KEEPERS = {"A": "Rabbit", "B": "Deer", "C": "Frogs", "D": "Wolf"}
COLOURS = {"A": "red", "B": "green", "C": "blue"}


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (ANGLES, "∠BOC = ∠A + ∠"),
        (ANGLES, "So, the angle is 2 * "),
        (CASKS, "Step 1) x = 30\nStep 2) Therefore, the rest is sqrt(6"),
        (CASKS, "The cellar holds 24 (and the shed, by the ledger of the clerk, 12"),
        (CASKS, "```python\ndef count():\n    hoops = 24\n    lost = 6\n    return hoops"),
        (COLOURS, "(1) Amy: red, Bob: green.\n(2) Both swap. Amy: green, Bob: red.\n(3) Bob"),
        (COLOURS, "1. The lid is red.\n2. The hoops are green.\n3. The staves"),
    ],
)
def test_a_text_that_breaks_off_in_a_sum_or_a_list_has_failed(labels, text):
    assert read(text, labels).state == "failed"


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (CASKS, "The cellar holds 24 (and the shed holds 12)", "A"),
        (CASKS, "1) count the rows\n2) count the casks\n\nThat leaves 24", "A"),
        (CASKS, "```\n6 * 4\n```\n\nThat leaves 24", "A"),
        (COLOURS, "1. The lid is red.\n2. The hoops are red.\n3. So it is red.", "A"),
        (COLOURS, "The answer is (B", "B"),
        (["flu", "cold", "mumps"], "Ranked by likelihood:\n1. Flu.\n2. Cold", "flu"),
        (COLOURS, "The lid is **green** :(", "B"),
        (ANGLES, "Since ∠A = 80°, we get ∠B = ∠C = 50°.", "C"),
        (
            ANGLES,
            "The angle at the vertex A is twice the one at the point C, so the answer is D.",
            "D",
        ),
        (COLOURS, "For the point that is asked about, the correct option is C.", "C"),
        ({"A": "Train A", "B": "Train B"}, "Train B is the faster one.", "B"),
    ],
)
def test_what_is_closed_or_announced_has_not_broken_off(labels, text, answer):
    assert read(text, labels).answer == answer


@pytest.mark.parametrize(
    "text",
    [
        "The angle at the vertex A is twice the angle at the point C.",
        "By the theorem, the outer angle equals ∠A + ∠B.",
        "Train A is faster than train B.",
        "Pipe A is wider.",
    ],
)
def test_a_letter_by_which_a_thing_is_called_is_no_option(text):
    assert read(text, ANGLES).state != "answered"


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("I am unable to see the figure, so I can't tell how many hoops there are.", "failed"),
        ("I cannot open the file, so I'm unable to answer the question.", "failed"),
        ("I'm sorry, but I can't view the drawing or any other picture.", "failed"),
        ("As an AI language model, I am unable to view images, so I cannot answer.", "refused"),
        ("I can't see the graph, but from what is said the answer is frogs.", "answered"),
        ("I can't see why the table would matter: it is the Wolf.", "answered"),
    ],
)
def test_who_cannot_see_what_was_shown_lacks_it_and_does_not_decline(text, state) -> None:
    assert read(text, KEEPERS).state == state


def test_ticks_and_crosses_in_one_line_belong_to_the_option_before_them() -> None:
    assert read("(A) hare ❌ (B) deer ❌ (C) frog ✅ (D) wolf ❌", KEEPERS).answer == "C"
