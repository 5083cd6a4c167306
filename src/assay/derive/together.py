"""That all members of a set apply, or both of two: said of them together, in several languages.

Where a member says so ("all of the above"), it is the answer; else none is preferred.
"""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assay.derive.mentions import Folded
from assay.derive.wordings import Wordings, words_of

if TYPE_CHECKING:
    from assay.derive.choices import Choices

__all__ = ["all_member", "said_of_all"]

_NOUN = (
    r"(?:options|choices|answers|alternatives|statements|sentences|propositions|claims|assertions|items"
    r"|réponses|affirmations|opciones|alternativas|respuestas|afirmaciones|proposiciones|opções|respostas|afirmações|afirmativas"
    r"|opzioni|risposte|affermazioni|alternative|antworten|antwortmöglichkeiten|aussagen|optionen|варианты|ответы|утверждения)"
)
_RIGHT = (
    r"(?:correct|right|true|valid|accurate|applicable|acceptable|richtig|korrekt|wahr|zutreffend|correct[eao]s?|correct[eao]?s|exactes?|vraies?|justes"
    r"|verdader[ao]s|ciert[ao]s|válid[ao]s|corret[ao]s|certas|corrette|giuste|vere|esatte|верны|правильны)"
    r"(?! (?!and |because|since|as |in |so |according|given|based|here|und |et |y |e |denn|weil|car |porque|pois|perché)\w)"
)
_OF = r"(?:of )?(?:the |these |those |them |it )?(?:\w+ )?"
_ALL = Wordings(
    rf"""
    (?:all|both) {_OF}(?:{_NOUN} )?(?:are|were|seem|appear|can be|could be) (?:all |both |also |equally |therefore |considered )*{_RIGHT}
    (?:each|every one) of (?:the |these |them )?(?:\w+ )?(?:{_NOUN} )?(?:is {_RIGHT}|applies)
    all {_OF}(?:{_NOUN} )?(?:apply|applies|fit the description)
    all {_OF}(?:{_NOUN} )?(?:are|is) (?:\w+ )?features?
    (?:toutes|tous) (?:les|ces) (?:\w+ )?{_NOUN} (?:\w+ )?(?:sont|semblent) (?:\w+ )?{_RIGHT}
    (?:todas|todos|ambas) (?:(?:l|e[ls]t|ess|es)?[aeo]s )?(?:\w+ )?{_NOUN} (?:\w+ )?(?:son|están|estão|são|parecen) {_RIGHT}
    (?:tutte|entrambe) (?:e \w+ )?(?:le|queste) (?:\w+ )?{_NOUN} (?:\w+ )?sono {_RIGHT}
    (?:alle|beide|sämtliche) (?:\w+ )?{_NOUN} (?:sind|erscheinen) (?:\w+ )?{_RIGHT} | alle (?:\w+ )?{_NOUN} treffen (?:\w+ )?zu
    все (?:\w+ )?{_NOUN} {_RIGHT}
    """,
    unspaced="(?:所有|全部|以上)(?:的)?(?:选项|答案|说法)?(?:都|均|皆|全)?是?(?:正确|对的)|(?:すべて|全て)(?:の選択肢)?(?:が|は)?(?:正し|当てはま)",
)
_TWO = re.compile(
    rf"(?<!\w)both (?:of )?(?:the |these )?(?:{_NOUN}|(?:{_NOUN} )?\(?a\)? and \(?b\)?)(?:, [^,]+,)? (?:are|seem|sound|appear|could|can|use)(?!\w)"
    r"(?! (?:not|\w+ not|in(?:correct|valid|appropriate)|wrong|false|un\w+|neither|rejected|out(?!\w)))"
)
"""what is said of both of two"""
_EXCEPT = re.compile(
    r"(?<!\w)(?:except|but|apart|save|other than|excepto|salvo|menos|sauf|excepté|außer|bis auf|tranne|eccetto|кроме)(?!\w)|除"
)
_NOT_ALL = re.compile(
    r"(?<!\w)(?:not|n't|if|whether|wenn|ob|falls|nicht|pas|no|não|non|si|se|не|если)(?: \w+)? $"
)
_ALL_ABOVE = re.compile(
    r"\W*(?:all (?:of )?(?:the |these |them)?(?:above|listed|of the above|options|answers)?|all of these"
    r"|alle (?:der )?(?:genannten|oben genannten|antworten)|toutes (?:les réponses|ces réponses|les propositions)(?: ci-dessus)?"
    r"|tod[ao]s l[ao]s (?:anteriores|opciones)|todas as (?:anteriores|alternativas(?: anteriores)?)|tutte le (?:precedenti|risposte(?: precedenti)?)"
    r"|все (?:вышеперечисленное|перечисленное)|以上(?:都是|皆是|均是|选项均正确)|すべて)\W*",
    re.IGNORECASE,
)
_WORDS = words_of(
    "all both each every toutes tous todas todos ambas tutte entrambe alle beide sämtliche все"
)
_PAIR, _ENDS = frozenset("AB"), re.compile(r"[.!?;\n]")
_COMBINES = re.compile(
    r"(?<!\w)(?:I{2,3}|IV|I(?= only|,| and|$)|[Oo]nly|[Bb]oth|[Nn]either|[Ss]olo|[Aa]mbas?|[Tt]rue)(?!\w)|[\u2460-\u2469]"
)
_STATEMENTS = re.compile(
    r"statement|sentence|proposition|claim|assertion|affirm|afirm|afferm|aussage|утвержд|说法"
)
"""options that combine what is numbered, and words for what they combine"""
_BEFORE, _END = 30, 400
"""characters at the end in which this counts"""


def all_member(choices: Choices) -> str | None:
    """Return the member that says that all others apply.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> all_member(Choices.of(LabelSet.of_options(["fever", "cough", "Todas las anteriores"])))
    'C'
    """
    names = (name for name in choices.owner if _ALL_ABOVE.fullmatch(name))
    return next((choices.owner[name] for name in names), None)


def said_of_all(given: Folded, choices: Choices, start: int, end: int) -> tuple[int, int] | None:
    """Return where a part of a text says last that all members apply, or both of two.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of_options(["fever", "cough"]))
    >>> said_of_all(fold("So both options are valid."), choices, 0, 26)
    (3, 25)
    """
    if given.level.isascii() and _WORDS.isdisjoint(given.words):
        return None
    level = given.level
    start = max(start, end - _END)
    spans = [each for each in _ALL.spans(level, start) if each[1] <= end]
    if choices.letters.keys() == _PAIR:
        spans += [each.span() for each in _TWO.finditer(level, start, end)]
    combines = any(map(_COMBINES.search, choices.owner))
    for first, last in sorted(spans, reverse=True):
        stop = _ENDS.search(level, last)
        excepted = _EXCEPT.search(level, last, stop.start() if stop else end)
        of_parts = combines and _STATEMENTS.search(level, first, last)
        if not (excepted or of_parts or _NOT_ALL.search(level, max(0, first - _BEFORE), first)):
            return first, last
    return None
