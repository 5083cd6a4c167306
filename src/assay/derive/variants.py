"""What the name of a confidence or of a feature means: which signals, and which function of them.

The grammar: a confidence function, an alias, `secondary:A+B:average` or `:product`, `calibrated`
and `calibrated:NAME` with a calibrator, or else a column that is used as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.columns import COLUMNS
from assay.derive.confidence_functions import ALIASES, OPERATIONS
from assay.errors import UsageError
from assay.registry import CONFIDENCE
from assay.showing import quoted

if TYPE_CHECKING:
    from assay.columns import Array

Missing = Literal["error", "reference"]
TotalEvidence = Literal["llm", "llm+keyword"]

SECONDARY = "secondary:"
CALIBRATED = "calibrated"
CALIBRATED_SCALAR = "calibrated:"
VERBALIZED_CALIBRATED = "verbalized_calibrated"
FUNCTION = "confidence:"
"""Before a feature: the confidence function of this name, not the signal stored under it."""
SCALAR_METHODS = ("temperature", "isotonic")
UNIT = np.linspace(0.0, 1.0, 5)


@dataclass(frozen=True, slots=True)
class Variant:
    """A confidence by name, resolved: which signals it takes, in order, and the function."""

    name: str
    signals: tuple[str, ...]
    function: Callable[..., Array]
    features: frozenset[str] = frozenset()
    """signals that enter as they are stored, as features of a calibrator"""

    @property
    def is_stored(self) -> bool:
        """Say whether this is a stored signal itself."""
        return self.features == {self.name}


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted calibrator, as far as a confidence needs to know it."""

    source: str
    """the file, for messages"""
    method: str
    features: tuple[str, ...]
    function: Callable[..., Array]
    """one column per feature -> confidence"""


def known_names() -> tuple[str, ...]:
    """Return the names of all functions and aliases, sorted."""
    return tuple(sorted({*CONFIDENCE, *ALIASES}))


def is_calibrated(name: str) -> bool:
    """Say whether a confidence of this name is made by a calibrator."""
    return name in {CALIBRATED, VERBALIZED_CALIBRATED} or name.startswith(CALIBRATED_SCALAR)


def resolve(
    name: str,
    *,
    total_evidence: TotalEvidence = "llm",
    missing: Missing = "error",
    calibration: Calibration | None = None,
) -> Variant:
    """Return what a name means; a name that means nothing else is a column."""
    if is_calibrated(name) and calibration is not None:
        return _calibrated(name, calibration, total_evidence, missing)
    if name.startswith(SECONDARY):
        return _secondary(name, total_evidence)
    if name in known_names():
        return _base(name, total_evidence)
    return Variant(name, (name,), _as_it_is)


def _as_it_is(column: Array) -> Array:
    return column


def _base(name: str, total_evidence: TotalEvidence) -> Variant:
    if name in ALIASES:
        function = ALIASES[name].readings[total_evidence]
        return Variant(name, tuple(signature(function).parameters), function)
    return Variant(name, CONFIDENCE[name].signals, CONFIDENCE[name].function)


def _secondary(name: str, total_evidence: TotalEvidence) -> Variant:
    pair, _, operation = name.removeprefix(SECONDARY).rpartition(":")
    first_name, _, second_name = pair.partition("+")
    for base in (first_name, second_name):
        if base not in known_names():
            msg = f"{quoted(name)} combines {quoted(base)}, which is not a confidence function"
            known = ", ".join(known_names())
            raise UsageError(msg, hint=f"secondary:A+B:average combines two of {known}")
    if operation not in OPERATIONS:
        msg = f"{quoted(name)} asks for the operation {quoted(operation)}"
        raise UsageError(msg, hint=f"the operations are {' and '.join(OPERATIONS)}")
    parts = [_base(each, total_evidence) for each in (first_name, second_name)]
    return _joined(name, parts, OPERATIONS[operation])


def _joined(name: str, parts: Sequence[Variant], combine: Callable[..., Array]) -> Variant:
    """Feed what several variants give to one function."""
    ends = np.cumsum([len(each.signals) for each in parts]).tolist()
    slices = [slice(end - len(each.signals), end) for end, each in zip(ends, parts, strict=True)]

    def function(*columns: Array) -> Array:
        inputs = zip(parts, slices, strict=True)
        return combine(*(each.function(*columns[own]) for each, own in inputs))

    signals = tuple(signal for each in parts for signal in each.signals)
    return Variant(name, signals, function, frozenset().union(*(each.features for each in parts)))


