"""From texts to rows: chunks with their words, vectors that follow, and the exchange of the model that makes them."""
