"""Export and erasure of a person: everything at once."""
