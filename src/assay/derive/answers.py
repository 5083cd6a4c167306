"""What a text answers, and whether that is right.

Reading an answer never sees what would be right: `read_answer` takes a text and conventions, and
`is_correct` compares afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.clauses import kind_of_mention, sentence_of
from assay.derive.labels import LabelSet, spelled
from assay.derive.mentions import (
    Boundaries,
    Folded,
    Mention,
    fold,
    holds_any,
)
from assay.derive.naming import State
from assay.derive.refusals import (
    RefusalHit,
    RefusalRules,
    in_refusal,
    reference_refusal,
    refused_by,
    unquoted,
)
from assay.derive.text import has_words, split_thought

Reading = Literal["announced", "closed-set", "literal", "heuristic"]
"""How an answer is read from a text; see `read_answer`."""
Outcome = Literal["answered", "refused", "failed"]
RefusalOrder = Literal["refusal-first", "reference"]
"""Whether a refusal is looked for before a last line counts as an answer, or only after."""
Mentions = Literal["all", "asserted"]
"""Whether a label counts that the text denies or only weighs."""
Several = Literal["longest", "first", "last"]
"""Which label counts where a text names several."""

NO_OUTPUT = "NO_OUTPUT"
EXTRACTION_FAILED = "EXTRACTION_FAILED"
NONE = "None"
"""the answer of a text that says that no label applies"""
OUTCOMES: Mapping[State, Outcome] = MappingProxyType(
    {
        "answered": "answered",
        "none": "answered",
        "outside": "answered",
        "refused": "refused",
        "undecided": "failed",
        "failed": "failed",
    }
)
"""what the states of the announced reading are for accuracies and rates"""
_NOTHING_SAID = ("no_output", "only_thought")
_TAGS = ("diagnosis", "answer", "conclusion", "diagnose", "diagnostic")
_MARKS = " \t*_\u00a0\u202f"
"""what may stand between a tag and its colon"""
_BEFORE_COLON = frozenset(_MARKS).union(*({tag[-1], tag[-1].upper()} for tag in (*_TAGS, "retenu")))
_ANNOUNCED = " \t\r\n*_\u00a0"
"""what may stand around an answer"""
_TAG_WORDS, _LINE_WORDS, _TAG_REACH = 20, 15, 40


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """The conventions by which answers are read."""

    rules: RefusalRules
    labels: LabelSet = field(default_factory=lambda: LabelSet(()))
    reading: Reading = "closed-set"
    boundaries: Boundaries = "words"
    mentions: Mentions = "all"
    several: Several = "longest"
    refusal_order: RefusalOrder = "refusal-first"
    choices: Choices | None = field(init=False, repr=False, compare=False)
    """the labels by the ways to name them, for what is announced"""

    def __post_init__(self) -> None:
        """Sort the names of the labels once, for all texts."""
        needed = self.reading == "announced"
        object.__setattr__(self, "choices", Choices.of(self.labels) if needed else None)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was read from one text."""

    outcome: Outcome
    answer: str | None
    """None unless answered"""
    method: str
    """how it was found, or why not"""
    rule: str | None = None
    """the rule by which the text refuses"""
    mentions: tuple[Mention, ...] = ()
    """every label the text names, where labels were looked for"""
    state: State | None = None
    """what the text does, where it was read for what it announces"""
    span: tuple[int, int] | None = None
    """the characters of the text that gave the answer, there"""

    @property
    def shown(self) -> str:
        """Return the answer, or the word that stands for none in files."""
        if self.answer is not None:
            return self.answer
        return NO_OUTPUT if self.method in _NOTHING_SAID else EXTRACTION_FAILED


