"""How each provider's API says what a conversation is, and how its answers are read."""
