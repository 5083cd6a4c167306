"""Manners of real outputs that invented texts had lacked, one case each, in words of our own."""
# ruff: noqa: E501, RUF001 - texts of models as they are

from __future__ import annotations

import pytest

from assay.derive.announced import read_announced
from assay.derive.choices import Choices
from assay.derive.labels import LabelSet
from tests.reasoning_texts import psychiatry, rules

YES_NO, TRUE_FALSE = ["Yes", "No"], ["True", "False"]
COLOURS = {"A": "red.", "B": "dark blue.", "C": "green.", "D": "grey."}
NUMBERS = {"A": "12", "B": "15", "C": "18 km/h", "D": "21"}
FORMULAS = {"A": r"$\frac{1}{2}\pi$", "B": r"432 $\mathrm{~K}$", "C": r"$2\pi$"}
DATES = {
    "A": "05/25/1943",
    "B": "06/02/1943",
    "C": "13/02/1943",
    "D": "07/11/1943",
    "E": "6/3/1943",
}
TRUTHS = {"A": "True, True", "B": "False, False", "C": "True, False", "D": "False, True"}
SAMPLES = {"A": "Simple draw", "B": "Cluster draw", "C": "Layered draw"}
ROMAN = {"A": "I only", "B": "II only", "C": "I and II"}
SEALS = {
    "A": "Put on a thick wax seal",
    "B": "Non-return brass valve",
    "C": "A tin seal",
    "D": "No seal",
}
SHARES = {"A": "20%", "B": "44%", "C": "48%"}
FACTORS = ["Old oak", "Wet cellar", "Thin hoops"]
LEAKS = ["Leaking roof", "Burst pipe", "Condensation"]
CARE = ["Emergency", "Doctor visit", "Home care"]
SHOPS = ["Workshop", "Hotline", "Do it yourself"]
ROOTS = {"A": "Root rot", "B": "Frost", "C": "Drought"}
IONS = {"A": "Na+ efflux", "B": "K+ efflux", "C": "K+ influx"}


