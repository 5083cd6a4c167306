"""What little a text says that announces nothing: one letter, words of one option, an opposite."""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from collections.abc import Iterable

from assay.derive import patterns as re
from assay.derive.equivalents import listed_members
from assay.derive.inferring import akin, inferred, of_kin, other_of_two, says_the_contrary
from assay.derive.naming import LETTER, Announcement, Passage
from assay.derive.open_ends import unsettled_first
from assay.derive.own_lines import is_item, lines_alone
from assay.derive.places import OF_A_THING
from assay.derive.wordings import CONCLUDES, DENIES, NEGATED, YES_AND_NO, one_of

_WORD = re.compile(r"[^\W_]{4,}")
_DENIED = re.compile(
    r"(?:(?<!\w)(?:not|cannot|never|hardly|neither|nor|isn't|wasn't|aren't|far from|nicht|pas|no es|non è)"
    r"|n't)(?: (?!doubt|deny|dispute)[\w'’]+){0,3} $|(?<!\w)no (?!doubt)(?:\w+ )?$|(?<!\w)(?:lacks?|lacking|without|devoid of|free (?:of|from)|absence of) (?:any )?(?:\w+ )?$|(?<!\w)(?:no|not any|any|without|lacks?|absence of)(?: \w+){0,2}? "
    r"(?:signs?|evidence|indications?|symptoms?|indicators?|hints?) (?:of|for|that) (?:\w+ ){0,2}$|(?<!\w)(?:nothing|nobody|no one|nichts|rien|nada|niente)(?!\w)[^,;]*(?<! more) $"
)
_NO_OPTION = re.compile(
    r"(?:vitamin|hepatitis|type|group|class|factor|protein|grade|stage|points?|plan|figure|axis"
    r"|vitamine|typ|gruppe|person|man|rate of|of|and|or|&|than|by) $|[\d\u2070-\u2079\u00b9\u00b2\u00b3][\s}~\\,]{0,3}$"
    r"|(?:集合|函数|直线|平面|曲线|向量|事件|物体|小球|维生素|元素|基因|[点图组区])$",
    re.IGNORECASE,
)
_AN_ARTICLE = re.compile(r" [a-z]")
_IS_SAID = re.compile(
    r" (?:est\w+|es|e|ist|jest|je|to|benar|sai|ser\w+|sar\w+|tem|tiene|ha|correspond\w+|describ\w+|represent\w+|refer\w+)(?!\w)"
)
"""what other languages say of an option whose letter begins a sentence"""
_SET_ASIDE = re.compile(r"(?<!\w)(?:exclud|eliminat|discard|reject|rul(?:e|ed|ing) out)")
_IF = re.compile(r"(?<!\w)(?:if|whether|unless)(?!\w)")
_WHEN = re.compile(r"(?<!\w)if(?!\w)")
_PART = re.compile(r"[^\W\d_]{4,}")
_ELSEWHERE = re.compile(
    r"(?<!\w)(?:(?:an)?other(?!\w| than)|others(?!\w)|instead(?! of)|to do (?:so|that|this)|do(?:es)? that|for (?:that|this),|otr[oa]s?(?!\w)|hacerlo|para (?:ello|eso|isso)|outr[oa]s?(?!\w)|fazê-lo"
    r"|dafür|dazu|ander(?:e[nrms]?)(?!\w)|autres?(?!\w)|pour cela|altr[aeio](?!\w)|per (?:farlo|questo),|друг\w+|для этого)"
)
"""what the text has sent elsewhere for, or has set apart from what it speaks of"""
_OWN_ITEM = re.compile(r"(?m)^[ \t]*(?:[-*•]|\d{1,2}[.)]|[(\[]?[A-Za-z][.)])[ \t]+\S")
_SUMS_UP = re.compile(
    r"\W*(?:in (?:short|summary|sum|conclusion)|overall|to sum up|so|thus|en (?:resumen|definitiva|résumé|somme)|em (?:resumo|suma)|in (?:sintesi|breve|definitiva)|zusammengefasst|insgesamt|kurz(?:um)?|итак)(?!\w)"
)
"""how a text sums up the list that it has made"""
_OR = re.compile(r" n?or (?!not)\w+")
_OPEN = re.compile(
    r"(?<!\w)(?:whether|if|or)(?!\w)|(?<!\w)what (?:is|people|we|some)(?: \w+)? (?:consider|call|deem)(?:ed)? $"
)
_NOR = re.compile(r"([\w-]+) nor $")
_MEASURED = re.compile(
    r"(?<!\w)(?:low|poor|poorly|little|limited|weak|some|partial|moderate|problems?|issues?|assess\w*|evaluat\w*|question\w*|doubt\w*|degrees?|levels?|scores?|terms|depends?)(?!\w)"
)
"""what makes the name of a quality a measure of it"""
_NONE_THERE = re.compile(
    r"[\s*_]*(?:[:=][\s*_]*(?:none|no|not|nil)|(?:is|are|was|were) (?:absent|lacking|missing|not)|(?:is|are|was|were|could|can)(?: not|n't)(?: be)? (?:found|detected|identified|present|apparent|seen))(?!\w)"
)
"""that nothing is found of what a quality is called"""
_OF_OTHERS = re.compile(
    r"(?<!\w)(?:people|persons|individuals|citizens|minds|experts|scholars|some|others|many|critics|opponents|proponents|supporters|anyone)(?: \w+){0,4} $"
)
"""whose view it is that is told"""
_OF_THE_ANSWER = re.compile(
    r"[\s*]*(?:is|was|are|were|does|do|did)(?: not|n't) (?:\w+ )?(?:correct|right|likely|the|an? |fit"
    r"|match|present|met|indicated|supported|appropriate|possible|consistent|apply|seem|explain"
    r"|warranted|true|sufficient|enough|justified|listed|mentioned)"
)
_SUBJECT = re.compile(r"[\s*]*(?:is|was|are|were|does|do|did|has|have|had|can|could)(?: not|n't)\b")
_SO = re.compile(r"\s*(?:so|thus|therefore|hence|this means that),? ")
_THIS_IS = re.compile(
    r"\W*(?:(?:this|that|it|(?:this|the|that) [\w-]+(?: [\w-]+)?)(?:'s| is| seems| appears)(?: to be)?"
    r"|(?:i|we)(?: would|'d|'ll| will)? (?:rate|place|put|score|mark|label|class|classify|describe|characteri[sz]e|categori[sz]e|call)(?: [\w']+){1,6}?(?: as| at| under)?:?"
    r"|my (?:[\w']+ )?(?:opinion|view|position|stance|rating|choice|verdict)(?: would be| is)(?: rated)?(?: as| at)?:?)"
    r"(?: (?:\w+ly|an?|the|most|likely|about|related to|a case of|an example of|classified as|(?:option )?\(?\d[).]*))* [*\"'(]*"
)
_IS_SAID = re.compile(
    r"\W*(?:(?:it|he|she|(?:this|the|that)(?: (?!if|whether|or|and|but|not|never)[\w'’-]+){1,8}?)"
    r" (?:is|are|seems|appears|must be|would be|shows|expresses|conveys|describes|represents|illustrates|supports|indicates|depicts|reflects|demonstrates|exhibits|refers to|points to|corresponds to|belongs to|falls under|counts as|meets (?:the )?criteria for)"
    r"(?: (?:classified|described|explained|known|labell?ed|categori[sz]ed|rated|called|caused|due|consistent|compatible|best|example|case|of|as|by|to|with|an?|the|most|likely|clear|typical|classic|\w+ly))*"
    r"|(?:das|dies|es|(?:die|der|das|diese[rs]?)(?: (?!ob|nicht|oder|und|kein)[\w-]+){1,8}?) (?:ist|lautet|handelt sich um|zeigt|beschreibt|entspricht|drückt|vermittelt)(?: (?:ein\w*|der|die|das|am ehesten|eindeutig|klar|\w+lich|fall|beispiel|von|für))*"
    r"|(?:il|elle|cela|ce|(?:cette|cet|ce|le|la|les)(?: (?!si|pas|ou|et|n')[\w'’-]+){1,8}?|l'\w+(?: [\w'’-]+){0,6}?) (?:est|s'agit|décrit|montre|correspond|exprime)(?: (?:une?|le|la|d'une?|de|du|cas|exemple|avis|ton|sentiment|jugement|opinion|clairement|\w+ment|à|au))*"
    r"|(?:esto|eso|(?:est[ea]|el|la|los)(?: (?!si|no|o|y)[\w-]+){1,8}?) (?:es|describe|muestra|corresponde|expresa|representa)(?: (?:una?|el|la|caso|ejemplo|sentimiento|tono|opinión|de|claramente|\w+mente|a))*"
    r"|(?:isto|isso|(?:est[ea]|ess[ea]|o|a)(?: (?!se|não|ou|e )[\w-]+){1,8}?) (?:é|descreve|mostra|corresponde|expressa|representa)(?: (?:uma?|o|a|caso|exemplo|sentimento|tom|opinião|de|claramente|\w+mente|ao?))*"
    r"|(?:ciò|(?:quest[ao]|il|lo|la)(?: (?!se|non|o|e )[\w-]+){1,8}?|l'\w+(?: [\w'’-]+){0,6}?) (?:è|descrive|mostra|corrisponde|esprime|rappresenta)(?: (?:una?|il|la|caso|esempio|sentimento|tono|giudizio|opinione|di|chiaramente|\w+mente|a))*"
    r") [*\"'(“«]*"
)
"""the beginning of a first sentence that says by a verb which member something is"""
_HAS = re.compile(
    r"\W*(?:(?:the|this) (?:[\w-]+ ){0,3}?(?:patient|man|woman|child|boy|girl|infant|person|client)|s?he) (?:(most likely |very likely |likely |probably )?(?:has|suffers from)|(?:is )?(most likely |likely |probably )suffering from)(?: (?:an?|the|\w+ly|classic|typical))* [*\"'(]*"
)
_REASON = re.compile(
    r"[\s*_\"')\]”»]*(?:(?:sentiment|opinion|tone|view|attitude|emotion|stance|feeling|experience|review|comment|message|meinung|stimmung|haltung|bewertung)(?: (?:aus|(?:about|towards?|of|on) [^,.;!]{1,60}))?)?(?:[.!]|(?:\([^()\n]{1,60}\)\W*)?,? (?:as|because|since|given|due to|based on|according to|in (?:this|the)|by the|denn|weil|da|car|puisque|porque|ya que|pois|perché|poiché|in quanto)(?!\w))"
)
"""what may follow a member that a first sentence ends with"""
_BUT = re.compile(
    r"[.!]\W*(?:however|but|nevertheless|still|yet|although|though|aber|jedoch|allerdings|mais|cependant|toutefois|pero|sin embargo|mas|porém|contudo|no entanto|ma|però|tuttavia|но|однако)(?!\w)"
)
_LIST_ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s")
_KIND = re.compile(
    r"[*_]*(?:(?:,|;| with| without| \() ?[^.:=\n\u2013\u2014]{2,60})?[*_]*\.?[ \t]*(?:\n|$)"
)
"""what may be said of the kind of a disorder, to the end of a line"""
_ITEM_REACH, _PAIR = 12, 2
_UNKNOWN = re.compile(
    one_of(
        r"""
    (?:cannot|can't|can not|could not) (?:\w+ )?be (?:\w+ )?(?:determined|known|inferred|established|verified|confirmed|substantiated|proven|proved|assessed|decided|judged) | (?:cannot|can't|can not|could not) (?:\w+ )?be (?:\w+ )?(?:concluded|answered|said|ascertained)
    (?:not enough|insufficient|no|without (?:more|further|additional)) (?:\w+ )?(?:information|info) | (?:not enough|insufficient|no|without (?:more|further|additional)) (?:\w+ )?(?:evidence|context)
    (?:cannot|can't|impossible to|no way to|unable to|do not|don't|not possible to) (?:\w+ )?know | (?:cannot|can't|impossible to|no way to|unable to|not possible to) (?:\w+ )?(?:tell|say|determine)
    (?:cannot|can't|impossible to|no way to|unable to|not possible to) (?:\w+ )?(?:conclude|infer|assume)
    (?:does not|doesn't|do not) (?:allow|permit|enable) (?:us |me |one )?(?:to )?(?:determine|know|say|tell|conclude|infer)
    (?:does not|doesn't|do not|not) (?:\w+ )?(?:say|specif\w+|tell|state|mention\w*|indicate) | (?:cannot|can't|can not|impossible to|unable to|not able to|not possible to) (?:\w+ )?(?:be answered|answer)
    (?:cannot|can't|can not|unable to|not able to|not possible to) (?:\w+ )?(?:verify|confirm|substantiate|judge|assess) | (?:do|does|did)n't (?:provide|give|contain|have|offer|include|supply) (?:enough|sufficient|adequate) (?:\w+ )?(?:information|info|evidence|context|details?|data)
    (?:not|n't) (?:provide|give|contain|have|offer|include|supply) (?:us |me )?(?:enough|sufficient|adequate) (?:\w+ )?(?:information|info|evidence|context|details?|data)
    (?:not|(?:is|are|was)n't) (?:really )?(?:enough|sufficient|adequate) (?:\w+ )?(?:information|info|evidence|context|details?|data)
    (?:insufficient|inadequate|not (?:sufficient|enough)) to (?:\w+ )?(?:determine|verify|confirm|conclude|say|know|support|judge|decide|establish|assess)
    (?:says?|states?|mentions?|contains?|reveals?|provides?) nothing (?:\w+ )?(?:about|of|on|regarding|concerning) | (?:makes?|contains?|there is) no mention | (?:is|are|remains?) silent (?:on|about|as to)
    (?:does not|doesn't|do not) (?:\w+ )?(?:address|discuss|cover) | neither (?:\w+ ){1,5}nor (?:\w+ ){1,5}(?:can|could) be (?:\w+ )?(?:proven|proved|shown|derived|inferred|deduced|established|confirmed|verified|determined)
    (?:can|could) neither be \w+ nor (?:be )?\w+ | neither (?:proven|proved|confirmed|verified|established) nor \w+
    (?:is|are|was|were) not (?:\w+ly )?known | ambiguous | inconclusive | unknown | undetermined | unclear | nothing can be (?:concluded|said|inferred|determined|known)
    nothing (?:\w+ ){0,3}?(?:indicates|suggests|tells|shows|says|reveals) (?:us )?(?:who|which|whether|what) | never (?:says|mentions|states|tells|specifies|reveals)
    (?:lässt sich|kann) (?:\w+ ){0,3}?nicht (?:sagen|bestimmen|beantworte[tn]|feststellen|wissen) | wissen (?:wir )?nicht
    no (?:se puede|se sabe|podemos|puedo|sabemos|es posible) (?:\w+ )?(?:saber|determinar|responder|decir|quién|qué|si) | no (?:dice|indica|menciona|especifica) (?:quién|qué|cuál|si)
    (?:on|nous) ne (?:peut|pouvons|sait|savons) (?:\w+ )?pas | ne (?:dit|précise|indique) pas | não (?:se sabe|sabemos|podemos|é possível) (?:\w+ )?(?:saber|determinar|responder|dizer|quem|qual|se)
    não (?:diz|informa|indica) (?:quem|qual|se) | non (?:si può|possiamo|sappiamo|è possibile) (?:\w+ )?(?:sapere|determinare|rispondere|dire|chi|quale|se)
    """
    )
)
"""that something cannot be known"""
_NEITHER = re.compile(r"(?<!\w)neither (?=[^.;!?\n]{1,100} nor )[^.;!?\n]{1,200}")
_NO_ANSWER = re.compile(r"(?:cannot|can't|can not|unable to|not able to) (?:\w+ )?answer")
_SAID = re.compile(r"(?<!\w)([^\W\d_]+)(?=\s*[,.;:!?]|\s*$)")
_TICKED = re.compile("[\u2705\u2713\u2714\u2611\u274c\u2717\u2718]")
_LETTERS = re.compile(r"[\s(\[]*[A-Z](?:[\s)\](\[]*[,，、;/&]{1,2}[\s(\[]*[A-Z])+[\s)\].]*")
_DIGIT, _NUMBERS = re.compile(r"\d"), re.compile(r"\d+(?:[.,]\d+)*")
_ITEM_HEAD = re.compile(r"[\s*_#>(\[•\d.)-]*(?:[A-Z][).:\]]+)?[\s*_\"']*")
_DENIED_BEHIND = re.compile(
    r"\s*(?:değil|नहीं|নয়|(?:では|じゃ)(?:な[いく]|ありません)|하지 ?않|지 ?않)"
)
"""a denial behind the word that it denies"""
_IN_TURN = "01234567899876543210"
"""the numbers of the members of a form, up or down"""
_MARKS = " \t\n*_#>\"'`“”()[]{}$.,;:!-–—•"
_ECHO = 600
_SHORT, _LETTER_WORDS, _END, _LISTED, _SHORT_LIST, _VALUE, _FEW = 25, 12, 300, 3, 400, 40, 6


