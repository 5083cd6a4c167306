"""Some of many points, at even places."""

from __future__ import annotations

__all__ = ["even"]


def even(n_points: int, most: int) -> list[int]:
    """Return places at even distances, the first and the last among them.

    Examples
    --------
    >>> even(3, 5), even(9, 3)
    ([0, 1, 2], [0, 4, 8])
    """
    if n_points <= most:
        return [*range(n_points)]
    return [place * (n_points - 1) // (most - 1) for place in range(most)]
