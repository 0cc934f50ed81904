"""From candidates to one order: what each of them has for it, and the formulas that add it up."""
