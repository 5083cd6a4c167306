"""The part of an output that answers: without marks around it, and without what was made up after.

A model that is not stopped goes on: it writes the end of its turn and the turn of somebody else, or
the next question. What counts is its answer to the first.
"""

# ruff: noqa: E501, RUF001 - signs of other scripts are meant

from __future__ import annotations

from collections.abc import Iterable

from assay.derive import patterns as re
from assay.derive.wordings import words_of

_TOKEN = re.compile(
    r"<\|[^|<>\n]{1,40}\|>|<\uff5c[^<>\n]{1,40}\uff5c>|</?s>|<eo[asdt]>|<(?:end|start)_of_turn>"
    r"|\[/?INST\]|<(?:human|bot|user|assistant)>:|<(?:pad|bos|unk|EOT|sep)>|<\|?/?im_(?:end|start)\|?>"
    r"|\[UNUSED_TOKEN_\d+\]"
)
_ROLE = re.compile(
    r"(?:assistant|model|ai|bot|gpt|response|### response"
    r"|yes ?(?:/|or) ?no|true ?(?:/|or) ?false)\s*(?::|\n)\s*",
    re.IGNORECASE,
)
_USER = re.compile(
    r"\s*(?:<s>\s*)?(?:\[INST\]|<\|(?:im_start|start_header_id)\|>\s*user|<\|user\|>|<start_of_turn>\s*user"
    r"|(?:USER|Human):|### (?:Instruction|Input|Human|User):|Below is an instruction(?!\w))"
)
"""where an output repeats what it was asked"""
_REPLY = re.compile(
    r"\[/INST\]|<\|(?:im_start|start_header_id)\|>\s*assistant(?:<\|end_header_id\|>)?|<\|assistant\|>"
    r"|<start_of_turn>\s*model|\n\s*(?:ASSISTANT|Assistant):|### (?:Response|Assistant):"
)
_ASKED = re.compile(r"Q(?:uestion)?:[^\n]*\?[ \t]*\n\s*A(?:nswer)?:\s*(?=\S)")
_LEADING_A = re.compile(r"A:\s*(?=\S)(?![^\n]{0,200}(?:\n\s*|[,;] )[*(\[]*B[)\]*]*:)")
_LINE = (
    r"\n[ \t>*#_\-]*(?:(?:next|new|another|practice|similar|follow[- ]?up)[ \t]+)?"
    r"(?:question|problem|exercise|passage|q|human|user|instructions?|input|vignette"
    r"|frage|aufgabe|pregunta|pergunta|domanda|exercice|вопрос|задача|问题|题目|問題|質問|질문|문제|câu hỏi|soal|pertanyaan|soru|السؤال|سؤال|प्रश्न|প্রশ্ন|คำถาม|โจทย์|pytanie|vraag|fråga|spørgsmål|spørsmål|otázka|kérdés|întrebare|питання|ερώτηση|שאלה|swali)"
    r"[ \t]*(?:no\.?|\#)?[ \t]*\d{0,3}[ \t*_]*[:：]"
    r"|\n[ \t>*#_\-]*(?:new|another|next) (?:scenario|case|example|variant|task)[^\n:]{0,20}:"
    r"|\n[ \t*#]*(?:question|problem|exercise|q)[ \t]*\d{1,3}[ \t*_]*[.:)\n]"
    r"|\n[ \t]*the following (?:is|are) (?:an? )?(?:multiple|single)[- ]choice "
)
_NEXT_LINE = re.compile(_LINE, re.IGNORECASE)
_NEXT = re.compile(
    _LINE
    + r"|(?<=[ \t])#{1,6} (?:\d{1,3}[.)] )?(?:question|problem|exercise|passage|instruction|input|human|user)(?: \d{1,3})?(?: ?:| (?=#))"
    r"|(?<=[ \t]{2})(?:question|problem|exercise|q)(?: \d{1,3})?:(?= )",
    re.IGNORECASE,
)
"""where the next question begins, on a line of its own or as a heading whose line ends were lost"""
_LOST = re.OneOf(
    "|".join([" #", "\t#", *(f"{a}{b}{c}" for a in " \t" for b in " \t" for c in "qpeQPE")])
)
"""what such a heading begins with"""
_SPEAKER = re.compile(
    r"human|user|instruction|input|passage|vignette|next|new|another", re.IGNORECASE
)
_HEADING_END = re.compile(r"[:：][*_ ]*\n*")
_ANSWERS = re.compile(
    r"[\s*_#>]*(?:answer|ans|a|antwort|réponse|respuesta|resposta|risposta|ответ|відповідь|答案|答|回答|解答|답|정답|উত্তর|उत्तर|إجابة)[\s*_]*[:：]",
    re.IGNORECASE,
)
_NEARBY, _WORKED, _SHORT = 40, 2, 4
"""characters after the word for a question, lines that may be no more than question and answer, and
words of an answer"""
NEW_INPUT = re.compile(
    r"\n\n[ \t*#>]*(?:review|text|sentence|tweet|premise|statement|comment|headline|claim|context"
    r"|article|document|abstract|input|message|post|case|patient|title|dialogue|story|fact|example)"
    r"(?: \d{1,3})?[*_ ]*: ?[^\n]*\n(?:[^\n]*\n){0,12}?[ \t*#>]*(?!explanation|reason|note)"
    r"[^\W\d_]{3,20}(?: [^\W\d_]{2,12})?[*_ ]*:",
    re.IGNORECASE,
)
"""another input like the one that was given, and another answer below it"""
_NEW_OPTIONS = re.compile(
    r"(?:[?か\uff1f](?:(?<!か)|。)[ \t*]*\n\s*[(\[]?A|\n(?:Options|Choices):[ \t]*\n\s*[(\[]?[A-Z1])[).:\uff1a\]]\s?"
)
"""the first option of another question"""
_BY_LETTER = re.compile(r"[\s*_(\[]{0,4}[A-Z][*_]{0,2}(?:[).:\]]|\s*\n)")
_ERROR = re.compile(
    r"^\W*http\S* [45]\d\d\b|content[ _]?(?:filter|management policy)|response was filtered"
    r"|(?:^|\W)error[ :]*(?:code)?[: ]*[45]\d\d\b"
    r"|^\W*(?:error\]?[: ]|api error|internal server error|bad gateway|service unavailable"
    r"|request timed out"
    r"|traceback \(most recent)|rate limit (?:reached|exceeded)|too many requests|out of memory"
    r"|\"(?:error|code)\"\s*:|finish_?reason\W+safety|blocked by (?:the )?(?:safety|content)"
    r"|^\W*this content may violate",
    re.IGNORECASE,
)
_ERROR_WORDS = words_of(
    "error content violate filtered safety rate requests memory timed gateway unavailable traceback"
)
"""one of which an error message has"""
_INSTRUCTION = re.compile(
    r"\s*(?:system[:\n]\s|(?:(?:user|human)\s*[:\n]\s*)?(?:you are an? |answer the following|please answer|read the following|choose the"
    r" (?:best|correct)"
    r"|the following (?:is|are) (?:a )?multiple|(?:choose|select|pick) one"
    r"|(?:select|pick) the (?:best|correct)|think step by step))",
    re.IGNORECASE,
)
_TELLS_HOW = re.compile(
    r"\W*(?:(?:please|bitte|just|only|always) )?(?:(?:answer|respond|reply|write|choose|select|output|return|antworten?|beantworten?|répond(?:ez|s)|respond[aei]|rispond[aei]|rispondere|responder)"
    r"(?: \w+){1,7}|(?:in )?(?:1|one|a single|single|ein|une?|una|um) (?:word|letter|mot|wort|palabra|palavra|parola|lettre|letra|lettera)(?: \w+){0,4}) ?:? ?[*\"'(]*"
    r"(?:(?:yes|ja|oui|s[ií]|sim|sì|true) ?(?:/|or|oder|ou|o) ?(?:no|nein|non|não|false)|A[*\"')]*(?:, ?[*\"'(]*[A-Z][*\"')]*)*,? (?:or|oder|ou|o) [*\"'(]*[A-Z])(?:[*\"').]*(?: only| answer))?\W*",
    re.IGNORECASE,
)
_KNOWS_NOT = re.compile(
    r"\W*(?:unsure|idk|dunno|not sure|no idea|no (?:lo )?sé(?: la respuesta)?|no estoy segur[oa]|je ne (?:le )?sais pas|je ne suis pas sûre?|ich wei(?:ß|ss) (?:es |das )?(?:leider )?nicht|ich bin (?:mir )?(?:nicht sicher|unsicher)"
    r"|keine ahnung|(?:eu )?não sei|não tenho certeza|não estou cert[oa]|non (?:lo )?so|non (?:ne )?sono sicur[oa]|(?:я )?не (?:знаю|уверена?)|(?:抱歉|对不起)?[，,]?我?(?:也?不知道|不(?:太)?确定|不清楚)(?:答案)?|(?:よく)?(?:わか|分か)りません"
    r"|(?:잘 )?모르겠(?:습니다|어요|다)|nie wiem|bilmiyorum|tôi không (?:biết|chắc)|لا أ(?:عرف|علم)|मुझे नहीं पता|ik weet het niet)\W*",
    re.IGNORECASE,
)
"""that somebody does not know, and nothing more"""
_DONE = frozenset(
    ".!?\u2026\u3002\uff01\uff1f)]}>\"'\u201d\u2019\u00bb\u300d\u300f\u3011|`~\u2713\u2714\u2705"
)
_GESTURE = re.compile(r"(?<=[.!?])\s{0,3}\*[^*\n]{1,40}\*\Z")
"""what somebody does who has said a sentence, as in "So be it. *nods*" """
_HANGS = re.compile(
    r"(?:[,:;(\[{=+/\\&\u2220\u221a\u2264\u2265\u00b1\u00b7\u2248\u00d7\u00f7\u2013\u2014\uff0c\uff1a\uff1b\u3001]|\s-"
    r"|\b(?:the|a|an|of|and|or|is|are|was|to|because|with|that|which|so|we|in|on|for|by|as|if"
    r"|but|be|has|have"
    r"|(?:and|but|so|or|because|while|if|that|as) (?:it|they|he|she|I|you)|would|could|should|may|not|this|from|at|et|und|der|die|das|la|le|el|de|que|y|o|da|dass))$",
    re.IGNORECASE,
)
_JUST_NOT = re.compile(
    r"(?:^|[.!?:\n] ?)[*_ ]*(?:(?:most|very|quite|highly|almost) )?(?:definitely|certainly|absolutely|surely|clearly"
    r"|obviously|probably|likely|of course|apparently|presumably|hopefully) not$",
    re.IGNORECASE,
)
"""a denial that wants nothing after it, though it ends with a not"""
_SUPPOSES = re.compile(r"(?:if|since|because|when|suppose)(?!\w)[^,]*", re.IGNORECASE)
"""a line that is no more than the beginning of a sentence, if it has no end"""
_ITEM = re.compile(r"\s*(?:[-*\u2022|#>]|\d{1,2}[.)])\s?")
_MARKER = re.compile(
    r"(?:^|\n)\s*(?:\d{1,2}[.)]|[-*\u2022]|step \d+[.:)]?|#+)[\s*_]*$", re.IGNORECASE
)
_SUM_GOES_ON = re.compile(r"[\w)\u00b0] \*\Z")
_NUMBERED = re.compile(r"\s*\(?(?:step )?(\d{1,2})[.):]", re.IGNORECASE)
_JUDGED = re.compile(
    r"[:\-\u2013\u2014|][ *_]*(?:yes|no|true|false|correct|incorrect|right|wrong)\Z", re.IGNORECASE
)
"""what is said of the last of several"""
_NUMBER = re.compile(r"[-+$€£]{0,2} ?\d[\d.,/:]*(?<=\d)%?")
_OPEN_MATHS = ((r"\[", r"\]"), (r"\begin{", r"\end{"))
_POLITE = re.compile(
    r"(?:(?:^|(?<=[.!?*`\n])\s*)(?:I hope (?:this|that|it) (?:helps|answers|clarifies)\b[^.!\n]*"
    r"[.!]|(?:Please )?(?:[Ll]et me know|[Ff]eel free to (?:ask|reach out)) (?:if|whether)"
    r"[^.!?\n]*[.!?]"
    r"|(?:Is there|Do you have) any(?:thing else| other questions)[^?\n]*\?"
    r"|If you have any (?:other|further|more) questions[^.!\n]*[.!])|(?<=[\w)\]*]), (?:right|correct|isn't it|is it not|don't you think|wouldn't you say)\?)+\s*\Z"
)
"""with what a text takes leave, after all it has to say"""
_LEAVE = re.OneOf("I hope |et me know |eel free to |Is there any|Do you have any|If you |?")
"""of which it needs one"""
_OFFERS = re.compile(
    r"(?:^|(?<=[.!?:*_)\n]))\s*[*_>-]{0,4}(?:(?:(?:Would|Do) you (?:like|want)(?! to (?:share|provide|tell|give))(?!\w)|Want me to|Shall I|Should I|Do you have any (?:specific|particular) questions"
    r"|To help me (?:give|provide|tailor|understand|help)|Möchten Sie|Soll ich|Souhaitez-vous|Voulez-vous|¿(?:Te|Le) gustaría|¿Quieres|¿Desea|Gostaria|Quer que|Vuoi che|Vorresti|Хотите)[^\n]*[?:]"
    r"|(?<=\n)[*_#]{0,4}\s?(?:Resources?|References?|Sources?|Further reading|Disclaimer)(?: (?:for|and|&) [^\n:*]{1,60})?[*_ ]*(?::|(?=\n)))[^\n]*(?:\n+[ \t]*(?:[-*\u2022\[]|\d+[.)])[^\n]*)*\s*\Z"
)
"""what a text offers beside, or refers to, after all it has to say"""
_OFFER = re.OneOf(
    "you like|you want|Want me|Shall I|Should I|you have any|To help me|ource|eference|urther|isclaimer|Möchten|Soll ich|Souhaitez|Voulez|¿|Gostaria|Quer |Vuoi|Vorresti|Хотите"
)
"""a quick look for one"""
_CHECKS = re.compile(
    r"(?:(?<=[.!?] )|(?<=\n))(?:[Cc]heck(?:ing)?|[Vv]erif(?:y|ication|ying)|(?:[Ll]et's|[Ll]et us|[Tt]o) (?:check|verify))(?!\w)"
    r"(?![^\n]*(?<!\w)(?:answer|so|therefore|thus|wrong|instead|but|wait|not|option)(?!\w))[^\n]{0,200}\Z"
)
"""a result that is checked once more after it was given"""
_CHECK = re.OneOf("heck|erif")
"""of which it has one"""
_GIVEN = re.compile(
    r"[ \t*_#-]*(?:query|question|claim|statement|premise|sentence(?: \d)?|title|topic|tweet|review|target)[*_]*:(?![^\n]*(?:answer|label|verdict|###))",
    re.IGNORECASE,
)
"""a line that repeats a part of what was given"""
_SURE = re.compile(
    r"\n[ \t*_#-]*(?:confidence|certainty)(?: (?:level|score|rating))?[*_]*[ \t]*[:=][ \t*_]*"
    r"(?:about |approximately |very )?(?:\d{1,3}(?:\.\d{1,4})?[ \t]*(?:%|/ ?\d{1,3}|percent)?|high|medium|moderate|low)[ \t*_.]*\Z",
    re.IGNORECASE,
)
"""how sure a text calls itself, below all it has to say"""
_ENDING, _OFFERED, _GIVEN_LINES = 300, 1500, 4
_LOOP, _LOOP_LINE = 8, 40
"""lines that are a loop, and the characters of one at most"""
_REPEATED = 3
"""how often a word that is all of a text is repeated at least"""
_STOPS, _NEAR_MARK = frozenset(".!?。！？"), 40
_ERROR_LENGTH, _SHORT_LINE, _SHORT_TEXT, _LONG_LINE, _UNSPACED_LINE = 600, 4, 9, 12, 8


