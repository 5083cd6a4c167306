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

import unicodedata
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Literal, NamedTuple

import numpy as np

from assay import _kernels as kernels
from assay.derive import patterns as re
from assay.derive.elsewhere import holders
from assay.derive.text import beyond_ascii

Mode = Literal["strict", "normalized", "multi-span", "words", "reference"]
Status = Literal["exact", "normalized", "stitched", "misattributed", "absent"]
Documents = Mapping[str, Mapping[str, str]]
"""case -> document -> text"""
Place = tuple[str, str]
"""case and document"""

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
LEAST_SPAN = 10
"""characters; a quotation in parts needs one this long"""
DOCUMENTS_AT_ONCE = 100
"""whose words are compared in one go"""
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
AS_THEY_ARE = bytes(range(256))
BETWEEN_WORDS = bytes(
    ord(" ") if chr(code).isascii() and not WORD.match(chr(code)) else code for code in range(256)
)
"""what each byte of a text is read as where its words are compared"""
SENTENCES = re.compile(r"(?<=[.!?])\s+")
ENDINGS = (". ", "! ", "? ")
LAST_SIGNS = ".,!?;:"
MOST_SIGNS = 20
"""beyond ASCII that are taken out of a text one by one"""
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
    for each in table.keys() & {*beyond_ascii(text), "`"}:
        text = text.replace(each, table[each])
    return text


def _spaced(text: str) -> str:
    """Return a text with single spaces for all white space."""
    # Of what can be printed, only the space is white.
    if "  " not in text and text.isprintable() and text[:1] != " " and text[-1:] != " ":
        return text
    return " ".join(text.split())


def _words(text: str) -> str:
    """Return a text with nothing but ASCII between its words."""
    between = {each for each in beyond_ascii(text) if not each.isalnum()}
    if len(between) > MOST_SIGNS:
        return " ".join(WORD.findall(text))
    for each in between:
        text = text.replace(each, " ")
    return text


class _Document(NamedTuple):
    text: str
    normalized: str
    lowered: str
    """as the reference compares it"""


def _document(text: str) -> _Document:
    form = normalized(text)
    return _Document(text, form, _lowered(text, form))


class _Open(NamedTuple):
    """A quotation that is no exact part of its document, with what is not yet known of it."""

    row: int
    core: str
    """what is looked for"""
    accepting: frozenset[Mode] | None
    """None where its words decide"""
    quoted: str
    """what the reference looks for"""
    as_reference: bool | None


def _lowered(text: str, form: str) -> str:
    """Return a text as the reference compares it, given its normal form."""
    return form if text.isascii() and "`" not in text else _spaced(text.lower())


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
    source = _document(document)
    opened = _opened(0, snippet, source)
    return EXACT if opened is None else next(_closed([(source, [opened])]))[1]


def _opened(row: int, snippet: str, document: _Document) -> _Open | None:
    """Look for a quotation as it stands and in parts; None for an exact part."""
    exact = snippet in document.text
    # An exact part stays one in lower case, but for letters whose case depends on their place.
    if exact and snippet.isascii() and snippet.strip(DOTS):
        return None
    form = normalized(snippet)
    core, quoted = _unquoted(form), _lowered(snippet, form)
    accepting = FROM["strict"] if exact and form else _accepting(core, document.normalized)
    as_reference: bool | None = None
    if not document.lowered or not quoted.strip(DOTS):
        as_reference = False
    # What the reference looks for is mostly what was just not found.
    elif accepting is not None or core != quoted or document.lowered is not document.normalized:
        as_reference = quoted in document.lowered or None
    return _Open(row, core, accepting, quoted, as_reference)


def _closed(
    opened: Sequence[tuple[_Document, Sequence[_Open]]],
) -> Iterator[tuple[_Open, frozenset[Mode]]]:
    """Yield the modes that accept what is left open, by the words of all documents at once."""
    words = _hold_most(
        BETWEEN_WORDS,
        (
            [
                *(_words(each.core) for each in rows if each.accepting is None),
                _words(document.normalized),
            ]
            for document, rows in opened
        ),
    )
    tokens = _hold_most(
        AS_THEY_ARE,
        (
            [*(each.quoted for each in rows if each.as_reference is None), document.lowered]
            for document, rows in opened
        ),
    )
    for document, rows in opened:
        for each in rows:
            accepting, as_reference = each.accepting, each.as_reference
            if accepting is None:
                accepting = FROM["words"] if next(words) else NONE
            if as_reference is None:
                as_reference = next(tokens) or _in_segments(each.quoted, document.lowered)
            yield each, AND_REFERENCE[accepting] if as_reference else accepting


