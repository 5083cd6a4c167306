"""Answers that are a member in another spelling: 0.5 for 1/2, "Borderline PD", "Only II"."""
# ruff: noqa: E501 - one wording per line

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.derive import patterns as re
from assay.derive.mentions import Folded
from assay.derive.wordings import Wordings, words_of

if TYPE_CHECKING:
    from assay.derive.choices import Choices
    from assay.derive.labels import LabelSet

_NUMBER = re.compile(
    r"([-+]?)[$\u20ac\u00a3]?(\d{1,12}(?:\.\d{1,12})?|\.\d{1,12})(?:/(\d{1,12}))?(%?)"
)
_ABOUT = re.compile(r"^\s*(?:approximately|about|roughly|around|approx\.?|≈|~)\s*", re.IGNORECASE)
_ROUNDED = re.compile(r"-?\d{1,12}\.(\d{2,12})")
_FRACTION = re.compile(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}")
_PERCENT = re.compile(r"\s*(?:%|per ?cent|prozent|pour cent|por ciento)", re.IGNORECASE)
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
IN_WORDS = {word: number for number, word in enumerate(_UNITS)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}
_LETTERS = 26
_PARTS = {
    "half": Fraction(1, 2),
    "third": Fraction(1, 3),
    "quarter": Fraction(1, 4),
    "thirds": Fraction(1, 3),
    "quarters": Fraction(1, 4),
}
_BOTH = re.compile(
    r"(?:both )?\(?([a-z])\)?(?: and | & |\+)\(?([a-z])\)?(?: only| are (?:correct|true))?"
)
_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_TOKEN = re.compile(r"[^\W_]+")
_STOP = words_of("and the only statement statements just both")
_ROMAN = {"1": "i", "2": "ii", "3": "iii", "4": "iv", "5": "v"}
_KINDS_OF_THING = words_of(
    "disorder disorders syndrome illness disease condition episode the a an of"
)
_ASIDE = re.compile(r"[(\[][^()\[\]]*[)\]]")
_MERELY = words_of(
    "the a an of to in for and with by on at is are administer initiate start begin perform give"
    " order obtain prescribe provide use get arrange immediate immediately urgent"
)
"""words of an answer that need not be in the option that it is"""
_DENIALS = words_of("no not never without except avoid none neither stop discontinue")
_STEM, _LEAST_WORD = 7, 3
_DENIED = re.compile(r"^(?:not |non[ -]|no )")
"""with what a name begins that denies another one"""
_MOST, _PAIR, _WHOLE = 60, 2, 100
"""characters of an answer that is compared"""


_NO_INITIALS = words_of("the an of to in for and or is are be by on at as it we he no if so do")
"""words that the initials of a name might be"""


def pair_initials(name: str) -> Iterator[str]:
    """Yield the initials of a name of two words, by which it may be called where nothing else is.

    Examples
    --------
    >>> [*pair_initials("Pulmonary embolism")], [*pair_initials("Not obese")]
    (['pe'], [])
    """
    words = name.partition("(")[0].lower().split()
    both = "".join(each[0] for each in words)
    if len(words) == _PAIR and both.isascii() and both.isalpha() and both not in _NO_INITIALS:
        yield both


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
_A_AND_B, _ENDS = frozenset("AB"), re.compile(r"[.!?;\n]")
_COMBINES = re.compile(
    r"(?<!\w)(?:I{2,3}|IV|I(?= only|,| and|$)|[Oo]nly|[Bb]oth|[Nn]either|[Ss]olo|[Aa]mbas?|[Tt]rue)(?!\w)|[\u2460-\u2469]"
)
_STATEMENTS = re.compile(
    r"statement|sentence|proposition|claim|assertion|affirm|afirm|afferm|aussage|утвержд|说法"
)
"""options that combine what is numbered, and words for what they combine"""
_BEFORE, _REACH = 30, 400
"""characters at the end in which this counts"""


