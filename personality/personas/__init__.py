"""Who an agent is: the persona itself, its files, and every version of both."""
