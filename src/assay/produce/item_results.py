"""The run file: what the replies of a run say about every participant and item."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import msgspec

from assay.derive.agreement import settled
from assay.derive.token_signals import Token
from assay.produce.answers import (
    Answer,
    Completion,
    Failure,
    Form,
    after_thinking,
    completion,
    parsed,
)
from assay.produce.calls import Made, run_id
from assay.produce.signals import Draws, Examples, Heard, NoTokens, aligned, item_signals
from assay.produce.tasks import PROMPTS_NAME, PromptFile
from assay.showing import counted

if TYPE_CHECKING:
    from assay.produce.calls import Facts, Replies
    from assay.produce.interviews import Interview
    from assay.produce.item_calls import ItemCalls, Unit
    from assay.produce.tasks import TaskItem

DIGITS = 6
"""as many as the seeds' run files have"""
GREEDY = "greedy"
ZERO_SHOT = "zero-shot prompts hold no examples"
NOT_SIMILAR = "no reference was similar enough"
NOT_ASKED = "logprobs were not asked for"


@dataclass(frozen=True, slots=True)
class Read:
    """One reply, read: the answers by item, and the tokens of the whole."""

    answers: Mapping[str, Answer]
    tokens: Sequence[Token] | NoTokens
    """read only where they may count"""
    form: Form
    completion: Completion


@dataclass(frozen=True, slots=True)
class Replied:
    """All that came back for one unit and could be read."""

    greedy: Read | None
    """None where the prediction is taken from the samples"""
    samples: Sequence[Read]
    n_samples: int
    """that were asked for"""
    prompt: str

    def draws(self, key: str) -> Draws:
        """Return the sampled scores of an item."""
        return Draws(self.n_samples, [read.answers[key].score for read in self.samples])

    def counting(self, key: str) -> Read:
        """Return the reply that is the answer for an item."""
        return self.greedy or self.samples[settled(self.draws(key).scores)]


def made_of(job: ItemCalls, replies: Replies, facts: Facts) -> Made:
    """Return the run file and the prompts under their hashes, and how many of what there are."""
    prompts = PromptFile()
    known = job.known(replies)
    asked = job.interviews
    if facts.stopped is not None:
        asked = [each for each in asked if job.is_complete(each, known, replies)]
    people = [_person(job, each, known, replies, prompts) for each in asked]
    stored = prompts.finished()
    partial = facts.partial(participants_left=len(job.interviews) - len(people))
    run = {
        "run_metadata": {**_metadata(job, facts), "partial": partial},
        "experiments": [
            {
                "provenance": _provenance(job, replies, people, stored),
                "results": _results(job, people, facts),
            }
        ],
    }
    files = {PROMPTS_NAME: stored, "run.json": msgspec.json.encode(run) + b"\n"}
    warnings = [*_lost_logprobs(job, people), *_one_by_one(job, replies)]
    return Made(files, _counts(people), _failure(people), warnings)


def _one_by_one(job: ItemCalls, replies: Replies) -> list[str]:
    problem = job.capabilities(replies).problems.get("embeddings_together")
    if problem is not None:
        return [f"texts were embedded one by one: {problem}"]
    n_apart = job.n_apart(replies)
    apart = f"{counted(n_apart, 'text')} were refused together, and embedded one by one"
    return [apart] if n_apart else []


