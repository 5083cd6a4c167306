"""What a text does with the members it names: assert, weigh, deny.

Only where nothing is announced does this decide: the last member that a sentence asserts with a
word of conclusion, else the last that any sentence asserts.
"""
# ruff: noqa: RUF001 - signs of other scripts are meant

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from assay.derive import patterns as re
from assay.derive.choices import Named
from assay.derive.clauses import ABSENT, AS_ONE_CAN, PURPOSE, WRONG_ONES, only_advised
from assay.derive.mentions import Cues, any_phrase
from assay.derive.naming import Announcement, Passage, side_by_side
from assay.derive.own_lines import led_aside
from assay.derive.places import in_a_legend, places_of
from assay.derive.ranked import CALLED_LIKELIEST, UNLIKELY_ONES
from assay.derive.wordings import (
    CONCLUDED_AFTER,
    CONCLUDES,
    DENIED_AFTER,
    DENIES_ONE,
    DOUBTLESS,
    HEDGED,
    HEDGED_AFTER,
    JUST_DENIED,
    LISTS,
    OTHERS,
    SECOND,
    SINCE,
    TAKEN_UP,
    WHETHER,
)

Kind = Literal["marked", "concluded", "asserted", "leaning", "hedged", "weighed", "denied"]
"""`marked`: called the most likely, also in a list; `leaning`: hedged, with a word of conclusion"""

