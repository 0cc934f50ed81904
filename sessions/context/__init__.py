"""What an agent puts before its model: a stable prefix, a dynamic block, recent messages and steering."""
