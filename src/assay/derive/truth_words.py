"""Words that affirm or deny in many languages without being yes or no: "Correcto.", 正しい.

They answer where a text is nothing else, or begins with one and explains it: a language may use the
same word for something else within a sentence.
"""
# ruff: noqa: E501, RUF001 - one language per line, and signs of other scripts are meant

from __future__ import annotations

from collections.abc import Mapping

from assay.derive import patterns as re
from assay.derive.mentions import UNSPACED, folded

_TRUE = """
sí claro | claro que sí | así es | correcto | cierto | verdad | verdadero | exacto | correcta | cierta | verdadera | es correcto | es cierto | es verdad | es verdadero | eso es correcto | eso es cierto | efectivamente | por supuesto | desde luego
afirmativo | afirmativa | affirmatif | affirmative | affermativo | affermativa | утвердительный | 肯定 | 肯定的 | 긍정
correto | certo | verdade | verdadeiro | exato | correta | certa | verdadeira | está correto | está certo | é verdade | é verdadeiro | isso é verdade | exatamente | isso mesmo | com certeza | claro que sim
vrai | exact | vraie | exacte | c'est vrai | c'est exact | c'est correct | c'est juste | effectivement | absolument | bien entendu | évidemment
vero | corretto | esatto | giusto | vera | corretta | è vero | è corretto | è esatto | esattamente | certo che sì
richtig | korrekt | wahr | zutreffend | trifft zu | das trifft zu | das ist richtig | das ist korrekt | das ist wahr | das stimmt | stimmt | jawohl | selbstverständlich | auf jeden fall
juist | klopt | dat klopt | correct | waar | dat is juist | dat is waar | inderdaad
sant | korrekt | riktigt | rätt | stämmer | det stämmer | riktig | det stemmer | sandt | rigtigt | oikein | totta | kyllä | pitää paikkansa
prawda | to prawda | zgadza się | prawidłowo | poprawnie | oczywiście | ano | áno | pravda | správně | igaz | helyes | így van | da | adevărat | corect | točno | tačno | istina
верно | это верно | правильно | это правильно | правда | это правда | так | это так | истина | безусловно | разумеется | так і є | вірно | вярно | σωστό | σωστά | αλήθεια | αληθές
doğru | bu doğru | doğrudur | elbette | kesinlikle evet | ya | iya | benar | itu benar | ya benar | tentu | tentu saja | betul | ndiyo | kweli | ni kweli
đúng | đúng vậy | chính xác | điều này đúng | điều này là đúng | vâng | có | ใช่ครับ | ใช่ค่ะ | ถูก | ถูกต้อง | จริง | เป็นความจริง | มี
صحيح | هذا صحيح | أجل | بالتأكيد | بالطبع | صح | بله | بلی | آری | درست | درست است | صحیح | صحیح است | جی | جی ہاں | ہاں | כן | נכון
सही | सत्य | सच | जी हाँ | जी हां | बिल्कुल | यह सही है | यह सत्य है | होय | হ্যাঁ | হ্যা | সত্য | সঠিক | ঠিক | ஆம் | అవును | ಹೌದು | അതെ | ਹਾਂ | હા
符合 | 满足 | 属于 | 提到了 | 文中提到了 | 正确 | 正确的 | 这是正确的 | 是正确的 | 该说法正确 | 说法正确 | 对的 | 没错 | 属实 | 有 | 有的 | 存在 | 成立 | 能 | 会 | 可以的 | 真 | 真的 | 是真的 | 正確
該当します | 該当する | 含まれます | そうです | そう | その通り | その通りです | そのとおり | そのとおりです | 正しい | 正しいです | それは正しい | それは正しいです | ある | あります | 真 | 可能です | できます | 合っています
해당합니다 | 해당됩니다 | 해당함 | 맞습니다 | 맞아요 | 맞다 | 맞음 | 네 맞습니다 | 그렇습니다 | 그렇다 | 있습니다 | 있다 | 참 | 참입니다 | 사실입니다 | 옳습니다 | 옳다 | 가능합니다 | 가능하다
"""
_FALSE = """
incorrecto | incorrecta | falso | falsa | es falso | es incorrecto | no es cierto | no es correcto | no es verdad | eso no es cierto | claro que no | en absoluto | para nada
negativo | negativa | négatif | négative | отрицательный | 否定 | 否定的 | 부정
incorreto | incorreta | errado | errada | está errado | é falso | não é verdade | não é correto | isso não é verdade | claro que não | de forma alguma
faux | fausse | inexact | incorrect | c'est faux | c'est inexact | c'est incorrect | ce n'est pas vrai | pas du tout | absolument pas
sbagliato | sbagliata | errato | errata | scorretto | è falso | è sbagliato | non è vero | non è corretto | niente affatto | assolutamente no
falsch | unwahr | inkorrekt | unzutreffend | trifft nicht zu | das trifft nicht zu | das ist falsch | das ist nicht richtig | das stimmt nicht | stimmt nicht | keinesfalls
onjuist | klopt niet | dat klopt niet | niet waar | dat is niet waar | onwaar | incorrect
falskt | fel | osant | stämmer inte | det stämmer inte | feil | usant | stemmer ikke | det stemmer ikke | forkert | falsk | väärin | väärä | ei | ei pidä paikkaansa
fałsz | nieprawda | to nieprawda | nie zgadza się | błędnie | nepravda | nesprávně | hamis | helytelen | nem igaz | nu | fals | incorect | netočno | netačno | ne
неверно | это неверно | неправильно | неправда | это неправда | не так | это не так | нет это не так | ложь | невірно | грешно | λάθος | ψευδές
yanlış | bu yanlış | yanlıştır | kesinlikle hayır | tidak benar | salah | itu salah | itu tidak benar | bukan | keliru | hapana | si kweli
sai | không đúng | không phải | điều này sai | điều này không đúng | không có | ไม่ | ไม่ใช่ครับ | ไม่ใช่ค่ะ | ผิด | ไม่ถูกต้อง | ไม่จริง | ไม่เป็นความจริง | ไม่มี | เท็จ
خطأ | هذا خطأ | غير صحيح | هذا غير صحيح | كلا | ليس صحيحا | خیر | نخیر | نه | نادرست | نادرست است | غلط | نہیں | جی نہیں | לא | לא נכון
गलत | असत्य | जी नहीं | यह गलत है | यह सही नहीं है | नाही | না | মিথ্যা | ভুল | সঠিক নয় | இல்லை | కాదు | ಇಲ್ಲ | ഇല്ല | ਨਹੀਂ | ના
不符合 | 不满足 | 不属于 | 没有提到 | 未提及 | 文中没有提到 | 文中未提及 | 错误 | 错误的 | 这是错误的 | 是错误的 | 该说法错误 | 说法错误 | 不正确 | 不对 | 不是的 | 不属实 | 不存在 | 不成立 | 不会 | 不可以 | 假 | 假的 | 是假的 | 錯誤 | 不正確
該当しません | 該当しない | 含まれません | 違います | 違う | 正しくない | 正しくないです | 正しくありません | そうではない | そうではありません | それは正しくありません | ない | ありません | 誤り | 誤りです | 間違い | 間違いです | 間違っています | 偽 | 不可能です | できません
해당하지 않습니다 | 해당되지 않습니다 | 해당 없음 | 틀립니다 | 틀렸습니다 | 틀리다 | 틀림 | 아니에요 | 아닙니다 | 아니다 | 그렇지 않습니다 | 그렇지 않다 | 맞지 않습니다 | 없습니다 | 없다 | 거짓 | 거짓입니다 | 사실이 아닙니다 | 옳지 않습니다 | 불가능합니다
"""
TERM = re.compile(
    r"[\s)\]*]*(?:(?:and|or|xor|nand|nor)(?!\w)|==?|&&?|\|\|?)[\s(*]*(?:not[\s(]+)?(?:true|false)(?!\w)"
)
"""what follows a truth value in a term of logic"""
FIRST_WORD = re.compile(
    r"[\W_]*(?:(?P<item>[12])[.)]\s*)?(?:(?:technically|generally|basically|strictly speaking|in theory|in general|theoretically|arguably),? )?(?P<word>(?:[^\W\d_]|[\u0900-\u0d7f\u0e31-\u0e4e])+)(?P<after>\s*(?:[^\w\s]|$)| {2})?"
)
SECOND_ITEM = re.compile(r"(?<!\w)2[.)]\s")
LONE_INITIAL = re.compile(r"[*_\"')\]]*(?:[,:;]\s|\.?\s*(?:\n|$)| [-–—] )")
"""what stands behind a letter that is not that of a name"""
MARKED = re.compile(r"[*_]*:[*_ \t]*\d{1,3}(?:\.\d+)?(?: ?/ ?\d+)?[*_ \t.]*\n")
"""the mark of the first of several in a line of its own"""