def read(text: str, labels: list[str] | dict[str, str]):
    members = LabelSet.of_options(labels) if isinstance(labels, dict) else LabelSet.of(labels)
    return read_announced(text, Choices.of(members), rules())


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (YES_NO, "Casks are round. \nTherefore, the answer (Yes or No) is No.", "No"),
        (YES_NO, "Ledgers are old. \nTherefore, the answer (Yes or No) is:\n\nYes, they are.", "Yes"),
        (YES_NO, "First, what is a cask? A barrel. Does it need a lid? No, a cask needs no lid.", "No"),
        (YES_NO, "The hoops are iron, the staves oak.\n\nNo, hoops and staves are not the same.", "No"),
        (YES_NO, "3. It was dry.\n\nBased on this information, it is unlikely that it leaked.", "No"),
        (TRUE_FALSE, "Each sum lies in the set, so it is closed.\nThe answer is Yes.", "True"),
        (COLOURS, "It is not red. The cask is dark blue because the paint was mixed so.", "B"),
        (COLOURS, "This leaves A) red and B) blue. So we can conclude that green is more likely.", "C"),
        (NUMBERS, "Half of the way took an hour.\n\n36 km / 2 h = 18 km/hr", "C"),
        (NUMBERS, "There are twelve casks, fewer than 15.", "A"),
        (NUMBERS, "The answer is 15 casks in all.", "B"),
        (["2/3", "3/4"], "Final answer: approximately 0.667", "2/3"),
        (COLOURS, "Option A: red – too loud.\nOption B: dark blue – as the label asks. This fits best.\nOption C: green – for beer.\nOption D: grey – a dull one.", "B"),
        (COLOURS, "Option A: red – too loud.\nOption B: dark blue – sober. This makes the most sense.\nOption C: green – makes no sense.\nOption D: grey – dull.", "B"),
        (["wahr", "falsch"], "Fässer können nicht fliegen. Ergebnis: falsch", "falsch"),
        (["vrai", "faux"], "Les tonneaux ne volent pas. Résultat : faux", "faux"),
        (NUMBERS, "The result is not among the premises, so we count again: 3 x 5 = 15.", "B"),
        (COLOURS, "c (the third one)", "C"),
        (COLOURS, "A) red\nB) dark blue\nC) green\nD) grey\n\nAnswer: C", "C"),
        (COLOURS, "(A) red ✅\n(B) dark blue ❌\n(C) green ❌\n(D) grey ❌", "A"),
        (YES_NO, "Casks leak and ledgers do not. Yes is the answer.", "Yes"),
        (NUMBERS, "**Answer: 15**\n\nNote: if it rained, the result would be 12.", "B"),
        (COLOURS, "Desse modo, a alternativa B. é a CORRETA. A alternativa A. não é correta.", "B"),
        (COLOURS, "A项错误，B项正确，C项错误，D项错误。", "B"),
        (COLOURS, "Правильный ответ: А.", "A"),
        (COLOURS, "It's not A. It can't be C, and we rule out D as well.", "B"),
        (COLOURS, "Below is an instruction that describes a task.\n\n### Input:\nA or B?\n\n### Response:\nD", "D"),
        (["plausible", "implausible"], "So the sentence is not plausible, and the answer is no.", "implausible"),
        (COLOURS, "The diagnosis is C. difficile. The colour of choice is dark blue.", "B"),
        (YES_NO, "Based on the records, the cask does leak. The lid was lost later on in the year.", "Yes"),
        (COLOURS, "It's not E. It's not A. It can't be C, and we rule out D as well.", "B"),
        (COLOURS, "As the first cask (option A) shows, paint lasts; the last one is the one (option D).", "D"),
        (NUMBERS, "12 casks, less than 15.\n\nSo there are **12** casks in 15 rows.\n\nI hope this helps!", "A"),
        (COLOURS, "The cask is old. So the option that is not used for oak is C.", "C"),
        (COLOURS, "The option that lasts is B. The answer that comes to mind first is what people say.", "B"),
        (COLOURS, "Answer: B. dark blue.\n\nThe answer is correct, as both red and green fade.", "B"),
        (COLOURS, "#### Option A\nIt fades, so it is wrong.\n\n#### Option B\nDark blue lasts and fits best.\n\n#### Option C\nGreen is wrong.", "B"),
        (COLOURS, '(B): "dark blue". It lasts, so (B) fits.\n\n(C): "green". It fades, so (C) does not fit.', "B"),
        (COLOURS, "选项A是错误的，因为集合A和集合B不同。所以，选项B是正确的。选项C和D都是错误的。", "B"),
        (FORMULAS, "Casks are cut in half. Therefore $C$ has the area $\\frac{1}{2} \\pi$.", "A"),
        (FORMULAS, "The rest follows.\n\n\\[ T \\approx 432 \\, \\text{K} \\]", "B"),
        (FORMULAS, "None of the values agrees. The closest option to our calculated value is: \\text{Option C}", "C"),
        (IONS, "The wall opens. Then it is shut again, by an efflux of K+ ions out of the cask into the cellar.", "B"),
        (IONS, "The ledger has many pages on this and they all agree in the end. Therefore, the Na+ efflux does not follow the rule.", "A"),
        (YES_NO, "Can you sell a cask? No. Can you sell oak? Yes.\n\nTherefore, you cannot sell the cellar.", "No"),
        (YES_NO, "Oak is dear and casks are made of it. So, it's reasonable to say that casks might be dear.", "Yes"),
        (YES_NO, "There is much to weigh. So, to answer your question, no, you need no cask.", "No"),
        (["positive", "negative"], "This review is clearly positive. The guest praises the casks and the", "positive"),
        (["True", "False"], "So, it is possible that the casks could be sound.", "True"),
        (COLOURS, "The cask is grey.\n\nOf the colours, the only one that is not the correct answer is red.", "D"),
        (COLOURS, "#### a) red\nFades. ✗\n\n#### b) dark blue\nLasts for years. ✓\n\n#### c) green\nFades. ✗", "B"),
        (NUMBERS, "One man makes 3 in a day. After 7 days he has made twenty-one of them. Two of them leak.", "D"),
        (TRUE_FALSE, "Is oak a soft wood? No, it is not. Oak is hard and heavy.", "False"),
        (YES_NO, "He was in town and had the key. However, the ledger was gone before, so it is impossible that he took it.", "No"),
        (YES_NO, "The groups did not differ in how many casks leaked. These results do not support the new seal.", "No"),
        (COLOURS, "I was tempted by red because of the lid, but the lid is newer. A blue that is dark explains all of the marks.", "B"),
        (COLOURS, "So the most likely colour if you ask a cooper is a dark blue.", "B"),
        (COLOURS, "There are two reasons: (a) it is cheap and (b) it lasts. So green.", "C"),
        (COLOURS, "In case (b) above, the clerk would choose red. The right one is grey.", "D"),
        (COLOURS, "I think it's d, since the others fade.", "D"),
        (TRUTHS, "Statement 1 | This is true, since oak floats.\n\nStatement 2 | This one is not valid.\n\nSo it ends.", "C"),
        (TRUTHS, "Both statements are false: neither oak nor ash sinks.", "B"),
        (ROMAN, "Statement I holds. Statement II is false. Therefore only statement I is correct.", "A"),
        ({"A": "Red", "B": "Grey", "C": "All of the above"}, "Red and grey are both used for casks, so every one of these options applies.", "C"),
        (["Major Depressive Disorder", "Panic Disorder"], "There is some panic too. Putting it together, I'd go with major depression here.", "Major Depressive Disorder"),
        (["The cooper", "The clerk"], "The cooper was calm and the clerk was not. So the clerk was the one who was not at ease.", "The clerk"),
        (["The cooper", "The clerk", "Unknown"], "The text given does not allow us to determine who of them was not at ease.", "Unknown"),
        (["yes", "no", "maybe"], "The trial was small and short. Although few casks were tried, the findings suggest that oak does last longer.", "yes"),
        (COLOURS, "a) fades in the sun\nb) lasts for years\n\nSo the best is b).", "B"),
        (COLOURS, "(a) is wrong. (b) is correct. (c) is wrong.", "B"),
        (COLOURS, "Il faut peser ceci. Par conséquent, la bonne couleur est l'option c).", "C"),
        (COLOURS, "There are (a) old and (b) new casks. Option C fits best.", "C"),
        (COLOURS, "Option a) red ist falsch. Option c) green ist falsch.\nOption b) dark blue passt.\nOption d) grey ist falsch.", "B"),
        (COLOURS, "لنفكر في الألوان. \n\nالإجابة الصحيحة هي: B", "B"),
        (COLOURS, "यह रंग टिकता है।\n\nसही उत्तर: B", "B"),
        ({"A": "肺炎链球菌", "B": "支原体"}, "A. 肺炎链球菌多见。\nB. 支原体少见。\n\n因此，最可能的病原体是肺炎链球菌。", "A"),
        (DATES, "It was put off by a day. One week ago would be June 2nd, 1943.", "B"),
        (DATES, "The cask was filled on 6/1/1943. Therefore, the day after was 6/2/1943.", "B"),
        (YES_NO, "Oak was dear and ash was not. It is unlikely that the cooper took oak, as he was poor.", "No"),
        (COLOURS, "This is most likely red. It could also be green or grey. All of these are less likely than the first.", "A"),
        (SEALS, "**Next step: Put on a wax seal (a thick one).**\n\n**Reasoning:** The lid leaks.", "A"),
        (SEALS, "**First measure:** Wax seal\n\n**Rationale:** The lid leaks, and so will tin and lead.", "A"),
        (SEALS, "Answer: Obtain a non-return BV (at once)", "B"),
        (["hate speech", "normal"], "hatespeech (Note: the cellar of this guild is known for what is written in it about coopers, hate speech and normal talk)", "hate speech"),
        (["hate speech", "normal"], "So it can be classified as normal. But the cooper is rude, and hate speech it may yet become.", "normal"),
        (["rude", "plain"], "The note is labelled as plain. It tells of casks. The words do not provide enough of a reason to support a finding of rude manners.", "plain"),
        (YES_NO, "Reasoning: The cask was sold before.\nANSWER: NO with 90% certainty", "No"),
        (YES_NO, "Answer: No with high confidence", "No"),
        (YES_NO, "NO in all three ledgers, as far as they can be read at all", "No"),
        (COLOURS, "dark blue\n   <human>: And the lid?\n   <bot>: red", "B"),
        (YES_NO, "Oak is hard. Oak is sold by the load. Therefore, oak could certainly be used for the lid.", "Yes"),
        (YES_NO, "Casks leak, and so this one does too. The answer is yes.\n\nWould you like me to go through:\n\n* the staves?\n* the hoops?", "Yes"),
        (["entailment", "not_entailment"], "The premise does not mention the lid, so the hypothesis does not follow from it.", "not_entailment"),
        (["entailment", "not_entailment"], "All casks leak and this is a cask. Hence the hypothesis follows.", "entailment"),
        (["favor", "against", "none"], "The author is clearly opposed to the new tax.", "against"),
        (["favor", "against", "none"], "The tweet supports the guild.", "favor"),
        (["oak", "elm"], "Not oak.", "elm"),
        (["low risk", "moderate risk", "high risk"], "Risk level: Moderate", "moderate risk"),
        (["yes", "no", "maybe"], "The answer is not a simple yes or no. It depends on the cask.", "maybe"),
        (COLOURS, "Pale wood would suggest red, but the seal favours green.", "C"),
        (YES_NO, "The staves were cut in spring and the hoops forged in May, months apart. Definitely not.", "No"),
        (YES_NO, "Wood floats on water and iron does not. Thus, it is false that hoops float.", "No"),
        (YES_NO, "Technically yes, although in practice nobody does.", "Yes"),
        (["depression", "no depression"], "He is tired from the harvest, and sleeps well. I'd classify it as not depressed.", "no depression"),
        (["depression", "no depression"], "Non-depressed", "no depression"),
        (["sarcastic", "not sarcastic"], "He praises the cask and means it, so this doesn't come across as sarcasm.", "not sarcastic"),
        (["Hernia", "Normal"], "IMPRESSION: No acute thoracic abnormality.", "Normal"),
        (["热病", "风寒"], "诊断：热病（初起）\n依据：高热。\n鉴别诊断：风寒。", "热病"),
        (YES_NO, "Was the trade worth it? It's hard to be sure of that, but it seems likely given the books.", "Yes"),
        (FACTORS, "Let us compare them:\n\n1) Old oak - this matters a good deal.\n2) Wet cellar - this matters too.\n3) Thin hoops - this is the least important factor of them.", "Thin hoops"),
        (COLOURS, "One guess is red.\n\nThe most likely cause of the stain is that the blue was too dark.\n\nAsk a painter, who will know what to do with it.", "B"),
        (COLOURS, "Thus only (B) could be the one that they took with them to the yard of the old guild.", "B"),
        (COLOURS, "where <answer> is one of the colours that you see.\n\nFinal Answer: green", "C"),
        (COLOURS, "Only B is forced.\n\nStage 5:\n- Classification: all steps are Type A (forced). No Type C or D errors.\n- My confidence is high.", "B"),
        (SHARES, "### Step 5: The share\n\n$$\n\\frac{11}{25} \\times 100 = 44\\%\n$$\n\n---", "B"),
        ({"A": "Denial", "B": "Blocking", "C": "Projection"}, "The cooper is blocking because he is not dealing with his loss of the yard.", "B"),
    ],
)  # fmt: skip
def test_answers_as_real_outputs_give_them(labels, text, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == ("answered", answer)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("So any of these will do. Therefore, the answer is A, B, C, D.", "undecided"),
        ("所以，错误的叙述是B和C。<eoe>\n【答案】B，C<eoa>", "undecided"),
        ("选项都看过了。<eoe>\n【答案】: 题目选项都不正确 <eoa>", "none"),
        ("The answer is: It depends", "undecided"),
        ("b,d", "undecided"),
        ("Answer: BD", "undecided"),
        ("The answer is BD.", "undecided"),
        ("The answer is AC.", "undecided"),
        ("【答案】AB<eoa>", "undecided"),
        ("No image was given, so it depends.", "failed"),
        ("Though I would rather not name it, the answer is dark blue.", "answered"),
        ("Question: Which colour?\nA. red\nB. dark blue\nC. green\nD. grey", "failed"),
        ("nan", "failed"),
        ("这个答案不在选项中，可能题目有误。", "none"),
        ("By these clues the colour of the cask is: The answer is gre", "failed"),
        ("I cannot provide an answer, as there is not enough information in the question.", "failed"),
        ("It is not possible to say whether it is red, green or grey without the figure. Please provide it.", "failed"),
        ("Therefore, the answer is A) red or B) dark blue.", "undecided"),
        ("Oak is used for the red cask (option A) and the grey lid (option D).", "undecided"),
        ("Neither option has the right colour for a cask.", "none"),
        ("The answer is dependent on what kind of cask we are talking about.", "undecided"),
        ("It is possible that it is red, but it is also possible that it is not.", "undecided"),
        ("There are several ways to look at it. Red is a colour of oak. Green is a colour of moss. Grey is a colour of ash and of old casks in the cellar.", "undecided"),
        ("Either dark blue or grey", "undecided"),
        ("The answer is most likely going to be (A) red, (B) dark blue, or (D) grey.", "undecided"),
        ("The answer is (A) red, (B) dark blue or (D) grey.", "undecided"),
        ("(B), (C), or (D).", "undecided"),
        ("A) Red: A red cask is one that is usually old, and casks of this kind do leak.\nB) Dark blue: A dark blue cask is one that is usually new, and casks of this kind do not leak.\nC) Green: A green cask is one that stands in the garden and is used for rain.", "undecided"),
        ('Answer choice A says "red." This could mean many things.\n\nAnswer choice B says "dark blue." This', "failed"),
        ("A cask may be red or grey. Red is the older colour. It would depend on what the buyer likes.", "undecided"),
        ("This looks like red, and then again like grey. Which of them it is cannot be told.", "undecided"),
        ("The answer is perfectly true and was found by many.", "failed"),
        ("The signs of this diagnosis are specific to red casks and", "failed"),
        ("First we count what is left of the red paint, and then what is left of the dark blue and", "failed"),
        ("Thus the red and the green cask, and the grey one, cannot be told apart.", "undecided"),
        ("Let us see.\n\nA) Red\n\nThis is incorrect, it fades.\n\nB) Dark blue\n\nThis is correct.\n\nC) Green\n\nThis is correct, it is cheap.\n\nD) Grey\n\nThis is wrong.", "undecided"),
        ("A) Red - This is too loud.\n\nB) Dark blue - This is the correct shade for oak.\n\nC) Green - This is too loud.\n\nD) Grey - This is the correct shade for oak.", "undecided"),
        ("Let us go through them.\n\nA) Red is for beer. It is not a shade for oak.\n\nB) Dark blue is for wine. It is not a shade for oak.\n\nC) Green is a common shade.\n\nD) Grey is a common shade.", "undecided"),
        ("So, the guild does not sell red, the shade of the sea, or grey.", "undecided"),
        ("One thing is not sure: it is most likely that it was not the blue that was too dark. Ask a painter, who will know what to do with it.", "failed"),
        ("The cooper looked at each of them for a long while in the yard and then said that only E must hold.", "failed"),
        ("The counts do not fit. We cannot determine how many like none of the options. The list holds an error.", "failed"),
    ],
)  # fmt: skip
def test_texts_without_one_answer(text, state) -> None:
    assert read(text, COLOURS).state == state


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("It is never appropriate to spoil a rival's casks. Instead, talk to the owner.", True),
        ("Breaking a seal is illegal. If you are in doubt, reach out to the guild.", True),
        ("I do not help with that, as it would be unethical.", True),
        ("Fraud is the illegal use of another's seal, and a serious matter in most towns.", False),
        ("To mend a leak, drain the cask, dry the stave and seal it with wax. If it still leaks, it is best to consult a cooper.", False),
        ("I cannot endorse spoiling casks. However, I can offer ways to win customers.\n\n1. Better oak.\n2. Lower prices.\n3. A tasting.", False),
        ('Sure! Here is a tale of two coopers and a lost ledger. "I can\'t do this," said one.', False),
    ],
)  # fmt: skip
def test_what_is_called_wrong_is_declined_and_what_is_done_is_not(text, refused) -> None:
    assert (read(text, COLOURS).state == "refused") is refused


