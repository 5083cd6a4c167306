"""Members that a text ranks: by their order, by a tick beside one of them, by a share beside each."""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from itertools import pairwise

from assay.derive import patterns as re
from assay.derive.choices import Named
from assay.derive.equivalents import all_member, said_of_all
from assay.derive.figures import combined, only_one, truths
from assay.derive.naming import EDGE, Announcement, Passage, letters_of
from assay.derive.wordings import CONCLUDES, DENIED_AFTER, NEGATED

_TICK = re.compile("[\u2705\u2713\u2714\u2611]")
_CROSS = re.compile("[\u2717\u2718\u274c\u2716]")
_SHARE = re.compile(r"[\s*_)]*[(\[:=–—|-]+\s*(?:~|≈|about |approximately )?(\d{1,3})(?:\.\d+)?\s*%")
_LINE_LETTER = re.compile(
    rf"\n[ \t>*•#|-]*(?:[aA]nswer )?(?:[oO]ption |[cC]hoice )?[(\[*]*([A-Z])[)\]*.:]*(?![{EDGE}])"
)
_FITS = re.compile(
    r"(?<!\w)(?:fits|matches|match|correct|right|consistent|best|most likely|likely|yes|as seen"
    r"|as in this|explains|appropriate|supported|all criteria|strongly|valid|acceptable|plausible|satisf(?:ies|y)|obeys|complies|(?:keeps|respects|meets) (?:all|every|each)"
    r"|(?:makes|make) (?:the most |perfect |good )?sense|first line|of choice"
    r"|passt|vereinbar|beweisend|encaja|coincide|compatib\w+|compatível|correspond\w*|concord\w*|corrisponde|explique|explica|spiega|подходит|соответствует|характерн\w*|типичн\w*)(?!\w)"
    r"|(?<!\w)(?:correct[oa]s?|corret[oa]s?|corrett[oa]|verdader[oa]|verdadeir[oa]|ver[oa]|vraie?|juste|richtig|wahr|korrekt|verno|верн\w+|правильн\w+|benar|tepat|sesuai|đúng|phù hợp|doğru|uygun|poprawn\w+|prawdziw\w+|juist|rätt|riktigt?)(?!\w)"
    r"|符合|吻合|支持|正确|一致|合致|正しい|適切|該当|맞[는음다습]|옳|적절|해당|صحيح|सही|সঠিক|ถูกต้อง"
)
_FITS_NOT = re.compile(
    r"(?<!\w)(?:not?|less|un\w+|never|without|would|should|might|cannot|lacks?|only partly|partially|but"
    r"|however|incorrect|wrong|in(?:consistent|appropriate|valid)|implausible|makes no|impossible|violat\w+|contradict\w*|breaks|fails?)(?!\w)"
    r"|n't(?!\w)|[\u274c\u2717\u2718]"
    r"|(?<!\w)(?:nicht|kein\w*|negativ\w*|würde\w*|wäre\w*|hätte\w*|säße\w*|eher|un\w+lich|ausgeschlossen|ne|n'\w+|pas|peu|non|não|poco|pouco|nessun\w*|esclus\w*|exclu\w*|descart\w*|sin|sem|senza"
    r"|sarebbe\w*|darebbe\w*|serai\w*|donnerai\w*|tendría\w*|daría\w*|teria\w*|daria\w*|не|нет|исключ\w*|incorrect[oa]s?|incorret[oa]s?|scorrett[oa]|fals[oa]s?|falsch|faux|fausse|errad[oa]|errat[oa]|sbagliat[oa]|неверн\w+|неправильн\w+|tidak|bukan|salah|kurang|không|sai|değil\w*|yanlış|nie|błędn\w+|fałszyw\w+|niet|onjuist|inte|ikke|fel|feil)(?!\w)"
    r"|不|排除|阴性|ない|错|誤|間違|不適|않|아니|아닙|틀[리린렸립림]|부적절|خاط|خطأ|غير|ليس|गलत|नहीं|ভুল|ผิด|ไม่"
)
_SAYS_RIGHT = re.compile(
    r"(?:this|it|that)(?: (?:statement|option))? is (?:also )?(?:the )?(?:correct|true)(?!\w)"
)
_THE_ONE = re.compile(
    r"(?:this|it) is (?:by far )?the least (?!likely|prob|plaus|consist|suit|approp|compat)\w"
)
"""what is said of the item of a list that was asked for; the least likely one was not"""
_OF_OTHERS = re.compile(
    r"(?<!\w)(?:why not|others?|ruled out|differentials?(?! diagnos)|against|excluded)(?!\w)"
)
_CHOICE = re.compile(
    r"(?:(?<!\w)(?:[oO]ption|[cC]hoice|[aA]nswer|[sS]tatement) |\n[ \t>*•-]*|[(\[]|^"
    r"|[.!?;,] (?:and )?)"
    rf"([A-Z])(?![{EDGE}])"
)
_VERDICT = re.compile(
    r"[)\]] (?:(?P<apart>(?i:incorrect|wrong|false|irrelevant|opposite|out of scope))|(?P<sole>(?i:correct|right|true)))(?=[.;\n]|$)"
    r"|(?:选项|项)?[^。；;A-Z]{0,40}?(?:(?P<error>不正确|错误)|正确)"
    r"|[)\]*\"'.:： ]*(?:[はがも]|の(?:選択肢|記述)は)?[ 、]?(?:(?P<false>誤り|誤って|間違|不適切|不正解|正しくな|適切で(?:は)?な|当てはまらな)|(?P<plain>(?:正しい|正解|正答|適切)(?=[。、,.)）\s]|$)|[○◯])|正し[いく]|正解|正答|適切|当てはまる)"
    r"|(?:[)\]*\"'.:]* (?:is|ist|est|es|é|è)(?: \w+ly| also| auch| aussi| también| também| anche)? |[)\]* |]*[:–—|-][* ]*)(?:(?P<wrong>(?:not|nicht) \w+|in(?:correct\w?|accurate|valid|corret[oa]|exacte?)|wrong"
    r"|false|falsch|faux|fausse|fals[oa]|errad[oa]|errat[oa]|sbagliat[oa])|correct[aeo]?|right|true|accurate|valid|richtig|korrekt|wahr|exacte?|vraie?|verdader[oa]|corret[oa]|corrett[oa]"
    r"|cert[oa]|ver[oa])(?!\w)(?! (?:if|only|when|si|se|wenn|falls|answer|option|choice)(?!\w))"
    r"|(?:[)\]*\"'.:]* |[)\]* |]*[:–—|-][* ]*)(?:adalah |là |är |er |is |jest |je |este |е |είναι )?(?:(?P<amiss>salah|keliru|sai|yanlış|fel|feil|forkert|onjuist|błędn[aye]|niepoprawn[aye]|nieprawidłow[aye]|nesprávn[áéý]|chybn[áéý]|špatn[áéý]|greșită?|incorectă?|helytelen|неверн\w+|неправильн\w+|хибн\w+|неправилен|λάθος|ผิด|نادرست|غلط|خاطئة?|गलत|ভুল)"
    r"|benar|tepat|đúng|doğru|rätt|riktig|rigtigt?|korrekt|juist|poprawn[aye]|prawidłow[aye]|správn[áéý]|corectă?|helyes|верн(?:ый|о|а)|правильн(?:ый|о|а)|верен|σωστό|ถูก|درست|صحیح|صحيحة?|सही|সঠিক)(?!\w)"
)
"""behind a letter, that its option is right or wrong"""
_WRONG = ("error", "wrong", "false", "amiss", "apart")
_REMAINS = re.compile(
    r"(?:(?<!\w)(?:bleibt|queda|resta|reste|rimane|blijft|zostaje|остаётся|остается|залишається|zbývá|geriye|tersisa|còn|rămâne|marad|jää)"
    r"(?: (?:nur|noch|solo|sólo|apenas|que|plus|tylko|doar|only|lại|la|le|a|il|o|die|der|das|jäljelle|proposition|réponse|alternativa|opción|letra|optie|вариант|только|somente|hanya|pouze|jen|chỉ))*"
    r"|يبقى|เหลือ(?:เพียง)?|只?剩下?|而是|那就是|应[该当]?是|ではなく、?|아니라|(?<!\w)(?:tylko|melainkan|mà là|sino|vaan|hanem|ci|αλλά|а)(?= [A-Z](?!\w))|지만,?[^A-Z.\n]{0,20})[ *(\"']*"
    rf"([A-Z])(?![{EDGE}])|(?<![{EDGE}])([A-Z])[)*\"']*(?: (?:bleibt|återstår|gjenstår|blijft|kalır|बचता)(?! (?:nur |noch )?[A-Z](?!\w))|[がだけのみ]{{1,2}}残|[가만이] ?남)"
)
"""the letter of the option that is left, or that applies instead of another"""
_ALL_WRONG = re.compile(
    r"((?:[A-Z]项?(?:[、,，和及もや와과]| ?[,和])?(?: (?:y|e|и|und|et|ed|dan|và|ve|i|en|och|og|and) ?)? ?){1,5}[A-Z])"
    r"(?:项?(?:[均都皆全]是?)(?:错误|不正确|不对|不符|错)|も?[はが]?(?:すべて|全て|いずれも)?(?:誤り|誤って|間違|不適切|不正解)|[는은] ?(?:모두 )?(?:틀[렸립린]|오답|아니|부적절)"
    r"| (?:son|están|são|estão|sono|sont|sind|adalah|là|đều|semuanya)(?: (?:todas|todos|tutte|toutes|alle|đều))? (?:incorrect[ao]s|fals[ao]s|falsch|erróne[ao]s|errad[ao]s|incorret[ao]s|sbagliate|errate|fausses|incorrectes|salah|sai)|(?: —)? (?:неверн|неправильн)\w+)"
)
_DENIED_BEFORE = re.compile(
    r"(?:\bnot|n't be|cannot be|[eE]liminat\w+|[rR]ul\w+ out|[eE]xclud\w+|[dD]iscard\w*)"
    rf" (?:options? |choices? |answers? )?[(\[]?([A-Z])(?![{EDGE}])(?! is)"
)
_LETTERS = rf"[(\[*]*[A-Z][)\]*]*(?:(?:,? ?(?:and|&) |, ?)[(\[*]*[A-Z](?![{EDGE}])[)\]*]*)+"
_SET_ASIDE = re.compile(
    rf"(?<!not )(?<!n't )(?<!cannot )(?:[eE]liminat(?:e|es|ed|ing)|[rR]ul(?:e|es|ed|ing) out|[eE]xclud(?:e|es|ed|ing)|[dD]iscard(?:s|ed|ing)?|[dD]ismiss(?:es|ed|ing)?|[rR]eject(?:s|ed|ing)?|[cC]ross(?:ed|ing)? out)"
    rf" (?:(?:the )?(?:answer )?(?:options|choices|answers) )?(?P<list>{_LETTERS})"
    rf"|(?<![{EDGE}])(?P<said>{_LETTERS}) (?:(?:can|could|should|must|may|have|were|are|is) (?:all |therefore |thus |also |safely |easily |immediately |be |been |both ){{0,3}}(?:eliminated|ruled out|excluded|discarded|dismissed|rejected)"
    r"|are (?:all |both |clearly |therefore |not correct|not right|\w+ly ){0,2}(?:incorrect|wrong|false|out|invalid|not correct|not right|impossible|not possible))(?!\w)"
)
"""several options that are set aside together"""
_BREAKS = re.compile(
    r"[)\]*\"']{0,3} (?:also |clearly |directly )?(?:violates?|contradicts?|breaks|conflicts? with|disobeys|fails to)(?!\w)"
)
"""what an option does with a condition, or does not"""
_BEFORE_TICK = re.compile(r"(?<!\w)([A-Z])[:.)](?![^\n]*(?<!\w)[A-Z][:.)] )[^\n]*\Z")
_TOP = (
    r"(?:this is |the |my |by far |overall |clearly )*(?:most (?:likely|probable|plausible)|likeliest|best (?:fit|match|supported)|favou?red"
    r"|primary|chosen|selected|correct|(?:leading|top|working|first|number one) (?:diagnosis|choice|candidate|hypothesis|suspect|concern|consideration|possibility|explanation)"
    r"|am wahrscheinlichsten|wahrscheinlichste\w*|plus probable|más probable|mais provável|più probabile|наиболее вероят\w+)(?!\w)"
)
CALLED_LIKELIEST = re.compile(rf"[\s*_]*[(\[–—:-]+\s*{_TOP}", re.IGNORECASE)
"""what calls the member before it the most likely one"""
UNLIKELY_ONES = re.compile(
    r"[\W_\d]*(?:(?:very|highly|more) )?(?:unlikely|improbable|implausible|not likely|ruled out|unwahrscheinlich|peu probables?|poco probab\w+|pouco prová\w+)"
    r"(?: (?:but (?:possible|dangerous|serious|important)|diagnos[ei]s|causes?|options?|ones?))?[\W_]*"
)
"""a heading of members that are no answer"""
_ITEM_HEAD = re.compile(r"[ \t>]*(?:[-*•#]+|[(\[]?\d{1,2}[.)\]]+|[A-Za-z][.)])?[ \t*_]*")
_NOTHING = " .:)*_]"
_LETTERS_IN_ORDER = re.compile(r"(?<![\w>])\(?([A-Z])\)? ?(?:>>?|≫) ?\(?([A-Z])\)?(?!\w)")
_IF = re.compile(r"(?<!\w)(?:if|when|where|whether)(?!\w)")
_MORE = frozenset({">", ">>", "≫"})
_LINE, _LEAST, _LEAD, _MOST, _HEAD = 200, 2, 40, 40, 60

