"""What a person asks of an agent's manner: found, decided, fulfilled and taken back."""