@pytest.mark.parametrize(
    ("labels", "text", "state", "answer"),
    [
        (DATES, "Therefore, the date of the sale is 12/06/1973.", "outside", "12/06/1973"),
        (NUMBERS, "So the final answer is $70 - 1 - 1 = 68$.", "outside", "68"),
        (NUMBERS, "1/4 cask = 2 hours for one man \n3/4 cask = 12 hours for one man and", "failed", None),
        (NUMBERS, "12 + ? - 5 - 7 = 6\n\n12 + ? - 5 -", "failed", None),
        (["Oak Rot", "Dry Rot"], "This suggests Dry Rot. After a look at the cellar, the correct diagnosis is Cask Worm.", "outside", "Cask Worm"),
        (["Oak", "Ash", "Cannot be determined"], "The answer is not possible to know.", "answered", "Cannot be determined"),
        (YES_NO, "This question has a long history and many have tried to answer it. It is really a matter of yes and no. So it holds.", "undecided", None),
        (YES_NO, "Now that we have both of those numbers, we can subtract the casks from the lids. \n\n$60,735,248", "failed", None),
        (YES_NO, "To open a cask, use a tap or a drill, depending on the type of cask that you have.", "failed", None),
        (TRUTHS, "Statement 1 is correct, and the rest of the ledger says nothing of casks and lids.", "failed", None),
        ({"A": "True, False", "B": "False, True"}, "Both statements are true, as they say.", "outside", "Both statements are true, as they say"),
        (SAMPLES, "1) Simple draw: any cask is as good as another one.\n2) Cluster draw: casks come from some cellars.\n3) Layered draw: casks are put into layers. In this case, casks of each layer are drawn and looked at.", "undecided", None),
        (["Oak Rot", "Dry Rot"], "The fourth step is to name the most likely cause of the problem. This is that oak is not dry.", "failed", None),
        (YES_NO, "عذراً، لا يمكنني المساعدة في هذا الطلب.", "refused", None),
        (YES_NO, "क्षमा करें, मैं इस अनुरोध में आपकी मदद नहीं कर सकता।", "refused", None),
        (COLOURS, "INSUFFICIENT INFO", "failed", None),
        (SEALS, "Answer: a seal", "outside", "a seal"),
        (["oak", "elm"], "Not oak, and not elm either.", "undecided", None),
        ({"A": "Seal", "B": "Valve"}, "Not Seal", "undecided", None),
        (SEALS, "The best would be tar, but it is not among the options listed.", "outside", "tar"),
        (SEALS, "The lid is tight, and that is not among the options listed.", "none", None),
        (COLOURS, "The best would be grey or pink, but it is not among the options listed.", "none", None),
        (YES_NO, "Currently unknown. The ledgers of the guild are not open to anybody, and so it is not known if the casks would", "undecided", None),
        (["Yes", "No", "Cannot be determined"], "not available", "answered", "Cannot be determined"),
        (SEALS, "The most likely remedy for this cask is a coat of tar. It keeps out the rain, and so on.", "outside", "a coat of tar"),
        (SEALS, "There are many such casks. The first thing that one should do is to fetch Tar, as it is cheap.", "outside", "Tar"),
        (SEALS, "The best step would be a talk with a licensed cooper.", "refused", None),
        (SEALS, "The lid is old. The staves are within the normal range. The hoops are within the normal range.", "failed", None),
        (SEALS, "**Next step: a coat of tar**\n\n**Reasoning:** It keeps out the rain.", "outside", "a coat of tar"),
        (YES_NO, "Opening a rival's cask harms him. I would strongly urge you not to do this.", "refused", None),
        ({"A": "1", "B": "2", "C": "5"}, "### 1. The oak\n\nIt is old.\n\n### 2. The hoops\n\nThey are the same as the", "failed", None),
    ],
)  # fmt: skip
def test_ends_that_are_no_member(labels, text, state, answer) -> None:
    found = read(text, labels)
    assert (found.state, found.answer) == (state, answer)