def equivalent(answer: str, choices: Choices) -> str | None:
    """Return the one member that an answer is in another spelling; None where it is none.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> choices = Choices.of(LabelSet.of_options(["1/2", "24"]))
    >>> equivalent("0.5", choices), equivalent("twenty-four", choices), equivalent("3", choices)
    ('A', 'B', None)
    """
    if len(answer) > _MOST:
        return None
    forms = _forms(tuple(choices.owner.items()))
    answer = _ABOUT.sub("", answer)
    same = _amount(answer)
    for form in (same, *_spellings(answer), same and _as_share(*same)):
        label = forms.get(form) if form else None
        if label:
            return label
    rounded = _ROUNDED.fullmatch(answer.strip(" $.*"))
    near = [
        label
        for form, label in forms.items()
        if rounded and isinstance(form, tuple) and isinstance(form[0], Fraction)
        if round(form[0], len(rounded[1])) == Fraction(rounded[0]) and form[0].denominator > 1
    ]
    if len(near) == 1:
        return near[0]
    return _shortened(answer, choices) or stemmed(answer, choices)


def dates(name: str) -> Iterator[str]:
    """Yield a date in figures, month first, as texts write it.

    Examples
    --------
    >>> [*dates("06/02/1943")][:3], [*dates("1/2")]
    (['6/2/1943', 'June 2, 1943', 'June 2nd, 1943'], [])
    """
    found = _DATE.fullmatch(name)
    if found is None or not 1 <= int(found[1]) <= len(_MONTHS):
        return
    month, day, year = _MONTHS[int(found[1]) - 1], int(found[2]), found[3]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day not in {11, 12, 13} else 0, "th")
    if not name.startswith(shown := f"{int(found[1])}/{day}/"):
        yield f"{shown}{year}"
    for each in (month, month[:3]):
        yield from (f"{each} {day}, {year}", f"{each} {day}{ending}, {year}")
        yield from (f"{day} {each} {year}", f"{day}{ending} of {each} {year}")


def numerals(figures: str) -> Iterator[str]:
    """Yield a whole number from 2 to 99 in English words.

    Examples
    --------
    >>> [*numerals("18")], [*numerals("24")], [*numerals("1")]
    (['eighteen'], ['twenty four'], [])
    """
    number = (
        int(figures) if figures.isascii() and figures.isdigit() and len(figures) < _PAIR + 1 else 0
    )
    tens, unit = divmod(number, 10)
    if 1 < number < len(_UNITS):
        yield _UNITS[number]
    elif number and tens > 1:
        yield f"{_TENS[tens - 2]} {_UNITS[unit]}" if unit else _TENS[tens - 2]


def in_words(text: str, choices: Choices) -> str | None:
    """Return the member that is a number or part in English words, as in "one third"."""
    amount = _in_words(text) if text.replace(" ", "").isalpha() else None
    return _forms(tuple(choices.owner.items())).get(amount) if amount else None


def begins_several(answer: str, choices: Choices) -> bool:
    """Say whether several options begin with the one word of an answer, as "No, because ..." do.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> options = Choices.of(LabelSet.of_options(["Yes, always", "No, never", "No, rarely"]))
    >>> begins_several("No", options), begins_several("Yes", options)
    (True, False)
    """
    word = answer.strip(" .*").lower()
    if not word.isalpha() or not choices.letters:
        return False
    begin = {
        label for name, label in choices.owner.items() if _TOKEN.findall(name.lower())[:1] == [word]
    }
    return len(begin) > 1


def both_of(labels: frozenset[str], choices: Choices) -> str | None:
    """Return the option that says that two others both apply, or all others.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> choices = Choices.of(LabelSet.of_options(["fever", "cough", "Both A and B"]))
    >>> both_of(frozenset("AB"), choices)
    'C'
    """
    for name, label in choices.owner.items():
        found = _BOTH.fullmatch(name.strip().lower()) if choices.letters else None
        if found and {choices.letters.get(each.upper()) for each in found.groups()} == labels:
            return label
    everything = all_member(choices)
    return everything if labels | {everything} == {*choices.owner.values()} else None


def listed_members(text: str, choices: Choices) -> int:
    """Return how many options a text lists by letter and text, with nothing else in it.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> listed_members("A. 12 B) 18", Choices.of(LabelSet.of_options(["12", "18", "24"])))
    2
    """
    rest, n = "".join(_TOKEN.findall(text.lower())), 0
    for letter in choices.letters:
        own = "".join(_TOKEN.findall(f"{letter} {choices.text_of(letter)}".lower()))
        if len(own) > 1 and rest.startswith(own):
            rest, n = rest[len(own) :], n + 1
    return 0 if rest else n


