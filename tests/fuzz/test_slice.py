"""A fixed slice of the search: whatever the input, a command ends in a result or in one sentence.

`python -m tests.fuzz` goes on from here; `make soak` does so at length.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fuzz.cases import FILELESS, KINDS, case, judged
from tests.fuzz.examples import EXAMPLES, examples

SEED = 13
ROUNDS = 60
"""how often every command has its turn: 1,020 cases in all"""
PARTS = 12
"""so that several processes share the work"""
KNOWN: dict[int, str] = {}
"""cases whose fault is being mended; empty otherwise"""
N_CASES = ROUNDS * len(EXAMPLES)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_case_of_the_slice_has_a_fault(part):
    turns = range(part * ROUNDS // PARTS, (part + 1) * ROUNDS // PARTS)
    numbers = [turn * len(EXAMPLES) + each for turn in turns for each in range(len(EXAMPLES))]
    found = [judged(case(SEED, number)) for number in numbers]
    faulty = {each.case.number: each.faults for each in found if each.faults}
    assert faulty.keys() == KNOWN.keys() & {*numbers}, faulty
    outcomes = Counter(each.outcome for each in found)
    # A search that is always refused, or never, looks at one half of the program only.
    assert min(outcomes["accepted"], outcomes["refused"]) > len(found) / 4


def test_every_command_and_every_kind_of_change_has_its_turn():
    dealt = [case(SEED, number) for number in range(N_CASES)]
    assert N_CASES >= 1000
    assert set(Counter(each.command for each in dealt).values()) == {ROUNDS}
    for command in EXAMPLES:
        kinds = KINDS if examples(command)[0].files else FILELESS
        counts = Counter(each.kind for each in dealt if each.command == command)
        assert counts.keys() == {*kinds}
        assert max(counts.values()) - min(counts.values()) <= 1


def test_the_same_numbers_deal_the_same_case():
    for number in range(0, N_CASES, 7):
        assert case(SEED, number) == case(SEED, number)
    assert [case(SEED, 0), case(SEED + 1, 0)] != [case(SEED, 0)] * 2
