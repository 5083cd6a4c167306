"""Evidence in a transcript: quotations that are really in it, and sentences with keywords."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assay.derive.snippets import normalized

__all__ = ["Heard", "keyword_sentences", "spoken"]

SPEAKER = re.compile(r"\s*([^\W\d_][\w .'-]{0,40}?)\s*:\s")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Heard:
    r"""What was said in an interview, in the forms that are searched.

    Examples
    --------
    >>> heard = Heard.of("Ellie: Do you sleep?\nAnn: No, I can't sleep.", interviewers=["Ellie"])
    >>> heard.holds("I can\u2019t  SLEEP"), heard.holds("cannot sleep"), heard.spoken
    (True, False, "Ann: No, I can't sleep.")
    """

    plain: str
    """all of it, normalized"""
    spoken: str
    """as it is, without what the interviewers say"""

    @classmethod
    def of(cls, transcript: str, *, interviewers: Collection[str]) -> Heard:
        """Prepare a transcript to be searched."""
        return cls(normalized(transcript), spoken(transcript, interviewers))

    def holds(self, quotation: str) -> bool:
        """Say whether a quotation is verbatim, apart from case, white space and quote marks."""
        plain = normalized(quotation)
        return bool(plain) and plain in self.plain


def spoken(transcript: str, interviewers: Collection[str]) -> str:
    r"""Return what everybody but the interviewers says.

    A line that starts with a name and a colon starts a turn, which goes on until the next.

    Examples
    --------
    >>> spoken("Ellie: how do you sleep?\nBadly, I mean.\nAnn: Not well.\nAt all.", ["Ellie"])
    'Ann: Not well.\nAt all.'
    """
    asking = {name.casefold() for name in interviewers}
    kept, silent = [], False
    for line in transcript.splitlines():
        if label := SPEAKER.match(line):
            silent = label[1].casefold() in asking
        if not silent:
            kept.append(line)
    return "\n".join(kept)


def keyword_sentences(text: str, keywords: Sequence[str]) -> tuple[str, ...]:
    """Return the different sentences that hold a keyword as whole words, in any case.

    Examples
    --------
    >>> keyword_sentences("I sleep badly. Asleep by ten. I SLEEP badly.", ["sleep"])
    ('I sleep badly.',)
    """
    pattern = _pattern(tuple(keywords))
    hits = (each for each in _sentences(text) if pattern.search(each))
    return tuple({each.casefold(): each for each in reversed(list(hits))}.values())[::-1]


def _sentences(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from (each.strip() for each in SENTENCE_END.split(line))


@lru_cache(maxsize=256)
def _pattern(keywords: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(re.escape(each.strip()) for each in keywords if each.strip())
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)" if words else r"(?!)", re.IGNORECASE)