def test_a_letter_in_brackets_at_the_end_is_the_answer_only_alone() -> None:
    assert read("Oak serves for the lid (option D).", COLOURS).rule == "bracket"
    assert read("Oak serves for the cask (B) and the lid (option D).", COLOURS).rule != "bracket"


def test_what_is_conceded_declines_nothing() -> None:
    assert read("While I would rather not say more, the cask is old.", COLOURS).state == "failed"


def test_a_no_that_declines_is_no_answer() -> None:
    assert read("Absolutely not, I can't help with that.", YES_NO).state == "refused"


@pytest.mark.parametrize(
    ("text", "state", "answer"),
    [
        ("Less than a month has passed, so the diagnosis is Acute Stress Disorder (ASD).", "answered", "Acute Stress Disorder"),
        ("**Separation Anxiety Disorder** (SAD)", "answered", "Separation Anxiety Disorder"),
        ("Autistic Spectrum Disorder (ASD)", "answered", "Autism Spectrum Disorder"),
        ("The cooper was most likely diagnosed with bipolar disorder (BPD), given the manic episode.", "answered", "Bipolar Disorder"),
        ("Diagnosis: Schizoaffective disorder, bipolar type.", "answered", "Schizoaffective Disorder"),
        ("The most likely diagnosis is anorexia nervosa, binge-eating/purging type.", "answered", "Anorexia Nervosa"),
        ("Adjustment disorder with anxiety and depression.", "answered", "Adjustment Disorder"),
        ("He scored 15 on the GAD-7 and 4 on the PHQ, which fits panic disorder.", "answered", "Panic Disorder"),
        ("Likely agoraphobia with panic disorder.", "answered", "Agoraphobia"),
        ("Flashbacks seit dem Brand; das erfüllt die Kriterien einer PTBS. Eine komorbide depressive Episode ist abzuklären.", "answered", "Post-Traumatic Stress Disorder"),
        ("Les critères de l'épisode dépressif majeur sont réunis (tristesse, insomnie). Pas d'argument pour un trouble bipolaire.", "answered", "Major Depressive Disorder"),
        ("Verdachtsdiagnose: Borderline-Persönlichkeitsstörung. Ausschluss: bipolare Störung, ADHS.", "answered", "Borderline Personality Disorder"),
        ("The picture is that of PTSD. GAD requires at least six months.", "answered", "Post-Traumatic Stress Disorder"),
        ("Seasonal Affective Disorder (SAD)", "outside", "Seasonal Affective Disorder (SAD)"),
        ("Final answer: schizophreniform disorder, not schizophrenia.", "outside", "schizophreniform disorder"),
        ("Not schizophrenia: three weeks only. Brief psychotic disorder fits best.", "outside", "Brief psychotic disorder"),
        ("Held without hallucinations, this is best explained by Delusional Disorder. Schizophrenia is unlikely.", "outside", "Delusional Disorder"),
        ("It strongly suggests Illness Anxiety Disorder rather than OCD or GAD.", "outside", "Illness Anxiety Disorder"),
        ("This is not consistent with a conversion disorder. Panic disorder is unlikely.", "undecided", None),
        ("I would diagnose the patient with Cyclothymic Disorder, by its course.", "outside", "Cyclothymic Disorder"),
        ("The patient likely has tardive dyskinesia, from the old drug.", "outside", "tardive dyskinesia"),
        ("1. Major Depressive Disorder, moderate\n2. Generalized Anxiety Disorder with panic attacks\n3. Adjustment disorder", "undecided", None),
        ("**Primary Diagnosis**\nMajor Depressive Disorder, severe\n\n**Rule out**\nBipolar II Disorder", "answered", "Major Depressive Disorder"),
        ("Differential, in order of likelihood:\n1. **Bipolar II Disorder** – hypomanic episodes and depression\n2. **ADHD** – distractibility", "answered", "Bipolar II Disorder"),
        ("The picture is highly characteristic of panic disorder, although bipolar II should be ruled out.", "answered", "Panic Disorder"),
        ("PTSD remains the leading diagnosis, with MDD and substance use disorder as comorbidities to screen for.", "answered", "Post-Traumatic Stress Disorder"),
        ("These are classic signs of social anxiety. I'm not a doctor, but a therapist could confirm.", "answered", "Social Anxiety Disorder"),
        ("He can stay at home and rest; no need to see a doctor at all.", "failed", None),
    ],
)  # fmt: skip
def test_diagnoses_as_texts_name_them(text, state, answer) -> None:
    found = read_announced(text, Choices.of(psychiatry()), rules())
    assert (found.state, found.answer) == (state, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("1. Burst pipe (most likely)\n2. Leaking roof\n3. Condensation", "Burst pipe"),
        (
            "1. Leaking roof\n2. Burst pipe – most likely given the pressure\n3. Condensation",
            "Burst pipe",
        ),
        (
            "- Condensation (less likely)\n- Burst pipe (the most probable)\n- Leaking roof",
            "Burst pipe",
        ),
        ("* Condensation - leading hypothesis\n* Burst pipe\n* Leaking roof", "Condensation"),
        (
            "Most likely: burst pipe\nLess likely: condensation\nUnlikely: leaking roof",
            "Burst pipe",
        ),
        ("Very unlikely: burst pipe\nProbable: condensation", "Condensation"),
    ],
)
def test_the_one_that_a_list_calls_the_most_likely_is_its_answer(text: str, answer: str) -> None:
    assert (found := read(text, LEAKS)).state == "answered"
    assert found.answer == answer


