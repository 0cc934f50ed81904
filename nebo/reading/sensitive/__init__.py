"""Which classes of sensitive personal matters a text tells of."""
