"""That the speaker begins to work elsewhere or leaves, told before the day comes: "From 1 April I'm at the hospital".

The reader barely sees that another job begins where an old one isn't named, so verbs are read by rule, in five
languages, and only what it takes for work counts. Until the day both are told; then the older one is over.
"""

from __future__ import annotations

import re
from datetime import date

from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import Sentence
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.dates import find_due
from nebo.reading.wording.adding import is_at_times, is_on_the_side
from nebo.reading.wording.names import names_of
from nebo.reading.words.pauses import split_at_pauses

WORK = (
    "work",
    "education",
    "project",
)  # slots of where somebody works; a school or a museum may be any of them
WORKS = 0.4  # chance of one of them, from which a beginning is one of work
LEAVES = 0.4  # chance of work from which leaving is leaving that
DOUBT = 0.5  # chance of supposing, asking, quoting or joking, from which nobody has resigned
FREE_TIME = ("habit", "hobby", "health", "diet", "skill", "travel", "taste")
RATHER = 0.25  # the same, where nothing else is likelier
FAR_AHEAD = 300  # days; nobody hands in their notice so early: a day without its year has just been
IDLE = 0.2  # chance of one of those, up to which it may be work

_AT = r"(?:at|with|for|as|in)\b"
_SPAN = r"[^,!?]{2,25}?"  # a day, or a month
# Beginnings, by language.
_BEGINS = re.compile(
    "|".join(
        (
            r"\b(?:(?:i|i['’]m|i['’]ll be|im|will) |^)(?:start|starting|start working|start work|begin|joining)"
            rf" (?:(?:a|my) new job )?{_AT}",
            rf"\bi join\b|\b(?:from|as of|as from|starting) {_SPAN} (?:on )?i(?:['’]?m| am|['’]ll be) (?:{_AT})?",
            # "start the 28th of June, trainee nurse", „Start 1. November, Hauswart im Schulhaus“
            rf"(?:^|[.!] )(?:i )?start(?:ing)? (?:on )?(?:the )?\d{{1,2}}(?:st|nd|rd|th)[^,.!?]{{0,15}},?"
            rf" (?:{_AT} )?[a-z]",
            r"(?:^|[.!] )(?:ich )?start(?:e|et)? (?:(?:ist )?am |ab )?\d{1,2}\. ?\w+,? (?:als |bei )?\w",
            r"\bgot (?:the|a|that|this) [^,.!?]{0,40}?\bjob\b(?! done)",
            r"\b(?:my|a) new job (?:is |starts )?(?:at|with|as)\b",
            r"\b(?:i['’]ve been|i was|i got) (?:hired|taken on)\b|\btook me on\b",
            rf"\bab {_SPAN} (?:arbeite|bin|unterrichte|fange?|starte|beginne) ich\b",
            rf"\bab {_SPAN} mache? ich [^.!?]{{0,12}}(?:ausbildung|lehre|umschulung)",
            r"\bich (?:fange?|starte|beginne) [^.!?]{2,50}\b(?:bei|beim|als)\b",
            r"\bhabe? (?:ab [^,.!?]{2,20} )?(?:den|einen|nen|die|eine) [^,.!?]{0,30}?(?:job|stelle)\b",
            r"\b(?:empiezo|empezaré|entro|entraré) (?:el [^,.!?]{2,18}? )?(?:a trabajar )?(?:en|con|como|de)\b",
            r"\b(?:voy a trabajar|trabajaré)\b",
            r"\bme han (?:contratado|cogido)\b",
            r"\bme (?:ha salido|salió) (?:un )?(?:trabajo|curro|laburo)\b",
            r"\b(?:he encontrado|encontré|conseguí|he conseguido) (?:un )?(?:trabajo|curro|laburo)\b",
            r"\bje commence(?:rai)? (?:à travailler )?(?:chez|à|dans|comme)\b|\bje rejoins\b",
            r"(?:\bj['’]ai été|\bon m['’]a) embauchée?\b",
            r"\bj['’]ai (?:trouvé|décroché) un (?:nouveau )?(?:travail|boulot|poste|job)\b",
            r"\b(?:inizio|comincio|inizierò|comincerò) (?:a lavorare )?(?:in|al|alla|da|come|presso)\b",
            r"\bmi hanno assunt[oa]\b",
            r"\bho trovato (?:un )?(?:nuovo )?(?:lavoro|posto)\b",
        )
    ),
    re.IGNORECASE,
)
# A job that has begun already, so that the one before it is over.
_BEGAN = re.compile(
    "|".join(
        (
            r"(?:^|[.!,] |\bi |\bi['’]ve )(?:and |so )?(?:just |now |finally |officially )*started"
            r" (?:work |working |my new job )?(?:(?:on |last |this |in )[^,.!?]{2,20}? )?(?:at|with|as an?|for)\b",
            r"\bhabe? (?:ich )?(?:[^,.!?]{2,25} )?(?:bei|beim|als|im|in der) [^,.!?]{2,40} angefangen\b",
            r"\b(?:he empezado|empecé|he entrado|entré) (?:el [^,.!?]{2,18}? )?(?:a trabajar )?(?:en|con|como|de)\b",
            r"\bj['’]ai commencé (?:à travailler )?(?:chez|dans|comme)\b",
            r"\bho (?:iniziato|cominciato) (?:a lavorare )?(?:come|presso|alla?|da)\b",
        )
    ),
    re.IGNORECASE,
)
# What is begun is work by its name, whatever else the sentence seems to be about.
_A_JOB = re.compile(
    r"\b(?:job|stelle|trabajo|curro|laburo|travail|boulot|poste|lavoro|contratado|embauchée?|assunt[oa]|hired)\b",
    re.IGNORECASE,
)
_LEAVES = re.compile(
    "|".join(
        (
            r"\bhanded in my notice\b|\b(?:gave|given|giving) (?:in )?(?:my )?notice\b"
            r"|\bmy last (?:\w+ )?(?:day|shift|week)\b|(?:^|, )last (?:\w+ )?shift (?:is|will be)\b"
            r"|(?:^|, )last day (?:in|at|on|with|for) (?:the|my)\b",
            r"\bi(?:['’]m| am)? (?:quit|quitting|leaving|resigning|resigned)\b",
            r"\bich (?:höre?|gehe?|kündige?) [^.!?]{0,40}|\bich habe? gekündigt\b|\bmein letzter (?:arbeits)?tag\b"
            r"|\bhabe? ich (?:[^,!?]{0,25} )?(?:gekündigt|geschmissen|hingeschmissen)\b",
            r"\b(?:dejo|dejaré) (?:el|la|mi)\b|\brenuncié\b|\bmi último día\b",
            r"\bje (?:quitte|démissionne)\b|\bj['’]ai démissionné\b|\bmon dernier jour\b",
            r"\b(?:cierro|cerramos|chiudo|chiudiamo|je ferme|on ferme|ich schließe|wir schließen) "
            r"(?:(?:el|la|mi|il|le|mon|ma|das|den|die|mein\w*) |l['’])?\w+",
            r"\b(?:lascio|lascerò) (?:il|la|lo)\b|\bmi licenzio\b|\bil mio ultimo giorno\b",
        )
    ),
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\b(?:handed in their notice|gave (?:in )?(?:their )?notice|(?:has |have )?(?:quit|resigned|left)\b)"
)
# A last day that is over already, whichever day that was.
_WAS = re.compile(r"\b(?:was|were|war|fue|era|était|è stato)\b", re.IGNORECASE)
_LAST_DAY_WAS = re.compile(
    r"\b(?:last (?:day|shift) (?:in|at|on|with|for) (?:the|my)\b[^,.!?]{0,30}? was"
    r"|letzter (?:arbeits)?tag\b[^,.!?]{0,30}? war"
    r"|war mein letzter (?:arbeits)?tag|último día [^,.!?]{0,40}? fue|fue mi último día)\b",
    re.IGNORECASE,
)
# What one does beside or after a job: an office in a club, help for nothing.
_UNPAID = re.compile(
    r"\b(?:club|society|choir|parish|council|committee|volunteer\w*|unpaid|Verein|Chor|ehrenamtlich\w*|asociación"
    r"|voluntari[oa]|association|bénévole|associazione|volontari[oa])\b",
    re.IGNORECASE,
)
_NO_JOB = re.compile(
    r"\b(?:gym|yoga|pilates|class(?:es)?|courses?|lessons?|physio|therapy|training|fitnessstudio|studio|kurs\w*|sport"
    r"|gimnasio|clases?|curso|salle|cours|palestra|corso)\b",
    re.IGNORECASE,
)
# That no work is left: it holds from when it is said.
_RETIRED = re.compile(
    r"\bi(?:['’]m| am|['’]ve| have) (?:now |officially |finally |just )*retired\b"
    r"|\bich bin (?:(?:jetzt|nun|endlich|seit \w+) )*(?:Rentner(?:in)?|in Rente|pensioniert|im Ruhestand)\b"
    r"|\b(?:(?:ya )?estoy jubilad[oa]|(?:ya )?me he jubilado|me jubilé)\b|\bje suis (?:à la retraite|retraitée?)\b"
    r"|\bsono (?:in pensione|pensionat[oa])\b",
    re.IGNORECASE,
)
# That the speaker has given up a job, on no day to come: „Ich habe gekündigt“ may be said of a contract.
_RESIGNED = re.compile(
    r"\bi(?:['’]ve| have)?(?: just| now| finally)* (?:resigned|quit (?:my|the) job|quit work"
    r"|left (?:my|the) (?:\w+ )?(?:company|firm|agency|job|practice)"
    r"|(?:packed|jacked|chucked) (?:in (?:my job|work|\w+ing)|(?:my job|work|it all|\w+ing) in))\b"
    r"|\bich habe? gekündigt\b|\bhabe? ich (?:[^,!?]{0,25} )?(?:gekündigt|geschmissen|hingeschmissen)\b"
    r"|\bich habe? (?:den job|meinen job|meine (?:stelle|arbeit)) (?:gekündigt|geschmissen|hingeschmissen)\b"
    r"|\b(?:he renunciado|renuncié)\b(?! a (?!mi\b))|\b(?:he dejado|dejé) (?:el|mi) (?:trabajo|curro|laburo|puesto)\b"
    r"|\bj['’]ai (?:démissionné|quitté mon (?:travail|boulot|poste|job))\b"
    r"|\bmi sono (?:licenziat[oa]|dimess[oa])\b|\bho lasciato il (?:lavoro|posto)\b",
    re.IGNORECASE,
)
# From when on, as the day itself is told, or the month: "on 1 April", „im Oktober“.
_FROM = re.compile(
    r"\b(?:from|as of|as from|ab(?: dem)?|desde(?: el)?|a partir (?:del?|de)|à partir (?:du|de)|dès(?: le)?|dal"
    r"|a partire da)\s+"
    r"(?=\d|[A-Za-zÀ-ÿ])",
    re.IGNORECASE,
)
_ON = ("on ", "in ", "am ", "im ", "el ", "en ", "le ", "il ", "a ")
# Where somebody works, in what is known: "at a comp in Ludlow", „bei der KVG“, „im Klinikum“, "en el despacho Lacasa".
# Not "in Leeds": another firm may be there, too.
# "so the workshop closes at the end of June", „die Werkstatt macht im Juni zu“.
_CLOSES = re.compile(
    r"\b(?:the|my|our|die|der|das|mein\w*|el|la|mi|le|mon|ma|il|lo) (?P<what>[^\W\d_]{3,})"
    r" (?:closes|is closing|will close|shuts(?: down)?|is shutting(?: down)?|schließt|macht (?:[^,.;]* )?(?:zu|dicht)"
    r"|cierra|ferme|chiude)\b",
    re.IGNORECASE,
)
_WORKPLACE = re.compile(
    r"\b(?:at|for|with|bei|beim|an|am|für|en el|en la|en un|en una|para|chez|pour|au|à la|presso|alla|al|per"
    r"|im|nel(?:la|lo)?|(?:in|dans) (?:an?|the|der|einer|einem|'?ne[mr]|une?|les?|la|un[ao]?))\b \w"
    r"|\b(?:nell|all|dans l|à l)['’]\w"
    r"|\bon (?:an?|the|our) (?:\w+ ){0,2}(?:ship|boat|ferry|trawler|rig|farm|ward|site|train)\b"
    r"|\bauf (?:einem|'?nem|einer|dem|der) \w"
    r"|\ben un (?:\w+ )?(?:barco|buque)\b"
    r"|\bin (?:banca|ufficio|fabbrica|ospedale|comune|negozio|farmacia|posta|biblioteca)\b",
    re.IGNORECASE,
)
_TEACHES = re.compile(
    r"\b(?:teach\w*|unterricht\w*|lehr\w*|enseñ\w*|doy clases|enseign\w*|insegn\w*)\b", re.IGNORECASE
)


