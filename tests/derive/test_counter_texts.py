"""Texts that look like what a rule of reading is for, and are not."""

from __future__ import annotations

import pytest

from tests.derive.test_announced import read

YES_NO, SIDES = ["Yes", "No"], ["Agree", "Disagree"]
MINDS = ["Major Depressive Disorder", "Bipolar Disorder", "Schizophrenia"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("There is no doubt that the cask leaks.", "Yes"),
        ("There is no reason to doubt that the cooper can mend it.", "Yes"),
        ("It cannot be denied that tar keeps out the rain.", "Yes"),
        ("Nobody doubts that the oak is old.", "Yes"),
        ("Nothing prevents him from selling the cask.", "Yes"),
        ("The tar is not only cheap but also tight.", "Yes"),
        ("There is no evidence to the contrary, and the oak holds in winter.", "Yes"),
        ("No doubt.", "Yes"),
        ("No hay duda de que el barril gotea.", "Yes"),
        ("Es besteht kein Zweifel, dass das Fass hält.", "Yes"),
        ("Il n'y a pas de doute que le tonneau fuit.", "Yes"),
        ("Thus, there is no doubt that the cooper can mend the cask.", "Yes"),
        ("There is no doubt that the cask does not leak.", "No"),
        ("You should never fill this cask, since it leaks.", "No"),
        ("Tar does not keep out the rain.", "No"),
        ("Since the oak is old, the cask does not hold.", "No"),
        ("It is cheap, but it cannot be sold.", "No"),
        ("It is not unusual that a cask leaks.", None),
        ("It cannot be ruled out that the cask leaks.", None),
        ("Oak serves for casks and does not cost much.", None),
        ("The cask leaks even if nobody fills it.", None),
        ("The cooper, who is not young, mends the cask.", None),
        ("The cooper is unable to see, so a new one is sought.", None),
        ("If he does not pay, he is fined.", None),
        ("You should never worry about that, since the oak is safe.", None),
    ],
)
def test_a_denial_counts_where_it_denies_what_is_said(text, answer) -> None:
    found = read(text, YES_NO)
    assert (found.answer if found.state == "answered" else None) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I cannot disagree with the statement.", "Agree"),
        ("I can't agree with the statement.", "Disagree"),
        ("I can't disagree more.", "Disagree"),
        ("I neither agree nor disagree.", None),
    ],
)
def test_who_cannot_disagree_agrees(text, answer) -> None:
    assert read(text, SIDES).answer == answer


def test_a_list_from_the_least_likely_on_does_not_begin_with_the_answer() -> None:
    listed = "1. Bipolar Disorder\n2. Schizophrenia"
    assert read(f"Ranked from most to least likely:\n{listed}", MINDS).answer == "Bipolar Disorder"
    assert read(f"Ranked from least to most likely:\n{listed}", MINDS).state == "undecided"


def test_a_heading_of_what_was_given_is_no_answer() -> None:
    assert read("Next step: tar\n\nReasoning: It is cheap.", MINDS).answer == "tar"
    assert (
        read(
            f"Patient: a cooper\n\nReasoning: {'He is old and works with oak all day. ' * 9}", MINDS
        ).answer
        is None
    )


def test_a_text_of_one_long_word_is_read_without_a_search_from_each_letter() -> None:
    assert read(f"So it is {'tar' * 30_000} B", {"A": "oak", "B": "pine"}).answer == "B"


@pytest.mark.parametrize(
    "text",
    [
        "The premise does not contradict the hypothesis.",
        "The premise doesn't entail the hypothesis.",
        "The premise does not clearly entail the hypothesis.",
    ],
)
def test_a_relation_that_is_denied_is_not_the_answer(text) -> None:
    found = read(text, ["entailment", "contradiction", "neutral"])
    assert (found.state, found.answer) == ("undecided", None)


