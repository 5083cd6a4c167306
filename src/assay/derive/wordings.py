"""How texts say things: words of conclusion, of doubt, of denial, in several languages.

Every pattern is about a few words of folded text, and is matched near a word that was found before.
Alternatives stand one per line or between bars with spaces.
"""
# ruff: noqa: E501, RUF001 - wordings stay in one line, and signs of other scripts are meant

from __future__ import annotations

from functools import cache, cached_property
from itertools import groupby

from assay.derive import patterns as re


def one_of(wordings: str, *, unspaced: str = "") -> str:
    """Return a pattern that finds any of the wordings as words, or an unspaced one anywhere.

    Examples
    --------
    >>> re.findall(one_of("so | thus", unspaced="故"), "so, thusly 故选")
    ['so', '故']
    """
    parts = (part.strip() for line in wordings.splitlines() for part in line.split(" | "))
    found = "|".join(filter(None, parts))
    return rf"(?:(?<!\w)(?:{found})(?!\w){'|' if unspaced else ''}{unspaced})"


def words_of(words: str) -> frozenset[str]:
    """Return the words of a text, which is easier to read than a list of them."""
    return frozenset(words.split())


def _compiled(wordings: str, *, unspaced: str = "", after: str = "") -> re.Pattern[str]:
    return re.compile(one_of(wordings, unspaced=unspaced) + after)


class Wordings:
    r"""Wordings that are looked for by how they begin: one pass over the words of a text.

    Examples
    --------
    >>> Wordings("(?:cannot|unable to) (?:\\w+ )?tell | either way").spans("I cannot really tell.")
    [(2, 20)]
    """

    def __init__(self, wordings: str, *, unspaced: str = "") -> None:
        """Sort the wordings by their first letters."""
        self._given = (wordings, unspaced)
        self._unspaced = re.compile(unspaced) if unspaced else None
        begin: dict[str, list[str]] = {}
        for line in wordings.splitlines():
            for part in filter(None, map(str.strip, line.split(" | "))):
                for key in _beginnings(part):
                    begin.setdefault(key, []).append(part)
        # What begins with a longer literal may be a wording that begins with a shorter one.
        self._begin = {
            key: [each for other in begin if key.startswith(other) for each in begin[other]]
            for key in begin
        }
        # A word begins after a sign; alternatives by first letter are few to try there.
        longest = sorted(begin.keys() - {_NOT}, key=lambda each: (each[0], -len(each), each))
        by_letter = (
            f"{letter}(?:{'|'.join(re.escape(each[1:]) for each in own)})"
            for letter, own in groupby(longest, key=lambda each: each[0])
        )
        self._first = re.compile(rf"\W(?=({'|'.join(by_letter)}))")

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All wordings in one."""
        wordings, unspaced = self._given
        return re.compile(one_of(wordings, unspaced=unspaced))

    def spans(self, level: str, start: int = 0) -> list[tuple[int, int]]:
        """Return where a folded text has one of the wordings, from a place on, in order."""
        found = []
        for first in self._first.finditer(f" {level}", start):
            found += self._at(level, first.start(), first[1])
        if _NOT in self._begin and level.find(_NOT, start) >= 0:
            for short in _SHORT_NOT.finditer(level, start):
                found += self._at(level, short.start(), _NOT)
        if self._unspaced and not level.isascii():
            found += [each.span() for each in self._unspaced.finditer(level, start)]
        return sorted(found)

    def _at(self, level: str, at: int, key: str) -> list[tuple[int, int]]:
        matches = (_of_words(each).match(level, at) for each in self._begin[key])
        return [each.span() for each in matches if each]


@cache
def _of_words(wording: str) -> re.Pattern[str]:
    """Compile one wording when a text first begins like it: most never do."""
    return re.compile(rf"(?<!\w)(?:{wording})(?!\w)")


_NOT = "n't"
_SHORT_NOT = re.compile(r"(?:is|was|are|were|do|does|did|ca|could|wo|would|has|have|should)n't")
_BEHIND = re.compile(r"(?:\(\?<!.*?\))+")
_LITERAL = re.compile(r"([^\W\d_]+'?[^\W\d_]*)([?*{]?)")


def _beginnings(part: str) -> set[str]:
    r"""Return the letters that a wording may begin with.

    Examples
    --------
    >>> sorted(_beginnings("(?:not|\\w+n't) listed")), sorted(_beginnings("aucune? de"))
    (["n't", 'not'], ['aucun'])
    """
    part = _BEHIND.sub("", part, count=1) if part.startswith("(?<!") else part
    options = [part]
    if part.startswith("(?:"):
        depth, first, place, options = 1, 3, 3, []
        while depth:
            depth += (part[place] == "(") - (part[place] == ")")
            if not depth or (depth == 1 and part[place] == "|"):
                options.append(part[first:place])
                first = place + 1
            place += 1
    literals = [_LITERAL.match(each) for each in options]
    return {_NOT if each is None else each[1][:-1] if each[2] else each[1] for each in literals}


JOINS = "and|or|und|oder|et|ou|y|o|e|и|или|和|或者?|以?及|与|と|または|もしくは|あるいは|および|か|와|과|및|또는|혹은|이?나|và|ve|और|و|oraz|as well as|als auch|sia|ed|так и|como|comme|atau|hoặc|eller|veya|lub|albo|tai|sau|أو|या|বা|หรือ|ή|vagy|nebo|або|dan|och|og|și|και|یا"
JOINED = re.compile(
    rf"(?:\s*\([^()]{{1,40}}\))?[\s*\"',)]*(?:and/or|{JOINS}|&|/|,|、|vs\.?|versus|to|bis)"
    r"[\s*\"'(]*(?:(?:an?|the|possibly|maybe|with|of|for|to|also|auch|bei|zu|mit|eine[rmn]?|einem"
    r"|une?|una|uno|uma|um|de|con|com|à|a|la|le|el|l'|así) ?){0,3}"
)
"""what stands between two names that are side by side"""
AND_BEFORE = re.compile(rf"(?<!\w)[A-Z][)\]]?,? (?:{JOINS}) [(\[]?$")
YES_AND_NO = _compiled(
    "(?<!\\()yes (?:and|or) no | yes {1,3}no(?=\\W*$) | (?:can|could|may|might) be (?:either |both )?true (?:and|or) false | yes, no, maybe | ja (?:und|oder) nein | oui (?:et|ou) non | sí (?:y|o) no"
)

LINKS = """
    the | this | that | these | question | problem | case | part | patient | vignette | blank | above | here
    post | text | tweet | message | sentence | review | article | passage | complaint | headline | comment | input
    document | now | our | calculated | computed | value | result | calculation | we | obtained | choice | option
    letter | number | key | to | for | of | in | is | are | was | be | would | should | must | will | has | have
    therefore | thus | then | hence | clearly | most | likely | probably | probable | definitely | indeed | simply
    actually | also | still | just | so | closest | nearest | seems | appears | remains | as | follows | given
    provided | being | correct | best | final | only | appropriate | my | i | choose | selected | ist | lautet
    daher | somit | wäre | est | donc | serait | es | por | lo | tanto | la | le | el | os | é | è | quindi
    portanto | pois | sería | correcta | correcte | corretta | correta | richtige? | opción | opzione | lettera
    letra | является | будет | это | вариант | impression | retenu | principal | más | à | retenir | celui | celle
    de | quello | quella | di | das | die | finale? | definitiva | définitive | endgültige | alors | entonces
    also | dann | так | mais | più | plus | certa | juste | exacte | exacta | giusta | esatta | acertada
    yang | benar | tepat | betul | adalah | ialah | nya | đúng | chính | xác | là | doğru | är | er | opció | corect | corectă | este | jest | to | je | helyes | e | є | είναι | η | és | zuzena
    sahihi | ni | tamang | ay | poprawna | poprawną | správná | juiste | је
    your | their | (?:very|almost|quite)(?= (?:likely|probab|certain)) | certainly
