"""Task files: what is asked about a transcript or a vignette, and in which words.

Two kinds: a questionnaire (`task: items`) and ways to ask about vignettes (`task: generations`).
Both are YAML or JSON, and one of each ships with the package.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, field

from assay.errors import ArtifactError
from assay.showing import quoted
from assay.sources.documents import read_document

TASKS = Path(__file__).parent.parent / "data" / "tasks"
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
KEY_NEEDS = "a letter, then letters, digits, _ and -"
HINT = "the page about `assay run` lists the keys of a task file"

SHARED = frozenset({"transcript", "scale", "inference", "max_quotes", "references"})
TEMPLATES = {
    "system": frozenset[str](),
    "item": SHARED | {"title", "question"},
    "all_items": SHARED | {"questions", "keys"},
    "references": frozenset({"examples"}),
    "example": frozenset({"text", "question", "score", "means"}),
}
NEEDED = {
    "item": frozenset({"transcript", "question"}),
    "all_items": frozenset({"transcript", "questions"}),
    "references": frozenset({"examples"}),
    "example": frozenset({"text", "score"}),
}
Mode = Literal["cot", "direct", "bias"]


class ScaleStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One score, and what it means."""

    score: int
    means: str


class TaskItem(Struct, frozen=True, forbid_unknown_fields=True):
    """One question of a questionnaire."""

    key: str
    title: str
    question: str
    keywords: tuple[str, ...] = ()


class Inference(Struct, frozen=True, forbid_unknown_fields=True):
    """What a score may be inferred from where it is not said outright."""

    type: str
    means: str


class ItemPrompts(Struct, frozen=True, forbid_unknown_fields=True):
    """The templates of a questionnaire."""

    system: str
    item: str
    all_items: str
    references: str
    example: str


