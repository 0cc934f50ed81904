"""What comes of the words that people say: facts, notes, todos, requests to forget; and what a model reads in them."""
