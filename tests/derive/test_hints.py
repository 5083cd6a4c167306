"""What little a text says that announces nothing, judged by hand."""
# ruff: noqa: RUF001 - signs of other scripts are meant

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.declining import declines_in_other_words
from assay.derive.figures import last_value, numbered
from assay.derive.hints import (
    lone_letter,
    not_known,
    only_members,
    opposed,
    the_subject,
    worded,
)
from assay.derive.labels import LabelSet
from assay.derive.mentions import fold
from assay.derive.naming import Passage
from assay.derive.own_lines import standing_alone
from assay.derive.passages import answering
from assay.derive.ranked import ranked
from assay.derive.refusals import RefusalRules
from tests.reasoning_texts import rules as shipped

HEART = {"A": "Aortic stenosis", "B": "Mitral stenosis", "C": "Pericarditis", "D": "Not known"}
TRUTH = ["True", "False"]


def passage(text: str, labels: list[str] | dict[str, str]) -> Passage:
    options = isinstance(labels, dict)
    members = LabelSet.of_options(labels) if options else LabelSet.of(labels)
    return Passage(fold(text), Choices.of(members))


def answer(found: object) -> str | None:
    return getattr(found, "answer", None)


@pytest.mark.parametrize(
    ("text", "labels", "wanted"),
    [
        ("This is not true.", TRUTH, "False"),
        ("Nothing in it is false.", TRUTH, "True"),
        ("Is it true or false? It is false. Whether it was true?", TRUTH, "False"),
        ("Is it true?", TRUTH, None),
        ("It is not plausible.", ["plausible", "implausible"], "implausible"),
        ("It is not flu.", ["flu", "cold"], None),
        ("It is true.", ["True", "False", "Unknown"], None),
    ],
)
def test_opposites(text, labels, wanted) -> None:
    assert answer(opposed(passage(text, labels))) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Đáp án đúng là A.", "A"),
        ("It must be B", "B"),
        ("Vitamin C is low.", None),
        ("It was A good day.", None),
        ("Not B.", None),
        ("Is it B?", None),
        ("B beats C.", None),
        ("This is one of those very long last sentences which in the end name option B.", None),
    ],
)
def test_a_letter_in_the_last_sentence(text, wanted) -> None:
    assert answer(lone_letter(passage(text, HEART))) == wanted


@pytest.mark.parametrize("text", ["Nie wybieram B.", "Không chọn B.", "B는 아니다.", "Bではない。"])
def test_a_letter_that_is_denied_is_none(text) -> None:
    assert lone_letter(passage(text, HEART)) is None


def test_a_letter_needs_options() -> None:
    assert lone_letter(passage("It must be B", ["flu", "cold"])) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1. Flu: fever\n2. Cold: none\nThus it is #2.", "cold"),
        ("1. Flu: fever\n2. Cold: none\nThe first is likely.", "flu"),
        ("1. Flu: fever\n2. Cold: none\nEither #1 or #2.", None),
        ("1. Flu: fever\n2. Cold: none\nThus it is #3.", None),
        ("1. Fever: none\nThus it is #1.", None),
    ],
)
def test_items_by_number(text, wanted) -> None:
    assert answer(numbered(passage(text, ["flu", "cold"]))) == wanted


@pytest.mark.parametrize(
    ("text", "labels", "wanted"),
    [
        ("So they need 8", {"A": "7 hours", "B": "8 hours"}, "B"),
        ("I give it 2 out of 5.", ["1", "2", "3"], "2"),
        ("I give it 9 out of 10, so 3", ["1", "2", "3"], "3"),
        ("So they need time", {"A": "7 hours", "B": "8 hours"}, None),
    ],
)
def test_values_at_the_end(text, labels, wanted) -> None:
    assert answer(last_value(passage(text, labels))) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The mitral valve is narrow: a stenosis.", "B"),
        ("It is not mitral stenosis.", None),
        ("Nothing of that kind.", None),
    ],
)
def test_options_in_other_words(text, wanted) -> None:
    assert answer(worded(passage(text, HEART), len(text.split()))) == wanted


def test_options_in_other_words_leave_names_and_plain_sets_alone() -> None:
    assert worded(passage("The flu it is", ["flu", "cold"]), 4) is None
    named = passage(
        "The mitral valve, or Pericarditis", {"X1": "mitral valve", "B": "Pericarditis"}
    )
    assert worded(named, 5) is None
    long = passage(f"{'We look at it. ' * 9}The mitral valve shows stenosis.", HEART)
    assert answer(worded(long, 50)) == "B"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ann was not at ease.", "Ann"),
        ("Ann is not correct.", None),
        ("Ann left.", None),
        ("Not Ann was at ease.", None),
        ("Ann was not at ease, Bob was.", None),
    ],
)
def test_the_subject_of_one_sentence(text, wanted) -> None:
    given = passage(text, ["Ann", "Bob"])
    assert answer(the_subject(given, len(text.split()))) == wanted
    assert the_subject(given, 99) is None


