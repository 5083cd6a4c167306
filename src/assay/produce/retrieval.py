"""Retrieval: the scored passages that are most like a transcript, by embeddings.

A transcript is cut into windows, since an embedding model takes a few hundred tokens at most. How
similar a passage is to the transcript is the largest cosine between its embedding and that of a
window.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import numpy as np

from assay.produce.answers import Failure
from assay.produce.calls import Call, Replies, Reply
from assay.showing import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.produce.interviews import Interview, Reference

    Vectors: TypeAlias = NDArray[np.float64]

__all__ = [
    "Retrieved",
    "embedding_calls",
    "most_similar",
    "n_embedding_calls",
    "vectors",
    "windows",
]

WINDOW_WORDS = 120
TEXTS_PER_CALL = 16


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


def embedding_calls(prefix: str, texts: Sequence[str], model: str) -> Iterator[Call]:
    """Yield the calls that embed texts, a few at a time."""
    for number, first in enumerate(range(0, len(texts), TEXTS_PER_CALL)):
        body = {"model": model, "input": list(texts[first : first + TEXTS_PER_CALL])}
        yield Call(f"{prefix}/{number}", "embeddings", body, server="embedding")


def n_embedding_calls(n_texts: int) -> int:
    """Return how many calls embed so many texts."""
    return -(-n_texts // TEXTS_PER_CALL)


def vectors(prefix: str, texts: Sequence[str], replies: Replies) -> Vectors:
    """Return the embeddings of texts, of length 1 each, or raise `Failure` where one is missing."""
    parts = []
    for number in range(n_embedding_calls(len(texts))):
        first = number * TEXTS_PER_CALL
        wanted = len(texts[first : first + TEXTS_PER_CALL])
        parts.append(_decoded(replies.get(f"{prefix}/{number}"), wanted))
    if len({part.shape[1] for part in parts}) > 1:
        raise Failure("the embeddings do not all have the same length")
    return np.concatenate(parts)


def _decoded(reply: Reply | None, wanted: int) -> Vectors:
    if reply is None or reply.error is not None or reply.body is None:
        reason = reply.error if reply and reply.error else "the call was not made"
        raise Failure(f"no embeddings: {reason}")
    try:
        data = BODY.decode(reply.body).data
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
