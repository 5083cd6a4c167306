"""Named bundles of options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.errors import UsageError

__all__ = ["Presets", "with_preset"]

Presets = Mapping[str, Mapping[str, Any]]
"""by name: the options that a preset sets, those left out keep their defaults"""


def with_preset(presets: Presets, preset: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return a preset's options and what was chosen beside it, which wins; None is not chosen."""
    if preset not in presets:
        msg = f"there is no preset {preset!r}"
        raise UsageError(msg, hint=f"the presets are {', '.join(presets)}")
    given = {name: value for name, value in chosen.items() if value is not None}
    return {**presets[preset], **given, "preset": preset}
