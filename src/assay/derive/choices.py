"""A closed set by the ways in which texts name its members.

A letter, a yes or no, a number or formula and a name are written differently and are mistaken for
different things: a letter for an article, "no" for a negation, a number for a step of a sum. So
each kind is looked for by itself.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from assay.derive import patterns as re
from assay.derive.amounts import amount
from assay.derive.equivalents import denials, own_names, pair_initials
from assay.derive.labels import Label, LabelSet, spelled
from assay.derive.mentions import Folded, qualifies, redefined
from assay.derive.name_forms import by_own_word, denied_by_key, of_one, without_any
from assay.derive.name_forms import forms as forms_of
from assay.derive.not_meant import by_degrees, contraries, may_turn, turned, without_scale
from assay.derive.wider import Wider
from assay.derive.wordings import words_of

_PARTICLES = (
    "yes yeah yep yup ja oui si sí sì sim да 是 是的 对 可以 はい 예 네 tak có evet نعم हाँ हां ใช่ ναι igen iya হ্যাঁ ஆம் بله بلی ہاں جی כן ndiyo",
    "no nope nein non não нет 否 不是 不 不能 没有 いいえ 아니요 아니오 nee nej nei nie tidak không hayır لا नहीं ไม่ใช่ όχι nem না نہیں خیر לא hapana",
    "true wahr vrai vraie verdadero verdadera verdadeiro verdadeira vero vera верно 正确 prawda đúng doğru صحيح सही 참",
    "false falsch faux fausse falso falsa неверно 错误 fałsz sai yanlış خطأ गलत 거짓",
    "maybe vielleicht peut-être quizás tal_vez talvez forse возможно 也许 可能",
)
"""one answer in many languages, the words of one line after the other"""
_TRUTH = _PARTICLES[2:4]
_INITIALS = {"y": "yes", "n": "no", "t": "true", "f": "false"}
_MEANING = {
    spelled(word.replace("_", " ")): line for line in _PARTICLES for word in line.split(" ")
}
_NONE = re.compile(
    r"\b(?:none|no (?:(?:mental|psychiatric|cognitive) )?(?:diagnosis|disorders?|answer|conditions?|distortions?)"
    r"|not listed|neither|ninguna|aucune?|keine|nessun[ao]|nenhum[ao])\b"
)
_UNKNOWN = re.compile(
    r"\b(?:(?:can(?:not|'t| not)|could not|not) (?:be )?(?:determin|answer|know|tell|sa[iy])\w*"
    r"|(?:not enough|insufficient|no) (?:info\w*|evidence|detail|context|data)|undetermined"
    r"|unanswerable|indeterminate|ambiguous|not (?:known|answerable)|keine angabe|nicht bestimmbar"
    r"|un(?:known|bekannt|certain)|not ?mentioned|no se (?:sabe|puede) ?\w*|on ne (?:peut|sait) pas|não se sabe)\b"
)
"""how a member says that it cannot be known"""
_OPPOSED = ("un", "in", "im", "ir", "il", "non", "non ", "not ", "no ", "dis", "ab")
_LATEX = (
    (re.compile(r"\\(?:text|mathrm|mathbf|textbf|mbox|operatorname)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\[dt]frac"), r"\\frac"),
    (re.compile(r"\\frac\s*(\w)\s*(\w)"), r"\\frac{\1}{\2}"),
    (re.compile(r"\\(?:left|right|displaystyle|[,;:! ()\[\]])|[$~]|\^\\?circ|°"), ""),
    (re.compile(r"(?<=\d),(?=\d{3}(?!\d))"), ""),
    (re.compile(r"\\sqrt\s*(?:\{(\w+)\}|(\w))"), "\N{SQUARE ROOT}\\1\\2"),
    (re.compile(r"\\pi(?![a-z])"), "\N{GREEK SMALL LETTER PI}"),
)
_MATHS = re.compile(r"[\\$°]|\d,\d")
_STOP = words_of(
    "the a an of to in for and or is are be by with on at as it its this that their from you your"
    " we they he she his her"
)
_DENIALS = words_of("not never nicht pas non no")
"""what says the contrary of a member that has none of it"""
_CYRILLIC = re.compile(r"[а-яё]{4}", re.IGNORECASE)
_SHORT = re.compile(r"[A-Z]{3,6}")
_SHORT_FOR = re.compile(r"[*_]*\s*\(([A-Z]{2,6})\)")
_BELOW_ZERO = ("minus ", "negative ")
_LEAST_INITIAL, _MOST_INITIALS, _LEAST_PROSE = 3, 6, 3
_MEANS, _PAIR, _STEM, _ENOUGH, _ROMAN_MOST = 2, 2, 5, 0.5, 3
"""words that tell an option in other words from another"""


class Named(NamedTuple):
    """One place where a member of the set is named; positions are those of the folded text."""

    start: int
    end: int
    label: str


def written(text: str) -> str:
    r"""Return a value as it is compared: without the marks of mathematics, spaces and full stop.

    Examples
    --------
    >>> written(r" $\dfrac{1}{2}$. "), written("1,200")
    ('\\frac{1}{2}', '1200')
    """
    if _MATHS.search(text):
        for pattern, by in _LATEX:
            text = pattern.sub(by, text)
    text = text.replace("\N{MINUS SIGN}", "-").replace("²", "^2").replace("³", "^3")
    text = text.replace("\\%", "%")
    return "".join(text.split()).strip("*_`\"'.,;:").lower()


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """A closed set, its members by the ways to name them."""

    letters: Mapping[str, str]
    particles: Mapping[str, str]
    """yes, no, true, false, maybe in any language"""
    values: Mapping[str, str]
    """every name as it is written in an answer that is nothing else"""
    names: Wider
    """all other names; the label of each is in `owner`"""
    owner: Mapping[str, str]
    none: str | None
    """the member that says that no other one applies"""
    meant: tuple[tuple[frozenset[str], str], ...]
    """the words of longer names"""
    inflected: tuple[tuple[str, re.Pattern[str], str], ...] = ()
    """Cyrillic names in any case, what an abbreviation stands for, after its letters, own words"""
    initials: Mapping[str, str] = field(default_factory=dict)
    """what names of three words or more are shortened to, where that is one member"""
    parts: Mapping[str, str] = field(default_factory=dict)
    """words that occur in one option only"""
    unknown: str | None = None
    """the member that says that it cannot be known"""
    opposites: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """of two members of which one is the other denied: the word, its member, the other one"""
    stems: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """how the words of an option begin"""
    contrary: Mapping[str, str] = field(default_factory=dict)
    """members of which one is the other denied, by either"""
    asked: Mapping[str, str] = field(default_factory=dict)
    """yes and no where the set asks for one thing: that it is there, and that it is not"""

    @classmethod
    def of(cls, labels: LabelSet) -> Choices:
        """Sort the names of a set."""
        return _sorted(labels)

    def named(self, given: Folded) -> list[Named]:
        """List where a text names members by name, in order; letters and particles are not here."""
        found, owner, text = self.names.mentions_in(given), self.owner, given.text
        below = any(each in given.level for each in _BELOW_ZERO)
        named = [
            Named(start, end, owner[label])
            for label, _, start, end, _ in found
            if not (text.startswith(("-", " ", "/"), end) and qualifies(given, start, end))
            and not (below and given.level.endswith(_BELOW_ZERO, 0, start))
        ]
        named = _with_cases(given, named, self.inflected) if self.inflected else named
        named = by_degrees(named, given.level, owner) if named else named
        words = given.words
        if self.contrary and may_turn(given.level, words):
            named = [*turned(named, given.level, self.contrary)]
        if named and all(map(str.isdigit, owner)):
            named = without_scale(named, given.level, owner, text)
        known = {each: label for each, label in self.initials.items() if each.lower() in words}
        if "(" in given.text and (other := redefined(given.text, named, owner)):
            known = {each: label for each, label in known.items() if each not in other}
            meant = [(*n[:2], other.get(given.text[n.start : n.end], n.label)) for n in named]
            named = [Named(start, end, label) for start, end, label in meant if label]
        if known or "(" in given.text:
            return _with_abbreviations(given.text, named, known)
        return named

    def text_of(self, letter: str) -> str | None:
        """Return the text of an option; None where there is no such letter."""
        label = self.letters.get(letter)
        texts = (name for name, owner in self.owner.items() if owner == label and name != letter)
        return None if label is None else next(texts, "")

    def by_initial(self, said: str) -> str | None:
        """Return what a letter by itself says where yes and no, or true and false, are asked."""
        return self.particles.get(_INITIALS.get(said.strip(" *_\"'()[].").lower(), ""))

    def option_of(self, label: str) -> str:
        """Return the text of a member, which is the longest of its names."""
        return max((name for name, owner in self.owner.items() if owner == label), key=len)

    def repeated(self, said: str) -> str | None:
        """Return the option whose letter is written again and again: "CCCCC", but not "III"."""
        return self.letters.get(said[0]) if len(said) > _ROMAN_MOST and len({*said}) == 1 else None

    def in_other_words(self, words: frozenset[str]) -> str | None:
        """Return the one member whose words are all among these, or hold them all."""
        content = words - _STOP
        found = {
            label
            for own, label in self.meant
            if (own <= content or (len(content) >= _MEANS and content <= own))
            and not _DENIALS & (content - own)
        }
        part = self.parts.get(min(content)) if len(content) == 1 else None
        return found.pop() if len(found) == 1 else part

    def in_full(self, sentence: str) -> str | None:
        """Return the one member all of whose words a sentence has, in any order."""
        words = frozenset(re.findall(r"[^\W_]+", sentence))
        found = {label: own for own, label in self.meant if own <= words}
        return min(found) if len(found) == 1 else None

    def nearest(self, words: Iterable[str]) -> str | None:
        """Return the option that has most of its own words among these; None without a clear one.

        A word that several options have says the less the more have it.
        """
        there = {word[:_STEM] for word in words}
        shared = Counter(each for own in self.stems.values() for each in own)
        marks = sorted(
            (
                sum(1 / shared[each] for each in own & there)
                / sum(1 / shared[each] for each in own),
                label,
            )
            for label, own in self.stems.items()
            if own
        )
        if len(marks) < _PAIR or marks[-1][0] < _ENOUGH or marks[-2][0] > marks[-1][0] / 2:
            whole = [label for label, own in self.stems.items() if own and own <= there]
            several = len(whole) == 1 and len(self.stems[whole[0]]) > _PAIR
            return whole[0] if several else None
        return marks[-1][1]


@lru_cache(maxsize=64)  # every reading of a question needs the same
def _sorted(labels: LabelSet) -> Choices:
    letters, particles, rest = dict[str, str](), dict[str, str](), list[Label]()
    more, named = _other_forms(labels), own_names(labels)
    for label, own in named.items():
        letters |= {each.upper(): label for each in own if _is_letter(each)}
        for line in {_MEANING[spelled(n)] for n in own if spelled(n) in _MEANING}:
            particles = {n: label for n in _MEANING if _MEANING[n] == line} | particles
        names = [n for n in own if not _is_letter(n) and spelled(n) not in _MEANING]
        if names:
            rest.append(Label(names[0], (*names[1:], *more.get(label, ()))))
    particles = _said_of_truth(particles) if len(named) == _PAIR else particles
    owner = {each: label for label, own in named.items() for each in own}
    prose = _is_prose(named)
    return Choices(
        letters,
        particles,
        _values(owner, more, alone=not letters),
        Wider.of(LabelSet(tuple(rest)) if letters or particles or more else labels, labels),
        owner,
        next((owner[each] for each in owner if _NONE.search(spelled(each))), None),
        tuple(_meant(owner)),
        (*_inflected(owner), *(() if letters else (*by_own_word(owner), *without_any(owner)))),
        _single_owned((short, owner[each]) for each in owner for short in _initials(each)),
        _single_owned(_words_of_options(owner)) if letters or prose else {},
        next((owner[each] for each in owner if _UNKNOWN.search(spelled(each))), _neutral(owner)),
        _opposites_of_options(owner, letters)
        if letters
        else _opposites([label.name for label in labels.labels], particles),
        _stems(owner) if letters or prose else {},
        contraries(owner),
        {} if letters or particles else _asked([label.name for label in labels.labels]),
    )


def _asked(names: list[str]) -> dict[str, str]:
    """Return what yes and no say of a set that asks for one thing, by the words for them."""
    pair = of_one(names)
    lines = zip(_PARTICLES, pair or (), strict=False)
    return {spelled(word): label for line, label in lines for word in line.split(" ")}


def _values(
    owner: dict[str, str], more: dict[str, tuple[str, ...]], *, alone: bool
) -> dict[str, str]:
    """Return what a member may be written as where nothing else is: names, amounts, initials."""
    formed = {form: name for name, forms in more.items() for form in forms}
    pairs = [(pair, owner[name]) for name in owner for pair in pair_initials(name) if alone]
    own = _single_owned((each, owner[name]) for name in owner for each in _bare(name))
    names = reversed((owner | formed).items())
    return _single_owned(pairs) | own | {written(n): label for n, label in names if written(n)}


def _neutral(owner: Mapping[str, str]) -> str | None:
    """Return the member "neutral" where the others are that something follows, or is denied."""
    names = {spelled(each): label for each, label in owner.items()}
    follows = any(each.startswith("entail") for each in names)
    denied = any(each.startswith("contradict") for each in names)
    return names.get("neutral") if follows and denied else None


def _said_of_truth(particles: dict[str, str]) -> dict[str, str]:
    """Add "yes" for the member "true" of two, and "no" for "false"."""
    found = dict(particles)
    for one, other in ((2, 0), (3, 1)):
        label = particles.get(_PARTICLES[one].split()[0])
        if label is not None:
            same = (word for word, line in _MEANING.items() if line == _PARTICLES[other])
            found = dict.fromkeys(same, label) | found
    return found


def _any_case(name: str) -> re.Pattern[str]:
    """Return a pattern for a Cyrillic name whose words may end otherwise."""
    words = (re.escape(each[: -min(2, len(each) // 3)] or each) for each in spelled(name).split())
    return re.compile(r"(?<!\w)" + r"\w{0,3} +".join(words) + r"\w{0,3}(?!\w)")


def _inflected(owner: Mapping[str, str]) -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Yield Cyrillic names, and abbreviations of what is nowhere spelled out."""
    spelled_out = {owner[each] for each in owner if " " in each}
    for each, label in owner.items():
        if _CYRILLIC.search(each):
            yield "", _any_case(each), label
        if _SHORT.fullmatch(each) and label not in spelled_out:
            yield each.lower(), _in_full(each), label


