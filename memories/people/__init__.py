"""Who and what memories speak of: cards, names that may be one, and the person's own profile."""
