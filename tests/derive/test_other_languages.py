"""What texts of many languages say: numbers, words that affirm or deny, letters without spaces."""
# ruff: noqa: E501, RUF001 - texts of models as they are, and signs of other scripts are meant

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from assay.derive.written_numbers import in_figures
from tests.reasoning_texts import rules

CASKS = ["12000", "4500", "16500", "7500"]
FEW = ["12", "14", "21", "35"]
TOLL = {"A": "250,000", "B": "1,500,000", "C": "75,000", "D": "2,500"}
YES_NO, TRUE_FALSE = ["yes", "no"], ["True", "False"]
MOODS = ["positive", "negative", "neutral"]
FOLLOWS = ["entailment", "neutral", "contradiction"]
SAFE, KNOWN = ["safe", "unsafe"], ["True", "False", "Unknown"]
LIDS = {"A": "oak", "B": "tin", "C": "wax", "D": "felt"}
EGGS = ["18", "9", "26", "32"]


def announced(text: str, labels: list[str] | dict[str, str]):
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    return read_announced(text, Choices.of(members), rules())


def read(text: str, labels: list[str] | dict[str, str] = LIDS):
    found = announced(text, labels)
    return found.answer if found.state == "answered" else found.state


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (
            CASKS,
            "Im Keller liegen 12.000 Fässer, davon sind 4.500 leer.\n\n**Der Händler verkauft 7.500 Fässer.**",
            "7500",
        ),
        (
            CASKS,
            "Había 12 000 barriles.\n\nPor lo tanto, el comerciante vendió 7 500 barriles.",
            "7500",
        ),
        (
            CASKS,
            "12\u202f000 − 4\u202f500 = 7\u202f500. Donc, il reste 7\u202f500 tonneaux.",
            "7500",
        ),
        (CASKS, "Das macht 16'500 Franken. Antwort: 16'500 Franken", "16500"),
        (CASKS, "樽は1万2千個あり、4500個が空です。したがって、答えは1万2000個です。", "12000"),
        (CASKS, "所以，商人一共卖出1.2万桶酒。", "12000"),
        (CASKS, "따라서 상인은 통을 1만 2천 개 팔았습니다.", "12000"),
        (CASKS, "Portanto, o comerciante vendeu 12 mil barris.", "12000"),
        (CASKS, "Also verkauft er am Ende 12 tausend Fässer.", "12000"),
        (CASKS, "Jadi, pedagang itu menjual 12 ribu tong.", "12000"),
        (CASKS, "সুতরাং, ব্যবসায়ী ৭,৫০০ পিপা বিক্রি করেছেন।", "7500"),
        (CASKS, "সুতরাং, ব্যবসায়ী $7,500 লাভ করেছেন।", "7500"),
        (FEW, "সুতরাং, মোট পিপা ৩৫টি।", "35"),
        (FEW, "इसलिए, व्यापारी ने कुल २१ पीपे बेचे।", "21"),
        (FEW, "الإجابة: ٣٥", "35"),
        (CASKS, "لذلك باع التاجر ٧٬٥٠٠ برميل. الإجابة: ٧٬٥٠٠", "7500"),
        (FEW, "คำตอบ: ๒๑", "21"),
        (FEW, "答案：２１", "21"),
        (TOLL, "La tasa asciende a 75.000 pesos.", "C"),
        (TOLL, "Le péage rapporte 1 500 000 francs.", "B"),
        (TOLL, "The toll brings in 1.5 million a year.", "B"),
        (TOLL, "The toll brings in 15,00,000 rupees, the answer is 15,00,000.", "B"),
        (TOLL, "Die Maut bringt 250.000 Euro ein.", "A"),
    ],
)
def test_a_number_in_another_form_is_the_member(labels, text, answer):
    found = announced(text, labels)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (["1.5", "1500"], "Antwort: 1.500", "1500"),
        (["2", "3"], "The answer is 2.000", "2"),
        (["2.0", "3.5"], "So the mean is 2.000.", "2.0"),
        (["7", "9"], "Seven million casks are too many. The answer is 7 million.", "7"),
        (["100", "300"], "He runs 3 100 metre laps, so 300 metres.", "300"),
        (["20", "120"], "The hall has 20 rows. Answer: 120", "120"),
        (["1200", "200"], "Answer: 200", "200"),
        (["5", "5000"], "So they need 5 thousand casks? No, the answer is 5.", "5"),
        (["৩", "৫"], "উত্তর: ৫", "৫"),
    ],
)
def test_decimals_parts_and_counts_stay_what_they_are(labels, text, answer):
    found = announced(text, labels)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    "text",
    [
        "On day 3 500 casks came",
        "in 2020 150 casks",
        "1 20 300",
        "version 1.2.3",
        "7 500 000 and 80 7 500",
        "3.500 seconds",
    ],
)
def test_figures_that_only_stand_beside_each_other_stay(text):
    choices = Choices.of(LabelSet.of(["3", "12", "20"]))
    assert in_figures(text, choices).text in {text, text.replace("7 500 000", "7500000")}


