"""Calibrators: fitted maps from the features of an answer to a number from 0 to 1.

Each is a frozen record of its parameters. `fit` makes one from columns, calling it maps columns to
a column, and `to_dict` and `from_dict` are its parameters as a file holds them. Fitting all but
the temperature takes scikit-learn; applying takes none of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from assay.columns import columns
from assay.errors import ColumnError, UsageError
from assay.floats import floats
from assay.metrics.calibration.scores import nll_of_checked
from assay.showing import counted

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array

__all__ = [
    "BOUNDS",
    "CALIBRATORS",
    "CLIP",
    "Affine",
    "Calibrator",
    "Isotonic",
    "Linear",
    "Logistic",
    "Method",
    "Temperature",
]

Method = Literal["temperature", "logistic", "platt", "linear", "isotonic"]
CLIP = 1e-6
"""How near to 0 and 1 a probability may come before its logit is taken."""
BOUNDS = (0.05, 10.0)
N_CANDIDATES, N_ROUNDS, WINDOW = 200, 3, 1.5
"""The search for a temperature: candidates per round, rounds, how far the next round looks."""
STRENGTH = 1.0
"""of the L2 penalty: C of the logistic and alpha of the linear regression"""
LARGEST_FEATURE = 1e150
"""whose square a double still holds"""
N_ITERATIONS = 1000


class Calibrator(Protocol):
    """What all calibrators can do."""

    def __call__(self, *features: ArrayLike) -> Array:
        """Map one column per feature to a column; a NaN stays a NaN."""

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters under the keys of a calibrator file."""


@dataclass(frozen=True, slots=True)
class Temperature:
    r"""A probability made more or less extreme, its order kept.

    .. math:: \sigma(\operatorname{logit}(p) / T)

    with p clipped to [1e-6, 1 - 1e-6] first. T = 1 is the identity up to that clip; above 1 the
    probabilities move towards one half.

    Examples
    --------
    >>> Temperature(2.0)([0.1, 0.5, 0.9]).round(3).tolist()
    [0.25, 0.5, 0.75]
    """

    temperature: float

    def __post_init__(self) -> None:
        """Refuse what turns the order round or is no number."""
        if not 0 < self.temperature < np.inf:
            msg = f"`temperature` must be above 0, found {self.temperature:g}"
            raise UsageError(msg)

    def __call__(self, *features: ArrayLike) -> Array:
        """Scale one column of probabilities."""
        return _sigmoid(_logit(_only(features, "temperature")) / self.temperature)

    @classmethod
    def fit(
        cls,
        features: Sequence[ArrayLike],
        target: ArrayLike,
        *,
        weight: ArrayLike | None = None,
    ) -> Temperature:
        """Minimise the mean negative log-likelihood over a logarithmic grid, three times finer.

        The candidates are T = 1 and then 200 points from 0.05 to 10; each further round looks
        from best / 1.5 to best * 1.5 within these bounds. Only a smaller likelihood loss replaces
        the best one, so that equal candidates leave the first.
        """
        correct, probability, copies = columns(
            correct=target, probability=_only(features, "temperature"), weight=weight
        )
        _some(correct)
        cost = _likelihood_loss(correct, probability, copies)
        best, least = 1.0, cost(1.0)
        low, high = BOUNDS
        for _ in range(N_ROUNDS):
            for candidate in np.geomspace(low, high, N_CANDIDATES).tolist():
                found = cost(candidate)
                if found < least:
                    best, least = candidate, found
            low, high = max(BOUNDS[0], best / WINDOW), min(BOUNDS[1], best * WINDOW)
        return cls(best)

    def to_dict(self) -> dict[str, Any]:
        """Return the temperature."""
        return {"temperature": self.temperature}

    @classmethod
    def from_dict(cls, model: Mapping[str, Any]) -> Temperature:
        """Take what `to_dict` gives."""
        return cls(float(model["temperature"]))


