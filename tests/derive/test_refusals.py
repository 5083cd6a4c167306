"""Refusals: which rule fires where, and what does not."""

from __future__ import annotations

import pytest

from assay.derive.mentions import Mention, fold
from assay.derive.refusals import (
    RefusalRule,
    RefusalRules,
    declined_by,
    has_content,
    in_refusal,
    reference_refusal,
    refusal_hits,
    refused_by,
    unquoted,
)
from assay.errors import UsageError
from assay.sources.labels import reference_rules
from tests.reasoning_texts import rules


def refused(text: str) -> str | None:
    return refused_by(fold(text), refusal_hits(text, rules()), rules())


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("I cannot diagnose you.", "first person cannot"),
        ("I can\u2019t, in good conscience, provide a diagnosis", "first person cannot"),
        ("As an AI, I am not able to do this", "as an AI"),
        ("I'm sorry, but I can't help.", "sorry"),
        ("I'm not a doctor.", "not a professional"),
        ("Please consult a therapist.", "see a professional"),
        ("Ich kann leider keine Diagnose stellen.", "Ich kann nicht"),
        ("Je ne peux pas poser de diagnostic.", "Je ne peux pas"),
        ("I cannot sleep.", None),
        ("She told me: 'I can help you'.", None),
        ("We cannot diagnose", None),
        ("", None),
    ],
)
def test_a_text_refuses_by_a_rule(text, rule) -> None:
    assert refused(text) == rule


def test_every_rule_of_the_file_has_a_name_of_its_own_and_a_language() -> None:
    names = [rule.name for rule in rules().rules]
    assert len(names) == len(set(names))
    assert {rule.language for rule in rules().rules} == {"en", "de", "fr"}


@pytest.mark.parametrize("rule", rules().rules, ids=lambda rule: rule.name)
def test_every_phrase_of_the_file_fires(rule) -> None:
    for phrase in rule.phrases:
        follows = rule.then[0] if rule.then else ""
        assert rule.name in {hit.rule for hit in refusal_hits(f"{phrase} {follows}", rules())}


@pytest.mark.parametrize(
    "text",
    [
        'He said "I cannot diagnose you" and left.',
        "He said \u201cI cannot diagnose you\u201d and left.",
        "Er sagte \u201eich kann keine Diagnose stellen\u201c und ging.",
        "Il dit « je ne peux pas vous aider » et part.",
        "```\nI cannot help you\n```",
        "> I cannot help you",
    ],
)
def test_what_is_quoted_is_no_refusal(text) -> None:
    assert refusal_hits(text, rules()) == []
    assert "cannot" not in unquoted(text)


def test_a_refusal_after_a_quotation_counts() -> None:
    [hit] = refusal_hits('"Yes." I cannot diagnose you.', rules())
    assert hit.start == 7


def test_words_between_are_counted() -> None:
    rule = RefusalRule("r", "hard", "en", ("I cannot",), then=("help",), within=2)
    only = RefusalRules((rule,))
    assert refusal_hits("I cannot really much help", only)
    assert not refusal_hits("I cannot really very much help", only)
    assert not refusal_hits("I cannot go. They help", only)
    assert not refusal_hits("I cannot helpless", only)


LONG = "The man is forty and came with his wife after a bad year at work in which he lost friends. "


def test_a_soft_phrase_refuses_in_a_short_text_only() -> None:
    assert refused("Please see a doctor.") == "see a professional"
    assert refused("See a doctor. " + LONG * 4) is None


def test_a_soft_phrase_near_the_start_refuses_without_clinical_content() -> None:
    lenient = RefusalRules(rules().rules, soft_words=3, content_words=1000, n_markers=99, tags=())
    text = "Please see a doctor about it. " + LONG
    assert refused_by(fold(text), lenient.hits(fold(text)), lenient) == "see a professional"
    late = LONG * 6 + "Please see a doctor."
    assert refused_by(fold(late), lenient.hits(fold(late)), lenient) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Diagnosis: open", True),
        ("symptoms meet criteria", True),
        ("one symptom", False),
        ("word " * 40, True),
        ("word " * 39, False),
    ],
)
def test_clinical_content_is_words_tags_or_markers(text, wanted) -> None:
    assert has_content(fold(text), rules()) is wanted


def refuses_at(text: str, name: str, at: int = 0) -> bool:
    place = text.index(name, at)
    mention = Mention(name, name, place, place + len(name))
    return in_refusal(mention, refusal_hits(text, rules()), fold(text), rules())


