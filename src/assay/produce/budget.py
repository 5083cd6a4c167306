"""What a run may cost: prices by model, and where it stops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from assay.errors import UsageError
from assay.produce.calls import Reply

__all__ = ["Budget", "Cap", "Price", "Spent", "cost_of"]

Cap: TypeAlias = Literal["token cap", "cost cap"]
Spent: TypeAlias = Mapping[str | None, "tuple[int, int]"]
"""tokens in and out by model, over all starts"""
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in whatever currency the prices are in."""

    tokens_in: float
    tokens_out: float


def cost_of(spent: Spent, prices: Mapping[str, Price]) -> float:
    """Return what tokens cost; a model without a price costs nothing.

    Examples
    --------
    >>> cost_of({"m": (2_000_000, 500_000)}, {"m": Price(0.5, 2.0)})
    2.0
    """
    return sum(
        (n_in * price.tokens_in + n_out * price.tokens_out) / MILLION
        for model, (n_in, n_out) in spent.items()
        if model is not None and (price := prices.get(model)) is not None
    )


@dataclass(slots=True)
class Budget:
    """How many tokens a run may use, or what it may cost, over all its starts."""

    tokens: int | None = None
    cost: float | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    reached: Cap | None = None
    """which cap stands against another call"""
    denied: bool = False
    """a call was not made for it"""

    def look(self, spent: Spent) -> None:
        """See whether a cap is reached."""
        if self.tokens is not None and sum(map(sum, spent.values())) >= self.tokens:
            self.reached = "token cap"
        elif self.cost is not None and cost_of(spent, self.prices) >= self.cost:
            self.reached = "cost cap"

    def note(self, reply: Reply, spent: Spent) -> None:
        """See whether a reply reaches a cap; a server that does not say what it used cannot."""
        if self.tokens is None and self.cost is None:
            return
        if reply.error is None and (reply.usage or {}).get("prompt_tokens") is None:
            msg = "the server does not say how many tokens it used, so that no cap can be kept"
            raise UsageError(msg, hint="leave out --stop-tokens and --stop-cost")
        self.look(spent)

    def allows(self) -> bool:
        """Say whether another call may be made; those in flight end as they will."""
        self.denied = self.denied or self.reached is not None
        return self.reached is None
