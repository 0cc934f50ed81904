"""What a memory carries: keys, references, labels, importance, sources (002)."""

from __future__ import annotations

from benchmarks.client import JSON, CallFailed
from benchmarks.rows.person import Person
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, has, row, seen


@row("bad-reference", "A bad reference is explained, by its place and reason")
def bad_reference(place: Place) -> Cases:
    person = place.person()
    for refs, index in (
        (["gizmo:kettle"], 0),
        (["person:anna", "place"], 1),
        (["org:acme", "person:bo", "vehicle:rex"], 2),
    ):
        told = place.refusal(
            "POST", f"users/{person.name}/memories/", {"value": "Knows them", "entity_refs": refs}
        )
        explained = told.startswith("400") and any(
            at.format(index) in told for at in ("entity_refs/{}", "entity_refs[{}]")
        )
        yield seen(explained and not has("at_most_20", told), f"{refs}", told)


@row("labels", "A label is the name as it was said")
def labels(place: Place) -> Cases:
    for ref, label in (
        ("place:Portland, Oregon", "Portland, Oregon"),
        ("person:Sinéad O'Hara", "Sinéad O'Hara"),
        ("org:Müller & Söhne", "Müller & Söhne"),
        ("person:Jean-Luc Étienne", "Jean-Luc Étienne"),
    ):
        person = place.person()
        memory = person.note("Has to do with it", entity_refs=[ref])
        yield seen(memory["entity_label"] == label, ref, memory["entity_label"])


@row("core-importance", "Name and role are of importance 3")
def core(place: Place) -> Cases:
    for column, value, words in (
        ("display_name", "Ximena Arroyo", "ximena"),
        ("occupation", "Thatcher", "thatcher"),
        ("display_name", "Jörg", "jorg"),
    ):
        person = place.person()
        person.call("PATCH", "", {column: value})
        kept = [memory for memory in person.memories() if has(words, memory["value"])]
        told = [f"{memory['value']}: {memory['importance']}" for memory in kept]
        yield seen(kept and all(memory["importance"] == 3 for memory in kept), f"{column} {value}", told)
    for said, words in (
        ("My name is Thaddeus.", "thaddeus"),
        ("Ich heiße Mechthild.", "mechthild"),
        ("I work as a cobbler.", "cobbler"),
        ("Soy relojera.", "relojera"),
        ("Ich wohne in Stralsund.", "stralsund"),
    ):
        person = place.person()
        person.say(said)
        kept = [memory for memory in person.memories() if has(words, memory["value"])]
        told = [f"{memory['value']}: {memory['importance']}" for memory in kept]
        yield seen(kept and all(memory["importance"] == 3 for memory in kept), said, told)


@row("unpin", "Unpinning gives back the importance there was")
def unpin(place: Place) -> Cases:
    for importance, born_pinned in ((0, True), (1, True), (2, False), (0, False)):
        person = place.person()
        memory = person.note("Keeps a diary", importance=importance, pinned=born_pinned)
        if not born_pinned:
            person.memory("POST", memory["id"], "pin/")
        back = person.memory("POST", memory["id"], "unpin/")["importance"]
        told = f"importance {importance}, {'born pinned' if born_pinned else 'pinned'}"
        yield seen(back == importance, told, f"then {back}")


def relation(person: Person, name: str, value: str) -> JSON:
    """What an agent writes of somebody in the person's life."""
    about = {"type": "people", "entity_refs": [f"person:{name}"], "fact_type": "relationship"}
    return person.note(value, **about)


def has_key(person: Person, id: str, key: str) -> bool:
    """Whether a memory, and no other, is found by its key: by a filter of that name, or as words."""
    try:
        found = person.memories(memory_key=key)
    except CallFailed as refused:
        if refused.status != 400:
            raise
        found = person.memories(q=key)
    return [memory["id"] for memory in found] == [id]


@row(
    "memory-key",
    "Every memory has its key by the formula, can be read and found by it",
    kind="model",
)
def memory_key(place: Place) -> Cases:
    for name, slug in (("Solveig Dahl", "solveig_dahl"), ("Iñaki", "iñaki"), ("Jürgen", "jürgen")):
        person = place.person()
        memory = relation(person, name, f"{name} is the landlord")
        wanted = f"people|person|{slug}|relationship"
        read = person.memory("GET", memory["id"]).get("memory_key")
        found = has_key(person, memory["id"], wanted)
        yield seen(read == wanted and found, f"by an agent: {name}", f"{read}, found by it: {found}")
    person = place.person()
    person.note("Rufus barks at night", type="people", entity_refs=["person:rufus"], fact_type="friction")
    person.note("Rufus is nine", type="people", entity_refs=["person:rufus"])
    keys = sorted(str(memory.get("memory_key")) for memory in person.memories())
    yield seen(
        keys == ["people|person|rufus|fact", "people|person|rufus|friction"], "two kinds of fact", keys
    )
    said = "Casimir is my fencing teacher."
    place.model.learns(said, "Casimir is the fencing teacher.", array="entities", key="person/casimir", type="people",
                       entity={"label": "Casimir", "type": "person"}, fact_type="relationship")  # fmt: skip
    person = place.person()
    person.say(said)
    keys = [memory.get("memory_key") for memory in person.memories() if has("casimir", memory["value"])]
    yield seen("people|person|casimir|relationship" in keys, said, keys)


