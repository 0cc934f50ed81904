"""Who lay in hospital, or was away to get well, and is back: "Mam's home again" after "Mam is in the rehab"; and who
was a guest and has gone.

Both seem to tell the reader how somebody is; that the one leaves no room for the other is told by rule, in five
languages.
"""

from __future__ import annotations

import re

from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.reader import read_sentence
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.calendar_words import WEEKDAYS
from nebo.reading.wording.covering import list_words
from nebo.reading.wording.vocabulary import kin_of

# Where nobody stays for good.
_WARD = (
    r"(?:hospital|infirmary|intensive care|icu|a ?& ?e|rehab|clinic|(?:the )?[\w'’-]+ ward|\w*krankenhaus"
    r"|\w*klinik(?:um)?|\w*spital"
    r"|intensivstation|intensiv|reha|kur|uci|hospital|clínica|rehabilitación|hôpital|clinique|réanimation|rééducation"
    r"|ospedale|clinica|riabilitazione|rianimazione)\b"
)
_LIES = (
    r"(?:\b(?:is|are|am|was|been|went|taken|rushed|admitted|ended up|still|lies|back|bin|ist|liegt?|lieg|liegen|kam"
    r"|gekommen"
    r"|musste|muss|war|est[áoé]y?|ingres(?:ó|ad[oa])|llevaron|est|suis|a été|è|sono|si trova)\b|['’](?:s|m|re|ve)\b)"
)
_STAYS = re.compile(
    rf"{_LIES}[^.!?]{{0,40}}?\b(?:in|im|ins|into|to|at|on|auf|der|en|al?|à|l['’]|all['’]|nel(?:la|l['’])?) ?"
    rf"(?:(?:the|a|der|die|einer|el|la|un) )?{_WARD}"
    rf"|\bin(?:s)? (?:der |die |the |a )?{_WARD}[^.!?]{{0,30}}\b(?:liegt|gekommen|gebracht|eingeliefert)\b"
    r"|\b(?:hospitali[sz]ed|hospitalizad[oa]|ingresad[oa]|hospitalisée?|ricoverat[oa])\b",
    re.IGNORECASE,
)
_SINCE_A_DAY = re.compile(
    rf"\b(?:in|at|im|bei|en|à|a) (?:the |der |el |la |le )?[^\W\d_][\w'’ ]{{2,30}}? (?:since|seit|desde|depuis|da) "
    rf"(?:(?:last|el|letztem|letzter) )?(?:yesterday|gestern|ayer|{'|'.join(WEEKDAYS)})\b",
    re.IGNORECASE,
)
# Who works there, or goes there to see somebody, doesn't lie there.
_AT_WORK = re.compile(
    r"\b(?:work\w*|nurse|doctor|job|porter|shift\w*|arbeite\w*|pfleger\w*|ärzt\w*|arzt|trabaj\w*"
    r"|enfermer[oa]|médic[oa]"
    r"|travaill\w*|infirmi\w*|médecin|lavor\w*|infermier\w*|visit\w*|besuch\w*)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    "|".join(
        (
            r"(?:['’]s|['’]m|['’]re| is| are| am| got| came| come)(?: (?:now|finally|already|safely|well))*"
            r" (?:back )?home(?: again| now| from| since| and\b|(?= ?(?:[,.;!]|$)))|\bback home\b|\bhome again\b",
            rf"\b(?:out of|back from|home from|left) (?:(?:the|that) )?{_WARD}|\bdischarged\b",
            rf"\blet (?:him|her|them|me) (?:go )?(?:home|out)\b|\bfinished (?:at )?(?:the )?{_WARD}",
            r"\bwieder (?:zu ?hause|daheim|heim|nach hause|raus|auf den beinen|fit)\b"
            r"|\b(?:nach hause|heim)(?:gekommen| gekommen|gekehrt)\b",
            rf"\baus (?:dem|der) {_WARD}[^.!?]{{0,20}}(?:entlassen|raus|zurück|draußen|gekommen|da\b)"
            rf"|\bentlassen worden\b"
            rf"|\b(?:ist|wurde|bin|haben \w+) (?:\w+ ){{0,2}}(?:aus {_WARD} )?entlassen\b",
            r"\b(?:ya|por fin|otra vez|de nuevo) (?:est(?:á|oy) |ha vuelto |volvió |de vuelta )(?:otra vez "
            r"|de nuevo )?(?:en|a) casa\b"
            r"|\b(?:est(?:á|oy)|ha vuelto|volvió) (?:ya|otra vez|de nuevo|por fin) (?:en|a) casa\b"
            r"|\bde vuelta en casa\b"
            r"|\b(?:dieron|dado|han dado) (?:ya )?(?:el|de) alta\b"
            r"|\b(?:salió|salido|salí) (?:ya )?(?:del hospital|de la clínica|de la uci)\b",
            r"\b(?:rentrée?|de retour|revenue?) (?:à la maison|chez)\b|\bsortie? de (?:l['’]hôpital|la clinique"
            r"|rééducation)\b",
            r"\b(?:tornat[oa]|di nuovo|rientrat[oa]) a casa\b|\bdimess[oa]\b|\buscit[oa] (?:dall['’]ospedale"
            r"|dalla clinica)\b",
        )
    ),
    re.IGNORECASE,
)
# Where else somebody is since: who walks again, or has moved in, lies in no hospital.
_ELSEWHERE = re.compile(
    r"\b(?:moved in|gone to (?:live|stay) with|lives? with|living with|walks? again|walking again|on (?:his|her"
    r"|their) feet again"
    r"|(?:läuft|geht) (?:schon |jetzt |endlich )?wieder|eingezogen|zu (?:uns|mir|ihm|ihr) gezogen|wohnt (?:jetzt|nun"
    r"|bei)"
    r"|ya (?:camina|anda)|(?:vive|vino a vivir) (?:ahora )?con|remarche|s['’]est installée? chez|cammina di nuovo"
    r"|vive (?:ora|adesso) con)\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:if|when|until|till|before|once|hope\w*|might|may|soon|next|tomorrow|should|could|wenn|bis|bevor|sobald"
    r"|hoff\w*|bald"
    r"|morgen|soll|darf|könnte|cuando|hasta|si|ojalá|mañana|pronto|quand|jusqu\w*|demain|bientôt|quando|finché|domani"
    r"|presto|want\w*|miss\w*)\b",
    re.IGNORECASE,
)
_WITH_US = (
    r"(?:with (?:us|me|them)|at (?:ours|mine)|bei (?:uns|mir|ihnen)|con nosotr[oa]s|conmigo|en (?:mi|nuestra) casa"
    r"|chez (?:nous|moi)|(?:da|con) noi|(?:da|con) me)"
)
_GUEST = re.compile(
    rf"\b(?:staying|stays?|stopping|crashing|here|visiting|over|wohnt|ist|schläft|bleibt|zu besuch|está|se queda|vive"
    rf"|duerme|dort|habite|loge|est|sta|dorme|vive|abita) (?:[^\s,;.!?]+ ){{0,4}}?{_WITH_US}\b"
    rf"|\b{_WITH_US} (?:zu besuch|de visita|en visite|in visita)\b"
    r"|\b(?:visiting|besucht) (?:us|me|uns|mich|them)\b"
    r"|\b(?:on|auf|en|sur|sul) (?:our|my|their|unserem|meinem|nuestro|mi|notre|mon|nostro|mio) "
    r"(?:sofa|couch|floor|sofá|canapé|divano)\b",
    re.IGNORECASE,
)
_WITH_US_AGAIN = re.compile(rf"\b{_WITH_US}\b", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?:went|gone|flew|drove|moved|headed|is|['’]s) (?:back )?home\b(?! (?:to|for|with) (?:us|me)\b)"
    r"|\b(?:moved out|flew back|gone back|went back|is gone|has left|left (?:again|yesterday|today|this|last|on)|left)"
    r"(?=\W*$|[,;.!]| (?:again|yesterday|today|this|last|on|to|on)\b)"
    r"|\b(?:abgereist|heimgefahren|heimgeflogen|ausgezogen|nach hause (?:gefahren|geflogen|gegangen)|wieder weg"
    r"|wieder (?:zu ?hause|daheim))\b"
    r"|\b(?:se (?:fue|ha ido|marchó|ha marchado)|(?:volvió|ha vuelto|regresó) a (?:su )?casa)\b"
    r"|\b(?:got|has|found|have|moved into|moving into) (?:a place|(?:his|her|their) own (?:place|flat|room|house))\b"
    r"|\b(?:eigene Wohnung|piso propio|su propio piso|son propre appart\w*|casa sua)\b"
    r"|\b(?:repartie?|rentrée? chez|partie?s?)\b|\b(?:tornat[oa] a casa|ripartit[oa]|andat[oa] via|partit[oa])\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?-i:[A-ZÀ-ÖØ-Þ])[\w-]{2,}")
# Whose mother or father is the speaker's in-law, by what the speaker calls them.
_PARENT_OF = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]+?['’]?s ['’]?(?P<kin>[^\W\d_]+)")
_IN_LAWS = {
    "mother": ["mother-in-law", "schwiegermutter", "suegra", "belle-mère", "suocera"],
    "father": ["father-in-law", "schwiegervater", "suegro", "beau-père", "suocero"],
}