def _lost_logprobs(job: ItemCalls, people: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name what a server could do when it was probed, and did not do later."""
    if not job.asking.wants("logprobs"):
        return []
    answers = {
        f"participant {person['participant_id']}, {item}": signals
        for person in people
        for item, signals in person["item_signals"].items()
    }
    lost = [
        f"{name}: {signals['signal_reasons']['token_msp']}"
        for name, signals in answers.items()
        if signals["token_msp"] is None
    ]
    k, of = job.asking.top_logprobs, counted(len(answers), "answer")
    fewer = [
        f"{name}: {signals['token_top_k']}"
        for name, signals in answers.items()
        if signals["token_top_k"] is not None and signals["token_top_k"] < k
    ]
    warnings = {
        f"{len(lost)} of {of} came without usable logprobs and have no token signals": lost,
        f"{len(fewer)} of {of} came with fewer than {counted(k, 'alternative')} of a token,"
        " so that token_pe and token_energy do not compare": fewer,
    }
    return [f"{text}; first: {found[0]}" for text, found in warnings.items() if found]


def _counts(people: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    return {
        "participants": len(people),
        "failed": sum(not person["success"] for person in people),
        "items answered": sum(person["available_items"] for person in people),
        "items abstained": sum(person["na_items"] for person in people),
    }


def _failure(people: Sequence[Mapping[str, Any]]) -> str | None:
    if not people or any(person["success"] for person in people):
        return None
    return f"no participant of {len(people)} could be scored; first: {people[0]['error']}"


def _metadata(job: ItemCalls, facts: Facts) -> dict[str, Any]:
    return {
        "run_id": run_id(job.identity),
        "timestamp": facts.started_at,
        "finished_at": facts.finished_at,
        "attempts": facts.attempts,
        "git_commit": None,
        "git_dirty": None,
        "python_version": platform.python_version(),
        "platform": platform.system(),
        "producer": f"assay {version('assay')}",
        "base_url": job.request.base_url,
        "ollama_base_url": job.request.base_url,
    }


def _provenance(
    job: ItemCalls, replies: Replies, people: Sequence[Mapping[str, Any]], prompts: bytes
) -> dict[str, Any]:
    asked = job.request
    compared = job.few_shot
    return {
        "mode": asked.mode,
        "split": None,
        "quantitative_model": asked.model,
        "embedding_model": asked.embedding_model,
        "llm_backend": "openai-compatible",
        "embedding_backend": "openai-compatible" if compared else None,
        "embedding_base_url": (asked.embedding_base_url or asked.base_url) if compared else None,
        "embeddings_path": asked.references,
        "embeddings_checksum": job.hashes.get("references"),
        "embeddings_meta_checksum": None,
        "participants_requested": len(job.interviews),
        "participants_evaluated": sum(person["success"] for person in people),
        "consistency_enabled": asked.consistency_samples > 0,
        "consistency_n_samples": asked.consistency_samples,
        "consistency_temperature": asked.consistency_temperature,
        "task": {"name": job.task.name, "title": job.task.title, "sha256": job.hashes["task"]},
        "data": {"path": asked.data, "sha256": job.hashes["data"]},
        "items": [item.key for item in job.items],
        "scale": [job.task.scores[0], job.task.scores[-1]],
        "prompts_sha256": hashlib.sha256(prompts).hexdigest(),
        "parameters": {**job.identity, "max_tokens": job.max_tokens, "top_p": 1.0},
        "capabilities": asdict(job.capabilities(replies)),
        "verbatim": "normalized",
    }


def _person(
    job: ItemCalls, interview: Interview, known: Any, replies: Replies, prompts: PromptFile
) -> dict[str, Any]:
    try:
        examples = job.retrieved(interview, known, replies)
    except Failure as failure:
        return _failed(interview, {"": str(failure)})
    heard = Heard.of(interview.transcript, interviewers=job.task.interviewers)
    otherwise = NOT_SIMILAR if job.few_shot else ZERO_SHOT
    records: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for unit in job.units:
        prompt = prompts.add(job.messages(interview, unit, examples))
        try:
            replied = _replied(job, interview, unit, replies, prompt)
        except Failure as failure:
            errors[unit.name] = str(failure)
            continue
        for item in unit.items:
            shown = Examples(examples.get(item.key) or [], otherwise)
            records[item.key] = _record(item, unit, replied, heard, shown)
    return _failed(interview, errors) if errors else _succeeded(job, interview, records)


def _replied(
    job: ItemCalls, interview: Interview, unit: Unit, replies: Replies, prompt: str
) -> Replied:
    """Read all replies of a unit; a sample that cannot be read is left out."""
    greedy: Read | None = None
    samples: list[Read] = []
    first: Failure | None = None
    for draw in job.draws:
        try:
            reply = completion(replies.get(job.key(interview, unit, draw)))
            read = _read(job, unit, reply, counts=draw.name == GREEDY or not greedy)
        except Failure as failure:
            if draw.name == GREEDY:
                raise
            first = first or failure
            continue
        if draw.name == GREEDY:
            greedy = read
        else:
            samples.append(read)
    if greedy is None and not samples:
        raise Failure(f"no sample could be read: {first}")
    return Replied(greedy, samples, job.request.consistency_samples, prompt)


def _read(job: ItemCalls, unit: Unit, answer: Completion, *, counts: bool) -> Read:
    answer = after_thinking(answer)
    found = parsed(answer, job.task, unit.items if unit.together else None)
    tokens: Sequence[Token] | NoTokens = NoTokens(NOT_ASKED)
    if counts and job.asking.wants("logprobs"):
        try:
            tokens = aligned(answer.text, answer.logprobs, job.asking.top_logprobs)
        except NoTokens as reason:
            tokens = reason
    return Read(found.answers, tokens, found.form, answer)


def _record(
    item: TaskItem, unit: Unit, replied: Replied, heard: Heard, examples: Examples
) -> dict[str, Any]:
    """Return score, signals and what stands behind them, for one item."""
    key = item.key if unit.together else ""
    read = replied.counting(key)
    answer = read.answers[key]
    signals = item_signals(
        item,
        answer,
        heard=heard,
        tokens=read.tokens,
        draws=replied.draws(key),
        examples=examples,
    )
    return {
        "score": answer.score,
        "signals": signals,
        "answer": {
            "evidence": [
                {"quote": each, "verbatim": heard.holds(each)} for each in answer.evidence
            ],
            "form": read.form,
            "finish_reason": read.completion.finish_reason,
            "model": read.completion.model,
            "prompt_sha256": replied.prompt,
        },
    }


def _failed(interview: Interview, errors: Mapping[str, str]) -> dict[str, Any]:
    told = [f"{name}: {error}" if name else error for name, error in errors.items()]
    more = f" (and {len(told) - 1} more)" if len(told) > 1 else ""
    return {
        "participant_id": interview.participant_id,
        "success": False,
        "error": told[0] + more,
        "prediction_mode": "item",
        "ground_truth_total": None,
        "predicted_total": None,
        "severity": None,
        "available_items": 0,
        "na_items": 0,
        "mae_available": None,
        "ground_truth_items": {},
        "predicted_items": {},
        "item_signals": {},
        "item_answers": {},
        "item_errors": dict(errors),
    }


def _succeeded(job: ItemCalls, interview: Interview, records: Mapping[str, Any]) -> dict[str, Any]:
    known = interview.truth or {}
    truth = {item.key: known.get(item.key) for item in job.items}
    predicted = {item.key: records[item.key]["score"] for item in job.items}
    given = {key: score for key, score in predicted.items() if score is not None}
    totals = [None if None in each.values() else sum(each.values()) for each in (truth, predicted)]
    return {
        "participant_id": interview.participant_id,
        "success": True,
        "error": None,
        "prediction_mode": "item",
        "ground_truth_total": totals[0],
        "predicted_total": totals[1],
        "severity": None,
        "available_items": len(given),
        "na_items": len(predicted) - len(given),
        "mae_available": _mean(_errors(predicted, truth)),
        "ground_truth_items": truth,
        "predicted_items": predicted,
        "item_signals": {key: each["signals"] for key, each in records.items()},
        "item_answers": {key: each["answer"] for key, each in records.items()},
        "item_errors": {},
    }


def _errors(predicted: Mapping[str, int | None], truth: Mapping[str, int | None]) -> list[int]:
    pairs = ((score, truth[key]) for key, score in predicted.items())
    return [abs(score - true) for score, true in pairs if score is not None and true is not None]


def _mean(values: Sequence[float | None]) -> float | None:
    held = [value for value in values if value is not None]
    return round(sum(held) / len(held), DIGITS) if held else None


def _results(job: ItemCalls, people: Sequence[dict[str, Any]], facts: Facts) -> dict[str, Any]:
    """Return the head that run files of the seeds have, and the participants."""
    successes = [person for person in people if person["success"]]
    evaluated = [person for person in successes if person["available_items"]]
    n_given = sum(person["available_items"] for person in evaluated)
    by_item = {
        item.key: [
            error
            for person in evaluated
            for error in _errors(
                {item.key: person["predicted_items"][item.key]}, person["ground_truth_items"]
            )
        ]
        for item in job.items
    }
    return {
        "mode": job.request.mode,
        "model": job.request.model,
        "prediction_mode": "item",
        "total_score_min_coverage": None,
        "binary_threshold": None,
        "binary_strategy": None,
        "total_subjects": len(people),
        "successful_subjects": len(successes),
        "failed_subjects": len(people) - len(successes),
        "excluded_no_evidence": len(successes) - len(evaluated),
        "evaluated_subjects": len(evaluated),
        "item_mae_weighted": _mean([error for each in by_item.values() for error in each]),
        "item_mae_by_item": _mean([_mean(each) for each in by_item.values()]),
        "item_mae_by_subject": _mean([person["mae_available"] for person in evaluated]),
        "prediction_coverage": _mean([n_given / (len(job.items) * len(evaluated))])
        if evaluated
        else None,
        "total_metrics": None,
        "binary_metrics": None,
        "total_duration_seconds": facts.seconds,
        "per_item": {
            key: {"mae": _mean(each), "count": len(each)} for key, each in by_item.items()
        },
        "results": list(people),
    }
