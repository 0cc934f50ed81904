"""Times as people say them, and the days that they come to."""
