"""Which servers a run asks, and with which keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import click

from assay.cli.printing import talk
from assay.produce.calls import Server
from assay.produce.endpoints import Endpoint, endpoint, read_key, unencrypted

__all__ = ["servers"]

SURROGATE = re.compile("[\ud800-\udfff]")
"""stands for a byte of an argument that is not UTF-8"""


def servers(chosen: Mapping[str, Any]) -> dict[Server, Endpoint]:
    """Return the servers with their keys; warn where what is sent can be read on its way."""
    _check_texts(chosen)
    key = read_key(chosen["api_key_env"], chosen["api_key_file"], usual="ASSAY_API_KEY")
    chat = endpoint(chosen["base_url"], key)
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
    other = endpoint(chosen["embedding_base_url"] or chat.base_url, own)
    if own is None and _origin(other) == _origin(chat):
        return endpoint(other.base_url, chat.key)
    return other


def _origin(server: Endpoint) -> tuple[str, str | None, int | None]:
    parts = urlsplit(server.base_url)
    return parts.scheme, parts.hostname, parts.port


def _check_texts(chosen: Mapping[str, Any]) -> None:
    """Refuse bytes that are not text: nothing that is sent or written down can hold them."""
    for name, value in chosen.items():
        texts = value if type(value) is tuple else (value,)
        if any(type(text) is str and SURROGATE.search(text) for text in texts):
            msg = f"what was given for {name.replace('_', '-')} is not UTF-8 text"
            raise click.UsageError(msg)
