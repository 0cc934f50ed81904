"""What carries over from session to session: rolling and session summaries, spine (002)."""

from __future__ import annotations

from datetime import date

from benchmarks.client import JSON, CallFailed
from benchmarks.rows.filler import crossword
from benchmarks.rows.person import Person, until
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, among, has, row, seen


def read_rolling(person: Person) -> str:
    """The newest rolling summary as it is now; empty where there is none."""
    rows = person.list("rolling-summaries/")
    return str(rows[0].get("text") or rows[0].get("summary") or rows[0]) if rows else ""


def rolling(person: Person, words: str) -> str:
    """The newest rolling summary once it has the words."""
    return until(lambda: read_rolling(person), lambda text: has(words, text))


def spine(person: Person) -> JSON:
    """The newest; empty where there is none in time."""

    def read() -> JSON:
        try:
            return person.call("GET", "spine/")
        except CallFailed as refused:
            if refused.status != 404:
                raise
            return {}

    return until(read, bool)


@row("rolling", "The rolling summary tells what matters, and nothing that was forgotten")
def rolling_content(place: Place) -> Cases:
    for lines, words in (
        (("I'm repainting the caravan before the fair.", "It has to be teal.", "My brother lends me the sprayer.",
          "We meet on Friday at his garage."), "caravan"),
        (("Ich plane eine Radtour an der Elbe.", "Start ist in Wittenberge.", "Mein Cousin Volkmar fährt mit.",
          "Wir brauchen noch Packtaschen."), "elbe|radtour"),
        (("Estoy escribiendo una obra de teatro.", "Va de un faro abandonado.", "La estrenamos en Cádiz.",
          "Me falta el segundo acto."), "teatro|obra"),
    ):  # fmt: skip
        person = place.person()
        person.say(*lines)
        told = rolling(person, words)
        yield seen(has(words, told) and len(told) <= 600, " … ".join(lines), told)
    for said, forget, words in (
        ("By the way, I prefer the window seat.", "Forget that about the window seat.", "window"),
        ("Mein Spitzname war früher Mops.", "Vergiss bitte meinen Spitznamen.", "mops"),
    ):
        person = place.person()
        talk = person.say(said, "What else?", "Let me think.", "Right.")
        rolling(person, words)
        talk.say(forget, "Thanks.", "Now then.", "Good.")
        told = until(lambda p=person: read_rolling(p), lambda text, w=words: not has(w, text))
        yield seen(not has(words, told), f"{said} … {forget}", told)


@row(
    "session-summary",
    "The summary of a session reads like a sentence; its people and promises are its own",
)
def session_summary(place: Place) -> Cases:
    for lines, one, people in (
        (("Henrike and I are choosing tiles for the bathroom.", "She wants green, I want white.",
          "I'll order samples tomorrow."), "tiles|bathroom", "henrike"),
        (("Ich muss mit Balthasar über die Miete reden.", "Er will sie um 80 Euro erhöhen.",
          "Ich rufe ihn am Montag an."), "miete", "balthasar"),
        (("My grandson Tobiah starts school and I'm a bit scared for him.", "He can't tie his shoes yet.",
          "We'll practise at the weekend."), "school", "tobiah"),
    ):  # fmt: skip
        talk = place.person().say(*lines)
        talk.run("close")
        summary = talk.call("GET", "summaries/")["results"][0]
        line = summary["one_liner"]
        sentence = has(one, line) and len(line.split()) >= 4 and not has("talked_about", line)
        apart = not summary["commitments"] or summary["commitments"] != summary["open_loops"]
        sound = has(people, summary["people"]) and apart and not has("troubled", summary["tone"])
        told = {name: summary[name] for name in ("one_liner", "people", "commitments", "open_loops", "tone")}
        yield seen(sentence and sound, " … ".join(lines), told)


@row("session-summary-date", "The summary of a session has the day of the talk")
def summary_date(place: Place) -> Cases:
    for day, said, wanted in (
        (date(2026, 3, 4), "I bought a loom from a weaver in Pontypridd.", "4_march_2026|2026-03-04"),
        (date(2026, 7, 19), "Wir haben den Dachboden ausgeräumt.", "19_july_2026|2026-07-19"),
        (date(2025, 12, 30), "Hemos alquilado una casa en Comillas.", "30_december_2025|2025-12-30"),
    ):
        person = place.person()
        talk = person.say(said, "assistant: I see.", "More tomorrow.", on=day)
        talk.run("close")
        prompt = person.prompt("what did we talk about last time?")
        yield seen(has(wanted, prompt), f"{day}: {said}", among("on:|*summary*", prompt) or prompt[-400:])


@row("spine", "The spine holds home, work, people and projects, and repeats no line of What You Know")
def spine_content(place: Place) -> Cases:
    for lines, wanted in (
        (("I live in Whitby.", "I'm a potter.", "My partner Isolde teaches Latin.",
          "I'm building a kiln called Big Bertha."),
         ("whitby", "potter*", "isolde", "kiln|bertha")),
        (("Ich wohne in Görlitz.", "Ich arbeite als Tischler.", "Meine Frau Roswitha ist Hebamme.",
          "Ich baue gerade ein Projekt namens Windmühle."), ("gorlitz", "tischler", "roswitha", "windmuhle")),
        (("Vivo en Ronda.", "Soy guía de montaña.", "Mi hermana Leocadia es jueza.",
          "Trabajo en una guía llamada Picos Raros."),
         ("ronda", "guia", "leocadia", "picos")),
    ):  # fmt: skip
        person = place.person()
        person.say(*lines, *crossword(40, seed=lines[0]))
        told = str(spine(person))
        missing = [words for words in wanted if not has(words, told)]
        prompt = person.prompt("how are things?")
        bare = [line.strip("- ").casefold() for line in prompt.splitlines() if len(line) > 12]
        doubled = sorted({line for line in bare if bare.count(line) > 1})
        yield seen(
            not missing and not doubled, " ".join(lines), f"missing {missing}, doubled {doubled}: {told}"
        )
