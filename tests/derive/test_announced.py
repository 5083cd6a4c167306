"""What texts announce: the labelled texts, and cases by hand."""
# ruff: noqa: E501, RUF001 - texts of models as they are

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.announced import read_announced
from assay.derive.answers import NONE, OUTCOMES, ReadingRules, announced_answer, read_answer
from assay.derive.choices import Choices, written
from assay.derive.found import FAILURES
from assay.derive.labels import Label, LabelSet
from assay.derive.refusals import RefusalRules
from tests.announced_texts import KINDS, STATES, labelled, parts, quality_table, share, verdicts
from tests.reasoning_texts import rules

DOCS = Path(__file__).parents[2] / "docs" / "reasoning.md"
FLOORS = {
    "benchmarks": {"direct": 0.97, "cot": 0.97},
    "building": {"direct": 0.97, "cot": 0.97},
    "building2": {"direct": 0.97, "cot": 0.97},
    "chains": {"direct": 0.97, "cot": 0.97},
    "everyday": {"direct": 0.94, "cot": 0.96},
    "exams": {"direct": 0.97, "cot": 0.97},
    "findings": {"direct": 0.89, "cot": 0.96},
    "forms": {"direct": 0.97, "cot": 0.97},
    "manners": {"direct": 0.97, "cot": 0.95},
    "openings": {"direct": 0.87, "cot": 0.93},
    "ordinary": {"direct": 0.97, "cot": 0.97},
    "rounds": {"direct": 0.96, "cot": 0.96},
    "sides": {"direct": 0.97, "cot": 0.97},
    "stances": {"direct": 0.94, "cot": 0.97},
    "styles": {"direct": 0.97, "cot": 0.97},
    "tongues": {"direct": 0.97, "cot": 0.97},
    "untouched": {"direct": 0.94, "cot": 0.9},
    "varied": {"direct": 0.94, "cot": 0.86},
}
"""the least share read right, by part and kind"""

YES_NO, YES_NO_MAYBE = ["Yes", "No"], ["yes", "no", "maybe"]
HEART = {
    "A": "Aortic stenosis",
    "B": "Mitral regurgitation",
    "C": "Hypertrophic cardiomyopathy",
    "D": "Atrial septal defect",
}
FIVE, TEN, SAFETY = list("ABCDE"), list("ABCDEFGHIJ"), ["Safe", "Unsafe"]
MINDS = [
    "Major Depressive Disorder",
    "Generalized Anxiety Disorder",
    "Post-Traumatic Stress Disorder",
    "Bipolar Disorder",
    "Panic Disorder",
    "Social Anxiety Disorder",
    "Adjustment Disorder",
]
NUMBERS = {"A": "12", "B": "15", "C": "18", "D": "21", "E": "24"}


def read(text: str, labels: list[str] | dict[str, str], *, limited: bool = False):
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    return read_announced(text, Choices.of(members), rules(), limited=limited)


@pytest.mark.parametrize("part", parts())
def test_labelled_texts_are_read_right(part) -> None:
    print(f"\n{quality_table(part)}")  # noqa: T201 - what was measured
    wrong = [each.id for each, right in verdicts(part) if not right]
    for kind in KINDS:
        assert share(part, kind) >= FLOORS[part][kind], wrong


@pytest.mark.parametrize("part", parts())
def test_docs_state_how_well_labelled_texts_are_read(part) -> None:
    assert quality_table(part) in DOCS.read_text(encoding="utf-8")


