"""What a selective evaluation says, in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.artifact import Pair, Scalar
from assay.display.statement import (
    Ends,
    Statement,
    by_side,
    difference,
    excludes,
    held,
    named,
    number,
    percentage,
)
from assay.display.wording import count
from assay.families.selective.parts import SelectiveArtifact
from assay.families.selective.systems import Systems, systems
from assay.showing import inert

__all__ = ["headline"]

MAIN, COMMON = "augrc", "augrc_at_coverage@common"
AREAS = {MAIN: "AUGRC", COMMON: "AUGRC up to the coverage that both reach"}
"""of systems that answer other shares of the items, only the second says which is better"""
SEPARATION = "error_auroc"
CHANCE = 0.5
SEPARATED: Ends = {
    -1: (": worse than chance (50%).", "bad"),
    0: (": cannot tell from chance (50%).", "open"),
    1: (": better than chance (50%).", "good"),
    2: ("; without an interval, cannot tell from chance (50%).", "open"),
}
MOST_CONFIDENCES = 4
"""Of more confidences than these, only the first few differences are told in sentences."""


def headline(artifact: SelectiveArtifact) -> Iterator[Statement]:
    """Say what is answered, how good it is, and which confidence to use, if that can be told."""
    seen = systems(artifact)
    for place, name in enumerate(seen.names):
        ranked = _ranked(seen, place)
        numbers = next(iter(ranked.values()), None)
        if numbers is None:
            continue
        if numbers["risk"].value is None:
            yield _silent(named(name), numbers)
            continue
        yield _answers(named(name), numbers, artifact.parts.loss.name)
        yield from _confidence(named(name), ranked)
    for pair in seen.pairs:
        yield from _compared(seen, pair)


def _silent(name: str, numbers: Mapping[str, Scalar]) -> Statement:
    """Say that there is no answer to judge, and why."""
    why = inert(numbers["risk"].reason or "nothing is answered")
    return Statement(f"{name} has no answer to judge: {why}.", "bad")


def _ranked(seen: Systems, place: int) -> Mapping[str, Mapping[str, Scalar]]:
    """Return the numbers of a system by confidence, the lowest area first."""
    found = {name: sides[place] for name, sides in seen.confidences.items() if place in sides}
    worst = float("inf")

    def area(name: str) -> float:
        value = found[name][MAIN].value
        return worst if value is None else value

    return {name: found[name] for name in sorted(found, key=area)}


def _answers(name: str, numbers: Mapping[str, Scalar], loss: str) -> Statement:
    return Statement(
        f"{name} answers {percentage(numbers['cmax'])} of the items; its answers have a mean"
        f" loss of {number(numbers['risk'])} ({named(loss)})."
    )


def _confidence(name: str, ranked: Mapping[str, Mapping[str, Scalar]]) -> Iterator[Statement]:
    best, *others = ranked
    yield _separation(name, best, ranked[best][SEPARATION])
    if others:
        yield _best(name, ranked)


def _separation(name: str, confidence: str, auroc: Scalar) -> Statement:
    told = f"{name}: {named(confidence)} holds a right answer with more confidence than a wrong one"
    if auroc.value is None:
        return Statement(f"{told}: {number(auroc)}.", "open")
    shown = f"{told} {percentage(auroc)} of the time"
    return by_side(shown, auroc.value, auroc.interval, CHANCE, SEPARATED)


def _best(name: str, ranked: Mapping[str, Mapping[str, Scalar]]) -> Statement:
    best, *others = ranked
    first = ranked[best][MAIN]
    told = (
        f"{name}: of {len(ranked)} confidences {named(best)} has the lowest AUGRC, {number(first)}"
    )
    reaching = [each for each in others if _overlap(first, ranked[each][MAIN])]
    if not reaching:
        return Statement(f"{told}; no other interval reaches into its own.", "good")
    most = ", ".join(named(each) for each in reaching[:3])
    more = f" and {len(reaching) - 3} more" if len(reaching) > 3 else ""  # noqa: PLR2004 - as shown
    return Statement(f"{told}; cannot tell it from {most}{more}: intervals overlap.", "open")


def _overlap(first: Scalar, other: Scalar) -> bool:
    own, its = held(first.value, first.interval), held(other.value, other.interval)
    if own is None or its is None or own[0] == own[1]:
        return True
    return own[1] >= its[0]


def _compared(seen: Systems, pair: Pair) -> Iterator[Statement]:
    left, right = (named(seen.names[side]) for side in (pair.left, pair.right))
    shared = [name for name in seen.confidences if MAIN in seen.deltas(pair, name)]
    for name in shared[:MOST_CONFIDENCES]:
        deltas = seen.deltas(pair, name)
        label = COMMON if deltas["cmax"].delta and COMMON in deltas else MAIN
        yield difference(deltas[label], (left, right), f"{AREAS[label]} under {named(name)}")
    if len(shared) > MOST_CONFIDENCES:
        more = len(shared) - MOST_CONFIDENCES
        others = "one more confidence" if more == 1 else f"{count(more)} more confidences"
        yield Statement(f"{right} against {left}: differences under {others} are in the tables.")
    yield from _longer(seen, pair, shared, left, right)


def _longer(
    seen: Systems, pair: Pair, shared: list[str], left: str, right: str
) -> Iterator[Statement]:
    """Say where one system answers more: the area under a longer curve is larger."""
    answered = seen.deltas(pair, shared[0])["cmax"] if shared else None
    if answered is None or not excludes(held(answered.delta, answered.interval), 0.0):
        return
    more, fewer = (right, left) if (answered.delta or 0.0) > 0 else (left, right)
    yield Statement(
        f"{more} answers more of the items than {fewer}, and the area under a longer curve is"
        " larger: full areas are not judged (augrc_at_coverage@common is).",
        "open",
    )
