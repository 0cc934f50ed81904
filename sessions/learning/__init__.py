"""What a conversation teaches: in the turn, and by a job afterwards."""
