"""What a text repeats of what it was asked: its options at the end, its question again and again.

An echo answers nothing: what stands before it, or after it, does.
"""
# ruff: noqa: E501, RUF001 - one wording per line, and signs of other scripts are meant

from __future__ import annotations

from collections.abc import Iterator

from assay.derive import patterns as re
from assay.derive.choices import Choices
from assay.derive.naming import Passage
from assay.derive.passages import NEW_INPUT, new_options

_MARKS = " .*_)\"'\n\\"
_TOKEN = re.compile(r"[^\W_]+")
_ENDS = re.compile(r"(?:^|[.!?:。：*)])[*\s\\]*\Z")
_LEADS = re.compile(r"(?<!ption)(?<!ptions)(?<!hoices)(?<!ions are)(?<!ices are)[:：][*\s]*\Z")
"""what leads to a list of answers: "these are possible:", but not "the options are:" """
_CUE = re.compile(
    r"(?:(?<!\w)(?:(?:the |your |final |correct )*answer|antwort|lösung|réponse|respuesta|resposta|risposta"
    r"|antwoord|svar|odpowiedź|ответ|jawaban|đáp án|trả lời|cevap|yanıt|الإجابة|الجواب|उत्तर|উত্তর|คำตอบ)"
    r"|정답|답변|답|答案|回答|解答|正解|答え)(?: ?[(（]answer[)）])?[*_\s]*[:：][\s\"'*_{}()\[\]|<>/\\]*\Z",
    re.IGNORECASE,
)
"""what asks for an answer at the end of a prompt, and nothing behind it"""
_CUE_REACH = 60
_ASKED = re.compile(
    r"(?:\A|\n|\\n)[\s*#\"'\[{(]*(?:system|user|human|question|frage|aufgabe|pregunta|pergunta|domanda|vraag|fråga|pytanie|вопрос"
    r"|задача|soal|pertanyaan|câu hỏi|soru|السؤال|प्रश्न|প্রশ্ন|คำถาม|질문|문제|问题|題目|题目|問題|質問)(?!\w)[^:：\n]{0,20}[:：]",
    re.IGNORECASE,
)
"""where a question begins that the text repeats"""
_TURN = re.compile(
    r"(?:\A\s*|\n\n)[*_ ]{0,3}A:[*_]{0,2}[ \t]+(?!wait|actually|sorry|correction|oops|no,)(?=\S)",
    re.IGNORECASE,
)
"""an answer, and another one that a run-on invents below it"""
_QUESTION = re.compile(r"(?m)^[^\n]{20,}\?[ \t*]*$")
_IN_A_LINE = re.compile(
    r"(?<=\S) (?:Question|Q)(?: \d{1,3})?: [^\n]{8,400}?\?[^\n]{0,400}?(?<!\w)(?:Answer|A): ?[^\s]"
)
"""another question and its answer, whose line ends were lost"""
_RULED_OFF = re.compile(
    r"\n[ \t]*(?:-{3,}|={3,}|\*{3,}|_{3,}|#{3,})[ \t]*\n\s*[*#>]*"
    r"(?:context|passage|text|sentence|premise|scenario|facts?|story|article|document|case|dialogue|input)(?: \d{1,3})?[*_ ]*:",
    re.IGNORECASE,
)
_RULES = re.OneOf("---|===|***|___|###")
"""a line across the page, and below it what belongs to another question"""
_REPLY = re.compile(
    r"\n[ \t*_]*(?:ai|assistant|(?:chat)?bot|therapist|counsell?or|agent|listener|supporter|helper|doctor"
    r"|psychologist|clinician|operator)[ \t*_]*:",
    re.IGNORECASE,
)
_NAMES_IT = re.compile(
    r"\n[ \t*#>_-]*(?:final |predicted )?(?:label|output|classification|category|class|prediction|rating"
    r"|verdict|assessment|risk level)[ \t*_]*:"
    r"|\s\{\s*[\"'](?:\w{0,20}_)?(?:label|class|classification|category|prediction|verdict|rating|level)[\"']\s*:",
    re.IGNORECASE,
)
_ANY_OPTION = re.compile(r"\n[ \t*_]*[(\[]?A[).:\]]\s")
_OTHER_TASK = re.compile(
    r"\n[ \t*#>_-]*(?:question|problem|exercise|passage|task|instructions?|input|text|post|example)"
    r"(?: \d{1,3})?[ \t*_]*:",
    re.IGNORECASE,
)
_SEVERAL_BESIDE = re.compile(
    r"[\W_]*([A-Za-z](?!\w)(?:[\s)\].]*(?:,|and|or|&|/|;)[\s(\[]*(?:and |or )?[A-Za-z](?!\w)){1,6})[\s)\].]*[(\[][^()\[\]]{8,400}[)\]]\W*"
)
"""several letters, and a remark in brackets"""
_ANSWERS_BELOW = re.compile(
    r"(?i:(?<!\w)(?:(?:correct|right|best|final) )?(?:answers?|choices?|options|diagnos[ei]s)(?: to \w[^.:\n]{0,60})?(?: (?:is|are|would be|should be|include|seem to be))?(?: (?:as follows|the following|both))?):[*_ \t]*\n+"
)
_OPTION_HEAD = re.compile(r"[\s*_>-]*[(\[]?([A-Za-z])[)\].:]{1,2}[*_]* (\S[^\n]*)")
_TWO = 2
_LONE = re.compile(r"(?<!\w)[A-Za-z](?!\w)")