def opposed(passage: Passage, unknown: Announcement | None = None) -> Announcement | None:
    """Return which of two opposite members a text says, or denies, last.

    What is said not to be known counts, unless what follows is said after that.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["True", "False"]))
    >>> opposed(Passage(fold("This is not true."), choices)).answer
    'False'
    """
    opposites, level = passage.choices.opposites, passage.given.level
    if unknown:
        said_then = inferred(passage)
        return said_then if said_then and said_then.start > unknown.start else unknown
    if not opposites:
        return other_of_two(passage) or inferred(passage)
    said = _opposites_in(passage)
    for found in reversed(said or akin(passage)):
        start, end = passage.sentence_start(found.start()), passage.sentence_end(found.end())
        before = level[start : found.start()]
        neither = _NOR.search(before)
        if level[end : end + 1] == "?" or _OPEN.search(before) or _OR.match(level, found.end()):
            continue
        if _OF_OTHERS.search(before) or (neither and neither[1] in opposites):
            continue
        if not said and _MEASURED.search(level, start, end):
            continue
        own, other = opposites[found[0]] if said else of_kin(found[0], passage)
        denied = _DENIED.search(before) or before.endswith(("non-", "non "))
        behind = _DENIED_BEHIND.match(level, found.end()) or _NONE_THERE.match(level, found.end())
        answer = other if denied or behind else own
        return Announcement(*found.span(), "answered", answer, "opposite")
    return inferred(passage)


