"""What a text says of a hypothesis without naming a member: it follows, it cannot be true.

Only for sets that hold what follows from a premise and what contradicts it.
"""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from collections.abc import Iterable

from assay.derive import patterns as re
from assay.derive.choices import Choices
from assay.derive.findings import REASONS
from assay.derive.naming import Announcement, Passage
from assay.derive.wordings import words_of

_HYPOTHESIS = r"(?:hypothesis|conclusion|second (?:sentence|statement)|statement|claim)"
_GROUND = r"(?:evidence|premises?|passage|text|article|source|document|context|contract|agreement|data|study|first (?:sentence|statement)|sentence 1|which|this|it)"
_AFFIRMS = r"(?:supports?|supported|confirms?|confirmed|entails?|entailed|implies|implied|proves?|proved|proven|follows?|verif(?:y|ies|ied)|affirms?|establish(?:es|ed)?|true)"
_NEGATES = r"(?:refutes?|refuted|contradicts?|contradicted|den(?:y|ies|ied)|disproves?|disproved|disproven|rules? (?:it )?out|ruled out|exclude[sd]?|rejects?|rejected|falsif(?:y|ies|ied)|false)"
_DENIED = re.compile(
    rf"(?<!\w)(?:cannot|can't|could not|couldn't) (?:both|be both|all be|be true|hold)(?!\w)|(?<!\w){_HYPOTHESIS} (?:\w+ ){{0,2}}?(?:conflicts with|goes against|is (?:\w+ly )?(?:false|impossible|incompatible|inconsistent|ruled out|excluded))(?!\w)"
    rf"|(?<!\w)(?:mutually exclusive|rules out the {_HYPOTHESIS})(?!\w)|(?<!\w){_HYPOTHESIS} (?:\w+ ){{0,2}}?is (?:\w+ly |therefore |thus )?(?:incorrect|untrue|wrong|inaccurate|disproved|debunked|contradicted|refuted)(?!\w)"
    rf"|(?<!\w){_GROUND} (?:\w+ly )?(?:contradicts?|refutes?|disproves?|conflicts? with|rebuts?|falsifies|(?:is|are) (?:\w+ly )?(?:inconsistent|incompatible) with) (?:the|this) (?:\w+ )?{_HYPOTHESIS}(?!\w)"
)
_OPEN = re.compile(
    rf"(?<!\w)(?:may|might|could) or (?:may|might|could) not(?!\w)|(?<!\w)(?:does not|doesn't|need not) (?:\w+ly )?follow(?!\w)|(?<!\w){_HYPOTHESIS} (?:(?:is|can be) neither|(?:may|might|could) (?:\w+ )?be (?:true|false))(?!\w)|(?<!\w)not (?:\w+ly )?(?:certain|guaranteed|necessary) that the {_HYPOTHESIS}(?!\w)"
    rf"|(?<!\w){_GROUND} (?:is|are) (?:\w+ly )?(?:irrelevant|unrelated|not (?:relevant|related)) to (?:the|this) {_HYPOTHESIS}(?!\w)"
    rf"|(?<!\w)neither (?:\w+ ){{0,2}}?(?:{_AFFIRMS}(?: \w+){{0,2}} nor (?:\w+ ){{0,2}}?{_NEGATES}|{_NEGATES}(?: \w+){{0,2}} nor (?:\w+ ){{0,2}}?{_AFFIRMS})(?!\w)"
)
"""that something is neither so nor the contrary"""
_FOLLOWS = re.compile(
    rf"(?<!\w){_HYPOTHESIS} (?:(?:\w+ly |then |therefore |thus |also |must |does )*follows?|must (?:\w+ )?(?:be true|hold)|is (?:\w+ )?(?:true|implied|guaranteed|warranted|supported)|can (?:\w+ )?be (?:inferred|concluded|deduced|derived))(?!\w)"
    rf"|(?<!\w){_GROUND} (?:\w+ly )?(?:implies|imply|guarantees?|supports?|confirms?|proves?|backs(?: up)?|entails?|verifies|corroborates?) (?:the|that|this|sentence 2)(?!\w)|(?<!\w){_HYPOTHESIS} is (?:\w+ly |therefore |thus )?(?:correct|accurate|verified|confirmed)(?!\w)"
)
_FOLLOWS_NOT = re.compile(r"(?:not|non|no)[ _-]?entail")
_BETWEEN = re.compile(r"neutral|mixed|neither|uncertain|unclear|inconclusive|undecided|both")
"""what a member between two others is called"""
_WORD, _LONG = re.compile(r"[^\W_]{4,}"), 200
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
_EXCLUDE = tuple(
    {*each.split("/")}
    for each in words_of(
        """
        positive/negative safe/vulnerable secure/vulnerable benign/vulnerable benign/malicious benign/malignant spam/ham
        real/fake genuine/fake guilty/innocent faithful/hallucinated pass/fail passed/failed human/machine human/ai
        subjective/objective literal/figurative literal/metaphorical clean/toxic clean/vulnerable
        accept/reject approve/reject include/exclude granted/denied affirmed/reversed
        """
    )
)
"""members of which something is one or the other"""
_DENIES = re.compile(
    r"(?:(?<!\w)(?:not|cannot|never|hardly|far from)|n't)(?: (?!only|just|but|and)\w+){0,4} $"
)
_ENDING = re.compile(
    r"(?P<stem>[a-z]{4,}?)(?:astic|asm|ion|(?<!bil)ity|ful|fulness)|(?P<can>[a-z]{3,}[ai]b)(?:le|ility)"
    r"|(?P<state>[a-z]{4,}?)(?:ent|ant)|(?P<done>[a-z]{4,}?)ed"
)


