"""Signals of one item: numbers that say how sure a system is, and why one of them is null."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from assay.derive.agreement import agreement
from assay.derive.snippets import normalized
from assay.derive.token_signals import Token, over, token_signals

if TYPE_CHECKING:
    from assay.produce.answers import Answer
    from assay.produce.interviews import Retrieved
    from assay.produce.tasks import TaskItem

ABOVE_ZERO = 1e-4
"""how far a logprob may be above 0 through rounding"""


class NoTokens(Exception):  # noqa: N818 - it is a reason, not a fault of this program
    """There are no token signals; the text says why."""


class Alternative(msgspec.Struct):
    """A token that could have stood there."""

    logprob: float
    token: str = ""


class Entry(msgspec.Struct):
    """One token as a server reports it."""

    token: str
    logprob: float
    bytes: list[int] | None = None
    top_logprobs: list[Alternative] | None = None


class Reported(msgspec.Struct):
    """The logprobs of a choice."""

    content: list[Entry] | None = None


REPORTED: msgspec.json.Decoder[Reported | None] = msgspec.json.Decoder(Reported | None)


def aligned(text: str, logprobs: msgspec.Raw, k: int) -> tuple[Token, ...]:
    """Return the tokens that carry a text, or raise `NoTokens` with the reason.

    A model that thinks aloud may write its answer down before it gives it: the last time counts. A
    server that adds the emitted token to its k alternatives sends k + 1; the k largest count.

    Examples
    --------
    >>> raw = msgspec.Raw(b'''{"content": [{"token": "`", "logprob": -0.1},
    ...     {"token": "4", "logprob": -0.5, "top_logprobs": [{"token": "4", "logprob": -0.5}]},
    ...     {"token": "2`", "logprob": -0.3}, {"token": "", "bytes": [], "logprob": -0.2}]}''')
    >>> [(token.start, token.end, token.logprob) for token in aligned("42", raw, 1)]
    [(0, 1, -0.5), (1, 3, -0.3)]
    """
    entries = _entries(logprobs)
    pieces = [_bytes(entry) for entry in entries]
    wanted = text.encode()
    offset = b"".join(pieces).rfind(wanted)
    if offset < 0 or not wanted:
        raise NoTokens("the tokens do not spell the answer")
    tokens, position = [], -offset
    for entry, piece in zip(entries, pieces, strict=True):
        start, position = position, position + len(piece)
        if piece and start < len(wanted) and position > 0:
            tokens.append(_token(entry, start, position, k))
    return tuple(tokens)


def _entries(logprobs: msgspec.Raw) -> Sequence[Entry]:
    try:
        reported = REPORTED.decode(logprobs)
    except (msgspec.DecodeError, RecursionError) as error:
        raise NoTokens(f"the logprobs do not have the documented shape: {error}") from None
    if reported is None or not reported.content:
        raise NoTokens("the server returned no logprobs")
    return reported.content


def _bytes(entry: Entry) -> bytes:
    if entry.bytes is None:
        return entry.token.encode()
    try:
        return bytes(entry.bytes)
    except ValueError:
        raise NoTokens("the bytes of a token are not bytes") from None


def _token(entry: Entry, start: int, end: int, k: int) -> Token:
    ranked = sorted(entry.top_logprobs or (), key=lambda each: -each.logprob)[:k]
    for logprob in (entry.logprob, *(each.logprob for each in ranked)):
        if logprob > ABOVE_ZERO:
            raise NoTokens(f"a logprob is above 0: {logprob:g}")
    return Token(
        start=start,
        end=end,
        logprob=min(entry.logprob, 0.0),
        alternatives=tuple(min(each.logprob, 0.0) for each in ranked),
        outside=all(each.token != entry.token for each in ranked),
    )


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


TOKEN_NAMES = ("msp", "pe", "energy")
INFERENCE_REASONS = {
    None: "the task asks for no inference",
    False: "the model reported no inference",
    True: "the model named no words",
}
NO_ALTERNATIVES = "the server returned no alternatives for a token"


@dataclass(frozen=True, slots=True)
class Examples:
    """What the prompt showed for the item."""

    retrieved: Sequence[Retrieved]
    otherwise: str
    """why there is nothing, where there is nothing"""


@dataclass(frozen=True, slots=True)
class Draws:
    """Several answers to one question, each with a seed of its own."""

    asked: int
    scores: Sequence[int | None]
    """of those that could be read"""


def item_signals(
    item: TaskItem,
    answer: Answer,
    *,
    heard: Heard,
    tokens: Sequence[Token] | NoTokens,
    draws: Draws,
    examples: Examples,
) -> dict[str, Any]:
    """Return all signals of one item; `signal_reasons` says why one is null."""
    reasons: dict[str, str] = {}
    signals = {
        **_evidence(item, answer, heard, reasons),
        **_inference(answer, reasons),
        **_retrieval(examples, reasons),
        **_stated(answer, reasons),
        **_tokens(tokens, answer.score_span, reasons),
        **_consistency(draws, reasons),
    }
    return {**signals, "signal_reasons": reasons}


def _evidence(
    item: TaskItem, answer: Answer, heard: Heard, reasons: dict[str, str]
) -> dict[str, Any]:
    hits = len(keyword_sentences(heard.spoken, item.keywords)) if item.keywords else None
    if hits is None:
        reasons["keyword_evidence_count"] = "the task has no keywords for the item"
    sources = {(True, True): "both", (True, False): "llm", (False, True): "keyword"}
    source = sources.get((bool(answer.evidence), bool(hits)))
    if source is None:
        reasons["evidence_source"] = "neither a quotation nor a keyword was found"
    return {
        "llm_evidence_count": len(answer.evidence),
        "evidence_verbatim_count": sum(map(heard.holds, answer.evidence)),
        "keyword_evidence_count": hits,
        "evidence_source": source,
    }


def _inference(answer: Answer, reasons: dict[str, str]) -> dict[str, Any]:
    signals = {
        "inference_used": answer.inference_used,
        "inference_type": answer.inference_type,
        "inference_marker": answer.inference_marker,
    }
    why = INFERENCE_REASONS[answer.inference_used]
    reasons |= {name: why for name, value in signals.items() if value is None}
    return signals


def _retrieval(examples: Examples, reasons: dict[str, str]) -> dict[str, Any]:
    values = [each.similarity for each in examples.retrieved]
    if not values:
        absent = ("retrieval_similarity_mean", "retrieval_similarity_max")
        reasons |= dict.fromkeys(absent, examples.otherwise)
    return {
        "retrieval_reference_count": len(values),
        "retrieval_similarity_mean": sum(values) / len(values) if values else None,
        "retrieval_similarity_max": max(values, default=None),
        "retrieval_references": [each.reference.name for each in examples.retrieved],
    }


def _stated(answer: Answer, reasons: dict[str, str]) -> dict[str, Any]:
    if answer.confidence is None:
        abstained = answer.score is None
        why = "the model abstained" if abstained else "the model stated no confidence"
        reasons["verbalized_confidence"] = why
    return {"verbalized_confidence": answer.confidence}


def _tokens(
    tokens: Sequence[Token] | NoTokens, span: tuple[int, int], reasons: dict[str, str]
) -> dict[str, Any]:
    if isinstance(tokens, NoTokens):
        absent = [*_named("token", None), *_named("score_token", None)]
        reasons |= dict.fromkeys(absent, str(tokens))
        return dict.fromkeys(absent)
    answer, score = _named("token", tokens), _named("score_token", over(tokens, span))
    for values in (answer, score):
        reasons |= {name: NO_ALTERNATIVES for name, value in values.items() if value is None}
    return {**answer, **score}


def _named(prefix: str, tokens: Sequence[Token] | None) -> dict[str, Any]:
    names = [*(f"{prefix}_{name}" for name in TOKEN_NAMES), f"{prefix}_count"]
    more = [f"{prefix}_top_k", f"{prefix}_outside_top_k"]
    if tokens is None:
        return dict.fromkeys([*names, *more])
    means = token_signals(tokens)
    values = (means.msp, means.pe, means.energy, means.count, means.fewest, means.n_outside)
    return dict(zip([*names, *more], values, strict=True))


def _consistency(draws: Draws, reasons: dict[str, str]) -> dict[str, Any]:
    values: Mapping[str, Any] = dict.fromkeys(
        ("modal_score", "modal_count", "modal_confidence", "score_std", "na_rate", "samples")
    )
    if draws.scores:
        agreed = agreement(draws.scores)
        values = {
            "modal_score": agreed.score,
            "modal_count": agreed.count,
            "modal_confidence": agreed.share,
            "score_std": agreed.spread,
            "na_rate": agreed.abstained,
            "samples": list(draws.scores),
        }
        why = "the modal answer is an abstention"
    else:
        why = "no samples were asked for" if not draws.asked else "no sample could be read"
    named = {f"consistency_{name}": value for name, value in values.items()}
    reasons |= {name: why for name, value in named.items() if value is None}
    return {**named, "consistency_failed": draws.asked - len(draws.scores)}
