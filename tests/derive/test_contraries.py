"""What is the contrary of a member is not the member, though most of its words are there."""

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from tests.reasoning_texts import rules

ORGANS = {"A": "Acute pancreatitis", "B": "Gastric ulcer", "C": "Myocardial infarction"}


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (ORGANS, "Chronic pancreatitis", "outside", "Chronic pancreatitis"),
        (ORGANS, "Pancreatitis that is acute", "answered", "A"),
        (ORGANS, "This is acute on chronic pancreatitis.", "answered", "A"),
        (["hate", "not hate"], "No hate", "answered", "not hate"),
        (["hate", "neutral"], "No hate", "answered", "neutral"),
    ],
)
def test_the_contrary_of_a_member_is_another_answer(labels, text, state, answer) -> None:
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    found = read_announced(text, Choices.of(members), rules())
    assert (found.state, found.answer) == (state, answer)


CIVIL, CLEAN, SOUND = ["rude", "not rude"], ["clean", "unclean"], ["sound", "unsound"]
STEPS = ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (CIVIL, "There is nothing rude about the letter.", "not rude"),
        (CIVIL, "It was not really rude at all.", "not rude"),
        (CIVIL, "I don't think it's rude.", "not rude"),
        (CIVIL, "The guest does not find anything rude in it.", "not rude"),
        (CIVIL, "That is hardly rude.", "not rude"),
        (CIVIL, "I wouldn't call the remark rude.", "not rude"),
        (CLEAN, "Nothing unclean was found in the well.", "clean"),
        (CLEAN, "The well is anything but clean.", "unclean"),
        (SOUND, "The beam is far from being sound.", "unsound"),
        ({"A": "Sound", "B": "Unsound"}, "It is not inherently unsound.", "A"),
        (CIVIL, "I cannot call that rude.", "not rude"),
        (["guilty", "not guilty"], "The cook cannot be found guilty of this.", "not guilty"),
        (["guilty", "not guilty"], "The cook cannot be found, but he is guilty.", "guilty"),
        (["useful", "useless"], "I can't find anything useful in this almanac.", "useless"),
        (["useful", "useless"], "I cannot find the almanac, but it is useful.", "useful"),
        (CIVIL, "It is not only rude, it is vulgar.", "rude"),
        (CIVIL, "Nothing could be more rude than this.", "rude"),
        (CIVIL, "I don't doubt that it is rude.", "rude"),
        (CIVIL, "There is nothing rude in the first line, but the second one is rude.", "rude"),
        (CIVIL, "He was tired, and nothing excuses it: it is rude.", "rude"),
        (CLEAN, "The well is neither clean nor unclean.", None),
    ],
)
def test_a_member_that_is_denied_is_the_one_that_says_so(labels, text, answer) -> None:
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    assert read_announced(text, Choices.of(members), rules()).answer == answer


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("A scarecrow has no mood, so I cannot place it on a scale from 1 to 5.", "refused", None),
        (
            "I have no mood, therefore a rating from 1 (low) to 5 (high) is beyond me.",
            "failed",
            None,
        ),
        ("On a scale of 1 (never) to 5 (always), I would say 2.", "answered", "2"),
        ("Rating (1-5): 4", "answered", "4"),
        ("Between 3 and 4, I would choose 4.", "answered", "4"),
        ("My rating went from 3 to 4.", "answered", "4"),
    ],
)
def test_the_ends_of_a_scale_are_no_rating(text, state, answer) -> None:
    found = read_announced(text, Choices.of(LabelSet.of(STEPS)), rules())
    assert (found.state, found.answer) == (state, answer)


