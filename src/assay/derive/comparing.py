"""Which of two things that are compared a text prefers, or that it finds them equal.

Only for sets whose members are two of a kind, such as "Response 1" and "Response 2", perhaps with
one for a tie.
"""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from assay.derive import patterns as re
from assay.derive.choices import Choices
from assay.derive.naming import Announcement, Passage
from assay.derive.wordings import words_of

_THINGS = "assistant|response|answer|output|model|candidate|text|system|completion|solution|translation|essay|argument|document|passage|headline|generation|chatbot|bot|agent|version|poem|speaker|player"
_KIND = rf"(?:{_THINGS}|summary|reply|story)"
_KINDS = rf"(?:(?:{_THINGS})s|summaries|replies|stories|ones)"
_MEMBER = re.compile(
    rf"(?:(?P<kind>{_KIND}) ?)?[(\[]?(?P<key>[a-d1-4])[)\]]?(?: (?:is|was)(?: \w+)? (?:better|preferred|best)| wins)?"
)
_TIE = re.compile(
    r"(?:an? )?(?:tied?|draw)(?: \W?(?P<bad>both ?bad)\W?)?|equal(?:ly (?:good|bad))?|(?:both )?(?:(?:are )?(?:about )?(?:the )?(?:equal|same|similar|comparable|good|(?P<poor>bad)))(?:ly (?:good|bad))?"
    r"|both|neither(?: is better)?|no (?:clear )?(?:preference|difference|winner)|equivalent|identical"
)
"""what the member for a tie is called"""
_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3}
_ONE = re.compile(
    rf"(?<![\w'])(?:{_KIND} ?[(\[]?(?P<key>[a-d1-4])[)\]]?|(?:^|(?<=[.!?;,:] )|(?<=so )|(?<=think )|(?<=that ))(?P<bare>[a-d])(?= (?:is (?:\w+ )?(?:better|preferable|superior)|wins)(?!\w))|(?:the )?(?P<place>first|second|third|fourth) (?:{_KIND}|one))(?!\w)"
)
"""one of the things that are compared"""
_BE = r"(?:is|was|seems|appears|feels|looks|would be|must be|should be|stands out as|comes out as|emerges as|remains)"
_BETTER = re.compile(
    rf"[*_\"'”)\] ]{{0,4}}(?:'s {_KIND})?(?: {_BE}(?: to be)?(?: (?!not|no|less|nor|only|if)\w+){{0,3}}? (?:better|superior|preferable|preferred|stronger|favou?red|(?:the|a) (?:\w+ ){{0,2}}?(?:winner|better|best|stronger|superior|preferred|preferable)(?: (?:{_KIND}|one|choice|option))?)"
    r"|(?: \w+ly)? (?:wins|outperforms|beats|surpasses|edges out|comes out (?:ahead|on top)|has (?:an?|the) (?:\w+ )?(?:edge|advantage))|(?: \w+ly)? (?:does|did) (?:an?|the) (?:\w+ )?better job)"
    r"(?=[\s*_\"')\]]*(?:[.,;:!]|$)| (?:than|because|since|as|due|overall|here|and|by|of (?:the )?(?:two|both|these)|for (?:this|these|several|two|three|the following)|in (?:this|that|my|our|every|both|executing|following|answering))(?!\w)| (?:the )?(?:other|first|second|assistant|response|output|model|answer)(?!\w))"
)
"""that what was named before is the better one, and not in one respect only"""
_NOT_SO = re.compile(
    r"(?<!\w)(?:although|though|while|whereas|even if|if|whether|unless|when|where|why|which|some|many|one (?:might|could|may)|might|could|not|never|nor|hardly|cannot)(?!\w)[^,;:]*$|n't(?!\w)[^,;:]*$"
)
"""what stands before in a sentence that concedes, supposes or denies what it says"""
_MORE = re.compile(
    rf"[*_\"'”)\] ]{{0,4}}(?:'s {_KIND})? (?:{_BE}|does|gives|provides|offers|contains|has|makes|presents|shows|includes)(?: (?!not|no|less|nor|only|if)\w+){{0,2}}? (?:an? |the )?(?:(?:much|far|slightly|somewhat|clearly|significantly|a bit|a little) )?(?:better|more(?! or less|over) \w+|clearer|stronger|fuller|richer)(?!\w)(?![^.,;]*(?<!\w)if(?!\w))"
)
"""that it is better in some respect"""
_WORSE = re.compile(
    rf"[*_\"'”)\] ]{{0,4}}(?:'s {_KIND})?(?:(?: \w+ly)? (?:leaves out|misses|omits|lacks|fails|ignores|overlooks|(?:contains|makes|has) (?:an?|some|several|many|the) (?:\w+ )?(?:errors?|mistakes?|inaccurac\w+|flaws?))"
    rf"| {_BE} (?:\w+ly |also |just )?(?:not (?:quite |nearly )?(?:as|so) \w+ as|(?:the )?(?:worse|weaker|inferior|worst|weakest)|less \w+|incorrect|wrong|inaccurate|incomplete|off topic))(?!\w)"
)
"""that it is worse, or lacks something"""
_SCORED = re.compile(
    rf"[*_\"'”)\] ]{{0,4}}(?:'s (?:{_KIND}|score|rating))?(?: (?:scores|gets|receives|deserves|earns|is rated(?: at| as)?|rates|has|would get|score|rating))?[\s*_:=(\u2013-]{{1,6}}(?:an? |of )?(\d{{1,3}}(?:\.\d+)?)(?![\w%.]|,\d)"
)
"""with what score it is marked"""
_CHOSEN = re.compile(
    r"(?<!\w)(?:(?:i|we|i'd|i'll)(?: would| will| clearly| slightly| strongly)* (?:prefer|choose|pick|select|favou?r|go with|opt for|vote for|side with)|my (?:choice|preference|vote|pick) (?:is|would be|goes to)) (?:for )?[*_\"'“]{0,3}$"
)
_ALIKE = r"(?:good|well|bad|badly|poor|poorly|strong|weak|helpful|unhelpful|correct|accurate|valid|wrong|incorrect|informative|useful|effective|clear|detailed|relevant|capable|matched|convincing|plausible|acceptable|satisfactory)"
_NEARLY = r"(?:(?:nearly|almost|virtually|essentially|practically|basically|completely|exactly|roughly|about|more or less|very much|of) )?"
_EQUAL = re.compile(
    rf"(?<!\w)(?:(?:equally|similarly|comparably) {_ALIKE}|{_NEARLY}(?:identical|indistinguishable|equivalent|comparable|on (?:a )?par|tied|evenly matched|equal)(?= (?:in (?:overall )?(?:quality|content|value|every|all)|responses?|answers?|outputs?|and|overall|to each|with each)(?!\w)|\W*$|[.,;:])"
    r"|(?:they(?:'re| are)|both are|the two are) (?:\w+ )?(?:the same|alike|similar)(?=\W*$|[.,;:])|(?:of|in|have) (?:the same|equal|comparable|similar) (?:overall )?quality|(?:just )?as good as (?:the other|each other|one another)"
    r"|no (?:\w+ )?(?:winner|preference|difference|advantage|reason to prefer)(?! of opinion| in (?!quality|overall))"
    rf"|neither (?:of \w+ (?:\w+ )?|{_KIND} |one )?(?:is|was|stands out|has|can be called|performs|seems|appears)(?: (?!wrong|bad|perfect)\w+){{0,3}}? ?(?:better|superior|preferable|stronger|edge|advantage|preferred|worse|stands out|winner)"
    r"|(?:it|this|that|this one|the (?:result|outcome|verdict|comparison))(?:'s| is| ends in| would be| as)? (?:therefore |clearly |effectively |basically )?(?:an? )?(?:tie|draw|dead heat|stalemate)|(?<=[.!?:] )(?:an? )?(?:tie|draw|dead heat)(?=[.!]|\W*$)|(?:call|declare|judge|rate|consider|score) (?:it|this|them|the two)(?: as)? (?:an? )?(?:tie|draw|equal)"
    r"|(?:cannot|can't|can not|could not|hard to|difficult to|impossible to|unable to) (?:\w+ )?(?:prefer|choose|pick|favou?r|decide|separate) (?:between|either|one (?:of \w+ )?over)"
    r")(?!\w)"
)
_RESPECT = re.compile(
    r" (?:in (?:terms of|(?:its|their|tone|length|style|format|structure|many|some|most|that)(?!\w))|regarding|with (?:respect|regard)|as far as|at \w+ing)"
)
_BUT = re.compile(
    r"(?<!\w)(?:but|however|although|though|yet|nevertheless|still|whereas|while|except|only|slight|slightly|edge|prefer|better|more|less|instead|unlike)(?!\w)"
)
"""what sets two things apart after all"""
_BOTH = re.compile(
    rf"\W*(?:both (?:of )?(?:the |these )?(?:two )?(?:\w+ )?{_KINDS}|(?:the|these) two (?:\w+ )?{_KINDS}|neither (?:of (?:the |these )?(?:two )?{_KINDS}|{_KIND})|they both|both are)(?!\w)"
)
"""who says something of both at once"""
_FAIL = words_of(
    "fail fails failed wrong incorrect bad poor poorly unhelpful harmful irrelevant neither"
)
_LOOKED = words_of(
    "better superior preferable preferred stronger favored favoured winner best wins outperforms beats surpasses edge edges advantage ahead top prefer choose pick select favor favour go opt vote side choice preference"
)
_EQUALS = words_of(
    "equally similarly comparably identical indistinguishable equivalent comparable par tied evenly equal same similar good winner preference difference advantage reason neither tie draw heat stalemate prefer choose pick favor favour decide separate"
)
_PAIR, _FEW, _TRIED = 2, 40, 8


