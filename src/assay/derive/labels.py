"""Which labels of a closed set a text names, and where.

Texts and labels are compared in any case, with hyphens, underscores, emphasis marks and line ends
as spaces. A name counts as a whole word or words unless plain substrings are asked for; where one
name lies inside another, the longer one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from assay.derive.mentions import (
    Boundaries,
    Cues,
    Folded,
    Mention,
    Phrase,
    fold,
    folded,
    kind_of_mention,
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


def spelled(name: str) -> str:
    """Return a name as it is looked up: folded, with single spaces.

    Examples
    --------
    >>> spelled(" Post-Traumatic  Stress ")
    'post traumatic stress'
    """
    return " ".join(folded(name).split())


@dataclass(frozen=True, slots=True)
class _Form:
    """One name of one label."""

    label: str
    name: str
    phrase: Phrase

    def places(self, text: Folded, boundaries: Boundaries) -> Iterator[tuple[int, int]]:
        """Yield where the name stands."""
        if boundaries != "words":
            yield from self.phrase.places(text, boundaries=boundaries)
            return
        for start, end in self.phrase.places(text):
            if len(self.name) > 1 or self._is_letter(text, start):
                yield start, end

    def _is_letter(self, text: Folded, at: int) -> bool:
        """Tell the label A from the article: same case, and no word after an A."""
        if text.text[at] != self.name:
            return False
        after = text.plain[at + 1 : at + 3]
        return not (self.name in _WORDS_OF_ONE_LETTER and after[:1] == " " and after[1:].isalnum())


_WORDS_OF_ONE_LETTER = frozenset("AaIiOoYyEeÀà")


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A closed set of labels, ready to be found in texts."""

    labels: tuple[Label, ...]
    _forms: tuple[_Form, ...] = field(init=False, repr=False, compare=False)
    _by_word: dict[str, list[_Form]] = field(init=False, repr=False, compare=False)
    """the forms by their longest word; those without a word under the empty one"""
    _by_name: dict[str, Label] = field(init=False, repr=False, compare=False)

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
                    forms.append(_Form(label.name, name, Phrase.of(name)))
                owner = owners.setdefault(key, label)
                if owner is not label:
                    both = f"{quoted(owner.name)} and {quoted(label.name)}"
                    msg = f"{quoted(name)} is a name of two labels, {both}"
                    raise UsageError(msg, hint="an alias must belong to one label")
        by_word: dict[str, list[_Form]] = {}
        for form in forms:
            by_word.setdefault(form.phrase.rare, []).append(form)
        object.__setattr__(self, "_forms", tuple(forms))
        object.__setattr__(self, "_by_word", by_word)
        object.__setattr__(self, "_by_name", owners)

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
        self, given: Folded, *, boundaries: Boundaries = "words", cues: Cues | None = None
    ) -> tuple[Mention, ...]:
        """List where a text that is folded already names labels."""
        found = [
            (start, end, form)
            for form in self._candidates(given, boundaries)
            for start, end in form.places(given, boundaries)
        ]
        found.sort(key=lambda each: (each[0], -each[1]))
        present = cues.within(given) if cues and found else None
        kept: list[Mention] = []
        last = 0
        for start, end, form in found:
            if start >= last:
                kind = kind_of_mention(given, start, end, present) if present else "asserted"
                kept.append(Mention(form.label, given.text[start:end], start, end, kind))
                last = end
        return tuple(kept)

    def _candidates(self, text: Folded, boundaries: Boundaries) -> Iterable[_Form]:
        if boundaries != "words":
            return self._forms
        # A name can only be there if its longest word is one of the words of the text.
        there = [*(self._by_word.keys() & text.words), ""]
        forms = chain.from_iterable(self._by_word.get(word, ()) for word in there)
        return (form for form in forms if form.phrase.may_be_in(text))
