"""Numbers as other languages write them: "70 000", "70.000", "7万", "70 mil", other digits.

What reads texts knows figures as they are written in English. Where the members of a set are
numbers, those of a text are brought into that form first; what is then found is counted back.
"""
# ruff: noqa: RUF001 - signs of other scripts are meant

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from assay.derive import patterns as re
from assay.derive.choices import Choices

_OTHER_FIGURE = re.compile(r"[^\D0-9]|(?<=\d)[٬٫](?=\d)")
_MARKS = {"٬": ",", "٫": "."}
_BETWEEN = ".,'’ \u00a0\u202f\u2009"
"""signs between groups of three figures"""
_GROUPED = re.compile(
    r"(?<![\w.,'’/])(?<!\d[ \u00a0\u202f\u2009])[1-9]\d{0,2}"
    rf"([{_BETWEEN}])\d{{3}}(?:\1\d{{3}})*(?![\w/]|[.,'’]\d|[ \u00a0\u202f\u2009]\d)"
)
_BY_TWO = re.compile(r"(?<![\w.,])\d{1,2}(?:,\d\d){1,4},\d{3}(?![\w/]|[.,]\d)")
"""figures in groups as they are written in India"""
_MYRIADS = {"千": 3, "천": 3, "万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8}
_BY_MYRIADS = re.compile(
    rf"(?<![A-Za-z0-9.,])(?:\d{{1,8}}(?:\.\d{{1,4}})? ?[{''.join(_MYRIADS)}] ?){{1,4}}"
    r"(?:\d{1,4}(?![A-Za-z0-9.,]))?"
)
_PART = re.compile(rf"(\d+(?:\.\d+)?) ?([{''.join(_MYRIADS)}]?)")
_NAMES = {
    3: "k|thousand|tausend|mille|mila|mil|тысячи?|тыс|nghìn|ngàn|ribu|bin|হাজার|हज़ार|हजार|ألف|آلاف"
    "|พัน",
    4: "หมื่น",
    5: "lakhs?|লাখ|लाख|แสน",
    6: "millions?|millionen|mio|millón|millones|milhão|milhões|milione|milioni|миллион(?:а|ов)?|млн"
    "|triệu|juta|milyon|مليون|ملايين|ล้าน",
    7: "crores?|কোটি|करोड़",
}
_SPELLED = re.compile(
    r"(?<![\w.,])(\d{1,6}(?:[.,]\d{1,3})?)[ \u00a0]?(?:"
    + "|".join(f"(?P<by{power}>{names})" for power, names in _NAMES.items())
    + r")(?!\w)",
    re.IGNORECASE,
)
_MAY_BE = re.compile(r"\d{1,3}[.,'’ \u00a0\u202f\u2009](?=\d{2})|\d ?[^\W\d_]|[^\x00-\x7f]")
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,.]*(?!\w)")
_PAIR = 2


class Piece(NamedTuple):
    """A number that was brought into another form: where it stands, in both texts."""

    start: int
    end: int
    own_start: int
    own_end: int


class Rewritten(NamedTuple):
    """A text with its numbers in another form."""

    text: str
    pieces: tuple[Piece, ...] = ()

    def own(self, span: tuple[int, int]) -> tuple[int, int]:
        """Return where the characters of a span stand in the text as it is written."""
        return self._own(span[0], last=False), self._own(span[1], last=True)

    def _own(self, at: int, *, last: bool) -> int:
        moved = 0
        for each in self.pieces:
            if at <= each.start:
                break
            if at < each.end:
                return each.own_end if last else each.own_start
            moved = each.own_end - each.end
        return at + moved


def in_figures(text: str, choices: Choices) -> Rewritten:
    """Return a text with its figures as English has them, and numbers so if the members have some.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> choices = Choices.of(LabelSet.of(["70000", "1500"]))
    >>> [in_figures(each, choices).text for each in ("70 000 $", "1.500 Fässer", "7万ドル")]
    ['70000 $', '1500 Fässer', '70000ドル']
    >>> in_figures("70 000 $", choices).own((0, 5))
    (0, 6)
    """
    if not text.isascii() and not any(map(_OTHER_FIGURE.search, choices.owner)):
        text = _OTHER_FIGURE.sub(_in_ascii, text)
    known = _known(choices)
    if not known or not _MAY_BE.search(text):
        return Rewritten(text)
    parts, pieces, at, moved = list[str](), list[Piece](), 0, 0
    for start, end, figures in sorted(_numbers(text, known)):
        if start < at:
            continue
        by = known.get(figures, figures)
        parts += (text[at:start], by)
        at, own = end, start + moved
        pieces.append(Piece(own, own + len(by), start, end))
        moved += len(by) - (end - start)
    return Rewritten("".join((*parts, text[at:])), tuple(pieces))


def _in_ascii(figure: re.Match[str]) -> str:
    return _MARKS.get(figure[0]) or str(int(figure[0]))


def _numbers(text: str, known: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """Yield where a text has numbers in other forms, and their figures."""
    for each in _GROUPED.finditer(text):
        figures = "".join(filter(str.isdigit, each[0]))
        if figures in known or _is_grouped(each, known):
            yield *each.span(), figures
    for each in _BY_TWO.finditer(text):
        yield *each.span(), each[0].replace(",", "")
    for each in _BY_MYRIADS.finditer(text):
        yield from _if_known(each, _by_myriads(each[0]), known)
    for each in _SPELLED.finditer(text):
        power = int((each.lastgroup or "by0")[2:])
        yield from _if_known(each, Fraction(each[1].replace(",", ".")) * 10**power, known)


def _is_grouped(number: re.Match[str], known: Mapping[str, str]) -> bool:
    """Say whether signs between figures make groups of them, though no member is that number."""
    sign = number[1]
    groups = number[0].split(sign)
    if sign == "." and len(groups) <= _PAIR:
        decimal = Fraction(number[0])
        return groups[-1] == "000" and all(Fraction(each) != decimal for each in known)
    return sign != "," and known.keys().isdisjoint(groups)


def _by_myriads(number: str) -> Fraction | None:
    """Return a number that counts myriads, whose parts become smaller and smaller."""
    total, before = Fraction(0), max(_MYRIADS.values()) + 1
    for each in _PART.finditer(number):
        power = _MYRIADS.get(each[2], 0)
        if power >= before:
            return None
        total, before = total + Fraction(each[1]) * 10**power, power
    return total


def _if_known(
    found: re.Match[str], value: Fraction | None, known: Mapping[str, str]
) -> Iterator[tuple[int, int, str]]:
    """Yield a number that is a member, unless what it counts is one by itself."""
    count = _PART.match(found[0])
    end = found.start() + len(found[0].rstrip())
    if value is not None and str(value) in known and count and count[1] not in known:
        yield found.start(), end, str(value)


@lru_cache(maxsize=64)  # every reading of a question needs the same
def _known_of(names: tuple[str, ...]) -> Mapping[str, str]:
    numbers = (each.group().rstrip(".,") for name in names for each in _NUMBER.finditer(name))
    plain = {each.replace(",", ""): each for each in numbers}
    return {each: plain[each] for each in plain if each.count(".") <= 1}


def _known(choices: Choices) -> Mapping[str, str]:
    """Return the numbers in the names of members, with how they are spelled there."""
    return _known_of(tuple(each for each in choices.owner if each not in choices.letters))
