"""How somebody wants to be answered: heard, lasting, at hand in the next prompt (004)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, among, has, row, seen


@row(
    "wishes-heard",
    "A wish holds in the next prompt, with its condition, in many languages",
)
def heard(place: Place) -> Cases:
    for said, words in (
        ("three lines at most from now on, please", "three_lines|*short*|*brief*|*concise*"),
        ("could you lose the smileys? they irritate me", "smileys|*emoji*"),
        ("sag doch bitte du zu mir", "du|*casual*|*informal*"),
        ("Bitte ab jetzt keine Aufzählungen mehr.", "aufzahlung*|*bullet*|*list*"),
        ("a partir de ahora háblame de usted", "usted|*formal*"),
        ("réponds-moi toujours avec des exemples", "exemples|examples"),
        ("when I paste code, answer in comments only", "when_i_paste*"),
        ("wenn ich auf Italienisch schreibe, antworte auf Italienisch", "wenn_ich*"),
    ):
        person = place.person()
        before = set(person.stable().splitlines())
        person.say(said)
        new = [line for line in person.stable().splitlines() if line not in before]
        yield seen(has(words, new), said, new or "nothing new in the prompt")
    for said in (
        "My boss wants shorter reports from me.",
        "Keep it short and sweet, that's what my gran said at weddings.",
    ):
        person = place.person()
        before = set(person.stable().splitlines())
        person.say(said)
        new = [line for line in person.stable().splitlines() if line not in before and has("*short*", line)]
        yield seen(not among("response*|answers|replies", new), f"no wish: {said}", new)


@row("wishes-last", "A wish stands until it is taken back")
def last(place: Place) -> Cases:
    months = datetime.now(UTC) - timedelta(days=90)
    for said, back, words in (
        ("don't ever call me mate", "calling me mate is fine after all", "mate"),
        (
            "Schreib mir bitte nie Ausrufezeichen.",
            "Ausrufezeichen sind wieder in Ordnung.",
            "ausrufezeichen|*exclamation*",
        ),
        ("no me pongas más citas en latín", "puedes volver a poner citas en latín", "latin|citas"),
    ):
        person = place.person()
        person.say(said, on=months)
        kept = among(words, person.stable())
        yield seen(kept, f"90 days ago: {said}", kept or "not in the prompt")
        person.say(back)
        left = [
            line
            for line in among(words, person.stable())
            if not has("no_longer|again|fine|wieder|volver", line)
        ]
        yield seen(not left, f"{said} … {back}", left or "taken back")
