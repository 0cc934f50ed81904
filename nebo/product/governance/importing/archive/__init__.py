"""A file that Nebo made, brought back: the same rows, as this person's."""
