"""The APIs of OpenAI and Anthropic with a memory: what is known goes in, all else is relayed, the turn is kept."""
