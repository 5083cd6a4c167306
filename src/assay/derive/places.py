"""Where a text names members of a closed set: by name, by the letter of an option, by yes or no.

A letter and the text of its option that stand together are one place.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.derive import patterns as re
from assay.derive.choices import Named
from assay.derive.naming import EDGE, Passage, begins_species
from assay.derive.wordings import VERDICT

_LEADS = (
    "[oO]ption|[cC]hoice|[aA]nswer|[aA]lternative|[sS]tatement|opción|letra|lettera|opzione"
    "|alternativa"
    "|proposition|вариант|选项|选|答|[sS]o|[tT]hus|[tT]herefore|[hH]ence|is|[aA]ctually|pick|be"
    "|leaves|only"
    "|remains|to|with|[iI]t's"
)
_OPTION = re.compile(
    rf"[(\[]([A-Z])[)\]]|(?<![{EDGE}])([A-Z])(?=\)|选项|が|です|は)"
    rf"|(?:{_LEADS}),?\s*:?\s*[*(\"']*([A-Z])(?![{EDGE}])|\*\*([A-Z])\*\*"
    rf"|(?<![{EDGE}])([A-Z])(?= (?:is|it is|fits|remains|matches|seems|appears|must)\b)"
    rf"|(?:for|of|towards?|favou?rs|supports)\s([A-Z])(?=[.!,;]|$)|(?<=, )([A-Z])(?=[.!]?\s*\Z)"
)
"""a letter that stands for an option, and not for anything else"""
_MAY_BE = re.compile(rf"[A-Z](?<![A-Z0-9].)(?![{EDGE}])")
"""a quick look for one: the letter, of which most texts have none"""
_LED = 3
"""the group of a letter that a word such as "option" leads to"""
_ITS_LETTER = re.compile(r"\s*[(\[](?:[oO]ption |[cC]hoice |[aA]nswer )?")
_ITS_TEXT = re.compile(r"[)\].:*\s\"'-]{1,6}")
_LISTED = re.compile(r"(?<!\w)[A-Z]\s*,\s*(?:and |or )?$")
_ARTICLE = re.compile(r" (?!is|because|since|and|or|as|fits|remains|matches|seems|must)[a-z]")
_ORDINAL = re.compile(
    r"(?<!\w)(?:first|second|third|fourth|fifth|sixth|last)"
    r"(?= (?:option|choice|answer|statement|one|alternative|item|candidate|drug|agent"
    r"|of (?:these|them|the (?:options|choices|answers|three|four|five|list)))(?!\w))"
)
"""an option by its place"""
_ORDER = ("first", "second", "third", "fourth", "fifth", "sixth")
_LETTERS_REACH, _LINE_REACH = 4000, 400


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
        article = found[group] in "AI" and group != _LED and _ARTICLE.match(text, end)
        species = begins_species(passage, found[group], start)
        if found[group] in letters and not listed and not article and not species:
            yield Named(start, end, letters[found[group]])
    members = [*letters.values()]
    for found in _ORDINAL.finditer(passage.given.level) if letters else ():
        place = len(members) - 1 if found[0] == "last" else _ORDER.index(found[0])
        if place < len(members):
            yield Named(*found.span(), members[place])


def _verdicts(passage: Passage) -> Iterator[Named]:
    """Yield the yes or no that a word of conclusion leads to in the last sentence."""
    particles, level = passage.choices.particles, passage.given.level
    if particles:
        end = len(level.rstrip(" .!?\"'"))
        for found in VERDICT.finditer(level, passage.sentence_start(end, _LINE_REACH)):
            if found[1] in particles:
                yield Named(*found.span(1), particles[found[1]])
