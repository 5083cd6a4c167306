"""Texts of models: what is thought and what is said, and how long and how odd a text is.

Everything here takes time in proportion to the text, whatever the text holds.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from assay.derive import patterns as re

Think = Literal["any", "reference"]
"""Which think blocks are taken out: all, or (`reference`) closed ones in small letters only."""

_NOT_A_WORD = re.compile(r"[^\w\s-]")
# Both cases spelled out: a literal "<" in front makes the search several times faster.
_TAG = re.compile(
    r"<(/?)(?:[tT][hH][iI][nN][kK](?:[iI][nN][gG])?|[tT]hought|[rR]easoning|[sS]cratchpad|seed:think)\s*>"
)
# Less usual marks of a thought, and those of a channel: the name of the channel, then its text.
_RARE_TAG = re.compile(
    rf"{_TAG.pattern}|\[(/?)THINK\]|\u25c1(/?)think\u25b7|<\|(?:begin|(end))_of_thought\|>"
    r"|<\|(/?)think\|>|<\|(?:START|(END))_THINKING\|>|<unused9(?:4|(5))>"
    r"|<\|channel>(?:thought|thinking|analysis)|<(channel)\|>"
    r"|<\|im_start\|>(?:think|(answer))[ \t]*\n"
)
_SOFT_TAG = re.compile(rf"{_TAG.pattern}|<(/?)(?:analysis|reflection|reason|thoughts|rationale)>")
"""blocks of other names are thoughts only where something follows all of them"""
_RARE = (
    "[THINK]",
    "\u25c1",
    "_of_thought|>",
    "think|>",
    "_THINKING|>",
    "<unused9",
    "channel>",
    "channel|>",
    "<|im_start|>think",
    "<|im_start|>answer",
)
_HEADED_THOUGHT = re.compile(
    r"\s*(?:#{1,4}[ \t]*|\*\*)(?:Thinking|Thoughts?|(?:Thinking|Thought) Process)"
    r"[ \t]*:?(?:\*\*)?:?[ \t]*\n",
    re.IGNORECASE,
)
_HEADED_ANSWER = re.compile(
    r"\n[ \t]*(?:#{1,4}[ \t]*|\*\*)(?:Final )?(?:Response|Answer|Output)"
    r"[ \t]*:?(?:\*\*)?:?[ \t]*\n",
    re.IGNORECASE,
)
"""headings of a thought, and of what is said after it"""
_CHANNEL = re.compile(r"<\|channel\|>\s*([a-z]+)[^<]{0,40}<\|message\|>")
_GLUED = "assistantfinal"
"""what is left between two channels where their marks were taken out"""
_CONTENT_TAG = re.compile(r"</?[cC][oO][nN][tT][eE][nN][tT]\s*>")
_FRAMED = re.compile(r"<(?:answer|final)>[^<>]*</(?:answer|final)>\s*\Z")
"""a frame of its own at the end of a thought that is not closed"""
_ASCII = bytes(range(128))
_BLANK_OR_NOT = bytes(ord(" " if chr(each).isspace() else "x") for each in _ASCII).ljust(256, b"x")
_NO_LETTERS = bytes(each for each in range(128) if not chr(each).isalpha())
_WORDS, _LINES, _FULL = 250, 25, 3.0


def normalize_text(text: str) -> str:
    """Reduce a text to lower-case words, hyphens kept, one space between them.

    Accents are split off by the compatibility form and, being no word characters, become spaces;
    so do apostrophes.

    Examples
    --------
    >>> normalize_text("The patient's  mood: LOW (2-3 weeks)!")
    'the patient s mood low 2-3 weeks'
    >>> normalize_text("naïve")
    'nai ve'
    """
    plain = text if text.isascii() else unicodedata.normalize("NFKD", text)
    return " ".join(_NOT_A_WORD.sub(" ", plain.lower()).split())


@dataclass(frozen=True, slots=True)
class Thought:
    """A text taken apart into its think blocks and the rest."""

    said: str
    """the text without think blocks and content tags"""
    thought: str | None
    """what the first think block holds; None without one"""
    closed: bool
    """whether every think block is closed"""


def split_thought(text: str, *, think: Think = "any") -> Thought:
    """Take think blocks out of a text.

    Tags count in any case, and so do the channels of some models. A block that is not closed goes
    on to the end, or to a content tag. A text before a closing tag without an opening one was
    thought too: some chat templates open the block in the prompt. Where nothing follows a second
    closing tag, what stands before it is said.

    Examples
    --------
    >>> split_thought("<THINK>low mood</think> Depression")
    Thought(said='Depression', thought='low mood', closed=True)
    >>> split_thought("<think>low mood, no end")
    Thought(said='', thought='low mood, no end', closed=False)
    >>> split_thought("low mood</think>Depression").thought
    'low mood'
    """
    return _closed_small(text) if think == "reference" else _any_case(text)


@lru_cache(maxsize=2)  # the readings of one text follow each other
def _any_case(text: str) -> Thought:
    if "<|channel|>" in text or (text.startswith("analysis") and _GLUED in text):
        return _of_channels(text)
    if headed := _of_headings(text):
        return headed
    kept: list[str] = []
    thoughts: list[str] = []
    at, opened = 0, -1
    between = ""
    for tag in _tags_of(text).finditer(text):
        closes = any(tag.groups())
        if opened >= 0 and closes:
            thoughts.append(text[opened : tag.start()])
            opened, at = -1, tag.end()
        elif opened < 0 and closes:
            # What was kept since the last block was thought as well.
            between = text[at : tag.start()] if thoughts else ""
            thoughts.append(text[at : tag.start()])
            at = tag.end()
        elif opened < 0:
            kept.append(text[at : tag.start()])
            opened = tag.end()
    if opened < 0:
        kept.append(text[at:])
        if between and not any(map(str.strip, kept)):
            kept = [between]
        return _taken_apart(kept, thoughts, closed=True)
    thought, content, rest = text[opened:].partition("<content>")
    framed = None if content else _FRAMED.search(text, opened)
    if framed:
        thought, content, rest = text[opened : framed.start()], framed[0], framed[0]
    return _taken_apart([*kept, rest], [*thoughts, thought], closed=bool(content))


def _of_headings(text: str) -> Thought | None:
    """Take apart a text that thinks below one heading and answers below another."""
    headed = _HEADED_THOUGHT.match(text)
    answer = _HEADED_ANSWER.search(text, headed.end() - 1) if headed else None
    if headed is None or answer is None:
        return None
    return _taken_apart([text[answer.end() :]], [text[headed.end() : answer.start()]])


def _tags_of(text: str) -> re.Pattern[str]:
    """Return the pattern of the tags that enclose thoughts in a text."""
    if any(each in text for each in _RARE):
        return _RARE_TAG
    soft = [*_SOFT_TAG.finditer(text)] if "<" in text else []
    closing = [any(each.groups()) for each in soft]
    paired = closing == [False, True] * (len(soft) // 2)
    return _SOFT_TAG if soft and paired and text[soft[-1].end() :].strip() else _TAG


def _of_channels(text: str) -> Thought:
    """Take apart what a model thinks in one channel and says in another."""
    marks = [*_CHANNEL.finditer(text)]
    final = [each for each in marks if each[1] == "final"]
    if final:
        return _taken_apart([text[final[-1].end() :]], [text[marks[0].end() : final[-1].start()]])
    if not marks and _GLUED in text:
        thought, _, rest = text.removeprefix("analysis").rpartition(_GLUED)
        return _taken_apart([rest], [thought])
    return _taken_apart([], [text[marks[0].end() if marks else 0 :]], closed=False)


def whole_output(text: str, *, reasoning: str | None = None, prompt: str | None = None) -> str:
    r"""Put a thought that came beside a text, or was opened by the prompt, in front of the text.

    Examples
    --------
    >>> whole_output("PTSD", reasoning="nightmares")
    '<think>nightmares</think>\nPTSD'
    >>> whole_output("nightmares, and", prompt="Why? <think>")
    '<think>nightmares, and'
    """
    if reasoning and reasoning.strip() and not _TAG.search(text):
        return f"<think>{reasoning}</think>\n{text}"
    opened = prompt is not None and prompt.rstrip().endswith(("<think>", "<thinking>"))
    return f"<think>{text}" if opened and not _TAG.match(text.lstrip()) else text


def _taken_apart(kept: list[str], thoughts: list[str], *, closed: bool = True) -> Thought:
    rest = "".join(kept)
    rest = (_CONTENT_TAG.sub("", rest) if "<" in rest else rest).strip()
    return Thought(rest, thoughts[0].strip() if thoughts else None, closed)


def _closed_small(text: str) -> Thought:
    kept: list[str] = []
    thoughts: list[str] = []
    at = 0
    while (start := text.find("<think>", at)) >= 0 and (end := text.find("</think>", start)) >= 0:
        kept.append(text[at:start])
        thoughts.append(text[start + len("<think>") : end])
        at = end + len("</think>")
    kept.append(text[at:])
    return _taken_apart(kept, thoughts, closed=True)


def said(text: str, *, think: Think = "any") -> str:
    """Return a text without its think blocks.

    Examples
    --------
    >>> said("<think>hm</think>PTSD")
    'PTSD'
    """
    return split_thought(text, think=think).said


@lru_cache(maxsize=2)  # as above
def n_words(text: str) -> int:
    """Count what white space separates, think blocks included.

    Examples
    --------
    >>> n_words("two  words")
    2
    """
    if any(map(str.isspace, set(beyond_ascii(text)))):
        return len(text.split())
    # A word begins wherever something follows white space: counting that makes no words.
    signs = text.encode("utf-8", "surrogatepass").translate(_BLANK_OR_NOT)
    return (b" " + signs).count(b" x")


def has_words(text: str, n: int) -> bool:
    """Say whether a text has at least n words, without counting the rest.

    Examples
    --------
    >>> has_words("two  words", 2), has_words("two  words", 3)
    (True, False)
    """
    return len(text.split(maxsplit=n)) >= n


def verbosity(text: str) -> float:
    """Return the decimal logarithm of the words plus one.

    Examples
    --------
    >>> verbosity("one two three four five six seven eight nine")
    1.0
    """
    return math.log10(n_words(text) + 1)


def format_noise(text: str) -> float:
    """Return the share of the characters above code point 127; NaN for an empty text.

    Examples
    --------
    >>> format_noise("abc…")
    0.25
    """
    if not text:
        return math.nan
    return len(beyond_ascii(text)) / len(text)


def beyond_ascii(text: str) -> str:
    """Return the characters of a text above code point 127, in order.

    Examples
    --------
    >>> beyond_ascii("naïve…")
    'ï…'
    """
    if text.isascii():
        return ""
    # In UTF-8 every byte of such a character is above 127.
    encoded = text.encode("utf-8", "surrogatepass")
    return encoded.translate(None, _ASCII).decode("utf-8", "surrogatepass")


def complexity(text: str, *, think: Think = "any") -> float:
    """Return a mark from 0 to 3 for length, lines, symbols and scripts; NaN for an empty text.

    Up to 1 for 250 words, 0.5 for 25 lines with text, 1 for a fifth of the characters not being
    ASCII, 1 for half of the letters not being Latin, and 0.25 for a think block. Words are those
    of the whole text, lines and shares those of the text without think blocks.

    Examples
    --------
    >>> complexity("word " * 125)
    0.52
    >>> complexity("<think>.</think>ответ")
    2.274
    """
    if not text.strip():
        return math.nan
    parts = split_thought(text, think=think)
    lines = sum(1 for line in parts.said.splitlines() if line.strip())
    noise = format_noise(parts.said) if parts.said else 0.0
    mark = (
        min(1.0, n_words(text) / _WORDS)
        + min(1.0, lines / _LINES) / 2
        + min(1.0, 5 * noise)
        + min(1.0, 2 * _foreign_share(parts.said))
        + (0.25 if _thinks(text, parts, think) else 0.0)
    )
    return min(_FULL, mark)


def _thinks(text: str, parts: Thought, think: Think) -> bool:
    """Say whether there is a thought; for the reference a tag of one, closed or not."""
    if think == "any":
        return parts.thought is not None
    return "<think>" in (lower := text.lower()) or "</think>" in lower


def _foreign_share(text: str) -> float:
    """Return the share of the letters that are not Latin."""
    if text.isascii():
        return 0.0
    latin = len(text.encode("ascii", "ignore").translate(None, _NO_LETTERS))
    foreign = 0
    for sign, n in Counter(beyond_ascii(text)).items():
        if sign.isalpha():
            is_latin = unicodedata.name(sign, "").startswith("LATIN")
            latin, foreign = latin + n * is_latin, foreign + n * (not is_latin)
    return foreign / (latin + foreign) if foreign else 0.0


_BOX_LENGTH = 240


def closing(text: str, at: int) -> int | None:
    """Return where the brace that was opened before a position is closed."""
    depth = 1
    for place in range(at, min(len(text), at + _BOX_LENGTH)):
        depth += (text[place] == "{") - (text[place] == "}")
        if not depth:
            return place
    return None