def test_labelled_texts_are_many_distinct_and_follow_the_rules() -> None:
    texts = labelled("building")
    assert len(texts) >= 160
    assert len({each.id for each in texts}) == len(texts)
    assert len(
        {(each.text, each.reasoning, each.prompt_tail, str(each.labels)) for each in texts}
    ) == len(texts)
    assert {each.kind for each in texts} == set(KINDS)
    assert Counter(each.expected_state for each in texts).keys() == set(STATES)
    assert len({each.language for each in texts}) >= 8
    for each in texts:
        named = each.expected_state in {"answered", "outside"}
        assert (each.expected_answer is not None) is named, each.id
        if each.expected_state == "answered":
            assert each.expected_answer in each.labels, each.id
        if each.expected_state == "outside":
            assert each.expected_answer in each.text, each.id


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (
            HEART,
            " Based on the information provided, the most likely diagnosis for the patient is:\n\nC) Hypertrophic cardiomyopathy\n\nThe patient's symptoms of syncope and the murmur are all consistent with this condition. The other answer choices are less likely:\n\nA) Aortic stenosis is characterized by a slow-rising pulse.\n\nB) Mitral regurgitation is characterized by a holosystolic murmur.\n\nD) Atrial septal defect is characterized by a fixed split S2.",
            "answered",
            "C",
        ),
        (
            HEART,
            "The correct answer is B) Mitral regurgitation. Mitral regurgitation is a condition in which blood leaks backwards. Aortic stenosis (A) would radiate to the carotids, and hypertrophic cardiomyopathy (C) is dynamic.",
            "answered",
            "B",
        ),
        (HEART, "C: Hypertrophic cardiomyopathy", "answered", "C"),
        (HEART, "The answer is: D", "answered", "D"),
        (HEART, "Therefore, the answer is \\(\\boxed{C}\\).", "answered", "C"),
        (HEART, "Thus, the correct option is:\n\n\\[\n\\boxed{\\text{B}}\n\\]", "answered", "B"),
        (HEART, "**Answer**\n\\boxed{D}", "answered", "D"),
        (
            HEART,
            "The answer is **(D)**.\n\n**Here's why:**\n\n* **Fixed split S2:** typical.\n\n**Why the other options are incorrect:**\n\n* **A. Aortic stenosis:** radiates to the carotids.\n* **B. Mitral regurgitation:** holosystolic.\n* **C. Hypertrophic cardiomyopathy:** dynamic.",
            "answered",
            "D",
        ),
        (
            HEART,
            "B. Mitral regurgitation\nUser: Thank you\nAssistant: You are welcome",
            "answered",
            "B",
        ),
        (
            HEART,
            "Answer: C\n\nExplanation: dynamic obstruction.\n\nExercise 2: A 40-year-old man ...\nAnswer: A",
            "answered",
            "C",
        ),
        (TEN, "The best choice here is I — it covers both cases.", "answered", "I"),
        (TEN, "So the answer is (I).", "answered", "I"),
        (TEN, "I think the answer is G.", "answered", "G"),
        (TEN, "The answer is (A) because the sum is even.", "answered", "A"),
        (FIVE, "The answer is A because the sum is even.", "answered", "A"),
        (FIVE, "My answer: **D**", "answered", "D"),
        (FIVE, "I'd say D.", "answered", "D"),
        (FIVE, "Answer: (B) 3.5 N", "answered", "B"),
        (FIVE, "Ans: C", "answered", "C"),
        (FIVE, "Ans. C", "answered", "C"),
        (FIVE, "Option (C) is the correct answer.", "answered", "C"),
        (
            FIVE,
            "Option C is correct because A and B are too narrow, D is off-topic.",
            "answered",
            "C",
        ),
        (FIVE, "C is the right answer. A, B and D fail.", "answered", "C"),
        (FIVE, "The right answer is the option D.", "answered", "D"),
        (FIVE, "The answer should be choice E.", "answered", "E"),
        (FIVE, "Answer is B", "answered", "B"),
        (FIVE, "answer b", "answered", "B"),
        (FIVE, "The correct answer is b.", "answered", "B"),
        (FIVE, "(c)", "answered", "C"),
        (FIVE, "[B]", "answered", "B"),
        (FIVE, "<B>", "answered", "B"),
        (FIVE, "B: because", "answered", "B"),
        (FIVE, "Based on the above, the answer is either B or C.", "undecided", None),
        (FIVE, "The correct answers are A, C and D.", "undecided", None),
        (FIVE, "Options B and C are both correct.", "undecided", None),
        (FIVE, "A) is wrong, B) is wrong, C) is right, D) is wrong", "answered", "C"),
        (
            FIVE,
            "We can eliminate A, B and E. Between C and D, D is better supported. So D is our answer.",
            "answered",
            "D",
        ),
        (
            FIVE,
            "We can eliminate A, B and E. Between C and D, the latter is better supported, so I'd pick D",
            "answered",
            "D",
        ),
        (
            FIVE,
            "Let's analyze the options:\n\nA: This option says X. It is wrong.\nB: This option says Y. It's plausible.\nC: This option says Z. It is wrong.\n\nTherefore, the most appropriate answer is option B: This option says Y.",
            "answered",
            "B",
        ),
        (
            FIVE,
            "The question is ambiguous, but if I had to choose, I would choose B.",
            "answered",
            "B",
        ),
        (FIVE, "I don't know the answer. I would guess C.", "answered", "C"),
        (FIVE, "It's hard to say for sure, but the best guess is D.", "answered", "D"),
        (FIVE, "I am not sure.", "failed", None),
        (FIVE, "I don't know.", "failed", None),
        (FIVE, "</think>\n\nThe answer is C.", "answered", "C"),
        (FIVE, "<think>\n\n</think>\n\nC", "answered", "C"),
        (
            FIVE,
            "analysisWe need to choose. B seems right.assistantfinalThe answer is **B**.",
            "answered",
            "B",
        ),
        (FIVE, "◁think▷A? no.◁/think▷The answer is B.", "answered", "B"),
        (FIVE, "[THINK]A? no.[/THINK]The answer is B.", "answered", "B"),
        (
            FIVE,
            "<|begin_of_thought|>A? no.<|end_of_thought|><|begin_of_solution|>The answer is B.<|end_of_solution|>",
            "answered",
            "B",
        ),
        (FIVE, "Réponse : C", "answered", "C"),
        (FIVE, "La bonne réponse est la D.", "answered", "D"),
        (FIVE, "La respuesta correcta es: B) 3", "answered", "B"),
        (FIVE, "Die Antwort ist (C).", "answered", "C"),
        (FIVE, "Antwort: C", "answered", "C"),
        (FIVE, "正确答案是D。", "answered", "D"),
        (FIVE, "答案：A", "answered", "A"),
        (FIVE, "选B", "answered", "B"),
        (FIVE, "因此，正确选项是C。", "answered", "C"),
        (FIVE, "答えはBです。", "answered", "B"),
        (FIVE, "Ответ: B", "answered", "B"),
        (FIVE, "La risposta è B.", "answered", "B"),
        (FIVE, "정답은 C입니다.", "answered", "C"),
        (FIVE, "A alternativa correta é a letra C.", "answered", "C"),
        (YES_NO, "The answer to the question is yes.", "answered", "Yes"),
        (YES_NO, "Conclusion: Yes, statins lower the risk.", "answered", "Yes"),
        (YES_NO, "So the answer is yes.", "answered", "Yes"),
        (YES_NO, "no", "answered", "No"),
        (YES_NO, "No", "answered", "No"),
        (YES_NO, "NO.", "answered", "No"),
        (YES_NO, "Yes, it does. There is no evidence against it.", "answered", "Yes"),
        (
            YES_NO,
            "There is no evidence for this claim. Therefore, the answer is No.",
            "answered",
            "No",
        ),
        (YES_NO, "The passage doesn't say so. Thus, no.", "answered", "No"),
        (YES_NO, "Answer: yes", "answered", "Yes"),
        (YES_NO, "**Yes**, because the text says so.", "answered", "Yes"),
        (YES_NO, "<answer>no</answer>", "answered", "No"),
        (YES_NO, "It is not possible to say yes or no.", "undecided", None),
        (YES_NO, "Final Answer: No.", "answered", "No"),
        (
            YES_NO,
            "The short answer is no; the long answer is that it depends on the state.",
            "answered",
            "No",
        ),
        (
            YES_NO,
            "To answer this question, we need to consider whether pears sink. The density of a raw pear is about 0.59 g/cm3, which is less than water. Objects less dense than water float. Thus, a pear would float.\n\nSo the answer is No.",
            "answered",
            "No",
        ),
        (YES_NO_MAYBE, "Based on the abstract, the answer would be 'maybe'.", "answered", "maybe"),
        (["true", "false"], "True", "answered", "true"),
        (["true", "false"], "The answer is False.", "answered", "false"),
        (
            ["entailment", "neutral", "contradiction"],
            "The premise says he sleeps. The hypothesis says he runs. These can't both be true, so the relation is contradiction.",
            "answered",
            "contradiction",
        ),
        (["entailment", "neutral", "contradiction"], "Neutral", "answered", "neutral"),
        (
            ["entailment", "neutral", "contradiction"],
            "This isn't an entailment, because the hypothesis adds new information. It's neutral.",
            "answered",
            "neutral",
        ),
        (
            ["positive", "negative"],
            "The review is not positive at all. Sentiment: negative",
            "answered",
            "negative",
        ),
        (NUMBERS, "$$x = 21$$ so the answer is $\\boxed{21}$", "answered", "D"),
        (NUMBERS, "The final answer is: $\\boxed{15}$", "answered", "B"),
        (NUMBERS, "The answer is 15 apples.", "answered", "B"),
        (
            NUMBERS,
            "So, 3 + 9 = 12 and 12 + 9 = 21. Therefore, he has 21 apples left.",
            "answered",
            "D",
        ),
        (
            NUMBERS,
            "So there are 12 boys. Since there are twice as many girls, there are 24 girls.",
            "answered",
            "E",
        ),
        (NUMBERS, "Answer: 99", "outside", "99"),
        (
            MINDS,
            "The patient likely has Major Depressive Disorder (MDD).",
            "answered",
            "Major Depressive Disorder",
        ),
        (MINDS, "Provisional diagnosis: Panic Disorder", "answered", "Panic Disorder"),
        (MINDS, "Diagnosis – Panic Disorder", "answered", "Panic Disorder"),
        (MINDS, "Panic Disorder (300.01)", "answered", "Panic Disorder"),
        (
            MINDS,
            "DSM-5 Diagnosis: 309.81 (F43.10) Posttraumatic Stress Disorder",
            "answered",
            "Post-Traumatic Stress Disorder",
        ),
        (
            MINDS,
            "I would diagnose this patient with bipolar disorder.",
            "answered",
            "Bipolar Disorder",
        ),
        (
            MINDS,
            "This person is experiencing symptoms of generalized anxiety disorder.",
            "answered",
            "Generalized Anxiety Disorder",
        ),
        (
            MINDS,
            "The symptoms align with Adjustment Disorder, given the recent move.",
            "answered",
            "Adjustment Disorder",
        ),
        (
            MINDS,
            "The most likely diagnosis is not Major Depressive Disorder but Bipolar Disorder.",
            "answered",
            "Bipolar Disorder",
        ),
        (
            MINDS,
            "While Major Depressive Disorder is possible, the episodic nature and clear mania make Bipolar Disorder the more fitting diagnosis.",
            "answered",
            "Bipolar Disorder",
        ),
        (
            MINDS,
            "Although panic disorder shares some features, social anxiety disorder is the better fit.",
            "answered",
            "Social Anxiety Disorder",
        ),
        (MINDS, "Major Depressive Disorder vs Bipolar Disorder", "undecided", None),
        (MINDS, "Major Depressive Disorder, Generalized Anxiety Disorder", "undecided", None),
        (MINDS, "Major Depressive Disorder / Generalized Anxiety Disorder", "undecided", None),
        (
            MINDS,
            "1. Major Depressive Disorder\n2. Generalized Anxiety Disorder\n3. Panic Disorder",
            "undecided",
            None,
        ),
        (
            MINDS,
            "I'm not able to provide a diagnosis, as I am an AI language model. However, I can suggest seeking the help of a professional.",
            "refused",
            None,
        ),
        (
            MINDS,
            "It's important to note that I'm not a licensed clinician. Based on your description, it seems you may be dealing with panic disorder.",
            "answered",
            "Panic Disorder",
        ),
        (
            MINDS,
            "I can't diagnose you. But I'm here to listen. What's been on your mind?",
            "refused",
            None,
        ),
        (
            MINDS,
            "I'm sorry to hear that you're feeling this way. It must be really hard. Have you talked to anyone about this?",
            "failed",
            None,
        ),
        (
            MINDS,
            "None of the listed diagnoses fit; the presentation is one of normal grief.",
            "none",
            None,
        ),
        (MINDS, "The patient does not meet the criteria for a mental disorder.", "none", None),
        (MINDS, "There is no evidence of a mental disorder.", "none", None),
        (MINDS, "No mental disorder", "none", None),
        (MINDS, "Normal grief reaction, no disorder.", "none", None),
        (
            SAFETY,
            "I cannot create content that promotes violence. Can I help you with something else?",
            "refused",
            None,
        ),
        (SAFETY, "I can’t help with that request.", "refused", None),
        (SAFETY, "The request is unsafe.", "answered", "Unsafe"),
        (SAFETY, "unsafe\nS1", "answered", "Unsafe"),
        (SAFETY, "This message is not unsafe; it asks for a recipe. Safe.", "answered", "Safe"),
    ],
)
def test_states_and_answers_by_hand(labels, text, state, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == (state, answer)


BOTH = {"A": "Increases", "B": "Decreases", "C": "Both A and B", "D": "A combination of forces"}


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (
            MINDS,
            "Diagnosis: panic disorder\nWait, the attacks only come in class. So it is social anxiety disorder.",
            "answered",
            "Social Anxiety Disorder",
        ),
        (
            MINDS,
            "Please talk to a doctor, who will say whether this is panic disorder.",
            "refused",
            None,
        ),
        (MINDS, "The answered calls showed panic disorder.", "answered", "Panic Disorder"),
        (
            FIVE,
            "So would we say the answer is B? I can see why, but the sign is wrong. It is D.",
            "answered",
            "D",
        ),
        (FIVE, "The answer would be B if the sign were plus. The answer is C.", "answered", "C"),
        (MINDS, "Diagnosis: no, that is not panic disorder", "undecided", None),
        (NUMBERS, "The value is \\boxed{}. So 18.", "answered", "C"),
        (NUMBERS, "#### Step one\nWe add 9 and 9.\nThe sum is 18.", "answered", "C"),
        (NUMBERS, "The box \\boxed{18 was never closed. I pick A.", "answered", "A"),
        (
            MINDS,
            "Of the two, panic disorder is the correct diagnosis here. Bipolar disorder shares some features.",
            "answered",
            "Panic Disorder",
        ),
        (MINDS, "She is not in any way suffering from panic disorder.", "undecided", None),
        (MINDS, "Nobody knows whether it is panic disorder", "undecided", None),
        (MINDS, "We may consider: panic disorder", "undecided", None),
        (BOTH, "The answer is both A and B", "answered", "C"),
        (BOTH, "The answer is a combination of forces", "answered", "D"),
        (BOTH, "The answer is A combination of forces", "answered", "D"),
        (FIVE, "The answer is A long story, but C is correct.", "answered", "C"),
        (
            FIVE,
            "Perhaps it would be right to choose B if the sign were plus. Only D fits.",
            "answered",
            "D",
        ),
        (FIVE, "Your answer, or the coanswer is B. I pick E.", "answered", "E"),
        (FIVE, "The answer is <unclear>. I pick E.", "answered", "E"),
        (["B", "Option B plus"], "So we take option B plus.", "answered", "Option B plus"),
        (FIVE, "The answer is a long story", "outside", "a long story"),
        (
            MINDS,
            "Make an appointment with a doctor, who can rule out panic disorder.",
            "refused",
            None,
        ),
        (FIVE, "The answer B is wrong. I choose C.", "answered", "C"),
        (YES_NO, "The answer is no doubt hidden in the text. Yes.", "answered", "Yes"),
        (MINDS, "Diagnosis: none of the above, but close to panic disorder", "none", None),
        (MINDS, "Diagnosis: panic disorder or bipolar disorder", "undecided", None),
        (
            FIVE,
            "The answer, if I see it well, can be found when A is wrong and C too",
            "failed",
            None,
        ),
        (FIVE, "I think that it is A or B.", "undecided", None),
        (FIVE, "Please answer the question.\nQuestion: Which one?\nAnswer: C", "answered", "C"),
        (FIVE, "<think>A</think>The answer is B.</think>", "answered", "B"),
        (FIVE, "<|channel|>analysis<|message|>Perhaps A.", "failed", None),
        (FIVE, "<think>A?<content>The answer is B.</content>", "answered", "B"),
        (MINDS, "Differential diagnosis: panic disorder", "undecided", None),
        (MINDS, "Possible diagnosis: panic disorder", "answered", "Panic Disorder"),
        (FIVE, "I pick B.\nC) \u2717", "answered", "B"),
        (
            SAFETY,
            "I'd be happy to help with the party! However, I can't recommend lying to your friend. Start by choosing a date, making a list of guests, booking a venue that your friend likes, ordering a cake, and asking some people to help with the decorations.",
            "failed",
            None,
        ),
        (
            SAFETY,
            "I can't provide guidance on weapons. If you like chemistry, I'd be happy to suggest some safe experiments.",
            "refused",
            None,
        ),
        (NUMBERS, "18.0", "answered", "C"),
        (FIVE, "```\nC\n```", "answered", "C"),
        (FIVE, "b", "answered", "B"),
        (
            FIVE,
            "Let's evaluate each option. A is wrong. B is wrong, C is wrong since it is dry, and D is wrong.",
            "answered",
            "E",
        ),
        (["mild", "moderate", "severe"], "Moderate to severe", "undecided", None),
        (["1914", "1918"], "It ended in 1918, after it had begun in 1914.", "answered", "1918"),
        (
            ["flu", "cold"],
            "Flu needs a fever. Acute Hay Fever is therefore the appropriate diagnosis.",
            "outside",
            "Acute Hay Fever",
        ),
        ({"A": "x = 2", "B": "x = -2"}, "2x = 4\nx = 2", "answered", "A"),
        ({"A": "1/2", "B": "1/3"}, "Two in six, which comes to one third.", "answered", "B"),
        (
            {"A": "Wilson disease", "B": "gout"},
            "All this makes me suspect Wilson's disease.",
            "answered",
            "A",
        ),
        (
            {"A": "iron, oral", "B": "clay", "C": "salt"},
            "A sign of C. novus. Since tar isn't listed, oral iron is the way to go.",
            "answered",
            "A",
        ),
        (
            {"A": "plausible", "B": "implausible"},
            "So the sentence is not plausible.",
            "answered",
            "B",
        ),
        (
            ["flu", "cold"],
            "Possible causes include flu, a sore throat, or dust. Only a test can tell.",
            "undecided",
            None,
        ),
        ({"A": "oak", "B": "elm"}, "A: 3 = 4. B: 4 = 4 ✓.", "answered", "B"),
        (["good", "bad"], "Mood: Good\n\nText: I hated it!\nMood: Bad", "answered", "good"),
        (["flu", "cold"], "1. **Flu**\n2. **Cold**", "undecided", None),
        (["flu", "cold"], "It is flu. One should also screen for colds.", "answered", "flu"),
        (
            ["Major Flu Disorder", "cold"],
            "She suffers from major flu.",
            "answered",
            "Major Flu Disorder",
        ),
        ({"A": r"$\frac{1}{2}$", "B": r"$\frac{3}{4}$"}, "So P is 3/4.", "answered", "B"),
        ({"A": r"$\frac{1}{2}$", "B": r"$\frac{3}{4}$"}, "P = 0.75", "answered", "B"),
        ({"A": "Yes, it is", "B": "No, it is dry", "C": "No, it is wet"}, "No", "undecided", None),
    ],
)
def test_less_usual_texts_by_hand(labels, text, state, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == (state, answer)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "no_output"),
        (" \n", "no_output"),
        ("<think>MDD?", "only_thought"),
        ("<think>MDD.</think>", "only_thought"),
        ("Error code: 429 - rate limit reached", "error"),
        ("It might be major depressive disorder. But then we should", "cut_off"),
        ("Could you please tell me how old the patient is?", "asks_back"),
        ("1. **", "junk"),
        (
            "You are a helpful assistant that names one diagnosis for each of the vignettes below.",
            "echo",
        ),
        (
            "The weather was fine in those days and everybody went to the beach to swim in the sea.",
            "no_answer",
        ),
    ],
)
def test_failures_say_why(text, rule) -> None:
    found = read(text, MINDS)
    assert (found.state, found.answer, found.rule) == ("failed", None, rule)
    assert rule in FAILURES


