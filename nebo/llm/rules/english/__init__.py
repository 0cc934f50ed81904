"""The English grammar: a module a subject, each a table of patterns and the statements they make."""
