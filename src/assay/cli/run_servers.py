"""Which servers a run asks, and with which keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import click

from assay.cli.printing import talk
from assay.errors import UsageError
from assay.produce.calls import Server
from assay.produce.endpoints import Endpoint, endpoint, read_header, read_key, unencrypted

__all__ = ["servers"]

SURROGATE = re.compile("[\ud800-\udfff]")
"""stands for a byte of an argument that is not UTF-8"""


def servers(chosen: Mapping[str, Any]) -> dict[Server, Endpoint]:
    """Return the servers with their keys; warn where what is sent can be read on its way."""
    _check_texts(chosen)
    key = read_key(chosen["api_key_env"], chosen["api_key_file"], usual="ASSAY_API_KEY")
    headers = dict(map(read_header, chosen["headers"]))
    if key is not None and "authorization" in headers:
        msg = "a key is given, and --header sets authorization as well"
        raise UsageError(msg, hint="give one of them")
    chat = endpoint(chosen["base_url"], key, headers)
    found: dict[Server, Endpoint] = {"chat": chat}
    if "embedding_model" in chosen:
        found["embedding"] = _embedding(chat, chosen)
    for base_url in dict.fromkeys(each.base_url for each in found.values()):
        if unencrypted(base_url):
            talk(
                f"warning: {base_url} is not encrypted: texts and keys can be read on the way",
                quiet=False,
            )
    return found


def _embedding(chat: Endpoint, chosen: Mapping[str, Any]) -> Endpoint:
    """Return the server of the embeddings; the key of the other goes there only if it is it."""
    variable, file = chosen["embedding_api_key_env"], chosen["embedding_api_key_file"]
    own = read_key(variable, file, usual="ASSAY_EMBEDDING_API_KEY")
    if chosen["embedding_base_url"] is None:
        return replace(chat, key=chat.key if own is None else own)
    other = endpoint(chosen["embedding_base_url"], own)
    if own is None and _origin(other) == _origin(chat):
        return replace(other, key=chat.key, headers=chat.headers)
    return other


def _origin(server: Endpoint) -> tuple[str, str | None, int | None]:
    parts = urlsplit(server.base_url)
    return parts.scheme, parts.hostname, parts.port


def _check_texts(chosen: Mapping[str, Any]) -> None:
    """Refuse bytes that are not text: nothing that is sent or written down can hold them."""
    for name, value in chosen.items():
        texts = value if type(value) is tuple else (value,)
        if any(type(text) is str and SURROGATE.search(text) for text in texts):
            shown = {"models": "model", "headers": "header"}.get(name, name.replace("_", "-"))
            msg = f"what was given for {shown} is not UTF-8 text"
            raise click.UsageError(msg)
