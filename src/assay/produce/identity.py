"""What identifies a run: all that its answers depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import msgspec

__all__ = ["GROWING", "identity_of", "run_id"]

PLACES = {
    "data",
    "vignettes",
    "task",
    "references",
    "bias_cases",
    "base_url",
    "embedding_base_url",
}
"""of a request: where things are; what files hold counts instead, by its sha256"""
GROWING = frozenset({"model", "items", "modes", "consistency_samples"}) | {
    f"sha256.{name}" for name in ("data", "task", "references", "vignettes", "bias_cases")
}
"""what a run asks about, which may be more the next time; how it asks may not change"""


def identity_of(job: str, request: Any, hashes: Mapping[str, str]) -> dict[str, Any]:
    """Return all that the answers to a request depend on."""
    names = [field.name for field in fields(request) if field.name not in PLACES]
    return {
        "job": job,
        **{name: getattr(request, name) for name in names},
        "sha256": dict(hashes),
    }


def run_id(identity: Mapping[str, Any]) -> str:
    """Return eight characters that all starts of one run share.

    Examples
    --------
    >>> run_id({"model": "m", "seed": 1}) == run_id({"seed": 1, "model": "m"})
    True
    """
    return hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()[:8]
