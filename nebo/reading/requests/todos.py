"""What somebody still has to do, in their own words: "I still need to call the vet tomorrow" gives "Call the vet".

That a sentence says so is known by its meaning; rules find what stands before the act, and the day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from nebo.reading.meaning.conditions import has_condition
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.requests.french_acts import is_led_by_that, to_infinitives
from nebo.reading.requests.listed import Listed, is_head, split_listed
from nebo.reading.requests.reminders import without_reminder
from nebo.reading.requests.several import list_acts
from nebo.reading.times.dates import TimeMention, find_due, find_when
from nebo.reading.wording.covering import language_of
from nebo.reading.wording.named_thing import name_thing
from nebo.reading.words.openers import without_opener

TodoKind = Literal["commitment", "habit", "thread", "friction"]
TODO_KINDS: tuple[TodoKind, ...] = ("commitment", "habit", "thread", "friction")
DATED: tuple[TodoKind, ...] = ("commitment", "thread")  # the others are never over on a day
NOT_MEANT: tuple[Kind, ...] = ("quoted", "supposed", "joking")
DOUBT = 0.5  # chance of one of those from which nothing is to be done
LED_CHANCE = 0.25  # chance of a todo that is enough in words that lead up to one ("I have to …")
LED_COMMITMENT = 0.75  # chance, with it, that it is a single thing rather than a habit or a topic
ONE_MORE = 0.95  # the same of one more errand, told by its verb alone
ANY_DAY = date(2000, 1, 1)  # where only the words of a day count, not which it is
MIN_CHARS = 4  # characters of an act; less is a stump

_ADVERBS = (
    "still|really|also|just|definitely|finally|probably|absolutely|urgently|yet|again|please"
    "|noch|unbedingt|dringend|endlich|auch|mal|ja|bitte|wirklich|heute|dann|jetzt|todavía|aún|también"
    "|encore|absolument|vraiment|aussi|enfin|ancora|assolutamente|proprio|anche|pure"
)
_ADVERB = rf"(?:\s+(?:{_ADVERBS}))*"
# What stands before the act, a way of saying it each; `~` is for adverbs.
_LEADS = """
(?:I|we)~ (?:need|have|got|ought|want|promised|intend|plan|aim|mean)~ to
(?:I|we)(?:'ve| have)~ (?:got|promised)~ to
(?:I|we)'ve~ to
(?:I|we)~ (?:must|should|shall|will|gotta|wanna)~(?: have to)?
(?:I|we)'?(?:ll|d better| had better)~(?: (?:have|need) to)?
(?:I|we)(?:'m| am|'re| are|m)?~ (?:going to|gonna|meant to|supposed to|trying to)
(?:I )?keep (?:meaning|forgetting) to
(?:(?:got|have|need|want|ought) to|gotta|must|should)~
(?:don't let me|help me not to|I (?:must|should)n't|I can't) forget (?:to|about|that I (?:need|have) to)
(?:(?:can|could|would|will) you )?(?:remind|nudge|ping) me(?: again)? (?:to|about|(?:that )?I (?:need|have|'ve got) to)
help me remember to
(?:I )?(?:must|should|need to|have to) remember to
(?:to-?do|task|reminder|note to self|action item)s? ?[:–-]
(?:ich|wir) (?:muss|müssen|sollte|soll|sollten|will|wollte|möchte|werde|habe? vor)~ ?,?
(?:muss|müsste|sollte|wollte)(?: ich)?~:?
(?:(?:kannst|könntest) du mich (?:bitte )?)?erinner(?:e|n)?(?: mich)?(?: bitte)?(?: daran)?(?:,? dass ich| an)
lass mich nicht vergessen, ?(?:dass ich)?
(?:nicht vergessen|zu erledigen|aufgabe) ?[:,–-]
(?:todavía |aún |también )?(?:yo )?(?:tengo|tenemos|hay|habrá|tendría|tendré)~ que
(?:todavía |aún )?(?:debo|debería|he de|necesito|quiero|voy a|me falta|me toca|quedé en|he quedado en|prometí)~
(?:todavía |aún )?(?:me queda(?: por)?|tengo pendiente)
(?:que )?no (?:se )?me (?:vaya a )?olvid(?:e|ar)
(?:recuérdame|recordame|acuérdame|avísame|acordate)(?: (?:de|que (?:tengo que|debo)))?
(?:je|j'|on|nous)~ ?(?:dois|doit|devons|devrais|vais|veux|voudrais|ai promis d[e']|me suis engagée? à)~
(?:il )?(?:faut|faudra|faudrait)~ (?:que (?:je|j'|nous|on)|absolument)
(?:il )?(?:me )?reste (?:encore )?(?:à|plus qu'à)
(?:(?:peux-tu|tu peux|pourrais-tu) )?(?:me )?rappel(?:le|er)(?:-moi)? (?:de|d'|que je dois)
(?:n'?|ne me laisse pas )oublie(?:r)?(?: pas)? (?:de|d')
(?:io )?(?:devo|dobbiamo|dovrei|dovrò|voglio|vorrei|ho promesso di|ho da|bisogna(?: che)?)~
(?:mi tocca|mi manca da|mi resta da|c'è da)~
(?:mi )?(?:devi|puoi|potresti) ricordar(?:e|mi)(?: (?:di|che devo))?
(?:ricordami|ricordarmi|mi ricordi|non farmi (?:dimenticare|scordare))(?: (?:di|che devo))?
"""
_EVERY_LEAD = "|".join(_LEADS.strip().splitlines()).replace("~", _ADVERB)
_LEAD = re.compile(
    rf"(?:(?:still|also|just|then|noch|todavía|aún|encore|ancora)\s+)?(?:{_EVERY_LEAD})(?:\s+|(?<=[':,–-])\s*)"
    r"(?:(?:remember|not forget) to\s+)?",
    re.IGNORECASE,
)
# "… and book a removal van": what people do for themselves, and ask of no assistant.
_ONE_MORE = re.compile(
    r"(?:(?:oh|then),? )?(?:and |also |plus )+(?:book|buy|ring|phone|collect|pick up|pay|hire|return|renew|post|order"
    r"|cancel|wash|fetch|mend|hoover|iron|drop off) (?:the|an?|my|our|some|for|\w+['’]s|\d+|new)\b",
    re.IGNORECASE,
)
# "Book the ferret a vet appointment lol no that's Priscilla's job"
_TAKEN_BACK = re.compile(
    r"\bno,? (?:wait,? )?(?:that['’]?s|it['’]?s) (?:not (?:me|mine|my)|[\w'’]+ (?:job|turn|problem|thing))\b",
    re.IGNORECASE,
)
# What is to be done is named before it.
_DO_IT = re.compile(
    r"\b(?:do (?:it|that|this|so)|get (?:it|that) done|(?:es|das) (?:zu )?(?:machen|erledigen)|hacerlo|hazlo|le faire"
    r"|farlo)\b",
    re.IGNORECASE,
)
# In German the verb that leads up to an act may stand behind it („dass ich … abgeben muss“) or within („X muss ich …“).
_BEHIND = re.compile(
    r"\s+(?:muss|müssen|soll|sollen|sollte|sollten|will|wollen|wollte|möchte)$", re.IGNORECASE
)
_WITHIN = re.compile(
    r"(?P<what>[^,;]+?) (?:muss|müssen|sollte|sollten|soll|sollen) (?:ich|wir)"
    r"(?: (?:noch|auch|mal|unbedingt|dringend|endlich|ja|dann|jetzt|wirklich|bitte))* (?P<act>[^,;]+)",
    re.IGNORECASE,
)
# "I'll be off for six weeks" tells what is to come, and is nothing to do.
_WILL_BE = re.compile(
    r"(?:and |but |so )?(?:I|we)(?:['’]ll| will|['’]m going to|['’]re going to) be\b(?! sure to)",
    re.IGNORECASE,
)
# "Did my knee in at football, so I'm out till June": what somebody did, without the "I".
_DID = re.compile(
    r"(?:(?:and|but|so|then|just|oh)\s+)*(?:did|had (?!better|to\b)|went|was|broke|came|lost|found|took|made|saw|met"
    r"|hurt|tore|twisted|pulled|sprained|finished|started|signed|booked|called|moved)\s(?:my|the|our|an?|to"
    r"|into|back|up)\b",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"\s*[,;]\s+(?:(?:and|und|y|et|e)\s+)?(?:also\s+|then\s+)?|\s+(?:and|und|y|et|e)\s+(?:also\s+|then\s+)?",
    re.IGNORECASE,
)
_EDGE = " \t,.;:!?…–—-*"
_DANGLING = re.compile(
    r"\s+(?:on|by|at|until|till|for|before|in|am|bis|um|für|vor|zum|el|para|antes de|en|a|le|pour"
    r"|avant|d'ici|il|per|entro)$",
    re.IGNORECASE,
)
# What is only said beside it: "…, merk dir das", "…, frist ist der", whose day is cut out.
_ASIDE = re.compile(
    r"\s*[,;]\s*(?:(?:(?:die )?frist|deadline|abgabe|it['’]?s due|due|fällig|vence)"
    r"(?: (?:is|ist|was|war|es|der|the|el|am|on))*|sometime|irgendwann"
    r"|(?:bitte )?merke? dir das|schreib (?:das|es|dir das) auf|vergiss das nicht|no lo olvides|apúntalo"
    r"|(?:please |pls )?(?:keep|put) (?:that|it) on (?:the|my) list)$",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"[\s,]+(?:please|pls|thanks|thank you|bitte|danke|por favor|gracias|s'il te plaît|stp|merci|per favore|grazie)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FoundTodo:
    """Something open, what kind of thing it is, and the day by which it is to be done."""

    text: str
    kind: TodoKind
    due: date | None = None


def find_todos(sentence: Sentence, on: date) -> list[FoundTodo]:
    """What a sentence surely says is still to be done, each thing by itself; `on` is the day it was said.

    A day is that of all of them, but for those that name their own.
    """
    sentence = replace(sentence, text=without_reminder(sentence.text))
    if listed := _find_listed(sentence):
        return [_of_list(act, listed.head, on) for act in listed.acts]
    if apart := _part_led(sentence):
        return [todo for one in apart for todo in find_todos(one, on)]
    whole = find_todo(sentence, on)
    acts = list_acts(whole.text, sentence.text, led=is_led(sentence.text)) if whole else []
    if whole is None or len(acts) == 1:
        return [whole] if whole else []
    return [_apart(act, whole, on) for act in acts]


def _find_listed(sentence: Sentence) -> Listed | None:
    """Several things behind a colon, of which the words before it say that they are to be done."""
    if not is_meant(sentence.meaning) or "?" in sentence.text:
        return None
    listed = split_listed(without_opener(sentence.text.strip(_EDGE)))
    return listed if listed and (is_head(listed.head) or _is_lead(listed.head)) else None


def _is_lead(words: str) -> bool:
    return _LEAD.fullmatch(f"{words.replace('’', chr(39))} ") is not None


def _of_list(act: str, head: str, on: date) -> FoundTodo:
    """Due by the day that it names itself, or else by the one before the colon."""
    when = find_due(act, on)
    for_all = None if when else find_due(head, on)
    bare = _trim(_cut(act, when) if when else act)
    return FoundTodo(bare, "commitment", when.due if when else for_all.due if for_all else None)


def _part_led(sentence: Sentence) -> list[Sentence]:
    """Two clauses of which the second is led up to by itself: "Ed needs new boots by Monday, and I have to call the
    garage". What stands before counts by its own meaning alone.
    """
    text = sentence.text
    if not is_meant(sentence.meaning) or has_condition(text):
        return []
    pause = next((one for one in _NEXT.finditer(text) if one.start() and is_led(text[one.end() :])), None)
    if pause is None:
        return []
    left, right = text[: pause.start()], text[pause.end() :]
    right = name_thing(left, right)
    if _DO_IT.search(right):  # "The tax still isn't paid, remind me to do it" is one thing
        return []
    alone, whole = read_sentence(left), sentence.meaning
    may_be = alone.chances["todo"] >= LED_CHANCE or find_due(left, ANY_DAY) is not None
    begins = whole if whole.is_sure("todo") and may_be else alone
    return [
        Sentence(left, sentence.start, sentence.end, begins),
        Sentence(right, sentence.start, sentence.end, read_sentence(right)),
    ]


def _apart(act: str, whole: FoundTodo, on: date) -> FoundTodo:
    when = find_due(act, on) if whole.kind in DATED else None
    return FoundTodo(_trim(_cut(act, when) if when else act), whole.kind, when.due if when else whole.due)


def find_todo(sentence: Sentence, on: date) -> FoundTodo | None:
    """All of that as one."""
    meaning = sentence.meaning
    if not _says_so(sentence) or not is_meant(meaning) or _TAKEN_BACK.search(sentence.text):
        return None
    kind = kind_of(meaning)
    when = find_due(sentence.text, on) if kind in DATED else None
    act = act_of(sentence.text, when)
    return (
        None
        if _breaks_off(sentence.text, act) or _WILL_BE.match(sentence.text) or _DID.match(sentence.text)
        else FoundTodo(act, kind, when.due if when else None)
    )


def _breaks_off(text: str, act: str) -> bool:
    """Whether somebody stops before the verb, which in German comes last: „Ich muss noch einen Nachmieter...“"""
    ends_open = text.rstrip().endswith(("...", "…"))
    return ends_open and language_of(text) == "de" and act.rsplit(" ", 1)[-1][:1].isupper()


def _says_so(sentence: Sentence) -> bool:
    """By its meaning alone; or by less of it, where it begins as an undertaking does and names one thing to do."""
    meaning = sentence.meaning
    if meaning.is_sure("todo"):
        return not meaning.is_sure("done")
    if _lists_errands(sentence):
        return True
    led = is_led(sentence.text)
    if (
        led and meaning.is_sure("remember") and find_due(sentence.text, ANY_DAY)
    ):  # "remind me of …, it's due on 3 May"
        return not meaning.is_sure("question")
    likely = meaning.chances["todo"] >= LED_CHANCE and meaning.slots.get("commitment", 0.0) >= LED_COMMITMENT
    return led and likely and not meaning.is_sure("question")


def _lists_errands(sentence: Sentence) -> bool:
    """Whether it lists several things to do, or one more behind others: "order new menus, have the boiler looked at";
    "and book a removal van".
    """
    meaning, bare = sentence.meaning, sentence.text.strip(_EDGE)
    commitment = meaning.slots.get("commitment", 0.0)
    if commitment < LED_COMMITMENT or meaning.is_sure("question"):
        return False
    if _ONE_MORE.match(bare):
        return meaning.chances["request"] < DOUBT and commitment >= ONE_MORE
    several = len(list_acts(act_of(bare, None), bare)) > 1
    return several and (is_led(bare) or meaning.chances["todo"] >= DOUBT)


def find_led_act(sentence: Sentence) -> str:
    """What words lead up to that is meant, whether or not its meaning says that it is still to be done; else empty."""
    meaning = sentence.meaning
    is_task = is_led(sentence.text) and is_meant(meaning)
    if not is_task or meaning.is_sure("question") or meaning.is_sure("done"):
        return ""
    return act_of(sentence.text, find_due(sentence.text, ANY_DAY))


def is_reminder(sentence: Sentence) -> bool:
    """Whether somebody asks to be reminded of something by a day, rather than to have it kept: a todo, and no note."""
    return is_led(sentence.text) and find_due(sentence.text, ANY_DAY) is not None


def is_led(text: str) -> bool:
    """Whether words lead up to something to do: "remind me to", "I still have to"."""
    return _LEAD.match(without_opener(text.strip(_EDGE)).replace("’", "'")) is not None


def is_meant(meaning: Meaning) -> bool:
    """Whether it is said of the world as it is, in the person's own name."""
    return all(meaning.chances[kind] < DOUBT for kind in NOT_MEANT)


def kind_of(meaning: Meaning) -> TodoKind:
    """The likeliest of the four."""
    return max(TODO_KINDS, key=lambda kind: meaning.slots.get(kind, 0.0))


def act_of(text: str, when: TimeMention | None) -> str:
    """The words without what stands before the act, and without the day; a sentence in which none is known as it is."""
    bare = _cut(text, when) if when else text
    words = _without_first_time(without_opener(bare.strip(_EDGE)))
    lead = _LEAD.match(words.replace("’", "'"))
    if lead and len(words) - lead.end() >= MIN_CHARS:
        act = words[lead.end() :]
        if is_led_by_that(lead[0]):
            return _trim(to_infinitives(act))
        return _trim(_BEHIND.sub("", act) if lead[0].lower().rstrip().endswith("dass ich") else act)
    if within := _WITHIN.fullmatch(words):
        return _trim(f"{within['what']} {within['act']}")
    return _trim(bare if when and _is_at_edge(text, when) else text)


def _without_first_time(words: str) -> str:
    """Without another time that words lead up to the act behind: "next week I have to …"."""
    first = find_when(words, ANY_DAY)
    rest = words[first.end :].lstrip(" ,") if first and first.start == 0 else ""
    return rest if rest and _LEAD.match(rest.replace("’", "'")) else words


def _is_at_edge(text: str, when: TimeMention) -> bool:
    """Whether a day can be taken out of one plain clause; one by which something is due may stand within it."""
    if when.bound in ("by", "before") and "," not in text:
        return True
    return "," not in text and not (text[: when.start].strip(_EDGE) and text[when.end :].strip(_EDGE))


def _cut(text: str, when: TimeMention) -> str:
    """Without the day; "tomorrow's meeting" stays as it is."""
    before, after = text[: when.start].rstrip(), text[when.end :]
    if after[:1] in ("'", "’"):
        return text
    return f"{_DANGLING.sub('', before)}{after}"


def _trim(text: str) -> str:
    words = _COURTESY.sub("", " ".join(without_opener(text.strip(_EDGE)).split())).strip(_EDGE)
    words = _ASIDE.sub("", words).strip(_EDGE)
    return words[:1].upper() + words[1:]
