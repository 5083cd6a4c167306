"""Prompts: templates with `{names}`, filled in by pure functions.

Only the names that a template may use are replaced, once and from left to right: a transcript that
holds braces, or looks like a template itself, comes out as it went in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec

if TYPE_CHECKING:
    from assay.produce.tasks import ItemTask, TaskItem

__all__ = [
    "Example",
    "Messages",
    "all_items_messages",
    "chat",
    "filled",
    "item_messages",
    "names",
    "prompt_hash",
]

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