def test_what_is_outside_is_given_as_the_text_writes_it():
    found = announced("Donc, le total est : 65 000 €", CASKS)
    assert (found.state, found.answer) == ("outside", "65 000")


def test_places_are_counted_in_the_text_as_it_is_written():
    text = "Il y a 12 000 tonneaux.\n\nRéponse : 7 500"
    found = announced(text, CASKS)
    assert found.span
    assert text[slice(*found.span)] == "7 500"


def test_a_set_without_numbers_leaves_all_as_it_is():
    choices = Choices.of(LabelSet.of(["oak", "tin"]))
    assert in_figures("12 000 tin", choices).text == "12 000 tin"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Es correcto.",
            "Verdadero",
            "Claro que sí.",
            "Así es.",
            "Korrekt",
            "Das stimmt.",
            "Vrai.",
        ),
        *(
            "C'est exact.",
            "Corretto.",
            "Vero",
            "Verdade.",
            "Верно.",
            "Правда",
            "Prawda",
            "Ano.",
            "Da.",
        ),
        *(
            "صحيح",
            "بله",
            "جی ہاں",
            "כן",
            "Doğru",
            "Đúng.",
            "Benar",
            "Iya",
            "सही",
            "হ্যাঁ",
            "ஆம்",
            "Ndiyo",
        ),
        *("正确", "有", "对的", "そうです。", "正しい", "맞습니다.", "그렇습니다", "있습니다"),
        "Correcto. Un barril de roble pesa más.",
        "Richtig! Eichenfässer sind schwerer.",
        "Верно, дубовая бочка тяжелее.",
        "正确。橡木桶更重。",
        "맞습니다. 참나무통이 더 무겁습니다.",
        "Đúng. Thùng gỗ sồi nặng hơn.",
        "Ya, tong itu terbuat dari kayu.",
        "따라서 답은 예입니다.",
    ],
)
def test_a_word_that_affirms_is_yes(text):
    assert read(text, YES_NO) == "yes"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Incorrecto",
            "Falso.",
            "Stimmt nicht.",
            "Falsch.",
            "Faux",
            "Sbagliato.",
            "Errado.",
            "Неверно.",
        ),
        *(
            "Fałsz",
            "خطأ",
            "خیر",
            "نہیں",
            "לא",
            "Yanlış.",
            "Sai.",
            "Salah",
            "गलत",
            "না",
            "ไม่",
            "Hapana",
            "Nu.",
        ),
        *(
            "错误",
            "不对",
            "違います",
            "正しくない",
            "そうではありません。",
            "틀립니다",
            "그렇지 않습니다",
        ),
        "Falso. El barril es de estaño.",
        "Faux, car le tonneau est en chêne.",
        "错误，桶是橡木的。",
        "틀렸습니다. 통은 참나무로 만듭니다.",
        "したがって、いいえ。",
    ],
)
def test_a_word_that_denies_is_no(text):
    assert read(text, YES_NO) == "no"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("正确答案是否。", "no"),
        ("Da der Beleg fehlt, lautet die Antwort: Nein.", "no"),
        ("Ya que no hay datos, la respuesta es no.", "no"),
        ("Verdad es que hay dudas, pero la respuesta es no.", "no"),
        ("Certo, vediamo. La risposta è no.", "no"),
        ("Claro, aquí está la respuesta: No", "no"),
        ("Sai số nhỏ, vì vậy câu trả lời là Có.", "yes"),
        ("そうですね、考えてみましょう。答えはいいえです。", "no"),
        ("ある研究では効果がなかった。答えは「いいえ」。", "no"),
        ("Correct, laten we kijken. Het antwoord is nee.", "no"),
        ("Falso amigo", "outside"),
    ],
)
def test_a_word_that_only_begins_a_sentence_is_none(text, answer):
    assert read(text, YES_NO) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("그 문장은 거짓입니다.", "False"),
        ("이 주장은 사실이 아닙니다.", "False"),
        ("この文は偽です。", "False"),
        ("この主張は正しくありません。", "False"),
        ("这个说法是正确的。", "True"),
        ("هذه العبارة غير صحيحة.", "False"),
        ("Bu ifade doğru değildir.", "False"),
        ("Bu ifade doğrudur.", "True"),
        ("Phát biểu này là sai.", "False"),
        ("Pernyataan itu tidak benar.", "False"),
        ("यह कथन सही नहीं है।", "False"),
        ("ข้อความนี้ไม่ถูกต้อง", "False"),
        ("To stwierdzenie jest prawdziwe.", "True"),
        ("De bewering is juist.", "True"),
    ],
)
def test_what_is_said_of_a_claim_at_the_end_of_a_sentence_counts(text, answer):
    assert read(text, TRUE_FALSE) == answer


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (MOODS, "积极", "positive"),
        (MOODS, "このレビューはネガティブな感情を表しています。", "negative"),
        (MOODS, "Le sentiment exprimé est négatif.", "negative"),
        (MOODS, "Тональность текста отрицательная.", "negative"),
        (MOODS, "Sentimen teks ini adalah negatif.", "negative"),
        (MOODS, "Este texto no es positivo ni negativo, es neutral.", "neutral"),
        (MOODS, "Der Text ist weder positiv noch negativ, sondern neutral.", "neutral"),
        (MOODS, "既不是积极也不是消极，而是中性。", "neutral"),
        (MOODS, "肯定的でも否定的でもなく、中立です。", "neutral"),
        (FOLLOWS, "Die Hypothese steht im Widerspruch zur Prämisse.", "contradiction"),
        (FOLLOWS, "前提与假设并不矛盾，但也不能推出，因此是中立。", "neutral"),
        (FOLLOWS, "두 문장은 모순되지 않지만 함의 관계도 아니다. 따라서 중립이다.", "neutral"),
        (
            FOLLOWS,
            "Les deux phrases ne sont pas en contradiction. La relation est neutre.",
            "neutral",
        ),
        (["positive", "积极"], "积极", "积极"),
    ],
)
def test_the_classes_of_common_tasks_go_by_their_names_in_other_languages(labels, text, answer):
    assert read(text, labels) == answer


