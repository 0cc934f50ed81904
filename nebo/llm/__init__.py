"""Clients for chat models: one request, one reply, whichever provider answers. Plain Python, no Django."""
