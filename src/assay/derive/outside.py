"""Answers that are no member of the set: a few words of their own, another thing concluded."""

# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from assay.derive import patterns as re
from assay.derive.naming import Announcement, Passage, State, none_applies
from assay.derive.open_ends import unsettled_first
from assay.derive.results import counts, only_number
from assay.derive.wordings import NEGATED, SINCE

_I, _PHRASE = frozenset({"i", "would", "will", "d", "ll"}), 3
"""what a text says of itself beside an option, and words of one that it repeats at least"""
_REASON = re.compile(r"[,;:(]| (?:because|since|as it|so that|in order) ")
_OPEN = re.compile(r"(?<!\w)(?:if|whether|or|unless|when)(?!\w)")
_NO_ANSWER_BEGINS = re.compile(
    r"(?:i|i'm|we|you|please|sorry|let|hello|hi|sure|okay|ok|thank|certainly|of course|here|to"
    r"|first|step|if|(?:the )?(?:passage|text|article|question|context|abstract|document)"
    r"|in order|given|based|as|pour (?:répondre|résoudre|déterminer)|d'abord|voici|il faut|commençons|um (?:diese|die|das|zu)|zunächst|zuerst|wir|hier ist|para (?:responder|resolver|determinar)|primero|primeiro|vamos|analicemos|aquí|aqui"
    r"|per (?:rispondere|risolvere|determinare)|innanzitutto|ecco|чтобы|сначала|давайте|untuk (?:menjawab|menentukan)|pertama|để (?:trả|giải|xác)|trước tiên|bu soruyu|öncelikle|إليك|أولا|للإجابة|इस प्रश्न|सबसे पहले)(?!\w)|(?:the )?(?:answer|diagnosis|correct answer)(?: is)?$"
)
_IF = re.compile(r"(?<!\w)(?:if|how many|number of)(?!\w)")
_AT_FAULT = re.compile(r"(?<!\w)(?:error|mistake|typo|misprint|flaw|mistaken|incorrectly)s?(?!\w)")
"""what a question has of which no member is the answer"""
_FINDS = ("within ", "normal ")  # which is no answer where there are options
_THEM = ("none of them ", "none of these ", "none of those ")  # no yes and no is called so
_CONCLUDED = re.compile(
    r"(?:[cC]onsistent with|[sS]uggest(?:s|ive of)|[iI]ndicat(?:es|ive of)|[mM]ost likely"
    r"|[pP]oints? to(?:wards?)?|[sS]upports?|criteria for|[dD]iagnosis (?:of|is)"
    r"|[sS]uffer(?:s|ing) from|[eE]xperiencing"
    r"|(?:likely|probably) has|[bB]est (?:explained|accounted for) by|[dD]iagnos(?:e|ing)(?: \w+){0,3} with"
    r"|[dD]ealing with|(?:sounds|looks|seems) like|[sS](?:igns|ymptoms) of)"
    r"\s+(?:an? |the )?(?:symptoms of )?\**(?!cause|reason|source|explanation)"
    r"((?:[A-Z][\w'/-]+ ?(?:\([A-Z]+\))?){2,6}|(?:[\w'-]+ ){0,3}?(?:disorder|syndrome|depression"
    r"|anxiety|phobia|psychosis|burnout|grief|dementia|addiction|disease|dependence|problem|crisis"
    r"|nervosa|autism|delirium|insomnia|dysphoria|intoxication|withdrawal|infection|cancer)(?!\w))"
)
_SURE = re.compile(
    r"(?:[cC]onsistent with|[mM]ost likely|[dD]iagnosis (?:of|is)|[sS]uggests|criteria for|has|by|with)"
    r"\s+(?:an? |the )?\**\Z"
)
"""what leads to a name that is the conclusion also where members are named that it is not"""
_HAS = re.compile(
    r"(?:patient|person|man|woman|boy|girl|child|he|she|they) (?:most )?(?:likely|probably) (?:has|have)"
    r" (?:an? )?((?!no |not |been |to )[a-z][\w-]+(?: [a-z][\w-]+){0,3})(?=[,.;]|$)"
)
"""what somebody likely has"""
_FITS_BEST = re.compile(
    r"(?<![\w-])([A-Z][\w'-]{1,40}(?: [\w'-]{1,40}){0,3} (?:[dD]isorder|[sS]yndrome|[dD]elirium|[dD]ementia|[dD]isease))"
    r" (?:fits best|is (?:\w+ )?(?:the )?(?:best|most likely|likeliest|most probable))(?!\w)"
)
_KIND_OF_NAME = re.compile(r"(?i)(?:disorder|syndrome|dementia|delirium|disease|psychosis)(?!\w)")
_NAMED_FIRST = re.compile(
    r"[\s*#_]*((?:[A-Z][\w'/-]+ ){1,5}(?:Disorder|Syndrome|Disease|Episode|Dementia|Delirium)"
    r"(?!\w)(?:, [a-z][^.\n*]{1,60}| \([^()\n]{1,60}\))?)[*_]*[.\n]"
)
_LIKELY_FIRST = re.compile(
    r"[\W_]*(?:most likely|most probably|likely|probably)(?: an?| the)? "
    r"((?!due|because|not|to|yes|no)[a-z][\w'-]+(?: [a-z][\w'-]+){0,2}?)"
    r"(?= (?:given|because|due to|based on|since)(?!\w)|[.,;]|$)",
    re.IGNORECASE,
)
"""what a text calls most likely with its first words"""
_THE_MOST = re.compile(
    r"\W*(?:the )?(?:most (?:likely|appropriate|probable|common|suitable)|best|next|first|correct)"
    r"(?: [\w'’-]+){1,12}? (?:is|are|would be)(?: likely)?(?: to(?: be)? [a-z]+)? "
    r"(?!not |that |to |un|as )"
    r"((?:an? |the )?[^.,;:!?()\n]{2,60}?)"
    r"(?=[.,;(]|\s*$| (?:to|because|as|given|which|and|that|due|since|for|by|in)(?!\w))"
)
"""what is called the most likely thing, or the best, and none of the options"""
_VALUE = re.compile(r"[-+$€£]?\d[\d.,/]*%?")
_OTHER_NAME = re.compile(r"[A-Z][\w'/-]+(?: [A-Z(][\w'/()-]*){1,5}")
_COMES_TO = re.compile(
    r"(?:(?<!\w)(?:is|are|be|equals|gives|ist|beträgt|Ergebnis|est|vaut|es|vale|mide|é|mede|è|misura|get|obtain|find|got|have|равн[аоы]?|составляет|это)(?!\w)"
    r"|[=≈为是は])[\s$*:\\(]*(-?\d(?:[\d,]*\d)?(?:\.\d+|(?:/\d+)+)?)(?:\s?([^\s\d.,;:!?。，；]{1,5}))?"
)
"""what something comes to, with its unit"""
_NOT_LISTED = re.compile(
    r"(?:(?<!\w)would be|:) (?:an? |the )?([^\s,.;:][^,.;:\n]{2,40}),?"
    r" (?:which|but|though)(?: \w+)? (?:is|are)(?: not|n't)(?!\w)"
)
"""what would be the answer if it were an option"""
_MIXED = re.compile(
    r"(?<!\w)(?:this|the|it|sentiment|tone|opinion|overall)(?!\w)[^.!?\n]{0,40}"
    r"(?: is| as|'s|:)(?: \w+ly)? (mixed|ambivalent)(?![\w-])"
)
"""an opinion that is neither for nor against"""
_ANY_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[。，、；].{12}|(\d)\1{39}")
"""sentences of a script without spaces, which look like one word, and one digit over and over"""
_EXPLAINS = re.compile(
    r"(?i)(?:explanation|reason(?:ing)?|rationale|justification|begründung|explication|explicación|spiegazione)(?!\w)"
)
_LED_BY = re.compile(r"(?:it|this|that)(?: is|'s| equals| would be) ", re.IGNORECASE)
_IS_THEN = re.compile(r"[^\n]{1,80}(?<!\w)(?:is|are|be)[ *_]*\n\s*")
_IS_BEST = re.compile(
    r" (?:is|are|was|would be|should be|seems)(?: \w+ly)? (?:the|my) (?:\w+ ){0,3}?(?:answer|choice"
    r"|option|diagnosis|cause|treatment|drug|one|fit|explanation)(?!\w)[^.]*\.?$"
)
_AROUND = " *_\"'`.\n“”()[]{}$#"
CALLED_BEST = "called best"
"""the rule by which the best thing to do is an answer, if it is not to go elsewhere"""
_SHORT_WORDS, _OWN_WORDS, _BEGINNING, _NEAR = 12, 8, 600, 20


