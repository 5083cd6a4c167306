"""How texts say that they leave a question open, in several languages.

What is said so after the last conclusion takes it back: a text that weighs two members and ends
with "both can be defended" has chosen neither.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from assay.derive import patterns as re
from assay.derive.mentions import Folded
from assay.derive.naming import Announcement, Passage, not_said
from assay.derive.wordings import UNSETTLED, Wordings, words_of

_HINTS = words_of(
    """
    knows definite definitive disagree random randomly easy simple straightforward universal scientific sure certainty subjective best subjetiva subjetivo subjectif subjektiv soggettiva soggettivo definitiva única objetiva también also or until sides side jump come both either equally depends depend each split divided specify comes hinges depending torn undecided toss tie separated distinguish differentiate decide tell choose settle apart which any all three two one open unclear
    unresolved ambiguous inconclusive uncertain favour favor prefer needed required necessary warranted help helpful distinguished differentiated sich beide beiden nicht gleich gleichermaßen offen unklar an davon trancher départager choisir distinguer décider
    déterminer deux autre tout ouverte dépend reste decantarse decidir distinguir elegir escoger determinar diferenciar ambas ambos dos cualquiera igualmente igual depende abierta duas dois qualquer escolher decidere distinguere scegliere stabilire determinare
    dirimere entrambe entrambi ambedue ugualmente dipende нельзя невозможно трудно сложно позволяет позволяют оба обе любой равной одинаково зависит
    """
)
"""without one of these words nothing spaced is looked for"""
_SOME, _FEW = r"(?:[^\s.!?;]+ ){0,8}?", r"(?:[^\s.!?;]+ ){0,4}?"
_ON = r"(?:[^\s,.!?;]+ ){0,4}?"
"""a few words of the same clause"""
_FIT_EN = r"(?:possible|plausible|acceptable|reasonable|correct|right|viable|valid|open|defensible|likely|candidates|options|justifiable|consistent|compatible|tenable|in play|on the table)"
_FIT_ROMANCE = r"(?:(?:im)?poss[ií]\w+|posibles?|plaus[ií]\w+|plausíve\w+|acept\w+|accept\w+|aceit\w+|envisageable\w*|défend\w+|defend\w+|defens\w+|corre[ct]\w*|valid\w*|válid\w+|valable\w*|compat\w+|recevable\w*|abert\w+|abiert\w+|apert\w+|ouvert\w+|prob\w+|prováve\w+|sostenibil\w+|podría\w*|pourrai\w+|poderia\w*|potrebbe\w*)"
_DECIDE_EN = r"(?:decide|tell(?! you)|see which|say which|say whether|say that (?:one|either|any)|say (?:for sure|with certainty|definitively)|distinguish|differentiate|choose|settle|commit|separate|discriminate|single (?:\w+ )?out|pick|determine (?:which|whether)|favou?r|prefer)"
_DECIDE_ROMANCE = r"(?:trancher|départager|choisir|distingu\w+|décider|déterminer|decant\w+|decid\w+|eleg\w+|escog\w+|determin\w+|diferenci\w+|inclin\w+|optar|escolher|distinguere|scegliere|stabilire|differenziare|dirimere|se prononcer|conclu\w+)"
_DECIDE_RU = r"(?:выбрать|решить|различить|определить|сказать|отличить|установить|отдать)"
_STRONG = Wordings(
    rf"""
        both {_SOME}(?:can|could|may|might) {_FEW}be | both {_SOME}(?:are|remain|seem|stay|appear|look) {_FEW}{_FIT_EN}
        (?:all|any) (?:of |three|four|these|them){_SOME}(?:are|is|remains?|seems?) (?!not |less |hardly ){_FEW}{_FIT_EN} | (?:are|were|seem|remain|look) (?:all|both|each) {_FEW}{_FIT_EN}
        (?:all|any) (?:of |three|four|these|them){_SOME}(?:could|might|may) be | either (?:of (?:them|these|those|the two)|one|option|answer|choice|diagnosis|way|condition)
        either {_SOME}or {_SOME}(?:could|can|may|might|would|is|are) {_FEW}(?:be|{_FIT_EN}) | (?:cannot|can't|can not|could not|couldn't|unable to|not possible to|hard to|difficult to) {_ON}{_DECIDE_EN}
        (?:impossible to|not able to|not enough to|no way to|no basis to|insufficient to) {_FEW}{_DECIDE_EN} | (?:not|\w+n't|cannot|never) {_SOME}be (?:separated|distinguished|differentiated|decided|settled|resolved|told apart)
        which (?:one )?of (?:them|these|those|the two) {_SOME}(?:cannot|can't|could not) be | possible that [^.!?\n]* also possible | (?:may|might|could) or (?:may|might|could) not
        equally (?:likely|plausible|possible|good|valid|well|reasonable|compatible|consistent|probable|strong|defensible|supported|applicable)
        (?:it|this|that|answer|choice|decision|diagnosis) (?:all |really |largely |entirely |would |will |may )?(?:depends?|hinges?) | whether {_SOME}{_FEW}depends (?:on|upon)
        (?:nobody|no one) (?:\w+ )?(?:knows|can (?:say|tell)(?! you)) | no (?:clear|single|definite|definitive|obvious|one|easy|simple|straightforward|universal|scientific|right or wrong)(?:[, "-]+[a-z]+){{0,4}}? (?:answer|choice|winner|preference|conclusion) | (?:torn|undecided|toss up|tie) (?:between|here)
        (?:it|this|that|which|answer|question|topic|matter|issue)(?: is|'s) (?:a )?(?:\w+ )?subjective(?: question| topic| matter| and| as|(?=[.,;!])) | no (?:one|single) [\"'“]?best | up to (?:each|every) (?:individual|person|reader|one of us)
        (?:people|minds|individuals|experts|citizens) (?:can|may|might|could|will|often) (?:\w+ )?disagree | (?:choose|pick|select|decide) (?:at random|randomly) | randomly (?:choose|pick|select|decide)
        (?:pregunta|tema|cuestión|respuesta)(?: es)? (?:\w+ )?subjetiv[oa] | es subjetiv[oa] | no (?:hay|existe) (?:una |ninguna )?(?:\w+ ){{0,2}}?respuesta (?:\w+ ){{0,2}}?(?:objetiva|única|definitiva|correcta|clara)
        (?:any|each) (?:one )?of (?:the |these )(?:two|three|four|drugs|options|choices|conditions|answers|diagnoses) | (?:jurisdictions|experts|authors|courts|opinions|sources) (?:are|is) (?:split|divided)
        (?:does|do) not (?:say|tell|specify|state|mention) (?:us )?(?:which|whether) | (?:not|\w+n't) {_FEW}(?:come down on|take sides?|side with|jump to)
        until (?:that|this|it|we|then) (?:is |are |have |has )?(?:been )?(?:known|clear|clarified|established|settled) | comes down to (?:which|what|how|whether) | (?:arguments?|case|evidence) (?:can be made )?(?:for|on) both
        (?:do not|don't|does not|doesn't|without) (?:\w+ )?(?:a preference|favou?r(?:ing)?|prefer(?:ring)?) (?:one|either|any) | (?:one|some) {_FEW}(?:would|could|might|may|will) {_SOME}(?:another|others) [^.!?\n]*
        (?:first|one) (?:reading|interpretation|view|case|definition){_SOME}(?:second|other) | (?:matter|question) of (?:taste|definition|interpretation|perspective|opinion)
        (?:keep|bear|have|hold) both (?:in mind|open|possib\w+|options|diagnoses|alive) | both {_SOME}(?:must|should|need to|have to) {_FEW}(?:stay|remain|be) | (?:commit|decide|settle) (?:to|on|for) (?:one|either|any|a single)
        (?:leaves?|leaving|left|remains?|kept) (?:it |this |the (?:question|choice|answer|decision|matter) )?(?:open|undecided|unresolved)
        (?:lässt|lassen) sich {_SOME}nicht {_FEW}(?:entscheiden|sagen|unterscheiden|trennen|festlegen|bestimmen|klären)
        nicht (?:sicher |eindeutig |zu |möglich,? )*(?:entscheiden|unterscheiden|entscheidbar|festlegen|unterscheidbar)
        beide[nrs]? {_SOME}(?:abklären|prüfen|verfolgen|bedenken|möglich|denkbar|vertretbar|plausibel|frage|betracht|richtig|offen|vereinbar) | gleich(?:ermaßen)? (?:wahrscheinlich|gut|plausibel|möglich)
        (?:kommt|käme) (?:darauf|drauf) an | (?:bleibt|bleiben) {_FEW}offen | hängt {_FEW}davon ab | (?:ne|n') ?{_SOME}(?:pas|guère) {_FEW}{_DECIDE_ROMANCE} | n'{_SOME}pas {_FEW}{_DECIDE_ROMANCE}
        (?:no|não|non) (?:es|resulta|se|é|è|si|permit\w+|permet\w+|permett\w+|consent\w+|puedo|posso|basta\w*) {_FEW}{_DECIDE_ROMANCE}
        (?:impossible|difficile|imposible|difícil|impossível|impossibile|arduo) (?:de |di )?{_FEW}{_DECIDE_ROMANCE} | (?:les deux|toutes (?:les )?deux|tous (?:les )?deux|l'une? (?:ou|comme) l'autre) {_SOME}{_FIT_ROMANCE}
        (?:ambas|ambos|las dos|los dos|as duas|os dois|entrambe|entrambi|ambedue) {_SOME}{_FIT_ROMANCE} | (?:cualquiera|qualquer uma?|qualsiasi|n'importe laquelle) (?:de|d|des) ?{_SOME}{_FIT_ROMANCE}
        (?:cualquiera|qualquer uma?) (?:dess?[ae]s|dest[ae]s) {_SOME}{_FIT_ROMANCE} | (?:igual(?:mente)?|ugualmente|tout aussi|également) (?:de )?(?:prob|plaus|pos)\w+
        (?:reste\w*|quedan?|ficam?|restano|resta) {_FEW}(?:ouvert|abiert|abert|apert)\w+ | (?:cela|ça|tout|esto|eso|todo|isso|tutto|respuesta|resposta|risposta|réponse) (?:dépend|depende|dipende)
        (?:нельзя|невозможно|трудно|сложно|не позволя\w+|не удаётся|не удается) {_SOME}{_DECIDE_RU} | {_DECIDE_RU} {_SOME}(?:нельзя|невозможно|трудно|сложно|не удаётся|не удается)
        (?:оба|обе|любой из|любое из) {_SOME}(?:возможн|вероятн|допустим)\w+ | в равной (?:степени|мере) | одинаково (?:вероятн|возможн)\w+ | зависит от
        """,
    unspaced=(
        "(?:无法|难以|不能)(?:在[^。]{0,16}之间)?[^。]{0,6}?(?:区分|判断|确定|选择|决定|鉴别|取舍|抉择)"
        "|[都均皆]有?可能|两者[都均皆]|取决于"
        "|(?:无法|無法|不能|难以|難以)[^。，]{0,10}或[^。，]{0,12}(?:答案|回答|作答)"
        "|一概に[^。]{0,24}(?:言え|答えられ|判断でき|決められ|断定でき)(?:ません|ない)"
        "|どちらとも(?:決|言|い|断)|(?:決め|絞り込め|断定でき|区別でき|特定でき|決定でき|判断でき)(?:られ)?ません"
        "|(?:絞|決め|区別|判断|断定)[^。]{0,8}(?:困難|難し)|可能性も[^。]{0,12}可能性も"
        "|(?:両方|どちらも|いずれも)[^。]{0,6}?(?:考え|可能|あり得|ありえ|否定でき)"
    ),
)
_WEAK = Wordings(
    rf"""
        (?:needed|required|necessary|warranted|help(?! you)|helpful|essential) {_FEW}to {_FEW}(?:{_DECIDE_EN}|clarify|narrow)
        (?:required|needed|help(?! you)|necessary) {_FEW}(?:to )?(?:{_DECIDE_EN}|clarify|determine|establish)
        (?:remains?|is|are) (?:still )?(?:unclear|undetermined|ambiguous|inconclusive|uncertain)
        (?:answer|it|this|diagnosis|choice|which) (?:\w+ )?depends on | depending on (?:which|what|how|whether|who|the (?:definition|interpretation|context|perspective|criteria|circumstances|assumptions?|situation|specific)) | differential (?:diagnos[ie]s )?(?:includes|comprises|remains)
        """
)
_FOR = re.compile(
    r"(?<!\w)(?:proponents|supporters|advocates|those (?:in favou?r|who (?:favou?r|support|back))|arguments? (?:for|in favou?r)|befürworter\w*|argumente dafür|partisans|défenseurs|arguments? pour"
    r"|partidarios|defensores|argumentos? a favor|a favor|apoiadores|sostenitori|favorevoli|argomenti a favore)(?!\w)"
)
_AGAINST = re.compile(
    r"(?<!\w)(?:opponents|critics|detractors|skeptics|those (?:against|opposed|who (?:oppose|reject))|arguments? against|conversely|on the other hand|in contrast|gegner\w*|kritiker\w*|argumente dagegen|opposants|détracteurs|arguments? contre"
    r"|detractores|opositores|opositoras|críticos|críticas|contra|em contrapartida|oppositori|critici|contrari|argomenti contro|contro)(?!\w)"
)
"""both sides of a debate"""
_WEIGHED = re.compile(
    r"(?<!\w)(?:neither agree nor disagree|positives? and negatives?|benefits and (?:drawbacks|risks)|advantages and disadvantages|pros and cons|merits and (?:drawbacks|demerits)|potential drawbacks|(?:find|strike)(?:ing)? (?:a|the right) balance"
    r"|(?:address|consider) both|remains? (?:\w+ )?(?:contested|debated|disputed|controversial)|(?:highly|hotly|widely) (?:contested|debated) (?:\w+ )?(?:issue|topic|question|matter|subject)|(?:subject|matter|topic) of (?:\w+ ){0,3}debate|complex (?:\w+ ){0,2}(?:issue|question|topic|challenge|debate)(?: that)? (?:requir\w+|with valid arguments|with no universally)|sparks? (?:\w+,? ){0,3}debates?|(?:while|although) (?:many|some) (?:argue|believe|say|hold|contend) [^.!?]{1,160}, others|(?:drawing )?support from [^.!?]{1,120} opposition from|balancing [^.!?]{1,120} against|debate (?:over|about|on|around) [^.!?]{1,80} (?:cent(?:er|re)s|revolves|turns)|both (?:\w+ ){1,3}and (?:\w+ ){1,3}are (?:\w+ )?(?:important|necessary|valuable)|ventajas y (?:desventajas|inconvenientes)|vor und nachteile|avantages et (?:les )?inconvénients|vantaggi e (?:gli )?svantaggi|vantagens e desvantagens"
    r"|(?:efectos|aspectos|consecuencias|efeitos|effetti|aspetti|effets|auswirkungen|seiten) (?:(?:tanto|sowohl) )?(?:positiv\w+ (?:y|e|et|und|como|als auch) (?:neg|nég)ativ\w+|contradictori\w+|contraditóri\w+|contraddittori)|(?:encontrar|hallar|lograr|alcançar|trovare|trouver) (?:un |uno |um |o )?(?:juste |justo )?(?:equilibrio|équilibre|equilíbrio)|un (?:\w+ )?(?:equilibrio|équilibre|equilíbrio) (?:\w+ )?entre|ein (?:\w+ )?gleichgewicht (?:zu |zwischen))(?!\w)"
    r"|(?<!\w)(?:on (?:the )?one hand|(?:por|de) un (?:lado|parte)|por una parte|einerseits|d'un côté|d'une part|da un(?:a parte| lato)|por um lado|с одной стороны)(?!\w)[\s\S]{0,900}?(?<!\w)(?:on the other|however|por otr[oa]|sin embargo|no obstante|andererseits|jedoch|d'un autre côté|d'autre part|cependant|toutefois|d'altr[ao]|dall'altr[ao]|tuttavia|por outro|no entanto|contudo|с другой|однако)(?!\w)|一方面[\s\S]{0,300}?(?:另一方面|但)"
)
"""what has two sides, as a text says in passing"""
_FROM_AFAR = re.compile(
    r"(?<!\w)(?:statement|claim|idea|proposition|assertion|proposal|argument|push|position|stance|aussage|these|affirmation|afirmación|declaración|afirmação|declaração|affermazione)(?!\w)[^.!?]{0,120}?"
    r"(?<!\w)(?:reflects?|expresses|aligns? (?:\w+ )?with|represents?|embodies|echoes|as an?|as (?:\w+ )?rooted in|fall(?:s|ing) (?:\w+ )?on|is an? (?:\w+ )?(?:tenet|stance|position|hallmark|staple|cornerstone) of|belongs? to|falls (?:within|under)|draws on|(?:associated|identified|linked) with|(?:characteristic|typical) of|spiegelt|entspricht|steht für|reflète|exprime|correspond à|refleja|expresa|reflete|expressa|riflette|esprime)(?!\w)[^.!?]{0,160}?"
    r"(?<!\w)(?:stances?|positions?|outlooks?|philosoph\w+|ideolog\w+|perspectives?|viewpoints?|worldviews?|principles?|rhetoric|movements?|discourse|thought|traditions?|conservati(?:ves?|sm)|liberal(?:s|ism)?|libertarian(?:s|ism)?|progressiv(?:es?|ism)|populism|socialism|economics|platforms?|spectrum|frameworks?|haltung|weltanschauung|idéologie|postura|posi[cç]\w+|posizione|visione|visión)(?!\w)"
)
"""a statement that is placed and not judged"""
_NO_BETTER = re.compile(
    r"(?<!\w)(?:none of the|no|ingen (?:av|af)|inget av|keine der|aucune des|ninguna de las|nenhuma das|nessuna delle) (?:options?|alternativ\w+|choices?|answers?|réponses|optionen|antworten|opciones|opções|opzioni)(?!\w)"
    r"[^.!?;]{0,40}?(?<!\w)(?:better|more|preferable|bedre|mer|mere|bättre|besser|eher|mieux|plus|mejor|más|melhor|mais|migliore|più)(?!\w)"
    r"|(?<!\w)det går inte att (?:säga|avgöra|veta)(?!\w)|(?<!\w)(?:det er )?(?:ikke mulig|umulig|ikke muligt|umuligt) (?:å|at) (?:si|vite|avgjøre|sige|vide|afgøre)(?!\w)|(?<!\w)ingen (?:direkte )?(?:sammenheng|sammenhæng|korrelasjon|samband)(?!\w)"
)
"""that no option is better than another one"""
_CASE = re.compile(r"(?:If|When|In case) [^,.;:!?\n]{2,60}[,:] (?:then )?[^,.;:!?\n]{1,60}[.;]?")
_CASES = re.compile(rf"(?:(?:\A|(?<=[.;:\n]) ?)[*\s-]*{_CASE.pattern}\s*){{2,4}}\Z")
"""cases that are supposed one after the other, to the end of a text"""
_END, _ENDS_WEAKLY = 500, 300
"""characters at the end in which a text says so"""


def left_open(given: Folded, *, concluded: int | None) -> tuple[int, int] | None:
    """Return where a text says at its end that it leaves the question open.

    `concluded` is where the last conclusion begins, which what is said before it cannot touch;
    that something would help to decide leaves nothing open where there is a conclusion.

    Examples
    --------
    >>> from assay.derive.mentions import fold
    >>> left_open(fold("It is flu or a cold: both are possible."), concluded=None)
    (21, 38)
    """
    if given.level.isascii() and _HINTS.isdisjoint(given.words):
        return None
    start = max(0, len(given.level) - _END)
    spans = _STRONG.spans(given.level, start)
    if concluded is None and not spans:
        start = max(0, len(given.level) - _ENDS_WEAKLY)
        spans = _WEAK.spans(given.level, start)
    return spans[-1] if spans and (concluded is None or spans[-1][1] > concluded) else None


def debated(level: str) -> bool:
    """Say whether a text tells of both sides of a debate, or places a statement from afar.

    Examples
    --------
    >>> debated("supporters hope for growth, and critics fear for jobs."), debated("it rains.")
    (True, False)
    """
    sides = _FOR.search(level) is not None and _AGAINST.search(level) is not None
    return sides or any(each.search(level) for each in (_WEIGHED, _FROM_AFAR, _NO_BETTER))


def unsettled_first(passage: Passage) -> Announcement | None:
    """Return that nothing is said where the first sentence calls the answer open.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["yes", "no"]))
    >>> unsettled_first(Passage(fold("Not known. It may"), choices)).state
    'undecided'
    """
    end = passage.sentence_end(0)
    told = " " not in passage.text or passage.text.startswith("Based on")
    found = None if told else UNSETTLED.fullmatch(passage.given.level, 0, end)
    return not_said(passage, 0, end) if found else None


def cases_apart(passage: Passage) -> str | None:
    """Say whether a text ends with cases that it supposes, each with another member.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of_options(["ice", "heat"]))
    >>> cases_apart(Passage(fold("If it swells, A. If it is stiff, B."), choices))
    'undecided'
    """
    text = passage.text.strip()
    said = (
        _CASES.search(text, max(0, len(text) - _END)) if "If " in text or "When " in text else None
    )
    if said is None:
        return None
    named = [passage.labels(*each.span()) for each in _CASE.finditer(text, said.start())]
    named = [each for each in named if len(each) == 1]
    return "undecided" if len(named) > 1 and len(frozenset().union(*named)) > 1 else None
