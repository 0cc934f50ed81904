"""Addresses under /api/v1/ about the team itself."""