class Compared(NamedTuple):
    """A set of things that are compared."""

    labels: Mapping[str, str]
    """the members by their letter or number"""
    tie: str | None
    bad: str | None
    """the member for a tie of two that are bad"""


def compared(choices: Choices) -> Compared | None:
    """Return what a set compares; None where its members are no two of a kind.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> compared(Choices.of(LabelSet.of(["Model A", "Model B", "Tie"]))).tie
    'Tie'
    >>> compared(Choices.of(LabelSet.of(["A", "B", "C"]))) is None
    True
    """
    return _compared(tuple(choices.owner.items()))


@lru_cache(maxsize=64)
def _compared(owner: tuple[tuple[str, str], ...]) -> Compared | None:
    keys: dict[str, str] = {}
    ties: dict[str, bool] = {}
    of_a_kind = False
    for name, label in owner:
        plain = name.lower().replace("_", " ").replace("-", " ").strip()
        member, tie = _MEMBER.fullmatch(plain), _TIE.fullmatch(plain)
        if tie:
            ties[label] = bool(tie["bad"] or tie["poor"]) or plain.startswith("neither")
        elif member:
            keys.setdefault(member["key"], label)
            of_a_kind = of_a_kind or member["kind"] is not None
    keys = {key: label for key, label in keys.items() if label not in ties}
    known = {*keys.values(), *ties}
    whole = known == {label for _, label in owner} and len(keys) == len({*keys.values()}) >= _PAIR
    if not whole or not (of_a_kind or ties or len(keys) == _PAIR):
        return None
    good = [label for label, bad in ties.items() if not bad]
    poor = [label for label, bad in ties.items() if bad]
    return Compared(keys, next(iter(good + poor), None), next(iter(poor + good), None))


