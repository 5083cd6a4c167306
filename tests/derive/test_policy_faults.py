"""What is wrong with a policy is said in a sentence."""

from __future__ import annotations

import math

import pytest

from assay.derive.policies import (
    Bonus,
    Count,
    Field,
    Modifier,
    Policy,
    Recency,
    Threshold,
    Value,
    risk_scale,
)
from assay.derive.policy_faults import policy_faults
from assay.derive.rules import parse_rule

SCALE = ("Low", "High")
SIZE = Field("SIZE", (Value("small"), Value("large", ("big",))))


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"verdicts": ("Low",)}, "needs at least two verdicts, found 1"),
        ({"verdicts": ("Low", "LOW")}, "has two verdicts that read 'low'"),
        ({"verdicts": ("Low", " ")}, "has an empty name among its verdicts"),
        (
            {"verdict_synonyms": {"meh": "Middle"}},
            "calls 'meh' the verdict 'Middle', which is not on its scale",
        ),
        (
            {"verdict_synonyms": {"low": "High"}},
            "calls 'low' another verdict although it is one itself",
        ),
        ({"adverse": "Bad"}, "names the adverse verdict 'Bad', which is not on its scale"),
        ({"steps": (2,)}, "is cut at position 2, and its scale has 2 verdicts"),
        ({"steps": (0,)}, "is cut at position 0, and its scale has 2 verdicts"),
        (
            {"fields": (SIZE, Field("COLOUR", synonyms=("size",)))},
            "has two fields that read 'size'",
        ),
        (
            {"fields": (Field("SIZE", (Value("small"), Value("tiny", ("Small",)))),)},
            "has two values of SIZE that read 'small'",
        ),
        (
            {"fields": (Field("SIZE", (Value("small"),), neutral=("none",)),)},
            "names 'none' as neutral, which is not a value of SIZE",
        ),
        (
            {"fields": (SIZE,), "modifiers": (Modifier("Huge", "SIZE", ("huge",)),)},
            "names 'huge' by 'Huge', which is not a value of SIZE",
        ),
        (
            {"modifiers": (Modifier("Huge", "SIZE", ("huge",)),)},
            "asks for the field 'SIZE' by 'Huge', which it does not have",
        ),
        (
            {"fields": (SIZE,), "counts": (Count("N", (("SIZE", ("huge",)),)),)},
            "names 'huge' by N, which is not a value of SIZE",
        ),
        (
            {"only": {"SIZE": ("small",)}},
            "asks for the field 'SIZE' as the only ones that count, which it does not have",
        ),
        (
            {"bonuses": (Bonus("b", "x", (), math.inf),)},
            "holds a number that is not finite",
        ),
        (
            {"bonuses": (Bonus("b", "x", (), 1e308),)},
            "holds a number beyond 1e+15, and points are added up",
        ),
        (
            {"fields": (SIZE,), "modifiers": (Modifier("m", "SIZE", ()),)},
            "has no value of SIZE that 'm' means",
        ),
        (
            {"recency": Recency(2022, ((3, 1), (2, 0.5)), 0.1)},
            "must list its recency weights from the youngest age to the oldest",
        ),
        ({"thresholds": (Threshold("SCORE", 1),)}, "has two numbers that read 'score'"),
        (
            {"thresholds": (Threshold("A", 1),), "counts": (Count("A", ()),)},
            "has two numbers that read 'a'",
        ),
        (
            {"rules": (parse_rule("else -> Mid"),)},
            "has a rule for 'Mid', which is not on its scale",
        ),
        (
            {"rules": (parse_rule("else -> Low"), parse_rule("SCORE > 1 -> High"))},
            "has rules after `else`, which never apply",
        ),
        (
            {"rules": (parse_rule("N_X > LIMIT -> High"),), "thresholds": (Threshold("LIMIT", 1),)},
            "has a rule that asks for N_X, and knows only K, LIMIT, N_EVIDENCE, SCORE",
        ),
    ],
)
def test_fault_is_named(parts, fault):
    assert list(policy_faults(Policy(**{"id": "p", "verdicts": SCALE, **parts}))) == [fault]


def test_sound_policies_have_no_faults():
    sound = Policy(
        id="p",
        verdicts=SCALE,
        steps=(1,),
        adverse="High",
        fields=(SIZE,),
        only={"SIZE": ("large",)},
        recency=Recency(2022, ((1, 1), (2, 0.5)), 0.1),
        rules=(parse_rule("N_EVIDENCE * 2 > K -> High"), parse_rule("else -> Low")),
    )
    assert list(policy_faults(sound)) == []
    assert list(policy_faults(risk_scale())) == []
