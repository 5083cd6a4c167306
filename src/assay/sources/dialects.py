"""How a table of texts is spelled: what separates its cells, and which mark decimals follow."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["DECIMAL_COMMA", "POINT_NUMBER", "SEPARATORS", "separator_of", "with_points"]

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
DECIMAL_COMMA = re.compile(r"\s*[+-]?([0-9]+,[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?\s*", re.ASCII)
POINT_NUMBER = re.compile(r"\s*[+-]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*", re.ASCII)


def separator_of(text: str) -> str:
    """Return what separates the names of the header: the most frequent mark outside of quotes.

    Examples
    --------
    >>> separator_of("y;p;who"), separator_of('y,"a;b;c",p'), separator_of("y")
    (';', ',', ',')
    """
    counts = dict.fromkeys(SEPARATORS, 0)
    quoted = False
    for mark in text:
        if mark == '"':
            quoted = not quoted
        elif not quoted and mark in "\r\n":
            break
        elif not quoted and mark in counts:
            counts[mark] += 1
    return max(counts, key=counts.__getitem__)  # the first of equals, which is the comma


def with_points(texts: Sequence[str]) -> Sequence[str]:
    """Write decimal commas as points, in a column in which no number has a point.

    Examples
    --------
    >>> with_points(["0,5", "1", "NA"]), with_points(["0,5", "0.5"])
    (['0.5', '1', 'NA'], ['0,5', '0.5'])
    """
    if not any("," in text for text in texts) or any(map(POINT_NUMBER.fullmatch, texts)):
        return texts
    return [text.replace(",", ".") if DECIMAL_COMMA.fullmatch(text) else text for text in texts]
