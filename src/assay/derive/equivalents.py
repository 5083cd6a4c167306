"""Answers that are a member in another spelling: 0.5 for 1/2, "Borderline PD", "Only II"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.derive.together import all_member
from assay.derive.wordings import words_of

if TYPE_CHECKING:
    from assay.derive.choices import Choices

__all__ = [
    "begins_several",
    "both_of",
    "dates",
    "equivalent",
    "in_words",
    "listed_members",
    "numerals",
]

_NUMBER = re.compile(
    r"([-+]?)[$\u20ac\u00a3]?(\d{1,12}(?:\.\d{1,12})?|\.\d{1,12})(?:/(\d{1,12}))?(%?)"
)
_ABOUT = re.compile(r"^\s*(?:approximately|about|roughly|around|approx\.?|≈|~)\s*", re.IGNORECASE)
_ROUNDED = re.compile(r"-?\d{1,12}\.(\d{2,12})")
_FRACTION = re.compile(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}")
_PERCENT = re.compile(r"\s*(?:%|per ?cent|prozent|pour cent|por ciento)", re.IGNORECASE)
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_IN_WORDS = {word: number for number, word in enumerate(_UNITS)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}
_PARTS = {
    "half": Fraction(1, 2),
    "third": Fraction(1, 3),
    "quarter": Fraction(1, 4),
    "thirds": Fraction(1, 3),
    "quarters": Fraction(1, 4),
}
_BOTH = re.compile(
    r"(?:both )?\(?([a-z])\)?(?: and | & |\+)\(?([a-z])\)?(?: only| are (?:correct|true))?"
)
_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_TOKEN = re.compile(r"[^\W_]+")
_STOP = words_of("and the only statement statements just both")
_ROMAN = {"1": "i", "2": "ii", "3": "iii", "4": "iv", "5": "v"}
_KINDS_OF_THING = words_of(
    "disorder disorders syndrome illness disease condition episode the a an of"
)
_STEM = 7
_MOST, _PAIR = 60, 2
"""characters of an answer that is compared"""


def equivalent(answer: str, choices: Choices) -> str | None:
    """Return the one member that an answer is in another spelling; None where it is none.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> choices = Choices.of(LabelSet.of_options(["1/2", "24"]))
    >>> equivalent("0.5", choices), equivalent("twenty-four", choices), equivalent("3", choices)
    ('A', 'B', None)
    """
    if len(answer) > _MOST:
        return None
    forms = _forms(tuple(choices.owner.items()))
    answer = _ABOUT.sub("", answer)
    for form in (_amount(answer), *_spellings(answer)):
        label = forms.get(form) if form else None
        if label:
            return label
    rounded = _ROUNDED.fullmatch(answer.strip(" $.*"))
    near = [
        label
        for form, label in forms.items()
        if rounded and isinstance(form, tuple) and isinstance(form[0], Fraction)
        if round(form[0], len(rounded[1])) == Fraction(rounded[0]) and form[0].denominator > 1
    ]
    if len(near) == 1:
        return near[0]
    return _shortened(answer, choices) or _stemmed(answer, choices)


def dates(name: str) -> Iterator[str]:
    """Yield a date in figures, month first, as texts write it.

    Examples
    --------
    >>> [*dates("06/02/1943")][:3], [*dates("1/2")]
    (['6/2/1943', 'June 2, 1943', 'June 2nd, 1943'], [])
    """
    found = _DATE.fullmatch(name)
    if found is None or not 1 <= int(found[1]) <= len(_MONTHS):
        return
    month, day, year = _MONTHS[int(found[1]) - 1], int(found[2]), found[3]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day not in {11, 12, 13} else 0, "th")
    if not name.startswith(shown := f"{int(found[1])}/{day}/"):
        yield f"{shown}{year}"
    for each in (month, month[:3]):
        yield from (f"{each} {day}, {year}", f"{each} {day}{ending}, {year}")
        yield from (f"{day} {each} {year}", f"{day}{ending} of {each} {year}")


def numerals(figures: str) -> Iterator[str]:
    """Yield a whole number from 2 to 99 in English words.

    Examples
    --------
    >>> [*numerals("18")], [*numerals("24")], [*numerals("1")]
    (['eighteen'], ['twenty four'], [])
    """
    number = (
        int(figures) if figures.isascii() and figures.isdigit() and len(figures) < _PAIR + 1 else 0
    )
    tens, unit = divmod(number, 10)
    if 1 < number < len(_UNITS):
        yield _UNITS[number]
    elif number and tens > 1:
        yield f"{_TENS[tens - 2]} {_UNITS[unit]}" if unit else _TENS[tens - 2]


def in_words(text: str, choices: Choices) -> str | None:
    """Return the member that is a number or part in English words, as in "one third"."""
    amount = _in_words(text) if text.replace(" ", "").isalpha() else None
    return _forms(tuple(choices.owner.items())).get(amount) if amount else None


def begins_several(answer: str, choices: Choices) -> bool:
    """Say whether several options begin with the one word of an answer, as "No, because ..." do.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> options = Choices.of(LabelSet.of_options(["Yes, always", "No, never", "No, rarely"]))
    >>> begins_several("No", options), begins_several("Yes", options)
    (True, False)
    """
    word = answer.strip(" .*").lower()
    if not word.isalpha() or not choices.letters:
        return False
    begin = {
        label for name, label in choices.owner.items() if _TOKEN.findall(name.lower())[:1] == [word]
    }
    return len(begin) > 1


def both_of(labels: frozenset[str], choices: Choices) -> str | None:
    """Return the option that says that two others both apply, or all others.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> choices = Choices.of(LabelSet.of_options(["fever", "cough", "Both A and B"]))
    >>> both_of(frozenset("AB"), choices)
    'C'
    """
    for name, label in choices.owner.items():
        found = _BOTH.fullmatch(name.strip().lower()) if choices.letters else None
        if found and {choices.letters.get(each.upper()) for each in found.groups()} == labels:
            return label
    everything = all_member(choices)
    return everything if labels | {everything} == {*choices.owner.values()} else None


def listed_members(text: str, choices: Choices) -> int:
    """Return how many options a text lists by letter and text, with nothing else in it.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> listed_members("A. 12 B) 18", Choices.of(LabelSet.of_options(["12", "18", "24"])))
    2
    """
    rest, n = "".join(_TOKEN.findall(text.lower())), 0
    for letter in choices.letters:
        own = "".join(_TOKEN.findall(f"{letter} {choices.text_of(letter)}".lower()))
        if len(own) > 1 and rest.startswith(own):
            rest, n = rest[len(own) :], n + 1
    return 0 if rest else n


@lru_cache(maxsize=64)
def _forms(owner: tuple[tuple[str, str], ...]) -> Mapping[object, str]:
    """Return the members by what they are in any spelling, where that is one of them."""
    owners: dict[object, set[str]] = {}
    for name, label in owner:
        for form in filter(None, (_amount(name), *_spellings(name))):
            owners.setdefault(form, set()).add(label)
    return {form: min(own) for form, own in owners.items() if len(own) == 1}


def _spellings(text: str) -> tuple[object, ...]:
    """Return a text as one word, and the words of it that matter in any order."""
    words = [_ROMAN.get(each, each) for each in _TOKEN.findall(text.lower())]
    matter = tuple(sorted(each for each in words if each not in _STOP))
    return "".join(words) if len(words) > 1 else None, (
        matter if len(matter) > 0 and len(words) > 1 else None
    )


def _amount(text: str) -> tuple[Fraction, str] | None:
    """Return a number, and whether it is a share; None where a text is anything else."""
    plain = (
        text.strip().lstrip("$* ").rstrip("$*. ").replace("\N{MINUS SIGN}", "-").replace(",", "")
    )
    percent = _PERCENT.search(plain)
    if percent and percent.end() == len(plain):
        plain = f"{plain[: percent.start()]}%"
    plain = _FRACTION.sub(r"\1/\2", plain)
    found = _NUMBER.fullmatch(plain.replace(" ", ""))
    if found is None:
        return _in_words(plain)
    value = Fraction(found[2]) / (int(found[3]) or 1 if found[3] else 1)
    return (-value if found[1] == "-" else value), found[4]


def _in_words(text: str) -> tuple[Fraction, str] | None:
    """Return a number below a hundred, or a part of one, in English words."""
    words = text.lower().replace("-", " ").split()
    sign = -1 if words[:1] in (["minus"], ["negative"]) else 1
    words = [each for each in words[sign < 0 :] if each not in {"a", "an", "and"}]
    if words and words[-1] in _PARTS and len(words) <= _PAIR:
        n = _IN_WORDS.get(words[0], 1) if len(words) == _PAIR else 1
        return sign * n * _PARTS[words[-1]], ""
    if not words or len(words) > _PAIR or any(each not in _IN_WORDS for each in words):
        return None
    if len(words) == _PAIR and not (words[0] not in _UNITS and words[1] in _UNITS):
        return None
    return Fraction(sign * sum(_IN_WORDS[each] for each in words)), ""


def _shortened(answer: str, choices: Choices) -> str | None:
    """Return the one member whose words an answer has, some of them by their initials."""
    given = [each.lower() for each in _TOKEN.findall(answer)]
    found = {
        label
        for name, label in choices.owner.items()
        if given and _abbreviates(given, [each.lower() for each in _TOKEN.findall(name)])
    }
    return found.pop() if len(found) == 1 else None


def _stemmed(answer: str, choices: Choices) -> str | None:
    """Return the one member whose words begin as those of an answer do."""
    given = _stems(answer)
    if not given or choices.letters:
        return None
    found = {label for name, label in choices.owner.items() if given == _stems(name)}
    return found.pop() if len(found) == 1 else None


def _stems(name: str) -> frozenset[str]:
    words = (each for each in _TOKEN.findall(name.lower()) if each.isalpha())
    return frozenset(each[:_STEM] for each in words if each not in _KINDS_OF_THING)


def _abbreviates(given: list[str], name: list[str]) -> bool:
    """Say whether every word is one of a name, or the initials of two and more that follow."""
    at, n_short = 0, 0
    for word in given:
        if at < len(name) and word == name[at]:
            at += 1
            continue
        initials = "".join(each[0] for each in name[at : at + len(word)])
        if len(word) < _PAIR or initials != word:
            return False
        at, n_short = at + len(word), n_short + 1
    return at == len(name) and n_short == 1
