"""What an evaluation gives Python users to hold: numbers by name, tables, pictures, files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from assay.artifact import Artifact, Delta, Pair, Scalar, Slice, System, Variant
from assay.errors import UsageError
from assay.showing import inert, quoted, shortened

if TYPE_CHECKING:
    from assay.display.figures.figure import Figure

FRAMES = ("pandas", "polars", "pyarrow")
"""packages that tables come in, the first that is installed"""
NAN = float("nan")
INFINITE = {"infinite": float("inf"), "minus infinite": float("-inf")}
"""numbers that are null for this reason"""
NO_GROUP = "(none)"
"""the group of rows that name none, which are not all rows"""
COLUMNS = "system", "variant", "group", "metric", "value", "low", "high", "reason", "n"
"""of the table of all numbers; from the fifth on they are those of a number"""
WIDTH = 100


@dataclass(frozen=True, slots=True)
class Number:
    """One number of one system, with its interval; NaN where there is none, and then a reason."""

    name: str
    title: str
    value: float
    low: float
    high: float
    standard_error: float
    reason: str | None
    """why there is no number, or no interval"""
    n: int
    """rows"""
    at_worst: float
    """if everything that was not answered had gone wrong; NaN where all was answered"""
    record: Scalar = field(repr=False)
    """everything that is on record about it"""

    @classmethod
    def of(cls, name: str, title: str, record: Scalar, n: int) -> Number:
        """Read a number from its record."""
        low, high = record.interval or record.exact_interval or (NAN, NAN)
        reason = record.reason
        if reason is None and record.interval is None and record.exact_interval is None:
            reason = record.interval_reason
        value = INFINITE.get(reason or "", _float(record.value))
        spread = _float(record.standard_error)
        return cls(
            name, title, value, low, high, spread, reason, n, _float(record.at_worst), record
        )

    def __float__(self) -> float:
        """Be the number."""
        return self.value

    def __repr__(self) -> str:
        """Show the number with its interval."""
        return f"{inert(self.name)} {_shown(self.value, self.low, self.high, self.reason)}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A number of one system minus that of another, on shared resamples."""

    name: str
    value: float
    low: float
    high: float
    standard_error: float
    reason: str | None
    p_value: float
    p_holm: float
    """corrected for all pairs that are compared in this number"""
    word: str | None
    """better, worse or differs; None where that cannot be said, and then a reason"""
    word_reason: str | None
    record: Delta = field(repr=False)

    @classmethod
    def of(cls, name: str, record: Delta) -> Difference:
        """Read a difference from its record."""
        low, high = record.interval or (NAN, NAN)
        reason = record.reason or record.interval_reason
        value = INFINITE.get(reason or "", _float(record.delta))
        spread = _float(record.standard_error)
        tested = _float(record.p_value), _float(record.p_holm)
        said = record.word, record.word_reason
        return cls(name, value, low, high, spread, reason, *tested, *said, record)

    def __repr__(self) -> str:
        """Show the difference with its interval and its p-value."""
        shown = _shown(self.value, self.low, self.high, self.reason)
        said = self.word or "cannot tell"
        return f"{inert(self.name)} {shown}, p = {self.p_holm:.3g}, {said}"


def _float(value: float | None) -> float:
    return NAN if value is None else value


def _shown(value: float, low: float, high: float, reason: str | None) -> str:
    return f"{value:.4g} [{low:.4g}, {high:.4g}]" if reason is None else f"{value:.4g} ({reason})"


class _Names(Mapping[str, Any]):
    """Something that holds other things by name, and says so where a name is not there.

    A name is what is written: a system that was called 1 is called "1".
    """

    _what = "name"

    def _held(self) -> Mapping[str, Any]:
        raise NotImplementedError

    def __getitem__(self, name: object) -> Any:
        held = self._held()
        if str(name) in held:
            return held[str(name)]
        near = get_close_matches(str(name), held, n=3) or list(held)
        hint = f"choose one of {', '.join(map(shortened, map(inert, near)))}"
        for inner, own in held.items():
            if isinstance(own, Mapping) and name in own:
                hint = f"each has its own, as in [{quoted(inner)}][{quoted(name)}]"
                break
        msg = f"there is no {self._what} {quoted(name)}"
        raise UsageError(msg, hint=hint if held else "there is none at all")

    def __contains__(self, name: object) -> bool:
        return str(name) in self._held()

    def get(self, name: object, default: Any = None) -> Any:
        """Return what is there under a name, or something else."""
        return self._held().get(str(name), default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._held())

    def __len__(self) -> int:
        return len(self._held())


