"""Answers: the JSON that is asked for, and the check of what comes back.

Three outcomes are kept apart: an answer with a score, an abstention (the score is null), and a
failure, which is everything that cannot be read as either: truncated, empty, not JSON, of the
wrong types, off the scale.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from json.decoder import scanstring  # type: ignore[attr-defined]  # not in the stubs
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from assay.derive.signals import found
from assay.showing import counted

if TYPE_CHECKING:
    from assay.produce.calls import Reply
    from assay.produce.tasks import ItemTask, TaskItem

Form: TypeAlias = Literal["plain", "fenced", "embedded"]
"""the answer was the JSON and nothing else, stood in a Markdown fence, or among other text"""
CONFIDENCES = (1, 2, 3, 4, 5)
NOT_ANSWERED = frozenset({"n/a", "na", "null", "none"})
SPACES = " \t\r\n"
FENCE = "```"
THOUGHT = "</think>"
LONGEST_SHOWN = 200
MARKER_LENGTH = 80


class Failure(Exception):  # noqa: N818 - it is an outcome, not a fault of this program
    """What came back is not an answer; the text says why in one sentence."""


class Message(msgspec.Struct):
    """The message of a choice."""

    content: str | list[Any] | None = None
    """a text, or its parts, among which may be thoughts"""
    refusal: Any = None
    reasoning_content: Any = None
    reasoning: Any = None
    """the same under another name; some servers send more than a text"""


class Choice(msgspec.Struct):
    """One answer of a reply."""

    message: Message
    finish_reason: Any = None
    logprobs: msgspec.Raw = msgspec.Raw(b"null")


class Body(msgspec.Struct):
    """A reply of the chat endpoint; what is not listed is ignored."""

    choices: list[Choice]
    model: Any = None
    """a text, as the next, where servers keep to what is documented"""
    system_fingerprint: Any = None


@dataclass(frozen=True, slots=True)
class Completion:
    """A text that a server generated, and what it said about it."""

    text: str
    finish_reason: str | None
    logprobs: msgspec.Raw
    model: str | None
    fingerprint: str | None
    n_choices: int
    reasoning: str | None = None
    """what a server keeps apart from the text"""


@dataclass(frozen=True, slots=True)
class Answer:
    """The checked answer for one item."""

    score: int | None
    """None is an abstention"""
    evidence: tuple[str, ...]
    confidence: int | None
    inference_used: bool | None
    """None where the task asks for no inference"""
    inference_type: str | None
    inference_marker: str | None
    score_span: tuple[int, int]
    """where the score stands in the text, in bytes"""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The answers of one text, by item, and in what form they came."""

    answers: Mapping[str, Answer]
    form: Form


BODY = msgspec.json.Decoder(Body)