def opposite_at_once(passage: Passage) -> Announcement | None:
    """Return which of two opposites a text says that something is, its particulars behind a colon.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["normal", "abnormal"]))
    >>> opposite_at_once(Passage(fold("It is abnormal: no normal rate."), choices)).answer
    'abnormal'
    """
    opposites, level = passage.choices.opposites, passage.given.level
    said = _opposites_in(passage) if opposites else []
    if not said or said[-1].start() >= passage.sentence_end(said[0].end()):
        return None
    first = said[0]
    led = _THIS_IS.fullmatch(level, 0, first.start()) or _IS_SAID.fullmatch(level, 0, first.start())
    if led is None or not passage.text.startswith((":", " (", " –", " —", " - "), first.end()):
        return None
    return Announcement(*first.span(), "answered", opposites[first[0]][0], "said first")


def _opposites_in(passage: Passage) -> list[re.Match[str]]:
    """Return where a text has the word of one of two opposites."""
    words = "|".join(sorted(passage.choices.opposites, key=len, reverse=True))
    return [*re.finditer(rf"(?<!\w)(?:{words})(?!\w)", passage.given.level)]


def lone_letter(passage: Passage) -> Announcement | None:
    """Return the one option whose letter the last sentence has, in a few words of any language."""
    letters, text = passage.choices.letters, passage.text
    level, end = passage.given.level, len(text.rstrip(_MARKS + "।؟。"))
    start = passage.sentence_start(end)
    sentence = text[start:end]
    if not letters or len(sentence.split()) > _LETTER_WORDS or text[end : end + 2].strip() == "?":
        return None
    found = [each for each in LETTER.finditer(text, start, end) if each[1] in letters]
    own = [each for each in found if not _is_no_option(text, each, sentence)]
    if len(own) != 1 or len(found) != 1 or NEGATED.search(level, start, end):
        return None
    at = own[0].start(1)
    if DENIES.search(level, start, end) or _SET_ASIDE.search(level, start, at) or is_item(text, at):
        return None
    return Announcement(*own[0].span(1), "answered", letters[own[0][1]], "letter")


