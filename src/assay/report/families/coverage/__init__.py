"""Prediction intervals and sets: what their artifacts say."""
