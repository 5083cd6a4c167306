"""What a text says of a hypothesis without naming a member: it follows, it cannot be true.

Only for sets that hold what follows from a premise and what contradicts it.
"""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from collections.abc import Iterable

from assay.derive import patterns as re
from assay.derive.choices import Choices
from assay.derive.naming import Announcement, Passage
from assay.derive.wordings import words_of

_HYPOTHESIS = r"(?:hypothesis|conclusion|second (?:sentence|statement)|statement|claim)"
_DENIED = re.compile(
    rf"(?<!\w)(?:cannot|can't|could not|couldn't) (?:both|be both|all be|be true|hold)(?!\w)|(?<!\w){_HYPOTHESIS} (?:\w+ ){{0,2}}?(?:conflicts with|goes against|is (?:\w+ly )?(?:false|impossible|incompatible|inconsistent|ruled out|excluded))(?!\w)"
    rf"|(?<!\w)(?:mutually exclusive|rules out the {_HYPOTHESIS})(?!\w)"
)
_OPEN = re.compile(
    rf"(?<!\w)(?:may|might|could) or (?:may|might|could) not(?!\w)|(?<!\w)(?:does not|doesn't|need not) (?:\w+ly )?follow(?!\w)|(?<!\w){_HYPOTHESIS} (?:is|can be) neither(?!\w)"
)
_FOLLOWS = re.compile(
    rf"(?<!\w){_HYPOTHESIS} (?:(?:\w+ly |then |therefore |thus |also |must |does )*follows?|must (?:\w+ )?(?:be true|hold)|is (?:\w+ )?(?:true|implied|guaranteed|warranted|supported)|can (?:\w+ )?be (?:inferred|concluded|deduced|derived))(?!\w)"
    rf"|(?<!\w)premise (?:\w+ly )?(?:implies|guarantees|supports|confirms) (?:the|that)(?!\w)"
)
_FOLLOWS_NOT = re.compile(r"(?:not|non|no)[ _-]?entail")
_NOT_ONE, _TWO = re.compile(r"\W*(?:not|no) (?:an? )?"), 2
_SUPPOSED = re.compile(r"(?<!\w)(?:if|whether|when|unless|not)(?!\w)|n't(?!\w)")
_STEM = 5
_PAIRS = words_of(
    """
    acute/chronic primary/secondary left/right systolic/diastolic increased/decreased upper/lower
    anterior/posterior medial/lateral positive/negative benign/malignant proximal/distal
    internal/external maximum/minimum maternal/paternal arterial/venous direct/indirect
    superior/inferior ventral/dorsal northern/southern eastern/western ascending/descending
    active/passive stable/unstable larger/smaller greater/lesser hyper/hypot
    """
)
_CONTRARIES = tuple(tuple(each[:_STEM] for each in pair.split("/")) for pair in sorted(_PAIRS))
"""words of which one is the contrary of the other, by how they begin"""
_ENDING = re.compile(r"([a-z]{4,}?)(?:astic|asm|ion|ity|ful|fulness)")


def inferred(passage: Passage) -> Announcement | None:
    """Return what the last sentence says of a hypothesis, or the first one.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["entailment", "neutral", "contradiction"]))
    >>> inferred(Passage(fold("So the two cannot both be true."), choices)).answer
    'contradiction'
    """
    follows, between, denied = _members(passage.choices)
    if follows is None or denied is None or passage.names:
        return None
    level = passage.given.level
    end = len(level.rstrip(" .!*\"')"))
    last, first = passage.sentence_start(end), passage.sentence_end(0)
    for start, stop in ((last, end), (0, first)):
        for pattern, label in ((_OPEN, between), (_DENIED, denied), (_FOLLOWS, follows)):
            said = pattern.search(level, start, stop)
            asked = level[stop : stop + 1] == "?" or (said and _unsure(level, start, said))
            if said and label and not asked:
                return Announcement(*said.span(), "answered", label, "inferred")
    return None


def _unsure(level: str, start: int, said: re.Match[str]) -> bool:
    start = max(start, level.rfind(", so ", start, said.start()))
    return _SUPPOSED.search(level, start, said.start()) is not None


def _members(choices: Choices) -> tuple[str | None, str | None, str | None]:
    """Return the members for what follows, for neither, and for what is contradicted."""
    names = {name.lower(): label for name, label in choices.owner.items()}
    found = [
        next((names[each] for each in names if each.startswith(begin)), None)
        for begin in ("entail", "neutral", "contradict")
    ]
    no = next((names[each] for each in names if _FOLLOWS_NOT.match(each)), None)
    return found[0], found[1] or no, found[2] or no


def akin(passage: Passage) -> list[re.Match[str]]:
    """Return where a text has words like those of opposite members, as "depressed" is."""
    stems = {stem for each in passage.choices.opposites if (stem := _stem(each))}
    return (
        [*re.finditer(rf"(?<!\w)(?:{'|'.join(stems)})\w{{2,6}}", passage.given.level)]
        if stems
        else []
    )


def of_kin(word: str, passage: Passage) -> tuple[str, str]:
    """Return the member that has a word like this one, and the other."""
    opposites = passage.choices.opposites
    return next(
        opposites[each] for each in opposites if (stem := _stem(each)) and word.startswith(stem)
    )


def _stem(word: str) -> str | None:
    """Return what words of one meaning have in common, where that is long enough.

    Examples
    --------
    >>> _stem("sarcasm"), _stem("sarcastic"), _stem("depression"), _stem("true")
    ('sarc', 'sarc', 'depress', None)
    """
    found = _ENDING.fullmatch(word)
    return found[1] if found else None


def says_the_contrary(words: Iterable[str], own: frozenset[str]) -> bool:
    """Say whether words have the contrary of what a member is called, as chronic is of acute.

    Examples
    --------
    >>> says_the_contrary(["chronic", "pancreatitis"], frozenset({"acute", "pancr"}))
    True
    """
    begin = {each[:_STEM] for each in words}
    contrary = (
        (begin & {one}, own & {other}) for pair in _CONTRARIES for one, other in (pair, pair[::-1])
    )
    return any(said and called for said, called in contrary) and not begin >= own


def other_of_two(passage: Passage) -> Announcement | None:
    """Return the one of two members that a text means which says that it is not the other."""
    members, named = {*passage.choices.owner.values()}, passage.names
    denied = _NOT_ONE.match(passage.given.level) if len(members) == _TWO else None
    if denied is None or len(named) != 1 or named[0].start != denied.end():
        return None
    if passage.choices.letters or passage.text[named[0].end :].strip(" .!*_\"'"):
        return None
    (other,) = members - {named[0].label}
    return Announcement(0, named[0].end, "answered", other, "opposite")