def _is_no_option(text: str, letter: re.Match[str], sentence: str) -> bool:
    """Say whether a letter belongs to a word before it, or is one."""
    near = max(0, letter.start() - 12)
    if any(each.search(text, near, letter.start()) for each in (_NO_OPTION, OF_A_THING)):
        return True
    if text[letter.start() - 1 : letter.end() + 1].count("$") > 1 and sentence.count("$") > _PAIR:
        return True
    article = letter[1] in "AIOE" and _AN_ARTICLE.match(text, letter.end()) is not None
    begins = sentence.lstrip().startswith(letter[1]) and not _IS_SAID.match(text, letter.end())
    return article and (begins or sentence.isascii())


def worded(passage: Passage, n_words: int) -> Announcement | None:
    """Return the one option whose words a short text, or the last sentence, has."""
    choices, level = passage.choices, passage.given.level
    end = len(level.rstrip(" .!。！।*\"')"))
    start = 0 if n_words <= _SHORT else passage.sentence_start(end)
    denied = NEGATED.search(level, start, end)
    if denied and len(level[start : denied.start()].split()) >= _LETTER_WORDS:
        end = denied.start()
    elif denied:
        return None
    supposed = _IF.search(level, start, end)
    if supposed and supposed.group() == "if" and level[start : supposed.start()].count(" ") > _PAIR:
        end, supposed = supposed.start(), None
    if not choices.stems or supposed:
        return None
    if any(each.label not in choices.letters for each in passage.within(start, end)):
        return None
    if n_words > _SHORT and _describes_in_turn(passage, start):
        return None
    words = [*_words(level[start:end])]
    named = {each.label for each in passage.within(start, end)}
    several = len({*map(choices.parts.get, words)} - {None}) > 1 or len(named) > 1
    whole = None if several else choices.in_full(level[start:end])
    label = None if several else choices.nearest(words)
    label = whole if whole and not named - {whole} else label
    own = choices.stems[label] if label else frozenset()
    few = n_words <= _FEW and 2 * sum(each[:5] in own for each in words) < len(words)
    label = None if few or says_the_contrary(words, own) else label
    numbers = {*_NUMBERS.findall(choices.option_of(label))} if label else set()
    if numbers - {*_NUMBERS.findall(level[start:end])}:  # seat 2 is not seat 3
        return None
    return None if label is None else Announcement(start, end, "answered", label, "words")


