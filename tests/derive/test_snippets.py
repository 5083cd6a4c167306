"""Quotations: modes, statuses, what looks alike, and where misattributed ones are from."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.derive import elsewhere, snippets
from assay.derive.snippets import (
    MODES,
    Quotation,
    check_quotations,
    checked_against,
    normalized,
)
from tests import verdict_oracles as oracle
from tests.derive.test_hostile_text import limited
from tests.engines import FORMS, under

STRICT, NORMALIZED = (
    {"strict", "normalized", "multi-span", "words"},
    {
        "normalized",
        "multi-span",
        "words",
    },
)
REVIEW = (
    "We said \u201cno peanuts\u201d twice. The waiter \u2013 new, I think \u2013 nodded!\n"
    "Half an hour later my son\u2019s face was swollen, and nobody  cared. Never again\u2026"
)


def modes(snippet, document=REVIEW):
    return set(checked_against(snippet, document)) - {"reference"}


# By hand


@pytest.mark.parametrize(
    ("snippet", "accepted"),
    [
        ("The waiter", STRICT),
        ("my son\u2019s face", STRICT),
        ("my son's face was swollen", NORMALIZED),
        ("MY SON'S FACE", NORMALIZED),
        ('We said "no peanuts" twice.', NORMALIZED),
        ("\u201cmy son's face\u201d", NORMALIZED),
        ("'The waiter - new, I think - nodded!'", NORMALIZED),
        ("\u00abno peanuts\u00bb", NORMALIZED),
        ("nodded! Half an hour later", NORMALIZED),
        ("nodded!\r\n\tHalf an hour", NORMALIZED),
        ("nobody cared", NORMALIZED),
        ("swol\u00adlen, and no\u200bbody", NORMALIZED),
        ("Never again...", NORMALIZED),
        ("\uff34he waiter", NORMALIZED),
        ("We said ... twice. Half an hour later", {"multi-span", "words"}),
        ("the waiter [...] nodded", {"multi-span", "words"}),
        ("The waiter\u2026 nobody cared", {"multi-span", "words"}),
        ("The waiter nodded later twice", {"words"}),
        ("nobody cared ... The waiter nodded", {"words"}),
        ("face swollen", set()),
        ("The chef apologised", set()),
        ("peanuts nodded", set()),
        ("", set()),
        ("   ", set()),
        ("\u201c\u201d", set()),
        ("''''", set()),
        ("\u2026", STRICT),
        ("...", set()),
        ("\u200b", set()),
    ],
)
def test_modes_accept_what_they_say(snippet, accepted):
    assert modes(snippet) == accepted


def test_apostrophes_are_no_quotation_marks():
    assert modes("'tis the waiters' fault", "It 'tis the waiters' fault, really") == STRICT
    assert modes("waiters' fault", "the waiters\u2019 fault") == NORMALIZED


def test_quotation_of_several_lines_is_found():
    assert modes("first line second line", "First line\n\n  second line\n") == NORMALIZED


def test_quotation_never_spans_two_documents():
    documents = {"a": {"r1": "The soup was", "r2": "very cold today"}}
    [checked] = check_quotations([Quotation("a", "r1", "soup was very cold")], documents)
    assert (checked.status, set(checked.valid)) == ("absent", set())


def test_short_parts_are_no_quotation():
    assert modes("we ... I ... my") == {"words"}
    assert modes("we ... I") == set()


def test_parts_must_not_overlap():
    assert modes("half an hour later ... an hour later my son") == {"words"}


# The order of modes


LETTERS = "ab cd eE.!?'\"-\n\t"
TRICKY = "\u2026\u2019\u201c\u201d\u00ad\u200b\u2013\u00e9\u0301\u00df\u0130\ufb01\u03a3\u03c3"
texts = st.text(st.sampled_from(LETTERS + TRICKY), max_size=40)


@given(texts, texts)
@example("e", "e\u0301")
@example("\u03c3", "\u03a3\u03c3")
@example("\u0130", "\u0130x")
def test_laxer_mode_accepts_all_that_a_stricter_accepts(snippet, document):
    accepted = checked_against(snippet, document)
    order = MODES[:-1]
    for stricter, laxer in pairwise(order):
        assert stricter not in accepted or laxer in accepted


@given(texts, st.integers(0, 30), st.integers(1, 20))
def test_every_part_of_a_document_is_valid_in_every_mode(document, first, size):
    snippet = document[first : first + size]
    if snippet.strip():
        assert modes(snippet, document) == STRICT


@given(texts)
def test_normal_form_equals_its_definition_and_its_own_normal_form(text):
    assert normalized(text) == oracle.normalized(text)
    assert normalized(normalized(text)) == normalized(text)


words = st.lists(st.sampled_from(["soup", "cold", "very", "waiter", "again", "it"]), max_size=7)


@given(words, words)
def test_modes_equal_their_definitions_on_words(quoted, source):
    snippet, document = " ".join(quoted), " ".join(source)
    accepted = modes(snippet, document)
    if not snippet:
        assert accepted == set()
        return
    assert ("strict" in accepted) == (snippet in document)
    assert ("words" in accepted) == (snippet in document or oracle.word_shares(quoted, source))


PARTS = ["soup", "soup.", "(cold", "very", "waiter's", "again-it", "s", "it"]
marked = st.lists(st.sampled_from(PARTS), max_size=9).map(" ".join)


MANY_SIGNS = "".join(map(chr, range(0x2190, 0x21C0)))


@given(marked, marked, st.sampled_from(["", " caf\u00e9", "\u20ac", MANY_SIGNS]))
@example("soup cold very it", "soup. (cold very it", "")
@example("cold very soup again-it", "it again very cold soup", "\u20ac")
def test_words_are_held_whichever_way_they_are_looked_for(snippet, document, more):
    accepted = set()
    for engine in FORMS:
        with under(engine):
            accepted.add(frozenset(modes(snippet, document + more)))
    assert len(accepted) == 1
    quoted, source = (re.findall(r"\w+", each) for each in (snippet, document))
    if not accepted.pop() & {"strict", "normalized", "multi-span"}:
        assert ("words" in modes(snippet, document + more)) == oracle.word_shares(quoted, source)


@given(st.lists(words.filter(bool), min_size=1, max_size=3), words)
def test_parts_are_found_wherever_they_can_be_laid_out(parts, source):
    spans = [" ".join(part) for part in parts]
    document = " ".join(source)
    found = "multi-span" in modes(" ... ".join(spans), document)
    expected = oracle.in_order(spans, document) and max(map(len, spans)) >= 10
    assert found == (expected or " ... ".join(spans) in document)


# The reference


@pytest.mark.parametrize(
    ("snippet", "valid"),
    [
        ("THE WAITER", True),
        ("\u201cThe waiter\u201d", False),
        # Words are what stands between white space: the review has `twice.` and `nodded!`.
        ("The waiter nodded later twice", False),
        ("twice The nodded", False),
        ("The waiter nodded! later twice.", True),
        ("twice. The nodded!", True),
        ("We said something. Half an hour later my son. Nobody cared at all", False),
        ("Half an hour later. nobody cared.", True),
        ("Nobody cared. Half an hour later.", True),
        ("half an hour ... nobody cared", True),
        ("nope", False),
        ("", False),
        (" \n\t", False),
        ("...", False),
        (". . .", False),
        ("..............", False),
        ("\u2026", False),
        ("!!!!!!!!!!!!", True),
        ("cared!", False),
        ("nobody cared!", True),
    ],
)
def test_reference_accepts_parts_segments_and_words(snippet, valid):
    assert ("reference" in checked_against(snippet, REVIEW)) is valid


def test_reference_wants_segments_in_rising_places():
    document = "zzz alpha beta gamma, yyy delta epsilon zeta"
    forward, backward = (
        "Alpha beta gamma. Delta epsilon zeta.",
        "Delta epsilon zet. Alpha beta gam.",
    )
    assert "reference" in checked_against(forward, document)
    assert "reference" not in checked_against(backward, document)


def test_reference_drops_segments_under_ten_characters():
    document = "The soup was cold. Fine! Nobody cared about it."
    assert "reference" in checked_against("The soup was cold. Nope! Nobody cared", document)
    assert "reference" not in checked_against("Nope! cold", document)
    assert "reference" not in checked_against("soup cold", document)


PUNCTUATED = ["The soup", "was cold", "again", "and again", "cared", "nobody", "a", "we said so"]
GLUE = [" ", ". ", "! ", "... ", "...", ", ", ".\n", " . ", "  "]
sentences = st.lists(st.tuples(st.sampled_from(PUNCTUATED), st.sampled_from(GLUE)), max_size=8).map(
    lambda parts: "".join(word + glue for word, glue in parts)
)


@given(sentences, sentences)
@example("the soup. was cold again", "The soup was cold again")
@example("x.......... the soup", "The soup")
def test_reference_equals_its_slow_definition(snippet, document):
    for work in (snippets.MUCH_WORK, -1):
        with pytest.MonkeyPatch.context() as patch:
            # With a list of first places and without: both ways are one definition.
            patch.setattr(snippets, "MUCH_WORK", work)
            found = "reference" in checked_against(snippet, document)
        assert found == oracle.reference_accepts(snippet, document)


@given(texts, texts)
def test_reference_equals_its_slow_definition_on_any_text(snippet, document):
    expected = oracle.reference_accepts(snippet, document)
    assert ("reference" in checked_against(snippet, document)) == expected


@given(texts)
def test_marks_around_a_text_come_off_in_pairs(text):
    quoted = normalized(text)
    core = quoted
    while len(core) > 1 and core[0] in "'\"" and core[-1] == core[0]:
        core = core[1:-1].strip()
    assert snippets._unquoted(quoted) == (core if any(map(is_word, core)) else "")


def is_word(character):
    return character.isalnum() or character == "_"


def test_reference_takes_the_whole_where_no_segment_is_long():
    assert "reference" in checked_against("a. b.", "it is A. B. here")
    assert "reference" not in checked_against("a. q.", "it is A. B. here")


# Statuses and other documents


DOCUMENTS = {
    "one": {
        "r1": "The soup was cold and the waiter was rude.",
        "r2": "My steak arrived still frozen inside, twice.",
    },
    "two": {"r3": "A lovely evening with candles and soft music.", "r4": "Fine."},
}


def statuses(*quotations, documents=DOCUMENTS):
    checked = check_quotations([Quotation(*each) for each in quotations], documents)
    return [(each.status, each.found_case, each.found_in) for each in checked]


def test_every_status_has_its_quotation():
    assert statuses(
        ("one", "r1", "The soup was cold"),
        ("one", "r1", "the SOUP was cold"),
        ("one", "r1", "The soup was ... waiter was rude"),
        ("one", "r1", "my steak arrived still frozen"),
        ("one", "r1", "evening with candles"),
        ("one", "r1", "the pasta was green"),
    ) == [
        ("exact", None, None),
        ("normalized", None, None),
        ("stitched", None, None),
        ("misattributed", "one", "r2"),
        ("misattributed", "two", "r3"),
        ("absent", None, None),
    ]


def test_own_case_goes_before_others():
    documents = {"a": {"x": "good soup here today"}, "b": {"y": "nothing", "z": "good soup here"}}
    assert statuses(("b", "y", "good soup here"), documents=documents) == [
        ("misattributed", "b", "z")
    ]


def test_unknown_document_is_known_to_be_unknown():
    quotations = [
        Quotation("one", "r9", "The soup was cold"),
        Quotation("nine", "r1", "The soup was cold"),
        Quotation("nine", "r1", "no such words here"),
    ]
    checked = check_quotations(quotations, DOCUMENTS)
    assert [each.status for each in checked] == ["misattributed", "misattributed", "absent"]
    assert not any(each.known or each.valid for each in checked)


def test_two_words_are_in_many_documents_by_chance():
    assert statuses(("two", "r4", "soft music")) == [("absent", None, None)]


def test_partial_words_at_the_ends_are_found_elsewhere():
    assert statuses(("two", "r4", "teak arrived still froz")) == [("misattributed", "one", "r2")]


def test_words_alone_are_no_quotation():
    [checked] = check_quotations([Quotation("one", "r1", "rude the waiter was cold")], DOCUMENTS)
    assert checked.status == "absent"
    assert "words" in checked.valid


def test_nothing_to_check_is_nothing_checked():
    assert check_quotations([], DOCUMENTS) == []
    assert statuses(("one", "r1", "absent words entirely"), documents={}) == [
        ("absent", None, None)
    ]


def test_search_in_other_cases_is_bounded_and_says_so(monkeypatch):
    monkeypatch.setattr(snippets, "MOST_CANDIDATES", 2)
    documents = {"own": {"r": "nothing"}}
    # All hold every eight characters of the first; only the last holds it whole.
    documents |= {f"c{n}": {"r": "a b c d no, b c d e"} for n in range(4)}
    documents |= {"c4": {"r": "a b c d e"}, "c1": {"r": "a b c d no, b c d e, k l m n o"}}
    late, early = "a b c d e", "k l m n o"
    found = check_quotations([Quotation("own", "r", each) for each in (late, early)], documents)
    assert [(each.status, each.cut_short) for each in found] == [
        ("absent", True),
        ("misattributed", False),
    ]


def test_a_document_that_holds_every_part_of_a_quotation_need_not_hold_it():
    documents = {"own": {"r": "nothing"}, "other": {"r": "a b c d no, b c d e"}}
    assert statuses(("own", "r", "a b c d e"), documents=documents) == [("absent", None, None)]


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), words.map(" ".join)), max_size=6
    ),
    st.dictionaries(
        st.sampled_from("ab"),
        st.dictionaries(st.sampled_from("xyz"), words.map(" ".join), max_size=3),
        max_size=2,
    ),
)
def test_search_finds_what_a_look_at_every_document_finds(quoted, documents):
    quotations = [Quotation(*each) for each in quoted]
    for quotation, checked in zip(quotations, check_quotations(quotations, documents), strict=True):
        own = documents.get(quotation.case, {}).get(quotation.document)
        valid = set() if own is None else checked_against(quotation.snippet, own)
        assert checked.valid == valid
        assert checked.known is (own is not None)
        if "multi-span" in valid:
            assert checked.status in {"exact", "normalized", "stitched"}
            continue
        holders = [
            (case, name)
            for case, of_case in documents.items()
            for name, text in of_case.items()
            if len(quotation.snippet.split()) > 2 and quotation.snippet in text
        ]
        holders.sort(key=lambda place: place[0] != quotation.case)
        assert checked.status == ("misattributed" if holders else "absent")
        assert (checked.found_case, checked.found_in) == (holders[0] if holders else (None, None))


pieces = st.lists(st.sampled_from(["ab cd", " ef gh ", "\u00e9", "x", "\ud800", "a b"]), max_size=9)


@given(
    st.lists(pieces.map("".join).filter(lambda text: len(text) >= 5), min_size=1, max_size=4),
    st.lists(pieces.map("".join), max_size=5),
    st.sampled_from([1, elsewhere.BLOCK]),
)
def test_every_document_that_holds_a_text_is_among_those_that_may(texts, documents, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elsewhere, "BLOCK", block)
        found = elsewhere.holders(texts, documents)
    for text, numbers in zip(texts, found, strict=True):
        assert [*numbers] == sorted(set(numbers))
        assert {n for n, each in enumerate(documents) if text in each} <= {*numbers}


def test_documents_without_a_run_of_bytes_are_not_searched():
    documents = ["nothing here at all", "it was sixteen bytes or more, it was", "it was"]
    assert elsewhere.holders(["was sixteen bytes or", "it was", "it was sixtees"], documents) == [
        [1],
        [1, 2],
        (),
    ]


def test_long_runs_of_dots_and_brackets_are_cut_in_linear_time():
    hostile = "x " + " [ . . ." * 20_000 + "(" * 20_000 + "." * 20_000
    assert modes(hostile, "short") == set()


MARKS, SEGMENTS = 400_000, 20_000


@pytest.mark.parametrize("mark", ['"', '" ', "\u201c"])
def test_many_quotation_marks_are_a_bounded_amount_of_work(mark):
    half = mark * (MARKS // 2)
    with limited():
        assert modes(f"{half}word{half[::-1]}", "a word") == NORMALIZED


def test_many_segments_are_a_bounded_amount_of_work():
    segments = [f"this is segment {number}" for number in range(SEGMENTS)]
    document = f" {'z' * 200} ".join(segments)
    with limited():
        assert "reference" in checked_against(". ".join(segments), document)


def test_quotations_of_one_document_share_what_is_made_of_it():
    documents = {"a": {"r": "(soup) cold, very. [waiter] again"}}
    quoted = ["soup again cold very", "waiter cold soup very", "soup was not like that"]
    found = check_quotations([Quotation("a", "r", each) for each in quoted], documents)
    assert ["words" in each.valid for each in found] == [True, True, False]


@pytest.mark.parametrize(
    "snippet",
    [
        "soup was cold...",
        "soup was cold.",
        "\u2026the soup",
        "[...] soup was cold (...)",
        "rude ...",
    ],
)
def test_an_ellipsis_around_a_quotation_or_a_full_stop_after_it_leaves_one_part(snippet):
    document = "Well, the soup was COLD and they were rude to us"
    [checked] = check_quotations([Quotation("a", "r", snippet)], {"a": {"r": document}})
    assert checked.status == "normalized"
    assert "strict" not in checked.valid


@pytest.mark.parametrize("snippet", ["...", ".", "[...]", "soup ... cold", "soup. cold.", "soup!"])
def test_other_signs_are_no_ellipsis_around_a_quotation(snippet):
    [checked] = check_quotations([Quotation("a", "r", snippet)], {"a": {"r": "the soup was cold"}})
    assert "normalized" not in checked.valid
