"""The small language models that come along, as encoders of texts: no network, no settings, no database."""