@row("memory-key-updates", "The same key updates, however it came", kind="model")
def updates(place: Place) -> Cases:
    for name, first, then in (
        ("Berit", "Berit is the lodger", "Berit is the business partner"),
        ("Wenzel", "Wenzel ist der Vermieter", "Wenzel ist der Schwager"),
        ("Amparo", "Amparo es la profesora de piano", "Amparo es la vecina"),
    ):
        person = place.person()
        relation(person, name, first)
        answer = relation(person, name, then)
        yield seen(
            person.values() == [then], f"{first} / {then}", [*person.values(), f"version {answer['version']}"]
        )
    for first, then in (("Olaf is our plumber.", "Olaf is our electrician now."),):
        about = {"entity": {"label": "Olaf", "type": "person"}, "type": "people", "fact_type": "relationship"}
        place.model.learns(first, "Olaf is the plumber.", array="entities", key="person/olaf", **about)
        place.model.learns(
            then,
            "Olaf is the electrician.",
            array="entities",
            key="people/olaf-work",
            changes="Olaf is the plumber.",
            **about,
        )
        person = place.person()
        person.say(first)
        person.say(then)
        live = [value for value in person.values() if has("olaf", value)]
        yield seen(len(live) == 1 and has("electrician", live), f"{first} / {then}", live)


@row("sources", "Each memory says where it came from")
def sources(place: Place) -> Cases:
    person = place.person()
    person.call("PATCH", "", {"display_name": "Lorcan", "location": "Sligo", "occupation": "Piper"})
    for words in ("lorcan", "sligo", "piper"):
        told = [memory["source"] for memory in person.memories() if has(words, memory["value"])]
        yield seen(told == ["seeded_profile"], f"a profile with {words}", told)
    for said, words in (
        ("I repair accordions for a living.", "accordion*"),
        ("Tengo un huerto en Elche.", "elche"),
    ):
        person = place.person()
        person.say(said)
        told = [memory["source"] for memory in person.memories() if has(words, memory["value"])]
        yield seen(told and set(told) <= {"extraction", "signal"}, said, told)
    for value in ("Keeps three hives", "Hat eine Schwester namens Gudrun", "Toca la gaita"):
        person = place.person()
        kept = person.note(value, source="import")
        yield seen(kept["source"] == "import", f"brought along: {value}", kept["source"])
    person = place.person()
    for value in ("Torvald is a boat builder", "Torvald is a boat builder and has a workshop by the pier"):
        person.note(value, type="people", entity_refs=["person:torvald"], deduplicate=False)
    person.curate()
    told = [memory["source"] for memory in person.memories()]
    yield seen(told == ["curated_fold"], "two facts folded, one of which says the other too", told)


@row("user-seed", "What is known of somebody from the start is given once, for every persona")
def user_seed(place: Place) -> Cases:
    persona = place.persona("guide")
    for columns, words in (
        ({"display_name": "Fionn", "location": "Achill"}, "achill"),
        ({"occupation": "Glasbläserin", "interests": ["Kakteen"]}, "kakteen"),
        ({"goals": "Cruzar el Estrecho a nado", "timezone": "Europe/Madrid"}, "estrecho"),
    ):
        person = place.person()
        person.call("PATCH", "", dict(columns))
        prompts = [person.stable(), person.stable(persona=persona)]
        told = {memory["source"] for memory in person.memories()}
        yield seen(all(has(words, one) for one in prompts) and told == {"seeded_profile"}, f"{columns}", told)


@row("profile-sync", "Deleting one source of a profile field keeps what another live memory says")
def person_sync(place: Place) -> Cases:
    for column, value, goes_first in (
        ("location", "Bilbao", 0),
        ("occupation", "Restorer", 1),
        ("timezone", "Europe/Oslo", 0),
    ):
        person = place.person()
        addresses = ({"namespace": "user", "key": column}, {"key": f"user/{column}"})
        made = [person.note(value, layer="tacit", deduplicate=False, **address) for address in addresses]
        person.memory("DELETE", made[goes_first]["id"])
        left = [f"{memory['namespace']}:{memory['key']}" for memory in person.memories()]
        kept = person.call("GET")[column]
        yield seen(
            kept == value and left, f"{column} told twice, one deleted", f"{kept or 'empty'}; left: {left}"
        )
    for lines, job in (
        (("I'm a nurse.", "I work at St Olav's as a nurse on the burns ward."), "nurse"),
        (("Ich bin Glaser.", "Ich arbeite als Glaser bei der Dombauhütte."), "glaser"),
        (("Soy alfarera.", "Trabajo como alfarera en un taller de Úbeda."), "alfarera"),
    ):
        person = place.person()
        for line in lines:
            person.say(line)
        fuller = [memory for memory in person.memories() if has(job, memory["value"])]
        told = [str(person.call("GET")["occupation"])]
        person.memory("DELETE", f"{fuller[0]['id']}", "?keep_words=true")
        told.append(str(person.call("GET")["occupation"]))
        held = [one.casefold() for one in told] == [job, job] and len(fuller) == 1
        yield seen(held, " … ".join(lines), [*told, *(memory["value"] for memory in fuller)])
