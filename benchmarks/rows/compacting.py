"""Compaction: what is folded stays known, the task follows the talk, the journal can be read (000 §10, 004)."""

from __future__ import annotations

from typing import Any

from benchmarks.client import JSON, CallFailed
from benchmarks.rows.filler import crossword, small_talk
from benchmarks.rows.person import Person, Talk, until
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, has, row, seen

FACTS = (
    ("The harvest supper is on 26 September at Maud's barn.", "26 september maud*"),
    ("Das Budget für den Zaun liegt bei 3.700 Euro.", "3.700"),
    ("Nuestro contacto en la aduana es Eulalio Prats.", "eulalio prats"),
)
LONG = 90  # messages, some 18,000 characters: more than one prompt of a model holds
CLUE_WORDS = 50
ASIDE = 20  # messages, ten of the person: a task of which nobody speaks for longer is left
COMPACTS_S = 240  # seconds within which a session past its limit is compacted


def long_talk(
    person: Person, *first: str, messages: int = LONG, clue_words: int = CLUE_WORDS, **options: Any
) -> Talk:
    """These, then a crossword."""
    talk = person.talk(auto_extract=False, **options)
    talk.say(*first, *crossword(messages, seed=person.name, clue_words=clue_words), at_once=True)
    return talk


@row("compaction-covers", "A summary by a model is made of all that it folds", kind="model")
def covers(place: Place) -> Cases:
    place.model.keeps(*(fact for fact, _ in FACTS))
    for fact, words in FACTS:
        person = place.person()
        talk = long_talk(person, "Let's do the crossword.", fact)
        talk.run("compact")
        summary = talk.call("GET")["summary"]
        yield seen(has(words, summary), f"{fact} … and {LONG} messages", summary)
    place.model.fails_at("the ferry timetable is in the blue folder")
    person = place.person()
    talk = long_talk(person, "the ferry timetable is in the blue folder", messages=40)
    job = talk.call("POST", "compact/?wait=10")["job"]
    folded = [message for message in talk.messages() if message["compacted"]]
    yield seen(not folded and job["state"] != "succeeded", "a model that fails folds nothing", job)


@row("lossy-summary", "What a summary loses is found by recall")
def lossy(place: Place) -> Cases:
    for fact, words in FACTS:
        person = place.person()
        talk = long_talk(person, fact, messages=60)
        talk.run("compact")
        prompt = talk.prompt(_question(fact), budget=2_000)
        yield seen(has(words, prompt), f"{fact} … 60 messages, compacted, asked for at 2,000 tokens", prompt)


@row(
    "told-then-compacted",
    "Compaction keeps only a summary, so what matters is kept elsewhere before",
)
def told_then_compacted(place: Place) -> Cases:
    for said, words in (
        ("My passport number starts with the letters QX and it runs out in 2031.", "2031"),
        ("Meine Schwiegermutter Hedwig zieht im Herbst bei uns ein.", "hedwig"),
        ("La reunión con el banco es cada segundo martes.", "martes"),
    ):
        person = place.person()
        talk = person.talk()
        talk.say(said, *crossword(60, seed=said), at_once=True)
        talk.run("compact")
        prompt = talk.prompt(said[:40], budget=3_000)
        yield seen(has(words, prompt), f"{said} … compacted", prompt)


@row("flush-compact-summary", "Flush, compaction and summary lose nothing together", kind="model")
def flush(place: Place) -> Cases:
    for fact, words in (
        ("The kiln man comes on 9 May at seven.", "9 may"),
        ("Der Schlüssel zum Speicher hängt bei Familie Wurzbacher.", "wurzbacher"),
        ("El dorsal de Nieves en la maratón es el 4417.", "4417"),
    ):
        place.model.keeps(fact)
        place.model.learns(fact, fact, key="event/it")
        person = place.person()
        talk = person.talk()
        talk.say(
            "Let's do the crossword.", fact, *crossword(LONG, seed=fact, clue_words=CLUE_WORDS), at_once=True
        )
        talk.run("flush")
        talk.run("compact")
        summary, values = talk.call("GET")["summary"], person.values()
        yield seen(has(words, summary) and has(words, values), fact, [summary, *values])
        talk.say(*crossword(LONG, seed=f"{fact} again", clue_words=CLUE_WORDS), at_once=True)
        talk.run("compact")
        summary = talk.call("GET")["summary"]
        yield seen(has(words, talk.prompt(fact[:30])), f"{fact} … folded twice", summary)


@row("compaction-limit", "When a session is compacted can be set, and the budget never makes words vanish",
     own=True)  # fmt: skip
def limit(place: Place) -> Cases:
    for tokens, fact, words in ((2_000, *FACTS[0]), (2_500, *FACTS[1]), (3_000, *FACTS[2])):
        other = place.tenant()
        person = other.person()
        other.client.call("PATCH", "settings/", {"compaction_tokens": tokens})
        talk = long_talk(person, fact)
        session = until(
            lambda t=talk: t.call("GET"), lambda one: one["compaction_count"] > 0, limit_s=COMPACTS_S
        )
        yield seen(
            session["compaction_count"], f"past {tokens} tokens", f"{session['compaction_count']} compactions"
        )
        prompt = talk.prompt(_question(fact), budget=tokens)
        yield seen(has(words, prompt), f"{fact} asked for at {tokens}", prompt)


