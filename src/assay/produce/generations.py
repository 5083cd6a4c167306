"""The job of asking about cases: vignettes and biased ones in every mode, texts as JSON lines."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

import msgspec

from assay.derive.signals import found
from assay.errors import ColumnError, UsageError
from assay.produce.answers import Completion, Failure, completion
from assay.produce.calls import (
    Call,
    Facts,
    Made,
    Pass,
    Replies,
    check_settings,
    identity_of,
    run_id,
)
from assay.produce.probe import (
    NEUTRAL,
    PROBE_TOKENS,
    Asking,
    Capabilities,
    capabilities,
    chat_body,
    probe_calls,
)
from assay.produce.tasks import (
    PROMPTS_NAME,
    GenerationTask,
    Messages,
    Mode,
    PromptFile,
    chat,
    filled,
    read_generation_task,
)
from assay.showing import quoted
from assay.sources.vignettes import BIAS_LISTS, entries, read_bias_cases, read_vignettes

MODES: tuple[Mode, ...] = ("cot", "direct", "bias")
NAMES = {
    "cot": "generations.jsonl",
    "direct": "generations.jsonl",
    "bias": "bias_generations.jsonl",
}
FILES = (*dict.fromkeys(NAMES.values()), PROMPTS_NAME, "run.json")
"""all that may be written"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationsRequest:
    """What is asked for; every field is an option of the command."""

    vignettes: str
    base_url: str
    """without credentials, for the record"""
    model: str
    task: str | None = None
    """None is the shipped one"""
    modes: tuple[str, ...] = ("cot", "direct")
    bias_cases: str | None = None
    """None takes those vignettes that name a feature and a label"""
    temperature: float = 0.0
    seed: int = 42
    max_tokens: int | None = None
    """None is what the task says for the mode"""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    probe_tokens: int = PROBE_TOKENS


def generations_job(request: GenerationsRequest) -> GenerationsJob:
    """Read and check all that a run needs; nothing is sent yet."""
    task, task_hash = read_generation_task(request.task)
    _check_request(request, task)
    cases, data_hash = read_cases(request.vignettes)
    hashes = {"task": task_hash, "vignettes": data_hash}
    biased: Sequence[Case] = ()
    if "bias" in request.modes and request.bias_cases is not None:
        biased, hashes["bias_cases"] = read_biased(request.bias_cases)
    elif "bias" in request.modes:
        biased = biased_among(cases, request.vignettes)
    return GenerationsJob(request=request, task=task, cases=cases, biased=biased, hashes=hashes)


def _check_request(request: GenerationsRequest, task: GenerationTask) -> None:
    for mode in request.modes:
        if mode not in task.modes:
            known = ", ".join(each for each in MODES if each in task.modes)
            msg = f"the task {task.name} has no mode {quoted(mode)}"
            raise UsageError(msg, hint=f"its modes are {known}")
    if not request.modes:
        raise UsageError("--modes names no mode", hint=f"the modes are {', '.join(MODES)}")
    if request.bias_cases is not None and "bias" not in request.modes:
        msg = "--bias-cases is for --modes with bias"
        raise UsageError(msg, hint="as in --modes cot,direct,bias")
    check_settings(request)


