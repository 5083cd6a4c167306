"""Replies as servers send them, written by hand, and a journal that is a dictionary."""

from __future__ import annotations

import json
import math

from assay.produce.calls import PROBE, Reply


class Canned(dict):
    """Replies by key."""

    def add(self, key, body=None, *, status=200, error=None):
        encoded = None if body is None else json.dumps(body).encode()
        self[key] = Reply(key, "0" * 64, status, encoded, error, 1, 0.1, None, None)
        return self

    def has_failed(self, key):
        return key in self and self[key].error is not None and not key.startswith(PROBE)


def choice(text, *, finish_reason="stop", logprobs=None, **message):
    return {
        "message": {"role": "assistant", "content": text, **message},
        "finish_reason": finish_reason,
        "logprobs": logprobs,
    }


def chat(text, **more):
    return {"choices": [choice(text, **more)], "model": "tiny"}


def token(text, probability, alternatives=(), *, spelled=True):
    """One token of a reply; alternatives are texts with their probabilities."""
    return {
        "token": text,
        "bytes": list(text.encode()) if spelled else None,
        "logprob": math.log(probability),
        "top_logprobs": [
            {"token": each, "logprob": math.log(share)} for each, share in alternatives
        ],
    }


def answer(score=1, *, evidence=(), confidence=3, **more):
    return {"evidence": list(evidence), "score": score, "confidence": confidence, **more}


def spelled_out(text, k=5):
    """Logprobs of a text, one character per token, each with k alternatives."""
    others = [("x", 0.1), ("y", 0.05), ("z", 0.02), ("w", 0.01)]
    return {"content": [token(each, 0.5, [(each, 0.5), *others][:k]) for each in text]}


def answering(value, **more):
    """A whole reply with an answer and its logprobs."""
    text = json.dumps(value)
    return chat(text, logprobs=spelled_out(text), **more)


def probed(replies, *, k=5, embeddings=False):
    """Add the replies of a server that can do everything."""
    sentence = "The sea."
    for name in ("seed-1", "seed-2", "sampling_parameters"):
        replies.add(f"probe/{name}", chat(sentence))
    replies.add("probe/seed-3", chat("A wave."))
    replies.add("probe/logprobs", chat(sentence, logprobs=spelled_out(sentence, k)))
    replies.add("probe/top_logprobs", chat(sentence, logprobs=spelled_out(sentence, k)))
    replies.add("probe/json_schema", chat('{"colour": "white", "number": 1}'))
    replies.add("probe/n", {"choices": [choice(sentence), choice(sentence)]})
    if embeddings:
        rows = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
        replies.add("probe/embeddings/0", vectors(*rows, *rows[:1] * 13))
        replies.add("probe/embeddings-again/0", vectors(rows[0]))
        for number, row in enumerate(rows):
            replies.add(f"probe/embeddings-alone/{number}", vectors(row))
    return replies


def vectors(*rows):
    return {"data": [{"index": n, "embedding": list(row)} for n, row in enumerate(rows)]}
