"""How a conversation is found, opened, left, closed and outlived."""