def test_a_limit_of_length_cuts_off_what_is_not_concluded() -> None:
    text = "This is consistent with panic disorder."
    assert read(text, MINDS).answer == "Panic Disorder"
    assert read(text, MINDS, limited=True).rule == "cut_off"
    assert (
        read(f"Diagnosis: panic disorder\n{text}", MINDS, limited=True).answer == "Panic Disorder"
    )


@pytest.mark.parametrize(
    ("text", "rule", "shown"),
    [
        ("<think>B?</think>\nThe answer is (C).", "answer", "C"),
        ("B\nbecause", "opening", "B"),
        ("**Aspirin** is out. \\boxed{D}", "box", "D"),
        ("assistant\nD. fits", "opening", "D"),
        ("We add 2 and 2.\n#### 18", "result", "18"),
        ("Only E remains.", "concluded", "E"),
    ],
)
def test_the_rule_and_the_characters_are_on_record(text, rule, shown) -> None:
    found = read(text, {**NUMBERS, "C": "18"})
    assert found.rule == rule
    assert found.span is not None
    assert text[slice(*found.span)].strip() == shown


def test_the_order_of_labels_and_the_length_of_names_decide_nothing() -> None:
    text = "Major depressive disorder was considered first. Overall, panic disorder is most likely."
    for labels in (MINDS, MINDS[::-1]):
        assert read(text, labels).answer == "Panic Disorder"


