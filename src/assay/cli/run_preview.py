"""What a run would ask: its calls, an estimate of their tokens, and the first prompts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from assay.display.wording import count
from assay.produce.calls import Call, Job
from assay.showing import counted, inert

__all__ = ["print_preview"]

LETTERS_PER_TOKEN = 4
"""of English text, roughly; only the server knows its own tokens"""


def print_preview(job: Job, n_shown: int) -> None:
    """Print the plan of a job, without asking anything; each prompt is shown once."""
    kinds: Counter[str] = Counter()
    letters = longest = 0
    shown: dict[str, Call] = {}
    for call in job.preview():
        kind = call.key.partition("/")[0]
        kinds[kind] += 1
        texts = _texts(call)
        letters += sum(len(text) for _, text in texts)
        longest += call.body.get("max_tokens") or call.body.get("max_completion_tokens") or 0
        if len(shown) < n_shown and kind != "probe":
            shown.setdefault(repr(texts), call)
    parts = ", ".join(f"{count(n)} {inert(kind)}" for kind, n in kinds.items())
    click.echo(f"{counted(kinds.total(), 'call')}: {parts}")
    click.echo(
        f"about {counted(letters // LETTERS_PER_TOKEN, 'token')} in"
        f" ({LETTERS_PER_TOKEN} letters to a token), at most {count(longest)} out"
    )
    for call in shown.values():
        _print_call(call)
    click.echo("\nnothing was asked; --show-prompts N shows more of the prompts, or fewer")


def _texts(call: Call) -> list[tuple[str, str]]:
    """Return the texts of a call with who says them."""
    if "messages" in call.body:
        return [(each["role"], str(each["content"])) for each in call.body["messages"]]
    given: Any = call.body.get("input")
    texts = [given] if type(given) is str else given or []
    return [("input", str(each)) for each in texts]


def _print_call(call: Call) -> None:
    settings = {
        name: value for name, value in call.body.items() if type(value) in (int, float, bool, str)
    }
    words = ", ".join(f"{name} {value}" for name, value in settings.items())
    click.echo(f"\n--- {inert(call.key)} ({inert(words)})")
    for role, text in _texts(call):
        click.echo(f"[{inert(role)}]")
        for line in text.split("\n"):
            click.echo(inert(line))
