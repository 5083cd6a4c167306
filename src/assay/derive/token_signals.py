"""What the tokens of an answer say about how sure a model was: probability, entropy, energy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """A token that carries a part of the text."""

    start: int
    """its first byte in the text; below 0 when the token starts before it"""
    end: int
    logprob: float
    alternatives: tuple[float, ...]
    """the k largest logprobs, largest first"""
    outside: bool
    """it is not among its alternatives"""


@dataclass(frozen=True, slots=True)
class TokenSignals:
    """The means over some tokens; None where there is nothing to take them of."""

    msp: float
    """of the probability of the token that was emitted"""
    pe: float | None
    """of the entropy of the renormalized alternatives, in nats"""
    energy: float | None
    """of the log-sum-exp of the alternatives' logprobs"""
    count: int
    fewest: int
    """the smallest number of alternatives of a token"""
    n_outside: int


def over(tokens: Sequence[Token], span: tuple[int, int]) -> tuple[Token, ...]:
    """Return the tokens that carry a part of a span of the text."""
    return tuple(token for token in tokens if token.start < span[1] and token.end > span[0])


def token_signals(tokens: Sequence[Token]) -> TokenSignals:
    """Return the means over tokens, of which there is at least one.

    Examples
    --------
    >>> half = Token(0, 1, math.log(0.5), (math.log(0.5), math.log(0.25)), outside=False)
    >>> signals = token_signals([half])
    >>> round(signals.msp, 3), round(signals.pe, 3), round(signals.energy, 3)
    (0.5, 0.637, -0.288)
    """
    fewest = min(len(token.alternatives) for token in tokens)
    count = len(tokens)
    energies = [_energy(token.alternatives) for token in tokens] if fewest else []
    entropies = [
        _entropy(token.alternatives, energy)
        for token, energy in zip(tokens, energies, strict=False)
    ]
    return TokenSignals(
        msp=math.fsum(math.exp(token.logprob) for token in tokens) / count,
        pe=math.fsum(entropies) / count if fewest else None,
        energy=math.fsum(energies) / count if fewest else None,
        count=count,
        fewest=fewest,
        n_outside=sum(token.outside for token in tokens),
    )


def _energy(logprobs: Sequence[float]) -> float:
    largest = max(logprobs)
    return largest + math.log(math.fsum(math.exp(each - largest) for each in logprobs))


def _entropy(logprobs: Sequence[float], energy: float) -> float:
    return math.fsum((energy - each) * math.exp(each - energy) for each in logprobs)
