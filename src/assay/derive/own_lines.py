"""Members of a closed set that stand alone: at the beginning, at the end, on a line of their own.

Of a list of members none stands alone.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from assay.derive import patterns as re
from assay.derive.choices import written
from assay.derive.figures import levelled
from assay.derive.findings import REASONS
from assay.derive.naming import (
    EDGE,
    Announcement,
    Passage,
    ruled_out,
    side_by_side,
    stressed,
    with_rivals,
)
from assay.derive.truth_words import FIRST_WORD, LONE_INITIAL, MARKED, SECOND_ITEM, TERM
from assay.derive.wordings import NEGATED, OTHERS, YES_AND_NO

_MARKS = " \t\n*_#>\"'`“”「」『』()[]{}$.,;:!：。।-–—•<|"
_LETTER_LINE = re.compile(
    rf"(?:(?:the )?(?:correct |final |best )?(?:option|choice|answer|letter)[\s:]*)?"
    rf"[(\[{{*\"']*([A-Z])[)\]}}*\"'.:,]*(?![{EDGE}^]|\s*[=≈<])",
    re.IGNORECASE,
)
_BOLD_LETTER = re.compile(r"\n[^\w\n*]{0,9}\*\*[^\w\n]{0,4}[A-Z][^\w\n]{0,9}(?=\n)")
_REST = re.compile(r"(?:\([^()]*\)|\[[^\[\]]*\]|[\W_]|[A-Z]\d\d(?:\.\d+)?(?!\w)|\d)*")
_FIRST_LETTER = re.compile(
    r"[\s*_#>`(\"'\[]*(?:(?:[oO]pción|[oO]pção|[oO]pzione|[aA]lternativa|[lL]etra|[lL]ettera|[rR]éponse|[oO]ption|[aA]ntwort|[oO]ptie|[pP]ilihan|[oO]psi|ข้อ|विकल्प) [*(]{0,3})?"
    r"([A-Z])(?![)\]]*,? (?:and |or )?(?![AI] [a-z])[(\[]?[A-Z][)\],]? )"
    r"(?=[)\]*\"'.,:;>\s]*(?:\n|$)|[).:,\]*。]+\s|[)\]*]?;\s(?!(?:so|but|thus|therefore|hence|then|no|wait|and|or)\b)|\s*[-–—]\s)"
)
_LATIN = re.compile(r"\. [a-z]{2,}(?:us|ii?|ile|ae|lis|ans|eri|ori)(?!\w)")
"""a species by the letter of its first name, as in "C. difficile" """
_AFTER_NO = re.compile(
    r"\s*(?:way(?=,)|it|the|this|that|they|he|she|there|because|since|i|you|we|ce|il|elle|on|cela|ça|la|le|les"
    r"|parce|car|el|los|porque|perché)\b"
)
_NEGATES = frozenset({"no", "non", "não", "nie", "không", "لا", "nem"})
_NAME_ENDS = re.compile(
    r"(?: (?:risk|priority|severity|urgency|acuity|probability|likelihood|suspicion|confidence|certainty|quality|level|range|relevance|importance|impact|result|findings?|study|exam|examination|test|scan|case|care|situation))?"
    r"\s*(?:\([^()\n]{0,160}\))?\s*(?:[.,:;!*\n]|[-–—]\s|(?:because|since|due to)(?!\w)|$)"
)
_CALCULATES = re.compile(r"\s*[-+*/×÷·^=]\s*[\d(]")
"""a calculation that begins with a number, which is no answer"""
_HEADED = re.compile(r"(?m)^#+[ \t*]*(?:[oO]ption |[cC]hoice )?[(\[]?([A-Z])(?=[).:\]\s])")
_ASKED_AGAIN = re.compile(r"[^.!?\n]{3,200}\?\s+(?=[^?]*\Z)")
_OTHER_OPTION = re.compile(r"\s[(\[]?B[).:]\s|[。、] ?B[:：.)]")
_BOLD = re.compile(r"\*\*([^*\n]{1,60})\*\*")
_BOLD_END = re.compile(r"\*\*([^*\n]{1,120})\*\*[.\s]*$")
_SENTENCE_BEFORE = re.compile(r"[^\W\d][.!?*\"')]+\Z|[。！？]\Z")
_ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s")
_HEADING = re.compile(r"\s*(?:#|\*\*|[^\n]{1,60}:[\s*]*$)")
_RIVALS = re.compile(
    r"(?<!\w)(?:differential\w*|ruled out|rule out|excluded|less likely|alternativ\w+|considered"
    r"|comorbid\w*|secondary|other|also|against|unlikely|rejected|incorrect|differen[tz]ial\w*"
    r"|différentiels?|diferencia\w*|treatment|references?)(?!\w)"
)
_BEGUN_ITEM = re.compile(r"\n\s*(?:[-*•]|\d{1,2}[.)])\s[^\n]{1,60}:[\s*_]*\Z")
"""an item at the end of a list that tells something of each, and here no more than its name"""
_KEYED = re.compile(
    r"[\W_]*[^\W\d_]+(?: ?(?:or|/) ?[^\W\d_]+)?[\s*_]*[:：][\s*_\"'(]*([^\W\d_]+)[^\w\n]*(?:\n|$)"
)
"""yes or no behind one of them, or behind both, as in "YES or NO: YES"."""
_ARROW = re.compile(r"(?:→|⇒|=>|->|∴)\s*[*(\[]*([A-Z])[)\]*.]*\s*$")
_BRACKETED = re.compile(r"[(\[](?:[oO]ption |[cC]hoice |[aA]nswer )([A-Z])[)\]][*.\s]*$")
_IN_BRACKETS = re.compile(r"[(\[](?:[oO]ption |[cC]hoice |[aA]nswer )?([A-Z])[)\]]")
_COMPARES = re.compile(
    r"(?<!\w)(?:not|than|unlike|instead|except|neither|nor|if|versus|vs)(?!\w)|n't(?!\w)|\?\s*$"
)
_SIGNED = re.compile(r"[-\u221a]\S{1,40}\s*\Z")
"""a line that is a value with a minus or root before it, and no item of a list"""
_BEGINS_REVIEW = re.compile(
    r"(?:evaluat|consider|examin|analy[sz]|go(?:ing)? (?:through|over)|look at|review|assess|check)"
    r"\w* (?:each|every|all|the) (?:of )?(?:the |these |answer )*(?:options?|choices?|answers?)"
    r"(?: \w+){0,4}[.: ]*$"
)
"""a sentence after which options are gone through one by one"""
_LEADS_TO = re.compile(
    r"(?:(?<!\w)(?:is|be|so|thus|therefore|hence|conclude|choose|pick|select|ist|wäre|lautet|somit|daher|est|serait|donc|es|sería|entonces|por (?:lo )?tanto|é|seria|portanto|logo|è|sarebbe|quindi|это|является)|是|为|は)[\s*_]*[:：][\s*_]*$"
)
"""a line that ends with a verb and a colon: what it says stands on the next one"""
_LEADS_ASIDE = re.compile(
    r"(?<!\w)(?:not|wrong|incorrect|false|least|one (?:of|option|answer|choice|candidate|possib\w+)|another|other|first|second|next|possible|possibility|example|rul(?:e|ed|ing) out|eliminat\w*|exclu\w*|nicht|falsch|andere?|erste|pas|autre|premi[eè]re?|otr[oa]|primer[oa]?|não|outr[oa]|non|altr[oa]|prim[oa]|не)(?!\w)|n't(?!\w)"
)
"""a line that leads to a member that is only looked at, or not meant"""
_LOOKED_AT = re.compile(
    r"(?<!\w)(?:(?:begin|start|look|consider|examin|tak|check|evaluat|discuss|rul|eliminat|exclud|reject|discard)(?:e|es|ed|ing|s)?(?: (?:with|at|out))?|(?:not|n't|in)(?: |(?=correct))(?:correct|right|fit|be|match)|wrong|ausschließen|ausgeschlossen|beginnen|betrachten|écarter|exclure|commen[cç]\w+|descart\w+|empe[cz]\w+|esclud\w+|inizi\w+|исключ\w+|начн\w+)(?!\w)[^.!?\n]*[:：][\s*_]*$"
)
"""a line that leads to what is looked at first, or ruled out"""
_TAKES_IT = re.compile(
    r"(?:since|because|as|given that|while|whereas|both|although|though)(?!\w)[^\n]{5,200}?, (?:so )?i(?: will|'ll| would|'d| shall)?"
    r" (?:choose|pick|select|go with|opt for|stick with) (?:that|this|it)(?: one| option| answer)?\W*\Z"
)
"""a choice that points back at what the same sentence names"""
_OWN_LETTER = re.compile(r"[\s*_>-]*(?:[oO]ption |[cC]hoice )?[(\[]?[A-Za-z][)\].:]")
_REVIEW = 100
_LONG_WORD = re.compile(r"[^\W_]{4,}")
_SHORT_LINE = re.compile(r"(?m)^[^\w\n]{0,4}\w{1,9}[^\w\n]{0,4}$")
_CROSSED = re.compile("[\u2717\u2718\u274c\u2716]")
_HEADING_LINES, _FEW_WORDS = 12, 6
_LONG_LINE, _MOST_NAMES, _FEW_LINES, _VALUE, _LISTED = 200, 40, 400, 40, 6
_SCORED = re.compile(
    r"(?im)^[\W_]*(?:(?:my|your|meine|mi) )?(?:score|rating|points?|punkt(?:zahl|e)|bewertung|wertung|puntuación|puntaje|pontuação|punteggio|note|оценка|评分|得分|スコア)[*_ ]*[:：]"
)
"""a line with the number that a statement is given, after the number of the statement"""


def standing_alone(passage: Passage) -> Iterator[Announcement]:
    r"""Yield what stands alone at the beginning, at the end, and on the one line of its kind.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["flu", "cold"]))
    >>> [each.rule for each in standing_alone(Passage(fold("Fever, cough.\n**Flu**"), choices))]
    ['bold at the end', 'last line', 'line of its own']
    """
    text = passage.text
    first = _opening(passage) or levelled(passage)
    if first and not _begins_a_list(passage, first):
        yield first
    if _BEGUN_ITEM.search(text, max(0, len(text) - _LONG_LINE)):
        return
    end = len(text.rstrip(_MARKS))
    start = passage.sentence_start(end)
    bold = _BOLD_END.search(text, max(0, len(text) - 200)) or _only_bold(passage, start)
    if (
        bold
        and (found := _alone(passage, bold.start(1), bold.end(1)))
        and not _of_others(passage, bold.start(1))
    ):
        yield found._replace(rule="bold at the end")
    follows = _SENTENCE_BEFORE.search(text, max(0, start - 3), start)
    short = end - start < _LONG_LINE and not _begins_review(passage, start)
    if follows and short and (found := _alone(passage, start, end)):
        yield found._replace(rule="last sentence")
    for begin in (start, text.rfind("\n", 0, end) + 1) if passage.choices.particles else ():
        if begin and (found := _first_particle(passage, begin)):
            yield found._replace(rule="last sentence")
    yield from _letter_at_the_end(passage, start)
    begin = max(start, text.rfind(" ", 0, end) + 1)
    if label := passage.choices.repeated(text[begin:end].strip(_MARKS)):
        yield Announcement(begin, end, "answered", label, "last word")
    yield from _on_a_line(passage)
    yield from _taken_up(passage)


def _on_a_line(passage: Passage) -> Iterator[Announcement]:
    """Yield what is the last line, the one line of its kind, or below a line with a colon."""
    text = passage.text
    alone = lines_alone(passage)
    single = [
        each
        for place, each in enumerate(alone)
        if not _listed(text, alone, place) and not _among_others(passage, each)
        if not _begins_review(passage, text.rfind("\n", 0, each.start) + 1)
    ]
    if single and not text[single[-1].end :].strip(_MARKS):
        yield single[-1]._replace(rule="last line")
    elif (other := _last_in_other_words(passage)) is not None:
        yield other
    if single and len({each.answer for each in alone}) == 1:
        yield single[-1]._replace(rule="line of its own")
    elif led := [each for each in single if _is_led_to(passage, each)]:
        yield led[-1]._replace(rule="line below a colon")


def _letter_at_the_end(passage: Passage, start: int) -> Iterator[Announcement]:
    """Yield the option to which an arrow points at the end, or whose letter stands in brackets."""
    text, letters = passage.text, passage.choices.letters
    near = max(0, len(text) - 20)
    arrow = _ARROW.search(text, near) if letters else None
    bracket = _BRACKETED.search(text, near) if letters else None
    if arrow and arrow[1] in letters:
        yield Announcement(*arrow.span(1), "answered", letters[arrow[1]], "arrow")
    if bracket and bracket[1] in letters and not _COMPARES.search(passage.given.level, start):
        others = {*_IN_BRACKETS.findall(text, start)} & letters.keys() - {bracket[1]}
        if not others:
            yield Announcement(*bracket.span(1), "answered", letters[bracket[1]], "bracket")


def _taken_up(passage: Passage) -> Iterator[Announcement]:
    """Yield what the last sentence names and then chooses: "since B is shorter, I will go with it"."""
    level = passage.given.level
    start = passage.sentence_start(len(level.rstrip(' .!*"\n')))
    taken = _TAKES_IT.search(level, start)
    names = passage.within(start, len(level)) if taken else []
    if len({each.label for each in names}) == 1:
        yield Announcement(start, len(level), "answered", names[0].label, "taken up")


def _line_above(text: str, start: int) -> tuple[int, int]:
    """Return where the line above one begins and ends, over empty ones."""
    near = max(0, start - _LONG_LINE)
    end = near + len(text[near:start].rstrip())
    return max(near, text.rfind("\n", near, end) + 1), end


def led_aside(passage: Passage, at: int) -> bool:
    """Say whether the line above one that begins with a member leads to it as no answer."""
    text = passage.text
    start = text.rfind("\n", max(0, at - _VALUE), at) + 1
    if not start or text[start:at].strip(f"{_MARKS}ABCDEFGHIJ"):
        return False
    above, end = _line_above(text, start)
    return text[end - 1 : end] in {":", "："} and bool(
        _LOOKED_AT.search(passage.given.level, above, end)
    )


def _is_led_to(passage: Passage, each: Announcement) -> bool:
    """Say whether an option with its letter is what the line above it says with a colon."""
    text, level = passage.text, passage.given.level
    start = text.rfind("\n", 0, each.start) + 1
    above, end = _line_above(text, start)
    if not start or not _OWN_LETTER.match(text, start):
        return False
    above = max(above, passage.sentence_start(end - 1))
    leads = _LEADS_TO.search(level, above, end)
    return leads is not None and _LEADS_ASIDE.search(level, above, end) is None


def _begins_review(passage: Passage, start: int) -> bool:
    """Say whether a text ends with the first option of those it was to go through."""
    begun = _BEGINS_REVIEW.search(passage.given.level, max(0, start - _REVIEW), start)
    return begun is not None and passage.text[-1:].isalpha()


def _only_bold(passage: Passage, start: int) -> re.Match[str] | None:
    """Return what alone is bold in the last sentence, if nothing before denies it."""
    found = [*_BOLD.finditer(passage.text, start)]
    led = len(found) == 1 and passage.text[start : found[0].start()].strip(_MARKS)
    if not led or NEGATED.search(passage.given.level, start, found[0].start()):
        return None
    return found[0]


def _last_in_other_words(passage: Passage) -> Announcement | None:
    """Return the option whose words, in another order or form, are the last line."""
    text, level = passage.text, passage.given.level
    if not passage.choices.stems:
        return None
    end = len(text.rstrip(_MARKS))
    start = text.rfind("\n", 0, end) + 1
    words = _LONG_WORD.findall(level, start, end)
    if (
        not start
        or not words
        or len(level[start:end].split()) > _FEW_WORDS
        or ":" in text[start:end]
    ):
        return None
    label = passage.choices.nearest(words) if not passage.within(start, end) else None
    if label is None or not passage.choices.stems[label].issuperset(each[:5] for each in words):
        return None
    return Announcement(start, end, "answered", label, "last line")


def _of_others(passage: Passage, at: int) -> bool:
    """Say whether the sentence before a place speaks of other possibilities."""
    return OTHERS.search(passage.given.level, passage.sentence_start(at), at) is not None


def lines_alone(passage: Passage) -> list[Announcement]:
    """Return the members that are a line and nothing else, in order."""
    text = passage.text
    places = {each.start for each in passage.names[-_MOST_NAMES:]} | {len(text.rstrip(_MARKS)) - 1}
    if passage.choices.letters:
        places |= {each.end() - 1 for each in _BOLD_LETTER.finditer(text)}
    if len(text) < _FEW_LINES:
        places |= {each.end() - 1 for each in _SHORT_LINE.finditer(text)}
    lines = {text.rfind("\n", 0, at) + 1 for at in places if at >= 0}
    found = []
    for start in sorted(lines):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        each = _alone(passage, start, end) if end - start < _LONG_LINE else None
        if each:
            found.append(each)
    return found


def _listed(text: str, alone: list[Announcement], place: int) -> bool:
    """Say whether the line before or after stands for another member."""
    own = alone[place]
    for other in alone[max(0, place - 1) : place + 2]:
        between = text[min(own.end, other.end) : max(own.start, other.start)]
        if other.answer != own.answer and not between.strip(f"{_MARKS}0123456789"):
            return True
    return False


def _among_others(passage: Passage, each: Announcement) -> bool:
    """Say whether a line is an item below another item, or stands under a heading of rivals."""
    text, level = passage.text, passage.given.level
    start = text.rfind("\n", 0, each.start) + 1
    for _ in range(_HEADING_LINES):
        above = text.rfind("\n", 0, max(0, start - 1)) + 1
        line = text[above : max(above, start - 1)]
        if line.strip() and not _ITEM.match(line):
            heads = _HEADING.match(line) is not None
            return heads and _RIVALS.search(level, above, start) is not None
        start = above
        if not above:
            break
    return False


def _alone(passage: Passage, start: int, end: int) -> Announcement | None:
    """Return the member that a line is."""
    text, choices, first = passage.text, passage.choices, start
    signed = _SIGNED.match(text, start, end)
    negative = choices.values.get(written(signed.group())) if signed else None
    if negative is not None:
        return Announcement(start, end, "answered", negative)
    while start < end and text[start] in _MARKS:
        start += 1
    if _CROSSED.search(text, start, end):
        return None
    plain = end - start < _VALUE and "-" not in text[first:start]
    value = written(text[start:end]) if plain else ""
    if len(value) > 1 and value in choices.values:
        return Announcement(start, end, "answered", choices.values[value])
    names = passage.within(start, end)
    led = _LETTER_LINE.match(text, start, end) if choices.letters else None
    letter = choices.letters.get(led[1].upper()) if led else None
    if names:
        between = [text[a.end : b.start] for a, b in pairwise(names)]
        parts = [*between, text[names[-1].end : end]]
        if letter is None or names[0].start < led.end():  # type: ignore[union-attr]  # a letter was found
            letter = None
            parts.append(text[start : names[0].start])
        else:
            parts.append(text[led.end() : names[0].start])  # type: ignore[union-attr]  # the same
        whole = len({each.label for each in names}) == 1 and all(map(_REST.fullmatch, parts))
        if text[names[0].start].isdigit() and any(map(str.isdigit, "".join(parts))):
            whole = False
        return (
            Announcement(start, names[-1].end, "answered", letter or names[0].label)
            if whole
            else None
        )
    if led and letter and _REST.fullmatch(text, led.end(), end):
        whole = not text[:start].strip(_MARKS) and not text[end:].strip(_MARKS)
        sure = led[1].isupper() or led.group() != led[1] or whole
        return Announcement(start, led.end(), "answered", letter) if sure else None
    label = choices.particles.get(passage.given.plain[start:end].strip(_MARKS))
    if label is None and end - first < _VALUE:
        label = choices.values.get(written(text[first:end]))
    return Announcement(start, end, "answered", label) if label else None


def _opening(passage: Passage) -> Announcement | None:
    """Return the member that a text begins with."""
    text, choices = passage.text, passage.choices
    letter = _FIRST_LETTER.match(text) if choices.letters else None
    species = letter and _LATIN.match(text, letter.end(1))
    if letter and letter[1] in choices.letters and not species:
        own = passage.within(letter.end(1), letter.end(1) + _LISTED)
        if ruled_out(passage, own[0].end if own else letter.end(1)):
            return None
        end = text.find("\n", letter.end())
        beside = with_rivals(passage, letter[1], *letter.span(1), len(text) if end < 0 else end)
        found = beside if beside and beside.state == "undecided" else None
        label = None if found else choices.letters[letter[1]]
        return Announcement(*letter.span(1), "undecided" if found else "answered", label, "opening")
    particle = _first_particle(passage) if choices.particles or choices.asked else None
    open_to = choices.particles and not particle
    asked = (REASONS.match(text) or _ASKED_AGAIN.match(text)) if open_to else None
    particle = _first_particle(passage, asked.end()) if asked else particle
    if particle:
        return particle
    name = passage.names[0] if passage.names else None
    if not name or text[: name.start].strip(_MARKS) or not _ends_there(text, name.end):
        return None
    number = text[name.start].isdigit()
    calculates = number and _CALCULATES.match(text, name.end) is not None
    rival = next((each for each in passage.names if each.label != name.label), None)
    item = number and text.startswith(". ", name.end)
    item = item and (
        text.startswith("#") or (rival is not None and _SCORED.search(text, name.end) is not None)
    )
    if item or calculates or (rival and side_by_side(passage, name, rival)):
        return None
    return Announcement(name.start, name.end, "answered", name.label, "opening")


def _ends_there(text: str, end: int) -> bool:
    """Say whether nothing follows a name but marks and reasons, and no mark that it is given."""
    return _NAME_ENDS.match(text, end) is not None and MARKED.match(text, end) is None


def _first_particle(passage: Passage, start: int = 0) -> Announcement | None:
    """Return the yes or no that a text begins with, or a sentence of it and a sign after it."""
    level = passage.given.level
    word = FIRST_WORD.match(level, start)
    particles = passage.choices.particles or passage.choices.asked
    label = particles.get(word["word"]) if word else None
    if word and label is None and LONE_INITIAL.match(passage.text, word.end("word")):
        label = passage.choices.by_initial(word["word"])
    keyed = _KEYED.match(level, start) if label else None
    if keyed and keyed[1] in particles:
        answer = particles[keyed[1]]
        return Announcement(*keyed.span(1), "answered", answer, "opening")
    if not word or not label or YES_AND_NO.match(level, word.start("word")):
        return None
    listed = word["item"] and SECOND_ITEM.search(level, word.end())
    if listed or TERM.match(level, word.end("word")):
        return None
    marked = word["after"] is not None or stressed(passage.text, *word.span("word"))
    sure = marked or (
        not start
        and (word["word"] not in _NEGATES or _AFTER_NO.match(level, word.end("word")) is not None)
    )
    return Announcement(*word.span("word"), "answered", label, "opening") if sure else None


def is_item(text: str, at: int) -> bool:
    r"""Say whether a letter begins a line, as the letter before it begins an earlier one.

    Examples
    --------
    >>> is_item("A) flu\nB) cold", 7)
    False
    >>> is_item("\nA) flu\nB) cold", 8)
    True
    """
    begins = text.endswith("\n", 0, at)
    return begins and f"\n{chr(ord(text[at]) - 1)}{text[at + 1 : at + 2]}" in text[:at]


def _begins_a_list(passage: Passage, first: Announcement) -> bool:
    """Say whether the next line, or the rest of the line, goes on with another member."""
    text, letters = passage.text, passage.choices.letters
    if text.startswith("#") and letters:
        heads = {each[1] for each in _HEADED.finditer(text)} & letters.keys()
        return len(heads) > 1
    number = text[first.start : first.end]
    if number.isdecimal() and _ITEM.match(text):
        return f"\n{int(number) + 1}{text[first.end : first.end + 1]} " in text
    end = text.find("\n", first.end)
    line = len(text) if end < 0 else end
    if letters and (end < 0 or text[first.end : first.end + 1] == ":"):
        beside = _OTHER_OPTION.search(text, first.end, line) is not None
        if end < 0 or beside:
            return beside
    following = text[end + 1 : end + 200].lstrip()
    found = _FIRST_LETTER.match(following) if letters else None
    names = passage.within(end, end + _LISTED) if _ITEM.match(text) else []
    other = letters.get(found[1]) if found else names[0].label if names else None
    return other is not None and other != first.answer
