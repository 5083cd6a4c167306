"""Small run files and the artifacts they must give."""

from __future__ import annotations

import csv
import json
import math
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from tests import oracles
from tests.golden.regenerate import CASES, HERE, PLAIN, golden


def settled(expected: Any, found: Any) -> Any:
    """Return what was found, with the expected number wherever the two agree to 1e-12."""
    if type(expected) is float and type(found) is float:
        near = math.isclose(expected, found, rel_tol=1e-12, abs_tol=1e-12)
        return expected if near else found
    if type(expected) is dict and type(found) is dict:
        return {key: settled(expected.get(key), value) for key, value in found.items()}
    if type(expected) is list and type(found) is list and len(expected) == len(found):
        return [settled(*pair) for pair in zip(expected, found, strict=True)]
    return found


@pytest.mark.parametrize("name", CASES)
def test_numbers_agree_to_1e_12_and_all_else_to_the_byte(engine, name):
    """Run `python -m tests.golden.regenerate` when a difference is meant."""
    expected = (HERE / "expected" / name).read_bytes()
    found = settled(json.loads(expected), json.loads(golden(name)))
    text = msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
    assert text.decode() == expected.decode()


def test_a_number_that_moved_is_noticed():
    expected = {"a": [1.0, 2.0], "b": None}
    assert settled(expected, {"a": [1.0 + 1e-14, 2.0], "b": None}) == expected
    for moved in ({"a": [1.001, 2.0], "b": None}, {"a": [1.0], "b": None}, {"b": None}):
        assert settled(expected, moved) == moved != expected
    assert list(settled(expected, {"b": None, "a": []})) == ["b", "a"]


@pytest.mark.parametrize(
    ("name", "power", "reading"),
    [("plain_plateau.json", 2, "plateau"), ("plain_item_step.json", 1, "step")],
)
def test_the_stored_areas_are_those_of_the_slow_definition(name, power, reading):
    cells = list(csv.DictReader((HERE / PLAIN).read_text(encoding="utf-8").splitlines()))
    rows = [
        oracles.Row(
            abs(Fraction(cell["prediction"] or "0") - Fraction(cell["truth"])) ** power,
            float(cell["confidence"]),
            cell["prediction"] != "",
        )
        for cell in cells
    ]
    variant = json.loads((HERE / "expected" / name).read_bytes())["confidence_variants"][
        "confidence"
    ]
    for key, area in (("aurc_full", oracles.aurc), ("augrc_full", oracles.augrc)):
        assert variant[key] == pytest.approx(float(area(rows, reading=reading)), rel=1e-12)
    for at, point in variant["mae_grid"].items():
        exact = oracles.risk_at_coverage(rows, at, reading=reading)
        assert point["value"] == (None if exact is None else pytest.approx(float(exact)))


def test_the_files_hold_the_cases_that_matter():
    comparison = json.loads((HERE / "expected" / "comparison.json").read_bytes())
    first, second = (each["counts"] for each in comparison["inputs"])
    assert first["participants_failed"] == 1
    assert second["participants_failed"] == 1
    assert first["participants_without_prediction"] == 1
    assert comparison["comparison"]["overlap_included"] == 5
    plain = json.loads((HERE / "expected" / "plain_item_step.json").read_bytes())
    assert plain["population"]["items_total"] == 3 * plain["population"]["participants_included"]
