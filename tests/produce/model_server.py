"""A model's server on loopback that answers by rule, and misbehaves on demand.

It speaks raw HTTP over asyncio in a thread of its own, so that it can also do what a library would
not let it: reset a connection, stop in the middle, send without end.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from tests.produce.clock import Clock

WORDS = ("salt", "wind", "wave", "gull", "tide", "foam", "sand", "deep", "calm", "grey")


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.raw)


Act = Callable[[Seen, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class ModelServer:
    """Answers each request with what `act` says; keeps what it saw."""

    act: Callable[[Seen, int], Act | None] = lambda _seen, _number: None
    """given a request and how many came before; None behaves well"""
    seconds: float = 0.0
    """how long a good answer takes"""
    seen: list[Seen] = field(default_factory=list)
    most_at_once: int = 0
    port: int = 0
    """0 for any that is free"""

    def __enter__(self) -> Self:
        self._now = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *error: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def leave(self) -> None:
        """Be gone, in the middle of whatever is said; to be called by what the server does."""
        self._stop.set()

    def wait_until_left(self) -> None:
        """Return once all that clients sent has arrived and they have gone."""
        asyncio.run_coroutine_threadsafe(self._left(), self._loop).result(120)

    async def _left(self) -> None:
        # Connections are taken in order: when this one is through, all before it are known.
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write_eof()
        await reader.read()
        writer.close()
        await asyncio.gather(*self._talks, return_exceptions=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        self._talks: set[asyncio.Task[Any]] = set()
        server = await asyncio.start_server(
            self._talk, "127.0.0.1", self.port, limit=2**26, backlog=512
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                first, *lines = head.strip().split("\r\n")
                headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines)}
                raw = await reader.readexactly(int(headers.get("content-length", 0)))
                await self._answer(Seen(first.split()[1], headers, raw), writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._talks.discard(task)
            writer.close()

    async def _answer(self, seen: Seen, writer: asyncio.StreamWriter) -> None:
        number = len(self.seen)
        self.seen.append(seen)
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        try:
            act = self.act(seen, number)
            if act is None:
                await asyncio.sleep(self.seconds)
                act = says(good_answer(seen))
            await act(seen, writer)
            await writer.drain()
        finally:
            self._now -= 1


@dataclass
class Bucket:
    """Lets so many requests through in a second, and tells the others when to come back."""

    clock: Clock
    per_second: float
    headers: dict[str, str]
    refused: int = 0

    def __post_init__(self) -> None:
        self._room, self._since = self.per_second, 0.0

    def __call__(self, _: Seen, __: int) -> Act | None:
        now = self.clock.now()
        self._room = min(self.per_second, self._room + (now - self._since) * self.per_second)
        self._since = now
        if self._room >= 1:
            self._room -= 1
            return None
        self.refused += 1
        return says({"error": {"message": "slow down"}}, status=429, **self.headers)


def mixes_up(seen: Seen, _: int) -> Act | None:
    """Give texts that are embedded in company another embedding than alone."""
    if not seen.path.endswith("/embeddings"):
        return None
    answer = good_answer(seen)
    for each in answer["data"][1:]:
        each["embedding"][0] += 0.5
    return says(answer)


def says(
    value: Any,
    *,
    status: int = 200,
    kind: str = "application/json",
    zipped: bool = False,
    **headers: str,
) -> Act:
    """Answer with a value as JSON, or with bytes as they are."""

    async def act(_: Seen, writer: asyncio.StreamWriter) -> None:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        data = gzip.compress(data) if zipped else data
        named = {"content-type": kind, "content-length": str(len(data))}
        named |= {"content-encoding": "gzip"} if zipped else {}
        named |= {name.replace("_", "-"): text for name, text in headers.items()}
        lines = "".join(f"{name}: {text}\r\n" for name, text in named.items())
        writer.write(f"HTTP/1.1 {status} Whatever\r\n{lines}\r\n".encode() + data)

    return act


def resets() -> Act:
    """Break the connection without an answer."""

    async def act(_: Seen, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    return act


def stops_halfway() -> Act:
    """Promise more bytes than are sent."""

    async def act(_: Seen, writer: asyncio.StreamWriter) -> None:
        head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n"
        writer.write(head.encode() + b'{"choices": [')
        await writer.drain()
        writer.close()

    return act


def waits(seconds: float, clock: Clock | None = None) -> Act:
    """Say nothing for a while; on a clock that can be put forward, the while passes at once."""

    async def act(seen: Seen, writer: asyncio.StreamWriter) -> None:
        if clock is not None:
            clock.skip(seconds)
        await asyncio.sleep(seconds)
        await says(good_answer(seen))(seen, writer)

    return act


def drips(seconds: float) -> Act:
    """Send a blank now and then, so that a limit between two bytes never applies."""

    async def act(_: Seen, writer: asyncio.StreamWriter) -> None:
        head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n"
        writer.write(head.encode())
        for _number in range(900):
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(seconds)

    return act


@dataclass
class Flood:
    """Send a body of this size in chunks, as long as it is read."""

    megabytes: int
    sent: int = 0

    async def __call__(self, _: Seen, writer: asyncio.StreamWriter) -> None:
        head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked"
        writer.write(f"{head}\r\n\r\n".encode())
        part = b" " * 2**20
        for _number in range(self.megabytes):
            writer.write(b"%x\r\n" % len(part) + part + b"\r\n")
            await writer.drain()
            self.sent += 1
        writer.write(b"0\r\n\r\n")


def good_answer(seen: Seen) -> dict[str, Any]:
    """Answer as a real server would; the same request always has the same answer."""
    body = seen.body
    if seen.path.endswith("/embeddings"):
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        data = [{"index": i, "embedding": _vector(text)} for i, text in enumerate(texts)]
        return {"object": "list", "data": data, "usage": {"prompt_tokens": 5, "total_tokens": 5}}
    choices = [_choice(body, i) for i in range(body.get("n", 1))]
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return {"model": "ruled", "system_fingerprint": "fp", "choices": choices, "usage": usage}


def choice_of(text: str, k: int | None = None, finish: str = "stop") -> dict[str, Any]:
    """Return a choice with this text and, where asked for, logprobs."""
    choice: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": text}}
    if k is not None:
        choice["logprobs"] = {"content": [_token(part, k) for part in _parts(text)]}
    return choice | {"finish_reason": finish}


def _choice(body: dict[str, Any], index: int) -> dict[str, Any]:
    warm = body.get("temperature", 1) > 0
    asked = [body["messages"], (body.get("seed"), index) if warm else None]
    draw = _draws(json.dumps(asked).encode())
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    if schema is None:
        text = " ".join(WORDS[next(draw) % len(WORDS)] for _ in range(6))
    else:
        text = json.dumps(_value(schema, draw))
    return choice_of(text, body["top_logprobs"] if body.get("logprobs") else None) | {
        "index": index
    }


def _draws(seed: bytes):
    while True:
        seed = hashlib.sha256(seed).digest()
        yield from seed


def _value(schema: dict[str, Any], draw: Any) -> Any:
    if "enum" in schema:
        return schema["enum"][next(draw) % len(schema["enum"])]
    if "anyOf" in schema:
        return _value(schema["anyOf"][next(draw) % len(schema["anyOf"])], draw)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = kind[next(draw) % len(kind)]
    if kind == "object":
        return {name: _value(each, draw) for name, each in schema["properties"].items()}
    if kind == "array":
        return [_value(schema["items"], draw) for _ in range(1 + next(draw) % 2)]
    if kind == "integer":
        least, most = schema.get("minimum", 0), schema.get("maximum", 3)
        return least + next(draw) % (most - least + 1)
    return None if kind == "null" else f"{WORDS[next(draw) % len(WORDS)]} é"


def _parts(text: str) -> list[bytes]:
    data = text.encode()
    return [data[i : i + 3] for i in range(0, len(data), 3)]


def _token(part: bytes, k: int) -> dict[str, Any]:
    chosen = -0.1 - part[0] / 1000
    top = [
        {"token": f"t{i}", "logprob": chosen - i, "bytes": list(b"t%d" % i)} for i in range(1, k)
    ]
    own = {"token": part.decode(errors="replace"), "logprob": chosen, "bytes": list(part)}
    return own | {"top_logprobs": [own, *top]}


def _vector(text: str) -> list[float]:
    return [byte / 255 - 0.5 for byte in hashlib.sha256(text.encode()).digest()[:8]]