def _likelihood_loss(correct: Array, probability: Array, copies: Array) -> Callable[[float], float]:
    weight = copies if (copies != 1).any() else None  # which is several times quicker
    logit = _logit(probability)

    def cost(temperature: float) -> float:
        return nll_of_checked(correct, _sigmoid(logit / temperature), weight)

    return cost


@dataclass(frozen=True, slots=True)
class Affine:
    """A weighted sum of standardised features: what the two regressions share."""

    coefficients: tuple[float, ...]
    intercept: float
    mean: tuple[float, ...]
    std: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse parts that do not fit together."""
        sizes = {len(self.coefficients), len(self.mean), len(self.std)}
        if len(sizes) > 1 or not self.coefficients:
            msg = (
                "`coefficients`, `mean` and `std` must have one number per feature,"
                f" found {len(self.coefficients)}, {len(self.mean)} and {len(self.std)}"
            )
            raise UsageError(msg)
        if not np.isfinite([*self.coefficients, self.intercept, *self.mean, *self.std]).all():
            raise UsageError("`coefficients`, `intercept`, `mean` and `std` must be finite")
        if min(self.std) <= 0:
            msg = f"`std` must be above 0, found {min(self.std):g}"
            raise UsageError(msg)

    def __call__(self, *features: ArrayLike) -> Array:
        """Standardise and sum."""
        if len(features) != len(self.coefficients):
            msg = f"needs {counted(len(self.coefficients), 'feature')}, found {len(features)}"
            raise UsageError(msg)
        standard = (_matrix(features) - np.array(self.mean)) / np.array(self.std)
        total: Array = standard @ np.array(self.coefficients) + self.intercept
        return total

    @classmethod
    def of(cls, scaler: _Scaler, coefficients: ArrayLike, intercept: ArrayLike) -> Affine:
        """Take what a regression on standardised features has found."""
        return cls(
            coefficients=tuple(np.ravel(coefficients).tolist()),
            intercept=float(np.ravel(intercept)[0]),
            mean=tuple(scaler.mean.tolist()),
            std=tuple(scaler.std.tolist()),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers, the scaler apart."""
        return {
            "coefficients": list(self.coefficients),
            "intercept": self.intercept,
            "scaler": {"mean": list(self.mean), "std": list(self.std)},
        }

    @classmethod
    def from_dict(cls, model: Mapping[str, Any]) -> Affine:
        """Take what `to_dict` gives."""
        return cls(
            coefficients=tuple(map(float, model["coefficients"])),
            intercept=float(model["intercept"]),
            mean=tuple(map(float, model["scaler"]["mean"])),
            std=tuple(map(float, model["scaler"]["std"])),
        )


