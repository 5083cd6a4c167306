"""The artifacts of grounded verdicts, to 1e-12 and otherwise to the byte."""

from __future__ import annotations

import json

import msgspec
import pytest

from tests.golden.test_golden import settled
from tests.golden.verdicts import CASES, EXPECTED, golden


@pytest.mark.parametrize("name", CASES)
def test_numbers_agree_to_1e_12_and_all_else_to_the_byte(engine, name):
    """Run `python -m tests.golden.verdicts` when a difference is meant."""
    expected = (EXPECTED / name).read_bytes()
    found = settled(json.loads(expected), json.loads(golden(name)))
    text = msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
    assert text.decode() == expected.decode()


def test_the_reference_differs_where_its_conventions_do():
    default, reference = (
        json.loads((EXPECTED / name).read_bytes())["systems"][0]["parts"]["counted"]
        for name in CASES
    )
    changed = {
        label
        for label in default
        if (default[label]["numerator"], default[label]["denominator"])
        != (reference[label]["numerator"], reference[label]["denominator"])
    }
    assert "judgement_accuracy" in changed
    assert "evidence_precision" not in changed