def part_of_an_option(passage: Passage, *, named: bool) -> Announcement | None:
    """Return the one option of which the last sentence has a word that no other has."""
    level, parts = passage.given.level, passage.choices.parts
    end = len(level.rstrip(" .!。！।*\"')"))
    start = passage.sentence_start(end)
    found = [each for each in _PART.finditer(level, start, end) if each.group() in parts]
    labels = {parts[each.group()] for each in found}
    denied = NEGATED.search(level, start, end) or _WHEN.search(level, start, end)
    denied = denied or _ELSEWHERE.search(level, start, end)
    if len(labels) != 1 or passage.within(start, end) or denied:
        return None
    if _SUMS_UP.match(level, start, end) and len(_OWN_ITEM.findall(passage.text, 0, start)) > _PAIR:
        return None
    if not (named or CONCLUDES.search(level, start, end)) or _describes_in_turn(passage, start):
        return None
    return Announcement(*found[-1].span(), "answered", labels.pop(), "part of an option")


def tells_uses(passage: Passage) -> bool:
    """Say whether a text lists items of its own, with words of several options among them."""
    level, parts = passage.given.level, passage.choices.parts
    if not parts or len(_OWN_ITEM.findall(passage.text)) <= _PAIR:
        return False
    return len({parts[each] for each in _PART.findall(level) if each in parts}) >= _PAIR


