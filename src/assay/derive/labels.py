"""Which labels of a closed set a text names, and where.

Texts and labels are compared in any case, with hyphens, strokes, underscores, emphasis marks and
line ends as spaces. A name counts as a whole word or words unless plain substrings are asked for,
and then also in the plural, in British and American spelling, and by what stands in its brackets;
where one name lies inside another, the longer one counts. A name without letters, such as -3,
counts as it is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from string import ascii_uppercase

from assay import _kernels as kernels
from assay._kernels.literal_form import Literals, Place
from assay.derive import patterns as re
from assay.derive.clauses import kind_of_mention
from assay.derive.mentions import (
    Boundaries,
    Cues,
    Folded,
    Mention,
    Phrase,
    fold,
    folded,
)
from assay.errors import UsageError
from assay.showing import quoted

__all__ = ["Boundaries", "Label", "LabelSet", "Mention", "spelled"]


@dataclass(frozen=True, slots=True)
class Label:
    """One label and the other names under which it appears."""

    name: str
    aliases: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return all names, the label itself first."""
        return (self.name, *self.aliases, *self.abbreviations)

    def may_be_in(self, text: str) -> bool:
        """Say whether a text could name it as words: where not, no search is needed.

        Examples
        --------
        >>> Label("PTSD").may_be_in("a long text"), Label("PTSD").may_be_in("of the ptsd kind")
        (False, True)
        """
        lower = text.lower()
        return not text.isascii() or any(word in lower for word in _longest_words(self.names))