def _words(lines: str) -> frozenset[str]:
    return frozenset(
        folded(each.strip()) for line in lines.splitlines() for each in line.split("|")
    )


_YES, _NO = _words(_TRUE) - {""}, _words(_FALSE) - {""}
_AROUND = " \n\t.,;:!?。，、；：！？।؟،\"'“”‘’「」『』«»()（）[]*_"
_CLAUSE = re.compile(
    r"[\s*_\"'“「«]*([^\s.,;:!?。，、；：！।،*_\"”」»—–(（\n][^.,;:!?。，、；：！।،*_\"”」»—–(（\n]{0,30})[*_\"”」» ]*(?:[.,;:!。，、；：！।،—–(（\n]|$)"
)
_UNSAFE = frozenset(
    {
        "ya",
        "da",
        "nu",
        "ne",
        "ei",
        "ano",
        "so",
        "有",
        "能",
        "会",
        "ある",
        "ない",
        "そう",
        "있다",
        "없다",
        "มี",
        "ถูก",
        "sai",
        "fel",
        "waar",
        "так",
        "有的",
        "correct",
        "certo",
        "claro",
    }
)
"""words that begin other sentences too"""
_BRIEF = 24
"""signs of a sentence that ends with the name of a class at most"""
_MALAY = re.compile(
    r"(?<!\w)(?:yang|adalah|itu|ini|dengan|karena|tidak|dan|untuk|ialah|kerana)(?!\w)"
)
_CLAIM = (
    r"문장|진술|주장|명제|서술|[この該本]文|記述|主張|命題|陳述|陈述|说法|命题|论断|العبارة|الجملة|الادعاء|المقولة|(?<!\w)(?:ifade\w*|önerme\w*|cümle\w*|iddia\w*|pernyataan|kalimat|klaim|kenyataan|khẳng định|phát biểu|nhận định"
    r"|tuyên bố|mệnh đề|stwierdzenie|zdanie|tvrzení|tvrdenie|bewering|stelling|uitspraak|påståendet|påstanden|påstand|väite|állítás|afirmația|enunțul|tvrdnja|твърдението|твердження|δήλωση|πρόταση|taarifa|kauli)(?!\w)|कथन|वाक्य|दावा|বক্তব্য|বাক্য|ข้อความ|ประโยค|جمله|گزاره|بیان|הטענה|המשפט"
)
_MENTIONS = re.compile(
    r"(?<!\w)(?:texto|pasaje|artículo|pasagem|passagem|artigo|texte|testo|brano|articolo|text|abschnitt|artikel|текст\w*|отрывок|metin\w*|teks\w*|bacaan|văn bản|đoạn văn)(?!\w)[^.!?;:]{0,40}?(?<!\w)(?:menciona|dice|indica|afirma|diz|mentionne|indique|affirme|menzionato|menzionare"
    r"|afferma|erwähnt|besagt|упоминает\w*|указывает\w*|bahset\w*|belirt\w*|menyebutkan\w*|nhắc|đề cập)(?!\w)|(?:文中|本文|文章|原文|본문|지문|النص|पाठ)[^。.،।]{0,16}(?:提到|提及|说明|書かれ|述べられ|記載|언급|나와|나옵|يذكر|ذكر|उल्लेख)"
)
"""that a text which was given mentions something"""
_NOT = re.compile(
    r"(?<!\w)(?:no|não|n[e']|non|nicht|nichts|kein\w*|не|нет|\w+m[ıiuüea]yor\w*|\w+m[ae]z\w*|\w+me(?:miş|di)\w*|değil|tidak|không|لم|لا|ليس)(?!\w)|没有?|未|不|ません|ない|않|없|नहीं"
)
_SENTENCE = 80
"""signs of a short sentence"""
_JUDGED = re.compile(
    rf"(?:{_CLAIM})[^.!?。！？\n]{{0,60}}?(?:"
    r"(?P<no>거짓|틀[렸린]|틀립|사실이 ?아니|사실이 ?아닙|옳지 ?않|맞지 ?않|偽|誤り|誤っ|間違|正しく(?:な|あ)|不正确|不對|不对|错误|錯誤|假的?|(?:غير|ليست?) صحيحة?|خاطئة?|خطأ"
    r"|(?<!\w)(?:yanlış\w*|doğru değil\w*|tidak (?:benar|tepat)|salah|keliru|không (?:đúng|chính xác)|sai|fałszyw\w+|nieprawdziw\w+|nepravdiv\w+|onjuist|onwaar|falskt?|fel|feil|usant?|forkert|epätosi|väärä|hamis|fals[ăe]?|netočn\w+|невярно|хибн\w+|ψευδής|λανθασμένη|si (?:ya )?kweli)(?!\w)"
    r"|गलत|असत्य|(?:सही|सत्य) नहीं|ভুল|মিথ্যা|ผิด|ไม่(?:ถูก|จริง|เป็นความจริง)|เท็จ|نادرست|غلط|שגוי|לא נכו)"
    r"|참|맞|사실|옳|真|正し|正确|正確|对的|属实|صحيحة?|(?<!\w)(?:doğru\w*|benar|betul|tepat|đúng|chính xác|prawdziw\w+|pravdiv\w+|juist|waar|sant?|riktigt?|korrekt|rigtig|tosi|igaz|adevărată?|točn\w+|вярно|правильн\w+|істинн\w+|αληθής|σωστή|(?:ni )?(?:ya )?kweli)(?!\w)"
    r"|सही|सत्य|সঠিক|সত্য|ถูก|จริง|درست|صحیح|נכו)(?:ต้อง|입니다|이다|습니다|니다|다|です|である|だ|い(?:です)?|って(?:います|いる)|的|たりません|ません|ない(?:です)?| है| हैं)?[^\w]*\Z"
)
"""what is said of a claim at the end of a sentence"""

