"""The addresses of mem0's hosted service and of its own server."""
