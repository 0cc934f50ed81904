"""Hostile texts that want to become memories, each with a harmless twin that must."""
