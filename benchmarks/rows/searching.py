"""What an agent's search finds, and counts (000 §5, §11, §18; 001 point 5; 002)."""

from __future__ import annotations

from benchmarks.rows.person import Person
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, has, row, seen

KNOWN = (
    "Works as a farrier near Hexham", "Has two greyhounds", "Sings alto in a choir", "Is afraid of heights",
    "Prefers trains to planes", "Drinks lapsang", "Studied Norwegian", "Rents a mooring", "Collects fountain pens",
    "Was born in Oviedo",
)  # fmt: skip
NONSENSE = (
    "tensor renormalisation of spin glasses",
    "Umsatzsteuervoranmeldung Quartal drei",
    "receta de paella con conejo",
)


def knower(place: Place) -> Person:
    """Somebody of whom ten things are known."""
    person = place.person()
    for value in KNOWN:
        person.note(value)
    return person


@row("search-floor", "A search by the tool for what nothing is known of finds nothing")
def floor(place: Place) -> Cases:
    person = knower(place)
    for query in NONSENSE:
        told = person.tool("search", query=query)
        yield seen(has("no_memories", told), query, told)
    for query, words in (
        ("what instrument or voice do I have", "alto"),
        ("dogs", "greyhounds"),
        ("job", "farrier"),
    ):
        told = person.tool("search", query=query)
        yield seen(has(words, told), query, told)


@row("tool-search", "What the tool's search finds is about the question, the best first")
def tool_search(place: Place) -> Cases:
    person = knower(place)
    for query, words, most in (
        ("where was the person born", "oviedo", 5),
        ("Wovor hat sie Angst?", "heights", 6),
        ("what tea do they drink", "lapsang", 5),
    ):
        lines = person.tool("search", query=query).splitlines()[1:]
        yield seen(has(words, lines[:2]) and len(lines) <= most, query, lines)


@row("search-counts", "A search counts as use only what was served to the question")
def counts(place: Place) -> Cases:
    for query, words in (
        ("greyhounds", "greyhounds"),
        ("fear of heights", "heights"),
        ("fountain pens", "pens"),
    ):
        person = knower(place)
        person.tool("search", query=query)
        used = [memory["value"] for memory in person.memories() if memory["access_count"]]
        yield seen(has(words, used) and len(used) <= 3, query, used)
    person = knower(place)
    person.tool("search", query=NONSENSE[0])
    used = [memory["value"] for memory in person.memories() if memory["access_count"]]
    yield seen(not used, f"nonsense: {NONSENSE[0]}", used or "none counted")


@row("importance-grows", "A memory grows important with its use, also by contexts that show it")
def grows(place: Place) -> Cases:
    for value, question in (
        ("Allotment number is 88 at Fenwick Lane", "which allotment is ours?"),
        ("Der Hund heißt Waldemar", "wie heißt der Hund?"),
        ("El taller cierra los jueves", "¿qué día cierra el taller?"),
    ):
        person = place.person()
        memory = person.note(value)
        for _ in range(3):
            person.prompt(question)
        used = person.memory("GET", memory["id"])["access_count"]
        yield seen(used >= 3, f"{value}: three contexts that show it", f"used {used} times")
    person = place.person()
    memory = person.note("Keeps the ladder behind the shed", importance=0)
    for number in range(12):
        person.tool("recall", key=memory["key"])
        person.prompt(f"where is the ladder, {number}?")
    person.curate()
    grown = person.memory("GET", memory["id"])
    yield seen(
        grown["importance"] > 0, "used two dozen times, then tidied", f"importance {grown['importance']}"
    )


@row("passages", "What is found of a conversation says who said it, when, and what it answers")
def passages(place: Place) -> Cases:
    for asked, answered, query, words in (
        ("Which paint did we buy for the hull?", "Hempel, the dark one.", "hull paint brand", "hempel"),
        ("Wie viele Gäste kommen zur Taufe?", "Einundzwanzig.", "Taufe Gäste Anzahl", "einundzwanzig"),
        ("¿Quién trae el vino a la cena?", "Remedios.", "quién trae el vino", "remedios"),
    ):
        person = place.person()
        talk = person.talk(auto_extract=False)
        talk.say(f"assistant: {asked}", answered, "assistant: OK.", "so, what else")
        told = person.tool("search", query=query)
        line = next((one for one in told.splitlines() if has(words, one)), "")
        yield seen(has("user*", line) and has("20*", line), f"{asked} {answered}", told)


@row("transcript-to-tool", "What was said and folded away is found by the tool's search")
def transcript(place: Place) -> Cases:
    for said, query, words in (
        ("The beekeepers meet in the vestry at half past six.", "where do the beekeepers meet", "vestry"),
        ("Das Ersatzrad liegt im Keller von Nummer 14.", "wo liegt das Ersatzrad", "keller"),
        ("El fontanero vino por la fuga de la azotea.", "fontanero fuga", "azotea"),
    ):
        person = place.person()
        talk = person.talk(auto_extract=False)
        talk.say(
            said, *[line for n in range(12) for line in (f"And thing {n}?", "assistant: Fine.")], at_once=True
        )
        talk.run("compact")
        told = person.tool("search", query=query)
        fillers = [line for line in told.splitlines() if has("fine", line) and len(line) < 80]
        yield seen(has(words, told) and not fillers, said, told)