def answering(text: str, option_a: str | None = None) -> tuple[str, int]:
    r"""Return the part of what is said that answers, and where it begins.

    `option_a` is the text of the option A, if there is one: "A:" before anything else marks an
    answer.

    Examples
    --------
    >>> answering("assistant\n\nB</s>junk"), answering("B\n\nQ: And now?\nA: C")
    (('B', 11), ('B', 0))
    """
    start, stop = _begins(text), len(text)
    asked = _ASKED.match(text, start)
    if asked and not (option_a and text[asked.end() :].lower().startswith(option_a.lower())):
        start = asked.end()
    if option_a is not None and (led := _LEADING_A.match(text, start)):
        own = option_a and text[led.end() :].lower().startswith(option_a.lower())
        start = start if own else led.end()
    if "<" in text or "[" in text:
        stop = next(
            (t.start() for t in _TOKEN.finditer(text, start) if text[start : t.start()].strip()),
            stop,
        )
    following = _NEXT if _LOST.within(text) else _NEXT_LINE
    for turn in following.finditer(text, start, stop):
        if not _is_preamble(text[start : turn.start()]):
            stop = turn.start()
            break
    part = text[start:stop]
    words = part.split(maxsplit=_REPEATED)
    if (
        len(words) > _REPEATED
        and len(set(words[:-1])) == 1
        and set(words[-1].split()) <= {words[0]}
    ):
        part = part[: part.find(words[0]) + len(words[0])]
    part = _without_leave(_without_loop(part))
    return part.strip(), start + len(part) - len(part.lstrip())


