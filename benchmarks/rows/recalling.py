"""The recall block, and what counts as the same memory (003)."""

from __future__ import annotations

from benchmarks.rows.person import until
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, has, row, seen


@row(
    "recall-switch",
    "Recall can be switched off for a tenant, a session and a call",
    own=True,
)
def switch(place: Place) -> Cases:
    other = place.tenant()
    person = other.person()
    person.note("Plays the theremin on Thursdays")
    asked = "what do I play on Thursdays?"
    other.client.call("PATCH", "settings/", {"recall": False})
    off = person.recall(asked)
    cards = person.talk().context(asked)["cards"]
    other.client.call("PATCH", "settings/", {"recall": True})
    on = person.recall(asked)
    yield seen(not off and has("theremin", on), "of a tenant", f"off: {off or 'empty'}, on: {on}")
    yield seen(not cards, "of a tenant, in a context", cards)
    talk = person.talk(recall=False)
    yield seen(not talk.context(asked)["cards"], "of a session", talk.context(asked)["cards"])
    lean = person.talk().context(asked, lean=True)["cards"]
    yield seen(not lean, "of a call", lean)


@row(
    "recall-floor",
    "A plain question recalls what is known, one about nothing known recalls nothing",
)
def recall_floor(place: Place) -> Cases:
    for value, question in (
        ("Has three hens and a cockerel", "tell me about the animals"),
        ("Reports to Ingeborg at the archive", "who is the manager?"),
        ("Is going to retire in 2035", "when does work end for good?"),
        ("Takes the ferry to work", "how does the commute go?"),
        ("Hat eine Katze namens Fräulein Smilla", "wie heißt die Katze?"),
        ("Es alérgico a los frutos secos", "¿qué no puede comer?"),
    ):
        person = place.person()
        person.note(value)
        person.note("Bought a green sofa")
        block = person.recall(question)
        yield seen(value in block, f"{value}: {question}", block)
    person = place.person()
    person.note("Has three hens and a cockerel")
    for nothing in ("what is the boiling point of tungsten?", "Wie wird das Wetter in Oslo?"):
        block = person.recall(nothing)
        yield seen(not block, nothing, block or "empty")


@row("near-duplicates", "The same in other words is one memory (0.90)")
def duplicates(place: Place) -> Cases:
    for first, again in (
        ("Owns a sailing boat", "Owns a sailing boat."),
        ("Is learning to play the harp", "Is learning how to play the harp"),
        ("Lives in Trieste with her husband", "Lives with her husband in Trieste"),
        ("Trinkt morgens gerne grünen Tee", "Trinkt am Morgen gerne grünen Tee"),
        ("Trabaja en una imprenta de Vigo", "Trabaja en una imprenta en Vigo"),
    ):
        person = place.person()
        person.note(first)
        answer = person.note(again)
        yield seen(
            answer["deduplicated"] and len(person.values()) == 1, f"{first} / {again}", person.values()
        )


@row("contradictions-apart", "What contradicts is never one memory, in any language")
def contradictions(place: Place) -> Cases:
    for first, other in (
        ("Isst gerne Oliven", "Isst keine Oliven"),
        ("Mi prima vive en León", "Mi primo vive en León"),
        ("Elle supporte le lactose", "Elle ne supporte pas le lactose"),
        ("Mangia carne", "Non mangia mai carne"),
        ("Works on Saturdays", "Never works on Saturdays"),
        ("The alarm code has 4 digits", "The alarm code has 6 digits"),
    ):
        person = place.person()
        person.note(first)
        person.note(other)
        yield seen(len(person.values()) == 2, f"{first} / {other}", person.values())
    for first, other in (
        ("Ich esse gerne Austern.", "Ich esse nie Austern."),
        ("Puedo nadar bien en el mar.", "No puedo nadar bien en el mar."),
    ):
        person = place.person()
        person.say(first)
        person.say(other)
        merged = [memory["value"] for memory in person.memories() if memory["reinforced_count"] > 1]
        yield seen(not merged, f"told: {first} / {other}", merged or person.values())


@row("recall-stranger", "For somebody unknown recall answers an empty block, and makes nobody")
def stranger(place: Place) -> Cases:
    for query in ("anything at all", "was weißt du über mich?", "¿qué sabes de mí?"):
        person = place.person()
        block = person.recall(query)
        made = place.refusal("GET", f"users/{person.name}/", {})
        yield seen(not block and made.startswith("404"), query, f"{block or 'empty'}; then {made[:60]}")


@row(
    "query-expansion",
    "A long question finds what it is about, in the languages that are learned",
)
def expansion(place: Place) -> Cases:
    for value, question, words in (
        ("Is allergic to sesame", "so for saturday we were thinking of having everyone over and a friend suggested "
         "that new place around the corner, do you happen to know whether anything with sesame would be a problem",
         "sesame"),
        ("Fährt einen alten Lanz-Traktor", "also am Wochenende kommt ja der Nachbar vorbei und wir wollten eigentlich "
         "das Holz holen, was meinst du, ob das mit dem Traktor überhaupt noch geht bei dem Wetter", "lanz"),
        ("Tiene vértigo", "mira, el domingo mis cuñados quieren que vayamos todos a la sierra y luego subir por el "
         "puente colgante ese tan famoso, y no sé si con lo del vértigo es buena idea", "vertigo"),
    ):  # fmt: skip
        person = place.person()
        person.note(value)
        for other in ("Bought a green sofa", "Mag Kreuzworträtsel", "Colecciona sellos"):
            person.note(other)
        block = person.recall(question)
        first = block.splitlines()[1:2]
        yield seen(has(words, first), question, block or "empty")


@row(
    "embedding-fallback",
    "Without the embedding provider words carry on, and the server says so",
    kind="wordless",
)
def fallback(place: Place) -> Cases:
    for value, query in (
        ("Plays water polo in Split", "water polo"),
        ("Der Gärtner heißt Ottokar", "Gärtner Ottokar"),
        ("Guarda las llaves en la alacena", "llaves alacena"),
    ):
        person = place.person()
        person.note(value)
        texts = person.search(query)
        yield seen(has(query.split()[0].lower(), texts), query, texts)
    part = until(place.health, lambda parts: parts["embedding"]["status"] == "degraded")["embedding"]
    yield seen(part["status"] == "degraded", "the server says so", part)
