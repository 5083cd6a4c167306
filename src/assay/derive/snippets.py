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
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from operator import add
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
EXACT = AND_REFERENCE[FROM["strict"]]
MOST_MISSING = 5
"""one in so many words, or in the reference of the segments, may be missing"""
LEAST_WORDS = 3
FEW = 100
"""words that are looked for one by one"""
LEAST_SPAN = 10
"""characters; a quotation in parts needs one this long"""
SAMPLED = 500
"""documents that say which words are rare"""
MOST_CANDIDATES = 1_000
"""documents of other cases in which a quotation is looked for"""

ALIKE: Mapping[str, str] = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u02bc`\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u2039\u203a", '"'),
    **dict.fromkeys("\u300c\u300d\u300e\u300f", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58", "-"),
    # Soft hyphens, joiners, marks of direction, byte order marks: nothing one can see.
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u180e", ""),
}
# Those with a compatibility form of their own are not in the short way to ASCII.
SHORT: Mapping[str, str] = {
    each: plain for each, plain in ALIKE.items() if each not in "\u00b4\u2033\u2036"
} | {"\u2026": "...", "\u00a0": " "}
MARKS = "'\""
CUTS = re.compile(r"\s*[\[(]?\s*\.(?:\s?\.){2,}\s*[\])]?\s*|(?<=[.!?])\s+")
ENDS = ".!?,;: '\""
ELLIPSIS = r"[\[(]?\s?\.(?:\s?\.){2,}\s?[\])]?"
AROUND = re.compile(rf"^{ELLIPSIS}|(?:{ELLIPSIS}|(?<![.\s])\.)$")
EDGES = ".[]()"
DOTS = "".join(filter(str.isspace, map(chr, range(0x3001)))) + ".\u2026"
WORD = re.compile(r"\w+")
BETWEEN_WORDS = {code: " " for code in range(128) if not WORD.match(chr(code))}
"""for ASCII, where this is three times as fast as looking for words"""
SENTENCES = re.compile(r"(?<=[.!?])\s+")
GRAM = LEAST_SPAN
MUCH_WORK = 100_000_000
"""segments times characters, from where on a list of first places pays"""


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
    if not text.isascii():
        short = _replaced(text, SHORT)
        if not short.isascii():
            folded = _replaced(unicodedata.normalize("NFKC", text), ALIKE).casefold()
            # Case folding may take a text out of its normal form, so it is put back into it.
            return _spaced(_replaced(unicodedata.normalize("NFKC", folded), ALIKE))
        text = short
    return _spaced(text.lower().replace("`", "'"))


def _replaced(text: str, table: Mapping[str, str]) -> str:
    for each in table.keys() & set(text):
        text = text.replace(each, table[each])
    return text


def _spaced(text: str) -> str:
    """Return a text with single spaces for all white space."""
    # Of what can be printed, only the space is white.
    if "  " not in text and text.isprintable() and text[:1] != " " and text[-1:] != " ":
        return text
    return " ".join(text.split())


def _words(text: str) -> frozenset[str]:
    if text.isascii():
        return frozenset(text.translate(BETWEEN_WORDS).split())
    return frozenset(WORD.findall(text))


