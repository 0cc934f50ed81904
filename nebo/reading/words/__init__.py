"""Small lists and forms of words, by language: grammar, openers, what a text names."""
