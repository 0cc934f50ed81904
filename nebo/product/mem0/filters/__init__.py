"""mem0's filters: read from JSON, then made a condition of the database."""
