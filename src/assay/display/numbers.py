"""Numbers of an artifact as cells, rows and tables, in the same way for every family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.artifact import Artifact, Delta, Described, Interval, Number, Scalar
from assay.display.blocks import Cell, Detail, Grid, Row, Section, Tone
from assay.display.wording import count, decimals, fixed, p_value, percent, signed
from assay.showing import inert

Column = tuple[str, Mapping[str, Scalar]]
"""a heading and the numbers under it, by label"""
ARROWS = {"lower": "↓", "higher": "↑", None: ""}
DASH = "\N{EN DASH}"
INFINITIES = {"infinite": "∞", "minus infinite": "\N{MINUS SIGN}∞"}
"""how numbers and differences are shown that are null for this reason"""
MERGED = "an engine merged near values: the exact number surely lies between the ends given"
BRACKET_PLACES = 4
DROPPED = "undefined on some resamples, which are in no interval (n_undefined in the artifact)"
TEST = "p_value"
"""how the labels of numbers end that are p-values themselves"""
TONES: dict[str, Tone] = {"better": "good", "worse": "bad", "differs": "plain"}


def arrow(better: str | None) -> str:
    """Return the direction in which a number improves."""
    return ARROWS[better]


def stem(label: str) -> str:
    """Return the metric that a label begins with.

    Examples
    --------
    >>> stem("risk_at_coverage@0.10")
    'risk_at_coverage'
    """
    return label.partition("@")[0]


def ends(interval: Interval, write: Callable[[float], str] = percent) -> str:
    """Write an interval, in percent unless told otherwise; nothing where there is none."""
    return "" if interval is None else f"[{', '.join(map(write, interval))}]"


def minus(names: Sequence[str], pair: Any) -> str:
    """Name the difference of a pair."""
    return f"{names[pair.right]} minus {names[pair.left]}"


def counts(*numbers: int) -> tuple[Cell, ...]:
    """Show counts."""
    return tuple(Cell(count(each)) for each in numbers)


def share(number: int, total: int) -> Cell:
    """Show a count and the share of a whole that it is."""
    return Cell(count(number), f"({percent(number / total)})" if total else "")


def excludes(interval: Interval, value: float) -> int:
    """Say on which side of a value an interval lies: -1 below, 1 above, 0 it holds the value.

    One without width shows no uncertainty, so it excludes nothing.
    """
    if interval is None or interval[0] == interval[1] or interval[0] <= value <= interval[1]:
        return 0
    return 1 if interval[0] > value else -1


def held(value: Number, interval: Interval) -> Interval:
    """Return an interval if it holds its own number.

    Resampling adds noise, and an error that noise can only raise comes out higher on almost every
    resample than on the sample. Such an interval says nothing about where the number lies.
    """
    if value is None or interval is None or not interval[0] <= value <= interval[1]:
        return None
    return interval


def read(delta: Delta) -> str:
    """Return the word that a difference was given; nothing where it has none."""
    return getattr(delta, "word", None) or ""


def unsaid(delta: Delta) -> tuple[str, ...]:
    """Return why a difference has no word, where its interval alone does not show that."""
    why = getattr(delta, "word_reason", None)
    return (why,) if why and excludes(delta.interval, 0.0) else ()


@dataclass(frozen=True, slots=True)
class Part:
    """One group: its name, its sizes and its numbers."""

    label: str
    sizes: tuple[int, ...]
    numbers: Mapping[str, Scalar]

    @property
    def name(self) -> str:
        """Return the name, also of a group without one."""
        return inert(self.label) or "(none)"


@dataclass(frozen=True, slots=True)
class Sweep:
    """Metrics that were computed at the same several values of one option."""

    option: str
    points: tuple[str, ...]
    """the values, as labels of numbers spell them"""
    metrics: tuple[str, ...]


def sweeps(numbers: Mapping[str, Scalar]) -> tuple[Sweep, ...]:
    """Find the options that take several values."""
    labels: dict[str, list[str]] = {}
    for label in numbers:
        labels.setdefault(stem(label), []).append(label)
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for metric, own in labels.items():
        first, last = numbers[own[0]].options, numbers[own[-1]].options
        swept = [option for option in first if first[option] != last.get(option)]
        points = tuple(label.removeprefix(f"{metric}@") for label in own)
        if len(swept) == 1 and all(label != metric for label in own):
            found.setdefault((swept[0], points), []).append(metric)
    return tuple(Sweep(option, points, tuple(own)) for (option, points), own in found.items())


def unswept(numbers: Mapping[str, Scalar]) -> list[str]:
    """Return the labels of numbers that belong to no sweep."""
    swept = {metric for sweep in sweeps(numbers) for metric in sweep.metrics}
    return [label for label in numbers if stem(label) not in swept]


@dataclass(frozen=True, slots=True)
class Numbers:
    """How the numbers of one artifact are shown."""

    metrics: Mapping[str, Described]
    """title and better side, by metric"""
    resampled: bool = False
    """whether an interval is to be expected; one that is missing is explained then"""
    n_pairs: int = 1
    """with several, p-values are corrected too"""

    @classmethod
    def of(cls, artifact: Artifact[Any, Any, Any]) -> Numbers:
        """Show the numbers of an artifact as it describes them."""
        resampled = artifact.resampling.n_resamples > 0
        return cls(artifact.metrics, resampled, n_pairs=len(artifact.pairs))

    def better(self, label: str) -> str | None:
        """Return which side of a number is better."""
        return self.metrics[stem(label)].better

    def arrow(self, label: str) -> str:
        """Return the direction in which a number improves."""
        return arrow(self.better(label))

    def scalars(self, numbers: Sequence[Scalar]) -> tuple[Cell, ...]:
        """Show numbers to one precision, with their intervals."""
        places = _precision(numbers)
        return tuple(
            cell if number.value is None else self._ended(cell.text, number, places)
            for number, cell in zip(numbers, self.values(numbers), strict=True)
        )

    def values(self, numbers: Sequence[Scalar]) -> tuple[Cell, ...]:
        """Show numbers to one precision, without intervals."""
        places = _precision(numbers)
        return tuple(
            _undefined(number) if number.value is None else Cell(fixed(number.value, places))
            for number in numbers
        )

    def tests(self, numbers: Sequence[Scalar]) -> tuple[Cell, ...]:
        """Show numbers that are p-values themselves."""
        return tuple(
            _undefined(number) if number.value is None else Cell(p_value(number.value))
            for number in numbers
        )

    def percentage(self, number: Scalar) -> Cell:
        """Show a share in percent; where resampling shows no spread, with its exact interval."""
        if number.value is None:
            return _undefined(number)
        exact = number.exact_interval if self.resampled and number.interval is None else None
        if exact is not None:
            return Cell(percent(number.value), f"{ends(exact)} exact")
        beside = _with_worst(number, ends(number.interval), percent)
        beside = _bracketed(number, beside, BRACKET_PLACES)
        return self._noted(Cell(percent(number.value), beside), number)

    def delta(self, number: Delta, write: Callable[[float], str] | None = None) -> Cell:
        """Show a difference with its interval."""
        if number.delta is None:
            return _undefined(number)
        if write is not None:
            return self._noted(Cell(write(number.delta), ends(number.interval, write)), number)
        places = decimals(number.delta, number.standard_error)
        return self._ended(signed(number.delta, places), number, places)

    def _ended(self, text: str, number: Scalar | Delta, places: int) -> Cell:
        beside = ends(number.interval, lambda end: fixed(end, places))
        beside = _bracketed(number, beside, places)
        beside = _with_worst(number, beside, lambda worst: fixed(worst, places))
        return self._noted(Cell(text, beside), number)

    def _noted(self, cell: Cell, number: Scalar | Delta) -> Cell:
        reason = DROPPED if number.n_undefined else None
        if number.interval is None:
            reason = number.interval_reason if self.resampled else None
        merged = MERGED if isinstance(number, Scalar) and number.bracket is not None else None
        return Cell(cell.text, cell.beside, tuple(filter(None, (reason, merged))))

    def row(self, label: str, numbers: Sequence[Scalar]) -> Row:
        """Show one number of several systems."""
        tested = stem(label).endswith(TEST)
        cells = self.tests(numbers) if tested else self.scalars(numbers)
        return Row(label, cells, self.arrow(label))

    def grid(self, title: str, columns: Sequence[Column], labels: Iterable[str]) -> Grid:
        """Show numbers as rows, systems or variants as columns."""
        rows = [self.row(label, [own[label] for _, own in columns]) for label in labels]
        return Grid(title, "", tuple(heading for heading, _ in columns), tuple(rows))

    def swept(self, columns: Sequence[Column], more: str = "") -> Iterator[Grid]:
        """Show the numbers of every sweep, the values of its option as rows."""
        for sweep in sweeps(columns[0][1]):
            metrics = sorted(sweep.metrics, key=lambda each: self.better(each) is not None)
            alone = len(metrics) == 1
            headings, arrows, cells = [], [], []
            for name, own in columns:
                for metric in metrics:
                    found = [own[f"{metric}@{point}"] for point in sweep.points]
                    # A number without a better side only says where the others were read.
                    bare = not alone and self.better(metric) is None
                    cells.append(self.values(found) if bare else self.scalars(found))
                    named = [name] * (alone or len(columns) > 1)
                    headings.append("\n".join([*named, *([] if alone else [metric])]))
                    arrows.append("" if alone else self.arrow(metric))
            title = self.metrics[metrics[-1]].title
            title += f" ({metrics[0]})" if alone else ""
            points = zip(sweep.points, zip(*cells, strict=True), strict=True)
            yield Grid(
                f"{title}{more}",
                sweep.option,
                tuple(headings),
                tuple(Row(at, row) for at, row in points),
                arrow=self.arrow(metrics[0]) if alone else "",
                arrows=tuple(arrows),
            )

    def groups(
        self, title: str, sizes: Sequence[str], parts: Sequence[Part], labels: Sequence[str]
    ) -> Grid:
        """Show groups as rows, their sizes and some numbers as columns."""
        columns = [self.scalars([part.numbers[label] for part in parts]) for label in labels]
        cells = zip(*columns, strict=True) if columns else [()] * len(parts)
        rows = tuple(
            Row(part.name, (*counts(*part.sizes), *own))
            for part, own in zip(parts, cells, strict=True)
        )
        headings = (*sizes, *map(stem, labels))
        arrows = (*[""] * len(sizes), *map(self.arrow, labels))
        return Grid(title, "group", headings, rows, arrows=arrows)

    def by_group(self, artifact: Any, labels: Iterable[str]) -> Iterator[Section]:
        """Show some numbers of every group of cases, and all of them in full."""
        for system in artifact.systems:
            name = inert(system.name)
            of = f", {name}" * (len(artifact.systems) > 1)
            for variant, held in system.variants.items():
                parts = [Part(each.label, (each.n_rows,), each.numbers) for each in held.slices]
                if parts:
                    known = [each for each in labels if each in parts[0].numbers]
                    some = self.groups(f"Groups{of}", ("cases",), parts, known)
                    yield Section("groups", some, system=name, variant=inert(variant))
                    columns = [(part.name, part.numbers) for part in parts]
                    every = self.grid(f"All numbers{of} by group", columns, parts[0].numbers)
                    yield Section("groups", every, name, inert(variant), detail="full")

    @property
    def difference_headings(self) -> tuple[str, ...]:
        """Head the cells of a difference."""
        return ("difference", "p", *(["p (Holm)"] * (self.n_pairs > 1)), "")

    def difference_cells(
        self, delta: Delta, write: Callable[[float], str] | None = None
    ) -> tuple[Cell, ...]:
        """Show a difference, its p-values, and what it means."""
        ps = [delta.p_value, delta.p_holm][: 1 + (self.n_pairs > 1)]
        word = read(delta)
        return (
            self.delta(delta, write),
            *(Cell(DASH if p is None else p_value(p)) for p in ps),
            Cell(word, notes=unsaid(delta), tone=TONES.get(word)),
        )

    def differences(
        self,
        title: str,
        deltas: Mapping[str, Delta],
        detail: Callable[[str], Detail] = lambda _: "short",
    ) -> Grid:
        """Show differences as rows."""
        rows = tuple(
            Row(
                label,
                self.difference_cells(delta),
                self.arrow(label),
                detail=detail(label),
            )
            for label, delta in deltas.items()
        )
        return Grid(title, "", self.difference_headings, rows)


def _bracketed(number: Scalar | Delta, beside: str, places: int) -> str:
    """Say between what a number lies for certain, where an engine merged rows it tells apart."""
    if not isinstance(number, Scalar) or number.bracket is None:
        return beside
    low, high = number.bracket
    least = 10.0**-places
    shown = max(places, decimals(high, high - low)) if high - low < least else places
    return f"{beside} surely {ends((low, high), lambda end: fixed(end, shown))}".strip()


def _with_worst(number: Scalar | Delta, beside: str, write: Callable[[float], str]) -> str:
    """Add the number at worst to what stands beside it, where something was not answered."""
    worst = getattr(number, "at_worst", None)
    return beside if worst is None else f"{beside} at worst {write(worst)}".strip()


def _undefined(number: Scalar | Delta) -> Cell:
    """Show what has no number: that it is infinite, or why it has none."""
    if number.reason in INFINITIES:
        return Cell(INFINITIES[number.reason])
    return Cell(DASH, notes=(number.reason or "undefined",))


def _precision(numbers: Sequence[Scalar]) -> int:
    """Return the decimals that most of the numbers deserve, the more where it is even."""
    places = [
        decimals(each.value, each.standard_error) for each in numbers if each.value is not None
    ]
    return max(set(places), key=lambda each: (places.count(each), each), default=0)
