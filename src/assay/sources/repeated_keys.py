"""Keys that stand twice in one JSON object: a decoder keeps the last one and says nothing."""

from __future__ import annotations

import json
from typing import Any

from assay._kernels import distinct_keys

__all__ = ["repeated_key"]


class _Object(list[tuple[str, Any]]):
    """The keys and values of an object, in their order."""


def repeated_key(data: bytes) -> tuple[str, str] | None:
    """Return the first repeated key of valid JSON, and the way to its object.

    Examples
    --------
    >>> repeated_key(b'{"a": [{"b": 1, "c": 2}, {"b": 1, "b": 2}]}')
    ('b', 'a[1]')
    >>> repeated_key(b'{"a": {"b": 1}, "b": 1}') is None
    True
    """
    if distinct_keys(data):
        return None
    return _found(json.loads(data, object_pairs_hook=_Object, parse_int=len, parse_float=len), "")


def _found(value: Any, way: str) -> tuple[str, str] | None:
    if type(value) is not _Object:
        inner = enumerate(value) if type(value) is list else ()
        ways = ((each, f"{way}[{number}]") for number, each in inner)
    else:
        seen: set[str] = set()
        for key, _ in value:
            if key in seen:
                return key, way
            seen.add(key)
        ways = ((each, f"{way}.{key}".removeprefix(".")) for key, each in value)
    return next(filter(None, (_found(each, inner) for each, inner in ways)), None)
