"""What a message asks of the agent's manner or person, with exact positions. Nothing is decided here.

That a sentence is a wish, or takes one back, is read by meaning; what is wished for is a value where that is certain
(`nebo.reading.requests.wishes`), and else the sentence itself, in the person's words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from memories.screening.sensitive import find_sensitive, redact
from nebo.reading.meaning.kinds import OF_MANNER, Kind
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import NOTHING_READ, Reading, Sentence
from nebo.reading.meaning.sentences import list_sentences
from nebo.reading.requests.limits import is_limited
from nebo.reading.requests.vows import is_vow
from nebo.reading.requests.wishes import (
    SINGLE,
    FieldRequest,
    allows_length,
    clear_slot,
    likely_slots,
    main_slot,
    read_names,
    read_values,
    share_of,
    topic,
)
from nebo.reading.words.openers import without_opener
from personality.fields import RULES
from personality.wishes.own_news import tells_own_news, without_reason
from personality.wishes.safety import is_unsafe, is_unsafe_value, may_be_unsafe

Mode = Literal["explicit", "hedged", "passing", "reported", "hypothetical"]
WEIGHT: dict[Mode, float] = {
    "explicit": 0.95,
    "hedged": 0.60,
    "passing": 0.60,  # "keep it short" beside a piece of work may be about that alone
    "reported": 0.0,
    "hypothetical": 0.0,
}  # how much one saying of it weighs, 0 to 1
MAX_WISHES = 20  # of one message
MAX_READ_CHARS = 20_000  # characters of a message; what is longer is pasted
MAX_QUOTE_CHARS = 300  # characters; a rule in the person's own words has no more either
MAX_PLAIN_WORDS = 14  # of a wish that its value says wholly
NAMING_WORDS = 4  # of a sentence that gives a name, and can wish for nothing else
A_SECOND_MATTER = 0.4  # share of what a sentence is about, beside a name that it gives
CLEARLY_ABOUT_MANNER = 0.6  # the same, where it clearly answers a question of one answer
ABOUT_MANNER = 0.8  # chance of a wish or of taking one back, together, from which a sentence is one of them
MOSTLY_OF_MANNER = 0.5  # chance of a slot of the answers' manner from which a request is about that
DOUBT = 0.5  # chance of being somebody else's words from which nothing was asked
REMOVED = "[secret removed]"

_AND = re.compile(r"\b(?:and|but|und|aber|sondern|y|pero|sino|et|mais|e|ed|ma)\b|;|: ", re.IGNORECASE)
# An answer to something else before what is asked: "Type 2, and please no links in answers".
_ANSWERED_FIRST = re.compile(
    r"^[^,;.!?]{1,24}[,;] (?:and|und|y|et|e) (?=(?:please|bitte|por favor|s['’]il te pla[iî]t|per favore)\b)",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:always|never|from (?:now on|today|here on)|in (?:future|general)|generally|every (?:answer|reply|time)"
    r"|all your|immer|nie|künftig|zukünftig|in zukunft|ab (?:jetzt|sofort|heute)|von nun an|grundsätzlich|ever"
    r"|siempre|nunca|(?:de|desde) ahora|a partir de|en adelante|toujours|jamais|désormais|dorénavant"
    r"|à (?:partir de|l['’]avenir)|sempre|mai|in (?:poi|futuro))\b",
    re.IGNORECASE,
)


_ONCE = re.compile(
    r"\b(?:this (?:once|time)|for (?:now|today|once)|only today|dieses mal|diesmal|nur (?:heute|jetzt)|ausnahmsweise"
    r"|esta vez|por (?:hoy|ahora)|cette fois|pour (?:aujourd['’]hui|l['’]instant)|questa volta|per (?:oggi|ora))\b",
    re.IGNORECASE,
)

# Where these words begin a request, or stand right behind its verb, it is about every answer to come.
_FROM_NOW_ON = re.compile(
    r"(?:(?:please|pls|bitte|por favor|porfa|s['’]il te plaît|stp|per favore|ok(?:ay)?|hey|so|and|und|y|et|e)\b\W+)*"
    r"(?:[^\W\d_]+ ){0,2}"
    r"(?:from (?:now|here|today) on|in future(?! (?:tense|perfect))|ab (?:jetzt|sofort|heute)"
    r"|von (?:nun|jetzt) an|künftig|zukünftig|in zukunft"
    r"|(?:de|desde) ahora(?: en adelante)?|a partir de (?:ahora|hoy)|en adelante|désormais|dorénavant"
    r"|à (?:partir de maintenant|l['’]avenir)|d['’]ora in (?:poi|avanti)|da (?:ora|adesso|oggi) in poi|in futuro)\b",
    re.IGNORECASE,
)
# Who is spoken of so asks for nothing: "Gethin says hi, he reads over my shoulder".
_OF_ANOTHER = re.compile(
    r"(?:^|, (?:and |but |und |y |et |e )?)(?:he|she|er|il|elle|él|ella|lui|lei) [a-zß-ÿ]+"
    r"|^(?:(?:me|nos|le|mi|ci) )?(?:dice|dijo|dicen|opina|cree|piensa|pensa|ha detto) (?:que|che)\b",
    re.IGNORECASE,
)
# What somebody did themselves asks for nothing: "I've taken up Portuguese, then".
_OWN_DOING = re.compile(
    r"(?:I|we)(?:['’]ve| have)? (?:also |just |now |finally )*(?:taken up|took up|started|begun|began|learn(?:ed|t)"
    r"|signed up|joined|moved|bought|passed)\b(?!.*\byou(?:r|rs)?\b)",
    re.IGNORECASE,
)
# Whoever asks for ideas asks about a matter, not about manners: "so any recovery shake ideas without milk".
_FOR_IDEAS = re.compile(
    r"\b(?:(?:any|some|a few|got|more)(?: [\w'’-]+){0,4} (?:ideas?|tips?|suggestions?|recommendations?"
    r"|recipes?|advice)"
    r"|(?:irgendwelche|ein paar|noch|hast du)(?: [\w-]+){0,3} (?:\w*ideen|\w*tipps?|vorschläge|\w*rezepte?"
    r"|empfehlungen)"
    r"|(?:algun[ao]s?|unas?|más)(?: [\w-]+){0,2} (?:ideas?|consejos?|recetas?|sugerencias?|recomendaci\w+)"
    r"|(?:des|quelques|une?)(?: [\w-]+){0,2} (?:idées?|conseils?|recettes?|suggestions?)"
    r"|(?:qualche|un['’]?|delle)(?: [\w-]+){0,2} ?(?:idea|idee|consigli\w?|ricett\w|suggeriment\w))\b",
    re.IGNORECASE,
)
# What somebody is or did themselves, or says to a friend: "I'm always around for you", "dejé el árabe".
_OWN_DOING = re.compile(
    r"(?:(?:I['’]m|I am) (?:always |still |just |so |really )?(?:here|there|around|proud|glad|happy|sure"
    r"|rooting|excited)\b"
    r"|I['’]ve (?:got|been|had)\b(?! enough)|(?:always|still) (?:here|there|around)\b"
    r"|if there['’]s anything (?:else )?I can\b"
    r"|your [\w'’ ]{3,40}? (?:keeps?|means?|helps?|inspires?|motivates?) me\b|ich bin (?:immer |stets "
    r"|gerne? )?(?:für dich|da)\b"
    r"|(?:estoy|siempre estoy|aquí estoy) (?:aquí )?para ti\b|(?!(?:sé|dé|usé)\b)[a-zñ]{3,}[éí] (?!que\b|si\b)"
    r"|je suis (?:toujours )?là pour\b|sono (?:sempre )?qui per\b)",
    re.IGNORECASE,
)
# What somebody does no more, of their own days: "no more late shifts for me".
_NO_MORE_FOR_ME = re.compile(
    r"^(?:(?:so|and|well|right),? )?no more (?:[\w'’-]+ ){1,3}for (?:me|us)\b(?!.*\bplease\b)"
    r"|^(?:nie wieder|keine?n? (?:[\w-]+ ){1,2}mehr für mich)\b|^se acabaron (?:l[oa]s|para mí)\b",
    re.IGNORECASE,
)
_NO_REQUEST: tuple[Kind, ...] = (
    "question", "quoted", "supposed", "joking", "wish_back", "todo", "forget", "remember", "asks_back",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wish:
    """A field, the value wanted (empty: as it was), how it was said, and where: `start` to `end` of the message.

    `about` is the question it answers, as "length" or "language"; empty where a condition limits it.
    """

    field: str
    value: str
    mode: Mode
    quote: str
    start: int
    end: int
    unsafe: bool = False
    given_weight: float | None = None
    about: str = ""

    @property
    def weight(self) -> float:
        return WEIGHT[self.mode] if self.given_weight is None else self.given_weight

    @property
    def is_explicit(self) -> bool:
        return self.mode == "explicit"


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A sentence that takes back something wished before; what that was, the overlay tells."""

    text: str
    about: str
    mode: Mode
    quote: str
    start: int
    end: int

    def of(self, field: str, value: str) -> Wish:
        """One thing that it takes back."""
        return Wish(field, value, self.mode, self.quote, self.start, self.end, about=self.about)