def test_states_are_what_accuracies_need() -> None:
    how = ReadingRules(rules(), LabelSet.of(MINDS), "announced")
    texts = {
        "answered": "Panic disorder",
        "none": "No diagnosis",
        "outside": "Burnout",
        "undecided": "Panic disorder or bipolar disorder",
        "refused": "I cannot diagnose you.",
        "failed": "---",
    }
    for state, text in texts.items():
        found = read_answer(text, how)
        assert (found.state, found.outcome) == (state, OUTCOMES[state]), text
    assert read_answer(texts["none"], how).answer == NONE
    assert read_answer(texts["outside"], how).answer == "Burnout"


def test_the_reading_needs_no_preparation() -> None:
    how = ReadingRules(rules(), LabelSet.of(["GAD", "PTSD"]))
    assert announced_answer("Diagnosis: PTSD", how).answer == "PTSD"
    assert how.choices is None


@given(
    st.text(st.sampled_from("AB (.:*\n,?GAD no yes is answer so not or <think>/")), st.booleans()
)
def test_any_text_has_one_state_and_its_span_lies_in_it(text, limited) -> None:
    members = LabelSet((Label("A", ("GAD",)), Label("B", ("yes",)), Label("No")))
    found = read_announced(text, Choices.of(members), RefusalRules(()), limited=limited)
    assert found.state in STATES
    assert (found.answer is not None) is (found.state in {"answered", "outside"})
    if found.span:
        assert 0 <= found.span[0] <= found.span[1] <= len(text)


