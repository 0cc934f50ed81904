"""The pages of what is remembered."""
