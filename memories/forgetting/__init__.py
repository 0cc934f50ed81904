"""What a request to forget means, and how far it reaches."""
