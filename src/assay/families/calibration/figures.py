"""The figures of a calibration: reliability, cumulative differences, paired differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.display.figures import drawing as draw
from assay.display.figures.figure import Figure, even, file_name, told
from assay.display.figures.forests import paired
from assay.display.figures.lines import cumulative_figure, reliability_figure
from assay.display.numbers import minus
from assay.display.wording import count, fixed, level
from assay.families.calibration.parts import (
    CalibrationArtifact,
    CalibrationParts,
    Forecaster,
    only,
)
from assay.showing import inert

ERROR, WALK = "ece", "ks_calibration"
COMPARED = (
    *("ece", "debiased_ece", "smooth_ece", "rms_calibration_error", "max_calibration_error"),
    *("top_label_ece", "classwise_ece", "brier", "nll"),
)
BELOW = "On the dashed line what is stated comes true as often as stated; below it less often."
Systems = Mapping[str, Forecaster]


def figures(artifact: CalibrationArtifact) -> Iterator[Figure]:
    """Draw an artifact of one system, or of several."""
    names = draw.labels([each.name for each in artifact.systems])
    systems = dict(zip(names, artifact.systems, strict=True))
    if len(systems) > 1:
        yield _reliability(artifact, systems, "", main=True)
    for name, system in systems.items():
        where = f" of {name}" if len(systems) > 1 else ""
        yield _reliability(artifact, {name: system}, where, main=not where)
    yield _cumulative(systems)
    pairs = {minus(names, pair): pair.deltas[""] for pair in artifact.pairs}
    yield from paired(pairs, COMPARED, artifact.metrics)


def _reliability(
    artifact: CalibrationArtifact, systems: Systems, where: str, *, main: bool
) -> Figure:
    method = only(next(iter(systems.values()))).parts.reliability_interval
    shown = any(each.interval for own in systems.values() for each in only(own).parts.reliability)
    bars = f" Bars: {level(artifact.resampling.level)} {method} intervals." if shown else ""
    counted = "" if len(systems) > 1 else " Grey: how many rows each bin has."
    counted += _hollow(systems)
    return Figure(
        name=file_name("reliability", where.removeprefix(" of")),
        title=f"Reliability{where}",
        caption=f"{BELOW}{bars}{counted}",
        alt=f"Reliability diagram{where}. {_told(ERROR, systems)}",
        spec=reliability_figure(
            [row for name, own in systems.items() for row in _bins(name, only(own).parts)],
            [*systems],
        ),
        main=main,
    )


def _hollow(systems: Systems) -> str:
    """Say what hollow marks are and why, where there are any."""
    filled = [
        each for own in systems.values() for each in only(own).parts.reliability if each.count
    ]
    bare = [each for each in filled if each.interval is None]
    if not bare:
        return ""
    reasons = dict.fromkeys(each.interval_reason or "no resamples were asked for" for each in bare)
    return f" Hollow: bins without an interval ({'; '.join(map(inert, reasons))})."


def _told(label: str, systems: Systems) -> str:
    every = {name: only(each).numbers for name, each in systems.items()}
    numbers = {name: each[label] for name, each in every.items() if label in each}
    return told(label.upper() if label == ERROR else label, numbers) if numbers else ""


def _cumulative(systems: Systems) -> Figure:
    first = only(next(iter(systems.values()))).parts.cumulative
    return Figure(
        name="cumulative-differences",
        title="Cumulative differences",
        caption=(
            "Where the line rises, outcomes are more frequent than stated, where it falls less."
            f" Band: where calibrated probabilities stay at each point with {level(first.level)}"
            " probability, rows being independent."
        ),
        alt=f"Cumulative differences of outcome and probability. {_told(WALK, systems)}",
        spec=cumulative_figure(
            [row for name, own in systems.items() for row in _steps(name, only(own).parts)],
            [*systems],
        ),
    )


MOST_POINTS = 400
PLACES = 3


def _bins(name: str, parts: CalibrationParts) -> Iterator[draw.Row]:
    for each in parts.reliability:
        if each.mean_confidence is None or each.accuracy is None:
            continue
        yield {
            "name": name,
            "from": each.low,
            "to": each.high,
            "range": f"{each.low:.3g} to {each.high:.3g}",
            "count": each.count,
            "rows": count(int(each.count)),
            "stated": each.mean_confidence,
            "happened": each.accuracy,
            **draw.ended(each.interval, PLACES),
            "hollow": each.interval is None,
        }


def _steps(name: str, parts: CalibrationParts) -> Iterator[draw.Row]:
    walk = parts.cumulative
    for each in even(len(walk.share), MOST_POINTS):
        yield {
            "name": name,
            "share": walk.share[each],
            "score": walk.score[each],
            "difference": walk.difference[each],
            "low": -walk.band[each],
            "high": walk.band[each],
            "inside": f"±{fixed(walk.band[each], PLACES + 1)}",
        }
