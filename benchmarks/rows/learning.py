"""What is learned with no chat model (000 §3, 003)."""

from __future__ import annotations

from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, has, row, seen


@row("learning-plain", "Plain statements are learned without a model, and nothing else is")
def plain_statements(place: Place) -> Cases:
    for said, words in (
        ("I moved to Ghent last spring and I teach geography at a secondary school there.", "ghent"),
        ("btw I cant eat shellfish, last time it put me in hospital", "shellfish"),
        ("My sister Ottilie runs a bakery in Bruges.", "ottilie baker*"),
        ("I've been playing the oboe since I was nine.", "oboe"),
    ):
        person = place.person()
        person.say(said)
        yield seen(has(words, person.values()), said, person.values())
    for said in (
        "ugh, what a day. wiped out and starving",
        "Could you polish this sentence for my novel: 'I live in a lighthouse with nine goats.'",
        "Would you move to Mars if somebody paid you for it?",
    ):
        person = place.person()
        person.say(said)
        yield seen(not person.values(), f"nothing to keep: {said}", person.values())


@row(
    "learning-languages",
    "Natural statements in other languages are learned without a model",
)
def other_languages(place: Place) -> Cases:
    for said, words in (
        ("Ich wohne seit zwei Jahren in Graz und arbeite als Optikerin.", "graz|optiker*"),
        ("Meine Tochter heißt Friederike und spielt Posaune.", "friederike|posaune"),
        ("Soy celíaca, así que nada de harina de trigo.", "celiac*"),
        ("Trabajo de enfermero en el hospital de Albacete.", "albacete|enfermero"),
        ("J'habite à Nantes avec mon mari Thibault.", "nantes|thibault"),
        ("Lavoro come liutaio a Cremona, da vent'anni.", "liutaio|cremona"),
    ):
        person = place.person()
        person.say(said)
        yield seen(has(words, person.values()), said, person.values())
    for said, home in (("We live in Antwerp, March is when we moved here", "Antwerp"),):
        person = place.person()
        person.say(said)
        column, values = person.call("GET")["location"], person.values()
        yield seen(column == home and has(home.lower(), values), said, [f"lives in: {column}", *values])


@row(
    "projects-told",
    "Projects told in talk become projects, with an entity and their line in the spine",
)
def projects(place: Place) -> Cases:
    for said, name in (
        ("I'm building a bike-repair app called Spokesmith, it's half finished.", "spokesmith"),
        ("At work I lead the Halcyon migration, that's moving our billing to the cloud.", "halcyon"),
        ("Ich arbeite gerade an einem Podcast namens Nachtfalter.", "nachtfalter"),
    ):
        person = place.person()
        person.say(said)
        projects = person.memories(type="project")
        refs = [ref for memory in projects for ref in memory["entity_refs"]]
        told = [
            f"{memory['type']}: {memory['value']} {memory['entity_refs']}" for memory in person.memories()
        ]
        yield seen(has(f"*{name}*", refs) and has(name, [m["value"] for m in projects]), said, told)
