"""What speaks of an end: by whose name it is told, what takes whose place, and what leaves an allergy as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from nebo.reading.facts.values import find_person, find_value
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.own_words import own_words
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.calendar_words import COUNTS
from nebo.reading.wording.adding import is_at_times
from nebo.reading.wording.covering import content_words, list_words
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import TIES
from nebo.reading.words.pauses import split_at_pauses

PARTED_WITH = ("possession", "pet", "hobby", "home")  # slots of what may be sold or given away
OF_HEALTH = ("allergy", "diet", "health")
DOUBT = 0.5  # chance of something lasting, from which an allergy that is named is a fact of its own
_AVOIDS = re.compile(
    r"\w[- ]?(?:free|frei(?:e[mnrs]?)?)\b|\b(?:without|ohne|sin|sans|senza)\b", re.IGNORECASE
)
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in place of|(?:an)?statt|anstelle von|en (?:vez|lugar) de|au lieu d[eu]"
    r"|à la place d[eu]|invece (?:di|del|della)|al posto (?:di|del|della)) (?P<what>[^,;.!?]{2,60})",
    re.IGNORECASE,
)


# "Sold Kittiwake to a couple from Bala": what stands behind the verb, or in German and Spanish before it.
_GIVEN_AWAY = re.compile(
    r"\b(?:sold|flogged|gave away|given away|got rid of|scrapped|donated|traded in) "
    r"(?:(?:the|my|our|dad['’]s|mum['’]s) )?"
    r"(?P<what>[^\s,;.!?]+(?: [^\s,;.!?]+)?)"
    r"|\b(?:vendí|vendimos|he vendido|hemos vendido|j['’]ai vendu|on a vendu|ho venduto|abbiamo venduto) "
    r"(?:(?:el|la|mi|le|ma|mon|il|lo) )?(?P<thing>[^\s,;.!?]+)"
    r"|\b(?:hab|habe|haben) (?P<ding>[^,;.!?]{3,40}?) (?:verkauft|verschenkt|verschrottet)\b",
    re.IGNORECASE,
)


_CAME_TO_NOTHING = re.compile(
    r"\b(?:fell through|fallen through|came to nothing|outbid|pulled out|went to somebody else|turned (?:us|me) down"
    r"|lost out|hat sich zerschlagen|(?:ist )?geplatzt"
    r"|se (?:ha caído|cayó|frustró)|est tombée? à l['’]eau|(?:è andat[oa]|è saltat[oa]) (?:a monte|tutto))\b",
    re.IGNORECASE,
)
_UNITS = stems(
    "day days week weeks month months year years time times Tag Tage Woche Wochen Monat Monate Jahr Jahre"
    " día días semana semanas meses años jours semaine semaines giorni settimana settimane mesi anni"
)
# What isn't sure yet to become theirs: "looking at a house", "applied for the flat".
_HOPED_FOR = re.compile(
    r"\b(?:looking at|viewing|bidding (?:on|for)|(?:made|put in) an offer|hoping|interested in|applied for"
    r"|thinking (?:of|about))\b",
    re.IGNORECASE,
)
# That something is another way from now on, or on another day.
_OTHERWISE_NOW = re.compile(
    r"\b(?:from (?:now|today|tomorrow|next \w+|january|february|march|april|may|june|july|august|september|october"
    r"|november|december) on(?:wards)?|from now|(?:now|these days) only|only (?:\w+ ){1,4}now|instead"
    r"|(?:gone|switched|changed"
    r"|moved|swapped) (?:(?:down|up|over|back) )?(?:to|on to|onto)|postponed|put back|brought forward"
    r"|no longer|anymore|any more(?= ?(?:[,.;:!)–—-]|$| (?:since|because|now|and|but|so|as|at|on|in|with|for|than)\b))"
    r"|ab (?:jetzt|sofort|heute|morgen|nächste\w* \w+|januar|februar|märz|april|mai|juni|juli|august"
    r"|september|oktober"
    r"|november|dezember)|nur noch|neuerdings|stattdessen|(?:um|ver)(?:gestellt|gestiegen|legt|schoben)|gewechselt"
    r"|nicht mehr|keine?n? \w+ mehr|a partir de|(?:desde|de) ahora(?: en adelante)?"
    r"|(?:ha|han|hemos|he) (?:pasado|cambiado) (?:a|al|de)"
    r"|(?:retrasad|aplazad|adelantad|pospuest)[oa]s?|ya (?:no|solo|sólo)|en (?:vez|lugar) de|à partir d[eu]|désormais"
    r"|dorénavant|passée?s? (?:à|au|de|en)|repouss\w+|avancée?s?|ne \w+ plus|au lieu d[eu]|d['’]ora in (?:poi|avanti)"
    r"|passat[oaie] (?:a|al|alla|di)|spostat[oaie]|rimandat[oaie]|anticipat[oaie]|non \w+ più|invece di)\b",
    re.IGNORECASE,
)
# What somebody gives up doing, in words that the reader may take for having done it: "packed in the choir".
_STOPPED = re.compile(
    r"\b(?:(?:pack|jack|chuck)(?:ed|ing)(?: it)? in|(?:gave|given|giving) up(?: on)?|quit|dropped out of"
    r"|stepped (?:down|back) from|walked out of|done with|knocked (?P<what>[^,;.!?]{3,40}) on the head"
    r"|(?:he|hemos) dejado|dejé|dejamos|lo (?:he dejado|dejé) con|(?:me he|nos hemos) salido de"
    r"|j['’]ai (?:arrêté|lâché)"
    r"|laissé tomber|ho (?:smesso|mollato|lasciato)|abbiamo (?:smesso|mollato|lasciato)) (?P<which>[^,;.!?]{3,60})"
    r"|\b(?:hab|habe|haben) (?:ich |wir )?(?P<dies>[^,;.!?]{3,40}?) (?:hingeschmissen|aufgegeben"
    r"|drangegeben|aufgehört"
    r"|an den Nagel gehängt|geschmissen|gelassen)\b"
    r"|(?P<vorn>[^,;.!?]{3,40}?) (?:hab|habe|haben) (?:ich|wir) (?:\w+ )?(?:hingeschmissen|aufgegeben|drangegeben"
    r"|an den Nagel gehängt|geschmissen|gelassen)\b",
    re.IGNORECASE,
)
PART_CHARS = 4  # letters of a word of which a longer one is made
DOINGS = ("hobby", "work", "habit", "project", "education", "event", "commitment", "other", "home")
MATTER = 2  # words of a plan, at least, that what came to nothing names
_HAS_LEFT = (
    r"(?:['’]s|has|have|had|is|was)?\s*(?:now |just |already |finally )*"
    r"(?:retired|left|quit|resigned|died|passed away|moved away|gone back|stepped down|packed it in)\b"
)


def came_to_nothing(known: str, stated: str) -> bool:
    """Whether a sentence says that what is planned came to nothing: "the house in Nairn fell through"."""
    return bool(_CAME_TO_NOTHING.search(stated)) and len(stems(known) & stems(stated)) >= MATTER


def is_in_vain(known: str, stated: str) -> bool:
    """The same of what is hoped for, and called by the name: "we got outbid on Sleights"."""
    came = _CAME_TO_NOTHING.search(stated) and _HOPED_FOR.search(known)
    return bool(came) and bool(shared_names(known, stated))


def has_left(known: str, stated: str) -> bool:
    """Whether a sentence says of somebody by the name that what is known has that they retired, left or died."""
    names = [name for name in names_of(f"… {known}") if name not in ("Mr", "Mrs", "Ms", "Dr")]
    return any(re.search(rf"(?<!\w){re.escape(name)}\s*{_HAS_LEFT}", stated) for name in names)


def leaves_health(known: str, sentence: Sentence) -> bool:
    """Whether a sentence takes nothing back of what somebody can't have: "I bought gluten-free bread", "I get pills
    for it now, so a bit of cheese is fine".
    """
    meaning, stated = sentence.meaning, sentence.text
    if meaning.slot not in OF_HEALTH:
        return not denies(stated)
    eases = meaning.slot == "allergy" and meaning.chances["lasting"] >= DOUBT and not denies(stated)
    return eases or (denies(known) and _AVOIDS.search(stated) is not None)


def speaks_of_an_end(meaning: Meaning) -> bool:
    return meaning.may_be("ended") or meaning.may_be("correction")


def parts_with(known: str, stated: str) -> bool:
    """Whether a sentence says that a thing was sold or given away which it calls by a word of what is known."""
    gone = _GIVEN_AWAY.search(stated)
    what: str = (gone["what"] or gone["thing"] or gone["ding"]) if gone else ""
    named = bool(what) and not denies(stated) and bool(stems(what) & stems(known))
    return named and read_sentence(known).slot in PARTED_WITH


def says_otherwise_now(stated: str) -> bool:
    """Whether a sentence says that something is another way from now on, whatever it was before."""
    return _OTHERWISE_NOW.search(stated) is not None


def stops(stated: str) -> bool:
    """Whether a sentence says that something is given up, whatever that is."""
    return _STOPPED.search(stated) is not None


def gives_up(known: str, stated: str) -> bool:
    """Whether a sentence says that the speaker has given up what is known that they do: "packed in mountain rescue"."""
    found = _STOPPED.search(stated)
    if found is None or find_antecedent(known) is not None or find_antecedent(stated) is not None:
        return False
    what = next(filter(None, found.groupdict().values()), "")
    named = stems(what) & (stems(known) - shared_names(known, stated)) or _is_part_of_a_word(what, known)
    return bool(named) and not denies(known) and read_sentence(known).slot in DOINGS


def _is_part_of_a_word(what: str, known: str) -> bool:
    """Whether a word of what is known is made of one of these: „der Chor“ of „Kirchenchor“."""
    parts = [word for word in content_words(what) if len(word) >= PART_CHARS]
    return any(word != part and word.endswith(part) for word in list_words(known) for part in parts)


def shared_names(known: str, stated: str) -> frozenset[str]:
    """Stems of the names that both have: who "left" or "retired" is whom the fact tells of."""
    names = [name for name in names_of(known) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", stated)]
    return stems(" ".join(names))


def names_nothing_else(known: str, stated: str) -> bool:
    """Whether a fact and a sentence have only a name in common: what Owen does, and whose name somebody took."""
    shared = stems(known) & stems(stated)
    return bool(shared) and shared <= shared_names(known, stated)


def names_its_matter(known: str, stated: str) -> bool:
    """Whether a fact and a sentence have more in common than whose it is."""
    return bool((stems(known) & stems(stated)) - shared_names(known, stated) - stems(find_person(known)))


def replaces(known: str, stated: str) -> bool:
    """Whether a sentence names something of what is known as what is no longer taken: "… instead of MariaDB"."""
    instead = _INSTEAD.search(stated)
    return instead is not None and not denies(stated) and bool(stems(instead["what"]) & stems(known))


def share_of(known: str, sentence: Sentence) -> float:
    """How much of what is known a sentence names, 0 to 1: who stopped smoking goes on swimming. That both speak of
    days tells nothing.
    """
    words = stems(known) - _UNITS
    return len(words & stems(sentence.text)) / len(words) if words else 0.0


def keeps_its_times(known: str, stated: str) -> bool:
    """Whether what somebody does at times, but for their work, shares no more with a sentence than their name: „Ole hat
    donnerstags frei“ beside Ole's new job.
    """
    if not is_at_times(known) or is_at_times(stated) or TIES["work"].intersection(list_words(known)):
        return False
    name = find_person(known)
    return bool(name) and not {*content_words(known)}.intersection(content_words(stated)) - {name.lower()}


def part_about(known: str, stated: str) -> str:
    """The part of a sentence that names most of what is known: "volví a comer carne" of what goes on with "no …"."""
    parts = split_at_pauses(stated) or [stated]
    best = max(parts, key=lambda part: len(stems(known) & stems(part)))
    return best if stems(known) & stems(best) else stated


_ITEM = r"[^\W\d_][\w'’-]*"
_LIST = re.compile(rf"(?P<comma>, )?(?P<items>{_ITEM}(?:, {_ITEM})* (?:and|und|y|e|et) {_ITEM})(?=[.,;!]|$)")
_BETWEEN = re.compile(r", | (?:and|und|y|e|et) ")
# The same of things that are counted: "40 sheep, three goats and an old donkey".
_A = (
    rf"(?:\d+|an?|my|our|some|{'|'.join(COUNTS[1:])}|ein\w{{0,2}}"
    r"|unsere?n?|meine?n?|una?|un[oa]s|mis?|une|des|mon|ma|del|dei|mi[oae])"
)
_COUNTED = rf"{_A} [^,;.!?]{{3,40}}?"
_COUNTED_LIST = re.compile(
    rf"(?P<items>{_COUNTED}(?:, {_COUNTED})*,? (?:and|und|y|e|et) {_COUNTED})(?=[.,;!]|$)", re.IGNORECASE
)
_PARTED_WITH = re.compile(
    r"(?<!not )(?<!n['’]t )(?<!nicht )(?<!never )(?<!nie )\b(?:sold|gave away|given away|rehomed|died|dead"
    r"|gone|put down|passed away|got rid of|abgegeben|verkauft|verschenkt"
    r"|weggegeben|gestorben|tot|eingeschläfert|vend(?:í|imos|ido)|regalad[oa]s?|regal(?:é|amos)|murió|muert[oa]s?"
    r"|vendue?s?|données?|donnés?|morte?s?|vendut[oaie]|mort[oaie]|dat[oaie] via)\b",
    re.IGNORECASE,
)
_GIVEN_UP = (
    r"(?:dropped|ditched|quit|left|sold|scrapped|(?:gave|given) up|(?:got|gotten) rid of|stopped (?:\w+ing )?"
    r"|no longer (?:\w+ )?|verlassen|dejado|dejé|abandonné|lasciato)"
)
_IS_GONE = (
    r"(?:(?:['’]s|has|had|is|ist|ha|est|è)? ?(?:died|passed away|gone|gestorben|tot|muerto|mort[eoa]?|morta)|murió"
    r"|aufgegeben|verkauft)"
)


_COMPANY = re.compile(
    r" (?:with|mit|con|avec) (?:(?:my|our|their|his|her|mein\w*|unser\w*|mi|su|nuestr\w|mon|ma|sa|son|l[ae]) )?"
    r"(?P<who>(?:[^\W\d_][\w'’-]* ){0,2}?[A-ZÀ-Þ][\w'’-]+)(?=[.,;!]|$)"
)
_ARE_OUT = r"moved out|ausgezogen|déménagé|mudado|traslocat[oa]"  # of a home alone
_ARE_GONE = (
    r"gone|left|quit|died|passed away|weg|gegangen|ausgestiegen|aufgehört|gekündigt|gestorben|fue|ido|marchado|dejado"
    r"|muerto|partie?|morte?|andat[oa]|uscit[oa]|mort[oa]"
)
_HAVE = (
    r"(?:['’]s| has| ist| hat| ha| se| se ha| est| a| è| se n['’]è)?"
    r"(?: (?:now|just|finally|already|jetzt|ya|nun|endlich))*"
)
_OBJECT = r"(?! (?:me|my|the|an?|it|his|her|mir|mich|eine?n?|die|das|una?|le|la|les|il)\b)"
GOES_ON = ("work", "project", "hobby", "habit")  # slots of what goes on without somebody who took part
TELLS = 3  # words that a fact tells, at least, without whom it was done with


def taken_from_list(known: str, stated: str) -> str | None:
    """What a fact still says that lists several, one of which a sentence says is gone: "uses Flutter", of "uses Flutter
    and Supabase". Empty where what is left can't be put so, as of "two cats, Mio and Lulu"; None where none is gone.
    """
    if alone := _without_company(known, stated):
        return alone
    found = _LIST.search(known)
    if found is None:
        return _left_of_counted(known, stated)
    items = _BETWEEN.split(found["items"])
    gone = [item for item in items if _is_gone(item, stated)]
    if not gone or len(gone) == len(items):
        return None
    if found["comma"] or (items[0].islower() and not items[-1].islower()):
        return ""
    return _without(gone, items, known, found)


def _left_of_counted(known: str, stated: str) -> str | None:
    """The same of several things that are counted, where a sentence says that some were given away or died."""
    found = _COUNTED_LIST.search(known) if _PARTED_WITH.search(stated) else None
    if found is None:
        return None
    items = _BETWEEN.split(found["items"].replace(", and ", " and "))
    words = stems(stated)
    gone = [item for item in items if stems(item) & words]
    return _without(gone, items, known, found) if gone and len(gone) < len(items) else None


def _without(gone: Collection[str], items: Sequence[str], known: str, found: re.Match[str]) -> str:
    """What is known with the items that are left of a list in it."""
    left = [item for item in items if item not in gone]
    link = next(one for one in re.findall(r" (and|und|y|e|et) ", found["items"]))
    listed = left[0] if len(left) == 1 else f"{', '.join(left[:-1])} {link} {left[-1]}"
    return f"{known[: found.start('items')]}{listed}{known[found.end() :]}"


def _is_gone(item: str, stated: str) -> bool:
    name = re.escape(item)
    return bool(
        re.search(rf"\b{_GIVEN_UP} (?:the |our |my )?{name}\b|\b{name} ?{_IS_GONE}\b", stated, re.IGNORECASE)
    )


def _without_company(known: str, stated: str) -> str:
    """What goes on without whom it was done with, where a sentence says that they have left: "shares a flat in Lochee"
    of "… with their mate Baz". Empty where nobody has, or too little is left.
    """
    company = _COMPANY.search(known)
    if company is None or not _is_left(company["who"], stated, rf"{_ARE_OUT}|{_ARE_GONE}"):
        return ""
    left = f"{known[: company.start()]}{known[company.end() :]}"
    if find_value("home", left):
        return left
    if not _is_left(company["who"], stated, _ARE_GONE):
        return ""
    own = own_words(left)
    tells = len(set(content_words(own)) - {"user"}) >= TELLS and read_sentence(own).slot in GOES_ON
    return left if tells else ""


def _is_left(who: str, stated: str, by: str) -> bool:
    names = "|".join(re.escape(word) for word in who.split() if word[:1].isupper())
    said = rf"(?<!\w)(?:{names}){_HAVE} (?:{by})\b{_OBJECT}"
    return re.search(said, stated, re.IGNORECASE) is not None