"""
"""words that may stand between "answer" or "diagnosis" and what it is"""
UNSURE = _compiled(
    """
    if | whether | what | why | how | suppose | assuming | unless | wrong | incorrect | alternative | other
    another | previous | possible | potential | not sure | unclear | until | before | any | each | every | your
    student'?s | differential | secondary | comorbid | additional | associated | prior | past | second | rule out
    ruling out | sobald | ob | wenn | si | se | если | mögliche | differenzial | différentiel | diferencial | no
    without | few | long | not the | not an? | eliminated? | excluded? | discard(?:ed)? | reject(?:ed)?
    """,
    after=r"(?: \w+){0,2} ?$",
)
UNSETTLED = re.compile(
    r"[\s*\"'(]*(?:(?:it|that|this|the (?:answer|question))(?: is|'s)? )?(?:really |all |simply |currently |therefore )?"
    r"(?:depends?(?: (?:on|upon)(?!\w).*)?|dependent (?:on|upon)(?!\w).*|unclear|uncertain"
    r"|based on(?!\w).*|inconclusive|not (?:\w+ly )?(?:clear|certain|known|available|possible to (?:determine|say|tell|know))(?:(?!,? but ).)*"
    r"|undetermined|(?<=currently )(?:unknown|unavailable)"
    r"|(?:cannot|can't|can not|could not|couldn't) be (?:determined|known|established|answered|inferred|ascertained)(?: (?:from|with|by|using|given|based|on|here)(?!\w)(?:(?!,? but ).)*)?|indeterminate"
    r"|ambiguous|debatable|subjective|(?:a )?matter of \w+|open to (?:debate|interpretation))[\s*\"')]*"
)
"""that an answer is none"""
ASKED_BEFORE = _compiled("which | what | whether", after=r"(?: \w+){0,4} ?$")
HYPOTHETICAL = re.compile(
    r"(?:would|could|might) (?:have |be |also )?[^.!?\n,]{0,60}?,? if |if it were|had (?:it|the)"
    r"|(?<!\w)if (?!i |we |you |forced|pressed)[^.!?\n]{1,80} (?:would|could|might) "
)
QUALIFIED = _compiled(
    """
    correct | right | best | closest | nearest | final | only | chosen | selected | my | appropriate | remaining
    likely | suitable | accurate | correcta | corretta | correta | bonne | richtige | matching | most \\w+ | \\w{3,}est
    preferred | recommended | ideal | next | juiste | correcte | rätt | rätta | riktig | riktige | rigtige | korrekt | oikea | poprawna | prawidłowa | správná | corectă | doğru | правильный | правильний | верный | yang | đúng
    """,
    after=r"(?: \w+){0,2} $",
)
CHOOSER = _compiled(
    "i | we | i'd | i'll | we'd | we'll | let's | should | would | must | therefore | so | will "
    "| can",
    after=r"(?: \w+){0,2} ?$",
)
NEGATED = _compiled(
    """
    not(?! (?:only|just|merely)) | \\w+n't | neither | nor | never | rather than | instead of | other than | unlike
    except | over | without | versus | vs | nicht(?! nur) | kein\\w* | statt | pas(?! seulement) | ni | non | не | ни
    ikke(?! (?:bare|kun)) | inte(?! bara) | niet(?! alleen) | nie(?! tylko) | bukan | δεν
    no(?= es| la| el)
    """,
    unspaced="不是|并非|ではなく|不选|不能选|不应选",
)
DENIES = re.compile(
    r"(?<!\w)(?:nie(?! (?:jest|prawd))|không(?! (?:đúng|chính|phù))|tidak(?! (?:benar|tepat|sesuai|termasuk))|bukan|inte|ikke|değil|nem|niet|geen|ei|δεν|ليس\w*)(?!\w)|[은는이가] ?아니|[a-z] ?(?:では|じゃ)な"
)
"""a denial in a sentence of a few words"""
NONE_WORDS = (
    *("none", "neither ", "no ", "not ", "n't ", "keine", "ninguna", "aucun", "nessun", "nenhum"),
    *("nothing ", "within ", "normal ", "nicht ", "não ", "non ", " pas ", "ни од", "нет"),
    *("以上", "没有", "选项", "答案", "无正", "该题无", "なし", "ずれ", "どれ", "選択肢"),
    *("ikke ", "inte ", "ingen ", "żadn", "không ", "geen ", "hiçbiri", "없"),
    *("لا ت", "ليس", "कोई", "tidak ", "ничего", "모두", "ไม่มี", "لا ش"),
)
"""how wordings begin by which no member applies"""
_NO_DIAGNOSIS = (
    r"(?:diagnos[ei]s|disorder|condition)(?! (?:can|could|is(?! (?:present|warranted|met|given|made|indicated|justified|needed|required|assigned|appropriate|established|identified))"
    r"|without|should(?! be (?:given|made|assigned|diagnosed|coded)(?! without))|until|but|other|(?:\w+ ){0,2}better)\b)"
)
_NO_OBJECT = "".join(
    f"(?<!{verb} )" for verb in ("contains", "shows", "has", "have", "had", "with")
)
"""what a text has none of is no member"""
_ISNT = r"(?:not|\w+n't)"
_OPTIONS = "(?:options|answers|choices|disorders|conditions|diagnos[ei]s|labels|categories|names)"
_GIVEN = r"(?:antwort\w*|option\w*|auswahl\w*|opciones|alternativas?|respuestas|opções|respostas|opzioni|risposte|alternative|scelte|réponses|choix|propositions|вариант\w*|ответ\w*)"
_AMONG_THEM = (
    rf"nicht (?:unter|in|bei|zu) den (?:\w+ )?{_GIVEN} | unter den (?:\w+ )?{_GIVEN} (?:\w+ ){{0,2}}(?:nicht|kein\w*)"
    r" | (?:no|não|non) (?:está|es|figura|aparece|se encuentra|consta|se encontra|é|è|rientra|compare|si trova|corresponde|corrisponde)"
    rf" (?:\w+ )?(?:entre|en|nas|dentre|tra|fra|nelle|a) (?:(?:las|as|le|ninguna de las|nenhuma das|nessuna delle) )?(?:\w+ )?{_GIVEN}"
    rf" | (?:ne |n')(?:figure|se trouve|apparaît|est|fait partie|correspond) pas (?:parmi|dans|à|de[s]?) (?:aucune de )?(?:les? |ces )?(?:\w+ )?{_GIVEN}"
    rf" | нет (?:среди|в) (?:\w+ )?{_GIVEN} | среди (?:\w+ ){{0,2}}{_GIVEN} (?:\w+ ){{0,3}}нет | нет правильн\w+ {_GIVEN}"
)
"""that what was found is not among the options, in other languages"""
NONE_APPLIES = Wordings(
    rf"""
    {_NO_OBJECT}none of the(?! (?:other|symptoms|criteria|signs)\b)(?! \w+ (?:\w+ ){{1,4}}(?:more|better|preferable))
    {_NO_OBJECT}(?<!is )(?<!are )none of (?:these|them|those)(?! (?:other|symptoms|criteria|signs)\b)(?! (?:has|have|had) (?:helped|worked|improved|been (?:effective|helpful|useful))\b) | {_ISNT} (?:[\w-]+ ){{0,6}}any of the (?:\w+ )?(?:{_OPTIONS}|listed|given|above)
    {_ISNT} (?:appear|occur|figure|feature) (?:among|in (?:any of )?the (?:\w+ ){{0,2}}(?:list|{_OPTIONS})|on the list) | all (?:of )?(?:the |these )?(?:{_OPTIONS}|three|four|five) (?:can be|are) (?:excluded|ruled out)
    all (?:of )?(?:the |these )?(?:{_OPTIONS}|three|four|five) are (?:wrong|incorrect|eliminated) | none (?:applies|apply|fits?|is correct)
    neither (?:option|choice|answer|statement|one) (?:is|has|fits|seems|can|does|appears|matches) | neither of the (?:two )?(?:options|choices|answers|statements) (?:is|are|has|have|fits?|seems?)
    {_ISNT} (?:think|believe)(?: that)? any of (?:the|these|those|them) | falls? short of (?:[\w-]+ ){{0,6}}(?:any|every|all)
    correct (?:option|answer|choice) is not (?:provided|given|listed|available|present|here) | no (?:correct|right|valid|suitable|matching) (?:answer|option|choice) | (?:do|does|did) not (?:include|contain|offer|have) (?:an?|any|the) (?:valid|correct|right|suitable|matching) (?:option|answer|choice|label|diagnosis|category)
    {_ISNT} among (?:(?:the|these|those|any of the) (?:\w+ ){{0,2}}(?:{_OPTIONS}|ones)|them\b|th[eo]se\b(?! \w)|\W*[\dA-R]\b)
    {_ISNT} (?:listed|offered|in the list|one of the|an option|given as|available as)
    {_ISNT} (?:(?:included|contained|present|found|represented) )?(?:in|among|part of|within) (?:any of )?the (?:(?!other)\w+ ){{0,2}}?(?:{_OPTIONS}|list)
    {_ISNT} (?:\w+ )?(?:meet|fulfil|fulfill|satisfy|reach|match|fit) (?:[\w-]+ ){{0,5}}any(?! other) | {_ISNT} (?:\w+ )?(?:correspond to|qualify for|belong to) any
    (?:no|not any|not one) (?:\w+ )?(?:option|answer|choice)s? (?:\w+ )?(?:is|are|fits?|match\w*) | (?:no|not one) (?:option|answer|choice|label|diagnosis|category|categorie)s? (?:applies|apply|fits?|match(?:es)?)(?! (?:\w+ ){{0,2}}(?:better|except|but|other))
    not meet (?:the |full |diagnostic )*criteria for (?:an? )?(?:specific|mental|psych\w+) | no (?:evidence|signs?|indications?) of (?:an?y? )?(?:mental|psychiatric) (?:disorder|illness)
    no (?:evidence|signs?|indications?) of (?:an?y? )?psychological (?:disorder|condition) | no (?:(?:formal|clinical|specific|psychiatric|mental|health) )*{_NO_DIAGNOSIS} | keine[rs]? der | ninguna de
    ingen a[vf] (?:disse|dessa|de) (?:\w+ ){{0,2}}?(?:er|är) (?:kjent|kendt|kända|riktige?|rigtige?|korrekte?|rätt)
    (?:ingen|inget) a[vf] (?:alternativ|svar)\w+ (?:(?:er|är) (?:riktig|rigtig|korrek|rätt|passend|egne|lämplig|akseptab|acceptab)\w*|stemmer|stämmer|passer(?! (?:bedre|bättre)))
    (?:ikke|inte) (?:[\w-]+ ){{0,7}}(?:for|för|ved|vid|hos|i|med) (?:noen|nogen|någon|något) a[vf] (?:disse|dessa|dem|de|alternativ\w+|landene|svarene)(?: \w+)? | aucune? (?:des|de ces)
    nessun[ao] (?:delle|dei) | {_AMONG_THEM} | nenhuma? d[aeo]s | ни (?:один|одна|одно) | ninguno de | żadn[aey] (?:z|ze) | không có (?:đáp án|phương án|lựa chọn)(?: nào)? (?:đúng|phù hợp|ở trên|trong số) | ничего из (?:перечисленн|вышеперечисл|указанн|предложенн|этого)\w* | tidak satu ?pun (?:dari|pilihan|jawaban|opsi) | hiçbiri(?=\W*$) | tidak ada (?:jawaban|pilihan|opsi)(?: \w+){{0,2}} (?:benar|tepat|sesuai) | geen van de(?:ze)? | hiçbiri (?:doğru|uygun) | nessuno (?:dei|degli) | keine (?:\w+ ){{0,3}}(?:störung|erkrankung)
    {_ISNT} (?:give (?:him|her|them)|warrant|justify|support) (?:a|any) (?:\w+ )?diagnosis(?! of) | within (?:the )?(?:normal|expected) (?:range|limits)(?! for)
    nothing (?:\w+ ){{0,6}}(?:suggests?|indicates?|points? to) (?:an? )?(?:mental|psych\w+) \w+ | nothing (?:\w+ ){{0,6}}(?:reaches|meets|crosses|rises to|amounts to|qualifies (?:as|for))
    {_ISNT} (?:[\w-]+ ){{0,5}}(?:basis|grounds|reason|support|indication|evidence) for (?:any|an?) (?:\w+ )?(?:disorder|diagnosis)
    (?:would not|wouldn't) (?:make|give|assign) (?:a|any) (?:\w+ )?(?:diagnosis|disorder)(?! of) | {_ISNT} any (?:\w+ )?(?:disorder|diagnosis|illness)(?! other)
    within the (?:range|realm|bounds) of normal\w* | normal (?:\w+ )?(?:reaction|response|adaptation|variation|adjustment|sadness|grief|bereavement)
    """,
    unspaced=(
        "정답이 ?없|(?<!나머지는 )(?<!나머지 )(?<![a-z][는은] )모두 (?:틀렸(?:습니다|다|어요)|틀립니다|틀리다|오답|정답이 아)|ไม่มีข้อ(?:ใด|ไหน)|ไม่มีคำตอบที่ถูก|لا شيء مما|(?:보기|선택지)[^.]{0,12}없|لا توجد? [^.،]{0,20}صحيح|ليس أي[اًٌ]? من|इनमें से कोई (?:भी )?नहीं|कोई भी विकल्प[^।]{0,12}नहीं"
        "|以上[^。]{0,4}(?:都|皆|均)(?:不|非)|没有(?:一个)?(?:选项|答案)?[^。，]{0,3}正确|选项中没有"
        "|(?:选项|答案)[^。，]{0,3}(?:都|皆|均|全部?)(?:不|非|是?错)|(?:无|没有)正确(?:选项|答案)|不在[^。，]{0,4}选项"
        "|选项(?![A-Za-z ])[^。，A-Z]{0,8}[中里]没有|選択肢[^。]{0,6}(?:ありません|ない|含まれて?い?(?:ません|ない))|该题无|(?:(?:正解|該当|答え|選択肢)[はが]?|^|[。、：「] ?)なし(?=$|[。」])|(?:いずれ|どれ)(?:に)?も(?:該当|当てはま|正し)"
    ),
)
NONE = NONE_APPLIES.pattern
IS_THE_ANSWER = re.compile(
    r"[\s)\]*\"'.,:]*(?:\([^()]{0,40}\))?[\s*\"']*"
    r"(?:is|are|seems|appears|would be|must be|remains|looks|should be|-|:)"
    r"(?: (?!because|since|as|for|if|when|of|in)\w+){0,3}? "
    r"(?:(?:the |an? )?(?:single |most |only )?(?:correct|right|accurate|best)(?! (?:for|when|if|in"
    r"|only|under|with)\b)"
    r"(?: \w+)?(?: (?:answer|option|choice|one|diagnosis|fit|explanation))?"
    r"|the (?:final )?answer|(?:my|the) (?:choice|pick)|the (?:first |top |highest |immediate )?priority(?! (?:is|for|of|to|in)(?!\w))|the (?:exception|odd one out)"
    r"|(?:the|my) (?:leading|primary|principal|likeliest|main) (?:diagnosis|answer|explanation))(?!\w)"
    r"|[\s)\]*\"'.,]*(?<!,) (?:die|der|das) (?:richtige|korrekte|beste|zutreffende|passende)\w* (?:antwort|option|lösung|wahl|aussage|diagnose)(?!\w)|(?<=trifft .) zu(?!\w)"
    r"|[\s)\]*\"'.,]*(?:é|es|est|è|ist|является|está|és|jest|je|är|er|este|adalah|là) (?:(?:a|la|l'|le|o|el|il|die|das) ?)?(?:\w+ )?"
    r"(?:poprawn\w+|prawidłow\w+|správn\w+|rätt|riktig|rigtigt?|benar|đúng|corectă|helyes|cert[ao]|corret\w|correct\w|correcte?|corrett\w|richtige?|bonne|certa|правильн\w+|верн\w+)(?!\w)|(?:번|번이|이|가) 정답|[\s)\]*\"'.,]*(?:درست|صحیح) است"
    r"|[\s)\]*\"'.,]*(?:should|must|has to) be (?:selected|chosen|picked|marked)(?!\w)"
    r"|[)\]*\"'.,]* (?:expresses|captures|reflects|matches|says|states|describes) (?:exactly |just |precisely |best )?(?:this|that|it)(?!\w)(?! (?!best|exactly|well|perfectly)\w)"
)

CONCLUDES = _compiled(
    r"""
    consistent with | suggestive of | suggest(?:s|ing)? | indicative of | indicat(?:es?|ing) | points? (?:to|towards?) | pointing to
    (?:meets?|fulfil?ls?|met|satisf\w+) (?:the |full |all |diagnostic )*criteria for | explained by | explains (?:all|both|everything|it all) | characteristic of | hallmarks? of | describes | depicts
    speaks? for | typical (?:of|for) | diagnosis (?:of|would be|is) | diagnosed with | suffer(?:s|ing)? from | (?:sounds?|looks?) (?:a lot )?like | seems? (?:like|to be) | appears? to be | in (?:keeping|line) with
    compatible with | supports? | lean(?:ing)? towards? | concern(?:ed)? (?:about|for) | match(?:es)? | corresponds? to | equals? | gives? | yields? | giving | obtain | (?:closest|nearest) to | which is
    that is | that's | it is | it's | must be | must have | has to be | this is | th(?:at|is) would be | (?:going through|dealing with|struggling with) | experiencing | living with | remains? | left with
    leaves? | only | therefore | thus | hence | so | consequently | conclude\w* | in conclusion | in summary | overall | most \w+ | likely | probably | best (?:\w+ ){0,3}(?:is|by|as) | the best
    (?:i|we|i'd|we'd|i'll)(?: would| will| must| therefore)?(?: \w+ly)? (?:consider|deem|judge|regard|call|count|mark|rate) (?:this|it|that|the (?:answer|response|claim|statement|text|review|tweet|comment|sentence|passage|code|summary|paper|argument))(?: as| to be)? | i would say | i'd say | i think | i believe | picture of | case of | actually | resembles? | i\.e\. | d\.h\. | fits? (?:\w+ ){0,3}with | aligns? (?:\w+ )?with | (?:reads?|feels?) like
    spr(?:icht|echen) für | passt zu | deutet auf | klingt nach | sieht nach | daher | somit | folglich | évoque(?:nt)? | suggère\w* | en faveur | correspond à | ressemble à | donc | ainsi | sugiere\w*
    compatible con | indica\w* | por (?:lo )?tanto | se parece a | parece | compatível com | sugere\w* | portanto | logo | suggerisce | compatibile con | sembra | quindi | следовательно | поэтому
    соответствует | указывает на | итак | похоже на | характерн\w+ для | свидетельству\w+ (?:о|об|в пользу) | говорит о | значит | речь идёт о | имеет место | si tratta (?:\w+ ){0,4}d[ei] | depone per
    orienta verso | se trata (?:\w+ ){0,3}de | trata-se de | sugestiv[oa] de | corresponde a | orienta a | il s'agit (?:\w+ ){0,3}d[e'] | oriente vers | plaide pour | en rapport avec | relève d[e']
    (?:es handelt|handelt es) sich (?:\w+ ){0,4}um | (?:gehe|ausgehen) von | hinweis\w* auf | vereinbar mit | typisch für | am ehesten | establish(?:es)? | confirm(?:s|ed)? | has to be | nothing but
    наиболее вероят\w+ | скорее всего | labell?ed as | (?:classif|qualif)\w+ as | categori[sz]ed as | (?:characteri[sz]|describ|rat)ed as | pathognomonic (?:for|of) | diagnostic of | money(?: is|'s)? on
    favou?r(?:s|ing|ed)? | (?:confident|sure|certain) (?:about|in|of|that) | erfüllt (?:\w+ ){0,3}kriterien (?:einer|eines|der|des|für) | les critères (?:\w+ )?(?:d'une?|de l'|du|pour) | (?:preenche|cumple|soddisfa|remplit|erfüllt) (?:\w+ ){0,2}crit\w+ (?:para|de|per|d'|für) | textbook
    classic (?:case|picture|presentation|signs?|symptoms?|features?) of | what (?:she|he|the patient) has is
    (?:of|among|from) (?:the|these|all)(?: \w+)? (?:options|choices|answers|two|three|four|five|six|candidates|possibilities|alternatives|drugs) | (?:of|among) the (?:two|three|four|five|six)
    (?:drug|treatment|agent|therapy|test|procedure|method) of choice (?:\w+ ){0,6}?(?:is|are|would be) | we (?:get|have) | (?:i|me|we|one|should|strongly) suspect | suspicio(?:us|n) (?:of|for)
    (?:is|was) that of | (?:\w{3,}est|preferred|recommended) (?:\w+ ){1,4}(?:is|are|would be)
    par conséquent | en conclusion | por ende | por consiguiente | así que | en conclusión | em conclusão | por isso | pertanto | dunque | perciò | in conclusione | demnach | deshalb | bu nedenle | dolayısıyla | bu yüzden | böylece
    sonuç olarak | vì vậy | do đó | như vậy | vậy | suy ra | jadi | oleh karena itu | dengan demikian | maka | więc | zatem | dlatego | dus | daarom | derhalve | därför | alltså | således | derfor | altså | tedy | proto | takže | tehát | ezért
    am wahrscheinlichsten | más probable | mais provável | plus probable | più probabile | deci | prin urmare | așadar | таким образом | отже | επομένως | άρα | συνεπώς | kwa hiyo | hivyo
    """,
    unspaced=(
        "符合|提示|考虑|因此|所以|故|综上|したがって|よって|つまり|以上より|可能性が高いの[はが]"
        "|最も(?:疑われ|考えられ)るのは|应为|属于|诊断为|→|⇒|=>|:|最可能|従って|ゆえに|结论|由此可|可见|总之|따라서|그러므로|그래서"
        "|সুতরাং|অতএব|इसलिए|अतः|इस प्रकार|ดังนั้น|เพราะฉะนั้น|لذلك|وبالتالي|إذن|ولذا|بنابراین|לכן"
    ),
)
"""words that lead to what a text concludes"""
CONCLUDED_AFTER = re.compile(
    r"[\s)\]*\"',.]*(?:\([^()]{0,40}\))?[\s*\"',]*"
    r"(?:(?:is|are|seems?|appears?|looks?|would be|must be|has to be|remains|makes?|becomes|emerges as)(?:"
    r" \w+){0,3}? "
    r"(?:(?:the |an? )?(?:most |more |very |quite |highly )?"
    r"(?:likely|probable|plausible|consistent|appropriate|suitable|fitting)"
    r"|(?:the )?(?:best|better|correct|right|answer|closest|nearest|primary|leading|main|working|only(?! (?:in|for|if|when|as|with|to|used|given)\b)"
    r"|way to go|first line|preferred|(?:drug|treatment|agent|therapy|test) of choice)"
    r"|supported|confirmed|left|true)"
    r"|fits?(?: \w+){0,2}? (?:best|well|the)|fits best|(?:the )?(?:best|most likely|more fitting"
    r"|better)"
    r"|remains|holds?(?: true)?(?=[.,;!]|$)|best (?:explains|fits)|it is|primary(?=[.!]?$)|then(?=[.!]?$)"
    r"|(?:criteria )?(?:are|is|has been) (?:met|satisfied|fulfilled|warranted|established)"
    r"|(?:liegt|liegen) (?!nicht)(?:\w+ )?vor|sind erfüllt"
    r"|(?:as )?(?:the|my) (?:\w+ ){0,2}?(?:diagnosis|answer|culprit|cause|explanation|choice|hypothesis)"
    r")(?!\w)"
)
DOUBTLESS = re.compile(
    r"(?<!\w)(?:not (?:only|just|merely|solely)(?= [^.!?;]{1,160} but(?!\w))|never (?:fails?|failed|ceased?s?) to"
    r"|(?:no|any|little|without|beyond)(?: (?:any|a|reasonable|serious|real)){0,2} (?:doubts?|question that|denying|evidence to the contrary)"
    r"|no (?:\w+ )?reason (?:not to|to (?:doubt|deny|dispute|question))|(?:cannot|can't|can not|could not|couldn't) (?:\w+ )?be (?:\w+ )?(?:denied|doubted|disputed)"
    r"|(?:nobody|no one|(?:cannot|can't|can not|no \w+)(?: \w+)?) (?:doubt|deny|denies|dispute|question)s?|nothing (?:in [^.,;!?]{1,40} )?(?:\w+ )?(?:prevent|stop|keep|forbid|prohibit|rule)s?|(?:no (?:hay|cabe)|não há|non c'è|il n'y a|es (?:gibt|besteht)) (?:\w+ ){0,2}(?:dudas?|dúvidas?|dubbi[oe]?|doutes?|zweifel))(?!\w)"
)
"""what denies that something is not so"""
JUST_DENIED = re.compile(
    r"(?:nothing|not|n't|never|hardly|less|neither|nicht|pas|no|não|non|nem|не)(?: \w+){0,3} $|(?:不|没有)$"
    r"|(?:do|does|did)(?: not|n't)(?: (?!which|that|and|so|but|this)\w+){0,7} to $"
)
HEDGED = _compiled(
    """
    may | might | could(?!n) | can(?!'t) | possibl[ey] | perhaps | potential(?:ly)? | (?<!\\bi )(?<!\\bwe )suspect(?:ed)?
    peut-être
    könnte\\w* | möglich\\w* | podría\\w* | pourrait | poderia | potrebbe | возможно
    """,
    unspaced="(?<!最)可能",
)
HEDGED_AFTER = re.compile(
    r"[\s),]*(?:may|might|could|can|is (?:also )?possible|are possible)(?!\w)"
)
LISTS = re.compile(
    r"(?<!\w)(?:such as|including|like|e\.g\.|over|past|common in|seen in|for example)(?!\w)"
    r"(?=.* (?:is|are|was|=|equals|could|may|might|suggests?|points?|indicates?|seems?|sounds?) )"
)
"""what is said of others, and ends with a verb after it"""
OTHERS = _compiled(
    r"""
    (?:(?:grand)?(?:mother|father)|brother|sister|parents?|aunt|uncle|cousin)(?:'s)?(?: \w+){0,4}
    (?:son|daughter|wife|husband|family|friend)(?:'s)?(?: \w+){0,4} | tempted by
    initially (?:thought|considered|suspected) | history of | previously | in the past | past | such as | including
    like | e\.g\. | common in | seen in | if | unless | r o | (?:hints?|touch|traces?|tinges?|undertones?|notes?) of
    (?:some|others)(?: people| fans| experts| scholars)? (?:argue|favou?r|claim|say|believe|consider|prefer|maintain|point to|(?:may|might|would) (?:say|argue|prefer))
    (?:people|individuals|experts|citizens|minds) (?:can|may|might|could|often|will|do)(?: \w+ly)?(?= $)
    (?:wrong|unfair|biased|ageist|sexist|racist|stereotypical|discriminatory|inappropriate|incorrect|unreasonable|(?:not|never|\w+n't) \w+|cannot) (?:to )?(?:assume|presume|conclude|infer)
    whether | komorbid\w* | screen\w*(?: for)? | monitor\w*(?: for)? | (?:exclud|eliminat|discard|reject)\w* | rul(?:e|ed|ing) out
    (?:re)?(?:evaluat|assess|test|treat(?!ment)|check)\w* for | risk (?:of|for) | differentiat\w*(?: from)? | distinguish\w*
    versus | vs | between(?! [^,.;]{1,80}, $) | compared (?:to|with) | over(?= (?:\w+ ){0,2}\W*$) | either | as for | as to | regarding
    for example | (?:one|single|few|several|some|minor)(?= $)
    """,
    unspaced="排除|鉴别",
)
"""what is said of other people, of other times, of other possibilities"""
SECOND = _compiled(
    "third | fourth | fifth | least likely | secondary | comorbid\\w* | additional(?:ly)? | also | other | second | less likely | excluded"
    " | sekundär | nebendiagnosen? | secundari[oa] | secondaire | secundári[oa] | secondari[ao]"
)
"""headings of what is not the answer"""
TAKEN_UP = re.compile(
    r"[,:;] (?:so|but|which|thus|therefore|hence|it|this|that|making|leaving|suggesting|indicating"
    r"|pointing"
    r"|and (?:is|are|the|this|it)|the(?! [^,.;]{1,60}, n?or )|we|es|il est|elle est|c'est|è|é|это|sino|sondern)(?!\w)"
    r"|(?<!\w)(?:is|was|es|est|ist|é|è) (?:\w+ )?(?:because|due to|debido a|porque|parce que|weil|perché|devido a)(?!\w)"
)
"""where a sentence goes on with something new"""
DENIED_AFTER = re.compile(
    r"[\s)）\]*\"',.:]*(?:\((?!\w\))[^()]{0,60}\))?[\s*\"',]*(?:-|–|—)? ?(?:alone |itself |option |here )?"
    r"(?!must be (?:the|true|correct|right)(?!\w)|would be (?:the|my) (?:closest|best|likeliest|top|leading|first|most likely) \w+(?:[.!]|$))(?:(?:is|are|was|were|seems?|would be|can be|could be|being|looks?|appears?|can|does|do"
    r"|has|have|must|should"
    r"|would|will|did|fails?)"
    r"(?:n't| not| be| been| also| clearly| therefore| definitely| probably| generally| usually|"
    r" often| however"
    r"| then| thus){0,3}"
    r" (?:in(?:correct|appropriate|valid|consistent|compatible|sufficient)|wrong|not|false|un\w+"
    r"|less|excluded"
    r"|ruled out|eliminated|out\b|irrelevant|contraindicated|contradicted|violated|precluded|impossible|(?:(?<=not )|(?<=n't ))(?:fit|apply|match|explain|present|show)"
    r"|a distractor"
    r"|too \w+|off\b|tempting|considered|secondary|softer|poor|to\b|be (?:right|correct|true|the))"
    r"|fails?(?=[,.;]|$)|(?:isn|wasn|doesn|aren|don|can|couldn|wouldn)'t|cannot|wrong|incorrect|false|unlikely"
    r"|excluded|ruled out"
    r"|(?:is|are|was|were) no (?:longer|more)(?!\w)|not (?:met|indicated|used|mentioned)|less likely(?! \w+(?: \w+)?[.!]?$)"
    r"|would (?:be|have|show|need|require|present|get|not|involve)|scheidet aus|(?:ist|erscheint|scheint|wirkt) (?:daher |hier |eher |jedoch |aber )?"
    r"(?:unwahrscheinlich|weniger (?:wahrscheinlich|passend|plausibel)|ausgeschlossen|nicht|falsch)"
    r"|est (?:incorrecte?|fausse?|erronée?)(?!\w)|es (?:incorrect|fals|erróne)[oa](?!\w)"
    r"|è (?:sbagliat|errat|fals)[oa](?!\w)|é (?:incorret|errad|fals)[oa](?!\w)|(?:—|-)? ?неверн|неправильн"
    r"|est (?:peu|moins) (?:probable|vraisemblable)|(?:est|peut être) (?:exclu|écart|élimin)\w*"
    r"|(?:queda|está) descartad[oa]|è (?:esclus|da escluder)\w*|fica excluíd[oa]|менее вероят|donnerait|aurait|entraînerait|würde|wäre|daría|sería|tendría|cursaría"
    r"|darebbe|sarebbe|avrebbe|daria|teria|не подходит|(?:选?项?也?是?)错误|不|可能性(?:较|更|很|比较)?(?:小|低)|と矛盾|[은는이가도]? ?(?:배제|아니|아닙|틀[렸리]|제외|맞지 ?않|해당하지 ?않|적절하지 ?않|가능성이? ?(?:낮|적))|(?<![,.:;)] )(?:no|non|não|ne|nie) (?!doubt|wonder|longer)\w{2,}|n'\w{2,}|(?:passt|spricht|kommt|zeigt|erklärt|geht|verursacht|führt|tritt|gehört)(?: \w+){0,4} nicht|был[аи]? исключ|исключ"
    r"|маловероят|не подтвер"
    r"|è (?:meno|poco) probabile|es (?:menos|poco) probable|é (?:menos|pouco) provável"
    r"|[はも](?:否定的|考えにく|除外|否定さ)|可以?排除|(?:では|じゃ)(?:な[いく]|ありません)"
    r"|(?:adalah |là |är |er |is |jest |je |este |e |è |é |es |est |ist |on )?(?:salah|keliru|sai(?!\w)|yanlış|fel|feil|forkert|galt|väärä|błędn\w+|niepoprawn\w+|nieprawidłow\w+|nesprávn\w+|chybn\w+|špatn\w+|greșit\w*|incorect\w*|helytelen|хибн\w+|неправ\w+|грешен|λάθος|fau(?:x|sse)|falsch|fals[oa]|errad[oa]|incorret[oa]|sbagliat[oa]|errat[oa]|onjuist|ผิด|نادرست|غلط|خاطئ\w*|خطأ|गलत|ভুল)(?![a-z])"
    r"|trifft (?:hier )?nicht zu|stimmt nicht|ist nicht richtig|n'est pas (?:correcte?|exacte?|juste)|no es correct[ao]|não é corret[ao]|non è corrett[ao]|tidak (?:benar|tepat|sesuai)|không (?:đúng|phải|chính xác|phù hợp)|(?:är|er) (?:inte|ikke) )"
)
DENIES_ONE = _compiled(
    "rather than | instead of | statt | anstelle | unlike | other than | plutôt que | en lugar"
    " de | más que"
)
"""denials that reach no further than the next name"""
WHETHER = _compiled("whether | if | unless | ob | si | если", after=r"(?: \w+){0,3} ?$")
VERDICT = re.compile(
    r"(?:therefore|thus|hence|so|is|are|makes it|it's|definitely|certainly|clearly|absolutely|say|that|probably|likely|leaning|lean|points? to|towards?|hard|firm|clear|definite|resounding"
    r"|daher|deshalb|donc|alors|also|así que|entonces|quindi|dunque|portanto|então|logo|значит"
    r"|поэтому|итак|,|[-–—] |:|是|为|是个|是一个|したがって|よって|従って|따라서|그러므로|因此|所以)[\s,、，:：*\"'“「]*([^\W\d_]+?)(?=的?[\s*\"'”]*(?:[.,;!。]|$))"
)
"""a yes or no that ends a sentence"""

TAKEN_BACK = _compiled(
    """
    wait | hmm+ | actually | correction | on second thought | on reflection
    let me (?:re|correct|double)\\w* | scratch that
    oops | i (?:was wrong|made a mistake|misread) | my mistake | no, (?:that|it|the)
    """
)
BESIDE_OTHERS = re.compile(r"(?<!\w)(?:include[^.!?\n]*,[^.!?\n]* or |(?:may|might|could) also )")
"""a list of possibilities, of which some are no members, or one beside the answer"""
SINCE = re.compile(r"[\s*]*(?:since|because|as|given that|da|weil|comme|puisque|como)(?!\w)")


def _by_word(*kinds: tuple[str, str]) -> dict[str, list[tuple[str, str]]]:
    """Return what to look for by the word of a text that it needs."""
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, wordings in kinds:
        for each in wordings.split(", "):
            needed, _, looked_for = each.partition("=")
            found.setdefault(needed, []).append((looked_for or needed, kind))
    return found


KEYWORDS = _by_word(
    ("answer", "answer, answers=answer, antwort, respuesta, réponse, resposta, risposta, ответ"),
    (
        "answer",
        "jawaban, jawabannya=jawabannya, jawapan, jawapannya=jawapannya, đáp=đáp án, trả=trả lời, cevap, yanıt, svar, svaret, vastaus, vastaus=vastaus on, vaihtoehto=oikea vaihtoehto on, antwoord, odpowiedź, odpowiedzią, odpověď, odpovědí, válasz, megoldás, răspuns, răspunsul, відповідь, відповіддю, ответом, отговор, отговорът, απάντηση, erantzun, erantzuna, jibu, sagot, gabarito, kies=ik kies voor, odgovor, seçenek=doğru seçenek, richtig=richtig ist, korrekt=korrekt ist, correcta=la correcta es, correta=a correta é, corretta=la corretta è",
    ),
    ("diagnosis", "diagnosis, diagnoses, diagnose, diagnostic, diagnosi, diagnóstico, диагноз"),
    (
        "diagnosis",
        "differential=top differential, differential=leading differential, impression, verdachtsdiagnose, hauptdiagnose, arbeitsdiagnose",
    ),
    ("option", "option, choice, alternative, opción, alternativa, opzione, fit=best fit, one"),
    (
        "option",
        "pilihan, phương=phương án, lựa=lựa chọn, alternativ, optie, możliwość, možnost, varianta, варіант, opció, opção",
    ),
    ("option", "statement, afirmación, enunciado, aussage, proposition, afirmação, affermazione"),
    ("tag", "label, category, classification, verdict, prediction, conclusion, class"),
    ("tag", "sentiment, polarity, relation, relationship, judgment, judgement, result, final"),
    ("tag", "dx, solution, lösung, solución, solução, soluzione, вывод, итог, заключение"),
    ("tag", "ergebnis, fazit, résultat, resultado, risultato, conclusión, conclusão, conclusione"),
    (
        "chosen",
        "choose, select, pick, choosing, selecting, picking, go=go with, opt=opt for, going=going with, guess, say",
    ),
    ("chosen", "settle=settle on, settled=settled on, stick=stick with, sticking=sticking with"),
    ("tag", "closest, nearest"),
    ("mark", "ans=ans:, ans=ans., ans=ans :, ans=ans)"),
)
"""what announces an answer, by its words, and of which kind it is"""
MARKS_UNSPACED = (
    *words_of(
        "答案 答え 正解 正答 解答】 答： 答: 诊断 診断 故选 应选 选择 正确选项 正确的是 结论 정답 답은 답:"
        " 因此回答 所以回答 故回答 最终回答 我的回答 最終回答 私の回答 최종 답변은 الإجابة الجواب उत्तर जवाब คำตอบ ตอบ উত্তর پاسخ جواب תשובה התשובה 解答は"
    ),
    *("الخيار الصحيح", "الاختيار الصحيح", "सही विकल्प", "সঠিক বিকল্প", "ข้อที่ถูกต้อง"),
)
