"""What a text repeats of what it was asked answers nothing; what stands beside it does."""
# ruff: noqa: E501, RUF001 - texts of models as they are

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from tests.reasoning_texts import rules

ILL, COLOURS = {"A": "flu", "B": "cold"}, {"A": "red", "B": "blue"}
ASKED = "Which one is the fullest of them all?"
PEOPLE = {"A": "Mary Ann, a nurse", "B": "Joan Lee, a clerk"}


def read(text, labels):
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    found = read_announced(text, Choices.of(members), rules())
    return found.state, found.answer


@pytest.mark.parametrize(
    ("text", "labels", "state", "answer"),
    [
        ("It is a cold.  A) flu B) cold", ILL, "answered", "B"),
        ("It's a cold. (a) A. flu (b) B. cold", ILL, "answered", "B"),
        ("What is it? A) flu B) cold", ILL, "failed", None),
        ("There is fever, so it is clear. A) flu B) cold", ILL, "failed", None),
        ("The options are: A) flu B) cold", ILL, "failed", None),
        ("Options:\n(A) flu\n(B) cold", ILL, "failed", None),
        ("These are possible answers: A. flu, B. cold", ILL, "undecided", None),
        ("Options:\n(A) flu\n(B) cold\nAnswer: B", ILL, "answered", "B"),
        ("B) cold", ILL, "answered", "B"),
        ("I said A) flu, and not B) cold", ILL, "answered", "A"),
        ("Question: What is it?\nOptions: A: flu, B: cold\nAnswer:", ILL, "failed", None),
        ("Question: What is it?\nOptions: A: flu, B: cold\nAnswer: }]", ILL, "failed", None),
        (
            "System: Be brief.\nHuman: Choose from A or B.\nA: flu, B: cold\nAnswer:",
            ILL,
            "failed",
            None,
        ),
        (
            r"System: Choose from A or B.\nQuestion: What?\n\nA: flu, B: cold\nAnswer:",
            ILL,
            "failed",
            None,
        ),
        (
            "질문: 무엇입니까? 정답을 A, B 중에 고르시오.\n보기:\nA: flu, B: cold\n정답 (Answer): }]",
            ILL,
            "failed",
            None,
        ),
        ("Вопрос: что это?\nA) flu\nB) cold\nОтвет:", ILL, "failed", None),
        ("Soal: apa ini?\nA. flu\nB. cold\nJawaban: ", ILL, "failed", None),
        ("B\n\nOptions: A: flu, B: cold\nAnswer:", ILL, "answered", "B"),
        ("It is a cold.\n\nOptions: A: flu, B: cold\nAnswer:", ILL, "answered", "B"),
        ("Question: What is it?\nA: flu, B: cold\nAnswer: B", ILL, "answered", "B"),
        (
            "Question: What is it?\nA: flu, B: cold\nAnswer:\n\nNo fever, so B.",
            ILL,
            "answered",
            "B",
        ),
    ],
)
def test_options_at_the_end_are_no_answer(text, labels, state, answer) -> None:
    assert read(text, labels) == (state, answer)


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("정답을 A, B 중에 고르면 B입니다.", "answered", "B"),
        ("答案从A、B中选，我选B。", "answered", "B"),
        ("正解はA、Bのうち、Aです。", "answered", "A"),
        ("答案是A、B。", "undecided", None),
    ],
)
def test_letters_to_choose_from_are_no_answer(text, state, answer) -> None:
    assert read(text, ILL) == (state, answer)


@pytest.mark.parametrize(
    ("text", "labels", "state", "answer"),
    [
        ("I see.\n\nQ: What is it?\nA) flu\nB) cold\nNo fever, so it is B", ILL, "answered", "B"),
        ("I see.\n\nQ: What is it?\nA) flu\nB) cold\n", ILL, "failed", None),
        ("I see.\n\nQ: What is it?\nA) flu\nB) cold\nNo idea.", ILL, "failed", None),
        (f"Red\n{ASKED}\nBlue\n{ASKED}\nBlue", COLOURS, "answered", "A"),
        (f"{ASKED}\nRed\n{ASKED}\nBlue", COLOURS, "answered", "B"),
        (f"Red\n{ASKED}\nBlue\nAnd which is the emptiest of them all?\nRed", COLOURS, None, "A"),
    ],
)
def test_a_question_that_is_asked_again_ends_the_answer(text, labels, state, answer) -> None:
    found = read(text, labels)
    assert found == (state or found[0], answer)