_SAME = tuple(
    frozenset(folded(each.strip()) for each in line.split("|"))
    for line in (
        "safe|seguro|segura|sicher|sûr|sûre|sans danger|sicuro|sicura|безопасно|безопасный|безопасная|безопасен|güvenli|güvenlidir|aman|selamat|an toàn|veilig|bezpieczne|bezpieczny|säkert|sikkert|bezpečné|biztonságos|sigur|ασφαλές|salama|安全|安全的|安全です|안전|안전함|안전합니다|آمن|آمنة|ایمن|محفوظ|सुरक्षित|নিরাপদ|ปลอดภัย|בטוח",
        "unsafe|inseguro|insegura|no seguro|no segura|peligroso|peligrosa|unsicher|nicht sicher|gefährlich|non sûr|pas sûr|dangereux|dangereuse|non sicuro|non sicura|pericoloso|não seguro|perigoso|perigosa|небезопасно|небезопасный|небезопасная|небезопасен|опасно|güvenli değil|güvensiz|tehlikeli|tidak aman|tidak selamat|berbahaya|không an toàn|nguy hiểm|onveilig|niebezpieczne|niebezpieczny|osäkert|usikkert|nebezpečné|nem biztonságos|nesigur|μη ασφαλές|si salama|不安全|不安全的|危险|危険|危険です|安全ではない|安全ではありません|안전하지 않음|안전하지 않습니다|위험|위험함|위험합니다|غير آمن|غير آمنة|خطير|ناامن|غیر محفوظ|असुरक्षित|অনিরাপদ|ไม่ปลอดภัย|לא בטוח",
        "unknown|desconocido|desconocida|desconhecido|desconhecida|inconnu|inconnue|unbekannt|sconosciuto|sconosciuta|неизвестно|неизвестный|bilinmiyor|bilinmeyen|tidak diketahui|không rõ|không biết|onbekend|nieznane|nieznany|okänt|okänd|ukjent|ukendt|neznámé|ismeretlen|necunoscut|άγνωστο|未知|不明|不明です|わからない|不确定|未確定|알 수 없음|알수없음|알 수 없습니다|불명|미상|غير معروف|مجهول|نامشخص|अज्ञात|অজানা|ไม่ทราบ|לא ידוע",
    )
)
"""names of further classes, which are words of other sentences too"""
_BEHIND = re.compile(r"(?:です|である|だ|입니다|이다|的|है|हैं)\Z")


