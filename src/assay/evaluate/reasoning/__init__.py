"""Chains of thought: files in, artifact and the files of an earlier program out."""