def tells_of_return(stated: str) -> bool:
    """Whether a text says that somebody is home again, or well, or gone: it may end a stay, however little else it
    tells.
    """
    is_back = _BACK.search(stated) or _GONE.search(stated)
    return is_back is not None and _NOT_YET.search(stated) is None


def is_back(known: str, stated: str) -> bool:
    """Whether somebody who is known to lie in hospital, or the speaker, is home again or well by what is stated; or a
    guest has gone.
    """
    if has_gone(known, stated):
        return True
    if not _is_away(known) or _AT_WORK.search(known) or denies(known) or denies(stated):
        return False
    if _STAYS.search(stated) or _NOT_YET.search(stated):
        return False
    if not (_BACK.search(stated) or _ELSEWHERE.search(stated)):
        return False
    return _tells_of_the_same(known, stated)


def has_gone(known: str, stated: str) -> bool:
    """Whether somebody who is known to stay with the speaker is there no longer by what is stated."""
    if not _GUEST.search(known) or not _GONE.search(stated) or denies(known) or denies(stated):
        return False
    return not (_NOT_YET.search(stated) or _WITH_US_AGAIN.search(stated)) and _tells_of_the_same(
        known, stated
    )


def _is_away(known: str) -> bool:
    """Whether somebody lies in hospital; or is ill somewhere that has a name, since some day: "in Castle Hill since
    Sunday, chest infection".
    """
    if _STAYS.search(known):
        return True
    return _SINCE_A_DAY.search(known) is not None and read_sentence(known).slot == "health"


