"""Promises and open loops: made, dated, closed and put off by talk (002)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from benchmarks.client import JSON
from benchmarks.rows.person import Person
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, among, has, row, seen

DAY = date(2031, 3, 5)  # a Wednesday; far ahead, so that nothing has expired


def tell(todos: list[JSON]) -> list[str]:
    """`Pay rent (open, due 2031-03-07, expires 2031-03-21)`."""
    return [
        f"{todo['text']} ({todo['status']}, due {_day(todo['due_at'])}, expires {_day(todo['expires_at'])})"
        for todo in todos
    ]


def _day(moment: str | None) -> str:
    return moment[:10] if moment else "never"


def add(person: Person, text: str, due: date | None = None) -> JSON:
    """A todo that an agent writes."""
    body: JSON = {"text": text}
    if due:
        body["due_at"] = datetime(due.year, due.month, due.day, 18, tzinfo=UTC).isoformat()
    return person.call("POST", "todos/", body)


@row("todos-told", "Todos are made by talk, by the API and by the tool")
def told(place: Place) -> Cases:
    for said, words in (
        ("I've still got to return the drill to Pádraig", "drill"),
        ("gotta get the boiler serviced", "boiler"),
        ("ill bring you the minutes tonight", "minutes"),
        ("Ich muss noch die Hecke schneiden.", "hecke"),
        ("Tengo que renovar el carné de conducir.", "carne"),
        ("Il faut que je réserve le gîte.", "gite"),
    ):
        person = place.person()
        person.say(said, on=DAY)
        yield seen(has(words, [todo["text"] for todo in person.todos()]), said, tell(person.todos()))
    for said in (
        "I should've been a dancer, really.",
        "My sister has to see her dentist, poor thing.",
        "Do I have to sign this?",
    ):
        person = place.person()
        person.say(said, on=DAY)
        yield seen(not person.todos(), f"nothing to do: {said}", tell(person.todos()))
    person = place.person()
    add(person, "Oil the hinges", DAY)
    person.tool("todo", value="Wax the skis", session=person.talk().id)
    yield seen(has("hinges", tell(person.todos())), "by POST todos/", tell(person.todos()))
    yield seen(has("skis", tell(person.todos())), "by the tool", tell(person.todos()))


@row("todos-due", "Days that are said become due dates, and nothing expires before it is due")
def due(place: Place) -> Cases:
    for said, words, day in (
        ("I have to hand in the keys on Friday.", "keys", "2031-03-07"),
        ("I need to repot the fig before June.", "fig", "2031-05-31"),
        ("I must pay the marina by the 28th.", "marina", "2031-03-28"),
        ("Ich muss bis Montag das Protokoll schreiben.", "protokoll", "2031-03-10"),
        ("Tengo que entregar la maqueta antes del 20 de abril.", "maqueta", "2031-04-19"),
        ("I still have to thank Rosalind for the party she gave in May.", "rosalind", "never"),
        ("I need to send back the lamp that came on Monday.", "lamp", "never"),
    ):
        person = place.person()
        person.say(said, on=DAY)
        todos = [todo for todo in person.todos() if has(words, todo["text"])]
        dated = todos and (todos[0]["due_at"] or "never")[:10] == day
        sound = dated and (not todos[0]["due_at"] or todos[0]["expires_at"] > todos[0]["due_at"])
        yield seen(sound, said, tell(person.todos()))


@row("todos-closed-by-talk", "Todos are closed by talk, in ordinary words")
def closed(place: Place) -> Cases:
    for text, said, closes in (
        ("Book the chimney sweep", "chimney sweep's booked, finally", True),
        ("Send the invoice to Halvard", "halvard has his invoice now", True),
        ("Return the library books", "library books are back where they belong", True),
        ("Den Zahnarzttermin absagen", "Zahnarzttermin hab ich abgesagt", True),
        ("Pagar la luz", "ya pagué la luz", True),
        ("Réserver le gîte", "le gîte est réservé", True),
        ("Book the chimney sweep", "I still haven't booked the chimney sweep", False),
        ("Pagar la luz", "mañana pago la luz", False),
    ):
        person = place.person()
        add(person, text, DAY)
        add(person, "Sharpen the chisels", DAY)
        person.say(said, on=DAY)
        open_now = [todo["text"] for todo in person.todos()]
        yield seen((text not in open_now) is closes and "Sharpen the chisels" in open_now, f"{text}: {said}",
                   tell(person.todos(status="all")))  # fmt: skip


@row(
    "todos-closed-by-model",
    "A model sees what is open, and closes it whatever its words",
    kind="model",
)
def closed_by_model(place: Place) -> Cases:
    for text, said, closes in (
        ("Renew the fishing licence", "The permit for the lake came through this morning.", True),
        ("Die Steuer für 2030 abgeben", "Das Finanzamt hat jetzt alles von mir.", True),
        ("Comprar el regalo de Candela", "Lo de Candela ya está envuelto.", True),
        ("Cambiar las bombillas", "Hay luz nueva en todas las lámparas.", True),
        ("Renew the fishing licence", "What a lovely lake that is.", False),
    ):
        place.model.closes(said, text)
        person = place.person()
        add(person, text)
        talk = person.talk()
        talk.say(said)
        by_rules = not person.todos()  # the turn closed it: nothing is left to show
        talk.learned()
        prompts = place.model.read("extract", said)
        shown = any(text in prompt for prompt in prompts)
        ended = not person.todos()
        yield seen(
            (shown or by_rules) and ended is closes,
            f"{text}: {said}",
            [f"shown: {shown}, closed in the turn: {by_rules}", *tell(person.todos(status="all"))],
        )


@row("todos-put-off", "Todos are put off by talk, with the day on which they expire")
def put_off(place: Place) -> Cases:
    for text, said, day in (
        ("Service the outboard", "the outboard service will have to wait till the 24th", "2031-03-24"),
        ("Call the surveyor", "I'll call the surveyor next Tuesday instead", "2031-03-11"),
        ("Die Garage streichen", "die Garage streiche ich erst Ende April", "2031-04-30"),
        ("Llamar a la aseguradora", "lo de llamar a la aseguradora lo dejo para el 2 de abril", "2031-04-02"),
        ("Service the outboard", "I have to service the outboard on 30 April.", "2031-04-30"),
    ):
        person = place.person()
        add(person, text, DAY + timedelta(days=1))
        person.say(said, on=DAY)
        todos = person.todos()
        moved = (
            len(todos) == 1
            and (todos[0]["due_at"] or "")[:10] == day
            and todos[0]["expires_at"] > todos[0]["due_at"]
        )
        yield seen(moved, f"{text}: {said}", tell(todos))


@row("todos-patched", "Put off by PATCH, a todo stays until it is due, and longer")
def patched(place: Place) -> Cases:
    for text, day in (
        ("Prune the quince", "2032-02-01"),
        ("Den Pass verlängern", "2031-11-30"),
        ("Pedir cita", "2031-06-15"),
    ):
        person = place.person()
        todo = add(person, text, DAY)
        changed = person.call("PATCH", f"todos/{todo['id']}/", {"due_at": f"{day}T12:00:00Z"})
        yield seen(
            changed["due_at"][:10] == day < changed["expires_at"][:10], f"{text} to {day}", tell([changed])
        )
    person = place.person()
    todo = add(person, "Prune the quince", DAY)
    changed = person.call("PATCH", f"todos/{todo['id']}/", {"due_at": None})
    yield seen(changed["due_at"] is None and changed["expires_at"], "no day any more", tell([changed]))


@row("upkeep-schedule", "What stayed open past its time expires by itself, and shows as expired")
def expired(place: Place) -> Cases:
    long_ago = datetime.now(UTC) - timedelta(days=60)
    for said, words in (
        ("I have to water the neighbour's tomatoes.", "tomatoes"),
        ("Ich muss noch das Leergut wegbringen.", "leergut"),
        ("Tengo que devolver la escalera.", "escalera"),
    ):
        person = place.person()
        person.say(said, on=long_ago)
        left, gone = person.todos(), person.todos(status="expired")
        yield seen(not among(words, tell(left)) and among(words, tell(gone)), f"60 days ago: {said}",
                   [f"open {tell(left)}", f"expired {tell(gone)}"])  # fmt: skip
    jobs = place.client.call("GET", "jobs/?kind=expire-todos").body["results"]
    ran = [job for job in jobs if job["state"] == "succeeded"]
    yield seen(ran, "the sweep runs on its schedule", [job["state"] for job in jobs] or "no such job")


@row(
    "commitments-persona",
    "A promise made to one persona is in no other's prompt, nor among its memories",
)
def commitments(place: Place) -> Cases:
    studio, coach = place.persona("studio"), place.persona("coach")
    for said, words in (
        ("I promise I'll do my scales every evening.", "scales"),
        ("I keep forgetting to stretch, nudge me on Sundays", "stretch*"),
        ("Ich vergesse ständig, den Verstärker auszuschalten, erinner mich daran", "verstarker"),
        ("Prometo mandarte la partitura el lunes.", "partitura"),
    ):
        person = place.person()
        person.say(said, persona=studio, on=DAY)
        elsewhere, own = (
            person.prompt("what is open?", persona=coach),
            person.prompt("what is open?", persona=studio),
        )
        kept = [memory["value"] for memory in person.memories(persona=coach)]
        holds = has(words, own) and not has(words, elsewhere) and not has(words, kept)
        yield seen(
            holds,
            said,
            [*among(words, elsewhere), *kept] or ("not for its own" if not has(words, own) else "apart"),
        )
