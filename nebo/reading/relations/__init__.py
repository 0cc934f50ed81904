"""How a new sentence stands to something known."""
