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
AMOUNT = re.compile(r"\W{0,3}\d[\d.,/]*\s?\S{0,12}")
_SO = re.compile(r"\W*(?:so|thus|hence|therefore|this means)(?!\w)")
_IS = re.compile(
    r"(?<!\w)(?:is|are|was|be|will|equals|so|thus|hence|therefore|means|has|have|got)(?!\w)|[=≈]"
)
_SIGNS = r"[\s$€£*\\({\[]{0,6}"
_NAMED = r"((?:[ -](?!(?:more|less|fewer|than|of|times|or|and|to|if|when|per|by|out)(?!\w))[^\W\d_][\w/²³^]{0,13}){0,3})"
_VALUE = (
    rf"{_SIGNS}((?:-?\d[\d,]*(?:\.\d+)?(?:/\d+){{0,2}}|\\[dt]?frac\{{\d+\}}\{{\d+\}})[%°]?)"
    rf"{_NAMED}(?: at \d{{1,2}}(?::\d\d)?(?: ?[aApP]\.?[mM]\.?)?)?[\s.!*$)\\}}\]]*\Z"
)
_ABOUT = (
    r"(?: (?:now|then|about|approximately|roughly|exactly|only|thus|therefore|a total of)){0,2}"
)
_COMES_TO = re.compile(rf"(?:(?<!\w)(?:is|are|was|were|be|equals?){_ABOUT}|[=≈]){_VALUE}")
_DOES = re.compile(
    r"(?<!\w)(?:has|have|had|takes?|took|costs?|makes?|made|needs?|gets?|got|gives?|earns?|pays?|paid|spends?|spent|sells?|sold|buys?|bought|uses?|used"
    r"|runs?|ran|drives?|drove|walks?|travels?|reads?|eats?|ate|saves?|saved|contains?|holds?|comes? to|amounts? to|totals?|left with|weighs?|lasts?)"
    rf"{_ABOUT}{_VALUE}"
)
"""what the last words say that something comes to, with what it counts, or what somebody does"""
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
    led = [*_SO_THEN.finditer(level, start, found.start(1))]
    first = _FIRST.match(level, start)
    start = led[-1].end() if led else first.end() if first else start
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
    return value if value.state == "outside" else None


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
    digits = all(len(each) == 1 and each.isdigit() for each in names)
    return digits and int(names[-1]) - int(names[0]) == len(names) - 1


def member_or(passage: Passage, start: int, end: int, rule: str) -> Announcement:
    """Return a value as the member that it is, or as one outside the set."""
    said = passage.text[start:end]
    label = passage.choices.values.get(written(said)) or equivalent(said, passage.choices)
    return Announcement(start, end, "answered" if label else "outside", label or said, rule)


def only_number(passage: Passage, part: str) -> str:
    """Return the one number of a few words, in figures or in words, if all members are numbers."""
    words = [each for each in re.findall(r"[^\W\d_]+", part) if each.lower() in IN_WORDS]
    found = [*re.findall(r"\d[\d,]*(?:\.\d+)?(?:/\d+)?%?", part), *words]
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
