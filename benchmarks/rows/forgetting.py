"""“Forget …” takes the thing meant, only it, and its words (004)."""

from __future__ import annotations

from benchmarks.rows.person import Person
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, among, has, row, seen


def everything(person: Person, question: str) -> list[str]:
    """Whatever an agent can read that could hold forgotten words."""
    rolled = [str(one) for one in person.list("rolling-summaries/")]
    prompt = person.prompt(question).replace(question, "")
    return [*person.values(), *person.search(question), person.recall(question), prompt, *rolled]


@row("forget", "“Forget …” takes the thing meant, only it, and its words")
def forget(place: Place) -> Cases:
    for said, forgets, question, gone, kept in (
        ("I love liquorice, and I keep goats.", "forget that I said I love liquorice", "what sweets do I love?",
         "liquorice", "goats"),
        ("My favourite number is 47. I live in Cork.", "please forget my favorite number",
         "what is my favourite number?", "47", "cork"),
        ("Ich habe Angst vor Gänsen. Ich spiele Harfe.", "Vergiss bitte, dass ich Angst vor Gänsen habe.",
         "Wovor habe ich Angst?", "gansen", "harfe"),
        ("Mi ex se llama Teófilo. Tengo un gato.", "olvida lo de mi ex, por favor", "¿cómo se llama mi ex?",
         "teofilo", "gato"),
        ("J'ai voté pour Mme Aubrac. J'habite à Lille.", "oublie pour qui j'ai voté", "pour qui ai-je voté ?", "aubrac",
         "lille"),
    ):  # fmt: skip
        person = place.person()
        person.say(said)
        person.say(forgets)
        asked = person.list("forget-requests/")
        told = everything(person, question)
        holds = (not has(gone, "\n".join(told)) or bool(asked)) and has(kept, person.values())
        yield seen(
            holds,
            f"{said} … {forgets}",
            [*among(gone, "\n".join(told)), f"asked about: {len(asked)}", *person.values()],
        )
    for said, keeps, words in (
        ("I grow gladioli.", "I always forget to water the gladioli", "gladioli"),
        ("Ich sammle Briefmarken.", "vergiss nicht, dass ich Briefmarken sammle", "briefmarken"),
    ):
        person = place.person()
        person.say(said)
        person.say(keeps)
        yield seen(has(words, person.values()), f"nothing to forget: {said} … {keeps}", person.values())
