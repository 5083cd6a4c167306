"""Members that a text ranks: by a tick beside one of them, by a share beside each."""
# ruff: noqa: RUF001 - signs of other scripts are meant

from __future__ import annotations

import re

from assay.derive.choices import Named
from assay.derive.naming import EDGE, Announcement, Passage

__all__ = ["ranked"]

_TICK = re.compile("[\u2705\u2713\u2714\u2611]")
_CROSS = re.compile("[\u2717\u2718\u274c\u2716]")
_SHARE = re.compile(r"[\s*_)]*[(\[:=–—-]+\s*(?:~|≈|about |approximately )?(\d{1,3})(?:\.\d+)?\s*%")
_LINE_LETTER = re.compile(rf"\n[ \t>*•-]*[(\[*]*([A-Z])[)\]*.:]*(?![{EDGE}])")
_LINE, _LEAST = 200, 2


def ranked(passage: Passage) -> Announcement | None:
    """Return the one member that is ticked among others that are not, or has the largest share.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["flu", "cold"]))
    >>> ranked(Passage(fold("flu (70%), cold (30%)"), choices)).answer
    'flu'
    """
    text = passage.text
    shares = "%" in text
    ticks = not text.isascii() and _TICK.search(text) is not None
    if not shares and not ticks:
        return None
    return (_ticked(passage) if ticks else None) or (_largest(passage) if shares else None)


def _ticked(passage: Passage) -> Announcement | None:
    text, letters = passage.text, passage.choices.letters
    lines = [
        Named(each.start(1) - 1, each.end(1) - 1, letters[each[1]])
        for each in _LINE_LETTER.finditer(f"\n{text}")
        if each[1] in letters
    ]
    own: list[Named] = []
    for each in lines or passage.names:
        end = text.find("\n", each.end)
        line = text[text.rfind("\n", 0, each.start) + 1 : len(text) if end < 0 else end][:_LINE]
        if _TICK.search(line) and not _CROSS.search(line):
            own.append(each)
    if len({each.label for each in own}) != 1:
        return None
    return Announcement(own[-1].start, own[-1].end, "answered", own[-1].label, "ticked")


def _largest(passage: Passage) -> Announcement | None:
    found = {}
    for each in passage.names:
        share = _SHARE.match(passage.text, each.end)
        if share:
            found[each.label] = (int(share[1]), each)
    largest = sorted(found.values(), reverse=True)
    if len(largest) < _LEAST or largest[0][0] == largest[1][0]:
        return None
    best = largest[0][1]
    return Announcement(best.start, best.end, "answered", best.label, "largest share")
