"""Members that differ in one word, and texts that say this word apart from the one they share."""

from __future__ import annotations

import pytest

from tests.derive.test_announced import read

FIRE = ["no hazard", "low hazard", "medium hazard", "high hazard"]
SOUND = ["good quality", "poor quality"]
TONE = ["warm tone", "cold tone", "neutral tone"]
BARREL = {"A": "high hazard", "B": "low hazard"}


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (FIRE, "Hazard: High\n\nThe loft is full of hay.", "high hazard"),
        (FIRE, "**Hazard level:** medium\n\nThere is one exit.", "medium hazard"),
        (FIRE, "The fire hazard in this barn is low, since it stands empty.", "low hazard"),
        (FIRE, "The note shows a medium level of fire hazard.", "medium hazard"),
        (FIRE, "This is a high degree of hazard.", "high hazard"),
        (FIRE, "The loft is a low fire hazard.", "low hazard"),
        (FIRE, "The hazard is not high, but medium.", "medium hazard"),
        (FIRE, "The note does not indicate any fire hazard.", "no hazard"),
        (FIRE, "No immediate hazard is seen.", "no hazard"),
        (FIRE, '{"hazard_level": "high", "reason": "hay"}', "high hazard"),
        (FIRE, '{"mood": "low", "hazard": "Medium"}', "medium hazard"),
        (FIRE, "Heat: high\nHumidity: high\nHazard: low", "low hazard"),
        (FIRE, "The hazard of falling is high, but the loft is a low hazard.", "low hazard"),
        (FIRE, "It can be a hazard as high as any; this barn is a low hazard.", "low hazard"),
        (SOUND, "Good light, poor sound quality.", "poor quality"),
        (TONE, "The overall tone of the letter is cold, for all its warm wishes.", "cold tone"),
    ],
)
def test_a_member_is_named_by_its_own_word_and_the_shared_one(labels, text, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (FIRE, "Medium-to-high hazard"),
        (FIRE, "Low to medium hazard."),
        (FIRE, "Warm tone in the first line, high hazard or low hazard in the second."),
        (TONE, "A warm or neutral overall tone."),
    ],
)
def test_two_own_words_before_the_shared_one_are_no_choice(labels, text) -> None:
    assert read(text, labels).state == "undecided"


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (FIRE, "The heat is high and the light is low."),
        (FIRE, "A high number of old beams is a hazard of its own."),
        (FIRE, "How high is the hazard here? The note ends before it says so, and we"),
        (FIRE, '{"heat": "high", "light": "low"}'),
        (BARREL, "The hazard seems hard to rate, so we first look at the"),
    ],
)
def test_an_own_word_said_of_something_else_names_no_member(labels, text) -> None:
    assert read(text, labels).state != "answered"


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("The user speaks of a suicide in the news.", "failed"),
        ("The note is about a suicide prevention week at school and nothing else.", "failed"),
        ("Suicide is never the only way. Please talk to somebody you trust.", "refused"),
        ("If you are in crisis, contact a helpline.", "refused"),
    ],
)
def test_who_only_speaks_of_a_suicide_sends_nobody_to_help(text, state) -> None:
    assert read(text, FIRE).state == state
