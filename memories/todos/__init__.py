"""What is open: promises, habits, threads and frictions."""