def _in_full(short: str) -> re.Pattern[str]:
    """Return a pattern for the words that an abbreviation stands for.

    Examples
    --------
    >>> _in_full("ADHD").search("attention deficit hyperactivity disorder").span()
    (0, 40)
    """
    first, others = short[0].lower(), short[1:].lower()
    # The letter stands first, so that the search can jump from one to the next.
    words = (rf"{first}(?<!\w{first})\w{{3,}}", *(rf"{each}\w{{3,}}" for each in others))
    return re.compile(r"[ /-]+(?:of |and |the )?".join(words) + r"(?!\w)")


def _with_cases(
    given: Folded, named: list[Named], inflected: Iterable[tuple[str, re.Pattern[str], str]]
) -> list[Named]:
    """Add where a text has a name in another case, or words that begin with its letters."""
    taken, initials = {each.start for each in named}, given.initials
    # Words that an abbreviation stands for follow each other; a Cyrillic name has no letters here.
    for _, pattern, label in [each for each in inflected if each[0] in initials]:
        for found in pattern.finditer(given.level):
            if found.start() not in taken:
                named.append(Named(*found.span(), label))
                taken.add(found.start())
    return sorted(named)


def _with_abbreviations(text: str, named: list[Named], initials: Mapping[str, str]) -> list[Named]:
    """Add where a text uses initials, or an abbreviation that it puts in brackets after a name."""
    owners: dict[str, set[str]] = {}
    for each in named:
        short = _SHORT_FOR.match(text, each.end)
        if short:
            owners.setdefault(short[1], set()).add(each.label)
    own = {short: labels.pop() for short, labels in owners.items() if len(labels) == 1}
    known = {**initials, **own}
    if not known:
        return named
    taken = {each.end for each in named}
    used = re.finditer(rf"(?<![\w(])(?:{'|'.join(known)})(?!\w|-\d)", text)
    more = [Named(*each.span(), known[each.group()]) for each in used if each.end() not in taken]
    return sorted((*named, *more))


