"""The straight line from a table to an artifact, one orchestrator per family."""