def test_what_stands_in_a_clause_that_refuses_belongs_to_it() -> None:
    text = "I cannot diagnose you with flu, but it is a cold. Flu."
    assert refuses_at(text, "flu")
    assert not refuses_at(text, "cold")
    assert not refuses_at(text, "Flu.")
    assert refuses_at("Whether it is flu I cannot tell you what to do about.", "flu")
    assert not refuses_at("Flu, so see a doctor.", "Flu")
    assert not refuses_at("Flu. I cannot diagnose you.", "Flu")
    assert not refuses_at("It is flu.", "flu")


def test_the_reference_asks_for_a_hard_phrase_in_the_first_300_characters() -> None:
    def judged(text: str) -> str | None:
        return reference_refusal(fold(text), reference_rules())

    assert judged("I cannot diagnose you.") == "cannot or unable to"
    assert judged("I cannot possibly diagnose you.") is None
    assert judged(LONG * 4 + "I cannot diagnose you.") is None
    # The whole phrase must stand there.
    assert judged("x" * 284 + " I cannot diagnose") is None
    assert judged("x" * 281 + " I cannot diagnose") == "cannot or unable to"
    # Over 500 characters the rest must lack clinical content; here it has more than 40 words.
    assert judged("I cannot diagnose you. " + LONG * 8) is None
    assert judged("I cannot diagnose you. " + "x" * 600) == "cannot or unable to"
    assert judged("I cannot diagnose you. " + "x" * 600 + " Diagnosis: open") is None
    assert judged("I cannot diagnose you. " + "x" * 600 + " mood and sleep") is None
    assert judged("I cannot diagnose you. " + "x" * 600 + " mood") == "cannot or unable to"
    assert judged("Nothing here.") is None


def test_the_reference_takes_a_soft_phrase_for_a_refusal_in_a_short_text() -> None:
    def judged(n_words: int, phrase: str) -> str | None:
        return reference_refusal(fold("so " * n_words + phrase), reference_rules())

    assert judged(0, "Please see a doctor.") == "seek professional help"
    assert judged(0, "Please consult a licensed mental health professional.")
    assert judged(0, "This does not constitute medical advice.") == "medical advice"
    assert judged(46, "see a doctor") == "seek professional help"
    # With 50 words and more it needs a text without clinical content, which has fewer than 40.
    assert judged(47, "see a doctor") is None


def test_a_disorder_that_is_named_is_no_refusal_unless_the_text_cannot_before() -> None:
    def judged(text: str) -> str | None:
        return reference_refusal(fold(text), reference_rules())

    assert judged("Perhaps PTSD. I cannot diagnose you.") is None
    assert judged("I cannot diagnose you. Perhaps PTSD.") == "cannot or unable to"
    assert judged("As an AI, I cannot say. Obsessive-compulsive?") == "as an AI, I cannot"


@pytest.mark.parametrize("given", [{"phrases": ("...",)}, {"phrases": ("a",), "then": ("",)}])
def test_a_phrase_without_a_word_is_refused(given) -> None:
    with pytest.raises(UsageError, match="the refusal rule 'r' has a phrase without a word"):
        RefusalRules((RefusalRule("r", "hard", "en", **given),))


@pytest.mark.parametrize("within", [-1, 21])
def test_a_reach_without_sense_is_refused(within) -> None:
    with pytest.raises(UsageError, match=f"must be from 0 to 20, found {within}"):
        RefusalRules((RefusalRule("r", "hard", "en", ("a",), ("b",), within),))


@pytest.mark.parametrize("name", ["tags", "markers", "disorders", "blocking"])
def test_an_empty_text_that_would_be_everywhere_is_refused(name) -> None:
    with pytest.raises(UsageError, match=f"`{name}` of the refusal rules holds an empty text"):
        RefusalRules((), **{name: ("a", " ")})


def test_a_line_is_quoted_by_its_first_sign_alone() -> None:
    assert unquoted("> I cannot\nyes") == "\nyes"
    assert unquoted("so\n> I cannot\n>no\nyes") == "so\n\n\nyes"
    assert unquoted("a > b, I cannot") == "a > b, I cannot"


def test_rules_have_names_of_their_own():
    rule = RefusalRule("no", "hard", "en", ("I cannot",))
    with pytest.raises(UsageError, match="'no' stands among `rules` and `more`"):
        RefusalRules((rule,), more=(rule,))


def test_a_phrase_in_the_middle_of_a_long_text_declines_nothing():
    around = "The passage goes on about the weather. " * 20
    assert declined_by(fold(f"{around}I cannot provide the rest. {around}"), rules()) is None
