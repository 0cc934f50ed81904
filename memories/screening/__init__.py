"""What a text must pass before it may be remembered, and how what may not be shown is hidden. Pure."""