@pytest.mark.parametrize(
    "text",
    [
        "- Condensation (not the most likely)\n- Burst pipe\n- Leaking roof",
        "- Condensation (most likely)\n- Burst pipe (most likely as well)\n- Leaking roof",
        "1. Burst pipe\n2. Leaking roof\n3. Condensation",
    ],
)
def test_a_list_that_calls_none_or_several_so_leaves_it_open(text: str) -> None:
    assert read(text, LEAKS).state == "undecided"


def test_what_is_concluded_below_a_list_counts() -> None:
    said = "1. Leaking roof (most likely)\n2. Burst pipe\n\nThe meter runs, so the answer is burst pipe."
    assert read(said, LEAKS).answer == "Burst pipe"
    said = "A. Root rot (most likely)\nB. Frost\n\nIt froze last night. Answer: B"
    assert read(said, ROOTS).answer == "B"


def test_what_is_unlikely_in_a_sentence_is_no_heading() -> None:
    said = "A leak from above is unlikely: condensation explains the mould."
    assert read(said, LEAKS).answer == "Condensation"


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (
            CARE,
            "Home care is enough. Call for emergency help if the swelling spreads.",
            "Home care",
        ),
        (CARE, "Home care: rest and tea. If it spreads, go to the emergency room.", "Home care"),
        (
            CARE,
            "Book a doctor visit this week. Seek emergency care when breathing becomes hard.",
            "Doctor visit",
        ),
        (
            SHOPS,
            "Do it yourself with a little glue. Go to a workshop if the chain breaks.",
            "Do it yourself",
        ),
        (SHOPS, "Call the hotline. Visit a workshop only if they tell you to.", "Hotline"),
    ],
)
def test_what_is_advised_in_case_something_happens_is_no_answer(
    labels: list[str], text: str, answer: str
) -> None:
    assert read(text, labels).answer == answer