def options_at_the_end(text: str, choices: Choices) -> int | None:
    """Return where a text begins to list all options, with their letters, up to its end.

    What asks for the answer behind them may end it.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> choices = Choices.of(LabelSet.of_options(["flu", "cold"]))
    >>> options_at_the_end("It is a cold.  A) flu B) cold", choices)
    15
    >>> options_at_the_end("It is a cold. A) flu B) mumps", choices)
    """
    text = text.replace("\\n", "\n ")  # where a program has written line ends as two signs
    cue = _asking(text)
    text = text[: cue.start()].rstrip() if cue else text
    own = _own_texts(choices)
    if own is None or text.rstrip(_MARKS)[-1:].lower() != own[-1].rstrip(_MARKS)[-1:]:
        return None
    tokens = [*_TOKEN.finditer(text)]
    words, at = [each.group().lower() for each in tokens], len(tokens)
    keys = [label if label.isdecimal() else key for key, label in choices.letters.items()]
    for key, said in zip(reversed(keys), reversed(own), strict=True):
        whole = [key.lower(), *_TOKEN.findall(said)]
        if words[max(0, at - len(whole)) : at] != whole:
            return None
        at -= len(whole)
        at -= at > 0 and words[at - 1] == whole[0]  # as in "(a) A. flu"
    start = max(text.rfind(sign, 0, tokens[at].start()) for sign in " \n") + 1
    return start if _ENDS.search(text, 0, start) else None


def is_the_prompt(text: str, start: int) -> bool:
    """Say whether a text that lists its options from a place on is the question, and no answer.

    Examples
    --------
    >>> each = "Question: What is it? A: flu B: cold. Answer:"
    >>> is_the_prompt(each, 22), is_the_prompt(each[10:] + " B", 12)
    (True, False)
    """
    return _asking(text) is not None and _ASKED.search(text, 0, start) is not None


def _asking(text: str) -> re.Match[str] | None:
    return _CUE.search(text, max(0, len(text) - _CUE_REACH))


def is_led_to(text: str, start: int) -> bool:
    """Say whether a list is said to be what the text answers, all of it.

    Examples
    --------
    >>> [is_led_to(each, len(each)) for each in ("She has one of these: ", "Options: ", "Yes. ")]
    [True, False, False]
    """
    return _LEADS.search(text, 0, start) is not None


def own_question(text: str, start: int, choices: Choices) -> int | None:
    """Return where a question ends that names all options in order after a place.

    Examples
    --------
    >>> from assay.derive.labels import LabelSet
    >>> choices = Choices.of(LabelSet.of_options(["flu", "cold"]))
    >>> own_question("Q: What is it? A: flu B: cold. No fever: B", 0, choices)
    29
    """
    own, lowered = _own_texts(choices), text.lower()
    for each in own or ():
        start = lowered.find(each, start)
        if start < 0:
            return None
        start += len(each)
    return start if own else None


