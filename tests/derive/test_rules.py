"""The grammar of rules: what parses, what it means, and what is said about the rest."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.derive.rules import DEEPEST, LONGEST, names_in, parse_rule, split_rule
from assay.errors import UsageError


def holds(condition, **names):
    return parse_rule(f"{condition} -> V").applies(names)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("SCORE >= 5 → Critical Risk", ("SCORE >= 5", "Critical Risk")),
        ("N_NEGATIVE >= 1 -> Not Recommended", ("N_NEGATIVE >= 1", "Not Recommended")),
        ("else => Low Risk", ("else", "Low Risk")),
        ("a -> b → c", ("a -> b", "c")),
        ("a → b -> c", ("a", "b -> c")),
        ("a → b → c", ("a → b", "c")),
        ("a ->", ("a", "")),
        ("CRITICAL", None),
        ("", None),
    ],
)
def test_rule_is_cut_at_its_last_arrow(text, cut):
    assert split_rule(text) == cut


@pytest.mark.parametrize(
    ("condition", "score", "expected"),
    [
        ("SCORE >= 8", 8, True),
        ("SCORE > 8", 8, False),
        ("SCORE <= 8", 8, True),
        ("SCORE < 8", 8, False),
        ("SCORE == 8", 8, True),
        ("SCORE = 8", 8, True),
        ("SCORE != 8", 8, False),
        ("SCORE ≥ 8", 8, True),
        ("SCORE ≤ 7", 8, False),
        ("SCORE ≠ 7", 8, True),
        ("4 <= SCORE < 8", 8, False),
        ("4 <= SCORE < 8", 4, True),
        ("4 <= SCORE < 8", 3, False),
        ("2 * SCORE + 1 - 3 >= 14", 8, True),
        ("SCORE - 3 - 2 == 3", 8, True),
        ("2 + 2 * 3 == SCORE", 8, True),
        ("(2 + 2) * 2 == SCORE", 8, True),
        ("-SCORE <= -8", 8, True),
        ("--SCORE == 8", 8, True),
        ("SCORE >= .5", 0.5, True),
        ("not SCORE >= 8", 8, False),
        ("not not SCORE >= 8", 8, True),
        ("not (SCORE >= 9 or SCORE <= 1)", 8, True),
        ("SCORE >= 9 OR SCORE >= 8 And SCORE >= 9", 8, False),
        ("(SCORE >= 7 or SCORE >= 8) and SCORE >= 9", 8, False),
        ("SCORE >= 7 or SCORE >= 8 and SCORE >= 9", 8, True),
        ("SCORE \u00d7 2 >= 16", 8, True),
    ],
)
def test_conditions_mean_what_they_say(condition, score, expected):
    assert holds(condition, SCORE=score) is expected


def test_rounding_alone_decides_no_rule():
    assert holds("SCORE >= 0.3", SCORE=0.1 + 0.1 + 0.1)
    assert holds("SCORE <= 0.3", SCORE=0.1 + 0.2)
    assert not holds("SCORE > 0.3", SCORE=0.1 + 0.2)


def test_else_applies_always_in_any_case():
    rule = parse_rule("ELSE -> Low Risk")
    assert rule.condition is None
    assert rule.applies({})
    assert rule.verdict == "Low Risk"
    assert rule.names == frozenset()


def test_names_are_listed():
    rule = parse_rule("SCORE >= HIGH or (N_A + N_B) * 2 > 3 and not K < 50 -> V")
    assert rule.names == {"SCORE", "HIGH", "N_A", "N_B", "K"}
    assert list(names_in(None)) == []


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("CRITICAL", "has no arrow with a verdict after it"),
        ("SCORE >= 8 ->", "has no arrow with a verdict after it"),
        ("-> V", "needs a number, a name or a bracket at character 1, found the end"),
        ("SCORE -> V", "needs a comparison at character 1, found a number"),
        ("SCORE >= -> V", "needs a number, a name or a bracket at character 9, found the end"),
        ("SCORE >= 8 and -> V", "needs a number, a name or a bracket at character 15"),
        ("SCORE >= 8 and 3 -> V", "needs a comparison at character 16, found a number"),
        ("3 or SCORE >= 8 -> V", "needs a comparison at character 1, found a number"),
        ("not 3 -> V", "needs a comparison at character 5, found a number"),
        ("(SCORE >= 8 -> V", "needs a closing bracket at character 12, found the end"),
        ("SCORE >= 8) -> V", r"needs and, or, a comparison or the end at character 11, found '\)'"),
        ("SCORE 8 -> V", "needs and, or, a comparison or the end at character 7, found '8'"),
        ("(SCORE >= 8) >= 1 -> V", "needs a number or a name at character 1, found a comparison"),
        ("1 <= (SCORE >= 8) -> V", "needs a number or a name at character 6, found a comparison"),
        ("2 * (A >= 8) >= 1 -> V", "needs a number or a name at character 5, found a comparison"),
        ("(A >= 8) * 2 >= 1 -> V", "needs a number or a name at character 1, found a comparison"),
        ("-(A >= 8) >= 1 -> V", "needs a number or a name at character 2, found a comparison"),
        ("SCORE >= 8 ; import os -> V", "needs a number, a name or a sign at character 12, found"),
        ("__import__('os') >= 1 -> V", "needs a number, a name or a sign at character 12"),
        ("SCORE.real >= 1 -> V", "needs a number, a name or a sign at character 6, found '.'"),
        ("SCORE >= >= 8 -> V", "needs a number, a name or a bracket at character 10, found '>='"),
    ],
)
def test_what_is_no_rule_is_refused_with_its_place(rule, message):
    with pytest.raises(UsageError, match=message):
        parse_rule(rule)


@pytest.mark.parametrize("opening", ["(", "not ", "-", "-("])
def test_depth_is_bounded(opening):
    with pytest.raises(UsageError, match=f"at most {DEEPEST} brackets and signs inside each other"):
        parse_rule(f"{opening * 200}SCORE >= 8 -> V")


def test_depth_within_the_bound_parses():
    depth = DEEPEST - 1
    assert holds("(" * depth + "SCORE >= 8" + ")" * depth, SCORE=8)


def test_length_is_bounded():
    with pytest.raises(UsageError, match=f"more than {LONGEST}"):
        parse_rule("SCORE >= 8 or " * 100 + "SCORE >= 9 -> V")


numbers = st.integers(-20, 20)
atoms = st.one_of(numbers.map(str), st.just("A"), st.just("B"))
sums = st.recursive(
    atoms,
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
        lambda parts: "({} {} {})".format(*parts)
    ),
    max_leaves=5,
)
comparisons = st.tuples(sums, st.sampled_from((">=", "<=", ">", "<", "==", "!=")), sums).map(
    " ".join
)
conditions = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(("and", "or")), inner).map(
            lambda parts: "({} {} {})".format(*parts)
        ),
        inner.map(lambda each: f"not ({each})"),
    ),
    max_leaves=5,
)


@given(conditions, numbers, numbers)
def test_conditions_agree_with_python(condition, a, b):
    # The test alone evaluates, and only what it wrote itself.
    expected = eval(condition, {"__builtins__": {}}, {"A": a, "B": b})  # noqa: S307
    assert holds(condition, A=a, B=b) is bool(expected)


@given(st.text(max_size=60))
def test_any_text_is_a_rule_or_a_sentence(text):
    for rule in (text, f"{text} -> V"):
        with contextlib.suppress(UsageError):
            assert parse_rule(rule).verdict
