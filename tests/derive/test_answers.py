"""What texts answer: readings, methods, outcomes, and what is right."""

from __future__ import annotations

import inspect
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive import answers
from assay.derive.answers import (
    EXTRACTION_FAILED,
    NO_OUTPUT,
    ReadingRules,
    is_correct,
    read_answer,
    still_meant,
    stored_answer,
    tagged_answer,
)
from assay.derive.labels import Label, LabelSet
from assay.derive.mentions import fold
from assay.sources.labels import reference_rules
from tests.reasoning_texts import labelled_texts, psychiatry, readings, rules

SEED = LabelSet(
    (
        Label("Major Depressive Disorder", ("major depression",), ("MDD",)),
        Label("Generalized Anxiety Disorder", abbreviations=("GAD",)),
        Label("Post-Traumatic Stress Disorder", abbreviations=("PTSD",)),
        Label("Bipolar Disorder", ("bipolar", "manic depression")),
        Label("Schizophrenia", ("schizophrenic disorder",)),
    )
)
FILLER = (
    "This last line is much longer than any answer, because it goes on and on about the weather"
)


def read(text: str, labels: LabelSet = SEED, **options) -> tuple[str, str | None, str]:
    found = read_answer(text, ReadingRules(rules(), labels, **options))
    return found.outcome, found.answer, found.method


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It is GAD.", ("answered", "Generalized Anxiety Disorder", "closed_set_match")),
        (
            "GAD or schizophrenia",
            ("answered", "Schizophrenia", "closed_set_match_longest"),
        ),
        ("PTSD or schizophrenia? PTSD!", ("answered", "Schizophrenia", "closed_set_match_longest")),
        ("Diagnosis: burnout", ("answered", "burnout", "heuristic_fallback_tag")),
        ("A long story.\nBurnout.", ("answered", "Burnout", "heuristic_fallback_last_line")),
        (FILLER, ("failed", None, "closed_set_no_match")),
        ("", ("failed", None, "no_output")),
        (" \n ", ("failed", None, "no_output")),
        ("<think>MDD</think>", ("failed", None, "only_thought")),
        ("I cannot diagnose you.", ("refused", None, "refusal")),
        ("<think>GAD?", ("failed", None, "only_thought")),
        (
            "<think>GAD? DIAGNOSIS: PTSD",
            ("answered", "Post-Traumatic Stress Disorder", "closed_set_match"),
        ),
        ("Diagnosis: cannot be given", ("failed", None, "closed_set_no_match")),
        ("Diagnosis: I can't provide one.", ("refused", None, "refusal")),
        (
            "Diagnosis: burnout\nI am not a doctor.",
            ("answered", "burnout", "heuristic_fallback_tag"),
        ),
        (
            "Diagnosis: burnout. I am not a doctor.",
            ("answered", "burnout. I am not a doctor", "heuristic_fallback_tag"),
        ),
        ("MDD. I'm not a doctor.", ("answered", "Major Depressive Disorder", "closed_set_match")),
    ],
)
def test_closed_set_by_hand(text, wanted) -> None:
    assert read(text) == wanted


def test_of_names_of_equal_length_the_first_label_counts() -> None:
    labels = LabelSet.of(["beta", "alfa"])
    assert read("alfa beta", labels)[1] == "beta"
    assert read("alfa beta", LabelSet.of(["alfa", "beta"]))[1] == "alfa"


def test_several_labels_may_be_decided_by_their_place() -> None:
    text = "GAD, PTSD, MDD"
    first = ("answered", "Generalized Anxiety Disorder", "closed_set_match_first")
    assert read(text, several="first") == first
    last = ("answered", "Major Depressive Disorder", "closed_set_match_last")
    assert read(text, several="last") == last


@pytest.mark.parametrize(
    ("text", "anyhow", "asserted"),
    [
        ("No bipolar disorder. MDD", "Bipolar Disorder", "Major Depressive Disorder"),
        ("PTSD is unlikely.\n" + FILLER, "Post-Traumatic Stress Disorder", None),
        ("Consider schizophrenia. It is GAD", "Schizophrenia", "Generalized Anxiety Disorder"),
    ],
)
def test_denied_and_weighed_labels_count_unless_only_asserted_ones_do(
    text, anyhow, asserted
) -> None:
    assert read(text)[1] == anyhow
    assert read(text, mentions="asserted")[1] == asserted


