"""How fast and how long a server is asked, what that may cost, and how a run makes room."""

from __future__ import annotations

import asyncio
import math
import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Annotated, Literal, TypeAlias

import msgspec

from assay.errors import ArtifactError, UsageError
from assay.produce.calls import Reply
from assay.showing import quoted
from assay.sources.documents import read_document

HINT = "as in --price 0.15,0.60 or --price large=2.5,10: a million tokens in, and out"
FILE_HINT = 'as in {"small": {"input": 0.15, "output": 0.60}}: a million tokens in, and out'
Amount = Annotated[float, msgspec.Meta(ge=0)]


class _Listed(msgspec.Struct, forbid_unknown_fields=True):
    """The prices of one model in a file."""

    input: Amount
    output: Amount = 0.0


def read_prices(
    given: Iterable[str], file: str | None, models: Sequence[str], also: Sequence[str] = ()
) -> dict[str, Price]:
    """Return the prices by model; what is given with the command goes before the file.

    A price without a name is that of all models, but not of those that are asked something else.

    Examples
    --------
    >>> read_prices(["0.5,2", "large=3,15"], None, ["small", "large"])["small"].tokens_out
    2.0
    """
    prices: dict[str, Price] = {}
    if file is not None:
        try:
            listed, _ = read_document(file, dict[str, _Listed])
        except ArtifactError as error:
            raise ArtifactError(error.message, hint=FILE_HINT) from None
        prices = {name: _finite(each, file) for name, each in listed.items()}
    for text in given:
        model, named, amounts = text.rpartition("=")
        if named and model not in {*models, *also}:
            msg = f"--price names the model {quoted(model)}, which is not asked"
            raise UsageError(msg, hint=f"the models are {', '.join([*models, *also])}")
        prices |= dict.fromkeys([model] if named else models, _price(amounts))
    return prices


def _finite(listed: _Listed, file: str) -> Price:
    if not math.isfinite(listed.input) or not math.isfinite(listed.output):
        raise ArtifactError(f"{file}: a price must be a finite number", hint=HINT)
    return Price(listed.input, listed.output)


def _price(text: str) -> Price:
    try:
        amounts = [float(part) for part in text.split(",")]
    except ValueError:
        amounts = []
    if len(amounts) != 2 or not all(0 <= each < math.inf for each in amounts):  # noqa: PLR2004 - in, out
        raise UsageError(f"{quoted(text)} is not a price of tokens in and out", hint=HINT)
    return Price(*amounts)


FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
GONE_SECONDS = 600.0
"""of nothing but refusals for lack of room: the server is as good as gone"""
GOES_ON = "when it answers again, the same command goes on"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may ask of its servers."""

    concurrency: int = 4
    """calls in flight at a time, at most"""
    per_minute: float | None = None
    """requests started per minute, attempts counted; None for no limit"""
    seconds: float | None = None
    """for all passes of this start together; None for no limit"""
    call_seconds: float = 300.0
    """for one attempt, from connecting to the last byte"""
    attempts: int = 8
    """for one call, while the server cannot be reached or is busy"""
    tokens: int | None = None
    """in and out, over all starts; None for no limit"""
    cost: float | None = None
    """of these tokens, at the prices; None for no limit"""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """by model"""


@dataclass(frozen=True, slots=True)
class Wait:
    """The server has no room: for how long nothing starts, and what is tried then."""

    seconds: float
    at_once: int
    """calls at a time from then on"""


class Gate:
    """Lets requests start: one interval apart, so many at a time, and none while a server is full.

    How many at a time is halved when the server refuses for lack of room, and grows by about one
    for each round of answers, up to what the run was given.
    """

    def __init__(self, limits: Limits, heard: Callable[[Wait], None] = lambda _: None) -> None:
        self._interval = 60 / limits.per_minute if limits.per_minute else 0.0
        self._most = limits.concurrency
        self._heard = heard
        self._next = self._held = 0.0
        self._allowed = float(limits.concurrency)
        self._running = 0
        self._alone = False
        """what runs must have the server to itself"""
        self._queue: deque[tuple[asyncio.Future[None], bool]] = deque()
        self._ticket = self._lowered = self._streak = 0
        self._refused_since: float | None = None
        self.n_answered = 0

    async def enter(self, *, alone: bool = False) -> int:
        """Wait until a request may start, and return its number."""
        if self._queue or not self._fits(alone=alone):
            turn = asyncio.get_running_loop().create_future()
            self._queue.append((turn, alone))
            await turn
        else:
            self._running, self._alone = self._running + 1, alone
        if self._interval:
            start = max(monotonic(), self._next, self._held)
            self._next = start + self._interval
            if (wait := start - monotonic()) > 0:
                await asyncio.sleep(wait)
        while (wait := self._held - monotonic()) > 0:  # noqa: ASYNC110 - it may be held for longer
            await asyncio.sleep(wait)
        self._ticket += 1
        return self._ticket

    def leave(self) -> None:
        """Make room for others, once a request has ended."""
        self._running -= 1
        self._alone = False
        while self._queue and self._fits(alone=self._queue[0][1]):
            turn, alone = self._queue.popleft()
            self._running, self._alone = self._running + 1, alone
            # When a run is stopped, those that wait go before those that run.
            if not turn.done():
                turn.set_result(None)

    def _fits(self, *, alone: bool) -> bool:
        return self._running < (1 if alone or self._alone else int(self._allowed))

    def answered(self) -> None:
        """Take note that there is room again."""
        self.n_answered += 1
        self._refused_since, self._streak = None, 0
        self._allowed = min(self._most, self._allowed + 1 / self._allowed)

    def refused(self, ticket: int, wait: float | None) -> bool:
        """Take note that the server had no room for a request, and perhaps for how long.

        Return whether it has had none for any request for ten minutes.
        """
        now = monotonic()
        if self._refused_since is None:
            self._refused_since = now
        if now - self._refused_since >= GONE_SECONDS:
            return True  # there is nothing to wait for
        # What started before the last change says nothing about it.
        news = ticket > self._lowered
        if news:
            self._lowered = self._ticket
            self._allowed = max(1.0, self._allowed / 2)
            self._streak += 1
        if wait is None:
            wait = min(FIRST_WAIT * 2.0 ** (self._streak - 1), LONGEST_WAIT)
        elif self._streak > 1:
            wait = max(wait, FIRST_WAIT)  # what it named before was too short
        if news:
            # Other programs that were told the same must not all come back at the same moment.
            wait += random.uniform(0, min(1.0, wait / 10))  # noqa: S311 - guards nothing
            self._heard(Wait(wait, int(self._allowed)))
        self.hold(wait)
        return False

    def hold(self, seconds: float) -> None:
        """Let nothing start for a while."""
        self._held = max(self._held, monotonic() + seconds)


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
