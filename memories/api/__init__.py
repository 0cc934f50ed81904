"""The endpoints of memories, by resource."""
