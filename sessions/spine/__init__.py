"""What lasts about a person, over all conversations, in four sections."""