_BRACKETS = re.compile(
    r"[(\[](?:[oO]ption |[cC]hoice )([A-Z])[)\]],?[^.;:!?()\[\]]{0,40}?(?: and|,? or| as well as) "
    r"[^.;:!?()\[\]]{0,40}[(\[](?:[oO]ption |[cC]hoice )?(?!\1)[A-Z][)\]]"
)
"""two letters in brackets, each behind what it is the letter of"""
_HEADS = re.compile(r"[\s*_)]*[:–—-]+[\s*_]*(?:an? |the )?")
"""between a name as a heading and the same name in what is said below it"""
_MOST_IF = re.compile(
    r"(?<=most likely )(?:\w+ ){1,2}if [^,;]{1,80} (?=(?:is|would be) (?:an? |the )?$)"
)
"""a condition on which something is most likely, which is no doubt of it"""
_CLAIMED = re.compile(
    r"((?:statement|claim|hypothesis|conclusion|assertion|proposition|sentence)s?)(?: that)? "
    r"(?:[\"“][^\"”]{1,160}[\"”]"
    r"|(?<=that )[^.;!?\"“]{1,120}?)(?= (?:is|must be|can be|cannot be|has to be)(?: \w+){0,2} $)"
)
"""a claim of which is said what it is, whatever it denies itself"""
_JOIN = re.compile(r"(?<!\w)(?:and|or|und|oder|et|ou|y)(?!\w)")
_NOT_DONE = re.compile(r"(?:(?<!\w)(?:do|does|did) not|n't|(?<!\w)(?:neither|nor))(?: \w+ly)? $")
"""before a verb that is a member in another form"""
_UNLIKELY = re.compile(r"(?<!\w)(?:no|not|n't|less|un\w+|hardly|never|kaum|nicht)(?!\w)")
_WHICH_IS_NOT = re.compile(
    r"(?:that|which) (?:is|are|does|do|was|were|has|have|can|would|will)(?:n't| not)(?!\w)"
)
"""what a question asks for, which denies nothing"""
_THIS_FITS = re.compile(
    r"(?<!\w)(?:this|it|which) (?:option |diagnosis |one )?(?:(?:fits|matches|explains)"
    r" (?:\w+ ){0,3}?(?:best|well)|is (?:the |by far )*(?:best|most likely|correct|right))(?!\w)"
)
_CONDITION = re.compile(r"(?:if|unless|should|had|were|wenn|falls|si|se|если)(?!\w)")
_ONLY_IF = re.compile(r"(?<!\w)(?:if|unless|until|once|falls|wenn|sauf)(?!\w)")
"""on what condition something is said of a name, which is no answer then"""
_WOULD = re.compile(r"(?<!\w)(?:would|could|might|wäre|würde|serait|sería|seria|sarebbe)(?!\w)")
_CONCEDES = re.compile(
    r"(?<!\w)(?:although|though|while|whereas|even if|albeit|despite|unlike"
    r"|in contrast (?:to|with)|as opposed to|contrary to|obwohl|während|wenngleich"
    r"|bien que|alors que|aunque|mientras que|sebbene|mentre|embora|enquanto|хотя)(?!\w)[^,;]*$"
)
"""what a sentence concedes beside what it says"""
_WHO_IS_NOT = re.compile(
    r"(?<!\w)(?:who|that|which|one|person)(?!\w)[^,;]*?(?:not|n't)(?!\w)[^,;]*?"
    r" (?:is|was|are|were)(?: the| most likely| probably)* $"
    r"|(?<!\w)(?:que|qui|che)(?: [^\s,;]+){0,6}? (?:no|não|non|ne|n'\w+)(?: [^\s,;]+){2,12}?"
    r" (?:es|é|est|è)(?: (?:el|la|o|a|le|il|lo|una?|une))? *$"
)
"""a description of what is asked for, which denies nothing"""
_AT_THE_TOP = re.compile(
    r"[\s*)\]]*(?:would|should|must|has to|is|comes|sits|ranks)(?: be)? (?:clearly )?"
    r"(?:(?:at the )?top(?!\w)|first|high on|highest|my (?:first|top|pick|choice|answer|leading)"
    r"|the (?:most|best|first|leading|likel))"
    r"|[\s*)\]]*(?:is|was|are|were)(?: \w+ly)? the (?:one|person|party) (?:who|that|which)(?!\w)"
)
"""that a name leads a list"""
_DESCRIBES = re.compile(
    r"\s+(?:(?:typically|usually|often|also|commonly|generally|classically|normally|mainly) )?"
    r"(?!symptoms|features|episodes|attacks|as |is |was |has )[a-z]{3,}s(?!\w)"
)
"""a verb by which something is said of a name"""
_AFTER_LETTER = (")", "]", ".", ":", "*")
_OWN_LETTER = re.compile(
    r"(?:(?:option|choice|answer|statement)\s*)?[(\[*]{0,8}[A-Z][)\].:*]+\s*$", re.IGNORECASE
)
_OF_SOMEBODY = frozenset(
    {"diagnosed with", "suffers from", "suffer from", "suffering from", "living with"}
)
_RELATIVES = re.compile(
    r"(?<!\w)(?:(?:grand)?(?:mother|father)|brother|sister|parents?|aunt|uncle|cousin|son|daughter"
    r"|wife|husband|friend|sibling|relative|partner)s?(?: (?!who|which|that)\w+){0,3} ?$"
)
_NOT_THIS = re.compile(
    r"(?<!\w)(?:rather than|(?:\w+er|(?:more|less)(?: \w+)?) than|falls? short of|"
    r"instead of|as opposed to|and not|would (?:instead|rather) be)"
    r" (?:the |an? )?[*\"'(]*$"
    r"|(?<!\w)non[- ]$"
    r"|(?<!\w)(?:se descarta|descartamos|descarto|se excluye|on écarte|on exclut|si esclude"
    r"|descarta se|exclui se|excluímos|исключаем)(?: \w{1,3})? $"
    r"|(?:(?<!\w)(?:а не|und nicht|et non|y no|e não|e non|a nie)(?: \w{1,4})? [*\"'(]*"
    r"|不(?:支持|符合|考虑|像|是|提示|属于)|而非|而不是|并非|아닌 )$"
)
"""what stands right before a member that is not meant"""
_WITH = re.compile(
    r",? with (?:an? |some |possible )?"
    r"(?:(?:comorbid|co-?occurring|mixed|concurrent|associated|secondary) "
    r"|(?:elements?|aspects?|components?|overtones?) of |\w+ and ){0,2}$"
)
_BESIDE = re.compile(
    r", (?:after|before|while|whereas|although|though|even though|unlike|having)(?!\w)[^,;]*$"
    r"|,? (?:and )?to a (?:lesser|smaller|minor) (?:degree|extent),?(?: (?:an?|also|of))? $"
    r"|\((?:also|plus|secondar(?:y|ily)|with|possibly|less likely)(?!\w)[^()]*$"
)
_SO_IT_IS_NOT = re.compile(
    r"[,;:] (?:so|thus|therefore|hence) (?:it|this|that)(?:'s| is| was| can be)(?: \w+ly)?"
    r" (?:not|out|wrong|incorrect|excluded|eliminated|ruled out|false|unlikely|less)(?!\w)"
    r"|[,;:] (?:so|thus|therefore|hence) (?:it|this|that) (?:would|does|did|can|could|will)"
    r"(?:n't| ?not)(?!\w)"
)
_ADVISES = re.compile(
    r"(?<!\w)(?:(?:re)?(?:screen|monitor|evaluat|assess|test|check|watch|look|treat(?!ment))\w*"
    r"(?: out)? for|be (?:aware|mindful) of|co-?occur\w* with|also consider|consider also)(?!\w)"
)
"""what one should look after beside the answer"""
_DESPITE = re.compile(
    r"\W*(?:despite|notwithstanding|regardless of|trotz|malgré|a pesar de|nonostante|apesar d[aeo])"
    r"(?!\w)[^,]*,"
)
_NAMELY = re.compile(r"(?<!\w)(?:specifically|namely|notably|nämlich|à savoir|a saber|ossia),? ")
_CLAUSE = re.compile(r"[,;:](?=\s)|\s(?:and|while|whereas|but|und|et|y|e|и)\s")
_ARTICLES = frozenset(
    {"", "the", "a", "an", "der", "die", "das", "le", "la", "les", "el", "il", "l'"}
)
_GOES_ON = re.compile(
    r"(?:,? (?:or|also (?:called|known as)) [^,.]{1,40},)?[*_\"')]* (?!it is|it's|then)[^\W\d_]{1,}"
)
_BEGINS_LINE = " \t*_-•>#()[]0123456789.|"
_MOST_TRIED, _REACH, _LINE_REACH = 40, 160, 400
_ALIKE = 2
_WEAK_VERBS = frozenset("is are was has with in and or")
_NEAR_END = 30
"""characters that may follow a name that ends a text"""
_MANY = 2
"""other members in a sentence that make a list of it"""
_HEADING, _AFTER_COLON = 40, 5
"""characters of a heading at most, and of what may stand between a colon and a name"""


