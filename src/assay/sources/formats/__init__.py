"""Formats of files: each a module of this package that declares one, told by name or by content.

A name that tells one format is believed. Where a name tells several (`.json`), and for standard
input, the content decides. A module that is put into this package is found by being there.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Literal

from assay.errors import ArtifactError
from assay.sources.content import Content

__all__ = ["Format", "Gives", "format_of", "formats", "suffixes"]

Gives = Literal["table", "items"]
JSON_STARTS = (b"{", b"[")


@dataclass(frozen=True, slots=True)
class Format:
    """One format: how files of it are called, what they look like, and what is read from them."""

    name: str
    suffixes: tuple[str, ...]
    """of file names without `.gz`, in lower case, the usual one first; formats may share one"""
    holds: Callable[[Content], bool]
    """says whether content is surely of this format"""
    read: Callable[..., Any]
    """makes a `Table` of content; of `items` it takes `mode` and `signals` and makes an
    `ItemTable`"""
    gives: Gives = "table"
    only_sure: bool = False
    """whether nothing is of this format that does not surely look like it"""


@cache
def formats() -> tuple[Format, ...]:
    """Return every format, by name."""
    modules = (import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__))
    found: list[Format] = [module.FORMAT for module in modules]
    return tuple(sorted(found, key=lambda each: each.name))


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of all formats."""
    return tuple(dict.fromkeys(suffix for each in formats() for suffix in each.suffixes))


def format_of(content: Content, wanted: Gives = "table") -> Format:
    """Return the format of content: a wanted table, unless it surely is something else."""
    named = content.path != "-"
    may = [each for each in formats() if not named or content.suffix in each.suffixes]
    if not may:
        msg = f"{content.path} has a name that tells no format"
        hint = f"the formats are {', '.join(suffixes())}, each also with .gz or .zst"
        raise ArtifactError(msg, hint=hint)
    sure = may if len(may) == 1 else [each for each in may if each.holds(content)]
    return (sure or _likely(content, wanted))[0]


def _likely(content: Content, wanted: Gives) -> list[Format]:
    """Return formats that content may be of, though it is of none as it should be."""
    is_json = content.data.lstrip()[:1] in JSON_STARTS
    suffix = content.suffix or (".json" if is_json else ".csv")
    alike = [each for each in formats() if suffix in each.suffixes and not each.only_sure]
    if wanted == "table":
        alike = [each for each in alike if each.gives == "table"] or alike
    return sorted(alike, key=lambda each: each.suffixes.index(suffix))