@row("active-task", "The active task follows the talk", kind="model")
def task(place: Place) -> Cases:
    yield from _tasks(place, (
        ("Help me plan the garden wall.", "Plan the garden wall",
         "Enough of the wall. Let's write my sister's wedding speech.", "Write the wedding speech"),
        ("Ich will meinen Lebenslauf überarbeiten.", "Den Lebenslauf überarbeiten",
         "Der Lebenslauf ist fertig, jetzt suchen wir eine Wohnung in Kiel.", "Eine Wohnung in Kiel suchen"),
        ("Quiero preparar el examen de náutica.", "Prepare the sailing exam",
         "Dejemos el examen: vamos a organizar la mudanza.", "Organise the move"),
    ))  # fmt: skip


@row(
    "task-after-compaction",
    "The active task stands in the prompt after a compaction, and changes",
)
def task_by_rules(place: Place) -> Cases:
    for first, then, old, new in (
        ("Can you help me write the eulogy for uncle Alaric?",
         "ok the eulogy is finished. Now help me draw up the seating plan for the reunion.", "eulogy",
         "seating|reunion"),
        ("Hilf mir, den Businessplan für die Rösterei zu schreiben.",
         "Der Businessplan ist fertig. Hilf mir jetzt, die Reise nach Lissabon zu planen.", "businessplan",
         "lissabon|reise"),
        ("Ayúdame a redactar la carta al ayuntamiento.",
         "La carta ya está. Ahora ayúdame a preparar la fiesta de Jimena.", "carta", "fiesta|jimena"),
    ):  # fmt: skip
        talk = place.person().talk(auto_extract=False)
        talk.say(first, *small_talk(ASIDE, seed=first), at_once=True)
        talk.run("compact")
        before = talk.call("GET")["active_task"]
        talk.say(then, *small_talk(ASIDE, seed=then), at_once=True)
        talk.run("compact")
        after, prompt = talk.call("GET")["active_task"], talk.prompt("go on")
        holds = has(old, before) and has(new, after) and (after in prompt)
        yield seen(holds, f"{first} … {then}", f"{before or 'none'} → {after or 'none'}")


def _tasks(place: Place, cases: tuple[tuple[str, str, str, str], ...]) -> Cases:
    for first, task, then, newer in cases:
        place.model.tasks += [(first, task), (then, newer)]
        talk = place.person().talk(auto_extract=False)
        talk.say(first, *small_talk(ASIDE, seed=first), at_once=True)
        talk.run("compact")
        before = talk.call("GET")["active_task"]
        talk.say(then, *small_talk(ASIDE, seed=then), at_once=True)
        talk.run("compact")
        after = talk.call("GET")["active_task"]
        yield seen(before == task and after == newer, f"{first} … {then}", f"{before} → {after}")


@row(
    "snapshot-served",
    "The structured snapshot of a session stands in its prompt after a compaction",
)
def snapshot(place: Place) -> Cases:
    for said, words in (
        ("We decided to paint the boat dark green.", "green"),
        ("Wir haben beschlossen, das Klavier zu verkaufen.", "klavier"),
        ("I'm Philippa and I run a dairy in Shropshire.", "dairy|shropshire|philippa"),
    ):
        person = place.person()
        talk = person.talk()
        talk.say(said)
        talk.learned()
        talk.say(*crossword(40, seed=said), at_once=True)
        talk.run("compact")
        prompt = talk.context("go on")["text"]
        yield seen(has("*snapshot*|*decisions*|*decided*", prompt) and has(words, prompt), said, prompt)


@row("journal", "The journal of compactions can be read")
def journal(place: Place) -> Cases:
    yield from _journal(place, "compactions", ("summary_before", "summary_after", "seq_from", "seq_to"))


@row("snapshots-readable", "Snapshots of a session can be read")
def snapshots(place: Place) -> Cases:
    yield from _journal(place, "snapshots", ())


def _journal(place: Place, name: str, fields: tuple[str, ...]) -> Cases:
    for times in (1, 2, 3):
        talk = place.person().talk(auto_extract=False)
        for number in range(times):
            talk.say(
                f"Round {number}: the raffle sold {number + 41} tickets.",
                *crossword(30, seed=f"{number}"),
                at_once=True,
            )
            talk.run("compact")
        rows = _rows(talk, name)
        told = ", ".join(sorted(rows[0])) if rows else "none"
        complete = len(rows) == times and all(field in rows[0] for field in fields)
        yield seen(complete, f"{times} compactions", f"{len(rows)} rows: {told}")


def _rows(talk: Talk, name: str) -> list[JSON]:
    try:
        return list(talk.call("GET", f"{name}/")["results"])
    except CallFailed as refused:
        return [{f"refused {refused.status}": ""}] if refused.status != 404 else []


def _question(fact: str) -> str:
    """Its subject without the answer."""
    return {
        FACTS[0][0]: "When and where is the harvest supper?",
        FACTS[1][0]: "Wie hoch ist das Budget für den Zaun?",
        FACTS[2][0]: "¿Quién es nuestro contacto en la aduana?",
    }[fact]