def restated(text: str, stop: int) -> int | None:
    r"""Return where the heading of a question ends that a text asks itself and works on.

    One that is answered at once, or followed by a further one, is invented.

    Examples
    --------
    >>> text = "Let us see.\n\nQuestion: How many?\n\nTwo and two are added.\n\nAnswer: 4"
    >>> text[restated(text, text.index("\n\nQ")) :][:9]
    'How many?'
    >>> restated("No idea.\n\nQuestion: How many?\nAnswer: 4", 8)
    """
    asked = _NEXT_LINE.search(text, max(0, stop - 1))
    colon = _HEADING_END.search(text, asked.start(), asked.end() + _NEARBY) if asked else None
    if (
        asked is None
        or colon is None
        or _SPEAKER.search(asked[0])
        or _NEXT_LINE.search(text, colon.end())
    ):
        return None
    lines = [each for each in text[colon.end() :].splitlines() if each.strip(" *#_-")]
    at_once = any(map(_ANSWERS.match, lines[:2]))
    worked = len(lines) > _WORKED or (len(lines) == _WORKED and len(lines[1].split()) > _SHORT)
    return colon.end() if worked and not at_once else None


def before_confidence(part: str, names: Iterable[str]) -> str:
    """Return a part without how sure it is, unless that is what members are called."""
    sure = _SURE.search(part, max(0, len(part) - _ENDING))
    said = sure[0].lower() if sure else ""
    own = any(each.lower() in said for each in names if len(each) > 1 or each.isdigit())
    return part if sure is None or own else part[: sure.start()].rstrip() or part


