"""Whether a text takes back what it names: clauses, negations, differentials, advice."""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from assay.derive import patterns as re
from assay.derive.mentions import Cues, Folded, Kind, any_phrase, words_of_phrase

_END = re.compile(r"[.!?;\n](?:(?<=\n)|\s)")
_ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s")
_ADVISES = re.compile(
    r"(?:(?<!\w)(?:seek|seeking|go(?:ing)?|visit|call|contact|return|come back|see|head|get|attend|present|report|proceed|becomes?"
    r"|consult|suchen|gehen|rufen|consultez|allez|appelez|acuda|busque|llame|procure|vada|rivolgersi|chiami)(?!\w)"
    r"(?: (?!if|when|not|or)[\w'’-]+){0,6}? (?:the |an? |to )*)[*\"'(]*$"
)
_CONDITION = (
    r"(?:if|when|should|in case|as soon as|unless|wenn|falls|sobald|si|en cas|se|caso|qualora)"
)
_ON_CONDITION = re.compile(
    rf"[^.;!?\n]{{0,60}}?(?<!even )(?<!\w){_CONDITION}(?! (?:you|one) (?:have not|haven't|can|prefer|ask)(?!\w))(?! (?:possible|available|not already)(?!\w))(?!\w)"
)
_SUPPOSES = re.compile(rf"[\s*•>-]*(?:but |however,? |and )?(?<!\w){_CONDITION}(?!\w)[^.;!?\n]*?, ")
PURPOSE = re.compile(
    r"(?<!\w)(?:(?:test|check|look|watch)\w* for|(?:screen|monitor|evaluat|assess|treat(?!ment)|differentiat|distinguish|exclud|detect|prevent)\w*(?: (?:for|out|from|between))?|rul(?:e|ing) out)"
    r" (?!is |are |was |were |would |remains |and |or )(?:[\w'’%-]+ ){1,10}?(?:is|are|was|would be|remains|using|by (?:means of|ordering|doing|performing)) "
)
"""what something is done for, before the verb that says what it is"""
ABSENT = re.compile(
    r"(?<!\w)(?:absence|lack|loss|want|removal) of (?:(?!and |or |nor |but )[\w'-]+ ){1,5}?(?:would|will|could|can|may|might|is|was|are|were|has"
    r"|affects?|impacts?|makes?|means|leads?|leaves?|causes?)(?!\w)"
)
"""what is lacking, and a verb: it is not what the rest of the sentence names that is"""
AS_ONE_CAN = re.compile(
    r"(?<=\w )(?:(?:that|which) )?(?:we|you|one|they|he|she|it|the \w+) (?:could|can|may|might) (?:(?!whether|if|that|what|who|how|why)[\w-]+ ){1,4}"
    r"(?=(?:is|are|was|were|equals|must be|will be) (?:\w+ly )?(?:an? |the )?$)"
)
"""what can be done with the thing that a sentence is about, as in "the most that it can hold is" """
WRONG_ONES = re.compile(
    r"\n[ \t*#]*(?:(?:incorrect|wrong|other|remaining) (?:answers?|options?|choices?)(?: \w+){0,3}"
    r"|(?:(?:here|below) (?:are|is) )?(?:the |all )?(?:other|remaining) (?:\w+ )?"
    r"(?:answers?|options?|choices?)(?: [a-z]+){0,2} (?:why|incorrect|wrong|not|ruled)(?!\w)"
    r"[^\n.:]{0,40}"
    r"|why (?:not )?(?:the )?others?(?: \w+){0,4}|explanation of (?:incorrect|wrong)[^\n]{0,30})"
    r"[?:*\s]*\n",
    re.IGNORECASE,
)
"""the heading under which a text says why other members are wrong"""
CLAUSE_BEFORE, CLAUSE_AFTER = 100, 60
"""characters of a clause before and after a place at most"""
_HEADING_LINES, _LINE = 12, 200


def clause_start(given: Folded, at: int, contrasts: tuple[str, ...]) -> int:
    """Return where the clause around a position begins, 100 characters before it at most.

    A clause begins after the end of a sentence or line, or at a word of contrast.
    """
    start = max(0, at - CLAUSE_BEFORE)
    for end in _END.finditer(given.text, start, at):
        start = end.end()
    for contrast in _places(given, contrasts, start, at):
        start = contrast.end()
    return start


