"""The artifacts of reasoning, to 1e-12 and otherwise to the byte."""

from __future__ import annotations

import json

import msgspec
import pytest

from tests.accessors import numbers
from tests.golden.reasoning import CASES, EXPECTED, golden
from tests.golden.test_golden import settled


@pytest.mark.parametrize("name", CASES)
def test_numbers_agree_to_1e_12_and_all_else_to_the_byte(engine, name):
    """Run `python -m tests.golden.reasoning` when a difference is meant."""
    expected = (EXPECTED / name).read_bytes()
    found = settled(json.loads(expected), json.loads(golden(name)))
    text = msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
    assert text.decode() == expected.decode()


def test_the_files_hold_the_cases_that_matter():
    found = json.loads((EXPECTED / "reasoning.json").read_bytes())
    parts = [each["parts"] for each in found["systems"]]
    guarded = parts[0]["population"]
    assert guarded["cot"]["refused"] + guarded["direct"]["refused"] > 0
    assert guarded["direct"]["not_ok"] == 1
    assert parts[1]["population"]["duplicates"] == 1
    assert found["resampling"]["unit"] == "persona"
    assert parts[0]["sensitivity"]["sign_depends"]
    seed = json.loads((EXPECTED / "reasoning_seed.json").read_bytes())
    assert seed["conventions"]["reading"] == "literal"
    assert numbers(seed)["accuracy_cot"]["value"] == 0.0
