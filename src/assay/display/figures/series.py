"""Names in a specification: scales and legends hold neutral ids, names are only displayed.

A name may be any text, and a drawing program may take some for words of its own. So every field
that tells things apart has a twin with an id per name, and what is drawn for an id is looked up.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from assay.display.figures.figure import Spec

__all__ = ["with_ids"]

LABELS = "labels"
"""the parameter that holds what is displayed for an id"""
ID = "Id"
"""what a field with ids has at its end"""
CHANNELS = ("x", "y", "xOffset", "yOffset", "color", "shape", "strokeDash")
Ids = dict[str, str]


def with_ids(spec: Spec) -> Spec:
    """Put ids in the place of names in all that tells them apart."""
    fields = dict.fromkeys(each["field"] for each in _channels(spec))
    ids: Ids = {}
    for rows in spec["datasets"].values():
        for row in rows:
            for field in (each for each in fields if each in row):
                row[f"{field}{ID}"] = _id(row[field], ids)
    for channel in [*_channels(spec)]:
        channel.update(_identified(channel, ids))
    for parameter in spec.get("params", ()):
        _select(parameter, fields)
    names = {each: name for name, each in ids.items()}
    spec["params"] = [*spec.get("params", ()), {"name": LABELS, "value": names}]
    return spec


def _channels(part: Any) -> Iterator[Spec]:
    """Yield how names are encoded, in all layers."""
    encoding = part.get("encoding", {})
    for name in CHANNELS:
        channel = encoding.get(name, {})
        if channel.get("type") == "nominal" and "field" in channel:
            yield channel
    for layer in part.get("layer", ()):
        yield from _channels(layer)


def _id(name: str, ids: Ids) -> str:
    return ids.setdefault(name, f"n{len(ids)}")


def _identified(channel: Mapping[str, Any], ids: Ids) -> Spec:
    changed: Spec = {"field": f"{channel['field']}{ID}"}
    if "sort" in channel:
        changed["sort"] = _all(channel["sort"], ids)
    if "domain" in channel.get("scale", {}):
        changed["scale"] = {**channel["scale"], "domain": _all(channel["scale"]["domain"], ids)}
    for guide in ("axis", "legend"):
        if channel.get(guide):
            changed[guide] = _guide(channel[guide], ids)
    return changed


def _all(names: Iterable[str], ids: Ids) -> list[str]:
    return [_id(each, ids) for each in names]


def _guide(guide: Mapping[str, Any], ids: Ids) -> Spec:
    """Display names beside an axis or in a legend."""
    shown = f"{LABELS}[datum.value]"
    changed = {**guide, "labelExpr": guide.get("labelExpr", "datum.label")}
    changed["labelExpr"] = changed["labelExpr"].replace("datum.label", shown)
    if "values" in guide:
        changed["values"] = _all(guide["values"], ids)
    return changed


def _select(parameter: Spec, fields: Container[str]) -> None:
    chosen = parameter.get("select", {})
    if "fields" in chosen:
        chosen["fields"] = [f"{each}{ID}" if each in fields else each for each in chosen["fields"]]
