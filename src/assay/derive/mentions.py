"""Where a text says something: names and phrases in folded text, and the cues around them."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from assay import _kernels as kernels
from assay.derive import patterns as re
from assay.derive.text import beyond_ascii

T = TypeVar("T")
Boundaries = Literal["words", "substring", "verbatim"]
"""Whether a name must stand as words of its own, may be part of a word, or (`verbatim`) must also
have the same hyphens and spaces: then only its case is free."""
Kind = Literal["asserted", "negated", "differential"]
"""Whether a mention says that it is so, that it is not, or that it might be."""

_SPACES = "-_*`\n\t\r\f\v\u00a0\u2007\u2010\u2011\u2012\u2013\u2014\u202f\u2212\u3000"
_QUOTES = "\u2018\u2019\u02bc\u00b4"
_ONE_SPACE = bytes(ord(" ") if chr(each) in _SPACES else each for each in range(256))
_WORD = re.compile(r"[^\W_]+")
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""signs of scripts that put no space between words"""
_FEW_SIGNS, _SHORT_WORD, _LINKS = 64, 3, frozenset({"of", "and", "the"})
_SPACED = bytes(
    ord(" ") if chr(each).isascii() and not chr(each).isalnum() else each for each in range(256)
)
"""turns ASCII signs that are no letters or digits into spaces"""


class Mention(NamedTuple):
    """One place where a text names a label; positions are those of the text in composed form."""

    label: str
    name: str
    start: int
    end: int
    kind: Kind = "asserted"


def folded(text: str) -> str:
    r"""Return a text as it is compared: composed, lower case, of one kind of space and quote.

    Every character of the composed text stays where it is.

    Examples
    --------
    >>> folded("Post\u2013Traumatic\nStress")
    'post traumatic stress'
    """
    return _plain(_composed(text))


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _plain(composed: str) -> str:
    if composed.isascii():
        return composed.encode().lower().translate(_ONE_SPACE).decode()
    lower = composed.lower()
    if len(lower) != len(composed):
        lower = "".join(low if len(low := each.lower()) == 1 else each for each in composed)
    for space in _SPACES:
        if space in lower:
            lower = lower.replace(space, " ")
    for quote in _QUOTES:
        if quote in lower:
            lower = lower.replace(quote, "'")
    return lower


class _Once(Generic[T]):
    """A cached property without a lock, which costs more than most of what is kept here."""

    def __init__(self, look: Callable[[Any], T]) -> None:
        self._look, self._name, self.__doc__ = look, look.__name__, look.__doc__

    def __get__(self, given: Folded, _: type[Folded]) -> T:
        found = given.__dict__[self._name] = self._look(given)
        return found


