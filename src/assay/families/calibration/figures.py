"""The figures of a calibration: reliability, cumulative differences, paired differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.display.figures import drawing as draw
from assay.display.figures.figure import Figure, Spec, file_name, told
from assay.display.figures.forests import paired
from assay.display.numbers import minus
from assay.display.wording import count, fixed, level
from assay.families.calibration.parts import (
    CalibrationArtifact,
    CumulativeDifferences,
    Forecaster,
    ReliabilityBin,
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
            {name: only(each).parts.reliability for name, each in systems.items()}
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
            {name: only(each).parts.cumulative for name, each in systems.items()}
        ),
    )


Bins = Mapping[str, Sequence[ReliabilityBin]]
"""by system"""
HEIGHT = 520
STATED, HAPPENED = "Stated probability (mean of the bin)", "Share that came true"
ADDED = "Outcome minus probability, added up per row"
ROWS = "Share of rows, from the smallest probability"
BAND = 0.16
MOST_POINTS = 400
HEADROOM = 5
"""counts fill one part of so many of the height"""
PLACES = 3
HOLLOW = "hollow: no interval"


def reliability_figure(bins: Bins) -> Spec:
    """Draw how often what is stated comes true; of one system also how many rows are in a bin."""
    rows = [row for name, each in bins.items() for row in _bins(name, each)]
    base = draw.Chart(draw.data("bins")).encode(
        x=draw.number(draw.X, "stated", STATED, **draw.unit(5)),
        color=draw.coloured("name", [*bins]),
        opacity=draw.shown(),
        tooltip=[
            draw.tip("name", "system"),
            draw.tip("range", "bin"),
            draw.tip("count", "rows"),
            draw.tip("stated", "mean probability", ".3f"),
            draw.tip("happened", "came true", ".3f"),
            draw.tip("interval", "interval"),
        ],
    )
    happened = draw.number(draw.Y, "happened", HAPPENED, **draw.unit(5, grid=True))
    spans = base.mark_rule(style="interval").encode(
        y=draw.number(draw.Y, "low", HAPPENED), y2=draw.Y2(field="high")
    )
    lines = base.mark_line(style="limit").encode(y=happened)
    marked = base.encode(y=happened, shape=draw.shaped("name", [*bins]))
    dots = marked.transform_filter("!datum.hollow").mark_point(style="estimate")
    named = dots.properties(name="estimates").add_params(draw.toggle("name"))
    # A bin without an interval must not look like one that is certain.
    hollow = marked.transform_filter("datum.hollow").mark_point(style="hollow")
    notes = (
        [draw.note(HOLLOW, x=draw.at(draw.XValue, 0), y=draw.at(draw.YValue, 0))]
        if any(r["hollow"] for r in rows)
        else []
    )
    diagram = draw.layered(_diagonal(), spans, lines, named, hollow, *notes)
    if len(bins) > 1:
        return draw.drawn(diagram, HEIGHT, bins=rows, ends=ENDS)
    both = draw.layered(*_counts(rows), diagram, resolve={"scale": {"y": "independent"}})
    return draw.drawn(both, HEIGHT, bins=rows, ends=ENDS)


ENDS: tuple[draw.Row, ...] = ({"stated": 0, "happened": 0}, {"stated": 1, "happened": 1})


def _diagonal() -> draw.Layer:
    line = draw.Chart(draw.data("ends")).mark_line(style="reference")
    return line.encode(
        x=draw.number(draw.X, "stated", STATED), y=draw.number(draw.Y, "happened", HAPPENED)
    )


def _bins(name: str, bins: Sequence[ReliabilityBin]) -> Iterator[draw.Row]:
    for each in bins:
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


def _counts(rows: Sequence[draw.Row]) -> Iterator[draw.Layer]:
    """Draw how many rows each bin has, low behind the diagram, with the numbers on top."""
    most = max((row["count"] for row in rows), default=1)
    scale = draw.Scale(domain=[0, HEADROOM * most], nice=False)
    base = draw.Chart(draw.data("bins"))
    yield base.mark_rect(style="ground").encode(
        x=draw.number(draw.X, "from", STATED),
        x2=draw.X2(field="to"),
        y=draw.number(draw.Y, "count", None, scale=scale, axis=None),
        y2=draw.Y2(datum=0),
    )
    yield base.mark_text(style="note", baseline="bottom", dy=-3).encode(
        x=draw.number(draw.X, "stated", STATED),
        y=draw.at(draw.YValue, "height"),
        text=draw.Text(field="rows", type="nominal"),
    )


def cumulative_figure(walks: Mapping[str, CumulativeDifferences]) -> Spec:
    """Draw the cumulative differences within the band in which calibrated probabilities stay."""
    rows = [row for name, walk in walks.items() for row in _steps(name, walk)]
    names = [*walks]
    bare = draw.Chart(draw.data("steps")).encode(
        x=draw.number(draw.X, "share", ROWS, **draw.unit(5))
    )
    base = bare.encode(color=draw.coloured("name", names))
    bands = (
        (base if len(names) > 1 else bare)
        .mark_area(style="null")
        .encode(
            y=draw.number(draw.Y, "low", ADDED), y2=draw.Y2(field="high"), opacity=draw.shown(BAND)
        )
    )
    lines = base.mark_line().encode(
        y=draw.number(draw.Y, "difference", ADDED), opacity=draw.shown()
    )
    named = lines.properties(name="lines").add_params(draw.toggle("name"))
    tips = [
        draw.tip("name", "system"),
        draw.tip("share", "share of rows", ".3f"),
        draw.tip("score", "probability up to", ".4~g"),
        draw.tip("difference", "added up", ".4f"),
        draw.tip("inside", "band of calibrated ones"),
    ]
    points = draw.near(base, tips, y=draw.number(draw.Y, "difference", ADDED))
    return draw.drawn(draw.layered(bands, draw.reference("y", 0.0), named, points), steps=rows)


def _steps(name: str, walk: CumulativeDifferences) -> Iterator[draw.Row]:
    for each in draw.even(len(walk.share), MOST_POINTS):
        yield {
            "name": name,
            "share": walk.share[each],
            "score": walk.score[each],
            "difference": walk.difference[each],
            "low": -walk.band[each],
            "high": walk.band[each],
            "inside": f"±{fixed(walk.band[each], PLACES + 1)}",
        }
