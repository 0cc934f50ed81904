"""Whether somebody says that they did what was to be done, by its own verb and what it names: "deposit sent to the
florist" of "Send the florist the deposit", „GEZ hab ich gekündigt“ of „GEZ kündigen“; and whose act a sentence tells.
"""

from __future__ import annotations

import re

from nebo.reading.requests.several import has_verb_last
from nebo.reading.times.dates import without_times
from nebo.reading.words.naming import find_named, is_same_word, named_words, share_named
from nebo.reading.words.openers import without_opener

# Verbs of errands of which a past form isn't found by its beginning; each with its present form.
_PAST = {
    past: verb
    for line in """
    ring rang rung
    buy bought
    bring brought
    get got gotten
    pay paid
    send sent
    write wrote written
    speak spoke spoken
    tell told
    take took taken
    make made
    find found
    sell sold
    give gave given
    meet met
    choose chose chosen
    see saw seen
    catch caught
    teach taught
    leave left
    lend lent
    hand handed
    do did done
    """.strip().splitlines()
    for verb, *pasts in [line.split()]
    for past in pasts
}
MIN_STEM = 3  # letters of a verb without its ending
# How a past ends in Spanish, French and Italian, said of oneself or as a participle.
_ROMANCE_PAST = re.compile(r"(?:[aiu]d[oa]s?|[éí]|ée?s?|[aiu]t[oaie])$")
_INFINITIVE = re.compile(r"e?n$")
_WORD = re.compile(r"[^\W\d_]+")
_DETERMINER = (
    r"(?:the|my|our|der|die|das|mein\w*|unser\w*|el|la|los|las|mis?|nuestr\w+|les?|l['’]|mon|ma|mes|notre|il|lo"
    r"|i|gli)"
)
_WHO = rf"(?P<determiner>{_DETERMINER}\s+|l['’])?(?P<who>[^\W\d_]+(?:\s[^\W\d_]+)??)\s+"
_TO_ME = r"(?P<to_me>m['’]|(?:me|us|nos|mi|ci|nous|le|les|lo|la|l['’]|se|si)\s)?"
_HAS = (
    r"(?:(?:has|had|have)(?!\s+(?:his|her|their|its|the|an?|it|them|my|our)\b)|hat|haben|hatte|ha|han|avait|ont|hanno|aveva"
    r"|a(?=\s[^\W\d_]+(?:[éiu]|is|it|rt)\b))"
)
_BEEN = r"(?:been|sido|estado|été|stat[oaie])"
# "Grandma has rung", „Oma hat angerufen“, but not "the rent has been paid"
_HAS_ACTED = re.compile(rf"{_WHO}{_TO_ME}{_HAS}\b(?!(?:\s+\w+)?\s+{_BEEN}\b)(?!.*\bworden\b)", re.IGNORECASE)
_ACTED = re.compile(
    rf"{_WHO}{_TO_ME}(?P<verb>[^\W\d_]+)\b(?:\s+(?P<whom>me|us|mir|mich|uns)\b)?", re.IGNORECASE
)
_HE_DID = re.compile(r"(?:[^\W\d_]+ó|dijo|hizo|trajo|puso|vino|dio|pidió)$")
_OF_ENGLISH = re.compile(
    r"(?:(?:I|we)(?:['’]ve)?\s)?(?:(?:just|already|finally|have)\s)*(?P<verb>[a-z]+)\b", re.IGNORECASE
)
_OF_MINE = re.compile(
    r"(?:(?:gerade|eben|schon|endlich|ya|por fin|enfin|finalmente)\s+)?"
    r"(?:(?:ich |wir )?hab\w{0,2}\b|(?:yo |nosotros )?(?:he|hemos)\s+\w+[dt][oa]\b"
    r"|(?:(?:le|les|lo|la|los|las|me)\s)?[^\W\d_]{2,}[éí]\b|j['’]ai|nous avons|on a\b|(?:io )?ho\b|abbiamo\b)",
    re.IGNORECASE,
)
# The same behind what it is done to: "per le ripetizioni abbiamo trovato Irene", „die Karten hab ich“.
_OF_MINE_BEHIND = re.compile(
    r"(?:(?!(?:che|que|qui|quand\w*|cuando|wenn|als|dass|ob|weil|se|si|perché|porque|d[oó]nde|dove|où|wo|chi)\b)"
    r"[^\W\d_]+\s){1,5}?(?:(?:habe?|hatte) ich|ha(?:b|tt)en wir|(?:l['’])?abbiamo|(?:l['’])?ho"
    r"|j['’](?:l['’])?ai|nous avons|l[ao]s? (?:he|hemos) \w+[dt]o|l[ao]s? [^\W\d_]{2,}[éí])\b",
    re.IGNORECASE,
)
# Somebody else did it for one's sake: „Nachthemden hat mir Werner gekauft“.
_FOR_ME = re.compile(
    r"\b(?:hat|haben) (?:mir|uns)\b|\b(?:me|nos) (?:l[aeo]s? )?(?:ha|han)\b|\b(?:m['’]|nous )(?:a|ont)\b"
    r"|\b(?:me l['’]|mi |ce l['’]|ci |[mc]e l[aeio] )(?:ha|hanno)\b",
    re.IGNORECASE,
)
# What somebody else is to be brought to do is done where they do it.
_CAUSING = re.compile(r"(?:get|have|let|make|ask|remind|chase|tell\b.*\bto)\b|.*\blassen$", re.IGNORECASE)
# "Get Anwen's eyes tested": what one has others do, and that it was done, "had her eyes tested".
_CAUSED = re.compile(
    rf"(?:get|have)\s+(?P<what>(?:\S+\s+)+?)(?P<done>[a-z]{{2,}}ed|{'|'.join(_PAST)}|cut|put|set|read)\b",
    re.IGNORECASE,
)
_HAD = re.compile(
    r"(?:(?:I|we)(?:['’]ve)?\s)?(?:(?:just|already|finally|have)\s)*(?:had|got)\s+(?P<rest>.+)", re.IGNORECASE
)