def new_options(part: str) -> list[re.Match[str]]:
    r"""Return where other questions have options; lists so called count after a first letter.

    Examples
    --------
    >>> [len(new_options(each + "\n\nOptions:\nA. no")) for each in ("B. I do.", "Let's see.")]
    [1, 0]
    """
    led = _BY_LETTER.match(part)
    return [each for each in _NEW_OPTIONS.finditer(part) if led or not each[0].startswith("\n")]


def _without_leave(part: str) -> str:
    """Return a text without what it checks, offers, refers to and wishes at its end."""
    before, end = "", max(0, len(part) - _ENDING)
    check = _CHECKS.search(part, end) if _CHECK.within(part, end) else None
    part = part[: check.start()].rstrip() if check and check.start() else part
    while before != part:
        before = part
        end = max(0, len(part) - _ENDING)
        found = _POLITE.search(part, end) if _LEAVE.within(part, end) else None
        if found is None and _OFFER.within(part, end := max(0, len(part) - _OFFERED)):
            found = _OFFERS.search(part, end)
        if found and part[: found.start()].strip():
            part = part[: found.start()].rstrip()
    return part


def _without_loop(part: str) -> str:
    r"""Return a text without the lines at its end that say two or three things in turn forever.

    Examples
    --------
    >>> _without_loop("So: no\n" + "yes\nno\n" * 6)
    'So: no'
    """
    if part.count("\n") < _LOOP:
        return part
    lines = part.split("\n")
    short = [(at, bare) for at, each in enumerate(lines) if (bare := each.strip(" \t`*_.>#-"))]
    turn, said = [bare.lower() for _, bare in short[::-1]], 0
    for period in (2, 3):
        alike = (one == other for one, other in zip(turn, turn[period:], strict=False))
        same = next((at for at, each in enumerate(alike) if not each), len(turn) - period) + period
        said = max(said, same if len({*turn[:same]}) == period else 0)
    while _LOOP <= said < len(turn) and turn[said].isalpha():
        said += 1
    if not _LOOP <= said < len(turn) or len(turn[0]) > _LOOP_LINE:
        return part
    at = short[len(short) - said][0]
    head = "\n".join(lines[:at]).rstrip(" \n`")
    led = head.rpartition("\n")[2].startswith("#") or head.rstrip(" *_").endswith(":")
    return f"{head}\n{lines[at]}" if led else head


