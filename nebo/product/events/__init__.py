"""What happens in a team, told to other systems: webhooks and the log of their deliveries."""