_REQUIRES = re.compile(
    r"\W{0,3}(?: \w+)? requires? (?:\d|(?:that|at least|symptoms|more than"
    r"|one|two|three|four|five|six|seven|an? (?:duration|period|history))(?!\w))"
    r"|[\s)\"'*,]{0,4}would (?:also |only )?(?:mean|imply|require|need|call for)(?!\w)"
)
_WOULD_SAY = re.compile(
    r"(?<!\w)would (?:suggest|indicate|favou?r|support|point to|fit|argue for) (?:an? |the )?$"
)
_YET = re.compile(r"[,;] (?:but|yet|however)(?!\w)")
"""what something would suggest, and what speaks against that"""
_ALTHOUGH = re.compile(
    r", (?:al|even )?though(?!\w)"
    r"| (?:because|as|since) (?:he|she|they|the (?:patient|person|individual|man|woman|child)) "
)
_NOT = ("not ", "n't ")
_OR = frozenset({"or", "nor", "oder", "ou", "o"})
_OPERAND = re.compile(r"[^\W\d_]{0,3}[\s*$)]{0,3}[+*/×÷=·](?!\*)|\s[-–−]\s(?=[$\d])")
"""what stands behind a number that something else is computed from"""


class Assertions(NamedTuple):
    """What a text asserts where it announces nothing."""

    concluded: Announcement | None
    """the last member with a word of conclusion"""
    asserted: Announcement | None
    """the last member that is asserted at all; none where the same is said of another"""
    hedged: tuple[Announcement, ...]
    """members that might be, the last first"""
    n_named: int
    """in how many places members are named in any way"""
    denied: frozenset[str] = frozenset()
    """members that the place in which they are named last denies"""


def asserted(passage: Passage, cues: Cues, *, after: int = 0) -> Assertions:
    """Read from the end what a text does with the members that it names."""
    places = [each for each in places_of(passage) if each.start >= after]
    if places and (rest := WRONG_ONES.search(passage.text, places[0].end)):
        places = [each for each in places if each.start < rest.start()]
    look = _Look(passage, cues.within(passage.given) if places else None)
    concluded = last = None
    subjects: dict[str, Announcement] = {}
    rivals: dict[str, Announcement] = {}
    hedged: list[Announcement] = []
    tried = places[-_MOST_TRIED:]
    for number, each in reversed([*enumerate(tried)]):
        kind = look.kind(each)
        if kind in {"concluded", "asserted"} and _one_of_many(passage, each, places):
            continue
        found = Announcement(each.start, each.end, "answered", each.label, kind)
        ends = kind == "asserted" and _ends_the_text(passage, each)
        if kind == "asserted" and not ends and _in_a_pair(passage, each, tried, number):
            continue
        same = number and ends and _alike(passage, each, tried[number - 1])
        if kind in {"marked", "concluded"} or (ends and not same):
            concluded = found
            break
        if kind == "asserted" and _is_subject(passage, each):
            subjects.setdefault(each.label, found)
            rivals.setdefault(each.label, found)
        elif kind == "asserted":
            last = last or found
            rivals.setdefault(each.label, found)
        elif kind in {"leaning", "hedged"}:
            hedged.append(found)
    if last is None and 0 < len(subjects) <= _MANY:
        last = next(iter(subjects.values()))
    alike = last is not None and any(
        _alike(passage, last, each) for label, each in rivals.items() if label != last.answer
    )
    last = None if alike else last
    return Assertions(concluded, last, tuple(hedged), len(places), frozenset(look.denied))


