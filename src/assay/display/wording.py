"""Numbers as text: the only place with rounding and percent signs."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite, isnan, log10

MOST_DECIMALS = 6
HUGE = 1e7
SMALL = 0.1
BARS = "▁▂▃▄▅▆▇█"
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def decimals(value: float, spread: float | None) -> int:
    """Return how many decimals show two digits of the spread, or four digits without one.

    Three digits are enough of what is below a tenth.

    Examples
    --------
    >>> decimals(0.0330, 0.0055), decimals(188.5, 33.0), decimals(0.5, None), decimals(0.03, None)
    (4, 0, 4, 4)
    """
    digits = 100 if abs(value) >= SMALL else 10
    scale = abs(spread) if spread and isfinite(spread) else abs(value) / digits
    if not scale or not isfinite(scale):
        return 3
    return min(MOST_DECIMALS, max(0, 1 - floor(log10(scale))))


def fixed(value: float, places: int) -> str:
    """Write a number with so many decimals, never minus zero.

    Examples
    --------
    >>> fixed(0.12345, 3), fixed(-1e-9, 2), fixed(123456789.0, 2)
    ('0.123', '0.00', '1.235e+08')
    """
    return f"{value:.4g}" if abs(value) >= HUGE else f"{value:z.{places}f}"


def signed(value: float, places: int) -> str:
    """Write a difference with its sign."""
    text = fixed(value, places)
    return text if text.startswith("-") or not float(text) else f"+{text}"


def percent(share: float) -> str:
    """Write a share in percent.

    Examples
    --------
    >>> percent(0.04878)
    '4.9%'
    """
    return f"{fixed(100 * share, 1)}%"


def points(difference: float) -> str:
    """Write a difference of shares in percentage points, with its sign.

    Examples
    --------
    >>> points(0.184), points(-0.00001)
    ('+18.4', '0.0')
    """
    return signed(100 * difference, 1)


def level(share: float) -> str:
    """Write a nominal level in percent, with as many decimals as it has.

    Examples
    --------
    >>> level(0.95), level(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * share:.10g}%"


def p_value(p: float) -> str:
    """Write a p-value.

    Examples
    --------
    >>> p_value(0.47355), p_value(0.0002)
    ('0.474', '<0.001')
    """
    return "<0.001" if p < 0.001 else fixed(p, 3)  # noqa: PLR2004 - said in the text


def count(number: int) -> str:
    """Write a count.

    Examples
    --------
    >>> count(10000)
    '10,000'
    """
    return f"{number:,}"


def superscript(number: int) -> str:
    """Write the mark of a note.

    Examples
    --------
    >>> superscript(12)
    '¹²'
    """
    return str(number).translate(SUPERSCRIPTS)


def sparkline(values: Sequence[float | None], top: float) -> str:
    """Draw numbers from 0 to the top as bars of eight heights, an undefined one as a dot.

    Examples
    --------
    >>> sparkline([0, 0.5, None, 1], 1)
    '▁▅·█'
    """
    return "".join(
        "·" if each is None or isnan(each) else BARS[_height(each, top)] for each in values
    )


def _height(value: float, top: float) -> int:
    last = len(BARS) - 1
    if not top or not isfinite(top):
        return 0 if isfinite(value) else last
    return floor(len(BARS) * min(max(value / top, 0.0), last / len(BARS)))