def sentence_of(text: str) -> str:
    """Return the first sentence of a text.

    Examples
    --------
    >>> sentence_of("Burnout. I am not a doctor.")
    'Burnout'
    """
    end = _END.search(text)
    return text[: end.start()] if end else text


def clause_end(given: Folded, at: int, contrasts: tuple[str, ...]) -> int:
    """Return where the clause around a position ends, 60 characters after it at most."""
    stop = min(len(given.text), at + CLAUSE_AFTER)
    ends = (_END.search(given.text, at, stop), next(_places(given, contrasts, at, stop), None))
    return min((end.start() for end in ends if end), default=stop)


def kind_of_mention(given: Folded, start: int, end: int, cues: Cues) -> Kind:
    """Say what a text does with what it names from start to end: assert it, deny it, weigh it.

    Examples
    --------
    >>> from assay.derive.mentions import fold
    >>> text = fold("no evidence of flu, but a cold")
    >>> cues = Cues(negations=("no evidence of",), contrasts=("but",))
    >>> kind_of_mention(text, 15, 18, cues), kind_of_mention(text, 26, 30, cues)
    ('negated', 'asserted')
    """
    first = clause_start(given, start, cues.contrasts)
    last = clause_end(given, end, cues.contrasts)
    if _has(given, cues.negations, first, start) or _has(given, cues.negations_after, end, last):
        return "negated"
    weighed = cues.differentials
    if _has(given, weighed, first, start) or _under_heading(given, start, weighed):
        return "differential"
    return "differential" if _has(given, cues.differentials_after, end, last) else "asserted"


def _has(given: Folded, phrases: tuple[str, ...], start: int, end: int) -> bool:
    """Say whether a part of a text has one of the phrases."""
    if not phrases or not _may_have(given, phrases, start, end):
        return False
    return any_phrase(phrases).search(given.plain, start, end) is not None


def _places(
    given: Folded, phrases: tuple[str, ...], start: int, end: int
) -> Iterator[re.Match[str]]:
    """Return where phrases stand in a part."""
    if not phrases or not _may_have(given, phrases, start, end):
        return iter(())
    return any_phrase(phrases).finditer(given.plain, start, end)


def _may_have(given: Folded, phrases: tuple[str, ...], start: int, end: int) -> bool:
    """Say whether a part of a text has one of the longest words of phrases."""
    words = given.once("rare", phrases, lambda: _rare_words(phrases, given))
    part = given.plain[start:end] if words else ""
    for word in words:  # noqa: SIM110 - a generator costs more than most of these searches
        if word in part:
            return True
    return False


def _rare_words(phrases: tuple[str, ...], given: Folded) -> tuple[str, ...]:
    longest = _longest_words(phrases)
    return (*(longest & given.words), *([""] if "" in longest else []))


@cache
def _longest_words(phrases: tuple[str, ...]) -> frozenset[str]:
    return frozenset(max(words_of_phrase(each), key=len, default="") for each in phrases)


def _under_heading(given: Folded, at: int, wanted: tuple[str, ...]) -> bool:
    """Say whether a position is in a list item below a heading that matches."""
    text = given.text
    line = text.rfind("\n", max(0, at - _LINE), at)
    for _ in range(_HEADING_LINES):
        if line < 0 or not _ITEM.match(text, line + 1):
            return False
        above = text.rfind("\n", max(0, line - _LINE), line)
        heading = above + 1 if above >= 0 else max(0, line - _LINE)
        if not _ITEM.match(text, heading) and text[heading:line].strip():
            return _has(given, wanted, heading, line)
        line = above
    return False


def only_advised(level: str, start: int, at: int, end: int, stop: int) -> bool:
    """Say whether a sentence names what is to be done in case something happens.

    `at` and `end` are where it stands in the sentence from `start` to `stop`.

    Examples
    --------
    >>> level = "go to the er if it gets worse"
    >>> only_advised(level, 0, 10, 12, len(level))
    True
    >>> only_advised("go to the er now", 0, 10, 12, 16)
    False
    """
    if not _ADVISES.search(level, start, at):
        return False
    return bool(_ON_CONDITION.match(level, end, stop) or _SUPPOSES.match(level, start, at))
