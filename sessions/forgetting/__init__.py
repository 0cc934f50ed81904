"""What of forgetting takes longer than a request: the same said in other words, and summaries that say it."""
