"""The directive: how somebody likes to be spoken to, composed of what was observed (000 §4)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from benchmarks.client import JSON
from benchmarks.rows.person import Person, Talk, until
from benchmarks.rows.place import Place
from benchmarks.rows.row import Cases, among, has, row, seen

Style = tuple[str, str, str]  # what is said, the model's wording, its key

DRY: Style = ("I do love a dry joke in the middle of things.", "Enjoys dry jokes.", "style/humor")
PROOF: Style = (
    "I like to see where a figure comes from.",
    "Likes to see where a figure comes from.",
    "style/sources",
)
LISTS: Style = (
    "Lists with dashes are easiest on my eyes.",
    "Finds lists with dashes easiest.",
    "style/lists",
)
SLOW: Style = ("Ich mag es, wenn man mir alles Schritt für Schritt zeigt.", "Likes to be shown things step by step.",
               "style/steps")  # fmt: skip
SAILING: Style = ("Me encantan las metáforas de navegación.", "Loves sailing metaphors.", "style/metaphors")


def teach(place: Place, styles: Sequence[Style]) -> None:
    """What the model observes of each, and what it would write of it."""
    for quote, value, key in styles:
        place.model.learns(quote, value, array="styles", key=key)
        place.model.paragraphs.append((value, f"You remember this: {value}"))


def read_directive(person: Person) -> str:
    """The paragraph as it is now; empty where there is none."""
    told = person.call("GET", "personality/")["directive"]
    return str(told["text"]) if told else ""


def directive(person: Person, wanted: str, *, absent: str = "") -> str:
    """The paragraph once it says what is wanted and no more what must be absent."""
    return until(
        lambda: read_directive(person), lambda text: has(wanted, text) and not (absent and has(absent, text))
    )


def say_all(person: Person, styles: Sequence[Style], on: datetime | None = None) -> Talk:
    return person.say(*(quote for quote, _, _ in styles), on=on)


def style_of(person: Person, value: str) -> JSON:
    """The observation. Raises KeyError where it was not kept."""
    return {memory["value"]: memory for memory in person.memories(namespace="tacit/personality")}[value]


@row("directive-faded", "Evidence that has faded leaves the directive", kind="model")
def faded(place: Place) -> Cases:
    long_ago = datetime.now(UTC) - timedelta(days=70)
    for old, new in (
        ((DRY, PROOF, LISTS), ()),
        ((SLOW, DRY), (PROOF, LISTS, SAILING)),
        ((SAILING,), (DRY, SLOW, PROOF)),
    ):
        teach(place, (*old, *new))
        person = place.person()
        say_all(person, old, on=long_ago)
        if new:
            say_all(person, new)
        if new:
            told = directive(person, " ".join(new[0][1].rstrip(".").lower().split()[-2:]))
        else:
            person.await_jobs("directive")
            told = read_directive(person)
        stale = [value for _, value, _ in old if value in told]
        yield seen(not stale and (told if new else True), f"{len(old)} old, {len(new)} new", told)


@row("directive-recency", "Where two observations disagree, the newer one holds", kind="model")
def recency(place: Place) -> Cases:
    weeks = datetime.now(UTC) - timedelta(days=9)
    for old, new, words in (
        (("I enjoy long answers with all the background.", "Enjoys long answers.", "style/length-long"),
         ("Short answers suit me best these days.", "Prefers short answers.", "style/length-short"), "*short*"),
        (("Britisches Englisch gefällt mir.", "Prefers British English.", "style/british"),
         ("Amerikanisches Englisch gefällt mir inzwischen besser.", "Prefers American English.", "style/american"),
         "ameri*"),
        (("Me gusta que me traten de usted.", "Likes formal address.", "style/formal"),
         ("Ahora me gusta que me tuteen.", "Likes informal address.", "style/informal"), "informal|tute*"),
    ):  # fmt: skip
        styles: Sequence[Style] = (DRY, PROOF, LISTS)
        teach(place, (*styles, old, new))
        person = place.person()
        say_all(person, [old], on=weeks)
        say_all(person, [*styles, new])
        person.await_jobs("directive")
        told = read_directive(person)
        prompts = place.model.read("directive", new[1])
        ordered = bool(prompts) and (old[1] not in prompts[-1] or _says_what_is_newer(prompts[-1]))
        prompt = person.stable()  # a directive that says otherwise than what they asked for is left out
        shown = among(words, prompt)
        holds = shown and (old[1] not in prompt or ordered)
        yield seen(holds, f"{old[0]} … {new[0]}", [told, *shown])


def _says_what_is_newer(prompt: str) -> bool:
    """Whether a model that reads the observations can tell which of two is the newer, and is told to follow it."""
    return has("newer|latest|recent*|newest", prompt)


@row(
    "directive-by-rules",
    "Without a model the directive holds every trait, in sentences that read well",
)
def by_rules(place: Place) -> Cases:
    for traits in (
        ("Prefers metric units", "Enjoys gentle teasing", "Wants sources named", "Likes tables"),
        ("Hates exclamation marks", "Is happy with technical terms", "Likes a summary first"),
        ("Wants numbers written out", "Prefers to be asked before a long answer", "Likes bullet points",
         "Enjoys wordplay", "Dislikes flattery", "Likes examples from cooking", "Wants dates in ISO form",
         "Prefers plain words", "Likes to be told about risks"),
    ):  # fmt: skip
        person = place.person()
        for trait in traits:
            person.tool(
                "store", key=f"style/{trait}", value=f"{trait}.", layer="tacit", namespace="personality"
            )
        told = directive(person, traits[-1].split()[-1].lower())
        missing = [
            trait for trait in traits if trait.split(maxsplit=1)[1].split()[-1].lower() not in told.lower()
        ]
        stiff = has("this_trait|someone_who", told)
        yield seen(told and not missing and not stiff, f"{len(traits)} traits", told or "no directive")


@row("directive-follows", "The directive follows what is edited and deleted", kind="model")
def follows(place: Place) -> Cases:
    for styles, gone in (
        ((DRY, PROOF, LISTS, SLOW), DRY),
        ((PROOF, LISTS, SAILING), SAILING),
        ((DRY, SLOW, LISTS), LISTS),
    ):
        teach(place, styles)
        person = place.person()
        say_all(person, styles)
        before = directive(person, _last_word(gone))
        person.memory("DELETE", style_of(person, gone[1])["id"])
        told = until(lambda p=person: read_directive(p), lambda text, g=gone: g[1] not in text)
        yield seen(
            gone[1] in before and gone[1] not in told, f"deleted: {gone[1]}", f"{before} → {told or 'none'}"
        )
    teach(place, (DRY, PROOF, LISTS))
    person = place.person()
    say_all(person, (DRY, PROOF, LISTS))
    directive(person, _last_word(DRY))
    place.model.paragraphs.append(("Enjoys puns.", "You enjoy puns with them."))
    person.memory("PATCH", style_of(person, DRY[1])["id"], body={"value": "Enjoys puns."})
    told = directive(person, "puns", absent="dry")
    yield seen(has("puns", told) and not has("dry", told), "edited to puns", told)


@row("style-evolves", "Who somebody is to speak with evolves with what is observed", kind="model")
def evolves(place: Place) -> Cases:
    for first, then in (
        ((DRY, PROOF, LISTS), SLOW),
        ((PROOF, LISTS, SLOW), SAILING),
        ((SAILING, SLOW, DRY), PROOF),
    ):
        teach(place, (*first, then))
        person = place.person()
        say_all(person, first)
        before = directive(person, _last_word(first[0]))
        say_all(person, [then])
        told = directive(person, _last_word(then))
        yield seen(before and then[1] not in before and then[1] in told, then[0], f"{before} → {told}")
        for _, value, _ in (*first, then)[:2]:
            person.memory("DELETE", style_of(person, value)["id"])
        left = until(lambda p=person: read_directive(p), lambda text: not text)
        yield seen(not left, "only two are left: too few for a directive", left or "none")


def _last_word(style: Style) -> str:
    return style[1].rstrip(".").split()[-1].lower()
