"""Losses: what an answer costs, row by row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import UsageError
from assay.floats import floats
from assay.showing import quoted

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from assay.columns import Array

Scale = tuple[float, float]
"""The two ends of the scale on which predictions and truths lie."""


@dataclass(frozen=True, slots=True)
class Loss:
    """One loss: its formula in words, as a function of the error, and on which unit it is."""

    name: str
    definition: str
    of_error: Callable[[Array], Array]
    """maps prediction - truth to the loss"""
    power: int
    """the largest loss is the width of the scale to this power"""
    per_width: bool = False
    """the error is measured in widths of the scale"""


LOSSES: dict[str, Loss] = {
    loss.name: loss
    for loss in (
        Loss("abs", "abs(pred - gt)", np.abs, power=1),
        Loss("abs_norm", "abs(pred - gt) / (high - low)", np.abs, power=1, per_width=True),
        Loss("squared", "(pred - gt)^2", np.square, power=2),
        Loss("zero_one", "1 if pred != gt else 0", lambda error: 1.0 * (error != 0), power=0),
    )
}


def loss_named(name: str) -> Loss:
    """Look a loss up, or say which ones there are."""
    if name not in LOSSES:
        msg = f"there is no loss {quoted(name)}"
        raise UsageError(msg, hint=f"the losses are {', '.join(LOSSES)}")
    return LOSSES[name]


def losses(
    name: str, prediction: ArrayLike, truth: ArrayLike, *, scale: Scale | None = None
) -> Array:
    """Return the loss of every row, NaN where the system abstained (a prediction of NaN).

    Examples
    --------
    >>> losses("abs", [3, 1, float("nan")], [1, 1, 2]).tolist()
    [2.0, 0.0, nan]
    >>> losses("abs_norm", [3, 0], [0, 0], scale=(0, 3)).tolist()
    [1.0, 0.0]
    """
    loss = loss_named(name)
    with np.errstate(over="ignore"):  # a loss beyond a double is infinite, and refused as such
        error = floats("prediction", prediction) - floats("truth", truth)
        cost = loss.of_error(error)
    # The error is divided last, so that the digits are those of |pred - gt| / 3.
    cost = np.where(np.isnan(error), np.nan, cost)
    return cost / raw_multiplier(name, scale)


def raw_multiplier(name: str, scale: Scale | None) -> float:
    """Return what a loss must be multiplied with to be in the unit of the scale again."""
    if not loss_named(name).per_width:
        return 1.0
    if scale is None:
        msg = f"loss {name} needs the two ends of the scale, which an item table does not state"
        raise UsageError(msg, hint="give the scale (0 and 3 for PHQ-8 items), or use the loss abs")
    return scale[1] - scale[0]


def loss_range(name: str, scale: Scale | None) -> float | None:
    """Return the largest possible loss; None when the scale is needed and not known.

    Examples
    --------
    >>> loss_range("squared", (0, 3)), loss_range("zero_one", None), loss_range("abs", None)
    (9.0, 1.0, None)
    """
    loss = loss_named(name)
    if loss.per_width or loss.power == 0:
        return 1.0
    return None if scale is None else float(scale[1] - scale[0]) ** loss.power