def concluded_outside(passage: Passage, *, beside: bool = False) -> Announcement | None:
    """Return what the beginning of a text concludes, though it is no member.

    Members may be named `beside` it, which it then says that it is not.
    """
    if beside:
        return _beside_members(passage)
    mixed = _MIXED.search(passage.given.level) if "negative" in passage.choices.owner else None
    first = _NAMED_FIRST.match(passage.text) or _LIKELY_FIRST.match(passage.text)
    found = mixed or first or _CONCLUDED.search(passage.text) or _HAS.search(passage.given.level)
    rule = "concluded outside"
    if found is None or found.start() >= _BEGINNING:
        level, rule = passage.given.level, CALLED_BEST
        last = passage.sentence_start(len(level.rstrip(" .!。！।")))
        found = _THE_MOST.match(level) or _THE_MOST.match(level, last)
    if found is None:
        return None
    said = passage.text[slice(*found.span(1))].strip()
    return Announcement(*found.span(1), "outside", said, rule)


def _beside_members(passage: Passage) -> Announcement | None:
    """Return the last thing that is concluded and no member, where members are only denied."""
    best = _FITS_BEST.search(passage.text)
    if best and not passage.within(*best.span(1)):
        return Announcement(*best.span(1), "outside", best[1], "concluded outside")
    for found in reversed([*_CONCLUDED.finditer(passage.text)]):
        start, end = found.span(1)
        said = passage.text[start:end].strip()
        near = max(passage.sentence_start(start), found.start() - _NEAR)
        before = passage.given.level[near : found.start()]
        sure = _SURE.search(passage.text, found.start(), start) and _KIND_OF_NAME.search(said)
        if sure and not NEGATED.search(before) and not passage.within(start, end):
            return Announcement(start, end, "outside", said, "concluded outside")
    return None