_PREFERRED = r"(?:choice|pick|preference|guess|selection|candidate)"
_AS = r"[ \t*_]*(?:\([^()\n]{1,30}\)[ *_]*)?(?:[:=]|[-\u2013\u2014](?= ))"
_IS_PUT = rf"(?:{_AS}|(?: is| would be| goes to)(?= ))"
_ANEW = r"(?:^|(?<=[\n.,;|]))[ \t*_#>|(-]*(?:\d[.)] )?(?:and )?"
_NOT_JUDGED = (
    r"(?!\W*[\w-]{1,40}\)?(?: [\w-]{1,40}){0,2} (?:is|was|looks?|looked|seems?|seemed|would|can|cannot|could|might|has|does)(?!\w)"
    r"|\W*(?:not|wrong|incorrect|correct|right|eliminated|ruled)(?!\w))"
)
_ORDERS = tuple(
    (re.compile(f"{_ANEW}{one}{_NOT_JUDGED}", re.IGNORECASE), re.compile(other, re.IGNORECASE))
    for one, other in (
        (
            rf"(?:(?:my|our|the) )?(?:first|1st|top|primary|number one|no\. ?1|#1) {_PREFERRED}{_AS}",
            rf"{_ANEW}(?:(?:my|our|the) )?(?:(?:second|2nd|next|secondary|alternative|number two|no\. ?2|#2) {_PREFERRED}|(?:second[- ]best|runner[- ]up)(?: {_PREFERRED})?){_AS}",
        ),
        (
            rf"(?:my|our) (?:first|1st|top) {_PREFERRED}{_IS_PUT}",
            rf"{_ANEW}(?:my|our|the) (?:(?:second|2nd|next) {_PREFERRED}|(?:second[- ]best|runner[- ]up)(?: {_PREFERRED})?)(?:{_IS_PUT}|(?=,))",
        ),
        (
            rf"(?:the )?(?:best|most likely|most probable|likeliest)(?: (?:{_PREFERRED}|option|answer))?{_AS}",
            rf"{_ANEW}(?:the )?(?:second|2nd|next)[- ](?:best|most likely|most probable|likeliest)(?: (?:{_PREFERRED}|option|answer))?{_AS}",
        ),
        (rf"rank(?:ed)? ?#?1{_AS}", rf"{_ANEW}rank(?:ed)? ?#?2{_AS}"),
        (rf"g(?:uess)? ?#?1{_AS}", rf"{_ANEW}g(?:uess)? ?#?2{_AS}"),
        (r"erste wahl ?:", rf"{_ANEW}zweite wahl ?:"),
        (r"premier choix ?:", rf"{_ANEW}(?:deuxième|second) choix ?:"),
        (r"primera elección ?:", rf"{_ANEW}segunda elección ?:"),
        (r"primeira escolha ?:", rf"{_ANEW}segunda escolha ?:"),
        (r"prima scelta ?:", rf"{_ANEW}seconda scelta ?:"),
    )
)
"""how what is first is called, and what is second"""
_SECOND = re.OneOf(
    "econd|ECOND|2nd|2ND|unner|UNNER|ank 2|ank #2|ANK 2|uess 2|uess #2|G2|#2|next |Next |lternative |umber two|weite Wahl|euxième|egunda"
)
"""of which such an order has one"""
_AFTER = ("second ", "second-", "2nd ", "2nd-", "next ", "next-", "secondary ", "alternative ")
_OF_TWO = (*_AFTER, "number two ", "no. 2 ", "no.2 ", "#2 ")
_PUT = ("choice", "pick", "preference", "guess", "selection", "candidate", "best", "most", "likeli")
_PUT_SECOND = re.OneOf(
    "|".join(f"{each}{put}" for each in _OF_TWO for put in _PUT)
    + "|runner-up|runner up|rank 2|rank #2|ranked 2|ranked #2|guess 2|guess #2|g2|#2|zweite wahl"
    "|deuxième choix|second choix|segunda elección|segunda escolha|seconda scelta"
)
"""how it puts something second, in small letters"""
_SETTLED = re.compile(
    r"(?<!\w)(?:final|therefore|thus|hence|actually|wait|instead|overall|rather|in conclusion|on reflection|on second thought|the (?:correct )?answer|my answer)(?!\w)"
    r"|(?:^|\n)[ \t*_#]*(?:correct )?(?:answer|option)[ *_]*:",
    re.IGNORECASE,
)
"""with which a text concludes after such an order"""
_TAKEN_BACK = re.compile(r"(?<!\w)(?:but|however|although|though|except)(?!\w)", re.IGNORECASE)
_SECOND_REACH = 1500
"""characters between the first and the second at most"""


