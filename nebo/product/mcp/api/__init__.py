"""What of the Model Context Protocol knows REST framework: keys, arguments, and the views that do the work."""
