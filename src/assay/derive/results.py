"""What a text of numbers comes to with its last words, where all members of the set are values.

A number that is a member is named in a sum as any other; what the sum comes to is the answer.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of mathematics are meant

from __future__ import annotations

from assay.derive import patterns as re
from assay.derive.choices import written
from assay.derive.equivalents import IN_WORDS, equivalent
from assay.derive.naming import Announcement, Passage

_NUMBER = re.compile(r"[-$€£]?(?<![\w./])\d[\d,]*(?:\.\d+|(?:/\d+)+)?[%°]?(?![\w/])")
AMOUNT = re.compile(
    r"\W{0,3}\d[\d.,/]*\s?[^\s,;()\[\]{}]{0,12}|\$?-?\\[dt]?frac\s?\{\d+\}\{\d+\}\$?"
)
_SO = re.compile(r"\W*(?:so|thus|hence|therefore|this means)(?!\w)")
_IS = re.compile(
    r"(?<!\w)(?:is|are|was|be|will|equals|so|thus|hence|therefore|means|has|have|got)(?!\w)|[=≈]"
)
_SIGNS = r"[\s$€£*\\({\[]{0,6}"
_NAMED = r"((?:[ -](?!(?:more|less|fewer|than|of|times|or|and|to|if|when|per|by|out)(?!\w))[^\W\d_][\w/²³^]{0,13}){0,3})"
_VALUE = (
    rf"{_SIGNS}((?:-?\d[\d,]*(?:\.\d+)?(?:/\d+){{0,2}}(?:\s?(?:\\pi|π))?|\\[dt]?frac\{{\d+\}}\{{\d+\}})[%°]?)"
    rf"{_NAMED}(?: at \d{{1,2}}(?::\d\d)?(?: ?[aApP]\.?[mM]\.?)?)?[\s.!*$)\\}}\]]*\Z"
)
_ABOUT = (
    r"(?: (?:now|then|about|approximately|roughly|exactly|only|thus|therefore|a total of)){0,2}"
)
_COMES_TO = re.compile(rf"(?:(?<!\w)(?:is|are|was|were|be|equals?){_ABOUT}|[=≈]){_VALUE}")
_DOING = (
    r"(?<!\w)(?:has|have|had|takes?|took|costs?|makes?|made|needs?|gets?|got|gives?|earns?|pays?|paid|spends?|spent|sells?|sold|buys?|bought|uses?|used"
    r"|runs?|ran|drives?|drove|walks?|travels?|reads?|eats?|ate|saves?|saved|contains?|holds?|comes? to|amounts? to|totals?|left with|weighs?|lasts?)"
)
_DOES = re.compile(rf"{_DOING}{_ABOUT}{_VALUE}")
"""what the last words say that something comes to, with what it counts, or what somebody does"""
_MAIN = re.compile(
    rf"(?:(?<!\w)(?:is|are|was|were|be|equals?){_ABOUT}|{_DOING}{_ABOUT}|[=≈:]){_SIGNS}(-?\d[\d,]*(?:\.\d+)?(?:/\d+)?)"
)
_GOES_ON = re.compile(r"[%°]?\)?\s?[-+*/×÷·=^<>]|[%°]?\)? (?:times|plus|minus|x|divided) ")
_TAIL = re.compile(
    r"[%°]?(?:[ -][^\W\d_][\w/²³^']{0,13}){0,4}?,? (?:\(|(?:for|at)(?! [$€£])|(?:by|after|before|from|with|without|out of|to|in|on|per|every|each|when|while|because|since|more|less|if|until|during|of)(?!\w))"
)
"""what stands behind the value of a sentence and tells more of it"""
_RESULT = re.compile(
    r"[=≈]|, giving |(?<!\w)(?:so|thus|hence|therefore|then|leav\w+|is|are|was|were|equals?|gives|(?<!to )mak\w+|total\w*|which|but|now|remain\w*|and (?!\d+ [^\W\d_]+\)))(?!\w)"
)
_SUBORDINATE = re.compile(r"(?:after|before|when|while|because|since|if|until)$")
_NEW_CLAUSE = re.compile(r"[,;:=≈]|(?<!\w)(?:and|but|so|then|now)(?!\w)")
ASIDE = re.compile(
    r"(?<!\w)(?:if|when|where|since|because|assuming|let|given|whether|provided|suppose|unless|while|whereas|but|not|check\w*|verif\w+|instead|would have been|than)(?!\w)"
    r"|n't(?!\w)|(?<!\w)(?:for|with|at|as) [a-z]\w? ?="
)
"""what is said beside a result, on what condition it holds, or to check it"""
_SO_THEN = re.compile(r"[,;] (?:so|thus|hence|therefore|which means(?: that)?)(?!\w)")
_FIRST = re.compile(r"\W*(?:since|because|given|as|with|after)(?!\w)[^,;\n]{1,160}, ")
"""a reason with which a sentence begins"""
CHECKS = re.compile(r"(?<!\w)(?:(?:double[ -])?check|verif[yi]|confirm|indeed)")
_TOTAL = re.compile(
    r"(?<!\w)(?:so|thus|hence|therefore|then|finally|total|altogether|in all|sum|difference|answer|result)(?!\w)"
)
"""that something is the result of what was said before it"""
_SUM = re.compile(r"[\s\d.,+*/×÷·=()<>$€£%°-]*")
_IS_JUST_BEFORE = re.compile(r"(?:(?<!\w)(?:is|are|was|were|be|equals?)|[=≈])[\s$€£*\\({\[]{0,6}\Z")
_ANSWERS = re.compile(
    r"\n[ \t]*(?:A|Ans|ANS)[ \t]*[:=.][ \t]*[$€£]?(-?\d[\d,]*(?:\.\d+)?(?:/\d+)?%?)(?: [^\W\d_]{1,14}){0,2}[\s.]*\Z"
)
"""the last line of a text of sums: "A: 18" """
_UNIT, _UNIT_OF = (re.compile(rf"{before} ?([^\W\d_][\w/²³^]*)") for before in ("", r"(?<=\d)"))
_REACH, _END, _SYMBOL, _SENTENCE = 12, 200, 4, 3
"""characters before a number that say that it is one, and of last words at most"""


def counts(passage: Passage) -> bool:
    """Say whether all members are numbers."""
    names = [name for name in passage.choices.owner if name not in passage.choices.letters]
    return bool(names) and all(map(AMOUNT.fullmatch, names))


def ends_later(text: str, at: int) -> bool:
    """Say whether the last words of a text give a value of something else behind a place."""
    return _COMES_TO.search(text, max(at, len(text) - _END)) is not None


def last_line(passage: Passage) -> Announcement | None:
    r"""Return the value on the last line of a text of sums: "A: 18", where A is no option.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["12", "15"]))
    >>> last_line(Passage(fold("12 casks and 6 more.\nA: 18"), choices)).answer
    '18'
    """
    text = passage.text
    found = _ANSWERS.search(text, max(0, len(text) - _END))
    if found is None or passage.choices.letters or not counts(passage):
        return None
    return member_or(passage, *found.span(1), "answer")


def comes_to(passage: Passage, after: Announcement | None) -> Announcement | None:
    """Return the value that the last words come to and that is no member, if it is the result.

    What was asserted before, in `after`, stays where a sentence of its own concludes with it and
    the last one does not.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["12", "15"]))
    >>> comes_to(Passage(fold("12 casks and 6 more, so the total is 18."), choices), None).answer
    '18'
    """
    level, text = passage.given.level, passage.text
    near = max(0, len(text) - _END)
    comes = _COMES_TO.search(text, near) if counts(passage) else None
    found = comes or (_DOES.search(text, near) if counts(passage) else None)
    if found is None:
        return None
    start = max(passage.sentence_start(found.start(1)), text.rfind("\n\n", 0, found.start()) + 1)
    start = _behind_a_reason(level, start, found.start(1))
    beside = ASIDE.search(level, start, found.start(1))
    if (
        beside
        or _of_a_member(passage, start, found.start(1))
        or _of_another_kind(passage, found[2])
    ):
        return None
    begins = passage.sentence_start(found.start(1))
    total = text.startswith("=", begins) or _TOTAL.search(level, begins)
    goes_on = comes and not (after and after.end <= begins)
    if not goes_on and (not total or is_scale(passage)):
        return None
    if after and CHECKS.search(level, after.end):
        return None
    value = member_or(passage, *found.span(1), "last value")
    return value if value.state == "outside" or after is None else None


def _behind_a_reason(level: str, start: int, end: int) -> int:
    """Return where a sentence says what follows from the reason with which it begins."""
    led = [*_SO_THEN.finditer(level, start, end)]
    first = _FIRST.match(level, start)
    return led[-1].end() if led else first.end() if first else start


def main_value(passage: Passage, later: Announcement) -> Announcement | None:
    """Return the member that the last sentence gives as its value before it tells more of it.

    What it tells more is a `later` number, which was taken for the answer.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["9", "18"]))
    >>> more = Announcement(22, 23, "answered", "9")
    >>> main_value(Passage(fold("It takes 18 hours for 9 coopers."), choices), more).answer
    '18'
    """
    if not counts(passage) or not passage.text[later.start].isdigit():
        return None
    level, text = passage.given.level, passage.text
    end = len(text.rstrip(" .!*$"))
    start = max(passage.sentence_start(end), end - _END)
    start = _behind_a_reason(level, start, end)
    if ASIDE.match(level, start) or text[end - 1 :].startswith("?"):
        return None
    for each in _MAIN.finditer(text, start, end):
        if _GOES_ON.match(text, each.end()):
            continue
        tail = _TAIL.match(level, each.end(), end)
        if tail is None or _tells_another(passage, tail, end):
            return None
        value = member_or(passage, *each.span(1), "main value")
        before = value.end <= later.start and value.answer != later.answer
        return value if before and value.state == "answered" else None
    return None


def _tells_another(passage: Passage, tail: re.Match[str], end: int) -> bool:
    """Say whether what follows a value gives another one, and not in a clause of its own."""
    level, text = passage.given.level, passage.text
    if _SUBORDINATE.search(tail.group()):
        return _NEW_CLAUSE.search(level, tail.end(), end) is not None
    more = (each.start() for each in _MAIN.finditer(text, tail.end(), end))
    return _RESULT.search(level, tail.end(), end) is not None or any(
        not text.endswith("to ", 0, at) for at in more
    )


def _of_a_member(passage: Passage, start: int, end: int) -> bool:
    """Say whether a sentence gives a member as a result before another value."""
    for each in passage.within(start, end):
        near = max(start, each.start - _REACH)
        is_one = _IS_JUST_BEFORE.search(passage.text, near, each.start)
        if is_one and not _SUM.fullmatch(passage.text, each.end, end):
            return True
    return False


def _of_another_kind(passage: Passage, unit: str) -> bool:
    """Say whether a value has a unit, and no member has that one, in full or in short."""
    own = _UNIT.match(unit.lower())
    others = {
        each[1] for each in map(_UNIT_OF.search, map(str.lower, passage.choices.owner)) if each
    }
    if own is None or not others:
        return False
    short = len(own[1]) <= _SYMBOL
    return not any(
        own[1] == each if short and len(each) <= _SYMBOL else own[1][0] == each[0]
        for each in others
    )


def is_scale(passage: Passage) -> bool:
    """Say whether the members are the steps of a scale, as from 0 to 3."""
    names = sorted({*passage.choices.owner} - {*passage.choices.letters})
    digits = all(len(each) == 1 and each.isdecimal() for each in names)
    return digits and int(names[-1]) - int(names[0]) == len(names) - 1


def member_or(passage: Passage, start: int, end: int, rule: str) -> Announcement:
    """Return a value as the member that it is, or as one outside the set."""
    said = passage.text[start:end]
    label = passage.choices.values.get(written(said)) or equivalent(said, passage.choices)
    return Announcement(start, end, "answered" if label else "outside", label or said, rule)


def only_number(passage: Passage, part: str) -> str:
    """Return the one number of a few words, in figures or in words, if all members are numbers."""
    words = [each for each in re.findall(r"[^\W\d_]+", part) if each.lower() in IN_WORDS]
    found = [*re.findall(r"\d[\d,]*(?:\.\d+)?(?:/\d+)?%?(?![\w\\^√])", part), *words]
    whole = len(found) == 1 and part.count(" ") >= _SENTENCE and counts(passage)
    return found[0] if whole else part


def number_outside(passage: Passage) -> Announcement | None:
    """Return the one number that the last sentence concludes with, where all members are numbers.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["12", "15"]))
    >>> number_outside(Passage(fold("So there must be 18 casks."), choices)).answer
    '18'
    """
    end = len(passage.text.rstrip(" .!。！।*$"))
    start = passage.sentence_start(end)
    if _SO.match(passage.given.level, start) and (meant := _unit_in_full(passage, start, end)):
        return meant
    if not counts(passage):
        return None
    said = [*_IS.finditer(passage.given.level, start, end)]
    found = [*_NUMBER.finditer(passage.text, said[-1].end(), end)] if said else []
    given = {*_NUMBER.findall(passage.text, start, said[-1].start())} if said else set()
    of_members = {number for name in passage.choices.owner for number in _NUMBER.findall(name)}
    if len({each.group() for each in found}) != 1 or given & of_members:
        return None
    return Announcement(*found[-1].span(), "outside", found[-1].group(), "last value")


def _unit_in_full(passage: Passage, start: int, end: int) -> Announcement | None:
    """Return the one member with a number of a sentence, if its unit is spelled out there."""
    meant = {}
    for each in _NUMBER.finditer(passage.text, start, end):
        value = written(each.group()) + passage.given.level[each.end() : end].lstrip()[:1]
        for name, label in passage.choices.values.items():
            if value[-1].isalpha() and name.startswith(value):
                meant[label] = each.span()
    if len(meant) != 1:
        return None
    [(only, place)] = meant.items()
    return Announcement(*place, "answered", only, "value")