@dataclass(frozen=True, eq=False)
class Folded:
    """A text ready for searching."""

    text: str
    """in composed form"""
    plain: str
    """folded, character by character"""
    known: dict[tuple[str, int], tuple[object, Any]] = field(default_factory=dict, repr=False)
    """what was looked up, by whom, who is kept beside it: the readings of one text share this"""

    def once(self, what: str, who: object, look: Callable[[], T]) -> T:
        """Return what somebody finds in the text, looked up once."""
        key = (what, id(who))
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = (who, look())
        found: T = known[1]
        return found

    @_Once
    def level(self) -> str:
        """The folded text with strokes as spaces, in which names and phrases are looked up."""
        return self.plain.replace("/", " ")

    @_Once
    def single(self) -> str:
        """The folded text with single spaces, in which words stand as they are looked up."""
        return self._spacing[0]

    @_Once
    def _spacing(self) -> tuple[str, list[int], list[int]]:
        """That text, where it leaves spaces out, and how many up to there."""
        found: tuple[str, list[int], list[int]] = kernels.single_spaced(self.level)
        return found

    def spaced(self, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return where parts of the text with single spaces stand in the text with all of them.

        Examples
        --------
        >>> fold("low  mood").spaced([(0, 8)])
        [(0, 9)]
        """
        _, places, skipped = self._spacing
        if not places:
            return [*spans]
        return [
            (a + skipped[bisect_left(places, a)], b + skipped[bisect_left(places, b - 1)])
            for a, b in spans
        ]

    @_Once
    def words(self) -> frozenset[str]:
        """The words of the folded text, and what stands between signs that need no space."""
        if self.single.isascii():
            found: frozenset[str] = kernels.distinct_words(self.single)
            return found
        words = frozenset(self._in_order)
        if not UNSPACED.search(self.single):
            return words
        return words.union(_words_in(UNSPACED.sub(" ", self.single)))

    @_Once
    def _in_order(self) -> list[str]:
        return _words_in(self.single)

    @_Once
    def initials(self) -> str:
        """The first letters of words of four letters and more, in order, a dot for other words."""
        if self.single.isascii():
            found: str = kernels.initials(self.single)
            return found
        letters = [
            word[0] if len(word) > _SHORT_WORD else "" if word in _LINKS else "."
            for word in self._in_order
        ]
        return "".join(letters)


@lru_cache(maxsize=8)  # the readings of one text follow each other
def fold(text: str) -> Folded:
    """Prepare a text for searching.

    Examples
    --------
    >>> sorted(fold("Low mood, LOW energy").words)
    ['energy', 'low', 'mood']
    """
    composed = _composed(text)
    return Folded(composed, _plain(composed))


def _words_in(plain: str) -> list[str]:
    """Return the words of a folded text, three times as fast as the pattern of a word does."""
    signs = set() if plain.isascii() else set(beyond_ascii(plain))
    if len(signs) > _FEW_SIGNS:
        return _WORD.findall(plain)
    for sign in signs:
        if not sign.isalnum():
            plain = plain.replace(sign, " ")
    return plain.encode().translate(_SPACED).decode().split()


@dataclass(frozen=True, slots=True)
class Cues:
    """Phrases that take a mention back, before or after it, and words that begin a new clause."""

    negations: tuple[str, ...] = ()
    negations_after: tuple[str, ...] = ()
    differentials: tuple[str, ...] = ()
    differentials_after: tuple[str, ...] = ()
    contrasts: tuple[str, ...] = ()

    _by_word: dict[str, list[tuple[str, tuple[str, ...]]]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """the kind and the words of every phrase, by the longest of them"""
    _parts: dict[frozenset[str], Cues] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    _longest: frozenset[str] = field(
        init=False, repr=False, compare=False, default_factory=frozenset
    )

    def __post_init__(self) -> None:
        """Sort the phrases by the word by which they are found."""
        for kind in _KINDS:
            for words in filter(None, map(words_of_phrase, getattr(self, kind))):
                self._by_word.setdefault(max(words, key=len), []).append((kind, words))
        object.__setattr__(self, "_longest", frozenset(self._by_word))

    def within(self, given: Folded) -> Cues | None:
        """Return the kinds of cues of which the text has one; None where none takes anything back.

        A kind stays whole: its pattern is made once, and not for every text.
        """
        return given.once("cues", self, lambda: self._within(given))

    def _within(self, given: Folded) -> Cues | None:
        there, words = self._by_word, given.words
        found = chain.from_iterable(there[word] for word in self._longest & words)
        kinds = frozenset([kind for kind, needed in found if words.issuperset(needed)])
        if not kinds - {"contrasts"}:
            return None
        if kinds not in self._parts:
            whole = {kind: tuple(filter(words_of_phrase, getattr(self, kind))) for kind in kinds}
            self._parts[kinds] = Cues(**whole)
        return self._parts[kinds]


_KINDS = ("negations", "negations_after", "differentials", "differentials_after", "contrasts")


@cache
def words_of_phrase(phrase: str) -> tuple[str, ...]:
    """Return the words of a phrase, folded."""
    return tuple(_WORD.findall(folded(phrase)))


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words to be found in folded text."""

    literal: str
    """with single spaces"""
    words: frozenset[str]
    rare: str
    """the longest of the words: where it is not, the phrase is not"""
    edges: tuple[bool, bool]
    """whether it begins and ends with a letter or digit"""
    source: str
    """of a pattern that finds the phrase whatever spaces it has"""
    written: str
    """the same with strokes as they are, for plain substrings"""
    then: tuple[frozenset[str], ...] = ()
    """the words of what must follow: all of one of them"""
    of_one_word: bool = False
    """whether it has no spaces and strokes"""

    @classmethod
    def of(cls, phrase: str, *, then: tuple[str, ...] = (), within: int = 0) -> Phrase:
        """Prepare a phrase, perhaps one that another must follow within some words."""
        plain = folded(phrase)
        words = plain.replace("/", " ").split() or plain.split()
        literal = " ".join(words)
        # The literal stands first, so that the search can jump from one to the next.
        source = written = " +".join(map(_escaped, words))
        if "/" in plain:
            written = " +".join(map(_escaped, plain.split()))
        if then:
            source += rf"(?:,? +[^ .!?;:,]+){{0,{within}}},? +{any_phrase(then).pattern}"
        found = [each for each in _WORD.findall(literal) if not UNSPACED.search(each)]
        rare = max(found, key=len, default="")
        edges = _is_edge(words[0][0]), _is_edge(words[-1][-1])
        others = tuple(frozenset(words_of_phrase(each)) for each in then)
        one = plain.split() == [literal]
        return cls(literal, frozenset(found), rare, edges, source, written, others, one)

    def may_be_in(self, given: Folded) -> bool:
        """Say whether a text has the words of the phrase and of what must follow it."""
        words = given.words
        follows = not self.then or any(map(words.issuperset, self.then))
        return follows and words.issuperset(self.words)

    def places(
        self, given: Folded, *, boundaries: Boundaries = "words"
    ) -> Iterable[tuple[int, int]]:
        """Return where the phrase begins and ends in folded text, one place after the other."""
        as_words = boundaries == "words"
        if as_words and self.literal not in given.single:
            return ()
        plain = given.level if as_words else given.plain
        if as_words and not self.then:
            alike = len(self.words) == 1 or len(given.single) == len(plain)
            return self._literally(plain) if alike else given.spaced(self._literally(given.single))
        if not as_words and self.of_one_word:
            return self._anywhere(plain)
        if not as_words and self.written == self.source:
            places = given.spaced(self._anywhere(given.single))
            return [each for each in places if plain.find("/", *each) < 0]
        return self._by_pattern(plain, as_words=as_words)

    def _by_pattern(self, plain: str, *, as_words: bool) -> Iterator[tuple[int, int]]:
        """Yield where the phrase stands with any number of spaces."""
        search = _compiled(self.source if as_words else self.written).search
        found = search(plain)
        while found:
            start, end = found.span()
            if not as_words or self.stands_at(plain, start, end):
                yield start, end
            found = search(plain, start + 1)

    def _anywhere(self, plain: str) -> Iterator[tuple[int, int]]:
        """Yield where a phrase of one word stands, be it within another."""
        at, length = plain.find(self.literal), len(self.literal)
        while at >= 0:
            yield at, at + length
            at = plain.find(self.literal, at + 1)

    def _literally(self, plain: str) -> list[tuple[int, int]]:
        """Return where the phrase stands in a text in which it can only stand as it is."""
        found, literal = [], self.literal
        at, length = plain.find(literal), len(literal)
        while at >= 0:
            if self.stands_at(plain, at, at + length):
                found.append((at, at + length))
            at = plain.find(literal, at + 1)
        return found

    def stands_at(self, plain: str, start: int, end: int) -> bool:
        """Say whether no word goes on with the phrase on either side of it."""
        glued = self.edges[0] and start > 0 and _is_edge(plain[start - 1])
        return not glued and not (self.edges[1] and end < len(plain) and _is_edge(plain[end]))


def _escaped(word: str) -> str:
    return word if word.isalnum() else re.escape(word)


def _is_edge(sign: str) -> bool:
    """Say whether a sign would go on with a word beside it."""
    return sign.isalnum() and (sign.isascii() or not UNSPACED.match(sign))


@lru_cache(maxsize=4096)
def _compiled(source: str) -> re.Pattern[str]:
    """Compile a pattern when a text first holds its words: most never do."""
    return re.compile(source)


@lru_cache(maxsize=4096)
def _phrase(name: str) -> Phrase | None:
    """Prepare a name once; None where nothing of it can be found."""
    return Phrase.of(name) if folded(name).strip() else None


def holds_any(text: str, names: Iterable[str], *, boundaries: Boundaries = "words") -> bool:
    """Say whether a text holds one of the names; an empty name is in no text.

    Examples
    --------
    >>> holds_any("a female patient", ["male"]), holds_any("African-American", ["african american"])
    (False, True)
    >>> holds_any("a female patient", ["male"], boundaries="substring")
    True
    """
    if boundaries == "verbatim":
        lower = text.lower()
        return any(name.strip().lower() in lower for name in names if name.strip())
    given = fold(text)
    return any(
        next(iter(phrase.places(given, boundaries=boundaries)), None) is not None
        for phrase in map(_phrase, names)
        if phrase is not None
    )


@lru_cache(maxsize=1024)
def any_phrase(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that finds any of the phrases as words of their own in folded text.

    Examples
    --------
    >>> any_phrase(("no sign of", "kein")).search("keine; no sign of it").group()
    'no sign of'
    """
    words = (" +".join(map(re.escape, folded(each).split())) for each in phrases)
    longest_first = sorted(filter(None, words), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first) or '(?!)'})(?!\w)")


_IN_BRACKETS = re.compile(r"\(([A-Z]{2,6})\)")
_A_WORD = re.compile(r"[^\W\d_]+")
_BEFORE_SHORT, _FIRST_LETTERS = 80, 4
_OF_A_SCALE = re.compile(r"-\d")
"""what follows the name of a scale, as in GAD-7"""
_A_TYPE = re.compile(r"(?:[/ ]\w+)? (?:sub)?type(?!\w| (?:[iv]+|\d|one|two)(?!\w))")


def qualifies(given: Folded, start: int, end: int) -> bool:
    """Say whether a name is that of a scale, or of the type of what stands before it.

    Examples
    --------
    >>> given = fold("schizoaffective disorder, bipolar type")
    >>> qualifies(given, 26, 33), qualifies(fold("bipolar type 2"), 0, 7)
    (True, False)
    >>> qualifies(fold("GAD-7"), 0, 3)
    True
    """
    if given.text.startswith("-", end):
        return _OF_A_SCALE.match(given.text, end) is not None
    beside = given.level.endswith((", ", "("), 0, start)
    return beside and _A_TYPE.match(given.level, end) is not None


def redefined(
    text: str, named: Iterable[tuple[int, int, str]], owner: Mapping[str, str]
) -> dict[str, str | None]:
    """Return which abbreviations of members stand for another one by the text, or for none.

    Examples
    --------
    >>> owner = {"Autism": "Autism", "ASD": "Autism", "Acute Stress Disorder": "Stress"}
    >>> redefined("acute stress disorder (ASD)", [(0, 21, "Stress"), (23, 26, "Autism")], owner)
    {'ASD': 'Stress'}
    >>> redefined("atrial septal defect (ASD)", [(22, 25, "Autism")], owner)
    {'ASD': None}
    """
    places = [*named]
    by_start, by_end = {each[0]: each for each in places}, {each[1]: each for each in places}
    found: dict[str, str | None] = {}
    for each in _IN_BRACKETS.finditer(text):
        short, own = each[1], by_start.get(each.start(1))
        near = max(0, each.start() - _BEFORE_SHORT)
        before = text[near : each.start()].rstrip(" *_")
        name = by_end.get(near + len(before))
        if own is None or own[1] != each.end(1) or (name and name[2] == own[2]):
            continue
        if name and _shortens(short, text[name[0] : name[1]]):
            found[short] = name[2]
        elif name is None and _stands_for_others(short, before, own[2], owner):
            found[short] = None
    return found


def _shortens(short: str, name: str) -> bool:
    """Say whether all letters stand in a name, in order, and the first of them first."""
    rest = iter(name.upper())
    return (
        name[:1].upper() == short[0]
        and len(name) > len(short)
        and all(letter in rest for letter in short)
    )


def _stands_for_others(short: str, before: str, label: str, owner: Mapping[str, str]) -> bool:
    """Say whether the words before an abbreviation begin with its letters, and not as the label."""
    words = _A_WORD.findall(before)[-len(short) :]
    names = [each for each, of in owner.items() if of == label and len(each) > len(short)]
    first = words[0][:_FIRST_LETTERS].lower() if words else ""
    other = names and not any(first == each[:_FIRST_LETTERS].lower() for each in names)
    return bool(other) and "".join(each[0] for each in words).upper() == short