def prefers(passage: Passage) -> Announcement | None:
    """Return what a text calls better last, or that it calls both equal after that.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["Output (a)", "Output (b)"]))
    >>> prefers(
    ...     Passage(fold("Output (b) is better. The sum in Output (a) is correct."), choices)
    ... ).answer
    'Output (b)'
    """
    own = compared(passage.choices)
    if own is None:
        return None
    words, found = passage.given.words, None
    if not words.isdisjoint(_LOOKED):
        for start, end, label in _ones(passage, own):
            level = passage.given.level
            better = _BETTER.match(level, end) or _CHOSEN.search(level, max(0, start - _FEW), start)
            if better and _is_said(passage, start, end):
                found = Announcement(start, end, "answered", label, "preferred")
    equal = None if words.isdisjoint(_EQUALS) else _called_equal(passage, own)
    return equal if equal and (found is None or equal.start > found.start) else found


def _ones(passage: Passage, own: Compared) -> Iterator[tuple[int, int, str]]:
    """Yield where one of the things is named, in order."""
    places = {(each.start, each.end, each.label) for each in passage.names}
    labels = [*own.labels.values()]
    for each in _ONE.finditer(passage.given.level):
        place = _PLACES[each["place"]] if each["place"] else -1
        label = own.labels.get(each["key"] or each["bare"] or "")
        label = labels[place] if 0 <= place < len(labels) else label
        if label:
            places.add((*each.span(), label))
    yield from sorted(each for each in places if each[2] in labels)