NLI = ["entailment", "neutral", "contradiction"]
FACTS = ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
VERDICTS = ["Supported", "Refuted", "Not Enough Evidence"]
CONTRACT = ["Entailment", "Contradiction", "NotMentioned"]
TRUTH = ["True", "False", "Unknown"]
OPTIONS = {"A": "True", "B": "False", "C": "Uncertain"}
MOOD = ["positive", "negative", "neutral"]
SAFE = ["Vulnerable", "Safe"]


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (NLI, "The hypothesis neither follows from nor contradicts the premise.", "neutral"),
        (NLI, "The premise neither entails nor contradicts the hypothesis.", "neutral"),
        (NLI, "The text neither confirms nor rules out the hypothesis.", "neutral"),
        (NLI, "It does not contradict the premise, and it is not entailed by it.", "neutral"),
        (FACTS, "Going by these lines, the claim cannot be verified.", "NOT ENOUGH INFO"),
        (FACTS, "The article speaks of the bridge but says nothing about its architect.", FACTS[2]),
        (VERDICTS, "The evidence is insufficient to decide whether this is so.", VERDICTS[2]),
        (VERDICTS, "The evidence neither refutes nor supports what is claimed.", VERDICTS[2]),
        (CONTRACT, "The agreement is silent on copies.", "NotMentioned"),
        (TRUTH, "Neither the sentence nor its negation can be derived.", "Unknown"),
        (MOOD, "The tweet is neither negative nor positive.", "neutral"),
        (["hate", "offensive", "none"], "It is neither hate nor offensive.", "none"),
    ],
)
def test_who_denies_both_poles_means_what_lies_between(labels, text, answer) -> None:
    assert read(labels, text) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (["flu", "cold", "mumps"], "It is neither flu nor cold.", "undecided", None),
        (MOOD, "The tweet is not neutral, and it is not negative.", "undecided", None),
        (
            FACTS,
            "No place is given. The year is, and it contradicts the claim.",
            "answered",
            FACTS[1],
        ),
        (NLI, "If the premise contradicts nothing, what then?", "failed", None),
    ],
)
def test_of_members_without_a_middle_and_of_poles_that_are_left_nothing_follows(
    labels, text, state, answer
) -> None:
    assert read(labels, text) == (state, answer)


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (FACTS, "The passage contradicts the claim.", "REFUTES"),
        (FACTS, "The claim is inaccurate, since the tower was finished a year later.", "REFUTES"),
        (VERDICTS, "The document confirms the claim.", "Supported"),
        (VERDICTS, "The claim is correct.", "Supported"),
        (SAFE, "The function is not safe: it trusts the length that it is sent.", "Vulnerable"),
        (SAFE, "This is not vulnerable.", "Safe"),
        (["positive", "negative"], "I would not call this review positive.", "negative"),
        (["vulnerable", "not vulnerable"], "I see no vulnerability here.", "not vulnerable"),
    ],
)
def test_one_of_two_poles_is_said_in_other_words(labels, text, answer) -> None:
    assert read(labels, text) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (FACTS, "The evidence does not support the claim.", "undecided", None),
        (["measles", "mumps"], "This is not measles, I think.", "undecided", None),
        (
            ["positive", "negative"],
            "The review is negative, though it calls the cast in no way bad and the end positive.",
            "answered",
            "negative",
        ),
    ],
)
def test_what_is_not_one_need_not_be_the_other(labels, text, state, answer) -> None:
    assert read(labels, text) == (state, answer)


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (TRUTH, 'Rex is tame. So the statement "Rex is not tame" is false.', "False"),
        (TRUTH, "The claim that Ada never sings is therefore true.", "True"),
        (OPTIONS, 'Hence, the statement "No cat is green" is false.', "B"),
        (["True", "False"], "= not (True and False) = not (False) = True", "True"),
        (["True", "False"], "(True or False) is True, and the whole evaluates to False.", "False"),
        (["Yes", "No"], "Gladly. I will argue against the proposal that parks should close.", "No"),
        (["Yes", "No"], "I'll argue in favor of the view that bees are clever.", "Yes"),
    ],
)
def test_what_is_judged_or_comes_out_is_the_answer_and_not_what_stands_in_it(
    labels, text, answer
) -> None:
    assert read(labels, text) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text", "state"),
    [
        (["Yes", "No"], "I will argue for the view that parks should not close.", "failed"),
        (["Yes", "No"], "I would argue that there are two sides to it.", "failed"),
        (TRUTH, 'It is not known whether "Rex is tame" is true.', "answered"),
    ],
)
def test_a_side_that_denies_may_be_either_answer(labels, text, state) -> None:
    assert read(labels, text)[0] == state


def read(labels, text):
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    found = read_announced(text, Choices.of(members), rules())
    return found.state, found.answer
