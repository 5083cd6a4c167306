"""What a calibration evaluation says, in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator

from assay.artifact import Scalar
from assay.display.numbers import stem
from assay.display.statement import (
    Ends,
    Statement,
    by_side,
    difference,
    named,
    number,
    percentage,
)
from assay.display.wording import level, p_value
from assay.families.calibration.parts import CalibrationArtifact, Forecaster, only

__all__ = ["headline"]

ERROR = "ece"
OFFSET = "cumulative_difference"
TEST, OTHER_TEST = "kuiper_p_value", "spiegelhalter_two_sided_p_value"
COMPARED = ("brier", "nll")
OFFSETS: Ends = {
    -1: (": on the whole it is too sure.", "bad"),
    1: (": on the whole it is not sure enough.", "bad"),
    **dict.fromkeys((0, 2), (": cannot tell whether it is too sure or not sure enough.", "open")),
}


def headline(artifact: CalibrationArtifact) -> Iterator[Statement]:
    """Say whether probabilities mean what they say, and which are better."""
    doubt = 1 - artifact.resampling.level
    for system in artifact.systems:
        yield _test(system, doubt, artifact.resampling.level)
        yield _offset(system)
    for pair in artifact.pairs:
        left, right = (named(artifact.systems[side].name) for side in (pair.left, pair.right))
        for label in (each for each in COMPARED if each in pair.deltas[""]):
            about = artifact.metrics[stem(label)]
            what = about.title.split(":")[0]
            yield difference(pair.deltas[""][label], (left, right), what)


def _test(system: Forecaster, doubt: float, at: float) -> Statement:
    name, numbers = named(system.name), only(system).numbers
    told = f"{name}: expected calibration error {_number(numbers.get(ERROR))}"
    test = numbers.get(TEST)
    if test is None or test.value is None:
        return Statement(f"{told}; no test applies: cannot tell from calibrated.", "open")
    shown = f"{told}. Calibrated probabilities would look as bad with {_chance(test.value)}"
    if test.value < doubt:
        return Statement(f"{shown}: they are not calibrated (at {level(at)}).", "bad")
    other = numbers.get(OTHER_TEST)
    if other is not None and other.value is not None and other.value < doubt:
        found = f"Spiegelhalter's test {_chance(other.value)}"
        return Statement(f"{shown} by Kuiper's test, and by {found}: the tests disagree.", "open")
    return Statement(f"{shown}: cannot tell them from calibrated.", "open")


def _chance(p: float) -> str:
    text = p_value(p)
    return f"p {text[0]} {text[1:]}" if text.startswith("<") else f"p = {text}"


def _number(scalar: Scalar | None) -> str:
    return "not computed" if scalar is None else number(scalar)


def _offset(system: Forecaster) -> Statement:
    name, found = named(system.name), only(system).numbers.get(OFFSET)
    if found is None or found.value is None:
        return Statement(f"{name}: whether it is too sure is undefined.", "open")
    told = f"{name}: the share of right rows minus the mean probability is {percentage(found)}"
    return by_side(told, found.value, found.interval, 0.0, OFFSETS)
