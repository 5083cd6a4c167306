"""What a server can do, found out before the run by asking for it.

Servers answer with status 200 and leave out what they cannot do, so nothing that a server accepts
counts: only what it returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from assay.errors import UsageError
from assay.produce.answers import Completion, Failure, completion
from assay.produce.calls import Call, Replies
from assay.produce.interviews import TEXTS_PER_CALL, Embedding
from assay.produce.signals import NoTokens, aligned
from assay.showing import counted

if TYPE_CHECKING:
    from assay.produce.interviews import Vectors

Wish: TypeAlias = Literal["logprobs", "seed", "json_schema"]
MOST_ALTERNATIVES = 20
"""what the OpenAI endpoint allows"""
NEUTRAL = {"top_k": 0, "min_p": 0.0, "repeat_penalty": 1.0}
"""sampling from the whole distribution: servers have other defaults, and not all know the names"""
SENTENCE = [{"role": "user", "content": "Write one short sentence about the sea."}]
COLOUR = [
    {
        "role": "user",
        "content": 'Answer with JSON: {"colour": the colour of snow, "number": 1 or 2}',
    }
]
COLOUR_SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string", "maxLength": 20}, "number": {"enum": [1, 2]}},
    "required": ["colour", "number"],
    "additionalProperties": False,
}
TEXTS = [
    "The sea is calm today.",
    "Bread is baked in an oven.",
    "I wake at three nearly every night, and then I lie there until the birds start to sing. " * 3,
]
"""of different lengths: what is computed in one go may be filled up to the longest"""
COMPANY = [*TEXTS, *(f"Day {number}." for number in range(len(TEXTS), TEXTS_PER_CALL))]
"""as many as are sent together later: a server may do well with a few and not with many"""
ROUNDING = 1e-5
"""how far two embeddings of one text may be apart, as 1 - cosine"""
PROBE_TOKENS = 12
"""enough for the start of a sentence, and not for a model that thinks before it speaks"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What every chat call of a run has in common."""

    model: str
    seed: int = 42
    top_logprobs: int = 5
    """0 asks for no logprobs"""
    without: frozenset[Wish] = frozenset()
    """what is not asked for, because a server lacks it"""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    """merged into each body; null removes a key"""
    probe_tokens: int = PROBE_TOKENS
    """the limit of the answers that only find out what a server can do"""

    def wants(self, wish: Wish) -> bool:
        """Say whether something is asked for."""
        return wish not in self.without and (wish != "logprobs" or self.top_logprobs > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a server returned when it was asked; None where it was not asked."""

    logprobs: bool | None = None
    max_top_logprobs: int | None = None
    """as many as were returned of 20, or of the run's number where 20 were refused"""
    token_bytes: bool | None = None
    n: bool | None = None
    seed: bool | None = None
    """the same seed gave the same text"""
    seed_varies: bool | None = None
    """another seed gave another text"""
    json_schema: bool | None = None
    sampling_parameters: bool | None = None
    """it takes top_k, min_p and repeat_penalty, which are then sent with values of no effect"""
    embeddings: bool | None = None
    embeddings_together: bool | None = None
    """a text has the same embedding in company as alone; else each is sent on its own"""
    model: str | None = None
    system_fingerprint: str | None = None
    problems: Mapping[str, str] = field(default_factory=dict)
    """why something is not there"""


def chat_body(
    asking: Asking,
    messages: Sequence[Mapping[str, str]],
    *,
    max_tokens: int,
    temperature: float = 0.0,
    seed: int | None = None,
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the JSON of a chat call; every sampling parameter is sent, none left to the server."""
    body: dict[str, Any] = {
        "model": asking.model,
        "messages": list(messages),
        "temperature": temperature,
        "top_p": 1.0,
        "max_tokens": max_tokens,
    }
    if asking.wants("seed"):
        body["seed"] = asking.seed if seed is None else seed
    merged = {**body, **(more or {}), **asking.extra_body}
    return {name: value for name, value in merged.items() if value is not None}


def response_format(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return what asks for an answer of a shape."""
    described = {"name": name, "strict": True, "schema": dict(schema)}
    return {"response_format": {"type": "json_schema", "json_schema": described}}


def logprobs(k: int) -> dict[str, Any]:
    """Return what asks for logprobs with k alternatives."""
    return {"logprobs": True, "top_logprobs": k}


def probe_calls(
    asking: Asking, *, max_tokens: int, embedding: Embedding | None = None
) -> Iterator[Call]:
    """Yield the calls that find out what a server can do."""
    for name, (messages, seed, limit, more) in _questions(asking, max_tokens).items():
        warm = 1.0 if name.startswith("seed") else 0.0
        body = chat_body(asking, messages, max_tokens=limit, temperature=warm, seed=seed, more=more)
        yield Call(f"probe/{name}", "chat/completions", body)
    if embedding is not None:
        single = replace(embedding, per_call=1)
        yield from embedding.calls("probe/embeddings", COMPANY, alone=True)
        yield from single.calls("probe/embeddings-alone", TEXTS)
        yield from single.calls("probe/embeddings-again", TEXTS[:1])


def unheard(call: Call) -> Call:
    """Return a question like another that was never asked: no cache can have the answer.

    Examples
    --------
    >>> [text] = unheard(Call("probe/e", "embeddings", {"input": ["The sea."]})).body["input"]
    >>> text.startswith("The sea. "), text == "The sea."
    (True, False)
    """
    body, more = dict(call.body), f" {token_hex(4)}"
    if "input" in body:
        body["input"] = [text + more for text in body["input"]]
    if "messages" in body:
        body["messages"] = [
            {**each, "content": each["content"] + more} for each in body["messages"]
        ]
    return replace(call, body=body)


def _questions(asking: Asking, max_tokens: int) -> dict[str, tuple[Any, int, int, Any]]:
    """Return messages, seed, token limit and what else is sent, by name; `seed-1` always is."""
    short = (SENTENCE, asking.seed, asking.probe_tokens)
    questions: dict[str, tuple[Any, int, int, Any]] = {"seed-1": (*short, None)}
    if asking.wants("seed"):
        questions["seed-2"] = (*short, None)
        questions["seed-3"] = (SENTENCE, asking.seed + 1, asking.probe_tokens, None)
    if asking.wants("logprobs"):
        questions["logprobs"] = (*short, logprobs(asking.top_logprobs))
        questions["top_logprobs"] = (*short, logprobs(MOST_ALTERNATIVES))
    if asking.wants("json_schema"):
        more = response_format("colour", COLOUR_SCHEMA)
        questions["json_schema"] = (COLOUR, asking.seed, max_tokens, more)
    questions["n"] = (*short, {"n": 2})
    questions["sampling_parameters"] = (*short, NEUTRAL)
    return questions


def capabilities(
    asking: Asking, replies: Replies, *, embedding: Embedding | None = None
) -> Capabilities:
    """Read off what a server can do; raise where it does not answer at all."""
    first = _first(replies)
    problems: dict[str, str] = {}
    found: dict[str, Any] = {"model": first.model, "system_fingerprint": first.fingerprint}
    if asking.wants("seed"):
        found |= _seeds(first, replies, problems)
    if asking.wants("logprobs"):
        found |= _logprobs(asking.top_logprobs, replies, problems)
    if asking.wants("json_schema"):
        found["json_schema"] = _held("json_schema", _schema, replies, problems)
    found["n"] = _held("n", _two, replies, problems)
    found["sampling_parameters"] = _held("sampling_parameters", _any, replies, problems)
    if embedding is not None:
        found |= _embeddings(embedding, replies, problems)
    return Capabilities(**found, problems=problems)


def _first(replies: Replies) -> Completion:
    try:
        return completion(replies.get("probe/seed-1"))
    except Failure as failure:
        msg = f"the server does not answer a plain question: {failure}"
        hint = "check --base-url (it usually ends in /v1), --model and the key"
        raise UsageError(msg, hint=hint) from None


def _held(name: str, test: Any, replies: Replies, problems: dict[str, str]) -> bool:
    try:
        test(completion(replies.get(f"probe/{name}")))
    except Failure as failure:
        problems[name] = str(failure)
        return False
    return True


def _spoken(answer: Completion) -> Completion:
    """Refuse an answer without text."""
    if answer.text.strip():
        return answer
    if answer.finish_reason == "length":
        raise Failure("no text came within --probe-tokens; a model that thinks first needs more")
    raise Failure("the answer is empty")


def _any(_answer: Completion) -> None:
    return


def _two(answer: Completion) -> None:
    if answer.n_choices != 2:  # noqa: PLR2004 - as many as were asked for
        raise Failure(f"asked for 2 choices and got {answer.n_choices}")


def _schema(answer: Completion) -> None:
    try:
        value = msgspec.json.decode(answer.text)
    except (msgspec.DecodeError, RecursionError):
        raise Failure(f"the answer is not JSON: {answer.text[:80]!a}") from None
    if type(value) is not dict or set(value) != {"colour", "number"}:
        raise Failure(f"the answer does not have the keys of the schema: {answer.text[:80]!a}")


def _seeds(first: Completion, replies: Replies, problems: dict[str, str]) -> dict[str, bool]:
    def same(answer: Completion) -> None:
        if answer.text != _spoken(first).text:
            raise Failure("the same seed gave another text")

    def other(answer: Completion) -> None:
        if answer.text == first.text:
            raise Failure("another seed gave the same text")

    return {
        "seed": _held("seed-2", same, replies, problems),
        "seed_varies": _held("seed-3", other, replies, problems),
    }


def _logprobs(k: int, replies: Replies, problems: dict[str, str]) -> dict[str, Any]:
    returned = {
        name: _alternatives(f"probe/{name}", asked, replies, name, problems)
        for name, asked in (("logprobs", k), ("top_logprobs", MOST_ALTERNATIVES))
    }
    fewest = returned["logprobs"]
    if fewest is not None and fewest < k:
        asked = counted(k, "alternative")
        problems["logprobs"] = f"asked for {asked} of a token and got {fewest}"
    reported = replies.get("probe/logprobs")
    body = (reported.body if reported else None) or b""
    return {
        "logprobs": fewest is not None and fewest >= k,
        "max_top_logprobs": max((each for each in returned.values() if each), default=None),
        "token_bytes": b'"bytes":[' in body.replace(b" ", b"") if fewest is not None else None,
    }


def _alternatives(
    key: str, asked: int, replies: Replies, name: str, problems: dict[str, str]
) -> int | None:
    try:
        answer = _spoken(completion(replies.get(key)))
        tokens = aligned(answer.text, answer.logprobs, asked)
    except (Failure, NoTokens) as reason:
        problems[name] = str(reason)
        return None
    return min(len(token.alternatives) for token in tokens)


def _embeddings(
    embedding: Embedding, replies: Replies, problems: dict[str, str]
) -> dict[str, bool | None]:
    """Compare what one text gives alone, alone once more, and in company."""
    single = replace(embedding, per_call=1)
    try:
        alone = single.vectors("probe/embeddings-alone", TEXTS, replies)
        again = single.vectors("probe/embeddings-again", TEXTS[:1], replies)
        _compare(alone[:1], again, "one text gave two embeddings")
    except Failure as failure:
        problems["embeddings"] = str(failure)
        return {"embeddings": False, "embeddings_together": None}
    try:
        company = embedding.vectors("probe/embeddings", COMPANY, replies)[: len(TEXTS)]
        _compare(alone, company, "a text has another embedding in company than alone")
    except Failure as failure:
        problems["embeddings_together"] = str(failure)
    return {"embeddings": True, "embeddings_together": "embeddings_together" not in problems}


def _compare(some: Vectors, others: Vectors, fault: str) -> None:
    if some.shape != others.shape:
        raise Failure("the embeddings do not all have the same length")
    apart = float((1 - (some * others).sum(1)).max())
    if apart > ROUNDING:
        raise Failure(f"{fault} (1 - cosine is {apart:.2g})")


def check(able: Capabilities, asking: Asking, *, samples: int, embedding: bool) -> None:
    """Refuse a run that needs what the server did not return."""
    missing = {
        "logprobs": (asking.wants("logprobs") and not able.logprobs, "token signals"),
        "json_schema": (asking.wants("json_schema") and not able.json_schema, "checked answers"),
        "seed": (samples > 0 and asking.wants("seed") and not able.seed, "repeatable samples"),
        "embeddings": (embedding and not able.embeddings, "few-shot references"),
    }
    names = {"seed": "seed-2"}
    for name, (lacks, use) in missing.items():
        if lacks:
            problem = able.problems.get(names.get(name, name)) or "it was not returned"
            msg = f"the server lacks {name}, which {use} need: {problem}"
            hint = (
                "name another server with --embedding-base-url, or use --mode zero_shot"
                if name == "embeddings"
                else f"go on without it with --without {name}; what it gives is then null"
            )
            raise UsageError(msg, hint=hint)