def _describes_in_turn(passage: Passage, start: int) -> bool:
    """Say whether a sentence describes a member after others that sentences began with."""
    begin = {
        each.label
        for each in passage.names
        if not passage.text[passage.sentence_start(each.start) : each.start].strip(_MARKS)
    }
    items = {
        line: each.label
        for each in passage.names
        if (line := _begins_line(passage.text, each.start)) is not None
    }
    here = passage.text.rfind("\n", max(0, start - _ECHO), start) + 1
    if here in items and len({*items.values()}) > _PAIR:
        return True
    own = passage.within(start, start + _PAIR)
    said = {
        each.label: passage.given.level[each.end : each.end + _VALUE].split()[:_LISTED]
        for each in (*passage.names, *own)
    }
    alike = [label for label, words in said.items() if own and words == said[own[0].label]]
    return bool(own) and (len(begin) > _PAIR or len(alike) > 1)


def _begins_line(text: str, at: int) -> int | None:
    """Return where the line begins that a name stands at the beginning of, else None."""
    start = text.rfind("\n", max(0, at - _VALUE), at) + 1
    return start if _ITEM_HEAD.fullmatch(text, start, at) else None


def _words(part: str) -> Iterable[str]:
    return _WORD.findall(part)


def the_subject(passage: Passage, n_words: int) -> Announcement | None:
    """Return the one member of which a single sentence says something, though it denies that."""
    if len({each.label for each in passage.names}) != 1:
        return None
    first, text = passage.names[-1], passage.text
    led = _SO.match(passage.given.level, passage.sentence_start(first.start), first.start)
    ends = not text[passage.sentence_end(first.end) :].strip(_MARKS)
    begin = led.end() if led and ends else 0
    if n_words > _SHORT and not begin:
        return None
    first = first if begin else passage.names[0]
    if text[begin : first.start].strip(_MARKS) or _OF_THE_ANSWER.match(
        passage.given.level, first.end
    ):
        return None
    if not _SUBJECT.match(passage.given.level, first.end):
        return None
    return Announcement(first.start, first.end, "answered", first.label, "subject")


