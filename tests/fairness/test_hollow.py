"""Ways to say less that only some options or other data let pay: each was called better once."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fairness.kins import (
    EVERY,
    KINS,
    ROWS,
    SCALE,
    answers,
    changed,
    claims,
    generated,
    members,
    of_cases,
    verdicts,
    where,
)
from tests.fairness.test_everything import words

RANDOM = np.random.default_rng(5)
WRONG = RANDOM.random(ROWS.size) < 0.3


def said(name, honest, twin, **options):
    return words(KINS[name].compare(honest, twin, **options)).get((1, "better"), set())


def test_one_class_in_all_sets_is_not_better_where_little_is_claimed():
    honest = members(WRONG).assign(s0=1, s1=1)
    twin = changed(s0=1, s1=0, s2=0)(honest)
    for each in (twin, where(ROWS == 0, "s1", 1)(twin)):
        assert not said("sets", honest, each, level=0.2)
    assert "set_size" in said("sets", honest, members(ROWS < 3), level=0.2)


def test_empty_sets_that_name_any_class_are_not_better_in_singletons():
    honest = members(WRONG)
    for name in ("s0", "s1", "s2"):
        honest = where(WRONG, name, 0)(honest)
    twin = where(WRONG, "s0", 1)(honest)
    assert "singleton_rate" not in said("sets", honest, twin)


def test_bounds_that_collapse_are_not_better_in_width_where_little_is_claimed():
    honest = KINS["intervals"].honest
    span = 9 * (honest.up - honest.low)
    wide = honest.assign(low=honest.low - span, up=honest.up + span)
    middle = (honest.low + honest.up) / 2 + 0.1
    found = said("intervals", wide, honest.assign(low=middle, up=middle), level=0.2)
    assert not found & {"interval_width", "width_quantile", "winkler_width", "cwc_width_term"}
    assert "interval_width" in said("intervals", wide, honest, level=0.2)


def test_crossed_bounds_taken_as_they_are_earn_nothing():
    honest = KINS["intervals"].honest
    twin = honest.assign(low=honest.up, up=honest.low)
    for narrow in (0.2, 1.0, 5.0):
        sides = [side.assign(low=side.low * narrow) for side in (honest, twin)]
        assert not said("intervals", *sides, crossed="mapie")


def test_one_answer_to_all_is_not_better_than_abstaining_on_some():
    full = answers(WRONG)
    honest = where(ROWS % 6 == 0, "prediction", np.nan)(full)
    assert "cmax" not in said("selective", honest, full.assign(prediction=0.0))
    assert "cmax" in said("selective", honest, full)


def test_a_single_answer_is_not_better_than_all_of_them():
    honest = answers(WRONG)
    first = np.flatnonzero(~WRONG)[0]
    assert not said("selective", honest, where(first != ROWS, "prediction", np.nan)(honest))


@pytest.mark.parametrize("preset", [None, "reference"])
@pytest.mark.parametrize("snippet", ["e", "so", "The"])
def test_a_quotation_that_many_texts_hold_earns_nothing(snippet, preset):
    honest = verdicts(WRONG)
    twin = of_cases(claims(snippet=snippet), WRONG)(honest)
    options = {"preset": preset} if preset else {}
    assert "snippet_validity" not in said("verdicts", honest, twin, **options)
    assert "snippet_validity" in said("verdicts", honest, verdicts(WRONG & False), **options)


def test_quotations_are_compared_on_the_sources_that_both_quote():
    honest = verdicts(WRONG)
    twin = of_cases(lambda case: {**case, "parsed": {**case["parsed"], "evidences": []}}, WRONG)
    assert "snippet_validity" not in said("verdicts", honest, twin(honest))
    quoting = of_cases(claims(snippet="The soup was cold"), WRONG)
    assert "snippet_validity" in said("verdicts", honest, quoting(honest))


@pytest.mark.parametrize("options", [{"matching": "reference"}, {"preset": "reference"}])
def test_a_judgement_that_names_several_values_is_not_better(options):
    honest = verdicts(WRONG)
    twin = of_cases(claims(judgement="mild or severe"), WRONG)(honest)
    assert "judgement_accuracy" not in said("verdicts", honest, twin, **options)
    assert "judgement_accuracy" in said("verdicts", honest, verdicts(WRONG & False), **options)


@pytest.mark.parametrize("given", SCALE)
def test_one_verdict_for_all_is_not_better_in_its_class_nor_in_consistency(given):
    honest = verdicts(WRONG)
    twin = of_cases(lambda case: {**case, "verdict": given}, EVERY)(honest)
    assert not said("verdicts", honest, twin)


@pytest.mark.parametrize("reading", ["heuristic", "literal"])
@pytest.mark.parametrize(
    "way", ["undecided", "cut off", "a refusal", "an answer that is denied", "a question"]
)
def test_naming_answers_is_not_better_where_phrases_are_looked_for(way, reading):
    honest = generated(WRONG)
    twin = KINS["reasoning"].ways[way](honest)
    assert not said("reasoning", honest, twin, reading=reading)
    assert not said("reasoning", honest, twin, preset="reference")
