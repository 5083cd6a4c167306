"""Whether a text that neither answers nor has a phrase of the rules declines, or asks back.

Only where nothing else was found does this decide: who says that he will not do what was asked, or
names a helpline and nothing more, has declined.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from collections.abc import Iterator

from assay.derive import patterns as re
from assay.derive.fields import decides, holds_null, values_of_record
from assay.derive.found import Announced, declined, failed
from assay.derive.grounds import declines_on_grounds
from assay.derive.mentions import Folded, fold
from assay.derive.naming import Announcement, Passage
from assay.derive.refusals import (
    GOES_ON,
    I_DO_NOT,
    OFFERS,
    RefusalHit,
    RefusalRules,
    declined_by,
    does_the_task,
    is_declined,
    quoted_spans,
)
from assay.derive.text import has_words
from assay.derive.wordings import UNSETTLED, one_of

_CONCEDED_FIRST = re.compile(
    r"\W*(?:while|although|though|even though|whilst|obwohl|auch wenn|bien que|aunque|anche se|embora)(?!\w)[^,.;:!?\n]{5,160}, (?=\w)"
)
"""what a text concedes before all else"""
_IS_IT = re.compile(
    r"(?<!\w)(?:the|this|that|these|those|your|my|our|it|what)(?: [\w'’/()-]+){0,16}?(?:'s| is| are| was| would be| seems to be| has to be)"
    r"(?: (?:an?|the|called|likely|probably|most likely|(?:option |choice |answer )?[(\[]?[a-z][)\].:]+))*[\s*\"'(\[]*$"
)
_ENDS_SO = re.compile(r"[\s*\"')\]]*(?:\([^()\n]{1,40}\))?[\s*\"')\]]*(?:[.!;\n]|\Z)")
_FEW, _AT_ONCE, _FEW_LEFT, _AT_WRONG, _LISTED, _LONGEST = 32, 300, 9, 180, 2, 200
"""words of a text, and characters of a longer one, in which a refusal in other words counts"""
_SELF = r"(?<!\w)(?:i|we)(?:'m|'ll|'d|'ve| am| are| will| would| have)?(?: (?:\w+ly|just|also|still|must|do|have to|only))*"
_KNOWING = (
    r"see|say (?:that|which|whether|for)|stress|emphasi[sz]e|tell(?! you| me)|find|decide|know|be (?:sure|certain)|but|imagine|think|determine|conclude|read|open|view|access"
    r"|understand|overstate|wait|agree(?! (?:or|nor) disagree)|separate|distinguish|rule|exclude|confirm|choose|pick between|remember|recall|deny|blame|go wrong"
    r"|guarantee|promise|sleep|eat|breathe|focus|concentrate|feel|relax|cope|without|believe|mean|recogni[sz]e|mind|worry|care|like|need|get|make up|weigh"
)
"""what one can be unable to do without declining"""
_DOING = (
    r"provide|offer|give|share|discuss|answer|diagnose|comment|engage|support|help|assist|participate|take part|write|create|generate|condone"
    r"|recommend|produce|promote|make (?:a |any )?(?:diagnos|judg|assum)\w+|do (?:that|this|diagnos)|hold (?:\w+ ){0,2}(?:views|opinions|beliefs)"
    r"|take (?:\w+ ){0,2}(?:positions?|sides?|stances?)(?!\w)|have (?:\w+ ){0,2}(?:opinions?|beliefs|views|feelings|emotions|experiences|morals|consciousness|personality|preferences?|permission|the ability|a stance)|get involved|take sides|name|label"
)
"""what one declines by not doing it"""
_UNWILLING = re.compile(
    # Inside a word nothing begins but a negation, which is seen before all is tried.
    r"(?:(?<!\w)|(?=n(?:ot|'t))|(?=[^\x00-\x7f]))(?:"
    + "|".join(
        (
            rf"{_SELF} (?:can't|cannot|can not|won't|will not|unable to|not gonna|not (?:able|allowed|permitted|going|willing|comfortable|authori[sz]ed|in a position|prepared|designed|programmed|equipped|here|supposed))(?!\w)(?: to)?(?! (?:\w+ ){{0,2}}?(?:{_KNOWING})(?!\w))",
            rf"{_SELF} (?:refuse|refrain|decline|respectfully|prefer not|prefer to not|rather not|restricted|prohibited|forbidden|prevented|barred|blocked)(?!\w)",
            rf"{_SELF} (?:don't|do not|never) (?:{_DOING}|have (?:the|any) (?:authority|right|standing|mandate|power|qualifications?) to)(?!\w)",
            rf"{_SELF}(?: strongly| highly)? (?:urge|advise|caution|warn|encourage|implore|beg)(?: you| anyone)? (?:not to|against)(?!\w)",
            rf"{_SELF} (?:don't|do not|wouldn't|would not) (?:think|believe|feel)(?: [\w']+){{0,10}}? (?:names?|labels?|diagnos\w+|appropriate|right|comfortable|my place)(?!\w)|(?<![\w,] )(?<!\w)no comment(?!\w)|(?<!\w)too (?:sensitive|personal|controversial|delicate) (?:for me )?to (?:answer|discuss|comment|judge)(?!\w)",
            rf"{_SELF} (?:try|aim|strive|tend|choose|make it a point)(?: very hard)? (?:not to|to avoid|to refrain from|to stay out of) (?:{_DOING}|\w+ing|polit|debates?)",
            r"(?<!\w)(?:try|use|check) google(?: search)?(?!\w)",
            r"(?<!\w)(?:have to|gonna have to|must|going to have to|'ll have to|need to) (?:skip|pass|decline|refuse|stop you|draw the line|say no|leave it|step back)(?!\w)",
            r"(?:not|n't) (?:something|anything|a topic|a subject|a request|the kind of \w+|a conversation)(?: that)?(?: \w+){0,3}? (?:i|we|i'm|we're|i'll|i'd)(?!\w)",
            r"(?<!\w)(?:my|our|these|the|safety|content|usage|company) (?:training|guidelines?|polic(?:y|ies)|programming|rules|instructions|developers|creators|boundaries|safety \w+)(?: \w+){0,2}? (?:doesn't|does not|don't|do not|prevents?|forbids?|prohibits?|restricts?|keeps?|stops?)",
            r"(?<!\w)(?:violates?|against|breach(?:es)?|outside|beyond|crosses) (?:of )?(?:my|our|the|openai\W?s?|what (?:i|we)) (?:\w+ )?(?:polic|guideline|rules|terms|principles|values|scope|remit|role|boundar|line|can|am|do)",
            r"(?<!\w)request (?:was |is |has been )?(?:denied|declined|rejected|refused)|(?<!\w)(?:off limits|no can do|out of bounds|a no from me|not up for)(?!\w)",
            r"(?<!\w)(?:have to|must|need to|'ll|will|going to|prefer to) (?:stay|remain|keep) (?:neutral|out|silent|quiet|away|clear)|(?<!\w)leav(?:e|ing) (?:it|this|things) (?:here|there|at that)",
            r"(?<!\w)(?:here|programmed|designed|meant|supposed|trained) to (?:provide|give|offer|remain|be|stay|share|present) (?:\w+ ){0,2}?(?:neutral|impartial|unbiased|objective)(?!\w)",
            r"(?:not|n't) (?:on the table|an option for me|happening|going to happen)(?!\w)|(?<!\w)(?:i|we) (?:stay|remain) neutral",
            r"(?<!\w)(?!weiß|verstehe|sehe|glaube|denke|finde|erkenne|habe|meine)\w{3,}e ich(?: \w+){0,4} (?:nicht|kein\w*)(?!\w)",
            r"(?:not|n't) (?:something|a job|a task|for) an? (?:ai|language model|chatbot|assistant|machine|program|computer)(?!\w)|(?<!\w)(?:i|we)(?:'ll| will| would|'d)? (?:\w+ )?leave (?:the|that|this|any|such) (?:diagnos\w+|decisions?|labels?|judge?ments?|questions?) (?:to|up to)(?!\w)",
            r"(?:not|n't) (?:be )?(?:responsible|appropriate|right|ethical|fair|safe|wise|proper|my place)(?:,? (?:or|and|nor) \w+)? (?:(?:of|for) (?:me|an ai|us) )?to (?:\w+ )?(?:name|diagnose|label|answer|provide|offer|speculate|guess|give|assign|comment|judge|suggest a|make|discuss|promote|encourage|engage|share|create|generate|assume|stereotype|target)",
            r"(?<!\w)let's not(?! forget)(?!\w)|(?<!\w)(?:instead of|rather than) (?:answer|do)|(?<!\w)won't be \w+ing",
            r"(?<!\w)(?:this|that|such an?|your|the) (?:request|question|topic|content|prompt|query|statement)s? (?:\w+ ){0,3}?(?:inappropriate|harmful|unethical|offensive|off limits|not appropriate|not allowed|dangerous|hateful|discriminatory)(?!\w)",
            r"(?<!\w)(?:ich (?:\w+ )?(?:kann|darf|werde|möchte|will)|(?:kann|darf|werde|möchte) ich)(?! mich)(?: \w+){0,7}? (?:nicht|kein\w*)(?!\w)|(?<!\w)(?:verweigere|lehne)(?!\w)",
            r"(?<!\w)je (?:ne|n') ?(?:peux|suis pas (?:en mesure|autoris|habilit|capable)|souhaite|vais|dois|veux|répond|donne|fournis|partage|pose|prends pas (?:position|parti))|(?<!\w)je (?:refuse|préfère ne|décline|m'abst)|(?<!\w)il m'est impossible",
            r"(?<!\w)no (?:(?:puedo|debo|podemos|voy a|doy|ofrezco|proporciono|hago)(?!\w)|estoy (?:en |auto|cap|cual|cal|disp))|(?<!\w)(?:prefiero no|me niego|me abstengo)",
            r"(?<!\w)não (?:(?:posso|devo|vou|podemos|dou|ofereço|forneço|faço)(?!\w)|estou (?:em|auto|apt|hab|qual|disp))|(?<!\w)(?:prefiro não|me recuso|recuso-me)",
            r"(?<!\w)non (?:(?:posso|devo|possiamo|intendo|fornisco|offro|do|faccio)(?!\w)|sono (?:in grado|autor|abil|qual|disp))|(?<!\w)(?:preferisco non|mi rifiuto|mi astengo)",
            r"(?<!\w)не (?:могу|буду|могла бы|имею права|имею возможности|стану|готова?|даю|предоставляю|обсуждаю|комментирую)(?!\w)|отказыва",
            r"(?:不能|[无無]法|不[会會]|不便|不宜|不[应應]|拒[绝絕]|不[愿願])[^。，]{0,6}(?:参与|參與|提供|回答|[讨討][论論]|[协協]助|[帮幫]助|生成|[满滿]足|支持|[评評][论論]|[给給]出|透露|[继繼][续續]|做出|[进進]行|[诊診][断斷]|[处處]理|回[应應]|表[达達]|[选選][择擇]|推[荐薦]|判[断斷])|(?:回答|提供|讨论|协助|帮助)不了",
            r"(?:能力|権限|資格|立場)[はがもに]{1,2}(?:ありません|ございません|ない(?=。|$))|(?:でき|いたし|致し|応じ|答えられ)(?:ません|かねます)|お断り|控えさせて|控えます|遠慮",
            r"(?<!\w)لا (?:يمكنني|أستطيع|أقدر|يسعني)|لن أتمكن|ليس لد[يى]+ (?:أي )?(?:آراء|رأي|مشاعر|معتقدات|موقف)|لا أملك|नहीं (?:[^\s।.]+ ){0,2}?सकत|(?:मदद|सहायता|उत्तर|जानकारी)[^।.]{0,20} नहीं|পার(?:ব|ি|ছি) না|করতে অক্ষম|ไม่(?:สามารถ|ได้รับอนุญาต)|(?:अनुरोध|मदद)[^।.]{0,24}नहीं|পারছি না|נאלץ לסרב|(?:לא יכול|לא אוכל)|نمی‌?توانم",
            r"(?<!\w)(?:(?:ik kan|kan ik|ik heb|heb ik) (?:\w+ ){0,3}?(?:niet|geen)|nie mogę|yardımcı olamam|(?:saya )?tidak (?:dapat|bisa) (?:membantu|memberikan)|tôi không thể|hindi ko (?:po )?(?:magagawa|maaari\w*|kaya\w*)|hindi ako maaari\w*|sina uwezo|siwezi|(?:jag|jeg) kan (?:(?:tyvärr|dessverre|desværre) )?(?:inte|ikke)|kan (?:jag|jeg) (?:(?:tyvärr|dessverre|desværre) )?(?:inte|ikke)|nemohu|en voi|nem tudok|δεν μπορώ|не можу|nu pot)(?!\w)",
            r"(?:의견|견해|입장|감정)[^.]{0,12}(?:없습니다|않습니다)|(?:도와|답변|제공|응답|진단|말씀|논의)[^.]{0,8}(?:없습니다|어렵습니다|않습니다)",
        )
    )
    + ")"
)
"""how one says in other words that one does not do what was asked"""
_WRONG = re.compile(
    r"(?<!is the )(?<!is an )(?<!\w)(?:illegal|unlawful|unethical|immoral|inappropriate|harmful|a (?:\w+ )?crime|against the law|a violation of"
    r"|(?:not|never)(?: \w+){0,3}? (?:ethical|appropriate|acceptable|legal|okay|ok|right|respectful|justified|the answer|a solution))(?!\w)"
)
_BETTER = re.compile(
    r"(?<!\w)(?:instead|seek|seeking|reach out|consult|talk to|talking to|speak (?:to|with)|encourage you|urge you|reconsider|please|advise|if you(?:'re|'ve|'d| are| have| need| feel| find)"
    r"|(?:important|crucial|essential|best) (?:to|that)(?: \w+)? (?:remember|respect|treat|prioriti[sz]e|address|approach|act|always|seek|consider|follow))(?!\w)"
)
"""what one calls wrong, and what one should do in its place"""
_ITEMS = re.compile(r"\n[^\S\n]*(?:\d{1,2}[.)]|[-*•])\s")
_LACKS = re.compile(
    r"(?<!\w)(?:(?:not|n't)(?: \w+){0,2} (?:enough|sufficient|any|provided)|insufficient|without|no|more|additional|further|missing|lacks?)"
    r"(?: (?:\w+(?: \w+){0,2} )?)(?:info(?:rmation)?|context|data|details?|figure|image|graph|chart|diagram|picture|table|values?)(?!\w)"
    r"|(?:(?<!\w)(?:without|not have)|n't have)(?: \w+)? access to|(?<!\w)(?:cannot|can't|unable to) (?:look up|verify|access|check)(?!\w)|(?<!\w)(?:cannot|can't|can not|couldn't|could not|unable to|not able to) (?:\w+ly )?(?:see|view|open|read) (?:(?:any|the|an?|your|this|that|these) )?(?:\w+ )?(?:figure|image|graph|chart|diagram|picture|table|photo|file|attachment)s?(?!\w)|(?<!\w)without (?:knowing|seeing|verifying|checking|being able to|having)(?!\w)"
    r"|(?:(?<!\w)(?:without|not have)|n't have) (?:the |any |these |those )?(?:exact|specific|actual|necessary|required|relevant|missing|full|precise|\w+ dates?|dates?)(?!\w)"
    r"|(?<!\w)(?:ohne (?:die |den |das )?(?:genaue|nötige|nähere|weitere|konkrete)\w*|sans (?:les |la |plus d'|connaître )\w+|sin (?:los |las |más |conocer )\w+|sem (?:os |as |mais |conhecer )\w+|senza (?:i |le |ulteriori |conoscere )\w+|без (?:точн|дополнительн|конкретн)\w+)(?!\w)"
    r"|(?<!\w)(?:image|figure|graph|chart|diagram|picture|table|passage|map|photo|attachment)s? (?:(?:is|are|was|were) (?:missing|absent|unavailable|not (?:provided|included|given|shown|attached|visible|available))|(?:is|are|was|were)n't (?:provided|included|given|shown|attached|visible|available))(?!\w)"
    r"|(?<!\w)no (?:image|figure|graph|chart|diagram|picture|table|passage|map|photo|attachment)s? (?:(?:is|are|was|were|has been) )?(?:provided|included|given|shown|attached|visible|available)(?!\w)"
    r"|(?:图|图片|选项|材料|数据)[^。]{0,6}(?:缺失|未提供|没有)|(?:缺少|没有(?:提供|给出)|未(?:提供|给出))[^。，]{0,6}(?:图|选项|材料|数据|信息)|(?:画像|図|写真|選択肢|情報が)[^。]{0,12}(?:ないため|ないので|ありません|いません|不足)|(?:이미지|그림|사진|선택지)[^.]{0,14}(?:없|않)|정보[가는] ?(?:부족|없)|(?<!\w)(?:imagen|imagem|immagine|figura)(?!\w)"
    r"|(?<!\w)(?:non ho|no tengo|não tenho|je n'ai pas|ich habe (?:leider )?kein\w*|у меня нет) (?:accesso|informazioni|acceso|información|acesso|informações|accès|d'informations?|zugriff|zugang|informationen|доступа|информации)(?!\w)"
    r"|(?<!\w)(?:because|since|as|without)(?: [\w'’-]+){1,8} (?:is|are|was|were) (?:missing|lacking|not (?:given|provided|stated|specified|known|mentioned|included|available))(?!\w)"
    r"|(?:(?<!\w)not|n't|cannot)(?: \w+){1,9} from the (?:\w+ )?(?:information|details?|facts|description|context|passage|text|data)(?: \w+)?(?=[.,;])"
)
_CANNOT = re.compile(
    r"(?<!\w)(?:cannot|can't|can not|could not|couldn't|impossible to|not possible to|unable to) "
    r"(?:\w+ly )?(?:be (?:\w+ly )?)?(?:determin|calculat|answer|solv|comput)"
)
_OF_POLICY = re.compile(
    r"(?<!\w)(?:diagnos\w+|ai|language model|professional|medical|doctor|clinician|therap\w+|polic(?:y|ies)|guidelines|ethic\w*|unethical|harm\w*|illegal|privacy|personal)(?!\w)"
)
ASKS_BACK = re.compile(
    one_of(
        r"""
    please (?:provide|share|give me|specify|clarify|tell me|upload|send|describe|paste|supply) | please let me know (?:what|which) | (?:could|can|would|will) you (?:please )?(?:provide|share|clarify|specify|tell me|describe)
    (?:could|can|would|will) you (?:please )?(?:give me|elaborate|upload) | (?:could|can|would) you (?:please )?(?:rephrase|explain what) | (?:i|we)(?: would|'d|'ll)?(?: also| still)? need (?:more|additional|further|some)
    i(?: would|'d|'ll)?(?: also| still)? need to (?:know|see|have) | (?:i|we)(?: would|'d|'ll)?(?: also| still)? need the (?:\w+ )?(?:figure|image|text|question|options|passage|case|vignette|choices|list|full|complete|patient|details|results)
    (?:haven't|have not|didn't|did not) (?:provide|include|given|specif|share|attach|list)\w* | (?:not|no \w+|isn't|aren't|wasn't) (?:(?:is|was|were|has|have|been) )*(?:provided|attached)
    (?:not|no \w+|isn't|aren't|wasn't) (?:(?:is|was|were|has|have|been) )*(?:included|shown) | (?:image|figure|graph|picture|table|diagram|text|options?|choices?) (?:is|are|was)(?: not|n't) visible
    i (?:don't|do not|can't|cannot) see (?:any|the|an?|your) (?:\w+ )?(?:image|figure)s? | i (?:don't|do not|can't|cannot) see (?:any|the|an?|your) (?:\w+ )?(?:option|choice)s?
    i (?:don't|do not|can't|cannot) see (?:any|the|an?|your) (?:\w+ )?(?:table|graph|question|text) | i (?:don't|do not|can't|cannot) see (?:any|the|an?|your) (?:\w+ )?(?:passage|picture|list|file)
    i (?:don't|do not|can't|cannot) see (?:any|the|an?|your) (?:\w+ )?(?:attach\w+|vignette|case) | cannot be (?:determined|answered|solved) without | without (?:the|more|further|additional) (?:figure|image|graph|diagram|table|passage|text)
    without (?:the|more|further|additional) (?:context|options|choices) | without (?:the|more|further|additional) (?:information|details) | (?:(?:not|\w+n't|cannot) (?:\w+ )?(?:enough|sufficient)|insufficient|too little) (?:\w+ )?(?:information|info|context|data|details?)
    without (?:seeing|access to|having|knowing) (?:the|any|an?) (?:\w+ )?(?:figure|image|graph) | without (?:seeing|access to|having|knowing) (?:the|any|an?) (?:\w+ )?(?:diagram|table|passage)
    without (?:seeing|access to|having|knowing) (?:the|any|an?) (?:\w+ )?(?:text|options|choices) | message (?:was|is|got|seems) (?:cut off|incomplete) | what would you like | how (?:can|may) i (?:help|assist)
    is there anything (?:else )?(?:specific|you) | more (?:information|context|details) (?:is|are) (?:needed|required) | bitte (?:geben|nennen|teilen|stellen|schicken|beschreiben) | könnten sie | können sie (?:mir|bitte) | proporcion[ae]
    por favor,? (?:comparta|indique|facilite|envíe|informe|forneça) | veuillez (?:fournir|préciser|indiquer|partager) | pourriez vous | pouvez vous | fornisc[ai] | puoi (?:fornire|indicare|condividere) | potresti | предоставьте | уточните
    пришлите | vui lòng cung cấp | proszę (?:podać|o podanie) | podaj | gelieve | lütfen (?:\w+ ){0,3}(?:belirtin\w*|paylaşın\w*|verin\w*|sağlayın\w*|yazın\w*) | (?:mohon|tolong|silakan|harap) (?:berikan|sertakan|sebutkan|kirimkan|jelaskan|tuliskan) | sem (?:a|o) (?:imagem|figura|gráfico|texto|tabela) | sin (?:la|el) (?:imagen|figura|gráfico|texto|tabla)
    sans (?:l'image|la figure|le graphique|le texte|le tableau) | ohne (?:das|die|den) (?:bild|abbildung|grafik|text|tabelle) | senza (?:l'immagine|la figura|il grafico|il testo|la tabella) | без (?:рисунка|изображения|графика|текста|таблицы)
    """,
        unspaced="请提供|请您提供|请给出|能否提供|(?:缺少|没有|未)(?:提供|给出|附上?)?[^。，]{0,4}(?:图|选项|材料|原文|数据|表格)|教えてください|途中で(?:切れ|途切れ)|もう一度[^。]{0,12}(?:ください|お願い)|يرجى (?:تقديم|توفير|تزويد|إرسال|ذكر|توضيح)|다시 입력|입력해 ?주|कृपया[^।]{0,30}(?:बताएं|दें|प्रदान करें|साझा करें)|提供して|ご提示|提示して|いただけ(?:れば|ますか|ませんか)|(?:画像|図|写真|選択肢|本文|表)[^。書述記]{0,12}(?:ないため|ないので|ありません|いません)|제공해 ?주|알려 ?주|(?<![가-힣])(?:이미지|그림|사진|표|선택지|보기)[^.가-힣]?(?:[가은는이를을도][^.]{0,12})?(?:없|(?:제공|보이|주어|포함|첨부)[^.]{0,4}않)",
    )
)
"""how one asks for what is missing"""
OF_ITSELF = re.compile(
    r"\W*i (?:do not|don't|can't|cannot|never) (?:\w+ly )?(?:(?:have|experience|feel|possess) (?:(?!opinion|belief|view|the ability)\w+,? ){0,3}?"
    r"(?:feelings?|emotions?|consciousness|body|senses|sentience|pain|fear|gender|family|childhood|memor(?:y|ies)|needs|desires)"
    r"|(?:support|agree|believe|endorse|approve)(?: of| with| in)? (?:it|this|that|the (?:\w+ )?(?:idea|statement|claim|view|proposal)))(?!\w)"
)
"""what follows one that answers a question about the model, or takes a side"""
_CONCEDED = re.compile(r"(?<!\w)(?:while|although|though) $")
_CONCEDES, _MOST = 12, 31
_EMPTY, _NONE = frozenset({"", "null", "undefined"}), frozenset({"none", "n/a", "na"})
_REFUSED = re.compile(
    r"[\W_]*(?:refus(?:es?|ed|al)|declin(?:es?|ed)|abstain(?:s|ed)?|(?:cannot|can't|unable to|will not|won't)[ _](?:answer|respond|comply|say|decide|choose))[\W_]*"
)
"""the value of an answer that was not given"""
_LISTED_LAST = (" or ", " and ", ", ")
_HELPLINES = re.compile(
    r"(?<!\w)(?:hotline|helpline|lifeline|988|samaritans|help is available|telefonseelsorge"
    r"|emergency (?:services|number|room))(?!\w)"
)
_TROUBLE = re.compile(r"(?<!\w)(?:crisis|suicide)(?!\w)")
_TO_YOU = re.compile(r"(?<!\w)(?:you|your|yourself|please|call|text|contact|reach out)(?!\w)")
"""who names this to somebody sends to help; who only speaks of it does not"""


def _moralizes(text: Folded) -> bool:
    """Say whether a text begins by calling what was asked wrong, and sends to something better."""
    wrong = _WRONG.search(text.plain, 0, _AT_WRONG)
    if wrong is None or len(_ITEMS.findall(text.text)) > _LISTED:
        return False
    return _BETTER.search(text.plain) is not None


def _at_the_edges(text: str, reach: int) -> Iterator[re.Match[str]]:
    """Yield where somebody declines at the beginning of a text, or at its end."""
    for found in _UNWILLING.finditer(text, 0, reach + _LONGEST):
        if found.start() <= reach:
            yield found
    if reach < len(text):
        yield from _UNWILLING.finditer(text, max(reach + 1, len(text) - reach))


def lacks_what_it_needs(text: Folded) -> bool:
    """Say whether a text does not answer for want of information, and not by policy.

    Examples
    --------
    >>> from assay.derive.mentions import fold
    >>> lacks_what_it_needs(fold("I cannot answer that without the figure."))
    True
    """
    return _LACKS.search(text.plain) is not None and not _OF_POLICY.search(text.plain)


def ends_lacking(passage: Passage, concluded: int) -> bool:
    """Say whether the last sentence, after what is concluded, says that something is missing.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> said = fold("So far 10. The rest cannot be determined without more data.")
    >>> ends_lacking(Passage(said, Choices.of(LabelSet.of(["10"]))), 9)
    True
    """
    text = passage.text
    start = passage.sentence_start(len(text.rstrip(" .!。！।*\"')\n")))
    if concluded > start or _CANNOT.search(passage.given.level, start) is None:
        return False
    return lacks_what_it_needs(passage.given)


def declined_at_once(passage: Passage, rules: RefusalRules, found: Announcement) -> str | None:
    """Return how a short text declines of which the first word was taken for an answer."""
    no, given = passage.choices.particles.get("no"), passage.given
    if found.rule != "opening" or no is None or found.answer != no or has_words(given.text, _MOST):
        return None
    if not I_DO_NOT.match(given.level, found.end) or OF_ITSELF.match(given.level, found.end):
        return None
    return declined_by(given, rules) or declines_in_other_words(given)


def without_answer(passage: Passage, rules: RefusalRules) -> Announced | None:
    """Return that a record declines, or has no answer in the field that is called so.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["agree", "disagree"]))
    >>> said = '{"answer": null, "why": "I cannot provide opinions."}'
    >>> without_answer(Passage(fold(said), choices), RefusalRules(())).state
    'refused'
    """
    fields = values_of_record(passage.text) if "{" in passage.text else []
    if not fields:
        return failed("no_answer", passage) if holds_null(passage.text) else None
    answer = next((value for key, value in fields if decides(key)), None)
    if answer is not None and _REFUSED.fullmatch(answer.lower()):
        return declined("field")
    given = "" if answer is None else answer.lower().strip()
    empty = answer is not None and (given in _EMPTY or answer == "None")
    rest = given in _EMPTY | _NONE
    said = fold(
        ". ".join(value for _, value in fields if value != answer) if rest else answer or ""
    )
    if rule := declined_by(said, rules) or declines_in_other_words(said):
        return declined(rule)
    return failed("no_answer", passage) if empty or holds_null(passage.text) else None


def member_that_declines(passage: Passage, rules: RefusalRules) -> Announcement | None:
    """Return the member that a text declines with, such as "prefer not to answer".

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["Yes", "No", "Decline to answer"]))
    >>> said = Passage(fold("I decline to answer."), choices)
    >>> member_that_declines(said, RefusalRules(())).answer
    'Decline to answer'
    """
    for each in passage.names:
        if passage.given.level.endswith(_LISTED_LAST, 0, each.start):
            continue
        name = fold(f"I {passage.text[each.start : each.end]}")
        if declined_by(name, rules) or declines_in_other_words(name):
            return Announcement(each.start, each.end, "answered", each.label, "declines")
    return None


def offers_else(passage: Passage, rules: RefusalRules, found: Announcement) -> bool:
    """Say whether a text that declines offers something else where it names a member."""
    if member_that_declines(passage, rules):
        return False
    start, end = passage.sentence_start(found.start), passage.sentence_end(found.end)
    own = found.rule == "asserted" and (
        is_declined(passage.given, rules, start, found.start)
        or declines_on_grounds(fold(passage.text[start:end])) == "offends"
    )
    return own or OFFERS.search(passage.given.plain, start, end) is not None


def declines_in_other_words(text: Folded) -> str | None:
    """Return how a text declines that neither answers nor has a phrase of the rules.

    Examples
    --------
    >>> from assay.derive.mentions import fold
    >>> declines_in_other_words(fold("I'm gonna have to skip this one."))
    'in other words'
    """
    short, end = not has_words(text.text, _FEW), len(text.plain)
    quotes = quoted_spans(text.text)
    for each in _at_the_edges(text.plain, end if short else _AT_ONCE):
        if any(start <= each.start() < stop for start, stop in quotes):
            continue
        if _CONCEDED.search(text.plain, max(0, each.start() - _CONCEDES), each.start()):
            continue
        hit = RefusalHit(*each.span(), "in other words", "hard")
        if not does_the_task(text, hit, _FEW_LEFT):
            return hit.rule
    if _moralizes(text):
        return "called wrong"
    spoken_to = _TROUBLE.search(text.plain) and _TO_YOU.search(text.plain)
    return "helpline" if short and (spoken_to or _HELPLINES.search(text.plain)) else None


def goes_on_at(text: Folded) -> int | None:
    """Return where a text goes on after what it declines, or concedes with its first words."""
    found = GOES_ON.search(text.plain) or _CONCEDED_FIRST.match(text.plain)
    return found.end() if found else None


def identified(level: str, start: int, at: int, end: int) -> bool:
    """Say whether a sentence says of something that it is the member with which it ends.

    Examples
    --------
    >>> said = "the drug for this is aspirin."
    >>> identified(said, 0, 21, 28), identified("aspirin is a drug", 0, 0, 7)
    (True, False)
    """
    return bool(_IS_IT.search(level, start, at) and _ENDS_SO.match(level, end))


def asks_for_more(text: Folded, found: Announcement, rules: RefusalRules) -> bool:
    """Say whether the answer is called open by who does not give it for want of something."""
    if found.state != "undecided" or not lacks_what_it_needs(text):
        return False
    open_so = UNSETTLED.fullmatch(text.level, found.start, found.end)
    return open_so is not None and declined_by(text, rules) is not None
