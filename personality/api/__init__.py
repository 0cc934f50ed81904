"""Endpoints about who the agent is, and how it has learned to speak with a person."""