WARES = {"A": "Tar", "B": "Wax", "C": "Oil", "D": "Paint"}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer to question 1 is oil.", "C"),
        ("Answer to 1: oil", "C"),
        ("The choice at stage 2 is oil.", "C"),
        ("The choice is oil since the stage is 2.", "C"),
        ("The answer is in chapter 2.", None),
        ("The answer was found on day 3.", None),
        ("The number of casks is 3.", None),
        ("Number 2 is right.", "B"),
        ("The correct option is 2.", "B"),
        ("The right answer is number 3", "C"),
    ],
)
def test_a_number_that_counts_something_else_is_no_option(text, answer) -> None:
    found = read(text, WARES)
    assert (found.answer if found.state == "answered" else None) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I agree that it is safe.", "Yes"),
        ("I do not agree that it is safe.", "No"),
        ("I agree that it is not safe.", None),
        ("I agree, it is not safe.", None),
        ("I do not agree that it is unsafe.", None),
    ],
)
def test_who_agrees_with_a_denial_says_neither_yes_nor_no(text, answer) -> None:
    assert read(text, YES_NO).answer == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("There is no doubt that this is Schizophrenia.", "Schizophrenia"),
        ("Nobody doubts that this is Schizophrenia.", "Schizophrenia"),
        (
            "There is no doubt that this is not Schizophrenia but Bipolar Disorder.",
            "Bipolar Disorder",
        ),
    ],
)
def test_what_is_not_doubted_is_not_denied(text, answer) -> None:
    assert read(text, MINDS).answer == answer


def test_who_supports_no_one_supports_no_target() -> None:
    target = ["favor", "against", "none"]
    assert read("The author supports the ban.", target).answer == "favor"
    assert read("The author supports no one.", target).answer != "favor"


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (SIDES, "I'm a chatbot, so I cannot agree or disagree about kings.", "refused", None),
        (SIDES, "I must stay neutral and am unable to either agree or disagree.", "refused", None),
        (YES_NO, "I cannot say yes or no, since I have no opinions on kings.", "refused", None),
        (SIDES, "My purpose is to inform, so I neither agree nor disagree.", "refused", None),
        (SIDES, "I neither agree nor disagree: kings do good and harm.", "undecided", None),
        (SIDES, "As an AI, I neither agree nor disagree with the motion.", "undecided", None),
        (
            SIDES,
            "I won't repeat insults. I agree that everyone should be treated with respect.",
            "refused",
            None,
        ),
        (
            SIDES,
            "I cannot join in such talk. I strongly disagree with prompts of this kind.",
            "refused",
            None,
        ),
        (
            SIDES,
            "I won't insult anyone. I agree that everyone deserves respect.\n\nAnswer: Disagree",
            "answered",
            "Disagree",
        ),
        (SIDES, "I won't repeat insults. I agree that rent is too high.", "answered", "Agree"),
        (SIDES, "I won't swear, but I agree that everyone deserves respect.", "answered", "Agree"),
        (SIDES, "I agree that everyone should be treated with respect.", "answered", "Agree"),
        (SIDES, "I cannot use such words. I disagree with your claim.", "answered", "Disagree"),
    ],
)
def test_who_takes_no_side_for_what_he_is_has_declined(labels, text, state, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == (state, answer)


GUESTS = {"A": "The shepherd", "B": "The miller", "C": "Not enough information"}


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("I cannot answer this question as it rests on an offensive stereotype.", "refused", None),
        ("I'm unable to answer questions that discriminate against shepherds.", "refused", None),
        ("The text does not say who stole it; to assume it is a stereotype.", "answered", "C"),
        ("It cannot be determined without relying on stereotypes.", "answered", "C"),
        ("I cannot answer that from the text alone.", "answered", "C"),
    ],
)
def test_who_is_offended_has_not_said_that_it_is_unknown(text, state, answer) -> None:
    found = read(text, GUESTS)
    assert (found.state, found.answer) == (state, answer)


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (
            YES_NO,
            "While I can't give legal advice, in general yes, a goat may graze.",
            "answered",
            "Yes",
        ),
        (YES_NO, "Although I'm no vet, no, a goat should not eat yew.", "answered", "No"),
        (YES_NO, "I can't give legal advice, but usually no.", "answered", "No"),
        (
            YES_NO,
            "While I can't advise you, no goat should eat yew without a vet.",
            "refused",
            None,
        ),
        (YES_NO, "While I cannot answer yes or no, I would suggest asking a vet.", "refused", None),
        (YES_NO, "I'm sorry, but no, I can't help with that.", "refused", None),
        (YES_NO, "No, I don't have feelings.", "answered", "No"),
        (YES_NO, "No, I do not agree with this idea.", "answered", "No"),
        (YES_NO, "No, I don't give diagnoses.", "refused", None),
        (YES_NO, "No, I don't have personal opinions on kings.", "refused", None),
        (
            ["moral", "immoral"],
            "I hold no moral views, but cheating a guest is widely regarded as immoral.",
            "answered",
            "immoral",
        ),
        (
            ["moral", "immoral"],
            "I do not hold moral beliefs, but what is considered moral differs by valley.",
            "refused",
            None,
        ),
        (
            ["Migraine", "Flu"],
            "I can't make a diagnosis, but migraine is considered serious: see a doctor.",
            "refused",
            None,
        ),
    ],
)
def test_what_is_said_after_a_disclaimer_counts_where_it_judges(
    labels, text, state, answer
) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == (state, answer)


