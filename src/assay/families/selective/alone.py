"""One system in a sentence: how much it answers, at what cost, and its main weakness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.display.first import Mark, Phrase, around, beside, plain, strong, value_of
from assay.display.numbers import excludes
from assay.display.statement import held
from assay.display.wording import count, decimals, fixed
from assay.families.selective.systems import curve_of
from assay.showing import counted

if TYPE_CHECKING:
    from assay.families.selective.first import Seen

__all__ = ["ANSWERED", "CHANCE", "LOSS", "SEPARATION", "failed_of", "one"]

ANSWERED, LOSS, SEPARATION = "cmax", "risk", "error_auroc"
CHANCE = 0.5
FAILING = 0.05
FEWEST_SUREST = 20
"""answers that the surest ones are at least"""


def one(seen: Seen) -> list[Phrase]:
    """Say how much a system answers, what that costs, and what is weak about it."""
    numbers, name = seen.numbers[0], seen.names[0]
    told = [
        strong(f"{name} answers {value_of(numbers[ANSWERED], 'percent')}"),
        plain(" of the items "),
        around(numbers[ANSWERED], "percent"),
        plain(", with a "),
        strong(f"mean loss of {value_of(numbers[LOSS], 'number')}"),
        plain(" "),
        around(numbers[LOSS], "number"),
        plain(". "),
    ]
    return [*told, *_weakness(seen)]


def _weakness(seen: Seen) -> list[Phrase]:
    """Name the first weakness that holds."""
    auroc = seen.numbers[0][SEPARATION]
    side = excludes(held(auroc.value, auroc.interval), CHANCE)
    main = "Main weakness: "
    if auroc.value is not None and side <= 0:
        mark: Mark = "bad" if side < 0 else "open"
        word = "worse than" if side < 0 else "not told from"
        return [strong(main), strong(f"its confidence is {word} chance.", mark)]
    surest = _surest_errors(seen)
    if surest:
        return [strong(main), *surest]
    failed, total = failed_of(seen, 0)
    if total and failed / total > FAILING:
        shown = f"{count(failed)} of {counted(total, seen.unit)} failed."
        return [strong(main), strong(shown, "bad")]
    return []


def _surest_errors(seen: Seen) -> list[Phrase]:
    """Say what the surest answers still cost, where that is clearly more than nothing."""
    curve = curve_of(dict(seen.systems.variants(seen.confidence))[0])
    for at, n in enumerate(curve.n_accepted):
        if n < FEWEST_SUREST:
            continue
        risk, low, high = (
            getattr(curve, f"selective_risk{end}")[at] for end in ("", "_low", "_high")
        )
        if low is None or high is None or not excludes((low, high), 0.0):
            return []
        places = decimals(risk, (high - low) / 4)
        ends = f" ({fixed(low, places)} to {fixed(high, places)})"
        told = f"even the {count(round(n))} answers it is surest of lose {fixed(risk, places)}"
        return [strong(told, "bad"), beside(ends), plain(".")]
    return []


def failed_of(seen: Seen, place: int) -> tuple[int, int]:
    """Return on how many participants a system failed, and how many there are."""
    counts = seen.artifact.inputs[seen.artifact.systems[place].input].counts
    return counts["participants_failed"], counts["participants_total"]
