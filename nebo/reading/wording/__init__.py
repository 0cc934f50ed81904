"""What of a claim must stand in other words, too: its names, its figures, its polarity."""
