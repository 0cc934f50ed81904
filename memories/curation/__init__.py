"""What tidies itself: importance that grows, facts that become one, guesses that fade."""