class ItemTask(Struct, frozen=True, forbid_unknown_fields=True):
    """A questionnaire: its items, its scale and how to ask."""

    task: Literal["items"]
    name: str
    title: str
    scale: tuple[ScaleStep, ...]
    items: tuple[TaskItem, ...]
    prompts: ItemPrompts
    inference: tuple[Inference, ...] = ()
    interviewers: tuple[str, ...] = ()
    """who asks; what these say is not searched for keywords"""
    max_tokens: int = 400
    max_quotes: int = 3
    max_quote_length: int = 160

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores from low to high."""
        return tuple(step.score for step in self.scale)


class GenerationPrompt(Struct, frozen=True, forbid_unknown_fields=True):
    """How one mode asks."""

    user: str
    system: str = ""
    max_tokens: int = 400
    body: dict[str, Any] = field(default_factory=dict)
    """what is sent beside the messages, such as a grammar"""


class GenerationTask(Struct, frozen=True, forbid_unknown_fields=True):
    """ways to ask about vignettes."""

    task: Literal["generations"]
    name: str
    title: str
    modes: dict[Mode, GenerationPrompt]


def read_item_task(path: str | None = None) -> tuple[ItemTask, str]:
    """Read and check a questionnaire, the shipped PHQ-8 for None; return it with its sha256.

    Examples
    --------
    >>> task, _ = read_item_task()
    >>> task.scores, [item.key for item in task.items][:3]
    ((0, 1, 2, 3), ['NoInterest', 'Depressed', 'Sleep'])
    """
    where = path or str(TASKS / "phq8.yaml")
    task, content = read_document(where, ItemTask)
    _check_names(task, where)
    _check_scale(task, where)
    _check_limits(task, where)
    templates = {name: getattr(task.prompts, name) for name in TEMPLATES}
    for name, template in templates.items():
        _check_template(
            f"{where}: `prompts.{name}`", template, known=TEMPLATES[name], needed=NEEDED.get(name)
        )
    return task, content.sha256


def read_generation_task(path: str | None = None) -> tuple[GenerationTask, str]:
    """Read and check ways to ask about vignettes; return them with the file's sha256.

    Examples
    --------
    >>> task, _ = read_generation_task()
    >>> sorted(task.modes)
    ['bias', 'cot', 'direct']
    """
    where = path or str(TASKS / "vignettes.yaml")
    task, content = read_document(where, GenerationTask)
    if not task.modes:
        raise ArtifactError(f"{where} has no `modes`", hint=HINT)
    vignette = frozenset({"vignette"})
    for mode, prompt in task.modes.items():
        place = f"{where}: `modes.{mode}"
        _check_template(f"{place}.user`", prompt.user, known=vignette, needed=vignette)
        _check_template(f"{place}.system`", prompt.system, known=frozenset(), needed=None)
        _at_least_one(prompt.max_tokens, f"{place}.max_tokens`")
    return task, content.sha256


def _check_names(task: ItemTask, where: str) -> None:
    keys = [item.key for item in task.items]
    if not keys:
        raise ArtifactError(f"{where} has no `items`", hint=HINT)
    for key in keys:
        if KEY.fullmatch(key) is None:
            msg = f"{where}: the item key {quoted(key[:40])} must be {KEY_NEEDS}"
            raise ArtifactError(msg, hint=HINT)
        if keys.count(key) > 1:
            msg = f"{where}: the item {key} stands {keys.count(key)} times"
            raise ArtifactError(msg, hint="each item has a key of its own")
    types = [each.type for each in task.inference]
    if len(set(types)) < len(types):
        msg = f"{where}: `inference` names a type twice"
        raise ArtifactError(msg, hint="each type stands once")


def _check_scale(task: ItemTask, where: str) -> None:
    scores = task.scores
    if list(scores) != list(range(min(scores, default=0), min(scores, default=0) + len(scores))):
        msg = f"{where}: `scale` must list whole scores one after the other, found {list(scores)}"
        raise ArtifactError(msg, hint="as in 0, 1, 2, 3, from low to high")
    if len(scores) < 2:  # noqa: PLR2004 - one score is no scale
        raise ArtifactError(f"{where}: `scale` needs at least two scores", hint=HINT)


def _check_limits(task: ItemTask, where: str) -> None:
    for name in ("max_tokens", "max_quotes", "max_quote_length"):
        _at_least_one(getattr(task, name), f"{where}: `{name}`")


def _at_least_one(value: int, place: str) -> None:
    if value < 1:
        raise ArtifactError(f"{place} must be at least 1, found {value}", hint=HINT)


def _check_template(
    place: str, template: str, *, known: frozenset[str], needed: frozenset[str] | None
) -> None:
    used = names(template)
    listed = ", ".join(f"{{{name}}}" for name in sorted(known)) or "none"
    for name in sorted(used - known):
        msg = f"{place} asks for {{{name}}}, which is not known there"
        raise ArtifactError(msg, hint=f"it may use: {listed}")
    for name in sorted((needed or frozenset()) - used):
        msg = f"{place} does not use {{{name}}}, without which nothing is asked"
        raise ArtifactError(msg, hint=f"it may use: {listed}")


Messages: TypeAlias = list[dict[str, str]]
Example: TypeAlias = tuple[str, str, int]
"""the text of a reference, the key of the item and the score it was given"""
PLACE = re.compile(r"\{([a-z_]+)\}")


def names(template: str) -> set[str]:
    """Return the names that a template asks for.

    Examples
    --------
    >>> sorted(names('{transcript} as {"score": 1} for {title}'))
    ['title', 'transcript']
    """
    return set(PLACE.findall(template))


def filled(template: str, values: Mapping[str, str]) -> str:
    """Put values in the places of their names; what is put in is not looked at again.

    Examples
    --------
    >>> filled("{who} said: {what}", {"who": "she", "what": "{who}?"})
    'she said: {who}?'
    """
    return PLACE.sub(lambda place: values[place[1]], template)


def chat(system: str, user: str) -> Messages:
    """Return the messages of one question; an empty system text is left out."""
    told = [{"role": "system", "content": system.strip()}] if system.strip() else []
    return [*told, {"role": "user", "content": user.strip()}]


def prompt_hash(messages: Messages) -> str:
    """Return the sha256 under which a prompt is stored with its run."""
    return hashlib.sha256(msgspec.json.encode(messages)).hexdigest()


def item_messages(
    task: ItemTask, item: TaskItem, transcript: str, examples: Sequence[Example] = ()
) -> Messages:
    """Return the prompt for one item; without examples it is that of zero-shot."""
    values = {
        **_shared(task, transcript, examples),
        "title": item.title,
        "question": item.question,
    }
    return chat(task.prompts.system, filled(task.prompts.item, values))


def all_items_messages(
    task: ItemTask, items: Sequence[TaskItem], transcript: str, examples: Sequence[Example] = ()
) -> Messages:
    """Return the prompt that asks for all items at once."""
    values = {
        **_shared(task, transcript, examples),
        "questions": "\n".join(f"{each.key}: {each.question}" for each in items),
        "keys": ", ".join(f'"{each.key}"' for each in items),
    }
    return chat(task.prompts.system, filled(task.prompts.all_items, values))


def _shared(task: ItemTask, transcript: str, examples: Sequence[Example]) -> dict[str, str]:
    return {
        "transcript": transcript.strip(),
        "scale": "\n".join(f"{step.score} = {step.means}" for step in task.scale),
        "inference": "; ".join(f'"{each.type}": {each.means}' for each in task.inference),
        "max_quotes": str(task.max_quotes),
        "references": _references(task, examples),
    }


def _references(task: ItemTask, examples: Sequence[Example]) -> str:
    if not examples:
        return ""
    means = {step.score: step.means for step in task.scale}
    question = {item.key: item.question for item in task.items}
    shown = (
        filled(
            task.prompts.example,
            {"text": text, "question": question[key], "score": str(score), "means": means[score]},
        ).strip()
        for text, key, score in examples
    )
    return filled(task.prompts.references, {"examples": "\n\n".join(shown)})


PROMPTS_NAME = "prompts.jsonl.gz"


class PromptFile:
    """Collects prompts, compressed as they come: they repeat the transcript again and again."""

    def __init__(self) -> None:
        """Start empty."""
        self._seen: set[str] = set()
        self._bytes = io.BytesIO()
        # Without the time, so that the same prompts make the same file.
        self._file = gzip.GzipFile("", "wb", fileobj=self._bytes, mtime=0)

    def add(self, messages: Messages) -> str:
        """Store a prompt, unless it is there, and return its hash."""
        name = prompt_hash(messages)
        if name not in self._seen:
            self._seen.add(name)
            line = {"sha256": name, "messages": messages}
            self._file.write(msgspec.json.encode(line) + b"\n")
        return name

    def finished(self) -> bytes:
        """Return the file."""
        self._file.close()
        return self._bytes.getvalue()
