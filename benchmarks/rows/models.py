"""What a chat model proposes: corrected, reworded, invented (000 §3 and §18, 002, 003)."""

from __future__ import annotations

from benchmarks.rows.person import until
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, among, has, row, seen


@row(
    "one-subject-one-key",
    "One subject has one live answer, whatever keys a model gives it",
    kind="model",
)
def one_subject(place: Place) -> Cases:
    for first, value, key, later, newer, other, old, new in (
        ("The Larkspur handover is on 12 April.", "The Larkspur handover is on 12 April.", "project/larkspur",
         "Larkspur's handover slipped to 20 August.", "The Larkspur handover is on 20 August.",
         "project/larkspur-handover", "april", "august"),
        ("Ich wohne in Lübeck.", "Lives in Lübeck.", "user/location",
         "Ich wohne jetzt in Jena.", "Lives in Jena.", "home/city", "lubeck", "jena"),
        ("Trabajo en Telmex como analista.", "Works at Telmex.", "user/occupation",
         "Ahora trabajo en Bimbo como analista.", "Works at Bimbo.", "work/employer", "telmex", "bimbo"),
    ):  # fmt: skip
        array = "entities" if key.startswith("project") else "preferences"
        about = (
            {"entity": {"label": "Larkspur", "type": "project"}, "type": "project"}
            if array == "entities"
            else {}
        )
        place.model.learns(first, value, array=array, key=key, **about)
        place.model.learns(later, newer, array=array, key=other, changes=value, **about)
        person = place.person()
        person.say(first)
        person.say(later)
        values = person.values()
        yield seen(has(new, values) and not has(f"{old} -{new}", values), f"{first} … {later}", values)


@row(
    "corrections-by-model",
    "A model's correction replaces what rules or a model kept before",
    kind="model",
)
def corrections(place: Place) -> Cases:
    for first, entry, later, newer, old, new in (
        ("I'm with Lumen Labs, on the support desk.", "Works at Lumen Labs.",
         "I left Lumen, I'm at Fjordbank now.", "Works at Fjordbank.", "lumen -left", "fjordbank"),
        ("We settled on MariaDB for the shop.", "Chose MariaDB for the shop.",
         "We're taking CockroachDB for the shop instead of MariaDB.", "Chose CockroachDB for the shop.",
         "mariadb", "cockroach*"),
        ("Bitte immer britische Schreibweise.", "Wants British spelling.",
         "Ab jetzt lieber amerikanische Schreibweise.", "Wants American spelling.", "brit*", "ameri*"),
    ):  # fmt: skip
        array = "decisions" if "Chose" in entry else "styles" if "spelling" in entry else "preferences"
        key = {"decisions": "decision/database", "styles": "style/spelling"}.get(array, "user/occupation")
        place.model.learns(first, entry, array=array, key=key)
        place.model.learns(later, newer, array=array, key=key, changes=entry)
        person = place.person()
        person.say(first)
        person.say(later)
        told = until(  # what code alone couldn't tell is asked about a second time, by a job
            lambda p=person: [*p.values(), *p.stable().splitlines()],
            lambda lines, old=old, new=new: has(new, lines) and not has(f"{old} -{new}", lines),
        )
        shown = [*among(f"{old}|{new}", told)]
        yield seen(has(new, told) and not has(f"{old} -{new}", told), f"{first} … {later}", shown)


@row("model-knows", "A model is shown what is known near the new words", kind="model")
def known(place: Place) -> Cases:
    for first, value, later, words in (
        ("Our pub quiz team is the Quizzly Bears.", "Plays in the pub quiz team Quizzly Bears.",
         "the pub quiz team has a new name by the way", "Quizzly Bears"),
        ("Der Umbau der Scheune kostet 40.000 Euro.", "Der Umbau der Scheune kostet 40.000 Euro.",
         "der Umbau der Scheune wird teurer", "40.000 Euro"),
        ("Mi gata se llama Pelusa.", "Has a cat named Pelusa.",
         "mi gata está enferma otra vez", "Pelusa"),
    ):  # fmt: skip
        place.model.learns(first, value, key="home/thing")
        person = place.person()
        person.say(first)
        person.say(later)
        prompts = place.model.read("extract", later)
        yield seen(
            any(words in prompt for prompt in prompts), f"{first} … {later}", prompts or ["it was not asked"]
        )


@row("rules-beside-model", "Rules leave no garbage beside a model's reading; lies stay out",
     kind="model")  # fmt: skip
def beside(place: Place) -> Cases:
    for said, quote, value, words in (
        ("dark theme everywhere please, spaces and tabs fighting it out in my repo drives me mad",
         "dark theme everywhere", "Wants a dark theme everywhere.", "dark theme"),
        ("So the beta goes out on 14 March and the rest of the team cheered.", "beta goes out on 14 March",
         "The beta goes out on 14 March.", "14 march"),
        ("Ich spiele Akkordeon, und mein Bruder hasst es.", "Ich spiele Akkordeon", "Plays the accordion.",
         "accordion|akkordeon"),
    ):  # fmt: skip
        place.model.learns(quote, value, key="preference/it")
        person = place.person()
        person.say(said)
        found = among(words, person.stable())  # once: as a memory, or as what they asked for
        yield seen(len(found) == 1, said, found or person.values())
    for said, value in (
        ("What a gorgeous sunrise over the canal today!", "Is allergic to penicillin."),
        ("My cousin Bram is a vegetarian, poor thing at barbecues.", "The user is a vegetarian."),
        ("No tengo hijos, solo dos sobrinos.", "Has children."),
    ):
        place.model.learns(said, value, key="user/lie", lie=True)
        person = place.person()
        person.say(said)
        yield seen(value not in person.values(), f"a model lies of: {said}", person.values())
    place.model.fails_at("my allotment is number 31")
    person = place.person()
    talk = person.talk()
    talk.say("I grow dahlias, my allotment is number 31 by the canal.")
    job = talk.call("POST", "extract/?wait=5")["job"]
    yield seen(talk.messages() and job["state"] != "succeeded", "a model fails: the turn stays", job)