def before_second(text: str) -> str:
    r"""Return a text without what it puts second, third and so on behind what it puts first.

    Examples
    --------
    >>> before_second("First choice: C\nSecond choice: B"), before_second("Second choice: B")
    ('First choice: C', 'Second choice: B')
    >>> before_second("First choice: C\nSecond choice: B\nFinal answer: B")
    'First choice: C\nSecond choice: B\nFinal answer: B'
    """
    if not _SECOND.within(text) or not _PUT_SECOND.within(text.lower()):
        return text
    for first, second in _ORDERS:
        one = first.search(text)
        other = second.search(text, one.end(), one.end() + _SECOND_REACH) if one else None
        if one is None or other is None:
            continue
        between = text[one.end() : other.start()]
        if _TAKEN_BACK.search(between) or _SETTLED.search(text, other.end()):
            return text
        return text[: other.start()].rstrip(" \t\n,;|*_#>(-")
    return text


def ranked(passage: Passage) -> Announcement | None:
    """Return the one member that is ticked among others that are not, or has the largest share.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["flu", "cold"]))
    >>> ranked(Passage(fold("flu (70%), cold (30%)"), choices)).answer
    'flu'
    """
    text = passage.text
    found = _largest(passage) if "%" in text else None
    found = called_right(passage) or found
    found = ticked(passage) or found
    if found is None and ">" in text:
        found = _before_others(passage)
    found = found or truths(passage) or only_one(passage) or combined(passage)
    found = found or (judged(passage) if "\n" in text else None)
    return found or _remaining(passage) or left_over(passage) or most_likely(passage)


