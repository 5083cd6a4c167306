"""A small client for OpenAI-compatible servers: one call in, one reply out, whatever happens.

The network is a transport of httpx2, which a test replaces. What came back is kept as it is; only
what is not an answer at all is asked for again: a server that cannot be reached or is busy, up to
a number of attempts, and a server that fails or talks nonsense, once. A server that says it has no
room for more is asked again when it has: that is no attempt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from assay.errors import ServerError, UsageError
from assay.produce.calls import Call, Reply, Server
from assay.produce.endpoints import Endpoint, is_local
from assay.produce.limits import FIRST_WAIT, GONE_SECONDS, LONGEST_WAIT, Gate, Limits, Wait
from assay.produce.responses import Trouble, read_answer, redirected, usage_of

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport

CONNECT_SECONDS = 10.0
ATTEMPTS_UNHEARD = 3
"""to reach a server that never answered: more likely the address is wrong"""
UNHEARD_HINT = "check the address, and that the server runs; the same command goes on from here"
BROKEN = "the connection broke"
MOST_REDIRECTS = 3
OTHERS_FIRST = 10
"""rounds of calls that are answered while one finds no room: more cannot be bad luck"""
SHOWN = 300
"""characters of what the network says"""


class Client:
    """Asks servers, each with its own key."""

    def __init__(
        self,
        endpoints: Mapping[Server, Endpoint],
        limits: Limits,
        *,
        transport: AsyncBaseTransport | None = None,
        waiting: Callable[[Wait], None] = lambda _: None,
    ) -> None:
        httpx2 = _httpx2()
        self._errors = (httpx2.TransportError, httpx2.InvalidURL)
        self._endpoints = endpoints
        self._limits = limits
        self._gate = Gate(limits, waiting)
        self._heard: set[Server] = set()
        addresses = [_address(endpoint, httpx2) for endpoint in endpoints.values()]
        plain = all(is_local(url.host) and url.scheme == "http" for url in addresses)
        settings: dict[str, Any] = {
            "transport": transport,
            # Given even though it does nothing, or a .netrc file would replace the key.
            "auth": lambda request: request,
            # What stays on this machine does not go through a proxy.
            "mounts": {
                f"all://{url.netloc.decode()}": None for url in addresses if is_local(url.host)
            },
            "timeout": httpx2.Timeout(None, connect=CONNECT_SECONDS),
            "limits": httpx2.Limits(
                max_connections=limits.concurrency,
                max_keepalive_connections=limits.concurrency,
            ),
            "follow_redirects": False,
            # Where nothing is encrypted, no setting of certificates or proxies is in the way.
            **({"verify": False, "trust_env": False} if plain else {}),
        }
        try:
            self._http = httpx2.AsyncClient(**settings)
        except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:
            raise _unusable(error) from None

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._http.aclose()

    async def ask(self, call: Call) -> Reply:
        """Return the reply to a call; a call that fails for good is a reply with an error.

        A server that cannot be reached at all ends the run: any other call would fail as well.
        """
        import stamina

        asking = _Asking(self._endpoints[call.server], call)
        ask = stamina.AsyncRetryingCaller(
            attempts=self._limits.attempts,
            timeout=None,
            wait_initial=FIRST_WAIT,
            wait_max=LONGEST_WAIT,
        )
        try:
            answer = await ask(self._backoff(asking), self._attempt, asking)
        except Trouble as trouble:
            if trouble.again == "while busy" and self._unheard(trouble, call):
                raise ServerError(trouble.sentence, hint=UNHEARD_HINT) from None
            return asking.failed(trouble)
        return asking.answered(answer)

    def _unheard(self, trouble: Trouble, call: Call) -> bool:
        """Say whether a server was not reached now, nor ever before in this start."""
        return trouble.status is None and call.server not in self._heard

    def _backoff(self, asking: _Asking) -> Callable[[Exception], bool | float]:
        def backoff(error: Exception) -> bool | float:
            """Say whether to try again: as usual, or after so many seconds."""
            if type(error) is not Trouble or error.again == "never":
                return False
            if error.again == "once":
                asking.faults += 1
                return asking.faults == 1
            if self._unheard(error, asking.call):
                return asking.attempts < ATTEMPTS_UNHEARD
            return True if error.wait is None else error.wait

        return backoff

    async def _attempt(self, asking: _Asking) -> bytes:
        """Make one attempt; to be told that there is no room is none."""
        while True:
            number = await self._gate.enter(alone=asking.call.alone)
            try:
                answer = await self._timed(asking)
            except Trouble as trouble:
                if trouble.status == HTTPStatus.TOO_MANY_REQUESTS:
                    gone = self._gate.refused(number, trouble.wait)
                    answered, at_once = self._gate.n_answered, self._limits.concurrency
                    if gone or asking.is_refused_for_good(answered, at_once):
                        raise replace(trouble, again="never") from None
                    continue
                if trouble.wait is not None:
                    self._gate.hold(trouble.wait)
                raise
            finally:
                self._gate.leave()
            self._gate.answered()
            return answer

    async def _timed(self, asking: _Asking) -> bytes:
        asking.begin()
        try:
            async with asyncio.timeout(self._limits.call_seconds):
                return await self._exchange(asking)
        except TimeoutError:
            sentence = f"no answer within {self._limits.call_seconds:g} s"
            raise Trouble(sentence, "once") from None
        finally:
            asking.end()

    async def _exchange(self, asking: _Asking) -> bytes:
        """Send the request, along redirects that stay at the server, and read the answer."""
        url = asking.endpoint.url(asking.call.path)
        try:
            for _ in range(MOST_REDIRECTS):
                async with self._http.stream(
                    "POST", url, content=asking.payload, headers=asking.headers
                ) as response:
                    self._heard.add(asking.call.server)
                    if not response.is_redirect:
                        return asking.checked(await read_answer(response, asking.endpoint))
                    url = redirected(response, asking.endpoint)
        except self._errors as error:
            sentence = f"no answer from {asking.endpoint.base_url}: {_reason(error)}"
            raise Trouble(sentence, "while busy") from None
        msg = f"{asking.endpoint.base_url} redirects without end"
        raise ServerError(msg, hint="check the base URL")


class _Asking:
    """One call on its way: how often it was sent, and how long the last attempt took."""

    def __init__(self, endpoint: Endpoint, call: Call) -> None:
        self.endpoint = endpoint
        self.call = call
        self.payload = call.payload
        self.headers = {
            **endpoint.headers,
            "accept": "application/json",
            "accept-encoding": "gzip",
            "content-type": "application/json",
        }
        if endpoint.key is not None:
            self.headers["authorization"] = f"Bearer {endpoint.key}"
        self.attempts = 0
        self.faults = 0
        """attempts that are not worth a third"""
        self.latency = 0.0
        self._first_refusal: tuple[float, int] | None = None
        """for lack of room: when, and how many calls had been answered by then"""

    def begin(self) -> None:
        self.attempts += 1
        self.latency = monotonic()

    def end(self) -> None:
        self.latency = monotonic() - self.latency

    def is_refused_for_good(self, n_answered: int, concurrency: int) -> bool:
        """Say whether this call found no room for so long that it never will, while others did.

        Servers also refuse in this way what is larger than all the room they ever have.
        """
        self._first_refusal = self._first_refusal or (monotonic(), n_answered)
        since, before = self._first_refusal
        n_others = n_answered - before
        return monotonic() - since >= GONE_SECONDS and n_others >= OTHERS_FIRST * concurrency

    def checked(self, body: bytes) -> bytes:
        if (flaw := self.call.flaw(body)) is not None:
            raise Trouble(flaw, "once", HTTPStatus.OK.value, body)
        return body

    def answered(self, body: bytes) -> Reply:
        return self._reply(HTTPStatus.OK.value, body, None)

    def failed(self, trouble: Trouble) -> Reply:
        return self._reply(trouble.status, trouble.body, trouble.sentence)

    def _reply(self, status: int | None, body: bytes | None, error: str | None) -> Reply:
        return Reply(
            key=self.call.key,
            request_hash=self.call.request_hash,
            status=status,
            body=body,
            error=error,
            attempts=self.attempts,
            latency=self.latency,
            seed=self.call.seed,
            usage=usage_of(body) if body is not None else None,
            model=self.call.body.get("model"),
        )


def _unusable(error: Exception) -> UsageError:
    """Say which setting of the environment keeps a client from being made."""
    if isinstance(error, ImportError):
        msg = "the proxy of the environment is a SOCKS proxy, which needs the package socksio"
        return UsageError(msg, hint="pip install socksio; see HTTPS_PROXY and ALL_PROXY")
    if isinstance(error, OSError):
        reason = (error.strerror or str(error)).lower()
        msg = f"the certificates of the environment cannot be used: {reason}"
        return UsageError(msg, hint="see SSL_CERT_FILE and SSL_CERT_DIR")
    # Its own words quote the address of the proxy, which may hold a password.
    msg = "the proxy of the environment cannot be used"
    return UsageError(msg, hint="see HTTP_PROXY, HTTPS_PROXY and ALL_PROXY")


def _reason(error: Exception) -> str:
    wordless = "no connection in time" if type(error).__name__ == "ConnectTimeout" else BROKEN
    text = str(error).strip() or wordless
    return text[:1].lower() + text[1 : 1 + SHOWN]


def _address(endpoint: Endpoint, httpx2: Any) -> Any:
    try:
        return httpx2.URL(endpoint.base_url)
    except httpx2.InvalidURL as error:
        msg = f"the base URL is not an address: {_reason(error)}"
        raise UsageError(msg, hint="give scheme, host and path") from None


def _httpx2() -> Any:
    try:
        import httpx2
        import stamina
    except ImportError:
        msg = "asking a model needs httpx2 and stamina, which are not installed"
        raise UsageError(msg, hint="pip install 'assay[run]'") from None
    # A retry is in the reply; said on the side as well, it would tear the progress bar.
    stamina.instrumentation.set_on_retry_hooks([])
    return httpx2
