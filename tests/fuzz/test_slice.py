"""A fixed slice of the search: whatever the input, a command ends in a result or in one sentence.

`python -m tests.fuzz` goes on from here; `make soak` does so at length.
"""

from __future__ import annotations

from collections import Counter

import pytest

from assay.cli import COMMANDS
from tests.fuzz.cases import FILELESS, KINDS, case, judged, turn_of
from tests.fuzz.examples import EXAMPLES, WITHOUT_FILES

SEED = 13
ROUNDS = 56
"""how often every command has its turn: 1,008 cases in all"""
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
    assert N_CASES >= 1000
    turns = Counter(map(turn_of, range(N_CASES)))
    for command in EXAMPLES:
        kinds = FILELESS if command in WITHOUT_FILES else KINDS
        counts = [turns[command, kind] for kind in kinds]
        assert sum(counts) == ROUNDS
        assert max(counts) - min(counts) <= 1


def test_the_same_numbers_deal_the_same_case():
    for number in range(0, N_CASES, 67):
        assert case(SEED, number) == case(SEED, number)
    assert case(SEED, 0).asked != case(SEED + 1, 0).asked


def test_no_command_is_left_out():
    assert {command.split()[0] for command in EXAMPLES} == {*COMMANDS}
