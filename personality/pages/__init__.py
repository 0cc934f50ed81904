"""The pages on who the agent is: for the person, and for the team."""
