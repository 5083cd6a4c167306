"""Steps compared word by word: both forms give the digits of sets of words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engines import FORMS

ALPHABET = "aB1_-. \t\n,'\u00e9\u4e2d"
texts = st.lists(st.text(st.sampled_from(ALPHABET), max_size=12), max_size=4)
cases = st.lists(st.tuples(texts, texts), max_size=4)


def packed(drawn):
    """Return what the kernels take."""
    written = [step.encode() for case in drawn for side in case for step in side]
    start = np.cumsum([0, *map(len, written)])
    counts = np.array([len(side) for case in drawn for side in case], dtype=np.int64)
    return b"".join(written), start, counts.reshape(-1, 2)


def words(step: str) -> set[str]:
    """Return the words: all that is not ASCII is one, capitals beyond ASCII are kept."""
    lower = "".join(each.lower() if each.isascii() else each for each in step)
    kept = (e if not e.isascii() or e.isalnum() or e in "_-" else " " for e in lower)
    return set("".join(kept).split(" ")) - {""}


def dice(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(drawn=cases)
def test_overlaps_are_those_of_sets_of_words(form, drawn) -> None:
    wanted = [dice(words(a), words(b)) for steps, gold in drawn for a in steps for b in gold]
    assert form.step_overlaps(*packed(drawn)).tolist() == wanted


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(data=st.data())
def test_nearest_steps_are_those_of_a_loop(form, data) -> None:
    counts = data.draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=5))
    n_pairs = sum(n * gold for n, gold in counts)
    levels = st.sampled_from([0.0, 0.25, 0.5, 0.6, 1.0])
    overlaps = data.draw(st.lists(levels, min_size=n_pairs, max_size=n_pairs))
    threshold = data.draw(st.sampled_from([0.25, 0.6, 1.0]))
    at, nearest, kept = 0, [], []
    for n, gold in counts:
        taken = set()
        for _ in range(n):
            row = overlaps[at : at + gold]
            at += gold
            best = max([x for x in row if x >= threshold], default=-1.0)
            place = row.index(best) if best > 0 else -1
            nearest.append(place)
            kept.append(int(place >= 0 and place not in taken))
            taken.add(place)
    shape = np.array(counts, dtype=np.int64).reshape(-1, 2)
    found = form.nearest_steps(np.array(overlaps, dtype=float), shape, threshold)
    assert [each.tolist() for each in found] == [nearest, kept]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_many_words_of_one_case_fit(form) -> None:
    many = " ".join(f"w{number}" for number in range(5000))
    found = form.step_overlaps(*packed([([many, "w1 w2"], [many, "w2 x"])]))
    np.testing.assert_allclose(found, [1.0, 2 / 5002, 4 / 5002, 0.5])


READ_AS = bytes(ord(" ") if each in b".," else each for each in range(256))
quoted_texts = st.lists(st.text(st.sampled_from("ab,. \u00e9"), max_size=9), max_size=4)
documents = st.lists(st.tuples(quoted_texts, st.text(st.sampled_from("ab,. \u00e9"))), max_size=4)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(drawn=documents)
def test_words_that_a_document_lacks_are_those_of_sets(form, drawn) -> None:
    written = [text.encode() for quoted, document in drawn for text in (*quoted, document)]
    found = form.lacking_words(
        b"".join(written),
        READ_AS,
        np.cumsum([0, *map(len, written)]),
        np.array([len(quoted) for quoted, _ in drawn], dtype=np.int64),
    )
    sets = [
        (set(text.replace(".", " ").replace(",", " ").split()), document)
        for quoted, document in drawn
        for text in quoted
    ]
    assert found.tolist() == [
        [len(words), len(words - set(document.replace(".", " ").replace(",", " ").split()))]
        for words, document in sets
    ]
