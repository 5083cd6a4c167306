"""Grounded verdicts: what their artifacts say."""
