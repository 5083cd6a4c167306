"""How a case is measured, and what two cases say about each other."""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Ratio", "least_seconds"]


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times faster one case is than another, and how many times it should be."""

    what: str
    ours: str
    theirs: str
    aim: float = 0
    """0 without an aim"""
    per_scalar: bool = False
    """ours computes several numbers where theirs computes one"""

    def of(self, results: dict[str, dict[str, Any]]) -> float:
        """Divide the times."""
        own, other = results[self.ours], results[self.theirs]
        n = own["n_scalars"] if self.per_scalar else 1
        ratio: float = other["seconds"] / (own["seconds"] / n)
        return ratio


def least_seconds(function: Callable[[], Any], repeats: int = 5) -> float:
    """Return the least CPU time of several runs: the others had a noisy machine."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    # python -m bench.measure FAMILY CASE, in a process of its own
    _, family, case = sys.argv
    print(json.dumps(importlib.import_module(f"bench.{family}").CASES[case]()))