@lru_cache(maxsize=64)
def _forms(owner: tuple[tuple[str, str], ...]) -> Mapping[object, str]:
    """Return the members by what they are in any spelling, where that is one of them."""
    owners: dict[object, set[str]] = {}
    for name, label in owner:
        for form in filter(None, (_amount(name), *_spellings(name))):
            owners.setdefault(form, set()).add(label)
    return {form: min(own) for form, own in owners.items() if len(own) == 1}


def _spellings(text: str) -> tuple[object, ...]:
    """Return a text as one word, and the words of it that matter in any order."""
    said = _TOKEN.findall(text.lower())
    words = [] if all(map(str.isdigit, said)) else [_ROMAN.get(each, each) for each in said]
    matter = tuple(sorted(each for each in words if each not in _STOP))
    return ("".join(words), matter or None) if len(words) > 1 else ()


def _amount(text: str) -> tuple[Fraction, str] | None:
    """Return a number, and whether it is a share; None where a text is anything else."""
    plain = (
        text.strip().lstrip("$* ").rstrip("$*. ").replace("\N{MINUS SIGN}", "-").replace(",", "")
    )
    percent = _PERCENT.search(plain)
    if percent and percent.end() == len(plain):
        plain = f"{plain[: percent.start()]}%"
    plain = _FRACTION.sub(r"\1/\2", plain)
    found = _NUMBER.fullmatch(plain.replace(" ", ""))
    if found is None:
        return _in_words(plain)
    value = Fraction(found[2]) / (int(found[3]) or 1 if found[3] else 1)
    return (-value if found[1] == "-" else value), found[4]


def _as_share(value: Fraction, sign: str) -> tuple[Fraction, str] | None:
    """Return a share in per cent as a part of one, and the other way round."""
    if sign:
        return value / _WHOLE, ""
    return (value * _WHOLE, "%") if 0 < value < 1 else None


def _in_words(text: str) -> tuple[Fraction, str] | None:
    """Return a number below a hundred, or a part of one, in English words."""
    words = text.lower().replace("-", " ").split()
    sign = -1 if words[:1] in (["minus"], ["negative"]) else 1
    words = [each for each in words[sign < 0 :] if each not in {"a", "an", "and"}]
    if words and words[-1] in _PARTS and len(words) <= _PAIR:
        n = IN_WORDS.get(words[0], 1) if len(words) == _PAIR else 1
        return sign * n * _PARTS[words[-1]], ""
    if not words or len(words) > _PAIR or any(each not in IN_WORDS for each in words):
        return None
    if len(words) == _PAIR and not (words[0] not in _UNITS and words[1] in _UNITS):
        return None
    return Fraction(sign * sum(IN_WORDS[each] for each in words)), ""


def _shortened(answer: str, choices: Choices) -> str | None:
    """Return the one member whose words an answer has, some of them by their initials."""
    given = [each.lower() for each in _TOKEN.findall(answer)]
    found = {
        label
        for name, label in choices.owner.items()
        if given and _abbreviates(given, [each.lower() for each in _TOKEN.findall(name)])
    }
    return found.pop() if len(found) == 1 else None


def stemmed(answer: str, choices: Choices, *, whole: bool = True) -> str | None:
    """Return the one member whose words begin as those of an answer do, all or some of them."""
    given = _stems(answer)
    if not given or choices.letters:
        return None
    names = ((_stems(name), label) for name, label in choices.owner.items())
    found = {label for own, label in names if given == own or (given < own and not whole)}
    return found.pop() if len(found) == 1 else None


def held_by_one(answer: str, choices: Choices) -> str | None:
    """Return the one option that has all words of an answer, some by their initials.

    What one is told to do with it ("start", "give") and what stands in brackets does not matter.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> options = LabelSet.of_options(["Computed tomography of the head", "An x-ray of the chest"])
    >>> held_by_one("Obtain a head CT (at once)", Choices.of(options))
    'A'
    """
    if not choices.letters:
        return None
    said = _ASIDE.sub(" ", answer).lower()
    found = {
        label
        for name, label in choices.owner.items()
        for joint in ("", " ")
        if name not in choices.letters
        and _holds(*(_TOKEN.findall(each.replace("-", joint)) for each in (name.lower(), said)))
    }
    return found.pop() if len(found) == 1 else None


