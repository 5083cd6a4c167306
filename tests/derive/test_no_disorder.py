"""That nothing is the matter is none of the members, unless the text has concluded one."""
# ruff: noqa: E501 - texts of models as they are

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from tests.reasoning_texts import psychiatry, rules

LUNGS = ["Pneumonia", "Asthma", "Pulmonary embolism", "Heart failure"]


def read(text, members):
    found = read_announced(text, Choices.of(members), rules())
    return found.state, found.answer


@pytest.mark.parametrize(
    "text",
    [
        "DIAGNOSIS: None - normal developmental stress",
        "Diagnosis: None; the worry is proportionate to the exam.",
        "Diagnosis: none (bereavement)",
        "Final diagnosis: No mental disorder. The reaction is an expectable response to loss.",
        "**Diagnosis:** No diagnosis at this time",
        "**Diagnosis**: No formal diagnosis warranted; subthreshold anxiety.",
        "Diagnosis: No DSM-5 diagnosis",
        "Diagnosis: Does not meet criteria for any disorder",
        "Diagnosis: Not applicable - normal stress response",
        "Diagnosis: Healthy individual, no psychiatric illness",
        "Diagnosis: No psychiatric diagnosis (V-code: phase of life problem)",
        "This person does not appear to have a mental disorder at this time. While some features overlap with Generalized Anxiety Disorder, they do not reach the diagnostic threshold.",
        "The symptoms described are within the range of normal experience and a psychiatric diagnosis is not warranted.",
        "There is insufficient evidence of any psychiatric disorder; what she describes is an ordinary response to stress.",
        "I do not see evidence for a psychiatric disorder here. Major Depressive Disorder would need two weeks of low mood and there is no anhedonia. This is normal sadness.",
        "Because there is no functional impairment, none of the DSM-5 disorders can be diagnosed.",
        "He meets neither the criteria for Major Depressive Disorder nor those for Generalized Anxiety Disorder. No diagnosis is given.",
        "REASONING: Low mood for four days after a breakup. Major Depressive Disorder requires two weeks. Adjustment Disorder requires marked distress, which he denies. DIAGNOSIS: No disorder",
        "<think>MDD? not enough. GAD? no.</think>\nReasoning: the sadness lasts three days only.\nDiagnosis: No mental health disorder is indicated.",
        "Thus, no psychiatric disorder is present.",
        "In conclusion, the presentation is subclinical and does not warrant a diagnosis of Generalized Anxiety Disorder or any other condition.",
        "Conclusion: Normal reaction. No disorder should be diagnosed.",
        "The patient is psychiatrically healthy.",
        "Overall, these are typical concerns of adolescence rather than a disorder such as Social Anxiety Disorder.",
        "This does not constitute a mental disorder.",
        "Her reaction is a normal part of grieving and should not be pathologized. No diagnosis of Major Depressive Disorder is justified.",
        "- Depressed mood: absent\n- Anhedonia: absent\n- Worry: mild\n\n**Conclusion:** criteria for a mental disorder are not fulfilled.",
        "DIAGNOSIS: No diagnosis of a mental disorder is supported by this vignette.",
        "DIAGNOSIS: No specific mental health diagnosis; situational stress",
        "DIAGNOSIS: N/A",
        "Diagnosis: Within normal limits",
        "Diagnosis: There is no diagnosis.",
        "Diagnosis: No clear psychiatric diagnosis; consider medical causes such as hypothyroidism.",
        "**Final Answer**: No Axis I disorder",
        "Answer: no disorder (normal variation)",
        "**DIAGNOSIS: NONE**",
        "Diagnosis: *No Mental Disorder*",
        "Diagnosis:\nNo psychiatric disorder",
        "### Diagnosis\n\nNo psychiatric disorder identified.",
        "REASONING: Worry about money since he lost his job; sleeps and eats well, enjoys his hobbies. GAD requires excessive worry on several topics over six months. MDD requires low mood or anhedonia.\nDIAGNOSIS: No psychiatric diagnosis. Normal worry.",
        "Let me think step by step.\n1. Duration: 5 days.\n2. Severity: mild.\n3. Impairment: none.\n\nGiven the short duration and the lack of impairment, I would not diagnose any mental disorder.",
        "She isn't suffering from a mental disorder; she is exhausted after a double shift.",
        "There is no psychiatric diagnosis that fits this presentation.",
        "None of the diagnoses listed in DSM-5 apply to this case.",
        "I conclude that there is no mental disorder.",
        "Therefore, the most appropriate conclusion is that no disorder is present.",
        "In summary: no disorder. Reassurance and follow-up are sufficient.",
        "The absence of distress and impairment means that no diagnosis should be assigned.",
        "A diagnosis is not warranted here.",
        "A psychiatric diagnosis cannot be justified on these facts: the fear is realistic and brief.",
        "Nothing here rises to the level of a clinical disorder.",
        "While Panic Disorder was considered, a single panic attack during an exam does not justify a diagnosis.",
        "Although the symptoms resemble Generalized Anxiety Disorder, the criteria are not met. The most accurate answer is no diagnosis.",
        "The criteria for Major Depressive Disorder are not met, nor are those for any other mental disorder.",
        "No. The patient does not have a psychiatric condition.",
    ],
)
def test_nothing_that_is_the_matter_is_none_of_the_members(text) -> None:
    assert read(text, psychiatry()) == ("none", None)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "Diagnosis: Major Depressive Disorder. No other psychiatric disorder is present.",
            "Major Depressive Disorder",
        ),
        (
            "No evidence of mania, so bipolar disorder is out. Diagnosis: Major Depressive Disorder, no comorbid mental disorder",
            "Major Depressive Disorder",
        ),
        (
            "She has no history of any psychiatric disorder. The panic attacks came out of the blue and she fears the next. This is panic disorder.",
            "Panic Disorder",
        ),
        (
            "The symptoms are not better explained by another mental disorder. Generalized anxiety disorder is the best fit.",
            "Generalized Anxiety Disorder",
        ),
        (
            "Diagnosis: Generalized Anxiety Disorder; criteria for Major Depressive Disorder not met.",
            "Generalized Anxiety Disorder",
        ),
        (
            "This is not normal sadness. It is major depressive disorder.",
            "Major Depressive Disorder",
        ),
        ("Diagnosis: Adjustment disorder, not a normal stress reaction", "Adjustment Disorder"),
        (
            "The absence of impairment argues against a disorder, but she avoids all parties out of fear; social anxiety disorder is diagnosed.",
            "Social Anxiety Disorder",
        ),
        ("No single symptom proves it, but together they indicate schizophrenia.", "Schizophrenia"),
        ("The patient has no psychiatric history. Diagnosis: Panic disorder.", "Panic Disorder"),
        (
            "Before the accident she was mentally healthy. Now flashbacks and avoidance for three months: PTSD.",
            "Post-Traumatic Stress Disorder",
        ),
        (
            "This is more than normal sadness: major depressive disorder.",
            "Major Depressive Disorder",
        ),
        ("It is not within normal limits; the diagnosis is bipolar disorder.", "Bipolar Disorder"),
        (
            "Criteria for a manic episode are not met, so it is bipolar II disorder.",
            "Bipolar II Disorder",
        ),
        (
            "A medical condition was excluded and no illness was found on examination; panic disorder remains.",
            "Panic Disorder",
        ),
        (
            "She did not show any disorder of thought. Her mood swings suggest borderline personality disorder.",
            "Borderline Personality Disorder",
        ),
        (
            "Her fears of gaining weight and the low BMI indicate anorexia nervosa rather than a medical illness.",
            "Anorexia Nervosa",
        ),
        (
            "The man is otherwise mentally healthy, and the compulsions point to OCD.",
            "Obsessive-Compulsive Disorder",
        ),
        (
            "The compulsions point to OCD. He is otherwise mentally healthy.",
            "Obsessive-Compulsive Disorder",
        ),
        (
            "OCD is the diagnosis I would make; I see no psychotic illness.",
            "Obsessive-Compulsive Disorder",
        ),
        (
            "I'd go with adjustment disorder. It is not a severe mental illness, and it usually passes.",
            "Adjustment Disorder",
        ),
        (
            "This looks like ADHD. It is not a disease in the usual sense but a developmental condition.",
            "Attention-Deficit/Hyperactivity Disorder",
        ),
    ],
)
def test_a_member_that_is_concluded_stands_beside_what_else_is_absent(text, answer) -> None:
    assert read(text, psychiatry()) == ("answered", answer)


@pytest.mark.parametrize(
    "text",
    [
        "The chest film is clear and she is well; none of the four conditions is present.",
        "No acute cardiopulmonary disease.",
        "Diagnosis: no disease identified",
    ],
)
def test_a_finding_that_is_absent_is_none_of_the_diseases(text) -> None:
    assert read(text, LabelSet.of(LUNGS)) == ("none", None)
    if "none" not in text:
        assert read(text, LabelSet.of([*LUNGS, "Normal"])) == ("answered", "Normal")


@pytest.mark.parametrize(
    "text", ["He does not have a mental disorder.", "No, this is not a disorder."]
)
def test_what_is_absent_is_no_where_that_is_asked(text) -> None:
    assert read(text, LabelSet.of(["Yes", "No"])) == ("answered", "No")