@dataclass(slots=True)
class _Look:
    passage: Passage
    cues: Cues | None

    denied: set[str] = field(default_factory=set)
    """members that a later place denies"""

    def kind(self, each: Named) -> Kind:
        """Say what the text does with a member in one place; places come from the end."""
        top = _AT_THE_TOP.match(self.passage.given.level, each.end)
        kind = "marked" if top else self._kind(each)
        if kind == "denied":
            self.denied.add(each.label)
        if kind in {"concluded", "asserted"} and each.label in self.denied:
            return "denied"
        if kind == "asserted" and self.passage.choices.letters:
            start = self.passage.sentence_start(each.start)
            end = self.passage.sentence_end(each.end)
            return "weighed" if _BRACKETS.search(self.passage.text, start, end) else kind
        return kind

    def _kind(self, each: Named) -> Kind:
        passage, level = self.passage, self.passage.given.level
        start = max(passage.sentence_start(each.start), each.start - _REACH)
        end = passage.sentence_end(each.end, _REACH)
        before, after = level[start : each.start], level[each.end : end]
        beside = _ALTHOUGH.search(after)
        own = after[: beside.start()] if beside else after
        if DENIED_AFTER.match(after) or self._found("negations_after", own):
            return "denied"
        if _NOT_THIS.search(before) or _SO_IT_IS_NOT.search(after):
            return "denied"
        conceded = _CONCEDES.search(before) and not CALLED_LIKELIEST.match(after)
        plainly = PURPOSE.sub(" ", before)
        advised = _ADVISES.search(plainly)
        computed = level[each.end - 1].isdigit() and _OPERAND.match(passage.text, each.end)
        if (
            conceded
            or computed
            or _REQUIRES.match(after)
            or (_WOULD_SAY.search(before) and _YET.search(after))
            or self._beside_another(start, before)
            or led_aside(passage, each.start)
            or (advised and not CONCLUDES.search(plainly, advised.end()))
            or passage.text[end : end + 1] == "?"
            or self._found("differentials_after", own)
            or only_advised(level, start, each.start, each.end, end)
            or in_a_legend(passage, each, start)
        ):
            return "weighed"
        supposed = _CONDITION.match(before.lstrip(" *-•")) and _WOULD.search(before)
        if supposed or HEDGED_AFTER.match(after):
            return "hedged"
        if CALLED_LIKELIEST.match(after) or self._fits(each):
            return "marked"
        return "concluded" if self._concluded(each, before, after) else self._led(each, start)

    def _beside_another(self, start: int, before: str) -> bool:
        """Say whether a name stands in a clause beside the one that names another member."""
        beside = _WITH.search(before)
        names = self.passage.within(start, start + beside.start()) if beside else []
        if beside and names and names[-1].end == start + beside.start():
            return True
        clause = _BESIDE.search(before)
        return clause is not None and bool(self.passage.within(start, start + clause.start()))

    def _concluded(self, each: Named, before: str, after: str) -> bool:
        """Say whether a bare member ends a sentence, or what follows one calls it the answer."""
        name = self.passage.given.level[each.start : each.end]
        bare = len(name) == 1 or name in self.passage.choices.particles
        led = before.rstrip('(*["').endswith((", ", "— ", "– "))
        led = led and (bare or SINCE.match(before) is not None)
        if led and not after.strip(" .)*\"'"):
            return True
        said = CONCLUDED_AFTER.match(after)
        doubted = said is None or _UNLIKELY.search(said.group()) or OTHERS.search(before)
        doubted = doubted or _NOT_DONE.search(before)
        return not doubted

    def _fits(self, each: Named) -> bool:
        """Say whether the rest of the line says that this fits best, and names no other member."""
        level, text = self.passage.given.level, self.passage.text
        end = text.find("\n", each.end, each.end + _LINE_REACH)
        end = min(len(text), each.end + _LINE_REACH) if end < 0 else end
        fits = _THIS_FITS.search(level, each.end, end)
        return fits is not None and not self.passage.within(each.end, fits.start())

    def _led(self, each: Named, start: int) -> Kind:
        """Say what the words before a member do with it; said below itself it is only said."""
        if _headed(self.passage, each, start):
            return "asserted"
        before = _MOST_IF.sub(" ", self.passage.given.level[start : each.start])
        return self._kind_before(_CLAIMED.sub(r"\1", before))

    def _kind_before(self, before: str) -> Kind:
        cue, before = None, AS_ONE_CAN.sub("", DOUBTLESS.sub(" ", before))
        for cue in CONCLUDES.finditer(before):  # noqa: B007 - the last one
            pass
        if cue is None:
            return self._kind_within(self._scope(before), "hedged", "asserted")
        earlier, between = before[: cue.start()], self._scope(before[cue.end() :])
        if cue.group() in _OF_SOMEBODY and _RELATIVES.search(earlier):
            return "weighed"
        if JUST_DENIED.search(earlier) or WHETHER.search(earlier):
            return "denied"
        if cue.group() == ":":
            return self._kind_after_colon(earlier, between)
        infers = cue.group().startswith("conclude")
        infers = infers or (cue.group().endswith(" as") and earlier.endswith("can be "))
        unsure = not infers and HEDGED.search(earlier[-30:]) is not None
        return self._kind_within(between, "leaning", "leaning" if unsure else "concluded")

    def _kind_after_colon(self, earlier: str, between: str) -> Kind:
        """Say what a member behind a colon is: under a heading, or the end of a sentence."""
        heads = len(earlier) < _HEADING
        second = heads and (SECOND.search(earlier) or UNLIKELY_ONES.fullmatch(earlier))
        if second or (heads and self._found("differentials", earlier)):
            return "weighed"
        if heads and HEDGED.search(earlier):
            return "hedged"
        near = len(between.strip()) < _AFTER_COLON
        return self._kind_within(between, "hedged", "concluded" if near else "asserted")

    def _kind_within(self, scope: str, hedged: Kind, otherwise: Kind) -> Kind:
        """Say what the words right before a member do with it."""
        if self._denies(scope):
            return "denied"
        scope = PURPOSE.sub(" ", scope)
        if OTHERS.search(LISTS.sub(" ", scope)) or self._found("differentials", scope):
            return "weighed"
        return hedged if HEDGED.search(scope) else otherwise

    def _denies(self, scope: str) -> bool:
        """Say whether a negation reaches the end of a part; "instead of" reaches one name only."""
        scope = ABSENT.sub(" ", _WHO_IS_NOT.sub(" ", _WHICH_IS_NOT.sub(" ", scope)))
        if not self._found("negations", scope):
            return False
        one = DENIES_ONE.search(scope)
        rest = scope[one.end() :] if one else ""
        named = self.passage.choices.names.mentions(rest) if rest else ()
        return not named or rest[named[-1].end :].strip(" ,") in _OR

    def _scope(self, before: str) -> str:
        """Return the part of a sentence that a negation in it would reach."""
        start = 0
        for taken in TAKEN_UP.finditer(before):
            start = taken.start()
        for contrast in any_phrase(self.cues.contrasts if self.cues else ()).finditer(before):
            if not before.endswith(_NOT, 0, contrast.start()):  # as in "not yet"
                start = max(start, contrast.end())
        despite = _DESPITE.match(before)
        start = max(start, despite.end() if despite else 0)
        for namely in _NAMELY.finditer(before, start):
            start = namely.end()
        return before[start:]

    def _found(self, name: str, part: str) -> bool:
        phrases = getattr(self.cues, name) if self.cues else ()
        return bool(phrases) and any_phrase(phrases).search(part) is not None