@lru_cache(maxsize=4096)
def _longest_words(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(Phrase.of(name).rare for name in names if folded(name).strip())


_NEGATIVE = re.compile(
    r"\s*\$?\s*[-\N{MINUS SIGN}]\s*[\w\\({]|\s*\$?\s*[A-Za-z]\s*=\s*[-\N{MINUS SIGN}\d]"
)
"""how a formula with a minus before it begins, or what one letter equals"""


@lru_cache(maxsize=4096)  # each is asked for in several places
def spelled(name: str) -> str:
    """Return a name as it is looked up: folded, with single spaces; as written without letters.

    Examples
    --------
    >>> spelled(" Post-Traumatic  Stress "), spelled("-3")
    ('post traumatic stress', '-3')
    """
    if _is_signs(name):
        return "".join(name.split()).replace(_MINUS, "-")
    return " ".join(folded(name).replace("/", " ").split())


@lru_cache(maxsize=4096)
def _is_signs(name: str) -> bool:
    """Say whether a name has no letters or is a negative term: its signs tell it from others."""
    signs = not any(map(str.isalpha, name)) or _NEGATIVE.match(name) is not None
    return signs and bool(folded(name).strip())


@dataclass(frozen=True, slots=True)
class _Form:
    """One name of one label."""

    label: str
    name: str
    phrase: Phrase
    signs: bool

    @classmethod
    def of(cls, label: str, name: str) -> _Form:
        """Prepare a name."""
        return cls(label, name, Phrase.of(name), _is_signs(name))

    @property
    def is_literal(self) -> bool:
        """Say whether it stands where its literal does in a text with single spaces."""
        phrase = self.phrase
        spaced = " " in phrase.literal
        alike = len(phrase.words) > 1 if spaced else phrase.of_one_word
        long = len(self.name) > 1 and len(phrase.literal) > 1
        return long and alike and phrase.written == phrase.source and not self.signs

    def places(self, text: Folded, boundaries: Boundaries) -> Iterable[tuple[int, int]]:
        """Return where the name stands."""
        if boundaries != "words":
            return self.phrase.places(text, boundaries=boundaries)
        if self.signs:
            return self._written(text.text.replace(_MINUS, "-"))
        return self.phrase.places(text) if len(self.name) > 1 else self._letters(text)

    def _letters(self, text: Folded) -> Iterator[tuple[int, int]]:
        """Yield where a letter stands by itself; as written it is rarer than in any case."""
        at = text.text.find(self.name)
        while at >= 0:
            if self.phrase.stands_at(text.level, at, at + 1) and self._is_letter(text, at):
                yield at, at + 1
            at = text.text.find(self.name, at + 1)

    def _written(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where a name without letters stands, and is no part of a number or word."""
        name = self.name.strip().replace(_MINUS, "-")
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            before, after = text[max(0, at - 2) : at], text[end : end + 2]
            inside = name[0].isalpha() and before[-1:].isalnum()
            inside = inside or bool(name[0] in _BEGINS and _NUMBER_BEFORE.search(before))
            if not inside and not (name[-1].isdigit() and _NUMBER_AFTER.match(after)):
                yield at, end
            at = text.find(name, end)

    def _is_letter(self, text: Folded, at: int) -> bool:
        """Tell the label A from the article: same case, and no word after an A."""
        after = text.plain[at + 1 : at + 3]
        return not (self.name in _WORDS_OF_ONE_LETTER and after[:1] == " " and after[1:].isalnum())


_WORDS_OF_ONE_LETTER = frozenset("AaIiOoYyEeÀà")
_MINUS = "\N{MINUS SIGN}"
_BEGINS = frozenset("-0123456789")
"""how a number begins"""
_NUMBER_BEFORE = re.compile(r"[A-Za-z0-9]$|[0-9][.,]$|(?:^|[^\w)\]])-$")
_NUMBER_AFTER = re.compile(r"[A-Za-z0-9]|[.,/][0-9]")
_SPELLINGS = (
    *(("isation", "ization"), ("ising", "izing"), ("ised", "ized"), ("viour", "vior")),
    *(("umour", "umor"), ("colour", "color"), ("haem", "hem"), ("aemi", "emi")),
    *(("oedema", "edema"), ("oesoph", "esoph"), ("oestr", "estr"), ("paed", "ped")),
    *(("rrhoea", "rrhea"), ("gynaec", "gynec"), ("foet", "fet"), ("coel", "cel")),
    *(("fibre", "fiber"), ("centre", "center")),
)
"""British and American"""
_BRACKETED = re.compile(r"\s*\(([^()]*)\)\s*$")
_LEAST_PLURAL = 4
"""letters of a word that is also looked for in the plural"""
_UNCHANGED = frozenset({"news", "lens", "means", "series", "species", "always", "perhaps"})
"""words that end like a plural and are none"""


@dataclass(frozen=True, slots=True, eq=False)
class _Together:
    """Forms that stand where their literals do, which one pass finds."""

    forms: tuple[_Form, ...]
    n_given: int
    """how many of them are names as they were given, which come first"""
    literals: Literals

    @classmethod
    def of(cls, given: Iterable[_Form], more: Iterable[_Form]) -> _Together:
        """Take what is a literal."""
        names, others = ([form for form in forms if form.is_literal] for forms in (given, more))
        phrases = [form.phrase for form in (*names, *others)]
        literals = Literals([each.literal for each in phrases], [each.edges for each in phrases])
        return cls((*names, *others), len(names), literals)

    def places(
        self, given: Folded, boundaries: Boundaries, *, alone: bool
    ) -> list[tuple[int, int, _Form]]:
        """List where the forms stand as words; or the names anywhere, with no stroke in them.

        Where nothing else is looked for (`alone`), what lies within others may be left out.
        """
        places = self._places(given)
        if boundaries == "words":
            single = given.single
            found = [each for each in places if not each[3] or self._stands(single, *each)]
        else:
            found = [each for each in places if each[2] < self.n_given]
        strokes = boundaries != "words" and "/" in given.plain
        found = _outermost(found) if alone and not strokes else found
        spans = given.spaced([each[:2] for each in found])
        forms = [self.forms[each[2]] for each in found]
        listed = [(*span, form) for span, form in zip(spans, forms, strict=True)]
        return [each for each in listed if not strokes or given.plain.find("/", *each[:2]) < 0]

    def _stands(self, single: str, start: int, end: int, which: int, glued: int) -> bool:
        """Say whether a form stands as words where that is a question."""
        return glued < 0 and self.forms[which].phrase.stands_at(single, start, end)

    def anywhere_alike(self, given: Folded) -> bool:
        """Say whether all places are of names as they were given, as words and without strokes."""
        names = [each for each in self._places(given) if each[3] or each[2] >= self.n_given]
        return not names and "/" not in given.plain

    def _places(self, given: Folded) -> list[Place]:
        places: list[Place] = given.once(
            "together", self, lambda: kernels.literal_places(given.single, self.literals)
        )
        return places


def _outermost(places: list[Place]) -> list[Place]:
    """Return what `_longest` does of places that are in order."""
    kept: list[Place] = []
    last = 0
    for each in places:
        if each[0] >= last:
            kept.append(each)
        elif each[0] == kept[-1][0]:
            kept[-1] = each
        last = kept[-1][1]
    return kept


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A closed set of labels, ready to be found in texts."""

    labels: tuple[Label, ...]
    _together: _Together = field(init=False, repr=False, compare=False)
    """the forms that are looked for in one pass"""
    _forms: tuple[_Form, ...] = field(init=False, repr=False, compare=False)
    """names as they were given that are looked for one by one"""
    _by_word: dict[str, list[_Form]] = field(init=False, repr=False, compare=False)
    """all forms looked for one by one, by a word of theirs; those without one by the empty one"""
    _by_name: dict[str, Label] = field(init=False, repr=False, compare=False)
    order: Mapping[str, int] = field(init=False, repr=False, compare=False)
    """the place of every label"""
    _telling: frozenset[str] = field(init=False, repr=False, compare=False)
    """the words by which forms are found"""

    def __post_init__(self) -> None:
        """Prepare the search, and refuse a name that two labels claim."""
        owners: dict[str, Label] = {}
        forms: list[_Form] = []
        for label in self.labels:
            for name in label.names:
                key = spelled(name)
                if not key:
                    msg = f"label {quoted(label.name)} has an empty name"
                    raise UsageError(msg, hint="every label and alias needs at least one sign")
                if key not in owners:
                    forms.append(_Form.of(label.name, name))
                owner = owners.setdefault(key, label)
                if owner is not label and spelled(owner.name) == spelled(label.name):
                    msg = f"the label {quoted(label.name)} stands there twice"
                    raise UsageError(msg, hint="once is enough, in any spelling")
                if owner is not label:
                    both = f"{quoted(owner.name)} and {quoted(label.name)}"
                    msg = f"{quoted(name)} is a name of two labels, {both}"
                    raise UsageError(msg, hint="an alias must belong to one label")
        more = _more_names(self.labels, owners)
        by_word: dict[str, list[_Form]] = {}
        every = [*forms, *(_Form.of(label.name, key) for key, label in more.items())]
        together = _Together.of(forms, every[len(forms) :])
        forms, every = ([each for each in some if not each.is_literal] for some in (forms, every))
        for form, word in zip(every, _telling(every), strict=True):
            by_word.setdefault("" if form.signs else word, []).append(form)
        order = {label.name: place for place, label in enumerate(self.labels)}
        object.__setattr__(self, "order", order)
        object.__setattr__(self, "_together", together)
        object.__setattr__(self, "_forms", tuple(forms))
        object.__setattr__(self, "_telling", frozenset(by_word))
        object.__setattr__(self, "_by_word", by_word)
        object.__setattr__(self, "_by_name", more | owners)

    @classmethod
    def of(cls, names: Iterable[str], *, known: Sequence[Label] = ()) -> LabelSet:
        """Make a set of names in their order; a known label of the same name gives its others.

        Examples
        --------
        >>> LabelSet.of(["flu", "Flu", "cold"], known=[Label("Flu", aliases=("grippe",))]).labels
        (Label(name='flu', aliases=('grippe',), abbreviations=()),
         Label(name='cold', aliases=(), abbreviations=()))
        """
        by_name = {spelled(label.name): label for label in known}
        labels: dict[str, Label] = {}
        for name in names:
            key = spelled(name)
            if key and key not in labels:
                other = by_name.get(key)
                labels[key] = replace(other, name=name) if other else Label(name)
        return cls(tuple(labels.values()))

    @classmethod
    def of_options(cls, options: Mapping[str, str] | Sequence[str]) -> LabelSet:
        """Make a set of the options of one question: letter and text both name an option.

        A list has the letters A, B, C ... A text that two options share names neither.

        Examples
        --------
        >>> [each.names for each in LabelSet.of_options(["-3", "3"]).labels]
        [('A', '-3'), ('B', '3')]
        """
        listed = (
            {}
            if isinstance(options, Mapping)
            else dict(zip(ascii_uppercase, options, strict=False))
        )
        given = options if isinstance(options, Mapping) else listed
        texts = Counter(map(spelled, given.values()))
        letters = {spelled(letter) for letter in given}
        return cls(
            tuple(
                Label(letter, (text,) if texts[key] == 1 and key and key not in letters else ())
                for letter, text in given.items()
                for key in [spelled(text)]
            )
        )

    def named(self, name: str) -> Label | None:
        """Return the label that has this name, in any spelling; None if there is none."""
        return self._by_name.get(spelled(name))

    def mentions(
        self, text: str, *, boundaries: Boundaries = "words", cues: Cues | None = None
    ) -> tuple[Mention, ...]:
        """List where a text names labels, in order; with cues, say which are taken back.

        Examples
        --------
        >>> labels = LabelSet((Label("bipolar disorder", ("bipolar",)), Label("bipolar II")))
        >>> [each.label for each in labels.mentions("Bipolar-II, not bipolarity")]
        ['bipolar II']
        """
        return self.mentions_in(fold(text), boundaries=boundaries, cues=cues)

    def mentions_in(
        self,
        given: Folded,
        *,
        boundaries: Boundaries = "words",
        cues: Cues | None = None,
        least: int = 1,
    ) -> tuple[Mention, ...]:
        """List where a text that is folded already names labels, by names of some signs at least.

        A name of one sign is never in the way of a longer one.
        """
        what = boundaries if least == 1 else f"{boundaries}, {least}"
        found = given.once(what, self, lambda: self._found(given, boundaries, least))
        present = cues.within(given) if cues and found else None
        if present is None:
            return found
        return tuple(
            each if kind == "asserted" else each._replace(kind=kind)
            for each in found
            for kind in [kind_of_mention(given, each.start, each.end, present)]
        )

    def _found(self, given: Folded, boundaries: Boundaries, least: int) -> tuple[Mention, ...]:
        found = self._together.places(given, boundaries, alone=not self._by_word)
        if self._by_word:
            found += [
                (start, end, form)
                for form in self._candidates(given, boundaries, least)
                for start, end in form.places(given, boundaries)
            ]
        if self._by_word or "/" in given.plain:
            found = _longest(found)
        return tuple(
            [Mention(f.label, given.text[start:end], start, end) for start, end, f in found]
        )

    @property
    def literals(self) -> dict[str, str] | None:
        """Labels by their names as those are looked for; None where some are looked for alone."""
        forms = self._together.forms
        return None if self._by_word else {each.phrase.literal: each.label for each in forms}

    def stands_anywhere_alike(self, given: Folded) -> bool:
        """Say whether it is seen at once that plain substrings are the same mentions as words."""
        return not self._by_word and self._together.anywhere_alike(given)

    def _candidates(self, text: Folded, boundaries: Boundaries, least: int) -> list[_Form]:
        """Return the forms of some signs at least that may be there, of those looked for alone."""
        if boundaries != "words":
            long = [form for form in self._forms if len(form.phrase.literal) >= least]
            # A name of nothing but strokes is no part of a text without them.
            literals = ((form, form.phrase.literal) for form in long)
            return [form for form, each in literals if each in text.single or "/" in each]
        # A name can only be there if its words are among those of the text.
        has, by_word, single = text.words.issuperset, self._by_word, text.single
        forms = chain.from_iterable(by_word.get(word, ()) for word in text.words & self._telling)
        found = [form for form in forms if has(form.phrase.words)]
        found += [form for form in by_word.get("", ()) if form.phrase.literal in single]
        return [form for form in found if len(form.phrase.literal) >= least]


def _longest(found: list[tuple[int, int, _Form]]) -> list[tuple[int, int, _Form]]:
    """Return the longest of places that begin together, and none that begins within another."""
    kept, last = [], 0
    for each in sorted(found, key=lambda one: (one[0], -one[1])):
        if each[0] >= last:
            kept.append(each)
            last = each[1]
    return kept


def _telling(forms: Sequence[_Form]) -> list[str]:
    """Return the word of each form that fewest others have, a longer one if there is one."""
    shared = Counter(chain.from_iterable(form.phrase.words for form in forms))

    def worth(word: str) -> tuple[bool, int, int, str]:
        return len(word) >= _LEAST_PLURAL, -shared[word], len(word), word

    return [max(form.phrase.words, key=worth, default="") for form in forms]


def _more_names(labels: Iterable[Label], taken: Mapping[str, Label]) -> dict[str, Label]:
    """Return the other spellings of names that belong to one label, and are no name already."""
    owners: dict[str, Label | None] = {}
    for label in labels:
        for name in label.names:
            for key in map(spelled, _variants(name)):
                known = owners.setdefault(key, label)
                if known is not label:
                    owners[key] = None
    return {
        key: label
        for key, label in owners.items()
        if label is not None and key and key not in taken
    }


def _variants(name: str) -> Iterator[str]:
    """Yield other spellings of a name: without its brackets, British, American, in the plural.

    Examples
    --------
    >>> sorted(_variants("Generalized tumors"))
    ['generalised tumour', 'generalised tumours', 'generalized tumor', 'generalized tumors']
    """
    if _is_signs(name):
        return
    if (bare := name.rstrip(" .;,")) != name and bare:
        yield bare
        yield from _variants(bare)
    bracketed = _BRACKETED.search(name)
    if bracketed and bracketed.start():
        yield name[: bracketed.start()]
        yield from _variants(name[: bracketed.start()])
        if bracketed[1].isupper() and len(bracketed[1]) > 1:
            yield bracketed[1]
    british = american = spelled(name)
    for one, other in _SPELLINGS:
        american = american.replace(one, other)
    for one, other in _SPELLINGS:
        british = british.replace(one, other).replace(other, one)
    for spelling in dict.fromkeys((american, british)):
        yield spelling
        yield _other_number(spelling)
        if spelling.endswith("ia"):
            yield from (f"{spelling[:-1]}{ending}" for ending in ("on", "um"))


def _other_number(name: str) -> str:
    """Return the plural of a name, or the singular of a plural."""
    word = name.rpartition(" ")[2]
    if len(word) < _LEAST_PLURAL or not (word.isascii() and word.isalpha()) or word in _UNCHANGED:
        return name
    if word.endswith("is"):
        return f"{name[:-2]}es"
    if word.endswith("s") and not word.endswith(("ss", "us")):
        return f"{name[:-3]}y" if word.endswith("ies") else name[:-1]
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if word.endswith(("ss", "us", "x", "ch", "sh")) else f"{name}s"