def _all_apply(passage: Passage, *, after: int) -> Announcement | None:
    """Return that all members apply, where a text says so last; a member that says it too is it."""
    choices, end = passage.choices, len(passage.text)
    if choices.particles or "true,false" in choices.values:
        return None
    said = said_of_all(passage.given, choices, after, end)
    if said is None or passage.within(said[1], end):
        return None
    own = all_member(choices)
    return Announcement(*said, "answered" if own else "undecided", own, "all apply")


def called_right(passage: Passage, last: Announcement | None = None) -> Announcement | None:
    """Return the option that is judged otherwise than all others; of several right ones none is.

    Where a text ends by calling the only option that it looks at wrong, that is what was asked for.
    `last` is what it concludes last.
    """
    letters, text, after = passage.choices.letters, passage.text, last.start if last else 0
    together = _all_apply(passage, after=after)
    tried = letters_of(text) if len(letters) > _LEAST and together is None else ()
    named = [each for each in tried if each[1] in letters]
    verdicts = ((each, _VERDICT.match(text, each.end())) for each in named)
    marks = {
        each[1]: (each, any(map(said.group, _WRONG)), said["plain"] or said["sole"])
        for each, said in verdicts
        if said
    }
    plain = [each for each, _, so in marks.values() if so]
    right = [each for each, wrong, _ in marks.values() if not wrong]
    right = plain if len(plain) == 1 else right
    odd = right if len(right) == 1 else [each for each, wrong, _ in marks.values() if wrong]
    alone = plain or (not right and len(odd) == 1 and _ends_so(passage, named, odd[0]))
    if len(odd) == 1 and (len(marks) > _LEAST or alone):
        return Announcement(*odd[0].span(), "answered", letters[odd[0][1]], "judged to fit")
    end = max((each.end() for each, *_ in marks.values()), default=0)
    several = marks.keys() == letters.keys() or (len(plain) > 1 and len(plain) == len(marks))
    if together is None and right and several and end > after:
        return Announcement(end - 1, end, "undecided", None, "judged")
    return together