def _hold_most(read_as: bytes, asked: Iterable[list[str]]) -> Iterator[bool]:
    """Say of quotations, each list before its document, whether it holds most of their words."""
    groups = [texts for texts in asked if len(texts) > 1]
    written = [each.encode("utf-8", "surrogatepass") for texts in groups for each in texts]
    start = np.cumsum([0, *map(len, written)])
    n_quoted = np.array([len(texts) - 1 for texts in groups], dtype=np.int64)
    n, lacking = kernels.lacking_words(b"".join(written), read_as, start, n_quoted).T
    return iter(((n >= LEAST_WORDS) & (MOST_MISSING * lacking <= n)).tolist())


def _accepting(core: str, text: str) -> frozenset[Mode] | None:
    """Return the modes, from the strictest that accepts what is not an exact part on."""
    if not core:
        return NONE
    if core in text or _is_whole(core, text):
        return FROM["normalized"]
    return FROM["multi-span"] if _stitched(_spans(core), text) else None


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


def _in_segments(quoted: str, source: str) -> bool:
    """Accept what the reference program accepts beside a part and most words: parts in order."""
    if not any(end in quoted for end in ENDINGS):
        # One segment, which is known not to be a part.
        bare = quoted.rstrip(LAST_SIGNS)
        return len(quoted) >= LEAST_SPAN and bare != quoted and bare in source
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
    return segment, segment.rstrip(LAST_SIGNS)


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
    by chance; and of the documents of other cases that hold the rarest few bytes of it, judged
    by a sample, the first 1,000 are searched.

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
    lost = {row: core for row, core in cores.items() if core.count(" ") >= LEAST_WORDS - 1}
    if not lost:
        return checked
    places = [(case, name) for case in sorted(documents) for name in sorted(documents[case])]
    ordered = {
        each: forms[each] if each in forms else normalized(documents[each[0]][each[1]])
        for each in places
    }
    for row, place in _elsewhere(lost, quotations, ordered):
        valid, known = checked[row].valid, checked[row].known
        if place is None:
            checked[row] = Checked("absent", valid, known, cut_short=True)
        else:
            checked[row] = Checked("misattributed", valid, known, *place)
    return checked


def _status(valid: frozenset[Mode]) -> Status:
    if "strict" in valid:
        return "exact"
    if "normalized" in valid:
        return "normalized"
    return "stitched" if "multi-span" in valid else "absent"


OUTCOMES: Mapping[frozenset[Mode], Checked] = {
    modes: Checked(_status(modes), modes, known=True)
    for each in AND_REFERENCE.items()
    for modes in each
}


def _against_their_own(
    quotations: Sequence[Quotation],
    documents: Documents,
    forms: dict[Place, str],
    cores: dict[int, str],
) -> list[Checked]:
    """Check document by document; of each its normal form is kept, and of absent rows theirs."""
    rows: defaultdict[Place, list[int]] = defaultdict(list)
    for row, quotation in enumerate(quotations):
        rows[quotation.case, quotation.document].append(row)
    checked = [Checked("absent", NONE, known=False)] * len(quotations)
    exact = OUTCOMES[EXACT]
    places = iter(rows.items())
    while batch := [*islice(places, DOCUMENTS_AT_ONCE)]:
        opened: list[tuple[_Document, list[_Open]]] = []
        for (case, name), of_document in batch:
            if case not in documents or name not in documents[case]:
                cores |= {
                    row: _unquoted(normalized(quotations[row].snippet)) for row in of_document
                }
                continue
            document = _document(documents[case][name])
            forms[case, name] = document.normalized
            left = [_opened(row, quotations[row].snippet, document) for row in of_document]
            opened.append((document, [each for each in left if each is not None]))
            for row in of_document:
                checked[row] = exact
        for each, valid in _closed(opened):
            checked[each.row] = OUTCOMES[valid]
            if "multi-span" not in valid:
                cores[each.row] = each.core
    return checked


def _elsewhere(
    lost: Mapping[int, str], quotations: Sequence[Quotation], forms: Mapping[Place, str]
) -> Iterator[tuple[int, Place | None]]:
    """Find lost quotations in other documents: row, and where; None if not all were searched."""
    places, texts = [*forms], [*forms.values()]
    cases = [case for case, _ in places]
    for (row, core), held in zip(lost.items(), holders([*lost.values()], texts), strict=True):
        if not held:
            continue
        first, end = (cut(cases, quotations[row].case) for cut in (bisect_left, bisect_right))
        own = held[bisect_left(held, first) : bisect_left(held, end)]
        candidates = chain(own, held[:MOST_CANDIDATES])
        place = next((places[each] for each in candidates if core in texts[each]), None)
        if place is not None or len(held) > MOST_CANDIDATES:
            yield row, place