def feature(name: str, *, total_evidence: TotalEvidence = "llm") -> Variant:
    """Return what a feature of a calibrator means: a stored signal, or else a confidence.

    Examples
    --------
    >>> feature("token_pe").signals, feature("verbalized").signals
    (('token_pe',), ('verbalized_confidence',))
    >>> (
    ...     float(feature("token_pe").function(1.0)),
    ...     float(feature("confidence:token_pe").function(1.0)),
    ... )
    (1.0, 0.5)
    """
    bare = canonical_feature(name).removeprefix(FUNCTION)
    if name.startswith(FUNCTION) or bare.startswith(SECONDARY) or _is_function(bare):
        return resolve(bare, total_evidence=total_evidence)
    return Variant(name, (name,), _as_it_is, frozenset({name}))


def canonical_feature(name: str) -> str:
    """Spell a feature in one way: `confidence:` only where a signal has the same name.

    Examples
    --------
    >>> canonical_feature("confidence:verbalized"), canonical_feature("confidence:token_pe")
    ('verbalized', 'confidence:token_pe')
    """
    bare = name.removeprefix(FUNCTION)
    if name == bare or _is_function(bare) or bare.startswith(SECONDARY):
        return bare
    if bare not in known_names():
        msg = f"{quoted(name)} names {quoted(bare)}, which is not a confidence function"
        raise UsageError(msg, hint=f"the confidence functions are {', '.join(known_names())}")
    return name


def _is_function(bare: str) -> bool:
    stored = bare in COLUMNS and COLUMNS[bare].signal
    return bare in known_names() and not stored


def _calibrated(
    name: str, calibration: Calibration, total_evidence: TotalEvidence, missing: Missing
) -> Variant:
    scalar = _calibrated_scalar(name)
    if not scalar:
        _check_features(calibration)
        parts = [feature(each, total_evidence=total_evidence) for each in calibration.features]
        return _joined(name, parts, calibration.function)
    base = resolve(scalar, total_evidence=total_evidence)
    _check_scalar(name, calibration)
    if missing == "reference":
        return _joined(name, [base], calibration.function)
    _check_same(base, calibration, total_evidence)
    within = calibration.method == "temperature"
    return _joined(name, [base], _of_probability(calibration) if within else calibration.function)


def _calibrated_scalar(name: str) -> str:
    """Return which confidence is calibrated; none where the calibrator has features of its own."""
    whole = name.replace(VERBALIZED_CALIBRATED, f"{CALIBRATED_SCALAR}verbalized")
    return whole.removeprefix(CALIBRATED).removeprefix(":")


def _of_probability(calibration: Calibration) -> Callable[..., Array]:
    """Leave values without a logit undefined, which the clip would hide."""

    def function(column: Array) -> Array:
        return calibration.function(np.where((column < 0) | (column > 1), np.nan, column))

    return function


def _check_features(calibration: Calibration) -> None:
    if calibration.method == "temperature":
        msg = (
            f"{calibration.source} is a temperature, which maps one probability,"
            " and the confidence 'calibrated' needs a calibrator of stored features"
        )
        raise UsageError(msg, hint=f"choose `confidence` {_scalar_name(calibration)}")


def _check_scalar(name: str, calibration: Calibration) -> None:
    if calibration.method not in SCALAR_METHODS:
        msg = (
            f"{calibration.source} is a {calibration.method} calibrator of stored features,"
            f" and the confidence {quoted(name)} needs one of {' or '.join(SCALAR_METHODS)}"
        )
        raise UsageError(msg, hint="choose `confidence` calibrated")


def _check_same(base: Variant, calibration: Calibration, total_evidence: TotalEvidence) -> None:
    """Refuse to feed a calibrator with anything but what it was fitted on."""
    fitted = feature(calibration.features[0], total_evidence=total_evidence)
    if fitted.is_stored:
        same = base.signals == fitted.signals and _keeps(base)
    else:
        same = base.name == fitted.name
    if not same:
        msg = (
            f"{calibration.source} was fitted on `{calibration.features[0]}`,"
            f" and the confidence {quoted(base.name)} is something else"
        )
        raise UsageError(
            msg,
            hint=f"choose `confidence` {_scalar_name(calibration)}, or apply it all the same with"
            " `missing` reference",
        )


def _keeps(base: Variant) -> bool:
    """Say whether a confidence is its one signal, unchanged where that is from 0 to 1."""
    return np.array_equal(base.function(UNIT), UNIT)


def _scalar_name(calibration: Calibration) -> str:
    """Return the confidence that a calibrator of one value is made for."""
    bare = canonical_feature(calibration.features[0])
    if bare == "verbalized":
        return VERBALIZED_CALIBRATED
    if not bare.startswith(FUNCTION) and calibration.method == "isotonic":
        return CALIBRATED
    fitting = [each for each in known_names() if _is_made_of(each, bare)]
    return f"{CALIBRATED_SCALAR}{fitting[0] if fitting else bare.removeprefix(FUNCTION)}"


def _is_made_of(name: str, signal: str) -> bool:
    base = _base(name, "llm")
    return base.signals == (signal,) and _keeps(base)