@dataclass(frozen=True, slots=True)
class Logistic:
    r"""The probability of being right by logistic regression; with one feature, Platt scaling.

    .. math:: \sigma\Bigl(b + \sum_j w_j \frac{x_j - \mu_j}{s_j}\Bigr)

    Examples
    --------
    >>> flat = Logistic(Affine(coefficients=(0.0,), intercept=0.0, mean=(3.0,), std=(1.0,)))
    >>> flat([1, 5]).tolist()
    [0.5, 0.5]
    """

    affine: Affine

    def __call__(self, *features: ArrayLike) -> Array:
        """Return the probability of every row."""
        return _sigmoid(self.affine(*features))

    @classmethod
    def fit(
        cls,
        features: Sequence[ArrayLike],
        target: ArrayLike,
        *,
        weight: ArrayLike | None = None,
    ) -> Logistic:
        """Fit by scikit-learn: L2 penalty with C = 1, L-BFGS, at most 1000 iterations."""
        correct, copies = columns(correct=target, weight=weight)
        matrix = _trainable(features, correct)
        if np.ptp(correct) == 0:
            word = "right" if correct[0] else "wrong"
            msg = f"every answer is {word} ({correct.size:,}), and a logistic calibrator needs both"
            raise ColumnError(msg, hint="train on a larger run, or with another `target`")
        scaler = _Scaler.of(matrix, copies)
        regression = _sklearn("linear_model").LogisticRegression(
            C=STRENGTH, solver="lbfgs", max_iter=N_ITERATIONS
        )
        regression.fit(scaler(matrix), correct, sample_weight=copies)
        return cls(Affine.of(scaler, regression.coef_, regression.intercept_))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers and the link."""
        return {**self.affine.to_dict(), "link": "sigmoid"}

    @classmethod
    def from_dict(cls, model: Mapping[str, Any]) -> Logistic:
        """Take what `to_dict` gives."""
        return cls(Affine.from_dict(model))


@dataclass(frozen=True, slots=True)
class Linear:
    r"""A score from 0 to 1 by linear regression, for targets that are not yes or no.

    .. math:: \min\Bigl(1, \max\Bigl(0, b + \sum_j w_j \frac{x_j - \mu_j}{s_j}\Bigr)\Bigr)

    Examples
    --------
    >>> line = Linear(Affine(coefficients=(0.25,), intercept=0.5, mean=(3.0,), std=(1.0,)))
    >>> line([1, 4, 9]).tolist()
    [0.0, 0.75, 1.0]
    """

    affine: Affine

    def __call__(self, *features: ArrayLike) -> Array:
        """Return the score of every row."""
        return np.clip(self.affine(*features), 0.0, 1.0)

    @classmethod
    def fit(
        cls,
        features: Sequence[ArrayLike],
        target: ArrayLike,
        *,
        weight: ArrayLike | None = None,
    ) -> Linear:
        """Fit by scikit-learn: ridge regression with alpha = 1."""
        score, copies = columns(probability=floats("target", target), weight=weight)
        matrix = _trainable(features, score)
        scaler = _Scaler.of(matrix, copies)
        regression = _sklearn("linear_model").Ridge(alpha=STRENGTH)
        regression.fit(scaler(matrix), score, sample_weight=copies)
        return cls(Affine.of(scaler, regression.coef_, regression.intercept_))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers and the link."""
        return {**self.affine.to_dict(), "link": "identity"}

    @classmethod
    def from_dict(cls, model: Mapping[str, Any]) -> Linear:
        """Take what `to_dict` gives."""
        return cls(Affine.from_dict(model))


@dataclass(frozen=True, slots=True)
class Isotonic:
    """The best rising function of one feature: lines between thresholds, constant beyond them.

    Examples
    --------
    >>> Isotonic((1.0, 3.0), (0.2, 0.8))([0, 1, 2, 5]).round(3).tolist()
    [0.2, 0.2, 0.5, 0.8]
    """

    x_thresholds: tuple[float, ...]
    y_thresholds: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse thresholds that are no rising function."""
        sizes = len(self.x_thresholds), len(self.y_thresholds)
        if sizes[0] != sizes[1] or not sizes[0]:
            msg = (
                "`x_thresholds` and `y_thresholds` must be of one length and not empty,"
                f" found {sizes[0]} and {sizes[1]}"
            )
            raise UsageError(msg)
        for name, values in (("x", self.x_thresholds), ("y", self.y_thresholds)):
            if not np.isfinite(values).all() or any(a > b for a, b in pairwise(values)):
                msg = f"`{name}_thresholds` must be finite numbers that do not fall"
                raise UsageError(msg)

    def __call__(self, *features: ArrayLike) -> Array:
        """Interpolate, within [0, 1]."""
        feature = _only(features, "isotonic")
        return np.clip(np.interp(feature, self.x_thresholds, self.y_thresholds), 0.0, 1.0)

    @classmethod
    def fit(
        cls,
        features: Sequence[ArrayLike],
        target: ArrayLike,
        *,
        weight: ArrayLike | None = None,
    ) -> Isotonic:
        """Fit by scikit-learn: rising, clipped beyond the training range."""
        score, copies = columns(probability=floats("target", target), weight=weight)
        matrix = _trainable([_only(features, "isotonic")], score)
        regression = _sklearn("isotonic").IsotonicRegression(increasing=True, out_of_bounds="clip")
        regression.fit(matrix[:, 0], score, sample_weight=copies)
        return cls(
            tuple(regression.X_thresholds_.tolist()), tuple(regression.y_thresholds_.tolist())
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the thresholds."""
        return {
            "x_thresholds": list(self.x_thresholds),
            "y_thresholds": list(self.y_thresholds),
        }

    @classmethod
    def from_dict(cls, model: Mapping[str, Any]) -> Isotonic:
        """Take what `to_dict` gives."""
        thresholds = (model["x_thresholds"], model["y_thresholds"])
        x_thresholds, y_thresholds = (tuple(map(float, each)) for each in thresholds)
        return cls(x_thresholds, y_thresholds)