@pytest.mark.parametrize(
    "text",
    [
        *(
            "정답은 A, B입니다.",
            "정답은 A와 B입니다.",
            "정답은 A 또는 C입니다.",
            "정답이 B 또는 C일 수 있습니다.",
        ),
        *("正解はAとBです。", "正解はAまたはCです。", "答えはAかBのどちらかです。"),
        *("正确答案是A和B。", "答案可能是A或C。", "【答案】A、B、C"),
    ],
)
def test_letters_side_by_side_are_undecided(text):
    assert read(text) == "undecided"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("정답은 A입니다. B는 아닙니다.", "A"),
        ("정답은 B이며, C는 틀린 설명입니다.", "B"),
        ("정답은 C가 아니라 D입니다.", "D"),
        ("A와 D는 틀렸고, 따라서 C가 옳다.", "C"),
        ("A: 틀림\nB: 맞음\nC: 틀림\nD: 틀림", "B"),
        ("A) falso\nB) falso\nC) verdadero\nD) falso", "C"),
        ("A. Salah\nB. Benar\nC. Salah\nD. Salah", "B"),
        ("正解はAで、Bではない。", "A"),
        ("正解はAではなくBです。", "B"),
        ("BとCで迷うが、最終的にBとする。", "B"),
        ("消去法により、Dが残る。", "D"),
        ("答案不是A，而是B。", "B"),
        ("排除A、C、D，所以B正确。", "B"),
        ("A、C、D均正确，B错误，故本题答案为B。", "B"),
        ("A 뚜껑은 아니고, 정답은 B입니다.", "B"),
        ("I think A lid is needed. 正解はDです。", "D"),
    ],
)
def test_one_letter_is_told_from_those_that_are_denied(text, answer):
    assert read(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("9 * 2 = 18. Sie verdient 18 Dollar.", "18"),
        ("তিনি ৯টি ডিম বিক্রি করেন। ৯ × ২ = ১৮। সুতরাং তিনি ১৮ ডলার পান।", "18"),
        ("उसके पास 9 अंडे बचे। 9 × 2 = 18। इसलिए वह 18 डॉलर कमाती है।", "18"),
        ("เธอมีไข่ 9 ฟอง ดังนั้นเธอได้ 18 ดอลลาร์", "18"),
        ("Kalan 9 yumurta. Dolayısıyla 18 dolar kazanır.", "18"),
        ("Dari 9 telur, jadi dia mendapat 18 dolar.", "18"),
    ],
)
def test_a_number_that_is_computed_with_is_no_result(text, answer):
    assert read(text, EGGS) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Answer: She sells 9 eggs and makes 9 * 2 = 18 dollars.", "18"),
        ("Réponse : Elle vend 9 œufs et gagne 9 x 2 = 18 dollars.", "18"),
        ("Final answer: 9 eggs × $2 = $18 per day.", "18"),
        ("9 × 2 = 18. So she makes 18 dollars with 9 eggs.", "18"),
        ("9 × 2 = 18\n\n**Antwort:** Sie verdient 18 Dollar mit 9 Eiern.", "18"),
        (
            "Lösung:\n\n* **Eier:** 9 + 9 Eier = 18 Eier, aus 26 - 8 = 18.\n\n**Es sind 18 Eier.**",
            "18",
        ),
        ("The answer is 9 because 9 + 7 = 16.", "9"),
        ("The answer is 9. Check: 9 + 7 = 16.", "9"),
        ("Answer: 18 (since 9 * 2 = 18)", "18"),
        ("16 - 7 = 9. The answer is 9.", "9"),
    ],
)
def test_the_result_of_a_sum_is_the_answer_and_not_what_it_is_made_of(text, answer):
    assert read(text, EGGS) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("16 - 3 = 13. Donc, elle vend 13 œufs.", "13"),
        ("16 - 3 = 13個です。したがって、13個です。", "13"),
        ("Всего 9 яиц. Таким образом, она получит 27 долларов.", "27"),
        ("9 अंडे बचे। इसलिए वह 27 डॉलर कमाती है।", "27"),
        ("৯টি ডিম বাকি, সুতরাং তিনি ২৭ ডলার পান।", "২৭"),
        ("Còn 9 quả. Vậy cô ấy kiếm được 27 đô la.", "27"),
        ("Kalan 9 yumurta. Dolayısıyla 27 dolar kazanır.", "27"),
        ("剩下9个。所以她赚了27美元。", "27"),
        ("9개 남습니다. 따라서 27달러를 법니다.", "27"),
    ],
)
def test_a_single_number_that_is_concluded_is_the_answer_though_no_member(text, answer):
    found = announced(text, EGGS)
    assert (found.state, found.answer) == ("outside", answer)


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        ({"A": "18", "B": "9"}, "9 × 2 = 18, so the correct option is A.", "A"),
        ({"A": "18", "B": "9"}, "So it comes to 27, and (B) matches the 9 found above.", "B"),
        ({"A": "18", "B": "9"}, "9 * 2 = 18. Therefore the answer is B) 9.", "B"),
        (["0", "1", "2", "3"], "Score: 4 + 3 = 7. So I rate it 2.", "2"),
        (EGGS, "2n = 36, hence n = 18. Now we compute 18 + 8 =", "failed"),
        (EGGS, "x = 9 or x = 18 both hold, so the answer is not unique.", "undecided"),
    ],
)
def test_letters_scales_and_sums_that_break_off_stay_what_they_are(labels, text, answer):
    assert read(text, labels) == answer


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (YES_NO, "Bu soruya cevap veremem.", "refused"),
        (YES_NO, "Îmi pare rău, dar nu te pot ajuta cu asta.", "refused"),
        (LIDS, "معذرت، میں اس درخواست میں مدد نہیں کر سکتا۔", "refused"),
        (LIDS, "عذرًا، لا يمكنني المساعدة في هذا الطلب.", "refused"),
        (YES_NO, "मैं इस प्रश्न का उत्तर नहीं दे सकता।", "refused"),
        (YES_NO, "उत्तर नहीं है।", "no"),
        (LIDS, "La letra correcta es la c.", "C"),
        (LIDS, "ข้อ ง ถูกต้อง", "D"),
        (LIDS, "Tidak ada jawaban yang benar.", "none"),
        (LIDS, "Tidak ada keraguan: jawaban yang benar adalah B.", "B"),
    ],
)
def test_refusals_letters_and_none_in_further_languages(labels, text, answer):
    assert read(text, labels) == answer


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (SAFE, "Seguro", "safe"),
        (SAFE, "No seguro", "unsafe"),
        (SAFE, "Nicht sicher", "unsafe"),
        (SAFE, "该内容不安全。", "unsafe"),
        (SAFE, "安全です", "safe"),
        (SAFE, "안전하지 않음", "unsafe"),
        (SAFE, "Tidak aman", "unsafe"),
        (SAFE, "غير آمن", "unsafe"),
        (SAFE, "Güvenli değil", "unsafe"),
        (SAFE, "Das ist sicher ein Irrtum: unsafe", "unsafe"),
        (SAFE, "Seguro que lo es.", "outside"),
        (KNOWN, "Desconocido", "Unknown"),
        (KNOWN, "알 수 없음", "Unknown"),
        (KNOWN, "不明", "Unknown"),
        (["olumlu", "olumsuz"], "Bu yorum olumsuzdur.", "olumsuz"),
        (YES_NO, "根据文章，因此答案是肯定的。", "yes"),
        (YES_NO, "文章中没有提到，所以答案是否定的。", "no"),
        (["是", "否"], "符合标准，因此回答：是", "是"),
        (["是", "否"], "我不能回答这个问题是否合理。", "refused"),
    ],
)
def test_classes_of_safety_and_of_knowledge_go_by_their_names_in_other_languages(
    labels, text, answer
):
    assert read(text, labels) == answer


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (LIDS, "B\n\n질문: 다음 중 무엇입니까?\n정답: C", "B"),
        (LIDS, "C\n\nSoal: Apa ibu kota?\nJawaban: A", "C"),
        (LIDS, "A\n\nSoru: Başkent neresidir?\nCevap: D", "A"),
        (LIDS, "D\n\nप्रश्न: राजधानी क्या है?\nउत्तर: A", "D"),
        (LIDS, "모두 틀렸습니다.", "none"),
        (LIDS, "Ничего из перечисленного.", "none"),
        (LIDS, "Hiçbiri.", "none"),
        (LIDS, "ไม่มีข้อใดถูก", "none"),
        (LIDS, "모두 좋지만 정답은 B입니다.", "B"),
        (LIDS, "다른 것은 모두 틀렸고 C가 맞다.", "C"),
        (LIDS, "Lütfen seçenekleri belirtin.", "failed"),
        (LIDS, "Mohon berikan pilihan jawabannya.", "failed"),
        (LIDS, "問題文が途中で切れているようです。", "failed"),
        (LIDS, "Pour répondre à cette question, il faut d'abord", "failed"),
        (LIDS, "Um diese Frage zu beantworten, müssen wir", "failed"),
        (YES_NO, "El texto no lo menciona.", "no"),
        (YES_NO, "Le texte le mentionne clairement.", "yes"),
        (YES_NO, "本文には書かれていません。", "no"),
        (YES_NO, "不符合。", "no"),
        (YES_NO, "해당합니다.", "yes"),
        (YES_NO, "Der Text ist lang.", "outside"),
    ],
)
def test_further_turns_none_questions_back_and_findings_in_other_languages(labels, text, answer):
    assert read(text, labels) == answer