def _tells_of_the_same(known: str, stated: str) -> bool:
    ours, theirs = find_antecedent(known), find_antecedent(stated)
    if ours is None and theirs is None:
        kin = [_kin_in(text) for text in (known, stated)]
        if all(kin):  # "la abuela", which says not whose
            return not kin[0].isdisjoint(kin[1])
        named = set(_NAME.findall(known)) & set(_NAME.findall(stated))
        return bool(named) or _is_in_law(known, stated) or not (_of_another(known) or _of_another(stated))
    if ours and theirs and (ours.kin and theirs.kin):
        return not ours.kin.isdisjoint(theirs.kin)
    who = ours or theirs
    other = stated if ours else known
    name = who.who.split()[-1] if who else ""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", other, re.IGNORECASE) is not None or _is_in_law(
        known, stated
    )


def _kin_in(text: str) -> frozenset[str]:
    return frozenset[str]().union(*(kin_of(word) for word in list_words(text)))


def _of_another(text: str) -> bool:
    return find_antecedent(text) is not None or any(kin_of(word) for word in list_words(text))


def _is_in_law(known: str, stated: str) -> bool:
    """Whether "Consuelos Mutter" is who the speaker calls "mi suegra", or the other way round."""
    for one, other in ((known, stated), (stated, known)):
        parent = _PARENT_OF.search(one)
        kin = kin_of(parent["kin"].lower()) if parent else frozenset()
        for word, called in _IN_LAWS.items():
            if word in kin and any(name in other.lower() for name in called):
                return True
    return False
