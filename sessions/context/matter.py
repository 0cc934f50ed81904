"""What a question that asks back is about: "the knee" of "what did you suggest last time about the knee?"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nebo.reading.words.content_words import content_words
from nebo.reading.words.naming import find_named, named_words

# Of what such questions are made beside what they are about: what somebody said, made or chose, when, and which it was.
_ASKING = """
again agree agreed agreeing already answer answers anything asked back before bring chat chose choose chosen come comes
conclude concluded conclusion continue conversation decide decided decision detail details discuss discussed discussing
earlier else end exactly figure figured final finally finish first found gave give given go going gone help helped idea
ideas kind landed last lately later left let line list listed long look looked made make maybe mean mentioned message
minute moment monday month months morning name named names new next night number old once option options other out part
parts pick picked piece place plan planned plans point points previous previously promise promised propose proposed
question read recall recap recently recommend recommendation recommended recommending remind result resume saturday
second send sent session settle settled show showed shown some someone something somewhere sort spoke start started
step steps still stopped stuff suggest suggested suggesting suggestion suggestions summarise summary sunday talk talked
talking tell text third thought thursday time times tip tips title today together told tried try tuesday used version
wanted way wednesday week weekend weeks went where wise word words work worked write written wrote yesterday year years
friday advice advise advised called exact chatted brought explain explained thing things topic
abgemacht abgesprochen abmachung anfang antwort ausgemacht ausgesucht bereits beschlossen besprochen besprechen damals
dienstag donnerstag eben einig einigen empfehlung empfohlen empfehlen ende entschieden entscheiden ergebnis erinnerst
erinnern erklärt erwähnt erwähnen erste ersten fassung freitag früher gebracht gefragt gegeben geht geholfen gehört
gemacht gemeint genannt genau genommen geplant geraten geredet gesprochen gespräch gestern gesucht geschickt gezeigt
heißt heute hieß hießen idee ideen irgendwann irgendwas jahr kam kamen letzte letzten letztens letztes liste machen
mal meinte mittwoch monat montag morgen nächste nächsten name namen neulich nochmal paar plan punkt rat reden rede
samstag schicken schickst schlugst schon schritt sonntag stand standen stehen stehengeblieben tage tag tipp tipps titel
unterhalten unterhaltung vereinbart verblieben version verabredet voriges vorige vorigen vorschlag vorschläge
vorgeschlagen vorschlugst wann weiter weitermachen welche welcher welches woche wochen wort zeigen zeit zuletzt
zusammen zweite zweiten abend vorher
aconsejado aconsejaste acordado acordamos acuerdas acuerdo ahora anoche antes apuntaste año ayer ayudaste cambiamos
charla charlamos comentaste comentamos consejo consejos contaste conversación cuál cuándo decidido decidimos decías
decir dicho dijiste dijimos domingo día días elegido elegimos enseñaste enviaste escribiste eran explicaste final fue
habíamos hablado hablamos hablábamos habías hiciste hicimos idea ideas jueves lista llamaba llamaban lunes martes
mañana mencionado mencionaste mensaje mes miércoles momento mostraste nombre opción otra otro pasada pasado paso pasos
pensado plan planeado planeamos primera primero propuesta propusiste punto quedado quedamos quedábamos recomendaste
recomendado recomendación recomendabas recordar recuerdas resumen sábado segunda segundo seguimos seguir semana
semanas sesión sugerencia sugerido sugeriste título última último vez versión veces viernes volver
accord ajourd'hui année aviez avais-tu appelait autre avant choisi choisir comment conclu conseil conseillé conseils
continuer conversation convenu décidé déjà dernier dernière derniers dimanche discussion discuté dit donné envoyé
expliqué fois hier idée jeudi jour jours lequel laquelle liste lundi mardi matin mentionné mercredi message mois moment
montré nom option parlé parlait passée passé plan première premier prévu promis proposé proposition quel quelle
rappelle rappelles recommandé reprendre reprenons resté restés résumé samedi semaine semaines souviens suggéré
titre trouvé vendredi version étape étapes
accordo aiutato altra altro anno chiamava chiamavano concluso consigliato consigli consiglio continuare conversazione
deciso detto dicevamo dicevi discusso domenica dato finale giorni giorno giovedì idea ieri lista lunedì martedì
mattina menzionato mercoledì mese messaggio momento mostrato nome opzione parlato parlavamo passata passato passo piano
prima primo promesso proposta proposto punto quale quali riassunto ricordi rimasti riprendiamo sabato scelto scorsa
scorso seconda secondo sessione settimana settimane spiegato suggerito suggerimento titolo trovato ultima ultimo venerdì
versione volta volte
"""
_STEMS = content_words(_ASKING)
LEAST_LETTERS = 4  # of a word of the matter; a shorter one is too easily another form of something


# What stands behind one of these, or one word further, is a thing: "the knee", „das neue Buch“, "lo del coche".
_THING = re.compile(
    r"\b(?:(?:the|my|our|that|this|an?|about|for|with|which|what|das|die|der|den|dem|des|meine?[rsnm]?|unsere?[rsnm]?"
    r"|eine?[rsnm]?|über|wegen|zum|zur|beim|vom|mit|für|welche[rsnm]?|el|la|los|las|del|al|mis?|nuestr[ao]s?|una?|qué|sobre"
    r"|con|para|le|les|du|mon|ma|mes|notre|nos|une|sur|quel(?:le)?s?|il|lo|gli|della|dello|dei|delle|sul|sulla|mi[ao]"
    r"|nostr[ao]|quale|che)\s+|[ld]['’])(?=(?P<things>[^\W\d_]+(?:\s+[^\W\d_]+)?))",
    re.IGNORECASE,
)


def matter_of(query: str) -> frozenset[str]:
    """The words that name it; none where a question only goes on, or asks what it was that somebody said."""
    things = {word.lower() for found in _THING.finditer(query) for word in found["things"].split()}
    named = things & named_words(query)
    return frozenset(word for word in named if len(word) >= LEAST_LETTERS and content_words(word) - _STEMS)


def is_told_of(matter: frozenset[str], texts: Iterable[str]) -> bool:
    """Whether any of these texts has one of its words, whatever the endings."""
    return any(find_named(matter, text) for text in texts)
