"""Nebo beside other stores of memory: the same machine, Postgres, model of embeddings, conversations and questions."""