def find_change_of_work(sentence: Sentence, on: date) -> date | None:
    """The day from which the speaker works elsewhere or no longer where they did, if a sentence tells one; `on` is the
    day it was said. A month alone begins on its first day.
    """
    if sentence.meaning.is_of_another() or is_on_the_side(sentence.text):
        return None
    if retires(sentence) or _resigns(sentence) or _has_begun(sentence):
        return on
    if not _is_of_work(sentence):
        return None
    if not _BEGINS.search(sentence.text) and _WAS.search(sentence.text):
        return on if _LAST_DAY_WAS.search(sentence.text) else None
    found = (find_due(_FROM.sub(on_a_day, sentence.text), on) for on_a_day in _ON)
    when = next(filter(None, found), None)
    day = (when.day or (when.due.replace(day=1) if when.due else None)) if when else None
    return on if day and (day - on).days > FAR_AHEAD and _LEAVES.search(sentence.text) else day


def _has_begun(sentence: Sentence) -> bool:
    """Whether the speaker says that they have begun to work somewhere."""
    meaning, text = sentence.meaning, sentence.text
    unsure = max(meaning.chances[kind] for kind in ("supposed", "question", "quoted", "joking"))
    is_told = _BEGAN.search(text) is not None and unsure < DOUBT and not denies(text)
    if _UNPAID.search(text) or _NO_JOB.search(text):
        return False
    return is_told and _sum(meaning, FREE_TIME) <= IDLE and meaning.slots["work"] >= LEAVES


