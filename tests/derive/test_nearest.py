"""The passage that a reader sees beside a quotation that is nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.nearest import LONGEST, Passages

CLAUSE = "The supplier may end this\nagreement at any time. Notice is given in writing."


@pytest.mark.parametrize(
    ("quotation", "passage"),
    [
        # five words in a row, of which four are shared
        ("the supplier can end this", "The supplier may end this"),
        ("NOTICE was given", "Notice is given"),
        # long words outweigh short ones: 'writing' has more letters than 'at any'
        ("at any writing", "writing"),
        ("any time at all", "at any time. Notice"),
        # a passage begins with a shared word, and the text ends before it has four words
        ("given in ink only", "given in writing"),
        ("writing", "writing"),
        ("warranty", None),
        ("...", None),
    ],
)
def test_the_passage_shares_the_most_letters_in_as_many_words(quotation, passage):
    assert Passages(CLAUSE).nearest(quotation) == passage


def test_of_equal_passages_the_first_is_shown_and_a_word_counts_as_often_as_it_is_quoted():
    text = "a cold soup, a cold cold day"
    assert Passages(text).nearest("cold soup") == "cold soup"
    assert Passages(text).nearest("cold cold") == "cold cold"
    assert Passages(text).nearest("cold tea") == "cold soup"


def test_a_long_passage_is_cut():
    found = Passages("word " * 400).nearest("word " * 90)
    assert found is not None
    assert found == ("word " * 90)[:LONGEST] + "..."


words = st.lists(st.sampled_from(["a", "bb", "ccc", "dddd"]), max_size=8)


@given(words, words)
def test_no_other_passage_shares_more(document, quotation):
    text = " ".join(document)
    n = len(quotation)

    def shared(passage):
        return sum(
            len(word) * min(passage.count(word), quotation.count(word)) for word in {*passage}
        )

    every = [document[at : at + n] for at in range(len(document))]
    most = max(map(shared, every), default=0)
    found = Passages(text).nearest(" ".join(quotation))
    first = next(
        (each for each in every if shared(each) == most and each[:1] and each[0] in quotation), None
    )
    assert found == (" ".join(first) if most and first else None)


def test_letters_of_other_alphabets_are_compared_as_they_look():
    text = "Die STRASSE war “naß”, sehr naß."
    assert Passages(text).nearest("die Straße war kalt") == "Die STRASSE war “naß"
    assert Passages(text).nearest("sehr nass kalt") == "naß”, sehr naß"
