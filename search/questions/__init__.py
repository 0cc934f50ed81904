"""What a question says of itself, told by rules: days, names, what it is after and who said that."""
