"""Members that differ in their first word alone: "Risk level: high", "a high degree of risk".

Of a set such as low risk, medium risk and high risk texts name a member by its own word, and say
the one that all share before it, or further behind.
"""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.derive import patterns as re
from assay.derive.labels import spelled

_TWO_WORDS = re.compile(r"([a-z]+) ([a-z]{3,})")
_APART = re.compile(r"none|other|unknown|unclear|not applicable|n a")
"""members that may stand beside those that share a word"""
_AMOUNT = r"(?:(?:levels?|degree|amount|extent|probability|likelihood) of )?"
_ONE_WORD = r"(?:(?!(?:and|or|to|but|than|of|in|on|with|from|by|for|is|was|if|as|the|an?)[ -])[a-z][a-z-]* )?"
_KIND = r"(?: (?:levels?|rating|category|class|classification|score|assessment|status|group|degree|tier|severity|estimate))*"
_LEADS = (
    r"(?: (?:of|in|for|behind) (?:(?:the|this|that|an?) )?[a-z-]+(?: (?!is|was)[a-z-]+)?)?[\s*_\"'()]*(?:[:=]|(?<=\W)(?:is|as|was|remains|seems|appears(?: to be)?|(?:would|should|to) be)(?=\W))[\s*_\"']*"
    r"(?:(?:\w+ly|quite|very|rather|still|not [a-z]+,? but) )*"
)
_MISSES = r"not (?:\w+ly )?(?:indicate|show|suggest|contain|express|reveal|present|pose|have|carry) (?:any |an? )?"
_JOINS = "(?: (?:to|or|and))? "
_LEAST = 2


def by_own_word(owner: Mapping[str, str]) -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Yield patterns for the members of a set that share their last word, each with its member.

    Examples
    --------
    >>> found = [*by_own_word({"low risk": "low risk", "high risk": "high risk"})]
    >>> [each.search("the risk is high.") is not None for _, each, _ in found]
    [False, True]
    """
    own: dict[str, str] = {}
    shared: set[str] = set()
    for name, label in owner.items():
        parts = _TWO_WORDS.fullmatch(spelled(name))
        if parts:
            own[parts[1]] = label
            shared.add(parts[2])
        elif not _APART.fullmatch(spelled(name)):
            return
    if len(own) < _LEAST or len(shared) != 1:
        return
    (last,) = shared
    for word, label in own.items():
        yield "", re.compile(_pattern(word, last, "|".join({*own} - {word}))), label


def _pattern(word: str, last: str, others: str) -> str:
    """Return how a text names a member by its own word and the one that all members share."""
    denied = rf"|{_MISSES}{_ONE_WORD}{last}(?!\w)" if word == "no" else ""
    return (
        rf"(?<!\w)(?:{word} {_AMOUNT}(?!(?:{others})(?!\w)){_ONE_WORD}{last}(?!\w)"
        rf"|{last}{_KIND}{_LEADS}{word}(?!\w)(?!{_JOINS}(?:{others})(?!\w)| as(?!\w))"
        rf"|{word}(?={_JOINS}(?:{others}) {_ONE_WORD}{last}(?!\w)){denied})"
    )
