"""How a persona is to one person."""