def find_wishes(text: str, reading: Reading = NOTHING_READ) -> list[Wish]:
    """The wishes of one message in its order; of one that asks for what is unsafe, all are unsafe."""
    passing = any(map(_is_work, reading.sentences))
    wishes = [
        wish
        for one in reading.sentences
        for wish in _wishes_of(without_reason(one), text, beside_work=passing)
    ]
    read = text[:MAX_READ_CHARS]
    if wishes or may_be_unsafe(read):
        alarming = [span for span in list_sentences(read) if is_unsafe(span.text)]
        if alarming:
            wishes = [replace(wish, unsafe=True) for wish in wishes]
            wishes = wishes or [_alarm(alarming[0].start, alarming[0].end, text)]
    return _distinct(wishes)[:MAX_WISHES]


def find_withdrawals(text: str, reading: Reading, meant: Collection[int] = ()) -> list[Withdrawal]:
    """The sentences of a message by which wishes are taken back; what begins at `meant` is near one that stands."""
    found = []
    for one in reading.sentences:
        if tells_own_news(one):
            continue
        mode = _mode(one, "wish_back") if _takes_back(one) and not _is_of_another(one) else None
        if mode is None and one.start in meant:
            mode = "hedged"
        if mode:
            about = "length" if allows_length(one.text) else main_slot(one.meaning.slots)
            quote = _quote(one.start, one.end, text)
            found.append(Withdrawal(one.text, about, mode, quote, one.start, one.end))
    return found