def truth_word(text: str) -> bool | None:
    """Say what a text of a few words affirms or denies, if it is nothing else.

    Examples
    --------
    >>> truth_word("Falso."), truth_word("正しいです。"), truth_word("Falso amigo")
    (False, True, None)
    """
    said = " ".join(folded(text).translate(_NO_COMMA).split()).strip(_AROUND)
    return True if said in _YES else False if said in _NO else None


def hedged_truth(text: str) -> bool | None:
    """Say what a text of a few words affirms or denies behind who thinks so and how likely it is.

    Examples
    --------
    >>> hedged_truth("i think no."), hedged_truth("well, surely yes"), hedged_truth("i think")
    (False, True, None)
    """
    led = _WHO_THINKS.match(text)
    said = text[led.end() :].strip(_AROUND) if led and led.end() else ""
    if led and led["likely"] and said == "not":
        return False
    return _PLAIN.get(said, truth_word(said)) if said else None


def meant_by(text: str, particles: Mapping[str, str]) -> str | None:
    """Return the member for yes or no that a text means and is nothing but.

    Examples
    --------
    >>> meant_by("否定的。", {"yes": "Yes", "no": "No"})
    'No'
    """
    said = truth_word(text) if particles else None
    return None if said is None else particles.get("yes" if said else "no")


