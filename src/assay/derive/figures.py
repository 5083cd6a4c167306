"""The member that a text gives by a number: of a list, of a rating, of statements, of a sum."""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from collections.abc import Iterator

from assay.derive import patterns as re
from assay.derive.amounts import amount, scored, with_unit
from assay.derive.choices import Choices, written
from assay.derive.equivalents import equivalent, in_words
from assay.derive.naming import EDGE, Announcement, Passage
from assay.derive.not_meant import ends_of_scale

_NUMBER = re.compile(
    r"(?:#|(?<!\w)\(|(?:[nN]umber|[nN]o\.|[oO]ption|[iI]tem|[dD]iagnosis|[hH]ypothesis|[pP]ossibility|[cC]hoice) )(\d)(?!\w)"
    r"|(?<!\w)[tT]he (first|second|third|fourth|fifth)(?= (?:is|one|seems|fits|would|item|diagnosis))"
)
_MAY_NUMBER = re.OneOf("0|1|2|3|4|5|6|7|8|9|he first|he second|he third|he fourth|he fifth")
"""of which it has one, where it is ASCII"""
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5"}
# The digit stands first, so that the search can jump from one to the next.
_RATED = re.compile(r"(\d(?<![\w./].)\d?)(?: (?:out of|von|sur|su) | ?/ ?)\d{1,3}(?![\w/])")
_LEVEL = re.compile(
    r"[\s*_#>\"']*(?:(?:the|my|assigned|recommended|estimated|final|overall|triage|urgency|severity|tumou?r|risk) ){0,3}"
    r"(?:(?:[A-Z][\w-]{1,12} )?(?:level|score|grade|stage|class|category|index|rating|acuity|tier|phase|priority|Level|Score|Grade|Stage|Class|Category|Index|Rating|Acuity|Tier|Phase|Priority)|[A-Z][A-Z-]{1,7})"
    r"(?: is| of)?[\s*_:=–-]{1,6}(?P<value>\d|I{1,3}|IV|V)(?P<after>[*_\"')]*(?:\s*(?:[-–—:(,;\n]|\.(?!\d)|$)))"
    r"|\W*(?:I|We)(?:'d| would| will|'ll)? (?:give|assign|rate|score|grade|triage)(?: [\w']+){0,5}? (?:an? |as (?:an? )?)(?:[A-Z]{2,6} |level |grade )?(?P<given>\d)(?=[,;\n]|\.(?!\d)|$)"
)
"""a level that a text gives with its first words"""
_ROMAN = {"I": "1", "II": "2", "III": "3", "IV": "4", "V": "5"}
_OUT_OF = frozenset({"out", "von", "sur", "su"})
_ITEM = re.compile(r"(?m)^[ \t*#(]*(\d)[.):]+[ \t*]*")
_SOUND = frozenset({"true", "correct", "valid", "holds", "right"})
_OF_STATEMENTS = frozenset({"statement", "statements", "scenario", "scenarios", "both", "neither"})
_TRUTH = re.compile(
    r"(?:(?P<both>both (?:(?:of )?(?:the |these )?(?:statements|scenarios|claims)|are))|(?P<neither>neither (?:of the )?(?:statement|scenario|claim)s?)"
    r"|(?:the )?(?:(?P<second>(?:statement|scenario|claim) (?:2|ii|two)|second (?:statement|scenario|claim|one(?= is)))"
    r"|(?:statement|scenario|claim) (?:1|i|one)|first (?:statement|scenario|claim)))(?!\w)(?P<gap>[^.!?;\n]{0,80}?) "
    r"(?:(?:is|are|as)(?P<not> not|n't)? |(?P<deny>not ))?(?:\w+ly |also |both |indeed ){0,3}"
    r"(?P<how>true|false|correct|incorrect|valid|invalid|holds|wrong|right)(?!\w)"
)
_DOES_NOT = re.compile(r"(?:does|did|do|has)(?: not|n't) (?:do|done)|(?:does|did|do|done) nothing")
"""between one who acts and what would be wrong of him"""
_VALUES = re.compile(r"(not )?(true|false|correct|incorrect|valid|invalid|right|wrong)")
_ONLY = re.compile(
    r"(?<!\w)only (?:statements? )?(i{1,3}|iv|[1-5])(?: is| are)? (?:correct|true|valid|holds)"
)
_ONLY_LETTER = re.compile(
    r"(?<!\w)[oO]nly (?:[oO]ption |[cC]hoice |[aA]nswer |[sS]tatement )?[(\[*]*([A-Z])[)\]*]*"
    r" (?:must|could|can|is|remains|works|fits|holds|satisfies|does|has to)(?!\w)(?! not(?!\w))"
)
_PART = r"(?:I{1,3}|IV|V|[1-5])"
_IS_PART = re.compile(_PART)
_PARTS = rf"{_PART}(?:(?:,? ?(?:and|&) |, ?){_PART})*"
_JUDGED_PARTS = re.compile(
    rf"(?<![{EDGE}.,])(?P<parts>{_PARTS})(?![{EDGE}.])(?: only| alone)?,? (?:must be|can be|could be|is|are)(?P<not> not|n't)?"
    r"(?: (?:both|all|also|each|\w+ly)){0,2}(?: (?P<how>true|correct|valid|right|accurate|necessary|false|incorrect|invalid|wrong|inaccurate)(?!\w)|(?(not)(?=[.,;\n]|$)|(?!)))"
)
"""what a text says of statements by their numbers"""
_ALL_PARTS = re.compile(
    r"(?<!\w)all (?:(?:of )?the |of these )?(?:three|four|five|3|4|5)? ?(?:statements|claims|propositions) (?:are|hold)(?: (?:all |\w+ly )?(?:true|correct|valid|right|accurate))?(?!\w)(?! (?:not|false|wrong|in))"
)
_BARE = re.compile(
    r"(?<![^\W\d_])(?:and|only|both|statements?|just|items?|[Aa]nd|[Oo]nly|[Bb]oth|[Ss]tatements?)(?![^\W\d_])|[&,().*]"
)
_SHARE = re.compile(
    rf"(?:P\(|[oO]ption |[cC]hoice )?(?<![{EDGE}])([A-Z])(?![{EDGE}])[)\]*]*(?:[.:)]? [^\n\d%=]{{1,80}}?)?[ *]*[:.=\u2013\u2014|-]?[ *~\u2248]*"
    r"(\d{1,3}(?:\.\d{1,4})?|\.\d{1,4})(?: ?%| ?/ ?10{1,2}(?!\d))?(?![\w%]|[.,]\d)"
)
"""an option with the share of certainty that it is given"""
_WHOLES, _NEARLY = (1, 100), 0.1
_FORMULA = re.compile(r"(?:\$|\\[(\[])([^$\n]{1,120})(?:\$|\\[)\]])[\s.。]*\Z")
_DIGIT = re.compile(r"\d")
_MARKS = " \t\n*_#>\"'`“”()[]{}$.,;:!-–—•"
_EQUALS = ("=", "= ", "≡ ", "⇔ ")
_ITEM_REACH, _VALUE, _PAIR, _SHARES, _HEADING = 12, 40, 2, 1500, 12


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
    found = scored(level, passage.text) if "score" in level else None
    label = passage.choices.values.get(level[slice(*found)]) if found else None
    return Announcement(*found, "answered", label, "rating") if found and label else None