def completion(reply: Reply | None) -> Completion:
    """Return the text of a reply, or raise `Failure` where there is none that is whole."""
    if reply is None:
        raise Failure("the call was not made")
    if reply.error is not None or reply.body is None:
        raise Failure(reply.error or "the server sent no answer")
    try:
        body = BODY.decode(reply.body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Failure(f"the reply is not that of a chat endpoint: {error}") from None
    if not body.choices:
        raise Failure("the reply holds no choices")
    choice = body.choices[0]
    message = choice.message
    if refusal := _text(message.refusal):
        raise Failure(f"the model refused: {_shown(refusal)}")
    text, thought = _said(message.content)
    return Completion(
        text=text,
        finish_reason=_text(choice.finish_reason),
        logprobs=choice.logprobs,
        model=_text(body.model),
        fingerprint=_text(body.system_fingerprint),
        n_choices=len(body.choices),
        reasoning=_text(message.reasoning_content) or _text(message.reasoning) or thought,
    )


def _said(content: Any) -> tuple[str, str | None]:
    """Return what a message says, and what was thought before.

    Examples
    --------
    >>> _said([{"type": "thinking", "thinking": "Well."}, {"type": "text", "text": "Yes."}])
    ('Yes.', 'Well.')
    """
    if type(content) is not list:
        return _text(content) or "", None
    parts = [part for part in content if type(part) is dict]
    thoughts = "".join(_said(part.get("thinking"))[0] for part in parts)
    return "".join(_text(part.get("text")) or "" for part in parts), thoughts or None


def _text(value: Any) -> str | None:
    return value if type(value) is str else None


def after_thinking(answer: Completion) -> Completion:
    r"""Leave out what a model thought aloud before its answer, where a server does not.

    What is blank between the two belongs to neither.

    Examples
    --------
    >>> said = Completion('<think>{"score": 1}? No.</think>\n\n{"score": 2}', *[None] * 5)
    >>> after_thinking(said).text
    '{"score": 2}'
    """
    _, thought, rest = answer.text.rpartition(THOUGHT)
    # A quotation in the answer may hold the mark, too.
    if thought and "{" in rest:
        return replace(answer, text=rest.strip(SPACES))
    return replace(answer, text=answer.text.strip(SPACES)) if answer.reasoning else answer


def answer_schema(task: ItemTask, items: Sequence[TaskItem] | None = None) -> dict[str, Any]:
    """Return the JSON schema of the answer for one item, or for several at once."""
    if items is None:
        return _object(_item_properties(task))
    return _object({item.key: _object(_item_properties(task)) for item in items})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _item_properties(task: ItemTask) -> dict[str, Any]:
    quotation = {"type": "string", "maxLength": task.max_quote_length}
    properties: dict[str, Any] = {
        "evidence": {"type": "array", "maxItems": task.max_quotes, "items": quotation},
        "score": {"anyOf": [{"enum": list(task.scores)}, {"type": "null"}]},
        "confidence": {"anyOf": [{"enum": list(CONFIDENCES)}, {"type": "null"}]},
    }
    if task.inference:
        types = [each.type for each in task.inference]
        marker = {"type": "string", "maxLength": MARKER_LENGTH}
        properties["inference_type"] = {"anyOf": [{"enum": types}, {"type": "null"}]}
        properties["inference_marker"] = {"anyOf": [marker, {"type": "null"}]}
    return properties


def parsed(answer: Completion, task: ItemTask, items: Sequence[TaskItem] | None = None) -> Parsed:
    """Check an answer for one item (under the key "") or for several, or raise `Failure`."""
    text = answer.text
    if answer.finish_reason == "length":
        length = counted(len(text), "character")
        raise Failure(f"truncated: the answer reached the token limit after {length}")
    if answer.finish_reason == "content_filter":
        raise Failure("the server's content filter stopped the answer")
    if not text.strip():
        raise Failure("the answer is empty")
    start, form = _start_of_json(text)
    spans = _members(text, start)
    if items is None:
        return Parsed({"": _answer(text, spans, task, place="the answer")}, form)
    answers = {}
    for item in items:
        if item.key not in spans:
            raise Failure(f"the answer lacks the item {item.key}")
        place = f"item {item.key}"
        answers[item.key] = _answer(
            text, _members(text, spans[item.key][0], place), task, place=place
        )
    return Parsed(answers, form)


def _shown(text: str) -> str:
    short = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
    return ascii(short)


def _start_of_json(text: str) -> tuple[int, Form]:
    """Find the object that is the answer: all of the text, in a fence, or the first there is."""
    stripped = text.strip()
    if stripped.startswith("{"):
        start = text.index("{")
        return start, "plain" if text[_end(text, start) :].strip() == "" else "embedded"
    start = text.find("{")
    if start < 0:
        raise Failure(f"the answer is not JSON: {_shown(text)}")
    opened = text[:start].strip().removesuffix("json").removesuffix("JSON").rstrip()
    return start, "fenced" if opened == FENCE else "embedded"


def _end(text: str, start: int) -> int:
    try:
        return json.JSONDecoder().raw_decode(text, start)[1]
    except (ValueError, RecursionError) as error:
        reason = error.msg if type(error) is json.JSONDecodeError else "it cannot be read"
        raise Failure(f"the answer is not whole JSON: {reason}: {_shown(text)}") from None


def _members(text: str, start: int, place: str = "the answer") -> dict[str, tuple[int, int]]:
    """Return where each value of an object stands, in characters; of equal keys the last."""
    if text[start] != "{":
        raise Failure(f"{place} must be an object")
    end = _end(text, start)
    spans: dict[str, tuple[int, int]] = {}
    position = _skipped(text, start + 1)
    while position < end and text[position] == '"':
        key, position = scanstring(text, position + 1, True)  # noqa: FBT003 - their signature
        position = _skipped(text, _skipped(text, position) + 1)
        value_end = _end(text, position)
        spans[key] = (position, value_end)
        position = _skipped(text, _skipped(text, value_end) + 1)
    return spans


def _skipped(text: str, position: int) -> int:
    while position < len(text) and text[position] in SPACES:
        position += 1
    return position


def _answer(
    text: str, spans: Mapping[str, tuple[int, int]], task: ItemTask, *, place: str
) -> Answer:
    for key in ("evidence", "score", "confidence"):
        if key not in spans:
            raise Failure(f"{place} lacks the key {key}")
    values = {key: _value(text[start:end], place) for key, (start, end) in spans.items()}
    score = _whole(values["score"], task.scores, f"{place}: the score")
    stated = _whole(values["confidence"], CONFIDENCES, f"{place}: the confidence")
    types = [each.type for each in task.inference]
    inferred = values.get("inference_type") if types else None
    if inferred is not None and inferred not in types:
        raise Failure(f"{place}: the inference type is none of {types}, found {found(inferred)}")
    start, end = spans["score"]
    return Answer(
        score=score,
        evidence=_quotations(values["evidence"], place),
        confidence=None if score is None else stated,
        inference_used=inferred is not None if types else None,
        inference_type=inferred,
        inference_marker=_marker(values.get("inference_marker"), place) if inferred else None,
        score_span=(len(text[:start].encode()), len(text[:end].encode())),
    )


def _value(text: str, place: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Failure(f"{place} is not valid JSON: {error}") from None


def _whole(value: Any, allowed: Collection[int], place: str) -> int | None:
    """Read a whole number as the seeds do: also as 2.0, "2" or, for none, "N/A"."""
    number = value
    if type(number) is str:
        if number.strip().lower() in NOT_ANSWERED:
            return None
        number = _number(number)
    if number is None and value is None:
        return None
    if type(number) is float and number.is_integer():
        number = int(number)
    if type(number) is not int or number not in allowed:
        low, high = min(allowed), max(allowed)
        msg = f"{place} must be null or a whole number from {low} to {high}, found {found(value)}"
        raise Failure(msg)
    return number


def _number(text: str) -> float | None:
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return None


def _quotations(value: Any, place: str) -> tuple[str, ...]:
    if type(value) is not list or not all(type(each) is str for each in value):
        raise Failure(f"{place}: the evidence must be a list of texts, found {found(value)}")
    return tuple(each.strip() for each in value if each.strip())


def _marker(value: Any, place: str) -> str | None:
    if value is not None and type(value) is not str:
        raise Failure(f"{place}: the inference marker must be a text, found {found(value)}")
    return value or None
