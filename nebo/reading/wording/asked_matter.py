"""What a question that asks back is about: "the knee" of "what did you suggest last time about the knee?"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nebo.reading.times.calendar_words import WEEKDAYS
from nebo.reading.words.content_words import content_words
from nebo.reading.words.naming import find_named, named_words

# Of what such questions are made beside what they are about: what somebody said, made or chose, when, and which it was.
# One form of a word stands for all that begin alike; weekdays have a table of their own.
_ASKING = """
agree agreeing answer back bring chat choose comes conclude continue conversation decide decision detail discuss
earlier end figure final finish first found helped idea landed last lately left line list long looked mean mentioned
message minute moment month names new next number old option options part pick piece place plan planned point
previous promise propose question read recall recap recently recommend result resume second send sent session settle
show somewhere spoke start step stopped suggest summarise summary talk text third thought time tip title today
together tried try version wanted week weekend wise word work write written wrote yesterday year advice advise exact
chatted brought explain topic abgemacht abgesprochen abmachung anfang antwort ausgemacht bereits beschlossen
besprochen damals einig empfehlung empfohlen entschieden ergebnis erinnerst erinnern erklärt erwähnt erste fassung
früher gebracht gefragt gegeben geholfen gehört gemacht gemeint genannt genommen geplant geraten geredet gesprochen
gestern gesucht geschickt gezeigt heute hießen irgendwann jahr kam letzte meinte monat nächste neulich nochmal paar
punkt rat reden schicken schlugst schritt stand stehen stehengeblieben tage tipp titel unterhalten vereinbart
verblieben verabredet voriges vorschlag vorgeschlagen weiter weitermachen woche wort zeigen zeit zuletzt zusammen
zweite vorher aconsejado acordado ahora anoche apuntaste año ayer ayudaste cambiamos charla comentaste consejo
contaste decías dicho dijiste dijimos elegido enseñaste enviaste escribiste explicaste habíamos hablado hablamos
habías hiciste hicimos llamaban mañana mencionado mensaje mostraste nombre opción pasada pensado planeamos primera
propuesta punto quedado quedamos recordar segunda seguimos semana sesión sugerencia título última veces volver
accord année aviez appelait choisi choisir déjà dernier dernière donné envoyé fois jour lequel laquelle
matin mois montré nom parlé parlait passée première premier prévu promis proposition rappelle reprendre resté
semaine souviens suggéré titre trouvé étape aiutato chiamava consigliato deciso detto dicevamo dato giorni ieri
mattina menzionato mese opzione passata piano promesso riassunto ricordi rimasti riprendiamo scelto scorsa settimana
spiegato titolo trovato volta
"""
LEAST_LETTERS = 4  # of a word of the matter; a shorter one is too easily another form of something
ROOT_LETTERS = 5  # of a stem by which two words of asking are one: "suggested", "suggestion"

# What stands behind one of these, or one word further, is a thing: "the knee", „das neue Buch“, "lo del coche".
_THING = re.compile(
    r"\b(?:(?:the|my|our|that|this|an?|about|for|with|which|what|das|die|der|den|dem|des|meine?[rsnm]?|unsere?[rsnm]?"
    r"|eine?[rsnm]?|über|wegen|zum|zur|beim|vom|mit|für|welche[rsnm]?|el|la|los|las|del|al|mis?|nuestr[ao]s?|una?|qué|sobre"
    r"|con|para|le|les|du|mon|ma|mes|notre|nos|une|sur|quel(?:le)?s?|il|lo|gli|della|dello|dei|delle|sul|sulla|mi[ao]"
    r"|nostr[ao]|quale|che)\s+|[ld]['’])(?=(?P<things>[^\W\d_]+(?:\s+[^\W\d_]+)?))",
    re.IGNORECASE,
)


def _roots(text: str) -> frozenset[str]:
    return frozenset(stem[:ROOT_LETTERS] for stem in content_words(text))


_ROOTS = _roots(" ".join((_ASKING, *WEEKDAYS)).replace("|", " "))


def matter_of(query: str) -> frozenset[str]:
    """The words that name it; none where a question only goes on, or asks what it was that somebody said."""
    things = {word.lower() for found in _THING.finditer(query) for word in found["things"].split()}
    named = things & named_words(query)
    return frozenset(word for word in named if len(word) >= LEAST_LETTERS and _roots(word) - _ROOTS)


def is_named_in(matter: frozenset[str], texts: Iterable[str]) -> bool:
    """Whether any of these texts has one of its words, whatever the endings."""
    return any(find_named(matter, text) for text in texts)
