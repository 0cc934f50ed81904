"""What people share with their team, and what others of it recall (docs/team-memory.md)."""