_UP = r"(?:ris(?:e|es|en|ing)|rose|increas(?:e|es|ed|ing)|go(?:es|ing)? up|went up|grow(?:s|ing)?|grew|climb(?:s|ed|ing)?)"
_DOWN = r"(?:fall(?:s|en|ing)?|fell|decreas(?:e|es|ed|ing)|go(?:es|ing)? down|went down|declin(?:e|es|ed|ing)|drop(?:s|ped|ping)?|shrink(?:s|ing)?)"
_SAME = (
    r"(?:(?:stay|remain|keep)(?:s|ed|ing)? (?:the same|constant|unchanged|unaffected)|(?:is|are|be) (?:the same|constant|unchanged|unaffected|not affected)"
    r"|(?:does|do|did|will|would) not change|(?:does|do|did|wo|would)n't change|no change|unchanged)"
)
_WAY = re.compile(rf"(?<!\w)(?:(?P<same>{_SAME})|(?P<up>{_UP})|(?P<down>{_DOWN}))(?!\w)")
"""which way something goes"""
_BESIDES = re.compile(
    r"(?<!\w)(?:as|when|whenever|if|while|because|since|after|although|though|given that|due to)(?!\w)[^,;]*"
)
_LITTLE = words_of("the a an it its will would is are of to that this also therefore thus so")
_WAY_DENIED = re.compile(r"(?<!\w)(?:not|never|neither|no longer|cannot|or|than)(?!\w)|n't(?!\w)")


def tells_of_options(passage: Passage) -> bool:
    """Say whether a text gives reasons, or has nearly all words of two options in its sentences."""
    if REASONS.match(passage.text):
        return True
    stems, level = passage.choices.stems, passage.given.level
    ends = level.rstrip(" *\"')").endswith((".", "!"))
    if not ends or len(level) < _LONG or level.count(". ") < _TWO:
        return False
    there = {each[:_STEM] for each in _WORD.findall(level)}
    told = [own for own in stems.values() if len(own) > 1 and 3 * len(own & there) >= 2 * len(own)]
    return len(told) > 1


def which_way(passage: Passage) -> Announcement | None:
    """Return the option that says which way something goes as the last clause says it.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of_options(["increases", "decreases", "does not change"]))
    >>> which_way(Passage(fold("The tide goes up as the moon comes near."), choices)).answer
    'A'
    """
    ways, about = _ways(passage.choices) if passage.choices.letters else ({}, frozenset[str]())
    if len(ways) < _TWO or passage.names:
        return None
    level, end = passage.given.level, len(passage.given.level.rstrip(" .!*\"')"))
    start = passage.sentence_start(end)
    if level.endswith("?", 0, end):
        return None
    said = _BESIDES.sub(" ", level[start:end])
    clause = re.split(r"[,;:] | so | therefore | thus ", f" {said.strip(' ,;')} ")[-1]
    found = [*_WAY.finditer(clause)]
    plain = clause if len(found) != 1 else clause[: found[0].start()]
    if len(found) != 1 or _WAY_DENIED.search(plain) or not about <= {*clause.split()}:
        return None
    label = ways.get(str(found[0].lastgroup))
    return Announcement(start, end, "answered", label, "which way") if label else None


