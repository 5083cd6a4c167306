"""What the commands give for small inputs: numbers, files of earlier programs, what is printed."""

from __future__ import annotations

import gzip
import json
from functools import cache

import pytest

from assay import stored
from tests.accessors import deltas, everything, numbers, systems
from tests.golden import commands
from tests.golden.commands import NUMBERS_OF, RESAMPLES, SHOWN_OF, VERSION_1
from tests.golden.test_golden import settled

REGENERATE = "python -m tests.golden.commands"
OLD = sorted(each.name.partition(".")[0] for each in VERSION_1.glob("*.gz"))


def same_machine() -> bool:
    """Say whether even the last bit must be the same."""
    return commands.machine() == commands.MADE_ON.read_text(encoding="utf-8")


def in_order(golden):
    """Sort what has no order of its own."""
    resampling = {"n_all_abstained": [], **golden["resampling"]}
    return {**golden, "conventions": sorted(golden["conventions"]), "resampling": resampling}


@pytest.mark.parametrize("n_resamples", RESAMPLES)
@pytest.mark.parametrize("name", NUMBERS_OF)
def test_every_number_is_as_it_was(name, n_resamples):
    """To the last bit with resamples (on a machine that computes alike), else to 1e-12."""
    path = commands.NUMBERS / f"{name}_{n_resamples}.json"
    expected = in_order(json.loads(path.read_bytes()))
    found = json.loads(json.dumps(commands.golden(name, n_resamples)))
    if not n_resamples or not same_machine():
        found = settled(expected, found)
    assert commands.lines_of(found) == commands.lines_of(expected)


@cache
def seed_files():
    return commands.seed_files()


def seed_paths():
    return sorted(
        each.relative_to(commands.SEEDS).as_posix()
        for each in commands.SEEDS.rglob("*")
        if each.is_file()
    )


def test_the_files_of_earlier_programs_are_the_same_files():
    assert sorted(seed_files()) == seed_paths()


@pytest.mark.parametrize("path", seed_paths())
def test_the_files_of_earlier_programs_are_the_same_to_the_byte(path):
    expected, found = (commands.SEEDS / path).read_bytes(), seed_files()[path]
    if not same_machine() and path.endswith(".json"):
        expected, found = json.loads(expected), json.loads(found)
        found = settled(expected, found)
    assert found == expected


@pytest.mark.parametrize("name", SHOWN_OF)
def test_what_a_command_prints_is_the_same_to_the_byte(name):
    text = commands.shown(name)
    assert text == (commands.SHOWN / name).read_text(encoding="utf-8")


def test_the_numbers_hold_the_cases_that_matter():
    kinds = {name.partition("_")[0] for name in NUMBERS_OF}
    assert kinds == {"calibration", "intervals", "sets", "selective", "verdicts", "reasoning"}
    for kind in ("calibration", "intervals", "sets"):
        undefined = numbers(commands.artifact(f"{kind}_undefined", 50), 0, _only(kind))
        assert any(each["value"] is None and each["reason"] for each in undefined.values())
    groups = commands.golden("calibration_columns", 50)["systems"][0]["variants"][""]["slices"]
    assert list(groups) == ["north", "south"]
    runs = commands.artifact("calibration_runs", 50)
    assert systems(runs) == ["zero_shot", "few_shot"]
    assert deltas(runs, 0, 1)["brier"]["p"] is not None


def _only(kind):
    return "" if kind == "calibration" else "0.90"


@pytest.mark.parametrize("name", OLD)
def test_an_artifact_of_version_1_is_read_and_shown_with_its_numbers(name):
    path = VERSION_1 / f"{name}.json.gz"
    assert json.loads(gzip.decompress(path.read_bytes()))["schema_version"] == "1"
    read = json.loads(stored.encode(stored.read_artifact(str(path))))
    shown = commands.printed("report", str(path), "--format", "csv")
    assert shown.startswith("table,row,better,column,value,low,high,note\n")
    if name != "calibrator":
        # Where a default has changed since, the numbers of then lie beside the artifact.
        then, now = (folder / f"{name}_50.json" for folder in (VERSION_1, commands.NUMBERS))
        expected = in_order(json.loads((then if then.exists() else now).read_bytes()))
        found = json.loads(json.dumps(everything(read)))
        if name.startswith("verdicts"):
            expected = _as_far_as(found, expected)
        if name.startswith("selective"):
            expected = without_later(expected)
        if name.startswith("reasoning"):
            _without_states(found)
        assert found == expected


def _without_states(found):
    """Leave out what version 1 did not tell: what became of cases that were not answered."""
    for system in found["systems"]:
        parts = system["variants"][""]["parts"]
        for state in ("bias_answered", "bias_empty", "bias_failed", "bias_reasked", "bias_refused"):
            del parts[state]
        assert parts.pop("gap_bounds") is None
        assert parts["population"].pop("reasked") == 0


LATER = frozenset(
    (
        *("structured_share", "quoted_share", "judgements_made", "ruled_share", "derived_share"),
        *("mean_risk_at_coverage", "mean_risk_at_coverage@common"),
    )
)


def without_later(held):
    """Take out later numbers; everything else stays to be compared."""
    if isinstance(held, list):
        return [without_later(each) for each in held]
    if not isinstance(held, dict):
        return held
    return {name: without_later(each) for name, each in held.items() if name not in LATER}


def _as_far_as(found, expected):
    """Leave out what version 1 did not have: differences by step and by class, later numbers."""
    expected = without_later(expected)
    # The options of its time are those of version 1.
    expected["conventions"] = found["conventions"]
    for old, new in zip(found["pairs"], expected["pairs"], strict=True):
        for variant, own in new["deltas"].items():
            kept = old["deltas"][variant]
            new["deltas"][variant] = {k: v for k, v in own.items() if k in kept or "@" not in k}
    return expected