def shares(passage: Passage) -> Announcement | None:
    """Return the option with the largest share, where a text shares all certainty among options.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of_options(["flu", "cold", "mumps"]))
    >>> shares(Passage(fold("A: 5%, B: 80%, C: 15%"), choices)).answer
    'B'
    """
    letters, text = passage.choices.letters, passage.text
    if len(letters) < _PAIR or len(text) > _SHARES or sum(map(str.isdigit, text)) < len(letters):
        return None
    found = [each for each in _SHARE.finditer(text) if each[1] in letters]
    named = [each[1] for each in found]
    some = len({*named}) == len(named) >= _PAIR and all("%" in each[0] for each in found)
    if named != [*letters] and not some:
        return None
    if text[found[-1].end() :].strip(_MARKS) or len(text[: found[0].start()].split()) > _HEADING:
        return None
    values = {each[1]: float(each[2]) for each in found}
    whole = sum(values.values())
    own = any(each[2] in (passage.choices.text_of(each[1]) or "").split() for each in found)
    if own or not any(abs(whole - each) <= _NEARLY * each for each in _WHOLES):
        return None
    most = max(values.values())
    best = [each for each in found if values[each[1]] == most]
    if len(best) > 1:
        return Announcement(best[0].start(), best[-1].end(), "undecided", None, "largest share")
    return Announcement(*best[0].span(1), "answered", letters[best[0][1]], "largest share")