def _wishes_of(sentence: Sentence, text: str, *, beside_work: bool) -> Iterator[Wish]:
    named = read_names(sentence.text)
    mode = _mode(sentence, "wish") or _mode_of_request(sentence)
    if mode is None and _asks_from_now_on(sentence):
        mode = "explicit"
    if named and mode in (None, "hedged"):
        mode = _mode_of_name(sentence) or mode
    if mode is None or (_takes_back(sentence) and not _asks_anew(sentence)):
        return
    if not named and _is_of_another(sentence):
        return
    asked = _list_asked(sentence, named)
    lasting = bool(_LASTING.search(sentence.text))
    if mode == "hedged" and not named and (lasting or _is_certain(sentence, asked)):
        mode = "explicit"
    if mode == "explicit" and (_ONCE.search(sentence.text) or (beside_work and not lasting)):
        mode = "passing"
    about = _about(sentence)
    for one in asked:
        yield _wish(sentence, text, one, mode, about)


def _is_of_another(sentence: Sentence) -> bool:
    """Whether it tells what somebody does or says, rather than how to answer."""
    if _NO_MORE_FOR_ME.search(sentence.text) or _OWN_DOING.match(sentence.text):
        return not any(read_values(sentence.text, slot) for slot in likely_slots(sentence.meaning.slots))
    of_manner = main_slot(sentence.meaning.slots) not in ("address", "other")
    return not of_manner and _OF_ANOTHER.search(sentence.text) is not None


