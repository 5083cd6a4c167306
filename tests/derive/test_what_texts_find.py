"""What a text finds in what it was given, as yes or no, and what is named beside an answer."""

from __future__ import annotations

import pytest

from tests.derive.test_announced import read

YES_NO = ["Yes", "No"]
FLAWS = ["Gluttony", "Sloth", "Envy", "No flaw"]
MINDS = ["Schizophrenia", "Panic Disorder", "Alcohol Use Disorder"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "The writer speaks of debts. Such worries align with signs commonly seen in stress.",
            "Yes",
        ),
        ("The author shows many clear signs of envy, such as a long list of grudges.", "Yes"),
        ("The child exhibits several traits of a left-handed person.", "Yes"),
        ("The poster appears to be suffering from homesickness.", "Yes"),
        ("What she tells is consistent with the typical features of a cold.", "Yes"),
        ("Three cures were tried, and none of them have worked. The answer is yes.", "Yes"),
        ("The user is tired. However, this does not align with the usual signs of scurvy.", "No"),
        ("The words of the speaker are not consistent with the symptoms of fever.", "No"),
        ("The writer shows no signs of envy.", "No"),
        ("The writer shows little evidence of envy.", "No"),
        ("No clear signs of rust on the hoops.", "No"),
        ("The client does not meet the criteria for a pension, although she is old.", "No"),
        ("The signs you name are plain and typical of a cold. Please see a doctor.", "Yes"),
        ("These signs are not typical of a cold. Please see a doctor if they last.", "No"),
    ],
)
def test_what_a_text_finds_is_yes_or_no(text, answer) -> None:
    found = read(text, YES_NO)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    "text",
    [
        "Whether the writer shows signs of envy is hard to say.",
        "The writer might be experiencing envy.",
        "If the author is suffering from gout, a walk may help.",
        "No signs of life in the cellar? The cooper heard a knock.",
        "No signs of rust. However, the lid was never opened, so this may change.",
        "It is not possible to determine from the note whether the writer suffers from gout.",
        "The writer tried three cures, and none of them have worked.",
    ],
)
def test_what_is_open_or_about_something_else_is_neither(text) -> None:
    assert read(text, YES_NO).state != "answered"


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry that you feel this way. Please see a doctor.",
        "Your signs may be typical of a cold. Please see a doctor.",
        "These feelings are typical of a healthy child. Please see a doctor if they last.",
    ],
)
def test_who_finds_nothing_and_sends_to_a_doctor_has_declined(text) -> None:
    assert read(text, YES_NO).state == "refused"


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (FLAWS, "The line is an example of gluttony, with an element of sloth.", "Gluttony"),
        (FLAWS, "Flaw: Envy (also: Sloth)", "Envy"),
        (FLAWS, "I call it envy. Gluttony would mean that he ate it.", "Envy"),
        (FLAWS, "This looks like sloth (less likely gluttony).", "Sloth"),
        (MINDS, "Panic disorder with secondary alcohol use disorder.", "Panic Disorder"),
        (
            MINDS,
            "A man with panic disorder and voices that nobody hears: schizophrenia.",
            "Schizophrenia",
        ),
    ],
)
def test_what_is_named_beside_the_first_is_not_the_answer(labels, text, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == ("answered", answer)


def test_cures_that_failed_are_no_members_that_do_not_apply() -> None:
    assert read("She tried three cures, but none of them have helped.", MINDS).state == "failed"
    assert read("None of these disorders fits her at all.", MINDS).state == "none"


def test_a_degree_of_one_member_before_another_names_a_third() -> None:
    wear = ["Mild", "Moderate", "Severe"]
    assert read("Moderately severe", wear).state == "outside"
    assert read("It is severe, and not moderately severe.", wear).answer == "Severe"
    assert read("Moderately severe", [*wear, "Moderately severe"]).answer == "Moderately severe"
    assert read("Moderately severe", ["Mild", "Severe"]).answer == "Severe"


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("He does not yet have schizophrenia.", "undecided", None),
        ("It is not yet schizophrenia. It is panic disorder.", "answered", "Panic Disorder"),
        ("He is not old, yet he has schizophrenia.", "answered", "Schizophrenia"),
        (
            "Schizophrenia requires six months. Panic disorder requires four signs.",
            "undecided",
            None,
        ),
        (
            "The patient most likely has panic disorder, given the four attacks that",
            "answered",
            "Panic Disorder",
        ),
        ("This note is about schizophrenia. The writer tells", "answered", "Schizophrenia"),
        ("The patient has panic disorder in the family, and the", "failed", None),
        ("This note is about a man whose schizophrenia was", "failed", None),
    ],
)
def test_what_is_not_so_yet_and_what_breaks_off_behind_its_claim(text, state, answer) -> None:
    found = read(text, MINDS)
    assert (found.state, found.answer) == (state, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("No clear flaw is present; he is content.", "No flaw"),
        ("The line does not show signs of any grave flaw.", "No flaw"),
        ("I cannot find any flaw.", "No flaw"),
        ("He is free of any flaw.", "No flaw"),
        ("Envy is present.", "Envy"),
        ("Envy does explain his list of grudges.", "Envy"),
        ("Envy does not explain this. It is sloth.", "Sloth"),
        ("It is not just any flaw, it is envy.", "Envy"),
        ("The line shows signs of envy, and to a lesser degree sloth.", "Envy"),
    ],
)
def test_a_member_that_says_no_such_thing_is_read_with_words_within(text, answer) -> None:
    found = read(text, FLAWS)
    assert (found.state, found.answer) == ("answered", answer)
