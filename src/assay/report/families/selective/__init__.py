"""Selective prediction: what its artifacts say."""