def _begins(text: str) -> int:
    """Return where the text begins, after marks of a turn and the name of who speaks."""
    turn = _USER.match(text)
    reply = _REPLY.search(text, turn.end()) if turn else None
    at, before = reply.end() if reply else 0, -1
    while at != before:
        before = at
        at += len(text[at : at + 200]) - len(text[at : at + 200].lstrip())
        for mark in (_TOKEN, _ROLE):
            found = mark.match(text, at)
            at = found.end() if found else at
    return at


def _is_preamble(text: str) -> bool:
    """Say whether a question follows that is the one that was asked."""
    if _INSTRUCTION.match(text) or text.strip().lower().rstrip(":*# ") in {"", "question"}:
        return True
    lines = text.strip().split("\n")
    return len(lines) < _GIVEN_LINES and all(map(_GIVEN.match, lines))


def is_error(text: str, words: frozenset[str]) -> bool:
    """Say whether a server or a filter speaks in the place of a model."""
    return (
        not _ERROR_WORDS.isdisjoint(words)
        and len(text) < _ERROR_LENGTH
        and bool(_ERROR.search(text))
    )


def is_echo(text: str) -> bool:
    """Say whether a text only repeats what it was told to do."""
    return bool(_INSTRUCTION.match(text))


def says_nothing(text: str) -> str | None:
    """Return why a text answers nothing: it tells how to answer, or knows no answer.

    Examples
    --------
    >>> says_nothing("Answer with yes or no."), says_nothing("No lo sé.")
    ('echo', 'no_answer')
    """
    if _TELLS_HOW.fullmatch(text):
        return "echo"
    return "no_answer" if _KNOWS_NOT.fullmatch(text) else None