def test_mentions_are_kept_with_the_answer() -> None:
    found = read_answer("not GAD; MDD", ReadingRules(rules(), SEED, mentions="asserted"))
    assert [(each.name, each.kind) for each in found.mentions] == [
        ("GAD", "negated"),
        ("MDD", "asserted"),
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Diagnosis: burnout", "burnout"),
        ("**Diagnosis:** burnout.", "burnout"),
        ("**Final Diagnosis**: *burnout*", "burnout"),
        ("DIAGNOSIS:\n\nburnout\nmore", "burnout"),
        ("Diagnosis: sleep\nFinal diagnosis: burnout", "burnout"),
        ("Differential diagnosis: sleep\nDiagnosis: burnout", "burnout"),
        ("Diagnosis: sleep\nDiagnosis: burnout", "sleep"),
        ("Differenzialdiagnose: Schlaf\nDiagnose: Burnout", "Burnout"),
        ("Diagnostic retenu : épuisement", "épuisement"),
        ("retenu : rien", None),
        ("Answer\uff1a burnout", "burnout"),
        ("Diagnosis: " + "word " * 19, ("word " * 19).strip()),
        ("Diagnosis: " + "word " * 20, None),
        ("Diagnosis:", None),
        ("Time: noon", None),
        (": noon", None),
        ("no tag", None),
    ],
)
def test_a_tag_announces_an_answer(text, wanted) -> None:
    assert tagged_answer(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Diagnosis: GAD", ("answered", "GAD", "heuristic_tag")),
        ("Because of the worry\nGAD.", ("answered", "GAD", "heuristic_last_line")),
        (FILLER, ("failed", None, "heuristic_no_match")),
        ("I cannot diagnose you.", ("refused", None, "refusal")),
        (
            "Diagnosis: none yet.\nI cannot diagnose you.",
            ("refused", None, "refusal"),
        ),
        (
            "It is GAD. Please seek help.",
            ("answered", "It is GAD. Please seek help", "heuristic_last_line"),
        ),
        ("", ("failed", None, "no_output")),
    ],
)
def test_heuristic_by_hand(text, wanted) -> None:
    assert read(text, reading="heuristic") == wanted


