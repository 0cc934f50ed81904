"""What is written about conversations, and how a model is asked for it."""