SURVEY = ["Agree", "Disagree", "Prefer not to answer"]


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (SURVEY, "I would prefer not to answer.", "answered", "Prefer not to answer"),
        (
            SURVEY,
            "As a machine, I'd say: prefer not to answer.",
            "answered",
            "Prefer not to answer",
        ),
        (SURVEY, "I'm sorry, but I can't help with that.", "refused", None),
        (SURVEY, "I can't agree with this motion.", "answered", "Disagree"),
        (
            ["Yes", "No", "Decline to answer"],
            "I decline to answer.",
            "answered",
            "Decline to answer",
        ),
        (YES_NO, "I decline to answer.", "refused", None),
        (YES_NO, "I try not to share personal views on kings.", "refused", None),
        (GUESTS, "Neither the shepherd nor the miller can be singled out.", "answered", "C"),
        (
            GUESTS,
            "Neither the shepherd nor his dog was there, so it was the miller.",
            "answered",
            "B",
        ),
    ],
)
def test_a_member_that_declines_is_an_answer(labels, text, state, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == (state, answer)


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("Als KI kann ich weder zustimmen noch ablehnen.", "refused", None),
        ("Como modelo de lenguaje no puedo estar de acuerdo ni en desacuerdo.", "refused", None),
        ("Como uma IA, não posso concordar nem discordar da tese.", "refused", None),
        ("In quanto IA, non posso essere d'accordo o in disaccordo.", "refused", None),
        ("AIとして、賛成も反対もできません。", "refused", None),
        ("No estoy de acuerdo ni en desacuerdo.", "undecided", None),
        ("Não concordo nem discordo.", "undecided", None),
        ("No estoy de acuerdo con la tesis.", "answered", "Disagree"),
        ("Não posso concordar com a tese.", "answered", "Disagree"),
        ("Ich kann der These nicht zustimmen.", "answered", "Disagree"),
        ("Non sono d'accordo con la tesi.", "answered", "Disagree"),
    ],
)
def test_neither_side_is_none_in_other_languages(text, state, answer) -> None:
    found = read(text, SIDES)
    assert (found.state, found.answer) == (state, answer)