def test_literal_takes_the_text_as_it_is() -> None:
    text = "<think>GAD</think> I cannot diagnose you."
    assert read(text, reading="literal") == ("answered", text, "literal")
    assert read(" ", reading="literal") == ("failed", None, "no_output")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ("refused", None, "no_output")),
        (
            "I cannot diagnose you.",
            ("answered", "I cannot diagnose you", "heuristic_fallback_last_line"),
        ),
        (f"I cannot diagnose you.\n{FILLER}", ("refused", None, "refusal")),
        (FILLER, ("failed", None, "closed_set_no_match")),
        (
            "Differential diagnosis: sleep\nDiagnosis: burnout",
            ("answered", "sleep", "heuristic_fallback_tag"),
        ),
        # The list is of labels by their own names; abbreviations count where answers are compared.
        ("It is GAD.", ("answered", "It is GAD", "heuristic_fallback_last_line")),
        (
            "no evidence of generalized-anxiety-disorders",
            ("answered", "Generalized Anxiety Disorder", "closed_set_match"),
        ),
        (
            "Schizophrenia, or Major Depressive Disorder.",
            ("answered", "Major Depressive Disorder", "closed_set_match_longest"),
        ),
        (
            "<THINK>Schizophrenia</THINK>Major Depressive Disorder",
            ("answered", "Major Depressive Disorder", "closed_set_match_longest"),
        ),
        (
            "<think>Schizophrenia</think><content>Major Depressive Disorder</content>",
            ("answered", "Major Depressive Disorder", "closed_set_match"),
        ),
        (
            "<think>Schizophrenia, no end",
            ("answered", "Schizophrenia", "closed_set_match"),
        ),
        # The first tag counts, over the end of its line, and the last line where it says too much.
        (
            "Final Diagnosis:\n\n low mood.\nDiagnosis: flu",
            ("answered", "low mood", "heuristic_fallback_tag"),
        ),
        ("**Diagnosis:** low mood\nflu", ("answered", "low mood", "heuristic_fallback_tag")),
        (
            f"diagnosis: {'so ' * 19}\nflu",
            ("answered", " ".join(["so"] * 19), "heuristic_fallback_tag"),
        ),
        (f"diagnosis: {'so ' * 20}\nflu..", ("answered", "flu", "heuristic_fallback_last_line")),
        (f"Answer: flu\n{FILLER}", ("failed", None, "closed_set_no_match")),
        (
            " ".join(["so"] * 14),
            ("answered", " ".join(["so"] * 14), "heuristic_fallback_last_line"),
        ),
        (" ".join(["so"] * 15), ("failed", None, "closed_set_no_match")),
        # Its phrases are those of one language, in quotations too.
        (f'He says "I cannot diagnose".\n{FILLER}', ("refused", None, "refusal")),
        (f"Ich kann keine Diagnose stellen.\n{FILLER}", ("failed", None, "closed_set_no_match")),
        (
            f"It may be bipolar. I cannot diagnose.\n{FILLER}",
            ("failed", None, "closed_set_no_match"),
        ),
        (f"I cannot diagnose bipolar depression.\n{FILLER}", ("refused", None, "refusal")),
    ],
)
def test_reference_order_looks_for_refusals_last(text, wanted) -> None:
    how = {"refusal_order": "reference", "boundaries": "substring", "rules": reference_rules()}
    found = read_answer(text, ReadingRules(labels=SEED, **how))
    assert (found.outcome, found.answer, found.method) == tuple(wanted)


def test_reference_order_of_the_heuristic_looks_for_no_labels() -> None:
    how = ReadingRules(reference_rules(), SEED, "heuristic", refusal_order="reference")
    found = read_answer("Schizophrenia. I cannot say more.", how)
    assert (found.answer, found.method) == (
        "Schizophrenia. I cannot say more",
        "heuristic_last_line",
    )
    assert [each.label for each in found.mentions] == ["Schizophrenia"]


@pytest.mark.parametrize(
    ("answer", "refused", "wanted"),
    [
        ("GAD", False, ("answered", "GAD")),
        ("GAD", True, ("refused", None)),
        (NO_OUTPUT, False, ("failed", None)),
        (EXTRACTION_FAILED, False, ("failed", None)),
        ("", False, ("failed", None)),
        (None, False, ("failed", None)),
    ],
)
def test_stored_answers_are_taken_as_they_are(answer, refused, wanted) -> None:
    found = stored_answer(answer, refused=refused)
    assert (found.outcome, found.answer) == wanted


def test_files_show_a_word_where_there_is_no_answer() -> None:
    how = ReadingRules(rules(), SEED)
    assert read_answer("", how).shown == NO_OUTPUT
    assert read_answer("<think>GAD", how).shown == NO_OUTPUT
    assert read_answer(FILLER, how).shown == EXTRACTION_FAILED
    assert read_answer("GAD", how).shown == "Generalized Anxiety Disorder"


def seed_rule(response: str, gold: str) -> bool:
    """The seed's formula, written from its text."""
    abbreviations = {
        "major depressive disorder": ["mdd", "major depression"],
        "generalized anxiety disorder": ["gad"],
        "post-traumatic stress disorder": ["ptsd"],
        "bipolar disorder": ["bipolar", "manic depression"],
        "schizophrenia": ["schizophrenic disorder"],
    }
    wanted = gold.lower().strip()
    others = abbreviations.get(wanted, [])
    return any(each in response.lower() for each in [wanted, *others])


