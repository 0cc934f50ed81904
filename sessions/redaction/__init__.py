"""Words taken out of a conversation for good."""
