"""The memory tool of an agent, answered in the text that a model reads."""
