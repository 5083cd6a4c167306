"""Calibration: what its artifacts say."""