def _headed(passage: Passage, each: Named, start: int) -> bool:
    """Say whether a name is said again below itself as a heading: "Flu: the flu is ..."."""
    again = [one for one in passage.within(start, each.start) if one.label == each.label]
    level = passage.given.level
    return bool(again) and _HEADS.fullmatch(level, again[-1].end, each.start) is not None


def _in_a_pair(passage: Passage, each: Named, places: list[Named], number: int) -> bool:
    """Say whether a member stands side by side with another, of which one thing is said."""
    for other in (*places[max(0, number - 1) : number], *places[number + 1 : number + 2]):
        first, second = sorted((each, other))
        if other.label != each.label and side_by_side(passage, first, second):
            return True
    return False


def _alike(passage: Passage, one: Named | Announcement, other: Named | Announcement) -> bool:
    """Say whether the same words lead to two members, or follow them: neither is preferred."""
    if one[-1 if isinstance(one, Named) else 3] == other[-1 if isinstance(other, Named) else 3]:
        return False
    level = passage.given.level
    if not any(map(str.isalpha, level[one.start : one.end])):
        return False
    around = []
    for each in (one, other):
        start, end = passage.sentence_start(each.start), passage.sentence_end(each.end)
        before, after = level[start : each.start].split(), level[each.end : end].split()
        around.append((before[-_ALIKE:], after[:_ALIKE]))
    (before, after), (other_before, other_after) = around
    led = len(before) == _ALIKE and before == other_before
    return led or (bool(after) and after[:1] == other_after[:1] and after[0] not in _WEAK_VERBS)