def _own_texts(choices: Choices) -> list[str] | None:
    """Return the texts of two options or more by their letters or numbers, if all have one."""
    texts = [
        next(
            (
                name
                for name, own in choices.owner.items()
                if own == label and name not in {label, key}
            ),
            "",
        )
        if label.isdecimal()
        else choices.text_of(key) or ""
        for key, label in choices.letters.items()
    ]
    texts = [each.strip(" .").lower() for each in texts]
    return texts if len(texts) > 1 and all(texts) else None


def after_dialogue(text: str, start: int) -> int | None:
    r"""Return where a text names its answer that first went on with a dialogue it was given.

    Examples
    --------
    >>> after_dialogue("Go on.\nUser: It is dark.\nAI: Light a lamp.\n\nLabel: fear", 6)
    43
    >>> after_dialogue("Go on.\nUser: Which?\nA) red\nAI: A\nLabel: fear", 6)
    """
    named = _NAMES_IT.search(text, start)
    if named is None or not _REPLY.search(text, start, named.start()):
        return None
    between = text[start : named.start()]
    other = _OTHER_TASK.search(between) or _ANY_OPTION.search(between)
    return None if other else named.start()


def before_questions(part: str, choices: Choices) -> Iterator[str]:
    """Yield what a text says before another question, with options of its own or asked again."""
    again, same = NEW_INPUT.search(part), asked_again(part)
    may = ((_RULED_OFF, _RULES.within(part)), (_IN_A_LINE, " Q" in part))
    for pattern in (each for each, worth in may if worth):
        if other := pattern.search(part):
            yield part[: other.start()].rstrip()
    found = [(each.start(), 0) for each in (new_options(part) if choices.letters else ())]
    found += [(again.start(), 2)] if again else []
    for at, further in found:
        start = part.rfind("\n\n", 0, at + further)
        if start > 0 or (start < 0 < (start := part.rfind("\n", 0, at))):
            yield part[:start].rstrip()
    if same:
        yield part[:same].rstrip()
    turns = [] if "A" in choices.letters or "\nB:" in part else [*_TURN.finditer(part)]
    if len(turns) > 1 and not turns[0].start():
        yield part[: turns[1].start()].rstrip()


def asked_again(text: str) -> int | None:
    r"""Return where a line begins that is a question, and that stands there once more below.

    Examples
    --------
    >>> asked_again("(B)\nWhich one is the fullest?\nRed\nWhich one is the fullest?\n")
    4
    """
    if text.count("?") < 2:  # noqa: PLR2004 - the question and its repetition
        return None
    seen: dict[str, int] = {}
    for each in _QUESTION.finditer(text):
        first = seen.setdefault(each.group().strip(" *\t"), each.start())
        if first < each.start():
            return first
    return None


def several_below(passage: Passage) -> str | None:
    r"""Say whether a text ends with several members below a line with a colon, or beside a remark.

    Examples
    --------
    >>> from assay.derive.choices import Choices
    >>> from assay.derive.labels import LabelSet
    >>> from assay.derive.mentions import fold
    >>> choices = Choices.of(LabelSet.of_options(["flu", "cold", "mumps"]))
    >>> several_below(Passage(fold("The answers are:\n\nA. flu\nB. cold"), choices))
    'undecided'
    """
    text, choices = passage.text, passage.choices
    own = {each.upper() for each in (*choices.letters, *choices.owner) if len(each) == 1}
    if len(own) < _TWO:
        return None
    if beside := _SEVERAL_BESIDE.fullmatch(text):
        letters = {each.upper() for each in _LONE.findall(beside[1])}
        return "undecided" if letters <= own and len(letters) > 1 else None
    led = [*_ANSWERS_BELOW.finditer(text)][-1:]
    lines = text[led[0].end() :].strip().split("\n") if led else []
    heads = [_OPTION_HEAD.fullmatch(each) for each in lines[: len(own)]]
    said = {each[1].upper() for each in heads if each and _is_no_more(passage, each)}
    several = _TWO <= len(said) == len(lines) < max(len(own), _TWO + 1)
    return "undecided" if several and said <= own else None


def _is_no_more(passage: Passage, item: re.Match[str]) -> bool:
    """Say whether an item is no more than a letter and its text, or a few words where none is known."""
    own = passage.choices.text_of(item[1].upper())
    said = item[2].strip(" *_.").lower()
    known = own is not None and len(own) > 1
    return said == own.strip(" .").lower() if own and known else said.count(" ") <= _TWO
