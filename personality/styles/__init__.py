"""How a person likes to be spoken to: what was observed, and the directive written from it."""
