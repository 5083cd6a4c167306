"""Where a text announces its answer, and what it announces.

An announcement is a word such as "answer" or "diagnosis" that a link (a colon, "is", "lautet", 是)
joins to what follows, a box, or a member of which it is said that it is the answer. Words are
looked for one by one, from the end, and only their surroundings are read, so that the work grows
with the text and not with its square.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from collections.abc import Iterator

from assay.derive import patterns as re
from assay.derive.agreeing import in_short, said_in_part
from assay.derive.comparing import prefers
from assay.derive.fields import verdict_lines
from assay.derive.figures import in_a_later_box
from assay.derive.grounds import pressed
from assay.derive.naming import (
    Announcement,
    Passage,
    State,
    first_named,
    letters_of,
    not_said,
)
from assay.derive.text import closing
from assay.derive.wordings import (
    AND_BEFORE,
    ASKED_BEFORE,
    CHOOSER,
    HYPOTHETICAL,
    IS_THE_ANSWER,
    KEYWORDS,
    LINKS,
    MARKS_UNSPACED,
    OTHERS,
    QUALIFIED,
    UNSETTLED,
    UNSURE,
    one_of,
    words_of,
)

_LINK = re.compile(
    rf"(?:s|es)?(?: \([^()\n]{{1,40}}\)(?= ?[:：])"
    rf"| \([^()\n]{{1,20}}(?: or |/|, )[^()\n]{{1,20}}\))?"
    rf"(?:[ \"')\]>]+{one_of(LINKS)})*[ \"')\]>】]*[:：=→]*"
)
_COPULA = re.compile(
    "[:：=→]|"
    + one_of(
        "is | are | was | be | being | seems | appears | remains | ist | lautet | wäre | est |"
        " serait | es | sería"
        " | é | è | является | будет | это | är | er | je | este | adalah | ialah | là | és | είναι"
    )
)
_UNSPACED_LINK = re.compile(
    r"(?<! [a-z] 正解)(?<! [a-z]正解)[】\])）」]*(?:应该|应当|应|就|只能|选择|选)?(?:是|为|は|選|选|은|는|คือ)?"
    r"(?: (?:الصحيحة|الصحيح|هي|هو|है|विकल्प|সঠিক|হল|হলো|বিকল্প|صحیح|درست|گزینه|הנכונה|היא))*[：:\s「]*"
)
_VERBS = words_of("diagnosing diagnosed answering answered optional classical classic")
_TO_DO = re.compile(
    r"(?<!\w)(?:to|cannot|can't|can not|won't|(?:can|could|will|do|does)(?:n't| not)) $"
)
"""before a word that is a verb there"""
_NOT_AN_ANSWER = words_of(
    """
    clear obvious as that based found given below above not to in on by because since correct incorrect right wrong simple simply straightforward here what let let's lets we i first step this it there they you your my please unable unclear unknown difficult hard
    supported therefore thus so likely probably most yes and or also still dependent depends about within going needed true required determined explanation analysis option options answer
    """
)
_SAID_OF = words_of(
    "correct right answer best accurate diagnosis choice pick priority exception odd selected chosen picked marked expresses captures reflects matches says states describes correta correto correcta correcto correcte corretta corretto richtig richtige bonne certa правильным верным правильный верный 정답입니다 정답이다 정답 درست صحیح poprawna prawidłowa správná rätt riktig benar đúng certo corectă"
)
_AROUND_WORD, _OUTSIDE_WORDS, _NAME_WORDS, _LAST_TRIED = 60, 12, 4, 400
_PAIR, _CLOSES = 2, 4
"""of more letters that are said to be right each is judged by itself"""
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{?")
_NUMBERED_HEADING = re.compile(r"\n[ \t]*(?:#{1,6}|\*\*)?[ \t*]*\d{1,2}[.)]")
"""what follows a conclusion without being one"""
_OPEN = re.compile(r"(?:whether|if|what|which|how|who)(?!\w)")
_RULED_OUT = re.compile(
    r"(?:r o|rule out|ruling out|(?:very |highly |most )?(?:unlikely|improbable)(?: to be)?|less likely(?: to be)?)(?!\w)"
)
_HEADING_ENDS = re.compile(r" *\. +")
_PEOPLE = re.compile(
    r"(?<!\w)(?:many|some|most|people|students|one|others|they|you|might|may)(?!\w)[^,]*$"
)
_FITS = ("appropriate", "likely", "correct", "best", "accurate", "fitting")
_OTHER_DIAGNOSIS = re.compile(
    r"((?:[A-Z][\w'/-]{1,60} ){1,5}[A-Z][\w'/-]{1,60})(?: \([A-Z]+\))? (?:is|would be)"
    rf"(?: \w+)? (?:the|my) (?:\w+ )?(?:{'|'.join(_FITS)}) diagnosis"
)
_CALLED_SO = re.OneOf("|".join(f"{each} diagnosis" for each in _FITS))
"""a quick look for one"""
_ODD = re.compile(
    r"\W*(?:(?:the|la|l'|le|el|a|o|die|der|das) )?(?:(?:only )?(?:incorrect|false|wrong|untrue|inaccurate|falsche|inkorrekte) \w+"
    r"|\w+ (?:incorrecta|falsa|incorreta|errada|fausse|inexacte|incorrecte|errata|sbagliata))(?: \w+)? (?:is|es|é|est|è|ist)(?=[ :])"
)
"""with which a text begins that was asked for what is wrong"""
_WRONG_ONE = re.compile(
    r"not (?:the |an? )?(?:\w+ )?(?:answer|option|choice)|(?:in|not )correct|wrong"
)
_EQUATION = re.compile(r"[-+*/x×·÷()\d.,\s]+=[-+*/x×·÷()\d.,=\s]*\d")
_CASE = re.compile(r"(?<!\w)(?:if|wenn|falls|si|se|если)(?!\w)")
_SEEKS, _NEAR_END = words_of("find determine calculate"), 200
_SOUGHT = re.compile(
    r"(?:want|need|have|asked|trying) to (?:find|determine|calculate) ((?:out )?the [^.,:;?!\n]{4,80})"
)
"""what a text is after, and how near to its end it says what that is"""
_SETTLES = re.compile(
    r"(?:this|that|which)(?: \w+ly)? (?:answers|settles|resolves|decides) (?:the|our|this|your)"
    r" question(?: directly| fully)?(?:[,:;](?: and)?(?: so| thus| therefore| hence| that)?| and so)(?!\w)"
)
_KINDS = words_of("type kind form category")
_KIND_OF = re.compile(
    r"(?:[Tt]ype|[Kk]ind|[Ff]orm|[Cc]ategory) of (?:[a-z]+ ){1,3}(?:(?:in|of|used|made|committed)(?!\w)[^.:;,\n]{0,60}?)?"
    r"(?: is|:) [\"'“*]*([A-Z][\w'-]+(?: (?:(?:of|to|the|by|from|and|in|for|on) )*[A-Z][\w'-]+){0,5})[\"'”*]*(?=[.\n]|$)"
)
"""what kind of thing something is, with the name of the kind"""
_OF_MANY, _PLURAL = (
    re.compile(r" (?:are|were)(?!\w)"),
    ("answers", "diagnoses", "options", "choices"),
)
"""what several things are, as in "signs of this diagnosis are", is no answer"""
_RELATIVE = words_of("that which who with")
_NOUNS = words_of("option choice answer statement one item pair term value")
# The nouns stand first, so that the search can jump from one to the next.
_DESCRIBED = re.compile(
    r"(?:option|choice|answer|statement|one|item|pair|term|value) (?:that|which|who|with) "
    r"[^.!?;:\n]{3,120}? (?:is|would be|must be)(?=[ :])[ :]*"
)
_BEFORE_NOUN = re.compile(r"(?<!\w)(?:the|only)(?: \w+){0,3} $")
_AS_SAID = re.compile(r"(?:correct|right|best|appropriate)(?:[,.]| (?:as|because|since|and)(?!\w))")
"""what is said of an answer that was given before"""
_TELLS = re.compile(
    r"[\s*\"')]*(?:says|states|mentions|refers|talks|describes|suggests|claims|reads|would|could"
    r"|might|may|can)(?!\w)"
)
"""what is told of an option that is looked at"""
_LISTED_CHOICE = re.compile(r"answer (?:choice|option) \(?([a-j])\)?:")
_OF_OTHERS, _NEAR_MARK = re.compile(r"(?:鉴别|鑑別|其他|排除|次要|既往|合并|감별)[的の]?$"), 4
_FROM_AMONG = re.compile(
    r"\W*[을를은는이가をは从由]?\W*[A-Z](?:(?:[\s,，、/·~～-]|또는|혹은|または|或者?|和|と){1,4}[A-Z]){1,9}\W{0,3}(?:중|中|之中|から|のうち|のいずれ|のどれ)"
)
"""letters from among which an answer is to be chosen"""
_NOT_THAT = re.compile(
    r"(?<! is)(?<!'s)(?<! are),? (?:and not|not|rather than|instead of|as opposed to) "
)
_DOUBT = re.compile(r"(?<!\w)(?:not|n't|less|in case)(?!\w)")


_ANNOUNCING, _IN_ORDER = frozenset(KEYWORDS), [*KEYWORDS].index


def last_announcement(passage: Passage) -> Announcement | None:
    """Return the last announcement; one of something outside the set only if there is no other.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["flu", "cold"]))
    >>> last_announcement(
    ...     Passage(fold("The answer is flu. No: the answer is cold."), choices)
    ... ).answer
    'cold'
    """
    best = outside = odd = None
    for each in _announcements(passage):
        if each.rule == "odd one":
            odd = each
        elif each.state == "outside":
            outside = max(outside or each, each, key=lambda one: one.start)
        else:
            best = max(best or each, each, key=lambda one: one.start)
    if best and outside and in_a_later_box(passage, best, outside):
        return outside
    odd = odd or prefers(passage)
    return odd if odd and (best is None or best.rule == "named the answer") else best or outside


def _announcements(passage: Passage) -> Iterator[Announcement]:
    """Yield the last announcement of every kind."""
    level, words = passage.given.level, passage.given.words
    # In the order of the list: of two words that announce the same, the first gives the rule.
    for word in sorted(words & _ANNOUNCING, key=_IN_ORDER):
        for looked_for, kind in KEYWORDS[word]:
            yield from _last(passage, looked_for, kind)
    if not level.isascii():
        for looked_for in MARKS_UNSPACED:
            if looked_for in level:
                yield from _last(passage, looked_for, "mark")
    if passage.choices.particles:
        yield from in_short(passage)
        yield from verdict_lines(passage)
    if passage.choices.letters and (odd := _ODD.match(level)):
        found = _resolved(passage, odd.end(), "odd one")
        yield from (found,) if found and found.state == "answered" else ()
    yield from _boxed(passage)
    if passage.choices.letters and not (words.isdisjoint(_RELATIVE) or words.isdisjoint(_NOUNS)):
        yield from _described(passage)
    yield from _behind_an_arrow(passage)
    yield from _settled(passage)
    yield from _named_the_answer(passage)
    yield from _if_pressed(passage)


def _last(passage: Passage, word: str, kind: str) -> Iterator[Announcement]:
    """Yield what a word announces in its last place, and what is outside the set after it."""
    level = passage.given.level
    at, tries, outside = level.rfind(word), 0, None
    while at >= 0 and tries < _LAST_TRIED:
        found = _announced(passage, at, at + len(word), kind)
        if found and found.state != "outside":
            yield _of_cases(passage, found, word, kind)
            break
        outside = outside or found
        at, tries = level.rfind(word, 0, at), tries + 1
    if outside:
        yield outside


def _of_cases(passage: Passage, found: Announcement, word: str, kind: str) -> Announcement:
    """Return what is announced, or that another case, supposed before, has another answer."""
    level, start = passage.given.level, passage.sentence_start(found.start)
    at = level.rfind(word, 0, start) if _CASE.search(level, start, found.start) else -1
    if at >= 0 and _CASE.search(level, passage.sentence_start(at), at):
        other = _announced(passage, at, at + len(word), kind)
        if other and other.answer != found.answer:
            return found._replace(state="undecided", answer=None)
    return found


def _announced(passage: Passage, start: int, end: int, kind: str) -> Announcement | None:
    """Return what a word announces, if it is linked to what follows."""
    level = passage.given.level
    if kind == "mark":
        of_others = _OF_OTHERS.search(level, max(0, start - _NEAR_MARK), start)
        return None if of_others else _marked(passage, end)
    stop = end
    while stop < len(level) and level[stop].isalpha():
        stop += 1
    glued = start and (level[start - 1].isalnum() or level[start - 1] in "/\\")
    glued = glued or (level.startswith("> ", stop) and level.endswith("<", 0, start))
    verb = level[start:stop] in _VERBS or _TO_DO.search(level, max(0, start - _NEAR_MARK), start)
    if glued or verb or _gone_through(level, start):
        return None
    before = level[max(passage.sentence_start(start), start - _AROUND_WORD) : start]
    before = before.replace("yes no ", "").replace("yes or no ", "")
    if kind == "chosen":
        denied = before.endswith(("not ", "n't ", "never ", "cannot "))
        chooses = CHOOSER.search(before) and not (denied or _PEOPLE.search(before))
        found = _resolved(passage, end, kind) if chooses else None
        if found is None or found.state == "outside":
            return None
        return None if OTHERS.search(level, end, found.start) else found
    link = _LINK.match(level, stop)[0].rstrip()  # type: ignore[index]  # may be empty
    if link[-2:-1] == " " and passage.text[stop + len(link) - 1] in passage.choices.letters:
        link = link[:-2]  # no word of another language, such as "e" for "is"
    last = stop + len(link)
    tagged = level.endswith("<", 0, start) or link.endswith((":", "："))
    tagged = tagged or (before.endswith("final ") and passage.text.startswith((" - ", " – "), stop))
    if passage.text.startswith("**", start - 2) and (dot := _HEADING_ENDS.match(level, stop)):
        tagged, last = True, dot.end()
    linked = tagged or _COPULA.search(link) is not None
    of_many = _OF_MANY.match(level, stop) and not level.startswith(_PLURAL, start)
    as_said = not tagged and _AS_SAID.match(level, stop + link.rfind(" ") + 1)
    given_in = link.endswith(" in") and bool(passage.within(last, last + _CLOSES))
    of_many = of_many or given_in  # the answer that a member gives
    if of_many or as_said or not _leads(before, kind, link, tagged=tagged, linked=linked):
        return None if of_many or UNSURE.search(before) else _below(passage, start, last, kind)
    found = _resolved(passage, last, kind, bare=tagged) if linked else _at_once(passage, last, kind)
    of_these = found and found.state == "outside" and level.startswith("one of", start)
    return None if of_these or (found and said_in_part(passage, found)) else found


def _below(passage: Passage, start: int, end: int, kind: str) -> Announcement | None:
    """Return the member right below a heading that announces it, as in "### Diagnosis"."""
    heads = passage.text.startswith(("#", "**"), passage.text.rfind("\n", 0, start) + 1)
    below = heads and passage.text[end : end + _CLOSES].lstrip(" *").startswith("\n")
    found = _resolved(passage, end, kind) if below else None
    return found if found and found.state == "answered" and kind != "option" else None


def _leads(before: str, kind: str, link: str, *, tagged: bool, linked: bool) -> bool:
    """Say whether a word announces, by what stands before it and whether it is linked."""
    if kind == "option":
        led = QUALIFIED.search(before) or QUALIFIED.search(f"{link} ")
        return linked and (before.endswith("<") or led is not None)
    asked = not tagged and ASKED_BEFORE.search(before) is not None
    return (linked or kind == "answer") and not asked and not UNSURE.search(before)


def _marked(passage: Passage, end: int) -> Announcement | None:
    """Return what a mark without spaces around it announces."""
    if among := _FROM_AMONG.match(passage.text, end):
        chosen = _resolved(passage, among.end(), "mark")
        return chosen if chosen and chosen.state == "answered" else None
    link = _UNSPACED_LINK.match(passage.given.level, end)
    found = _resolved(passage, link.end(), "mark", bare=True) if link else None
    tagged = link is not None and link[0].rstrip().endswith((":", "：", "】"))
    return found if found and (tagged or found.state != "outside") else None


def _at_once(passage: Passage, at: int, kind: str) -> Announcement | None:
    """Return a member that follows at once, as in "Answer B" or "I would answer yes"."""
    start, end = passage.window(at)
    level = passage.given.level
    found = first_named(passage, start, min(end, start + _AROUND_WORD))
    near = found is not None and found.state == "answered" and found.start <= start + 2
    near = near and not (found and _TELLS.match(level, found.end))
    return found._replace(rule=kind) if found and near else None


def _gone_through(level: str, at: int) -> bool:
    """Say whether an answer choice is one of several that are gone through in a list."""
    here = _LISTED_CHOICE.match(level, at)
    around = level[max(0, at - _LAST_TRIED) : at + _LAST_TRIED] if here else ""
    return here is not None and len({each[1] for each in _LISTED_CHOICE.finditer(around)}) > 1


def _resolved(passage: Passage, at: int, kind: str, *, bare: bool = False) -> Announcement | None:
    """Return what the rest of a sentence says: a member, none, several, or something else."""
    start, end = passage.window(at)
    if passage.text[end : end + 1] == "?" and not bare:
        return None
    level = passage.given.level
    if (
        _OPEN.match(level, start)
        or _RULED_OUT.match(level, start)
        or HYPOTHETICAL.search(level, passage.sentence_start(at), end)
    ):
        return None
    found = first_named(passage, start, end)
    if found is None and UNSETTLED.fullmatch(level, start, end):
        found = not_said(passage, start, end)
    if kind == "tag" and found is None and _NUMBERED_HEADING.search(passage.text, at, start):
        return None
    found = found or _outside(passage, start, end, bare=bare)
    return found._replace(rule=kind) if found else None


def _outside(passage: Passage, start: int, end: int, *, bare: bool) -> Announcement | None:
    """Return an answer that is no member of the set, if it looks like an answer at all."""
    denies = _NOT_THAT.search(passage.given.level, start, end)
    end = denies.start() if denies and denies.start() > start else end
    whole = passage.text[start:end].strip(" *_\"'`.“”$")
    whole = (
        whole[2:-2].strip()
        if whole.startswith(("\\(", "\\[")) and whole.endswith(("\\)", "\\]"))
        else whole
    )
    said = whole if whole.startswith("\\") else whole.strip(" *_\"'`.“”()[]{}$\\")
    said += ")" * (said.count("(") > said.count(")") and whole.endswith(")"))
    if _EQUATION.fullmatch(said):
        said = said.rpartition("=")[2].strip()
    words = said.lower().split()
    if not words or len(words) > _OUTSIDE_WORDS:
        return None
    first = words[1] if len(words) > 1 and words[0].endswith("ly") else words[0]
    if first.rstrip(",.:") in _NOT_AN_ANSWER and not (bare and words == ["unknown"]):
        return None
    if (
        not any(map(str.isalnum, said))
        or said.startswith(("<", "..."))
        or passage.within(start, end)
    ):
        return None
    if len(said) > 1 and said.isupper() and passage.choices.letters.keys() >= set(said):
        label = passage.choices.repeated(said)
        return Announcement(start, end, "answered" if label else "undecided", label)
    looks = bare or len(words) <= _NAME_WORDS or said[0].isupper() or said[0].isdigit()
    return Announcement(start, end, "outside", said) if looks else None


_DIFFERENTIAL = re.compile(r"(?<!\w)(?:ddx|dd|differential\w*|rule out|vs)(?!\w)")
_ARROWS = ("→", "⇒", "∴", "->", "=>")


def _boxed(passage: Passage) -> Iterator[Announcement]:
    """Yield what stands in the last box, and behind the last mark of a result."""
    text = passage.text
    at = max(text.rfind("\\boxed"), text.rfind("\\fbox"))
    opened = _BOX.match(text, at) if at >= 0 else None
    if opened and (end := closing(text, opened.end())) is not None:
        start = opened.end()
        found = first_named(passage, start, end) or _outside(passage, start, end, bare=True)
        if found:
            yield found._replace(rule="box")
    at = text.rfind("####")
    if at >= 0 and ("####" not in text[:at].rstrip("#") or "\n" not in text[at:].rstrip()):
        found = _resolved(passage, at + 4, "result", bare=True)
        if found and (found.state != "outside" or any(map(str.isdigit, found.answer or ""))):
            yield found


def _if_pressed(passage: Passage) -> Iterator[Announcement]:
    """Yield what a text would answer if it had to, though it be the beginning of a name only."""
    if (at := pressed(passage.given)) is None:
        return
    start, end = passage.window(at)
    found = first_named(passage, start, end)
    said = passage.text[start:end].strip(" *_\"'“”.").lower()
    begun = [each for each in passage.choices.owner if each.lower().startswith(f"{said} ")]
    if found and found.state == "answered":
        yield found._replace(rule="if pressed")
    elif len(begun) == 1 and len(said) >= _NAME_WORDS:
        yield Announcement(start, end, "answered", passage.choices.owner[begun[0]], "if pressed")


def _described(passage: Passage) -> Iterator[Announcement]:
    """Yield what the last description of the answer leads to: "the option that is not ... is"."""
    level = passage.given.level
    for each in reversed([*_DESCRIBED.finditer(level)][-_LAST_TRIED:]):
        found = _resolved(passage, each.end(), "option") if _is_right(level, each) else None
        if found and found.state != "outside":
            yield found
            break


def _is_right(level: str, each: re.Match[str]) -> bool:
    """Say whether a description is of the answer, and not of what is none."""
    led = _BEFORE_NOUN.search(level, max(0, each.start() - _AROUND_WORD), each.start())
    return led is not None and _WRONG_ONE.search(each.group()) is None


def _settled(passage: Passage) -> Iterator[Announcement]:
    """Yield what a text says that it has found, and what it names as the kind of something."""
    level, words = passage.given.level, passage.given.words
    for settled in [*_SETTLES.finditer(level)][-1:] if "question" in words else ():
        found = _resolved(passage, settled.end(), "settled")
        if found and found.state != "outside":
            yield found
    for sought in [*_SOUGHT.finditer(level)][:1] if words & _SEEKS else ():
        at = level.rfind(f"{sought[1]} is ", max(sought.end(), len(level) - _NEAR_END))
        if at > 0 and (found := _resolved(passage, at + len(sought[1]) + 4, "sought", bare=True)):
            yield found
    for kind in [*_KIND_OF.finditer(passage.text)][-1:] if words & _KINDS else ():
        if not passage.within(*kind.span(1)):
            yield Announcement(*kind.span(1), "outside", kind[1], "kind")


def _behind_an_arrow(passage: Passage) -> Iterator[Announcement]:
    """Yield what the last arrow points to, where that ends the text."""
    text = passage.text
    may_be = not text.isascii() or ">" in text
    at = max(text.rfind(each) for each in _ARROWS) if may_be else -1
    rest = text[at:].lstrip("→⇒∴=->").strip() if at >= 0 else ""
    if not rest or "\n" in rest or len(rest) > _AROUND_WORD:
        return
    start = text.rindex(rest)
    if _DIFFERENTIAL.search(passage.given.level, text.rfind("\n", 0, at) + 1, at):
        return
    found = first_named(passage, start, len(text.rstrip()))
    if found is None and text[:at].endswith("\n") and len(rest.split()) <= _NAME_WORDS:
        found = _outside(passage, start, len(text.rstrip()), bare=True)
        if found:
            yield found._replace(rule="arrow")
    ends = found is not None and not text[found.end :].strip(" .*_)]\"'")
    if found and found.start <= start + 2 and ends and found.state == "answered":
        yield found._replace(rule="arrow")


def _named_the_answer(passage: Passage) -> Iterator[Announcement]:
    """Yield the last member of which the text says that it is the answer."""
    words, letters = passage.given.words, passage.choices.letters
    if words.isdisjoint(_SAID_OF):
        return
    found_so = "diagnosis" in words and _CALLED_SO.within(passage.text)
    for other in _OTHER_DIAGNOSIS.finditer(passage.text) if found_so else ():
        if not passage.within(*other.span(1)):
            yield Announcement(*other.span(1), "outside", other[1], "named the answer")
    for each in reversed(passage.names[-_LAST_TRIED:]):
        if _says_so(passage, each.start, each.end):
            yield Announcement(each.start, each.end, "answered", each.label, "named the answer")
            break
    tried = letters_of(passage.text)[-_LAST_TRIED:] if letters else []
    said = [each for each in tried if each[1] in letters and _says_so(passage, *each.span())]
    for found in said[-1:] if len({each[1] for each in said}) <= _PAIR else []:
        several = AND_BEFORE.search(passage.text, max(0, found.start() - 12), found.start())
        start = several.start() if several else found.start()
        state: State = "undecided" if several else "answered"
        answer = None if several else letters[found[1]]
        yield Announcement(start, found.end(), state, answer, "named the answer")


def _says_so(passage: Passage, start: int, end: int) -> bool:
    level = passage.given.level
    said = IS_THE_ANSWER.match(level, end, end + 120)
    if not said or _DOUBT.search(said.group()) or level.endswith((" nor ", " nor ("), 0, start):
        return False
    sentence = level[passage.sentence_start(start) : passage.sentence_end(end) + 1]
    doubted = sentence.endswith("?") or " if " in sentence or HYPOTHETICAL.search(f"{sentence} ")
    return not doubted and not UNSURE.search(level[max(0, start - 30) : start])
