"""Tokens are laid along the text by bytes, and their means are those of the definitions."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.token_signals import over, token_signals
from assay.produce.signals import NoTokens, aligned
from tests.produce.canned import token


def raw(*tokens, **more):
    return msgspec.Raw(json.dumps({"content": list(tokens), **more}).encode())


def places(text, *tokens, k=5):
    return [(each.start, each.end) for each in aligned(text, raw(*tokens), k)]


def test_a_fence_that_the_server_took_away_does_not_count():
    tokens = [token(each, 0.5) for each in ("```json\n", "{", "}", "\n```", "")]
    assert places("{}", *tokens) == [(0, 1), (1, 2)]


def test_a_token_that_reaches_over_the_edge_of_the_text_counts():
    tokens = [token(" 4", 0.5), token("2\n", 0.5)]
    assert places("42", *tokens) == [(-1, 1), (1, 3)]


def test_of_an_answer_that_is_thought_of_before_it_is_given_the_last_time_counts():
    doubted = [token(each, 0.05) for each in ("{", "2", "}")]
    given = [token(each, 0.99) for each in ("{", "2", "}")]
    told = aligned("{2}", raw(token("Is it ", 0.5), *doubted, token("?</think>", 0.5), *given), 5)
    assert token_signals(told).msp == pytest.approx(0.99)
    assert token_signals(over(told, (1, 2))).msp == pytest.approx(0.99)


def test_halves_of_a_character_are_put_together_by_their_bytes():
    first, second = "é".encode()
    halves = [{"token": "\ufffd", "bytes": [each], "logprob": -1.0} for each in (first, second)]
    assert places("é!", *halves, token("!", 0.5)) == [(0, 1), (1, 2), (2, 3)]


def test_without_bytes_the_tokens_spell_the_text_themselves():
    tokens = [token(each, 0.5, spelled=False) for each in ("Zo", "ë")]
    assert places("Zoë", *tokens) == [(0, 2), (2, 4)]


@pytest.mark.parametrize(
    ("logprobs", "reason"),
    [
        (b"null", "the server returned no logprobs"),
        (b'{"content": null}', "the server returned no logprobs"),
        (b'{"content": []}', "the server returned no logprobs"),
        (b'{"content": [{"token": "a", "prob": 0.5}]}', "missing required field `logprob`"),
        (b'{"tokens": ["a"], "token_logprobs": [-1]}', "the server returned no logprobs"),
        (b'{"content": [{"token": "a", "logprob": null}]}', "Expected `float`, got `null`"),
        (b'{"content": [{"token": "b", "logprob": -1}]}', "the tokens do not spell the answer"),
        (b'{"content": [{"token": "a", "logprob": 0.5}]}', "a logprob is above 0: 0.5"),
        (b'{"content": [{"token": "a", "bytes": [300], "logprob": -1}]}', "are not bytes"),
    ],
)
def test_what_cannot_be_aligned_has_a_reason(logprobs, reason):
    with pytest.raises(NoTokens, match=reason):
        aligned("a", msgspec.Raw(logprobs), 5)


def test_an_empty_answer_has_no_tokens():
    with pytest.raises(NoTokens, match="do not spell"):
        aligned("", raw(token("a", 0.5)), 5)


def test_the_emitted_token_beyond_the_k_alternatives_is_not_one_of_them():
    # A server that adds it sends k + 1 entries; the k largest are those that were asked for.
    sent = [("b", 0.5), ("c", 0.3), ("a", 0.01)]
    (found,) = aligned("a", raw(token("a", 0.01, sent)), 2)
    assert found.alternatives == (math.log(0.5), math.log(0.3))
    assert found.outside
    assert token_signals([found]).n_outside == 1


def test_the_means_are_those_of_the_definitions():
    tokens = aligned(
        "ab",
        raw(token("a", 0.5, [("a", 0.5), ("x", 0.25)]), token("b", 0.2, [("y", 0.6), ("b", 0.2)])),
        2,
    )
    means = token_signals(tokens)
    assert means.msp == pytest.approx((0.5 + 0.2) / 2)
    # The alternatives are renormalized to thirds and to quarters.
    entropies = [
        -(2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3)),
        -(3 / 4 * math.log(3 / 4) + 1 / 4 * math.log(1 / 4)),
    ]
    assert means.pe == pytest.approx(sum(entropies) / 2)
    assert means.energy == pytest.approx((math.log(0.75) + math.log(0.8)) / 2)
    assert (means.count, means.fewest, means.n_outside) == (2, 2, 0)


def test_without_alternatives_there_is_only_the_probability():
    means = token_signals(aligned("a", raw(token("a", 0.5)), 5))
    assert (means.msp, means.pe, means.energy, means.fewest) == (0.5, None, None, 0)


def test_a_logprob_that_stands_for_never_is_no_fault():
    never = {"token": "a", "logprob": -9999.0, "top_logprobs": [{"token": "b", "logprob": 0.00001}]}
    means = token_signals(aligned("a", raw(never), 1))
    assert (means.msp, means.pe, means.energy) == (0.0, 0.0, 0.0)


def test_the_tokens_over_a_span_are_those_that_carry_a_byte_of_it():
    tokens = aligned('{"score": 12}', raw(*(token(e, 0.5) for e in ('{"score":', " 1", "2}"))), 1)
    assert [each.start for each in over(tokens, (10, 12))] == [9, 11]
    assert [each.start for each in over(tokens, (10, 11))] == [9]


@given(st.text(min_size=1, max_size=30), st.data())
def test_any_text_cut_anywhere_is_covered_by_its_tokens(text, data):
    encoded = text.encode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(encoded)))) | {0, len(encoded)})
    pieces = [encoded[a:b] for a, b in pairwise(cuts)]
    tokens = [{"token": "?", "bytes": list(each), "logprob": -0.5} for each in pieces]
    found = aligned(text, raw(*tokens), 1)
    assert [(each.start, each.end) for each in found] == list(pairwise(cuts))
