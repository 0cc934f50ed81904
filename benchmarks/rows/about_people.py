"""People and things: cards, names that may be one, folds (002)."""

from __future__ import annotations

from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, has, row, seen


@row("cards-now", "A card tells what is true now")
def cards_now(place: Place) -> Cases:
    for first, then, ref, old, new in (
        ("Rasmus is our accountant and does the payroll.", "Rasmus has left, Yetunde is our accountant now.",
         "person:rasmus", "payroll", "left"),
        ("Meine Kollegin Edeltraud sitzt im Büro in Bremen.", "Edeltraud sitzt jetzt im Büro in Emden.",
         "person:edeltraud", "bremen", "emden"),
        ("Mi cuñado Fermín trabaja en el puerto.", "Fermín ya no trabaja en el puerto, ahora es taxista.",
         "person:fermín", "puerto", "taxista"),
    ):  # fmt: skip
        person = place.person()
        person.say(first)
        person.say(then)
        cards = person.cards(ref) or person.cards()
        stale = has(f"{old} -{new} -no_longer -ya_no -left -nicht_mehr", cards)
        yield seen(cards and has(new, cards) and not stale, f"{first} {then}", cards or "no card")


@row("first-and-full-name", "A first name and the full name are proposed as one")
def names(place: Place) -> Cases:
    for short, long in (
        ("Ondine", "Ondine Marchetti"),
        ("Gottlieb", "Gottlieb Amsel"),
        ("Inés", "Inés de la Fuente"),
    ):
        person = place.person()
        for name, value in ((short, "mends nets"), (long, "sails to Gibraltar every spring")):
            ref = f"person:{name}"
            person.note(f"{name} {value}", type="people", entity_refs=[ref], entity_label=name)
        person.curate()
        pairs = person.list("entities/proposals/")
        yield seen(
            len(pairs) == 1, f"{short} and {long}", [str(pair)[:200] for pair in pairs] or "none proposed"
        )
    person = place.person()
    for name in ("Ondine Marchetti", "Ondine Falk"):
        person.note(f"{name} mends nets", type="people", entity_refs=[f"person:{name}"], entity_label=name)
    person.curate()
    pairs = person.list("entities/proposals/")
    yield seen(
        not pairs,
        "two Ondines with other family names",
        [str(pair)[:200] for pair in pairs] or "none proposed",
    )


@row("curator-folds", "The curator folds what says the same of somebody, and nothing else")
def folds(place: Place) -> Cases:
    for ref, one, other, full in (
        (
            "person:ludovica",
            "Ludovica is the user's aunt",
            "Ludovica is the user's aunt and a judge.",
            "judge",
        ),
        (
            "person:bruno",
            "Bruno is the user's neighbour",
            "Bruno is the neighbour of the user, on the left.",
            "left",
        ),
        (
            "person:hannelore",
            "Hannelore ist die Chefin",
            "Hannelore ist die Chefin und kommt aus Ulm.",
            "ulm",
        ),
    ):
        person = place.person()
        for value in (one, other):
            person.note(value, type="people", entity_refs=[ref], deduplicate=False)
        person.curate()
        live = person.values()
        yield seen(len(live) == 1 and has(full, live), f"{one} / {other}", live)
    for one, other in (
        ("Ludovica kann schwimmen", "Ludovica kann nicht schwimmen"),
        ("Bruno eats fish", "Bruno never eats fish"),
    ):
        person = place.person()
        for value in (one, other):
            person.note(value, type="people", entity_refs=["person:x"], deduplicate=False)
        person.curate()
        yield seen(len(person.values()) == 2, f"apart: {one} / {other}", person.values())
