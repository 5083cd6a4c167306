"""Tokens of an answer: what a server says about them, laid along the text by bytes.

The tokens are not always the text: a server may take a fence or a final newline away, and report
tokens that are halves of a character. So the bytes of all tokens are joined, the text is looked
for in them, and only the tokens that carry a part of it count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

__all__ = ["NoTokens", "Token", "TokenSignals", "aligned", "over", "token_signals"]

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


@dataclass(frozen=True, slots=True)
class Token:
    """A token that carries a part of the text."""

    start: int
    """its first byte in the text; below 0 when the token starts before it"""
    end: int
    logprob: float
    alternatives: tuple[float, ...]
    """the k largest logprobs, largest first"""
    outside: bool
    """it is not among its alternatives"""


@dataclass(frozen=True, slots=True)
class TokenSignals:
    """The means over some tokens; None where there is nothing to take them of."""

    msp: float
    """of the probability of the token that was emitted"""
    pe: float | None
    """of the entropy of the renormalized alternatives, in nats"""
    energy: float | None
    """of the log-sum-exp of the alternatives' logprobs"""
    count: int
    fewest: int
    """the smallest number of alternatives of a token"""
    n_outside: int


REPORTED: msgspec.json.Decoder[Reported | None] = msgspec.json.Decoder(Reported | None)


def aligned(text: str, logprobs: msgspec.Raw, k: int) -> tuple[Token, ...]:
    """Return the tokens that carry a text, or raise `NoTokens` with the reason.

    A server that adds the emitted token to its k alternatives sends k + 1; the k largest count.

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
    offset = b"".join(pieces).find(wanted)
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


def over(tokens: Sequence[Token], span: tuple[int, int]) -> tuple[Token, ...]:
    """Return the tokens that carry a part of a span of the text."""
    return tuple(token for token in tokens if token.start < span[1] and token.end > span[0])


def token_signals(tokens: Sequence[Token]) -> TokenSignals:
    """Return the means over tokens, of which there is at least one.

    Examples
    --------
    >>> half = Token(0, 1, math.log(0.5), (math.log(0.5), math.log(0.25)), outside=False)
    >>> signals = token_signals([half])
    >>> round(signals.msp, 3), round(signals.pe, 3), round(signals.energy, 3)
    (0.5, 0.637, -0.288)
    """
    fewest = min(len(token.alternatives) for token in tokens)
    count = len(tokens)
    energies = [_energy(token.alternatives) for token in tokens] if fewest else []
    entropies = [
        _entropy(token.alternatives, energy)
        for token, energy in zip(tokens, energies, strict=False)
    ]
    return TokenSignals(
        msp=math.fsum(math.exp(token.logprob) for token in tokens) / count,
        pe=math.fsum(entropies) / count if fewest else None,
        energy=math.fsum(energies) / count if fewest else None,
        count=count,
        fewest=fewest,
        n_outside=sum(token.outside for token in tokens),
    )


def _energy(logprobs: Sequence[float]) -> float:
    largest = max(logprobs)
    return largest + math.log(math.fsum(math.exp(each - largest) for each in logprobs))


def _entropy(logprobs: Sequence[float], energy: float) -> float:
    return math.fsum((energy - each) * math.exp(each - energy) for each in logprobs)
