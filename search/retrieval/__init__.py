"""What Postgres finds for a question: the candidates, by words and by vectors, and what is shown of them."""
