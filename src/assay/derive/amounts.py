"""Numbers with what they count: "8 hours", "3:15 PM", "9.6 newtons" for "9.6 N"."""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.derive import patterns as re

_TIME = re.compile(r"(\d{1,2}:\d\d) ?[aApP]\.?[mM]\.?")
_WITH_UNIT = re.compile(r"(?<![\w.,/])(-?\d[\d.,]*) ?([^\W\d_][^\s\d]{0,20})$")
_AMOUNT = re.compile(
    r"([-+]?)[$\u20ac\u00a3\u00a5]?\s?(\d[\d,]*(?:\.\d+)?)\s?(?:%|[^\W\d_][^\d=]{0,20})?"
)
"""a number with what it counts"""
_WHOLE = r"total|overall|final|severity|combined"
_SCORE = re.compile(
    rf"(?<!of )(?<!\w)(?:({_WHOLE})\s(?:\w+\s){{0,2}}?)?(?:score|rating|total|sum)"
    r"(?:\s(?:for|of)(?:\s[^\W\d_]{1,30}){1,3}?)?\s(?:is|was|of|would\sbe|comes\sto|equals|ist|beträgt|est|es|è|é)[\s*:]{1,4}"
    r"(?:(?:around|about|approximately|roughly|probably|likely)\s)?(\d{1,3})(?![\w%/-]|[.,]\d|\s?\+|\s(?:to|is\sthe)\s)"
)
"""a score that a sentence says"""
_KEYED = re.compile(
    rf"(?:^|\n)[ \t*#>-]*(?:({_WHOLE})\s)?(?:[\w-]+ ){{0,2}}?(?:score|rating|total|sum)[ \t*]*[:=][ \t*]*(\d{{1,3}})(?![\w%-]|[.,]\d|\s?[+\u2013])",
    re.IGNORECASE,
)
"""a score as the value of a line"""
_SUMS = re.compile(r"\W*(?:total|sum)", re.IGNORECASE)
_ADDED = re.compile(
    r"(?<!\w)(?:add(?:ing|ed)|summ(?:ing|ed)|sum|total|score)(?!\w)[^.!?\n=]{0,60}?"
    r"(?:(?:gives|yields|equals|results in|comes to|(?:up )?to)(?: (?:an? )?(?:total|score|sum)(?: score)?(?: of)?)?|(?:\d{1,2}\s?\+\s?){1,30}\d{1,2}\s?=)\s?(\d{1,3})(?![\w%-]|[.,]\d|\s?[+\u2013])"
)
"""what parts add up to"""


def amount(name: str) -> Iterator[str]:
    """Yield the number of a name that is a number with what it counts.

    Examples
    --------
    >>> [*amount("$7,500")], [*amount("8 hours")], [*amount("2 of 3")]
    (['7500'], ['8'], [])
    """
    if time := _TIME.fullmatch(name.strip(" .")):
        yield time[1]
    found = _AMOUNT.fullmatch(name.strip(" .$").replace("\N{MINUS SIGN}", "-"))
    if found:
        yield found[1] + found[2].replace(",", "")


def with_unit(text: str, owner: Mapping[str, str]) -> str | None:
    """Return the one member that is the number at the end of a text, its unit spelled out.

    Examples
    --------
    >>> with_unit("a force of 9.6 newtons", {"9.6 N": "A", "9.6 m": "B"})
    'A'
    """
    said = _WITH_UNIT.search(text.rstrip(" .*$"))
    units = {name: _WITH_UNIT.fullmatch(name.strip()) for name in owner} if said else {}
    found = {
        owner[name]
        for name, own in units.items()
        if own and said and own[1] == said[1] and own[2][0].lower() == said[2][0].lower()
    }
    return min(found) if len(found) == 1 else None


def scored(level: str, text: str | None = None) -> tuple[int, int] | None:
    """Return where a text says the score that it comes to, the last of all or the only one.

    `text` is the text with its lines, where `level` has none.

    Examples
    --------
    >>> scored("your total is 11, a moderate score"), scored("a score of 2, and a score of 3")
    ((14, 16), None)
    """
    added = [*_ADDED.finditer(level)]
    if added:
        return added[-1].span(1)
    found = [*_SCORE.finditer(level), *_KEYED.finditer(text or level)]
    found.sort(key=lambda each: each.start(2))
    whole = [each for each in found if each[1] or _SUMS.match(each[0])]
    if whole or len({each.start(2) for each in found}) == 1:
        return (whole or found)[-1].span(2)
    return None
