"""Where a text names members of a closed set: by name, by the letter of an option, by yes or no.

A letter and the text of its option that stand together are one place. Small letters, letters of
other scripts and numbers in circles stand for options where nothing else can be meant.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count, pairwise
from string import ascii_lowercase, ascii_uppercase

from assay import _kernels as kernels
from assay.derive import patterns as re
from assay.derive.choices import Choices, Named
from assay.derive.figures import last_value
from assay.derive.mentions import UNSPACED
from assay.derive.naming import EDGE, Passage, begins_species, letters_of
from assay.derive.passages import hangs
from assay.derive.wordings import VERDICT

_CYRILLIC, _LATIN = re.compile(r"(?<!\w)[АВСЕ](?!\w)"), str.maketrans("АВСЕ", "ABCE")
"""letters that look like Latin ones"""
_ROWS = (
    ("АБВГД", re.compile(r"(?<![\w.])[АБВГД](?=[).:»\]]|$| (?:является|верн|правильн))"), "БГД"),
    (
        "أبجده",
        re.compile(r"(?<![\w.\u064b-\u0652])(?<!\d )(?:[أابجد](?![\w\u064b-\u0652])|ه(?=ـ(?!\w)))"),
        "أابجده",
    ),
    ("①②③④⑤", re.compile("[①-⑤]"), "①②③④⑤"),
    *(
        (
            row,
            re.compile(
                rf"(?<![^\s(\[:*\"'«])[{row}](?=[).:।\]]|\s*$| (?:है|सही|সঠিক|হবে|ถูก|คือ|เป็น))"
            ),
            row,
        )
        for row in ("कखगघङ", "কখগঘঙ", "กขคงจ", "אבגדה", "ΑΒΓΔΕ")
    ),
)
"""letters in the order of other scripts, and numbers in circles, by which options are called"""
# The apostrophe stands first, so that the search can jump from one to the next.
_IS_TURKISH = re.compile(r"['’](?<=[A-Z].)(?<!\w[A-Z].)[dt][iıuü]r(?!\w)")
"""what Turkish says for "is" at the end of a letter"""
_ANSWER = (
    "letra|lettera|lettre|buchstabe|huruf|opción|alternativa|opzione|opção|opcja|optie|pilihan|opsi|antwort|réponse|respuesta|resposta|risposta|antwoord|jawaban|odpowied[źz]|odpověď|odpoveď"
    "|odgovor|válasz|svar|vastaus|răspuns|cevap|yanıt|đáp án|phương án|lựa chọn|ответ|вариант|відповідь|варіант|отговор|απάντηση|उत्तर|विकल्प|الإجابة|คำตอบ"
)
_GOOD = "correct[ae]?|correcto|corretta|certa|bonne|juste|đúng|benar|yang benar|richtige|juiste|poprawna|prawidłowa|správná|doğru|верный|правильный"
"""how other languages call an answer, and the one that is right"""
_SMALL = re.compile(
    r"(?<![\w(])[(\[][a-z](?=[)\]](?!\w))|(?:^|(?<=\n))[ \t*>-]*[a-z](?=[).:][ \t*])"
    r"|(?<![\w(])[a-z](?=\)[\s.,;:*])"
    r"|(?<!\w)(?:it's|choose|pick|select|say|go with) [b-z](?=[.,;:!]|\s*\Z)"
    r"|(?<!\w)[b-z](?= (?:is|was) (?:\w+ )?(?:correct|right|wrong|incorrect)\b)"
    rf"|(?<!\w)(?:[oO]ption|[oO]pt\.?|[cC]hoice|[aA]nswer|[aA]ns\.?|[sS]tatement|[lL]etter|(?i:{_ANSWER}))"
    rf"(?: (?:{_GOOD}))?(?: (?:is|ist|est|es|è|é|to|adalah|là|je|är|er|este|on))?(?: (?:la|el|il|le|der|die|das))? ?:? [*\"'(\[]*"
    r"(?:[b-z](?![\w'’])|a(?=[).,:;*\"'\]]|$| is | because ))"
)
"""a small letter that stands for an option"""
_LONE = re.compile(r"[\s(\[\"'*>-](?:[b-z](?![\w'’])|a(?=[)\].,:;*\"']|\Z| is | because ))")
"""one that might: most texts have none"""
_ALONE_THERE = re.compile(r"\W(?:[b-z](?![\w'’])|a(?=[)\].,:;*\"']|$| is | because ))")
"""where it could be, if there is one"""
_SMALL_UNSPACED = re.compile(
    rf"(?:(?<=[\u3000-\u9fff\uff00-\uffef])[ *_]*|(?:^|(?<=\n))[ \t*>-]*(?=[a-z] ?[\u3000-\u9fff\uff00-\uffef.:)]))"
    rf"(?<![{EDGE}])[a-z](?![{EDGE}])(?! ?[=+*/^<>~])"
)
"""a small letter beside signs of a script without spaces, which is no value there"""
_LAST = re.compile(r"(?:[^\W\d_]{2}|[:,]) \(?(?:(?<=so )|(?<=is )|(?<=: )|(?![AI]$))([A-Z])$")
"""the letter of an option that ends a text, and no article before a word that is cut off"""
_LED_TO = re.compile(
    r"(?:[:,=→]|->|(?<!\w)(?:is|be|say|answer|so|thus|therefore)) [\"'*(]*([^\W\d_]+)$"
)
_AROUND = " *_\"'`.\n“”()[]{}$#"
_LEGEND = 240
"""characters of a legend in brackets at most"""
_BEGINS_WORD = re.compile(r"(?<!\w)\w")
_LED_BY = 30
"""characters of the words that lead to a small letter at most"""
_COUNTED = re.compile(r"\(?a\) ([^().!?\n]{2,80})\(?b\) [^().!?\n]{2}")
_STEM = 4
_IS_ARTICLE = re.compile(r"[AI](?= [a-z])")
_COUNTS_ELSE = (
    r"(?<!\w)(?:(?:question|problem|exercise|chapter|day|week|month|year|age|stage|step|grade|phase|type|table|figure|page|section|part|level|frage|aufgabe|pregunta|pergunta|domanda|вопрос)\w{0,3}(?: (?:is|was))?"
    r"|to|on|in|at|after|before|within|since|from|of|than|about|en|de|auf|nach)[ (]{0,2}\d"
)
"""a number that does not count options"""
_NUMBERED = (
    rf"(?:(?!{_COUNTS_ELSE})[^\d.!?;=^+/\\]){{0,40}}?"
    r"(?<![0-9A-Za-z$€._-])(?<!\d[ ,])(\d(?:\s*(?:,|and|or|y|o|und|oder|et|ou|e|和|と|와|과|및)\s*\d)*)"
    r"(?![A-Za-z%]|[.,]?\d|\s*[-+*/=×]|(?<=\n\d)[.)] [^\n]{1,300}\n+[ *_]*\d[.)] )(?=\s*(?:$|\n|[^\w\s]|番|번|项|個|です|である|が|は|입|이|because|since|as|is|es|porque|ya|que|car|weil|da|est|ist|é|è|for))"
)
_NUMBER = re.compile(
    r"(?:(?<!\w)(?:op(?:tion|ción|zione|ção)|choice|answer|(?:number|n[úu]mero|numéro|nummer)(?! (?:of|d[aeio]s?|der|von)(?!\w))|alternativ[ae]|réponse"
    r"|antwort|respuesta|resposta|risposta|вариант|ответ|номер|boxed|(?:statement|afirma(?:ción|ção)|affirmation|aussage|enunciado)(?=[^\d.!?;:]{0,24} (?:is|es|est|ist|é|è)[ :]))(?!s \d+[.)] )|答案|正解|正答|答え|選択肢|选项|정답|답|第)"
    rf"{_NUMBERED}",
    re.IGNORECASE,
)
"""a number by which an option is called, or several"""
_DIGIT = re.OneOf("0|1|2|3|4|5|6|7|8|9")
_STATEMENT = re.compile(
    rf"(?<!\w)(?:statement|afirma(?:ción|ção)|affirmation|affermazione|proposition|aussage|enunciado|it|this|that)(?!s \d+[.)] ){_NUMBERED}",
    re.IGNORECASE,
)
"""the same where options have numbers"""
_ONLY_NUMBER = re.compile(r"[\s*_\"'#(\[]*(\d)[\s\"')\]]*(?:번|番|[.:*_]*)[\s*.]*")
_BEGINS_NUMBERED = re.compile(r"(?:^|(?<=\n))[ \t*_#>-]*(\d)[.):]+[ *_]*")
_CALLED_SO = re.compile(
    r"(?:op(?:tion|ción|zione|ção)|choice|number|n[úu]mero|numéro|nummer|вариант|номер|選択肢|选项|第)[\s*_\"'(:#]*\Z",
    re.IGNORECASE,
)
"""right before a number that is no value, though options are values"""
_COUNTS = re.compile(r"[1-9](?!\d)|\d+(?:[.,]\d+)?\Z")
_EDGES, _PREFIX = 400, 10
_LEADS = (
    "[oO]ption|[cC]hoice|[aA]nswer|[aA]lternative|[sS]tatement|opción|letra|lettera|opzione"
    "|alternativa"
    "|proposition|вариант|选项|选|答|[sS]o|[tT]hus|[tT]herefore|[hH]ence|is|[aA]ctually|pick|be"
    "|leaves|only"
    "|remains|to|with|[iI]t's"
)
_OPTION = re.compile(
    rf"[(\[]([A-Z])[)\]]|(?<![{EDGE}])([A-Z])(?=\)|选项|が|です|は|[을를은는이가]\s|입니다|이다|번|로 |项?(?:最|正确)|と(?:する|なる|判断|考え|結論)|に(?:する|なる))"
    rf"|(?:{_LEADS}),?\s*:?\s*[*(\"']*([A-Z])(?![{EDGE}])|\*\*([A-Z])\*\*"
    rf"|(?<![{EDGE}])([A-Z])(?= (?:is|it is|fits|remains|matches|seems|appears|must)\b|(?<=[B-DF-H]) (?:ist|est|es|è|é|adalah|jest)\b)"
    rf"|(?:for|of|towards?|favou?rs|supports)\s([A-Z])(?=[.!,;]|$)|(?<=, )([A-Z])(?=[.!]?\s*\Z)"
)
"""a letter that stands for an option, and not for anything else"""
_MAY_BE = re.compile(rf"[A-Z](?<![A-Z0-9].)(?![{EDGE}])")
"""a quick look for one: the letter, of which most texts have none"""
_LED = 3
"""the group of a letter that a word such as "option" leads to"""
_ITS_LETTER = re.compile(
    r"\s*[(\[](?:(?:option|choice|answer|opción|opzione|opção|alternativa|réponse|proposition|antwort|letra|вариант) )?",
    re.IGNORECASE,
)
_ITS_TEXT = re.compile(r"[)\].:*\s\"'-]{1,6}")
OF_A_THING = re.compile(
    r"(?:[∠△▵▲⊙]|(?<!\w)(?:angle|vertex|point|triangle|side|segment|line|circle|plane|matrix|event|set|pipe|tap|train|machine|tank|urn|bag|town|city|player|team|runner|vessel|alloy|node)s?)[\s$]*\Z",
    re.IGNORECASE,
)
"""what stands before a letter by which a thing is called that a question is about"""
_LISTED = re.compile(r"(?<!\w)[A-Z]\s*,\s*(?:and |or )?$")
_ARTICLE = re.compile(r" (?!is|because|since|and|or|as|fits|remains|matches|seems|must)[a-z]")
_ORDINAL = re.compile(
    r"(?<!\w)(?:first|second|third|fourth|fifth|sixth|last|1st|2nd|3rd|4th|5th|6th)"
    r"(?= (?:option|choice|answer|statement|one|alternative|item|candidate|drug|agent"
    r"|of (?:these|them|the (?:options|choices|answers|three|four|five|list)))(?!\w))"
)
"""an option by its place"""
_ORDER = ("first", "second", "third", "fourth", "fifth", "sixth")
_FIGURES = ("1st", "2nd", "3rd", "4th", "5th", "6th")
_LETTERS_REACH, _LINE_REACH = 4000, 400
_UPPER = (0xFF21, 0x24B6, 0x1F110, 0x1F130, 0x1F150, 0x1F170, *range(0x1D400, 0x1D6A4, 52))
_LOWER = (0xFF41, 0x249C, 0x24D0, *range(0x1D41A, 0x1D6A4, 52))
_PLAIN = {
    first + at: letter
    for letters, begin in ((ascii_uppercase, _UPPER), (ascii_lowercase, _LOWER))
    for first in begin
    for at, letter in enumerate(letters)
}
"""letters of full width, in brackets and circles, of emoji and of mathematics, for plain ones"""
_STYLED = re.compile(
    "[\uff21-\uff3a\uff41-\uff5a\u249c-\u24e9\U0001d400-\U0001d6a3\U0001f110-\U0001f189]"
)


def _plain_letters(text: str, choices: Choices) -> str:
    r"""Return a text with letters of full width, in circles and in mathematical type as plain ones.

    Where a member has such a letter in its name, all stay as they are.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> _plain_letters("\uff22, \u24b8, \U0001f173", Choices.of(LabelSet.of_options(["x", "y"])))
    'B, C, D'
    """
    if _STYLED.search(text) is None or any(map(_STYLED.search, choices.owner)):
        return text
    return text.translate(_PLAIN)


def capital_letters(text: str, choices: Choices) -> str:
    """Return a text with the letters of options as capitals of the Latin script.

    Small ones are taken for options only where the text has no capital ones: who writes "(a) ...,
    (b) ..." beside "Option C", or behind it what is no option, counts reasons.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> choices = Choices.of(LabelSet.of_options(["flu", "cold"]))
    >>> capital_letters("So option b) is right.", choices)
    'So option B) is right.'
    >>> capital_letters("It is (a) short and (b) mild.", choices)
    'It is (a) short and (b) mild.'
    """
    text = _numbers_as_letters(text, choices)
    text = _IS_TURKISH.sub(lambda each: " " * len(each[0]), text)
    if not text.isascii():
        text = _of_other_scripts(_plain_letters(text, choices), choices)
    signs = not text.isascii() and UNSPACED.search(text) is not None
    alone, spaced = [at for at in kernels.lone_letters(text) if text[at].islower()], f" {text}"
    may_be = (_LONE.match(text, at - 1) for at in alone if at)
    if not (signs or _LONE.search(spaced[:3]) or any(may_be)):
        return text
    places = [at for at in alone if _ALONE_THERE.match(spaced, at)]
    small = [at for at in places if _is_small_option(text, at)]
    if signs and (more := _small_unspaced(text, choices)):
        small = sorted({*small, *more})
    if not small:
        return text
    large = [each[1] for each in letters_of(text) if not _IS_ARTICLE.match(text, each.start())]
    counted, first = _COUNTED.search(text), choices.text_of("A")
    counts = counted and first and not counted[1].lower().startswith(first[:_STEM].lower())
    if counts or not choices.letters.keys().isdisjoint(large):
        return text
    pieces = (text[before + 1 : at] + text[at].upper() for before, at in pairwise([-1, *small]))
    return "".join((*pieces, text[small[-1] + 1 :]))


def _numbers_as_letters(text: str, choices: Choices) -> str:
    """Return a text with the numbers by which it calls options as their letters."""
    letters = choices.letters
    keyed = bool(letters) and all(map(str.isdigit, letters.values()))
    if not letters or not (keyed or _edges_number(text)):
        return text
    alone = [each.start() for each in letters_of(text) if each[1] in letters]
    if not keyed and any(not _IS_ARTICLE.match(text, at) for at in alone):
        return text
    counted = not keyed and any(map(_COUNTS.match, choices.values))
    order = letters if keyed else dict(zip(letters, map(str, count(1)), strict=False))
    known = {number: letter for letter, number in order.items()}
    signs = [*text]
    for at in alone if keyed else ():
        signs[at] = text[at].lower()
    for at in _numbers_of_options(text, choices, known, keyed=keyed):
        if counted and not _CALLED_SO.search(text, max(0, at - _LED_BY), at):
            continue
        signs[at] = known[text[at]]
    return "".join(signs)


def _edges_number(text: str) -> bool:
    """Say whether the beginning or the end of a text calls an option by a number."""
    edges = (text[:_EDGES], text[-_EDGES:])
    near = [each for each in edges if not each.isascii() or _DIGIT.within(each)]
    return bool(_ONLY_NUMBER.fullmatch(text)) or any(map(_NUMBER.search, near))


def _numbers_of_options(
    text: str, choices: Choices, known: Mapping[str, str], *, keyed: bool
) -> Iterator[int]:
    """Yield where numbers stand for options."""
    only = _ONLY_NUMBER.fullmatch(text)
    if only and only[1] in known and (keyed or not text.rstrip().endswith((".", "*", ":"))):
        yield only.start(1)
    for pattern in (_NUMBER, _STATEMENT) if keyed else (_NUMBER,):
        for each in pattern.finditer(text):
            yield from (at for at in range(*each.span(1)) if text[at] in known)
    for each in _BEGINS_NUMBERED.finditer(text):
        said = (choices.text_of(known.get(each[1], "")) or "").lower()
        if said and text[each.end() :][:_PREFIX].lower().startswith(said[:_PREFIX].rstrip(".")):
            yield each.start(1)


def _of_other_scripts(text: str, choices: Choices) -> str:
    """Return a text with the letters of another script by which it calls options as Latin ones."""
    own = "\n".join(choices.owner)
    for row, pattern, sign in _ROWS if choices.letters.keys() >= {"A", "B"} else ():
        found = {each.group() for each in pattern.finditer(text)}
        if not found.isdisjoint(sign) and not pattern.search(own):
            order = str.maketrans(f"{row}ا", "ABCDEA")
            pieces = (each.group().translate(order) for each in pattern.finditer(text))
            between = pattern.split(text)
            return "".join(
                part for pair in zip(between, (*pieces, ""), strict=True) for part in pair
            )
    return _CYRILLIC.sub(lambda each: each.group().translate(_LATIN), text)


def _small_unspaced(text: str, choices: Choices) -> list[int]:
    """Return where small letters of options stand in a text that puts no space between words."""
    places = [each.end() - 1 for each in _SMALL_UNSPACED.finditer(text)]
    return [at for at in places if text[at].upper() in choices.letters]


def _is_small_option(text: str, at: int) -> bool:
    """Say whether a small letter stands for an option, by the few places where that may begin."""
    line = opened = at
    while line and text[line - 1] in " \t*>-":
        line -= 1
    while opened and text[opened - 1] in "*\"'([":
        opened -= 1
    led = (each.start() for each in _BEGINS_WORD.finditer(text, max(0, opened - _LED_BY), opened))
    begins = (_SMALL.match(text, start) for start in (line, *led, max(0, at - 1), at))
    return any(found is not None and found.end() == at + 1 for found in begins)


def places_of(passage: Passage) -> list[Named]:
    """Return the members named, by name, by the letter of an option, by yes or no, in order."""
    places = sorted([*passage.names, *_option_letters(passage), *_verdicts(passage)])
    kept: list[Named] = []
    for each in places:
        same = kept and each.label == kept[-1].label
        if same and _ITS_LETTER.fullmatch(passage.text, kept[-1].end, each.start):
            continue
        if same and _ITS_TEXT.fullmatch(passage.text, kept[-1].end, each.start):
            kept[-1] = kept[-1]._replace(end=each.end)
            continue
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def _option_letters(passage: Passage) -> Iterator[Named]:
    letters, text = passage.choices.letters, passage.text
    first = max(0, len(text) - _LETTERS_REACH)
    there = any(each.group() in letters for each in _MAY_BE.finditer(text, first))
    for found in _OPTION.finditer(text, first) if there else ():
        group = found.lastindex or 1
        start, end = found.span(group)
        listed = _LISTED.search(text, max(0, start - 8), start)
        listed = listed if listed and listed[0][0] != found[group] else None
        article = found[group] in "AI" and group != _LED and _ARTICLE.match(text, end)
        species = begins_species(passage, found[group], start)
        thing = group != _LED and OF_A_THING.search(text, max(0, start - _PREFIX), start)
        if found[group] in letters and not thing and not listed and not article and not species:
            yield Named(start, end, letters[found[group]])
    members = [*letters.values()]
    for found in _ORDINAL.finditer(passage.given.level) if letters else ():
        order = _FIGURES if found[0] in _FIGURES else _ORDER
        place = len(members) - 1 if found[0] == "last" else order.index(found[0])
        if place < len(members):
            yield Named(*found.span(), members[place])


def _verdicts(passage: Passage) -> Iterator[Named]:
    """Yield the yes or no that a word of conclusion leads to in the last sentence."""
    particles, level = passage.choices.particles, passage.given.level
    if particles:
        end = len(level.rstrip(" .!?。\"'"))
        for found in VERDICT.finditer(level, passage.sentence_start(end, _LINE_REACH)):
            if found[1] in particles:
                yield Named(*found.span(1), particles[found[1]])


def in_a_legend(passage: Passage, each: Named, start: int) -> bool:
    """Say whether a name stands in brackets that tell of several members what they are.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> said = "This is cold (cold: below 5, warm: above)."
    >>> passage = Passage(fold(said), Choices.of(LabelSet.of(["cold", "warm"])))
    >>> [in_a_legend(passage, each, 0) for each in passage.names]
    [False, True, True]
    """
    text = passage.text
    opened = text.rfind("(", start, each.start)
    end = text.find(")", opened, opened + _LEGEND) if opened > start else -1
    if end < each.end or not text[start:opened].strip(" *-"):
        return False
    names = passage.within(opened, end)
    told = [one for one in names if text.startswith((":", " =", "=", " <", " >"), one.end)]
    return len({one.label for one in told}) > 1


def ends_with_a_member(passage: Passage) -> bool:
    """Say whether a text ends with a member: a name, a letter, a value, or a yes that it leads to.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["yes", "no", "maybe"]))
    >>> ends_with_a_member(Passage(fold("Nobody can tell, so: maybe"), choices))
    True
    """
    text, names, choices = passage.text, passage.names, passage.choices
    ends_so = bool(names) and not text[names[-1].end :].strip(_AROUND)
    if ends_so and text[-1:].isalpha():
        start = passage.sentence_start(names[-1].start)
        ends_so = text[start : names[-1].start].strip().lower() not in {"the", "a", "an"}
    letter = _LAST.search(text) if choices.letters else None
    said = _LED_TO.search(passage.given.level) if choices.particles else None
    if (
        ends_so
        or (letter and letter[1] in choices.letters)
        or (said and said[1] in choices.particles)
    ):
        return True
    return not hangs(text) and last_value(passage) is not None
