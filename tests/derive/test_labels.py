"""Labels found in texts: boundaries, folding, the longest name, negations, differentials."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.answers import ReadingRules, read_answer
from assay.derive.labels import Label, LabelSet, spelled
from assay.derive.mentions import Cues, Phrase, any_phrase, fold, folded, holds_any
from assay.errors import UsageError
from tests.reasoning_texts import psychiatry, rules

MOODS = LabelSet(
    (
        Label("Major depressive disorder", ("major depression",), ("MDD",)),
        Label("Bipolar disorder", ("bipolar",)),
        Label("Bipolar II disorder", ("bipolar II",)),
        Label("Post-traumatic stress disorder", abbreviations=("PTSD",)),
    )
)


def named(text: str, labels: LabelSet = MOODS, **options) -> list[str]:
    return [each.label for each in labels.mentions(text, **options)]


def kinds(text: str, labels: LabelSet | None = None) -> list[tuple[str, str]]:
    found = (labels or psychiatry()).mentions(text, cues=rules().cues)
    return [(each.name.lower(), each.kind) for each in found]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("MDD", ["Major depressive disorder"]),
        ("mdd.", ["Major depressive disorder"]),
        ("(MDD)", ["Major depressive disorder"]),
        ("EMDDR", []),
        ("MDD2", []),
        ("bipolarity", []),
        ("unbipolar", []),
        ("bipolar", ["Bipolar disorder"]),
        ("bipolar II", ["Bipolar II disorder"]),
        ("Bipolar-II disorder", ["Bipolar II disorder"]),
        ("bipolar III", ["Bipolar disorder"]),
        ("Post\u2011Traumatic\nStress   Disorder", ["Post-traumatic stress disorder"]),
        ("post_traumatic **stress** disorder", ["Post-traumatic stress disorder"]),
        ("posttraumatic stress disorder", []),
        ("major. depressive disorder", []),
        ("bipolar, then MDD", ["Bipolar disorder", "Major depressive disorder"]),
        ("MDD MDD", ["Major depressive disorder", "Major depressive disorder"]),
        ("", []),
    ],
)
def test_names_stand_as_words_and_the_longest_counts(text, wanted) -> None:
    assert named(text) == wanted


def test_substrings_count_where_asked_for() -> None:
    assert named("bipolarity and EMDDR", boundaries="substring") == [
        "Bipolar disorder",
        "Major depressive disorder",
    ]


def test_positions_are_those_of_the_composed_text() -> None:
    text = "İ Zwänge: e\u0301 MDD"
    [mention] = MOODS.mentions(text)
    composed = "İ Zwänge: é MDD"
    assert composed[mention.start : mention.end] == "MDD" == mention.name


@given(st.text(max_size=40))
def test_folding_keeps_every_character_of_the_composed_text_in_place(text) -> None:
    given_ = fold(text)
    assert len(given_.plain) == len(given_.text)
    assert folded(given_.text) == given_.plain


@given(st.text(st.sampled_from("ab_ -.\u2014é\u0301😀"), max_size=30))
def test_words_are_those_that_the_pattern_of_a_word_finds(text) -> None:
    import re

    assert fold(text).words == frozenset(re.findall(r"[^\W_]+", folded(text)))


def test_words_of_a_text_with_many_signs_are_found_too() -> None:
    signs = "".join(map(chr, range(0x2190, 0x2300)))
    assert fold(f"{signs}word{signs}").words == {"word"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A", ["A"]),
        ("a", []),
        ("The answer is (B).", ["B"]),
        ("A patient came.", []),
        ("Answer: A", ["A"]),
        ("B is right", ["B"]),
        ("CAB", []),
        ("A.", ["A"]),
    ],
)
def test_a_label_of_one_letter_is_not_the_article(text, wanted) -> None:
    assert named(text, LabelSet.of("AB")) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("CORRECT", ["CORRECT"]),
        ("incorrect", ["INCORRECT"]),
        ("NOT_ATTEMPTED", ["NOT ATTEMPTED"]),
        ("Based on the text: Correct", ["CORRECT"]),
        ("yes", []),
    ],
)
def test_grades_are_read_as_words(text, wanted) -> None:
    assert named(text, LabelSet.of(["CORRECT", "INCORRECT", "NOT ATTEMPTED"])) == wanted


def test_labels_may_consist_of_signs() -> None:
    assert named("C++ and +", LabelSet.of(["+", "C++"])) == ["C++", "+"]


def test_a_set_is_made_of_names_and_takes_over_what_is_known() -> None:
    known = [Label("Flu", ("grippe",), ("H1N1",))]
    made = LabelSet.of(["FLU", "flu", " ", "Cold"], known=known)
    assert made.labels == (Label("FLU", ("grippe",), ("H1N1",)), Label("Cold"))
    assert made.named("grippe") == made.labels[0]
    assert made.named("measles") is None


def test_a_name_of_two_labels_is_refused() -> None:
    with pytest.raises(UsageError, match="'bipolar' is a name of two labels, 'A' and 'B'"):
        LabelSet((Label("A", ("bi-polar", "Bipolar")), Label("B", ("bipolar",))))


def test_a_name_that_a_label_has_twice_counts_once() -> None:
    assert named("mdd", LabelSet((Label("MDD", ("mdd",)),))) == ["MDD"]


@pytest.mark.parametrize("name", ["", "  ", "-"])
def test_an_empty_name_is_refused(name) -> None:
    with pytest.raises(UsageError, match="label 'A' has an empty name"):
        LabelSet((Label("A", (name,)),))


def test_a_name_that_is_part_of_itself_is_found_after_a_glued_one() -> None:
    assert named("xa a a", LabelSet.of(["a a"])) == ["a a"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("no evidence of MDD", [("mdd", "negated")]),
        ("no evidence of GAD, PTSD or OCD", [(x, "negated") for x in ("gad", "ptsd", "ocd")]),
        ("not GAD but PTSD", [("gad", "negated"), ("ptsd", "asserted")]),
        ("MDD was ruled out. PTSD", [("mdd", "negated"), ("ptsd", "asserted")]),
        ("No sleep. MDD", [("mdd", "asserted")]),
        ("no sleep\nMDD", [("mdd", "asserted")]),
        ("rule out MDD", [("mdd", "differential")]),
        ("MDD should be considered", [("mdd", "differential")]),
        ("Keine PTBS, sondern ADHS", [("ptbs", "negated"), ("adhs", "asserted")]),
        ("pas de TOC mais un TSPT", [("toc", "negated"), ("tspt", "asserted")]),
        ("MDD", [("mdd", "asserted")]),
        ("PTSD rather than GAD", [("ptsd", "asserted"), ("gad", "negated")]),
        ("MDD instead of GAD", [("mdd", "asserted"), ("gad", "negated")]),
        ("un TOC plutôt que le TDAH", [("toc", "asserted"), ("tdah", "negated")]),
    ],
)
def test_mentions_that_are_taken_back_are_recognized(text, wanted) -> None:
    assert kinds(text) == wanted


def test_items_below_a_heading_of_differentials_are_differentials() -> None:
    text = "Rule out the following:\n1. MDD\n2) GAD\n* PTSD\n\nOCD"
    assert [kind for _, kind in kinds(text)] == [*["differential"] * 3, "asserted"]


def test_items_below_another_heading_are_asserted() -> None:
    assert kinds("We consider sleep.\nFindings:\n- MDD") == [("mdd", "asserted")]


def test_a_long_list_loses_its_heading() -> None:
    items = "".join(f"- sign {number}\n" for number in range(20))
    assert kinds(f"To rule out:\n{items}- MDD") == [("mdd", "asserted")]


def test_a_list_without_heading_is_asserted() -> None:
    assert kinds("- sleep\n- MDD, consider it") == [("mdd", "asserted")]


def test_empty_phrases_match_nothing() -> None:
    assert any_phrase(("", " ")).search("anything at all") is None


def test_cues_that_are_not_in_the_text_cost_nothing() -> None:
    cues = Cues(negations=("no",), contrasts=("but",))
    assert cues.within(fold("but it is")) is None
    assert cues.within(fold("no, but")) == cues


@pytest.mark.parametrize(
    ("text", "name", "words", "substring", "verbatim"),
    [
        ("female", "male", False, True, True),
        ("African-American", "african american", True, True, False),
        ("African-American", "african-american", True, True, True),
        ("a b", "", False, False, False),
        ("a - b", "-", False, False, True),
    ],
)
def test_names_are_held_by_boundaries(text, name, words, substring, verbatim) -> None:
    assert holds_any(text, [name]) is words
    assert holds_any(text, [name], boundaries="substring") is substring
    assert holds_any(text, [name], boundaries="verbatim") is verbatim


def test_spelling_is_looked_up_without_case_hyphens_and_spaces() -> None:
    assert spelled(" Post\u2013Traumatic\tSTRESS ") == "post traumatic stress"


@given(
    st.lists(
        st.sampled_from(["post", "traumatic", "ptsd", "-", "_", "\n", "  ", "é", "—"]), max_size=9
    )
)
def test_a_name_is_found_whatever_spaces_it_has(parts) -> None:
    text = "".join(parts)
    expected = re.search(r"(?<![^\W_])post +traumatic(?![^\W_])", folded(text)) is not None
    assert holds_any(text, ["Post-traumatic"]) is expected
    assert bool(LabelSet.of(["Post-traumatic"]).mentions(text)) is expected


def test_a_phrase_needs_its_words_and_those_of_what_follows() -> None:
    phrase = Phrase.of("i cannot", then=("give a label", "help"), within=3)
    assert phrase.may_be_in(fold("help: I cannot"))
    assert not phrase.may_be_in(fold("I cannot give a hint"))
    assert [*phrase.places(fold("I cannot  really help"))] == [(0, 21)]
    assert [*phrase.places(fold("Louis XVI cannot help"))] == []


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("Attention-Deficit/Hyperactivity Disorder", "attention deficit hyperactivity disorder"),
        ("Attention Deficit Hyperactivity Disorder", "Attention-Deficit/Hyperactivity Disorder"),
        ("Attention-Deficit/Hyperactivity Disorder (ADHD)", "It is ADHD."),
        (
            "Attention-Deficit/Hyperactivity Disorder (ADHD)",
            "attention-deficit/hyperactivity disorder",
        ),
        ("infection", "two infections"),
        ("infections", "an infection"),
        ("biopsy", "Biopsies were taken"),
        ("biopsies", "a biopsy"),
        ("psychosis", "psychoses"),
        ("abscess", "abscesses"),
        ("Iron deficiency anemia", "iron-deficiency anaemia"),
        ("Generalised anxiety disorder", "generalized anxiety disorder"),
        ("抑郁症", "诊断为抑郁症。"),
        ("GAD", "考虑GAD的可能"),
        ("-3", "so x = -3."),
        ("\N{MINUS SIGN}3", "so x = -3."),
        ("12", "12 of them"),
        ("fetal (unborn)", "foetal"),
    ],
)
def test_other_spellings_of_a_name_are_the_name(label, text) -> None:
    assert named(text, LabelSet.of([label, "other"])) == [label]
    assert named(text, LabelSet.of([label]), boundaries="verbatim") in ([], [label])


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("3", "x = -3"),
        ("3", "3.5"),
        ("3", "13"),
        ("3", "3/4"),
        ("-3", "5-3"),
        ("SS", "S"),
        ("gas", "ga"),
    ],
)
def test_a_part_of_a_number_or_word_is_no_name(label, text) -> None:
    assert named(text, LabelSet.of([label])) == []


def test_a_spelling_that_two_labels_share_names_neither() -> None:
    labels = LabelSet.of(["tumor (benign)", "tumor (malignant)"])
    assert named("a tumor", labels) == []
    assert labels.named("tumour") is None


def test_options_are_named_by_letter_and_text() -> None:
    made = LabelSet.of_options({"A": "-3", "B": "3", "C": "A", "D": "same", "E": "same", "F": "-"})
    assert [each.names for each in made.labels] == [
        *(("A", "-3"), ("B", "3"), ("C",), ("D",), ("E",), ("F",)),
    ]
    assert LabelSet.of_options(["flu", "cold"]).labels == (
        Label("A", ("flu",)),
        Label("B", ("cold",)),
    )


def test_a_set_without_labels_reads_every_text_as_outside_of_it():
    how = ReadingRules(rules(), LabelSet(()), "announced")
    assert read_answer("The sky is blue over the sea today.", how).state == "outside"
