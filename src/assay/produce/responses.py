"""What a server sent: the JSON of an answer, or why it is none and whether to ask again."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from time import time
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import msgspec

from assay.errors import ServerError
from assay.produce.endpoints import Endpoint
from assay.showing import quoted

if TYPE_CHECKING:
    from httpx2 import AsyncByteStream, Response

LARGEST = 32 * 2**20
"""bytes of an answer; the rest is not read"""
LONGEST_RETRY_AFTER = 600.0
"""seconds; a server that asks for more is away for good"""
SHOWN = 300
"""characters of a server's own words"""
BUSY = {408, 425, 429, 502, 503, 504, *range(506, 600)}
"""also under the numbers that those who stand before a server give it"""
USELESS = {401, 402, 407}
"""what any other call would be told as well: the run cannot go on"""
FOLLOWED = {307, 308}
SECONDS = re.compile(r"[0-9]+(\.[0-9]+)?")
PART = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|h|m|s)")
LENGTH = re.compile(rf"(?:{PART.pattern})+")
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
A_MOMENT, IN_THOUSANDTHS = 1e9, 1e11
"""so many seconds are no wait but a time since 1970, which some servers count in thousandths"""
MOST_TOKENS = 10**12
LIMITS = ("x-ratelimit-{}-requests", "x-ratelimit-{}-tokens", "x-ratelimit-{}", "ratelimit-{}")
NO_ROOM = "429"
"""as gateways say it in a success"""
LONGEST_NOTHING = 64
"""bytes, with blanks"""
NOTHING = {b"", b"null", b"[]", b"[null]"}
USAGE = ("prompt_tokens", "completion_tokens", "total_tokens")
Again: TypeAlias = Literal["while busy", "once", "never"]


class _Answer(msgspec.Struct):
    choices: msgspec.Raw = msgspec.Raw()
    data: msgspec.Raw = msgspec.Raw()
    usage: Any = None
    error: Any = None
    message: Any = None
    detail: Any = None


class _Choice(msgspec.Struct):
    message: msgspec.Raw = msgspec.Raw()
    error: Any = None
    """of a gateway, whose own server broke off"""


_ANSWER = msgspec.json.Decoder(_Answer)
_CHOICES = msgspec.json.Decoder(list[_Choice])


@dataclass(slots=True, eq=False)
class Trouble(Exception):  # noqa: N818 - not an error yet: the next attempt may bring the answer
    """An attempt that brought no answer."""

    sentence: str
    again: Again
    status: int | None = None
    body: bytes | None = None
    wait: float | None = None
    """seconds that the server asks for"""


async def read_answer(response: Response, endpoint: Endpoint) -> bytes:
    """Return the JSON of an answer, or say why there is none."""
    status = response.status_code
    data = endpoint.redacted(await _bounded(response))
    if status == HTTPStatus.OK:
        whole, answer = _json(data, response.headers.get("content-type"))
        if (trouble := _trouble(answer, response, endpoint)) is not None:
            trouble.body = whole
            raise trouble
        return whole
    body, words = None, _worded(data.decode(errors="replace").strip())
    with suppress(Trouble):
        body, said = _json(data, None)
        words = _worded(said.error or said.message or said.detail or words)
    sentence = f"status {status}: {words}" if words else f"status {status}"
    if status in USELESS:
        msg = f"{endpoint.base_url} cannot be used, {sentence}"
        raise ServerError(msg, hint=_HINTS[status])
    if status in BUSY:
        raise Trouble(
            sentence, "while busy", status, body, _retry_after(response, endpoint, status)
        )
    again: Again = "once" if status == HTTPStatus.INTERNAL_SERVER_ERROR else "never"
    raise Trouble(sentence, again, status, body)


_HINTS = {
    401: "name the environment variable of the key with --api-key-env, or its file",
    402: "see to the account at the server",
    407: "give the proxy what it asks for in HTTPS_PROXY",
}


async def _bounded(response: Response) -> bytes:
    """Read a body, but not more of it than is reasonable."""
    chunks, size = [], 0
    async for chunk in cast("AsyncByteStream", response.stream):
        size += len(chunk)
        if size > LARGEST:
            raise _too_large(response)
        chunks.append(chunk)
    data = b"".join(chunks)
    coding = response.headers.get("content-encoding", "identity").lower()
    if coding == "identity":
        return data
    if coding != "gzip":
        sentence = f"the answer is coded as {quoted(coding[:SHOWN])}, which was not asked for"
        raise Trouble(sentence, "never", response.status_code)
    unzip = zlib.decompressobj(wbits=31)
    try:
        data = unzip.decompress(data, LARGEST + 1)
    except zlib.error:
        raise Trouble(
            "the answer is not the gzip it claims", "once", response.status_code
        ) from None
    if len(data) > LARGEST:
        raise _too_large(response)
    return data


def _too_large(response: Response) -> Trouble:
    sentence = f"the answer is larger than {LARGEST // 2**20} MB"
    return Trouble(sentence, "never", response.status_code)


