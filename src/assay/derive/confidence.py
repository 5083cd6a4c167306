"""From the name of a confidence and the stored signals to a checked confidence column.

What a name means is told by `assay.derive.variants`; here it meets what a file holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from assay.derive.confidence_functions import ALIASES, WHERE_HELD
from assay.derive.signals import Signal, State
from assay.derive.variants import (
    SECONDARY,
    Calibration,
    Missing,
    TotalEvidence,
    Variant,
    feature,
    is_calibrated,
    known_names,
    resolve,
)
from assay.errors import ColumnError, UsageError
from assay.showing import named, quoted, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.columns import Array

    Mask: TypeAlias = NDArray[np.bool_]
    Usable: TypeAlias = tuple[Array, Mask]

__all__ = [
    "ALIASES",
    "Missing",
    "TotalEvidence",
    "confidence_column",
    "feature_column",
    "known_names",
    "names",
    "names_of_run",
    "needed_signals",
    "supported",
]

DEFAULT = ("llm", "total_evidence")
PLAIN = "confidence"
"""The column of a plain table that is used as it is, when there is one."""

REFERENCE_ZERO = frozenset({"llm_evidence_count", "keyword_evidence_count"})
"""Signals whose absent key `missing="reference"` reads as 0."""
REFERENCE_NO_BOOLEANS = frozenset({"verbalized_confidence"})
"""Signals in which `missing="reference"` does not read true as 1."""
REFERENCE_FEATURES = {"similarity": 0.0, "confidence": 3.0}
"""Part of a name -> what `missing="reference"` takes for such a feature where there is none."""


def needed_signals(
    name: str,
    *,
    total_evidence: TotalEvidence = "llm",
    missing: Missing = "error",
    calibration: Calibration | None = None,
) -> tuple[str, ...]:
    """Return the signals a confidence is computed from.

    Examples
    --------
    >>> needed_signals("secondary:token_msp+llm:average")
    ('token_msp', 'llm_evidence_count')
    """
    return resolve(
        name, total_evidence=total_evidence, missing=missing, calibration=calibration
    ).signals


def _known(lead: str) -> str:
    return f"{lead} {', '.join(known_names())}"


def names(
    selection: str,
    *,
    signals: Mapping[str, Signal] | None = None,
    answered: Mask | None = None,
) -> tuple[str, ...]:
    """Resolve `default`, `all` or a list of names separated by commas, each name once.

    Give the signals of a plain table, because its defaults follow from what it holds: the column
    `confidence` if there is one. Without signals the defaults are those of a run file.

    Examples
    --------
    >>> names("default"), names("token_msp,llm,token_msp")
    (('llm', 'total_evidence'), ('token_msp', 'llm'))
    """
    listed = tuple(dict.fromkeys(part.strip() for part in selection.split(",") if part.strip()))
    if not listed:
        raise UsageError("no confidence was chosen", hint=_known("choose among"))
    if listed not in {("default",), ("all",)}:
        return listed
    if signals is None or answered is None:
        return DEFAULT if listed == ("default",) else known_names()
    return _plain_names(listed[0], signals, answered)


def _plain_names(selection: str, signals: Mapping[str, Signal], answered: Mask) -> tuple[str, ...]:
    available = supported(signals, answered)
    if selection == "all" and available:
        return available
    if selection == "default" and PLAIN in signals:
        return (PLAIN,)
    if selection == "default" and set(DEFAULT).issubset(available):
        return DEFAULT
    msg = f"the table has no column `{PLAIN}` and no signals that make up a confidence"
    held = ", ".join(signals) or "none"
    raise ColumnError(msg, hint=f"name a column as `confidence`; the columns are {held}")


def names_of_run(
    selection: str, signals: Mapping[str, Signal], answered: Mask, *, missing: Missing = "error"
) -> tuple[str, ...]:
    """Resolve a selection as `names` does for a run; `all` means what every run has, and more.

    A function that a run need not have the signals of is part of `all` where every answered row
    has a value for it. With `missing="reference"` it never is.
    """
    found = names(selection)
    if selection.strip() != "all":
        return found
    asked = missing == "error" and bool(answered.any())

    def lacks(name: str) -> bool:
        return not asked or bool(_apply(resolve(name), signals, answered, missing)[1].any())

    return tuple(name for name in found if name not in WHERE_HELD or not lacks(name))


def supported(
    signals: Mapping[str, Signal],
    answered: Mask,
    *,
    missing: Missing = "error",
    total_evidence: TotalEvidence = "llm",
) -> tuple[str, ...]:
    """Return every confidence that is defined on all answered rows, sorted."""
    candidates = {*known_names(), *({PLAIN} & set(signals))}
    variants = [resolve(name, total_evidence=total_evidence) for name in sorted(candidates)]
    return tuple(
        each.name for each in variants if not _apply(each, signals, answered, missing)[1].any()
    )


def confidence_column(  # noqa: PLR0913 - a name, its columns and how to read them
    name: str,
    signals: Mapping[str, Signal],
    answered: Mask,
    *,
    missing: Missing = "error",
    total_evidence: TotalEvidence = "llm",
    calibration: Calibration | None = None,
    where: Callable[[int], str] = "row {}".format,
    source: str = "this input",
) -> Array:
    """Return a confidence for every answered row, NaN on the others.

    Parameters
    ----------
    name
        A confidence function, a `secondary:` combination, any column of a plain table, or, with
        a calibration, `calibrated`, `verbalized_calibrated` or `calibrated:` and another name.
    signals, answered
        The signals of a table, and which rows need a confidence.
    missing
        `error` refuses an absent key and a boolean; `reference` reads an absent evidence count
        as 0 and, except in the stated confidence, true as 1, and has a number for every feature of
        a calibrator that is absent or null.
    total_evidence
        What the name `total_evidence` means; see `ALIASES`.
    calibration
        The calibrator behind the calibrated names.
    where, source
        Name a row, and what it is a row of, in an error message.
    """
    variant = resolve(name, total_evidence=total_evidence, missing=missing, calibration=calibration)
    if not _is_known(variant, signals, calibration):
        raise _unknown(name, source, _supported_hint(signals, answered, missing, total_evidence))
    column, broken = _apply(variant, signals, answered, missing)
    if broken.any():
        fault, cure = _fault(variant, signals, answered, missing, where)
        hint = _supported_hint(signals, answered, missing, total_evidence)
        raise ColumnError(fault, hint=f"{cure}; {hint}" if cure else hint)
    return np.where(answered, column, np.nan)


def feature_column(
    name: str,
    signals: Mapping[str, Signal],
    rows: Mask,
    *,
    missing: Missing = "error",
    where: Callable[[int], str] = "row {}".format,
) -> Array:
    """Return a feature of a calibrator for every row it is needed on, NaN on the others.

    A feature is a signal as it is stored or, where no signal has that name, a confidence function;
    `confidence:NAME` is always the function. With `missing="reference"` a stored signal that is
    absent or null is 0 if its name contains "similarity", else 3 if it contains "confidence", else
    0, whatever its scale. A boolean is refused under either reading.
    """
    variant = feature(name)
    column, broken = _apply(variant, signals, rows, missing)
    if broken.any():
        fault, cure = _fault(variant, signals, rows, missing, where)
        others = "choose features that every answered item has"
        raise ColumnError(fault, hint=f"{cure}, or {others}" if cure else others)
    return np.where(rows, column, np.nan)


def _fault(
    variant: Variant,
    signals: Mapping[str, Signal],
    rows: Mask,
    missing: Missing,
    where: Callable[[int], str],
) -> tuple[str, str | None]:
    """Say what is wrong with the first broken row, and how to read on all the same."""
    broken = _apply(variant, signals, rows, missing)[1]
    row = int(np.argmax(broken))
    culprit = _culprit(variant, signals, row, missing)
    noun = "feature" if variant.is_stored else "confidence"
    fault = (
        f"{where(row)}: {noun} {shortened(variant.name)} needs a usable value of {named(culprit)},"
        f" found {_found(signals.get(culprit), row)}"
        f" (so in {int(broken.sum())} of {int(rows.sum())} answered rows)"
    )
    return fault, _cure(variant, culprit, _state_of(signals.get(culprit), row), missing)


def _cure(variant: Variant, culprit: str, state: State, missing: Missing) -> str | None:
    """Name the option that fills in a feature that is not there."""
    empty = culprit in variant.features and state in (State.MISSING, State.NULL)
    if missing == "reference" or not empty:
        return None
    return f"`missing` reference takes {_stand_in(culprit):g} where there is no {named(culprit)}"


def _state_of(given: Signal | None, row: int) -> State:
    return State.MISSING if given is None else State(given.state[row])


def _unknown(name: str, source: str, hint: str) -> UsageError:
    if is_calibrated(name):
        msg = f"confidence {quoted(name)} needs a calibrator"
        hint = "give a calibrator file as `calibration`; assay calibrate makes one"
        return UsageError(msg, hint=hint)
    return UsageError(f"there is no confidence {quoted(name)} in {source}", hint=hint)


def _is_known(
    variant: Variant, signals: Mapping[str, Signal], calibration: Calibration | None
) -> bool:
    made = calibration is not None and is_calibrated(variant.name)
    known = variant.name in known_names() or variant.name.startswith(SECONDARY)
    return made or known or variant.name in signals


def _supported_hint(
    signals: Mapping[str, Signal],
    answered: Mask,
    missing: Missing,
    total_evidence: TotalEvidence,
) -> str:
    available = supported(signals, answered, missing=missing, total_evidence=total_evidence)
    if not available:
        return "this input supports none of the confidence functions"
    return f"this input supports `confidence` {','.join(available)}"


def _apply(
    variant: Variant, signals: Mapping[str, Signal], answered: Mask, missing: Missing
) -> tuple[Array, Mask]:
    """Return the confidence of every row, and on which answered rows there is none."""
    given = {name: _of_rows(name, signals, answered.size) for name in variant.signals}
    if missing == "reference":
        given |= {name: _filled(name, given[name]) for name in variant.features}
    usable = [_usable(name, given[name], missing, variant.features) for name in variant.signals]
    with np.errstate(all="ignore"):
        column = variant.function(*(value for value, _ in usable))
    refused = np.logical_or.reduce([bad for _, bad in usable])
    return column, answered & (refused | ~np.isfinite(column))


def _of_rows(name: str, signals: Mapping[str, Signal], n_rows: int) -> Signal:
    absent = Signal(np.full(n_rows, np.nan), np.full(n_rows, State.MISSING, dtype=np.int8))
    return signals.get(name, absent)


def _filled(name: str, given: Signal) -> Signal:
    """Put the reference's number where a feature is absent or null."""
    empty = np.isin(given.state, (State.MISSING, State.NULL))
    value = np.where(empty, _stand_in(name), given.value)
    return Signal(value, np.where(empty, State.NUMBER, given.state).astype(np.int8))