CALIBRATORS: dict[Method, type[Temperature | Logistic | Linear | Isotonic]] = {
    "temperature": Temperature,
    "logistic": Logistic,
    "platt": Logistic,
    "linear": Linear,
    "isotonic": Isotonic,
}


@dataclass(frozen=True, slots=True, eq=False)
class _Scaler:
    """Mean 0 and standard deviation 1 on the training rows."""

    mean: Array
    std: Array

    @classmethod
    def of(cls, matrix: Array, weight: Array) -> _Scaler:
        mean = np.average(matrix, axis=0, weights=weight)
        variance = np.average((matrix - mean) ** 2, axis=0, weights=weight)
        # A constant may leave a rounding error for a variance, by which nothing should be divided.
        constant = np.ptp(matrix, axis=0) == 0
        return cls(mean, np.where(constant | (variance == 0), 1.0, np.sqrt(variance)))

    def __call__(self, matrix: Array) -> Array:
        return (matrix - self.mean) / self.std


def _logit(probability: Array) -> Array:
    clipped = np.clip(probability, CLIP, 1 - CLIP)
    logit: Array = np.log(clipped) - np.log1p(-clipped)
    return logit


def _sigmoid(values: Array) -> Array:
    # Through the logarithm, so that neither end overflows or loses digits.
    sigmoid: Array = np.exp(np.minimum(values, 0.0) - np.log1p(np.exp(-np.abs(values))))
    return sigmoid


def _matrix(features: Sequence[ArrayLike]) -> Array:
    return np.stack([floats(f"feature {n}", each) for n, each in enumerate(features)], axis=-1)


def _only(features: Sequence[ArrayLike], method: str) -> Array:
    if len(features) != 1:
        msg = f"{method} takes exactly one feature, found {len(features)}"
        raise UsageError(msg)
    return floats("feature", features[0])


def _trainable(features: Sequence[ArrayLike], target: Array) -> Array:
    """Return the features as a matrix that a regression accepts."""
    _some(target)
    for number, each in enumerate(features):
        feature = floats(f"feature {number}", each)
        if feature.shape != target.shape:
            rows = counted(feature.size, "row")
            msg = f"feature {number} has {rows} where the target has {target.size}"
            raise ColumnError(msg)
        if not np.isfinite(feature).all():
            row = int(np.argmin(np.isfinite(feature)))
            msg = f"feature {number} must be finite, found {feature[row]} in row {row}"
            raise ColumnError(msg)
        if feature.size and np.abs(feature).max() > LARGEST_FEATURE:
            row = int(np.argmax(np.abs(feature)))
            msg = f"feature {number} must be within {LARGEST_FEATURE:g} of 0"
            raise ColumnError(f"{msg}, found {feature[row]:g} in row {row}")
    return _matrix(features)


def _some(target: Array) -> None:
    if not target.size:
        raise ColumnError("there are no rows to fit a calibrator on")


def _sklearn(module: str) -> Any:
    try:
        return import_module(f"sklearn.{module}")
    except ImportError:
        msg = "fitting this calibrator needs scikit-learn, which is not installed"
        hint = "pip install 'assay[calibrate]'; applying a calibrator and `method` temperature"
        raise UsageError(msg, hint=f"{hint} do not need it") from None