def _is_said(passage: Passage, start: int, end: int) -> bool:
    """Say whether a sentence says plainly what it says of what it names."""
    level, begin = passage.given.level, passage.sentence_start(start)
    stop = passage.sentence_end(end)
    return level[stop : stop + 1] != "?" and _NOT_SO.search(level, begin, start) is None


def _called_equal(passage: Passage, own: Compared) -> Announcement | None:
    """Return the member for a tie where a text calls both equal, and sets none apart after that."""
    level = passage.given.level
    ones = [*_ones(passage, own)]
    for said in reversed([*_EQUAL.finditer(level)][-_TRIED:]):
        end = passage.sentence_end(said.end())
        begin = passage.sentence_start(said.start())
        names = [each for each in ones if each[0] >= begin]
        within = {label for start, _, label in names if start < end}
        later = any(start > end for start, *_ in names)
        more = level[end + 1 :].strip(" .*\n\"'")
        if (
            later
            or (within and len(within) < len(own.labels))
            or not _is_said(passage, *said.span())
        ):
            continue
        if _BUT.search(level, said.end()) or (more and _RESPECT.match(level, said.end())):
            continue
        return _equally(said, _which(passage, own, begin, end))
    return None


def _equally(said: re.Match[str], tie: str | None) -> Announcement:
    return Announcement(*said.span(), "answered" if tie else "undecided", tie, "tie")


def compares(passage: Passage) -> Announcement | None:
    """Return the one thing that is called better in any respect, else what is said of both."""
    own = compared(passage.choices)
    if own is None:
        return None
    level, better = passage.given.level, list[Announcement]()
    for start, end, label in _ones(passage, own):
        others = [each for each in own.labels.values() if each != label]
        worse = len(others) == 1 and _WORSE.match(level, end)
        if (worse or _MORE.match(level, end)) and _is_said(passage, start, end):
            answer = others[0] if worse else label
            better.append(Announcement(start, end, "answered", answer, "preferred"))
    if len({each.answer for each in better}) == 1:
        return better[-1]
    return None if better else _said_of_both(passage) or _scored(passage, own)


def _scored(passage: Passage, own: Compared) -> Announcement | None:
    """Return the one thing with the highest score, where each has one."""
    marks: dict[str, tuple[float, int]] = {}
    for _, end, label in _ones(passage, own):
        if score := _SCORED.match(passage.given.level, end):
            marks[label] = (float(score[1]), score.start(1))
    best = max(marks.values(), default=(0.0, 0))[0]
    first = [(at, label) for label, (score, at) in marks.items() if score == best]
    if {*marks} != {*own.labels.values()} or (len(first) > 1 and own.tie is None):
        return None
    at, label = first[0]
    return Announcement(at, at + 1, "answered", label if len(first) == 1 else own.tie, "scores")


def _said_of_both(passage: Passage) -> Announcement | None:
    """Return the member for a tie where a short text says one thing of both, and no more."""
    own, level = compared(passage.choices), passage.given.level
    first = _BOTH.match(level) if own else None
    if own is None or first is None or len(level.split()) > _FEW or _BUT.search(level, first.end()):
        return None
    if any(_ones(passage, own)) or level.rstrip().endswith("?"):
        return None
    return _equally(first, _which(passage, own, 0, len(level)))


def _which(passage: Passage, own: Compared, start: int, end: int) -> str | None:
    """Return the member for a tie, or the one for two that are bad."""
    words = {each.strip(".,;:!") for each in passage.given.level[start:end].split()}
    return own.bad if own.bad and not words.isdisjoint(_FAIL) else own.tie