def value_beside(passage: Passage, place: tuple[int, int]) -> Announcement | None:
    """Return the value of which a text says that it is the result, and no member of the set."""
    if not counts(passage):
        return _name_beside(passage, place)
    said = [*_COMES_TO.finditer(passage.text, passage.sentence_start(place[0]), place[1])]
    if not said:
        return None
    last = said[-1]
    unit = last[2] and any(last[2] in name for name in passage.choices.owner)
    end = last.end() if unit else last.end(1)
    return Announcement(last.start(1), end, "outside", passage.text[last.start(1) : end], "value")


def _name_beside(passage: Passage, place: tuple[int, int]) -> Announcement | None:
    """Return what would be the answer by a sentence that says that it is not among the options."""
    start = passage.sentence_start(place[0])
    named = [*_NOT_LISTED.finditer(passage.given.level, start, place[1])]
    if not named or passage.within(*named[-1].span(1)):
        return None
    first, last = named[-1].span(1)
    return Announcement(first, last, "outside", passage.text[first:last], "value")


def said_after(passage: Passage, found: Announcement, concluded: Announcement) -> bool:
    """Say whether a number, or the name of a diagnosis, is announced after a conclusion."""
    given = found.answer or ""
    named = found.rule == "diagnosis" and _OTHER_NAME.fullmatch(given) is not None
    own = named or _VALUE.fullmatch(given) is not None
    return own and passage.sentence_start(found.start) > concluded.end