def _stand_in(name: str) -> float:
    """Return the reference's number for a feature."""
    numbers = [number for part, number in REFERENCE_FEATURES.items() if part in name]
    return [*numbers, 0.0][0]


def _usable(name: str, given: Signal, missing: Missing, numbers_only: frozenset[str]) -> Usable:
    """Return a signal with NaN for null, and where it is something no function accepts."""
    value, state = given.value, given.state
    refused = np.isin(state, (State.MISSING, State.BOOLEAN, State.OTHER))
    refused |= (state == State.NUMBER) & ~np.isfinite(value)
    if missing == "reference":
        filled = (state == State.MISSING) & (name in REFERENCE_ZERO)
        value = np.where(filled, 0.0, value)
        read = (state == State.BOOLEAN) & (name not in REFERENCE_NO_BOOLEANS | numbers_only)
        refused &= ~(filled | read)
    return value, refused


def _culprit(variant: Variant, signals: Mapping[str, Signal], row: int, missing: Missing) -> str:
    """Return the signal that leaves a row without a confidence when all others are 1."""
    one = Signal(np.ones(1), np.zeros(1, dtype=np.int8))
    for name in variant.signals:
        alone = {each: one for each in variant.signals if each != name}
        if name in signals:
            alone[name] = signals[name].take(np.array([row]))
        if _apply(variant, alone, np.ones(1, dtype=np.bool_), missing)[1].any():
            return name
    return variant.signals[0]


def _found(given: Signal | None, row: int) -> str:
    state = _state_of(given, row)
    value = np.nan if given is None else float(given.value[row])
    words = {
        State.MISSING: "no such key",
        State.NULL: "null",
        State.BOOLEAN: "true" if value else "false",
        State.OTHER: "something that is not a number",
        State.NUMBER: "an infinite number" if np.isinf(value) else f"{value:g}",
    }
    return "NaN" if state == State.NUMBER and np.isnan(value) else words[state]
