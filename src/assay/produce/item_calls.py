"""Scoring a questionnaire: what is asked for, and the calls that ask it, in passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from assay.errors import UsageError
from assay.produce.answers import Failure, answer_schema
from assay.produce.calls import Call, Facts, Made, Pass, Replies, check_settings, identity_of
from assay.produce.interviews import (
    APART,
    Embedding,
    Interview,
    Reference,
    Retrieved,
    most_similar,
    read_interviews,
    read_references,
    windows,
)
from assay.produce.item_results import made_of
from assay.produce.probe import (
    NEUTRAL,
    PROBE_TOKENS,
    Asking,
    Capabilities,
    Wish,
    capabilities,
    chat_body,
    check,
    logprobs,
    probe_calls,
    response_format,
)
from assay.produce.tasks import (
    ItemTask,
    Messages,
    TaskItem,
    all_items_messages,
    item_messages,
    read_item_task,
)
from assay.showing import quoted

if TYPE_CHECKING:
    from assay.produce.interviews import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsRequest:
    """What is asked for; every field is an option of the command."""

    data: str
    base_url: str
    """without credentials, for the record"""
    model: str
    task: str | None = None
    """None is the shipped PHQ-8"""
    mode: Literal["zero_shot", "few_shot"] = "zero_shot"
    items_per_call: Literal["one", "all"] = "one"
    items: tuple[str, ...] = ()
    """those of the task to ask for, all when empty"""
    temperature: float = 0.0
    seed: int = 42
    max_tokens: int | None = None
    """None is what the task says, times the number of items when all are asked for at once"""
    top_logprobs: int = 5
    consistency_samples: int = 0
    consistency_temperature: float = 0.2
    prediction: Literal["greedy", "modal"] = "greedy"
    references: str | None = None
    embedding_model: str | None = None
    embedding_base_url: str | None = None
    """for the record"""
    n_references: int = 2
    min_similarity: float = 0.0
    without: tuple[Wish, ...] = ()
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    embedding_extra_body: Mapping[str, Any] | None = None
    """None is the extra body of the questions"""
    probe_tokens: int = PROBE_TOKENS


@dataclass(frozen=True, slots=True)
class Draw:
    """One call for an answer: `greedy`, or one of the samples."""

    name: str
    temperature: float
    seed: int


@dataclass(frozen=True, slots=True)
class Unit:
    """What one call asks for: one item, or all of them."""

    name: str
    """the key of the item, or `all`"""
    items: tuple[TaskItem, ...]
    together: bool


def chosen(task: ItemTask, keys: Sequence[str]) -> tuple[TaskItem, ...]:
    """Return the items of a task that are asked for."""
    known = [item.key for item in task.items]
    for key in keys:
        if key not in known:
            msg = f"the task {task.name} has no item {quoted(key)}"
            raise UsageError(msg, hint=f"its items are {', '.join(known)}")
    return tuple(item for item in task.items if not keys or item.key in keys)


def check_request(request: ItemsRequest) -> None:
    """Refuse what does not fit together."""
    few_shot = request.mode == "few_shot"
    retrieval = (request.references, request.embedding_model)
    if few_shot and None in retrieval:
        msg = "--mode few_shot needs --references and --embedding-model"
        raise UsageError(msg, hint="the examples are scored passages, found by their embeddings")
    if not few_shot and retrieval != (None, None):
        msg = "--references and --embedding-model are for --mode few_shot"
        raise UsageError(msg, hint="zero-shot prompts hold no examples")
    if request.prediction == "modal" and request.consistency_samples < 1:
        msg = "--prediction modal needs --consistency-samples of at least 1"
        raise UsageError(msg, hint="the prediction is then the most frequent sampled score")
    check_settings(request)
    if request.consistency_samples and request.consistency_temperature <= 0:
        msg = "--consistency-temperature must be above 0: at 0 all samples are one and the same"
        raise UsageError(msg)


@dataclass(frozen=True, slots=True)
class Known:
    """The references as they were embedded, and how."""

    embedding: Embedding
    vectors: Vectors


def _own(interview: Interview) -> str:
    """Return how the keys of the calls that embed a transcript start."""
    return f"embed/{interview.participant_id}"


@dataclass(frozen=True)
class ItemCalls:
    """The calls that score every item of a questionnaire for every participant."""

    request: ItemsRequest
    task: ItemTask
    items: tuple[TaskItem, ...]
    interviews: Sequence[Interview]
    references: Sequence[Reference]
    hashes: Mapping[str, str]

    @cached_property
    def asking(self) -> Asking:
        """What all chat calls have in common."""
        asked = self.request
        return Asking(
            model=asked.model,
            seed=asked.seed,
            top_logprobs=asked.top_logprobs,
            without=frozenset(asked.without),
            extra_body=asked.extra_body,
            probe_tokens=asked.probe_tokens,
        )

    @property
    def identity(self) -> Mapping[str, Any]:
        """All that the answers depend on."""
        return identity_of("items", self.request, self.hashes)

    @property
    def units(self) -> tuple[Unit, ...]:
        """What each call asks for."""
        if self.request.items_per_call == "all":
            return (Unit("all", self.items, together=True),)
        return tuple(Unit(item.key, (item,), together=False) for item in self.items)

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The calls for each unit: the greedy one first, then samples with seeds of their own."""
        asked = self.request
        greedy = (Draw("greedy", asked.temperature, asked.seed),)
        samples = (
            Draw(f"sample-{number}", asked.consistency_temperature, asked.seed + number)
            for number in range(1, asked.consistency_samples + 1)
        )
        return (*(greedy if asked.prediction == "greedy" else ()), *samples)

    @property
    def max_tokens(self) -> int:
        """The limit of one answer."""
        n_items = len(self.items) if self.request.items_per_call == "all" else 1
        return self.request.max_tokens or self.task.max_tokens * n_items

    @property
    def n_calls(self) -> int:
        """The number of calls of all passes."""
        probes = sum(1 for _ in self._probe(None))
        embedded = sum(1 for _ in self._embedding_calls(self.embedding))
        return probes + embedded + len(self.interviews) * len(self.units) * len(self.draws)

    @property
    def few_shot(self) -> bool:
        """Whether prompts hold examples."""
        return self.request.mode == "few_shot"

    @property
    def passes(self) -> Sequence[Pass]:
        """Find out what the servers can do, embed what is compared, then ask."""
        embeds = (self._embed, self._embed_apart) if self.few_shot else ()
        return (self._probe, *embeds, self._ask)

    def capabilities(self, replies: Replies) -> Capabilities:
        """Return what the servers can do."""
        return capabilities(self.asking, replies, embedding=self.embedding)

    def _probe(self, _replies: Replies | None) -> Iterator[Call]:
        yield from probe_calls(
            self.asking,
            max_tokens=self.max_tokens,
            embedding=self.embedding,
        )

    def _able(self, replies: Replies) -> Capabilities:
        able = self.capabilities(replies)
        samples = self.request.consistency_samples
        check(able, self.asking, samples=samples, embedding=self.few_shot)
        return able

    @property
    def embedding(self) -> Embedding | None:
        """How texts are embedded, as far as it is known before a server was probed."""
        asked = self.request
        if asked.embedding_model is None:
            return None
        own = asked.embedding_extra_body
        return Embedding(asked.embedding_model, asked.extra_body if own is None else own)

    def _embedding_of(self, able: Capabilities) -> Embedding | None:
        """Return how texts are embedded: each alone where a server mixes them up."""
        planned = self.embedding
        mixed = planned is not None and able.embeddings_together is False
        return replace(planned, per_call=1) if planned is not None and mixed else planned

    def _embed(self, replies: Replies) -> Iterator[Call]:
        yield from self._embedding_calls(self._embedding_of(self._able(replies)))

    def _embed_apart(self, replies: Replies) -> Iterator[Call]:
        """Yield a call for each of the texts that were refused together."""
        embedding = self._embedding_of(self._able(replies))
        if embedding is not None:
            for prefix, texts in self._embedded():
                counting = embedding.counting(prefix, texts, replies)
                yield from (call for call in counting if call.key.startswith(APART))

    def n_apart(self, replies: Replies) -> int:
        """Return how many texts were embedded on their own because they were refused together."""
        return sum(1 for _ in self._embed_apart(replies)) if self.few_shot else 0

    def _embedding_calls(self, embedding: Embedding | None) -> Iterator[Call]:
        if embedding is not None:
            for prefix, texts in self._embedded():
                yield from embedding.calls(prefix, texts)

    def _embedded(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the texts that are compared, with how the keys of their calls start."""
        yield "embed-references", [each.text for each in self.references]
        for interview in self.interviews:
            yield _own(interview), windows(interview.transcript)

    def _ask(self, replies: Replies) -> Iterator[Call]:
        able = self._able(replies)
        known = self.known(replies)
        for interview in self.interviews:
            try:
                examples = self.retrieved(interview, known, replies)
            except Failure:
                continue  # the participant fails: see `item_results`
            yield from self._interview_calls(interview, examples, able)

    def _interview_calls(
        self, interview: Interview, examples: Mapping[str, list[Retrieved]], able: Capabilities
    ) -> Iterator[Call]:
        needs = frozenset({"logprobs"} if self.asking.wants("logprobs") else ())
        for unit in self.units:
            messages = self.messages(interview, unit, examples)
            for draw in self.draws:
                body = chat_body(
                    self.asking,
                    messages,
                    max_tokens=self.max_tokens,
                    temperature=draw.temperature,
                    seed=draw.seed,
                    more=self._asked_beside(unit, able),
                )
                key = self.key(interview, unit, draw)
                yield Call(key, "chat/completions", body, needs=needs)

    def _asked_beside(self, unit: Unit, able: Capabilities) -> dict[str, Any]:
        more: dict[str, Any] = dict(NEUTRAL) if able.sampling_parameters else {}
        if self.asking.wants("logprobs"):
            more |= logprobs(self.asking.top_logprobs)
        if self.asking.wants("json_schema"):
            schema = answer_schema(self.task, unit.items if unit.together else None)
            more |= response_format("answer", schema)
        return more

    def key(self, interview: Interview, unit: Unit, draw: Draw) -> str:
        """Return the key of a call."""
        return f"items/{interview.participant_id}/{unit.name}/{draw.name}"

    def messages(
        self, interview: Interview, unit: Unit, examples: Mapping[str, list[Retrieved]]
    ) -> Messages:
        """Return the prompt of a unit; without examples it is that of zero-shot."""
        shown = [
            (each.reference.text, item.key, each.score)
            for item in unit.items
            for each in examples.get(item.key, ())
        ]
        if unit.together:
            return all_items_messages(self.task, unit.items, interview.transcript, shown)
        return item_messages(self.task, unit.items[0], interview.transcript, shown)

    def known(self, replies: Replies) -> Known | None:
        """Return the embeddings of the references; None when nothing is retrieved."""
        embedding = self._embedding_of(self.capabilities(replies))
        if embedding is None:
            return None
        texts = [each.text for each in self.references]
        try:
            return Known(embedding, embedding.vectors("embed-references", texts, replies))
        except Failure as failure:
            msg = f"the references could not be embedded: {failure}"
            raise UsageError(msg, hint="shorten long passages, or use --mode zero_shot") from None

    def retrieved(
        self, interview: Interview, known: Known | None, replies: Replies
    ) -> Mapping[str, list[Retrieved]]:
        """Return the examples of every item, or raise `Failure` where embeddings are missing."""
        if known is None:
            return {}
        texts = windows(interview.transcript)
        own = known.embedding.vectors(_own(interview), texts, replies)
        if own.shape[1] != known.vectors.shape[1]:
            raise Failure("the embeddings do not all have the same length")
        return most_similar(
            interview,
            self.references,
            (known.vectors @ own.T).max(axis=1),
            most=self.request.n_references,
            least=self.request.min_similarity,
        )

    def is_complete(self, interview: Interview, known: Known | None, replies: Replies) -> bool:
        """Say whether every call about a participant has its reply."""
        keys = [self.key(interview, unit, draw) for unit in self.units for draw in self.draws]
        if known is not None:
            texts = windows(interview.transcript)
            calls = known.embedding.counting(_own(interview), texts, replies)
            embedded = [call.key for call in calls]
            if not all(key in replies for key in embedded):
                return False
            if any(replies.has_failed(key) for key in embedded):
                return True  # it has failed, and is asked nothing else
        return all(key in replies for key in keys)

    def preview(self) -> Iterable[Call]:
        """Return the calls as they would be without examples and with all that is asked for."""
        yield from self._probe(None)
        yield from self._embedding_calls(self.embedding)
        for interview in self.interviews:
            yield from self._interview_calls(interview, {}, Capabilities(sampling_parameters=True))


class ItemsJob(ItemCalls):
    """Score every item of a questionnaire for every participant."""

    def made(self, replies: Replies, facts: Facts) -> Made:
        """Return the run file, and the prompts under their hashes."""
        return made_of(self, replies, facts)


def items_job(request: ItemsRequest) -> ItemsJob:
    """Read and check all that a run needs; nothing is sent yet."""
    check_request(request)
    task, task_hash = read_item_task(request.task)
    interviews, data_hash = read_interviews(request.data, task)
    references: Sequence[Reference] = ()
    hashes = {"task": task_hash, "data": data_hash}
    if request.references is not None:
        references, hashes["references"] = read_references(request.references, task)
    return ItemsJob(
        request=request,
        task=task,
        items=chosen(task, request.items),
        interviews=interviews,
        references=references,
        hashes=hashes,
    )
