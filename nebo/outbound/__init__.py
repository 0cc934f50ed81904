"""Calls that Nebo makes for a team, to addresses that the team names: webhooks, and models of its own."""
