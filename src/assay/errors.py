"""What can go wrong, in words fit to show to a user.

AssayError                one sentence, and perhaps a hint
├── ColumnError           data is missing or not what a column needs
├── ArtifactError         a file is not what its format says
├── UsageError            what was asked for does not fit together
├── ServerError           a model's server cannot be used
└── OutputError           a result could not be written
"""

from __future__ import annotations


class AssayError(Exception):
    """Base of every error Assay raises on purpose."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        """Keep the sentence and the way out apart, so that each can be shown in its place."""
        super().__init__(message)
        self.message = message
        self.hint = hint
        if hint is not None:
            self.add_note(f"hint: {hint}")  # below the traceback, where Python users look


class ColumnError(AssayError):
    """Data is missing or not what a column needs."""


class ArtifactError(AssayError):
    """A file is not what its format says."""


class UsageError(AssayError):
    """What was asked for does not fit together."""


class ServerError(AssayError):
    """A model's server cannot be used."""


class OutputError(AssayError):
    """A result could not be written."""