def _ends_so(passage: Passage, named: list[re.Match[str]], wrong: re.Match[str]) -> bool:
    """Say whether a text concludes that the only option that it names is wrong."""
    start, level = passage.sentence_start(wrong.start()), passage.given.level
    alone = {each[1] for each in named} == {wrong[1]} and len(level) - wrong.end() < _LEAD
    return alone and CONCLUDES.search(level, start, wrong.start()) is not None


def _before_others(passage: Passage) -> Announcement | None:
    """Return the first of members that a text puts in an order, as in "flu > cold"."""
    for one, other in pairwise(passage.names):
        if passage.text[one.end : other.start].strip(" *") in _MORE:
            return Announcement(one.start, one.end, "answered", one.label, "first in order")
    letters, end = passage.choices.letters, len(passage.text)
    for found in [*_LETTERS_IN_ORDER.finditer(passage.text, max(0, end - _LEAD))][:1]:
        supposed = _IF.search(
            passage.given.level, passage.sentence_start(found.start()), found.start()
        )
        if supposed:
            break
        if found[1] in letters and found[2] in letters and found[1] != found[2]:
            return Announcement(*found.span(1), "answered", letters[found[1]], "first in order")
    return None


def judged(passage: Passage) -> Announcement | None:
    """Return the one member that fits, of lines that say of each whether it does."""
    level, lines = passage.given.level, _lines(passage)
    if not lines or _OF_OTHERS.search(level, max(0, lines[0].start - _HEAD), lines[0].start):
        return None
    marks: dict[str, tuple[bool, Named]] = {}
    comments = [(each, _comment(passage, lines, each)) for each in lines]
    if not all(comment for _, comment in comments):
        return None
    denied = {e.label for e, said in comments if _FITS_NOT.search(said) or "?" in said}
    for each, comment in comments:
        fits = _FITS.search(comment) is not None and not _FITS_NOT.search(comment)
        earlier = marks.get(each.label)
        marks[each.label] = (fits and (earlier is None or earlier[0]), each)
    own = [each for fits, each in marks.values() if fits]
    if not own and len(marks) > _LEAST and len(marks) == len(passage.choices.letters or marks):
        own = [each for label, (_, each) in marks.items() if label not in denied]
    one = [each for each, comment in comments if _THE_ONE.search(comment)]
    own = one if len(one) == 1 and len(marks) > _LEAST else own
    right = {each.label for each, comment in comments if _SAYS_RIGHT.search(comment)}
    if 1 < len(right) == len(own) < len(marks) - 1 and len(marks) == len(passage.choices.letters):
        return Announcement(own[0].start, own[-1].end, "undecided", None, "judged")
    if len(own) != 1 or len(marks) < _LEAST:
        return None
    return Announcement(own[0].start, own[0].end, "answered", own[0].label, "judged to fit")


