"""Calibrators, features and two numbers under the names of an earlier program.

Probabilities come first and outcomes second, rows of features are the rows of a matrix, and a
feature that is missing gets the number that program gave it. All of it is done by
`assay.calibrators`, `assay.derive` and `assay.metrics.calibration`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.calibrators import Affine, Isotonic, Linear, Logistic, Temperature
from assay.derive.confidence import feature_column
from assay.derive.signals import State, signal
from assay.floats import floats
from assay.metrics.calibration import ece, nll

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array

__all__ = [
    "CalibratorFeatureExtractor",
    "IsotonicCalibrator",
    "LinearCalibrator",
    "LogisticCalibrator",
    "StandardScalerParams",
    "TemperatureScalingCalibrator",
    "compute_binary_nll",
    "compute_ece",
]


@dataclass(frozen=True, slots=True)
class TemperatureScalingCalibrator:
    """Temperature scaling of probabilities.

    Examples
    --------
    >>> TemperatureScalingCalibrator(temperature=2.0).apply([0.1, 0.9]).round(3).tolist()
    [0.25, 0.75]
    """

    temperature: float

    @classmethod
    def fit(cls, p: ArrayLike, y: ArrayLike) -> TemperatureScalingCalibrator:
        """Fit the temperature on probabilities and outcomes of 0 and 1."""
        return cls(Temperature.fit([p], y).temperature)

    def apply(self, p: ArrayLike) -> Array:
        """Return the scaled probabilities."""
        return Temperature(self.temperature)(p)


@dataclass(frozen=True, slots=True, eq=False)
class StandardScalerParams:
    """By what features are standardised."""

    mean: Array
    std: Array


@dataclass(frozen=True, slots=True, eq=False)
class LogisticCalibrator:
    """The probability of being right by logistic regression on a feature matrix."""

    coefficients: Array
    intercept: float
    scaler: StandardScalerParams

    @classmethod
    def fit(cls, x: ArrayLike, y: ArrayLike) -> LogisticCalibrator:
        """Fit on a matrix of features and outcomes of 0 and 1."""
        return cls(*_parts(Logistic.fit(_features(x), y).affine))

    def apply(self, x: ArrayLike) -> Array:
        """Return the probability of every row of features."""
        return Logistic(_affine(self))(*_features(x))


@dataclass(frozen=True, slots=True, eq=False)
class LinearCalibrator:
    """A score from 0 to 1 by linear regression on a feature matrix."""

    coefficients: Array
    intercept: float
    scaler: StandardScalerParams

    @classmethod
    def fit(cls, x: ArrayLike, y: ArrayLike) -> LinearCalibrator:
        """Fit on a matrix of features and targets from 0 to 1."""
        return cls(*_parts(Linear.fit(_features(x), y).affine))

    def apply(self, x: ArrayLike) -> Array:
        """Return the score of every row of features."""
        return Linear(_affine(self))(*_features(x))


@dataclass(frozen=True, slots=True, eq=False)
class IsotonicCalibrator:
    """A rising piecewise linear function of one feature."""

    x_thresholds: Array
    y_thresholds: Array

    @classmethod
    def fit(cls, x: ArrayLike, y: ArrayLike) -> IsotonicCalibrator:
        """Fit on a feature and targets from 0 to 1."""
        found = Isotonic.fit(_features(x), y)
        return cls(np.array(found.x_thresholds), np.array(found.y_thresholds))

    def apply(self, x: ArrayLike) -> Array:
        """Return the calibrated value of every row."""
        return Isotonic(_numbers(self.x_thresholds), _numbers(self.y_thresholds))(*_features(x))


class CalibratorFeatureExtractor:
    """Stored signals as a row of features, with a number for each that is missing or null.

    Examples
    --------
    >>> extractor = CalibratorFeatureExtractor(["llm_evidence_count", "verbalized_confidence"])
    >>> extractor.extract({"llm_evidence_count": 2}).tolist()
    [2.0, 3.0]
    """

    def __init__(self, features: Sequence[str]) -> None:
        """Take the names of signals, in the order of the row."""
        self.features = tuple(features)

    def extract(self, item_signals: Mapping[str, Any]) -> Array:
        """Return the features of one item."""
        cells = {name: item_signals.get(name, State.MISSING) for name in self.features}
        signals = {name: signal([cell]) for name, cell in cells.items()}
        row = np.ones(1, dtype=np.bool_)
        columns = [
            feature_column(each, signals, row, missing="reference") for each in self.features
        ]
        return np.concatenate([np.empty(0), *columns])


def compute_ece(p: ArrayLike, y: ArrayLike, *, n_bins: int = 10) -> float:
    """Return the expected calibration error over bins of equal width, 0 without rows.

    Probabilities are clipped to [0, 1] first.

    Examples
    --------
    >>> compute_ece([0.9, 0.9], [1, 0])
    0.4
    """
    clipped = np.clip(floats("p", p), 0.0, 1.0)
    return float(ece(y, clipped, n_bins=n_bins)) if clipped.size else 0.0


def compute_binary_nll(p: ArrayLike, y: ArrayLike) -> float:
    """Return the mean negative log-likelihood of outcomes of 0 and 1.

    Examples
    --------
    >>> compute_binary_nll([0.5, 0.5], [1, 0])
    0.693
    """
    return float(nll(y, p))


def _features(x: ArrayLike) -> list[Array]:
    matrix = floats("x", x)
    return [matrix] if matrix.ndim < 2 else list(matrix.T)  # noqa: PLR2004 - rows and columns


def _numbers(values: ArrayLike) -> tuple[float, ...]:
    return tuple(floats("values", values).tolist())


def _parts(affine: Affine) -> tuple[Array, float, StandardScalerParams]:
    scaler = StandardScalerParams(np.array(affine.mean), np.array(affine.std))
    return np.array(affine.coefficients), affine.intercept, scaler


def _affine(given: LogisticCalibrator | LinearCalibrator) -> Affine:
    return Affine(
        _numbers(given.coefficients),
        float(given.intercept),
        _numbers(given.scaler.mean),
        _numbers(given.scaler.std),
    )
