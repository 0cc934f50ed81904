"""mem0's API over Nebo's own services; docs/mem0.md says what is mapped to what."""