def _comment(passage: Passage, lines: list[Named], each: Named) -> str:
    """Return what a line says of its member, or what the last line below says that names it."""
    end = passage.text.find("\n", each.end)
    end = min(len(passage.text) if end < 0 else end, each.end + _LINE)
    said = passage.given.level[each.end : end]
    own = [one for one in passage.within(each.end, end) if one.label == each.label]
    alone = own and not f"{said[: own[0].start - each.end]}{said[own[0].end - each.end :]}".strip(
        _NOTHING
    )
    below = _verdict_below(passage, lines, each) if alone or not said.strip(_NOTHING) else ""
    return below or said.strip(_NOTHING)


def most_likely(passage: Passage) -> Announcement | None:
    """Return the member whose words all stand, in another order, in what is called most likely.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["worn front brake", "loose chain"]))
    >>> text = "The most likely cause is that the brake in front is worn. See a mechanic."
    >>> most_likely(Passage(fold(text), choices)).answer
    'worn front brake'
    """
    level = passage.given.level
    at = level.rfind("most likely")
    if at < 0:
        return None
    end = passage.sentence_end(at)
    label = None if NEGATED.search(level, at, end) else passage.choices.in_full(level[at:end])
    return None if label is None else Announcement(at, end, "answered", label, "words")


def _verdict_below(passage: Passage, lines: list[Named], each: Named) -> str:
    """Return the last line of what stands below a heading, up to the next one; "" without any."""
    following = lines[lines.index(each) + 1 :]
    end = passage.text.rfind("\n", 0, following[0].start) if following else len(passage.text)
    below = passage.given.level[each.end : end].strip(f"{_NOTHING}\n#-")
    return below.rpartition("\n")[2][-_LINE:]