def retires(sentence: Sentence) -> bool:
    """Whether the speaker says that they work no longer at all."""
    return _RETIRED.search(sentence.text) is not None and not denies(sentence.text)


def _resigns(sentence: Sentence) -> bool:
    """Whether the speaker says that they have given up a job, and names no day from which."""
    meaning = sentence.meaning
    told = next(
        (one for one in split_at_pauses(sentence.text) or [sentence.text] if _RESIGNED.search(one)), ""
    )
    unsure = max(meaning.chances[kind] for kind in ("supposed", "question", "quoted", "joking"))
    is_over = bool(told) and not (denies(told) or tells_ahead(told) or _BEGINS.search(told))
    return is_over and _is_rather_of_work(meaning) and unsure < DOUBT


def is_own_work(known: str, slot: str, *, all_of_it: bool = False) -> bool:
    """Whether what is known is where its person works, by its slot and words; what they are without a place isn't over
    with a job, but with `all_of_it`.
    """
    if _LEAVES.search(known) or _LEFT.search(known) or _RETIRED.search(known) or tells_ahead(known):
        return False
    if _UNPAID.search(known):
        return False
    of_work = slot == "work" or (slot in WORK and _TEACHES.search(known) is not None)
    placed = all_of_it or _WORKPLACE.search(known) is not None
    return of_work and placed and not is_at_times(known) and not is_on_the_side(known)


