"""Yes or no in other words: "Absolutely not.", "The claim fails", "The post shows no anger".

Only where no yes or no was said does this decide, and only for sets that have both.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from collections.abc import Iterator

from assay.derive import patterns as re
from assay.derive.choices import Choices
from assay.derive.findings import finds, finds_first
from assay.derive.naming import Announcement, Passage
from assay.derive.refusals import I_DO_NOT
from assay.derive.stances import says_at_once, sides
from assay.derive.truth_words import hedged_truth, judged_claim, truth_first, truth_word
from assay.derive.wordings import DOUBTLESS, YES_AND_NO, one_of

_NO_ALONE = re.compile(
    one_of(
        r"""
    (?:absolutely|certainly|definitely|probably|surely|clearly|obviously|of course|unfortunately|sadly|apparently|generally|usually|most likely) not
    not (?:at all|really|necessarily|quite|exactly|in (?:this|that) case|possible|true|correct|right|recommended|indicated|advisable|advised|the case)
    (?:i'm afraid,? )?(?:that|this|it)(?: is|'s)(?: \w+ly)? (?:not (?:true|correct|right|accurate|so|the case)|incorrect|false|untrue|wrong|inaccurate) | i'm afraid not | not (?:according to .+|that i (?:know|am aware) of|as far as i know)
    i (?:\w+ )?doubt (?:it|that|so) | (?:an? )?(?:fiction|myth|hoax)(?=\W*$) | incorrect | untrue | wrong | false | negative | never | no way | by no means | far from it | impossible | unlikely | nah
    (?:it|he|she|they|there|that|this|one|you|we)(?: \w+ly)? (?:is|are|was|were|does|do|did|can|could|will|would|has|have|had|should|must)(?: not|n't)
    (?:it|he|she|they|there|that|this|one|you|we) cannot | i (?:don't|do not) (?:think|believe) so | auf keinen fall | keineswegs | bien sûr que non | pas du tout | claro que no | de ninguna manera | certamente no | assolutamente no | de modo nenhum | claro que não | конечно нет | ни в коем случае
    """
    )
)
_YES_ALONE = re.compile(
    one_of(
        r"""
    absolutely | certainly | definitely | of course | sure(?:ly)? | indeed | correct | exactly | right | affirmative | positive | recommended | indicated | advisable | true | precisely | naturally | no doubt(?: about (?:it|that))? | without (?:a |any )?doubt | undoubtedly | most likely | obviously | totally | agreed | uh huh
    (?:it|this|that)(?: is|'s) (?:\w+ )?(?:likely|probable) | (?:an? )?fact | i (?:think|believe) so | (?:it|this|that|so it) (?:appears|seems|would (?:appear|seem)) so | (?:that|this)(?: is|'s)(?: \w+ly| indeed)? (?:true|correct|right|so|the case)
    (?:indeed )?(?:it|he|she|they|there|that|this|one|you|we)(?: \w+ly| indeed)? (?:is|are|was|were|does|do|did|can|could|will|would|has|have|had|should|must)
    natürlich | genau | richtig | stimmt | bien sûr | tout à fait | exact(?:ement)? | claro | por supuesto | correcto | exacto | certo | esatto | certamente | com certeza | correto | конечно | верно
    """
    )
)
_AT_ONCE = re.compile(
    r"[\W_]*(?:absolutely|definitely|certainly|indeed|correct|exactly|affirmative|of course|probably|surely|right|true"
    r"|(?:(?:it|this|that) (?:is|seems) (?:\w+ )?)?(?=unlikely|impossible|false[.,!]|untrue|incorrect|wrong[.,!])\w+(?P<never>))(?P<no> not)?[.,!]"
    r"(?! (?:here|let|i|i'll|i'd|we|please|sure|to|based)(?![\w]))"
    r"|[\W_]*(?P<hardly>not (?:necessarily|really|quite|exactly|likely|usually|typically|always|at all)[.,!]"
    r"|(?:it|that|this) (?:is|would be) (?:\w+ly )?(?:not possible|impossible|unlikely|improbable) (?:for|that)(?!\w))"
)
"""a text that agrees or denies with its first words, and not one that only begins politely"""
_CLAIM = r"(?:(?:this|that|it)(?:'s| is| would)|(?:this|that|the|such an?) (?!first|second|third|fourth|last|next|other|former|latter|initial)(?:\w+ ){0,2}?(?:statement|claim|assertion|proposition|generali[sz]ation|belief|idea|stereotype|assumption)s? (?:is|are))(?: \w+ly| simply| just)?"
_CLAIM_DE = r"(?:(?:die|diese|der|dieser) (?:\w+ )?(?:aussage|behauptung|feststellung|these|satz))"
_CLAIM_ROMANCE = (
    r"(?:(?:(?:a|o|la|el|il|lo|le|est[ae]|ess[ae]|quest[ao]|cett?e|cet|ce) |l'|quest')(?:afirma(?:ção|tiva|ción)|affirmation|affermazione|assert(?:iva|ion)|asser(?:ção|zione)|aseveración|enuncia[dt]o|énoncé"
    r"|declara(?:ção|ción)|déclaration|dichiarazione|proposi(?:ção|ción|tion|zione)|senten[cç]a|frase|phrase|oración)(?: (?:acima|anterior|apresentada|dada|dado|dada|data|donnée?|de la \w+|d[oa] \w+|em questão|en cuestión|en question|in questione))?)"
)
_THE_CLAIM = r"(?:the|this|that|your) (?:\w+ )?(?:statement|claim|assertion|proposition)"
_SIMPLY = r"(?!\w|,? (?:with|or|nor|and|to|on|about|in|more|but|however|though|although|wholeheartedly)(?!\w))"
_DER_CLAIM = "(?:der|dieser|ihrer) (?:aussage|these|behauptung)"
_LA_CLAIM = "(?:la |esta |esa |l'|cette )(?:afirmación|declaración|frase|affirmation|déclaration|proposition)"
_IN_DEED = r"(?!say|know|tell|determine|answer|predict|verify|confirm|give|provide|judge|assess|assume|argue|imagine|think|be (?:sure|certain|definit))\w+"
_WORRY = r"(?:worry|forget|fear|doubt|hesitate|ignore|overlook|underestimate|be (?:afraid|surprised|worried))(?!\w)"
_SAYS_FIRST = re.compile(
    r"[\W_]*(?:(?P<no>"
    rf"{_CLAIM} (?:not (?:\w+ly |be )?(?:true|correct|accurate|right|the case|advisable|recommended|safe|wise|a good idea)|false|incorrect|untrue|inaccurate|wrong|unfounded|inadvisable|a myth|[^.!?;]{{1,60}} has no (?:\w+ )?(?:basis|foundation|truth)|(?:\w+ly )?(?:unfair|unjust|misleading) to \w+|(?:an?|nothing (?:more|but)(?: than)? an?)(?: [\w-]+){{0,3}}? (?:stereotype|generali[sz]ation|prejudice|misconception|myth|oversimplification))"
    r"|(?:there(?:'s| is)|i (?:see|find|have|know of)) (?:\w+ly )?no (?:\w+ ){0,2}?(?:reason|evidence|basis|proof|truth|justification|foundation)(?: \w+)? (?:to (?!suspect|doubt|deny|dispute|question|the contrary)\w+|that|for (?:this|that|the|such)|in (?:this|that))"
    r"|i (?:do not|don't|would not|wouldn't) (?:think|believe|say)(?: that)? (?:(?:it|this|that)(?:'s| is| would be) (?:true|right|correct|fair|accurate|the case)|so)"
    rf"|(?:you|one|people) (?:really |absolutely )?(?:should (?:not|never)|shouldn't|must (?:not|never)|mustn't)(?! {_WORRY})|non dovresti|no deber[ií]as?|não deve(?:ria)?|(?:du solltest|sie sollten) (?:\w+ ){{0,6}}?nicht|(?:vous ne devriez|tu ne devrais) pas"
    r"|it (?:is not|isn't) possible to (?:say|claim|state|affirm)(?: with \w+)? that (?:all|every)"
    rf"|it (?:is (?:\w+ly )?(?:not possible|impossible)|isn't possible) (?:for [^.!?;]{{1,60}} )?to {_IN_DEED}"
    r"|(?:nothing of the (?:sort|kind)|not at all|nichts dergleichen|rien de tel|nada de eso|niente di simile|niente affatto|ничего подобного)(?=[.,!])"
    rf"|(?:das|dies|es|{_CLAIM_DE}) (?:stimmt (?:so )?nicht|trifft (?:so )?nicht zu|ist (?:\w+ )?(?:ein (?:\w+ )?(?:vorurteil|klischee|stereotyp)|nicht (?:richtig|wahr|korrekt|zutreffend|ratsam|empfehlenswert|sinnvoll)|falsch|unwahr|unzutreffend))"
    r"|es gibt keinen (?:\w+ )?(?:grund|beleg|anlass)|il n'y a aucune? (?:raison|preuve)|no (?:hay|existen?) (?:\w+ )?(?:raz[oó]n|evidencia|prueba|motivo)\w*|não (?:há|existem?) (?:\w+ )?(?:raz|evidência|prova|motivo)\w*|non (?:c'è|ci sono|esist\w+|vi (?:è|sono)) (?:\w+ )?(?:ragion|prov|motiv|evidenz)\w*"
    r"|(?:non è|no es|não é) (?:possibile|posible|possível) (?:affermare|dire|afirmar|decir|dizer)(?: con? \w+)? (?:che|que) (?:tutt|tod|ogni)\w*"
    r"|(?:il (?:est|serait)|(?:es|sería)|(?:é|seria)|(?:è|sarebbe)) (?:faux|inexact|erroné|injuste|réducteur|falso|injusto|erróneo|errado|sbagliato|scorretto|ingiusto) (?:de )?\w+"
    rf"|(?:il|ce|cela|cette \w+|{_CLAIM_ROMANCE}) n'est (?:\w+ )?pas (?:vraie?|correcte?|exacte?|juste|conseillé|recommandé)|(?:c'|cela |cette \w+ |{_CLAIM_ROMANCE} )est (?:faux|fausse|inexacte?|incorrecte?|erronée?)"
    rf"|(?:(?:eso|esto|esta \w+|la \w+|{_CLAIM_ROMANCE}) )?no es (?:ciert[oa]|verdad|verdader[oa]|correct[oa]|aconsejable|recomendable)|(?:eso|esto|esta \w+|la \w+|{_CLAIM_ROMANCE}) es (?:fals[oa]|incorrect[oa]|erróne[oa])"
    rf"|(?:(?:isso|esta \w+|essa \w+|{_CLAIM_ROMANCE}) )?não é (?:verdade|verdadeir[oa]|corret[oa]|aconselhável|recomendável|recomendado)|(?:isso|esta \w+|essa \w+|{_CLAIM_ROMANCE}) é (?:fals[oa]|incorret[oa]|errad[oa])"
    rf"|(?:(?:questa \w+|questo|ciò|{_CLAIM_ROMANCE}) )?non è (?:ver[oa]|corrett[oa]|esatt[oa]|consigliabile|raccomandabile|giusto)|(?:questa \w+|questo|ciò|{_CLAIM_ROMANCE}) è (?:fals[oa]|errat[oa]|sbagliat[oa]|\w+ e non ha alcun\w*)"
    r"|(?:это|(?:это|данное) утверждение) (?:не (?:так|верно|правда)|неверно|ложно|неправда)|не рекомендуется|(?:这|[这该]种?个?(?:说法|陈述|观点))是?(?:不(?:对|正确|准确)|错误|错的)|不建议|(?:それは|この(?:主張|文|記述)は)(?:正しくありません|誤りです|間違いです)"
    rf"|(?:(?:while|although|though) [^.!?;]{{1,200}}, )?i (?:(?:\w+ly )?disagree|(?:do not|don't|can't|cannot) (?:\w+ly )?agree)(?! that [^.!?]*(?: (?:not|never|no|wrong|false|un\w+)|n't)(?!\w))(?: with {_THE_CLAIM}|{_SIMPLY})|ich stimme (?:(?:mit )?{_DER_CLAIM} (?:\w+ )?nicht (?:zu|überein)|nicht mit {_DER_CLAIM} überein)|(?:no estoy (?:\w+ )?de acuerdo|estoy (?:\w+ )?en desacuerdo) con {_LA_CLAIM}|je ne suis (?:\w+ )?pas (?:\w+ )?d'accord avec {_LA_CLAIM}"
    r")(?![^\W\d_])(?! in (?:one|some|part|certain|a sense))(?!,? (?:if|unless|only if|when|wenn|falls|si|se)(?!\w))|(?:"
    rf"{_CLAIM} (?:true|correct|right|accurate)|das (?:stimmt|ist (?:richtig|wahr|korrekt))|{_CLAIM_DE} (?:stimmt|ist (?:richtig|wahr|korrekt|zutreffend))|c'est (?:vrai|exact|juste)|(?:cette \w+|{_CLAIM_ROMANCE}) est (?:vraie?|exacte?|juste|correcte?)"
    rf"|(?:eso|esta \w+|{_CLAIM_ROMANCE}) es (?:ciert[oa]|verdader[oa]|correct[oa])|(?:isso|esta \w+|{_CLAIM_ROMANCE}) é (?:verdade|verdadeir[oa]|corret[oa])|(?:questa \w+|ciò|{_CLAIM_ROMANCE}) è (?:ver[oa]|corrett[oa])|это (?:верно|правда|так)|[这该]种?个?(?:说法|陈述)是?(?:对的|正确的?)|(?:それは|この(?:主張|文|記述)は)正しいです"
    r")(?=\s*[.,!。，])(?!,? (?:if|unless|only if|when|wenn|falls|si|se)(?!\w))"
    rf"|it(?:'s| is) (?:\w+ly )?possible (?:for [^.!?;]{{1,60}} )?to {_IN_DEED}"
    rf"|(?:i (?:\w+ly )?agree(?: with {_THE_CLAIM}|{_SIMPLY}(?!,? (?:that|it|this|there) [^.!?]*(?: (?:but|however|yet|not|never|no)|n't)(?!\w)))|ich stimme (?:mit )?{_DER_CLAIM} (?:\w+ )?(?:zu|überein)|estoy (?:\w+ )?de acuerdo con {_LA_CLAIM}|je suis (?:\w+ )?d'accord avec {_LA_CLAIM})(?!\w)(?! (?:in part|to (?:some|a certain)|but|however|teilweise|insofern))"
    r")"
)
"""a text that calls the claim right or wrong, or agrees with it, with its first words"""
_WORD = re.compile(r"[^\W\d_]+")
_ENDS = re.compile(r"[.!?。]|\Z")
_FIRST = re.compile(r"[^.!?:;\n]*")
_SINCE = re.compile(
    r"[\s*_>#-]*(?:since|because|as(?! (?:an?|someone|the author) )|given that) [^.!?;]*, (?=[^,]*\Z)"
)
"""a reason, and what it comes to"""
_NOT = (
    r"(?:(?:not|never|hardly|cannot|nowhere|neither|nor)(?!\w)|n't(?!\w)|no longer|impossible|unlikely"
    r"|unable|fails? to|failed to)"
)
_THING = r"(?:statement|claim|assertion|proposition|sentence|hypothesis|conclusion|premise|argument|assumption|answer|suggestion|idea|story|question)"
_JUDGED = re.compile(
    rf"(?<!\w)(?:the|this|that|his|her|their|your|such an?|said)(?: \w+){{0,2}}? {_THING}(?: [^.!?;,]{{0,60}},?| in the question, [^.!?;]{{0,80}},)?"
    rf" (?P<how>(?:is|are|was|seems?|appears?|would be|must be|does|do|cannot|can't|turns out to be|holds?|stands?|checks out|fails?|makes|is to be)(?!\w)[^.!?;]{{0,60}})"
)
_WRONG = re.compile(
    rf"{_NOT}|(?<!\w)(?:in(?:correct|accurate|valid|consistent)|false|untrue|wrong|un(?:true|supported|founded|warranted)|fails?|rejected|refuted|contradicted|mistaken|a myth|negative|no)(?!\w)"
)
_SOUND = re.compile(
    r"(?<!\w)(?:true|correct|right|accurate|valid|supported|holds?|stands?|checks out|confirmed|makes sense|warranted|sound|consistent|affirmative|positive|plausible)(?!\w)"
)
_ANSWERED = re.compile(
    r"(?<!\w)(?:answer(?:ed)? (?:\w+ ){0,4}?in the (?P<in>affirmative|negative)|(?P<adjective>affirmative|negative) (?:answer|response|reply|conclusion)|answer(?: to [^.;:!?,]{1,80})? (?:is|was|would be|must be)(?: \w+ly)? (?P<is>affirmative|negative)(?! (?:for|in|if)(?!\w)))(?!\w)"
)
_CONCLUDES = re.compile(
    r"[\s*_>#-]*(?:conclusion:|according to [^,]*, (?:then|therefore|thus),|so|thus|therefore|hence|consequently|accordingly|as a result|it follows that|this means(?: that)?|that means(?: that)?"
    r"|in (?:conclusion|summary|short|other words)|overall|for (?:this|that|these) reasons?|based on (?:this|that|these|the)(?: \w+){0,3},|this shows that|on balance|because of (?:this|that)|given (?:this|that|all this)"
    r"|we (?:can )?conclude that|(?:although [^,]*, )?(?:the|these|our|its)(?: \w+)? (?:findings|results|data|evidence|study|trial|authors)(?: \w+ly)? (?:(?:do|does|did) not )?(?:suggest|indicate|show|demonstrate|support|confirm|conclude|found)s?(?: that)?|daher|somit|folglich|demnach|donc|ainsi|par conséquent|dès lors|por (?:lo )?tanto|por consiguiente|en consecuencia|di conseguenza|assim|por conseguinte|entonces|quindi|pertanto|portanto|logo|следовательно|значит)(?![\w'])"
)
_SAFE_TO_SAY = re.compile(
    r"(?<!\w)(?:it's|it is|it seems|seems) (?:\w+ly )?(?:reasonable|safe|fair|likely|plausible|possible|expected|clear)"
    r"(?: to (?:say|assume|conclude|expect|believe))?(?: that)?(?: \w+){1,6}? (?:may|might|could|would)(?= )"
)
"""that something may well be, which affirms it"""
_COULD = re.compile(r"(?<!\w)(?:could|may|might)(?! (?:be (?:argued|said)|or|go)(?!\w))(?!\w)")
"""what a conclusion says to be possible, which it affirms"""
_CONCEDED = re.compile(r"(?<!\w)(?:while|although|though|even though|even if) [^,;]*, ")
"""what a conclusion concedes before what it says"""
_LIKELY = re.compile(
    r"(?:^|, |but |so )(?:it|this|that)(?:'s| is| seems| appears)(?: \w+ly| very| quite| most)?"
    r" (?:(?P<no>unlikely|impossible|improbable|doubtful)|likely|probable)(?: that| given| because|,|$)[^;]*$"
)
"""how likely the last sentence calls what was asked"""
_THUS = re.compile(
    r"(?<!\w)(?:therefore|thus|hence|consequently|somit|daher|folglich|(?:darf|kann|muss|sollte|ist|hat|wird)(?: \w+){0,3} also)(?!\w)"
)
_SHORTLY = re.compile(
    r"(?:so |thus |hence |therefore,? )?(?:it|he|she|they|this|that|these|one|you|we)(?: \w+ly)?"
    r" (?:would|could|can|is|are|was|were|does|do|did|will|has|have|had|should)(?:n't| not| never)"
    r"(?! (?:say|state|mention|specify|indicate|provide|matter|depend|know|clear|enough|tell|give))(?: \w+){1,4}$"
)
"""a last sentence of a few words that denies"""
_BUT_TOO = re.compile(
    r", (?:but|yet|though) (?:\w+ ){0,3}?(?:is|are|was|were|be)(?: \w+ly| far| much| still)? too (?!often|late)\w+"
    r"(?: (?:for|to) [^,;]*)?$"
)
"""what makes impossible that something "could do, but is too heavy" """
_ELLIPSIS = re.compile(
    r"(?:^|[,:;] |(?<!\w)(?:so|and|then|(?:means?|follows|says?|conclude|shows?|think|believed?|assumed?|thought|estimated|likely|true) that|but|yet|thus) )(?:yes, )?(?:it|he|she|they|there|one|you|we|this|that|both)(?: \w+ly| indeed| still| too)?"
    r" (?:is|are|was|were|does|do|did|can|could|will|would|has|have|had|should)(?P<no>(?: not|n't))?(?: indeed| so| too)?$"
)
_PREDICATES = re.compile(
    rf"(?<!\w)(?:is|are|was|were|does|do|did|can|could|will|would|has|have|had|should|must|may|might|need|ca)(?: \w+ly| then| also| still| even| therefore| thus| hence)?(?: |(?=n't)){_NOT}"
    r"|'(?:s|re|ll|d) (?:not|never|no)(?!\w)|(?<!\w)(?:cannot|can't|won't|never|no longer|(?:nobody|no one)(?! (?:\w+ )?(?:knows|is sure|can (?:say|tell|know)))|nothing|impossible|unlikely|unable|fails? to|failed to|contradicts?|(?:is|are) (?:false|untrue|incorrect)|there (?:is|are|was|were) no)(?!\w)"
    r"|(?<!\w)(?:nicht|kein\w*|ne \w+ pas|n'\w+ pas|не)(?!\w)|(?<!\w)(?:no|não|non) (?:es|se|está|era|fue|puede|podrá|deb\w+|dev\w+|dovrebbe|é|foi|pode|è|era|sarà|può|seguía|ha|hay|será)(?!\w)"
)
_ASIDE = re.compile(
    r"^\W*(?:if|because|since|when|while|although|though|given|even)(?!\w)[^,;]*,"
    r"|, (?:who|which|whose|although|though|unlike)(?!\w)[^,;]*(?:,|$)"
    r"|(?:;|,? (?:and|even|because|since|if|when|while|although|though|unless|who|whose|which)(?!\w)).*"
)
"""what a sentence says beside its main clause"""
_TURNS = re.compile(r"[,;] (?:so|but|yet|therefore|hence|thus)(?!\w)")
_HALF_SAID = re.compile(
    r"(?:(?<!\w)(?:not|never|hardly)|n't)(?: (?:\w+ly|at all|so|that|an?)){0,2} (?:impossible|improbable|unlikely|un(?:common|usual|reasonable|true|heard of|thinkable)|inconceivable|incorrect|inaccurate|false)(?!\w)"
    r"|(?<!\w)(?:cannot|can't|can not|could not) (?:\w+ )?be (?:\w+ )?(?:ruled out|excluded)(?!\w)"
    r"|(?<!\w)(?:claim|statement|assertion|proposition) is not (?:\w+ )?wrong(?!\w)"
    rf"|(?<!\w)(?:should|must) (?:not|never) {_WORRY}"
)
"""what is said not to be unlikely, or not false, which is no denial and not quite a yes"""
_NOT_KNOWN = r"(?:it|this|that|which|answer|question)(?: \w+ly)? (?:cannot|can't|can not|could not|couldn't) (?:\w+ly )?be (?:determined|answered|known|established|inferred|ascertained|judged|decided)"
_LEFT_OPEN = re.compile(rf"(?<!\w){_NOT_KNOWN}(?!\w)")
_OPEN = re.compile(
    r"(?<!\w)(?:may|might|could(?! not|n't)|whether|depends?|unclear|perhaps|possibly|either|further|additional|more (?:information|research|studies)|cannot (?:say|tell|determine|conclude)"
    rf"|{_NOT_KNOWN}|no (?:\w+ )?(?:conclusion|answer|inference) can be|not (?:possible to|clear|known|enough)|insufficient|need(?:s|ed)? to|let|consider|question is|professional|sorry|i (?:can't|cannot|won't))(?!\w)|[=≈]|\d\W*$"
)
_PREMISE = re.compile(
    r"(?<!\w)(?:assumption|premise|presupposition|annahme|prämisse|voraussetzung|supuesto|premisa|suposición|prémisse|présupposé|hypothèse|pressuposto|premissa|presupposto|premessa)(?: [^.!?;]{0,60})? "
    r"(?:(?:does not|doesn't) (?:\w+ )?(?:make (?:any )?sense|hold)|makes no sense|(?:is|was) (?:\w+ )?(?:mistaken|false|wrong|flawed|incorrect|nonsensical|absurd)|ergibt keinen sinn|ist (?:\w+ )?(?:falsch|unsinnig|unzutreffend)"
    r"|no tiene sentido|n'a pas (?:de|aucun) sens|n'a aucun sens|não faz sentido|non ha (?:alcun )?senso|(?:es|est|é|è) (?:\w+ )?(?:fals[oa]|fausse|errad[oa]|erróne[oa]|errat[oa]|sbagliat[oa]))(?!\w)"
    r"|(?<!\w)there (?:seems to be|appears to be|is|may be|must be) (?:an? |some )?(?:misunderstanding|misconception|confusion)(?!\w)"
    r"|(?<!\w)(?:is|are) (?:\w+ ){0,3}?(?:fictional|imaginary|mythical|inanimate) (?:character|creature|being|object|figure|person|animal)s?(?!\w)"
)
"""that what a question takes for granted is not so"""
_CANNOT_BE = re.compile(
    r"(?<!i )(?<!we )(?<!question )(?<!\w)(?:cannot|can't|can not|could not|couldn't|(?:is|it's|would be) (?:\w+ )?(?:not possible|impossible) for|kann (?:\w+ ){0,2}?(?:kein\w*|nicht)|no puede|ne peut (?:\w+ )?pas|não pode|non può)"
    r"(?! (?:be )?(?:answer|determin|verif|know|beantwort|respond|répond|rispond))(?!\w)"
)
_BUT_SO = re.compile(
    r"(?<!\w)(?:but|however|that said|still|aber|mais|pero|ma|mas|но),? ([^\W\d_]+)(?=[,.;:!])"
)
_BUT_IT_SAYS = re.compile(
    r"(?<!\w)(?:but|however|that said|still),? (?:[^.!?;:\n]{0,60} )?"
    r"(?:says|is|suggests|would be|indicates|points to) [\"'“*]*([^\W\d_]+)(?=[\"'”*]*[.!])"
)
"""what is said after all that is conceded"""
_OF_THE_TEXT = re.compile(
    r"(?<!\w)(?:i|me|my|information|info|data|answer|question|passage|context|text|prompt|options?|choices?|given|provided|mention\w*|specif\w*|stated?|says?|sure|none|any of|neither)(?!\w)"
)
"""what a sentence speaks of that is about the task and not about what was asked"""
_IN_SHORT = re.compile(
    r"(?:^|[.!?]\s+|(?<!\s)\s{2,})"
    r"(?:so|therefore|thus|hence|in short|overall|in (?:conclusion|summary)"
    r"|to conclude|bottom line|short answer|also|daher|donc|entonces|quindi|portanto)[,:]? "
    r"(?:to answer (?:the|your|this) question[,:]? )?"
    r"([^\W\d_]+)(?=[,.:;!—–-])"
)
_HAVE_TO_SAY = re.compile(
    r"(?<!\w)(?:(?:i|i'd|i'll|we)(?: would| will|'d)? (?:have to|must|should) (?:\w+ly )?say[ :,]{1,2}|(?:it|that)(?:'s| is| would be) an? (?:\w+ )?)[\"'“*]*([^\W\d_]+)(?! (?:more|less|to|such|one))(?=[\"'”*]*(?:[.,;!]| (?:on|here|because|since|as|in|from (?:me|us))(?!\w)|$))"
)
_BOLD = re.compile(
    r"(?:^|[.!?:\n]\s{0,40})(?:(?!not|nicht|pas|non|no|say)[^\W\d_]{3,},? ){0,2}\*\*([^\W\d_]+)"
    r"(?:\*\*[.,;!]|[.,;!]\*\*|, [^*\n]{3,160}\*\*)"
)
_IS_ANSWER = re.compile(
    r"(?<!\w)[\"'*]{0,8}([^\W\d_]+)[\"'*]* (?:is|would be|seems) (?:the|my) (?:\w+ ){0,2}"
    r"(?:answer|conclusion|response|choice|label|option|verdict|classification)(?!\w)"
)
_ONLY_BEFORE = re.compile(r"(?<!not )(?<!the )(?<!\w)only(?: be)? [\"'*(]*$")
_OF_A_PART = re.compile(r"[\"'*)]* (?:for|in|if|when|among|with|under|at|on|during)(?!\w)")
_ONLY_AFTER = re.compile(r"[\"'*)]* only (?:for|in|if|when|among|with|under|at|on|during)(?!\w)")
"""that something is so in a part only"""
_FEW, _MOST, _LONG, _BRIEF = 7, 260, 40, 3
"""words of a text that is a yes or no alone, characters and words of a sentence that is read"""


def agreed(passage: Passage, n_words: int) -> Announcement | None:
    """Return the yes or no that a text means without saying it.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["Yes", "No"]))
    >>> agreed(Passage(fold("Absolutely not."), choices), 2).answer
    'No'
    """
    level = passage.given.level
    yes, no = _members(passage.choices)
    if yes is None or no is None:
        return None
    both = YES_AND_NO.search(level)
    if both and not ("or" in both.group() and so_it_is(passage)):
        return None
    end = len(level.rstrip(" .!。！।*\"')"))
    start = passage.sentence_start(end, _MOST)
    start += len(level[start:end]) - len(level[start:end].lstrip(" *_>#-"))
    said = level[start:end]
    if _HALF_SAID.search(said):
        return None
    means = None if passage.choices.particles else says_at_once(level)
    means = _alone(level[:end]) if means is None and n_words <= _FEW else means
    short = means is None and len(said.split()) <= _BRIEF
    means = _alone(said) if short else means
    means = _judged(said) if means is None else means
    means = finds(said) if means is None else means
    if means is None and (last := _SAYS_FIRST.match(said)):
        means = last["no"] is None
    if means is None and n_words <= _LONG:
        first = _FIRST.match(level)[0]  # type: ignore[index]  # may be empty
        means = _judged(first)
        if means is None and first.startswith(("based on ", "according to ", "per ")):
            means = _concluded(first)
    if means is None and n_words > _FEW and len(said.split()) <= _LONG:
        means = _concluded(said)
        likely = _LIKELY.search(said) if means is None else None
        means = likely["no"] is None if likely else means
    means = finds_first(level) if means is None else means
    means = _denies(level[:end]) if means is None and n_words <= _LONG else means
    if means is None and (first := _AT_ONCE.match(level)):
        denied = first["no"] or first["never"] or first["hardly"]
        start, end, means = *first.span(), not denied
    return (
        None
        if means is None
        else Announcement(start, end, "answered", yes if means else no, "in other words")
    )


def in_short(passage: Passage) -> Iterator[Announcement]:
    """Yield the last yes or no that begins a sentence after a word of conclusion."""
    particles = passage.choices.particles
    for rule, text, pattern in (
        ("in short", passage.given.level, _IN_SHORT),
        ("bold", passage.text, _BOLD),
        ("named the answer", passage.given.level, _IS_ANSWER),
        ("said", passage.given.level, _HAVE_TO_SAY),
    ):
        for found in reversed([*pattern.finditer(text)]):
            word = found[1].lower()
            if word in particles:
                yield Announcement(*found.span(1), "answered", particles[word], rule)
                break


def said_in_part(passage: Passage, found: Announcement) -> bool:
    """Say whether a yes or a true is said of a part only.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> passage = Passage(
    ...     fold("It is only true for oak."), Choices.of(LabelSet.of(["true", "false"]))
    ... )
    >>> said_in_part(passage, Announcement(11, 15, "answered", "true"))
    True
    """
    level, start = passage.given.level, passage.sentence_start(found.start)
    part = found.state == "answered" and bool(passage.choices.particles)
    before = part and _ONLY_BEFORE.search(level, start, found.start)
    after = part and (_ONLY_AFTER if not before else _OF_A_PART).match(level, found.end)
    return bool(after)


def judged_first(passage: Passage) -> Announcement | None:
    """Return yes or no where a text calls the claim right or wrong before anything else."""
    yes, no = _members(passage.choices)
    said = truth_first(passage.text) if yes and no else None
    if said:
        return Announcement(*said[1], "answered", yes if said[0] else no, "judged first")
    first = _SAYS_FIRST.match(passage.given.level) if yes and no else None
    label = no if first and first["no"] else yes
    return Announcement(*first.span(), "answered", label, "judged first") if first else None


def false_premise(passage: Passage) -> Announcement | None:
    """Return no where a text says that the premise makes no sense, and what cannot be therefore."""
    level = passage.given.level
    _, no = _members(passage.choices)
    premise = _PREMISE.search(level) if no else None
    denied = _CANNOT_BE.search(level, premise.end()) if premise else None
    return Announcement(*denied.span(), "answered", no, "premise") if denied else None


def after_but(passage: Passage, *, declines: bool = False) -> Announcement | None:
    """Return the yes or no that a text says after all that it concedes, and not to decline.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["Yes", "No"]))
    >>> after_but(Passage(fold("Views differ, but the law says yes."), choices)).answer
    'Yes'
    """
    particles, level = passage.choices.particles, passage.given.level
    for pattern in (_BUT_SO, _BUT_IT_SAYS) if particles else ():
        found = pattern.search(level)
        refused = found and declines and I_DO_NOT.match(level, found.end(1))
        if found and found[1] in particles and not refused:
            return Announcement(*found.span(1), "answered", particles[found[1]], "but")
    return None


def is_judgement(passage: Passage, found: Announcement, n_words: int) -> bool:
    """Say whether what is announced outside the set is yes or no, or a sentence that means it.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> given = fold("He was born after the war had ended. Conclusion: he could not fight in it.")
    >>> passage = Passage(given, Choices.of(LabelSet.of(["Yes", "No"])))
    >>> said = Announcement(49, 73, "outside", "he could not fight in it", "tag")
    >>> is_judgement(passage, said, 15)
    True
    """
    if passage.choices.opposites and found.answer in {"yes", "no", "Yes", "No"}:
        return True
    sentence = found.rule == "tag" and " " in (found.answer or "")
    return sentence and agreed(passage, n_words) is not None


def so_it_is(passage: Passage) -> bool:
    """Say whether the last sentence begins with a word of conclusion, and says no yes or no."""
    level, particles = passage.given.level, passage.choices.particles
    end = len(level.rstrip(" .!。！।*\"')"))
    start = passage.sentence_start(end, _MOST)
    concludes = _CONCLUDES.match(level, start, end) is not None
    return concludes and particles.keys().isdisjoint(_WORD.findall(level, start, end))


def yes_or_no(answer: str, choices: Choices) -> str | None:
    """Return the yes or no that an answer of a few words means.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> yes_or_no("negative", Choices.of(LabelSet.of(["Yes", "No"])))
    'No'
    """
    yes, no = _members(choices)
    means = _alone(answer.lower()) if yes and no and len(answer.split()) <= _FEW else None
    return None if means is None else yes if means else no


def _members(choices: Choices) -> tuple[str | None, str | None]:
    own, plain = choices.particles, sides(choices)
    yes, no = own.get("yes", own.get("true")), own.get("no", own.get("false"))
    return yes or plain.get("for"), no or plain.get("against")


def _alone(text: str) -> bool | None:
    """Say what a text of a few words means."""
    text = text.strip(" *_\"'")
    if (said := truth_word(text)) is not None or (said := hedged_truth(text)) is not None:
        return said
    if _NO_ALONE.match(text):
        return None if _LEFT_OPEN.search(text) else False
    return True if _YES_ALONE.fullmatch(text.partition(",")[0].strip()) else None


def _judged(said: str) -> bool | None:
    """Say whether a sentence calls the claim right or wrong."""
    found = _ANSWERED.search(said)
    if found:
        return (found["in"] or found["adjective"] or found["is"]) == "affirmative"
    judged = _JUDGED.search(said)
    if judged is None or _OPEN.search(said):
        return judged_claim(said)
    before = said[: judged.start("how")]
    if _WRONG.search(judged["how"]) or before.endswith(("not ", "n't ", "never ")):
        return False
    return True if _SOUND.search(judged["how"]) else None


def _concluded(said: str) -> bool | None:
    """Say whether a sentence that concludes affirms or denies."""
    short = _ELLIPSIS.search(said)
    if short:
        return short["no"] is None
    if _BUT_TOO.search(said) or (_SHORTLY.match(said) and not _OPEN.search(said)):
        return False
    said = _CONCEDED.sub("", _COULD.sub("can", _SAFE_TO_SAY.sub("", said)))
    said = DOUBTLESS.sub(" ", said)
    reason = _SINCE.match(said)
    if _OPEN.search(said) or not (reason or _CONCLUDES.match(said) or _THUS.search(said)):
        return None
    return _PREDICATES.search(said, reason.end() if reason else 0) is None


def _denies(said: str) -> bool | None:
    """Say whether a text is one sentence, which denies what was asked, or that it can be doubted."""
    if _OPEN.search(said) or _OF_THE_TEXT.search(said) or _ENDS.search(said)[0]:  # type: ignore[index]  # an end is found
        return None
    rest = DOUBTLESS.sub(" ", said)
    if _PREDICATES.search(rest):
        return False if _PREDICATES.search(_ASIDE.sub(" ", _TURNS.split(rest)[-1])) else None
    return None if rest == said else True
