"""A member of the set as the value of a field: of JSON, of a dict as Python writes it.

Of several fields that hold members, the ones that are called an answer, a decision and the like
count. What is cut off after such a value is answered all the same.
"""

# ruff: noqa: E501 - one pattern per line

from __future__ import annotations

from collections.abc import Iterator

from assay.derive import patterns as re
from assay.derive.choices import written
from assay.derive.findings import REASONS
from assay.derive.name_forms import apart
from assay.derive.naming import Announcement, Passage, first_named
from assay.derive.results import counts
from assay.derive.wordings import words_of

_OPENS = re.compile(r"[{\[]\s*(?:[{\[]\s*)?[\"']|```\w*\s*[{\[]")
_NEXT_RECORD = re.compile(r"[\s,;]*\{\s*[\"']")
"""another record behind one, which is not closed"""
# A value that is quoted is taken as a whole, so that nothing inside it is taken for a field.
_FIELD = re.compile(
    r"[\"']([\w .-]{1,60})[\"']\s{0,9}:\s{0,40}(?:\"((?:[^\"\\]|\\.){0,4000})\"|'((?:[^'\\]|\\.){0,4000})'(?=\s*[,}\]])"
    r"|([-+.\w]{1,40})(?=\s*[,}\]\n]))"
)
_LINE = re.compile(r"[ \t*_-]*([^\W\d_][\w .-]{0,40})[*_]*:[ \t*_\"']+([^\n]*?)[\s*_\"',]*")
_HEADED = re.compile(
    r"[\s*#_]*(?!question|text|input|post|tweet|context|step \d|patient|case|chief|presenting|history|symptom|headline|title|review|sentence|statement|passage|premise|scenario|vignette|name|task|given|next question)[^\W\d_][^\W\d_ ]* ?[\w /-]{0,40}:[\s*_]*"
    r"([^\s*_][^\n?]{0,160})\n\s*",
    re.IGNORECASE,
)
_IN_ORDER = re.compile(
    r"(?:in (?:descending |decreasing )?order of (?:likelihood|probability|plausibility)|most to (?:the )?least|ranked(?! (?:from|by) (?:the )?(?:least|lowest|cost|price|age|date))"
    r"|nach (?:absteigender |abnehmender )?wahrscheinlichkeit|par ordre (?:décroissant )?de (?:probabilité|vraisemblance)"
    r"|(?:en|por) orden de probabilidad)(?!\w)[^\n]{0,60}\n\s*(?:1[.)]|[-*•])[\s*_]*",
    re.IGNORECASE,
)
"""the beginning of a list in the order of likelihood"""
_ORDER = words_of("order least ranked wahrscheinlichkeit ordre orden")
"""words of which it needs one"""
_DECIDES = re.compile(
    r"deci[sd]|answer|label|verdict|choice|chosen|predict|stance|class|categor|conclu|final|diagnos|judg|vote|select|option|letter|sentiment"
    r"|entscheid|antwort|stimme|urteil|diagnose|respuesta|réponse|reponse|resposta|risposta|voto|veredict|elecci|escolha|scelta|décision|ответ|答案"
)
_BESIDE = re.compile(
    r"confid|certain|probab(?!le)|likelihood|unlikely|less[ _]likely|ruled[ _]out|excluded|differential|secondary|comorbid|percent|weight|tokens|konfidenz|sicherheit|gewicht|confian|certeza|poids"
    r"|(?:^|[_ ])(?:id|idx|index|number|count|step|n|no|nr|options?_?\d*|choices)$"
)
"""what is said of an answer, how things are counted, and what is no answer"""
_CORRECT = re.compile(
    r"(?:^|(?<=\n))[ \t*_-]*(?:is[_ ])?correct(?:ness)?[*_]*:[ \t*_\"']*([a-z]+)(?=[\s*_.,\"']*(?:\n|\Z))",
    re.IGNORECASE,
)
"""a line that says whether an answer is correct"""
_COMES_TO = re.compile(
    r"(?:=|(?<!\w)(?:evaluates? to|simplif(?:y|ies) to|reduces? to|becomes|yields|comes to))[\s(*`$]*(true|false)[\s)*`$.]*\Z"
)
"""the truth value that a term comes to at the end of a text"""
_LED = re.compile(r"[(\[]?([A-Z])[)\].:]{1,2}\s*\S")
_MARKS = " \t\n`*_\"',;{}[]"
_MOST_AFTER, _BARE, _LEAST_LINES, _NEAR_END = 160, 4, 2, 60
_PLAIN = frozenset({"true", "false", "null", "none"})
_SAID_SO = {"true": "yes", "false": "no"}
_TOLD = 3
"""the rank of what is true or false and decides by its name nothing"""
_LIKELIHOOD = re.compile(
    r"[\"'][\w .-]{0,30}(?:prob|likel|confid|score|share)[\w .-]{0,30}[\"']\s{0,9}:\s{0,9}[\"']?(\d{1,3}(?:\.\d{1,9})?)(?![\w.])",
    re.IGNORECASE,
)
_NULL = re.compile(r"[\"'](\w{1,40})[\"']\s{0,9}:\s{0,9}(?:null|None|\"\"|'')\s{0,9}[,}\n]")
_SHARE = re.compile(r"\d{1,9}(?:\.\d{1,20})?")


