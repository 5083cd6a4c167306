"""What a person reads: artifact in, words and tables out. Nothing is computed here."""

from __future__ import annotations