def _holds(name: list[str], said: list[str]) -> bool:
    """Say whether a name has all words that are said, and denies nothing that they do not."""
    words = [each for each in said if each not in _MERELY]
    begin = {each[:_STEM] for each in name}
    short = {
        "".join(each[0] for each in name[at : at + n])
        for n in (_PAIR, _PAIR + 1)
        for at in range(len(name) - n + 1)
    }
    alike = all(each[:_STEM] in begin or each in short for each in words)
    long = any(len(each) > _LEAST_WORD and each[:_STEM] in begin for each in words)
    plain = all(map(str.isalpha, words)) and _DENIALS.isdisjoint({*name} - {*said})
    return alike and long and plain


def _stems(name: str) -> frozenset[str]:
    words = (each for each in _TOKEN.findall(name.lower()) if each.isalpha())
    # Schizophreniform is not schizophrenic.
    return frozenset(
        each[:_STEM] + "form" * each.endswith("form")
        for each in words
        if each not in _KINDS_OF_THING
    )


def _abbreviates(given: list[str], name: list[str]) -> bool:
    """Say whether every word is one of a name, or the initials of two and more that follow."""
    at, n_short = 0, 0
    for word in given:
        if at < len(name) and word == name[at]:
            at += 1
            continue
        initials = "".join(each[0] for each in name[at : at + len(word)])
        if len(word) < _PAIR or initials != word or word.isdigit():
            return False
        at, n_short = at + len(word), n_short + 1
    return at == len(name) and n_short == 1


def denials(name: str, labels: LabelSet) -> Iterator[str]:
    """Yield how else a name is said that denies another one of the set.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> [*denials("Not legal", LabelSet.of(["Legal", "Not legal"]))]
    ['not legal', 'no legal', 'non legal', 'nonlegal', 'illegal']
    >>> [*denials("incorrect", LabelSet.of(["correct", "incorrect"]))]
    ['wrong']
    """
    bare = _DENIED.sub("", name.strip().lower())
    if bare == "incorrect" and labels.named("correct"):
        yield "wrong"
    if labels.named(bare) in {None, labels.named(name)} or not bare.isalpha() or not bare.isascii():
        return
    begins = {"r": "ir", "l": "il", "m": "im", "p": "im"}.get(bare[0])
    yield from (f"{each}{bare}" for each in ("not ", "no ", "non ", "non", begins) if each)


def all_member(choices: Choices) -> str | None:
    """Return the member that says that all others apply."""
    names = (name for name in choices.owner if _ALL_ABOVE.fullmatch(name))
    return next((choices.owner[name] for name in names), None)


def said_of_all(given: Folded, choices: Choices, start: int, end: int) -> tuple[int, int] | None:
    """Return where a part of a text says last that all members apply, or both of two."""
    if given.level.isascii() and _WORDS.isdisjoint(given.words):
        return None
    level = given.level
    start = max(start, end - _REACH)
    spans = [each for each in _ALL.spans(level, start) if each[1] <= end]
    if choices.letters.keys() == _A_AND_B:
        spans += [each.span() for each in _TWO.finditer(level, start, end)]
    combines = any(map(_COMBINES.search, choices.owner))
    for first, last in sorted(spans, reverse=True):
        stop = _ENDS.search(level, last)
        excepted = _EXCEPT.search(level, last, stop.start() if stop else end)
        of_parts = combines and _STATEMENTS.search(level, first, last)
        if not (excepted or of_parts or _NOT_ALL.search(level, max(0, first - _BEFORE), first)):
            return first, last
    return None


def own_names(labels: LabelSet) -> dict[str, tuple[str, ...]]:
    """Return the names of each label; an option with a number has a letter too.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> own_names(LabelSet.of_options({"1": "flu", "2": "cold"}))
    {'1': ('A', '1', 'flu'), '2': ('B', '2', 'cold')}
    """
    texts = "".join(each for label in labels.labels for each in label.names[1:])
    keyed = all(each.name.isdigit() and len(each.names) > 1 for each in labels.labels)
    keyed = keyed and not any(map(str.isdigit, texts.split())) and len(labels.labels) < _LETTERS
    return {
        label.name: (chr(ord("A") + place), *label.names) if keyed else label.names
        for place, label in enumerate(labels.labels)
    }
