"""How often and how quickly a team's keys were answered, in figures and in pictures."""
