"""Steps of reasoning: where they stand, how they are split, and which ones meet."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.steps import (
    StepMatch,
    match_steps,
    reasoning_block,
    reasoning_steps,
    split_steps,
    token_overlap,
)
from assay.errors import UsageError
from tests import reasoning_oracles as oracles

WORDS = ("low", "mood", "poor", "sleep", "since", "march", "ﬁve", "naïve", "MOOD!", "ß", "-")
sentences = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
few_steps = st.lists(sentences, max_size=4)
cases = st.lists(st.tuples(few_steps, few_steps), max_size=5)


@pytest.mark.parametrize(
    ("text", "first", "whole", "strict"),
    [
        ("Reasoning: a. Diagnosis: b", " a. ", " a. ", " a. "),
        ("DIAGNOSIS: b REASONING: a", "", "DIAGNOSIS: b REASONING: a", ""),
        ("a. Diagnosis: b", "a. ", "a. Diagnosis: b", ""),
        ("Reasoning: a", "Reasoning: a", "Reasoning: a", ""),
        ("a", "a", "a", ""),
        ("<think>t</think>Reasoning: a Diagnosis: b", "t", " a ", " a "),
        ("<THINK>t", "t", "<THINK>t", ""),
        ("<think></think>a", "", "<think></think>a", ""),
        # A capital that grows when it is made small must not move the markers.
        ("İİİ reasoning: a diagnosis: b", " a ", " a ", " a "),
    ],
)
def test_reasoning_is_found_by_convention(text, first, whole, strict) -> None:
    assert reasoning_block(text) == first
    assert reasoning_block(text, block="markers-else-whole") == whole
    assert reasoning_block(text, block="markers") == strict


def test_a_block_of_fewer_than_20_words_has_no_steps() -> None:
    assert split_steps("word " * 19 + "x" * 30) == ["word " * 19 + "x" * 30]
    assert split_steps("word " * 18 + "x" * 30) == []
    assert split_steps("x" * 30, min_tokens=1) == ["x" * 30]


def test_a_sentence_of_20_characters_is_too_short() -> None:
    text = f"{'a' * 20}. {'b' * 21}! {'c' * 25}? - bullet one\n- bullet two."
    wanted = ["b" * 21, "c" * 25, "- bullet one\n- bullet two."]
    assert split_steps(text, min_tokens=1) == wanted
    assert split_steps(text, min_tokens=1, min_characters=19)[0] == "a" * 20


@given(st.text(st.sampled_from("ab .!?\n")), st.integers(0, 3))
def test_steps_are_those_of_the_seed(text, repeats) -> None:
    whole = (text + " some more words to make it long enough. ") * repeats
    found = reasoning_steps(whole, block="markers-else-whole")
    assert found == oracles.steps_of(oracles.between_markers_else_whole(whole))


@given(sentences, sentences)
def test_overlap_is_the_one_of_the_seed(one, other) -> None:
    assert token_overlap(one, other) == oracles.token_overlap(one, other)


@pytest.mark.usefixtures("engine")
@given(cases, st.sampled_from([0.3, 0.5, 0.6, 0.8, 1.0]))
def test_greedy_matching_is_the_one_of_the_seed(drawn, threshold) -> None:
    found = match_steps(drawn, threshold=threshold)
    for number, (steps, gold) in enumerate(drawn):
        kept = [(each.step, each.gold) for each in found.of(number) if each.kept]
        assert kept == oracles.greedy_matches(steps, gold, threshold)
        assert found.n_matched_steps[number] == len(kept)
        np.testing.assert_allclose(found.f1[number], oracles.step_f1(steps, gold, threshold))
        for each in found.of(number):
            assert each.overlap == oracles.token_overlap(steps[each.step], gold[each.gold])


@pytest.mark.usefixtures("engine")
@given(cases, st.sampled_from([0.3, 0.6]))
def test_optimal_matching_has_the_most_pairs_and_then_the_most_overlap(drawn, threshold) -> None:
    found = match_steps(drawn, threshold=threshold, assignment="optimal")
    for number, (steps, gold) in enumerate(drawn):
        pairs = found.of(number)
        n, total = oracles.most_matches(steps, gold, threshold)
        assert len(pairs) == n == found.n_matched_steps[number]
        assert len({each.gold for each in pairs}) == n
        np.testing.assert_allclose(sum(each.overlap for each in pairs), total)


@pytest.mark.usefixtures("engine")
def test_matching_by_hand() -> None:
    gold = ["low mood for weeks", "poor sleep for weeks", "no appetite at all"]
    steps = ["low mood for many weeks", "mood low for weeks", "bright weather outside"]
    found = match_steps([(steps, gold), ([], gold), (steps, [])])
    # 2 * 4 / (5 + 4) and 2 * 4 / (4 + 4): both want the first gold step, the first keeps it.
    assert found.of(0) == (
        StepMatch(step=0, gold=0, overlap=8 / 9, kept=True),
        StepMatch(step=1, gold=0, overlap=1.0, kept=False),
    )
    assert found.of(1) == found.of(2) == ()
    assert found.n_steps.tolist() == [3, 0, 3]
    assert found.n_gold_steps.tolist() == [3, 3, 0]
    assert found.n_matched_steps.tolist() == [1, 0, 0]
    np.testing.assert_allclose(found.f1, [1 / 3, 0.0, 0.0])


@pytest.mark.usefixtures("engine")
def test_optimal_matching_moves_a_step_to_its_second_choice() -> None:
    gold = ["low mood for weeks", "low mood for months"]
    steps = ["low mood for weeks", "low mood for weeks"]
    greedy = match_steps([(steps, gold)])
    optimal = match_steps([(steps, gold)], assignment="optimal")
    assert greedy.n_matched_steps.tolist() == [1]
    assert optimal.n_matched_steps.tolist() == [2]
    assert [each.overlap for each in optimal.of(0)] == [1.0, 0.75]


@pytest.mark.usefixtures("engine")
def test_equal_gold_texts_are_matched_once() -> None:
    found = match_steps([(["low mood", "low mood"], ["low mood", "low mood"])])
    assert found.n_matched_steps.tolist() == [1]
    np.testing.assert_allclose(found.f1, [0.5])


@pytest.mark.usefixtures("engine")
def test_of_gold_steps_that_are_equally_near_the_first_is_taken() -> None:
    found = match_steps([(["low mood now", "mood low then"], ["low mood then", "low mood now"])])
    assert [each.gold for each in found.of(0)] == [1, 0]
    tied = match_steps([(["low mood"], ["mood now low", "low mood then"])])
    assert [(each.gold, each.overlap) for each in tied.of(0)] == [(0, 0.8)]


@pytest.mark.usefixtures("engine")
def test_a_threshold_is_reached_by_what_equals_it() -> None:
    # 3 of 5 and 5 words shared: exactly 0.6.
    steps, gold = ["a b c d e"], ["a b c x y"]
    assert match_steps([(steps, gold)], threshold=0.6).n_matched_steps.tolist() == [1]
    assert match_steps([(steps, gold)], threshold=0.600001).n_matched_steps.tolist() == [0]


@pytest.mark.usefixtures("engine")
def test_nothing_to_match_is_no_error() -> None:
    found = match_steps([])
    assert found.f1.size == found.case.size == 0
    assert match_steps([([], [])]).f1.tolist() == [0.0]
    assert match_steps([([], [])], assignment="optimal").f1.tolist() == [0.0]


@pytest.mark.usefixtures("engine")
def test_half_a_surrogate_pair_is_no_word() -> None:
    found = match_steps([(["low \ud83d mood ok"], ["low mood ok"])])
    assert found.of(0)[0].overlap == 1.0


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.5])
def test_a_threshold_that_is_no_share_is_refused(threshold) -> None:
    with pytest.raises(UsageError, match="`threshold` must be above 0 and at most 1"):
        match_steps([], threshold=threshold)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<THINK> a </Think>b", "a"),
        ("<think>a", "<think>a"),
        ("a</think>b. Diagnosis: c", "a</think>b. "),
        ("REASONING: a DIAGNOSIS: b", " a "),
        ("DIAGNOSIS: b REASONING: a", ""),
        ("<think></think>a", ""),
    ],
)
def test_only_a_block_that_opens_and_closes_is_a_thought_where_asked_for(text, wanted) -> None:
    assert reasoning_block(text, block="think-closed") == wanted
