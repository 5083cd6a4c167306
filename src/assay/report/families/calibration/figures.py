"""The figures of a calibration: reliability, cumulative differences, paired differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.artifacts.calibration import CalibrationArtifact, CalibrationSystem
from assay.display.figures.drawing import labels
from assay.display.figures.figure import Figure
from assay.display.figures.words import file_name, paired, told
from assay.display.numbers import minus
from assay.display.wording import level
from assay.report.families.calibration.reliability import cumulative_figure, reliability_figure
from assay.report.families.version1 import described
from assay.showing import inert

__all__ = ["figures"]

ERROR, WALK = "ece", "ks_calibration"
COMPARED = (
    "ece",
    "debiased_ece",
    "smooth_ece",
    "rms_calibration_error",
    "max_calibration_error",
    "top_label_ece",
    "classwise_ece",
    "brier",
    "nll",
)
BELOW = "On the dashed line what is stated comes true as often as stated; below it less often."
Systems = Mapping[str, CalibrationSystem]


def figures(artifact: CalibrationArtifact) -> Iterator[Figure]:
    """Draw an artifact of one system, or of several."""
    names = labels([each.name for each in artifact.systems])
    systems = dict(zip(names, artifact.systems, strict=True))
    if len(systems) > 1:
        yield _reliability(artifact, systems, "", main=True)
    for name, system in systems.items():
        where = f" of {name}" if len(systems) > 1 else ""
        yield _reliability(artifact, {name: system}, where, main=not where)
    yield _cumulative(systems)
    pairs = {minus(names, pair): pair.deltas for pair in artifact.pairs}
    yield from paired(pairs, COMPARED, described(*pairs.values()))


def _reliability(
    artifact: CalibrationArtifact, systems: Systems, where: str, *, main: bool
) -> Figure:
    method = next(iter(systems.values())).reliability_interval
    shown = any(each.interval for own in systems.values() for each in own.reliability)
    bars = f" Bars: {level(artifact.resampling.level)} {method} intervals." if shown else ""
    counted = "" if len(systems) > 1 else " Grey: how many rows each bin has."
    counted += _hollow(systems)
    return Figure(
        name=file_name("reliability", where.removeprefix(" of")),
        title=f"Reliability{where}",
        caption=f"{BELOW}{bars}{counted}",
        alt=f"Reliability diagram{where}. {_told(ERROR, systems)}",
        spec=reliability_figure({name: each.reliability for name, each in systems.items()}),
        main=main,
    )


def _hollow(systems: Systems) -> str:
    """Say what hollow marks are and why, where there are any."""
    filled = [each for own in systems.values() for each in own.reliability if each.count]
    bare = [each for each in filled if each.interval is None]
    if not bare:
        return ""
    reasons = dict.fromkeys(each.interval_reason or "no resamples were asked for" for each in bare)
    return f" Hollow: bins without an interval ({'; '.join(map(inert, reasons))})."


def _told(label: str, systems: Systems) -> str:
    numbers = {name: each.metrics[label] for name, each in systems.items() if label in each.metrics}
    return told(label.upper() if label == ERROR else label, numbers) if numbers else ""


def _cumulative(systems: Systems) -> Figure:
    first = next(iter(systems.values())).cumulative
    return Figure(
        name="cumulative-differences",
        title="Cumulative differences",
        caption=(
            "Where the line rises, outcomes are more frequent than stated, where it falls less."
            f" Band: where calibrated probabilities stay at each point with {level(first.level)}"
            " probability, rows being independent."
        ),
        alt=f"Cumulative differences of outcome and probability. {_told(WALK, systems)}",
        spec=cumulative_figure({name: each.cumulative for name, each in systems.items()}),
    )
