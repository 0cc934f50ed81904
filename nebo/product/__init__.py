"""What stands above the apps: pages for people, rules of a tenant's data, and running the whole."""
