"""The processes that do the work: one that watches, the workers, and what finds lost work."""
