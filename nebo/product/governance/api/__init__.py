"""Endpoints about a person's data as a whole."""
