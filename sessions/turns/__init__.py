"""The messages that come in with one call, stored all or nothing."""