def truths(passage: Passage) -> Announcement | None:
    """Return the option "True, False" where a text calls the first statement true, the second not.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> pairs = ["True, True", "True, False", "False, True", "False, False"]
    >>> choices = Choices.of(LabelSet.of_options(pairs))
    >>> truths(Passage(fold("Statement 1 is true. The second statement is false."), choices)).answer
    'B'
    """
    tells = not _OF_STATEMENTS.isdisjoint(passage.given.words)
    pairs = _pairs(passage) if tells else {}
    found: dict[int, tuple[bool, tuple[int, int]]] = {}
    for each in _TRUTH.finditer(passage.given.level) if pairs else ():
        denied = bool(each["not"] or each["deny"]) != bool(each["neither"])
        denied = denied != (_DOES_NOT.search(each["gap"]) is not None)
        is_true = (each["how"] in _SOUND) != denied
        both = each["both"] or each["neither"]
        for place in (1, 2) if both else (2 if each["second"] else 1,):
            found[place] = (is_true, each.span())
    if len(found) < _PAIR:
        return None
    label = pairs.get((found[1][0], found[2][0]))
    start, end = found[2][1]
    return None if label is None else Announcement(start, end, "answered", label, "truths")


def _pairs(passage: Passage) -> dict[tuple[bool, bool], str]:
    """Return the options that say of two statements each whether it is right."""
    pairs = {}
    for name, label in passage.choices.owner.items() if passage.choices.letters else ():
        said = [_VALUES.fullmatch(each.strip(" .")) for each in name.lower().split(",")]
        if len(said) == _PAIR and all(said):
            one, other = ((each[2] in _SOUND) != bool(each[1]) for each in said if each)
            pairs[one, other] = label
    return pairs


def only_one(passage: Passage) -> Announcement | None:
    """Return the option "I only" where a text says last that only the first statement is true."""
    told = passage.choices.letters and "only" in passage.given.words
    end = len(passage.text.rstrip(" .!。！।*\n"))
    last = _ONLY_LETTER.search(passage.text, passage.sentence_start(end), end) if told else None
    if last and last[1] in passage.choices.letters:
        return Announcement(*last.span(1), "answered", passage.choices.letters[last[1]], "truths")
    only = [*_ONLY.finditer(passage.given.level)] if told else []
    label = equivalent(f"{only[-1][1]} only", passage.choices) if only else None
    return Announcement(*only[-1].span(), "answered", label, "truths") if label else None


def combined(passage: Passage) -> Announcement | None:
    """Return the option of the statements that a text calls right, as in "I and II only".

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of_options(["I only", "I and II only", "I, II, and III"]))
    >>> combined(Passage(fold("I and II are true, but III is not."), choices)).answer
    'B'
    """
    options = _parts_of_options(passage)
    if len(options) < _PAIR:
        return None
    text, every = passage.text, frozenset[str]().union(*options)
    right, span = dict[str, bool](), (0, len(text))
    for each in _JUDGED_PARTS.finditer(text):
        sound = each["how"] not in {"false", "incorrect", "invalid", "wrong", "inaccurate"}
        right |= dict.fromkeys(_numerals(each["parts"]), sound != bool(each["not"]))
        span = each.span()
    if whole := _ALL_PARTS.search(passage.given.level):
        right, span = dict.fromkeys(every, True), whole.span()
    sure = frozenset(each for each, so in right.items() if so)
    last = not text[passage.sentence_end(span[1]) :].strip(_MARKS)
    if not right and (alone := frozenset(_numerals(text))):
        sure = alone
    label = options.get(sure) if last or right.keys() >= every else None
    return None if label is None else Announcement(*span, "answered", label, "truths")