def _ends_the_text(passage: Passage, each: Named) -> bool:
    """Say whether a letter or number stands in the last sentence, or a name ends it."""
    name, end = passage.text[each.start : each.end], passage.sentence_end(each.end)
    if len(name) > 1 and any(map(str.isalpha, name)):
        begins = not passage.text[passage.sentence_start(each.start) : each.start].strip(" *(")
        others = passage.within(passage.sentence_start(each.start), each.start)
        beside = bool(others) and _beside(passage, others[-1], each)
        fragment = begins and passage.text[each.end : each.end + 1] in {",", "(", ":"}
        if (begins and not fragment) or beside or end - each.end > _NEAR_END:
            return False
        if _DESCRIBES.match(passage.text, each.end) or _is_subject(passage, each):
            return False
        if _ONLY_IF.search(passage.given.level, each.end, end):
            return False
    return not passage.text[end:].strip(" .!\n*\"')。")


def _is_subject(passage: Passage, each: Named) -> bool:
    """Say whether a clause begins with a name and goes on to say something of it."""
    start, text = passage.sentence_start(each.start), passage.text
    clause = _CLAUSE.split(text[start : each.start])[-1].strip(" *_\"'(").lower()
    return clause in _ARTICLES and _GOES_ON.match(text, each.end) is not None


def _beside(passage: Passage, one: Named, other: Named) -> bool:
    """Say whether two members stand side by side, or one before the other in an order."""
    between = passage.text[one.end : other.start].strip()
    return between in {">", ">>"} or side_by_side(passage, one, other)


def _one_of_many(passage: Passage, each: Named, places: list[Named]) -> bool:
    """Say whether a member is one of a list: of lines, or of three or more in one sentence."""
    names = passage.within(passage.sentence_start(each.start), each.start)
    many = len({other.label for other in names} - {each.label}) >= _MANY
    if many and _JOIN.search(passage.text, names[-1].end, each.start):
        return True
    text = passage.text
    start = text.rfind("\n", max(0, each.start - _LINE_REACH), each.start) + 1
    if not _begins_with(text, start, each.start):
        return False
    near = {_begins_line(text, start, step, places) for step in (-1, 1)}
    return bool(near - {None, each.label})


def _begins_line(text: str, start: int, step: int, places: list[Named]) -> str | None:
    """Return the member that the line before or after a line begins with."""
    if step < 0:
        above = text[max(0, start - _LINE_REACH) : start].rstrip()
        begin = max(0, start - _LINE_REACH) + above.rfind("\n") + 1
    else:
        end = text.find("\n", start)
        begin = len(text) if end < 0 else end + 1
        begin += len(text[begin : begin + 40]) - len(text[begin : begin + 40].lstrip())
    for each in places:
        if begin <= each.start <= begin + 12 and _begins_with(text, begin, each.start):
            return each.label
    return None


def _begins_with(text: str, start: int, end: int) -> bool:
    """Say whether a line has nothing but marks, and perhaps a letter, before a place."""
    before = text[start:end]
    if before.rstrip().endswith(_AFTER_LETTER):
        before = _OWN_LETTER.sub("", before)
    return not before.strip(_BEGINS_LINE)
