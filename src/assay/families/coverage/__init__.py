"""Claims of coverage: what the families of intervals and of sets have in common."""
