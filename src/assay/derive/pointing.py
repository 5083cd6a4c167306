"""Which of two members "the former" and "the latter" are, where a text concludes so."""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from assay.derive import patterns as re
from assay.derive.naming import Announcement, Passage, letters_of

_NEAR_END, _AROUND = 400, 60
_POINTS = re.compile(
    r"the (former|latter)(?: (?:option|one|diagnosis|answer|choice|statement|explanation|condition|possibility|case))?(?!\w)"
)
_HOLDS = re.compile(
    r" (?:is|seems|appears|remains|would be|must be)(?: (?:to be|clearly|much|far|therefore|probably|also))* (?:more|most|likelier|the (?:more|most|better|best|answer|case|correct|right|one)"
    r"|correct|right|true|better|best|favou?red|supported|preferred|preferable|chosen|my (?:answer|choice))(?!\w)(?! (?:for|if|when|in)(?!\w))"
    r"| (?:clearly |much |therefore )?(?:fits?|explains?|matches|match|accounts? for|applies|apply|makes? more sense)(?!\w)"
)
_LEADS = re.compile(
    r"(?:(?:it|this|that|what we have|the answer|the diagnosis|he|she|the patient)(?: is|'s| has| must be| must have| would be| have)|choose|chosen|select|pick|favou?r(?:s|ing)?"
    r"|suggests?|indicates?|points? to(?:wards?)?|supports?|lean(?:ing)? towards?|go with|thus|therefore|so) $"
)
_ENDS = re.compile(
    r"[\s*_\"')\]]*(?:$|[.!;,\n]|(?:because|since|as|given|due|over|rather than)(?!\w))"
)
_DENIED = re.compile(r"(?<!\w)(?:not|never|neither|nor|if|whether|unless)(?!\w)|n't(?!\w)")


def pointed_at(passage: Passage) -> Announcement | None:
    """Return the member that a text points at, as the first or the second of two it named last.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["flu", "cold"]))
    >>> pointed_at(Passage(fold("It is flu or a cold. The latter fits better."), choices)).answer
    'cold'
    """
    level = passage.given.level
    if passage.given.words.isdisjoint({"former", "latter"}):
        return None
    for each in reversed([*_POINTS.finditer(level, max(0, len(level) - _NEAR_END))]):
        start, end = each.span()
        before = level[max(passage.sentence_start(start), start - _AROUND) : start]
        led = _LEADS.search(before) and _ENDS.match(level, end)
        if not (led or _HOLDS.match(level, end)) or _DENIED.search(before):
            continue
        one, other = _last_two(passage, start)
        answer = one if each[1] == "former" else other
        return Announcement(start, end, "answered", answer, "pointed at") if answer else None
    return None


def _last_two(passage: Passage, at: int) -> tuple[str | None, str | None]:
    """Return the two members that are named last before a place, in their order."""
    letters = passage.choices.letters
    named = [(each.start, each.label) for each in passage.names if each.start < at]
    lone = letters_of(passage.text) if letters else []
    named += [
        (each.start(), letters[each[1]])
        for each in lone
        if each.start() < at and each[1] in letters
    ]
    ordered = [label for _, label in sorted(named)]
    last = ordered[-1] if ordered else None
    return next((each for each in reversed(ordered) if each != last), None), last