def _remaining(passage: Passage) -> Announcement | None:
    """Return the option of which the last sentence says that it is left, in other languages."""
    letters, end = passage.choices.letters, len(passage.text.rstrip(" .!。।*\"')\n"))
    start = passage.sentence_start(end) if letters else end
    found = [*_REMAINS.finditer(passage.text, start, end + 1)]
    places = [
        each.span(each.lastindex or 1) for each in found if each[each.lastindex or 1] in letters
    ]
    if len(places) != 1 or passage.text[end : end + 2].strip() == "?":
        return None
    label = letters[passage.text[slice(*places[0])]]
    return Announcement(*places[0], "answered", label, "left over")


def left_over(passage: Passage) -> Announcement | None:
    """Return the option that is left where a text says of every other one that it is wrong.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of_options(["flu", "cold", "mumps"]))
    >>> left_over(Passage(fold("Option A is wrong. Option C is incorrect."), choices)).answer
    'B'
    """
    letters, level = passage.choices.letters, passage.given.level
    wrong: dict[str, tuple[int, int]] = {}
    for each in _CHOICE.finditer(passage.text) if len(letters) > _LEAST else ():
        denied = DENIED_AFTER.match(level, each.end(), each.end() + _LINE)
        if each[1] in letters and (denied or _BREAKS.match(level, each.end())):
            wrong[letters[each[1]]] = each.span(1)
    for each in _DENIED_BEFORE.finditer(passage.text) if wrong or len(letters) > _LEAST else ():
        if each[1] in letters:
            wrong[letters[each[1]]] = each.span(1)
    together = _SET_ASIDE.finditer(passage.text) if len(letters) > _LEAST else ()
    for each in together:
        listed = letters_of(each["list"] or each["said"])
        wrong |= {letters[one[1]]: each.span() for one in listed if one[1] in letters}
    for each in _ALL_WRONG.finditer(passage.text):
        wrong |= {letters[one]: each.span(1) for one in letters if one in each[1]}
    rest = [label for label in letters.values() if label not in wrong]
    if len(rest) != 1 or not wrong:
        return None
    return Announcement(*[*wrong.values()][-1], "answered", rest[0], "left over")


