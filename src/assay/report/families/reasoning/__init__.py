"""Reasoning: what its artifacts say."""