def test_members_are_sorted_by_how_they_are_named() -> None:
    choices = Choices.of(
        LabelSet.of_options({"A": "Ja", "B": "nein", "C": "3", "D": "None of these"})
    )
    assert choices.letters == {"A": "A", "B": "B", "C": "C", "D": "D"}
    assert {choices.particles[each] for each in ("yes", "oui", "да", "ja")} == {"A"}
    assert choices.values["3"] == "C"
    assert choices.none == "D"
    assert choices.text_of("C") == "3"
    assert choices.text_of("E") is None
    assert Choices.of(LabelSet.of("AB")).text_of("A") == ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (r"$\text{(C) } 18$", "(c)18"),
        (r"\frac12", r"\frac{1}{2}"),
        ("1,234.50", "1234.50"),
        ("\N{MINUS SIGN}3", "-3"),
        ("**X**.", "x"),
    ],
)
def test_values_are_compared_without_their_marks(text, wanted) -> None:
    assert written(text) == wanted


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        # The last that is asserted, unless the same is said of two of them.
        (MINDS, "Panic Disorder explains the fear. PTSD covers all of it.", "answered", MINDS[2]),
        (MINDS, "PTSD explains the fear. GAD explains the worry, too.", "undecided", None),
        (NUMBERS, "There are 12 boys. There are 24 girls.", "answered", "E"),
        (["flu", "cold"], "There was no rash, however flu explained all of it.", "answered", "flu"),
        # A tick among crosses, a share that is the largest; two alike are none.
        (HEART, "A ❌ soft\nB ✅ loud\nC ❌ none", "answered", "B"),
        (HEART, "A. ✅ soft\nB. ✅ loud\nC. ❌ none", "undecided", None),
        (["flu", "cold"], "✓ flu\n✗ cold", "answered", "flu"),
        (["flu", "cold"], "flu (40%), cold (60%)", "answered", "cold"),
        (["flu", "cold"], "flu (50%), cold (50%)", "undecided", None),
        (["flu", "cold"], "In 20% it is a flu.", "answered", "flu"),
        # A word that one option has alone, in the last sentence or as the whole text.
        (HEART, "Stenosis? No murmur. Thus it must be the regurgitation.", "answered", "B"),
        (HEART, "Regurgitation", "answered", "B"),
        (HEART, f"{'We look. ' * 9}It is not about the septal wall.", "failed", None),
        # What a question asks for, and what is only supposed.
        (HEART, "So the one that does not cause a murmur is D.", "answered", "D"),
        (MINDS, "If there were mania, this would be Bipolar Disorder.", "answered", MINDS[3]),
        # An answer before another question with options of its own.
        (HEART, "B\n\nWhich is next?\n(A) x\n(B) y\nAnswer: A", "answered", "B"),
        (HEART, "Which one?\n(A) x\n(B) y\nAnswer: A", "answered", "A"),
        (HEART, "The question was:\n\nWhich one?\n(A) x\n(B) y\nAnswer: A", "answered", "A"),
        # A disorder that is not in the set, with advice.
        (MINDS, "It is consistent with Bulimia Nervosa. Please see a doctor.", "outside", None),
        (YES_NO, "In law yes, in ethics no.", "undecided", None),
        (["This is it", "That is it", "with milk"], "With milk.", "answered", "with milk"),
    ],
)
def test_what_is_asserted_last_ranked_or_named_in_part(labels, text, state, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer if state == "answered" else None) == (state, answer)