def field_of_record(passage: Passage) -> Announcement | None:
    """Return the member that a record holds as the value of a field; several are undecided.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["flu", "cold"]))
    >>> said = '{"first_guess": "flu", "decision": "cold", "certainty": 0.4}'
    >>> field_of_record(Passage(fold(said), choices)).answer
    'cold'
    """
    text = passage.text
    opened = _OPENS.search(text) if "{" in text else None
    end = max(text.rfind("}"), text.rfind("]")) + 1
    after = not _NEXT_RECORD.match(text, end) and len(text[end:].strip(_MARKS)) > _MOST_AFTER
    if opened is None or (end > opened.start() and after):
        return None
    found = [*_fields(passage, opened.start())]
    least = min(found, default=(0,))[0]
    best = [each[1:] for each in found if each[0] == least]
    if len({label for _, _, label in best}) != 1 or (least == _TOLD and len(best) > 1):
        likeliest = _likeliest(passage, best) if best else _share(passage)
        return likeliest or (
            Announcement(*best[-1][:2], "undecided", None, "field") if best else None
        )
    return Announcement(*best[-1][:2], "answered", best[-1][2], "field")


def values_of_record(text: str) -> list[tuple[str, str]]:
    """Return the names of the fields of a text that is one record, and their values.

    Examples
    --------
    >>> values_of_record('{"Answer": null, "why": "too dark"}')
    [('answer', 'null'), ('why', 'too dark')]
    >>> values_of_record("It is dark.")
    []
    """
    record = text.strip(f"{_MARKS.replace('{', '').replace('}', '')}json")
    whole = record.startswith("{") and record.endswith("}") and "\n\n\n" not in record
    fields = _FIELD.finditer(record) if whole else ()
    return [(each[1].lower(), each[each.lastindex or 1]) for each in fields]


def decides(key: str) -> bool:
    """Say whether a field is called an answer, and nothing beside one.

    Examples
    --------
    >>> [decides(each) for each in ("final_answer", "answer_confidence", "why")]
    [True, False, False]
    """
    return _DECIDES.search(key) is not None and not _BESIDE.search(key)


def breaks_off(text: str) -> bool:
    """Say whether the last of several records is not closed.

    Examples
    --------
    >>> [breaks_off('{"a": "flu"} ' + each) for each in ('{"a": "co', '{"a": "cold"}', "It is.")]
    [True, False, False]
    """
    return _NEXT_RECORD.match(text, text.rfind("}") + 1) is not None and "}" in text


def field_of_lines(passage: Passage) -> Announcement | None:
    """Return the one member that is the value of a line, in a text that is lines with values."""
    lines = [each for each in passage.text.split("\n") if each.strip(_MARKS)]
    read = [*map(_LINE.fullmatch, lines)]
    members = [
        label
        for each in read
        if each and not _BESIDE.search(each[1].lower()) and (label := _member(passage, each[2]))
    ]
    if len(lines) < _LEAST_LINES or not all(read) or len({*members}) != 1:
        return None
    ends_so = read[-1] and (_member(passage, read[-1][2]) or _DECIDES.search(passage.given.level))
    if counts(passage) and not ends_so:
        return None
    return Announcement(0, len(passage.text), "answered", members[0], "field")


def verdict_lines(passage: Passage) -> Iterator[Announcement]:
    """Yield the yes or no of a line that says whether an answer is correct, or of a term."""
    level, particles = passage.given.level, passage.choices.particles
    found = [*_CORRECT.finditer(passage.text)][-1:] if "correct" in level else []
    term = _COMES_TO.search(level, max(0, len(level) - _NEAR_END))
    for each in (*found, *filter(None, (term,))):
        if label := particles.get(each[1].lower()):
            yield Announcement(*each.span(1), "answered", label, "field")


