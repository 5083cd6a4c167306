"""Whether a text refuses to answer: rules are data, the judgement is here.

A refusal says that no answer will be given. A disclaimer after an answer, a refusal that somebody
is quoted with, and a hedge before an answer are none.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from assay.derive import patterns as re
from assay.derive.clauses import CLAUSE_AFTER, CLAUSE_BEFORE, clause_end, clause_start
from assay.derive.mentions import (
    Cues,
    Folded,
    Mention,
    Phrase,
    fold,
    folded,
)
from assay.derive.text import has_words
from assay.errors import UsageError
from assay.showing import quoted

Strength = Literal["hard", "soft"]
"""Whether a phrase refuses (hard), or only sends elsewhere (soft)."""

MOST_WITHIN = 20
_MOST_HITS = 32
"""no clause holds more of them that differ"""
# No quotation may hold its own opening mark: a text of opening marks must not be searched twice.
# Every kind begins with a sign of its own, so that the search can jump from one to the next; the
# last is a line that begins with ">".
_QUOTED = re.compile(
    r"```.*?```|\"[^\"\n]*\"|“[^“”\n]*”|«[^«»\n]*»|„[^„“”\n]*[“”]|>(?<![^\n]>)[^\n]*",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class RefusalRule:
    """Phrases that refuse, perhaps only when another phrase follows within some words."""

    name: str
    strength: Strength
    language: str
    phrases: tuple[str, ...]
    then: tuple[str, ...] = ()
    within: int = 6
    """how many words may stand between the phrase and what follows it"""

    def check(self) -> None:
        """Refuse what would match nothing or everything."""
        for phrase in (*self.phrases, *self.then):
            if not any(map(str.isalnum, phrase)):
                msg = f"the refusal rule {quoted(self.name)} has a phrase without a word"
                msg = f"{msg}, {quoted(phrase)}"
                raise UsageError(msg, hint="a phrase is found by its words")
        if not 0 <= self.within <= MOST_WITHIN:
            msg = (
                f"`within` of the refusal rule {quoted(self.name)} must be from 0 to {MOST_WITHIN}"
            )
            raise UsageError(f"{msg}, found {self.within}", hint="it counts words")


@dataclass(frozen=True, slots=True)
class RefusalRules:
    """All rules, and the numbers of the judgement."""

    rules: tuple[RefusalRule, ...]
    cues: Cues = field(default_factory=Cues)
    tags: tuple[str, ...] = ("diagnosis:", "final diagnosis")
    """text that says that an answer follows"""
    markers: tuple[str, ...] = ()
    """beginnings of words that show clinical content"""
    disorders: tuple[str, ...] = ()
    """what to name is no refusal for the reference, unless it has said before that it cannot"""
    blocking: tuple[str, ...] = ("cannot", "can't", "consult", "seek")
    """words by which a short answer is none, in the order of the reference"""
    n_markers: int = 2
    content_words: int = 40
    hard_characters: int = 300
    long_characters: int = 500
    soft_characters: int = 400
    soft_words: int = 50
    more: tuple[RefusalRule, ...] = ()
    """rules that only the reading of announced answers knows"""
    _all: dict[str, list[tuple[RefusalRule, Phrase]]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """by their longest word, with those of `more`"""
    _telling: frozenset[str] = field(init=False, repr=False, compare=False)
    """these words"""
    _late: set[str] = field(init=False, repr=False, compare=False, default_factory=set)
    """the names of those of `more`"""

    def __post_init__(self) -> None:
        """Prepare the search."""
        for name in ("tags", "markers", "disorders", "blocking"):
            if not all(each.strip() for each in getattr(self, name)):
                msg = f"`{name}` of the refusal rules holds an empty text"
                raise UsageError(msg, hint="an empty text would be found everywhere")
        names = {rule.name for rule in self.rules}
        for rule in (*self.rules, *self.more):
            rule.check()
            for written in rule.phrases:
                phrase = Phrase.of(written, then=rule.then, within=rule.within)
                self._all.setdefault(phrase.rare, []).append((rule, phrase))
        object.__setattr__(self, "_telling", frozenset(self._all))
        for rule in self.more:
            if rule.name in names:
                msg = f"the refusal rule {quoted(rule.name)} stands among `rules` and `more`"
                raise UsageError(msg, hint="give each of them a name of its own")
            self._late.add(rule.name)

    def hits(self, text: Folded, *, more: bool = False) -> list[RefusalHit]:
        """List where the text refuses or sends elsewhere, quotations left out, in order."""
        everything = text.once("refusals", self, lambda: self._hits(text))
        if more or not everything:
            return everything
        return [each for each in everything if each.rule not in self._late]

    def _hits(self, text: Folded) -> list[RefusalHit]:
        quotes = quoted_spans(text.text) if (found := self.anywhere(text)) else []
        return sorted(each for each in found if not _inside(each.start, quotes))

    def anywhere(self, text: Folded) -> list[RefusalHit]:
        """List where a text refuses or sends elsewhere, in quotations too."""
        # Phrases of scripts without spaces have no word to be found by.
        unspaced = () if text.plain.isascii() else ("",)
        has, single = text.words.issuperset, text.single
        return [
            RefusalHit(start, end, rule.name, rule.strength)
            for word in (*(text.words & self._telling), *unspaced)
            for rule, phrase in self._all.get(word, ())
            if has(phrase.words) and phrase.literal in single and phrase.may_be_in(text)
            for start, end in phrase.places(text)
        ]


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Return where a text quotes somebody, or shows code."""
    return [each.span() for each in _QUOTED.finditer(text)]


