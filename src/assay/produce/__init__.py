"""Runs and generations from models behind an OpenAI-compatible endpoint."""
