"""Reading what people say: what kind of thing a sentence is, by its meaning, and what exactly it names, by rule."""