def names_the_same(known: str, stated: str) -> bool:
    """Whether a name of what is known stands in what begins: who becomes head of their own school stays there."""
    said = stated.lower()
    return any(name.lower() in said for name in names_of(f"… {known}"))


def names_what_closes(known: str, sentence: Sentence) -> bool:
    """Whether a sentence names what is known and says that it closes: "cierro el bar", of who runs one; "…, so the
    workshop closes in June".
    """
    if closing := find_closing(sentence):
        return bool(stems(closing) & stems(known))
    return _LEAVES.search(sentence.text) is not None and bool(stems(known) & stems(sentence.text))


def find_closing(sentence: Sentence) -> str:
    """What a sentence says closes, by its noun; empty where nothing does."""
    closes = _CLOSES.search(sentence.text)
    return closes["what"] if closes else ""


def begins(sentence: Sentence) -> bool:
    """Whether it tells of something that begins, and not only of what ends."""
    return _BEGINS.search(sentence.text) is not None or _BEGAN.search(sentence.text) is not None


def _is_of_work(sentence: Sentence) -> bool:
    text, meaning = sentence.text, sentence.meaning
    if _sum(meaning, FREE_TIME) > IDLE:
        return False
    if begun := _BEGINS.search(text):
        return _sum(meaning, WORK) >= WORKS or _A_JOB.search(begun[0]) is not None
    return _LEAVES.search(text) is not None and meaning.slot == "work" and meaning.slot_chance >= RATHER


def _is_rather_of_work(meaning: Meaning) -> bool:
    work = meaning.slots["work"]
    return work >= (RATHER if meaning.slot == "work" else LEAVES)


def _sum(meaning: Meaning, slots: tuple[str, ...]) -> float:
    return sum(meaning.slots[slot] for slot in slots)
