"""Who agrees or disagrees in the first person, where the set is a scale of agreement.

"I cannot support the statement" is an answer there, and the opposite of "I agree with it".
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from functools import lru_cache

from assay.derive import patterns as re
from assay.derive.choices import Choices
from assay.derive.naming import Announcement, Passage
from assay.derive.wordings import CONCLUDES, NEGATED, words_of

_SIDE = re.compile(
    r"(?P<for>(?:i )?agree|support|approve|for|pro|(?:in )?favou?r|(?:ich )?stimme zu|zustimmung|(?:sono |je suis )?d'accordo?|(?:estoy )?(?:de )?acuerdo|concordo|согласен|согласна|за|同意(?:する)?|赞成|賛成|そう思う|(?:mee )?eens|instämmer|håller med|enig|zgadzam się|katılıyorum|setuju|đồng ý|동의(?:함|한다|합니다)?|찬성|أوافق|موافق|सहमत)"
    r"|(?P<against>(?:i )?(?:(?:do not|don't|not) agree|disagree)|oppose|disapprove|against|con|(?:ich )?stimme nicht zu|ablehnung|(?:pas|non|non sono|je ne suis pas) d'accordo?|(?:en )?desacuerdo|no estoy de acuerdo|(?:in )?disaccordo|(?:discordo|n(?:on|ão) concordo)|не соглас(?:ен|на)|против|不同意|反对|反対|同意しない|そう思わない|(?:mee )?oneens|niet (?:mee )?eens|instämmer inte|håller inte med|uenig|nie zgadzam się|katılmıyorum|tidak setuju|không đồng ý|비동의|동의하지 (?:않음|않는다|않습니다)|반대|لا أوافق|غير موافق|أعارض|असहमत)"
    r"|(?P<between>neutral|no (?:opinion|preference)|undecided|unsure|not sure|neither(?: agree nor disagree)?|weder noch|neutre|neutro|neutraa?l|netral|kararsızım|nøytral|neutralnie|中立|중립|どちら(?:と|で)もない)"
)
"""what the plain members of a scale are called"""
_FIRST = re.compile(
    r"[\W_]*(?:(?:well|hm+|o+h|oeh),? )?(?:(?P<no>no|nope|nein|nee|non|não|нет|いいえ|不)|yes|yeah|yep|ja|oui|sí|sì|sim|да|はい|是的?)(?=\s*(?:[.,!:;。，、—–]|$))"
)
"""a text that says yes or no with its first word"""
_CLAUSE_END = re.compile("[.,;:!(]")
_WORDS = words_of(
    "supports supportive opposes opposing favors favours criticizes critical lean leaning inclined agreeing disagreeing agreement disagreement side opposed idea true right correct false wrong untrue agree disagree support endorse oppose reject accept favor favour against zu zustimmen überein übereinstimmen ablehnen ab lehne dagegen dafür einverstanden accord d'accord partage soutiens oppose m'oppose acuerdo desacuerdo comparto apoyo concordo discordo apoio concordare concordar accordo d'accordo disaccordo condivido condividere contrario contraria согласен согласна согласиться разделяю поддерживаю eens oneens setuju zgadzam enig uenig"
)
"""without one of these words nothing spaced is looked for"""
_IT = (
    r"(?:(?: with| to| of)? (?:it|this|that|you|(?:the|this|that|such an?|your) (?:\w+ ){0,2}?(?:proposition|statement|claim|idea|notion|assertion|view|position|motion|thesis"
    r"|premise|sentiment|opinion|assumption|argument|proposal|suggestion|belief|stance)s?)(?!\w)|(?=\s*(?:[.,:;!]|$)))"
)
_I, _NOT_ALONE = r"(?<!\w)(?:i|we)(?:'d|'m|'ll)?", r"(?!\w| more| (?:or|nor) )"
_MANNER = r" (?:(?!hardly|scarcely)\w+ly |(?:do|must|would|will|also|still|have to|tend to) ){0,3}?"
_CANNOT = (
    r" (?:can't|cannot|can not|could not|couldn't|do not|don't|would not|wouldn't|will not|won't|am not|not|(?:am )?(?:not able|unable) to|find it (?:\w+ )?(?:hard|difficult|impossible) to)"
    r"(?: (?:say|claim|think|believe)(?: that)? (?:i|we)(?: (?:can|could|would|do))?|,? (?:in (?:all )?good|with a (?:clear|good)) conscience,?| bring (?:myself|ourselves) to| find it in me to)? (?!strongly )(?:\w+ly )?"
)
_ARGUED = r"(?<!\w)(?:i'll|i'm going to|i (?:will|would|shall|am going to)) (?:\w+ly )?(?:argue|make (?:the|a) case|speak)(?: \w+ly)? (?:(?P<for_argue>in favou?r of|in support of|for)|(?P<against_argue>against)) (?:the|this|that) (?:\w+ ){0,2}?(?:position|view|idea|claim|statement|proposition|notion|motion|stance|proposal|thesis)(?! that [^.!?]{0,160}(?:n't| (?:not|never|no))(?!\w))"
_ARGUES = re.compile(_ARGUED)
"""who takes a side in a debate"""
_STATED = re.compile(
    "|".join(
        (
            _ARGUED,
            rf"{_I} (?:(?P<between_en>neither agree nor disagree)|am (?P<between_neutral>neutral|undecided))(?!\w)",
            rf"{_I}{_CANNOT}(?P<affirmed_en>disagree){_NOT_ALONE}{_IT}",
            rf"{_I}{_CANNOT}(?P<denied_en>agree|support|endorse|accept|in favou?r of){_NOT_ALONE}{_IT}",
            rf"{_I}{_MANNER}(?:(?P<against_en>disagree)(?! with (?:those|them|people|critics|opponents|anyone)(?!\w)){_NOT_ALONE}|(?P<against_it>oppose|reject|(?:am )?(?:\w+ly )?(?:against|opposed to)){_NOT_ALONE}{_IT})",
            rf"{_I}(?:{_MANNER}(?P<for_en>agree|support|endorse|accept|side with|(?:am )?(?:\w+ )?in favou?r(?: of)?){_NOT_ALONE}{_IT}| (?:can|could)(?:n't|not| not|'t) (?:(?P<for_more>agree)|(?P<against_more>disagree)) more)|(?<!\w)has (?:all )?my (?:full )?(?P<for_my>support|backing|approval)(?!\w)",
            rf"{_I} (?:think|believe|feel|find)(?: that)? (?:it|this|that|the (?:idea|statement|claim|proposal))(?: is|'s| would be| to be|(?=n't| not))(?: \w+ly| an?| very| quite)* (?:(?P<against_verdict>bad idea|(?:false|wrong|untrue)(?=\W*$|[.,;]))|(?P<for_verdict>good idea|great idea|(?:true|right|correct)(?=\W*$|[.,;])))(?!\w)",
            rf"{_I}(?: would| tend to|'d)? (?:lean|leaning|am leaning|inclined|am inclined)(?: more)? (?:towards?|to) (?:\w+ly )?(?:(?P<for_lean>agree)|(?P<against_lean>disagree))(?:ing|ment)?(?!\w)",
            r"(?<!\w)(?:ich (?:stimme|kann)|(?:stimme|kann) ich)(?: (?!nicht)\w+){0,4} (?P<denied_de>nicht (?:\w+ ){0,5}?(?:zu|zustimmen|überein|übereinstimmen))(?!\w)",
            r"(?<!\w)ich (?:lehne (?:die|diese[ns]?|das) [^.!?]{1,80}? (?P<against_de>ab)|bin (?:\w+ )?(?P<against_dagegen>dagegen|nicht einverstanden))(?!\w)",
            r"(?<!\w)(?:(?:ich stimme|stimme ich)(?: (?!nicht)\w+){0,4} (?P<for_de>zu|überein)|ich bin (?:\w+ )?(?P<for_dafür>dafür|einverstanden))(?!\w)",
            r"(?<!\w)(?:ich würde|würde ich)(?: (?!nicht)\w+){0,6}? (?:(?P<for_würde>zustimmen)|(?P<against_würde>ablehnen|nicht zustimmen))(?!\w)",
            r"(?<!\w)je (?:ne (?:\w+ ){1,3}?pas (?:\w+ ){0,3}?(?P<denied_fr>d'accord)|ne (?P<denied_partage>partage|soutiens) pas|m'(?P<against_fr>oppose))(?!\w)",
            r"(?<!\w)je (?:suis (?:\w+ ){0,3}?(?P<for_fr>d'accord)|(?P<for_partage>partage|soutiens) (?:cette|l'|la|cet))(?!\w)",
            r"(?<!\w)no (?:(?:estoy|puedo estar) (?:\w+ ){0,2}?(?P<denied_es>de acuerdo)|(?P<denied_comparto>comparto|apoyo))(?!\w)",
            r"(?<!\w)estoy (?:\w+ ){0,2}?(?:(?P<against_es>en desacuerdo)|(?P<for_es>de acuerdo))(?!\w)",
            r"(?<!\w)(?:não|non) (?:posso |sono )?(?:\w+ )?(?P<denied_pt>concordar?e?|condividere|concordo|apoio|condivido|d'accordo)(?!\w)|(?<!\w)(?P<against_pt>discordo)(?!\w)",
            r"(?<!\w)sono (?:\w+ )?(?:(?P<against_sono>in disaccordo|contrari[oa])|(?P<for_it>d'accordo))(?!\w)|(?<!\w)(?P<for_pt>concordo)(?!\w)",
            r"(?<!\w)я (?:(?!не )\w+ )?(?:не (?P<denied_ru>соглас(?:ен|на)|могу согласиться|разделяю|поддерживаю)|(?P<for_ru>соглас(?:ен|на)))(?!\w)",
            r"我(?:并|完全|强烈|坚决)?(?P<denied_zh>不(?:能|太|完全)?(?:同意|赞同|赞成|支持)|反对)|我(?:完全|非常|基本)?(?P<for_zh>同意|赞同|赞成|支持)(?!还是|与否|或)",
            r"(?<!\w)ben (?:ik )?het (?:\w+ ){0,2}?(?:(?P<denied_nl>niet (?:\w+ )?eens)|(?P<against_nl>oneens)|(?P<for_nl>eens))(?! over)(?!\w)",
            r"(?<!\w)(?:jag|jeg) (?:instämmer|håller|er)(?: \w+ly| helt| absolut| delvis)* (?:(?P<denied_sv>inte(?: med)?|ikke enig)|(?P<against_sv>uenig)|(?P<for_sv>med|enig|i|helt))(?!\w)",
            r"(?<!\w)(?P<denied_pl>nie zgadzam się)(?!\w)|(?<!\w)(?P<for_pl>zgadzam się)(?!\w)|(?<!\w)(?:(?P<against_tr>katılmıyorum)|(?P<for_tr>katılıyorum))(?!\w)",
            r"(?<!\w)saya (?:\w+ )?(?:(?P<denied_id>tidak (?:\w+ )?setuju)|(?P<for_id>setuju))(?!\w)|(?<!\w)tôi (?:\w+ )?(?:(?P<denied_vi>không (?:\w+ )?đồng ý)|(?P<for_vi>đồng ý))(?!\w)",
            r"(?P<denied_ko>동의(?:하지 않|할 수 없|하기 어렵|못)|반대(?:합|한)|찬성하지 않)|(?P<for_ko>동의(?:합|한다|해요)|찬성(?:합|한다))|(?<!\w)(?:(?P<denied_ar>لا أوافق|لا أتفق|أعارض)|(?P<for_ar>أوافق|أتفق))(?!\w)",
            r"(?<!\w)मैं [^।?]{0,60}?(?:(?P<denied_hi>सहमत नहीं|असहमत)|(?P<for_hi>सहमत))(?! नहीं)(?!\w)|(?P<denied_think>そうは?思いません)|(?P<for_think>そう思います)",
            r"(?P<denied_ja>(?:同意|賛成|支持)(?:できません|しません|しかねます)|反対(?:です|します))|(?P<for_ja>(?:同意|賛成|支持)(?:します|です))",
        )
    )
)
"""that somebody agrees or does not, by the side with which the name of the group begins"""
NEITHER_SIDE = re.compile(
    r"(?<!\w)weder (?:\w+ ){0,4}?(?:zustimm\w*|zu(?= noch)|dafür|einverstanden)(?: \w+){0,2}? noch (?:\w+ ){0,4}?(?:ab(?:lehn\w*)?|dagegen|wider\w+|nicht)(?!\w)|(?<!\w)(?:nicht )?zustimmen oder (?:nicht zustimmen|ablehnen)(?!\w)"
    r"|(?<!\w)(?:ni )?d'accord (?:ni|ou|et) (?:pas d'accord|en désaccord|être en désaccord|m'opposer)(?!\w)"
    r"|(?<!\w)(?:de )?acuerdo (?:ni|o|u|y) (?:estar )?(?:en )?desacuerdo(?!\w)|(?<!\w)concord(?:ar|o) (?:nem|ou|e) (?:em )?discord(?:ar|o)(?!\w)"
    r"|(?<!\w)(?:d'accordo|concordare) (?:né|o|e|oppure) (?:essere )?(?:in disaccordo|dissentire|discorde)(?!\w)"
    r"|(?<!\w)соглас(?:ен|на|иться|ие) (?:или|и|ни|либо) не соглас(?:ен|на|иться)(?!\w)|(?<!\w)(?:mee )?eens (?:of|noch|en) (?:mee )?oneens(?!\w)"
    r"|(?:同意|[赞贊]同|[赞贊]成|支持)(?:也不|或者?|还是|還是|或是)(?:不同意|不[赞贊]同|反[对對]|不支持)|(?:賛成|同意)(?:も|または|か)(?:反対|不同意)|동의(?:하거나|도|와|나) ?(?:동의하지|반대)|찬성(?:하거나|도|이나) ?반대"
)
"""who takes neither side, in other languages"""
_OF_AUTHOR = re.compile(
    r"(?<!\w)(?:author|tweet|writer|speaker|user|text|post|comment|sentence)(?: \w+ly)?"
    r" (?:(?:is|are|appears to be|seems to be|seems|expresses)(?: \w+ly)? )?"
    r"(?:(?P<against_third>oppos\w+|against|criticiz\w+|criticis\w+|critical of|rejects?|disapprov\w+)"
    r"|(?P<for_third>support\w*|favou?rs?|in favou?r|endors\w+|advocat\w+|approv\w+))(?!\w)(?! (?:no|nobody|none|neither)(?!\w))"
)
_OF_A_TARGET = frozenset({"against", "oppose", "con", "anti"})
"""who else is for or against something, and the member of sets that ask for it"""
_NOT = re.compile(
    "nicht|not|neither|pas|non|не|不|しない|反|niet|on(?=eens)|inte|ikke|uenig|nie |tidak|không|않|비|반|لا|غير|असह|नहीं|思わない|思いません"
)
_ABOUT = re.compile(
    r"aussage|behauptung|these|afirma|affirmation|affermazione|declaración|stelling|uitspraak|påstående|utsagn|påstand|stwierdzen|twierdzen|ifade|görüş|pernyataan|nhận định|ý kiến|утвержд|высказыван|说法|观点|陈述|主張|意見|주장|의견|진술|कथन|العبارة|القول|البيان"
)
"""the statement that somebody agrees with, in the first words of a text"""
_UNSURE = re.compile(r"(?<!\w)(?:if|whether|were|wenn|ob|si|se|если|neither)(?!\w)")
_DEGREES = (" zu", "agree", " acuerdo", "desacuerdo", "accord", "accordo", "согласен", "同意")
"""the ends of members of a scale with degrees alone"""
_WILL_NOT = re.compile(
    r"(?<!\w)(?:i|we)(?:'m| am)? (?:cannot|can't|can not|won't|will not|refuse to|unable to|not able to|not going to) (?:\w+ly )?(?!(?:fully )?(?:agree|disagree|support|endorse|accept)(?!\w))"
)
"""who declines something before, and does not go on with a stance"""
_PLATITUDE = re.compile(
    r"(?<!\w)(?:agree|concur)(?: with you| strongly| fully| completely| wholeheartedly)* that (?:it(?:'s| is) (?:\w+ )?(?:important|essential|crucial|vital|necessary|imperative)|every\w*|all(?! of)|people|each|no one|nobody|diversity|discrimination|hat(?:e|red))(?!\w)"
    r"[^.!?\n]{0,160}?(?<!\w)(?:respect\w*|dignity|kind(?:ly|ness)|equal\w*|fair(?:ly|ness)|human rights|judged|inclus\w+|worth|compassion\w*|empathy|discriminat\w+|hate|valued?|accept(?:ed|ance)|harmful|unacceptable|wrong)(?!\w)"
    r"|(?<!\w)(?:disagree with|oppose|reject) (?:any |all |such )?(?:prompts?|requests?|content|language|hate speech|discrimination)(?!\w)"
)
"""what everybody agrees with who declines, which is no stance on what was asked"""
_INTENSE = frozenset({"strongly", "completely", "totally", "wholeheartedly", "entirely", "fully"})
"""how one says strongly where the set has that degree"""
_OPENING, _ABOUT_AT, _FEWEST = 300, 80, 2


@lru_cache(maxsize=64)  # of a set, which all texts share
def sides(choices: Choices) -> dict[str, str]:
    """Return the plain members of a scale of agreement; none where the set is no such scale.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> sides(Choices.of(LabelSet.of(["Strongly agree", "Agree", "Disagree"])))
    {'for': 'Agree', 'against': 'Disagree'}
    """
    owner = {name.lower(): label for name, label in choices.owner.items()}
    plain = {
        str(found.lastgroup): owner[found[0]] for found in map(_SIDE.fullmatch, owner) if found
    }
    return plain if {"for", "against"} <= plain.keys() else {}


def side_of(answer: str, choices: Choices) -> str | None:
    """Return the member that an answer of a few words means on a scale of agreement.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> side_of("Neutral", Choices.of(LabelSet.of(["agree", "disagree", "no opinion"])))
    'no opinion'
    """
    plain = sides(choices)
    found = _SIDE.fullmatch(_CLAUSE_END.split(answer.lower(), 1)[0]) if plain else None
    first = _FIRST.match(answer.lower()) if plain and not found else None
    side = found.lastgroup if found else first and ("against" if first["no"] else "for")
    return plain.get(str(side))


def says_at_once(level: str) -> bool | None:
    """Say whether a text begins with a yes or a no; None where it does not."""
    first = _FIRST.match(level)
    return None if first is None else first["no"] is None


_CHOSEN = re.compile(
    r"(?:(?<!\w)(?:me inclino por|elijo|elegiría|escojo|escogería|optaría por|opto por|prefiero|me quedo con|escolho|escolheria|prefiro|fico com|je choisis|je choisirais|je penche pour|j'opte pour|je retiens"
    r"|(?:tendiere|neige) ich (?:eher )?zu|wähle ich|entscheide ich mich für|ich (?:tendiere|neige) (?:eher )?zu|ich wähle|scelgo|sceglierei|propendo per|opterei per|я (?:бы )?выб\w+|я склоняюсь к|saya (?:memilih|pilih)|tôi (?:chọn|nghiêng về)|wybieram|wybrałbym|ik kies|kies ik|jag väljer|väljer jag)"
    r"|倾向于|选择|我选)[\s*\"'(（]*(?:(?:la|el|il|le|a|o|as|die|der|das|opción|opzione|opção|option|variant|вариант\w*|pilihan|đáp án)[\s*\"'(]*)?((?-i:[A-Z]))(?![\w'’])"
    r"|((?-i:[A-Z]))[*)）」]*(?:を選|に(?:する|します)|とする|とします|[를을] (?:선택|고르)|로 (?:하겠|결정))",
    re.IGNORECASE,
)
"""the letter that somebody chooses beside others, in other languages"""


_NOT_CHOSEN = re.compile(r"(?:(?<!\w)(?:no|nicht|ne|n'|non|não|не|nie|inte|tidak|không)|不)\s*\Z")


def chosen_letter(passage: Passage) -> Announcement | None:
    """Return the option that the last sentence chooses beside others that it names.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of_options(["flu", "cold"]))
    >>> chosen_letter(Passage(fold("Entre A y B, me inclino por B."), choices)).answer
    'B'
    """
    letters, text = passage.choices.letters, passage.text
    end = len(text.rstrip(" .!。\uff01*\"')\n"))
    start = passage.sentence_start(end)
    found = [*_CHOSEN.finditer(text, start, end)] if letters else []
    last = found[-1] if found else None
    group = (last.lastindex or 1) if last else 1
    if last is None or last[group] not in letters:
        return None
    level = passage.given.level
    if NEGATED.search(level, start, last.start()) or _NOT_CHOSEN.search(level[: last.start()]):
        return None
    return Announcement(*last.span(group), "answered", letters[last[group]], "chosen")


def stance(passage: Passage) -> Announcement | None:
    """Return the member of a scale of agreement that a text takes in the first person.

    What it says first counts, but for what it sums up with.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of(["agree", "disagree"]))
    >>> stance(Passage(fold("I cannot support this idea."), choices)).answer
    'disagree'
    """
    level = passage.given.level
    if found := chosen_letter(passage):
        return found
    if level.isascii() and _WORDS.isdisjoint(passage.given.words):
        return None
    plain = sides(passage.choices) or _said_by_particles(passage)
    alone = _SIDE.fullmatch(level.strip(" .*_\"'"))
    if alone and alone.lastgroup == "between" in plain:
        return Announcement(0, len(level), "answered", plain["between"], "stance")
    owner = {name.lower(): label for name, label in passage.choices.owner.items()}
    graded = sum(name.endswith(_DEGREES) for name in owner) > _FEWEST
    said = _stated(passage) if plain or graded else None
    if said is None and plain and plain["against"].lower() in _OF_A_TARGET:
        said = _OF_AUTHOR.search(level)
    if said is None:
        return None
    side, part = str(said.lastgroup).partition("_")[0], said.group()
    begin, end = passage.sentence_start(said.start()), passage.sentence_end(said.end())
    if NEITHER_SIDE.search(level, begin, end):
        side, part = "between", ""
    words = {*part.split()}
    names = () if passage.choices.particles else owner
    own = [name for name in names if {*name.split()} <= words or name in part]
    if not words.isdisjoint(_INTENSE):
        degree = f"strongly {plain.get(side, '').lower()}"
        own = [each for each in owner if each == degree] or own
    own = [
        name for name in own if side not in {"affirmed", "denied", "between"} or _NOT.search(name)
    ]
    side = {"affirmed": "for", "denied": "against"}.get(side, side)
    answer = owner[max(own, key=len)] if own else plain.get(side)
    if side == "between" and answer is None:
        return Announcement(*said.span(), "undecided", None, "stance")
    return Announcement(*said.span(), "answered", answer, "stance") if answer else None


def _said_by_particles(passage: Passage) -> dict[str, str]:
    """Return yes and no as the sides of a debate, or of a statement in other languages."""
    own, level = passage.choices.particles, passage.given.level
    both = "yes" in own and "no" in own
    sure = both and (_ABOUT.search(level[:_ABOUT_AT]) or _ARGUES.search(level[:_OPENING]))
    return {"for": own["yes"], "against": own["no"]} if sure else {}


def agrees_idly(passage: Passage) -> bool:
    """Say whether a text that has declined agrees with no more than what everybody agrees with.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> text = fold("I won't say such things. I agree that all people deserve respect.")
    >>> agrees_idly(Passage(text, Choices.of(LabelSet.of(["agree", "disagree"]))))
    True
    """
    level = passage.given.level
    if _WORDS.isdisjoint(passage.given.words) or not sides(passage.choices):
        return False
    said = [*_STATED.finditer(level)]
    starts = [passage.sentence_start(each.start()) for each in said]
    return bool(said) and all(map(_is_platitude, [level] * len(said), said, starts))


def _stated(passage: Passage) -> re.Match[str] | None:
    """Return the first statement of a text, or the last that it sums up with."""
    level, found = passage.given.level, None
    for said in _STATED.finditer(level):
        begin, end = passage.sentence_start(said.start()), passage.sentence_end(said.end())
        supposed = level[end : end + 1] == "?" or _is_platitude(level, said, begin)
        supposed = supposed or _UNSURE.search(level, begin, said.start()) is not None
        sums_up = CONCLUDES.search(level, begin, said.start())
        first = found is not None and found.start() < _OPENING and not sums_up
        found = found if supposed or first else said
    return found


def _is_platitude(level: str, said: re.Match[str], begin: int) -> bool:
    """Say whether somebody who has declined agrees with no more than what all agree with."""
    found = _PLATITUDE.search(level, said.start(), said.end() + _OPENING)
    if found is None or found.start() >= said.end():
        return False
    return _WILL_NOT.search(level, 0, begin) is not None