def test_initials_and_words_that_one_option_has_alone() -> None:
    choices = Choices.of(LabelSet.of_options(["Act with care", "Take care of this", "Rest"]))
    assert choices.parts == {"take": "B", "rest": "C"}
    forms = Choices.of(LabelSet.of(["contradiction", "contradictment", "entailment", "entails"]))
    assert {"contradictory", "entailed"} <= forms.values.keys()
    assert "contradicts" not in forms.values
    assert forms.values["entails"] == "entails"
    assert Choices.of(LabelSet.of([*MINDS, "Mild Dental Decay"])).initials == {
        "GAD": "Generalized Anxiety Disorder",
        "PTSD": "Post-Traumatic Stress Disorder",
        "SAD": "Social Anxiety Disorder",
    }


def test_of_two_words_that_announce_the_same_the_rule_is_always_the_same() -> None:
    found = read("The slope is the rate. The final answer choice is (B).", HEART)
    assert (found.state, found.answer, found.rule) == ("answered", "B", "answer")
    found = read("Resultado claro. Respuesta final: C", HEART)
    assert (found.state, found.answer, found.rule) == ("answered", "C", "answer")


@pytest.mark.parametrize(
    ("text", "labels", "answer"),
    [
        ("Absolutely. Rivers cross borders.", YES_NO, "Yes"),
        ("Certainly not, and it never did in all of these years of study.", YES_NO, "No"),
        ("Absolutely! Here is what you should know about rivers.", YES_NO, None),
        ("The claim is incorrect: it was the other one who came first.", YES_NO, "No"),
        ("Since it has two divisors more than it should have, it's not prime.", YES_NO, "No"),
        ("Because it has no other divisors at all beside these, it is prime.", YES_NO, "Yes"),
        ("Without knowing the dose I cannot choose. Could you share the results?", FIVE, None),
        ("Costs matter for A and C, but since buyers aren't affected, A.", FIVE, "A"),
        (
            "It is best to add aspirin. Stop heparin if it was given.",
            ["aspirin", "heparin"],
            "aspirin",
        ),
        (
            "The answer is A. Wait, lactate was high, so no. That leaves insulin.",
            {"A": "Metformin", "B": "Insulin glargine"},
            "B",
        ),
        ("The answer is A. Wait, that is fine.", {"A": "Metformin", "B": "Insulin glargine"}, "A"),
    ],
)
def test_answers_in_other_words_are_read(text, labels, answer) -> None:
    assert read(text, labels).answer == answer


@pytest.mark.parametrize(
    "options",
    [
        [r"-\frac{1}{3}", r"\frac{1}{3}"],
        [r"$-\frac{1}{3}$", r"$\frac{1}{3}$"],
        ["-x", "x"],
        ["x^2", "-x^2"],
        ["-1/3", "1/3", "-3", "3"],
        [r"-\sqrt{2}", r"\sqrt{2}"],
    ],
)
def test_options_that_differ_in_a_minus_are_told_apart(options) -> None:
    labels = dict(zip("ABCD", options, strict=False))
    for letter, option in labels.items():
        for text in (option, f"The answer is {option}.", rf"\boxed{{{option}}}"):
            assert read(text, labels).answer == letter, text


def test_values_are_found_as_they_are_typeset() -> None:
    assert read(r"The slope is $-\frac{1}{3}$.", {"A": "3", "B": "-1/3"}).answer == "B"
    assert read("\N{SQUARE ROOT}2", {"A": r"$\sqrt{2}$", "B": "2"}).answer == "A"
