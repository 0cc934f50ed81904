"""What was believed of a person, from when to when, and what it was replaced by."""
