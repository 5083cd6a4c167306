"""The member that a text gives by a number: of a list, of a rating, or at the end of a sum."""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from assay.derive import patterns as re
from assay.derive.amounts import amount, scored, with_unit
from assay.derive.choices import written
from assay.derive.equivalents import equivalent, in_words
from assay.derive.naming import Announcement, Passage

_NUMBER = re.compile(
    r"(?:#|(?<!\w)\(|(?:[nN]umber|[nN]o\.|[oO]ption|[iI]tem|[dD]iagnosis|[hH]ypothesis|[pP]ossibility|[cC]hoice) )(\d)(?!\w)"
    r"|(?<!\w)[tT]he (first|second|third|fourth|fifth)(?= (?:is|one|seems|fits|would|item|diagnosis))"
)
_MAY_NUMBER = re.OneOf("0|1|2|3|4|5|6|7|8|9|he first|he second|he third|he fourth|he fifth")
"""of which it has one, where it is ASCII"""
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5"}
# The digit stands first, so that the search can jump from one to the next.
_RATED = re.compile(r"(\d(?<![\w./].)\d?)(?: (?:out of|von|sur|su) | ?/ ?)\d{1,3}(?![\w/])")
_OUT_OF = frozenset({"out", "von", "sur", "su"})
_ITEM = re.compile(r"(?m)^[ \t*#(]*(\d)[.):]+[ \t*]*")
_FORMULA = re.compile(r"(?:\$|\\[(\[])([^$\n]{1,120})(?:\$|\\[)\]])[\s.。]*\Z")
_DIGIT = re.compile(r"\d")
_MARKS = " \t\n*_#>\"'`“”()[]{}$.,;:!-–—•"
_ITEM_REACH, _VALUE, _PAIR = 12, 40, 2


def numbered(passage: Passage) -> Announcement | None:
    r"""Return the member of a numbered list that the last sentence names by its number.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["flu", "cold"]))
    >>> numbered(Passage(fold("1. Flu: fever\n2. Cold: no fever\nSo it is #2."), choices)).answer
    'cold'
    """
    text = passage.text
    end = len(text.rstrip(_MARKS))
    start = passage.sentence_start(end)
    if text.isascii() and not _MAY_NUMBER.within(text[start:end]):
        return None
    named = [*_NUMBER.finditer(text, start, end)]
    numbers = {each[1] or _ORDINALS[each[2]] for each in named}
    if len(numbers) != 1:
        return None
    (wanted,) = numbers
    for item in _ITEM.finditer(text, 0, named[0].start()):
        names = passage.within(item.end(), item.end() + _ITEM_REACH) if item[1] == wanted else []
        if names:
            return Announcement(*named[0].span(), "answered", names[0].label, "number")
    return None


def rated(passage: Passage) -> Announcement | None:
    """Return the member whose value is the first of "2 out of 5", or the score said."""
    level = passage.given.plain
    rates = not _OUT_OF.isdisjoint(passage.given.words) and any(
        each in level for each in (" out of ", " von ", " sur ", " su ")
    )
    rates = rates or (
        "/" in level and len(level) < _VALUE and "/" not in "".join(passage.choices.owner)
    )
    for each in _RATED.finditer(level) if rates else ():
        label = passage.choices.values.get(each[1])
        if label:
            return Announcement(*each.span(1), "answered", label, "rating")
    found = scored(level) if "score" in level else None
    label = passage.choices.values.get(level[slice(*found)]) if found else None
    return Announcement(*found, "answered", label, "rating") if found and label else None


def last_value(passage: Passage) -> Announcement | None:
    """Return the member whose value is the last word of a text, or the first of "2 out of 5"."""
    rating = rated(passage)
    if rating:
        return rating
    formula = _FORMULA.search(passage.text, max(0, len(passage.text) - 4 * _VALUE))
    label = passage.choices.values.get(written(formula[1])) if formula else None
    if formula and label and len(written(formula[1])) > 1:
        return Announcement(*formula.span(1), "answered", label, "last value")
    text = passage.text.rstrip(" .*$\n-")
    line = text.rfind("\n") + 1
    signs = [
        text.rfind(sign, line) + len(sign) - 1
        for sign in ("=", "≈", "\\approx", " is ")
        if sign in text[line:]
    ]
    equals = max(signs, default=-1) + 1
    equals = equals if equals > line + 2 or text[line : line + 1] == "=" else 0
    start = max(text.rfind(" ") + 1, line, equals)
    values = [written(text[start:])]
    if equals and len(text) - equals < _VALUE:
        values += [written(text[equals:]), *amount(text[equals:])]
    counts = equals and _DIGIT.search(text, equals)
    same = equivalent(text[equals:], passage.choices) if counts else None
    same = same or with_unit(text[-_VALUE:], passage.choices.owner)
    same = same or in_words(" ".join(text[-_VALUE:].split()[-_PAIR:]), passage.choices)
    if same:
        return Announcement(start, len(text), "answered", same, "last value")
    for value in values:
        label = passage.choices.values.get(value) if any(map(str.isdigit, value)) else None
        if label:
            return Announcement(start, len(text), "answered", label, "last value")
    return None