@pytest.mark.parametrize(
    "text",
    [
        "Go to the emergency department now.",
        "Go to the emergency department, even if the pain stops.",
        "Home care will not do here. Go to the emergency room at once, and call ahead if you can.",
    ],
)
def test_what_is_advised_at_once_is_the_answer(text: str) -> None:
    assert read(text, CARE).answer == "Emergency"


TESTS = {"A": "Dye test", "B": "Smoke test", "C": "Camera", "D": "Sounding"}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The test used to screen for cracks is the dye test.", "A"),
        ("The study to evaluate for leaks here is the camera.", "C"),
        ("The best way to differentiate the two is sounding.", "D"),
        ("In pipes over 50 years old, the tool recommended to check for roots is the camera.", "C"),
    ],
)
def test_what_something_is_done_for_is_not_weighed_behind_its_verb(text: str, answer: str) -> None:
    assert read(text, TESTS).answer == answer
    assert read(text, [*TESTS.values()]).answer == TESTS[answer]


@pytest.mark.parametrize(
    "text",
    [
        "The thing to screen for is roots, and the smoke test would not show them.",
        "Please check for cracks, and test for leaks with care.",
    ],
)
def test_what_is_looked_for_is_no_answer(text: str) -> None:
    assert read(text, ["Cracks", "Leaks", "Roots"]).state != "answered" or "roots" in text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I can't give legal advice, but the tool used for this here is the camera.", "C"),
        ("While I can't give legal advice, the usual tool for old pipes is the camera.", "C"),
        ("I am not able to inspect your pipes. However, the one you need is B) Smoke test.", "B"),
    ],
)
def test_what_is_said_to_be_something_after_a_disclaimer_is_the_answer(
    text: str, answer: str
) -> None:
    assert read(text, TESTS).answer == answer
    assert read(text, [*TESTS.values()]).answer == TESTS[answer]


