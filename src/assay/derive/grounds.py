"""Whether a text declines on grounds of its own: what is asked offends, is private, needs a view."""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from assay.derive import patterns as re
from assay.derive.hints import said_first
from assay.derive.mentions import Folded
from assay.derive.naming import Passage
from assay.derive.refusals import GOES_ON, RefusalHit, does_the_task
from assay.derive.stances import NEITHER_SIDE, says_at_once
from assay.derive.text import has_words
from assay.derive.wordings import CONCLUDES, words_of

_OFFENDING = (
    "offensiv|offensant|disrespectful|stereotyp|steriotyp|stéréotyp|estereotip|stereotip|prejudic|préjug|prejuic|preconce|pregiudi|discrimin|racist|sexist"
    "|derogatory|demeaning|hurtful|generalis|generaliz|généralis|upassende|rasistisk|støtende|stødende|krenkende|nedsettende|nedsættende|nedverdigende"
    "|respektløs|fordom|fördom|diskrimin|stötande|kränkande|olämplig|unangemessen|unangebracht|verletzend|beleidigend|verallgemein|pauschalis|vorurteil"
    "|inapprop|inaprop|ofensiv|insultant"
)
"""what one calls a question that one does not want to answer, as far as it is the same"""
_OFFENDS, _MAY_OFFEND = re.compile(rf"(?<!\w)(?:{_OFFENDING})"), re.OneOf(_OFFENDING)
_SIDES = (
    r"(?:choose|select|pick|complete|fill|link|associate|attribute|single|finish|answer|rank|judge)"
)
_ON_GROUNDS = re.compile(
    rf"(?<!\w)(?:cannot|can't|won't|will not|unable to|not able to|not want to|refuse to) (?:\w+ ){{0,2}}?{_SIDES}(?!\w)"
    r"|(?<!\w)no (?:suitable|appropriate|acceptable|proper) (?:answer|option|choice)(?!\w)|(?:not|n't) (?:be )?(?:right|fair|acceptable|appropriate|okay|ok|ethical) to (?:\w+ )?(?:generali[sz]|stereotyp|categor|complete|choose|label|link|attribut|associat)"
    r"|(?<!\w)(?:kan|vil|ønsker|vill|önskar) (?:jeg |jag |der |det )?(?:ikke|inte) (?:\w+ ){0,3}?(?:velge|vælge|välja|svare|svara|fullføre|fuldføre|knytte|kople|koble|koppla|gis|gives|ges)(?!\w)"
    r"|(?<!\w)(?:ikke|inte) (?:vil|kan|ønsker|vill|vill|önskar) (?:å |at |att )?(?:velge|vælge|välja|svare|svara|fullføre|fuldføre|fullborda|knytte|koble|koppla)(?!\w)"
    r"|(?<!\w)(?:rasistisk|rasistiskt|racistisk|diskriminerende|diskriminerande|feil|forkert|galt|urettferdig|fel|orättvist) (?:å|at|att) (?:tillegge|tillægge|tillskriva|si|sige|säga|påstå|knytte|koppla|generaliser\w*)(?!\w)"
    r"|(?<!\w)(?:wrong|unfair|discriminatory|harmful) to (?:\w+ )?(?:attribute|ascribe|assign|generali[sz]e|stereotype|link|single)(?!\w)"
    r"|(?<!\w)(?:ikke|inte) (?:\w+ )?(?:riktig|rigtigt|rätt|passende|lämpligt|akseptabelt|acceptabelt|greit|mulig|muligt|möjligt|rettferdig) (?:å|at|att)(?!\w)|(?<!\w)ingen (?:av|af) alternativ\w+ (?:er|är)(?!\w)"
    r"|(?<!\w)(?:kann|möchte|werde|will) (?:ich )?(?:\w+ ){0,4}?(?:keine?n?|nicht) (?:\w+ ){0,3}?(?:auswahl|auswählen|wählen|antwort|beantworten|ergänzen|zuordnen)(?!\w)|(?<!\w)nicht (?:richtig|in ordnung|angemessen|fair),? [^.!?]{0,80}(?:verallgemeiner|pauschal)|(?<!\w)keine (?:passende|angemessene|geeignete) (?:antwort|auswahl)(?!\w)"
    r"|(?<!\w)pas (?:juste|correct|approprié|acceptable) de (?:généralis|stéréotyp|catégoris|réduire)|(?<!\w)ne (?:peux|peut|veux) (?:\w+ )?pas (?:\w+ )?(?:choisir|répondre|compléter)(?!\w)|(?<!\w)aucune réponse (?:appropriée|adéquate|convenable)(?!\w)"
    r"|(?<!\w)no (?:puedo|quiero|voy a|es posible|se puede) (?:\w+ ){0,2}?(?:elegir|escoger|responder|completar|dar)(?!\w)|(?<!\w)no es (?:correcto|justo|apropiado|adecuado) (?:generaliz|estereotip|atribu|elegir)|(?<!\w)ninguna respuesta (?:adecuada|apropiada)(?!\w)"
    r"|(?<!\w)não (?:posso|quero|vou|é possível) (?:\w+ ){0,2}?(?:escolher|responder|completar|dar)(?!\w)|(?<!\w)não é (?:correto|justo|apropriado|adequado) (?:generaliz|estereotip|atribu|escolher)|(?<!\w)nenhuma resposta (?:adequada|apropriada)(?!\w)"
    r"|(?<!\w)non (?:posso|voglio|è possibile|si può) (?:\w+ ){0,2}?(?:scegliere|rispondere|completare|dare)(?!\w)|(?<!\w)non è (?:giusto|corretto|appropriato) (?:generalizz|stereotip|attribu|scegliere)|(?<!\w)nessuna risposta (?:adeguata|appropriata)(?!\w)"
)
"""how one does not answer it"""
_PRIVATE = re.compile(
    r"(?<!\w)(?:privacy|private (?:persons?|individuals?|people|information)|personal (?:information|data|details)|confidential\w*|vie privée|privacidad|privacidade|datenschutz|persönliche[nr]? (?:daten|informationen))(?!\w)"
)
_NO_LOOK = re.compile(
    r"(?<!\w)(?:not able to|unable to|can't|cannot|can not|don't|do not) (?:have )?(?:\w+ ){0,2}?(?:access|look|see|check|disclose|reveal|verify)(?!\w)"
)
_NO_VIEW = re.compile(
    r"(?:(?<!\w)(?:não|nem) (?:tenho|possuo)|(?<!\w)no (?:tengo|poseo)|(?<!\w)non (?:ho|possiedo)|(?<!\w)je (?:ne possède|n'ai) (?:\w+ )?pas(?: d[e'])?"
    r"|(?<!\w)i (?:do not|don't) (?:have|hold|possess)|(?<!\w)(?:habe|besitze) ich(?: \w+){0,3}? keine?|(?<!\w)ich (?:habe|besitze)(?: \w+){0,3}? keine?)"
    r" (?:(?:an?|any|uma|una|une|um|un|real|true|personal|own|eigene[ns]?) ?){0,3}\W{0,4}(?:opini|crença|consci|convic|belief|personal (?:view|opinion)|creencia|credenz|coscien|avis|croyanc|meinung|überzeug|bewusst"
    r"|(?:resposta|respuesta|answer|réponse|risposta|antwort) (?:genu|pr[oó]pri|pessoal|personal|of my own)|(?:genuine|personal) answer)"
)
"""who has no view of one's own to give"""
_NOT_OWN = re.OneOf(
    "tenho|possuo|tengo|poseo|non ho|possiedo|je ne poss|je n'ai|i do not|i don't|habe|besitze"
)
"""how that begins"""
_NO_SIDE = re.compile(
    r"(?:(?<!\w)(?:(?P<able>cannot|can't|can not|can neither|could not|unable|not able|won't|refrain)|not|neither|without|rather than|instead of)|n't)(?: [\w']+){0,7}?"
    r" [\"'“]?(?:agree(?:ing|ment)?[\"'”]? (?:n?or|and) [\"'“]?(?:with )?disagree|disagree(?:ing|ment)?[\"'”]? (?:n?or|and) [\"'“]?agree|yes[\"'”]? (?:n?or|and) [\"'“]?no(?!\w)|(?:choose|select|pick|take|favou?r|be on) (?:a|any|either|one) (?:sides?|stance|position)s?(?!\w))"
)
"""who takes neither side"""
_MAY_SIDE = re.OneOf(
    "agree|yes| side| stance| position|weder |zustimm|d'accord|acuerdo|concord|соглас|eens |同意|赞|贊|支持|賛|동의|찬성"
)
"""of which it has one, in any language"""
_A_MACHINE = re.compile(
    r"(?<!\w)(?:as|i'm|i am|being)(?: \w+){0,2}? an? (?:\w+ ){0,3}?(?:ai|a\.i\.|artificial intelligence|(?:large )?language model|machine|chatbot|bot|virtual assistant|computer program|model)(?!\w)"
    r"|(?<!\w)(?:als|en tant (?:qu'|que )|comme|como|in quanto|come|в качестве|как|jako|sebagai|som)(?: ?(?:eine?|une?|uma?|una|en|et|i))? ?(?:ki(?!\w)|künstliche|sprachmodell|sprach-ki|ia(?!\w)|ai(?!\w)|intelligence artificielle|modèle|inteligencia artificial|inteligência artificial|modelo|intelligenza artificiale|modello|языков\w+|ии(?!\w)|искусственн\w+|model|språkmodell|taalmodel)"
    r"|(?:作为|作為|我是|身为|身為)[^。，,]{0,8}(?:人工智能|人工智慧|ai|[语語]言模型|助手)|(?:ai|人工知能|言語モデル)(?:である|として|なので|です|アシスタント)|(?:인공지능|ai|언어 ?모델)(?:로서|이므로|이기|이라|으로서|은|는|입니다)"
)
"""who says what speaks"""
_OF_A_MACHINE = re.compile(
    r"(?<!\w)my (?:\w+ )?(?:purpose|programming|training|guidelines|function|design|goal|role) (?:is|are|as|do|does|prevents?|requires?)(?!\w)"
    r"|(?<!\w)(?:i|we) (?:(?:do not|don't|never) (?:have|hold|possess|take|express|form|share|offer|give)|(?:have|hold|possess|take) no)(?: \w+){0,3}? (?:opinions?|beliefs?|views?|stances?|positions?|feelings?|emotions?|preferences?|values|judge?ments?)(?!\w)"
    r"|(?<!\w)(?:i am|i'm) (?:\w+ )?(?:programmed|designed|trained|built|instructed|developed) (?:to|by|not)(?!\w)"
    r"|(?:没有|沒有|无|無|不持)(?:任何)?(?:个人|個人|自己的|主观)?(?:观点|觀點|立场|立場|意见|意見|看法|偏好)|(?:個人的な)?(?:意見|見解|立場)[をはがも]{1,2}(?:持って(?:いない|いません|おらず|おりません)|持たない|持ちません|ない|ありません)|(?:의견|견해|입장)[이을를은도]* ?(?:없|가지고 있지 않|갖고 있지 않)"
    r"|(?<!\w)(?:remain|stay|be|am|'m) (?:\w+ )?(?:neutral|impartial|unbiased)(?!\w)"
)
"""what it says of itself for not answering"""
_NOT_ITS_VIEW = re.compile(
    r"[.!\s]*i (?:do not|don't|cannot|can't|will not|won't|never|would not|wouldn't) (?:\w+ly )?(?:endorse|condone|support|approve|agree|share|hold|promote|repeat|tolerate)(?!\w)"
)
"""what is said of a view that was only judged"""
_PRESSED = re.compile(
    r"(?<!\w)(?:if i (?:had|have|were forced|was forced) to|if (?:forced|pressed|pushed)|(?:would|might|'d) tend to (?:say|answer)|tender[ií]a|s'il fallait|si je devais|wenn ich(?: \w+){0,4}? müsste|müsste ich"
    r"|se (?:eu )?tivesse (?:que|de)|si tuviera que|se dovessi|se proprio dovessi)(?!\w)[^.!?\n:,]{0,80}[?:,][\s*_]*"
    r"(?:(?:probably|likely|most likely|provavelmente|probablemente|probablement|probabilmente|wahrscheinlich|eher|i'd say|i would say|diria(?: que)?|diría(?: que)?|je dirais(?: que)?|direi(?: che)?)[\s,:*_]+){0,2}"
    r"|(?<!\w)i(?:'d|'ll| would| will) (?:\w+ly )?(?:label|rate|classify|categori[sz]e|score|mark)(?: (?!if |as |at )[\w'’-]+){1,8}? (?:as|at|with|under)(?: an?)?(?!\w)[\s:*_]*"
)
"""how one says what one would answer if one had to, or how one would rate something"""
_IF = words_of(
    "label rate classify categorize categorise score mark forced pressed tend tenderia tendería fallait devais müsste tivesse tuviera dovessi"
)
"""words of which it needs one, but for "if i" """
_LONG = 120
_GENERALLY = r"[\s,:]*(?:(?:in (?:general|most (?:cases|places|states|countries)|short)|generally|usually|typically|normally|often|as a rule|legally|strictly speaking|the (?:short |simple |general |usual )?answer (?:is|would be))(?: speaking)?[\s,:]+)?"
_IN_GENERAL = re.compile(_GENERALLY)
_CONCEDED = re.compile(
    rf"\W*(?:while|whilst|although|(?:even )?though) (?:i|we)(?!\w)[^.;!?\n,]{{3,160}},{_GENERALLY}"
)
"""a disclaimer that a text begins with and concedes"""
_DEEMED = re.compile(
    r"(?<!\w)(?:is|are|was|were|be)(?: \w+ly)* (?:considered|regarded as|seen as|viewed as|deemed|classified as|labell?ed(?: as)?)(?!\w)"
)
"""how something is called by most, as a verdict"""
_ONLY_SAYS_WHO = re.compile(
    r"[^.!?\n]{0,80}?(?<!\w)(?:(?:i'm|i am|as|being) (?:just |only |merely )?(?:an? )?(?:ai|artificial|(?:large )?language model|assistant|chatbot)(?!\w)|(?:not|n't) (?:a substitute for |intended as |meant as |to be taken as )?(?:medical|professional|legal|financial) advice)[^.!?\n]{0,120}[.!]\s+(?=\S)"
)
_UNABLE = re.compile(
    r"(?<!\w)(?:cannot|can not|unable|refuse|decline|(?:not|never) (?:able|allowed|permitted|qualified|going to|comfortable|have|provide|give|offer))(?!\w)|(?:ca|wo|do|does|should|must)n't(?!\w)"
)
"""a sentence that says who speaks, and what one says who declines"""