@dataclass(frozen=True)
class GenerationsJob:
    """Ask about every case in every mode."""

    request: GenerationsRequest
    task: GenerationTask
    cases: Sequence[Case]
    biased: Sequence[Case]
    hashes: Mapping[str, str]

    @property
    def asking(self) -> Asking:
        """What all calls have in common."""
        asked = self.request
        return Asking(
            model=asked.model,
            seed=asked.seed,
            top_logprobs=0,
            without=frozenset({"json_schema"}),
            extra_body=asked.extra_body,
            probe_tokens=asked.probe_tokens,
        )

    @property
    def identity(self) -> Mapping[str, Any]:
        """All that the answers depend on."""
        return identity_of("generations", self.request, self.hashes)

    @property
    def n_calls(self) -> int:
        """The number of calls of all passes."""
        return sum(1 for _ in self._probe(None)) + sum(1 for _ in self._questions())

    @property
    def passes(self) -> Sequence[Pass]:
        """Find out what the server can do, then ask."""
        return (self._probe, self._ask)

    def _probe(self, _replies: Replies | None) -> Iterator[Call]:
        yield from probe_calls(self.asking, max_tokens=self.request.max_tokens or 1)

    def _ask(self, replies: Replies) -> Iterator[Call]:
        yield from self._calls(capabilities(self.asking, replies))

    def _questions(self) -> Iterator[tuple[Mode, Case]]:
        for mode in MODES:
            if mode in self.request.modes:
                for case in self.biased if mode == "bias" else self.cases:
                    yield mode, case

    def _case_by_case(self) -> list[tuple[Mode, Case]]:
        """Return the questions in the order in which a run that is stopped has whole cases."""
        place = {case.id: n for n, case in enumerate(self.cases)}
        return sorted(
            self._questions(),
            key=lambda each: len(place) if each[0] == "bias" else place[each[1].id],
        )

    def _calls(self, able: Capabilities) -> Iterator[Call]:
        neutral = NEUTRAL if able.sampling_parameters else {}
        for mode, case in self._case_by_case():
            prompt = self.task.modes[mode]
            body = chat_body(
                self.asking,
                self._messages(mode, case),
                max_tokens=self.request.max_tokens or prompt.max_tokens,
                temperature=self.request.temperature,
                more={**neutral, **prompt.body},
            )
            yield Call(f"{mode}/{case.id}", "chat/completions", body)

    def _messages(self, mode: Mode, case: Case) -> Messages:
        prompt = self.task.modes[mode]
        return chat(prompt.system, filled(prompt.user, {"vignette": case.text.strip()}))

    def preview(self) -> Iterable[Call]:
        """Return the calls as they would be with all that is asked for."""
        yield from self._probe(None)
        yield from self._calls(Capabilities(sampling_parameters=True))

    def made(self, replies: Replies, facts: Facts) -> Made:
        """Return the generations by mode, the prompts under their hashes, and the record."""
        prompts = PromptFile()
        lines: dict[str, list[bytes]] = {}
        statuses: Counter[str] = Counter()
        first: str | None = None
        questions = list(self._questions())
        if facts.stopped is not None:
            questions = self._complete(replies)
        for mode, case in questions:
            name = prompts.add(self._messages(mode, case))
            row = self._row(mode, case, replies, facts, name)
            statuses[row["status"]] += 1
            first = first or row["error"]
            lines.setdefault(NAMES[mode], []).append(msgspec.json.encode(row) + b"\n")
        n_rows = statuses.total()
        counts = {
            "generations": n_rows,
            "truncated": statuses["truncated"],
            "failed": statuses["error"],
        }
        files = {
            **{name: b"".join(each) for name, each in lines.items()},
            PROMPTS_NAME: prompts.finished(),
            "run.json": self._record(replies, facts, counts),
        }
        failure = f"no generation of {n_rows} is whole; first: {first}"
        return Made(files, counts, None if statuses["ok"] or not n_rows else failure)

    def _complete(self, replies: Replies) -> list[tuple[Mode, Case]]:
        """Return the questions of those cases that were asked in every mode there is for them."""
        asked = list(self._questions())
        open_cases = {
            (case.id, mode == "bias") for mode, case in asked if f"{mode}/{case.id}" not in replies
        }
        return [each for each in asked if (each[1].id, each[0] == "bias") not in open_cases]

    def _row(
        self, mode: Mode, case: Case, replies: Replies, facts: Facts, prompt: str
    ) -> dict[str, Any]:
        text, status, error, answer = "", "error", None, None
        try:
            answer = completion(replies.get(f"{mode}/{case.id}"))
            text, status, error = _read(answer)
        except Failure as failure:
            error = str(failure)
        row = {
            "id": case.id,
            "mode": mode,
            "model_name": self.request.model,
            "status": status,
            "output_text": text,
            "timestamp": facts.started_at,
            "error": error,
            "finish_reason": answer.finish_reason if answer else None,
            "prompt_sha256": prompt,
        }
        biased = {"bias_feature": case.bias_feature, "bias_label": case.bias_label}
        return {**row, **biased} if mode == "bias" else row

    def _record(self, replies: Replies, facts: Facts, counts: Mapping[str, int]) -> bytes:
        asked = self.request
        n_left = sum(1 for _ in self._questions()) - counts["generations"]
        record = {
            "run_metadata": {
                "run_id": run_id(self.identity),
                "timestamp": facts.started_at,
                "finished_at": facts.finished_at,
                "seconds": facts.seconds,
                "attempts": facts.attempts,
                "python_version": platform.python_version(),
                "producer": f"assay {version('assay')}",
                "base_url": asked.base_url,
                "partial": facts.partial(generations_left=n_left),
            },
            "task": {"name": self.task.name, "sha256": self.hashes["task"]},
            "vignettes": {"path": asked.vignettes, "sha256": self.hashes["vignettes"]},
            "bias_cases": {"path": asked.bias_cases, "sha256": self.hashes.get("bias_cases")},
            "parameters": {**self.identity, "top_p": 1.0},
            "capabilities": asdict(capabilities(self.asking, replies)),
            "counts": counts,
        }
        return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def _read(answer: Completion) -> tuple[str, str, str | None]:
    """Return the text, its status and, where it is not ok, why."""
    text = answer.text
    if answer.reasoning:
        text = f"<think>\n{answer.reasoning}\n</think>\n{text}"
    if answer.finish_reason == "length":
        return text, "truncated", "the answer reached the token limit"
    if answer.finish_reason == "content_filter":
        return text, "error", "the server's content filter stopped the answer"
    if not answer.text.strip():
        return text, "error", "the answer is empty"
    return text, "ok", None