def read_answer(text: str, how: ReadingRules, *, least: int = 1) -> Answer:
    """Read the answer of one text.

    ``announced`` takes the last answer that is announced, else the last label that is asserted in
    a text that is finished. ``literal`` takes the whole text as it is. ``closed-set`` looks for
    labels in what is said outside think blocks, and falls back on the heuristic. ``heuristic``
    takes what follows a tag such as "Diagnosis:", or a short last line. A text that refuses has no
    answer. Where refusals come first, names of fewer signs than `least` do not count.

    Examples
    --------
    >>> labels = LabelSet.of(["Panic disorder", "PTSD"])
    >>> read_answer(
    ...     "<think>PTSD?</think>It is panic disorder.", ReadingRules(RefusalRules(()), labels)
    ... )
    Answer(outcome='answered', answer='Panic disorder', method='closed_set_match', ...)
    """
    if how.reading == "announced":
        return announced_answer(text, how)
    if how.reading == "literal":
        said = bool(text.strip())
        return Answer("answered", text, "literal") if said else Answer("failed", None, "no_output")
    if how.refusal_order == "reference":
        return _reference(text, how)
    given = spoken(text)
    if not given.text:
        return Answer("failed", None, "only_thought" if text.strip() else "no_output")
    hits = how.rules.hits(given)
    cues = how.rules.cues if how.mentions == "asserted" else None
    mentions = how.labels.mentions_in(given, boundaries=how.boundaries, cues=cues, least=least)
    meant = _meant(given, mentions, how)
    if meant and how.reading == "closed-set":
        return _of_closed_set(meant, mentions, how)
    # Where a label is meant, a phrase of refusal is a hedge or a disclaimer.
    return _heuristic(given, None if meant else hits, mentions, how)


def line_in(given: Folded) -> Answer:
    r"""Read what a tag or a short last line says, whatever labels and refusals there are.

    Examples
    --------
    >>> line_in(fold("Low mood for weeks.\nDiagnosis: GAD")).answer
    'GAD'
    """
    return _heuristic(given, None, (), _LINES)


def announced_answer(text: str, how: ReadingRules, *, limited: bool = False) -> Answer:
    """Read the answer that a text announces; `limited` says that a limit of length ended it.

    Examples
    --------
    >>> how = ReadingRules(RefusalRules(()), LabelSet.of(["GAD", "PTSD"]), "announced")
    >>> announced_answer("GAD was considered. Diagnosis: PTSD", how).answer
    'PTSD'
    >>> announced_answer("GAD is likely, but we should", how, limited=True).method
    'cut_off'
    """
    found = read_announced(text, how.choices or Choices.of(how.labels), how.rules, limited=limited)
    return Answer(
        OUTCOMES[found.state],
        NONE if found.state == "none" else found.answer,
        found.rule.replace(" ", "_"),
        found.refusal,
        state=found.state,
        span=found.span,
    )


@lru_cache(maxsize=2)  # the readings of one text follow each other
def spoken(text: str) -> Folded:
    """Return what is said outside think blocks, ready to be searched.

    Examples
    --------
    >>> spoken("<think>GAD?</think>PTSD").text
    'PTSD'
    """
    return fold(_spoken(text))


def _spoken(text: str) -> str:
    """Return what is said outside think blocks; of one that never ends, what its last tag says."""
    parts = split_thought(text)
    if parts.said or parts.closed or parts.thought is None:
        return parts.said
    tags = [*_tags(parts.thought)]
    return parts.thought[tags[-1].start :] if tags else ""


def _of_closed_set(
    meant: list[Mention], mentions: tuple[Mention, ...], how: ReadingRules
) -> Answer:
    if len({each.label for each in meant}) == 1:
        return Answer("answered", meant[0].label, "closed_set_match", mentions=mentions)
    if how.several == "longest":
        # The longest name as it stands in the text; of equals the first label of the list.
        order, longest = how.labels.order, max(each.end - each.start for each in meant)
        longest_ones = (each for each in meant if each.end - each.start == longest)
        chosen = min(longest_ones, key=lambda each: order[each.label])
    else:
        chosen = meant[0 if how.several == "first" else -1]
    return Answer("answered", chosen.label, f"closed_set_match_{how.several}", mentions=mentions)


def in_other_order(given: Folded, found: Answer, how: ReadingRules) -> Answer:
    """Choose by `how` among several labels that count in an answer already.

    Examples
    --------
    >>> from dataclasses import replace
    >>> how = ReadingRules(RefusalRules(()), LabelSet.of(["GAD", "PTSD"]), several="first")
    >>> given = fold("GAD or PTSD")
    >>> in_other_order(given, read_answer(given.text, replace(how, several="last")), how).answer
    'GAD'
    """
    if how.refusal_order == "reference":
        return _of_closed_set(list(found.mentions), found.mentions, how)
    return _of_closed_set(_meant(given, found.mentions, how), found.mentions, how)


def _meant(given: Folded, mentions: tuple[Mention, ...], how: ReadingRules) -> list[Mention]:
    """Return what is asserted, and not in a clause that refuses."""
    hits = how.rules.hits(given)
    return [
        each
        for each in mentions
        if each.kind == "asserted" and not (hits and in_refusal(each, hits, given, how.rules))
    ]