def _inside(at: int, spans: list[tuple[int, int]]) -> bool:
    place = bisect_left(spans, (at + 1,)) - 1
    return place >= 0 and at < spans[place][1]


class RefusalHit(NamedTuple):
    """One place where a text refuses, and the rule that says so."""

    start: int
    end: int
    rule: str
    strength: Strength


def unquoted(text: str) -> str:
    """Return a text without quotations and code.

    Examples
    --------
    >>> unquoted('He says "I cannot" again')
    'He says  again'
    """
    return _QUOTED.sub("", text)


def refusal_hits(text: str, rules: RefusalRules) -> list[RefusalHit]:
    """List where a text refuses or sends elsewhere.

    Examples
    --------
    >>> rule = RefusalRule("first person", "hard", "en", ("I cannot",), then=("diagnose",))
    >>> refusal_hits("Sorry, I cannot responsibly diagnose you.", RefusalRules((rule,)))
    [RefusalHit(start=7, end=36, rule='first person', strength='hard')]
    """
    return rules.hits(fold(text))


def in_refusal(mention: Mention, hits: list[RefusalHit], text: Folded, rules: RefusalRules) -> bool:
    """Say whether a mention belongs to a clause that refuses.

    That is a clause that refuses or sends elsewhere before the mention, or refuses after it.
    """
    at = bisect_left(hits, (mention.start - CLAUSE_BEFORE,))
    if at == len(hits) or hits[at].start >= mention.end + CLAUSE_AFTER:
        return False
    first = clause_start(text, mention.start, rules.cues.contrasts)
    last = clause_end(text, mention.end, rules.cues.contrasts)
    at = bisect_left(hits, (first,))
    for hit in hits[at : at + _MOST_HITS]:
        if hit.start < mention.start or (hit.start < last and hit.strength == "hard"):
            return True
    return False


def refused_by(text: Folded, hits: list[RefusalHit], rules: RefusalRules) -> str | None:
    """Return the rule by which a text that answers nothing refuses; None where none does.

    A hard phrase refuses wherever it stands; a soft one in a short text, or near the beginning of
    one without clinical content.
    """
    hard = next((each for each in hits if each.strength == "hard"), None)
    if hard is not None:
        return hard.rule
    return _sent_elsewhere(text, hits, rules)


def _sent_elsewhere(text: Folded, hits: list[RefusalHit], rules: RefusalRules) -> str | None:
    soft = next((each for each in hits if each.strength == "soft"), None)
    if soft is None:
        return None
    short = not has_words(text.text, rules.soft_words)
    near = soft.start < rules.soft_characters
    return soft.rule if short or (near and not has_content(text, rules)) else None