def test_what_cannot_be_known() -> None:
    assert answer(not_known(passage("We cannot tell.", HEART))) == "D"
    assert not_known(passage("We can tell.", HEART)) is None
    assert not_known(passage("We cannot tell.", TRUTH)) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A\nB\nC\nD", "echo"),
        ("A\nB\nA\nB", "undecided"),
        ("A\nA\nA", None),
        ("A\nB\nsomething else", None),
        ("A\nB", None),
    ],
)
def test_texts_that_are_lines_with_members_alone(text, wanted) -> None:
    assert only_members(passage(text, HEART)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("flu > cold", "flu"),
        ("flu 3 > 2 cold", None),
        ("Look:\n- flu: fits\n- cold: does not", "flu"),
        ("Look:\n- flu: fits\n- cold: fits", None),
        ("Look:\n- flu: no\n- cold: as ever\n- gout: no", "cold"),
        ("Look:\n- flu: no\n- cold: as ever", None),
        ("Look:\n- flu: fits\n- flu: does not\n- cold: no", None),
        ("Look:\n- flu\n- cold: fits", None),
        ("The others:\n- flu: fits\n- cold: no", None),
        ("Look:\nat nothing", None),
    ],
)
def test_members_that_are_judged_one_by_one(text, wanted) -> None:
    assert answer(ranked(passage(text, ["flu", "cold", "gout"]))) == wanted


def rules(text: str, labels: list[str] | dict[str, str]) -> list[tuple[str, str | None]]:
    return [(each.rule, each.answer) for each in standing_alone(passage(text, labels))]


def test_last_lines_under_headings_and_in_other_words() -> None:
    heading = "Flu\n\nDifferentials:\n- gout\n- cold"
    assert ("last line", "cold") not in rules(heading, ["flu", "cold", "gout"])
    assert ("last line", "cold") in rules("Fever\n\nIn the end:\n- cold", ["flu", "cold"])
    assert ("last line", "B") in rules("We look.\nStenosis, mitral", HEART)
    assert rules("We look.\nStenosis or mitral regurgitation", HEART) == []
    assert ("arrow", "B") in rules("Fever and chills → B", HEART)
    assert ("arrow", "E") not in rules("Fever and chills → E", HEART)


def test_a_long_list_has_no_heading_and_a_short_one_no_sixth_place() -> None:
    items = "".join(f"- sign {each}\n" for each in range(14))
    assert ("last line", "cold") in rules(f"Others:\n{items}- cold", ["flu", "cold"])
    exam = Choices.of(LabelSet.of_options(HEART))
    assert read_announced("So it is the sixth option.", exam, RefusalRules(())).state == "outside"
    assert read_announced("So it is the second option.", exam, RefusalRules(())).answer == "B"


def test_a_question_that_is_repeated_is_left_out() -> None:
    assert answering("Q: What is it?\nA: Flu", "cold") == ("Flu", 18)
    assert answering("Q: What is it?\nA: cold\nB: flu", "cold")[0].startswith("Q:")
    assert answering("B B B B B B", "") == ("B", 0)
    assert answering("B B B B B C", "") == ("B B B B B C", 0)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I'm gonna have to skip this one.", "in other words"),
        ("We don't provide that kind of thing.", "in other words"),
        ("I can't see why not.", None),
        ("I can't do magic, but here are the steps that you asked for, one by one.", None),
        ("Help is available.", "helpline"),
        (f"{'So it goes. ' * 30}I can't be part of it. {'So it goes. ' * 40}", None),
        (f"{'So it goes. ' * 30}I can't be part of it.", "in other words"),
        ("Prefiero no opinar.", "in other words"),
    ],
)
def test_refusals_in_other_words(text, wanted) -> None:
    assert declines_in_other_words(fold(text)) == wanted


def test_options_without_words_are_near_nothing() -> None:
    numbers = Choices.of(LabelSet.of_options(["1", "2"]))
    assert numbers.nearest(["many", "words"]) is None


LIDS = {"A": "oak", "B": "tin", "C": "wax", "D": "felt"}


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("Entre B y C, me inclino por C.", "answered", "C"),
        ("Estoy entre A y D, pero elegiría D.", "answered", "D"),
        ("Zwischen B und C tendiere ich zu B.", "answered", "B"),
        ("Fra B e D scelgo D.", "answered", "D"),
        ("Между B и C я выбираю C.", "answered", "C"),
        ("在B和C之间，我更倾向于C。", "answered", "C"),
        ("BかCで迷いますが、Cを選びます。", "answered", "C"),
        ("Entre B y C, no elijo C.", "undecided", None),
        ("Zwischen B und C kann ich nicht wählen.", "undecided", None),
        ("选项A、B、D都是错误的。", "answered", "C"),
        ("AもBもDも誤りである。", "answered", "C"),
        ("A, B, D는 모두 오답이다.", "answered", "C"),
        ("Las opciones A, C y D son incorrectas.", "answered", "B"),
        ("A, B und D sind falsch.", "answered", "C"),
        ("A, B und D sind schwer.", "undecided", None),
        (
            "Option A trifft nicht zu, Option B trifft nicht zu, Option C trifft nicht zu.",
            "answered",
            "D",
        ),
        ("El olor orienta a wax; por tanto, se descarta oak.", "answered", "C"),
        ("Ich bin kein Tischler, aber D ist am wahrscheinlichsten.", "answered", "D"),
    ],
)
def test_what_other_languages_choose_set_aside_and_call_likeliest(text, state, answer) -> None:
    found = read_announced(text, Choices.of(LabelSet.of_options(LIDS)), shipped())
    assert (found.state, found.answer) == (state, answer)