def still_meant(given: Folded, found: Answer, how: ReadingRules) -> bool:
    """Say whether what counts where all labels do is asserted, and so counts again by `how`.

    Where this cannot be seen from the longest mention alone, the answer is no.

    Examples
    --------
    >>> from assay.derive.mentions import Cues
    >>> rules = RefusalRules((), Cues(negations=("no sign of",)))
    >>> how = ReadingRules(rules, LabelSet.of(["GAD", "PTSD"]))
    >>> [
    ...     still_meant(t, read_answer(t.text, how), how)
    ...     for t in map(fold, ["GAD", "no sign of GAD"])
    ... ]
    [True, False]
    """
    cues = how.rules.cues.within(given)
    if cues is None:
        return True
    own = [each for each in found.mentions if each.label == found.answer]
    if not own or how.several != "longest" or how.rules.hits(given):
        return False
    longest = max(each.end - each.start for each in own)
    return any(
        kind_of_mention(given, each.start, each.end, cues) == "asserted"
        for each in own
        if each.end - each.start == longest
    )


def _heuristic(
    given: Folded, hits: list[RefusalHit] | None, mentions: tuple[Mention, ...], how: ReadingRules
) -> Answer:
    """Take what a tag announces, else see whether the text refuses, else take the last line.

    Without hits nothing is a refusal: a label is meant.
    """
    prefix, failed = _METHODS[how.reading]
    tagged = _after_tag(given.text)
    if tagged is not None and not _refuses(tagged, hits, how.rules):
        return Answer("answered", tagged.text, f"{prefix}tag", mentions=mentions)
    rule = refused_by(given, hits, how.rules) if hits else None
    if rule is not None:
        return Answer("refused", None, "refusal", rule, mentions)
    line = _last_line(given.text)
    if line is not None and not _refuses(line, hits, how.rules):
        return Answer("answered", line.text, f"{prefix}last_line", mentions=mentions)
    return Answer("failed", None, failed, mentions=mentions)


def _refuses(line: _Line, hits: list[RefusalHit] | None, rules: RefusalRules) -> bool:
    """Say whether the first sentence of a line that might be an answer refuses."""
    if hits is None:
        return False
    sentence = sentence_of(line.text)
    last = line.start + len(sentence)
    return any(line.start <= each.start < last for each in hits) or holds_any(
        unquoted(sentence), rules.blocking
    )


_METHODS = {
    "closed-set": ("heuristic_fallback_", "closed_set_no_match"),
    "heuristic": ("heuristic_", "heuristic_no_match"),
}


_LINES = ReadingRules(RefusalRules(()), reading="heuristic")


class _Tag(NamedTuple):
    start: int
    end: int
    earlier: str
    """the word before it, by which a tag may be final or differential"""


class _Line(NamedTuple):
    start: int
    text: str


def _tags(text: str) -> Iterator[_Tag]:
    """Yield where a tag such as "Diagnosis:" announces an answer."""
    text = text.replace("\N{FULLWIDTH COLON}", ":")
    colon = text.find(":")
    while colon >= 0:
        if text[colon - 1] in _BEFORE_COLON:
            yield from _tag_before(text, colon)
        colon = text.find(":", colon + 1)


def _tag_before(text: str, colon: int) -> Iterator[_Tag]:
    first = max(0, colon - _TAG_REACH)
    before = text[first:colon].rstrip(_MARKS).lower()
    words = [word.lstrip("*_#(") for word in before.split()]
    if len(words) > 1 and words[-1] == "retenu":
        del words[-1]
    if words and words[-1] in _TAGS:
        yield _Tag(first + before.rfind(words[-1]), colon + 1, words[-2] if words[1:] else "")


def _after_tag(text: str) -> _Line | None:
    """Return what a tag announces: the final one if there is one, else the first."""
    tags = [each for each in _tags(text) if each.earlier != "differential"]
    final = [each for each in tags if each.earlier == "final"]
    for tag in (final or tags)[:1]:
        rest = text[tag.end :].lstrip(_ANNOUNCED)
        line = rest.partition("\n")[0].rstrip(_ANNOUNCED).rstrip(".").rstrip(_ANNOUNCED)
        if line and not has_words(line, _TAG_WORDS):
            return _Line(len(text) - len(rest), line)
    return None


