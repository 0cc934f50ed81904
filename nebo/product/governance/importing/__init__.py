"""What comes in from elsewhere: read, checked as a whole, stored in batches, each once."""
