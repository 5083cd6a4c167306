"""Names that do not mean what they name: a denied one with a contrary, and the ends of a scale.

"Nothing wrong with that" names the member "not wrong" of two, and "from 1 to 5" names no rating.
"""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from assay.derive import patterns as re
from assay.derive.labels import spelled
from assay.derive.wordings import words_of

if TYPE_CHECKING:
    from assay.derive.choices import Named

_DENIES = ("un", "in", "im", "ir", "il", "non", "non ", "not ", "no ", "dis", "ab")
_WORDS = words_of("nothing far not hardly scarcely anything cannot")
"""without one of these words no member is turned into its contrary"""
_TURNS = re.compile(
    r"(?:(?<!\w)(?:nothing|hardly|scarcely|anything but|far from being)"
    r"|(?:(?<!\w)(?:not|cannot|can't|(?:do|does|did|is|was|are)n't)(?: (?:see|find|detect|notice|contain|have|include|be|be found|be held|be judged|be proven|be said to be|think (?:that )?there(?:'s| is)|believe (?:that )?there(?:'s| is)))?(?: anything| any)?))"
    r"(?: (?:morally|ethically|inherently|intrinsically|legally|clinically|really|actually|in itself|per se|considered|deemed|regarded as|seen as|viewed as|classified as|labell?ed(?: as)?|called|an?))* $"
)
"""what stands right before a member that is denied, and not by degrees"""
_DOUBTS = re.compile(
    r"(?:(?:do|does|did|would|could)(?:n't| not)|can't|cannot|won't|will not) (?:think|believe|feel|consider|find|call|label|describe|classify|see why|see how)(?: that)?"
    r" (?:it|this|that|he|she|they|(?:the|this|that|an?) \w+(?: \w+)?)(?:'s| is| was| are| would be| to be| as)?(?: (?:morally|ethically|inherently|really|an?))* $"
)
"""who does not think that something is so"""
_OR = re.compile(r"\s*(?:or|nor|and)(?!\w)")
_REACH, _PAIR, _DIGITS = 60, 2, 9
_DEGREES = ("minimal", "slight", "mild", "moderate", "severe", "extreme")
_SCALE = re.compile(
    r"(?<!\w)(?:(?P<led>scale|range|ratings?|score|values?|numbers?)(?: (?:of|from|between|ranging from|running from|being))?|from|between)"
    r" (?P<low>\d{1,2})(?: ?\([^()\n]{1,40}\)| ?=[^,;()\n\d]{1,40})?(?: ?[-\u2013\u2014] ?| (?:to|through|and|up to) )(?:\w+ )?(?P<high>\d{1,2})(?!\w)"
)
"""from where to where ratings go"""
_RANGE = re.compile(
    r"(?<![\w.,/-])(?:(\d{1,3}) ?[-\u2013\u2014] ?(\d{1,3})|[bB]etween (\d{1,3}) and (\d{1,3}))(?![\w%]|[.,]\d| ?[-\u2013\u2014/=])"
)
"""from where to where something may lie"""


def contraries(owner: Mapping[str, str]) -> dict[str, str]:
    """Return the members of a set that deny each other, by either.

    Examples
    --------
    >>> contraries({"wrong": "wrong", "not wrong": "not wrong", "other": "other"})
    {'wrong': 'not wrong', 'not wrong': 'wrong'}
    """
    names = {spelled(each): label for each, label in owner.items()}
    found: dict[str, str] = {}
    for name, label in names.items():
        less = f"{name.removesuffix('ful')}less" if name.endswith("ful") else ""
        for each in (*(f"{prefix}{name}" for prefix in _DENIES), less):
            other = names.get(each, label)
            if other != label and name.isalpha():
                found |= {label: other, other: label}
    return found


def turned(named: Iterable[Named], level: str, other: Mapping[str, str]) -> Iterator[Named]:
    """Yield names, of which a denied one is its contrary where the set has that."""
    for each in named:
        before = level[max(0, each.start - _REACH) : each.start] if each.label in other else ""
        denied = _TURNS.search(before) or _DOUBTS.search(before) if before else None
        if denied is None or _OR.match(level, each.end):
            yield each
        else:
            start = each.start - len(before) + denied.start()
            yield each._replace(start=start, label=other[each.label])


def by_degrees(named: list[Named], level: str, members: Mapping[str, str]) -> list[Named]:
    """Return names without those behind the degree of another member: "moderately severe"."""
    degrees = [f"{each}ly " for each in _DEGREES if each in members or each.title() in members]
    if not any(each in level for each in degrees):
        return named
    return [each for each in named if not level.endswith((*degrees,), 0, each.start)]


def may_turn(level: str, words: frozenset[str]) -> bool:
    """Say whether a text has a word that denies."""
    return not _WORDS.isdisjoint(words) or "n't" in level


def ends_of_scale(level: str, members: Iterable[str], text: str = "") -> frozenset[int]:
    """Return where numbers stand that are the ends of the scale on which something is rated.

    Without a word such as "scale" they have to be the first and the last of the members, or a
    range of the text, where the members are all numbers from one to another.

    Examples
    --------
    >>> sorted(ends_of_scale("from 1 to 7: from 5 to 6", [*"1234567"]))
    [5, 10]
    >>> sorted(ends_of_scale("3 4", [*"1234567"], "3-4"))
    [0, 2]
    """
    values = _numbers(members)
    if len(values) <= _PAIR:
        return frozenset()
    whole = values[0], values[-1]
    found = [each for each in _SCALE.finditer(level) if each["led"] or _ends(each) == whole]
    ranges = _ranges(text, values)
    return frozenset(
        [*(at for each in found for at in (each.start("low"), each.start("high"))), *ranges]
    )


def is_range(answer: str, members: Iterable[str]) -> bool:
    """Say whether an answer is from one member to another, where all are numbers in a row.

    Examples
    --------
    >>> is_range("about 3-4", [*"12345"]), is_range("3-4", ["3", "4", "9"])
    (True, False)
    """
    values = _numbers(members)
    return any(_ranges(answer, values))


def _numbers(members: Iterable[str]) -> list[int]:
    """Return the members that are whole numbers and no longer than those of a scale, in order."""
    return sorted(int(each) for each in members if each.isdecimal() and len(each) <= _DIGITS)


def _ranges(text: str, values: list[int]) -> Iterator[int]:
    """Yield where the ends of ranges stand, if the values are all from one to another."""
    if len(values) <= _PAIR or values[-1] - values[0] != len(values) - 1:
        return
    for each in _RANGE.finditer(text):
        low, high = (1, 2) if each[1] else (3, 4)
        if values[0] <= int(each[low]) < int(each[high]) <= values[-1]:
            yield from (each.start(low), each.start(high))


def _ends(found: re.Match[str]) -> tuple[int, int]:
    return int(found["low"]), int(found["high"])


def without_scale(named: list[Named], level: str, members: Iterable[str], text: str) -> list[Named]:
    """Return the numbers named that are no end of a scale, or of a range of the text."""
    ends = ends_of_scale(level, members, text)
    return [each for each in named if each.start not in ends] if ends else named
