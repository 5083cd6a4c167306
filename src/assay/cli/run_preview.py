"""What a run would ask: its calls, an estimate of their tokens and costs, and the first prompts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import click

from assay.display.wording import count
from assay.produce.budget import Price, cost_of
from assay.produce.calls import Call, Job
from assay.showing import counted, inert

__all__ = ["print_preview"]

LETTERS_PER_TOKEN = 4
"""of English text, roughly; only the server knows its own tokens"""


def print_preview(jobs: Mapping[str, Job], n_shown: int, prices: Mapping[str, Price]) -> None:
    """Print the plan for every model, without asking anything; each prompt is shown once."""
    used: Counter[tuple[str, str]] = Counter()
    shown: dict[str, Call] = {}
    for model, job in jobs.items():
        if len(jobs) > 1:
            click.echo(f"model {inert(model)}")
        _print_plan(job, used, shown, n_shown)
    if prices:
        _print_cost(used, prices)
    for call in shown.values():
        _print_call(call)
    click.echo("\nnothing was asked; --show-prompts N shows more of the prompts, or fewer")


def _print_plan(
    job: Job, used: Counter[tuple[str, str]], shown: dict[str, Call], n_shown: int
) -> None:
    kinds: Counter[str] = Counter()
    letters = longest = 0
    for call in job.preview():
        kind = call.key.partition("/")[0]
        kinds[kind] += 1
        texts = _texts(call)
        given = sum(len(text) for _, text in texts)
        most = call.body.get("max_tokens") or call.body.get("max_completion_tokens") or 0
        used[call.body["model"], "in"] += given
        used[call.body["model"], "out"] += most
        letters, longest = letters + given, longest + most
        if len(shown) < n_shown and kind != "probe":
            shown.setdefault(repr(texts), call)
    parts = ", ".join(f"{count(n)} {inert(kind)}" for kind, n in kinds.items())
    click.echo(f"{counted(kinds.total(), 'call')}: {parts}")
    click.echo(
        f"about {counted(letters // LETTERS_PER_TOKEN, 'token')} in"
        f" ({LETTERS_PER_TOKEN} letters to a token), at most {count(longest)} out"
    )


def _print_cost(used: Counter[tuple[str, str]], prices: Mapping[str, Price]) -> None:
    models = dict.fromkeys(model for model, _ in used)
    least: dict[str | None, tuple[int, int]] = {}
    most: dict[str | None, tuple[int, int]] = {}
    for model in models:
        n_in = used[model, "in"] // LETTERS_PER_TOKEN
        least[model], most[model] = (n_in, 0), (n_in, used[model, "out"])
    low, high = cost_of(least, prices), cost_of(most, prices)
    lacking = [model for model in models if model not in prices]
    without = f"; {', '.join(map(inert, lacking))} not counted, without a price" if lacking else ""
    click.echo(f"about {low:.6g} for what goes in, at most {high:.6g} with answers{without}")


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