def said_first(passage: Passage) -> Announcement | None:
    """Return what the first sentence of a text says that it is, where reasons follow it.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["positive", "negative"]))
    >>> said_first(Passage(fold("This review is clearly positive. It praises the"), choices)).answer
    'positive'
    """
    if unsettled := unsettled_first(passage):
        return unsettled
    level, end = passage.given.level, passage.sentence_end(0)
    names = passage.within(0, end)
    follows = passage.text[end : end + 1] in {".", "!"} and passage.text[end + 1 :].strip(_MARKS)
    if len({each.label for each in names}) != 1 or _IF.search(level, 0, end):
        return None
    first = names[0]
    reasoned = _REASON.match(level, first.end)
    if not follows and (reasoned is None or end <= reasoned.end()):
        return None
    led = _THIS_IS.fullmatch(level, 0, first.start) is not None
    if not led and _REASON.match(level, first.end) and not _BUT.match(level, end):
        alone = "\n" in passage.text[end : end + _PAIR]
        led = _IS_SAID.fullmatch(level, 0, first.start) is not None
        has = _HAS.fullmatch(level, 0, first.start)
        led = led or (has is not None and (alone or any(has.groups())))
    if not led:
        return None
    return Announcement(first.start, first.end, "answered", first.label, "said first")