def begins_a_name(passage: Passage, found: Announcement) -> bool:
    """Say whether a text ends in the middle of the name of a member."""
    part = (found.answer or "").lower()
    names = (name.lower() for name in passage.choices.owner)
    return found.end == len(passage.text) and any(
        name.startswith(part) and name[len(part) :][:1].isalpha() for name in names
    )


def own_words(passage: Passage, n_words: int) -> Announcement | None:
    """Return a short text, or what ends one behind a colon, as an answer outside the set.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> own_words(Passage(fold("Mumps."), Choices.of(LabelSet.of(["flu"]))), 1).answer
    'Mumps'
    """
    if first := unsettled_first(passage) or _repeats(passage):
        return first
    text, explains = passage.text, _EXPLAINS.search(passage.text)
    if explains and text.endswith(("  ", "\n"), 0, explains.start()):
        text = text[: explains.start()]
    start = text.rfind(":") + 1
    led = _LED_BY.match(text, start) or _IS_THEN.match(text, start)
    start = led.end() if led else start
    of = _IS_BEST.search(text, start)
    part = text[start : of.start() if of else len(text)].strip(_AROUND)
    part += ")" * (part.count("(") - part.count(")"))
    long = n_words > _SHORT_WORDS or len(part.split()) > _OWN_WORDS
    if long or not part or "\n" in part or _UNSPACED.search(part):
        return None
    if part.lower() in {"y", "n", "t", "f", "n/a", "none", "nothing"}:
        return _in_short(passage, part.lower())
    words = frozenset(_ANY_WORD.findall(part.lower()))
    meant = passage.choices.in_other_words(words) or passage.choices.in_other_words(words - _I)
    begins_else = not start and _NO_ANSWER_BEGINS.match(passage.given.level)
    if begins_else and (meant is None or len(part.split()) < _PHRASE):
        return None
    if meant is not None:
        return Announcement(start, len(text), "answered", meant, "part of an option")
    return Announcement(start, len(text), "outside", only_number(passage, part), "whole text")


def _repeats(passage: Passage) -> Announcement | None:
    """Return the one member, of those that are sentences, of which a text begins with a part."""
    if passage.choices.letters or not passage.choices.stems:
        return None
    level = passage.given.level
    clause = _REASON.split(level[: passage.sentence_end(0)], 1)[0]
    words = _ANY_WORD.findall(clause)
    if _OPEN.search(clause) or len({*words} - _I) < _PHRASE - 1:
        return None
    label = passage.choices.in_other_words(frozenset(words) - _I)
    return (
        None
        if label is None
        else Announcement(0, len(clause), "answered", label, "part of an option")
    )


def _in_short(passage: Passage, part: str) -> Announcement:
    """Return what one letter says of yes and no, or that nothing applies."""
    end = len(passage.text)
    label = passage.choices.by_initial(part)
    if part in {"n/a", "none", "nothing"}:
        return none_applies(passage, 0, end)
    state: State = "outside" if label is None else "answered"
    return Announcement(0, end, state, label or part.upper(), "whole text")


def supposed(passage: Passage, at: int) -> bool:
    """Say whether the sentence up to a place supposes what is not so, or tells a finding.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["Asthma", "Gout"]))
    >>> supposed(Passage(fold("If none applies, say so."), choices), 3)
    True
    """
    level, start = passage.given.level, passage.sentence_start(at)
    rest, choices = level[at : passage.sentence_end(at)], passage.choices
    reason = SINCE.match(level, start, at) and "," in rest and not _AT_FAULT.search(rest)
    other = rest.startswith(_FINDS if choices.letters else _THEM)
    other = other and bool(choices.letters or choices.particles)
    return bool(reason) or other or _IF.search(level, start, at) is not None
