"""A question answered: candidates found, ranked and shown, kept for seconds, and explained."""