_LONG_PAST = re.compile(
    r"\s*\b(?:gestern|vorgestern|neulich|letzte (?:woche|nacht)|letzten (?:monat|\w+tag)|ayer|anteayer|anoche"
    r"|(?:la semana|el mes|el \w+) pasad[oa]|hier|avant-hier|(?:la semaine|le mois|\w+di) derni(?:er|ère)|ieri"
    r"|l['’]altro ieri|(?:la settimana|il mese|\w+dì) scors[oa])\b",
    re.IGNORECASE,
)
# What was to be sent or handed in, and is on its way: "the meter readings went off", "subs are in".
_SENDING = ("send", "submit", "hand", "post", "file", "return", "apply", "pay", "fill", "get", "do")
_GONE = re.compile(
    r"(?P<what>[^,.;]+?)(?: went (?:off|in|out)|(?:['’](?:s|re)| is| are) (?:all |now )*(?:in|off|away))"
    r"(?! (?:the|an?|my|our|his|her|their|with|at|on|from)\b)\b",
    re.IGNORECASE,
)
# "Register us with a GP": who says that they are registered has done it.
_OF_US = re.compile(r"(?P<act>[a-z]+) (?:us|me|ourselves|myself)\b", re.IGNORECASE)
_WE_ARE = re.compile(
    r"(?:(?:finally|at last),? )?(?:we['’]re|we are|i['’]m|i am) (?:(?:all|now|finally|already) )*(?P<done>[a-z]+)\b",
    re.IGNORECASE,
)


_REFLEXIVE = re.compile(r"(?:[aeiíé]r(?:me|se|nos)|[aei]r(?:mi|si|ci))$")


def is_act(past: str, act: str) -> bool:
    """Whether a word is the past of a verb: "rang" of "ring", "abgeholt" of "abholen", "pagado" of "pagar"."""
    past, act = past.lower(), act.lower()
    if _PAST.get(past) == act or (past.endswith("ed") and is_same_word(past, act)):
        return True
    return (
        _is_participle(past, act)
        or _is_spelt_past(past, act)
        or (bool(_ROMANCE_PAST.search(past)) and is_same_word(past, act))
    )


def _is_spelt_past(past: str, act: str) -> bool:
    """Whether a Spanish past keeps its verb's sound by another letter: "pagué" of "pagar", "busqué" of "buscar"."""
    if not (past.endswith("é") and act.endswith("ar")):
        return False
    return f"{act[:-2]}#" in {
        f"{past[:-1]}#".replace(*sound) for sound in (("gu#", "g#"), ("qu#", "c#"), ("c#", "z#"))
    }


def says_done(text: str, todo: str) -> bool:
    """Whether a text has the todo's verb in its past, and something else that the todo names."""
    if tells_caused(text, todo) or is_settled(text, todo):
        return True
    named = named_words(without_times(todo))
    verbs = [
        verb for verb in _list_ends(without_times(todo)) if any(is_act(word, verb) for word in _words(text))
    ]
    others = [word for word in named if not any(word == verb for verb in verbs)]
    return bool(verbs) and bool(find_named(others, text))


def says_bare_act(text: str, todo: str) -> bool:
    """Whether a text says nothing but that one did to oneself what was to be done: "ya me empadroné"."""
    verb = todo.partition(" ")[0].lower()
    acted = {word.lower() for word in _words(text) if is_act(word, verb)}
    is_reflexive = _REFLEXIVE.search(verb) is not None and tells_of_oneself(text)
    return is_reflexive and bool(acted) and not named_words(text) - acted


def names_act(text: str, todo: str) -> bool:
    """Whether a text has the todo's verb in its past, whatever else it names: „Ich hab gekündigt“."""
    ends = _list_ends(without_times(todo))
    return tells_of_oneself(text) and any(is_act(word, verb) for word in _words(text) for verb in ends)


