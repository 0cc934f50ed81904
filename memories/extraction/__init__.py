"""A model's answer to what a conversation says: located, parsed, and checked against the words it cites."""