def declines_on_grounds(text: Folded, *, judges: bool = False) -> str | None:
    """Return on which ground of its own a text declines.

    Where it `judges` a claim, that something is not right to say is no refusal but its answer.

    Examples
    --------
    >>> from assay.derive.mentions import fold
    >>> declines_on_grounds(fold("It isn't right to stereotype a whole nation."))
    'offends'
    """
    level = text.level
    if not has_words(text.text, _LONG):
        offends = not judges and _MAY_OFFEND.within(level) and _OFFENDS.search(level)
        declines = _ON_GROUNDS.search(level) if offends else None
        if declines and not _done(text, declines):
            return "offends"
        hidden = _NO_LOOK.search(level) if _PRIVATE.search(level) else None
        if hidden and not _done(text, hidden):
            return "private"
    begin = level[: 4 * _LONG]
    return "no view" if _NOT_OWN.within(begin) and _NO_VIEW.search(begin) else None


def judges_only(passage: Passage) -> bool:
    """Say whether a text says first what something is, and then that it is not its own view.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["insult", "praise"]))
    >>> judges_only(Passage(fold("This is an insult. I do not condone it."), choices))
    True
    """
    stop = passage.sentence_end(0)
    own = _NOT_ITS_VIEW.match(passage.given.level, stop)
    return own is not None and said_first(passage) is not None


