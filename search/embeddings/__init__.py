"""From texts to vectors: the providers of models, which of them serve now, and a cache for each tenant."""
