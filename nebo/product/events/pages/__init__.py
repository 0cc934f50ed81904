"""The pages of a team's webhooks."""
