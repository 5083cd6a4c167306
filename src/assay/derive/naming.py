"""Which member of a closed set a few words name: by letter, by value, by yes or no, by name.

A letter and a text that contradict each other are the letter. Two members side by side are neither.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from assay import _kernels as kernels
from assay.derive import patterns as re
from assay.derive.choices import Choices, Named, written
from assay.derive.equivalents import all_member, said_of_all
from assay.derive.mentions import Folded
from assay.derive.no_disorder import NO_DISORDER, healthy_member, said_of_one
from assay.derive.no_disorder import WORDS as NO_WORDS
from assay.derive.truth_words import meant_by
from assay.derive.wordings import DENIED_AFTER, JOINED, JOINS, NEGATED, NONE, words_of

State = Literal["answered", "none", "outside", "undecided", "refused", "failed"]
"""What a text does: it answers with a member of the set, says that none applies, answers with
something else, leaves it open, declines, or has no answer that could be read."""

EDGE = "0-9A-Za-z\u00c0-\u024f\u0400-\u04ff'’"
"""signs beside which a letter is no letter of its own"""
# What is rare stands first, so that the search can jump from one to the next.
LETTER = re.compile(rf"([A-Z](?<![{EDGE}\\].)(?<!N/A))(?![{EDGE}^]| ?\+ ?\d|(?<=N)/A(?![{EDGE}]))")
_SENTENCE = re.compile(
    r"[.!?;。！？；।۔؟\n](?:(?<=[。！？；।۔؟\n])"
    r"|(?=[\s*_\"')\]]|$)(?<!i\.e.)(?<!e\.g.)(?<! vs.)(?<!d\.h.)(?<!z\.B.))"
)
_SKIP = re.compile(r"(?:[\s:：*_#\"'“”‘’「『`|>→]|[-–—](?=\s)|(?<![\w=] )\d{1,2}[.)]\s)*")
_WINDOW, _DENIAL, _NEARBY, _NEAR = 240, 90, 12, 50
_OPENS, _CLOSES = r"[\s$\\(\[{<\"'“‘「*_`]*", r"[)\]}>*_`\"'”’」]*"
_NOUN = (
    "(?:options?|choices?|answers?|letters?|statements?|alternatives?|opción|alternativa|letra"
    "|lettera|opzione|proposition|réponse|respuesta|resposta|risposta|antwort|вариант|ответ|选项|選択肢)"
)
_FIRST_LETTER = re.compile(
    rf"{_OPENS}(?:\\?(?:text|mathrm|mathbf|textbf|boxed)\s*\{{)?{_OPENS}"
    rf"(?:(?:the|la|el|a|o|die)\s+|l'\s*)?(?:{_NOUN}[\s:]*)?"
    rf"(?P<open>{_OPENS})(?P<letter>[A-Za-z])(?P<close>{_CLOSES})(?![{EDGE}^]| ?\+ ?\d)",
    re.IGNORECASE,
)
_SPECIES = re.compile(
    r"[A-Z]\. (?!because|since|this|that|which|with|the|it|its|here|there|therefore|also|answer)"
    r"([a-z]{2,}(?:i|ae|[^aeiou]us|um|ans|ens|ile|ilis|alis|ensis|inis|osis|ica|osa|lla))(?!\w)(?=[ ,.]|$)"
)
"""the second word of a name in Latin behind the first letter of the first one"""
_ARTICLES = frozenset("AIOEaioe")
_NO_ARTICLE = re.compile(
    r"\s*(?:$|[^\w\s]|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|(?:because|since|as|and|or|und|oder|et|ou|y|for|due|which|with|is|but|not|given|if|by|that"
    r"|based|in|on|over|rather|instead|here|most|best)\b|(?:o|e|и|или|of|en|atau|hoặc|eller|veya|lub|tai|sau|dan|và|och|og|ve|oraz|ή|και|або|vagy|nebo) [(*]*[A-Z](?!\w))",
    re.IGNORECASE,
)
_OWN_TEXT = re.compile(r"[)\]*]{0,3}[.:)][*_]{0,2}[ \t]?[*_]{0,2}(?!No[,.!])[^\Wa-z\d_]")
_LED = re.compile(r"(?<![\w'])([A-Z])[)\]*]{0,3}[.:)][*_]{0,2}[ \t]\S")
"""the letter of an option before its text"""
_RIVAL = re.compile(
    rf"(?:[\s)\]*\"']*,\s*[(\[*\"']*[A-Z](?![A-Za-z]))*[\s)\]*\"',.]*(?:and/or|{JOINS}|&|/)"
    rf"\s*(?:also|option|choice)?\s*[(\[*\"']*([A-Z])(?![{EDGE}])(?!\s*(?:is|are|was|would|can"
    rf"|has|does|do|says)\b)"
    rf"|(?:\s*[)\]*]*\s*[,，、]\s*[(\[*]*[A-Z](?![{EDGE}]))*?\s*[)\]*]*\s*[,，、]\s*[(\[*]*([A-Z])[)\]*}}$]*\s*(?=[.。<\n都均皆项項두둘모両二]|$|입니|이[다고며]|で(?:す|ある)|だ|の(?:二|２|2|両))"
)
_LISTED = re.compile(
    rf"(?:\s*,\s*[(\[]?[A-Z][)\].] [^,.;!?()\[\]]{{1,60}})+,? (?:{JOINS}) [(\[]?([A-Z])(?=[)\].])"
    rf"|(?:\s*,\s*[(\[]?([A-Z])[)\].] [^,.;!?()\[\]\n]{{1,60}})+(?=[)\].]?(?:\n|\Z))"
)
"""other options with their texts"""
_ENDS_ITEM = frozenset({"", "\n", ")", "]", "."})
_ITS_LETTER = re.compile(r"[(\[][A-Z][)\]] ?$")
_NONE_ALONE = re.compile(
    r"[\s*_\"'(]*(?:none|neither|n[/ ]a|nothing|keine|ninguna?|aucune?|нет диагноза|无)[\s*_.\"')]*(?=$|\n"
    r"|[.,;:(]|(?<=  )\w)"
)
_FIRST_WORDS = re.compile(
    r"[\s\"'“‘「(*\[{$\\\u2705\u2713\u2714\u274c\u2717\u2718\ufe0f]*(?:text\{)?"
    r"(?:(?:an? (?:resounding|definite|clear|firm|emphatic|strong|qualified|simple|plain|cautious|tentative)|a|definitely|clearly|therefore|likely|probably|most likely|simply|is|quindi|donc"
    r"|daher|also)[ :,]+){0,2}"
    r"[\"'“「(*\[]*(?P<word>tal vez|(?:[^\W\d_]|[\u0900-\u0d7f\u0e31-\u0e4e])+)"
)
_BOTH = re.compile(rf"[\s,\"'”*]*(?:(?:{JOINS})\s+|(?<=\w) {{1,3}}(?=\w+\W*$))[\"'“*]*([^\W\d_]+)")
_DENY = words_of("no nie không لا nem না نہیں لא नहीं")
_COPULA = re.compile(r"(?:입니다|이다|이에요|예요|です|である|だ)\Z")
"""what Korean and Japanese put behind a word for "is", without a space"""
_ALONE = re.compile(
    r"\s*(?:$|[^\w\s]|(?:है|होगा)\W*$|(?:because|since|as|it|the|this|that|they|he|she|there|but|while|although"
    r"|given|i|you|we)\b|with (?:a |an )?(?:\d|(?:very )?(?:high|low|full|some|moderate)(?!\w)))"
    r"| {2}"
)


_CALLED = words_of(
    "known called termed aka dubbed genannt bekannt appelé appelée connu connue conocido conocida llamado llamada conhecido conhecida chamado chamada noto nota detto detta chiamato chiamata"
)
_ALSO = re.compile(
    r"[\s,;(*_\"'“”–—-]*(?:(?:(?:which|that|it|is|are|also|otherwise|better|commonly|sometimes|often) )*(?:(?:known|referred to)(?: \w+){0,4}? (?:as|under)|called|termed|dubbed|a\.?k\.?a\.?)"
    r"|(?:aussi |également |parfois |encore )?(?:appelée?|connue? sous le nom d[e'])(?: aussi| également)?|também (?:conhecid[oa] como|chamad[oa])"
    r"|también (?:conocid[oa] como|llamad[oa])|anche (?:not[oa] come|dett[oa]|chiamat[oa])|(?P<german>auch))[\s*_\"'“”]*(?:(?:an?|the|als|la|le|el|o|il) [*_\"'“”]*)?"
)
"""between a name and another one of the same thing"""
_GENANNT = re.compile(r"[*_\"'“”]* (?:genannt|bekannt)(?!\w)")
_BUT = re.compile(r"(?<!\w)(?:but|sondern|mais|sino|ma|mas)(?!\w)")


class Announcement(NamedTuple):
    """What a text says in one place, and the rule by which that was found."""

    start: int
    end: int
    state: State
    answer: str | None
    rule: str = ""


@dataclass(slots=True)
class Passage:
    """A text to be read, and the places where members of the set are named."""

    given: Folded
    choices: Choices
    names: list[Named] = field(init=False)
    _ends: tuple[list[int], list[int]] | None = field(init=False, default=None, repr=False)
    _starts: dict[tuple[int, int], int] = field(init=False, default_factory=dict, repr=False)
    _asked: int = field(init=False, default=0, repr=False)
    """how often an end was looked for: the first times nearby only"""

    def __post_init__(self) -> None:
        """Look for names once."""
        self.names = self.choices.named(self.given)
        if len(self.names) > 1 and not _CALLED.isdisjoint(self.given.words):
            self.names = [*_with_aliases(self.names, self.given.level)]

    @property
    def text(self) -> str:
        """The text as written."""
        return self.given.text

    @property
    def ends(self) -> tuple[list[int], list[int]]:
        """Where sentences end, and where what follows them begins; looked for once."""
        if self._ends is None:
            found = [*_SENTENCE.finditer(self.text)]
            self._ends = ([each.start() for each in found], [each.end() for each in found])
        return self._ends

    def sentence_end(self, at: int, most: int = _WINDOW) -> int:
        """Return where the sentence around a position ends."""
        last = min(len(self.text), at + most)
        if self._looks_nearby():
            found = _SENTENCE.search(self.text, at, last + 2)
            return min(found.start(), last) if found else last
        ends, _ = self.ends
        place = bisect_left(ends, at)
        return min(ends[place], last) if place < len(ends) else last

    def sentence_start(self, at: int, most: int = _WINDOW) -> int:
        """Return where the sentence around a position begins."""
        found = self._starts.get((at, most))
        if found is None:
            found = self._starts[at, most] = self._begins(at, max(0, at - most))
        return found

    def _begins(self, at: int, first: int) -> int:
        """Return where a sentence begins, from a place on."""
        if self._looks_nearby():
            # Most sentences are short: the end of the one before is looked for right here first.
            whole = max(0, first - 1)
            for begin in dict.fromkeys((max(whole, at - _NEAR), whole)):
                found = [*_SENTENCE.finditer(self.text, begin, at + 1)]
                if found and found[-1].end() > at:  # an end is one sign
                    del found[-1]
                if found:
                    return found[-1].end()
            return first
        _, starts = self.ends
        place = bisect_right(starts, at) - 1
        return max(first, starts[place] if place >= 0 else 0)

    def _looks_nearby(self) -> bool:
        """Say whether an end is looked for around a place, which pays for a few of them."""
        self._asked += 1
        return self._ends is None and self._asked <= _NEARBY

    def within(self, start: int, end: int) -> list[Named]:
        """Return the names between two positions."""
        first = bisect_left(self.names, start, key=lambda each: each.start)
        last = bisect_left(self.names, end, key=lambda each: each.start)
        return self.names[first:last]

    def labels(self, start: int, end: int) -> frozenset[str]:
        """Return the members that are named between two positions, by name or by letter."""
        own = self.choices.letters
        letters = (each[1] for each in LETTER.finditer(self.text, start, end)) if own else ()
        found = {own[each] for each in letters if each in own}
        return frozenset(found | {each.label for each in self.within(start, end)})

    def window(self, at: int) -> tuple[int, int]:
        """Return where what follows a position begins and ends: the rest of its sentence."""
        start = at + len(_SKIP.match(self.text, at, at + _WINDOW)[0])  # type: ignore[index]  # may be empty
        return start, self.sentence_end(start)


def _with_aliases(names: list[Named], level: str) -> Iterator[Named]:
    """Yield names, of which the second in "X, also known as Y" is another one of the first."""
    before: Named | None = None
    for each in names:
        if before and before.label != each.label:
            led = _ALSO.fullmatch(level, before.end, each.start)
            behind = led and led["german"] and not _GENANNT.match(level, each.end)
            before = each if led is None or behind else each._replace(label=before.label)
        else:
            before = each
        yield before


@lru_cache(maxsize=2)  # the readings of one text follow each other
def letters_of(text: str) -> list[re.Match[str]]:
    """Return the capital letters of a text that stand for themselves.

    Examples
    --------
    >>> [each[1] for each in letters_of("A or (B), not c, AB or E'")]
    ['A', 'B']
    """
    found = (LETTER.match(text, at) for at in kernels.lone_letters(text))
    return [each for each in found if each]


def first_named(passage: Passage, start: int, end: int) -> Announcement | None:
    """Return the first member that is named and not denied between two positions.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of_options(["flu", "cold"]))
    >>> first_named(Passage(fold("not A but B"), choices), 0, 11).answer
    'B'
    """
    return (
        _value(passage, start, end)
        or _letter(passage, start, end)
        or _particle(passage, start, end)
        or _none_alone(passage, start, end)
        or _name(passage, start, end)
        or _loose_letter(passage, start, end)
        or _none(passage, start, end)
        or _all(passage, start, end)
        or _in_other_words(passage, start, end)
    )


def _letter(passage: Passage, start: int, end: int) -> Announcement | None:
    """Return the option whose letter comes first; one that does not exist is outside."""
    letters, text = passage.choices.letters, passage.text
    found = _FIRST_LETTER.match(text, start, end + 1) if letters else None
    if not found:
        return None
    letter, place, at = found["letter"], found.start("letter"), found.end()
    names = passage.within(start, end)
    within = any(each.start <= place < each.end - 1 for each in names)
    if within or begins_species(passage, letter, place):
        return None
    marked = bool(
        found["open"].strip() or found["close"].strip() or text[at : at + 1] in {")", "."}
    )
    alone = at >= end or marked or text[at : at + 1] in {",", ":", ";"}
    bare = not text[at:end].strip(" .)*") or not text[at].isascii()
    if letter.islower() and not (marked or bare):
        return None
    owned = bool(names) and names[0].start <= at + 2 and names[0].label == letters.get(letter)
    if letter in _ARTICLES and not alone and not owned and not _NO_ARTICLE.match(text, at):
        return None
    if letter.upper() in letters:
        return with_rivals(passage, letter.upper(), place, at, end)
    strange = alone and letter.isupper() and letter != "X" and not names
    return Announcement(place, place + 1, "outside", letter) if strange else None


def begins_species(passage: Passage, letter: str, place: int) -> bool:
    """Say whether a letter is short for the first word of a name, as in "C. difficile"."""
    species = _SPECIES.match(passage.text, place)
    own = passage.choices.text_of(letter) or "" if species else ""
    return species is not None and species[1] not in own.lower()


def ruled_out(passage: Passage, at: int) -> bool:
    """Say whether an option is denied after its letter, and not by its own text: "C. No drug".

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["A", "B", "C"]))
    >>> ruled_out(Passage(fold("C. No drug"), choices), 1)
    False
    >>> ruled_out(Passage(fold("C. Wrong. B. Right"), choices), 1)
    True
    """
    if not DENIED_AFTER.match(passage.given.level, at, at + _DENIAL):
        return False
    led = _OWN_TEXT.match(passage.text, at)
    return led is None or any(each.end(1) != at for each in _LED.finditer(passage.text))


def with_rivals(
    passage: Passage, letter: str, start: int, at: int, end: int
) -> Announcement | None:
    """Return the option of a letter, or that others stand beside it; none if it is denied."""
    letters, text = passage.choices.letters, passage.text
    if ruled_out(passage, at):
        return None
    own = [each for each in passage.within(at, at + _NEARBY) if each.label == letters[letter]]
    rival = _RIVAL.match(text, at, end + 1)
    if rival is None and own:
        rival = _RIVAL.match(text, own[-1].end, end + 1) or _LISTED.match(text, own[-1].end, end)
        rival = rival if rival and text[rival.end() : rival.end() + 1] in _ENDS_ITEM else None
    other = letters.get(rival[rival.lastindex or 1]) if rival else None
    if rival and (other or letters[letter]) != letters[letter]:
        return Announcement(start, rival.end(), "undecided", None)
    return Announcement(start, start + 1, "answered", letters[letter])


def _value(passage: Passage, start: int, end: int) -> Announcement | None:
    """Return the member that is exactly what is written, also behind the last equals sign."""
    whole = passage.text[start:end]
    if said := passage.choices.by_initial(whole):
        return Announcement(start, end, "answered", said)
    for part in (whole, whole.rpartition("=")[2]):
        value = written(part)
        label = passage.choices.values.get(value)
        letter = len(value) == 1 and value.isalpha() and "$" not in part
        if label is not None and not letter:
            return Announcement(start, end, "answered", label)
    return None


def _particle(passage: Passage, start: int, end: int) -> Announcement | None:
    """Return the yes or no that comes first; both of them are neither."""
    particles, level = passage.choices.particles, passage.given.level
    found = _FIRST_WORDS.match(level, start, end + 1) if particles else None
    word = found["word"] if found else ""
    if word not in particles and not word.isascii():
        word = _COPULA.sub("", word)
    if not found or word not in particles:
        meant = meant_by(passage.text[start:end], particles)
        return Announcement(start, end, "answered", meant) if meant else None
    label, at = particles[word], found.start("word") + len(word)
    both = _BOTH.match(level, at)
    if both and particles.get(both[1], label) != label:
        return Announcement(found.start("word"), both.end(), "undecided", None)
    said = word not in _DENY or stressed(passage.text, *found.span("word"))
    if not said and not _ALONE.match(level, at):
        return None
    return Announcement(found.start("word"), at, "answered", label)


def stressed(text: str, start: int, end: int) -> bool:
    """Say whether a word is in capital letters, and the one after it is not.

    Examples
    --------
    >>> stressed("NO with 90%", 0, 2), stressed("NO EVIDENCE", 0, 2), stressed("No rash", 0, 2)
    (True, False, False)
    """
    return (
        text[start:end].isupper()
        and text.startswith(" ", end)
        and text[end + 1 : end + 2].islower()
    )


def _name(passage: Passage, start: int, end: int) -> Announcement | None:
    level, names = passage.given.level, passage.within(start, end)
    for place, each in enumerate(names):
        denied = DENIED_AFTER.match(level, each.end, each.end + _DENIAL)
        if denied or _negated(level, start, each.start):
            continue
        if NONE.search(level, start, each.start):
            break
        other = next((after for after in names[place + 1 :] if after.label != each.label), None)
        if other and side_by_side(passage, each, other):
            return Announcement(each.start, other.end, "undecided", None)
        return Announcement(each.start, each.end, "answered", each.label)
    return None


def _negated(level: str, start: int, end: int) -> bool:
    """Say whether a negation reaches the end of a part, and no "but" stands between."""
    for contrast in _BUT.finditer(level, start, end):
        start = contrast.end()
    return NEGATED.search(level, start, end) is not None


_OF_A_KIND = ("type ", "group ", "class ", "grade ", "hepatitis ", "vitamin ")


def _loose_letter(passage: Passage, start: int, end: int) -> Announcement | None:
    """Return an option whose letter stands within a sentence that announces one."""
    level, letters = passage.given.level, passage.choices.letters
    for found in LETTER.finditer(passage.text, start, end) if letters else ():
        article = found[1] in _ARTICLES and not _NO_ARTICLE.match(passage.text, found.end())
        if found[1] not in letters or article or _negated(level, start, found.start()):
            continue
        if begins_species(passage, found[1], found.start()):
            continue
        if level.endswith(_OF_A_KIND, start, found.start()):
            continue
        if level[start : found.start()].rstrip()[-1:].isdigit():  # a unit
            continue
        named = with_rivals(passage, found[1], found.start(), found.end(), end)
        if named:
            return named
    return None


def _none_alone(passage: Passage, start: int, end: int) -> Announcement | None:
    found = _NONE_ALONE.match(passage.given.level, start, end + 1)
    return none_applies(passage, start, end) if found else None


def _none(passage: Passage, start: int, end: int) -> Announcement | None:
    level = passage.given.level
    if NONE.search(level, start, end):
        return none_applies(passage, start, end)
    may_be = not said_of_one(passage.choices) and any(each in level for each in NO_WORDS)
    said_so = may_be and NO_DISORDER.pattern.search(level, start, end)
    return nothing_there(passage, start, end) if said_so else None


def _all(passage: Passage, start: int, end: int) -> Announcement | None:
    if passage.choices.particles or not said_of_all(passage.given, passage.choices, start, end):
        return None
    own = all_member(passage.choices)
    return Announcement(start, end, "answered" if own else "undecided", own)


def none_applies(passage: Passage, start: int, end: int) -> Announcement:
    """Return that no member applies; where a member says so, it is the answer."""
    own = passage.choices.none
    return Announcement(start, end, "none" if own is None else "answered", own, "none")


def nothing_there(passage: Passage, start: int, end: int) -> Announcement:
    """Return that nothing is the matter; where a member says so, it is the answer."""
    own = healthy_member(passage.choices)
    return Announcement(start, end, "none" if own is None else "answered", own, "none")


def not_said(passage: Passage, start: int, end: int) -> Announcement:
    """Return that nothing is said; where a member says that it cannot be known, it is that."""
    own = passage.choices.unknown
    return Announcement(start, end, "undecided" if own is None else "answered", own, "not known")


def _in_other_words(passage: Passage, start: int, end: int) -> Announcement | None:
    level = passage.given.level
    if passage.within(start, end) or NEGATED.search(level, start, end):
        return None
    label = passage.choices.in_other_words(frozenset(re.findall(r"[^\W_]+", level[start:end])))
    return None if label is None else Announcement(start, end, "answered", label)


def side_by_side(passage: Passage, one: Named, other: Named) -> bool:
    """Say whether nothing but a word such as "and" stands between two names."""
    plain = passage.given.plain
    changed = plain.endswith(("from ", "von "), 0, one.start)
    letter = _ITS_LETTER.search(passage.text, max(one.end, other.start - 4), other.start)
    end = letter.start() if letter else other.start
    return not changed and JOINED.fullmatch(plain, one.end, end) is not None


def joined(passage: Passage, found: Announcement) -> Announcement | None:
    """Return that two members stand side by side where one of them was found, else None."""
    level, text = passage.given.level, passage.text
    start, end = passage.sentence_start(found.start), passage.sentence_end(found.end)
    names = passage.within(start, end)
    for one, other in pairwise(names):
        touched = found.start in {one.start, other.start} and one.label != other.label
        # What stands before is looked through for the few names that touch it, not for all.
        apart = not touched or not side_by_side(passage, one, other)
        if not apart and "not" not in level[start : one.start].split():
            return Announcement(one.start, other.end, "undecided", None, "side by side")
    letters = passage.choices.letters
    for letter in LETTER.finditer(text, start, end) if letters else ():
        rival = _RIVAL.match(text, letter.end(), end + 1)
        both = {letters.get(letter[1])}
        both |= {letters.get(rival[rival.lastindex or 1])} if rival else set()
        touched = rival is not None and letter.start() <= found.end and found.start <= rival.end()
        if touched and len(both - {None}) > 1 and found.answer in both:
            return Announcement(letter.start(), end, "undecided", None, "side by side")
    return None
