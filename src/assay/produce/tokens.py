"""Tokens of an answer: what a server says about them, laid along the text by bytes.

The tokens are not always the text: a server may take a fence or a final newline away, and report
tokens that are halves of a character. So the bytes of all tokens are joined, the text is looked
for in them, and only the tokens that carry a part of it count.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from assay.derive.token_signals import Token

__all__ = ["NoTokens", "aligned"]

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