def _about(sentence: Sentence) -> str:
    """The question a wish answers; of one that doesn't read as a wish only what is beyond doubt."""
    meaning = sentence.meaning
    if is_limited(sentence.text, meaning):
        return ""
    return main_slot(meaning.slots) if meaning.may_be("wish") else clear_slot(meaning.slots)


def _is_certain(sentence: Sentence, asked: list[FieldRequest]) -> bool:
    """Whether all that is likely wished for has a value, on which words and meaning agree, and nothing is asked, but
    for politeness: "could you lose the smileys?"
    """
    chances = sentence.meaning.chances
    asks = sentence.text.endswith("?") or chances["question"] >= DOUBT
    polite = chances["request"] >= max(DOUBT, chances["question"])
    return (polite or not asks) and all(one.field != RULES for one in asked)


def _list_asked(sentence: Sentence, named: list[FieldRequest]) -> list[FieldRequest]:
    """Values where they say all of it; a condition, a second matter or a long sentence is kept in its own words."""
    own_words = FieldRequest(RULES, _ANSWERED_FIRST.sub("", sentence.text).strip(" .!\n"))
    if named and (not sentence.meaning.may_be("wish") or len(sentence.text.split()) <= NAMING_WORDS):
        return named
    if is_limited(sentence.text, sentence.meaning):
        return [own_words]
    slots = _beside_a_name(sentence) if named else likely_slots(sentence.meaning.slots)
    found = [read_values(sentence.text, slot) for slot in slots]
    values = [*named, *(value for values in found for value in values)]
    joined = len(values) < 2 and _AND.search(sentence.text.replace(": ", " ") if named else sentence.text)
    says_all = all(found) and not joined and len(sentence.text.split()) <= MAX_PLAIN_WORDS
    return values if values and says_all else [*values, own_words]


def _beside_a_name(sentence: Sentence) -> list[str]:
    """What else a sentence wishes for that gives a name: "call yourself Ada, and keep it short"."""
    slots = sentence.meaning.slots
    about = [slot for slot in likely_slots(slots) if slot not in ("address", "other")]
    return [slot for slot in about if share_of(slots, topic(slot)) >= A_SECOND_MATTER]


def _mode(sentence: Sentence, kind: Literal["wish", "wish_back"]) -> Mode | None:
    meaning = sentence.meaning
    if not meaning.may_be(kind) or meaning.is_sure("joking") or is_vow(sentence.text):
        return None
    if not meaning.is_sure(kind) and _OWN_DOING.match(without_opener(sentence.text)):
        return None
    if kind == "wish" and meaning.may_be("request") and _FOR_IDEAS.search(sentence.text):
        return None
    if meaning.is_sure("quoted"):
        return "reported"
    if meaning.is_sure("supposed") and not meaning.may_be("wish_if"):
        return "hypothetical"
    return "explicit" if meaning.is_sure(kind) or _is_surely_about_manner(meaning) else "hedged"


def _is_surely_about_manner(meaning: Meaning) -> bool:
    """Whether a sentence surely wishes for something or takes it back, whichever: "please stop calling me buddy"."""
    likely = meaning.chances["wish"] + meaning.chances["wish_back"]
    least = CLEARLY_ABOUT_MANNER if clear_slot(meaning.slots) in SINGLE else ABOUT_MANNER
    return likely >= least and not meaning.may_be("question")


