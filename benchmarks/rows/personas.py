"""Personas: what is theirs alone, what is locked, undone, listed (002, 004)."""

from __future__ import annotations

from benchmarks.client import JSON
from benchmarks.rows.person import Person
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, among, has, row, seen


@row("between-us", "What is told in confidence stays with its persona, in whatever words")
def between_us(place: Place) -> Cases:
    friend, clerk = place.persona("friend"), place.persona("clerk")
    for said, question, words in (
        ("I'm seeing a therapist called Dr Pym, that goes no further please.", "who is Dr Pym?", "pym"),
        ("Mum's the word: I've applied for the post in Galway.", "where did I apply?", "galway"),
        (
            "Ich habe Schulden bei Kunibert, das muss unter uns bleiben.",
            "Bei wem habe ich Schulden?",
            "kunibert",
        ),
        ("Estoy embarazada, pero que no salga de aquí.", "¿estoy embarazada?", "embaraz*|pregnan*"),
        (
            "Je cherche un autre travail, garde-le pour toi.",
            "est-ce que je cherche un autre travail ?",
            "travail",
        ),
    ):
        person = place.person()
        person.say(said, persona=friend)
        other = [
            *person.search(question, persona=clerk),
            person.prompt(question, persona=clerk).replace(question, ""),
        ]
        own = [*person.search(question, persona=friend), person.prompt(question, persona=friend)]
        yield seen(
            has(words, own) and not has(words, " ".join(other)),
            said,
            among(words, "\n".join(other)) or "apart",
        )
    for said, question, words in (
        (
            "We live near Duncannon, with only a road between us and the sea.",
            "where do we live?",
            "duncannon",
        ),
        ("My shop keeps quiet on Mondays, in Tralee.", "where is the shop?", "tralee"),
    ):
        person = place.person()
        person.say(said, persona=friend)
        other = [*person.search(question, persona=clerk)]
        yield seen(has(words, other), f"no secret: {said}", other)


def wish(person: Person, said: str, persona: str) -> list[JSON]:
    """What was decided in the turn."""
    talk = person.talk(persona=persona)
    decisions = list(talk.say(said)["persona"]["decisions"])
    talk.learned()
    return decisions


LOCKED = (
    ("response_length", "detailed", "Keep your answers short from now on.", "*short*|concise|brief"),
    ("language", "English", "Ab jetzt bitte nur noch auf Deutsch antworten.", "german|deutsch"),
    ("emoji_usage", "moderate", "No uses emojis conmigo, por favor.", "no_emoji*|wants_no*|none"),
)


@row("locked-fields", "What a team has locked no wish changes, by no other way either")
def locked(place: Place) -> Cases:
    for field, value, said, words in LOCKED:
        slug = place.persona(f"fixed-{field.replace('_', '-')}", locked=[field], **{field: value})
        person = place.person()
        before = person.stable(persona=slug).splitlines()
        decisions = wish(person, said, slug)
        new = [line for line in person.stable(persona=slug).splitlines() if line not in before]
        refused = any(one["reason"] == "locked_by_team" for one in decisions)
        yield seen(
            refused and not has(words, new),
            said,
            [*(f"{d['field']} {d['decision']} {d['reason']}" for d in decisions), *new],
        )


@row("deferred-waits", "A wish that waits for more evidence isn't in the prompt yet")
def deferred(place: Place) -> Cases:
    slug = place.persona("waiting")
    for said in (
        "maybe your answers could be a bit shorter?",
        "vielleicht könntest du mal etwas kürzer schreiben, weiß nicht",
        "a lo mejor podrías responder más corto, no sé",
    ):
        person = place.person()
        before = person.stable(persona=slug).splitlines()
        decisions = wish(person, said, slug)
        new = [line for line in person.stable(persona=slug).splitlines() if line not in before]
        accepted = any(one["decision"] == "accepted" for one in decisions)
        shown = among("*short*|*concise*|*brief*|*kurz*|*cort*", new)
        yield seen(
            decisions and (accepted or not shown),
            said,
            [*(f"{d['field']} {d['decision']}" for d in decisions), *new],
        )


@row("one-identity", "A prompt never says two things about how the agent is")
def identity(place: Place) -> Cases:
    for columns, said, old, new in (
        (
            {"response_length": "detailed"},
            "Keep your answers short from now on.",
            "detailed",
            "*short*|concise|brief",
        ),
        ({"emoji_usage": "frequent"}, "Bitte keine Emojis mehr.", "frequent", "none|no_emoji*"),
        ({"name": "Hal"}, "A partir de ahora te llamas Brígida.", "hal", "brigida"),
    ):
        slug = place.persona(f"split-{next(iter(columns)).replace('_', '-')}", **columns)
        person = place.person()
        wish(person, said, slug)
        lines = person.stable(persona=slug).splitlines()
        both = [*among(old, lines), *among(new, lines)]
        yield seen(has(new, lines) and not has(old, lines), f"{columns}: {said}", both)


@row("wish-persona", "A wish stays with the persona it was said to")
def stays(place: Place) -> Cases:
    asked, other = place.persona("asked"), place.persona("other")
    for said, words in (
        ("Please answer in Dutch from now on.", "dutch"),
        ("Nenn mich ab jetzt bitte Käpt'n.", "*kapt*"),
        ("No me llames nunca colega.", "colega"),
    ):
        person = place.person()
        wish(person, said, asked)
        own, elsewhere = person.stable(persona=asked), person.stable(persona=other)
        yield seen(
            has(words, own) and not has(words, elsewhere),
            said,
            [*among(words, own), "elsewhere:", *among(words, elsewhere)],
        )


@row("wish-undo", "Undone or rolled back, a wish is gone from the prompt")
def undo(place: Place) -> Cases:
    slug = place.persona("undone")
    for said, words, act in (
        ("Keep your answers short from now on.", "*short*|concise|brief", "undo"),
        ("Antworte mir ab jetzt immer auf Isländisch.", "icelandic|islandisch", "rollback"),
        ("Nunca me pongas ejemplos de fútbol.", "futbol", "undo"),
    ):
        person = place.person()
        before = person.stable(persona=slug)
        decisions = wish(person, said, slug)
        shown = [line for line in person.stable(persona=slug).splitlines() if line not in before.splitlines()]
        for one in decisions if act == "undo" else ():
            if one["decision"] == "accepted":
                person.call("POST", f"personality/candidates/{one['candidate_id']}/undo/?persona={slug}", {})
        if act == "rollback":
            person.call("POST", "personality/rollback/", {"to": 0, "persona": slug})
        left = [line for line in person.stable(persona=slug).splitlines() if line not in before.splitlines()]
        yield seen(has(words, shown) and not has(words, left), f"{said} {act}", f"{shown} → {left or 'gone'}")


@row("wish-candidates", "All that somebody wished is listed, whatever persona they asked")
def candidates(place: Place) -> Cases:
    asked = place.persona("listed")
    for said in (
        "Please answer in Welsh from now on.",
        "Nenn mich bitte Chefin.",
        "Sé más breve, por favor.",
    ):
        person = place.person()
        wish(person, said, asked)
        every = person.list("personality/candidates/")
        own = person.list(f"personality/candidates/?persona={asked}")
        yield seen(every and own, said, f"{len(every)} of every persona, {len(own)} of this one")
