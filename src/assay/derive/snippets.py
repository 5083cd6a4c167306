"""Quotations against the documents they are said to be from.

Four modes, each accepting all that the ones before it accept:

strict      the quotation is a part of the document, character for character
normalized  the same, with Unicode compatibility forms, case, white space, quotation marks, dashes
            and invisible characters made alike, and quotation marks around it taken off
multi-span  its parts between dots and ends of sentences are in the document, in their order
words       four of five of its distinct words are in the document, if it has three or more

`reference` is what the reference program accepts, and stands outside that order.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, pairwise
from typing import Literal

__all__ = [
    "MODES",
    "STATUSES",
    "Checked",
    "Mode",
    "Quotation",
    "Status",
    "check_quotations",
    "checked_against",
    "normalized",
]

Mode = Literal["strict", "normalized", "multi-span", "words", "reference"]
Status = Literal["exact", "normalized", "stitched", "misattributed", "absent"]
Documents = Mapping[str, Mapping[str, str]]
"""case -> document -> text"""
Place = tuple[str, str]
"""case and document"""
Probe = str | tuple[str, str]
"""two words in a row, or the one inner word of a quotation of three"""

MODES: tuple[Mode, ...] = ("strict", "normalized", "multi-span", "words", "reference")
STATUSES: tuple[Status, ...] = ("exact", "normalized", "stitched", "misattributed", "absent")
FROM: Mapping[Mode, frozenset[Mode]] = {
    mode: frozenset(MODES[at:-1]) for at, mode in enumerate(MODES[:-1])
}
"""the modes that are at least as lax"""
NONE: frozenset[Mode] = frozenset()
AND_REFERENCE: Mapping[frozenset[Mode], frozenset[Mode]] = {
    modes: modes | {"reference"} for modes in (NONE, *FROM.values())
}
SHARE = 0.8
"""of the words, and in the reference of the segments, that must be found"""
LEAST_WORDS = 3
LEAST_SPAN = 10
"""characters; a quotation in parts needs one this long"""
SAMPLED = 500
"""documents that say which words are rare"""
MOST_CANDIDATES = 1_000
"""documents of other cases in which a quotation is looked for"""

ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u02bc`\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u2039\u203a", '"'),
        **dict.fromkeys("\u300c\u300d\u300e\u300f", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58", "-"),
        # Soft hyphens, joiners, marks of direction, byte order marks: nothing one can see.
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u180e", None),
    }
)
MARKS = "'\""
CUTS = re.compile(r"\s*[\[(]?\s*\.(?:\s?\.){2,}\s*[\])]?\s*|(?<=[.!?])\s+")
ENDS = ".!?,;: '\""
WORD = re.compile(r"\w+")
BETWEEN_WORDS = {code: " " for code in range(128) if not WORD.match(chr(code))}
"""for ASCII, where this is three times as fast as looking for words"""
SENTENCES = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Quotation:
    """A text that is said to be in a document of a case."""

    case: str
    document: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a quotation."""

    status: Status
    valid: frozenset[Mode]
    """the modes in which it is in its document"""
    known: bool
    """whether the document exists"""
    found_case: str | None = None
    found_in: str | None = None
    """where a misattributed quotation is from"""
    cut_short: bool = False
    """it was looked for in the first documents of other cases that might hold it, not in all"""


def normalized(text: str) -> str:
    r"""Make alike what looks alike.

    Examples
    --------
    >>> normalized("  \u201cTrès\u00adbon\u201d\u00a0\u2013 said\n HE\u2026 ")
    '"trèsbon" - said he...'
    """
    if text.isascii():
        return " ".join(text.lower().replace("`", "'").split())
    # Case folding may take a text out of its normal form, so it is put back into it.
    folded = unicodedata.normalize("NFKC", text).translate(ALIKE).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).translate(ALIKE).split())


def _words(text: str) -> frozenset[str]:
    if text.isascii():
        return frozenset(text.translate(BETWEEN_WORDS).split())
    return frozenset(WORD.findall(text))