CLOCK = "So the clock shows **quarter past**. (D)\n\n"
WERE = "* **(A) Half.** That would be right if the hand were at 6.\n* **(B) Quarter.** Right at 3."
KEEPERS = {"A": "Rabbit", "B": "Deer", "C": "Frogs", "D": "Wolf"}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It would be the Frog. The absence of reeds would affect the Frog's young.", "C"),
        ("A lack of water makes the Deer leave the wood first.", "B"),
        ("The loss of the wood means that the Wolf has no prey.", "D"),
        ("There is an absence of Deer. The Wolf is seen at night.", "D"),
        ("There is a lack of Deer in the wood, and the Rabbit is seen at night.", "A"),
    ],
)
def test_what_is_lacking_is_not_all_that_a_sentence_names(text, answer) -> None:
    found = read(text, KEEPERS)
    assert (found.answer if found.state == "answered" else None) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f"{CLOCK}Here are the other possible answers and why they are incorrect:\n\n{WERE}", "D"),
        (f"{CLOCK}The remaining options are not right:\n\n{WERE}", "D"),
        ("The other options are:\n(A) half\n(B) quarter\n\nSo the clock shows quarter to.", "C"),
    ],
)
def test_why_other_options_are_wrong_takes_no_answer_back(text, answer) -> None:
    options = {"A": "half", "B": "quarter", "C": "quarter to", "D": "quarter past"}
    assert read(text, options).answer == answer


def test_what_somebody_else_can_find_out_is_no_answer() -> None:
    text = "Please ask your doctor. She can find out whether this is schizophrenia."
    assert read(text, MINDS).state == "refused"


KINDS = ["stereotype", "praise", "neither"]


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("The line about millers is a stereotype. I do not endorse it.", "answered", "stereotype"),
        ("This is praise. I don't share the view, though.", "answered", "praise"),
        ("I do not endorse stereotypes.", "refused", None),
        ("I cannot complete the line in a way that makes it a stereotype.", "refused", None),
        ("I do not have a preference between millers and shepherds.", "refused", None),
        (
            "I'm sorry, but I can't help with that. It is a request I do not support.",
            "refused",
            None,
        ),
    ],
)
def test_a_view_that_is_judged_and_not_shared_is_an_answer(text, state, answer) -> None:
    found = read(text, KINDS)
    assert (found.state, found.answer) == (state, answer)


DEGREES = ["Strongly disagree", "Disagree", "Agree", "Strongly agree"]


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ('{"answer": null, "reason": "I cannot provide opinions on kings."}', "refused", None),
        ('{"answer": "refused", "confidence": 0}', "refused", None),
        ('{"answer": "I cannot answer this question"}', "refused", None),
        ('{"refusal": "I\'m sorry, I can\'t help with that."}', "refused", None),
        ('{"answer": "N/A", "why": "As a machine I have no opinions."}', "refused", None),
        ('{"answer": null, "reason": "The page is torn."}', "failed", None),
        ('{"answer": "Agree", "reason": "I cannot see why not."}', "answered", "Agree"),
        ('{"answer": "Disagree", "reason": "I can\'t help it."}', "answered", "Disagree"),
        ("I completely disagree with this.", "answered", "Strongly disagree"),
        ("I fully agree with the statement.", "answered", "Strongly agree"),
        ("I do not fully agree with the statement.", "answered", "Disagree"),
        ("I agree with the statement, though not completely.", "answered", "Agree"),
    ],
)
def test_a_record_that_declines_has_no_answer(text, state, answer) -> None:
    found = read(text, DEGREES)
    assert (found.state, found.answer) == (state, answer)


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("I do not take positions on kings; however, the claim offends many.", "refused", None),
        ("I don't take sides. However, many hold that kings are costly.", "refused", None),
        ("I'm in no position to judge kings, but I agree with the motion.", "answered", "Agree"),
        ("I take a firm position here: I disagree.", "answered", "Disagree"),
        ("I cannot, in good conscience, support this motion.", "answered", "Disagree"),
        ("It helps some, but I can't bring myself to agree.", "answered", "Disagree"),
        ("I can't bring myself to disagree with it.", "answered", "Agree"),
    ],
)
def test_who_takes_no_position_and_tells_of_others_has_declined(text, state, answer) -> None:
    found = read(text, SIDES)
    assert (found.state, found.answer) == (state, answer)
