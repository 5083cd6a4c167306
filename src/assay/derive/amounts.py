"""Numbers with what they count: "8 hours", "3:15 PM", "9.6 newtons" for "9.6 N", 9 kJ for 9000 J."""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from assay.derive import patterns as re
from assay.derive.wordings import words_of

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
_IN_FORMULAS = (
    (re.compile(r"\\(?:text|mathrm|textrm|textbf|mathbf|rm|bf)[ {]*"), " "),
    (re.compile(r"(?<=10)([\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+)"), r"^\1"),
    (re.compile(r"\\(?:times|cdot)|[\u00d7\u00b7\u22c5*]"), "x"),
    (re.compile(r"\\[,;:! ]|\\(?:left|right|quad)|[${}~]"), " "),
    (re.compile(r"(?<=\^) +|(?<=\^-) +"), ""),
)
_SIGNS = str.maketrans(
    "\u207a\u207b\u2212\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079",
    "+--0123456789",
)
_POWER = r"(?:10 ?\^ ?\(? ?([-+]?\d{1,2})(?!\d)\)?)"
_QUANTITY = re.compile(
    rf"(?<![\w.,/^-])([-+]?) ?(?:(\d{{1,12}}(?:,\d{{3}}){{0,4}}(?:\.\d{{1,12}})?|\.\d{{1,12}})(?: ?x ?{_POWER}|[eE]([-+]?\d{{1,2}})(?!\d))?|{_POWER})"
    r"(?![\d.,]*\d)(?: ?([^\W\d_][^\d\s=<>+]{0,20}))?[ .*)]*$"
)
"""a number in any notation at the end of what is said, with its unit"""
_PLAIN = re.compile(r"(?<![\d^eE{-])[-+]?\d[\d.,]*[\s.)*$]*\Z")
"""a number alone, which may count anything"""
_PREFIXES = {
    each: power
    for power, signs in (
        *((12, "T"), (9, "G giga"), (6, "M mega"), (3, "k kilo"), (-2, "c centi")),
        *(
            (-3, "m milli"),
            (-6, "\u00b5 \u03bc u micro"),
            (-9, "n nano"),
            (-12, "p pico"),
            (-15, "f"),
        ),
    )
    for each in signs.split()
}
_SPELLED = dict(
    each.split("=")
    for each in words_of(
        "joule=J newton=N watt=W volt=V ampere=A amp=A pascal=Pa hertz=Hz metre=m meter=m gram=g second=s"
        " kelvin=K coulomb=C ohm=\u03a9 litre=L liter=L mole=mol tesla=T farad=F electronvolt=eV"
    )
)
_BASES = frozenset(_SPELLED.values())
_TAIL = 60
"""characters at the end of a text in which a quantity stands"""


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
    """Return the one member that is the quantity at the end of a text, in another notation.

    Examples
    --------
    >>> with_unit("a force of 9.6 newtons", {"9.6 N": "A", "9.6 m": "B"})
    'A'
    >>> with_unit("so W = 9.6 kJ", {"9.6e3 J": "A", "9.6 J": "B"})
    'A'
    """
    if not _PLAIN.search(text[-_TAIL:]) and (label := same_quantity(text, owner)):
        return label
    said = _WITH_UNIT.search(text.rstrip(" .*$"))
    units = {name: _WITH_UNIT.fullmatch(name.strip()) for name in owner} if said else {}
    found = {
        owner[name]
        for name, own in units.items()
        if own and said and own[1] == said[1] and own[2][0].lower() == said[2][0].lower()
    }
    return min(found) if len(found) == 1 else None


def same_quantity(text: str, owner: Mapping[str, str]) -> str | None:
    """Return the one member that is as much as what ends a text; a unit may be left out.

    Examples
    --------
    >>> same_quantity("18 kJ", {"1.8e4 J": "A", "18 J": "B"}), same_quantity("18", {"18 J": "B"})
    ('A', 'B')
    """
    said = quantity(text)
    own = _quantities(tuple(owner)) if said else {}
    found = {
        owner[name]
        for name, each in own.items()
        if said and (each[1:] == said[1:] if each[2] and said[2] else each[0] == said[0])
    }
    return min(found) if len(found) == 1 else None


@lru_cache(maxsize=64)
def _quantities(names: tuple[str, ...]) -> dict[str, tuple[Fraction, Fraction, str]]:
    """Return the members that are quantities, each of them from its beginning to its end."""
    found = {each: quantity(each, whole=True) for each in names if any(map(str.isdigit, each))}
    return {name: each for name, each in found.items() if each}


def quantity(text: str, *, whole: bool = False) -> tuple[Fraction, Fraction, str] | None:
    """Return the number that ends a text, what it is in a unit without prefix, and that unit.

    Examples
    --------
    >>> quantity("about 1.8 kJ"), quantity("four", whole=True)
    ((Fraction(9, 5), Fraction(1800, 1), 'J'), None)
    """
    plain = text[-_TAIL:]
    if not any(map(str.isdigit, plain)):
        return None
    for pattern, sign in _IN_FORMULAS:
        plain = pattern.sub(sign, plain)
    plain = " ".join(plain.translate(_SIGNS).split())
    found = _QUANTITY.match(plain) if whole else _QUANTITY.search(plain)
    if found is None:
        return None
    sign, number, power, exponent, alone, unit = found.groups()
    value = Fraction((number or "1").replace(",", "")) * Fraction(10) ** int(
        power or exponent or alone or 0
    )
    value = -value if sign == "-" else value
    base, prefix = _unit((unit or "").rstrip(".)*"))
    return value, value * Fraction(10) ** prefix, base


def _unit(said: str) -> tuple[str, int]:
    """Return a unit without its prefix, and the power of ten that this stands for."""
    if said in _BASES:
        return said, 0
    spelled = said.lower().removesuffix("s") if len(said) > len("Hz") else said
    for prefix, power in {"": 0, **_PREFIXES}.items():
        base = said.removeprefix(prefix)
        if said.startswith(prefix) and base in _BASES:
            return base, power
        if spelled.startswith(prefix) and spelled.removeprefix(prefix) in _SPELLED:
            return _SPELLED[spelled.removeprefix(prefix)], power
    return said, 0


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
