"""Where a server is and the key it asks for, which must not be seen anywhere else."""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from assay.errors import UsageError

__all__ = ["Endpoint", "endpoint", "is_local", "read_key", "unencrypted"]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LONGEST_KEY = 1 << 16
KEY = re.compile(rf"[\x21-\x7e]{{1,{LONGEST_KEY}}}")
URL_HINT = "give scheme, host and path, as in http://127.0.0.1:8080/v1"
KEY_HINT = "name an environment variable with --api-key-env, or a file with --api-key-file"
PLAIN = re.compile(r"[A-Za-z0-9]*")
SHORTEST_SECRET = 8
REDACTED = "[key]"


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

    def url(self, path: str) -> str:
        """Return the address of a path below the base."""
        return f"{self.base_url}/{path}"

    def redacted(self, data: bytes) -> bytes:
        """Take the key out of what a server sent, should it have sent it back.

        A few letters, such as the "none" or "1" that local servers are given, are no secret, and
        answers hold them anyway.
        """
        if self.key is None or len(self.key) < SHORTEST_SECRET:
            return data
        never_escaped = max(PLAIN.findall(self.key), key=len)
        if never_escaped.encode() not in data:
            return data
        return _spellings(self.key).sub(REDACTED.encode(), data)


def _spellings(key: str) -> re.Pattern[bytes]:
    """Return what finds a key in every way that JSON may write it."""
    letters = (
        letter
        if PLAIN.fullmatch(letter)
        else rf"(?:\\?{re.escape(letter)}|\\u00(?i:{ord(letter):02x}))"
        for letter in key
    )
    return re.compile("".join(letters).encode())


def endpoint(base_url: str, key: str | None = None) -> Endpoint:
    """Check an address.

    Examples
    --------
    >>> endpoint("https://models.example/v1/").base_url
    'https://models.example/v1'
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
    if parts.query or parts.fragment or not base_url.isprintable() or " " in base_url:
        msg = "the base URL must end with its path, without ?, # or blanks"
        raise UsageError(msg, hint=URL_HINT)
    return Endpoint(base_url.rstrip("/"), key)


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