class _Document:
    """A text and what is made of it, once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def normalized(self) -> str:
        return normalized(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        return _words(self.normalized)

    @cached_property
    def lowered(self) -> str:
        return " ".join(self.text.lower().split())

    @cached_property
    def lowered_words(self) -> frozenset[str]:
        return self.words if self.text.isascii() else _words(self.lowered)


class _Snippet:
    """A quotation and what is made of it, once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def core(self) -> str:
        return _unquoted(normalized(self.text))

    @property
    def spans(self) -> list[str]:
        parts = (part.strip(ENDS) for part in CUTS.split(self.core))
        return [part for part in parts if part]

    @cached_property
    def words(self) -> frozenset[str]:
        return _words(self.core)

    @property
    def lowered_words(self) -> frozenset[str]:
        ascii_only = self.text.isascii()
        return self.words if ascii_only else _words(self.text.lower())


def _inner_words(core: str) -> list[str]:
    """Return the words with another one on either side, so that a document has them whole."""
    return core.split(" ")[1:-1]


def _unquoted(text: str) -> str:
    """Take off the quotation marks around a text; nothing is left of one without any word."""
    while len(text) > 1 and text[0] in MARKS and text[-1] == text[0]:
        text = text[1:-1].strip()
    return text if WORD.search(text) else ""


def checked_against(snippet: str, document: str) -> frozenset[Mode]:
    """Return the modes in which a quotation is in a document.

    Examples
    --------
    >>> sorted(
    ...     checked_against("The soup ... was cold today!", "The soup, he said, was COLD today.")
    ... )
    ['multi-span', 'reference', 'words']
    """
    return _valid(_Snippet(snippet), _Document(document))


def _valid(snippet: _Snippet, document: _Document) -> frozenset[Mode]:
    if not snippet.text.strip():
        return NONE
    accepting = _accepting(snippet, document)
    # An exact part stays one in lower case, but for letters whose case depends on their place.
    exact = "strict" in accepting and snippet.text.isascii()
    return accepting | {"reference"} if exact or _as_reference(snippet, document) else accepting


def _accepting(snippet: _Snippet, document: _Document) -> frozenset[Mode]:
    """Return the modes, from the strictest that accepts on."""
    if snippet.text in document.text:
        return FROM["strict"]
    if not snippet.core:
        return NONE
    if snippet.core in document.normalized:
        return FROM["normalized"]
    if _stitched(snippet.spans, document.normalized):
        return FROM["multi-span"]
    return FROM["words"] if _mostly(snippet.words, document.words) else NONE


def _stitched(spans: Sequence[str], text: str) -> bool:
    """Say whether all parts are in a text, one behind the other."""
    if max(map(len, spans), default=0) < LEAST_SPAN:
        return False
    at = 0
    for span in spans:
        found = text.find(span, at)
        if found < 0:
            return False
        at = found + len(span)
    return True


def _mostly(words: frozenset[str], held: frozenset[str]) -> bool:
    return len(words) >= LEAST_WORDS and len(words & held) >= SHARE * len(words)


def _as_reference(snippet: _Snippet, document: _Document) -> bool:
    """Accept what the reference program accepts: a part, segments in order, or most words."""
    # Most words first: it is the quickest to see, and any of the three is enough.
    if _mostly(snippet.lowered_words, document.lowered_words):
        return True
    quoted = " ".join(snippet.text.lower().split())
    if quoted in document.lowered:
        return True
    places = [_place(segment, document.lowered) for segment in _segments(quoted)]
    found = [place for place in places if place >= 0]
    rising = all(one < other for one, other in pairwise(found))
    return len(found) >= SHARE * len(places) and rising


def _segments(quoted: str) -> list[str]:
    for pieces in (SENTENCES.split(quoted), quoted.split("...")):
        long = [piece.strip() for piece in pieces if len(piece.strip()) >= LEAST_SPAN]
        if long:
            return long
    return [quoted]


def _place(segment: str, source: str) -> int:
    at = source.find(segment)
    return at if at >= 0 else source.find(segment.rstrip(".,!?;:"))


