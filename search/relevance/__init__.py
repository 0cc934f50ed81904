"""Whether what was found is about the question at all: the floor, and the second encoder that is asked below it."""
