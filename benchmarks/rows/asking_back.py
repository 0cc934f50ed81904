"""Asking back where nothing is known (004)."""

from __future__ import annotations

from benchmarks.client import CallFailed
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, row, seen


@row("asking-back", "Asking back with nothing known fails closed, in ordinary words")
def asking_back(place: Place) -> Cases:
    for asked, refused in (
        ("what was that bread recipe you gave me the other day?", True),
        ("as we agreed, go ahead with the second option", True),
        ("you had a tip about my shoulder, which one was it", True),
        ("wie hieß nochmal das Buch, das du mir empfohlen hattest?", True),
        ("mach da weiter, wo wir gestern aufgehört haben", True),
        ("¿qué me dijiste del seguro la otra vez?", True),
        ("tu m'avais conseillé un restaurant, c'était lequel ?", True),
        ("what did Napoleon do after Waterloo?", False),
        ("remind me how many grams are in an ounce", False),
        ("wie schreibt man nochmal Rhythmus?", False),
    ):
        person = place.person()
        talk = person.talk(auto_extract=False)
        talk.say(asked)
        try:
            answer = talk.context(asked)["continuity"]
            told = f"200 {answer}"
        except CallFailed as error:
            told = str(error)
        yield seen(told.startswith("409") is refused, asked, told)