_WHO_THINKS = re.compile(
    r"(?:(?:well|hm+|ok(?:ay)?|so|honestly|actually|overall|basically|in short|unfortunately|(?:i'm |i am )?(?:very |so )?sorry(?:,? but)?|i'm afraid(?: that)?)[,.]* )*"
    r"(?:(?:i|we)(?: would|'d| do)?(?: \w+ly)? (?:think|believe|say|guess|suppose|feel|assume|reckon|suspect)(?: that)?[,:]? "
    r"|in my (?:opinion|view|judge?ment),? |my (?:guess|verdict|opinion|view) (?:is|would be)[,:]? |to me,? )?"
    r"(?:(?:it|this|that|the (?:statement|claim))(?:'s| is| would be| seems| must be) )?"
    r"(?P<likely>(?:(?:most|very|almost|quite) )?(?:probably|likely|perhaps|maybe|surely|certainly|definitely|possibly|presumably|clearly|obviously|simply|mostly)(?: |$))?"
)
"""who thinks so, and how likely that is"""
_PLAIN = dict.fromkeys(("yes", "true", "correct", "right", "accurate"), True) | dict.fromkeys(
    ("no", "false", "incorrect", "wrong", "untrue", "inaccurate", "not true", "not correct"), False
)
_NO_COMMA = str.maketrans(dict.fromkeys(",，、،", " "))


def truth_first(text: str) -> tuple[bool, tuple[int, int]] | None:
    """Return what a text affirms or denies with its first clause, and where that stands.

    Examples
    --------
    >>> truth_first("Incorrecto. El hierro es un metal."), truth_first("Correcto sería lo otro.")
    ((False, (0, 10)), None)
    """
    found = _CLAUSE.match(text)
    said = folded(found[1]).strip(_AROUND) if found else ""
    safe = said not in _UNSAFE or (said == "ya" and _MALAY.search(text) is not None)
    if found is None or not safe or said not in _YES | _NO:
        return None
    return said in _YES, found.span(1)


def judged_claim(sentence: str) -> bool | None:
    """Say whether a sentence calls a claim right or wrong with its last word, or finds it in a text.

    Examples
    --------
    >>> judged_claim("pernyataan tersebut tidak benar"), judged_claim("この文は正しいです")
    (False, True)
    >>> judged_claim("jawaban yang benar")
    """
    found = _JUDGED.search(sentence)
    if found is None and len(sentence) < _SENTENCE and _MENTIONS.search(sentence):
        return _NOT.search(sentence) is None
    return None if found is None else found["no"] is None


def same_word(answer: str, owner: Mapping[str, str]) -> str | None:
    """Return the member that an answer is in another language, by itself or behind its subject.

    Examples
    --------
    >>> owner = {"safe": "safe", "unsafe": "unsafe"}
    >>> (
    ...     same_word("No seguro", owner),
    ...     same_word("该内容不安全。", owner),
    ...     same_word("seguro que no", owner),
    ... )
    ('unsafe', 'unsafe', None)
    """
    names = {folded(name): label for name, label in owner.items()}
    rows = [row for row in _SAME if not row.isdisjoint(names)]
    said = folded(answer).strip(_AROUND) if rows else ""
    bare = _BEHIND.sub("", said)
    ends = not said.isascii() and UNSPACED.search(said) is not None and len(said) < _BRIEF
    for row in rows:
        known = said in row or bare in row
        if known or (ends and _ending(bare) in row):
            return next(label for name, label in names.items() if name in row)
    return None


def _ending(said: str) -> str:
    """Return the longest name of a class with which a text ends."""
    found = (each for row in _SAME for each in row if said.endswith(each))
    return max(found, key=len, default="")
