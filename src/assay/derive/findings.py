"""What a text finds in what it was given, or finds missing: "The post shows signs of anger".

Where yes or no is asked for, that is the one or the other.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from assay.derive import patterns as re
from assay.derive.wordings import DOUBTLESS, one_of

REASONS = re.compile(
    r"\W*(?:reasoning|explanation|rationale|justification|analysis|begründung|erklärung|analyse|explication|raisonnement|justificación|razonamiento"
    r"|explicación|análisis|justificativa|explicação|raciocínio|análise|spiegazione|motivazione|ragionamento|обоснование|объяснение|анализ)[*_ ]*:[*_\s]*|【(?:分析|解析|理由|解説)】",
    re.IGNORECASE,
)
"""the heading of a text that gives its reasons"""
_TEXT = r"(?:post|text|tweet|message|passage|note|report|review|article|comment|letter|record|transcript|statement|sentence|paragraph|story|abstract|excerpt|image|scan|description|dialogue|conversation)"
_SIGN = r"(?:signs?|evidence|risk|indications?|indicators?|traces?|hints?|symptoms?|presence|existence|elements?|markers?)"
_SEEN = r"(?:present|evident|apparent|visible|demonstrated|shown|found|seen|observed|detected|reflected|expressed|noted)"
_SHOWS = r"(?:shows|contains|indicates|demonstrates|exhibits|displays|reveals|presents|has|conveys)"
_WHO = r"(?:poster|author|user|writer|speaker|participant|individual|person|patient|client|child|student|interviewee)"
_TRAIT = rf"(?:{_SIGN}|features?|traits?|characteristics|criteria|distress|patterns?)"
_FITS = r"(?:aligns?|aligning|aligned|consistent|in line|in keeping|correspond(?:s|ing)?|indicative|suggestive|characteristic|typical)(?: with| of| to)?"
_TELLS = r"(?:this|that|it|which|all this) (?:\w+ly )?(?:demonstrates|indicates|shows|confirms|proves|establishes|means|reveals) the"
_ABSENT = re.compile(
    one_of(
        rf"""
    (?:does|do|did)(?: not|n't) (?:\w+ly )?(?:exist|occur|appear) (?:in|within|here) | (?:is|are)(?: not|n't) (?:\w+ly )?{_SEEN} (?:in|within|here|throughout)
    (?:is|are) (?:\w+ly )?(?:absent|missing) (?:from|in) (?:the|this)
    {_TEXT} (?:\w+ly )?(?:does not|doesn't|fails to) (?:\w+ly )?(?:show|contain|indicate|demonstrate|exhibit|express|reflect|display|reveal|convey|present|suggest) (?!this|that|whether|how|why|enough|sufficient|information|only|the (?:absence|lack))\w+
    {_WHO} (?:does not|doesn't|fails to) (?:\w+ly )?(?:show|exhibit|display|demonstrate|present|present with|express|meet) (?:\w+ ){{0,4}}?{_TRAIT} | (?:do|does|did)(?: not|n't) (?:\w+ly )?(?:align|fit|match|correspond)(?: with| to)? (?:\w+ ){{0,4}}?{_TRAIT}
    (?:are|is|seem|appear)(?: not|n't) (?:\w+ ){{0,2}}?(?:indicative|suggestive|characteristic|typical) of
    (?:not|hardly|neither|nor) (?:\w+ ){{0,2}}?{_FITS} (?:\w+ ){{0,3}}?{_TRAIT} | (?:{_TEXT}|{_WHO}) (?:\w+ly )?{_SHOWS} (?:no|little|few|hardly any|an? (?:\w+ )?(?:lack|absence) of|the absence of) | there (?:is|are|was|were) (?:no|not any) (?:\w+ ){{0,2}}?{_SIGN} (?:of|for|that)
    there (?:is|are|was|were) no (?:\w+ ){{0,2}}?(?:association|correlation|relationship|link)s? (?:between|of|with)
    no (?:\w+ ){{0,2}}?{_SIGN} (?:of|for) [^.]{{2,80}} (?:is|are|was|were) (?:\w+ly )?{_SEEN} | {_TELLS} absence of
    (?:enthält|zeigt|liefert|bietet|gibt|finden|bestehen|liegen)(?: \w+){{0,3}} keine?n? (?:\w+ )?(?:hinweis\w*|anzeichen|belege?|zeichen|risiko|gefahr|spur\w*)
    (?:ne |n')(?:montre|contient|présente|révèle|comporte|y a) (?:pas|aucun\w*) | (?:no|não|non) (?:muestra|contiene|presenta|evidencia|revela|hay|se observan?|se aprecian?|mostra|contém|apresenta|há|si osserva\w*|ci sono|rivela) (?:\w+ )?(?:indicios?|señal\w*|signos?|riesgo|evidencia\w*|ningun\w*|sinais|indícios?|risco|nenhum\w*|segn\w*|indiz\w*|rischio|alcun\w*)
    (?:не содержит|нет) (?:\w+ )?(?:признаков|указаний)
    """,
        unspaced="(?:没有|未|并未)(?:表现出|显示|体现|出现|包含|发现)|(?:見られ|認められ|含まれてい|示されてい)ません",
    )
)
_PRESENT = re.compile(
    one_of(
        rf"""
    (?:exists?|occurs?) (?:in|within) (?:the|this) | (?:is|are) (?:\w+ly )?{_SEEN} (?:in|within|throughout) (?:the|this) (?:\w+ )?{_TEXT}
    {_TEXT} (?:\w+ly )?{_SHOWS} (?:\w+ ){{0,2}}?{_SIGN} (?:of|for|that) | there (?:is|are) (?:a |an |some |clear |strong |ample |definite )*{_SIGN} (?:of|for|that)
    {_WHO} (?:\w+ly )?(?:{_SHOWS}|presents with|meets|displayed) (?:(?!no |not |little |few |hardly )[\w-]+ ){{0,3}}?{_TRAIT} (?:of|for|consistent with|associated with|indicative of|suggestive of) | {_FITS} (?:(?!no |not )\w+ ){{0,3}}?{_TRAIT} (?:\w+ ){{0,3}}?(?:associated with|linked to|related to|seen in|of|for)
    (?:symptoms?|signs?|feelings?|behaviou?rs?|experiences?)(?: [\w']+){{0,4}}? (?:are|is|seem|seems|appear|appears) (?:(?!no |not |un)[\w,]+ ){{0,4}}?(?:indicative|suggestive|characteristic|typical) of(?! (?:an? )?(?:normal|healthy|no)(?!\w))
    {_WHO} (?:\w+ly )?(?:suffers from|(?:is|appears to be|seems to be) (?:\w+ly )?(?:suffering from|experiencing|struggling with)) | {_TELLS} (?:presence|existence) of | (?:zeigt|belegt|bestätigt) (?:\w+ )?das (?:vorliegen|vorhandensein) | (?:montre|indique|révèle|confirme|démontre) (?:\w+ )?la présence
    (?:muestra|indica|demuestra|confirma|revela|mostra|demonstra|dimostra|conferma) l?a (?:presencia|existencia|presença|existência|presenza)
    (?:указывает на|свидетельствует о) наличи\w+
    """,
        unspaced="表明(?:存在|有)|(?:兆候|存在)が(?:見られ|認められ|示され)(?:ます|る|ている)",
    )
)
_NO_SIGN = re.compile(rf"\W*no (?:\w+ ){{0,2}}?{_SIGN} (?:of|for|that)(?!\w)")
"""a text that begins by saying that nothing is seen"""
_UNSETTLED = re.compile(
    r"[?？]|(?<!\w)(?:if|whether|may|might|could|rule out|ruled out|against|unless|ob|wenn|falls|pourrait|podría|poderia|potrebbe|könnte|not (?:necessarily|mean))(?!\w)"
)
_HOWEVER = re.compile(
    r"[.!\n]\W{0,4}(?:however|but|nevertheless|still|yet|aber|jedoch|mais|cependant|pero|sin embargo|mas|porém|ma|tuttavia|но|однако|但|しかし)(?!\w)"
)
"""after which the first sentence may not be the last word"""
_ENDS = re.compile(r"[.!?。]|\Z")


def finds(said: str) -> bool | None:
    """Say whether a sentence finds something in what was given, or finds it missing."""
    said = DOUBTLESS.sub(" ", said)
    if _UNSETTLED.search(said):
        return None
    return False if _ABSENT.search(said) else True if _PRESENT.search(said) else None


def finds_first(level: str) -> bool | None:
    """Say what the first sentence of a text finds, where the rest gives reasons for it."""
    heading = REASONS.match(level)
    start = heading.end() if heading else 0
    stop = _ENDS.search(level, start)
    said = level[start : stop.start()] if stop and stop.group() != "?" else "?"
    if _HOWEVER.search(level, start):
        return None
    means = finds(said)
    return False if means is None and _NO_SIGN.match(said) else means
