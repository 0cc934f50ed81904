"""One page for all that waits for a person's decision."""
