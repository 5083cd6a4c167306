"""What a text of numbers comes to: a member that is named on the way is not its result."""
# ruff: noqa: E501 - texts of models as they are

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from tests.reasoning_texts import rules

CASKS = ["24", "30", "36", "42"]
OPTIONS = {"A": "24", "B": "30", "C": "36", "D": "42"}
DAYS = {"A": "05/04/2011", "B": "05/05/2011", "C": "05/06/2011", "D": "06/05/2011"}
SPEEDS = {"A": "30 km/h", "B": "40 km/h", "C": "50 km/h"}
DOSES = ["10 mg", "20 mg", "40 mg"]
PARTS = {"A": "1/2", "B": "2/3", "C": "3/4", "D": "5/6"}
GRADES = ["0", "1", "2", "3"]


def read(text: str, labels: list[str] | dict[str, str]) -> tuple[str, str | None]:
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    found = read_announced(text, Choices.of(members), rules())
    return found.state, found.answer


@pytest.mark.parametrize(
    ("labels", "text", "value"),
    [
        (CASKS, "The oak casks are 24. The ash casks are 31. The total is 24 + 31 = 55.", "55"),
        (CASKS, "The cooper made 24 and the clerk sold 30 of the rest.\nA: 55", "55"),
        (CASKS, "Step one leaves 24 hoops.\nAns. 55 hoops", "55"),
        (CASKS, "He has 24 oak staves and 30 ash staves. So he has 54 staves.", "54"),
        (CASKS, "So the clerk walks 24 rounds. Therefore, he walks 77 metres a day.", "77"),
        (CASKS, "Total = 24 + 31\n= 55", "55"),
        (CASKS, "There are 24 casks and five lids, so the difference is 19.", "19"),
        (
            OPTIONS,
            "The first barge takes 24 minutes to load. The trip takes 55 minutes in total.",
            "55",
        ),
        (OPTIONS, "So the value of x is 24. Thus 2x = 48.", "48"),
        (["2", "4", "6", "8"], "The difference between the two marks on the rule is 7.", "7"),
        (["3", "2", "5", "10"], "The gap between the two rows in the picture is 20 years.", "20"),
        (DAYS, "One week before 05/05/2011 is 04/28/2011.", "04/28/2011"),
        (
            DAYS,
            "The sale was on 05/04/2011 but was put off, so the date is now 05/07/2011.",
            "05/07/2011",
        ),
        (DAYS, "The day after 05/06/2011 would be 05/07/2011 at 9 am.", "05/07/2011"),
        (
            OPTIONS,
            "Since a cask holds 42, we can deduce that a row is equal to 90 - 42, which is 48.",
            "48",
        ),
        (CASKS, "There are nineteen casks in the picture.", "nineteen"),
        (CASKS, "Also bleiben 55 Fässer im Keller.", "55"),
        (PARTS, "Therefore, the answer is \\(\\frac{7}{8}\\).", r"\frac{7}{8}"),
        (PARTS, "Some of it is lost, so the share that is kept is 12%.", "12%"),
    ],
)
def test_the_value_that_the_last_words_come_to_is_the_answer_though_it_is_no_member(
    labels, text, value
):
    assert read(text, labels) == ("outside", value)


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (CASKS, "The oak casks are 24. The ash casks are 12. The total is 24 + 12 = 36.", "36"),
        (CASKS, "The cooper made 24 and the clerk sold 30 of the rest.\nA: 36", "36"),
        (CASKS, "The cellar is 24 metres round. Each side is 6 metres.", "24"),
        (CASKS, "She fills 24 casks. Each costs $2.", "24"),
        (CASKS, "The area is 36 because the side is 6.", "36"),
        (CASKS, "There are 36 casks in all. Check: 6 rows of 9, so the total is 54.", "36"),
        (
            CASKS,
            "There are 36 casks in all. We can verify this. 6 rows of 9 hold them, so the total is 54.",
            "36",
        ),
        (CASKS, "The weight is 42 when x = 7.", "42"),
        (CASKS, "The weight is 42 for n = 7.", "42"),
        (CASKS, "The most that it holds is 30, and it is reached at x = 4.", "30"),
        (CASKS, "The barge covers 36 miles. It needs 40 minutes for them.", "36"),
        (CASKS, "It is 24, not 55.", "24"),
        (CASKS, "24\n\nExplanation: 4 rows of 6 make it. The price of a row is 5.", "24"),
        (SPEEDS, "The speed is 30 km/h, so the distance is 60 km.", "A"),
        (DOSES, "The dose is 20 mg. She weighs 60 kg, so the volume is 4 ml.", "20 mg"),
        (
            GRADES,
            "I would rate this item 2. He sleeps badly on most days and the total is 14.",
            "2",
        ),
        (
            ["1803", "1812", "1815"],
            "The war ended in 1815 and the congress was held in 1814.",
            "1815",
        ),
        (
            CASKS,
            "The largest row is 36. The smallest number of casks that we could use is 24.\n\nFor example ",
            "24",
        ),
        (CASKS, "The most that the cellar can hold is 42. A cask may leak.", "42"),
        (CASKS, "The answer is 36.0 miles.", "36"),
        (PARTS, "The ratio is 3/4, so the share is 75%.", "C"),
        (PARTS, "Thus, the share is 75%.", "C"),
        ({"A": "20%", "B": "75%"}, "Thus, the share of oak is 0.75.", "B"),
    ],
)
def test_a_value_beside_the_result_or_on_a_condition_takes_no_member_back(labels, text, answer):
    assert read(text, labels) == ("answered", answer)


