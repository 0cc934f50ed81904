"""Anthropic's memory tool: a folder `/memories` a person, of text files that keep their former versions."""
