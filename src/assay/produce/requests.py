"""What both jobs refuse in what is asked for, before anything is read or sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from assay.errors import UsageError

__all__ = ["check_settings"]

RANGES = {
    "temperature": (0.0, 10.0),
    "consistency_temperature": (0.0, 10.0),
    "consistency_samples": (0, 1000),
    "seed": (-(2**63), 2**63 - 1 - 1000),
    "max_tokens": (1, 1_000_000),
    "probe_tokens": (1, 1_000_000),
    "top_logprobs": (0, 1000),
    "n_references": (1, 1000),
    "min_similarity": (-1.0, 1.0),
}
"""by field; the seeds of samples count up, and servers know no larger whole numbers"""


class Request(Protocol):
    """What both requests have."""

    @property
    def extra_body(self) -> Mapping[str, Any]:
        """What is sent beside what the job sends."""
        ...


def check_settings(request: Request) -> None:
    """Refuse numbers out of their range, and keys of a body that are the job's own."""
    for name, (low, high) in RANGES.items():
        value = getattr(request, name, None)
        if value is not None and not low <= value <= high:
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"{flag} must be from {_words(low)} to {_words(high)}, found {_words(value)}"
            )
    embeds = {"input"} if getattr(request, "embedding_model", None) is not None else set[str]()
    bodies = {
        "extra_body": {"model", "messages"} | embeds,
        "embedding_extra_body": {"model", "input"},
    }
    for name, own in bodies.items():
        if own & set(getattr(request, name, None) or ()):
            listed = " or ".join(f"`{each}`" for each in sorted(own, reverse=True))
            msg = f"--{name.replace('_', '-')} may not set {listed}"
            raise UsageError(msg, hint="it is for parameters that one server has and others lack")


def _words(number: float) -> str:
    return f"{number:,}" if type(number) is int else f"{number:g}"