def not_known(passage: Passage, *, after: int = 0, offended: bool = False) -> Announcement | None:
    """Return the member that says that it cannot be known, where the end of a text says so.

    Who is offended by a question and says that he cannot answer it has not said that.
    """
    own, level = passage.choices.unknown, passage.given.level
    if own is None:
        return None
    found = [*_UNKNOWN.finditer(level, max(after, len(level) - _END))]
    found += [each for each in _NEITHER.finditer(level, after) if _all_but(own, each, passage)]
    found = [each for each in found if not (offended and _NO_ANSWER.fullmatch(each.group()))]
    return Announcement(*found[0].span(), "answered", own, "not known") if found else None


def _all_but(own: str, part: re.Match[str], passage: Passage) -> bool:
    """Say whether a part of a text names every member but one."""
    named = {each.label for each in passage.within(*part.span())}
    return named == {*passage.choices.owner.values()} - {own}


def yes_and_no(passage: Passage) -> bool:
    """Say whether a text says yes and no, of which it chooses neither."""
    particles, level = passage.choices.particles, passage.given.level
    if not particles or YES_AND_NO.search(level):
        return bool(particles)
    said = {particles[each[1]] for each in _SAID.finditer(level) if each[1] in particles}
    return len(said) > 1


def only_members(passage: Passage) -> str | None:
    """Say whether a text is no more than lines with members: all of them, or one and the other."""
    text = passage.text
    if len(text) > _SHORT_LIST or text.count("\n") < _PAIR - 1 or "%" in text:
        return None
    alone = lines_alone(passage)
    lines = [each for each in text.splitlines() if each.strip(_MARKS)]
    if len(alone) < len(lines):
        alone = _specified(passage)
    if _is_a_form(lines, passage):
        return "echo"
    answers = [each.answer for each in alone]
    letters = [*passage.choices.letters.values()]
    if len(letters) > _PAIR and answers[:-1] == letters and "\n\n" in text[alone[-2].end :]:
        return None
    unranked = all(map(_LIST_ITEM.match, lines)) and "primary" not in passage.given.words
    least = _PAIR if unranked else _LISTED
    if len(alone) < max(least, len(lines)) or len(set(answers)) == 1:
        return None
    return "echo" if answers == letters else "undecided"


def _specified(passage: Passage) -> list[Announcement]:
    """Return the members with which lines begin that say no more than of which kind they are."""
    found = []
    for each in passage.names:
        line = passage.text.rfind("\n", 0, each.start) + 1
        if not passage.text[line : each.start].strip(f"{_MARKS}0123456789") and _KIND.match(
            passage.text, each.end
        ):
            found.append(Announcement(each.start, each.end, "answered", each.label))
    return found


def _is_a_form(lines: list[str], passage: Passage) -> bool:
    """Say whether lines are all members in order, to be filled in or with their numbers."""
    names = [*dict.fromkeys(passage.choices.owner.values())]
    items = [each.strip(f"{_MARKS}_").lower() for each in lines[: len(names)]]
    if len(names) <= _PAIR or any(map(str.isdigit, "".join(names))):
        return False
    numbers = "".join(each[-1] for each in items if each[-1:].isdigit())
    said = [each.rstrip(f"{_MARKS}{_IN_TURN}") for each in items]
    return numbers in _IN_TURN and said == [each.lower() for each in names]


def only_listed(passage: Passage) -> str | None:
    """Say whether a text does no more than list options in a line: all of them, or some."""
    text, choices = passage.text, passage.choices
    if not choices.letters or len(text) >= _ECHO or _TICKED.search(text):
        return None
    letters = text.upper().replace(" AND ", ",").replace(" OR ", ",")
    glued = text.isupper() and choices.letters.keys() >= set(text) and len(text) > 1
    several = len(set(letters) & choices.letters.keys()) > 1
    if several and (glued or _LETTERS.fullmatch(letters)):
        return "undecided"
    lines = text.splitlines()
    asked = lines[: -len(choices.letters)]
    if asked and asked[-1].rstrip(" *_").endswith(("?", ":")):
        text = "\n".join(lines[len(asked) :])
    n = listed_members(text, choices)
    if n < _PAIR:
        return None
    return "echo" if n == len(choices.letters) else "undecided"