@pytest.mark.parametrize(
    "response",
    [
        "gadgets",
        "GAD",
        "Post traumatic stress disorder",
        "post-traumatic stress disorder",
        "bipolarity",
        "Manic Depression",
        "major  depression",
        "",
    ],
)
@pytest.mark.parametrize("gold", [*(label.name for label in SEED.labels), "flu", "post traumatic"])
def test_verbatim_correctness_is_the_formula_of_the_seed(response, gold) -> None:
    assert is_correct(response, gold, SEED, boundaries="verbatim") is seed_rule(response, gold)


@pytest.mark.parametrize(
    ("answer", "gold", "words", "substring"),
    [
        ("gadgets", "generalized anxiety disorder", False, True),
        ("GAD", "Generalized Anxiety Disorder", True, True),
        ("GAD", "bipolar disorder", False, False),
        ("the flu season", "flu", True, True),
        ("influenza", "flu", False, True),
        ("GAD", "GAD", True, True),
        ("generalized anxiety disorder", "GAD", True, False),
        ("-", "-", False, False),
        ("anything", "  ", False, False),
    ],
)
def test_correctness_by_hand(answer, gold, words, substring) -> None:
    assert is_correct(answer, gold, SEED) is words
    assert is_correct(answer, gold, SEED, boundaries="substring") is substring


def test_a_name_inside_a_longer_one_is_not_right() -> None:
    both = LabelSet((Label("Bipolar disorder", ("bipolar",)), Label("Bipolar II disorder")))
    assert not is_correct("Bipolar II disorder", "Bipolar disorder", both)
    assert is_correct("bipolar", "Bipolar disorder", both)
    assert is_correct("Bipolar II disorder", "Bipolar disorder", both, boundaries="substring")


def test_reading_never_sees_what_would_be_right() -> None:
    assert [*inspect.signature(read_answer).parameters] == ["text", "how", "least"]
    assert not {"gold", "answer", "target"} & {each.name for each in fields(ReadingRules)}
    for name in ("_spoken", "_heuristic", "_reference", "_of_closed_set", "tagged_answer"):
        assert "gold" not in inspect.signature(getattr(answers, name)).parameters


def test_labels_of_the_shipped_set_are_read_by_every_name() -> None:
    for label in psychiatry().labels:
        for name in label.names:
            assert read(name, psychiatry())[1] == label.name


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a B", "B"),
        ("A", "A"),
        ("B: CORRECT", "B"),
        ("Based on the answer, it must be (C).", "C"),
        ("The grade is **C**", "C"),
        ("A grader would choose B here", "B"),
        ("CAB", None),
        ("NOT ATTEMPTED", None),
    ],
)
def test_a_grade_is_a_letter_of_its_own(text, wanted) -> None:
    found = read_answer(text, ReadingRules(rules(), LabelSet.of("ABC")))
    assert (found.answer if found.method.startswith("closed_set") else None) == wanted


@given(st.text(st.sampled_from("GAD no:.\n<>/think diagnosis I cannot"), max_size=60))
def test_there_is_an_answer_exactly_where_a_text_answers(text) -> None:
    for reading in ("closed-set", "heuristic", "literal"):
        for order in ("refusal-first", "reference"):
            how = ReadingRules(rules(), SEED, reading=reading, refusal_order=order)
            found = read_answer(text, how)
            assert (found.answer is not None) is (found.outcome == "answered")
            assert (found.rule is not None) is (found.outcome == "refused")


@pytest.mark.parametrize("name", ["closed set, asserted mentions", "heuristic"])
def test_what_is_thought_before_changes_nothing(name) -> None:
    thought = "<think>I cannot diagnose. Diagnosis: OCD? MDD? </think>"
    for each in labelled_texts():
        if "<think" not in each.text.lower():
            texts = (each.text, thought + each.text)
            alone, after = (read_answer(text, readings()[name]) for text in texts)
            assert (alone.outcome, alone.answer) == (after.outcome, after.answer), each.id


@pytest.mark.parametrize(("several", "seen"), [("longest", True), ("last", False)])
def test_only_the_longest_mention_shows_that_an_answer_is_still_meant(several, seen) -> None:
    given = fold("No sign of GAD. Schizophrenia it is.")
    how = ReadingRules(rules(), SEED, several=several)
    assert still_meant(given, read_answer(given.text, how), how) is seen
