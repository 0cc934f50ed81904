"""Secrets: never kept, never in a key, never served (004)."""

from __future__ import annotations

from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, among, has, row, seen

SECRETS = (
    ("Remember that my Visa is 5555 5555 5555 4444, please.", "which Visa do I have?", "*5555*"),
    ("Merk dir meine IBAN: DE89 3704 0044 0532 0130 00.", "Wie lautet meine IBAN?", "*3704*|*0532*"),
    ("recuerda que mi contraseña del correo es Gorrión!77", "¿cuál es mi contraseña del correo?", "*gorrion*"),
    ("my api token is sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0", "what is my api token?", "*9f8e7d6c*"),
    ("my social security number is 536-90-4399", "what is my social security number?", "*536-90*"),
    ("the alarm PIN is 8305, remember it", "what is the alarm PIN?", "*8305*"),
)  # fmt: skip


@row("secrets-captured", "Secrets are cut out before anything is made of them")
def captured(place: Place) -> Cases:
    for said, _, words in SECRETS:
        person = place.person()
        person.say(said)
        told = []
        for status in ("active", "quarantined", "superseded", "deleted"):
            for memory in person.memories(status=status):
                history = person.list_of(f"memories/{memory['id']}/history/")
                told.append(f"{memory['key']}: {memory['value']} {memory['tags']} {history}")
        yield seen(not has(words, told), said, among(words, told) or "nothing of it")
    for key, value, words in (
        ("card-5555-5555-5555-4444", "The visa", "*5555*"),
        ("iban/DE89370400440532013000", "The account", "*3704*"),
        ("pw/hunter", "The wifi password is Sturmflut2031", "*sturmflut*"),
    ):
        person = place.person()
        told_back = place.refusal("POST", f"users/{person.name}/memories/", {"key": key, "value": value})
        live = [f"{memory['key']}: {memory['value']}" for memory in person.memories()]
        yield seen(not has(words, live), f"written by an agent: {key} {value}", live or told_back[:200])


@row("secrets-served", "Secrets said in talk are masked wherever it is served")
def served(place: Place) -> Cases:
    for said, question, words in SECRETS:
        person = place.person()
        talk = person.say(said, "assistant: Understood.", "and now the weather")
        told = {
            "search": person.search(question), "recall": person.recall(question),
            "prompt": person.prompt(question).replace(question, ""),
            "own prompt": talk.prompt(question).replace(question, ""),
            "tool": person.tool("search", query=question),
            "messages": [message["content"] for message in talk.messages()],
            "summaries": [str(one) for one in person.list("rolling-summaries/")],
        }  # fmt: skip
        where = [name for name, text in told.items() if has(words, text)]
        yield seen(not where, said, f"served by: {where}" if where else "masked")