def check_quotations(quotations: Sequence[Quotation], documents: Documents) -> list[Checked]:
    """Check quotations against their documents, and look for the others elsewhere.

    A quotation that is not in its own document, nor its parts in their order, is misattributed
    where its normalized form is a part of another one: of the same case first, then of any case,
    the first by its id. It needs three words for that, since fewer are in many documents
    by chance; and of the documents of other cases that hold the rarest two of its inner words in a
    row, judged by a sample, the first 1,000 are searched.

    Examples
    --------
    >>> [checked] = check_quotations(
    ...     [Quotation("a", "r1", "cold soup twice")],
    ...     {"a": {"r1": "Fine.", "r2": "Cold soup twice!"}},
    ... )
    >>> checked.status, checked.found_in
    ('misattributed', 'r2')
    """
    checked = _against_their_own(quotations, documents)
    lost = {
        row: core
        for row, each in enumerate(checked)
        if each.status == "absent"
        and _inner_words(core := _unquoted(normalized(quotations[row].snippet)))
    }
    if not lost:
        return checked
    forms = {
        (case, name): normalized(documents[case][name])
        for case in sorted(documents)
        for name in sorted(documents[case])
    }
    for row, place, cut_short in _elsewhere(lost, quotations, forms):
        if place is not None:
            case, name = place
            found = replace(checked[row], status="misattributed", found_case=case, found_in=name)
            checked[row] = found
        elif cut_short:
            checked[row] = replace(checked[row], cut_short=True)
    return checked


def _against_their_own(quotations: Sequence[Quotation], documents: Documents) -> list[Checked]:
    """Check document by document, so that what is made of one is forgotten with it."""
    rows: dict[Place, list[int]] = {}
    for row, each in enumerate(quotations):
        rows.setdefault((each.case, each.document), []).append(row)
    checked = [Checked("absent", NONE, known=False)] * len(quotations)
    outcomes: dict[frozenset[Mode], Checked] = {}
    for (case, name), of_document in rows.items():
        if case in documents and name in documents[case]:
            document = _Document(documents[case][name])
            for row in of_document:
                valid = _valid(_Snippet(quotations[row].snippet), document)
                if valid not in outcomes:
                    outcomes[valid] = Checked(_status(valid), valid, known=True)
                checked[row] = outcomes[valid]
    return checked


def _status(valid: frozenset[Mode]) -> Status:
    if "strict" in valid:
        return "exact"
    if "normalized" in valid:
        return "normalized"
    return "stitched" if "multi-span" in valid else "absent"


def _elsewhere(
    lost: Mapping[int, str], quotations: Sequence[Quotation], forms: Mapping[Place, str]
) -> Iterator[tuple[int, Place | None, bool]]:
    """Find lost quotations in other documents: row, where, and whether not all were searched."""
    probes = _rarest(lost, forms)
    own, any_case = _holders(probes, quotations, forms)
    for row, probe in probes.items():
        held = any_case[probe]
        candidates = chain(own[quotations[row].case, probe], held[:MOST_CANDIDATES])
        place = next((each for each in candidates if lost[row] in forms[each]), None)
        yield row, place, place is None and len(held) > MOST_CANDIDATES


def _probes(text: str) -> Iterator[Probe]:
    words = text.split(" ")
    return chain(pairwise(words), words)


def _rarest(lost: Mapping[int, str], forms: Mapping[Place, str]) -> dict[int, Probe]:
    """Return the inner words of each quotation that the fewest documents of a sample hold."""
    choices: dict[int, list[Probe]] = {}
    for row, core in lost.items():
        inner = _inner_words(core)
        choices[row] = [*pairwise(inner)] or [inner[0]]
    wanted = frozenset(chain.from_iterable(choices.values()))
    n_holders: Counter[Probe] = Counter()
    for form in islice(forms.values(), 0, None, 1 + len(forms) // SAMPLED):
        n_holders.update(wanted.intersection(_probes(form)))
    # Of words that no document of the sample holds, long ones are the rarest.
    return {
        row: min(each, key=lambda probe: (n_holders[probe], -sum(map(len, probe)), probe))
        for row, each in choices.items()
    }


def _holders(
    probes: Mapping[int, Probe], quotations: Sequence[Quotation], forms: Mapping[Place, str]
) -> tuple[dict[tuple[str, Probe], list[Place]], dict[Probe, list[Place]]]:
    """Return the documents of a case, and the first of any, that hold a probe."""
    own: dict[tuple[str, Probe], list[Place]] = {
        (quotations[row].case, probe): [] for row, probe in probes.items()
    }
    any_case: dict[Probe, list[Place]] = {probe: [] for probe in probes.values()}
    wanted = frozenset(any_case)
    for place, form in forms.items():
        for probe in wanted.intersection(_probes(form)):
            if (place[0], probe) in own:
                own[place[0], probe].append(place)
            # One more than is searched says that there are more.
            if len(any_case[probe]) <= MOST_CANDIDATES:
                any_case[probe].append(place)
    return own, any_case