class VariantResult(_Names):
    """All numbers of a system under one variant, by label."""

    _what = "number"

    def __init__(self, artifact: Artifact[Any, Any, Any], record: Variant[Any] | Slice) -> None:
        """Hold a variant, or a group of its rows."""
        self.record = record
        self._metrics = artifact.metrics
        slices = record.slices if isinstance(record, Variant) else []
        self.groups = {each.label: VariantResult(artifact, each) for each in slices}

    def _held(self) -> Mapping[str, Number]:
        return {
            label: Number.of(label, self._title(label), number, self.record.n_rows)
            for label, number in self.record.numbers.items()
        }

    def _title(self, label: str) -> str:
        return self._metrics[label.partition("@")[0]].title

    def __repr__(self) -> str:
        """Show all numbers."""
        return "\n".join(map(repr, self.values()))


def _with_inner(variants: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return variants by name, and what is in the one without a name and in one that is alone."""
    named = {name: each for name, each in variants.items() if name}
    only: Mapping[str, Any] = next(iter(named.values())) if len(named) == 1 else {}
    return {**only, **variants.get("", {}), **named}


class SystemResult(_Names):
    """One system: its variants by name, and with one variant its numbers."""

    _what = "variant or number"

    def __init__(self, artifact: Artifact[Any, Any, Any], record: System[Any, Any]) -> None:
        """Hold a system."""
        self.record, self.name = record, record.name
        self.variants = {
            name: VariantResult(artifact, each) for name, each in record.variants.items()
        }

    def _held(self) -> Mapping[str, Any]:
        return _with_inner(self.variants)

    def __repr__(self) -> str:
        """Show all numbers, variant by variant."""
        parts = [
            f"{inert(name)}\n{each!r}" if name else repr(each)
            for name, each in self.variants.items()
        ]
        return "\n".join([inert(self.name), *parts])


class PairResult(_Names):
    """Two systems: their differences by label, right minus left, or by variant and label."""

    _what = "variant or number"

    def __init__(self, artifact: Artifact[Any, Any, Any], record: Pair) -> None:
        """Hold a pair."""
        self.record = record
        self.left, self.right = (artifact.systems[n].name for n in (record.left, record.right))
        self.variants = {
            variant: {label: Difference.of(label, delta) for label, delta in deltas.items()}
            for variant, deltas in record.deltas.items()
        }

    def _held(self) -> Mapping[str, Any]:
        return _with_inner(self.variants)

    def __repr__(self) -> str:
        """Name the pair."""
        return f"{inert(self.right)} - {inert(self.left)}"


class Result(_Names):
    """An evaluation: look at it, ask it for numbers by name, make tables and pages of it."""

    _what = "system or number"

    def __init__(self, artifact: Artifact[Any, Any, Any]) -> None:
        """Hold an artifact."""
        self.artifact = artifact

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in their order."""
        return [each.name for each in self._all("systems")]

    @property
    def pairs(self) -> list[PairResult]:
        """What was compared with what."""
        return [PairResult(self.artifact, each) for each in self._all("pairs")]

    @property
    def warnings(self) -> list[str]:
        """What to know before believing the numbers."""
        return list(self.artifact.warnings)

    def _held(self) -> Mapping[str, Any]:
        systems = {each.name: SystemResult(self.artifact, each) for each in self._all("systems")}
        only: Mapping[str, Any] = next(iter(systems.values())) if len(systems) == 1 else {}
        return {**only, **systems}

    def _all(self, part: str) -> list[Any]:
        """Return all systems or pairs, which a calibrator has none of."""
        return getattr(self.artifact, part, [])

    def to_frame(self, package: str | None = None) -> Any:
        """Return all numbers, one row each, as a table of pandas, polars or pyarrow.

        Without a `package` it is the first of these that is installed.
        """
        rows = [row for each in self._all("systems") for row in _rows(self.artifact, each)]
        return _frame({name: [row[name] for row in rows] for name in COLUMNS}, package)

    def __repr__(self) -> str:
        """Show what the command shows."""
        return _printed(self.artifact)

    def _repr_html_(self) -> str:
        """Show the numbers that are read first, and the main figure, without a script."""
        from assay.report.page import snippet  # noqa: PLC0415 - only notebooks need it

        return snippet(self.artifact) or f"<pre>{escape(repr(self))}</pre>"

    def figure(self, name: str | None = None) -> Picture:
        """Return a figure by name, the main one without; a notebook shows it, `save` writes it."""
        from assay.report.figures import figures  # noqa: PLC0415 - its packages are optional

        found = {each.name: each for each in figures(self.artifact)}
        if not found:
            raise UsageError("there is nothing to draw")
        chosen = next(iter(found)) if name is None else str(name)
        if chosen not in found:
            starts = [each for each in found if each.startswith(chosen)]
            near = starts or get_close_matches(chosen, found, n=3) or list(found)
            if len(starts) != 1:
                hint = f"choose one of {', '.join(near)}"
                raise UsageError(f"there is no figure {quoted(chosen)}", hint=hint)
            chosen = starts[0]
        return Picture(found[chosen])

    def to_html(self, path: str | Path) -> Path:
        """Write a page that shows everything: one file, nothing else needed."""
        from assay.files import named_path, write  # noqa: PLC0415 - most results are only looked at
        from assay.report.page import page  # noqa: PLC0415 - its packages are optional

        place = named_path(path)
        write(page([self.artifact]), place)
        return place

    def save(self, path: str | Path) -> Path:
        """Write the artifact, whole or not at all; `assay.load` takes it back."""
        from assay.files import named_path, write  # noqa: PLC0415 - most results are only looked at
        from assay.stored import encode  # noqa: PLC0415

        place = named_path(path)
        write(encode(self.artifact), place)
        return place


def _printed(artifact: Artifact[Any, Any, Any]) -> str:
    from io import StringIO  # noqa: PLC0415 - only to be looked at

    from rich.console import Console  # noqa: PLC0415

    from assay.report.console import render  # noqa: PLC0415
    from assay.report.presenters import summary  # noqa: PLC0415

    stream = StringIO()
    render(summary(artifact), Console(file=stream, width=WIDTH, highlight=False))
    return stream.getvalue().rstrip("\n")


class Picture:
    """A figure that a notebook shows and that can be saved."""

    def __init__(self, figure: Figure) -> None:
        """Hold a figure."""
        self.name, self.title, self.spec = figure.name, figure.title, figure.spec
        self.caption, self.alt = figure.caption, figure.alt
        self._figure = figure

    def __repr__(self) -> str:
        """Tell what it shows."""
        return f"{self.name}: {self.alt}"

    def _repr_svg_(self) -> str:
        from assay.report.figures import rendered  # noqa: PLC0415 - optional packages

        return rendered(self._figure, "svg").decode()

    def save(self, path: str | Path) -> Path:
        """Write it as SVG, PNG or PDF, as the name of the file ends."""
        from assay.files import named_path, write  # noqa: PLC0415
        from assay.report.figures import Format, rendered  # noqa: PLC0415

        place = named_path(path)
        form: Any = place.suffix.removeprefix(".").lower()
        if form not in get_args(Format):
            known = ", ".join(f".{each}" for each in get_args(Format))
            raise UsageError(f"{place.name} must end in one of {known}", hint="as in figure.svg")
        write(rendered(self._figure, form, style="paper"), place)
        return place


def _rows(artifact: Artifact[Any, Any, Any], system: System[Any, Any]) -> Iterator[dict[str, Any]]:
    for name, variant in system.variants.items():
        held: list[tuple[str, Variant[Any] | Slice]] = [("", variant)]
        groups = [(each.label or NO_GROUP, each) for each in variant.slices]
        for group, record in [*held, *groups]:
            for number in VariantResult(artifact, record).values():
                found = (getattr(number, column) for column in COLUMNS[4:])
                yield dict(
                    zip(COLUMNS, [system.name, name, group, number.name, *found], strict=True)
                )


def _frame(columns: Mapping[str, list[Any]], package: str | None) -> Any:
    import narwhals as nw  # noqa: PLC0415 - only tables need it

    if package not in (None, *FRAMES):
        raise UsageError(f"`package` must be one of {', '.join(FRAMES)}, found {quoted(package)}")
    for name in FRAMES if package is None else (package,):
        try:
            return nw.from_dict(columns, backend=name).to_native()  # type: ignore[arg-type]  # one of these
        except ModuleNotFoundError:
            continue
    missing = f"{package}, which is not installed"
    if package is None:
        missing = f"one of {', '.join(FRAMES)}, and none is installed"
    raise UsageError(f"a table needs {missing}", hint=f"pip install {package or FRAMES[0]}")