def _json(data: bytes, content_type: str | None) -> tuple[bytes, _Answer]:
    """Return a JSON object on one line, and what it holds."""
    kind = (content_type or "application/json").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        sentence = f"the answer is {quoted(kind[:SHOWN])} and not JSON"
        raise Trouble(sentence, "once", HTTPStatus.OK.value)
    try:
        data.decode()
        return _object(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        fault = "nested too deeply" if type(error) is RecursionError else str(error)
    try:
        return _object(_mended(data))
    except (ValueError, RecursionError):  # what a decoder raises is a ValueError
        sentence = f"the answer is not a JSON object ({fault[:SHOWN]})"
        raise Trouble(sentence, "once", HTTPStatus.OK.value) from None


def _object(data: bytes) -> tuple[bytes, _Answer]:
    answer = _ANSWER.decode(data)
    return msgspec.json.format(data, indent=-1), answer


def _mended(data: bytes) -> bytes:
    r"""Make JSON of what Python's own encoder writes and JSON does not have.

    Examples
    --------
    >>> _mended(b'{"logprob": -Infinity, "token": "\\ud83d"}')
    b'{"logprob": null, "token": "?"}'
    """
    value = json.loads(data, parse_constant=lambda _: None)
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode(errors="replace")


def _trouble(answer: _Answer, response: Response, endpoint: Endpoint) -> Trouble | None:
    """Tell an error that is sent as a success, and an answer that holds none."""
    if not _is_nothing(answer.data):
        return None
    missing, error = "embeddings" if bytes(answer.data) else "choices", answer.error
    if not _is_nothing(answer.choices):
        try:
            first = _CHOICES.decode(answer.choices)[0]
        except msgspec.DecodeError:
            return None  # it is not as documented, which is told when it is read
        if not first.error and bytes(first.message).startswith(b"{"):
            return None
        missing, error = "message", first.error or error
    if not error:
        return Trouble(f"the reply holds no {missing}", "once", HTTPStatus.OK.value)
    sentence = f"an error with status 200: {_worded(error)}"
    if type(error) is dict and str(error.get("code")) == NO_ROOM:
        wait = _retry_after(response, endpoint, int(NO_ROOM))
        return Trouble(sentence, "while busy", int(NO_ROOM), wait=wait)
    return Trouble(sentence, "once", HTTPStatus.OK.value)


def _is_nothing(value: msgspec.Raw) -> bool:
    text = bytes(value)
    return len(text) < LONGEST_NOTHING and b"".join(text.split()) in NOTHING


def _worded(said: Any) -> str:
    if type(said) is dict:
        said = said.get("message") or said
    text = said if type(said) is str else msgspec.json.encode(said).decode()
    return " ".join(text.split())[:SHOWN]


def usage_of(body: bytes) -> dict[str, int] | None:
    """Return the tokens that a server says it used."""
    found = _ANSWER.decode(body).usage
    if type(found) is not dict:
        return None
    told = {name: found[name] for name in USAGE if type(found.get(name)) is int}
    return {name: n for name, n in told.items() if 0 <= n <= MOST_TOKENS}


def _retry_after(response: Response, endpoint: Endpoint, status: int) -> float | None:
    """Return the seconds that a server asks to wait, in any of the ways in which servers say so."""
    headers = response.headers
    seconds = _number(headers.get("retry-after-ms"), 1 / 1000)
    if seconds is None:
        seconds = _seconds(headers.get("retry-after"), _moment(headers))
    if seconds is None and status == HTTPStatus.TOO_MANY_REQUESTS:
        seconds = _until_reset(headers)
    if seconds is not None and seconds > LONGEST_RETRY_AFTER:
        msg = f"{endpoint.base_url} asks to wait {seconds:.0f} seconds"
        raise ServerError(msg, hint="the same command goes on from here, later")
    return seconds


def _until_reset(headers: Mapping[str, str]) -> float | None:
    """Return the seconds until a limit that is used up starts anew; of several, the longest.

    Examples
    --------
    >>> limits = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m2.5s"}
    >>> _until_reset(
    ...     limits | {"x-ratelimit-remaining-tokens": "9", "x-ratelimit-reset-tokens": "6h"}
    ... )
    62.5
    """
    waits = [
        _seconds(headers.get(name.format("reset")), _moment(headers))
        for name in LIMITS
        if (_number(headers.get(name.format("remaining"))) or 0) <= 0
    ]
    return max((each for each in waits if each is not None), default=None)


def _number(text: str | None, unit: float = 1.0) -> float | None:
    return float(text) * unit if text is not None and SECONDS.fullmatch(text.strip()) else None


def _seconds(text: str | None, moment: float) -> float | None:
    """Read a length of time: seconds, a moment counted from 1970, 1m30s, or a date."""
    if text is None:
        return None
    number = _number(text)
    if number is not None and number >= A_MOMENT:
        return max(0.0, (number / 1000 if number >= IN_THOUSANDTHS else number) - moment)
    if number is not None:
        return number
    if LENGTH.fullmatch(text.strip()):
        return sum(float(n) * UNITS[unit] for n, unit in PART.findall(text))
    date = _date(text)
    return None if date is None else max(0.0, date - moment)


def _moment(headers: Mapping[str, str]) -> float:
    """Return the time by the clock of the server, which is the one that it names moments by."""
    date = _date(headers.get("date", ""))
    return time() if date is None else date


def _date(text: str) -> float | None:
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            date = read(text.strip())
            return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            continue
    return None


def redirected(response: Response, endpoint: Endpoint) -> str:
    """Return where to ask instead, which must be the same server and the same method."""
    here, there = response.url, response.url.join(response.headers.get("location", ""))
    same = (there.scheme, there.host, there.port) == (here.scheme, here.host, here.port)
    if same and response.status_code in FOLLOWED:
        return str(there)
    # The key and the texts are meant for the server that was named, and for no other.
    target = there.copy_with(userinfo=b"", query=None, fragment=None)
    shown = endpoint.redacted(str(target).encode()).decode()
    here = here.copy_with(query=None)
    msg = f"{here} redirects to {shown}, where nothing was sent"
    raise ServerError(msg, hint="if that is the server you mean, give its address as base URL")
