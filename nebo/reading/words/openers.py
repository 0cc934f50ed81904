"""Words before a statement that say nothing: "oh, btw", „ach übrigens“, "por cierto"."""

from __future__ import annotations

import re

from nebo.reading.words.stop_words import words

_OPENERS = words(
    """
    hey hi hello moin servus yo oh ah aw wow yay ugh hm haha lol ok okay yes yep yeah yup no nope nah well so and
    hiya heya yo alright aye nah morning evening afternoon but also plus
    anyway btw fyi actually honestly frankly basically right thanks thx cool great nice
    exactly please pls tbh anyways listen look hallo hey na ach oh tja also und aber übrigens naja ja
    nein ok gut genau ehrlich echt mensch danke bitte achso außerdem hola oye che ah bueno pues y pero
    además vale sí no mira claro gracias encima salut bonjour coucou ah oh ben bon alors et mais oui non
    tiens bref merci euh donc ciao ehi ah oh beh allora e ma comunque sì no guarda insomma grazie dai
    """
)
_PHRASES = (
    "by the way", "oh yeah", "you know", "i mean", "to be honest", "in fact", "just so you know", "for the record",
    "ah y", "oh y", "ah et", "ah e", "ach und", "ah und", "oh und",
    "of course", "guess what", "oh and", "thank you", "turns out", "as i said", "as i told you",
    "wie gesagt", "como te dije", "comme je t'ai dit", "come ti ho detto", "übrigens noch", "ach ja", "im übrigen",
    "por cierto", "a propósito", "la verdad es que", "au fait", "en fait", "à propos", "du coup", "a proposito",
    "you should know that", "you should know", "you ought to know that", "i should mention that", "i should add that",
    "debes saber que", "tienes que saber que", "sache que", "tu dois savoir que", "sappi che", "devi sapere che",
    "tra l'altro", "fyi",
    "new one", "next one", "another one", "one more", "one more thing", "new thing", "ok new thing",
    "right so", "right then", "ok so", "okay so", "first thing", "first off", "next thing", "last thing",
    "in the meantime", "meanwhile", "in der zwischenzeit", "mientras tanto", "entre-temps", "nel frattempo",
    "ich hab mich vertan", "ich habe mich vertan", "ich hab mich übrigens vertan", "me confundí", "me equivoqué",
    "je me suis trompé", "je me suis trompée", "mi sono sbagliato", "mi sono sbagliata",
    "so the situation is", "the situation is", "so the thing is", "the thing is", "here's the thing", "here's the deal",
    "long story short", "die sache ist die", "die sache ist", "kurz gesagt", "el caso es que", "la cosa es que",
    "le truc c'est que", "le fait est que", "il fatto è che", "la situazione è questa",
    "on another note", "on a different note", "on a side note", "on that note", "on the other hand",
    "p.s.", "ps", "good morning", "guten morgen", "good evening",
)  # fmt: skip
_NEWS = (
    r"(?:(?:small|quick|little|big|good|bad|great|kleines|kurzes) )?(?:update|news)|(?:gute |schlechte )?neuigkeiten"
    r"|(?:buenas )?noticias|novedades|(?:bonnes? )?nouvelles?|novità"
)
# An answer that is no plain "no": "not really, on class days I get home late".
_NO = (
    r"not (?:really|exactly|quite|yet|always|usually|much)|nicht (?:wirklich|ganz|immer)|eigentlich nicht"
    r"|no (?:mucho|siempre)|la verdad es que no|pas (?:vraiment|toujours)|non (?:proprio|sempre)"
)
# "Scratch what I said about Figma, we use Penpot."
_TAKEN_BACK = (
    r"(?:scratch|strike|ignore|disregard) what i (?:said|told you|wrote)(?: (?:earlier|before))?"
    r"(?: (?:about|on|regarding) [^,;:.!?]{2,40})?"
)
# "But" in Italian; in French it is "my", before a noun.
BUT = (
    r"ma(?=\s(?:io|non|il|lo|la|i|gli|le|mi[oae]?|miei|ho|hai|ha|sono|è|ora|adesso|poi|anche|in|a|da|di|con|per|quest\w+|lui"
    r"|lei|noi|ci|si|se|vivo|abito|lavoro|faccio|mangio|bevo)\b)"
)
_OPENER = re.compile(
    rf"(?:(?:{'|'.join(map(re.escape, _PHRASES))})[\s,:–—-]+|(?:{'|'.join(sorted(_OPENERS))}|{_NEWS}|{_NO}"
    rf"|{_TAKEN_BACK})[,!:…–—]+\s*"
    r"|(?:hi|hiya|hey|hello|hallo|hola|moin|servus|salut|ciao)"
    r"(?= (?:im|i|i['’]m|my|we|this|ich|wir|soy|me|je|moi|sono|mi|io)\b)\s+"
    rf"|(?:btw|fyi|tbh|pls|also|plus|anyway|and|but|oh|hm+|uh|um|erm|ähm?|und|aber|ach|y|pero|bueno|pues|et|mais|e|{BUT}"
    r"|so(?= (?:i|we|my|our|now|from|as of|since|until|till|starting|next|it['’]s|it is)\b)"
    r"|(?:alright|aye|nah|no|nope|right|yeah|yes|well)(?= (?:i|im|i['’]m|i['’]ve|we|my|our)\b)"
    r"|(?:actually|honestly|apparently)(?= (?:i|we|my|our|mum|mom|dad|gran|the)\b))\s+"
    r"|(?:(?:ha){2,}|lol|(?:hi){2,}|(?:je){2,}|(?:ja){2,})[\s.,!…]+)",
    re.IGNORECASE,
)
_CALL = re.compile(
    r"(?!(?:Oma|Opa|Mama|Mum|Mom|Mam|Papa|Dad|Tante|Onkel|Grandma|Grandpa|Granny|Gran|Nan|Auntie|Aunt|Uncle|Abuel[ao]|T[íi][ao]"
    r"|Mamie|Papy|Nonn[ao]|Zi[ao])\s[A-ZÀ-Þ])[A-ZÀ-Þ][\w'’]{1,20}(?:\s[A-ZÀ-Þ]\w{1,20})?[,!]\s+(?=\S)"
)  # "Mel, …", but not "Oma Gesche, 83, …"
# "Mel, my niece, …" says who is meant; it calls nobody.
_WHO_IT_IS = re.compile(
    r"(?:my|our|mein\w*|unser\w*|mis?|nuestr\w+|mon|ma|mes|notre|mi[oa]|nostr\w+)\s(?:[\w'’-]+\s){0,2}[\w'’-]+,\s"
)
# "Books, films and walks keep me going": the first of a list.
_LISTED = re.compile(
    r"[A-ZÀ-Þ][\w'’]+, "
    r"(?!(?:i|we|my|our|the|an?|it|he|she|they|you|this|that|ich|wir|mein\w*|du|yo|mis?|je|mon|ma|io)\b)"
    r"(?:[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?, )*[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?,? "
    r"(?:and|or|und|oder|y|o|et|ou|e) "
)
_TRAILER = re.compile(
    r"(?:[\s,]+(?:btw|fyi|lol|haha|tho|tbh|by the way|übrigens|por cierto|au fait|comunque)|,\s*well"
    r"|[.!]\s+(?:ah|oh) well)(?=[.!]*$)",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:hey+|hi+|hiya|heya|hello|yo|hallo|moin|servus|grüß dich|hola|buenas|salut|bonjour|coucou|ciao"
    r"|good (?:morning|evening|afternoon)"
    r"|guten (?:morgen|tag|abend)|buenos días|bonsoir|buongiorno)"
    r"(?: (?:there|all|everyone|nebo|zusammen|a todos))?[\s,!.…]*",
    re.IGNORECASE,
)
# "Since I've moved to York, with two cats." without a main clause says that they have moved.
_SUBORDINATED = re.compile(
    r"^(?:since|considering|given that|because|although|though|as|while)\s+(?=(?:I|my|we|our)\b)"
    r"(?!.*, (?!(?:and|but|or) )(?:\w+ ){0,3}?(?:I|we|my|our|the|it|he|she|they|there|this|that|you)\b)",
    re.IGNORECASE,
)
# The same of a thing, and of what is done: "Since the council approved our extension.", "as using boxes has helped".
_SUBORDINATED_THING = re.compile(
    r"^(?:(?:since|considering(?: that)?|given that|because|as)\s+(?=the (?:[\w'’-]+ ){1,3}?[a-z]+ed\b)"
    r"|(?:as|because)\s+(?=[a-z]+ing\b[^,]*\b(?:has|is|was)\b))"
    r"(?!.*\b(?:I|we|he|she|they|it)\b)(?!.*\b(?:my|our) [\w'’-]+ (?:has|have|is|are|was|were|can|will|[a-z]+s)\b)"
    r"(?!.*, (?!(?:and|but|or|[a-z]+ing)\b))",
    re.IGNORECASE,
)
MAX_OPENERS = 4


