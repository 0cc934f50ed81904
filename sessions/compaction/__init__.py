"""Old messages folded into a summary, and the journal of it."""
