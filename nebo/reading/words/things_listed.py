"""Items of a list of things: what stands below "my grocery list:" or "Ingredients" is nothing that somebody says."""

from __future__ import annotations

import re

_ITEM = re.compile(r"[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+\S")
_OF_THINGS = re.compile(
    r"\b(?:grocer(?:y|ies)|shopping|packing|ingredients?|menu|meal plan|recipe|wish ?list|inventory|pantry"
    r"|agenda|itinerary"
    r"|set ?list|playlist|reading list|einkaufs\w*|einkaufszettel|pack\w*liste|zutaten|speiseplan|rezept"
    r"|vorräte|compras?"
    r"|ingredientes|receta|menú|equipaje|courses|ingrédients|recette|spesa|ingredienti|ricetta)\b",
    re.IGNORECASE,
)


def is_thing_listed(text: str, start: int) -> bool:
    """Whether what begins at `start` is an item below a line that names a list of things."""
    lines = text[:start].split("\n")
    item = text[start - len(lines[-1]) :].split("\n", 1)[0]
    if not _ITEM.match(item):
        return False
    above = (line for line in reversed(lines[:-1]) if line.strip() and not _ITEM.match(line))
    return _OF_THINGS.search(next(above, "")) is not None
