"""Where a server is and the key it asks for, which must not be seen anywhere else."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from assay.errors import UsageError

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LONGEST_KEY = 1 << 16
KEY = re.compile(rf"[\x21-\x7e]{{1,{LONGEST_KEY}}}")
URL_HINT = "give scheme, host and path, as in http://127.0.0.1:8080/v1"
KEY_HINT = "name an environment variable with --api-key-env, or a file with --api-key-file"
PLAIN = re.compile(r"[A-Za-z0-9]*")
SHORTEST_SECRET = 8
REDACTED = "[key]"
SECRET = re.compile(r"key|token|secret|auth|pass|sig|cookie|code", re.IGNORECASE)
"""in the name of a header or of a part of an address: its value is one"""
HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
HEADER_VALUE = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
FROM_ENVIRONMENT = "env:"
OWN_HEADERS = frozenset(
    {
        *("accept", "accept-encoding", "connection", "content-encoding", "content-length"),
        *("content-type", "expect", "host", "te", "trailer", "transfer-encoding", "upgrade"),
    }
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a server, and the key it asks for.

    Examples
    --------
    >>> Endpoint("http://127.0.0.1:8080/v1", key="secret")
    Endpoint(base_url='http://127.0.0.1:8080/v1')
    """

    base_url: str
    key: str | None = field(default=None, repr=False)
    query: str = field(default="", repr=False)
    """what a gateway wants at the end of every address"""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """sent beside those of every call"""

    def url(self, path: str) -> str:
        """Return the address of a path below the base."""
        return f"{self.base_url}/{path}{'?' if self.query else ''}{self.query}"

    @property
    def secrets(self) -> list[str]:
        """What must not be seen: the key, and what else is named like one."""
        named = [*parse_qsl(self.query), *self.headers.items()]
        told = [value for name, value in named if SECRET.search(name)]
        return [each for each in (self.key, *told) if each and len(each) >= SHORTEST_SECRET]

    def redacted(self, data: bytes) -> bytes:
        """Take every secret out of what a server sent, should it have sent it back.

        A few letters, such as the "none" or "1" that local servers are given, are no secret, and
        answers hold them anyway.
        """
        for secret in self.secrets:
            never_escaped = max(PLAIN.findall(secret), key=len)
            if never_escaped.encode() in data:
                data = _spellings(secret).sub(REDACTED.encode(), data)
        return data


def _spellings(key: str) -> re.Pattern[bytes]:
    """Return what finds a key in every way that JSON may write it."""
    letters = (
        letter
        if PLAIN.fullmatch(letter)
        else rf"(?:\\?{re.escape(letter)}|\\u00(?i:{ord(letter):02x}))"
        for letter in key
    )
    return re.compile("".join(letters).encode())


def endpoint(
    base_url: str, key: str | None = None, headers: Mapping[str, str] | None = None
) -> Endpoint:
    """Check an address; what follows a question mark is kept apart, since it may hold a key.

    Examples
    --------
    >>> gateway = endpoint("https://models.example/v1/?api-version=2")
    >>> gateway, gateway.url("chat/completions")
    (Endpoint(base_url='https://models.example/v1'), \
'https://models.example/v1/chat/completions?api-version=2')
    """
    try:
        parts = urlsplit(base_url)
        parts.port  # noqa: B018 - checked when it is looked at
    except ValueError:
        msg = "the base URL is not an address"
        raise UsageError(msg, hint=URL_HINT) from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        msg = "the base URL must be an http or https address"
        raise UsageError(msg, hint=URL_HINT)
    if parts.username is not None or parts.password is not None:
        msg = "the base URL must not carry a user name or a password"
        raise UsageError(msg, hint=KEY_HINT)
    if parts.fragment or not base_url.isprintable() or " " in base_url:
        msg = "the base URL must end with its path or query, without # or blanks"
        raise UsageError(msg, hint=URL_HINT)
    bare = base_url.partition("?")[0].rstrip("/")
    return Endpoint(bare, key, parts.query, headers or {})


def read_header(text: str) -> tuple[str, str]:
    """Read a header, as in `name: value` or, to keep the value out of sight, `name: env:VARIABLE`.

    Nothing of what was given is repeated in a message: it may be a key.
    """
    name, colon, value = (part.strip() for part in text.partition(":"))
    if not colon or not HEADER.fullmatch(name):
        msg = "a header must have a name and a value"
        raise UsageError(msg, hint="as in --header 'x-team: research'")
    if name.lower() in OWN_HEADERS:
        raise UsageError(f"--header may not set {name.lower()}", hint="every call has its own")
    if value.startswith(FROM_ENVIRONMENT):
        value = os.environ.get(value.removeprefix(FROM_ENVIRONMENT), "")
    if not HEADER_VALUE.fullmatch(value):
        msg = f"the header {name.lower()} must have a value of visible ASCII characters"
        raise UsageError(msg, hint="as in --header 'x-team: research', or env:NAME for a variable")
    return name.lower(), value


def read_key(variable: str | None, file: str | None, *, usual: str) -> str | None:
    """Return the key from a named variable or file, or from the usual variable if that is set.

    Neither the key nor the name of a variable is ever repeated in a message: a key that was given
    in place of the name would show.
    """
    if variable is not None and file is not None:
        msg = "the key can come from a variable or from a file, not from both"
        raise UsageError(msg, hint=KEY_HINT)
    if file is not None:
        return _usable(_file(file), "the file of the key")
    if variable is None:
        text = os.environ.get(usual)
        return _usable(text, f"the environment variable {usual}") if text else None
    text = os.environ.get(variable) if NAME.fullmatch(variable) else None
    if not text:
        msg = "the environment variable that --api-key-env names is not set"
        raise UsageError(msg, hint="give the name of a variable, never the key itself")
    return _usable(text, "the environment variable that --api-key-env names")


def _file(path: str) -> str:
    try:
        with Path(path).open(encoding="utf-8") as file:
            return file.read(2 * LONGEST_KEY)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        msg = f"the file of the key cannot be read: {reason.lower()}"
        raise UsageError(msg, hint=KEY_HINT) from None


def _usable(text: str, where: str) -> str:
    key = text.strip()
    if not KEY.fullmatch(key):
        msg = f"{where} must hold one key of visible ASCII characters and nothing else"
        raise UsageError(msg, hint="put the key on one line, without blanks")
    return key


def unencrypted(base_url: str) -> bool:
    """Say whether what is sent can be read on its way: plain http beyond this machine.

    Examples
    --------
    >>> unencrypted("http://models.example/v1"), unencrypted("http://127.0.0.1:8080/v1")
    (True, False)
    """
    parts = urlsplit(base_url)
    return parts.scheme != "https" and not is_local(parts.hostname or "")


def is_local(host: str) -> bool:
    """Say whether a host is this machine.

    Examples
    --------
    >>> is_local("localhost"), is_local("::1"), is_local("10.0.0.1")
    (True, True, False)
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