def headed(passage: Passage) -> Announcement | None:
    r"""Return what a text begins with behind a heading, where its reasons stand below that.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> said = "**Next step: a swab**\n\n**Reasoning:** It may be flu."
    >>> headed(Passage(fold(said), Choices.of(LabelSet.of(["flu", "cold"])))).answer
    'a swab'
    """
    ordered = not _ORDER.isdisjoint(passage.given.words)
    first = _IN_ORDER.search(passage.text) if ordered else None
    name = passage.within(first.end(), len(passage.text))[:1] if first else []
    if first and name and name[0].start == first.end():
        return Announcement(*name[0][:2], "answered", name[0].label, "first in order")
    found = _HEADED.match(passage.text)
    if found is None or not REASONS.match(passage.text, found.end()):
        return None
    start, end = found.span(1)
    said = found[1].rstrip(" .*_")
    named = first_named(passage, start, end)
    return named or Announcement(start, end, "outside", said, "heading")


def _fields(passage: Passage, start: int) -> Iterator[tuple[int, int, int, str]]:
    """Yield the fields that hold a member, led by their rank: the least counts."""
    for each in _FIELD.finditer(passage.text, start):
        key, group = each[1].lower(), each.lastindex or 1
        label = _member(passage, each[group]) or _by_own_word(passage, key, each[group])
        bare = group == _BARE and each[group].lower() in _PLAIN
        decides = _DECIDES.search(key) is not None
        told = bare and label is None and not decides
        if bare and label is None:
            label = passage.choices.particles.get(_SAID_SO.get(each[group].lower(), ""))
        if label is None or len(key) == 1 or _BESIDE.search(key):
            continue
        yield 0 if decides else _TOLD if told else 2 if bare else 1, *each.span(group), label


def _likeliest(passage: Passage, found: list[tuple[int, int, str]]) -> Announcement | None:
    """Return the member with the greatest share of several, each with one behind it."""
    shares: list[tuple[float, tuple[int, int, str]]] = []
    for each, following in zip(found, [*found[1:], (len(passage.text), 0, "")], strict=True):
        behind = [*_LIKELIHOOD.finditer(passage.text, each[1], following[0])]
        if len(behind) != 1:
            return None
        shares.append((float(behind[0][1]), each))
    most = [each for share, each in shares if share == max(shares)[0]]
    return Announcement(*most[0][:2], "answered", most[0][2], "field") if len(most) == 1 else None


def holds_null(text: str) -> bool:
    """Say whether a record is all of a text, and the field that decides holds nothing.

    Examples
    --------
    >>> holds_null('{"label": null, "reason": "too short"}'), holds_null('{"label": "flu"}')
    (True, False)
    """
    found = _NULL.search(text) if text.startswith(("{", "```")) else None
    return found is not None and _DECIDES.search(found[1].lower()) is not None


def _by_own_word(passage: Passage, key: str, value: str) -> str | None:
    """Return the member of which a value is the own word: "high" for "high risk" of a risk."""
    value = value.strip(" *_").lower()
    label = apart("no" if value in {"none", "nothing", "absent"} else value, passage.choices)
    asked = label and (
        _DECIDES.search(key) or label.lower().split()[-1] in re.findall(r"[^\W_]+", key)
    )
    return label if asked else None


def _share(passage: Passage) -> Announcement | None:
    """Return the member to which a record of members and numbers gives the most."""
    given = [
        (float(each[_BARE]), *each.span(_BARE), label)
        for each in _FIELD.finditer(passage.text)
        if each.lastindex == _BARE and _SHARE.fullmatch(each[_BARE])
        if (label := _member(passage, each[1]))
    ]
    most = [each for each in given if each[0] == max(given)[0]]
    if len(given) < _LEAST_LINES or len(most) > 1:
        return None
    return Announcement(*most[0][1:3], "answered", most[0][3], "field")


def _member(passage: Passage, value: str) -> str | None:
    """Return the member that a value is, by its letter, its text or both."""
    choices, value = passage.choices, value.strip(" *_")
    led = _LED.match(value)
    label = choices.letters.get(value) or choices.particles.get(value.lower())
    label = label or choices.values.get(written(value))
    return label or (choices.letters.get(led[1]) if led else None)