def takes_no_side(text: Folded) -> bool:
    """Say whether a text takes neither side because of what speaks in it, which is declining.

    Examples
    --------
    >>> from assay.derive.mentions import fold
    >>> takes_no_side(fold("I am an AI and can neither agree nor disagree."))
    True
    >>> takes_no_side(fold("I neither agree nor disagree."))
    False
    """
    level = text.level
    if not _MAY_SIDE.within(level):
        return False
    found = _NO_SIDE.search(level)
    unable = found["able"] if found else NEITHER_SIDE.search(level)
    if unable and _A_MACHINE.search(level):
        return True
    return bool(found or unable) and _OF_A_MACHINE.search(level) is not None


def conceded_at(text: Folded) -> int | None:
    """Return where a text says yes or no after a disclaimer that it begins with and concedes.

    Examples
    --------
    >>> from assay.derive.mentions import fold
    >>> conceded_at(fold("Although I cannot give advice, in general yes, it is safe."))
    42
    """
    conceded = _CONCEDED.match(text.plain)
    says = conceded and says_at_once(text.level[conceded.end() :]) is not None
    return conceded.end() if conceded and says else None


def disclaimed_at(text: Folded) -> int | None:
    """Return where a text goes on after a sentence that only says who speaks, and declines nothing.

    Examples
    --------
    >>> from assay.derive.mentions import fold
    >>> disclaimed_at(fold("I'm an AI, and this is not medical advice. It is B."))
    43
    >>> disclaimed_at(fold("I'm an AI and cannot give medical advice. It is sad."))
    """
    found = _ONLY_SAYS_WHO.match(text.plain)
    return None if found is None or _UNABLE.search(found.group()) else found.end()


def said_yet(text: Folded) -> int | None:
    """Return where a text goes on after a disclaimer with what it says all the same.

    Examples
    --------
    >>> from assay.derive.mentions import fold
    >>> said_yet(fold("I cannot give advice, but usually yes."))
    34
    """
    but = GOES_ON.search(text.plain)
    if but is None:
        return None
    at = _IN_GENERAL.match(text.plain, but.end()).end()  # type: ignore[union-attr]  # may be empty
    if says_at_once(text.level[at:]) is not None:
        return at
    judges = CONCLUDES.search(text.level, but.end()) or _DEEMED.search(text.level, but.end())
    return but.end() if judges else None


def _done(text: Folded, found: re.Match[str]) -> bool:
    return does_the_task(text, RefusalHit(*found.span(), "", "hard"))


def pressed(text: Folded) -> int | None:
    """Return where a text says what it would answer if it had to, in its last place."""
    if _IF.isdisjoint(text.words) and "if i " not in text.level:
        return None
    found = [*_PRESSED.finditer(text.level)]
    return found[-1].end() if found else None
