"""What kind of thing each sentence says: the way into reading."""
