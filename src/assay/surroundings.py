"""What a program asks of where it runs: what time it is, and how much can be done at once."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from assay.errors import UsageError
from assay.showing import quoted


def now() -> datetime:
    """Return the time to put on record, `SOURCE_DATE_EPOCH` where it is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError):
        msg = f"SOURCE_DATE_EPOCH must be seconds since 1970, found {quoted(epoch)}"
        raise UsageError(msg, hint="unset it, or give a whole number") from None


def stamp(moment: datetime) -> str:
    """Write a moment as artifacts do."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