def without_opener(text: str, *, call: bool = True) -> str:
    """The statement without what leads up to it or trails off; the text itself where nothing would be left.

    A name at its beginning is taken for a `call` ("Mel, …"), which "Hamburg, Kiel and Lübeck" doesn't have.
    """
    rest = _TRAILER.sub("", text.strip())
    rest = _SUBORDINATED_THING.sub("", _SUBORDINATED.sub("", rest))
    for _ in range(MAX_OPENERS):
        match = _OPENER.match(rest) or (_find_call(rest) if call else None)
        if match is None or len(rest) - match.end() < 3:
            break
        rest = rest[match.end() :].lstrip(" ,")
    return rest


def without_greeting(text: str) -> str:
    """A sentence without the greeting that a comma parts from it: "moin, ich bin Henning"."""
    greeting = _GREETING.match(text)
    apart = greeting is not None and greeting[0].rstrip().endswith((",", "!"))
    return text[greeting.end() :] if greeting and apart and greeting.end() < len(text) else text


def is_greeting(text: str) -> bool:
    """Whether a text only greets: "hey!", „Moin zusammen,“."""
    return _GREETING.fullmatch(text.strip()) is not None


def _find_call(text: str) -> re.Match[str] | None:
    found = _CALL.match(text)
    return None if found and (_WHO_IT_IS.match(text, found.end()) or _LISTED.match(text)) else found
