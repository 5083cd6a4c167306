"""The number that the last sentence concludes with, in any language, and not what it is made of."""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from assay.derive import patterns as re
from assay.derive.choices import written
from assay.derive.naming import LETTER, Announcement, Passage
from assay.derive.passages import hangs
from assay.derive.results import AMOUNT, ASIDE, CHECKS, counts, ends_later, is_scale, member_or

_EQUALS = re.compile(r"[=＝≈][\s$€£¥₹*]{0,4}(-?\d[\d,]*(?:\.\d+)?)(?![\w.]?\d)")
_ANY_NUMBER = re.compile(
    r"(?<![A-Za-z0-9.,/:_])(?<!\d-)-?\d[\d,]*(?:\.\d+)?(?![A-Za-z]{0,3}[\d^]|[/:.-]\d)"
)
_THEREFORE = (
    r"(?:(?:donc|ainsi|par conséquent|en conclusion|en résumé|finalement|au total|en tout|por (?:lo )?tanto|por ende|por consiguiente|así que|así|entonces|en total|en conclusión|finalmente"
    r"|portanto|logo|assim|então|por isso|no total|em conclusão|quindi|dunque|pertanto|perciò|in totale|in conclusione|infine|also|daher|somit|folglich|deshalb|insgesamt|damit|demnach|schließlich|таким образом|следовательно|значит|итак|поэтому|всего|в итоге|в результате"
    r"|jadi|oleh karena itu|dengan demikian|maka|vậy|vì vậy|do đó|như vậy|tóm lại|bu nedenle|dolayısıyla|böylece|sonuç olarak|yani|toplamda|więc|zatem|dlatego|łącznie|dus|daarom|in totaal|därför|alltså|totalt|derfor|altså|tedy|celkem|takže|tehát|összesen|deci|prin urmare|în total"
    r"|отже|таким чином|άρα|επομένως|συνολικά|kwa hiyo|hivyo)(?!\w)"
    r"|したがって|よって|従って|ゆえに|つまり|合計|答え|因此|所以|故|综上|总共|一共|答|따라서|그러므로|그래서|결국|총|সুতরাং|অতএব|তাই|মোট|इसलिए|अतः|इस प्रकार|कुल|ดังนั้น|เพราะฉะนั้น|รวม|لذلك|إذن|وبالتالي|لذا|بنابراین|לכן|כלומר|בסך הכל)"
)
"""words that conclude"""
_THEN = re.compile(rf"[\W_]*{_THEREFORE}")
_THEN_INSIDE = re.compile(rf"(?:(?<=[,，、;；])\s*|(?<=\s)(?![ -~])){_THEREFORE}")
"""where a sentence concludes: at its beginning, or inside"""
_OPERAND_BEFORE = re.compile(r"[+*×÷/]\s?[$€£¥₹]?\Z")
_OPERAND = re.compile(r"\s?[^\W\d_]{0,12}\s?[+*×÷](?!\*)")
"""what stands around a number that something is computed from"""
_BREAKS_OFF = re.compile(r"(?:[=＝≈+*/×÷:,(-]|(?<!\w)(?:hence|so|thus|therefore|and|is))\s*\Z")
_JUST_SAID = re.compile(
    r"(?:[:：=]|(?<!\w)(?:is|are|est|sont|es|son|é|são|è|sono|ist|sind|adalah|là|je|jest|er|är|равно|составляет)|是|为|は|が|는|은|이)[\s*$€£¥(\[{\\\"'“「]*\Z"
)
"""what leads to an answer at once"""
_REACH, _END, _LAST, _SUMS = 12, 200, 260, 600
"""characters before a number, at the end, of a last sentence, and in which sums stand, at most"""


def computed(passage: Passage, found: Announcement | None) -> Announcement | None:
    """Return what is announced, or the result of a sum that the last sentence gives instead.

    A sentence that names what a result was computed from gives the last result before it; one that
    concludes with a single number gives that number, be it a member or not.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> passage = Passage(fold("6 + 3 = 9. Also hat er 9 Fässer."), Choices.of(LabelSet.of(["6"])))
    >>> computed(passage, None).answer
    '9'
    """
    if not _are_bare(passage) or (found and (found.rule == "box" or found.state == "undecided")):
        return found
    text = passage.text
    if _BREAKS_OFF.search(text[-_END:].rstrip(" *_")) or hangs(text):
        return found
    end = len(text.rstrip(" .!。！।*$\n)"))
    start = max(passage.sentence_start(end, _LAST), text.rfind("\n", 0, end) + 1)
    checks = CHECKS.search(passage.given.level, max(0, start - _END), end)
    if checks or "%" in text[start:] or (found and _stays(text, found, start)):
        return found
    led = [*_THEN_INSIDE.finditer(passage.given.level, start, end)]
    start = led[-1].start() if led else start
    said = {written(each[0]): each for each in _ANY_NUMBER.finditer(text, start, end)}
    sums = [*_EQUALS.finditer(text, max(0, start - _SUMS), end)]
    result = said.get(written(sums[-1][1])) if sums else None
    alone = len(said) == 1 and _THEN.match(passage.given.level, start) is not None
    scale = result is None and is_scale(passage)
    result = result or (next(iter(said.values())) if alone else None)
    letters = passage.choices.letters
    lettered = any(each[1] in letters for each in LETTER.finditer(text, start, end))
    result = None if result and ends_later(text, result.end()) else result
    if result is None or lettered or ASIDE.search(passage.given.level, start, end):
        return found
    value = member_or(passage, *result.span(), "last value")
    others = passage.labels(start, end) - {value.answer}
    outside = value.state == "outside"
    return found if outside and (others or scale) else value


def _are_bare(passage: Passage) -> bool:
    """Say whether all members are numbers, and count nothing."""
    names = [name for name in passage.choices.owner if name not in passage.choices.letters]
    return counts(passage) and not any(map(str.isalpha, "".join(names)))


def _stays(text: str, found: Announcement, start: int) -> bool:
    """Say whether an announcement is no part of a sum, and comes at once or before a sentence."""
    if found.state == "outside" and AMOUNT.fullmatch(found.answer or "") is None:
        return found.end <= start
    if not any(map(str.isdigit, text[found.start : found.end])):
        return True
    before = text[max(0, found.start - _REACH) : found.start]
    if _OPERAND_BEFORE.search(before) or _OPERAND.match(text, found.end):
        return False
    return found.end <= start or _JUST_SAID.search(text, start, found.start) is not None
