"""Retrieval: the scored passages that are most like a transcript, by embeddings.

A transcript is cut into windows, since an embedding model takes a few hundred tokens at most. How
similar a passage is to the transcript is the largest cosine between its embedding and that of a
window.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np

from assay.produce.answers import Failure
from assay.produce.calls import Call, Replies, Reply
from assay.showing import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.produce.interviews import Interview, Reference

    Vectors: TypeAlias = NDArray[np.float64]

WINDOW_WORDS = 120
TEXTS_PER_CALL = 16
"""where a server gives a text the same embedding in company as alone"""
APART = "apart-"
"""starts the key of a call for one of the texts that were refused together"""


class Vector(msgspec.Struct):
    """One embedding of a reply."""

    embedding: list[float]
    index: int | None = None


class Body(msgspec.Struct):
    """A reply of the embeddings endpoint."""

    data: list[Vector]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A reference that is shown as an example, and how similar it is."""

    reference: Reference
    score: int
    similarity: float


BODY = msgspec.json.Decoder(Body)


def windows(text: str) -> list[str]:
    """Cut a text into pieces of 120 words, half of which the next piece has too.

    Examples
    --------
    >>> pieces = windows(" ".join(map(str, range(200))))
    >>> [(piece.split()[0], piece.split()[-1]) for piece in pieces]
    [('0', '119'), ('60', '179'), ('120', '199')]
    """
    words = text.split()
    step = WINDOW_WORDS // 2
    starts = range(0, max(len(words) - step, 1), step)
    return [" ".join(words[start : start + WINDOW_WORDS]) for start in starts]


@dataclass(frozen=True, slots=True)
class Embedding:
    """How texts are embedded: by which model, and how many in one call."""

    model: str
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    """merged into each body; null removes a key"""
    per_call: int = TEXTS_PER_CALL
    """1 where a server gives a text another embedding in company than alone"""

    def calls(self, prefix: str, texts: Sequence[str], *, alone: bool = False) -> Iterator[Call]:
        """Yield the calls that embed texts."""
        alone = alone or self.per_call == 1
        for number, first in enumerate(range(0, len(texts), self.per_call)):
            given = list(texts[first : first + self.per_call])
            body = {"model": self.model, "input": given, **self.extra_body}
            sent = {name: value for name, value in body.items() if value is not None}
            yield Call(
                f"{prefix}/{number}",
                "embeddings",
                sent,
                server="embedding",
                alone=alone,
                flaw=partial(_flaw, wanted=len(given)),
            )

    def counting(self, prefix: str, texts: Sequence[str], replies: Replies) -> Iterator[Call]:
        """Yield the calls that count: for texts that were refused together, one for each.

        A server may take no more at once than so many tokens in all, and each text be short enough.
        """
        single = replace(self, per_call=1)
        for call in self.calls(prefix, texts):
            if len(call.body["input"]) > 1 and replies.has_failed(call.key):
                yield from single.calls(f"{APART}{call.key}", call.body["input"])
            else:
                yield call

    def vectors(self, prefix: str, texts: Sequence[str], replies: Replies) -> Vectors:
        """Return the embeddings of texts, of length 1 each, or raise `Failure` without one."""
        calls = self.counting(prefix, texts, replies)
        return _joined([_decoded(replies.get(call.key), len(call.body["input"])) for call in calls])


def _joined(parts: Sequence[Vectors]) -> Vectors:
    if len({part.shape[1] for part in parts}) > 1:
        raise Failure("the embeddings do not all have the same length")
    return np.concatenate(parts)


def _decoded(reply: Reply | None, wanted: int) -> Vectors:
    if reply is None or reply.error is not None or reply.body is None:
        reason = reply.error if reply and reply.error else "the call was not made"
        raise Failure(f"no embeddings: {reason}")
    return _read(reply.body, wanted)


def _flaw(body: bytes, wanted: int) -> str | None:
    try:
        _read(body, wanted)
    except Failure as failure:
        return str(failure)
    return None


def _read(body: bytes, wanted: int) -> Vectors:
    try:
        data = BODY.decode(body).data
    except (msgspec.DecodeError, RecursionError) as error:
        raise Failure(f"the reply is not that of an embeddings endpoint: {error}") from None
    if len(data) != wanted:
        raise Failure(f"asked for {counted(wanted, 'embedding')} and got {len(data)}")
    ordered = sorted(data, key=lambda each: each.index or 0)
    if len({len(each.embedding) for each in ordered}) > 1:
        raise Failure("the embeddings do not all have the same length")
    rows = np.array([each.embedding for each in ordered], np.float64)
    with np.errstate(over="ignore"):
        lengths = np.sqrt((rows * rows).sum(1, keepdims=True)) if rows.size else np.zeros((1, 1))
    if not np.isfinite(lengths).all() or not lengths.all():
        raise Failure("an embedding has no length")
    return rows / lengths


def most_similar(
    interview: Interview,
    references: Sequence[Reference],
    similarity: Vectors,
    *,
    most: int,
    least: float,
) -> Mapping[str, list[Retrieved]]:
    """Return for every item the scored references that are most similar, most similar first."""
    found: dict[str, list[Retrieved]] = {}
    ranked = sorted(range(len(references)), key=lambda each: (-similarity[each], each))
    for number in ranked:
        reference, value = references[number], float(similarity[number])
        own = reference.participant_id is not None
        if own and str(reference.participant_id) == str(interview.participant_id):
            continue
        for item, score in reference.scores.items():
            if value >= least and len(found.setdefault(item, [])) < most:
                found[item].append(Retrieved(reference, score, value))
    return found