def test_that_none_of_the_values_applies_stands_beside_the_value_that_is_right():
    text = "None of the listed numbers is correct. The true number of casks is 27."
    assert read(text, CASKS) == ("none", None)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It takes 18 hours for 9 coopers.", "18"),
        ("It takes 18 hours to make 9 casks.", "18"),
        ("It takes 9 coopers 18 hours.", "18"),
        ("He will have 18 casks after he gives 8 of his 26 away.", "18"),
        ("He will have 18 casks after giving 8 of his 26 casks away.", "18"),
        ("Thus the cooper makes $18 every day at the market by selling 9 lids.", "18"),
        ("She needs 20 - 2 = 18 more lids to have 20.", "18"),
        ("Total: 18 (9 oak casks and 9 ash casks)", "18"),
        ("He sold 9 lids for $18.", "18"),
        ("There were 26 casks in the cellar and 8 went, leaving 18.", "18"),
        ("There are 26 casks in the cellar, so 18 are oak.", "18"),
        ("It was 26 at noon, but by night it had dropped to 18.", "18"),
        ("The cask holds 26 when full and holds 18 with the lid off.", "18"),
        ("It was 26 before the sale; now it is 18.", "18"),
        ("The equation comes to 2x = 26 + 10, whose root is 18.", "18"),
        ("This gives 2x = 26, whose half plus 5 is 18.", "18"),
        ("Initially: 26\nAfter: 26 - 8 = 18\n\nTherefore: 18 casks", "18"),
    ],
)
def test_what_a_sentence_tells_more_of_its_value_is_not_the_value(text, answer):
    assert read(text, ["18", "26", "20", "9"]) == ("answered", answer)


@pytest.mark.parametrize(
    "text",
    [
        "Hence it holds 29 casks. However, this value does not appear in the given options.",
        "We get 29 casks, which does not figure in any of the listed answers.",
    ],
)
def test_a_value_that_does_not_appear_among_the_options_is_none_of_them_or_outside(text):
    assert read(text, OPTIONS)[0] in {"none", "outside"}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Let A = not True = False.\n\nA and B = False and True = False", "False"),
        ("not True or False =\n= False or False = False", "False"),
        ("( True and False ) = False\n= not False\n= True", "True"),
    ],
)
def test_a_sum_of_truths_comes_to_its_last_value(text, answer):
    assert read(text, ["True", "False"]) == ("answered", answer)


def test_a_sum_of_truths_that_breaks_off_has_no_value():
    assert read("So we have Z = not A =", ["True", "False"])[0] == "failed"


def test_the_letter_a_before_a_colon_is_an_option_where_there_are_letters():
    assert read("Both rows are full.\nA: 24", OPTIONS) == ("answered", "A")


LEVELS = ["1", "2", "3", "4", "5"]
RUST, STAGES = ["Grade 1", "Grade 2", "Grade 3"], ["Stage I", "Stage II", "Stage III", "Stage IV"]
SCALES = ["FOO-RAD 1", "FOO-RAD 2", "FOO-RAD 3", "FOO-RAD 4"]


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (LEVELS, "ABC: 3 (urgent). Two or more tests are needed, and 2 hours are too long.", "3"),
        (LEVELS, "**ABC 4**\n\n1 test expected (a look at the hinge).", "4"),
        (LEVELS, "Triage level 2\n\nReasoning: 1. smoke 2. heat 3. noise", "2"),
        (LEVELS, "I would give this machine a 2. Its risk is high, and 3 parts are worn.", "2"),
        (LEVELS, "Priority: II. The rest can wait for 3 days.", "2"),
        (SCALES, "FOO-RAD Category: 4 (suspicious)", "FOO-RAD 4"),
        (RUST, "Rust grade: II", "Grade 2"),
        (RUST, "The rust is of grade III by now.", "Grade 3"),
        (STAGES, "Stage: 4, as the frame is gone.", "Stage IV"),
        (["Type 1 crack", "Type 2 crack", "Dent"], "Diagnosis: Type II crack", "Type 2 crack"),
        (LEVELS, "Level 2? The noise is normal, so no. Final level: 3", "3"),
        (LEVELS, "Stage 1: gather. Stage 2: read. My rating is 4.", "4"),
        (LEVELS, "Question 2\n\nAnswer: 4", "4"),
    ],
)
def test_the_level_that_a_text_begins_with_is_its_answer(
    labels: list[str], text: str, answer: str
) -> None:
    assert read(text, labels) == ("answered", answer)


@pytest.mark.parametrize("text", ["Rating: 4.5", "Level: 9"])
def test_a_level_that_is_no_member_is_none(text: str) -> None:
    assert read(text, LEVELS)[0] == "outside"


@pytest.mark.parametrize(
    ("text", "labels", "expected"),
    [
        ("### Answer:\n\n**Selling 24 casks leaves:**\n\n\\boxed{-60}", CASKS, ("outside", "-60")),
        ("The answer is 24.\n\nWith the lids: \\boxed{55}", CASKS, ("outside", "55")),
        ("The answer is 24.\n\n\\boxed{24}", CASKS, ("answered", "24")),
        ("\\boxed{55} is for one.\n\nThe answer is 24.", CASKS, ("answered", "24")),
        ("Answer: 24 (\\boxed{23.8} before rounding)", CASKS, ("answered", "24")),
        ("The answer is 24.\n\n\\boxed{casks}", CASKS, ("answered", "24")),
        ("Therefore the answer is (B).\n\n\\boxed{29}", OPTIONS, ("answered", "B")),
    ],
)
def test_a_number_in_a_box_below_another_one_is_the_result(text, labels, expected) -> None:
    assert read(text, labels) == expected
