"""Values from outside as floats, or in words why they are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from assay.errors import ColumnError
from assay.showing import inert

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["floats"]

BEYOND = "a number that no double holds (beyond 1.8e308)"


def floats(name: str, values: Any) -> Floats:
    """Return values of any shape as floats.

    Examples
    --------
    >>> floats("loss", [1, 2.5]).tolist()
    [1.0, 2.5]
    """
    try:
        return np.asarray(values, dtype=np.float64)
    except OverflowError:
        msg = f"`{name}` must hold numbers, found {BEYOND}"
    except (TypeError, ValueError) as error:
        msg = f"`{name}` must hold numbers: {inert(str(error))}"
    raise ColumnError(msg)
