"""The packages that pages and figures need, and what to say where they are missing."""

from __future__ import annotations

from importlib.util import find_spec

from assay.errors import UsageError

__all__ = ["require_packages"]

NEEDED = ("jinja2", "vl_convert")


def require_packages() -> None:
    """Say in one sentence which packages are missing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        msg = f"pages and figures need packages that are not installed: {', '.join(missing)}"
        raise UsageError(msg, hint="pip install 'assay[report]'")
