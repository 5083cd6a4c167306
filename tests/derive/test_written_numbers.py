"""Numbers in groups, by myriads, in words of magnitude and in other figures are the members."""
# ruff: noqa: E501, RUF001 - texts of models as they are, and signs of other scripts are meant

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from assay.derive.written_numbers import in_figures
from tests.reasoning_texts import rules

CASKS = ["12000", "4500", "16500", "7500"]
FEW = ["12", "14", "21", "35"]
TOLL = {"A": "250,000", "B": "1,500,000", "C": "75,000", "D": "2,500"}


def read(text: str, labels: list[str] | dict[str, str]):
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    return read_announced(text, Choices.of(members), rules())


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (
            CASKS,
            "Im Keller liegen 12.000 Fässer, davon sind 4.500 leer.\n\n**Der Händler verkauft 7.500 Fässer.**",
            "7500",
        ),
        (
            CASKS,
            "Había 12 000 barriles.\n\nPor lo tanto, el comerciante vendió 7 500 barriles.",
            "7500",
        ),
        (
            CASKS,
            "12\u202f000 − 4\u202f500 = 7\u202f500. Donc, il reste 7\u202f500 tonneaux.",
            "7500",
        ),
        (CASKS, "Das macht 16'500 Franken. Antwort: 16'500 Franken", "16500"),
        (CASKS, "樽は1万2千個あり、4500個が空です。したがって、答えは1万2000個です。", "12000"),
        (CASKS, "所以，商人一共卖出1.2万桶酒。", "12000"),
        (CASKS, "따라서 상인은 통을 1만 2천 개 팔았습니다.", "12000"),
        (CASKS, "Portanto, o comerciante vendeu 12 mil barris.", "12000"),
        (CASKS, "Also verkauft er am Ende 12 tausend Fässer.", "12000"),
        (CASKS, "Jadi, pedagang itu menjual 12 ribu tong.", "12000"),
        (CASKS, "সুতরাং, ব্যবসায়ী ৭,৫০০ পিপা বিক্রি করেছেন।", "7500"),
        (CASKS, "সুতরাং, ব্যবসায়ী $7,500 লাভ করেছেন।", "7500"),
        (FEW, "সুতরাং, মোট পিপা ৩৫টি।", "35"),
        (FEW, "इसलिए, व्यापारी ने कुल २१ पीपे बेचे।", "21"),
        (FEW, "الإجابة: ٣٥", "35"),
        (CASKS, "لذلك باع التاجر ٧٬٥٠٠ برميل. الإجابة: ٧٬٥٠٠", "7500"),
        (FEW, "คำตอบ: ๒๑", "21"),
        (FEW, "答案：２１", "21"),
        (TOLL, "La tasa asciende a 75.000 pesos.", "C"),
        (TOLL, "Le péage rapporte 1 500 000 francs.", "B"),
        (TOLL, "The toll brings in 1.5 million a year.", "B"),
        (TOLL, "The toll brings in 15,00,000 rupees, the answer is 15,00,000.", "B"),
        (TOLL, "Die Maut bringt 250.000 Euro ein.", "A"),
    ],
)
def test_a_number_in_another_form_is_the_member(labels, text, answer):
    found = read(text, labels)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (["1.5", "1500"], "Antwort: 1.500", "1500"),
        (["2", "3"], "The answer is 2.000", "2"),
        (["2.0", "3.5"], "So the mean is 2.000.", "2.0"),
        (["7", "9"], "Seven million casks are too many. The answer is 7 million.", "7"),
        (["100", "300"], "He runs 3 100 metre laps, so 300 metres.", "300"),
        (["20", "120"], "The hall has 20 rows. Answer: 120", "120"),
        (["1200", "200"], "Answer: 200", "200"),
        (["5", "5000"], "So they need 5 thousand casks? No, the answer is 5.", "5"),
        (["৩", "৫"], "উত্তর: ৫", "৫"),
    ],
)
def test_decimals_parts_and_counts_stay_what_they_are(labels, text, answer):
    found = read(text, labels)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    "text",
    [
        "On day 3 500 casks came",
        "in 2020 150 casks",
        "1 20 300",
        "version 1.2.3",
        "7 500 000 and 80 7 500",
        "3.500 seconds",
    ],
)
def test_figures_that_only_stand_beside_each_other_stay(text):
    choices = Choices.of(LabelSet.of(["3", "12", "20"]))
    assert in_figures(text, choices).text in {text, text.replace("7 500 000", "7500000")}


def test_what_is_outside_is_given_as_the_text_writes_it():
    found = read("Donc, le total est : 65 000 €", CASKS)
    assert (found.state, found.answer) == ("outside", "65 000 €")


def test_places_are_counted_in_the_text_as_it_is_written():
    text = "Il y a 12 000 tonneaux.\n\nRéponse : 7 500"
    found = read(text, CASKS)
    assert found.span
    assert text[slice(*found.span)] == "7 500"


def test_a_set_without_numbers_leaves_all_as_it_is():
    choices = Choices.of(LabelSet.of(["oak", "tin"]))
    assert in_figures("12 000 tin", choices).text == "12 000 tin"