class _Document:
    """A text and what is made of it, once and where it is needed."""

    __slots__ = ("_lowered", "_tokens", "_words", "normalized", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.normalized = normalized(text)
        self._words: frozenset[str] | None = None
        self._lowered: str | None = None
        self._tokens: frozenset[str] | None = None

    @property
    def words(self) -> frozenset[str]:
        if self._words is None:
            # Fewer than all of the text where words come again.
            same = self.lowered is self.normalized
            self._words = _words(" ".join(self.tokens) if same else self.normalized)
        return self._words

    @property
    def lowered(self) -> str:
        if self._lowered is None:
            self._lowered = _lowered(self.text, self.normalized)
        return self._lowered

    @property
    def tokens(self) -> frozenset[str]:
        if self._tokens is None:
            self._tokens = frozenset(self.lowered.split())
        return self._tokens


def _lowered(text: str, form: str) -> str:
    """Return a text as the reference compares it, given its normal form."""
    return form if text.isascii() and "`" not in text else _spaced(text.lower())


def _inner_words(core: str) -> list[str]:
    """Return the words with another one on either side, so that a document has them whole."""
    return core.split(" ")[1:-1]


def _unquoted(text: str) -> str:
    """Take off the quotation marks around a text; nothing is left of one without any word."""
    first, last = 0, len(text) - 1
    while first < last and text[first] in MARKS and text[last] == text[first]:
        first, last = first + 1, last - 1
        while first <= last and text[first] == " ":
            first += 1
        while first <= last and text[last] == " ":
            last -= 1
    text = text[first : last + 1]
    return text if WORD.search(text) else ""


def checked_against(snippet: str, document: str) -> frozenset[Mode]:
    """Return the modes in which a quotation is in a document.

    Examples
    --------
    >>> sorted(checked_against("The soup ... was cold today!", "The soup he had was COLD today."))
    ['multi-span', 'reference', 'words']
    """
    return _valid(snippet, _Document(document))[0]


def _valid(snippet: str, document: _Document) -> tuple[frozenset[Mode], str]:
    """Return the modes that accept, and what was looked for where the strictest does not."""
    exact = snippet in document.text
    # An exact part stays one in lower case, but for letters whose case depends on their place.
    if exact and snippet.isascii() and snippet.strip(DOTS):
        return EXACT, ""
    form = normalized(snippet)
    core = _unquoted(form)
    accepting = FROM["strict"] if exact and form else _accepting(core, document)
    if _as_reference(_lowered(snippet, form), document):
        accepting = AND_REFERENCE[accepting]
    return accepting, core


def _accepting(core: str, document: _Document) -> frozenset[Mode]:
    """Return the modes, from the strictest that accepts what is not an exact part on."""
    if not core:
        return NONE
    if core in document.normalized or _is_whole(core, document.normalized):
        return FROM["normalized"]
    if _stitched(_spans(core), document.normalized):
        return FROM["multi-span"]
    return FROM["words"] if _holds_words(_words(core), document) else NONE


def _holds_words(words: frozenset[str], document: _Document) -> bool:
    """Say whether most words are in a document, without cutting all of it where that is clear."""
    if document.lowered is document.normalized and len(words) <= FEW:
        if _mostly(words, document.tokens):
            return True
        n_gone = sum(word not in document.normalized for word in words - document.tokens)
        if MOST_MISSING * n_gone > len(words):
            return False
    return _mostly(words, document.words)


def _is_whole(core: str, text: str) -> bool:
    """Say whether a quotation is one part, but for an ellipsis around it or a full stop added."""
    if core[-1] not in EDGES and core[0] not in EDGES:
        return False
    inner = AROUND.sub("", core).strip(" ")
    return bool(WORD.search(inner)) and inner in text


def _spans(core: str) -> list[str]:
    if ".." in core or ". ." in core:
        parts = CUTS.split(core)
    else:
        parts = core.replace("! ", ". ").replace("? ", ". ").split(". ")
    return [part for each in parts if (part := each.strip(ENDS))]


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
    return len(words) >= LEAST_WORDS and MOST_MISSING * len(words - held) <= len(words)


def _as_reference(quoted: str, document: _Document) -> bool:
    """Accept what the reference program accepts: a part, segments in order, or most words."""
    if not quoted.strip(DOTS) or not document.lowered:
        return False
    source = document.lowered
    if quoted in source or _mostly(frozenset(quoted.split()), document.tokens):
        return True
    segments = _segments(quoted)
    much = len(segments) * len(source) > MUCH_WORK
    first = _first_places(segments, source) if much else None
    last, n_missing = -1, 0
    for segment in segments:
        at = _place(segment, source, first)
        n_missing += at < 0
        if MOST_MISSING * n_missing > len(segments) or 0 <= at <= last:
            return False
        last = max(at, last)
    return bool(segments)


def _segments(quoted: str) -> list[str]:
    """Return the parts that the reference looks for; none where all of them are short."""
    for pieces in (SENTENCES.split(quoted), quoted.split("..."), [quoted]):
        long = [piece.strip() for piece in pieces if len(piece.strip()) >= LEAST_SPAN]
        if long:
            return long
    return []


def _first_places(segments: Sequence[str], source: str) -> dict[str, int]:
    """Return where the grams of segments are first; a segment cannot be before them."""
    wanted = {gram for each in segments for way in _ways(each) for _, gram in _grams(way)}
    # From the last place to the first, which stays.
    places = range(len(source) - GRAM, -1, -1)
    return {gram: at for at in places if (gram := source[at : at + GRAM]) in wanted}


def _ways(segment: str) -> tuple[str, str]:
    """Return a segment, and the same without its last signs."""
    return segment, segment.rstrip(".,!?;:")


def _grams(text: str) -> Iterator[tuple[int, str]]:
    """Yield some grams of a text, and where in it they are."""
    ends = {len(text) * part // 4 for part in (1, 2, 3, 4)}
    return ((end - GRAM, text[end - GRAM : end]) for end in ends if end >= GRAM)


def _place(segment: str, source: str, first: Mapping[str, int] | None) -> int:
    """Return where a segment is, else where it is without its last signs; -1 for nowhere."""
    for way in _ways(segment):
        start = 0
        if first is not None:
            places = (first.get(gram, len(source)) - offset for offset, gram in _grams(way))
            start = max([0, *places])
        at = source.find(way, start)
        if at >= 0:
            return at
    return -1


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
    forms: dict[Place, str] = {}
    cores: dict[int, str] = {}
    checked = _against_their_own(quotations, documents, forms, cores)
    lost = {row: core for row, core in cores.items() if _inner_words(core)}
    if not lost:
        return checked
    places = [(case, name) for case in sorted(documents) for name in sorted(documents[case])]
    ordered = {
        each: forms[each] if each in forms else normalized(documents[each[0]][each[1]])
        for each in places
    }
    for row, place, cut_short in _elsewhere(lost, quotations, ordered):
        valid, known = checked[row].valid, checked[row].known
        if place is not None:
            checked[row] = Checked("misattributed", valid, known, *place)
        elif cut_short:
            checked[row] = Checked("absent", valid, known, cut_short=True)
    return checked


def _against_their_own(
    quotations: Sequence[Quotation],
    documents: Documents,
    forms: dict[Place, str],
    cores: dict[int, str],
) -> list[Checked]:
    """Check document by document; of each its normal form is kept, and of absent rows theirs."""
    rows: dict[Place, list[int]] = {}
    for row, each in enumerate(quotations):
        rows.setdefault((each.case, each.document), []).append(row)
    checked = [Checked("absent", NONE, known=False)] * len(quotations)
    outcomes: dict[frozenset[Mode], Checked] = {}
    for (case, name), of_document in rows.items():
        if case not in documents or name not in documents[case]:
            cores |= {row: _unquoted(normalized(quotations[row].snippet)) for row in of_document}
            continue
        document = _Document(documents[case][name])
        forms[case, name] = document.normalized
        for row in of_document:
            valid, core = _valid(quotations[row].snippet, document)
            if valid not in outcomes:
                outcomes[valid] = Checked(_status(valid), valid, known=True)
            checked[row] = outcomes[valid]
            if "multi-span" not in valid:
                cores[row] = core
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
        if not held:
            continue
        candidates = chain(own[quotations[row].case, probe], held[:MOST_CANDIDATES])
        place = next((each for each in candidates if lost[row] in forms[each]), None)
        yield row, place, place is None and len(held) > MOST_CANDIDATES


def _rarest(lost: Mapping[int, str], forms: Mapping[Place, str]) -> dict[int, Probe]:
    """Return the inner words of each quotation that the fewest documents of a sample hold."""
    n_holders: Counter[Probe] = Counter()
    for form in islice(forms.values(), 0, None, 1 + len(forms) // SAMPLED):
        words = form.split(" ")
        n_holders.update({*pairwise(words)})
    return {row: _probe(_inner_words(core), n_holders) for row, core in lost.items()}


def _probe(inner: Sequence[str], n_holders: Mapping[Probe, int]) -> Probe:
    if len(inner) == 1:
        return inner[0]
    lengths = [*map(len, inner)]
    sizes = [*map(add, lengths, lengths[1:])]
    pairs, longest = [*zip(sizes, pairwise(inner), strict=True)], max(sizes)
    probe = min([pair for size, pair in pairs if size == longest])
    # Of words that no document of the sample holds, long ones are the rarest.
    if probe not in n_holders:
        return probe
    return min((n_holders.get(pair, 0), -size, pair) for size, pair in pairs)[2]


def _holders(
    probes: Mapping[int, Probe], quotations: Sequence[Quotation], forms: Mapping[Place, str]
) -> tuple[dict[tuple[str, Probe], list[Place]], dict[Probe, list[Place]]]:
    """Return the documents of a case, and the first of any, that hold a probe."""
    own: dict[tuple[str, Probe], list[Place]] = {
        (quotations[row].case, probe): [] for row, probe in probes.items()
    }
    any_case: dict[Probe, list[Place]] = {probe: [] for probe in probes.values()}
    single = frozenset(each for each in any_case if isinstance(each, str))
    pairs = any_case.keys() - single
    for place, form in forms.items():
        words = form.split(" ")
        held = pairs.intersection(pairwise(words))
        for probe in held | single.intersection(words) if single else held:
            if (place[0], probe) in own:
                own[place[0], probe].append(place)
            # One more than is searched says that there are more.
            if len(any_case[probe]) <= MOST_CANDIDATES:
                any_case[probe].append(place)
    return own, any_case