def tagged_answer(text: str) -> str | None:
    """Return what a tag such as "Diagnosis:" announces, in fewer than 20 words; None without one.

    Examples
    --------
    >>> tagged_answer("REASONING: low mood. **Final diagnosis:** Depression.")
    'Depression'
    """
    found = _after_tag(text)
    return None if found is None else found.text


def _last_line(text: str) -> _Line | None:
    """Return the last line with text, if it is short."""
    line = text.rstrip().rpartition("\n")[2].strip()
    if has_words(line, _LINE_WORDS):
        return None
    return _Line(text.rindex(line), line.rstrip("."))


def _reference(text: str, how: ReadingRules) -> Answer:
    """Read a text in the order of the reference program: refusals only where nothing was found."""
    said = split_thought(text, think="reference").said
    if not said:
        return Answer("refused", None, "no_output", "empty")
    mentions = _reference_mentions(said, how)
    if how.reading == "closed-set" and mentions:
        return _of_closed_set(list(mentions), mentions, how)
    prefix, failed = _METHODS[how.reading]
    if (tagged := _after_plain_tag(said)) is not None:
        return Answer("answered", tagged, f"{prefix}tag", mentions=mentions)
    line = _last_line(said)
    if line is not None:
        return Answer("answered", line.text, f"{prefix}last_line", mentions=mentions)
    rule = reference_refusal(fold(said), how.rules)
    if rule is not None:
        return Answer("refused", None, "refusal", rule, mentions)
    return Answer("failed", None, failed, mentions=mentions)


def _reference_mentions(said: str, how: ReadingRules) -> tuple[Mention, ...]:
    """List where a text names labels by their own names, any part of a word, hyphens as spaces."""
    if how.boundaries != "substring":
        return how.labels.mentions_in(fold(said), boundaries=how.boundaries)
    plain, found = said.lower().replace("-", " "), []
    for label in how.labels.labels:
        name = label.name.strip().lower().replace("-", " ")
        at = plain.find(name)
        while at >= 0:
            found.append(Mention(label.name, label.name, at, at + len(name)))
            at = plain.find(name, at + len(name))
    return tuple(sorted(found, key=lambda each: each.start))


_PLAIN_TAG = re.compile(r"diagnosis[ \t*_]*:[\s*_]*([^\n]*)", re.IGNORECASE | re.ASCII)


def _after_plain_tag(text: str) -> str | None:
    """Return what the first "diagnosis:" announces, in fewer than 20 words; None without one."""
    found = _PLAIN_TAG.search(text)
    line = found[1].rstrip(_ANNOUNCED).rstrip(".").rstrip(_ANNOUNCED) if found else ""
    return line if line and not has_words(line, _TAG_WORDS) else None


def stored_answer(answer: str | None, *, refused: bool, method: str = "stored") -> Answer:
    """Take an answer that was extracted before.

    Examples
    --------
    >>> stored_answer("EXTRACTION_FAILED", refused=False).outcome
    'failed'
    """
    if refused:
        return Answer("refused", None, method)
    if not answer or answer in {NO_OUTPUT, EXTRACTION_FAILED}:
        return Answer("failed", None, method)
    return Answer("answered", answer, method)


def is_correct(
    answer: str, gold: str, labels: LabelSet, *, boundaries: Boundaries = "words"
) -> bool:
    """Say whether an answer names the gold label, or one of its other names.

    A name inside a longer one is not named: "bipolar II" is not "bipolar" where the set has both.
    Of plain substrings every one counts. An empty gold label would be in every text and is never
    right.

    Examples
    --------
    >>> from assay.derive.labels import Label
    >>> labels = LabelSet((Label("Generalized anxiety disorder", abbreviations=("GAD",)),))
    >>> gold = "generalized anxiety disorder"
    >>> is_correct("Most likely GAD", gold, labels), is_correct("gadgets", gold, labels)
    (True, False)
    >>> is_correct("gadgets", gold, labels, boundaries="substring")
    True
    """
    label = labels.named(gold)
    if label is not None and boundaries == "words":
        # Most answers do not hold any of the names, and that is quickly seen.
        return holds_any(answer, label.names) and any(
            each.label == label.name for each in labels.mentions(answer)
        )
    same = label is not None and (
        label.name.strip().lower() == gold.strip().lower()
        if boundaries == "verbatim"
        else spelled(label.name) == spelled(gold)
    )
    return holds_any(answer, label.names if label and same else (gold,), boundaries=boundaries)