TEXT_KEYS = ("prompt", "vignette", "text")
HINT = f"the text of a case stands under {', '.join(TEXT_KEYS)}"


@dataclass(frozen=True, slots=True)
class Case:
    """One case as it is put to a model."""

    id: str
    text: str
    bias_feature: str | None = None
    bias_label: str | None = None


def read_cases(path: str) -> tuple[Sequence[Case], str]:
    """Read vignettes; return them with the sha256 of the file."""
    vignettes = read_vignettes(path)
    cases = [
        Case(
            each.id,
            _text(each.fields, f"{path}, vignette {quoted(each.id)}"),
            _word(each.fields.get("bias_feature")),
            _word(each.fields.get("bias_label")),
        )
        for each in vignettes.rows
    ]
    return cases, vignettes.sha256


def read_biased(path: str) -> tuple[Sequence[Case], str]:
    """Read cases of bias, each with the feature that tempts and the answer it tempts to."""
    known, content = read_bias_cases(path)
    cases = [
        Case(each.id, _text(fields, f"{path}, case {quoted(each.id)}"), each.feature, each.label)
        for each, fields in zip(known.values(), entries(content, *BIAS_LISTS), strict=True)
    ]
    return cases, content.sha256


def biased_among(cases: Sequence[Case], path: str) -> Sequence[Case]:
    """Return the vignettes that name a feature and a label."""
    chosen = [each for each in cases if each.bias_feature and each.bias_label]
    if not chosen:
        msg = (
            f"{path} has no vignette with `bias_feature` and `bias_label`, which --modes bias asks"
        )
        raise UsageError(msg, hint="name a file of such cases with --bias-cases")
    return chosen


def _text(fields: Mapping[str, Any], place: str) -> str:
    value = next((fields[key] for key in TEXT_KEYS if fields.get(key) is not None), None)
    if type(value) is not str or not value.strip():
        msg = f"{place} has no text to ask about, found {found(value)}"
        raise ColumnError(msg, hint=HINT)
    return value


def _word(value: Any) -> str | None:
    return value.strip() or None if type(value) is str else None
