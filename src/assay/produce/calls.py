"""What is asked of a model's server and what came back: plain data that every part here shares."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

__all__ = ["PROBE", "Call", "Facts", "Job", "Made", "Pass", "Replies", "Reply", "Server"]

Server: TypeAlias = Literal["chat", "embedding"]
"""which of the two servers of a run; both may stand at one address"""
PROBE = "probe/"
"""starts the key of a call that finds out what a server can do: to fail is an answer, too"""


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a server.

    Examples
    --------
    >>> call = Call("items/p001/Sleep/greedy", "chat/completions", {"model": "m", "seed": 1})
    >>> call.seed, call.request_hash == Call("other key", call.path, call.body).request_hash
    (1, True)
    """

    key: str
    """stable, readable and unique in a run"""
    path: str
    """below the base URL: chat/completions or embeddings"""
    body: Mapping[str, Any]
    """all of the JSON that is sent"""
    needs: frozenset[str] = frozenset()
    """what the answer must carry beyond text, such as logprobs"""
    server: Server = "chat"
    alone: bool = False
    """no other call may be in flight meanwhile: the answer would depend on it"""

    @property
    def payload(self) -> bytes:
        """The bytes that are sent, in the order of the body: a schema's order shapes answers."""
        return msgspec.json.encode(self.body)

    @property
    def request_hash(self) -> str:
        """The sha256 of path and payload: what was asked, apart from where and with which key."""
        return hashlib.sha256(self.path.encode() + b"\n" + self.payload).hexdigest()

    @property
    def seed(self) -> int | None:
        """The seed that is sent, if any."""
        return self.body.get("seed")


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: as received, and in the journal before anyone sees it."""

    key: str
    request_hash: str
    status: int | None
    """of HTTP; None when no answer came at all"""
    body: bytes | None
    """the JSON of the answer, also of one with an error status; None when there was no JSON"""
    error: str | None
    """one sentence on why this is not an answer; None for a JSON answer of status 200"""
    attempts: int
    latency: float
    """seconds of the last attempt"""
    seed: int | None
    usage: Mapping[str, int] | None
    """prompt_tokens, completion_tokens and total_tokens, those of them that the server reports"""
    model: str | None = None
    """that was asked for"""


class Replies(Protocol):
    """The replies so far, by key."""

    def get(self, key: str) -> Reply | None:
        """Return the reply to a call, or None when there is none yet."""
        ...

    def __contains__(self, key: object) -> bool:
        """Say whether there is a reply to a call."""
        ...


Pass: TypeAlias = Callable[[Replies], Iterable[Call]]
"""calls that can be made once those of the passes before are answered; best made lazily"""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is only known when a run has ended; of all that is written, only this may differ."""

    started_at: str
    """of the first start, kept over resumes"""
    finished_at: str
    seconds: float
    """spent making calls, over all starts"""
    attempts: int
    """over all calls in the journal"""
    stopped: str | None = None
    """what ended the run before every call had its reply; then only what is complete counts"""

    def partial(self, **left: int) -> dict[str, Any] | None:
        """Return how a file is marked that holds only what is complete; None for a whole one."""
        return None if self.stopped is None else {"stopped": self.stopped, **left}


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a run."""

    files: Mapping[str, bytes]
    """by name, whole"""
    counts: Mapping[str, int]
    """of what there is, by name"""
    failure: str | None
    """what became of everything that was asked about, where nothing can be evaluated"""
    warnings: Sequence[str] = ()
    """what a user should know before these files are evaluated"""


class Job(Protocol):
    """A run as it is planned: what to ask, in which passes, and what to write in the end."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """All that answers depend on, as JSON: a journal of another identity is not resumed."""
        ...

    @property
    def n_calls(self) -> int:
        """The number of calls of all passes together."""
        ...

    @property
    def passes(self) -> Sequence[Pass]:
        """The first probes the servers; a later one raises an AssayError where that falls short."""
        ...

    def preview(self) -> Iterable[Call]:
        """Return the calls as far as they can be known before any answer."""
        ...

    def made(self, replies: Replies, facts: Facts) -> Made:
        """Return what came of the run; of one that was stopped, what is complete."""
        ...