@pytest.mark.parametrize(
    ("text", "labels", "state", "answer"),
    [
        ("Mary Ann", PEOPLE, "answered", "A"),
        ("I would say that the dog is the answer.", {"A": "a dog", "B": "a cat"}, "answered", "A"),
        ("The dog is the one.", ["dogs", "cats"], "answered", "dogs"),
        ("It is new.", ["News", "Sports"], "outside", "new"),
        ("The answer in B is wrong as it says flu. So it is A.", ILL, "answered", "A"),
        ("C. A few of them would be fine.", list("ABCD"), "answered", "C"),
        ("C, A and D", list("ABCD"), "undecided", None),
        ("2 + 3 = 5", {"A": "2", "B": "5"}, "answered", "B"),
        ("The answer is $N$", {"A": "N", "B": "M"}, "answered", "A"),
        ("So it must be 9.", {"A": "5", "B": "7"}, "outside", "9"),
        ("How each fits:\n- Flu: fever\n- Cold:", ["Flu", "Cold"], "failed", None),
    ],
)
def test_names_are_told_from_what_looks_alike(text, labels, state, answer) -> None:
    assert read(text, labels) == (state, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("A: 3 and 4 are 7. The answer is 7.\n\nA: 3 and 2 are 5. The answer is 5.", "7"),
        ("\nA: The answer is 5.\n\nA: The answer is 7.\n\nA: The answer is 5", "5"),
        ("A: The answer is 5.\n\nA: Wait, the answer is 7.", "7"),
        ("A: It might be 5.\nB: No.\n\nA: Then the answer is 7.", "7"),
        ("Both were tried.\n\nA: The answer is 7.", "7"),
    ],
)
def test_a_further_answer_below_the_first_one_is_invented(text, answer) -> None:
    assert read(text, ["5", "7"]) == ("answered", answer)


SUMS = ["50", "65"]
WORKED = "Two hours at ten miles are added to it."


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        (f"Let us see.\n\n### Question:\n\nHow far?\n\n{WORKED}\n\nSo it is 65.", "answered", "65"),
        (
            "She runs.\n\nQuestion: How far?\n\n### Solution:\n\n$$\n\\boxed{65}\n$$",
            "answered",
            "65",
        ),
        (f"To begin.\n\n**Pregunta:** ¿Cuánto?\n\n{WORKED}\n\n\\boxed{{50}}", "answered", "50"),
        ("I have no idea.\n\nQuestion: How far?\nAnswer: 65", "failed", None),
        ("I have no idea.\n\nQuestion: How far?\n65", "failed", None),
        (f"Let us see.\n\nQ: How far?\n{WORKED}\n\\boxed{{65}}\n\nQ: And?\n50", "failed", None),
        (f"It is 50.\n\nQuestion: How far?\n\n{WORKED}\n\n\\boxed{{65}}", "answered", "50"),
    ],
)
def test_a_question_that_a_text_asks_itself_and_works_on_is_its_own(text, state, answer) -> None:
    assert read(text, SUMS) == (state, answer)


SCALE = {"1": "Strongly disagree", "2": "Disagree", "3": "Agree"}


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("1 - Strongly disagree 2 - Disagree 3 - Agree", "failed", None),
        ("1. Strongly disagree\n2. Disagree\n3. Agree", "failed", None),
        ("2 - Disagree", "answered", "2"),
        ("I choose 2. 1 - Strongly disagree 2 - Disagree 3 - Agree", "answered", "2"),
    ],
)
def test_a_scale_that_is_repeated_is_no_answer(text, state, answer) -> None:
    assert read(text, SCALE) == (state, answer)


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("The answer is D. creativity in new places.", "answered", "D"),
        ("A resposta é B. criatividade para os espaços.", "answered", "B"),
        ("It comes from C. difficile. The answer is B.", "answered", "B"),
        ("We found E. coli and C. albicans in it.", "undecided", None),
    ],
)
def test_a_letter_before_a_name_in_latin_is_no_option(text, state, answer) -> None:
    assert read(text, list("ABCDE")) == (state, answer)


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("I'm here to provide neutral responses, Ann!", "refused", None),
        ("I am designed to remain impartial.", "refused", None),
        ("I'm designed to be objective, so: Agree", "answered", "Agree"),
    ],
)
def test_who_is_there_to_be_neutral_declines(text, state, answer) -> None:
    assert read(text, ["Agree", "Disagree"]) == (state, answer)
