"""What is asked of a model's server and what came back: plain data that every part here shares."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from assay.errors import UsageError

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
    flaw: Callable[[bytes], str | None] = field(default=lambda _: None, compare=False, repr=False)
    """says why an answer is of no use, where that is no matter of what a model thinks"""

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

    def has_failed(self, key: str) -> bool:
        """Say whether a call has failed for good; a probe has not, whatever the reply."""
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