def _parts_of_options(passage: Passage) -> dict[frozenset[str], str]:
    """Return the options that are no more than numbers of statements, by these."""
    choices = passage.choices
    names = ((name, label) for name, label in choices.owner.items() if name not in choices.letters)
    found = {frozenset(_numerals(name)): label for name, label in names if choices.letters}
    return {parts: label for parts, label in found.items() if parts}


def _numerals(said: str) -> Iterator[str]:
    """Yield the numbers of statements that are all of what is said, else nothing."""
    words = _BARE.sub(" ", said).split()
    if all(map(_IS_PART.fullmatch, words)) and any(map(str.isalpha, words)):
        yield from words


def levelled(passage: Passage) -> Announcement | None:
    """Return the member that is the level, grade or score with which a text begins.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["1", "2", "3"]))
    >>> levelled(Passage(fold("ESI: 2 (urgent). 3 tests are needed."), choices)).answer
    '2'
    """
    found = _LEVEL.match(passage.text) if not passage.choices.letters else None
    if found is None or (found["value"] and _is_one_of_many(passage.text, found)):
        return None
    group = "value" if found["value"] else "given"
    label = of_level(found[group], passage.choices)
    return Announcement(*found.span(group), "answered", label, "level") if label else None


def _is_one_of_many(text: str, found: re.Match[str]) -> bool:
    """Say whether the word before a level comes again with other numbers, as steps in turn do."""
    start, end = found.span("value")
    word = text[:start].rstrip(" :*=_").rpartition(" ")[2].lstrip("*_#>\n")
    others = (each for each in text[end:].split(f"{word} ")[1:] if each[:1].isdigit())
    return any(each[0] != text[start] and each[1:2] in {":", ".", ")"} for each in others)


def of_level(value: str, choices: Choices) -> str | None:
    """Return the one member that is a number, or ends with it, in Roman figures or not.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> of_level("III", Choices.of(LabelSet.of(["Grade 2", "Grade 3"])))
    'Grade 3'
    """
    number = _ROMAN.get(value, value)
    label = choices.values.get(number) or choices.values.get(value)
    if label or not number.isdigit():
        return label
    last = {name.rpartition(" ")[2].upper(): each for name, each in choices.owner.items()}
    numbered = {_ROMAN.get(end, end): each for end, each in last.items()}
    plain = len(last) >= len({*choices.owner.values()})
    return numbered.get(number) if plain and all(map(str.isdigit, numbered)) else None


def last_value(passage: Passage) -> Announcement | None:
    """Return the member whose value is the last word of a text, or the first of "2 out of 5"."""
    rating = rated(passage)
    if rating:
        return rating
    formula = _FORMULA.search(passage.text, max(0, len(passage.text) - 4 * _VALUE))
    label = passage.choices.values.get(written(formula[1])) if formula else None
    if formula and label and len(written(formula[1])) > 1:
        return Announcement(*formula.span(1), "answered", label, "last value")
    text = passage.text.rstrip(" .。।*$\n-")
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
    said = passage.choices.particles.get(values[0]) if text[:start].endswith(_EQUALS) else None
    if said:
        return Announcement(start, len(text), "answered", said, "last value")
    for value in values:
        label = passage.choices.values.get(value) if any(map(str.isdigit, value)) else None
        ends = (passage.given.level, passage.choices.owner, passage.text) if label else None
        if label and ends and start not in ends_of_scale(*ends):
            return Announcement(start, len(text), "answered", label, "last value")
    return None


def in_a_later_box(passage: Passage, found: Announcement, other: Announcement) -> bool:
    r"""Say whether a number stands in a box below another one, where numbers are asked for.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> passage = Passage(fold("It is 5.\n\\boxed{7}"), Choices.of(LabelSet.of(["5", "6"])))
    >>> other = Announcement(16, 17, "outside", "7", "box")
    >>> in_a_later_box(passage, Announcement(6, 7, "answered", "5"), other)
    True
    """
    below = "\n" in passage.text[found.end : other.start]
    asked = below and other.rule == "box" and not passage.choices.letters
    named = [*passage.choices.owner, other.answer or ""]
    return asked and all(any(map(str.isdigit, each)) for each in named)