def is_junk(text: str) -> bool:
    """Say whether a text is no more than a beginning: a mark, a number, a heading.

    Examples
    --------
    >>> is_junk("4. **"), is_junk("1. **Identify Core Issues:"), is_junk("Depression")
    (True, True, False)
    """
    words = [each for each in text.split() if any(map(str.isalpha, each))]
    if text.strip().lower() in {"nan", "null", "undefined"}:
        return True
    if not words:
        return not _NUMBER.fullmatch(text.strip().rstrip(".\u2026"))
    return len(words) < _SHORT_TEXT and text.rstrip("*_ ").endswith((":", "："))


def hangs(text: str) -> bool:
    """Say whether the last word or sign of a text wants another one after it."""
    end = text.rstrip(" *_#\n")[-40:]
    return _HANGS.search(end) is not None and _JUST_NOT.search(end) is None


def _is_open(text: str, line: str) -> bool:
    """Say whether a text ends within marks or brackets, or behind a sign of multiplication."""
    depth = 0
    for sign in re.findall("[()]", line):
        depth = depth + 1 if sign == "(" else max(0, depth - 1)
    marks = line.count("**") % 2 or line.count("$$") % 2 or text.count("```") % 2
    return bool(marks or depth) or _SUM_GOES_ON.search(text[-_NEAR_MARK:]) is not None


def _item_alone(text: str, line: str) -> bool:
    """Say whether the last item of a list has no full stop, and the one before it has one."""
    own, above = _NUMBERED.match(line), text[: len(text) - len(line)].rstrip()
    before = above.rpartition("\n")[2] if own else ""
    other = _NUMBERED.match(before)
    if not own or not other or int(own[1]) != int(other[1]) + 1:
        return False
    sentence = before[-1:] in _STOPS and len(before.split()) > _SHORT_LINE
    return sentence and line.rstrip(" *_")[-1:].isalnum()


def is_unfinished(text: str) -> bool:
    """Say whether a text breaks off: in a formula, in a list, in a sentence.

    Examples
    --------
    >>> is_unfinished("He was cold. She was"), is_unfinished("He was cold.")
    (True, False)
    """
    end = _GESTURE.sub("", text.rstrip())
    line = end.rpartition("\n")[2]
    bare, before = line.strip("*_# "), end[: len(end) - len(line)]
    if _MARKER.search(end[-60:]) or _is_open(end, line) or _item_alone(end, line):
        return True
    open_end = hangs(bare) if " " in end or not bare[-1:].isalnum() else False
    if open_end or any(end.count(a) > end.count(b) for a, b in _OPEN_MATHS):
        return True
    ends = not bare or bare[-1] in _DONE or not bare[-1].isalnum()
    if ends or _ITEM.match(line) or _JUDGED.search(bare):
        return False
    n_words = len(bare.split())
    if before and _SUPPOSES.fullmatch(bare):
        return True
    if not bare.isascii() and n_words < _SHORT_LINE:
        return len(bare) >= _UNSPACED_LINE and any(sign in end for sign in "。，、")
    return n_words > _LONG_LINE or (
        n_words >= _SHORT_LINE and bool(re.search(r"[.!?]\s", before + line))
    )