def _ways(choices: Choices) -> tuple[dict[str, str], frozenset[str]]:
    """Return the options of one thing by the way in which it goes, and the words for it."""
    ways: dict[str, str] = {}
    things: set[frozenset[str]] = set()
    for name, label in choices.owner.items():
        plain = name.lower().strip(" .")
        found = [*_WAY.finditer(plain)]
        if len(found) == 1 and name not in choices.letters:
            if str(found[0].lastgroup) in ways:
                return {}, frozenset()
            ways[str(found[0].lastgroup)] = label
            things.add(frozenset(_WAY.sub(" ", plain).split()) - _LITTLE)
    return (ways, things.pop()) if len(things) == 1 else ({}, frozenset())


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
    if follows is None or denied is None:
        return None
    level = passage.given.level
    end = len(level.rstrip(" .!。\uff01।*\"')"))
    last, first = passage.sentence_start(end), passage.sentence_end(0)
    for start, stop in ((last, end), (0, first)):
        for pattern, label in ((_OPEN, between), (_DENIED, denied), (_FOLLOWS, follows)):
            if passage.names and pattern is not _OPEN:
                continue
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
    follows, between, denied = (
        next((names[each] for each in names if each.startswith(begin)), None)
        for begin in (("entail", "support"), ("neutral",), ("contradict", "refut"))
    )
    no = next((names[each] for each in names if _FOLLOWS_NOT.match(each)), None)
    return follows, between or choices.unknown or no, denied or no


def left_between(passage: Passage, denied: frozenset[str]) -> Announcement | None:
    """Return the member between two others, where a text denies these."""
    choices, members = passage.choices, {*passage.choices.owner.values()}
    between = choices.unknown or choices.none
    between = between or next((each for each in members if _BETWEEN.fullmatch(each.lower())), None)
    if between is None or len(members) != _TWO + 1 or denied | {between} != members:
        return None
    last = passage.names[-1] if passage.names else None
    return last and Announcement(last.start, last.end, "answered", between, "left between")


def akin(passage: Passage) -> list[re.Match[str]]:
    """Return where a text has words like those of opposite members, as "depressed" is."""
    kin = "|".join(filter(None, map(_kin, passage.choices.opposites)))
    return [*re.finditer(rf"(?<!\w)(?:{kin})(?!\w)", passage.given.level)] if kin else []


def of_kin(word: str, passage: Passage) -> tuple[str, str]:
    """Return the member that has a word like this one, and the other."""
    opposites = passage.choices.opposites
    return next(
        opposites[each]
        for each in opposites
        if (kin := _kin(each)) and re.compile(kin).fullmatch(word)
    )


def _kin(word: str) -> str | None:
    """Return a pattern for words of one meaning, where what they have in common is long enough."""
    found = _ENDING.fullmatch(word)
    if found is None:
        return None
    of_noun, of_verb, of_state = found["state"], found["done"], found["stem"] or found["can"]
    if of_noun:
        return rf"{of_noun}[ae]n(?:t|cy|ces?|cies)"
    return rf"{of_verb}(?:ions?|e?s)?" if of_verb else rf"{of_state}\w{{2,7}}"


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
    if {each.lower() for each in members} in _EXCLUDE and _denies_one(passage):
        (other,) = members - {named[0].label}
        return Announcement(named[-1].start, named[-1].end, "answered", other, "opposite")
    if denied is None or len(named) != 1 or named[0].start != denied.end():
        return None
    if passage.choices.letters or passage.text[named[0].end :].strip(" .!*_\"'"):
        return None
    (other,) = members - {named[0].label}
    return Announcement(0, named[0].end, "answered", other, "opposite")


def _denies_one(passage: Passage) -> bool:
    """Say whether a text names one member alone, and denies it wherever it does."""
    level, names = passage.given.level, passage.names
    befores = (level[passage.sentence_start(each.start) : each.start] for each in names)
    return len({each.label for each in names}) == 1 and all(map(_DENIES.search, befores))
