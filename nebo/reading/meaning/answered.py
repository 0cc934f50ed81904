"""A few words that answer a question, as the statement that they are: "In Ghent." behind "Where do you live?" is "I
live in Ghent".

Only for plain questions to the one who answers, in English, German and Spanish; what comes out is then read like any
other sentence, and kept only where it tells something.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.reading.meaning.antecedents import names_only
from nebo.reading.meaning.sentences import Span, capital, list_sentences
from nebo.reading.times.calendar_words import COUNTS
from nebo.reading.words.bare_verbs import FIRST_PERSON, has_bare_verb
from nebo.reading.words.stop_words import words

MAX_ANSWER_WORDS = 14
MAX_QUESTION_WORDS = 12
AGREED_WORDS = (
    3  # of a question that a bare "yes" may state: "Are you vegetarian?"; more are somebody else's words
)
_OWN_VERB = re.compile(rf"{FIRST_PERSON}", re.IGNORECASE)
_OURS = re.compile(r"(?:my|our|meine?|unsere?|mis?|nuestr[oa])\b", re.IGNORECASE)
_YES = re.compile(r"(?:yes|yeah|yep|yup|yes,? i (?:do|am)|ja|jap|jo|sí|si|claro)\b[,.!…]*\s*", re.IGNORECASE)
# "Yeah, John!" says who is spoken to, where nobody asked for a name; German has a capital for every noun.
_YES_TO_SOMEBODY = re.compile(r"^(?P<yes>(?i:yes|yeah|yep|yup|sure|sí|oui|sì))[,!]? [A-ZÄÖÜ][\w'’-]*[.!…]*$")
_OF_YES_OR_NO = re.compile(
    r"(?:do|does|did|are|is|was|were|have|has|had|can|will|would|tienes|tenéis|eres"
    r"|as-tu|avez-vous|es-tu|hai|sei)\b(?!.*\b(?:called|named|name|llama|appelle|chiama)\b)",
    re.IGNORECASE,
)
_NO = re.compile(r"(?:no|nope|nah|no,? i (?:don['’]t|['’]m not)|nein|nö|nee)\W*", re.IGNORECASE)
# What begins so, or has such a verb before its first comma, is a statement of its own.
_SUBJECT = re.compile(
    r"(?:(?:i|we|he|she|it|they|you|there|this|that|ich|wir|er|sie|es|du|das|yo|él|ella|eso)\b|i['’])",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"[^,]*\b(?:is|are|was|were|has|have|had|does|did|will|ist|sind|war|hat|haben|es|son|está|están|tiene|era)\b",
    re.IGNORECASE,
)
# "During the holidays, we mostly read": when, before who.
_WHEN_FIRST = re.compile(
    r"(?:during|on|after|before|every|when(?:ever)?|most|for|während|an|nach|vor|jede[nrs]?|zu|durante|cada|cuando"
    r"|después de)"
    r"(?: [\w'’-]+,?){1,5}? (?:i|we|ich|wir|yo|nosotr[oa]s)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"^(?:(?:and|so|but|great|nice|ok(?:ay)?|und|also|gut|y|bueno|pues|entonces)\b[,!.]?\s+|¿\s*)+",
    re.IGNORECASE,
)
# What a question asks about that only the talk knows, or what an assistant asks to do its work.
_UNCLEAR = re.compile(
    r"\b(?:he|him|his|she|her|they|them|their|it|its|that|this|these|those|ihn|ihm|ihr|sie|es|das|dies\w*|l[aoe]s?"
    r"|él|ella|eso|esto|me|mich|mir|want|need|mean|think|feel|mind|remember|prefer me|möchtest|willst|brauchst|meinst"
    r"|quieres|necesitas)\b",
    re.IGNORECASE,
)
# What somebody goes on to tell behind the answer.
_GOES_ON = re.compile(
    r",?\s+(?:but|and|though|although|aber|und|pero|aunque|y)\s+(?=(?:i|i['’]\w+|we|we['’]\w+|my|our|ich|wir|mein\w*|mi|yo)\b)",
    re.IGNORECASE,
)
_ACT = re.compile(
    r"(?:book|call|ring|phone|email|write|send|get|buy|order|pay|find|fix|clear|clean|sort|tell|ask|change|cancel|renew"
    r"|register|pick|collect|return|finish|sign|make|take|move|pack|sell|fill|submit|print|post|check|update|arrange"
    r"|organi[sz]e|fetch|paint|mend|repair|replace|apply|hand)\b",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"(?:in|at|on|near|with|by|from|to|for|since|about|the|an?|my|our|two|three|four|five|six|seven|eight|nine|ten|mostly"
    r"|mainly|usually|just|only|some|every|once|twice|around|early|late|next|last|bei|im|am|mit|seit|als|meist\w*|meine?[rmn]?"
    r"|nur|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|jeden|en|con|desde|cerca|mi|mis|el|la|los|las|una?|dos|tres)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"(?:an?|the|in|at|for|as|with|self-employed|freelance|retired|unemployed|between|nothing|not|my|our|part|full)\b",
    re.IGNORECASE,
)
# "Restoring church organs", but not "lighting technician", nor "catering".
_DOING = re.compile(
    r"[a-z]+ing (?!(?:\w+ )?(?:\w+(?:er|or|ist|ian|man|woman|ant|eer)|assistant|clerk)\b)[a-z]"
)
_ANY = re.compile(
    r"\b(?:any|anything|anyone|something|someone|somewhere|algo|alguien|alguna?s?|etwas|jemand\w*|irgendw\w+)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(rf"\d+|{'|'.join(COUNTS[2:])}", re.IGNORECASE)
_LINKING = words("to of with for in at gegen auf mit für an a con en de")
_PAST = {
    "grow": "grew", "live": "lived", "study": "studied", "work": "worked", "go": "went", "move": "moved",
    "buy": "bought", "meet": "met", "learn": "learned", "train": "trained", "get": "got", "start": "started",
}  # fmt: skip
_ICH = {
    "bist": "bin", "hast": "habe", "isst": "esse", "fährst": "fahre", "liest": "lese", "sprichst": "spreche",
    "trägst": "trage", "nimmst": "nehme", "magst": "mag", "kannst": "kann", "läufst": "laufe", "heißt": "heiße",
    "tanzt": "tanze", "schläfst": "schlafe", "triffst": "treffe",
}  # fmt: skip
_YO = {
    "eres": "soy", "tienes": "tengo", "haces": "hago", "juegas": "juego", "duermes": "duermo", "prefieres": "prefiero",
    "vas": "voy", "estás": "estoy", "conduces": "conduzco", "sueles": "suelo", "naciste": "nací", "creciste": "crecí",
    "estudiaste": "estudié", "empiezas": "empiezo",
}  # fmt: skip


def state_answer(asked: str, answer: str) -> str:
    """The answer as a statement, in the first person; empty where it is one already, or where nothing plain was asked.

    `asked` is the message before, by somebody else: its last sentence alone may ask.
    """
    *before, last = [one.text for one in list_sentences(asked)] or [""]
    question = _LEADS.sub("", last.strip())
    if not question.endswith("?") or (before and before[-1].endswith("?")) or not _is_bare(answer):
        return ""
    question = question.rstrip("? ")
    if len(question.split()) > MAX_QUESTION_WORDS or _UNCLEAR.search(question):
        return ""
    answer = _YES_TO_SOMEBODY.sub(r"\g<yes>", answer) if _OF_YES_OR_NO.match(question) else answer
    for pattern, state in _QUESTIONS:
        if found := pattern.fullmatch(question):
            return capital(" ".join(state(found, answer.strip().rstrip(".!")).split()))
    return ""


def part_answer(span: Span) -> list[Span]:
    """An answer, and what somebody goes on to tell behind it: "Accountant, but I'm about to leave that"."""
    goes_on = _GOES_ON.search(span.text)
    if goes_on is None or len(span.text) != span.end - span.start:
        return [span]
    head, tail = span.text[: goes_on.start()], span.text[goes_on.end() :]
    return [Span(head, span.start, span.start + len(head)), Span(tail, span.end - len(tail), span.end)]


def without_leads(question: str) -> str:
    """A question without the "And" or "Great!" before it."""
    return _LEADS.sub("", question)


def _is_bare(answer: str) -> bool:
    """Whether it says nothing but the answer: it has no subject and verb of its own."""
    text = _without_yes(answer)
    if not text:
        return True
    if len(text.split()) > MAX_ANSWER_WORDS or text.endswith("?") or _VERB.match(text):
        return False
    own = any(pattern.match(text) for pattern in (_SUBJECT, _WHEN_FIRST, _OWN_VERB, _OURS))
    return not (own or has_bare_verb(text)) or names_only(text)


def _without_yes(answer: str) -> str:
    yes = _YES.match(answer)
    return answer[yes.end() :].strip() if yes else answer.strip()


def _inside(answer: str, *, name: bool = False) -> str:
    """The answer as it stands amid a sentence; the capital of a `name` stays."""
    bare = _without_yes(answer)
    keeps = not _SMALL.match(bare) and (name or bare[:2].isupper())
    return bare if keeps else f"{bare[:1].lower()}{bare[1:]}"


def _at(answer: str, preposition: str) -> str:
    """Where: "Ghent" and "In Ghent" are both "in Ghent"."""
    text = _inside(answer, name=True)
    return f"{preposition} {text}" if text[:1].isupper() else text


State = Callable[[re.Match[str], str], str]


def _template(text: str, *, name: bool = True) -> State:
    """A statement in which the groups of the question stand as they are, `{a}` for the answer."""
    return lambda found, answer: text.format(a=_inside(answer, name=name), **_groups(found))


def _groups(found: re.Match[str]) -> dict[str, str]:
    return {key: value or "" for key, value in found.groupdict().items()}


def _yes_or_no(positive: str, negative: str) -> State:
    """Of a question that may be answered with yes or no alone."""

    def state(found: re.Match[str], answer: str) -> str:
        groups, bare = _groups(found), _without_yes(answer)
        if _NO.match(answer):
            return negative.format(**groups) if _NO.fullmatch(answer) else ""
        rest = groups.get("rest", "")
        if not bare and len(rest.split()) > AGREED_WORDS:
            return ""
        rest = _taken_up(_ANY.sub("", rest), bare) if bare else rest
        return positive.format(**{**groups, "rest": rest})

    return state


def _taken_up(asked: str, answer: str) -> str:
    """What was asked, with the answer: "allergic to" and "to nuts" is "allergic to nuts", "kids" and "two, Leo and Ada"
    is "two kids, Leo and Ada"; else what it names stands for what was asked.
    """
    words, (first, *others) = asked.split(), _inside(answer).split()
    if _COUNT.fullmatch(first.rstrip(",")) and (not others or first.endswith(",")):
        return " ".join([first.rstrip(","), *words]) + ("," if others else "") + " " + " ".join(others)
    link = words[-1].lower() if len(words) > 1 else ""
    kept = words[:-1] if link == first else words if link in _LINKING else []
    return " ".join([*kept, first, *others])


def _did(found: re.Match[str], answer: str) -> str:
    verb = _PAST.get(found["verb"].lower(), "")
    return f"I {verb}{found['rest'] or ''} {_at(answer, 'in')}" if verb else ""


def _do(found: re.Match[str], answer: str) -> str:
    """What somebody does: "I play the bass", "I use Django"."""
    name = found["verb"].lower() in ("use", "speak", "read", "watch", "support", "follow")
    return f"I {found['verb']} {_inside(answer, name=name)}{found['rest']}"


def _job(found: re.Match[str], answer: str) -> str:
    text = _inside(answer)
    if _DOING.match(text):
        return f"I'm {text}"
    if not _ARTICLE.match(text):
        return f"I'm {'an' if text[:1] in 'aeiou' else 'a'} {text}"
    return f"I work {text}" if re.match(r"(?:in|at|for|as|with|part|full)\b", text) else f"I'm {text}"


def _doing(found: re.Match[str], answer: str) -> str:
    """ "What are you training for?", "For the marathon": the "for" stands once."""
    *before, last = found["rest"].split()
    text = _inside(answer)
    again = before and text.partition(" ")[0] == last.lower()
    return f"I'm {' '.join(before) if again else found['rest']} {text}"


def _to_do(_: re.Match[str], answer: str) -> str:
    """What is still to be done, told as one would ask for it: "get an engineer out and tell the bank"."""
    text = _inside(answer)
    return f"I have to {text}" if _ACT.match(text) else ""


def _ich(found: re.Match[str], answer: str) -> str:
    """„Welches Instrument spielst du?“: „Ich spiele Cello“."""
    verb, where = found["verb"].lower(), found["asks"].lower() == "wo"
    own = _ICH.get(verb) or re.sub(r"e?st$", "e", verb)
    return f"Ich {own}{found['rest'] or ''} {_at(answer, 'in') if where else _inside(answer, name=True)}"


def _mein(found: re.Match[str], answer: str) -> str:
    """„Wie heißt deine Schwester?“: „Meine Schwester heißt Ana“."""
    years = " Jahre alt" if found["asks"].lower() == "wie alt" and re.fullmatch(r"\w+", answer) else ""
    return f"M{found['your'][1:]} {found['who']} {found['verb']} {_inside(answer, name=True)}{years}"


def _yo(found: re.Match[str], answer: str) -> str:
    """ "¿Qué instrumento tocas?": "Toco el bajo"."""
    verb, where = found["verb"].lower(), found["asks"].lower() == "dónde"
    own = _YO.get(verb) or (re.sub(r"[ae]s$", "o", verb) if verb.endswith(("as", "es")) else "")
    return f"{own} {_at(answer, 'en') if where else _inside(answer)}" if own else ""


_WHO = r"(?P<who>[^\W\d_][\w'’-]*(?: [\w'’-]+){0,3})"
_ENGLISH: tuple[tuple[str, State], ...] = (
    (
        r"(?:what(?: is|['’]s) (?:next|left|still to do|still open)|what (?:still )?needs (?:doing|to be done|sorting)"
        r"|what(?: else)? do you (?:still )?(?:need|have) to do"
        r"|(?:is there )?anything (?:else )?(?:left )?to do(?: .{0,30})?)",
        _to_do,
    ),
    (r"what do you do(?: for (?:a living|work)| professionally)?", _job),
    (r"what(?: is|['’]s) your (?:job|profession|occupation)", _job),
    (rf"what(?: is|['’]s| are) your {_WHO} (?:called|named)", _template("My {who} is called {a}")),
    (rf"what(?: is|['’]s) the name of your {_WHO}", _template("My {who} is called {a}")),
    (rf"(?:what|who|when|where)(?: is|['’]s| are) your {_WHO}", _template("My {who} is {a}")),
    (r"what (?:should|shall|can|may|do) i call you", _template("My name is {a}")),
    (r"how old are you", _template("I'm {a}", name=False)),
    (rf"how old (?:is|are) your {_WHO}", _template("My {who} is {a} years old", name=False)),
    (r"(?:where|when) are you (?P<rest>based|from|\w+ing\b.*)", _template("I'm {rest} {a}")),
    (r"what are you (?P<rest>allergic to|\w+ing\b.*)", _doing),
    (r"where did you (?P<verb>\w+)(?P<rest> up)?", _did),
    (r"where do you (?P<rest>live|work|study|train)", lambda found, a: f"I {found['rest']} {_at(a, 'in')}"),
    (r"(?:where|when|who|how often) do you (?P<rest>[a-z].*)", _template("I {rest} {a}")),
    (
        r"(?:what|which)(?: kinds? of| sorts? of)?(?: [a-z]+){0,2} do you (?:usually |mostly )?"
        r"(?P<verb>(?!do\b)(?:like to )?\w+)(?P<rest>.*)",
        _do,
    ),
    (
        r"do you have (?:any )?(?:food )?allergies",
        _yes_or_no("I'm allergic to {rest}", "I have no allergies"),
    ),
    (r"are you (?P<rest>an? .+)", _yes_or_no("I'm {rest}", "I'm not {rest}")),
    (
        r"are you (?P<rest>(?!sure|ready|okay|ok\b|there|able|going|happy|looking|interested)[a-z].*)",
        _yes_or_no("I'm {rest}", "I'm not {rest}"),
    ),
    (r"do you have (?P<rest>[a-z].*)", _yes_or_no("I have {rest}", "I don't have {rest}")),
    (
        r"do you (?P<rest>(?:eat|drink|smoke|drive|play|speak|cook|work|live)\b.*)",
        _yes_or_no("I {rest}", "I don't {rest}"),
    ),
)
_GERMAN: tuple[tuple[str, State], ...] = (
    (
        r"(?P<asks>wie|wie alt|wer|wann|wo) (?P<verb>heiß(?:t|en)|ist|sind|wohnt|arbeitet|lebt) "
        rf"(?P<your>deine?) {_WHO}",
        _mein,
    ),
    (r"wie alt bist du", _template("Ich bin {a}", name=False)),
    (r"was (?:machst du beruflich|arbeitest du)", _template("Ich arbeite als {a}")),
    (r"was bist du von beruf", _template("Ich bin {a}")),
    (r"wann hast du geburtstag", _template("Ich habe {a} Geburtstag")),
    (r"hast du (?:irgendwelche )?allergien", _template("Ich bin allergisch gegen {a}")),
    (
        r"(?P<asks>wie|wo|wohin|woher|wann|was|wie oft|mit wem|welche[rsnm]?(?: \w+)?) (?P<verb>\w+st|heißt) du"
        r"(?P<rest> gerne?| am liebsten)?",
        _ich,
    ),
    (r"hast du (?P<rest>.+)", _yes_or_no("Ich habe {rest}", "Ich habe keine {rest}")),
    (
        r"bist du (?P<rest>(?:allergisch|vegan|vegetarier\w*|verheiratet)\b.*)",
        _yes_or_no("Ich bin {rest}", "Ich bin nicht {rest}"),
    ),
)
_SPANISH: tuple[tuple[str, State], ...] = (
    (r"cómo te llamas", _template("Me llamo {a}")),
    (rf"cómo se (?P<verb>llaman?) tu(?P<s>s?) {_WHO}", _template("Mi{s} {who} se {verb} {a}")),
    (r"cuántos años tienes", _template("Tengo {a}", name=False)),
    (rf"cuántos años tiene tu {_WHO}", _template("Mi {who} tiene {a}", name=False)),
    (rf"(?:cuándo|quién|cuál|dónde) (?P<verb>es|está) tu {_WHO}", _template("Mi {who} {verb} {a}")),
    (r"a qué te dedicas", _template("Soy {a}", name=False)),
    (r"de dónde eres", _template("Soy {a}")),
    (r"tienes (?:alguna )?alergias?", _template("Tengo alergia a {a}", name=False)),
    (r"tienes (?P<rest>.+)", _yes_or_no("Tengo {rest}", "No tengo {rest}")),
    (
        r"eres (?P<rest>(?:alérgic|vegan|vegetarian|celíac)[oa]\b.*)",
        _yes_or_no("Soy {rest}", "No soy {rest}"),
    ),
    (r"(?P<asks>dónde|cuándo|con quién|qué(?: [a-záéíóúñ]+)?) (?P<verb>[a-záéíóúñ]+(?:as|es|ás|ste))", _yo),
)
_QUESTIONS = tuple(
    (re.compile(pattern, re.IGNORECASE), state) for pattern, state in (*_ENGLISH, *_GERMAN, *_SPANISH)
)
