"""Whether a table is a unit table, whole and sound, and whether tables are parts of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import ArtifactError, UsageError
from assay.showing import counted, quoted
from assay.sources.limbs import LIMBS
from assay.sources.unit_table import ROWS, UNIT, About

if TYPE_CHECKING:
    from assay.sources.unit_table import UnitTable

__all__ = ["check_parts", "check_units"]

AGAIN = "make it again with `assay.unit_table`"
KNOWN = ("assay unit table", 1)
SIDES = 16
SAME = ("cluster", "keys", "truth", "pairs", "cuts", "closed", "mean", "seed")
"""what two tables must have in common to be parts of one, beside what was asked for"""


def check_units(units: UnitTable, path: str) -> None:
    """Refuse a table that is not as it was made: another version, changed columns, lost rows."""
    about, table = units.about, units.table
    if (about.format, about.version) != KNOWN:
        found = f"version {about.version} of {quoted(about.format)}"
        msg = f"{path} is {found}, and this program reads version {KNOWN[1]} of {quoted(KNOWN[0])}"
        raise ArtifactError(msg, hint="finish it with the program that made it, or make it again")
    wanted = {name: (kind, null) for name, kind, null in _columns(about)}
    names = [*table.column_names]
    for name in wanted:
        if names.count(name) != 1:
            what = "has two columns" if name in names else "lacks the column"
            raise ArtifactError(f"{path} {what} {quoted(name)}", hint=AGAIN)
    odd = [name for name in names if name not in wanted]
    if odd:
        raise ArtifactError(f"{path} has a column {quoted(odd[0])} of its own", hint=AGAIN)
    for name, (kind, null) in wanted.items():
        _check_column(table.column(name), name, kind, null=null, path=path)
    _check_counts(units, path)


def _columns(about: About) -> Iterator[tuple[str, str, bool]]:
    """Yield the columns of a unit table: name, kind, and whether cells may be empty."""
    yield UNIT, "id", True
    yield from ((name, "any", True) for name in about.keys)
    for name, grid in {**about.ranked, **about.summed}.items():
        if not grid.merged:
            yield name, "number", True
            continue
        if name in about.ranked:
            yield f"{name}.cell", "cell", True
            if about.cuts:
                yield f"{name}.cut", "whole", True
        else:
            yield f"{name}.held", "whole", False
        yield from ((f"{name}.{end}", "number", True) for end in ("min", "max"))
        yield from ((f"{name}.{limb}", "whole", False) for limb in range(LIMBS))
    yield ROWS, "whole", False
    if about.truth is not None:
        yield from ((f"y.{end}", "number", False) for end in ("min", "max"))
    for place in range(len(about.pairs)):
        yield f"side.{place}", "whole", False
        for what in ("width", "excess"):
            yield from ((f"{what}{place}.{limb}", "whole", False) for limb in range(LIMBS))


def _check_column(column: Any, name: str, kind: str, *, null: bool, path: str) -> None:
    import pyarrow as pa

    of, where = column.type, f"{path}: {quoted(name)}"
    nothing = pa.types.is_null(of)
    sound = {
        "any": True,
        "id": not pa.types.is_floating(of) and not pa.types.is_nested(of),
        "whole": pa.types.is_int64(of) or (null and nothing),
        "number": pa.types.is_float64(of) or (null and nothing),
        "cell": pa.types.is_float64(of) or pa.types.is_int64(of) or (null and nothing),
    }[kind]
    if not sound:
        words = {"id": "ids", "whole": "whole numbers of 64 bits", "number": "doubles"}.get(
            kind, "cells"
        )
        raise ArtifactError(f"{where} must hold {words}, found {of}", hint=AGAIN)
    if column.null_count and not null:
        msg = f"{where} is empty in {counted(column.null_count, 'row')}"
        raise ArtifactError(msg, hint=AGAIN)
    if kind in {"number", "cell"} and not nothing:
        values = column.drop_null().to_numpy()
        if not np.isfinite(values).all():
            raise ArtifactError(f"{where} must hold finite numbers", hint=AGAIN)


def _check_counts(units: UnitTable, path: str) -> None:
    about, table = units.about, units.table
    rows = table.column(ROWS).to_numpy()
    if not rows.size:
        raise ArtifactError(f"{path} holds nothing", hint="leave it out: it stands for no rows")
    if (rows < 1).any():
        msg = f"{path}: {quoted(ROWS)} must be 1 or more, found {rows.min()}"
        raise ArtifactError(msg, hint=AGAIN)
    if int(rows.sum()) != about.n_rows:
        msg = f"{path} counts {int(rows.sum()):,} rows, and was made of {about.n_rows:,}"
        raise ArtifactError(msg, hint=f"rows of it were lost or added; {AGAIN}")
    if about.n_buckets is not None:
        unit = table.column(UNIT).to_numpy()
        if (unit < 0).any() or (unit >= about.n_buckets).any():
            msg = f"{path}: {quoted(UNIT)} must be a bucket of {about.n_buckets}"
            raise ArtifactError(msg, hint=AGAIN)
    for place in range(len(about.pairs)):
        side = table.column(f"side.{place}").to_numpy()
        if ((side < 0) | (side >= SIDES) | (side % 4 == 3)).any():  # noqa: PLR2004 - both sides
            raise ArtifactError(f"{path}: 'side.{place}' holds no side", hint=AGAIN)


def check_parts(tables: Sequence[UnitTable], paths: Sequence[str]) -> None:
    """Refuse tables that are no parts of one: made otherwise, or of the same rows."""
    first = tables[0]
    for other, path in zip(tables[1:], paths[1:], strict=True):
        for left, right in _differing(first.about, other.about):
            made = f"{paths[0]} was made {left}, {path} {right}"
            raise UsageError(made, hint="parts of one table are made with the same options")
        names = {*first.table.column_names} & {*other.table.column_names}
        if (first.about.n_buckets is None) != (other.about.n_buckets is None):
            names -= {UNIT}  # clusters of the one go into buckets as well
        for name in sorted(names):
            kinds = [_kind(each.table.column(name).type) for each in (first, other)]
            if kinds[0] != kinds[1] and "nothing" not in kinds:
                msg = f"{quoted(name)} holds {kinds[0]} in {paths[0]} and {kinds[1]} in {path}"
                raise UsageError(msg, hint="parts of one table have the same kinds of columns")
    for one, two in combinations(range(len(tables)), 2):
        _refuse_twice(tables[one], tables[two], (paths[one], paths[two]))


def _differing(one: About, two: About) -> Iterator[tuple[str, str]]:
    if one.family != two.family:
        yield f"for {one.family}", f"for {two.family}"
    for name in sorted({*one.chosen, *two.chosen}):
        pair = [each.chosen.get(name) for each in (one, two)]
        if pair[0] != pair[1]:
            said = [f"with `{name}` {quoted(v)}" if v is not None else "without" for v in pair]
            yield said[0] if pair[0] is not None else f"without `{name}`", said[1]
    for name in SAME:
        left, right = getattr(one, name), getattr(two, name)
        if left != right:
            yield f"with {name} {quoted(left)}", f"with {quoted(right)}"


def _kind(of: Any) -> str:
    import pyarrow as pa

    if pa.types.is_null(of):
        return "nothing"
    if pa.types.is_string(of) or pa.types.is_large_string(of):
        return "texts"
    if pa.types.is_integer(of) or pa.types.is_floating(of):
        return "numbers"
    return str(of)


def _refuse_twice(one: UnitTable, two: UnitTable, paths: tuple[str, str]) -> None:
    same_source = one.about.sha256 is not None and (one.about.path, one.about.sha256) == (
        two.about.path,
        two.about.sha256,
    )
    if same_source or (one.about == two.about and one.table.equals(two.table)):
        what = "given twice" if paths[0] == paths[1] else f"the same as {paths[1]}"
        msg = f"{paths[0]} is {what}: its rows would count double"
        raise UsageError(
            msg, hint="name every part once; parts that are equal are evaluated as rows"
        )
