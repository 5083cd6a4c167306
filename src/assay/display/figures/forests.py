"""Numbers with their intervals in rows: how things rank, how they differ, where they fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.artifact import Delta, Described, Interval, Scalar
from assay.display.figures import drawing as draw
from assay.display.figures.figure import Figure, Spec, file_name
from assay.display.numbers import DASH, Numbers, arrow, ends, read, stem
from assay.display.wording import count, fixed, p_value

Key = tuple[str, str]
"""row and name"""
Scalars = Mapping[Key, Scalar]
Deltas = Mapping[Key, tuple[Delta, str | None]]
"""a difference, and which side is better"""
STEP, FURTHER = 30, 16
"""pixels of a row, and of each further name in it"""
LOWEST = 44
READINGS = ("differs", "worse", "better", "3", "4", "5", "cannot tell")
"""each at the place of its colour: a warm one for worse, grey where nothing can be told"""
PLACES = 3
APART = ": "
TWO_LINES = (
    f"indexof(datum.label, '{APART}') > 0"
    f" ? [slice(datum.label, 0, indexof(datum.label, '{APART}')),"
    f" slice(datum.label, indexof(datum.label, '{APART}') + {len(APART)})] : datum.label"
)
"""a label of two parts has a line for each, so that neither is cut off"""
CROSSING = (
    "Each dot is a difference on the same cases with its interval; one that crosses the line at"
    " zero cannot tell which is better."
)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of some cases."""

    value: float | None
    interval: Interval
    n: int


@dataclass(frozen=True, slots=True)
class _Forest:
    """What all forests are drawn from."""

    rows: Sequence[draw.Row]
    title: str
    tips: Sequence[draw.Part]
    by: str
    """what colours tell apart"""
    domain: Sequence[str]
    explained: Sequence[str]
    lines: Sequence[draw.Layer] = ()
    others: Sequence[draw.Row] = ()
    """further values of a row, marked by ticks"""


def scalar_forest(numbers: Scalars, title: str, *, at: float | None = None) -> Spec:
    """Draw numbers with their intervals, in the order given, and a line to hold them against."""
    rows = [*_scalar_rows(numbers)]
    names = _names(numbers)
    tips = draw.tips(row="row", name="system", text="value")
    lines = [] if at is None else [draw.reference("x", at, style="zero")]
    return _drawn(_Forest(rows, title, tips, "name", names, names, lines))


def spread_forest(numbers: Scalars, others: Sequence[draw.Row], title: str, *, at: float) -> Spec:
    """Draw numbers with their intervals, and as ticks what else they might have been."""
    rows = [*_scalar_rows(numbers)]
    names = _names(numbers)
    tips = draw.tips(row="row", name="reading", text="value")
    lines = [draw.reference("x", at, style="zero")]
    return _drawn(_Forest(rows, title, tips, "name", names, names, lines, others))


def _scalar_rows(numbers: Scalars) -> Iterator[draw.Row]:
    """Tell every number; the exact interval of a share stands in where resampling has none."""
    cells = Numbers({}).scalars([*numbers.values()])
    for (key, found), cell in zip(numbers.items(), cells, strict=True):
        exact = ends(found.exact_interval, _places) + " exact" if found.exact_interval else ""
        yield {
            **_row(key, found.value, found.interval or found.exact_interval),
            "text": f"{cell.text} {cell.beside or exact}".strip(),
        }


def _places(value: float) -> str:
    return fixed(value, PLACES)


def share_forest(shares: Mapping[Key, Share], title: str, *, at: float | None) -> Spec:
    """Draw shares of cases with their intervals beside the share that is claimed."""
    rows = [
        {**_row(key, each.value, each.interval), **_counted(each)} for key, each in shares.items()
    ]
    names = _names(shares)
    tips = draw.tips(row="row", name="system", text="share", n="n")
    lines = [] if at is None else [draw.reference("x", at)]
    return _drawn(_Forest(rows, title, tips, "name", names, names, lines))


def delta_forest(deltas: Deltas, title: str) -> Spec:
    """Draw differences with their intervals beside the line of no difference."""
    rows = [*_delta_rows(deltas)]
    named = {"name": "difference of", "text": "difference", "p": "p", "reading": "reading"}
    tips = draw.tips(row="row", **named)
    kinds = [each for each in READINGS if any(row["reading"] == each for row in rows)]
    zero = [draw.reference("x", 0.0, style="zero")]
    return _drawn(_Forest(rows, title, tips, "reading", READINGS, kinds, zero))


def _names(found: Iterable[Key]) -> list[str]:
    return [*dict.fromkeys(name for _, name in found)]


def _row(key: Key, value: float | None, interval: Interval) -> dict[str, Any]:
    low, high = interval or (None, None)
    return {"row": key[0], "name": key[1], "value": value, "low": low, "high": high}