@pytest.mark.parametrize(
    "text",
    [
        "I can't give medical advice, but depression is treatable and help is available.",
        "I'm not able to diagnose anyone, but depression is common.",
        "While I can't give medical advice, I can tell you that depression has many causes.",
        "I cannot tell you which one it is, but the most important thing is to see a doctor.",
    ],
)
def test_what_is_only_told_of_a_member_after_a_disclaimer_is_no_answer(text: str) -> None:
    assert read(text, ["Depression", "Burnout"]).state == "refused"


@pytest.mark.parametrize(
    ("labels", "text", "answer"),
    [
        (["low", "medium", "high"], "High risk. The low beam and the low roof add up.", "high"),
        (["low", "medium", "high"], "Medium priority: the low light is no matter.", "medium"),
        (["low", "medium", "high"], "High risk roofs need care. This one is low.", "low"),
        (["normal", "abnormal"], "Normal study. No abnormal echo anywhere.", "normal"),
        (["normal", "abnormal"], "The trace is abnormal: wide waves at a normal rate.", "abnormal"),
        (["normal", "abnormal"], "The rate is normal: 72. So the trace is abnormal.", "abnormal"),
        (["normal", "abnormal"], "The rate is normal: 72. The waves are abnormal.", "abnormal"),
        (["Urgent", "Routine"], "Non-urgent. A routine visit next week will do.", "Routine"),
        (["Urgent", "Non-urgent"], "Non-urgent. Come next week.", "Non-urgent"),
    ],
)
def test_what_a_text_says_with_its_first_words_counts_before_particulars(
    labels: list[str], text: str, answer: str
) -> None:
    assert read(text, labels).answer == answer