def _initials(name: str) -> Iterator[str]:
    """Yield the initials of a name of three words or more, as texts shorten it.

    Examples
    --------
    >>> [*_initials("Post-Traumatic Stress Disorder")], [*_initials("Bipolar I Disorder")]
    (['PTSD'], [])
    """
    words = re.findall(r"[^\W\d_]+", name.partition("(")[0])
    long = all(len(each) >= _LEAST_INITIAL and each.lower() not in _STOP for each in words)
    if long and _LEAST_INITIAL <= len(words) <= _MOST_INITIALS and name.isascii():
        yield "".join(each[0] for each in words).upper()


def _words_of_options(owner: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the longer words of options, each with its option."""
    for name, label in owner.items():
        for word in re.findall(r"[^\W\d_]{4,}", spelled(name)):
            if word not in _STOP:
                yield word, label


def _single_owned(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what belongs to one label only."""
    owners: dict[str, set[str]] = {}
    for each, label in pairs:
        owners.setdefault(each, set()).add(label)
    return {each: min(labels) for each, labels in owners.items() if len(labels) == 1}


def _bare(name: str) -> Iterator[str]:
    """Yield the number of a name with what it counts, and what it says that x is."""
    yield from amount(name)
    left, equals, right = name.partition("=")
    if equals and len(left.strip(" $\\(")) == 1 and "=" not in right:
        yield written(right)


def _opposites(names: list[str], particles: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return the words of two members of which one denies the other.

    Examples
    --------
    >>> _opposites(["relevant", "irrelevant"], {})["relevant"]
    ('relevant', 'irrelevant')
    """
    if len(names) != _PAIR:
        return {}
    one, other = map(spelled, names)
    words = {each: particles[each] for each in particles if _MEANING[each] in _TRUTH}
    for prefix in _OPPOSED:
        if one in {prefix + other, other[len(prefix) :] if other.startswith(prefix) else ""}:
            words |= {one: names[0], other: names[1]}
    for said, denied in ((0, 1), (1, 0)):
        before, without, after = spelled(names[denied]).partition(" not ")
        if without and f"{before} {after}" == spelled(names[said]):
            words[after] = names[said]
    return {
        word: (label, names[1] if label == names[0] else names[0])
        for word, label in words.items()
        if label in names
    }


def _opposites_of_options(
    owner: Mapping[str, str], letters: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Return the same of the texts of two options, with their letters."""
    texts = {name: label for name, label in owner.items() if name not in letters}
    found = _opposites([*texts], {})
    return {word: (texts[one], texts[other]) for word, (one, other) in found.items()}


def _is_prose(named: Iterable[str]) -> bool:
    """Say whether all members are sentences, of which texts repeat a part.

    Examples
    --------
    >>> _is_prose(["I keep the goat.", "I sell the goat."]), _is_prose(["Fear of the dark"])
    (True, False)
    """
    words = [frozenset(spelled(each).split()) for each in named]
    return len(words) > 1 and all(
        len(each) >= _LEAST_PROSE and not each.isdisjoint(_STOP) for each in words
    )


def _stems(owner: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return how the longer words of each option begin."""
    found: dict[str, set[str]] = {}
    for name, label in owner.items():
        words = re.findall(r"[^\W_]{4,}", spelled(name))
        found.setdefault(label, set()).update(each[:_STEM] for each in words if each not in _STOP)
    return {label: frozenset(own) for label, own in found.items()}


def _is_letter(name: str) -> bool:
    return len(name) == 1 and name.isascii() and name.isalpha()


def _other_forms(labels: LabelSet) -> dict[str, tuple[str, ...]]:
    """Return the verbs by which texts name a label, where no other label has them."""
    found: dict[str, set[str]] = {}
    for label in labels.labels:
        for form in {
            f
            for name in label.names
            for f in (*forms_of(name), *denials(name, labels), *denied_by_key(name, labels))
        }:
            if labels.named(form) is None:
                found.setdefault(form, set()).add(label.name)
    owners = Counter(spelled(form) for form in found)
    forms: dict[str, tuple[str, ...]] = {}
    for form in sorted(found):
        if len(found[form]) == 1 and owners[spelled(form)] == 1:
            (name,) = found[form]
            forms[name] = (*forms.get(name, ()), form)
    return forms


def _meant(owner: Mapping[str, str]) -> Iterator[tuple[frozenset[str], str]]:
    for name, label in owner.items():
        words = frozenset(re.findall(r"[^\W_]+", spelled(name))) - _STOP
        if len(words) >= _MEANS:
            yield words, label