def _counted(share: Share) -> dict[str, Any]:
    text = DASH if share.value is None else fixed(share.value, PLACES)
    told = f"{text} {ends(share.interval, _places)}".strip()
    return {"text": f"{told}  n {count(share.n)}", "n": count(share.n)}


def _delta_rows(deltas: Deltas) -> Iterator[draw.Row]:
    for key, (found, _) in deltas.items():
        cell = Numbers({}).delta(found)
        yield {
            **_row(key, found.delta, found.interval),
            "text": f"{cell.text} {cell.beside}".strip(),
            "p": "none" if found.p_value is None else p_value(found.p_value),
            "reading": read(found) or "cannot tell",
        }


def _drawn(forest: _Forest) -> Spec:
    order = [*dict.fromkeys(row["row"] for row in forest.rows)]
    names = [*dict.fromkeys(row["name"] for row in forest.rows)]
    broken = any(APART in row for row in order)
    lines: dict[str, Any] = {"labelExpr": TWO_LINES, "labelOffset": -FURTHER / 2} if broken else {}
    axis = draw.Axis(title=None, grid=False, domain=False, ticks=False, **lines)
    places: dict[str, Any] = {"y": draw.named(draw.Y, "row", order, axis=axis)}
    if len(names) > 1:
        places["yOffset"] = draw.named(draw.YOffset, "name", names)
    base = draw.Chart(draw.data("rows")).encode(
        **places, opacity=draw.shown(), tooltip=[*forest.tips]
    )
    further = FURTHER * (len(names) - 1)
    height = draw.step(max(LOWEST / len(order), STEP + max(further, FURTHER * broken)))
    layers = [*forest.lines, *_ticks(forest, order), *_marks(base, forest)]
    others = {"others": forest.others} if forest.others else {}
    return draw.drawn(draw.layered(*layers), height, rows=forest.rows, **others)


def _ticks(forest: _Forest, order: Sequence[str]) -> Iterator[draw.Layer]:
    if forest.others:
        yield (
            draw.Chart(draw.data("others"))
            .mark_tick(style="other")
            .encode(
                x=draw.number(draw.X, "value", forest.title),
                y=draw.named(draw.Y, "row", order),
                tooltip=draw.tips(row="row", name="reading", text="value"),
            )
        )


def _marks(base: draw.Layer, forest: _Forest) -> Iterator[draw.Layer]:
    scale = draw.Scale(zero=False, nice=True, padding=8)
    where = {"scale": scale, "axis": draw.Axis(tickCount=6, labelFlush=False)}
    colour = draw.coloured(forest.by, forest.domain, forest.explained)
    # A row without an interval has no line: where an end is missing, a browser cannot draw one.
    ended = base.transform_filter("isValid(datum.low) && isValid(datum.high)")
    yield ended.mark_rule(style="interval").encode(
        x=draw.number(draw.X, "low", forest.title, **where), x2=draw.X2(field="high"), color=colour
    )
    dots = base.mark_point(style="estimate").encode(
        x=draw.number(draw.X, "value", forest.title, **where),
        color=colour,
        shape=draw.shaped(forest.by, forest.domain, forest.explained),
    )
    yield dots.properties(name="estimates").add_params(draw.toggle(forest.by))
    yield base.mark_text(style="value", align="left", dx=8).encode(
        x=draw.at(draw.XValue, "width"), text=draw.Text(field="text", type="nominal")
    )


def differences(found: Deltas, what: str, *, main: bool) -> Figure:
    """Draw differences in rows, all of one number or of several in the same unit."""
    pairs = [*dict.fromkeys(pair for _, pair in found)]
    _, better = next(iter(found.values()))
    of = f" of {what} {arrow(better)}".rstrip() if what else ""
    alone = f": {pairs[0]}" if len(pairs) == 1 else ""
    rows = (
        found
        if alone
        else {(f"{row}{APART}{pair}", ""): each for (row, pair), each in found.items()}
    )
    return Figure(
        name=file_name("differences", what) if what else "differences",
        title=f"Paired differences{of}{alone}",
        caption=CROSSING,
        alt=f"Paired differences{of}. {_read(found)}",
        spec=delta_forest(rows, f"Difference{of}"),
        main=main,
    )


def _read(found: Deltas) -> str:
    (row, pair), (first, _) = next(iter(found.items()))
    cell = Numbers({}).delta(first)
    return f"{pair}, {row}: {cell.text} {cell.beside}, {read(first) or 'cannot tell'}."


def paired(
    pairs: Mapping[str, Mapping[str, Delta]],
    labels: Iterable[str],
    metrics: Mapping[str, Described],
) -> Iterator[Figure]:
    """Draw some differences of every pair in one figure, if there are any."""
    found = {
        (label, pair): (deltas[label], metrics[stem(label)].better)
        for label in labels
        for pair, deltas in pairs.items()
        if label in deltas
    }
    if found:
        yield differences(found, "", main=True)