_REDIRECTS = re.compile(
    r"encourag|recommend|suggest|\burge|advi[sc]e|please|you should|talk to|consult|reach out"
    "|resource|happy to|here to|glad to|would be best|psychiatrist|psychologist|doctor|therapist"
    "|professional|clinician|physician|counsel|helpline|hotline|exercise"
    "|coping|grounding|listen|clinic|share with you"
)
_GOES_ON = re.compile(
    r"(?<!\w)(?:but|however|that said|that being said|nevertheless|instead)(?!\w)"
)
_BUT = r"(?<!\w)(?:but|however|though|yet|still|aber|mais|pero|ma|mas|но)(?!\w)"
I_DO_NOT = re.compile(
    r"\W*i(?:'m|'ll)? (?:\w+ )?(?:can't|cannot|won't|will|am|refuse|do|don't|not)(?!\w)"
)
"""what follows a first word of no that declines and answers nothing"""
GOES_ON, _CONTRAST = re.compile(_BUT), re.compile(rf"{_BUT}|[;:]|, (?:and|so)")
"""where a sentence goes on after what it declines, and where it says something else"""
OFFERS = re.compile(r"(?:happy|glad|here) to|i can (?:suggest|offer|help)")
"""how a text that declines offers something else"""
_COMPLIES = re.compile(
    r"\W*(?:sure|certainly|of course|absolutely|here(?:'s| is| are)|i'd be (?:happy|glad) to)(?!\w)"
)
_SENT = re.compile(
    r"(?<!\w)(?:i'm|i am|an ai|important|never|illegal|professional|sorry|diagnos\w+"
    r"|(?:seek|get|find|need|want|with|for) (?:\w+ )?help|help is)(?!\w)"
)
_BUT_HERE = re.compile(
    r",? (?:here (?:is|are)|here's|i can (?:offer|give|share|suggest"
    r"|(?:provide|create|write|show)(?: you)?(?: with)?(?: \w+){0,3}"
    r" (?:ideas|examples?|samples?|outlines?|drafts?|story|plots?|lists?|code)))(?!\w)"
)
_OPINION = re.compile(
    r"agree|opini|belief| view|stance|(?<!in a )(?<!in the )(?<!in any )position| sides?(?!\w)"
    r"|convi|meinung|ansicht|creencia|avis|crença|мнени"
)
"""who has none, and goes on to tell what others think, has not answered"""
_OBJECT = re.compile(r"(?:(?! but | however)[^.;:!?\n]){0,60}")
"""what a phrase of refusal declines to give"""
_LISTED = re.compile(r"\n[^\S\n]*(?:\d{1,2}[.)]|[-*•])\s")
_NOTED = re.compile(r"(?<!\w)(?:note|disclaimer|in mind)(?!\w)[^.\n]*$")
_OPENING, _ENDING, _NOTE, _SHORT, _REST = 300, 500, 60, 90, 25
_FEW_BEFORE, _FEW_WORDS, _SEVERAL = 8, 15, 2
_NEEDLESS = ("no need to ", " not need to ", "n't need to ")


def declined_by(text: Folded, rules: RefusalRules, *, strength: Strength = "hard") -> str | None:
    """Return the rule by which a text declines; None where it does not.

    A phrase of refusal declines where a text opens or ends with it, or in a short text; not
    where the sentence goes on with "but" and the task is done. Soft phrases only send elsewhere.

    Examples
    --------
    >>> rules = RefusalRules((RefusalRule("can't", "hard", "en", ("I can't help",)),))
    >>> declined_by(fold("I can't help with that."), rules)
    "can't"
    """
    short = not has_words(text.text, _SHORT)
    listed = strength == "soft" and len(_LISTED.findall(text.text)) > 1
    for each in rules.hits(text, more=True) if not listed else ():
        at_edge = each.start < _OPENING or _ends_with(text, each)
        declines = each.strength == strength and (short or at_edge)
        done = _in_case(text, each) if strength == "soft" else does_the_task(text, each)
        if declines and not done:
            return each.rule
    return None