def names_matter(todo: str, text: str) -> int:
    """How much a text names of what a todo is about, its verb aside; 0 where that is little."""
    plain = without_times(todo)
    verb = _list_ends(plain)[-1 if has_verb_last(todo) else 0 :][:1]
    named = named_words(plain) - set(verb)
    found, first = find_named(named, text), next((word for word in _words(plain) if word in named), "")
    least = len(named) / 3 if first in found else len(named) / 2 + 1  # what is to be done, before for whom
    return len(found) if len(found) >= least else 0


def is_settled(text: str, todo: str) -> bool:
    """Whether a text says that what was to be sent or handed in is on its way, or there; or that somebody is what they
    were to have themselves be: "we're registered at the practice".
    """
    clause = without_opener(text)
    act, _, what = todo.lower().partition(" ")
    of_us, we_are = _OF_US.match(todo), _WE_ARE.match(clause)
    if of_us and we_are and is_act(we_are["done"], of_us["act"]):
        return True
    gone = _GONE.match(clause) if act in _SENDING else None
    return gone is not None and bool(find_named(named_words(what), gone["what"]))


def tells_own_act(text: str, todo: str) -> bool:
    """Whether somebody says, without a time, that they themselves did just that, by all that the todo names."""
    plain = without_times(todo)
    if tells_caused(text, todo):
        return without_times(text) == text
    if not tells_of_oneself(text) or not says_done(text, todo) or not _is_timeless(text):
        return False
    acted = {word for word in named_words(plain) if any(is_act(one, word) for one in _words(text))}
    return share_named(named_words(plain) - acted, text) == 1


def _is_timeless(text: str) -> bool:
    """Whether a text names no time, but for one that is over: "la semana pasada"."""
    rest = _LONG_PAST.sub("", text)
    return without_times(rest) == rest


def tells_caused(text: str, todo: str) -> bool:
    """Whether somebody says that they had done just what they were to have done: "had Anwen's eyes tested"."""
    act, had = _CAUSED.match(without_times(todo)), _HAD.match(without_opener(text))
    if act is None or had is None:
        return False
    what, found, _ = had["rest"].lower().partition(f" {act['done'].lower()}")
    at_most = len(act["what"].split()) + 1  # "had planned to have it tested" says something else
    named = named_words(act["what"])
    return bool(found and named) and len(what.split()) <= at_most and share_named(named, what) == 1


def tells_of_oneself(text: str) -> bool:
    """Whether somebody tells what they did themselves: "I got bread", "hab angerufen", "ho preso"."""
    clause = without_opener(text)
    if (own := _OF_ENGLISH.match(clause)) and (own["verb"] in _PAST or own["verb"].endswith("ed")):
        return True
    return (_OF_MINE.match(clause) or _OF_MINE_BEHIND.match(clause)) is not None


def is_done_for_me(text: str, todo: str) -> bool:
    """Whether somebody else has done for the speaker all that the todo names."""
    if not _FOR_ME.search(text) or not says_done(text, todo):
        return False
    acted = {word for word in named_words(todo) if any(is_act(one, word) for one in _words(text))}
    return share_named(named_words(without_times(todo)) - acted, text) == 1


def is_others_act(text: str, todo: str) -> bool:
    """Whether whom, or what, the todo names does something itself: "Grandma called" of "Call Grandma". That is the
    todo's own matter only where they are to be brought to do it.
    """
    if _CAUSING.match(todo):
        return False
    clause, named = without_opener(text), named_words(todo)
    has = _HAS_ACTED.match(clause)
    if has and find_named({has["who"].split()[-1].lower()}, todo):
        return True
    acted = _ACTED.match(clause)
    if acted is None or not find_named(named, acted["who"].split()[-1]):
        return False
    verb, is_named = (
        acted["verb"].lower(),
        acted["who"] in _WORD.findall(todo)[1:] and acted["who"][0].isupper(),
    )
    did = verb in _PAST or verb.endswith("ed")
    return (did and bool(is_named or acted["determiner"] or acted["whom"])) or bool(_HE_DID.match(verb))


def _is_participle(past: str, infinitive: str) -> bool:
    """A German one: "aufgeräumt" of "aufräumen"; one without its "ge-" differs only at its end."""
    stem = _INFINITIVE.sub("", infinitive)
    if len(stem) < MIN_STEM or stem == infinitive or not past.endswith(("t", "en")):
        return False
    bare = [past, *(past[: at.start()] + past[at.end() :] for at in re.finditer("ge", past))]
    return any(word in (f"{stem}t", f"{stem}et", f"{stem}en") for word in bare[1:]) or past == f"{stem}t"


def _list_ends(todo: str) -> list[str]:
    """Where its verb stands: first, or last in German."""
    found = _words(todo)
    return [found[0], found[-1]] if found else []


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
