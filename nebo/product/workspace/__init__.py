"""A team's own affairs: who belongs to it, who is invited, which keys open its door."""