def is_declined(text: Folded, rules: RefusalRules, start: int, at: int) -> bool:
    """Say whether what stands at a place is part of what its sentence declines.

    Examples
    --------
    >>> rules = RefusalRules((RefusalRule("can't", "hard", "en", ("I can't help",)),))
    >>> is_declined(fold("I can't help with fraud."), rules, 0, 18)
    True
    """
    hits = (each for each in rules.hits(text, more=True) if start <= each.start < at)
    return any(not _CONTRAST.search(text.plain, each.end, at) for each in hits)


def _in_case(text: Folded, hit: RefusalHit) -> bool:
    """Say whether a text sends nowhere, or only in a case that it supposes after all it says."""
    stop = max(text.plain.rfind(sign, 0, hit.start) for sign in (". ", "! ", "? ")) + 2
    return text.plain.endswith(_NEEDLESS, 0, hit.start) or (
        stop > 1
        and has_words(text.text[:stop], _FEW_WORDS)
        and not _SENT.search(text.plain, 0, stop)
    )


def _ends_with(text: Folded, hit: RefusalHit) -> bool:
    """Say whether a text ends with a refusal that is no note beside an answer."""
    if hit.start < len(text.plain) - _ENDING:
        return False
    return _NOTED.search(text.plain, max(0, hit.start - _NOTE), hit.start) is None


def does_the_task(text: Folded, hit: RefusalHit, rest: int = _REST) -> bool:
    """Say whether a text refuses one thing and does the task before it or goes on with it."""
    complies = _COMPLIES.match(text.plain)
    if complies and (
        has_words(text.text[hit.end :], _REST)
        or has_words(text.text[complies.end() : hit.start], _FEW_BEFORE)
    ):
        return True
    goes_on = _GOES_ON.search(text.plain, hit.end, hit.end + 200)
    object_ends = _OBJECT.match(text.plain, hit.end).end()  # type: ignore[union-attr]  # may be empty
    if not goes_on or _OPINION.search(text.plain, hit.start, object_ends):
        return False
    if len(_LISTED.findall(text.text, 0, hit.start)) > 1:
        return True
    if _BUT_HERE.match(text.plain, goes_on.end()):
        listed = len(_LISTED.findall(text.text, goes_on.end())) > _SEVERAL
        return listed or has_words(text.text[goes_on.end() :], min(rest, _FEW_WORDS))
    stop = text.text.find(". ", goes_on.end(), goes_on.end() + 100)
    if _REDIRECTS.search(text.plain, goes_on.start(), goes_on.end() + 100 if stop < 0 else stop):
        return False
    return has_words(text.text[goes_on.end() :], rest)


def has_content(text: Folded, rules: RefusalRules) -> bool:
    """Say whether a text has clinical content: enough words, a tag, or enough markers.

    Examples
    --------
    >>> has_content(fold("Mood: low. Diagnosis: open"), RefusalRules(()))
    True
    """
    if has_words(text.text, rules.content_words):
        return True
    if any(tag in text.plain for tag in map(folded, rules.tags)):
        return True
    stems = [folded(each) for each in rules.markers]
    found = sum(any(word.startswith(stem) for word in text.words) for stem in stems)
    return found >= rules.n_markers


_CANNOT = ("i cannot", "i can't", "i am unable", "as an ai")


def reference_refusal(text: Folded, rules: RefusalRules) -> str | None:
    """Return the rule by which the reference program would call a text a refusal.

    It asks only where nothing was extracted, and knows no quotations.
    """
    places = [text.plain.find(folded(each)) for each in rules.disorders]
    named = min((place for place in places if place >= 0), default=None)
    if named is not None and not any(each in text.plain[:named] for each in _CANNOT):
        return None
    own = {each.name for each in rules.rules}
    hits = sorted(each for each in rules.anywhere(text) if each.rule in own)
    near = (each for each in hits if each.end <= rules.hard_characters)
    first = next((each for each in near if each.strength == "hard"), None)
    if first is not None:
        rest = fold(text.text[rules.hard_characters :])
        if len(text.text) <= rules.long_characters or not has_content(rest, rules):
            return first.rule
    return _sent_elsewhere(text, hits, rules)
