"""What was read from one text, and an answer in another spelling as the member that it is."""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from dataclasses import dataclass, replace

from assay.derive import patterns as re
from assay.derive.agreeing import yes_or_no
from assay.derive.amounts import amount, same_quantity
from assay.derive.choices import Choices
from assay.derive.equivalents import (
    all_member,
    begins_several,
    both_of,
    equivalent,
    held_by_one,
    stemmed,
)
from assay.derive.mentions import fold
from assay.derive.name_forms import apart
from assay.derive.naming import Announcement, Passage, State, not_said
from assay.derive.no_disorder import healthy_member
from assay.derive.not_meant import is_range
from assay.derive.open_ends import left_open
from assay.derive.stances import side_of
from assay.derive.truth_words import same_word

AGAINST = "against its text"
"""in the rule of an answer by letter beside the text of another option"""
_BETWEEN, _BESIDE = " *_\"'`.\n“”()[]{}$#:-\u2013\u2014=,", 12
"""characters between a letter and the text of its option at most"""
FAILURES = {
    "no_output": "empty",
    "only_thought": "a thought and nothing after it",
    "error": "an error message",
    "cut_off": "cut off before a conclusion",
    "asks_back": "a question back",
    "junk": "no more than a beginning",
    "echo": "an echo of the prompt",
    "no_answer": "no answer in it",
}
"""why a text has failed, by the rule that found it"""
_UNKNOWN = re.compile(
    r"(?:it is |it's )?(?:unknown|undetermined|unclear|indeterminate|insufficient (?:information|context)"
    r"|not (?:known|clear|determinable|enough information)"
    r"|(?:cannot|can't|could not) be (?:known|determined|inferred))(?!\w)"
)
_NOTHING_FOUND = re.compile(
    r"no (?:[\w-]+ ){0,4}(?:abnormalit|finding|disease|process|patholog|anomal|disorder)"
)
_ALL_OF_THEM = re.compile(
    r"(?:all|each|every one)(?: (?:three|four|five))?(?: of (?:them|these|those|the (?:above|options|choices)))?|everything(?: (?:above|listed|mentioned))?",
    re.IGNORECASE,
)
"""how all members are meant that one member says all apply"""
_UNIT = re.compile(
    r"[\s~\\,]{0,3}(?:\\(?:text|mathrm)[ {]*)?[^\W\d_][^\s\d=.,;]{0,20}(?=[.,;!?}$)\]]*(?:\s|$))"
)
_NOT_SIMPLY = re.compile(
    r"(?:not|n't|no)(?: an?)? (?:simple|clear|straightforward|definit\w+|plain|clear[ -]cut)(?:,? \w+)? yes or no"
)
"""that neither yes nor no is the answer, for a set that holds maybe"""
_ARTICLE = re.compile(r"^(?:an?|the) ")
_QUALIFIED = re.compile(r"(?i:acute|simple|uncomplicated|idiopathic|classic|classical|common) ")
"""what a name may begin with that its short form leaves out"""
_A_LABEL = re.compile(r"(?i:label|categor|class)[^.:;!?\n]*(?: is|:)[\s*\"']*$")


@dataclass(frozen=True, slots=True)
class Announced:
    """What was read from one text, by which rule and from which characters of it."""

    state: State
    answer: str | None
    rule: str
    span: tuple[int, int] | None = None
    refusal: str | None = None
    """the rule by which the text declines"""


def of(found: Announcement) -> Announced:
    """Return what an announcement says."""
    return Announced(found.state, found.answer, found.rule, (found.start, found.end))


def failed(why: str, passage: Passage | None = None) -> Announced:
    """Return that there is no answer, and why; nothing known may be a member of the set."""
    if passage and passage.choices.unknown and why == "no_answer":
        return of(not_said(passage, 0, len(passage.text)))
    return Announced("failed", None, why)


def declined(rule: str) -> Announced:
    """Return that a text declines."""
    return Announced("refused", None, "refusal", None, rule)


def in_another_spelling(found: Announced, part: str, choices: Choices) -> Announced:
    """Return an answer outside the set as the member that it is in another spelling."""
    answer = found.answer or ""
    label = equivalent(answer, choices) or side_of(answer, choices) or yes_or_no(answer, choices)
    label = label or (choices.unknown if _UNKNOWN.match(answer.lower()) else None)
    label = label or same_word(answer, choices.owner)
    label = label or equivalent(answer.rpartition("=")[2], choices)
    if found.rule == "tag" and found.span and _A_LABEL.search(part, 0, found.span[0]):
        label = label or stemmed(answer, choices, whole=False)
    if label is None and found.rule == "whole text":
        place = left_open(fold(part), concluded=None)
        found = replace(found, state="undecided", answer=None, span=place) if place else found
    if label is None and (begins_several(answer, choices) or is_range(answer, choices.owner)):
        return replace(found, state="undecided", answer=None)
    label = label or next(filter(None, (equivalent(n, choices) for n in amount(answer))), None)
    label = label or same_quantity(_with_unit(found, part), choices.owner)
    label = label or held_by_one(answer, choices) or apart(answer, choices)
    label = label or _unqualified(answer, choices)
    if label is None and _ALL_OF_THEM.fullmatch(answer):
        label = all_member(choices)
    if label is None and _NOTHING_FOUND.match(answer.lower()):
        label = healthy_member(choices)
        found = found if label else replace(found, state="none", answer=None)
    return found if label is None else replace(found, state="answered", answer=label)


def _with_unit(found: Announced, part: str) -> str:
    """Return an answer with the unit that stands behind it."""
    answer, end = found.answer or "", found.span[1] if found.span else 0
    unit = (
        _UNIT.match(part, end) if answer[-1:].isdigit() and part.endswith(answer, 0, end) else None
    )
    return answer + unit[0] if unit else answer


def _unqualified(answer: str, choices: Choices) -> str | None:
    """Return the one member that an answer is but for how sudden or plain it is.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> _unqualified("pericarditis", Choices.of(LabelSet.of(["Acute pericarditis", "Gout"])))
    'Acute pericarditis'
    """
    said = _ARTICLE.sub("", answer.strip(" .*").lower())
    held = {each for name, each in choices.owner.items() if said and name.lower().endswith(said)}
    own = {
        each
        for name, each in choices.owner.items()
        if (led := _QUALIFIED.match(name)) and name[led.end() :].lower() == said
    }
    return own.pop() if len(own) == 1 == len(held) else None


def both(found: Announced, passage: Passage) -> Announced:
    """Return members side by side as the one that says that they all apply, neither as maybe."""
    if found.rule == "left open":
        open_so = found.span and _NOT_SIMPLY.search(passage.given.level)
        maybe = passage.choices.particles.get("maybe") if open_so else None
        return replace(found, state="answered", answer=maybe) if maybe else found
    label = found.span and both_of(passage.labels(*found.span), passage.choices)
    return replace(found, state="answered", answer=label) if label else found


def beside_text(passage: Passage, found: Announcement) -> Announcement:
    """Say by the rule where a letter stands beside the text of another option."""
    letter = passage.text[found.start : found.end]
    if passage.choices.letters.get(letter) != found.answer or found.answer is None:
        return found
    names = passage.within(found.end, found.end + _BESIDE)
    between = passage.text[found.end : names[0].start] if names else "?"
    beside = not between.strip(_BETWEEN)
    differs = beside and names[0].label != found.answer
    return found._replace(rule=f"{found.rule} {AGAINST}") if differs else found