def _mode_of_request(sentence: Sentence) -> Mode | None:
    """A request whose whole matter is the manner ("könntest du etwas kürzer schreiben") may be about one answer alone:
    it waits until it is said again.
    """
    meaning = sentence.meaning
    doubted = any(meaning.chances[kind] >= DOUBT for kind in ("quoted", "supposed", "joking", "wish_back"))
    if doubted or not meaning.is_sure("request") or meaning.slot_chance < MOSTLY_OF_MANNER:
        return None
    return "passing" if meaning.slot in OF_MANNER and read_values(sentence.text, meaning.slot) else None


def _asks_from_now_on(sentence: Sentence) -> bool:
    """Whether a request says of itself that it is for all answers to come: „Bitte ab jetzt keine Aufzählungen mehr.“"""
    meaning = sentence.meaning
    doubted = any(meaning.chances[kind] >= DOUBT for kind in _NO_REQUEST)
    return meaning.is_sure("request") and not doubted and _FROM_NOW_ON.match(sentence.text) is not None


def _takes_back(sentence: Sentence) -> bool:
    meaning = sentence.meaning
    likelier = not meaning.may_be("wish") or meaning.chances["wish_back"] >= meaning.chances["wish"]
    return meaning.is_sure("wish_back") or (meaning.may_be("wish_back") and likelier)


def _asks_anew(sentence: Sentence) -> bool:
    """Whether a sentence that takes something back wishes for something else in its place."""
    meaning = sentence.meaning
    return meaning.is_sure("wish") and meaning.chances["wish"] >= meaning.chances["wish_back"]


def _mode_of_name(sentence: Sentence) -> Mode | None:
    """“Call yourself Ada” can mean nothing else; what asks ("Maybe …?"), or is somebody else's, says less."""
    chances = sentence.meaning.chances
    asks = chances["question"] >= DOUBT or sentence.text.endswith("?")
    instead: tuple[Kind, ...] = ("quoted", "joking") if asks else ("quoted", "joking", "supposed")
    if any(chances[kind] >= DOUBT for kind in instead):
        return None
    return "hedged" if asks else "explicit"


def _is_work(sentence: Sentence) -> bool:
    """Whether a sentence asks for a piece of work, about which the wishes beside it may be."""
    meaning = sentence.meaning
    wished = meaning.may_be("wish") or meaning.may_be("wish_back") or _asks_from_now_on(sentence)
    return meaning.is_sure("request") and not wished


def _wish(sentence: Sentence, text: str, asked: FieldRequest, mode: Mode, about: str) -> Wish:
    secret = _is_secret(asked.value, text)
    return Wish(
        field=asked.field,
        value=REMOVED if secret else redact(asked.value)[:MAX_QUOTE_CHARS],
        mode=mode,
        quote=_quote(sentence.start, sentence.end, text),
        start=sentence.start,
        end=sentence.end,
        unsafe=secret or is_unsafe_value(asked.field, asked.value),
        about=about,
    )


def _quote(start: int, end: int, text: str) -> str:
    """The sentence without what the message gives away elsewhere as a secret."""
    words = text[start:end]
    for secret in find_sensitive(text):
        words = words.replace(text[secret.start : secret.end], REMOVED)
    return redact(words)[:MAX_QUOTE_CHARS]


def _is_secret(value: str, text: str) -> bool:
    """Whether the value is, or holds, what the message itself calls a password, key or card."""
    secrets = [text[m.start : m.end].casefold() for m in find_sensitive(text)]
    return any(value.casefold() in secret or secret in value.casefold() for secret in secrets)


def _alarm(start: int, end: int, text: str) -> Wish:
    """An order that goes for the rules themselves is a wish of its own, so that its refusal can be told."""
    quote = _quote(start, end, text)
    return Wish(RULES, quote, "explicit", quote, start, end, unsafe=True)


def _distinct(wishes: Iterable[Wish]) -> list[Wish]:
    """In order, each field and value once, the plainest saying of it."""
    best: dict[tuple[str, str], Wish] = {}
    for wish in wishes:
        known = best.get((wish.field, wish.value.casefold()))
        if known is None or wish.weight > known.weight:
            best[wish.field, wish.value.casefold()] = wish
    return sorted(best.values(), key=lambda wish: wish.start)