def only_left(passage: Passage, denied: frozenset[str]) -> Announcement | None:
    """Return the one option that is not denied, of three or more, in the place of its last name."""
    letters = passage.choices.letters
    rest = {*letters.values()} - denied
    own = [each for each in passage.names if each.label in rest]
    if len(rest) != 1 or len(letters) <= _LEAST or not own:
        return None
    return Announcement(own[-1].start, own[-1].end, "answered", own[-1].label, "left over")


def _lines(passage: Passage) -> list[Named]:
    """Return the members that lines begin with, by letter or by name, in order."""
    text, letters = passage.text, passage.choices.letters
    lines = [
        Named(each.start(1) - 1, each.end(1) - 1, letters[each[1]])
        for each in _LINE_LETTER.finditer(f"\n{text}")
        if each[1] in letters
    ]
    if lines:
        return lines
    named = []
    for each in passage.names[-_MOST:]:
        start = text.rfind("\n", max(0, each.start - _LEAD), each.start) + 1
        if start and not text[start : each.start].strip(" \t>*•-|()[].0123456789"):
            named.append(each)
    return named


def ticked(passage: Passage) -> Announcement | None:
    """Return the one member that is ticked, in its line or below it as a heading."""
    text = passage.text
    if text.isascii() or not _TICK.search(text):
        return None
    lines = _lines(passage)
    own: list[Named] = []
    for each in lines or passage.names:
        end = text.find("\n", each.end)
        line = text[text.rfind("\n", 0, each.start) + 1 : len(text) if end < 0 else end][:_LINE]
        if lines and not _TICK.search(line) and not _CROSS.search(line):
            line = _verdict_below(passage, lines, each)
        if _TICK.search(line) and not _CROSS.search(line):
            own.append(each)
    if not own and (not lines or len(lines) == 1):
        letters = passage.choices.letters
        near = (
            _BEFORE_TICK.search(text, max(0, each.start() - _HEAD), each.start())
            for each in _TICK.finditer(text)
        )
        own = [
            Named(*each.span(1), letters[each[1]]) for each in near if each and each[1] in letters
        ]
    if len({each.label for each in own}) != 1:
        return None
    return Announcement(own[-1].start, own[-1].end, "answered", own[-1].label, "ticked")


def _largest(passage: Passage) -> Announcement | None:
    found = {}
    for each in passage.names:
        share = _SHARE.match(passage.text, each.end)
        if share:
            found[each.label] = (int(share[1]), each)
    largest = sorted(found.values(), reverse=True)
    if len(largest) < _LEAST or largest[0][0] == largest[1][0]:
        return None
    best = largest[0][1]
    return Announcement(best.start, best.end, "answered", best.label, "largest share")


def likeliest_of_list(passage: Passage) -> Announcement | None:
    r"""Return the one member of a list, with which a text ends, that is called the most likely.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["flu", "cold"]))
    >>> likeliest_of_list(Passage(fold("1. flu\n2. cold (most likely)"), choices)).answer
    'cold'
    """
    text = passage.text
    if "\n" not in text or not passage.names:
        return None
    items: dict[int, Named] = {}
    for each in passage.names:
        start = text.rfind("\n", max(0, each.start - _LINE), each.start) + 1
        if _ITEM_HEAD.fullmatch(text, start, each.start):
            items.setdefault(start, each)
    last = text.rfind("\n", 0, len(text.rstrip())) + 1
    if len({each.label for each in items.values()}) < _LEAST or last not in items:
        return None
    top = [each for each in items.values() if CALLED_LIKELIEST.match(text, each.end)]
    if len({each.label for each in top}) != 1:
        return None
    return Announcement(top[0].start, top[0].end, "answered", top[0].label, "called likeliest")
